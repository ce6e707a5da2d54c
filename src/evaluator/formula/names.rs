//! The words of a formula in one table, for the parser, the help and the list in the window.

/// A word of formulas.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Word {
    pub name: &'static str,
    pub group: Group,
    /// Its arguments: `a list and a condition`. Empty for a word without arguments.
    pub(super) takes: &'static str,
    pub example: &'static str,
    pub about: &'static str,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Group {
    Number,
    List,
    Fact,
    Fold,
    Function,
}

impl Group {
    pub const ALL: [Self; 5] = [Self::Number, Self::List, Self::Fact, Self::Fold, Self::Function];

    pub const fn title(self) -> &'static str {
        match self {
            Self::Number => "Numbers of the board",
            Self::List => "Lists",
            Self::Fact => "Of a cell",
            Self::Fold => "One number of a list",
            Self::Function => "Functions",
        }
    }
}

const fn word(name: &'static str, group: Group, [takes, example]: [&'static str; 2], about: &'static str) -> Word {
    Word { name, group, takes, example, about }
}

use Group::{Fact, Fold, Function, List, Number};

pub const WORDS: [Word; 35] = [
    word("score", Number, ["", "score"], "Points so far, those of the slide included"),
    word(
        "empty",
        Number,
        ["nothing, or cells", "empty(rows[1])"],
        "How many cells are empty: of the board, of a line, of a list; of one cell, whether it is",
    ),
    word(
        "merges",
        Number,
        ["nothing, or cells in order", "sum(lines, x -> merges(x))"],
        "Tiles in runs of equal ones, empty cells skipped; of the board the sum over its lines",
    ),
    word("board", List, ["", "board.cells"], "The board after the slide; images and turns bring others"),
    word(
        "cells",
        List,
        ["nothing, a line or a board", "sum(cells, c -> c.tile)"],
        "Cells in reading order; of a line from the left, of a column from the top",
    ),
    word(
        "tiles",
        List,
        ["nothing, a line, a board or cells", "sum(tiles, c -> c.rank)"],
        "The cells that are not empty",
    ),
    word(
        "rows",
        List,
        ["nothing or a board", "max(rows[1], c -> c.rank)"],
        "Rows from the top; a row is the list of its cells, too",
    ),
    word("columns", List, ["nothing or a board", "sum(columns, x -> empty(x))"], "Columns from the left"),
    word("lines", List, ["nothing or a board", "sum(lines, x -> merges(x))"], "Rows, then columns"),
    word(
        "pairs",
        List,
        ["nothing, a line, a board or cells", "sum(pairs, (a, b) -> abs(a.rank - b.rank))"],
        "Neighbours (a, b): a is left of b, or above it; of a list of cells each with the next one, so that cells.pairs crosses the ends of rows",
    ),
    word(
        "images",
        List,
        [
            "nothing or a board",
            "max(images, b -> sum(b.cells, [3, 2, 1, 0, 2, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0], (c, w) -> w * c.tile))",
        ],
        "The board turned and mirrored: eight boards, of a rectangle four",
    ),
    word(
        "turns",
        List,
        ["nothing or a board", "max(turns, b -> count(b.pairs, (x, y) -> x.tile >= y.tile))"],
        "The board turned by quarters: four boards, of a rectangle two",
    ),
    word(
        "filter",
        List,
        ["a list, not of numbers, and a condition", "filter(cells, c -> c.tile >= 64)"],
        "What of a list of cells, pairs, lines or boards fulfils a condition",
    ),
    word("tile", Fact, ["a cell", "c.tile"], "The number on the tile: 2, 4, 8 …; 0 on an empty cell"),
    word("rank", Fact, ["a cell", "c.rank"], "Its exponent: 1 for 2, 2 for 4, 3 for 8 …; 0 on an empty cell"),
    word("row", Fact, ["a cell", "c.row"], "Number of its row, 1 at the top"),
    word("column", Fact, ["a cell", "c.column"], "Number of its column, 1 at the left"),
    word("sum", Fold, ["a list and what of each", "sum(cells, c -> c.tile)"], "The sum; of nothing 0"),
    word(
        "product",
        Fold,
        ["a list and what of each", "product(tiles(rows[1]), c -> c.rank)"],
        "The product; of nothing 1",
    ),
    word(
        "mean",
        Fold,
        ["a list and what of each", "mean(tiles, c -> c.rank)"],
        "The sum divided by how many there are; of nothing 0",
    ),
    word(
        "min",
        Fold,
        ["numbers, or a list and what of each", "min(tiles, c -> c.rank)"],
        "The least of a list or of numbers; of nothing 0",
    ),
    word(
        "max",
        Fold,
        ["numbers, or a list and what of each", "max(cells, c -> c.tile)"],
        "The largest of a list or of numbers; of nothing 0",
    ),
    word(
        "count",
        Fold,
        ["a list, and a condition if not all count", "count(cells, c -> c.rank = 1)"],
        "How many there are, or how many fulfil a condition",
    ),
    word("any", Fold, ["a list and a condition", "any(cells, c -> c.tile >= 2048)"], "Whether one fulfils a condition"),
    word("all", Fold, ["a list and a condition", "all(pairs(rows[1]), (a, b) -> b.rank <= a.rank)"], "Whether all do"),
    word(
        "if",
        Function,
        ["a condition and two values", "if(empty < 4, -100, 0)"],
        "The first value where the condition holds, else the second; a condition alone counts 1 or 0",
    ),
    word("abs", Function, ["a number", "abs(-3)"], "Without its sign"),
    word("sign", Function, ["a number", "sign(-3)"], "-1, 0 or 1"),
    word("sqrt", Function, ["a number", "sqrt(empty)"], "Square root, of a number that cannot be below 0"),
    word(
        "ln",
        Function,
        ["a number", "ln(max(0.5, empty))"],
        "Natural logarithm, of a number that cannot be 0 or below",
    ),
    word(
        "log2",
        Function,
        ["a number", "log2(max(1, score))"],
        "Logarithm to base 2, of a number that cannot be 0 or below",
    ),
    word("exp", Function, ["a number", "exp(-empty)"], "e to a power"),
    word("floor", Function, ["a number", "floor(2.7)"], "The next whole number below"),
    word("ceil", Function, ["a number", "ceil(2.2)"], "The next whole number above"),
    word("round", Function, ["a number", "round(2.5)"], "The nearest whole number, halves away from 0"),
];

pub(super) fn find(name: &str) -> Option<&'static Word> {
    WORDS.iter().find(|word| word.name == name)
}
