//! Panels of results on many judged games, on two strategies, and on the end of a game: headings, sentences, tables and boards.

use std::sync::Arc;

use egui::{Grid, Label, RichText, Ui, vec2};
use strum::IntoEnumIterator as _;

use super::histogram;
use crate::review::{Grouping, ReviewFormat, Section};
use crate::task::Work;
use crate::words;
use crate::workbench::command::{Commands, GameCommand, Panel, PracticeCommand, ReviewCommand};
use crate::workbench::icon::Icon;
use crate::workbench::kit::{
    Button, Heights, NUMBERS, band, empty, inert, mini_board, paragraph, problem, reading_area,
    scroll_across, segmented, small_print, work_ui,
};
use crate::workbench::panels::hold_button;
use crate::workbench::state::{DeathFound, Document, GamesReviewed, MindsFound, MindsPair};
use crate::workbench::theme::{self, Theme};

/// Side of a small board.
const BOARD: f32 = 62.0;
/// Height of the loss below a small board.
const LOSS: f32 = 16.0;

/// Height of the curve of the risk of losing.
const CURVE: f32 = 150.0;

/// Below this height the sentence scrolls with the table.
const LOW: f32 = 260.0;

/// Maximum rows of a table on screen; the exported file has all.
const MOST_ROWS: usize = 40;

/// The text of a result, cached until the result changes.
#[derive(Debug)]
pub(super) struct Written<T> {
    drawn: Option<Arc<T>>,
    sections: Vec<WrittenSection>,
}

#[derive(Debug)]
struct WrittenSection {
    section: Section,
    /// The texts of its table.
    rows: Vec<Vec<String>>,
}

impl<T> Default for Written<T> {
    fn default() -> Self {
        Self {
            drawn: None,
            sections: Vec::new(),
        }
    }
}

impl<T> Written<T> {
    fn of(
        &mut self,
        found: &Arc<T>,
        sections: impl FnOnce(&T) -> Vec<Section>,
    ) -> &[WrittenSection] {
        if !self
            .drawn
            .as_ref()
            .is_some_and(|drawn| Arc::ptr_eq(drawn, found))
        {
            let written = |section: Section| WrittenSection {
                rows: section.table.texts(),
                section,
            };
            (self.drawn, self.sections) = (
                Some(found.clone()),
                sections(found).into_iter().map(written).collect(),
            );
        }
        &self.sections
    }
}

#[derive(Debug)]
pub(super) struct Sheets {
    games: Written<GamesReviewed>,
    minds: Written<MindsFound>,
    death: Written<DeathFound>,
    grouping: Grouping,
}

impl Default for Sheets {
    fn default() -> Self {
        Self {
            games: Written::default(),
            minds: Written::default(),
            death: Written::default(),
            grouping: Grouping::Phase,
        }
    }
}

/// The reason why a panel has nothing to show, if there is one.
fn problem_ui(ui: &mut Ui, doc: &Document, panel: Panel) {
    if let Some(reason) = doc.more_reviews().problem(panel) {
        problem(ui, &words::capitalised(&reason));
    }
}

impl Sheets {
    /// Where a strategy loses, over the games of a run.
    pub(super) fn games_ui(&mut self, ui: &mut Ui, doc: &Document, commands: &mut Commands) {
        let more = doc.more_reviews();
        ui.horizontal_wrapped(|ui| {
            if more.reviews_games() {
                hold_ui(
                    ui,
                    more.is_paused(),
                    [ReviewCommand::HoldGames, ReviewCommand::StopGames],
                    doc,
                    commands,
                );
            }
            if !more.reviews_games()
                && let Some((text, command)) = of_last_run(doc)
            {
                commands.show(ui, Button::new(&text).icon(Icon::Play), command, doc);
            }
            if let Some(games) = more.games() {
                games_done_ui(ui, &games.work, games.without_moves);
                for format in [ReviewFormat::Html, ReviewFormat::Markdown] {
                    let text = format!("Export {}…", format.name());
                    commands.show(
                        ui,
                        Button::new(&text).small(),
                        ReviewCommand::ExportGames(format),
                        doc,
                    );
                }
                commands.show(
                    ui,
                    Button::new("Add mistakes to the book").small(),
                    PracticeCommand::CollectGames,
                    doc,
                );
            }
        });

        problem_ui(ui, doc, Panel::ReviewedGames);
        let Some(games) = more.games().filter(|games| !games.several.games.is_empty()) else {
            let hint = match more.reviews_games() {
                true => "Judging the first game",
                false => {
                    "Review the games of the last run, or those listed in Games, to see where the strategy loses"
                }
            };
            empty(ui, hint);
            return;
        };

        let sections = self.games.of(games, GamesReviewed::sections);
        reading_area(
            ui,
            "where a strategy loses",
            "Where does this strategy lose?",
            |ui| {
                // Controls come before the long tables.
                let (first, rest) = sections.split_at(sections.len().min(2));
                first.iter().for_each(|section| section_ui(ui, section));
                histogram::ui(ui, games, doc);
                worst_ui(ui, games, &mut self.grouping, commands);
                rest.iter()
                    .filter(|one| one.section.pictures.is_empty())
                    .for_each(|one| section_ui(ui, one));
            },
        );
    }

    /// Compares two strategies on the game on the board, or on the games of a run.
    pub(super) fn minds_ui(&mut self, ui: &mut Ui, doc: &Document, commands: &mut Commands) {
        let more = doc.more_reviews();
        ui.horizontal_wrapped(|ui| {
            if more.asks_minds_of_games() {
                let to_hold = [ReviewCommand::HoldMinds, ReviewCommand::StopMinds];
                hold_ui(ui, more.are_minds_paused(), to_hold, doc, commands);
            } else {
                let here = Button::new("Compare on this game").icon(Icon::Play);
                commands.show(ui, here, ReviewCommand::Minds, doc);
                let games = Button::new("Compare on all reviewed games").icon(Icon::Play);
                commands.show(ui, games, ReviewCommand::MindsOfGames, doc);
            }
            if let Some(found) = doc.minds().filter(|found| found.is_of_run()) {
                games_done_ui(ui, &found.work, found.without_moves);
            }
        });

        problem_ui(ui, doc, Panel::SecondOpinion);
        let Some(found) = doc
            .minds()
            .filter(|found| found.pairs.iter().any(|pair| pair.minds.games != 0))
        else {
            let hint = match more.asks_minds() {
                true => "Comparing both strategies",
                false => {
                    "Open another strategy to see where it chooses other moves, and what they are worth"
                }
            };
            empty(ui, hint);
            return;
        };

        let sections = self.minds.of(found, MindsFound::sections);
        reading_area(ui, "second opinion", "Second opinion", |ui| {
            // Each pair has a head and a table.
            let pairs = found
                .pairs
                .iter()
                .enumerate()
                .filter(|(_, pair)| pair.minds.games != 0);
            for ((number, pair), sections) in pairs.zip(sections.chunks(2)) {
                let Some((head, rest)) = sections.split_first() else {
                    continue;
                };
                // The tables of all pairs have the same titles.
                ui.push_id(number, |ui| {
                    section_ui(ui, head);
                    boards_ui(ui, number, pair, found.is_of_run(), doc, commands);
                    rest.iter().for_each(|section| section_ui(ui, section));
                });
            }
        });
    }

    /// The risk of losing along the game on the board.
    pub(super) fn death_ui(&mut self, ui: &mut Ui, doc: &Document, commands: &mut Commands) {
        ui.horizontal_wrapped(|ui| {
            commands.show(
                ui,
                Button::new("Estimate survival").icon(Icon::Play),
                ReviewCommand::Death,
                doc,
            );
        });
        problem_ui(ui, doc, Panel::Survival);
        let Some(found) = doc.death().filter(|found| !found.death.at.is_empty()) else {
            let hint = match doc.more_reviews().plays_on() {
                true => "Playing games from the first positions",
                false => {
                    "The risk of losing within 50 moves along this game, and the last position that could be saved"
                }
            };
            empty(ui, hint);
            return;
        };
        // With little room the sentence scrolls with the table.
        let is_low = ui.available_height() < LOW;
        let height = CURVE.min((0.6 * ui.available_height()).max(70.0));
        if !is_low {
            last_ui(ui, found, doc, commands);
        }
        curve_ui(ui, height, found, doc, commands);
        let sections = self.death.of(found, DeathFound::sections);
        reading_area(ui, "survival", "Survival", |ui| {
            if is_low {
                last_ui(ui, found, doc, commands);
            }
            sections
                .iter()
                .skip(1)
                .for_each(|section| section_ui(ui, section));
        });
    }
}

/// The button text and command to review up to a hundred games of the run on screen. The games are those of the open strategy, or
/// of the first strategy of the run if the open one did not play.
fn of_last_run(doc: &Document) -> Option<(String, ReviewCommand)> {
    const GAMES: u64 = 100;
    let shown = doc.shown()?;
    let plan = shown.plan()?;
    let own = doc.strategy().hash();
    let place = plan
        .contestants
        .iter()
        .position(|one| one.strategy.hash() == own)
        .unwrap_or(0);
    let played = shown
        .snapshot
        .as_ref()?
        .summaries
        .get(place)?
        .scores
        .count();
    if played == 0 {
        return None;
    }

    let games = played.min(GAMES);
    let text = format!(
        "Review {} of {}",
        words::plural(games, "game"),
        plan.contestants[place].strategy.label()
    );
    Some((
        text,
        ReviewCommand::Games {
            places: vec![place],
            games: (0..games).collect(),
        },
    ))
}

/// The buttons that pause, resume and stop work on games.
fn hold_ui(
    ui: &mut Ui,
    is_paused: bool,
    [hold, stop]: [ReviewCommand; 2],
    doc: &Document,
    commands: &mut Commands,
) {
    hold_button(ui, is_paused, hold, doc, commands);
    commands.show(ui, Button::new("Stop").icon(Icon::Stop), stop, doc);
}

/// The last position that could be survived, and a button that goes there.
fn last_ui(ui: &mut Ui, found: &DeathFound, doc: &Document, commands: &mut Commands) {
    paragraph(ui, found.sentence(), Theme::of(ui).text1);
    if let Some(at) = found.death.last_survived()
        && let Some(&node) = doc.line().get(at.index)
    {
        let about = Ok("Show the last position that could still be saved");
        commands.when_clicked(
            &Button::new("Go there").small().show(ui, about),
            GameCommand::GoTo(node),
        );
    }
}

/// The worst moves of all games as boards, grouped. A click goes to the move.
fn worst_ui(ui: &mut Ui, games: &GamesReviewed, grouping: &mut Grouping, commands: &mut Commands) {
    let theme = Theme::of(ui);
    let worst = &games.several.worst;
    ui.add_space(theme::SPACE_S);
    ui.label(
        RichText::new(format!(
            "The {} worst moves",
            words::count(worst.len() as u64)
        ))
        .font(theme::strong()),
    );
    let choices: Vec<_> = Grouping::iter().map(|by| (by, by.name())).collect();
    segmented(ui, "Group the worst moves by", grouping, &choices);

    for group in games
        .several
        .groups(*grouping, &|player, blame| games.rule(player, blame))
    {
        let moves = words::plural(group.moves.len() as u64, "move");
        small_print(
            ui,
            format!(
                "{}: {moves}, {} points",
                group.name,
                words::value(group.loss.to_f64())
            ),
            theme.text2,
        );
        ui.horizontal_wrapped(|ui| {
            for place in group.moves {
                let one = &worst[place];
                let verdict = one.verdict();
                let name = format!(
                    "{}, move {}: {} loses {} against {}",
                    games.several.games[one.game].title,
                    words::count(verdict.index as u64 + 1),
                    verdict.mv,
                    words::value(verdict.loss.to_f64()),
                    verdict.best
                );
                let size = vec2(BOARD, BOARD + LOSS);
                ui.allocate_ui_with_layout(
                    size,
                    egui::Layout::top_down(egui::Align::Center),
                    |ui| {
                        let response = mini_board(ui, &name, BOARD, &verdict.before.board);
                        commands.when_clicked(
                            &response.on_hover_text(format!("{name}. Click to go there")),
                            ReviewCommand::ShowWorst(place),
                        );
                        small_print(
                            ui,
                            format!("−{}", words::value(verdict.loss.to_f64())),
                            theme.text2,
                        );
                    },
                );
            }
        });
    }
}

/// The widest disagreements as boards. A click goes to the position.
fn boards_ui(
    ui: &mut Ui,
    number: usize,
    pair: &MindsPair,
    is_of_run: bool,
    doc: &Document,
    commands: &mut Commands,
) {
    ui.horizontal_wrapped(|ui| {
        for (place, one) in pair.minds.widest.iter().take(24).enumerate() {
            let gap = words::signed(one.gap().to_f64(), 1);
            let move_name = if is_of_run {
                format!("{}, move", pair.title(one.game))
            } else {
                "Move".to_owned()
            };
            let name = format!(
                "{move_name} {}: {gap} points",
                words::count(one.index as u64 + 1)
            );
            let response = mini_board(ui, &name, BOARD, &one.before.board);
            if !response
                .on_hover_text(format!("{name}. Click to go there"))
                .clicked()
            {
                continue;
            }
            if is_of_run {
                commands.push(ReviewCommand::ShowDisagreement(number, place));
            } else if let Some(&node) = doc.line().get(one.index) {
                commands.push(GameCommand::GoTo(node));
            }
        }
    });
}

/// The number of finished games.
fn games_done_ui(ui: &mut Ui, work: &Work, without_moves: usize) {
    work_ui(ui, "Games done", work, 90.0);
    if without_moves != 0 {
        let left_out = format!(
            "{} left out because moves are missing",
            words::count(without_moves as u64)
        );
        small_print(ui, left_out, Theme::of(ui).text2);
    }
}

/// The chance with its interval over the moves of the game. A click goes to that move.
fn curve_ui(ui: &mut Ui, height: f32, found: &DeathFound, doc: &Document, commands: &mut Commands) {
    let theme = Theme::of(ui);
    let death = &found.death;
    let size = vec2(ui.available_width(), height);
    let name = format!(
        "Risk of losing within {} moves along the game",
        death.question.moves
    );
    let (rect, _) = inert(ui, size, egui::Role::Image, &name);
    let inner = egui::Rect::from_min_max(rect.min + vec2(NUMBERS, 18.0), rect.max - vec2(8.0, 6.0));
    let heights = Heights::of(inner, [0.0, 1.0].into_iter());
    heights.paint(ui.painter(), theme, "lost, %", true);

    let first = death.at.first().map_or(0, |at| at.index) as f32;
    let span = (death.moves as f32 - first).max(1.0);
    let x = |index: usize| inner.left() + inner.width() * (index as f32 - first) / span;
    let ends = death.at.iter().map(|at| {
        let interval = at.interval()?;
        Some((
            x(at.index),
            heights.y(interval.low),
            heights.y(interval.high),
        ))
    });
    ui.painter()
        .add(band(ends, theme.accent.gamma_multiply(0.25)));
    let line: Vec<egui::Pos2> = death
        .at
        .iter()
        .map(|at| egui::pos2(x(at.index), heights.y(at.chance())))
        .collect();
    ui.painter()
        .line(line, egui::Stroke::new(1.5, theme.accent));
    let here = x(doc.place().max(first as usize));
    ui.painter()
        .vline(here, inner.y_range(), egui::Stroke::new(1.0, theme.text2));

    let response = ui.interact(rect, ui.scope_id().with("death"), egui::Sense::click());
    if let Some(at) = response
        .interact_pointer_pos()
        .filter(|_| response.clicked())
    {
        let index = first + ((at.x - inner.left()) / inner.width()).clamp(0.0, 1.0) * span;
        if let Some(&node) = doc.line().get(index.round() as usize) {
            commands.push(GameCommand::GoTo(node));
        }
    }
}

/// A heading, sentences and a table.
fn section_ui(ui: &mut Ui, WrittenSection { section, rows }: &WrittenSection) {
    let theme = Theme::of(ui);
    if !section.title.is_empty() {
        ui.add_space(theme::SPACE_S);
        ui.label(RichText::new(&section.title).font(theme::strong()));
    }
    for sentence in &section.sentences {
        paragraph(ui, sentence, theme.text2);
    }
    if rows.is_empty() {
        return;
    }

    let small = |text: &str, color| {
        Label::new(RichText::new(text).font(theme::small()).color(color)).extend()
    };
    // A table wider than the panel scrolls sideways, so that no number wraps.
    scroll_across(ui, ("table", &section.title), false, |ui| {
        Grid::new(&section.title)
            .striped(true)
            .spacing(vec2(theme::SPACE_L, 3.0))
            .show(ui, |ui| {
                for head in section.table.titles() {
                    ui.add(small(head, theme.text3));
                }
                ui.end_row();
                for row in rows.iter().take(MOST_ROWS) {
                    for cell in row {
                        ui.add(small(cell, theme.text1));
                    }
                    ui.end_row();
                }
            });
    });

    if let Some(more) = rows.len().checked_sub(MOST_ROWS).filter(|&more| more != 0) {
        small_print(
            ui,
            format!("{} more in the exported file", words::count(more as u64)),
            theme.text3,
        );
    }
}
