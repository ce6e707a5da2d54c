//! Reviews: where a game was lost, by which moves and by what luck. A judge values every move and every spawn in
//! points.
//!
//! # What are the numbers?
//!
//! A [`Judge`] gives each legal move `m` of a board `b` a value `q(b, m)` in points to come, including those of the
//! slide, by looking `p` plies ahead: [`Judge::look`]. The *worth* of a board is `v(b) = max q(b, m)`, or 0 for a dead
//! one. For a game with boards `b0 … bT`, moves `m0 …`, rewards `r0 …` and a spawn after each slide:
//!
//! ```text
//! loss     of a move   v(bt) − q(bt, mt), never below 0: how much more the best move is worth than the played one
//! mean     of a slide  Mt, the judge's mean over all possible new tiles. With 3 plies or more this is q(bt, mt) − rt,
//!                      because the search computes it; with one ply it is computed one spawn deeper
//! luck     of a spawn  v'(bt+1) − Mt: the value of the next board in the same look (2 plies less deep than bt, or with
//!                      one ply the same), less the mean
//! residual of a turn   the change of the judge's value between two looks at the same board: v(bt+1) − v'(bt+1), where
//!                      v comes from a look of its own; with one ply also Mt − (q(bt, mt) − rt)
//! ```
//!
//! Then rt = v(bt) − loss − v(bt+1) + luck + residual, and over the whole game
//!
//! ```text
//! final score = score at the start + v(b0) + Σ luck − Σ loss + Σ residual − v(bT)
//! ```
//!
//! where v(bT), the points still to come, is 0 unless the game was abandoned before its end. All are whole millionths
//! of a point ([`Points`]; the judge's values are rounded once), so this holds exactly. [`Totals::balance`]
//! is the difference of both sides, and is checked whenever totals are shown. A solved table at one ply is exact: its
//! own value of the afterstate is the mean, losses are true regrets, and residuals are 0.
//!
//! # Classes
//!
//! [`Thresholds`] are the losses in points from which a move is an inaccuracy, a mistake or a blunder. On request,
//! there are also thresholds for losses in the probability of surviving or of reaching the next tile
//! ([`ChanceQuestion`]), which playouts estimate. The worse class counts.
//!
//! # How deep does the judge look?
//!
//! First every position is judged 3 plies deep (or less, if the judge's depth is less). Then each is judged at the
//! judge's depth, those with the largest loss first. At last, positions whose loss is at least [`Review::deepen_from`]
//! are judged two plies deeper. Each position stores the depth of its look ([`Look::plies`]). The sum holds at any
//! mixture of depths, because differences between depths are residuals. Values depend only on board, depth and judge:
//! not on the number of threads, nor on interruptions.
//!
//! # The strategy as its own judge
//!
//! A judge's loss assumes that the judge plays the rest. [`OwnPlay`] lets the strategy that played continue from the move of
//! the game and from the better one: this shows how much an edit of the strategy can gain.
//!
//! # Files
//!
//! A review is one file ([`ReviewFolder`]), complete or not. Its name has the hashes of judge and game, and the loss from
//! which the judge looks deeper. So nothing is judged twice: neither after a restart, nor (within a process) a board that
//! two games share. A writer first merges what the file has by then.
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
mod session;
mod several;
#[cfg(test)]
mod tests;

pub use blame::{Blame, Decider, Fallen, NoDecider};
pub use chance::{ChanceAt, ChanceGoal, ChanceQuestion, ParseChanceQuestionError};
pub use classes::{ByClass, ChanceThresholds, Class, Thresholds, ThresholdsError};
pub use death::{Death, DeathAt, DeathQuestion};
pub use export::{
    Picture, RESIDUAL, ReviewFormat, Reviewed, ReviewedDeath, ReviewedGames, ReviewedMinds,
    Section, TILE_FILLS, review_heads, sections_html, sections_markdown,
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
pub use progress::{Listener, ReviewError, Stage};
pub use report::{MoveReport, Phase, Report, RuleLoss};
pub use session::{Session, Unsaved};
pub use several::{
    GameSum, PerMove, PhaseSum, PlayerSum, RuleSum, Several, WorstMove, interval_of,
};
