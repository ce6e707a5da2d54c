//! Tests formulas against the evaluators that they reproduce, tables against the text, and refusals.

use super::*;
use crate::evaluator::compiled::LineForm;
use crate::evaluator::{Compiled, Evaluate as _, Evaluator, Lines, NoFiles, Term, Weights};
use crate::game::{Board, Row, Seed, Symmetry};

/// Boards of every size with random tiles, mostly 4×4.
fn corpus() -> Vec<Board> {
    let mut boards = Vec::new();
    for size in Size::all() {
        for index in 0..if size == Size::FOUR { 1200 } else { 40 } {
            let seed = Seed(17).game(index);
            // From few kinds of tiles, so that they meet, to all kinds.
            let kinds = 2 + index % 17;
            let rank = |number: u32| Rank::clamped((seed.place_draw(number) % kinds) as u8);
            let board = size
                .iter()
                .zip(1..)
                .fold(Board::empty(size), |board, (cell, number)| {
                    board.with(cell, rank(number))
                });
            boards.push(board);
        }
    }
    boards
}

fn formula(text: &str) -> Formula {
    let formula = Formula::new(text);
    if let Err(error) = &formula.0.read {
        panic!("{text}: {error}");
    }
    formula
}

fn example(name: &str) -> Formula {
    formula(
        EXAMPLES
            .iter()
            .find(|example| example.name == name)
            .expect(name)
            .text,
    )
}

/// Looked up if the board is packed, otherwise computed line by line.
fn looked_up(compiled: &Compiled, board: &Board, score: u64) -> f64 {
    board.as_packed().map_or_else(
        || compiled.value(board.to_grid(), score),
        |packed| compiled.value(packed.crossed(), score),
    )
}

fn assert_close(one: f64, other: f64, what: &str) {
    assert!(
        (one - other).abs() <= 1e-9 * one.abs().max(other.abs()).max(1.0),
        "{what}: {one} is not {other}"
    );
}

#[test]
fn formulas_of_known_evaluators_equal_them() {
    let boards = corpus();
    let cases: [(Formula, Evaluator, bool); 15] = [
        (example("Empty cells"), Evaluator::Empty, true),
        (example("Smoothness"), Evaluator::Difference, true),
        (
            formula("-sum(pairs, (a, b) -> if(a.empty or b.empty, 0, abs(a.tile - b.tile)))"),
            Evaluator::DifferenceOfTiles,
            true,
        ),
        (example("Monotonicity"), Evaluator::Monotonicity, false),
        (
            example("Large tiles in a corner"),
            Evaluator::CornerBonus,
            false,
        ),
        (
            example("Weights of cells"),
            Evaluator::Weights(Weights::A),
            true,
        ),
        (example("Snake"), Evaluator::Snake, false),
        (
            example("Lines of Xiao"),
            Evaluator::Lines(Lines::XIAO),
            true,
        ),
        (formula("score"), Evaluator::Score, true),
        (
            formula("max(cells, c -> c.tile)"),
            Evaluator::MaxTile,
            false,
        ),
        (
            formula("max(cells, c -> c.rank)"),
            Evaluator::MaxRank,
            false,
        ),
        (
            formula("if(any(cells, c -> c.tile >= 2048), 1, 0)"),
            Evaluator::HasTile(2048),
            false,
        ),
        (
            formula("sum(pairs, (a, b) -> if(b.tile <= a.tile, a.tile, 0))"),
            Evaluator::MonotoneSum,
            true,
        ),
        (
            formula("-sum(lines, x -> sum(x.tiles.pairs, (a, b) -> abs(a.rank - b.rank)))"),
            Evaluator::RankSmoothness,
            true,
        ),
        (
            formula("if(empty = 0, -ln(2), ln(max(1, empty)))"),
            Evaluator::LogEmpty,
            false,
        ),
    ];
    for (formula, evaluator, is_by_lines) in &cases {
        assert_eq!(formula.is_by_lines(), *is_by_lines, "{formula:?}");
        let compiled = Evaluator::Formula(formula.clone()).compile(&NoFiles);
        let exact = !matches!(evaluator, Evaluator::Lines(_));
        let mut compared = 0;
        for board in &boards {
            if formula.check(board.size()).is_err() || evaluator.check(board.size()).is_err() {
                continue;
            }
            // A rectangle has only some quarter turns in common with formulas.
            let is_square = board.size().rows() == board.size().cols();
            if !is_square && matches!(evaluator, Evaluator::Monotonicity) {
                continue;
            }
            compared += 1;
            let value = evaluator.evaluate(board, 1234);
            let what = format!("{formula:?} on {board}");
            for own in [
                formula.evaluate(&board.to_grid(), 1234),
                looked_up(&compiled, board, 1234),
            ] {
                if exact {
                    assert_eq!(own, value, "{what}");
                } else {
                    assert_close(own, value, &what);
                }
            }
        }

        assert!(1000 < compared, "{formula:?}: {compared}");
    }
}

/// Formulas of every form, and whether each is entirely a sum over lines.
const FORMS: [(&str, bool); 25] = [
    ("score + 50 * empty", true),
    (
        "270 * empty + 700 * merges + sum(lines, x -> max(x, c -> c.rank))",
        true,
    ),
    ("3 - sum(rows, x -> x[1].tile - x[-1].tile) / 4", true),
    (
        "sum(cells, c -> c.row * c.tile) + sum(columns, x -> x[2].rank ^ 2)",
        true,
    ),
    (
        "sum(filter(cells, c -> 3 < c.rank), c -> c.tile) - count(tiles, c -> c.rank = 1)",
        true,
    ),
    (
        "max(rows[1], c -> c.tile) + 2 * min(columns[-1].tiles, c -> c.rank)",
        true,
    ),
    (
        "sum(pairs, (a, b) -> if(a.rank = b.rank and not a.empty, a.tile, 0))",
        true,
    ),
    (
        "sum(filter(pairs, (a, b) -> b.rank < a.rank), (a, b) -> a.rank - b.rank)",
        true,
    ),
    (
        "let k = 2 + 1; sum(lines, x -> k * product(x.tiles, c -> 1 + c.rank / 8))",
        true,
    ),
    (
        "let m = sum(lines, x -> mean(x, c -> c.rank)); m * 2 + m",
        true,
    ),
    (
        "sum(lines, [1, 2, 3, 4, 5, 6, 7, 8], (x, w) -> w * empty(x))",
        true,
    ),
    ("- 47 * merges + 270 * empty", true),
    ("- empty / 2 + score", true),
    ("score + - 2 * empty", true),
    ("let k = 2; - empty + score", true),
    ("-\u{a0}empty + score", true),
    ("(let a = 2; a * empty) + score", true),
    ("(let b = 2; b * empty + score)", true),
    (
        "let m = empty ^ 2; let l = merges + empty; m * 3 - m * l + l * 2 - score * m",
        false,
    ),
    ("score + 2 * ! empty = 4", false),
    (
        "sum(cells, c -> c.tile) * empty + sum(rows, x -> all(x, c -> not c.empty))",
        false,
    ),
    (
        "let m = max(cells, c -> c.rank); sum(cells, c -> if(c.rank = m, c.row + c.column, 0)) + empty",
        false,
    ),
    (
        "max(images, b -> sum(b.rows[1], c -> c.tile)) - min(turns, b -> b.cells[1].rank)",
        false,
    ),
    (
        "score * empty % 7 + sqrt(score) + floor(log2(max(1, score)))",
        false,
    ),
    (
        "sum([1, 2.5, -3], x -> x ^ 2 * empty) + round(2.5) + sign(-3) + exp(-empty)",
        false,
    ),
];

#[test]
fn what_is_looked_up_is_what_is_written() {
    let boards = corpus();
    for (number, (text, is_by_lines)) in FORMS.into_iter().enumerate() {
        let formula = formula(text);
        let evaluator = Evaluator::Formula(formula.clone());
        let compiled = evaluator.compile(&NoFiles);
        assert_eq!(formula.is_by_lines(), is_by_lines, "{text}");
        for boards in boards.chunk_by(|one, other| one.size() == other.size()) {
            let size = boards[0].size();
            if formula.check(size).is_err() {
                continue;
            }
            let [low, high] = formula.range(size).expect("checked");
            // A third of the boards, another one for the next form.
            for board in boards.iter().skip(number % 3).step_by(3) {
                let (value, what) = (
                    formula.evaluate(&board.to_grid(), 4321),
                    format!("{text} on {board}"),
                );
                assert_close(looked_up(&compiled, board, 4321), value, &what);
                assert_close(compiled.value(board.to_grid(), 4321), value, &what);
                assert!(
                    low <= value && value <= high,
                    "{what}: {value} is not between {low} and {high}"
                );
                let terms: f64 = evaluator.terms(board, 4321).iter().map(Term::amount).sum();
                assert_close(terms, value, &what);
            }
        }
    }
}

#[test]
fn every_line_has_its_value_in_the_table() {
    let formula = formula(
        "200 + 7 * empty - sum(pairs, (a, b) -> abs(a.tile - b.tile)) + sum(lines, x -> merges(x) ^ 2 - x[1].rank)",
    );
    let compiled = Evaluator::Formula(formula.clone()).compile(&NoFiles);
    let Some(LineForm::One(table)) = compiled.by_lines().map(|by_lines| by_lines.lines) else {
        panic!("all lines share one table");
    };

    for row in 0..=u16::MAX {
        let ranks = Row(row).ranks().map(Rank::clamped);
        let tile = |at: usize| ranks[at].tile() as f64;
        let empty = ranks.iter().filter(|rank| rank.is_empty()).count() as f64;
        let steps: f64 = (0..3).map(|at| (tile(at) - tile(at + 1)).abs()).sum();
        let filled: Vec<Rank> = ranks.into_iter().filter(|rank| !rank.is_empty()).collect();
        let merges: usize = filled
            .chunk_by(|a, b| a == b)
            .map(<[Rank]>::len)
            .filter(|&len| 1 < len)
            .sum();
        let value =
            25.0 + 3.5 * empty - steps + (merges * merges) as f64 - f64::from(ranks[0].get());
        assert_eq!(table[usize::from(row)], value, "{:?}", Row(row));
    }
}

#[test]
fn what_says_that_it_is_symmetric_is() {
    let symmetric = [
        "270 * empty + 700 * merges + sum(lines, x -> max(x, c -> c.rank))",
        "-sum(pairs, (a, b) -> abs(a.rank ^ 1.7 - b.rank ^ 1.7))",
        "sum(lines, x -> min(sum(pairs(x), (a, b) -> if(b.rank < a.rank, a.rank ^ 1.3 - b.rank ^ 1.3, 0)), \
         sum(pairs(x), (a, b) -> if(a.rank < b.rank, b.rank ^ 1.3 - a.rank ^ 1.3, 0))))",
        "count(filter(pairs, (a, b) -> a.rank = b.rank)) + score / 3",
        "sum(cells, c -> c.rank ^ 3.5)",
    ];

    let not = [
        "sum(pairs, (a, b) -> a.rank - 0.5 * b.rank)",
        "sum(rows, x -> max(x, c -> c.rank))",
        "sum(lines, x -> x[1].rank)",
        "count(filter(pairs, (a, b) -> a.rank < b.rank))",
        "sum(cells, c -> c.row * c.rank)",
        "sum(lines, x -> sum(filter(x.pairs, (a, b) -> b.rank < a.rank), (a, b) -> a.rank))",
    ];
    let boards = corpus();

    for text in symmetric.into_iter().chain(not) {
        let formula = Evaluator::Formula(formula(text));
        let compiled = formula.compile(&NoFiles);
        let differs = |board: &&Board| {
            let value = looked_up(&compiled, board, 10);
            Symmetry::of(board.size())
                .any(|symmetry| looked_up(&compiled, &symmetry.image(board), 10) != value)
        };
        assert_eq!(
            formula.is_symmetric(Size::FOUR),
            boards.iter().step_by(3).find(differs).is_none(),
            "{text}"
        );
    }
}

#[test]
fn what_is_wrong_is_told_with_its_place_and_a_remedy() {
    let long = format!("empty{}", " + 1".repeat(3000));
    let deep = "(".repeat(5000);
    let [some, many] = [33, 70].map(|lists| format!("count({}[1])", "[1], ".repeat(lists - 1)));
    let steps = "sum(cells, a -> sum(cells, b -> sum(cells, c -> sum(cells, d -> sum(cells, e -> e.rank)))))";
    let cases = [
        ("", "character 1: a formula is needed here"),
        ("# only a remark", "character 1: a formula is needed here"),
        (
            "1 +",
            "character 4: the text ends, but a value is needed there",
        ),
        (
            "emty + 1",
            "character 1: there is no \"emty\": did you mean empty?",
        ),
        (
            "empty +\n  2 * emty",
            "line 2, character 7: there is no \"emty\"",
        ),
        (
            "sum(lines, x -> x)",
            "character 17: this is a line, but a number is needed: write sum, max or count",
        ),
        (
            "sum(cells, c -> c)",
            "character 17: this is a cell, but a number is needed: add .tile or .rank",
        ),
        (
            "cells",
            "character 1: this is a list, but a number is needed",
        ),
        (
            "sum(pairs, p -> 1)",
            "1 name before ->, but each element has 2 values: write (a, b) -> …",
        ),
        (
            "if(empty, 1, 2)",
            "character 4: this is a number, but a condition is needed: compare it",
        ),
        (
            "1 / empty",
            "character 5: this may be 0, which cannot divide: write max(1, …) around it",
        ),
        ("5 % (empty - 3)", "character 6: this may be 0"),
        ("1 / 0", "character 5: this may be 0"),
        (
            "ln(empty)",
            "character 4: this may be 0, where ln is not defined: write max(1, …) around it",
        ),
        (
            "sqrt(empty - 3)",
            "this may be −3, where sqrt is not defined: write max(0, …)",
        ),
        (
            "(empty - 3) ^ 0.5",
            "this may be −3, where powers need a whole exponent: write abs(…)",
        ),
        (
            "empty ^ -1",
            "this may be 0, where negative powers are not defined",
        ),
        (
            "exp(exp(empty))",
            "this may become too large to compare: use smaller numbers",
        ),
        ("1e300 * score", "too large"),
        ("10 ^ 400", "too large"),
        (
            "2 ^ 3 ^ 4",
            "character 7: two powers follow each other: add brackets",
        ),
        ("1 < 2 < 3", "two comparisons follow each other"),
        (
            "1 + 2 ^ 3 ^ 2",
            "character 11: two powers follow each other",
        ),
        (
            "2 * 3 ^ 2 ^ 2",
            "character 11: two powers follow each other",
        ),
        ("-2 ^ 3 ^ 2", "character 8: two powers follow each other"),
        ("2 ^ -3 ^ 2", "character 8: two powers follow each other"),
        ("2 ** 3 ** 2", "character 8: two powers follow each other"),
        (
            "abs(1 - 2 ^ 3 # three\n ^ 2)",
            "line 2, character 2: two powers follow each other",
        ),
        (
            "if(not 1 < 2 < 3, 1, 0)",
            "character 14: two comparisons follow each other",
        ),
        (
            "if(1 < 2 and 2 < 3 = 3, 1, 0)",
            "character 20: two comparisons follow each other",
        ),
        (
            "if(1 < not 2 = 3, 1, 0)",
            "character 14: two comparisons follow each other",
        ),
        ("2x", "character 1: \"2x\" is not a number"),
        (
            "1 2",
            "character 3: \"2\" has no meaning here: an operator such as +",
        ),
        (
            "sum(lines, x -> 1",
            "character 4: the text ends, but the bracket that is opened there is not closed",
        ),
        (
            "empty)",
            "character 6: \")\" has no meaning here: it closes no open bracket",
        ),
        ("x -> 1", "x -> … is allowed only after a list"),
        (
            "π",
            "character 1: \"π\" has no meaning here: a number, a name or a bracket is needed there",
        ),
        (
            "let empty = 3; empty",
            "\"empty\" already has a meaning: use another name",
        ),
        (
            "let a = cells; 1",
            "this is a list, but a number is needed: let can name only numbers",
        ),
        (
            "let a = 1",
            "the text ends, but ; is needed at the end of a let",
        ),
        (
            "rows[5][1].tile",
            "there is no [5] on 4x4 boards: this list has 4 elements",
        ),
        (
            "rows[0][1].tile",
            "the index is a whole number other than 0",
        ),
        (
            "tiles[1].rank",
            "the length of this list depends on the board",
        ),
        (
            "sum(cells, [1, 2], (c, w) -> w)",
            "need the same length, but these have 16 and 2",
        ),
        (
            "sum(tiles, [1, 2], (c, w) -> w)",
            "the length of this list depends on the board",
        ),
        (
            "sum(cells)",
            "character 1: sum takes a list and a number for each, such as sum(cells, c -> c.tile)",
        ),
        ("abs(1, 2)", "abs takes a number, such as abs(-3)"),
        (
            "sum(cells, [[1, 2], [3]], (c, w) -> w)",
            "the rows of a matrix have the same number of numbers",
        ),
        (
            "sum(cells, [[1, 2], 3], (c, w) -> w)",
            "the rows of a matrix have the same number of numbers",
        ),
        ("score(1)", "score takes nothing"),
        ("c.tile", "there is no \"c\""),
        ("not empty", "this is a number, but a condition is needed"),
        (steps, "steps, but the limit is 100,000: nest fewer lists"),
        (
            &long,
            "character 10,001: the text has more than 10,000 characters: make it shorter",
        ),
        (&deep, "nested deeper than 64"),
        (&some, "character 1: more than 24 names at once"),
        (&many, "character 1: more than 24 names at once"),
        (
            "sum(filter([1, 2, 3], x -> 1 < x), x -> x)",
            "character 12: this is a list of numbers, but a list of cells, pairs",
        ),
    ];

    for (text, words) in cases {
        let error = Formula::new(text)
            .check(Size::FOUR)
            .expect_err(text)
            .to_string();
        assert!(
            error.contains(&words.replace("10,001", "10001")),
            "{text:.80}: {error}"
        );
    }
}

#[test]
fn conditions_narrow_what_they_compare() {
    let accepted = [
        "sum(tiles, c -> 4096/c.tile)",
        "sum(lines, x -> sum(x.tiles, c -> 1 / c.rank))",
        "sum(tiles.pairs, (a, b) -> 1 / a.rank - 1 / b.tile)",
        "sum(filter(tiles, c -> c.rank < 5), c -> ln(c.rank) / c.tile)",
        "sum(filter(cells, c -> not c.empty), c -> 1 / c.rank)",
        "sum(filter(cells, c -> c.tile > 2), c -> 1 / (c.rank - 1))",
        "sum(pairs(filter(cells, c -> c.tile > 2)), (a, b) -> 1 / (a.rank - 1) + 1 / (b.rank - 1))",
        "sum(filter(pairs, (a, b) -> a.tile != b.tile), (a, b) -> 1 / (a.tile - b.tile))",
        "if(empty = 0, 0, 100 / empty)",
        "if(empty > 0, 100 / empty, 0)",
        "if(not empty < 1, 100 / empty, 0)",
        "if(0 != empty, 100 / empty, 0)",
        "if(empty != 16, 100 / (16 - empty), 0)",
        "if(empty > 0 and score > 0, 1 / (empty * score), 0)",
        "if(empty = 0 or score = 0, 0, 1 / (empty * score))",
        "if(empty > 0 and 1 / empty < 0.25, 1, 0)",
        "if(empty = 0 or 8 % empty = 0, 1, 0)",
        "if(empty - 3 != 0, 5 % (empty - 3) + abs(1 / (empty - 3)), 0)",
        "if(score < empty, 1 / (empty - score), 0)",
        "if(rows[1][1].tile > 0, 1 / rows[1][1].rank, 0)",
        "if(empty > 0, sum(cells, c -> c.tile / empty), 0)",
        "let e = empty; if(e > 0, 100 / e, 0)",
        "if(empty > 0, empty ^ -1, 0) + if(empty > 0, ln(empty), 0)",
        "if(sqrt(score) > 0.5, 1 / (sqrt(score) - 0.5), 0)",
        "1 / count(cells) + 1 / count(lines, x -> 1 = 1)",
        "max(1, min(cells, c -> c.rank)) / min(cells, c -> c.row)",
    ];

    let refused = [
        ("sum(cells, c -> 4096/c.tile)", "this may be 0"),
        ("1 / mean(tiles, c -> c.tile)", "this may be 0"),
        ("1 / count(tiles)", "this may be 0"),
        ("if(empty = 0, 100 / empty, 0)", "this may be 0"),
        ("if(empty > 1, 0, 100 / empty)", "this may be 0"),
        ("if(empty >= 0, 100 / empty, 0)", "this may be 0"),
        ("if(empty > 0 or score > 0, 1 / empty, 0)", "this may be 0"),
        ("if(empty > 0 and score > 0, 0, 1 / empty)", "this may be 0"),
        ("if(1 / empty < 0.25 and empty > 0, 1, 0)", "this may be 0"),
        ("if(empty > 3, 1 / (empty - 4), 0)", "this may be 0"),
        ("if(empty != 3, 1 / (empty - 4), 0)", "this may be 0"),
        ("if(score > 0, 1 / empty, 0)", "this may be 0"),
        ("if(empty > 0, 1, 0) / empty", "this may be 0"),
        (
            "sum(filter(cells, c -> c.tile > 1), c -> 1 / (c.rank - 1))",
            "this may be 0",
        ),
        (
            "sum(filter(cells, c -> c.row > 1), c -> 1 / c.rank)",
            "this may be 0",
        ),
        (
            "sum(pairs(cells), (a, b) -> if(a.tile > 0, 1 / b.tile, 0))",
            "this may be 0",
        ),
        (
            "sum(cells, c -> if(c.tile > 0, sum(cells, d -> 1 / d.tile), 0))",
            "this may be 0",
        ),
        (
            "let e = empty - 1; if(empty > 0, 1 / e, 0)",
            "this may be 0",
        ),
        (
            "if(sqrt(score) > 0, 1 / sqrt(score), 0)",
            "so near to 0 that the quotient has no limit",
        ),
        ("1 / exp(-30 * empty)", "so near to 0"),
    ];

    for text in accepted {
        assert_eq!(Formula::new(text).check(Size::FOUR), Ok(()), "{text}");
    }

    for (text, words) in refused {
        let error = Formula::new(text)
            .check(Size::FOUR)
            .expect_err(text)
            .to_string();
        assert!(error.contains(words), "{text}: {error}");
    }
}

#[test]
fn hostile_texts_are_refused_before_they_fill_the_stack() {
    for text in [
        "-".repeat(9_000),
        "not ".repeat(2_400),
        format!("1{}", "^-1".repeat(3_000)),
        format!("1{}", "+ not 1 = 1".repeat(800)),
        "abs(".repeat(2_000),
        "[".repeat(9_000),
        "max(1, ".repeat(1_400),
        format!("cells{}", "[1]".repeat(3_000)),
        format!("empty{}", ".empty".repeat(1_500)),
        format!("1{}", "*(1".repeat(3_000)),
        format!("1{}", "*1".repeat(4_000)),
        "let a = 1; ".repeat(900),
        format!("{}1", format!("{}(", "-".repeat(60)).repeat(64)),
        format!("{}1", format!("{}abs(", "not ".repeat(30)).repeat(64)),
    ] {
        assert!(
            Formula::new(text.as_str()).check(Size::FOUR).is_err(),
            "{text:.40}"
        );
    }

    let sum = format!("empty{}", " + 1".repeat(2_000));
    assert_eq!(
        formula(&sum).evaluate(&Grid::empty(Size::FOUR), 0),
        2016.0,
        "a long sum is no deep one"
    );
    let flat = format!("empty{}", " + empty * -1".repeat(100));
    assert_eq!(
        formula(&flat).evaluate(&Grid::empty(Size::FOUR), 0),
        -99.0 * 16.0,
        "signs that follow each other"
    );
    let nested = format!("{}empty{}", "-(".repeat(30), ")".repeat(30));
    assert_eq!(formula(&nested).evaluate(&Grid::empty(Size::FOUR), 0), 16.0);
    assert_eq!(
        formula(&format!("count({}[1])", "[1], ".repeat(23))).evaluate(&Grid::empty(Size::FOUR), 0),
        1.0
    );

    let lets: String = (0..20)
        .map(|number| format!("let a{number} = empty + {};", number))
        .collect();
    assert_eq!(
        formula(&format!("{lets} a19 + a0")).evaluate(&Grid::empty(Size::FOUR), 0),
        51.0
    );
    let doubled: String = (1..20)
        .map(|number| format!("let a{number} = a{0} + a{0};", number - 1))
        .collect();
    let doubled = formula(&format!("let a0 = empty; {doubled} a19"));
    assert_eq!(
        doubled.evaluate(&Grid::empty(Size::FOUR), 0),
        16.0 * f64::from(1 << 19)
    );
}

#[test]
fn every_word_has_an_example_that_reads() {
    for word in WORDS {
        let in_a_list = ["tile", "rank", "row", "column"].contains(&word.name);
        let text = match word.group {
            Group::Fact => format!("sum(cells, c -> {})", word.example),
            Group::List if word.name == "filter" || word.name == "board" => {
                format!("count({})", word.example)
            }
            _ => word.example.to_owned(),
        };
        let formula = Formula::new(text.as_str());
        assert_eq!(formula.check(Size::FOUR), Ok(()), "{text}");
        assert!(
            in_a_list || word.example.contains(word.name),
            "{}",
            word.name
        );
        assert!(
            !word.about.is_empty() && !word.about.ends_with('.'),
            "{}",
            word.name
        );
    }
    for Example { name, text, about } in EXAMPLES {
        assert_eq!(Formula::new(text).check(Size::FOUR), Ok(()), "{name}");
        assert!(!about.is_empty());
    }
}

#[test]
fn a_formula_reads_back_as_it_is_written() {
    for Example { text, .. } in EXAMPLES {
        let evaluator = Evaluator::Formula(Formula::new(text));
        assert_eq!(
            evaluator.to_string().parse(),
            Ok(evaluator.clone()),
            "{text}"
        );
        assert_eq!(evaluator.check(Size::FOUR), Ok(()), "{text}");
    }
    let quoted = Evaluator::Formula(formula("empty # of \"Room\", C:\\rooms\n+ 1"));
    assert_eq!(quoted.to_string().parse(), Ok(quoted.clone()));
    let wrong: Evaluator = "Formula(\"1 / empty\")".parse().expect("any text is kept");
    let error = wrong
        .check(Size::FOUR)
        .expect_err("a divisor that may be 0")
        .to_string();
    assert_eq!(
        error,
        "Formula, character 5: this may be 0, which cannot divide: write max(1, …) around it"
    );
}

#[test]
fn the_terms_of_a_formula_are_those_it_adds() {
    let sum = Evaluator::Formula(formula(
        "let k = 2; 270 * empty - (score + k * merges) * 3 + 1",
    ));
    let terms = sum.terms(&Board::empty(Size::FOUR), 10);
    let found: Vec<(&str, f64, f64)> = terms
        .iter()
        .map(|term| (term.label.as_str(), term.weight, term.value))
        .collect();
    assert_eq!(
        found,
        [
            ("empty", 270.0, 16.0),
            ("score", -3.0, 10.0),
            ("k * merges", -3.0, 0.0),
            ("1", 1.0, 1.0)
        ]
    );
}

#[test]
fn terms_are_told_as_they_are_written() {
    let terms_of = |text: &str| -> Vec<(f64, String)> {
        let terms = Evaluator::Formula(formula(text)).terms(&Board::empty(Size::FOUR), 10);
        terms
            .into_iter()
            .map(|term| (term.weight, term.label))
            .collect()
    };
    let term = |weight: f64, label: &str| (weight, label.to_owned());
    assert_eq!(
        terms_of("- empty / 2 + score"),
        [term(1.0, "- empty / 2"), term(1.0, "score")]
    );
    assert_eq!(
        terms_of("let k = 2; - empty + score"),
        [term(-1.0, "empty"), term(1.0, "score")]
    );
    assert_eq!(
        terms_of("-\u{a0}empty + score"),
        [term(-1.0, "empty"), term(1.0, "score")]
    );
    let inner = [term(1.0, "(let a = 2; a * empty)"), term(1.0, "score")];
    assert_eq!(terms_of("(let a = 2; a * empty) + score"), inner);
    for whole in [
        "(let b = 2; b * empty + score)".to_owned(),
        format!("empty{}", " + score".repeat(64)),
    ] {
        assert_eq!(terms_of(&whole).len(), 1, "{whole}");
    }
    assert_eq!(
        terms_of(&format!("empty{}", " + score".repeat(63))).len(),
        64
    );
}

/// Steps for one 4x4 board: as written, of its lines, of the rest.
fn steps_of(formula: &Formula) -> [u64; 3] {
    let program = formula.0.read.as_ref().expect("a formula");
    let steps = |node: &Node| bounds::steps(node, Size::FOUR).expect("on boards of 4x4");
    let rest = program.split.rest.iter().map(|(_, node)| steps(node)).sum();
    [steps(&program.whole), program.split.line_steps(), rest]
}

#[test]
fn taken_apart_a_formula_takes_about_as_many_steps_as_it_is_written() {
    // Over 60,000 steps, with a different number for each use of its name.
    let heavy = "sum(cells, a -> sum(cells, b -> sum(cells, c -> a.rank * b.rank + c.rank + a.row + b.row)))";
    let uses = |name: &str| {
        (1..200)
            .map(|weight| format!(" + {weight} * {name}"))
            .collect::<String>()
    };
    let squares = (1..100)
        .map(|weight| format!(" - {weight} * m * m"))
        .collect::<String>();
    let texts = [
        format!("let m = {heavy}; empty{}", uses("m")),
        format!(
            "let m = {heavy}; let n = m + empty; merges{} {squares}",
            uses("n")
        ),
        format!("empty + (let m = {heavy} + score; m{})", uses("m")),
        format!(
            "let l = empty + merges; let m = l * l; l{}{squares}",
            uses("m")
        ),
    ];

    for text in texts {
        let formula = formula(&text);
        let [whole, lines, rest] = steps_of(&formula);
        assert!(
            rest <= 2 * whole && lines <= Formula::MOST_LINE_STEPS,
            "{text:.60}: {lines} and {rest} of {whole}"
        );
        assert!(formula.has_rest());
        let board = Grid::empty(Size::FOUR);
        let compiled = Evaluator::Formula(formula.clone()).compile(&NoFiles);
        assert_close(compiled.value(board, 8), formula.evaluate(&board, 8), &text);
    }

    // Only lines, however often they are named.
    let by_lines = formula(&format!("let l = empty + merges; l{}", uses("l")));
    assert!(by_lines.is_by_lines() && steps_of(&by_lines)[1] < 400);
}

#[test]
fn lines_of_many_steps_are_counted_out_on_the_board() {
    let line = |sum: &str| format!("sum(lines, x -> sum(x, c -> {sum}))");
    let long = formula(&line(&format!("c.rank{}", " + c.rank".repeat(200))));
    let short = formula(&line("c.rank + c.rank"));
    assert!(!long.is_by_lines() && Formula::MOST_LINE_STEPS < steps_of(&long)[0]);
    assert!(short.is_by_lines());
}
