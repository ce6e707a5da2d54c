//! A strategy that is open in the builder, and its origin.

use std::ops::Deref;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use serde::{Deserialize, Serialize};

use super::Document;
use super::session::SavedOrigin;
use crate::preset::SaveTo;
use crate::strategy::{RowMap, SharedStrategy, Strategy, StrategyHash};

/// An open strategy. It dereferences to the strategy.
#[derive(Clone, Debug, PartialEq)]
pub struct Opened {
    pub strategy: SharedStrategy,
    /// Identify its rows through moves, edits and undo.
    pub rows: Arc<[RowId]>,
    pub origin: Arc<Origin>,
    /// As an experiment last played it, since it was opened or saved.
    pub played: Option<SharedStrategy>,
}

/// Identifies a row of an open strategy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RowId(u64);

impl RowId {
    fn fresh() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Self(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Origin {
    /// The strategy as last opened or saved: the reference of "edited" and "previous".
    pub before: SharedStrategy,
    /// The library file that it was read from or saved to.
    pub file: Option<OriginFile>,
}

/// A file of the library, with the content that this window knows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OriginFile {
    pub path: PathBuf,
    /// Its text when last read or written. If the file differs, another process has changed it.
    pub text: String,
}

impl OriginFile {
    /// The place to save to: the known file, or a new file if there is none.
    pub(super) fn place(file: Option<&Self>) -> SaveTo<'_> {
        file.map_or(SaveTo::New, |Self { path, text }| SaveTo::Known {
            path,
            text,
        })
    }
}

impl Opened {
    pub fn new(strategy: Strategy) -> Self {
        let strategy = SharedStrategy::from(strategy);
        Self::from_origin(
            strategy.clone(),
            Origin {
                before: strategy,
                file: None,
            },
        )
    }

    fn from_origin(strategy: SharedStrategy, origin: Origin) -> Self {
        let rows = strategy.criteria.iter().map(|_| RowId::fresh()).collect();
        Self {
            strategy,
            rows,
            origin: Arc::new(origin),
            played: None,
        }
    }

    pub fn hash(&self) -> StrategyHash {
        self.strategy.hash()
    }

    pub fn made_from(strategy: Strategy, before: SharedStrategy) -> Self {
        Self::from_origin(strategy.into(), Origin { before, file: None })
    }

    /// A strategy as read from a file of the library.
    pub fn kept(strategy: SharedStrategy, path: PathBuf, text: &str) -> Self {
        let file = Some(OriginFile {
            path,
            text: text.to_owned(),
        });
        Self::from_origin(
            strategy.clone(),
            Origin {
                before: strategy,
                file,
            },
        )
    }

    pub(super) fn restored(strategy: Strategy, origin: Option<SavedOrigin>) -> Self {
        let Some(SavedOrigin { before, file }) = origin else {
            return Self::new(strategy);
        };
        let strategy = SharedStrategy::from(strategy);
        let before = before.map_or_else(|| strategy.clone(), SharedStrategy::from);
        Self::from_origin(strategy, Origin { before, file })
    }

    /// This strategy, with the row ids of `old` for rows that it still has.
    pub(super) fn in_place_of(self, old: &Self) -> Self {
        let rows = RowMap::between(&old.criteria, &self.criteria)
            .carry(&old.rows, RowId::fresh)
            .into();
        Self { rows, ..self }
    }

    pub(super) fn change(&mut self, strategy: Strategy, rows: &RowMap) {
        self.strategy = strategy.into();
        self.rows = rows.carry(&self.rows, RowId::fresh).into();
    }

    /// Whether it started with an empty list of rows and has no file yet.
    pub(super) fn is_begun_empty(&self) -> bool {
        self.file().is_none() && self.origin.before.criteria.is_empty()
    }

    pub(super) fn saved_origin(&self) -> SavedOrigin {
        let Origin { before, file } = &*self.origin;
        SavedOrigin {
            before: self.is_edited().then(|| (**before).clone()),
            file: file.clone(),
        }
    }

    pub fn file(&self) -> Option<&OriginFile> {
        self.origin.file.as_ref()
    }

    /// Whether it differs from the last opened or saved version; a new name counts only if it has a file.
    pub fn is_edited(&self) -> bool {
        let before = &self.origin.before;
        match self.file() {
            Some(_) => self.strategy != *before,
            None => self.hash() != before.hash() || self.note != before.note,
        }
    }

    /// Whether both are the same object, a cheap comparison.
    pub fn is_same(&self, other: &Self) -> bool {
        self.strategy.is(&other.strategy) && Arc::ptr_eq(&self.origin, &other.origin)
    }
}

impl Deref for Opened {
    type Target = Strategy;

    fn deref(&self) -> &Strategy {
        &self.strategy
    }
}

impl Document {
    /// The current strategy before the last edit of its play, as undo would restore it. `None` if it was not edited
    /// since it was opened.
    pub fn before_edit(&self) -> Option<SharedStrategy> {
        let (now, current) = (self.opened(), self.current());
        let hash = now.hash();
        let mut origin = now.origin.clone();
        for content in self.past() {
            let then = content.strategies.get(current)?;
            if then.strategy.is(&origin.before) {
                // It was saved in between.
                origin = then.origin.clone();
            }
            if !Arc::ptr_eq(&then.origin, &origin) {
                return None;
            }
            if !then.strategy.is(&now.strategy) && then.hash() != hash {
                return Some(then.strategy.clone());
            }
        }

        None
    }
}
