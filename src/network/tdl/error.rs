//! Why a file of weights cannot be read.

use std::io;

use crate::files;
use crate::network::file::MemoryError;
use crate::network::{Shape, Tuple};
use crate::words;

/// Why a file has no tables that can be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(super) enum TablesError {
    #[error("this file of weights ends early: restore a copy")]
    Early,
    #[error("this is not a file of weights of TDL2048+, or its version is not supported")]
    Other,
    #[error("this is the cache of a search of TDL2048+, not weights: name the .w file")]
    Cache,
    #[error("this file is packed as {packing}: unpack it, or pack it as .xz or .gz")]
    Packed { packing: &'static str },
    #[error("this file is packed as {packing} and damaged ({reason}): restore a copy")]
    Damaged {
        packing: &'static str,
        reason: String,
    },
    #[error("this file cannot be read ({reason}): check the file and its permissions")]
    Unread { reason: String },
    #[error(
        "it is too large, unpacked if it is packed: TDL2048+ writes at most three numbers a weight"
    )]
    Long,
    #[error("its weights have 16 bits: let TDL2048+ write weights of 32 bits")]
    HalfWeights,
    #[error(
        "its table {name} is of the feature {feature}, but Afterstate evaluates only tuples: train a network without it, \
         such as -n 4x6patt"
    )]
    Feature { name: String, feature: &'static str },
    #[error(
        "its table {name} is not a tuple of cells: train a network of tuples only, such as -n 4x6patt"
    )]
    Unknown { name: String },
    #[error(
        "its table {name} has more than {} cells: train a network of shorter tuples",
        Tuple::LONGEST
    )]
    LongTuple { name: String },
    #[error("its table {name} has {found}, but the tuple needs {}", words::count(*.needed))]
    Length {
        name: String,
        found: String,
        needed: u64,
    },
    #[error("its {} weights are too many: at most {} are supported", words::count(*.0), words::count(Shape::MOST_WEIGHTS))]
    TooMany(u64),
    #[error(
        "a weight of its table {name} is too large or not a number: restore a copy, or train it again"
    )]
    Weight { name: String },
    #[error(
        "it holds more than one network, whose mean TDL2048+ plays: let it save the mean as one file (-i FILE -e 0 -o \
         MEAN.w)"
    )]
    Several,
    #[error(transparent)]
    Memory(#[from] MemoryError),
}

impl TablesError {
    /// The error of a file that is read, perhaps packed.
    pub(super) fn of(error: &io::Error, packing: Option<&'static str>) -> Self {
        match (error.kind(), packing) {
            (io::ErrorKind::UnexpectedEof, _) => Self::Early,
            (io::ErrorKind::OutOfMemory, _) => Self::Memory(MemoryError::Refused),
            (_, Some(packing)) => Self::Damaged {
                packing,
                reason: files::said(error),
            },
            (_, None) => Self::Unread {
                reason: files::said(error),
            },
        }
    }
}
