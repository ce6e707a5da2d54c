//! Texts of the engine and the command line.

use std::sync::LazyLock;

use afterstate::evaluator::{EXAMPLES, Evaluate as _, Evaluator, Formula, NoFiles};
use afterstate::game::{Board, Cell, Imported, Move, Record, Rules, Size};
use afterstate::learning::Training;
use afterstate::preset::{Item as _, PositionSet, Preset, Shipped, TextKind};
use afterstate::search::{Lookahead, Query, SearchOptions, Tree};
use afterstate::strategy::{Decision, Player, Strategy, compositions};
use afterstate::task::CancelToken;

use crate::mutate::fuzz;

pub(crate) const BOARDS: &[&str] = &[
    "2,0,0,4/0,8,0,0/0,0,0,0/0,0,16,2",
    "g002030000000041",
    "[[2, 0, 0, 4], [0, 8, None, 0], [0, 0, 0, 0], [0, 0, 16.0, 1k]]",
    "| 2 | | 4 |\n|---|---|---|\n| 8 | 16 | |",
    "2\t\t4\n8\t16\t2",
    "2 0 0 4 0 8 0 0 0 0 0 0 0 0 16 2",
    "2 . . 4\n. 8 . .\n. . . .\n. . 16 2",
    "131072,65536/0,2",
    "2,4,8,16,32/0,0,0,0,0/2,2,2,2,2/0,0,0,0,67108864/4,4,4,4,4",
];

pub(crate) const STRATEGIES: &[&str] = &[
    "emr",
    "Strategy(name: \"a\", note: \"b\", criteria: [(evaluator: Empty, tolerance: 2.0, prefer: Lower, off: true)], last_resort: Random)",
    "(criteria: [(evaluator: Sum([(1.0, Score), (-0.5, Product(Empty, Weights(\"a\")))]), lookahead: Expectimax(plies: ByEmpty([(8, 3), (0, 5)]), spawn: MinCell, dead: Zero, cuts: [Reach(0.001), ImportantCells(k: 2)]))])",
    "(criteria: [(evaluator: Lines(empty: 1.5, merges: 3, fixed: -100), lookahead: Minimax(plies: ByDistinct(offset: -1, at_most: 3), cuts: [AlphaBeta], nodes: 500))], parent: Some(\"0123456789abcdef\"))",
    "(criteria: [(evaluator: Weights([1.0, 2.0, 3.0, 4.0]), lookahead: Expectimax(time_ms: 5))], last_resort: Priority([Up, Left, Right, Down]))",
];

pub(crate) const RECORDS: &[&str] = &[
    "afterstate game record 1\nsize: 2x2\np4: 0.1\nseed: 3\ngame: 1\nstrategy: Strategy(criteria: [(evaluator: Empty)])\nstart: 2,0/0,2\nscore: 8\n\n1 up 2 r2c1\n2 left 4 r2c1\n",
    "afterstate game record 1\r\nsize: 3x4\r\np4: 1\r\nstop_at: 64\r\nstart: 4,0,4,0/0,0,0,0/0,0,0,0\r\n\r\n1 left 4 r3c4\r\n",
];

const GAMES: &[&str] = &[
    "4x4-0_00000k001",
    "replay  !5#",
    "replay 3x3 !5#",
    "replay  !5#\n55 !5",
    "2,2/0,0\n4,0/2,0\n2,0/4,2\n",
    "# mine\n2,0,0,4/0,8,0,0/0,0,0,0/0,0,16,2\n1. left 2 r1c4\n2. up 4 r4c4\n",
    "2,2/0,0\n3 2 r2c1\n0 2 r2c2\nu 2 r2c1\n",
    "Move #0, current score=8\n2 .\n2 .\n\nMove #1, current score=12\n4 .\n2 .\n",
    "{\"score\": 4, \"moves\": [{\"board\": [2, 2, 0, 0], \"action\": 3, \"reward\": 4}, {\"board\": [[4, 0], [2, null]]}]}",
    "{\"boards\": [\"2 2/0 0\", \"4 0/2 0\"], \"actions\": [\"left\"]}\n",
    "game,board,action,score\n1,2 2/0 0,left,0\n1,4 0/2 0,,4\n",
    "r1c1;r1c2;r2c1;r2c2;action\n2;2;;;3\n4;0;2;0;\n",
];

pub(crate) const PRESETS: &[&str] = &[
    "(version: 1, title: \"t\", note: \"n\", rules: (size: \"3x3\", p4: 0.25, stop_at: 64), seed: 1, games: 10, strategies: [(strategy: (criteria: [(evaluator: Empty)]), published: (mean: 1093.87, sd: 539.75, reach: {128: 0.5}, games: 1000, source: \"s\"))])",
    "Preset(version: 1, seed: 1, games: 1, strategies: [(strategy: \"emr\"), (strategy: (name: \"b\"), other: {1: [(), 'c', 0x1F]})], more: Some(1.5))",
];

pub(crate) const POSITIONS: &[&str] = &[
    "Positions(version: 1, title: \"t\", positions: [(board: \"2,0,0,4/0,8,0,0/0,0,0,0/0,0,16,2\", score: 12, group: Opening, note: \"n\"), (board: \"2,2/4,4\")])",
];

fn is_read_back<T: PartialEq + std::fmt::Debug, E: std::fmt::Debug>(
    again: Result<T, E>,
    value: &T,
    written: &str,
) {
    match again {
        // What is not a number differs from itself and is refused later.
        Ok(again) => assert!(
            again == *value || format!("{again:?}") == format!("{value:?}"),
            "{again:?}: {written}"
        ),
        Err(error) => panic!("{error:?}: {written}"),
    }
}

fn sentence(error: impl std::fmt::Display) -> String {
    let text = error.to_string();
    assert!(!text.is_empty(), "a refusal says something");
    text
}

#[test]
fn boards() {
    fuzz(BOARDS, |text| {
        let board: Board = text.parse().map_err(sentence)?;
        let _ = Rules {
            size: board.size(),
            ..Rules::default()
        }
        .check_board(&board);
        let after = Move::ALL
            .into_iter()
            .filter_map(|mv| board.slide(mv))
            .map(|slide| slide.after.board());
        for board in [board].into_iter().chain(after) {
            is_read_back(board.to_string().parse(), &board, &board.to_string());
            is_read_back(board.drawing().parse(), &board, &board.drawing());
        }
        Ok(())
    });
}

#[test]
fn sizes_cells_and_moves() {
    fuzz(&["4x4", "2×5", "r1c4", "r5c1", "left", "UP"], |text| {
        if let Ok(size) = text.parse::<Size>() {
            is_read_back(size.to_string().parse(), &size, text);
            return Ok(());
        }
        if let Ok(cell) = text.parse::<Cell>() {
            is_read_back(cell.to_string().parse(), &cell, text);
            return Ok(());
        }
        let mv: Move = text.parse().map_err(sentence)?;
        is_read_back(mv.to_string().parse(), &mv, text);
        Ok(())
    });
}

#[test]
fn records() {
    fuzz(RECORDS, |text| {
        let record: Record = text.parse().map_err(sentence)?;
        assert_eq!(record.replay().len(), record.steps.len() + 1);
        is_read_back(record.to_string().parse(), &record, &record.to_string());
        Ok(())
    });
}

#[test]
fn games_of_other_programs() {
    fuzz(GAMES, |text| {
        let game = Imported::read(text.as_bytes()).map_err(sentence)?;
        assert_eq!(game.record.replay().len(), game.record.steps.len() + 1);
        is_read_back(
            game.record.to_string().parse(),
            &game.record,
            &game.record.to_string(),
        );
        Ok(())
    });
}

#[test]
fn letters() {
    fuzz(&["emr", "gumer", "r", "megu"], |text| {
        if text.chars().count() <= 6 {
            let _ = compositions(text).map_err(sentence);
        }
        let strategy = Strategy::from_letters(text).map_err(sentence)?;
        assert_eq!(strategy.letters().as_deref(), Some(text));
        is_read_back(strategy.to_string().parse(), &strategy, text);
        Ok(())
    });
}

#[test]
fn strategies() {
    fuzz(STRATEGIES, |text| {
        let strategy: Strategy = text.parse().map_err(sentence)?;
        is_read_back(
            strategy.to_string().parse(),
            &strategy,
            &strategy.to_string(),
        );
        is_read_back(strategy.pretty().parse(), &strategy, &strategy.pretty());
        assert!(
            !strategy.label().contains(char::is_control),
            "{:?}",
            strategy.label()
        );
        for size in Size::all() {
            match strategy.check(size) {
                Ok(()) => strategy
                    .lint(size)
                    .iter()
                    .for_each(|warning| drop(sentence(warning))),
                Err(error) => drop(sentence(error)),
            }
        }
        Ok(())
    });
}

#[test]
fn evaluators_and_lookaheads() {
    let seeds = [
        "Sum([(1.0, Score), (50.0, Empty)])",
        "Product(Inert, Lines(empty: 2))",
        "Weights(\"c\")",
        "Formula(\"270 * empty + sum(lines, x -> max(x, c -> c.rank))\")",
        "Expectimax(plies: Fixed(5), cuts: [Reach(0.01)])",
        "Minimax(plies: Fixed(4), cuts: [AlphaBeta])",
        "OnePly",
    ];
    fuzz(&seeds, |text| {
        if let Ok(lookahead) = text.parse::<Lookahead>() {
            is_read_back(lookahead.to_string().parse(), &lookahead, text);
            return Ok(());
        }
        let evaluator: Evaluator = text.parse().map_err(sentence)?;
        is_read_back(
            evaluator.to_string().parse(),
            &evaluator,
            &evaluator.to_string(),
        );
        let board: Board = BOARDS[0].parse().expect("a board");
        if evaluator.check(board.size()).is_ok() {
            assert!(evaluator.evaluate(&board, 12).is_finite(), "{evaluator}");
        }
        Ok(())
    });
}

/// Whatever is typed is told to be wrong with a place in it, or is a number within its bounds on every board.
#[test]
fn formulas() {
    let seeds: Vec<&str> = EXAMPLES.iter().map(|example| example.text).chain([
        "let k = 2; sum(filter(cells, c -> c.rank > k), c -> c.rank ^ 1.5) / max(1, count(tiles)) % 7",
        "min(rows[1][-1].tile, 3) - max(columns, x -> mean(x.tiles.pairs, (a, b) -> a.rank - b.rank)) and not any(cells, c -> c.empty)",
        "if(score >= 2e3 or empty != 4, log2(max(1, score)), -sqrt(empty)) * product(lines, x -> 1 + merges(x) / 8)",
        "sum(turns, [1, 2, 3, 4], (b, w) -> w * max(b.cells, c -> c.row * c.tile)) # remark",
    ]).collect();
    fuzz(&seeds, |text| {
        let formula = Formula::new(text);
        let compiled = Evaluator::Formula(formula.clone()).compile(&NoFiles);
        let mut refused = None;
        for board in BOARDS {
            let board: Board = board.parse().expect("a board");
            match formula.range(board.size()) {
                Err(error) => {
                    assert!(error.bytes().start <= text.len(), "{error} of {text:?}");
                    refused = Some(sentence(error));
                }
                Ok([low, high]) => {
                    let value = formula.evaluate(&board.to_grid(), 12);
                    assert!(
                        low <= value && value <= high,
                        "{value} is not between {low} and {high}: {text:?}"
                    );
                    let other = compiled.value(board.to_grid(), 12);
                    let tolerance = 1e-6 * value.abs().max(low.abs()).max(high.abs()).max(1.0);
                    assert!(
                        (value - other).abs() <= tolerance,
                        "{value} and {other}: {text:?} on {board}"
                    );
                }
            }
        }
        refused.map_or(Ok(()), Err)
    });
}

#[test]
fn presets() {
    let shipped = [Shipped::ALL[0].text, PRESETS[0], PRESETS[1]];
    fuzz(&shipped, |text| {
        let preset = Preset::from_text(text).map_err(sentence)?;
        is_read_back(
            Preset::from_text(&preset.to_text()),
            &preset,
            &preset.to_text(),
        );
        assert_eq!(preset.check(), [], "what is read can run: {text}");
        preset
            .lint()
            .iter()
            .for_each(|warning| drop(sentence(warning)));
        Ok(())
    });
}

#[test]
fn sets_of_positions() {
    fuzz(POSITIONS, |text| {
        let set = PositionSet::from_text(text).map_err(sentence)?;
        is_read_back(PositionSet::from_text(&set.to_text()), &set, &set.to_text());
        Ok(())
    });
}

const TRAININGS: &[&str] = &[
    include_str!("../../presets/trainings/train-4x5.ron"),
    "Training(title: \"t\", note: \"n\", network: (tuples: \"012 345\", size: (rows: 3, cols: 3)), games: 10, lambda: 0.5, steps: 3)",
];

fn training(text: &str) -> Result<Training, String> {
    afterstate::learning::shipped::read(text).map_err(|mistake| mistake.to_string())
}

#[test]
fn trainings() {
    fuzz(TRAININGS, |text| {
        let read = training(text)?;
        let _ = (read.problems(), read.memory(), read.network.label());
        Ok(())
    });
}

#[test]
fn kinds_of_texts() {
    let seeds: Vec<&str> = [BOARDS, STRATEGIES, RECORDS, PRESETS, POSITIONS, TRAININGS].concat();
    fuzz(&seeds, |text| {
        let kind = TextKind::of(text);
        assert_eq!(
            TextKind::of(&format!(" \n{text}\n")),
            kind,
            "blanks around it mean nothing"
        );
        // Whoever reads it as another kind is refused, but for what a strategy without a name may be.
        let is_read = match kind {
            TextKind::Record => text.trim().parse::<Record>().is_ok(),
            TextKind::Imported => Imported::read_text(text.trim()).is_ok(),
            TextKind::Positions => PositionSet::from_text(text).is_ok(),
            TextKind::Preset => Preset::from_text(text).is_ok(),
            TextKind::Strategy => text.parse::<Strategy>().is_ok(),
            TextKind::Board => text.parse::<Board>().is_ok(),
            TextKind::Training => training(text).is_ok(),
            TextKind::Results
            | TextKind::Tree
            | TextKind::Tuning
            | TextKind::Json
            | TextKind::Unknown => {
                assert!(
                    text.parse::<Board>().is_err() && text.parse::<Strategy>().is_err(),
                    "{text:?}"
                );
                false
            }
        };
        if is_read {
            Ok(())
        } else {
            Err(format!("{kind:?}"))
        }
    });
}

/// A record with every kind of node.
static TREE: LazyLock<Tree> = LazyLock::new(|| {
    let rows = "(criteria: [(evaluator: Weights(\"c\"), lookahead: Minimax(plies: Fixed(3), cuts: [AlphaBeta, ImportantCells(k: 2)]))])";
    let strategy: Strategy = rows.parse().expect("a strategy");
    let board: Board = "2,4,8,16/0,8,2,32/4,2,4,64/2,16,2,128"
        .parse()
        .expect("a board");
    let player = Player::new(&strategy, Rules::default());
    let decision = Decision::of(
        &player,
        (&board, 0),
        |_| 0,
        SearchOptions::default(),
        1 << 16,
    );
    let searched = decision
        .searches
        .into_iter()
        .next()
        .flatten()
        .expect("searched");
    std::sync::Arc::unwrap_or_clone(searched.tree.expect("a tree"))
});

#[test]
fn conditions_on_nodes() {
    let seeds = [
        "kind:cut depth>=3 reach<0.01 -move:left",
        "value:812.4 how:alpha_beta|table tile=4",
        "p>=10% value:-2..5,7 !bound!=exact id<=30",
        "evaluation>1e3 cell:r1c4",
    ];
    fuzz(&seeds, |text| {
        for cursor in [0, text.len() / 2, text.len()] {
            for completion in Query::completions(text, cursor) {
                assert!(
                    text.get(completion.replaces.clone()).is_some(),
                    "{completion:?} of {text:?}"
                );
            }
        }
        let found = |text: &str| Ok(TREE.find(&text.parse::<Query>()?, &CancelToken::new()));
        match found(text) {
            Err::<Vec<_>, afterstate::search::QueryError>(error) => {
                assert!(
                    text.get(error.at.clone()).is_some(),
                    "{error:?} of {text:?}"
                );
                Err(sentence(error))
            }
            Ok(nodes) => {
                let term = text.trim();
                if !term.is_empty()
                    && !term.contains(char::is_whitespace)
                    && !term.starts_with(['-', '!'])
                {
                    let others = found(&format!("-{term}")).expect("a term can be turned round");
                    assert_eq!(nodes.len() + others.len(), TREE.kept(), "{text:?}");
                    assert!(nodes.iter().all(|node| !others.contains(node)), "{text:?}");
                }
                Ok(())
            }
        }
    });
}
