//! Exact numbers next to the games of a run: computed at once if cheap, otherwise on request.

use egui::Ui;

use crate::analysis::ExactCost;
use crate::experiment::{ExactRows, is_exact};
use crate::game::Rules;
use crate::prose;
use crate::solve::SolveError;
use crate::strategy::{SharedStrategy, StrategyHash};
use crate::task::{Job, Latest, TaskGroup, TaskInfo, threads_for_window};
use crate::words;
use crate::workbench::icon::Icon;
use crate::workbench::kit::{Button, progress, remark};
use crate::workbench::state::{Document, ExperimentRun};
use crate::workbench::theme::Theme;

/// Strategies and their rules.
type Key = Vec<(StrategyHash, Rules)>;

type Contestants = Vec<(SharedStrategy, Rules)>;

/// The cheap numbers, and the cost of the others.
#[derive(Clone, Debug, PartialEq)]
struct AtOnce {
    rows: ExactRows,
    rest: Option<ExactCost>,
}

/// The requested numbers so far, and the failure if there was one.
#[derive(Clone, Debug, Default, PartialEq)]
struct ExactNumbers {
    rows: ExactRows,
    failure: Option<String>,
}

/// The exact numbers of the shown run.
#[derive(Debug, Default)]
pub(crate) struct ExactView {
    contestants: Contestants,
    /// The number of saved tables is part of the key: a new table may contain the value of best play.
    at_once: Latest<(Key, usize), AtOnce>,
    requested: Latest<Key, ExactNumbers>,
    /// Increases with every result.
    version: u64,
}

impl ExactView {
    /// Switches to another run.
    pub(super) fn turn_to(&mut self, last_run: Option<&ExperimentRun>) {
        let arms = last_run
            .into_iter()
            .flat_map(ExperimentRun::arms)
            .map(|arm| (arm.strategy.into(), arm.dealt.rules));
        self.contestants = arms.collect();
        if !self.contestants.iter().any(|(_, rules)| is_exact(*rules)) {
            self.contestants.clear();
            self.at_once.clear();
            self.requested.clear();
        }
    }

    /// Requests the cheap numbers and takes results.
    pub(super) fn follow(&mut self, doc: &Document) {
        if self.contestants.is_empty() {
            return;
        }

        let key = (self.key(), doc.solving().tables().len());
        if !self.at_once.is_asked(&key) {
            let (contestants, folder) = (
                self.contestants.clone(),
                doc.config_dir().map(ToOwned::to_owned),
            );
            self.at_once.ask(
                key,
                doc.tasks(),
                TaskInfo::told("Finding exact numbers"),
                move |job: &Job<AtOnce>| {
                    let contestants = borrowed(&contestants);
                    let rows = ExactRows::at_once(&contestants, folder.as_deref(), job.token());
                    job.tell(AtOnce {
                        rows: rows.clone(),
                        rest: None,
                    });
                    let rest = rows.cost(&contestants, threads_for_window(), job.token());
                    AtOnce { rows, rest }
                },
            );
        }
        let is_new = [self.at_once.poll(), self.requested.poll()].contains(&true);
        self.version += u64::from(is_new);
    }

    fn key(&self) -> Key {
        self.contestants
            .iter()
            .map(|(strategy, rules)| (strategy.hash(), *rules))
            .collect()
    }

    pub(super) fn version(&self) -> u64 {
        self.version
    }

    /// The value of best play. It comes from the cheap numbers, which read the tables again.
    pub(super) fn best(&self) -> Option<&crate::solve::BestPlay> {
        self.at_once
            .value()
            .filter(|_| !self.contestants.is_empty())?
            .rows
            .best
            .as_ref()
    }

    /// Why the table with the value of best play cannot be read.
    pub(super) fn problem(&self) -> Option<String> {
        let found = self
            .at_once
            .value()
            .filter(|_| !self.contestants.is_empty())?;
        found.rows.problem.as_ref().map(ToString::to_string)
    }

    pub(super) fn rows(&self) -> Option<&ExactRows> {
        if self.contestants.is_empty() {
            return None;
        }
        let followed = self
            .requested
            .known()
            .filter(|_| self.requested.is_asked(&self.key()));
        followed
            .map(|followed| &followed.rows)
            .or_else(|| Some(&self.at_once.known()?.rows))
    }

    /// Evaluates all strategies without exact numbers.
    fn find(&mut self, doc: &Document) {
        let Some(rows) = self.rows().cloned() else {
            return;
        };
        let contestants = self.contestants.clone();
        let info = TaskInfo::asked(TaskGroup::Panel, "Finding exact numbers")
            .pausable()
            .answering_when_stopped();
        self.requested.cancel();
        self.requested.ask(
            self.key(),
            doc.tasks(),
            info,
            move |job: &Job<ExactNumbers>| follow(rows, &contestants, job),
        );
    }

    /// The cost of the strategies without exact numbers; `None` if there are none, or while it is unknown.
    fn rest(&self) -> Option<ExactCost> {
        self.rows().filter(|rows| rows.open().next().is_some())?;
        self.at_once.known()?.rest
    }

    /// Whether [`Self::ui`] has anything to show.
    pub(super) fn has_line(&self) -> bool {
        self.requested.is_pending() || self.rest().is_some()
    }

    /// The missing numbers and their cost, or the progress while they are computed.
    pub(super) fn ui(&mut self, ui: &mut Ui, doc: &Document) {
        let theme = Theme::of(ui);
        if self.requested.is_pending() {
            let stop = Button::new("Stop")
                .small()
                .icon(Icon::Stop)
                .name("Stop finding exact numbers");
            if stop.show(ui, Ok("Keep the numbers found so far")).clicked() {
                self.requested.stop();
            }
            let found = self.requested.known().cloned().unwrap_or_default();
            let all = self.contestants.len();
            let done = all - found.rows.open().count().min(all);
            progress(
                ui,
                "Strategies with exact numbers",
                done as f32 / all.max(1) as f32,
                60.0,
            );
            let boards = self
                .requested
                .control()
                .map_or(0, |control| control.work().done);
            let boards = words::plural(boards, "board");
            remark(
                ui,
                format!("{done} of {all} strategies, {boards} for the next"),
                theme.text2,
            );
            return;
        }

        let (Some(rest), Some(rows)) = (self.rest(), self.rows()) else {
            return;
        };
        let open = words::plural(rows.open().count() as u64, "strategy");
        let failed = self.requested.failed().map(ToString::to_string);
        let failed = failed.or_else(|| self.requested.known()?.failure.clone());
        let failed = failed
            .map(|failed| format!("{failed}. "))
            .unwrap_or_default();
        let about =
            "Compute the means from every board that these strategies reach, without playing games";
        if Button::new("Find exact means")
            .small()
            .icon(Icon::Play)
            .show(ui, Ok(about))
            .clicked()
        {
            return self.find(doc);
        }

        let cost = prose::exact_cost(rest, threads_for_window());
        remark(ui, format!("{failed}{open}: {cost}"), theme.text2);
    }
}

fn borrowed(contestants: &Contestants) -> Vec<(&crate::strategy::Strategy, Rules)> {
    contestants
        .iter()
        .map(|(strategy, rules)| (&**strategy, *rules))
        .collect()
}

/// Evaluates one strategy after another; if stopped, the finished ones count.
fn follow(rows: ExactRows, contestants: &Contestants, job: &Job<ExactNumbers>) -> ExactNumbers {
    let mut numbers = ExactNumbers {
        rows,
        ..ExactNumbers::default()
    };
    job.tell(numbers.clone());
    let open: Vec<usize> = numbers.rows.open().collect();
    for place in open {
        let (strategy, rules) = &contestants[place];
        match numbers
            .rows
            .follow(place, strategy, *rules, threads_for_window(), job.control())
        {
            Ok(()) => job.tell(numbers.clone()),
            Err(SolveError::Stopped) => break,
            Err(error) => numbers.failure = Some(format!("{}: {error}", strategy.label())),
        }
    }

    numbers
}
