//! How the values of the moves settled during sampling: one line per move, with a band of one standard error if there
//! is one.

use egui::{RichText, Ui};

use crate::game::{ByMove, Move};
use crate::prose::decision::estimate;
use crate::search::Playouts;
use crate::stats::RunningMean;
use crate::words;
use crate::workbench::kit::{MoveAxes, MoveCurve, move_curves, tick_text, ticks};
use crate::workbench::theme::{self, Theme};

const HEIGHT: f32 = 196.0;

/// Points of each move from its second sample on: total samples of the decision, mean, standard error (0 for a tree
/// search).
fn curves(playouts: &Playouts) -> Vec<MoveCurve> {
    let moves = Move::ALL
        .into_iter()
        .filter(|&mv| playouts.of_each[mv].count() != 0);
    let curve_of = |mv: Move| {
        let steps = playouts.curve.iter().chain([&playouts.of_each]);
        let point = |step: &ByMove<RunningMean>| {
            let all: u64 = Move::ALL.iter().map(|&mv| step[mv].count()).sum();
            let error = step[mv].standard_error()?;
            Some((
                all as f64,
                step[mv].mean(),
                if playouts.is_tree { 0.0 } else { error },
            ))
        };
        MoveCurve {
            mv,
            points: steps.filter_map(point).collect(),
        }
    };
    moves
        .map(curve_of)
        .filter(|curve| 1 < curve.points.len())
        .collect()
}

/// Draws nothing without recorded steps.
pub(super) fn ui(ui: &mut Ui, playouts: &Playouts) {
    let curves = curves(playouts);
    if playouts.curve.is_empty() || curves.is_empty() {
        return;
    }

    let theme = Theme::of(ui);
    ui.label(
        RichText::new("Values as samples arrived")
            .font(theme::strong())
            .color(theme.text1),
    );
    let all = playouts.total() as f64;
    let last = |curve: &MoveCurve| {
        let mean = playouts.of_each[curve.mv].mean();
        format!(
            "{} {}",
            curve.mv,
            estimate(mean, playouts.standard_error(curve.mv))
        )
    };
    let sentence = format!(
        "Values of the moves after {}: {}",
        words::plural(playouts.total(), "sample"),
        words::list(&curves.iter().map(last).collect::<Vec<_>>())
    );
    let marks = |width: f32| {
        let (samples, step) = ticks(0.0, all, ((width / 72.0) as usize).max(2));
        samples
            .into_iter()
            .map(|count| (count, tick_text(count, step)))
            .collect()
    };
    let axes = MoveAxes {
        values: if playouts.is_tree {
            "Mean"
        } else {
            "Mean, ± 1 standard error"
        },
        across: "Samples of all moves",
        range: (0.0, all),
        marks: &marks,
        sentence: &sentence,
    };

    move_curves(ui, HEIGHT, &curves, &axes, |mv, (samples, mean, error)| {
        let mean = estimate(mean, (!playouts.is_tree).then_some(error));
        format!(
            "{} {mean} after {}",
            mv.arrow(),
            words::plural(samples as u64, "sample")
        )
    });
}
