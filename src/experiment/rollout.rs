//! Rollouts: values each move of a position by playing it out, as an experiment whose contestants are the first moves.
//!
//! Every game of a rollout begins at the board, with the first move of its contestant. Game `i` has the same draws for
//! all contestants, spawn by spawn. The spawn after the first slide is stratified over the games (see
//! [`GameSeed`](crate::game::GameSeed)), so means are taken stratum by stratum ([`StratifiedMean`]). The strata are the
//! cells and tiles that may come after the slide; for the difference of two moves they are those of both.
//!
//! Everything else is as in any run: any number of threads, stop rules, folders, histograms. The general tables treat
//! the games as independent draws, so their intervals are slightly wider than those here.

use itertools::Itertools as _;

use super::{ContestantResult, Games, Results};
use crate::game::{Board, Move, Rules, Seed};
use crate::math;
use crate::preset::{Preset, Problem, StopRule};
use crate::stats::{Interval, Planned, RunningMean, StratifiedMean};
use crate::strategy::{Criterion, Rollout, Strategy};

/// The position and settings of a rollout.
#[derive(Clone, Debug, PartialEq)]
pub struct RolloutTask {
    /// The strategy that plays after the first move.
    pub strategy: Strategy,
    /// The start of every game. The size of the board and `p4` are those of the rules.
    pub board: Board,
    pub rules: Rules,
    /// Maximum moves before a game is abandoned, including the first move. `None` plays to the end.
    pub moves: Option<u32>,
    /// The row that estimates the remaining points of an abandoned game.
    pub judge: Option<Criterion>,
    pub seed: u64,
    /// Games per first move.
    pub games: u64,
    pub until: Vec<StopRule>,
}

impl RolloutTask {
    /// The experiment, or what is wrong with it.
    pub fn preset(&self) -> Result<Preset, Problem> {
        let rules = Rules {
            size: self.board.size(),
            start: Some(self.board),
            stop_at: None,
            ..self.rules
        };
        let strategy_after = |first: Move| Strategy {
            name: first.to_string(),
            note: format!("{first}, then {}", self.strategy.label()),
            parent: Some(self.strategy.hash()),
            rollout: Some(Rollout {
                first,
                moves: self.moves,
                judge: self.judge.clone(),
            }),
            ..self.strategy.clone()
        };
        let strategies = self.board.legal_moves().into_iter().map(strategy_after);
        let (seed, games, until) = (self.seed, self.games, self.until.clone());
        let preset = Preset {
            rules,
            seed,
            games,
            until,
            ..Preset::new(self.title(), strategies)
        };
        preset.check().into_iter().next().map_or(Ok(preset), Err)
    }

    /// `Rollout of 2,0,0,4/… by emr, 20 moves`.
    pub fn title(&self) -> String {
        let far = match (self.moves, &self.judge) {
            (None, _) => String::new(),
            (Some(moves), judge) => {
                let judge = judge.as_ref().map_or(String::new(), |judge| {
                    format!(", then {}", judge.label_with_depth())
                });
                format!(
                    ", {}{judge}",
                    crate::words::plural(u64::from(moves), "move")
                )
            }
        };
        format!(
            "Rollout of {} by {}{far}",
            self.board,
            self.strategy.label()
        )
    }
}

/// The results of a first move.
#[derive(Clone, Debug, PartialEq)]
pub struct FirstMove {
    pub mv: Move,
    /// Index among the contestants.
    pub contestant: usize,
    /// Points to come with this move, including its slide. `None` below two games.
    pub value: Option<StratifiedMean>,
    /// For this move alone. While games are missing, the interval is valid at any time.
    pub ci95: Option<Interval>,
    /// How many times as many games without strata would give the same precision; 1 if strata gain nothing. Also `None`
    /// if no spread is left within the strata.
    pub gain: Option<f64>,
    /// Its value minus that of the best move, over the games that both have. `None` for the best move.
    pub to_best: Option<StratifiedMean>,
    /// Simultaneous over all pairs of moves at 95 %, whichever is the best.
    pub to_best_ci95: Option<Interval>,
}

/// A rollout as far as it has been played.
#[derive(Clone, Debug, PartialEq)]
pub struct RolloutValues {
    pub board: Board,
    /// Best first; ties in the order up, down, left, right, and moves without games last.
    pub moves: Vec<FirstMove>,
}

impl RolloutValues {
    /// `None` if the run is not a rollout.
    pub fn of(results: &Results) -> Option<Self> {
        let rules = results.manifest.rules().ok()?;
        let seed = Seed(results.manifest.seed);
        let draws = Draws {
            board: rules.start?,
            rules,
            seed,
            planned: results.planned(),
        };
        let first = |(place, one): (usize, &ContestantResult)| draws.first_move(place, one);
        let mut moves = results
            .contestants
            .iter()
            .enumerate()
            .map(first)
            .collect::<Option<Vec<FirstMove>>>()?;
        let mean = |first: &FirstMove| first.value.map_or(f64::NEG_INFINITY, |value| value.mean);
        moves.sort_by(|a, b| mean(b).total_cmp(&mean(a)).then(a.mv.cmp(&b.mv)));
        let pairs = moves.len() * moves.len().saturating_sub(1) / 2;
        if let Some((best, others)) = moves.split_first_mut() {
            let games = |first: &FirstMove| &results.contestants[first.contestant].games;
            for other in others {
                let difference =
                    draws.difference([(best.mv, games(best)), (other.mv, games(other))]);
                other.to_best_ci95 =
                    difference.and_then(|difference| draws.interval(&difference, pairs));
                other.to_best = difference;
            }
        }

        Some(Self {
            board: draws.board,
            moves,
        })
    }

    /// The moves that may be the best: those whose difference to the best mean may be 0.
    pub fn contenders(&self) -> Vec<Move> {
        let may_be = |(place, first): (usize, &FirstMove)| {
            (place == 0 || first.to_best_ci95.is_none_or(|ci95| 0.0 <= ci95.high))
                .then_some(first.mv)
        };
        self.moves.iter().enumerate().filter_map(may_be).collect()
    }
}

/// The source of the first spawns of a rollout.
struct Draws {
    board: Board,
    rules: Rules,
    seed: Seed,
    planned: Planned,
}

impl Draws {
    fn first_move(&self, contestant: usize, one: &ContestantResult) -> Option<FirstMove> {
        let mv = one.strategy.rollout.as_ref()?.first;
        let values = scores(&one.games).map(|(index, score)| (self.place(index), score));
        let value = StratifiedMean::of(values, &self.edges(mv));
        let mut plain = RunningMean::EMPTY;
        scores(&one.games).for_each(|(_, score)| plain.add(score));
        let gain = |value: StratifiedMean| {
            let error = plain
                .standard_error()
                .filter(|_| 0.0 < value.standard_error)?;
            Some(math::squared(error / value.standard_error))
        };
        let ci95 = value.and_then(|value| self.interval(&value, 1));
        Some(FirstMove {
            mv,
            contestant,
            value,
            ci95,
            gain: value.and_then(gain),
            to_best: None,
            to_best_ci95: None,
        })
    }

    /// The second of two moves minus the first, over the games that both have.
    fn difference(
        &self,
        [(one, of_one), (other, of_other)]: [(Move, &Games); 2],
    ) -> Option<StratifiedMean> {
        let edges: Vec<f64> = self
            .edges(one)
            .into_iter()
            .merge_by(self.edges(other), |a, b| a <= b)
            .dedup()
            .collect();
        let pairs = scores(of_one).zip(scores(of_other));
        StratifiedMean::of(
            pairs.map(|((index, one), (_, other))| (self.place(index), other - one)),
            &edges,
        )
    }

    /// The interval of one of `intervals` simultaneous values.
    fn interval(&self, value: &StratifiedMean, intervals: usize) -> Option<Interval> {
        Some(value.interval(intervals, self.planned.widening(value.count)?))
    }

    /// The position of the first spawn of a game among the strata, from 0 to 1.
    fn place(&self, index: u64) -> f64 {
        self.rules
            .chance(self.seed, index)
            .first_fraction()
            .unwrap_or_default()
    }

    /// The inner boundaries of the strata of a first move: for each tile in order, each cell after the slide.
    fn edges(&self, first: Move) -> Vec<f64> {
        let Some(slide) = self.board.slide(first) else {
            return Vec::new();
        };
        let (cells, p4) = (slide.after.board().empty_count(), self.rules.p4);
        let of_tile = |low: f64, width: f64| {
            let cells = if width == 0.0 { 0 } else { cells };
            (1..=cells).map(move |cell| low + width * f64::from(cell) / f64::from(cells))
        };
        of_tile(0.0, p4)
            .chain(of_tile(p4, 1.0 - p4))
            .filter(|&edge| edge < 1.0)
            .collect()
    }
}

/// The scores of the games up to the first missing one, with their indices.
fn scores(games: &Games) -> impl Iterator<Item = (u64, f64)> + '_ {
    let complete = games.first()..games.first() + games.complete();
    complete.filter_map(|index| Some((index, f64::from(games.get(index)?.score))))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::experiment::{Plan, Run, RunFolder};
    use crate::preset::Item as _;
    use crate::search::SearchOptions;
    use crate::solve::{Goal, Question, Table};
    use crate::strategy::Player;
    use crate::task::{CancelToken, Control};

    /// A table solved here, and the row that plays and judges with it.
    fn solved(folder: &Path, board: &Board) -> (Table, Criterion) {
        let question = Question {
            size: board.size(),
            p4: 0.1,
            goal: Goal::Score,
        };
        let table = question
            .solve(1, &Control::default())
            .expect("a small board")
            .table;
        let path = folder.join(format!("{}.solved", board.size()));
        table.write(&path).expect("written");
        let path = path.to_str().expect("a path").to_owned();
        (
            table,
            Criterion::one_ply(crate::evaluator::Evaluator::Solved(path)),
        )
    }

    fn task(board: &str, strategy: &str, games: u64) -> RolloutTask {
        RolloutTask {
            strategy: strategy.parse().expect(strategy),
            board: board.parse().expect(board),
            rules: Rules::default(),
            moves: None,
            judge: None,
            seed: 5,
            games,
            until: Vec::new(),
        }
    }

    fn played(task: &RolloutTask, threads: usize) -> Results {
        let plan = Plan {
            threads: Some(threads),
            ..Plan::of_preset(&task.preset().expect("sound"))
        };
        let run = Run::start(plan, || {}).expect("a sound plan");
        run.wait();
        run.results()
    }

    fn values(task: &RolloutTask) -> RolloutValues {
        RolloutValues::of(&played(task, 2)).expect("a rollout")
    }

    #[test]
    fn best_play_comes_to_the_values_of_the_solved_table() {
        let folder = tempfile::tempdir().expect("a folder");
        for board in ["4,2/0,2", "2,2/0,0", "8,2,0/4,2,0", "16,4,2/0,2,4"] {
            let task = task(board, "r", 2000);
            let (table, row) = solved(folder.path(), &task.board);
            let exact = table.slides(&task.board).expect("a board of games");
            let best = Strategy {
                criteria: vec![row],
                ..Strategy::default()
            };
            let found = values(&RolloutTask {
                strategy: best,
                ..task.clone()
            });
            assert_eq!(found.moves.len(), task.board.legal_moves().len());
            for first in &found.moves {
                let (value, exact) = (first.value.expect("games"), exact[first.mv].expect("legal"));
                let off = (value.mean - exact).abs();
                assert!(
                    off <= 4.0 * value.standard_error,
                    "{board} {}: {value:?}, exactly {exact}",
                    first.mv
                );
                assert!(
                    first.gain.is_none_or(|gain| 0.95 < gain),
                    "{:?}",
                    first.gain
                );
            }
            let exact_of = |mv| exact[mv].expect("legal");
            for first in &found.moves[1..] {
                let (exact, ci95) = (
                    exact_of(first.mv) - exact_of(found.moves[0].mv),
                    first.to_best_ci95.expect("games"),
                );
                assert!(
                    ci95.low - 1.0 <= exact && exact <= ci95.high + 1.0,
                    "{board} {}: {exact} {ci95:?}",
                    first.mv
                );
            }
            let best = task
                .board
                .legal_moves()
                .into_iter()
                .map(exact_of)
                .fold(0.0, f64::max);
            assert!(
                found.contenders().iter().any(|&mv| exact_of(mv) == best),
                "{board}: {:?}",
                found.contenders()
            );
        }
    }

    #[test]
    fn one_move_and_an_exact_judge_come_to_the_exact_values_without_doubt() {
        let folder = tempfile::tempdir().expect("a folder");
        for board in ["4,2/0,2", "8,2,0/4,2,0"] {
            let task = task(board, "r", 400);
            let (table, judge) = solved(folder.path(), &task.board);
            let exact = table.slides(&task.board).expect("a board of games");
            for first in values(&RolloutTask {
                moves: Some(1),
                judge: Some(judge),
                ..task
            })
            .moves
            {
                let (value, exact) = (first.value.expect("games"), exact[first.mv].expect("legal"));
                // The judge's points are whole numbers.
                assert!(
                    (value.mean - exact).abs() <= 0.5,
                    "{board} {}: {value:?}, exactly {exact}",
                    first.mv
                );
                assert_eq!((value.standard_error, first.gain), (0.0, None));
            }
        }
    }

    #[test]
    fn strata_make_means_surer_and_the_error_says_how_much() {
        let folder = tempfile::tempdir().expect("a folder");
        let task = task("8,2,0/4,2,0", "r", 60);
        let (_, judge) = solved(folder.path(), &task.board);
        let task = RolloutTask {
            moves: Some(2),
            judge: Some(judge),
            ..task
        };
        let plan = Plan::of_preset(&task.preset().expect("sound"));
        let [mut plain, mut stratified] = [RunningMean::EMPTY; 2];
        let mut reported = 0.0;
        const SEEDS: u64 = 150;

        for seed in 0..SEEDS {
            let results = played(
                &RolloutTask {
                    seed,
                    ..task.clone()
                },
                1,
            );
            let found = RolloutValues::of(&results).expect("a rollout");
            let up = found
                .moves
                .iter()
                .find(|first| first.mv == Move::Up)
                .and_then(|first| first.value)
                .expect("games");
            stratified.add(up.mean);
            reported += up.standard_error.powi(2) / SEEDS as f64;
            let contestant = plan
                .contestants
                .iter()
                .find(|one| one.strategy.name == "Up")
                .expect("legal");
            let player = Player::new(&contestant.strategy, plan.rules);
            let score = |index| {
                let game = Seed(seed + SEEDS).game(index);
                f64::from(
                    player
                        .play_from(None, &game, SearchOptions::default(), &mut ())
                        .outcome
                        .score,
                )
            };
            plain.add((0..task.games).map(score).sum::<f64>() / task.games as f64);
        }

        let [plain, stratified] =
            [plain, stratified].map(|mean| mean.std_dev().expect("means").powi(2));
        assert!(stratified < 0.7 * plain, "{stratified} of {plain}");
        assert!(
            (0.6..1.6).contains(&(reported / stratified)),
            "{reported} told, {stratified} found"
        );
    }

    #[test]
    fn a_rollout_is_the_same_on_any_number_of_threads_and_from_its_folder() {
        let mut task = task("2,4,8,16/0,0,2,4/0,0,0,2/0,0,0,2", "emr", 120);
        task.until = vec!["half-width=40%".parse().expect("a rule")];
        let found = values(&task);
        for threads in [1, 7] {
            assert_eq!(
                RolloutValues::of(&played(&task, threads)).as_ref(),
                Some(&found),
                "{threads} threads"
            );
        }
        let preset = task.preset().expect("sound");
        assert_eq!(
            crate::preset::Preset::from_text(&preset.to_text()).as_ref(),
            Ok(&preset)
        );

        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("run");
        let plan = Plan::of_preset(&preset);
        let run = Run::start_in(
            RunFolder::of_plan(&path, &plan).expect("a folder"),
            plan,
            || {},
        )
        .expect("sound");
        run.wait();
        drop(run);
        let reopened = RunFolder::open(&path).expect("a run");
        assert_eq!(
            RolloutValues::of(&reopened.sums().expect("games")).as_ref(),
            Some(&found)
        );
        let chance = &mut <rand::rngs::SmallRng as rand::SeedableRng>::seed_from_u64(1);
        let verified = reopened
            .verify(40, chance, &CancelToken::new())
            .expect("games");
        assert!(
            verified.len() == 40
                && verified
                    .iter()
                    .all(|one| one.kept.finish.outcome == one.replayed.outcome)
        );
    }

    #[test]
    fn what_cannot_be_played_on_is_one_sentence() {
        let board = "2,4/4,2";
        let dead = task(board, "r", 10).preset().expect_err("dead").to_string();
        assert!(dead.contains("where nothing moves"), "{dead}");
        let sound = task("2,4/2,0", "r", 10);
        let never = RolloutTask {
            judge: Some(Criterion::one_ply(crate::evaluator::Evaluator::Empty)),
            ..sound.clone()
        };
        let none = RolloutTask {
            moves: Some(0),
            ..sound.clone()
        };
        for (task, words) in [(never, "add moves"), (none, "moves is 0")] {
            let refused = task.preset().expect_err(words).to_string();
            assert!(refused.contains(words), "{refused}");
        }

        let text = sound.preset().expect("sound").to_text();
        let refused = |from: &str, to: &str| {
            let text = text.replace(from, to);
            crate::preset::Preset::from_text(&text)
                .expect_err(to)
                .to_string()
        };
        let other = refused("start: \"2,4/2,0\"", "start: \"2,4/4,8\"");
        assert!(
            other.contains("rules.start") && other.contains("rollout.first"),
            "{other}"
        );
        assert!(
            refused("size: \"2x2\", ", "")
                .contains("rules.start: the start position is a 2x2 board")
        );
        assert!(refused(", start: \"2,4/2,0\"", "").contains("a rollout needs a position"));
    }
}
