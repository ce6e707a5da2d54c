//! The moves of a reviewed game that lost most: as a list, or as many as fit a line.

use egui::Ui;

use crate::prose;
use crate::review::MoveReport;
use crate::words;
use crate::workbench::command::{Commands, GameCommand, ReviewCommand};
use crate::workbench::kit::{Button, ListRow, chip_fits, chip_named, small_print};
use crate::workbench::state::{Document, Reviewed};
use crate::workbench::theme::{self, Theme};

/// As many of the worst as fit a line, the worst first; a press goes there.
pub(super) fn line(ui: &mut Ui, moves: &[MoveReport], doc: &Document, commands: &mut Commands) {
    let theme = Theme::of(ui);
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = theme::SPACE_S;
        let none = if moves.is_empty() { "No move lost anything" } else { "Worst" };
        ui.label(egui::RichText::new(none).font(theme::small()).color(theme.text3));
        for one in moves {
            let verdict = one.verdict;
            let (number, loss) = (words::count(verdict.index as u64 + 1), words::decimals(verdict.loss.to_f64(), 0));
            let mark = one.class.map_or(String::new(), |class| format!(" {}", class.mark()));
            let text = format!("{number}{mark} −{loss}");
            if !chip_fits(ui, &text) {
                break;
            }
            let name = format!("Go to move {number}, which cost {loss} points");
            if chip_named(ui, &text, &name, doc.place() == verdict.index).on_hover_text(&name).clicked()
                && let Some(&node) = doc.line.get(verdict.index)
            {
                commands.push(GameCommand::GoTo(node));
            }
        }
    });
}

/// A row for each, with what there is to say of it; a press goes there.
pub(super) fn list(ui: &mut Ui, moves: &[MoveReport], reviewed: &Reviewed, doc: &Document, commands: &mut Commands) {
    let theme = Theme::of(ui);
    if moves.is_empty() {
        small_print(ui, "No move lost anything", theme.text3);
    }
    for one in moves {
        let text = worst_text(one, reviewed);
        let verdict = one.verdict;
        ui.horizontal(|ui| {
            let tree = commands.show(ui, Button::new("Tree").small(), ReviewCommand::ShowTree(verdict.index), doc);
            let rule = commands.show(ui, Button::new("Row").small(), ReviewCommand::ShowRule(verdict.index), doc);
            let _ = (tree, rule);
            let row = ListRow::new(&text).selected(doc.place() == verdict.index);
            let response = row.show(ui, |line, _| {
                line.start(&text, theme::body(), theme.text1);
            });
            if response.clicked()
                && let Some(&node) = doc.line.get(verdict.index)
            {
                commands.push(GameCommand::GoTo(node));
            }
        });
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
