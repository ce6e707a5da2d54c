use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use sha2::{Digest as _, Sha256};
use strum::IntoEnumIterator as _;

use super::*;
use crate::game::{Board, Move, Notes, Record, Rules, Seed};
use crate::search::SearchOptions;
use crate::solve::{Goal, Question};
use crate::strategy::{GameTrace, LastResort, Player, Strategy};
use crate::task::{CancelToken, Control};

pub(super) fn rules(size: &str, p4: f64) -> Rules {
    Rules {
        size: size.parse().expect(size),
        p4,
        ..Rules::default()
    }
}

fn strategy(text: &str) -> Strategy {
    text.parse().expect(text)
}

pub(super) fn game(text: &str, rules: Rules, seed: u64, index: u64) -> Record {
    let strategy = strategy(text);
    GameTrace::record(
        &Player::new(&strategy, rules),
        Seed(seed),
        index,
        &strategy,
        SearchOptions::default(),
    )
}

pub(super) fn judge(text: &str, rules: Rules) -> Arc<Judge> {
    Arc::new(Judge::of(&strategy(text), rules).expect(text))
}

pub(super) fn reviewed(record: &Record, judge: &Arc<Judge>, threads: usize) -> Review {
    let mut review = Review::new(record.clone(), judge.clone());
    let player = Decider::of_record(record).ok();
    review
        .go_on(player.as_ref(), threads, &Control::default(), &mut |_| {})
        .expect("values");
    review
}

/// The text of a judge with a table that is solved here.
pub(super) fn table(folder: &Path, rules: Rules) -> String {
    let question = Question {
        size: rules.size,
        p4: rules.p4,
        goal: Goal::Score,
    };
    let solution = question
        .solve(1, &Control::default())
        .expect("a small board");
    let path = folder.join("own.solved");
    solution.table.write(&path).expect("written");
    format!("(criteria: [(evaluator: Solved({path:?}))])")
}

/// The value of best play from a board, computed from the rules alone.
fn plain(board: Board, p4: f64, memo: &mut HashMap<Board, f64>) -> f64 {
    if let Some(&value) = memo.get(&board) {
        return value;
    }
    let worth = |mv: Move, memo: &mut HashMap<Board, f64>| {
        let slide = board.slide(mv).expect("legal");
        f64::from(slide.reward) + plain_mean(slide.after, p4, memo)
    };
    let value = board
        .legal_moves()
        .iter()
        .map(|mv| worth(mv, memo))
        .fold(0.0, f64::max);
    memo.insert(board, value);
    value
}

fn plain_mean(after: crate::game::Afterstate, p4: f64, memo: &mut HashMap<Board, f64>) -> f64 {
    let empty = after.board().empty_cells();
    let tiles = [
        (crate::game::Rank::TWO, 1.0 - p4),
        (crate::game::Rank::FOUR, p4),
    ];
    let spawns = empty
        .iter()
        .flat_map(|&cell| tiles.map(|(rank, share)| (crate::game::Spawn { cell, rank }, share)));
    let values = spawns
        .map(|(spawn, share)| share * plain(after.spawn(spawn), p4, memo))
        .sum::<f64>();
    values / empty.len() as f64
}

#[test]
fn by_a_solved_table_losses_are_true_regrets_luck_is_true_and_residuals_are_zero() {
    let folder = tempfile::tempdir().expect("a folder");
    for (size, p4, games) in [("2x2", 0.1, 40), ("2x2", 0.5, 10), ("2x3", 0.1, 3)] {
        let rules = rules(size, p4);
        let judge = judge(&table(folder.path(), rules), rules);
        let (mut memo, mut lost) = (HashMap::new(), Points::ZERO);
        for index in 0..games {
            let record = game("r", rules, 5, index);
            let review = reviewed(&record, &judge, 1);
            for verdict in review.verdicts().expect("judged") {
                let board = verdict.before.board;
                let slide = board.slide(verdict.mv).expect("legal");
                let mean = plain_mean(slide.after, p4, &mut memo);
                let regret = plain(board, p4, &mut memo) - f64::from(slide.reward) - mean;
                let luck = plain(slide.after.spawn(verdict.spawn), p4, &mut memo) - mean;
                // A table rounds to 2⁻²⁰ points or coarser on these boards.
                assert!(
                    (verdict.loss.to_f64() - regret).abs() < 1e-4,
                    "{board} {}: {regret}",
                    verdict.mv
                );
                assert!(
                    (verdict.luck.to_f64() - luck).abs() < 1e-4,
                    "{board} {}: {luck}",
                    verdict.mv
                );
                assert_eq!(verdict.residual, Points::ZERO);
                assert!(Points::ZERO <= verdict.loss);
                lost += verdict.loss;
            }
            let totals = review.totals().expect("judged");
            assert_eq!(
                (totals.balance(), totals.residual, totals.left),
                (Points::ZERO, Points::ZERO, Points::ZERO)
            );
        }

        assert!(Points::ZERO < lost, "random play loses something");
    }
}

#[test]
fn on_3x3_by_a_solved_table_losses_are_true_regrets_and_residuals_are_zero() {
    // Late in a game, where the rest can be solved quickly.
    let start: Board = "512,256,64/32,1024,0/0,2,4".parse().expect("a board");
    let rules = Rules {
        start: Some(start),
        ..rules("3x3", 0.1)
    };
    let question = Question {
        size: rules.size,
        p4: rules.p4,
        goal: Goal::Score,
    };
    let solution = question
        .solve_from(&start, &Control::default())
        .expect("few boards");
    assert!(
        1000 < solution
            .layers
            .iter()
            .map(|layer| layer.states)
            .sum::<u64>()
    );

    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("late.solved");
    solution.table.write(&path).expect("written");
    let judge = judge(
        &format!("(criteria: [(evaluator: Solved({path:?}))])"),
        rules,
    );
    let (mut memo, mut lost, mut moves) = (HashMap::new(), Points::ZERO, 0);
    for index in 0..20 {
        let review = reviewed(&game("r", rules, 5, index), &judge, 1);
        let totals = review.totals().expect("judged");
        assert_eq!(
            (totals.balance(), totals.residual, totals.left),
            (Points::ZERO, Points::ZERO, Points::ZERO)
        );
        for verdict in review.verdicts().expect("judged") {
            let board = verdict.before.board;
            let slide = board.slide(verdict.mv).expect("legal");
            let mean = plain_mean(slide.after, rules.p4, &mut memo);
            let regret = plain(board, rules.p4, &mut memo) - f64::from(slide.reward) - mean;
            let luck = plain(slide.after.spawn(verdict.spawn), rules.p4, &mut memo) - mean;
            assert!(
                (verdict.loss.to_f64() - regret).abs() < 1e-4,
                "{board} {}: {regret}",
                verdict.mv
            );
            assert!(
                (verdict.luck.to_f64() - luck).abs() < 1e-4,
                "{board} {}: {luck}",
                verdict.mv
            );
            assert_eq!(verdict.residual, Points::ZERO);
            lost += verdict.loss;
            moves += 1;
        }
    }

    assert!(Points::ZERO < lost && 60 < moves, "{lost} in {moves} moves");
}

#[test]
fn the_parts_of_a_score_add_up_to_the_last_digit_at_any_depth_and_mixture_of_depths() {
    let rules = Rules::default();
    let record = game("emr", rules, 7, 2);
    for (text, deepen) in [
        ("(criteria: [(evaluator: Network(\"reference\"))])", None),
        (
            "(criteria: [(evaluator: Network(\"reference\"))])",
            Some(500),
        ),
        (
            "(criteria: [(evaluator: Network(\"reference\"), lookahead: Expectimax(plies: Fixed(3)))])",
            None,
        ),
        (
            "(criteria: [(evaluator: Network(\"reference\"), lookahead: Expectimax(plies: ByEmpty([(10, 1), (7, 3), (3, 1), (0, 5)])))])",
            None,
        ),
        (
            "(criteria: [(evaluator: Sum([(0.25, Network(\"reference\")), (0.75, Network(\"reference\"))]))])",
            None,
        ),
    ] {
        let judge = judge(text, rules);
        let mut review = Review::new(record.clone(), judge);
        review.deepen_from = deepen.map(|points: i64| Points::whole(points));
        review
            .go_on(None, 1, &Control::default(), &mut |_| {})
            .expect("values");
        let totals = review.totals().expect("judged");
        assert_eq!(totals.balance(), Points::ZERO, "{text}");
        assert!(
            Points::ZERO < totals.loss && totals.residual != Points::ZERO,
            "{totals:?}"
        );
        for verdict in review.verdicts().expect("judged") {
            // One turn by itself, in floats: its reward follows from its parts.
            let [now, then] = [verdict.index, verdict.index + 1]
                .map(|at| review.look(at).expect("judged").worth());
            let reward = now - verdict.loss - then + verdict.luck + verdict.residual;
            assert_eq!(reward, verdict.reward);
            let expected = review.judge().plies_on(&verdict.before.board);
            let is_deeper = verdict.look.plies == expected + 2 && deepen.is_some();
            assert!(
                verdict.look.plies == expected || is_deeper,
                "{} plies",
                verdict.look.plies
            );
        }
        let deeper = review
            .looks
            .iter()
            .flatten()
            .filter(|look| look.plies == 3)
            .count();
        assert!(
            deepen.is_none() || (0 < deeper && deeper < review.moves()),
            "{deeper} of {}",
            review.moves()
        );
    }
}

#[test]
fn the_mean_is_that_over_all_tiles_that_could_come() {
    let rules = Rules::default();
    let record = game("emr", rules, 7, 2);
    for (plies, below) in [(1, 1), (3, 1)] {
        let text = format!(
            "(criteria: [(evaluator: Network(\"reference\"), lookahead: Expectimax(plies: Fixed({plies})))])"
        );
        let judge = judge(&text, rules);
        let mut review = Review::new(record.clone(), judge.clone());
        review.record();
        review
            .go_on(None, 1, &Control::default(), &mut |_| {})
            .expect("values");
        for verdict in review.verdicts().expect("judged").iter().step_by(7) {
            let after = verdict.before.board.slide(verdict.mv).expect("legal").after;
            let worth = |spawn| {
                let values = judge
                    .look(&after.spawn(spawn), below, SearchOptions::default())
                    .expect("a value");
                worth(&values.expect("not stopped")).to_f64()
            };
            let empty = after.board().empty_cells();
            let tiles = [
                (crate::game::Rank::TWO, 0.9),
                (crate::game::Rank::FOUR, 0.1),
            ];
            let spawns = empty
                .iter()
                .flat_map(|&cell| tiles.map(|(rank, p)| (crate::game::Spawn { cell, rank }, p)));
            let mean = spawns.map(|(spawn, p)| p * worth(spawn)).sum::<f64>() / empty.len() as f64;
            let luck = worth(verdict.spawn) - mean;
            assert!(
                (verdict.luck.to_f64() - luck).abs() < 1e-3,
                "{plies}: {} is {luck}",
                verdict.luck
            );
        }
    }
}

#[test]
fn neither_threads_nor_interruptions_change_a_digit() {
    let rules = Rules::default();
    let record = game("er", rules, 3, 1);
    let text =
        "(criteria: [(evaluator: Network(\"reference\"), lookahead: Expectimax(plies: Fixed(3)))])";
    let whole = reviewed(&record, &judge(text, rules), 1);
    let same = |other: &Review| (&whole.looks, &whole.fallen) == (&other.looks, &other.fallen);
    assert!(same(&reviewed(&record, &judge(text, rules), 3)));

    let folder = tempfile::tempdir().expect("a folder");
    let reviews = ReviewFolder::within(folder.path());
    let player = Decider::of_record(&record).ok();
    let mut rounds = 0;
    loop {
        // As after a restart: only the file is known.
        let mut review = Review::new(record.clone(), judge(text, rules));
        let had = reviews
            .read_into(&mut review, player.as_ref())
            .expect("readable");
        assert_eq!(had, 0 < rounds);
        if same(&review) {
            break;
        }
        let control = Control::default();
        review
            .go_on(player.as_ref(), 1, &control, &mut |_| control.stop())
            .expect("values");
        reviews.write(&review, player.as_ref()).expect("written");
        rounds += 1;
        assert!(rounds < 100, "it never ends");
    }

    assert!(1 < rounds, "it was never interrupted");
}

#[test]
fn a_review_that_looks_deeper_is_another_file_and_begins_with_what_is_known() {
    let folder = tempfile::tempdir().expect("a folder");
    let reviews = ReviewFolder::within(folder.path());
    let record = game("er", Rules::default(), 3, 1);
    let judge = judge(
        "(criteria: [(evaluator: Network(\"reference\"))])",
        Rules::default(),
    );
    let plain = || Review::new(record.clone(), judge.clone());
    let deeper = || {
        let mut review = plain();
        review
            .deepen_mistakes(&CancelToken::new())
            .expect("a value");
        review
    };
    let finished = |mut review: Review| {
        assert!(reviews.read_into(&mut review, None).is_ok());
        review
            .go_on(None, 1, &Control::default(), &mut |_| {})
            .expect("values");
        reviews.write(&review, None).expect("written");
        review
    };
    let shallow = finished(plain());
    let mut begun = deeper();
    assert!(reviews.read_into(&mut begun, None).expect("readable") && begun.looks == shallow.looks);

    let deep = finished(deeper());
    assert_ne!(deep.looks, shallow.looks);
    assert_eq!(
        finished(plain()).looks,
        shallow.looks,
        "whatever was looked at deeper meanwhile"
    );
    assert_eq!(finished(deeper()).looks, deep.looks);

    // Older files had one name for all depths.
    std::fs::rename(reviews.path_of(&deep), reviews.path_of(&shallow)).expect("a file");
    let mut older = deeper();
    assert!(reviews.read_into(&mut older, None).expect("readable") && older.looks == deep.looks);
    assert!(!reviews.read_into(&mut plain(), None).expect("readable"));
}

#[test]
fn the_games_of_a_session_share_thresholds_and_are_saved_unless_the_disk_refuses() {
    let (rules, folder) = (rules("2x3", 0.1), tempfile::tempdir().expect("a folder"));
    let judge = judge(&table(folder.path(), rules), rules);
    let mut session = Session {
        folder: Some(ReviewFolder::within(folder.path())),
        ..Session::of(judge.clone(), 1)
    };
    let mut thresholds = Vec::new();
    for seed in [1, 2] {
        let record = game("er", rules, seed, 0);
        let stop = CancelToken::new();
        let mut review = session.review(record.clone(), &stop).expect("a value");
        session
            .go_on(&mut review, None, &Control::default(), &mut |_| {})
            .expect("values");
        thresholds.push(session.thresholds(&review).expect("judged"));
        assert_eq!(
            (session.unsaved.reason(), session.unsaved.take_news()),
            (None, None)
        );

        let mut again = session.review(record, &stop).expect("a value");
        session
            .folder
            .as_ref()
            .expect("set")
            .read_into(&mut again, None)
            .expect("saved");
        assert_eq!(again.totals(), review.totals());
    }
    assert_eq!(thresholds[0], thresholds[1], "those of the first game");

    // A file is where its folder would be.
    std::fs::write(folder.path().join("none"), "").expect("written");
    session.folder = Some(ReviewFolder::within(&folder.path().join("none")));
    let mut review = session
        .review(game("er", rules, 3, 0), &CancelToken::new())
        .expect("a value");
    session
        .go_on(&mut review, None, &Control::default(), &mut |_| {})
        .expect("values");
    let reason = session.unsaved.reason().expect("it is not saved");
    assert_eq!(
        (session.unsaved.take_news(), session.unsaved.take_news()),
        (Some(reason), None)
    );
}

#[test]
fn a_damaged_file_is_one_sentence_and_nothing_of_it_is_taken() {
    let folder = tempfile::tempdir().expect("a folder");
    let rules = rules("2x2", 0.1);
    let judge = judge(&table(folder.path(), rules), rules);
    let record = game("r", rules, 5, 3);
    let review = reviewed(&record, &judge, 1);
    let reviews = ReviewFolder::within(folder.path());
    reviews.write(&review, None).expect("written");
    let path = reviews.path_of(&review);
    let bytes = std::fs::read(&path).expect("a file");
    let newer = String::from_utf8_lossy(&bytes)
        .replace("version:5", "version:6")
        .replace("version: 5", "version: 6")
        .into_bytes();

    let damaged = [
        bytes[..bytes.len() - 40].to_vec(),
        Vec::new(),
        b"afterstate review\n".to_vec(),
        newer.clone(),
    ];
    for bytes in damaged {
        std::fs::write(&path, &bytes).expect("written");
        let mut empty = Review::new(record.clone(), judge.clone());
        let error = reviews
            .read_into(&mut empty, None)
            .expect_err("refused")
            .to_string();
        assert!(
            error.contains(".review") && !error.contains('\n'),
            "{error}"
        );
        assert_eq!(
            error.contains("newer Afterstate"),
            bytes == newer,
            "{error}"
        );
        assert_eq!(empty.looked(), 0);
        // An unusable file is replaced; one that a newer version wrote stays.
        let saved = reviews.write(&empty, None);
        assert_eq!(saved.is_err(), bytes == newer, "{saved:?}");
        assert_eq!(
            std::fs::read(&path).expect("a file") == bytes,
            bytes == newer
        );
    }

    std::fs::write(&path, &bytes).expect("written");
    let mut whole = Review::new(record, judge);
    assert!(reviews.read_into(&mut whole, None).expect("readable"));
    assert_eq!(whole.looks, review.looks);
}

#[test]
fn what_does_not_count_points_to_come_is_refused_in_one_sentence() {
    let rules = Rules::default();
    for (text, reason) in [
        ("emr", "has 2"),
        (
            "(criteria: [(evaluator: Snake)])",
            "Snake does not estimate points to come",
        ),
        (
            "(criteria: [(evaluator: Score, lookahead: Expectimax(plies: Fixed(3)))])",
            "does not estimate points",
        ),
        (
            "(criteria: [(evaluator: Sum([(2.0, Network(\"reference\"))]))])",
            "does not estimate points",
        ),
        (
            "(criteria: [(evaluator: Network(\"reference\"), lookahead: Minimax(plies: Fixed(3)))])",
            "average",
        ),
        (
            "(criteria: [(evaluator: Network(\"reference\"), lookahead: Expectimax(plies: Fixed(3), cuts: [Reach(0.1)]))])",
            "it has cuts",
        ),
        (
            "(criteria: [(evaluator: Network(\"reference\"), lookahead: Expectimax(plies: Fixed(3), dead: Zero))])",
            "dead board",
        ),
        (
            "(criteria: [(evaluator: Score, lookahead: MonteCarlo(playouts: 5))])",
            "Score does not estimate",
        ),
        (
            "(criteria: [(evaluator: Network(\"reference\"), prefer: Lower)])",
            "lower values",
        ),
        (
            "(criteria: [(evaluator: Network(\"there is none\"))])",
            "there is no",
        ),
    ] {
        let error = Judge::of(&strategy(text), rules)
            .expect_err(text)
            .to_string();
        assert!(
            error.contains(reason) && !error.contains('\n'),
            "{text}: {error}"
        );
    }

    let folder = tempfile::tempdir().expect("a folder");
    let small = self::rules("2x2", 0.1);
    let text = table(folder.path(), small);
    let error = Judge::of(&strategy(&text), self::rules("2x2", 0.2))
        .expect_err("another p4")
        .to_string();
    assert!(error.contains("--p4 0.2"), "{error}");
    assert!(Judge::of(&strategy(&text), rules).is_err(), "another size");
    assert!(Judge::usual(self::rules("3x4", 0.1)).is_err_and(|error| {
        // A table with this many boards cannot be made.
        let said = error.to_string();
        said.contains("3x4 boards: train a network") && !said.contains("solve")
    }));

    assert_eq!(Judge::usual(rules).expect("ships").label(), "Reference");
}

#[test]
fn a_board_that_the_table_does_not_hold_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let rules = rules("2x2", 0.1);
    let judge = judge(&table(folder.path(), rules), rules);
    let start: Board = "32,0/0,32".parse().expect("a board");
    let record = Record {
        rules,
        seed: None,
        game: 0,
        strategy: None,
        start,
        score: 0,
        steps: Vec::new(),
        notes: Notes::new(),
    };
    let mut review = Review::new(record, judge);
    let error = review
        .go_on(None, 1, &Control::default(), &mut |_| {})
        .expect_err("no value")
        .to_string();
    assert!(
        error.contains("move 1") && error.contains("32,0/0,32"),
        "{error}"
    );
}

#[test]
fn a_game_that_was_left_has_points_still_to_come() {
    let rules = Rules::default();
    let mut record = game("er", rules, 3, 1);
    record.steps.truncate(20);
    record.score = 44;
    let judge = judge("(criteria: [(evaluator: Network(\"reference\"))])", rules);
    let totals = reviewed(&record, &judge, 1).totals().expect("judged");
    assert_eq!(totals.balance(), Points::ZERO);
    assert_eq!(totals.start_score, Points::whole(44));
    assert!(Points::ZERO < totals.left);
}

#[test]
fn a_report_is_the_sum_of_its_phases_and_of_its_rules() {
    let rules = Rules::default();
    let record = game("emr", rules, 7, 2);
    let review = reviewed(
        &record,
        &judge("(criteria: [(evaluator: Network(\"reference\"))])", rules),
        1,
    );
    let totals = review.totals().expect("judged");
    let report = Report::of(&review, Thresholds::usual(totals.start_value)).expect("judged");
    assert!(report.adds_up());

    let sections = Reviewed {
        title: "",
        review: &review,
        report: &report,
        player: None,
    }
    .sections();
    let split = sections
        .iter()
        .find(|section| section.title == "Where the points went")
        .expect("the breakdown");
    let printed: Vec<String> = split
        .table
        .texts()
        .into_iter()
        .map(|mut cells| cells.remove(1))
        .collect();
    let decimals = |text: &String| {
        text.split_once('.')
            .map_or(0, |(_, decimals)| decimals.len())
    };
    assert!(
        printed
            .windows(2)
            .all(|pair| decimals(&pair[0]) == decimals(&pair[1])),
        "{printed:?}"
    );
    let unit = 10_f64.powi(decimals(&printed[0]) as i32);
    let units = |text: &String| {
        (text
            .replace(',', "")
            .replace('−', "-")
            .parse::<f64>()
            .expect(text)
            * unit)
            .round()
    };
    let (last, parts) = printed.split_last().expect("the final score");
    assert_eq!(
        parts.iter().map(units).sum::<f64>(),
        units(last),
        "{printed:?} add up as printed"
    );

    for phases in [&report.by_largest, &report.by_empty] {
        assert_eq!(
            phases.iter().map(|phase| phase.loss).sum::<Points>(),
            totals.loss
        );
        assert_eq!(
            phases.iter().map(|phase| phase.luck).sum::<Points>(),
            totals.luck
        );
        assert_eq!(
            phases.iter().map(|phase| phase.moves).sum::<u64>(),
            review.moves() as u64
        );
    }
    assert_eq!(
        report.by_rule.iter().map(|rule| rule.loss).sum::<Points>(),
        totals.loss,
        "each loss has a rule"
    );
    assert!(
        report
            .by_rule
            .iter()
            .all(|rule| rule.blame != Blame::Another),
        "emr has played it"
    );
    assert!(
        report
            .worst
            .is_sorted_by_key(|one| std::cmp::Reverse(one.verdict.loss))
    );
    let largest = review
        .verdicts()
        .expect("judged")
        .iter()
        .map(|verdict| verdict.loss)
        .max();
    assert_eq!(report.worst.first().map(|one| one.verdict.loss), largest);
    let mut luck: Vec<Points> = review
        .verdicts()
        .expect("judged")
        .iter()
        .map(|verdict| verdict.luck)
        .collect();
    luck.sort();
    assert_eq!(
        report
            .unluckiest
            .iter()
            .map(|one| one.luck)
            .collect::<Vec<_>>(),
        luck[..Report::TILES]
    );

    // The row that decided agrees with a recorded decision.
    let player = Player::new(&strategy("emr"), rules);
    for one in &report.worst {
        let before = one.verdict.before;
        let decision = crate::strategy::Decision::now(&player, &before.board, before.score, |_| 0);
        let best = decision.moves[one.verdict.best]
            .as_ref()
            .expect("a legal move");
        let row = best
            .fell_at
            .map_or(Blame::LastResort, |row| Blame::Row(row as u8));
        assert_eq!(one.blame, Some(row), "where the best move fell");
    }
}

#[test]
fn thresholds_are_round_shares_of_the_start() {
    for (start, text) in [
        (
            200_000.0,
            "in points, a loss from 200 is an inaccuracy, from 1,000 a mistake, from 2,000 a blunder",
        ),
        (
            66.9,
            "in points, a loss from 0.05 is an inaccuracy, from 0.2 a mistake, from 1 a blunder",
        ),
        (
            0.0,
            "in points, a loss from 0.001 is an inaccuracy, from 0.005 a mistake, from 0.02 a blunder",
        ),
    ] {
        let thresholds = Thresholds::usual(Points::of(start).expect("points"));
        assert_eq!(thresholds.text(), text);
        assert_eq!(thresholds.check(), Ok(()));
        for class in Class::iter() {
            assert_eq!(thresholds.class(thresholds.of(class)), Some(class));
        }
        assert_eq!(thresholds.class(Points::ZERO), None);
    }
    let wrong = Thresholds {
        inaccuracy: Points::ZERO,
        mistake: Points::whole(1),
        blunder: Points::whole(2),
        chance: None,
    };
    assert!(wrong.check().is_err());
}

#[test]
fn two_minds_differ_where_their_choices_do_and_by_what_the_judge_says() {
    let rules = Rules::default();
    let record = game("emr", rules, 7, 2);
    let review = reviewed(
        &record,
        &judge("(criteria: [(evaluator: Network(\"reference\"))])", rules),
        1,
    );
    let minds =
        ["emr", "gur"].map(|letters| Decider::new(&strategy(letters), rules).expect("it plays"));
    let mut found = Minds::default();
    let control = Control::default();
    assert_eq!(
        found.add(&review, [&minds[0], &minds[1]], 2, &control),
        Ok(true)
    );

    let players = ["emr", "gur"].map(|letters| Player::new(&strategy(letters), rules));
    let (mut positions, mut disagreed, mut differs, mut widest) = (0, 0, 0.0, Points::ZERO);
    for (index, before) in review.moments()[..review.moves()].iter().enumerate() {
        if before.board.legal_moves().len() < 2 {
            continue;
        }
        positions += 1;
        let [one, other] = [0, 1].map(|side: usize| {
            crate::strategy::Decision::now(&players[side], &before.board, before.score, |_| 0)
                .choice
        });

        // Every pair of equally probable draws.
        let pairs: Vec<bool> = one
            .iter()
            .flat_map(|a| other.iter().map(move |b| a != b))
            .collect();
        let different = pairs.iter().filter(|different| **different).count();
        disagreed += u64::from(different == pairs.len());
        differs += different as f64 / pairs.len() as f64;
        if one == other {
            continue;
        }

        let look = review.look(index).expect("judged");
        let mean = |choice: crate::game::Moves| {
            choice
                .iter()
                .map(|mv| look.loss(mv).expect("legal").to_f64())
                .sum::<f64>()
                / choice.len() as f64
        };
        let gap = Points::of(mean(other)).expect("points") - Points::of(mean(one)).expect("points");
        widest = widest.max(gap.abs());
        if let Some(disagreement) = found.widest.iter().find(|one| one.index == index) {
            assert_eq!(
                (disagreement.gap(), disagreement.choices),
                (gap, [one, other])
            );
        }
    }
    assert_eq!((found.positions, found.disagreed), (positions, disagreed));
    assert!(
        (found.differs - differs).abs() < 1e-9,
        "{} {differs}",
        found.differs
    );
    assert!(
        (disagreed as f64) < differs,
        "some leave moves that suit both: {disagreed} {differs}"
    );
    assert!(0 < disagreed && 0 < found.better.iter().sum::<u64>());
    assert_eq!(found.widest[0].gap().abs(), widest);
    assert!(
        found
            .widest
            .is_sorted_by_key(|one| std::cmp::Reverse(one.gap().abs()))
    );

    // Swapped, the result is reversed; compared with itself, there is no difference.
    let mut turned = Minds::default();
    turned
        .add(&review, [&minds[1], &minds[0]], 1, &control)
        .expect("judged");
    assert_eq!(turned.better, [found.better[1], found.better[0]]);
    assert_eq!(
        turned.difference.mean().map(|mean| -mean),
        found.difference.mean()
    );

    let mut alike = Minds::default();
    alike
        .add(&review, [&minds[0], &minds[0]], 1, &control)
        .expect("judged");
    assert_eq!((alike.disagreed, alike.difference.mean()), (0, Some(0.0)));

    // If the first move in order is played, no other counts.
    let first = Strategy {
        last_resort: LastResort::First,
        ..strategy("gur")
    };
    let first = Decider::new(&first, rules).expect("it plays");
    let before = review.moments().iter().find(|before| {
        minds[1]
            .choice(before, &CancelToken::new())
            .is_some_and(|(moves, _)| 1 < moves.len())
    });
    let before = before.expect("a position that leaves several");
    let [(all, _), (one, _)] =
        [&minds[1], &first].map(|mind| mind.choice(before, &CancelToken::new()).expect("alive"));
    assert_eq!(
        one.iter().collect::<Vec<_>>(),
        [all.first().expect("several")]
    );
    control.stop();
    assert_eq!(
        found.add(&review, [&minds[0], &minds[1]], 1, &control),
        Ok(false)
    );
    assert_eq!(
        found.games, 1,
        "nothing is added of a game that was stopped"
    );
}

/// The probability of dying within `moves` moves of the judge, computed from the rules alone.
fn plain_death(player: &Player, board: Board, p4: f64, moves: u32) -> f64 {
    let options = SearchOptions::default();
    let Some(mv) = player.decide(&board, 0, |_| 0, options, &mut ()) else {
        return 1.0;
    };
    if moves == 0 {
        return 0.0;
    }
    let after = board.slide(mv).expect("legal").after;
    let empty = after.board().empty_cells();
    let tiles = [
        (crate::game::Rank::TWO, 1.0 - p4),
        (crate::game::Rank::FOUR, p4),
    ];
    let spawns = empty
        .iter()
        .flat_map(|&cell| tiles.map(|(rank, share)| (crate::game::Spawn { cell, rank }, share)));
    spawns
        .map(|(spawn, share)| share * plain_death(player, after.spawn(spawn), p4, moves - 1))
        .sum::<f64>()
        / empty.len() as f64
}

#[test]
fn the_chance_to_die_is_that_of_all_tiles_that_may_come() {
    let folder = tempfile::tempdir().expect("a folder");
    let rules = rules("2x2", 0.1);
    let judge = judge(&table(folder.path(), rules), rules);
    let record = game("r", rules, 5, 3);
    let moments = record.replay();
    let question = DeathQuestion {
        moves: 4,
        playouts: 4000,
    };
    let death = Death::of(
        &moments,
        &judge,
        question,
        2,
        &Control::default(),
        &mut |_| {},
    )
    .expect("threads");
    let player = Player::new(&judge.at_depth(1), rules);
    assert_eq!(death.at.len(), moments.len());

    for at in &death.at {
        let chance = plain_death(&player, moments[at.index].board, 0.1, 4);
        // Four standard errors.
        let error = (chance * (1.0 - chance) / question.playouts as f64).sqrt();
        assert!(
            (at.chance() - chance).abs() <= 4.0 * error + 1e-9,
            "position {}: {chance}",
            at.index
        );
    }
    assert_eq!(
        death.at.last().map(DeathAt::chance),
        Some(1.0),
        "the last board is dead"
    );
    let last = death.last_survived();
    assert!(last.is_none_or(|last| last.is_survived() && last.index < record.steps.len()));
    let other = Death::of(
        &moments,
        &judge,
        question,
        1,
        &Control::default(),
        &mut |_| {},
    )
    .expect("threads");
    assert_eq!(death, other, "threads change no number");
}

/// The probability of a goal within `moves` moves of the judge after a slide, computed from the rules alone.
fn plain_chance(player: &Player, before: &Board, mv: Move, goal: ChanceGoal, moves: u32) -> f64 {
    let after = before.slide(mv).expect("legal").after;
    let empty = after.board().empty_cells();
    let tiles = [
        (crate::game::Rank::TWO, 0.9),
        (crate::game::Rank::FOUR, 0.1),
    ];
    let spawns = empty
        .iter()
        .flat_map(|&cell| tiles.map(|(rank, share)| (crate::game::Spawn { cell, rank }, share)));
    let chance = |board: Board| -> f64 {
        if goal == ChanceGoal::NextTile && before.max_rank() < board.max_rank() {
            return 1.0;
        }
        match player.decide(&board, 0, |_| 0, SearchOptions::default(), &mut ()) {
            None => 0.0,
            Some(_) if moves == 1 => f64::from(u8::from(goal == ChanceGoal::Survive)),
            // A tile above the largest tile of the first board stays above it.
            Some(mv) if goal == ChanceGoal::Survive || board.max_rank() == before.max_rank() => {
                plain_chance(player, &board, mv, goal, moves - 1)
            }
            Some(_) => 0.0,
        }
    };

    spawns
        .map(|(spawn, share)| share * chance(after.spawn(spawn)))
        .sum::<f64>()
        / empty.len() as f64
}

#[test]
fn a_move_costs_the_chance_that_all_tiles_that_may_come_leave_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let rules = rules("2x2", 0.1);
    let judge = judge(&table(folder.path(), rules), rules);
    let player = Player::new(&judge.at_depth(1), rules);
    let mut compared = 0;
    for goal in ChanceGoal::iter() {
        let reviews = ReviewFolder::within(&folder.path().join(goal.name()));
        let question = ChanceQuestion {
            goal,
            moves: 3,
            playouts: 2000,
        };
        for index in 0..20 {
            let record = game("r", rules, 5, index);
            let with_threads = |threads| {
                let mut review = Review::new(record.clone(), judge.clone());
                review.chance = Some(question);
                review
                    .go_on(None, threads, &Control::default(), &mut |_| {})
                    .expect("values");
                review
            };
            let review = with_threads(2);
            assert_eq!(
                review.chances,
                with_threads(1).chances,
                "threads change no number"
            );

            for verdict in review.verdicts().expect("judged") {
                let at = review.chance_at(verdict.index, &question);
                assert_eq!(
                    at.is_some(),
                    Points::ZERO < verdict.loss,
                    "games follow each move that lost points"
                );
                let Some(at) = at else { continue };
                for (mv, chance) in [verdict.mv, verdict.best].into_iter().zip(at.chances()) {
                    let exact = plain_chance(&player, &verdict.before.board, mv, goal, 3);
                    // Four and a half standard errors, because some hundred values are checked.
                    let error = (exact * (1.0 - exact) / question.playouts as f64).sqrt();
                    assert!(
                        (chance - exact).abs() <= 4.5 * error + 1e-9,
                        "{} {mv}: {exact}",
                        verdict.before.board
                    );
                }
                compared += 1;
            }

            // The worse class counts, and other questions give no class.
            let usual = Thresholds::usual(Points::whole(1_000_000_000));
            let thresholds = Thresholds {
                chance: Some(ChanceThresholds::usual(question)),
                ..usual
            };
            let report = Report::of(&review, thresholds).expect("judged");
            let certain = |at: &ChanceAt| thresholds.chance.expect("set").class(at).is_some();
            let classed = (0..review.moves())
                .filter(|&index| review.chance_at(index, &question).is_some_and(certain));
            assert_eq!(
                Class::iter()
                    .map(|class| report.classes.of(class))
                    .sum::<u64>(),
                classed.count() as u64
            );
            let other = ChanceThresholds::usual(ChanceQuestion {
                moves: 4,
                ..question
            });
            let other = Report::of(
                &review,
                Thresholds {
                    chance: Some(other),
                    ..usual
                },
            )
            .expect("judged");
            assert_eq!((other.played_on[0], other.classes), (0, ByClass::default()));

            // The file has it as well.
            reviews.write(&review, None).expect("written");
            let mut read = Review::new(record, judge.clone());
            assert!(reviews.read_into(&mut read, None).expect("readable"));
            assert_eq!(
                (&read.looks, &read.chances),
                (&review.looks, &review.chances)
            );
        }
    }

    assert!(40 < compared, "{compared}");
}

#[test]
fn answers_to_every_question_of_a_chance_are_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let rules = rules("2x2", 0.1);
    let judge = judge(&table(folder.path(), rules), rules);
    let reviews = ReviewFolder::within(folder.path());
    let record = game("r", rules, 5, 3);
    let questions = [
        (ChanceGoal::Survive, 3),
        (ChanceGoal::NextTile, 5),
        (ChanceGoal::Survive, 4),
    ]
    .map(|(goal, moves)| ChanceQuestion {
        goal,
        moves,
        playouts: 10,
    });
    let ask = |review: &mut Review, question: ChanceQuestion| {
        let mut rounds = 0;
        review.chance = Some(question);
        review
            .go_on(None, 1, &Control::default(), &mut |_| rounds += 1)
            .expect("values");
        rounds
    };
    let mut review = reviewed(&record, &judge, 1);
    let mut then = Vec::new();
    for question in questions {
        assert!(!review.answers(&question) && 0 < ask(&mut review, question));
        let answers = |review: &Review| -> Vec<Option<ChanceAt>> {
            (0..review.moves())
                .map(|index| review.chance_at(index, &question).copied())
                .collect()
        };
        then.push(answers(&review));
        assert!(then.last().expect("one").iter().any(Option::is_some));
    }

    // Back to each question: the answers are there, here and in the file, without playing again.
    reviews.write(&review, None).expect("written");
    let mut read = Review::new(record.clone(), judge.clone());
    assert!(reviews.read_into(&mut read, None).expect("readable"));

    for mut review in [review.clone(), read] {
        for (question, then) in questions.into_iter().zip(&then) {
            assert!(review.answers(&question));
            assert_eq!(ask(&mut review, question), 0);
            let now: Vec<_> = (0..review.moves())
                .map(|index| review.chance_at(index, &question).copied())
                .collect();
            assert_eq!(now, *then);
        }
    }

    // A file of version 2 had one question.
    let mut one = reviewed(&record, &judge, 1);
    ask(&mut one, questions[1]);
    let path = reviews.path_of(&one);
    std::fs::remove_file(&path).expect("a file");
    reviews.write(&one, None).expect("written");
    let bytes = std::fs::read(&path).expect("a file");
    let old = with_questions(&bytes, |head| {
        let (before, rest) = head.split_once("chances").expect("what was asked");
        let question_text = rest
            .split_once('[')
            .and_then(|(_, rest)| rest.split_once(']'))
            .expect("one question")
            .0;
        let before = before
            .replace("version:3", "version:2")
            .replace("version: 3", "version: 2");
        format!("{before}chance: {question_text})")
    });
    std::fs::write(&path, old).expect("written");
    let mut read = Review::new(record, judge);
    assert!(reviews.read_into(&mut read, None).expect("readable"));
    assert_eq!((&read.looks, &read.chances), (&one.looks, &one.chances));
}

/// A file with other questions in its first line, with a valid hash.
pub(super) fn with_questions(bytes: &[u8], other: impl Fn(&str) -> String) -> Vec<u8> {
    let end = bytes
        .iter()
        .position(|&byte| byte == b'\n')
        .expect("a first line");
    let head = other(std::str::from_utf8(&bytes[..end]).expect("text"));
    let mut made = [head.as_bytes(), &bytes[end..bytes.len() - 32]].concat();
    let hash = Sha256::digest(&made);
    made.extend(hash);
    made
}

#[test]
fn what_several_games_have_in_common_is_the_sum_of_theirs() {
    let rules = Rules::default();
    let judge = judge("(criteria: [(evaluator: Network(\"reference\"))])", rules);
    let mut several = Several::default();
    let (mut moves, mut by_game) = (0, Vec::new());
    for index in 0..3 {
        let review = reviewed(&game("emr", rules, 7, index), &judge, 2);
        let report = Report::of(&review, Thresholds::usual(Points::whole(1000))).expect("judged");
        let losses = report.losses;
        let counted: u64 = (0..LossCounts::BINS).map(|bin| losses.of(bin)).sum();
        assert_eq!(counted, review.moves() as u64);
        let none = review
            .verdicts()
            .expect("judged")
            .iter()
            .filter(|one| one.loss == Points::ZERO)
            .count();
        assert_eq!(losses.of(0), none as u64);
        moves += counted;
        by_game.push(report.by_rule.clone());
        several.add(
            format!("game {index}"),
            "emr".to_owned(),
            Some((0, index)),
            &report,
        );
    }

    // The interval of the score is the one that a run of these games shows.
    let players = several.players();
    let scores: crate::stats::ScoreCounts = (0..3)
        .map(|index| {
            game("emr", rules, 7, index)
                .replay()
                .last()
                .expect("a game")
                .score as u32
        })
        .collect();
    let shown = crate::stats::Planned(3)
        .mean_interval(&scores)
        .expect("three games");
    assert_eq!(players[0].scores.mean_interval(), Some(shown));
    let rules_of = |_: &str, blame: Blame| format!("{blame:?}");
    let one = ReviewedGames {
        title: "Three games",
        judge: "the network",
        games: &several,
        rules: &rules_of,
    };
    let places = crate::table::places_of_halves([shown.half_width()]);
    let [low, high] = [shown.low, shown.high].map(|end| crate::words::decimals(end, places));
    assert!(
        one.markdown().contains(&format!(", {low} to {high} |")),
        "{low} {high}: {}",
        one.markdown()
    );
    let counts = several.losses["emr"];
    assert_eq!(
        (0..LossCounts::BINS).map(|bin| counts.of(bin)).sum::<u64>(),
        moves
    );

    // Two formulas for the same interval.
    let (&(_, blame), sum) = several
        .by_rule
        .first_key_value()
        .expect("it lost something");
    let (mean, interval) = sum.loss_of_a_game(3);
    let mut plain = crate::stats::RunningMean::default();
    for rules in &by_game {
        plain.add(
            rules
                .iter()
                .find(|rule| rule.blame == blame)
                .map_or(0.0, |rule| rule.loss.to_f64()),
        );
    }
    let expected = interval_of(&plain).expect("three games");
    let interval = interval.expect("three games");
    assert!(
        (mean - plain.mean()).abs() < 1e-6
            && (interval.half_width() - expected.half_width()).abs() < 1e-3
    );
    for by in Grouping::iter() {
        let groups = several.groups(by, &|_, blame| format!("{blame:?}"));
        let mut places: Vec<usize> = groups
            .iter()
            .flat_map(|group| group.moves.clone())
            .collect();
        places.sort_unstable();
        assert_eq!(
            places,
            (0..several.worst.len()).collect::<Vec<_>>(),
            "each is in one group"
        );
        assert!(1 < groups.len() && groups.is_sorted_by_key(|group| std::cmp::Reverse(group.loss)));
    }

    for bin in 1..LossCounts::BINS - 1 {
        assert!(LossCounts::end(bin) < LossCounts::end(bin + 1));
    }
    assert_eq!(
        [1, 12, 29].map(LossCounts::name),
        ["below 0.001", "2 to 5", "1,000,000 and more"]
    );
}
