//! The state of the window when it was closed: strategies, experiment and games.
//!
//! Saved apart from the settings, so that a broken file of one kind does not affect the other. The file is written completely and
//! then renamed into place. An unreadable file is set aside under another name; of a file with unreadable parts a copy is saved.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::settings::{keep_aside, read_or_set_aside, set_aside};
use super::{Opened, OriginFile};
use crate::files::{self, LARGEST_FILE};
use crate::game::game_tree::{GameTree, NodeId};
use crate::game::{Record, WrittenTree};
use crate::preset::Preset;
use crate::ron_text::{self, Mistake, Part, Unread};
use crate::strategy::Strategy;
use crate::words;

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Session {
    pub(super) version: u32,
    pub strategies: Vec<Part<Strategy>>,
    /// The origin of each strategy. Files of earlier versions have fewer origins than strategies.
    #[serde(default)]
    pub origins: Vec<Part<SavedOrigin>>,
    pub(super) current: usize,
    pub(super) preset: String,
    /// The user's preset that the experiment belongs to.
    #[serde(default)]
    pub(super) saved_to: Option<PathBuf>,
    /// The last known text of that file. Sessions of earlier versions lack it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) saved_text: Option<String>,
    /// All games with their branches.
    #[serde(default)]
    pub(super) games: Option<WrittenTree>,
    /// Earlier versions saved the line on the board as a record, with the number of moves played.
    #[serde(default, skip_serializing)]
    pub(super) game: Option<String>,
    #[serde(default, skip_serializing)]
    pub(super) place: usize,
    /// The user's set of positions for trying edits; `None` for the shipped set.
    #[serde(default)]
    pub positions: Option<PathBuf>,
    /// Files opened or saved most recently.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) recent: Vec<PathBuf>,
    /// The folder of the run on screen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) run: Option<PathBuf>,
    /// The folders of the pinned runs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) pinned: Vec<PathBuf>,
    /// The color of each strategy, by the 64-bit hash of the strategy.
    #[serde(default)]
    pub marks: BTreeMap<u64, usize>,
    /// The names of the networks, in the order of their colors.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) networks: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SavedOrigin {
    /// The strategy as last opened or saved, if it was edited since.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<Strategy>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<OriginFile>,
}

/// A session with the parts that could be read.
#[derive(Debug)]
pub(super) struct Restored {
    pub(super) session: Session,
    /// May be empty.
    pub(super) strategies: Vec<Opened>,
    /// An index into `strategies`, or 0 if that is empty.
    pub(super) current: usize,
    pub(super) preset: Option<Preset>,
    pub(super) games: Option<(GameTree, NodeId)>,
}

/// The name in the text of a strategy that may be unreadable otherwise; empty if there is none.
fn name_in(text: &str) -> String {
    #[derive(Deserialize)]
    struct Named {
        #[serde(default)]
        name: String,
    }
    let alone = || {
        let (_, behind) = text.split_once("name: ")?;
        ron_text::read(behind.lines().next()?.trim_end_matches(',')).ok()
    };
    ron_text::read(text)
        .map(|Named { name }| name)
        .ok()
        .or_else(alone)
        .unwrap_or_default()
}

impl Session {
    /// Reads a session, even if brackets or quotes inside a strategy or its origin do not match.
    fn read(text: &str) -> Result<Self, Mistake> {
        ron_text::read(text).or_else(|reason| {
            let (rest, strategies) = ron_text::take_items(text, "strategies");
            let (rest, origins) = ron_text::take_items(&rest, "origins");
            let rest: Self = ron_text::read(&rest).map_err(|_| reason)?;
            let strategies = strategies.into_iter().map(Part::of).collect();
            Ok(Self {
                strategies,
                origins: origins.into_iter().map(Part::of).collect(),
                ..rest
            })
        })
    }

    /// The open strategies with their origins, and the index of the current one. Reports each unreadable part and the reason to
    /// `lost`.
    fn read_strategies(
        &mut self,
        text: &str,
        mut lost: impl FnMut(String, String),
    ) -> (Vec<Opened>, usize) {
        let mut origins = std::mem::take(&mut self.origins).into_iter();
        let (mut open, mut current) = (Vec::new(), 0);
        for (place, strategy) in std::mem::take(&mut self.strategies).into_iter().enumerate() {
            let origin = origins.next().map(Part::read).transpose();
            if place == self.current {
                current = open.len();
            }
            match strategy.read() {
                Err(unread) => {
                    let name = name_in(&unread.text);
                    let name = if name.is_empty() {
                        format!("in place {}", place + 1)
                    } else {
                        words::quoted(&name)
                    };
                    lost(
                        format!("the strategy {name}"),
                        unread.mistake_in(text).to_string(),
                    );
                }
                Ok(strategy) => {
                    let name = words::quoted(&strategy.label());
                    let unread = |unread: Unread| {
                        lost(
                            format!("where the strategy {name} comes from"),
                            unread.mistake_in(text).to_string(),
                        );
                    };
                    open.push(Opened::restored(
                        strategy,
                        origin.map_err(unread).ok().flatten(),
                    ));
                }
            }
        }
        current = current.min(open.len().saturating_sub(1));
        (open, current)
    }

    /// The games, and the position that was on the board.
    fn read_games(&self) -> Result<Option<(GameTree, NodeId)>, String> {
        if let Some(games) = &self.games {
            return games.read().map(Some);
        }
        let Some(text) = &self.game else {
            return Ok(None);
        };
        let record: Record = text.parse().map_err(|error| format!("{error}"))?;
        let mut tree = GameTree::default();
        let end = tree.add_record(&record, "");
        let line = tree.line_through(end);
        Ok(Some((tree, line[self.place.min(line.len() - 1)])))
    }

    /// The user's preset that the experiment belongs to, with the last known text of its file. If the session lacks the text, the
    /// file is read.
    pub fn saved_to(&self) -> Option<OriginFile> {
        let path = self.saved_to.clone()?;
        let text = self
            .saved_text
            .clone()
            .or_else(|| files::read_text(&path, LARGEST_FILE).ok());
        Some(OriginFile {
            text: text.unwrap_or_else(|| self.preset.clone()),
            path,
        })
    }

    pub fn path(folder: &Path) -> PathBuf {
        folder.join("session.ron")
    }

    /// Reads the file in a configuration folder. The text reports a problem in one sentence.
    pub(super) fn load(folder: &Path) -> (Option<Restored>, Option<String>) {
        let path = Self::path(folder);
        if !path.exists() {
            return (None, None);
        }
        let text = match files::read_text(&path, LARGEST_FILE) {
            Ok(text) => text,
            Err(error) => {
                let moved = set_aside(&path, "bad");
                return (
                    None,
                    Some(format!(
                        "The last session could not be read and was {moved}: {error}"
                    )),
                );
            }
        };

        let what = ["The last session", "is", "was"];
        match read_or_set_aside(&path, what, &text, || Self::read(&text)) {
            Ok(session) => {
                let (restored, lost) = session.restored(&text);
                let report = |lost: String| {
                    format!(
                        "From the last session, {lost}; {}",
                        keep_aside(&path, "bad")
                    )
                };
                (Some(restored), lost.map(report))
            }
            Err(news) => (None, Some(news)),
        }
    }

    /// Restores the readable parts of a session, and reports the others with reasons.
    fn restored(mut self, text: &str) -> (Restored, Option<String>) {
        let mut lost = Vec::new();
        let mut part =
            |what: &str, reason: String| lost.push(format!("{what} could not be read ({reason})"));
        let (strategies, current) = self.read_strategies(text, |what, reason| part(&what, reason));
        // A draft that cannot run now is restored, too.
        let preset = Preset::draft(&self.preset)
            .map_err(|error| part("the experiment", error.to_string()))
            .ok();
        let games = self
            .read_games()
            .map_err(|reason| part("the games", reason))
            .ok()
            .flatten();

        let lost = (!lost.is_empty()).then(|| lost.join(" and "));
        (
            Restored {
                session: self,
                strategies,
                current,
                preset,
                games,
            },
            lost,
        )
    }

    /// Writes the file into a configuration folder, and creates the folder if needed.
    pub fn save(&self, folder: &Path) -> Result<(), String> {
        let text = ron_text::pretty(self, 3)
            .map_err(|error| format!("The session cannot be saved: {error}"))?;
        files::make_folder(folder).map_err(|error| error.to_string())?;
        files::write(&Self::path(folder), text.as_bytes()).map_err(|error| error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::preset::{Item as _, Shipped};
    use crate::workbench::state::settings::VERSION;

    fn session() -> Session {
        Session {
            version: VERSION,
            strategies: ["emr", "gu"]
                .map(|letters| Part::Read(letters.parse().expect("letters")))
                .to_vec(),
            origins: Vec::new(),
            current: 1,
            preset: Shipped::ALL[0].preset().expect("shipped").to_text(),
            saved_to: Some(PathBuf::from("a b.ron")),
            saved_text: Some("what it says".to_owned()),
            ..Session::default()
        }
    }

    #[test]
    fn what_is_known_of_the_preset_file_is_kept_and_an_earlier_session_takes_what_the_file_says() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("mine.ron");
        std::fs::write(&path, "by hand").expect("written");
        let preset = Shipped::ALL[0].preset().expect("shipped");
        for text in [preset.to_text(), "other".to_owned()] {
            let saved_to = Some(path.clone());
            let mut session = Session {
                saved_to,
                saved_text: Some(text.clone()),
                ..session()
            };
            assert_eq!(session.saved_to().map(|file| file.text), Some(text));
            session.saved_text = None;
            assert_eq!(
                session.saved_to().map(|file| file.text).as_deref(),
                Some("by hand")
            );
        }
    }

    #[test]
    fn what_is_saved_is_opened_again() {
        let folder = tempfile::tempdir().expect("a folder");
        session().save(folder.path()).expect("saved");
        let (read, news) = Session::load(folder.path());
        let read = read.expect("a session");
        let names: Vec<String> = read.strategies.iter().map(|open| open.label()).collect();
        assert_eq!(
            (names, read.current, news),
            (vec!["emr".to_owned(), "gu".to_owned()], 1, None)
        );
        assert!(read.preset.is_some() && read.games.is_none());
    }

    #[test]
    fn an_earlier_session_has_its_game_still() {
        let mut tree = GameTree::default();
        let rules = crate::game::Rules::default();
        let start = tree.begin(
            rules,
            5,
            0,
            crate::game::Seed(5).game(0).opening(&rules),
            0,
            "",
        );
        let mv = tree.node(start).board.legal_moves().nth(0).expect("a move");
        let (_, end) = tree.slide(start, mv).expect("legal");
        let record = tree.record(start).to_string();
        for (place, at) in [(0, start), (1, end), (99, end)] {
            let session = Session {
                game: Some(record.clone()),
                place,
                ..session()
            };
            let (games, lost) = session.restored("");
            let (read, cursor) = games.games.expect("a game");
            assert_eq!((read.node(cursor).board, lost), (tree.node(at).board, None));
        }
    }

    #[test]
    fn a_part_that_cannot_be_read_is_told_and_the_file_kept() {
        let sound = Session {
            games: None,
            ..session()
        };
        let lost_preset = Session {
            preset: "(version: 1".to_owned(),
            ..sound.clone()
        };
        let lost_game = Session {
            games: Some(WrittenTree::default()),
            ..sound.clone()
        };
        for (session, parts) in [
            (&lost_preset, "the experiment could not"),
            (&lost_game, "the games could not"),
        ] {
            let folder = tempfile::tempdir().expect("a folder");
            session.save(folder.path()).expect("saved");
            let (read, news) = Session::load(folder.path());
            let (read, news) = (read.expect("the rest"), news.expect("a sentence"));
            assert_eq!(read.strategies.len(), sound.strategies.len());
            assert!(
                news.contains(parts) && news.contains("session.ron.bad") && !news.contains('\n'),
                "{news}"
            );
            let path = Session::path(folder.path());
            assert_eq!(
                std::fs::read(path.with_extension("ron.bad")).ok(),
                std::fs::read(path).ok()
            );
        }
    }

    #[test]
    fn a_strategy_that_cannot_be_read_costs_no_other() {
        let before = Some("er".parse().expect("letters"));
        let origins = [before, None]
            .map(|before| Part::Read(SavedOrigin { before, file: None }))
            .to_vec();
        let session = Session {
            games: None,
            origins,
            ..session()
        };
        for (from, to, names, reason) in [
            (
                "name: \"emr\"",
                "name: \"emr\", last_resort: Later",
                ["gu"].as_slice(),
                "the strategy \"emr\" could not",
            ),
            (
                "name: \"emr\",",
                "name: \"emr\", ))",
                &["gu"],
                "the strategy in place 1 could not",
            ),
            (
                "criteria: [(evaluator: Empty",
                "criteria: [[{(evaluator: Empty",
                &["gu"],
                "the strategy \"emr\" could not",
            ),
            (
                "name: \"gu\",",
                "name: \"gu,",
                &["emr"],
                "the strategy in place 2 could not",
            ),
            (
                "before: (",
                "before: ((",
                &["emr", "gu"],
                "where the strategy \"emr\" comes from could not",
            ),
            (
                "name: \"gu\"",
                "name: 7",
                &["emr"],
                "the strategy in place 2 could not",
            ),
            (
                "name: \"er\"",
                "name: 7",
                &["emr", "gu"],
                "where the strategy \"emr\" comes from could not",
            ),
        ] {
            let folder = tempfile::tempdir().expect("a folder");
            session.save(folder.path()).expect("saved");
            let path = Session::path(folder.path());
            let text = std::fs::read_to_string(&path)
                .expect("a session")
                .replacen(from, to, 1);
            std::fs::write(&path, &text).expect("written");
            let (read, news) = Session::load(folder.path());
            let (read, news) = (read.expect("the rest"), news.expect("a sentence"));
            let open: Vec<String> = read.strategies.iter().map(|open| open.label()).collect();
            assert_eq!(
                (open, read.current),
                (
                    names.iter().map(|&name| name.to_owned()).collect(),
                    names.len() - 1
                )
            );
            assert!(read.preset.is_some(), "the experiment is opened");
            let line = 1 + text
                .lines()
                .position(|line| line.contains(to))
                .expect("it was put there");
            assert!(
                news.contains(reason) && news.contains(&format!("(line {line}, column")),
                "{news}"
            );
            assert_eq!(
                std::fs::read_to_string(path.with_extension("ron.bad")).ok(),
                Some(text)
            );
        }
    }

    #[test]
    fn an_experiment_that_cannot_run_is_opened_as_it_was() {
        let text = "(version: 1, rules: (size: \"5x5\"), seed: 1, games: 9, strategies: [(strategy: (name: \"a\", criteria: \
            [(evaluator: Weights([1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2, 3, 4, 5, 6, 7]))]))])";
        for text in [text, "(version: 1, seed: 1, games: 9, strategies: [])"] {
            assert!(Preset::from_text(text).is_err());
            let session = Session {
                preset: text.to_owned(),
                ..session()
            };
            let (restored, lost) = session.restored("");
            assert_eq!(
                (restored.preset.map(|preset| preset.games), lost),
                (Some(9), None)
            );
        }
        let unsound = text.replace("5x5", "9x9");
        let (restored, lost) = Session {
            preset: unsound,
            ..session()
        }
        .restored("");
        assert!(restored.preset.is_none() && lost.is_some_and(|lost| lost.contains("size")));
    }

    #[test]
    fn a_broken_or_newer_file_is_set_aside_in_one_sentence() {
        for text in [
            "(",
            "\u{0}\u{1}",
            "(version: 1, strategies: [7])",
            "(version: 99, other: true)",
        ] {
            let folder = tempfile::tempdir().expect("a folder");
            std::fs::write(Session::path(folder.path()), text).expect("written");
            let (read, news) = Session::load(folder.path());
            assert!(read.is_none(), "{text}");
            let news = news.expect("a sentence");
            assert!(!news.contains('\n'), "{news}");
            let files: Vec<_> = std::fs::read_dir(folder.path()).expect("listed").collect();
            assert_eq!(files.len(), 1, "the text is kept under another name");
            assert!(!Session::path(folder.path()).exists());
        }
    }
}
