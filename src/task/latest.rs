//! The answer to the most recent of many requests: a decision while the board changes, a layout while nodes are
//! unfolded.

use std::time::{Duration, Instant};

use super::Control;
use super::running::{Job, Task, TaskError, TaskInfo, Tasks};

/// The result for the newest key. Work for an earlier key is cancelled; its result remains until there is a new one.
pub struct Latest<K, T> {
    key: Option<K>,
    task: Option<Task<T>>,
    failed: Option<TaskError>,
    value: Option<T>,
    /// The value belongs to an earlier key.
    is_old: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TaskState<'a, T> {
    Idle,
    /// It is being computed, and nothing of it is known.
    Pending {
        since: Instant,
    },
    /// It is being computed, and this part is known.
    Partial(&'a T),
    Done(&'a T),
    Failed(&'a TaskError),
}

impl<K, T> Default for Latest<K, T> {
    fn default() -> Self {
        Self {
            key: None,
            task: None,
            failed: None,
            value: None,
            is_old: false,
        }
    }
}

impl<K, T> std::fmt::Debug for Latest<K, T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (runs, failed) = (self.task.is_some(), &self.failed);
        f.debug_struct("Latest")
            .field("runs", &runs)
            .field("failed", failed)
            .finish_non_exhaustive()
    }
}

impl<K: PartialEq, T> Latest<K, T> {
    /// Begins work for a key, unless it is the current one.
    pub fn ask(
        &mut self,
        key: K,
        tasks: &Tasks,
        info: TaskInfo,
        work: impl FnOnce(&Job<T>) -> T + Send + 'static,
    ) where
        T: Send + 'static,
    {
        if !self.is_asked(&key) {
            self.turn_to(key);
            self.task = Some(tasks.begin(info, work));
        }
    }

    /// Sets the answer for a key without work.
    pub fn set(&mut self, key: K, value: T) {
        self.turn_to(key);
        (self.value, self.is_old) = (Some(value), false);
    }

    /// Whether this is the current key.
    pub fn is_asked(&self, key: &K) -> bool {
        self.key.as_ref() == Some(key)
    }

    /// The current key.
    pub fn key(&self) -> Option<&K> {
        self.key.as_ref()
    }

    fn turn_to(&mut self, key: K) {
        self.cancel();
        self.key = Some(key);
    }

    /// Takes new results; returns whether there were any.
    pub fn poll(&mut self) -> bool {
        self.wait(Duration::ZERO)
    }

    /// The same, but waits up to `patience` for the answer.
    pub fn wait(&mut self, patience: Duration) -> bool {
        let Some(task) = &mut self.task else {
            return false;
        };
        let answer = task.wait(patience);
        let part = task.take_part();
        let has_part = part.is_some();
        if has_part {
            (self.value, self.is_old) = (part, false);
        }
        let Some(answer) = answer else {
            return has_part;
        };
        self.task = None;
        match answer {
            Ok(value) => (self.value, self.is_old) = (Some(value), false),
            Err(error) => self.failed = Some(error),
        }
        true
    }

    pub fn state(&self) -> TaskState<'_, T> {
        match (&self.task, self.known(), &self.failed) {
            (Some(_), Some(part), _) => TaskState::Partial(part),
            (Some(task), None, _) => TaskState::Pending {
                since: task.since(),
            },
            (None, _, Some(error)) => TaskState::Failed(error),
            (None, Some(value), None) => TaskState::Done(value),
            (None, None, None) => TaskState::Idle,
        }
    }

    /// The latest known value; that of the previous key until there is one of the newest.
    pub fn value(&self) -> Option<&T> {
        self.value.as_ref()
    }

    /// What is known of the newest key: the answer or a part of it, also after it was stopped.
    pub fn known(&self) -> Option<&T> {
        self.value().filter(|_| !self.is_old)
    }

    /// Takes the whole answer to the newest key, once; the work does not begin again.
    pub fn take(&mut self) -> Option<T> {
        let is_whole = self.task.is_none() && !self.is_old;
        self.value.take_if(|_| is_whole)
    }

    /// Why there is no answer to the newest key.
    pub fn failed(&self) -> Option<&TaskError> {
        self.failed.as_ref()
    }

    pub fn since(&self) -> Option<Instant> {
        self.task.as_ref().map(Task::since)
    }

    pub fn is_pending(&self) -> bool {
        self.task.is_some()
    }

    /// Pauses and resumes the work, and has its progress; `None` if nothing runs.
    pub fn control(&self) -> Option<&Control> {
        self.task.as_ref().map(Task::control)
    }

    /// The number of the work while it is paused.
    pub fn paused(&self) -> Option<u64> {
        self.task
            .as_ref()
            .filter(|task| task.control().is_paused())
            .map(Task::number)
    }

    /// Ends the work as the user does: this counts as a failure, and the part known so far remains.
    pub fn stop(&self) {
        self.task.iter().for_each(Task::cancel);
    }

    /// Cancels the newest key and forgets it; the known value remains, as an old one.
    pub fn cancel(&mut self) {
        (self.key, self.task, self.failed, self.is_old) = (None, None, None, true);
    }

    /// Forgets that the newest key has failed, so that it can be requested again.
    pub fn retry(&mut self) {
        if self.failed.is_some() {
            self.cancel();
        }
    }

    /// Cancels the work and forgets the value.
    pub fn clear(&mut self) {
        *self = Self::default();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;
    use crate::task::TaskGroup;

    const LATE: Duration = Duration::from_secs(60);

    fn endless<T>(job: &Job<T>) {
        while !job.is_cancelled() {
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    #[test]
    fn a_stale_answer_is_never_shown_as_the_newest() {
        let (tasks, mut latest) = (Tasks::default(), Latest::default());
        latest.ask(1, &tasks, TaskInfo::silent(), |_| 10);
        assert!(latest.wait(LATE));
        assert_eq!(latest.state(), TaskState::Done(&10));
        let (go, gone) = mpsc::channel::<()>();

        // It answers though its owner is gone.
        latest.ask(2, &tasks, TaskInfo::silent(), move |_| {
            let _ = gone.recv_timeout(LATE);
            20
        });
        assert!(matches!(latest.state(), TaskState::Pending { .. }) && latest.take().is_none());
        assert_eq!(latest.value(), Some(&10), "what was known stays");
        latest.ask(3, &tasks, TaskInfo::silent(), |_| 30);
        go.send(()).ok();
        assert!(latest.wait(LATE));
        assert_eq!(
            (latest.key(), latest.state()),
            (Some(&3), TaskState::Done(&30))
        );
        assert!(!latest.poll() && latest.take() == Some(30) && latest.is_asked(&3));
    }

    #[test]
    fn paused_work_has_the_number_by_which_it_is_resumed() {
        let (tasks, mut latest) = (Tasks::default(), Latest::<_, ()>::default());
        latest.ask(1, &tasks, TaskInfo::silent().pausable(), endless);
        assert_eq!(latest.paused(), None);
        latest.control().expect("it runs").pause();
        tasks
            .control(latest.paused().expect("it is paused"))
            .expect("listed")
            .resume();
        assert_eq!(latest.paused(), None);
    }

    #[test]
    fn the_same_key_is_worked_at_once() {
        let (tasks, mut latest) = (Tasks::default(), Latest::default());
        latest.ask('a', &tasks, TaskInfo::silent(), |_| 1);
        latest.ask('a', &tasks, TaskInfo::silent(), |_| 2);
        assert!(latest.wait(LATE));
        latest.ask('a', &tasks, TaskInfo::silent(), |_| 3);
        assert_eq!(latest.state(), TaskState::Done(&1));
        latest.set('b', 4);
        assert_eq!(latest.state(), TaskState::Done(&4));
    }

    #[test]
    fn parts_are_shown_until_the_whole_is_there_and_stay_when_it_is_stopped() {
        let (tasks, mut latest) = (Tasks::default(), Latest::default());
        let info = || TaskInfo::asked(TaskGroup::Panel, "Counting");
        let work = |job: &Job<i32>| {
            job.tell(1);
            job.tell_now_and_then(|| unreachable!("the previous part is recent"));
            endless(job);
            2
        };

        latest.ask(1, &tasks, info(), work);
        let late = Instant::now() + LATE;
        while latest.state() != TaskState::Partial(&1) {
            assert!(Instant::now() < late, "no answer arrives");
            latest.poll();
        }

        assert!(tasks.stop(TaskGroup::Panel).is_some() && latest.poll());
        assert!(matches!(
            latest.state(),
            TaskState::Failed(TaskError::Stopped { .. })
        ));
        assert_eq!(latest.known(), Some(&1));
        latest.ask(1, &tasks, info(), work);
        assert!(!latest.is_pending(), "it does not begin again by itself");
        latest.retry();
        latest.ask(1, &tasks, info(), work);
        assert!(latest.is_pending() && tasks.can_stop(TaskGroup::Panel));
        drop(latest);
        assert!(!tasks.can_stop(TaskGroup::Panel), "dropping it cancels");
    }

    #[test]
    fn a_panic_is_a_failure() {
        let (tasks, mut latest) = (Tasks::default(), Latest::<(), ()>::default());
        latest.ask((), &tasks, TaskInfo::silent(), |_| panic!("a mistake"));
        assert!(latest.wait(LATE));
        assert_eq!(
            latest.failed().map(ToString::to_string),
            Some("a mistake".to_owned())
        );
        latest.clear();
        assert_eq!(latest.state(), TaskState::Idle);
    }
}
