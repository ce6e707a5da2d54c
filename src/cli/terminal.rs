//! Output to a terminal: text without control characters, which could change its title, fill its clipboard or hide
//! earlier lines. Titles, names and paths come from foreign files.

use std::io::{self, IsTerminal as _, Write};

use crate::files::Patience;
use crate::words;

/// Prints one sentence besides the results.
pub(super) fn tell(sentence: &str) {
    // Standard error may be closed; the work continues.
    let _ = writeln!(io::stderr(), "{}", words::one_line(sentence));
}

/// Whether a user may read standard error.
pub(super) fn is_watched() -> bool {
    io::stderr().is_terminal()
}

/// How long work waits for a disk without room: at a terminal, a user can make room.
pub(super) fn disk_patience() -> Patience {
    if is_watched() {
        Patience::default()
    } else {
        Patience::UNWATCHED
    }
}

/// Copies UTF-8; a control character that is neither a line end nor a tab becomes `�`.
pub(super) struct Plain<W> {
    out: W,
    /// Whether the first byte of a character from U+0080 to U+00BF is pending: half of them are control characters.
    holds: bool,
}

const FIRST: u8 = 0xC2;

impl<W: Write> Plain<W> {
    pub(super) fn new(out: W) -> Self {
        Self { out, holds: false }
    }
}

impl<W: Write> Write for Plain<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut rest = bytes;
        while let [next, ..] = rest {
            if std::mem::take(&mut self.holds) {
                if (0x80..0xA0).contains(next) {
                    self.out.write_all("\u{fffd}".as_bytes())?;
                    rest = &rest[1..];
                    continue;
                }
                self.out.write_all(&[FIRST])?;
            }
            let is_odd = |byte: &u8| {
                *byte == FIRST || (byte.is_ascii_control() && !matches!(byte, b'\n' | b'\t'))
            };
            let plain = rest.iter().position(is_odd).unwrap_or(rest.len());
            self.out.write_all(&rest[..plain])?;
            rest = &rest[plain..];
            if let [odd, behind @ ..] = rest {
                self.holds = *odd == FIRST;
                if !self.holds {
                    self.out.write_all("\u{fffd}".as_bytes())?;
                }
                rest = behind;
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_control_character_passes_however_the_bytes_are_cut() {
        let text = "a\u{1b}]0;t\u{7}\tb\n½ £\u{85}\u{9b}31m\u{a0}é\r\u{7f}漢";
        for cut in 0..=text.len() {
            let mut plain = Plain::new(Vec::new());
            plain.write_all(&text.as_bytes()[..cut]).expect("memory");
            plain.write_all(&text.as_bytes()[cut..]).expect("memory");
            let written = String::from_utf8(plain.out).expect("UTF-8");
            assert_eq!(written, "a�]0;t�\tb\n½ £��31m\u{a0}é��漢", "cut at {cut}");
        }
    }
}
