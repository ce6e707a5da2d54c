//! A record that is opened again equals the one that was written; with later searches it has the values of the longer
//! search.

use std::sync::Arc;

use afterstate::game::{Board, Move, Rules};
use afterstate::search::{
    NodeId, NodeKind, NotSearched, Rule, SearchOptions, Tree, TreeFormat, TreeReadError,
};
use afterstate::task::CancelToken;

use crate::why::{MANY, positions, recorded, some_records, strategy};

fn written(tree: &Tree) -> Vec<u8> {
    let mut bytes = Vec::new();
    tree.write(TreeFormat::Json, &mut bytes)
        .expect("memory takes it");
    bytes
}

fn read(bytes: &[u8]) -> Result<Tree, TreeReadError> {
    Tree::read(&mut &*bytes, &CancelToken::new())
}

fn record(evaluator: &str, lookahead: &str, position: (Board, u64), cap: usize) -> Tree {
    let tree = recorded(
        &strategy(evaluator, lookahead),
        Rules::default(),
        position,
        cap,
    )
    .expect("a search");
    Arc::unwrap_or_clone(tree)
}

#[test]
fn what_is_opened_again_is_what_was_written_to_the_last_byte() {
    let mut opened = 0;
    for cap in [MANY, 200] {
        // Only some of them, since there are many.
        some_records(cap, 5, |tree, what| {
            opened += 1;
            let bytes = written(tree);
            assert!(Tree::is_record(&bytes), "{what}");
            let again = read(&bytes).unwrap_or_else(|error| panic!("{what}: {error}"));
            assert_eq!(written(&again), bytes, "{what}");
            assert_eq!(
                (again.subject(), again.plies(), again.counts),
                (tree.subject(), tree.plies(), tree.counts)
            );
            assert_eq!(
                (again.chosen, again.kept(), again.left_out()),
                (tree.chosen, tree.kept(), tree.left_out())
            );
            let [before, after] = [tree, &again].map(Tree::check);
            assert_eq!(
                (after.is_sound(), after.nodes, after.unsure),
                (true, before.nodes, before.unsure),
                "{what}"
            );
            for format in [TreeFormat::Csv, TreeFormat::Dot] {
                let text = |tree: &Tree| {
                    let mut bytes = Vec::new();
                    tree.write(format, &mut bytes)
                        .map(|()| bytes)
                        .expect("memory takes it")
                };
                assert_eq!(text(&again), text(tree), "{what}");
            }
        });
    }
    assert!(100 < opened, "{opened}");
}

#[test]
fn a_record_of_samples_is_opened_again_with_every_sample() {
    let lookaheads = [
        "MonteCarlo(playouts: 60)",
        "AveragedSearch(searches: 6, plies: Fixed(3))",
        "Mcts(playouts: 300)",
        "Mcts(playouts: 300, tree: OpenLoop)",
    ];

    let mut deep = 0;
    for (place, lookahead) in lookaheads.into_iter().enumerate() {
        for cap in [MANY, 30] {
            let tree = record("Score", lookahead, positions(40)[3 * place + 2], cap);
            let what = format!("{lookahead}, {cap} nodes");
            let bytes = written(&tree);
            let again = read(&bytes).unwrap_or_else(|error| panic!("{what}: {error}"));
            assert_eq!(written(&again), bytes, "{what}");
            assert!(
                again.playouts.is_some() && again.playouts == tree.playouts,
                "{what}"
            );
            assert_eq!(
                (again.subject(), again.plies(), again.counts),
                (tree.subject(), tree.plies(), tree.counts)
            );
            for id in tree.ids() {
                assert_eq!(
                    (again.sample(id), again.ucb(id)),
                    (tree.sample(id), tree.ucb(id)),
                    "{what}: {id:?}"
                );
                deep = deep.max(tree.depth(id));
            }
            assert_eq!(again.check(), tree.check(), "{what}");
            assert!(
                again.check().is_sound(),
                "{what}: {:?}",
                again.check().flaws
            );
        }
    }
    assert!(2 < deep, "a tree has grown: {deep}");

    let tree = record("Score", "Mcts(playouts: 50)", positions(40)[3], MANY);
    let text = String::from_utf8(written(&tree)).expect("text");
    for (from, to, words) in [
        (
            "\"playouts\":{\"depth\"",
            "\"plays\":{\"depth\"",
            "needs playouts",
        ),
        ("\"count\":", "\"count\":-", "node of a record"),
        (
            "\"squares\":",
            "\"squares\":-1e300,\"more\":",
            "a mean or spread is impossible",
        ),
        ("\"by\":\"", "\"by\":\"magic", "no rule \"magic"),
        (
            "\"start\":\"choice\"",
            "\"start\":\"turn\"",
            "must start with a choice",
        ),
    ] {
        let error = read(text.replacen(from, to, 1).as_bytes())
            .expect_err(to)
            .to_string();
        assert!(error.contains(words), "{to}: {error}");
    }
}

#[test]
fn counts_of_a_head_are_those_of_its_nodes_or_are_told_as_what_the_file_says() {
    let head = r#"{"format":1,"program":"search.py 3","lookahead":"Expectimax(plies: Fixed(1))","rules":{"size":"2x2"},"start":"choice"PLIES}"#;
    let file = |plies: &str, nodes: &str| {
        let head = head.replace("PLIES", plies);
        let root = format!(
            r#"{{"id":0,"how":{{"by":"max"}},"value":5,"board":"2,2/4,8","plies_left":1{nodes},"head":{head}}}"#
        );
        let left = r#"{"id":1,"parent":0,"move":"left","value":5,"how":{"by":"evaluated"}}"#;
        let right = r#"{"id":2,"parent":0,"move":"right","value":3,"how":{"by":"evaluated"}}"#;
        read(format!("{root}\n{left}\n{right}").as_bytes())
    };
    let plain = file("", "").expect("a record");
    assert_eq!((plain.counts.total(), plain.counts_are_told()), (3, false));
    let own = file(r#","plies":[{"by":{"max":1}},{"by":{"evaluated":2}}]"#, "").expect("a record");
    assert_eq!((own.plies(), own.counts), (plain.plies(), plain.counts));

    // Counts that the nodes show are computed again.
    for plies in [
        r#","plies":[{"by":{"max":1}},{"by":{"evaluated":2000000}}]"#,
        r#","plies":[{"by":{"min":9}}]"#,
    ] {
        let reopened = file(plies, "").expect("a record");
        assert_eq!(
            (
                reopened.plies(),
                reopened.counts,
                reopened.counts_are_told()
            ),
            (plain.plies(), plain.counts, false),
            "{plies}"
        );
    }

    // Other counts are accepted if they are possible, and are marked as those of the file.
    let more = file(
        r#","plies":[{"by":{"max":1}},{"by":{"evaluated":8}}]"#,
        r#","nodes":8"#,
    )
    .expect("a record");
    assert_eq!(
        (
            more.left_out(),
            more.counts.of(NodeKind::Leaf),
            more.counts_are_told()
        ),
        (6, 8, true)
    );
    for (plies, words) in [
        (
            r#","plies":[{"by":{"max":1}},{"by":{"evaluated":7}}]"#,
            "they count 8 nodes, but the root counts 9",
        ),
        (
            r#","plies":[{"by":{"max":1,"evaluated":7}},{"by":{"evaluated":1}}]"#,
            "ply 1 has 1 nodes",
        ),
    ] {
        let error = file(plies, r#","nodes":8"#).expect_err(plies).to_string();
        assert!(error.contains(words), "{error}");
    }
}

#[test]
fn a_record_that_another_program_wrote_is_opened() {
    // Two slides, each with the two tiles that can come on its one empty cell, with only the required fields.
    let lines = [
        r#"{"id":0,"how":{"by":"max"},"value":6.4,"board":"2,2/4,8","plies_left":2,"head":{"format":1,"program":"search.py 3","lookahead":"Expectimax(plies: Fixed(2))","rules":{"size":"2x2"},"start":"choice"}}"#,
        r#"{"id":1,"parent":0,"move":"left","value":6.4,"how":{"by":"mean"}}"#,
        r#"{"id":2,"parent":1,"spawn":{"cell":[0,1],"tile":2},"value":6,"how":{"by":"evaluated"}}"#,
        r#"{"id":3,"parent":1,"spawn":{"cell":[0,1],"tile":4},"value":10,"how":{"by":"evaluated"}}"#,
        r#"{"id":4,"parent":0,"move":"right","value":5,"how":{"by":"mean"}}"#,
        r#"{"id":5,"parent":4,"spawn":{"cell":[0,0],"tile":2},"value":5,"how":{"by":"evaluated"}}"#,
        r#"{"id":6,"parent":4,"spawn":{"cell":[0,0],"tile":4},"value":5,"how":{"by":"evaluated"}}"#,
    ];
    let tree = read(lines.join("\n").as_bytes()).expect("a record");
    assert_eq!(
        tree.written_by()
            .map(|by| (by.program.as_str(), by.knows_evaluator)),
        Some(("search.py 3", false))
    );
    assert_eq!(
        (
            tree.kept(),
            tree.counts.of(NodeKind::Leaf),
            tree.plies().len()
        ),
        (7, 4, 3)
    );
    assert!(tree.check().is_sound(), "{:?}", tree.check());
    assert!(
        tree.ids()
            .all(|id| !tree.ends_here(id) && !tree.is_skipped(id)),
        "this program has no evaluator for its boards"
    );

    let again = written(&tree);
    let marked = format!("\u{feff}{}", lines.join("\n"));
    assert!(Tree::is_record(marked.as_bytes()) && read(marked.as_bytes()).as_ref() == Ok(&tree));
    assert_eq!(written(&read(&again).expect("a record")), again);

    let wrong = lines.join("\n").replace("\"value\":10", "\"value\":11");
    assert!(
        !read(wrong.as_bytes()).expect("a record").check().is_sound(),
        "its mean is another"
    );

    // One error at a time, and the line of the message.
    for (from, to, line, words) in [
        ("\"format\":1", "\"format\":2", 1, "format 2"),
        (
            "Expectimax(plies: Fixed(2))",
            "Expectimax(plies: Fixed(99))",
            1,
            "lookahead: ",
        ),
        ("Expectimax(plies: Fixed(2))", "MonteCarlo()", 1, "samples"),
        (
            "\"program\"",
            "\"evaluator\":\"Nothing\",\"program\"",
            1,
            "evaluator: ",
        ),
        ("\"size\":\"2x2\"", "\"size\":\"4x4\"", 1, "the size is 4x4"),
        ("2,2/4,8", "2,2/4,9", 1, "board: "),
        ("\"plies_left\":2", "\"plies_left\":1000", 1, "plies_left"),
        ("\"plies_left\":2", "\"plies_left\":0", 1, "plies_left is 0"),
        ("\"value\":10,", "", 4, "no value"),
        (
            "\"start\":\"choice\"",
            "\"start\":\"choice\",\"asked\":[\"up\"]",
            1,
            "not legal",
        ),
        (
            "\"start\":\"choice\"",
            "\"start\":\"choice\",\"kept\":9",
            0,
            "ends after 7 of 9 nodes",
        ),
        ("\"head\"", "\"feet\"", 1, "no head"),
        (
            "\"move\":\"left\"",
            "\"move\":\"up\"",
            2,
            "is impossible on the board",
        ),
        (
            "\"move\":\"left\"",
            "\"move\":\"hop\"",
            2,
            "\"hop\" is not a move",
        ),
        (
            "{\"id\":2,\"parent\":1",
            "{\"id\":2,\"parent\":0",
            3,
            "is impossible on the board",
        ),
        (
            "{\"id\":2,\"parent\":1",
            "{\"id\":9,\"parent\":1",
            3,
            "id 9 is out of order, expected 2",
        ),
        (
            "{\"id\":3,\"parent\":1",
            "{\"id\":3,\"parent\":2",
            4,
            "which ends the search",
        ),
        (
            "{\"id\":5,\"parent\":4",
            "{\"id\":5,\"parent\":1",
            6,
            "parent 1 is neither",
        ),
        (
            "[0,1],\"tile\":2",
            "[0,7],\"tile\":2",
            3,
            "not on a 2x2 board",
        ),
        ("[0,1],\"tile\":2", "[0,1],\"tile\":8", 3, "2 or 4, not 8"),
        (
            "{\"by\":\"mean\"}}\n{\"id\":5",
            "{\"by\":\"magic\"}}\n{\"id\":5",
            5,
            "\"magic\"",
        ),
        (
            "{\"by\":\"mean\"}}\n{\"id\":5",
            "{\"by\":\"max\"}}\n{\"id\":5",
            5,
            "does not go with",
        ),
        (
            "\"value\":10",
            "\"board\":\"2,4/4,8\",\"value\":10",
            4,
            "its board is not 4,4/4,8",
        ),
        (
            "\"value\":10",
            "\"bound\":\"maybe\",\"value\":10",
            4,
            "\"maybe\"",
        ),
        ("\"value\":10", "\"value\":ten", 4, "this is not JSON"),
    ] {
        let text = lines.join("\n").replacen(from, to, 1);
        assert_ne!(text, lines.join("\n"), "{from}");
        let error = read(text.as_bytes()).expect_err(to);
        assert!(error.to_string().contains(words), "{to}: {error}");
        if line != 0 {
            assert!(
                matches!(error, TreeReadError::Line { line: at, .. } if at == line),
                "{to}: {error}"
            );
        }
    }
}

#[test]
fn hostile_and_truncated_files_are_refused_in_a_sentence() {
    // A crowded board, so that the file is short: each damage takes a reading of the whole.
    let crowded = positions(40).pop().expect("the last one is crowded");
    let tree = record(
        "Lines()",
        "Minimax(plies: Fixed(4), cuts: [AlphaBeta])",
        crowded,
        MANY,
    );
    let bytes = written(&tree);
    let mut refused = 0;
    // Without the last line feed nothing is missing.
    for length in (0..bytes.len() - 1).step_by(bytes.len() / 97) {
        let error = read(&bytes[..length]).expect_err("cut short").to_string();
        assert!(error.len() < 300 && !error.contains('\n'), "{error}");
        refused += 1;
    }

    // A value of another kind is named in the words of JSON.
    for (part, other) in [
        ("\"how\":{", "\"how\":7,\"was\":{"),
        ("\"head\":{", "\"head\":7,\"was\":{"),
        ("{\"id\":0", "7"),
    ] {
        let text = String::from_utf8_lossy(&bytes).replacen(part, other, 1);
        let error = read(text.as_bytes())
            .expect_err("of another kind")
            .to_string();
        assert!(
            error.contains("invalid type: integer `7`, expected an object"),
            "{error}"
        );
    }

    // Any byte may be wrong: the file is read or refused, and a record that was read can be checked and written.
    let mut seed = 1_u64;
    for _ in 0..600 {
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let mut other = bytes.clone();
        let at = (seed >> 33) as usize % other.len().min(6_000);
        other[at] = b"0123456789\"{}[],:-eaf"[(seed >> 20) as usize % 21];
        match read(&other) {
            Ok(tree) => {
                tree.check();
                written(&tree);
                tree.line(afterstate::search::SpawnRule::Median, &[]);
            }
            Err(_) => refused += 1,
        }
    }
    assert!(200 < refused, "{refused}");
    for text in [
        "",
        "\n\n",
        "{}",
        "[1,2]",
        "null",
        "{\"id\":0}",
        &"[".repeat(100_000),
        &"9".repeat(3 << 20),
    ] {
        assert!(read(text.as_bytes()).is_err());
    }

    // A value that was taken from the node above.
    let circle = [
        r#"{"id":0,"how":{"by":"max"},"value":5,"board":"2,2/4,8","plies_left":1,"head":{"format":1,"program":"search.py 3","lookahead":"Expectimax(plies: Fixed(1))","rules":{"size":"2x2"},"start":"choice"}}"#,
        r#"{"id":1,"parent":0,"move":"left","value":5,"how":{"by":"table","node":0}}"#,
        r#"{"id":2,"parent":0,"move":"right","value":3,"how":{"by":"evaluated"}}"#,
    ];

    for node in ["0", "1", "9"] {
        let text = circle
            .join("\n")
            .replace("\"node\":0", &format!("\"node\":{node}"));
        let error = read(text.as_bytes())
            .expect_err("no such node was searched")
            .to_string();
        assert!(error.contains("to the same depth"), "{error}");
    }
    let stop = CancelToken::new();
    stop.cancel();
    let mut long = written(&record(
        "Lines()",
        "Expectimax(plies: Fixed(4))",
        positions(40)[1],
        MANY,
    ));
    assert_eq!(
        Tree::read(&mut long.as_slice(), &stop),
        Err(TreeReadError::Stopped)
    );
    long.truncate(100);
    assert!(!Tree::is_record(b"(criteria: [])") && !Tree::is_record(b""));
}

/// Continues the search wherever it ended by one of these rules, until there is no such node.
fn without(mut tree: Tree, rules: &[Rule]) -> (Tree, usize) {
    let mut grafts = 0;
    loop {
        let mut ends = tree.ids().filter(|&id| rules.contains(&tree.rule(id)));
        // A search from one tile of a cell includes the other tile, whichever is given.
        let Some(id) = (if grafts % 2 == 0 {
            ends.next()
        } else {
            ends.next_back()
        }) else {
            break;
        };
        drop(ends);
        let grafted = tree
            .search_on(id, 0, MANY, SearchOptions::default())
            .expect("a search");
        let node = grafted.node;
        assert!(node == id || tree.rule(id) == Rule::Unimportant);
        assert_eq!(
            (grafted.tree.value(node), grafted.before),
            (Some(grafted.value), tree.value(id))
        );
        assert_eq!(
            (grafted.tree.link(node), grafted.tree.node(node).board),
            (tree.link(id), tree.node(id).board)
        );
        assert!(grafted.tree.is_graft(node) && grafted.tree.graft_above(node) == Some(node));
        tree = grafted.tree;
        grafts += 1;
        assert!(grafts < 5_000);
    }
    (tree, grafts)
}

fn values(tree: &Tree) -> Vec<(Option<Move>, f64)> {
    let moves = tree.children(tree.root());
    moves
        .map(|child| (tree.slide(child), tree.value(child).expect("searched")))
        .collect()
}

fn assert_same_values(one: &Tree, other: &Tree, what: &str) {
    let sorted = |tree: &Tree| {
        let mut values = values(tree);
        values.sort_by_key(|(mv, _)| mv.map(Move::index));
        values
    };
    for ((mv, a), (same, b)) in sorted(one).into_iter().zip(sorted(other)) {
        assert!(
            mv == same && (a - b).abs() <= 1e-9 * a.abs().max(1.0),
            "{what}: {mv:?} {a} and {b}"
        );
    }
}

#[test]
fn a_record_whose_every_cut_is_searched_on_has_the_values_of_the_search_without_cuts() {
    let mut all = 0;
    let searches = [
        (
            "Expectimax(plies: Fixed(4), cuts: [Reach(0.02)])",
            "Expectimax(plies: Fixed(4))",
        ),
        (
            "Expectimax(plies: Fixed(3), dead: Zero, cuts: [Reach(0.2)])",
            "Expectimax(plies: Fixed(3), dead: Zero)",
        ),
        (
            "Minimax(plies: Fixed(4), cuts: [AlphaBeta])",
            "Minimax(plies: Fixed(4))",
        ),
        (
            "Minimax(plies: Fixed(3), cuts: [AlphaBeta, Reach(0.05)])",
            "Minimax(plies: Fixed(3))",
        ),
        (
            "Expectimax(plies: Fixed(3), cuts: [ImportantCells(k: 2)])",
            "Expectimax(plies: Fixed(3))",
        ),
        (
            "Expectimax(plies: Fixed(3), spawn: Sum, cuts: [ImportantCells(k: 1)])",
            "Expectimax(plies: Fixed(3), spawn: Sum)",
        ),
        (
            "Expectimax(plies: Fixed(3), cuts: [ImportantCells(k: 1), Reach(0.05)])",
            "Expectimax(plies: Fixed(3))",
        ),
        (
            "Expectimax(plies: Fixed(4), spawn: MinCell, cuts: [ImportantCells(k: 2), Reach(0.1)])",
            "Expectimax(plies: Fixed(4), spawn: MinCell)",
        ),
        (
            "Minimax(plies: Fixed(3), cuts: [WorstSpawns])",
            "Minimax(plies: Fixed(3))",
        ),
    ];

    for (cut, whole) in searches {
        for position in positions(60).into_iter().rev().take(5) {
            let what = format!("{cut} on {}", position.0);
            let (tree, grafts) = without(
                record("Lines()", cut, position, MANY),
                &[
                    Rule::TooImprobable,
                    Rule::OutOfBounds,
                    Rule::Unimportant,
                    Rule::Stored,
                ],
            );
            all += grafts;
            // A cell counts as two of them.
            assert!(tree.graft_count() <= 2 * grafts);
            assert_same_values(&tree, &record("Lines()", whole, position, MANY), &what);
            let report = tree.check();
            assert!(report.is_sound(), "{what}: {:?}", report.flaws.first());
            let bytes = written(&tree);
            let again = read(&bytes).unwrap_or_else(|error| panic!("{what}: {error}"));
            assert_eq!(written(&again), bytes, "{what}");
            assert_eq!(
                (again.graft_count(), again.counts),
                (tree.graft_count(), tree.counts),
                "{what}"
            );
        }
    }

    assert!(50 < all, "{all}");
}

#[test]
fn leaves_that_are_searched_on_have_the_values_of_the_deeper_search() {
    for (shallow, deep) in [
        ("Expectimax(plies: Fixed(1))", "Expectimax(plies: Fixed(3))"),
        ("Expectimax(plies: Fixed(2))", "Expectimax(plies: Fixed(4))"),
        ("Minimax(plies: Fixed(2))", "Minimax(plies: Fixed(4))"),
    ] {
        let position = positions(60).into_iter().next_back().expect("a position");
        let first = record("Lines()", shallow, position, MANY);
        let mut tree = first.clone();
        // Backward from the last one, so that the others keep their numbers.
        for id in first
            .ids()
            .rev()
            .filter(|&id| first.rule(id) == Rule::Evaluated)
        {
            let grafted = tree
                .search_on(id, 2, MANY, SearchOptions::default())
                .expect("a search");
            if first.parent(id) == Some(first.root()) {
                let effect = grafted.effect.expect("a decision");
                assert_eq!(
                    (Some(effect.mv), effect.after),
                    (first.slide(id), grafted.value)
                );
            }
            tree = grafted.tree;
        }
        assert!(tree.check().is_sound(), "{:?}", tree.check().flaws.first());
        assert_same_values(&tree, &record("Lines()", deep, position, MANY), shallow);
        assert!(
            tree.ids()
                .all(|id| tree.kept_below(id) == 0 || tree.plies_left(id) != 0)
        );
    }
}

#[test]
fn only_where_the_search_ended_is_searched_on() {
    let tree = record(
        "Lines()",
        "Expectimax(plies: Fixed(3))",
        positions(60)[1],
        MANY,
    );
    let options = SearchOptions::default;
    assert_eq!(
        tree.search_on(NodeId(0), 2, MANY, options()).err(),
        Some(NotSearched::NothingSkipped(NodeId(0)))
    );
    let leaf = tree
        .ids()
        .find(|&id| tree.rule(id) == Rule::Evaluated)
        .expect("a leaf");
    assert_eq!(
        tree.search_on(leaf, 0, MANY, options()).err(),
        Some(NotSearched::NothingSkipped(leaf))
    );
    let stop = CancelToken::new();
    stop.cancel();
    let stopped = tree
        .search_on(leaf, 4, MANY, SearchOptions::on_one_core(&stop))
        .err();
    assert_eq!(stopped, Some(NotSearched::Stopped));
    let capped = record(
        "Lines()",
        "Expectimax(plies: Fixed(3))",
        positions(60)[1],
        60,
    );
    let leaf = capped.ids().find(|&id| capped.rule(id) == Rule::Evaluated);
    if let Some(leaf) = leaf {
        assert_eq!(
            capped.search_on(leaf, 2, MANY, options()).err(),
            Some(NotSearched::Incomplete)
        );
    }
}
