//! A decision with its full explanation.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::trace::Observer;
use super::{Player, Prefer, Strategy};
use crate::game::{Board, ByMove, Move, Moves, Rules};
use crate::search::{
    Bound, Definition, Lead, Lookahead, NodeCounts, Objective, Playouts, Search, SearchOptions,
    SearchResult, Start, Subject, Tree, TreeRecorder, layers,
};
use crate::stats::RunningMean;
use crate::words;

/// Why a strategy makes its move on one board.
#[derive(Clone, PartialEq, Debug)]
pub struct Decision {
    pub board: Board,
    pub score: u64,
    /// Each legal move. `None` for moves that change nothing.
    pub moves: ByMove<Option<Candidate>>,
    /// The moves left after each criterion.
    pub kept: Vec<Moves>,
    /// The moves the last resort draws from.
    pub choice: Moves,
    /// The chosen move. `None` on a dead board.
    pub chosen: Option<Move>,
    /// The search of each criterion. `None` for one ply, if the criterion was not needed, and if it was stopped.
    pub searches: Vec<Option<Searched>>,
}

/// The search behind the values of a criterion.
#[derive(Clone, PartialEq, Debug)]
pub struct Searched {
    pub plies: u32,
    /// Nodes by kind, without those of shallower depths.
    pub counts: NodeCounts,
    /// Visited nodes, including shallower depths and without stubs.
    pub nodes: u64,
    /// Whether the value of each move is exact.
    pub bounds: ByMove<Bound>,
    /// The time of the search. If the time is limited, it does not include the record. 0 for a record that was read,
    /// which does not contain it.
    pub elapsed: Duration,
    /// The number of threads if there were several; see [`SearchResult::shared_by`].
    pub shared_by: Option<usize>,
    /// The results of the samples, if samples were drawn.
    pub playouts: Option<Arc<Playouts>>,
    /// The board that was searched in place of the actual one.
    pub lower: Option<Board>,
    pub tree: Option<Arc<Tree>>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Candidate {
    pub mv: Move,
    pub reward: u32,
    pub after: Board,
    /// Its value for each criterion. `None` if the move had been dropped before, or if only one move was left.
    pub values: Vec<Option<f64>>,
    /// The criterion that dropped it, counted from 0.
    pub fell_at: Option<usize>,
}

impl Decision {
    /// Decides as [`Player::decide`] does, from empty tables, and explains the decision. Records at most `cap` nodes of
    /// each search.
    ///
    /// If it is stopped, no move is chosen, and the criterion that was searching has no values.
    pub fn of(
        player: &Player,
        (board, score): (&Board, u64),
        tie: impl FnOnce(usize) -> usize,
        options: SearchOptions<'_>,
        cap: usize,
    ) -> Self {
        let mut trace = DecisionTrace {
            decision: Self::begun(board, score, player.row_count()),
            cap,
            begun: Instant::now(),
        };
        let chosen = player.decide(board, score, tie, options, &mut trace);
        let DecisionTrace { mut decision, .. } = trace;
        decision.chosen = chosen;
        let searches = decision.searches.iter_mut().flatten();
        let trees = searches.filter_map(|searched| Arc::get_mut(searched.tree.as_mut()?));
        trees.for_each(|tree| tree.chosen = chosen);
        decision.kept.resize(player.row_count(), decision.choice);
        decision
    }

    /// The same at once, on one core and without trees.
    pub fn now(
        player: &Player,
        board: &Board,
        score: u64,
        tie: impl FnOnce(usize) -> usize,
    ) -> Self {
        Self::of(player, (board, score), tie, SearchOptions::default(), 0)
    }

    fn begun(board: &Board, score: u64, rows: usize) -> Self {
        let moves = ByMove::from_fn(|mv| {
            board.slide(mv).map(|slide| Candidate {
                mv,
                reward: slide.reward,
                after: slide.after.board(),
                values: vec![None; rows],
                fell_at: None,
            })
        });
        let choice = Moves::from_fn(|mv| moves[mv].is_some());
        Self {
            board: *board,
            score,
            moves,
            kept: Vec::new(),
            choice,
            chosen: None,
            searches: vec![None; rows],
        }
    }

    /// The record of the search of a row, or for one ply the slides with their values. `None` if there is none.
    pub fn tree(&self, strategy: &Strategy, row: usize, rules: Rules) -> Option<Arc<Tree>> {
        let criterion = strategy.criteria.get(row)?;
        if let Some(searched) = self.searches.get(row)? {
            return searched.tree.clone();
        }
        if criterion.lookahead != Lookahead::OnePly {
            return None;
        }

        let value = |mv: Move| *self.moves[mv].as_ref()?.values.get(row)?;
        let values = ByMove::from_fn(|mv| value(mv).unwrap_or(0.0));
        let valued = Moves::from_fn(|mv| value(mv).is_some());
        let definition = Definition {
            evaluator: criterion.evaluator.clone(),
            lookahead: criterion.lookahead.clone(),
            rules,
        };
        let objective = Objective {
            higher: criterion.prefer == Prefer::Higher,
            tolerance: criterion.tolerance,
        };
        let mut tree = Tree::of_one_ply(
            definition,
            (self.board, self.score),
            objective,
            &values,
            valued,
        )?;
        tree.chosen = self.chosen;
        Some(Arc::new(tree))
    }
}

/// A decision that is being recorded.
struct DecisionTrace {
    decision: Decision,
    /// Maximum nodes of a tree; 0 records none.
    cap: usize,
    /// When the current search began.
    begun: Instant,
}

impl Observer for DecisionTrace {
    type Recorder = TreeRecorder;

    const CLEAN: bool = true;

    fn recorder(&mut self, _row: usize, search: &Search) -> TreeRecorder {
        self.begun = Instant::now();
        TreeRecorder::new(search, self.cap)
    }

    fn searched(
        &mut self,
        row: usize,
        search: &Search,
        objective: Objective,
        found: &SearchResult,
        recorder: TreeRecorder,
    ) {
        let elapsed = found.as_played.unwrap_or_else(|| self.begun.elapsed());
        // A search with a time limit runs on one core.
        let shared_by = found.shared_by.filter(|_| found.as_played.is_none());
        let SearchResult {
            plies,
            nodes,
            bounds,
            stopped,
            ref playouts,
            ..
        } = *found;
        if stopped {
            return;
        }

        let Decision {
            board,
            score,
            ref kept,
            choice,
            ..
        } = self.decision;
        let lower = search.definition.lookahead.downgraded(&board);
        let board = lower.unwrap_or(board);
        let start = Start::Choice {
            objective,
            moves: kept.last().copied().unwrap_or(choice),
        };
        let subject = Subject {
            definition: search.definition.clone(),
            board,
            score,
            plies,
            reach: 1.0,
            start,
        };
        let (counts, mut tree) = recorder.finish(subject, found);
        if let Some(tree) = &mut tree {
            tree.halved_from = lower.map(|_| self.decision.board);
        }

        self.decision.searches[row] = Some(Searched {
            plies,
            counts,
            nodes,
            bounds,
            elapsed,
            shared_by,
            playouts: playouts.clone(),
            lower,
            tree: tree.map(Arc::new),
        });
    }

    fn criterion(
        &mut self,
        row: usize,
        seen: Moves,
        values: impl FnOnce() -> ByMove<f64>,
        kept: Moves,
    ) {
        let values = values();
        for mv in seen {
            if let Some(candidate) = &mut self.decision.moves[mv] {
                candidate.values[row] = Some(values[mv]);
                candidate.fell_at = (!kept.contains(mv)).then_some(row);
            }
        }
        // Rows that are off keep all moves.
        self.decision.kept.resize(row, seen);
        self.decision.kept.push(kept);
    }

    fn last_resort(&mut self, among: Moves) {
        self.decision.choice = among;
    }
}

impl Searched {
    /// The depth that was reached: `2 moves + 2 spawns`, or `800 samples`.
    pub fn depth_text(&self) -> String {
        match &self.playouts {
            Some(playouts) => words::plural(playouts.total(), "sample"),
            None if self.lower.is_some() => format!("{}, large tiles halved", layers(self.plies)),
            None => layers(self.plies),
        }
    }
}

impl Decision {
    /// The samples of a move, if criterion `row` has drawn some.
    pub fn sample(&self, row: usize, mv: Move) -> Option<&RunningMean> {
        let playouts = self.searches.get(row)?.as_ref()?.playouts.as_ref()?;
        Some(&playouts.of_each[mv]).filter(|sample| sample.count() != 0)
    }

    /// Whether the values of criterion `row` are means of samples.
    pub fn is_sampled(&self, row: usize) -> bool {
        self.searches
            .get(row)
            .and_then(Option::as_ref)
            .is_some_and(|searched| searched.playouts.is_some())
    }

    /// The lead of the best mean of criterion `row` over the second, if it has drawn samples.
    pub fn lead(&self, row: usize) -> Option<Lead> {
        self.searches.get(row)?.as_ref()?.playouts.as_ref()?.lead
    }

    /// The kind of the value that criterion `row` gave a move: `exact`, `upper` or `lower`, or `sampled`.
    pub fn bound_name(&self, row: usize, mv: Move) -> &'static str {
        if self.is_sampled(row) {
            "sampled"
        } else {
            self.bound(row, mv).name()
        }
    }

    /// The standard error of the mean of a move from the samples of a row. `None` without one, and for a growing tree.
    pub fn standard_error(&self, row: usize, mv: Move) -> Option<f64> {
        self.searches
            .get(row)?
            .as_ref()?
            .playouts
            .as_ref()?
            .standard_error(mv)
    }

    pub fn legal(&self) -> Moves {
        Moves::from_fn(|mv| self.moves[mv].is_some())
    }

    /// The criterion that left a single move, from 0. `None` with one legal move, or if the last resort decided.
    pub fn deciding(&self) -> Option<usize> {
        self.kept
            .iter()
            .position(|kept| kept.len() == 1)
            .filter(|_| 1 < self.legal().len())
    }

    pub fn was_needed(&self, row: usize) -> bool {
        let has_value =
            |candidate: &Candidate| candidate.values.get(row).is_some_and(Option::is_some);
        self.moves
            .iter()
            .any(|(_, candidate)| candidate.as_ref().is_some_and(has_value))
    }

    /// Whether the value that criterion `row` gave a move is exact or a bound.
    pub fn bound(&self, row: usize, mv: Move) -> Bound {
        self.searches
            .get(row)
            .and_then(Option::as_ref)
            .map_or(Bound::Exact, |searched| searched.bounds[mv])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Rules, Seed};
    use crate::prose;
    use crate::search::Link;
    use crate::strategy::GameTrace;

    #[test]
    fn a_row_that_is_off_is_as_if_it_were_not_there() {
        let all: Strategy = "(criteria: [(evaluator: Uniformity), (evaluator: Empty), (evaluator: Weights([1, 2, 3, 4]), off: true), (evaluator: Snake, lookahead: Minimax(plies: Fixed(2))), (evaluator: Monotonicity)])"
            .parse()
            .expect("a strategy");
        assert_eq!(
            all.check(crate::game::Size::FOUR),
            Ok(()),
            "a matrix of another size is off"
        );

        let rules = Rules::default();
        let base: Strategy = "emr".parse().expect("letters");
        let moments = GameTrace::record(
            &Player::new(&base, rules),
            Seed(3),
            1,
            &base,
            SearchOptions::default(),
        )
        .replay();

        for off in 0..1_u32 << 4 {
            let rows = [0, 1, 3, 4];
            let mut with = all.clone();
            for (bit, &row) in rows.iter().enumerate() {
                with.criteria[row].off = off >> bit & 1 == 1;
            }

            let enabled: Vec<usize> = (0..5).filter(|&row| !with.criteria[row].off).collect();
            let criteria = enabled
                .iter()
                .map(|&row| with.criteria[row].clone())
                .collect();
            let without = Strategy {
                criteria,
                ..Strategy::default()
            };
            let players = [&with, &without].map(|strategy| Player::new(strategy, rules));

            for moment in moments.iter().step_by(9) {
                let [a, b] = [0, 1].map(|side: usize| {
                    Decision::now(&players[side], &moment.board, moment.score, |n| n / 2)
                });
                assert_eq!((a.chosen, a.choice), (b.chosen, b.choice), "{enabled:?}");
                assert_eq!(
                    prose::decision::sentence(&a, &with),
                    prose::decision::sentence(&b, &without)
                );
                assert_eq!(a.deciding(), b.deciding().map(|row| enabled[row]));
                for (place, &row) in enabled.iter().enumerate() {
                    assert_eq!(
                        (a.kept[row], a.was_needed(row)),
                        (b.kept[place], b.was_needed(place))
                    );
                }
                for row in (0..5).filter(|row| !enabled.contains(row)) {
                    assert!(
                        !a.was_needed(row)
                            && a.kept[row]
                                == a.kept[..row]
                                    .last()
                                    .copied()
                                    .unwrap_or(moment.board.legal_moves())
                    );
                }
            }
        }
    }

    #[test]
    fn a_decision_is_the_elimination_of_its_criteria() {
        let ron = "(criteria: [(evaluator: Monotonicity, tolerance: 2), (evaluator: Empty, prefer: Lower), (evaluator: Sum([(-1, Score)]))], last_resort: First)";
        for strategy in ["emr", "umegr", "gm", ron] {
            let strategy: Strategy = strategy.parse().expect("a strategy");
            let player = Player::new(&strategy, Rules::default());
            for moment in
                GameTrace::record(&player, Seed(5), 0, &strategy, SearchOptions::default()).replay()
            {
                let decision = Decision::now(&player, &moment.board, moment.score, |n| n - 1);
                let mut left = moment.board.legal_moves();
                for (row, criterion) in strategy.criteria.iter().enumerate() {
                    let value = |mv: Move| {
                        let slide = moment.board.slide(mv).expect("legal");
                        criterion
                            .evaluator
                            .evaluate(&slide.after.board(), moment.score + u64::from(slide.reward))
                    };
                    let goodness = |mv: Move| match criterion.prefer {
                        Prefer::Higher => value(mv),
                        Prefer::Lower => -value(mv),
                    };
                    let needed = 1 < left.len();
                    for mv in Move::ALL {
                        let given = decision.moves[mv]
                            .as_ref()
                            .and_then(|candidate| candidate.values[row]);
                        assert_eq!(given, (needed && left.contains(mv)).then(|| value(mv)));
                    }

                    if needed {
                        let best = left
                            .iter()
                            .map(goodness)
                            .max_by(f64::total_cmp)
                            .expect("moves");
                        let next: Moves = left
                            .iter()
                            .filter(|&mv| best - criterion.tolerance <= goodness(mv))
                            .collect();
                        for mv in left.iter().filter(|&mv| !next.contains(mv)) {
                            assert_eq!(
                                decision.moves[mv].as_ref().and_then(|c| c.fell_at),
                                Some(row)
                            );
                        }
                        left = next;
                    }

                    assert_eq!(decision.kept[row], left);
                }
                assert_eq!(decision.choice, left);

                let expected = match strategy.last_resort.order() {
                    Some(order) => order.first(left),
                    None => left.iter().last(),
                };

                assert_eq!(decision.chosen, expected);
                assert!(!prose::decision::sentence(&decision, &strategy).is_empty());
            }
        }
    }

    #[test]
    fn rows_of_one_ply_have_a_sound_tree_of_the_values_that_decided() {
        for letters in ["emr", "umegr", "r"] {
            let strategy: Strategy = letters.parse().expect("letters");
            let player = Player::new(&strategy, Rules::default());
            for moment in
                GameTrace::record(&player, Seed(6), 0, &strategy, SearchOptions::default())
                    .replay()
                    .into_iter()
                    .take(60)
            {
                let decision = Decision::now(&player, &moment.board, moment.score, |_| 0);
                for row in 0..strategy.criteria.len() {
                    let value = |mv: Move| {
                        decision.moves[mv]
                            .as_ref()
                            .and_then(|candidate| candidate.values[row])
                    };
                    let valued: Vec<Move> = Move::ALL
                        .into_iter()
                        .filter(|&mv| value(mv).is_some())
                        .collect();
                    let tree = decision.tree(&strategy, row, Rules::default());
                    let Some(tree) = tree else {
                        assert!(valued.is_empty());
                        continue;
                    };
                    assert!(tree.check().is_sound(), "{:?}", tree.check());
                    let links: Vec<_> = tree
                        .children(tree.root())
                        .map(|id| (tree.link(id), tree.value(id)))
                        .collect();
                    let expected: Vec<_> = valued
                        .iter()
                        .map(|&mv| (Some(Link::Slide(mv)), value(mv)))
                        .collect();
                    assert_eq!((links, tree.chosen), (expected, decision.chosen));
                }
                assert!(
                    decision
                        .tree(&strategy, strategy.criteria.len(), Rules::default())
                        .is_none()
                );
            }
        }
    }
}
