//! Plays a tuning: one generation after another, then the verification.

use std::ops::Range;
use std::time::Duration;

use super::race::mean_with_interval;
use super::{
    Arena, Generation, LastRace, Proposal, TuneError, TuneFolder, TunePlan, TuneState, race,
};
use crate::experiment::{Contestant, Pair, Plan, Results, Run, RunFolder, State};
use crate::files::Patience;
use crate::game::Rank;
use crate::kept::Saving;
use crate::preset::{Objective, Preset, TunedError};
use crate::stats::{Interval, wilson};
use crate::strategy::{Outcome, Strategy};
use crate::task::Control;

/// How often to check for pause and stop.
const LOOK: Duration = Duration::from_millis(50);

/// The part of a tuning that plays the winner and the start.
const VERIFICATION: &str = "verification on fresh seeds";

/// The winner and the start strategy, on games that were not used for any choice.
#[derive(Clone, Debug, PartialEq)]
pub struct Verified {
    pub winner: Strategy,
    /// The values of the settings.
    pub values: Vec<f64>,
    /// Games of each.
    pub games: u64,
    pub seed: u64,
    /// In units of the objective, with the 95% interval.
    pub of_winner: (f64, Interval),
    pub of_start: (f64, Interval),
    /// Winner minus start, game by game.
    pub difference: (f64, Interval),
}

/// Plays the games that a folder lacks.
#[derive(Debug)]
pub struct Tuner {
    pub folder: TuneFolder,
    /// Worker threads; `None` uses all cores.
    pub threads: Option<usize>,
    pub low_priority: bool,
    /// How long it waits for a disk without room before it fails.
    pub patience: Patience,
}

/// Called after each generation with all of them.
type Tell<'a> = &'a mut dyn FnMut(&[Generation]);

impl Tuner {
    /// Continues to the end; `None` if it was stopped.
    pub fn run(
        &mut self,
        control: &Control,
        tell: Tell<'_>,
    ) -> Result<Option<Verified>, TuneError> {
        let plan = self.folder.plan().clone();
        if self.folder.is_of_earlier_rules() {
            return self.of_earlier_rules();
        }
        let search = plan.search();

        loop {
            let generations = &self.folder.state().generations;
            let request = search.ask(&self.folder.told());
            let request = request.ok_or_else(|| {
                TuneError::Failed("the search cannot start at these settings".to_owned())
            })?;
            let (spent, start) = (
                generations.iter().map(|one| one.games).sum(),
                generations.last().map_or(0, |one| one.indices[1]),
            );
            if plan.is_spent(spent) {
                let last = plan.values(&request.mean);
                let Some(winner) = self.winner(&plan, last, (spent, start), control)? else {
                    return Ok(None);
                };
                return self.verify(&plan, &winner, control);
            }

            control.begin(
                format!("generation {}", generations.len() + 1),
                "game",
                plan.tuning.games,
            );
            control.report(spent);
            let mut arena = Games {
                tuner: self,
                plan: &plan,
                control,
                spent,
                failed: None,
            };
            let (centre, candidates) = values_of(&plan, &request);
            let raced = race(
                &mut arena,
                &centre,
                &candidates,
                search.parents(),
                start,
                plan.first_round(),
            );
            if let Some(failed) = arena.failed {
                return Err(failed);
            }

            let Some(raced) = raced else { return Ok(None) };
            let (worth, interval) = worth(plan.objective(), &raced.centre);
            let mut state = self.folder.state().clone();
            state.generations.push(Generation {
                centre,
                mean: worth,
                ci95: interval.map(|ends| [ends.low, ends.high]),
                n: raced.centre.len() as u64,
                step: request.step,
                best: raced.best,
                dropped: raced.dropped,
                games: raced.games,
                indices: [start, raced.end],
                places: raced.places,
            });
            if !self.save(state, control)? {
                return Ok(None);
            }

            tell(&self.folder.state().generations);
            if control.is_stopped() {
                return Ok(None);
            }
        }
    }

    /// The values that win the last race, which is run once; those of the last center if there are too few games for
    /// it. `None` if it was stopped. `from` is the number of games so far and the first unused index.
    fn winner(
        &mut self,
        plan: &TunePlan,
        last: Vec<f64>,
        from: (u64, u64),
        control: &Control,
    ) -> Result<Option<Vec<f64>>, TuneError> {
        if let Some(winner) = self
            .folder
            .state()
            .last_race
            .as_ref()
            .and_then(LastRace::winner)
        {
            return Ok(Some(winner.clone()));
        }
        let finalists = plan.finalists(&self.folder.state().generations, last.clone(), from.0);
        control.begin("final race", "game", plan.tuning.games);
        control.report(from.0);
        let mut arena = Games {
            tuner: self,
            plan,
            control,
            spent: from.0,
            failed: None,
        };
        let Some(first) = plan.last_round(from.0, finalists.len()) else {
            return Ok(Some(last));
        };
        let raced = last_race(plan, &mut arena, finalists, first, from.1);
        if let Some(failed) = arena.failed {
            return Err(failed);
        }
        let Some(raced) = raced else { return Ok(None) };
        let winner = raced.winner().cloned();
        let state = TuneState {
            last_race: Some(raced),
            ..self.folder.state().clone()
        };
        let is_saved = self.save(state, control)?;
        Ok(winner.filter(|_| is_saved))
    }

    /// Saves a state, and continues with it; false if the tuning was stopped while it waited for the disk.
    fn save(&mut self, state: TuneState, control: &Control) -> Result<bool, TuneError> {
        let is_saved = self
            .until_room(|| self.folder.write(&state), control)?
            .is_some();
        if is_saved {
            self.folder.goes_on_with(state);
        }
        Ok(is_saved)
    }

    /// Repeats a write while the disk has no room; `None` if the tuning was stopped meanwhile.
    fn until_room<T>(
        &self,
        write: impl FnMut() -> Result<T, TuneError>,
        control: &Control,
    ) -> Result<Option<T>, TuneError> {
        let (path, patience) = (self.folder.path(), self.patience);
        let saving = Saving {
            path,
            what: "progress",
            who: "the tuning",
            patience,
        };
        saving
            .until_room(control, write, TuneError::is_without_room)
            .map_err(|error| match error {
                error if error.is_without_room() => TuneError::Failed(saving.is_over()),
                error => error,
            })
    }

    /// A tuning of an earlier version: its result if it is finished, else an error.
    fn of_earlier_rules(&self) -> Result<Option<Verified>, TuneError> {
        let verified = Self::verified(&self.folder)?;
        let reason = "an earlier version began this tuning with a search that could leave the bounds: tune again in another \
                      folder";
        let wrong = || TuneError::Wrong {
            path: self.folder.path().to_owned(),
            reason: reason.to_owned(),
        };
        verified.map(Some).ok_or_else(wrong)
    }

    fn verify(
        &self,
        plan: &TunePlan,
        values: &[f64],
        control: &Control,
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
            ..Preset::new(
                format!("{}: verification", plan.title),
                [winner.clone(), plan.strategy.clone()],
            )
        };

        let run = Plan {
            threads: self.threads,
            low_priority: self.low_priority,
            ..Plan::of_preset(&preset)
        };
        control.begin(VERIFICATION, "game", 2 * plan.tuning.verification());
        let start = || -> Result<Run, TuneError> {
            let folder = RunFolder::of_plan(&self.folder.verification(), &run)?;
            Ok(Run::start_in(
                folder.waiting(self.patience),
                run.clone(),
                || {},
            )?)
        };
        let Some(run) = self.until_room(start, control)? else {
            return Ok(None);
        };
        if !attend(&run, control, 0)? {
            return Ok(None);
        }

        let write = || self.folder.write_winner(&winner.pretty());
        if self.until_room(write, control)?.is_none() {
            return Ok(None);
        }
        Ok(Verified::of(
            plan.objective(),
            &run.into_results(),
            winner,
            values.to_vec(),
        ))
    }

    /// The result of the verification of a folder, if it is over; works while another process has the folder open.
    pub fn verified(folder: &TuneFolder) -> Result<Option<Verified>, TuneError> {
        let plan = folder.plan();
        if !folder.verification().join("manifest.json").is_file() {
            return Ok(None);
        }
        let results = RunFolder::open(&folder.verification())?.sums()?;
        let Some(winner) = results.contestants.first().map(|one| one.strategy.clone()) else {
            return Ok(None);
        };
        let settings: Result<Vec<_>, _> = plan
            .tuning
            .over
            .iter()
            .map(|tuned| tuned.of(&winner))
            .collect();
        let wrong = |error: TunedError| TuneError::Wrong {
            path: folder.verification(),
            reason: error.to_string(),
        };
        let values = settings
            .map_err(wrong)?
            .iter()
            .map(|setting| setting.value)
            .collect();
        let is_over = results
            .contestants
            .iter()
            .all(|one| one.summary.games() == plan.tuning.verification());
        Ok(Verified::of(plan.objective(), &results, winner, values).filter(|_| is_over))
    }
}

impl Verified {
    fn of(
        objective: Objective,
        results: &Results,
        winner: Strategy,
        values: Vec<f64>,
    ) -> Option<Self> {
        let [first, second] = results.contestants.as_slice() else {
            return None;
        };
        let planned = results.planned();
        let games = first.summary.games().min(second.summary.games());
        let pair = Pair::of(&first.games, &second.games);
        let (sides, difference): ([(f64, Interval); 2], (f64, Interval)) = match objective {
            Objective::Mean => {
                let mean_of = |summary: &crate::experiment::Summary| {
                    Some((
                        summary.scores.mean()?,
                        planned.mean_interval(&summary.scores)?,
                    ))
                };
                (
                    [mean_of(&first.summary)?, mean_of(&second.summary)?],
                    (pair.difference()?, pair.interval(planned)?),
                )
            }
            Objective::Reach(tile) => {
                let rank = Rank::of_tile(tile)?;
                let share_of = |summary: &crate::experiment::Summary| {
                    let reached = summary.reached(rank);
                    Some((
                        reached as f64 / games as f64,
                        planned.share_interval(reached, games)?,
                    ))
                };
                let reach = pair.reach(rank, planned)?;
                (
                    [share_of(&first.summary)?, share_of(&second.summary)?],
                    (reach.difference, reach.ci95),
                )
            }
        };

        let ([of_winner, of_start], seed) = (sides, results.manifest.seed);
        Some(Self {
            winner,
            values,
            games,
            seed,
            of_winner,
            of_start,
            difference,
        })
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

/// The values of the settings at the center of a generation, and those of its candidates.
fn values_of(plan: &TunePlan, request: &Proposal) -> (Vec<f64>, Vec<Vec<f64>>) {
    (
        plan.values(&request.mean),
        request
            .points
            .iter()
            .map(|point| plan.values(point))
            .collect(),
    )
}

/// The objective over the games of a candidate, with its 95% interval.
fn worth(objective: Objective, games: &[f64]) -> (f64, Option<Interval>) {
    let (mean, interval) = mean_with_interval(games);
    match objective {
        Objective::Mean => (mean, interval),
        Objective::Reach(_) => (
            mean,
            wilson(games.iter().sum::<f64>() as u64, games.len() as u64),
        ),
    }
}

/// Races these values on new games, with `first` games in the first round; those that are surely worse stop early.
/// `None` if it was stopped.
pub(super) fn last_race(
    plan: &TunePlan,
    arena: &mut dyn Arena,
    finalists: Vec<Vec<f64>>,
    first: u64,
    start: u64,
) -> Option<LastRace> {
    let begun_with: Vec<f64> = plan
        .settings()
        .iter()
        .map(|setting| setting.value)
        .collect();
    let raced = race(arena, &begun_with, &finalists, 1, start, first)?;
    Some(LastRace {
        finalists,
        places: raced.places,
        games: raced.games,
        indices: [start, raced.end],
    })
}

/// Waits for a run, and reports its finished games after `before` others, and why it waits for the disk; false if it
/// was stopped.
fn attend(run: &Run, control: &Control, before: u64) -> Result<bool, TuneError> {
    while !run.wait_for(LOOK) {
        if control.is_stopped() {
            run.cancel();
        } else if control.is_paused() {
            run.pause();
        } else {
            run.resume();
        }
        let progress = run.progress();
        control.report(before + progress.work.done);
        control.set_trouble(progress.work.trouble);
    }
    control.set_trouble(None);
    match run.state() {
        State::Done => Ok(true),
        State::Failed(message) => Err(TuneError::Failed(message)),
        _ => Ok(false),
    }
}

/// The arena of a tuning: candidates play games.
struct Games<'a> {
    tuner: &'a Tuner,
    plan: &'a TunePlan,
    control: &'a Control,
    /// Games before this race and in its rounds so far.
    spent: u64,
    failed: Option<TuneError>,
}

impl Games<'_> {
    fn played(
        &mut self,
        candidates: &[Vec<f64>],
        indices: Range<u64>,
    ) -> Result<Option<Vec<Vec<f64>>>, TuneError> {
        let preset = Preset {
            rules: self.plan.rules,
            seed: self.plan.seed,
            games: indices.end,
            ..Preset::new("", [])
        };
        let contestant = |values: &Vec<f64>| Contestant::new(self.plan.with_values(values));
        let run = Plan {
            contestants: candidates.iter().map(contestant).collect(),
            part: Some(indices.clone()),
            threads: self.tuner.threads,
            low_priority: self.tuner.low_priority,
            ..Plan::of_preset(&preset)
        };

        let run = Run::start(run, || {})?;
        if !attend(&run, self.control, self.spent)? {
            return Ok(None);
        }

        self.spent += candidates.len() as u64 * (indices.end - indices.start);
        let objective = self.plan.objective();
        let value = |outcome: Outcome| match objective {
            Objective::Mean => f64::from(outcome.score),
            Objective::Reach(tile) => f64::from(u8::from(
                Rank::of_tile(tile).is_some_and(|rank| rank <= outcome.largest),
            )),
        };
        let values_of_games = |games: &crate::experiment::Games| {
            games.iter().map(|(_, outcome)| value(outcome)).collect()
        };
        Ok(Some(
            run.into_results()
                .contestants
                .iter()
                .map(|one| values_of_games(&one.games))
                .collect(),
        ))
    }
}

impl Arena for Games<'_> {
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
    use std::sync::atomic::{AtomicU32, Ordering};
    use std::sync::{Arc, Mutex};

    use super::*;
    use crate::experiment::{FULL, set_full_for_games};
    use crate::files;
    use crate::game::{Rules, Seed};
    use crate::preset::{Item as _, Tuned, Tuning};
    use crate::task::{CancelToken, lock};
    use crate::tune::race::tests::Known;

    fn plan(objective: Objective) -> TunePlan {
        let strategy: Strategy =
            "(name: \"mix\", criteria: [(evaluator: Sum([(1.0, Empty), (0.5, Score), (0.1, Snake)]))])"
                .parse()
                .expect("a strategy");
        let over = ["weight of Score=0..4", "weight of Snake"]
            .map(|text| text.parse::<Tuned>().expect("a setting"));
        let tune = Tuning {
            over: over.to_vec(),
            objective,
            games: 1200,
            verify: Some(60),
        };
        let rules = Rules {
            stop_at: Rank::of_tile(256),
            ..Rules::default()
        };
        TunePlan::of_preset(&Preset {
            tune: Some(tune),
            seed: 5,
            rules,
            ..Preset::new("mix", [strategy])
        })
        .expect("sound")
    }

    fn tuner(folder: &std::path::Path, plan: &TunePlan, threads: usize) -> Tuner {
        Tuner {
            folder: TuneFolder::of_plan(folder, plan).expect("a folder"),
            threads: Some(threads),
            low_priority: false,
            patience: Patience::default(),
        }
    }

    #[test]
    fn a_tuning_has_one_result_on_any_threads_and_however_often_it_is_stopped() {
        let plan = plan(Objective::Mean);
        let whole = |threads: usize| {
            let folder = tempfile::tempdir().expect("a folder");
            let mut tuner = tuner(folder.path(), &plan, threads);
            let verified = tuner
                .run(&Control::default(), &mut |_| {})
                .expect("played")
                .expect("not stopped");
            let bytes = std::fs::read(folder.path().join("tuning.json")).expect("a state");
            (verified, bytes)
        };
        let (verified, state) = whole(2);
        assert_eq!((&verified, &state), (&whole(1).0, &whole(7).1));
        assert_eq!(verified.games, 60);

        // Stopped after every generation, it reaches the same result.
        let folder = tempfile::tempdir().expect("a folder");
        let mut stops = 0;
        let resumed = loop {
            let control = Control::default();
            let mut tuner = tuner(folder.path(), &plan, 2);
            let before = tuner.folder.state().generations.len();
            let found = tuner.run(&control, &mut |generations| {
                if before < generations.len() {
                    control.stop();
                }
            });
            match found.expect("played") {
                Some(verified) => break verified,
                None => stops += 1,
            }
        };

        assert!(0 < stops, "it was never stopped");
        assert_eq!(
            (
                &resumed,
                &std::fs::read(folder.path().join("tuning.json")).expect("a state")
            ),
            (&verified, &state)
        );

        let again = TuneFolder::open(folder.path()).expect("a tuning");
        assert_eq!(
            Tuner::verified(&again).expect("a run").as_ref(),
            Some(&verified)
        );
        let winner = std::fs::read_to_string(folder.path().join("winner.ron")).expect("a winner");
        assert_eq!(
            winner.parse::<Strategy>().expect("a strategy").sha256(),
            verified.winner.sha256()
        );
    }

    #[test]
    fn a_tuning_waits_for_a_full_disk_and_says_so() {
        if !std::path::Path::new(FULL).exists() {
            println!("skipped: there is no {FULL} here");
            return;
        }
        let plan = plan(Objective::Mean);
        let played = |folder: &std::path::Path, patience: Patience, control: &Control| {
            let mut tuner = Tuner {
                patience,
                ..tuner(folder, &plan, 2)
            };
            tuner.run(control, &mut |_| {})
        };
        let whole = tempfile::tempdir().expect("a folder");
        let quiet = Control::default();
        let verified = played(whole.path(), Patience::default(), &quiet)
            .expect("played")
            .expect("not stopped");

        // Every state is written in the second attempt, and has no game twice.
        let folder = tempfile::tempdir().expect("a folder");
        let (path, troubles) = (folder.path().to_owned(), Arc::new(AtomicU32::new(0)));
        let counted = troubles.clone();
        let control = Control::new("", CancelToken::new(), move |work| {
            files::set_full(&path, work.trouble.is_none() && work.part != VERIFICATION);
            if let Some(trouble) = &work.trouble {
                counted.fetch_add(1, Ordering::Relaxed);
                let begin = format!(
                    "{}: progress cannot be saved (the disk is full): ",
                    path.display()
                );
                assert!(trouble.starts_with(&begin), "{trouble}");
            }
        });
        let waited = played(
            folder.path(),
            Patience(Some(Duration::from_millis(200))),
            &control,
        );
        files::set_full(folder.path(), false);
        let troubles = troubles.load(Ordering::Relaxed);
        assert!(
            waited.expect("played").as_ref() == Some(&verified) && 1 < troubles,
            "{troubles}"
        );

        // In the verification, without a terminal.
        let folder = tempfile::tempdir().expect("a folder");
        let trouble = Arc::new(Mutex::new(None));
        let last = trouble.clone();
        let control = Control::new("", CancelToken::new(), move |work| {
            work.trouble
                .iter()
                .for_each(|trouble| *lock(&last) = Some(trouble.clone()));
        });
        set_full_for_games(true);
        let failed = played(
            folder.path(),
            Patience(Some(Duration::from_millis(400))),
            &control,
        );
        set_full_for_games(false);
        let path = folder.path().join("verification");
        let trouble = lock(&trouble).take().expect("told");
        assert!(
            trouble.starts_with(&format!("{}: games cannot be saved (", path.display())),
            "{trouble}"
        );
        let error = failed.expect_err("full").to_string();
        assert!(
            error.starts_with(&format!(
                "{}: no games could be saved for 1 s (",
                path.display()
            )),
            "{error}"
        );
        let resumed = played(folder.path(), Patience::default(), &quiet).expect("played");
        assert_eq!(resumed.as_ref(), Some(&verified));
    }

    /// The values that a tuning ends with if candidates have a known value, with the noise of games.
    fn chosen(plan: &TunePlan, worth: impl Fn(&[f64]) -> f64) -> Vec<f64> {
        let mut arena = Known {
            worth,
            shared: 4000.0,
            own: 3000.0,
        };
        let (search, mut generations) = (plan.search(), Vec::<Generation>::new());
        let (mut places, mut spent, mut at) = (Vec::new(), 0, 0);

        loop {
            let request = search.ask(&places).expect("a start");
            if plan.is_spent(spent) {
                let finalists = plan.finalists(&generations, plan.values(&request.mean), spent);
                let first = plan
                    .last_round(spent, finalists.len())
                    .expect("games are left");
                let raced = last_race(plan, &mut arena, finalists, first, at).expect("not stopped");
                assert!(spent + raced.games <= plan.tuning.games && at <= raced.indices[0]);
                assert!(raced.indices[1] <= plan.last_index());
                return raced.winner().expect("a winner").clone();
            }

            let (centre, candidates) = values_of(plan, &request);
            let raced = race(
                &mut arena,
                &centre,
                &candidates,
                search.parents(),
                at,
                plan.first_round(),
            );
            let raced = raced.expect("not stopped");
            generations.push(Generation {
                centre,
                mean: worth_of(&raced.centre),
                ci95: None,
                n: raced.centre.len() as u64,
                step: request.step,
                best: raced.best,
                dropped: raced.dropped,
                games: raced.games,
                indices: [at, raced.end],
                places: raced.places.clone(),
            });

            (spent, at) = (spent + raced.games, raced.end);
            places.push(raced.places);
        }
    }

    fn worth_of(games: &[f64]) -> f64 {
        super::worth(Objective::Mean, games).0
    }

    /// Two settings whose best values lie near an end of their range, far from the start, as those of `tune-xiao` do.
    #[test]
    fn more_games_are_not_worse_where_the_optimum_lies_near_a_bound() {
        let worth = |values: &[f64]| {
            let [a, b] = [values[0], values[1]];
            // If points outside the range were clamped, they could not be told apart.
            16_000.0
                - 4000.0 * ((a + 1.0) / 4.0).ln().powi(2)
                - 2000.0 * ((b - 85.0) / 60.0).powi(2)
        };

        let medians = [4_000, 40_000, 100_000].map(|games| {
            let mut found: Vec<f64> = (0..6)
                .map(|seed| {
                    let text = "(criteria: [(evaluator: Sum([(1.0, Empty), (47.0, Score), (11.0, Snake)]))])";
                    let over = ["weight of Score=0..400", "weight of Snake=0..100"];
                    let over = over.map(|text| text.parse::<Tuned>().expect("a setting")).to_vec();
                    let tune = Tuning { over, objective: Objective::Mean, games, verify: Some(60) };
                    let strategy: Strategy = text.parse().expect("a strategy");
                    let preset = Preset { tune: Some(tune), seed, ..Preset::new("mix", [strategy]) };
                    let plan = TunePlan::of_preset(&preset).expect("sound");
                    let values = chosen(&plan, worth);
                    assert!((0.0..=400.0).contains(&values[0]) && (0.0..=100.0).contains(&values[1]), "{values:?}");
                    worth(&values)
                })
                .collect();
            found.sort_by(f64::total_cmp);
            f64::midpoint(found[2], found[3])
        });

        let [few, more, many] = medians;
        assert!(
            few - 200.0 < more && more - 200.0 < many && 15_500.0 < many,
            "{medians:?}"
        );
    }

    #[test]
    fn no_game_of_the_verification_is_one_that_something_was_chosen_by() {
        let folder = tempfile::tempdir().expect("a folder");
        let plan = plan(Objective::Reach(256));
        let mut tuner = tuner(folder.path(), &plan, 2);
        let verified = tuner
            .run(&Control::default(), &mut |_| {})
            .expect("played")
            .expect("not stopped");
        let generations = &tuner.folder.state().generations;
        let mut chosen = HashSet::new();
        for one in generations {
            // No generation plays games of another.
            assert!(
                (one.indices[0]..one.indices[1])
                    .all(|index| chosen.insert(Seed(plan.seed).game(index)))
            );
            assert!(one.indices[1] <= plan.last_index());
            assert!((0.0..=4.0).contains(&one.centre[0]), "within its ends");
        }
        assert!(
            (0..verified.games).all(|index| !chosen.contains(&Seed(verified.seed).game(index)))
        );

        let last = tuner
            .folder
            .state()
            .last_race
            .as_ref()
            .expect("a last race");
        assert!(
            (last.indices[0]..last.indices[1])
                .all(|index| chosen.insert(Seed(plan.seed).game(index)))
        );
        assert!(last.indices[1] <= plan.last_index());
        assert_eq!(last.winner(), Some(&verified.values));
        assert!(
            generations.iter().map(|one| one.games).sum::<u64>() + last.games <= plan.tuning.games
        );
        assert!(
            (0.0..=1.0).contains(&verified.of_winner.0)
                && verified.of_start.1.contains(verified.of_start.0)
        );
    }

    #[test]
    fn a_tuning_of_earlier_rules_opens_and_is_not_continued() {
        let (folder, plan) = (
            tempfile::tempdir().expect("a folder"),
            plan(Objective::Mean),
        );
        let run = || tuner(folder.path(), &plan, 2).run(&Control::default(), &mut |_| {});
        let to_version_1 = || {
            let path = folder.path().join("tuning.json");
            let text = std::fs::read_to_string(&path).expect("a state");
            std::fs::write(&path, text.replace("\"format\": 2", "\"format\": 1")).expect("written");
        };
        drop(TuneFolder::of_plan(folder.path(), &plan).expect("new"));
        let begun = std::fs::read_to_string(folder.path().join("tuning.json")).expect("a state");
        to_version_1();
        let error = run().expect_err("begun by other rules").to_string();
        assert!(error.ends_with("tune again in another folder"), "{error}");

        // A tuning that was finished by then has the same result.
        std::fs::write(folder.path().join("tuning.json"), begun).expect("written");
        let verified = run().expect("played").expect("not stopped");
        to_version_1();
        assert_eq!(run().expect("read"), Some(verified));
    }

    #[test]
    fn a_tuning_whose_files_changed_is_not_continued() {
        let (folder, plan) = (
            tempfile::tempdir().expect("a folder"),
            plan(Objective::Mean),
        );
        drop(TuneFolder::of_plan(folder.path(), &plan).expect("new"));
        drop(TuneFolder::of_plan(folder.path(), &plan).expect("the same"));
        let path = folder.path().join("tuning.json");
        let text = std::fs::read_to_string(&path).expect("a state");
        let hash = plan.strategy_sha256().to_string();
        assert!(text.contains(&hash));
        std::fs::write(
            &path,
            text.replace(&hash, &hash.chars().rev().collect::<String>()),
        )
        .expect("written");
        let error = TuneFolder::of_plan(folder.path(), &plan)
            .expect_err("another file")
            .to_string();
        assert!(
            error.contains("a file that the strategy reads has changed"),
            "{error}"
        );
    }

    #[test]
    fn a_tuning_warns_where_the_file_system_has_no_locks() {
        let folder = tempfile::tempdir().expect("a folder");
        let opened =
            || TuneFolder::of_plan(folder.path(), &plan(Objective::Mean)).expect("a folder");
        assert_eq!(opened().warning(), None);
        let warning = crate::files::Lock::Unsupported.warning(folder.path());
        assert_eq!(
            crate::files::without_locks(opened).warning(),
            warning.as_deref()
        );
    }

    #[test]
    fn what_cannot_be_tuned_is_one_sentence() {
        let refusal = |change: &dyn Fn(&mut Preset)| {
            let mut preset = plan(Objective::Mean).preset();
            assert_eq!(Preset::from_text(&preset.to_text()).as_ref(), Ok(&preset));
            change(&mut preset);
            TunePlan::of_preset(&preset)
                .expect_err("not sound")
                .to_string()
        };

        let tune = |change: &'static dyn Fn(&mut Tuning)| {
            refusal(&|preset| preset.tune.iter_mut().for_each(change))
        };
        for (error, reason) in [
            (
                refusal(&|preset| preset.tune = None),
                "this preset tunes nothing",
            ),
            (tune(&|tune| tune.over.clear()), "tune.over: no setting"),
            (
                tune(&|tune| tune.games = 199),
                "199 games are too few: write at least 200",
            ),
            (
                tune(&|tune| tune.over[0].setting = "weight of Sore".into()),
                "did you mean weight of Score?",
            ),
            (
                tune(&|tune| tune.over[1].setting = "weight of Score".into()),
                "tune.over[1]: weight of Score appears twice",
            ),
            (
                tune(&|tune| tune.over[0].low = Some(1.0)),
                "starts at 0.5, which is not between 1 and 4",
            ),
            (
                tune(&|tune| tune.objective = Objective::Reach(100)),
                "100 is not a tile",
            ),
        ] {
            assert!(error.contains(reason), "{error}");
        }

        let folder = tempfile::tempdir().expect("a folder");
        let first = TuneFolder::of_plan(folder.path(), &plan(Objective::Mean)).expect("new");
        let busy = TuneFolder::open(folder.path())
            .expect_err("busy")
            .to_string();
        assert!(
            busy.contains("another process is tuning in this folder"),
            "{busy}"
        );
        drop(first);
        let other = TuneFolder::of_plan(folder.path(), &plan(Objective::Reach(256)))
            .expect_err("another")
            .to_string();
        assert!(other.contains("does not belong to this tuning"), "{other}");
    }
}
