//! Files of one kind that are found by name: a line of RON that describes the content, the content, and at the end the
//! SHA-256 of everything before. They are in a folder of the configuration, and each is read once and shared.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, RwLock, Weak};
use std::time::Duration;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::files::{
    self, DISK_IS_FULL, Patience, ReadError, ReadProblem, Stamp, WriteError, sleep_unless,
};
use crate::ron_text;
use crate::task::{Control, lock};

/// Bytes of the SHA-256 at the end.
const DIGEST: usize = 32;

/// The properties of a kind of file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Kind {
    /// For example `solved table`.
    pub name: &'static str,
    /// The format in the first line of each file.
    pub format: &'static str,
    pub version: u32,
    /// The ending of the file names.
    pub ending: &'static str,
    /// Name of their folder in the configuration folder.
    pub folder: &'static str,
    /// The longest first line, in bytes.
    pub longest_header: u64,
    /// An example name, for messages.
    pub example: &'static str,
    /// For example `afterstate solve --out writes one`.
    pub made_by: &'static str,
    /// What to do about a damaged file.
    pub again: &'static str,
    /// The command that makes a file with the name `{name}`.
    pub make: &'static str,
}

/// A file that long work writes, in the words of a disk without room.
#[derive(Clone, Copy, Debug)]
pub struct Saving<'a> {
    pub path: &'a Path,
    /// What the file contains, such as progress.
    pub what: &'static str,
    /// What waits, such as the training.
    pub who: &'static str,
    pub patience: Patience,
}

impl Saving<'_> {
    /// Writes the file. While the disk has no room, the work waits, and its control reports why. `None` if it was stopped
    /// meanwhile.
    pub fn until_room<T, E>(
        self,
        control: &Control,
        write: impl FnMut() -> Result<T, E>,
        is_full: impl Fn(&E) -> bool,
    ) -> Result<Option<T>, E> {
        let wait = |_: &E, pause: Duration| {
            control.set_trouble(Some(self.patience.waits(
                self.path,
                self.what,
                self.who,
                DISK_IS_FULL,
            )));
            sleep_unless(pause, || control.is_stopped())
        };
        let written = self.patience.until_room(write, is_full, wait);
        control.set_trouble(None);
        written
    }

    /// Why the work gave up.
    pub fn is_over(self) -> String {
        self.patience.is_over(self.path, self.what, DISK_IS_FULL)
    }
}

/// Why there is no such file. The text names the file and the remedy.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum KeptError {
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error("{}: this is not a {}; {}", path.display(), kind.name, kind.made_by)]
    Other { kind: &'static Kind, path: PathBuf },
    #[error("{}: a newer Afterstate wrote this {} (version {version}); update afterstate", path.display(), kind.name)]
    Newer {
        kind: &'static Kind,
        path: PathBuf,
        version: u32,
    },
    #[error("{}: this {} is damaged ({what}); {}", path.display(), kind.name, kind.again)]
    Damaged {
        kind: &'static Kind,
        path: PathBuf,
        what: String,
    },
    #[error("there is no {} {name:?}: make it with {}{}", kind.name, kind.make.replace("{name}", name), of_file(name))]
    Missing { kind: &'static Kind, name: String },
    #[error("{name:?} cannot name a {}: {problem}; write a name such as {}, or the path of a file", kind.name, kind.example)]
    Name {
        kind: &'static Kind,
        name: String,
        problem: NameProblem,
    },
    #[error("{}: this {} changed after it was first read: start again", path.display(), kind.name)]
    Changed { kind: &'static Kind, path: PathBuf },
    #[error("{}: not enough memory for this {}; close other programs", path.display(), kind.name)]
    Memory { kind: &'static Kind, path: PathBuf },
    #[error("{}: {reason}", path.display())]
    Refused { path: PathBuf, reason: String },
}

/// A hint for a file of this name in the working folder: a name alone refers to a saved file.
fn of_file(name: &str) -> String {
    if Path::new(name).exists() {
        format!(", or write ./{name} for that file")
    } else {
        String::new()
    }
}

impl KeptError {
    /// Whether reading the same file may succeed later: its content is not wrong.
    fn may_pass(&self) -> bool {
        matches!(
            self,
            Self::Read(_) | Self::Memory { .. } | Self::Refused { .. } | Self::Changed { .. }
        )
    }
}

/// The longest file name without its ending, in bytes. File systems allow 255, including endings and numbers.
pub const LONGEST_NAME: usize = 100;

/// Why a name cannot be that of a file on every system.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NameProblem {
    #[error("it is empty")]
    Empty,
    #[error("it is longer than {LONGEST_NAME} bytes")]
    Long,
    #[error("names do not contain {0:?}")]
    Character(char),
    #[error("names do not begin with a dot")]
    Hidden,
    #[error("names do not begin or end with a blank, or end with a dot")]
    Edge,
    #[error("Windows has a device of this name")]
    Device,
}

impl NameProblem {
    /// What is wrong with a file name without its ending, if anything. The rule is the same on every system, so that
    /// files can be copied from one to another.
    pub fn of(name: &str) -> Option<Self> {
        const FORBIDDEN: [char; 9] = [':', '<', '>', '"', '|', '?', '*', '/', '\\'];
        if let Some(forbidden) = name
            .chars()
            .find(|c| FORBIDDEN.contains(c) || c.is_control())
        {
            return Some(Self::Character(forbidden));
        }
        match () {
            () if name.is_empty() => Some(Self::Empty),
            () if LONGEST_NAME < name.len() => Some(Self::Long),
            () if name.starts_with('.') => Some(Self::Hidden),
            () if name.ends_with('.') || name.trim() != name => Some(Self::Edge),
            () if is_device(name) => Some(Self::Device),
            () => None,
        }
    }
}

/// Whether Windows treats a name as a device, whatever ending follows.
fn is_device(name: &str) -> bool {
    let stem = name
        .split('.')
        .next()
        .unwrap_or(name)
        .trim_end()
        .to_ascii_uppercase();
    let is_port = |port: &str| {
        let number = stem
            .strip_prefix(port)
            .map(|number| number.chars().collect::<Vec<_>>());
        matches!(number.as_deref(), Some(['0'..='9' | '¹' | '²' | '³']))
    };
    ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"].contains(&stem.as_str())
        || is_port("COM")
        || is_port("LPT")
}

impl Kind {
    pub fn damaged(&'static self, path: &Path, what: impl Into<String>) -> KeptError {
        KeptError::Damaged {
            kind: self,
            path: path.to_owned(),
            what: what.into(),
        }
    }

    /// Writes a file of this kind whole or not at all; returns its SHA-256 in hexadecimal digits.
    pub fn write(
        &self,
        path: &Path,
        header: &impl Serialize,
        contents: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<String, WriteError> {
        let mut sha256 = String::new();
        files::write_with(path, |file| {
            let mut out = Hashing {
                out: file,
                hash: Sha256::new(),
            };
            let text =
                ron_text::one_line(header).map_err(|error| io::Error::other(error.to_string()))?;
            writeln!(out, "{text}")?;
            contents(&mut out)?;
            let digest = out.hash.finalize();
            sha256 = hexadecimal(&digest);
            out.out.write_all(&digest)
        })?;
        Ok(sha256)
    }

    /// The first line of a file, and the SHA-256 that it states.
    pub fn read_header<H: DeserializeOwned>(
        &'static self,
        path: &Path,
    ) -> Result<(H, String), KeptError> {
        let start = files::read_start(path, self.longest_header)?;
        let (header, _) = self.split_header(path, &start)?;
        let digest = || -> io::Result<[u8; DIGEST]> {
            let mut file = File::open(path)?;
            file.seek(SeekFrom::End(-(DIGEST as i64)))?;
            let mut digest = [0; DIGEST];
            file.read_exact(&mut digest)?;
            Ok(digest)
        };
        let digest = digest().map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof | io::ErrorKind::InvalidInput => {
                self.damaged(path, "it ends early")
            }
            _ => ReadError {
                path: path.to_owned(),
                problem: ReadProblem::Unreadable(files::said(&error)),
            }
            .into(),
        })?;
        Ok((header, hexadecimal(&digest)))
    }

    /// First line, content and SHA-256 of a whole file, checked against each other.
    pub fn split<'a, H: DeserializeOwned>(
        &'static self,
        path: &Path,
        bytes: &'a [u8],
    ) -> Result<(H, &'a [u8], String), KeptError> {
        let (header, body) = self.split_header(path, bytes)?;
        let (body, digest) = body
            .split_last_chunk::<DIGEST>()
            .ok_or_else(|| self.damaged(path, "it ends early"))?;
        if Sha256::digest(&bytes[..bytes.len() - DIGEST]).as_slice() != digest {
            return Err(self.damaged(path, "checksum mismatch"));
        }
        Ok((header, body, hexadecimal(digest)))
    }

    fn split_header<'a, H: DeserializeOwned>(
        &'static self,
        path: &Path,
        bytes: &'a [u8],
    ) -> Result<(H, &'a [u8]), KeptError> {
        #[derive(Deserialize)]
        struct VersionOnly {
            version: u32,
        }

        let other = || KeptError::Other {
            kind: self,
            path: path.to_owned(),
        };
        let end = bytes
            .iter()
            .take(self.longest_header as usize)
            .position(|&byte| byte == b'\n')
            .ok_or_else(other)?;
        let head = std::str::from_utf8(&bytes[..end]).map_err(|_| other())?;
        if !head.contains(self.format) {
            return Err(other());
        }
        if let Ok(VersionOnly { version }) = ron_text::read::<VersionOnly>(head)
            && self.version < version
        {
            return Err(KeptError::Newer {
                kind: self,
                path: path.to_owned(),
                version,
            });
        }
        let header =
            ron_text::read(head).map_err(|_| self.damaged(path, "its first line is invalid"))?;
        Ok((header, &bytes[end + 1..]))
    }

    /// Whether a name is that of a file in the folder, not the path of a file.
    pub fn is_named(&self, name: &str) -> bool {
        !name.contains(['/', '\\'])
            && Path::new(name)
                .extension()
                .is_none_or(|ending| ending != self.ending)
    }

    /// The file that a name, or a path, refers to.
    pub fn path_of(&'static self, name: &str) -> Result<PathBuf, KeptError> {
        if !self.is_named(name) {
            return Ok(name.into());
        }
        let config = config_dir().ok_or_else(|| KeptError::Missing {
            kind: self,
            name: name.to_owned(),
        })?;
        self.file_in(&config, name)
    }

    /// The file of a name in a settings folder. An existing file may have a name that only an earlier version of this
    /// program allowed.
    pub fn file_in(&'static self, config_dir: &Path, name: &str) -> Result<PathBuf, KeptError> {
        let path = || {
            config_dir
                .join(self.folder)
                .join(format!("{name}.{}", self.ending))
        };
        match NameProblem::of(name) {
            None => Ok(path()),
            Some(NameProblem::Character(_) | NameProblem::Edge | NameProblem::Device)
                if !name.contains(['/', '\\'])
                    && !name.contains(char::is_control)
                    && path().is_file() =>
            {
                Ok(path())
            }
            Some(problem) => Err(KeptError::Name {
                kind: self,
                name: name.to_owned(),
                problem,
            }),
        }
    }

    /// All files of this kind in a settings folder, by their names.
    pub fn files_in(&self, config_dir: &Path) -> Vec<PathBuf> {
        let files = std::fs::read_dir(config_dir.join(self.folder))
            .into_iter()
            .flatten()
            .flatten();
        let is_one = |path: &PathBuf| path.extension().is_some_and(|ending| ending == self.ending);
        let mut files: Vec<PathBuf> = files.map(|entry| entry.path()).filter(is_one).collect();
        files.sort();
        files
    }

    /// The names of all saved files.
    pub fn names(&self) -> Vec<String> {
        let files = config_dir()
            .map(|config| self.files_in(&config))
            .unwrap_or_default();
        files
            .iter()
            .filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned()))
            .collect()
    }
}

/// A file in the trash of its folder, together with the files whose names begin with its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeletedFile {
    pub path: PathBuf,
    trash: PathBuf,
    /// Where each was and is.
    beside: Vec<[PathBuf; 2]>,
}

impl DeletedFile {
    /// Moves a file to the trash of its folder.
    pub fn of(path: &Path) -> Result<Self, WriteError> {
        let folder = files::folder_of(path).join(".trash");
        files::make_folder(&folder)?;
        let name = files::name_of(path);
        let mut free = (1..).map(|number| {
            folder.join(if number == 1 {
                name.clone()
            } else {
                format!("{name}.{number}")
            })
        });
        let trash = free
            .find(|place| !place.exists())
            .unwrap_or_else(|| folder.join(&name));
        let beside = beside(path, &trash);
        move_file(path, &trash)?;
        beside
            .iter()
            .try_for_each(|[from, to]| move_file(from, to))?;
        Ok(Self {
            path: path.to_owned(),
            trash,
            beside,
        })
    }

    /// Restores it, unless there is another file by now.
    pub fn restore(&self) -> Result<(), WriteError> {
        if self.path.exists() {
            let source = io::Error::other(format!(
                "another file is there; the deleted one is {}",
                self.trash.display()
            ));
            return Err(WriteError::File {
                path: self.path.clone(),
                source,
            });
        }
        move_file(&self.trash, &self.path)?;
        self.beside
            .iter()
            .try_for_each(|[from, to]| move_file(to, from))
    }
}

/// The files beside a file that begin with its name and a dot, and where they go.
fn beside(path: &Path, trash: &Path) -> Vec<[PathBuf; 2]> {
    let begin = format!("{}.", files::name_of(path));
    let entries = std::fs::read_dir(files::folder_of(path))
        .into_iter()
        .flatten()
        .flatten();
    let moved = |entry: std::fs::DirEntry| {
        let name = entry.file_name().to_str()?.to_owned();
        let rest = name.strip_prefix(&begin)?;
        Some([
            entry.path(),
            files::folder_of(trash).join(format!("{}.{rest}", files::name_of(trash))),
        ])
    };
    entries.filter_map(moved).collect()
}

fn move_file(from: &Path, to: &Path) -> Result<(), WriteError> {
    std::fs::rename(from, to).map_err(|source| WriteError::File {
        path: from.to_owned(),
        source,
    })
}

/// The settings folder, if it is not the usual one.
static CONFIG: RwLock<Option<PathBuf>> = RwLock::new(None);

/// Uses files from another settings folder than the usual one.
pub fn set_config_dir(config_dir: &Path) {
    let mut config = CONFIG
        .write()
        .unwrap_or_else(std::sync::PoisonError::into_inner);
    *config = Some(config_dir.to_owned());
}

/// The settings folder in use; `None` without a home folder.
pub fn config_dir() -> Option<PathBuf> {
    let config = CONFIG
        .read()
        .unwrap_or_else(std::sync::PoisonError::into_inner);
    config.clone().or_else(files::config_dir)
}

/// A value that is read from a file of a kind.
pub trait Kept: Sized {
    /// What is known without reading the whole file.
    type Info: Clone;

    const KIND: &'static Kind;

    fn read_info(path: &Path) -> Result<Self::Info, KeptError>;

    /// Reads a whole file and checks it against its checksum.
    fn read(path: &Path) -> Result<Self, KeptError>;

    /// The information that [`read_info`](Self::read_info) returns, checked against the content.
    fn info(&self) -> Self::Info;

    /// The SHA-256 that identifies the content, in hexadecimal digits.
    fn sha256(info: &Self::Info) -> &str;
}

/// Whether this process uses each file as it first read it.
static IS_FIRST_READ: AtomicBool = AtomicBool::new(false);

/// From now on each file counts as it was when this process first read it, until the process ends: games, the hash
/// saved for the file, and later games refer to the same content. If a file has to be read again and has changed by
/// then, that is an error.
pub fn keep_first_read() {
    IS_FIRST_READ.store(true, Ordering::Relaxed);
}

struct Known<T: Kept> {
    path: PathBuf,
    stamp: Stamp,
    info: Result<T::Info, KeptError>,
    /// Whether the whole file was read and checked against its checksum.
    is_proved: bool,
    whole: Option<Arc<T>>,
    /// The same, as long as it is in use.
    used: Weak<T>,
}

impl<T: Kept> Known<T> {
    fn of(path: PathBuf, stamp: Stamp) -> Self {
        Self {
            info: T::read_info(&path),
            path,
            stamp,
            is_proved: false,
            whole: None,
            used: Weak::new(),
        }
    }

    /// The whole content, read unless it is in memory. With `keeps_first` it must be the content that the first line
    /// named at first.
    fn read(&mut self, keeps_first: bool) -> Result<Arc<T>, KeptError> {
        if let Err(error) = &self.info {
            return Err(error.clone());
        }

        if let Some(whole) = self.whole.clone().or_else(|| self.used.upgrade()) {
            self.whole = Some(whole.clone());
            return Ok(whole);
        }

        let whole = match T::read(&self.path) {
            Ok(whole) => Arc::new(whole),
            Err(error) => {
                if !error.may_pass() {
                    self.info = Err(error.clone());
                }
                return Err(error);
            }
        };
        let info = whole.info();
        if keeps_first
            && let Ok(first) = &self.info
            && T::sha256(first) != T::sha256(&info)
        {
            return Err(KeptError::Changed {
                kind: T::KIND,
                path: self.path.clone(),
            });
        }
        (self.info, self.is_proved) = (Ok(info), true);
        (self.whole, self.used) = (Some(whole.clone()), Arc::downgrade(&whole));
        Ok(whole)
    }
}

/// The files read so far, the last used at the end.
pub struct Shelf<T: Kept> {
    entries: Mutex<Vec<Known<T>>>,
    /// How many stay in memory as a whole.
    most: usize,
}

impl<T: Kept> Shelf<T> {
    pub const fn new(most: usize) -> Self {
        Self {
            entries: Mutex::new(Vec::new()),
            most,
        }
    }

    /// The information in the first line of a file; checked if the whole file was read before.
    pub fn info(&self, name: &str) -> Result<T::Info, KeptError> {
        self.with(name, |entry, _| entry.info.clone())
    }

    /// Checks a file against its checksum, unless that was done since its last change.
    pub fn prove(&self, name: &str) -> Result<(), KeptError> {
        self.with(name, |entry, keeps_first| match entry.is_proved {
            true => Ok(()),
            false => entry.read(keeps_first).map(drop),
        })
    }

    /// The content of the file of this name, read once and then shared until others are used.
    pub fn whole(&self, name: &str) -> Result<Arc<T>, KeptError> {
        self.with(name, Known::read)
    }

    fn with<R>(
        &self,
        name: &str,
        look: impl FnOnce(&mut Known<T>, bool) -> Result<R, KeptError>,
    ) -> Result<R, KeptError> {
        self.look_up(name, IS_FIRST_READ.load(Ordering::Relaxed), look)
    }

    fn look_up<R>(
        &self,
        name: &str,
        keeps_first: bool,
        look: impl FnOnce(&mut Known<T>, bool) -> Result<R, KeptError>,
    ) -> Result<R, KeptError> {
        let path = T::KIND.path_of(name)?;
        let stamp = files::stamp(&path);
        let mut all = lock(&self.entries);
        let stays = |entry: &Known<T>| entry.stamp == stamp || keeps_first && entry.info.is_ok();
        let place = all
            .iter()
            .position(|entry| entry.path == path && stays(entry));
        if place.is_none() && stamp.is_none() && T::KIND.is_named(name) {
            return Err(KeptError::Missing {
                kind: T::KIND,
                name: name.to_owned(),
            });
        }

        let mut entry = match place {
            Some(place) => all.remove(place),
            None => {
                all.retain(|entry| entry.path != path);
                Known::of(path, stamp)
            }
        };

        let found = look(&mut entry, keeps_first);
        if entry.info.as_ref().is_err_and(KeptError::may_pass) {
            return found;
        }
        all.push(entry);
        let loaded = all.iter().filter(|entry| entry.whole.is_some()).count();
        let spare = all.iter_mut().filter(|entry| entry.whole.is_some());
        spare
            .take(loaded.saturating_sub(self.most))
            .for_each(|entry| entry.whole = None);
        found
    }
}

struct Hashing<'a> {
    out: &'a mut dyn Write,
    hash: Sha256,
}

impl Write for Hashing<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.hash.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

pub fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    static NUMBER: Kind = Kind {
        name: "number",
        format: "afterstate number",
        version: 1,
        ending: "number",
        folder: "numbers",
        longest_header: 1 << 10,
        example: "one",
        made_by: "write one",
        again: "write it again",
        make: "write {name}",
    };

    #[derive(Serialize, Deserialize)]
    struct Header {
        format: String,
        version: u32,
    }

    /// The content in these tests: a few bytes.
    #[derive(Debug, PartialEq)]
    struct Number(String, Vec<u8>);

    impl Kept for Number {
        type Info = String;

        const KIND: &'static Kind = &NUMBER;

        fn read_info(path: &Path) -> Result<String, KeptError> {
            Ok(NUMBER.read_header::<Header>(path)?.1)
        }

        fn read(path: &Path) -> Result<Self, KeptError> {
            let bytes = files::read_bytes(path, 1 << 10)?;
            let (_, body, sha256) = NUMBER.split::<Header>(path, &bytes)?;
            Ok(Self(sha256, body.to_vec()))
        }

        fn info(&self) -> String {
            self.0.clone()
        }

        fn sha256(info: &String) -> &str {
            info
        }
    }

    fn write(path: &Path, body: &[u8]) -> String {
        let header = Header {
            format: NUMBER.format.to_owned(),
            version: 1,
        };
        NUMBER
            .write(path, &header, |out| out.write_all(body))
            .expect("writable")
    }

    #[test]
    fn a_command_uses_a_file_as_it_was_first_read_or_says_that_it_was_changed() {
        let folder = tempfile::tempdir().expect("a folder");
        let [one, other] = ["one.number", "other.number"].map(|name| folder.path().join(name));
        let (first, other_first) = (write(&one, b"12"), write(&other, b"12345"));
        let shelf = Shelf::<Number>::new(1);
        let info = |path: &Path, keeps| {
            shelf.look_up(path.to_str().expect("UTF-8"), keeps, |entry, _| {
                entry.info.clone()
            })
        };
        let whole =
            |path: &Path, keeps| shelf.look_up(path.to_str().expect("UTF-8"), keeps, Known::read);
        let read = whole(&one, true).expect("sound");
        assert_eq!((&read.0, &read.1[..]), (&first, &b"12"[..]));
        // Of the other file, only the first line is read.
        assert_eq!(info(&other, true), Ok(other_first));
        let [changed, other_changed] = [write(&one, b"1"), write(&other, b"1234")];
        assert_eq!(info(&one, true), Ok(first.clone()));
        assert_eq!(whole(&one, true), Ok(read.clone()));
        assert_eq!(
            whole(&other, true),
            Err(KeptError::Changed {
                kind: &NUMBER,
                path: other.clone()
            })
        );
        std::fs::remove_file(&one).expect("removed");
        assert_eq!((info(&one, true), whole(&one, true)), (Ok(first), Ok(read)));

        // The window uses the current file.
        write(&one, b"1");
        assert_eq!(whole(&one, false).map(|read| read.0.clone()), Ok(changed));
        assert_eq!(
            whole(&other, false).map(|read| read.0.clone()),
            Ok(other_changed)
        );
    }

    #[test]
    fn damage_is_known_after_the_first_look_at_the_contents() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("one.number");
        write(&path, b"12");
        let mut bytes = std::fs::read(&path).expect("written");
        let place = bytes.len() - DIGEST - 1;
        bytes[place] ^= 1;
        std::fs::write(&path, bytes).expect("writable");
        let (shelf, name) = (Shelf::<Number>::new(1), path.to_str().expect("UTF-8"));
        assert!(shelf.info(name).is_ok(), "the first line is sound");
        let error = shelf.prove(name).expect_err("damaged");
        assert!(
            error
                .to_string()
                .contains("one.number: this number is damaged ("),
            "{error}"
        );
        assert_eq!(shelf.info(name), Err(error.clone()));
        assert_eq!(shelf.whole(name), Err(error));
    }

    #[test]
    fn names_are_those_of_files_on_every_system() {
        for sound in [
            "3x3",
            "reference",
            "my net 2",
            "a.b",
            "Ünïcode",
            "com",
            "com10",
            "console",
            "a".repeat(100).as_str(),
        ] {
            assert_eq!(NameProblem::of(sound), None, "{sound}");
        }
        let long = "a".repeat(101);
        let cases = [
            ("", NameProblem::Empty),
            (long.as_str(), NameProblem::Long),
            (".hidden", NameProblem::Hidden),
            ("..", NameProblem::Hidden),
            ("a.", NameProblem::Edge),
            ("a ", NameProblem::Edge),
            (" a", NameProblem::Edge),
            ("a\u{a0}", NameProblem::Edge),
            ("CON", NameProblem::Device),
            ("con.net", NameProblem::Device),
            ("Aux .x", NameProblem::Device),
            ("nul", NameProblem::Device),
            ("PRN", NameProblem::Device),
            ("com1", NameProblem::Device),
            ("LPT9.a", NameProblem::Device),
        ];

        for (name, problem) in cases {
            assert_eq!(NameProblem::of(name), Some(problem), "{name:?}");
        }

        for forbidden in [
            ':', '<', '>', '"', '|', '?', '*', '/', '\\', '\n', '\0', '\u{7f}',
        ] {
            assert_eq!(
                NameProblem::of(&format!("a{forbidden}b")),
                Some(NameProblem::Character(forbidden))
            );
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_file_with_a_name_that_was_allowed_before_is_still_found() {
        let config = tempfile::tempdir().expect("a folder");
        let refused = NUMBER
            .file_in(config.path(), "a:b")
            .expect_err("a new one")
            .to_string();
        assert!(
            refused.starts_with("\"a:b\" cannot name a number: names do not contain ':'; "),
            "{refused}"
        );
        let folder = config.path().join(NUMBER.folder);
        std::fs::create_dir(&folder).expect("made");
        std::fs::write(folder.join("a:b.number"), b"").expect("writable");
        assert_eq!(
            NUMBER.file_in(config.path(), "a:b"),
            Ok(folder.join("a:b.number"))
        );
        for never in ["../numbers/a", "", ".a", "a\nb"] {
            assert!(NUMBER.file_in(config.path(), never).is_err(), "{never:?}");
        }
    }

    #[test]
    fn work_says_why_it_waits_for_the_disk_until_it_has_written() {
        let (control, path) = (Control::default(), Path::new("a.net"));
        let patience = Patience(Some(Duration::from_millis(60)));
        let saving = Saving {
            path,
            what: "progress",
            who: "the training",
            patience,
        };
        let mut troubles = Vec::new();
        let written = saving.until_room(
            &control,
            || {
                troubles.push(control.work().trouble);
                if troubles.len() < 2 {
                    Err("full")
                } else {
                    Ok("written")
                }
            },
            |error| *error == "full",
        );
        assert_eq!(written, Ok(Some("written")));
        let [None, Some(trouble)] = &troubles[..] else {
            panic!("{troubles:?}")
        };
        assert!(
            trouble.starts_with(
                "a.net: progress cannot be saved (the disk is full): the training waits"
            ),
            "{trouble}"
        );
        assert_eq!(control.work().trouble, None);

        control.stop();
        assert_eq!(
            saving.until_room(&control, || Err::<(), _>("full"), |_| true),
            Ok(None),
            "a stop ends it"
        );
    }
}
