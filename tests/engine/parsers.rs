//! Hostile and random texts: no parser panics, and written values are read back equal.

use afterstate::evaluator::{Evaluator, Lines};
use afterstate::game::{Rules, Size};
use afterstate::preset::{Entry, Item as _, Preset, Published, Shipped};
use afterstate::search::Lookahead;
use afterstate::strategy::{Criterion, LastResort, Prefer, Strategy as Rows, StrategyHash};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

fn evaluators() -> impl Strategy<Value = Evaluator> {
    // The text does not depend on whether there is a solved table.
    let leaf = Evaluator::palette()
        .into_iter()
        .filter(|evaluator| evaluator.files().is_empty());
    let leaf = prop::sample::select(leaf.collect::<Vec<_>>());
    let constants = (-1e6..1e6, -1e6..1e6, 0.0..9.0).prop_map(|(fixed, empty, sum_power)| {
        Evaluator::Lines(Lines {
            fixed,
            empty,
            sum_power,
            ..Lines::XIAO
        })
    });
    prop_oneof![leaf, constants].prop_recursive(4, 16, 4, |inner| {
        let product = (inner.clone(), inner.clone())
            .prop_map(|(a, b)| Evaluator::Product(Box::new(a), Box::new(b)));
        prop_oneof![
            vec((-1e6..1e6, inner), 1..4).prop_map(Evaluator::Sum),
            product
        ]
    })
}

fn criteria() -> impl Strategy<Value = Criterion> {
    let settings = (
        any::<bool>(),
        prop_oneof![Just(0.0), 0.0..1e9],
        any::<bool>(),
    );
    (evaluators(), settings).prop_map(|(evaluator, (lower, tolerance, off))| Criterion {
        evaluator,
        lookahead: Lookahead::OnePly,
        prefer: if lower { Prefer::Lower } else { Prefer::Higher },
        tolerance,
        off,
    })
}

fn strategies() -> impl Strategy<Value = Rows> {
    let words = (
        any::<String>(),
        any::<String>(),
        option::of(any::<u64>().prop_map(StrategyHash)),
    );
    (
        words,
        vec(criteria(), 0..5),
        prop::sample::select(LastResort::VARIANTS.to_vec()),
    )
        .prop_map(|((name, note, parent), criteria, last_resort)| Rows {
            name,
            note,
            parent,
            criteria,
            last_resort,
            rollout: None,
        })
}

fn published() -> impl Strategy<Value = Published> {
    let some = (
        option::of(0.0..1e7),
        option::of(0.0..1e6),
        option::of(0.0..1e7),
        option::of(any::<u32>()),
    );
    let reach = proptest::collection::btree_map(2u32..20, 0.0..=1.0, 0..4);
    let of_tiles = proptest::collection::btree_map(2u32..20, 0.0..1e5, 0..4);
    let rest = (
        reach,
        option::of(0.0..1e5),
        of_tiles,
        option::of(1u64..),
        any::<(String, String)>(),
    );
    (some, rest).prop_map(
        |((mean, sd, median, max), (reach, moves, of_tiles, games, (source, reading)))| Published {
            mean,
            sd,
            median,
            max,
            reach: reach
                .into_iter()
                .map(|(rank, share)| (1 << rank, share))
                .collect(),
            moves,
            moves_reaching: of_tiles
                .iter()
                .map(|(&rank, &moves)| (1 << rank, moves))
                .collect(),
            seconds_reaching: of_tiles
                .iter()
                .map(|(&rank, &seconds)| (1 << rank, seconds / 1000.0))
                .collect(),
            seconds_per_move: mean.map(|seconds: f64| seconds / 1e6),
            games,
            source,
            reading,
        },
    )
}

fn presets() -> impl Strategy<Value = Preset> {
    let head = (
        any::<String>(),
        any::<String>(),
        any::<u64>(),
        1u64..=10_000_000,
    );
    let rules = (
        prop::sample::select(vec![Size::FOUR]),
        prop_oneof![Just(0.1), 0.0..=1.0],
    );
    let entries = vec((strategies(), option::of(published())), 1..5);
    (head, rules, entries).prop_map(|((title, note, seed, games), (size, p4), entries)| {
        let mut preset = Preset::new(title, []);
        (preset.note, preset.seed, preset.games, preset.rules) = (
            note,
            seed,
            games,
            Rules {
                size,
                p4,
                ..Rules::default()
            },
        );
        for (index, (mut strategy, published)) in entries.into_iter().enumerate() {
            // Names must differ.
            strategy.name.push_str(&index.to_string());
            preset.strategies.push(Entry {
                published,
                ..Entry::new(strategy)
            });
        }
        preset
    })
}

/// A shipped preset with some characters replaced, removed or doubled.
fn damaged() -> impl Strategy<Value = String> {
    let text: Vec<char> = Shipped::ALL[0].text.chars().collect();
    let edits = vec(
        (0..text.len(), option::of(prop::char::any()), any::<bool>()),
        1..6,
    );
    (edits, 0..text.len()).prop_map(move |(edits, cut)| {
        let mut text = text.clone();
        for (at, new, double) in edits {
            match new {
                Some(new) if double => text.insert(at.min(text.len()), new),
                Some(new) if at < text.len() => text[at] = new,
                _ if at < text.len() => drop(text.remove(at)),
                _ => {}
            }
        }
        if cut % 3 == 0 {
            text.truncate(cut);
        }
        text.into_iter().collect()
    })
}

fn is_one_sentence(error: &str) -> bool {
    !error.is_empty() && !error.contains('\n')
}

proptest! {
    #[test]
    fn a_preset_is_read_back_equal(preset in presets()) {
        let text = preset.to_text();
        let again = Preset::from_text(&text).map_err(|error| TestCaseError::fail(format!("{error}\n{text}")))?;
        prop_assert_eq!(&again, &preset);
        prop_assert_eq!(again.to_text(), text);
    }

    #[test]
    fn a_strategy_is_read_back_equal(strategy in strategies()) {
        prop_assert_eq!(strategy.to_string().parse::<Rows>(), Ok(strategy.clone()));
        prop_assert_eq!(strategy.pretty().parse::<Rows>(), Ok(strategy));
    }

    #[test]
    fn unknown_fields_survive(name in "[a-z]{3,9}x", value in presets().prop_map(|preset| preset.to_text())) {
        // Any RON value will do; a whole preset is a complex one.
        let text = Shipped::ALL[0].text.replacen("seed: ", &format!("{name}: {value}, seed: "), 1);
        let preset = Preset::from_text(&text).map_err(|error| TestCaseError::fail(error.to_string()))?;
        prop_assert_eq!(preset.unknown_paths(), vec![name]);
        prop_assert_eq!(&Preset::from_text(&preset.to_text()), &Ok(preset));
    }

    #[test]
    fn no_text_makes_the_preset_reader_panic(text in any::<String>()) {
        if let Err(error) = Preset::from_text(&text) {
            prop_assert!(is_one_sentence(&error.to_string()), "{}", error);
        }
    }

    #[test]
    fn no_damage_makes_the_preset_reader_panic(text in damaged()) {
        match Preset::from_text(&text) {
            Ok(preset) => prop_assert_eq!(&Preset::from_text(&preset.to_text()), &Ok(preset)),
            Err(error) => prop_assert!(is_one_sentence(&error.to_string()), "{}", error),
        }
    }

    #[test]
    fn no_text_makes_the_strategy_reader_panic(text in "[a-zA-Z0-9(){}\\[\\]:,.\"' #/*-]{0,80}") {
        if let Err(error) = text.parse::<Rows>() {
            prop_assert!(is_one_sentence(&error.to_string()), "{}", error);
        }
    }
}

#[test]
fn deep_nesting_is_refused() {
    for bracket in [
        "(",
        "[",
        "{",
        "Sum([(1.0, ",
        "Product(Score, ",
        "Lines(",
        "/*",
    ] {
        let deep = bracket.repeat(100_000);
        assert!(Preset::from_text(&deep).is_err());
        assert!(Preset::from_text(&format!("(version: 1, x: {deep}")).is_err());
        assert!(
            format!("Strategy(criteria: [(evaluator: {deep}")
                .parse::<Rows>()
                .is_err()
        );
    }
}

#[test]
fn sums_and_products_are_read_and_written_down_to_the_deepest() {
    // Inert keeps the values of many factors small.
    let nests = [
        (1, "Sum([(1.0, ", ")])"),
        (1, "Product(Inert, ", ")"),
        (2, "Sum([(2.0, Product(Inert, ", "))])"),
    ];
    for (levels, open, close) in nests {
        for wraps in [
            1,
            Evaluator::DEEPEST / levels,
            Evaluator::DEEPEST / levels + 1,
        ] {
            let text = format!("{}Empty{}", open.repeat(wraps), close.repeat(wraps));
            let evaluator: Evaluator = text
                .parse()
                .unwrap_or_else(|error| panic!("{wraps} {open}: {error}"));
            assert_eq!(evaluator.to_string(), text);
            let fits = wraps * levels <= Evaluator::DEEPEST;
            let refusal = "sums and products are nested deeper than 64 levels: use fewer";
            let checked = evaluator
                .check(Size::FOUR)
                .map_err(|error| error.to_string());
            assert_eq!(
                checked,
                if fits {
                    Ok(())
                } else {
                    Err(refusal.to_owned())
                }
            );
            let strategy = format!("Strategy(criteria: [(evaluator: {text})])");
            assert!(strategy.parse::<Rows>().is_ok(), "{wraps} {open}");
            let preset = format!(
                "(version: 1, seed: 1, games: 1, strategies: [(strategy: (criteria: [(evaluator: {text})]))])"
            );
            match Preset::from_text(&preset) {
                Ok(read) => {
                    assert_eq!((fits, Preset::from_text(&read.to_text())), (true, Ok(read)));
                }
                Err(error) => assert!(
                    !fits && error.to_string().contains(refusal),
                    "{wraps} {open}: {error}"
                ),
            }
        }
    }
}
