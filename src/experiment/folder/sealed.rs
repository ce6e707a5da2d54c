//! Seals manifests: the file ends with the SHA-256 of the rest, so that a changed manifest is refused.
//!
//! The sum is of the text without the last field, `checksum`. Older programs wrote none. To edit a manifest, remove
//! that line.

use crate::files::Sha256;

/// The text before the checksum, and the text after it. A file without a checksum only has the end.
const FIELD: &str = ",\n  \"checksum\": \"";
const END: &str = "\n}\n";

const CHANGED: &str = "it has changed since it was written (checksum mismatch); restore a copy, or remove its last field, \
                       checksum, if you edited it yourself";

/// The JSON of a manifest with its checksum.
pub(super) fn with_sum(json: Vec<u8>) -> Vec<u8> {
    let sum = Sha256::of(&json);
    let Some(rest) = json.strip_suffix(END.as_bytes()) else {
        return json;
    };
    [rest, format!("{FIELD}{sum}\"{END}").as_bytes()].concat()
}

/// Refuses a changed manifest, with one sentence.
pub(super) fn check(text: &str) -> Result<(), &'static str> {
    let Some((rest, sum)) = text.rsplit_once(FIELD) else {
        // A checksum at another place means that the manifest was changed.
        return if text.contains("\"checksum\"") {
            Err(CHANGED)
        } else {
            Ok(())
        };
    };
    let sum = sum
        .strip_suffix(END)
        .and_then(|sum| sum.strip_suffix('"'))
        .and_then(|sum| sum.parse().ok());
    if sum == Some(Sha256::of(format!("{rest}{END}"))) {
        Ok(())
    } else {
        Err(CHANGED)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_with_its_sum_is_accepted_and_every_other_one_refused() {
        let json = b"{\n  \"title\": \"a \\\"checksum\\\"\",\n  \"seed\": \"1\"\n}\n".to_vec();
        let text = String::from_utf8(with_sum(json.clone())).expect("text");
        assert_eq!(check(&text), Ok(()));
        assert_eq!(check("{\n  \"seed\": \"1\"\n}\n"), Ok(()), "an older one");
        assert_eq!(check(&text.replace("\"1\"", "\"2\"")), Err(CHANGED));
        assert_eq!(check(&text.replace("\n}", "}")), Err(CHANGED));
        assert_eq!(
            check(&text.replace("  \"checksum", "\"checksum")),
            Err(CHANGED)
        );
        let digit = text.rfind(|c: char| c.is_ascii_hexdigit()).expect("a sum");
        let mut other = text.into_bytes();
        other[digit] ^= 1;
        assert!(check(&String::from_utf8(other).expect("text")).is_err());
    }
}
