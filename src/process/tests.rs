use std::collections::HashMap;

use super::*;
use crate::game::{Grid, Rank, Row, Seed};
use crate::kept::Kept as _;
use crate::process::library::Learnt;

fn state(index: usize) -> State {
    State::new(index).expect("a state")
}

#[test]
fn features_are_numbered_without_a_gap() {
    assert_eq!(State::COUNT, 34_560);
    for state in State::all() {
        let features = state.features();
        assert!(features.empty <= 14 && features.merges <= 8);
        assert_eq!(State::of(features), state);
    }
    assert_eq!(State::new(State::COUNT), None);
}

/// The features of one line, by their definition.
fn plain_line(ranks: [u8; 4]) -> (bool, bool, u8) {
    let falls = (0..3).all(|place| ranks[place + 1] <= ranks[place]);
    let rises = (0..3).all(|place| ranks[place] <= ranks[place + 1]);
    let mut tiles: Vec<u8> = ranks.into_iter().filter(|&rank| rank != 0).collect();
    let mut merges = 0;
    while let Some(place) = tiles.windows(2).position(|pair| pair[0] == pair[1]) {
        tiles.drain(..place + 2);
        merges += 1;
    }
    (falls, rises, merges)
}

#[test]
fn features_of_every_row_are_those_of_the_definition() {
    for row in 0..=u16::MAX {
        let ranks = Row(row).ranks();
        let (falls, rises, merges) = plain_line(ranks);
        // The row is put in each place of the board. No column has merges.
        for place in 0..4_usize {
            let mut grid = Grid::empty(Size::FOUR);
            for (column, &rank) in ranks.iter().enumerate() {
                grid.set(
                    crate::game::Cell::at(4 * place + column, Size::FOUR),
                    Rank::new(rank).expect("a rank"),
                );
            }
            let of_grid = State::of_grid(&grid);
            let board = Board::from_grid(grid);
            assert_eq!(State::of_board(&board), Some(of_grid), "{board}");
            let features = of_grid.features();
            let wanted = if place % 2 == 0 { falls } else { rises };
            assert_eq!(features.monotone & 1 << place != 0, wanted, "{board}");
            assert_eq!(features.merges, merges, "{board}");
            assert_eq!(
                u32::from(features.empty),
                board.empty_count().min(14),
                "{board}"
            );
            for (column, &rank) in ranks.iter().enumerate() {
                let mut line = [0; 4];
                line[place] = rank;
                let (falls, rises, _) = plain_line(line);
                let wanted = if column % 2 == 0 { falls } else { rises };
                assert_eq!(features.monotone & 16 << column != 0, wanted, "{board}");
            }
        }
    }
}

#[test]
fn features_are_counted_as_the_text_says() {
    let board = crate::board! {
        64 32 16 2
        .  2  4  8
        4  4  2  2
        .  .  .  2
    };
    let features = State::of_board(&board).expect("4x4").features();
    // Row 3 falls, rows 2 and 4 rise. Column 1 does not fall, column 2 does not rise, column 3 falls, column 4 does not
    // rise.
    assert_eq!(
        features,
        Features {
            monotone: 0b0100_1111,
            empty: 4,
            merges: 2
        }
    );

    let large = crate::board! {
        65536 32768 . .
        . . . .
        . . . .
        . . . .
    };
    assert_eq!(State::of_board(&large).expect("4x4").features().empty, 14);
    assert_eq!(State::of_board(&"2,2/0,0".parse().expect("a board")), None);
}

/// Three states and an end, against the solved equations.
#[test]
fn value_iteration_solves_the_equations() {
    let (mut counts, [a, b, c, end]) = (Counts::default(), [10, 20, 30, 40].map(state));
    let mut see =
        |from, mv, to, points, times| (0..times).for_each(|_| counts.add(from, mv, to, points));
    // In a, up leads to b or stays in a, and down leads to c. b sometimes leads back to a.
    see(a, Move::Up, b, 4, 3);
    see(a, Move::Up, a, 4, 1);
    see(a, Move::Down, c, 4, 2);
    see(b, Move::Left, a, 8, 1);
    see(b, Move::Left, end, 8, 3);
    see(c, Move::Right, end, 1, 5);
    let solved = Solved::of(&counts, 0.0, 1.0, &Control::default()).expect("not stopped");
    assert!(solved.has_converged);

    // With up: A = 4 + 3/4 B + 1/4 A and B = 8 + 1/4 A, so (3/4) A = 4 + 3/4 (8 + A/4).
    let value_a = 10.0 / (0.75 - 0.1875);
    let value_b = 8.0 + value_a / 4.0;
    for (state, value) in [(a, value_a), (b, value_b), (c, 1.0), (end, 0.0)] {
        let off = (solved.values[state.index()] - value).abs();
        assert!(
            off <= solved.error.expect("a bound") && off < 2e-3,
            "{} {value}",
            solved.values[state.index()]
        );
    }
    assert!(
        (solved.actions[a.index()][Move::Down.index()] - 5.0).abs() < 1e-9,
        "4 + the worth of c"
    );
    assert_eq!(
        solved.actions[a.index()][Move::Left.index()],
        0.0,
        "never made"
    );
    assert_eq!(
        solved.best(a, Move::ALL.into_iter().collect(), |_| 0),
        Some(Move::Up)
    );
}

/// Compares with the best of all policies. Each policy is valued by its own sweeps, a plain recursion over the counted
/// steps.
#[test]
fn value_iteration_finds_the_best_policy() {
    let mut counts = Counts::default();
    for step in 0..400_usize {
        let [from, mv, to] = [step * 7 % 5, step * 11 % 3, step * step * 13 % 9];
        counts.add(state(from), Move::ALL[mv], state(to), (step % 6) as u64);
    }

    let (ends, discount) = (1.0, 0.9);
    let solved = Solved::of(&counts, ends, discount, &Control::default()).expect("not stopped");
    let steps: HashMap<(State, Move), Vec<(State, f64)>> =
        counts
            .steps()
            .into_iter()
            .fold(HashMap::new(), |mut steps, ((from, mv, to), count)| {
                steps
                    .entry((from, mv))
                    .or_default()
                    .push((to, count as f64));
                steps
            });
    let reward = |at: State| counts.points(at) as f64 / counts.visits()[at.index()] as f64;
    let mut best = [f64::NEG_INFINITY; 5];
    for policy in 0..3_usize.pow(5) {
        let chosen = |at: usize| Move::ALL[policy / 3_usize.pow(at as u32) % 3];
        let mut values = [0.0_f64; 9];
        for _ in 0..500 {
            for at in 0..5 {
                let Some(next) = steps.get(&(state(at), chosen(at))) else {
                    continue;
                };
                let taken = next.iter().map(|(_, count)| count).sum::<f64>() + ends;
                let later: f64 = next
                    .iter()
                    .map(|(to, count)| count / taken * values[to.index()])
                    .sum();
                values[at] = reward(state(at)) + discount * later;
            }
        }
        (0..5).for_each(|at| best[at] = best[at].max(values[at]));
    }

    for (at, best) in best.into_iter().enumerate() {
        assert!(
            (solved.values[at] - best).abs() < 0.02,
            "{at}: {} {best}",
            solved.values[at]
        );
    }
}

#[test]
fn points_that_go_in_a_circle_are_told() {
    let mut counts = Counts::default();
    counts.add(state(1), Move::Up, state(1), 4);
    let endless = Solved::of(&counts, 0.0, 1.0, &Control::default()).expect("not stopped");
    assert!(
        !endless.has_converged && endless.residuals.last() == Some(&4.0) && endless.error.is_none()
    );
    // One slide in two ends the game: 4 · (1 + 1/2 + 1/4 …).
    let ending = Solved::of(&counts, 1.0, 1.0, &Control::default()).expect("not stopped");
    assert!(ending.has_converged && (ending.values[1] - 8.0).abs() < 2e-3);
}

/// A slide that nearly always leads back: a last change of a thousandth of a point leaves out hundreds of times as
/// much.
#[test]
fn the_error_that_is_told_holds_where_the_last_change_is_far_smaller() {
    let mut counts = Counts::default();
    (0..999).for_each(|_| counts.add(state(1), Move::Up, state(2), 4));
    counts.add(state(1), Move::Up, state(3), 4);
    counts.add(state(2), Move::Left, state(1), 8);

    // V₁ = 4 + p V₂ and V₂ = 8 + q V₁.
    for (ends, discount) in [(0.0, 1.0), (0.0, 0.99), (0.001, 1.0), (0.5, 1.0)] {
        let solved = Solved::of(&counts, ends, discount, &Control::default()).expect("not stopped");
        let (p, q) = (discount * 999.0 / (1000.0 + ends), discount / (1.0 + ends));
        let exact = (4.0 + 8.0 * p) / (1.0 - p * q);
        let off = (solved.values[1] - exact).abs();
        match solved.error {
            Some(error) => {
                assert!(
                    off <= error && error < 20.0 * off.max(1e-4),
                    "{ends} {discount}: {off} of {error}"
                );
                let last = solved.residuals.last().expect("sweeps");
                assert!(solved.has_converged && *last < error, "{last} {error}");
            }
            None => assert!(!solved.has_converged, "{ends} {discount}"),
        }
    }
}

const SMALL: ProcessSpec = ProcessSpec {
    games: 40,
    seed: 3,
    p4: 0.2,
    rounds: 2,
    ends: 1.0,
    discount: 1.0,
};

/// Counts the first round again by playing its games.
#[test]
fn counts_are_those_of_the_games() {
    let spec = ProcessSpec { rounds: 1, ..SMALL };
    let counts = Counts::default()
        .with_round(&spec, 0, None, None, &Control::default())
        .expect("not stopped");
    let rules = Rules {
        p4: spec.p4,
        ..Rules::default()
    };
    let (mut steps, mut points, mut moves) = (HashMap::new(), vec![0; State::COUNT], 0);
    for game in 0..spec.games {
        let seed = Seed(spec.seed).game(game);
        let (mut board, mut number) = (seed.opening(&rules), 0);
        while !board.is_dead() {
            let legal: Vec<Move> = board.legal_moves().iter().collect();
            let mv = legal[seed.tie(number, legal.len())];
            let slide = board.slide(mv).expect("legal");
            let before = State::of_board(&board).expect("4x4");
            board = slide
                .after
                .spawn(seed.spawn(number + 2, &slide.after.board(), spec.p4));
            *steps
                .entry((before, mv, State::of_board(&board).expect("4x4")))
                .or_insert(0) += 1;
            points[before.index()] += u64::from(slide.reward);
            moves += 1;
            number += 1;
        }
    }

    assert_eq!(counts.moves(), moves);
    assert!(State::all().all(|state| counts.points(state) == points[state.index()]));
    assert_eq!(counts.steps().into_iter().collect::<HashMap<_, _>>(), steps);
    assert_eq!(counts.visits().iter().sum::<u64>(), moves);
}

#[test]
fn what_is_learnt_is_the_same_on_any_number_of_threads() {
    let learn = |threads| {
        SMALL
            .learn(None, threads, &Control::default())
            .expect("not stopped")
    };
    let one = learn(1);
    assert!([2, 5].iter().all(|&threads| learn(threads) == one));
    assert!(
        100 < one.seen() && one.solved.has_converged,
        "{}",
        one.seen()
    );
    // The second round plays by the first, and its games are longer.
    let first = ProcessSpec { rounds: 1, ..SMALL }
        .learn(None, 1, &Control::default())
        .expect("not stopped");
    assert!(first.moves < one.moves);
}

#[test]
fn value_iteration_is_paused_resumed_and_stopped() {
    let control = Control::default();
    control.pause();
    std::thread::scope(|scope| {
        let learning = scope.spawn(|| SMALL.learn(None, 2, &control));
        std::thread::sleep(std::time::Duration::from_millis(200));
        assert!(!learning.is_finished() && control.work().done == 0);
        control.resume();
        assert!(learning.join().expect("no panic").is_ok());
    });
    assert_eq!((control.work().unit, control.work().total), ("sweep", 0));
    control.stop();
    assert_eq!(SMALL.learn(None, 1, &control), Err(LearnError::Stopped));
}

#[test]
fn a_teacher_plays_the_first_games() {
    let choose = |board: &Board, _: u64, _: (u64, u32)| board.legal_moves().first();
    let teacher = Teacher {
        name: "first".to_owned(),
        choose: &choose,
    };
    let spec = ProcessSpec { rounds: 1, ..SMALL };
    let learnt = spec
        .learn(Some(&teacher), 1, &Control::default())
        .expect("not stopped");
    assert_eq!(learnt.teacher, "first");
    let opening = Seed(spec.seed).game(0).opening(&Rules {
        p4: spec.p4,
        ..Rules::default()
    });
    let at = State::of_board(&opening).expect("4x4");
    let first = opening.legal_moves().first().expect("it moves");
    assert!(0.0 < learnt.action(at, first) && learnt.value(at) == learnt.action(at, first));
}

#[test]
fn a_process_is_read_back_from_its_file_and_a_damaged_one_is_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("small.process");
    let learnt = SMALL
        .learn(None, 1, &Control::default())
        .expect("not stopped");
    let info = learnt.write(&path).expect("writable");
    assert_eq!(
        library::info(path.to_str().expect("UTF-8")),
        Ok(info.clone())
    );
    let read = Process::read(&path).expect("as written");
    assert_eq!(
        Process {
            sha256: String::new(),
            ..read.clone()
        },
        learnt
    );
    assert_eq!((read.sha256.clone(), read.seen()), (info.sha256, info.seen));
    assert_eq!(Learnt::ready(read.clone().into()).get(), Ok(&read));

    let mut bytes = std::fs::read(&path).expect("readable");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&path, &bytes).expect("writable");
    assert!(matches!(
        Process::read(&path),
        Err(ProcessError::Damaged { .. })
    ));
    std::fs::write(&path, "2,2/2,2\n").expect("writable");
    assert!(matches!(
        Process::read(&path),
        Err(ProcessError::Other { .. })
    ));
}

#[test]
fn a_heat_table_has_every_visit_once() {
    let learnt = SMALL
        .learn(None, 1, &Control::default())
        .expect("not stopped");
    let total: f64 = State::all()
        .map(|at| learnt.visits[at.index()] as f64 * learnt.value(at))
        .sum();
    for pair in [
        [Feature::Empty, Feature::Merges],
        [Feature::Lines, Feature::Line(5)],
    ] {
        let cells: Vec<HeatCell> = learnt.heat(pair).concat();
        assert_eq!(cells.len(), pair[0].levels() * pair[1].levels());
        assert_eq!(
            cells.iter().map(|cell| cell.visits).sum::<u64>(),
            learnt.moves
        );
        assert_eq!(
            cells.iter().map(|cell| cell.states).sum::<u64>(),
            learnt.seen()
        );
        let sum: f64 = cells
            .iter()
            .filter_map(|cell| Some(cell.mean()? * cell.visits as f64))
            .sum();
        assert!((sum - total).abs() < 1e-9 * total);
        assert!(
            cells
                .iter()
                .all(|cell| cell.mean().is_some() == (0 < cell.states))
        );
    }
    assert_eq!(Feature::Line(5).name(), "column 2 rises");
}
