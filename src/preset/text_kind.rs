//! What a text sets out to be, sound or not: the window opens it, the command line checks it.

use std::path::Path;

use super::spec::{LARGEST_PRESET, Shape};
use super::tree::Node;
use crate::files::{self, LARGEST_FILE, ReadError, ReadProblem};
use crate::game::{Board, Imported, Record};
use crate::ron_text::opening_name;
use crate::strategy::Strategy;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TextKind {
    Record,
    /// A game that another program wrote: [`Imported`] reads it.
    Imported,
    Positions,
    Preset,
    /// Letters, `Strategy(…)` or `(…)` without a name.
    Strategy,
    Board,
    /// How a network is trained, `Training(…)`.
    Training,
    /// A file of exported results: its manifest, its sums or a table of it.
    Results,
    Unknown,
}

impl TextKind {
    /// The text of a file of any kind, and what it sets out to be. Only game records may be larger than presets.
    pub fn of_file(path: &Path) -> Result<(Self, String), ReadError> {
        let text = files::read_text(path, LARGEST_FILE)?;
        let kind = Self::of(&text);
        if !matches!(kind, Self::Record | Self::Imported | Self::Results) && LARGEST_PRESET < text.len() as u64 {
            let problem = ReadProblem::TooLarge { limit: LARGEST_PRESET };
            return Err(ReadError { path: path.to_owned(), problem });
        }
        Ok((kind, text))
    }

    /// Why a text of which the kind is unknown cannot be used.
    pub fn refusal(text: &str) -> &'static str {
        if text.trim().is_empty() {
            return "there is nothing in it; a preset, a strategy, a position or a game record is expected";
        }
        "this is neither a preset, a strategy, a position nor a game record: they begin with (, with Strategy(, with tiles \
         such as 2,0,0,4 and with \"afterstate game record\""
    }

    pub fn of(text: &str) -> Self {
        let text = text.trim();
        if text.starts_with(Record::FAMILY) {
            return Self::Record;
        }
        if text.starts_with('{') || ["name,game,score,", "name,hash,games,"].iter().any(|head| text.starts_with(head)) {
            return Self::Results;
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
            _ if text.starts_with(|c: char| c.is_ascii_digit() || c == '.') => Self::Board,
            _ if text.parse::<Board>().is_ok() => Self::Board,
            _ => Self::Unknown,
        }
    }

    /// A struct without a name, told by its fields; strategies have none of those looked for.
    fn of_fields(text: &str) -> Self {
        let tree = Node::parse(text);
        let has = |name: &str| match &tree {
            Some(tree) => tree.field(name).is_some(),
            // There is a mistake in it.
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
            ("2 . . 4\n. 8 . .\n. . . .\n. . 16 2", Kind::Board),
            ("{\n  \"program\": \"afterstate\"", Kind::Results),
            ("name,game,score,largest,moves\n", Kind::Results),
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
