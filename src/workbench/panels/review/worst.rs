//! The moves of a reviewed game with the largest losses in points or in a chance, and their deciding rows.

use egui::{Rect, Response, Ui, UiBuilder, vec2};

use super::moves::{
    CHANCE, GAP, LOSS, MoveRow, NARROW, OWN_PLAY, ROW, RowShown, SPAWN, WIDE, WIDTHS, columns,
};
use crate::prose;
use crate::review::{Blame, MoveReport};
use crate::table::Table;
use crate::words;
use crate::workbench::command::{Commands, GameCommand, Panel};
use crate::workbench::kit::{
    DataCell, DataList, DataRows, DataSource, DataTable, Sort, focus, height_of, small_print,
};
use crate::workbench::state::{Document, Reviewed};
use crate::workbench::theme::Theme;

/// Moves by their loss, or by the columns that were chosen. While the list has the focus or the pointer, new values do not
/// change the order.
#[derive(Debug, Default)]
pub(super) struct WorstMoves {
    /// `None` until a column was chosen.
    sort: Option<Sort<usize>>,
    /// What `order` belongs to: SHA-256 of the game and of the judge, and the columns.
    made_of: ([String; 2], Option<Sort<usize>>),
    /// Indices of the moves, from 0.
    order: Vec<usize>,
    is_held: bool,
    /// Whether the list was entered at its first row and not left since. Then the focus stays in the first row.
    follows: bool,
    had_keyboard: bool,
}

impl WorstMoves {
    /// The moves in the order of the list with their current values, and whether their true order differs.
    fn shown(&mut self, moves: &[MoveReport], reviewed: &Reviewed) -> (Vec<MoveReport>, bool) {
        let now = moves.iter().map(|one| one.verdict.index);
        let hashes = [
            reviewed.review.game_sha256(),
            reviewed.review.judge().sha256(),
        ];
        let made_of = (hashes.map(str::to_owned), self.sort);
        if !self.is_held || self.made_of != made_of {
            self.order = now.clone().collect();
            self.made_of = made_of;
        }

        let differs = !now.eq(self.order.iter().copied());
        let thresholds = reviewed.report.as_ref().map(|report| report.thresholds);
        let report_of =
            |&index: &usize| MoveReport::of(&reviewed.review, index, thresholds.as_ref()?);
        (self.order.iter().filter_map(report_of).collect(), differs)
    }

    /// Fixes the order while the focus or the pointer is in the list, unless it `may_follow`; `rows` are its rows in this
    /// order.
    fn hold(&mut self, ui: &Ui, rows: &[Response], may_follow: bool) {
        let pressed = ui.input(|input| input.pointer.any_pressed());
        let focused = rows.iter().position(Response::has_focus);
        // The keys that move the focus are not visible here; a row that gains the focus shows them.
        let gained = rows.iter().position(Response::gained_focus);
        self.follows |= may_follow && !self.had_keyboard && gained == Some(0);
        self.follows &= focused == Some(0) && !pressed;
        self.had_keyboard = focused.is_some();
        self.is_held =
            ui.rect_contains_pointer(ui.min_rect()) || focused.is_some() && !self.follows;
    }

    /// Resets the focus state: there is no list now.
    pub(super) fn let_go(&mut self) {
        (self.is_held, self.follows, self.had_keyboard) = (false, false, false);
    }

    /// One row per move; a click goes to the move. `is_home` if keyboard users enter the panel here.
    pub(super) fn list(
        &mut self,
        ui: &mut Ui,
        moves: &[MoveReport],
        is_home: bool,
        reviewed: &Reviewed,
        doc: &Document,
        commands: &mut Commands,
    ) {
        let theme = Theme::of(ui);
        let none = if reviewed.is_whole {
            "No move lost points"
        } else {
            "No move lost points so far"
        };
        match (moves.is_empty(), reviewed.is_whole) {
            (true, _) => {
                small_print(ui, none, theme.text3);
                self.let_go();
                return;
            }
            (false, false) => drop(small_print(
                ui,
                "So far; losses may still change",
                theme.text3,
            )),
            (false, true) => {}
        }

        let columns = columns();
        let row_of = |one: &MoveReport| {
            RowShown::of(MoveRow::OfLine(one.verdict.index), doc, Some(reviewed))
        };
        let has_chances = moves.iter().any(|one| one.chance.is_some());
        let hidden: Vec<usize> = [
            (SPAWN, true),
            (CHANCE, !has_chances),
            (OWN_PLAY, !doc.judges_by_player()),
        ]
        .into_iter()
        .filter_map(|(column, is_hidden)| is_hidden.then_some(column))
        .collect();
        // A column that is hidden now does not sort any more.
        self.sort = self
            .sort
            .filter(|sort| sort.keys().all(|key| !hidden.contains(&key.by)));
        let mut sorted = moves.to_vec();
        if let Some(sort) = self.sort {
            sorted.sort_by_cached_key(|one| {
                let row = row_of(one);
                sort.ranks(|column| columns[column].sort_value(&row))
            });
        }
        let (moves, differs) = self.shown(&sorted, reviewed);
        let shown = |place: usize| row_of(&moves[place]);

        // The quantity that the list is about stays.
        let (by, folding) = if is_home {
            (LOSS, [ROW, OWN_PLAY, OWN_PLAY, CHANCE])
        } else {
            (CHANCE, [ROW, OWN_PLAY, OWN_PLAY, LOSS])
        };
        let mut sort = self.sort.unwrap_or(Sort::falling(by));
        let before = sort;
        let heads = columns.each_ref().map(|column| column.head.clone());
        let cells = |place: usize| Table::of(&columns, [shown(place)]).texts().concat();
        let here = moves
            .iter()
            .position(|one| one.verdict.index == doc.place());
        let look = DataRows {
            selected: here,
            hidden: &hidden,
            narrow: &NARROW,
            folding: &folding,
            wide: &WIDE,
            fits: true,
            indented: &[ROW],
            ..DataRows::default()
        };
        let name = if is_home {
            "Worst moves"
        } else {
            "Worst moves by chance"
        };
        let table = DataTable {
            id: "worst moves",
            name,
            data: DataSource::Listed(DataList {
                heads: &heads,
                len: moves.len(),
                cells: &cells,
            }),
            sort: &mut sort,
            gap: GAP,
        };

        // Fixed ids: the text above changes with the position, but the focus stays in its row.
        let size = vec2(ui.available_width(), height_of(moves.len()));
        let inside = UiBuilder::new()
            .scope_id(ui.scope_id().with(("worst moves", is_home)))
            .max_rect(Rect::from_min_size(ui.cursor().min, size));
        ui.scope_builder(inside, |ui| {
            let width = |_: &Ui, column: usize, _: &[Vec<String>]| WIDTHS[column];
            let row_name = |place: usize, _: &[String]| worst_text(&moves[place], reviewed, doc);
            let cell_ui = |ui: &mut Ui, cell: DataCell<'_>| {
                shown(cell.row).cell_ui(ui, cell, here == Some(cell.row));
            };
            let mut responses = Vec::new();
            table.show_rows(ui, look, width, row_name, cell_ui, |place, response| {
                if is_home && place == 0 {
                    focus::home(&response, Panel::Worst.area());
                }
                commands.when_clicked(&response, GameCommand::GoTo(shown(place).node));
                responses.push(response);
            });
            self.hold(ui, &responses, is_home);
        });
        if sort != before {
            self.sort = Some(sort);
        }

        if differs {
            let note =
                "The order has changed. The list updates when the focus and the pointer leave it";
            small_print(ui, note, theme.text3);
        }
    }
}

/// `Move 120: Right instead of Left, −1,240.5, blunder, row 2 Monotonicity`, with the loss of a chance and the gain in own play where
/// known.
fn worst_text(one: &MoveReport, reviewed: &Reviewed, doc: &Document) -> String {
    let verdict = one.verdict;
    let class = one
        .class
        .map_or(String::new(), |class| format!(", {}", class.name()));
    let rule = one
        .blame
        .zip(reviewed.player.as_ref().ok())
        .map(|(blame, player)| {
            let row = if matches!(blame, Blame::Row(_)) {
                "row "
            } else {
                ""
            };
            format!(", {row}{}", player.name(blame))
        });
    let chance = one
        .chance
        .as_ref()
        .map(|at| format!(", {}", prose::review::chance_lost(at)));
    let own = doc.own_play(verdict.index).and_then(|own| {
        let ends = own.interval().map(|ends| {
            [ends.low, ends.high]
                .map(|end| words::signed(end, 0))
                .join(" to ")
        });
        let ends = ends
            .map(|ends| format!(" (95 %: {ends})"))
            .unwrap_or_default();
        Some(format!(
            ", own play {}{ends}",
            words::signed(own.gain()?, 0)
        ))
    });
    format!(
        "Move {}: {} instead of {}, −{}{class}{}{}{}",
        words::count(verdict.index as u64 + 1),
        verdict.mv,
        verdict.best,
        words::value(verdict.loss.to_f64()),
        own.unwrap_or_default(),
        chance.unwrap_or_default(),
        rule.unwrap_or_default()
    )
}

#[cfg(test)]
pub(super) mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::game::{Rules, Seed};
    use crate::review::{Decider, Judge, Points, Report, Review, Thresholds};
    use crate::search::SearchOptions;
    use crate::strategy::{GameTrace, Player, Strategy};
    use crate::task::{Control, Work};

    pub(in crate::workbench::panels) fn reviewed(seed: u64) -> Reviewed {
        let (rules, strategy) = (
            Rules::default(),
            "emr".parse::<Strategy>().expect("letters"),
        );
        let judge = "(criteria: [(evaluator: Network(\"reference\"))])"
            .parse()
            .expect("a strategy");
        let player = Player::new(&strategy, rules);
        let record = GameTrace::record(&player, Seed(seed), 0, &strategy, SearchOptions::default());
        let player = Decider::of_record(&record).map(Arc::new);
        let mut review = Review::new(record, Arc::new(Judge::of(&judge, rules).expect("a judge")));
        review
            .go_on(None, 1, &Control::default(), &mut |_| {})
            .expect("values");
        let report =
            Report::of(&review, Thresholds::usual(Points::whole(1000))).expect("every position");
        Reviewed {
            review,
            report: Some(report),
            player,
            work: Work::default(),
            is_whole: true,
        }
    }

    #[test]
    fn moves_stay_where_they_are_while_they_are_looked_at() {
        let [one, other] = [reviewed(1), reviewed(2)];
        let [worst, of_other] =
            [&one, &other].map(|panel| panel.report.as_ref().expect("reviewed").worst.clone());
        let mut list = WorstMoves::default();
        assert_eq!(list.shown(&worst, &one), (worst.clone(), false));

        // The judge finds a different order and a new move.
        let thresholds = one.report.as_ref().expect("reviewed").thresholds;
        let is_new = |index: &usize| worst.iter().all(|seen| seen.verdict.index != *index);
        let new = (0..one.review.moves())
            .find(is_new)
            .expect("more than ten moves");
        let new = MoveReport::of(&one.review, new, &thresholds).expect("judged");
        let found: Vec<MoveReport> = [new]
            .into_iter()
            .chain(worst[1..].iter().rev().copied())
            .collect();
        list.is_held = true;
        assert_eq!(list.shown(&found, &one), (worst.clone(), true));
        list.is_held = false;
        assert_eq!(list.shown(&found, &one), (found.clone(), false));

        // A column that is chosen sorts the list at once.
        list.is_held = true;
        list.sort = Some(Sort::falling(LOSS));
        assert_eq!(list.shown(&worst, &one), (worst.clone(), false));

        // Another game has its own list.
        list.is_held = true;
        assert_eq!(list.shown(&of_other, &other), (of_other, false));
    }
}
