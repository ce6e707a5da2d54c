//! The list of all long work, with the commands that pause, resume and stop each.

use super::training::LiveTraining;
use super::{Document, ExperimentRun};
use crate::task::Work;
use crate::workbench::command::{Command, ExperimentCommand, LearningCommand, TaskCommand};

/// Long work that runs or is paused.
#[derive(Clone, Debug, PartialEq)]
pub struct Running {
    pub work: Work,
    pub is_paused: bool,
    /// Pauses or resumes it.
    pub hold: Command,
    pub stop: Command,
}

impl Document {
    /// Everything that runs and can be paused: the run, trainings, and other long work that was begun by a command.
    pub fn all_running(&self) -> Vec<Running> {
        let run = self.playing().and_then(running_run);
        let trainings = self.trainings.live().iter().filter_map(running_training);
        let tasks = self
            .tasks()
            .pausable()
            .into_iter()
            .map(|(number, control)| Running {
                work: control.work(),
                is_paused: control.is_paused(),
                hold: TaskCommand::Hold(number).into(),
                stop: TaskCommand::Stop(number).into(),
            });
        run.into_iter().chain(trainings).chain(tasks).collect()
    }
}

fn running_run(run: &ExperimentRun) -> Option<Running> {
    let work = Work {
        title: format!("Playing {}", run.title()).into(),
        ..run.progress()?.work.clone()
    };
    let is_paused = run.run.as_ref()?.is_paused();
    let hold = if is_paused {
        ExperimentCommand::Resume
    } else {
        ExperimentCommand::Pause
    };
    Some(Running {
        work,
        is_paused,
        hold: hold.into(),
        stop: ExperimentCommand::Stop.into(),
    })
}

fn running_training(live: &LiveTraining) -> Option<Running> {
    let (name, is_paused) = (live.name.clone(), live.is_paused());
    let work = Work {
        title: format!("Training {name}").into(),
        ..live.progress.as_ref()?.work.clone()
    };
    let hold = match is_paused {
        true => LearningCommand::Resume {
            name: name.clone(),
            games: None,
        },
        false => LearningCommand::Pause(name.clone()),
    };
    Some(Running {
        work,
        is_paused,
        hold: hold.into(),
        stop: LearningCommand::Stop(name).into(),
    })
}
