//! The tables of a strategy: games, their costs, and the moves of searched games, each a Parquet file.
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
//! | | `by_empty` | for each number of empty cells of a board to move, from 0: decisions (4 bytes), nodes (8 bytes), little-endian; empty if the strategy does not search. Older programs did not write this column |
//! | `moves/HASH.parquet` | `index`, `moves` | two bits a slide (up 0, down 1, left 2, right 3), the first in the lowest bits; empty where nothing was searched |
//!
//! The three have the same rows in the same order, except that costs may be missing. The games are written last. So a
//! process that is killed before leaves the previous games, and rows in the other files that no reader requests. Games
//! and moves are the same bytes however they were played; costs are measurements. HASH is the start of the SHA-256 of
//! the strategy.
//!
//! Each file states its games as key-value pairs: `afterstate.strategy` (SHA-256), `afterstate.seed`,
//! `afterstate.rules` (RON), `afterstate.generator` and `afterstate.games` (the first index, and one more than the
//! last: `0..300`). Older programs wrote none of these.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io;
use std::ops::{Range, RangeInclusive};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::column::reader::ColumnReader;
use parquet::column::writer::ColumnWriter;
use parquet::data_type::ByteArray;
use parquet::errors::ParquetError;
use parquet::file::metadata::{KeyValue, RowGroupMetaData};
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterPropertiesBuilder};
use parquet::file::reader::{FileReader as _, SerializedFileReader};
use parquet::file::statistics::Statistics;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;

use super::checksums::{CHECKSUMS, Checksums, Verifier};
use super::{Arm, FolderError, Game, Result, at};
use crate::experiment::ByEmpty;
use crate::files::{self, Sha256, WriteError};
use crate::game::{Board, GENERATOR, Move, Rank, Rules, Size};
use crate::ron_text;
use crate::strategy::{Finish, Outcome};
use crate::task::catch_quietly;

/// Games per row group, the unit that a reader has in memory.
const GROUP: usize = 1 << 16;

/// A table: its folder and its columns, all required.
struct Table {
    folder: &'static str,
    schema: &'static str,
    /// Its number of columns, and the least of older programs.
    columns: RangeInclusive<usize>,
    /// Integer columns with small differences between neighboring rows.
    numbers: &'static [&'static str],
}

const GAMES: usize = 0;
const COSTS: usize = 1;
const MOVES: usize = 2;

static TABLES: [Table; 3] = [
    Table {
        folder: "games",
        schema: "message games { required int64 index; required int32 score (integer(32, false)); \
                 required int32 moves (integer(32, false)); required int32 largest (integer(32, false)); \
                 required binary board (string); }",
        columns: 5..=5,
        numbers: &["index", "score", "moves", "largest"],
    },
    Table {
        folder: "costs",
        schema: "message costs { required int64 index; required int64 cpu_ns; required int64 nodes; \
                 required binary by_empty; }",
        columns: 3..=4,
        numbers: &["index", "cpu_ns", "nodes"],
    },
    Table {
        folder: "moves",
        schema: "message moves { required int64 index; required binary moves; }",
        columns: 2..=2,
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
    fn len(&self) -> usize {
        match self {
            Self::Long(values) => values.len(),
            Self::Int(values) => values.len(),
            Self::Bytes(values) => values.len(),
        }
    }

    /// The values of these rows.
    fn at(&self, rows: &[usize]) -> Self {
        match self {
            Self::Long(values) => Self::Long(rows.iter().map(|&row| values[row]).collect()),
            Self::Int(values) => Self::Int(rows.iter().map(|&row| values[row]).collect()),
            Self::Bytes(values) => {
                Self::Bytes(rows.iter().map(|&row| values[row].clone()).collect())
            }
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

/// The columns of each table. Games with unknown costs have no row.
fn columns(games: &[Game]) -> [Vec<Values>; 3] {
    let long = |field: fn(&Game) -> u64| {
        Values::Long(games.iter().map(|game| field(game) as i64).collect())
    };
    let int = |field: fn(&Game) -> u64| {
        Values::Int(games.iter().map(|game| field(game) as u32 as i32).collect())
    };
    let bytes = |field: fn(&Game) -> Vec<u8>| {
        Values::Bytes(games.iter().map(|game| field(game).into()).collect())
    };
    let index = || long(|game| game.index);
    let costs = || games.iter().filter_map(|game| Some((game, game.cost()?)));
    [
        vec![
            index(),
            int(|game| u64::from(game.finish.outcome.score)),
            int(|game| u64::from(game.finish.outcome.moves)),
            int(|game| game.finish.outcome.largest.tile()),
            bytes(|game| digits(&game.finish.board)),
        ],
        vec![
            Values::Long(costs().map(|(game, _)| game.index as i64).collect()),
            Values::Long(
                costs()
                    .map(|(_, cost)| cost.time.as_nanos() as i64)
                    .collect(),
            ),
            Values::Long(costs().map(|(_, cost)| cost.nodes as i64).collect()),
            Values::Bytes(
                costs()
                    .map(|(game, _)| game.by_empty.bytes().into())
                    .collect(),
            ),
        ],
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
    ranks.try_fold(Board::empty(size), |board, (cell, &digit)| {
        Some(board.with(cell, rank(digit)?))
    })
}

fn packed(moves: &[Move]) -> Vec<u8> {
    let byte = |four: &[Move]| {
        four.iter()
            .rev()
            .fold(0, |byte, mv| byte << 2 | mv.index() as u8)
    };
    moves.chunks(4).map(byte).collect()
}

/// The moves of a game. `None` if the bytes do not encode `count` moves.
fn unpacked(bytes: &[u8], count: u32) -> Option<Vec<Move>> {
    let four = |byte: &u8| [0, 2, 4, 6].map(|shift| Move::ALL[usize::from(byte >> shift & 3)]);
    let moves: Vec<Move> = bytes.iter().flat_map(four).take(count as usize).collect();
    (bytes.is_empty() || moves.len() == count as usize && packed(&moves) == bytes).then_some(moves)
}

/// The path of a table of a strategy below its folder, as in the checksum file.
fn below(table: &Table, name: &str) -> String {
    format!("{}/{name}.parquet", table.folder)
}

/// The metadata of a table, except for the range of its games.
fn origin(arm: &Arm) -> [(&'static str, String); 4] {
    // Plain data always has a text.
    let rules = ron_text::one_line(&arm.rules).unwrap_or_default();
    [
        ("strategy", arm.key.to_string()),
        ("seed", arm.seed.to_string()),
        ("rules", rules),
        ("generator", GENERATOR.to_owned()),
    ]
}

const PREFIX: &str = "afterstate.";
const RANGE: &str = "games";

/// Runs a parquet operation that may fail or panic on a damaged file.
fn guarded<T>(path: &Path, work: impl FnOnce() -> parquet::errors::Result<T>) -> Result<T> {
    let reason = match catch_quietly(work) {
        Ok(Ok(done)) => return Ok(done),
        Ok(Err(ParquetError::External(error))) => match error.downcast::<io::Error>() {
            // A system error. A decoding error has no error number.
            Ok(source) if source.raw_os_error().is_some() => return at(path, Err(*source)),
            Ok(error) => error.to_string(),
            Err(error) => error.to_string(),
        },
        Ok(Err(ParquetError::General(what) | ParquetError::EOF(what))) => what,
        Ok(Err(error)) => error.to_string(),
        Err(_) => "it cannot be decoded".to_owned(),
    };
    // Some error messages of the crate have several lines.
    Err(damaged(path, crate::words::one_line(&reason)))
}

fn damaged(path: &Path, reason: impl Into<String>) -> FolderError {
    FolderError::Table {
        path: path.to_owned(),
        reason: reason.into(),
    }
}

/// A table that is open for reading.
struct Reader {
    path: PathBuf,
    table: &'static Table,
    file: SerializedFileReader<File>,
    /// The games that it claims to have.
    games: Range<u64>,
    /// The index of the last row that was read.
    last: Option<i64>,
}

impl Reader {
    /// Opens a table of a strategy below a folder, and verifies its checksum and its metadata. `None` if there is none.
    fn open(
        root: &Path,
        table: &'static Table,
        arm: &Arm,
        verifier: &Verifier,
    ) -> Result<Option<Self>> {
        let (name, path) = (arm.file(), root.join(below(table, &arm.file())));
        let Some(file) = verifier.open(root, &name, &below(table, &name))? else {
            return Ok(None);
        };
        let file = guarded(&path, || SerializedFileReader::new(file))?;
        let metadata = file.metadata();
        let rows: i128 = metadata
            .row_groups()
            .iter()
            .map(|group| i128::from(group.num_rows()))
            .sum();
        if rows != i128::from(metadata.file_metadata().num_rows()) {
            return Err(damaged(&path, "its groups have a wrong number of rows"));
        }
        let said = metadata.file_metadata().key_value_metadata();
        let games = games_said(said.map_or(&[][..], |said| said), arm)
            .map_err(|error| damaged(&path, error.to_string()))?;
        Ok(Some(Self {
            path,
            table,
            file,
            games,
            last: None,
        }))
    }

    fn groups(&self) -> usize {
        self.file.num_row_groups()
    }

    fn group_indices(&self, group: usize) -> RangeInclusive<u64> {
        indices_of(self.file.metadata().row_group(group))
    }

    /// The columns of a group, with as many values as rows each. The indices rise and are in the range of the table.
    fn read(&mut self, group: usize) -> Result<Vec<Values>> {
        let data = self.file.metadata().row_group(group);
        let columns = data.num_columns();
        let rows = usize::try_from(data.num_rows())
            .ok()
            .filter(|rows| *rows <= GROUP);
        let are_whole = data
            .columns()
            .iter()
            .all(|column| column.num_values() == data.num_rows());
        let (Some(rows), true) = (rows, are_whole && self.table.columns.contains(&columns)) else {
            return Err(damaged(&self.path, "its columns do not match this table"));
        };
        let file = &self.file;
        let read = || {
            let group = file.get_row_group(group)?;
            (0..columns)
                .map(|place| read_column(group.get_column_reader(place)?, rows))
                .collect::<parquet::errors::Result<Vec<_>>>()
        };

        let values = guarded(&self.path, read)?;
        let Some(Values::Long(index)) = values
            .first()
            .filter(|_| values.iter().all(|column| column.len() == rows))
        else {
            return Err(damaged(&self.path, "its columns do not match this table"));
        };
        let there = self.group_indices(group);
        for &index in index {
            let game = u64::try_from(index)
                .ok()
                .filter(|game| there.contains(game) && self.games.contains(game));
            if game.is_none() {
                return Err(damaged(
                    &self.path,
                    format!("row {index} is not among the games that it names"),
                ));
            }
            if self.last.is_some_and(|last| index <= last) {
                return Err(damaged(
                    &self.path,
                    format!("the indices of its rows do not increase at {index}"),
                ));
            }
            self.last = Some(index);
        }

        Ok(values)
    }
}

/// Why a table does not belong to a strategy, by its metadata.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
enum OtherTable {
    #[error("it has games of a strategy other than {0}")]
    Strategy(String),
    #[error("it has games of seed {found}, not {expected}")]
    Seed { found: String, expected: String },
    #[error("it has games with different rules")]
    Rules,
    #[error("its tiles come from a different generator")]
    Generator,
    #[error("it does not state which games it has")]
    NoRange,
}

/// The range of games in the metadata of a table; all games if it has none.
fn games_said(said: &[KeyValue], arm: &Arm) -> std::result::Result<Range<u64>, OtherTable> {
    let said: HashMap<&str, &str> = said
        .iter()
        .filter_map(|pair| {
            Some((
                pair.key.strip_prefix(PREFIX)?,
                pair.value.as_deref().unwrap_or_default(),
            ))
        })
        .collect();
    if said.is_empty() {
        return Ok(0..u64::MAX);
    }

    for (key, expected) in origin(arm) {
        let found = said.get(key).copied().unwrap_or_default();
        let is_same = match key {
            // Another program may write the same rules in a different form.
            "rules" => ron_text::read::<Rules>(found).is_ok_and(|rules| rules == arm.rules),
            _ => found == expected,
        };
        if !is_same {
            return Err(match key {
                "strategy" => OtherTable::Strategy(arm.strategy.label()),
                "seed" => OtherTable::Seed {
                    found: found.to_owned(),
                    expected,
                },
                "rules" => OtherTable::Rules,
                _ => OtherTable::Generator,
            });
        }
    }

    let range = said.get(RANGE).and_then(|range| range.split_once(".."));
    let range = range.and_then(|(start, end)| Some(start.parse().ok()?..end.parse().ok()?));
    range.ok_or(OtherTable::NoRange)
}

/// The extent of the tables of a strategy, without reading their rows.
pub(super) struct Span {
    pub(super) games: u64,
    /// The first index and the last.
    pub(super) indices: RangeInclusive<u64>,
}

/// The extent of the tables of a strategy below a folder, if it has games there.
pub(super) fn span(root: &Path, arm: &Arm, verifier: &Verifier) -> Result<Option<Span>> {
    let table = below(&TABLES[GAMES], &arm.file());
    let path = root.join(&table);
    // Verified, because a changed table may state other indices and would then be left out.
    let Some(file) = verifier.open(root, &arm.file(), &table)? else {
        return Ok(None);
    };
    let file = guarded(&path, || SerializedFileReader::new(file))?;
    let groups = file.metadata().row_groups();
    let games = groups
        .iter()
        .map(|group| group.num_rows().unsigned_abs())
        .fold(0, u64::saturating_add);
    // A table without games is read as well: only that shows whether it really has none.
    let ends = groups
        .first()
        .zip(groups.last())
        .map(|(first, last)| (*indices_of(first).start(), *indices_of(last).end()));
    let (first, last) = ends.unwrap_or((0, 0));
    Ok(Some(Span {
        games,
        indices: first..=last,
    }))
}

/// From the first to the last index of a group; all indices if the group has no statistics.
fn indices_of(group: &RowGroupMetaData) -> RangeInclusive<u64> {
    let index = (0 < group.num_columns())
        .then(|| group.column(0).statistics())
        .flatten();
    match index {
        Some(Statistics::Int64(index)) => {
            let whole = |index: Option<&i64>| u64::try_from(*index?).ok();
            whole(index.min_opt()).unwrap_or(0)..=whole(index.max_opt()).unwrap_or(u64::MAX)
        }
        _ => 0..=u64::MAX,
    }
}

/// Removes temporary tables of killed processes. Must not run while another process is writing.
pub(super) fn tidy(root: &Path) {
    let folders = TABLES.iter().map(|table| table.folder).chain([CHECKSUMS]);
    folders.for_each(|folder| files::clear(&root.join(folder)));
}

/// Writes the tables of a strategy below a folder, completely or not at all, with games in the order of their indices.
/// If it is killed at any time, the tables are readable and their checksums are listed.
pub(super) fn write(
    root: &Path,
    arm: &Arm,
    games: impl Iterator<Item = Result<Game>>,
) -> Result<u64> {
    write_watched(root, arm, games, &|| Ok(()))
}

/// Tables that are written but not in place yet.
type Written = Vec<(&'static Table, tempfile::NamedTempFile)>;

/// Like `write`, and calls `after_each` after each file that is put in place.
pub(super) fn write_watched(
    root: &Path,
    arm: &Arm,
    games: impl Iterator<Item = Result<Game>>,
    after_each: &dyn Fn() -> Result<()>,
) -> Result<u64> {
    let name = arm.file();
    let failed =
        |table: &Table, error: ParquetError| unwritten(&root.join(below(table, &name)), error);
    let mut writers = Vec::new();
    for table in &TABLES {
        writers.push(begun(&root.join(table.folder), table).map_err(|error| failed(table, error))?);
    }
    let mut count = 0;
    let mut range: Option<Range<u64>> = None;
    let mut group: Vec<Game> = Vec::new();
    let mut games = games.peekable();
    while let Some(game) = games.next() {
        let game = game?;
        range = Some(range.map_or(game.index, |range| range.start)..game.index.saturating_add(1));
        group.push(game);
        if group.len() == GROUP || games.peek().is_none() {
            for ((columns, table), (writer, _)) in
                columns(&group).into_iter().zip(&TABLES).zip(&mut writers)
            {
                write_group(writer, &columns).map_err(|error| failed(table, error))?;
            }
            count += group.len() as u64;
            group.clear();
        }
    }

    let range = range.unwrap_or(0..0);
    let pairs = origin(arm)
        .into_iter()
        .chain([(RANGE, format!("{}..{}", range.start, range.end))]);
    let pairs: Vec<KeyValue> = pairs
        .map(|(key, value)| KeyValue::new(format!("{PREFIX}{key}"), value))
        .collect();
    let mut new = Checksums::default();
    let mut written = Written::new();
    for (table, (mut writer, file)) in TABLES.iter().zip(writers) {
        pairs
            .iter()
            .for_each(|pair| writer.append_key_value_metadata(pair.clone()));
        let sum = || {
            writer.into_inner()?.sync_all()?;
            Ok(Sha256::of_reader(file.reopen()?)?)
        };
        new.add(
            sum().map_err(|error| failed(table, error))?,
            below(table, &name),
        );
        written.push((table, file));
    }

    put(root, &name, &new, written, after_each)?;
    Ok(count)
}

/// Replaces the existing tables. At any time the checksums of the existing tables are listed.
fn put(
    root: &Path,
    name: &str,
    new: &Checksums,
    written: Written,
    after_each: &dyn Fn() -> Result<()>,
) -> Result<()> {
    let mut both = sums_there(root, name)?;
    let has_older = both.join(new);
    both.write(root, name)?;
    after_each()?;
    // The games come last: until they are in place, readers see the previous games, and the other files may have extra
    // rows.
    for (table, file) in written.into_iter().rev() {
        let path = root.join(below(table, name));
        files::put_in_place(file, &path).map_err(|error| unwritten(&path, error.into()))?;
        after_each()?;
    }
    if has_older {
        new.write(root, name)?;
    }
    Ok(())
}

/// The checksums of the existing tables: the listed ones, or in a run of an older program computed ones.
fn sums_there(root: &Path, name: &str) -> Result<Checksums> {
    if let Some(listed) = Checksums::read(root, name)? {
        return Ok(listed);
    }
    let mut sums = Checksums::default();
    for table in &TABLES {
        let path = root.join(below(table, name));
        match File::open(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            file => sums.add(
                at(&path, file.and_then(Sha256::of_reader))?,
                below(table, name),
            ),
        }
    }
    Ok(sums)
}

/// A table that is being written under a temporary name.
type Unfinished = (SerializedFileWriter<File>, tempfile::NamedTempFile);

fn begun(folder: &Path, table: &Table) -> parquet::errors::Result<Unfinished> {
    fs::create_dir_all(folder)?;
    let file = files::temporary_in(folder)?;
    let schema = Arc::new(parse_message_type(table.schema)?);
    let writer = SerializedFileWriter::new(file.reopen()?, schema, properties(table))?;
    Ok((writer, file))
}

/// The system error of a table that could not be written.
fn unwritten(path: &Path, error: ParquetError) -> FolderError {
    let source = match error {
        ParquetError::External(error) => match error.downcast() {
            Ok(error) => *error,
            Err(error) => io::Error::other(error),
        },
        error => io::Error::other(error),
    };
    WriteError::File {
        path: path.to_owned(),
        source,
    }
    .into()
}

/// Nothing in a file shows when or by which version it was written.
fn properties(table: &Table) -> Arc<WriterProperties> {
    let builder = WriterProperties::builder()
        .set_created_by(crate::PROGRAM.to_owned())
        .set_compression(Compression::ZSTD(ZstdLevel::default()))
        .set_dictionary_enabled(false)
        .set_max_row_group_row_count(Some(GROUP))
        .set_statistics_enabled(EnabledStatistics::Chunk);
    let delta = |builder: WriterPropertiesBuilder, column: &&str| {
        builder.set_column_encoding((*column).into(), Encoding::DELTA_BINARY_PACKED)
    };
    Arc::new(table.numbers.iter().fold(builder, delta).build())
}

fn write_group(
    writer: &mut SerializedFileWriter<File>,
    columns: &[Values],
) -> parquet::errors::Result<()> {
    let mut group = writer.next_row_group()?;
    for values in columns {
        let Some(mut column) = group.next_column()? else {
            break;
        };
        match (column.untyped(), values) {
            (ColumnWriter::Int64ColumnWriter(column), Values::Long(values)) => {
                column.write_batch(values, None, None)?
            }
            (ColumnWriter::Int32ColumnWriter(column), Values::Int(values)) => {
                column.write_batch(values, None, None)?
            }
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

/// The games of a strategy below a folder, in the order of their indices, with some tens of thousands in memory at a
/// time. Skips groups without any of these indices. Rows at `end` or beyond are an error. Costs that cannot be read are
/// unknown.
pub(super) fn read(
    root: &Path,
    arm: &Arm,
    indices: &Range<u64>,
    end: u64,
    verifier: &Verifier,
) -> Result<impl Iterator<Item = Result<Game>> + use<>> {
    let (arm, verifier) = (arm.clone(), verifier.clone());
    let open = |table: usize| -> Result<Option<Reader>> {
        let reader = Reader::open(root, &TABLES[table], &arm, &verifier)?;
        Ok(reader.map(|reader| Reader {
            games: reader.games.start..reader.games.end.min(end),
            ..reader
        }))
    };
    let mut games = open(GAMES)?;
    let mut moves = open(MOVES)?.map(Beside::new);
    if games.is_some() && moves.is_none() {
        return Err(damaged(
            &root.join(below(&TABLES[MOVES], &arm.file())),
            "there is no such file",
        ));
    }

    let costs_at = root.join(below(&TABLES[COSTS], &arm.file()));
    let costs = open(COSTS).and_then(|costs| {
        let missing = || damaged(&costs_at, "there is no such file");
        costs.map(Beside::new).ok_or_else(missing)
    });
    let mut costs = costs
        .inspect_err(|error| verifier.lose(&costs_at, error))
        .ok();
    let are_asked = |group: &usize| {
        let there = games
            .as_ref()
            .map_or(0..=0, |games| games.group_indices(*group));
        *there.start() < indices.end && indices.start <= *there.end()
    };

    let groups: Vec<usize> = (0..games.as_ref().map_or(0, Reader::groups))
        .filter(are_asked)
        .collect();
    let mut group = move |number: usize| -> Result<Vec<Game>> {
        let (Some(games), Some(moves)) = (&mut games, &mut moves) else {
            return Ok(Vec::new());
        };
        let rows = games.read(number)?;
        let Some(Values::Long(index)) = rows.first() else {
            return Ok(Vec::new());
        };
        let made = moves.rows_of(index)?;
        let took = costs.as_mut().map(|costs| {
            costs
                .rows_of(index)
                .and_then(|own_rows| costs_of(&costs.reader, &own_rows, &rows))
        });
        let took = took
            .unwrap_or_else(|| Ok(HashMap::new()))
            .unwrap_or_else(|error| {
                verifier.lose(&costs_at, &error);
                costs = None;
                HashMap::new()
            });
        games_of(&games.path, &rows, &arm, |row, index, count| {
            let made = match &made[..] {
                [Values::Long(indices), Values::Bytes(made)]
                    if indices.get(row) == Some(&index) =>
                {
                    unpacked(made[row].data(), count)
                }
                _ => None,
            };
            let made = made.ok_or_else(|| {
                damaged(
                    &moves.reader.path,
                    format!("the moves of game {index} are not in it"),
                )
            });
            Ok((made?, took.get(&index).cloned()))
        })
    };
    let rows = move |number| match group(number) {
        Ok(games) => games.into_iter().map(Ok).collect::<Vec<_>>(),
        Err(error) => vec![Err(error)],
    };

    Ok(groups.into_iter().flat_map(rows))
}

/// A table that is read along with that of the games. If a process was killed while it merged a folder, this table may
/// have rows that the games do not have yet.
struct Beside {
    reader: Reader,
    /// The group that is read next.
    next: usize,
    /// Rows that were read but not requested yet.
    pending: Vec<Values>,
}

impl Beside {
    fn new(reader: Reader) -> Self {
        Self {
            reader,
            next: 0,
            pending: Vec::new(),
        }
    }

    /// The rows with these indices, which rise from call to call.
    fn rows_of(&mut self, index: &[i64]) -> Result<Vec<Values>> {
        let (Some(&first), Some(&last)) = (index.first(), index.last()) else {
            return Ok(Vec::new());
        };
        while self
            .pending_index()
            .last()
            .is_none_or(|&index| index < last)
            && self.next < self.reader.groups()
        {
            let group = self.next;
            self.next += 1;
            if *self.reader.group_indices(group).end() < first.unsigned_abs() {
                continue;
            }
            let read = self.reader.read(group)?;
            if self.pending.is_empty() {
                self.pending = read;
            } else {
                self.pending
                    .iter_mut()
                    .zip(read)
                    .for_each(|(pending, read)| pending.append(read));
            }
        }
        if self.pending_index() == index {
            return Ok(std::mem::take(&mut self.pending));
        }
        let mut requested = index.iter().peekable();
        let (mut found, mut later) = (Vec::new(), Vec::new());

        for (row, &index) in self.pending_index().iter().enumerate() {
            while requested.next_if(|&&one| one < index).is_some() {}
            if requested.peek() == Some(&&index) {
                found.push(row);
            } else if last < index {
                later.push(row);
            }
        }

        let rows = self
            .pending
            .iter()
            .map(|values| values.at(&found))
            .collect();
        self.pending = self
            .pending
            .iter()
            .map(|values| values.at(&later))
            .collect();
        Ok(rows)
    }

    fn pending_index(&self) -> &[i64] {
        match self.pending.first() {
            Some(Values::Long(index)) => index,
            _ => &[],
        }
    }
}

fn read_column(reader: ColumnReader, rows: usize) -> parquet::errors::Result<Values> {
    Ok(match reader {
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
}

/// CPU time, nodes, and nodes by empty cells.
type Costs = (Duration, u64, ByEmpty);

/// The costs of these games.
fn costs_of(reader: &Reader, rows: &[Values], games: &[Values]) -> Result<HashMap<i64, Costs>> {
    let wrong = || damaged(&reader.path, "its columns do not match this table");
    let (index, cpu, nodes, sorted) = match rows {
        [] => return Ok(HashMap::new()),
        [Values::Long(index), Values::Long(cpu), Values::Long(nodes)] => (index, cpu, nodes, None),
        [
            Values::Long(index),
            Values::Long(cpu),
            Values::Long(nodes),
            Values::Bytes(sorted),
        ] => (index, cpu, nodes, Some(sorted)),
        _ => return Err(wrong()),
    };
    let [Values::Long(played), _, Values::Int(moves), ..] = games else {
        return Err(wrong());
    };
    let cost = |(row, &index): (usize, &i64)| {
        let [cpu, nodes] = [cpu[row], nodes[row]].map(u64::try_from);
        let (cpu, nodes) = (cpu.ok()?, nodes.ok()?);
        let by_empty = sorted.map_or(Some(ByEmpty::default()), |sorted| {
            ByEmpty::read(sorted[row].data())
        })?;
        let moves = moves[played.binary_search(&index).ok()?] as u32;
        by_empty
            .is_of(moves, nodes)
            .then_some((index, (Duration::from_nanos(cpu), nodes, by_empty)))
    };
    index
        .iter()
        .enumerate()
        .map(cost)
        .collect::<Option<_>>()
        .ok_or_else(wrong)
}

/// The games of rows, each checked to be possible for the strategy. `beside` finds the moves and the cost of a row.
fn games_of(
    path: &Path,
    rows: &[Values],
    arm: &Arm,
    beside: impl Fn(usize, i64, u32) -> Result<(Vec<Move>, Option<Costs>)>,
) -> Result<Vec<Game>> {
    let [
        Values::Long(index),
        Values::Int(score),
        Values::Int(moves),
        Values::Int(largest),
        Values::Bytes(boards),
    ] = rows
    else {
        return Err(damaged(path, "its columns do not match this table"));
    };
    let game = |row: usize| {
        let index = index[row];
        let wrong = |what: &str| damaged(path, format!("game {index}: {what}"));
        let board = board(boards[row].data(), arm.rules.size)
            .ok_or_else(|| wrong("its last board is unreadable"))?;
        let (tile, count) = (u64::from(largest[row] as u32), moves[row] as u32);
        if board.max_rank().tile() != tile {
            return Err(wrong(&format!("{tile} is not the largest tile of {board}")));
        }
        let (moves, cost) = beside(row, index, count)?;
        let outcome = Outcome {
            score: score[row] as u32,
            moves: count,
            largest: board.max_rank(),
        };
        let (cpu, nodes, by_empty) = cost
            .map_or((None, 0, ByEmpty::default()), |(cpu, nodes, by_empty)| {
                (Some(cpu), nodes, by_empty)
            });
        // A table has no negative index.
        let game = Game {
            index: index.unsigned_abs(),
            finish: Finish {
                outcome,
                board,
                nodes,
            },
            cpu,
            moves,
            by_empty,
        };
        arm.check(&game)
            .map_err(|error| damaged(path, error.to_string()))?;
        Ok(game)
    };
    (0..index.len()).map(game).collect()
}
