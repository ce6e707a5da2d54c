//! The sentences about the move on the board: its cost, the tiles behind it, and what own play finds.

use std::sync::Arc;

use egui::Ui;

use super::judged::JudgedHere;
use crate::prose;
use crate::review::{OwnPlay, Points};
use crate::words;
use crate::workbench::kit::{paragraph, problem, small_print};
use crate::workbench::state::{Document, Reviewed};
use crate::workbench::theme::Theme;

pub(super) fn ui(ui: &mut Ui, judged: &JudgedHere, doc: &Document, reviewed: &Arc<Reviewed>) {
    let theme = Theme::of(ui);
    let place = doc.place();
    if doc.hides_losses() {
        small_print(ui, HIDDEN, theme.text3);
        return;
    }
    let Some(verdict) = reviewed.review.verdict(place) else {
        let over = place == reviewed.review.moves();
        let text = if over {
            "The game ends here: no move was played."
        } else {
            "This move is not judged yet."
        };
        paragraph(ui, text, theme.text2);
        return;
    };

    let why = judged.known().and_then(|judged| judged.why.as_ref());
    let wavering = reviewed.review.wavering(place);
    let number = place as u64 + 1;
    let points = [verdict.loss, verdict.look.worth()];
    let mut text = prose::review::cost(
        (number, [verdict.mv, verdict.best]),
        points,
        wavering.map(|(points, _)| points),
        why,
    );
    if !reviewed.is_whole {
        text += " So far: the judge has not finished.";
    }
    let response = paragraph(ui, text, theme.text1);

    if let Some((points, moves)) = wavering {
        let (points, moves) = (words::value(points), words::plural(moves as u64, "move"));
        response.on_hover_text(format!(
            "Root mean square of the residuals of {moves} near this move: the judge's values change by about {points} \
             from one look to the next"
        ));
    }

    if let Some(thresholds) = reviewed.report.as_ref().map(|report| report.thresholds)
        && let Some((chance, at)) = thresholds
            .chance
            .zip(reviewed.review.chance_by(place, &thresholds))
    {
        paragraph(
            ui,
            prose::review::chance(verdict.mv, &chance.question, at),
            theme.text1,
        );
    }
    own_play_ui(ui, doc, reviewed, verdict.loss);
}

/// The result of own play for the better move, if own play judges.
fn own_play_ui(ui: &mut Ui, doc: &Document, reviewed: &Reviewed, loss: Points) {
    let theme = Theme::of(ui);
    let Ok(player) = &reviewed.player else { return };
    if loss == Points::ZERO || !doc.judges_by_player() {
        return;
    }
    let label = player.strategy().label();
    let own = doc.own_play(doc.place());

    if let Some(reason) = doc
        .reviewing()
        .own_problem()
        .filter(|_| !own.is_some_and(OwnPlay::is_over))
    {
        problem(ui, &reason);
        return;
    }

    let text = match own {
        Some(own) => {
            let mv = reviewed.review.record().steps[doc.place()].mv;
            prose::review::own_play(&label, mv, own)
        }
        None if doc.plays_own() => format!("{label} plays games from both moves…"),
        None => return,
    };
    paragraph(ui, text, theme.text1).on_hover_text(ABOUT_OWN_PLAY);
}

/// Replaces losses while practice waits for a move.
pub(super) const HIDDEN: &str = "Hidden until you choose a move in Practice";

/// Explains how the two judges differ.
pub(super) const ABOUT_OWN_PLAY: &str = "The judge's loss assumes that the judge plays the rest of the game. Own play: \
    the strategy itself plays the rest, which shows what an edit can win. Each 95 % interval is valid at every number \
    of games";
