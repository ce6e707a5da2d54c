//! The decisions of A and B on the current board, side by side, and the commands that find disagreements.

use egui::{Rect, RichText, ScrollArea, Sense, Ui, UiBuilder, vec2};

use super::pair::{Pair, paint_side};
use crate::game::Moves;
use crate::prose;
use crate::strategy::Strategy;
use crate::workbench::command::{Command, Commands, CompareCommand, GameCommand};
use crate::workbench::kit::{Button, Line, keycap};
use crate::workbench::panels::analysis::parts::line_of;
use crate::workbench::panels::play::decision::data::DecisionData;
use crate::workbench::panels::play::decision::{either, strip};
use crate::workbench::state::{Decided, Document, TELL_AFTER};
use crate::workbench::theme::{self, Theme};

/// Minimum width at which the two decisions are side by side.
const SIDE_BY_SIDE_FROM: f32 = 560.0;
/// Height of the name above a strip.
const NAME: f32 = 22.0;

/// How two decisions compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// Both leave the same moves.
    Same,
    /// They share some moves, but not all.
    Shared,
    Differ,
}

impl Verdict {
    /// Compares the moves that each strategy leaves to its last resort.
    pub(super) fn of(a: Moves, b: Moves) -> Self {
        match () {
            () if a == b => Self::Same,
            () if (a & b).is_empty() => Self::Differ,
            () => Self::Shared,
        }
    }

    /// The verdict as text, after its mark.
    pub(super) fn text(self, a: Moves, b: Moves) -> String {
        match self {
            Self::Same => format!("✓ Both choose {}", either(a)),
            Self::Shared => format!("≈ They may agree: A chooses {}, B {}", either(a), either(b)),
            Self::Differ => format!("≠ They differ: A chooses {}, B {}", either(a), either(b)),
        }
    }
}

pub(super) fn ui(ui: &mut Ui, doc: &Document, pair: &Pair, commands: &mut Commands) {
    ScrollArea::vertical()
        .id_salt("decisions")
        .auto_shrink(false)
        .show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            verdict_ui(ui, doc, commands);
            ui.add_space(theme::SPACE_M);
            let width = ui.available_width();
            let room = ui.clip_rect().bottom() - theme::PAD - ui.cursor().top();
            let is_wide = SIDE_BY_SIDE_FROM <= width;
            let row = ((room - NAME - strip::HEADER) / 4.0)
                .floor()
                .clamp(theme::HIT, theme::ROW_TALL);
            let height = NAME + strip::HEADER + 4.0 * row;
            let decided = [doc.decided(), doc.baseline_decided()];
            let is_fresh = [doc.decision().is_some(), doc.is_baseline_settled()];
            let heights = if is_wide {
                height
            } else {
                2.0 * height + theme::SPACE_L
            };
            let (rect, _) = ui.allocate_exact_size(vec2(width, heights), Sense::hover());
            let half = (width - theme::SPACE_L) / 2.0;
            let (size, step) = match is_wide {
                true => (vec2(half, height), vec2(half + theme::SPACE_L, 0.0)),
                false => (vec2(width, height), vec2(0.0, height + theme::SPACE_L)),
            };

            for side in 0..2 {
                let place = Rect::from_min_size(rect.min + side as f32 * step, size);
                let mut inside =
                    ui.new_child(UiBuilder::new().id_salt(("side", side)).max_rect(place));
                inside.spacing_mut().item_spacing.y = 0.0;
                let (head, _) = inside.allocate_exact_size(vec2(size.x, NAME), Sense::hover());
                let mut line = Line::new(inside.painter(), head, theme::SPACE_M);
                paint_side(
                    &mut line,
                    Theme::of(&inside),
                    side,
                    &pair.sides[side],
                    theme::SPACE_M,
                );
                side_ui(
                    &mut inside,
                    doc,
                    side,
                    decided[side],
                    is_fresh[side],
                    row,
                    commands,
                );
            }

            difference_ui(ui, pair);
        });
}

/// Whether they agree here, and the buttons that find the next disagreement.
fn verdict_ui(ui: &mut Ui, doc: &Document, commands: &mut Commands) {
    let theme = Theme::of(ui);
    let is_settled = doc.decision().is_some() && doc.is_baseline_settled();
    let choices = doc
        .decision()
        .zip(doc.baseline_decided())
        .filter(|_| is_settled);
    let (text, color) = match choices.map(|(a, b)| (a.choice, b.decision.choice)) {
        Some((a, b)) if a.is_empty() || b.is_empty() => {
            (prose::decision::over(&doc.board()).to_owned(), theme.text3)
        }
        Some((a, b)) => {
            let verdict = Verdict::of(a, b);
            (
                verdict.text(a, b),
                [theme.ok, theme.text1, theme.warn][verdict as usize],
            )
        }
        None if doc
            .baseline_since()
            .is_some_and(|since| TELL_AFTER <= since.elapsed()) =>
        {
            ("B searches".to_owned(), theme.text2)
        }
        None => match doc.baseline_problem() {
            Some(problem) => (format!("✗ B: {problem}"), theme.error),
            None => (String::new(), theme.text2),
        },
    };

    let narrow = ui.available_width() < SIDE_BY_SIDE_FROM;
    let buttons = |ui: &mut Ui, commands: &mut Commands| {
        for (command, text) in [
            (CompareCommand::PreviousDisagreement, "Previous"),
            (CompareCommand::NextDisagreement, "Next"),
        ] {
            let command = Command::from(command);
            let keys = command.keys().unwrap_or_default();
            commands.show(ui, Button::new(text).name(command.text()), command, doc);
            keycap(ui, &keys);
        }
        ui.label(
            RichText::new("disagreement in this game")
                .small()
                .color(theme.text3),
        );
    };

    let label = RichText::new(text).color(color).font(theme::strong());
    if narrow {
        ui.add(egui::Label::new(label).wrap());
        ui.add_space(theme::SPACE_S);
        ui.horizontal_wrapped(|ui| buttons(ui, commands));
    } else {
        let mut line = line_of(ui, "verdict", theme::CONTROL);
        buttons(&mut line, commands);
        line.add_space(theme::SPACE_M);
        line.add(egui::Label::new(label).truncate());
    }
}

/// The strip of one strategy.
fn side_ui(
    ui: &mut Ui,
    doc: &Document,
    side: usize,
    decided: Option<&Decided>,
    is_fresh: bool,
    row: f32,
    commands: &mut Commands,
) {
    let data = match decided {
        Some(decided) => DecisionData::new(&decided.decision, &decided.strategy),
        None => DecisionData::unknown(&doc.board()),
    };
    ui.scope(|ui| {
        if !is_fresh {
            ui.multiply_opacity(theme::STALE_ALPHA);
        }
        let plays = is_fresh && doc.editing().is_none();
        let prefix = match (side, is_fresh) {
            (0, true) => "A: ",
            (0, false) => "Old, A: ",
            (_, true) => "B: ",
            (_, false) => "Old, B: ",
        };
        let touched = strip::strip(
            ui,
            &data,
            strip::StripLook {
                heads: true,
                row,
                plays,
                prefix,
            },
        );
        touched
            .played
            .into_iter()
            .for_each(|mv| commands.push(GameCommand::Slide(mv)));
    });
}

/// The edits that turn B into A, as text; name and note are ignored.
fn difference_ui(ui: &mut Ui, pair: &Pair) {
    let theme = Theme::of(ui);
    let [a, b] = pair.sides.each_ref().map(|side| &*side.strategy);
    let nameless = |strategy: &Strategy| Strategy {
        name: String::new(),
        note: String::new(),
        ..strategy.clone()
    };
    let text = match prose::difference(&nameless(b), &nameless(a)).as_slice() {
        [] => "A and B have the same rows".to_owned(),
        phrases => format!("From B to A: {}", phrases.join("; ")),
    };
    ui.add_space(theme::SPACE_M);
    ui.label(RichText::new(text).color(theme.text2));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Move;

    #[test]
    fn the_verdict_is_about_the_sets_of_moves() {
        let moves = |moves: &[Move]| moves.iter().copied().collect::<Moves>();
        let (left, up) = (moves(&[Move::Left]), moves(&[Move::Up]));
        let both = moves(&[Move::Left, Move::Up]);
        for (a, b, verdict) in [
            (left, left, Verdict::Same),
            (both, both, Verdict::Same),
            (left, up, Verdict::Differ),
            (both, up, Verdict::Shared),
        ] {
            assert_eq!(Verdict::of(a, b), verdict);
            assert_eq!(Verdict::of(b, a), verdict);
        }
        assert_eq!(
            Verdict::Differ.text(left, up),
            "≠ They differ: A chooses Left, B Up"
        );
        assert_eq!(Verdict::Same.text(left, left), "✓ Both choose Left");
    }
}
