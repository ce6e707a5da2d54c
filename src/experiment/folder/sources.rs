//! The games of one or several folders: merges their tables and journals in index order.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

use itertools::Itertools as _;

use super::arm::ImpossibleGame;
use super::checksums::Verifier;
use super::{
    Arm, FolderError, Game, JOURNALS, PARTS, Result, RunFolder, files_in, journal, stints, tables,
};
use crate::experiment::manifest::Stint;
use crate::files::Sha256;

/// Games of one strategy from several files, in the order of their indices.
pub type GamesInOrder = Box<dyn Iterator<Item = Result<Game>>>;

/// The folders with tables of a run: the run itself, and its parts.
pub(super) fn roots(folder: &Path) -> Vec<PathBuf> {
    std::iter::once(folder.to_owned())
        .chain(files_in(&folder.join(PARTS)))
        .collect()
}

/// A folder with tables.
#[derive(Clone)]
struct Root {
    path: PathBuf,
    /// One more than the largest index that a game of its run can have.
    end: u64,
}

/// Games of a strategy from a journal, in the order of their indices.
struct Journaled {
    path: PathBuf,
    games: Vec<Game>,
}

/// The games of one or several folders that exist when this is created.
pub struct Sources {
    /// The requested indices. Other games may be included.
    indices: Range<u64>,
    roots: Vec<Root>,
    journals: BTreeMap<Sha256, Vec<Journaled>>,
    verifier: Verifier,
}

impl Sources {
    pub(super) fn of(
        folders: &[PathBuf],
        indices: Range<u64>,
        verifier: &Verifier,
    ) -> Result<Self> {
        let (roots, journals) = (Vec::new(), BTreeMap::new());
        let mut sources = Self {
            indices,
            roots,
            journals,
            verifier: verifier.clone(),
        };
        for folder in folders {
            sources.add(folder)?;
        }
        Ok(sources)
    }

    fn add(&mut self, folder: &Path) -> Result<()> {
        let wanted = self.indices.clone();
        let elsewhere =
            |stint: &Stint| stint.indices[1] <= wanted.start || wanted.end <= stint.indices[0];
        let all = stints(folder)?.into_iter().map(|(_, stint)| stint);
        let others: Vec<String> = all.filter(elsewhere).map(|stint| stint.name).collect();
        // The name of a process and the number of the file.
        let is_asked = |path: &PathBuf| {
            let name = path.file_stem().unwrap_or_default().to_string_lossy();
            !name
                .rsplit_once('-')
                .is_some_and(|(process, _)| others.iter().any(|other| other == process))
        };
        let mut read: Vec<(Sha256, Journaled)> = Vec::new();

        // Journals before parts: a journal that becomes a part meanwhile is read twice rather than not at all.
        for path in files_in(&folder.join(JOURNALS))
            .into_iter()
            .filter(is_asked)
        {
            for (key, mut games) in journal::read(&path)?
                .into_iter()
                .flatten()
                .filter(|(_, games)| !games.is_empty())
            {
                games.sort_by_key(|game| game.index);
                read.push((
                    key,
                    Journaled {
                        path: path.clone(),
                        games,
                    },
                ));
            }
        }

        let there: Vec<PathBuf> = roots(folder).into_iter().filter(is_asked).collect();
        // Read after the files, because a process states what it will play before it writes any of it. Stints are read
        // before the manifest, because what leaves the history is in the manifest by then.
        let stints: Vec<Stint> = stints(folder)?
            .into_iter()
            .map(|(_, stint)| stint)
            .collect();
        let end = RunFolder::read_manifest(folder)?.0.end(&stints);
        for (key, journaled) in read {
            if let Some(last) = journaled.games.last().filter(|last| end <= last.index) {
                let reason = format!(
                    "it has game {}, but the games of this run end before {end}",
                    last.index
                );
                return Err(journal::wrong(&journaled.path, reason));
            }
            self.journals.entry(key).or_default().push(journaled);
        }
        self.roots
            .extend(there.into_iter().map(|path| Root { path, end }));
        Ok(())
    }

    /// Refuses games of strategies other than these: merging files would lose them.
    pub(super) fn check_all_of(&self, arms: &[Arm]) -> Result<()> {
        let is_theirs = |key: &Sha256| arms.iter().any(|arm| arm.key == *key);
        match self.journals.iter().find(|(key, _)| !is_theirs(key)) {
            Some((_, journals)) => {
                let path = &journals
                    .first()
                    .map(|journal| journal.path.clone())
                    .unwrap_or_default();
                Err(journal::wrong(
                    path,
                    "it has games of a strategy that is not in this run",
                ))
            }
            None => Ok(()),
        }
    }

    /// The games of a strategy, each once, in the order of their indices.
    pub fn games_of(&self, arm: &Arm) -> Result<GamesInOrder> {
        let mut sorted: Vec<GamesInOrder> = Vec::new();
        for Journaled { path, games } in self.journals.get(&arm.key).into_iter().flatten() {
            let size = arm.rules.size;
            let check = |game: &Game| match game.finish.board.size() {
                found if found != size => Err(ImpossibleGame::Size {
                    index: game.index,
                    found,
                    expected: size,
                }),
                _ => arm.check(game),
            };
            games
                .iter()
                .try_for_each(check)
                .map_err(|error| journal::wrong(path, error))?;
            sorted.push(Box::new(games.clone().into_iter().map(Ok)));
        }

        sorted.push(self.tables_of(arm)?);
        let name = arm.strategy.label();
        let may_differ = !arm.strategy.is_reproducible();
        let mut games = in_order(sorted).peekable();
        let once = move || {
            let mut game = games.next()?;
            while let Ok(one) = &game
                && let Some(Ok(other)) =
                    games.next_if(|next| next.as_ref().is_ok_and(|next| next.index == one.index))
            {
                if !may_differ && !one.is_same(&other) {
                    return Some(Err(FolderError::Disagree {
                        strategy: name.clone(),
                        index: other.index,
                    }));
                }
                // Only one of the two may have moves, costs, or nodes by empty cells.
                let lacks = |game: &Game| {
                    (
                        game.moves.is_empty(),
                        game.cpu.is_none(),
                        game.by_empty.is_empty(),
                    )
                };
                if lacks(&other) < lacks(one) {
                    game = Ok(other);
                }
            }
            Some(game)
        };

        Ok(Box::new(std::iter::from_fn(once)))
    }

    /// The games in the tables of a strategy. Tables with overlapping indices are read together. Of the others, such as
    /// a thousand parts, only one is open at a time.
    fn tables_of(&self, arm: &Arm) -> Result<GamesInOrder> {
        let mut spans = Vec::new();
        for root in &self.roots {
            let is_asked = |span: &tables::Span| {
                *span.indices.start() < self.indices.end
                    && self.indices.start <= *span.indices.end()
            };
            if let Some(span) = tables::span(&root.path, arm, &self.verifier)?.filter(is_asked) {
                spans.push((span.indices, root.clone()));
            }
        }
        spans.sort_by_key(|(indices, _)| *indices.start());
        let mut together: Vec<(u64, Vec<Root>)> = Vec::new();
        for (indices, root) in spans {
            match together.last_mut() {
                Some((last, roots)) if indices.start() <= last => {
                    *last = (*last).max(*indices.end());
                    roots.push(root);
                }
                _ => together.push((*indices.end(), vec![root])),
            }
        }

        let (arm, indices, verifier) = (arm.clone(), self.indices.clone(), self.verifier.clone());
        let read = move |(_, roots): (u64, Vec<Root>)| -> GamesInOrder {
            let table = |root: &Root| {
                Ok(Box::new(tables::read(
                    &root.path, &arm, &indices, root.end, &verifier,
                )?) as GamesInOrder)
            };
            match roots.iter().map(table).collect() {
                Ok(tables) => in_order(tables),
                Err(error) => Box::new(std::iter::once(Err(error))),
            }
        };

        Ok(Box::new(together.into_iter().flat_map(read)))
    }
}

/// Merges several sequences that are each sorted by index.
fn in_order(sorted: Vec<GamesInOrder>) -> GamesInOrder {
    let first = |a: &Result<Game>, b: &Result<Game>| match (a, b) {
        (Ok(a), Ok(b)) => a.index <= b.index,
        (a, _) => a.is_err(),
    };
    Box::new(sorted.into_iter().kmerge_by(first))
}
