//! Plays a tuning: generation after generation, then the verification.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::race::mean_with_interval;
use super::{Arena, Asked, Generation, TuneError, TuneFolder, TunePlan, race};
use crate::experiment::{Contestant, Pair, Plan, Results, Run, RunFolder, State};
use crate::game::Rank;
use crate::preset::{Objective, Preset};
use crate::stats::{Interval, wilson};
use crate::strategy::{Outcome, Strategy};
use crate::task::CancelToken;

/// How often it looks whether it is asked to wait or to stop.
const LOOK: Duration = Duration::from_millis(50);

/// What a tuning is asked for while it goes on.
#[derive(Debug, Default)]
pub struct Control {
    /// Ends it at once; the generation in play is played again when it goes on.
    pub stop: CancelToken,
    /// Lets it wait.
    pub pause: Arc<AtomicBool>,
}

/// Where a tuning is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Phase {
    /// Games played by generations that have ended, and by the one in play.
    pub games: u64,
    /// Games of the verification that are finished, once it has begun.
    pub verified: Option<u64>,
}

/// The winner beside the strategy that the tuning began with, on games that nothing was chosen by.
#[derive(Clone, Debug, PartialEq)]
pub struct Verified {
    pub winner: Strategy,
    /// The values of the settings.
    pub values: Vec<f64>,
    /// Of each.
    pub games: u64,
    pub seed: u64,
    /// In units of the objective, with 95 %.
    pub of_winner: (f64, Interval),
    pub of_start: (f64, Interval),
    /// Winner less start, game by game.
    pub difference: (f64, Interval),
}

/// Plays what a folder lacks.
#[derive(Debug)]
pub struct Tuner {
    pub folder: TuneFolder,
    /// Worker threads; `None` takes all cores.
    pub threads: Option<usize>,
    pub low_priority: bool,
}

/// Called now and then: the generations so far, and where it is.
type Tell<'a> = &'a mut dyn FnMut(&[Generation], &Phase);

impl Tuner {
    /// Goes on to the end; `None` where it was stopped.
    pub fn run(&mut self, control: &Control, tell: Tell<'_>) -> Result<Option<Verified>, TuneError> {
        let plan = self.folder.plan().clone();
        let search = plan.search();
        loop {
            let generations = &self.folder.state().generations;
            let asked = search.ask(&self.folder.told());
            let asked = asked.ok_or_else(|| TuneError::Failed("the settings are no start of a search".to_owned()))?;
            let (spent, start) =
                (generations.iter().map(|one| one.games).sum(), generations.last().map_or(0, |one| one.indices[1]));
            if plan.is_spent(spent) {
                return self.verify(&plan, &plan.values(&asked.mean), control, tell);
            }
            let mut arena = Games { tuner: self, plan: &plan, control, tell: &mut *tell, spent, failed: None };
            let raced = race(&mut arena, &asked.mean, &asked.points, search.parents(), start, plan.first_round());
            if let Some(failed) = arena.failed {
                return Err(failed);
            }
            let Some(raced) = raced else { return Ok(None) };
            let Asked { mean, step, .. } = asked;
            let (worth, interval) = worth(plan.objective(), &raced.centre);
            self.folder.push(Generation {
                centre: plan.values(&mean),
                mean: worth,
                ci95: interval.map(|ends| [ends.low, ends.high]),
                n: raced.centre.len() as u64,
                step,
                best: raced.best,
                dropped: raced.dropped,
                games: raced.games,
                indices: [start, raced.end],
                places: raced.places,
            })?;
            tell(&self.folder.state().generations, &Phase { games: spent + raced.games, verified: None });
            if control.stop.is_cancelled() {
                return Ok(None);
            }
        }
    }

    fn verify(
        &self,
        plan: &TunePlan,
        values: &[f64],
        control: &Control,
        tell: Tell<'_>,
    ) -> Result<Option<Verified>, TuneError> {
        let start = plan.strategy.label();
        let winner = Strategy {
            name: format!("{start}, tuned"),
            parent: Some(plan.strategy.hash()),
            ..plan.with_values(values)
        };
        let preset = Preset {
            rules: plan.rules,
            seed: plan.fresh_seed(),
            games: plan.tuning.verification(),
            ..Preset::new(format!("{}: verification", plan.title), [winner.clone(), plan.strategy.clone()])
        };
        let run = Plan { threads: self.threads, low_priority: self.low_priority, ..Plan::of_preset(&preset) };
        let run = Run::start_in(RunFolder::of_plan(&self.folder.verification(), &run)?, run, || {})?;
        let generations = &self.folder.state().generations;
        let games = generations.iter().map(|one| one.games).sum();
        if !attend(&run, control, &mut |finished| tell(generations, &Phase { games, verified: Some(finished) }))? {
            return Ok(None);
        }
        self.folder.write_winner(&winner.pretty())?;
        Ok(Verified::of(plan.objective(), &run.into_results(), winner, values.to_vec()))
    }

    /// What the verification of a folder has found, if it is over; whoever works in it.
    pub fn verified(folder: &TuneFolder) -> Result<Option<Verified>, TuneError> {
        let plan = folder.plan();
        let Some(asked) = plan.search().ask(&folder.told()) else { return Ok(None) };
        if !folder.verification().join("manifest.json").is_file() {
            return Ok(None);
        }
        let results = RunFolder::open(&folder.verification())?.sums()?;
        let values = plan.values(&asked.mean);
        let Some(winner) = results.contestants.first().map(|one| one.strategy.clone()) else { return Ok(None) };
        let is_over = results.contestants.iter().all(|one| one.summary.games() == plan.tuning.verification());
        Ok(Verified::of(plan.objective(), &results, winner, values).filter(|_| is_over))
    }
}

impl Verified {
    fn of(objective: Objective, results: &Results, winner: Strategy, values: Vec<f64>) -> Option<Self> {
        let [first, second] = results.contestants.as_slice() else { return None };
        let planned = results.planned();
        let games = first.summary.games().min(second.summary.games());
        let pair = Pair::of(&first.games, &second.games);
        let (of, difference): ([(f64, Interval); 2], (f64, Interval)) = match objective {
            Objective::Mean => {
                let of = |summary: &crate::experiment::Summary| {
                    Some((summary.scores.mean()?, planned.mean_interval(&summary.scores)?))
                };
                ([of(&first.summary)?, of(&second.summary)?], (pair.difference()?, pair.interval(planned)?))
            }
            Objective::Reach(tile) => {
                let rank = Rank::of_tile(tile)?;
                let of = |summary: &crate::experiment::Summary| {
                    let reached = summary.reached(rank);
                    Some((reached as f64 / games as f64, planned.share_interval(reached, games)?))
                };
                let reach = pair.reach(rank, planned)?;
                ([of(&first.summary)?, of(&second.summary)?], (reach.difference, reach.ci95))
            }
        };
        let ([of_winner, of_start], seed) = (of, results.manifest.seed);
        Some(Self { winner, values, games, seed, of_winner, of_start, difference })
    }

    /// Whether the winner is surely better (`Some(true)`) or surely worse than the start.
    pub fn is_better(&self) -> Option<bool> {
        match self.difference.1 {
            Interval { low, .. } if 0.0 < low => Some(true),
            Interval { high, .. } if high < 0.0 => Some(false),
            Interval { .. } => None,
        }
    }
}

/// What the games of a candidate are worth, with 95 %.
fn worth(objective: Objective, games: &[f64]) -> (f64, Option<Interval>) {
    let (mean, interval) = mean_with_interval(games);
    match objective {
        Objective::Mean => (mean, interval),
        Objective::Reach(_) => (mean, wilson(games.iter().sum::<f64>() as u64, games.len() as u64)),
    }
}

/// Waits for a run; false where it was stopped. Tells how many games are finished.
fn attend(run: &Run, control: &Control, tell: &mut dyn FnMut(u64)) -> Result<bool, TuneError> {
    while !run.wait_for(LOOK) {
        if control.stop.is_cancelled() {
            run.cancel();
        } else if control.pause.load(Ordering::Relaxed) {
            run.pause();
        } else {
            run.resume();
        }
        tell(run.progress().finished);
    }
    match run.state() {
        State::Done => Ok(true),
        State::Failed(message) => Err(TuneError::Failed(message)),
        _ => Ok(false),
    }
}

/// Candidates at the board.
struct Games<'a, 'b> {
    tuner: &'a Tuner,
    plan: &'a TunePlan,
    control: &'a Control,
    tell: Tell<'b>,
    /// Games before this race and in its rounds so far.
    spent: u64,
    failed: Option<TuneError>,
}

impl Games<'_, '_> {
    fn played(&mut self, candidates: &[Vec<f64>], indices: Range<u64>) -> Result<Option<Vec<Vec<f64>>>, TuneError> {
        let preset = Preset { rules: self.plan.rules, seed: self.plan.seed, games: indices.end, ..Preset::new("", []) };
        let contestant = |point: &Vec<f64>| Contestant::new(self.plan.with_values(&self.plan.values(point)));
        let run = Plan {
            contestants: candidates.iter().map(contestant).collect(),
            part: Some(indices.clone()),
            threads: self.tuner.threads,
            low_priority: self.tuner.low_priority,
            ..Plan::of_preset(&preset)
        };
        let (run, generations) = (Run::start(run, || {})?, &self.tuner.folder.state().generations);
        let (spent, tell) = (self.spent, &mut self.tell);
        if !attend(&run, self.control, &mut |finished| {
            tell(generations, &Phase { games: spent + finished, verified: None });
        })? {
            return Ok(None);
        }
        self.spent += candidates.len() as u64 * (indices.end - indices.start);
        let objective = self.plan.objective();
        let value = |outcome: Outcome| match objective {
            Objective::Mean => f64::from(outcome.score),
            Objective::Reach(tile) => {
                f64::from(u8::from(Rank::of_tile(tile).is_some_and(|rank| rank <= outcome.largest)))
            }
        };
        let of = |games: &crate::experiment::Games| games.iter().map(|(_, outcome)| value(outcome)).collect();
        Ok(Some(run.into_results().contestants.iter().map(|one| of(&one.games)).collect()))
    }
}

impl Arena for Games<'_, '_> {
    fn play(&mut self, candidates: &[Vec<f64>], indices: Range<u64>) -> Option<Vec<Vec<f64>>> {
        let played = self.played(candidates, indices);
        played.unwrap_or_else(|error| {
            self.failed = Some(error);
            None
        })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::game::{Rules, Seed};
    use crate::preset::{Item as _, Tuned, Tuning};

    fn plan(objective: Objective) -> TunePlan {
        let strategy: Strategy =
            "(name: \"mix\", criteria: [(evaluator: Sum([(1.0, Empty), (0.5, Score), (0.1, Snake)]))])"
                .parse()
                .expect("a strategy");
        let over = ["weight of Score=0..4", "weight of Snake"].map(|text| text.parse::<Tuned>().expect("a setting"));
        let tune = Tuning { over: over.to_vec(), objective, games: 1200, verify: Some(60) };
        let rules = Rules { stop_at: Rank::of_tile(256), ..Rules::default() };
        TunePlan::of_preset(&Preset { tune: Some(tune), seed: 5, rules, ..Preset::new("mix", [strategy]) })
            .expect("sound")
    }

    fn tuner(folder: &std::path::Path, plan: &TunePlan, threads: usize) -> Tuner {
        Tuner {
            folder: TuneFolder::of_plan(folder, plan).expect("a folder"),
            threads: Some(threads),
            low_priority: false,
        }
    }

    #[test]
    fn a_tuning_has_one_result_on_any_threads_and_however_often_it_is_stopped() {
        let plan = plan(Objective::Mean);
        let whole = |threads: usize| {
            let folder = tempfile::tempdir().expect("a folder");
            let mut tuner = tuner(folder.path(), &plan, threads);
            let verified = tuner.run(&Control::default(), &mut |_, _| {}).expect("played").expect("not stopped");
            let bytes = std::fs::read(folder.path().join("tuning.json")).expect("a state");
            (verified, bytes)
        };
        let (verified, state) = whole(2);
        assert_eq!((&verified, &state), (&whole(1).0, &whole(7).1));
        assert_eq!(verified.games, 60);
        // Stopped after every generation, it goes on until it is there.
        let folder = tempfile::tempdir().expect("a folder");
        let mut stops = 0;
        let resumed = loop {
            let control = Control::default();
            let mut tuner = tuner(folder.path(), &plan, 2);
            let before = tuner.folder.state().generations.len();
            let found = tuner.run(&control, &mut |generations, _| {
                if before < generations.len() {
                    control.stop.cancel();
                }
            });
            match found.expect("played") {
                Some(verified) => break verified,
                None => stops += 1,
            }
        };
        assert!(0 < stops, "it was never stopped");
        assert_eq!(
            (&resumed, &std::fs::read(folder.path().join("tuning.json")).expect("a state")),
            (&verified, &state)
        );
        let again = TuneFolder::open(folder.path()).expect("a tuning");
        assert_eq!(Tuner::verified(&again).expect("a run").as_ref(), Some(&verified));
        let winner = std::fs::read_to_string(folder.path().join("winner.ron")).expect("a winner");
        assert_eq!(winner.parse::<Strategy>().expect("a strategy").sha256(), verified.winner.sha256());
    }

    #[test]
    fn no_game_of_the_verification_is_one_that_something_was_chosen_by() {
        let folder = tempfile::tempdir().expect("a folder");
        let plan = plan(Objective::Reach(256));
        let mut tuner = tuner(folder.path(), &plan, 2);
        let verified = tuner.run(&Control::default(), &mut |_, _| {}).expect("played").expect("not stopped");
        let generations = &tuner.folder.state().generations;
        let mut chosen = HashSet::new();
        for one in generations {
            // Nor does a generation look at games of another.
            assert!((one.indices[0]..one.indices[1]).all(|index| chosen.insert(Seed(plan.seed).game(index))));
            assert!(one.indices[1] <= plan.last_index());
            assert!((0.0..=4.0).contains(&one.centre[0]), "within its ends");
        }
        assert!((0..verified.games).all(|index| !chosen.contains(&Seed(verified.seed).game(index))));
        assert!(generations.iter().map(|one| one.games).sum::<u64>() <= plan.tuning.games);
        assert!((0.0..=1.0).contains(&verified.of_winner.0) && verified.of_start.1.contains(verified.of_start.0));
    }

    #[test]
    fn what_cannot_be_tuned_is_one_sentence() {
        let of = |change: &dyn Fn(&mut Preset)| {
            let mut preset = plan(Objective::Mean).preset();
            assert_eq!(Preset::from_text(&preset.to_text()).as_ref(), Ok(&preset));
            change(&mut preset);
            TunePlan::of_preset(&preset).expect_err("not sound")
        };
        let tune = |change: &'static dyn Fn(&mut Tuning)| of(&|preset| preset.tune.iter_mut().for_each(change));
        for (error, reason) in [
            (of(&|preset| preset.tune = None), "this preset tunes nothing"),
            (tune(&|tune| tune.over.clear()), "tune.over: no setting"),
            (tune(&|tune| tune.games = 199), "199 games choose nothing: write at least 200"),
            (tune(&|tune| tune.over[0].setting = "weight of Sore".into()), "did you mean weight of Score?"),
            (
                tune(&|tune| tune.over[1].setting = "weight of Score".into()),
                "tune.over[1]: weight of Score stands twice",
            ),
            (tune(&|tune| tune.over[0].low = Some(1.0)), "begins at 0.5, which is not between 1 and 4"),
            (tune(&|tune| tune.objective = Objective::Reach(100)), "100 is not a tile"),
        ] {
            assert!(error.contains(reason), "{error}");
        }
        let folder = tempfile::tempdir().expect("a folder");
        let first = TuneFolder::of_plan(folder.path(), &plan(Objective::Mean)).expect("new");
        let busy = TuneFolder::open(folder.path()).expect_err("busy").to_string();
        assert!(busy.contains("another process tunes in this folder"), "{busy}");
        drop(first);
        let other = TuneFolder::of_plan(folder.path(), &plan(Objective::Reach(256))).expect_err("another").to_string();
        assert!(other.contains("not of this tuning"), "{other}");
    }
}
