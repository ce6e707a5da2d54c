//! A pool of threads for one job.
//!
//! In the window the workers leave one core free and run at lower priority: frames are then rarely interrupted, and an
//! otherwise idle computer loses nothing. On Linux every thread has its own nice value; if the system refuses, the
//! workers keep the usual priority.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{LazyLock, Mutex, OnceLock};

use thread_priority::{ThreadPriority, ThreadPriorityValue};

use super::cancel::{cancelled_by, cancels_here};
use super::{NoAnswer, lock};

/// The most threads for one job.
pub const MOST_THREADS: usize = 1024;

/// A priority of 0..100 that the crate maps to nice 10 on Linux, below normal elsewhere.
const LOW_PRIORITY: u8 = 22;
#[cfg(target_os = "linux")]
const LOW_NICE: i32 = 10;

/// Stack size of a thread: a search recurses twice per ply, with large frames in unoptimized builds.
const STACK: usize = 16 << 20;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Threads {
    /// Number of threads, from 1 to [`MOST_THREADS`].
    pub count: usize,
    /// Whether everything else on the computer takes precedence over them.
    pub low_priority: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ThreadsError {
    #[error("{0} threads cannot be used: choose 1 to {MOST_THREADS}")]
    Count(usize),
    #[error("the system cannot start {count} threads ({reason}): choose fewer")]
    Refused { count: usize, reason: String },
}

/// A thread panicked. The text is its message.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct WorkerPanic(pub String);

/// One thread fewer than cores and at least 1, so that the window stays responsive.
pub fn threads_for_window() -> usize {
    threads_for_cli().saturating_sub(1).max(1)
}

/// The cores that the system lets this process use, asked for once: on Linux the question reads files, and frames ask it.
pub fn threads_for_cli() -> usize {
    static CORES: LazyLock<usize> =
        LazyLock::new(|| std::thread::available_parallelism().map_or(1, usize::from));
    *CORES
}

/// Calls `work` once on each of the threads and returns at once. When all calls have returned, `finished` receives the
/// first panic, if there was one.
///
/// A panic in one thread does not stop the others: `work` should do that.
pub fn spawn(
    threads: Threads,
    work: impl Fn() + Send + Sync + 'static,
    finished: impl FnOnce(Result<(), WorkerPanic>) + Send + 'static,
) -> Result<(), ThreadsError> {
    let Threads {
        count,
        low_priority,
    } = threads;
    if count == 0 || MOST_THREADS < count {
        return Err(ThreadsError::Count(count));
    }
    let refused = |reason: String| ThreadsError::Refused { count, reason };
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(count)
        .thread_name(|index| format!("worker-{index}"))
        .stack_size(STACK)
        .start_handler(move |_| {
            if low_priority {
                lower_priority();
            }
        })
        .build()
        .map_err(|error| refused(error.to_string()))?;

    std::thread::Builder::new()
        .name("workers".to_owned())
        .spawn(move || {
            let panics = pool.broadcast(|_| catch_unwind(AssertUnwindSafe(&work)).err());
            let first = panics.into_iter().flatten().next();
            finished(first.map_or(Ok(()), |panic| Err(WorkerPanic(panic_message(&*panic)))));
        })
        .map_err(|error| refused(error.to_string()))?;

    Ok(())
}

/// Runs `work` in a pool of this many threads, which parallel loops in it share, and waits for it.
pub fn in_pool<T: Send>(count: usize, work: impl FnOnce() -> T + Send) -> Result<T, ThreadsError> {
    if count == 0 || MOST_THREADS < count {
        return Err(ThreadsError::Count(count));
    }
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(count)
        .stack_size(STACK);
    let pool = pool.build().map_err(|error| ThreadsError::Refused {
        count,
        reason: error.to_string(),
    })?;
    Ok(pool.install(work))
}

/// Calls `work` once on each of the threads and waits for all of them.
pub fn on_each(threads: Threads, work: impl Fn() + Sync) -> Result<(), ThreadsError> {
    let Threads {
        count,
        low_priority,
    } = threads;
    if count == 0 || MOST_THREADS < count {
        return Err(ThreadsError::Count(count));
    }
    let refused = |reason: String| ThreadsError::Refused { count, reason };
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(count)
        .stack_size(STACK)
        .start_handler(move |_| {
            if low_priority {
                lower_priority();
            }
        });
    pool.build()
        .map_err(|error| refused(error.to_string()))?
        .broadcast(|_| work());
    Ok(())
}

/// Calls `work` on this thread and on others, `count` in all or as many as the system provides. Waits for all of them
/// and returns how many there were.
///
/// The other threads are cancelled with this one. A panic in one of them continues here, with the same message.
pub fn side_by_side(count: usize, work: impl Fn() + Sync) -> usize {
    let (work, stop) = (&work, cancels_here());
    std::thread::scope(|scope| {
        let begin = || {
            let stop = stop.clone();
            std::thread::Builder::new()
                .stack_size(STACK)
                .spawn_scoped(scope, move || cancelled_by(stop, work))
        };
        let others: Vec<_> = (1..count).map_while(|_| begin().ok()).collect();
        work();
        let threads = 1 + others.len();
        // Joined here, because a scope that joins them reports that one panicked but not why.
        if let Some(panic) = others.into_iter().find_map(|other| other.join().err()) {
            resume_unwind(panic);
        }
        threads
    })
}

/// The results of `work` for the items, in their order, computed on this thread and others, `threads` in all at most.
pub fn map_side_by_side<I: Send, T: Send + Sync>(
    threads: usize,
    items: Vec<I>,
    work: impl Fn(I) -> T + Sync,
) -> Vec<T> {
    if threads < 2 || items.len() < 2 {
        return items.into_iter().map(work).collect();
    }
    let made: Vec<_> = items.iter().map(|_| OnceLock::new()).collect();
    let workers = threads.min(items.len());
    let waiting = Mutex::new(items.into_iter().zip(&made));
    side_by_side(workers, || {
        loop {
            let Some((item, place)) = lock(&waiting).next() else {
                break;
            };
            // No other thread has this place.
            let _ = place.set(work(item));
        }
    });
    made.into_iter().filter_map(OnceLock::into_inner).collect()
}

/// Runs `work` on a new thread with low priority, and returns at once.
pub(super) fn spawn_one(work: impl FnOnce() + Send + 'static) -> Result<(), ThreadsError> {
    let low = move || {
        lower_priority();
        work();
    };
    let spawned = std::thread::Builder::new()
        .name("task".to_owned())
        .stack_size(STACK)
        .spawn(low);
    spawned.map(drop).map_err(|error| ThreadsError::Refused {
        count: 1,
        reason: error.to_string(),
    })
}

pub fn panic_message(panic: &(dyn Any + Send)) -> String {
    if let Some(text) = panic.downcast_ref::<&str>() {
        (*text).to_owned()
    } else if let Some(text) = panic.downcast_ref::<String>() {
        text.clone()
    } else if let Some(NoAnswer(sentence)) = panic.downcast_ref() {
        sentence.clone()
    } else {
        "a panic without a message".to_owned()
    }
}

/// Never raises the priority: a thread with a lower one, as under `nice -n 15`, keeps it.
fn lower_priority() {
    if has_low_priority() {
        return;
    }
    if let Ok(value) = ThreadPriorityValue::try_from(LOW_PRIORITY) {
        // Some systems and containers forbid it; then the workers keep the usual priority.
        let _ = ThreadPriority::Crossplatform(value).set_for_current();
    }
}

/// Whether this thread already has a low priority. On systems other than Linux the nice value belongs to the process,
/// so it does not tell.
fn has_low_priority() -> bool {
    #[cfg(target_os = "linux")]
    {
        rustix::process::getpriority_process(None).is_ok_and(|nice| LOW_NICE <= nice)
    }
    #[cfg(not(target_os = "linux"))]
    false
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::{Arc, mpsc};

    use super::*;

    #[test]
    fn every_thread_works_once_and_the_end_is_told() {
        let calls = Arc::new(AtomicUsize::new(0));
        let (sender, receiver) = mpsc::channel();
        let counted = calls.clone();
        let threads = Threads {
            count: 3,
            low_priority: true,
        };
        spawn(
            threads,
            move || {
                counted.fetch_add(1, Ordering::Relaxed);
            },
            move |end| sender.send(end).expect("someone listens"),
        )
        .expect("three threads");
        assert_eq!(receiver.recv(), Ok(Ok(())));
        assert_eq!(calls.load(Ordering::Relaxed), 3);
    }

    #[test]
    fn a_panic_is_told_and_not_lost() {
        let (sender, receiver) = mpsc::channel();
        let threads = Threads {
            count: 2,
            low_priority: false,
        };
        spawn(
            threads,
            || panic!("no {}", "luck"),
            move |end| sender.send(end).expect("someone listens"),
        )
        .expect("two threads");
        assert_eq!(receiver.recv(), Ok(Err(WorkerPanic("no luck".to_owned()))));
    }

    #[test]
    fn what_is_made_of_items_is_in_their_order_whoever_made_it() {
        for (threads, count) in [(1, 5), (2, 0), (2, 1), (3, 2), (4, 1000)] {
            let items: Vec<usize> = (0..count).collect();
            let squares: Vec<usize> = items.iter().map(|item| item * item).collect();
            assert_eq!(
                map_side_by_side(threads, items, |item| item * item),
                squares,
                "{threads} threads"
            );
        }
    }

    #[test]
    fn whichever_thread_has_no_answer_its_sentence_is_told() {
        for unlucky in 0..3 {
            let calls = AtomicUsize::new(0);
            let caught = catch_unwind(AssertUnwindSafe(|| {
                side_by_side(3, || {
                    if calls.fetch_add(1, Ordering::Relaxed) == unlucky {
                        crate::task::no_answer("unknown".to_owned());
                    }
                });
            }));
            assert_eq!(
                panic_message(&*caught.expect_err("one has left")),
                "unknown"
            );
        }
    }

    #[test]
    fn impossible_numbers_of_threads_are_refused() {
        for count in [0, MOST_THREADS + 1] {
            let error = spawn(
                Threads {
                    count,
                    low_priority: false,
                },
                || {},
                |_| {},
            )
            .expect_err("refused");
            assert!(error.to_string().contains("choose 1 to 1024"), "{error}");
        }
        assert!(1 <= threads_for_window() && threads_for_window() <= threads_for_cli());
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn low_priority_is_nice_ten_and_stays_within_the_thread() {
        fn nice() -> i32 {
            let stat = std::fs::read_to_string("/proc/thread-self/stat").expect("Linux has it");
            let behind_name = stat.rsplit(')').next().expect("a name in parentheses");
            behind_name
                .split_whitespace()
                .nth(16)
                .expect("field 19")
                .parse()
                .expect("a number")
        }

        // Works under any priority of the tests themselves: a thread can always lower its own.
        let before = nice();
        for lowered_by in [0, 3, 12, 19] {
            let worker = std::thread::spawn(move || {
                rustix::process::nice(lowered_by).expect("a thread may give way");
                let begun = nice();
                lower_priority();
                (begun, nice())
            });
            let (begun, lowered) = worker.join().expect("no panic");
            assert_eq!(lowered, begun.max(LOW_NICE), "from {begun}");
        }
        assert_eq!(nice(), before);
    }
}
