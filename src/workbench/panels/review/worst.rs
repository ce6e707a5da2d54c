//! The moves of a reviewed game that lost most: as a list, or as many as fit a line.

use egui::{Response, Ui, UiBuilder};

use crate::prose;
use crate::review::MoveReport;
use crate::words;
use crate::workbench::command::{Commands, GameCommand, Panel, ReviewCommand};
use crate::workbench::kit::{Button, ListRow, chip_fits, chip_named, focus, small_print};
use crate::workbench::state::{Document, Reviewed};
use crate::workbench::theme::{self, Theme};

/// Moves in the order in which they lost most; while the keyboard or the pointer is in them they stay where they are, whatever the
/// judge finds meanwhile.
#[derive(Debug, Default)]
pub(super) struct WorstMoves {
    /// SHA-256 of the game and of the judge.
    of: [String; 2],
    /// Numbers of the moves, from 0.
    order: Vec<usize>,
    is_held: bool,
    /// The list was entered at the worst move and not walked since: the keyboard is at whichever is the worst.
    follows: bool,
    had_keyboard: bool,
}

impl WorstMoves {
    /// The moves as they are shown, with what is known of them now; whether that is another order than it would be.
    fn shown(&mut self, moves: &[MoveReport], reviewed: &Reviewed) -> (Vec<MoveReport>, bool) {
        let now = moves.iter().map(|one| one.verdict.index);
        let of = [reviewed.review.game_sha256(), reviewed.review.judge().sha256()];
        if !self.is_held || self.of != of {
            self.order = now.clone().collect();
            self.of = of.map(str::to_owned);
        }
        let differs = !now.eq(self.order.iter().copied());
        let thresholds = reviewed.report.as_ref().map(|report| report.thresholds);
        let of = |&index: &usize| MoveReport::of(&reviewed.review, index, thresholds.as_ref()?);
        (self.order.iter().filter_map(of).collect(), differs)
    }

    /// Keeps the order from now on, if the keyboard is at one of these or the pointer over all; `first` is the worst move.
    fn hold(&mut self, ui: &Ui, responses: &[Response], first: Option<&Response>) {
        let pressed = ui.input(|input| input.pointer.any_pressed());
        let focused = responses.iter().any(Response::has_focus);
        let is_first = |response: &Response| first.is_some_and(|first| first.id == response.id);
        // Keys that walk are known by what they lead to: nobody sees them here.
        let is_walked = responses.iter().any(|response| response.gained_focus() && !is_first(response));
        self.follows |= !self.had_keyboard && first.is_some_and(Response::gained_focus);
        self.follows &= focused && !pressed && !is_walked;
        self.had_keyboard = focused;
        if let Some(first) = first.filter(|first| self.follows && !first.has_focus()) {
            first.request_focus();
        }
        self.is_held = ui.rect_contains_pointer(ui.min_rect()) || focused && !self.follows;
    }

    /// There is no list now.
    pub(super) fn let_go(&mut self) {
        (self.is_held, self.follows, self.had_keyboard) = (false, false, false);
    }

    /// As many as fit a line, the worst first; a press goes there. The panel is entered here.
    pub(super) fn line(
        &mut self,
        ui: &mut Ui,
        moves: &[MoveReport],
        reviewed: &Reviewed,
        doc: &Document,
        commands: &mut Commands,
    ) {
        let theme = Theme::of(ui);
        let (moves, _) = self.shown(moves, reviewed);
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = theme::SPACE_S;
            let none = if moves.is_empty() { "No move lost anything" } else { "Worst" };
            ui.label(egui::RichText::new(none).font(theme::small()).color(theme.text3));
            // For the ring of the first.
            ui.add_space(theme::SPACE_S);
            let mut chips = Vec::new();
            for one in &moves {
                let verdict = one.verdict;
                let number = words::count(verdict.index as u64 + 1);
                let loss = words::decimals(verdict.loss.to_f64(), 0);
                let mark = one.class.map_or(String::new(), |class| format!(" {}", class.mark()));
                let text = format!("{number}{mark} −{loss}");
                if !chip_fits(ui, &text) {
                    break;
                }
                let name = format!("Go to move {number}, which cost {loss} points");
                let chip = chip_named(ui, &text, &name, doc.place() == verdict.index).on_hover_text(&name);
                go_on_click(&chip, verdict.index, doc, commands);
                chips.push(chip);
            }
            if let Some(first) = chips.first() {
                focus::home(first, Panel::Review.area());
            }
            self.hold(ui, &chips, chips.first());
        });
    }

    /// A row for each, with what there is to say of it; a press goes there. `is_home` where the panel is entered here.
    pub(super) fn list(
        &mut self,
        ui: &mut Ui,
        id: &str,
        (moves, is_home): (&[MoveReport], bool),
        reviewed: &Reviewed,
        doc: &Document,
        commands: &mut Commands,
    ) {
        let theme = Theme::of(ui);
        let (moves, differs) = self.shown(moves, reviewed);
        if moves.is_empty() {
            small_print(ui, "No move lost anything", theme.text3);
        }
        // What is said above changes with the position; the keyboard stays at its move.
        let inside = UiBuilder::new().scope_id(ui.scope_id().with(id));
        ui.scope_builder(inside, |ui| {
            focus::group(ui);
            let (mut responses, mut first) = (Vec::new(), None);
            for (place, one) in moves.iter().enumerate() {
                let row = UiBuilder::new().scope_id(ui.scope_id().with(one.verdict.index));
                ui.scope_builder(row, |ui| {
                    let row = row_ui(ui, one, reviewed, doc, commands, &mut responses);
                    if is_home && place == 0 {
                        focus::home(&row, Panel::Review.area());
                        first = Some(row);
                    }
                });
            }
            self.hold(ui, &responses, first.as_ref());
        });
        if differs {
            let held = "Other moves lost more by now: the list is sorted once keyboard and pointer have left it";
            small_print(ui, held, theme.text3);
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
    let (text, index) = (worst_text(one, reviewed), one.verdict.index);
    let shown = ui.horizontal(|ui| {
        for (button, command) in
            [("Tree", ReviewCommand::ShowTree(Some(index))), ("Row", ReviewCommand::ShowRule(Some(index)))]
        {
            responses.push(commands.show(ui, Button::new(button).small(), command, doc));
        }
        let row = ListRow::new(&text).selected(doc.place() == index);
        let row = row.show(ui, |line, _| {
            line.start(&text, theme::body(), theme.text1);
        });
        go_on_click(&row, index, doc, commands);
        row
    });
    responses.push(shown.inner.clone());
    shown.inner
}

/// A press puts the position before the move on the board.
fn go_on_click(response: &Response, index: usize, doc: &Document, commands: &mut Commands) {
    if response.clicked()
        && let Some(&node) = doc.line.get(index)
    {
        commands.push(GameCommand::GoTo(node));
    }
}

/// `Move 120 ?? Right cost 1,240.5 against Left, 2 Monotonicity`, and what of a chance.
fn worst_text(one: &MoveReport, reviewed: &Reviewed) -> String {
    let verdict = one.verdict;
    let mark = one.class.map_or(String::new(), |class| format!(" {}", class.mark()));
    let rule = one.blame.zip(reviewed.player.as_ref().ok()).map(|(blame, player)| format!(", {}", player.name(blame)));
    let chance = one.chance.as_ref().map(|at| format!(", {}", prose::review::chance_lost(at)));
    format!(
        "Move {}{mark} {} cost {} against {}{}{}",
        words::count(verdict.index as u64 + 1),
        verdict.mv,
        words::value(verdict.loss.to_f64()),
        verdict.best,
        chance.unwrap_or_default(),
        rule.unwrap_or_default()
    )
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::game::{Rules, Seed};
    use crate::review::{Decider, Judge, Points, Report, Review, Stage, Thresholds};
    use crate::search::SearchOptions;
    use crate::strategy::{GameTrace, Player, Strategy};
    use crate::task::CancelToken;

    fn reviewed(seed: u64) -> Reviewed {
        let (rules, strategy) = (Rules::default(), "emr".parse::<Strategy>().expect("letters"));
        let judge = "(criteria: [(evaluator: Network(\"reference\"))])".parse().expect("a strategy");
        let player = Player::new(&strategy, rules);
        let record = GameTrace::record(&player, Seed(seed), 0, &strategy, SearchOptions::default());
        let player = Decider::of_record(&record).map(Arc::new);
        let mut review = Review::new(record, Arc::new(Judge::of(&judge, rules).expect("a judge")));
        review.go_on(None, 1, &CancelToken::new(), &mut |_, _, _| {}).expect("values");
        let report = Report::of(&review, Thresholds::usual(Points::whole(1000))).expect("every position");
        Reviewed { review, report: Some(report), player, stage: Stage::First, done: [1, 1] }
    }

    #[test]
    fn moves_stay_where_they_are_while_they_are_looked_at() {
        let [one, other] = [reviewed(1), reviewed(2)];
        let [worst, of_other] = [&one, &other].map(|of| of.report.as_ref().expect("reviewed").worst.clone());
        let mut list = WorstMoves::default();
        assert_eq!(list.shown(&worst, &one), (worst.clone(), false));
        // The judge finds another order, and a move that was not among them.
        let thresholds = one.report.as_ref().expect("reviewed").thresholds;
        let is_new = |index: &usize| worst.iter().all(|known| known.verdict.index != *index);
        let new = (0..one.review.moves()).find(is_new).expect("more than ten moves");
        let new = MoveReport::of(&one.review, new, &thresholds).expect("judged");
        let found: Vec<MoveReport> = [new].into_iter().chain(worst[1..].iter().rev().copied()).collect();
        list.is_held = true;
        assert_eq!(list.shown(&found, &one), (worst, true));
        list.is_held = false;
        assert_eq!(list.shown(&found, &one), (found.clone(), false));
        // Another game is another list.
        list.is_held = true;
        assert_eq!(list.shown(&of_other, &other), (of_other, false));
    }
}
