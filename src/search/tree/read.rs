//! Reads a record from its JSON, as this program or another one wrote it.

use std::borrow::Cow;
use std::io::{BufRead, Read as _};
use std::sync::Arc;

use serde::Deserialize;
use serde_json::error::Category;
use strum::{IntoEnumIterator as _, VariantArray as _};

use super::head::{FORMAT, Head, PROGRAM, PlyHead, StartName, rule_named};
use super::node::{MOST_ORDER, NONE, Node};
use super::room::Room;
use super::view::Place;
use super::{
    Graft, Grafts, LineProblem, NodeCounts, NodeId, Start, Subject, Tree, TreeKind, WrittenBy,
};
use crate::evaluator::Evaluator;
use crate::game::{Board, Cell, Rank, Rules};
use crate::search::{
    Bound, Definition, Edge, End, Lookahead, Method, Plies, PlyCounts, Ranked, Rule, Sample, Stub,
};
use crate::stats::RunningMean;
use crate::task::CancelToken;

/// Nodes of the largest record that can be opened: 1 GiB in memory.
const MOST_NODES: usize = 1 << 25;

/// Maximum length of a line in bytes. The longest is the line of the root, which has the strategy.
const LONGEST_LINE: u64 = 1 << 20;

/// Maximum plies from the root to the deepest node, including grafts upon grafts.
const DEEPEST: usize = 4 * Plies::DEEPEST as usize;

/// The same for a record of samples. No game that a person waits for is longer.
const DEEPEST_SAMPLED: usize = 1 << 14;

const LINES_A_LOOK: u64 = 4096;

const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// Why a file is no record: its first error.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum TreeReadError {
    #[error("line {line}: {problem}")]
    Line { line: u64, problem: LineProblem },
    #[error("it cannot be read: {reason}")]
    Unreadable { reason: String },
    #[error("it ends after {found} of {expected} nodes: write it again, or copy it whole")]
    CutShort { found: u64, expected: u64 },
    #[error("reading was stopped")]
    Stopped,
}

#[derive(Deserialize)]
#[serde(expecting = "an object")]
struct NodeLine<'a> {
    id: u64,
    #[serde(default)]
    parent: Option<u64>,
    #[serde(default, rename = "move", borrow)]
    mv: Option<Cow<'a, str>>,
    #[serde(default)]
    spawn: Option<SpawnLine>,
    #[serde(default, borrow)]
    board: Option<Cow<'a, str>>,
    #[serde(default)]
    score: Option<u64>,
    #[serde(default)]
    reach: Option<f64>,
    #[serde(default)]
    value: Option<f64>,
    #[serde(default, borrow)]
    bound: Option<Cow<'a, str>>,
    #[serde(borrow)]
    how: How<'a>,
    #[serde(default)]
    plies_left: Option<u32>,
    #[serde(default)]
    order: Option<u64>,
    #[serde(default)]
    nodes: Option<u64>,
    #[serde(default)]
    grafted: Option<GraftLine>,
    #[serde(default)]
    samples: Option<SampleLine>,
    #[serde(default)]
    head: Option<Box<Head>>,
}

/// The samples of a node.
#[derive(Clone, Copy, Deserialize)]
#[serde(expecting = "an object")]
struct SampleLine {
    all: RunningMean,
    #[serde(default)]
    own: RunningMean,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(expecting = "an object")]
struct SpawnLine {
    cell: [u8; 2],
    tile: u64,
}

/// A node at which a later search begins.
#[derive(Clone, Copy, Deserialize)]
#[serde(expecting = "an object")]
struct GraftLine {
    plies: u32,
    reach: f64,
    #[serde(default)]
    beyond: bool,
}

#[derive(Deserialize)]
#[serde(expecting = "an object")]
struct How<'a> {
    #[serde(borrow)]
    by: Cow<'a, str>,
    #[serde(default)]
    alpha: Option<f64>,
    #[serde(default)]
    beta: Option<f64>,
    #[serde(default)]
    rank: Option<u8>,
    #[serde(default)]
    considered: Option<u8>,
    #[serde(default, borrow)]
    of: Option<Cow<'a, str>>,
    #[serde(default)]
    node: Option<u64>,
}

/// A node that may still get children.
struct Open {
    id: u32,
    place: Place,
    end: End,
    /// The number of nodes below it in the whole search, if the file says so.
    nodes: Option<u64>,
    /// Its children and the nodes below them, counted so far.
    below: u64,
    /// The line number of the node.
    line: u64,
}

struct Reader {
    tree: Tree,
    open: Vec<Open>,
    /// Nodes with a value from the table, each with the id of the node that the value comes from.
    stored: Vec<(u32, u64)>,
    line: u64,
    head: Head,
}

impl Tree {
    /// Whether a file that begins like this is a record as JSON.
    pub fn is_record(start: &[u8]) -> bool {
        let text = String::from_utf8_lossy(start);
        let text = text.trim_start_matches('\u{feff}').trim_start();
        text.starts_with('{')
            && ["\"id\"", "\"how\"", "\"head\""]
                .iter()
                .all(|key| text.contains(key))
    }

    /// The number of bytes that [`Tree::is_record`] needs.
    pub const HEAD_BYTES: u64 = LONGEST_LINE;

    /// Reads a record that was written as [JSON](super::TreeFormat::Json), by this program or another one.
    ///
    /// A file has one object per line and one line per node. A node follows its parent and all nodes below its elder
    /// siblings. The keys:
    ///
    /// | key | of | meaning |
    /// | --- | --- | --- |
    /// | `id` | every node | its line, from 0 |
    /// | `parent` | all but the root | `id` of the node above |
    /// | `move` or `spawn` | all but the root | up\|down\|left\|right, or {`cell`: \[row, column\] from 0, `tile`: 2\|4} |
    /// | `value` | nodes that were searched or evaluated | a number; may be left out at the root of a choice, and if a bound has no information |
    /// | `how` | every node | {`by`: max\|mean\|sum\|least_mean\|mean_least\|min\|evaluated\|dead\|reach\|alpha_beta\|important_cells\|table}, with `alpha` and `beta`, or `rank` and `considered`, or `node`: the `id` of a node searched to the same depth, whose value came from the table |
    /// | `bound` | optional | exact (if it is left out), upper\|lower |
    /// | `order`, `nodes` | optional | number in the order of the visit; nodes below, more than there are lines if some were left out |
    /// | `samples` | a record of samples, nodes that some went through | {`all`, `own`}: {`count`, `mean`, `squares`} of all that went through the node and of those that began or ended there; `squares` is the sum of squared distances from the mean |
    /// | `grafted` | optional | {`plies`, `reach`} at the start of a later search, which has this depth and counts the node as this probable; `beyond`: true at a tile on a cell that the search did not consider |
    /// | `board`, `plies_left`, `head` | the root | the board to move, plies to the end of the depth, and what follows |
    /// | `score`, `reach` | the root, optional | points so far; 1 |
    ///
    /// For other nodes, `board` and `score` are checked against the path that leads there; all other keys may be left
    /// out. `head` has `format`: 1, `program`: its name and version, `evaluator` in the text of this program (left out
    /// for another program's own evaluator), `lookahead` in the text of this program, such as `Expectimax(plies:
    /// Fixed(3))`, `rules`: {`size`, `p4`} if they are not 4x4 and 0.1, `start`: choice\|turn\|spawn. Optional are
    /// `prefer`: higher\|lower, `tolerance`, `asked`: moves, `chosen`: move, `halved_from`: the real board if the
    /// search halved its large tiles, `kept`: lines of the file, `least_reach`, `elsewhere`, `unfinished`, and `plies`:
    /// the counts of each ply. A record of samples has `playouts`: {`depth`: plies of its deepest node, `of_each`:
    /// \[up, down, left, right\], `ended`: spent\|sure}, and optionally `lead` and `curve`; the rules of its nodes are
    /// playouts\|visits\|drawn\|dead\|not_expanded.
    ///
    /// # Errors
    ///
    /// The first line that is not a valid node at its place. Values are not checked here but in [`Tree::check`]. Memory
    /// is bounded by the nodes of the file, at most 33,554,432.
    pub fn read(input: &mut dyn BufRead, stop: &CancelToken) -> Result<Self, TreeReadError> {
        let mut bytes = Vec::new();
        let mut number = 0;
        let mut reader: Option<Reader> = None;
        while next_line(input, &mut bytes, number + 1)? {
            number += 1;
            if number % LINES_A_LOOK == 0 && stop.is_cancelled() {
                return Err(TreeReadError::Stopped);
            }
            let wrong = |problem| TreeReadError::Line {
                line: number,
                problem,
            };
            let text = if number == 1 {
                bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&bytes)
            } else {
                &bytes
            };
            let line: NodeLine<'_> = serde_json::from_slice(text.trim_ascii())
                .map_err(|error| wrong(problem_of_json(&error)))?;
            match &mut reader {
                Some(reader) => reader.take(&line, number).map_err(wrong)?,
                None => reader = Some(Reader::begin(line).map_err(wrong)?),
            }
        }

        reader
            .ok_or(TreeReadError::Line {
                line: 1,
                problem: LineProblem::NoNodes,
            })?
            .finish()
    }
}

/// Reads the next line that is not blank. Returns whether there is one.
fn next_line(
    input: &mut dyn BufRead,
    bytes: &mut Vec<u8>,
    number: u64,
) -> Result<bool, TreeReadError> {
    loop {
        bytes.clear();
        let read = input.take(LONGEST_LINE).read_until(b'\n', bytes);
        let read = read.map_err(|error| TreeReadError::Unreadable {
            reason: error.to_string(),
        })?;
        if read as u64 == LONGEST_LINE {
            return Err(TreeReadError::Line {
                line: number,
                problem: LineProblem::TooLong(LONGEST_LINE),
            });
        }
        if read == 0 || !bytes.trim_ascii().is_empty() {
            return Ok(read != 0);
        }
    }
}

/// The error in the JSON of one line, without the line number of the parser.
fn problem_of_json(error: &serde_json::Error) -> LineProblem {
    let text = error.to_string();
    let reason = text
        .rsplit_once(" at line ")
        .map_or(text.as_str(), |(reason, _)| reason);
    match error.classify() {
        Category::Eof => LineProblem::CutShort,
        Category::Data => LineProblem::NotANode(reason.to_owned()),
        _ => LineProblem::NotJson {
            reason: reason.to_owned(),
            column: error.column(),
        },
    }
}

impl Reader {
    /// Starts with the line of the root.
    fn begin(mut line: NodeLine<'_>) -> Result<Self, LineProblem> {
        let head = line.head.take().ok_or(LineProblem::NoHead)?;
        if line.id != 0 || line.parent.is_some() {
            return Err(LineProblem::NotTheRoot);
        }
        if head.format != FORMAT {
            return Err(LineProblem::Format {
                found: head.format,
                supported: FORMAT,
            });
        }

        let board: Board = line
            .board
            .as_ref()
            .ok_or(LineProblem::NoBoard)?
            .parse()
            .map_err(LineProblem::Board)?;
        let definition = definition(&head, &board)?;
        let start = head.start(&board)?;
        let is_sampled = definition.lookahead.sampled().is_some();
        let is_tree = definition
            .lookahead
            .sampled()
            .is_some_and(|sampled| matches!(sampled.method, Method::Tree(_)));
        if is_sampled && head.start != StartName::Choice {
            return Err(LineProblem::SamplesWithoutChoice);
        }

        let playouts = head
            .playouts
            .as_ref()
            .map(|playouts| playouts.playouts(is_tree))
            .transpose()?;
        if is_sampled && playouts.is_none() {
            return Err(LineProblem::NoPlayouts);
        }

        let depth = head
            .playouts
            .as_ref()
            .map(|playouts| playouts.depth)
            .filter(|_| is_sampled);
        let plies = depth
            .or(line.plies_left)
            .filter(|&plies| plies <= deepest(is_sampled));
        let plies = plies.ok_or(LineProblem::NoPlies(deepest(is_sampled)))?;
        if plies == 0 && head.start == StartName::Choice {
            return Err(LineProblem::NothingSearched);
        }
        let reach = line.reach.unwrap_or(1.0);
        if !(0.0..=1.0).contains(&reach) {
            return Err(LineProblem::Reach(reach));
        }
        let rows = head
            .plies
            .iter()
            .flatten()
            .map(PlyHead::counts)
            .collect::<Result<Vec<_>, _>>()?;
        if DEEPEST < rows.len() {
            return Err(LineProblem::TooManyPlies(rows.len()));
        }

        let score = line.score.unwrap_or(0);
        let written_by = WrittenBy {
            program: head.program.clone(),
            knows_evaluator: head.evaluator.is_some(),
        };
        let is_ours = written_by
            == WrittenBy {
                program: PROGRAM.to_owned(),
                knows_evaluator: true,
            };
        let tree = Tree {
            nodes: Room::default(),
            samples: Vec::new(),
            subject: Subject {
                definition,
                board,
                score,
                plies,
                reach,
                start,
            },
            counts: NodeCounts::default(),
            plies: rows,
            searched: 0,
            least_reach: head.least_reach,
            elsewhere: head.elsewhere,
            unfinished: head.unfinished,
            chosen: head.chosen()?,
            playouts: playouts.filter(|_| is_sampled).map(Arc::new),
            halved_from: head.halved_from()?,
            written_by: (!is_ours).then(|| Arc::new(written_by)),
            grafts: Grafts::default(),
        };
        let mut reader = Self {
            tree,
            open: Vec::new(),
            stored: Vec::new(),
            line: 1,
            head: *head,
        };
        let place = reader.tree.first_place();
        reader.add(&line, None, place)?;
        Ok(reader)
    }

    /// Takes the next line: a child of an open node.
    fn take(&mut self, line: &NodeLine<'_>, number: u64) -> Result<(), LineProblem> {
        self.line = number;
        let id = self.tree.nodes.len() as u64;
        if line.id != id {
            return Err(LineProblem::Id {
                found: line.id,
                expected: id,
            });
        }

        let parent = line.parent.ok_or(LineProblem::NoParent)?;
        while self
            .open
            .last()
            .is_some_and(|top| u64::from(top.id) != parent)
        {
            self.close()?;
        }
        let top = self.open.last().ok_or(LineProblem::Parent(parent))?;
        if !top.end.rule.is_inner() {
            return Err(LineProblem::BelowEnd(parent));
        }

        let is_sampled = self.tree.search_kind() == TreeKind::Sampled;
        let is_deep = if is_sampled { DEEPEST_SAMPLED } else { DEEPEST } <= self.open.len();
        if is_deep || !is_sampled && top.place.plies == 0 {
            return Err(LineProblem::BelowLastPly(parent));
        }
        let edge = edge(line, top.place.board)?;
        let node = Node::opened(top.id, Some(edge), 0);
        let stub = stub(line, rule(line)?)?;
        let mut stepped = node;
        if let Some(stub) = stub {
            stepped.close_stub(stub);
        }
        let place = self
            .tree
            .step(&top.place, self.tree.at(NodeId(top.id)), &stepped);
        if !place.is_legal {
            return Err(LineProblem::Impossible);
        }

        if let Some(found) = line.score.filter(|&score| score != place.score) {
            return Err(LineProblem::Score {
                found,
                expected: place.score,
            });
        }
        if let Some(board) = &line.board
            && board.parse::<Board>() != Ok(place.board)
        {
            return Err(LineProblem::OtherBoard(place.board));
        }
        self.add(line, Some(edge), place)
    }

    fn add(
        &mut self,
        line: &NodeLine<'_>,
        edge: Option<Edge>,
        mut place: Place,
    ) -> Result<(), LineProblem> {
        let rule = rule(line)?;
        let is_root = edge.is_none();
        let is_choice = is_root && matches!(self.tree.subject.start, Start::Choice { .. });
        let is_sampled = self.tree.search_kind() == TreeKind::Sampled;
        can_stand(rule, &place, is_choice, is_sampled)?;
        let parent = self.open.last().map_or(NONE, |top| top.id);
        let before = self.tree.nodes.last().map(Node::order);
        let order = line.order.unwrap_or(before.map_or(0, |before| before + 1));
        if MOST_ORDER < order || before.is_some_and(|before| order <= before) {
            return Err(LineProblem::Order(order));
        }

        if MOST_NODES <= self.tree.nodes.len() || self.tree.nodes.try_reserve(1).is_err() {
            return Err(LineProblem::TooManyNodes(self.tree.nodes.len()));
        }

        let id = self.tree.nodes.len() as u32;
        let mut node = Node::opened(parent, edge, order);
        if let Some(GraftLine {
            plies,
            reach,
            beyond,
        }) = line.grafted
        {
            if is_root || Plies::DEEPEST < plies || !(0.0..=1.0).contains(&reach) {
                return Err(LineProblem::Graft);
            }
            self.tree.grafts.push(Graft {
                node: id,
                plies,
                reach,
                beyond,
            });
            place = Place {
                plies,
                counted: reach,
                ..place
            };
        }

        match stub(line, rule)? {
            Some(stub) => node.close_stub(stub),
            None if rule.is_inner() && !place.is_turn => {
                node.consider(self.tree.considered_by_rule(&place));
            }
            None => {}
        }
        self.tree.nodes.push(node);
        if is_sampled {
            let sample = line
                .samples
                .map_or_else(Sample::default, |SampleLine { all, own }| Sample {
                    all,
                    own,
                });
            if ![sample.all, sample.own].iter().all(RunningMean::is_sound) {
                return Err(LineProblem::Samples);
            }
            self.tree.samples.push(sample);
        }
        if rule == Rule::Stored
            && let Some(stored) = line.how.node
        {
            self.stored.push((id, stored));
        }
        let bound = bound(line)?;
        // JSON has no infinity. `null` is also a move without an exact value.
        let value = line.value.or(match bound {
            Bound::Lower => Some(f64::NEG_INFINITY),
            Bound::Upper => Some(f64::INFINITY),
            Bound::Exact => (is_choice || rule.is_stub()).then_some(f64::NAN),
        });
        let value = value.ok_or(LineProblem::NoValue(rule))?;
        let end = End { value, rule, bound };
        self.open.push(Open {
            id,
            place,
            end,
            nodes: line.nodes,
            below: 0,
            line: self.line,
        });
        Ok(())
    }

    /// Closes the innermost open node.
    fn close(&mut self) -> Result<(), LineProblem> {
        let Some(Open {
            id,
            end,
            nodes,
            below: found,
            line,
            ..
        }) = self.open.pop()
        else {
            return Ok(());
        };
        let below = nodes.unwrap_or(found);
        let ends = !end.rule.is_inner();
        if below < found || MOST_ORDER < below || ends && below != 0 {
            return Err(LineProblem::Below {
                id,
                line,
                below,
                found,
            });
        }

        if !end.rule.is_stub() {
            let kept = self.tree.nodes.len() as u32 - id - 1;
            self.tree.nodes[id as usize].close(end, below, kept);
        }
        if let Some(above) = self.open.last_mut() {
            above.below = above.below.saturating_add(1 + below);
        }
        Ok(())
    }

    fn finish(mut self) -> Result<Tree, TreeReadError> {
        let line = self.line;
        let wrong = |problem| TreeReadError::Line { line, problem };
        let found = self.tree.nodes.len() as u64;
        if let Some(expected) = self.head.kept.filter(|&kept| kept != found) {
            return Err(TreeReadError::CutShort { found, expected });
        }

        while !self.open.is_empty() {
            self.close().map_err(wrong)?;
        }
        self.tree.count_cells_beyond();
        for &(id, stored) in &self.stored {
            if found <= stored || !self.tree.can_refer(NodeId(id), NodeId(stored as u32)) {
                return Err(wrong(LineProblem::Stored { id, stored }));
            }
            self.tree.nodes[id as usize].refer_to(stored as u32);
        }

        let mut tree = self.tree;
        tree.count_again();
        let counted = tree.plies_of_nodes();
        // Counts that follow from the nodes are not taken from the head.
        let is_counted = tree
            .plies
            .iter()
            .map(|ply| ply.by_rule)
            .eq(counted.iter().map(|ply| ply.by_rule));
        if tree.plies.is_empty() || tree.left_out() == 0 && !is_counted {
            tree.plies = counted;
        } else if let Some(problem) = tree.miscounted(&counted) {
            return Err(TreeReadError::Line { line: 1, problem });
        }
        tree.count_again();
        Ok(tree)
    }
}

impl Tree {
    /// Whether the table can have given node `id` the value of `stored`. Then `stored` is at the same depth, so
    /// following cached nodes to stored ones always ends.
    fn can_refer(&self, id: NodeId, stored: NodeId) -> bool {
        let rule = self.rule(stored);
        let is_searched = !rule.is_stub() && rule != Rule::Stored;
        let is_as_deep =
            self.plies_left(id) == self.plies_left(stored) && self.depth(id) == self.depth(stored);
        is_searched && is_as_deep && self.graft_above(id) == self.graft_above(stored)
    }

    /// Why the counts in the head do not fit these nodes; `None` if they fit.
    fn miscounted(&self, counted: &[PlyCounts]) -> Option<LineProblem> {
        let (head, root) = (
            self.plies.iter().map(PlyCounts::all).sum::<u64>(),
            self.searched,
        );
        if head != root {
            return Some(LineProblem::PlySum { head, root });
        }
        let none = PlyCounts::default();
        counted.iter().enumerate().find_map(|(ply, counted)| {
            let head = self.plies.get(ply).unwrap_or(&none);
            let rule = Rule::iter().find(|&rule| head.by(rule) < counted.by(rule))?;
            Some(LineProblem::PlyRule {
                ply,
                rule,
                head: head.by(rule),
                found: counted.by(rule),
            })
        })
    }

    /// The counts of each ply that follow from the recorded nodes. Of the table they only contain its hits.
    fn plies_of_nodes(&self) -> Vec<PlyCounts> {
        let mut plies: Vec<PlyCounts> = Vec::new();
        for id in self.ids() {
            let (rule, depth) = (self.rule(id), self.depth(id) as usize);
            plies.resize(plies.len().max(depth + 1), PlyCounts::default());
            // The root is a turn of the player, even if low values are good.
            let rule = if depth == 0 && rule == Rule::MinOf {
                Rule::MaxOf
            } else {
                rule
            };
            plies[depth].by_rule[rule as usize] += 1;
            if self
                .children(id)
                .any(|child| self.rule(child) == Rule::OutOfBounds)
            {
                let searched = self
                    .children(id)
                    .filter(|&child| self.value(child).is_some())
                    .count();
                plies[depth].cut_offs += 1;
                plies[depth].at_first += u64::from(searched == 1);
            }
        }
        plies
    }
}

fn definition(head: &Head, board: &Board) -> Result<Definition, LineProblem> {
    let rules: Rules = head.rules;
    rules.check().map_err(LineProblem::Rules)?;
    if rules.size != board.size() {
        return Err(LineProblem::Size {
            rules: rules.size,
            board: board.size(),
        });
    }
    let evaluator = match &head.evaluator {
        Some(text) => text
            .parse::<Evaluator>()
            .map_err(LineProblem::UnknownEvaluator)?,
        None => Evaluator::Inert,
    };

    let check = evaluator
        .check(rules.size)
        .and_then(|()| evaluator.check_p4(rules.p4));
    check.map_err(LineProblem::Evaluator)?;
    let lookahead: Lookahead = head.lookahead.parse().map_err(LineProblem::Lookahead)?;
    lookahead
        .check(rules.size)
        .map_err(LineProblem::Lookahead)?;
    if lookahead == Lookahead::OnePly && head.start != StartName::Choice {
        return Err(LineProblem::OnePlyWithoutChoice);
    }
    Ok(Definition {
        evaluator,
        lookahead,
        rules,
    })
}

fn rule(line: &NodeLine<'_>) -> Result<Rule, LineProblem> {
    rule_named(&line.how.by).ok_or_else(|| LineProblem::UnknownRule(line.how.by.to_string()))
}

/// Maximum plies of a search.
fn deepest(is_sampled: bool) -> u32 {
    if is_sampled {
        DEEPEST_SAMPLED as u32
    } else {
        Plies::DEEPEST
    }
}

/// Whether a node with this rule is valid here. `is_choice` at the root of a decision.
fn can_stand(
    rule: Rule,
    place: &Place,
    is_choice: bool,
    is_sampled: bool,
) -> Result<(), LineProblem> {
    let can = match rule {
        _ if is_sampled => match rule {
            Rule::MaxOf | Rule::MinOf => is_choice,
            Rule::MovesTried | Rule::Sampled | Rule::Dead => place.is_turn && !is_choice,
            Rule::SpawnsDrawn => !place.is_turn,
            Rule::NotExpanded => !is_choice,
            _ => false,
        },
        Rule::MaxOf => place.is_turn,
        Rule::MinOf => !place.is_turn || is_choice,
        Rule::MeanOf | Rule::SumOf | Rule::LeastMeanOf | Rule::MeanLeastOf => !place.is_turn,
        Rule::TooImprobable | Rule::Stored => !place.is_turn && !is_choice,
        Rule::Evaluated | Rule::OutOfBounds => !is_choice,
        Rule::Dead | Rule::Unimportant => place.is_turn && !is_choice,
        Rule::Sampled | Rule::MovesTried | Rule::SpawnsDrawn | Rule::NotExpanded => false,
    };
    let place = if place.is_turn {
        "a board to move"
    } else {
        "a board on which a tile appears"
    };
    can.then_some(())
        .ok_or(LineProblem::Misplaced { rule, place })
}

fn edge(line: &NodeLine<'_>, above: Board) -> Result<Edge, LineProblem> {
    match (&line.mv, line.spawn) {
        (Some(name), None) => Ok(Edge::Slide(name.parse()?)),
        (
            None,
            Some(SpawnLine {
                cell: [row, col],
                tile,
            }),
        ) => {
            let (cell, size) = (Cell::new(row, col), above.size());
            let rank = Rank::of_tile(tile).filter(|&rank| rank == Rank::TWO || rank == Rank::FOUR);
            let rank = rank.ok_or(LineProblem::Tile(tile))?;
            if !size.contains(cell) {
                return Err(LineProblem::Cell { row, col, size });
            }
            Ok(Edge::Spawn {
                cell: cell.index(size) as u8,
                rank: rank.get(),
            })
        }
        _ => Err(LineProblem::NoEdge),
    }
}

/// Why a node was not searched, from its line.
fn stub(line: &NodeLine<'_>, rule: Rule) -> Result<Option<Stub>, LineProblem> {
    let How {
        alpha,
        beta,
        rank,
        considered,
        of,
        ..
    } = &line.how;
    Ok(match rule {
        // JSON has no infinity, and α is not below β.
        Rule::OutOfBounds => Some(Stub::OutOfBounds {
            alpha: alpha.unwrap_or(f64::INFINITY),
            beta: beta.unwrap_or(f64::NEG_INFINITY),
        }),
        Rule::Unimportant => {
            let ranked = match of.as_deref() {
                None | Some("cells") => Ranked::Cells,
                Some("spawns") => Ranked::Spawns,
                Some(_) => return Err(LineProblem::RankedOf),
            };
            let (Some(rank), Some(considered)) = (*rank, *considered) else {
                return Err(LineProblem::NoRank);
            };
            if considered == 0 {
                return Err(LineProblem::NothingConsidered);
            }
            Some(Stub::Unimportant {
                rank,
                considered,
                ranked,
            })
        }
        Rule::NotExpanded => Some(Stub::NotExpanded),
        _ => None,
    })
}

fn bound(line: &NodeLine<'_>) -> Result<Bound, LineProblem> {
    let Some(name) = &line.bound else {
        return Ok(Bound::Exact);
    };
    let found = Bound::VARIANTS
        .iter()
        .copied()
        .find(|bound| bound.name() == name);
    found.ok_or_else(|| LineProblem::Bound(name.to_string()))
}
