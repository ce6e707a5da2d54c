//! A table of what the search did on each ply; below it the table of the compared search.

use egui::{RichText, Ui, vec2};

use crate::search::{PlyAlone, PlyCounts, PlyTable, SearchOptions, TreeKind};
use crate::task::{Job, Latest, TaskGroup, TaskInfo, TaskState};
use crate::words;
use crate::workbench::kit::{
    DataTable, Sort, chip, copy_button, csv_of, empty, paragraph, small_print,
};
use crate::workbench::panels::tree::{Inspection, Shown};
use crate::workbench::state::Document;
use crate::workbench::theme::{self, Theme};

const GAP: f32 = 8.0;
/// Width of a letter of a title, and of the sort arrow.
const LETTER: f32 = 6.0;
const SIGN: f32 = 14.0;
const LEAST: f32 = 46.0;

#[derive(Debug, Default)]
pub(super) struct Plies {
    sides: [Side; 2],
    /// Whether the numbers of the second search are relative to the first.
    against: bool,
}

/// One search.
#[derive(Debug)]
struct Side {
    alone: Latest<(u64, usize), Vec<PlyAlone>>,
    sort: Sort<usize>,
}

impl Default for Side {
    fn default() -> Self {
        Self {
            alone: Latest::default(),
            sort: Sort::new(0, false),
        }
    }
}

impl Plies {
    pub(super) fn ui(&mut self, ui: &mut Ui, doc: &Document, inspection: &Inspection) {
        let Some(own) = inspection.shown() else {
            return;
        };
        let other = inspection
            .is_compared
            .then(|| Shown::of(doc.baseline_decided()?, None))
            .flatten();
        let is_old = [inspection.is_old, !doc.is_baseline_settled()];
        let shown: Vec<&Shown> = [own].into_iter().chain(&other).collect();
        let height = ui.available_height() / shown.len() as f32;
        let is_compared = 1 < shown.len();

        let mut first = None;
        for (place, shown) in shown.into_iter().enumerate() {
            let room = vec2(ui.available_width(), height - theme::SPACE_S);
            ui.push_id(place, |ui| {
                ui.allocate_ui(room, |ui| {
                    ui.set_min_size(room);
                    let row = shown.strategy.row_label(shown.row);
                    // Two strategies may have the same row.
                    let name = if is_compared {
                        format!("{}: {row}", shown.strategy.label())
                    } else {
                        row
                    };
                    let side = &mut self.sides[place];
                    let Some(table) = side.follow(ui, doc, shown, is_old[place]) else {
                        return;
                    };
                    let against = first.as_ref().map(|first| (first, &mut self.against));
                    side.ui(ui, shown, &name, &table, against);
                    first = Some(table);
                });
            });
        }
    }
}

impl Side {
    fn ui(
        &mut self,
        ui: &mut Ui,
        shown: &Shown,
        name: &str,
        table: &PlyTable,
        against: Option<(&PlyTable, &mut bool)>,
    ) {
        let against = ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing.x = theme::SPACE_M;
            head(ui, name, table);
            let first = against.and_then(|(first, on)| {
                let about = "Shows counts and times as multiples of the search above, ratios and shares as differences";
                if chip(ui, "Relative to the search above", *on).on_hover_text(about).clicked() {
                    *on = !*on;
                }
                on.then_some(first)
            });
            // Last, because it changes during the measurement.
            small_print(ui, self.sentence(shown, table), Theme::of(ui).text2);
            first
        });
        self.table(ui, table, against.inner);
    }

    /// The numbers of a search by depth; measures them again for another search.
    fn follow(
        &mut self,
        ui: &mut Ui,
        doc: &Document,
        shown: &Shown,
        is_old: bool,
    ) -> Option<PlyTable> {
        if shown.tree.search_kind() != TreeKind::DepthLimited {
            empty(
                ui,
                "A sampling search has no fixed depth: only a search by depth has plies",
            );
            return None;
        }

        if is_old {
            ui.set_opacity(theme::STALE_ALPHA);
        }
        let key = (shown.number, shown.row);
        if !is_old && !self.alone.is_asked(&key) {
            let tree = shown.tree.clone();
            let info =
                TaskInfo::asked(TaskGroup::Panel, "Measuring each depth").answering_when_stopped();
            self.alone
                .ask(key, doc.tasks(), info, move |job: &Job<Vec<PlyAlone>>| {
                    let mut found = Vec::new();
                    let options = SearchOptions::on_one_core(job.token());
                    PlyAlone::measure(&tree, options, |alone| {
                        found = alone.to_vec();
                        job.tell_now_and_then(|| found.clone());
                    });
                    found
                });
        }

        self.alone.poll();
        Some(PlyTable {
            alone: self.alone.known().cloned().unwrap_or_default(),
            ..PlyTable::of(&shown.tree)
        })
    }

    /// The scope of the numbers, and the progress of the measurement.
    fn sentence(&self, shown: &Shown, table: &PlyTable) -> String {
        let nodes: u64 = table.rows.iter().map(PlyCounts::nodes).sum();
        let plies = shown.tree.subject().plies as usize;
        let measured = match self.alone.state() {
            _ if table.alone.len() == plies => "",
            TaskState::Pending { .. } | TaskState::Partial(_) => "; measuring shallower searches",
            _ => "; not all shallower searches were measured",
        };
        let from_file = if shown.tree.counts_are_told() {
            ", counts from the file"
        } else {
            ""
        };
        let threads = shown
            .searched
            .as_ref()
            .and_then(|searched| searched.shared_by);
        let shared = threads
            .map(|threads| format!(" on {threads} threads: which boards were cached is random"));
        let shared = shared.unwrap_or_default();
        format!(
            "{} of the recorded search{from_file}{shared}{measured}",
            words::plural(nodes, "node")
        )
    }

    /// The numbers, possibly relative to another search.
    fn table(&mut self, ui: &mut Ui, table: &PlyTable, against: Option<&PlyTable>) {
        let data = against.map_or_else(|| table.shown(), |other| table.against(other));
        let titles: Vec<String> = data.titles().map(str::to_owned).collect();
        let width = |column: usize| (titles[column].len() as f32 * LETTER + SIGN).max(LEAST);
        let row_name = |ply, cells: &[String]| {
            let shown_cells = titles
                .iter()
                .zip(cells)
                .filter(|(title, _)| *title != "Ply");
            let parts = shown_cells.map(|(title, cell)| format!("{title} {cell}"));
            format!("Ply {ply}: {}", parts.collect::<Vec<_>>().join(", "))
        };
        let table = DataTable {
            id: "plies",
            name: "Work on each ply",
            data: data.into(),
            sort: &mut self.sort,
            gap: GAP,
        };
        table.show(ui, |_, column, _| width(column), row_name);
    }
}

fn head(ui: &mut Ui, name: &str, table: &PlyTable) {
    paragraph(
        ui,
        RichText::new(name).font(theme::strong()),
        Theme::of(ui).text1,
    );
    let subject = format!("the plies of {name}");
    copy_button(ui, "Copy CSV", &subject, || csv_of(table.table()));
    copy_button(ui, "Copy JSON", &subject, || {
        serde_json::to_string(table).expect("numbers under names")
    });
}
