//! Networks in searches and in their records, against the definitions.

use afterstate::evaluator::{Evaluator, Term};
use afterstate::game::{Board, Move, Rules, Size};
use afterstate::network::{Encoding, Network, NetworkInfo, Shape};
use afterstate::search::{BarKind, SearchOptions};
use afterstate::strategy::{Decision, Player};
use afterstate::task::CancelToken;

use crate::{search, why};

/// A network with irregular weights, saved in a folder, as an evaluator.
fn network(folder: &tempfile::TempDir, size: Size, tuples: &str, stages: &[u64]) -> String {
    let shape = Shape::new(size, tuples, true, stages).expect("a shape");
    let weight =
        |place: u64| (place.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40) as f32 / 16_384.0 - 300.0;
    let weights = (0..shape.weights()).map(weight).collect();
    let path = folder
        .path()
        .join(format!("own-{size}-{}.net", stages.len()));
    let network = Network::new(NetworkInfo::of(shape, None, Vec::new()), weights);
    network.write(&path, Encoding::Whole).expect("writable");
    format!("Network({:?})", path.to_str().expect("a path"))
}

#[test]
fn every_search_with_a_network_is_the_plain_recursion() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut compared = 0;
    for (size, tuples, stages, every) in [
        ("4x4", "0123 0145 569a", &[128_u64, 16384] as &[u64], 25),
        ("3x3", "0134 012", &[], 9),
        ("2x3", "012 034", &[16], 2),
    ] {
        let size: Size = size.parse().expect("a size");
        let network = network(&folder, size, tuples, stages);
        let sums = [
            format!("Sum([(0.5, {network}), (40.0, Empty)])"),
            format!("Product({network}, Empty)"),
        ];
        let positions = search::corpus(size, every);
        for (number, lookahead) in search::LOOKAHEADS.iter().enumerate() {
            for evaluator in [&network, &sums[number % 2]] {
                let strategy = search::strategy(evaluator, lookahead);
                if strategy.check(size).is_err() {
                    continue;
                }
                let player = Player::new(
                    &strategy,
                    Rules {
                        size,
                        p4: [0.1, 0.2, 0.0, 1.0][number % 4],
                        ..Rules::default()
                    },
                );
                for (board, score) in positions.iter().skip(number % 7).step_by(7).take(8) {
                    compared += search::compare(&strategy, &player, board, *score);
                }
            }
        }
    }

    assert!(1_200 < compared, "{compared}");
}

#[test]
fn boards_with_large_tiles_are_searched_as_the_board_with_halved_ones() {
    let folder = tempfile::tempdir().expect("a folder");
    let network = network(&folder, Size::FOUR, "0123 0145", &[16384]);
    let (mut lowered, mut same, mut compared) = (0, 0, 0);

    for (kind, every) in [
        ("Expectimax(plies: Fixed(1)", 9),
        ("Expectimax(plies: Fixed(3)", 14),
        ("Minimax(nodes: 3000", 60),
    ] {
        let evaluator = if kind.contains("nodes") {
            "Snake"
        } else {
            &network
        };
        let without = search::strategy(evaluator, &format!("{kind})"));
        let with = search::strategy(evaluator, &format!("{kind}, downgrade: 32768)"));
        let halving = with.criteria[0].lookahead.clone();
        let [plain, player] =
            [&without, &with].map(|strategy| Player::new(strategy, Rules::default()));

        for (board, score) in search::corpus(Size::FOUR, every) {
            let values = |player: &Player, board: &Board| {
                let decision = Decision::now(player, board, score, |_| 0);
                let value = |mv: Move| {
                    decision.moves[mv]
                        .as_ref()
                        .and_then(|candidate| candidate.values[0])
                };
                (Move::ALL.map(value), decision.chosen)
            };
            let lower = halving.downgraded(&board);
            assert_eq!(
                lower.is_some(),
                32768 <= board.max_rank().tile() && lower != Some(board),
                "{board}"
            );

            let other = lower.unwrap_or(board);
            assert_eq!(
                values(&player, &board),
                values(&plain, &other),
                "{with} on {board}"
            );

            if let Some(lower) = lower {
                lowered += 1;
                if !kind.contains("nodes") {
                    compared += search::compare(&without, &plain, &lower, score);
                }
                let decision = Decision::of(
                    &player,
                    (&board, score),
                    |_| 0,
                    SearchOptions::default(),
                    1 << 20,
                );
                if let Some(searched) = decision.searches[0].as_ref() {
                    let tree = searched.tree.as_ref().expect("recorded");
                    assert!(
                        tree.check().is_sound() && tree.subject().board == lower,
                        "{:?}",
                        tree.check()
                    );
                    assert!(searched.depth_text().ends_with(", large tiles halved"));
                }
            } else {
                same += 1;
            }
        }
    }

    assert!(
        20 < lowered && 20 < same && 40 < compared,
        "{lowered} {same} {compared}"
    );
}

#[test]
fn what_a_network_adds_is_told_by_its_tuples() {
    let folder = tempfile::tempdir().expect("a folder");
    let network = network(&folder, Size::FOUR, "0123 0145", &[512]);
    let (mut full, mut bars, mut means) = (0, 0, 0);

    for text in [
        network.clone(),
        format!("Sum([(2.0, Empty), (-0.5, Sum([(3.0, {network})]))])"),
    ] {
        let evaluator: Evaluator = text.parse().expect("an evaluator");
        let own = evaluator.networks();
        assert_eq!((own.len(), own[0].name.as_str()), (1, "own-4x4-1"));

        for (board, score) in why::positions(7) {
            let terms = evaluator.terms_in_full(&board, score);
            let names: Vec<&str> = terms
                .iter()
                .map(|term| term.label.as_str())
                .filter(|name| *name != "Empty")
                .collect();
            assert_eq!(
                names,
                ["own-4x4-1 points", "own-4x4-1 0123", "own-4x4-1 0145"]
            );
            let (sum, value) = (
                terms.iter().map(Term::amount).sum::<f64>(),
                evaluator.evaluate(&board, score),
            );
            assert!(
                (sum - value).abs() < 1e-6,
                "{text} on {board}: {sum} {value}"
            );
            assert_eq!(evaluator.terms(&board, score).len() + 2, terms.len());
            full += usize::from(board.empty_count() == 0 && !board.legal_moves().is_empty());
        }

        for lookahead in [
            "Expectimax(plies: Fixed(1))",
            "Expectimax(plies: Fixed(3))",
            "Minimax(plies: Fixed(3))",
        ] {
            for position in why::positions(40) {
                let strategy = why::strategy(&text, lookahead);
                let Some(tree) = why::recorded(&strategy, Rules::default(), position, why::MANY)
                else {
                    continue;
                };
                for (better, other) in why::pairs(&tree) {
                    let why = tree
                        .why_in_full(better, other, &CancelToken::new())
                        .expect("two moves");
                    why::judge_why(
                        &tree,
                        &why,
                        &format!("{text} {lookahead} on {}", position.0),
                    );
                    let is_tuple = |label: &str| label.starts_with("own-4x4-1 01");
                    let is_tuple_bar =
                        |what: &BarKind| matches!(what, BarKind::Term(label) if is_tuple(label));
                    bars += why
                        .bars
                        .iter()
                        .filter(|bar| is_tuple_bar(&bar.what))
                        .count();
                    let rows = why.terms.iter().flat_map(|terms| &terms.rows);
                    means += rows.filter(|row| is_tuple(&row.label)).count();
                }
            }
        }
    }

    assert!(
        2 < full && 50 < bars && 100 < means,
        "{full} {bars} {means}"
    );
}
