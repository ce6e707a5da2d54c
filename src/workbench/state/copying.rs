//! Results as text for the clipboard; a worker copies the games and compares the strategies.

use super::Document;
use super::effect::Effects;
use crate::experiment::{Beside, Results, ResultsFormat};
use crate::task::{Job, Task, TaskError, TaskGroup, TaskInfo, Tasks};
use crate::words;

/// Results still to be copied from a run.
pub(super) type ResultsElsewhere = Box<dyn FnOnce() -> Results + Send>;

/// What to copy.
pub enum Copied {
    /// The current results, compared with the pinned strategy.
    OnScreen(ResultsElsewhere),
    /// The results of all runs shown together, with their names.
    Beside(Vec<(String, ResultsElsewhere)>),
}

impl Copied {
    /// `None` if cancelled.
    fn text(self, format: ResultsFormat, job: &Job<Option<String>>) -> Option<String> {
        let put_together = || {
            job.say("Copying results, comparing strategies");
            (!job.is_cancelled()).then_some(())
        };
        match self {
            Self::OnScreen(results) => {
                let results = results();
                put_together()?;
                Some(format.write(&results))
            }
            Self::Beside(runs) => {
                let all = words::plural(runs.len() as u64, "run");
                let mut beside = Vec::new();
                for (place, (name, results)) in runs.into_iter().enumerate() {
                    job.say(format!(
                        "Copying results, {} of {all} read",
                        words::count(place as u64)
                    ));
                    if job.is_cancelled() {
                        return None;
                    }
                    beside.push((name, results()));
                }
                put_together()?;
                Some(format.write_beside(&Beside(beside)))
            }
        }
    }
}

impl Document {
    /// The results to copy; `None` if there are none.
    pub fn results_to_copy(&self) -> Option<Copied> {
        match self.results_beside() {
            Some(runs) => Some(Copied::Beside(runs)),
            None => Some(Copied::OnScreen(Box::new(self.results_elsewhere()?))),
        }
    }
}

/// The text in preparation for the clipboard; one at a time.
#[derive(Debug, Default)]
pub struct Copying(Option<(&'static str, Task<Option<String>>)>);

impl Copying {
    /// Starts a copy; cancels the previous one.
    pub fn begin(&mut self, copied: Copied, format: ResultsFormat, tasks: &Tasks) {
        let said = match copied {
            Copied::OnScreen(_) => "Results copied",
            Copied::Beside(_) => "Results of all shown runs copied",
        };
        let info = TaskInfo::asked(TaskGroup::File, "Copying results");
        self.0 = Some((said, tasks.begin(info, move |job| copied.text(format, job))));
    }

    pub fn poll(&mut self, effects: &mut Effects) {
        let Some((said, task)) = &mut self.0 else {
            return;
        };
        match task.poll() {
            None => return,
            Some(Ok(text)) => effects.copy(text, said),
            Some(Err(TaskError::Stopped { .. })) => {}
            Some(Err(reason)) => effects.error(format!("The results cannot be copied ({reason})")),
        }
        self.0 = None;
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;
    use crate::experiment::{Plan, Run};
    use crate::preset::Preset;
    use crate::workbench::state::effect::Effect;

    fn results(seed: u64) -> Results {
        let preset = Preset {
            seed,
            games: 6,
            ..Preset::new(
                "",
                ["er", "r"].map(|letters| letters.parse().expect("letters")),
            )
        };
        let run = Run::start(Plan::of_preset(&preset), || {}).expect("a sound plan");
        run.wait();
        run.results()
    }

    fn until_done(copying: &mut Copying) -> Option<String> {
        let (mut effects, late) = (Effects::default(), Instant::now() + Duration::from_secs(60));
        while copying.0.is_some() {
            assert!(Instant::now() < late, "it is not copied");
            copying.poll(&mut effects);
            std::thread::sleep(Duration::from_millis(2));
        }
        effects.list.into_iter().find_map(|effect| match effect {
            Effect::Copy(text) => Some(text),
            _ => None,
        })
    }

    #[test]
    fn results_are_put_into_words_beside_the_window_until_that_is_given_up() {
        let [one, other] = [results(1), results(2)];
        let (mut copying, tasks) = (Copying::default(), Tasks::default());
        let elsewhere = |results: &Results| -> ResultsElsewhere {
            let results = results.clone();
            Box::new(move || results)
        };
        for format in [ResultsFormat::Markdown, ResultsFormat::Latex] {
            copying.begin(Copied::OnScreen(elsewhere(&one)), format, &tasks);
            assert_eq!(until_done(&mut copying), Some(format.write(&one)));
        }

        let beside = || {
            vec![
                ("One".to_owned(), elsewhere(&one)),
                ("Other".to_owned(), elsewhere(&other)),
            ]
        };
        copying.begin(Copied::Beside(beside()), ResultsFormat::Tabs, &tasks);
        let expected = Beside(vec![
            ("One".to_owned(), one.clone()),
            ("Other".to_owned(), other.clone()),
        ]);
        assert_eq!(
            until_done(&mut copying),
            Some(ResultsFormat::Tabs.write_beside(&expected))
        );

        // Stopped while the games are copied, without waiting for them.
        let (let_go, may_go) = std::sync::mpsc::channel();
        let results = one.clone();
        let delayed: ResultsElsewhere = Box::new(move || {
            may_go
                .recv_timeout(Duration::from_secs(60))
                .expect("the test sends");
            results
        });
        copying.begin(Copied::OnScreen(delayed), ResultsFormat::Tabs, &tasks);
        assert_eq!(
            tasks.stop(TaskGroup::File).as_deref(),
            Some("Copying results")
        );
        assert_eq!(until_done(&mut copying), None);
        let_go.send(()).expect("it waits");
    }
}
