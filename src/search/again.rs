//! Repeats the search of a decision: to other depths, or without its cuts.

use std::time::{Duration, Instant};

use super::engine::Budget;
use super::tree::{Start, Subject, Tree, TreeKind};
use super::{
    Bound, Definition, DepthLimited, Lookahead, Plies, ROUNDING, Root, Search, SearchBoard,
    SearchOptions, SearchResult, Table,
};
use crate::evaluator::OwnFiles;
use crate::game::{Crossed, Grid, Move, Position as _, Rows};

/// A separate search that ends at one ply.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PlyAlone {
    /// Nodes that it visited, including the root.
    pub nodes: u64,
    /// The time of the search. A short search is repeated, and the least time counts.
    pub time: Duration,
}

/// The values of a decision without cuts, to the same depth.
#[derive(Clone, PartialEq, Debug)]
pub struct Uncut {
    /// The requested moves that have a value, the best without cuts first.
    pub moves: Vec<UncutMove>,
    /// Visited nodes, and the number of threads if there were several. The node count then depends on timing.
    pub nodes: u64,
    pub shared_by: Option<usize>,
    /// The move that the search with cuts chose, if the record is of a decision.
    pub chosen: Option<Move>,
    /// Whether the search without cuts would choose another move.
    pub changes_choice: bool,
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub struct UncutMove {
    pub mv: Move,
    /// Its value with cuts, and whether that is exact or a bound.
    pub before: f64,
    pub bound: Bound,
    /// Its value without cuts.
    pub after: f64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NotUncut {
    #[error("this search has no cuts")]
    NoCuts,
    #[error("only a search by depth has cuts to leave out")]
    NoDecision,
    #[error("the record contains added searches")]
    SearchedOn,
    #[error("the record lacks one of the moves")]
    MoveLeftOut,
    #[error("the evaluator belongs to the program that wrote the record and is unknown here")]
    UnknownEvaluator,
    #[error("the search was stopped")]
    Stopped,
}

/// Each search is timed up to five times: at least twice, unless it takes `LONG`, and no more once `SHORT` is used up.
/// The least time counts, because the others include whatever else the machine did.
const MOST_TIMES: u32 = 5;
const SHORT: Duration = Duration::from_millis(5);
const LONG: Duration = Duration::from_millis(200);

impl PlyAlone {
    /// Searches to each ply in turn, from the first to that of the record, and passes all results so far to `tell`
    /// after each. In total this takes slightly longer than the last search, or twice that if it is short. `None` if
    /// the record is not of a search by depth, and if it was stopped.
    pub fn measure(
        tree: &Tree,
        options: SearchOptions<'_>,
        mut tell: impl FnMut(&[Self]),
    ) -> Option<Vec<Self>> {
        let (subject, definition) = (tree.subject(), &tree.subject().definition);
        if !tree.knows_evaluator() {
            return None;
        }

        let search = Search::new(
            &definition.evaluator,
            &definition.lookahead,
            definition.rules,
            &OwnFiles,
        )?;
        let table = search.table();
        // A first search makes the evaluator's lazy tables, so that they do not count for the first ply.
        decide_again(
            &search,
            subject,
            1,
            &table,
            SearchOptions::on_one_core(options.stop),
        )?;
        let mut alone = Vec::new();
        for plies in 1..=subject.plies {
            let (mut own, mut spent) = (
                Self {
                    nodes: 0,
                    time: Duration::MAX,
                },
                Duration::ZERO,
            );
            for times in 1..=MOST_TIMES {
                table.clear();
                let begun = Instant::now();
                let found = decide_again(
                    &search,
                    subject,
                    plies,
                    &table,
                    SearchOptions::on_one_core(options.stop),
                )?;
                let time = begun.elapsed();
                (own, spent) = (
                    Self {
                        nodes: found.nodes,
                        time: own.time.min(time),
                    },
                    spent + time,
                );
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
    /// Repeats the search of a recorded decision without its cuts.
    pub fn of(tree: &Tree, options: SearchOptions<'_>) -> Result<Self, NotUncut> {
        let subject = tree.subject();
        let Start::Choice {
            objective,
            moves: compared,
        } = subject.start
        else {
            return Err(NotUncut::NoDecision);
        };
        let Definition {
            evaluator,
            lookahead,
            rules,
        } = &subject.definition;
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

        let has = |mv: Move| {
            tree.children(tree.root())
                .any(|child| tree.slide(child) == Some(mv))
        };
        if !compared.iter().all(has) {
            return Err(NotUncut::MoveLeftOut);
        }

        let Some(limited) = lookahead.depth_limited() else {
            return Err(NotUncut::NoDecision);
        };
        let plies = Some(Plies::Fixed(subject.plies));
        let whole = DepthLimited {
            plies,
            cuts: Vec::new(),
            time_ms: None,
            nodes: None,
            ..limited.clone()
        };
        let search = Search::new(
            evaluator,
            &Lookahead::DepthLimited(whole),
            *rules,
            &OwnFiles,
        )
        .ok_or(NotUncut::NoDecision)?;
        let found = decide_again(&search, subject, subject.plies, &search.table(), options)
            .ok_or(NotUncut::Stopped)?;
        let sign = objective.sign();
        let before = |mv: Move| {
            let child = tree
                .children(tree.root())
                .find(|&child| tree.slide(child) == Some(mv))?;
            Some((tree.value(child)?, tree.bound(child)))
        };
        let mut moves: Vec<UncutMove> = compared
            .iter()
            .filter_map(|mv| {
                let (value, bound) = before(mv)?;
                Some(UncutMove {
                    mv,
                    before: value,
                    bound,
                    after: found.values[mv],
                })
            })
            .collect();

        // A stable sort keeps ties in the order of moves.
        moves.sort_by(|a, b| (sign * b.after).total_cmp(&(sign * a.after)));
        let most = moves.first().map_or(f64::NAN, |best| sign * best.after);
        let enough = most - objective.tolerance - most.abs() * ROUNDING;
        let stays = |chosen: Move| {
            moves
                .iter()
                .any(|own| own.mv == chosen && enough <= sign * own.after)
        };
        let changes_choice = tree.chosen.is_some_and(|chosen| !stays(chosen));
        Ok(Self {
            nodes: found.nodes,
            shared_by: found.shared_by,
            chosen: tree.chosen,
            changes_choice,
            moves,
        })
    }

    /// The move whose value with and without cuts is compared: the chosen one, otherwise the best.
    pub fn asked(&self) -> Option<&UncutMove> {
        let chosen = self.moves.iter().find(|own| Some(own.mv) == self.chosen);
        chosen.or(self.moves.first())
    }
}

impl UncutMove {
    /// The value without cuts minus that with cuts. `None` if the value with cuts is a bound.
    pub fn difference(&self) -> Option<f64> {
        (self.bound == Bound::Exact).then_some(self.after - self.before)
    }
}

/// The values of the moves of a decision. `None` if there is no decision, and if it was stopped.
fn decide_again(
    search: &Search,
    subject: &Subject,
    plies: u32,
    table: &Table,
    options: SearchOptions<'_>,
) -> Option<SearchResult> {
    let rows = Rows::shared();
    if let Some(slides) = subject
        .board
        .as_packed()
        .and_then(|packed| packed.crossed().slides(rows))
    {
        return decide_on::<Crossed>(
            search,
            slides.before(),
            &slides,
            subject,
            plies,
            table,
            options,
        );
    }
    let grid = subject.board.to_grid();
    decide_on::<Grid>(
        search,
        grid,
        &grid.slides(rows)?,
        subject,
        plies,
        table,
        options,
    )
}

fn decide_on<P: SearchBoard>(
    search: &Search,
    board: P,
    slides: &P::Slides,
    subject: &Subject,
    plies: u32,
    table: &Table,
    options: SearchOptions<'_>,
) -> Option<SearchResult> {
    let Start::Choice { objective, moves } = subject.start else {
        return None;
    };
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
