//! Files of weights as they are posted: plain, or packed as `.xz` or `.gz`. They are unpacked while they are read.

use std::io::{BufRead, Read};

use flate2::bufread::MultiGzDecoder;
use lzma_rust2::XzReader;

use super::error::TablesError;
use crate::task::memory_available;

/// How a file is packed.
#[derive(Clone, Copy)]
enum Packing {
    Xz,
    Gz,
    /// Not unpacked by this program.
    Other,
}

/// The first bytes of packed files, whatever their names are, and the usual ending.
const MAGIC: [(&[u8], &str, Packing); 6] = [
    (b"\xfd7zXZ\0", ".xz", Packing::Xz),
    (b"\x1f\x8b", ".gz", Packing::Gz),
    (b"PK\x03\x04", ".zip", Packing::Other),
    (b"BZh", ".bz2", Packing::Other),
    (b"7z\xbc\xaf\x27\x1c", ".7z", Packing::Other),
    (b"\x28\xb5\x2f\xfd", ".zst", Packing::Other),
];

/// The free memory in KiB, as far as the system tells. The head of an `.xz` file states how much unpacking needs: up to
/// 4 GiB, however short the file is.
fn free_kib() -> u32 {
    memory_available().map_or(u32::MAX, |free| {
        u32::try_from(free / 1024).unwrap_or(u32::MAX)
    })
}

/// The unpacked bytes of a file, one after the other.
pub(super) struct Input<'a> {
    from: Box<dyn Read + 'a>,
    /// The ending of packed files.
    packing: Option<&'static str>,
    /// How many more bytes are accepted. A few packed bytes may stand for any number of them.
    left: u64,
}

impl<'a> Input<'a> {
    /// Reads at most `limit` bytes, counted as unpacked.
    pub(super) fn new(mut file: impl BufRead + 'a, limit: u64) -> Result<Self, TablesError> {
        let start = file
            .fill_buf()
            .map_err(|error| TablesError::of(&error, None))?;
        let magic = MAGIC.iter().find(|(magic, ..)| start.starts_with(magic));
        let (from, packing): (Box<dyn Read + 'a>, _) = match magic {
            None => (Box::new(file), None),
            Some(&(_, ending, Packing::Xz)) => (
                Box::new(XzReader::new_mem_limit(file, true, free_kib())),
                Some(ending),
            ),
            Some(&(_, ending, Packing::Gz)) => (Box::new(MultiGzDecoder::new(file)), Some(ending)),
            Some(&(_, packing, Packing::Other)) => return Err(TablesError::Packed { packing }),
        };
        Ok(Self {
            from,
            packing,
            left: limit,
        })
    }

    /// Fills the bytes.
    pub(super) fn fill(&mut self, bytes: &mut [u8]) -> Result<(), TablesError> {
        self.left = self
            .left
            .checked_sub(bytes.len() as u64)
            .ok_or(TablesError::Long)?;
        self.from
            .read_exact(bytes)
            .map_err(|error| TablesError::of(&error, self.packing))
    }

    /// An unsigned integer of `N` bytes, little-endian.
    pub(super) fn number<const N: usize>(&mut self) -> Result<u64, TablesError> {
        let mut bytes = [0; N];
        self.fill(&mut bytes)?;
        Ok(bytes
            .iter()
            .rev()
            .fold(0, |number, &byte| number << 8 | u64::from(byte)))
    }

    pub(super) fn skip(&mut self, count: u64) -> Result<(), TablesError> {
        let mut buffer = [0; 1 << 14];
        let mut left = count;
        while left != 0 {
            let now = left.min(buffer.len() as u64) as usize;
            self.fill(&mut buffer[..now])?;
            left -= now as u64;
        }
        Ok(())
    }

    /// The next byte. `None` at the end, where a packed file has proved that it is whole.
    pub(super) fn next_byte(&mut self) -> Result<Option<u8>, TablesError> {
        let mut byte = Vec::new();
        let read = self.from.by_ref().take(1).read_to_end(&mut byte);
        read.map_err(|error| TablesError::of(&error, self.packing))?;
        Ok(byte.pop())
    }
}
