//! Folders whose files are written all or none.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::{
    Lock, LockedFile, TEMPORARY, WriteError, clear_old, make_folder, name_of, number_of, replaced,
    target_of,
};

/// Writes files into the folder at `path`, which is created with its parents if necessary: either all files that
/// `content` writes into the folder it is given, or none if something fails. The files are renamed one after another,
/// so a crash at that time may leave only some of them new; each is still a complete old or new file. Files with other
/// names stay. If the system can lock folders, only one program at a time writes into a folder: another one waits a few
/// seconds and is then refused.
pub fn write_folder(
    path: &Path,
    content: impl FnOnce(&Path) -> Result<(), WriteError>,
) -> Result<(), WriteError> {
    write_folder_within(PATIENCE, path, content)
}

/// How long to wait for another program that was stopped to finish.
const PATIENCE: Duration = Duration::from_secs(5);

fn write_folder_within(
    patience: Duration,
    path: &Path,
    content: impl FnOnce(&Path) -> Result<(), WriteError>,
) -> Result<(), WriteError> {
    let is_missing = |folder: &&Path| !folder.as_os_str().is_empty() && !folder.exists();
    let made: Vec<&Path> = path.ancestors().take_while(is_missing).collect();
    let turn = Turn::take(patience, path)?;
    let written = write_into(path, content);
    if written.is_err() {
        for folder in made {
            // A folder that is empty is removed again; another program may have put files into it.
            drop(fs::remove_dir(folder));
        }
    }
    drop(turn);
    written
}

/// The right to write into a folder, which one program has at a time. `None` if the system cannot lock folders.
struct Turn(#[expect(dead_code, reason = "it keeps the lock")] Option<LockedFile>);

impl Turn {
    /// Creates the folder if necessary.
    fn take(patience: Duration, path: &Path) -> Result<Self, WriteError> {
        let late = Instant::now() + patience;
        make_folder(path)?;
        loop {
            let folder = match File::open(path) {
                Ok(folder) => folder,
                // The program that had the lock before has removed the folder.
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    make_folder(path)?;
                    continue;
                }
                Err(_) => return Ok(Self(None)),
            };
            let Ok(folder) = LockedFile::try_exclusive(folder) else {
                return Ok(Self(None));
            };
            match folder.lock() {
                Lock::Ours if is_at(folder.file(), path) => return Ok(Self(Some(folder))),
                Lock::Ours => {}
                Lock::Busy if late <= Instant::now() => {
                    return Err(WriteError::Busy {
                        path: path.to_owned(),
                    });
                }
                Lock::Busy => std::thread::sleep(Duration::from_millis(10)),
                Lock::Unsupported => return Ok(Self(None)),
            }
        }
    }
}

/// Whether the open file still has this path.
fn is_at(open: &File, path: &Path) -> bool {
    let numbers = open
        .metadata()
        .and_then(|open| Ok([number_of(&open), number_of(&fs::metadata(path)?)]));
    numbers.is_ok_and(|[open, there]| open == there)
}

/// A file that is to be renamed to its place.
struct Rename {
    from: PathBuf,
    place: PathBuf,
    /// The metadata of the file that is there now.
    before: Option<fs::Metadata>,
    /// Where that file is moved in the meantime.
    aside: PathBuf,
}

fn write_into(
    path: &Path,
    content: impl FnOnce(&Path) -> Result<(), WriteError>,
) -> Result<(), WriteError> {
    let failed = |path: &Path| {
        let path = path.to_owned();
        |source| WriteError::File { path, source }
    };
    clear_old(path);
    let inner = tempfile::Builder::new()
        .prefix(TEMPORARY)
        .tempdir_in(path)
        .map_err(failed(path))?;
    content(inner.path()).map_err(|error| match error {
        // The caller asked for the outer folder, so the message names it.
        WriteError::File { path: file, source } => WriteError::File {
            path: path.join(name_of(&file)),
            source,
        },
        error => error,
    })?;

    let written: io::Result<Vec<fs::DirEntry>> =
        fs::read_dir(inner.path()).and_then(Iterator::collect);
    let mut written: Vec<PathBuf> = written
        .map_err(failed(path))?
        .into_iter()
        .map(|file| file.path())
        .collect();
    written.sort();
    let replaced_files = tempfile::Builder::new()
        .prefix(TEMPORARY)
        .tempdir_in(inner.path())
        .map_err(failed(path))?;
    let mut files = Vec::new();
    for from in written {
        let name = name_of(&from);
        let place = path.join(&name);
        let target = target_of(&place).and_then(|target| Ok((replaced(&target)?, target)));
        let (before, place) = target.map_err(failed(&place))?;
        files.push(Rename {
            from,
            place,
            before,
            aside: replaced_files.path().join(name),
        });
    }

    rename_all(&files)
}

/// Renames all files, or none if one of them fails.
fn rename_all(files: &[Rename]) -> Result<(), WriteError> {
    let rename = |file: &Rename| {
        if let Some(before) = &file.before {
            fs::set_permissions(&file.from, before.permissions())?;
            // A second name leaves the old file at its place until the new one replaces it; some file systems have no
            // hard links.
            fs::hard_link(&file.place, &file.aside)
                .or_else(|_| fs::copy(&file.place, &file.aside).map(drop))?;
        }
        fs::rename(&file.from, &file.place)
    };
    let put_back = |file: &Rename| match file.before {
        Some(_) => fs::rename(&file.aside, &file.place),
        None => fs::remove_file(&file.place),
    };

    for (at, file) in files.iter().enumerate() {
        let Err(source) = rename(file) else { continue };
        let path = file.place.clone();
        let stay_new = |file: &&Rename| put_back(file).is_err();
        let mut new: Vec<String> = files[..at]
            .iter()
            .rev()
            .filter(stay_new)
            .map(|file| name_of(&file.place))
            .collect();
        new.reverse();
        return Err(if new.is_empty() {
            WriteError::File { path, source }
        } else {
            WriteError::Half { path, source, new }
        });
    }

    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::{read_text, write, write_with};

    #[test]
    fn a_folder_has_all_of_the_new_files_or_none() {
        let outer = tempfile::tempdir().expect("a temporary folder");
        let folder = outer.path().join("new/results");
        let fill = |names: &'static [&str], text: &'static str| {
            write_folder(&folder, |inner| {
                names
                    .iter()
                    .try_for_each(|name| write(&inner.join(name), text.as_bytes()))
            })
        };
        let has = || {
            let files = fs::read_dir(&folder)
                .expect("a folder")
                .map(|file| file.expect("listed").path());
            let mut files: Vec<_> = files
                .map(|file| (name_of(&file), read_text(&file, 9).expect("a text")))
                .collect();
            files.sort();
            files
                .into_iter()
                .map(|(name, text)| format!("{name} {text}"))
                .collect::<Vec<_>>()
                .join(", ")
        };

        let fails = |inner: &Path| {
            write(&inner.join("a.csv"), b"half")?;
            write_with(&inner.join("b.csv"), |_| {
                Err(io::Error::other("the disk is full"))
            })
        };
        let error = write_folder(&folder, fails)
            .expect_err("it failed")
            .to_string();
        assert!(
            error.starts_with(&format!(
                "{}: cannot be written (the disk",
                folder.join("b.csv").display()
            )),
            "{error}"
        );
        assert_eq!(
            fs::read_dir(outer.path()).expect("a folder").count(),
            0,
            "folders that were made for it go"
        );
        fill(&["a.csv", "b.csv"], "1").expect("writable");
        fill(&["b.csv", "c.csv"], "2").expect("writable");
        assert_eq!(has(), "a.csv 1, b.csv 2, c.csv 2");
        write_folder(&folder, fails).expect_err("it failed");
        assert_eq!(
            has(),
            "a.csv 1, b.csv 2, c.csv 2",
            "what stood there stands"
        );

        // A file that cannot be replaced leaves all others unchanged.
        fs::create_dir(folder.join("d.csv")).expect("made");
        let error = fill(&["a.csv", "d.csv"], "3")
            .expect_err("a folder")
            .to_string();
        assert!(
            error.contains("d.csv: cannot be written (this is not a file)"),
            "{error}"
        );
        fs::remove_dir(folder.join("d.csv")).expect("empty");
        assert_eq!(has(), "a.csv 1, b.csv 2, c.csv 2");

        let error = write_folder(&folder.join("a.csv"), fails)
            .expect_err("a file")
            .to_string();
        assert!(
            error.contains("a.csv: this folder cannot be created ("),
            "{error}"
        );
    }

    #[cfg(unix)]
    #[test]
    fn a_rename_that_fails_puts_back_the_files_before_it() {
        let outer = tempfile::tempdir().expect("a temporary folder");
        let at = |name: &str| outer.path().join(name);
        let fill = |names: &'static [&str], text: &'static str| {
            write_folder(outer.path(), |inner| {
                names
                    .iter()
                    .try_for_each(|name| write(&inner.join(name), text.as_bytes()))
            })
        };
        fill(&["a", "d", "e"], "1").expect("writable");
        // The error at this place appears only during the rename.
        std::os::unix::fs::symlink("missing/c", at("c")).expect("linked");
        let error = fill(&["a", "b", "c", "d"], "2")
            .expect_err("no such folder")
            .to_string();
        assert!(
            error.contains("missing/c: cannot be written (No such file"),
            "{error}"
        );

        let names = ["a", "d", "e"].map(|name| read_text(&at(name), 9).expect("a text"));
        assert_eq!(names, ["1", "1", "1"], "the old files stand");
        assert!(!at("b").exists() && at("c").is_symlink());
        assert_eq!(
            fs::read_dir(outer.path()).expect("a folder").count(),
            4,
            "nothing else is left"
        );
        fs::remove_file(at("c")).expect("removed");
        fill(&["a", "b", "c", "d"], "2").expect("writable");
        assert_eq!(
            ["a", "b", "c", "d", "e"]
                .map(|name| read_text(&at(name), 9).expect("a text"))
                .concat(),
            "22221"
        );
        assert_eq!(fs::read_dir(outer.path()).expect("a folder").count(), 5);
    }

    #[test]
    fn what_cannot_be_put_back_is_named() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let at = |name: &str| folder.path().join(name);
        for name in ["a", "b", "new a", "new b", "new c", "new d"] {
            write(&at(name), name.as_bytes()).expect("writable");
        }
        // Both old files are set aside under one name: that of `b` replaces that of `a`.
        let rename = |place: &str| {
            let (from, place) = (at(&format!("new {place}")), at(place));
            Rename {
                from,
                before: fs::metadata(&place).ok(),
                place,
                aside: at("before"),
            }
        };
        let fails = Rename {
            place: at("no such folder/d"),
            ..rename("d")
        };
        let error = rename_all(&[rename("a"), rename("b"), rename("c"), fails])
            .expect_err("no such folder")
            .to_string();
        assert!(
            error.contains("d: cannot be written (No such file") || cfg!(not(unix)),
            "{error}"
        );
        assert!(
            error.ends_with(
                "; already replaced: a; all other files are unchanged; choose another folder"
            ),
            "{error}"
        );

        let texts = ["a", "b"].map(|name| read_text(&at(name), 9).expect("a text"));
        assert_eq!(
            (texts, at("c").exists()),
            (["new a".to_owned(), "b".to_owned()], false)
        );
    }

    #[cfg(unix)]
    #[test]
    fn a_folder_is_written_by_one_at_a_time() {
        let outer = tempfile::tempdir().expect("a temporary folder");
        let folder = outer.path().join("results");
        let wait = |receiver: std::sync::mpsc::Receiver<()>| {
            receiver
                .recv_timeout(Duration::from_secs(60))
                .expect("told");
        };
        let ((sender, receiver), (let_go, may_go)) =
            (std::sync::mpsc::channel(), std::sync::mpsc::channel());
        let folder = &folder;
        std::thread::scope(|scope| {
            let first = scope.spawn(move || {
                write_folder(folder, |inner| {
                    sender.send(()).expect("the test waits");
                    wait(may_go);
                    write_with(&inner.join("a"), |_| Err(io::Error::other("stopped")))
                })
            });
            wait(receiver);
            let error = write_folder_within(Duration::ZERO, folder, |_| Ok(()))
                .expect_err("busy")
                .to_string();
            assert!(
                error.contains("results: another export to this folder is running; wait"),
                "{error}"
            );
            // A program that waits a moment gets its turn, in a folder that is created again.
            let second = scope.spawn(move || {
                write_folder_within(Duration::from_secs(60), folder, |inner| {
                    write(&inner.join("a"), b"2")
                })
            });
            let_go.send(()).expect("it waits");
            assert!(first.join().expect("no panic").is_err());
            second.join().expect("no panic").expect("written");
        });

        assert_eq!(read_text(&folder.join("a"), 9).as_deref(), Ok("2"));
        assert_eq!(fs::read_dir(folder).expect("a folder").count(), 1);
    }
}
