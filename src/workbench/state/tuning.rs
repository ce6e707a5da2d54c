//! A tuning in the window: its plan, progress and results.

use std::borrow::Cow;
use std::path::PathBuf;
use std::sync::Arc;

use super::effect::{Effect, Effects};
use super::{Core, Document};
use crate::experiment::Runs;
use crate::files::Patience;
use crate::preset::{Entry, Preset, Tuned, Tuning};
use crate::strategy::Strategy;
use crate::task::{Control, Task, TaskGroup, TaskInfo, Work};
use crate::tune::{Generation, TuneFolder, TunePlan, Tuner, Verified};
use crate::words;
use crate::workbench::command::{Panel, requires};

/// Default number of games of a tuning started from a row.
const USUAL: u64 = 20_000;

/// The results of a tuning so far.
#[derive(Clone, Debug, Default)]
struct TuningSoFar {
    generations: Arc<[Generation]>,
    verified: Option<Verified>,
}

/// The last tuning of this window.
#[derive(Debug)]
pub struct TuneRun {
    pub plan: TunePlan,
    pub folder: PathBuf,
    task: Option<Task<Result<TuningSoFar, String>>>,
    so_far: TuningSoFar,
    /// The progress at the last poll; that of the end remains.
    work: Work,
    pub failure: Option<String>,
}

impl TuneRun {
    pub fn generations(&self) -> &[Generation] {
        &self.so_far.generations
    }

    pub fn work(&self) -> &Work {
        &self.work
    }

    pub fn verified(&self) -> Option<&Verified> {
        self.so_far.verified.as_ref()
    }

    pub fn is_busy(&self) -> bool {
        self.task.is_some()
    }

    fn control(&self) -> Option<&Control> {
        self.task.as_ref().map(Task::control)
    }

    pub fn is_paused(&self) -> bool {
        self.control().is_some_and(Control::is_paused)
    }
}

/// The tunings of this window, one at a time.
#[derive(Debug, Default)]
pub(super) struct Tunings {
    last: Option<TuneRun>,
}

impl Tunings {
    /// The tuning of the current set-up, if it has started.
    fn of_setup(&self, core: &Core) -> Option<&TuneRun> {
        let plan = TunePlan::of_preset(core.setup()).ok()?;
        self.last
            .as_ref()
            .filter(|tuning| tuning.plan.is_same(&plan))
    }

    /// The one that plays now.
    fn active(&self) -> Option<&TuneRun> {
        self.last
            .as_ref()
            .filter(|tuning| tuning.is_busy() && !tuning.is_paused())
    }

    /// Only one run or tuning at a time: two would halve each other's measured speed.
    pub(super) fn requires_none(&self) -> Result<(), Cow<'static, str>> {
        requires(
            self.active().is_none(),
            "A tuning is running: stop it first, or wait until it ends",
        )
    }

    pub(super) fn can_start(&self, core: &Core) -> Result<(), Cow<'static, str>> {
        let of_setup = self.of_setup(core);
        if let Some(other) = self.last.as_ref().filter(|tuning| tuning.is_paused())
            && of_setup.is_none()
        {
            let title = words::quoted(&other.plan.title);
            return Err(format!(
                "The tuning of {title} is paused: stop it first, or open it and press Tune"
            )
            .into());
        }

        self.requires_none()?;
        requires(
            of_setup.is_none_or(|tuning| tuning.verified().is_none()),
            "This experiment is already tuned: enter another seed to tune again",
        )?;
        requires(
            core.setup().tune.is_some(),
            "This experiment tunes nothing: choose Tune in the menu of a row",
        )?;
        requires(
            core.surroundings().runs.is_some(),
            "This system has no folder for tunings",
        )?;
        TunePlan::of_preset(core.setup())
            .map(drop)
            .map_err(|error| error.to_string().into())
    }

    pub(super) fn can_pause(&self) -> Result<(), Cow<'static, str>> {
        requires(self.active().is_some(), "No tuning runs")
    }

    pub(super) fn can_stop(&self) -> Result<(), Cow<'static, str>> {
        requires(
            self.last.as_ref().is_some_and(TuneRun::is_busy),
            "No tuning runs",
        )
    }

    /// Starts the tuning of the set-up, or resumes it.
    pub(super) fn start(&mut self, core: &Core, effects: &mut Effects) -> Result<(), String> {
        let plan = TunePlan::of_preset(core.setup()).map_err(|error| error.to_string())?;
        if let Some(control) = self.last.as_ref().and_then(TuneRun::control) {
            control.resume();
            return Ok(());
        }

        let runs = core.surroundings().runs.as_ref().ok_or("no folder")?;
        let path = folder_of(runs, &plan);
        let folder = TuneFolder::of_plan(&path, &plan).map_err(|error| error.to_string())?;
        folder
            .warning()
            .into_iter()
            .for_each(|warning| effects.warn(warning));
        let so_far = TuningSoFar {
            generations: folder.state().generations.as_slice().into(),
            ..TuningSoFar::default()
        };
        let threads = Some(
            core.threads()
                .unwrap_or_else(crate::task::threads_for_window),
        );
        let words = format!("Tuning {}", words::quoted(&plan.title));
        let info = TaskInfo::asked(TaskGroup::Panel, words)
            .pausable()
            .answering_when_stopped();
        let task = core.tasks().begin(info, move |job| {
            // The window shows why it waits.
            let mut tuner = Tuner {
                folder,
                threads,
                low_priority: true,
                patience: Patience::default(),
            };
            let verified = tuner.run(job.control(), &mut |generations| {
                job.tell(Ok(TuningSoFar {
                    generations: generations.into(),
                    verified: None,
                }));
            });
            let generations = tuner.folder.state().generations.as_slice().into();
            verified
                .map(|verified| TuningSoFar {
                    generations,
                    verified,
                })
                .map_err(|error| error.to_string())
        });

        let (task, work) = (Some(task), Work::default());
        self.last = Some(TuneRun {
            plan,
            folder: path,
            task,
            so_far,
            work,
            failure: None,
        });
        Ok(())
    }

    pub(super) fn pause(&self) {
        self.last
            .iter()
            .filter_map(TuneRun::control)
            .for_each(Control::pause);
    }

    pub(super) fn stop(&self) {
        self.last
            .iter()
            .filter_map(TuneRun::control)
            .for_each(Control::stop);
    }

    pub(super) fn poll(&mut self, effects: &mut Effects) {
        let Some(tuning) = &mut self.last else { return };
        let Some(task) = &mut tuning.task else { return };
        let (answer, work) = (task.poll(), task.control().work());
        if let Some(Ok(so_far)) = task.take_part() {
            tuning.so_far = so_far;
        }
        effects.tell_trouble(work.trouble.as_ref(), tuning.work.trouble.as_ref());
        tuning.work = work;

        let Some(answer) = answer else { return };
        tuning.task = None;
        let title = words::quoted(&tuning.plan.title);

        match answer
            .map_err(|error| error.to_string())
            .and_then(|result| result)
        {
            Ok(so_far) => {
                let is_done = so_far.verified.is_some();
                tuning.so_far = so_far;
                let generations =
                    words::plural(tuning.so_far.generations.len() as u64, "generation");
                effects.info(if is_done {
                    format!("{title} is tuned: {generations}")
                } else {
                    format!("{title} is stopped: {generations} are saved, and Tune resumes")
                });
            }
            Err(reason) => {
                effects.error(format!("{title}: {reason}"));
                tuning.failure = Some(reason);
            }
        }
    }
}

impl Document {
    /// The tuning of the current set-up, if it has started.
    pub fn tuning(&self) -> Option<&TuneRun> {
        self.tunings.of_setup(self)
    }

    /// Sets up a new experiment that tunes a setting of the current strategy; if the set-up already tunes others of it,
    /// adds this one.
    pub(super) fn tune_over(&mut self, setting: &str, effects: &mut Effects) -> Result<(), String> {
        let strategy = Strategy::clone(&self.strategy());
        let tuned = Tuned {
            setting: strategy
                .setting(setting)
                .map_err(|error| error.to_string())?
                .name,
            ..Tuned::default()
        };
        tuned.of(&strategy).map_err(|error| error.to_string())?;
        let is_same = |setup: &&Preset| matches!(setup.strategies.as_slice(), [one] if one.strategy.is_same_play(&strategy));
        let before = Some(&**self.setup())
            .filter(is_same)
            .and_then(|setup| setup.tune.clone());
        let mut tuning = before.unwrap_or(Tuning {
            games: USUAL,
            ..Tuning::default()
        });
        if tuning.over.iter().any(|one| one.setting == tuned.setting) {
            return Err(format!("{} is already tuned", tuned.setting));
        }

        tuning.over.push(tuned);
        let Preset {
            rules, seed, games, ..
        } = **self.setup();
        let title = format!("{}: tuned", strategy.label());
        let strategies = vec![Entry::new(strategy)];
        let setup = Preset {
            rules,
            seed,
            games,
            strategies,
            tune: Some(tuning),
            ..Preset::new(title, [])
        };

        self.core.record("tune a setting");
        self.set_experiment(setup, None);
        effects.push(Effect::ShowPanel(Panel::Experiment));
        Ok(())
    }
}

/// Next to the folder of runs.
fn folder_of(runs: &Runs, plan: &TunePlan) -> PathBuf {
    runs.folder()
        .with_file_name("tunings")
        .join(plan.identity())
}
