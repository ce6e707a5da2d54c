//! Where the game on the board was lost, and by what luck: a judge's losses and luck along the game, and the worst moves.

mod here;
mod histogram;
mod lanes;
mod sheets;
mod thresholds;
mod worst;

use std::sync::Arc;

use egui::{Ui, vec2};

use crate::review::{Points, RESIDUAL, Report};
use crate::search::layers;
use crate::words;
use crate::workbench::command::{Commands, Panel, ReviewCommand, ReviewSheet};
use crate::workbench::icon::Icon;
use crate::workbench::kit::{
    Button, empty, focus, paragraph, problem, progress, reading_area, remark, segmented, small_print,
};
use crate::workbench::state::{Document, Reviewed};
use crate::workbench::theme::{self, Theme};

/// Less room than this is little.
const LOW: f32 = 260.0;

/// What the buttons and the judge take of it.
const BAR: f32 = 48.0;

/// What its buttons and some words take of the width.
const BUTTONS: f32 = 460.0;

/// From this width on two columns can be read.
const WIDE: f32 = 640.0;

#[derive(Debug, Default)]
pub(crate) struct ReviewPanel {
    lanes: lanes::LanesView,
    here: here::Here,
    worst: worst::WorstMoves,
    worst_in_line: worst::WorstMoves,
    worst_by_chance: worst::WorstMoves,
    sheets: sheets::Sheets,
    thresholds: thresholds::ThresholdsView,
}

impl ReviewPanel {
    pub(crate) fn ui(&mut self, ui: &mut Ui, doc: &Document, commands: &mut Commands) {
        ui.spacing_mut().item_spacing.y = theme::SPACE_S;
        let mut sheet = doc.reviewing().sheet();
        if segmented(ui, "What is reviewed", &mut sheet, &ReviewSheet::ALL).changed() {
            commands.push(ReviewCommand::Sheet(sheet));
        }
        match sheet {
            ReviewSheet::Game => self.game_ui(ui, doc, commands),
            ReviewSheet::Games => self.sheets.games_ui(ui, doc, commands),
            ReviewSheet::Minds => self.sheets.minds_ui(ui, doc, commands),
            ReviewSheet::Death => self.sheets.death_ui(ui, doc, commands),
        }
    }

    fn game_ui(&mut self, ui: &mut Ui, doc: &Document, commands: &mut Commands) {
        let is_low = ui.available_height() < LOW + BAR;
        if doc.reviewing().is_working() && doc.review().is_none_or(|reviewed| reviewed.report.is_none()) {
            // The panel is entered at the worst move.
            focus::home_comes(ui.ctx(), Panel::Review.area());
        }
        bar(ui, is_low, doc, commands);
        if let Some(reason) = doc.reviewing().problem() {
            problem(ui, &words::capitalised(&reason));
        }
        let Some(reviewed) = doc.review() else {
            let hint = match doc.reviewing().shown() {
                Some(_) => "The review is of another line: Review game judges the one on the board",
                None if doc.reviewing().is_working() => "The first moves are being judged",
                None => "Review game lets a judge say what each move lost and what each tile was worth, in points",
            };
            empty(ui, hint);
            return;
        };
        let room = ui.available_size();
        match is_low {
            false => {
                self.here.ui(ui, doc, reviewed, commands);
                let height = (0.6 * ui.available_height()).clamp(60.0, 360.0);
                self.lanes.ui(ui, height, doc, reviewed, commands);
                self.said_ui(ui, false, doc, reviewed, commands);
            }
            // Low and wide: what is said stands beside the lanes.
            true if WIDE < room.x => drop(ui.horizontal_top(|ui| {
                let lanes = vec2((0.45 * room.x).round(), room.y.max(60.0));
                ui.allocate_ui(lanes, |ui| self.lanes.ui(ui, lanes.y, doc, reviewed, commands));
                ui.vertical(|ui| self.said_ui(ui, true, doc, reviewed, commands));
            })),
            true => {
                self.lanes.ui(ui, (0.4 * room.y).max(60.0), doc, reviewed, commands);
                self.said_ui(ui, true, doc, reviewed, commands);
            }
        }
    }

    /// What is said of the game. Where there is little room the worst moves that fit a line stand first, and what is said of the
    /// move on the board scrolls with the rest.
    fn said_ui(
        &mut self,
        ui: &mut Ui,
        is_low: bool,
        doc: &Document,
        reviewed: &Arc<Reviewed>,
        commands: &mut Commands,
    ) {
        if let Some(report) = reviewed.report.as_ref().filter(|_| is_low) {
            self.worst_in_line.line(ui, &report.worst, reviewed, doc, commands);
        }
        reading_area(ui, "what is said of the game", "Worst moves", |ui| {
            if is_low {
                self.here.ui(ui, doc, reviewed, commands);
            }
            let Some(report) = &reviewed.report else {
                for list in [&mut self.worst, &mut self.worst_in_line, &mut self.worst_by_chance] {
                    list.let_go();
                }
                return;
            };
            split(ui, report);
            self.worst.list(ui, "worst", (&report.worst, !is_low), reviewed, doc, commands);
            self.by_chance(ui, report, reviewed, doc, commands);
            rules(ui, report, reviewed);
            self.thresholds.ui(ui, report, doc, commands);
        });
    }

    /// What cost most of the chance by which moves are classed, too, where they are.
    fn by_chance(
        &mut self,
        ui: &mut Ui,
        report: &Report,
        reviewed: &Reviewed,
        doc: &Document,
        commands: &mut Commands,
    ) {
        let Some(chance) = report.thresholds.chance.filter(|_| report.played_on[0] != 0) else { return };
        let theme = Theme::of(ui);
        let [played_on, lost] = report.played_on.map(|count| words::count(count as u64));
        let said = format!("Of {lost} moves that lost points {played_on} were played on by the judge, one move ahead");
        paragraph(ui, said, theme.text2);
        if report.worst_by_chance.is_empty() {
            paragraph(ui, format!("Of none of them a loss of the {} is certain", chance.question.text()), theme.text2);
            return;
        }
        small_print(ui, format!("Moves that cost most of the {}", chance.question.text()), theme.text2);
        let worst = (&report.worst_by_chance[..], false);
        self.worst_by_chance.list(ui, "worst by chance", worst, reviewed, doc, commands);
    }
}

/// Who judges, how far that is, and what can be done.
fn bar(ui: &mut Ui, is_low: bool, doc: &Document, commands: &mut Commands) {
    let theme = Theme::of(ui);
    let add = |ui: &mut Ui| {
        let reviewing = doc.reviewing();
        if reviewing.is_working() {
            commands.show(ui, Button::new("Stop the review").icon(Icon::Stop), ReviewCommand::Stop, doc);
        } else {
            let button = Button::new("Review game").accent().icon(Icon::Play);
            commands.show(ui, button, ReviewCommand::Game, doc);
        }
        commands.show(ui, Button::new("Last mistake").icon(Icon::Previous), ReviewCommand::LastMistake, doc);
        commands.show(ui, Button::new("Next mistake").icon(Icon::Next), ReviewCommand::NextMistake, doc);
        if let Some(reviewed) = doc.review().filter(|_| reviewing.is_working()) {
            let [done, all] = reviewed.done;
            let far = format!(
                "{}: {} of {}",
                words::capitalised(reviewed.stage.words()),
                words::count(done as u64),
                words::count(all as u64)
            );
            let share = done as f32 / all.max(1) as f32;
            progress(ui, "Positions of this stage", share, 90.0).on_hover_text(&far);
            if !is_low {
                small_print(ui, far, theme.text2);
            }
        }
        let judge = match (doc.review(), doc.judging()) {
            (Some(reviewed), _) => format!("Loss by {}", judge_text(reviewed)),
            (None, Ok(judge)) => format!("Judge: {}", judge.label()),
            (None, Err(reason)) => words::capitalised(&reason),
        };
        if is_low {
            remark(ui, &judge, theme.text2).on_hover_text(judge);
        } else {
            small_print(ui, judge, theme.text2);
        }
    };
    // In one line where there is room for its buttons; the judge ends in "…".
    if is_low && BUTTONS < ui.available_width() {
        ui.horizontal(add);
    } else {
        ui.horizontal_wrapped(add);
    }
}

/// `Reference: 3 moves + 2 spawns ahead at 210 positions, 4 moves + 3 spawns at 12`.
fn judge_text(reviewed: &Reviewed) -> String {
    let judge = reviewed.review.judge();
    if judge.is_exact() {
        return format!("{}, exactly", judge.strategy().label());
    }
    let Some(report) = &reviewed.report else { return judge.label() };
    let depths =
        report.plies.iter().map(|(&plies, &moves)| format!("{} at {}", layers(plies), words::plural(moves, "move")));
    format!("{}: {}", judge.strategy().label(), words::list(&depths.collect::<Vec<_>>()))
}

/// The final score taken apart, with all its digits.
fn split(ui: &mut Ui, report: &Report) {
    let (theme, totals) = (Theme::of(ui), report.totals);
    let mut text = format!(
        "{} = start {} + luck {} − loss {} + residual {}",
        totals.final_score,
        totals.start_score + totals.start_value,
        totals.luck,
        totals.loss,
        totals.residual
    );
    if totals.left != Points::ZERO {
        text += &format!(" − {} still to come", totals.left);
    }
    ui.horizontal_wrapped(|ui| {
        small_print(ui, text.replace('-', "−"), theme.text1);
        if report.adds_up() {
            small_print(ui, "It adds up to the last digit", theme.text3).on_hover_text(RESIDUAL);
        }
    });
    if !report.adds_up() {
        problem(ui, &format!("It does not add up: off by {} points, a mistake of the program", totals.balance()));
    }
}

fn rules(ui: &mut Ui, report: &Report, reviewed: &Reviewed) {
    let theme = Theme::of(ui);
    let player = match &reviewed.player {
        Ok(player) => player,
        Err(reason) => {
            small_print(ui, words::capitalised(&reason.to_string()), theme.text2);
            return;
        }
    };
    for rule in &report.by_rule {
        let share =
            report.share(rule.loss).map_or(String::new(), |share| format!("{:.1} % of the loss", 100.0 * share));
        let text = format!("{} decided {share}, in {}", player.name(rule.blame), words::plural(rule.moves, "move"));
        small_print(ui, text, theme.text2);
    }
}
