//! The open strategies: selection and edits.

use std::borrow::Cow;

use super::effect::{Effect, Effects, ToAllow};
use super::{Core, Document, Opened};
use crate::program::permission::{self, Fingerprint};
use crate::strategy::{RowMap, RowTransfer, SharedStrategy, Strategy, StrategyEdit};
use crate::workbench::command::{Panel, StrategyCommand, UndoStep, requires};

/// Opens and selects.
impl Core {
    /// Opens a copy of a strategy, with the original as its origin.
    pub(super) fn duplicate(&mut self, strategy: SharedStrategy) {
        let copy = Strategy {
            name: self.free_strategy_name(&strategy.label()),
            ..(*strategy).clone()
        };
        self.open_opened("duplicate strategy", Opened::made_from(copy, strategy));
    }

    fn free_strategy_name(&self, name: &str) -> String {
        let taken: Vec<String> = self
            .strategies()
            .iter()
            .map(|strategy| strategy.label())
            .collect();
        super::experiment_run::free_name(name, &taken)
    }

    pub(super) fn open_strategy(&mut self, what: &str, strategy: Strategy) {
        self.open_opened(what, Opened::new(strategy));
    }

    /// Opens a strategy with a known origin.
    pub(super) fn open_opened(&mut self, what: &str, opened: Opened) {
        self.record(what);
        self.push_strategy(opened);
    }

    pub(super) fn push_strategy(&mut self, opened: Opened) {
        self.content_mut().strategies.push(opened);
        self.content_mut().current = self.content().strategies.len() - 1;
    }

    pub(super) fn select_strategy(&mut self, index: usize) {
        if index < self.content().strategies.len() && index != self.content().current {
            self.content_mut().current = index;
            self.end_step();
        }
    }

    /// Selects a strategy, and opens it if needed.
    pub(super) fn open_or_select(&mut self, strategy: &Strategy) {
        match self
            .strategies()
            .iter()
            .position(|open| *open.strategy == *strategy)
        {
            Some(index) => self.content_mut().current = index,
            None => self.open_strategy("open strategy", strategy.clone()),
        }
    }
}

impl Document {
    pub(super) fn can_in_strategies(
        &self,
        command: &StrategyCommand,
    ) -> Result<(), Cow<'static, str>> {
        let open = self.strategies();
        match command {
            StrategyCommand::Next | StrategyCommand::Previous => {
                requires(1 < open.len(), "Only one strategy is open")
            }
            StrategyCommand::Close => requires(1 < open.len(), "This is the last open strategy"),
            StrategyCommand::TransferRow(transfer) => {
                requires(transfer.edits(open).is_some(), "There is no such row")?;
                open[transfer.to.0].room_for_a_row().map_err(Cow::Borrowed)
            }
            _ => Ok(()),
        }
    }

    pub(super) fn apply_to_strategies(&mut self, command: &StrategyCommand, effects: &mut Effects) {
        match command {
            StrategyCommand::New => {
                let strategy = Strategy {
                    name: self.free_strategy_name("new strategy"),
                    ..Strategy::default()
                };
                self.core.open_strategy("new strategy", strategy);
                effects.push(Effect::ShowPanel(Panel::Strategy));
            }
            StrategyCommand::Duplicate => self.core.duplicate(self.strategy()),
            StrategyCommand::Close => {
                self.core.record("close strategy");
                let current = self.current();
                self.core.content_mut().strategies.remove(current);
                self.core.content_mut().current = current.min(self.content().strategies.len() - 1);
            }
            StrategyCommand::Next => self
                .core
                .select_strategy((self.current() + 1) % self.strategies().len()),
            StrategyCommand::Previous => {
                let all = self.strategies().len();
                self.core.select_strategy((self.current() + all - 1) % all);
            }
            StrategyCommand::Select(index) => self.core.select_strategy(*index),
            StrategyCommand::Open(strategy) => self.core.open_or_select(strategy),
            StrategyCommand::Edit(edit, step) => self.edit_strategy(edit, *step, effects),
            StrategyCommand::TransferRow(transfer) => self.transfer_row(*transfer),
            StrategyCommand::AskToRun(command) => {
                effects.push(Effect::AskToRun(ToAllow {
                    command: command.clone(),
                    then: None,
                }));
            }
            StrategyCommand::AllowToRun(fingerprint) => {
                permission::allow(Fingerprint::clone(fingerprint));
                effects.push(Effect::Allowed(Fingerprint::clone(fingerprint)));
                self.search_again();
            }
        }
    }

    pub(super) fn edit_strategy(
        &mut self,
        edit: &StrategyEdit,
        step: UndoStep,
        effects: &mut Effects,
    ) {
        let current = self.current();
        let strategy = self.strategy();
        if let Err(reason) = edit.check(&strategy) {
            return effects.warn(reason);
        }

        let (after, rows) = edit.apply(&strategy);
        if after != *strategy || !rows.is_identity(strategy.criteria.len()) {
            match (edit, step) {
                (StrategyEdit::SetRow { row, .. }, _) => {
                    // However long a drag or a visit of a field takes: the whole edit at its end ends the step.
                    self.core
                        .record_session(&format!("row {current} {row}"), edit.name());
                }
                (_, UndoStep::Session(session)) => {
                    self.core
                        .record_session(&format!("text {session}"), "edit the text");
                }
                (_, UndoStep::Whole | UndoStep::Ongoing) => self.core.record(edit.name()),
            }
            self.change_opened(current, after, &rows);
            // A replacement of the whole strategy includes its name.
            if !matches!(edit, StrategyEdit::Replace(_)) {
                self.rename_after_change(current);
            }
        }

        if step == UndoStep::Whole {
            self.core.end_step();
        }
    }

    /// Moves a row from one open strategy to another, as one step of undo.
    fn transfer_row(&mut self, transfer: RowTransfer) {
        let Some(edits) = transfer.edits(self.strategies()) else {
            return;
        };
        self.core.record(transfer.name());
        for (index, edit) in edits {
            let (after, rows) = edit.apply(&self.content().strategies[index]);
            self.change_opened(index, after, &rows);
            self.rename_after_change(index);
        }
        self.core.content_mut().current = transfer.to.0;
    }

    /// Changes a strategy, which keeps its color.
    fn change_opened(&mut self, index: usize, after: Strategy, rows: &RowMap) {
        let before = self.content().strategies[index].hash();
        self.core.content_mut().strategies[index].change(after, rows);
        let after = self.content().strategies[index].hash();
        if before != after {
            let live = self.live(Some(index));
            let is_beside = self.strategies().iter().any(|open| open.hash() == before);
            self.core.colors().hand_on(before, after, &live, is_beside);
        }
    }

    /// Updates a name that describes the rows.
    fn rename_after_change(&mut self, index: usize) {
        let Some(before) = self
            .before()
            .and_then(|content| content.strategies.get(index))
        else {
            return;
        };
        let name = self.strategies()[index].name_after(before);
        let open = &mut self.core.content_mut().strategies[index];
        if name != open.name {
            open.strategy.change(|strategy| strategy.name = name);
        }
    }
}

/// Moves an item in front of the one now at `to`.
pub(super) fn move_item<T>(items: &mut Vec<T>, from: usize, to: usize) {
    if from < items.len() && to <= items.len() {
        let item = items.remove(from);
        items.insert(if from < to { to - 1 } else { to }, item);
    }
}
