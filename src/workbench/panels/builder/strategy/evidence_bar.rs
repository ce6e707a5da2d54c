//! Statistics over many games as one bar: the share of decisions that each row made.

use egui::{Rect, Role, Ui, pos2, vec2};

use super::data::percent;
use crate::analysis::Evidence;
use crate::strategy::Strategy;
use crate::words;
use crate::workbench::kit::{elided, inert, remark};
use crate::workbench::terms;
use crate::workbench::theme::{self, Theme};

const BAR: f32 = 22.0;

#[derive(Clone, Debug, PartialEq)]
struct EvidenceBar {
    /// The sample: "2 games, 453 moves with a choice: which row decided".
    caption: String,
    /// "mean moves left: 1.75 after row 1, 1.00 after row 2".
    left: String,
    /// The rows that decided and the last resort, with their shares from 0 to 1.
    parts: Vec<(String, f64)>,
    /// A remark: "Rows 3 and 4: never reached"; may be empty.
    remark: String,
}

impl EvidenceBar {
    /// `None` without decisions, or if the number of rows differs.
    fn new(strategy: &Strategy, evidence: &Evidence) -> Option<Self> {
        let all = evidence.decisions;
        if all == 0 || evidence.rows.len() != strategy.criteria.len() {
            return None;
        }
        let (mut parts, mut left, mut unreached) = (Vec::new(), Vec::new(), Vec::new());
        let mut part = |name: String, decided: u64| {
            if decided != 0 {
                parts.push((
                    format!("{name} {}", percent(decided, all)),
                    decided as f64 / all as f64,
                ));
            }
        };
        for (number, (row, criterion)) in (1..).zip(evidence.rows.iter().zip(&strategy.criteria)) {
            part(format!("{number} {}", criterion.label()), row.decided);
            left.extend(
                row.mean_left()
                    .map(|mean| format!("{} after row {number}", words::decimals(mean, 2))),
            );
            if row.asked == 0 && !criterion.off {
                unreached.push(number.to_string());
            }
        }
        part(strategy.last_resort.to_string(), evidence.last_resort);
        let remark = match unreached.as_slice() {
            [] => String::new(),
            [row] => format!("Row {row}: never reached"),
            rows => format!("Rows {}: never reached", words::list(rows)),
        };

        let games = words::plural(evidence.games, "game");
        let cut = if evidence.is_cut {
            ", the last one unfinished"
        } else {
            ""
        };
        Some(Self {
            caption: format!(
                "{games}{cut}, {} with a choice: deciding rows",
                words::plural(all, "move")
            ),
            left: if left.is_empty() {
                String::new()
            } else {
                format!("mean moves left: {}", left.join(", "))
            },
            parts,
            remark,
        })
    }
}

/// Draws the bar with its caption and remark, if there are decisions.
pub(super) fn ui(ui: &mut Ui, strategy: &Strategy, evidence: &Evidence) {
    let Some(bar) = &EvidenceBar::new(strategy, evidence) else {
        return;
    };
    let theme = Theme::of(ui);
    ui.add_space(theme::SPACE_M);
    ui.spacing_mut().item_spacing.y = theme::SPACE_S;
    caption(ui, bar);
    let texts: Vec<&str> = bar.parts.iter().map(|(text, _)| text.as_str()).collect();
    let name = format!("Deciding rows: {}", texts.join(", "));
    let size = vec2(ui.available_width(), BAR);
    let (rect, response) = inert(ui, size, Role::Image, &name);

    let mut left = rect.left();
    for (index, (text, share)) in bar.parts.iter().enumerate() {
        let right = (left + rect.width() * *share as f32).min(rect.right());
        // A gap of one point separates neighbors in grayscale, too.
        let part = Rect::from_min_max(
            pos2(left, rect.top()),
            pos2((right - 1.0).max(left), rect.bottom()),
        );
        let fill = theme.sequential([0.45, 0.62][index % 2]);
        ui.painter().rect_filled(part, 2, fill);
        let ink = theme::text_on(fill);
        // Text that does not fit is also in the rows above and in the name of the bar.
        if 24.0 < part.width() {
            let galley = elided(
                ui.painter(),
                text,
                theme::strong(),
                ink,
                part.width() - 2.0 * theme::SPACE_M,
            );
            let at = pos2(
                part.left() + theme::SPACE_M,
                part.center().y - galley.size().y / 2.0,
            );
            ui.painter().galley(at, galley, ink);
        }
        left = right;
    }

    terms::tip(response, &terms::DECIDED);
    if !bar.remark.is_empty() {
        remark(ui, &bar.remark, theme.text3);
    }
}

/// The sample at the left and the mean moves at the right, or below if there is no room.
fn caption(ui: &mut Ui, bar: &EvidenceBar) {
    let theme = Theme::of(ui);
    let width = ui.available_width();
    let painter = ui.painter().clone();
    let layout = |text: &str, font, color| painter.layout_no_wrap(text.to_owned(), font, color);
    let title = layout("Evidence", theme::medium(), theme.text2);
    let left = layout(&bar.left, theme::small(), theme.text3);
    let counted = layout(&bar.caption, theme::small(), theme.text3).size().x;
    let begin = title.size().x + theme::SPACE_M;
    let is_one_line = begin + counted + theme::SPACE_L + left.size().x <= width;

    let (rect, _) = inert(
        ui,
        vec2(width, theme::TAG),
        Role::Label,
        &format!("Evidence {}", bar.caption),
    );
    let counted = elided(
        &painter,
        &bar.caption,
        theme::small(),
        theme.text3,
        width - begin,
    );
    painter.galley(rect.left_top(), title, theme.text2);
    painter.galley(rect.left_top() + vec2(begin, 2.0), counted, theme.text3);
    if is_one_line {
        painter.galley(
            pos2(rect.right() - left.size().x, rect.top() + 2.0),
            left,
            theme.text3,
        );
    } else if !bar.left.is_empty() {
        remark(ui, &bar.left, theme.text3);
    }
}

#[cfg(test)]
mod tests {
    use super::super::data::RowData;
    use super::*;
    use crate::analysis;
    use crate::game::Size;

    #[test]
    fn shares_of_many_games_add_up_and_idle_rows_are_named() {
        let strategy = Strategy::from_letters("emur").expect("letters");
        let row = |asked, decided, passed, left| analysis::RowEvidence {
            asked,
            decided,
            passed,
            left,
            ..analysis::RowEvidence::default()
        };
        let evidence = analysis::Evidence {
            games: 2,
            decisions: 200,
            rows: vec![row(200, 60, 0, 400), row(140, 139, 0, 141), row(1, 0, 1, 2)],
            last_resort: 1,
            ..analysis::Evidence::default()
        };
        let bar = EvidenceBar::new(&strategy, &evidence).expect("decisions were made");
        let texts: Vec<&str> = bar.parts.iter().map(|(text, _)| text.as_str()).collect();
        assert_eq!(texts, ["1 Empty 30 %", "2 Monotonicity 70 %", "Random 1 %"]);
        assert!((bar.parts.iter().map(|(_, share)| share).sum::<f64>() - 1.0).abs() < 1e-12);
        assert_eq!(
            bar.left,
            "mean moves left: 2.00 after row 1, 1.01 after row 2, 2.00 after row 3"
        );
        let row = |row| RowData::new(&strategy, row, None, Some(&evidence), Size::FOUR);
        let rows: Vec<RowData> = (0..3).map(row).collect();
        let texts: Vec<(&str, bool)> = rows
            .iter()
            .flat_map(|row| &row.over_games)
            .map(|over| (over.text.as_str(), over.idle))
            .collect();
        assert_eq!(
            texts,
            [
                ("decided 30 %", false),
                ("decided 70 %", false),
                ("tied 1 of 1", true)
            ]
        );
        assert_eq!(
            EvidenceBar::new(&strategy, &analysis::Evidence::default()),
            None
        );
    }
}
