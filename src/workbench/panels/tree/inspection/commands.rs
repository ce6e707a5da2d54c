//! The commands of the tree: whether they make sense, and what they do to what the panels share.

use super::{Base, Inspection, Shown};
use crate::game::{Rank, Spawn, Step};
use crate::search::{Link, NodeId, Origin, Replay, ReplayEvent};
use crate::workbench::command::{Commands, GameCommand, Panel, TreeCommand, ViewCommand};

impl Inspection {
    /// Whether a command makes sense now, else why not.
    pub fn can(&self, command: TreeCommand) -> Result<(), &'static str> {
        let requires = |condition: bool, reason| if condition { Ok(()) } else { Err(reason) };
        let no_tree = "No search yet: play, or press Enter";
        let Some(Shown { tree, node, .. }) = &self.shown else { return Err(no_tree) };
        match command {
            TreeCommand::Parent => requires(tree.parent(self.selected).is_some(), "This is the root"),
            TreeCommand::Child | TreeCommand::Unfold | TreeCommand::Fold => {
                requires(tree.kept_below(self.selected) != 0, "Nothing is recorded below this node")
            }
            TreeCommand::PreviousSibling => requires(self.sibling(-1).is_some(), "This is the first of its siblings"),
            TreeCommand::NextSibling => requires(self.sibling(1).is_some(), "This is the last of its siblings"),
            TreeCommand::Back => requires(!self.before.is_empty(), "Nothing was selected before"),
            TreeCommand::Forward => requires(!self.after.is_empty(), "Nothing was selected after"),
            TreeCommand::NextMatch | TreeCommand::PreviousMatch => {
                requires(self.filter.is_on(), "There is no filter: type one, such as kind:cut")?;
                requires(!self.filter.matches().is_empty(), "No node of this tree matches the filter")
            }
            TreeCommand::ClearFilter => requires(!self.filter.text.is_empty(), "There is no filter"),
            TreeCommand::OpenOnBoard => {
                requires(node.is_some(), "The position editor is open: press Apply or Cancel first")?;
                requires(tree.parent(self.selected).is_some(), "This board is on the board")
            }
            TreeCommand::SearchSkipped => requires(
                tree.is_skipped(self.selected),
                "Nothing was skipped here: select a cut, a cached node or one with nodes left out",
            ),
            TreeCommand::JumpToStored => {
                requires(self.stored().is_some(), "The value of this node does not come from a recorded one")
            }
            TreeCommand::ReplayPlay
            | TreeCommand::ReplayStep
            | TreeCommand::ReplayBack
            | TreeCommand::ReplayOver
            | TreeCommand::ReplayOut
            | TreeCommand::ReplayPreviousCut
            | TreeCommand::ReplayNextCut
            | TreeCommand::ReplayNextChange
            | TreeCommand::ReplayBegin
            | TreeCommand::ReplayEnd => requires(self.replay.is_some(), "Press Step through first"),
            _ => Ok(()),
        }
    }

    /// The node whose value the selected one took from the table.
    pub fn stored(&self) -> Option<NodeId> {
        let tree = &self.shown.as_ref()?.tree;
        match tree.node(self.selected).origin {
            Origin::Stored { node, .. } => node,
            _ => None,
        }
    }

    /// Does a command of the tree, but for those of the picture and of files, which the panel and the window do.
    pub fn request(&mut self, command: TreeCommand, commands: &mut Commands) {
        let Some(shown) = self.shown.clone() else { return };
        let tree = &shown.tree;
        match command {
            TreeCommand::View(view) => self.view = view,
            TreeCommand::Minimap => self.minimap = !self.minimap,
            TreeCommand::Parent => tree.parent(self.selected).into_iter().for_each(|id| self.select(id)),
            TreeCommand::Child => {
                self.set_unfolded(self.selected, true);
                self.child().into_iter().for_each(|id| self.select(id));
            }
            TreeCommand::PreviousSibling => self.sibling(-1).into_iter().for_each(|id| self.select(id)),
            TreeCommand::NextSibling => self.sibling(1).into_iter().for_each(|id| self.select(id)),
            TreeCommand::Root => self.select(tree.root()),
            TreeCommand::Back => self.back(),
            TreeCommand::Forward => self.forward(),
            TreeCommand::Fold => self.set_unfolded(self.selected, false),
            TreeCommand::Unfold => self.set_unfolded(self.selected, true),
            TreeCommand::UnfoldTo(ply) => self.unfold_to(Base::Ply(ply)),
            TreeCommand::UnfoldAll => self.unfold_to(Base::Everything),
            TreeCommand::AllSpawns => self.toggle_all_spawns(self.selected),
            TreeCommand::Find => self.filter.wants_focus = true,
            TreeCommand::NextMatch => self.filter.next(self.selected).into_iter().for_each(|id| self.select(id)),
            TreeCommand::PreviousMatch => {
                self.filter.previous(self.selected).into_iter().for_each(|id| self.select(id));
            }
            TreeCommand::ClearFilter => self.filter.clear(),
            TreeCommand::ShowNode => commands.push(ViewCommand::ShowPanel(Panel::Node)),
            TreeCommand::OpenOnBoard => {
                if let Some(command) = self.line_to_play(self.selected) {
                    commands.push(command);
                }
            }
            TreeCommand::SearchSkipped => self.search_skipped(self.selected),
            TreeCommand::JumpToStored => self.stored().into_iter().for_each(|id| self.select(id)),
            TreeCommand::Rule(rule) => self.set_rule(rule),
            TreeCommand::StepThrough => {
                self.replay = match self.replay {
                    Some(_) => None,
                    None => Some(Replay::new(tree.clone())),
                };
                self.replay_plays = false;
            }
            TreeCommand::ReplayPlay => self.replay_plays = !self.replay_plays,
            TreeCommand::ReplayStep => self.wind(Replay::step),
            TreeCommand::ReplayBack => self.wind(Replay::back),
            TreeCommand::ReplayOver => self.wind(Replay::step_over),
            TreeCommand::ReplayOut => self.wind(Replay::step_out),
            TreeCommand::ReplayPreviousCut => self.wind(Replay::to_previous_cut),
            TreeCommand::ReplayNextCut => self.wind(Replay::to_next_cut),
            TreeCommand::ReplayNextChange => self.wind(Replay::to_next_change),
            TreeCommand::ReplayBegin => self.wind(|replay| replay.seek(0)),
            TreeCommand::ReplayEnd => self.wind(|replay| replay.seek(replay.len())),
            _ => {}
        }
    }

    /// Winds the replay and selects the node it comes to. The history of the selection does not follow it: thousands of steps
    /// would bury what was chosen by hand.
    pub fn wind(&mut self, wind: impl FnOnce(&mut Replay) -> bool) {
        let Some(replay) = &mut self.replay else { return };
        if !wind(replay) {
            return;
        }
        let tree = replay.tree().clone();
        let id = match replay.event() {
            ReplayEvent::Begin | ReplayEvent::End => tree.root(),
            ReplayEvent::Enter(id) | ReplayEvent::Leave(id) => id,
        };
        self.go(&tree, id);
    }

    /// The turns from the root to a node, to be played as a branch. An afterstate is followed by the spawn that the line's
    /// rule takes there.
    pub fn line_to_play(&self, id: NodeId) -> Option<GameCommand> {
        let shown = self.shown.as_ref()?;
        let tree = &shown.tree;
        let mut links = tree.links_to(id);
        if let Some(Link::Slide(_)) = links.last() {
            let worth = |child: &NodeId| tree.value(*child).is_some();
            let next = self.line.after(id).or_else(|| tree.representatives(id, None, None).into_iter().find(worth));
            // A leaf has no spawns below it: the first empty cell and a 2 unless only 4s come, which can be moved by a click.
            let spawn = next.and_then(|next| tree.link(next)).or_else(|| {
                let board = tree.node(id).board;
                let cell = *board.empty_cells().first()?;
                let is_two = tree.subject().definition.rules.p4 < 1.0;
                let rank = if is_two { Rank::TWO } else { Rank::FOUR };
                Some(Link::Spawn(Spawn { cell, rank }))
            });
            links.extend(spawn);
        }
        let steps = links.chunks(2).filter_map(|two| match two {
            [Link::Slide(mv), Link::Spawn(spawn)] => Some(Step { mv: *mv, spawn: *spawn }),
            _ => None,
        });
        Some(GameCommand::PlayLine { from: shown.node?, steps: steps.collect() })
    }
}
