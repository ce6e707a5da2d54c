//! The list of networks: their tuples, progress and file size.

use egui::{DragAndDrop, Label, Popup, RichText, Sense, Ui, vec2};

use super::LearningPanel;
use crate::network::{NetworkInfo, Point, Training};
use crate::prose::network_sentence;
use crate::words;
use crate::workbench::command::{Commands, LearningCommand};
use crate::workbench::kit::{KEY_WIDTH, SortKey, Table, TableColumn, bar_width, menu_entry, paint_key};
use crate::workbench::panels::RowDrag;
use crate::workbench::state::{Document, KeptNetwork, Trainings};
use crate::workbench::theme::{self, Theme};

/// Gap between columns.
const GAP: f32 = 12.0;
/// Minimum width of a name.
const LEAST_NAME: f32 = 96.0;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LearningColumn {
    Mark,
    Name,
    Games,
    Mean,
    Pattern,
    Rule,
    Size,
}

/// Title, meaning, width, and whether numbers are aligned right. In a narrow panel the last columns are dropped first.
const COLUMNS: [(LearningColumn, &str, &str, f32, bool); 7] = [
    (LearningColumn::Mark, "", "", KEY_WIDTH, false),
    (LearningColumn::Name, "Name", "Name by which a strategy uses it", LEAST_NAME, false),
    (LearningColumn::Games, "Games", "Number of training games", 146.0, true),
    (
        LearningColumn::Mean,
        "Mean",
        "Mean score of the training games that make up the last point of its curve",
        70.0,
        true,
    ),
    (LearningColumn::Pattern, "Pattern", "The tuples of cells it reads", 104.0, false),
    (LearningColumn::Rule, "Rule", "Rule that changes its weights", 40.0, false),
    (LearningColumn::Size, "Size", "Size of its file", 72.0, true),
];

/// The data of a network's row.
struct NetworkRow<'a> {
    name: &'a str,
    all: &'a Trainings,
    kept: Option<&'a KeptNetwork>,
}

impl<'a> NetworkRow<'a> {
    fn new(name: &'a str, all: &'a Trainings) -> Self {
        Self { name, all, kept: all.find(name).map(|kept| &**kept) }
    }

    fn info(&self) -> Option<&NetworkInfo> {
        self.kept?.info.as_deref().ok()
    }

    fn mean(&self) -> Option<f64> {
        Point::last_with_enough(self.all.curve(self.name))?.learnt.mean()
    }

    fn pattern(&self) -> String {
        let shape = self.all.training(self.name).map(|training| &training.network);
        shape.or_else(|| Some(&self.info()?.header.shape)).map_or_else(String::new, crate::network::Shape::label)
    }

    /// "12,000 of 100,000".
    fn games(&self) -> String {
        let games = self.all.games(self.name);
        match self.all.training(self.name) {
            Some(training) if games < training.games => {
                format!("{} of {}", words::count(games), words::count(training.games))
            }
            _ => words::count(games),
        }
    }

    fn text(&self, column: LearningColumn) -> String {
        match column {
            LearningColumn::Mark => String::new(),
            LearningColumn::Name => self.name.to_owned(),
            LearningColumn::Games => self.games(),
            LearningColumn::Mean => self.mean().map_or_else(|| "–".to_owned(), |mean| words::decimals(mean, 0)),
            LearningColumn::Pattern => self.pattern(),
            LearningColumn::Rule => self.all.training(self.name).map_or_else(String::new, Training::rule_name),
            LearningColumn::Size => self.kept.map_or_else(|| "–".to_owned(), |kept| words::bytes(kept.bytes)),
        }
    }

    /// For screen readers.
    fn sentence(&self) -> String {
        let rule = self.text(LearningColumn::Rule);
        format!(
            "Network {}, {}, {rule}, {} games, {}",
            self.name,
            self.pattern(),
            self.games(),
            self.all.state_words(self.name)
        )
    }

    fn number(&self, column: LearningColumn) -> Option<f64> {
        match column {
            LearningColumn::Games => Some(self.all.games(self.name) as f64),
            LearningColumn::Mean => self.mean(),
            LearningColumn::Size => self.kept.map(|kept| kept.bytes as f64),
            _ => None,
        }
    }

    fn compare(&self, other: &Self, key: SortKey<LearningColumn>) -> std::cmp::Ordering {
        match key.by {
            LearningColumn::Mark | LearningColumn::Name | LearningColumn::Pattern | LearningColumn::Rule => {
                key.turn(self.text(key.by).cmp(&other.text(key.by)))
            }
            _ => key.compare(self.number(key.by), other.number(key.by)),
        }
    }
}

fn columns(room: f32) -> Vec<TableColumn<LearningColumn>> {
    let mut left = room;
    let fits = |&&(.., width, _): &&(LearningColumn, &str, &str, f32, bool)| {
        left -= width + GAP;
        0.0 <= left + GAP
    };
    let shown: Vec<_> = COLUMNS.iter().take_while(fits).collect();

    let rest = room + GAP - shown.iter().map(|column| column.3 + GAP).sum::<f32>();
    shown
        .into_iter()
        .map(|&(key, title, about, width, right)| TableColumn {
            key,
            title: title.to_owned(),
            about: about.into(),
            width: if key == LearningColumn::Name { width + rest.clamp(0.0, 240.0) } else { width },
            right,
            indent: 0.0,
            falls: (key != LearningColumn::Mark)
                .then_some(matches!(key, LearningColumn::Games | LearningColumn::Mean | LearningColumn::Size)),
        })
        .collect()
}

impl LearningPanel {
    pub(super) fn list_ui(&mut self, ui: &mut Ui, doc: &Document, names: &[String], commands: &mut Commands) {
        let all = doc.trainings();
        let mut rows: Vec<NetworkRow<'_>> = names.iter().map(|name| NetworkRow::new(name, all)).collect();
        rows.sort_by(|a, b| self.sort.order(|key| a.compare(b, key)).then_with(|| a.name.cmp(b.name)));
        let columns = columns(ui.available_width() - 4.0 - bar_width(ui, rows.len(), 0.0));
        let Self { sort, selected, hidden, .. } = self;
        let table =
            Table { id: "networks", name: "Networks", columns: &columns, sort, gap: GAP, below: 0.0, fits: false };

        let mut chosen = None;
        table.show(ui, rows.len(), |table_row| {
            let row = &rows[table_row.index()];
            let is_chosen = selected.as_deref() == Some(row.name);
            let response = table_row.draggable().show(&row.sentence(), is_chosen, |ui, column| {
                let theme = Theme::of(ui);
                if column == LearningColumn::Mark {
                    mark_ui(ui, row.name, all.color(row.name), hidden);
                    return;
                }
                let is_wrong = row.kept.is_some_and(|kept| kept.info.is_err());
                let color = match column {
                    _ if is_wrong => theme.error,
                    LearningColumn::Name => theme.text1,
                    _ => theme.text2,
                };
                let text = RichText::new(row.text(column)).color(color);
                let text = if all.live_of(row.name).is_some() && column == LearningColumn::Name {
                    text.font(theme::medium())
                } else {
                    text
                };
                let label = ui.add(Label::new(text).truncate());
                if column == LearningColumn::Name {
                    label.on_hover_text(format!("{}\nDrag it into the stack of a strategy", about(row)));
                }
            });

            if response.drag_started()
                && let Some(criterion) = doc.network_row(row.name)
            {
                DragAndDrop::set_payload(&response.ctx, RowDrag::New { criterion, name: row.name.to_owned() });
            }

            if response.clicked() {
                response.request_focus();
            }
            if response.clicked() || response.gained_focus() {
                chosen = Some(row.name.to_owned());
            }

            Popup::context_menu(&response).show(|ui| menu_ui(ui, row.name, doc, commands));
        });

        if let Some(name) = chosen.filter(|name| self.selected.as_ref() != Some(name)) {
            self.select(name);
        }
    }
}

fn about(row: &NetworkRow<'_>) -> String {
    match row.kept.map(|kept| &kept.info) {
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
    response
        .widget_info(|| egui::WidgetInfo::selected(egui::Role::CheckBox, true, is_shown, format!("Curve of {name}")));
    let mut painter = ui.painter().clone();
    if !is_shown {
        painter.multiply_opacity(0.3);
    }
    paint_key(&painter, rect, theme.strategy(mark));
    if response.has_focus() {
        theme::focus_ring(ui, rect);
    }

    if response.on_hover_text("Click to show or hide its curve").clicked() && !hidden.remove(name) {
        hidden.insert(name.to_owned());
    }
}

fn menu_ui(ui: &mut Ui, name: &str, doc: &Document, commands: &mut Commands) {
    let name = || name.to_owned();
    let all = [
        LearningCommand::Resume { name: name(), games: None },
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
