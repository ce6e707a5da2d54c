//! The moves of the game on the board: the loss of each, its deciding row, and the branches that leave the line.

use std::sync::Arc;

use egui::{Key, RichText, Sense, Ui, vec2};

use crate::game::{Record, Step};
use crate::review::{Class, Points};
use crate::words;
use crate::workbench::command::{Commands, GameCommand, Panel};
use crate::workbench::icon::{Icon, SIDE};
use crate::workbench::kit::{Sort, SortKey, Table, TableColumn, empty, focus, line_edit, paint_class};
use crate::workbench::paper::on_paper;
use crate::workbench::state::{Document, NodeId, NoteRequest, Reviewed};
use crate::workbench::theme::{self, Theme};

/// Space between columns.
const GAP: f32 = 6.0;
/// Minimum width of the own-play column, which is left out below it; `OWN` is its maximum.
const LEAST_OWN: f32 = 84.0;
const OWN: f32 = 130.0;
/// Below this width a row of the strategy appears by its number only.
const LEAST_NAME: f32 = 60.0;
/// Rows in an exported figure.
const ON_PAPER: usize = 40;
/// Tooltip of the number of a move in a branch.
const BRANCH: &str = "Another move was played here. A click goes into this branch";
/// Listed moves of a branch. A click on one continues there.
const OF_BRANCH: usize = 3;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum MoveColumn {
    #[default]
    Number,
    Move,
    Spawn,
    Loss,
    Row,
    OwnPlay,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum MoveRow {
    /// A move of the line, by its index from 0.
    OfLine(usize),
    /// A move of a branch: the position after it, and the index of the move.
    OfBranch(NodeId, usize),
}

#[derive(Debug, Default)]
pub(super) struct Moves {
    sort: Sort<MoveColumn>,
    rows: Vec<MoveRow>,
    made_of: Option<MadeOf>,
    /// The current position of the last frame. Another one scrolls into view.
    seen: Option<NodeId>,
    note: NoteField,
}

/// The field for the note on the current move.
#[derive(Debug, Default)]
struct NoteField {
    text: String,
    /// The position that `text` belongs to.
    node: Option<NodeId>,
    /// The last request that got the focus.
    answered: Option<NoteRequest>,
    has_focus: bool,
    was_shown: bool,
}

impl NoteField {
    const HEIGHT: f32 = theme::CONTROL + 2.0 * theme::SPACE_S;

    /// Whether there is a note to show or to edit.
    fn is_shown(&self, doc: &Document) -> bool {
        self.has_focus || self.is_requested(doc) || doc.tree().note(doc.cursor()).is_some()
    }

    /// Whether a note was requested here and its field has not got the focus yet.
    fn is_requested(&self, doc: &Document) -> bool {
        let request = doc.note_request().filter(|request| request.node == doc.cursor());
        request.is_some() && request != self.answered
    }

    fn ui(&mut self, ui: &mut Ui, doc: &Document, commands: &mut Commands) {
        let here = doc.cursor();
        if self.node != Some(here) {
            self.node = Some(here);
            self.text = doc.tree().note(here).map_or_else(String::new, ToString::to_string);
        }

        let name = match doc.place() + 1 == doc.line().len() {
            true => "Note on the last position".to_owned(),
            false => format!("Note on move {}", words::count(doc.move_number())),
        };
        ui.add_space(theme::SPACE_S);
        let edit = line_edit(&mut self.text, &name).char_limit(Record::LONGEST_NOTE).desired_width(f32::INFINITY);
        let field = ui.horizontal_centered(|ui| {
            let (rect, _) = ui.allocate_exact_size(vec2(SIDE, theme::CONTROL), Sense::hover());
            Icon::Note.paint(ui.painter(), rect.center(), Theme::of(ui).text2);
            ui.add(edit).accessible_name(&name)
        });
        let response = field.inner;
        if response.changed() {
            commands.push(GameCommand::SetNote(here, self.text.clone()));
        }

        if self.is_requested(doc) {
            response.request_focus();
            // A closing menu returns the focus to its previous owner, so wait until no menu is open.
            if response.has_focus() && !egui::Popup::is_any_open(ui.ctx()) {
                self.answered = doc.note_request();
            }
            ui.ctx().request_repaint();
        }
        if response.has_focus() && ui.input(|input| input.key_pressed(Key::Escape)) {
            response.surrender_focus();
        }
        self.has_focus = response.has_focus();
    }
}

/// The inputs of the rows.
#[derive(Debug)]
struct MadeOf {
    line: Vec<NodeId>,
    positions: usize,
    sort: Sort<MoveColumn>,
    reviewed: Option<Arc<Reviewed>>,
    hides: bool,
}

impl MadeOf {
    fn is_now(&self, doc: &Document, sort: Sort<MoveColumn>) -> bool {
        let is_same = match (&self.reviewed, doc.review()) {
            (Some(one), Some(other)) => Arc::ptr_eq(one, other),
            (one, other) => one.is_none() && other.is_none(),
        };
        is_same
            && (self.positions, self.sort, self.hides) == (doc.tree().len(), sort, doc.hides_losses())
            && self.line == doc.line()
    }
}

impl Moves {
    pub(super) fn ui(&mut self, ui: &mut Ui, doc: &Document, commands: &mut Commands) {
        if doc.line().len() < 2 {
            empty(ui, "No moves yet. Play, or open a game");
            return;
        }
        if !self.made_of.as_ref().is_some_and(|made_of| made_of.is_now(doc, self.sort)) {
            self.rows = rows(doc, self.sort);
            let (line, positions, hides) = (doc.line(), doc.tree().len(), doc.hides_losses());
            let made_of =
                MadeOf { line: line.to_vec(), positions, sort: self.sort, reviewed: doc.review().cloned(), hides };
            // New judgments alone do not scroll the list.
            let before = self.made_of.replace(made_of);
            let is_other = |before: &MadeOf| {
                (before.positions, before.sort) != (doc.tree().len(), self.sort) || before.line != doc.line()
            };
            if before.as_ref().is_none_or(is_other) {
                self.seen = None;
            }
        }
        let has_note = self.note.is_shown(doc) && !on_paper(ui);
        if std::mem::replace(&mut self.note.was_shown, has_note) != has_note {
            self.seen = None;
        }

        let place = doc.place();
        let here = self.rows.iter().position(|row| *row == MoveRow::OfLine(place));
        let revealed = here.filter(|_| self.seen.replace(doc.cursor()) != Some(doc.cursor()));
        let by_player = doc.judges_by_player() && !doc.hides_losses();
        let reviewed = doc.review().filter(|_| !doc.hides_losses()).map(|reviewed| &**reviewed);
        let columns = columns(by_player, ui.available_width());
        let is_short = columns.iter().any(|column| column.key == MoveColumn::Row && column.width < LEAST_NAME);
        // A figure has no scroll bar: it shows the moves around the current one.
        let about = here.unwrap_or(0);
        let near = about.saturating_sub(ON_PAPER / 2)..(about + ON_PAPER / 2).min(self.rows.len());
        let rows = if on_paper(ui) { &self.rows[near] } else { &self.rows[..] };
        let table = Table {
            id: "moves",
            name: "Moves",
            columns: &columns,
            sort: &mut self.sort,
            gap: GAP,
            below: if has_note { NoteField::HEIGHT } else { 0.0 },
            fits: false,
        };

        let mut has_home = false;
        table.show_with(ui, rows.len(), revealed, |row| {
            let shown = RowShown::of(rows[row.index()], doc, reviewed);
            let is_here = shown.row == MoveRow::OfLine(place);
            let response = row.show(&shown.name(), is_here, |ui, column| shown.cell(ui, column, is_here, is_short));
            let is_first = !std::mem::replace(&mut has_home, true);
            if is_here || is_first {
                focus::home(&response, Panel::Moves.area());
            }
            let note = GameCommand::EditNote(Some(shown.node)).into();
            commands.context_menu(&response, &[vec![note], Panel::Moves.commands()].concat(), doc);
            commands.when_clicked(&response, GameCommand::GoTo(shown.node));
        });
        if has_note {
            self.note.ui(ui, doc, commands);
        }
    }
}

/// The columns. With own play, its gain comes after the deciding row.
fn columns(by_player: bool, width: f32) -> Vec<TableColumn<MoveColumn>> {
    let about = "The row of the strategy that rejected the better move or, without a loss, left only this move";
    let mut columns = vec![
        TableColumn::numbers(MoveColumn::Number, "No.", "Number of the move", 36.0).rising(),
        TableColumn::words(MoveColumn::Move, "Move", "The move that was played", 32.0),
        TableColumn::words(MoveColumn::Spawn, "Spawn", "The tile after the move, with its row and column", 44.0),
        TableColumn::numbers(MoveColumn::Loss, "Loss", "Points by which the judge's best move is better", 68.0),
    ];

    let fixed: f32 = columns.iter().map(|column| column.width + GAP).sum::<f32>() + 12.0;
    let of_own = width - fixed - 26.0 - GAP;
    if by_player && LEAST_OWN <= of_own {
        let own = "What the better move wins if the strategy itself plays the rest: the 95 % interval, or the mean before 50 \
            games; … while games are missing";
        // The name of the row if it fits, else its number.
        let named = of_own - OWN;
        let row = if LEAST_NAME <= named { ("Deciding row", 26.0 + named) } else { ("Row", 26.0) };
        columns.push(TableColumn::words(MoveColumn::Row, row.0, about, row.1));
        columns.push(TableColumn::numbers(MoveColumn::OwnPlay, "Own play", own, of_own.min(OWN)));
    } else {
        columns.push(TableColumn::words(MoveColumn::Row, "Deciding row", about, (width - fixed).max(70.0)));
    }
    columns
}

/// The rows in their order. Branches appear only in ascending order of move numbers.
fn rows(doc: &Document, sort: Sort<MoveColumn>) -> Vec<MoveRow> {
    let moves = 0..doc.line().len() - 1;
    let SortKey { by, falls } = sort.first();
    if by != MoveColumn::Number || falls {
        let mut rows: Vec<usize> = moves.clone().collect();
        let reviewed = doc.review().filter(|_| !doc.hides_losses());
        let by_player = reviewed.filter(|_| doc.judges_by_player());
        let gain = |index: usize| by_player?.review.own_play(index)?.gain();
        let gains: Vec<Option<f64>> = moves.clone().map(gain).collect();
        let loss = |index: usize| reviewed.and_then(|reviewed| reviewed.review.loss(index)).map(Points::to_f64);
        let row = |index: usize| reviewed.and_then(|reviewed| reviewed.review.blame(index));
        let step = |index: usize| doc.tree().node(doc.line()[index + 1]).step;

        let order = |key: SortKey<MoveColumn>, a: usize, b: usize| match key.by {
            MoveColumn::Number => key.turn(a.cmp(&b)),
            MoveColumn::Move => key.turn(step(a).map(|step| step.mv).cmp(&step(b).map(|step| step.mv))),
            MoveColumn::Spawn => {
                let spawn = |index| step(index).map(|step: Step| (step.spawn.rank, step.spawn.cell));
                key.turn(spawn(a).cmp(&spawn(b)))
            }
            MoveColumn::Loss => key.compare(loss(a), loss(b)),
            MoveColumn::Row => key.turn(row(a).cmp(&row(b))),
            MoveColumn::OwnPlay => key.compare(gains[a], gains[b]),
        };
        rows.sort_by(|&a, &b| sort.order(|key| order(key, a, b)).then(a.cmp(&b)));
        return rows.into_iter().map(MoveRow::OfLine).collect();
    }

    let mut rows = Vec::with_capacity(doc.line().len());
    for index in moves {
        rows.push(MoveRow::OfLine(index));
        let next = doc.line()[index + 1];
        let others = &doc.tree().node(doc.line()[index]).children;
        if others.len() < 2 {
            continue;
        }
        for &branch in others.iter().filter(|&&child| child != next) {
            let on = std::iter::successors(Some(branch), |&id| doc.tree().node(id).favourite);
            rows.extend(on.take(OF_BRANCH).zip(index..).map(|(node, number)| MoveRow::OfBranch(node, number)));
        }
    }
    rows
}

/// What a table row shows.
struct RowShown<'a> {
    row: MoveRow,
    /// `None` also while losses are hidden.
    reviewed: Option<&'a Reviewed>,
    number: usize,
    step: Option<Step>,
    /// The target of a click: the position before the move, or after it in a branch.
    node: NodeId,
    loss: Option<Points>,
    class: Option<Class>,
    note: Option<Arc<str>>,
}

impl<'a> RowShown<'a> {
    fn of(row: MoveRow, doc: &Document, reviewed: Option<&'a Reviewed>) -> Self {
        match row {
            MoveRow::OfBranch(node, number) => {
                let (step, note) = (doc.tree().node(node).step, doc.tree().note(node).cloned());
                Self { row, reviewed, number, step, node, loss: None, class: None, note }
            }
            MoveRow::OfLine(number) => {
                let loss = reviewed.and_then(|reviewed| reviewed.review.loss(number));
                let class =
                    reviewed.and_then(|reviewed| reviewed.review.class(number, &reviewed.report.as_ref()?.thresholds));
                let step = doc.tree().node(doc.line()[number + 1]).step;
                let node = doc.line()[number];
                Self { row, reviewed, number, step, node, loss, class, note: doc.tree().note(node).cloned() }
            }
        }
    }

    fn deciding(&self) -> String {
        let name = |number: usize| {
            let reviewed = self.reviewed?;
            Some(reviewed.player.as_ref().ok()?.name(reviewed.review.blame(number)?))
        };
        match self.row {
            MoveRow::OfBranch(..) => "branch".to_owned(),
            MoveRow::OfLine(number) => name(number).unwrap_or_default(),
        }
    }

    /// The 95 % interval of the gain from the better move in own play: `+172 to +1,540`, with `…` while games are missing.
    fn own(&self) -> Option<String> {
        let MoveRow::OfLine(number) = self.row else { return None };
        let own = self.reviewed?.review.own_play(number)?;
        let so_far = if own.is_over() { "" } else { " …" };
        let ends = own.interval().map(|ends| [ends.low, ends.high].map(|end| words::signed(end, 0)).join(" to "));
        Some(format!("{}{so_far}", ends.unwrap_or(words::signed(own.gain()?, 0))))
    }

    fn loss_text(&self) -> String {
        match self.loss {
            None => "–".to_owned(),
            Some(Points::ZERO) => "best".to_owned(),
            Some(loss) => format!("−{}", words::decimals(loss.to_f64(), usize::from(loss < Points::whole(10)))),
        }
    }

    fn name(&self) -> String {
        let number = words::count(self.number as u64 + 1);
        let Some(step) = self.step else { return format!("Move {number}") };
        let mut name = format!("Move {number}, {}, then {}", step.mv, step.spawn);
        if let MoveRow::OfBranch(..) = self.row {
            return format!("{name}, branch{}", self.note_part());
        }
        name += &match self.loss {
            None => ", not judged".to_owned(),
            Some(Points::ZERO) => ", best".to_owned(),
            Some(loss) => format!(", loses {}", words::value(loss.to_f64())),
        };
        if let Some(class) = self.class {
            name += &format!(", {}", class.name());
        }
        name + &self.note_part()
    }

    fn note_part(&self) -> String {
        self.note.as_ref().map_or_else(String::new, |note| format!(", note: {note}"))
    }

    fn cell(&self, ui: &mut Ui, column: MoveColumn, is_here: bool, is_short: bool) {
        let theme = Theme::of(ui);
        let is_branch = matches!(self.row, MoveRow::OfBranch(..));
        let dim = if is_branch { theme.text3 } else { theme.text2 };
        if !is_here && Some(Class::Mistake) <= self.class {
            let color = if self.class == Some(Class::Blunder) { theme.error } else { theme.warn };
            // Each cell is clipped; a wider fill joins them into one row.
            let beyond = vec2(GAP / 2.0, 0.0);
            let mut painter = ui.painter().clone();
            painter.set_clip_rect(ui.clip_rect().expand2(beyond));
            painter.rect_filled(ui.max_rect().expand2(beyond), 0, color.gamma_multiply(0.12));
        }

        let text = |text: String, color| RichText::new(text).color(color);
        match column {
            MoveColumn::Number => {
                let number = words::count(self.number as u64 + 1);
                let number = if is_branch { format!("└ {number}") } else { number };
                let number = text(number, if is_here { theme.text1 } else { dim });
                let label = ui.label(if is_here { number.font(theme::strong()) } else { number });
                if is_branch {
                    label.on_hover_text(BRANCH);
                }
            }
            MoveColumn::Move => {
                let arrow = self.step.map_or("", |step| step.mv.arrow());
                ui.label(
                    text(arrow.to_owned(), if is_branch { theme.text3 } else { theme.text1 }).font(theme::strong()),
                );
            }
            MoveColumn::Spawn => {
                let spawn =
                    self.step.map_or_else(String::new, |step| format!("{} {}", step.spawn.rank, step.spawn.cell));
                ui.label(text(spawn, dim));
            }
            MoveColumn::Loss => {
                let (rect, _) = ui.allocate_exact_size(vec2(12.0, 14.0), Sense::hover());
                if let Some(class) = self.class {
                    paint_class(ui.painter(), theme, rect.center(), class);
                }
                let color = match self.class {
                    Some(Class::Blunder) => theme.error,
                    Some(Class::Mistake) => theme.warn,
                    _ => dim,
                };
                if !is_branch {
                    let loss = text(self.loss_text(), color);
                    let loss = if self.class >= Some(Class::Mistake) { loss.font(theme::strong()) } else { loss };
                    ui.label(loss);
                }
            }
            MoveColumn::Row => {
                if let Some(note) = &self.note {
                    let mut rect = ui.max_rect();
                    rect.min.x = rect.right() - SIDE;
                    Icon::Note.paint(ui.painter(), rect.center(), theme.text2);
                    ui.allocate_rect(rect, Sense::hover()).on_hover_text(&**note);
                    ui.set_max_width(ui.max_rect().width() - SIDE - 2.0);
                }
                let name = self.deciding();
                // Without room for a name, the sign before the number is enough.
                if is_branch && is_short {
                    return;
                }
                let short = if is_short { name.split(' ').next().unwrap_or_default().to_owned() } else { name.clone() };
                let label = ui.add(egui::Label::new(text(short, dim)).truncate());
                if is_short && !name.is_empty() {
                    label.on_hover_text(name);
                }
            }
            MoveColumn::OwnPlay => {
                let own = self.own();
                let color = if own.is_some() { theme.text1 } else { theme.text3 };
                ui.label(text(own.unwrap_or_else(|| "–".to_owned()), color).font(theme::small()));
            }
        }
    }
}
