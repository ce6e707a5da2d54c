//! Where the game on the board was lost, and by what luck: a judge's losses and luck along the game, and the worst moves.

mod here;
mod lanes;
mod sheets;

use egui::{DragValue, Ui, vec2};

use crate::review::{Class, MoveReport, Points, Report, Thresholds};
use crate::search::layers;
use crate::words;
use crate::workbench::command::{Commands, GameCommand, ReviewCommand, ReviewSheet};
use crate::workbench::icon::Icon;
use crate::workbench::kit::{Button, ListRow, empty, problem, progress, reading_area, segmented, small_print};
use crate::workbench::state::{Document, Reviewed};
use crate::workbench::theme::{self, Theme};

#[derive(Debug, Default)]
pub(crate) struct ReviewPanel {
    lanes: lanes::LanesView,
    here: here::Here,
    sheets: sheets::Sheets,
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
        bar(ui, doc, commands);
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
        self.here.ui(ui, doc, reviewed, commands);
        let height = (ui.available_height() * 0.6).clamp(90.0, 360.0);
        self.lanes.ui(ui, height, doc, reviewed, commands);
        reading_area(ui, "what is said of the game", "Worst moves", |ui| {
            let Some(report) = &reviewed.report else { return };
            split(ui, report);
            worst(ui, report, reviewed, doc, commands);
            rules(ui, report, reviewed);
            thresholds(ui, report, commands);
        });
    }
}

/// Who judges, how far that is, and what can be done.
fn bar(ui: &mut Ui, doc: &Document, commands: &mut Commands) {
    let theme = Theme::of(ui);
    ui.horizontal_wrapped(|ui| {
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
            progress(ui, "Positions of this stage", done as f32 / all.max(1) as f32, 90.0);
            let far = format!(
                "{}: {} of {}",
                words::capitalised(reviewed.stage.words()),
                words::count(done as u64),
                words::count(all as u64)
            );
            small_print(ui, far, theme.text2);
        }
        let judge = match (doc.review(), doc.judging()) {
            (Some(reviewed), _) => format!("Loss by {}", judge_text(reviewed)),
            (None, Ok(judge)) => format!("Judge: {}", judge.label()),
            (None, Err(reason)) => words::capitalised(&reason),
        };
        small_print(ui, judge, theme.text2);
    });
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
            small_print(ui, "It adds up to the last digit", theme.text3);
        }
    });
    if !report.adds_up() {
        problem(ui, &format!("It does not add up: off by {} points, a mistake of the program", totals.balance()));
    }
}

/// From which loss on a move is called what; dragging changes it.
fn thresholds(ui: &mut Ui, report: &Report, commands: &mut Commands) {
    let theme = Theme::of(ui);
    ui.horizontal_wrapped(|ui| {
        let mut set = report.thresholds;
        for class in Class::ALL {
            let count = report.classes.of(class);
            small_print(ui, format!("{} {} ≥", class.mark(), words::count(count)), theme.text2);
            let mut points = set.of(class).to_f64();
            let speed = (points * 0.01).max(0.001);
            let drag = DragValue::new(&mut points).range(0.000_001..=1e9).speed(speed).max_decimals(3);
            let response = ui.add_sized(vec2(58.0, theme::CONTROL), drag);
            let name = format!("Smallest loss of a move counted as {}", class.name());
            let about = format!("{name}, in points");
            if response.accessible_name(&name).on_hover_text(about).changed()
                && let Some(points) = Points::of(points)
            {
                set = with(set, class, points);
            }
        }
        if set != report.thresholds {
            commands.push(ReviewCommand::Thresholds(set));
        }
    });
}

/// The others give way: none is below the one before.
fn with(thresholds: Thresholds, class: Class, points: Points) -> Thresholds {
    let Thresholds { inaccuracy, mistake, blunder } = thresholds;
    match class {
        Class::Inaccuracy => {
            Thresholds { inaccuracy: points, mistake: mistake.max(points), blunder: blunder.max(points) }
        }
        Class::Mistake => {
            Thresholds { inaccuracy: inaccuracy.min(points), mistake: points, blunder: blunder.max(points) }
        }
        Class::Blunder => {
            Thresholds { inaccuracy: inaccuracy.min(points), mistake: mistake.min(points), blunder: points }
        }
    }
}

fn worst(ui: &mut Ui, report: &Report, reviewed: &Reviewed, doc: &Document, commands: &mut Commands) {
    let theme = Theme::of(ui);
    if report.worst.is_empty() {
        small_print(ui, "No move lost anything", theme.text3);
    }
    for one in &report.worst {
        let text = worst_text(one, reviewed);
        let verdict = one.verdict;
        ui.horizontal(|ui| {
            let tree = commands.show(ui, Button::new("Tree").small(), ReviewCommand::ShowTree(verdict.index), doc);
            let rule = commands.show(ui, Button::new("Row").small(), ReviewCommand::ShowRule(verdict.index), doc);
            let _ = (tree, rule);
            let row = ListRow::new(&text).selected(doc.place() == verdict.index);
            let response = row.show(ui, |line, _| {
                line.start(&text, theme::body(), theme.text1);
            });
            if response.clicked()
                && let Some(&node) = doc.line.get(verdict.index)
            {
                commands.push(GameCommand::GoTo(node));
            }
        });
    }
}

/// `Move 120 ?? Right cost 1,240.5 against Left (2 Monotonicity)`.
fn worst_text(one: &MoveReport, reviewed: &Reviewed) -> String {
    let verdict = one.verdict;
    let mark = one.class.map_or(String::new(), |class| format!(" {}", class.mark()));
    let rule = one.blame.zip(reviewed.player.as_ref().ok()).map(|(blame, player)| format!(", {}", player.name(blame)));
    format!(
        "Move {}{mark} {} cost {} against {}{}",
        words::count(verdict.index as u64 + 1),
        verdict.mv,
        words::value(verdict.loss.to_f64()),
        verdict.best,
        rule.unwrap_or_default()
    )
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
