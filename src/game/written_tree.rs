//! A [`GameTree`] as plain data, for saving the games of a session.
//!
//! A game is a list of lines. The first is a [`Record`]; each further line branches off at a position of an earlier
//! one. The positions of a game are numbered line by line, starting at 0.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::game_tree::{GameTree, NodeId};
use super::record::{Record, Step, turn};

/// Separator between two turns of a branch.
const BETWEEN: &str = ", ";

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WrittenTree {
    games: Vec<WrittenGame>,
    /// The position on the board: its game, and its number there.
    at: (usize, usize),
    /// The last position of the line on the board.
    end: usize,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct WrittenGame {
    #[serde(default, skip_serializing_if = "String::is_empty")]
    title: String,
    /// The folder of its run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    run: Option<PathBuf>,
    record: String,
    /// The position where each branch starts, and its turns: `(12, "left 2 r1c4, up 4 r3c3")`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    branches: Vec<(usize, String)>,
    /// Positions with their notes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    notes: Vec<(usize, String)>,
}

impl WrittenTree {
    /// All games with their branches, and the position that is on the board.
    pub fn of(tree: &GameTree, at: NodeId) -> Self {
        let lines = lines(tree);
        let mut numbers = vec![0; tree.len()];
        for line in &lines {
            for (number, id) in line.iter().flatten().enumerate() {
                numbers[id.index()] = number;
            }
        }

        let number = |id: NodeId| numbers[id.index()];
        let noted = |&id: &NodeId| Some((number(id), tree.note(id)?.to_string()));
        let game = |lines: &Vec<Vec<NodeId>>| {
            let steps = |line: &[NodeId]| {
                line.iter()
                    .filter_map(|&id| tree.node(id).step)
                    .collect::<Vec<Step>>()
            };
            let (first, branches) = lines.split_first()?;
            let &start = first.first()?;
            let written = |line: &Vec<NodeId>| {
                let from = line.first().and_then(|&id| tree.node(id).parent)?;
                let turns: Vec<String> = steps(line).iter().map(ToString::to_string).collect();
                Some((number(from), turns.join(BETWEEN)))
            };
            Some(WrittenGame {
                title: tree.game_of(start).title.to_string(),
                run: tree.game_of(start).run.as_deref().map(Into::into),
                record: tree.record_from(start, steps(first)).to_string(),
                branches: branches.iter().filter_map(written).collect(),
                notes: lines.iter().flatten().filter_map(noted).collect(),
            })
        };

        let end = tree.line_through(at).last().map_or(0, |&end| number(end));
        let at = (tree.node(at).game.index(), number(at));
        Self {
            games: lines.iter().filter_map(game).collect(),
            at,
            end,
        }
    }

    /// The tree and the position on the board, or the part that cannot be played.
    pub fn read(&self) -> Result<(GameTree, NodeId), String> {
        let mut tree = GameTree::default();
        let mut on_board = None;
        for (index, game) in self.games.iter().enumerate() {
            let place = |reason: String| format!("game {}: {reason}", index + 1);
            let ids = game.read(&mut tree).map_err(place)?;
            if index == self.at.0 {
                on_board = ids.get(self.at.1).copied().zip(ids.get(self.end).copied());
            }
        }
        let (at, end) = on_board.ok_or("the position on the board is in no game")?;
        tree.favour(end);
        tree.favour(at);
        Ok((tree, at))
    }
}

impl WrittenGame {
    /// Plays the game into a tree. Returns its positions by number.
    fn read(&self, tree: &mut GameTree) -> Result<Vec<NodeId>, String> {
        let record: Record = self.record.parse().map_err(|error| format!("{error}"))?;
        let start = tree.begin_record(&record, &self.title);
        tree.set_run(start, self.run.as_deref());
        let mut ids = vec![start];
        let mut play = |ids: &mut Vec<NodeId>, from: NodeId, step: Step| {
            turn(&tree.node(from).board, step)?;
            let next = tree
                .play(from, step)
                .ok_or_else(|| format!("{step} is not possible"))?;
            ids.push(next);
            Ok::<NodeId, String>(next)
        };

        let mut at = start;
        for &step in &record.steps {
            at = play(&mut ids, at, step)?;
        }
        for (number, (from, turns)) in self.branches.iter().enumerate() {
            let place = |reason: String| format!("branch {}: {reason}", number + 1);
            let unknown = || place(format!("there is no earlier position {from}"));
            let mut at = *ids.get(*from).ok_or_else(unknown)?;
            for text in turns.split(BETWEEN) {
                at = text
                    .parse()
                    .and_then(|step| play(&mut ids, at, step))
                    .map_err(place)?;
            }
        }
        for (position, note) in &self.notes {
            let id = *ids
                .get(*position)
                .ok_or_else(|| format!("a note is on position {position}, which is missing"))?;
            tree.set_note(id, note);
        }
        Ok(ids)
    }
}

/// The lines of each game, in the order in which they were started. A position continues the line of its parent if it
/// was the first one played there.
fn lines(tree: &GameTree) -> Vec<Vec<Vec<NodeId>>> {
    let mut games: Vec<Vec<Vec<NodeId>>> = Vec::new();
    let mut line_of: Vec<usize> = Vec::with_capacity(tree.len());
    for id in tree.ids() {
        let node = tree.node(id);
        let game = node.game.index();
        if games.len() <= game {
            games.resize(game + 1, Vec::new());
        }
        let lines = &mut games[game];
        let before = node
            .parent
            .filter(|&parent| tree.node(parent).children.first() == Some(&id));
        let line = before.map_or(lines.len(), |parent| line_of[parent.index()]);
        if line == lines.len() {
            lines.push(Vec::new());
        }
        lines[line].push(id);
        line_of.push(line);
    }

    games
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Rules, Seed};

    fn slide(tree: &mut GameTree, from: NodeId, number: usize) -> NodeId {
        let legal = tree.node(from).board.legal_moves();
        let mv = legal.nth(number % legal.len()).expect("a legal move");
        tree.slide(from, mv).expect("legal").1
    }

    /// Two games, the second with branches of branches.
    fn played() -> (GameTree, Vec<NodeId>) {
        let mut tree = GameTree::default();
        let rules = Rules::default();
        let begin = |tree: &mut GameTree, seed: u64, title| {
            tree.begin(rules, seed, 3, Seed(seed).game(3).opening(&rules), 8, title)
        };
        let one = begin(&mut tree, 7, "emr, game 3");
        let two = begin(&mut tree, 8, "");
        tree.begun_by(one, &"emr");
        tree.set_run(one, Some(std::path::Path::new("runs/one")));
        let mut ids = vec![one, two];
        for from in [1, 2, 0, 3, 2, 2, 1, 5, 7, 7, 7] {
            let number = ids.len();
            let next = slide(&mut tree, ids[from], number);
            ids.push(next);
        }
        for id in [ids[0], ids[4], ids[9]] {
            tree.set_note(id, "a note");
        }
        (tree, ids)
    }

    #[test]
    fn a_tree_is_read_as_it_was_written_whatever_is_on_the_board() {
        let (mut tree, ids) = played();
        for &at in &ids {
            tree.favour(at);
            let written = WrittenTree::of(&tree, at);
            let (read, cursor) = written.read().expect("sound");
            assert_eq!(WrittenTree::of(&read, cursor), written);
            assert_eq!((read.len(), read.notes().count()), (tree.len(), 3));
            let boards = |tree: &GameTree, at| {
                tree.line_through(at)
                    .iter()
                    .map(|&id| (tree.node(id).board, tree.node(id).score))
                    .collect::<Vec<_>>()
            };
            assert_eq!(boards(&read, cursor), boards(&tree, at));
            assert_eq!(read.siblings(cursor).len(), tree.siblings(at).len());
            let origin = |tree: &GameTree, at| {
                let game = tree.game_of(at);
                (game.title.clone(), game.strategy.clone(), game.run.clone())
            };
            assert_eq!(origin(&read, cursor), origin(&tree, at));
        }
    }

    #[test]
    fn what_cannot_be_played_is_named() {
        let (tree, ids) = played();
        let written = WrittenTree::of(&tree, ids[4]);
        let refused = |change: fn(&mut WrittenTree)| {
            let mut broken = written.clone();
            change(&mut broken);
            broken.read().expect_err("broken")
        };
        assert!(refused(|tree| tree.at.1 = 99).contains("in no game"));
        assert!(refused(|tree| tree.games[0].record.truncate(20)).starts_with("game 1: line "));
        assert!(
            refused(|tree| tree.games[1].branches[0].0 = 99)
                .starts_with("game 2: branch 1: there is no earlier position")
        );
        assert!(
            refused(|tree| tree.games[1].notes[0].0 = 99)
                .starts_with("game 2: a note is on position 99")
        );
        for turn in [
            "",
            "left",
            "left 2 r9c9",
            "left 8 r1c1",
            "left 2 r1c1, left 2 r1c1, left 2 r1c1",
        ] {
            let mut broken = written.clone();
            turn.clone_into(&mut broken.games[1].branches[0].1);
            assert!(
                broken
                    .read()
                    .expect_err(turn)
                    .starts_with("game 2: branch 1: "),
                "{turn}"
            );
        }
    }
}
