//! Recognizes the kind of a text, valid or not: the window opens it, the command line checks it.

use std::collections::BTreeMap;
use std::path::Path;

use serde::de::IgnoredAny;

use super::spec::{LARGEST_PRESET, Shape};
use super::tree::Node;
use crate::files::{self, LARGEST_FILE, ReadError, ReadProblem};
use crate::game::{Imported, ReadAs, Record, reading};
use crate::ron_text::opening_name;
use crate::strategy::Strategy;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TextKind {
    Record,
    /// A game of another program: [`Imported`] reads it.
    Imported,
    Positions,
    Preset,
    /// Letters, `Strategy(…)` or `(…)` without a name.
    Strategy,
    Board,
    /// The settings of a training, `Training(…)`.
    Training,
    /// A file of exported results: its manifest, its summary or a table of it.
    Results,
    /// A recorded search as JSON.
    Tree,
    /// The state of a tuning.
    Tuning,
    /// JSON of another kind.
    Json,
    Unknown,
}

impl TextKind {
    /// The text of a file of any kind, and its kind. Only game records may be larger than presets.
    pub fn of_file(path: &Path) -> Result<(Self, String), ReadError> {
        let bytes = files::read_bytes(path, LARGEST_FILE)?;
        if let Some(text) = Imported::text_of_game(&bytes) {
            return Ok((Self::Imported, files::plain_text(text)));
        }
        let text = files::text_of(path, bytes)?;
        let kind = Self::of(&text);
        if !matches!(kind, Self::Record | Self::Imported | Self::Results)
            && LARGEST_PRESET < text.len() as u64
        {
            let problem = ReadProblem::TooLarge {
                limit: LARGEST_PRESET,
            };
            return Err(ReadError {
                path: path.to_owned(),
                problem,
            });
        }
        Ok((kind, text))
    }

    /// The name of a text of this kind: `a game record`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Record => "a game record",
            Self::Imported => "a game of another program",
            Self::Positions => "a set of positions",
            Self::Preset => "a preset",
            Self::Strategy => "a strategy",
            Self::Board => "a position",
            Self::Training => "a training of a network",
            Self::Results => "a file of results of a run",
            Self::Tree => "a recorded search",
            Self::Tuning => "the state of a tuning",
            Self::Json => "JSON, but not a file of Afterstate",
            Self::Unknown => "a text of an unknown kind",
        }
    }

    /// What reads a text of this kind. `None` if that is unknown.
    const fn remedy(self) -> Option<&'static str> {
        Some(match self {
            Self::Record => "review judges it and the window opens it",
            Self::Imported => "import and review read it and the window opens it",
            Self::Positions => "open it in the window",
            Self::Preset => "give it to run",
            Self::Strategy => "give it with --strategy",
            Self::Board => "give it to analyze",
            Self::Training => "give it to train",
            Self::Results => "open it in the window, or name its folder",
            Self::Tree => "give it to analyze --open",
            Self::Tuning => "give its folder to tune",
            Self::Json | Self::Unknown => return None,
        })
    }

    /// The error for a text of this kind if another kind is expected: what it is, and what reads it. `expected` is `a
    /// strategy`, possibly with how one begins.
    pub fn refusal(self, text: &str, expected: &str) -> String {
        match self.remedy() {
            Some(remedy) => format!(
                "this is {}: {remedy}; {expected} is expected here",
                self.name()
            ),
            None if text.trim().is_empty() => format!("this file is empty; {expected} is expected"),
            None if self == Self::Unknown => {
                format!("this is not {}", expected.trim_end_matches(','))
            }
            None => format!("this is {}; {expected} is expected", self.name()),
        }
    }

    /// The same if any kind that the window opens is expected.
    pub fn refusal_of_any(self, text: &str) -> String {
        const ANY: &str = "a preset, a strategy, a position or a game record";
        match self {
            Self::Unknown if !text.trim().is_empty() => {
                "this is not a preset, strategy, position or game record: these begin with (, with Strategy(, with \
                 tiles such as 2,0,0,4, or with \"afterstate game record\""
                    .to_owned()
            }
            kind => kind.refusal(text, ANY),
        }
    }

    pub fn of(text: &str) -> Self {
        // Tabs at its ends may stand for empty cells.
        let is_board = || reading::readings(text, &ReadAs::default()).is_ok();
        let text = text.trim();
        if text.starts_with(Record::FAMILY) {
            return Self::Record;
        }
        if text.starts_with('{') {
            return match Self::of_json(text) {
                Self::Json if is_board() => Self::Board,
                kind => kind,
            };
        }
        if ["name,game,score,", "name,hash,"]
            .iter()
            .any(|head| text.starts_with(head))
        {
            return Self::Results;
        }
        if is_board() {
            return Self::Board;
        }
        if Imported::kind_of_text(text).is_some() {
            return Self::Imported;
        }

        match opening_name(text) {
            Some("Preset") => Self::Preset,
            Some("Positions") => Self::Positions,
            Some("Strategy") => Self::Strategy,
            Some("Training") => Self::Training,
            Some("") => Self::of_fields(text),
            None if Strategy::from_letters(text).is_ok() => Self::Strategy,
            _ if text.starts_with(|c: char| c.is_ascii_digit() || c == '.')
                || text.starts_with("[[") =>
            {
                Self::Board
            }
            _ => Self::Unknown,
        }
    }

    /// The kind of a JSON object, from its keys. An object that is cut off is a manifest if it names this program.
    fn of_json(text: &str) -> Self {
        let mut objects =
            serde_json::Deserializer::from_str(text).into_iter::<BTreeMap<String, IgnoredAny>>();
        let Some(Ok(keys)) = objects.next() else {
            let is_ours = text.contains(&format!("\"program\": \"{}\"", crate::PROGRAM));
            return if is_ours { Self::Results } else { Self::Json };
        };
        let has = |names: &[&str]| names.iter().all(|name| keys.contains_key(*name));
        match () {
            () if has(&["program", "generations"]) => Self::Tuning,
            () if has(&["program", "strategies"]) || has(&["stop_rule", "entries"]) => {
                Self::Results
            }
            () if has(&["id", "how"]) => Self::Tree,
            () if Imported::kind_of_text(text).is_some() => Self::Imported,
            () => Self::Json,
        }
    }

    /// The kind of a struct without a name, from its fields. Strategies have none of those checked here.
    fn of_fields(text: &str) -> Self {
        let tree = Node::parse(text);
        let has = |name: &str| match &tree {
            Some(tree) => tree.field(name).is_some(),
            // The text has an error.
            None => text.contains(&format!("{name}:")),
        };
        let is_preset = match tree {
            Some(_) => Shape::Preset.fields().iter().any(|name| has(name)),
            None => has("version") || has("strategies"),
        };
        match is_preset {
            _ if has("positions") && !has("strategies") => Self::Positions,
            true => Self::Preset,
            false => Self::Strategy,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::preset::{Item as _, PositionSet, Shipped};

    #[test]
    fn every_kind_is_told_from_the_others_sound_or_not() {
        use TextKind as Kind;
        let preset = Shipped::ALL[0].text;
        let positions = PositionSet::shipped().to_text();

        for (text, kind) in [
            ("", Kind::Unknown),
            ("[package]\nversion: 1", Kind::Unknown),
            ("Foo(version: 1)", Kind::Unknown),
            ("2,4/4,2", Kind::Board),
            ("2,4/4,3", Kind::Board),
            ("afterstate game record 1\n…", Kind::Record),
            ("afterstate game record 9", Kind::Record),
            ("2,2/0,0\n4,0/2,0", Kind::Imported),
            ("2,2/0,0\nleft 2 r2c1", Kind::Imported),
            ("4x4-0_00000k001", Kind::Imported),
            ("2 2\n0 0\n\n4 0\n2 0\n", Kind::Imported),
            (
                "{\"board\": [2, 2, 0, 0], \"action\": 3}\n{\"board\": [4, 0, 2, 0]}",
                Kind::Imported,
            ),
            ("[{\"moves\": [{\"board\": [2, 2, 0, 0]}]}]", Kind::Imported),
            ("board,action\n2 2/0 0,3\n", Kind::Imported),
            ("{\"a\": 1}", Kind::Json),
            ("2 . . 4\n. 8 . .\n. . . .\n. . 16 2", Kind::Board),
            ("[[2, 4], [8, 0]]", Kind::Board),
            ("[[2, 4], [8, 3]]", Kind::Board),
            ("((2, 4), (8, 0))", Kind::Board),
            ("0x002000130134a874", Kind::Board),
            ("| 2 | 4 |\n| 8 |   |", Kind::Board),
            (
                "{\"grid\": {\"size\": 2, \"cells\": [[null, null], [null, null]]}, \"score\": 0}",
                Kind::Board,
            ),
            ("{\n  \"program\": \"afterstate\"", Kind::Results),
            (
                "{\"format\": 2, \"program\": \"afterstate\", \"strategies\": []}",
                Kind::Results,
            ),
            (
                "{\"title\": \"\", \"stop_rule\": null, \"entries\": []}\n",
                Kind::Results,
            ),
            (
                "{\"format\": 1, \"program\": \"afterstate\", \"generations\": []}",
                Kind::Tuning,
            ),
            (
                "{\"name\": \"package\", \"version\": \"1.0.0\"}",
                Kind::Json,
            ),
            ("{}", Kind::Json),
            ("{\"a\": [1, 2", Kind::Json),
            (
                "{\"id\": 0, \"how\": {\"by\": \"max\"}}\n{\"id\": 1}",
                Kind::Tree,
            ),
            ("name,game,score,largest,moves\n", Kind::Results),
            ("name,hash,p4,games\n", Kind::Results),
            ("name,hash,games,p4\n", Kind::Results),
            ("emr\n", Kind::Strategy),
            ("(criteria: [])", Kind::Strategy),
            ("Strategy(name: \"version: 2\")", Kind::Strategy),
            ("(name: \"version: 2\")", Kind::Strategy),
            (preset, Kind::Preset),
            (&preset[..60], Kind::Preset),
            ("Preset(", Kind::Preset),
            ("// mine\n(games: 3)", Kind::Preset),
            ("(version: 1)", Kind::Preset),
            ("(version: 1, strategies: [])", Kind::Preset),
            ("(version: 1, positions: 3, strategies: [])", Kind::Preset),
            (&positions, Kind::Positions),
            (&positions[..600], Kind::Positions),
            ("Positions(version: 9)", Kind::Positions),
            ("(positions: [", Kind::Positions),
        ] {
            assert_eq!(TextKind::of(text), kind, "{text}");
        }
    }
}
