//! The results of best play: lines after each move, as text and on boards, and the expectations at their ends.

mod ends;
mod line_list;

use std::sync::Arc;

use egui::{Ui, vec2};
use strum::IntoEnumIterator as _;

use self::ends::MoveEnds;
use crate::game::Move;
use crate::search::{BestLine, BestPlay, LineOrder, MeasureMeans, Measures, NoBestPlay, Subject};
use crate::task::{Job, Latest, TaskGroup, TaskInfo, TaskState};
use crate::words;
use crate::workbench::command::Commands;
use crate::workbench::kit::{self, Button, Sort, empty, segmented, small_print};
use crate::workbench::panels::tree::{Inspection, Shown, no_tree};
use crate::workbench::state::Document;
use crate::workbench::terms;
use crate::workbench::theme::{self, Theme};

/// Number of lines listed after each move.
const LISTED: usize = 12;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Page {
    #[default]
    Lines,
    Ends,
}

#[derive(Debug)]
pub(crate) struct BestPlayPanel {
    page: Page,
    order: LineOrder,
    /// The move of the listed lines; the chosen move until the user picks another.
    mv: Option<Move>,
    /// Index of the selected line in the list; the median line is first.
    line: usize,
    found: Latest<(u64, usize), Result<Arc<Found>, NoBestPlay>>,
    by_line: Sort<usize>,
    by_end: Sort<usize>,
    by_measure: Sort<usize>,
}

impl Default for BestPlayPanel {
    fn default() -> Self {
        Self {
            page: Page::default(),
            order: LineOrder::default(),
            mv: None,
            line: 0,
            found: Latest::default(),
            by_line: Sort::new(0, false),
            // By value.
            by_end: Sort::falling(1),
            // By spread.
            by_measure: Sort::falling(1),
        }
    }
}

/// The results for one search.
#[derive(Debug)]
struct Found {
    play: BestPlay,
    moves: Vec<MoveLines>,
    ends: Vec<MoveEnds>,
    /// Decimals that distinguish the values of the ends.
    places: usize,
    measures: Measures,
}

#[derive(Debug)]
struct MoveLines {
    mv: Move,
    count: u64,
    median: Option<BestLine>,
    /// The first lines in each order.
    first: Vec<Vec<BestLine>>,
}

impl Found {
    /// Follows best play and prepares all results.
    fn of(
        subject: &Subject,
        job: &Job<Result<Arc<Self>, NoBestPlay>>,
    ) -> Result<Arc<Self>, NoBestPlay> {
        let play = BestPlay::follow(subject, job.token())?;
        let lines = |mv: Move| MoveLines {
            mv,
            count: play.line_count(mv),
            median: play.median_line(mv),
            first: LineOrder::iter()
                .map(|order| play.lines(mv, order, LISTED))
                .collect(),
        };
        let stopped = || {
            if job.is_cancelled() {
                Err(NoBestPlay::Stopped)
            } else {
                Ok(())
            }
        };
        let (mut moves, mut sets) = (Vec::new(), Vec::new());
        for mv in play.moves() {
            moves.push(lines(mv));
            stopped()?;
            sets.push(play.leaves(mv));
            stopped()?;
        }

        let mut measures = play
            .measures(&sets, job.token())
            .ok_or(NoBestPlay::Stopped)?;
        // With this term, the terms sum to the value of each move.
        if measures.by_rule.iter().any(|&mean| mean != 0.0) {
            let (label, means) = ("By rule".to_owned(), measures.by_rule.clone());
            measures.terms.push(MeasureMeans {
                label,
                weight: 1.0,
                means,
            });
        }

        let (ends, places) = ends::told(&play, &sets);
        Ok(Arc::new(Self {
            play,
            moves,
            ends,
            places,
            measures,
        }))
    }
}

impl BestPlayPanel {
    pub(crate) fn ui(
        &mut self,
        ui: &mut Ui,
        doc: &Document,
        inspection: &mut Inspection,
        _: &mut Commands,
    ) {
        let Some(shown) = inspection.shown().cloned() else {
            return no_tree(ui, doc, "Play or press Enter to see where best play leads");
        };

        ui.spacing_mut().item_spacing = vec2(theme::SPACE_M, theme::SPACE_S);
        if !shown.tree.knows_evaluator() {
            empty(
                ui,
                "The evaluator belongs to the program that wrote this tree, so no board can be searched here",
            );
            return;
        }
        self.follow(doc, &shown, inspection.is_old);
        let found = match self.found.state() {
            TaskState::Done(Ok(found)) | TaskState::Partial(Ok(found)) => found.clone(),
            TaskState::Done(Err(NoBestPlay::Stopped)) | TaskState::Failed(_) => {
                small_print(
                    ui,
                    "Stopped before the end of best play",
                    Theme::of(ui).text2,
                );
                if ui
                    .add(Button::new("Run again").name("Follow best play again"))
                    .clicked()
                {
                    self.found.clear();
                }
                return;
            }
            TaskState::Done(Err(reason)) | TaskState::Partial(Err(reason)) => {
                empty(ui, &words::capitalised(&reason.to_string()));
                return;
            }
            TaskState::Pending { .. } | TaskState::Idle => {
                small_print(
                    ui,
                    "Following best play to the full depth",
                    Theme::of(ui).text2,
                );
                return;
            }
        };

        if inspection.is_old {
            ui.set_opacity(theme::STALE_ALPHA);
        }
        self.head(ui, &shown, &found);
        if shown.tree.graft_count() != 0 {
            small_print(
                ui,
                "Original search, without added searches",
                Theme::of(ui).text2,
            );
        }

        match self.page {
            Page::Lines => self.lines_ui(ui, &shown, &found, inspection),
            Page::Ends => self.ends_ui(ui, &found),
        }
    }

    /// Requests the results of another search.
    fn follow(&mut self, doc: &Document, shown: &Shown, is_old: bool) {
        // Searches added to the tree are not part of it.
        let key = (shown.base, shown.row);
        if !is_old && !self.found.is_asked(&key) {
            (self.mv, self.line) = (None, 0);
            let tree = shown.tree.clone();
            let info =
                TaskInfo::asked(TaskGroup::Panel, "Following best play").answering_when_stopped();
            self.found.ask(key, doc.tasks(), info, move |job| {
                Found::of(tree.subject(), job)
            });
        }
        self.found.poll();
    }

    fn head(&mut self, ui: &mut Ui, shown: &Shown, found: &Found) {
        ui.horizontal_wrapped(|ui| {
            let response = segmented(
                ui,
                "Lines or ends of best play",
                &mut self.page,
                &[(Page::Lines, "Lines"), (Page::Ends, "Ends")],
            );
            terms::tip(response, &terms::BEST_PLAY);

            if self.page == Page::Lines {
                let names: Vec<(Move, String)> = found
                    .moves
                    .iter()
                    .map(|of_move| (of_move.mv, of_move.mv.to_string()))
                    .collect();
                let choices: Vec<(Move, &str)> = names
                    .iter()
                    .map(|(mv, name)| (*mv, name.as_str()))
                    .collect();
                let mut mv = self.mv(shown, found);
                let before = mv;
                if let Some(mv) = &mut mv {
                    segmented(ui, "Lines after", mv, &choices);
                }
                let order = self.order;
                let orders = [
                    (LineOrder::Likely, "Likely"),
                    (LineOrder::Best, "Best"),
                    (LineOrder::Worst, "Worst"),
                ];
                segmented(ui, "Order of the lines", &mut self.order, &orders);
                if mv != before || order != self.order {
                    (self.mv, self.line) = (mv, 0);
                }
            }
        });
    }

    /// The move of the listed lines.
    fn mv(&self, shown: &Shown, found: &Found) -> Option<Move> {
        let has = |mv: &Move| found.moves.iter().any(|of_move| of_move.mv == *mv);
        self.mv
            .filter(has)
            .or(shown.tree.chosen.filter(has))
            .or(found.moves.first().map(|of_move| of_move.mv))
    }
}

/// A sentence above a table.
fn sentence(ui: &mut Ui, text: &str) {
    kit::paragraph(ui, text, Theme::of(ui).text1);
}
