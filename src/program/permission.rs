//! Which commands may run. A strategy is a text that may come from anyone, and a program may do whatever its user may.
//! So no program runs before the user of this computer has allowed this command, or all commands.
//!
//! Permission is for content. A [`Fingerprint`] is a command with the SHA-256 of its executable and of every argument
//! that is a file, or that names one after `=`. The files are read again right before a program starts, and the file
//! that was read is the one that starts. Two cases are out of reach: files that the program loads by itself, and a file
//! that is replaced between that check and the start.
//!
//! The list of permissions lasts as long as this program runs. The window fills it from its settings; the command line
//! allows all or nothing.

use std::env;
use std::fs;
use std::io;
use std::path::{self, Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use serde::{Deserialize, Serialize};

use super::{What, command};
use crate::files;
use crate::task::lock;
use crate::words;

static ALL: AtomicBool = AtomicBool::new(false);
static ALLOWED: Mutex<Vec<Fingerprint>> = Mutex::new(Vec::new());
static GRANTS: AtomicU64 = AtomicU64::new(0);

/// A command with the content of the files in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fingerprint {
    command: Vec<String>,
    /// The folder it runs in, if one of its words is not a file and may mean something else in another folder (`-m
    /// evaluate`, `make`).
    folder: Option<String>,
    /// The file that its first word names; `None` if there is none.
    executable: Option<FileHash>,
    arguments: Vec<FileHash>,
}

/// A file and its content.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileHash {
    /// The full path, without symbolic links.
    pub path: String,
    /// 64 hexadecimal digits.
    pub sha256: String,
}

/// Why the content of a command is not known.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FingerprintError {
    /// On a thread that [must not wait](super::may_wait): a large file has to be read first.
    #[error("its files are still being read")]
    Unread,
    #[error("\"{}\" cannot be read ({reason})", words::escaped(path.chars()))]
    Unreadable { path: String, reason: String },
}

impl Fingerprint {
    /// Reads the files of a command.
    pub fn of(command: &[String]) -> Result<Self, FingerprintError> {
        let [name, arguments @ ..] = command else {
            return Ok(Self::without_files(command));
        };
        let mut folder_matters = arguments.is_empty();
        let mut hashes = Vec::new();
        for word in arguments {
            let files = files_of(word);
            folder_matters |= files.is_empty();
            for file in files {
                hashes.push(FileHash::of(&file)?);
            }
        }
        let executable = executable(name)
            .map(|path| FileHash::of(&path))
            .transpose()?;
        let folder = folder_matters.then(env::current_dir).transpose();
        let folder = folder.map_err(|error| unreadable(Path::new("."), &error))?;
        let folder = folder.map(|folder| folder.to_string_lossy().into_owned());
        Ok(Self {
            folder,
            executable,
            arguments: hashes,
            ..Self::without_files(command)
        })
    }

    fn without_files(command: &[String]) -> Self {
        Self {
            command: command.to_vec(),
            folder: None,
            executable: None,
            arguments: Vec::new(),
        }
    }

    pub fn command(&self) -> &[String] {
        &self.command
    }

    /// The folder it runs in, if that matters.
    pub fn folder(&self) -> Option<&str> {
        self.folder.as_deref()
    }

    /// The files that are checked, the executable first.
    pub fn files(&self) -> impl Iterator<Item = &FileHash> {
        self.executable.iter().chain(&self.arguments)
    }

    /// Whether both are for the same command in the same place, whatever their files contain.
    pub fn is_of_same_command(&self, other: &Self) -> bool {
        self.command == other.command && self.folder == other.folder
    }

    /// The first file of this fingerprint that the other does not have.
    fn first_change(&self, before: &Self) -> Option<&FileHash> {
        self.files()
            .find(|file| !before.files().any(|other| other == *file))
    }
}

impl FileHash {
    fn of(path: &Path) -> Result<Self, FingerprintError> {
        let whole = fs::canonicalize(path).map_err(|error| unreadable(path, &error))?;
        let content = command::content(&whole).map_err(|error| unreadable(path, &error))?;
        let sha256 = crate::kept::hexadecimal(&content.ok_or(FingerprintError::Unread)?);
        Ok(Self {
            path: whole.to_string_lossy().into_owned(),
            sha256,
        })
    }
}

fn unreadable(path: &Path, error: &io::Error) -> FingerprintError {
    FingerprintError::Unreadable {
        path: path.display().to_string(),
        reason: files::said(error),
    }
}

/// The files that an argument names: as a whole, or after `=`.
fn files_of(word: &str) -> Vec<PathBuf> {
    let behind = word.split_once('=').map(|(_, value)| value);
    [Some(word), behind]
        .into_iter()
        .flatten()
        .map(PathBuf::from)
        .filter(|path| path.is_file())
        .collect()
}

/// The file that the first word of a command names: a path, or the first program of this name in the folders of `PATH`.
fn executable(name: &str) -> Option<PathBuf> {
    let is_path = name.contains(path::is_separator);
    let folders = match env::var_os("PATH").filter(|_| !is_path) {
        Some(folders) => env::split_paths(&folders).collect(),
        None if is_path => vec![PathBuf::new()],
        None => vec![PathBuf::from("/usr/bin"), PathBuf::from("/bin")],
    };
    let names = [
        name.to_owned(),
        format!("{name}{}", env::consts::EXE_SUFFIX),
    ];
    let mut candidates = folders
        .iter()
        .flat_map(|folder| names.iter().map(|name| folder.join(name)));
    candidates
        .find(|path| is_executable(path))
        .and_then(|path| path::absolute(path).ok())
}

fn is_executable(path: &Path) -> bool {
    let Ok(data) = fs::metadata(path) else {
        return false;
    };
    #[cfg(unix)]
    let may_run = std::os::unix::fs::PermissionsExt::mode(&data.permissions()) & 0o111 != 0;
    #[cfg(not(unix))]
    let may_run = true;
    data.is_file() && may_run
}

/// Lets every command run.
pub fn allow_all() {
    ALL.store(true, Ordering::Relaxed);
}

/// Lets a command run while its files are as they are here. This replaces earlier permissions for the command.
pub fn allow(fingerprint: Fingerprint) {
    let mut allowed = lock(&ALLOWED);
    allowed.retain(|other| !other.is_of_same_command(&fingerprint));
    allowed.push(fingerprint);
    GRANTS.fetch_add(1, Ordering::Relaxed);
}

/// How often a command was allowed. A command that was refused before the last time may be tried again.
pub fn grants() -> u64 {
    GRANTS.load(Ordering::Relaxed)
}

pub fn is_allowed(command: &[String]) -> bool {
    check(command).is_ok()
}

/// The file to start for a command; `None` if every command may run, so that the system finds the file. A thread that
/// [must not wait](super::may_wait) starts nothing, and assumes that large files it has not read are unchanged.
pub(super) fn check(command: &[String]) -> Result<Option<PathBuf>, What> {
    if ALL.load(Ordering::Relaxed) {
        return Ok(None);
    }
    let allowed: Vec<Fingerprint> = lock(&ALLOWED)
        .iter()
        .filter(|allowed| allowed.command == command)
        .cloned()
        .collect();
    if allowed.is_empty() {
        return Err(What::NotAllowed);
    }
    let start = command.first().and_then(|name| executable(name));
    let now = match Fingerprint::of(command) {
        Ok(now) => now,
        Err(FingerprintError::Unread) => return Ok(start),
        Err(error) => return Err(What::Unchecked(error)),
    };
    let Some(before) = allowed
        .iter()
        .find(|allowed| allowed.is_of_same_command(&now))
    else {
        return Err(What::NotAllowed);
    };

    if *before != now {
        let changed = now.first_change(before).map_or_else(String::new, |file| {
            format!(" (\"{}\")", words::escaped(file.path.chars()))
        });
        return Err(What::ChangedSinceAllowed(changed));
    }

    match start {
        Some(start) => Ok(Some(start)),
        None => Err(What::Start("there is no such program".to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn permission_ends_with_any_change_of_the_executable_or_of_a_file_in_the_command() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = |name: &str, text: &str| {
            let path = folder.path().join(name);
            fs::write(&path, text).expect("writable");
            #[cfg(unix)]
            fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o755))
                .expect("its owner");
            path.to_string_lossy().into_owned()
        };

        let large = "x".repeat((1 << 20) + 1);
        let texts = [
            ("run", "#!/bin/sh\n"),
            ("a.py", "1"),
            ("b.w", "2"),
            ("c.w", large.as_str()),
        ];
        let [run, script, weights, more] = texts.map(|(name, text)| file(name, text));
        let words = vec![run, script, format!("--weights={weights}"), more];
        assert_eq!(check(&words), Err(What::NotAllowed));
        allow(Fingerprint::of(&words).expect("readable"));

        for (name, text) in texts {
            let path = folder.path().join(name);
            let start = check(&words)
                .expect("as it was allowed")
                .expect("the file that was read");
            assert_eq!(start, Path::new(&words[0]));
            let times = fs::metadata(&path)
                .and_then(|data| data.modified())
                .expect("a time");
            // With the same length and time, in the same file.
            file(name, &text.replace(['x', '1', '2', 's'], "y"));
            let changed = fs::File::options()
                .append(true)
                .open(&path)
                .expect("writable");
            changed.set_modified(times).expect("its owner");
            assert!(
                matches!(check(&words), Err(What::ChangedSinceAllowed(what)) if what.contains(name)),
                "{name}"
            );
            file(name, text);
            assert!(check(&words).is_ok(), "{name} is as it was");
        }
        fs::remove_file(&words[3]).expect("it is there");
        assert!(
            check(&words).is_err(),
            "what is no file any more may mean something else"
        );
        file("c.w", &large);
        assert!(check(&words).is_ok());
        fs::remove_file(&words[0]).expect("it is there");
        assert!(check(&words).is_err(), "nothing is there to start");
    }

    #[test]
    fn a_name_is_resolved_as_the_system_does() {
        let sh = executable("sh").expect("a shell");
        assert!(sh.is_absolute() && is_executable(&sh), "{}", sh.display());
        assert_eq!(executable("no such program"), None);
        assert_eq!(executable("./no/such/program"), None);
    }
}
