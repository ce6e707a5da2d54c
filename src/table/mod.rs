//! Tables as data: columns with a key, a title, a unit and digits, cells with typed values, one renderer per format.
//!
//! A column is one line and the only place that knows its number:
//!
//! ```
//! use afterstate_engine::table::{Column, Digits, Table};
//!
//! let columns = [
//!     Column::text("name", "strategy", "name of the strategy", |row: &(&'static str, f64)| row.0),
//!     Column::number("mean", "mean", "mean score", |row: &(&'static str, f64)| row.1).digits(Digits::Places(1)),
//! ];
//! let table = Table::of(&columns, [("er", 1948.13)]);
//! assert_eq!(table.markdown(), "| strategy | mean |\n| --- | ---: |\n| er | 1,948.1 |\n");
//! assert_eq!(table.csv(), "name,mean\ner,1948.13\n");
//! ```
//!
//! Programs get every number in its base unit and with all its digits, people get it in the unit and with the digits
//! of its column, the same in every format:
//!
//! | cell | people | LaTeX | CSV | JSON |
//! | --- | --- | --- | --- | --- |
//! | [`Cell::Missing`] | `–` | `{--}` | empty | null |
//! | [`Cell::Interval`] | `4.1 to 5.0` | two columns | two columns | `[4.1, 5.0]` |
//! | [`Cell::Estimate`] | by [`Spread`] | one to three columns | three columns | `{"value": …, "ci95": […]}` |
//! | [`Cell::Shown`] | its text | its text | its value | its value |
//! | a share | `91.2 %` | `91.2`, the title has the unit | `0.912` | `0.912` |
//!
//! To add a kind of cell: a variant of [`Cell`] and of [`Kind`], and an arm in each function of `render.rs`. To add a
//! format: a method in `render.rs`.

mod render;
#[cfg(test)]
mod tests;

pub use render::MISSING;

use crate::stats::Interval;
use crate::words;

/// A value, at full precision.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    Missing,
    /// A word for people in place of a missing value, such as `baseline`.
    Note(String),
    Text(String),
    Whole(u64),
    Number(f64),
    Interval(Interval),
    /// A number with its 95 % interval, if there is one.
    Estimate(f64, Option<Interval>),
    /// A value with its own format, in a column of different quantities.
    Own(Format, Box<Cell>),
    /// A value that people see as a text, such as `3.4 MiB`.
    Shown(String, Box<Cell>),
}

impl Cell {
    pub fn note(text: impl Into<String>) -> Self {
        Self::Note(text.into())
    }

    pub fn shown(text: impl Into<String>, value: impl Into<Self>) -> Self {
        Self::Shown(text.into(), Box::new(value.into()))
    }

    /// The cell with its own format, unless it is missing.
    pub fn with(self, format: Format) -> Self {
        match self {
            Self::Missing | Self::Note(_) => self,
            cell => Self::Own(format, Box::new(cell)),
        }
    }

    /// The numbers that decide about the digits of a column: the value, and half the width of its interval.
    fn numbers(&self) -> (Option<f64>, Option<f64>) {
        match self {
            Self::Missing | Self::Note(_) | Self::Text(_) | Self::Own(..) | Self::Shown(..) => {
                (None, None)
            }
            Self::Whole(number) => (Some(*number as f64), None),
            Self::Number(number) => (Some(*number), None),
            Self::Interval(interval) => (None, Some(interval.half_width())),
            Self::Estimate(number, interval) => (
                Some(*number),
                interval.map(|interval| interval.half_width()),
            ),
        }
    }

    /// Its order in a sorted column: a number, or the lower end of an interval. `None` if it has none.
    pub fn sort_value(&self) -> Option<f64> {
        match self {
            Self::Interval(interval) => Some(interval.low),
            Self::Own(_, cell) | Self::Shown(_, cell) => cell.sort_value(),
            cell => cell.numbers().0,
        }
    }

    /// The value without its own format and text for people.
    pub fn value(&self) -> &Self {
        match self {
            Self::Own(_, cell) | Self::Shown(_, cell) => cell.value(),
            cell => cell,
        }
    }
}

impl<T: Into<Self>> From<Option<T>> for Cell {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Missing, Into::into)
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<f64> for Cell {
    fn from(number: f64) -> Self {
        if number.is_nan() {
            Self::Missing
        } else {
            Self::Number(number)
        }
    }
}

impl From<u64> for Cell {
    fn from(number: u64) -> Self {
        Self::Whole(number)
    }
}

impl From<u32> for Cell {
    fn from(number: u32) -> Self {
        Self::Whole(number.into())
    }
}

impl From<usize> for Cell {
    fn from(number: usize) -> Self {
        Self::Whole(number as u64)
    }
}

impl From<Interval> for Cell {
    fn from(interval: Interval) -> Self {
        Self::Interval(interval)
    }
}

impl From<(f64, Option<Interval>)> for Cell {
    fn from((number, interval): (f64, Option<Interval>)) -> Self {
        Self::Estimate(number, interval)
    }
}

/// What the cells of a column are, unless they are missing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Text,
    Whole,
    Number,
    Interval,
    Estimate,
}

/// The decimals that people see.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Digits {
    Places(usize),
    /// Two significant digits of the smallest half-width in the column; see [`places_of_halves`].
    Warranted,
    /// Those of the column with this key.
    Like(&'static str),
    /// Three significant digits.
    Three,
    /// All of them; see [`words::exact`].
    Exact,
    /// Two significant digits, however small a probability is.
    Probability,
}

impl From<usize> for Digits {
    fn from(places: usize) -> Self {
        Self::Places(places)
    }
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Unit {
    /// The number of these units in the base unit.
    pub scale: f64,
    /// Behind each number: ` %`.
    pub suffix: &'static str,
}

impl Unit {
    pub const NONE: Self = Self {
        scale: 1.0,
        suffix: "",
    };
    /// Of a share from 0 to 1.
    pub const PERCENT: Self = Self {
        scale: 100.0,
        suffix: " %",
    };
    /// Of seconds. The title of the column names the unit.
    pub const MILLISECONDS: Self = Self {
        scale: 1000.0,
        suffix: "",
    };
}

/// How people see the interval of an estimate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Spread {
    /// Only the estimate.
    Hidden,
    /// `1,240 ± 60`.
    HalfWidth,
    /// `1,240, 1,184 to 1,301`.
    Ends,
}

/// How people see a number.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Format {
    pub digits: Digits,
    pub unit: Unit,
    /// Whether positive numbers have a `+`; the ends of intervals have none.
    pub is_signed: bool,
    pub spread: Spread,
}

impl Format {
    pub const fn digits(digits: Digits) -> Self {
        Self {
            digits,
            unit: Unit::NONE,
            is_signed: false,
            spread: Spread::HalfWidth,
        }
    }

    pub const fn places(places: usize) -> Self {
        Self::digits(Digits::Places(places))
    }

    pub const fn percent(places: usize) -> Self {
        Self {
            unit: Unit::PERCENT,
            ..Self::places(places)
        }
    }
}

/// The formats that have a column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Formats(u8);

impl Formats {
    pub const CSV: Self = Self(1);
    pub const JSON: Self = Self(2);
    pub const TERMINAL: Self = Self(4);
    /// Markdown, HTML, and text with tabs.
    pub const REPORT: Self = Self(8);
    /// A table in LaTeX, for the width of a page.
    pub const PAPER: Self = Self(16);
    pub const PROGRAMS: Self = Self::CSV.and(Self::JSON);
    pub const PEOPLE: Self = Self::TERMINAL.and(Self::REPORT).and(Self::PAPER);
    pub const ALL: Self = Self::PROGRAMS.and(Self::PEOPLE);

    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    pub const fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

/// All of a column but its cells.
#[derive(Clone, PartialEq, Debug)]
pub struct Head {
    /// The name in CSV and JSON.
    pub key: String,
    /// The name for people.
    pub title: String,
    /// The meaning.
    pub about: String,
    pub kind: Kind,
    pub format: Format,
    pub formats: Formats,
    /// Whether the window shows the title unchanged, because it is a name or a unit.
    pub is_named: bool,
    /// Whether the first click on its title in the window sorts the largest first.
    pub falls: bool,
    /// Whether numbers are sorted by their size without the sign.
    pub sorts_by_size: bool,
    /// The name in JSON, if it is another.
    json_key: Option<String>,
    /// The names of the ends of an interval in CSV, if they are not `key_low` and `key_high`.
    end_keys: Option<[String; 2]>,
    /// The titles of the ends of an interval in formats with a column for each.
    end_titles: [&'static str; 2],
}

impl Head {
    fn new(
        kind: Kind,
        key: impl Into<String>,
        title: impl Into<String>,
        about: impl Into<String>,
    ) -> Self {
        Self {
            key: key.into(),
            title: title.into(),
            about: about.into(),
            kind,
            format: Format::places(0),
            formats: Formats::ALL,
            is_named: false,
            falls: kind != Kind::Text,
            sorts_by_size: false,
            json_key: None,
            end_keys: None,
            end_titles: ["low", "high"],
        }
    }

    /// Of a table without a dictionary: the key is the title.
    fn titled(kind: Kind, title: impl Into<String>) -> Self {
        let title = title.into();
        Self::new(kind, title.clone(), title, "")
    }

    pub fn text(title: impl Into<String>) -> Self {
        Self::titled(Kind::Text, title)
    }

    pub fn whole(title: impl Into<String>) -> Self {
        Self::titled(Kind::Whole, title)
    }

    pub fn number(title: impl Into<String>, digits: impl Into<Digits>) -> Self {
        Self {
            format: Format::digits(digits.into()),
            ..Self::titled(Kind::Number, title)
        }
    }

    /// Of shares.
    pub fn percent(title: impl Into<String>, places: usize) -> Self {
        Self {
            format: Format::percent(places),
            ..Self::titled(Kind::Number, title)
        }
    }

    /// Of differences.
    pub fn signed(title: impl Into<String>, places: usize) -> Self {
        Self {
            format: Format {
                is_signed: true,
                ..Format::places(places)
            },
            ..Self::titled(Kind::Number, title)
        }
    }

    /// The title in the window.
    pub fn capitalised(&self) -> String {
        if self.is_named {
            self.title.clone()
        } else {
            words::capitalised(&self.title)
        }
    }

    pub fn is_number(&self) -> bool {
        self.kind != Kind::Text
    }

    /// The order of a cell in the sorted column; see [`Cell::sort_value`].
    pub fn sort_value(&self, cell: &Cell) -> Option<f64> {
        cell.sort_value().map(|value| {
            if self.sorts_by_size {
                value.abs()
            } else {
                value
            }
        })
    }

    pub fn json_key(&self) -> &str {
        self.json_key.as_ref().unwrap_or(&self.key)
    }
}

type Get<'a, R> = Box<dyn Fn(&R) -> Cell + 'a>;

/// A column of a table of rows `R`.
pub struct Column<'a, R> {
    pub head: Head,
    cell: Get<'a, R>,
}

impl<'a, R> Column<'a, R> {
    pub fn new<C: Into<Cell>>(
        kind: Kind,
        key: impl Into<String>,
        title: impl Into<String>,
        about: impl Into<String>,
        cell: impl Fn(&R) -> C + 'a,
    ) -> Self {
        Self::of(Head::new(kind, key, title, about), cell)
    }

    /// A column below a head.
    pub fn of<C: Into<Cell>>(head: Head, cell: impl Fn(&R) -> C + 'a) -> Self {
        Self {
            head,
            cell: Box::new(move |row| cell(row).into()),
        }
    }

    /// A column whose title is its key, for tables without a dictionary.
    pub fn titled<C: Into<Cell>>(
        kind: Kind,
        title: impl Into<String>,
        cell: impl Fn(&R) -> C + 'a,
    ) -> Self {
        Self::of(Head::titled(kind, title), cell)
    }

    pub fn text<C: Into<Cell>>(
        key: impl Into<String>,
        title: impl Into<String>,
        about: impl Into<String>,
        cell: impl Fn(&R) -> C + 'a,
    ) -> Self {
        Self::new(Kind::Text, key, title, about, cell)
    }

    pub fn whole<C: Into<Cell>>(
        key: impl Into<String>,
        title: impl Into<String>,
        about: impl Into<String>,
        cell: impl Fn(&R) -> C + 'a,
    ) -> Self {
        Self::new(Kind::Whole, key, title, about, cell)
    }

    pub fn number<C: Into<Cell>>(
        key: impl Into<String>,
        title: impl Into<String>,
        about: impl Into<String>,
        cell: impl Fn(&R) -> C + 'a,
    ) -> Self {
        Self::new(Kind::Number, key, title, about, cell)
    }

    /// The digits are those that the widths of the intervals warrant.
    pub fn interval<C: Into<Cell>>(
        key: impl Into<String>,
        title: impl Into<String>,
        about: impl Into<String>,
        cell: impl Fn(&R) -> C + 'a,
    ) -> Self {
        Self::new(Kind::Interval, key, title, about, cell).digits(Digits::Warranted)
    }

    /// The digits are those that the widths of the intervals warrant.
    pub fn estimate<C: Into<Cell>>(
        key: impl Into<String>,
        title: impl Into<String>,
        about: impl Into<String>,
        cell: impl Fn(&R) -> C + 'a,
    ) -> Self {
        Self::new(Kind::Estimate, key, title, about, cell).digits(Digits::Warranted)
    }

    /// The column in a table of rows that contain such a row.
    pub fn within<S>(self, part: impl Fn(&S) -> R + 'a) -> Column<'a, S>
    where
        R: 'a,
    {
        Column {
            head: self.head,
            cell: Box::new(move |row| (self.cell)(&part(row))),
        }
    }

    #[must_use]
    pub fn digits(mut self, digits: Digits) -> Self {
        self.head.format.digits = digits;
        self
    }

    #[must_use]
    pub fn unit(mut self, unit: Unit) -> Self {
        self.head.format.unit = unit;
        self
    }

    #[must_use]
    pub fn spread(mut self, spread: Spread) -> Self {
        self.head.format.spread = spread;
        self
    }

    #[must_use]
    pub fn signed(mut self) -> Self {
        self.head.format.is_signed = true;
        self
    }

    /// The only formats that have this column.
    #[must_use]
    pub fn only(mut self, formats: Formats) -> Self {
        self.head.formats = formats;
        self
    }

    /// Shows the title unchanged in the window, because it is a name or a unit.
    #[must_use]
    pub fn named(mut self) -> Self {
        self.head.is_named = true;
        self
    }

    /// Makes the first click on the title sort the smallest first …
    #[must_use]
    pub fn rising(mut self) -> Self {
        self.head.falls = false;
        self
    }

    /// … or the largest.
    #[must_use]
    pub fn falling(mut self) -> Self {
        self.head.falls = true;
        self
    }

    /// Sorts by size, without the sign.
    #[must_use]
    pub fn by_size(mut self) -> Self {
        self.head.sorts_by_size = true;
        self
    }

    /// The order of a row in the sorted column.
    pub fn sort_value(&self, row: &R) -> Option<f64> {
        self.head.sort_value(&(self.cell)(row))
    }

    #[must_use]
    pub fn json_key(mut self, key: impl Into<String>) -> Self {
        self.head.json_key = Some(key.into());
        self
    }

    /// The names of the ends of an interval in CSV.
    #[must_use]
    pub fn end_keys(mut self, keys: [String; 2]) -> Self {
        self.head.end_keys = Some(keys);
        self
    }

    /// The titles of the ends of an interval in formats with a column for each.
    #[must_use]
    pub fn end_titles(mut self, titles: [&'static str; 2]) -> Self {
        self.head.end_titles = titles;
        self
    }
}

/// A table in memory.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Table {
    pub heads: Vec<Head>,
    /// A cell for each head.
    pub rows: Vec<Vec<Cell>>,
}

impl Table {
    pub fn of<R>(columns: &[Column<'_, R>], rows: impl IntoIterator<Item = R>) -> Self {
        let cells = |row: R| columns.iter().map(|column| (column.cell)(&row)).collect();
        Self {
            heads: columns.iter().map(|column| column.head.clone()).collect(),
            rows: rows.into_iter().map(cells).collect(),
        }
    }

    /// The table with further columns of the same rows.
    #[must_use]
    pub fn beside(mut self, other: Self) -> Self {
        self.heads.extend(other.heads);
        self.rows
            .iter_mut()
            .zip(other.rows)
            .for_each(|(row, cells)| row.extend(cells));
        self
    }

    /// The columns that `is_wanted`.
    #[must_use]
    pub fn columns(mut self, is_wanted: impl Fn(&Head) -> bool) -> Self {
        let wanted: Vec<bool> = self.heads.iter().map(is_wanted).collect();
        let mut keep = wanted.iter();
        self.heads.retain(|_| keep.next().is_some_and(|keep| *keep));
        for row in &mut self.rows {
            let mut keep = wanted.iter();
            row.retain(|_| keep.next().is_some_and(|keep| *keep));
        }
        self
    }

    /// Without the columns of numbers that are all 0 or missing.
    #[must_use]
    pub fn without_zeros(self) -> Self {
        let zeros =
            self.columns_of_only(|cell| cell.sort_value().is_none_or(|number| number == 0.0));
        self.columns(|head| !head.is_number() || !zeros.contains(&head.key))
    }

    /// The keys of the columns whose cells all are `such`.
    pub fn columns_of_only(&self, such: impl Fn(&Cell) -> bool) -> Vec<String> {
        let is_such = |column: usize| self.rows.iter().all(|row| such(&row[column]));
        let heads = self
            .heads
            .iter()
            .enumerate()
            .filter(|(column, _)| is_such(*column));
        heads.map(|(_, head)| head.key.clone()).collect()
    }

    /// The table in which people see only the columns that `is_wanted`.
    #[must_use]
    pub fn for_people(mut self, is_wanted: impl Fn(&Head) -> bool) -> Self {
        for head in self.heads.iter_mut().filter(|head| !is_wanted(head)) {
            head.formats = head.formats.without(Formats::PEOPLE);
        }
        self
    }

    /// The columns of a format.
    #[must_use]
    pub fn only(self, format: Formats) -> Self {
        self.columns(|head| head.formats.has(format))
    }

    pub fn column(&self, key: &str) -> Option<usize> {
        self.heads.iter().position(|head| head.key == key)
    }

    /// The digits of a column: never those of others.
    fn digits(&self, column: usize) -> Digits {
        let format = self.heads[column].format;
        let cells = || {
            self.rows
                .iter()
                .filter_map(|row| row.get(column))
                .map(Cell::numbers)
        };
        match format.digits {
            Digits::Like(key) => match self.column(key) {
                Some(other) if other != column => self.digits(other),
                _ => Digits::Places(0),
            },
            Digits::Warranted => Digits::Places(places_of_halves(
                cells()
                    .filter_map(|(_, half)| half)
                    .map(|half| half * format.unit.scale),
            )),
            digits => digits,
        }
    }
}

/// The most decimals that half-widths warrant.
const MOST_PLACES: usize = 3;

/// The decimals that numbers with these half-widths warrant: two significant digits of the smallest half-width, at
/// most three decimals; none without half-widths.
pub fn places_of_halves(halves: impl IntoIterator<Item = f64>) -> usize {
    let smallest = halves
        .into_iter()
        .filter(|half| 0.0 < *half && half.is_finite())
        .reduce(f64::min);
    // 9.95 would be rounded to 10.
    let is_enough = |places: &usize| {
        smallest.is_none_or(|half| 9.95 <= half * crate::math::powi(10.0, *places as i32))
    };
    (0..MOST_PLACES).find(is_enough).unwrap_or(MOST_PLACES)
}
