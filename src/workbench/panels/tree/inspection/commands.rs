//! The commands of the tree: whether they apply, and their effect on the shared view state.

use super::{Base, Inspection, Shown};
use crate::files;
use crate::game::{Notes, Rank, Record, Spawn, Step};
use crate::search::{Link, NodeId, Origin, Replay, ReplayEvent, Start, TreeKind};
use crate::workbench::command::{
    Command, Commands, GameCommand, Judge, Panel, TreeCommand, TreeView, ViewCommand,
};

/// Checks the commands of the tree; the document checks the others.
impl Judge for &Inspection {
    fn can(self, command: &Command) -> Result<(), String> {
        match command {
            Command::Tree(command) => Inspection::can(self, *command).map_err(str::to_owned),
            _ => Ok(()),
        }
    }
}

/// Checks the commands in the context menu of a node, which need not be selected.
#[derive(Clone, Copy)]
pub(crate) struct OfNode<'a>(pub &'a Inspection, pub NodeId);

impl Judge for OfNode<'_> {
    fn can(self, command: &Command) -> Result<(), String> {
        match command {
            Command::Tree(command) => self.0.can_at(*command, self.1).map_err(str::to_owned),
            _ => Ok(()),
        }
    }
}

impl Inspection {
    /// Whether a command applies, else why not.
    pub fn can(&self, command: TreeCommand) -> Result<(), &'static str> {
        self.can_at(command, self.selected)
    }

    /// Whether a command would apply if this node were selected, else why not.
    fn can_at(&self, command: TreeCommand, at: NodeId) -> Result<(), &'static str> {
        let requires = |condition: bool, reason| if condition { Ok(()) } else { Err(reason) };
        let no_tree = "No search yet: play, or press Enter";

        match command {
            TreeCommand::OpenFile => return Ok(()),
            TreeCommand::CloseFile => {
                return requires(self.can_close(), "This tree is not from a file");
            }
            _ => {}
        }

        let Some(Shown { tree, node, .. }) = &self.shown else {
            return Err(no_tree);
        };
        let leads = |reason| requires(self.leads_to(command, at).is_some(), reason);
        match command {
            TreeCommand::View(TreeView::Icicle | TreeView::Columns) => requires(
                !self.is_compared,
                "Two searches are being compared: end the comparison first",
            ),
            TreeCommand::Parent => leads("This is the root"),
            TreeCommand::Child | TreeCommand::Unfold | TreeCommand::Fold => requires(
                tree.kept_below(at) != 0,
                "Nothing is recorded below this node",
            ),
            TreeCommand::PreviousSibling => leads("This is the first sibling"),
            TreeCommand::NextSibling => leads("This is the last sibling"),
            TreeCommand::Back => {
                requires(!self.before.is_empty(), "There is no previous selection")
            }
            TreeCommand::Forward => requires(!self.after.is_empty(), "There is no next selection"),
            TreeCommand::NextMatch | TreeCommand::PreviousMatch => {
                requires(
                    self.filter.is_on(),
                    "No filter is set: type one, such as kind:cut",
                )?;
                leads("No node of this tree matches the filter")
            }
            TreeCommand::ClearFilter => requires(!self.filter.text.is_empty(), "No filter is set"),
            TreeCommand::OpenOnBoard if self.is_opened() => {
                let is_decision = matches!(tree.subject().start, Start::Choice { .. });
                requires(
                    is_decision,
                    "This tree starts inside a search: copy the position and paste it",
                )
            }
            TreeCommand::Compare if self.is_opened() => {
                Err("A tree from a file belongs to no open strategy: close the file first")
            }
            TreeCommand::SearchOn if tree.search_kind() == TreeKind::Sampled => {
                Err("A sampling search has no depth to extend: give the strategy more samples")
            }
            TreeCommand::SearchOn | TreeCommand::SearchSkipped if !tree.knows_evaluator() => Err(
                "The evaluator belongs to the program that wrote this tree, so no board can be searched here",
            ),
            TreeCommand::SearchOn if !tree.subject().definition.lookahead.searches() => {
                Err("One ply is not a search: give the row a lookahead first")
            }
            TreeCommand::SearchOn => requires(
                tree.ends_here(at),
                "The search continued here: select a leaf, a cut or a cached node",
            ),
            TreeCommand::TakeBack => requires(self.is_grown(), "No search was added to this tree"),
            TreeCommand::StepThrough if self.replay.is_some() => Ok(()),
            TreeCommand::StepThrough | TreeCommand::SearchUncut
                if self.is_grown() || tree.graft_count() != 0 =>
            {
                Err("The tree has added searches: undo them first")
            }
            TreeCommand::SearchUncut if !tree.knows_evaluator() => Err(
                "The evaluator belongs to the program that wrote this tree, so no board can be searched here",
            ),
            TreeCommand::SearchUncut => requires(
                !tree.subject().definition.lookahead.cuts().is_empty(),
                "This search has no cuts: add one to the row's lookahead",
            ),
            TreeCommand::OpenOnBoard => {
                requires(
                    node.is_some(),
                    "The position editor is open: press Apply or Cancel first",
                )?;
                requires(
                    tree.parent(at).is_some(),
                    "The board already shows this position",
                )
            }
            TreeCommand::SearchSkipped => requires(
                tree.is_skipped(at),
                "Nothing was skipped here: select a cut, a cached node or a node with unrecorded nodes below",
            ),
            TreeCommand::JumpToStored => {
                leads("The value of this node does not come from a recorded node")
            }
            TreeCommand::StepThrough => requires(
                tree.search_kind() == TreeKind::DepthLimited,
                "A sampling search visits the same nodes repeatedly: only a search by depth can be stepped through",
            ),
            _ if command == TreeCommand::ReplayPlay || winds(command).is_some() => {
                requires(self.replay.is_some(), "Press Step through first")
            }
            _ => Ok(()),
        }
    }

    /// The target of a command that moves from this node.
    fn leads_to(&self, command: TreeCommand, from: NodeId) -> Option<NodeId> {
        let tree = &self.shown.as_ref()?.tree;
        match command {
            TreeCommand::Parent => tree.parent(from),
            TreeCommand::Child => self.child(from),
            TreeCommand::PreviousSibling => self.sibling(from, -1),
            TreeCommand::NextSibling => self.sibling(from, 1),
            TreeCommand::Root => Some(tree.root()),
            TreeCommand::NextMatch => self.filter.next(from),
            TreeCommand::PreviousMatch => self.filter.previous(from),
            TreeCommand::JumpToStored => match tree.node(from).origin {
                Origin::Stored { node, .. } => node,
                _ => None,
            },
            _ => None,
        }
    }

    /// Runs a command of the tree, except view, file and undo commands, which panel and window run.
    pub fn request(&mut self, command: TreeCommand, commands: &mut Commands) {
        if command == TreeCommand::CloseFile {
            self.close_file();
        }

        let Some(tree) = self.shown.as_ref().map(|shown| shown.tree.clone()) else {
            return;
        };
        if command == TreeCommand::Child {
            self.set_unfolded(self.selected, true);
        }

        if let Some(id) = self.leads_to(command, self.selected) {
            self.select(id);
        }

        if let Some(wind) = winds(command) {
            self.wind(wind);
        }

        match command {
            TreeCommand::View(view) => self.view = view,
            TreeCommand::Minimap => self.hides_minimap = !self.hides_minimap,
            TreeCommand::Back => {
                if let Some(id) = self.before.pop() {
                    self.after.push(self.selected);
                    self.go(id);
                }
            }
            TreeCommand::Forward => {
                if let Some(id) = self.after.pop() {
                    self.before.push(self.selected);
                    self.go(id);
                }
            }
            TreeCommand::Fold => self.set_unfolded(self.selected, false),
            TreeCommand::Unfold => self.set_unfolded(self.selected, true),
            TreeCommand::UnfoldTo(ply) => self.unfold_to(Base::Ply(ply)),
            TreeCommand::UnfoldAll => self.unfold_to(Base::Everything),
            TreeCommand::AllSpawns => self.toggle_all_spawns(self.selected),
            TreeCommand::Find => self.filter.open(),
            TreeCommand::ClearFilter => self.filter.text.clear(),
            TreeCommand::ShowNode => commands.push(ViewCommand::ShowPanel(Panel::Node)),
            TreeCommand::OpenOnBoard => {
                if let Some(command) = self.line_to_play(self.selected) {
                    commands.push(command);
                }
            }
            TreeCommand::SearchSkipped => self.search_skipped(self.selected),
            TreeCommand::SearchOn => self.search_on(),
            TreeCommand::SearchUncut => self.search_uncut(),
            TreeCommand::Rule(rule) => self.set_rule(rule),
            TreeCommand::StepThrough => {
                self.replay = if self.replay.is_some() {
                    None
                } else {
                    Some(Replay::new(tree))
                };
                self.replay_plays = false;
            }
            TreeCommand::ReplayPlay => self.replay_plays = !self.replay_plays,
            _ => {}
        }
    }

    /// Moves the replay and selects its node. The history of the selection does not record it: thousands of steps would
    /// bury the user's choices.
    pub fn wind(&mut self, wind: impl FnOnce(&mut Replay) -> bool) {
        let Some(replay) = &mut self.replay else {
            return;
        };
        if !wind(replay) {
            return;
        }
        let id = match replay.event() {
            ReplayEvent::Begin | ReplayEvent::End => replay.tree().root(),
            ReplayEvent::Enter(id) | ReplayEvent::Leave(id) => id,
        };
        self.go(id);
    }

    /// The command that plays the turns from the root to a node as a branch, or as a new game for an opened tree. After
    /// an afterstate follows the spawn of the line's rule.
    pub fn line_to_play(&self, id: NodeId) -> Option<GameCommand> {
        let shown = self.shown.as_ref()?;
        let tree = &shown.tree;
        let mut links = tree.links_to(id);
        if let Some(Link::Slide(_)) = links.last() {
            let worth = |child: &NodeId| tree.value(*child).is_some();
            let next = self
                .line
                .after(id)
                .or_else(|| tree.representatives(id, None, None).into_iter().find(worth));
            // Below a leaf there are no spawns: takes the first empty cell, and a 2 unless only 4s come; a click can
            // move it.
            let spawn = next.and_then(|next| tree.link(next)).or_else(|| {
                let board = tree.node(id).board;
                let cell = *board.empty_cells().first()?;
                let rank = if tree.chance(Rank::TWO) == 0.0 {
                    Rank::FOUR
                } else {
                    Rank::TWO
                };
                Some(Link::Spawn(Spawn { cell, rank }))
            });
            links.extend(spawn);
        }

        let steps = links.chunks(2).filter_map(|two| match two {
            [Link::Slide(mv), Link::Spawn(spawn)] => Some(Step {
                mv: *mv,
                spawn: *spawn,
            }),
            _ => None,
        });
        let steps = steps.collect();
        if let Some(node) = shown.node {
            return Some(GameCommand::PlayLine(node, steps));
        }

        let title = files::name_of(self.opened_from()?);
        let (rules, start, score) = (
            tree.subject().definition.rules,
            tree.decided_on(),
            tree.subject().score,
        );
        let record = Record {
            rules,
            seed: None,
            game: 0,
            strategy: None,
            start,
            score,
            steps,
            notes: Notes::new(),
        };
        Some(GameCommand::PlayRecord(Box::new(record), title))
    }
}

/// How a command moves the replay; `None` for other commands.
fn winds(command: TreeCommand) -> Option<fn(&mut Replay) -> bool> {
    Some(match command {
        TreeCommand::ReplayStep => Replay::step,
        TreeCommand::ReplayBack => Replay::back,
        TreeCommand::ReplayOver => Replay::step_over,
        TreeCommand::ReplayOut => Replay::step_out,
        TreeCommand::ReplayPreviousCut => Replay::to_previous_cut,
        TreeCommand::ReplayNextCut => Replay::to_next_cut,
        TreeCommand::ReplayNextChange => Replay::to_next_change,
        TreeCommand::ReplayBegin => |replay| replay.seek(0),
        TreeCommand::ReplayEnd => |replay| replay.seek(replay.len()),
        _ => return None,
    })
}
