//! The words of the field: what each means in two lines, and its formula.
//!
//! Tooltips and the glossary show the same texts, so that they cannot disagree. To add a term, write it into the list of
//! its group; a test sees to it that every evaluator has one and that nothing is too long for a tooltip.

mod play;
mod rows;
mod sample;
mod search;

use std::sync::LazyLock;

use egui::{Response, RichText, Ui};

pub use play::{AFTERSTATE, LOSS, PLY, POINTS, SLIDE, SPAWN};
pub use rows::{
    CRITERION, ELIMINATION, HASH, LAST_RESORT, OFF, PARENT, PREFER, TOLERANCE, of_evaluator, of_evaluator_named,
};
pub use sample::{
    AGREEMENT, COST, DECIDED, INTERVAL, LINT, MEAN, MEDIAN, MOVES_LEFT, PASSED, PINNED, REACH_RATE, REACHED,
    SAME_ORDER, SD, WEIGHING, WILSON,
};
pub use search::{
    ALPHA_BETA, BY_DISTINCT, BY_EMPTY, CHANCE_NODE, DEAD_BOARD, EXPECTIMAX, IMPORTANT_CELLS, LIMIT_NODES, LIMIT_TIME,
    MAX_NODE, MIN_NODE, MINIMAX, ONE_PLY, PLIES, PRINCIPAL_VARIATION, REACH_CUT, SPAWN_NODE, TABLE, of_lookahead,
};

use super::theme::{self, Theme};

/// A word of the field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Term {
    pub name: &'static str,
    /// What it means, in two lines.
    pub lines: [&'static str; 2],
    /// How it is computed; empty where there is nothing to compute.
    pub formula: &'static str,
    /// Who wrote it down, with the section; empty for what everybody knows.
    pub source: &'static str,
}

impl Term {
    const fn new(name: &'static str, first: &'static str, second: &'static str) -> Self {
        Self { name, lines: [first, second], formula: "", source: "" }
    }

    const fn formula(self, formula: &'static str) -> Self {
        Self { formula, ..self }
    }

    const fn source(self, source: &'static str) -> Self {
        Self { source, ..self }
    }
}

#[derive(Clone, Copy, Debug)]
pub struct Group {
    pub title: &'static str,
    /// Its terms, in the order in which one explains the next.
    pub terms: &'static [Term],
}

pub static ALL: LazyLock<[Group; 5]> = LazyLock::new(|| {
    [
        Group { title: "The game", terms: &play::TERMS },
        Group { title: "Rows of a strategy", terms: &rows::TERMS },
        Group { title: "Evaluators", terms: &rows::EVALUATORS },
        Group { title: "Searches", terms: &search::TERMS },
        Group { title: "Many decisions, many games", terms: &sample::TERMS },
    ]
});

/// Widest text of a tooltip.
const WIDEST: f32 = 380.0;

/// Explains what is under the pointer.
pub fn tip(response: Response, term: &Term) -> Response {
    response.on_hover_ui(|ui| {
        ui.set_max_width(WIDEST);
        show(ui, term);
    })
}

/// Draws a term: its name, two lines, the formula and the source.
pub fn show(ui: &mut Ui, term: &Term) {
    let theme = Theme::of(ui);
    ui.spacing_mut().item_spacing.y = 3.0;
    ui.label(RichText::new(term.name).font(theme::strong()).color(theme.text1));
    for line in term.lines {
        ui.label(RichText::new(line).color(theme.text2));
    }
    if !term.formula.is_empty() {
        ui.label(RichText::new(term.formula).font(theme::mono()).color(theme.text1));
    }
    if !term.source.is_empty() {
        ui.label(RichText::new(term.source).small().color(theme.text3));
    }
}

/// The terms whose name or text has all these words, in the order of the glossary.
pub fn find(query: &str) -> Vec<&'static Term> {
    let words: Vec<String> = query.split_whitespace().map(str::to_lowercase).collect();
    let has = |term: &&Term| {
        let text = [term.name, term.lines[0], term.lines[1], term.formula].join(" ").to_lowercase();
        words.iter().all(|word| text.contains(word))
    };
    ALL.iter().flat_map(|group| group.terms).filter(has).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::evaluator::Evaluator;

    fn all() -> impl Iterator<Item = &'static Term> {
        ALL.iter().flat_map(|group| group.terms)
    }

    #[test]
    fn every_term_is_explained_once_in_two_lines() {
        let names: BTreeSet<&str> = all().map(|term| term.name).collect();
        assert_eq!(names.len(), all().count(), "a name stands twice");
        for term in all() {
            for line in term.lines {
                let length = line.chars().count();
                assert!((8..=90).contains(&length), "{}: {length} characters: {line}", term.name);
                assert!(!line.ends_with('.'), "{}: {line}", term.name);
            }
            assert!(term.formula.chars().count() <= 68, "{}", term.name);
        }
    }

    #[test]
    fn every_evaluator_has_a_term_with_a_formula_and_a_source() {
        for evaluator in Evaluator::palette() {
            let term = of_evaluator(&evaluator);
            assert_eq!(term.name, evaluator.name());
            assert!(!term.formula.is_empty() && !term.source.is_empty(), "{}", term.name);
        }
        assert_eq!(rows::EVALUATORS.len(), Evaluator::palette().len());
        assert_eq!(of_evaluator_named("Snake"), Some(of_evaluator(&Evaluator::Snake)));
        assert_eq!(of_evaluator_named("snake"), None);
    }

    #[test]
    fn words_are_found_wherever_they_stand() {
        assert_eq!(find("").len(), all().count());
        assert!(find("wilson").iter().any(|term| term.name == "Wilson interval"));
        assert!(find("spawn WORST").iter().any(|term| term.name == "Minimax"));
        assert!(find("no such word").is_empty());
    }
}
