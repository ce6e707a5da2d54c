//! Validates a preset: finds every problem at once, with its place.

use std::collections::{HashMap, HashSet};

use itertools::Itertools as _;

use super::spec::{Problem, Published, RulesSpec, Spec};
use super::{Entry, StopRule};
use crate::game::{Board, Rank, Rules, Size};
use crate::strategy::Strategy;
use crate::words;

/// Maximum number of games per strategy: 10 million, about 120 MB of results.
pub const MOST_GAMES: u64 = 10_000_000;

/// Maximum number of games of all strategies together: 100 million, about 1.2 GB of results.
pub const MOST_GAMES_IN_ALL: u64 = 100_000_000;

pub const MOST_STRATEGIES: usize = 10_000;

impl Spec {
    /// All problems, in the order of the text.
    pub(super) fn check(&self) -> Vec<Problem> {
        let mut problems = Vec::new();
        let size = self.rules.size.parse::<Size>();
        problems.extend(
            size.as_ref()
                .err()
                .map(|error| Problem::new("rules.size", error.to_string())),
        );
        let size = size.ok();
        let Self {
            rules: RulesSpec {
                p4, stop_at, start, ..
            },
            games,
            strategies,
            ..
        } = self;
        let start = start
            .as_ref()
            .map(|text| text.parse::<Board>().map_err(|error| error.to_string()));
        let mut require = |is_sound: bool, path: &str, reason: &str| {
            problems.extend((!is_sound).then(|| Problem::new(path, reason)));
        };
        require((0.0..=1.0).contains(p4), "rules.p4", &not_a_chance(*p4));
        for (path, tile) in [("rules.stop_at", *stop_at), ("stop_at", self.stop_at)] {
            if let (Some(tile), Some(size)) = (tile, size)
                && let Err(error) = Rules::read_stop_at(tile, size)
            {
                require(false, path, &error.to_string());
            }
        }

        let fits = |start: &Board| {
            let rules = Rules {
                size: size.unwrap_or(start.size()),
                ..Rules::default()
            };
            rules.check_start(start).map_err(|error| error.to_string())
        };
        if let Some(Err(reason)) = start
            .as_ref()
            .map(|start| start.as_ref().map_err(Clone::clone).and_then(fits))
        {
            require(false, "rules.start", &reason);
        }
        let start = start.and_then(Result::ok);
        if let (Some(rule), Some(_)) = (stop_at, self.stop_at) {
            require(
                false,
                "stop_at",
                &format!("rules.stop_at is already {rule}: leave one out"),
            );
        }
        let points = self
            .whole_sweep()
            .map(|sweep| (self.is_short(), sweep.expand()));
        let (count, games) = match &points {
            Some((true, Ok(points))) => (points.len(), *games),
            _ => (strategies.len(), *games),
        };

        if MOST_GAMES < games {
            let (shown, limit) = (words::count(games), words::count(MOST_GAMES));
            require(
                false,
                "games",
                &format!("{shown} games are above the limit of {limit} games per strategy"),
            );
        } else if MOST_GAMES_IN_ALL < games.saturating_mul(count as u64) {
            let (shown, limit) = (words::count(games), words::count(MOST_GAMES_IN_ALL));
            let reason = format!(
                "{shown} games of {count} strategies are above the limit of {limit} games in all"
            );
            require(false, "games", &reason);
        }
        require(
            games != 0,
            "games",
            "0 games measure nothing: write at least 1",
        );
        require(
            count != 0,
            "strategies",
            "there is no strategy: add at least one",
        );
        require(
            count <= MOST_STRATEGIES,
            "strategies",
            &format!("more than {MOST_STRATEGIES} strategies"),
        );
        let is_short = matches!(points, Some((true, _)));
        let mut names = HashMap::new();
        for (index, entry) in strategies.iter().enumerate() {
            let path = format!("strategies[{index}]");
            // For a short sweep only its points are played.
            let own_p4 = (!is_short).then(|| entry.p4.unwrap_or(*p4));
            check_strategy(
                &entry.strategy,
                size,
                own_p4,
                &format!("{path}.strategy"),
                &mut problems,
            );
            if let Some(rollout) = &entry.strategy.rollout
                && let Err(error) = (Rules {
                    start,
                    ..Rules::default()
                })
                .check_first(rollout.first)
            {
                problems.push(Problem::new(
                    format!("{path}.strategy.rollout.first"),
                    error.to_string(),
                ));
            }
            let label = entry.strategy.label();
            let name = words::quoted(&label);
            let first = *names.entry(label).or_insert(index);

            if first != index {
                let reason =
                    format!("strategies[{first}] is called {name} too: give each its own name");
                problems.push(Problem::new(format!("{path}.strategy.name"), reason));
            }
            if let Some(p4) = entry.p4.filter(|p4| !(0.0..=1.0).contains(p4)) {
                problems.push(Problem::new(format!("{path}.p4"), not_a_chance(p4)));
            }
            if let Some(published) = &entry.published {
                check_published(published, &format!("{path}.published"), &mut problems);
            }
        }
        if let Some(tuning) = &self.tune {
            problems.extend(
                tuning.check(
                    &strategies
                        .iter()
                        .map(|entry| &entry.strategy)
                        .collect::<Vec<_>>(),
                ),
            );
        }

        match &points {
            Some((_, Err(problem))) => problems.push(problem.clone()),
            Some((true, Ok(points))) if problems.is_empty() => {
                check_points(points, (size, *p4), &mut problems);
            }
            Some(_) | None => {}
        }

        let played = points
            .as_ref()
            .filter(|(is_short, _)| *is_short)
            .and_then(|(_, points)| points.as_ref().ok());
        let played = played.unwrap_or(strategies);
        let labels: Vec<String> = played.iter().map(|entry| entry.strategy.label()).collect();
        let have_same_tiles = played
            .iter()
            .map(|entry| entry.p4.unwrap_or(self.rules.p4))
            .all_equal();
        let of_rules = StopRule::problem(&self.until, &labels, have_same_tiles).into_iter();
        problems.extend(
            of_rules.map(|(place, problem)| {
                Problem::new(format!("until[{place}]"), problem.to_string())
            }),
        );
        problems
    }
}

fn not_a_chance(p4: f64) -> String {
    format!("{p4} is not a probability: write a number from 0 to 1")
}

/// The first point that cannot be played, or has the name of another one.
fn check_points(points: &[Entry], (size, p4): (Option<Size>, f64), problems: &mut Vec<Problem>) {
    let mut names = HashSet::new();
    for Entry {
        strategy,
        p4: own_p4,
        ..
    } in points
    {
        let mut own = Vec::new();
        check_strategy(strategy, size, Some(own_p4.unwrap_or(p4)), "", &mut own);
        let reason = own.into_iter().next().map(|problem| problem.reason);
        let twice = (!names.insert(strategy.label()))
            .then(|| "two points have this name: rename one of the strategies".to_owned());
        if let Some(reason) = reason.or(twice) {
            return problems.push(Problem::new(
                "sweep.over",
                format!("{}: {reason}", strategy.label()),
            ));
        }
    }
}

fn check_published(published: &Published, path: &str, problems: &mut Vec<Problem>) {
    let Published {
        mean,
        sd,
        median,
        max: _,
        reach,
        moves,
        moves_reaching,
        seconds_reaching,
        seconds_per_move,
        games,
        source: _,
        reading: _,
    } = published;

    let mut require = |is_sound: bool, field: &str, reason: &str| {
        problems.extend((!is_sound).then(|| Problem::new(format!("{path}.{field}"), reason)));
    };
    let is_size = |number: f64| (0.0..f64::INFINITY).contains(&number);
    require(mean.is_none_or(f64::is_finite), "mean", "not a number");
    require(median.is_none_or(f64::is_finite), "median", "not a number");
    require(sd.is_none_or(is_size), "sd", "write a number from 0 up");

    let of_tiles = [
        ("reach", reach),
        ("moves_reaching", moves_reaching),
        ("seconds_reaching", seconds_reaching),
    ];
    for (name, list) in of_tiles {
        for (index, (tile, number)) in list.iter().enumerate() {
            let field = format!("{name}[{index}]");
            if Rank::of_tile(*tile).is_none_or(|rank| rank < Rank::FOUR) {
                require(
                    false,
                    &field,
                    &format!("{tile} is not a tile that can be reached: write 4, 8, 16 …"),
                );
            } else if list[..index].iter().any(|(earlier, _)| earlier == tile) {
                require(
                    false,
                    &field,
                    &format!("the tile {tile} appears twice: leave one out"),
                );
            }
            if name == "reach" {
                let reason = format!(
                    "{number} is not a share: write a number from 0 to 1, such as 0.98 for 98 %"
                );
                require((0.0..=1.0).contains(number), &field, &reason);
            } else {
                require(is_size(*number), &field, "write a number from 0 up");
            }
        }
    }

    require(
        moves.is_none_or(is_size),
        "moves",
        "write a number from 0 up",
    );
    require(
        seconds_per_move.is_none_or(is_size),
        "seconds_per_move",
        "write a number from 0 up",
    );
    require(
        *games != Some(0),
        "games",
        "write at least 1, or leave it out",
    );
}

/// `p4` is the chance of a 4 in its games, if known.
fn check_strategy(
    strategy: &Strategy,
    size: Option<Size>,
    p4: Option<f64>,
    path: &str,
    problems: &mut Vec<Problem>,
) {
    let before = problems.len();
    for (row, criterion) in strategy.criteria.iter().enumerate() {
        let path = format!("{path}.criteria[{row}]");
        if !(0.0..f64::INFINITY).contains(&criterion.tolerance) {
            let reason = format!(
                "{} is not a tolerance: write a number from 0 up",
                criterion.tolerance
            );
            problems.push(Problem::new(format!("{path}.tolerance"), reason));
        }
        if let Some(Err(error)) = size.map(|size| criterion.evaluator.check(size)) {
            problems.push(Problem::new(format!("{path}.evaluator"), error.to_string()));
        }
        if let Some(Err(reason)) = size.map(|size| criterion.lookahead.check(size)) {
            problems.push(Problem::new(
                format!("{path}.lookahead"),
                reason.to_string(),
            ));
        }
    }

    // The strategy as a whole may be invalid although its rows are valid.
    if problems.len() == before
        && let Some(Err(error)) = size.map(|size| match p4 {
            Some(p4) => strategy.check_for(Rules {
                size,
                p4,
                ..Rules::default()
            }),
            None => strategy.check(size),
        })
    {
        problems.push(Problem::new(path, error.to_string()));
    }
}
