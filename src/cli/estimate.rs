//! How long a search or a run will take, printed before it starts if it is long.
//!
//! The same search is done at smaller depths. Each pair of plies multiplies the nodes by about the same factor, or by a
//! falling one if reach probabilities cut. The last factor gives the nodes of the requested depth.

use std::time::{Duration, Instant};

use super::terminal::tell;
use crate::experiment::{Estimate, Plan};
use crate::game::{Board, Rules};
use crate::prose::{games_estimated, how_long};
use crate::search::{Lookahead, Plies, SearchOptions, layers};
use crate::strategy::{Criterion, Decision, LastResort, Player, Strategy};
use crate::words;

/// This many games of one ply end within a short time.
const MANY_GAMES: u64 = 10_000;

/// A longer time is announced.
const LONG: Duration = Duration::from_secs(10);

/// Nodes of the deepest search for the estimate: some tens of milliseconds, enough for the clock to be precise.
const TRIAL_NODES: f64 = 600_000.0;

/// The estimate itself ends after this time on a busy computer.
const TRIAL: Duration = Duration::from_millis(400);

/// Shallower searches are short.
const LEAST_PLIES: u32 = 5;

/// Says how long it will take and what Ctrl-C does, if it takes long.
pub(super) fn announce(plan: &Plan, ctrl_c: &str) {
    let searches = plan
        .contestants
        .iter()
        .any(|contestant| contestant.strategy.takes_time());
    if !searches && plan.total_games() < MANY_GAMES {
        return;
    }
    let estimate = Estimate::of(plan);
    if !searches && estimate.likely < LONG {
        return;
    }
    let how_long = how_long(&estimate);
    let games = games_estimated(&estimate, plan.total_games());
    let threads = words::plural(plan.thread_count() as u64, "thread");
    tell(&format!(
        "estimated time: {how_long}, for {games} on {threads}; Ctrl-C {ctrl_c}"
    ));
}

/// A board and the points so far.
type Scored<'a> = (&'a Board, u64);

/// A sentence about the longest search of the strategy on this board, if it is long.
pub(super) fn warning(
    strategy: &Strategy,
    rules: Rules,
    at: Scored<'_>,
    options: SearchOptions<'_>,
) -> Option<String> {
    let times = strategy.criteria.iter().filter_map(|criterion| {
        let plies = criterion.lookahead.plies()?.for_board(at.0);
        let secs = seconds(criterion, plies, rules, at, options)?;
        Some((secs, criterion, plies))
    });
    let (secs, criterion, plies) = times.max_by(|a, b| a.0.total_cmp(&b.0))?;
    (LONG.as_secs_f64() < secs).then(|| {
        format!(
            "{}, {}, takes {} on this board; Ctrl-C stops it",
            criterion.label(),
            layers(plies),
            about(secs)
        )
    })
}

/// `about 3 min`, `more than 1,000 years`.
fn about(secs: f64) -> String {
    let time = words::time(secs);
    if time.starts_with("more") {
        time
    } else {
        format!("about {time}")
    }
}

/// The approximate time of one criterion's search; `None` if it is short.
fn seconds(
    criterion: &Criterion,
    plies: u32,
    rules: Rules,
    at: Scored<'_>,
    options: SearchOptions<'_>,
) -> Option<f64> {
    if plies < LEAST_PLIES {
        return None;
    }

    let begun = Instant::now();
    let mut nodes: Vec<f64> = Vec::new();
    loop {
        let depth = nodes.len() as u32 + 1;
        let row = Criterion {
            lookahead: at_depth(&criterion.lookahead, depth)?,
            ..criterion.clone()
        };
        let one = Strategy {
            criteria: vec![row],
            last_resort: LastResort::First,
            ..Strategy::default()
        };
        let decision = Decision::of(&Player::new(&one, rules), at, |_| 0, options, 0);
        let searched = decision.searches.first()?.as_ref()?;
        nodes.push(searched.nodes as f64);
        if depth == plies {
            return None;
        }
        let [.., before, last, now] = nodes.as_slice() else {
            continue;
        };
        let factor = (now / before).max(1.0);
        if TRIAL_NODES < last * factor || TRIAL < begun.elapsed() {
            let node_secs = searched.elapsed.as_secs_f64() / searched.nodes as f64;
            return Some(now * factor.powf(f64::from(plies - depth) / 2.0) * node_secs);
        }
    }
}

/// The same lookahead at another depth; `None` for one ply, and if time or nodes limit the search anyway.
fn at_depth(lookahead: &Lookahead, depth: u32) -> Option<Lookahead> {
    if lookahead.deepens() {
        return None;
    }
    let mut lookahead = lookahead.clone();
    lookahead.depth_limited_mut()?.plies = Some(Plies::Fixed(depth));
    Some(lookahead)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(strategy: &str) -> Option<String> {
        let strategy: Strategy = strategy.parse().expect("a strategy");
        let board: Board = "2,4,8,16/0,8,0,32/0,2,4,64/0,0,2,128"
            .parse()
            .expect("a board");
        warning(
            &strategy,
            Rules::default(),
            (&board, 0),
            SearchOptions::default(),
        )
    }

    #[test]
    fn only_long_searches_are_announced() {
        let begun = Instant::now();
        assert_eq!(said("emr"), None);
        let row =
            |lookahead: &str| format!("(criteria: [(evaluator: Empty, lookahead: {lookahead})])");
        assert_eq!(said(&row("Expectimax(plies: Fixed(3))")), None);
        assert_eq!(
            said(&row("Expectimax(plies: Fixed(20), nodes: 1000)")),
            None
        );
        assert_eq!(
            said(&row("Expectimax(plies: Fixed(20), time_ms: 100)")),
            None
        );
        let long = said(&row("Expectimax(plies: Fixed(20))")).expect("long");
        assert!(
            long.starts_with("Expectimax of Empty, 10 moves + 10 spawns, takes about "),
            "{long}"
        );
        assert!(long.ends_with("; Ctrl-C stops it"), "{long}");
        assert!(said(&row("Minimax(plies: Fixed(30), cuts: [AlphaBeta])")).is_some());
        assert!(
            begun.elapsed() < Duration::from_secs(1000),
            "{:?}",
            begun.elapsed()
        );
    }
}
