//! SHA-256 of a file or a text, as programs write it: 64 hexadecimal digits.

use std::fmt;
use std::io::{self, Read};
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use sha2::Digest as _;

use crate::words;

/// A SHA-256. Text read from a file becomes this type only if it is 64 hexadecimal digits, so it can be used in a file
/// name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Sha256([u8; 32]);

/// A text that is not a SHA-256.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{} is not a SHA-256: write its 64 hexadecimal digits", words::quoted(.0))]
pub struct ParseSha256Error(String);

impl Sha256 {
    /// The hash of some bytes.
    pub fn of(bytes: impl AsRef<[u8]>) -> Self {
        Self(sha2::Sha256::digest(bytes).into())
    }

    /// The hash of everything that remains to be read.
    pub fn of_reader(mut reader: impl Read) -> io::Result<Self> {
        let mut hash = sha2::Sha256::new();
        let mut buffer = vec![0; 1 << 16];
        loop {
            match reader.read(&mut buffer) {
                Ok(0) => return Ok(Self(hash.finalize().into())),
                Ok(count) => hash.update(&buffer[..count]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }
}

impl From<[u8; 32]> for Sha256 {
    fn from(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }
}

impl fmt::Display for Sha256 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Sha256 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Sha256 {
    type Err = ParseSha256Error;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let wrong = || ParseSha256Error(text.to_owned());
        let digits = text.as_bytes();
        if digits.len() != 64 {
            return Err(wrong());
        }
        let mut bytes = [0; 32];
        for (byte, pair) in bytes.iter_mut().zip(digits.chunks(2)) {
            let digit = |digit: u8| char::from(digit).to_digit(16).map(|digit| digit as u8);
            let (high, low) = digit(pair[0]).zip(digit(pair[1])).ok_or_else(wrong)?;
            *byte = high << 4 | low;
        }
        Ok(Self(bytes))
    }
}

impl Serialize for Sha256 {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Sha256 {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?
            .parse()
            .map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hash_is_exactly_64_hexadecimal_digits() {
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(Sha256::of("abc").to_string(), abc);
        assert_eq!(
            Sha256::of_reader(&b"abc"[..]).expect("read"),
            Sha256::of("abc")
        );
        assert_eq!(abc.parse(), Ok(Sha256::of("abc")));
        assert_eq!(abc.to_uppercase().parse(), Ok(Sha256::of("abc")));
        let long = format!("{abc}0");
        let accented = format!("{}é{}", &abc[..16], &abc[18..]);
        for text in [
            "",
            "abc",
            "../../../x",
            "/etc/passwd",
            &abc[1..],
            &long,
            &accented,
            &format!("+{}", &abc[1..]),
        ] {
            let error = text.parse::<Sha256>().expect_err(text).to_string();
            assert!(
                error.ends_with("is not a SHA-256: write its 64 hexadecimal digits"),
                "{error}"
            );
            assert!(
                serde_json::from_value::<Sha256>(text.into()).is_err(),
                "{text}"
            );
        }
    }
}
