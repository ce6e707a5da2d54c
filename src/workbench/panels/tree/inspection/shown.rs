//! The tree that is shown and whose it is.

use std::sync::Arc;

use crate::game::Move;
use crate::search::{Cut, Lookahead, Tree};
use crate::strategy::{Decision, Prefer, Searched, SharedStrategy, Strategy};
use crate::words;
use crate::workbench::panels::tree::words as names;
use crate::workbench::state::{self, Decided};

#[derive(Clone, Debug)]
pub struct Shown {
    /// Another number for each decision.
    pub number: u64,
    /// The row of the strategy whose search it is, from 0.
    pub row: usize,
    pub tree: Arc<Tree>,
    pub strategy: SharedStrategy,
    /// What the search took; `None` for one ply.
    pub searched: Option<Searched>,
    /// Moves of the game up to the root; `None` for a board of the position editor.
    pub moves: Option<u32>,
    /// The position of the root in the game; `None` likewise.
    pub node: Option<state::NodeId>,
    pub rows: Vec<usize>,
    /// The moves that a row before this one struck out, and why: `row 1: 18 < 21 − ε 1`.
    pub struck: Vec<(Move, String)>,
}

impl Shown {
    /// The tree of a decision: that of the wanted row if it has one, else of the row that decided, else of the last that
    /// was asked.
    pub fn of(decided: &Decided, wanted: Option<usize>) -> Option<Self> {
        let has = |row: usize| decided.trees.get(row).is_some_and(Option::is_some);
        let rows: Vec<usize> = (0..decided.trees.len()).filter(|&row| has(row)).collect();
        // The row that decided, else the last that searched, else the last that was asked.
        let searches = |row: &usize| decided.decision.searches[*row].is_some();
        let usual =
            || decided.decision.deciding().filter(|&row| has(row)).or(rows.iter().rev().copied().find(searches));
        let row = wanted.filter(|&row| has(row)).or_else(usual).or(rows.last().copied())?;
        Some(Self {
            number: decided.number,
            row,
            tree: decided.trees[row].clone()?,
            strategy: decided.strategy.clone(),
            searched: decided.decision.searches[row].clone(),
            moves: decided.moves,
            node: decided.node,
            rows,
            struck: struck(&decided.decision, &decided.strategy, row),
        })
    }

    /// Evaluator, lookahead, layers and rules: what the numbers depend on.
    pub fn definition_text(&self) -> String {
        let subject = self.tree.subject();
        let lookahead = &subject.definition.lookahead;
        let name = if *lookahead == Lookahead::OnePly { "One-ply" } else { lookahead.name() };
        let mut parts = vec![name.to_owned(), subject.definition.evaluator.label()];
        parts.push(names::depth(subject.plies));
        parts.extend(lookahead.cuts().iter().map(Cut::text));
        parts.join(" · ")
    }
}

/// The moves struck out before a row was asked, with the comparison that they lost.
fn struck(decision: &Decision, strategy: &Strategy, row: usize) -> Vec<(Move, String)> {
    let fell = Move::ALL.into_iter().filter_map(|mv| {
        let fell_at = decision.moves[mv].as_ref()?.fell_at.filter(|&fell_at| fell_at < row)?;
        let value_of = |mv: Move| decision.moves[mv].as_ref()?.values[fell_at];
        let criterion = &strategy.criteria[fell_at];
        let lower = criterion.prefer == Prefer::Lower;
        let best = Move::ALL.into_iter().filter_map(value_of).reduce(if lower { f64::min } else { f64::max })?;
        let (sign, side) = if lower { ('>', '+') } else { ('<', '−') };
        let tolerance = match criterion.tolerance {
            0.0 => String::new(),
            tolerance => format!(" {side} ε {}", words::decimals_short(tolerance)),
        };
        let value = words::value(value_of(mv)?);
        Some((mv, format!("row {}: {value} {sign} {}{tolerance}", fell_at + 1, words::value(best))))
    });
    fell.collect()
}
