//! What the panels of the builder agree on: the selected row, what a drag would make of the strategy, and what is known of
//! it over many positions.
//!
//! A row is dragged by the pointer or by the keys, see [`drag`].

mod building;
mod decisions;
mod drag;
mod menu;
mod number;
mod ordering;
pub(super) mod palette;
pub(super) mod row;
mod rows;
mod sampling;
pub(super) mod strategy;
pub(super) mod text;
mod trial;
mod weights;

pub use building::Building;
pub(crate) use decisions::{PinOutcome, PinnedState};
pub use drag::Proposal;
pub(crate) use drag::{RowDrag, Slots};
pub(crate) use menu::{menu_row, show_position};
pub(crate) use ordering::{CONFIRMING, Compared, Confirmed, Ordering};
pub(crate) use rows::Rows;
pub(crate) use sampling::{Known, Price, SampleRequest, Source};
pub use trial::Changes;
pub(crate) use trial::{Baseline, Trial};
