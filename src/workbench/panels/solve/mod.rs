//! The Solve panel: exact solutions of small boards, and value iteration over board features.

mod boards;
mod process;
mod saved_row;

use egui::Ui;

use crate::workbench::command::{Commands, SolveCommand};
use crate::workbench::kit::{came_to_front, problem, scroll_form_beside, segmented};
use crate::workbench::state::Document;
use crate::workbench::theme;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Subject {
    #[default]
    Boards,
    Process,
}

#[derive(Debug, Default)]
pub(crate) struct SolvePanel {
    subject: Subject,
    boards: boards::BoardsView,
    process: process::ProcessView,
    /// Number of the last frame that drew the panel.
    drawn: u64,
}

impl SolvePanel {
    pub(crate) fn ui(&mut self, ui: &mut Ui, doc: &Document, commands: &mut Commands) {
        // Other windows and the command line write to the same folder.
        let frame = ui.ctx().cumulative_frame_nr();
        if self.drawn + 1 < frame || self.drawn == 0 || came_to_front(ui) {
            commands.push(SolveCommand::ListKept);
        }

        self.drawn = frame;
        ui.spacing_mut().item_spacing.y = theme::SPACE_M;
        let subjects = [
            (Subject::Boards, "Small boards"),
            (Subject::Process, "Value iteration"),
        ];
        segmented(ui, "Kind of solution", &mut self.subject, &subjects);
        if let Some(failure) = &doc.solving().failure {
            problem(ui, failure);
        }
        let room = ui.available_rect_before_wrap();
        scroll_form_beside(ui, "solved", room, |ui| match self.subject {
            Subject::Boards => self.boards.ui(ui, doc, commands),
            Subject::Process => self.process.ui(ui, doc, commands),
        });
    }
}
