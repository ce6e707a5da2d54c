//! Searches by sampling agree with plain recursions to the end of the game, and with themselves in other settings.

use std::collections::HashMap;

use afterstate::evaluator::Evaluator;
use afterstate::game::{Board, Move, Rank, Rules, Seed, Size};
use afterstate::search::{
    Ended, Lookahead, NodeId, NodeKind, NodesBy, Rule, SearchOptions, Start, Tree, TreeFormat,
    TreeKind, Ucb,
};
use afterstate::strategy::{Criterion, Decision, GameTrace, LastResort, Player, Strategy};
use afterstate::task::CancelToken;

fn strategy(evaluator: &str, lookahead: &str) -> Strategy {
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

fn board(text: &str) -> Board {
    text.parse().expect(text)
}

fn decided(evaluator: &str, lookahead: &str, on: &Board, cores: usize, cap: usize) -> Decision {
    decided_until(None, evaluator, lookahead, on, cores, cap)
}

/// The same in a game that ends at a tile.
fn decided_until(
    stop_at: Option<Rank>,
    evaluator: &str,
    lookahead: &str,
    on: &Board,
    cores: usize,
    cap: usize,
) -> Decision {
    let strategy = strategy(evaluator, lookahead);
    assert_eq!(strategy.check(on.size()), Ok(()), "{lookahead}");
    let player = Player::new(
        &strategy,
        Rules {
            size: on.size(),
            stop_at,
            ..Rules::default()
        },
    );
    let never = CancelToken::new();
    Decision::of(
        &player,
        (on, 0),
        |_| 0,
        SearchOptions::on_cores(&never, cores),
        cap,
    )
}

/// The exact expectation of the points to come, with a memory of known boards.
struct Exact {
    /// Whether the player moves at random; otherwise it plays best.
    at_random: bool,
    /// Whether the game ends at this tile.
    stop_at: Option<Rank>,
    cached: HashMap<Board, f64>,
}

impl Exact {
    fn new(at_random: bool) -> Self {
        Self {
            at_random,
            stop_at: None,
            cached: HashMap::new(),
        }
    }

    fn still_to_come(&mut self, board: &Board) -> f64 {
        if let Some(&cached) = self.cached.get(board) {
            return cached;
        }
        if self.stop_at.is_some_and(|rank| rank <= board.max_rank()) {
            return 0.0;
        }
        let values: Vec<f64> = Move::ALL
            .into_iter()
            .filter_map(|mv| self.after(board, mv))
            .collect();
        let value = match values.len() {
            0 => 0.0,
            count if self.at_random => values.iter().sum::<f64>() / count as f64,
            _ => values.into_iter().fold(0.0, f64::max),
        };
        self.cached.insert(*board, value);
        value
    }

    /// The same after a move, with the points of the move; `None` if it is not legal.
    fn after(&mut self, board: &Board, mv: Move) -> Option<f64> {
        let slide = board.slide(mv)?;
        let slid = slide.after.board();
        let cells = slid.empty_cells();
        let mut mean = 0.0;
        for (rank, chance) in [(Rank::TWO, 0.9), (Rank::FOUR, 0.1)] {
            for &cell in &cells {
                mean += chance * self.still_to_come(&slid.with(cell, rank)) / cells.len() as f64;
            }
        }
        Some(f64::from(slide.reward) + mean)
    }
}

#[test]
fn the_mean_of_playouts_is_the_exact_expectation_within_its_error() {
    for text in ["2,0/0,2", "4,2/0,2", "8,4/2,0", "2,2/4,8"] {
        let on = board(text);
        let decision = decided("Score", "MonteCarlo(playouts: 4000)", &on, 2, 0);
        let searched = decision.searches[0].as_ref().expect("searched");
        let playouts = searched.playouts.as_ref().expect("sampled");
        let mut random = Exact::new(true);
        for mv in on.legal_moves() {
            let exact = random.after(&on, mv).expect("legal");
            let sample = playouts.of_each[mv];
            let error = sample.standard_error().expect("many");
            assert_eq!(sample.count(), 4000);
            // Four standard errors: one false alarm in 16,000 numbers, and the draws are always the same.
            let off = (sample.mean() - exact).abs();
            assert!(
                off <= 4.0 * error + 1e-9,
                "{text} {mv}: {} ± {error}, exact {exact}",
                sample.mean()
            );
        }
    }
}

#[test]
fn a_growing_tree_nears_the_value_of_best_play() {
    // Short games: the tree is soon complete, and the rest of the error is the cost of trying worse moves.
    let stop_at = Rank::of_tile(16);
    for tree in ["ClosedLoop", "OpenLoop"] {
        for text in ["2,4/0,2", "4,2/0,4", "8,2/4,0"] {
            let on = board(text);
            let exact = Exact {
                stop_at,
                ..Exact::new(false)
            }
            .still_to_come(&on);
            let errors = [200, 8000].map(|playouts| {
                let lookahead = format!("Mcts(playouts: {playouts}, tree: {tree})");
                let decision = decided_until(stop_at, "Score", &lookahead, &on, 1, 0);
                let value = |mv: Move| {
                    decision.moves[mv]
                        .as_ref()
                        .and_then(|candidate| candidate.values[0])
                };
                let best = Move::ALL.into_iter().filter_map(value).fold(0.0, f64::max);
                (exact - best).abs() / exact
            });
            // An open loop chooses without seeing the spawns, so its value is lower.
            let near = if tree == "ClosedLoop" { 0.03 } else { 0.2 };
            assert!(
                errors[1] < near && errors[1] <= errors[0].max(0.02),
                "{tree} {text}: {errors:?} of {exact}"
            );
        }
    }
}

#[test]
fn every_move_gets_the_same_draws_so_that_differences_are_surer() {
    let on = board("2,4,8,16/0,8,0,32/0,2,4,64/0,0,2,128");
    let decision = decided(
        "Score",
        "MonteCarlo(playouts: 2000, policy: Strategy(\"em\"))",
        &on,
        1,
        0,
    );
    let playouts = decision.searches[0]
        .as_ref()
        .and_then(|searched| searched.playouts.clone())
        .expect("sampled");
    let lead = playouts.lead.expect("several moves");
    let [one, other] = [lead.best, lead.second].map(|mv| playouts.of_each[mv]);
    assert!(lead.is_paired && (lead.difference - (one.mean() - other.mean())).abs() < 1e-6);
    let apart = one
        .standard_error()
        .expect("many")
        .hypot(other.standard_error().expect("many"));
    assert!(
        lead.standard_error.expect("many") < apart,
        "{lead:?} {apart}"
    );
    // Moves that lead to the same board have the same value to the last bit.
    let on = board("2,0,0,0/0,0,0,0/0,0,0,0/0,0,0,0");
    let mirrored = decided("Score", "MonteCarlo(playouts: 50)", &on, 1, 0);
    assert_eq!(
        mirrored.kept[0].len(),
        1,
        "draws are for cells, not for images of boards"
    );
}

const LOOKAHEADS: [&str; 7] = [
    "MonteCarlo(playouts: 100)",
    "MonteCarlo(playouts: 3000, until: Moves(5), sure_by: 2)",
    "MonteCarlo(playouts: 40, policy: Strategy(\"emr\"), of: Reach(256))",
    "AveragedSearch(searches: 50)",
    "Mcts(playouts: 400)",
    "Mcts(playouts: 400, tree: OpenLoop, until: Moves(10), exploration: 0.5)",
    "Mcts(nodes: 20000, of: Score, seed: 5)",
];

#[test]
fn any_number_of_cores_and_any_watcher_sees_the_same_values() {
    for lookahead in LOOKAHEADS {
        for text in [
            "2,4,8,16/0,8,0,32/0,2,4,64/0,0,2,128",
            "2,4,2/4,0,8/2,16,4",
            "0,0,2,0/0,0,0,0/0,4,0,0/0,0,0,0",
        ] {
            let on = board(text);
            let alone = decided("Snake", lookahead, &on, 1, 0);
            for (cores, cap) in [(2, 0), (7, 0), (1, 1 << 20), (7, 500)] {
                let other = decided("Snake", lookahead, &on, cores, cap);
                assert_eq!(
                    (&alone.moves, alone.chosen),
                    (&other.moves, other.chosen),
                    "{lookahead} {cores} {cap}"
                );
                let [a, b] = [&alone, &other]
                    .map(|decision| decision.searches[0].as_ref().expect("searched"));
                assert_eq!((a.nodes, a.plies), (b.nodes, b.plies), "{lookahead}");
            }
        }
    }
}

#[test]
fn games_choose_what_the_window_explains() {
    for lookahead in [
        "MonteCarlo(playouts: 16)",
        "AveragedSearch(searches: 16, plies: Fixed(3))",
        "Mcts(playouts: 40)",
    ] {
        let strategy = strategy("Score", lookahead);
        let player = Player::new(&strategy, Rules::default());
        let record = GameTrace::record(&player, Seed(2), 5, &strategy, SearchOptions::default());
        for (moment, step) in record
            .replay()
            .iter()
            .zip(&record.steps)
            .step_by(17)
            .take(12)
        {
            let decision = Decision::now(&player, &moment.board, moment.score, |_| 0);
            assert_eq!(decision.chosen, Some(step.mv), "{lookahead}");
            // Without the points of the game the choice is the same.
            assert_eq!(
                Decision::now(&player, &moment.board, 0, |_| 0).chosen,
                Some(step.mv),
                "{lookahead}"
            );
        }
        let again = GameTrace::record(&player, Seed(2), 5, &strategy, SearchOptions::default());
        assert_eq!(record, again);
    }
}

#[test]
fn records_are_sound_whole_and_capped() {
    for lookahead in LOOKAHEADS {
        for (text, cap) in [
            ("2,4,8,16/0,8,0,32/0,2,4,64/0,0,2,128", 1 << 20),
            ("2,4,8,16/0,8,0,32/0,2,4,64/0,0,2,128", 200),
            ("2,4/0,2", 1 << 20),
            ("32768,32768,16,2/8,4,2,16/4,2,8,4/2,8,4,0", 1 << 20),
        ] {
            let on = board(text);
            let decision = decided("Snake", lookahead, &on, 1, cap);
            let tree = decision.searches[0]
                .as_ref()
                .and_then(|searched| searched.tree.clone())
                .expect("a tree");
            let report = tree.check();
            assert!(report.is_sound(), "{lookahead} on {text}: {report:?}");
            assert_eq!(
                (tree.search_kind(), tree.chosen),
                (TreeKind::Sampled, decision.chosen)
            );
            assert!(tree.kept() <= cap + 1);
            let root = tree.sample(tree.root()).expect("sampled").all;
            assert_eq!(
                root.count(),
                tree.playouts.as_ref().expect("sampled").total(),
                "{lookahead}"
            );

            for id in tree.children(tree.root()) {
                let Some(sample) = tree.sample(id) else {
                    continue;
                };
                assert_eq!(tree.value(id), Some(sample.all.mean()));
                let share = tree.share_of_samples(id).expect("a share");
                assert!((share - sample.all.count() as f64 / root.count() as f64).abs() < 1e-12);
                let grows = lookahead.starts_with("Mcts");
                assert_eq!(tree.ucb(id).is_some(), grows, "{lookahead}");
            }

            if cap == 1 << 20 {
                let is_cut =
                    |id| tree.rule(id) == Rule::NotExpanded && tree.kind(id) == NodeKind::Cut;
                assert!(
                    !lookahead.starts_with("Mcts") || tree.ids().any(is_cut),
                    "{lookahead} on {text}"
                );
                let (better, other) = tree.second_best().expect("two moves");
                let why = tree.why(better, other).expect("values");
                let sum: f64 = why.bars.iter().map(|bar| bar.amount).sum();
                let scale = why.values[0].abs().max(1.0);
                assert!(
                    (sum - why.difference()).abs() < 1e-9 * scale,
                    "{lookahead} on {text}: {sum}"
                );
            }
        }
    }
}

#[test]
fn a_record_says_how_often_each_node_was_seen() {
    let on = board("2,4,8,16/0,8,0,32/0,2,4,64/0,0,2,128");
    let decision = decided("Score", "Mcts(playouts: 300)", &on, 1, 1 << 20);
    let tree = decision.searches[0]
        .as_ref()
        .and_then(|searched| searched.tree.clone())
        .expect("a tree");
    assert!(matches!(tree.subject().start, Start::Choice { .. }));
    let written = |format| {
        let mut bytes = Vec::new();
        tree.write(format, &mut bytes).expect("memory");
        String::from_utf8(bytes).expect("text")
    };
    let csv = written(TreeFormat::Csv);
    let head = csv.lines().next().expect("a head");
    for column in ["value", "visits", "standard_error", "share", "how"] {
        assert!(head.split(',').any(|name| name == column), "{head}");
    }
    assert!(
        !head.contains("plies_left") && !head.contains("bound"),
        "{head}"
    );

    let json = written(TreeFormat::Json);
    let first: serde_json::Value =
        serde_json::from_str(json.lines().next().expect("a node")).expect("JSON");
    assert_eq!(first["visits"], 300);
    assert!(json.contains("\"by\":\"not_expanded\""));
    assert!(tree.write(TreeFormat::Efg, &mut Vec::new()).is_err());
    let query = "visits>=20 kind:max".parse().expect("a query");
    assert!(!tree.find(&query, &CancelToken::new()).is_empty());

    // The line follows most samples.
    let line = tree.line(Default::default(), &[]);
    assert!(2 < line.len());
}

#[test]
fn it_stops_when_the_best_is_ahead_and_no_later_than_its_cap() {
    let on = board("2,4,8,16/0,8,0,32/0,2,4,64/0,0,2,128");
    for (text, ended) in [
        ("MonteCarlo(playouts: 100000, sure_by: 1)", Ended::Sure),
        ("MonteCarlo(playouts: 48, sure_by: 50)", Ended::Spent),
        ("AveragedSearch(searches: 100000, sure_by: 1)", Ended::Sure),
    ] {
        let decision = decided("Score", text, &on, 1, 0);
        let playouts = decision.searches[0]
            .as_ref()
            .and_then(|searched| searched.playouts.clone())
            .expect("sampled");
        assert_eq!(playouts.ended, ended, "{text}");
        match ended {
            Ended::Sure => {
                let lead = playouts.lead.expect("a lead");
                assert!(
                    playouts.total() < 100_000
                        && lead.standard_error.expect("many") < lead.difference,
                    "{text}"
                );
            }
            Ended::Spent => assert!(
                Move::ALL
                    .iter()
                    .all(|&mv| matches!(playouts.of_each[mv].count(), 0 | 48))
            ),
        }
    }
}

/// How many of these seeds end early as sure, and how many of those choose a move that is not the best.
fn sure_and_wrong(
    text: &str,
    lookahead: &str,
    seeds: u64,
    is_best: impl Fn(Move) -> bool,
) -> [u64; 2] {
    let on = board(text);
    let mut counts = [0; 2];
    for seed in 0..seeds {
        let decision = decided(
            "Score",
            &lookahead.replace(')', &format!(", seed: {seed})")),
            &on,
            1,
            0,
        );
        let playouts = decision.searches[0]
            .as_ref()
            .and_then(|searched| searched.playouts.clone())
            .expect("sampled");
        if playouts.ended == Ended::Sure {
            counts[0] += 1;
            counts[1] += u64::from(!is_best(playouts.lead.expect("a lead").best));
        }
    }
    counts
}

#[test]
fn a_search_that_ends_as_sure_is_wrong_as_seldom_as_it_says_however_often_it_looks() {
    const SEEDS: u64 = 60;
    let mut all = [0; 2];
    // Some have two moves that are symmetric images, so that any early end is wrong; others a best move by a little or
    // by much.
    for text in [
        "2,0,2/0,4,0",
        "2,4/4,0",
        "2,0/0,2",
        "4,2/0,2",
        "8,4/2,0",
        "2,2/4,8",
        "2,4,0/0,2,0",
    ] {
        let on = board(text);
        let mut random = Exact::new(true);
        let values: Vec<(f64, Move)> = on
            .legal_moves()
            .iter()
            .map(|mv| (random.after(&on, mv).expect("legal"), mv))
            .collect();
        let is_best = |best: Move| {
            let value = |mv: Move| {
                values
                    .iter()
                    .find(|(_, other)| *other == mv)
                    .expect("legal")
                    .0
            };
            values
                .iter()
                .all(|&(other, mv)| mv == best || other + 1e-9 < value(best))
        };
        let [sure, wrong] = sure_and_wrong(
            text,
            "MonteCarlo(playouts: 1000, sure_by: 2)",
            SEEDS,
            is_best,
        );
        println!("{text}: {sure} sure, {wrong} wrong of {SEEDS}; {values:?}");
        // 4.6 % of 60 are 3, three standard deviations more are 7.
        assert!(wrong <= 7, "{text}: {wrong} of {SEEDS} wrong");
        all = [all[0] + sure, all[1] + wrong];
    }

    assert!(100 * all[1] <= 5 * 7 * SEEDS && SEEDS <= all[0], "{all:?}");
}

#[test]
fn a_tree_has_visits_and_means_and_no_error_of_them() {
    let on = board("2,4,8,16/0,8,0,32/0,2,4,64/0,0,2,128");
    for (lookahead, has_errors) in [
        ("Mcts(playouts: 300)", false),
        ("MonteCarlo(playouts: 64)", true),
    ] {
        let decision = decided("Score", lookahead, &on, 1, 1 << 20);
        let searched = decision.searches[0].as_ref().expect("searched");
        let playouts = searched.playouts.as_ref().expect("sampled");
        assert_eq!(
            playouts.lead.expect("a lead").standard_error.is_some(),
            has_errors,
            "{lookahead}"
        );
        for mv in on.legal_moves() {
            assert!(1 < decision.sample(0, mv).expect("sampled").count());
            assert_eq!(
                decision.standard_error(0, mv).is_some(),
                has_errors,
                "{lookahead} {mv}"
            );
        }
        let tree = searched.tree.clone().expect("a tree");
        assert_eq!(
            tree.ids().any(|id| tree.standard_error(id).is_some()),
            has_errors,
            "{lookahead}"
        );

        // A record that is read again says the same, even an old one whose head has errors of trees.
        let mut bytes = Vec::new();
        tree.write(TreeFormat::Json, &mut bytes).expect("memory");
        let written = String::from_utf8(bytes).expect("text");
        let old = written.replace(
            "\"standard_error\":null,\"is_paired\":false",
            "\"standard_error\":7.5,\"is_paired\":false",
        );
        assert_eq!(old != written, !has_errors, "{lookahead}");

        for text in [written, old] {
            let read = Tree::read(&mut text.as_bytes(), &CancelToken::new()).expect("a record");
            let lead = read
                .playouts
                .as_ref()
                .and_then(|playouts| playouts.lead)
                .expect("a lead");
            assert_eq!(lead.standard_error.is_some(), has_errors, "{lookahead}");
            assert_eq!(
                read.ids().any(|id| read.standard_error(id).is_some()),
                has_errors,
                "{lookahead}"
            );
        }
        let query = "error<1000000".parse().expect("a query");
        assert_eq!(
            tree.find(&query, &CancelToken::new()).is_empty(),
            !has_errors,
            "{lookahead}"
        );
    }
}

#[test]
fn a_tree_that_is_to_end_when_sure_is_refused_in_one_sentence() {
    let strategy = strategy("Score", "Mcts(playouts: 500, sure_by: 3)");
    let sentence = strategy
        .check(Size::FOUR)
        .expect_err("a tree is never sure")
        .to_string();
    assert!(
        sentence.starts_with("row 1: Mcts cannot use sure_by") && sentence.contains("leave it out"),
        "{sentence}"
    );
    // It is still read, so that files with this setting open.
    assert_eq!(strategy.to_string().parse(), Ok(strategy));
}

#[test]
fn an_averaged_search_lies_between_random_playouts_and_hindsight() {
    // If both moves of the player are seen, each draw is a search that knows its spawns.
    let on = board("2,4/0,2");
    let decision = decided(
        "Score",
        "AveragedSearch(searches: 400, plies: Fixed(9))",
        &on,
        1,
        0,
    );
    let mut random = Exact::new(true);
    for mv in on.legal_moves() {
        let value = decision.moves[mv]
            .as_ref()
            .and_then(|candidate| candidate.values[0])
            .expect("a value");
        assert!(
            random.after(&on, mv).expect("legal") < value,
            "{mv}: {value}"
        );
    }
    let one = decided(
        "Empty",
        "AveragedSearch(searches: 3, plies: Fixed(1))",
        &on,
        1,
        0,
    );
    let plain = decided("Empty", "OnePly", &on, 1, 0);
    assert_eq!(one.chosen, plain.chosen);
}

#[test]
fn what_a_playout_cannot_play_is_refused_in_one_sentence() {
    let refused = |lookahead: &str| {
        let strategy = strategy("Score", lookahead);
        strategy.check(Size::FOUR).expect_err(lookahead).to_string()
    };

    for (lookahead, reason) in [
        (
            "MonteCarlo(policy: Strategy(\"monte-carlo\"))",
            "is not a strategy: write letters",
        ),
        (
            "MonteCarlo(policy: Strategy(\"(criteria: [(evaluator: Score, lookahead: Mcts())])\"))",
            "plays playouts",
        ),
        (
            "Mcts(policy: Strategy(\"(criteria: [(evaluator: Score), (evaluator: Empty, lookahead: Minimax(time_ms: 5))])\"))",
            "row 2 of the playout policy has a time limit",
        ),
        (
            "MonteCarlo(policy: Strategy(\"(criteria: [(evaluator: Weights([1, 2]))])\"))",
            "the playout policy: row 1: Weights has 2",
        ),
        ("MonteCarlo(playouts: 0)", "row 1: playouts is 0"),
    ] {
        let sentence = refused(lookahead);
        assert!(
            sentence.contains(reason) && !sentence.contains('\n'),
            "{lookahead}: {sentence}"
        );
    }

    let deep = "MonteCarlo(playouts: 2, policy: Strategy(\"(criteria: [(evaluator: Snake, lookahead: Expectimax(plies: Fixed(2)))])\"), until: Moves(3))";
    assert_eq!(strategy("Score", deep).check(Size::FOUR), Ok(()));
    let on = board("2,4,8,16/0,8,0,32/0,2,4,64/0,0,2,128");
    assert!(decided("Score", deep, &on, 1, 0).chosen.is_some());
}

#[test]
fn it_stops_when_it_is_asked_to() {
    let on = board("2,4,8,16/0,8,0,32/0,2,4,64/0,0,2,128");
    for lookahead in [
        "MonteCarlo(playouts: 10000000)",
        "Mcts(playouts: 10000000)",
        "AveragedSearch(searches: 10000000)",
    ] {
        for cores in [1, 2] {
            let player = &Player::new(&strategy("Score", lookahead), Rules::default());
            let on = &on;
            let stop = CancelToken::new();
            let chosen = std::thread::scope(|scope| {
                let options = SearchOptions::on_cores(&stop, cores);
                let decision =
                    scope.spawn(move || Decision::of(player, (on, 0), |_| 0, options, 0));
                std::thread::sleep(std::time::Duration::from_millis(30));
                stop.cancel();
                decision.join().expect("no panic").chosen
            });
            assert_eq!(chosen, None, "{lookahead}");
        }
    }
}

#[test]
fn a_node_of_a_growing_tree_explains_how_often_it_was_tried() {
    let on = board("2,4,8,16/0,8,0,32/0,2,4,64/0,0,2,128");
    for nodes_by in [NodesBy::ClosedLoop, NodesBy::OpenLoop] {
        let lookahead = format!("Mcts(playouts: 500, tree: {nodes_by:?}, exploration: 1.5)");
        let decision = decided("Score", &lookahead, &on, 1, 1 << 20);
        let tree = decision.searches[0]
            .as_ref()
            .and_then(|searched| searched.tree.clone())
            .expect("a tree");
        let ucb: Vec<_> = tree
            .children(tree.root())
            .filter_map(|id| tree.ucb(id))
            .collect();
        assert_eq!(ucb.iter().map(|ucb| ucb.tried).sum::<u64>(), 500);
        for terms in &ucb {
            let expected =
                1.5 * terms.deviation * (afterstate::math::ln(500.0) / terms.tried as f64).sqrt();
            assert!(
                (terms.exploration - expected).abs() < 1e-9 && terms.all == 500,
                "{terms:?}"
            );
            assert!((terms.bound() - terms.mean - expected).abs() < 1e-9);
        }
        let below: Vec<_> = tree
            .ids()
            .filter(|&id| tree.depth(id) == 3)
            .filter_map(|id| tree.ucb(id))
            .collect();
        let shares = |boards: u64| (1 < boards) == (nodes_by == NodesBy::OpenLoop);
        assert!(
            !below.is_empty() && below.iter().all(|terms| shares(terms.boards)),
            "{nodes_by:?}"
        );
    }
}

#[test]
fn the_move_of_the_largest_bound_is_tried_next() {
    let on = board("2,4,8,16/0,8,0,32/0,2,4,64/0,0,2,128");
    for nodes_by in [NodesBy::ClosedLoop, NodesBy::OpenLoop] {
        let grown = |playouts: u64| {
            let lookahead =
                format!("Mcts(playouts: {playouts}, tree: {nodes_by:?}, exploration: 0.7)");
            let decision = decided("Score", &lookahead, &on, 1, 1 << 20);
            decision.searches[0]
                .as_ref()
                .and_then(|searched| searched.tree.clone())
                .expect("a tree")
        };

        // Nodes that samples went through, by the path to them, which does not change with another playout.
        let way = |tree: &Tree, id: NodeId| format!("{:?}", tree.links_to(id));
        let sampled = |tree: &Tree| -> HashMap<String, NodeId> {
            tree.ids()
                .filter(|&id| tree.sample(id).is_some())
                .map(|id| (way(tree, id), id))
                .collect()
        };
        let mut seen = [0; 3];
        let mut tree = grown(300);
        for playouts in 301..420 {
            let (next, before) = (grown(playouts), sampled(&tree));
            let visits =
                |tree: &Tree, id: NodeId| tree.sample(id).map_or(0, |sample| sample.all.count());
            let grew = |id: NodeId| {
                visits(&next, id)
                    != before
                        .get(&way(&next, id))
                        .map_or(0, |&before| visits(&tree, before))
            };

            // Follows the path of the new playout as far as the earlier record has it.
            let mut at = next.root();
            while let Some(slide) = next.children(at).find(|&slide| grew(slide))
                && let Some(&place) = before.get(&way(&next, at))
            {
                let bounds: Vec<_> = tree
                    .children(place)
                    .map(|id| (tree.slide(id), tree.ucb(id)))
                    .collect();
                if !bounds.is_empty() && bounds.iter().all(|(_, ucb)| ucb.is_some()) {
                    let bound = |ucb: &Option<Ucb>| ucb.expect("tried").bound();
                    let most = bounds
                        .iter()
                        .map(|(_, ucb)| bound(ucb))
                        .fold(f64::NEG_INFINITY, f64::max);
                    let taken = bounds
                        .iter()
                        .find(|(mv, _)| *mv == next.slide(slide))
                        .expect("it is legal");
                    assert!(
                        most - bound(&taken.1) <= 1e-9 * most.abs(),
                        "{nodes_by:?}, playout {playouts}: {bounds:?}"
                    );
                    seen[(tree.depth(place) as usize / 2).min(2)] += 1;
                }
                let Some(spawn) = next.children(slide).find(|&spawn| grew(spawn)) else {
                    break;
                };
                at = spawn;
            }

            tree = next;
        }

        assert!(
            seen[0] == 119 && 10 < seen[1] && (nodes_by == NodesBy::ClosedLoop || 10 < seen[2]),
            "{seen:?}"
        );
    }
}

#[test]
fn texts_read_back_in_strategies_and_lookaheads_keep_their_kind() {
    for lookahead in LOOKAHEADS {
        let strategy = strategy("Score", lookahead);
        let text = strategy.to_string();
        assert_eq!(text.parse(), Ok(strategy.clone()), "{text}");
        assert_eq!(
            text.parse::<Strategy>().map(|read| read.hash()).ok(),
            Some(strategy.hash())
        );
        let lookahead: &Lookahead = &strategy.criteria[0].lookahead;
        assert!(lookahead.searches() && lookahead.plies().is_none() && strategy.looks_ahead());
        assert_eq!(lookahead.twin().name(), "Expectimax");
    }
    assert!(Evaluator::Score.uses_score());
}
