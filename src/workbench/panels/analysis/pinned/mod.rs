//! Positions that test an edit: small boards with the move before and the move after.
//!
//! While the user drags something over the stack, the panel shows what dropping it would change; otherwise what the
//! last edit changed, or all changes since the strategy was saved. Boards stay in place while decisions come in, dimmed
//! until their own decision is ready.

mod cell;
mod sets;

use egui::{RichText, Role, Sense, Ui, WidgetInfo, vec2};
use sets::Sets;

use crate::words;
use crate::workbench::command::{Command, Commands, PinCommand};
use crate::workbench::icon::Icon;
use crate::workbench::kit::{
    Button, Line, came_to_front, empty, remark, scroll_beside, segmented, segmented_if,
};
use crate::workbench::panels::Building;
use crate::workbench::panels::analysis::parts::{line_from_right, line_of};
use crate::workbench::panels::builder::{Baseline, Changes, PinOutcome, PinnedState, Trial};
use crate::workbench::state::{Document, TELL_AFTER};
use crate::workbench::terms;
use crate::workbench::theme::{self, Theme};

/// Minimum width at which the whole header is on one line.
const WIDE: f32 = 620.0;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum PinnedFilter {
    Changed,
    Same,
    #[default]
    All,
}

#[derive(Debug, Default)]
pub(crate) struct PinnedPanel {
    filter: PinnedFilter,
    /// Whether the last frame had a proposed edit.
    was_tried: bool,
    sets: Sets,
}

impl PinnedPanel {
    pub(crate) fn ui(
        &mut self,
        ui: &mut Ui,
        doc: &Document,
        building: &mut Building,
        commands: &mut Commands,
    ) {
        if came_to_front(ui) {
            commands.push(Command::Pin(PinCommand::ListSets));
        }

        // A drag switches the filter to "changed", which stays after the drop.
        let is_tried = building.drag.proposal.is_some();
        if is_tried && !self.was_tried {
            self.filter = PinnedFilter::Changed;
        }
        self.was_tried = is_tried;
        if building.trial.changes().is_none() {
            self.filter = PinnedFilter::All;
        }
        ui.spacing_mut().item_spacing = vec2(theme::SPACE_M, theme::SPACE_S);
        let wide = WIDE <= ui.available_width();
        self.head(ui, wide, doc, building, commands);
        self.foot(ui, wide, doc, building, commands);
        self.boards(ui, building, doc, commands);
    }

    /// What changes, the filter, and the button that pins the board.
    fn head(
        &mut self,
        ui: &mut Ui,
        wide: bool,
        doc: &Document,
        building: &Building,
        commands: &mut Commands,
    ) {
        let (line, _) =
            ui.allocate_exact_size(vec2(ui.available_width(), theme::CONTROL), Sense::hover());
        let mut right = line_from_right(ui, "pin", line);
        let button = Button::new(if wide { "Pin this board" } else { "Pin" })
            .name("Pin this board")
            .icon(Icon::Pin);
        commands.show(&mut right, button, PinCommand::PinBoard, doc);
        if wide {
            self.filter_ui(&mut right, building);
        }
        headline(
            ui,
            line.with_max_x(right.min_rect().left() - theme::SPACE_L),
            building,
        );
        if !wide {
            self.filter_ui(&mut line_of(ui, "filter", theme::CONTROL), building);
        }
    }

    fn filter_ui(&mut self, ui: &mut Ui, building: &Building) {
        let Some(Changes {
            changed, decided, ..
        }) = building.trial.changes()
        else {
            return;
        };
        let (changed, same) = (
            format!("Changed {changed}"),
            format!("Same {}", decided - changed),
        );
        let all = format!("All {}", building.trial.set.positions.len());
        let choices = [
            (PinnedFilter::Changed, changed.as_str()),
            (PinnedFilter::Same, &same),
            (PinnedFilter::All, &all),
        ];
        segmented(ui, "Positions that are listed", &mut self.filter, &choices);
    }

    /// The set, what it is compared with, and the progress.
    fn foot(
        &mut self,
        ui: &mut Ui,
        wide: bool,
        doc: &Document,
        building: &mut Building,
        commands: &mut Commands,
    ) {
        let is_tried = building.drag.proposal.is_some();
        ui.horizontal(|ui| {
            ui.set_min_height(theme::CONTROL);
            self.sets
                .ui(ui, if wide { 196.0 } else { 150.0 }, doc, commands);
            let choices = [
                (Baseline::LastEdit, "Last edit"),
                (Baseline::Saved, "Since saved"),
            ];
            let about = match is_tried {
                true => "While you drag, the edit is compared with the current strategy",
                false => "The strategy before the last edit, or as it was last opened or saved",
            };
            segmented_if(
                ui,
                "Compare with",
                &mut building.trial.baseline,
                &choices,
                !is_tried,
            )
            .on_hover_text(about);
            progress_ui(ui, &mut building.trial);
        });
        ui.add_space(theme::SPACE_S);
    }

    fn boards(&self, ui: &mut Ui, building: &Building, doc: &Document, commands: &mut Commands) {
        let trial = &building.trial;
        let listed = |outcome: &PinOutcome<'_>| match self.filter {
            PinnedFilter::Changed => outcome.is_changed(),
            PinnedFilter::Same => {
                matches!(outcome, PinOutcome::Decided { .. }) && !outcome.is_changed()
            }
            PinnedFilter::All => true,
        };

        let numbered = trial
            .outcomes()
            .into_iter()
            .zip(1..)
            .map(|((pin, outcome), number)| (number, pin, outcome));
        let shown: Vec<_> = numbered.filter(|(_, _, outcome)| listed(outcome)).collect();
        if shown.is_empty() {
            let is_busy = trial.decisions.state() != PinnedState::Settled;
            let sentence = match self.filter {
                _ if trial.set.positions.is_empty() => {
                    "Edits are tried on these positions. Press P to pin the board on screen"
                }
                _ if is_busy => "No results yet",
                PinnedFilter::Changed => "All pinned positions keep their moves",
                PinnedFilter::Same | PinnedFilter::All => "No pinned position keeps its move",
            };
            empty(ui, sentence);
            return;
        }

        let room = ui.available_rect_before_wrap();
        scroll_beside(ui, "positions", room, |ui| {
            let columns =
                (((ui.available_width() + cell::GAP) / (cell::WIDTH + cell::GAP)) as usize).max(1);
            let rows = shown.len().div_ceil(columns);
            let step = vec2(cell::WIDTH + cell::GAP, cell::HEIGHT + cell::GAP);
            let size = vec2(ui.available_width(), rows as f32 * step.y - cell::GAP);
            let (space, _) = ui.allocate_exact_size(size, Sense::hover());
            for (place, (number, pin, outcome)) in shown.into_iter().enumerate() {
                let offset = vec2(
                    (place % columns) as f32 * step.x,
                    (place / columns) as f32 * step.y,
                );
                let rect =
                    egui::Rect::from_min_size(space.min + offset, vec2(cell::WIDTH, cell::HEIGHT));
                let cell = cell::PinnedCell {
                    number,
                    pin,
                    outcome,
                    trial,
                    on_board: doc.board() == pin.board,
                };
                cell::ui(ui, rect, &cell, doc, commands);
            }
        });

        ui.allocate_rect(room, Sense::hover());
    }
}

/// "Changes 16 of 40  if Monotonicity moves below Expectimax".
fn headline(ui: &mut Ui, room: egui::Rect, building: &Building) {
    let theme = Theme::of(ui);
    let Building { trial, drag, .. } = building;
    let counts = trial
        .changes()
        .map(|Changes { changed, all, .. }| [changed, all].map(number));
    let (count, rest) = match (counts, &drag.proposal, trial.baseline) {
        (Some([changed, all]), Some(proposal), _) => (
            format!("Changes {changed} of {all}"),
            format!("if {}", proposal.words),
        ),
        (Some([changed, all]), None, baseline) => {
            let since = if baseline == Baseline::Saved {
                "since it was saved"
            } else {
                "by the last edit"
            };
            (format!("{changed} of {all} changed"), since.to_owned())
        }
        (None, _, baseline) => {
            let all = words::plural(trial.set.positions.len() as u64, "position");
            let since = match baseline {
                Baseline::LastEdit => "edit the strategy to see what it would change",
                Baseline::Saved => "no change since it was saved",
            };
            (all, since.to_owned())
        }
    };

    let response = ui.interact(room, ui.scope_id().with("headline"), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, format!("{count} {rest}")));
    let mut line = Line::new(ui.painter(), room, 0.0);
    line.start(&count, theme::strong(), theme.text1);
    line.skip(theme::SPACE_M);

    if line.left + 24.0 < line.right {
        if line.start(&rest, theme::body(), theme.text2).is_cut {
            response.on_hover_text(format!("{count} {rest}"));
        } else {
            terms::tip(response, &terms::PINNED);
        }
    }
}

fn number(number: usize) -> String {
    words::count(number as u64)
}

/// "12 of 40 decided" if that takes long; a button to resume if it was stopped.
fn progress_ui(ui: &mut Ui, trial: &mut Trial) {
    let theme = Theme::of(ui);
    let outcomes = trial.outcomes();
    let all = outcomes
        .iter()
        .filter(|(_, outcome)| *outcome != PinOutcome::Impossible)
        .count();
    let decided_count = outcomes
        .iter()
        .filter(|(_, outcome)| matches!(outcome, PinOutcome::Decided { .. }))
        .count();
    let decided = format!("{} of {} decided", number(decided_count), number(all));
    let small =
        |text: String| egui::Label::new(RichText::new(text).small().color(theme.text2)).truncate();

    match trial.decisions.state() {
        PinnedState::Settled => {}
        PinnedState::Deciding(since) => {
            if TELL_AFTER <= since.elapsed() {
                ui.add(small(decided).show_tooltip_when_elided(false))
                    .on_hover_text("Press Escape to stop");
            }
        }
        PinnedState::Stopped => {
            if ui
                .add(Button::new("Resume").name("Resume deciding").small())
                .clicked()
            {
                trial.decisions.go_on();
                ui.ctx().request_repaint();
            }
            ui.add(small(format!("Stopped, {decided}")));
        }
        PinnedState::Failed(reason) => {
            let words = format!("✗ Cannot decide: {reason}");
            if ui
                .add(Button::new("Try again").name("Try again to decide").small())
                .clicked()
            {
                trial.decisions.go_on();
                ui.ctx().request_repaint();
            }
            remark(ui, words, theme.error);
        }
    }
}
