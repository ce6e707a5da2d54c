//! How long a plan will take, before it is played.
//!
//! Each strategy plays whole games for a fraction of a second. The first one builds tables and fills caches, and counts once,
//! not for each game to come; the others give the time of a game, and their spread says how far off it may be.
//!
//! Where searches take so long that no few games end, a game takes moves × time of a move. The time of a move is measured on
//! positions of a real game. The number of moves comes from what was published, else from how deep the search looks,
//! and is at most what the tile to stop at takes.

use std::time::{Duration, Instant};

use super::{Contestant, Plan, Play as _, Spread};
use crate::game::{Board, Rank, Rules, Seed, Size};
use crate::math;
use crate::preset::{HalfWidth, Published, StopRule};
use crate::search::{Plies, SearchOptions};
use crate::stats::{Planned, ScoreCounts};
use crate::strategy::{GameTrace, Player, Strategy};
use crate::task::{CancelToken, threads_for_cli};

/// The most a pilot takes for one strategy.
const PILOT: Duration = Duration::from_millis(400);

/// The most it takes for all of them.
const PILOT_IN_ALL: Duration = Duration::from_millis(1600);

/// Strategies that are measured where there are more; the others count as their mean.
const MOST_MEASURED: usize = 20;

/// Fewer whole games than this do not tell how long the others take; more than the other do not tell it better.
const PILOT_GAMES: std::ops::RangeInclusive<u64> = 5..=400;

/// What threads may take from each other, and other work from them: caches, the clock of the processor.
const BUSY: f64 = 1.5;

/// Positions of one game, from the middle of the time in which 32, 128, 512, 1024, 2048, 4096 was the largest tile.
const POSITIONS: [&str; 6] = [
    "5431002110010000",
    "7620311010000010",
    "9813114200000010",
    "a961123401311001",
    "ba72015510220001",
    "ca62324532101000",
];

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    pub low: Duration,
    pub likely: Duration,
    /// It could be as long; `None` where a single move took longer than the pilot.
    pub high: Option<Duration>,
    /// How far the scores of the trial differ, where whole games were played.
    pub spread: Option<Spread>,
    /// What the stop rules of the plan have to do with it.
    pub rules: ByRules,
}

/// Whether stop rules shorten a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ByRules {
    /// It plays all its games.
    All,
    /// A half-width is expected to end it after so many games of each strategy.
    Games(u64),
    /// They may end it at any time before.
    Sooner,
}

/// A number and how it could be smaller and larger.
type Range = [f64; 3];

fn around(likely: f64, factor: f64) -> Range {
    [likely / factor, likely, likely * factor]
}

impl Estimate {
    /// Measures for at most some two seconds, less for few strategies.
    pub fn of(plan: &Plan) -> Self {
        let every = plan.contestants.len().div_ceil(MOST_MEASURED).max(1);
        let measured: Vec<&Contestant> = plan.contestants.iter().step_by(every).collect();
        let pilot = PILOT.min(PILOT_IN_ALL / measured.len().max(1) as u32);
        let mut sum = [0.0; 3];
        let (mut cold, mut is_open) = (0.0, false);
        let mut scores: Vec<Vec<u32>> = Vec::new();
        for contestant in &measured {
            let cost = Cost::of(contestant, contestant.rules(plan.rules), pilot, &CancelToken::new());
            is_open |= cost.is_open;
            cold += cost.cold;
            sum.iter_mut().zip(cost.game).for_each(|(sum, secs)| *sum += secs);
            scores.push(cost.scores);
        }
        let (most, rules) = (plan.total_games() / plan.contestants.len().max(1) as u64, by_rules(plan, &scores));
        let each = if let ByRules::Games(each) = rules { each } else { most };
        let games = each as f64 * plan.contestants.len() as f64 / measured.len().max(1) as f64;
        let side_by_side = plan.thread_count().min(threads_for_cli()).min(plan.total_games() as usize).max(1);
        // The tables of the others are built while the run goes on.
        let cold = cold * (every - 1) as f64 / side_by_side as f64;
        let spread = Spread::of_scores(&scores);
        let all = Self { spread, rules, ..Self::from_secs(cold, sum, games / side_by_side as f64, is_open) };
        match StopRule::minutes(&plan.until).and_then(|minutes| Duration::try_from_secs_f64(60.0 * minutes).ok()) {
            Some(most) => Self {
                low: all.low.min(most),
                likely: all.likely.min(most),
                high: Some(all.high.map_or(most, |high| high.min(most))),
                ..all
            },
            None => all,
        }
    }

    /// How long games of a strategy take on so many cores; measures for half a second. `None` when asked to stop.
    pub fn of_games(strategy: &Strategy, rules: Rules, games: u64, cores: usize, stop: &CancelToken) -> Option<Self> {
        let cost = Cost::of(&Contestant::new(strategy.clone()), rules, PILOT, stop);
        let side_by_side = (cores as u64).min(games).max(1);
        (!stop.is_cancelled())
            .then(|| Self::from_secs(0.0, cost.game, games as f64 / side_by_side as f64, cost.is_open))
    }

    /// How long so many games take one after the other when `played` of them, whole ones, took so long; the farther off the
    /// fewer they were.
    pub fn of_played(played: u64, took: Duration, games: u64) -> Option<Self> {
        let secs = took.as_secs_f64() / played as f64;
        let off = 1.0 + 1.0 / (played as f64).sqrt();
        (played != 0).then(|| Self::from_secs(0.0, around(secs, off), games as f64, false))
    }

    fn from_secs(once: f64, secs: Range, times: f64, is_open: bool) -> Self {
        let duration = |secs: f64| Duration::try_from_secs_f64(once + secs * times).unwrap_or(Duration::MAX);
        let [low, likely, high] = secs.map(duration);
        Self { low, likely, high: (!is_open).then_some(high), spread: None, rules: ByRules::All }
    }
}

/// How the rules of a plan about scores end it, when its strategies score like this from game 0 on.
fn by_rules(plan: &Plan, scores: &[Vec<u32>]) -> ByRules {
    let mut rules = plan.until.iter().filter(|rule| rule.looks_at_scores());
    let (Some(rule), None) = (rules.next(), rules.next()) else {
        return if plan.until.iter().any(StopRule::looks_at_scores) { ByRules::Sooner } else { ByRules::All };
    };
    let StopRule::HalfWidth(aim) = rule else { return ByRules::Sooner };
    let needed = |scores: &Vec<u32>| {
        let moments = scores.iter().copied().collect::<ScoreCounts>().moments()?;
        let half_width = match aim {
            HalfWidth::Points(points) => *points,
            HalfWidth::Percent(percent) => percent / 100.0 * moments.mean,
        };
        Some(Planned::OPEN.values_within(half_width, moments.std_dev?, plan.games))
    };
    // The rule waits for the strategy that takes most.
    let all: Option<Vec<u64>> = scores.iter().map(needed).collect();
    all.and_then(|all| all.into_iter().max()).map_or(ByRules::Sooner, ByRules::Games)
}

/// What games of a strategy take.
struct Cost {
    /// Once, in seconds: tables are built.
    cold: f64,
    /// A game, in seconds.
    game: Range,
    /// Whether a game has no upper end.
    is_open: bool,
    /// Of whole games, from index 0 on.
    scores: Vec<u32>,
}

impl Cost {
    fn of(contestant: &Contestant, rules: Rules, pilot: Duration, stop: &CancelToken) -> Self {
        let player = Player::new(&contestant.strategy, rules);
        if let Some((cold, game, scores)) = whole_games(&player, pilot, stop) {
            return Self { cold, game, is_open: false, scores };
        }
        let (game, is_open) = search_secs(contestant, &player, pilot / 2, stop);
        Self { cold: 0.0, game, is_open, scores: Vec::new() }
    }
}

/// Seconds of the first game beyond those of another, and of a game, with the scores, by whole games; `None` where too few end in time.
fn whole_games(player: &Player, pilot: Duration, stop: &CancelToken) -> Option<(f64, Range, Vec<u32>)> {
    let (mut secs, mut scores): (Vec<f64>, Vec<u32>) = (Vec::new(), Vec::new());
    // A search that will not end in time must not take all of it.
    let (few, begun) = (*PILOT_GAMES.start() as usize, Instant::now());
    // Games of one ply are so many that a moment tells enough.
    let pilot = if player.searches() { pilot } else { pilot / 5 };
    stop.within(Some(pilot / 2), |stop| {
        while secs.len() <= *PILOT_GAMES.end() as usize {
            let started = Instant::now();
            // As a batch plays.
            let finish = player.play_told(Seed(1).game(secs.len() as u64), stop, &mut |_| {});
            let Some(outcome) = finish.map(|finish| finish.outcome).filter(|_| !stop.is_cancelled()) else { break };
            secs.push(started.elapsed().as_secs_f64());
            scores.push(outcome.score);
            // After the first the time for all is known.
            let is_slow = secs.len() == 2 && pilot.as_secs_f64() < secs[1] * few as f64;
            if is_slow || pilot / 2 < begun.elapsed() {
                break;
            }
        }
    });
    let (first, warm) = secs.split_first()?;
    if warm.len() < few {
        return None;
    }
    let n = warm.len() as f64;
    let mean = warm.iter().sum::<f64>() / n;
    let spread = (warm.iter().map(|secs| math::squared(secs - mean)).sum::<f64>() / (n - 1.0)).sqrt();
    // Two standard errors of what was measured, and what a machine at work adds.
    let off = 2.0 * spread / n.sqrt();
    Some(((first - mean).max(0.0), [(mean - off).max(mean / 2.0) / BUSY, mean, (mean + off) * BUSY], scores))
}

/// Seconds of a game, by the time of moves and their likely number.
fn search_secs(contestant: &Contestant, player: &Player, pilot: Duration, stop: &CancelToken) -> (Range, bool) {
    let mut is_open = false;
    let rules = player.rules();
    let started = Instant::now();
    let positions = positions(rules);
    let moves = expected_moves(&contestant.strategy, contestant.published.as_ref(), rules, &positions);
    // From which move on, and seconds of each move from there.
    let mut pace: Vec<(f64, f64)> = Vec::new();
    for (index, board) in positions.iter().enumerate() {
        let left = pilot.saturating_sub(started.elapsed()) / (positions.len() - index) as u32;
        let (made, secs) = timed(player, board, left, stop);
        is_open |= made == 0;
        // Half a move was under way when time was up.
        pace.push((board.tile_sum() as f64 / per_spawn(rules), secs / (f64::from(made) + 0.5)));
    }
    let secs = moves.map(|moves| {
        let ends = pace.iter().skip(1).map(|&(from, _)| from).chain([f64::INFINITY]);
        let mut before = 0.0;
        let spans = pace.iter().zip(ends).map(|(&(_, secs), end)| {
            let span = (moves.min(end) - before).max(0.0);
            before = end;
            span * secs
        });
        spans.sum()
    });
    (secs, is_open)
}

/// Plays on from a board for so long; moves made and seconds taken.
fn timed(player: &Player, board: &Board, time: Duration, stop: &CancelToken) -> (u32, f64) {
    stop.within(Some(time), |stop| {
        let started = Instant::now();
        let outcome =
            player.play_from(Some(board), &Seed(1).game(0), SearchOptions::on_one_core(stop), &mut ()).outcome;
        (outcome.moves, started.elapsed().as_secs_f64())
    })
}

/// Positions of growing size that a game meets, none of them dead or at its end.
fn positions(rules: Rules) -> Vec<Board> {
    let goes_on = |board: &Board| !board.is_dead() && rules.stop_at.is_none_or(|rank| board.max_rank() < rank);
    let boards: Vec<Board> = if rules.size == Size::FOUR {
        POSITIONS.iter().filter_map(|board| board.parse().ok()).filter(goes_on).collect()
    } else {
        let moments = GameTrace::shallow(rules);
        let every = moments.len().div_ceil(POSITIONS.len()).max(1);
        moments.iter().step_by(every).map(|moment| moment.board).filter(goes_on).collect()
    };
    if boards.is_empty() { vec![Seed(1).game(0).opening(&rules)] } else { boards }
}

/// What a spawn adds to the sum of the tiles, in the mean.
fn per_spawn(rules: Rules) -> f64 {
    2.0 + 2.0 * rules.p4
}

fn expected_moves(strategy: &Strategy, published: Option<&Published>, rules: Rules, positions: &[Board]) -> Range {
    let moves_to = |sum: f64| sum / per_spawn(rules);
    let published_moves =
        published.and_then(|published| published.moves.or_else(|| Some(moves_to(sum_for_score(published.mean?)))));
    let guess = published_moves.map_or_else(
        || {
            let plies = |plies: &Plies| positions.iter().map(|board| plies.for_board(board)).max();
            let deepest = strategy.criteria.iter().filter_map(|row| plies(row.lookahead.plies()?)).max();
            let on_four = match deepest.unwrap_or(1) {
                0..=2 => 300.0,
                3 | 4 => 800.0,
                5 | 6 => 1300.0,
                _ => 4000.0,
            };
            // Larger boards hold larger tiles: each cell more, twice the sum, though few games come near the largest.
            around(on_four * math::powi(rules.size.cells() as f64 / 16.0, 3), 3.0)
        },
        |moves| around(moves, 1.5),
    );
    // The other tiles together are worth a tenth of the one that ends the game.
    let most = rules.stop_at.map_or(f64::INFINITY, |rank: Rank| moves_to(1.1 * rank.tile() as f64));
    guess.map(|moves| moves.clamp(1.0, most.max(1.0)))
}

/// The sum of the tiles at which a game has about so many points: a tile 2ʳ took (r − 1)·2ʳ points to make, less 4 for
/// every 4 that came by itself.
fn sum_for_score(score: f64) -> f64 {
    let points = |sum: f64| sum * (math::log2(sum) - 2.5);
    let (mut low, mut high) = (8.0, f64::from(1 << 20));
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        if points(middle) < score { low = middle } else { high = middle }
    }
    high
}

#[cfg(test)]
mod tests {
    use super::*;

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
                assert!(estimate.high.is_none_or(|high| estimate.likely <= high), "{estimate:?}");
                let more = Estimate::of(&plan(strategy, rules, 1_000_000));
                assert!(estimate.likely < more.likely, "{estimate:?} {more:?}");
                let part = Estimate::of(&Plan { part: Some(7..17), ..plan(strategy, rules, 1_000_000) });
                assert!(part.likely < more.likely / 100, "{part:?} {more:?}");
            }
        }
    }

    #[test]
    fn rules_shorten_it() {
        let ruled = |until: &[&str]| {
            let until = until.iter().map(|rule| rule.parse().expect("a rule")).collect();
            Plan { until, ..plan("er", Rules::default(), 5_000_000) }
        };
        // A deviation of half the mean, and one of a twentieth.
        let scores = [vec![500, 1500, 500, 1500, 1000], vec![1050, 950, 1050, 950, 1000]];
        let of = |until: &[&str], scores: &[Vec<u32>]| by_rules(&ruled(until), scores);
        let ByRules::Games(each) = of(&["half-width=4%", "minutes=9"], &scores) else { panic!("{scores:?}") };
        assert!((1500..1800).contains(&each), "{each}");
        assert_eq!(of(&["half-width=4%"], &[scores[0].clone(), Vec::new()]), ByRules::Sooner);
        assert_eq!(of(&["half-width=4%", "sprt=0..10"], &scores), ByRules::Sooner);
        assert_eq!((of(&[], &scores), of(&["minutes=9"], &scores)), (ByRules::All, ByRules::All));
        assert_eq!(Estimate::of(&ruled(&["minutes=0.01"])).high, Some(Duration::from_millis(600)));
    }

    /// A strategy whose first game builds tables, told by the time that it takes.
    #[test]
    fn the_first_game_is_counted_once() {
        let strategy: Strategy = "emr".parse().expect("letters");
        let player = Player::new(&strategy, Rules::default());
        let (_, [low, likely, high], _) = whole_games(&player, PILOT, &CancelToken::new()).expect("quick games");
        let started = Instant::now();
        for game in 0..40 {
            player.play(&Seed(2).game(game), SearchOptions::default(), &mut ());
        }
        let warm = started.elapsed().as_secs_f64() / 40.0;
        // Other work on the machine may take turns with this.
        assert!(low <= 5.0 * warm && warm <= 5.0 * high && low <= likely && likely <= high, "{warm} {low} {high}");
        // What does not end in time is no whole game.
        let deep: Strategy = SEARCH.replace("Fixed(2)", "Fixed(20)").parse().expect("a search");
        let player = Player::new(&deep, Rules::default());
        assert!(whole_games(&player, Duration::from_millis(50), &CancelToken::new()).is_none());
    }

    #[test]
    fn a_pilot_is_short_however_deep_the_search_is() {
        let deep = SEARCH.replace("Fixed(2)", "Fixed(20)");
        let started = Instant::now();
        let estimate = Estimate::of(&plan(&deep, Rules::default(), 1));
        // The game would take years, on any machine.
        assert!(started.elapsed() < Duration::from_secs(60), "{:?}", started.elapsed());
        assert_eq!(estimate.high, None);
        assert!(Duration::from_secs(1) < estimate.likely);
    }

    #[test]
    fn the_positions_are_of_a_growing_game() {
        let boards: Vec<Board> = POSITIONS.iter().map(|board| board.parse().expect(board)).collect();
        assert!(boards.is_sorted_by_key(Board::tile_sum));
        assert!(boards.iter().all(|board| !board.is_dead()));
        for size in Size::all() {
            assert!(!positions(Rules::default().on(size)).is_empty());
        }
        let stopped = Rules { stop_at: Some(Rank::FOUR), ..Rules::default() };
        assert_eq!(positions(stopped).len(), 1);
    }

    #[test]
    fn one_strategy_is_estimated_as_a_plan_of_it_is() {
        for strategy in ["emr", SEARCH] {
            let plan = plan(strategy, Rules::default(), 1000);
            let (of_plan, parsed) = (Estimate::of(&plan), &plan.contestants[0].strategy);
            let of_games =
                |cores| Estimate::of_games(parsed, plan.rules, 1000, cores, &CancelToken::new()).expect("not stopped");
            // Two measurements of one thing: their ranges meet, however busy the machine is.
            let one = of_games(1);
            assert!(one.low <= 10 * of_plan.high.expect("fast"), "{one:?} {of_plan:?}");
            assert!(of_plan.low <= 10 * one.high.expect("fast"), "{one:?} {of_plan:?}");
            assert!(of_games(100).likely < one.likely);
        }
        let (stop, strategy) = (CancelToken::new(), SEARCH.parse().expect(SEARCH));
        stop.cancel();
        assert_eq!(Estimate::of_games(&strategy, Rules::default(), 10, 1, &stop), None);
    }

    #[test]
    fn moves_follow_from_what_is_known() {
        let strategy: Strategy = SEARCH.parse().expect("a strategy");
        let likely = |published: Option<&Published>, stop_at: Option<u64>| {
            let rules = Rules { stop_at: stop_at.and_then(Rank::of_tile), ..Rules::default() };
            expected_moves(&strategy, published, rules, &positions(rules))[1]
        };
        assert_eq!(likely(None, None), 300.0);
        assert!((200.0..=300.0).contains(&likely(None, Some(512))), "{}", likely(None, Some(512)));
        let moves = Published { moves: Some(969.0), ..Published::default() };
        assert_eq!(likely(Some(&moves), None), 969.0);
        // Random play: 1095 points in 118 moves; a game to 2048 makes some 20,000 points in a good 950 moves.
        let of = |mean| likely(Some(&Published { mean: Some(mean), ..Published::default() }), None);
        assert!((90.0..150.0).contains(&of(1095.0)), "{}", of(1095.0));
        assert!((850.0..1200.0).contains(&of(20_000.0)), "{}", of(20_000.0));
    }
}
