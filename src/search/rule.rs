//! The kinds of nodes and the rules that give them their values, each with its words, in one table each.
//!
//! Queries, exports, completion and sentences take their names from here.

use strum::{EnumCount, EnumIter, VariantArray};

use super::SpawnValue;

/// The name of one item of a closed set in queries, exports and completions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Word {
    pub name: &'static str,
    pub aliases: &'static [&'static str],
    pub about: &'static str,
}

impl Word {
    pub(super) const fn new(
        name: &'static str,
        aliases: &'static [&'static str],
        about: &'static str,
    ) -> Self {
        Self {
            name,
            aliases,
            about,
        }
    }

    pub(super) fn is(&self, text: &str) -> bool {
        self.all().any(|name| name.eq_ignore_ascii_case(text))
    }

    /// The name, then its aliases.
    pub(super) fn all(&self) -> impl Iterator<Item = &'static str> + use<> {
        [self.name].into_iter().chain(self.aliases.iter().copied())
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, EnumCount, EnumIter)]
pub enum NodeKind {
    Max,
    Chance,
    Min,
    Leaf,
    Dead,
    Cut,
    Cached,
}

impl NodeKind {
    pub(super) const WORDS: [Word; Self::COUNT] = [
        Word::new("max", &[], "the player chooses a slide"),
        Word::new(
            "chance",
            &[],
            "a tile appears; values are averaged or added up",
        ),
        Word::new("min", &[], "a tile appears; the worst one counts"),
        Word::new("leaf", &[], "evaluated at the end of the depth"),
        Word::new("dead", &[], "a dead board"),
        Word::new("cut", &[], "skipped or evaluated early because of a cut"),
        Word::new("cached", &[], "a value from the transposition table"),
    ];

    pub const fn name(self) -> &'static str {
        Self::WORDS[self as usize].name
    }

    /// The kind as the subject of a sentence.
    pub const fn words(self) -> &'static str {
        [
            "max node",
            "chance node",
            "min node",
            "leaf",
            "dead board",
            "cut",
            "cached node",
        ][self as usize]
    }
}

/// How a node got its value, or why it has none.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, EnumIter, VariantArray)]
pub enum Rule {
    /// The largest value of its slides, or 0 if that is larger and dead boards count 0.
    MaxOf,
    MeanOf,
    /// The sum over cells of the mean over 2 and 4.
    SumOf,
    /// The least over cells of the mean over 2 and 4.
    LeastMeanOf,
    /// The mean over 2 and 4 of the least over cells.
    MeanLeastOf,
    /// The least value of its spawns, or of its slides at the root of a criterion that prefers low values.
    MinOf,
    Evaluated,
    Dead,
    /// The evaluator, because the reach probability is below the threshold.
    TooImprobable,
    OutOfBounds,
    Unimportant,
    Stored,
    /// The mean of the samples that began here.
    Sampled,
    /// The mean of the samples through it. Better moves were tried more often.
    MovesTried,
    /// The mean of the samples through it, with randomly drawn spawns.
    SpawnsDrawn,
    /// No sample reached it.
    NotExpanded,
}

impl Rule {
    /// In the order of the variants. The export writes the second name of a rule if it has two.
    pub(super) const WORDS: [Word; Self::VARIANTS.len()] = [
        Word::new("max", &[], "the largest of its slides"),
        Word::new("mean", &[], "the mean of its spawns"),
        Word::new("sum", &[], "the sum over its cells"),
        Word::new("least_mean", &[], "the smallest mean of its cells"),
        Word::new(
            "mean_least",
            &[],
            "the mean over its tiles of the smallest of its cells",
        ),
        Word::new("min", &[], "the smallest of its spawns"),
        Word::new("evaluated", &[], "the evaluator, at the end of the depth"),
        Word::new("dead", &[], "a dead board: the evaluator or 0"),
        Word::new("reach", &[], "cut: too improbable"),
        Word::new("bounds", &["alpha_beta"], "cut: α reached β"),
        Word::new(
            "unimportant",
            &["important_cells"],
            "cut: not among the most important cells",
        ),
        Word::new("stored", &["table"], "from the transposition table"),
        Word::new(
            "sampled",
            &["playouts"],
            "the mean of the samples that start here",
        ),
        Word::new(
            "tried",
            &["visits"],
            "the mean of samples through its moves",
        ),
        Word::new("drawn", &[], "the mean of samples through its spawns"),
        Word::new("unexpanded", &["not_expanded"], "no sample has reached it"),
    ];

    pub const fn word(self) -> &'static Word {
        &Self::WORDS[self as usize]
    }

    pub(super) fn export_name(self) -> &'static str {
        self.word().all().last().unwrap_or_default()
    }

    pub(super) const fn of_spawns(spawn: SpawnValue) -> Self {
        match spawn {
            SpawnValue::Mean => Self::MeanOf,
            SpawnValue::Sum => Self::SumOf,
            SpawnValue::MinCell => Self::LeastMeanOf,
            SpawnValue::MeanOfMin => Self::MeanLeastOf,
            SpawnValue::Min => Self::MinOf,
        }
    }

    pub const fn kind(self) -> NodeKind {
        match self {
            Self::MaxOf | Self::MovesTried => NodeKind::Max,
            Self::MeanOf
            | Self::SumOf
            | Self::LeastMeanOf
            | Self::MeanLeastOf
            | Self::SpawnsDrawn => NodeKind::Chance,
            Self::MinOf => NodeKind::Min,
            Self::Evaluated | Self::Sampled => NodeKind::Leaf,
            Self::Dead => NodeKind::Dead,
            Self::TooImprobable | Self::OutOfBounds | Self::Unimportant | Self::NotExpanded => {
                NodeKind::Cut
            }
            Self::Stored => NodeKind::Cached,
        }
    }

    /// Whether the value comes from the children.
    pub(super) const fn is_inner(self) -> bool {
        matches!(
            self.kind(),
            NodeKind::Max | NodeKind::Chance | NodeKind::Min
        )
    }

    /// Whether nothing was searched or evaluated at a node with this rule.
    #[inline(always)]
    pub(super) const fn is_stub(self) -> bool {
        matches!(
            self,
            Self::OutOfBounds | Self::Unimportant | Self::NotExpanded
        )
    }
}

#[cfg(test)]
mod tests {
    use strum::IntoEnumIterator as _;

    use super::*;

    #[test]
    fn tables_are_in_the_order_of_what_they_are_about() {
        assert!(
            NodeKind::iter()
                .enumerate()
                .all(|(place, kind)| kind as usize == place)
        );
        assert!(
            Rule::iter()
                .enumerate()
                .all(|(place, rule)| rule as usize == place)
        );
        for kind in NodeKind::iter() {
            assert!(Rule::iter().any(|rule| rule.kind() == kind), "{kind:?}");
        }
    }

    #[test]
    fn no_two_rules_or_kinds_have_a_name_in_common() {
        for words in [&NodeKind::WORDS[..], &Rule::WORDS[..]] {
            let names: Vec<&str> = words.iter().flat_map(Word::all).collect();
            assert!(
                names
                    .iter()
                    .all(|name| words.iter().filter(|word| word.is(name)).count() == 1),
                "{names:?}"
            );
        }
    }
}
