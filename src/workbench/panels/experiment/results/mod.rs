//! The table of the run: one row per strategy, sortable, with intervals and published numbers.
//!
//! To add a column, edit `ResultsColumn` in `data.rs`, and give the column a place in `ALL` and in `FOLDING` (other
//! columns never fold away). A measured number needs only the key of its line in `experiment/result_columns.rs`. In this
//! file, add the cell and width only if the cell is not plain text.

mod against;
mod data;
mod judgement;
mod rollout;

use egui::{Response, RichText, Role, Ui, WidgetInfo};

use crate::experiment::Contestant;
use crate::prose::of_best_play;
use crate::stats::Verdict;
use crate::table::MISSING;
use crate::words;
use crate::workbench::command::{Commands, ExperimentCommand, StrategyCommand};
use crate::workbench::icon::{Icon, icon_button, icon_label};
use crate::workbench::kit::{
    Sort, SortKey, Table, TableColumn, TableRow, bar_width, columns_menu, empty, mark_key, menu_entry, progress, remark,
};
use crate::workbench::panels::experiment::games;
use crate::workbench::panels::experiment::run_view::{Refresh, RunContestant, RunView, Stamp};
use crate::workbench::panels::experiment::standings::is_apart;
use crate::workbench::state::settings::ExperimentView;
use crate::workbench::state::{Document, ExperimentRun};
use crate::workbench::terms;
use crate::workbench::theme::{self, Theme};
use against::Against;
use data::{ResultsColumn as Column, ResultsRow, ResultsTable};
use judgement::Judgement;
use rollout::RolloutLine;

/// Gap between columns.
const SPACE: f32 = 10.0;

/// Maximum extra width of a column in a wide panel.
const MOST_SPARE: f32 = 36.0;
/// Widths are multiples of this, so that one more digit moves nothing.
const WIDTH_STEP: f32 = 8.0;
/// Longer names are truncated.
const WIDEST_NAME: f32 = 230.0;
/// Gap between a right-aligned number and the following text.
const BEFORE_WORDS: f32 = 6.0;
const FOOTNOTE: f32 = 22.0;
const WORDS: f32 = 104.0;

const USUAL: Sort<Column> = Sort::falling(Column::Mean);

#[derive(Debug)]
pub(crate) struct ResultsPanel {
    sort: Sort<Column>,
    /// Columns hidden by the user.
    hidden: Vec<Column>,
    refresh: Refresh,
    table: ResultsTable,
    against: Against,
    rollout: RolloutLine,
    widths: Widths,
    /// The contestant of the focused row.
    keyboard: Option<usize>,
    /// The shortcut for the baseline was pressed.
    pins: bool,
    /// Strategies with identical games have separate rows.
    unfolded: bool,
}

/// Column widths of one run. They fit usual scores and only grow during a run, so that nothing moves. After the run
/// they fit its numbers, as when it is opened again.
#[derive(Debug, Default)]
struct Widths {
    /// The run, and whether it is active.
    of_run: (u64, bool),
    scale: f32,
    of: [f32; Column::ALL.len()],
}

impl Widths {
    fn follow(&mut self, ui: &Ui, of_run: (u64, bool), games: u64, table: &ResultsTable) {
        let scale = ui.pixels_per_point();
        if (self.of_run, self.scale) != (of_run, scale) {
            *self = Self { of_run, scale, of: Column::ALL.map(|(.., least)| least) };
        }

        let measure = |text: String, font: egui::FontId| {
            ui.painter().layout_no_wrap(text, font, egui::Color32::PLACEHOLDER).size().x
        };

        for ((column, ..), width) in Column::ALL.into_iter().zip(&mut self.of) {
            // Leaves room for the arrow of the sorted column.
            let arrow = if column.is_right() { " ↓" } else { "" };
            let header = measure(column.title(table) + arrow, theme::small());
            let header = header.max(measure(column.usual(of_run.1).to_owned(), theme::body()));
            let values = table.rows.iter().map(|row| match column {
                Column::Eye | Column::Sign => 0.0,
                Column::Strategy => (40.0 + measure(row.text(column), theme::medium())).min(WIDEST_NAME),
                Column::Games => measure(words::count(games), theme::body()),
                Column::Mean => {
                    measure(row.text(column), theme::strong())
                        + row.half_text().map_or(0.0, |text| 4.0 + measure(text, theme::body()))
                }
                Column::Exact => measure(row.text(column), theme::body()) + 14.0,
                Column::Verdict | Column::ExactVerdict => {
                    BEFORE_WORDS + 88.0 + measure(row.text(column), theme::body())
                }
                _ => measure(row.text(column), theme::body()),
            });
            let widest = values.fold(header, f32::max);
            *width = width.max((widest / WIDTH_STEP).ceil() * WIDTH_STEP);
        }
    }

    fn of(&self, column: Column) -> f32 {
        // A pin follows the name of the baseline.
        self.of[column as usize] + if column == Column::Strategy { 18.0 } else { 0.0 }
    }
}

impl Default for ResultsPanel {
    fn default() -> Self {
        Self {
            sort: USUAL,
            hidden: Vec::new(),
            refresh: Refresh::default(),
            table: ResultsTable::default(),
            against: Against::default(),
            rollout: RolloutLine::default(),
            widths: Widths::default(),
            keyboard: None,
            pins: false,
            unfolded: false,
        }
    }
}

impl ResultsPanel {
    pub(crate) fn tell_view(&self, view: &mut ExperimentView) {
        view.hidden = self.hidden.iter().map(|column| column.key()).collect();
        if self.sort != USUAL {
            view.sort = self.sort.keys().map(|key| (key.by.key(), key.falls)).collect();
        }
    }

    pub(crate) fn restore_view(&mut self, view: &ExperimentView) {
        let hidden = view.hidden.iter().filter_map(|key| Column::of_key(key));
        let keys =
            view.sort.iter().filter_map(|(key, falls)| Some(SortKey { by: Column::of_key(key)?, falls: *falls }));
        (self.hidden, self.sort) = (hidden.collect(), Sort::of(keys).unwrap_or(USUAL));
    }

    pub(crate) fn ui(&mut self, ui: &mut Ui, doc: &Document, view: &mut RunView, commands: &mut Commands) {
        view.follow(doc);
        if std::mem::take(&mut self.pins)
            && let Some(place) = self.keyboard.or(view.selected())
        {
            view.pin(place);
        }
        let last_run = doc.shown();
        let (Some(snapshot), Some(plan)) =
            (last_run.and_then(|last_run| last_run.snapshot.as_ref()), last_run.and_then(ExperimentRun::plan))
        else {
            empty(ui, "Run an experiment to see one row per strategy");
            return;
        };

        let against = &mut self.against;
        let run = last_run.and_then(|last_run| Some((last_run, last_run.run.as_ref()?)));
        let stamp = Stamp::of(doc, view.version() + against.version);
        if self.refresh.is_due(stamp) {
            self.table = self.refresh.run(stamp, || {
                if run.is_some_and(|(last_run, run)| against.follow(last_run, run, view)) {
                    ui.ctx().request_repaint();
                }
                ResultsTable::new(snapshot, plan, view, against.pairs())
            });
            self.widths.follow(ui, (stamp.run, stamp.busy), plan.games, &self.table);
        }

        if let Some((last_run, _)) = run {
            let (run, place) = (last_run.runs, view.baseline());
            if doc.compared_with() != (run, place) {
                commands.push(ExperimentCommand::CompareWith { run, place });
            }
        }

        match run {
            Some((last_run, run)) => self.rollout.follow((last_run.runs, run), plan, doc.tasks()),
            None => self.rollout = RolloutLine::default(),
        }
        let lines = 1 + u8::from(view.exact.has_line()) + u8::from(self.rollout.has_line());
        let below = f32::from(lines) * FOOTNOTE;
        let order = self.table.sorted(self.sort, !self.unfolded);
        let (columns, words) = self.columns(ui.available_width() - 4.0 - bar_width(ui, order.len(), below));
        let has_ranks = columns.iter().any(|column| column.key == Column::Rank);
        let mut footnote = footnote(doc, &self.table, has_ranks);
        if let Some(best) = view.exact.best() {
            // Its shares have a column.
            let best = of_best_play(best, []);
            footnote = [best.as_str(), &footnote].join(if footnote.is_empty() { "" } else { ". " });
        } else if let Some(problem) = view.exact.problem() {
            footnote = [problem.as_str(), &footnote].join(if footnote.is_empty() { "" } else { ". " });
        }

        let rows = &self.table.rows;
        let table = Table {
            id: "results",
            name: "Results",
            columns: &columns,
            sort: &mut self.sort,
            gap: SPACE,
            below,
            fits: true,
        };
        let (mut keyboard, mut seen) = (None, Vec::new());
        let in_classes = table.sort.first().by == Column::Class;
        let class = |index: usize| view.standings.class(rows[order[index]].place).filter(|_| in_classes);
        let begins_group: Vec<bool> =
            (0..order.len()).map(|index| 0 < index && is_apart(class(index - 1), class(index))).collect();
        table.show(ui, order.len(), |row| {
            let of_row = row.index();
            let of = &rows[order[of_row]];
            seen.push(of.place);
            let row = row.apart(begins_group[of_row]);
            let (opens, response) = row_ui(row, of, words, view, &mut self.unfolded, commands);
            if response.has_focus() {
                keyboard = Some(of.place);
            }
            let opened = plan.contestants.get(of.place).filter(|_| opens);
            let open = |contestant: &Contestant| StrategyCommand::Open(Box::new(contestant.strategy.clone()));
            opened.map(open).into_iter().for_each(|open| commands.push(open));
        });
        self.keyboard = keyboard;
        if view.see(seen, in_classes) {
            ui.ctx().request_repaint();
        }
        ui.add_space(theme::SPACE_S);
        if view.exact.has_line() {
            ui.horizontal(|ui| view.exact.ui(ui, doc));
        }
        if self.rollout.has_line() {
            ui.horizontal(|ui| self.rollout.ui(ui));
        }
        let shown: Vec<Column> = columns.iter().map(|column| column.key).collect();
        ui.horizontal(|ui| {
            let all = Column::optional(self.table.has).map(|column| (column, column.title(&self.table)));
            columns_menu(ui, &mut self.hidden, &all.collect::<Vec<_>>(), &shown);
            remark(ui, &footnote, Theme::of(ui).text3);
        });
    }

    /// Makes the focused or selected row the baseline.
    pub(crate) fn pin_next(&mut self) {
        self.pins = true;
    }

    /// The columns that fit, and whether words follow the differences.
    fn columns(&self, room: f32) -> (Vec<TableColumn<Column>>, bool) {
        // With several sort keys, the key's number follows the arrow.
        let number = |column: Column| match self.sort.state(column) {
            Some(sorted) if 1 < sorted.place[1] => WIDTH_STEP,
            _ => 0.0,
        };
        let width = |column: Column| self.widths.of(column) + number(column);
        let columns = Column::fitting(room, SPACE, self.table.has, &self.hidden, width);
        let mut spare = room - columns.iter().map(|&column| width(column) + SPACE).sum::<f32>() + SPACE;
        // Words if they fit; otherwise the gray number says it.
        let unclear = self.table.rows.iter().any(|row| row.against.as_ref().is_some_and(|one| !one.is_clear));
        let words = unclear && columns.contains(&Column::Against) && WORDS <= spare;
        if words {
            spare -= WORDS;
        }

        let gain = (spare / columns.len() as f32).clamp(0.0, MOST_SPARE).floor();
        let column = |key: Column| {
            let words = if words && key == Column::Against { WORDS } else { 0.0 };
            TableColumn {
                key,
                title: key.title(&self.table),
                about: key.about(&self.table).into(),
                width: width(key) + words + if matches!(key, Column::Eye | Column::Sign) { 0.0 } else { gain },
                right: key.is_right(),
                is_narrow: false,
                indent: if matches!(key, Column::Verdict | Column::ExactVerdict) { BEFORE_WORDS } else { 0.0 },
                // The first click sorts numbers descending, names and ranks ascending.
                falls: (key != Column::Eye).then_some(!matches!(key, Column::Strategy | Column::Rank | Column::Class)),
            }
        };

        (columns.into_iter().map(column).collect(), words)
    }
}

/// The notes below the table.
fn footnote(doc: &Document, table: &ResultsTable, has_ranks: bool) -> String {
    let mut parts = Vec::new();
    if let Some(not_final) = doc.last_run().not_final() {
        let states = [Some(not_final.to_owned()), table.pairs_text()];
        parts.push(states.into_iter().flatten().collect::<Vec<_>>().join(": "));
    } else if doc.last_run().is_stale(doc.setup()) {
        parts.push("The set-up changed since this run".to_owned());
    }
    parts.extend(doc.about_pinned());
    parts.extend(table.ranks_text(has_ranks));
    parts.extend_from_slice(&table.standings);
    if let Some(promise) = table.promise {
        parts.push(format!("95 % intervals are {promise}"));
    }

    parts.join(". ")
}

/// Draws a row; true if its strategy is to be opened.
fn row_ui(
    table_row: TableRow<'_, '_, '_, Column>,
    row: &ResultsRow,
    words: bool,
    view: &mut RunView,
    unfolded: &mut bool,
    commands: &mut Commands,
) -> (bool, Response) {
    let RunContestant { label, about, color, shown, .. } = row.contestant.clone();
    let pinned = view.baseline() == row.place;
    let selected = view.selected() == Some(row.place);
    let response = table_row.show(&format!("Row {label}"), selected, |ui, column| match column.key {
        Column::Eye => {
            let (icon, name) = if shown { (Icon::Eye, "Hide") } else { (Icon::EyeOff, "Show") };
            if icon_button(ui, icon, &format!("{name} {label}"), "Show or hide in the plots").clicked() {
                view.show(row.place, !shown);
            }
        }
        Column::Strategy => {
            let theme = Theme::of(ui);
            ui.spacing_mut().item_spacing.x = 6.0;
            mark_key(ui, &label, theme.strategy(color));
            let room = ui.available_width() - if pinned { 20.0 } else { 0.0 };
            ui.scope(|ui| {
                ui.set_max_width(room);
                let name = if *unfolded { label.clone() } else { row.text(column.key) };
                let name = RichText::new(name).font(theme::medium()).color(theme.text1);
                let alike = match &*row.alike {
                    [] => String::new(),
                    others => format!("\n{} played the same games", words::list(others)),
                };
                ui.add(egui::Label::new(name).truncate().show_tooltip_when_elided(false))
                    .on_hover_text(format!("{label}\n{about}{alike}"));
            });
            if pinned {
                icon_label(ui, Icon::Pin, theme.accent);
            }
        }
        key => value_ui(ui, row, key, pinned, words),
    });

    let mut opens = response.double_clicked();
    if response.clicked() && !opens {
        view.toggle(row.place);
    }

    response.context_menu(|ui| {
        opens |= menu_entry(ui, "Open strategy", None, Ok(()));
        if menu_entry(ui, "List games", None, Ok(())) {
            view.select(Some(row.place));
            games::go_to_list(ui.ctx(), commands);
        }
        let can_pin = if pinned { Err("Already the baseline") } else { Ok(()) };
        if menu_entry(ui, "Use as baseline", Some("B"), can_pin) {
            view.pin(row.place);
        }
        let show = if shown { "Hide in the plots" } else { "Show in the plots" };
        if menu_entry(ui, show, None, Ok(())) {
            view.show(row.place, !shown);
        }
        if !row.alike.is_empty() {
            let folds = if *unfolded {
                "Merge strategies with the same games"
            } else {
                "Separate strategies with the same games"
            };
            if menu_entry(ui, folds, None, Ok(())) {
                *unfolded = !*unfolded;
            }
        }
    });

    (opens, response)
}

/// A value, then the less important part; in right-aligned cells the last comes first.
fn value_ui(ui: &mut Ui, row: &ResultsRow, column: Column, pinned: bool, words: bool) {
    let theme = Theme::of(ui);
    ui.spacing_mut().item_spacing.x = 4.0;
    let plain = |ui: &mut Ui, text: String| ui.label(RichText::new(text).color(theme.text1));
    let grey = |ui: &mut Ui, text: String| ui.label(RichText::new(text).color(theme.text3));

    match column {
        Column::Eye | Column::Strategy => {}
        Column::Sign if row.running => {}
        Column::Sign => verdict_ui(ui, theme, row.judgement.as_ref(), false),
        Column::ExactVerdict => verdict_ui(ui, theme, row.exact.as_ref().filter(|_| !row.running), true),
        Column::Exact => {
            if row.exact.is_some() {
                verdict_ui(ui, theme, row.exact.as_ref(), false);
            }
            let text = row.text(column);
            exactly(if text == MISSING { grey(ui, text) } else { plain(ui, text) }, row.exact(column));
        }
        Column::Mean => {
            if let Some(half) = row.half_text() {
                grey(ui, half);
            }
            let mean = RichText::new(row.text(column)).font(theme::strong()).color(theme.text1);
            exactly(ui.label(mean), row.exact(column));
        }
        Column::Against if pinned => drop(terms::tip(grey(ui, "baseline".to_owned()), &terms::BASELINE)),
        Column::Against => {
            let Some(difference) = &row.against else {
                grey(ui, "–".to_owned());
                return;
            };
            let half = grey(ui, difference.half_text());
            if difference.is_clear {
                plain(ui, difference.value_text()).union(half).on_hover_text(&difference.about);
                return;
            }
            let value = grey(ui, difference.value_text()).union(half);
            value.on_hover_text(format!("No difference found: 0 lies within the interval\n{}", difference.about));
            if words {
                ui.label(RichText::new("no difference found").small().color(theme.text3));
            }
        }
        Column::Verdict if row.running => {
            progress(ui, &format!("Games of {}", row.contestant.label), row.done, 36.0);
            ui.label(RichText::new("running, not final").small().color(theme.text3));
        }
        Column::Verdict => verdict_ui(ui, theme, row.judgement.as_ref(), true),
        _ => match row.text(column) {
            none if none == MISSING => drop(grey(ui, none)),
            text => exactly(plain(ui, text), row.exact(column)),
        },
    }
}

fn exactly(response: Response, exact: Option<String>) {
    if let Some(exact) = exact {
        response.on_hover_text(exact);
    }
}

/// The verdict as words with numbers, or as a sign alone.
fn verdict_ui(ui: &mut Ui, theme: &Theme, judgement: Option<&Judgement>, in_words: bool) {
    let Some(judgement) = judgement else {
        ui.label(RichText::new("–").color(theme.text3));
        return;
    };

    let words = judgement.one.verdict.name();
    let (sign, color) = match judgement.one.verdict {
        Verdict::Compatible => ("✓", theme.ok),
        Verdict::Differs => ("✗", theme.error),
        Verdict::CannotTell(_) => ("?", theme.text3),
    };
    let verdict = |text: &str| RichText::new(text.to_owned()).color(color);
    let difference = judgement.difference_text();
    if in_words {
        let response = ui.label(verdict(&format!("{sign} {words}")));
        let numbers = ui.label(RichText::new(difference).color(theme.text2));
        response.union(numbers).on_hover_text(&judgement.about);
    } else {
        let about = format!("{}, {difference}", judgement.one.verdict_text());
        let response = ui.label(verdict(sign)).on_hover_text(format!("{about}\n{}", judgement.about));
        response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &about));
    }
}
