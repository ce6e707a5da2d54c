//! The list of networks: their tuples, progress and file size.

use egui::{DragAndDrop, Popup, Sense, Ui, vec2};

use super::LearningPanel;
use crate::network::{NetworkInfo, Point, Training};
use crate::prose::network_sentence;
use crate::table::{Cell, Column, Table as Data};
use crate::words;
use crate::workbench::command::{Commands, LearningCommand};
use crate::workbench::kit::{DataCell, DataRows, DataTable, KEY_WIDTH, menu_entry, paint_key};
use crate::workbench::panels::RowDrag;
use crate::workbench::state::{Document, KeptNetwork, Trainings};
use crate::workbench::theme::{self, Theme};

/// Gap between columns.
const GAP: f32 = 12.0;
/// Minimum width of a name.
const LEAST_NAME: f32 = 96.0;

/// The number of the column of names; it sorts at first.
pub(super) const NAME: usize = 1;
const WIDTHS: [f32; 7] = [KEY_WIDTH, LEAST_NAME, 146.0, 70.0, 104.0, 40.0, 72.0];
/// In a narrow panel the last columns are left out first.
const FOLDING: [usize; 5] = [6, 5, 4, 3, 2];

fn columns<'a>() -> [Column<'a, &'a NetworkRow<'a>>; 7] {
    type Row<'a> = &'a NetworkRow<'a>;
    [
        Column::text("mark", "", "", |_: &Row<'_>| ""),
        Column::text(
            "name",
            "name",
            "Name by which a strategy uses it",
            |row: &Row<'_>| row.name.to_owned(),
        ),
        Column::whole(
            "games",
            "games",
            "Number of training games",
            |row: &Row<'_>| Cell::shown(row.games(), row.all.games(row.name)),
        ),
        Column::number(
            "mean",
            "mean",
            "Mean score of the training games that make up the last point of its curve",
            |row: &Row<'_>| row.mean(),
        ),
        Column::text(
            "pattern",
            "pattern",
            "The tuples of cells it reads",
            |row: &Row<'_>| row.pattern(),
        ),
        Column::text(
            "rule",
            "rule",
            "Rule that changes its weights",
            |row: &Row<'_>| row.rule(),
        ),
        Column::whole("size", "size", "Size of its file", |row: &Row<'_>| {
            row.saved
                .and_then(|saved| saved.bytes)
                .map(|bytes| Cell::shown(words::bytes(bytes), bytes))
        }),
    ]
}

/// The data of a network's row.
struct NetworkRow<'a> {
    name: &'a str,
    all: &'a Trainings,
    saved: Option<&'a KeptNetwork>,
}

impl<'a> NetworkRow<'a> {
    fn new(name: &'a str, all: &'a Trainings) -> Self {
        Self {
            name,
            all,
            saved: all.find(name).map(|saved| &**saved),
        }
    }

    fn info(&self) -> Option<&NetworkInfo> {
        self.saved?.info.as_deref().ok()
    }

    fn mean(&self) -> Option<f64> {
        Point::last_with_enough(self.all.curve(self.name))?
            .learnt
            .mean()
    }

    fn pattern(&self) -> String {
        let shape = self
            .all
            .training(self.name)
            .map(|training| &training.network);
        shape
            .or_else(|| Some(&self.info()?.header.shape))
            .map_or_else(String::new, crate::network::Shape::label)
    }

    /// "12,000 of 100,000".
    fn games(&self) -> String {
        let games = self.all.games(self.name);
        match self.all.training(self.name) {
            Some(training) if games < training.games => {
                format!(
                    "{} of {}",
                    words::count(games),
                    words::count(training.games)
                )
            }
            _ => words::count(games),
        }
    }

    fn rule(&self) -> String {
        self.all
            .training(self.name)
            .map_or_else(String::new, Training::rule_name)
    }

    /// For screen readers.
    fn sentence(&self) -> String {
        let rule = self.rule();
        format!(
            "Network {}, {}, {rule}, {} games, {}",
            self.name,
            self.pattern(),
            self.games(),
            self.all.state_words(self.name)
        )
    }
}

impl LearningPanel {
    pub(super) fn list_ui(
        &mut self,
        ui: &mut Ui,
        doc: &Document,
        names: &[String],
        commands: &mut Commands,
    ) {
        let all = doc.trainings();
        let mut rows: Vec<NetworkRow<'_>> = names
            .iter()
            .map(|name| NetworkRow::new(name, all))
            .collect();
        rows.sort_by_key(|row| row.name);
        let Self {
            sort,
            selected,
            hidden,
            ..
        } = self;
        let look = DataRows {
            selected: rows
                .iter()
                .position(|row| selected.as_deref() == Some(row.name)),
            are_draggable: true,
            folding: &FOLDING,
            wide: &[(NAME, LEAST_NAME + 240.0)],
            ..DataRows::default()
        };
        let cell_ui = |ui: &mut Ui, cell: DataCell<'_>| {
            let (theme, row) = (Theme::of(ui), &rows[cell.row]);
            let is_name = cell.column == NAME;
            if cell.column == 0 {
                return mark_ui(ui, row.name, all.color(row.name), hidden);
            }
            let color = match () {
                () if row.saved.is_some_and(|saved| saved.info.is_err()) => theme.error,
                () if is_name => theme.text1,
                () => theme.text2,
            };
            if is_name && all.live_of(row.name).is_some() {
                ui.style_mut().override_font_id = Some(theme::medium());
            }
            let label = cell.ui(ui, color);
            if is_name {
                label.on_hover_text(format!(
                    "{}\nDrag it into the stack of a strategy",
                    about(row)
                ));
            }
        };

        let mut chosen = None;
        let data = Data::of(&columns(), &rows);
        let table = DataTable {
            id: "networks",
            name: "Networks",
            data: data.into(),
            sort,
            gap: GAP,
        };
        let row_name = |row: usize, _: &[String]| rows[row].sentence();
        table.show_rows(
            ui,
            look,
            |_, column, _| WIDTHS[column],
            row_name,
            cell_ui,
            |row, response| {
                let row = &rows[row];
                if response.drag_started()
                    && let Some(criterion) = doc.trainings().row(doc, row.name)
                {
                    DragAndDrop::set_payload(
                        &response.ctx,
                        RowDrag::New {
                            criterion,
                            name: row.name.to_owned(),
                        },
                    );
                }

                if response.clicked() {
                    response.request_focus();
                }
                if response.clicked() || response.gained_focus() {
                    chosen = Some(row.name.to_owned());
                }

                Popup::context_menu(&response).show(|ui| menu_ui(ui, row.name, doc, commands));
            },
        );

        if let Some(name) = chosen.filter(|name| self.selected.as_ref() != Some(name)) {
            self.select(name);
        }
    }
}

fn about(row: &NetworkRow<'_>) -> String {
    match row.saved.map(|saved| &saved.info) {
        Some(Ok(info)) => words::capitalised(&network_sentence(info)),
        Some(Err(reason)) => reason.clone(),
        None => "Not saved yet".to_owned(),
    }
}

/// A toggle with the network's key: shows or hides its curve.
fn mark_ui(ui: &mut Ui, name: &str, mark: usize, hidden: &mut std::collections::BTreeSet<String>) {
    let theme = Theme::of(ui);
    let is_shown = !hidden.contains(name);
    let (rect, response) = ui.allocate_exact_size(vec2(KEY_WIDTH, theme::TAG), Sense::click());
    response.widget_info(|| {
        egui::WidgetInfo::selected(
            egui::Role::CheckBox,
            true,
            is_shown,
            format!("Curve of {name}"),
        )
    });
    let mut painter = ui.painter().clone();
    if !is_shown {
        painter.multiply_opacity(0.3);
    }
    paint_key(&painter, rect, theme.strategy(mark));
    if response.has_focus() {
        theme::focus_ring(ui, rect);
    }

    if response
        .on_hover_text("Click to show or hide its curve")
        .clicked()
        && !hidden.remove(name)
    {
        hidden.insert(name.to_owned());
    }
}

fn menu_ui(ui: &mut Ui, name: &str, doc: &Document, commands: &mut Commands) {
    let name = || name.to_owned();
    let all = [
        LearningCommand::Resume {
            name: name(),
            games: None,
        },
        LearningCommand::Pause(name()),
        LearningCommand::Stop(name()),
        LearningCommand::Checkpoint(name()),
        LearningCommand::Use(name()),
        LearningCommand::Delete(name()),
    ];

    for command in all {
        let command = crate::workbench::command::Command::from(command);
        let can = doc.can(&command);
        let can = can.as_ref().map(|&()| ()).map_err(|reason| &**reason);
        if menu_entry(ui, command.text(), None, can) {
            commands.push(command);
        }
    }
}
