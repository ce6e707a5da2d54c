//! Locks on files, which tell other processes that a file is being written.

use std::fs::{File, TryLockError};
use std::io;
use std::path::Path;

/// The result of an attempt to lock a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lock {
    /// It is locked by this open file until its [`LockedFile`] is dropped.
    Ours,
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

/// An open file and the lock that it got. Dropping it releases the lock. Closing the file alone would not while a program
/// that is being started still has a copy of it.
#[derive(Debug)]
pub struct LockedFile {
    file: File,
    lock: Lock,
}

impl LockedFile {
    /// Locks a file for this open file alone, without waiting. Any failure but another lock is an error and does not
    /// mean another process.
    pub fn try_exclusive(file: File) -> io::Result<Self> {
        let lock = outcome(file.try_lock())?;
        Ok(Self { file, lock })
    }

    /// Takes a shared lock on a file, without waiting.
    pub fn try_shared(file: File) -> io::Result<Self> {
        let lock = outcome(file.try_lock_shared())?;
        Ok(Self { file, lock })
    }

    /// Waits until the file is locked for this open file alone; [`Lock::Unsupported`] if there are no locks.
    pub fn exclusive(file: File) -> io::Result<Self> {
        let lock = outcome(file.lock().map_err(TryLockError::Error))?;
        Ok(Self { file, lock })
    }

    pub fn file(&self) -> &File {
        &self.file
    }

    pub fn lock(&self) -> Lock {
        self.lock
    }
}

impl Drop for LockedFile {
    fn drop(&mut self) {
        if self.lock == Lock::Ours {
            // If this fails, closing the file releases the lock.
            let _ = self.file.unlock();
        }
    }
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
        Ok(()) => Ok(Lock::Ours),
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
        let [one, other] =
            [open(), open()].map(|file| LockedFile::try_shared(file).expect("locks"));
        assert_eq!([one.lock(), other.lock()], [Lock::Ours; 2]);
        let alone = || LockedFile::try_exclusive(open()).expect("locks").lock();
        assert_eq!(alone(), Lock::Busy);
        drop((one, other));
        assert_eq!(alone(), Lock::Ours);

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
    fn a_lock_ends_although_a_starting_program_has_a_copy_of_the_open_file() {
        let path = tempfile::NamedTempFile::new().expect("a file");
        let open = || File::open(path.path()).expect("open");
        for locked in [
            LockedFile::try_exclusive,
            LockedFile::try_shared,
            LockedFile::exclusive,
        ] {
            let locked = locked(open()).expect("locks");
            let copy = locked.file().try_clone().expect("a copy");
            drop(locked);
            assert_eq!(
                LockedFile::try_exclusive(open()).expect("locks").lock(),
                Lock::Ours
            );
            drop(copy);
        }
    }

    #[test]
    fn only_a_file_system_without_locks_is_a_warning() {
        let path = Path::new("on/a/share");
        assert_eq!(
            [Lock::Ours, Lock::Busy].map(|lock| lock.warning(path)),
            [None, None]
        );
        let warning = Lock::Unsupported.warning(path).expect("a warning");
        assert!(
            warning.starts_with("on/a/share: this file system has no locks: "),
            "{warning}"
        );
    }
}
