//! The exact results of strategies on small boards, compared with measured games.
//!
//! Quick results are computed immediately ([`ExactRows::at_once`]), all others on request ([`ExactRows::follow`]).

use std::path::Path;
use std::time::Duration;

use super::{Summary, Verdicts};
use crate::analysis::{Exact, ExactCost, ExactError};
use crate::game::Rules;
use crate::preset::Published;
use crate::solve::{self, AT_ONCE, BestPlay, Fate, Goal, Question, SolveError, TableError};
use crate::stats::Planned;
use crate::strategy::Strategy;
use crate::task::{CancelToken, Control};

/// Time limit for computing the results of all strategies immediately.
const LIMIT: Duration = Duration::from_secs(3);

/// An exact number counts as a mean of this many games.
const ENDLESS: u64 = 1 << 60;

/// Reach rates outside this range have no information about a run.
const TELLING: std::ops::Range<f64> = 0.005..0.995;

/// The exact result of a contestant.
#[derive(Clone, Debug, PartialEq)]
pub enum ExactRow {
    /// The limits for infinitely many games.
    Known(Box<Published>),
    /// Can be computed, but has not been.
    Open,
    Refused(ExactError),
}

impl ExactRow {
    pub fn known(&self) -> Option<&Published> {
        match self {
            Self::Known(value) => Some(value),
            Self::Open | Self::Refused(_) => None,
        }
    }
}

/// The exact results for the games of an experiment.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ExactRows {
    /// For each contestant in order. Empty on boards that cannot be solved.
    pub rows: Vec<ExactRow>,
    /// Best play under the rules that all share.
    pub best: Option<BestPlay>,
    /// Why the solved table cannot be read.
    pub problem: Option<TableError>,
}

/// Whether exact results exist for these rules: games begin with two tiles, on a board with few cells.
pub fn is_exact(rules: Rules) -> bool {
    solve::check_size(rules.size).is_ok() && rules.start.is_none()
}

impl ExactRows {
    /// The quick results: best play (from a saved table on larger boards), and strategies on boards of at most six
    /// cells.
    pub fn at_once(
        contestants: &[(&Strategy, Rules)],
        config_dir: Option<&Path>,
        stop: &CancelToken,
    ) -> Self {
        let Some(&(_, rules)) = contestants.iter().find(|(_, rules)| is_exact(*rules)) else {
            return Self::default();
        };
        let rows = stop.within(Some(LIMIT), |stop| {
            contestants
                .iter()
                .map(|(strategy, rules)| row_at_once(strategy, *rules, stop))
                .collect()
        });
        let question = Question {
            size: rules.size,
            p4: rules.p4,
            goal: rules.stop_at.map_or(Goal::Score, Goal::Reach),
        };
        let is_shared = contestants.iter().all(|(_, other)| *other == rules);
        let best = if is_shared {
            BestPlay::of(&question, config_dir, stop)
        } else {
            Ok(None)
        };
        let (best, problem) = match best {
            Ok(best) => (best, None),
            Err(problem) => (None, Some(problem)),
        };
        Self {
            rows,
            best,
            problem,
        }
    }

    /// The contestants whose results can be computed but have not been.
    pub fn open(&self) -> impl Iterator<Item = usize> + '_ {
        let rows = self.rows.iter().enumerate();
        rows.filter(|(_, row)| matches!(row, ExactRow::Open))
            .map(|(place, _)| place)
    }

    /// The estimated cost of computing the open ones, measured briefly for each.
    pub fn cost(
        &self,
        contestants: &[(&Strategy, Rules)],
        threads: usize,
        stop: &CancelToken,
    ) -> Option<ExactCost> {
        let costs = self.open().filter_map(|place| {
            let (strategy, rules) = *contestants.get(place)?;
            Some(Exact::of(strategy, rules).ok()?.cost(threads, stop))
        });
        // If one cost is unknown, so is the sum.
        let add = |a: Option<f64>, b: Option<f64>| Some(a? + b?);
        costs.reduce(|a, b| ExactCost {
            boards: a.boards.zip(b.boards).map(|(a, b)| a + b),
            secs: add(a.secs, b.secs),
        })
    }

    /// Computes the result of one contestant, however long it takes.
    pub fn follow(
        &mut self,
        place: usize,
        strategy: &Strategy,
        rules: Rules,
        threads: usize,
        control: &Control,
    ) -> Result<(), SolveError> {
        let row = match Exact::of(strategy, rules) {
            Ok(exact) => ExactRow::Known(Box::new(as_published(&exact.fate(threads, control)?))),
            Err(error) => ExactRow::Refused(error),
        };
        if let Some(place) = self.rows.get_mut(place) {
            *place = row;
        }
        Ok(())
    }

    pub fn known(&self, place: usize) -> Option<&Published> {
        self.rows.get(place)?.known()
    }

    pub fn is_any_known(&self) -> bool {
        self.rows.iter().any(|row| row.known().is_some())
    }

    /// The verdicts on the measured numbers, as with published numbers.
    pub fn verdicts<'a>(
        &'a self,
        measured: impl Iterator<Item = (Planned, &'a Summary)>,
    ) -> Verdicts {
        let rows = measured
            .enumerate()
            .map(|(place, (planned, summary))| (planned, summary, self.known(place)));
        // Exact numbers need no borrowed standard deviation.
        Verdicts {
            uses_own_sd: false,
            ..Verdicts::of(rows)
        }
    }

    /// Explains such verdicts.
    pub fn legend(verdicts: &Verdicts) -> Option<String> {
        Verdicts::legend_of(&[(verdicts, "exact")])
    }
}

fn row_at_once(strategy: &Strategy, rules: Rules, stop: &CancelToken) -> ExactRow {
    let exact = match Exact::of(strategy, rules) {
        Ok(exact) => exact,
        Err(error) => return ExactRow::Refused(error),
    };
    if exact.at_most().is_none_or(|boards| AT_ONCE < boards) {
        return ExactRow::Open;
    }
    match exact.fate(1, &Control::quiet(stop)) {
        Ok(fate) => ExactRow::Known(Box::new(as_published(&fate))),
        Err(SolveError::Stopped) => ExactRow::Open,
        Err(error) => ExactRow::Refused(error.into()),
    }
}

fn as_published(fate: &Fate) -> Published {
    let Fate {
        mean,
        sd,
        moves,
        largest,
        ..
    } = fate;
    let reach = largest
        .iter()
        .map(|(rank, _)| (rank.tile(), fate.reach(*rank)));
    Published {
        mean: Some(*mean),
        sd: Some(*sd),
        moves: Some(*moves),
        reach: reach.filter(|(_, share)| TELLING.contains(share)).collect(),
        games: Some(ENDLESS),
        ..Published::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Seed;
    use crate::search::SearchOptions;
    use crate::stats::Verdict;
    use crate::strategy::Player;

    fn strategy(text: &str) -> Strategy {
        text.parse().expect(text)
    }

    fn rules(size: &str) -> Rules {
        Rules {
            size: size.parse().expect(size),
            ..Rules::default()
        }
    }

    #[test]
    fn small_boards_are_known_at_once_and_games_of_them_are_compatible() {
        let stop = CancelToken::new();
        let (er, monte) = (
            strategy("er"),
            strategy("(criteria: [(evaluator: Empty, lookahead: MonteCarlo(playouts: 5))])"),
        );
        let exact = ExactRows::at_once(&[(&er, rules("2x2")), (&monte, rules("2x2"))], None, &stop);
        assert!(
            exact.known(0).is_some() && matches!(&exact.rows[1], ExactRow::Refused(_)),
            "{:?}",
            exact.rows
        );
        assert_eq!(exact.open().count(), 0);
        let best = exact.best.as_ref().expect("small");
        assert!((best.value - 66.9641).abs() < 1e-4 && best.table.is_none());
        assert!(exact.known(0).and_then(|row| row.mean).expect("a mean") < best.value);

        let player = Player::new(&er, rules("2x2"));
        let games: Vec<_> = (0..4000)
            .map(|game| player.play(&Seed(5).game(game), SearchOptions::default(), &mut ()))
            .collect();
        let summary = |games: &[_]| Summary::of_games(games, Duration::ZERO);
        let all = summary(&games);
        let verdicts = exact.verdicts([(Planned(4000), &all), (Planned(4000), &all)].into_iter());
        assert!(3 <= verdicts.rows[0].len() && verdicts.rows[1].is_empty());
        assert!(
            verdicts.rows[0]
                .iter()
                .all(|one| one.verdict == Verdict::Compatible),
            "{:?}",
            verdicts.rows[0]
        );

        // Games of another strategy are detected.
        let r = Player::new(
            &strategy("(criteria: [(evaluator: Score)], last_resort: First)"),
            rules("2x2"),
        );
        let other: Vec<_> = (0..4000)
            .map(|game| r.play(&Seed(5).game(game), SearchOptions::default(), &mut ()))
            .collect();
        let other = summary(&other);
        let verdicts = exact.verdicts([(Planned(4000), &other)].into_iter());
        assert_eq!(verdicts.rows[0][0].verdict, Verdict::Differs);
    }

    #[test]
    fn larger_boards_are_followed_when_it_is_asked_and_cost_is_said_first() {
        let (stop, r) = (CancelToken::new(), strategy("r"));
        let contestants = [(&r, rules("2x4"))];
        let exact = ExactRows::at_once(&contestants, None, &stop);
        assert_eq!(
            (exact.open().collect::<Vec<_>>(), &exact.best),
            (vec![0], &None)
        );
        let cost = exact.cost(&contestants, 2, &stop).expect("open");
        assert!(
            cost.boards == Some(4_980_767) && cost.secs.is_some_and(|secs| 0.0 < secs),
            "{cost:?}"
        );

        // On a board that takes no time, to keep the test fast.
        let mut two = ExactRows {
            rows: vec![ExactRow::Open],
            best: None,
            problem: None,
        };
        two.follow(0, &r, rules("2x2"), 1, &Control::quiet(&stop))
            .expect("small");
        assert_eq!(
            two.rows,
            ExactRows::at_once(&[(&r, rules("2x2"))], None, &stop).rows
        );
        stop.cancel();
        let mut exact = exact;
        assert_eq!(
            exact.follow(0, &r, rules("2x4"), 1, &Control::quiet(&stop)),
            Err(SolveError::Stopped)
        );
        assert_eq!(exact.rows, [ExactRow::Open]);
        let four = ExactRows::at_once(&[(&r, Rules::default())], None, &stop);
        assert_eq!(
            four,
            ExactRows::default(),
            "boards that cannot be solved have no rows"
        );
    }
}
