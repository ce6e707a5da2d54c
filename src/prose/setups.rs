//! Setups of runs in words, and the differences between several.

use itertools::Itertools as _;

use crate::experiment::{ContestantRecord, EndReason, Manifest};
use crate::game::Rules;
use crate::learning::Training;
use crate::preset::Preset;
use crate::words;

/// `5x5, 20 % fours, to 2048, from a position`: default values are left out, except for the board size.
pub fn rules(rules: &Rules) -> String {
    let fours = rules.p4.to_bits() != Rules::default().p4.to_bits();
    rules_with(rules, fours.then(|| words::fours(rules.p4)))
}

/// The rules of all strategies of an experiment, which may have several chances of a 4: `4x4, 0 to 100 % fours`.
pub fn rules_of(setup: &Preset) -> String {
    let all = setup
        .strategies
        .iter()
        .map(|entry| entry.rules(setup.rules).p4);
    match all.minmax_by(f64::total_cmp).into_option() {
        Some((least, most)) if least != most => {
            rules_with(&setup.rules, Some(words::fours_between([least, most])))
        }
        Some((p4, _)) => rules(&Rules { p4, ..setup.rules }),
        None => rules(&setup.rules),
    }
}

/// `fours` is their share, if it is shown.
fn rules_with(rules: &Rules, fours: Option<String>) -> String {
    let mut text = rules.size.to_string();
    if let Some(fours) = fours {
        text += &format!(", {fours}");
    }
    if let Some(rank) = rules.stop_at {
        text += &format!(", to {}", rank.tile());
    }
    if rules.start.is_some() {
        text += ", from a position";
    }
    text
}

/// Which games the result of a run covers, and which it covered before.
pub fn answer_texts(manifest: &Manifest, finished: u64) -> Vec<String> {
    let of_each = |games: u64| match games {
        1 => "game 0 of each strategy".to_owned(),
        games => format!(
            "games 0 to {} of each strategy",
            words::count(games.saturating_sub(1))
        ),
    };
    let answer = manifest.answer();
    let mut text = match answer {
        Some(games) => format!("The result covers {}", of_each(games)),
        None => format!(
            "The result covers {}",
            words::plural(finished, "finished game")
        ),
    };

    let arms = manifest.strategies.len() as u64;
    let beyond = answer.map_or(0, |games| {
        finished.saturating_sub(games.saturating_mul(arms))
    });
    if 0 < beyond {
        text += &format!(
            "; {} more {} not count",
            words::count(beyond),
            if beyond == 1 { "does" } else { "do" }
        );
    }
    if matches!(manifest.end_reason, EndReason::Cancelled { .. }) {
        text += &format!(": {}", EndReason::BIASED);
    }
    let mut texts = vec![text];
    let earlier: Vec<String> = manifest
        .earlier_answers()
        .into_iter()
        .map(words::count)
        .collect();
    if !earlier.is_empty() {
        let games = format!(
            "Previously it covered {} games of each",
            words::list(&earlier)
        );
        texts.push(format!(
            "{games}. To see such a result again, set that number and press Run; no game is played twice"
        ));
    }

    texts
}

/// A setting that differs between several runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetupDifference {
    pub setting: String,
    /// In the order of the runs.
    pub values: Vec<String>,
}

/// The name of a setting, and its value.
type Setting = (&'static str, fn(&Manifest) -> String);

/// The settings that differ between runs, and no others: rules, seed, games, generator, version, and each strategy that
/// is not the same in all of them.
pub fn setup_differences(runs: &[&Manifest]) -> Vec<SetupDifference> {
    let settings: [Setting; 9] = [
        ("board", |run| run.size.clone()),
        ("fours", |run| format!("{} %", words::fours_percent(run.p4))),
        ("ends at", |run| {
            run.stop_at
                .map_or_else(|| "the last move".to_owned(), words::count)
        }),
        ("begins at", |run| {
            run.start.clone().unwrap_or_else(|| "two tiles".to_owned())
        }),
        ("seed", |run| run.seed.to_string()),
        ("games", |run| words::count(run.games)),
        ("generator", |run| run.generator.clone()),
        ("version", |run| run.version.clone()),
        ("threads", |run| run.threads.to_string()),
    ];
    let plain = settings
        .into_iter()
        .map(|(setting, value)| SetupDifference {
            setting: setting.to_owned(),
            values: runs.iter().map(|run| value(run)).collect(),
        });

    let names = runs
        .iter()
        .flat_map(|run| &run.strategies)
        .map(|one| one.name.as_str())
        .unique();
    let strategies = names.map(|name| {
        let found: Vec<Option<&ContestantRecord>> = runs
            .iter()
            .map(|run| run.strategies.iter().find(|one| one.name == name))
            .collect();
        // The same name may stand for several strategies.
        let hashes: Vec<&str> = found
            .iter()
            .flatten()
            .map(|one| one.hash.as_str())
            .unique()
            .collect();
        let value = |one: &Option<&ContestantRecord>| match one {
            None => "–".to_owned(),
            Some(_) if hashes.len() == 1 => "plays".to_owned(),
            Some(one) => one.hash.clone(),
        };
        SetupDifference {
            setting: format!("strategy {name}"),
            values: found.iter().map(value).collect(),
        }
    });

    plain
        .chain(strategies)
        .filter(|one| !one.values.iter().all_equal())
        .collect()
}

/// The name of a training setting, and its value.
type TrainingSetting = (&'static str, fn(&Training) -> String);

/// The settings that differ between trainings, and no others.
pub fn training_differences(trainings: &[&Training]) -> Vec<SetupDifference> {
    let settings: [TrainingSetting; 14] = [
        ("board", |training| training.network.size.to_string()),
        ("network", |training| training.network.label()),
        ("rule", Training::rule_text),
        ("learning rate", |training| {
            words::decimals_short(f64::from(
                training.alpha.unwrap_or(training.rule.usual_alpha()),
            ))
        }),
        ("schedule", |training| {
            let steps = training
                .schedule
                .iter()
                .map(|(game, rate)| format!("{rate} from game {}", words::count(*game)));
            let steps = steps.collect::<Vec<_>>().join(", ");
            if steps.is_empty() {
                "–".to_owned()
            } else {
                steps
            }
        }),
        ("initial value", |training| {
            words::decimals_short(f64::from(training.optimistic))
        }),
        ("λ", |training| {
            words::decimals_short(f64::from(training.lambda))
        }),
        ("slides ahead", |training| {
            words::count(training.horizon() as u64)
        }),
        ("restarts", |training| training.restarts.to_string()),
        ("time limit, minutes", |training| {
            training
                .minutes
                .map_or_else(|| "–".to_owned(), words::decimals_short)
        }),
        ("backward", |training| {
            if training.backward { "yes" } else { "no" }.to_owned()
        }),
        ("fours", |training| {
            format!("{} %", words::fours_percent(training.p4))
        }),
        ("seed", |training| training.seed.to_string()),
        ("games", |training| words::count(training.games)),
    ];
    let differences = settings
        .into_iter()
        .map(|(setting, value)| SetupDifference {
            setting: setting.to_owned(),
            values: trainings.iter().map(|training| value(training)).collect(),
        });
    differences
        .filter(|one| !one.values.iter().all_equal())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::{Plan, Run};
    use crate::preset::Preset;

    fn manifest(letters: &[&str], seed: u64, rules: Rules) -> Manifest {
        let strategies = letters
            .iter()
            .map(|letters| letters.parse().expect("letters"));
        let preset = Preset {
            seed,
            rules,
            games: 2,
            ..Preset::new("A run", strategies)
        };
        let plan = Plan {
            threads: Some(1),
            ..Plan::of_preset(&preset)
        };
        Run::start(plan, || {})
            .expect("a sound plan")
            .into_results()
            .manifest
    }

    #[test]
    fn only_what_differs_between_trainings_is_told() {
        let one = Training::new("4x5patt".parse().expect("a shape"), 100);
        let other = Training {
            seed: 3,
            lambda: 0.5,
            ..one.clone()
        };
        assert!(training_differences(&[&one, &one]).is_empty());
        let found = training_differences(&[&one, &other]);
        let texts: Vec<String> = found
            .iter()
            .map(|difference| format!("{}: {}", difference.setting, difference.values.join(" | ")))
            .collect();
        assert_eq!(
            texts,
            [
                "rule: TC(0) | TC(0.5), 5 slides ahead",
                "λ: 0 | 0.5",
                "slides ahead: 1 | 5",
                "seed: 0 | 3"
            ]
        );
    }

    #[test]
    fn only_what_differs_is_told() {
        let usual = Rules::default();
        let one = manifest(&["er", "emr"], 1, usual);
        assert!(setup_differences(&[&one, &one.clone()]).is_empty());
        let mut other = manifest(&["emr", "r"], 2, Rules { p4: 0.25, ..usual });
        other.strategies[0].hash = "other".to_owned();
        let third = manifest(&["er", "emr"], 2, usual);
        let found = setup_differences(&[&one, &other, &third]);
        let text = |difference: &SetupDifference| {
            format!("{}: {}", difference.setting, difference.values.join(" | "))
        };
        let hash = &one.strategies[1].hash;
        let wanted = [
            "fours: 10 % | 25 % | 10 %".to_owned(),
            "seed: 1 | 2 | 2".to_owned(),
            "strategy er: plays | – | plays".to_owned(),
            format!("strategy emr: {hash} | other | {hash}"),
            "strategy r: – | plays | –".to_owned(),
        ];

        assert_eq!(found.iter().map(text).collect::<Vec<_>>(), wanted);
    }

    #[test]
    fn rules_are_told_as_far_as_they_are_not_the_usual() {
        let usual = Rules::default();
        assert_eq!(rules(&usual), "4x4");
        let stop_at = crate::game::Rank::of_tile(2048);
        assert_eq!(
            rules(&Rules {
                p4: 0.2,
                stop_at,
                ..usual
            }),
            "4x4, 20 % fours, to 2048"
        );
        let axis = "chance of a 4=0.2,0.5".parse().expect("an axis");
        let bases = vec![crate::preset::Entry::new("emr".parse().expect("letters"))];
        let sweep = crate::preset::Sweep {
            over: vec![axis],
            bases,
            ..crate::preset::Sweep::default()
        };
        let mut swept = Preset::of_sweep("", sweep).expect("a sweep");
        assert_eq!(rules_of(&swept), "4x4, 20 to 50 % fours");
        swept.strategies.truncate(1);
        assert_eq!(
            (rules_of(&swept), rules_of(&Preset::new("", []))),
            ("4x4, 20 % fours".into(), "4x4".into())
        );
        let start = "2,0/0,2".parse().ok();
        assert_eq!(
            rules(&Rules {
                start,
                ..usual.on("2x2".parse().expect("a size"))
            }),
            "2x2, from a position"
        );
    }
}
