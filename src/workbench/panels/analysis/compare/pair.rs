//! The two compared strategies.

use std::sync::Arc;

use egui::{RichText, Ui};

use crate::game::Rules;
use crate::strategy::{Player, SharedStrategy, StrategyHash};
use crate::task::TaskError;
use crate::workbench::kit::Line;
use crate::workbench::state::Document;
use crate::workbench::theme::{self, StrategyMark, Theme};

#[derive(Clone, Debug)]
pub(super) struct Side {
    pub strategy: SharedStrategy,
    pub label: String,
    /// Its color, line and marker.
    pub mark: StrategyMark,
}

/// A, the strategy that plays, and B.
#[derive(Clone, Debug)]
pub(super) struct Pair {
    pub sides: [Side; 2],
    /// The rules of the current game.
    pub rules: Rules,
}

/// The key of a pair's result: both strategies and the rules.
pub(super) type PairKey = ([StrategyHash; 2], Rules);

impl Pair {
    /// The pair in the document; `None` without B.
    pub(super) fn of(ui: &Ui, doc: &Document) -> Option<Self> {
        let theme = Theme::of(ui);
        let side = |strategy: SharedStrategy| Side {
            label: strategy.label(),
            mark: theme.strategy(doc.color_index(strategy.hash())),
            strategy,
        };
        let b = doc.strategies().get(doc.baseline()?)?.strategy.clone();
        Some(Self {
            sides: [side(doc.strategy()), side(b)],
            rules: doc.rules_here(),
        })
    }

    pub(super) fn key(&self) -> PairKey {
        (
            self.sides.each_ref().map(|side| side.strategy.hash()),
            self.rules,
        )
    }

    /// Players of both strategies for the current game.
    ///
    /// # Errors
    ///
    /// One of them cannot play here.
    pub(super) fn players(&self, doc: &Document) -> Result<[Arc<Player>; 2], String> {
        let player = |Side {
                          strategy, label, ..
                      }: &Side| {
            doc.player_here(strategy)
                .map_err(|problem| format!("{label} cannot play here: {problem}"))
        };
        let [a, b] = &self.sides;
        Ok([player(a)?, player(b)?])
    }
}

pub(super) const LETTERS: [&str; 2] = ["A", "B"];

/// Draws letter, key and name of a strategy at the left end of a line.
pub(super) fn paint_side(line: &mut Line, theme: &Theme, index: usize, side: &Side, gap: f32) {
    let left = line.left;
    line.start(LETTERS[index], theme::small(), theme.text3);
    line.left = left + 2.0 * gap;
    line.key(theme, Some(side.mark));
    line.skip(gap);
    line.start(&side.label, theme::medium(), theme.text1);
}

/// One sentence with the color and sign of an error.
pub(super) fn error_ui(ui: &mut Ui, reason: &str) {
    ui.label(RichText::new(format!("✗ {reason}")).color(Theme::of(ui).error));
}

/// Shows why a task could not start or failed, unless the user stopped it.
pub(super) fn failure_ui(ui: &mut Ui, failed: Option<&str>, task: Option<&TaskError>, what: &str) {
    match (failed, task) {
        (Some(reason), _) => error_ui(ui, reason),
        (None, None | Some(TaskError::Stopped { .. })) => {}
        (None, Some(reason)) => error_ui(ui, &format!("{what} failed: {reason}")),
    }
}
