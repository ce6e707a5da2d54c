//! The table of the run: one row per strategy, sortable, with intervals and published numbers.
//!
//! To add a column, add a line to `columns` in `data.rs`: a measured number is the key of its line in
//! `experiment/result_columns.rs`. In this file, add the cell only if it is not plain text.

mod against;
mod data;
mod judgement;
mod rollout_line;

use egui::{Color32, Response, RichText, Role, Ui, WidgetInfo};

use crate::experiment::{Contestant, Plan};
use crate::prose::of_best_play;
use crate::stats::Verdict;
use crate::table::{Head, Kind, MISSING};
use crate::words;
use crate::workbench::command::{Commands, ExperimentCommand, StrategyCommand};
use crate::workbench::icon::{Icon, icon_button, icon_label};
use crate::workbench::kit::{
    DataCell, DataList, DataRows, DataSource, DataTable, NarrowColumn, Sort, SortKey, columns_menu,
    empty, mark_key, menu_entry, progress, remark,
};
use crate::workbench::panels::experiment::games;
use crate::workbench::panels::experiment::run_view::{Refresh, RunContestant, RunView, Stamp};
use crate::workbench::panels::experiment::standings::is_apart;
use crate::workbench::state::settings::ExperimentView;
use crate::workbench::state::{Document, ExperimentRun};
use crate::workbench::terms;
use crate::workbench::theme::{self, Theme};
use against::Against;
use data::{
    AGAINST, CLASS, EXACT, EXACT_VERDICT, EYE, GAMES, Known, MEAN, NAME, RANK, ResultsRow,
    ResultsTable, VERDICT, columns, columns_of,
};
use judgement::Judgement;
use rollout_line::RolloutLine;

/// Gap between columns.
const SPACE: f32 = 10.0;

/// Maximum extra width of a column in a wide panel.
const MOST_SPARE: f32 = 36.0;
/// Widths are multiples of this, so that one more digit moves nothing.
const WIDTH_STEP: f32 = 8.0;
/// Longer names are truncated.
const WIDEST_NAME: f32 = 230.0;
const FOOTNOTE: f32 = 22.0;
/// The words after an unclear difference, and their width.
const UNCLEAR: &str = "no difference found";
const WORDS: f32 = 104.0;
/// The verdict as a sign.
const SIGN: f32 = 24.0;

fn usual_sort() -> Sort<usize> {
    Sort::falling(columns_of([MEAN])[0])
}

#[derive(Debug)]
pub(crate) struct ResultsPanel {
    sort: Sort<usize>,
    /// Columns hidden by the user.
    hidden: Vec<usize>,
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
    least: Vec<f32>,
}

impl Widths {
    fn follow(&mut self, ui: &Ui, of_run: (u64, bool), games: u64, table: &ResultsTable) {
        let scale = ui.pixels_per_point();
        if (self.of_run, self.scale) != (of_run, scale) {
            // Intervals of the first games are wide.
            let early = |head: &Head| {
                if of_run.1 && head.kind == Kind::Estimate {
                    WIDTH_STEP
                } else {
                    0.0
                }
            };
            let least = table
                .rooms
                .iter()
                .zip(&table.data.heads)
                .map(|(room, head)| room.least + early(head));
            *self = Self {
                of_run,
                scale,
                least: least.collect(),
            };
        }

        let measure = |text: &str, font| {
            ui.painter()
                .layout_no_wrap(text.to_owned(), font, Color32::PLACEHOLDER)
                .size()
                .x
        };
        for (column, (head, width)) in table.data.heads.iter().zip(&mut self.least).enumerate() {
            // Leaves room for the arrow of the sorted column.
            let arrow = if head.is_number() { " ↓" } else { "" };
            let header = measure(&(head.capitalised() + arrow), theme::small());
            let texts = table.texts.iter().map(|cells| &*cells[column]);
            let value = |text: &str| match &*head.key {
                // A key precedes the name of a strategy, and a pin follows that of the baseline.
                NAME => (40.0 + measure(text, theme::medium())).min(WIDEST_NAME) + 18.0,
                MEAN => measure(text, theme::strong()),
                EXACT => measure(text, theme::body()) + 14.0,
                VERDICT | EXACT_VERDICT => measure(text, theme::body()) + 10.0,
                _ => measure(text, theme::body()),
            };
            let planned = if head.key == GAMES {
                measure(&words::count(games), theme::body())
            } else {
                0.0
            };
            let widest = texts.map(value).fold(header.max(planned), f32::max);
            *width = width.max((widest / WIDTH_STEP).ceil() * WIDTH_STEP);
        }
    }
}

impl Default for ResultsPanel {
    fn default() -> Self {
        Self {
            sort: usual_sort(),
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
        let all = columns(&Known::default());
        let key = |column: usize| all[column].0.head.key.clone();
        view.hidden = self.hidden.iter().map(|&column| key(column)).collect();
        if self.sort != usual_sort() {
            view.sort = self
                .sort
                .keys()
                .map(|sort| (key(sort.by), sort.falls))
                .collect();
        }
    }

    pub(crate) fn restore_view(&mut self, view: &ExperimentView) {
        let keys = view.sort.iter().flat_map(|(key, falls)| {
            columns_of([&**key])
                .into_iter()
                .map(|by| SortKey { by, falls: *falls })
        });
        self.hidden = columns_of(view.hidden.iter().map(|key| &**key));
        self.sort = Sort::of(keys).unwrap_or(usual_sort());
    }

    pub(crate) fn ui(
        &mut self,
        ui: &mut Ui,
        doc: &Document,
        view: &mut RunView,
        commands: &mut Commands,
    ) {
        view.follow(doc);
        if std::mem::take(&mut self.pins)
            && let Some(place) = self.keyboard.or(view.selected())
        {
            view.pin(place);
        }
        let last_run = doc.shown();
        let (Some(snapshot), Some(plan)) = (
            last_run.and_then(|last_run| last_run.snapshot.as_ref()),
            last_run.and_then(ExperimentRun::plan),
        ) else {
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
            self.widths
                .follow(ui, (stamp.run, stamp.busy), plan.games, &self.table);
        }

        if let Some((last_run, _)) = run {
            let (run, place) = (last_run.runs, view.baseline());
            if doc.compared_with() != (run, place) {
                commands.push(ExperimentCommand::CompareWith { run, place });
            }
        }

        match run {
            Some((last_run, run)) => self.rollout.follow(last_run.runs, run, plan, doc.tasks()),
            None => self.rollout = RolloutLine::default(),
        }
        let lines = 1 + u8::from(view.exact.has_line()) + u8::from(self.rollout.has_line());
        let below = f32::from(lines) * FOOTNOTE;
        let shown = self.table_ui(ui, plan, below, view, commands);
        ui.add_space(theme::SPACE_S);
        if view.exact.has_line() {
            ui.horizontal(|ui| view.exact.ui(ui, doc));
        }
        if self.rollout.has_line() {
            ui.horizontal(|ui| self.rollout.ui(ui));
        }

        let table = &self.table;
        let has_ranks = table
            .data
            .column(RANK)
            .is_some_and(|column| shown.contains(&column));
        let of_run = footnote(doc, table, has_ranks);
        // The shares of best play have a column.
        let exact = view
            .exact
            .best()
            .map(|best| of_best_play(best, []))
            .or(view.exact.problem());
        let footnote: Vec<String> = exact
            .into_iter()
            .chain([of_run])
            .filter(|text| !text.is_empty())
            .collect();
        ui.horizontal(|ui| {
            let heads = table.data.heads.iter().enumerate();
            let optional = heads.filter(|(column, head)| {
                table.rooms[*column].says && ![EYE, NAME].contains(&&*head.key)
            });
            let optional: Vec<(usize, String)> = optional
                .map(|(column, head)| (column, head.capitalised()))
                .collect();
            columns_menu(ui, &mut self.hidden, &optional, &shown);
            remark(ui, footnote.join(". "), Theme::of(ui).text3);
        });
    }

    /// Draws the rows; returns the columns that are seen.
    fn table_ui(
        &mut self,
        ui: &mut Ui,
        plan: &Plan,
        below: f32,
        view: &mut RunView,
        commands: &mut Commands,
    ) -> Vec<usize> {
        let table = &self.table;
        let order = table.sorted(&self.sort, !self.unfolded);
        let place_of = |key: &str| table.data.column(key);
        let in_classes = Some(self.sort.first().by) == place_of(CLASS);
        let class = |at: usize| view.standings.class(order[at]).filter(|_| in_classes);
        let apart: Vec<usize> = (1..order.len())
            .filter(|&at| is_apart(class(at - 1), class(at)))
            .collect();
        let silent = (0..table.rooms.len()).filter(|&column| !table.rooms[column].says);
        let hidden: Vec<usize> = self.hidden.iter().copied().chain(silent).collect();

        // With several sort keys, the key's number follows the arrow.
        let sorted = self.sort;
        let number = |column: usize| {
            sorted
                .state(column)
                .filter(|sorted| 1 < sorted.place[1])
                .map_or(0.0, |_| WIDTH_STEP)
        };
        let width = |column: usize| self.widths.least[column] + number(column);
        // Words if they fit; otherwise the gray number says it.
        let unclear = table
            .rows
            .iter()
            .any(|row| row.against.as_ref().is_some_and(|one| !one.is_clear));
        let in_words = place_of(AGAINST).filter(|_| unclear);
        let brief = |column: usize| NarrowColumn {
            column,
            title: None,
            width: width(column),
        };
        let sign = |column: usize| NarrowColumn {
            column,
            title: Some("✓✗"),
            width: SIGN,
        };
        let narrow: Vec<NarrowColumn<'_>> = in_words
            .map(brief)
            .into_iter()
            .chain(place_of(VERDICT).map(sign))
            .collect();
        let folding: Vec<usize> = in_words.into_iter().chain(table.folding()).collect();
        let indented: Vec<usize> = [VERDICT, EXACT_VERDICT]
            .into_iter()
            .filter_map(place_of)
            .collect();
        let look = DataRows {
            selected: view
                .selected()
                .and_then(|place| order.iter().position(|&row| row == place)),
            apart: &apart,
            hidden: &hidden,
            narrow: &narrow,
            folding: &folding,
            indented: &indented,
            spare: MOST_SPARE,
            fits: true,
            below,
            ..DataRows::default()
        };

        let (heads, cells) = (&table.data.heads, |at: usize| {
            table.texts[order[at]].clone()
        });
        let list = DataList {
            heads,
            len: order.len(),
            cells: &cells,
        };
        let data = DataSource::Listed(list);
        let whole = |_: &Ui, column: usize, _: &[Vec<String>]| {
            width(column) + if in_words == Some(column) { WORDS } else { 0.0 }
        };
        let row_name =
            |at: usize, _: &[String]| format!("Row {}", table.rows[order[at]].contestant.label);
        let (mut keyboard, mut seen, mut is_shown, mut unfolds) = (None, Vec::new(), None, false);
        let cell_ui = |ui: &mut Ui, cell: DataCell<'_>| {
            let (row, key) = (order[cell.row], &*heads[cell.column].key);
            let (one, exactly) = (&table.rows[row], &table.exactly[row][cell.column]);
            match key {
                EYE => {
                    let RunContestant { label, shown, .. } = &one.contestant;
                    let (icon, name) = if *shown {
                        (Icon::Eye, "Hide")
                    } else {
                        (Icon::EyeOff, "Show")
                    };
                    if icon_button(
                        ui,
                        icon,
                        &format!("{name} {label}"),
                        "Show or hide in the plots",
                    )
                    .clicked()
                    {
                        is_shown = Some((row, !shown));
                    }
                }
                NAME => name_ui(
                    ui,
                    one,
                    if self.unfolded {
                        &one.contestant.label
                    } else {
                        cell.text
                    },
                ),
                _ => value_ui(ui, one, key, cell, exactly),
            }
        };
        let shown = DataTable {
            id: "results",
            name: "Results",
            data,
            sort: &mut self.sort,
            gap: SPACE,
        };
        let shown = shown.show_rows(ui, look, whole, row_name, cell_ui, |at, response| {
            let (place, row) = (order[at], &table.rows[order[at]]);
            seen.push(place);
            if response.has_focus() {
                keyboard = Some(place);
            }
            let (opens, folds) = row_ui(&response, place, row, self.unfolded, view, commands);
            unfolds |= folds;
            let opened = plan.contestants.get(place).filter(|_| opens);
            let open = |contestant: &Contestant| {
                StrategyCommand::Open(Box::new(contestant.strategy.clone()))
            };
            opened
                .map(open)
                .into_iter()
                .for_each(|open| commands.push(open));
        });
        self.unfolded ^= unfolds;
        if let Some((place, shown)) = is_shown {
            view.show(place, shown);
        }
        self.keyboard = keyboard;
        if view.see(seen, in_classes) {
            ui.ctx().request_repaint();
        }
        shown
    }

    /// Makes the focused or selected row the baseline.
    pub(crate) fn pin_next(&mut self) {
        self.pins = true;
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

fn name_ui(ui: &mut Ui, row: &ResultsRow, name: &str) {
    let (
        theme,
        RunContestant {
            label,
            about,
            color,
            ..
        },
    ) = (Theme::of(ui), &row.contestant);
    ui.spacing_mut().item_spacing.x = 6.0;
    mark_key(ui, label, theme.strategy(*color));
    let room = ui.available_width() - if row.is_baseline { 20.0 } else { 0.0 };
    ui.scope(|ui| {
        ui.set_max_width(room);
        let name = RichText::new(name).font(theme::medium()).color(theme.text1);
        let alike = match &*row.alike {
            [] => String::new(),
            others => format!("\n{} played the same games", words::list(others)),
        };
        ui.add(
            egui::Label::new(name)
                .truncate()
                .show_tooltip_when_elided(false),
        )
        .on_hover_text(format!("{label}\n{about}{alike}"));
    });
    if row.is_baseline {
        icon_label(ui, Icon::Pin, theme.accent);
    }
}

/// Answers a row; returns whether its strategy is to be opened, and whether rows with the same games are to be merged or
/// separated.
fn row_ui(
    response: &Response,
    place: usize,
    row: &ResultsRow,
    unfolded: bool,
    view: &mut RunView,
    commands: &mut Commands,
) -> (bool, bool) {
    let (shown, mut unfolds) = (row.contestant.shown, false);
    let mut opens = response.double_clicked();
    if response.clicked() && !opens {
        view.toggle(place);
    }

    response.context_menu(|ui| {
        opens |= menu_entry(ui, "Open strategy", None, Ok(()));
        if menu_entry(ui, "List games", None, Ok(())) {
            view.select(Some(place));
            games::go_to_list(ui.ctx(), commands);
        }
        let can_pin = if row.is_baseline {
            Err("Already the baseline")
        } else {
            Ok(())
        };
        if menu_entry(ui, "Use as baseline", Some("B"), can_pin) {
            view.pin(place);
        }
        let show = if shown {
            "Hide in the plots"
        } else {
            "Show in the plots"
        };
        if menu_entry(ui, show, None, Ok(())) {
            view.show(place, !shown);
        }
        if !row.alike.is_empty() {
            let folds = if unfolded {
                "Merge strategies with the same games"
            } else {
                "Separate strategies with the same games"
            };
            unfolds = menu_entry(ui, folds, None, Ok(()));
        }
    });

    (opens, unfolds)
}

/// A cell by the key of its column; `exactly` has the decimals that its text omits.
fn value_ui(ui: &mut Ui, row: &ResultsRow, key: &str, cell: DataCell<'_>, exactly: &str) {
    let theme = Theme::of(ui);
    ui.spacing_mut().item_spacing.x = 4.0;
    match key {
        VERDICT if row.running && cell.is_narrow => {}
        VERDICT if row.running => {
            progress(
                ui,
                &format!("Games of {}", row.contestant.label),
                row.done,
                36.0,
            );
            remark(ui, "running, not final", theme.text3);
        }
        VERDICT => verdict_ui(ui, row.judgement.as_ref(), !cell.is_narrow),
        EXACT_VERDICT => verdict_ui(ui, row.exact.as_ref(), true),
        AGAINST if row.is_baseline => drop(terms::tip(cell.ui(ui, theme.text3), &terms::BASELINE)),
        AGAINST if let Some(difference) = &row.against => {
            // Welch's interval has a sign.
            let text = &format!(
                "{}{}",
                cell.text,
                if difference.is_apart { " W" } else { "" }
            );
            let color = if difference.is_clear {
                theme.text1
            } else {
                theme.text3
            };
            let label = DataCell { text, ..cell }.estimate_ui(ui, theme::body(), color);
            if difference.is_clear {
                label.on_hover_text(&difference.about);
                return;
            }
            label.on_hover_text(format!(
                "No difference found: 0 lies within the interval\n{}",
                difference.about
            ));
            if !cell.is_narrow {
                remark(ui, UNCLEAR, theme.text3);
            }
        }
        _ => {
            let is_mean = key == MEAN;
            if key == EXACT && row.exact.is_some() {
                verdict_ui(ui, row.exact.as_ref(), false);
            }
            let color = if cell.text == MISSING {
                theme.text3
            } else {
                theme.text1
            };
            let font = if is_mean {
                theme::strong()
            } else {
                theme::body()
            };
            let label = cell.estimate_ui(ui, font, color);
            let about = match (key, &row.rank, &row.exact) {
                (RANK, Some((_, about)), _) => about,
                (EXACT, _, Some(judgement)) => &judgement.about,
                _ => exactly,
            };
            if about != cell.text {
                label.on_hover_text(about);
            }
        }
    }
}

/// The verdict as words with numbers, or as a sign alone.
fn verdict_ui(ui: &mut Ui, judgement: Option<&Judgement>, in_words: bool) {
    let theme = Theme::of(ui);
    let Some(judgement) = judgement else {
        ui.label(RichText::new(MISSING).color(theme.text3));
        return;
    };

    let color = match judgement.one.verdict {
        Verdict::Compatible => theme.ok,
        Verdict::Differs => theme.error,
        Verdict::CannotTell(_) => theme.text3,
    };
    let [sign, verdict] = judgement.sign_and_verdict();
    let difference = judgement.difference_text();
    if in_words {
        let response = ui.label(RichText::new(format!("{sign} {verdict}")).color(color));
        let numbers = ui.label(RichText::new(difference).color(theme.text2));
        response.union(numbers).on_hover_text(&judgement.about);
    } else {
        let about = format!("{}, {difference}", judgement.one.verdict_text());
        let response = ui
            .label(RichText::new(sign).color(color))
            .on_hover_text(format!("{about}\n{}", judgement.about));
        response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &about));
    }
}
