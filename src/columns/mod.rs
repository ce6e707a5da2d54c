//! Long tables as data, written as Parquet, CSV or JSON lines.
//!
//! A table is a list of columns; each has a name, a kind, a meaning and a function that takes its cell from a row. The
//! list is the only place to edit for another column: every format and `afterstate export --columns` read it.
//!
//! | kind | Parquet | CSV | JSON |
//! | --- | --- | --- | --- |
//! | [`Kind::Text`] | `binary (string)` | text | string |
//! | [`Kind::Whole`] | `int64` | digits | number |
//! | [`Kind::Number`] | `double` | as many digits as it takes to read the same number | number |
//!
//! A missing cell is null in Parquet and JSON, and empty in CSV. Rows are written as they come, so a table may be larger
//! than memory. A file is complete, or it is not there.

use std::fs::File;
use std::io::{self, BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parquet::basic::{Compression, ZstdLevel};
use parquet::column::writer::ColumnWriter;
use parquet::data_type::ByteArray;
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;

use crate::files::{self, CsvRows, WriteError};

/// Rows per row group of a Parquet file, the unit that is in memory.
const GROUP: usize = 1 << 16;

/// A cell of a table.
#[derive(Clone, PartialEq, Debug)]
pub enum Cell {
    Missing,
    Text(String),
    Whole(i64),
    Number(f64),
}

impl Cell {
    /// A count. Those beyond 2⁶³ are missing.
    pub fn count(number: u64) -> Self {
        i64::try_from(number).map_or(Self::Missing, Self::Whole)
    }

    pub fn number(value: Option<f64>) -> Self {
        value.map_or(Self::Missing, Self::Number)
    }

    pub fn text(value: Option<impl ToString>) -> Self {
        value.map_or(Self::Missing, |value| Self::Text(value.to_string()))
    }

    /// Its text in CSV.
    pub fn csv_text(&self) -> String {
        match self {
            Self::Missing => String::new(),
            Self::Text(text) => text.clone(),
            Self::Whole(number) => number.to_string(),
            Self::Number(number) => number.to_string(),
        }
    }

    fn json_text(&self) -> io::Result<String> {
        Ok(match self {
            Self::Missing => "null".to_owned(),
            Self::Text(text) => serde_json::to_string(text)?,
            Self::Whole(number) => number.to_string(),
            // Infinity is null.
            Self::Number(number) => serde_json::to_string(number)?,
        })
    }
}

/// What the cells of a column are, unless they are missing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Text,
    Whole,
    Number,
}

/// The head of a column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Head {
    pub name: &'static str,
    pub kind: Kind,
    /// Its meaning, for the reference.
    pub about: &'static str,
}

/// A column of a table of rows `R`.
pub struct Column<R> {
    pub head: Head,
    pub cell: fn(&R) -> Cell,
}

impl<R> Column<R> {
    pub const fn new(
        name: &'static str,
        kind: Kind,
        about: &'static str,
        cell: fn(&R) -> Cell,
    ) -> Self {
        Self {
            head: Head { name, kind, about },
            cell,
        }
    }
}

/// The heads of columns.
pub fn heads<R>(columns: &[Column<R>]) -> Vec<Head> {
    columns.iter().map(|column| column.head).collect()
}

/// The cells of a row.
pub fn cells<R>(columns: &[Column<R>], row: &R) -> Vec<Cell> {
    columns.iter().map(|column| (column.cell)(row)).collect()
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TableFormat {
    Parquet,
    Csv,
    JsonLines,
}

impl TableFormat {
    pub const ALL: [Self; 3] = [Self::Parquet, Self::Csv, Self::JsonLines];

    /// The ending of its files.
    pub const fn ending(self) -> &'static str {
        match self {
            Self::Parquet => "parquet",
            Self::Csv => "csv",
            Self::JsonLines => "jsonl",
        }
    }

    /// The format of a file, by its ending.
    pub fn of_path(path: &Path) -> Option<Self> {
        let ending = path.extension()?;
        Self::ALL
            .into_iter()
            .find(|format| ending.eq_ignore_ascii_case(format.ending()))
    }
}

#[derive(Debug, thiserror::Error)]
pub enum TableError {
    #[error("{}: end the name of a table in .parquet, .csv or .jsonl", path.display())]
    Ending { path: PathBuf },
    #[error(transparent)]
    Unwritten(#[from] WriteError),
}

/// A table that is being written. [`TableFile::finish`] puts it in its place.
pub struct TableFile {
    path: PathBuf,
    heads: Vec<Head>,
    temporary: tempfile::NamedTempFile,
    sink: Sink,
    rows: u64,
}

enum Sink {
    Parquet {
        writer: SerializedFileWriter<File>,
        cells: Vec<Vec<Cell>>,
    },
    Csv(Box<CsvRows<BufWriter<File>>>),
    JsonLines(BufWriter<File>),
}

impl TableFile {
    /// Begins a table in the format of the ending of its name.
    pub fn create(path: &Path, heads: Vec<Head>) -> Result<Self, TableError> {
        let format = TableFormat::of_path(path).ok_or_else(|| TableError::Ending {
            path: path.to_owned(),
        })?;
        let begin = || -> io::Result<(tempfile::NamedTempFile, Sink)> {
            let temporary = files::temporary_in(files::folder_of(path))?;
            let file = temporary.reopen()?;
            let sink = match format {
                TableFormat::Parquet => Sink::Parquet {
                    writer: parquet_writer(file, &heads).map_err(of_parquet)?,
                    cells: vec![Vec::new(); heads.len()],
                },
                TableFormat::Csv => {
                    let mut csv = CsvRows::new(BufWriter::new(file));
                    csv.row(heads.iter().map(|head| head.name))?;
                    Sink::Csv(Box::new(csv))
                }
                TableFormat::JsonLines => Sink::JsonLines(BufWriter::new(file)),
            };
            Ok((temporary, sink))
        };
        let (temporary, sink) = begin().map_err(|source| unwritten(path, source))?;
        Ok(Self {
            path: path.to_owned(),
            heads,
            temporary,
            sink,
            rows: 0,
        })
    }

    /// Adds a row with a cell for each column.
    pub fn row(&mut self, cells: Vec<Cell>) -> Result<(), TableError> {
        self.rows += 1;
        self.put(cells)
            .map_err(|source| unwritten(&self.path, source).into())
    }

    fn put(&mut self, cells: Vec<Cell>) -> io::Result<()> {
        match &mut self.sink {
            Sink::Csv(csv) => csv.row(cells.iter().map(Cell::csv_text)),
            Sink::JsonLines(out) => {
                for (index, (head, cell)) in self.heads.iter().zip(&cells).enumerate() {
                    let before = if index == 0 { "{" } else { "," };
                    write!(out, "{before}\"{}\":{}", head.name, cell.json_text()?)?;
                }
                out.write_all(b"}\n")
            }
            Sink::Parquet {
                writer,
                cells: groups,
            } => {
                for (group, cell) in groups.iter_mut().zip(cells) {
                    group.push(cell);
                }
                if groups.first().is_some_and(|group| group.len() == GROUP) {
                    write_group(writer, groups).map_err(of_parquet)?;
                }
                Ok(())
            }
        }
    }

    /// Completes the file and returns the number of its rows.
    pub fn finish(self) -> Result<u64, TableError> {
        let Self {
            path,
            temporary,
            sink,
            rows,
            ..
        } = self;
        let end = || -> io::Result<()> {
            match sink {
                Sink::Csv(mut csv) => csv.flush()?,
                Sink::JsonLines(mut out) => out.flush()?,
                Sink::Parquet {
                    mut writer,
                    mut cells,
                } => {
                    write_group(&mut writer, &mut cells).map_err(of_parquet)?;
                    writer.close().map_err(of_parquet)?;
                }
            }
            temporary.as_file().sync_all()?;
            files::put_in_place(temporary, &path)
        };
        end().map_err(|source| unwritten(&path, source))?;
        Ok(rows)
    }
}

fn unwritten(path: &Path, source: io::Error) -> WriteError {
    WriteError::File {
        path: path.to_owned(),
        source,
    }
}

fn of_parquet(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(error) => match error.downcast() {
            Ok(error) => *error,
            Err(error) => io::Error::other(error),
        },
        error => io::Error::other(error),
    }
}

fn parquet_writer(
    file: File,
    heads: &[Head],
) -> parquet::errors::Result<SerializedFileWriter<File>> {
    let fields = heads.iter().map(|Head { name, kind, .. }| match kind {
        Kind::Text => format!("optional binary {name} (string); "),
        Kind::Whole => format!("optional int64 {name}; "),
        Kind::Number => format!("optional double {name}; "),
    });
    let schema = format!("message table {{ {}}}", fields.collect::<String>());
    let properties = WriterProperties::builder()
        .set_created_by(crate::PROGRAM.to_owned())
        .set_compression(Compression::ZSTD(ZstdLevel::default()))
        .set_max_row_group_row_count(Some(GROUP))
        .build();
    SerializedFileWriter::new(
        file,
        Arc::new(parse_message_type(&schema)?),
        Arc::new(properties),
    )
}

/// Writes the rows so far and forgets them. A cell of another kind than its column's is an error.
fn write_group(
    writer: &mut SerializedFileWriter<File>,
    columns: &mut [Vec<Cell>],
) -> parquet::errors::Result<()> {
    if columns.first().is_none_or(Vec::is_empty) {
        return Ok(());
    }
    let mut group = writer.next_row_group()?;
    for cells in columns {
        let Some(mut column) = group.next_column()? else {
            break;
        };
        let defined: Vec<i16> = cells
            .iter()
            .map(|cell| i16::from(*cell != Cell::Missing))
            .collect();
        let there = cells.drain(..).filter(|cell| *cell != Cell::Missing);
        let other = |cell: &Cell| {
            ParquetError::General(format!("{cell:?} is of another kind than its column"))
        };
        match column.untyped() {
            ColumnWriter::ByteArrayColumnWriter(column) => {
                let texts = there.map(|cell| match cell {
                    Cell::Text(text) => Ok(ByteArray::from(text.into_bytes())),
                    cell => Err(other(&cell)),
                });
                column.write_batch(&texts.collect::<Result<Vec<_>, _>>()?, Some(&defined), None)?;
            }
            ColumnWriter::Int64ColumnWriter(column) => {
                let numbers = there.map(|cell| match cell {
                    Cell::Whole(number) => Ok(number),
                    cell => Err(other(&cell)),
                });
                column.write_batch(
                    &numbers.collect::<Result<Vec<_>, _>>()?,
                    Some(&defined),
                    None,
                )?;
            }
            ColumnWriter::DoubleColumnWriter(column) => {
                let numbers = there.map(|cell| match cell {
                    Cell::Number(number) => Ok(number),
                    cell => Err(other(&cell)),
                });
                column.write_batch(
                    &numbers.collect::<Result<Vec<_>, _>>()?,
                    Some(&defined),
                    None,
                )?;
            }
            _ => return Err(ParquetError::General("a column of another type".to_owned())),
        }
        column.close()?;
    }
    group.close()?;
    Ok(())
}

/// The rows of a Parquet file as JSON objects, for tests: what other programs read.
#[cfg(test)]
pub(crate) fn read_parquet(path: &Path) -> Vec<serde_json::Value> {
    use parquet::file::reader::{FileReader as _, SerializedFileReader};
    let reader = SerializedFileReader::new(File::open(path).expect("a file")).expect("Parquet");
    let rows = reader.get_row_iter(None).expect("rows");
    let object = |row: parquet::record::Row| {
        let cells = row
            .get_column_iter()
            .map(|(name, field)| (name.clone(), json_of(field)));
        serde_json::Value::Object(cells.collect())
    };
    rows.map(|row| object(row.expect("a row"))).collect()
}

#[cfg(test)]
fn json_of(field: &parquet::record::Field) -> serde_json::Value {
    use parquet::record::Field;
    match field {
        Field::Null => serde_json::Value::Null,
        Field::Long(number) => (*number).into(),
        Field::Double(number) => (*number).into(),
        Field::Str(text) => text.as_str().into(),
        other => panic!("{other:?} is of no kind of column"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Row {
        name: Option<&'static str>,
        count: u64,
        value: f64,
    }

    const COLUMNS: [Column<Row>; 3] = [
        Column::new("name", Kind::Text, "its name", |row| Cell::text(row.name)),
        Column::new("count", Kind::Whole, "a count", |row| {
            Cell::count(row.count)
        }),
        Column::new("value", Kind::Number, "a value", |row| {
            Cell::Number(row.value)
        }),
    ];

    fn written(name: &str, rows: &[Row]) -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join(name);
        let mut table = TableFile::create(&path, heads(&COLUMNS)).expect("a table");
        assert!(!path.exists(), "not before it is complete");
        rows.iter()
            .for_each(|row| table.row(cells(&COLUMNS, row)).expect("writable"));
        assert_eq!(table.finish().expect("writable"), rows.len() as u64);
        (folder, path)
    }

    #[test]
    fn every_format_holds_the_same_cells() {
        let rows = [
            Row {
                name: Some("=a, \"b\"\nc"),
                count: 0,
                value: 0.1,
            },
            Row {
                name: None,
                count: u64::MAX,
                value: -1.5e300,
            },
            Row {
                name: Some(""),
                count: 1 << 40,
                value: 2.0,
            },
        ];
        let (_folder, lines) = written("a.jsonl", &rows);
        let lines = std::fs::read_to_string(lines).expect("text");
        let objects: Vec<serde_json::Value> = lines
            .lines()
            .map(|line| serde_json::from_str(line).expect("JSON"))
            .collect();
        assert_eq!(
            objects[0],
            serde_json::json!({"name": "=a, \"b\"\nc", "count": 0, "value": 0.1})
        );
        assert_eq!(
            objects[1],
            serde_json::json!({"name": null, "count": null, "value": -1.5e300})
        );

        let (_folder, parquet) = written("a.PARQUET", &rows);
        assert_eq!(read_parquet(&parquet), objects);

        let (_folder, csv) = written("a.csv", &rows);
        let mut reader = csv::Reader::from_path(csv).expect("CSV");
        let records: Vec<csv::StringRecord> = reader
            .records()
            .map(|record| record.expect("a row"))
            .collect();
        assert_eq!(
            reader.headers().expect("a head"),
            vec!["name", "count", "value"]
        );
        assert_eq!(records[0], vec!["'=a, \"b\"\nc", "0", "0.1"]);
        assert_eq!(
            (&records[1][0], &records[1][1], records[1][2].parse()),
            ("", "", Ok(-1.5e300))
        );
    }

    #[test]
    fn row_groups_join_to_one_table() {
        let rows: Vec<Row> = (0..GROUP as u64 + 3)
            .map(|count| Row {
                name: None,
                count,
                value: 0.0,
            })
            .collect();
        let (_folder, path) = written("a.parquet", &rows);
        let read = read_parquet(&path);
        assert!(
            read.iter()
                .zip(0..)
                .all(|(row, count)| row["count"] == count)
                && read.len() == rows.len()
        );
    }

    #[test]
    fn another_ending_is_refused_before_anything_is_written() {
        let refusal = TableFile::create(Path::new("a.xlsx"), heads(&COLUMNS))
            .err()
            .map(|error| error.to_string());
        assert_eq!(
            refusal.as_deref(),
            Some("a.xlsx: end the name of a table in .parquet, .csv or .jsonl")
        );
        let folder = tempfile::tempdir().expect("a temporary folder");
        let inside = folder.path().join("no/such/folder/a.csv");
        assert!(matches!(
            TableFile::create(&inside, heads(&COLUMNS)),
            Err(TableError::Unwritten(_))
        ));
    }
}
