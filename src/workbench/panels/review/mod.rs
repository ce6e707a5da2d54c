//! The review of the game on the board: lanes, moves, judge's tree, worst moves, rerun of an edited strategy, and further
//! analyses of judged games.

mod head;
mod here;
mod histogram;
mod judge_tree;
mod judged;
mod lanes;
mod moves;
mod rerun;
mod sheets;
mod steps;
mod thresholds;
mod worst;

use std::sync::Arc;

use egui::Ui;
#[cfg(test)]
pub(super) use worst::tests::reviewed;

use crate::review::{Points, RESIDUAL, Report};
use crate::words;
use crate::workbench::command::{Commands, Panel, PracticeCommand, ReviewCommand, TreeCommand};
use crate::workbench::icon::Icon;
use crate::workbench::kit::{
    Button, empty, focus, menu_choice, paragraph, problem, reading_area, small_print, submenu,
};
use crate::workbench::panels::Inspection;
use crate::workbench::paper::on_paper;
use crate::workbench::state::{Document, Reviewed};
use crate::workbench::theme::{self, Theme};

/// Height of the lanes in an exported figure.
const ON_PAPER: f32 = 392.0;
/// Height of the sentences below the lanes: two lines. If own play judges, too, one more, or two in a panel of height `TALL`.
const SENTENCE: f32 = 38.0;
const OWN_PLAY: [f32; 2] = [20.0, 38.0];
const TALL: f32 = 420.0;

#[derive(Debug, Default)]
pub(crate) struct ReviewPanels {
    lanes: lanes::LanesView,
    judged: judged::JudgedHere,
    tree: judge_tree::JudgeTree,
    moves: moves::Moves,
    rerun: rerun::RerunPanel,
    worst: worst::WorstMoves,
    worst_by_chance: worst::WorstMoves,
    sheets: sheets::Sheets,
    thresholds: thresholds::ThresholdsView,
}

impl ReviewPanels {
    pub(crate) fn ui(
        &mut self,
        panel: Panel,
        ui: &mut Ui,
        doc: &Document,
        commands: &mut Commands,
    ) {
        ui.spacing_mut().item_spacing.y = theme::SPACE_S;
        self.judged.follow(doc);
        match panel {
            Panel::Review => self.game_ui(ui, doc, commands),
            Panel::Moves => self.moves.ui(ui, doc, commands),
            Panel::JudgeTree => self.tree.ui(ui, &self.judged, doc, commands),
            Panel::Worst => self.worst_ui(ui, doc, commands),
            Panel::ReviewedGames | Panel::SecondOpinion | Panel::Survival if doc.hides_losses() => {
                ui.vertical_centered(|ui| hidden_ui(ui, doc, commands));
            }
            Panel::ReviewedGames => self.sheets.games_ui(ui, doc, commands),
            Panel::SecondOpinion => self.sheets.minds_ui(ui, doc, commands),
            Panel::Survival => self.sheets.death_ui(ui, doc, commands),
            Panel::Rerun => self.rerun.ui(ui, doc, commands),
            _ => {}
        }
    }

    /// The tree that the judge's tree panel shows.
    pub(crate) fn inspection(&self) -> &Inspection {
        &self.tree.inspection
    }

    pub(crate) fn request_of_tree(
        &mut self,
        command: TreeCommand,
        doc: &Document,
        commands: &mut Commands,
    ) {
        self.tree.request(command, doc, commands);
    }

    /// The panel's menu: the sum of luck and loss, and more lanes.
    pub(crate) fn menu_ui(&mut self, ui: &mut Ui, doc: &Document) {
        if let Some(report) = doc
            .review()
            .and_then(|reviewed| reviewed.report.as_ref())
            .filter(|_| !doc.hides_losses())
        {
            submenu(ui, "Score as luck and loss", |ui| {
                ui.set_max_width(360.0);
                split(ui, report);
            });
        }
        let text = "Board and player lanes";
        if menu_choice(ui, self.lanes.shows_more, text).clicked() {
            self.lanes.shows_more = !self.lanes.shows_more;
        }
    }

    fn game_ui(&mut self, ui: &mut Ui, doc: &Document, commands: &mut Commands) {
        head::ui(ui, doc, commands);
        if let Some(reason) = doc.reviewing().problem() {
            problem(ui, &words::capitalised(&reason));
        }
        let own_play = OWN_PLAY[usize::from(TALL <= ui.available_height())];
        let sentence = SENTENCE
            + if doc.judges_by_player() {
                own_play
            } else {
                0.0
            };
        let below = sentence + steps::HEIGHT + 2.0 * theme::SPACE_S;
        let height = if on_paper(ui) {
            ON_PAPER
        } else {
            (ui.available_height() - below).max(90.0)
        };

        match doc.review().filter(|_| !doc.hides_losses()) {
            Some(reviewed) => {
                self.lanes.ui(ui, height, doc, reviewed, commands);
                sentence_ui(ui, sentence, |ui| here::ui(ui, &self.judged, doc, reviewed));
            }
            None => {
                lanes::empty_lanes(ui, height, |ui| not_judged_ui(ui, doc, commands));
                sentence_ui(ui, sentence, |_| {});
            }
        }
        steps::ui(ui, doc, commands);
    }

    fn worst_ui(&mut self, ui: &mut Ui, doc: &Document, commands: &mut Commands) {
        let Some(reviewed) = doc.review().filter(|_| !doc.hides_losses()) else {
            self.worst.let_go();
            self.worst_by_chance.let_go();
            ui.vertical_centered(|ui| {
                ui.add_space(theme::SPACE_L);
                not_judged_ui(ui, doc, commands);
            });
            return;
        };
        let Some(report) = &reviewed.report else {
            empty(ui, "Judging the moves");
            return;
        };

        reading_area(ui, "worst moves", "Worst moves", |ui| {
            self.worst
                .list(ui, &report.worst, true, reviewed, doc, commands);
            self.by_chance(ui, report, reviewed, doc, commands);
            ui.add_space(theme::SPACE_S);
            rules(ui, report, reviewed);
            self.thresholds.ui(ui, report, doc, commands);
        });
    }

    /// The moves with the largest loss of a chance, if moves are classed by one.
    fn by_chance(
        &mut self,
        ui: &mut Ui,
        report: &Report,
        reviewed: &Reviewed,
        doc: &Document,
        commands: &mut Commands,
    ) {
        let Some(chance) = report
            .thresholds
            .chance
            .filter(|_| report.played_on[0] != 0)
        else {
            return;
        };
        let theme = Theme::of(ui);
        let [played_on, lost] = report.played_on.map(|count| words::count(count as u64));
        let said = format!(
            "The judge played out {played_on} of {lost} moves with a loss, looking one move ahead"
        );
        paragraph(ui, said, theme.text2);
        if report.worst_by_chance.is_empty() {
            paragraph(
                ui,
                format!(
                    "None of them certainly lowers the {}",
                    chance.question.text()
                ),
                theme.text2,
            );
            return;
        }

        small_print(
            ui,
            format!("Moves that cost most of the {}", chance.question.text()),
            theme.text2,
        );
        self.worst_by_chance
            .list(ui, &report.worst_by_chance, false, reviewed, doc, commands);
    }
}

/// A scroll area of fixed height, so that the content below does not move.
fn sentence_ui(ui: &mut Ui, height: f32, add: impl FnOnce(&mut Ui)) {
    let size = egui::vec2(ui.available_width(), height);
    let (rect, _) = ui.allocate_exact_size(size, egui::Sense::hover());
    let builder = egui::UiBuilder::new().id_salt("sentence").max_rect(rect);
    let mut inside = ui.new_child(builder);
    inside.set_clip_rect(rect.intersect(ui.clip_rect()));
    inside.spacing_mut().item_spacing.y = 2.0;
    egui::ScrollArea::vertical()
        .id_salt("said")
        .show(&mut inside, add);
}

/// The button that starts a review, or what prevents it.
fn not_judged_ui(ui: &mut Ui, doc: &Document, commands: &mut Commands) {
    let theme = Theme::of(ui);
    if doc.hides_losses() {
        hidden_ui(ui, doc, commands);
        return;
    }
    if doc.reviewing().is_asked() {
        ui.label(egui::RichText::new("Judging the first moves").color(theme.text2));
        focus::home_comes(ui.ctx(), Panel::Review.area());
        return;
    }
    let button = Button::new("Judge this game").accent().icon(Icon::Play);
    let button = commands.show(ui, button, ReviewCommand::Game, doc);
    focus::home(&button, Panel::Review.area());
}

/// Replaces losses while practice waits for a move.
fn hidden_ui(ui: &mut Ui, doc: &Document, commands: &mut Commands) {
    ui.label(egui::RichText::new(here::HIDDEN).color(Theme::of(ui).text3));
    commands.show(
        ui,
        Button::new("End practice").small(),
        PracticeCommand::End,
        doc,
    );
}

/// Splits the final score into its parts, in whole points.
fn split(ui: &mut Ui, report: &Report) {
    let (theme, totals) = (Theme::of(ui), report.totals);
    let points = |points: Points| words::decimals(points.to_f64(), 0);
    let signed = |points: Points| words::signed(points.to_f64(), 0);
    let mut lines = vec![
        format!(
            "{} expected at the start",
            points(totals.start_score + totals.start_value)
        ),
        format!(
            "{} luck: tiles better or worse than average",
            signed(totals.luck)
        ),
        format!("−{} loss: moves worse than the best", points(totals.loss)),
        format!(
            "{} change of the judge's own estimates between two looks",
            signed(totals.residual)
        ),
    ];
    if totals.left != Points::ZERO {
        lines.push(format!(
            "−{} still to come where the game was abandoned",
            points(totals.left)
        ));
    }
    lines.push(format!("= {} final score", points(totals.final_score)));

    for line in lines {
        small_print(ui, line, theme.text1);
    }

    if report.adds_up() {
        small_print(
            ui,
            "Rounded; the exact parts add up to the score.",
            theme.text3,
        )
        .on_hover_text(RESIDUAL);
    } else {
        problem(
            ui,
            &format!(
                "The parts do not add up: off by {} points. This is a bug",
                totals.balance().text()
            ),
        );
    }
}

fn rules(ui: &mut Ui, report: &Report, reviewed: &Arc<Reviewed>) {
    let theme = Theme::of(ui);
    let player = match &reviewed.player {
        Ok(player) => player,
        Err(reason) => {
            small_print(ui, words::capitalised(&reason.to_string()), theme.text2);
            return;
        }
    };

    if !reviewed.is_whole && !report.by_rule.is_empty() {
        small_print(
            ui,
            "So far; the deciding rows of some moves are still missing",
            theme.text3,
        );
    }
    for rule in &report.by_rule {
        let share = report.share(rule.loss).map_or(String::new(), |share| {
            format!("{:.1} % of the loss", 100.0 * share)
        });
        let text = format!(
            "{} decided {share}, in {}",
            player.name(rule.blame),
            words::plural(rule.moves, "move")
        );
        small_print(ui, text, theme.text2);
    }
}
