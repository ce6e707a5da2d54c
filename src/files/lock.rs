//! Locks on files, which tell other processes that a file is being written.

use std::fs::{File, TryLockError};
use std::io;
use std::path::Path;

/// The result of an attempt to lock a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lock {
    /// It is locked by this open file until that is closed.
    Held,
    /// Another open file has a lock.
    Busy,
    /// The file system or the system has no locks, so it is unknown whether another process works here.
    Unsupported,
}

impl Lock {
    /// What the user must take care of where there are no locks. `path` is the locked folder or file.
    pub fn warning(self, path: &Path) -> Option<String> {
        let sentence =
            "this file system has no locks: make sure that no other process changes the same files";
        (self == Self::Unsupported).then(|| format!("{}: {sentence}", path.display()))
    }
}

/// Locks a file for this open file alone, without waiting. Any other failure is an error and does not mean another
/// process.
pub fn try_lock(file: &File) -> io::Result<Lock> {
    outcome(file.try_lock())
}

/// Takes a shared lock on a file, without waiting.
pub fn try_lock_shared(file: &File) -> io::Result<Lock> {
    outcome(file.try_lock_shared())
}

/// Waits until the file is locked for this open file alone; [`Lock::Unsupported`] if there are no locks.
pub fn wait_for_lock(file: &File) -> io::Result<Lock> {
    outcome(file.lock().map_err(TryLockError::Error))
}

#[cfg(test)]
thread_local! {
    static HAS_LOCKS: std::cell::Cell<bool> = const { std::cell::Cell::new(true) };
}

/// Runs `work` as on a file system without locks, for what this thread locks.
#[cfg(test)]
pub fn without_locks<T>(work: impl FnOnce() -> T) -> T {
    HAS_LOCKS.set(false);
    let done = work();
    HAS_LOCKS.set(true);
    done
}

fn outcome(tried: Result<(), TryLockError>) -> io::Result<Lock> {
    #[cfg(test)]
    if !HAS_LOCKS.get() {
        return Ok(Lock::Unsupported);
    }
    match tried {
        Ok(()) => Ok(Lock::Held),
        Err(TryLockError::WouldBlock) => Ok(Lock::Busy),
        Err(TryLockError::Error(error)) if is_unsupported(&error) => Ok(Lock::Unsupported),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// Whether an error means that there are no locks here. A network file system without a lock service reports that it
/// has none left.
fn is_unsupported(error: &io::Error) -> bool {
    #[cfg(unix)]
    let has_none = error.raw_os_error() == Some(rustix::io::Errno::NOLCK.raw_os_error());
    #[cfg(not(unix))]
    let has_none = false;
    has_none || error.kind() == io::ErrorKind::Unsupported
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_another_lock_is_one() {
        let path = tempfile::NamedTempFile::new().expect("a file");
        let open = || File::open(path.path()).expect("open");
        let (one, other) = (open(), open());
        assert_eq!(try_lock_shared(&one).expect("locks"), Lock::Held);
        assert_eq!(try_lock_shared(&other).expect("locks"), Lock::Held);
        assert_eq!(try_lock(&open()).expect("locks"), Lock::Busy);
        drop((one, other));
        assert_eq!(try_lock(&open()).expect("locks"), Lock::Held);

        let error = |kind: io::ErrorKind| outcome(Err(TryLockError::Error(kind.into())));
        assert_eq!(
            error(io::ErrorKind::Unsupported).expect("told"),
            Lock::Unsupported
        );
        assert_eq!(
            error(io::ErrorKind::Other).expect_err("no lock").kind(),
            io::ErrorKind::Other
        );
        #[cfg(unix)]
        {
            let none = io::Error::from_raw_os_error(rustix::io::Errno::NOLCK.raw_os_error());
            assert_eq!(
                outcome(Err(TryLockError::Error(none))).expect("told"),
                Lock::Unsupported
            );
        }
    }

    #[test]
    fn only_a_file_system_without_locks_is_a_warning() {
        let path = Path::new("on/a/share");
        assert_eq!(
            [Lock::Held, Lock::Busy].map(|lock| lock.warning(path)),
            [None, None]
        );
        let warning = Lock::Unsupported.warning(path).expect("a warning");
        assert!(
            warning.starts_with("on/a/share: this file system has no locks: "),
            "{warning}"
        );
    }
}
