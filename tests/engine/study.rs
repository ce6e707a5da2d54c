//! Results over many positions agree with the decision on each.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::time::{Duration, Instant};

use afterstate::analysis::{
    Evidence, Example, Finding, FindingKind, Group, Position, RowEvidence, Sample, Scope, Scored,
    agreement, confirm, cost, findings, orders, players, tree_sizes,
};
use afterstate::game::{Board, Move, Moves, Rules, Seed};
use afterstate::prose;
use afterstate::search::SearchOptions;
use afterstate::strategy::{ChoiceTrace, Decision, GameTrace, Player, Strategy, compositions};
use afterstate::task::{CancelToken, Control};

const SEARCHING: &str =
    "(criteria: [(evaluator: Empty, lookahead: Expectimax(plies: Fixed(2))), (evaluator: Score)])";

/// Weights such that no two sums over tiles are equal.
const ROOTS: &str = "[1.41421356, 1.7320508, 2.2360679, 2.6457513, 3.3166247, 3.6055512, 4.1231056, 4.3588989, 4.7958315, \
                     5.3851648, 5.5677643, 6.0827625, 6.4031242, 6.5574385, 6.8556546, 7.2801098]";

/// Longer than any game takes.
const EVER: Duration = Duration::from_secs(1000);

fn strategy(text: &str) -> Strategy {
    text.parse()
        .unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn player(text: &str) -> Player {
    Player::new(&strategy(text), Rules::default())
}

fn rows(rows: &str) -> Strategy {
    strategy(&format!("(criteria: [{rows}])"))
}

fn sample(text: &str, most: usize) -> Sample {
    Sample::play(&player(text), 1, most, EVER, &CancelToken::new())
}

fn choice(player: &Player, position: &Position) -> Moves {
    choice_at(player, &Scored::of(position))
}

fn choice_at(player: &Player, position: &Scored) -> Moves {
    ChoiceTrace::of(
        player,
        &position.board,
        position.score,
        SearchOptions::default(),
    )
    .expect("a live board")
}

#[test]
fn a_sample_is_of_the_positions_of_its_games() {
    for (text, most) in [("emr", 100), ("emr", 1_000_000), (SEARCHING, 50)] {
        let (strategy, player) = (strategy(text), player(text));
        let limit = if most == 1_000_000 {
            Duration::from_millis(30)
        } else {
            EVER
        };
        let sample = Sample::play(&player, 7, most, limit, &CancelToken::new());
        assert!(sample.positions.len() <= most && !sample.positions.is_empty());
        assert!(limit != EVER || sample.positions.len() == most);
        let mut games = HashMap::new();
        for (index, position) in sample.positions.iter().enumerate() {
            let record = games.entry(position.game).or_insert_with(|| {
                GameTrace::record(
                    &player,
                    Seed(7),
                    position.game,
                    &strategy,
                    SearchOptions::default(),
                )
            });
            let moments = record.replay();
            let moment = moments[position.moves as usize];
            assert_eq!(
                (moment.board, moment.score),
                (position.board, position.score)
            );
            assert_eq!(
                position.left as usize,
                record.steps.len() - position.moves as usize
            );
            assert!(1 < position.board.legal_moves().len());
            let before = index.checked_sub(1).map(|before| &sample.positions[before]);
            assert!(
                before.is_none_or(
                    |before| (before.game, before.moves) < (position.game, position.moves)
                )
            );
        }
        assert!(games.keys().all(|game| *game < sample.games));
    }
}

#[test]
fn evidence_counts_what_decisions_say() {
    let off = "(criteria: [(evaluator: Score, off: true), (evaluator: Empty), (evaluator: Monotonicity, tolerance: 1), \
               (evaluator: Uniformity)])";
    for (text, games) in [
        ("emr", 20),
        ("geumr", 5),
        ("r", 3),
        (off, 5),
        (SEARCHING, 1),
    ] {
        let (strategy, player) = (strategy(text), player(text));
        let evidence = Evidence::gather(&player, 3, games, None, &Control::default());
        let mut counted = Evidence {
            seed: 3,
            games,
            rows: vec![RowEvidence::default(); strategy.criteria.len()],
            took: evidence.took,
            took_whole: evidence.took_whole,
            ..Evidence::default()
        };

        for game in 0..games {
            let record =
                GameTrace::record(&player, Seed(3), game, &strategy, SearchOptions::default());
            for (index, moment) in record.replay().iter().take(record.steps.len()).enumerate() {
                let position = Position {
                    board: moment.board,
                    score: moment.score,
                    game,
                    moves: index as u32,
                    left: 0,
                };
                let decision = Decision::now(&player, &moment.board, moment.score, |_| 0);
                let mut left = decision.legal();
                if left.len() == 1 {
                    counted.forced += 1;
                    continue;
                }

                counted.decisions += 1;
                counted.last_resort += u64::from(1 < decision.choice.len());

                for (row, counted) in counted.rows.iter_mut().enumerate() {
                    if decision.was_needed(row) {
                        let kept = decision.kept[row];
                        let values = left
                            .iter()
                            .filter_map(|mv| decision.moves[mv].as_ref()?.values[row]);
                        let (low, high) = values
                            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| {
                                (low.min(v), high.max(v))
                            });
                        counted.widest = counted.widest.max(high - low);
                        counted.asked += 1;
                        counted.left += kept.len() as u64;
                        if kept.len() == 1 {
                            counted.decided += 1;
                            counted.example.get_or_insert(position);
                        }
                        if kept == left {
                            counted.passed += 1;
                            counted.tie.get_or_insert(position);
                        }
                        left = kept;
                    }
                }
            }
        }
        assert_eq!(evidence, counted, "{text}");

        // Every decision is counted once.
        let decided: u64 = evidence.rows.iter().map(|row| row.decided).sum();
        assert_eq!(decided + evidence.last_resort, evidence.decisions, "{text}");

        for row in &evidence.rows {
            assert!(row.decided <= row.asked && row.passed + row.decided <= row.asked);
            assert!(
                row.mean_left()
                    .is_none_or(|left| (1.0..=4.0).contains(&left))
            );
        }
    }
}

#[test]
fn evidence_ends_in_time_and_counts_no_decision_in_part() {
    let slow = "(criteria: [(evaluator: Empty), (evaluator: Score, lookahead: Expectimax(plies: Fixed(9)))])";
    let started = Instant::now();
    let evidence = Evidence::gather(
        &player(slow),
        1,
        100,
        Some(Duration::from_millis(150)),
        &Control::default(),
    );
    assert!(started.elapsed() < EVER, "{:?}", started.elapsed());
    assert!(evidence.is_cut && evidence.games < 100);
    let decided: u64 = evidence.rows.iter().map(|row| row.decided).sum();
    assert_eq!(decided + evidence.last_resort, evidence.decisions);
    let stop = CancelToken::new();
    stop.cancel();
    let nothing = Evidence::gather(&player("emr"), 1, 100, None, &Control::quiet(&stop));
    assert_eq!((nothing.games, nothing.decisions), (0, 0));
}

/// Groups of strategies by their choices on each position, found by playing each of them.
fn groups_by_playing(
    strategies: &[Strategy],
    sample: &Sample,
    rules: Rules,
) -> BTreeSet<BTreeSet<String>> {
    let mut groups: BTreeMap<Vec<String>, BTreeSet<String>> = BTreeMap::new();
    for strategy in strategies {
        let player = Player::new(strategy, rules);
        // The moves that are drawn from, and the move under two ways to break ties.
        let chosen = |position: &Position| {
            let pick = |tie: fn(usize) -> usize| {
                player.decide(
                    &position.board,
                    position.score,
                    tie,
                    SearchOptions::default(),
                    &mut (),
                )
            };
            format!(
                "{:?} {:?} {:?}",
                choice(&player, position),
                pick(|_| 0),
                pick(|n| n - 1)
            )
        };
        let key = sample.positions.iter().map(chosen).collect();
        groups.entry(key).or_default().insert(strategy.to_string());
    }
    groups.into_values().collect()
}

fn texts(orders: &afterstate::analysis::Orders) -> BTreeSet<BTreeSet<String>> {
    let plain = |strategy: Strategy| {
        Strategy {
            parent: None,
            ..strategy
        }
        .to_string()
    };
    orders
        .groups
        .iter()
        .map(|group| group.strategies().map(plain).collect())
        .collect()
}

#[test]
fn the_65_compositions_fall_into_the_groups_that_playing_them_finds() {
    let (strategy, rules) = (strategy("emugr"), Rules::default());
    let sample = sample("emugr", 800);
    let found = orders(
        &strategy,
        rules,
        Scope::Arrangements,
        &sample,
        0,
        &Control::default(),
    )
    .expect("orders");
    assert_eq!(
        (found.orders, found.all, found.positions, found.is_cut),
        (65, 65, 800, false)
    );
    let all = compositions("emugr").expect("letters");
    assert_eq!(texts(&found), groups_by_playing(&all, &sample, rules));
    assert!(
        (2..60).contains(&found.groups.len()),
        "{} groups",
        found.groups.len()
    );
    assert_eq!(found.groups[0].orders[0].text(&strategy), "emugr");
    assert_eq!(found.groups[0].differs_at, None);
    for group in &found.groups[1..] {
        let position = group.differs_at.expect("a position");
        let [first, other] = [&found.groups[0], group].map(|group| {
            choice_at(
                &Player::new(&group.strategies().next().expect("an order"), rules),
                &position,
            )
        });
        assert_ne!(first, other);
    }
}

#[test]
fn orders_agree_with_decisions_for_every_kind_of_row() {
    let mixed = "(evaluator: Empty, tolerance: 1), (evaluator: Monotonicity, prefer: Lower), (evaluator: Inert), \
                 (evaluator: Score, off: true), (evaluator: Snake)";
    let searched = "(evaluator: Empty, lookahead: Expectimax(plies: Fixed(2))), (evaluator: Monotonicity, tolerance: 2), \
                    (evaluator: Corner, lookahead: Minimax(plies: Fixed(3), cuts: [AlphaBeta])), \
                    (evaluator: Snake, lookahead: Expectimax(nodes: 60))";
    let sample = sample("emr", 60);

    for (text, all) in [(mixed, 24), (searched, 24)] {
        let (strategy, rules) = (rows(text), Rules::default());
        let found = orders(
            &strategy,
            rules,
            Scope::Permutations,
            &sample,
            0,
            &Control::default(),
        )
        .expect("orders");
        assert_eq!((found.orders, found.all), (all, all));
        let strategies: Vec<Strategy> = found
            .groups
            .iter()
            .flat_map(|group| group.strategies().collect::<Vec<_>>())
            .map(|strategy| Strategy {
                parent: None,
                ..strategy
            })
            .collect();
        assert_eq!(strategies.len(), all);
        assert_eq!(
            texts(&found),
            groups_by_playing(&strategies, &sample, rules),
            "{text}"
        );
    }
}

#[test]
fn a_row_that_says_nothing_may_stand_anywhere() {
    let strategy = rows("(evaluator: Inert), (evaluator: Empty), (evaluator: Monotonicity)");
    let found = orders(
        &strategy,
        Rules::default(),
        Scope::Permutations,
        &sample("emr", 500),
        0,
        &Control::default(),
    )
    .expect("orders");
    let orders: Vec<Vec<String>> = found
        .groups
        .iter()
        .map(|group| {
            group
                .orders
                .iter()
                .map(|order| order.text(&strategy))
                .collect()
        })
        .collect();
    assert_eq!(
        orders,
        [["1 2 3", "2 1 3", "2 3 1"], ["1 3 2", "3 1 2", "3 2 1"]]
    );
}

/// The moves of a game.
fn moves(strategy: &Strategy, game: u64) -> Vec<Move> {
    let player = Player::new(strategy, Rules::default());
    let record = GameTrace::record(&player, Seed(5), game, strategy, SearchOptions::default());
    record.steps.iter().map(|step| step.mv).collect()
}

#[test]
fn games_confirm_a_group_or_divide_it_where_they_part() {
    let rules = Rules::default();
    let strategy = rows("(evaluator: Inert), (evaluator: Empty), (evaluator: Monotonicity)");
    let sample = sample("emr", 300);
    let mut found = orders(
        &strategy,
        rules,
        Scope::Permutations,
        &sample,
        0,
        &Control::default(),
    )
    .expect("orders");
    for group in &found.groups {
        let confirmation = confirm(group, rules, 5, 40, &Control::default());
        let parts: Vec<_> = confirmation
            .parts
            .iter()
            .map(|part| (&part.orders[..], part.parted))
            .collect();
        assert_eq!(
            (confirmation.games, parts),
            (40, vec![(&[0, 1, 2][..], None)])
        );
    }

    // Both groups, merged into one.
    let apart = found.clone();
    let other = found.groups.remove(1);
    found.groups[0].orders.extend(other.orders);
    let wrong = found.groups[0].clone();
    let confirmation = confirm(&wrong, rules, 5, 40, &Control::default());
    let [same, parted] = &confirmation.parts[..] else {
        panic!("{confirmation:?}")
    };
    assert_eq!(
        (confirmation.games, &same.orders[..], same.parted),
        (40, &[0, 1, 2][..], None)
    );
    assert_eq!(parted.orders, [3, 4, 5]);
    let parting = parted.parted.expect("a game parts them");
    let strategies: Vec<Strategy> = wrong.strategies().collect();
    assert_eq!(parting.from, 0);
    assert_ne!(
        moves(&strategies[0], parting.game),
        moves(&strategies[3], parting.game)
    );
    assert!(
        (0..parting.game)
            .all(|earlier| moves(&strategies[0], earlier) == moves(&strategies[3], earlier))
    );
    let left = |order: usize| choice_at(&Player::new(&strategies[order], rules), &parting.at);
    assert_ne!(left(0), left(3));

    // After the division they are as before.
    found.split(0, &confirmation);
    let groups = |orders: &afterstate::analysis::Orders| {
        orders
            .groups
            .iter()
            .map(|group| (group.orders.clone(), group.differs_at.is_some()))
            .collect::<Vec<_>>()
    };
    assert_eq!(groups(&found), groups(&apart));
}

/// Groups of the compositions of some letters as the window finds them.
fn compared(letters: &str, scope: Scope) -> afterstate::analysis::Orders {
    let (strategy, rules, stop) = (strategy(letters), Rules::default(), CancelToken::new());
    let sample = Sample::of_several(&players(&strategy, rules), 1, 10_000, EVER, &stop);
    orders(
        &strategy,
        rules,
        scope,
        &sample,
        30_000,
        &Control::default(),
    )
    .expect("orders")
}

#[test]
fn orders_that_part_seldom_are_told_apart() {
    let found = compared("emugr", Scope::Permutations);
    assert_eq!(found.positions, 40_000);
    let group_of = |name: &str| {
        let has = |group: &Group| {
            group
                .strategies()
                .any(|strategy| strategy.letters().as_deref() == Some(name))
        };
        found
            .groups
            .iter()
            .position(has)
            .unwrap_or_else(|| panic!("{name} is in no group"))
    };
    // They leave other moves here, where few games come.
    let board = "8,0,0,0/4,4,2,0/2,16,2,0/2,8,2,0".parse().expect("a board");
    let [one, other] =
        ["gemur", "gumer"].map(|name| choice_at(&player(name), &Scored { board, score: 80 }));
    assert_ne!(one, other);
    assert_ne!(group_of("gemur"), group_of("gumer"));
    assert_eq!(found.groups.len(), 16);
}

/// Boards that are not made by the program's own method: cells filled one after another.
fn foreign_boards(number: u64) -> Vec<Scored> {
    let boards = (0..number).filter_map(|index| {
        let chance = Seed(99).game(index);
        let kinds = 2 + chance.place_draw(0) % 7;
        let cells = (1..=16).map(|cell| match chance.place_draw(cell) % (kinds + 1) {
            0 => "0".to_owned(),
            rank => (1_u64 << rank).to_string(),
        });
        let board: Board = cells
            .collect::<Vec<_>>()
            .join(" ")
            .parse()
            .expect("sixteen tiles");
        (1 < board.legal_moves().len()).then_some(Scored {
            board,
            score: 4 * (chance.place_draw(17) % 1000),
        })
    });
    boards.collect()
}

#[test]
fn what_foreign_positions_tell_apart_is_told_apart() {
    let boards = foreign_boards(3000);
    let found = compared("emugr", Scope::Arrangements);
    assert_eq!(found.groups.len(), 36);
    for group in &found.groups {
        let players: Vec<Player> = group
            .strategies()
            .map(|strategy| Player::new(&strategy, Rules::default()))
            .collect();
        for position in &boards {
            let left: Vec<Moves> = players
                .iter()
                .map(|player| choice_at(player, position))
                .collect();
            let names: Vec<String> = group
                .orders
                .iter()
                .map(|order| order.text(&group.base))
                .collect();
            assert!(
                left.iter().all(|moves| *moves == left[0]),
                "{} {}: {names:?}",
                position.board,
                position.score
            );
        }
    }
}

#[test]
fn more_orders_than_can_be_compared_are_drawn_and_said_to_be() {
    let letters = [
        "Empty",
        "Monotonicity",
        "Uniformity",
        "Score",
        "Corner",
        "Snake",
        "MaxTile",
        "Smoothness",
        "Inert",
    ];
    let strategy = rows(
        &letters
            .map(|name| format!("(evaluator: {name})"))
            .join(", "),
    );
    let sample = sample("emr", 30);
    for (scope, all) in [
        (Scope::Permutations, 362_880),
        (Scope::Arrangements, 986_410),
    ] {
        let once = || {
            orders(
                &strategy,
                Rules::default(),
                scope,
                &sample,
                40,
                &Control::default(),
            )
            .expect("orders")
        };
        let found = once();
        assert!(
            found.is_cut && found.orders < all && 5000 < found.orders,
            "{}",
            found.orders
        );
        assert_eq!(found.all, all);
        let orders: Vec<_> = found
            .groups
            .iter()
            .flat_map(|group| &group.orders)
            .collect();
        assert_eq!(orders.iter().collect::<BTreeSet<_>>().len(), found.orders);
        assert_eq!(found.groups[0].orders[0].0, (0..9).collect::<Vec<_>>());
        assert_eq!(found, once(), "drawn by the seed");
    }
}

#[test]
fn what_depends_on_the_machine_has_no_orders() {
    let strategy =
        rows("(evaluator: Empty), (evaluator: Score, lookahead: Expectimax(time_ms: 5))");
    let error = orders(
        &strategy,
        Rules::default(),
        Scope::Permutations,
        &sample("emr", 5),
        0,
        &Control::default(),
    )
    .expect_err("it is refused")
    .to_string();
    assert!(error.contains("row 2 has a time limit"), "{error}");
}

fn found(strategy: &Strategy, sample: &Sample) -> Vec<Finding> {
    let stop = CancelToken::new();
    let without = findings(strategy, Rules::default(), sample, None, &stop);
    let evidence = Evidence::gather(
        &Player::new(strategy, Rules::default()),
        2,
        5,
        None,
        &Control::quiet(&stop),
    );
    let with = findings(strategy, Rules::default(), sample, Some(&evidence), &stop);
    let kinds = |findings: &[Finding]| {
        findings
            .iter()
            .map(|finding| (finding.row, finding.kind))
            .collect::<Vec<_>>()
    };
    assert_eq!(kinds(&without), kinds(&with), "{strategy}");
    with
}

#[test]
fn findings_are_found_where_they_are() {
    use FindingKind::{Constant, NeverReached, NotSymmetric, Odd, Repeats, TolerantBeyondRange};
    let sample = sample("emr", 600);
    // Distinguishes any two boards.
    let distinct = format!("(evaluator: Weights({ROOTS}))");

    for (text, expected) in [
        ("(evaluator: Empty), (evaluator: Monotonicity)", vec![]),
        (
            "(evaluator: Empty, tolerance: 1), (evaluator: Monotonicity), (evaluator: Empty)",
            vec![],
        ),
        (
            "(evaluator: Inert, off: true), (evaluator: MonotoneSum, off: true), (evaluator: Empty)",
            vec![],
        ),
        (
            "(evaluator: Empty), (evaluator: Inert)",
            vec![(1, Constant)],
        ),
        (
            "(evaluator: Empty), (evaluator: Sum([(3.0, Empty)]))",
            vec![(1, Constant)],
        ),
        (
            "(evaluator: Empty), (evaluator: Monotonicity), (evaluator: Empty, prefer: Lower)",
            vec![(2, Repeats)],
        ),
        (
            "(evaluator: Empty, tolerance: 16), (evaluator: Score)",
            vec![(0, TolerantBeyondRange)],
        ),
        (
            "(evaluator: MonotoneSum), (evaluator: Empty)",
            vec![(0, NotSymmetric)],
        ),
        (
            "(evaluator: Weights(\"a\"), lookahead: Expectimax(plies: Fixed(2)))",
            vec![(0, NotSymmetric)],
        ),
        (
            "(evaluator: Empty, lookahead: Expectimax(plies: Fixed(2), cuts: [AlphaBeta])), (evaluator: Score)",
            vec![(0, Odd)],
        ),
        (
            &format!("{distinct}, (evaluator: Empty)"),
            vec![(0, NotSymmetric), (1, NeverReached)],
        ),
    ] {
        let strategy = rows(text);
        let found = found(&strategy, &sample);
        let kinds: Vec<_> = found
            .iter()
            .map(|finding| (finding.row, finding.kind))
            .collect();
        assert_eq!(kinds, expected, "{text}: {found:?}");

        for finding in &found {
            let (
                Finding {
                    row, kind, example, ..
                },
                reason,
            ) = (finding, prose::finding(finding, &strategy));
            assert!(
                reason.starts_with(&format!("Row {}", row + 1)) || *kind == Odd,
                "{reason}"
            );
            assert_eq!(example.is_some(), *kind != Odd, "{text}");
            if let Some(Example::Position { board, score }) = example {
                let position = sample
                    .positions
                    .iter()
                    .find(|position| position.board == *board)
                    .expect("of the sample");
                assert_eq!(position.score, *score);
                let decision = Decision::now(
                    &Player::new(&strategy, Rules::default()),
                    board,
                    *score,
                    |_| 0,
                );
                match kind {
                    NeverReached => assert!(!decision.was_needed(*row)),
                    // It is evaluated there, and keeps all its moves.
                    _ => {
                        let before = row
                            .checked_sub(1)
                            .map_or(decision.legal(), |before| decision.kept[before]);
                        assert!(
                            decision.was_needed(*row) && decision.kept[*row] == before,
                            "{text}"
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn pairs_of_boards_are_images_with_other_values() {
    let sample = sample("emr", 300);
    for text in [
        "MonotoneSum",
        "SmoothnessPrinted",
        "Weights(\"a\")",
        "Sum([(1.0, Empty), (2.0, Weights(\"b\"))])",
    ] {
        let strategy = rows(&format!("(evaluator: {text})"));
        let found = found(&strategy, &sample);
        let pair = found
            .iter()
            .find(|finding| finding.kind == FindingKind::NotSymmetric)
            .expect(text);
        let Some(Example::Pair {
            board,
            image,
            values,
            symmetry,
        }) = &pair.example
        else {
            panic!("{pair:?}")
        };
        let canonical = |board: &afterstate::game::Board| {
            board.as_packed().expect("small").crossed().canonical()
        };
        assert_eq!(canonical(board), canonical(image));

        let position = sample
            .positions
            .iter()
            .find(|position| position.board == *board)
            .expect("of the sample");
        let value = |board| {
            strategy.criteria[0]
                .evaluator
                .evaluate(board, position.score)
        };
        assert_eq!(*values, (value(board), value(image)));
        assert_ne!(values.0, values.1);
        let reason = prose::finding(pair, &strategy);
        assert!(reason.contains(symmetry.name()), "{reason}");

        // No board with fewer tiles would show it: each of them has the same value when rotated.
        let tiles = |board: &afterstate::game::Board| 16 - board.empty_count();
        for smaller in sample
            .positions
            .iter()
            .filter(|position| tiles(&position.board) < tiles(board))
        {
            let packed = smaller.board.as_packed().expect("small");
            for symmetry in afterstate::game::Symmetry::ALL {
                let turned = afterstate::game::Board::from_grid(symmetry.board(packed).into());
                let value = |board| {
                    strategy.criteria[0]
                        .evaluator
                        .evaluate(board, smaller.score)
                };
                assert!(
                    (value(&turned) - value(&smaller.board)).abs() <= 1e-9,
                    "{text}: {turned}"
                );
            }
        }
    }
}

#[test]
fn a_strategy_agrees_with_itself_and_phases_add_up() {
    let sample = sample("emr", 500);
    for text in ["emr", "r", SEARCHING] {
        let (a, b) = (player(text), player(text));
        let found = agreement(&a, &b, &sample, &CancelToken::new());
        assert_eq!((found.all.same, found.all.n), (500, 500));
        assert_eq!(found.compatible, found.all);
        assert!(found.disagreements.is_empty());
    }

    let (a, b) = (player("emr"), player("gr"));
    let found = agreement(&a, &b, &sample, &CancelToken::new());
    let alike = |position: &&Position| choice(&a, position) == choice(&b, position);
    let meet = |position: &&Position| !(choice(&a, position) & choice(&b, position)).is_empty();
    assert_eq!(
        found.all.same as usize,
        sample.positions.iter().filter(alike).count()
    );
    assert_eq!(
        found.compatible.same as usize,
        sample.positions.iter().filter(meet).count()
    );
    assert!(found.all.same < found.compatible.same && found.compatible.same < 500);
    let apart: Vec<Position> = sample
        .positions
        .iter()
        .filter(|position| !alike(position))
        .copied()
        .take(200)
        .collect();
    assert_eq!(found.disagreements, apart);
    for phases in [
        found.by_empty.values().copied().collect::<Vec<_>>(),
        found.by_largest.values().copied().collect(),
    ] {
        let sum = |number: fn(&afterstate::analysis::Share) -> u64| {
            phases.iter().map(number).sum::<u64>()
        };
        assert_eq!(
            (sum(|share| share.same), sum(|share| share.n)),
            (found.all.same, found.all.n)
        );
    }

    for (empty, share) in &found.by_empty {
        let of_phase = sample
            .positions
            .iter()
            .filter(|position| position.board.empty_count() == *empty);
        assert_eq!(share.n as usize, of_phase.count());
    }
    let share = found.all;
    assert!(
        share
            .interval()
            .expect("trials")
            .contains(share.value().expect("trials"))
    );
}

#[test]
fn a_decision_costs_something_and_a_deeper_one_more() {
    let cost_of = |text: &str| {
        cost(
            &player(text),
            1,
            Duration::from_millis(200),
            &CancelToken::new(),
        )
    };
    let (plain, shallow) = (cost_of("emr"), cost_of(SEARCHING));
    let deeper =
        cost_of("(criteria: [(evaluator: Empty, lookahead: Expectimax(plies: Fixed(4)))])");
    for cost in [plain, shallow, deeper] {
        assert!(cost.decisions != 0 && !cost.per_decision.is_zero());
        assert!(cost.spread.0 <= cost.spread.1, "{cost:?}");
        assert!(cost.per_second().is_some_and(|speed| 0.0 < speed));
    }
    assert_eq!(plain.nodes_per_decision, None);
    let positions = sample("emr", 60).positions;
    let sizes = |text: &str| tree_sizes(&player(text), &positions, &CancelToken::new());
    let [shallow_sizes, again, deeper_sizes] = [2, 2, 3].map(|plies| {
        sizes(&format!(
            "(criteria: [(evaluator: Empty, lookahead: Expectimax(plies: Fixed({plies})))])"
        ))
    });
    assert_eq!(
        (&shallow_sizes, sizes("emr").len()),
        (&again, 0),
        "from empty tables"
    );
    assert_eq!(
        shallow_sizes
            .values()
            .map(|size| size.decisions)
            .sum::<u64>(),
        60
    );
    for (empty, size) in &shallow_sizes {
        let here: Vec<_> = positions
            .iter()
            .filter(|position| position.board.empty_count() == *empty)
            .collect();
        assert_eq!(size.decisions, here.len() as u64);
        assert!(
            size.mean() < deeper_sizes[empty].mean(),
            "{empty} empty cells"
        );
    }
    assert!(shallow.nodes_per_decision < deeper.nodes_per_decision);
    assert!(
        plain.per_decision < shallow.per_decision && shallow.per_decision < deeper.per_decision
    );
    let endless =
        cost_of("(criteria: [(evaluator: Empty, lookahead: Expectimax(plies: Fixed(30)))])");
    assert_eq!((endless.decisions, endless.per_second()), (0, None));
    // Its CPU time may be any part of the limit if the computer is busy.
    assert!(!endless.per_decision.is_zero() && endless.per_decision < EVER);
}
