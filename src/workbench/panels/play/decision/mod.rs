//! Why the strategy chose its move: one row per direction, the elimination table, one sentence. During a drag, a second
//! sentence says what the edit would change here.

mod change;
pub(crate) mod data;
pub(crate) mod elimination;
mod exact_loss;
pub(crate) mod strip;
mod table;

use egui::{Response, Sense, Ui, vec2};

pub(crate) use self::change::either;
use self::data::DecisionData;
use crate::game::Move;
use crate::prose;
use crate::search::Link;
use crate::strategy::Decision;
use crate::task::Latest;
use crate::workbench::command::{Command, Commands, GameCommand, Panel, ViewCommand};
use crate::workbench::kit::{Button, empty, scroll_form_beside};
use crate::workbench::panels::{Building, Inspection};
use crate::workbench::state::{Decided, Document, TELL_AFTER, Thought};
use crate::workbench::theme::{self, Theme};

/// Height of the line about the search.
const LINE: f32 = 26.0;
/// The sentence: the gap before it, the height of a line, and the usual two lines.
const SENTENCE_GAP: f32 = theme::SPACE_M + theme::SPACE_S;
const SENTENCE_LINE: f32 = 19.0;
const SENTENCE: f32 = 2.0 * SENTENCE_LINE;
/// Minimum width at which the table replaces the strip if both do not fit.
const TABLE_FROM: f32 = 280.0;

#[derive(Debug, Default)]
pub(crate) struct DecisionPanel {
    /// The move under the pointer, which the board previews.
    pub hovered: Option<Move>,
    /// Whether the table shows all columns and scrolls.
    all_columns: bool,
    change: Latest<change::PreviewKey, Result<Decision, String>>,
    exact: Latest<exact_loss::ExactKey, Option<String>>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct DecisionRoom {
    strip: bool,
    heads: bool,
    strip_row: f32,
    /// Height of the line about the search; 0 without one.
    line: f32,
    gap: f32,
    sentence_gap: f32,
}

impl DecisionRoom {
    /// The layout for a panel of this inner size, with or without a table and a search.
    fn of(size: egui::Vec2, with_table: bool, searches: bool) -> Self {
        let height = size.y;
        let table = table::TABLE_HEADER + 4.0 * theme::ROW;
        let line = if searches { LINE } else { 0.0 };
        let with_gap = if with_table {
            theme::SPACE_L + table
        } else {
            0.0
        };
        let others = line + strip::HEADER + with_gap + SENTENCE_GAP;
        // The rows shrink so that the sentence is visible; a short sentence takes the same space.
        let fits = others + 4.0 * theme::HIT + SENTENCE_LINE - theme::SPACE_L <= height;
        let is_tight = height < others + 4.0 * theme::ROW_TALL + SENTENCE && fits;
        let both = Self {
            strip: true,
            heads: true,
            strip_row: if is_tight {
                theme::HIT
            } else {
                theme::ROW_TALL
            },
            line: if is_tight && searches {
                theme::TAG
            } else {
                line
            },
            gap: if is_tight {
                theme::SPACE_M
            } else {
                theme::SPACE_L
            },
            sentence_gap: SENTENCE_GAP,
        };

        let small_line = if searches { theme::TAG } else { 0.0 };
        let table_alone = small_line + table + theme::SPACE_M + SENTENCE_LINE;
        if with_table && !fits && TABLE_FROM <= size.x && table_alone <= height {
            return Self {
                strip: false,
                line: small_line,
                sentence_gap: theme::SPACE_M,
                ..both
            };
        }

        // Four rows must fit without scrolling, even in a low panel, where the line about the search replaces the
        // header.
        let heads = !searches || LINE + strip::HEADER + 4.0 * theme::HIT <= height;
        let above = line + if heads { strip::HEADER } else { 0.0 };
        let strip_row = ((height - above) / 4.0)
            .floor()
            .clamp(theme::HIT, both.strip_row);
        Self {
            heads,
            strip_row,
            ..both
        }
    }
}

impl DecisionPanel {
    pub(crate) fn ui(
        &mut self,
        ui: &mut Ui,
        doc: &Document,
        inspection: &mut Inspection,
        building: &Building,
        commands: &mut Commands,
    ) {
        self.hovered = None;
        let strategy = doc.strategy();
        let thought = doc.thought();
        if let Thought::Impossible(reason) = &thought {
            let name = strategy.label();
            let plays = doc.strategy_problem().is_none();
            empty(
                ui,
                &if plays {
                    reason.clone()
                } else {
                    format!("{name} cannot play here: {reason}")
                },
            );
            return;
        }

        if doc.board().legal_moves().is_empty() {
            empty(ui, prose::decision::over(&doc.board()));
            return;
        }

        let decided = doc.decided();
        let current = decided.filter(|_| thought == Thought::Settled);
        // The decision is of an earlier board or strategy.
        let is_old = decided.is_some() && current.is_none();
        let data = match decided {
            Some(Decided { decision, .. }) if !is_old => DecisionData::new(decision, &strategy),
            Some(decided) => DecisionData::new(&decided.decision, &decided.strategy),
            None => DecisionData::unknown(&doc.board()),
        };

        let exact = exact_loss::follow(&mut self.exact, doc);
        let change = change::follow(
            &mut self.change,
            doc,
            building.drag.proposal.as_ref(),
            current,
        );

        // Keeps the scroll bar from covering the values.
        let rect = ui.available_rect_before_wrap();
        scroll_form_beside(ui, "decision", rect, |ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            let visible = ui.clip_rect().bottom() - theme::PAD - ui.cursor().top();
            let room = DecisionRoom::of(
                vec2(ui.available_width(), visible),
                !data.columns.is_empty(),
                strategy.looks_ahead(),
            );
            if strategy.looks_ahead() {
                search_line(ui, doc, &thought, decided, &data, commands, room.line);
            }
            ui.set_opacity(alpha(&thought));
            let plays = !is_old && doc.editing().is_none();
            if room.strip {
                let prefix = if is_old { "Old: " } else { "" };
                let look = strip::StripLook {
                    heads: room.heads,
                    row: room.strip_row,
                    plays: !is_old,
                    prefix,
                };
                let touched = strip::strip(ui, &data, look);
                self.hovered = touched.hovered;
                touched
                    .played
                    .filter(|_| plays)
                    .into_iter()
                    .for_each(|mv| commands.push(GameCommand::Slide(mv)));
                menus(&touched.moves, plays, doc, commands);
            }

            if !data.columns.is_empty() {
                ui.add_space(if room.strip { room.gap } else { 0.0 });
                let trees = current
                    .into_iter()
                    .flat_map(|decided| decided.trees.iter().map(Option::is_some));
                let trees: Vec<bool> = trees.collect();
                let touched = table::table(
                    ui,
                    &data,
                    !room.strip && plays,
                    &trees,
                    &mut self.all_columns,
                );
                self.hovered = self.hovered.or(touched.hovered);
                touched
                    .played
                    .into_iter()
                    .for_each(|mv| commands.push(GameCommand::Slide(mv)));
                menus(&touched.moves, plays, doc, commands);
                if let Some((row, mv)) = touched.cell {
                    show_tree(doc, inspection, row, mv);
                    commands.push(ViewCommand::ShowPanel(Panel::Tree));
                }
            }

            ui.add_space(room.sentence_gap);
            // Keeps a comparison on one line.
            let sentence = data
                .sentence
                .replace(" = ", "\u{a0}=\u{a0}")
                .replace(" > ", "\u{a0}>\u{a0}");
            let text = egui::RichText::new(sentence).color(Theme::of(ui).text1);
            ui.label(text.line_height(Some(SENTENCE_LINE)));
            if let Some(exact) = exact {
                let text = egui::RichText::new(exact).color(Theme::of(ui).text2);
                ui.label(text.line_height(Some(SENTENCE_LINE)));
            }

            if let Some(change) = change {
                let text = egui::RichText::new(change).color(Theme::of(ui).accent);
                ui.label(text.line_height(Some(SENTENCE_LINE)));
            }
        });
    }
}

/// The context menu of each move.
fn menus(moves: &[(Move, Response)], plays: bool, doc: &Document, commands: &mut Commands) {
    for (mv, response) in moves {
        let play = plays.then_some(GameCommand::Slide(*mv).into());
        let entries: Vec<Command> = play.into_iter().chain(Panel::Decision.commands()).collect();
        commands.context_menu(response, &entries, doc);
    }
}

/// Selects a root move in the search tree of a row. Closes an opened file, because the move is on the current board.
fn show_tree(doc: &Document, inspection: &mut Inspection, row: usize, mv: Move) {
    inspection.close_file();
    // A row can be requested only when the tree is one of this strategy.
    inspection.follow(doc);
    inspection.wanted_row = Some(row);
    inspection.follow(doc);
    let node = inspection
        .shown()
        .and_then(|shown| shown.tree.follow(&[Link::Slide(mv)]));
    node.into_iter().for_each(|node| inspection.click(node));
}

/// Outdated values fade, but not during a very short search.
pub(crate) fn alpha(thought: &Thought) -> f32 {
    match thought {
        Thought::Settled | Thought::Impossible(_) => 1.0,
        Thought::Stopped(_) => theme::STALE_ALPHA,
        Thought::Searching(elapsed) => {
            let share = ((elapsed.as_secs_f32() - 0.05) / (TELL_AFTER.as_secs_f32() - 0.05))
                .clamp(0.0, 1.0);
            egui::lerp(1.0..=theme::STALE_ALPHA, share)
        }
    }
}

/// The depth of the search, or its progress; always `height` points high.
fn search_line(
    ui: &mut Ui,
    doc: &Document,
    thought: &Thought,
    decided: Option<&Decided>,
    data: &DecisionData,
    commands: &mut Commands,
    height: f32,
) {
    let theme = Theme::of(ui);
    let old = decided.map(|decided| {
        let place = decided.moves.map_or("an edited board".to_owned(), |moves| {
            format!("move {}", moves + 1)
        });
        format!("shown below: {} at {place}", decided.strategy.label())
    });
    let with_old = |text: String| match &old {
        Some(old) => format!("{text} · {old}"),
        None => text,
    };
    let (text, color, command) = match thought {
        Thought::Searching(elapsed) if TELL_AFTER <= *elapsed => {
            let then = if doc.is_step_waiting() {
                ", then plays"
            } else {
                ""
            };
            (
                with_old(format!("Searching {:.1} s{then}", elapsed.as_secs_f32())),
                theme.text1,
                Some(Command::Stop),
            )
        }
        Thought::Stopped(after) => {
            let text = format!("Stopped after {:.1} s", after.as_secs_f32());
            (
                with_old(text),
                theme.text1,
                Some(GameCommand::SearchAgain.into()),
            )
        }
        Thought::Settled if data.searches.is_empty() => {
            ("No search was needed".to_owned(), theme.text3, None)
        }
        Thought::Settled | Thought::Searching(_) | Thought::Impossible(_) => (
            data.searches.first().cloned().unwrap_or_default(),
            theme.text2,
            None,
        ),
    };

    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::hover());
    let space = egui::UiBuilder::new()
        .id_salt("search line")
        .max_rect(rect.with_min_x(rect.left() + theme::SPACE_M));
    let mut inside = ui.new_child(space.layout(egui::Layout::right_to_left(egui::Align::Center)));
    let has_button = command.is_some();
    if let Some(command) = command {
        commands.show(
            &mut inside,
            Button::new(command.text()).small(),
            command,
            Ok(()),
        );
    }

    inside.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| {
        let label = egui::Label::new(egui::RichText::new(&text).small().color(color)).truncate();
        let hint = match thought {
            Thought::Searching(_) => {
                "Escape stops the search; Enter plays the move when it is done".to_owned()
            }
            Thought::Stopped(_) => "Enter searches again and plays the move".to_owned(),
            _ => data.searches.join("\n"),
        };
        // The text may be truncated; the tooltip repeats it.
        let response = ui.add(label.show_tooltip_when_elided(hint.is_empty()));
        if !hint.is_empty() {
            let hint = if has_button {
                format!("{text}\n{hint}")
            } else {
                hint
            };
            response.on_hover_text(hint);
        }
    });
}
