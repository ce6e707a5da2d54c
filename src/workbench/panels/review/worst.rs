//! The moves of a reviewed game with the largest losses in points or in a chance, and their deciding rows.

use egui::{Response, Ui, UiBuilder};

use crate::prose;
use crate::review::{Blame, MoveReport};
use crate::words;
use crate::workbench::command::{Commands, GameCommand, Panel};
use crate::workbench::kit::{ListRow, focus, small_print};
use crate::workbench::state::{Document, Reviewed};
use crate::workbench::theme::{self, Theme};

/// Moves ordered by their loss. While the list has the focus or the pointer, the order does not change.
#[derive(Debug, Default)]
pub(super) struct WorstMoves {
    /// SHA-256 of the game and of the judge.
    hashes: [String; 2],
    /// Indices of the moves, from 0.
    order: Vec<usize>,
    is_held: bool,
    /// Whether the list was entered at the worst move and not left since. Then the focus follows the worst move.
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
        if !self.is_held || self.hashes != hashes {
            self.order = now.clone().collect();
            self.hashes = hashes.map(str::to_owned);
        }

        let differs = !now.eq(self.order.iter().copied());
        let thresholds = reviewed.report.as_ref().map(|report| report.thresholds);
        let report_of =
            |&index: &usize| MoveReport::of(&reviewed.review, index, thresholds.as_ref()?);
        (self.order.iter().filter_map(report_of).collect(), differs)
    }

    /// Fixes the order while the focus or the pointer is in the list; `first` is the worst move.
    fn hold(&mut self, ui: &Ui, responses: &[Response], first: Option<&Response>) {
        let pressed = ui.input(|input| input.pointer.any_pressed());
        let focused = responses.iter().any(Response::has_focus);
        let is_first = |response: &Response| first.is_some_and(|first| first.id == response.id);
        // The keys that move the focus are not visible here; a row that gains the focus shows them.
        let is_walked = responses
            .iter()
            .any(|response| response.gained_focus() && !is_first(response));
        self.follows |= !self.had_keyboard && first.is_some_and(Response::gained_focus);
        self.follows &= focused && !pressed && !is_walked;
        self.had_keyboard = focused;

        if let Some(first) = first.filter(|first| self.follows && !first.has_focus()) {
            first.request_focus();
        }
        self.is_held = ui.rect_contains_pointer(ui.min_rect()) || focused && !self.follows;
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
        let (moves, differs) = self.shown(moves, reviewed);
        let none = if reviewed.is_whole {
            "No move lost points"
        } else {
            "No move lost points so far"
        };
        match (moves.is_empty(), reviewed.is_whole) {
            (true, _) => drop(small_print(ui, none, theme.text3)),
            (false, false) => drop(small_print(
                ui,
                "So far; losses may still change",
                theme.text3,
            )),
            (false, true) => {}
        }
        // Fixed ids: the text above changes with the position, but the focus stays on its move.
        let inside = UiBuilder::new().scope_id(ui.scope_id().with(("worst moves", is_home)));
        ui.scope_builder(inside, |ui| {
            focus::group(ui);
            let (mut responses, mut first) = (Vec::new(), None);
            for (place, one) in moves.iter().enumerate() {
                let row = UiBuilder::new().scope_id(ui.scope_id().with(one.verdict.index));
                ui.scope_builder(row, |ui| {
                    let row = row_ui(ui, one, reviewed, doc, commands, &mut responses);
                    if is_home && place == 0 {
                        focus::home(&row, Panel::Worst.area());
                        first = Some(row);
                    }
                });
            }
            self.hold(ui, &responses, first.as_ref());
        });

        if differs {
            let note =
                "Other moves lost more. The list updates when the focus and the pointer leave it";
            small_print(ui, note, theme.text3);
        }
    }
}

fn row_ui(
    ui: &mut Ui,
    one: &MoveReport,
    reviewed: &Reviewed,
    doc: &Document,
    commands: &mut Commands,
    responses: &mut Vec<Response>,
) -> Response {
    let theme = Theme::of(ui);
    let (text, index) = (worst_text(one, reviewed, doc), one.verdict.index);
    let row = ListRow::new(&text).selected(doc.place() == index);
    let row = row.show(ui, |line, _| {
        line.start(&text, theme::body(), theme.text1);
    });
    go_on_click(&row, index, doc, commands);
    responses.push(row.clone());
    row
}

/// A click puts the position before the move on the board.
fn go_on_click(response: &Response, index: usize, doc: &Document, commands: &mut Commands) {
    if response.clicked()
        && let Some(&node) = doc.line().get(index)
    {
        commands.push(GameCommand::GoTo(node));
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
        assert_eq!(list.shown(&found, &one), (worst, true));
        list.is_held = false;
        assert_eq!(list.shown(&found, &one), (found.clone(), false));

        // Another game has its own list.
        list.is_held = true;
        assert_eq!(list.shown(&of_other, &other), (of_other, false));
    }
}
