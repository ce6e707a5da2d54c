//! A table of what the search did on each ply; below it the table of the compared search.

use egui::{Label, RichText, Ui, vec2};

use crate::search::{PLY_COLUMNS, PlyAlone, PlyColumn, PlyCounts, PlyTable, SearchOptions, TreeKind};
use crate::task::{Job, Latest, TaskGroup, TaskInfo, TaskState};
use crate::words;
use crate::workbench::kit::{Sort, Table, TableColumn, chip, copy_button, empty, paragraph, small_print, width_of};
use crate::workbench::panels::tree::{Inspection, Shown};
use crate::workbench::paper::on_paper;
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
    /// By number of the column.
    sort: Sort<usize>,
}

impl Default for Side {
    fn default() -> Self {
        Self { alone: Latest::default(), sort: Sort::new(0, false) }
    }
}

impl Plies {
    pub(super) fn ui(&mut self, ui: &mut Ui, doc: &Document, inspection: &Inspection) {
        let Some(own) = inspection.shown() else { return };
        let other = inspection.is_compared.then(|| Shown::of(doc.baseline_decided()?, None)).flatten();
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
                    let name = if is_compared { format!("{}: {row}", shown.strategy.label()) } else { row };
                    let side = &mut self.sides[place];
                    let Some(table) = side.follow(ui, doc, shown, is_old[place]) else { return };
                    let against = first.as_ref().map(|first| (first, &mut self.against));
                    side.ui(ui, (shown, &name), &table, against);
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
        (shown, name): (&Shown, &str),
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
    fn follow(&mut self, ui: &mut Ui, doc: &Document, shown: &Shown, is_old: bool) -> Option<PlyTable> {
        if shown.tree.search_kind() != TreeKind::DepthLimited {
            empty(ui, "A sampling search has no fixed depth: only a search by depth has plies");
            return None;
        }

        if is_old {
            ui.set_opacity(theme::STALE_ALPHA);
        }
        let key = (shown.number, shown.row);
        if !is_old && !self.alone.is_asked(&key) {
            let tree = shown.tree.clone();
            let info = TaskInfo::asked(TaskGroup::Panel, "Measuring each depth").answering_when_stopped();
            self.alone.ask(key, &doc.tasks, info, move |job: &Job<Vec<PlyAlone>>| {
                let mut known = Vec::new();
                let options = SearchOptions::on_one_core(job.token());
                PlyAlone::measure(&tree, options, |alone| {
                    known = alone.to_vec();
                    job.tell_now_and_then(|| known.clone());
                });
                known
            });
        }

        self.alone.poll();
        Some(PlyTable { alone: self.alone.known().cloned().unwrap_or_default(), ..PlyTable::of(&shown.tree) })
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
        let told = if shown.tree.counts_are_told() { ", counts from the file" } else { "" };
        let threads = shown.searched.as_ref().and_then(|searched| searched.shared_by);
        let shared = threads.map(|threads| format!(" on {threads} threads: which boards were cached is random"));
        let shared = shared.unwrap_or_default();
        format!("{} of the recorded search{told}{shared}{measured}", words::plural(nodes, "node"))
    }

    /// The numbers, possibly relative to another search.
    fn table(&mut self, ui: &mut Ui, table: &PlyTable, against: Option<&PlyTable>) {
        let column = |(key, column): (usize, &'static PlyColumn)| TableColumn {
            key,
            title: column.title.to_owned(),
            about: column.about.into(),
            width: (column.title.len() as f32 * LETTER + SIGN).max(LEAST),
            right: true,
            indent: 0.0,
            falls: Some(key != 0),
        };
        let said = PLY_COLUMNS.iter().enumerate().filter(|(_, column)| column.says_something(table));
        let columns: Vec<TableColumn<usize>> = said.map(column).collect();

        // Both searches have the same plies.
        let written = |ply: usize, key: usize| {
            let number = PLY_COLUMNS[key].of(table, ply)?;
            match against.filter(|_| key != 0) {
                Some(other) => number.against(PLY_COLUMNS[key].of(other, ply)?),
                None => Some((number.value(), number.to_string())),
            }
        };

        let mut order: Vec<usize> = (0..table.rows.len()).collect();
        order.sort_by(|&a, &b| {
            let value = |ply, key| written(ply, key).map(|(value, _)| value);
            self.sort.order(|key| key.compare(value(a, key.by), value(b, key.by)))
        });
        let text = |ply: usize, key: usize| written(ply, key).map_or_else(|| "–".to_owned(), |(_, text)| text);
        let mut part = |ui: &mut Ui, columns: &[TableColumn<usize>], fits: bool| {
            let (id, name) = ("plies", "Work on each ply");
            let kit = Table { id, name, columns, sort: &mut self.sort, gap: GAP, below: 0.0, fits };
            kit.show(ui, order.len(), |row| {
                let ply = order[row.index()];
                let told = columns.iter().skip(1).map(|column| format!("{} {}", column.title, text(ply, column.key)));
                let label = format!("Ply {ply}: {}", told.collect::<Vec<_>>().join(", "));
                row.show(&label, false, |ui, key| {
                    let color = if key == 0 { Theme::of(ui).text2 } else { Theme::of(ui).text1 };
                    ui.add(Label::new(RichText::new(text(ply, key)).color(color)).truncate());
                });
            });
        };

        if on_paper(ui) {
            for (number, columns) in below_each_other(&columns, ui.available_width()).iter().enumerate() {
                ui.push_id(number, |ui| part(ui, columns, true));
                ui.add_space(theme::SPACE_M);
            }
            return;
        }

        part(ui, &columns, false);
    }
}

fn head(ui: &mut Ui, name: &str, table: &PlyTable) {
    paragraph(ui, RichText::new(name).font(theme::strong()), Theme::of(ui).text1);
    let of = format!("the plies of {name}");
    copy_button(ui, "Copy CSV", &of, || String::from_utf8(table.csv().ok()?).ok());
    copy_button(ui, "Copy JSON", &of, || serde_json::to_string(table).ok());
}

/// Splits the columns into as many tables as a page of this width needs; each has the first column and the width of the
/// page.
fn below_each_other(columns: &[TableColumn<usize>], width: f32) -> Vec<Vec<TableColumn<usize>>> {
    let Some((first, others)) = columns.split_first() else { return Vec::new() };
    let mut tables: Vec<Vec<TableColumn<usize>>> = Vec::new();
    for column in others {
        match tables.last_mut().filter(|table| width_of(table, GAP) + GAP + column.width <= width) {
            Some(table) => table.push(column.clone()),
            None => tables.push(vec![first.clone(), column.clone()]),
        }
    }
    for table in &mut tables {
        let gaps = GAP * (table.len() - 1) as f32;
        let share = (width - gaps) / (width_of(table, GAP) - gaps);
        table.iter_mut().for_each(|column| column.width *= share);
    }
    tables
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_of_plies_on_paper_loses_no_column() {
        let column = |key: usize| TableColumn {
            key,
            title: key.to_string(),
            about: "".into(),
            width: 40.0 + 7.0 * key as f32,
            right: true,
            indent: 0.0,
            falls: None,
        };
        let columns: Vec<TableColumn<usize>> = (0..14).map(column).collect();
        for width in [200.0, 311.5, 500.0, 5000.0] {
            let tables = below_each_other(&columns, width);
            let keys = |table: &Vec<TableColumn<usize>>| table.iter().map(|column| column.key).collect::<Vec<_>>();
            assert!(tables.iter().all(|table| keys(table)[0] == 0 && (width_of(table, GAP) - width).abs() < 0.01));
            let after: Vec<usize> = tables.iter().flat_map(|table| keys(table).split_off(1)).collect();
            assert_eq!(after, (1..14).collect::<Vec<_>>(), "{width}");
            // No table could have taken the first column of the next one.
            assert!(
                tables
                    .iter()
                    .all(|table| width_of(&table.iter().map(|c| column(c.key)).collect::<Vec<_>>(), GAP) <= width)
            );
        }

        assert_eq!(below_each_other(&columns, 5000.0).len(), 1);
    }
}
