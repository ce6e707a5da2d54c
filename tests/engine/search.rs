//! Searches agree with a plain recursion over boards, written here from the definition alone.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use afterstate::evaluator::{Evaluator, NoFiles};
use afterstate::experiment::Play;
use afterstate::game::{
    Board, ByMove, Cell, Move, Position as _, Rank, Rows, Rules, Seed, Size, Slides as _,
};
use afterstate::search::{
    Bound, Cut, Dead, End, Lookahead, NodeKind, Objective, PlayFrom, PlayOn, PlayedOn, Recorder,
    Root, Search, SearchOptions, SearchResult, SpawnValue, Table, TreeFormat,
};
use afterstate::strategy::{Criterion, Decision, GameTrace, LastResort, Player, Strategy};
use afterstate::task::CancelToken;

/// The definition: no cache, no cuts beyond the definition, no packed boards.
struct Plain<'a> {
    evaluator: &'a Evaluator,
    spawn: SpawnValue,
    dead: Dead,
    threshold: f64,
    important: Option<(u32, Vec<f64>)>,
    worst: bool,
    p4: f64,
}

impl<'a> Plain<'a> {
    fn new(evaluator: &'a Evaluator, lookahead: &Lookahead, p4: f64) -> Self {
        let (spawn, dead) = match lookahead {
            Lookahead::OnePly | Lookahead::Sampled(_) => (SpawnValue::Mean, Dead::Evaluate),
            Lookahead::DepthLimited(search) => (search.spawn, search.dead),
        };
        let mut plain = Self {
            evaluator,
            spawn,
            dead,
            threshold: 0.0,
            important: None,
            worst: false,
            p4,
        };
        for cut in lookahead.cuts() {
            match cut {
                Cut::AlphaBeta => {}
                Cut::Reach(threshold) => plain.threshold = *threshold,
                Cut::ImportantCells { k, weights } => {
                    plain.important = Some((*k, weights.values().to_vec()));
                }
                Cut::WorstSpawns => plain.worst = true,
            }
        }
        plain
    }

    fn player(&self, board: &Board, score: u64, plies: u32, reach: f64) -> f64 {
        if plies == 0 {
            return self.evaluator.evaluate(board, score);
        }
        let slides: Vec<_> = Move::ALL
            .into_iter()
            .filter_map(|mv| board.slide(mv))
            .collect();
        if slides.is_empty() {
            return match self.dead {
                Dead::Evaluate => self.evaluator.evaluate(board, score),
                Dead::Zero => 0.0,
                Dead::Lost => -10_000.0,
            };
        }

        let floor = if self.dead == Dead::Zero {
            0.0
        } else {
            f64::NEG_INFINITY
        };
        slides
            .iter()
            .map(|slide| {
                self.chance(
                    &slide.after.board(),
                    score + u64::from(slide.reward),
                    plies - 1,
                    reach,
                )
            })
            .fold(floor, f64::max)
    }

    fn chance(&self, board: &Board, score: u64, plies: u32, reach: f64) -> f64 {
        if plies == 0 || reach < self.threshold {
            return self.evaluator.evaluate(board, score);
        }

        let mut cells = board.empty_cells();
        if let Some((k, weights)) = &self.important {
            let weight = |cell: &Cell| {
                weights[usize::from(cell.row) * board.size().cols() + usize::from(cell.col)]
            };
            cells.sort_by(|a, b| weight(b).total_cmp(&weight(a)));
            cells.truncate(plies.div_ceil(2).min(*k) as usize);
        }

        let count = cells.len() as f64;
        let spawns = cells.iter().flat_map(|&cell| {
            let tiles = [(Rank::TWO, 1.0 - self.p4), (Rank::FOUR, self.p4)];
            tiles
                .into_iter()
                .filter(|(_, chance)| 0.0 < *chance)
                .map(move |(rank, _)| board.with(cell, rank))
        });
        let worst = spawns
            .clone()
            .map(|board| harm(&board))
            .fold(f64::NEG_INFINITY, f64::max);
        let mut means = Vec::new();
        let mut least = f64::INFINITY;
        let mut least_of = BTreeMap::<u8, (f64, f64)>::new();
        for cell in cells {
            let mut mean = 0.0;
            for (rank, probability) in [(Rank::TWO, 1.0 - self.p4), (Rank::FOUR, self.p4)] {
                let is_considered = !self.worst || harm(&board.with(cell, rank)) == worst;
                if 0.0 < probability && is_considered {
                    let reach = reach * probability / count;
                    let value = self.player(&board.with(cell, rank), score, plies - 1, reach);
                    mean += probability * value;
                    least = least.min(value);
                    let of_tile = least_of.entry(rank.get()).or_insert((probability, value));
                    of_tile.1 = of_tile.1.min(value);
                }
            }
            means.push(mean);
        }

        match self.spawn {
            SpawnValue::Mean => means.iter().sum::<f64>() / count,
            SpawnValue::Sum => means.iter().sum(),
            SpawnValue::MinCell => means.into_iter().fold(f64::INFINITY, f64::min),
            SpawnValue::MeanOfMin => least_of
                .into_values()
                .map(|(probability, least)| probability * least)
                .sum(),
            SpawnValue::Min => least,
        }
    }
}

/// Islands less smoothness, as ovolve's program counts them.
fn harm(board: &Board) -> f64 {
    let tiles: Vec<(Cell, Rank)> = board.cells().filter(|(_, rank)| !rank.is_empty()).collect();
    let mut island: Vec<usize> = (0..tiles.len()).collect();
    for _ in &tiles {
        for (one, (a, of_a)) in tiles.iter().enumerate() {
            for (other, (b, of_b)) in tiles.iter().enumerate() {
                if of_a == of_b && a.row.abs_diff(b.row) + a.col.abs_diff(b.col) == 1 {
                    island[one] = island[one].min(island[other]);
                }
            }
        }
    }
    let islands: BTreeSet<usize> = island.into_iter().collect();
    islands.len() as f64 - Evaluator::RankSmoothness.evaluate(board, 0)
}

pub(crate) fn strategy(evaluator: &str, lookahead: &str) -> Strategy {
    let criterion = Criterion {
        lookahead: lookahead.parse().expect(lookahead),
        ..Criterion::one_ply(evaluator.parse().expect(evaluator))
    };
    Strategy {
        criteria: vec![criterion],
        last_resort: LastResort::First,
        ..Strategy::default()
    }
}

/// Positions of real games: openings, crowded boards, boards near death, and boards with larger tiles in place of
/// smaller ones.
pub(crate) fn corpus(size: Size, every: usize) -> Vec<(Board, u64)> {
    let rules = Rules {
        size,
        ..Rules::default()
    };
    let emr: Strategy = "emr".parse().expect("letters");
    let player = Player::new(&emr, rules);
    let mut positions = Vec::new();
    for game in 0..3 {
        let moments =
            GameTrace::record(&player, Seed(77), game, &emr, SearchOptions::default()).replay();
        let chosen = moments
            .iter()
            .step_by(every)
            .chain(moments.iter().rev().take(3));
        positions.extend(chosen.map(|moment| (moment.board, moment.score)));
    }

    let raised: Vec<_> = positions
        .iter()
        .step_by(3)
        .map(|(board, score)| {
            let raise = |rank: Rank| match rank.get() {
                0..=2 => rank,
                // The largest become 32768, 65536 and 131072, so that merges exceed four bits.
                _ => Rank::new(rank.get() + (17_u8.saturating_sub(board.max_rank().get())))
                    .expect("at most 17"),
            };
            let raised = board
                .cells()
                .fold(*board, |board, (cell, rank)| board.with(cell, raise(rank)));
            (raised, score + 1_000_000)
        })
        .collect();

    positions.extend(raised);
    positions
}

pub(crate) const LOOKAHEADS: &[&str] = &[
    "Expectimax(plies: Fixed(1))",
    "Expectimax(plies: Fixed(2))",
    "Expectimax(plies: Fixed(3))",
    "Expectimax(plies: Fixed(4))",
    "Expectimax(plies: Fixed(3), dead: Zero)",
    "Expectimax(plies: Fixed(4), dead: Zero)",
    "Expectimax(plies: Fixed(3), spawn: Sum)",
    "Expectimax(plies: Fixed(4), spawn: Sum, dead: Zero)",
    "Expectimax(plies: Fixed(4), spawn: MinCell)",
    "Expectimax(plies: Fixed(4), spawn: MeanOfMin)",
    "Expectimax(plies: Fixed(3), spawn: MinCell, dead: Zero)",
    "Expectimax(plies: Fixed(5), spawn: MeanOfMin, dead: Zero, cuts: [Reach(0.01)])",
    "Expectimax(plies: Fixed(4), spawn: MeanOfMin, cuts: [ImportantCells(k: 4)])",
    "Expectimax(plies: Fixed(5), cuts: [Reach(0.01)])",
    "Expectimax(plies: Fixed(5), dead: Zero, cuts: [Reach(0.0033)])",
    "Expectimax(plies: Fixed(4), cuts: [Reach(0.02)])",
    "Expectimax(plies: Fixed(5), cuts: [ImportantCells(k: 2)])",
    "Expectimax(plies: Fixed(4), spawn: MinCell, cuts: [ImportantCells(k: 4)])",
    "Minimax(plies: Fixed(1))",
    "Minimax(plies: Fixed(2))",
    "Minimax(plies: Fixed(3))",
    "Minimax(plies: Fixed(4))",
    "Minimax(plies: Fixed(3), dead: Zero)",
    "Minimax(plies: Fixed(4), cuts: [Reach(0.02)])",
    "Minimax(plies: Fixed(5), cuts: [ImportantCells(k: 2)])",
    "Minimax(plies: Fixed(4), cuts: [WorstSpawns])",
    "Minimax(plies: Fixed(5), dead: Lost, cuts: [WorstSpawns])",
];

const EVALUATORS: &[&str] = &[
    "Score",
    "Empty",
    "Uniformity",
    "Monotonicity",
    "Difference",
    "DifferenceOfTiles",
    "MaxTile",
    "Corner",
    "Edges",
    "Sum([(0.3, Edges), (1.0, Empty), (0.7, RankSmoothness)])",
    "Snake",
    "Lines()",
    "Lines(empty: 12.5, merges: 3, fixed: -100, sum_power: 2)",
    "MonotoneSum",
    "SmoothnessPrinted",
    "CornerBonus",
    "Sum([(0.1, RankSmoothness), (1.0, RankMonotonicity), (2.7, LogEmpty), (1.0, MaxRank), (10000.0, HasTile(64))])",
    "Weights(\"c\")",
    "Product(Score, Weights(\"a\"))",
    "Sum([(1.0, Score), (50.0, Empty), (10.0, MonotoneSum), (5.0, SmoothnessPrinted), (10.0, CornerBonus)])",
    "Sum([(-1.0, Uniformity), (0.37, Weights(\"b\"))])",
    "Sum([(0.25, Score), (1.0, Corner)])",
    "Sum([(2.0, Lines()), (1.0, MonotoneSum)])",
    "Formula(\"score + 270 * empty + sum(lines, x -> max(x, c -> c.rank))\")",
    "Formula(\"max(turns, b -> sum(b.rows[1], c -> c.tile)) - 3 * empty\")",
];

#[test]
fn every_root_value_is_that_of_the_plain_recursion() {
    let positions = corpus(Size::FOUR, 25);
    let mut compared = 0;
    for (number, evaluator) in EVALUATORS.iter().enumerate() {
        for (other, lookahead) in LOOKAHEADS.iter().enumerate() {
            let strategy = strategy(evaluator, lookahead);
            let rules = Rules {
                p4: [0.1, 0.2, 0.0, 1.0][(number + other) % 4],
                ..Rules::default()
            };
            let player = Player::new(&strategy, rules);
            // Each pair gets its own part of the corpus.
            for (board, score) in positions.iter().skip((number + 3 * other) % 31).step_by(31) {
                compared += compare(&strategy, &player, board, *score);
            }
        }
    }
    assert!(1500 < compared, "{compared}");
}

#[test]
fn every_size_is_searched_by_the_same_definition() {
    let mut compared = 0;
    for size in Size::all() {
        let positions = corpus(size, if size.cells() < 9 { 3 } else { 40 });
        for (number, evaluator) in EVALUATORS.iter().enumerate() {
            let lookaheads = [
                "Expectimax(plies: Fixed(3))",
                "Expectimax(plies: Fixed(2), spawn: Sum, dead: Zero)",
                "Minimax(plies: Fixed(3))",
            ];
            let strategy = strategy(evaluator, lookaheads[number % 3]);
            if strategy.check(size).is_err() {
                continue;
            }
            let player = Player::new(
                &strategy,
                Rules {
                    size,
                    ..Rules::default()
                },
            );
            for (board, score) in positions.iter().skip(number % 5).step_by(5).take(6) {
                compared += compare(&strategy, &player, board, *score);
            }
        }
    }
    assert!(3000 < compared, "{compared}");
}

#[test]
fn minimax_expects_no_tile_that_cannot_come() {
    let board: Board = "8,0,2/32,32,8/4,8,2".parse().expect("a board");
    let strategy = strategy("Score", "Minimax(plies: Fixed(3), dead: Zero)");
    let value = |p4| {
        let player = Player::new(
            &strategy,
            Rules {
                size: board.size(),
                p4,
                ..Rules::default()
            },
        );
        Decision::now(&player, &board, 0, |_| 0).moves[Move::Left]
            .as_ref()
            .and_then(|left| left.values[0])
    };
    assert_eq!((value(0.0), value(0.1)), (Some(84.0), Some(80.0)));
}

#[test]
fn tiles_that_never_come_are_left_out_of_every_search() {
    let lookaheads = [
        "Minimax(plies: Fixed(2))",
        "Minimax(plies: Fixed(3), dead: Zero)",
        "Minimax(plies: Fixed(4), cuts: [AlphaBeta])",
        "Minimax(plies: Fixed(4), cuts: [Reach(0.1)])",
        "Minimax(plies: Fixed(5), cuts: [ImportantCells(k: 2), AlphaBeta])",
        "Minimax(plies: Fixed(5), dead: Lost, cuts: [WorstSpawns, AlphaBeta])",
        "Expectimax(plies: Fixed(4), spawn: MinCell)",
        "Expectimax(plies: Fixed(4), spawn: MeanOfMin)",
        "Expectimax(plies: Fixed(5), cuts: [Reach(0.03)])",
        "Expectimax(plies: Fixed(4), cuts: [ImportantCells(k: 2)])",
    ];

    let mut compared = 0;
    for (number, lookahead) in lookaheads.iter().enumerate() {
        for evaluator in ["Score", "Lines()", "Snake", "Weights(\"c\")"] {
            let strategy = strategy(evaluator, lookahead);
            for (game, size) in ["4x4", "3x3", "4x4", "2x3"].into_iter().enumerate() {
                let size: Size = size.parse().expect("a size");
                if strategy.check(size).is_err() {
                    continue;
                }
                let p4 = [0.0, 1.0][(number + game) % 2];
                let player = Player::new(
                    &strategy,
                    Rules {
                        size,
                        p4,
                        ..Rules::default()
                    },
                );
                for index in 0..6 {
                    let board = random_board(size, 7 * number as u64 + 100 * game as u64 + index);
                    compared += compare(&strategy, &player, &board, 40);
                    assert_records_what_comes(&player, &board);
                }
            }
        }
    }

    assert!(1000 < compared, "{compared}");
}

/// A board with three of four cells filled, with tiles up to 64.
fn random_board(size: Size, number: u64) -> Board {
    let game = Seed(number).game(0);
    let cells = Board::empty(size).cells().map(|(cell, _)| cell);
    cells
        .enumerate()
        .fold(Board::empty(size), |board, (k, cell)| {
            let (is_empty, rank) = (
                game.place_draw(k as u32).is_multiple_of(4),
                game.value_draw(k as u32) % 6 + 1,
            );
            if is_empty {
                board
            } else {
                board.with(cell, Rank::new(rank as u8).expect("at most 6"))
            }
        })
}

/// Checks that the record is sound, counts what was searched and has no impossible tile.
fn assert_records_what_comes(player: &Player, board: &Board) {
    let decision = Decision::of(
        player,
        (board, 40),
        |_| 0,
        SearchOptions::default(),
        1 << 20,
    );
    let Some(searched) = decision.searches.first().and_then(Option::as_ref) else {
        return;
    };
    let tree = searched.tree.as_ref().expect("a tree");
    assert!(tree.check().is_sound(), "{board}: {:?}", tree.check());
    let stubs = tree.nodes().filter(|node| node.value.is_none()).count() as u64;
    assert_eq!(
        searched.nodes,
        tree.counts.total() - stubs + tree.elsewhere,
        "{board}"
    );
    for node in tree.nodes() {
        assert!(
            node.spawn()
                .is_none_or(|spawn| tree.chance(spawn.rank) != 0.0),
            "{board}: {node:?}"
        );
    }
}

/// One search of all legal moves, with a table or without; `None` if there is no choice to make.
fn search(
    evaluator: &str,
    lookahead: &str,
    position: (Board, u64),
    objective: Objective,
    cores: usize,
    table: Option<&Table>,
) -> Option<SearchResult> {
    search_into(
        evaluator,
        lookahead,
        position,
        objective,
        cores,
        table,
        &mut (),
    )
}

fn search_into<R: Recorder>(
    evaluator: &str,
    lookahead: &str,
    (board, score): (Board, u64),
    objective: Objective,
    cores: usize,
    table: Option<&Table>,
    recorder: &mut R,
) -> Option<SearchResult> {
    let rules = Rules {
        size: board.size(),
        ..Rules::default()
    };
    let search = Search::new(
        &evaluator.parse().expect(evaluator),
        &lookahead.parse().expect(lookahead),
        rules,
        &NoFiles,
    )?;
    let crossed = board.as_packed()?.crossed();
    let slides = crossed.slides(Rows::shared())?;
    if slides.legal().is_empty() {
        return None;
    }
    let stop = CancelToken::new();
    let options = SearchOptions::on_cores(&stop, cores);
    let (search, slides, moves) = (&search, &slides, slides.legal());
    Some(
        Root {
            search,
            board: crossed,
            slides,
            moves,
            score,
            objective,
            options,
            table,
            decides: false,
        }
        .search(recorder),
    )
}

const HIGHER: Objective = Objective {
    higher: true,
    tolerance: 0.0,
};

fn bits(values: &ByMove<f64>) -> [u64; 4] {
    values.as_array().map(f64::to_bits)
}

#[test]
fn no_value_depends_on_the_table_or_on_the_cores() {
    let (mut compared, mut saved) = (0, 0);
    for (evaluator, lookahead) in [
        ("Lines()", "Expectimax(plies: Fixed(5))"),
        (
            "Lines()",
            "Expectimax(plies: Fixed(7), dead: Zero, cuts: [Reach(0.001)])",
        ),
        (
            "Lines()",
            "Expectimax(plies: ByDistinct(at_most: 4), dead: Zero, cuts: [Reach(0.0007)])",
        ),
        ("Snake", "Expectimax(plies: Fixed(6), cuts: [Reach(0.003)])"),
        ("Score", "Expectimax(plies: Fixed(5), cuts: [Reach(0.002)])"),
        (
            "Weights(\"a\")",
            "Expectimax(plies: Fixed(7), cuts: [ImportantCells(k: 2)])",
        ),
        ("Corner", "Minimax(plies: Fixed(5), cuts: [Reach(0.002)])"),
        (
            "Product(Score, Weights(\"a\"))",
            "Expectimax(plies: Fixed(5), spawn: MinCell, cuts: [Reach(0.01)])",
        ),
    ] {
        let parsed: Lookahead = lookahead.parse().expect(lookahead);
        let made = Search::new(
            &evaluator.parse().expect(evaluator),
            &parsed,
            Rules::default(),
            &NoFiles,
        )
        .expect("a search");
        // Entries left in the table from earlier boards must not matter either.
        let used_table = made.table();
        for position in corpus(Size::FOUR, 40).into_iter().step_by(2) {
            let Some(plain) = search(evaluator, lookahead, position, HIGHER, 1, None) else {
                continue;
            };
            for (cores, table) in [(1, Some(&used_table)), (3, Some(&made.table())), (2, None)] {
                let found =
                    search(evaluator, lookahead, position, HIGHER, cores, table).expect("a search");
                assert_eq!(
                    bits(&found.values),
                    bits(&plain.values),
                    "{evaluator} {lookahead} on {}",
                    position.0
                );
                saved += usize::from(found.nodes < plain.nodes);
                compared += 1;
            }
        }
    }
    assert!(
        200 < compared && compared / 4 < saved,
        "{saved} of {compared}"
    );
}

#[test]
fn alpha_beta_decides_as_minimax_does_with_bounds_that_hold() {
    let (mut bounds, mut fewer, mut compared) = (0, 0, 0);
    for (evaluator, plies) in [
        ("Snake", 4),
        ("Score", 4),
        ("Empty", 5),
        ("Lines()", 4),
        ("Monotonicity", 3),
        ("Corner", 5),
        ("Weights(\"c\")", 4),
    ] {
        for (number, position) in corpus(Size::FOUR, 30).into_iter().enumerate().step_by(2) {
            let objective = Objective {
                higher: number % 3 != 0,
                tolerance: [0.0, 1.0, 40.0][number % 3],
            };
            let plain = format!("Minimax(plies: Fixed({plies}))");
            let cut = format!("Minimax(plies: Fixed({plies}), cuts: [AlphaBeta])");
            let Some(plain) = search(evaluator, &plain, position, objective, 1, None) else {
                continue;
            };
            let made = Search::new(
                &evaluator.parse().expect(evaluator),
                &cut.parse().expect("a search"),
                Rules::default(),
                &NoFiles,
            );
            let table = made.expect("a search").table();

            for table in [None, Some(&table)] {
                let found =
                    search(evaluator, &cut, position, objective, 2, table).expect("a search");
                let legal = position.0.legal_moves();
                let better = if objective.higher { f64::max } else { f64::min };
                let best = legal
                    .iter()
                    .map(|mv| plain.values[mv])
                    .reduce(better)
                    .expect("a move");
                for mv in legal {
                    let (value, truth) = (found.values[mv], plain.values[mv]);
                    let holds = match found.bounds[mv] {
                        Bound::Exact => value == truth,
                        Bound::Upper => truth <= value,
                        Bound::Lower => value <= truth,
                    };
                    assert!(
                        holds,
                        "{evaluator} on {}: {mv} {value} {:?} {truth}",
                        position.0, found.bounds[mv]
                    );
                    // Every value that the criterion may keep is exact; a value that is not exact is not kept.
                    let is_kept = (best - truth).abs() <= objective.tolerance;
                    assert!(
                        !is_kept || found.bounds[mv] == Bound::Exact,
                        "{evaluator} on {}: {mv}",
                        position.0
                    );
                    let looks_kept = (best - value).abs() <= objective.tolerance;
                    assert_eq!(looks_kept, is_kept, "{evaluator} on {}: {mv}", position.0);
                    bounds += usize::from(found.bounds[mv] != Bound::Exact);
                }
                fewer += usize::from(found.nodes < plain.nodes);
                compared += 1;
            }
        }
    }
    assert!(
        100 < bounds && compared / 2 < fewer,
        "{bounds} bounds, {fewer} of {compared} cheaper"
    );
}

#[test]
fn deepening_ends_at_the_depth_that_the_nodes_allow() {
    let position = corpus(Size::FOUR, 50)[3];
    let (mut deepest, mut last) = (0, 0);
    for nodes in [1, 100, 2_000, 60_000] {
        let lookahead = format!("Expectimax(nodes: {nodes})");
        let found = search("Lines()", &lookahead, position, HIGHER, 2, None).expect("a search");
        let fixed = format!("Expectimax(plies: Fixed({}))", found.plies);
        let same = search("Lines()", &fixed, position, HIGHER, 1, None).expect("a search");
        assert_eq!(bits(&found.values), bits(&same.values));
        assert!(!found.stopped && last < found.nodes);
        assert!(deepest <= found.plies);
        (deepest, last) = (found.plies, found.nodes);
    }
    assert!(3 < deepest, "{deepest}");
    let timed = search(
        "Lines()",
        "Expectimax(time_ms: 20)",
        position,
        HIGHER,
        1,
        None,
    )
    .expect("a search");
    assert!(2 < timed.plies && !timed.stopped);
}

/// A recorder that is slow once.
struct Slow(Duration);

impl Recorder for Slow {
    const ON: bool = true;

    fn close(&mut self, _end: End) {
        std::thread::sleep(std::mem::take(&mut self.0));
    }

    fn branch(&self) -> Self {
        Self(self.0)
    }
}

#[test]
fn the_record_takes_nothing_from_a_limit_in_time() {
    let position = corpus(Size::FOUR, 50)[3];
    let mut slow = Slow(Duration::from_millis(400));
    let found = search_into(
        "Lines()",
        "Expectimax(time_ms: 30)",
        position,
        HIGHER,
        2,
        None,
        &mut slow,
    );
    let found = found.expect("a search");
    assert!(2 < found.plies && !found.stopped, "{} plies", found.plies);
    // The time of its own search is not counted either.
    let took = found
        .as_played
        .expect("it was searched once more")
        .as_millis();
    assert!((30..400).contains(&took), "{took} ms");
    let fixed = format!("Expectimax(plies: Fixed({}))", found.plies);
    assert_eq!(
        bits(&found.values),
        bits(
            &search("Lines()", &fixed, position, HIGHER, 1, None)
                .expect("a search")
                .values
        )
    );
}

#[derive(Debug, Default)]
struct Counted(AtomicU64);

impl PlayOn for Counted {
    fn play_on(&self, from: &PlayFrom<'_>) -> PlayedOn {
        self.0.fetch_add(1, Ordering::Relaxed);
        PlayedOn {
            board: from.board,
            score: from.score,
            moves: 0,
        }
    }
}

#[test]
fn as_many_samples_are_recorded_as_a_game_draws_in_that_time() {
    let (board, score) = corpus(Size::FOUR, 50)[3];
    let board = board.as_packed().expect("it fits").crossed();
    let slides = board.slides(Rows::shared()).expect("it fits");

    for lookahead in [
        "MonteCarlo(time_ms: 5)",
        "Mcts(time_ms: 5)",
        "Mcts(tree: OpenLoop, time_ms: 5)",
    ] {
        let policy = Arc::new(Counted::default());
        let (evaluator, lookahead) = (
            "Snake".parse().expect("RON"),
            lookahead.parse().expect(lookahead),
        );
        let search = Search::sampling(
            &evaluator,
            &lookahead,
            Rules::default(),
            &NoFiles,
            policy.clone(),
        )
        .expect("samples");
        let (search, slides, moves, options) =
            (&search, &slides, slides.legal(), SearchOptions::default());
        let root = Root {
            search,
            board,
            slides,
            moves,
            score,
            objective: HIGHER,
            options,
            table: None,
            decides: false,
        };
        let found = root.search(&mut Slow(Duration::ZERO));
        let samples = found.playouts.expect("samples").total();
        assert_eq!(
            policy.0.load(Ordering::Relaxed),
            2 * samples,
            "{lookahead}: once for the clock, once for the record"
        );
    }
}

#[test]
fn a_search_that_is_asked_to_stop_ends_and_says_so() {
    let strategy = strategy("Lines()", "Expectimax(plies: Fixed(40))");
    let player = Player::new(&strategy, Rules::default());
    let (board, score) = corpus(Size::FOUR, 50)[2];
    let stop = CancelToken::new();
    std::thread::scope(|scope| {
        let search = scope.spawn(|| {
            player.decide(
                &board,
                score,
                |_| 0,
                SearchOptions::on_cores(&stop, 2),
                &mut (),
            )
        });
        std::thread::sleep(std::time::Duration::from_millis(30));
        stop.cancel();
        assert_eq!(search.join().expect("no panic"), None);
    });
    assert_eq!(player.play_told(Seed(1).game(0), &stop, &mut |_| {}), None);
}

/// Compares the values of all moves on a board; returns how many there were.
pub(crate) fn compare(strategy: &Strategy, player: &Player, board: &Board, score: u64) -> usize {
    let criterion = &strategy.criteria[0];
    let rules = player.rules();
    let plain = Plain::new(&criterion.evaluator, &criterion.lookahead, rules.p4);
    let decision = Decision::now(player, board, score, |_| 0);
    let legal = board.legal_moves();
    if legal.len() < 2 {
        return 0;
    }

    let plies = criterion
        .lookahead
        .plies()
        .map_or(1, |plies| plies.for_board(board));
    let mut best: Option<(Move, f64)> = None;
    for mv in legal {
        let slide = board.slide(mv).expect("legal");
        let expected = plain.chance(
            &slide.after.board(),
            score + u64::from(slide.reward),
            plies - 1,
            1.0,
        );
        let found = decision.moves[mv]
            .as_ref()
            .and_then(|candidate| candidate.values[0])
            .expect("a value");
        let slack = 1e-9 * expected.abs().max(1.0);
        let holds = match decision.bound(0, mv) {
            Bound::Exact => (found - expected).abs() <= slack,
            Bound::Upper => expected <= found + slack,
            Bound::Lower => found - slack <= expected,
        };
        assert!(
            holds,
            "{strategy} on {board} {mv}: {found}, plainly {expected}"
        );
        if best.is_none_or(|(_, value)| value + 1e-9 * value.abs() < expected) {
            best = Some((mv, expected));
        }
    }
    assert_eq!(
        decision.chosen,
        best.map(|(mv, _)| mv),
        "{strategy} on {board}"
    );

    legal.len()
}

/// A line of the file as a reader sees it.
struct Line {
    parent: Option<usize>,
    json: serde_json::Value,
    children: Vec<usize>,
}

/// The value of a node from the lines below it, by the simplest method, and its board from those above.
fn rebuilt(lines: &[Line], id: usize, spawn: SpawnValue, floor: f64, p4: f64) -> f64 {
    let json = &lines[id].json;
    let below = || {
        lines[id]
            .children
            .iter()
            .filter(|&&child| lines[child].json["how"]["by"] != "important_cells")
    };
    match json["kind"].as_str().expect("a kind") {
        "max" => below()
            .map(|&child| rebuilt(lines, child, spawn, floor, p4))
            .fold(floor, f64::max),
        "chance" | "min" => {
            let mut cells = BTreeMap::<String, f64>::new();
            let mut least_of = BTreeMap::<String, (f64, f64)>::new();
            let mut least = f64::INFINITY;
            for &child in below() {
                let new_tile = &lines[child].json["spawn"];
                let p = if new_tile["tile"] == 4 { p4 } else { 1.0 - p4 };
                let value = rebuilt(lines, child, spawn, floor, p4);
                *cells.entry(new_tile["cell"].to_string()).or_default() += p * value;
                least = least.min(value);
                let of_tile = least_of
                    .entry(new_tile["tile"].to_string())
                    .or_insert((p, value));
                of_tile.1 = of_tile.1.min(value);
            }
            match spawn {
                SpawnValue::Mean => cells.values().sum::<f64>() / cells.len() as f64,
                SpawnValue::Sum => cells.values().sum(),
                SpawnValue::MeanOfMin => least_of.into_values().map(|(p, least)| p * least).sum(),
                SpawnValue::MinCell => cells.into_values().fold(f64::INFINITY, f64::min),
                SpawnValue::Min => least,
            }
        }
        "cached" => match json["how"]["node"].as_u64() {
            Some(stored) => rebuilt(lines, stored as usize, spawn, floor, p4),
            None => panic!("the record is whole"),
        },
        _ => json["value"].as_f64().expect("evaluated"),
    }
}

#[test]
fn a_tree_read_from_its_file_gives_the_values_of_the_plain_recursion() {
    let positions = corpus(Size::FOUR, 60);
    let mut compared = 0;
    for (number, lookahead) in LOOKAHEADS.iter().enumerate() {
        let strategy = strategy("Sum([(1.0, Score), (50.0, Empty)])", lookahead);
        let criterion = &strategy.criteria[0];
        let player = Player::new(&strategy, Rules::default());
        let plain = Plain::new(&criterion.evaluator, &criterion.lookahead, 0.1);

        for (board, score) in positions.iter().skip(number % 5).step_by(5) {
            let order = SearchOptions::default();
            let decision = Decision::of(&player, (board, *score), |_| 0, order, 1 << 20);
            let Some(tree) = decision.searches[0]
                .as_ref()
                .and_then(|searched| searched.tree.clone())
            else {
                continue;
            };
            let mut file = Vec::new();
            tree.write(TreeFormat::Json, &mut file).expect("memory");
            let guess = tree.estimated_size(TreeFormat::Json) as usize;
            assert!(
                guess.abs_diff(file.len()) < file.len() / 10 + 200,
                "{guess} for {}",
                file.len()
            );

            let file = String::from_utf8(file).expect("UTF-8");
            let mut lines: Vec<Line> = Vec::new();
            for (id, line) in file.lines().enumerate() {
                let json: serde_json::Value = serde_json::from_str(line).expect("an object a line");
                assert_eq!(json["id"], id);
                let parent = json["parent"].as_u64().map(|parent| parent as usize);
                if let Some(parent) = parent {
                    lines[parent].children.push(id);
                }
                lines.push(Line {
                    parent,
                    json,
                    children: Vec::new(),
                });
            }
            assert!(
                lines[0].parent.is_none()
                    && lines[0].json["reach"] == 1.0
                    && lines[0].json["kind"] == "max"
            );
            assert_eq!(lines[0].json["board"], board.to_string());

            let plies = tree.subject().plies;
            for &child in &lines[0].children {
                let json = &lines[child].json;
                let mv: Move = json["move"]
                    .as_str()
                    .expect("a slide")
                    .parse()
                    .expect("a move");
                let slide = board.slide(mv).expect("legal");
                assert_eq!(json["board"], slide.after.board().to_string());
                let floor = if plain.dead == Dead::Zero {
                    0.0
                } else {
                    f64::NEG_INFINITY
                };
                let expected = plain.chance(
                    &slide.after.board(),
                    score + u64::from(slide.reward),
                    plies - 1,
                    1.0,
                );
                let found = rebuilt(&lines, child, plain.spawn, floor, 0.1);
                let close = (found - expected).abs() <= 1e-9 * expected.abs().max(1.0);
                assert!(
                    close,
                    "{strategy} on {board} {mv}: {found}, plainly {expected}"
                );
                compared += 1;
            }

            // Each board is its parent's with one more slide or one more tile.
            for line in &lines[1..] {
                let above: Board = lines[line.parent.expect("a parent")].json["board"]
                    .as_str()
                    .expect("text")
                    .parse()
                    .expect("a board");
                let here: Board = line.json["board"]
                    .as_str()
                    .expect("text")
                    .parse()
                    .expect("a board");
                let expected = match line.json["move"].as_str() {
                    Some(mv) => above
                        .slide(mv.parse().expect("a move"))
                        .expect("legal")
                        .after
                        .board(),
                    None => {
                        let at = |index: usize| {
                            line.json["spawn"]["cell"][index].as_u64().expect("from 0") as u8
                        };
                        let cell = Cell::new(at(0), at(1));
                        assert!(above.get(cell).is_empty());
                        above.with(
                            cell,
                            Rank::of_tile(line.json["spawn"]["tile"].as_u64().expect("a tile"))
                                .expect("2 or 4"),
                        )
                    }
                };
                assert_eq!(here, expected);
            }
        }
    }

    assert!(200 < compared, "{compared}");
}

#[test]
fn what_a_player_has_searched_adds_up() {
    for (evaluator, lookahead) in [
        ("Lines()", "Expectimax(plies: Fixed(3))"),
        (
            "Lines()",
            "Expectimax(plies: Fixed(7), dead: Zero, cuts: [Reach(0.003)])",
        ),
        ("Snake", "Expectimax(plies: Fixed(4))"),
        ("Corner", "Minimax(plies: Fixed(3))"),
    ] {
        let player = Player::new(&strategy(evaluator, lookahead), Rules::default());
        let (mut nodes, mut turns) = (0, 0);
        for (board, score) in corpus(Size::FOUR, 60) {
            let decision = Decision::now(&player, &board, score, |_| 0);
            for searched in decision.searches.iter().flatten() {
                nodes += searched.counts.total();
                turns += searched.counts.of(NodeKind::Max) + searched.counts.of(NodeKind::Dead);
            }
            assert_eq!(player.nodes(), nodes, "{evaluator} {lookahead} on {board}");
            assert_eq!(
                player.slides_tried(),
                4 * turns,
                "{evaluator} {lookahead} on {board}"
            );
        }
        assert!(1000 < turns);
    }
}

#[test]
fn a_game_of_a_search_with_a_node_limit_does_not_depend_on_the_games_before() {
    for (evaluator, lookahead) in [
        ("Score", "Minimax(nodes: 3000, cuts: [AlphaBeta])"),
        ("Corner", "Expectimax(nodes: 2000, cuts: [Reach(0.001)])"),
    ] {
        let strategy = strategy(evaluator, lookahead);
        let rules = Rules {
            stop_at: Rank::of_tile(256),
            ..Rules::default()
        };
        let fresh = |game: u64| {
            Player::new(&strategy, rules).play(
                &Seed(5).game(game),
                SearchOptions::default(),
                &mut (),
            )
        };
        let player = Player::new(&strategy, rules);
        for game in [2, 0, 3, 1] {
            assert_eq!(
                player.play(&Seed(5).game(game), SearchOptions::default(), &mut ()),
                fresh(game),
                "{lookahead}, game {game}"
            );
        }
    }
}
