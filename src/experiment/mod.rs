//! Experiments: many games of several strategies on the same seeds, planned, run, summarized and exported.
//!
//! A [`Plan`] says which strategies play how many games from which seed. A [`Run`] plays it on worker threads: a
//! [`Schedule`] hands out the games, [`InMemory`] takes the outcomes. A [`Summary`] does not depend on the order of its
//! games, so the numbers are the same on any number of threads. [`Results`] are the outcome. On disk a run is a
//! [`RunFolder`]: a [`Keeper`] writes the games, and saved games are not played again.
//!
//! To add a number to the results, compute it in `summary.rs` and add a line in `result_columns.rs`; a column of the
//! window also needs its key in `panels/experiment/results/data.rs`.
//!
//! Why are single games saved? Every bar of a histogram leads to the games behind it, and a game takes 8 bytes.

mod beside;
mod by_empty;
mod comparisons;
mod estimate;
mod exact_rows;
mod export;
mod folder;
mod import;
mod manifest;
mod need;
mod pace;
mod pair;
mod plan;
mod result_columns;
mod rollout;
mod run;
mod schedule;
mod sink;
mod stop;
mod summary;
mod sweep;
mod verdicts;
mod workers;

pub use beside::{Apart, Common, Dealt};
pub use by_empty::{ByEmpty, Decisions};
pub use comparisons::{Comparisons, Standings};
pub use estimate::{ByRules, Estimate};
pub use exact_rows::{ExactRow, ExactRows, is_exact};
pub use export::{
    Beside, ResultsFile, ResultsFormat, games_csv, manifest_json, results_bytes, results_files,
    write_tables,
};
pub use folder::{
    Arm, DeletedRun, FolderError, Game, GamesInOrder, Keeper, KeptRun, RunFolder, RunNotes, Runs,
    Sources, TRASH_DAYS, Verified,
};
#[cfg(test)]
pub(crate) use folder::{FULL, set_full_for_games};
pub use import::{GamesTableError, ReadRunError, read_folder, run_folder};
pub use manifest::{
    ContestantRecord, ContestantResult, EndReason, Manifest, ManifestError, Results, Stint,
};
pub use need::Spread;
pub use pair::{Pair, ReachDifference};
pub use plan::{Contestant, Decided, Plan, PlanError, Play};
pub use result_columns::{Measured, measured_columns, reach_column};
pub use rollout::{FirstMove, RolloutTask, RolloutValues};
pub use run::Run;
pub use schedule::{Batch, Schedule};
pub use sink::{Games, InMemory};
pub use stop::{Gauge, Level, Met};
pub use summary::{Cost, Reach, Summary};
pub use sweep::{SweepStep, Swept, SweptAxis, SweptLine};
pub use verdicts::{Quantity, Tested, Verdicts};
pub use workers::{Progress, Snapshot, State};
