//! The search of a decision once more: to another depth, and without its cuts.

use std::time::{Duration, Instant};

use super::engine::Budget;
use super::tree::{Start, Subject, Tree, TreeKind};
use super::{
    Bound, Definition, DepthLimited, Lookahead, Plies, ROUNDING, Root, Search, SearchBoard, SearchOptions,
    SearchResult, Table,
};
use crate::evaluator::OwnFiles;
use crate::game::{Crossed, Grid, Move, Position as _, Rows};

/// A search that ends with a ply, by itself.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PlyAlone {
    /// Nodes it looked at, the root included.
    pub nodes: u64,
    /// Of a search of a moment the least of several.
    pub time: Duration,
}

/// A decision as it is without cuts, to the same depth.
#[derive(Clone, PartialEq, Debug)]
pub struct Uncut {
    /// The moves that were asked about and have a value, the best without cuts first.
    pub moves: Vec<UncutMove>,
    /// Nodes that this took, and how many threads searched them if not one alone: which boards are looked up is chance then.
    pub nodes: u64,
    pub shared_by: Option<usize>,
    /// The move that the search with cuts led to, where that was a decision.
    pub chosen: Option<Move>,
    /// Whether it would not be chosen without them.
    pub changes_choice: bool,
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub struct UncutMove {
    pub mv: Move,
    /// Its value with cuts, and of which kind it is.
    pub before: f64,
    pub bound: Bound,
    /// Its value without.
    pub after: f64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NotUncut {
    #[error("this search has no rule that cuts")]
    NoCuts,
    #[error("only a decision of a search by depth is searched without its cuts")]
    NoDecision,
    #[error("what was searched on is no part of that search")]
    SearchedOn,
    #[error("the record leaves out a move that was asked about")]
    MoveLeftOut,
    #[error("the evaluator is one of the program that wrote the record, which is not known here")]
    UnknownEvaluator,
    #[error("the search was stopped")]
    Stopped,
}

/// A search is measured so often, unless this has taken so long together, and twice if it is not a long one: the least time
/// counts, as whatever else the machine does is in the others.
const MOST_TIMES: u32 = 5;
const SHORT: Duration = Duration::from_millis(5);
const LONG: Duration = Duration::from_millis(200);

impl PlyAlone {
    /// Searches to each ply in turn, from the first to that of the record, and tells of each as soon as it is known: together
    /// they cost a little more than the last of them, or than that twice where it is not a long one. `None` where nothing is
    /// searched by depth, and when it was stopped.
    pub fn measure(tree: &Tree, options: SearchOptions<'_>, mut tell: impl FnMut(&[Self])) -> Option<Vec<Self>> {
        let (subject, definition) = (tree.subject(), &tree.subject().definition);
        if !tree.knows_evaluator() {
            return None;
        }
        let search = Search::new(&definition.evaluator, &definition.lookahead, definition.rules, &OwnFiles)?;
        let table = search.table();
        // Tables of the evaluator that are made when they are first asked for are no part of the first ply.
        decide_again(&search, subject, 1, &table, SearchOptions::on_one_core(options.stop))?;
        let mut alone = Vec::new();
        for plies in 1..=subject.plies {
            let (mut own, mut spent) = (Self { nodes: 0, time: Duration::MAX }, Duration::ZERO);
            for times in 1..=MOST_TIMES {
                table.clear();
                let begun = Instant::now();
                let found = decide_again(&search, subject, plies, &table, SearchOptions::on_one_core(options.stop))?;
                let time = begun.elapsed();
                (own, spent) = (Self { nodes: found.nodes, time: own.time.min(time) }, spent + time);
                if SHORT <= spent && 2 <= times || LONG <= spent {
                    break;
                }
            }
            alone.push(own);
            tell(&alone);
        }
        Some(alone)
    }
}

impl Uncut {
    /// Searches the decision of a record once more without its cuts.
    pub fn of(tree: &Tree, options: SearchOptions<'_>) -> Result<Self, NotUncut> {
        let subject = tree.subject();
        let Start::Choice { objective, asked } = subject.start else { return Err(NotUncut::NoDecision) };
        let Definition { evaluator, lookahead, rules } = &subject.definition;
        if tree.search_kind() == TreeKind::Sampled {
            return Err(NotUncut::NoDecision);
        }
        if lookahead.cuts().is_empty() {
            return Err(NotUncut::NoCuts);
        }
        if !tree.knows_evaluator() {
            return Err(NotUncut::UnknownEvaluator);
        }
        if tree.graft_count() != 0 {
            return Err(NotUncut::SearchedOn);
        }
        let has = |mv: Move| tree.children(tree.root()).any(|child| tree.slide(child) == Some(mv));
        if !asked.iter().all(has) {
            return Err(NotUncut::MoveLeftOut);
        }
        let Some(limited) = lookahead.depth_limited() else { return Err(NotUncut::NoDecision) };
        let plies = Some(Plies::Fixed(subject.plies));
        let whole = DepthLimited { plies, cuts: Vec::new(), time_ms: None, nodes: None, ..limited.clone() };
        let search =
            Search::new(evaluator, &Lookahead::DepthLimited(whole), *rules, &OwnFiles).ok_or(NotUncut::NoDecision)?;
        let found = decide_again(&search, subject, subject.plies, &search.table(), options).ok_or(NotUncut::Stopped)?;
        let sign = objective.sign();
        let before = |mv: Move| {
            let child = tree.children(tree.root()).find(|&child| tree.slide(child) == Some(mv))?;
            Some((tree.value(child)?, tree.bound(child)))
        };
        let mut moves: Vec<UncutMove> = asked
            .iter()
            .filter_map(|mv| {
                let (value, bound) = before(mv)?;
                Some(UncutMove { mv, before: value, bound, after: found.values[mv] })
            })
            .collect();
        // Stable: equals stay in the order of moves.
        moves.sort_by(|a, b| (sign * b.after).total_cmp(&(sign * a.after)));
        let most = moves.first().map_or(f64::NAN, |best| sign * best.after);
        let enough = most - objective.tolerance - most.abs() * ROUNDING;
        let stays = |chosen: Move| moves.iter().any(|own| own.mv == chosen && enough <= sign * own.after);
        let changes_choice = tree.chosen.is_some_and(|chosen| !stays(chosen));
        Ok(Self { nodes: found.nodes, shared_by: found.shared_by, chosen: tree.chosen, changes_choice, moves })
    }

    /// The move whose value the cuts are asked about: the chosen one, else the best.
    pub fn asked(&self) -> Option<&UncutMove> {
        let chosen = self.moves.iter().find(|own| Some(own.mv) == self.chosen);
        chosen.or(self.moves.first())
    }
}

impl UncutMove {
    /// How much more it is worth without cuts; `None` where the value with them is a bound.
    pub fn difference(&self) -> Option<f64> {
        (self.bound == Bound::Exact).then_some(self.after - self.before)
    }
}

/// What a search says of the moves of a decision; `None` where there is none, and when it was stopped.
fn decide_again(
    search: &Search,
    subject: &Subject,
    plies: u32,
    table: &Table,
    options: SearchOptions<'_>,
) -> Option<SearchResult> {
    let rows = Rows::shared();
    if let Some(slides) = subject.board.as_packed().and_then(|packed| packed.crossed().slides(rows)) {
        return decide_on::<Crossed>(search, (slides.before(), &slides), subject, plies, table, options);
    }
    let grid = subject.board.to_grid();
    decide_on::<Grid>(search, (grid, &grid.slides(rows)?), subject, plies, table, options)
}

fn decide_on<P: SearchBoard>(
    search: &Search,
    (board, slides): (P, &P::Slides),
    subject: &Subject,
    plies: u32,
    table: &Table,
    options: SearchOptions<'_>,
) -> Option<SearchResult> {
    let Start::Choice { objective, asked: moves } = subject.start else { return None };
    let root = Root {
        search,
        board,
        slides,
        moves,
        score: subject.score,
        objective,
        options,
        table: Some(table),
        decides: false,
    };
    let found = root.at_depth(plies, Budget::NONE, &mut ());
    (!found.stopped && !options.stop.is_cancelled()).then_some(found)
}
