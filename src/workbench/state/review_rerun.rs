//! The rerun of a reviewed game's seeds: the edited strategy against the one that played the game.

use std::borrow::Cow;

use super::effect::{Effect, Effects};
use super::{Document, ExperimentRun, NodeId, Reviewing};
use crate::preset::Preset;
use crate::strategy::SharedStrategy;
use crate::workbench::command::{Panel, ReviewCommand};

/// The last rerun.
#[derive(Clone, Debug)]
pub struct Rerun {
    /// The number of its run: [`ExperimentRun::runs`].
    pub runs: u64,
    /// The edited strategy, at place 0 of the run, and the one that played the game, at place 1.
    pub strategies: [SharedStrategy; 2],
    /// Index of the reviewed game.
    pub game: u64,
}

impl Reviewing {
    /// Notes that a rerun has begun, and the position on the board.
    fn note_rerun(&mut self, rerun: Rerun, at: NodeId) {
        self.rerun = Some(rerun);
        self.take_step(at, 4);
    }
}

impl Document {
    /// The last step of the path taken at the current position, from 1; 0 if none.
    pub fn step(&self) -> u8 {
        self.reviewing
            .step
            .filter(|(node, _)| *node == self.cursor())
            .map_or(0, |(_, step)| step)
    }

    /// The last rerun with its run, while the run is loaded.
    pub fn rerun(&self) -> Option<(&Rerun, &ExperimentRun)> {
        let rerun = self.reviewing.rerun.as_ref()?;
        Some((rerun, self.runs.all().find(|run| run.runs == rerun.runs)?))
    }

    /// Runs the rerun of the reviewed game, as the experiment of the document.
    pub(super) fn rerun_game(&mut self, effects: &mut Effects) {
        let setup = match self.rerun_setup() {
            Ok(setup) => setup,
            Err(reason) => return effects.warn(reason.into_owned()),
        };
        let Ok(player) = self.reviewed_player(0) else {
            return;
        };
        let strategies = [
            self.strategy(),
            SharedStrategy::from(player.strategy().clone()),
        ];
        let (game, before) = (self.game().index, self.runs.last.runs);
        self.start_beside(ReviewCommand::Rerun.into(), setup, effects);
        if self.runs.last.runs == before {
            return;
        }
        self.reviewing.note_rerun(
            Rerun {
                runs: self.runs.last.runs,
                strategies,
                game,
            },
            self.cursor(),
        );
        effects.push(Effect::ShowPanel(Panel::Rerun));
    }

    /// The experiment that plays the seeds of the reviewed game with the edited and the original strategy.
    pub(super) fn rerun_setup(&self) -> Result<Preset, Cow<'static, str>> {
        let player = self.reviewed_player(0)?;
        if player.strategy().hash() == self.strategy().hash() {
            let label = player.strategy().label();
            return Err(
                format!("{label} is the strategy that played this game: edit a row first").into(),
            );
        }
        let game = self.game();
        let begun = self
            .line()
            .first()
            .map(|&node| self.tree().node(node).board);
        if begun != Some(game.chance().opening(&game.rules)) {
            return Err(
                "This game does not start from its seed, so a run cannot play it again".into(),
            );
        }

        let setup = self.test_of(player.strategy())?;
        // The configured number of games, but at least enough to include this game.
        let games = setup.games.max(game.index.saturating_add(1));
        let mut setup = Preset {
            seed: game.seed,
            games,
            ..setup
        };
        setup.set_rules(game.rules);
        self.plan_of(&setup)
            .check()
            .map_err(|error| error.to_string())?;
        Ok(setup)
    }
}
