//! What the panel says of the rows, prepared without a window.

use std::time::Duration;

use crate::analysis::{Evidence, Position, RowEvidence, Share};
use crate::search::Lookahead;
use crate::strategy::{Criterion, Strategy};
use crate::words;
use crate::workbench::panels::analysis::parts::{interval_text, percent};
use crate::workbench::terms::{self, Term};

/// One line of the table.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Line {
    /// Number and name: "2 Monotonicity", "then Random".
    pub name: String,
    /// What stands in the columns.
    pub cells: Cells,
    pub about: Vec<String>,
    /// The first decision that it ended.
    pub example: Option<Position>,
    /// The part of all decisions that it ended, from 0 to 1.
    pub decided: f64,
}

/// The columns of one line.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Cells {
    /// The row is left out.
    Off,
    /// Every decision was made before it.
    Never,
    /// Reached, decided, passed on a tie, and the mean number of moves left.
    Counted([String; 4]),
    /// What the last resort decided.
    LastResort(String),
}

/// Titles of the columns, and what they mean.
pub(super) const COLUMNS: [(&str, &Term); 4] = [
    ("reached", &terms::REACHED),
    ("decided", &terms::DECIDED),
    ("tie", &terms::PASSED),
    ("moves left", &terms::MOVES_LEFT),
];

/// The name of a row: what it looks at, and how far it searches.
pub(super) fn row_name(criterion: &Criterion) -> String {
    match criterion.lookahead {
        Lookahead::OnePly => criterion.evaluator.label(),
        Lookahead::DepthLimited(_) => format!("{} of {}", criterion.lookahead.name(), criterion.evaluator.label()),
    }
}

/// The table: one line a row, and the last resort.
pub(super) fn lines(strategy: &Strategy, evidence: &Evidence) -> Vec<Line> {
    let rows = strategy.criteria.iter().zip(&evidence.rows).enumerate();
    let rows = rows.map(|(index, (criterion, row))| line(index, criterion, row, evidence.decisions));
    let last = Share { same: evidence.last_resort, n: evidence.decisions };
    let last = Line {
        name: format!("then {}", strategy.last_resort.name()),
        cells: Cells::LastResort(percent(last)),
        about: vec![with_interval("Left to the last resort", last)],
        example: None,
        decided: last.value().unwrap_or(0.0),
    };
    rows.chain([last]).collect()
}

fn line(index: usize, criterion: &Criterion, row: &RowEvidence, n: u64) -> Line {
    let name = format!("{} {}", index + 1, row_name(criterion));
    let of = |same| Share { same, n };
    let decided = of(row.decided).value().unwrap_or(0.0);
    let (cells, about) = match row.mean_left() {
        None if criterion.off => (Cells::Off, vec!["It is off and was never asked".to_owned()]),
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
                about.push(format!("It ended {} of the decisions that reached it", percent(ended)));
            }
            (Cells::Counted([asked, decided, passed, words::decimals(left, 2)]), about)
        }
    };
    Line { name, cells, about, example: row.example, decided }
}

impl Line {
    /// What a screen reader says.
    pub(super) fn spoken(&self) -> String {
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

/// A short time with three digits that say something: "1.23 µs", "45.6 ms", "7.89 s", "12 min".
pub(super) fn short_time(time: Duration) -> String {
    let secs = time.as_secs_f64();
    if 60.0 <= secs {
        return words::time(secs);
    }
    let (value, unit) = match secs {
        _ if secs < 1e-3 => (secs * 1e6, "µs"),
        _ if secs < 1.0 => (secs * 1e3, "ms"),
        _ => (secs, "s"),
    };
    let places = match value {
        _ if value < 10.0 => 2,
        _ if value < 100.0 => 1,
        _ => 0,
    };
    format!("{} {unit}", words::decimals(value, places))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Rules;
    use crate::strategy::Player;
    use crate::task::CancelToken;

    #[test]
    fn shares_of_the_decided_add_up_and_lines_say_what_was_counted() {
        let strategy: Strategy = "emur".parse().expect("letters");
        let evidence =
            Evidence::gather(&Player::new(&strategy, Rules::default()), 3, 20, None, &CancelToken::new(), |_| {});
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

    #[test]
    fn short_times_have_three_digits() {
        for (nanos, text) in [
            (840, "0.84 µs"),
            (1_234, "1.23 µs"),
            (45_600, "45.6 µs"),
            (456_000, "456 µs"),
            (7_890_000, "7.89 ms"),
            (1_500_000_000, "1.50 s"),
            (720_000_000_000, "12 min"),
        ] {
            assert_eq!(short_time(Duration::from_nanos(nanos)), text);
        }
    }
}
