//! Estimates how long a plan will take, before it is played.
//!
//! Each strategy plays whole games for a fraction of a second, longer if too few end. The first game builds tables and
//! fills caches, so its extra time counts once; the other games give the time of a game. A game that the trial cut off
//! counts with its time, but not as a game: `mean = total time / games that ended`. This allows for the fact that long
//! games are cut off most often.
//!
//! The range is that of a log-normal prediction: `mean · exp(± t · cv · √(1/n + 1/N))`, with n games of the trial, N
//! games of the run, and cv their standard deviation relative to the mean ([`Sample`]). A factor for other load on the
//! machine is added ([`BUSY`]).
//!
//! If no game ends in the trial, the length of a game is unknown, and the estimate is a lower bound. The same criteria
//! without lookahead play whole games, because a search plays at least about as many moves, and the time of a move is
//! measured on positions of such a game. Published numbers of moves, and the tile at which games stop, give such games
//! an upper end.

use std::time::{Duration, Instant};

use super::{Contestant, Plan, Play as _, Spread};
use crate::game::{Board, Rank, Record, Rules, Seed};
use crate::math;
use crate::preset::{HalfWidth, Published, StopRule};
use crate::search::{Lookahead, SearchOptions};
use crate::stats::{Planned, ScoreCounts, student_t_975};
use crate::strategy::{Criterion, GameTrace, Player, Strategy};
use crate::task::{CancelToken, threads_for_cli};

/// Time limit of the trial for one strategy.
const PILOT: Duration = Duration::from_millis(400);

/// Time limit for all of them.
const PILOT_IN_ALL: Duration = Duration::from_millis(1600);

/// With more strategies, only this many are measured; the others are assumed to take the mean.
const MOST_MEASURED: usize = 20;

/// The trial of a strategy continues until more than this number of games have ended, or its share of [`PILOT_IN_ALL`]
/// is used up.
const FEW_GAMES: usize = 4;

/// A trial ends after this number of games.
const MANY_GAMES: usize = 400;

/// Fewer scores say nothing about their spread.
const FEWEST_SCORES: usize = 6;

/// The standard deviation of games relative to their mean, until the trial has measured it.
const TYPICAL_CV: f64 = 0.6;

/// The number of games that [`TYPICAL_CV`] counts as.
const TYPICAL_GAMES: f64 = 4.0;

/// The factor by which threads and other work slow each other down: caches, clock rate of the processor.
const BUSY: f64 = 1.5;

/// Positions of a game on which moves are timed.
const POSITIONS: usize = 6;

/// Games without lookahead that give the minimum number of moves.
const SHALLOW_GAMES: u64 = 8;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    pub low: Duration,
    pub likely: Duration,
    /// The upper end. `None` if no game of some strategy ended in the trial; `low` is then a lower bound.
    pub high: Option<Duration>,
    /// The spread of the scores of the trial, if whole games were played.
    pub spread: Option<Spread>,
    /// How the stop rules of the plan affect the duration.
    pub rules: ByRules,
}

/// How stop rules shorten a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ByRules {
    /// It plays all its games.
    All,
    /// A half-width is expected to end it after this many games of each strategy.
    Games(u64),
    /// They may end it at any time.
    Sooner,
}

/// The low end, the number, and the high end.
type Range = [f64; 3];

impl Estimate {
    /// Measures for at most about two seconds, less for quick strategies.
    pub fn of(plan: &Plan) -> Self {
        let every = plan.contestants.len().div_ceil(MOST_MEASURED).max(1);
        let measured: Vec<&Contestant> = plan.contestants.iter().step_by(every).collect();
        let usual = PILOT.min(PILOT_IN_ALL / measured.len().max(1) as u32);
        let (begun, stop) = (Instant::now(), CancelToken::new());
        let cost = |(index, one): (usize, &&Contestant)| {
            // Time that the previous strategies left over goes to those that follow.
            let share =
                PILOT_IN_ALL.saturating_sub(begun.elapsed()) / (measured.len() - index) as u32;
            Cost::of(
                one,
                one.rules(plan.rules),
                Pilot {
                    usual,
                    most: share.max(usual),
                },
                &stop,
            )
        };

        let costs: Vec<Cost> = measured.iter().enumerate().map(cost).collect();
        let scores: Vec<Vec<u32>> = costs.iter().map(|cost| cost.scores.clone()).collect();
        let (most, rules) = (
            plan.total_games() / plan.contestants.len().max(1) as u64,
            by_rules(plan, &scores),
        );
        let each = if let ByRules::Games(each) = rules {
            each
        } else {
            most
        };
        let of_each = each as f64 * plan.contestants.len() as f64 / measured.len().max(1) as f64;
        let threads = plan
            .thread_count()
            .min(threads_for_cli())
            .min(plan.total_games() as usize)
            .max(1);
        // The tables of the strategies that were not measured are built during the run.
        let cold =
            costs.iter().map(|cost| cost.cold).sum::<f64>() * (every - 1) as f64 / threads as f64;
        let all = Self {
            spread: Spread::of_scores(&scores),
            rules,
            ..Self::of_costs(cold, &costs, of_each, threads)
        };

        match StopRule::minutes(&plan.until)
            .and_then(|minutes| Duration::try_from_secs_f64(60.0 * minutes).ok())
        {
            Some(most) => Self {
                low: all.low.min(most),
                likely: all.likely.min(most),
                high: Some(all.high.map_or(most, |high| high.min(most))),
                ..all
            },
            None => all,
        }
    }

    /// How long games of a strategy take on this many cores, measured for half a second. `None` if it was stopped.
    pub fn of_games(
        strategy: &Strategy,
        rules: Rules,
        games: u64,
        cores: usize,
        stop: &CancelToken,
    ) -> Option<Self> {
        let cost = Cost::of(
            &Contestant::new(strategy.clone()),
            rules,
            Pilot {
                usual: PILOT,
                most: PILOT,
            },
            stop,
        );
        let side_by_side = (cores as u64).min(games).max(1) as usize;
        (!stop.is_cancelled()).then(|| Self::of_costs(0.0, &[cost], games as f64, side_by_side))
    }

    /// How long games take one after the other, given that `played` whole games took `took`. The fewer they were, the
    /// wider the range.
    pub fn of_played(played: u64, took: Duration, games: u64) -> Option<Self> {
        let sample = Sample {
            mean: took.as_secs_f64() / played as f64,
            cv: TYPICAL_CV,
            n: played as f64,
            freedom: TYPICAL_GAMES,
        };
        let seconds = |range: Range| {
            range.map(|secs| {
                Duration::try_from_secs_f64(secs * games as f64).unwrap_or(Duration::MAX)
            })
        };
        let [low, likely, high] = seconds(busy(sample.predicted(games as f64)));
        (played != 0).then_some(Self {
            low,
            likely,
            high: Some(high),
            spread: None,
            rules: ByRules::All,
        })
    }

    /// The time of `games` games of each strategy, `side_by_side` of them at a time, after `once` seconds of
    /// preparation.
    fn of_costs(once: f64, costs: &[Cost], games: f64, side_by_side: usize) -> Self {
        let threads = side_by_side as f64;
        let (mut secs, mut longest, mut cut) = ([once; 3], 0.0_f64, 0.0);
        for cost in costs {
            let game = busy(cost.game.predicted(games));
            secs.iter_mut()
                .zip(game)
                .for_each(|(secs, game)| *secs += game * games / threads);
            cut += cost.cut / threads;
            longest = longest.max(game[2]);
        }
        if 1 < side_by_side {
            // The last game may begin when all others end.
            secs[2] += longest * (1.0 - 1.0 / threads);
        }

        // No cut-off game is shorter than it was at that time.
        secs[0] = secs[0].max(cut);
        let is_open = costs.iter().any(|cost| cost.is_open);
        let [low, likely, high] =
            secs.map(|secs| Duration::try_from_secs_f64(secs).unwrap_or(Duration::MAX));
        let likely = likely.max(low);
        Self {
            low,
            likely,
            high: (!is_open).then_some(high),
            spread: None,
            rules: ByRules::All,
        }
    }
}

/// Widens a range for other work on the machine, in the run or in the trial.
fn busy([low, likely, high]: Range) -> Range {
    [low / BUSY, likely, high * BUSY]
}

/// How the score rules of a plan end it, if its strategies score like this from game 0.
fn by_rules(plan: &Plan, scores: &[Vec<u32>]) -> ByRules {
    let mut rules = plan.until.iter().filter(|rule| rule.looks_at_scores());
    let (Some(rule), None) = (rules.next(), rules.next()) else {
        return if plan.until.iter().any(StopRule::looks_at_scores) {
            ByRules::Sooner
        } else {
            ByRules::All
        };
    };
    let aim = match rule {
        StopRule::HalfWidth(aim) => aim,
        StopRule::Sprt(_) | StopRule::Minutes(_) => return ByRules::Sooner,
    };
    let needed = |scores: &Vec<u32>| {
        let moments = scores.iter().copied().collect::<ScoreCounts>().moments()?;
        let half_width = match aim {
            HalfWidth::Points(points) => *points,
            HalfWidth::Percent(percent) => percent / 100.0 * moments.mean,
        };
        Some(Planned::OPEN.values_within(half_width, moments.std_dev?, plan.games))
    };

    // The rule waits for the strategy that needs most games.
    let all: Option<Vec<u64>> = scores.iter().map(needed).collect();
    all.and_then(|all| all.into_iter().max())
        .map_or(ByRules::Sooner, ByRules::Games)
}

/// The duration of a trial of a strategy.
#[derive(Clone, Copy, Debug)]
struct Pilot {
    usual: Duration,
    /// The limit if too few games have ended by then.
    most: Duration,
}

/// A sample of the games of a strategy: their seconds, or their moves.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Sample {
    mean: f64,
    /// Their standard deviation relative to the mean.
    cv: f64,
    /// The number of games in the mean.
    n: f64,
    /// Degrees of freedom of the standard deviation.
    freedom: f64,
}

impl Sample {
    /// From at least one game that ended, and the value of one that was cut off.
    fn of(ended: &[f64], cut: f64) -> Option<Self> {
        let n = ended.len() as f64;
        let (sum, mean) = (
            ended.iter().sum::<f64>(),
            (ended.iter().sum::<f64>() + cut) / n,
        );
        let squares = ended
            .iter()
            .map(|one| math::squared(one - sum / n))
            .sum::<f64>()
            / math::squared(mean.max(1e-12));
        let freedom = n - 1.0 + TYPICAL_GAMES;
        let cv = ((squares + TYPICAL_GAMES * math::squared(TYPICAL_CV)) / freedom).sqrt();
        (!ended.is_empty()).then_some(Self {
            mean,
            cv,
            n,
            freedom,
        })
    }

    /// Low end, mean and high end of the mean of this number of further games, at 95 %. The low end has twice their
    /// variance, because short games are more frequent than in a log-normal distribution.
    fn predicted(&self, games: f64) -> Range {
        let off = |share: f64| {
            math::exp(
                student_t_975(self.freedom)
                    * self.cv
                    * (1.0 / self.n + share / games.max(1.0)).sqrt(),
            )
        };
        [self.mean / off(2.0), self.mean, self.mean * off(1.0)]
    }
}

/// The duration of a game in seconds.
#[derive(Clone, Debug)]
enum Game {
    /// From whole games.
    Played(Sample),
    /// From the number of moves and the time per move.
    Searched {
        moves: Sample,
        /// Whether the number of moves has an upper end.
        has_end: bool,
        /// The likely move at which the game reaches the tile to stop at. Twice as many are out of reach.
        most: f64,
        /// The first move of each section of the game, and the seconds per move from there.
        pace: Vec<(f64, f64)>,
    },
}

impl Game {
    /// Low end, mean and high end of the seconds per game, as a mean of this number of games.
    fn predicted(&self, games: f64) -> Range {
        match self {
            Self::Played(sample) => sample.predicted(games),
            Self::Searched {
                moves,
                has_end,
                most,
                pace,
            } => {
                let [low, likely, high] = moves.predicted(games);
                let high = if *has_end {
                    high.min(2.0 * most)
                } else {
                    2.0 * most
                };
                [low.min(*most), likely.min(*most), high]
                    .map(|moves| seconds_to(pace, moves.max(1.0)))
            }
        }
    }
}

/// The cost of the games of a strategy.
struct Cost {
    /// The seconds for building tables, once.
    cold: f64,
    game: Game,
    /// Seconds of a cut-off game if none ended; otherwise 0.
    cut: f64,
    /// Whether a game has no upper end.
    is_open: bool,
    /// Scores of whole games from index 0. Empty if they are too few to show their spread.
    scores: Vec<u32>,
}

impl Cost {
    fn of(contestant: &Contestant, rules: Rules, pilot: Pilot, stop: &CancelToken) -> Self {
        let player = Player::new(&contestant.strategy, rules);
        let trial = Trial::play(&player, pilot, stop);
        if let Some((cold, sample)) = trial.sample() {
            let scores = if FEWEST_SCORES <= trial.scores.len() {
                trial.scores
            } else {
                Vec::new()
            };
            return Self {
                cold,
                game: Game::Played(sample),
                cut: 0.0,
                is_open: false,
                scores,
            };
        }
        let (game, is_open) = searched(contestant, &player, pilot.usual / 2, stop);
        Self {
            cold: 0.0,
            game,
            cut: trial.cut,
            is_open,
            scores: Vec::new(),
        }
    }
}

/// Whole games, one after the other, from index 0.
struct Trial {
    /// Seconds of the games that ended.
    ended: Vec<f64>,
    scores: Vec<u32>,
    /// Seconds of the game that was cut off.
    cut: f64,
}

impl Trial {
    fn play(player: &Player, pilot: Pilot, stop: &CancelToken) -> Self {
        // Games at one ply are quick, so a short trial has many of them.
        let usual = if player.searches() {
            pilot.usual / 2
        } else {
            pilot.usual / 10
        };
        let mut trial = Self {
            ended: Vec::new(),
            scores: Vec::new(),
            cut: 0.0,
        };
        let begun = Instant::now();
        for (limit, games) in [(pilot.most, FEW_GAMES), (usual, MANY_GAMES)] {
            stop.within(Some(limit.saturating_sub(begun.elapsed())), |time_is_up| {
                // One more game than `games`, because the first is not part of the sample.
                while trial.ended.len() <= games && begun.elapsed() < limit && !stop.is_cancelled()
                {
                    if !trial.play_one(player, time_is_up) {
                        break;
                    }
                }
            });
        }
        trial
    }

    /// Plays one game. Returns whether it ended.
    fn play_one(&mut self, player: &Player, stop: &CancelToken) -> bool {
        let started = Instant::now();
        // As in a batch.
        let finish = player.play_told(Seed(1).game(self.ended.len() as u64), stop, &mut |_| {});
        self.cut = started.elapsed().as_secs_f64();
        let Some(finish) = finish.filter(|_| !stop.is_cancelled()) else {
            return false;
        };
        self.scores.push(finish.outcome.score);
        self.ended.push(std::mem::take(&mut self.cut));
        true
    }

    /// The extra seconds of the first game compared with the others, and the sample of the others. `None` if no game
    /// ended.
    fn sample(&self) -> Option<(f64, Sample)> {
        let (first, warm) = self.ended.split_first()?;
        match Sample::of(warm, self.cut) {
            Some(sample) => Some(((first - sample.mean).max(0.0), sample)),
            None => Some((0.0, Sample::of(&self.ended, self.cut)?)),
        }
    }
}

/// Games of the same criteria without lookahead.
struct Shallow {
    /// The number of moves of each.
    moves: Vec<f64>,
    /// Positions of the first game, none of them dead or at its end.
    positions: Vec<Board>,
}

impl Shallow {
    fn of(strategy: &Strategy, rules: Rules, time: Duration, stop: &CancelToken) -> Self {
        let criteria = strategy.criteria.iter().map(|row| Criterion {
            lookahead: Lookahead::OnePly,
            ..row.clone()
        });
        let shallow = Strategy {
            criteria: criteria.collect(),
            ..strategy.clone()
        };
        let player = Player::new(&shallow, rules);
        let (begun, mut games) = (Instant::now(), Vec::<Record>::new());
        let is_open = |board: &Board| {
            !board.is_dead() && rules.stop_at.is_none_or(|rank| board.max_rank() < rank)
        };
        let is_whole = |record: &Record| {
            record
                .replay()
                .last()
                .is_some_and(|last| !is_open(&last.board))
        };
        stop.within(Some(time), |stop| {
            for game in 0..SHALLOW_GAMES {
                let record = GameTrace::record(
                    &player,
                    Seed(1),
                    game,
                    &shallow,
                    SearchOptions::on_one_core(stop),
                );
                // Only the first may have been cut off.
                if games.is_empty() || is_whole(&record) {
                    games.push(record);
                }
                if stop.is_cancelled() || time < begun.elapsed() {
                    break;
                }
            }
        });

        let moments = games.first().map(Record::replay).unwrap_or_default();
        let boards: Vec<Board> = moments
            .iter()
            .map(|moment| moment.board)
            .filter(is_open)
            .collect();
        // From the middles of equal parts of the game.
        let parts = POSITIONS.min(boards.len());
        let middle = |part: usize| boards[(2 * part + 1) * boards.len() / (2 * parts)];
        let mut positions: Vec<Board> = (0..parts).map(middle).collect();
        if positions.is_empty() {
            positions.push(Seed(1).game(0).opening(&rules));
        }

        Self {
            moves: games
                .iter()
                .map(|record| record.steps.len() as f64)
                .collect(),
            positions,
        }
    }

    /// The moves of a game. If the game was cut off, they are a minimum.
    fn sample(&self) -> Option<Sample> {
        Sample::of(&self.moves, 0.0).filter(|sample| 0.0 < sample.mean)
    }
}

/// A game from its number of moves and the time per move, and whether it has no upper end.
fn searched(
    contestant: &Contestant,
    player: &Player,
    pilot: Duration,
    stop: &CancelToken,
) -> (Game, bool) {
    let rules = player.rules();
    let shallow = Shallow::of(&contestant.strategy, rules, pilot / 3, stop);
    let published = published_moves(contestant.published.as_ref(), rules);
    let moves = published.or_else(|| shallow.sample()).unwrap_or(Sample {
        mean: 1.0,
        ..TYPICAL
    });
    let started = Instant::now();
    let mut is_open = published.is_none() && rules.stop_at.is_none();
    let mut pace: Vec<(f64, f64)> = Vec::new();
    for (index, board) in shallow.positions.iter().enumerate() {
        let left = (pilot * 2 / 3).saturating_sub(started.elapsed())
            / (shallow.positions.len() - index) as u32;
        let (made, secs) = timed(player, board, left, stop);
        is_open |= made == 0;
        // When time was up, half a move was under way on average; a move that did not end takes at least the time.
        let per_move = if made == 0 {
            secs
        } else {
            secs / (f64::from(made) + 0.5)
        };
        pace.push((board.tile_sum() as f64 / per_spawn(rules), per_move));
    }

    (
        Game::Searched {
            moves,
            has_end: published.is_some(),
            most: most_moves(rules),
            pace,
        },
        is_open,
    )
}

/// Seconds of this number of moves from the opening.
fn seconds_to(pace: &[(f64, f64)], moves: f64) -> f64 {
    let ends = pace
        .iter()
        .skip(1)
        .map(|&(from, _)| from)
        .chain([f64::INFINITY]);
    let mut before = 0.0;
    let spans = pace.iter().zip(ends).map(|(&(_, secs), end)| {
        let span = (moves.min(end) - before).max(0.0);
        before = end.max(before);
        // Infinitely many moves of no time take no time.
        if secs == 0.0 { 0.0 } else { span * secs }
    });
    spans.sum::<f64>()
}

/// Plays from a board for this time. Returns the number of moves and the seconds taken.
fn timed(player: &Player, board: &Board, time: Duration, stop: &CancelToken) -> (u32, f64) {
    stop.within(Some(time), |stop| {
        let started = Instant::now();
        let outcome = player
            .play_from(
                Some(board),
                &Seed(1).game(0),
                SearchOptions::on_one_core(stop),
                &mut (),
            )
            .outcome;
        (outcome.moves, started.elapsed().as_secs_f64())
    })
}

/// How much a spawn adds to the sum of the tiles, on average.
fn per_spawn(rules: Rules) -> f64 {
    2.0 + 2.0 * rules.p4
}

/// A published mean counts as that of a few games, because its rules and depth may differ.
const TYPICAL: Sample = Sample {
    mean: 1.0,
    cv: TYPICAL_CV,
    n: TYPICAL_GAMES,
    freedom: TYPICAL_GAMES,
};

/// The moves of a game by the published numbers; a published score is enough.
fn published_moves(published: Option<&Published>, rules: Rules) -> Option<Sample> {
    let published = published?;
    let moves = published
        .moves
        .or_else(|| Some(sum_for_score(published.mean?) / per_spawn(rules)))?;
    Some(Sample {
        mean: moves,
        ..TYPICAL
    })
}

/// The number of moves until the tile to stop at exists. The other tiles together are assumed to be a tenth of it.
fn most_moves(rules: Rules) -> f64 {
    rules.stop_at.map_or(f64::INFINITY, |rank: Rank| {
        1.1 * rank.tile() as f64 / per_spawn(rules)
    })
}

/// The sum of the tiles at which a game has about `score` points. A tile 2ʳ took (r − 1)·2ʳ points to make, minus 4 for
/// every 4 that spawned.
fn sum_for_score(score: f64) -> f64 {
    let points = |sum: f64| sum * (math::log2(sum) - 2.5);
    let (mut low, mut high) = (8.0, f64::from(1 << 20));
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        if points(middle) < score {
            low = middle;
        } else {
            high = middle;
        }
    }
    high
}

#[cfg(test)]
mod tests {
    use itertools::Itertools as _;
    use rand::rngs::SmallRng;
    use rand::{RngExt as _, SeedableRng as _};

    use super::*;
    use crate::game::Size;

    fn plan(strategy: &str, rules: Rules, games: u64) -> Plan {
        Plan {
            title: String::new(),
            rules,
            seed: 1,
            games,
            part: None,
            until: Vec::new(),
            contestants: vec![Contestant::new(strategy.parse().expect("a strategy"))],
            sweep: None,
            threads: Some(1),
            low_priority: false,
        }
    }

    const SEARCH: &str = "(criteria: [(evaluator: Empty, lookahead: Expectimax(plies: Fixed(2)))])";

    #[test]
    fn an_estimate_is_in_order_and_grows_with_the_games() {
        for strategy in ["emr", SEARCH] {
            for size in ["4x4", "2x2", "3x5"] {
                let rules = Rules::default().on(size.parse().expect("a size"));
                let estimate = Estimate::of(&plan(strategy, rules, 10));
                assert!(estimate.low <= estimate.likely, "{estimate:?}");
                assert!(
                    estimate.high.is_none_or(|high| estimate.likely <= high),
                    "{estimate:?}"
                );
                let more = Estimate::of(&plan(strategy, rules, 1_000_000));
                assert!(estimate.likely < more.likely, "{estimate:?} {more:?}");
                let part = Estimate::of(&Plan {
                    part: Some(7..17),
                    ..plan(strategy, rules, 1_000_000)
                });
                assert!(part.likely < more.likely / 100, "{part:?} {more:?}");
            }
        }
    }

    #[test]
    fn rules_shorten_it() {
        let ruled = |until: &[&str]| {
            let until = until
                .iter()
                .map(|rule| rule.parse().expect("a rule"))
                .collect();
            Plan {
                until,
                ..plan("er", Rules::default(), 5_000_000)
            }
        };
        // One standard deviation of half the mean, and one of a twentieth.
        let scores = [
            vec![500, 1500, 500, 1500, 1000],
            vec![1050, 950, 1050, 950, 1000],
        ];
        let estimated = |until: &[&str], scores: &[Vec<u32>]| by_rules(&ruled(until), scores);
        let ByRules::Games(each) = estimated(&["half-width=4%", "minutes=9"], &scores) else {
            panic!("{scores:?}")
        };
        assert!((1500..1800).contains(&each), "{each}");
        assert_eq!(
            estimated(&["half-width=4%"], &[scores[0].clone(), Vec::new()]),
            ByRules::Sooner
        );
        assert_eq!(
            estimated(&["half-width=4%", "sprt=0..10"], &scores),
            ByRules::Sooner
        );
        assert_eq!(
            (estimated(&[], &scores), estimated(&["minutes=9"], &scores)),
            (ByRules::All, ByRules::All)
        );
        assert_eq!(
            Estimate::of(&ruled(&["minutes=0.01"])).high,
            Some(Duration::from_millis(600))
        );
    }

    /// The first game of the strategy builds tables, which shows in its time.
    #[test]
    fn the_first_game_is_counted_once() {
        let strategy: Strategy = "emr".parse().expect("letters");
        let player = Player::new(&strategy, Rules::default());
        let pilot = Pilot {
            usual: PILOT,
            most: PILOT_IN_ALL,
        };
        let played = |player: &Player| Trial::play(player, pilot, &CancelToken::new()).sample();
        let (_, sample) = played(&player).expect("quick games");
        let [low, likely, high] = busy(sample.predicted(40.0));
        let started = Instant::now();
        for game in 0..40 {
            player.play(&Seed(2).game(game), SearchOptions::default(), &mut ());
        }
        let warm = started.elapsed().as_secs_f64() / 40.0;
        // Other load on the machine may alternate with this.
        assert!(
            low <= 5.0 * warm && warm <= 5.0 * high && low <= likely && likely <= high,
            "{warm} {low} {high}"
        );

        // A game that does not end in time is no whole game.
        let deep: Strategy = SEARCH
            .replace("Fixed(2)", "Fixed(20)")
            .parse()
            .expect("a search");
        let player = Player::new(&deep, Rules::default());
        assert!(played(&player).is_none());
    }

    #[test]
    fn a_pilot_is_short_however_deep_the_search_is() {
        let deep = SEARCH.replace("Fixed(2)", "Fixed(20)");
        let started = Instant::now();
        let estimate = Estimate::of(&plan(&deep, Rules::default(), 1));
        // The game would take years on any machine.
        assert!(
            started.elapsed() < Duration::from_secs(1000),
            "{:?}",
            started.elapsed()
        );
        assert_eq!(estimate.high, None, "the trial ended before a game did");
        assert!(Duration::from_secs(1) < estimate.low);
    }

    fn shallow(strategy: &str, rules: Rules) -> Shallow {
        Shallow::of(
            &strategy.parse().expect("a strategy"),
            rules,
            Duration::from_secs(60),
            &CancelToken::new(),
        )
    }

    #[test]
    fn the_positions_are_of_a_growing_game() {
        for size in Size::all() {
            let positions = shallow(SEARCH, Rules::default().on(size)).positions;
            assert!(
                positions.is_sorted_by_key(Board::tile_sum) && !positions.is_empty(),
                "{size}"
            );
            assert!(positions.iter().all(|board| !board.is_dead()));
        }
        let stopped = Rules {
            stop_at: Some(Rank::FOUR),
            ..Rules::default()
        };
        assert!(!shallow(SEARCH, stopped).positions.is_empty());
    }

    /// A strategy of long games is not mistaken for one of short games with the same depth.
    #[test]
    fn the_number_of_moves_follows_the_criteria_and_not_the_depth_alone() {
        let moves = |evaluator: &str| {
            let text = format!(
                "(criteria: [(evaluator: {evaluator}, lookahead: Expectimax(plies: Fixed(3)))])"
            );
            shallow(&text, Rules::default())
                .sample()
                .expect("games")
                .mean
        };
        let (weak, strong) = (moves("Score"), moves("Network(\"reference\")"));
        assert!(8.0 * weak < strong, "{weak} {strong}");
        // A greedy game of the network has about 5,000 moves, and a search does not shorten it.
        assert!(2500.0 < strong, "{strong}");
    }

    #[test]
    fn a_trial_that_ends_before_its_games_gives_a_lower_bound() {
        let strategy: Strategy = SEARCH.parse().expect("a strategy");
        let player = Player::new(&strategy, Rules::default());
        let stop = CancelToken::new();
        // Time is up before the first game.
        stop.cancel();
        let trial = Trial::play(
            &player,
            Pilot {
                usual: PILOT,
                most: PILOT_IN_ALL,
            },
            &stop,
        );
        assert_eq!(trial.sample(), None);
        let game_cost = |stop_at: Option<Rank>, moves: Option<f64>| {
            let rules = Rules {
                stop_at,
                ..Rules::default()
            };
            let published = moves.map(|moves| Published {
                moves: Some(moves),
                ..Published::default()
            });
            let contestant = Contestant {
                published,
                ..Contestant::new(strategy.clone())
            };
            searched(
                &contestant,
                &Player::new(&strategy, rules),
                Duration::from_secs(60),
                &CancelToken::new(),
            )
        };

        // Nothing else gives an upper end either.
        let (game, is_open) = game_cost(None, None);
        assert!(is_open && 0.0 < game.predicted(1.0)[0]);
        for (stop_at, moves) in [(Rank::of_tile(64), None), (None, Some(400.0))] {
            let (game, is_open) = game_cost(stop_at, moves);
            let range = game.predicted(1.0);
            assert!(
                !is_open && range.is_sorted() && range[2].is_finite(),
                "{range:?}"
            );
        }

        // A cut-off game is no shorter than it was at that time.
        let cost = Cost {
            cold: 0.0,
            game: game_cost(None, None).0,
            cut: 9e9,
            is_open: true,
            scores: Vec::new(),
        };
        let estimate = Estimate::of_costs(0.0, &[cost], 1.0, 1);
        assert_eq!(
            (estimate.low, estimate.high),
            (Duration::from_secs(9_000_000_000), None)
        );
    }

    /// A log-normal length of about 1.
    fn log_normal(rng: &mut SmallRng, cv: f64) -> f64 {
        let normal = (0..12).map(|_| rng.random::<f64>()).sum::<f64>() - 6.0;
        let variance = math::ln(1.0 + math::squared(cv));
        math::exp(variance.sqrt() * normal - variance / 2.0)
    }

    /// Trials and runs of games whose lengths follow several distributions, as they occur when games end early or late,
    /// at a tile, or in two kinds of ways.
    #[test]
    fn nine_of_ten_runs_of_games_of_any_length_end_within_the_range() {
        type Draw = fn(&mut SmallRng) -> f64;
        let shapes: [(&str, Draw); 6] = [
            ("steady", |rng| log_normal(rng, 0.2)),
            ("usual", |rng| log_normal(rng, 0.5)),
            ("wide", |rng| log_normal(rng, 0.9)),
            ("uniform", |rng| 2.0 * rng.random::<f64>()),
            (
                "two kinds",
                |rng| if rng.random::<bool>() { 0.4 } else { 1.6 },
            ),
            ("stopped at a tile", |rng| {
                (-math::ln(1.0 - rng.random::<f64>())).min(1.3) / 0.727
            }),
        ];

        let mut rng = SmallRng::seed_from_u64(14);
        for (shape, draw) in shapes {
            // The duration of the trial in games, and the number of games played.
            for (trial, games) in [1.0, 2.0, 5.0, 20.0, 100.0]
                .into_iter()
                .cartesian_product([1, 4, 30])
            {
                let (mut covered, mut all) = (0, 0);
                while all < 300 {
                    let (mut ended, mut left) = (Vec::new(), trial);
                    let cut = loop {
                        let game = draw(&mut rng);
                        if left < game {
                            break left;
                        }
                        ended.push(game);
                        left -= game;
                    };
                    // Without a game that ended there is only a lower bound.
                    let Some(sample) = Sample::of(&ended, cut) else {
                        continue;
                    };
                    let [low, _, high] = sample.predicted(f64::from(games));
                    let took = (0..games).map(|_| draw(&mut rng)).sum::<f64>() / f64::from(games);
                    (covered, all) = (covered + u32::from((low..=high).contains(&took)), all + 1);
                }
                // Only chance may make it less than 9 of 10.
                assert!(
                    255 <= covered,
                    "{shape}, {trial}, {games}: {covered} of {all}"
                );
            }
        }
    }

    #[test]
    fn one_strategy_is_estimated_as_a_plan_of_it_is() {
        for strategy in ["emr", SEARCH] {
            let plan = plan(strategy, Rules::default(), 1000);
            let (of_plan, parsed) = (Estimate::of(&plan), &plan.contestants[0].strategy);
            let of_games = |cores| {
                Estimate::of_games(parsed, plan.rules, 1000, cores, &CancelToken::new())
                    .expect("not stopped")
            };
            // Both measure the same thing, so their ranges overlap however busy the machine is.
            let one = of_games(1);
            assert!(
                one.low <= 10 * of_plan.high.expect("fast"),
                "{one:?} {of_plan:?}"
            );
            assert!(
                of_plan.low <= 10 * one.high.expect("fast"),
                "{one:?} {of_plan:?}"
            );
            assert!(of_games(100).likely < one.likely);
        }
        let (stop, strategy) = (CancelToken::new(), SEARCH.parse().expect(SEARCH));
        stop.cancel();
        assert_eq!(
            Estimate::of_games(&strategy, Rules::default(), 10, 1, &stop),
            None
        );
    }

    #[test]
    fn moves_follow_from_what_is_known() {
        let likely = |published: &Published| {
            published_moves(Some(published), Rules::default()).map(|moves| moves.mean)
        };
        assert_eq!(likely(&Published::default()), None);
        assert_eq!(
            likely(&Published {
                moves: Some(969.0),
                ..Published::default()
            }),
            Some(969.0)
        );
        // Random play: 1095 points in 118 moves. A game to 2048 makes about 20,000 points in a good 950 moves.
        let likely_moves = |mean| {
            likely(&Published {
                mean: Some(mean),
                ..Published::default()
            })
            .expect("moves")
        };
        assert!(
            (90.0..150.0).contains(&likely_moves(1095.0)),
            "{}",
            likely_moves(1095.0)
        );
        assert!(
            (850.0..1200.0).contains(&likely_moves(20_000.0)),
            "{}",
            likely_moves(20_000.0)
        );
        let stopped = Rules {
            stop_at: Rank::of_tile(64),
            ..Rules::default()
        };
        assert!(
            (32.0 / 1.1..=32.0 * 1.1).contains(&most_moves(stopped)),
            "{}",
            most_moves(stopped)
        );
    }
}
