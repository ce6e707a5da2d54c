//! Files of games: the record of this program, or games of another one.

use std::path::Path;

use super::Failure;
use crate::files::{self, ReadError};
use crate::game::{ImportKind, Imported, ParseRecordError, Record};
use crate::preset::TextKind;

/// What a file holds.
pub(super) enum GameFile {
    Record {
        record: Record,
        /// Why the record may be damaged.
        doubt: Option<&'static str>,
    },
    /// Games of another program; at least one.
    Games(Vec<Imported>),
    /// A text without games.
    Text(TextKind, String),
    /// No text.
    Binary(ReadError),
}

impl GameFile {
    /// From the bytes of a file.
    pub(super) fn read(path: &Path, bytes: &[u8]) -> Result<Self, Failure> {
        let has_games = match std::str::from_utf8(bytes) {
            // UTF-16 of plain letters without a byte order mark is UTF-8 as well.
            Ok(text) if Imported::kind_of(bytes) != Some(ImportKind::Endgame) => {
                Imported::text_of_game(bytes).is_some() || TextKind::of(text) == TextKind::Imported
            }
            Ok(_) | Err(_) => Imported::kind_of(bytes).is_some(),
        };
        if has_games {
            return Self::games(path, bytes).map(Self::Games);
        }

        let text = match files::text_of(path, bytes.to_vec()) {
            Ok(text) => text,
            Err(error) => return Ok(Self::Binary(error)),
        };
        match TextKind::of(&text) {
            TextKind::Record => {
                let refused = |error: ParseRecordError| {
                    Failure::could(format!("{}: {error}", path.display()))
                };
                Ok(Self::Record {
                    record: text.parse().map_err(refused)?,
                    doubt: Record::doubt(&text),
                })
            }
            kind => Ok(Self::Text(kind, text)),
        }
    }

    /// The games of a file that ought to hold games of another program.
    pub(super) fn games(path: &Path, bytes: &[u8]) -> Result<Vec<Imported>, Failure> {
        Imported::read_all(bytes)
            .map_err(|error| Failure::could(format!("{}: {error}", path.display())))
    }

    /// The error for a file of another kind than the expected one.
    pub(super) fn refusal(self, path: &Path, expected: &str) -> Failure {
        let (kind, text) = match self {
            Self::Record { .. } => (TextKind::Record, String::new()),
            Self::Games(_) => (TextKind::Imported, String::new()),
            Self::Text(kind, text) => (kind, text),
            Self::Binary(error) => return error.into(),
        };
        Failure::could(format!(
            "{}: {}",
            path.display(),
            kind.refusal(&text, expected)
        ))
    }
}
