//! Every evaluator on the boards of one game: the value of one board, and of all slides of a turn.

use std::hint::black_box;

use afterstate::evaluator::{Evaluate, Evaluator, NoFiles};
use afterstate::game::{Board, Crossed, Packed, Position as _, Rows, Rules, Seed, Slides as _};
use afterstate::search::SearchOptions;
use afterstate::strategy::{GameTrace, Player, Strategy};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

fn boards() -> Vec<Crossed> {
    let strategy: Strategy = "emr".parse().expect("letters");
    let record = GameTrace::record(
        &Player::new(&strategy, Rules::default()),
        Seed(1),
        0,
        &strategy,
        SearchOptions::default(),
    );
    let boards = record.replay().into_iter().map(|moment| moment.board);
    boards
        .filter_map(|board: Board| board.as_packed())
        .map(Packed::crossed)
        .collect()
}

fn evaluators(c: &mut Criterion) {
    let boards = boards();
    let rows = Rows::shared();
    let turns: Vec<_> = boards
        .iter()
        .filter_map(|board| board.slides(rows))
        .collect();
    let all = Evaluator::palette();

    let mut group = c.benchmark_group("one board");
    group.throughput(Throughput::Elements(boards.len() as u64));
    for evaluator in &all {
        let compiled = evaluator.compile(&NoFiles);
        group.bench_function(evaluator.to_string(), |bencher| {
            bencher.iter(|| {
                boards
                    .iter()
                    .map(|&board| compiled.value(black_box(board), 1000))
                    .sum::<f64>()
            });
        });
    }
    group.finish();

    let mut group = c.benchmark_group("all slides of a turn");
    group.throughput(Throughput::Elements(turns.len() as u64));
    for evaluator in &all {
        let compiled = evaluator.compile(&NoFiles);
        group.bench_function(evaluator.to_string(), |bencher| {
            bencher.iter(|| {
                for slides in &turns {
                    black_box(Evaluate::<Crossed>::values(
                        &compiled,
                        black_box(slides),
                        slides.legal(),
                        1000,
                    ));
                }
            });
        });
    }
    group.finish();
}

criterion_group!(benches, evaluators);
criterion_main!(benches);
