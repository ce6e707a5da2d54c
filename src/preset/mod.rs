//! Presets: experiments as small text files with the strategies, the number of games, the seed, and published numbers.
//!
//! A preset has three forms: RON *text*, a `Spec` of plain data that may be invalid, and a [`Preset`] built from it
//! once [`check`](Preset::check) finds nothing. `experiment::Plan` runs it.
//!
//! ```text
//! (
//!     version: 1,
//!     title: "Three ways to tidy up",
//!     seed: 1,
//!     games: 1000,
//!     strategies: [
//!         (strategy: (name: "er", criteria: [(evaluator: Empty)])),
//!     ],
//! )
//! ```
//!
//! Saving a preset drops comments: the text is generated from the data, in a fixed order and layout, so that two
//! presets differ only if they mean different things. Put remarks into `note`.
//!
//! To ship one: its file in `presets/` as [`Preset::to_text`] writes it, its name in `ALL` of `shipped.rs` and, if its strategies
//! are new, in `presets` of [`Source`]; the table in `src/guide/reference-presets.md`.
//!
//! Unknown fields, of a newer version or another program, are reported, skipped and written back.
//!
//! To add a kind of own file: implement [`Item`], take it in `state/own_files.rs`, and a [`TextKind`] if it can be
//! opened.

mod check;
mod collection;
mod positions;
mod shipped;
mod spec;
mod stop_rule;
mod sweep;
mod text_kind;
mod title;
mod tree;
mod tuning;

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use crate::game::Rules;
use crate::strategy::{Strategy, Warning};

pub use check::{MOST_GAMES, MOST_GAMES_IN_ALL, MOST_STRATEGIES};
pub use collection::{
    Collection, CollectionError, Deleted, Item, ItemError, ItemFile, SaveTo, Saving, Stored,
    file_of, file_stem,
};
pub use positions::{Group, Pin, PositionSet, PositionsError, UnfitPosition};
pub use shipped::{Shipped, ShippedStrategy, Source};
pub use spec::{LARGEST_PRESET, PresetError, Problem, Published, Unknown};
pub use stop_rule::{HalfWidth, ParseStopRuleError, SprtRule, StopKind, StopRule, StopRuleProblem};
pub use sweep::{Along, Axis, AxisError, CHANCE_OF_A_4, MOST_POINTS, PublishedPoint, Sweep};
pub use text_kind::TextKind;
pub use tuning::{LEAST_TUNING, Objective, ParseObjectiveError, Tuned, TunedError, Tuning};

#[derive(Clone, Debug, PartialEq)]
pub struct Preset {
    /// One line for lists and window titles.
    pub title: String,
    /// A note for readers; may be empty.
    pub note: String,
    /// Size of the board, probability of a 4, and where games end.
    pub rules: Rules,
    /// Seed of the experiment: game `i` depends only on it and on `i`.
    pub seed: u64,
    /// Games of each strategy, from 1 to [`MOST_GAMES`].
    pub games: u64,
    /// Rules that end a run before all its games are played. The first one that is met ends it.
    pub until: Vec<StopRule>,
    /// The strategies, in the order of tables and legends. For a sweep, all its points.
    pub strategies: Vec<Entry>,
    /// The settings that some of them differ in.
    pub sweep: Option<Sweep>,
    /// Numbers of its strategy to tune.
    pub tune: Option<Tuning>,
    /// Fields of the preset and its rules that this version does not know.
    pub unknown: Vec<Unknown>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    pub strategy: Strategy,
    /// Probability of a 4 in its games, if it differs from the others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub p4: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub published: Option<Published>,
    /// Fields of the entry, its strategy and its published row that this version does not know.
    #[serde(skip)]
    pub unknown: Vec<Unknown>,
}

impl Entry {
    pub fn new(strategy: Strategy) -> Self {
        Self {
            strategy,
            p4: None,
            published: None,
            unknown: Vec::new(),
        }
    }

    /// The rules of its games in an experiment with these rules.
    pub fn rules(&self, rules: Rules) -> Rules {
        Rules {
            p4: self.p4.unwrap_or(rules.p4),
            ..rules
        }
    }
}

impl Preset {
    /// The version of the format that this program writes, and the newest that it reads.
    pub const VERSION: u32 = 1;

    /// A preset with the default rules, seed 1 and 1000 games.
    pub fn new(title: impl Into<String>, strategies: impl IntoIterator<Item = Strategy>) -> Self {
        Self {
            title: title.into(),
            note: String::new(),
            rules: Rules::default(),
            seed: 1,
            games: 1000,
            until: Vec::new(),
            strategies: strategies.into_iter().map(Entry::new).collect(),
            sweep: None,
            tune: None,
            unknown: Vec::new(),
        }
    }

    /// A preset with the points of a sweep, or what is wrong with it.
    pub fn of_sweep(title: impl Into<String>, sweep: Sweep) -> Result<Self, Problem> {
        let strategies = sweep.expand()?;
        Ok(Self {
            strategies,
            sweep: Some(sweep),
            ..Self::new(title, [])
        })
    }

    /// The strategies as a file lists them: the bases of a sweep instead of its points, if all points exist.
    fn listed(&self) -> &[Entry] {
        let played = |entry: &Entry| (entry.strategy.clone(), entry.rules(self.rules));
        let is_whole = |sweep: &&Sweep| {
            sweep.expand().is_ok_and(|points| {
                points
                    .iter()
                    .map(played)
                    .eq(self.strategies.iter().map(played))
            })
        };
        self.sweep
            .as_ref()
            .filter(is_whole)
            .map_or(&self.strategies, |sweep| &sweep.bases)
    }

    /// Removes the published numbers for its rules. Returns the number of removed rows.
    pub fn forget_published(&mut self) -> usize {
        let swept = self
            .sweep
            .as_mut()
            .map(|sweep| (std::mem::take(&mut sweep.published), &mut sweep.bases));
        let (rows, bases) = swept.map_or((0, None), |(rows, bases)| (rows.len(), Some(bases)));
        let entries = self
            .strategies
            .iter_mut()
            .chain(bases.into_iter().flatten());
        rows + entries.filter_map(|entry| entry.published.take()).count()
    }

    /// Sets other rules for the strategies, with the published numbers for these rules.
    pub fn set_rules(&mut self, rules: Rules) {
        if self.rules == rules {
            return;
        }
        self.rules = rules;
        self.forget_published();
        for entry in self.strategies.iter_mut().filter(|_| self.sweep.is_none()) {
            entry.published = Shipped::published(&entry.strategy, entry.rules(rules));
        }
    }

    /// Every problem that prevents this preset from being played, with its place. Empty if there is none.
    pub fn check(&self) -> Vec<Problem> {
        spec::Spec::of(self).check()
    }

    /// Warnings about valid but questionable settings, with their places. For a sweep, about its bases, not its points.
    pub fn lint(&self) -> Vec<Warning> {
        let of_entry = |(index, entry): (usize, &Entry)| {
            let path = move |path| format!("strategies[{index}].strategy.{path}");
            let warnings = entry.strategy.lint(self.rules.size).into_iter();
            warnings.map(move |warning| Warning {
                path: path(warning.path),
                ..warning
            })
        };
        let start = self.rules.start.and_then(|start| self.rules.doubt(&start));
        let start = start.map(|reason| Warning {
            path: "rules.start".to_owned(),
            reason,
        });
        start
            .into_iter()
            .chain(self.listed().iter().enumerate().flat_map(of_entry))
            .collect()
    }

    /// All unknown fields with their full path, such as `strategies[2].colour`.
    pub fn unknown_paths(&self) -> Vec<String> {
        let own = self.unknown.iter().map(Unknown::path);
        let of_entries = self.listed().iter().enumerate().flat_map(|(index, entry)| {
            entry
                .unknown
                .iter()
                .map(move |unknown| format!("strategies[{index}].{}", unknown.path()))
        });
        own.chain(of_entries).collect()
    }

    /// The changes since `before`, one phrase each.
    pub fn difference(&self, before: &Self) -> Vec<String> {
        let settings = [
            ("title", self.title != before.title),
            ("note", self.note != before.note),
            ("rules", self.rules != before.rules),
            ("seed", self.seed != before.seed),
            ("games", self.games != before.games),
            ("stop rules", self.until != before.until),
            ("sweep", self.sweep != before.sweep),
            ("tuning", self.tune != before.tune),
        ];

        let settings = settings
            .iter()
            .filter(|(_, changed)| *changed)
            .map(|(name, _)| format!("{name} changed"));
        let by_name = |preset: &Self| -> HashMap<String, Entry> {
            preset
                .strategies
                .iter()
                .map(|entry| (entry.strategy.label(), entry.clone()))
                .collect()
        };
        let (now, then) = (by_name(self), by_name(before));
        let gone = before
            .strategies
            .iter()
            .map(|entry| entry.strategy.label())
            .filter(|name| !now.contains_key(name));
        let gone = gone.map(|name| format!("without {name}"));
        let here = self.strategies.iter().filter_map(|entry| {
            let name = entry.strategy.label();
            match then.get(&name) {
                None => Some(format!("with {name}")),
                Some(other) => (other != entry).then(|| format!("{name} changed")),
            }
        });

        settings.chain(gone).chain(here).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: &str = r#"(
    version: 1,
    title: "A",
    seed: 1,
    games: 10,
    strategies: [
        (strategy: (name: "er", criteria: [(evaluator: Empty)], last_resort: Random)),
    ],
)
"#;

    fn problems(text: &str) -> Vec<String> {
        match Preset::from_text(text) {
            Err(PresetError::Problems(problems)) => {
                problems.into_iter().map(|problem| problem.path).collect()
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_preset_is_written_as_it_was_read() {
        let preset = Preset::from_text(SMALL).expect("a preset");
        assert_eq!(preset.to_text(), SMALL);
        assert!(preset.unknown_paths().is_empty());
    }

    #[test]
    fn unknown_fields_are_reported_and_kept_at_every_level() {
        let text = SMALL
            .replace("title: \"A\",", "title: \"A\",\n    editor: (name: \"x\", list: [1, 'c']), rules: (torus: true),")
            .replace("(evaluator: Empty)", "(evaluator: Empty, colour: Some(\"ünï\"))")
            .replace(
                "last_resort: Random)",
                "last_resort: Random, icon: r#\"a\"b\"#), published: (mean: 1.5, url: \"u\"), pinned: true",
            );
        let mut preset = Preset::from_text(&text).expect("a preset");
        assert_eq!(
            preset.unknown_paths(),
            [
                "editor",
                "rules.torus",
                "strategies[0].pinned",
                "strategies[0].published.url",
                "strategies[0].strategy.icon",
                "strategies[0].strategy.criteria[0].colour",
            ]
        );

        let written = preset.to_text();
        for part in [
            "editor: (name: \"x\", list: [1, 'c'])",
            "(torus: true)",
            "colour: Some(\"ünï\")",
            "icon: r#\"a\"b\"#",
        ] {
            assert!(written.contains(part), "{written}");
        }
        let again = Preset::from_text(&written).expect("what was written");
        assert_eq!(again.to_text(), written);
        assert_eq!(again, preset);

        // They move with their entry.
        preset
            .strategies
            .insert(0, Entry::new("r".parse().expect("letters")));
        assert!(
            preset
                .unknown_paths()
                .contains(&"strategies[1].pinned".to_owned())
        );
        assert!(Preset::from_text(&preset.to_text()).is_ok());
    }

    #[test]
    fn mistakes_name_line_column_and_reason() {
        for (wrong, right, place) in [
            ("games: 10", "games: ten", "line 5, column"),
            ("seed: 1,\n", "seed: 1\n", "line 5, column"),
            ("(evaluator: Empty)", "(evaluator: Emty)", "line 7, column"),
            (
                "title: \"A\",",
                "title: \"A\", extra: [\n\n], seed: x,",
                "line 5, column",
            ),
        ] {
            let error = Preset::from_text(&SMALL.replace(wrong, right))
                .expect_err(right)
                .to_string();
            assert!(error.starts_with(place), "{error}");
            assert!(!error.contains('\n'), "{error}");
        }
        assert!(Preset::from_text(&SMALL[..60]).is_err());
    }

    #[test]
    fn other_versions_are_refused_with_the_remedy() {
        let newer = SMALL
            .replace("version: 1", "version: 7")
            .replace("[\n", "{ new syntax }[\n");
        assert!(Preset::from_text(&newer).is_err());
        let newer = SMALL
            .replace("version: 1", "version: 7")
            .replace("games: 10", "games: Lots(of: \"them\")");
        let error = Preset::from_text(&newer).expect_err("newer");
        assert_eq!(error, PresetError::Newer { version: 7 });
        assert!(error.to_string().contains("update afterstate"), "{error}");
        let error =
            Preset::from_text(&SMALL.replace("version: 1", "version: 0")).expect_err("none");
        assert!(
            matches!(error, PresetError::NoSuchVersion { .. }),
            "{error}"
        );
    }

    #[test]
    fn every_problem_is_reported_with_its_path() {
        let text = SMALL
            .replace("games: 10", "games: 0, rules: (size: \"9x9\", p4: 1.5)")
            .replace("(evaluator: Empty)", "(evaluator: Empty, tolerance: -1.0), (evaluator: Empty, tolerance: NaN)")
            .replace(
                "    ],",
                "        (strategy: (name: \"er\"), published: (mean: inf, sd: -1.0, games: 0)),\n    ],",
            );

        assert_eq!(
            problems(&text),
            [
                "rules.size",
                "rules.p4",
                "games",
                "strategies[0].strategy.criteria[0].tolerance",
                "strategies[0].strategy.criteria[1].tolerance",
                "strategies[1].strategy.name",
                "strategies[1].published.mean",
                "strategies[1].published.sd",
                "strategies[1].published.games",
            ]
        );

        let empty = SMALL
            .lines()
            .filter(|line| !line.contains("strategy:"))
            .collect::<Vec<_>>()
            .join("\n");
        assert_eq!(problems(&empty), ["strategies"]);
        assert_eq!(
            problems(&SMALL.replace("games: 10", "games: 10000001")),
            ["games"]
        );
        let weights = SMALL.replace("Empty", "Weights([1, 2, 3])");
        assert!(Preset::from_text(&weights).is_err());
        let size = SMALL
            .replace("Empty", "Weights(\"a\")")
            .replace("seed: 1", "seed: 1, rules: (size: \"3x3\")");
        assert_eq!(
            problems(&size),
            ["strategies[0].strategy.criteria[0].evaluator"]
        );
    }

    #[test]
    fn the_tile_to_stop_at_is_a_rule_wherever_it_stands() {
        let preset_text = |more: &str| SMALL.replace("seed: 1,", &format!("{more} seed: 1,"));
        let plain = Preset::from_text(SMALL).expect("a preset");
        let rule = Preset::from_text(&preset_text("rules: (stop_at: 2048),")).expect("a preset");
        let top = Preset::from_text(&preset_text("stop_at: 2048,")).expect("a preset");
        assert_eq!(
            (rule.rules.stop_at, &rule),
            (crate::game::Rank::of_tile(2048), &top)
        );
        assert!(
            top.to_text().contains("    rules: (stop_at: 2048),\n"),
            "{}",
            top.to_text()
        );
        assert!(top.unknown_paths().is_empty());
        assert_ne!(rule.rules, plain.rules);

        for (more, path) in [
            ("stop_at: 2,", "stop_at"),
            ("stop_at: 2000,", "stop_at"),
            ("rules: (stop_at: 262144),", "rules.stop_at"),
            ("rules: (size: \"2x2\"), stop_at: 64,", "stop_at"),
            ("rules: (stop_at: 64), stop_at: 64,", "stop_at"),
        ] {
            assert_eq!(problems(&preset_text(more)), [path], "{more}");
        }
        assert!(Preset::from_text(&preset_text("stop_at: -4,")).is_err());
    }

    #[test]
    fn what_is_published_for_some_rules_is_none_of_others() {
        let mut preset = Shipped::named("quick-start")
            .expect("shipped")
            .preset()
            .expect("sound");
        let means = |preset: &Preset| -> Vec<Option<f64>> {
            preset
                .strategies
                .iter()
                .map(|entry| entry.published.as_ref().and_then(|row| row.mean))
                .collect()
        };
        let (before, usual) = (means(&preset), preset.rules);
        assert!(before.iter().any(Option::is_some));
        preset.set_rules(Rules {
            size: "2x2".parse().expect("a size"),
            ..usual
        });
        assert!(means(&preset).iter().all(Option::is_none));
        preset.set_rules(usual);
        assert_eq!(means(&preset), before);
        let mut sweep = Shipped::named("sweep-solver-figure-11")
            .expect("shipped")
            .preset()
            .expect("sound");
        assert!(0 < sweep.clone().forget_published());
        sweep.set_rules(Rules {
            p4: 0.2,
            ..sweep.rules
        });
        assert_eq!(
            (
                sweep.forget_published(),
                Preset::from_text(&sweep.to_text()).as_ref()
            ),
            (0, Ok(&sweep))
        );
    }

    #[test]
    fn a_published_row_says_what_it_knows() {
        let preset_text = |row: &str| {
            SMALL.replace(
                "last_resort: Random)",
                &format!("last_resort: Random), published: ({row})"),
            )
        };
        let row = "reach: [(1024, 0.98), (2048, 1.0)], moves: 969.0, games: 5, source: \"Table 1\"";
        let preset = Preset::from_text(&preset_text(row)).expect("a preset");
        assert!(
            preset.to_text().contains(&format!("published: ({row})")),
            "{}",
            preset.to_text()
        );
        let published = preset.strategies[0].published.as_ref().expect("a row");
        assert_eq!(
            (published.mean, published.reach.len(), published.moves),
            (None, 2, Some(969.0))
        );
        let row = "median: NaN, reach: [(1000, 0.5), (64, 1.5), (64, 0.5)], moves: -1.0";
        assert_eq!(
            problems(&preset_text(row)),
            ["median", "reach[0]", "reach[1]", "reach[2]", "moves"]
                .map(|field| format!("strategies[0].published.{field}"))
        );
    }

    #[test]
    fn a_lookahead_that_cannot_be_searched_is_named() {
        let text = SMALL.replace(
            "evaluator: Empty",
            "evaluator: Empty, lookahead: Expectimax(plies: Fixed(0))",
        );
        assert_eq!(
            problems(&text),
            ["strategies[0].strategy.criteria[0].lookahead"]
        );
        let text = text
            .replace("plies: Fixed(0)", "cuts: [ImportantCells()]")
            .replace("seed", "rules: (size: \"3x3\"), seed");
        assert_eq!(
            problems(&text),
            ["strategies[0].strategy.criteria[0].lookahead"]
        );
    }

    #[test]
    fn every_shipped_preset_loads_plays_and_is_written_back_equal() {
        use crate::experiment::{Plan, Run, State};
        for shipped in Shipped::ALL {
            let preset = shipped
                .preset()
                .unwrap_or_else(|error| panic!("{}: {error}", shipped.name));
            assert_eq!(preset.to_text(), shipped.text, "{}", shipped.name);
            assert!(
                preset.check().is_empty() && !preset.title.is_empty() && !preset.note.is_empty()
            );
            assert_eq!(preset.lint(), [], "{}", shipped.name);
            let mut plan = Plan {
                games: 1,
                ..Plan::of_preset(&preset)
            };
            if preset
                .strategies
                .iter()
                .any(|entry| entry.strategy.looks_ahead())
            {
                // Whole games of deep searches take minutes: only the first moves of one, to an 8.
                plan.rules.stop_at = crate::game::Rank::of_tile(8);
            }
            // Value iterations learn from a hundredth of their games.
            for strategy in plan.contestants.iter_mut().map(|one| &mut one.strategy) {
                if let Ok(games) = strategy.setting("Policy games") {
                    *strategy = strategy
                        .with_setting(&games, (games.value / 100.0).ceil())
                        .expect("a number of games");
                }
            }
            let run = Run::start(plan, || {}).expect("a sound plan");
            run.wait();
            assert_eq!(run.state(), State::Done);
        }
        assert_eq!(
            Shipped::named("composition-all-65.ron")
                .map(|all| all.preset().map(|all| all.strategies.len())),
            Some(Ok(65))
        );

        assert_eq!(Shipped::named("nothing"), None);
    }
}
