//! The document when the window opens: a first look, or the last session; and the session to save.

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use itertools::Itertools as _;

use super::colors::Colors;
use super::compare::Comparing;
use super::core::{Content, Core};
use super::effect::Effects;
use super::experiment_run::{ExperimentId, ExperimentRun, empty_setup};
use super::game::OnBoard;
use super::kept_runs::KeptRuns;
use super::opened::Opened;
use super::own_files::OwnFiles;
use super::pinned::Pinning;
use super::pinned_runs::PinnedRuns;
use super::played_runs::PlayedRuns;
use super::reread::Rereading;
use super::session::{Restored, Session};
use super::settings::VERSION;
use super::tuning::Tunings;
use super::{Document, GameTree, NodeId, Surroundings, Trainings};
use crate::experiment;
use crate::game::{Rules, Seed, WrittenTree};
use crate::preset::{Item as _, Shipped};
use crate::ron_text::Part;
use crate::search::SearchOptions;
use crate::strategy::{Decision, GameTrace, Player, Strategy};

/// The state that a session would save, compared by identity: every change creates new objects.
#[derive(Clone, Debug)]
pub struct OpenNow {
    content: Content,
    /// Number of positions; the tree only grows.
    positions: usize,
    note_changes: u64,
    /// The folder of the last run, and those of the runs that are pinned.
    run: Option<PathBuf>,
    pinned: Vec<PathBuf>,
    /// The networks, in the order of their colors.
    networks: Vec<String>,
}

impl PartialEq for OpenNow {
    fn eq(&self, other: &Self) -> bool {
        let (now, then) = (&self.content, &other.content);
        self.positions == other.positions
            && self.note_changes == other.note_changes
            && self.networks == other.networks
            && self.run == other.run
            && self.pinned == other.pinned
            && now.cursor == then.cursor
            && now.current == then.current
            && now.saved_to == then.saved_to
            && now.pinning.chosen == then.pinning.chosen
            && Arc::ptr_eq(&now.setup, &then.setup)
            && now.strategies.len() == then.strategies.len()
            && now
                .strategies
                .iter()
                .zip(&then.strategies)
                .all(|(a, b)| a.is_same(b))
    }
}

/// Minimum advantage of the first look's move, so that it shows without decimals.
const CLEAR: f64 = 1.0;

/// This many games of one ply take only a moment.
const QUICK_GAMES: u64 = 10_000;

impl Document {
    /// A few strategies, a game of the first one and an empty experiment.
    pub fn new(surroundings: Surroundings) -> Self {
        let strategies: Vec<Opened> = ["emr", "mr", "er"]
            .iter()
            .filter_map(|letters| Strategy::from_letters(letters).ok())
            .map(Opened::new)
            .collect();

        let mut tree = GameTree::default();
        let rules = Rules::default();
        // The strategy's own game; an empty game without strategies.
        let cursor = match strategies.first() {
            Some(strategy) => tree.add_record(
                &GameTrace::record(
                    &Player::new(strategy, rules),
                    Seed(1),
                    0,
                    strategy,
                    SearchOptions::default(),
                ),
                "",
            ),
            None => tree.begin(rules, 1, 0, Seed(1).game(0).opening(&rules), 0, ""),
        };

        let own_files = OwnFiles::new(surroundings.config_dir.as_deref());
        let content = Content {
            cursor,
            strategies,
            current: 0,
            setup: empty_setup(),
            experiment: ExperimentId::fresh(),
            saved_to: None,
            editing: None,
            pinning: Pinning::default(),
            searched_on: None,
            colors: RefCell::default(),
        };

        let mut document = Self {
            core: Core::new(content, tree, surroundings),
            on_board: OnBoard::default(),
            runs: PlayedRuns::default(),
            kept_runs: KeptRuns::default(),
            pinned_runs: PinnedRuns::default(),
            rereading: Rereading::default(),
            tunings: Tunings::default(),
            solving: super::Solving::default(),
            reviewing: super::Reviewing::default(),
            practising: super::Practising::default(),
            trainings: Trainings::default(),
            own_files,
            comparing: Comparing::default(),
        };
        document.kept_runs.empty_trash(&document.core);
        document.refresh();
        document
    }

    /// Restores the last session and reports problems; `false` if none was saved.
    pub fn restore(&mut self, effects: &mut Effects) -> bool {
        let Some(folder) = &self.surroundings().config_dir else {
            return false;
        };
        let (session, news) = Session::load(folder);
        if let Some(news) = news {
            effects.error(news);
        }
        let Some(Restored {
            session,
            strategies,
            current,
            preset,
            games,
        }) = session
        else {
            return false;
        };
        self.core
            .content_mut()
            .pinning
            .chosen
            .clone_from(&session.positions);
        self.own_files.recent.clone_from(&session.recent);
        if let Some(preset) = preset {
            self.set_experiment(preset, session.saved_to());
            // Repeats cheap runs; expensive ones wait for Run.
            let searches = self
                .setup()
                .strategies
                .iter()
                .any(|entry| entry.strategy.takes_time());
            let is_quick = !searches && self.plan_of(self.setup()).total_games() <= QUICK_GAMES;
            if !session
                .run
                .is_some_and(|folder| self.show_run(&folder, effects))
                && is_quick
            {
                let _ = self.run_experiment(effects);
            }
        }

        self.core.set_colors(Colors::restored(&session.marks));
        self.trainings.colors.clone_from(&session.networks);
        self.pinned_runs
            .restore(&self.core, &session.pinned, effects);
        if let Some((tree, cursor)) = games {
            self.show_games(tree, cursor);
        }

        if !strategies.is_empty() {
            let content = self.core.content_mut();
            (content.strategies, content.current) = (strategies, current);
        }
        self.refresh();
        true
    }

    /// Shows the results of a run on disk; false on failure.
    pub(super) fn show_run(&mut self, folder: &Path, effects: &mut Effects) -> bool {
        let wake = self.surroundings().wake.clone();
        match experiment::read_folder(folder, |preset| self.plan_of(preset), move || wake()) {
            Ok((_, Some(run))) => {
                let titled = super::kept_runs::title_given(folder, effects);
                self.runs.last = ExperimentRun::reopened(self.experiment(), run, titled);
            }
            Ok((_, None)) => return false,
            // The user may have deleted it.
            Err(_) if !folder.exists() => return false,
            Err(error) => {
                effects.error(format!("The last run cannot be shown: {error}"));
                return false;
            }
        }
        true
    }

    /// The folder of the shown run, if it belongs to the current experiment.
    fn kept_run(&self) -> Option<PathBuf> {
        let is_shown = self.runs.last.experiment == self.experiment();
        self.runs
            .last
            .folder()
            .filter(|_| is_shown)
            .map(Path::to_owned)
    }

    fn folders_of_pinned(&self) -> Vec<PathBuf> {
        self.pinned_runs().map(Path::to_owned).collect()
    }

    /// A snapshot that detects changes cheaply.
    pub fn open_now(&self) -> OpenNow {
        OpenNow {
            content: self.content().clone(),
            positions: self.tree().len(),
            note_changes: self.tree().note_changes(),
            networks: self.trainings.colors.clone(),
            run: self.kept_run(),
            pinned: self.folders_of_pinned(),
        }
    }

    pub fn session(&self) -> Session {
        let Content {
            strategies,
            saved_to,
            pinning,
            ..
        } = self.content();
        let saved_to = saved_to.as_ref();
        Session {
            version: VERSION,
            strategies: strategies
                .iter()
                .map(|open| Part::Read((*open.strategy).clone()))
                .collect(),
            origins: strategies
                .iter()
                .map(|open| Part::Read(open.saved_origin()))
                .collect(),
            current: self.current(),
            preset: self.setup().to_text(),
            saved_to: saved_to.map(|file| file.path.clone()),
            saved_text: saved_to.map(|file| file.text.clone()),
            games: Some(WrittenTree::of(self.tree(), self.cursor())),
            positions: pinning.chosen.clone(),
            recent: self.recent().to_vec(),
            marks: self.colors_now().saved(),
            networks: self.trainings.colors.clone(),
            run: self.kept_run(),
            pinned: self.folders_of_pinned(),
            ..Session::default()
        }
    }

    /// Shows a position of other games, and drops everything computed for the previous games.
    fn show_games(&mut self, tree: GameTree, at: NodeId) {
        self.core.replace_games(tree, at);
        self.on_board.stop();
    }

    /// Shows a position where lookahead changed the move, in a game of the strategy with lookahead. With `plays`, also
    /// runs the experiment that compares it with the one without lookahead.
    pub fn first_look(&mut self, plays: bool, effects: &mut Effects) {
        let Some(preset) = Shipped::ALL
            .first()
            .and_then(|shipped| shipped.preset().ok())
        else {
            return;
        };
        let strategies: Vec<Opened> = preset
            .strategies
            .iter()
            .map(|entry| Opened::new(entry.strategy.clone()))
            .collect();
        let players: Vec<Player> = strategies
            .iter()
            .map(|open| Player::new(open, preset.rules))
            .collect();
        let (Some(last), Some((looks_ahead, others))) = (strategies.last(), players.split_last())
        else {
            return;
        };
        let game = GameTrace::record(
            looks_ahead,
            Seed(preset.seed),
            0,
            last,
            SearchOptions::default(),
        );
        let mut tree = GameTree::default();
        let end = tree.add_record(&game, "");
        let line = tree.line_through(end);
        let (third, last_row) = (line.len() / 3, last.criteria.len().saturating_sub(1));
        let is_worth_explaining = |&id: &NodeId| {
            let node = tree.node(id);
            let decide = |player| Decision::now(player, &node.board, node.score, |_| 0);
            let decision = decide(looks_ahead);
            let strikes = decision
                .kept
                .first()
                .is_some_and(|left| *left != decision.legal());
            let values = decision
                .moves
                .iter()
                .filter_map(|(_, candidate)| candidate.as_ref()?.values[last_row]);
            let (best, second) = values
                .sorted_by(|a, b| b.total_cmp(a))
                .next_tuple()
                .unwrap_or_default();
            strikes
                && CLEAR <= best - second
                && decision.deciding() == Some(last_row)
                && others
                    .iter()
                    .all(|other| (decide(other).choice & decision.choice).is_empty())
        };
        let at = line[third..]
            .iter()
            .copied()
            .find(is_worth_explaining)
            .unwrap_or(line[third]);

        tree.favour(end);
        self.show_games(tree, at);
        self.core.content_mut().current = strategies.len() - 1;
        self.core.content_mut().strategies = strategies;
        self.set_experiment(preset, None);
        self.refresh();

        if plays {
            // Takes some seconds at most; the user can stop it.
            let _ = self.run_experiment(effects);
        }
    }
}
