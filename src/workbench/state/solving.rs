//! Solving in the window: small boards exactly, and value iteration over features.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::Core;
use super::effect::Effects;
use crate::files::{self, Patience, WriteError};
use crate::kept::{DeletedFile, Kept, Kind, Saving};
use crate::process::{Process, ProcessInfo, ProcessSpec, library as processes};
use crate::solve::{self, Bound, Question, Table, TableInfo};
use crate::task::{Control, Job, Task, TaskGroup, TaskInfo, threads_for_window};
use crate::words;
use crate::workbench::command::{SolveCommand, requires};

const NO_FOLDER: &str = "This system has no folder for solved tables";

/// The table of a solved board; `None` if it was stopped while the disk was full.
type SolvedBoard = Result<Option<TableInfo>, String>;

/// A file in a folder of the settings, with its content's summary.
#[derive(Clone, Debug)]
pub struct KeptFile<I> {
    pub path: PathBuf,
    /// `None` if the size cannot be read.
    pub bytes: Option<u64>,
    pub info: Result<I, String>,
}

impl<I> KeptFile<I> {
    /// The name by which strategies refer to it.
    pub fn name(&self) -> String {
        self.path
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned()
    }

    pub fn size_text(&self) -> String {
        self.bytes
            .map_or_else(|| "size unknown".to_owned(), words::bytes)
    }

    /// All files of a kind.
    fn all<T: Kept<Info = I>>(config_dir: Option<&Path>) -> Vec<Self> {
        let file_at = |path: PathBuf| {
            let bytes = std::fs::metadata(&path).ok().map(|data| data.len());
            let info = T::read_info(&path).map_err(|error| error.to_string());
            Self { path, bytes, info }
        };
        config_dir
            .map(|folder| T::KIND.files_in(folder))
            .unwrap_or_default()
            .into_iter()
            .map(file_at)
            .collect()
    }
}

#[derive(Debug, Default)]
pub struct Solving {
    board: Option<(Question, Task<SolvedBoard>)>,
    /// Why the table of the board waits for the disk, as told last.
    told_trouble: Option<String>,
    process: Option<Task<Result<Arc<Process>, String>>>,
    learnt: Option<Arc<Process>>,
    /// Why the last task failed.
    pub failure: Option<String>,
    tables: Vec<KeptFile<TableInfo>>,
    processes: Vec<KeptFile<ProcessInfo>>,
    /// The task that measures the time per board on one thread, in seconds.
    pace: Option<Task<f64>>,
    secs_per_board: Option<f64>,
}

impl Solving {
    /// The board being solved.
    pub fn board(&self) -> Option<(Question, &Control)> {
        self.board
            .as_ref()
            .map(|(question, task)| (*question, task.control()))
    }

    /// The value iteration that runs.
    pub fn process(&self) -> Option<&Control> {
        self.process.as_ref().map(Task::control)
    }

    fn controls(&self) -> impl Iterator<Item = &Control> {
        self.board()
            .map(|(_, control)| control)
            .into_iter()
            .chain(self.process())
    }

    /// Whether the board or the value iteration is paused; then [`SolveCommand::Hold`] resumes both.
    pub fn is_paused(&self) -> bool {
        self.controls().any(Control::is_paused)
    }

    /// The process that was learned or shown last.
    pub fn learnt(&self) -> Option<&Arc<Process>> {
        self.learnt.as_ref()
    }

    pub fn tables(&self) -> &[KeptFile<TableInfo>] {
        &self.tables
    }

    pub fn processes(&self) -> &[KeptFile<ProcessInfo>] {
        &self.processes
    }

    /// The file name of the last learned process, if saved.
    pub fn learnt_name(&self) -> Option<String> {
        let sha256 = &self.learnt.as_ref()?.sha256;
        let is_it = |file: &&KeptFile<ProcessInfo>| {
            file.info.as_ref().is_ok_and(|info| info.sha256 == *sha256)
        };
        self.processes.iter().find(is_it).map(KeptFile::name)
    }

    /// The estimated time for a board size with the threads of the window.
    pub fn secs(&self, bound: Bound) -> Option<f64> {
        Some(self.secs_per_board? * bound.states as f64 / threads_for_window() as f64)
    }
}

/// The kind of a file, by its extension.
fn kind_of(path: &Path) -> &'static Kind {
    let is_process = path
        .extension()
        .is_some_and(|ending| ending == Process::KIND.ending);
    if is_process {
        Process::KIND
    } else {
        Table::KIND
    }
}

impl Solving {
    /// Whether a command applies now, else why not.
    pub(super) fn can(&self, core: &Core, command: &SolveCommand) -> Result<(), Cow<'static, str>> {
        match command {
            SolveCommand::Board(question) => {
                requires(core.config_dir().is_some(), NO_FOLDER)?;
                requires(
                    self.board.is_none(),
                    "A board is being solved: stop it first, or wait until it ends",
                )?;
                question.check().map_err(|error| error.to_string().into())
            }
            SolveCommand::Learn(spec) => {
                requires(
                    self.process.is_none(),
                    "Value iteration is running: stop it first, or wait until it ends",
                )?;
                spec.check().map_err(|error| error.to_string().into())
            }
            SolveCommand::Hold | SolveCommand::Stop => requires(
                self.controls().next().is_some(),
                "Nothing is being solved or learned",
            ),
            SolveCommand::KeepProcess(name) => {
                requires(self.learnt.is_some(), "Press Learn first")?;
                let path = Self::process_file(core, name)?;
                requires(
                    !path.exists(),
                    "A value iteration of this name exists: choose another name, or delete that one",
                )
            }
            SolveCommand::ShowProcess(_)
            | SolveCommand::ListKept
            | SolveCommand::DeleteKept(_)
            | SolveCommand::RestoreKept(_) => Ok(()),
        }
    }

    pub(super) fn apply(&mut self, core: &mut Core, command: &SolveCommand, effects: &mut Effects) {
        match command {
            SolveCommand::Board(question) => {
                let begun = self.solve_board(core, *question);
                effects.accept(begun);
            }
            SolveCommand::Learn(spec) => self.learn_process(core, *spec),
            SolveCommand::Hold => {
                let hold = if self.is_paused() {
                    Control::resume
                } else {
                    Control::pause
                };
                self.controls().for_each(hold);
            }
            SolveCommand::Stop => self.controls().for_each(Control::stop),
            SolveCommand::KeepProcess(name) => {
                let saved = self.keep_process(core, name);
                if effects.accept(saved).is_some() {
                    effects.info(format!(
                        "Saved the value iteration: Policy({name:?}) plays with it"
                    ));
                }
                self.list_kept(core);
            }
            SolveCommand::ShowProcess(path) => {
                if let Some(process) = effects.accept(processes::process(&path.to_string_lossy())) {
                    self.learnt = Some(process);
                }
            }
            SolveCommand::ListKept => self.list_kept(core),
            SolveCommand::DeleteKept(path) => {
                if let Some(deleted) = effects.accept(DeletedFile::of(path)) {
                    let label = format!("the {} {}", kind_of(path).name, files::name_of(path));
                    core.has_deleted(&label, SolveCommand::RestoreKept(deleted), effects);
                }
                self.list_kept(core);
            }
            SolveCommand::RestoreKept(deleted) => {
                let what = format!("The {}", kind_of(&deleted.path).name);
                core.has_restored(&what, deleted.restore(), effects);
                self.list_kept(core);
            }
        }
    }

    /// The file of a process of this name.
    fn process_file(core: &Core, name: &str) -> Result<PathBuf, Cow<'static, str>> {
        let folder = core
            .config_dir()
            .ok_or("This system has no folder for value iterations")?;
        Process::KIND
            .file_in(folder, name)
            .map_err(|error| error.to_string().into())
    }

    fn keep_process(&mut self, core: &Core, name: &str) -> Result<(), String> {
        let path = Self::process_file(core, name)?;
        let learnt = self.learnt.as_mut().ok_or("Press Learn first")?;
        files::make_folder(files::folder_of(&path)).map_err(|error| error.to_string())?;
        let info = learnt.write(&path).map_err(|error| error.to_string())?;
        Arc::make_mut(learnt).sha256 = info.sha256;
        Ok(())
    }

    fn list_kept(&mut self, core: &Core) {
        let folder = core.config_dir().map(Path::to_owned);
        self.tables = KeptFile::all::<Table>(folder.as_deref());
        self.processes = KeptFile::all::<Process>(folder.as_deref());
        if self.secs_per_board.is_none() && self.pace.is_none() {
            let measure = |job: &Job<f64>| solve::secs_per_board(job.token());
            self.pace = Some(core.tasks().begin(TaskInfo::silent(), measure));
        }
    }

    /// Starts to solve a board; the table is saved under the name of the question.
    fn solve_board(&mut self, core: &Core, question: Question) -> Result<(), String> {
        let folder = core.config_dir().ok_or(NO_FOLDER)?.join(Table::KIND.folder);
        let path = folder.join(format!("{}.{}", question.name(), Table::KIND.ending));
        let ready = files::make_folder(&folder)
            .and_then(|()| files::check_room(&path, question.bound().on_disk()));
        ready.map_err(|error| error.to_string())?;
        let info =
            TaskInfo::asked(TaskGroup::Panel, format!("Solving {}", question.size)).pausable();
        let task = core.tasks().begin(info, move |job: &Job<SolvedBoard>| {
            let solution = question
                .solve(threads_for_window(), job.control())
                .map_err(|error| error.to_string())?;
            let saving = Saving {
                path: &path,
                what: "the table",
                who: "the window",
                patience: Patience::default(),
            };
            let write = || solution.table.write(&path);
            let written = saving.until_room(job.control(), write, WriteError::is_without_room);
            written.map_err(|error| error.to_string())
        });
        (self.board, self.failure) = (Some((question, task)), None);
        Ok(())
    }

    fn learn_process(&mut self, core: &Core, spec: ProcessSpec) {
        let info = TaskInfo::asked(TaskGroup::Panel, "Learning by value iteration").pausable();
        let task = core
            .tasks()
            .begin(info, move |job: &Job<Result<Arc<Process>, String>>| {
                let learnt = spec.learn(None, threads_for_window(), job.control());
                learnt.map(Arc::new).map_err(|error| error.to_string())
            });
        (self.process, self.failure) = (Some(task), None);
    }

    /// Takes results of workers; once before each frame.
    pub(super) fn poll(&mut self, core: &Core, effects: &mut Effects) {
        if let Some(answer) = self.pace.as_mut().and_then(Task::poll) {
            self.pace = None;
            self.secs_per_board = answer.ok();
        }

        let trouble = self
            .board
            .as_ref()
            .and_then(|(_, task)| task.control().work().trouble);
        effects.tell_trouble(trouble.as_ref(), self.told_trouble.as_ref());
        self.told_trouble = trouble;

        let mut list = false;
        if let Some((question, task)) = &mut self.board
            && let Some(answer) = task.poll()
        {
            let size = question.size;
            self.board = None;
            list = true;
            match answer
                .map_err(|error| error.to_string())
                .and_then(|result| result)
            {
                Ok(Some(info)) => {
                    let value = words::decimals(
                        info.value,
                        if info.question.goal.tile().is_some() {
                            6
                        } else {
                            2
                        },
                    );
                    effects.info(format!(
                        "{size} is solved: {} is {value}",
                        info.question.goal.text()
                    ));
                }
                Ok(None) => {}
                Err(reason) => self.failure = Some(format!("{size}: {reason}")),
            }
        }

        if let Some(answer) = self.process.as_mut().and_then(Task::poll) {
            self.process = None;
            match answer
                .map_err(|error| error.to_string())
                .and_then(|result| result)
            {
                Ok(learnt) => {
                    processes::learnt(learnt.clone());
                    self.learnt = Some(learnt);
                }
                Err(reason) => self.failure = Some(format!("Value iteration: {reason}")),
            }
        }

        if list {
            self.list_kept(core);
        }
    }
}
