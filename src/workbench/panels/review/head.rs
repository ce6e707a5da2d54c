//! The two lines above the lanes: the game, its judge and progress, and buttons to the previous and next mistake.

use egui::{Align, Layout, RichText, Ui, vec2};

use super::here::ABOUT_OWN_PLAY;
use crate::review::Judge;
use crate::search::layers;
use crate::words;
use crate::workbench::command::{Command, Commands, GameCommand, ReviewCommand, TaskCommand};
use crate::workbench::icon::Icon;
use crate::workbench::kit::{Button, drop_down, menu_choice, menu_entry};
use crate::workbench::state::Document;
use crate::workbench::theme::{self, Theme};

/// Height of both lines together.
pub(super) const HEIGHT: f32 = 60.0;
/// Below this width the mistake buttons show icons only: the progress of the judge needs the room.
const ROOMY: f32 = 760.0;
/// Widths of the drop-down of judges. It leaves room for the number of judged moves, and for a button.
const JUDGES: std::ops::RangeInclusive<f32> = 110.0..=250.0;
const BUTTON: f32 = 90.0;

pub(super) fn ui(ui: &mut Ui, doc: &Document, commands: &mut Commands) {
    let size = vec2(ui.available_width(), HEIGHT);
    let is_roomy = ROOMY <= size.x;
    ui.allocate_ui_with_layout(size, Layout::right_to_left(Align::Center), |ui| {
        ui.spacing_mut().item_spacing.x = theme::SPACE_S;
        for (text, icon, command) in [
            (
                "Next mistake",
                Icon::ChevronRight,
                ReviewCommand::NextMistake,
            ),
            (
                "Previous mistake",
                Icon::ChevronLeft,
                ReviewCommand::LastMistake,
            ),
        ] {
            let shown = if is_roomy { text } else { "" };
            commands.show(ui, Button::new(shown).icon(icon).name(text), command, doc);
        }
        ui.with_layout(Layout::top_down(Align::Min), |ui| {
            ui.spacing_mut().item_spacing.y = 2.0;
            ui.horizontal(|ui| game_ui(ui, doc, commands));
            ui.horizontal(|ui| judge_ui(ui, doc, commands));
        });
    });
}

/// The title of the game. If several games are open, it is a list of them.
fn game_ui(ui: &mut Ui, doc: &Document, commands: &mut Commands) {
    let theme = Theme::of(ui);
    ui.spacing_mut().item_spacing.x = theme::SPACE_S;
    let games = doc.tree().siblings(doc.line()[0]);
    let title = title_of(doc);
    let end = doc.line().last().copied().unwrap_or(doc.cursor());
    let score = format!("· score {}", words::count(doc.tree().node(end).score));
    let needed = ui
        .painter()
        .layout_no_wrap(score.clone(), theme::body(), theme.text2)
        .size()
        .x;
    let room = ui.available_width() - needed - theme::SPACE_M;

    if games.len() < 2 {
        ui.scope(|ui| {
            ui.set_max_width(room.max(40.0));
            ui.add(egui::Label::new(RichText::new(title).font(theme::strong_of(14.0))).truncate());
        });
    } else {
        let width = room.clamp(120.0, 300.0);
        let list = drop_down("games", RichText::new(title).font(theme::strong()), width)
            .truncate()
            .height(420.0);
        let list = list.show_ui(ui, |ui| {
            for &start in games.iter().rev() {
                let game = doc.tree().game_of(start);
                let name = if game.title.is_empty() {
                    format!("Game of seed {}", game.seed)
                } else {
                    game.title.to_string()
                };
                if menu_choice(ui, start == doc.line()[0], &name).clicked() {
                    let end = doc
                        .tree()
                        .line_through(start)
                        .last()
                        .copied()
                        .unwrap_or(start);
                    commands.push(GameCommand::GoTo(end));
                }
            }
        });
        list.response
            .accessible_name("Game")
            .on_hover_text("Games opened or played in this window");
    }

    ui.add(egui::Label::new(RichText::new(score).color(theme.text2)).truncate());
}

fn title_of(doc: &Document) -> String {
    let game = doc.game();
    if game.title.is_empty() {
        format!("Game of seed {}", game.seed)
    } else {
        game.title.to_string()
    }
}

/// The judge, its progress, and buttons to continue or stop.
fn judge_ui(ui: &mut Ui, doc: &Document, commands: &mut Commands) {
    let theme = Theme::of(ui);
    ui.spacing_mut().item_spacing.x = theme::SPACE_S;
    ui.label(RichText::new("judge:").color(theme.text2));
    let name = judge_name(doc);

    let far = progress_text(doc);
    let reviewing = doc.reviewing();
    let is_open = doc.review().is_some_and(|reviewed| !reviewed.is_whole)
        && !reviewing.is_working()
        && !reviewing.waits();
    // Also during the review, so that nothing moves.
    let width = |text: String| {
        ui.painter()
            .layout_no_wrap(text, theme::body(), theme.text2)
            .size()
            .x
    };
    let needed = width(all_judged(doc.line().len().saturating_sub(1))).max(width(far.clone()));
    let left = ui.available_width() - needed - BUTTON - 2.0 * theme::SPACE_M;
    let width = left.clamp(*JUDGES.start(), *JUDGES.end());

    let list = drop_down("judge", name, width)
        .truncate()
        .show_ui(ui, |ui| {
            let can = |command: &ReviewCommand| {
                doc.can(&command.clone().into())
                    .map_err(|reason| reason.to_string())
            };
            let mut entry = |ui: &mut Ui, text: &str, is_on: bool, command: ReviewCommand| {
                if is_on {
                    let _ = menu_choice(ui, true, text);
                    return;
                }
                let enabled = can(&command);
                if menu_entry(
                    ui,
                    text,
                    None,
                    enabled.as_ref().copied().map_err(String::as_str),
                ) {
                    commands.push(command);
                }
            };
            let (by_player, own) = (doc.judges_by_player(), doc.reviewing().own_judge());
            let usual = Judge::usual(doc.game().rules);
            let usual = usual.map_or_else(
                |error| words::capitalised(&error.to_string()),
                |judge| judge.label(),
            );
            entry(
                ui,
                &usual,
                !by_player && own.is_none(),
                ReviewCommand::JudgeAsUsual,
            );
            if let Some(own) = own {
                let _ = menu_choice(ui, !by_player, own.label());
            }
            if let Some(player) = player_label(doc) {
                let text = format!("{usual} and own play of {player}: what an edit can win");
                entry(ui, &text, by_player, ReviewCommand::JudgeByPlayer);
            }
            entry(
                ui,
                "The open strategy",
                false,
                ReviewCommand::JudgeByStrategy,
            );
        });
    list.response
        .accessible_name("Judge")
        .on_hover_text(difference(doc));

    let resume = reviewing
        .paused()
        .map(|number| TaskCommand::Hold(number).into());
    let resume: Option<Command> = resume.or_else(|| is_open.then(|| ReviewCommand::Game.into()));
    let buttons = usize::from(reviewing.is_asked()) + usize::from(resume.is_some());
    let room = ui.available_width() - buttons as f32 * BUTTON;
    ui.scope(|ui| {
        ui.set_max_width(room.max(40.0));
        ui.add(egui::Label::new(RichText::new(far).color(theme.text2)).truncate());
    });
    if let Some(resume) = resume {
        commands.show(
            ui,
            Button::new("Resume").small().icon(Icon::Play),
            resume,
            doc,
        );
    }
    if reviewing.is_asked() {
        commands.show(
            ui,
            Button::new("Stop").small().icon(Icon::Stop),
            ReviewCommand::Stop,
            doc,
        );
    }
}

fn all_judged(moves: usize) -> String {
    format!("· all {} moves judged", words::count(moves as u64))
}

/// The progress of the judge: `· 128 of 750 moves judged`; empty without a review.
fn progress_text(doc: &Document) -> String {
    let reviewing = doc.reviewing();
    let far = match doc.review() {
        Some(reviewed) => {
            let moves = reviewed.review.moves();
            let judged = reviewed.review.looked().min(moves);
            let [judged_text, all] = [judged, moves].map(|count| words::count(count as u64));
            match reviewed.report.is_some() {
                true if reviewed.is_whole => all_judged(moves),
                true => format!("· {}", reviewed.work.text()),
                false => format!("· {judged_text} of {all} moves judged"),
            }
        }
        None if reviewing.is_working() => "· judging".to_owned(),
        None => String::new(),
    };
    match () {
        () if reviewing.waits() => format!("{far} · waits for the experiment"),
        () if reviewing.paused().is_some() => format!("{far} · paused"),
        () => far,
    }
}

fn player_label(doc: &Document) -> Option<String> {
    Some(doc.review()?.player.as_ref().ok()?.strategy().label())
}

/// `Reference, 3 moves + 2 spawns ahead`, or `Reference and own play of emr`.
fn judge_name(doc: &Document) -> String {
    if doc.judges_by_player()
        && let Some(player) = player_label(doc)
    {
        let judge = doc
            .review()
            .map(|reviewed| reviewed.review.judge().strategy().label())
            .unwrap_or_default();
        return format!("{judge} and own play of {player}");
    }
    match (doc.review(), doc.judging()) {
        (Some(reviewed), _) if reviewed.review.judge().is_exact() => {
            format!("{}, exact", reviewed.review.judge().strategy().label())
        }
        (Some(reviewed), _) => {
            let judge = reviewed.review.judge();
            let plies = judge.plies_on(&doc.board());
            format!("{}, {} ahead", judge.strategy().label(), layers(plies))
        }
        (None, Ok(judge)) => judge.label(),
        (None, Err(_)) => "none".to_owned(),
    }
}

/// Explains how the two judges differ, and when the first one is unsuitable.
fn difference(doc: &Document) -> String {
    let mut text =
        "A judge states what each move loses if the judge plays the rest of the game.".to_owned();
    if let (Some(player), Some((mean, games))) = (player_label(doc), doc.mean_of_player()) {
        let mean = words::decimals(mean, 0);
        let games_text = words::plural(games, "game");
        text = format!(
            "{text} {player} scores {mean} (mean of {games_text}). A strategy below 20,000 may never reach the points a network \
            expects; then its own play shows what an edit can win."
        );
    }
    format!("{text}\n{ABOUT_OWN_PLAY}")
}
