//! The moves of the game on the board: the loss of each, its deciding row, and the branches that leave the line. Other
//! lists of moves show the same rows.

use std::sync::Arc;

use egui::{Key, Sense, Ui, vec2};

use crate::game::{Record, Spawn, Step};
use crate::prose;
use crate::review::{Blame, Class, Points, Verdict};
use crate::table::{Cell, Column, MISSING, Table};
use crate::words;
use crate::workbench::command::{Commands, GameCommand, Panel};
use crate::workbench::icon::{Icon, SIDE};
use crate::workbench::kit::{
    DataCell, DataList, DataRows, DataSource, DataTable, NarrowColumn, Sort, SortKey, empty,
    fill_cell, focus, line_edit, paint_class,
};
use crate::workbench::paper::on_paper;
use crate::workbench::state::{Document, NodeId, NoteRequest, Reviewed};
use crate::workbench::theme::{self, Theme};

/// Space between columns.
pub(super) const GAP: f32 = 6.0;
/// Numbers of columns.
const NUMBER: usize = 0;
const MOVE: usize = 1;
pub(super) const SPAWN: usize = 2;
const BEST: usize = 3;
pub(super) const LOSS: usize = 4;
pub(super) const CHANCE: usize = 5;
pub(super) const ROW: usize = 6;
pub(super) const OWN_PLAY: usize = 7;
pub(super) const WIDTHS: [f32; 8] = [36.0, 32.0, 44.0, 32.0, 68.0, 126.0, 70.0, 130.0];
/// A row of the strategy by its number only, and the least width of own play.
pub(super) const NARROW: [NarrowColumn<'_>; 2] = [
    NarrowColumn {
        column: ROW,
        title: Some("Row"),
        width: 26.0,
    },
    NarrowColumn {
        column: OWN_PLAY,
        title: None,
        width: 84.0,
    },
];
const FOLDING: [usize; 3] = [ROW, OWN_PLAY, OWN_PLAY];
pub(super) const WIDE: [(usize, f32); 2] = [(OWN_PLAY, WIDTHS[OWN_PLAY]), (ROW, f32::INFINITY)];
/// Rows in an exported figure.
const ON_PAPER: usize = 40;
/// Tooltip of the number of a move in a branch.
const BRANCH: &str = "Another move was played here. A click goes into this branch";
/// Listed moves of a branch. A click on one continues there.
const OF_BRANCH: usize = 3;

pub(super) fn columns<'a>() -> [Column<'a, RowShown<'a>>; 8] {
    type Row<'a> = RowShown<'a>;
    let row = "The row of the strategy that rejected the better move or, without a loss, left only this move";
    let own = "What the better move wins if the strategy itself plays the rest: the 95 % interval, or the mean before 50 \
        games; … while games are missing";
    [
        Column::whole("number", "No.", "Number of the move", Row::number_cell).rising(),
        Column::text(
            "move",
            "move",
            "The move that was played",
            |row: &Row<'_>| {
                row.step
                    .map(|Step { mv, .. }| Cell::shown(mv.arrow(), mv.index()))
            },
        ),
        Column::text(
            "spawn",
            "spawn",
            "The tile after the move, with its row and column",
            |row: &Row<'_>| {
                row.step.map(
                    |Step {
                         spawn: Spawn { rank, cell },
                         ..
                     }| {
                        let order = [rank.get(), cell.row, cell.col]
                            .into_iter()
                            .fold(0, |order, part| order << 8 | u32::from(part));
                        Cell::shown(format!("{rank} {cell}"), order)
                    },
                )
            },
        ),
        Column::text("best", "best", "The judge's best move", |row: &Row<'_>| {
            row.verdict()
                .map(|it| Cell::shown(it.best.arrow(), it.best.index()))
        }),
        Column::number(
            "loss",
            "loss",
            "Points by which the judge's best move is better",
            Row::loss_cell,
        ),
        Column::number(
            "chance",
            "chance",
            "Percentage points by which the move lowers the chance, with the 95 % interval. Sorts by the lower end",
            Row::chance,
        ),
        Column::text("row", "deciding row", row, Row::deciding),
        Column::number("own_play", "own play", own, Row::own),
    ]
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MoveRow {
    /// A move of the line, by its index from 0.
    OfLine(usize),
    /// A move of a branch: the position after it, and the index of the move.
    OfBranch(NodeId, usize),
}

#[derive(Debug, Default)]
pub(super) struct Moves {
    sort: Sort<usize>,
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
        let request = doc
            .note_request()
            .filter(|request| request.node == doc.cursor());
        request.is_some() && request != self.answered
    }

    fn ui(&mut self, ui: &mut Ui, doc: &Document, commands: &mut Commands) {
        let here = doc.cursor();
        if self.node != Some(here) {
            self.node = Some(here);
            self.text = doc
                .tree()
                .note(here)
                .map_or_else(String::new, ToString::to_string);
        }

        let name = match doc.place() + 1 == doc.line().len() {
            true => "Note on the last position".to_owned(),
            false => format!("Note on move {}", words::count(doc.move_number())),
        };
        ui.add_space(theme::SPACE_S);
        let edit = line_edit(&mut self.text, &name)
            .char_limit(Record::LONGEST_NOTE)
            .desired_width(f32::INFINITY);
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
    sort: Sort<usize>,
    reviewed: Option<Arc<Reviewed>>,
    hides: bool,
}

impl MadeOf {
    fn is_now(&self, doc: &Document, sort: Sort<usize>) -> bool {
        let is_same = match (&self.reviewed, doc.review()) {
            (Some(one), Some(other)) => Arc::ptr_eq(one, other),
            (one, other) => one.is_none() && other.is_none(),
        };
        is_same
            && (self.positions, self.sort, self.hides)
                == (doc.tree().len(), sort, doc.hides_losses())
            && self.line == doc.line()
    }
}

impl Moves {
    pub(super) fn ui(&mut self, ui: &mut Ui, doc: &Document, commands: &mut Commands) {
        if doc.line().len() < 2 {
            empty(ui, "No moves yet. Play, or open a game");
            return;
        }
        if !self
            .made_of
            .as_ref()
            .is_some_and(|made_of| made_of.is_now(doc, self.sort))
        {
            self.rows = rows(doc, self.sort);
            let (line, positions, hides) = (doc.line(), doc.tree().len(), doc.hides_losses());
            let made_of = MadeOf {
                line: line.to_vec(),
                positions,
                sort: self.sort,
                reviewed: doc.review().cloned(),
                hides,
            };
            // New judgments alone do not scroll the list.
            let before = self.made_of.replace(made_of);
            let is_other = |before: &MadeOf| {
                (before.positions, before.sort) != (doc.tree().len(), self.sort)
                    || before.line != doc.line()
            };
            if before.as_ref().is_none_or(is_other) {
                self.seen = None;
            }
        }
        let has_note = self.note.is_shown(doc) && !on_paper(ui);
        if std::mem::replace(&mut self.note.was_shown, has_note) != has_note {
            self.seen = None;
        }

        // A figure has no scroll bar: it shows the moves around the current one.
        let is_here = |row: &MoveRow| *row == MoveRow::OfLine(doc.place());
        let about = self.rows.iter().position(is_here).unwrap_or(0);
        let near = about.saturating_sub(ON_PAPER / 2)..(about + ON_PAPER / 2).min(self.rows.len());
        let rows = if on_paper(ui) {
            &self.rows[near]
        } else {
            &self.rows[..]
        };
        let here = rows.iter().position(is_here);

        let (columns, reviewed) = (columns(), shown_review(doc));
        let heads = columns.each_ref().map(|column| column.head.clone());
        let shown = |place: usize| RowShown::of(rows[place], doc, reviewed);
        let cells = |place: usize| Table::of(&columns, [shown(place)]).texts().concat();
        let data = DataSource::Listed(DataList {
            heads: &heads,
            len: rows.len(),
            cells: &cells,
        });
        let look = DataRows {
            selected: here,
            revealed: here.filter(|_| self.seen.replace(doc.cursor()) != Some(doc.cursor())),
            hidden: if doc.judges_by_player() && !doc.hides_losses() {
                &[BEST, CHANCE]
            } else {
                &[BEST, CHANCE, OWN_PLAY]
            },
            narrow: &NARROW,
            folding: &FOLDING,
            wide: &WIDE,
            below: if has_note { NoteField::HEIGHT } else { 0.0 },
            ..DataRows::default()
        };
        let table = DataTable {
            id: "moves",
            name: "Moves",
            data,
            sort: &mut self.sort,
            gap: GAP,
        };
        let width = |_: &Ui, column: usize, _: &[Vec<String>]| WIDTHS[column];
        let row_name = |place: usize, _: &[String]| shown(place).name();
        let cell_ui = |ui: &mut Ui, cell: DataCell<'_>| {
            shown(cell.row).cell_ui(ui, cell, here == Some(cell.row));
        };
        let mut has_home = false;
        table.show_rows(ui, look, width, row_name, cell_ui, |place, response| {
            let is_first = !std::mem::replace(&mut has_home, true);
            if here == Some(place) || is_first {
                focus::home(&response, Panel::Moves.area());
            }
            let node = shown(place).node;
            let note = GameCommand::EditNote(Some(node)).into();
            commands.context_menu(
                &response,
                &[vec![note], Panel::Moves.commands()].concat(),
                doc,
            );
            commands.when_clicked(&response, GameCommand::GoTo(node));
        });
        if has_note {
            self.note.ui(ui, doc, commands);
        }
    }
}

/// `None` also while losses are hidden.
fn shown_review(doc: &Document) -> Option<&Reviewed> {
    doc.review()
        .filter(|_| !doc.hides_losses())
        .map(|reviewed| &**reviewed)
}

/// The rows in their order. Branches appear only in ascending order of move numbers.
fn rows(doc: &Document, sort: Sort<usize>) -> Vec<MoveRow> {
    let moves = 0..doc.line().len() - 1;
    let SortKey { by, falls } = sort.first();
    if by != NUMBER || falls {
        let (columns, reviewed) = (columns(), shown_review(doc));
        let mut rows: Vec<MoveRow> = moves.map(MoveRow::OfLine).collect();
        rows.sort_by_cached_key(|row| {
            let shown = RowShown::of(*row, doc, reviewed);
            sort.ranks(|column| columns[column].sort_value(&shown))
        });
        return rows;
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
            rows.extend(
                on.take(OF_BRANCH)
                    .zip(index..)
                    .map(|(node, number)| MoveRow::OfBranch(node, number)),
            );
        }
    }
    rows
}

/// What a table row shows.
pub(super) struct RowShown<'a> {
    row: MoveRow,
    reviewed: Option<&'a Reviewed>,
    number: usize,
    step: Option<Step>,
    /// The target of a click: the position before the move, or after it in a branch.
    pub(super) node: NodeId,
    loss: Option<Points>,
    class: Option<Class>,
    note: Option<Arc<str>>,
}

impl<'a> RowShown<'a> {
    pub(super) fn of(row: MoveRow, doc: &Document, reviewed: Option<&'a Reviewed>) -> Self {
        match row {
            MoveRow::OfBranch(node, number) => {
                let (step, note) = (doc.tree().node(node).step, doc.tree().note(node).cloned());
                Self {
                    row,
                    reviewed,
                    number,
                    step,
                    node,
                    loss: None,
                    class: None,
                    note,
                }
            }
            MoveRow::OfLine(number) => {
                let loss = reviewed.and_then(|reviewed| reviewed.review.loss(number));
                let class = reviewed.and_then(|reviewed| {
                    reviewed
                        .review
                        .class(number, &reviewed.report.as_ref()?.thresholds)
                });
                let step = doc.tree().node(doc.line()[number + 1]).step;
                let node = doc.line()[number];
                Self {
                    row,
                    reviewed,
                    number,
                    step,
                    node,
                    loss,
                    class,
                    note: doc.tree().note(node).cloned(),
                }
            }
        }
    }

    fn is_branch(&self) -> bool {
        matches!(self.row, MoveRow::OfBranch(..))
    }

    fn number_cell(&self) -> Cell {
        let number = self.number + 1;
        if self.is_branch() {
            Cell::shown(format!("└ {}", words::count(number as u64)), number)
        } else {
            number.into()
        }
    }

    fn loss_cell(&self) -> Cell {
        let text = match self.loss {
            None => {
                return if self.is_branch() {
                    Cell::note("")
                } else {
                    Cell::Missing
                };
            }
            Some(Points::ZERO) => "best".to_owned(),
            Some(loss) => format!(
                "−{}",
                words::decimals(loss.to_f64(), usize::from(loss < Points::whole(10)))
            ),
        };
        Cell::shown(text, self.loss.map(Points::to_f64))
    }

    fn verdict(&self) -> Option<Verdict> {
        let MoveRow::OfLine(number) = self.row else {
            return None;
        };
        self.reviewed?.review.verdict(number)
    }

    /// The loss of the chance, if the judge played this move out: `7.5 (2.1 to 12.9)`.
    fn chance(&self) -> Option<Cell> {
        let MoveRow::OfLine(number) = self.row else {
            return None;
        };
        let reviewed = self.reviewed?;
        let thresholds = &reviewed.report.as_ref()?.thresholds;
        let at = reviewed.review.chance_by(number, thresholds)?;
        let low = at.interval().map(|ends| ends.low);
        Some(Cell::shown(prose::review::chance_lost_number(at), low))
    }

    fn deciding(&self) -> Cell {
        let MoveRow::OfLine(number) = self.row else {
            return Cell::note("branch");
        };
        let decided = self.reviewed.and_then(|reviewed| {
            let blame = reviewed.review.blame(number)?;
            let order = if let Blame::Row(row) = blame {
                row.into()
            } else {
                usize::MAX
            };
            Some(Cell::shown(
                reviewed.player.as_ref().ok()?.name(blame),
                order,
            ))
        });
        decided.unwrap_or(Cell::note(""))
    }

    /// The 95 % interval of the gain from the better move in own play: `+172 to +1,540`, with `…` while games are missing.
    fn own(&self) -> Option<Cell> {
        let MoveRow::OfLine(number) = self.row else {
            return None;
        };
        let own = self.reviewed?.review.own_play(number)?;
        let (so_far, gain) = (if own.is_over() { "" } else { " …" }, own.gain()?);
        let ends = own.interval().map(|ends| {
            [ends.low, ends.high]
                .map(|end| words::signed(end, 0))
                .join(" to ")
        });
        Some(Cell::shown(
            format!("{}{so_far}", ends.unwrap_or(words::signed(gain, 0))),
            gain,
        ))
    }

    fn name(&self) -> String {
        let number = words::count(self.number as u64 + 1);
        let Some(step) = self.step else {
            return format!("Move {number}");
        };
        let mut name = format!("Move {number}, {}, then {}", step.mv, step.spawn);
        if self.is_branch() {
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
        self.note
            .as_ref()
            .map_or_else(String::new, |note| format!(", note: {note}"))
    }

    pub(super) fn cell_ui(&self, ui: &mut Ui, cell: DataCell<'_>, is_here: bool) {
        let (theme, is_branch) = (Theme::of(ui), self.is_branch());
        let dim = if is_branch { theme.text3 } else { theme.text2 };
        let is_bad = Some(Class::Mistake) <= self.class;
        let bad = if self.class == Some(Class::Blunder) {
            theme.error
        } else {
            theme.warn
        };
        if is_bad && !is_here {
            fill_cell(ui, bad.gamma_multiply(0.12));
        }

        let (font, color) = match cell.column {
            NUMBER if is_here => (theme::strong(), theme.text1),
            MOVE => (
                theme::strong(),
                if is_branch { theme.text3 } else { theme.text1 },
            ),
            LOSS if is_bad => (theme::strong(), bad),
            OWN_PLAY => (
                theme::small(),
                if cell.text == MISSING {
                    theme.text3
                } else {
                    theme.text1
                },
            ),
            _ => (theme::body(), dim),
        };
        if cell.column == LOSS {
            let (rect, _) = ui.allocate_exact_size(vec2(12.0, 14.0), Sense::hover());
            if let Some(class) = self.class {
                paint_class(ui.painter(), theme, rect.center(), class);
            }
        }
        if let Some(note) = self.note.as_ref().filter(|_| cell.column == ROW) {
            let mut rect = ui.max_rect();
            rect.min.x = rect.right() - SIDE;
            Icon::Note.paint(ui.painter(), rect.center(), theme.text2);
            ui.allocate_rect(rect, Sense::hover())
                .on_hover_text(&**note);
            ui.set_max_width(ui.max_rect().width() - SIDE - 2.0);
        }

        let text = match cell.text {
            // Without room for a name, the sign before the number is enough.
            _ if cell.is_narrow && cell.column == ROW && is_branch => return,
            name if cell.is_narrow && cell.column == ROW => {
                name.split(' ').next().unwrap_or_default()
            }
            text => text,
        };
        let label = DataCell { text, ..cell }.ui_in(ui, font, color);
        if is_branch && cell.column == NUMBER {
            label.on_hover_text(BRANCH);
        } else if text != cell.text {
            label.on_hover_text(cell.text);
        }
    }
}
