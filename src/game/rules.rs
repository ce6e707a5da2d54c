//! What one game may choose: the size of the board and how often a 4 appears.

use serde::{Deserialize, Serialize};

use super::Size;

/// The rules in force.
///
/// Two tiles at the start. A spawn is uniform over the empty cells and is 4 with probability `p4`, else 2; the
/// first two tiles follow the same rule. The game ends when no slide is legal, never at 2048.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Rules {
    /// Rows × columns.
    #[serde(skip_serializing_if = "is_four")]
    pub size: Size,
    /// Probability that a new tile is a 4, from 0 to 1. The original game plays 0.1.
    #[serde(skip_serializing_if = "is_usual")]
    pub p4: f64,
}

impl Rules {
    /// The usual probability of a 4.
    pub const USUAL_P4: f64 = 0.1;

    /// Says what is wrong with these rules, if anything.
    pub fn check(&self) -> Result<(), String> {
        if (0.0..=1.0).contains(&self.p4) {
            return Ok(());
        }
        Err(format!("p4 is {}, but a probability lies between 0 and 1", self.p4))
    }
}

impl Default for Rules {
    fn default() -> Self {
        Self { size: Size::FOUR, p4: Self::USUAL_P4 }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes fields by reference")]
fn is_four(size: &Size) -> bool {
    *size == Size::FOUR
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes fields by reference")]
fn is_usual(p4: &f64) -> bool {
    *p4 == Rules::USUAL_P4
}
