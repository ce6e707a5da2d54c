//! Trees as games in extensive form: Gambit's `.efg` format.
//!
//! Gambit solves games of any kind. The value of the game that it computes is the value of the search. The format is
//! described under "The extensive game (.efg) file format" in <https://gambitproject.readthedocs.io/>. One line is one
//! node, in visit order:
//!
//! ```text
//! p "n12 board" 1 13 "n12" { "up" "left" } 0                       the player slides
//! c "n13 board" 14 "n13" { "2 at r1c4" 9/70 "4 at r1c4" 1/70 … } 0  a tile appears
//! t "n14 board" 15 "n14" { 812.5 }                                 the search ends with a value
//! ```
//!
//! - Probabilities are fractions, computed from the decimals of the chance of a 4, so that they add up to exactly 1.
//! - The board is public, so every board to move is an information set of its own.
//! - `n12` is node 12 of the other formats; information sets and outcomes have the number after it. Several nodes may
//!   have the same board, but Gambit 17 requires unique labels.
//! - Minimax has a second player, who chooses the spawns and pays what the first player gets. Where the least mean over
//!   the cells counts, the second player chooses the cell and chance chooses the tile.
//! - Dead boards, cut afterstates and values from the transposition table end the game with their value. Cells that are
//!   too unimportant to be considered are left out.
//! - Where dead boards count 0 and all slides are worth less, a fifth move "stop" is worth 0, as in the search.

use std::io::{self, Write};

use super::{Link, NodeId, NodeView, Tree, TreeKind};
use crate::game::{Cell, Move, Spawn};
use crate::search::{Bound, Dead, Rule};
use crate::words;

/// Gambit takes minutes to read larger games.
const MOST_NODES: usize = 50_000;

/// The limit on the decimals of the chance of a 4. More would overflow the fractions, and an `f64` does not have them.
const MOST_DECIMALS: usize = 20;

/// The chances of a 2 and of a 4, in parts of `whole`.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Chances {
    parts: [u128; 2],
    whole: u128,
}

impl Chances {
    /// From the decimals of the chance of a 4. `None` if there are too many.
    fn new(p4: f64) -> Option<Self> {
        let text = p4.to_string();
        let (_, decimals) = text.split_once('.').unwrap_or((&text, ""));
        if MOST_DECIMALS < decimals.len() || !(0.0..=1.0).contains(&p4) {
            return None;
        }
        let whole = 10_u128.pow(decimals.len() as u32);
        let four: u128 = text.replace('.', "").parse().ok()?;
        Some(Self {
            parts: [whole.checked_sub(four)?, four],
            whole,
        })
    }

    /// The probability of a tile on one of `cells` cells, as a fraction such as `9/70`.
    fn fraction(self, spawn: Spawn, cells: u32) -> String {
        let part = self.parts[usize::from(spawn.rank.get() == 2)];
        let whole = self.whole * u128::from(cells.max(1));
        let divisor = greatest_divisor(part, whole);
        format!("{}/{}", part / divisor, whole / divisor)
    }
}

/// The greatest common divisor. The second number is not 0.
fn greatest_divisor(mut a: u128, mut b: u128) -> u128 {
    while a != 0 {
        (a, b) = (b % a, a);
    }
    b
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NotAGame {
    #[error(
        "a game needs the values of its ends, but these are means of samples: use a search by depth"
    )]
    Sampled,
    #[error(
        "a game needs every node, but the record left {} out: record more of them or look fewer plies ahead",
        words::count(*.nodes)
    )]
    LeftOut { nodes: u64 },
    #[error(
        "a game may have at most {}, but this tree has {}: look fewer plies ahead",
        words::plural(MOST_NODES as u64, "node"),
        words::count(*.nodes)
    )]
    TooLarge { nodes: u64 },
    #[error("a player maximizes in a game, but this search minimizes at its root")]
    WantsLeast,
    #[error("the probability of a 4 has too many decimals for a fraction")]
    Chance,
    #[error(
        "a game needs the value of every node, but alpha-beta did not search {}: search without that cut",
        words::plural(*.nodes, "node")
    )]
    Unsearched { nodes: u64 },
    #[error("a game needs exact values, but alpha-beta left only bounds: search without that cut")]
    Bounds,
    #[error(
        "chance averages in a game, but this search adds the cells up: choose another value for spawns"
    )]
    AddsUp,
    #[error(
        "the file lists spawns cell by cell, but this search draws the tile first: choose another value for spawns"
    )]
    TileFirst,
    #[error("a game needs finite values, but some here are not")]
    NoNumber,
}

pub(super) fn check(tree: &Tree) -> Result<(), NotAGame> {
    let count = |rule: Rule| tree.ids().filter(|&id| tree.rule(id) == rule).count() as u64;
    let is_bound = |id| tree.rule(id) == Rule::Stored && tree.bound(id) != Bound::Exact;
    // Only small trees are searched for bounds.
    Err(match tree.left_out() {
        _ if tree.search_kind() == TreeKind::Sampled => NotAGame::Sampled,
        0 if MOST_NODES < tree.kept() => NotAGame::TooLarge {
            nodes: tree.kept() as u64,
        },
        0 if tree.wants_least(tree.root()) => NotAGame::WantsLeast,
        0 if Chances::new(tree.subject.definition.rules.p4).is_none() => NotAGame::Chance,
        0 => match count(Rule::OutOfBounds) {
            0 if tree.ids().any(is_bound) => NotAGame::Bounds,
            0 if count(Rule::SumOf) != 0 => NotAGame::AddsUp,
            0 if count(Rule::MeanLeastOf) != 0 => NotAGame::TileFirst,
            0 if tree
                .ids()
                .all(|id| tree.value(id).is_none_or(f64::is_finite)) =>
            {
                return Ok(());
            }
            0 => NotAGame::NoNumber,
            nodes => NotAGame::Unsearched { nodes },
        },
        nodes => NotAGame::LeftOut { nodes },
    })
}

/// Writes the whole game. A tree that [`check`] refuses comes out incomplete.
pub(super) fn write(tree: &Tree, out: &mut dyn Write) -> io::Result<()> {
    let definition = &tree.subject.definition;
    let title = format!(
        "{} over {} at {}",
        definition.lookahead, definition.evaluator, tree.subject.board
    );
    let is_contested = tree
        .ids()
        .any(|id| matches!(tree.at(id).rule(), Rule::MinOf | Rule::LeastMeanOf));
    let players = if is_contested {
        "\"Player\" \"Spawner\""
    } else {
        "\"Player\""
    };
    writeln!(
        out,
        "EFG 2 R \"{}\" {{ {players} }}",
        title.replace(['"', '\\'], "'")
    )?;
    writeln!(
        out,
        "\"The record of a search of 2048. n12 is its node 12.\""
    )?;
    writeln!(out)?;
    tree.nodes()
        .try_for_each(|node| node_lines(tree, &node, is_contested, out))
}

/// The line of one node, and the lines of choices for which the search has no node.
pub(super) fn node_lines(
    tree: &Tree,
    node: &NodeView,
    is_contested: bool,
    out: &mut dyn Write,
) -> io::Result<()> {
    let (id, number, board) = (node.id.0, node.id.0 + 1, &node.board);
    let Some(chances) = Chances::new(tree.subject.definition.rules.p4) else {
        return Ok(());
    };
    let rule = tree.at(node.id).rule();
    if let (Some(parent), Some(Link::Spawn(spawn))) = (node.parent, node.link)
        && tree.at(parent).rule() == Rule::LeastMeanOf
        && tiles_of(tree, parent, spawn.cell)
            .next()
            .is_some_and(|(first, _)| first == node.id)
    {
        // The cell is chosen here. Its number is free, because this node is no chance node.
        write!(out, "c \"\" {number} \"n{} {}\" {{", parent.0, spawn.cell)?;
        for (_, tile) in tiles_of(tree, parent, spawn.cell) {
            write!(out, " \"{}\" {}", tile.rank, chances.fraction(tile, 1))?;
        }
        writeln!(out, " }} 0")?;
    }

    let stops = rule == Rule::MaxOf && tree.stops(node);
    let spawns = spawns(tree, node.id).map(|(_, spawn)| spawn);
    // The player to move, and the actions.
    let (kind, player, actions): (_, _, String) = match rule {
        Rule::Unimportant
        | Rule::OutOfBounds
        | Rule::SumOf
        | Rule::MeanLeastOf
        | Rule::NotExpanded => return Ok(()),
        Rule::Evaluated | Rule::Dead | Rule::TooImprobable | Rule::Stored | Rule::Sampled => {
            let value = node.value.unwrap_or(0.0);
            return end(
                out,
                &format!("n{id} {board}"),
                number,
                &format!("n{id}"),
                value,
                is_contested,
            );
        }
        Rule::MeanOf | Rule::SpawnsDrawn => {
            let cells = tree.at(node.id).considered();
            (
                "c",
                "",
                spawns
                    .map(|spawn| format!(" \"{spawn}\" {}", chances.fraction(spawn, cells)))
                    .collect(),
            )
        }
        Rule::LeastMeanOf => {
            let mut last = None;
            let cells = spawns
                .map(|spawn| spawn.cell)
                .filter(|&cell| last.replace(cell) != Some(cell));
            (
                "p",
                " 2",
                cells.map(|cell| format!(" \"{cell}\"")).collect(),
            )
        }
        Rule::MinOf => (
            "p",
            " 2",
            spawns.map(|spawn| format!(" \"{spawn}\"")).collect(),
        ),
        Rule::MaxOf | Rule::MovesTried => {
            let slides = tree
                .children(node.id)
                .filter_map(|child| tree.slide(child))
                .map(Move::name);
            let names = stops.then_some("stop").into_iter().chain(slides);
            (
                "p",
                " 1",
                names.map(|name| format!(" \"{name}\"")).collect(),
            )
        }
    };

    writeln!(
        out,
        "{kind} \"n{id} {board}\"{player} {number} \"n{id}\" {{{actions} }} 0"
    )?;
    if stops {
        end(out, "", number, &format!("n{id} stop"), 0.0, is_contested)
    } else {
        Ok(())
    }
}

fn end(
    out: &mut dyn Write,
    label: &str,
    number: u32,
    name: &str,
    value: f64,
    is_contested: bool,
) -> io::Result<()> {
    // Turns −0 into 0, which prints without a minus sign.
    let value = value + 0.0;
    if is_contested {
        writeln!(
            out,
            "t \"{label}\" {number} \"{name}\" {{ {value}, {} }}",
            0.0 - value
        )
    } else {
        writeln!(out, "t \"{label}\" {number} \"{name}\" {{ {value} }}")
    }
}

/// The spawns that were considered at a node.
fn spawns(tree: &Tree, id: NodeId) -> impl Iterator<Item = (NodeId, Spawn)> + use<'_> {
    let considered = tree
        .children(id)
        .filter(|&child| tree.rule(child) != Rule::Unimportant);
    considered.filter_map(|child| Some((child, tree.spawn(child)?)))
}

fn tiles_of(
    tree: &Tree,
    id: NodeId,
    cell: Cell,
) -> impl Iterator<Item = (NodeId, Spawn)> + use<'_> {
    spawns(tree, id).filter(move |(_, spawn)| spawn.cell == cell)
}

impl Tree {
    /// Whether the value of a max node is 0 although all its slides are worth less.
    fn stops(&self, node: &NodeView) -> bool {
        self.subject.definition.lookahead.dead() == Dead::Zero
            && node.value == Some(0.0)
            && self
                .children(node.id)
                .all(|child| self.value(child).is_some_and(|value| value < 0.0))
    }
}
