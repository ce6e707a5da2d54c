//! Work in the background: it begins once, is listed while it runs, gives one answer, and is cancelled when its owner
//! is dropped.
//!
//! All background work of a window is in one list, [`Tasks`]: the status bar shows what is running, and *Escape* stops
//! it there. A worker owns a [`Job`], its owner a [`Task`]; both leave the list by themselves.

use std::borrow::Cow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, Weak, mpsc};
use std::time::{Duration, Instant};

use super::threads::{ThreadsError, panic_message, spawn_one};
use super::{CancelToken, Control, Work, lock};
use crate::words;

/// How long something runs before it is shown.
pub const TELL_AFTER: Duration = Duration::from_millis(200);
/// How often a job reports progress: every other frame.
const TELL_EVERY: Duration = Duration::from_millis(33);
/// How often the text about a shown task may change.
const WORDS_CHANGE: Duration = Duration::from_millis(200);

/// Called from a worker thread when there is something new to draw.
pub type Wake = Arc<dyn Fn() + Send + Sync>;

/// What the work is for; one key press ends the work of one group. In the order of the status bar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TaskGroup {
    /// The board on screen: decisions, and analyses of its game.
    Board,
    Panel,
    /// A file that is being written.
    File,
}

/// How work is listed, and how it ends early.
#[derive(Clone, Debug)]
pub struct TaskInfo {
    /// For the status bar; empty if it is not shown.
    words: Cow<'static, str>,
    group: TaskGroup,
    /// Whether the user may end it. Other work lasts as long as its view.
    can_stop: bool,
    /// Whether it also gives an answer when it is stopped.
    answers_when_stopped: bool,
    /// Whether it waits while its control is paused.
    can_pause: bool,
}

impl TaskInfo {
    /// Work of a view that is not shown.
    pub const fn silent() -> Self {
        let (words, group) = (Cow::Borrowed(""), TaskGroup::Panel);
        Self {
            words,
            group,
            can_stop: false,
            answers_when_stopped: false,
            can_pause: false,
        }
    }

    /// Work of a view that is shown once it takes long.
    pub fn told(words: impl Into<Cow<'static, str>>) -> Self {
        Self {
            words: words.into(),
            ..Self::silent()
        }
    }

    /// Work that the user started, and may end.
    pub fn asked(group: TaskGroup, words: impl Into<Cow<'static, str>>) -> Self {
        Self {
            words: words.into(),
            group,
            can_stop: true,
            ..Self::silent()
        }
    }

    /// When it is stopped, it gives what it has instead of nothing.
    pub fn answering_when_stopped(self) -> Self {
        Self {
            answers_when_stopped: true,
            ..self
        }
    }

    /// Long work that checks its control, and so can be paused.
    pub fn pausable(self) -> Self {
        Self {
            can_pause: true,
            ..self
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TaskError {
    #[error("it was stopped")]
    Stopped { after: Duration },
    /// A panic, with its message.
    #[error("{0}")]
    Panicked(String),
    #[error(transparent)]
    NoThread(#[from] ThreadsError),
}

/// Everything that runs for one window; clones share the list.
#[derive(Clone)]
pub struct Tasks {
    wake: Wake,
    list: Arc<Mutex<Vec<Weak<Entry>>>>,
}

/// The number of the next task of this process.
static NEXT: AtomicU64 = AtomicU64::new(0);

#[derive(Debug)]
struct Entry {
    info: TaskInfo,
    number: u64,
    /// Its title is the text of the status bar.
    control: Control,
    since: Instant,
    /// The worker is done; its owner may not have noticed yet.
    has_ended: AtomicBool,
    /// Its owner has the answer, or no longer waits.
    is_taken: AtomicBool,
}

impl Entry {
    fn runs(&self) -> bool {
        // Once it has ended, its answer is available as well.
        !self.has_ended.load(Ordering::Acquire)
    }

    /// Work counts until its answer is taken, so that a key press that comes a moment late does not end something else.
    /// Work of a panel counts only while it runs, since a panel that is not on screen takes no answers.
    fn can_stop(&self, group: TaskGroup) -> bool {
        let counts =
            !self.is_taken.load(Ordering::Relaxed) && (self.runs() || group != TaskGroup::Panel);
        self.info.group == group && self.info.can_stop && counts && !self.control.is_stopped()
    }

    fn words(&self) -> String {
        self.control.work().title.into_owned()
    }

    fn is_given_up(&self) -> bool {
        self.control.is_stopped() && !self.info.answers_when_stopped
    }
}

impl Default for Tasks {
    /// A list with a wake function that does nothing.
    fn default() -> Self {
        Self::new(Arc::new(|| {}))
    }
}

impl std::fmt::Debug for Tasks {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.running()).finish()
    }
}

impl Tasks {
    /// An empty list; `wake` is called when a worker has something new.
    pub fn new(wake: Wake) -> Self {
        Self {
            wake,
            list: Arc::default(),
        }
    }

    /// Begins work on a new thread with low priority.
    pub fn begin<T: Send + 'static>(
        &self,
        info: TaskInfo,
        work: impl FnOnce(&Job<T>) -> T + Send + 'static,
    ) -> Task<T> {
        let (wake, told_last) = (self.wake.clone(), Mutex::new(None::<Instant>));
        let listener = move |_: &Work| {
            let mut last = lock(&told_last);
            if last.is_none_or(|last| TELL_EVERY <= last.elapsed()) {
                *last = Some(Instant::now());
                wake();
            }
        };
        let control = Control::new(info.words.clone(), CancelToken::new(), listener);
        let (has_ended, is_taken) = (AtomicBool::new(false), AtomicBool::new(false));
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let entry = Arc::new(Entry {
            info,
            number,
            control,
            since: Instant::now(),
            has_ended,
            is_taken,
        });
        let (sender, receiver) = mpsc::channel();
        let task = Task {
            entry: entry.clone(),
            messages: receiver,
            part: None,
        };
        let mut list = lock(&self.list);
        list.retain(|entry| entry.strong_count() != 0);
        list.push(Arc::downgrade(&entry));
        drop(list);

        let job = Job {
            entry,
            tell: sender.clone(),
            wake: self.wake.clone(),
            told_last: Mutex::new(None),
        };
        let begun = spawn_one(move || {
            let answer = catch_unwind(AssertUnwindSafe(|| work(&job)));
            let answer = match answer {
                Err(panic) => Err(TaskError::Panicked(panic_message(&*panic))),
                Ok(_) if job.entry.is_given_up() => Err(TaskError::Stopped {
                    after: job.entry.since.elapsed(),
                }),
                Ok(answer) => Ok(answer),
            };
            // The owner may be gone.
            let _ = job.tell.send(Message::End(answer));
            job.entry.has_ended.store(true, Ordering::Release);
            (job.wake)();
        });
        if let Err(error) = begun {
            let _ = sender.send(Message::End(Err(error.into())));
        }

        task
    }

    fn running(&self) -> Vec<Arc<Entry>> {
        let mut running = self.listed();
        running.retain(|entry| entry.runs() && !entry.is_given_up());
        running.sort_by_key(|entry| entry.info.group);
        running
    }

    fn listed(&self) -> Vec<Arc<Entry>> {
        lock(&self.list).iter().filter_map(Weak::upgrade).collect()
    }

    /// The texts of all work that has run long enough to be shown; by group, the earliest first.
    pub fn words(&self) -> Vec<(TaskGroup, String)> {
        let words = self.shown().map(|entry| match entry.control.is_paused() {
            true => (
                entry.info.group,
                format!("Paused: {}", words::uncapitalised(&entry.words())),
            ),
            false => (entry.info.group, entry.words()),
        });
        words.collect()
    }

    /// The running work that has a text and has run long enough to be shown; by group, the earliest first.
    fn shown(&self) -> impl Iterator<Item = Arc<Entry>> {
        let long = self
            .running()
            .into_iter()
            .filter(|entry| TELL_AFTER <= entry.since.elapsed());
        long.filter(|entry| !entry.words().is_empty())
    }

    /// The shown work that can be paused: its number and its control.
    pub fn pausable(&self) -> Vec<(u64, Control)> {
        let pausable = self.shown().filter(|entry| entry.info.can_pause);
        pausable
            .map(|entry| (entry.number, entry.control.clone()))
            .collect()
    }

    /// The control of the running work with this number.
    pub fn control(&self, number: u64) -> Option<Control> {
        let found = self
            .running()
            .into_iter()
            .find(|entry| entry.number == number)?;
        Some(found.control.clone())
    }

    /// The texts of everything that runs, including work that has just begun and work that the status bar never shows.
    /// Paused work does not run.
    pub fn all_words(&self) -> Vec<String> {
        let running = self
            .running()
            .into_iter()
            .filter(|entry| !entry.control.is_paused());
        let words = running.map(|entry| entry.words());
        words
            .map(|words| {
                if words.is_empty() {
                    "Work of a panel".to_owned()
                } else {
                    words
                }
            })
            .collect()
    }

    /// How long until [`Tasks::words`] may change by themselves.
    pub fn changes_in(&self) -> Option<Duration> {
        let running = self.running();
        let described = running.iter().filter(|entry| !entry.info.words.is_empty());
        described
            .map(
                |entry| match TELL_AFTER.saturating_sub(entry.since.elapsed()) {
                    Duration::ZERO => WORDS_CHANGE,
                    left => left,
                },
            )
            .min()
    }

    /// Whether [`Tasks::stop`] has something to end.
    pub fn can_stop(&self, group: TaskGroup) -> bool {
        self.listed().iter().any(|entry| entry.can_stop(group))
    }

    /// Ends the most recent work of a group that the user may end; returns its text.
    pub fn stop(&self, group: TaskGroup) -> Option<String> {
        let last = self
            .listed()
            .into_iter()
            .rev()
            .find(|entry| entry.can_stop(group))?;
        last.control.stop();
        Some(last.words())
    }
}

/// The side of a task that works.
pub struct Job<T> {
    entry: Arc<Entry>,
    tell: mpsc::Sender<Message<T>>,
    wake: Wake,
    told_last: Mutex<Option<Instant>>,
}

#[derive(Debug)]
enum Message<T> {
    Part(T),
    End(Result<T, TaskError>),
}

impl<T> Job<T> {
    /// What the work has to check and to report to.
    pub fn control(&self) -> &Control {
        &self.entry.control
    }

    /// The flag of a stop.
    pub fn token(&self) -> &CancelToken {
        self.control().token()
    }

    pub fn is_cancelled(&self) -> bool {
        self.control().is_stopped()
    }

    /// Reports a part of the answer, which replaces the part before.
    pub fn tell(&self, part: T) {
        *lock(&self.told_last) = Some(Instant::now());
        let _ = self.tell.send(Message::Part(part));
        (self.wake)();
    }

    /// The same, unless a part was reported a moment ago.
    pub fn tell_now_and_then(&self, part: impl FnOnce() -> T) {
        self.tell_every(TELL_EVERY, part);
    }

    /// The same, unless a part was reported less than `pause` ago; for parts that take time to build.
    pub fn tell_every(&self, pause: Duration, part: impl FnOnce() -> T) {
        if lock(&self.told_last).is_none_or(|last| pause <= last.elapsed()) {
            self.tell(part());
        }
    }

    /// Changes its text in the status bar.
    pub fn say(&self, words: impl Into<Cow<'static, str>>) {
        self.control().set_title(words);
    }
}

/// The side of a task that waits. Dropping it cancels the work.
#[derive(Debug)]
pub struct Task<T> {
    entry: Arc<Entry>,
    messages: mpsc::Receiver<Message<T>>,
    part: Option<T>,
}

impl<T> Drop for Task<T> {
    fn drop(&mut self) {
        self.entry.control.stop();
        self.entry.has_ended.store(true, Ordering::Relaxed);
        self.entry.is_taken.store(true, Ordering::Relaxed);
    }
}

impl<T> Task<T> {
    /// The answer, once.
    pub fn poll(&mut self) -> Option<Result<T, TaskError>> {
        self.wait(Duration::ZERO)
    }

    /// The answer if it comes within `patience`.
    pub fn wait(&mut self, patience: Duration) -> Option<Result<T, TaskError>> {
        let until = Instant::now() + patience;
        loop {
            match self
                .messages
                .recv_timeout(until.saturating_duration_since(Instant::now()))
            {
                Ok(Message::Part(part)) => self.part = Some(part),
                Ok(Message::End(answer)) => {
                    self.entry.is_taken.store(true, Ordering::Relaxed);
                    return Some(answer);
                }
                Err(_) if self.entry.is_given_up() => {
                    return Some(Err(TaskError::Stopped {
                        after: self.since().elapsed(),
                    }));
                }
                Err(mpsc::RecvTimeoutError::Timeout) => return None,
                Err(mpsc::RecvTimeoutError::Disconnected) => {
                    return Some(Err(TaskError::Panicked(
                        "the work ended without a result".to_owned(),
                    )));
                }
            }
        }
    }

    /// The most recent part of the answer, once.
    pub fn take_part(&mut self) -> Option<T> {
        self.part.take()
    }

    pub fn cancel(&self) {
        self.control().stop();
    }

    /// Pauses, resumes and stops the work, and has its progress.
    pub fn control(&self) -> &Control {
        &self.entry.control
    }

    /// Its number in [`Tasks::pausable`].
    pub fn number(&self) -> u64 {
        self.entry.number
    }

    pub fn since(&self) -> Instant {
        self.entry.since
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LATE: Duration = Duration::from_secs(60);

    /// Work that ends only when it is cancelled.
    fn endless<T>(job: &Job<T>) {
        while !job.is_cancelled() {
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    #[test]
    fn a_task_is_answered_and_a_panic_is_told() {
        let tasks = Tasks::default();
        let mut sum = tasks.begin(TaskInfo::silent(), |_| (1..=10).sum::<i32>());
        assert_eq!(sum.wait(LATE), Some(Ok(55)));
        let mut wrong = tasks.begin(TaskInfo::silent(), |_| -> i32 { panic!("a mistake") });
        assert_eq!(
            wrong.wait(LATE),
            Some(Err(TaskError::Panicked("a mistake".to_owned())))
        );
        let late = Instant::now() + LATE;
        while !tasks.running().is_empty() {
            assert!(Instant::now() < late, "the list holds what has ended");
        }
    }

    #[test]
    fn dropping_it_asks_the_work_to_stop_and_takes_it_from_the_list() {
        let tasks = Tasks::default();
        let (sender, receiver) = mpsc::channel();
        let mut task = tasks.begin(TaskInfo::asked(TaskGroup::Panel, "Waiting"), move |job| {
            endless::<()>(job);
            sender.send(()).expect("the test waits");
        });
        assert_eq!(task.wait(Duration::from_millis(20)), None);
        assert!(tasks.can_stop(TaskGroup::Panel));
        drop(task);
        assert!(!tasks.can_stop(TaskGroup::Panel) && tasks.words().is_empty());
        receiver.recv_timeout(LATE).expect("it stops");
    }

    #[test]
    fn a_group_is_stopped_alone_and_only_what_a_person_may_stop() {
        let tasks = Tasks::default();
        let mut board = tasks.begin(TaskInfo::asked(TaskGroup::Board, "Searching"), endless);
        let mut panel = tasks.begin(TaskInfo::asked(TaskGroup::Panel, "Counting"), endless);
        let mut view = tasks.begin(TaskInfo::told("Filtering"), endless);
        assert!(tasks.stop(TaskGroup::Panel).is_some() && tasks.stop(TaskGroup::Panel).is_none());
        assert!(tasks.stop(TaskGroup::File).is_none());
        assert!(matches!(
            panel.wait(LATE),
            Some(Err(TaskError::Stopped { .. }))
        ));
        assert_eq!((board.poll(), view.poll()), (None, None));
        assert!(tasks.can_stop(TaskGroup::Board) && !tasks.can_stop(TaskGroup::Panel));
    }

    #[test]
    fn what_has_ended_counts_until_its_answer_is_taken() {
        let tasks = Tasks::default();
        for (group, counts) in [
            (TaskGroup::Board, true),
            (TaskGroup::File, true),
            (TaskGroup::Panel, false),
        ] {
            let mut task = tasks.begin(TaskInfo::asked(group, "Working"), |_| 1);
            let late = Instant::now() + LATE;
            while task.entry.runs() {
                assert!(Instant::now() < late, "it does not end");
                std::thread::yield_now();
            }
            let stopped = counts.then(|| "Working".to_owned());
            assert_eq!(
                (tasks.can_stop(group), tasks.stop(group), tasks.stop(group)),
                (counts, stopped, None)
            );
            assert!(tasks.words().is_empty());
            assert_eq!(task.poll(), Some(Ok(1)), "nothing is lost");
            let mut taken = tasks.begin(TaskInfo::asked(group, "Working"), |_| 2);
            assert_eq!(
                (taken.wait(LATE), tasks.can_stop(group)),
                (Some(Ok(2)), false)
            );
        }
    }

    #[test]
    fn what_takes_long_is_told_in_the_order_of_the_groups() {
        let tasks = Tasks::default();
        let _file = tasks.begin(TaskInfo::asked(TaskGroup::File, "Writing"), |job| {
            job.say("Writing more");
            endless::<()>(job);
        });
        let _silent = tasks.begin(TaskInfo::silent(), endless::<()>);
        let _board = tasks.begin(
            TaskInfo::asked(TaskGroup::Board, "Searching"),
            endless::<()>,
        );
        assert!(
            tasks.words().is_empty() && tasks.changes_in().is_some_and(|wait| wait <= TELL_AFTER)
        );
        std::thread::sleep(TELL_AFTER);
        let words = tasks.words();
        let words: Vec<&str> = words.iter().map(|(_, words)| words.as_str()).collect();
        assert_eq!(words, ["Searching", "Writing more"]);
    }

    #[test]
    fn long_work_is_listed_with_its_control() {
        let tasks = Tasks::default();
        let info = TaskInfo::asked(TaskGroup::Panel, "Solving 3x3").pausable();
        let mut long = tasks.begin(info, |job| while job.control().pass() {});
        let _short = tasks.begin(
            TaskInfo::asked(TaskGroup::Board, "Searching"),
            endless::<()>,
        );
        assert!(tasks.pausable().is_empty(), "nothing has taken long yet");
        std::thread::sleep(TELL_AFTER);
        let listed = tasks.pausable();
        let [(number, control)] = &listed[..] else {
            panic!("one of the two")
        };
        control.pause();
        let texts: Vec<String> = tasks.words().into_iter().map(|(_, words)| words).collect();
        assert_eq!(texts, ["Searching", "Paused: solving 3x3"]);
        assert_eq!(tasks.all_words(), ["Searching"], "paused work does not run");
        tasks.control(*number).expect("listed").stop();
        assert!(matches!(
            long.wait(LATE),
            Some(Err(TaskError::Stopped { .. }))
        ));
        assert!(tasks.control(*number).is_none());
    }

    #[test]
    fn work_may_answer_when_it_is_stopped() {
        let tasks = Tasks::default();
        let info = TaskInfo::asked(TaskGroup::Panel, "Counting").answering_when_stopped();
        let mut task = tasks.begin(info, |job| {
            job.tell(1);
            endless(job);
            2
        });
        assert_eq!(task.wait(Duration::from_millis(20)), None);
        assert_eq!(task.take_part(), Some(1));
        assert!(tasks.stop(TaskGroup::Panel).is_some() && tasks.stop(TaskGroup::Panel).is_none());
        assert_eq!(task.wait(LATE), Some(Ok(2)));
    }

    #[test]
    fn one_thing_is_stopped_at_a_time_the_last_one_first() {
        let tasks = Tasks::default();
        let begin = |words: &'static str| {
            tasks.begin(TaskInfo::asked(TaskGroup::Panel, words), endless::<()>)
        };
        let (mut first, _second) = (begin("Counting"), begin("Sorting"));
        assert_eq!(tasks.stop(TaskGroup::Panel).as_deref(), Some("Sorting"));
        assert_eq!(first.poll(), None);
        assert_eq!(tasks.stop(TaskGroup::Panel).as_deref(), Some("Counting"));
        assert_eq!(tasks.stop(TaskGroup::Panel), None);
    }
}
