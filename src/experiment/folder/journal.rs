//! The journal: games as they end, block by block, in a file that only grows.
//!
//! # Format
//!
//! Numbers are little-endian. The file is the line `afterstate journal 2`, then blocks: length of the payload (u32),
//! CRC-32 of the payload (u32), payload. The first payload is text with one line for the size of the board, as `4x4`,
//! and one for the SHA-256 of each strategy, in the order of the indices below. Every other payload is the index of a
//! strategy (u16) and games of it:
//!
//! | field | bytes |
//! | --- | --- |
//! | index | 8 |
//! | score, moves | 4 each |
//! | last board, the exponent of each cell in reading order | 1 a cell |
//! | CPU time in nanoseconds (all bits 1: not known), nodes searched | 8 each |
//! | how many moves follow (0 where nothing was searched) | 4 |
//! | the moves: up 0, down 1, left 2, right 3 | 1 each |
//! | how many numbers of empty cells follow (0 if the strategy does not search) | 1 |
//! | of each, from 0: decisions (4), and nodes of their searches (8) | 12 each |
//!
//! `afterstate journal 1` of older programs ends each game with its moves.
//!
//! A reader skips a block that is cut off or has a wrong checksum; its games are played again. It refuses a journal
//! with a damaged head, or with an impossible game in a sound block: other games may be wrong as well.

use std::fmt;
use std::fs::File;
use std::io::{self, Seek as _, SeekFrom, Write as _};
use std::path::Path;
use std::time::Duration;

use super::{FolderError, Game, LARGEST_JOURNAL, Result};
use crate::experiment::ByEmpty;
use crate::files::{self, ReadProblem, Sha256};
use crate::game::{Board, Move, Rank, Size};
use crate::strategy::{Finish, Outcome};

/// CPU time of a game whose cost was lost.
const NOT_KNOWN: u64 = u64::MAX;

const BEGINNING: &[u8] = b"afterstate journal 2\n";

/// Of older programs, without nodes by empty cells.
const OLDER: &[u8] = b"afterstate journal 1\n";

/// A journal that is open for writing.
pub(super) struct Journal {
    file: File,
    /// Bytes up to the end of the last whole block.
    bytes: u64,
    /// Whether a failed write may have left bytes after them.
    is_torn: bool,
}

impl Journal {
    pub(super) fn create(path: &Path, size: Size, hashes: &[Sha256]) -> io::Result<Self> {
        let mut file = File::options().write(true).create_new(true).open(path)?;
        let mut head = BEGINNING.to_vec();
        let names = std::iter::once(size.to_string())
            .chain(hashes.iter().map(ToString::to_string))
            .collect::<Vec<_>>()
            .join("\n");
        block(&mut head, names.as_bytes());
        file.write_all(&head)?;
        Ok(Self {
            file,
            bytes: head.len() as u64,
            is_torn: false,
        })
    }

    #[cfg(test)]
    pub(super) fn to(file: File) -> Self {
        Self {
            file,
            bytes: 0,
            is_torn: false,
        }
    }

    /// Appends games of the strategy with this index, all of them or none.
    pub(super) fn add(&mut self, place: usize, games: &[Game]) -> io::Result<()> {
        let mut payload = (place as u16).to_le_bytes().to_vec();
        games.iter().for_each(|game| write_game(&mut payload, game));
        let mut bytes = Vec::with_capacity(payload.len() + 8);
        block(&mut bytes, &payload);
        if std::mem::replace(&mut self.is_torn, true) {
            self.file.set_len(self.bytes)?;
            self.file.seek(SeekFrom::Start(self.bytes))?;
        }
        self.file.write_all(&bytes)?;
        self.is_torn = false;
        self.bytes += bytes.len() as u64;
        Ok(())
    }

    pub(super) fn len(&self) -> u64 {
        self.bytes
    }

    /// A handle to the same file, to flush it while others write.
    pub(super) fn handle(&self) -> io::Result<File> {
        self.file.try_clone()
    }
}

fn block(bytes: &mut Vec<u8>, payload: &[u8]) {
    bytes.extend((payload.len() as u32).to_le_bytes());
    bytes.extend(crc32fast::hash(payload).to_le_bytes());
    bytes.extend(payload);
}

fn write_game(bytes: &mut Vec<u8>, game: &Game) {
    let Game {
        index,
        finish: Finish {
            outcome,
            board,
            nodes,
        },
        cpu,
        moves,
        by_empty,
    } = game;
    bytes.extend(index.to_le_bytes());
    bytes.extend(outcome.score.to_le_bytes());
    bytes.extend(outcome.moves.to_le_bytes());
    bytes.extend(board.cells().map(|(_, rank)| rank.get()));
    bytes.extend(
        cpu.map_or(NOT_KNOWN, |cpu| cpu.as_nanos() as u64)
            .to_le_bytes(),
    );
    bytes.extend(nodes.to_le_bytes());
    bytes.extend((moves.len() as u32).to_le_bytes());
    bytes.extend(moves.iter().map(|mv| mv.index() as u8));
    let by_empty = by_empty.bytes();
    bytes.push((by_empty.len() / ByEmpty::BYTES) as u8);
    bytes.extend(by_empty);
}

/// The strategies of a journal by their SHA-256, each with its games in the order in which they ended.
type Journaled = Vec<(Sha256, Vec<Game>)>;

/// Reads a journal. `None` if there is no such file.
pub(super) fn read(path: &Path) -> Result<Option<Journaled>> {
    let bytes = match files::read_bytes(path, LARGEST_JOURNAL) {
        Err(error) if error.problem == ReadProblem::Missing => return Ok(None),
        bytes => bytes.map_err(|error| wrong(path, error.problem))?,
    };
    games_of(&bytes)
        .map(Some)
        .map_err(|error| wrong(path, error))
}

pub(super) fn wrong(path: &Path, reason: impl fmt::Display) -> FolderError {
    let reason = format!(
        "{reason}; restore a copy, or move this file elsewhere: its games will be played again"
    );
    FolderError::Wrong {
        path: path.to_owned(),
        reason,
    }
}

/// Why bytes are not a journal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
enum JournalError {
    #[error("this is not the journal of a run")]
    Other,
    #[error("its head is damaged")]
    DamagedHead,
    #[error("its head is invalid")]
    InvalidHead,
    #[error("it has games of an unknown strategy")]
    Strategy,
    #[error("one of its games is unreadable")]
    Game,
    #[error("a run cannot have game {0}")]
    Index(u64),
}

fn games_of(bytes: &[u8]) -> std::result::Result<Journaled, JournalError> {
    let older = bytes.strip_prefix(OLDER);
    let Some(rest) = older.or_else(|| bytes.strip_prefix(BEGINNING)) else {
        // The program was killed before it wrote the first line, or the machine before the line reached the disk.
        let is_start = [BEGINNING, OLDER]
            .iter()
            .any(|line| line.starts_with(bytes));
        let is_empty = is_start || bytes.iter().all(|&byte| byte == 0);
        return if is_empty {
            Ok(Vec::new())
        } else {
            Err(JournalError::Other)
        };
    };
    let mut blocks = Blocks(rest);
    let head = match blocks.next() {
        Some(Some(head)) => head,
        None if is_begun(rest) => return Ok(Vec::new()),
        _ => return Err(JournalError::DamagedHead),
    };

    let mut lines = std::str::from_utf8(head).unwrap_or_default().lines();
    let size: Option<Size> = lines.next().and_then(|line| line.parse().ok());
    let hashes: Option<Vec<Sha256>> = lines.map(|line| line.parse().ok()).collect();
    let (size, hashes) = size.zip(hashes).ok_or(JournalError::InvalidHead)?;
    let mut games: Journaled = hashes.into_iter().map(|hash| (hash, Vec::new())).collect();
    for mut payload in blocks.flatten() {
        let place = take(&mut payload).map(u16::from_le_bytes);
        let there = place.and_then(|place| games.get_mut(usize::from(place)));
        let (_, games) = there.ok_or(JournalError::Strategy)?;
        while !payload.is_empty() {
            let game = read_game(&mut payload, size, older.is_some()).ok_or(JournalError::Game)?;
            if i64::try_from(game.index).is_err() {
                return Err(JournalError::Index(game.index));
            }
            games.push(game);
        }
    }

    Ok(games)
}

/// Whether these bytes may be the start of a head: its length and checksum, then text.
fn is_begun(bytes: &[u8]) -> bool {
    let is_text = |byte: &u8| byte.is_ascii_hexdigit() || b"x\n".contains(byte);
    bytes.iter().skip(8).all(is_text) || bytes.iter().all(|&byte| byte == 0)
}

/// Iterates over the payloads of the blocks. A damaged block gives no payload.
struct Blocks<'a>(&'a [u8]);

impl<'a> Iterator for Blocks<'a> {
    type Item = Option<&'a [u8]>;

    fn next(&mut self) -> Option<Self::Item> {
        let length = u32::from_le_bytes(take(&mut self.0)?) as usize;
        let sum = u32::from_le_bytes(take(&mut self.0)?);
        let (payload, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some((crc32fast::hash(payload) == sum).then_some(payload))
    }
}

fn take<const N: usize>(bytes: &mut &[u8]) -> Option<[u8; N]> {
    let (first, rest) = bytes.split_first_chunk()?;
    *bytes = rest;
    Some(*first)
}

fn read_game(bytes: &mut &[u8], size: Size, is_older: bool) -> Option<Game> {
    let index = u64::from_le_bytes(take(bytes)?);
    let score = u32::from_le_bytes(take(bytes)?);
    let moves = u32::from_le_bytes(take(bytes)?);
    let (cells, rest) = bytes.split_at_checked(size.cells())?;
    *bytes = rest;
    let mut ranks = size.iter().zip(cells);
    let board = ranks.try_fold(Board::empty(size), |board, (cell, &rank)| {
        Some(board.with(cell, Rank::new(rank)?))
    })?;
    let cpu = Some(u64::from_le_bytes(take(bytes)?))
        .filter(|&cpu| cpu != NOT_KNOWN)
        .map(Duration::from_nanos);
    let nodes = u64::from_le_bytes(take(bytes)?);
    let made = u32::from_le_bytes(take(bytes)?) as usize;
    let (made, rest) = bytes.split_at_checked(made)?;
    *bytes = rest;
    let made = made
        .iter()
        .map(|&index| Move::ALL.get(usize::from(index)).copied())
        .collect::<Option<_>>()?;
    let sorted = if is_older {
        0
    } else {
        usize::from(u8::from_le_bytes(take(bytes)?)) * ByEmpty::BYTES
    };
    let (sorted, rest) = bytes.split_at_checked(sorted)?;
    *bytes = rest;
    let by_empty = ByEmpty::read(sorted).filter(|sorted| sorted.is_of(moves, nodes))?;
    let outcome = Outcome {
        score,
        moves,
        largest: board.max_rank(),
    };
    Some(Game {
        index,
        finish: Finish {
            outcome,
            board,
            nodes,
        },
        cpu,
        moves: made,
        by_empty,
    })
}
