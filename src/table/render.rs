//! Tables as text: for people, for documents, for programs.

use std::fmt;
use std::io::{self, Write};

use serde::ser::{Serialize, SerializeMap as _, Serializer};

use super::{Cell, Digits, Format, Head, Kind, Spread, Table, places_of_halves};
use crate::files::{CsvRows, in_memory};
use crate::stats::Interval;
use crate::words;
use crate::words::escape::{self, markdown_table};

/// A missing value for people.
pub const MISSING: &str = "–";

/// A number without its unit, in a format whose digits are known.
fn number(value: f64, format: Format, digits: Digits) -> String {
    let value = value * format.unit.scale;
    match digits {
        Digits::Three => words::three_digits(value),
        Digits::Exact => words::exact(value),
        Digits::Probability => words::small_probability(value),
        Digits::Places(places) if format.is_signed => words::signed(value, places),
        Digits::Places(places) => words::decimals(value, places),
        Digits::Warranted | Digits::Like(_) => words::decimals(value, 0),
    }
}

/// The ends of an interval, without units. Intervals on one side have no upper end.
fn ends(interval: Interval, format: Format, digits: Digits) -> [String; 2] {
    let end = |end: f64| {
        number(
            end,
            Format {
                is_signed: false,
                ..format
            },
            digits,
        )
    };
    let high = if interval.high == f64::INFINITY {
        "unlimited".to_owned()
    } else {
        end(interval.high)
    };
    [end(interval.low), high]
}

fn half(interval: Interval, format: Format, digits: Digits) -> String {
    number(
        interval.half_width(),
        Format {
            is_signed: false,
            ..format
        },
        digits,
    )
}

/// The digits of a cell with its own format.
fn own_digits(format: Format, cell: &Cell) -> Digits {
    match format.digits {
        Digits::Warranted => Digits::Places(places_of_halves(
            cell.numbers().1.map(|half| half * format.unit.scale),
        )),
        digits => digits,
    }
}

impl Cell {
    /// As people see it, with its unit.
    fn text(&self, format: Format, digits: Digits) -> String {
        let suffix = format.unit.suffix;
        match self {
            Self::Missing => MISSING.to_owned(),
            Self::Note(text) | Self::Text(text) | Self::Shown(text, _) => text.clone(),
            Self::Whole(number) => words::count(*number),
            Self::Number(value) => number(*value, format, digits) + suffix,
            Self::Interval(interval) => match ends(*interval, format, digits) {
                [low, high] if interval.high == f64::INFINITY => format!("{low} to {high}"),
                [low, high] => format!("{low} to {high}{suffix}"),
            },
            Self::Estimate(value, interval) => {
                let value = number(*value, format, digits);
                match (format.spread, *interval) {
                    (Spread::HalfWidth, Some(interval)) => {
                        format!("{value} ± {}{suffix}", half(interval, format, digits))
                    }
                    (Spread::Ends, Some(interval)) => {
                        let [low, high] = ends(interval, format, digits);
                        format!("{value}, {low} to {high}{suffix}")
                    }
                    _ => value + suffix,
                }
            }
            Self::Own(format, cell) => cell.text(*format, own_digits(*format, cell)),
        }
    }

    /// With all digits, in the unit of its title: one cell for each of [`Head::part_titles`].
    fn parts(&self, format: Format, digits: Digits, kind: Kind) -> Vec<Part> {
        let number = |value: f64| Part::Number {
            text: plain(&number(value, format, digits)),
            value: value * format.unit.scale,
        };
        let mut parts = match self {
            Self::Missing => Vec::new(),
            Self::Note(text) | Self::Shown(text, _) => vec![Part::Word(text.clone())],
            Self::Text(text) => vec![Part::Text(text.clone())],
            Self::Whole(count) => vec![Part::Whole(*count)],
            Self::Number(value) => vec![number(*value)],
            Self::Interval(Interval { low, high }) => vec![number(*low), number(*high)],
            Self::Estimate(value, interval) => {
                let spread = interval.map(|interval| match format.spread {
                    Spread::Hidden => Vec::new(),
                    Spread::HalfWidth => vec![number(interval.half_width())],
                    Spread::Ends => vec![number(interval.low), number(interval.high)],
                });
                [vec![number(*value)], spread.unwrap_or_default()].concat()
            }
            Self::Own(own, cell) => vec![Part::Word(cell.text(*own, own_digits(*own, cell)))],
        };
        parts.resize(number_of_parts(kind, format.spread), Part::Missing);
        parts
    }

    /// For CSV: one for each of [`Head::csv_columns`].
    fn csv_texts(&self, kind: Kind) -> Vec<String> {
        let number = |value: f64| {
            if value.is_finite() {
                value.to_string()
            } else {
                String::new()
            }
        };
        let ends = |interval: Interval| [number(interval.low), number(interval.high)];
        let mut texts = match self {
            Self::Missing | Self::Note(_) => Vec::new(),
            Self::Text(text) => vec![words::one_line(text)],
            Self::Whole(count) => vec![count.to_string()],
            Self::Number(value) => vec![number(*value)],
            Self::Interval(interval) => ends(*interval).to_vec(),
            Self::Estimate(value, interval) => [number(*value)]
                .into_iter()
                .chain(interval.iter().flat_map(|one| ends(*one)))
                .collect(),
            Self::Own(_, cell) | Self::Shown(_, cell) => cell.csv_texts(kind),
        };
        texts.resize(number_of_csv_columns(kind), String::new());
        texts
    }
}

/// A number without thousands separators and plus, with the minus sign of programs.
fn plain(text: &str) -> String {
    text.replace([',', '+'], "").replace('−', "-")
}

/// As people see it by itself; in a table its column has the format.
impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text(Format::places(0), Digits::Places(0)))
    }
}

/// A cell of a format in which each number has its own column.
#[derive(Clone)]
enum Part {
    Missing,
    Whole(u64),
    /// With the digits for people, and with all.
    Number {
        text: String,
        value: f64,
    },
    Text(String),
    /// Text in a column of numbers.
    Word(String),
}

fn number_of_parts(kind: Kind, spread: Spread) -> usize {
    match (kind, spread) {
        (Kind::Interval, _) | (Kind::Estimate, Spread::HalfWidth) => 2,
        (Kind::Estimate, Spread::Ends) => 3,
        _ => 1,
    }
}

fn number_of_csv_columns(kind: Kind) -> usize {
    match kind {
        Kind::Interval => 2,
        Kind::Estimate => 3,
        _ => 1,
    }
}

impl Head {
    /// The titles where each number has its own column: `2048, %`.
    fn part_titles(&self) -> Vec<String> {
        let title = match self.format.unit.suffix.trim() {
            "" => self.title.clone(),
            unit => format!("{}, {unit}", self.title),
        };
        let [low, high] = self.end_titles.map(str::to_owned);
        match (self.kind, self.format.spread) {
            (Kind::Interval, _) => vec![low, high],
            (Kind::Estimate, Spread::HalfWidth) => vec![title, "±".to_owned()],
            (Kind::Estimate, Spread::Ends) => vec![title, low, high],
            _ => vec![title],
        }
    }

    /// The columns in CSV: name and meaning.
    pub fn csv_columns(&self) -> Vec<(String, String)> {
        let own = (self.key.clone(), self.about.clone());
        let keys = self.end_keys.clone();
        let [low, high] =
            keys.unwrap_or_else(|| [format!("{}_low", self.key), format!("{}_high", self.key)]);
        let ends = |name: &str| {
            [
                (low, format!("{name}, lower end")),
                (high, format!("{name}, upper end")),
            ]
        };
        match self.kind {
            Kind::Interval => ends(&self.about).to_vec(),
            Kind::Estimate => [own]
                .into_iter()
                .chain(ends("95 % interval of it"))
                .collect(),
            _ => vec![own],
        }
    }
}

impl Table {
    pub fn titles(&self) -> impl Iterator<Item = &str> {
        self.heads.iter().map(|head| head.title.as_str())
    }

    /// The indices of the columns of numbers.
    pub fn numbers(&self) -> Vec<usize> {
        (0..self.heads.len())
            .filter(|&column| self.heads[column].is_number())
            .collect()
    }

    /// The cells as people see them.
    pub fn texts(&self) -> Vec<Vec<String>> {
        let digits = self.all_digits();
        let text =
            |(column, cell): (usize, &Cell)| cell.text(self.heads[column].format, digits[column]);
        self.rows
            .iter()
            .map(|row| row.iter().enumerate().map(text).collect())
            .collect()
    }

    fn all_digits(&self) -> Vec<Digits> {
        (0..self.heads.len())
            .map(|column| self.digits(column))
            .collect()
    }

    fn parts(&self) -> impl Iterator<Item = Vec<Part>> {
        let digits = self.all_digits();
        self.rows.iter().map(move |row| {
            let cells = row.iter().zip(&self.heads).zip(&digits);
            cells
                .flat_map(|((cell, head), digits)| cell.parts(head.format, *digits, head.kind))
                .collect()
        })
    }

    pub fn markdown(&self) -> String {
        markdown_table(
            self.titles(),
            |column| self.heads[column].is_number(),
            self.texts(),
        )
    }

    /// A `tabular` with rules of booktabs and numbers of siunitx.
    pub fn latex(&self) -> String {
        let heads = || {
            self.heads.iter().flat_map(|head| {
                head.part_titles()
                    .into_iter()
                    .map(move |title| (head, title))
            })
        };
        let columns: String = heads()
            .map(|(head, _)| if head.is_number() { 'S' } else { 'l' })
            .collect();
        let titles = heads().map(|(head, title)| match escape::latex(&title) {
            title if head.is_number() => format!("{{{title}}}"),
            title => title,
        });
        let row = |cells: Vec<String>| format!("    {} \\\\\n", cells.join(" & "));
        let cell = |part: Part| match part {
            Part::Missing => "{--}".to_owned(),
            Part::Whole(count) => count.to_string(),
            Part::Number { value, .. } if !value.is_finite() => "{--}".to_owned(),
            Part::Number { text, .. } => text,
            Part::Text(text) => escape::latex(&text),
            Part::Word(text) => format!("{{{}}}", escape::latex(&text)),
        };
        let rows: String = self
            .parts()
            .map(|parts| row(parts.into_iter().map(cell).collect()))
            .collect();
        format!(
            "  \\begin{{tabular}}{{{columns}}}\n    \\toprule\n{}    \\midrule\n{rows}    \\bottomrule\n  \\end{{tabular}}\n",
            row(titles.collect())
        )
    }

    /// A `table` element. The cells of numbers have the class `n`. `picture` may replace the cell of a row and a column.
    pub fn html(&self, picture: impl Fn(usize, usize) -> Option<String>) -> String {
        let class = |column: usize| {
            if self.heads[column].is_number() {
                " class=\"n\""
            } else {
                ""
            }
        };
        let mut text = "<table><tr>".to_owned();
        for (column, title) in self.titles().enumerate() {
            text += &format!("<th{}>{}</th>", class(column), escape::html(title));
        }
        for (row, cells) in self.texts().iter().enumerate() {
            text += "</tr>\n<tr>";
            for (column, cell) in cells.iter().enumerate() {
                let cell = picture(row, column).unwrap_or_else(|| escape::html(cell));
                text += &format!("<td{}>{cell}</td>", class(column));
            }
        }
        text + "</tr>\n</table>\n"
    }

    /// Text with tabs for a spreadsheet: titles for people, a column for each number, all digits.
    pub fn tabbed(&self) -> String {
        let cell = |part: Part| match part {
            Part::Missing => String::new(),
            Part::Whole(count) => count.to_string(),
            Part::Number { value, .. } if !value.is_finite() => String::new(),
            Part::Number { value, .. } => value.to_string(),
            Part::Text(text) | Part::Word(text) => text,
        };
        in_memory(|bytes| {
            let mut rows = CsvRows::tabbed(bytes);
            rows.row(self.heads.iter().flat_map(Head::part_titles))?;
            self.parts()
                .try_for_each(|parts| rows.row(parts.into_iter().map(cell)))?;
            rows.flush()
        })
    }

    pub fn csv(&self) -> String {
        in_memory(|bytes| self.write_csv(bytes, true))
    }

    /// The rows as CSV; below those of another table of the same columns without a header.
    pub fn write_csv(&self, out: impl Write, has_header: bool) -> io::Result<()> {
        let mut csv = CsvRows::new(out);
        if has_header {
            csv.row(
                self.heads
                    .iter()
                    .flat_map(Head::csv_columns)
                    .map(|(name, _)| name),
            )?;
        }
        for row in &self.rows {
            csv.row(
                row.iter()
                    .zip(&self.heads)
                    .flat_map(|(cell, head)| cell.csv_texts(head.kind)),
            )?;
        }
        csv.flush()
    }

    /// The keys and values of a row, for an object with more of them.
    pub fn entries(&self, row: usize) -> impl Iterator<Item = (&str, &Cell)> {
        let cells = self.rows.get(row).into_iter().flatten();
        self.heads.iter().map(Head::json_key).zip(cells)
    }

    /// A row as an object.
    pub fn object(&self, row: usize) -> impl Serialize {
        Object(self, row)
    }
}

/// A list of objects.
impl Serialize for Table {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq((0..self.rows.len()).map(|row| self.object(row)))
    }
}

struct Object<'a>(&'a Table, usize);

impl Serialize for Object<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.entries(self.1))
    }
}

/// Infinity is null.
impl Serialize for Cell {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let ends = |interval: &Interval| [interval.low, interval.high];
        match self {
            Self::Missing | Self::Note(_) => serializer.serialize_none(),
            Self::Text(text) => serializer.serialize_str(text),
            Self::Whole(count) => serializer.serialize_u64(*count),
            Self::Number(number) => serializer.serialize_f64(*number),
            Self::Interval(interval) => ends(interval).serialize(serializer),
            Self::Estimate(number, interval) => {
                let mut map = serializer.serialize_map(Some(2))?;
                map.serialize_entry("value", number)?;
                map.serialize_entry("ci95", &interval.as_ref().map(ends))?;
                map.end()
            }
            Self::Own(_, cell) | Self::Shown(_, cell) => cell.serialize(serializer),
        }
    }
}
