//! What a text sets out to be, sound or not: the window opens it, the command line checks it.

use super::spec::Shape;
use super::tree::Node;
use crate::game::{Board, Record};
use crate::ron_text::opening_name;
use crate::strategy::Strategy;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TextKind {
    Record,
    Positions,
    Preset,
    /// Letters, `Strategy(…)` or `(…)` without a name.
    Strategy,
    Board,
    Unknown,
}

impl TextKind {
    pub fn of(text: &str) -> Self {
        let text = text.trim_start_matches('\u{feff}').trim();
        if text.starts_with(Record::FAMILY) {
            return Self::Record;
        }
        match opening_name(text) {
            Some("Preset") => Self::Preset,
            Some("Positions") => Self::Positions,
            Some("Strategy") => Self::Strategy,
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
            ("\u{feff}afterstate game record 9", Kind::Record),
            ("emr\n", Kind::Strategy),
            ("(criteria: [])", Kind::Strategy),
            ("Strategy(name: \"version: 2\")", Kind::Strategy),
            ("(name: \"version: 2\")", Kind::Strategy),
            (preset, Kind::Preset),
            (&preset[..60], Kind::Preset),
            ("Preset(", Kind::Preset),
            ("// mine\n(games: 3)", Kind::Preset),
            ("\u{feff}(version: 1)", Kind::Preset),
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
