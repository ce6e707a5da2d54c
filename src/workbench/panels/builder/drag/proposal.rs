//! A dragged row: where a drop would put it, and what that makes of the strategies.
//!
//! [`RowDrop`] alone determines the command of a drop, the resulting strategy and the wording, so that drags by pointer and by
//! keyboard cannot differ.

use crate::strategy::{Criterion, RowTransfer, SharedStrategy, Strategy, StrategyEdit};
use crate::workbench::command::StrategyCommand;
use crate::workbench::panels::builder::weights::fitting_row;
use crate::workbench::state::{Document, Opened};

/// A change that is not applied yet.
#[derive(Clone, Debug, PartialEq)]
pub struct Proposal {
    pub strategy: SharedStrategy,
    /// The change as a clause that follows "if": "Monotonicity moves below Expectimax".
    pub words: String,
}

#[derive(Clone, Debug, PartialEq)]
pub enum RowDrag {
    /// A row that is not in a strategy yet.
    New {
        criterion: Criterion,
        /// Its name at the source, such as the palette.
        name: String,
    },
    /// A row of an open strategy.
    Row {
        /// Index of the strategy among the open ones.
        strategy: usize,
        /// The strategy when the row was lifted. If the strategy changes, the drag ends.
        source: SharedStrategy,
        row: usize,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DropPlace {
    /// Before this row of the strategy on screen.
    Slot(usize),
    /// On the tab of this open strategy.
    Tab(usize),
    /// Outside the stack, where a drop removes a row of the strategy on screen.
    Out,
}

#[derive(Clone, Copy)]
pub(crate) struct RowDrop<'a> {
    pub what: &'a RowDrag,
    pub place: DropPlace,
    /// Whether the row also stays in its old place.
    pub copies: bool,
    pub doc: &'a Document,
    /// Index of the strategy on screen.
    pub current: usize,
}

impl RowDrag {
    pub fn criterion(&self) -> &Criterion {
        match self {
            Self::New { criterion, .. } => criterion,
            Self::Row { source, row, .. } => &source.criteria[*row],
        }
    }

    pub fn name(&self) -> String {
        match self {
            Self::New { name, .. } => name.clone(),
            Self::Row { .. } => self.criterion().label(),
        }
    }

    /// The strategy that the row was taken from, if any.
    pub fn home(&self) -> Option<usize> {
        match self {
            Self::New { .. } => None,
            Self::Row { strategy, .. } => Some(*strategy),
        }
    }

    /// Whether its strategy is unchanged since the row was lifted.
    pub fn is_sound(&self, strategies: &[Opened]) -> bool {
        match self {
            Self::New { .. } => true,
            Self::Row {
                strategy,
                source,
                row,
            } => {
                *row < source.criteria.len()
                    && strategies
                        .get(*strategy)
                        .is_some_and(|open| open.strategy.is(source))
            }
        }
    }
}

impl RowDrop<'_> {
    /// The command of a drop, or `None` if it changes nothing. The error says in one sentence why the drop is impossible.
    pub(crate) fn command(&self) -> Result<Option<StrategyCommand>, &'static str> {
        let strategies = self.doc.strategies();
        let (to, at) = match self.place {
            DropPlace::Slot(at) => (self.current, at),
            // After the last row.
            DropPlace::Tab(index) => {
                let Some(strategy) = strategies.get(index) else {
                    return Ok(None);
                };
                (index, strategy.criteria.len())
            }
            DropPlace::Out => match self.what {
                RowDrag::Row { strategy, row, .. } if *strategy == self.current && !self.copies => {
                    return Ok(Some(StrategyEdit::RemoveRow(*row).into()));
                }
                _ => return Ok(None),
            },
        };

        let room = strategies[to].room_for_a_row();
        let add = |criterion| room.map(|()| Some(StrategyEdit::AddRow { at, criterion }.into()));
        match self.what {
            RowDrag::New { .. } if to != self.current => Ok(None),
            RowDrag::New { .. } => add(fitting_row(self.what.criterion(), self.doc.board().size())),
            RowDrag::Row { strategy, .. } if *strategy == to && self.copies => {
                add(self.what.criterion().clone())
            }
            RowDrag::Row { strategy, .. } if *strategy == to && to != self.current => Ok(None),
            RowDrag::Row { strategy, row, .. } if *strategy == to => {
                let moves =
                    at != *row && at != *row + 1 && matches!(self.place, DropPlace::Slot(_));
                Ok(moves.then_some(StrategyEdit::MoveRow { from: *row, to: at }.into()))
            }
            RowDrag::Row { strategy, row, .. } => {
                let transfer = RowTransfer {
                    from: (*strategy, *row),
                    to: (to, at),
                    copies: self.copies,
                };
                room.map(|()| Some(StrategyCommand::TransferRow(transfer)))
            }
        }
    }

    /// What a drop would make of the strategy on screen; `None` if nothing.
    pub(crate) fn proposal(&self) -> Option<Proposal> {
        let strategies = self.doc.strategies();
        let strategy = &strategies.get(self.current)?.strategy;
        let name = self.what.name();
        let row = |at: usize| at.min(strategy.criteria.len()) + 1;
        let (edit, words) = match self.command().ok()?? {
            StrategyCommand::Edit(edit, _) => {
                let words = match &edit {
                    StrategyEdit::AddRow { at, .. } => {
                        let copy_of = if self.what.home().is_some() {
                            "a copy of "
                        } else {
                            ""
                        };
                        format!("{copy_of}{name} is added as row {}", row(*at))
                    }
                    StrategyEdit::RemoveRow(row) => format!("row {} is removed", row + 1),
                    StrategyEdit::MoveRow { from, to } => moved(strategy, *from, *to),
                    _ => return None,
                };
                (edit, words)
            }
            StrategyCommand::TransferRow(transfer) => {
                let mut edits = transfer.edits(strategies)?.into_iter();
                let (_, edit) = edits.find(|(index, _)| *index == self.current)?;
                // Only an arriving row is previewed: a leaving one is over the tab of another strategy.
                let at = (transfer.to.0 == self.current).then_some(transfer.to.1)?;
                let source = strategies.get(transfer.from.0)?.label();
                let verb = if transfer.copies {
                    "is copied"
                } else {
                    "comes"
                };
                (
                    edit,
                    format!("{name} {verb} from {source} as row {}", row(at)),
                )
            }
            _ => return None,
        };
        Some(Proposal {
            strategy: edit.apply(strategy).0.into(),
            words,
        })
    }

    /// What a drop does, in a few words for the preview card.
    pub(crate) fn verb(&self) -> String {
        let verb = |place: usize| match (self.what, self.copies) {
            (RowDrag::New { .. }, _) => "Add".to_owned(),
            (RowDrag::Row { .. }, true) => "Copy".to_owned(),
            (RowDrag::Row { strategy, .. }, false) if *strategy == place => "Move".to_owned(),
            (RowDrag::Row { .. }, false) => {
                format!("Move to {}", self.doc.strategies()[place].label())
            }
        };
        match (self.command(), self.place) {
            (Err(reason), _) => reason.to_owned(),
            (Ok(Some(StrategyCommand::Edit(StrategyEdit::RemoveRow(_), _))), _) => {
                "Remove".to_owned()
            }
            (Ok(Some(_)), DropPlace::Slot(_)) => verb(self.current),
            (Ok(Some(_)), DropPlace::Tab(tab)) => format!("{} as the last row", verb(tab)),
            (Ok(_), DropPlace::Slot(_)) => "Stays where it is".to_owned(),
            (Ok(_), _) => "Nothing changes".to_owned(),
        }
    }

    /// The current place, for screen readers and the status bar: "Monotonicity, row 2 of 4".
    pub(crate) fn position(&self) -> String {
        let name = self.what.name();
        let strategies = self.doc.strategies();
        let rows = strategies
            .get(self.current)
            .map_or(0, |strategy| strategy.criteria.len());
        let DropPlace::Slot(at) = self.place else {
            return format!("{name}: {}", self.verb());
        };
        let is_own = self.what.home() == Some(self.current);
        let (row, all) = match self.what {
            RowDrag::Row { row, .. } if is_own && !self.copies => {
                (at - usize::from(*row < at), rows)
            }
            _ => (at, rows + 1),
        };

        let elsewhere = match self.what.home() {
            Some(home) if home != self.current => {
                let strategy = strategies[self.current].label();
                format!(
                    " of {strategy}, {}",
                    if self.copies { "copied" } else { "moved" }
                )
            }
            _ => String::new(),
        };
        format!("{name}, row {} of {all}{elsewhere}", row + 1)
    }
}

/// "Monotonicity moves below Expectimax": names the neighbor, by number if several rows have its name.
fn moved(strategy: &Strategy, from: usize, to: usize) -> String {
    let name = |row: usize| strategy.criteria[row].label();
    let (side, beside) = if from < to {
        ("below", to - 1)
    } else {
        ("above", to)
    };
    let is_one = (0..strategy.criteria.len())
        .filter(|&row| name(row) == name(beside))
        .count()
        == 1;
    let beside = if is_one {
        name(beside)
    } else {
        format!("row {}", beside + 1)
    };
    format!("{} moves {side} {beside}", name(from))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluator::Evaluator;
    use crate::workbench::command::Command;
    use crate::workbench::panels::builder::rows::document;

    fn every_source(doc: &Document) -> Vec<RowDrag> {
        let new = RowDrag::New {
            criterion: Criterion::one_ply(Evaluator::Snake),
            name: "Snake".to_owned(),
        };
        let rows = doc
            .strategies()
            .iter()
            .enumerate()
            .flat_map(|(strategy, open)| {
                let source = open.strategy.clone();
                (0..source.criteria.len()).map(move |row| RowDrag::Row {
                    strategy,
                    source: source.clone(),
                    row,
                })
            });
        std::iter::once(new).chain(rows).collect()
    }

    /// Every drop of every row, each in a new document.
    fn every_drop(mut check: impl FnMut(Document, &RowDrag, DropPlace, bool)) {
        let open = || document(&["gumer"]);
        let doc = open();
        let rows = doc.strategy().criteria.len();
        let places = (0..=rows)
            .map(DropPlace::Slot)
            .chain((0..doc.strategies().len()).map(DropPlace::Tab))
            .chain([DropPlace::Out]);
        let places: Vec<DropPlace> = places.collect();
        for index in 0..every_source(&doc).len() {
            for &place in &places {
                for copies in [false, true] {
                    let doc = open();
                    let what = every_source(&doc)[index].clone();
                    check(doc, &what, place, copies);
                }
            }
        }
    }

    #[test]
    fn a_proposal_is_what_letting_go_makes_of_the_strategy_in_one_step() {
        let (mut proposed, mut unchanged) = (0, 0);
        every_drop(|mut doc, what, place, copies| {
            let current = doc.current();
            let drop = RowDrop {
                what,
                place,
                copies,
                doc: &doc,
                current,
            };
            let (proposal, request) = (drop.proposal(), drop.command().expect("there is room"));
            let before: Vec<_> = doc.strategies().iter().map(Opened::hash).collect();
            let Some(request) = request else {
                unchanged += 1;
                assert_eq!(proposal, None);
                return;
            };
            assert_eq!(doc.can(&request.clone().into()), Ok(()));
            doc.apply(&request.clone().into());
            if let Some(proposal) = proposal {
                proposed += 1;
                assert_eq!(
                    proposal.strategy.hash(),
                    doc.strategies()[current].hash(),
                    "{}",
                    proposal.words
                );
            }
            doc.apply(&Command::Undo);
            let after: Vec<_> = doc.strategies().iter().map(Opened::hash).collect();
            assert_eq!(before, after, "{request:?} is one step");
        });
        assert!(0 < proposed && 0 < unchanged);
    }

    #[test]
    fn a_row_is_never_lost_or_doubled_unless_that_is_meant() {
        every_drop(|mut doc, what, place, copies| {
            let count = |doc: &Document| {
                doc.strategies()
                    .iter()
                    .map(|open| open.criteria.len())
                    .sum::<usize>()
            };
            let drop = RowDrop {
                what,
                place,
                copies,
                doc: &doc,
                current: doc.current(),
            };
            let before = count(&doc);
            let Some(request) = drop.command().expect("there is room") else {
                return;
            };
            doc.apply(&request.clone().into());
            let more = match (what, place) {
                (_, DropPlace::Out) => -1,
                (RowDrag::New { .. }, _) => 1,
                (RowDrag::Row { .. }, _) => i32::from(copies),
            };
            assert_eq!(count(&doc) as i32, before as i32 + more, "{request:?}");
        });
    }

    #[test]
    fn a_full_strategy_says_so() {
        let mut doc = document(&["er"]);
        for _ in 1..Strategy::MOST_ROWS {
            let criterion = doc.strategy().criteria[0].clone();
            doc.apply(&StrategyEdit::AddRow { at: 0, criterion }.into());
        }
        let what = RowDrag::New {
            criterion: Criterion::one_ply(Evaluator::Snake),
            name: "Snake".to_owned(),
        };
        let drop = RowDrop {
            what: &what,
            place: DropPlace::Slot(0),
            copies: false,
            doc: &doc,
            current: doc.current(),
        };
        assert!(drop.command().is_err_and(|reason| drop.verb() == reason));
        assert_eq!(drop.proposal(), None);
    }

    #[test]
    fn a_move_is_told_by_the_row_it_comes_to_stand_beside() {
        let strategy = Strategy::from_letters("meugr").expect("letters");
        assert_eq!(moved(&strategy, 0, 2), "Monotonicity moves below Empty");
        assert_eq!(
            moved(&strategy, 2, 0),
            "Uniformity moves above Monotonicity"
        );
        let mut twice = strategy;
        twice.criteria.push(twice.criteria[1].clone());
        assert_eq!(moved(&twice, 0, 2), "Monotonicity moves below row 2");
    }
}
