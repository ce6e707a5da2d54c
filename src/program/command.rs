//! Commands as words: how they are typed, displayed, and identified by the files they name.

use std::borrow::Cow;
use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use sha2::{Digest as _, Sha256};

use crate::files::{self, Stamp};
use crate::task::{CancelToken, lock};
use crate::words;

/// The command as it is typed: words separated by blanks, in quotation marks of either kind where they need them.
pub fn written(command: &[String]) -> String {
    command
        .iter()
        .map(|word| quoted(word))
        .collect::<Vec<_>>()
        .join(" ")
}

fn quoted(word: &str) -> Cow<'_, str> {
    let is_plain = !word.is_empty()
        && !word.contains(|letter: char| letter.is_whitespace() || "\"'".contains(letter));
    match word {
        _ if is_plain => Cow::Borrowed(word),
        _ if !word.contains('"') => Cow::Owned(format!("\"{word}\"")),
        // Splits the word into parts and quotes each with the marks that it does not contain.
        _ => {
            let parts = word.split('"').map(|part| {
                if part.is_empty() {
                    String::new()
                } else {
                    format!("\"{part}\"")
                }
            });
            Cow::Owned(parts.collect::<Vec<_>>().join("'\"'"))
        }
    }
}

/// The words of a command; `None` if a quotation mark is left open. No other character is special.
pub fn read(text: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut open = None;
    for letter in text.chars() {
        match (open, letter) {
            (Some(mark), _) if letter == mark => open = None,
            (None, '"' | '\'') => {
                open = Some(letter);
                word.get_or_insert_default();
            }
            (None, _) if letter.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(letter),
        }
    }

    words.extend(word);
    open.is_none().then_some(words)
}

/// The command for display: its words separated by blanks. A word is in quotation marks unless it is plain ASCII, and
/// invisible characters in it are [escaped](words::escape()), so that no word looks like several, or like text of this
/// program.
pub fn shown(command: &[String]) -> String {
    shortened(usize::MAX, command)
}

/// The same with at most this many characters apart from quotation marks and blanks; `…` marks what is left out, and
/// open quotation marks are closed.
pub fn shortened(longest: usize, command: &[String]) -> String {
    let (mut text, mut room) = (String::new(), longest);
    for (place, word) in command.iter().enumerate() {
        let mark = if is_plain(word) { "" } else { "\"" };
        text += if place == 0 { "" } else { " " };
        text += mark;
        for letter in word.chars() {
            let letter = if mark.is_empty() {
                letter.to_string()
            } else {
                words::escape(letter)
            };
            let Some(left) = room.checked_sub(letter.chars().count()) else {
                return format!("{text}…{mark}");
            };
            room = left;
            text += &letter;
        }
        text += mark;
    }
    text
}

fn is_plain(word: &str) -> bool {
    !word.is_empty()
        && word
            .bytes()
            .all(|byte| byte.is_ascii_graphic() && !b"\"'\\".contains(&byte))
}

/// SHA-256 of a command and of each of its words that is a file, in hexadecimal digits. It does not include other files
/// that the program reads, nor a program found by its name alone.
pub fn digest(command: &[String]) -> String {
    digest_by(command, file_digest)
}

/// The same without reading large files that have changed since they were last read. In place of such a file its
/// [stamp](files::stamp) is hashed, and the file is listed to be [read](read_files).
pub fn digest_for_now(command: &[String]) -> String {
    digest_by(command, |path| match known(path, files::stamp(path)) {
        Some(digest) => digest,
        None if is_small(path) => file_digest(path),
        None => {
            read_later(path);
            Sha256::digest(format!("not read, {:?}", files::stamp(path))).into()
        }
    })
}

fn read_later(path: &Path) {
    let mut unread = lock(&UNREAD);
    if !unread.iter().any(|other| other == path) {
        unread.push(path.to_owned());
    }
}

/// SHA-256 of a file as it is now. A small file is always read again, a large one if its [stamp](files::stamp) has
/// changed. A thread that [must not wait](super::may_wait) gets `None` for a large file that was not read yet, and
/// lists it to be [read](read_files).
pub(super) fn content(path: &Path) -> io::Result<Option<[u8; 32]>> {
    if is_small(path) {
        return hashed(path).map(Some);
    }
    match known(path, files::stamp(path)) {
        Some(digest) => Ok(Some(digest)),
        None if super::may_wait() => read_file(path).map(Some),
        None => {
            // A file that cannot be opened is not listed, or it would be listed again and again.
            File::open(path)?;
            read_later(path);
            Ok(None)
        }
    }
}

/// Whether [`digest_for_now`] equals [`digest`].
pub fn is_read(command: &[String]) -> bool {
    let mut paths = command.iter().map(Path::new);
    paths.all(|path| is_small(path) || known(path, files::stamp(path)).is_some())
}

/// Tells cheaply whether a file in a command was changed. Folders have no stamp, as each new file in them would change
/// it.
pub fn stamps(command: &[String]) -> Vec<Stamp> {
    let stamp = |path: &Path| {
        if path.is_file() {
            files::stamp(path)
        } else {
            None
        }
    };
    command.iter().map(|word| stamp(Path::new(word))).collect()
}

/// Large files that were needed but have not been read.
static UNREAD: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// The files that [`digest_for_now`] has listed since the last call.
pub fn take_unread() -> Vec<PathBuf> {
    std::mem::take(&mut lock(&UNREAD))
}

/// Reads files, so that their hashes are known until they change.
pub fn read_files(paths: &[PathBuf], stop: &CancelToken) {
    for path in paths.iter().take_while(|_| !stop.is_cancelled()) {
        file_digest(path);
    }
}

fn digest_by(command: &[String], file: impl Fn(&Path) -> [u8; 32]) -> String {
    let mut hash = Sha256::new();
    for word in command {
        hash.update((word.len() as u64).to_le_bytes());
        hash.update(word);
        hash.update(file(Path::new(word)));
    }
    crate::kept::hexadecimal(&hash.finalize())
}

/// Whether a file is read within a few milliseconds; true if it is not a file.
fn is_small(path: &Path) -> bool {
    const MOST: u64 = 1 << 20;
    fs::metadata(path).map_or(true, |data| !data.is_file() || data.len() <= MOST)
}

type Known = (PathBuf, Stamp, [u8; 32]);

/// The files that were read most recently.
static KNOWN: Mutex<Vec<Known>> = Mutex::new(Vec::new());

fn known(path: &Path, stamp: Stamp) -> Option<[u8; 32]> {
    lock(&KNOWN)
        .iter()
        .find(|(own, then, _)| own == path && *then == stamp)
        .map(|(.., digest)| *digest)
}

/// SHA-256 of a file, read again once it has changed; zeros if it is not a file. A file that cannot be read, such as a
/// program that may only be executed, gets a new digest whenever its stamp changes.
fn file_digest(path: &Path) -> [u8; 32] {
    if !path.is_file() {
        return [0; 32];
    }
    let stamp = files::stamp(path);
    let unreadable = |_| Sha256::digest(format!("cannot be read, {stamp:?}")).into();
    known(path, stamp).unwrap_or_else(|| read_file(path).unwrap_or_else(unreadable))
}

/// SHA-256 of a file, remembered until it changes.
fn read_file(path: &Path) -> io::Result<[u8; 32]> {
    /// How many files stay in memory.
    const MOST: usize = 64;
    let stamp = files::stamp(path);
    let digest = hashed(path)?;
    let mut cache = lock(&KNOWN);
    cache.retain(|(own, ..)| own != path);
    cache.push((path.to_owned(), stamp, digest));
    let spare = cache.len().saturating_sub(MOST);
    cache.drain(..spare);
    Ok(digest)
}

fn hashed(path: &Path) -> io::Result<[u8; 32]> {
    let (mut file, mut hash, mut part) = (File::open(path)?, Sha256::new(), vec![0; 1 << 16]);
    loop {
        match file.read(&mut part)? {
            0 => return Ok(hash.finalize().into()),
            read => hash.update(&part[..read]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(target_os = "linux")]
    #[test]
    fn a_file_that_cannot_be_read_is_not_taken_for_no_file() {
        let [unreadable, none] = ["/proc/self/mem", "/no/such/file"].map(Path::new);
        assert!(unreadable.is_file() && hashed(unreadable).is_err());
        assert_ne!(file_digest(unreadable), file_digest(none));
    }

    #[test]
    fn a_command_reads_back_as_it_is_written() {
        for words in [
            vec!["python3", "my.py"],
            vec!["C:\\Program Files\\python.exe", "-c", "print('a \"b\" c')"],
            vec!["", "\"", "'", "\"'\"", " ", "a\"", "\"\"a"],
        ] {
            let words: Vec<String> = words.into_iter().map(str::to_owned).collect();
            assert_eq!(
                read(&written(&words)),
                Some(words.clone()),
                "{}",
                written(&words)
            );
        }
        assert_eq!(
            written(&["python3".to_owned(), "my.py".to_owned()]),
            "python3 my.py"
        );
        assert_eq!(
            read("  sh   -c 'exit 1'\n"),
            Some(["sh", "-c", "exit 1"].map(str::to_owned).to_vec())
        );
        assert_eq!(read("python3 \"my.py"), None);
        assert_eq!(read("  "), Some(Vec::new()));
    }

    #[test]
    fn a_shown_command_keeps_to_one_line_and_shows_the_borders_of_its_words() {
        let shown = |words: &[&str]| {
            super::shown(
                &words
                    .iter()
                    .map(|&word| word.to_owned())
                    .collect::<Vec<_>>(),
            )
        };
        assert_eq!(
            shown(&["python3", "-u", "my.py", "--depth=3"]),
            "python3 -u my.py --depth=3"
        );
        assert_eq!(
            shown(&["sh", "-c", "rm x\n\nAfterstate checked it.", ""]),
            r#"sh -c "rm x\n\nAfterstate checked it." """#
        );
        assert_eq!(
            shown(&["a\" \"b", "C:\\x y", "it's"]),
            r#""a\" \"b" "C:\\x y" "it's""#
        );

        // No character that Unicode classifies as invisible, as a line break or as changing the direction of its
        // neighbors remains.
        let hidden = |letter: &char| {
            letter.is_control()
                || (letter.is_whitespace() && *letter != ' ')
                || matches!(letter, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
                    | '\u{2060}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}'
                    | '\u{e0000}'..='\u{e0fff}' | '\u{3164}' | '\u{ffa0}' | '\u{115f}' | '\u{1160}' | '\u{2800}' | '\u{34f}')
        };
        for letter in (0..=0x10_ffff).filter_map(char::from_u32).filter(hidden) {
            let text = shown(&["a", &letter.to_string(), "b"]);
            assert!(
                text.bytes().all(|byte| (b' '..0x7f).contains(&byte)),
                "{:x}: {text}",
                u32::from(letter)
            );
            assert!(text.starts_with("a \"") && text.ends_with("\" b"), "{text}");
        }

        // The quotation is closed even when the text is cut.
        let long = ["sh".to_owned(), "x ".repeat(3000)];
        assert_eq!(shortened(7, &long), "sh \"x x x…\"");
        assert_eq!(shortened(6002, &long), super::shown(&long));
    }

    #[test]
    fn a_command_is_known_by_its_files() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = |name: &str, text: &str| {
            let path = folder.path().join(name);
            fs::write(&path, text).expect("writable");
            path.to_string_lossy().into_owned()
        };
        let (one, other) = (file("one.py", "print(1)"), file("other.py", "print(1)"));
        let command = |path: &str| vec!["python3".to_owned(), path.to_owned()];
        let digest_before = digest(&command(&one));
        assert_eq!(digest(&command(&one)), digest_before);
        assert_ne!(digest(&command(&other)), digest_before);
        file("one.py", "print(12)");
        assert_ne!(
            digest(&command(&one)),
            digest_before,
            "what it does may be something else"
        );
    }

    #[test]
    fn a_large_file_is_waited_for_by_who_has_the_time() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("large");
        let write = |byte: u8| fs::write(&path, vec![byte; (1 << 20) + 1]).expect("writable");
        write(1);
        let command = ["sh".to_owned(), path.to_string_lossy().into_owned()];
        let read = || read_files(std::slice::from_ref(&path), &CancelToken::new());
        let for_now = digest_for_now(&command);
        assert!(!is_read(&command) && for_now == digest_for_now(&command));
        read();
        assert!(is_read(&command) && digest_for_now(&command) != for_now);
        assert_eq!(digest_for_now(&command), digest(&command));

        // A changed file gives a different digest, both before and after it is read.
        let (before, stamps_before) = (digest(&command), stamps(&command));
        fs::remove_file(&path).expect("it is there");
        write(2);
        assert!(!is_read(&command) && stamps(&command) != stamps_before);
        assert!(![&before, &for_now].contains(&&digest_for_now(&command)));
        read();
        assert_eq!(digest_for_now(&command), digest(&command));
        assert_ne!(digest(&command), before);
    }
}
