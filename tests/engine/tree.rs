//! The record of a search agrees with the search: its values, its nodes, its cuts.

use std::sync::Arc;

use afterstate::game::{Board, Move, Rank, Rules, Seed, Size};
use afterstate::prose;
use afterstate::search::{Bound, Link, NodeId, NodeKind, NotSearched, Origin, SearchOptions, Tree};
use afterstate::strategy::{Criterion, Decision, GameTrace, LastResort, Player, Prefer, Strategy};
use afterstate::task::CancelToken;
use strum::IntoEnumIterator as _;

const MANY: usize = 1 << 20;

const BOARD: &str = "2,4,8,16/0,8,0,32/0,2,4,64/0,0,2,128";

const LOOKAHEADS: &[&str] = &[
    "Expectimax(plies: Fixed(1))",
    "Expectimax(plies: Fixed(2))",
    "Expectimax(plies: Fixed(3))",
    "Expectimax(plies: Fixed(4))",
    "Expectimax(plies: Fixed(4), dead: Zero)",
    "Expectimax(plies: Fixed(3), spawn: Sum)",
    "Expectimax(plies: Fixed(4), spawn: Sum, dead: Zero)",
    "Expectimax(plies: Fixed(4), spawn: MinCell)",
    "Expectimax(plies: Fixed(4), spawn: MeanOfMin)",
    "Expectimax(plies: Fixed(5), cuts: [Reach(0.01)])",
    "Expectimax(plies: Fixed(5), dead: Zero, cuts: [Reach(0.0033)])",
    "Expectimax(plies: Fixed(5), cuts: [ImportantCells(k: 2)])",
    "Expectimax(plies: Fixed(4), spawn: MinCell, cuts: [ImportantCells(k: 4)])",
    "Expectimax(plies: Fixed(5), cuts: [Reach(0.01), ImportantCells(k: 3)])",
    "Minimax(plies: Fixed(1))",
    "Minimax(plies: Fixed(2))",
    "Minimax(plies: Fixed(3))",
    "Minimax(plies: Fixed(4), dead: Zero)",
    "Minimax(plies: Fixed(4), cuts: [Reach(0.02)])",
    "Minimax(plies: Fixed(5), cuts: [ImportantCells(k: 2)])",
    "Minimax(plies: Fixed(4), cuts: [AlphaBeta])",
    "Minimax(plies: Fixed(5), cuts: [AlphaBeta])",
    "Minimax(plies: Fixed(5), cuts: [AlphaBeta, ImportantCells(k: 3)])",
    "Minimax(plies: Fixed(5), dead: Lost, cuts: [AlphaBeta, WorstSpawns])",
    "Minimax(plies: Fixed(4), cuts: [AlphaBeta, Reach(0.01)])",
    "Expectimax(nodes: 3000)",
    "Minimax(nodes: 2000, cuts: [AlphaBeta])",
];

const EVALUATORS: &[&str] = &[
    "Monotonicity",
    "Weights(\"c\")",
    "Sum([(1.0, Score), (50.0, Empty)])",
    "Empty",
    "Lines()",
    "Snake",
    "Corner",
];

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

/// Positions of a real game, each third with its largest tiles raised to 131072.
fn positions(size: Size, every: usize) -> Vec<(Board, u64)> {
    let emr: Strategy = "emr".parse().expect("letters");
    let player = Player::new(
        &emr,
        Rules {
            size,
            ..Rules::default()
        },
    );
    let moments = GameTrace::record(&player, Seed(91), 0, &emr, SearchOptions::default()).replay();
    let chosen = moments
        .iter()
        .step_by(every)
        .chain(moments.iter().rev().take(4));
    let raise = |board: Board| {
        let by = 17_u8.saturating_sub(board.max_rank().get());
        board
            .cells()
            .filter(|(_, rank)| 2 < rank.get())
            .fold(board, |board, (cell, rank)| {
                board.with(cell, Rank::new(rank.get() + by).expect("at most 17"))
            })
    };

    chosen
        .enumerate()
        .map(|(number, moment)| match number % 3 {
            2 => (raise(moment.board), moment.score + 1_000_000),
            _ => (moment.board, moment.score),
        })
        .collect()
}

fn inspect(player: &Player, board: &Board, score: u64, cores: usize, cap: usize) -> Decision {
    Decision::of(
        player,
        (board, score),
        |_| 0,
        SearchOptions::on_cores(&CancelToken::new(), cores),
        cap,
    )
}

fn tree(decision: &Decision) -> Option<Arc<Tree>> {
    decision.searches[0]
        .as_ref()
        .and_then(|searched| searched.tree.clone())
}

/// Checks that hold for every record, whatever was searched.
fn judge(decision: &Decision, plain: &Decision, what: &str) {
    assert_eq!(decision.moves, plain.moves, "{what}");
    assert_eq!(decision.chosen, plain.chosen, "{what}");
    let (Some(searched), Some(counted)) = (&decision.searches[0], &plain.searches[0]) else {
        assert!(decision.legal().len() < 2, "{what}");
        return;
    };
    assert_eq!(
        (searched.counts, searched.plies, searched.bounds),
        (counted.counts, counted.plies, counted.bounds)
    );
    assert!(counted.tree.is_none());
    let tree = searched.tree.as_ref().expect("a tree");
    let report = tree.check();
    assert!(report.is_sound(), "{what}: {}", prose::self_check(&report));
    assert_eq!(tree.counts, searched.counts, "{what}");
    assert_eq!(
        searched.nodes,
        tree.counts.total() - tree.counts.stubs() + tree.elsewhere,
        "{what}"
    );

    let stubs = tree.nodes().filter(|node| node.value.is_none()).count() as u64;
    if tree.left_out() == 0 {
        assert_eq!(tree.kept() as u64, searched.counts.total(), "{what}");
        assert_eq!(tree.counts.stubs(), stubs, "{what}");
        assert_eq!(report.unsure, 0, "{what}");
        for kind in NodeKind::iter() {
            let nodes = tree.ids().filter(|&id| tree.kind(id) == kind).count() as u64;
            assert_eq!(nodes, searched.counts.of(kind), "{what}: {}", kind.name());
        }
        assert!(
            tree.nodes().all(|node| node.order == u64::from(node.id.0)),
            "{what}"
        );
    }
    assert_eq!(
        tree.below(tree.root()) + 1,
        searched.counts.total(),
        "{what}"
    );

    // The nodes in the record and those left out, counted at their parents, are all nodes.
    let left_out: u64 = tree.ids().map(|id| tree.left_out_at(id)).sum();
    assert_eq!(left_out, tree.left_out(), "{what}");

    for child in tree.children(tree.root()) {
        let Some(Link::Slide(mv)) = tree.link(child) else {
            panic!("{what}: the root has slides")
        };
        let candidate = decision.moves[mv].as_ref().expect("legal");
        let node = tree.node(child);
        assert_eq!(node.value, candidate.values[0], "{what}");
        assert_eq!(node.bound, searched.bounds[mv], "{what}");
        assert_eq!(node.board, candidate.after, "{what}");
        assert_eq!(
            node.score,
            decision.score + u64::from(candidate.reward),
            "{what}"
        );
        assert_eq!(
            (node.reach, node.plies_left),
            (1.0, searched.plies - 1),
            "{what}"
        );
    }
}

#[test]
fn every_kind_of_search_is_recorded_as_it_was() {
    let positions = positions(Size::FOUR, 17);
    let mut kinds = [0; 7];
    for (number, evaluator) in EVALUATORS.iter().enumerate() {
        for (other, lookahead) in LOOKAHEADS.iter().enumerate() {
            let rules = Rules {
                p4: [0.1, 0.2, 0.0][(number + other) % 3],
                ..Rules::default()
            };
            let player = Player::new(&strategy(evaluator, lookahead), rules);
            for (board, score) in positions.iter().skip((number + 3 * other) % 9).step_by(9) {
                let what = format!("{evaluator} {lookahead} on {board}");
                let plain = Decision::now(&player, board, *score, |_| 0);
                let recorded = inspect(&player, board, *score, 1, MANY);
                judge(&recorded, &plain, &what);
                if let Some(tree) = tree(&recorded) {
                    for (count, kind) in kinds.iter_mut().zip(NodeKind::iter()) {
                        *count += tree.counts.of(kind);
                    }
                }
            }
        }
    }

    assert!(kinds.iter().all(|&count| 100 < count), "{kinds:?}");
}

#[test]
fn a_search_on_two_cores_is_recorded_in_the_order_of_its_moves() {
    let positions = positions(Size::FOUR, 40);
    for lookahead in [
        "Expectimax(plies: Fixed(5), cuts: [Reach(0.001)])",
        "Minimax(plies: Fixed(4))",
    ] {
        for evaluator in ["Monotonicity", "Weights(\"b\")"] {
            let player = Player::new(&strategy(evaluator, lookahead), Rules::default());
            for (board, score) in positions.iter().step_by(3) {
                let what = format!("{lookahead} on {board}");
                for cap in [MANY, 300] {
                    let recorded = inspect(&player, board, *score, 2, cap);
                    let Some(tree) = tree(&recorded) else {
                        continue;
                    };
                    let report = tree.check();
                    assert!(report.is_sound(), "{what}: {}", prose::self_check(&report));
                    assert!(tree.kept() <= cap, "{what}");
                    let one = inspect(&player, board, *score, 1, cap);
                    for mv in recorded.legal() {
                        let value = |decision: &Decision| {
                            decision.moves[mv].as_ref().and_then(|c| c.values[0])
                        };
                        assert_eq!(value(&recorded), value(&one), "{what}");
                    }
                    let moves: Vec<Option<Link>> = tree
                        .children(tree.root())
                        .map(|child| tree.link(child))
                        .collect();
                    assert_eq!(
                        moves,
                        recorded
                            .legal()
                            .iter()
                            .map(|mv| Some(Link::Slide(mv)))
                            .collect::<Vec<_>>()
                    );
                    assert!(
                        tree.ids()
                            .skip(1)
                            .all(|id| tree.order(NodeId(id.0 - 1)) < tree.order(id)),
                        "{what}"
                    );
                }
            }
        }
    }
}

#[test]
fn every_size_is_recorded() {
    for (size, plies) in [
        ("2x2", 6),
        ("2x4", 5),
        ("3x3", 4),
        ("4x3", 3),
        ("5x5", 2),
        ("5x5", 3),
    ] {
        let size: Size = size.parse().expect(size);
        for lookahead in [
            format!("Expectimax(plies: Fixed({plies}))"),
            format!("Minimax(plies: Fixed({plies}), cuts: [AlphaBeta])"),
            format!("Expectimax(plies: Fixed({plies}), dead: Zero, cuts: [Reach(0.005)])"),
        ] {
            let player = Player::new(
                &strategy("Monotonicity", &lookahead),
                Rules {
                    size,
                    ..Rules::default()
                },
            );
            for (board, score) in positions(size, 30).into_iter().take(6) {
                let plain = Decision::now(&player, &board, score, |_| 0);
                judge(
                    &inspect(&player, &board, score, 1, MANY),
                    &plain,
                    &format!("{lookahead} on {board}"),
                );
            }
        }
    }
}

#[test]
fn a_capped_record_holds_what_is_most_probable_and_counts_the_rest() {
    let positions = positions(Size::FOUR, 60);
    let mut large = 0;
    for lookahead in [
        "Expectimax(plies: Fixed(4))",
        "Expectimax(plies: Fixed(6))",
        "Expectimax(plies: Fixed(5), cuts: [ImportantCells(k: 4)])",
        "Minimax(plies: Fixed(4), cuts: [AlphaBeta])",
        "Expectimax(nodes: 20000)",
    ] {
        let player = Player::new(&strategy("Monotonicity", lookahead), Rules::default());
        for (board, score) in &positions {
            let whole = inspect(&player, board, *score, 1, MANY);
            let Some(all) = tree(&whole) else { continue };
            for cap in [1, 2, 7, 100, 1000, 5000, 20_000] {
                let what = format!("{lookahead} on {board}, at most {cap}");
                let capped = inspect(&player, board, *score, 1, cap);
                judge_capped(&capped, &whole, cap, &what);
                let some = tree(&capped).expect("a tree");

                // The nodes of the whole record that are probable enough, the first of several at the limit, and no
                // others.
                let considered = |node: &afterstate::search::NodeView| match node.origin {
                    Origin::Unimportant { considered, .. } => {
                        let above = all.node(node.parent.expect("not the root"));
                        let Some(Link::Spawn(spawn)) = node.link else {
                            panic!("{what}: a spawn")
                        };
                        let p = if spawn.rank == Rank::TWO { 0.9 } else { 0.1 };
                        above.reach * p / f64::from(considered)
                    }
                    _ => node.reach,
                };

                let surer = all
                    .nodes()
                    .filter(|node| some.least_reach < considered(node))
                    .count();
                let mut at_edge = some.kept() - surer;
                let expected: Vec<u64> = all
                    .nodes()
                    .filter(|node| {
                        let is_first = considered(node) == some.least_reach && at_edge != 0;
                        at_edge -= usize::from(is_first);
                        is_first || some.least_reach < considered(node)
                    })
                    .map(|node| node.order)
                    .collect();
                let orders: Vec<u64> = some.nodes().map(|node| node.order).collect();
                assert_eq!(orders, expected, "{what}");
                assert_eq!(some.kept(), cap.min(all.kept()), "{what}");
            }

            large += usize::from(1 << 15 < all.kept());
        }
    }

    assert!(1 < large, "nodes were dropped on the way");
}

fn judge_capped(capped: &Decision, whole: &Decision, cap: usize, what: &str) {
    let (some, all) = (tree(capped).expect("a tree"), tree(whole).expect("a tree"));
    assert!(some.kept() <= cap, "{what}: {}", some.kept());
    assert_eq!(some.counts, all.counts, "{what}");
    assert_eq!(
        some.kept() as u64 + some.left_out(),
        all.kept() as u64,
        "{what}"
    );
    assert_eq!(some.left_out() == 0, some.least_reach == 0.0, "{what}");
    let left_out: u64 = some.ids().map(|id| some.left_out_at(id)).sum();
    assert_eq!(left_out, some.left_out(), "{what}");
    let report = some.check();
    assert!(report.is_sound(), "{what}: {}", prose::self_check(&report));
    assert_eq!(report.unsure == 0, some.left_out() == 0, "{what}");
    assert_eq!(
        (&capped.moves, capped.chosen),
        (&whole.moves, whole.chosen),
        "{what}"
    );
}

#[test]
fn the_way_to_a_node_is_the_way_down() {
    let player = Player::new(
        &strategy("Monotonicity", "Expectimax(plies: Fixed(3))"),
        Rules::default(),
    );
    let (board, score) = positions(Size::FOUR, 50)[2];
    let tree = tree(&inspect(&player, &board, score, 1, MANY)).expect("a tree");
    let root = tree.root();
    assert_eq!(
        (tree.parent(root), tree.path(root), tree.depth(root)),
        (None, vec![root], 0)
    );

    for node in tree.nodes() {
        assert_eq!(node, tree.node(node.id));
        let path = tree.path(node.id);
        assert_eq!((path.first(), path.last()), (Some(&root), Some(&node.id)));
        assert_eq!(path.len() as u32, tree.depth(node.id) + 1);
        assert_eq!(node.plies_left, 3 - tree.depth(node.id));
        for two in path.windows(2) {
            assert_eq!(tree.parent(two[1]), Some(two[0]));
            assert!(tree.children(two[0]).any(|child| child == two[1]));
        }
        assert_eq!(
            node.evaluation,
            node.value
                .filter(|_| node.kind == NodeKind::Leaf || node.kind == NodeKind::Dead)
        );
    }
}

#[test]
fn a_stored_value_is_that_of_the_node_it_refers_to() {
    let mut cached = 0;
    for (evaluator, lookahead) in [
        ("Monotonicity", "Expectimax(plies: Fixed(5))"),
        (
            "Sum([(1.0, Score), (50.0, Empty)])",
            "Expectimax(plies: Fixed(5))",
        ),
        (
            "Weights(\"a\")",
            "Minimax(plies: Fixed(6), cuts: [AlphaBeta])",
        ),
    ] {
        let player = Player::new(&strategy(evaluator, lookahead), Rules::default());
        let board: Board = BOARD.parse().expect("a board");
        let tree = tree(&inspect(&player, &board, 0, 1, MANY)).expect("a tree");
        for node in tree.nodes() {
            let Origin::Stored {
                node: stored,
                plies,
            } = node.origin
            else {
                continue;
            };
            let stored = tree.node(stored.expect("it is in the record"));
            assert!(stored.order < node.order && stored.kind != NodeKind::Cached);
            assert_eq!(
                (stored.value, stored.plies_left, plies),
                (node.value, node.plies_left, node.plies_left)
            );
            assert_eq!(stored.board.tile_sum(), node.board.tile_sum());
            cached += 1;
        }
    }
    assert!(100 < cached, "{cached}");
}

/// Cuts of each kind, searched afterwards, compared with the search without them.
#[test]
fn what_was_skipped_is_searched_with_the_same_code() {
    let order = SearchOptions::default();
    let board: Board = BOARD.parse().expect("a board");
    let recorded = |evaluator: &str, lookahead: &str, cap: usize| {
        let player = Player::new(&strategy(evaluator, lookahead), Rules::default());
        let decision = inspect(&player, &board, 0, 1, cap);
        let tree = tree(&decision).expect("a tree");
        assert!(tree.check().is_sound());
        tree
    };
    let mut seen = 0;
    // Improbable: as deep as the remaining plies.
    let tree = recorded(
        "Weights(\"c\")",
        "Expectimax(plies: Fixed(5), cuts: [Reach(0.02)])",
        MANY,
    );
    for node in tree
        .nodes()
        .filter(|node| matches!(node.origin, Origin::TooImprobable { .. }))
        .step_by(7)
    {
        let skipped = tree.search_skipped(node.id, MANY, order).expect("skipped");
        let report = skipped.tree.check();
        assert!(report.is_sound(), "{}", prose::self_check(&report));
        assert_eq!(
            (skipped.before, skipped.tree.value(skipped.tree.root())),
            (node.value, Some(skipped.value))
        );
        assert_eq!(skipped.tree.node(skipped.tree.root()).board, node.board);
        let effect = skipped.effect.expect("nothing is left out");
        assert_eq!(Some(effect.before), tree.value(tree.path(node.id)[1]));
        seen += 1;
    }

    // Out of bounds: the choice remains whatever the result.
    let tree = recorded(
        "Weights(\"c\")",
        "Minimax(plies: Fixed(4), cuts: [AlphaBeta])",
        MANY,
    );
    for node in tree
        .nodes()
        .filter(|node| matches!(node.origin, Origin::OutOfBounds { .. }))
        .step_by(5)
    {
        let skipped = tree.search_skipped(node.id, MANY, order).expect("skipped");
        assert!(skipped.tree.check().is_sound());
        assert_eq!(skipped.before, None);
        assert!(!skipped.effect.expect("nothing is left out").changes_choice);
        seen += 1;
    }

    // Left out by the limit of nodes: the same nodes.
    let all = recorded("Monotonicity", "Expectimax(plies: Fixed(4))", MANY);
    let some = recorded("Monotonicity", "Expectimax(plies: Fixed(4))", 500);
    for node in some
        .nodes()
        .filter(|node| node.left_out != 0 && node.id != some.root())
        .step_by(3)
    {
        let skipped = some.search_skipped(node.id, MANY, order).expect("skipped");
        // The search on another symmetric image adds up in another order.
        let recorded = node.value.expect("searched");
        assert!(
            (skipped.value - recorded).abs() <= 1e-12 * recorded.abs(),
            "{} {recorded}",
            skipped.value
        );
        let report = skipped.tree.check();
        assert!(report.is_sound(), "{}", prose::self_check(&report));
        let whole = all
            .nodes()
            .find(|other| other.order == node.order)
            .expect("kept");
        assert_eq!(whole.board, node.board);
        assert!(
            whole.below < skipped.tree.counts.total(),
            "the table may have known some of it"
        );
        // The same holds for a smaller record.
        let cap = (skipped.tree.kept() * 9 / 10).max(1);
        let capped = some
            .search_skipped(node.id, cap, order)
            .expect("skipped")
            .tree;
        let least = capped.least_reach * (1.0 - 1e-12);
        assert!(
            capped.left_out() == 0 || 0.0 < least && least <= capped.subject().reach,
            "{least}"
        );
        assert!(capped.nodes().all(|node| least <= node.reach), "{least}");
        seen += 1;
    }

    // Unimportant: with its cell considered.
    let tree = recorded(
        "Weights(\"c\")",
        "Expectimax(plies: Fixed(4), cuts: [ImportantCells(k: 1)])",
        MANY,
    );
    for node in tree
        .nodes()
        .filter(|node| matches!(node.origin, Origin::Unimportant { .. }))
        .step_by(11)
    {
        let skipped = tree.search_skipped(node.id, MANY, order).expect("skipped");
        assert!(skipped.tree.check().is_sound());
        assert!(skipped.effect.is_some());
        seen += 1;
    }
    assert!(50 < seen, "{seen}");

    let leaf = tree
        .nodes()
        .find(|node| node.kind == NodeKind::Leaf)
        .expect("a leaf");
    assert_eq!(
        tree.search_skipped(leaf.id, MANY, order),
        Err(NotSearched::NothingSkipped(leaf.id))
    );
    let stop = CancelToken::new();
    stop.cancel();
    let cut = tree
        .nodes()
        .find(|node| node.kind == NodeKind::Cut)
        .expect("a cut");
    assert_eq!(
        tree.search_skipped(cut.id, MANY, SearchOptions::on_one_core(&stop)),
        Err(NotSearched::Stopped)
    );
}

/// If nothing is cut below, a skipped node has the value of the search without cuts; otherwise it may differ.
#[test]
fn what_is_still_cut_below_is_counted_and_may_change_the_value() {
    let board: Board = "8,32,1024,2048/4,8,256,256/2,4,4,4/0,2,0,0"
        .parse()
        .expect("a board");
    let recorded = |lookahead: &str| {
        let player = Player::new(&strategy("Snake", lookahead), Rules::default());
        tree(&inspect(&player, &board, 0, 1, MANY)).expect("a tree")
    };
    let tree = recorded("Expectimax(plies: Fixed(7), cuts: [Reach(0.2)])");
    let whole = recorded("Expectimax(plies: Fixed(7))");
    let twin = |id: NodeId| {
        let from_root = tree.path(id);
        from_root.iter().skip(1).try_fold(whole.root(), |at, &id| {
            whole
                .children(at)
                .find(|&child| whole.link(child) == tree.link(id))
        })
    };
    let (mut exact, mut others) = (0, 0);

    for cut in tree
        .nodes()
        .filter(|node| matches!(node.origin, Origin::TooImprobable { .. }))
    {
        let skipped = tree
            .search_skipped(cut.id, MANY, SearchOptions::default())
            .expect("skipped");
        let cuts = skipped
            .tree
            .nodes()
            .filter(|node| matches!(node.origin, Origin::TooImprobable { .. }))
            .count();
        assert_eq!(skipped.still_cut, cuts as u64);
        let on = tree
            .search_on(cut.id, 2, MANY, SearchOptions::default())
            .expect("searched on");
        assert_eq!((on.still_cut, on.value), (skipped.still_cut, skipped.value));
        // Below a cached node the whole search has no nodes.
        let Some(value) = twin(cut.id).and_then(|id| whole.value(id)) else {
            continue;
        };
        let is_same = (skipped.value - value).abs() <= 1e-9 * value.abs();
        assert!(
            is_same || skipped.still_cut != 0,
            "{:?}: {} {value}",
            cut.id,
            skipped.value
        );
        exact += u32::from(is_same && skipped.still_cut == 0);
        others += u32::from(!is_same);
    }

    assert!(10 < exact && 0 < others, "{exact} {others}");
}

#[test]
fn an_effect_is_the_difference_in_the_value_of_the_move() {
    let board: Board = BOARD.parse().expect("a board");
    let lookahead = "Expectimax(plies: Fixed(5), cuts: [Reach(0.5)])";
    let player = Player::new(&strategy("Weights(\"c\")", lookahead), Rules::default());
    let tree = tree(&inspect(&player, &board, 0, 1, MANY)).expect("a tree");
    let cut = tree
        .nodes()
        .find(|node| node.kind == NodeKind::Cut)
        .expect("a cut");
    let skipped = tree
        .search_skipped(cut.id, MANY, SearchOptions::default())
        .expect("skipped");
    let effect = skipped.effect.expect("complete");
    let above = tree.node(cut.parent.expect("below the root"));
    // The cut afterstate is one of the slides of a board; its mean counts with the probability of the spawn before.
    let best = |value: f64| {
        tree.children(above.id)
            .map(|child| {
                if child == cut.id {
                    value
                } else {
                    tree.value(child).expect("searched")
                }
            })
            .fold(f64::NEG_INFINITY, f64::max)
    };

    let expected = above.probability.expect("a spawn")
        * (best(skipped.value) - best(cut.value.expect("evaluated")));
    let found = effect.after - effect.before;
    assert!(
        (found - expected).abs() <= 1e-9 * effect.before.abs(),
        "{found} {expected}"
    );
}

#[test]
fn who_wants_the_least_gets_a_tree_of_the_least() {
    for lookahead in [
        "Expectimax(plies: Fixed(3))",
        "Minimax(plies: Fixed(4), cuts: [AlphaBeta])",
    ] {
        let mut strategy = strategy("Monotonicity", lookahead);
        strategy.criteria[0].prefer = Prefer::Lower;
        strategy.criteria[0].tolerance = 0.5;
        let player = Player::new(&strategy, Rules::default());
        for (board, score) in positions(Size::FOUR, 40) {
            let plain = Decision::now(&player, &board, score, |_| 0);
            let recorded = inspect(&player, &board, score, 1, MANY);
            judge(&recorded, &plain, &format!("{lookahead} on {board}"));
            let Some(tree) = tree(&recorded) else {
                continue;
            };
            let values = recorded
                .moves
                .iter()
                .filter_map(|(_, candidate)| candidate.as_ref()?.values[0]);
            assert_eq!(tree.value(tree.root()), values.min_by(f64::total_cmp));
            assert_eq!(
                (tree.kind(tree.root()), tree.node(tree.root()).origin),
                (NodeKind::Max, Origin::MinOf)
            );
        }
    }
}

#[test]
fn deepening_records_its_last_depth() {
    let player = Player::new(
        &strategy("Monotonicity", "Expectimax(nodes: 5000)"),
        Rules::default(),
    );
    let (board, score) = positions(Size::FOUR, 50)[1];
    let to_depth = |plies| {
        let lookahead = format!("Expectimax(plies: Fixed({plies}), nodes: 1000000000)");
        let player = Player::new(&strategy("Monotonicity", &lookahead), Rules::default());
        let decision = inspect(&player, &board, score, 1, MANY);
        decision.searches[0]
            .as_ref()
            .and_then(|searched| searched.tree.clone())
            .expect("a tree")
    };
    let decision = inspect(&player, &board, score, 1, MANY);
    let searched = decision.searches[0].as_ref().expect("searched");
    let tree = searched.tree.as_ref().expect("a tree");
    assert_eq!(tree.subject().plies, searched.plies);
    assert!(
        0 < tree.elsewhere && searched.nodes <= 5000 + 4096,
        "{}",
        searched.nodes
    );
    assert_eq!(searched.nodes, tree.elsewhere + tree.counts.total());

    // The limit ended a deeper search; without a limit the shallower depths are the same.
    assert!(
        0 < tree.unfinished && tree.unfinished < tree.elsewhere,
        "{} of {}",
        tree.unfinished,
        tree.elsewhere
    );
    let whole = to_depth(searched.plies);
    assert_eq!(
        (whole.unfinished, whole.elsewhere),
        (0, tree.elsewhere - tree.unfinished)
    );

    // The recorded search does not reuse anything of the timed one.
    let player = Player::new(
        &strategy("Monotonicity", "Expectimax(time_ms: 5)"),
        Rules::default(),
    );
    let decision = inspect(&player, &board, score, 1, MANY);
    let timed = decision.searches[0].as_ref().expect("searched");
    let (tree, whole) = (timed.tree.as_ref().expect("a tree"), to_depth(timed.plies));
    assert_eq!(
        (&tree.counts, tree.elsewhere - tree.unfinished),
        (&whole.counts, whole.elsewhere)
    );
}

#[test]
fn criteria_without_a_search_have_no_record() {
    let two: Strategy =
        "(criteria: [(evaluator: Empty, tolerance: 100), (evaluator: Monotonicity, lookahead: Expectimax())])"
            .parse()
            .expect("RON");
    let player = Player::new(&two, Rules::default());
    let (board, score) = positions(Size::FOUR, 50)[1];
    let decision = inspect(&player, &board, score, 1, MANY);
    assert_eq!(decision.searches[0], None);
    let tree = decision.searches[1]
        .as_ref()
        .and_then(|searched| searched.tree.as_ref())
        .expect("a tree");
    assert_eq!(tree.chosen, decision.chosen);
    let stop = CancelToken::new();
    stop.cancel();
    let stopped = Decision::of(
        &player,
        (&board, score),
        |_| 0,
        SearchOptions::on_one_core(&stop),
        MANY,
    );
    assert_eq!((stopped.chosen, &stopped.searches[1]), (None, &None));
}

#[test]
fn sentences_name_the_depth_and_the_bounds() {
    let board: Board = BOARD.parse().expect("a board");
    let sentence = |lookahead: &str| {
        let strategy = strategy("Weights(\"c\")", lookahead);
        let decision = Decision::now(&Player::new(&strategy, Rules::default()), &board, 0, |_| 0);
        (prose::decision::sentence(&decision, &strategy), decision)
    };
    let (text, _) = sentence("Expectimax(plies: Fixed(4))");
    assert!(
        text.contains(" at Expectimax of Weights c, 2 moves + 2 spawns ("),
        "{text}"
    );
    let (text, decision) = sentence("Minimax(plies: Fixed(4), cuts: [AlphaBeta])");
    let bounded = decision
        .legal()
        .iter()
        .any(|mv: Move| decision.bound(0, mv) == Bound::Upper);
    assert_eq!(text.contains("> at most "), bounded, "{text}");
}

#[test]
fn records_of_sparse_boards_whose_images_count_as_one_are_sound() {
    for board in [
        "0,0,0,2/0,0,0,0/0,0,2,0/0,0,0,0",
        "2,4,2,0/0,0,0,0/0,0,0,0/0,0,0,2",
        "2,0,0,0/0,0,0,0/0,0,0,0/0,0,0,2",
    ] {
        for text in [
            "(criteria: [(evaluator: Lines(), lookahead: Expectimax(plies: Fixed(7), cuts: [Reach(0.001)]))])",
            "(criteria: [(evaluator: Corner, lookahead: Expectimax(plies: Fixed(6), cuts: [Reach(0.002)]))])",
            "(criteria: [(evaluator: Empty, lookahead: Minimax(plies: Fixed(6), cuts: [AlphaBeta, Reach(0.002)]))])",
        ] {
            let strategy: Strategy = text.parse().expect(text);
            let player = Player::new(&strategy, Rules::default());
            let decision = inspect(&player, &board.parse().expect(board), 0, 1, 1_000_000);
            let tree = tree(&decision).expect("a tree");
            let report = tree.check();
            assert!(
                report.is_sound() && report.unsure == 0,
                "{text} on {board}: {}",
                prose::self_check(&report)
            );
            let cached = tree.nodes().filter(|node| node.kind == NodeKind::Cached);
            assert!(
                tree.left_out() != 0
                    || cached
                        .clone()
                        .all(|node| matches!(node.origin, Origin::Stored { node: Some(_), .. }))
            );
            assert!(0 < cached.count(), "{text} on {board}");
        }
    }
}
