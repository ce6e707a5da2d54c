//! The text of a file of another program, whatever its encoding: UTF-8, UTF-16, or one byte a character.
//!
//! UTF-16 is recognized by its byte order mark, or by the zero bytes of its first character. A file that is not UTF-8
//! has one byte a character: Latin-1, and in 0x80 to 0x9f the characters that Windows adds. 2048verse saves games in
//! this way (`.vrs`), since all of its letters are in Latin-1.

use std::borrow::Cow;

/// The characters of the bytes 0x80 to 0x9f in Windows-1252. A replacement character stands for none.
const WINDOWS: [char; 32] = [
    '€', '\u{fffd}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{fffd}', 'Ž',
    '\u{fffd}', '\u{fffd}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{fffd}',
    'ž', 'Ÿ',
];

/// How two bytes are a unit of UTF-16.
type UnitOf = fn([u8; 2]) -> u16;

/// The text in UTF-8 or UTF-16, without a byte order mark. The error is the first byte that is neither.
pub(super) fn unicode(bytes: &[u8]) -> Result<Cow<'_, str>, usize> {
    let wide: Option<(&[u8], UnitOf)> = match bytes {
        [0xff, 0xfe, rest @ ..] => Some((rest, u16::from_le_bytes)),
        [0xfe, 0xff, rest @ ..] => Some((rest, u16::from_be_bytes)),
        [first, 0, ..] if *first != 0 => Some((bytes, u16::from_le_bytes)),
        [0, second, ..] if *second != 0 => Some((bytes, u16::from_be_bytes)),
        _ => None,
    };
    let Some((wide, of_bytes)) = wide else {
        let text = std::str::from_utf8(bytes).map_err(|error| error.valid_up_to())?;
        return Ok(Cow::Borrowed(text.trim_start_matches('\u{feff}')));
    };

    let units = wide
        .chunks_exact(2)
        .map(|pair| of_bytes([pair[0], pair[1]]));
    let text: Option<String> = char::decode_utf16(units).map(Result::ok).collect();
    text.filter(|_| wide.len().is_multiple_of(2))
        .map(Cow::Owned)
        .ok_or(0)
}

/// The text with one byte a character. `None` if a byte stands for none, or if there are control characters, as in files
/// that are not text.
pub(super) fn latin(bytes: &[u8]) -> Option<String> {
    let character = |&byte: &u8| match byte {
        b'\t' | b'\n' | b'\r' => Some(char::from(byte)),
        0..0x20 | 0x7f => None,
        0x80..0xa0 => Some(WINDOWS[usize::from(byte - 0x80)]).filter(|&c| c != '\u{fffd}'),
        _ => Some(char::from(byte)),
    };
    bytes.iter().map(character).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_encoding_gives_the_same_text() {
        let text = "4x4-0_¾û0 ÿ\r\n";
        let units: Vec<u16> = text.encode_utf16().collect();
        let low: Vec<u8> = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
        let high: Vec<u8> = units.iter().flat_map(|unit| unit.to_be_bytes()).collect();
        for (mark, wide) in [
            (&[0xff, 0xfe][..], &low),
            (&[][..], &low),
            (&[0xfe, 0xff][..], &high),
            (&[][..], &high),
        ] {
            assert_eq!(
                unicode(&[mark, wide].concat()).as_deref(),
                Ok(text),
                "{mark:?}"
            );
        }
        assert_eq!(unicode(text.as_bytes()).as_deref(), Ok(text));
        assert_eq!(
            unicode(format!("\u{feff}{text}").as_bytes()).as_deref(),
            Ok(text)
        );

        let bytes: Vec<u8> = text.chars().map(|c| c as u8).collect();
        assert_eq!(
            (unicode(&bytes), latin(&bytes).as_deref()),
            (Err(6), Some(text))
        );
        assert_eq!(latin(b"\x83\x80").as_deref(), Some("ƒ€"));
        assert_eq!(
            (latin(b"a\x00"), latin(b"a\x81"), unicode(b"\xff\xfea")),
            (None, None, Err(0))
        );
    }
}
