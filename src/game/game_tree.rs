//! Every position that was on the board, as a tree: going back and playing on makes a branch, and nothing is lost.
//!
//! Nodes are only ever added, so undo only needs to remember the cursor.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use super::record::note_line;
use super::{Board, GameSeed, Moment, Move, Notes, Record, Rules, Seed, Slide, Step};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(u32);

impl NodeId {
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GameId(u32);

impl GameId {
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// A position with the player to move, and its origin.
#[derive(Clone, Debug)]
pub struct Node {
    pub game: GameId,
    /// The previous position; `None` at the start of a game.
    pub parent: Option<NodeId>,
    pub step: Option<Step>,
    pub board: Board,
    pub score: u64,
    /// Slides since the start of the game.
    pub moves: u32,
    /// The positions that were played from here, in the order they were tried.
    pub children: Vec<NodeId>,
    /// The child that was visited last. Going forward leads there.
    pub favourite: Option<NodeId>,
}

#[derive(Clone, Debug)]
pub struct Game {
    pub start: NodeId,
    pub rules: Rules,
    pub seed: u64,
    /// Index of the game under that seed.
    pub index: u64,
    /// The title on screen: "emr, game 17 of Composition, Table 1". Empty for a game played here.
    pub title: Arc<str>,
    /// The strategy that plays it, as text: the one in its record, or the one that made its first move here. `None` for
    /// a game that a person or an unnamed program began.
    pub strategy: Option<Arc<str>>,
    /// The folder of its run.
    pub run: Option<Arc<Path>>,
}

impl Game {
    pub fn chance(&self) -> GameSeed {
        self.rules.chance(Seed(self.seed), self.index)
    }
}

#[derive(Clone, Debug, Default)]
pub struct GameTree {
    nodes: Vec<Node>,
    games: Vec<Game>,
    /// Never empty texts.
    notes: BTreeMap<NodeId, Arc<str>>,
    note_changes: u64,
}

impl GameTree {
    /// Starts a game at `board` and returns its first position.
    pub fn begin(
        &mut self,
        rules: Rules,
        seed: u64,
        index: u64,
        board: Board,
        score: u64,
        title: &str,
    ) -> NodeId {
        let game = GameId(self.games.len() as u32);
        let start = NodeId(self.nodes.len() as u32);
        self.games.push(Game {
            start,
            rules,
            seed,
            index,
            title: title.into(),
            strategy: None,
            run: None,
        });
        let node = Node {
            game,
            parent: None,
            step: None,
            board,
            score,
            moves: 0,
            children: Vec::new(),
            favourite: None,
        };
        self.nodes.push(node);
        start
    }

    /// Adds a record and returns its last position.
    pub fn add_record(&mut self, record: &Record, title: &str) -> NodeId {
        let start = self.begin_record(record, title);
        let end = self.play_on(start, &record.steps);
        let mut line: Vec<NodeId> =
            std::iter::successors(Some(end), |&id| self.node(id).parent).collect();
        line.reverse();
        for (&place, note) in &record.notes {
            line.get(place)
                .into_iter()
                .for_each(|&id| self.set_note(id, note));
        }
        end
    }

    /// The note on a position.
    pub fn note(&self, id: NodeId) -> Option<&Arc<str>> {
        self.notes.get(&id)
    }

    /// Writes a note on a position as one line; an empty text removes it.
    pub fn set_note(&mut self, id: NodeId, text: &str) {
        let line = note_line(text);
        self.note_changes += 1;
        if line.is_empty() {
            self.notes.remove(&id);
        } else {
            self.notes.insert(id, line.into());
        }
    }

    /// How often a note was written or removed.
    pub fn note_changes(&self) -> u64 {
        self.note_changes
    }

    /// All notes, in the order in which their positions were played.
    pub fn notes(&self) -> impl Iterator<Item = (NodeId, &Arc<str>)> {
        self.notes.iter().map(|(&id, note)| (id, note))
    }

    /// The notes on a line of positions.
    pub fn notes_on(&self, line: &[NodeId]) -> Notes {
        let noted = |(place, id)| Some((place, self.note(id)?.to_string()));
        line.iter().copied().enumerate().filter_map(noted).collect()
    }

    /// Starts the game of a record and returns its first position.
    pub(super) fn begin_record(&mut self, record: &Record, title: &str) -> NodeId {
        let start = self.begin(
            record.rules,
            record.seed.unwrap_or(0),
            record.game,
            record.start,
            record.score,
            title,
        );
        self.game_mut(start).strategy = record.strategy.as_deref().map(Into::into);
        start
    }

    fn game_mut(&mut self, id: NodeId) -> &mut Game {
        let game = self.node(id).game;
        &mut self.games[game.index()]
    }

    /// Sets the run folder of the game of a position.
    pub fn set_run(&mut self, id: NodeId, run: Option<&Path>) {
        self.game_mut(id).run = run.map(Into::into);
    }

    /// Records that a strategy is about to move: it becomes the player of the game if no move has been made yet.
    pub fn begun_by(&mut self, id: NodeId, strategy: &impl ToString) {
        let node = self.node(id);
        if node.parent.is_none() && node.children.is_empty() && self.game_of(id).strategy.is_none()
        {
            self.game_mut(id).strategy = Some(strategy.to_string().into());
        }
    }

    /// Plays turns up to the first that is not legal. Returns the last position.
    pub fn play_on(&mut self, from: NodeId, steps: &[Step]) -> NodeId {
        let mut at = from;
        for next in steps {
            match self.play(at, *next) {
                Some(next) => at = next,
                None => break,
            }
        }
        at
    }

    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    /// The number of positions of all games. It grows with each new one.
    #[expect(
        clippy::len_without_is_empty,
        reason = "a tree without a position is of no use"
    )]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// All positions in the order in which they were played.
    pub(super) fn ids(&self) -> impl Iterator<Item = NodeId> + use<> {
        (0..self.nodes.len() as u32).map(NodeId)
    }

    pub fn game_of(&self, id: NodeId) -> &Game {
        &self.games[self.node(id).game.index()]
    }

    /// Plays a turn. Returns the position after it, old or new; `None` if the slide is not legal.
    pub fn play(&mut self, from: NodeId, step: Step) -> Option<NodeId> {
        let slide = self.node(from).board.slide(step.mv)?;
        Some(self.follow(from, &slide, step))
    }

    /// Slides and adds the spawn of the game's seed. Returns the turn and the position after it; `None` if the slide is
    /// not legal.
    pub fn slide(&mut self, from: NodeId, mv: Move) -> Option<(Step, NodeId)> {
        let (node, game) = (self.node(from), self.game_of(from));
        let slide = node.board.slide(mv)?;
        let step = Step {
            mv,
            spawn: game
                .chance()
                .spawn(node.moves + 2, &slide.after.board(), game.rules.p4),
        };
        Some((step, self.follow(from, &slide, step)))
    }

    fn follow(&mut self, from: NodeId, slide: &Slide, step: Step) -> NodeId {
        let old = self
            .node(from)
            .children
            .iter()
            .copied()
            .find(|&child| self.node(child).step == Some(step));
        if let Some(child) = old {
            self.nodes[from.index()].favourite = Some(child);
            return child;
        }

        let node = self.node(from);
        let Moment { board, score } = Moment {
            board: node.board,
            score: node.score,
        }
        .following(slide, step.spawn);
        let next = Node {
            game: node.game,
            parent: Some(from),
            step: Some(step),
            board,
            score,
            moves: node.moves + 1,
            children: Vec::new(),
            favourite: None,
        };

        let id = NodeId(self.nodes.len() as u32);
        self.nodes.push(next);
        let from = &mut self.nodes[from.index()];
        from.children.push(id);
        from.favourite = Some(id);
        id
    }

    /// Makes the path to a position the one that going forward follows.
    pub fn favour(&mut self, mut id: NodeId) {
        while let Some(parent) = self.node(id).parent {
            self.nodes[parent.index()].favourite = Some(id);
            id = parent;
        }
    }

    /// The positions from the start of the game through `id` to the end of the line that going forward follows.
    pub fn line_through(&self, id: NodeId) -> Vec<NodeId> {
        let mut line: Vec<NodeId> =
            std::iter::successors(Some(id), |&id| self.node(id).parent).collect();
        line.reverse();
        line.extend(std::iter::successors(self.node(id).favourite, |&id| {
            self.node(id).favourite
        }));
        line
    }

    /// The positions with the same parent, including `id`, in the order they were tried. For the start of a game, the
    /// starts of all games.
    pub fn siblings(&self, id: NodeId) -> Vec<NodeId> {
        match self.node(id).parent {
            Some(parent) => self.node(parent).children.clone(),
            None => self.games.iter().map(|game| game.start).collect(),
        }
    }

    /// The last position on the path to `id`, including `id`, that has siblings.
    pub fn fork(&self, id: NodeId) -> Option<NodeId> {
        std::iter::successors(Some(id), |&id| self.node(id).parent).find(|&id| {
            self.node(id)
                .parent
                .is_some_and(|parent| 1 < self.node(parent).children.len())
        })
    }

    /// The index of a position among its siblings, from 0, and their number.
    pub fn place_among_siblings(&self, id: NodeId) -> (usize, usize) {
        let siblings = self.siblings(id);
        (
            siblings
                .iter()
                .position(|&sibling| sibling == id)
                .unwrap_or(0),
            siblings.len(),
        )
    }

    /// The game through `id` as a record.
    pub fn record(&self, id: NodeId) -> Record {
        let line = self.line_through(id);
        let steps = line.iter().filter_map(|&id| self.node(id).step).collect();
        Record {
            notes: self.notes_on(&line),
            ..self.record_from(line[0], steps)
        }
    }

    /// The record of these turns from the start of a game, without notes.
    pub(super) fn record_from(&self, start: NodeId, steps: Vec<Step>) -> Record {
        let (
            Game {
                rules,
                seed,
                index,
                strategy,
                ..
            },
            Node { board, score, .. },
        ) = (self.game_of(start), self.node(start));
        let strategy = strategy.as_deref().map(str::to_owned);
        Record {
            rules: *rules,
            seed: Some(*seed),
            game: *index,
            strategy,
            start: *board,
            score: *score,
            steps,
            notes: Notes::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn started() -> (GameTree, NodeId) {
        let mut tree = GameTree::default();
        let rules = Rules::default();
        let start = tree.begin(rules, 7, 0, Seed(7).game(0).opening(&rules), 0, "");
        (tree, start)
    }

    fn step(tree: &GameTree, from: NodeId, number: usize) -> Step {
        let legal = tree.node(from).board.legal_moves();
        let mv = legal.nth(number % legal.len()).expect("a legal move");
        tree.clone().slide(from, mv).expect("legal").0
    }

    #[test]
    fn going_back_and_playing_on_branches_and_keeps_both() {
        let (mut tree, start) = started();
        let (first, second) = (step(&tree, start, 0), step(&tree, start, 1));
        let a = tree.play(start, first).expect("legal");
        let then = step(&tree, a, 0);
        let b = tree.play(a, then).expect("legal");
        let c = tree.play(start, second).expect("legal");
        assert_ne!(a, c);
        assert_eq!(tree.node(start).children, [a, c]);
        assert_eq!(tree.siblings(c), [a, c]);
        assert_eq!(tree.line_through(start), [start, c]);
        tree.favour(a);
        assert_eq!(tree.line_through(start), [start, a, b]);
        assert_eq!(
            tree.play(start, first),
            Some(a),
            "the same turn leads to the same position"
        );
        assert_eq!(tree.node(start).children.len(), 2);
    }

    #[test]
    fn a_line_is_written_and_read_as_a_record() {
        let (mut tree, start) = started();
        tree.begun_by(start, &"Strategy(criteria: [])");
        let mut at = start;
        for k in 0..30 {
            let next = step(&tree, at, k);
            at = tree.play(at, next).expect("legal");
        }
        tree.begun_by(start, &"another one");
        tree.set_note(start, "  the first\n board ");
        tree.set_note(at, "the last");
        tree.set_note(tree.line_through(start)[3], " ");
        let record = tree.record(start);
        assert_eq!(
            (record.steps.len(), record.strategy.as_deref()),
            (30, Some("Strategy(criteria: [])"))
        );
        assert_eq!(
            record.notes,
            Notes::from([
                (0, "the first board".to_owned()),
                (30, "the last".to_owned())
            ])
        );
        let read: Record = record.to_string().parse().expect("a record");
        assert_eq!(read, record);
        let end = tree.add_record(&read, "read");
        assert_eq!(tree.node(end).board, tree.node(at).board);
        assert_eq!(tree.node(end).score, tree.node(at).score);
        assert_eq!(tree.record(end), read, "who played is kept");
    }

    #[test]
    fn a_game_that_a_person_began_is_of_no_strategy() {
        let (mut tree, start) = started();
        let first = step(&tree, start, 0);
        let next = tree.play(start, first).expect("legal");
        tree.begun_by(next, &"Strategy(criteria: [])");
        tree.begun_by(start, &"Strategy(criteria: [])");
        assert_eq!(tree.record(next).strategy, None);
    }
}
