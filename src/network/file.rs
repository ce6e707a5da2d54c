//! A network as a file.
//!
//! The first line is RON, a [`Header`]: shape, training, learning curve, and the encoding of the weights. Then come the
//! weights, compressed with Zstandard, and for a network that can continue to learn the temporal coherence data of
//! each. The SHA-256 of everything before ends the file and verifies it.
//!
//! A network is identified by another SHA-256, `contents` of the first line: that of its shape and weights. Two
//! trainings with the same weights as a result have the same one, however long they took. Files of version 1 lack it
//! and are identified by the SHA-256 of the file.
//!
//! Weights are written whole, as 32-bit floats, or as multiples of a step (16 bits), which take a tenth of the bytes.

use std::io::{self, Read, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::training::{Manifest, Point};
use super::{Network, Shape};
use crate::files::{self, WriteError};
use crate::kept::{self, Kept, KeptError, Kind};
use crate::ron_text;
use crate::task::{memory_available, reserve_large};
use crate::words;

pub(super) static KIND: Kind = Kind {
    name: "network",
    format: "afterstate network",
    // 2: with the SHA-256 of shape and weights.
    version: 2,
    ending: "net",
    folder: "networks",
    // Thousands of points of a curve.
    longest_header: 1 << 22,
    example: "reference",
    made_by: "afterstate train --out writes one",
    again: "train it again, or restore a copy",
    make: "afterstate train --network 4x6patt --out {name}",
};

/// The maximum size of a file, in bytes.
pub(super) const LARGEST_FILE: u64 = 1 << 36;

/// The maximum absolute value of a weight.
pub(super) const LARGEST_WEIGHT: f32 = 1e12;

/// Why a network cannot be loaded. The text names the file and the remedy.
pub type NetworkError = KeptError;

/// The encoding of weights.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub enum Encoding {
    /// Unchanged, four bytes, lowest first.
    Whole,
    /// `base + step · k`, k in 16 bits, all low bytes of a table before all high ones.
    Steps { base: f32, step: f32 },
}

impl Encoding {
    /// The value of a weight after writing and reading it.
    fn stored(self, weight: f32) -> f32 {
        match self {
            Self::Whole => weight,
            Self::Steps { base, step } => of_steps(steps_of(weight, base, step), base, step),
        }
    }
}

/// The number of steps that is closest to a weight.
fn steps_of(weight: f32, base: f32, step: f32) -> i16 {
    ((weight - base) / step).round().clamp(-32_767.0, 32_767.0) as i16
}

fn of_steps(steps: i16, base: f32, step: f32) -> f32 {
    base + step * f32::from(steps)
}

/// The first line of a file.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    pub format: String,
    pub version: u32,
    pub shape: Shape,
    pub encoding: Encoding,
    /// Bytes of the compressed weights.
    pub bytes: u64,
    /// Whether coherences follow.
    #[serde(default)]
    pub coherences: bool,
    /// SHA-256 of shape and weights in hexadecimal digits. `None` in files of version 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contents: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub manifest: Option<Manifest>,
    /// Changes to the weights after the training; may be empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
    /// The learning curve.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub curve: Vec<Point>,
}

/// The facts about a network that need no reading of its weights.
#[derive(Clone, PartialEq, Debug)]
pub struct NetworkInfo {
    pub header: Header,
    /// SHA-256 of shape and weights, or of a whole file of version 1, in hexadecimal digits. Empty for a network that
    /// is not in a file.
    pub sha256: String,
}

impl NetworkInfo {
    /// From the first line of a file and the SHA-256 at its end.
    fn new(path: &Path, header: Header, of_file: String) -> Result<Self, KeptError> {
        let sha256 = header.contents.clone().unwrap_or(of_file);
        Self { header, sha256 }.check(path)
    }

    /// For a network that is not in a file.
    pub fn of(shape: Shape, manifest: Option<Manifest>, curve: Vec<Point>) -> Self {
        let header = Header {
            format: KIND.format.to_owned(),
            version: KIND.version,
            shape,
            encoding: Encoding::Whole,
            bytes: 0,
            coherences: false,
            contents: None,
            manifest,
            note: String::new(),
            curve,
        };
        Self {
            header,
            sha256: String::new(),
        }
    }

    /// From the bytes of a file.
    pub(super) fn of_bytes(path: &Path, bytes: &[u8]) -> Result<Self, KeptError> {
        let (header, _, of_file) = KIND.split(path, bytes)?;
        Self::new(path, header, of_file)
    }

    fn check(self, path: &Path) -> Result<Self, KeptError> {
        let damaged = |what| Err(KIND.damaged(path, what));
        if let Encoding::Steps { base, step } = self.header.encoding
            && !(base.abs() < LARGEST_WEIGHT && 0.0 < step && step < LARGEST_WEIGHT / 1e5)
        {
            return damaged("the step of its weights is invalid");
        }
        let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        if self.sha256.len() != 64 || !self.sha256.bytes().all(is_digit) {
            return damaged("its SHA-256 does not have 64 hexadecimal digits");
        }

        match &self.header.manifest {
            Some(manifest) if manifest.training.network != self.header.shape => {
                damaged("its training is of a different shape")
            }
            Some(manifest) if !manifest.training.field_problems().is_empty() => {
                damaged("its training is invalid")
            }
            Some(manifest) if !manifest.restarts.fits(&self.header.shape) => {
                damaged("a saved start of a training game is invalid")
            }
            _ => Ok(self),
        }
    }
}

/// The temporal coherence data of each weight, E and A.
pub type Coherences = Vec<[f32; 2]>;

impl Network {
    /// Writes the network completely or not at all. Returns the info that a reader of the file gets.
    pub fn write(&self, path: &Path, encoding: Encoding) -> Result<NetworkInfo, WriteError> {
        let weights = self.weights();
        write(
            path,
            &self.info.header,
            encoding,
            weights.len(),
            |place| weights[place],
            None::<fn(usize) -> [f32; 2]>,
        )
    }

    /// Steps that represent all weights in 16 bits.
    pub fn steps(&self) -> Encoding {
        let base = self
            .info
            .header
            .manifest
            .as_ref()
            .map_or(0.0, |manifest| manifest.training.initial());
        let most = self
            .weights()
            .iter()
            .fold(0.0_f32, |most, weight| most.max((weight - base).abs()));
        Encoding::Steps {
            base,
            step: (most / 32_767.0).max(f32::MIN_POSITIVE),
        }
    }

    /// From the bytes of a file.
    pub(super) fn of_bytes(path: &Path, bytes: &[u8]) -> Result<Self, KeptError> {
        Ok(of_bytes(path, bytes, false)?.0)
    }

    /// With the temporal coherence data of the weights, if the file has it.
    pub fn read_with_coherences(path: &Path) -> Result<(Self, Option<Coherences>), KeptError> {
        read(path, true)
    }
}

/// Writes a network, given functions for its weights and for E and A of each.
pub fn write(
    path: &Path,
    header: &Header,
    encoding: Encoding,
    count: usize,
    weight: impl Fn(usize) -> f32,
    coherence: Option<impl Fn(usize) -> [f32; 2]>,
) -> Result<NetworkInfo, WriteError> {
    let could = |source| WriteError::File {
        path: path.to_owned(),
        source,
    };
    let contents = contents(&header.shape, encoding, count, &weight).map_err(could)?;
    let level = if encoding == Encoding::Whole { 1 } else { 19 };
    let bytes = compressed(level, |out| {
        write_weights(out, encoding, &header.shape, count, weight)
    })
    .map_err(could)?;
    let coherences = coherence.is_some();
    let coherence_bytes = match coherence {
        None => Vec::new(),
        Some(coherence) => compressed(1, |out| {
            in_chunks(out, count, 8, |place, chunk| {
                let [error, size] = coherence(place).map(f32::to_le_bytes);
                chunk.extend(error);
                chunk.extend(size);
            })
        })
        .map_err(could)?,
    };

    let version = KIND.version;
    let header = Header {
        version,
        encoding,
        bytes: bytes.len() as u64,
        coherences,
        contents: Some(contents),
        ..header.clone()
    };
    KIND.write(path, &header, |out| {
        out.write_all(&bytes)?;
        out.write_all(&coherence_bytes)
    })?;

    let sha256 = header.contents.clone().unwrap_or_default();
    Ok(NetworkInfo { header, sha256 })
}

/// SHA-256 of the shape of a network and of its encoded weights, in hexadecimal digits.
fn contents(
    shape: &Shape,
    encoding: Encoding,
    count: usize,
    weight: impl Fn(usize) -> f32,
) -> io::Result<String> {
    let shape = ron_text::one_line(shape).map_err(|error| io::Error::other(error.to_string()))?;
    let mut hash = Sha256::new_with_prefix(shape);
    hash.update([0]);
    for_each_chunk(
        count,
        4,
        |place, chunk| chunk.extend(encoding.stored(weight(place)).to_le_bytes()),
        |chunk| {
            hash.update(chunk);
            Ok(())
        },
    )?;
    Ok(kept::hexadecimal(&hash.finalize()))
}

pub(super) fn compressed(
    level: i32,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<Vec<u8>> {
    let mut encoder = zstd::Encoder::new(Vec::new(), level)?;
    write(&mut encoder)?;
    encoder.finish()
}

/// Number of weights per chunk of compression.
const CHUNK: usize = 1 << 16;

fn in_chunks(
    out: &mut dyn Write,
    count: usize,
    bytes: usize,
    put: impl FnMut(usize, &mut Vec<u8>),
) -> io::Result<()> {
    for_each_chunk(count, bytes, put, |chunk| out.write_all(chunk))
}

/// Encodes `count` numbers of `bytes` bytes, and passes them on in chunks.
fn for_each_chunk(
    count: usize,
    bytes: usize,
    mut put: impl FnMut(usize, &mut Vec<u8>),
    mut take: impl FnMut(&[u8]) -> io::Result<()>,
) -> io::Result<()> {
    let mut chunk = room(CHUNK.min(count) * bytes)?;
    for begin in (0..count).step_by(CHUNK) {
        chunk.clear();
        (begin..count.min(begin + CHUNK)).for_each(|place| put(place, &mut chunk));
        take(&chunk)?;
    }
    Ok(())
}

/// An empty buffer with this capacity, unless the system has no memory for it.
fn room(bytes: usize) -> io::Result<Vec<u8>> {
    let mut buffer = Vec::new();
    buffer
        .try_reserve_exact(bytes)
        .map_err(|_| io::ErrorKind::OutOfMemory)?;
    Ok(buffer)
}

pub(super) fn write_weights(
    out: &mut dyn Write,
    encoding: Encoding,
    shape: &Shape,
    count: usize,
    weight: impl Fn(usize) -> f32,
) -> io::Result<()> {
    match encoding {
        Encoding::Whole => in_chunks(out, count, 4, |place, chunk| {
            chunk.extend(weight(place).to_le_bytes());
        }),
        Encoding::Steps { base, step } => {
            let steps_at = |place| steps_of(weight(place), base, step).to_le_bytes();
            for (begin, len) in tables(shape) {
                for byte in 0..2 {
                    in_chunks(out, len, 1, |place, chunk| {
                        chunk.push(steps_at(begin + place)[byte]);
                    })?;
                }
            }
            Ok(())
        }
    }
}

/// The start and the length of each table, for all stages.
fn tables(shape: &Shape) -> impl Iterator<Item = (usize, usize)> {
    let of_stage: Vec<(usize, usize)> = (shape.offsets().zip(shape.tuples()))
        .map(|(offset, tuple)| (offset as usize, tuple.weights() as usize))
        .collect();
    let (stages, length) = (shape.stages().len() + 1, shape.stage_weights() as usize);
    (0..stages).flat_map(move |stage| {
        of_stage
            .clone()
            .into_iter()
            .map(move |(offset, len)| (stage * length + offset, len))
    })
}

impl Kept for Network {
    type Info = NetworkInfo;

    const KIND: &'static Kind = &KIND;

    fn read_info(path: &Path) -> Result<NetworkInfo, KeptError> {
        let (header, of_file) = KIND.read_header(path)?;
        NetworkInfo::new(path, header, of_file)
    }

    fn read(path: &Path) -> Result<Self, KeptError> {
        Ok(read(path, false)?.0)
    }

    fn info(&self) -> NetworkInfo {
        self.info.clone()
    }

    fn sha256(info: &NetworkInfo) -> &str {
        &info.sha256
    }
}

fn read(path: &Path, coherences: bool) -> Result<(Network, Option<Coherences>), KeptError> {
    // The first line shows whether the rest is worth reading.
    Network::read_info(path)?;
    of_bytes(path, &files::read_bytes(path, LARGEST_FILE)?, coherences)
}

fn of_bytes(
    path: &Path,
    bytes: &[u8],
    coherences: bool,
) -> Result<(Network, Option<Coherences>), KeptError> {
    let (header, body, of_file) = KIND.split::<Header>(path, bytes)?;
    let info = NetworkInfo::new(path, header, of_file)?;
    let header = &info.header;
    let early = || KIND.damaged(path, "it ends early");
    let length = usize::try_from(header.bytes).map_err(|_| early())?;
    let (body, coherence_bytes) = body.split_at_checked(length).ok_or_else(early)?;
    let count = header.shape.weights();
    let needed = count
        * if coherences && header.coherences {
            12
        } else {
            4
        };
    check_memory(needed).map_err(|error| KeptError::Refused {
        path: path.to_owned(),
        reason: error.to_string(),
    })?;
    let unread = |error: &io::Error, what: &str| match is_out_of_memory(error) {
        true => KeptError::Memory {
            kind: &KIND,
            path: path.to_owned(),
        },
        false => KIND.damaged(path, what),
    };
    let weights = read_weights(body, header, count as usize)
        .map_err(|error| unread(&error, "its weights cannot be decoded"))?;
    if !weights.iter().all(|weight| weight.abs() < LARGEST_WEIGHT) {
        return Err(KIND.damaged(path, "a weight is too large or not a number"));
    }

    if let Some(said) = &header.contents {
        let found = contents(&header.shape, Encoding::Whole, weights.len(), |place| {
            weights[place]
        });
        if found.map_err(|error| unread(&error, "its shape cannot be hashed"))? != *said {
            return Err(KIND.damaged(path, "its weights do not match the hash in its first line"));
        }
    }
    let pairs = match coherences && header.coherences {
        false => None,
        true => Some(
            read_coherences(coherence_bytes, count as usize)
                .map_err(|error| unread(&error, "its coherences cannot be decoded"))?,
        ),
    };

    Ok((Network::new(info, weights), pairs))
}

/// Whether reading failed because the system lacks memory. Zstandard reports that as text.
fn is_out_of_memory(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::OutOfMemory || error.to_string().contains("not enough memory")
}

/// The weights of a network have no room in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MemoryError {
    #[error(
        "its weights need {} of memory, but only {} are free: close other programs, or use a smaller network",
        words::bytes(*.needed),
        words::bytes(*.free)
    )]
    TooLarge { needed: u64, free: u64 },
    #[error("not enough memory for the weights: close other programs, or train a smaller network")]
    Refused,
}

/// Refuses to load more than this machine has memory for, as far as the system tells.
pub fn check_memory(needed: u64) -> Result<(), MemoryError> {
    match memory_available() {
        Some(free) if free < needed => Err(MemoryError::TooLarge { needed, free }),
        _ => Ok(()),
    }
}

fn unpacked(bytes: &[u8], take: impl FnOnce(&mut dyn Read) -> io::Result<()>) -> io::Result<()> {
    let mut decoder = zstd::Decoder::new(bytes)?;
    take(&mut decoder)?;
    match decoder.read(&mut [0])? {
        0 => Ok(()),
        _ => Err(io::ErrorKind::InvalidData.into()),
    }
}

fn read_chunks(
    from: &mut dyn Read,
    count: usize,
    bytes: usize,
    mut take: impl FnMut(&[u8]),
) -> io::Result<()> {
    let mut chunk = room(CHUNK.min(count) * bytes)?;
    chunk.resize(CHUNK.min(count) * bytes, 0);
    let mut rest = count;
    while rest != 0 {
        let now = rest.min(CHUNK);
        from.read_exact(&mut chunk[..now * bytes])?;
        take(&chunk[..now * bytes]);
        rest -= now;
    }
    Ok(())
}

fn read_weights(bytes: &[u8], header: &Header, count: usize) -> io::Result<Vec<f32>> {
    let mut weights: Vec<f32> = Vec::new();
    // The system allocates memory when it is written to, not when it is reserved.
    if !reserve_large(&mut weights, count) {
        return Err(io::ErrorKind::OutOfMemory.into());
    }
    unpacked(bytes, |from| match header.encoding {
        Encoding::Whole => read_chunks(from, count, 4, |chunk| {
            weights.extend(
                chunk
                    .as_chunks::<4>()
                    .0
                    .iter()
                    .map(|bytes| f32::from_le_bytes(*bytes)),
            );
        }),
        Encoding::Steps { base, step } => {
            for (_, len) in tables(&header.shape) {
                let (mut low, mut high) = (room(len)?, room(len)?);
                read_chunks(from, len, 1, |chunk| low.extend_from_slice(chunk))?;
                read_chunks(from, len, 1, |chunk| high.extend_from_slice(chunk))?;
                let weight_of =
                    |(&low, &high)| of_steps(i16::from_le_bytes([low, high]), base, step);
                weights.extend(low.iter().zip(&high).map(weight_of));
            }
            Ok(())
        }
    })?;

    Ok(weights)
}

fn read_coherences(bytes: &[u8], count: usize) -> io::Result<Coherences> {
    let mut coherences: Coherences = Vec::new();
    coherences
        .try_reserve_exact(count)
        .map_err(|_| io::ErrorKind::OutOfMemory)?;
    unpacked(bytes, |from| {
        read_chunks(from, count, 8, |chunk| {
            let pair = |&[a, b, c, d, e, f, g, h]: &[u8; 8]| {
                [
                    f32::from_le_bytes([a, b, c, d]),
                    f32::from_le_bytes([e, f, g, h]),
                ]
            };
            coherences.extend(chunk.as_chunks::<8>().0.iter().map(pair));
        })
    })?;
    Ok(coherences)
}
