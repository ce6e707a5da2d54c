//! The tables of a strategy: games, what they cost, and the moves of those that were searched, each a Parquet file.
//!
//! # Format
//!
//! | file | column | |
//! | --- | --- | --- |
//! | `games/HASH.parquet` | `index` | which game of the seed, from 0, ascending |
//! | | `score` | points at its end |
//! | | `moves` | slides |
//! | | `largest` | the value of the largest tile, such as 2048 |
//! | | `board` | the last board: the exponent of each cell in reading order, digits in base 36 (`b` = 2048, `h` = 131072) |
//! | `costs/HASH.parquet` | `index`, `cpu_ns`, `nodes` | CPU time in nanoseconds; nodes searched, leaves included |
//! | `moves/HASH.parquet` | `index`, `moves` | two bits a slide (up 0, down 1, left 2, right 3), the first in the lowest bits; empty where nothing was searched |
//!
//! The three have the same rows in the same order; the games are written last, so that whoever is killed before leaves those that
//! were there, and rows beside them that nobody asks for. Games and moves are the same bytes however they were played; costs are
//! measurements. HASH begins the SHA-256 of the strategy.

use std::fs::{self, File};
use std::ops::{Range, RangeInclusive};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use itertools::Itertools as _;
use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::column::reader::ColumnReader;
use parquet::column::writer::ColumnWriter;
use parquet::data_type::ByteArray;
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::RowGroupMetaData;
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterPropertiesBuilder};
use parquet::file::reader::{FileReader as _, RowGroupReader, SerializedFileReader};
use parquet::file::statistics::Statistics;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;

use super::{FolderError, Game};
use crate::files::{self, WriteError};
use crate::game::{Board, Move, Rank, Size};
use crate::strategy::{Finish, Outcome};

/// Games of a row group: what a reader holds of each file.
const GROUP: usize = 1 << 16;

/// A table: its folder and its columns, all required.
struct Table {
    folder: &'static str,
    schema: &'static str,
    /// Columns of whole numbers, of which neighbours differ little.
    numbers: &'static [&'static str],
}

impl Table {
    /// How many columns it has.
    fn columns(&self) -> Result<usize> {
        Ok(parse_message_type(self.schema)?.get_fields().len())
    }
}

const TABLES: [Table; 3] = [
    Table {
        folder: "games",
        schema: "message games { required int64 index; required int32 score (integer(32, false)); \
                 required int32 moves (integer(32, false)); required int32 largest (integer(32, false)); \
                 required binary board (string); }",
        numbers: &["index", "score", "moves", "largest"],
    },
    Table {
        folder: "costs",
        schema: "message costs { required int64 index; required int64 cpu_ns; required int64 nodes; }",
        numbers: &["index", "cpu_ns", "nodes"],
    },
    Table {
        folder: "moves",
        schema: "message moves { required int64 index; required binary moves; }",
        numbers: &["index"],
    },
];

/// The values of a column.
enum Values {
    Long(Vec<i64>),
    Int(Vec<i32>),
    Bytes(Vec<ByteArray>),
}

impl Values {
    /// Those of these rows.
    fn at(&self, rows: &[usize]) -> Self {
        match self {
            Self::Long(values) => Self::Long(rows.iter().map(|&row| values[row]).collect()),
            Self::Int(values) => Self::Int(rows.iter().map(|&row| values[row]).collect()),
            Self::Bytes(values) => Self::Bytes(rows.iter().map(|&row| values[row].clone()).collect()),
        }
    }

    fn append(&mut self, other: Self) {
        match (self, other) {
            (Self::Long(values), Self::Long(more)) => values.extend(more),
            (Self::Int(values), Self::Int(more)) => values.extend(more),
            (Self::Bytes(values), Self::Bytes(more)) => values.extend(more),
            // A column has one type in all groups of a file.
            _ => {}
        }
    }
}

/// The columns of each table.
fn columns(games: &[Game]) -> [Vec<Values>; 3] {
    let long = |of: fn(&Game) -> u64| Values::Long(games.iter().map(|game| of(game) as i64).collect());
    let int = |of: fn(&Game) -> u64| Values::Int(games.iter().map(|game| of(game) as u32 as i32).collect());
    let bytes = |of: fn(&Game) -> Vec<u8>| Values::Bytes(games.iter().map(|game| of(game).into()).collect());
    let index = || long(|game| game.index);
    [
        vec![
            index(),
            int(|game| u64::from(game.finish.outcome.score)),
            int(|game| u64::from(game.finish.outcome.moves)),
            int(|game| game.finish.outcome.largest.tile()),
            bytes(|game| digits(&game.finish.board)),
        ],
        vec![index(), long(|game| game.cpu.as_nanos() as u64), long(|game| game.finish.nodes)],
        vec![index(), bytes(|game| packed(&game.moves))],
    ]
}

fn digits(board: &Board) -> Vec<u8> {
    let digit = |rank: Rank| char::from_digit(u32::from(rank.get()), 36).unwrap_or('?') as u8;
    board.cells().map(|(_, rank)| digit(rank)).collect()
}

fn board(digits: &[u8], size: Size) -> Option<Board> {
    let mut ranks = size.iter().zip(digits);
    let rank = |digit: u8| Rank::new(u8::try_from(char::from(digit).to_digit(36)?).ok()?);
    (digits.len() == size.cells()).then_some(())?;
    ranks.try_fold(Board::empty(size), |board, (cell, &digit)| Some(board.with(cell, rank(digit)?)))
}

fn packed(moves: &[Move]) -> Vec<u8> {
    let byte = |four: &[Move]| four.iter().rev().fold(0, |byte, mv| byte << 2 | mv.index() as u8);
    moves.chunks(4).map(byte).collect()
}

fn unpacked(bytes: &[u8], count: u32) -> Vec<Move> {
    let four = |byte: &u8| [0, 2, 4, 6].map(|shift| Move::ALL[usize::from(byte >> shift & 3)]);
    bytes.iter().flat_map(four).take(count as usize).collect()
}

/// Where the tables of a strategy lie under a folder.
fn path(root: &Path, table: &Table, name: &str) -> PathBuf {
    root.join(table.folder).join(format!("{name}.parquet"))
}

fn open(path: &Path) -> std::result::Result<SerializedFileReader<File>, FolderError> {
    let file = File::open(path).map_err(ParquetError::from).and_then(SerializedFileReader::new);
    file.map_err(|error| FolderError::unread(path, error))
}

/// What is known of the tables of a strategy without reading them.
pub(super) struct Span {
    pub(super) games: u64,
    /// The first index and the last.
    pub(super) indices: RangeInclusive<u64>,
}

/// The tables of a strategy under a folder, if it has games there.
pub(super) fn span(root: &Path, name: &str) -> std::result::Result<Option<Span>, FolderError> {
    let path = path(root, &TABLES[0], name);
    if !path.exists() {
        return Ok(None);
    }
    let file = open(&path)?;
    let groups = file.metadata().row_groups();
    let games = groups.iter().map(|group| group.num_rows().unsigned_abs()).sum();
    let ends = groups.first().zip(groups.last());
    Ok(ends.map(|(first, last)| Span { games, indices: *indices_of(first).start()..=*indices_of(last).end() }))
}

/// From the first index of a group to its last; all, where the group does not tell.
fn indices_of(group: &RowGroupMetaData) -> RangeInclusive<u64> {
    let index = (0 < group.num_columns()).then(|| group.column(0).statistics()).flatten();
    match index {
        Some(Statistics::Int64(index)) => {
            let whole = |index: Option<&i64>| u64::try_from(*index?).ok();
            whole(index.min_opt()).unwrap_or(0)..=whole(index.max_opt()).unwrap_or(u64::MAX)
        }
        _ => 0..=u64::MAX,
    }
}

/// Removes what processes have left that were killed while they wrote tables. Nobody may be writing any.
pub(super) fn tidy(root: &Path) {
    TABLES.iter().for_each(|table| files::clear(&root.join(table.folder)));
}

/// Writes the tables of a strategy under a folder, whole or not at all: games in the order of their indices.
pub(super) fn write<E: From<FolderError>>(
    root: &Path,
    name: &str,
    games: impl Iterator<Item = std::result::Result<Game, E>>,
) -> std::result::Result<u64, E> {
    let failed = |table: &Table, error: ParquetError| E::from(unwritten(&path(root, table, name), error));
    let mut writers = Vec::new();
    for table in &TABLES {
        writers.push(begun(&root.join(table.folder), table).map_err(|error| failed(table, error))?);
    }
    let mut count = 0;
    let mut group: Vec<Game> = Vec::new();
    let mut games = games.peekable();
    while let Some(game) = games.next() {
        group.push(game?);
        if group.len() == GROUP || games.peek().is_none() {
            for ((columns, table), (writer, _)) in columns(&group).into_iter().zip(&TABLES).zip(&mut writers) {
                write_group(writer, &columns).map_err(|error| failed(table, error))?;
            }
            count += group.len() as u64;
            group.clear();
        }
    }
    // The games last: until theirs is in its place, what there was before is read, and others may have more rows.
    for (table, (writer, file)) in TABLES.iter().zip(writers).rev() {
        let put = |writer: SerializedFileWriter<File>| {
            writer.into_inner()?.sync_all()?;
            file.persist(path(root, table, name)).map_err(|error| error.error)?;
            Ok(())
        };
        put(writer).map_err(|error| failed(table, error))?;
    }
    Ok(count)
}

/// A table that is being written under a temporary name.
type Unfinished = (SerializedFileWriter<File>, tempfile::NamedTempFile);

fn begun(folder: &Path, table: &Table) -> Result<Unfinished> {
    fs::create_dir_all(folder)?;
    let file = files::temporary_in(folder)?;
    let schema = Arc::new(parse_message_type(table.schema)?);
    let writer = SerializedFileWriter::new(file.reopen()?, schema, properties(table))?;
    Ok((writer, file))
}

/// What the system says of a table that could not be written.
fn unwritten(path: &Path, error: ParquetError) -> FolderError {
    let source = match error {
        ParquetError::External(error) => match error.downcast() {
            Ok(error) => *error,
            Err(error) => std::io::Error::other(error),
        },
        error => std::io::Error::other(error),
    };
    WriteError::File { path: path.to_owned(), source }.into()
}

/// Nothing in a file tells when or by what it was written.
fn properties(table: &Table) -> Arc<WriterProperties> {
    let builder = WriterProperties::builder()
        .set_created_by(env!("CARGO_PKG_NAME").to_owned())
        .set_compression(Compression::ZSTD(ZstdLevel::default()))
        .set_dictionary_enabled(false)
        .set_max_row_group_row_count(Some(GROUP))
        .set_statistics_enabled(EnabledStatistics::Chunk);
    let delta = |builder: WriterPropertiesBuilder, column: &&str| {
        builder.set_column_encoding((*column).into(), Encoding::DELTA_BINARY_PACKED)
    };
    Arc::new(table.numbers.iter().fold(builder, delta).build())
}

fn write_group(writer: &mut SerializedFileWriter<File>, columns: &[Values]) -> Result<()> {
    let mut group = writer.next_row_group()?;
    for values in columns {
        let Some(mut column) = group.next_column()? else { break };
        match (column.untyped(), values) {
            (ColumnWriter::Int64ColumnWriter(column), Values::Long(values)) => {
                column.write_batch(values, None, None)?
            }
            (ColumnWriter::Int32ColumnWriter(column), Values::Int(values)) => column.write_batch(values, None, None)?,
            (ColumnWriter::ByteArrayColumnWriter(column), Values::Bytes(values)) => {
                column.write_batch(values, None, None)?
            }
            _ => return Err(ParquetError::General("a column of another type".to_owned())),
        };
        column.close()?;
    }
    group.close()?;
    Ok(())
}

/// The games of a strategy under a folder, in the order of their indices; some tens of thousands are in memory at a time.
/// Of groups without any of these indices none are read.
pub(super) fn read(
    root: &Path,
    name: &str,
    size: Size,
    indices: &Range<u64>,
) -> std::result::Result<impl Iterator<Item = std::result::Result<Game, FolderError>> + use<>, FolderError> {
    let [games, beside @ ..] = &TABLES;
    let place = path(root, games, name);
    let file = open(&place)?;
    let mut others = Vec::new();
    for table in beside {
        others.push(Beside::open(&path(root, table, name), table)?);
    }
    let are_asked = |group: &RowGroupMetaData| {
        let there = indices_of(group);
        *there.start() < indices.end && indices.start <= *there.end()
    };
    let groups = file.metadata().row_groups().iter().positions(are_asked).collect::<Vec<_>>();
    let mut group = move |group: usize| -> std::result::Result<Vec<Game>, FolderError> {
        let read = file.get_row_group(group).and_then(|group| read_group(&*group, games.columns()?));
        let mut tables = vec![read.map_err(|error| FolderError::unread(&place, error))?];
        let wrong = || {
            let reason = ParquetError::General("its columns are not those of games".to_owned());
            FolderError::unread(&place, reason)
        };
        let Some(Values::Long(index)) = tables[0].first() else { return Err(wrong()) };
        let found: std::result::Result<Vec<_>, _> = others.iter_mut().map(|other| other.rows_of(index)).collect();
        tables.extend(found?);
        games_of(&tables, size).ok_or_else(wrong)
    };
    let rows = move |number| match group(number) {
        Ok(games) => games.into_iter().map(Ok).collect::<Vec<_>>(),
        Err(error) => vec![Err(error)],
    };
    Ok(groups.into_iter().flat_map(rows))
}

/// A table beside that of the games, read along with it. Where a process was killed while it put a folder together, this one
/// may have rows already that the games do not have yet.
struct Beside {
    path: PathBuf,
    file: SerializedFileReader<File>,
    columns: usize,
    /// The group that is read next.
    next: usize,
    /// Rows that were read and not asked for yet.
    held: Vec<Values>,
}

impl Beside {
    fn open(path: &Path, table: &Table) -> std::result::Result<Self, FolderError> {
        let columns = table.columns().map_err(|error| FolderError::unread(path, error))?;
        Ok(Self { file: open(path)?, path: path.to_owned(), columns, next: 0, held: Vec::new() })
    }

    /// The rows of these indices, which rise from call to call.
    fn rows_of(&mut self, index: &[i64]) -> std::result::Result<Vec<Values>, FolderError> {
        self.read_rows(index).map_err(|error| FolderError::unread(&self.path, error))
    }

    fn read_rows(&mut self, index: &[i64]) -> Result<Vec<Values>> {
        let (Some(&first), Some(&last)) = (index.first(), index.last()) else { return Ok(Vec::new()) };
        while self.held_index().last().is_none_or(|&held| held < last) && self.next < self.file.num_row_groups() {
            let group = self.file.get_row_group(self.next)?;
            self.next += 1;
            if *indices_of(group.metadata()).end() < first.unsigned_abs() {
                continue;
            }
            let read = read_group(&*group, self.columns)?;
            if self.held.is_empty() {
                self.held = read;
            } else {
                self.held.iter_mut().zip(read).for_each(|(held, read)| held.append(read));
            }
        }
        if self.held_index() == index {
            return Ok(std::mem::take(&mut self.held));
        }
        let mut asked = index.iter().peekable();
        let (mut found, mut later) = (Vec::new(), Vec::new());
        for (row, &held) in self.held_index().iter().enumerate() {
            while asked.next_if(|&&one| one < held).is_some() {}
            if asked.peek() == Some(&&held) {
                found.push(row);
            } else if last < held {
                later.push(row);
            }
        }
        let rows = self.held.iter().map(|values| values.at(&found)).collect();
        self.held = self.held.iter().map(|values| values.at(&later)).collect();
        Ok(rows)
    }

    fn held_index(&self) -> &[i64] {
        match self.held.first() {
            Some(Values::Long(index)) => index,
            _ => &[],
        }
    }
}

fn read_group(group: &dyn RowGroupReader, columns: usize) -> Result<Vec<Values>> {
    let rows = usize::try_from(group.metadata().num_rows()).unwrap_or_default().min(GROUP);
    if group.num_columns() != columns {
        return Err(ParquetError::General("its columns are not those of this table".to_owned()));
    }
    let column = |place| {
        Ok(match group.get_column_reader(place)? {
            ColumnReader::Int64ColumnReader(mut column) => {
                let mut values = Vec::new();
                column.read_records(rows, None, None, &mut values)?;
                Values::Long(values)
            }
            ColumnReader::Int32ColumnReader(mut column) => {
                let mut values = Vec::new();
                column.read_records(rows, None, None, &mut values)?;
                Values::Int(values)
            }
            ColumnReader::ByteArrayColumnReader(mut column) => {
                let mut values = Vec::new();
                column.read_records(rows, None, None, &mut values)?;
                Values::Bytes(values)
            }
            _ => return Err(ParquetError::General("a column of another type".to_owned())),
        })
    };
    (0..columns).map(column).collect()
}

/// What the tables of a group say; `None` where they do not fit together.
fn games_of(tables: &[Vec<Values>], size: Size) -> Option<Vec<Game>> {
    let [games, costs, made] = tables else { return None };
    let [Values::Long(index), Values::Int(score), Values::Int(moves), Values::Int(largest), Values::Bytes(boards)] =
        &games[..]
    else {
        return None;
    };
    let [Values::Long(cost_of), Values::Long(cpu), Values::Long(nodes)] = &costs[..] else { return None };
    let [Values::Long(made_of), Values::Bytes(made)] = &made[..] else { return None };
    let count = index.len();
    let lengths = [score.len(), moves.len(), largest.len(), boards.len(), cpu.len(), nodes.len(), made.len()];
    if index != cost_of || index != made_of || lengths.iter().any(|&length| length != count) {
        return None;
    }
    let game = |row: usize| {
        let board = board(boards[row].data(), size)?;
        let moves = moves[row] as u32;
        let outcome = Outcome { score: score[row] as u32, moves, largest: board.max_rank() };
        Some(Game {
            index: u64::try_from(index[row]).ok()?,
            finish: Finish { outcome, board, nodes: nodes[row] as u64 },
            cpu: Duration::from_nanos(cpu[row] as u64),
            moves: unpacked(made[row].data(), moves),
        })
    };
    (0..count).map(game).collect()
}
