//! A row for a saved table or process, with its commands.

use std::path::Path;

use egui::{Align, Layout, Ui};

use crate::game::Rules;
use crate::strategy::Strategy;
use crate::words;
use crate::workbench::command::{Commands, GameCommand, SolveCommand, StrategyCommand};
use crate::workbench::kit::{Button, paragraph, small_print};
use crate::workbench::state::Document;
use crate::workbench::theme::Theme;

pub(super) struct KeptRow<'a> {
    /// The kind: `table`.
    pub what: &'static str,
    pub name: &'a str,
    pub path: &'a Path,
    /// Its content, and its size in small print; or the problem of its file.
    pub lines: Result<[String; 2], &'a String>,
    /// The strategy that plays by it.
    pub play: &'a dyn Fn() -> Strategy,
    /// The only rules it can play by, if limited.
    pub rules: Option<Rules>,
}

/// Draws the row; `more` adds buttons of its kind.
pub(super) fn kept_ui(
    ui: &mut Ui,
    row: &KeptRow<'_>,
    doc: &Document,
    commands: &mut Commands,
    more: impl FnOnce(&mut Ui, &mut Commands),
) {
    let theme = Theme::of(ui);
    let KeptRow {
        what, name, path, ..
    } = *row;
    ui.horizontal(|ui| {
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let delete = Button::new("Delete").quiet().small();
            let about = format!("Delete {what} {name}");
            commands.show(
                ui,
                delete.name(&about),
                SolveCommand::DeleteKept(path.to_owned()),
                doc,
            );
            if row.lines.is_ok() {
                let text = format!("Play with {what} {name}");
                // It cannot decide on any other board.
                let (size, p4) = (doc.board().size(), doc.game().rules.p4);
                let other = row
                    .rules
                    .filter(|rules| (rules.size, rules.p4) != (size, p4));
                let (words, about) = match other {
                    None => (
                        "Play with it".to_owned(),
                        format!("Open the strategy that plays with this {what}"),
                    ),
                    Some(Rules { size, p4, .. }) => {
                        let board = format!("{} × {}", size.rows(), size.cols());
                        let game = format!("a {board} game with {}", words::fours(p4));
                        let about = format!(
                            "Start {game}, and open the strategy that plays with this {what}"
                        );
                        (format!("Play {board} with it"), about)
                    }
                };
                if Button::new(&words)
                    .small()
                    .name(&text)
                    .show(ui, Ok(&about))
                    .clicked()
                {
                    other.into_iter().for_each(|rules| {
                        commands.push(GameCommand::NewWith(rules, doc.game().seed));
                    });
                    commands.push(StrategyCommand::Open(Box::new((row.play)())));
                }
                more(ui, commands);
            }

            ui.with_layout(Layout::top_down(Align::Min), |ui| match &row.lines {
                Ok([first, second]) => {
                    paragraph(ui, first, theme.text1);
                    small_print(ui, second, theme.text2);
                }
                Err(reason) => drop(paragraph(ui, format!("✗ {reason}"), theme.error)),
            });
        });
    });
}
