//! The words of a formula in one table, for the parser, the help and the list in the window.

use strum::EnumIter;

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

#[derive(Clone, Copy, PartialEq, Eq, Debug, EnumIter)]
pub enum Group {
    Number,
    List,
    Fact,
    Fold,
    Function,
}

impl Group {
    pub const fn title(self) -> &'static str {
        match self {
            Self::Number => "Numbers of the board",
            Self::List => "Lists",
            Self::Fact => "Of a cell",
            Self::Fold => "Combine a list",
            Self::Function => "Functions",
        }
    }
}

const fn word(
    name: &'static str,
    group: Group,
    [takes, example]: [&'static str; 2],
    about: &'static str,
) -> Word {
    Word {
        name,
        group,
        takes,
        example,
        about,
    }
}

use Group::{Fact, Fold, Function, List, Number};

pub const WORDS: [Word; 35] = [
    word(
        "score",
        Number,
        ["", "score"],
        "Points so far, including those of the slide",
    ),
    word(
        "empty",
        Number,
        ["nothing, or cells", "empty(rows[1])"],
        "Number of empty cells of the board, a line or a list; for one cell, whether it is empty",
    ),
    word(
        "merges",
        Number,
        ["nothing, or cells in order", "sum(lines, x -> merges(x))"],
        "Tiles in runs of equal tiles, ignoring empty cells; for the board the sum over its lines",
    ),
    word(
        "board",
        List,
        ["", "board.cells"],
        "The board after the slide; images and turns give others",
    ),
    word(
        "cells",
        List,
        ["nothing, a line or a board", "sum(cells, c -> c.tile)"],
        "Cells in reading order; of a row from the left, of a column from the top",
    ),
    word(
        "tiles",
        List,
        [
            "nothing, a line, a board or cells",
            "sum(tiles, c -> c.rank)",
        ],
        "The cells that are not empty",
    ),
    word(
        "rows",
        List,
        ["nothing or a board", "max(rows[1], c -> c.rank)"],
        "Rows from the top; a row is also the list of its cells",
    ),
    word(
        "columns",
        List,
        ["nothing or a board", "sum(columns, x -> empty(x))"],
        "Columns from the left",
    ),
    word(
        "lines",
        List,
        ["nothing or a board", "sum(lines, x -> merges(x))"],
        "Rows, then columns",
    ),
    word(
        "pairs",
        List,
        [
            "nothing, a line, a board or cells",
            "sum(pairs, (a, b) -> abs(a.rank - b.rank))",
        ],
        "Neighbors (a, b): a is left of b or above it; in a list of cells each with the next one, so cells.pairs also pairs the ends of rows",
    ),
    word(
        "images",
        List,
        [
            "nothing or a board",
            "max(images, b -> sum(b.cells, [3, 2, 1, 0, 2, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0], (c, w) -> w * c.tile))",
        ],
        "The board turned and mirrored: eight boards, or four for a rectangle",
    ),
    word(
        "turns",
        List,
        [
            "nothing or a board",
            "max(turns, b -> count(b.pairs, (x, y) -> x.tile >= y.tile))",
        ],
        "The board in quarter turns: four boards, or two for a rectangle",
    ),
    word(
        "filter",
        List,
        [
            "a list (not of numbers) and a condition",
            "filter(cells, c -> c.tile >= 64)",
        ],
        "The elements of a list of cells, pairs, lines or boards that meet a condition",
    ),
    word(
        "tile",
        Fact,
        ["a cell", "c.tile"],
        "The number on the tile: 2, 4, 8 …; 0 on an empty cell",
    ),
    word(
        "rank",
        Fact,
        ["a cell", "c.rank"],
        "Its exponent: 1 for 2, 2 for 4, 3 for 8 …; 0 on an empty cell",
    ),
    word(
        "row",
        Fact,
        ["a cell", "c.row"],
        "Number of its row, 1 at the top",
    ),
    word(
        "column",
        Fact,
        ["a cell", "c.column"],
        "Number of its column, 1 at the left",
    ),
    word(
        "sum",
        Fold,
        ["a list and a number for each", "sum(cells, c -> c.tile)"],
        "The sum; 0 for an empty list",
    ),
    word(
        "product",
        Fold,
        [
            "a list and a number for each",
            "product(tiles(rows[1]), c -> c.rank)",
        ],
        "The product; 1 for an empty list",
    ),
    word(
        "mean",
        Fold,
        ["a list and a number for each", "mean(tiles, c -> c.rank)"],
        "The arithmetic mean; 0 for an empty list",
    ),
    word(
        "min",
        Fold,
        [
            "numbers, or a list and a number for each",
            "min(tiles, c -> c.rank)",
        ],
        "The smallest of a list or of numbers; 0 for an empty list",
    ),
    word(
        "max",
        Fold,
        [
            "numbers, or a list and a number for each",
            "max(cells, c -> c.tile)",
        ],
        "The largest of a list or of numbers; 0 for an empty list",
    ),
    word(
        "count",
        Fold,
        [
            "a list, and optionally a condition",
            "count(cells, c -> c.rank = 1)",
        ],
        "Number of elements, or of those that meet a condition",
    ),
    word(
        "any",
        Fold,
        ["a list and a condition", "any(cells, c -> c.tile >= 2048)"],
        "Whether any meets a condition",
    ),
    word(
        "all",
        Fold,
        [
            "a list and a condition",
            "all(pairs(rows[1]), (a, b) -> b.rank <= a.rank)",
        ],
        "Whether all meet a condition",
    ),
    word(
        "if",
        Function,
        ["a condition and two values", "if(empty < 4, -100, 0)"],
        "The first value if the condition is true, else the second; a condition alone counts as 1 or 0",
    ),
    word("abs", Function, ["a number", "abs(-3)"], "Absolute value"),
    word("sign", Function, ["a number", "sign(-3)"], "-1, 0 or 1"),
    word(
        "sqrt",
        Function,
        ["a number", "sqrt(empty)"],
        "Square root, defined for a number that is never below 0",
    ),
    word(
        "ln",
        Function,
        ["a number", "ln(max(0.5, empty))"],
        "Natural logarithm, defined for a number that is always above 0",
    ),
    word(
        "log2",
        Function,
        ["a number", "log2(max(1, score))"],
        "Logarithm to base 2, defined for a number that is always above 0",
    ),
    word("exp", Function, ["a number", "exp(-empty)"], "e to a power"),
    word(
        "floor",
        Function,
        ["a number", "floor(2.7)"],
        "Rounds down to a whole number",
    ),
    word(
        "ceil",
        Function,
        ["a number", "ceil(2.2)"],
        "Rounds up to a whole number",
    ),
    word(
        "round",
        Function,
        ["a number", "round(2.5)"],
        "Rounds to the nearest whole number, halves away from 0",
    ),
];

pub(super) fn find(name: &str) -> Option<&'static Word> {
    WORDS.iter().find(|word| word.name == name)
}
