//! What is odd about the rows, each finding with a position that shows it.

use egui::{RichText, ScrollArea, Sense, Ui, vec2};

use crate::analysis::{Evidence, Example, Finding, RowEvidence};
use crate::game::Board;
use crate::prose;
use crate::strategy::StrategyHash;
use crate::words;
use crate::workbench::command::Commands;
use crate::workbench::icon::{Icon, icon_label};
use crate::workbench::kit::{Button, Line, empty, mini_board, paragraph};
use crate::workbench::panels::builder::{Known, show_position};
use crate::workbench::theme::{self, Theme};

/// Side of each of the two boards of a finding.
const SIDE: f32 = 88.0;

#[derive(Debug, Default)]
pub(super) struct Findings {
    /// The finding whose two boards are shown.
    open: Option<(StrategyHash, usize)>,
}

impl Findings {
    pub(super) fn ui(
        &mut self,
        ui: &mut Ui,
        findings: &Known<Vec<Finding>>,
        evidence: Option<&Evidence>,
        commands: &mut Commands,
    ) {
        if findings.found.is_empty() {
            empty(ui, &nothing_odd(evidence));
            return;
        }
        ScrollArea::vertical()
            .id_salt("findings")
            .auto_shrink(false)
            .show(ui, |ui| {
                ui.set_max_width(ui.available_width().min(720.0));
                ui.spacing_mut().item_spacing.y = 6.0;
                for (index, finding) in findings.found.iter().enumerate() {
                    self.finding(ui, findings, index, finding, commands);
                }
            });
    }

    fn finding(
        &mut self,
        ui: &mut Ui,
        findings: &Known<Vec<Finding>>,
        index: usize,
        finding: &Finding,
        commands: &mut Commands,
    ) {
        let theme = Theme::of(ui);
        let title = format!("Row {}", findings.strategy.numbered_label(finding.row));
        ui.horizontal_top(|ui| {
            icon_label(ui, Icon::Warning, theme.warn);
            ui.vertical(|ui| {
                ui.spacing_mut().item_spacing.y = 2.0;
                ui.label(RichText::new(&title).font(theme::medium()));
                paragraph(ui, prose::finding(finding, &findings.strategy), theme.text2);

                match &finding.example {
                    None => {}
                    Some(Example::Position { board, score }) => {
                        let name = format!("Show me where, {title}");
                        let button = ui.add(Button::new("Show me").name(&name).small());
                        if button
                            .on_hover_text("Put a position that shows it on the board")
                            .clicked()
                        {
                            put(*board, *score, &title, commands);
                        }
                    }
                    Some(Example::Pair {
                        board,
                        image,
                        values,
                        symmetry,
                    }) => {
                        let is_open = self.open == Some((findings.strategy.hash(), index));
                        let name = format!("Show me the two boards, {title}");
                        let text = if is_open {
                            "Hide the two boards"
                        } else {
                            "Show me"
                        };
                        let button = Button::new(text).name(&name).small();
                        if ui
                            .add(button)
                            .on_hover_text("Two boards that should have the same value")
                            .clicked()
                        {
                            self.open = (!is_open).then_some((findings.strategy.hash(), index));
                        }
                        if is_open {
                            pair(
                                ui,
                                [board, image],
                                *values,
                                symmetry.name(),
                                &title,
                                commands,
                            );
                        }
                    }
                }
            });
        });

        ui.separator();
    }
}

/// Says that nothing was found, and names rows that only tied, which other panels report: "in these games row 3 tied 4
/// of 4".
fn nothing_odd(evidence: Option<&Evidence>) -> String {
    let rows = evidence
        .map(|evidence| evidence.rows.as_slice())
        .unwrap_or_default();
    let tied = |(number, row): (usize, &RowEvidence)| {
        let count = words::count(row.asked);
        (row.asked != 0 && row.passed == row.asked)
            .then(|| format!("row {number} tied {count} of {count}"))
    };
    let tied: Vec<String> = (1..).zip(rows).filter_map(tied).collect();
    match tied.as_slice() {
        [] => "No problems found in the rows".to_owned(),
        tied => {
            format!(
                "In these games {}: too rare, or not confirmed on other positions, so it is not a finding",
                words::list(tied)
            )
        }
    }
}

fn put(board: Board, score: u64, title: &str, commands: &mut Commands) {
    show_position(board, score, format!("an example of {title}"), commands);
}

/// Two boards side by side with their values.
fn pair(
    ui: &mut Ui,
    boards: [&Board; 2],
    values: (f64, f64),
    how: &str,
    title: &str,
    commands: &mut Commands,
) {
    let theme = Theme::of(ui);
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = theme::SPACE_L;
        for (board, (value, caption)) in boards
            .into_iter()
            .zip([(values.0, "a board"), (values.1, how)])
        {
            ui.vertical(|ui| {
                let name = format!("{caption}: {}", words::value(value));
                let shown = mini_board(ui, &name, SIDE, board);
                if shown
                    .on_hover_text(format!("{board}\nClick to put it on the board"))
                    .clicked()
                {
                    put(*board, 0, title, commands);
                }
                let (line, _) =
                    ui.allocate_exact_size(vec2(SIDE.max(150.0), theme::TAG), Sense::hover());
                let mut line = Line::new(ui.painter(), line, 0.0);
                line.start(&words::value(value), theme::strong(), theme.text1);
                line.skip(theme::SPACE_M);
                line.start(caption, theme::small(), theme.text3);
            });
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_that_only_tied_is_not_passed_over_where_nothing_odd_was_found() {
        let row = |asked, passed| RowEvidence {
            asked,
            passed,
            ..RowEvidence::default()
        };
        let evidence = Evidence {
            rows: vec![row(90, 20), row(4, 4), row(0, 0)],
            ..Evidence::default()
        };
        assert!(
            nothing_odd(Some(&evidence)).contains("row 2 tied 4 of 4:"),
            "{}",
            nothing_odd(Some(&evidence))
        );
        let fine = Evidence {
            rows: vec![row(90, 20), row(0, 0)],
            ..Evidence::default()
        };
        for evidence in [None, Some(&fine)] {
            assert_eq!(nothing_odd(evidence), "No problems found in the rows");
        }
    }
}
