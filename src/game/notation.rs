//! Boards as text.
//!
//! Rows are separated by `/`, cells by commas, and empty cells are `0`: `2,0,0,4/0,8,0,0/0,0,0,0/0,0,16,2`. This form
//! covers every size and every tile. [`reading`](super::reading) reads it and many others.

use std::fmt;

use super::Board;

impl Board {
    /// The board as lines of aligned values for terminals, `.` for empty.
    pub fn drawing(&self) -> String {
        let width = self.max_rank().tile().to_string().len();
        let mut drawing = String::new();
        for (cell, rank) in self.cells() {
            let word = if rank.is_empty() {
                ".".to_owned()
            } else {
                rank.tile().to_string()
            };
            drawing += &format!("{word:>width$}");
            let last = usize::from(cell.col) + 1 == self.size().cols();
            drawing.push(if last { '\n' } else { ' ' });
        }
        drawing
    }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (cell, rank) in self.cells() {
            match (cell.row, cell.col) {
                (0, 0) => {}
                (_, 0) => f.write_str("/")?,
                _ => f.write_str(",")?,
            }
            write!(f, "{rank}")?;
        }
        Ok(())
    }
}
