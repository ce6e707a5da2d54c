//! Values that an evaluator keeps in a file, such as a trained network or a solved table.
//!
//! No evaluator does so yet. One that will has a [`ValueFile`] among its parameters, hence in its strategy's hash.

use std::path::PathBuf;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ValueFile {
    pub path: PathBuf,
    /// SHA-256 of its bytes in hexadecimal digits: another content is another evaluator.
    pub sha256: String,
}

/// Finds the files that evaluators refer to. Compiling an evaluator takes one.
pub trait Resolver {
    /// The bytes of a file with this hash; `None` where there is none, which checking a strategy tells before it plays.
    fn bytes(&self, file: &ValueFile) -> Option<Arc<[u8]>>;
}

/// Finds nothing: for evaluators that are all there is to them.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoFiles;

impl Resolver for NoFiles {
    fn bytes(&self, _file: &ValueFile) -> Option<Arc<[u8]>> {
        None
    }
}
