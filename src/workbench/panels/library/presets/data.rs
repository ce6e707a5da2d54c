//! Previews of presets, cached until the files change.

use std::collections::HashMap;
use std::rc::Rc;

use crate::claims::{Judged, Measured, Text};
use crate::preset::{Entry, ItemFile, Preset, Shipped, Stored};
use crate::prose;
use crate::strategy::StrategyHash;
use crate::words;
use crate::workbench::command::PresetSource;

/// A preset, with names and hashes of its strategies and the published claims that it repeats.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct PresetPreview {
    pub preset: Preset,
    pub strategies: Vec<(String, StrategyHash)>,
    pub claims: Vec<ClaimLine>,
}

/// A published claim with our verdict.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ClaimLine {
    /// What the text says, and the verdict.
    pub says: String,
    /// Our figures, and why they differ.
    pub about: String,
}

impl PresetPreview {
    pub(super) fn new(preset: Preset) -> Self {
        let named = |entry: &Entry| (entry.strategy.label(), entry.strategy.hash());
        Self {
            strategies: preset.strategies.iter().map(named).collect(),
            preset,
            claims: Vec::new(),
        }
    }

    /// A preset that ships, with its claims.
    fn shipped(shipped: Shipped) -> Result<Self, String> {
        let preset = shipped.preset().map_err(|error| error.to_string())?;
        Ok(Self {
            claims: claims_of(shipped.name)?,
            ..Self::new(preset)
        })
    }

    /// For the row of the list: "4 × 1,000".
    pub(super) fn amount(&self) -> String {
        format!(
            "{} × {}",
            self.strategies.len(),
            words::count(self.preset.games)
        )
    }

    /// Rules, seed and games in one line.
    pub(super) fn facts(&self) -> String {
        let Preset {
            rules, seed, games, ..
        } = &self.preset;
        let over = self
            .preset
            .sweep
            .iter()
            .flat_map(|sweep| &sweep.over)
            .map(|axis| axis.name().to_owned());
        let over: Vec<String> = over.collect();
        let swept = if over.is_empty() {
            String::new()
        } else {
            format!("sweep over {} · ", words::list(&over))
        };
        format!(
            "{swept}{} · seed {seed} · {} each",
            rules.about(),
            words::plural(*games, "game")
        )
    }

    /// The published numbers and their source: "Published numbers: all 4, Table 1".
    pub(super) fn published(&self) -> String {
        let entries = &self.preset.strategies;
        let rows: Vec<_> = entries
            .iter()
            .filter_map(|entry| entry.published.as_ref())
            .collect();
        if rows.is_empty() {
            return "No published numbers".to_owned();
        }
        let mut sources: Vec<&str> = rows
            .iter()
            .map(|row| row.source.as_str())
            .filter(|source| !source.is_empty())
            .collect();
        sources.dedup();
        let all = entries.len();
        let count = if rows.len() == all {
            format!("all {all}")
        } else {
            format!("{} of {all}", rows.len())
        };
        match sources.as_slice() {
            [] => format!("Published numbers: {count}"),
            [source] => format!("Published numbers: {count}, {source}"),
            [first, ..] => format!("Published numbers: {count}, {first} and others"),
        }
    }
}

pub(super) type PresetRead = Rc<Result<PresetPreview, String>>;

#[derive(Debug, Default)]
pub(super) struct PresetPreviews {
    version: u64,
    read: HashMap<PresetSource, PresetRead>,
}

impl PresetPreviews {
    /// Drops the previews of the user's files if the document has newer ones.
    pub(super) fn follow(&mut self, version: u64) {
        if self.version != version {
            self.version = version;
            self.read
                .retain(|place, _| matches!(place, PresetSource::Shipped(_)));
        }
    }

    /// The preset at a place; reads its file at the first call.
    pub(super) fn of(&mut self, place: &PresetSource) -> PresetRead {
        self.read
            .entry(place.clone())
            .or_insert_with(|| Rc::new(read(place)))
            .clone()
    }
}

fn read(place: &PresetSource) -> Result<PresetPreview, String> {
    match place {
        PresetSource::Shipped(name) => {
            let shipped = Shipped::named(name)
                .ok_or_else(|| format!("No shipped preset is called {name}"))?;
            PresetPreview::shipped(shipped)
        }
        PresetSource::File(path) => {
            let stored = Stored::<Preset>::load(path).map_err(|error| error.to_string())?;
            Ok(PresetPreview::new((*stored.item).clone()))
        }
    }
}

/// The published claims that a shipped preset repeats, in the order of the texts.
fn claims_of(preset: &str) -> Result<Vec<ClaimLine>, String> {
    let measured = Measured::all().map_err(|error| error.to_string())?;
    let line = |(text, claim)| {
        let judged = Judged::of(text, claim, measured).map_err(|error| error.to_string())?;
        Ok(ClaimLine {
            says: prose::claims::line(&judged),
            about: prose::claims::about(&judged),
        })
    };
    Text::named(preset)
        .map_err(|error| error.to_string())?
        .into_iter()
        .map(line)
        .collect()
}

/// The places of the list: shipped ones, and the user's files.
pub(super) fn places(own: &[ItemFile<Preset>]) -> (Vec<PresetSource>, Vec<PresetSource>) {
    let shipped = Shipped::ALL
        .iter()
        .map(|shipped| PresetSource::Shipped(shipped.name))
        .collect();
    (
        shipped,
        own.iter()
            .map(|file| PresetSource::File(file.path.clone()))
            .collect(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::preset::Item as _;
    use crate::strategy::Strategy;

    #[test]
    fn a_preview_says_what_a_run_would_be() {
        let strategies =
            ["er", "mr"].map(|letters| Strategy::from_letters(letters).expect("letters"));
        let preview = PresetPreview::new(Preset {
            games: 20_000,
            seed: 7,
            ..Preset::new("Two", strategies)
        });
        assert_eq!(preview.amount(), "2 × 20,000");
        assert_eq!(
            preview.facts(),
            "4 × 4, 10 % fours · seed 7 · 20,000 games each"
        );
        assert_eq!(preview.published(), "No published numbers");
        assert_eq!(preview.strategies[1].0, "mr");
    }

    #[test]
    fn every_shipped_preset_has_a_preview() {
        let mut previews = PresetPreviews::default();
        let (shipped, own) = places(&[]);
        assert!(own.is_empty());
        for (place, shipped) in shipped.iter().zip(Shipped::ALL) {
            let text = previews
                .of(place)
                .as_ref()
                .as_ref()
                .expect("sound")
                .published();
            let preset = shipped.preset().expect("sound");
            let are_there = preset
                .strategies
                .iter()
                .any(|entry| entry.published.is_some());
            assert_eq!(
                text.starts_with("Published numbers: "),
                are_there,
                "{}: {text}",
                shipped.name
            );
            let preview = previews.of(place);
            let claims = &preview.as_ref().as_ref().expect("sound").claims;
            assert_eq!(
                claims.len(),
                Text::named(shipped.name).expect("sound").len(),
                "{}",
                shipped.name
            );
            assert!(
                claims.iter().all(|claim| claim.says.ends_with('.')),
                "{claims:?}"
            );
        }
    }

    #[test]
    fn a_broken_file_keeps_its_reason_until_the_files_change() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("mine.ron");
        std::fs::write(&path, "(version: 1, games: ten)").expect("written");
        let mut previews = PresetPreviews::default();
        let place = PresetSource::File(path.clone());
        let error = previews
            .of(&place)
            .as_ref()
            .as_ref()
            .expect_err("broken")
            .clone();
        assert!(
            error.contains("mine.ron") && !error.contains('\n'),
            "{error}"
        );
        let preset = Preset::new("Mine", [Strategy::from_letters("er").expect("letters")]);
        std::fs::write(&path, preset.to_text()).expect("written");
        assert!(previews.of(&place).is_err(), "not read again");
        previews.follow(1);
        assert!(previews.of(&place).is_ok());
    }
}
