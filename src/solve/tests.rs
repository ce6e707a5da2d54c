use std::collections::HashMap;

use proptest::prelude::*;

use super::*;
use crate::game::{Move, Rules, Spawn};
use crate::kept::Kept as _;
use crate::task::Control;

fn size(text: &str) -> Size {
    text.parse().expect(text)
}

fn question(text: &str, p4: f64, goal: Goal) -> Question {
    Question {
        size: size(text),
        p4,
        goal,
    }
}

fn tile(tile: u64) -> Rank {
    Rank::of_tile(tile).expect("a tile")
}

fn solved(question: &Question) -> Solution {
    question
        .solve(1, &Control::default())
        .expect("a small board")
}

/// The value of every board by the rules and a map alone: no layers, no symmetries.
struct Plain {
    p4: f64,
    goal: Goal,
    boards: HashMap<Board, f64>,
}

impl Plain {
    fn of(question: &Question) -> Self {
        Self {
            p4: question.p4,
            goal: question.goal,
            boards: HashMap::new(),
        }
    }

    fn board(&mut self, board: Board) -> f64 {
        if self
            .goal
            .tile()
            .is_some_and(|rank| rank <= board.max_rank())
        {
            return 1.0;
        }
        if let Some(&value) = self.boards.get(&board) {
            return value;
        }
        let slides = board.legal_moves().iter().filter_map(|mv| board.slide(mv));
        let best = slides.map(|slide| {
            let points = if self.goal == Goal::Score {
                f64::from(slide.reward)
            } else {
                0.0
            };
            points + self.mean(&slide.after.board(), 1.0)
        });
        let value = best
            .collect::<Vec<f64>>()
            .into_iter()
            .reduce(f64::max)
            .unwrap_or(0.0);
        self.boards.insert(board, value);
        value
    }

    /// The mean over the next tile.
    fn mean(&mut self, after: &Board, weight: f64) -> f64 {
        if self
            .goal
            .tile()
            .is_some_and(|rank| rank <= after.max_rank())
        {
            return weight;
        }
        let empty = after.empty_cells();
        let mut sum = 0.0;
        for &cell in &empty {
            for (rank, probability) in [(Rank::TWO, 1.0 - self.p4), (Rank::FOUR, self.p4)] {
                if probability != 0.0 {
                    sum += probability * self.board(after.with(cell, rank));
                }
            }
        }
        weight * sum / empty.len() as f64
    }

    fn game(&mut self, size: Size) -> f64 {
        let mut sum = 0.0;
        let cells: Vec<_> = size.iter().collect();
        for &cell in &cells {
            for (rank, probability) in [(Rank::TWO, 1.0 - self.p4), (Rank::FOUR, self.p4)] {
                if probability != 0.0 {
                    sum += probability * self.mean(&Board::empty(size).with(cell, rank), 1.0);
                }
            }
        }
        sum / cells.len() as f64
    }
}

#[test]
fn values_are_those_of_a_plain_recursion_whatever_is_played_for() {
    for (board, p4, goal) in [
        ("2x2", 0.1, Goal::Score),
        ("2x2", 0.0, Goal::Score),
        ("2x2", 1.0, Goal::Score),
        ("2x2", 0.37, Goal::Reach(tile(16))),
        ("2x2", 0.1, Goal::Reach(tile(4))),
        ("2x3", 0.1, Goal::Score),
        ("3x2", 0.1, Goal::Score),
        ("2x3", 0.2, Goal::Reach(tile(64))),
    ] {
        let question = question(board, p4, goal);
        let (solution, mut plain) = (solved(&question), Plain::of(&question));
        let value = plain.game(question.size);
        assert!(
            (solution.value - value).abs() < 1e-9 * (1.0 + value),
            "{question:?}: {} {value}",
            solution.value
        );
        // Checks not only the start, but each board that occurs and each afterstate.
        for (&board, &value) in &plain.boards {
            let found = solution.table.board(&board).expect("a board that comes up");
            assert!(
                (found - value).abs() <= 1.01 * solution.table.precision(),
                "{board}: {found} {value}"
            );
        }
        for opening in &solution.openings {
            assert!(
                (plain.board(opening.board) - opening.value).abs() < 1e-9 * (1.0 + value),
                "{opening:?}"
            );
        }
        let probability: f64 = solution
            .openings
            .iter()
            .map(|opening| opening.probability)
            .sum();
        assert!((probability - 1.0).abs() < 1e-12);
    }
}

#[test]
fn values_are_those_of_value_iteration() {
    // Sweeps through all boards until nothing changes; if there are many, later boards first.
    for (text, goal) in [
        ("2x2", Goal::Score),
        ("2x2", Goal::Reach(tile(32))),
        ("2x3", Goal::Reach(tile(64))),
    ] {
        let question = question(text, 0.1, goal);
        let mut plain = Plain::of(&question);
        let value = plain.game(question.size);
        let mut boards: Vec<Board> = plain.boards.keys().copied().collect();
        boards.sort_by_key(|board| {
            (
                if text == "2x3" {
                    u64::MAX - board.tile_sum()
                } else {
                    0
                },
                board.to_string(),
            )
        });
        let mut values: HashMap<Board, f64> = boards.iter().map(|&board| (board, 0.0)).collect();
        let worth = |values: &HashMap<Board, f64>, board: &Board| {
            let is_won = goal.tile().is_some_and(|rank| rank <= board.max_rank());
            if is_won { 1.0 } else { values[board] }
        };

        let mut sweeps = 0;
        loop {
            sweeps += 1;
            let mut change = 0.0_f64;
            for board in &boards {
                let slides = board.legal_moves().iter().filter_map(|mv| board.slide(mv));
                let of_slide = |slide: crate::game::Slide| {
                    let after = slide.after.board();
                    if goal.tile().is_some_and(|rank| rank <= after.max_rank()) {
                        return 1.0;
                    }
                    let empty = after.empty_cells();
                    let next = |&cell: &crate::game::Cell| {
                        let value_with =
                            |rank| worth(&values, &slide.after.spawn(Spawn { cell, rank }));
                        0.9 * value_with(Rank::TWO) + 0.1 * value_with(Rank::FOUR)
                    };
                    let points = if goal == Goal::Score {
                        f64::from(slide.reward)
                    } else {
                        0.0
                    };
                    points + empty.iter().map(next).sum::<f64>() / empty.len() as f64
                };
                let best = slides.map(of_slide).reduce(f64::max).unwrap_or(0.0);
                change = change.max((best - values[board]).abs());
                values.insert(*board, best);
            }

            if change == 0.0 {
                break;
            }
        }
        assert!(1 < sweeps);

        let solution = solved(&question);
        assert!((solution.value - value).abs() < 1e-9 * value);

        for opening in &solution.openings {
            assert!((values[&opening.board] - opening.value).abs() < 1e-9 * value);
        }
    }
}

#[test]
fn counts_and_values_are_those_that_are_known() {
    let two = solved(&question("2x2", 0.1, Goal::Score));
    assert_eq!(
        (two.table.info.states, two.table.info.afterstates),
        (110, 67)
    );
    assert_eq!(
        two.layers.last().map(|layer| layer.sum),
        Some(60),
        "32 + 16 + 8 + 4"
    );
    for text in ["2x3", "3x2"] {
        let solution = solved(&question(text, 0.1, Goal::Score));
        let bound = Bound::of(size(text)).expect("small");
        assert_eq!(
            (solution.table.info.states, solution.table.info.afterstates),
            (bound.states, bound.afterstates)
        );
        assert_eq!(
            solution.layers.iter().map(|layer| layer.states).max(),
            Some(302)
        );
    }
    // "Even when playing optimally, the player only wins about 8 % of the time" (Lees-Miller 2018).
    let win = solved(&question("2x2", 0.1, Goal::Reach(tile(32)))).value;
    assert!((0.075..0.085).contains(&win), "{win}");
}

#[test]
fn images_of_a_board_are_worth_the_same_and_turn_their_moves() {
    use crate::game::Symmetry;
    let table = solved(&question("2x3", 0.1, Goal::Score)).table;
    let board: Board = "4,2,0/2,8,0".parse().expect("a board");
    let values = table.slides(&board).expect("it comes up");
    for symmetry in Symmetry::of(board.size()) {
        let image = symmetry.image(&board);
        assert_eq!(table.board(&image), table.board(&board));
        let there = table.slides(&image).expect("it comes up");
        assert!(
            Move::ALL
                .into_iter()
                .all(|mv| there[symmetry.mv(mv)] == values[mv])
        );
    }
    assert_eq!(
        table.board(&"2,4/2,4".parse().expect("a board")),
        None,
        "another size"
    );
    assert_eq!(
        table.afterstate(&"128,128,128/4,4,0".parse().expect("a board")),
        None,
        "no game comes there"
    );
}

#[test]
fn a_solution_is_the_same_on_any_number_of_threads() {
    let question = question("2x3", 0.1, Goal::Score);
    let alone = solved(&question);
    for threads in [2, 7] {
        assert_eq!(
            question
                .solve(threads, &Control::default())
                .expect("solved"),
            alone
        );
    }
}

#[test]
fn what_cannot_be_solved_is_refused_in_one_sentence() {
    for (question, words) in [
        (
            question("3x4", 0.1, Goal::Score),
            "a 3x4 board is too large to be solved: the largest is 3x3 with 48,713,519 boards",
        ),
        (
            question("2x5", 0.1, Goal::Score),
            "a 2x5 board is too large",
        ),
        (
            question("4x4", 0.1, Goal::Score),
            "play games on it with run --size 4x4",
        ),
        (
            question("2x2", 1.5, Goal::Score),
            "write a probability from 0 to 1",
        ),
        (
            question("2x2", 0.1, Goal::Reach(tile(64))),
            "a 2x2 board never holds 64, its largest tile is 32",
        ),
        (
            question("2x2", 0.1, Goal::Reach(tile(2))),
            "2 is not a tile to stop at",
        ),
    ] {
        let error = question
            .solve(1, &Control::default())
            .expect_err(words)
            .to_string();
        assert!(error.contains(words) && !error.contains('\n'), "{error}");
    }
}

#[test]
fn solving_is_paused_resumed_and_stopped() {
    let (control, question) = (Control::default(), question("2x3", 0.1, Goal::Score));
    control.pause();
    std::thread::scope(|scope| {
        let solving = scope.spawn(|| question.solve(2, &control));
        std::thread::sleep(std::time::Duration::from_millis(200));
        assert!(!solving.is_finished() && control.work().done == 0);
        control.resume();
        assert_eq!(solving.join().expect("no panic"), Ok(solved(&question)));
    });
    let states = question.bound().states;
    assert_eq!(
        (control.work().done, control.work().total),
        (states, states)
    );

    control.stop();
    assert_eq!(question.solve(1, &control), Err(SolveError::Stopped));
}

#[test]
fn a_file_holds_the_table_and_a_damaged_one_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("2x3.solved");
    for goal in [Goal::Score, Goal::Reach(tile(64))] {
        let mut table = solved(&question("2x3", 0.1, goal)).table;
        let info = table.write(&path).expect("writable");
        assert_eq!(Table::read_info(&path), Ok(info.clone()));
        let read = Table::read(&path).expect("a table");
        table.info = info.clone();
        assert_eq!(read, table);
        let again = library::table(path.to_str().expect("a path")).expect("a table");
        assert_eq!(*again, read);
        assert_eq!(library::info(path.to_str().expect("a path")), Ok(info));
    }

    let whole = std::fs::read(&path).expect("readable");
    let cuts = [
        0,
        1,
        20,
        300,
        whole.len() / 2,
        whole.len() - 33,
        whole.len() - 1,
    ];
    for cut in cuts {
        std::fs::write(&path, &whole[..cut]).expect("writable");
        let error = Table::read(&path).expect_err("cut").to_string();
        assert!(error.contains("2x3.solved: this"), "{cut}: {error}");
    }

    for place in (0..whole.len()).step_by(whole.len() / 97) {
        let mut changed = whole.clone();
        changed[place] ^= 0x55;
        std::fs::write(&path, &changed).expect("writable");
        assert!(Table::read(&path).is_err(), "byte {place}");
    }
    let missing = library::info("no such table of mine")
        .expect_err("missing")
        .to_string();
    assert!(
        missing.starts_with("there is no solved table \"no such table of mine\": make it with"),
        "{missing}"
    );
}

/// Forged headers with a valid digest: no more memory is allocated than the file justifies.
#[test]
fn a_header_that_says_too_much_is_refused() {
    use sha2::Digest as _;
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("odd.solved");
    let header = |size: &str, layers: &str, bits: i32| {
        format!(
            "(format:\"afterstate solved table\",version:1,size:\"{size}\",p4:0.1,goal:Score,value:1.0,states:1,dead:0,bits:{bits},layers:[{layers}])\n"
        )
    };
    let later = header("2x2", "", 20).replace("version:1", "version:9");

    for (head, words) in [
        (header("3x3", "(4,31431374)", 20), "a layer is invalid"),
        (
            header("3x3", "(4,31431375)", 20),
            "its first line states more boards than are possible",
        ),
        (
            header("3x3", "(4,18446744073709551615),(6,2)", 20),
            "its first line states more boards than are possible",
        ),
        (header("5x5", "", 20), "its first line is invalid"),
        (header("2x2", "", 99), "its first line is invalid"),
        (
            later,
            "a newer Afterstate wrote this solved table (version 9)",
        ),
    ] {
        let mut bytes = head.into_bytes();
        let digest = sha2::Sha256::digest(&bytes);
        bytes.extend(digest);
        std::fs::write(&path, &bytes).expect("writable");
        let error = Table::read(&path).expect_err(words).to_string();
        assert!(error.contains(words), "{error}");
    }
}

#[test]
fn any_bytes_with_a_digest_that_fits_are_read_or_refused() {
    use sha2::Digest as _;
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("odd.solved");
    solved(&question("2x2", 0.1, Goal::Score))
        .table
        .write(&path)
        .expect("writable");
    let whole = std::fs::read(&path).expect("readable");
    let body = &whole[..whole.len() - 32];
    let (mut sound, mut refused) = (0, 0);
    let mut look = |mut bytes: Vec<u8>| {
        let digest = sha2::Sha256::digest(&bytes);
        bytes.extend(digest);
        std::fs::write(&path, &bytes).expect("writable");
        match Table::read(&path) {
            Ok(table) => {
                table.slides(&"2,2/0,0".parse().expect("a board"));
                sound += 1;
            }
            Err(_) => refused += 1,
        }
    };

    for place in 0..body.len() {
        for change in [0x01, 0x80, 0xFF] {
            let mut bytes = body.to_vec();
            bytes[place] ^= change;
            look(bytes);
        }
        look(body[..place].to_vec());
        look([&body[..place], &[0x80; 20], &body[place..]].concat());
    }

    // A value may be any number; everything else has to fit.
    assert!(0 < sound && sound < refused, "{sound} {refused}");
}

/// Mean and mean square of the points to come, and mean of the slides to come, under random play: a recursion over
/// boards, without layers, symmetries or reach probabilities.
fn random_play(board: Board, p4: f64, memo: &mut HashMap<Board, [f64; 3]>) -> [f64; 3] {
    if let Some(&found) = memo.get(&board) {
        return found;
    }

    let legal = board.legal_moves();
    let mut sums = [0.0; 3];
    for mv in legal {
        let slide = board.slide(mv).expect("legal");
        let empty = slide.after.board().empty_cells();
        for &cell in &empty {
            for (rank, probability) in [(Rank::TWO, 1.0 - p4), (Rank::FOUR, p4)] {
                let p = probability / (legal.len() * empty.len()) as f64;
                let [mean, square, slides] =
                    random_play(slide.after.spawn(Spawn { cell, rank }), p4, memo);
                let reward = f64::from(slide.reward);
                let next = [
                    reward + mean,
                    reward * reward + 2.0 * reward * mean + square,
                    1.0 + slides,
                ];
                sums.iter_mut()
                    .zip(next)
                    .for_each(|(sum, next)| *sum += p * next);
            }
        }
    }
    memo.insert(board, sums);
    sums
}

#[test]
fn random_play_ends_as_a_plain_recursion_says() {
    for (text, p4) in [("2x2", 0.1), ("2x2", 0.35), ("2x3", 0.1)] {
        let rules = layers::Rules::of(&question(text, p4, Goal::Score));
        let (mut sums, mut memo) = ([0.0; 3], HashMap::new());
        for (key, p) in rules.openings() {
            let of_board = random_play(rules.shape.board(key), p4, &mut memo);
            sums.iter_mut()
                .zip(of_board)
                .for_each(|(sum, of_board)| *sum += p * of_board);
        }
        let [mean, square, moves] = sums;
        for (is_symmetric, minds_points) in
            [(true, false), (false, false), (true, true), (false, true)]
        {
            if minds_points && text == "2x3" {
                continue;
            }
            let way = Walk {
                is_symmetric,
                minds_points,
                ..Walk::to_the_end(size(text), p4)
            };
            let fate = walk(
                &way,
                |board, _| Some(board.legal_moves()),
                1,
                &Control::default(),
            )
            .expect("a small board");
            let close = |one: f64, other: f64| (one - other).abs() < 1e-9 * other;
            assert!(
                close(fate.mean, mean) && close(fate.moves, moves),
                "{fate:?} {mean} {moves}"
            );
            assert!(close(fate.sd, (square - mean * mean).sqrt()), "{fate:?}");
            let all: f64 = fate
                .largest
                .iter()
                .map(|(_, probability)| probability)
                .sum();
            assert!(close(all, 1.0) && close(fate.reach(Rank::TWO), 1.0));
        }
    }
}

#[test]
fn best_play_that_is_followed_earns_what_it_is_worth() {
    for (text, p4) in [("2x2", 0.1), ("2x3", 0.1), ("2x3", 0.3)] {
        let solution = solved(&question(text, p4, Goal::Score));
        let way = Walk {
            is_symmetric: true,
            ..Walk::to_the_end(size(text), p4)
        };
        let fate = walk(
            &way,
            |board, _| solution.table.best(board),
            1,
            &Control::default(),
        )
        .expect("a small board");
        assert!(
            (fate.mean - solution.value).abs() < 1e-4,
            "{text}: {} {}",
            fate.mean,
            solution.value
        );
    }
    // If the goal is a tile, it occurs as often as the solution says.
    let aim = question("2x3", 0.1, Goal::Reach(tile(64)));
    let solution = solved(&aim);
    let way = Walk {
        question: aim,
        is_symmetric: true,
        minds_points: false,
    };
    let fate = walk(
        &way,
        |board, _| solution.table.best(board),
        1,
        &Control::default(),
    )
    .expect("a small board");
    assert!((fate.reach(tile(64)) - solution.value).abs() < 1e-7);
}

#[test]
fn points_on_the_way_are_those_that_were_made() {
    // A policy that depends on the points, compared with plain games.
    let odd = |board: &Board, points: u64| {
        let legal = board.legal_moves();
        let one = legal.nth((points / 4) as usize % legal.len().max(1));
        Moves::from_fn(|mv| Some(mv) == one)
    };

    let way = Walk {
        minds_points: true,
        ..Walk::to_the_end(size("2x2"), 0.2)
    };
    let fate = walk(
        &way,
        |board, points| Some(odd(board, points)),
        1,
        &Control::default(),
    )
    .expect("small");
    let rules = Rules {
        size: size("2x2"),
        p4: 0.2,
        ..Rules::default()
    };
    let games = 20_000;
    let (mut sum, mut slides) = (0, 0);
    for game in 0..games {
        let seed = crate::game::Seed(3).game(game);
        let (mut board, mut points) = (seed.opening(&rules), 0);
        for k in 0.. {
            let Some(mv) = odd(&board, points).first() else {
                break;
            };
            let slide = board.slide(mv).expect("legal");
            points += u64::from(slide.reward);
            board = slide
                .after
                .spawn(seed.spawn(k + 2, &slide.after.board(), rules.p4));
            slides += 1;
        }
        sum += points;
    }

    let (mean, moves) = (sum as f64 / games as f64, f64::from(slides) / games as f64);
    assert!(
        (mean - fate.mean).abs() < 4.0 * fate.sd / (games as f64).sqrt(),
        "{mean} {fate:?}"
    );
    assert!((moves - fate.moves).abs() < 0.2, "{moves} {fate:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn exact_probabilities_stay_within_their_range(p4 in 0.0..=1.0_f64, rank in 3..=5_u8, small in any::<bool>()) {
        let within = |probability: f64| (0.0..=1.0).contains(&probability) && probability.is_sign_positive();
        let text = if small { "2x2" } else { "2x3" };
        let solution = solved(&question(text, p4, Goal::Reach(Rank::clamped(rank))));
        prop_assert!(within(solution.value), "{}", solution.value);
        prop_assert!(solution.openings.iter().all(|opening| within(opening.value)));

        let way = Walk { is_symmetric: true, ..Walk::to_the_end(size(text), p4) };
            let fate = walk(&way, |board, _| Some(board.legal_moves()), 1, &Control::default()).expect("a small board");
        prop_assert!(fate.largest.iter().all(|&(_, probability)| within(probability)));
        let reach: Vec<f64> = (0..16).map(|rank| fate.reach(Rank::clamped(rank))).collect();
        prop_assert!(reach.iter().all(|&probability| within(probability)), "{reach:?}");
        prop_assert!(reach.is_sorted_by(|lower, higher| higher <= lower));
    }
}
