//! Above which values no board of an evaluator lies, as far as its tables tell it.

use super::{ByLines, Compiled, LineForm};
use crate::game::Row;

/// By the rank of the largest tile of a board, what no board with a tile as large or a larger one is worth more than, in points of
/// the evaluator. Tiles grow and never shrink, so that it holds for all boards that come after one, too, while no rank is above 15.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Ceilings([f64; 16]);

impl Ceilings {
    /// `rank` at most 15.
    pub fn with_largest(&self, rank: u8) -> f64 {
        self.0[usize::from(rank & 15)]
    }
}

/// By rank, the most that a line with a tile as large is worth.
fn most_with(table: &[f64; 1 << 16]) -> [f64; 16] {
    let mut most = [f64::NEG_INFINITY; 16];
    for (row, &value) in (0..=u16::MAX).zip(table) {
        let largest = Row(row).ranks().into_iter().max().unwrap_or(0);
        let of_rank = &mut most[usize::from(largest)];
        *of_rank = of_rank.max(value);
    }
    for rank in (0..15).rev() {
        most[rank] = most[rank].max(most[rank + 1]);
    }
    most
}

/// Four lines, one of which has the largest tile.
fn of_four(lines: [[f64; 16]; 4]) -> [f64; 16] {
    let all: f64 = lines.iter().map(|line| line[0]).sum();
    let less = |rank: usize| lines.iter().map(|line| line[0] - line[rank]).fold(f64::INFINITY, f64::min);
    std::array::from_fn(|rank| all - less(rank))
}

impl Compiled {
    /// For evaluators that are sums over lines, each with a table of its own or all with one; `None` for others, and where points
    /// made up to a board count, too.
    pub fn ceilings(&self) -> Option<Ceilings> {
        let ByLines { lines, weights } = self.by_lines()?;
        let factor = match weights {
            None => 1.0,
            Some([factor, 0.0]) if 0.0 <= factor => factor,
            Some(_) => return None,
        };
        let (rows, columns) = match lines {
            LineForm::One(table) => {
                let four = of_four([most_with(table); 4]);
                (four, four)
            }
            LineForm::Each(lines) => {
                let [rows, columns] = [true, false].map(|are_rows| {
                    of_four([0, 1, 2, 3].map(|at| most_with(if are_rows { lines.row(at) } else { lines.column(at) })))
                });
                (rows, columns)
            }
            LineForm::Rows(lines) => (of_four([0, 1, 2, 3].map(|at| most_with(lines.row(at)))), [0.0; 16]),
            LineForm::Snake(_) | LineForm::Corner(_) => return None,
        };
        let ceilings = std::array::from_fn(|rank| factor * (rows[rank] + columns[rank]));
        ceilings.iter().all(|ceiling: &f64| ceiling.is_finite()).then_some(Ceilings(ceilings))
    }
}
