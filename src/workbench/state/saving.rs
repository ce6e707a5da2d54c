//! Files written on workers: records of searches up to gigabytes, figures, reviews, and folders of results.
//!
//! Each is written completely or not at all, see [`crate::files`] and, for folders, [`files::write_folder`]; a
//! cancelled one leaves nothing behind.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::effect::Effects;
use super::{GamesReviewed, Reviewed};
use crate::experiment::{self, Results};
use crate::files::{self, WriteError};
use crate::review::{self, ReviewFormat};
use crate::search::{Tree, TreeFormat};
use crate::task::{Job, Task, TaskError, TaskGroup, TaskInfo, Tasks};
use crate::words;

/// Larger records are announced before they are written: half a minute on a slow disk.
pub const LARGE: u64 = 100 << 20;

#[derive(Debug, Default)]
pub struct Savings {
    list: Vec<Saving>,
}

#[derive(Debug)]
struct Saving {
    path: PathBuf,
    /// A description of the file: `966,000 nodes`.
    what: String,
    task: Task<Result<u64, WriteError>>,
}

impl Savings {
    pub fn tree(&mut self, tree: Arc<Tree>, format: TreeFormat, path: &Path, tasks: &Tasks) {
        let what = words::plural(tree.kept() as u64, "node");
        let estimated = tree.estimated_size(format);
        let work = move |out: &mut dyn Write| tree.write(format, out);
        self.begin(path, what, estimated, tasks, work);
    }

    /// The review of a game of this title, possibly partial.
    pub fn review(
        &mut self,
        reviewed: Arc<Reviewed>,
        title: String,
        format: ReviewFormat,
        path: &Path,
        tasks: &Tasks,
    ) {
        let work = move |out: &mut dyn Write| {
            let Some(report) = &reviewed.report else {
                return Ok(());
            };
            let player = reviewed.player.as_deref().ok();
            let written = review::Reviewed {
                title: &title,
                review: &reviewed.review,
                report,
                player,
            };
            out.write_all(&written.write(format)?)
        };
        self.begin(path, "the review".to_owned(), 0, tasks, work);
    }

    /// The review of the games of a run.
    pub fn games(
        &mut self,
        games: Arc<GamesReviewed>,
        format: ReviewFormat,
        path: &Path,
        tasks: &Tasks,
    ) {
        let work = move |out: &mut dyn Write| {
            let text = games.written(|written| match format {
                ReviewFormat::Html => written.html(),
                _ => written.markdown(),
            });
            out.write_all(text.as_bytes())
        };
        self.begin(path, "the review of games".to_owned(), 0, tasks, work);
    }

    /// A figure; the worker produces its bytes.
    pub fn picture(
        &mut self,
        make: impl FnOnce() -> io::Result<Vec<u8>> + Send + 'static,
        path: &Path,
        tasks: &Tasks,
    ) {
        self.begin(path, "the figure".to_owned(), 0, tasks, move |out| {
            out.write_all(&make()?)
        });
    }

    /// The results of an experiment as a folder; the worker copies them.
    pub fn results(
        &mut self,
        results: impl FnOnce() -> Results + Send + 'static,
        path: &Path,
        tasks: &Tasks,
    ) {
        let folder = path.to_owned();
        self.list(path, "the results".to_owned(), tasks, move |far| {
            let results = results();
            far.estimated = experiment::results_bytes(&results);
            files::check_room(&folder, far.estimated)?;
            files::write_folder(&folder, |inner| {
                experiment::results_files().try_for_each(|(name, content)| {
                    files::write_with(&inner.join(name), |out| {
                        content(&results, &mut Counted { out, far })
                    })
                })?;
                far.check().map_err(|source| WriteError::File {
                    path: folder.clone(),
                    source,
                })
            })
        });
    }

    fn begin(
        &mut self,
        path: &Path,
        what: String,
        estimated: u64,
        tasks: &Tasks,
        work: impl FnOnce(&mut dyn Write) -> io::Result<()> + Send + 'static,
    ) {
        let file = path.to_owned();
        self.list(path, what, tasks, move |far| {
            far.estimated = estimated;
            files::check_room(&file, estimated)?;
            files::write_with(&file, |out| {
                work(&mut Counted { out, far })?;
                far.check()
            })
        });
    }

    fn list(
        &mut self,
        path: &Path,
        what: String,
        tasks: &Tasks,
        work: impl FnOnce(&mut Far<'_>) -> Result<(), WriteError> + Send + 'static,
    ) {
        // Cancels an earlier write of the same file.
        self.list.retain(|saving| saving.path != path);
        let name = files::name_of(path);
        let info = TaskInfo::asked(TaskGroup::File, format!("Writing {name}, 0 %"));
        let task = tasks.begin(info, move |job| {
            let mut far = Far {
                written: 0,
                percent: 0,
                estimated: 0,
                name: &name,
                job,
            };
            work(&mut far).map(|()| far.written)
        });
        self.list.push(Saving {
            path: path.to_owned(),
            what,
            task,
        });
    }

    pub fn poll(&mut self, effects: &mut Effects) {
        self.list.retain_mut(|saving| {
            let Some(answer) = saving.task.poll() else {
                return true;
            };
            match answer {
                Ok(Ok(written)) => {
                    let size = words::bytes(written);
                    effects.info(format!(
                        "Saved {} to {} ({size})",
                        saving.what,
                        saving.path.display()
                    ));
                }
                Ok(Err(error)) => effects.error(error.to_string()),
                Err(TaskError::Stopped { .. }) => {}
                Err(reason) => effects.error(format!(
                    "{}: cannot be written ({reason})",
                    saving.path.display()
                )),
            }
            false
        });
    }
}

/// The progress of a write, in bytes.
struct Far<'a> {
    written: u64,
    /// The last reported percentage of the estimated size.
    percent: u64,
    estimated: u64,
    name: &'a str,
    job: &'a Job<Result<u64, WriteError>>,
}

impl Far<'_> {
    /// Fails if the task was cancelled.
    fn check(&self) -> io::Result<()> {
        if self.job.is_cancelled() {
            Err(io::Error::other("stopped"))
        } else {
            Ok(())
        }
    }
}

/// Counts the written bytes, reports the progress, and fails if the task was cancelled.
struct Counted<'a, 'b> {
    out: &'a mut dyn Write,
    far: &'a mut Far<'b>,
}

impl Write for Counted<'_, '_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let far = &mut *self.far;
        far.check()?;
        let written = self.out.write(bytes)?;
        far.written += written as u64;
        // The size is an estimate, so 99 % is the maximum before the end.
        let percent = (far.written.saturating_mul(100) / far.estimated.max(1)).min(99);
        if percent != far.percent {
            far.percent = percent;
            far.job.say(format!("Writing {}, {percent} %", far.name));
        }
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;
    use crate::experiment::{Plan, Run};
    use crate::preset::Preset;

    fn until_done(savings: &mut Savings, effects: &mut Effects) {
        let late = Instant::now() + Duration::from_secs(60);
        while !savings.list.is_empty() {
            assert!(Instant::now() < late, "it is not written");
            savings.poll(effects);
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    #[test]
    fn a_folder_that_is_not_there_is_one_sentence_and_no_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("missing").join("a.svg");
        let (mut savings, mut effects) = (Savings::default(), Effects::default());
        savings.picture(|| Ok(b"<svg/>".to_vec()), &path, &Tasks::default());
        until_done(&mut savings, &mut effects);
        let texts: Vec<&str> = effects.texts().collect();
        assert!(
            matches!(texts[..], [text] if text.contains("cannot be written") && !text.contains("os error")),
            "{texts:?}"
        );
        assert_eq!(std::fs::read_dir(folder.path()).expect("listed").count(), 0);
    }

    #[test]
    fn results_are_a_folder_whose_making_can_be_given_up() {
        let outer = tempfile::tempdir().expect("a folder");
        let mut preset = Preset::new(
            "Two ways",
            ["r", "er"].map(|letters| letters.parse().expect("letters")),
        );
        preset.games = 20;
        let run = Run::start(
            Plan {
                threads: Some(1),
                ..Plan::of_preset(&preset)
            },
            || {},
        )
        .expect("a sound plan");
        run.wait();
        let (mut savings, mut effects, tasks) =
            (Savings::default(), Effects::default(), Tasks::default());
        // Cancelled before the results are ready.
        let (let_go, may_go) = std::sync::mpsc::channel();
        let (folder, given_up) = (outer.path().join("results"), outer.path().join("given-up"));
        let later = run.results_elsewhere();
        let delayed = move || {
            may_go.recv().expect("the test sends");
            later()
        };
        savings.results(delayed, &given_up, &tasks);
        assert_eq!(
            tasks.stop(TaskGroup::File).as_deref(),
            Some("Writing given-up, 0 %")
        );
        let_go.send(()).expect("it waits");
        savings.results(run.results_elsewhere(), &folder, &tasks);
        until_done(&mut savings, &mut effects);
        let texts: Vec<&str> = effects.texts().collect();
        assert!(
            matches!(texts[..], [text] if text.starts_with("Saved the results to ")),
            "{texts:?}"
        );
        let names = |folder: &Path| {
            let files = std::fs::read_dir(folder)
                .expect("made")
                .map(|file| file.expect("listed").file_name());
            files.collect::<std::collections::BTreeSet<_>>()
        };
        assert_eq!(
            names(&folder),
            experiment::results_files()
                .map(|(name, _)| name.into())
                .collect()
        );

        // A file has the name of the folder.
        effects = Effects::default();
        savings.results(run.results_elsewhere(), &folder.join("games.csv"), &tasks);
        until_done(&mut savings, &mut effects);
        let texts: Vec<&str> = effects.texts().collect();
        assert!(
            matches!(texts[..], [text] if text.contains("games.csv: this folder cannot be created (")),
            "{texts:?}"
        );

        // The cancelled task ends by itself and leaves nothing behind.
        let late = Instant::now() + Duration::from_secs(60);
        while names(outer.path()) != ["results".into()].into() {
            assert!(Instant::now() < late, "a folder stays");
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    #[test]
    fn what_is_given_up_leaves_nothing_behind() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.json");
        let (mut savings, tasks) = (Savings::default(), Tasks::default());
        let (sender, receiver) = std::sync::mpsc::channel();
        savings.begin(&path, String::new(), 0, &tasks, move |out| {
            let ended = loop {
                if let Err(error) = out.write_all(b"more") {
                    break error;
                }
                std::thread::sleep(Duration::from_millis(1));
            };
            sender.send(()).expect("the test waits");
            Err(ended)
        });

        assert!(tasks.stop(TaskGroup::File).is_some() && tasks.stop(TaskGroup::File).is_none());
        receiver
            .recv_timeout(Duration::from_secs(60))
            .expect("it stops");
        let late = Instant::now() + Duration::from_secs(60);
        while std::fs::read_dir(folder.path()).expect("listed").count() != 0 {
            assert!(Instant::now() < late, "a file stays");
            std::thread::sleep(Duration::from_millis(2));
        }
    }
}
