//! Decisions by search, and the cost of observing one.
//!
//! `watched` is the same search five times: by a recursion written by hand below that has no observers, by the search
//! without an observer, with an observer that stores nothing, with the counter of nodes, and with the recorder of the
//! tree. The first two should take the same time.
//!
//! `shared` is one decision on all cores, as the window makes it, with its record and without. After each line comes
//! its speedup over one thread, measured in turn with it, as the median of the rounds.

use std::hint::black_box;
use std::time::{Duration, Instant};

use afterstate::evaluator::{Compiled, Evaluate, NoFiles};
use afterstate::game::{
    Board, Crossed, Move, Packed, Position as _, Rank, Rows, Rules, Slides as _, Symmetry,
};
use afterstate::search::{
    Edge, End, Objective, Recorder, Root, Search, SearchOptions, Stub, TreeRecorder,
};
use afterstate::strategy::{Decision, Player, Strategy};
use afterstate::task::{CancelToken, threads_for_cli};
use criterion::{Criterion, SamplingMode, Throughput, criterion_group, criterion_main};

/// Positions of strong play, with one hexadecimal digit for each rank.
const BOARDS: &str = include_str!("../assets/boards48.txt");
/// A board on which strategies choose other moves at other depths.
const ON_SCREEN: &str = "3379145802460135";

fn boards(count: usize) -> Vec<Board> {
    BOARDS
        .split_whitespace()
        .take(count)
        .map(|board| Board::of_digits(board).expect("sixteen ranks"))
        .collect()
}

/// Decisions per second of several kinds of searches, without a table from before except that of the last round.
fn decisions(c: &mut Criterion) {
    let boards = boards(12);
    let mut group = c.benchmark_group("decisions");
    group
        .throughput(Throughput::Elements(boards.len() as u64))
        .sample_size(20);

    for (name, evaluator, lookahead) in [
        (
            "expectimax 3 of lines",
            "Lines()",
            "Expectimax(plies: Fixed(3), dead: Zero, cuts: [Reach(0.0001)])",
        ),
        (
            "expectimax 5 of lines",
            "Lines()",
            "Expectimax(plies: Fixed(5), dead: Zero, cuts: [Reach(0.0001)])",
        ),
        (
            "expectimax 4 of snake",
            "Snake",
            "Expectimax(plies: Fixed(4))",
        ),
        (
            "expectimax 4 of a mix",
            "Sum([(0.25, Score), (1.0, Corner)])",
            "Expectimax(plies: Fixed(4))",
        ),
        ("minimax 4 of snake", "Snake", "Minimax(plies: Fixed(4))"),
        (
            "alpha-beta 4 of snake",
            "Snake",
            "Minimax(plies: Fixed(4), cuts: [AlphaBeta])",
        ),
    ] {
        let text = format!(
            "(criteria: [(evaluator: {evaluator}, lookahead: {lookahead})], last_resort: First)"
        );
        let player = Player::new(&text.parse::<Strategy>().expect(name), Rules::default());
        let stop = CancelToken::new();
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                for board in &boards {
                    black_box(player.decide(
                        board,
                        0,
                        |_| 0,
                        SearchOptions::on_one_core(&stop),
                        &mut (),
                    ));
                }
            });
        });
    }

    group.finish();
}

/// Playouts: for a single move with several players, and a tree that grows by them.
fn playouts(c: &mut Criterion) {
    let boards = boards(4);
    let mut group = c.benchmark_group("playouts");
    group.sample_size(10);

    for (name, lookahead, samples) in [
        (
            "random, to the end",
            "MonteCarlo(playouts: 16, of: Score)",
            16,
        ),
        (
            "random, 20 moves",
            "MonteCarlo(playouts: 16, of: Score, until: Moves(20))",
            16,
        ),
        (
            "by emr, 20 moves",
            "MonteCarlo(playouts: 16, of: Score, until: Moves(20), policy: Strategy(\"emr\"))",
            16,
        ),
        (
            "tree, 20 moves",
            "Mcts(playouts: 64, of: Score, until: Moves(20))",
            64,
        ),
        (
            "averaged searches of 5 plies",
            "AveragedSearch(searches: 16, plies: Fixed(5))",
            16,
        ),
    ] {
        let text =
            format!("(criteria: [(evaluator: Score, lookahead: {lookahead})], last_resort: First)");
        let player = Player::new(&text.parse::<Strategy>().expect(name), Rules::default());
        let stop = CancelToken::new();
        group.throughput(Throughput::Elements(samples * boards.len() as u64));
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                for board in &boards {
                    black_box(player.decide(
                        board,
                        0,
                        |_| 0,
                        SearchOptions::on_one_core(&stop),
                        &mut (),
                    ));
                }
            });
        });
    }

    group.finish();
}

/// An expectimax of four plies as written by hand, without observers.
struct ByHand {
    evaluator: Compiled,
    nodes: u64,
}

impl ByHand {
    fn max_node(&mut self, board: Crossed, score: u64, plies: u32) -> f64 {
        self.nodes += 1;
        if plies == 0 {
            return self.evaluator.value(board, score);
        }
        let Some(slides) = board.slides(Rows::shared()) else {
            return 0.0;
        };
        if slides.legal().is_empty() {
            return self.evaluator.value(board, score);
        }
        let value = |mv: Move| {
            self.chance_node(
                slides.after(mv),
                score + u64::from(slides.reward(mv)),
                plies - 1,
            )
        };
        slides
            .legal()
            .iter()
            .map(value)
            .fold(f64::NEG_INFINITY, f64::max)
    }

    fn chance_node(&mut self, after: Crossed, score: u64, plies: u32) -> f64 {
        self.nodes += 1;
        let mut sum = 0.0;
        for nth in 0..after.empty_count() {
            let two = self.max_node(after.with_tile_on_empty(nth, Rank::TWO), score, plies - 1);
            sum += 0.9 * two
                + 0.1 * self.max_node(after.with_tile_on_empty(nth, Rank::FOUR), score, plies - 1);
        }
        sum / f64::from(after.empty_count())
    }
}

/// An observer that receives everything and stores nothing.
struct Told;

impl Recorder for Told {
    const ON: bool = true;

    fn open(&mut self, edge: Edge) {
        black_box(edge);
    }
    fn turn(&mut self, symmetry: Symmetry) {
        black_box(symmetry);
    }
    fn spawns(&mut self, considered: u32) {
        black_box(considered);
    }
    fn close(&mut self, end: End) {
        black_box(end);
    }
    fn leaf(&mut self, edge: Edge, end: End) {
        black_box((edge, end));
    }
    fn stub(&mut self, edge: Edge, stub: Stub) {
        black_box((edge, stub));
    }
    fn branch(&self) -> Self {
        Self
    }
    fn graft(&mut self, _branch: Self) {}
}

fn watched(c: &mut Criterion) {
    // This evaluator has no shortcut for the last plies, so both recursions do the same.
    let evaluator = "RankMonotonicity".parse().expect("an evaluator");
    let lookahead = "Expectimax(plies: Fixed(4))".parse().expect("a lookahead");
    let search = Search::new(&evaluator, &lookahead, Rules::default(), &NoFiles).expect("a search");
    let boards: Vec<Packed> = boards(12).iter().filter_map(Board::as_packed).collect();
    let stop = CancelToken::new();
    let mut group = c.benchmark_group("watched");
    group.sample_size(30);
    group.bench_function("by hand", |bencher| {
        let mut by_hand = ByHand {
            evaluator: evaluator.compile(&NoFiles),
            nodes: 0,
        };
        bencher.iter(|| {
            for board in &boards {
                let slides = board.crossed().slides(Rows::shared()).expect("small tiles");
                for mv in slides.legal() {
                    black_box(by_hand.chance_node(
                        slides.after(mv),
                        u64::from(slides.reward(mv)),
                        3,
                    ));
                }
            }
        });
    });

    let mut bench = |name: &str, run: &mut dyn FnMut(&Packed)| {
        group.bench_function(name, |bencher| {
            bencher.iter(|| boards.iter().for_each(&mut *run));
        });
    };
    let (objective, table, decides) = (
        Objective {
            higher: true,
            tolerance: 0.0,
        },
        None,
        false,
    );

    /// Searches a board with this observer.
    macro_rules! watch {
        ($recorder:expr) => {
            &mut |board: &Packed| {
                let slides = board.crossed().slides(Rows::shared()).expect("small tiles");
                let options = SearchOptions::on_one_core(&stop);
                let (search, board, slides, moves) =
                    (&search, board.crossed(), &slides, slides.legal());
                let root = Root {
                    search,
                    board,
                    slides,
                    moves,
                    score: 0,
                    objective,
                    options,
                    table,
                    decides,
                };
                black_box(root.search(&mut $recorder));
            }
        };
    }

    bench("nobody", watch!(()));
    bench("told", watch!(Told));
    bench("counted", watch!(TreeRecorder::default()));
    bench("recorded", watch!(TreeRecorder::new(&search, 1_000_000)));
    group.finish();
}

/// One decision on one thread and on all cores in turn.
fn shared(c: &mut Criterion) {
    let stop = CancelToken::new();
    let mut group = c.benchmark_group("shared");
    group.sample_size(10).sampling_mode(SamplingMode::Flat);
    let boards: Vec<Board> = [ON_SCREEN]
        .into_iter()
        .chain(BOARDS.split_whitespace().step_by(17))
        .map(|board| Board::of_digits(board).expect("ranks"))
        .collect();

    for (name, evaluator, lookahead, cap) in [
        (
            "5 plies of snake",
            "Snake",
            "Expectimax(plies: Fixed(5))",
            0,
        ),
        (
            "7 plies of snake",
            "Snake",
            "Expectimax(plies: Fixed(7))",
            0,
        ),
        (
            "9 plies of snake",
            "Snake",
            "Expectimax(plies: Fixed(9))",
            0,
        ),
        (
            "9 plies of snake, recorded",
            "Snake",
            "Expectimax(plies: Fixed(9))",
            1_000_000,
        ),
        (
            "9 plies of lines",
            "Lines()",
            "Expectimax(plies: Fixed(9), dead: Zero, cuts: [Reach(0.00001)])",
            0,
        ),
    ] {
        let text = format!(
            "(criteria: [(evaluator: {evaluator}, lookahead: {lookahead})], last_resort: First)"
        );
        let player = Player::new(&text.parse::<Strategy>().expect(name), Rules::default());
        for (number, board) in boards.iter().enumerate() {
            let name = format!("{name}, board {number}");
            let mut rounds: Vec<f64> = Vec::new();
            let decide = |cores| {
                let begun = Instant::now();
                let options = SearchOptions::on_cores(&stop, cores);
                black_box(Decision::of(&player, (board, 0), |_| 0, options, cap));
                begun.elapsed()
            };
            group.bench_function(&name, |bencher| {
                bencher.iter_custom(|count| {
                    let round = || [1, threads_for_cli()].map(decide);
                    let taken: Vec<[Duration; 2]> = (0..count).map(|_| round()).collect();
                    rounds.extend(
                        taken
                            .iter()
                            .map(|[one, all]| one.as_secs_f64() / all.as_secs_f64()),
                    );
                    taken.iter().map(|[_, all]| *all).sum()
                });
            });
            rounds.sort_by(f64::total_cmp);
            if let Some(ratio) = rounds.get(rounds.len() / 2) {
                println!(
                    "{name}: {ratio:.2} times as fast as on one thread, median of {} rounds",
                    rounds.len()
                );
            }
        }
    }

    group.finish();
}

criterion_group!(benches, decisions, playouts, watched, shared);
criterion_main!(benches);
