//! RON as this program reads and writes it: one dialect, and errors in one sentence.

use ron::extensions::Extensions;
use ron::ser::PrettyConfig;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// The dialect: standard RON with `Some` left out. Nesting is limited, so that hostile text cannot exhaust the
/// stack.
pub fn options() -> ron::Options {
    ron::Options::default().with_default_extension(Extensions::IMPLICIT_SOME).with_recursion_limit(192)
}

/// Reads a value; the error is one sentence with line and column.
pub fn read<T: DeserializeOwned>(text: &str) -> Result<T, String> {
    options().from_str(text).map_err(|error| describe(&error))
}

/// One sentence for an error of the reader: `line 3, column 9: …`.
pub fn describe(error: &ron::error::SpannedError) -> String {
    let reason = error.code.to_string().replace('\n', " ");
    let place = error.span.start;
    format!("line {}, column {}: {reason}", place.line, place.col)
}

/// A value on one line.
pub fn one_line<T: Serialize>(value: &T) -> Result<String, ron::Error> {
    let config = PrettyConfig::new().depth_limit(0).separator(" ");
    options().to_string_pretty(value, config)
}

/// A value over several lines, one item a line, four blanks an indent.
pub fn pretty<T: Serialize>(value: &T, depth: usize) -> Result<String, ron::Error> {
    let config = PrettyConfig::new().depth_limit(depth).separator(" ").new_line("\n");
    options().to_string_pretty(value, config)
}
