//! The shipped claims are sound, and the verdict follows from the figures.

use std::collections::{BTreeMap, BTreeSet};

use super::*;
use crate::preset::{Item as _, Preset};
use crate::stats::Verdict;

fn judged() -> Vec<Judged<'static>> {
    let measured = Measured::all().expect("sound figures");
    let judged = |(text, claim)| Judged::of(text, claim, measured).expect("sound presets");
    Text::each()
        .expect("sound files")
        .into_iter()
        .map(judged)
        .collect()
}

#[test]
fn every_claim_has_a_verdict_or_a_reason() {
    let mut ids = BTreeSet::new();
    for judged in judged() {
        let id = judged.text.full_id(judged.claim);
        assert!(ids.insert(id.clone()), "{id} is there twice");
        let reason = judged.claim.because.as_ref();
        match judged.verdict {
            Some(Verdict::Compatible) => {
                assert_eq!(reason, None, "{id} is compatible and needs no reason");
            }
            Some(Verdict::CannotTell(_)) => {}
            Some(Verdict::Differs) | None => {
                assert!(reason.is_some(), "{id} needs a reason: {:#?}", judged.tests);
            }
        }
    }
    assert!(60 <= ids.len(), "{}", ids.len());
}

#[test]
fn sentences_of_claims_have_no_period_at_their_end_and_no_digits_without_separators() {
    for (text, claim) in Text::each().expect("sound files") {
        let reason = claim.because.as_ref().map_or("", Because::reason);
        for sentence in [claim.says.as_str(), claim.reading.as_str(), reason] {
            assert!(
                !sentence.ends_with('.'),
                "{}: {sentence}",
                text.full_id(claim)
            );
        }
        assert!(!claim.place.is_empty() && !claim.says.is_empty() && !claim.by.is_empty());
    }
}

#[test]
fn what_repeats_a_claim_exists_and_is_sound_and_nothing_that_ships_is_missing() {
    // The labels of the rows of each preset that was named before.
    let mut named: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for (text, claim) in Text::each().expect("sound files") {
        let id = text.full_id(claim);
        for by in claim
            .by
            .iter()
            .filter(|by| !by.starts_with("afterstate ") && *by != "arithmetic")
        {
            let shipped =
                Shipped::named(by).unwrap_or_else(|| panic!("{id}: no preset is called {by}"));
            named.entry(shipped.name).or_insert_with(|| {
                let preset = shipped.preset().expect(by);
                assert_eq!(preset.to_text(), shipped.text, "{by}");
                assert_eq!(preset.lint(), [], "{by}");
                labels_of(&preset)
            });
        }
        if let Some(preset) = claim.preset() {
            let labels = &named[preset.name];
            for row in claim.rows().expect("a preset") {
                assert!(
                    labels.contains(&row),
                    "{id}: {} has no row {row}",
                    preset.name
                );
            }
        }
    }

    let ships: BTreeSet<&str> = Shipped::ALL.iter().map(|shipped| shipped.name).collect();
    let named: BTreeSet<&str> = named.into_keys().collect();
    assert_eq!(
        &ships - &named,
        BTreeSet::from(["first-look"]),
        "presets that no claim names"
    );
}

fn labels_of(preset: &Preset) -> BTreeSet<String> {
    preset
        .strategies
        .iter()
        .map(|entry| entry.strategy.label())
        .collect()
}

#[test]
fn figures_are_of_rows_that_exist_and_are_written_as_they_are_read() {
    let all = Measured::all().expect("sound figures");
    for measured in all {
        let labels = Shipped::named(&measured.by)
            .map(|shipped| labels_of(&shipped.preset().expect("sound")));
        assert!(
            measured.date.len() == 10 && !measured.version.is_empty(),
            "{}",
            measured.by
        );
        for figure in &measured.rows {
            assert!(
                labels
                    .as_ref()
                    .is_none_or(|labels| labels.contains(&figure.row)),
                "{}: {}",
                measured.by,
                figure.row
            );
            assert!(
                figure.reach.iter().all(|&(_, hits)| hits <= figure.games),
                "{}",
                figure.row
            );
        }
    }
    let text = ron_text::pretty(&all, 4).expect("RON");
    assert_eq!(ron_text::read::<Vec<Measured>>(&text).as_deref(), Ok(all));
}

/// Numbers of claims that are repeated by arithmetic.
#[test]
fn arithmetic_gives_the_numbers_of_claims() {
    let states = 18_u128.pow(16);
    assert_eq!(states, 121_439_531_096_594_251_776);
    assert_eq!(states / 10_u128.pow(20), 1);
    assert_eq!(
        (1_u64 << 17, 8_u64.pow(16), 12_u64.pow(16)),
        (131_072, 281_474_976_710_656, 184_884_258_895_036_416)
    );
    assert_eq!(2_u64.pow(8) * 15 * 9, 34_560);
}

#[test]
fn a_name_means_a_text_a_preset_or_a_claim() {
    let count = |name: &str| Text::named(name).expect("sound files").len();
    let solver = Text::all()
        .expect("sound files")
        .iter()
        .find(|text| text.name == "Solver")
        .expect("there");
    assert_eq!(count("solver"), solver.claims.len());
    assert_eq!((count("solver/snake-mean"), count("nothing")), (1, 0));
    assert!(1 < count("solver-figure-4") && count("solver-figure-4") < count("Solver"));
}

/// A claim about two rows of a preset, with figures of them.
fn verdict(kind: &str, rows: &str) -> Option<Verdict> {
    let text = format!(
        "Text(name: \"T\", citation: \"\", claims: [(id: \"c\", place: \"\", says: \"\", by: [\"quick-start\"], kind: {kind})])"
    );
    let text: Text = ron_text::read(&text).expect("a text");
    let measured =
        format!("[(by: \"quick-start\", date: \"2026-11-28\", version: \"0\", rows: [{rows}])]");
    let measured: Vec<Measured> = ron_text::read(&measured).expect("figures");
    Judged::of(&text, &text.claims[0], &measured)
        .expect("a preset")
        .verdict
}

#[test]
fn the_verdict_follows_from_the_figures() {
    let above = "Above(what: Mean, pairs: [(\"er\", \"r\")])";
    let rows = |a: f64, b: f64, sd: f64| {
        let row =
            |name, mean| format!("(row: \"{name}\", games: 100, mean: {mean:?}, sd: {sd:?}),");
        row("er", a) + &row("r", b)
    };
    let differs = |verdict| matches!(verdict, Some(Verdict::Differs));
    let cannot_tell = |verdict| matches!(verdict, Some(Verdict::CannotTell(_)));
    assert_eq!(
        verdict(above, &rows(2000.0, 1000.0, 500.0)),
        Some(Verdict::Compatible)
    );
    assert!(differs(verdict(above, &rows(1000.0, 2000.0, 500.0))));
    assert!(cannot_tell(verdict(above, &rows(1010.0, 1000.0, 500.0))));
    assert_eq!(
        verdict(
            above,
            "(row: \"er\", games: 100, mean: 5.0), (row: \"r\", games: 100, mean: 1.0)"
        ),
        None
    );

    let ratio = "Ratio(what: Mean, of: \"er\", to: \"r\", value: 2.0)";
    assert_eq!(
        verdict(ratio, &rows(2000.0, 1000.0, 50.0)),
        Some(Verdict::Compatible)
    );
    assert!(differs(verdict(ratio, &rows(3000.0, 1000.0, 50.0))));
    assert!(cannot_tell(verdict(ratio, &rows(2000.0, 1000.0, 1500.0))));

    let little = "Ratio(what: Mean, of: \"er\", to: \"r\", value: 1.0)";
    assert_eq!(
        verdict(little, &rows(1020.0, 1000.0, 10.0)),
        Some(Verdict::Compatible),
        "2 %, and certain"
    );
    assert!(differs(verdict(little, &rows(1200.0, 1000.0, 10.0))));
    assert!(cannot_tell(verdict(little, &rows(1020.0, 1000.0, 1500.0))));

    let times = "Ratio(what: SecondsReaching(2048), of: \"er\", to: \"r\", value: 5.0)";
    let seconds = |a: f64, b: f64| {
        let row = |name, mean| {
            format!(
                "(row: \"{name}\", games: 100, reach: [(2048, 90)], seconds_reaching: [(2048, {mean:?}, 0.1)]),"
            )
        };
        row("er", a) + &row("r", b)
    };
    assert_eq!(
        verdict(times, &seconds(10.0, 2.0)),
        Some(Verdict::Compatible)
    );
    assert!(differs(verdict(times, &seconds(4.0, 2.0))));

    let share = "Number(row: \"er\", what: Reach(2048), value: 0.9, games: 100)";
    let reached = |hits: u64| format!("(row: \"er\", games: 100, reach: [(2048, {hits})])");
    assert!(differs(verdict(share, &reached(50))));
    assert_eq!(verdict(share, &reached(90)), Some(Verdict::Compatible));
    assert!(cannot_tell(verdict(
        share,
        "(row: \"er\", games: 10, reach: [(2048, 9)])"
    )));
    assert!(cannot_tell(verdict(
        "Number(row: \"er\", what: Reach(2048), value: 0.9)",
        &reached(50)
    )));

    let gains = |by: &str| {
        format!("GainsMost(what: Mean, by: {by}, pairs: [(\"er\", \"emr\"), (\"r\", \"mr\")])")
    };
    let gained = |means: [f64; 4]| {
        let row =
            |(name, mean)| format!("(row: \"{name}\", games: 100, mean: {mean:?}, sd: 50.0),");
        ["er", "emr", "r", "mr"]
            .into_iter()
            .zip(means)
            .map(row)
            .collect::<String>()
    };
    // The second pair gains more points, the first one the larger factor.
    let figures = gained([1000.0, 3000.0, 5000.0, 9000.0]);
    assert!(differs(verdict(&gains("Difference"), &figures)));
    assert_eq!(
        verdict(&gains("Factor"), &figures),
        Some(Verdict::Compatible)
    );

    let exact = |ours: &str| {
        verdict(
            &format!("Exact(published: \"7\", measured: \"{ours}\")"),
            "",
        )
    };
    assert_eq!(exact("7"), Some(Verdict::Compatible));
    assert!(differs(exact("8")));
    assert_eq!(verdict("Stated", ""), None);
}

#[test]
fn an_interval_gives_the_spread_that_it_came_from() {
    let figure = Figure {
        games: 100,
        mean: Some(1000.0),
        sd: Some(300.0),
        ..Figure::default()
    };
    let (_, interval) = figure.estimate(Quantity::Mean).expect("a spread");
    let other = Figure {
        sd: None,
        ci95: Some([interval.low, interval.high]),
        ..figure
    };
    let std_dev = other
        .moments()
        .and_then(|moments| moments.std_dev)
        .expect("a spread");
    assert!((std_dev - 300.0).abs() < 1e-9, "{std_dev}");
}
