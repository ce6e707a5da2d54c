//! The counts of each ply equal those of the record, and add up to the counts of the whole search.

use afterstate::game::{Board, Rules};
use afterstate::search::{
    NodeKind, Origin, PlyAlone, PlyCounts, PlyTable, Rule, SearchOptions, TableCounts, Tree,
};
use afterstate::task::CancelToken;
use strum::{IntoEnumIterator as _, VariantArray as _};

use crate::why::{MANY, positions, recorded, records, strategy};

/// The same from the nodes of a whole record, one by one.
fn by_hand(tree: &Tree) -> Vec<(Vec<u64>, u64, u64, u64)> {
    let mut plies = vec![(vec![0; Rule::VARIANTS.len()], 0, 0, 0); tree.plies().len()];
    for node in tree.nodes() {
        let (by_rule, cut_offs, at_first, lookups) = &mut plies[tree.depth(node.id) as usize];
        by_rule[tree.rule(node.id) as usize] += 1;
        let searched = tree
            .children(node.id)
            .filter(|&child| tree.value(child).is_some())
            .count();
        if tree
            .children(node.id)
            .any(|child| tree.rule(child) == Rule::OutOfBounds)
        {
            *cut_offs += 1;
            *at_first += u64::from(searched == 1);
        }
        let is_after = !tree.is_turn(tree.depth(node.id));
        let is_kept = (2..=tree.subject().plies.saturating_sub(3)).contains(&node.plies_left);
        let is_searched = matches!(
            node.kind,
            NodeKind::Chance | NodeKind::Min | NodeKind::Cached
        );
        *lookups += u64::from(is_after && is_kept && is_searched);
    }
    plies
}

#[test]
fn the_plies_of_a_search_add_up_to_its_record_ply_by_ply() {
    let (mut compared, mut cut_offs, mut hits) = (0, 0, 0);
    records(MANY, |tree, what| {
        let expected = by_hand(tree);
        for (ply, (row, (by_rule, cut, first, lookups))) in
            tree.plies().iter().zip(&expected).enumerate()
        {
            let mut found: Vec<u64> = Rule::iter().map(|rule| row.by(rule)).collect();
            if ply == 0 {
                // The root is a turn of the player, also if the lowest value is wanted.
                let root = tree.rule(tree.root()) as usize;
                found.swap(Rule::MaxOf as usize, root);
            }
            assert_eq!(&found, by_rule, "{what}, ply {ply}");
            assert_eq!(
                (row.cut_offs, row.at_first),
                (*cut, *first),
                "{what}, ply {ply}"
            );
            let table = row.table.expect("heard of");
            assert_eq!(
                row.of(NodeKind::Cached) + table.stores,
                *lookups,
                "{what}, ply {ply}"
            );
            assert!(table.collisions <= table.stores, "{what}, ply {ply}");
            cut_offs += row.cut_offs;
            hits += row.of(NodeKind::Cached);
        }

        for kind in NodeKind::iter() {
            let sum: u64 = tree.plies().iter().map(|row| row.of(kind)).sum();
            assert_eq!(sum, tree.counts.of(kind), "{what}");
        }

        let nodes: u64 = tree.plies().iter().map(PlyCounts::nodes).sum();
        assert_eq!(nodes, tree.counts.total() - tree.counts.stubs(), "{what}");
        compared += 1;
    });
    assert!(
        60 < compared && 500 < cut_offs && 1_000 < hits,
        "{compared} {cut_offs} {hits}"
    );
}

#[test]
fn the_cap_of_a_record_changes_no_count_of_a_ply() {
    for lookahead in [
        "Expectimax(plies: Fixed(5), cuts: [Reach(0.01)])",
        "Minimax(plies: Fixed(5), cuts: [AlphaBeta])",
    ] {
        let strategy = strategy("Lines()", lookahead);
        let position = positions(40)[3];
        let record = |cap| recorded(&strategy, Rules::default(), position, cap).expect("a search");
        let whole = record(MANY);
        for cap in [1, 10, 300] {
            let capped = record(cap);
            assert!(capped.kept() <= cap && capped.left_out() != 0);
            assert_eq!(capped.plies(), whole.plies(), "{lookahead} with {cap}");
        }
    }
}

#[test]
fn a_search_that_ends_with_a_ply_looks_at_the_nodes_of_one_of_that_depth() {
    for cuts in ["", ", cuts: [Reach(0.01)]"] {
        let at = |plies| {
            strategy(
                "Lines()",
                &format!("Expectimax(plies: Fixed({plies}){cuts})"),
            )
        };
        let position = positions(40)[2];
        let record =
            |plies| recorded(&at(plies), Rules::default(), position, MANY).expect("a search");
        let tree = record(5);
        let mut reports = 0;
        let alone = PlyAlone::measure(&tree, SearchOptions::default(), |alone| {
            reports += 1;
            assert_eq!(alone.len(), reports);
        });
        let alone = alone.expect("by depth");
        let nodes: Vec<u64> = alone.iter().map(|alone| alone.nodes).collect();
        let expected: Vec<u64> = (1..=5)
            .map(|plies| record(plies).plies().iter().map(PlyCounts::nodes).sum())
            .collect();
        assert_eq!((nodes, reports), (expected, 5));
        let stop = CancelToken::new();
        stop.cancel();
        assert_eq!(
            PlyAlone::measure(&tree, SearchOptions::on_one_core(&stop), |_| ()),
            None
        );
    }
}

#[test]
fn more_boards_than_slots_collide() {
    let board: Board = "2,4,8,16/4,8,16,32/8,16,2,0/2,0,4,0"
        .parse()
        .expect("a board");
    let at = |plies| {
        let strategy = strategy("Lines()", &format!("Expectimax(plies: Fixed({plies}))"));
        recorded(&strategy, Rules::default(), (board, 0), 1).expect("a search")
    };
    let table = |tree: &Tree| {
        let all = tree.plies().iter().filter_map(|row| row.table);
        all.fold(TableCounts::default(), |sum, own| TableCounts {
            stores: sum.stores + own.stores,
            collisions: sum.collisions + own.collisions,
        })
    };
    assert_eq!(
        table(&at(4)),
        TableCounts::default(),
        "nothing is kept that is as fast to search again"
    );
    let (five, seven) = (table(&at(5)), table(&at(7)));
    assert!(five.stores != 0 && seven.stores != 0, "{five:?} {seven:?}");

    // The share rises with the number of boards that compete for a slot.
    let share = |table: TableCounts| table.collisions as f64 / table.stores as f64;
    assert!(
        share(five) < share(seven) && share(seven) < 1.0,
        "{five:?} {seven:?}"
    );
}

#[test]
fn exports_hold_the_numbers_of_the_table() {
    let strategy = strategy("Lines()", "Minimax(plies: Fixed(5), cuts: [AlphaBeta])");
    let tree = recorded(&strategy, Rules::default(), positions(40)[3], MANY).expect("a search");
    let alone = PlyAlone::measure(&tree, SearchOptions::default(), |_| ()).expect("by depth");
    let table = PlyTable {
        alone,
        ..PlyTable::of(&tree)
    };
    let csv = table.table().csv();
    let mut rows = csv::Reader::from_reader(csv.as_bytes());
    let names: Vec<String> = rows
        .headers()
        .expect("a header")
        .iter()
        .map(str::to_owned)
        .collect();
    let json = serde_json::to_value(&table).expect("memory");
    let cells = table.table();
    for (ply, row) in rows.records().enumerate() {
        let row = row.expect("a row");
        for ((name, cell), (head, number)) in names
            .iter()
            .zip(&row)
            .zip(cells.heads.iter().zip(&cells.rows[ply]))
        {
            assert_eq!(*name, head.key);
            let number = number.sort_value();
            assert_eq!(cell.parse().ok(), number, "{name} of ply {ply}");
            assert_eq!(json[ply][name].as_f64(), number, "{name} of ply {ply}");
        }
    }
    assert_eq!(
        (json.as_array().map(Vec::len), table.rows.len()),
        (Some(6), 6)
    );

    let branching: f64 = (0..5).filter_map(|ply| table.branching(ply)).product();
    assert!(1.0 < branching);
    assert!(
        tree.nodes()
            .any(|node| matches!(node.origin, Origin::OutOfBounds { .. }))
    );
}
