//! The table of rows: how often each was reached, decided, and passed on a tie.

use egui::{Rect, Sense, Ui, vec2};

use crate::analysis::{Evidence, Position, RowEvidence, Share};
use crate::prose::{interval_text, percent};
use crate::strategy::{Criterion, Strategy};
use crate::table::{Cell, Column, Digits, Table};
use crate::words;
use crate::workbench::command::Commands;
use crate::workbench::icon::{Icon, icon_label};
use crate::workbench::kit::{self, DataCell, DataRows, DataTable, Sort};
use crate::workbench::panels::builder::show_position;
use crate::workbench::terms::{self, Term};
use crate::workbench::theme::{self, Theme};

/// Widths of the columns; that of the names is a minimum.
const WIDTHS: [f32; 5] = [80.0, 60.0, 58.0, 50.0, 66.0];
/// The columns that fold away in a narrow panel, in this order.
const FOLDING: [usize; 3] = [TIE, LEFT, REACHED];
const GAP: f32 = 4.0;
const WIDEST: f32 = 720.0;
const BAR: f32 = 20.0;

/// Numbers of columns.
const NAME: usize = 0;
const REACHED: usize = 1;
const DECIDED: usize = 2;
const TIE: usize = 3;
const LEFT: usize = 4;

#[derive(Clone, Debug, PartialEq)]
struct EvidenceRow {
    /// Its place in the strategy, from 0.
    place: usize,
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
    Counted([Share; 3], f64),
    /// The share that the last resort decided.
    LastResort(Share),
}

impl Cells {
    /// The share of a column.
    fn share(&self, column: usize) -> Cell {
        let share = |share: Share| {
            share
                .value()
                .map(|value| Cell::shown(percent(share), value))
                .into()
        };
        match (self, column) {
            (Self::Off, REACHED) => Cell::note("off"),
            (Self::Never, REACHED) => Cell::note("never"),
            (Self::Counted(shares, _), column) => share(shares[column - REACHED]),
            (Self::LastResort(last), DECIDED) => share(*last),
            _ => Cell::Missing,
        }
    }

    fn left(&self) -> Option<f64> {
        if let Self::Counted(_, left) = self {
            Some(*left)
        } else {
            None
        }
    }
}

fn columns<'a>() -> [Column<'a, &'a EvidenceRow>; 5] {
    let share = |key: &str, column: usize, term: &Term| {
        Column::number(key, key, about(term), move |line: &&EvidenceRow| {
            line.cells.share(column)
        })
    };
    [
        Column::text(
            "row",
            "row",
            "Row of the strategy",
            |line: &&EvidenceRow| Cell::shown(&line.name, line.place as f64),
        ),
        share("reached", REACHED, &terms::REACHED),
        share("decided", DECIDED, &terms::DECIDED),
        share("tie", TIE, &terms::PASSED),
        Column::number(
            "moves_left",
            "moves left",
            about(&terms::MOVES_LEFT),
            |line: &&EvidenceRow| line.cells.left(),
        )
        .digits(Digits::Places(2)),
    ]
}

fn about(term: &Term) -> String {
    [&term.lines[..], &[term.formula]]
        .concat()
        .join("\n")
        .trim_end()
        .to_owned()
}

/// The lines of the table: one per row, and the last resort.
fn lines(strategy: &Strategy, evidence: &Evidence) -> Vec<EvidenceRow> {
    let rows = strategy.criteria.iter().zip(&evidence.rows).enumerate();
    let rows =
        rows.map(|(index, (criterion, row))| line(index, criterion, row, evidence.decisions));
    let last = Share {
        same: evidence.last_resort,
        n: evidence.decisions,
    };
    let last = EvidenceRow {
        place: evidence.rows.len(),
        name: format!("then {}", strategy.last_resort),
        cells: Cells::LastResort(last),
        about: vec![with_interval("Left to the last resort", last)],
        example: None,
        decided: last.value().unwrap_or(0.0),
    };
    rows.chain([last]).collect()
}

fn line(index: usize, criterion: &Criterion, row: &RowEvidence, n: u64) -> EvidenceRow {
    let name = format!("{} {}", index + 1, criterion.label());
    let share = |same| Share { same, n };
    let decided = share(row.decided).value().unwrap_or(0.0);

    let (cells, about) = match row.mean_left() {
        None if criterion.off => (Cells::Off, vec!["It is off and was never used".to_owned()]),
        None => (
            Cells::Never,
            vec![format!(
                "Not reached in any of {}",
                words::plural(n, "decision")
            )],
        ),
        Some(left) => {
            let counts = [row.asked, row.decided, row.passed].map(share);
            let mut about = vec![
                with_interval("Reached", counts[0]),
                with_interval("Decided", counts[1]),
                with_interval("Passed on a tie", counts[2]),
            ];
            if row.asked != n {
                let ended = Share {
                    same: row.decided,
                    n: row.asked,
                };
                about.push(format!(
                    "It decided {} of the decisions that reached it",
                    percent(ended)
                ));
            }
            (Cells::Counted(counts, left), about)
        }
    };
    EvidenceRow {
        place: index,
        name,
        cells,
        about,
        example: row.example,
        decided,
    }
}

impl EvidenceRow {
    fn spoken(&self) -> String {
        let rest = match &self.cells {
            Cells::Off => "off".to_owned(),
            Cells::Never => "never reached".to_owned(),
            Cells::LastResort(share) => format!("decided {}", percent(*share)),
            Cells::Counted(shares, left) => {
                let [reached, decided, passed] = shares.map(percent);
                let left = words::decimals(*left, 2);
                format!("reached {reached}, decided {decided}, tie {passed}, moves left {left}")
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
    format!(
        "{what} {} of {}{interval}",
        percent(share),
        words::plural(share.n, "decision")
    )
}

/// Draws bar and table; a click on a row puts a decision that it ended on the board.
pub(super) fn ui(
    ui: &mut Ui,
    sort: &mut Sort<usize>,
    strategy: &Strategy,
    evidence: &Evidence,
    commands: &mut Commands,
) {
    let lines = lines(strategy, evidence);
    ui.set_max_width(ui.available_width().min(WIDEST));
    bar(ui, &lines);
    let (id, name, data) = ("rows", "Rows", Table::of(&columns(), &lines));
    let table = DataTable {
        id,
        name,
        data: data.into(),
        sort,
        gap: GAP,
    };
    let inert: Vec<usize> = (0..lines.len())
        .filter(|&line| lines[line].example.is_none())
        .collect();
    let look = DataRows {
        inert: &inert,
        folding: &FOLDING,
        wide: &[(NAME, WIDEST)],
        fits: true,
        ..DataRows::default()
    };
    let row_name = |row: usize, _: &[String]| lines[row].spoken();
    let cell_ui = |ui: &mut Ui, cell: DataCell<'_>| cell_ui(ui, &lines[cell.row], cell);
    table.show_rows(
        ui,
        look,
        |_, column, _| WIDTHS[column],
        row_name,
        cell_ui,
        |row, response| {
            let line = &lines[row];
            let mut about = line.about.clone();
            if let Some(position) = &line.example {
                about.push("Click to see the first decision that it decided".to_owned());
                if response.clicked() {
                    show_position(
                        position.board,
                        position.score,
                        format!("a decision of row {}", line.name),
                        commands,
                    );
                }
            }
            response.on_hover_text(about.join("\n"));
        },
    );
}

fn cell_ui(ui: &mut Ui, line: &EvidenceRow, cell: DataCell<'_>) {
    let theme = Theme::of(ui);
    let color = match (&line.cells, cell.column) {
        (Cells::Never, REACHED) => theme.warn,
        (Cells::Off, REACHED) => theme.text3,
        (Cells::Off | Cells::LastResort(_), NAME) => theme.text2,
        (_, NAME | DECIDED) => theme.text1,
        _ => theme.text2,
    };
    cell.ui(ui, color);
    if line.cells == Cells::Never && cell.column == REACHED {
        icon_label(ui, Icon::Warning, theme.warn);
    }
}

/// The share of decisions of each row, as one bar.
fn bar(ui: &mut Ui, lines: &[EvidenceRow]) {
    let theme = Theme::of(ui);
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), BAR), Sense::hover());
    let mut left = rect.left();
    for (index, line) in lines.iter().enumerate() {
        let right = left + rect.width() * line.decided as f32;
        let is_last = index + 1 == lines.len();
        let shade = 0.3 + 0.5 * index as f32 / (lines.len().max(3) - 2) as f32;
        let fill = if is_last {
            theme.bg4
        } else {
            theme.sequential(shade)
        };
        let part = Rect::from_x_y_ranges(left..=right, rect.y_range());
        left = right;
        if part.width() < 1.0 {
            continue;
        }
        ui.painter().rect_filled(
            part.with_max_x((part.right() - 1.0).max(part.left() + 1.0)),
            2,
            fill,
        );
        let words = format!("{} {:.0} %", line.name, 100.0 * line.decided);
        let ink = if is_last {
            theme.text1
        } else {
            theme::text_on(fill)
        };
        if 28.0 + 2.0 * theme::SPACE_S <= part.width() {
            kit::Line::new(ui.painter(), part, theme::SPACE_S).start(&words, theme::small(), ink);
        }
    }

    ui.add_space(theme::SPACE_S);
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
        let evidence = Evidence::gather(
            &Player::new(&strategy, Rules::default()),
            3,
            20,
            None,
            &Control::default(),
        );
        let lines = lines(&strategy, &evidence);
        assert_eq!(lines.len(), 4);
        let sum: f64 = lines.iter().map(|line| line.decided).sum();
        assert!((sum - 1.0).abs() < 1e-12, "{sum}");
        for (index, line) in lines.iter().take(3).enumerate() {
            let row = &evidence.rows[index];
            let expected = format!(
                "decided {}",
                percent(Share {
                    same: row.decided,
                    n: evidence.decisions
                })
            );
            assert!(
                line.spoken().contains(&expected),
                "{} {expected}",
                line.spoken()
            );
            assert!(line.about[0].contains("95 %"), "{:?}", line.about);
            assert_eq!(line.example, row.example);
        }
        assert!(lines[3].spoken().starts_with("then Random: decided "));
    }

    #[test]
    fn rows_that_were_never_reached_and_those_that_are_off_say_so() {
        let text = "(criteria: [(evaluator: Empty), (evaluator: Score, off: true), (evaluator: Snake)], last_resort: First)";
        let strategy: Strategy = text.parse().expect("a strategy");
        let reached = RowEvidence {
            asked: 5,
            decided: 5,
            left: 5,
            ..RowEvidence::default()
        };
        let rows = vec![reached, RowEvidence::default(), RowEvidence::default()];
        let evidence = Evidence {
            decisions: 5,
            rows,
            ..Evidence::default()
        };
        let cells: Vec<Cells> = lines(&strategy, &evidence)
            .into_iter()
            .map(|line| line.cells)
            .collect();
        assert!(matches!(cells[0], Cells::Counted(..)));
        assert_eq!(
            cells[1..],
            [
                Cells::Off,
                Cells::Never,
                Cells::LastResort(Share { same: 0, n: 5 })
            ]
        );
        let lines = lines(&strategy, &evidence);
        let data = Table::of(&columns(), &lines);
        let texts = data.texts();
        assert_eq!(texts[0][1..], ["100.0 %", "100.0 %", "0.0 %", "1.00"]);
        assert_eq!(
            [&texts[1][REACHED], &texts[2][REACHED], &texts[3][DECIDED]],
            ["off", "never", "0.0 %"]
        );
        assert_eq!(
            data.csv().lines().next(),
            Some("row,reached,decided,tie,moves_left")
        );
    }
}
