//! Groups the worst moves of many games by a common property.

use strum::EnumIter;

use super::several::{Several, WorstMove};
use super::{Blame, Points};
use crate::game::Board;
use crate::words;

/// The property by which bad moves are grouped.
#[derive(Clone, Copy, PartialEq, Eq, Debug, EnumIter)]
pub enum Grouping {
    /// The largest tile.
    Phase,
    /// The player and what decided.
    Rule,
    /// The place of the largest tile and the number of empty cells.
    Board,
}

impl Grouping {
    pub const fn name(self) -> &'static str {
        ["Largest tile", "Deciding row", "Kind of board"][self as usize]
    }
}

/// A kind of board, for grouping bad moves.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct BoardKind {
    /// Whether the largest tile is in a corner.
    pub in_corner: bool,
    /// 0 with at most two empty cells, 1 with at most five, 2 with more.
    pub room: u8,
}

impl BoardKind {
    pub fn of(board: &Board) -> Self {
        let (rows, cols) = (board.size().rows() as u8 - 1, board.size().cols() as u8 - 1);
        let largest = board.max_rank();
        let in_corner = board.cells().any(|(cell, rank)| {
            rank == largest && cell.row % rows.max(1) == 0 && cell.col % cols.max(1) == 0
        });
        let room = match board.empty_count() {
            0..=2 => 0,
            3..=5 => 1,
            _ => 2,
        };
        Self { in_corner, room }
    }

    /// `largest in a corner, at most 2 empty`.
    pub fn name(self) -> String {
        let place = if self.in_corner {
            "largest in a corner"
        } else {
            "largest not in a corner"
        };
        let room =
            ["at most 2 empty", "3 to 5 empty", "6 or more empty"][usize::from(self.room.min(2))];
        format!("{place}, {room}")
    }
}

/// A group of bad moves, by their indices in [`Several::worst`].
#[derive(Clone, PartialEq, Debug)]
pub struct WorstGroup {
    pub name: String,
    pub loss: Points,
    pub moves: Vec<usize>,
}

impl Several {
    /// The worst moves in groups, with the largest total loss first. `rules` names what decided.
    pub fn groups(&self, by: Grouping, rules: &dyn Fn(&str, Blame) -> String) -> Vec<WorstGroup> {
        let name = |one: &WorstMove| match by {
            Grouping::Phase => format!(
                "largest {}",
                words::count(one.verdict().before.board.max_rank().tile())
            ),
            Grouping::Board => BoardKind::of(&one.verdict().before.board).name(),
            Grouping::Rule => {
                let player = &self.games[one.game].player;
                let rule = one
                    .report
                    .blame
                    .map_or_else(|| "not known".to_owned(), |blame| rules(player, blame));
                if self.losses.len() < 2 {
                    rule
                } else {
                    format!("{player}: {rule}")
                }
            }
        };

        let mut groups: Vec<WorstGroup> = Vec::new();
        for (place, one) in self.worst.iter().enumerate() {
            let name = name(one);
            let group_index = groups
                .iter()
                .position(|group| group.name == name)
                .unwrap_or_else(|| {
                    groups.push(WorstGroup {
                        name,
                        loss: Points::ZERO,
                        moves: Vec::new(),
                    });
                    groups.len() - 1
                });
            groups[group_index].loss += one.verdict().loss;
            groups[group_index].moves.push(place);
        }
        groups.sort_by_key(|group| (std::cmp::Reverse(group.loss), group.moves[0]));
        groups
    }
}
