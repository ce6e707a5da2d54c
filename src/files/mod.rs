//! Reads whole files with a size limit, and writes files whole or not at all.
//!
//! The content of every file is read through [`read_text`], the one place that handles line ends and byte order marks.
//!
//! Writing goes to a temporary file in the same folder, which is flushed to the disk and then renamed. A reader at that
//! time, or after a crash, finds the old file or the new one, never half of one.

mod folder;
mod lock;
mod patience;
mod sha256;

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read as _, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, SystemTime};

pub use folder::write_folder;
#[cfg(test)]
pub use lock::without_locks;
pub use lock::{Lock, LockedFile};
pub use patience::{DISK_IS_FULL, Patience, sleep_unless};
pub use sha256::{ParseSha256Error, Sha256};

use crate::words;

/// The most that a file read by this program may contain, in bytes: 64 MiB, a hundred times the longest game record.
pub const LARGEST_FILE: u64 = 64 << 20;

/// Why a file was not read. The text names the file and the remedy.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}: {problem}", path.display())]
pub struct ReadError {
    pub path: PathBuf,
    pub problem: ReadProblem,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadProblem {
    #[error("there is no such file")]
    Missing,
    #[error("this is a folder; name a file in it")]
    Folder,
    /// A pipe, a socket or a device, which might block the program forever.
    #[error("this is a pipe or a device; name a file")]
    Special,
    #[error("cannot be read ({0}); check the file and its permissions")]
    Unreadable(String),
    /// More bytes than are accepted for this kind of file.
    #[error("larger than {} MiB, the limit for files of this kind", limit >> 20)]
    TooLarge { limit: u64 },
    /// Text in UTF-16, as older PowerShells write it with `>`.
    #[error("saved as UTF-16; save it as UTF-8")]
    Utf16,
    /// Not text in UTF-8; `at` is the first invalid byte, from 0.
    #[error("not a text file (byte {at} is not UTF-8); name a text file")]
    Binary { at: usize },
}

/// Why a file was not written. The text names the file and the remedy.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    #[error("{}: this folder cannot be created ({}); choose another", path.display(), said(source))]
    Folder { path: PathBuf, source: io::Error },
    /// The disk does not have enough room for the file; nothing was written.
    #[error(
        "{}: needs about {}, but only {} are free; choose another disk or write less",
        path.display(), words::bytes(*needed), words::bytes(*free)
    )]
    NoRoom {
        path: PathBuf,
        /// Its size, in bytes.
        needed: u64,
        /// The free space, in bytes.
        free: u64,
    },
    /// The file could not be written; the previous file is untouched.
    #[error("{}: cannot be written ({}); choose another folder", path.display(), said(source))]
    File { path: PathBuf, source: io::Error },
    /// Another program writes files into this folder; nothing was written.
    #[error("{}: another export to this folder is running; wait until it ends, or choose another folder", path.display())]
    Busy { path: PathBuf },
    /// A file could not be written, and those that were replaced before it could not be put back.
    #[error(
        "{}: cannot be written ({}); already replaced: {}; all other files are unchanged; choose another folder",
        path.display(), said(source), words::list(new)
    )]
    Half {
        path: PathBuf,
        source: io::Error,
        /// Names of the files that are new.
        new: Vec<String>,
    },
}

impl WriteError {
    /// Whether the disk is full.
    pub fn is_without_room(&self) -> bool {
        match self {
            Self::NoRoom { .. } => true,
            Self::Folder { source, .. } | Self::File { source, .. } | Self::Half { source, .. } => {
                is_full(source)
            }
            Self::Busy { .. } => false,
        }
    }
}

/// Whether an error means that the disk is full.
pub fn is_full(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded
    )
}

/// Folders on a disk that is full.
#[cfg(test)]
static FULL: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// Makes the disk full, or empty again, for whole files that are written into a folder.
#[cfg(test)]
pub fn set_full(folder: &Path, is_full: bool) {
    let mut full = FULL.lock().expect("no panic");
    if is_full {
        full.insert(folder.to_owned());
    } else {
        full.remove(folder);
    }
}

/// The system's message without its error number: `Permission denied`.
pub fn said(error: &io::Error) -> String {
    let text = error.to_string();
    text.split_once(" (os error")
        .map_or(text.as_str(), |(words, _)| words)
        .to_owned()
}

/// The folder of this user's settings and files, where the system places it; `None` without a home folder.
pub fn config_dir() -> Option<PathBuf> {
    directories::ProjectDirs::from("", "", "afterstate").map(|dirs| dirs.config_dir().to_owned())
}

/// The text of the file at `path`, at most `limit` bytes, normalized by [`plain_text`].
pub fn read_text(path: &Path, limit: u64) -> Result<String, ReadError> {
    text_of(path, read_bytes(path, limit)?)
}

/// The bytes of the file at `path` as text, normalized by [`plain_text`].
pub fn text_of(path: &Path, bytes: Vec<u8>) -> Result<String, ReadError> {
    String::from_utf8(bytes).map(plain_text).map_err(|error| {
        let problem = match error.as_bytes() {
            // The byte order marks, which are no UTF-8.
            [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => ReadProblem::Utf16,
            _ => ReadProblem::Binary {
                at: error.utf8_error().valid_up_to(),
            },
        };
        ReadError {
            path: path.to_owned(),
            problem,
        }
    })
}

/// The whole content of the file at `path`, at most `limit` bytes.
pub fn read_bytes(path: &Path, limit: u64) -> Result<Vec<u8>, ReadError> {
    bytes_unless_failed(path, limit).map_err(|problem| ReadError {
        path: path.to_owned(),
        problem,
    })
}

/// The file at `path`, to be read piece by piece.
pub fn open_to_read(path: &Path) -> Result<BufReader<File>, ReadError> {
    open_unless_failed(path)
        .map(BufReader::new)
        .map_err(|problem| ReadError {
            path: path.to_owned(),
            problem,
        })
}

/// The first bytes of the file at `path`, at most `count`.
pub fn read_start(path: &Path, count: u64) -> Result<Vec<u8>, ReadError> {
    open_unless_failed(path)
        .and_then(|file| {
            let mut bytes = Vec::new();
            file.take(count)
                .read_to_end(&mut bytes)
                .map_err(|error| unreadable(&error))?;
            Ok(bytes)
        })
        .map_err(|problem| ReadError {
            path: path.to_owned(),
            problem,
        })
}

fn unreadable(source: &io::Error) -> ReadProblem {
    match source.kind() {
        io::ErrorKind::NotFound => ReadProblem::Missing,
        io::ErrorKind::IsADirectory => ReadProblem::Folder,
        _ => ReadProblem::Unreadable(said(source)),
    }
}

fn open_unless_failed(path: &Path) -> Result<File, ReadProblem> {
    // Checked before it is opened: opening a pipe waits for its writer.
    let kind = fs::metadata(path).map_err(|error| unreadable(&error))?;
    if kind.is_dir() {
        return Err(ReadProblem::Folder);
    }
    if !kind.is_file() {
        return Err(ReadProblem::Special);
    }
    File::open(path).map_err(|error| unreadable(&error))
}

fn bytes_unless_failed(path: &Path, limit: u64) -> Result<Vec<u8>, ReadProblem> {
    let mut bytes = Vec::new();
    // One byte more than allowed distinguishes a file at the limit from a larger one, without trusting the reported
    // length.
    open_unless_failed(path)?
        .take(limit + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| unreadable(&error))?;
    if limit < bytes.len() as u64 {
        return Err(ReadProblem::TooLarge { limit });
    }
    Ok(bytes)
}

/// A text in the form that all readers here expect: without the byte order mark that some editors add, and with lines
/// that end in `\n`.
pub fn plain_text(text: String) -> String {
    let text = text
        .strip_prefix('\u{feff}')
        .map(str::to_owned)
        .unwrap_or(text);
    if text.contains('\r') {
        text.replace("\r\n", "\n").replace('\r', "\n")
    } else {
        text
    }
}

/// Replaces the file at `path` by `bytes`, whole or not at all.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), WriteError> {
    write_with(path, |file| file.write_all(bytes))
}

/// Replaces the file at `path` by what `content` writes, whole or not at all.
pub fn write_with(
    path: &Path,
    content: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), WriteError> {
    write_unless_failed(path, content).map_err(|source| WriteError::File {
        path: path.to_owned(),
        source,
    })
}

fn write_unless_failed(
    path: &Path,
    content: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    #[cfg(test)]
    if FULL.lock().expect("no panic").contains(folder_of(path)) {
        return Err(io::ErrorKind::StorageFull.into());
    }
    // Follows a symbolic link, so that it remains one.
    let path = &target_of(path)?;
    let before = replaced(path)?;
    let folder = folder_of(path);
    clear_old(folder);

    let mut file = temporary_in(folder)?;
    let mut buffered = BufWriter::new(&mut file);
    content(&mut buffered)?;
    buffered.flush()?;
    drop(buffered);
    if let Some(before) = before {
        file.as_file().set_permissions(before.permissions())?;
    }
    file.as_file().sync_all()?;
    put_in_place(file, path)
}

/// How often a file in use is tried again, and after which time. Windows replaces no file that a virus scanner, an
/// indexer or a reader has open at that moment.
#[cfg(windows)]
const TRIES: u32 = 10;
#[cfg(windows)]
const NEXT_TRY: Duration = Duration::from_millis(50);

/// Renames a temporary file, which replaces the file at `path`.
pub fn put_in_place(file: tempfile::NamedTempFile, path: &Path) -> io::Result<()> {
    // The rename of the standard library replaces open files where the system can, and takes long paths.
    let from = file.into_temp_path();
    #[cfg(windows)]
    for _ in 1..TRIES {
        match fs::rename(&from, path) {
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
                std::thread::sleep(NEXT_TRY)
            }
            done => return done.inspect(|()| drop(from.keep())),
        }
    }
    fs::rename(&from, path)?;
    // Nothing is left to remove.
    let _ = from.keep();
    Ok(())
}

/// The metadata of the file that will be replaced, if there is one. A file without write permission must not be
/// replaced.
fn replaced(path: &Path) -> io::Result<Option<fs::Metadata>> {
    match fs::metadata(path) {
        Ok(before) if !before.is_file() => Err(io::Error::other("this is not a file")),
        Ok(before) => File::options().write(true).open(path).map(|_| Some(before)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// The end of a chain of symbolic links, whether or not there is a file.
fn target_of(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    // The number that systems follow.
    for _ in 0..40 {
        match fs::read_link(&path) {
            Ok(target) => path = folder_of(&path).join(target),
            Err(_) => return Ok(path),
        }
    }
    Err(io::Error::other("too many symbolic links"))
}

/// How the names of temporary files begin; six letters or digits follow.
pub const TEMPORARY: &str = ".afterstate-";

/// A temporary file that has not changed for this long is no longer in use; for a temporary folder, the newest file in
/// it counts.
const OLD: Duration = Duration::from_secs(60 * 60);

/// A temporary file in a folder, to be renamed. It has the permissions of any new file there, given by the umask, since
/// it is a document of the user.
pub fn temporary_in(folder: &Path) -> io::Result<tempfile::NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(TEMPORARY);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder)
}

/// Removes the temporary files that killed programs have left in a folder; checks each folder once.
fn clear_old(folder: &Path) {
    static CLEARED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
    let is_new = || {
        CLEARED
            .lock()
            .is_ok_and(|mut cleared| cleared.insert(folder.to_owned()))
    };
    if is_new() {
        let age = |entry: &fs::DirEntry| newest(entry).and_then(|changed| changed.elapsed().ok());
        remove_temporary(folder, |entry| age(entry).is_some_and(|age| OLD < age));
    }
}

/// The same for a folder that is not being written: removes all temporary files, however recent.
pub fn clear(folder: &Path) {
    remove_temporary(folder, |_| true);
}

fn remove_temporary(folder: &Path, goes: impl Fn(&fs::DirEntry) -> bool) {
    let is_ours = |entry: &fs::DirEntry| {
        let name = entry.file_name();
        let ours = name.to_str().and_then(|name| name.strip_prefix(TEMPORARY));
        ours.is_some_and(|rest| {
            rest.len() == 6 && rest.bytes().all(|letter| letter.is_ascii_alphanumeric())
        })
    };
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if is_ours(&entry) && goes(&entry) {
            let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
            // A file that cannot be removed does no harm.
            drop(if is_folder {
                fs::remove_dir_all(entry.path())
            } else {
                fs::remove_file(entry.path())
            });
        }
    }
}

/// When a file, or a folder or a file in it, was last changed.
fn newest(entry: &fs::DirEntry) -> Option<SystemTime> {
    // The entry itself is out of date on Windows while a file is open.
    let changed = |entry: &fs::DirEntry| {
        fs::metadata(entry.path())
            .and_then(|data| data.modified())
            .ok()
    };
    let within = fs::read_dir(entry.path()).into_iter().flatten().flatten();
    within
        .filter_map(|inner| changed(&inner))
        .chain(changed(entry))
        .max()
}

/// Refuses a file of about this many bytes if the disk has no room for it. If the free space is unknown, an error comes
/// only while writing.
pub fn check_room(path: &Path, needed: u64) -> Result<(), WriteError> {
    match free_bytes(folder_of(path)) {
        Some(free) if free < needed => Err(WriteError::NoRoom {
            path: path.to_owned(),
            needed,
            free,
        }),
        _ => Ok(()),
    }
}

#[cfg(unix)]
fn free_bytes(folder: &Path) -> Option<u64> {
    let system = rustix::fs::statvfs(folder).ok()?;
    Some(system.f_bavail.saturating_mul(system.f_frsize))
}

#[cfg(not(unix))]
fn free_bytes(_folder: &Path) -> Option<u64> {
    None
}

/// Tells cheaply whether a file was changed: its modification time and size. A clock may be too coarse for two files of
/// the same length, and a program may set the time of a file. So the stamp also has the number of the file and the time
/// in nanoseconds when the system saw it change; both are 0 if the system does not provide them.
pub type Stamp = Option<(SystemTime, u64, u64, i128)>;

/// The stamp of a file; `None` if there is none.
pub fn stamp(path: &Path) -> Stamp {
    let data = fs::metadata(path).ok()?;
    Some((
        data.modified().ok()?,
        data.len(),
        number_of(&data),
        seen_to_change(&data),
    ))
}

#[cfg(unix)]
fn number_of(data: &fs::Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::ino(data)
}

#[cfg(not(unix))]
fn number_of(_data: &fs::Metadata) -> u64 {
    0
}

#[cfg(unix)]
fn seen_to_change(data: &fs::Metadata) -> i128 {
    use std::os::unix::fs::MetadataExt as _;
    i128::from(data.ctime()) * 1_000_000_000 + i128::from(data.ctime_nsec())
}

#[cfg(not(unix))]
fn seen_to_change(_data: &fs::Metadata) -> i128 {
    0
}

/// The name of a file without its folder.
pub fn name_of(path: &Path) -> String {
    path.file_name()
        .map_or_else(String::new, |name| name.to_string_lossy().into_owned())
}

/// The folder of a file.
pub fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// Checks that a file can be written at `path`, before the work that produces it.
pub fn check_place(path: &Path) -> Result<(), WriteError> {
    let place = if path.is_dir() {
        Err(io::ErrorKind::IsADirectory.into())
    } else {
        tempfile::tempfile_in(folder_of(path))
    };
    place.map(drop).map_err(|source| WriteError::File {
        path: path.to_owned(),
        source,
    })
}

/// Creates the folder at `path` with its parents and checks that a file can be created in it.
pub fn make_folder(path: &Path) -> Result<(), WriteError> {
    fs::create_dir_all(path)
        .and_then(|()| tempfile::tempfile_in(path))
        .map(drop)
        .map_err(|source| WriteError::Folder {
            path: path.to_owned(),
            source,
        })
}

/// Rows of CSV, given by the texts of their cells.
///
/// Spreadsheets treat a text that begins with `=`, `+`, `-`, `@`, a tab or a carriage return as a formula and run it,
/// so such a text gets an apostrophe in front. Numbers do not.
pub struct CsvRows<W: Write>(csv::Writer<W>);

impl<W: Write> CsvRows<W> {
    pub fn new(out: W) -> Self {
        Self(csv::Writer::from_writer(out))
    }

    /// With tabs between cells.
    pub fn tabbed(out: W) -> Self {
        Self(csv::WriterBuilder::new().delimiter(b'\t').from_writer(out))
    }

    pub fn row(&mut self, cells: impl IntoIterator<Item = impl AsRef<str>>) -> io::Result<()> {
        for cell in cells {
            let cell = cell.as_ref();
            if cell.starts_with(['=', '+', '-', '@', '\t', '\r']) && cell.parse::<f64>().is_err() {
                self.0.write_field(format!("'{cell}"))?;
            } else {
                self.0.write_field(cell)?;
            }
        }
        Ok(self.0.write_record(None::<&[u8]>)?)
    }

    pub fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// The text that `write` writes into memory, which takes every byte, so that it cannot fail as a file can.
pub fn in_memory(write: impl FnOnce(&mut Vec<u8>) -> io::Result<()>) -> String {
    let mut bytes = Vec::new();
    write(&mut bytes).expect("memory takes every byte");
    String::from_utf8(bytes).expect("cells are text")
}

/// Rows of cells as CSV in memory.
pub fn csv_text(
    rows: impl IntoIterator<Item = impl IntoIterator<Item = impl AsRef<str>>>,
) -> String {
    in_memory(|bytes| {
        let mut csv = CsvRows::new(bytes);
        rows.into_iter().try_for_each(|row| csv.row(row))?;
        csv.flush()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("a.ron");
        write(&path, b"one").expect("writable");
        write(&path, "zwei ½".as_bytes()).expect("writable");
        assert_eq!(read_text(&path, 100).expect("readable"), "zwei ½");
        let failed = write_with(&path, |file| {
            file.write_all(b"half of it")?;
            Err(io::Error::other("the disk is full"))
        });
        assert!(
            failed
                .expect_err("it failed")
                .to_string()
                .contains("(the disk is full)")
        );
        assert_eq!(
            read_text(&path, 100).expect("readable"),
            "zwei ½",
            "the old file stands"
        );
        assert_eq!(
            fs::read_dir(folder.path()).expect("a folder").count(),
            1,
            "no temporary file is left"
        );
    }

    #[cfg(unix)]
    #[test]
    fn links_and_permissions_stay_and_what_is_no_file_is_refused_at_once() {
        use std::os::unix::fs::{PermissionsExt as _, symlink};
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = |name: &str| folder.path().join(name);
        fs::create_dir(path("else")).expect("made");
        symlink("else/kept.ron", path("link")).expect("linked");
        symlink(path("link"), path("link of a link")).expect("linked");
        write(&path("link of a link"), b"new").expect("writable");
        fs::set_permissions(path("else/kept.ron"), fs::Permissions::from_mode(0o600)).expect("set");
        write(&path("link"), b"newer").expect("writable");
        assert!(path("link").is_symlink() && path("link of a link").is_symlink());
        let target = path("else/kept.ron");
        assert_eq!(read_text(&target, 9).as_deref(), Ok("newer"));
        assert_eq!(
            fs::metadata(&target).expect("a file").permissions().mode() & 0o777,
            0o600
        );
        symlink("circle", path("circle")).expect("linked");
        assert!(write(&path("circle"), b"").is_err());

        let device = Path::new("/dev/null");
        let error = read_text(device, 9).expect_err("a device").to_string();
        assert_eq!(error, "/dev/null: this is a pipe or a device; name a file");
        assert!(
            write(device, b"")
                .expect_err("a device")
                .to_string()
                .contains("not a file")
        );
        let pipe = path("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        if made.is_ok_and(|status| status.success()) {
            assert!(matches!(
                read_text(&pipe, 9),
                Err(ReadError {
                    problem: ReadProblem::Special,
                    ..
                })
            ));
            assert!(write(&pipe, b"").is_err());
        }
    }

    #[test]
    fn what_killed_runs_have_left_is_taken_away_and_nothing_else() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let made = |name: &str, age: Duration| {
            let file = File::create(folder.path().join(name)).expect("made");
            file.set_modified(SystemTime::now() - age).expect("set");
        };
        made(".afterstate-a1B2c3", 2 * OLD);
        made(".afterstate-d4E5f6", OLD / 2);
        fs::create_dir(folder.path().join(".afterstate-n3w0ne")).expect("made");
        for name in [
            ".afterstate-notes",
            ".afterstate-a1B2c3.ron",
            "afterstate-a1B2c3",
            ".afterstate-a1-2c3",
        ] {
            made(name, 2 * OLD);
        }

        // A folder is as old as the newest file in it.
        #[cfg(unix)]
        for (name, age) in [("busy01", OLD / 2), ("left02", 2 * OLD)] {
            let inner = format!(".afterstate-{name}");
            fs::create_dir(folder.path().join(&inner)).expect("made");
            made(&format!("{inner}/games.csv"), age);
            let inner = File::open(folder.path().join(inner)).expect("a folder");
            inner
                .set_modified(SystemTime::now() - 2 * OLD)
                .expect("set");
        }
        write(&folder.path().join("a.ron"), b"").expect("writable");
        assert!(!folder.path().join(".afterstate-a1B2c3").exists());
        assert!(!folder.path().join(".afterstate-left02").exists());
        assert_eq!(
            folder.path().join(".afterstate-busy01").exists(),
            cfg!(unix)
        );
        let count = || fs::read_dir(folder.path()).expect("a folder").count();
        assert_eq!(count(), 7 + usize::from(cfg!(unix)));

        // If the folder is not being written, recent files are removed too.
        clear(folder.path());
        assert_eq!(count(), 5);
    }

    #[test]
    fn a_text_is_the_same_from_every_system() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("a.ron");
        for text in ["\u{feff}a\nb\n", "a\r\nb\r\n", "\u{feff}a\rb\r", "a\nb\n"] {
            write(&path, text.as_bytes()).expect("writable");
            assert_eq!(read_text(&path, 99).as_deref(), Ok("a\nb\n"), "{text:?}");
        }
    }

    #[test]
    fn no_cell_of_a_csv_is_a_formula() {
        let mut bytes = Vec::new();
        let mut csv = CsvRows::new(&mut bytes);
        csv.row([
            "=1+1", "+x", "-x", "@x", "\tx", "\r", "x=1", "", "-1.5", "+2", "-1e-7",
        ])
        .expect("memory");
        csv.row(["=\"a\", b"; 11]).expect("memory");
        csv.flush().expect("memory");
        drop(csv);
        let text = String::from_utf8(bytes).expect("UTF-8");
        assert!(
            text.starts_with(
                "'=1+1,'+x,'-x,'@x,'\tx,\"'\r\",x=1,,-1.5,+2,-1e-7\n\"'=\"\"a\"\", b\","
            ),
            "{text:?}"
        );
    }

    #[cfg(unix)]
    #[test]
    fn a_file_that_does_not_fit_the_disk_is_refused() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("large.json");
        assert!(check_room(&path, 1).is_ok());
        let error = check_room(&path, 1 << 62)
            .expect_err("no disk is so large")
            .to_string();
        assert!(
            error.contains("large.json: needs about 4,294,967,296.0 GiB, but only "),
            "{error}"
        );
        assert!(
            check_room(&folder.path().join("missing/file.json"), 1 << 62).is_ok(),
            "writing will tell"
        );
    }

    #[test]
    fn every_refusal_names_the_file() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("a.ron");
        assert!(matches!(
            read_text(&path, 9),
            Err(ReadError {
                problem: ReadProblem::Missing,
                ..
            })
        ));
        assert!(matches!(
            read_text(folder.path(), 9),
            Err(ReadError {
                problem: ReadProblem::Folder,
                ..
            })
        ));
        write(&path, b"0123456789").expect("writable");
        assert!(matches!(
            read_text(&path, 9),
            Err(ReadError {
                problem: ReadProblem::TooLarge { .. },
                ..
            })
        ));
        assert!(read_text(&path, 10).is_ok());
        write(&path, b"ab\xff\xfe").expect("writable");
        let error = read_text(&path, 9).expect_err("binary");
        assert!(
            error.to_string().contains("a.ron: not a text file (byte 2"),
            "{error}"
        );
        for text in [b"\xff\xfea\0", b"\xfe\xff\0a"] {
            write(&path, text).expect("writable");
            let error = read_text(&path, 9).expect_err("UTF-16").to_string();
            assert!(
                error.ends_with("a.ron: saved as UTF-16; save it as UTF-8"),
                "{error}"
            );
        }
        assert!(write(&folder.path().join("no/such/folder"), b"").is_err());
        assert!(check_place(&path).is_ok());

        for place in [folder.path(), &folder.path().join("no/such/folder.png")] {
            let error = check_place(place)
                .expect_err("no place for a file")
                .to_string();
            assert!(
                error.contains(&format!("{}: cannot be written (", place.display())),
                "{error}"
            );
        }
        let error = make_folder(&path.join("below a file"))
            .expect_err("a file is no folder")
            .to_string();
        assert!(
            error.contains("below a file: this folder cannot be created ("),
            "{error}"
        );
    }
}
