//! Slides and spawns of both representations, on the boards of one game.

use std::hint::black_box;

use afterstate::game::{Board, Grid, Packed, Position, Rows, Rules, Seed, Slides as _, perft};
use afterstate::search::SearchOptions;
use afterstate::strategy::{GameTrace, Player, Strategy};
use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};

/// Every board of a game of a reasonable player, from the opening to the end.
fn boards() -> Vec<Board> {
    let strategy: Strategy = "emr".parse().expect("letters");
    let record = GameTrace::record(
        &Player::new(&strategy, Rules::default()),
        Seed(1),
        0,
        &strategy,
        SearchOptions::default(),
    );
    record.replay().iter().map(|moment| moment.board).collect()
}

fn slides<P: Position>(c: &mut Criterion, name: &str, boards: &[P]) {
    let mut group = c.benchmark_group("rules");
    group.throughput(Throughput::Elements(boards.len() as u64));
    let rows = Rows::shared();
    group.bench_function(format!("four slides, {name}"), |bencher| {
        bencher.iter(|| {
            for &board in boards {
                let slides = black_box(board).slides(rows).expect("small tiles");
                for mv in slides.legal() {
                    black_box((slides.after(mv), slides.reward(mv)));
                }
            }
        });
    });

    let seed = Seed(2).game(0);
    let open: Vec<P> = boards
        .iter()
        .copied()
        .filter(|board| 0 < board.empty_count())
        .collect();
    group.throughput(Throughput::Elements(open.len() as u64));
    group.bench_function(format!("spawn, {name}"), |bencher| {
        bencher.iter(|| {
            for (k, &board) in (0..).zip(&open) {
                black_box(seed.add_tile(black_box(board), k, 0.1));
            }
        });
    });

    group.finish();
}

fn rules(c: &mut Criterion) {
    let boards = boards();
    let packed: Vec<_> = boards
        .iter()
        .filter_map(Board::as_packed)
        .map(Packed::crossed)
        .collect();
    assert_eq!(packed.len(), boards.len());
    slides(c, "packed", &packed);
    let grids: Vec<Grid> = boards.iter().map(Board::to_grid).collect();
    slides(c, "grid", &grids);

    let mut group = c.benchmark_group("board");
    let middle = boards[boards.len() / 2];
    group.bench_function("legal moves", |bencher| {
        bencher.iter(|| black_box(middle).legal_moves());
    });
    group.bench_function("perft 3", |bencher| {
        bencher.iter_batched(|| middle, |b| perft(&b, 3), BatchSize::SmallInput);
    });
    group.finish();
}

criterion_group!(benches, rules);
criterion_main!(benches);
