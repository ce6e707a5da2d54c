//! Queries of the inspector to a record: nodes by a condition, the search step by step, two records side by side, a
//! game.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, LazyLock};

use afterstate::game::{Board, Move, Rules};
use afterstate::prose;
use afterstate::search::{
    Bound, Frame, Link, Matched, NodeId, NodeKind, NodeView, Origin, Query, Replay, ReplayEvent,
    SearchOptions, Seen, Start, Tree, TreeFormat,
};
use afterstate::strategy::{Criterion, Decision, LastResort, Player, Prefer, Strategy as Rows};
use afterstate::task::CancelToken;
use proptest::prelude::*;

const MANY: usize = 1 << 20;

const BOARDS: &[&str] = &[
    "2,4,8,16/0,8,0,32/0,2,4,64/0,0,2,128",
    "2,4,2,4/4,2,4,2/2,4,2,4/4,2,8,8",
    "2,4,8,16/32,64,128,256/2,2,8,16/64,2,8,0",
    "0,2,4/8,16,2/0,2,0",
];

const LOOKAHEADS: &[&str] = &[
    "Expectimax(plies: Fixed(1))",
    "Expectimax(plies: Fixed(3))",
    "Expectimax(plies: Fixed(4), dead: Zero)",
    "Expectimax(plies: Fixed(3), spawn: Sum)",
    "Expectimax(plies: Fixed(4), spawn: MinCell)",
    "Expectimax(plies: Fixed(4), spawn: MeanOfMin)",
    "Expectimax(plies: Fixed(5), cuts: [Reach(0.02)])",
    "Expectimax(plies: Fixed(5), cuts: [ImportantCells(k: 2)])",
    "Expectimax(plies: Fixed(4), spawn: MinCell, cuts: [ImportantCells(k: 2)])",
    "Minimax(plies: Fixed(1))",
    "Minimax(plies: Fixed(3))",
    "Minimax(plies: Fixed(4), dead: Zero)",
    "Minimax(plies: Fixed(2), cuts: [AlphaBeta])",
    "Minimax(plies: Fixed(3), cuts: [AlphaBeta])",
    "Minimax(plies: Fixed(4), cuts: [AlphaBeta])",
    "Minimax(plies: Fixed(5), cuts: [AlphaBeta])",
    "Minimax(plies: Fixed(5), dead: Zero, cuts: [AlphaBeta, ImportantCells(k: 2)])",
    "Minimax(plies: Fixed(5), dead: Lost, cuts: [AlphaBeta, WorstSpawns])",
    "Minimax(plies: Fixed(4), cuts: [AlphaBeta, Reach(0.02)])",
    "Minimax(plies: Fixed(5), cuts: [AlphaBeta, Reach(0.004)])",
    "Minimax(nodes: 1500, cuts: [AlphaBeta])",
];

const EVALUATORS: &[&str] = &[
    "Sum([(1.0, Score), (50.0, Empty)])",
    "Weights(\"c\")",
    "Lines()",
    "Corner",
];

fn criterion(evaluator: &str, lookahead: &str) -> Criterion {
    Criterion {
        lookahead: lookahead.parse().expect(lookahead),
        ..Criterion::one_ply(evaluator.parse().expect(evaluator))
    }
}

fn record_of(board: &str, criterion: Criterion, p4: f64, cap: usize) -> Option<Arc<Tree>> {
    let board: Board = board.parse().expect("a board");
    let rows = Rows {
        criteria: vec![criterion],
        last_resort: LastResort::First,
        ..Rows::default()
    };
    let player = Player::new(
        &rows,
        Rules {
            size: board.size(),
            p4,
            ..Rules::default()
        },
    );
    let decision = Decision::of(&player, (&board, 0), |_| 0, SearchOptions::default(), cap);
    decision
        .searches
        .into_iter()
        .next()
        .flatten()
        .and_then(|searched| searched.tree)
}

fn record(board: &str, evaluator: &str, lookahead: &str) -> Arc<Tree> {
    record_of(board, criterion(evaluator, lookahead), 0.1, MANY).expect("a tree")
}

/// Every lookahead on every board that it fits, each with one of the evaluators.
static RECORDS: LazyLock<Vec<(String, Arc<Tree>)>> = LazyLock::new(|| {
    let mut records = Vec::new();
    for (number, lookahead) in LOOKAHEADS.iter().enumerate() {
        for (place, board) in BOARDS.iter().enumerate() {
            let evaluator = EVALUATORS[(number + place) % EVALUATORS.len()];
            // Weights need a 4×4 board.
            if place == 3 && (lookahead.contains("Important") || evaluator.contains("Weights")) {
                continue;
            }
            let tree = record_of(board, criterion(evaluator, lookahead), 0.1, MANY);
            records.extend(tree.map(|tree| (format!("{lookahead}, {evaluator}, {board}"), tree)));
        }
    }
    let cut = "Expectimax(plies: Fixed(5), cuts: [Reach(0.05)])";
    let tree = record(BOARDS[0], "Weights(\"c\")", cut);
    let id = tree
        .nodes()
        .find(|node| matches!(node.origin, Origin::TooImprobable { .. }))
        .expect("a cut")
        .id;
    let order = SearchOptions::default();
    let skipped = tree.search_skipped(id, MANY, order).expect("searched").tree;
    records.push((format!("what {cut} skipped"), Arc::new(skipped)));
    for lookahead in [
        "Expectimax(plies: Fixed(4), dead: Zero)",
        "Minimax(plies: Fixed(4), dead: Zero, cuts: [AlphaBeta])",
    ] {
        records.push((
            format!("{lookahead} of negative values"),
            record(BOARDS[1], NEGATIVE, lookahead),
        ));
    }
    for cap in [200, 1000] {
        let criterion = criterion("Corner", "Expectimax(plies: Fixed(5))");
        records.push((
            format!("{cap} kept"),
            record_of(BOARDS[0], criterion, 0.1, cap).expect("a tree"),
        ));
    }
    records
});

/// Boards have lower values than dead ones, which count 0.
const NEGATIVE: &str = "Sum([(-1.0, Weights(\"c\"))])";

/// At most this many instants or nodes, evenly spread.
fn some(len: usize, most: usize) -> impl Iterator<Item = usize> {
    (0..len).step_by(len.div_ceil(most).max(1))
}

mod query {
    use super::*;

    /// A property of a node for a query, computed again from the view and the nodes around it.
    #[derive(Debug, PartialEq)]
    enum Fact {
        Name(&'static str),
        Number(f64),
        Nothing,
    }

    fn fact(tree: &Tree, node: &NodeView, field: &str) -> Fact {
        let number = |number: Option<f64>| number.map_or(Fact::Nothing, Fact::Number);
        let slide = |link: Option<Link>| match link {
            Some(Link::Slide(mv)) => Fact::Name(mv.name()),
            _ => Fact::Nothing,
        };

        let spawn = match node.link {
            Some(Link::Spawn(spawn)) => Some(spawn),
            _ => None,
        };

        match field {
            "kind" => Fact::Name(node.kind.name()),
            "how" => Fact::Name(match node.origin {
                Origin::MaxOf => "max",
                Origin::MeanOf => "mean",
                Origin::SumOf => "sum",
                Origin::LeastMeanOf => "least_mean",
                Origin::MeanLeastOf => "mean_least",
                Origin::MinOf => "min",
                Origin::Evaluated => "evaluated",
                Origin::Dead => "dead",
                Origin::TooImprobable { .. } => "reach",
                Origin::OutOfBounds { .. } => "bounds",
                Origin::Unimportant { .. } => "unimportant",
                Origin::Stored { .. } => "stored",
                Origin::Sampled => "sampled",
                Origin::MovesTried => "tried",
                Origin::SpawnsDrawn => "drawn",
                Origin::NotExpanded => "unexpanded",
            }),
            "move" => slide(node.link),
            "under" => tree
                .path(node.id)
                .get(1)
                .map_or(Fact::Nothing, |&child| slide(tree.link(child))),
            "spawn" => spawn.map_or(Fact::Nothing, |spawn| {
                Fact::Name(if spawn.rank.tile() == 2 { "2" } else { "4" })
            }),
            "bound" => node
                .value
                .map_or(Fact::Nothing, |_| Fact::Name(node.bound.name())),
            "depth" => Fact::Number(f64::from(tree.depth(node.id))),
            "left" => Fact::Number(f64::from(node.plies_left)),
            "reach" => Fact::Number(node.reach),
            "probability" => number(node.probability),
            "value" => number(node.value),
            "loss" => {
                let above = node
                    .parent
                    .filter(|_| matches!(node.link, Some(Link::Slide(_))));
                number(above.and_then(|above| Some(tree.value(above)? - node.value?)))
            }
            "score" => Fact::Number(node.score as f64),
            "empty" => Fact::Number(
                node.board
                    .cells()
                    .filter(|(_, rank)| rank.is_empty())
                    .count() as f64,
            ),
            "largest" => Fact::Number(
                node.board
                    .cells()
                    .map(|(_, rank)| rank.tile())
                    .max()
                    .unwrap_or(0) as f64,
            ),
            "nodes" => Fact::Number(node.below as f64),
            "left_out" => Fact::Number(node.left_out as f64),
            "order" => Fact::Number(node.order as f64),
            "visits" => number(node.sample.map(|sample| sample.all.count() as f64)),
            "error" => number(node.sample.and_then(|sample| sample.all.standard_error())),
            "share" => number(node.share),
            _ => panic!("{field}"),
        }
    }

    /// A term, and its meaning.
    #[derive(Clone, Debug)]
    struct Wish {
        negated: bool,
        field: &'static str,
        sign: &'static str,
        names: Vec<&'static str>,
        /// Numbers with their decimals, and ranges.
        numbers: Vec<(f64, usize, Option<f64>)>,
    }

    const NAMED: &[(&str, &[&str])] = &[
        (
            "kind",
            &["max", "chance", "min", "leaf", "dead", "cut", "cached"],
        ),
        (
            "how",
            &[
                "max",
                "mean",
                "sum",
                "least_mean",
                "mean_least",
                "min",
                "evaluated",
                "dead",
                "reach",
                "bounds",
                "unimportant",
            ],
        ),
        ("move", &["up", "down", "left", "right"]),
        ("under", &["up", "down", "left", "right"]),
        ("spawn", &["2", "4"]),
        ("bound", &["exact", "upper", "lower"]),
    ];

    const NUMBERED: &[(&str, f64)] = &[
        ("depth", 5.0),
        ("left", 5.0),
        ("reach", 0.05),
        ("probability", 0.2),
        ("value", 1000.0),
        ("loss", 100.0),
        ("score", 50.0),
        ("empty", 8.0),
        ("largest", 300.0),
        ("nodes", 100.0),
        ("left_out", 2.0),
        ("order", 2000.0),
        ("visits", 50.0),
        ("error", 10.0),
        ("share", 0.5),
    ];

    impl Wish {
        fn text(&self) -> String {
            let numbers = self.numbers.iter().map(|&(number, places, to)| match to {
                Some(to) => format!("{number:.places$}..{to:.places$}"),
                None => format!("{number:.places$}"),
            });
            let values: Vec<String> = self
                .names
                .iter()
                .map(ToString::to_string)
                .chain(numbers)
                .collect();
            format!(
                "{}{}{}{}",
                if self.negated { "-" } else { "" },
                self.field,
                self.sign,
                values.join("|")
            )
        }

        fn holds(&self, tree: &Tree, node: &NodeView) -> bool {
            let holds = match fact(tree, node, self.field) {
                Fact::Nothing => false,
                Fact::Name(name) => self.names.contains(&name) != (self.sign == "!="),
                Fact::Number(number) => {
                    let written = |places: usize, value: f64| {
                        format!("{value:.places$}")
                            .parse::<f64>()
                            .expect("a number")
                    };
                    let any = self.numbers.iter().any(|&(wanted, places, to)| {
                        let wanted = written(places, wanted);
                        match (self.sign, to) {
                            ("<", _) => number < wanted,
                            ("<=", _) => number <= wanted,
                            (">", _) => wanted < number,
                            (">=", _) => wanted <= number,
                            (_, Some(to)) => wanted <= number && number <= written(places, to),
                            // Half a unit of the last decimal.
                            (_, None) if places == 0 => {
                                (number - wanted).abs() <= 1e-12 * wanted.abs()
                            }
                            (_, None) => {
                                (number - wanted).abs()
                                    <= 0.5 * 10_f64.powi(-(places as i32)) * (1.0 + 1e-12)
                            }
                        }
                    });
                    any != (self.sign == "!=")
                }
            };
            holds != self.negated
        }
    }

    fn wishes() -> impl Strategy<Value = Wish> {
        let named = (
            any::<bool>(),
            prop::sample::select(NAMED),
            prop::sample::select(&[":", "=", "!="][..]),
        )
            .prop_flat_map(|(negated, (field, names), sign)| {
                prop::sample::subsequence(names, 1..=names.len()).prop_map(move |names| Wish {
                    negated,
                    field,
                    sign,
                    names,
                    numbers: Vec::new(),
                })
            });

        let number = |scale: f64| (-0.2..1.2).prop_map(move |share: f64| share * scale);
        let numbered = (
            any::<bool>(),
            prop::sample::select(NUMBERED),
            prop::sample::select(&["<", "<=", ">", ">=", ":", "!="][..]),
        )
            .prop_flat_map(move |(negated, (field, scale), sign)| {
                let places = match field {
                    "reach" | "probability" => 2..=4_usize,
                    "value" | "loss" => 0..=1,
                    _ => 0..=0,
                };
                let ordered = sign.starts_with(['<', '>']);
                let most = if ordered { 1 } else { 3 };
                let one = (number(scale), places, prop::option::of(number(scale)));
                prop::collection::vec(one, 1..=most).prop_map(move |numbers| {
                    let numbers = numbers.into_iter().map(|(from, places, to)| {
                        (from, places, to.filter(|&to| !ordered && from <= to))
                    });
                    Wish {
                        negated,
                        field,
                        sign,
                        names: Vec::new(),
                        numbers: numbers.collect(),
                    }
                })
            });

        prop_oneof![named, numbered]
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn a_query_finds_what_its_terms_say(wishes in prop::collection::vec(wishes(), 0..4), place in any::<prop::sample::Index>()) {
            let (what, tree) = place.get(&RECORDS);
            let text = wishes.iter().map(Wish::text).collect::<Vec<_>>().join(" ");
            let query: Query = text.parse().map_err(|error| TestCaseError::fail(format!("{error}")))?;
            let expected: Vec<NodeId> = tree
                .nodes()
                .filter(|node| wishes.iter().all(|wish| wish.holds(tree, node)))
                .map(|node| node.id)
                .collect();
            prop_assert_eq!(&tree.find(&query, &CancelToken::new()), &expected, "{}: {}", what, text);
        }

        #[test]
        fn any_text_is_a_query_or_a_sentence_about_a_part_of_it(text in "\\PC{0,30}|[a-z_<>=!:|,.0-9 −%-]{0,30}", cursor in 0..40_usize) {
            match text.parse::<Query>() {
                Ok(query) => {
                    let (_, tree) = &RECORDS[0];
                    prop_assert!(tree.find(&query, &CancelToken::new()).is_sorted(), "{}", text);
                }
                Err(error) => {
                    prop_assert!(text.get(error.at.clone()).is_some_and(|part| !part.is_empty()), "{:?}", error);
                    prop_assert!(error.text.starts_with('`') && !error.text.contains('\n'), "{}", error);
                }
            }
            for completion in Query::completions(&text, cursor) {
                prop_assert!(text.get(completion.replaces.clone()).is_some(), "{:?}", completion);
            }
        }
    }

    #[test]
    fn every_field_has_help_with_an_example_that_is_read() {
        let tree = record(
            BOARDS[0],
            "Corner",
            "Minimax(plies: Fixed(4), cuts: [AlphaBeta])",
        );
        for help in Query::help() {
            let query: Query = help.example.parse().expect(help.example);
            assert!(help.example.starts_with(help.word.name), "{help:?}");
            assert!(!help.word.about.ends_with('.'), "{help:?}");
            assert!(
                tree.find(&query, &CancelToken::new()).len() < tree.kept(),
                "{help:?}"
            );
        }
    }

    #[test]
    fn words_blanks_capitals_and_signs_mean_what_they_look_like() {
        for (text, plain) in [
            ("", ""),
            ("  KIND : Cut  ", "kind:cut"),
            ("kind=cut|cached", "kind:cut,cached"),
            ("rule:alpha_beta,table", "how:bounds,stored"),
            ("move:←", "move:left"),
            (
                "!move:↑ −under:down --kind:max",
                "-move:up -under:down kind:max",
            ),
            ("depth ≥ 3", "depth>=3"),
            (
                "max>=2048 p<1% below>0",
                "largest>=2048 probability<1e-2 nodes>0",
            ),
            ("value:−2..5|7.50", "value:-2..5|7.50"),
            ("reach<1e-4 value:..−3", "reach<1e-4 value:..-3"),
            (
                "cell:R1C4 spawn!=2 bound≠exact",
                "cell:r1c4 spawn!=2 bound!=exact",
            ),
            ("plies:2..", "left:2.."),
        ] {
            assert_eq!(
                text.parse::<Query>().expect(text),
                plain.parse().expect(plain)
            );
        }
        assert_eq!("".parse::<Query>().expect("nothing"), Query::default());
    }

    #[test]
    fn errors_name_the_place_and_the_remedy() {
        for (text, at, sentence) in [
            (
                "kind:cat",
                0..8,
                "`kind:cat`: did you mean cut? A kind is max, chance, min, leaf, dead, cut or cached",
            ),
            (
                "kind:pawn",
                0..9,
                "`kind:pawn`: a kind is max, chance, min, leaf, dead, cut or cached",
            ),
            (
                "depth>=3 dept<2",
                9..13,
                "`dept`: there is no such field, did you mean depth?",
            ),
            ("cut", 0..3, "`cut`: name its field, such as kind:cut"),
            ("left", 0..4, "`left`: add a comparison, such as left:0"),
            (
                "depth>=",
                0..7,
                "`depth>=`: the number is missing, such as depth>=3",
            ),
            (
                "depth>=x",
                0..8,
                "`depth>=x`: depth is a number, such as depth>=3",
            ),
            (
                "value<nan",
                0..9,
                "`value<nan`: value is a number, such as value<0",
            ),
            (
                "kind<cut",
                0..8,
                "`kind<cut`: kind cannot be ordered, write kind:cut",
            ),
            (
                "depth>2..5",
                0..10,
                "`depth>2..5`: write a range after a colon: depth:2..5",
            ),
            (
                "depth:5..2",
                0..10,
                "`depth:5..2`: write the smaller end of a range first",
            ),
            (
                "value:8,759.2",
                6..13,
                "`8,759.2`: write 8759.2 if it is one number, 8|759.2 if it is several",
            ),
            (
                "value>8,759",
                0..11,
                "`value>8,759`: > compares with one number, without commas, such as value<0",
            ),
            (
                "move:",
                0..5,
                "`move:`: the value is missing: a move is up, down, left or right",
            ),
            (
                "cell:a1",
                0..7,
                "`cell:a1`: a cell is a row and a column from 1 to 5, such as r1c4",
            ),
            (
                ":3",
                0..2,
                "`:3`: start with a field, such as kind:cut or depth>=3",
            ),
            (
                "foo",
                0..3,
                "`foo`: a term is a field, a comparison and a value, such as kind:cut or depth>=3",
            ),
        ] {
            let error = text.parse::<Query>().expect_err(text);
            assert_eq!(
                (error.at.clone(), error.to_string().as_str()),
                (at, sentence),
                "{text}"
            );
        }
    }

    #[test]
    fn numbers_are_found_as_they_are_shown() {
        let tree = record(BOARDS[0], "Weights(\"c\")", "Expectimax(plies: Fixed(3))");
        for id in some(tree.kept(), 200).map(|id| NodeId(id as u32)) {
            let node = tree.node(id);
            let value = node.value.expect("searched");
            let mut shown = vec![format!(
                "value:{}",
                afterstate::words::value(value).replace(',', "")
            )];
            shown.extend(
                node.probability
                    .map(|p| format!("probability:{}", afterstate::words::probability(p))),
            );
            for text in shown {
                let query: Query = text.parse().expect("a number");
                assert!(
                    tree.find(&query, &CancelToken::new()).contains(&id),
                    "{text}: {node:?}"
                );
            }
        }
    }

    #[test]
    fn a_text_is_completed_where_the_cursor_stands() {
        let offered = |text: &str, cursor| -> Vec<String> {
            Query::completions(text, cursor)
                .into_iter()
                .map(|completion| completion.insert)
                .collect()
        };
        assert_eq!(offered("", 0).len(), Query::help().len());
        assert_eq!(offered("-ki", 3), ["kind:"]);
        assert_eq!(offered("kind:cut de", 11), ["depth>="]);
        assert_eq!(
            offered("depth", 5),
            [
                "depth<", "depth<=", "depth>", "depth>=", "depth:", "depth!="
            ]
        );
        assert_eq!(offered("kind:c", 6), ["chance", "cut", "cached"]);
        assert_eq!(offered("kind:cut,l", 10), ["leaf"]);
        assert_eq!(offered("under:", 6), ["up", "down", "left", "right"]);
        assert_eq!(offered("max>=102", 8), ["1024"]);
        assert_eq!(offered("depth>=", 7), [] as [&str; 0]);

        // The rest of the word after the cursor is replaced.
        let completion = &Query::completions("kind:leaf value<0", 6)[0];
        assert_eq!(
            (completion.insert.as_str(), completion.replaces.clone()),
            ("leaf", 5..9)
        );

        // Every completion can be continued to a valid query.
        for field in Query::completions("", 0) {
            for value in Query::completions(&field.insert, field.insert.len()) {
                let text = format!("{}{}", field.insert, value.insert);
                assert!(text.parse::<Query>().is_ok(), "{text}");
            }
        }
    }

    #[test]
    fn finding_stops_when_it_is_asked_to() {
        let stop = CancelToken::new();
        stop.cancel();
        assert_eq!(RECORDS[0].1.find(&Query::default(), &stop), []);
    }
}

mod replay {
    use super::*;

    /// The events of a record, by walking through it.
    fn events(tree: &Tree) -> Vec<ReplayEvent> {
        fn walk(tree: &Tree, id: NodeId, events: &mut Vec<ReplayEvent>) {
            events.push(ReplayEvent::Enter(id));
            tree.children(id)
                .for_each(|child| walk(tree, child, events));
            events.push(if id == tree.root() {
                ReplayEvent::End
            } else {
                ReplayEvent::Leave(id)
            });
        }
        let mut events = vec![ReplayEvent::Begin];
        walk(tree, tree.root(), &mut events);
        events
    }

    #[test]
    fn every_node_is_entered_and_left_once_and_back_undoes_a_step() {
        for (what, tree) in RECORDS.iter() {
            let mut replay = Replay::new(Arc::clone(tree));
            let events = events(tree);
            assert_eq!(events.len() as u64, replay.len() + 1);
            for (at, &event) in events.iter().enumerate() {
                assert_eq!((replay.at(), replay.event()), (at as u64, event), "{what}");
                if at % 97 == 0 {
                    let before = replay.now();
                    if replay.step() {
                        assert!(replay.back());
                    }
                    assert_eq!(replay.now(), before, "{what}");
                }
                assert_eq!(replay.step(), at + 1 < events.len(), "{what}");
            }
            assert!(!replay.step());
            assert!(replay.seek(0) && !replay.back());
        }
    }

    #[test]
    fn a_node_is_ahead_then_open_then_done() {
        for (what, tree) in RECORDS.iter() {
            let mut replay = Replay::new(Arc::clone(tree));
            let mut seen = vec![Seen::Ahead; tree.kept()];
            let events = events(tree);
            let looked_at: HashSet<usize> = some(events.len(), 40).collect();
            for (at, event) in events.into_iter().enumerate() {
                match event {
                    ReplayEvent::Begin => {}
                    ReplayEvent::Enter(id) => seen[id.0 as usize] = Seen::Open,
                    ReplayEvent::Leave(id) => seen[id.0 as usize] = Seen::Done,
                    ReplayEvent::End => seen[0] = Seen::Done,
                }
                if looked_at.contains(&at) {
                    replay.seek(at as u64);
                    let open: Vec<NodeId> = tree
                        .ids()
                        .filter(|id| seen[id.0 as usize] == Seen::Open)
                        .collect();
                    assert_eq!(
                        replay
                            .now()
                            .open
                            .iter()
                            .map(|frame| frame.id)
                            .collect::<Vec<_>>(),
                        open,
                        "{what}"
                    );
                    let entered = seen.iter().filter(|seen| **seen != Seen::Ahead).count() as u64;
                    let now = replay.now().seen;
                    assert!(
                        entered <= now && now <= entered + tree.left_out(),
                        "{what}: {now}"
                    );
                    assert!(
                        tree.ids()
                            .all(|id| replay.state_of(id) == seen[id.0 as usize]),
                        "{what}"
                    );
                }
            }
        }
    }

    #[test]
    fn steps_over_and_out_end_where_nodes_are_left() {
        let (_, tree) = RECORDS
            .iter()
            .find(|(_, tree)| 500 < tree.kept())
            .expect("a tree");
        let mut replay = Replay::new(Arc::clone(tree));
        for id in some(tree.kept(), 100).skip(1).map(|id| NodeId(id as u32)) {
            replay.seek_node(id);
            assert_eq!(replay.event(), ReplayEvent::Enter(id));
            assert!(replay.step_over());
            assert_eq!(replay.event(), ReplayEvent::Leave(id));
            let parent = tree.parent(id).expect("not the root");
            for from in [replay.entered(id), replay.left(id)] {
                replay.seek(from);
                assert!(replay.step_out());
                let expected = if parent == tree.root() {
                    ReplayEvent::End
                } else {
                    ReplayEvent::Leave(parent)
                };
                assert_eq!(replay.event(), expected);
            }
        }

        assert!(
            !replay.seek_node(NodeId(u32::MAX))
                || replay.event() == ReplayEvent::Enter(NodeId(tree.kept() as u32 - 1))
        );
    }

    #[test]
    fn the_running_value_becomes_the_value_of_the_node() {
        for (what, tree) in RECORDS.iter() {
            let mut replay = Replay::new(Arc::clone(tree));
            let is_whole = |&id: &NodeId| tree.kept_below(id) != 0 && tree.left_out_at(id) == 0;
            for id in tree.ids().filter(is_whole).collect::<Vec<_>>() {
                let children = tree.children(id).count() as u32;
                replay.seek(replay.left(id) - 1);
                let moment = replay.now();
                let frame = moment.open.last().expect("the node is open");
                assert_eq!((frame.id, frame.children_done), (id, children), "{what}");
                let (running, value) = (
                    frame.running.expect("known"),
                    tree.value(id).expect("searched"),
                );
                assert!(
                    (running - value).abs() <= 1e-9 * value.abs().max(1.0),
                    "{what}: {running} {value}"
                );
                let has_cut = tree.children(id).any(|child| tree.value(child).is_none());
                if tree.kind(id) == NodeKind::Chance || tree.kind(id) == NodeKind::Min && !has_cut {
                    assert!(
                        (frame.weight - 1.0).abs() < 1e-9,
                        "{what}: {}",
                        frame.weight
                    );
                }
            }
        }
    }

    fn frame(replay: &mut Replay, id: NodeId) -> Frame {
        replay.seek_node(id);
        replay.now().open.last().copied().expect("open")
    }

    #[test]
    fn a_cut_shows_the_window_that_it_was_cut_by() {
        let mut cuts = 0;
        for (what, tree) in RECORDS.iter() {
            let mut replay = Replay::new(Arc::clone(tree));
            for node in tree.nodes() {
                let Origin::OutOfBounds { alpha, beta } = node.origin else {
                    continue;
                };
                replay.seek_node(node.id);
                let moment = replay.now();
                let above = moment.open[moment.open.len() - 2];
                assert_eq!(
                    (above.alpha, above.beta),
                    (Some(alpha), Some(beta)),
                    "{what}: {:?}",
                    node.id
                );
                cuts += 1;
            }
        }
        assert!(1000 < cuts);
    }

    /// A bound says on which side of the window a value is, so each bound is checked against the window of its node.
    fn judge_windows(what: &str, tree: &Arc<Tree>) -> u64 {
        let mut replay = Replay::new(Arc::clone(tree));
        let mut bounds = 0;
        for node in tree.nodes().skip(1) {
            let has_children = tree.kept_below(node.id) != 0;
            let are_looked_up = |id| {
                tree.children(id)
                    .all(|child| tree.kept_below(child) == 0 && tree.value(child).is_some())
                    && tree.kind(id) == NodeKind::Max
            };
            if !has_children || are_looked_up(node.id) {
                continue;
            }
            let Frame {
                alpha: Some(alpha),
                beta: Some(beta),
                ..
            } = frame(&mut replay, node.id)
            else {
                panic!("{what}: no window at {:?}", node.id)
            };
            let value = node.value.expect("searched");
            let expected = match value {
                _ if value <= alpha => Bound::Upper,
                _ if beta <= value => Bound::Lower,
                _ => Bound::Exact,
            };
            assert_eq!(
                node.bound, expected,
                "{what}: {:?} with {alpha} and {beta}",
                node.id
            );
            bounds += u64::from(expected != Bound::Exact);
        }

        bounds
    }

    #[test]
    fn every_bound_lies_on_its_side_of_the_window() {
        let mut bounds = 0;
        for (what, tree) in RECORDS
            .iter()
            .filter(|(what, _)| what.contains("AlphaBeta"))
        {
            bounds += judge_windows(what, tree);
        }
        for tolerance in [0.0, 30.0, 1e9] {
            for prefer in [Prefer::Higher, Prefer::Lower] {
                for lookahead in LOOKAHEADS
                    .iter()
                    .filter(|lookahead| lookahead.contains("AlphaBeta"))
                {
                    let criterion = Criterion {
                        prefer,
                        tolerance,
                        ..criterion("Weights(\"c\")", lookahead)
                    };
                    let Some(tree) = record_of(BOARDS[2], criterion, 0.1, MANY) else {
                        continue;
                    };
                    bounds += judge_windows(lookahead, &tree);
                }
            }
        }
        assert!(1000 < bounds);
    }

    #[test]
    fn other_searches_have_no_window_and_capped_ones_only_where_it_is_known() {
        for (what, tree) in RECORDS
            .iter()
            .filter(|(what, _)| !what.contains("AlphaBeta"))
        {
            let mut replay = Replay::new(Arc::clone(tree));
            for at in some(replay.len() as usize, 50) {
                replay.seek(at as u64);
                assert!(
                    replay
                        .now()
                        .open
                        .iter()
                        .all(|frame| (frame.alpha, frame.beta) == (None, None)),
                    "{what}"
                );
            }
        }

        let lookahead = "Minimax(plies: Fixed(5), cuts: [AlphaBeta])";
        let whole = record(BOARDS[0], "Corner", lookahead);
        let capped =
            record_of(BOARDS[0], criterion("Corner", lookahead), 0.1, 500).expect("a tree");
        assert!(capped.left_out() != 0);
        let matched = Matched::new(Arc::clone(&capped), Arc::clone(&whole));
        let (mut some_replay, mut all_replay) =
            (Replay::new(Arc::clone(&capped)), Replay::new(whole));
        let (mut known, mut unknown) = (0, 0);
        for id in capped.ids() {
            let there = matched.b_of(id).expect("kept of the same search");
            let (some, all) = (frame(&mut some_replay, id), frame(&mut all_replay, there));
            if some.alpha.is_some() {
                assert_eq!((some.alpha, some.beta), (all.alpha, all.beta), "{id:?}");
                known += 1;
            } else {
                unknown += 1;
            }
        }

        assert!(known != 0 && unknown != 0, "{known} {unknown}");
    }

    #[test]
    fn the_best_move_changes_at_the_instants_that_the_tape_finds() {
        for (what, tree) in RECORDS.iter() {
            let mut replay = Replay::new(Arc::clone(tree));
            let mut expected = Vec::new();
            let mut last = None;
            for child in tree.children(tree.root()) {
                replay.seek(replay.left(child) - 1);
                assert_eq!(replay.now().best, last, "{what}");
                replay.step();
                let best = replay.now().best;
                if best != last {
                    expected.push(replay.at());
                }
                last = best;
            }

            replay.seek(0);
            let mut found = Vec::new();
            while replay.to_next_change() {
                found.push(replay.at());
            }
            assert_eq!(found, expected, "{what}");

            let Some(best) = last else {
                assert_ne!(tree.kind(tree.root()), NodeKind::Max, "{what}");
                continue;
            };
            let link = Some(Link::Slide(best));
            let child = tree
                .children(tree.root())
                .find(|&child| tree.link(child) == link)
                .expect("searched");
            assert_eq!(tree.value(child), tree.value(tree.root()), "{what}");
        }
    }

    #[test]
    fn moves_searched_side_by_side_are_played_one_after_another() {
        let criterion = criterion("Weights(\"c\")", "Expectimax(plies: Fixed(4))");
        let rows = Rows {
            criteria: vec![criterion],
            last_resort: LastResort::First,
            ..Rows::default()
        };
        let board: Board = BOARDS[2].parse().expect("a board");
        let tree = |cores| {
            let stop = CancelToken::new();
            let order = SearchOptions::on_cores(&stop, cores);
            let decision = Decision::of(
                &Player::new(&rows, Rules::default()),
                (&board, 0),
                |_| 0,
                order,
                MANY,
            );
            decision
                .searches
                .into_iter()
                .next()
                .flatten()
                .and_then(|searched| searched.tree)
                .expect("a tree")
        };
        let (mut one, mut two) = (Replay::new(tree(1)), Replay::new(tree(2)));
        while one.step() | two.step() {
            let (one, two) = (one.now(), two.now());
            assert_eq!(
                (one.event, &one.open, one.best, one.seen),
                (two.event, &two.open, two.best, two.seen)
            );
        }
    }

    #[test]
    fn cuts_are_found_forwards_and_backwards() {
        for (what, tree) in RECORDS.iter() {
            let rule = |id: NodeId| match tree.node(id).origin {
                Origin::TooImprobable { .. } => 1,
                Origin::OutOfBounds { .. } => 2,
                Origin::Unimportant { .. } => 3,
                _ => 0,
            };
            let mut expected = Vec::new();
            for id in tree.ids().filter(|&id| 0 < tree.kept_below(id)) {
                let children: Vec<NodeId> = tree.children(id).collect();
                for (place, &child) in children.iter().enumerate() {
                    let before = place
                        .checked_sub(1)
                        .map_or(0, |before| rule(children[before]));
                    if rule(child) == 1 || 1 < rule(child) && rule(child) != before {
                        expected.push(child);
                    }
                }
            }

            expected.sort();
            let mut replay = Replay::new(Arc::clone(tree));
            let mut found = Vec::new();
            while replay.to_next_cut() {
                let ReplayEvent::Enter(id) = replay.event() else {
                    panic!("{what}")
                };
                found.push(id);
            }

            assert_eq!(found, expected, "{what}");
            replay.seek(replay.len());
            let mut back = Vec::new();
            while replay.to_previous_cut() {
                let ReplayEvent::Enter(id) = replay.event() else {
                    panic!("{what}")
                };
                back.push(id);
            }
            back.reverse();
            assert_eq!(back, expected, "{what}");
        }
    }

    #[test]
    fn every_instant_has_a_sentence() {
        for (what, tree) in RECORDS.iter() {
            let mut replay = Replay::new(Arc::clone(tree));
            for at in some(replay.len() as usize + 1, 300) {
                replay.seek(at as u64);
                let sentence = prose::replay::sentence(&replay.now(), tree);
                assert!(
                    !sentence.is_empty() && !sentence.contains("NaN") && !sentence.contains('–'),
                    "{what}: {sentence}"
                );
                assert!(
                    !sentence.contains("  ") && !sentence.ends_with('.'),
                    "{what}: {sentence}"
                );
            }
        }
    }

    #[test]
    fn sentences_tell_the_search_with_its_numbers() {
        let tree = record(
            "2,4,2,4/4,2,4,2/2,4,2,4/4,2,8,8",
            "Score",
            "Expectimax(plies: Fixed(3))",
        );
        let mut replay = Replay::new(tree);
        let mut sentences = Vec::new();
        loop {
            sentences.push(prose::replay::sentence(&replay.now(), replay.tree()));
            if !replay.step() {
                break;
            }
        }
        assert_eq!(
            sentences[..9],
            [
                "The search begins: 15 nodes ahead",
                "Entered the root; 2 moves are next",
                "Entered the chance node after ←; 1 cell × 2 tiles are next",
                "Entered the dead board after a 2 at r4c4",
                "Dead board: Score gives 16",
                "Entered the max node after a 4 at r4c4; 2 moves are next",
                "Entered the leaf after ↑",
                "Leaf: Score gives 24",
                "Entered the leaf after ↓",
            ]
        );

        let left = |text: &&String| text.starts_with("Exited");
        assert_eq!(
            sentences.iter().filter(left).collect::<Vec<_>>(),
            [
                "Exited the max node: 24 is the best of 2 moves",
                "Exited the chance node: 16.8 is the mean of 2 spawns. Root: ← leads with 16.8",
                "Exited the max node: 32 is the best of 2 moves",
                "Exited the max node: 28 is the best of 4 moves",
                "Exited the chance node: 31.6 is the mean of 2 spawns. Root: → leads with 31.6",
            ]
        );

        let tree = record(
            BOARDS[0],
            "Corner",
            "Minimax(plies: Fixed(3), cuts: [AlphaBeta])",
        );
        let mut replay = Replay::new(tree);
        assert!(replay.to_next_cut());

        let ReplayEvent::Enter(id) = replay.event() else {
            panic!("a cut is entered")
        };
        let others = replay
            .tree()
            .children(replay.tree().parent(id).expect("above"))
            .filter(|&child| id <= child)
            .count();
        let sentence = prose::replay::sentence(&replay.now(), replay.tree());
        let end = match others {
            1 => ": the last spawn is not searched".to_owned(),
            _ => format!(": the other {others} spawns are not searched"),
        };
        assert!(
            sentence.starts_with("α ") && sentence.contains(" ≥ β ") && sentence.ends_with(&end),
            "{sentence}"
        );
        replay.step();
        assert!(
            prose::replay::sentence(&replay.now(), replay.tree()).starts_with("Passed a cut: α ")
        );
    }
}

mod matching {
    use super::*;

    fn by_path(tree: &Tree) -> HashMap<Vec<String>, NodeId> {
        tree.ids()
            .map(|id| {
                (
                    tree.links_to(id)
                        .iter()
                        .map(|link| format!("{link:?}"))
                        .collect(),
                    id,
                )
            })
            .collect()
    }

    #[test]
    fn paths_lead_to_their_nodes() {
        for (what, tree) in RECORDS.iter() {
            for id in some(tree.kept(), 300).map(|id| NodeId(id as u32)) {
                let links = tree.links_to(id);
                assert_eq!(links.len() as u32, tree.depth(id));
                assert_eq!(tree.follow(&links), Some(id), "{what}");
            }
            let wrong = [Link::Slide(Move::Up), Link::Slide(Move::Up)];
            assert_eq!(tree.follow(&wrong), None);
        }
    }

    #[test]
    fn nodes_are_matched_by_their_paths() {
        let lookaheads = [
            LOOKAHEADS[1],
            LOOKAHEADS[4],
            LOOKAHEADS[6],
            LOOKAHEADS[12],
            LOOKAHEADS[17],
        ];
        let trees = lookaheads.map(|lookahead| record(BOARDS[2], "Weights(\"c\")", lookahead));
        for a in &trees {
            for b in &trees {
                let matched = Matched::new(Arc::clone(a), Arc::clone(b));
                let (paths_a, paths_b) = (by_path(a), by_path(b));
                for (path, &id) in &paths_a {
                    assert_eq!(matched.b_of(id), paths_b.get(path).copied());
                }
                for (path, &id) in &paths_b {
                    assert_eq!(matched.a_of(id), paths_a.get(path).copied());
                }
                let shared = paths_a
                    .keys()
                    .filter(|path| paths_b.contains_key(*path))
                    .count();
                assert_eq!(matched.shared(), shared);
                assert_eq!(matched.only(), [a.kept() - shared, b.kept() - shared]);
                assert_eq!(matched.b_of(NodeId(u32::MAX)), None);
            }
        }

        let elsewhere = record(BOARDS[0], "Weights(\"c\")", LOOKAHEADS[1]);
        let matched = Matched::new(Arc::clone(&trees[0]), elsewhere);
        assert_eq!((matched.shared(), matched.b_of(NodeId(0))), (0, None));
    }

    #[test]
    fn a_record_does_not_differ_from_itself_in_any_units() {
        let plain = record(BOARDS[2], "Weights(\"c\")", LOOKAHEADS[1]);
        let scaled = record(BOARDS[2], "Sum([(1000.0, Weights(\"c\"))])", LOOKAHEADS[1]);
        for other in [&plain, &scaled] {
            let matched = Matched::new(Arc::clone(&plain), Arc::clone(other));
            assert_eq!(matched.only(), [0, 0]);
            for id in plain.ids() {
                let difference = matched.difference(id).expect("all is searched");
                assert!(difference.abs() < 1e-9, "{difference}");
                assert!(!matched.disagree(id));
            }
        }

        // With the opposite sign: the best move becomes the worst.
        let turned = record(BOARDS[2], "Sum([(-1.0, Weights(\"c\"))])", LOOKAHEADS[0]);
        let plain = record(BOARDS[2], "Weights(\"c\")", LOOKAHEADS[0]);
        let matched = Matched::new(Arc::clone(&plain), turned);
        assert!(matched.disagree(plain.root()));
        let child_of = |mv: &Move| {
            plain
                .children(plain.root())
                .find(|&child| plain.link(child) == Some(Link::Slide(*mv)))
        };
        let best = child_of(&plain.chosen.expect("chosen")).expect("searched");
        assert!((matched.difference(best).expect("searched") + 1.0).abs() < 1e-9);
    }

    #[test]
    fn two_records_disagree_where_no_best_slide_is_common() {
        let a = record(BOARDS[2], "Weights(\"c\")", "Expectimax(plies: Fixed(3))");
        let b = record(BOARDS[2], "Corner", "Minimax(plies: Fixed(3))");
        let matched = Matched::new(Arc::clone(&a), Arc::clone(&b));
        let best = |tree: &Tree, id: NodeId| -> HashSet<String> {
            let value = |child: &NodeId| tree.value(*child).expect("searched");
            let most = tree
                .children(id)
                .map(|child| value(&child))
                .fold(f64::NEG_INFINITY, f64::max);
            let equal = |value: f64| most - most.abs() * 1e-12 <= value;
            tree.children(id)
                .filter(|child| equal(value(child)))
                .map(|child| format!("{:?}", tree.link(child)))
                .collect()
        };

        let mut disagree = 0;
        for id in a.ids().skip(1).filter(|&id| a.kind(id) == NodeKind::Max) {
            let there = matched.b_of(id).expect("both search everything");
            let expected = best(&a, id).is_disjoint(&best(&b, there));
            assert_eq!(matched.disagree(id), expected);
            disagree += u32::from(expected);
        }
        assert!(disagree != 0);
        assert_eq!(matched.disagree(a.root()), a.chosen != b.chosen);
    }
}

mod game {
    use super::*;

    /// A node of a game file.
    enum Game {
        Chance(String, Vec<((u128, u128), Game)>),
        Choice(String, usize, Vec<Game>),
        End(String, Vec<f64>),
    }

    /// Words, quoted texts and brackets.
    fn tokens(text: &str) -> Vec<String> {
        let mut tokens = Vec::new();
        let mut chars = text.chars().peekable();
        while let Some(&c) = chars.peek() {
            if c == '"' {
                chars.next();
                tokens.push(format!(
                    "\"{}",
                    chars.by_ref().take_while(|&c| c != '"').collect::<String>()
                ));
            } else if "{},".contains(c) {
                tokens.push(c.to_string());
                chars.next();
            } else if c.is_whitespace() {
                chars.next();
            } else {
                let mut word = String::new();
                while let Some(&c) = chars
                    .peek()
                    .filter(|c| !c.is_whitespace() && !"{},\"".contains(**c))
                {
                    word.push(c);
                    chars.next();
                }
                tokens.push(word);
            }
        }

        tokens
    }

    struct Reader {
        tokens: std::vec::IntoIter<String>,
        players: usize,
        infosets: HashSet<(String, String)>,
        outcomes: HashSet<String>,
        labels: HashSet<String>,
    }

    impl Reader {
        fn next(&mut self) -> String {
            self.tokens.next().expect("more")
        }

        fn label(&mut self) -> String {
            self.next().strip_prefix('"').expect("a text").to_owned()
        }

        /// The label of a node: Gambit requires each to be unique.
        fn node_label(&mut self) {
            let label = self.label();
            assert!(
                label.is_empty() || self.labels.insert(label.clone()),
                "{label} stands twice"
            );
        }

        fn until_bracket(&mut self) -> Vec<String> {
            assert_eq!(self.next(), "{");
            let inside: Vec<String> = self
                .tokens
                .by_ref()
                .take_while(|token| token != "}")
                .collect();
            inside.into_iter().filter(|token| token != ",").collect()
        }

        fn is_new_infoset(&mut self, player: String) {
            let number = self.next();
            assert!(
                number.parse::<u32>().is_ok_and(|number| 0 < number),
                "{number}"
            );
            assert!(
                self.infosets.insert((player, number)),
                "each position is known"
            );
        }

        fn node(&mut self) -> Game {
            match self.next().as_str() {
                "c" => {
                    self.node_label();
                    self.is_new_infoset("chance".to_owned());
                    let name = self.label();
                    let actions = self.until_bracket();
                    assert_eq!(self.next(), "0");
                    let labels: HashSet<&String> = actions.iter().step_by(2).collect();
                    assert_eq!(2 * labels.len(), actions.len(), "each spawn once");
                    let fractions: Vec<(u128, u128)> = actions
                        .iter()
                        .skip(1)
                        .step_by(2)
                        .map(|text| {
                            let (part, whole) = text.split_once('/').expect("a fraction");
                            (
                                part.parse().expect("a number"),
                                whole.parse().expect("a number"),
                            )
                        })
                        .collect();
                    Game::Chance(
                        name,
                        fractions
                            .into_iter()
                            .map(|fraction| (fraction, self.node()))
                            .collect(),
                    )
                }
                "p" => {
                    self.node_label();
                    let player = self.next();
                    self.is_new_infoset(player.clone());
                    let name = self.label();
                    let actions = self.until_bracket();
                    assert!(
                        !actions.is_empty()
                            && actions.iter().collect::<HashSet<_>>().len() == actions.len()
                    );
                    assert_eq!(self.next(), "0");
                    let player: usize = player.parse().expect("a player");
                    assert!((1..=self.players).contains(&player));
                    Game::Choice(name, player, actions.iter().map(|_| self.node()).collect())
                }
                "t" => {
                    self.node_label();
                    let number = self.next();
                    assert!(self.outcomes.insert(number));
                    let name = self.label();
                    let payoffs: Vec<f64> = self
                        .until_bracket()
                        .iter()
                        .map(|payoff| payoff.parse().expect("a number"))
                        .collect();
                    assert_eq!(payoffs.len(), self.players);
                    Game::End(name, payoffs)
                }
                other => panic!("{other} is no node"),
            }
        }
    }

    fn read(text: &str) -> Game {
        let tokens = tokens(text);
        let mut reader = Reader {
            tokens: tokens.into_iter(),
            players: 0,
            infosets: HashSet::new(),
            outcomes: HashSet::new(),
            labels: HashSet::new(),
        };
        assert_eq!(
            [reader.next(), reader.next(), reader.next()],
            ["EFG", "2", "R"]
        );
        reader.label();
        reader.players = reader.until_bracket().len();
        reader.label();
        let game = reader.node();
        assert!(reader.tokens.next().is_none(), "nothing is left");
        game
    }

    /// The player's result if all play for themselves; stores the values of the nodes by their names.
    fn solve(game: &Game, values: &mut HashMap<String, f64>) -> f64 {
        let (name, value) = match game {
            Game::Chance(name, actions) => {
                // The common denominator is small: cells × 10 or so.
                let whole: u128 = actions
                    .iter()
                    .map(|((_, whole), _)| whole)
                    .product::<u128>()
                    .min(1 << 60);
                let common = (1..=whole)
                    .find(|c| actions.iter().all(|((_, whole), _)| c % whole == 0))
                    .expect("one");
                let sum: u128 = actions
                    .iter()
                    .map(|((part, whole), _)| part * (common / whole))
                    .sum();
                assert_eq!(sum, common, "the probabilities of {name} add up to 1");
                let term = |((part, whole), game): &((u128, u128), Game)| {
                    *part as f64 / *whole as f64 * solve(game, &mut *values)
                };
                (name, actions.iter().map(term).sum())
            }
            Game::Choice(name, player, actions) => {
                let all: Vec<f64> = actions.iter().map(|game| solve(game, values)).collect();
                let better = if *player == 1 { f64::max } else { f64::min };
                (name, all.into_iter().reduce(better).expect("a move"))
            }
            Game::End(name, payoffs) => {
                assert!(payoffs.len() == 1 || payoffs[1] == -payoffs[0]);
                (name, payoffs[0])
            }
        };
        assert_eq!(values.insert(name.clone(), value), None, "{name}");
        value
    }

    fn written(tree: &Tree) -> String {
        let mut bytes = Vec::new();
        tree.write(TreeFormat::Efg, &mut bytes).expect("memory");
        String::from_utf8(bytes).expect("text")
    }

    #[test]
    fn the_value_of_the_game_is_the_value_of_the_search() {
        let mut games = 0;
        for (what, tree) in RECORDS.iter().filter(|(_, tree)| tree.kept() < 20_000) {
            let Ok(()) = tree.can_write(TreeFormat::Efg) else {
                continue;
            };
            let text = written(tree);
            let guess = tree.estimated_size(TreeFormat::Efg) as f64 / text.len() as f64;
            assert!(
                tree.kept() < 512 || (0.3..3.0).contains(&guess),
                "{what}: {guess}"
            );
            let mut values = HashMap::new();
            let value = solve(&read(&text), &mut values);
            for (name, value) in values.iter().filter(|(name, _)| !name.contains(' ')) {
                let id = NodeId(name[1..].parse().expect("a number"));
                let expected = tree.value(id).expect("searched");
                assert!(
                    (value - expected).abs() <= 1e-9 * expected.abs().max(1.0),
                    "{what} {name}: {value} {expected}"
                );
            }
            assert!(
                (value - tree.value(tree.root()).expect("searched")).abs()
                    <= 1e-9 * value.abs().max(1.0),
                "{what}"
            );
            games += 1;
        }
        assert!(20 < games, "{games}");
    }

    #[test]
    fn probabilities_are_exact_fractions_whatever_the_chance_of_a_4() {
        for p4 in [0.0, 0.1, 0.25, 1.0 / 3.0, 0.123_456_789, 1.0] {
            let lookahead = "Expectimax(plies: Fixed(2))";
            let tree =
                record_of(BOARDS[2], criterion("Corner", lookahead), p4, MANY).expect("a tree");
            let text = written(&tree);
            let Game::Choice(_, 1, slides) = read(&text) else {
                panic!("the player begins")
            };
            for slide in slides {
                let Game::Chance(_, spawns) = slide else {
                    panic!("a tile appears")
                };
                let whole = spawns
                    .iter()
                    .map(|((_, whole), _)| *whole)
                    .max()
                    .expect("a spawn");
                // Every denominator divides cells × 10^decimals.
                let common = whole * 25_401_600;
                let parts: Option<u128> = spawns
                    .iter()
                    .map(|((part, whole), _)| {
                        (common % whole == 0).then(|| part * (common / whole))
                    })
                    .sum();
                assert_eq!(parts, Some(common), "{p4}");
            }
        }
        let tree = record(BOARDS[0], "Corner", "Expectimax(plies: Fixed(2))");
        assert!(written(&tree).contains("\"2 at r2c1\" 9/50 \"4 at r2c1\" 1/50"));
    }

    #[test]
    fn what_no_game_can_express_is_refused_with_its_reason() {
        let refused = |tree: &Tree| {
            let reason = tree
                .can_write(TreeFormat::Efg)
                .expect_err("refused")
                .to_string();
            let error = tree
                .write(TreeFormat::Efg, &mut Vec::new())
                .expect_err("refused");
            assert_eq!(
                (error.kind(), error.to_string()),
                (std::io::ErrorKind::InvalidInput, reason.clone())
            );
            for format in [TreeFormat::Json, TreeFormat::Dot, TreeFormat::Csv] {
                assert_eq!(tree.can_write(format), Ok(()));
            }
            reason
        };
        let tree = |lookahead| record(BOARDS[0], "Corner", lookahead);
        let reason = refused(&tree("Minimax(plies: Fixed(3), cuts: [AlphaBeta])"));
        assert!(reason.contains("alpha-beta did not search"), "{reason}");

        let reason = refused(&tree("Expectimax(plies: Fixed(3), spawn: Sum)"));
        assert!(reason.contains("adds the cells up"), "{reason}");
        let reason = refused(&tree("Expectimax(plies: Fixed(7))"));
        assert!(reason.contains("at most 50,000 nodes"), "{reason}");

        let lookahead = "Expectimax(plies: Fixed(3))";
        let capped =
            record_of(BOARDS[0], criterion("Corner", lookahead), 0.1, 100).expect("a tree");
        assert!(refused(&capped).contains("the record left "));
        let lower = Criterion {
            prefer: Prefer::Lower,
            ..criterion("Corner", lookahead)
        };
        assert!(
            refused(&record_of(BOARDS[0], lower, 0.1, MANY).expect("a tree"))
                .contains("minimizes at its root")
        );
        let tiny =
            record_of(BOARDS[0], criterion("Corner", lookahead), 1e-30, MANY).expect("a tree");
        assert!(refused(&tiny).contains("too many decimals"));
    }

    #[test]
    fn where_all_slides_are_worth_less_than_0_the_player_stops() {
        let tree = record(
            BOARDS[1],
            NEGATIVE,
            "Expectimax(plies: Fixed(4), dead: Zero)",
        );
        let text = written(&tree);
        let value = solve(&read(&text), &mut HashMap::new());
        assert!(
            text.contains("{ \"stop\" ") && text.contains(" stop\" { 0 }"),
            "{text}"
        );
        assert!((value - tree.value(tree.root()).expect("searched")).abs() < 1e-9);
        assert!(!text.contains("-0 "), "{text}");
        let floor = tree
            .nodes()
            .find(|node| node.kind == NodeKind::Max && node.value == Some(0.0) && node.id.0 != 0);
        let mut replay = Replay::new(Arc::clone(&tree));
        replay.seek(replay.left(floor.expect("a board").id));
        assert_eq!(
            prose::replay::sentence(&replay.now(), &tree),
            "Exited the max node: worth 0, because all moves are worth less"
        );
    }

    #[test]
    fn a_root_that_is_no_choice_is_a_game_as_well() {
        let tree = record(
            BOARDS[0],
            "Corner",
            "Expectimax(plies: Fixed(5), cuts: [Reach(0.05)])",
        );
        let cut = tree
            .nodes()
            .find(|node| matches!(node.origin, Origin::TooImprobable { .. }))
            .expect("a cut")
            .id;
        let order = SearchOptions::default();
        let skipped = tree.search_skipped(cut, MANY, order).expect("searched");
        assert_eq!(skipped.tree.subject().start, Start::Spawn);
        let value = solve(&read(&written(&skipped.tree)), &mut HashMap::new());
        assert!((value - skipped.value).abs() < 1e-9);
    }
}
