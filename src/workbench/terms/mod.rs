//! The terms of the field: each with two lines of explanation and a formula.
//!
//! Tooltips and the glossary show the same texts, so that they cannot disagree. To add a term, add it to the list of
//! its group, one file each, after the terms that it uses; a test checks that every evaluator has a term, and that no
//! text is too long for a tooltip.

mod game;
mod learning;
mod rows;
mod samples;
mod searches;

use std::sync::LazyLock;

use egui::{Response, RichText, Ui};

use super::theme::{self, Theme};
use crate::evaluator::{Evaluator, Facts};
use crate::search::{Lookahead, Method};

pub use game::*;
pub use learning::*;
pub use rows::*;
pub use samples::*;
pub use searches::*;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Term {
    pub name: &'static str,
    /// The explanation, in two lines.
    pub lines: [&'static str; 2],
    /// How it is computed; empty if it is not a quantity.
    pub formula: &'static str,
    /// The source with its section; empty for common knowledge.
    pub source: &'static str,
}

impl Term {
    const fn new(name: &'static str, first: &'static str, second: &'static str) -> Self {
        Self {
            name,
            lines: [first, second],
            formula: "",
            source: "",
        }
    }

    const fn formula(self, formula: &'static str) -> Self {
        Self { formula, ..self }
    }

    const fn source(self, source: &'static str) -> Self {
        Self { source, ..self }
    }
}

/// The glossary: groups with their titles.
pub static ALL: LazyLock<[(&str, &[Term]); 6]> = LazyLock::new(|| {
    [
        ("The game", &game::GAME),
        ("Rows of a strategy", &rows::ROWS),
        ("Evaluators", &EVALUATORS),
        ("Searches", &searches::SEARCHES),
        ("Decisions and games", &samples::SAMPLES),
        ("Networks", &learning::LEARNING),
    ]
});

const WIDEST: f32 = 380.0;

/// Shows a term as a tooltip.
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
    ui.label(
        RichText::new(term.name)
            .font(theme::strong())
            .color(theme.text1),
    );
    for line in term.lines {
        ui.label(RichText::new(line).color(theme.text2));
    }
    if !term.formula.is_empty() {
        ui.label(
            RichText::new(term.formula)
                .font(theme::mono())
                .color(theme.text1),
        );
    }
    if !term.source.is_empty() {
        ui.label(RichText::new(term.source).small().color(theme.text3));
    }
}

/// The terms whose name or text contains all these words, in the order of the glossary.
pub fn find(query: &str) -> Vec<&'static Term> {
    let words: Vec<String> = query.split_whitespace().map(str::to_lowercase).collect();
    let has = |term: &&Term| {
        let text = [term.name, term.lines[0], term.lines[1], term.formula]
            .join(" ")
            .to_lowercase();
        words.iter().all(|word| text.contains(word))
    };
    ALL.iter()
        .flat_map(|(_, terms)| *terms)
        .filter(has)
        .collect()
}

/// In the order of the palette.
static EVALUATORS: LazyLock<Vec<Term>> = LazyLock::new(|| {
    let term = |evaluator: &Evaluator| {
        let Facts {
            name,
            lines: [first, second],
            formula,
            source,
            ..
        } = evaluator.facts();
        Term::new(name, first, second)
            .formula(formula)
            .source(source)
    };
    Evaluator::palette().iter().map(term).collect()
});

/// The term of an evaluator.
pub fn of_evaluator(evaluator: &Evaluator) -> &'static Term {
    // Every name is there, as a test checks.
    of_evaluator_named(evaluator.name()).unwrap_or(&EVALUATORS[0])
}

/// The term of an evaluator, by its name in RON.
pub fn of_evaluator_named(name: &str) -> Option<&'static Term> {
    EVALUATORS.iter().find(|term| term.name == name)
}

/// The term of a lookahead.
pub fn of_lookahead(lookahead: &Lookahead) -> &'static Term {
    match lookahead {
        Lookahead::OnePly => &ONE_PLY,
        _ if lookahead.has_window() => &ALPHA_BETA,
        _ if lookahead.is_minimax() => &MINIMAX,
        Lookahead::DepthLimited(_) => &EXPECTIMAX,
        Lookahead::Sampled(sampled) => match sampled.method {
            Method::Flat(_) => &MONTE_CARLO,
            Method::Averaged { .. } => &AVERAGED_SEARCH,
            Method::Tree(_) => &MCTS,
        },
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::evaluator::Evaluator;

    fn all() -> impl Iterator<Item = &'static Term> {
        ALL.iter().flat_map(|(_, terms)| *terms)
    }

    #[test]
    fn every_term_is_explained_once_in_two_lines() {
        let names: BTreeSet<&str> = all().map(|term| term.name).collect();
        assert_eq!(names.len(), all().count(), "a name appears twice");
        for term in all() {
            for line in term.lines {
                let length = line.chars().count();
                assert!(
                    (8..=90).contains(&length),
                    "{}: {length} characters: {line}",
                    term.name
                );
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
            assert!(
                !term.formula.is_empty() && !term.source.is_empty(),
                "{}",
                term.name
            );
        }
        assert_eq!(EVALUATORS.len(), Evaluator::palette().len());
        assert_eq!(
            of_evaluator_named("Snake"),
            Some(of_evaluator(&Evaluator::Snake))
        );
        assert_eq!(of_evaluator_named("snake"), None);
    }

    #[test]
    fn words_are_found_wherever_they_stand() {
        assert_eq!(find("").len(), all().count());
        assert!(
            find("wilson")
                .iter()
                .any(|term| term.name == "Wilson interval")
        );
        assert!(
            find("spawn WORST")
                .iter()
                .any(|term| term.name == "Minimax")
        );
        assert!(find("no such word").is_empty());
    }
}
