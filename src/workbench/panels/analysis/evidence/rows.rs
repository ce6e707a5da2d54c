//! The table of rows: how often each was reached, decided, and passed on a tie.

use egui::{Align2, Rect, Role, ScrollArea, Sense, Ui, WidgetInfo, pos2, vec2};

use crate::analysis::{Evidence, Position, RowEvidence, Share};
use crate::prose::{interval_text, percent};
use crate::strategy::{Criterion, Strategy};
use crate::words;
use crate::workbench::command::Commands;
use crate::workbench::icon::{self, Icon};
use crate::workbench::kit::{self, ListRow, rule};
use crate::workbench::panels::builder::show_position;
use crate::workbench::terms::{self, Term};
use crate::workbench::theme::{self, Theme};

/// Width of a column of numbers.
const COLUMN: f32 = 68.0;
const BAR: f32 = 20.0;

#[derive(Clone, Debug, PartialEq)]
struct Line {
    /// Number and name: "2 Monotonicity", "then Random".
    name: String,
    cells: Cells,
    about: Vec<String>,
    /// The first decision that it ended.
    example: Option<Position>,
    /// The share of all decisions that it ended, from 0 to 1.
    decided: f64,
}

#[derive(Clone, Debug, PartialEq)]
enum Cells {
    /// The row is switched off.
    Off,
    /// Every decision was made before this row.
    Never,
    /// Reached, decided, passed on a tie, and the mean number of moves left.
    Counted([String; 4]),
    /// The share that the last resort decided.
    LastResort(String),
}

/// Column titles and their terms.
const COLUMNS: [(&str, &Term); 4] = [
    ("reached", &terms::REACHED),
    ("decided", &terms::DECIDED),
    ("tie", &terms::PASSED),
    ("moves left", &terms::MOVES_LEFT),
];

/// The lines of the table: one per row, and the last resort.
fn lines(strategy: &Strategy, evidence: &Evidence) -> Vec<Line> {
    let rows = strategy.criteria.iter().zip(&evidence.rows).enumerate();
    let rows = rows.map(|(index, (criterion, row))| line(index, criterion, row, evidence.decisions));
    let last = Share { same: evidence.last_resort, n: evidence.decisions };
    let last = Line {
        name: format!("then {}", strategy.last_resort),
        cells: Cells::LastResort(percent(last)),
        about: vec![with_interval("Left to the last resort", last)],
        example: None,
        decided: last.value().unwrap_or(0.0),
    };
    rows.chain([last]).collect()
}

fn line(index: usize, criterion: &Criterion, row: &RowEvidence, n: u64) -> Line {
    let name = format!("{} {}", index + 1, criterion.label());
    let of = |same| Share { same, n };
    let decided = of(row.decided).value().unwrap_or(0.0);

    let (cells, about) = match row.mean_left() {
        None if criterion.off => (Cells::Off, vec!["It is off and was never used".to_owned()]),
        None => (Cells::Never, vec![format!("Not reached in any of {}", words::plural(n, "decision"))]),
        Some(left) => {
            let counts = [row.asked, row.decided, row.passed].map(of);
            let [asked, decided, passed] = counts.map(percent);
            let mut about = vec![
                with_interval("Reached", counts[0]),
                with_interval("Decided", counts[1]),
                with_interval("Passed on a tie", counts[2]),
            ];
            if row.asked != n {
                let ended = Share { same: row.decided, n: row.asked };
                about.push(format!("It decided {} of the decisions that reached it", percent(ended)));
            }
            (Cells::Counted([asked, decided, passed, words::decimals(left, 2)]), about)
        }
    };
    Line { name, cells, about, example: row.example, decided }
}

impl Line {
    fn spoken(&self) -> String {
        let rest = match &self.cells {
            Cells::Off => "off".to_owned(),
            Cells::Never => "never reached".to_owned(),
            Cells::LastResort(share) => format!("decided {share}"),
            Cells::Counted(cells) => {
                let cells = COLUMNS.iter().zip(cells).map(|((title, _), cell)| format!("{title} {cell}"));
                cells.collect::<Vec<_>>().join(", ")
            }
        };
        format!("{}: {rest}", self.name)
    }
}

/// "Decided 31.2 % of 12,345, with 95 % confidence 30.4 to 32.0 %".
fn with_interval(what: &str, share: Share) -> String {
    let interval = match share.interval() {
        Some(_) => format!(", with 95 % confidence {} %", interval_text(share)),
        None => String::new(),
    };
    format!("{what} {} of {}{interval}", percent(share), words::plural(share.n, "decision"))
}

/// Draws bar and table; a click on a row puts a decision that it ended on the board.
pub(super) fn ui(ui: &mut Ui, strategy: &Strategy, evidence: &Evidence, commands: &mut Commands) {
    let lines = lines(strategy, evidence);
    bar(ui, &lines);
    ui.spacing_mut().item_spacing = vec2(theme::SPACE_M, 0.0);
    ScrollArea::vertical().id_salt("rows").auto_shrink(false).show(ui, |ui| {
        ui.set_max_width(ui.available_width().min(720.0));
        header(ui);
        for line in &lines {
            row(ui, line, commands);
        }
    });
}

/// The share of decisions of each row, as one bar.
fn bar(ui: &mut Ui, lines: &[Line]) {
    let theme = Theme::of(ui);
    let width = ui.available_width().min(720.0);
    let (rect, _) = ui.allocate_exact_size(vec2(width, BAR), Sense::hover());
    let mut left = rect.left();
    for (index, line) in lines.iter().enumerate() {
        let right = left + rect.width() * line.decided as f32;
        let is_last = index + 1 == lines.len();
        let shade = 0.3 + 0.5 * index as f32 / (lines.len().max(3) - 2) as f32;
        let fill = if is_last { theme.bg4 } else { theme.sequential(shade) };
        let part = Rect::from_x_y_ranges(left..=right, rect.y_range());
        left = right;
        if part.width() < 1.0 {
            continue;
        }
        ui.painter().rect_filled(part.with_max_x((part.right() - 1.0).max(part.left() + 1.0)), 2, fill);
        let words = format!("{} {:.0} %", line.name, 100.0 * line.decided);
        let ink = if is_last { theme.text1 } else { theme::text_on(fill) };
        if 28.0 + 2.0 * theme::SPACE_S <= part.width() {
            kit::Line::new(ui.painter(), part, theme::SPACE_S).start(&words, theme::small(), ink);
        }
    }

    ui.add_space(theme::SPACE_S);
}

/// Right ends of the columns in a row, from the left.
fn columns(rect: Rect) -> [f32; 4] {
    std::array::from_fn(|column| rect.right() - theme::SPACE_S - COLUMN * (3 - column) as f32)
}

fn header(ui: &mut Ui) {
    let theme = Theme::of(ui);
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), theme::ROW), Sense::hover());
    ui.painter().text(rect.left_center(), Align2::LEFT_CENTER, "Row", theme::small(), theme.text3);
    for (right, (title, term)) in columns(rect).into_iter().zip(COLUMNS) {
        let cell = Rect::from_x_y_ranges(right - COLUMN..=right, rect.y_range());
        let response = ui.interact(cell, ui.scope_id().with(title), Sense::hover());
        response.widget_info(|| WidgetInfo::labeled(Role::ColumnHeader, true, title));
        ui.painter().text(cell.right_center(), Align2::RIGHT_CENTER, title, theme::small(), theme.text3);
        terms::tip(response, term);
    }
    rule(ui, rect);
}

fn row(ui: &mut Ui, line: &Line, commands: &mut Commands) {
    let theme = Theme::of(ui);
    let (spoken, mut is_cut) = (line.spoken(), false);
    let row = ListRow::new(&spoken).pad(theme::SPACE_S);
    let row = if line.example.is_some() { row } else { row.inert() };
    let response = row.show(ui, |cells, response| {
        let right = columns(response.rect);
        let painter = cells.painter.clone();
        let number = |at: usize, text: &str, color| {
            painter.text(pos2(right[at], cells.y), Align2::RIGHT_CENTER, text, theme::body(), color)
        };

        let mut color = theme.text2;
        match &line.cells {
            Cells::Off => drop(number(3, "off", theme.text3)),
            Cells::Never => {
                color = theme.text1;
                let words = number(3, "never reached", theme.warn);
                let at = pos2(words.left() - theme::SPACE_S - icon::SIDE / 2.0, cells.y);
                Icon::Warning.paint(&painter, at, theme.warn);
            }
            Cells::Counted(counted) => {
                color = theme.text1;
                for (at, cell) in counted.iter().enumerate() {
                    number(at, cell, if at == 1 { theme.text1 } else { theme.text2 });
                }
            }
            Cells::LastResort(share) => drop(number(1, share, theme.text1)),
        }

        cells.right = right[0] - COLUMN - theme::SPACE_S;
        is_cut = cells.start(&line.name, theme::body(), color).is_cut;
    });

    rule(ui, response.rect);
    let mut about = line.about.clone();
    if is_cut {
        about.insert(0, line.name.clone());
    }

    if let Some(position) = &line.example {
        about.push("Click to see the first decision that it decided".to_owned());
        if response.clicked() {
            show_position(position.board, position.score, format!("a decision of row {}", line.name), commands);
        }
    }

    response.on_hover_text(about.join("\n"));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Rules;
    use crate::strategy::Player;
    use crate::task::Control;

    #[test]
    fn shares_of_the_decided_add_up_and_lines_say_what_was_counted() {
        let strategy: Strategy = "emur".parse().expect("letters");
        let evidence = Evidence::gather(&Player::new(&strategy, Rules::default()), 3, 20, None, &Control::default());
        let lines = lines(&strategy, &evidence);
        assert_eq!(lines.len(), 4);
        let sum: f64 = lines.iter().map(|line| line.decided).sum();
        assert!((sum - 1.0).abs() < 1e-12, "{sum}");
        for (index, line) in lines.iter().take(3).enumerate() {
            let row = &evidence.rows[index];
            let expected = format!("decided {}", percent(Share { same: row.decided, n: evidence.decisions }));
            assert!(line.spoken().contains(&expected), "{} {expected}", line.spoken());
            assert!(line.about[0].contains("95 %"), "{:?}", line.about);
            assert_eq!(line.example, row.example);
        }
        assert!(lines[3].spoken().starts_with("then Random: decided "));
    }

    #[test]
    fn rows_that_were_never_reached_and_those_that_are_off_say_so() {
        let text =
            "(criteria: [(evaluator: Empty), (evaluator: Score, off: true), (evaluator: Snake)], last_resort: First)";
        let strategy: Strategy = text.parse().expect("a strategy");
        let reached = RowEvidence { asked: 5, decided: 5, left: 5, ..RowEvidence::default() };
        let rows = vec![reached, RowEvidence::default(), RowEvidence::default()];
        let evidence = Evidence { decisions: 5, rows, ..Evidence::default() };
        let cells: Vec<Cells> = lines(&strategy, &evidence).into_iter().map(|line| line.cells).collect();
        assert!(matches!(cells[0], Cells::Counted(_)));
        assert_eq!(cells[1..], [Cells::Off, Cells::Never, Cells::LastResort("0.0 %".to_owned())]);
    }
}
