//! Where a game was lost, by whom and by what luck: a judge's view of every move and every tile, in points.
//!
//! # What the numbers are
//!
//! A [`Judge`] gives each legal move `m` of a board `b` a value `q(b, m)` in points to come, those of the slide included, by
//! looking `p` plies ahead: [`Judge::look`]. The *worth* of a board is `v(b) = max q(b, m)`, 0 of a dead one. Of a game with
//! boards `b0 … bT`, moves `m0 …`, rewards `r0 …` and a spawn after each slide:
//!
//! ```text
//! loss     of a move   v(bt) − q(bt, mt), never below 0: what the best move is worth more than the one played
//! mean     of a slide  Mt, what the judge expects on average over all tiles that could come now: with 3 plies or more that
//!                      is q(bt, mt) − rt, for the search is that mean; with one ply it is counted out, one more spawn deep
//! luck     of a spawn  v'(bt+1) − Mt: the board after the tile that came, as the same look saw it (2 plies less deep
//!                      than bt, or with one ply the same), less the mean
//! residual of a turn   what the judge changed its mind by between two looks at the same thing: v(bt+1) − v'(bt+1), the next
//!                      board looked at for itself, and with one ply Mt − (q(bt, mt) − rt), too
//! ```
//!
//! Then rt = v(bt) − loss − v(bt+1) + luck + residual, and over the whole game
//!
//! ```text
//! final score = score at the start + v(b0) + Σ luck − Σ loss + Σ residual − v(bT)
//! ```
//!
//! where v(bT), points still to come, is 0 unless the game was left before its end. All are whole millionths of a point
//! ([`Points`]; values of the judge are rounded to them once), so that this holds to the last digit; [`Totals::balance`] is what it
//! is off by, and is looked at whenever totals are shown. A solved table asked at one ply is exact: it takes its own value of the
//! afterstate for the mean, losses are true regrets, and residuals are 0.
//!
//! # Classes
//!
//! From which loss on a move is an inaccuracy, a mistake or a blunder is a number of points ([`Thresholds`]); where it is asked, also a
//! loss in the chance to survive or to reach the next tile ([`ChanceQuestion`]), found by playing on. The worse class holds.
//!
//! # How deep
//!
//! First every position is looked at 3 plies deep (or less, where the judge looks less far), then as deep as the judge looks,
//! those with the largest loss first, and at last those two plies deeper whose loss is at least
//! [`Review::deepen_from`]. Each position keeps how deep its look was ([`Look::plies`]); the sum holds at any mixture of depths,
//! for what another depth thinks otherwise is residual. Values depend on nothing but board, depth and judge: not on the number
//! of threads, and not on how often the work was interrupted.
//!
//! # The strategy as its own judge
//!
//! A judge's loss assumes that the judge plays on. [`OwnPlay`] lets the strategy that played go on by itself from the move of the game and
//! from the better one: what an edit of it can win.
//!
//! # Files
//!
//! A review is kept as one file ([`ReviewFolder`]), half done or done, by the hashes of judge and game, and by the loss from which on it looks deeper. So nothing is judged
//! twice: neither after a restart, nor (within a process) a board that two games share. Who writes takes over what the file knows
//! by then.
//!
//! How to use a review, and whether it helps: `src/guide/review.md`.

mod blame;
mod chance;
mod classes;
mod death;
mod export;
mod file;
mod game;
mod groups;
mod judge;
mod losses;
mod minds;
mod own_play;
mod playout;
mod points;
mod progress;
mod report;
mod several;
#[cfg(test)]
mod tests;

pub use blame::{Blame, Decider, Fallen, NoDecider};
pub use chance::{ChanceAt, ChanceGoal, ChanceQuestion, ParseChanceQuestionError};
pub use classes::{ByClass, ChanceThresholds, Class, Thresholds};
pub use death::{Death, DeathAt, DeathQuestion};
pub use export::{
    Picture, RESIDUAL, ReviewFormat, Reviewed, ReviewedDeath, ReviewedGames, ReviewedMinds, Section, TILE_FILLS,
    sections_html, sections_markdown,
};

pub use file::{ReviewFolder, ReviewInfo, SaveError, is_replaced};
pub use game::{Look, NotReviewed, Review, Totals, Verdict};
pub use groups::{BoardKind, Grouping, WorstGroup};
pub use judge::{Judge, JudgeError, Judgement, NoValue, worth};
pub use losses::LossCounts;
pub use minds::{Disagreement, Minds, MindsError};
pub use own_play::{OwnFinding, OwnPlay};
pub use playout::NoMove;
pub use points::Points;
pub use progress::{ReviewError, Stage, Told};
pub use report::{MoveReport, Phase, Report, RuleLoss};
pub use several::{GameSum, PerMove, PhaseSum, PlayerSum, RuleSum, Several, WorstMove, interval_of};
