//! Whole games: one iteration plays a batch of games with seeds that differ from batch to batch.

use std::hint::black_box;
use std::time::Duration;

use afterstate::analysis::Evidence;
use afterstate::game::{Crossed, Packed, Position as _, Rows, Rules, Seed, Slides as _};
use afterstate::search::SearchOptions;
use afterstate::strategy::{GameTrace, Player, Strategy};
use afterstate::task::Control;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

/// Games of one iteration: enough that the cost of starting a game does not count.
const BATCH: u64 = 100;

const SUM: &str =
    "Strategy(criteria: [(evaluator: Sum([(1.0, Score), (50.0, Empty)]))], last_resort: First)";

fn player(text: &str) -> Player {
    let strategy: Strategy = text.parse().expect("a strategy");
    Player::new(&strategy, Rules::default())
}

fn games(c: &mut Criterion) {
    let mut group = c.benchmark_group("games");
    group
        .throughput(Throughput::Elements(BATCH))
        .measurement_time(Duration::from_secs(3));
    let strategies = [
        ("random", "r"),
        ("emr", "emr"),
        ("geumr", "geumr"),
        ("greedy", "gr"),
        ("score + 50 empty", SUM),
    ];
    for (name, text) in strategies {
        let player = player(text);
        let mut first = 0;
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                first += BATCH;
                let mut sum = 0;
                let seeds = (first..first + BATCH).map(|game| (game, Seed(1).game(game)));
                player.play_each(seeds, |_, finish| sum += u64::from(finish.outcome.score));
                sum
            });
        });
    }

    group.finish();
}

/// A game of random moves as written by hand, without strategies and observers.
fn by_hand(seed: Seed, game: u64) -> u32 {
    let (seed, rows) = (seed.game(game), Rows::shared());
    let mut board: Crossed = seed.add_tile(seed.add_tile(Packed::EMPTY.crossed(), 0, 0.1), 1, 0.1);
    let (mut score, mut moves) = (0, 0);
    while let Some(slides) = board.slides(rows) {
        let legal = slides.legal();
        let Some(mv) = legal.nth(seed.tie(moves, legal.len())) else {
            break;
        };
        score += slides.reward(mv);
        board = seed.add_tile(slides.after(mv), moves + 2, 0.1);
        moves += 1;
    }
    score
}

/// The cost of being able to explain decisions and record games: zero if there is no observer, so `play` is as fast as
/// `by hand`. `record` is the same game with a recorder, `evidence` with an observer that counts.
fn watching(c: &mut Criterion) {
    let mut group = c.benchmark_group("watching");
    group
        .throughput(Throughput::Elements(BATCH))
        .measurement_time(Duration::from_secs(3));
    let strategy: Strategy = "r".parse().expect("letters");
    let player = player("r");
    assert!((0..1000).all(|game| {
        player
            .play(&Seed(1).game(game), SearchOptions::default(), &mut ())
            .score
            == by_hand(Seed(1), game)
    }));

    let mut first = 0;
    group.bench_function("by hand", |bencher| {
        bencher.iter(|| {
            first += BATCH;
            (first..first + BATCH)
                .map(|game| u64::from(by_hand(Seed(1), game)))
                .sum::<u64>()
        });
    });

    group.bench_function("play", |bencher| {
        bencher.iter(|| {
            first += BATCH;
            (first..first + BATCH)
                .map(|game| {
                    u64::from(
                        player
                            .play(&Seed(1).game(game), SearchOptions::default(), &mut ())
                            .score,
                    )
                })
                .sum::<u64>()
        });
    });

    group.bench_function("record", |bencher| {
        bencher.iter(|| {
            first += BATCH;
            for game in first..first + BATCH {
                black_box(GameTrace::record(
                    &player,
                    Seed(1),
                    game,
                    &strategy,
                    SearchOptions::default(),
                ));
            }
        });
    });
    group.bench_function("evidence", |bencher| {
        bencher.iter(|| {
            black_box(Evidence::gather(
                &player,
                1,
                BATCH,
                None,
                &Control::default(),
            ))
        });
    });
    group.finish();
}

criterion_group!(benches, games, watching);
criterion_main!(benches);
