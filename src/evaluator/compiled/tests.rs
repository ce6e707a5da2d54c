//! Tests that the compiled form agrees with the definition, and the symmetries of evaluators.

use definition::outside_in;

use super::*;
use crate::evaluator::{FeaturePolicy, Lines, NoFiles, Weights};
use crate::game::{Cell, GameSeed, Packed, Rank, Row, Rows, Rules, Seed, Size};
use crate::math;

/// Boards from random games on every size, and crowded boards of every size with ranks up to 17.
fn corpus() -> Vec<Board> {
    let mut boards: Vec<Board> = Size::all().map(Board::empty).collect();
    for size in Size::all() {
        let rules = Rules {
            size,
            ..Rules::default()
        };
        // Games on large boards are long and change little from move to move: every fourth move, and the end.
        let every = if size.cells() < 12 { 1 } else { 4 };
        for index in 0..2 {
            let seed = Seed(31).game(index);
            let mut board = seed.opening(&rules);
            for k in 0.. {
                let legal = board.legal_moves();
                let mv = legal.nth(k as usize % legal.len().max(1));
                let is_one = mv.is_none() || k % every == 0;
                boards.extend(is_one.then_some(board));
                let Some(mv) = mv else { break };
                let after = board.slide(mv).expect("legal").after;
                boards.extend(is_one.then_some(after.board()));
                board = after.spawn(seed.spawn(k + 2, &after.board(), rules.p4));
            }
        }
    }

    for size in Size::all() {
        for index in 0..if size == Size::FOUR { 306 } else { 40 } {
            let kinds = 1 + index % 18;
            let seed = Seed(32).game(index);
            boards.push(filled(size, |number| {
                seed.place_draw(number) as u32 % (kinds as u32 + 1)
            }));
        }
        for rank in 1..=17 {
            boards.push(filled(size, |_| rank));
        }
    }

    boards
}

fn filled(size: Size, rank: impl Fn(u32) -> u32) -> Board {
    size.iter()
        .zip(0..)
        .fold(Board::empty(size), |board, (cell, number)| {
            board.with(cell, nth_rank(rank(number)))
        })
}

fn nth_rank(rank: u32) -> Rank {
    Rank::new(rank.min(17) as u8).expect("in range")
}

fn odd_weights(size: Size) -> Weights {
    Weights::Matrix(
        (0..size.cells())
            .map(|cell| 0.1 * cell as f64 - 0.7)
            .collect(),
    )
}

/// One of every kind that fits boards of this size, and some with other constants.
fn evaluators(size: Size) -> Vec<Evaluator> {
    let mut all = Evaluator::palette();
    // With fewer games, to save time.
    all.retain(|evaluator| evaluator.policies().is_empty());
    all.push("Policy(games: 60)".parse().expect("a policy"));
    let odd = odd_weights(size);
    let sum = vec![
        (0.25, Evaluator::Score),
        (-3.5, Evaluator::Uniformity),
        (1e-3, Evaluator::Weights(odd.clone())),
    ];
    all.extend([
        Evaluator::Weights(odd),
        Evaluator::Weights(Weights::C),
        Evaluator::Sum(sum),
    ]);

    for text in [
        "Lines(fixed: 0, empty: 1, merges: -2, monotonicity: 3, monotonicity_power: 1, sum: 5, sum_power: 2)",
        "Lines(merges: 0, pairs: 700, sum: 0, tiles: 11)",
        "Lines(fixed: -0.3, monotonicity: -47, monotonicity_power: 0.5, sum: 1e3, sum_power: -1.5)",
        "Sum([(1, Score), (50, Empty), (10, MonotoneSum), (5, SmoothnessPrinted), (10, CornerBonus)])",
        "Sum([(2, Empty), (0.5, Snake), (-1, Sum([(3, Corner), (2, Sum([(1, Difference), (7, Empty)]))]))])",
        "Sum([(1e200, Sum([(1e200, Inert), (1e-200, Score)])), (1, Difference)])",
        "Sum([(0, Lines()), (-1, Inert)])",
        "Sum([(0.1, RankSmoothness), (1, RankMonotonicity), (2.7, LogEmpty), (1, MaxRank), (10000, HasTile(2048))])",
        "Sum([(0.3, Edges), (1, Empty), (0.7, RankSmoothness)])",
        "Sum([(1, Snake)])",
        "Formula(\"score / 4 - sum(pairs, (a, b) -> abs(a.rank - b.rank)) + max(cells, c -> c.row * c.tile)\")",
        "Sum([(2, Formula(\"sum(cells, c -> c.row * c.tile) + 8\")), (-1, Product(Formula(\"empty\"), Score))])",
        "Product(Sum([(2, Difference), (1, Score)]), Product(Snake, MaxTile))",
    ] {
        all.push(text.parse().expect(text));
    }

    all.retain(|evaluator| evaluator.files().is_empty() && evaluator.check(size).is_ok());
    all
}

/// A random expression with at most this depth.
fn random_evaluator(seed: &GameSeed, draw: &mut u32, size: Size, depth: u32) -> Evaluator {
    let mut below = |n: usize| {
        *draw += 1;
        (seed.place_draw(*draw) % n as u64) as usize
    };
    let mut leaves = evaluators(size);
    leaves.retain(|evaluator| !matches!(evaluator, Evaluator::Sum(_) | Evaluator::Product(..)));
    let kind = if depth == 0 { 9 } else { below(10) };

    match kind {
        0..5 => {
            let weights: Vec<f64> = (0..=below(4))
                .map(|_| [1.0, -2.0, 0.5, 3.0, 0.1, 1000.0][below(6)])
                .collect();
            let term = |weight| (weight, random_evaluator(seed, draw, size, depth - 1));
            Evaluator::Sum(weights.into_iter().map(term).collect())
        }
        5..7 => {
            let one = Box::new(random_evaluator(seed, draw, size, depth - 1));
            Evaluator::Product(one, Box::new(random_evaluator(seed, draw, size, depth - 1)))
        }
        _ => leaves.swap_remove(below(leaves.len())),
    }
}

/// Whether every value is a multiple of some 2⁻ⁿ small enough to be added without rounding.
fn is_exact(evaluator: &Evaluator) -> bool {
    match evaluator {
        // A formula distributes its constant over the lines.
        Evaluator::Lines(_) | Evaluator::LogEmpty | Evaluator::Formula(_) => false,
        Evaluator::Weights(weights) => weights.values().iter().all(|weight| weight.fract() == 0.0),
        Evaluator::Sum(terms) => terms.iter().all(|(weight, term)| {
            weight.abs() < 1e6 && (4.0 * weight).fract() == 0.0 && is_exact(term)
        }),
        Evaluator::Product(one, other) => {
            let is_plain =
                |factor: &Evaluator| !matches!(factor, Evaluator::Sum(_) | Evaluator::Product(..));
            is_exact(one) && is_exact(other) && is_plain(one) && is_plain(other)
        }
        _ => true,
    }
}

/// The size of the terms of a value, even if they cancel out. Rounding errors are relative to it.
fn magnitude(evaluator: &Evaluator, board: &Board, score: u64) -> f64 {
    match evaluator {
        Evaluator::Sum(terms) => terms
            .iter()
            .map(|(weight, term)| weight.abs() * magnitude(term, board, score))
            .sum(),
        Evaluator::Product(one, other) => {
            magnitude(one, board, score) * magnitude(other, board, score)
        }
        Evaluator::Weights(weights) => {
            let weights = weights.values().iter().map(|weight| weight.abs()).collect();
            Evaluator::Weights(Weights::Matrix(weights)).evaluate(board, score)
        }
        Evaluator::Formula(_) => evaluator
            .terms(board, score)
            .iter()
            .map(|term| term.amount().abs())
            .sum(),
        _ => evaluator.evaluate(board, score).abs(),
    }
}

fn assert_close(evaluator: &Evaluator, board: &Board, value: f64, plain: f64) {
    // Quarters are added exactly below 2⁵¹.
    if is_exact(evaluator) && magnitude(evaluator, board, 1234) < 2.0_f64.powi(50) {
        assert_eq!(value, plain, "{evaluator} on {board}");
    } else {
        let tolerance = 1e-9 * plain.abs().max(1e-5 * magnitude(evaluator, board, 1234));
        assert!(
            (value - plain).abs() <= tolerance,
            "{evaluator} on {board}: {value} is not {plain}"
        );
    }
}

/// The same numbers in the plainest form, to compare both others with.
fn plain(evaluator: &Evaluator, board: &Board, score: u64) -> f64 {
    match evaluator {
        Evaluator::Score => score as f64,
        Evaluator::Empty => f64::from(board.empty_count()),
        Evaluator::Uniformity => uniformity(board),
        Evaluator::Monotonicity => monotonicity(board),
        Evaluator::Difference | Evaluator::Smoothness => {
            0.0 - total(pairs(board).map(|(a, b)| a.abs_diff(b)))
        }
        Evaluator::DifferenceOfTiles => {
            0.0 - total(
                pairs(board)
                    .filter(|(a, b)| 0 < *a.min(b))
                    .map(|(a, b)| a.abs_diff(b)),
            )
        }
        Evaluator::MaxTile => max_tile(board),
        Evaluator::Corner => corner(board),
        Evaluator::Edges => edges(board),
        Evaluator::Snake => snake(board),
        Evaluator::Lines(lines) => of_lines(board, lines),
        Evaluator::Inert => 0.0,
        Evaluator::Policy(policy) => worth(policy, board),
        // A formula has no plainer form than itself; `formula/tests.rs` compares it with evaluators.
        Evaluator::Formula(_) => evaluator.evaluate(board, score),
        Evaluator::Solved(_) | Evaluator::Network(_) | Evaluator::Program(_) => {
            unreachable!("other tests compare tables with recursions")
        }
        Evaluator::Weights(weights) => weighted(board, weights),
        Evaluator::MonotoneSum => total(pairs(board).filter(|(a, b)| b <= a).map(|(a, _)| a)),
        Evaluator::SmoothnessPrinted => smoothness_printed(board),
        Evaluator::CornerBonus => corner_bonus(board),
        Evaluator::RankSmoothness => rank_smoothness(board),
        Evaluator::RankMonotonicity => rank_monotonicity(board),
        Evaluator::LogEmpty => log_empty(board),
        Evaluator::MaxRank => rank(max_tile(board) as u64),
        Evaluator::HasTile(tile) => f64::from(*tile as f64 <= max_tile(board)),
        Evaluator::Sum(terms) => terms
            .iter()
            .map(|(weight, evaluator)| weight * plain(evaluator, board, score))
            .sum(),
        Evaluator::Product(one, other) => plain(one, board, score) * plain(other, board, score),
    }
}

/// The tiles row by row.
fn rows(board: &Board) -> Vec<Vec<u64>> {
    let (rows, cols) = (board.size().rows(), board.size().cols());
    (0..rows)
        .map(|row| {
            (0..cols)
                .map(|col| board.get(Cell::new(row as u8, col as u8)).tile())
                .collect()
        })
        .collect()
}

/// The tiles column by column.
fn columns(board: &Board) -> Vec<Vec<u64>> {
    let rows = rows(board);
    (0..rows[0].len())
        .map(|col| rows.iter().map(|row| row[col]).collect())
        .collect()
}

/// Neighbors in each line, in its direction.
fn neighbours(lines: Vec<Vec<u64>>) -> impl Iterator<Item = (u64, u64)> {
    lines.into_iter().flat_map(|line| {
        line.windows(2)
            .map(|pair| (pair[0], pair[1]))
            .collect::<Vec<_>>()
    })
}

/// Every pair of neighbors, read left to right and top to bottom.
fn pairs(board: &Board) -> impl Iterator<Item = (u64, u64)> {
    neighbours(rows(board)).chain(neighbours(columns(board)))
}

fn total(numbers: impl Iterator<Item = u64>) -> f64 {
    numbers.sum::<u64>() as f64
}

fn uniformity(board: &Board) -> f64 {
    let mut tiles: Vec<u64> = board
        .cells()
        .map(|(_, rank)| rank.tile())
        .filter(|&tile| tile != 0)
        .collect();
    tiles.sort_unstable();
    tiles
        .chunk_by(|a, b| a == b)
        .map(|same| (same.len() as f64).powi(3))
        .sum()
}

fn monotonicity(board: &Board) -> f64 {
    let in_order = |tiles: &Vec<Vec<u64>>| {
        let across = tiles
            .iter()
            .map(|row| row.windows(2).filter(|pair| pair[1] <= pair[0]).count());
        let along = tiles
            .windows(2)
            .map(|two| two[0].iter().zip(&two[1]).filter(|(a, b)| b <= a).count());
        across.sum::<usize>() + along.sum::<usize>()
    };
    rotations(rows(board))
        .iter()
        .map(in_order)
        .max()
        .unwrap_or(0) as f64
}

/// The board and its three other rotations.
fn rotations(tiles: Vec<Vec<u64>>) -> [Vec<Vec<u64>>; 4] {
    let turned = |tiles: &Vec<Vec<u64>>| -> Vec<Vec<u64>> {
        (0..tiles[0].len())
            .map(|col| tiles.iter().rev().map(|row| row[col]).collect())
            .collect()
    };
    let quarter = turned(&tiles);
    let half = turned(&quarter);
    let three_quarters = turned(&half);
    [tiles, quarter, half, three_quarters]
}

fn edges(board: &Board) -> f64 {
    let (bottom, right) = (board.size().rows() - 1, board.size().cols() - 1);
    let is_on_edge = |row: usize, col: usize| row == 0 || row == bottom || col == 0 || col == right;
    let tiles = rows(board);
    let cells = tiles
        .iter()
        .enumerate()
        .flat_map(|(row, tiles)| (0..).zip(tiles).map(move |(col, tile)| (row, col, *tile)));
    total(
        cells
            .filter(|&(row, col, _)| is_on_edge(row, col))
            .map(|(.., tile)| tile),
    )
}

fn max_tile(board: &Board) -> f64 {
    board
        .cells()
        .map(|(_, rank)| rank.tile())
        .max()
        .unwrap_or(0) as f64
}

fn corner(board: &Board) -> f64 {
    let value = |tiles: &Vec<Vec<u64>>| -> i64 {
        let (rows, cols) = (tiles.len(), tiles[0].len());
        let mut sum = 0;
        for (row, tiles) in tiles.iter().enumerate() {
            for (col, &tile) in tiles.iter().enumerate() {
                let to_the_head = row + (cols - 1 - col);
                let to_the_foot = (rows - 1 - row) + col;
                let weight = match to_the_head.abs_diff(to_the_foot).div_ceil(2) {
                    0 => 0,
                    steps => 1 << (steps - 1),
                };
                sum += if to_the_head < to_the_foot {
                    weight * tile as i64
                } else {
                    -weight * tile as i64
                };
            }
        }
        sum
    };
    rotations(rows(board)).iter().map(value).max().unwrap_or(0) as f64
}

fn snake(board: &Board) -> f64 {
    let value = |tiles: &Vec<Vec<u64>>| -> u64 {
        let mut path: Vec<u64> = Vec::new();
        for (row, tiles) in tiles.iter().enumerate() {
            if row % 2 == 0 {
                path.extend(tiles);
            } else {
                path.extend(tiles.iter().rev());
            }
        }
        path.iter()
            .rev()
            .enumerate()
            .map(|(k, tile)| tile << k)
            .sum()
    };
    let symmetries = [rotations(rows(board)), rotations(columns(board))].concat();
    let largest = symmetries.iter().map(value).max().unwrap_or(0);
    largest as f64 / f64::from(1 << (board.size().cells() - 3))
}

fn of_lines(board: &Board, lines: &Lines) -> f64 {
    let sides = [rows(board), columns(board)];
    let [rows, columns] =
        sides.map(|side| outside_in(side.iter().map(|line| of_line(line, lines))));
    rows + columns
}

fn of_line(tiles: &[u64], lines: &Lines) -> f64 {
    let empty = tiles.iter().filter(|&&tile| tile == 0).count() as f64;
    let filled: Vec<u64> = tiles.iter().copied().filter(|&tile| tile != 0).collect();
    let runs = filled.chunk_by(|a, b| a == b).map(<[u64]>::len);
    let merges = runs.filter(|&len| 2 <= len).sum::<usize>() as f64;
    let power = |tile: u64, power: f64| {
        if tile == 0 {
            0.0
        } else {
            math::pow(f64::from(tile.ilog2()), power)
        }
    };
    let step =
        |a: u64, b: u64| power(a, lines.monotonicity_power) - power(b, lines.monotonicity_power);
    let falls = outside_in(tiles.windows(2).map(|two| {
        if two[1] < two[0] {
            step(two[0], two[1])
        } else {
            0.0
        }
    }));
    let rises = outside_in(tiles.windows(2).map(|two| {
        if two[0] < two[1] {
            step(two[1], two[0])
        } else {
            0.0
        }
    }));
    let sum = outside_in(tiles.iter().map(|&tile| power(tile, lines.sum_power)));
    let pairs = tiles
        .windows(2)
        .filter(|two| two[0] == two[1] && two[0] != 0)
        .count() as f64;
    lines.fixed + lines.empty * empty + lines.merges * merges
        - lines.monotonicity * falls.min(rises)
        - lines.sum * sum
        + lines.pairs * pairs
        - lines.tiles * tiles.iter().sum::<u64>() as f64
}

fn weighted(board: &Board, weights: &Weights) -> f64 {
    let of_row = |row: &Vec<u64>, weights: &[f64]| {
        outside_in(
            row.iter()
                .zip(weights)
                .map(|(&tile, weight)| weight * tile as f64),
        )
    };
    let rows = rows(board);
    // Each row has its own weights, or a matrix of another size would pair the wrong ends.
    let weights = |row: usize| {
        weights
            .values()
            .chunks(rows[0].len())
            .nth(row)
            .unwrap_or(&[])
    };
    outside_in((0..rows.len()).map(|row| of_row(&rows[row], weights(row))))
}

fn smoothness_printed(board: &Board) -> f64 {
    let across = total(neighbours(rows(board)).map(|(a, b)| (a + 1).abs_diff(b)));
    let along = total(neighbours(columns(board)).map(|(a, b)| a.abs_diff(b)));
    0.0 - across - along
}

fn corner_bonus(board: &Board) -> f64 {
    let (rows, columns) = (board.size().rows() as u8, board.size().cols() as u8);
    let corners = [
        (0, 0),
        (0, columns - 1),
        (rows - 1, 0),
        (rows - 1, columns - 1),
    ];
    let largest = max_tile(board);
    let holds_it = corners
        .iter()
        .any(|&(row, col)| board.get(Cell::new(row, col)).tile() as f64 == largest);
    if holds_it { largest } else { -largest }
}

fn rank(tile: u64) -> f64 {
    if tile == 0 {
        0.0
    } else {
        f64::from(tile.ilog2())
    }
}

/// From each tile to the next tile to its right and below.
fn rank_smoothness(board: &Board) -> f64 {
    let next = |line: &Vec<u64>| {
        let tiles: Vec<u64> = line.iter().copied().filter(|&tile| tile != 0).collect();
        tiles
            .windows(2)
            .map(|two| (rank(two[0]) - rank(two[1])).abs())
            .sum::<f64>()
    };
    0.0 - rows(board).iter().map(next).sum::<f64>() - columns(board).iter().map(next).sum::<f64>()
}

/// As ovolve's program walks along each line: the next tile, or the last cell if there is none.
fn rank_monotonicity(board: &Board) -> f64 {
    let mut value = 0.0;
    for lines in [rows(board), columns(board)] {
        let mut totals = [0.0, 0.0];
        for line in lines {
            let mut current = 0;
            while current + 1 < line.len() {
                let next = (current + 1..line.len())
                    .find(|&at| line[at] != 0)
                    .unwrap_or(line.len() - 1);
                let step = rank(line[next]) - rank(line[current]);
                totals[usize::from(0.0 < step)] -= step.abs();
                current = next;
            }
        }
        value += totals[0].max(totals[1]);
    }
    value
}

fn log_empty(board: &Board) -> f64 {
    let empty = board.cells().filter(|(_, rank)| rank.is_empty()).count();
    if empty == 0 {
        0.0 - math::ln(2.0)
    } else {
        math::ln(empty as f64)
    }
}

fn assert_agreement(evaluator: &Evaluator, compiled: &Compiled, board: &Board) {
    let plain = plain(evaluator, board, 1234);
    assert_eq!(
        evaluator.evaluate(board, 1234).to_bits(),
        plain.to_bits(),
        "{evaluator} on {board}"
    );
    assert_close(
        evaluator,
        board,
        compiled.value(board.to_grid(), 1234),
        plain,
    );
    if let Some(fast) = board.as_packed() {
        assert_close(
            evaluator,
            board,
            compiled.value(fast.crossed(), 1234),
            plain,
        );
        if let Some(tables) = lines_of(compiled) {
            assert_eq!(
                tables.value(fast.crossed()),
                compiled.value(fast.crossed(), 1234),
                "{evaluator} on {board}"
            );
        }
    }
}

#[test]
fn compiled_and_plain_evaluators_agree() {
    let mut packed = 0;
    let of_size = |size| {
        evaluators(size)
            .into_iter()
            .map(|evaluator| (evaluator.compile(&NoFiles), evaluator))
            .collect()
    };
    let compiled: Vec<(Size, Vec<(Compiled, Evaluator)>)> =
        Size::all().map(|size| (size, of_size(size))).collect();
    for board in corpus() {
        let (_, evaluators) = compiled
            .iter()
            .find(|(size, _)| *size == board.size())
            .expect("every size");
        for (compiled, evaluator) in evaluators {
            assert_agreement(evaluator, compiled, &board);
        }
        packed += usize::from(board.as_packed().is_some());
    }
    assert!(300 < packed, "{packed}");
}

#[test]
fn random_expressions_agree_however_they_are_nested() {
    let corpus = corpus();
    let (mut exact, mut lines) = (0, 0);
    for index in 0..30 {
        let size = if index % 3 == 0 {
            Size::all().nth(index / 3 % 16).expect("16 sizes")
        } else {
            Size::FOUR
        };
        let evaluator = random_evaluator(&Seed(33).game(index as u64), &mut 0, size, 4);
        let compiled = evaluator.compile(&NoFiles);
        exact += usize::from(is_exact(&evaluator));
        lines += usize::from(lines_of(&compiled).is_some());
        for board in corpus
            .iter()
            .filter(|board| board.size() == size)
            .step_by(13)
        {
            assert_agreement(&evaluator, &compiled, board);
        }
    }
    assert!(0 < exact && exact < 30, "{exact}");
    assert!(0 < lines && lines < 30, "{lines}");
}

#[test]
fn the_same_moves_survive() {
    let corpus = corpus();
    for evaluator in evaluators(Size::FOUR) {
        let compiled = evaluator.compile(&NoFiles);
        for board in &corpus {
            let Some(slides) = board
                .as_packed()
                .and_then(|packed| packed.crossed().slides(Rows::shared()))
            else {
                continue;
            };
            let left = slides.legal();
            let fast = Evaluate::<Crossed>::values(&compiled, &slides, left, 1234).to_real();
            let plain = ByMove::from_fn(|mv| match board.slide(mv) {
                Some(slide) => {
                    evaluator.evaluate(&slide.after.board(), 1234 + u64::from(slide.reward))
                }
                None => f64::NEG_INFINITY,
            });
            let best = |values: &ByMove<f64>| {
                left.iter()
                    .map(|mv| values[mv])
                    .fold(f64::NEG_INFINITY, f64::max)
            };
            let survive = |values: &ByMove<f64>| {
                Moves::from_fn(|mv| left.contains(mv) && values[mv] == best(values))
            };
            if is_exact(&evaluator) || matches!(evaluator, Evaluator::Lines(_)) {
                assert_eq!(
                    survive(&fast),
                    survive(&plain),
                    "{evaluator} on {board}: {fast:?}, {plain:?}"
                );
            }
            for mv in left {
                let after = slides.after(mv);
                let score = 1234 + u64::from(slides.reward(mv));
                assert_eq!(
                    fast[mv],
                    compiled.value(after, score),
                    "{evaluator} on {board} {mv}"
                );
            }
        }
    }
}

#[test]
fn the_tables_of_lines_hold_every_row() {
    let texts = [
        "Difference",
        "MonotoneSum",
        "RankSmoothness",
        "SmoothnessPrinted",
        "Lines()",
        "Weights(\"c\")",
        "Weights([0.1, 0.2, 0.3, 0.4, 1, 2, 3, 4, 0, 0, 0, 0, -1, 1e-3, 5, 9])",
        "Sum([(0.5, Lines()), (2, Weights(\"a\")), (50, Empty), (1, SmoothnessPrinted)])",
    ];
    for text in texts {
        let evaluator: Evaluator = text.parse().expect(text);
        let compiled = evaluator.compile(&NoFiles);
        assert!(lines_of(&compiled).is_some(), "{text} decomposes");
        for row in 0..=u16::MAX {
            let index = u32::from(row % 4);
            let rows = Packed::from_bits(u64::from(row) << (16 * index)).crossed();
            let board = rows.to_board();
            assert_close(
                &evaluator,
                &board,
                compiled.value(rows, 0),
                evaluator.evaluate(&board, 0),
            );
            let columns = rows.transposed().crossed();
            let board = columns.to_board();
            assert_close(
                &evaluator,
                &board,
                compiled.value(columns, 0),
                evaluator.evaluate(&board, 0),
            );
        }
    }
}

#[test]
fn gradients_hold_every_row() {
    use Evaluator::{Corner, CornerBonus, HasTile, MaxRank, MaxTile, RankMonotonicity, Snake};
    for evaluator in [
        Corner,
        Snake,
        MaxTile,
        CornerBonus,
        RankMonotonicity,
        MaxRank,
        HasTile(64),
    ] {
        let compiled = evaluator.compile(&NoFiles);
        for row in 0..=u16::MAX {
            // A second row, so that orientations differ.
            let (one, other) = (u32::from(row % 4), u32::from((row % 4 + 1) % 4));
            let bits = u64::from(row) << (16 * one)
                | u64::from(Row(row ^ 0x5A3C).reversed().0) << (16 * other);
            let board = Packed::from_bits(bits).crossed();
            let plain = evaluator.evaluate(&board.to_board(), 0);
            assert_eq!(compiled.value(board, 0), plain, "{evaluator} on {board:?}");
        }
    }
}

/// The tables of an evaluator that consists only of lines.
fn lines_of(compiled: &Compiled) -> Option<&LineTables> {
    let Form::Lines(lines) = &compiled.0 else {
        return None;
    };
    Some(lines.tables())
}

#[test]
fn a_new_tile_adds_to_every_path() {
    let compiled = Evaluator::Snake.compile(&NoFiles);
    let Some(ByLines {
        lines: LineForm::Snake(table),
        weights: None,
    }) = compiled.by_lines()
    else {
        panic!("the snake alone");
    };
    for board in corpus().iter().filter_map(Board::as_packed) {
        for (index, cell) in Size::FOUR
            .iter()
            .enumerate()
            .filter(|&(_, cell)| board.get(cell).is_empty())
        {
            for rank in [1, 2, 15].map(nth_rank) {
                let after = board.with(cell, rank).expect("a small tile").crossed();
                let paths = table.paths(board.crossed()).with_tile(index, rank);
                assert_eq!(paths, table.paths(after), "{rank:?} on {cell} of {board:?}");
                assert_eq!(
                    paths.value(),
                    Evaluator::Snake.evaluate(&after.to_board(), 0),
                    "{board:?}"
                );
            }
        }
    }
}

#[test]
fn equal_lines_share_a_table() {
    let corpus = corpus();
    let compiled = |text: &str| text.parse::<Evaluator>().expect(text).compile(&NoFiles);
    for (text, tables) in [
        ("Lines()", 1),
        ("Difference", 1),
        ("RankSmoothness", 1),
        (
            "Sum([(2, Lines()), (50, Empty), (3, Sum([(1, MonotoneSum)]))])",
            1,
        ),
        ("SmoothnessPrinted", 2),
        ("Weights(\"a\")", 4),
        (
            "Weights([1, 2, 3, 4, 0, 0, 0, 0, 1, 2, 3, 4, 0, 0, 0, 0])",
            2,
        ),
        ("Sum([(1, Lines()), (1, Weights(\"c\"))])", 5),
        (
            "Sum([(1, Lines()), (1, Weights([1, 2, 3, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]))])",
            2,
        ),
    ] {
        let compiled = compiled(text);
        let lines = lines_of(&compiled).unwrap_or_else(|| panic!("{text} decomposes"));
        let built: Vec<_> = lines
            .rows
            .iter()
            .chain(lines.columns.iter().flatten())
            .collect();
        let own = |&at: &usize| built[..at].iter().all(|earlier| !earlier.is(built[at]));
        assert_eq!((0..built.len()).filter(own).count(), tables, "{text}");
        assert_eq!(lines.is_uniform().is_some(), tables == 1, "{text}");
        for board in corpus
            .iter()
            .filter_map(Board::as_packed)
            .map(Packed::crossed)
            .step_by(11)
        {
            let side = |board: Packed, table: fn(&LineTables, usize) -> &[f64; 1 << 16]| -> f64 {
                (0..4)
                    .map(|index| table(lines, index)[usize::from(board.row(index as u32))])
                    .sum()
            };
            let sum = side(board.packed(), LineTables::row)
                + side(board.transposed(), LineTables::column);
            let value = lines.value(board);
            assert!(
                (sum - value).abs() <= 1e-12 * value.abs(),
                "{text} on {board:?}"
            );
        }
    }
    for text in [
        "Empty",
        "Inert",
        "Snake",
        "Score",
        "Sum([(1, Lines()), (1, Score)])",
        "Product(Lines(), Lines())",
    ] {
        assert!(lines_of(&compiled(text)).is_none(), "{text}");
    }
}

/// All images of the board that keep its sides.
fn images(board: &Board) -> Vec<Board> {
    let size = board.size();
    let (bottom, right) = (size.rows() as u8 - 1, size.cols() as u8 - 1);
    let moved = |board: &Board, to: fn(Cell, u8, u8) -> Cell| {
        board
            .cells()
            .fold(Board::empty(size), |moved, (cell, rank)| {
                moved.with(to(cell, bottom, right), rank)
            })
    };
    let mut images = vec![*board];
    images.push(moved(board, |cell, bottom, _| {
        Cell::new(bottom - cell.row, cell.col)
    }));
    images.extend(images.clone().iter().map(|image| {
        moved(image, |cell, _, right| {
            Cell::new(cell.row, right - cell.col)
        })
    }));
    if bottom == right {
        images.extend(
            images
                .clone()
                .iter()
                .map(|image| moved(image, |cell, _, _| Cell::new(cell.col, cell.row))),
        );
    }
    images
}

#[test]
fn an_evaluator_is_symmetric_if_and_only_if_it_says_so() {
    let corpus = corpus();
    for size in Size::all() {
        let all_equal = Weights::Matrix(vec![0.5; size.cells()]);
        let (rows, cols) = (size.rows(), size.cols());
        let is_end = |at: u8, len: usize| at == 0 || usize::from(at) == len - 1;
        let is_rim = |cell: Cell| is_end(cell.row, rows) || is_end(cell.col, cols);
        let rim = Weights::Matrix(
            size.iter()
                .map(|cell| if is_rim(cell) { 2.0 } else { -1.0 })
                .collect(),
        );
        assert!(all_equal.is_symmetric(size) && rim.is_symmetric(size));

        let mut all = evaluators(size);
        all.push(Evaluator::Sum(vec![
            (2.0, Evaluator::Weights(all_equal)),
            (1.0, Evaluator::Weights(rim)),
        ]));

        for evaluator in all {
            let compiled = evaluator.compile(&NoFiles);
            let differs = |board: &&Board| {
                let values = |board: &Board| {
                    let fast = board
                        .as_packed()
                        .map(|packed| compiled.value(packed.crossed(), 99));
                    (
                        evaluator.evaluate(board, 99),
                        compiled.value(board.to_grid(), 99),
                        fast,
                    )
                };
                let own = values(board);
                images(board)
                    .iter()
                    .skip(1)
                    .any(|image| values(image) != own)
            };
            let witness = corpus
                .iter()
                .filter(|board| board.size() == size)
                .step_by(3)
                .find(differs);
            assert_eq!(
                witness.is_none(),
                evaluator.is_symmetric(size),
                "{evaluator} on {size}: {witness:?}"
            );
        }
    }
}

#[test]
fn an_evaluator_uses_the_score_if_and_only_if_it_says_so() {
    let board = filled(Size::FOUR, |number| number % 5);
    for evaluator in evaluators(Size::FOUR) {
        let differs = evaluator.evaluate(&board, 10) != evaluator.evaluate(&board, 1000);
        assert_eq!(differs, evaluator.uses_score(), "{evaluator}");
    }
}

#[test]
fn whichever_line_is_read_backwards_nothing_is_rounded_otherwise() {
    // Powers that no float represents exactly, so that another order of addition would show.
    let lines = Lines {
        monotonicity_power: 1.7,
        sum_power: 2.3,
        empty: 0.1,
        ..Lines::XIAO
    };
    let compiled = Evaluator::Lines(lines).compile(&NoFiles);
    let table = lines_of(&compiled)
        .and_then(LineTables::is_uniform)
        .expect("one table");
    for row in 0..=u16::MAX {
        assert_eq!(
            table[usize::from(row)],
            table[usize::from(Row(row).reversed().0)],
            "{:?}",
            Row(row)
        );
    }
}

/// The score so far, the reward of a slide, and the network's estimate.
#[test]
fn a_network_adds_the_points_so_far_to_those_it_expects() {
    use crate::network::{Encoding, Network, NetworkInfo, Shape};
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("small.net");
    let shape: Shape = "0123 0145".parse().expect("a shape");
    let weights = (0..shape.weights())
        .map(|place| (place * 37 % 1009) as f32 / 8.0)
        .collect();
    let network = Network::new(NetworkInfo::of(shape, None, Vec::new()), weights);
    network.write(&path, Encoding::Whole).expect("writable");
    let name = path.to_str().expect("a path").to_owned();
    let evaluator = Evaluator::Network(name.clone());
    assert_eq!(evaluator.check(Size::FOUR), Ok(()));
    let other = evaluator
        .check("3x3".parse().expect("a size"))
        .expect_err("another size")
        .to_string();
    assert!(
        other.ends_with("was trained on 4x4 boards, not 3x3 boards: name one of that size"),
        "{other}"
    );

    let sum = Evaluator::Sum(vec![(2.0, evaluator.clone()), (1.0, Evaluator::Empty)]);
    let compiled = [&evaluator, &sum].map(|evaluator| evaluator.compile(&OwnFiles));
    let board: Board = "2,2,4,8/0,16,16,2/4,0,0,64/2,4,8,128"
        .parse()
        .expect("a board");
    let crossed = board.as_packed().expect("small tiles").crossed();
    let slides = Position::slides(crossed, Rows::shared()).expect("small tiles");
    let values = compiled
        .each_ref()
        .map(|one| Evaluate::<Crossed>::values(one, &slides, slides.legal(), 100).to_real());
    for mv in slides.legal() {
        let slide = board.slide(mv).expect("legal");
        let (after, score) = (slide.after.board(), 100 + u64::from(slide.reward));
        let expected = score as f64 + network.of_grid(&after.to_grid());
        assert!((values[0][mv] - expected).abs() < 1e-9, "{mv}");
        assert!(
            (values[1][mv] - 2.0 * expected - f64::from(after.empty_count())).abs() < 1e-9,
            "{mv}"
        );
        assert!(
            (evaluator.evaluate(&after, score) - expected).abs() < 1e-9,
            "{mv}"
        );
    }

    assert_eq!(
        evaluator
            .files()
            .iter()
            .map(|file| file.sha256())
            .collect::<Vec<_>>()
            .len(),
        1
    );
}

/// Computed from features counted on the plain board.
fn worth(policy: &FeaturePolicy, board: &Board) -> f64 {
    use crate::process::{Features, State};
    let rank = |row: usize, column: usize| board.get(Cell::at(4 * row + column, Size::FOUR)).get();
    let (mut monotone, mut merges) = (0, [0, 0]);
    for line in 0..8 {
        let at = |place: usize| {
            if line < 4 {
                rank(line, place)
            } else {
                rank(place, line - 4)
            }
        };
        let mut pairs = (0..3).map(|place| (at(place), at(place + 1)));
        let falls = line % 2 == 0;
        if pairs.all(|(a, b)| if falls { b <= a } else { a <= b }) {
            monotone |= 1 << line;
        }
        let mut tiles: Vec<u8> = (0..4).map(at).filter(|&rank| rank != 0).collect();
        while let Some(place) = tiles.windows(2).position(|pair| pair[0] == pair[1]) {
            tiles.drain(..place + 2);
            merges[line / 4] += 1;
        }
    }

    let empty = board.empty_count().min(14) as u8;
    let state = State::of(Features {
        monotone,
        empty,
        merges: merges[0].max(merges[1]),
    });
    let learnt = NoFiles.process(&policy.of).expect("it is not a file");
    learnt.get().expect("threads").value(state)
}
