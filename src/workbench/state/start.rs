//! What is open when the window opens: a first look, or what was open last time; and what to write down for the next time.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::sync::Arc;

use super::baseline::Disagreement;
use super::decider::Decider;
use super::effect::Effects;
use super::history::History;
use super::lab::{ExperimentId, Lab, empty_setup};
use super::marks::Marks;
use super::opened::Opened;
use super::own_files::OwnFiles;
use super::pinned::Pinning;
use super::session::Session;
use super::settings::VERSION;
use super::{Content, Document, GameTree, NodeId, Surroundings};
use crate::game::{Rules, Seed};
use crate::preset::Item as _;
use crate::search::SearchOptions;
use crate::strategy::{Decision, GameTrace, Player, Strategy};
use crate::task::Tasks;

/// What a session would save, compared by identity: every change makes something new.
#[derive(Clone, Debug)]
pub struct OpenNow(Content);

impl PartialEq for OpenNow {
    fn eq(&self, other: &Self) -> bool {
        let (Self(now), Self(then)) = (self, other);
        now.current == then.current
            && now.saved_to == then.saved_to
            && now.pinning.chosen == then.pinning.chosen
            && Arc::ptr_eq(&now.setup, &then.setup)
            && now.strategies.len() == then.strategies.len()
            && now.strategies.iter().zip(&then.strategies).all(|(a, b)| a.is_same(b))
    }
}

/// So many games of one ply take a moment only.
const QUICK_GAMES: u64 = 10_000;

impl Document {
    /// A game in its middle, a few strategies and a small experiment, so that a first look shows something.
    pub fn new(surroundings: Surroundings) -> Self {
        let strategies: Vec<Opened> = ["emr", "mr", "er"]
            .iter()
            .filter_map(|letters| Strategy::from_letters(letters).ok())
            .map(Opened::new)
            .collect();
        let mut tree = GameTree::default();
        let rules = Rules::default();
        // The strategy's own game; on a board of its own if there were none.
        let cursor = match strategies.first() {
            Some(strategy) => tree.add_record(
                &GameTrace::record(&Player::new(strategy, rules), Seed(1), 0, strategy, SearchOptions::default()),
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
        };
        let mut document = Self {
            content,
            history: History::default(),
            tree,
            lab: Lab::default(),
            earlier: Vec::new(),
            own_files,
            pastes_over: None,
            to_export: None,
            autoplay: None,
            played: None,
            marks: RefCell::default(),
            players: RefCell::default(),
            decider: Decider::default(),
            step_waits: None,
            baseline: None,
            disagreement: Disagreement::default(),
            timing: None,
            decisions: Cell::new(0),
            line: Vec::new(),
            off: HashMap::new(),
            tasks: Tasks::new(surroundings.wake_at_once.clone()),
            surroundings,
        };
        document.first_look();
        document.refresh();
        document
    }

    /// Opens what was open last time, and tells what went wrong.
    pub fn restore(&mut self, effects: &mut Effects) {
        let Some(folder) = &self.surroundings.config_dir else { return };
        let (session, news) = Session::load(folder);
        if let Some(news) = news {
            effects.error(news);
        }
        let Some(session) = session else { return };
        self.content.current = session.current.min(session.strategies.len() - 1);
        self.content.pinning.chosen.clone_from(&session.positions);
        if let Some(preset) = session.preset() {
            self.set_experiment(preset, session.saved_to());
            // What takes a moment is shown again; more waits for Run.
            let searches = self.setup().strategies.iter().any(|entry| entry.strategy.looks_ahead());
            if !searches && self.plan_of(self.setup()).total_games() <= QUICK_GAMES {
                let _ = self.run_experiment();
            }
        }
        self.marks.replace(Marks::restored(&session.marks));
        if let Some(record) = session.game() {
            // Instead of the game of a first look, which nobody played.
            self.tree = GameTree::default();
            self.off.clear();
            self.decider = Decider::default();
            self.step_waits = None;
            let end = self.tree.add_record(&record, "");
            let line = self.tree.line_through(end);
            self.content.cursor = line[session.place.min(line.len() - 1)];
        }
        let origins = session.origins.into_iter().map(Some).chain(std::iter::repeat(None));
        let strategies = session.strategies.into_iter().zip(origins);
        self.content.strategies = strategies.map(|(strategy, origin)| Opened::restored(strategy, origin)).collect();
        self.refresh();
    }

    /// What is open, to tell cheaply whether it changed.
    pub fn open_now(&self) -> OpenNow {
        OpenNow(self.content.clone())
    }

    pub fn session(&self) -> Session {
        let Content { strategies, saved_to, pinning, .. } = &self.content;
        let saved_to = saved_to.as_ref();
        Session {
            version: VERSION,
            strategies: strategies.iter().map(|open| (*open.strategy).clone()).collect(),
            origins: strategies.iter().map(Opened::saved_origin).collect(),
            current: self.current(),
            preset: self.setup().to_text(),
            saved_to: saved_to.map(|file| file.path.clone()),
            saved_text: saved_to.map(|file| file.text.clone()),
            game: Some(self.tree.record(self.cursor(), None).to_string()),
            place: self.place(),
            positions: pinning.chosen.clone(),
            marks: self.marks.borrow().saved(),
        }
    }

    /// Shows a game that the first strategy played, somewhere in its middle, and runs the quick start.
    fn first_look(&mut self) {
        let strategy = self.strategy();
        let end = self.content.cursor;
        let line = self.tree.line_through(end);
        // From a third of the way on, the first position at which the last criterion decided: there is something to read.
        let player = self.player(&strategy, Rules::default());
        let decided_last = |&id: &NodeId| {
            let node = self.tree.node(id);
            Decision::now(&player, &node.board, node.score, |_| 0).deciding() == Some(strategy.criteria.len() - 1)
        };
        let third = line.len() / 3;
        let at = line[third..].iter().copied().find(decided_last).unwrap_or(line[third]);
        self.content.cursor = at;
        self.tree.favour(end);
        if let Some(preset) = crate::preset::Shipped::ALL.first().and_then(|shipped| shipped.preset().ok()) {
            self.content.setup = Arc::new(preset);
            // Two seconds of work at most; a person who is faster can stop it.
            let _ = self.run_experiment();
        }
    }
}
