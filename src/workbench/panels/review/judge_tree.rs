//! The judge's own search tree, with the played move, the best move and the loss between them.

use egui::{RichText, Ui};

use super::here::HIDDEN;
use super::judged::JudgedHere;
use crate::review::Points;
use crate::search::{Link, layers};
use crate::words;
use crate::workbench::command::{Commands, Panel, ReviewCommand, TreeCommand};
use crate::workbench::icon::Icon;
use crate::workbench::kit::{Button, empty, focus, problem};
use crate::workbench::panels::tree::{Inspection, JudgedMoves, Shown, TreePanel};
use crate::workbench::state::Document;
use crate::workbench::theme::{self, Theme};

/// More moves than any line of a judge's tree has.
const DEEPEST: usize = 16;

#[derive(Debug)]
pub(super) struct JudgeTree {
    pub(super) inspection: Inspection,
    tree: TreePanel,
}

impl Default for JudgeTree {
    fn default() -> Self {
        Self {
            inspection: Inspection::of_judge(),
            tree: TreePanel::default(),
        }
    }
}

impl JudgeTree {
    pub(super) fn ui(
        &mut self,
        ui: &mut Ui,
        judged: &JudgedHere,
        doc: &Document,
        commands: &mut Commands,
    ) {
        ui.spacing_mut().item_spacing.y = theme::SPACE_S;
        self.follow(judged, doc);
        let (Some(shown), Some(reviewed)) = (self.inspection.shown(), doc.review()) else {
            if judged.is_searching() {
                focus::home_comes_on_entry(ui.ctx(), Panel::JudgeTree.area());
            }
            return nothing_ui(ui, judged, doc, commands);
        };

        let plies = reviewed
            .review
            .look(doc.place())
            .map_or(0, |look| look.plies);
        let judge = reviewed.review.judge().strategy().label();
        let nodes = words::plural(shown.tree.counts.total(), "node");
        let checked = match self.inspection.report() {
            Some(report) if report.is_sound() => ", verified",
            _ => "",
        };
        let line = format!(
            "{judge}, {} ahead · {nodes}{checked} · values are expected final scores",
            layers(plies)
        );
        ui.label(RichText::new(line).small().color(Theme::of(ui).text2));
        self.tree.judge_ui(ui, &mut self.inspection, commands);
    }

    fn follow(&mut self, judged: &JudgedHere, doc: &Document) {
        let place = doc.place();
        let verdict = doc
            .review()
            .and_then(|reviewed| reviewed.review.verdict(place))
            .filter(|_| !doc.hides_losses());
        let pair = judged.known().zip(doc.review());
        let shown = pair
            .filter(|_| verdict.is_some())
            .map(|(judged, reviewed)| Shown {
                number: judged.number,
                base: judged.number,
                row: 0,
                tree: judged.tree.clone(),
                strategy: reviewed.review.judge().strategy().clone().into(),
                searched: None,
                moves: Some(place as u32),
                node: doc.line().get(place).copied(),
                rows: vec![0],
                struck: Vec::new(),
            });

        let moves = verdict.map(|verdict| JudgedMoves {
            played: verdict.mv,
            best: verdict.best,
            loss: loss_text(verdict.loss, verdict.look.worth()),
        });

        let steps = doc
            .line()
            .get(place + 1..)
            .unwrap_or_default()
            .iter()
            .take(DEEPEST);
        let steps = steps.filter_map(|&id| doc.tree().node(id).step);
        let played = steps
            .flat_map(|step| [Link::Slide(step.mv), Link::Spawn(step.spawn)])
            .collect();
        self.inspection.follow_judge(doc, shown, moves, played);
    }

    /// Passes a command of the tree to the inspection and the panel.
    pub(super) fn request(
        &mut self,
        command: TreeCommand,
        doc: &Document,
        commands: &mut Commands,
    ) {
        self.inspection.request(command, commands);
        self.tree.request(command, doc, &self.inspection, commands);
    }
}

/// `−21,948 (39 %)`; empty without a loss.
pub(super) fn loss_text(loss: Points, worth: Points) -> String {
    if loss == Points::ZERO {
        return String::new();
    }
    let [lost, whole] = [loss, worth].map(Points::to_f64);
    let share = if 0.0 < whole {
        format!(" ({} %)", words::decimals(100.0 * lost / whole, 0))
    } else {
        String::new()
    };
    format!(
        "−{}{share}",
        words::decimals(lost, usize::from(lost < 100.0))
    )
}

/// Why there is no tree, and a button that creates one.
fn nothing_ui(ui: &mut Ui, judged: &JudgedHere, doc: &Document, commands: &mut Commands) {
    if doc.hides_losses() {
        empty(ui, HIDDEN);
        return;
    }
    match doc.review() {
        Some(reviewed) if doc.place() == reviewed.review.moves() => {
            empty(ui, "The game ends here: go to an earlier move");
        }
        Some(_) if judged.is_searching() => drop(empty(ui, "The judge is searching this position")),
        Some(_) if judged.problem().is_some() => {
            problem(ui, &judged.problem().unwrap_or_default());
        }
        Some(_) => drop(empty(ui, "This position is not judged yet")),
        None => {
            ui.vertical_centered(|ui| {
                ui.add_space(theme::SPACE_L);
                let text = "Judge the game to see the judge's search of each move here";
                ui.label(RichText::new(text).color(Theme::of(ui).text3));
                ui.add_space(theme::SPACE_M);
                let button = Button::new("Judge this game").icon(Icon::Play);
                commands.show(ui, button, ReviewCommand::Game, doc);
            });
        }
    }
}
