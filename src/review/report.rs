//! The report of a reviewed game: where the points went.

use std::collections::BTreeMap;

use super::classes::{ByClass, Class, Thresholds};
use super::game::{NotReviewed, Review, Totals, Verdict};
use super::losses::LossCounts;
use super::{Blame, ChanceAt, Points};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MoveReport {
    pub verdict: Verdict,
    pub class: Option<Class>,
    /// The result of its playouts. `None` if this move had none.
    pub chance: Option<ChanceAt>,
    /// `None` if it is unknown.
    pub blame: Option<Blame>,
}

impl MoveReport {
    /// For move number `index`, from 0. `None` before it is judged.
    pub fn of(review: &Review, index: usize, thresholds: &Thresholds) -> Option<Self> {
        Some(Self::of_verdict(review, review.verdict(index)?, thresholds))
    }

    fn of_verdict(review: &Review, verdict: Verdict, thresholds: &Thresholds) -> Self {
        Self {
            verdict,
            class: review.class(verdict.index, thresholds),
            chance: review.chance_by(verdict.index, thresholds).copied(),
            blame: review.blame(verdict.index),
        }
    }
}

/// The sums of moves at positions with a common property.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Phase {
    /// The largest tile, or the number of empty cells before the slide.
    pub key: u64,
    pub moves: u64,
    pub loss: Points,
    pub luck: Points,
    pub classes: ByClass,
}

/// The losses of the moves that one row of the player decided.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RuleLoss {
    pub blame: Blame,
    /// Moves with a loss.
    pub moves: u64,
    pub loss: Points,
    pub classes: ByClass,
    /// The index of the worst of them, from 0.
    pub worst: usize,
}

/// The report of a reviewed game.
#[derive(Clone, PartialEq, Debug)]
pub struct Report {
    pub totals: Totals,
    pub thresholds: Thresholds,
    pub moves: usize,
    pub classes: ByClass,
    /// The number of moves judged at each depth in plies.
    pub plies: BTreeMap<u32, u64>,
    /// The largest loss first. Moves without a loss are left out.
    pub worst: Vec<MoveReport>,
    pub luckiest: Vec<Verdict>,
    /// The unluckiest first.
    pub unluckiest: Vec<Verdict>,
    /// By the largest tile, the smallest first.
    pub by_largest: Vec<Phase>,
    /// By empty cells, few first.
    pub by_empty: Vec<Phase>,
    /// By what decided, the largest loss first. Empty if the player was not asked.
    pub by_rule: Vec<RuleLoss>,
    /// How many moves lost how much.
    pub losses: LossCounts,
    /// The largest losses of probability, by the lower end of the interval. Empty if moves are not classified by one;
    /// moves without a certain loss are left out.
    pub worst_by_chance: Vec<MoveReport>,
    /// The number of moves with playouts, and of those that lost points.
    pub played_on: [usize; 2],
}

impl Report {
    /// Maximum number of listed moves and spawns.
    pub const WORST: usize = 10;
    pub const TILES: usize = 5;

    pub fn of(review: &Review, thresholds: Thresholds) -> Result<Self, NotReviewed> {
        let verdicts = review.verdicts()?;
        let moves: Vec<MoveReport> = verdicts
            .iter()
            .map(|&verdict| MoveReport::of_verdict(review, verdict, &thresholds))
            .collect();
        let (mut classes, mut plies, mut losses) =
            (ByClass::default(), BTreeMap::new(), LossCounts::default());

        for one in &moves {
            losses.add(one.verdict.loss);
            classes.add(one.class);
            *plies.entry(one.verdict.look.plies).or_default() += 1;
        }

        let mut worst: Vec<MoveReport> = moves
            .iter()
            .filter(|one| Points::ZERO < one.verdict.loss)
            .copied()
            .collect();
        worst.sort_by_key(|one| (std::cmp::Reverse(one.verdict.loss), one.verdict.index));
        let lost = worst.len();
        worst.truncate(Self::WORST);
        let (worst_by_chance, played_on) = by_chance(&moves);
        let mut tiles = verdicts;
        tiles.sort_by_key(|tile| (tile.luck, tile.index));

        let unlucky = |tile: &&Verdict| tile.luck < Points::ZERO;
        let lucky = |tile: &&Verdict| Points::ZERO < tile.luck;
        Ok(Self {
            totals: review.totals()?,
            thresholds,
            moves: moves.len(),
            classes,
            plies,
            worst,
            luckiest: tiles
                .iter()
                .rev()
                .take(Self::TILES)
                .take_while(lucky)
                .copied()
                .collect(),
            unluckiest: tiles
                .iter()
                .take(Self::TILES)
                .take_while(unlucky)
                .copied()
                .collect(),
            by_largest: phases(&moves, |verdict| verdict.before.board.max_rank().tile()),
            by_empty: phases(&moves, |verdict| {
                u64::from(verdict.before.board.empty_count())
            }),
            by_rule: by_rule(&moves),
            losses,
            worst_by_chance,
            played_on: [played_on, lost],
        })
    }

    /// Whether the parts add up to the final score.
    pub fn adds_up(&self) -> bool {
        self.totals.balance() == Points::ZERO
    }

    /// The share of the total loss. `None` if nothing was lost.
    pub fn share(&self, loss: Points) -> Option<f64> {
        (Points::ZERO < self.totals.loss).then(|| loss.to_f64() / self.totals.loss.to_f64())
    }
}

/// The largest losses of probability, and the number of moves with playouts.
fn by_chance(moves: &[MoveReport]) -> (Vec<MoveReport>, usize) {
    let with_chance = moves.iter().filter(|one| one.chance.is_some());
    let low = |one: &MoveReport| {
        one.chance
            .and_then(|at| at.interval())
            .map_or(0.0, |interval| interval.low)
    };
    let mut worst: Vec<MoveReport> = with_chance
        .clone()
        .filter(|one| 0.0 < low(one))
        .copied()
        .collect();
    worst.sort_by(|a, b| {
        low(b)
            .total_cmp(&low(a))
            .then(a.verdict.index.cmp(&b.verdict.index))
    });
    worst.truncate(Report::WORST);
    (worst, with_chance.count())
}

fn phases(moves: &[MoveReport], key: impl Fn(&Verdict) -> u64) -> Vec<Phase> {
    let mut phases: BTreeMap<u64, Phase> = BTreeMap::new();
    for one in moves {
        let key = key(&one.verdict);
        let none = Phase {
            key,
            moves: 0,
            loss: Points::ZERO,
            luck: Points::ZERO,
            classes: ByClass::default(),
        };
        let phase = phases.entry(key).or_insert(none);
        phase.moves += 1;
        phase.loss += one.verdict.loss;
        phase.luck += one.verdict.luck;
        phase.classes.add(one.class);
    }
    phases.into_values().collect()
}

fn by_rule(moves: &[MoveReport]) -> Vec<RuleLoss> {
    let mut rules: BTreeMap<Blame, RuleLoss> = BTreeMap::new();
    for one in moves.iter().filter(|one| Points::ZERO < one.verdict.loss) {
        let Some(blame) = one.blame else { continue };
        let none = RuleLoss {
            blame,
            moves: 0,
            loss: Points::ZERO,
            classes: ByClass::default(),
            worst: one.verdict.index,
        };
        let rule = rules.entry(blame).or_insert(none);
        if moves[rule.worst].verdict.loss < one.verdict.loss {
            rule.worst = one.verdict.index;
        }
        rule.moves += 1;
        rule.loss += one.verdict.loss;
        rule.classes.add(one.class);
    }

    let mut rules: Vec<RuleLoss> = rules.into_values().collect();
    rules.sort_by_key(|rule| (std::cmp::Reverse(rule.loss), rule.blame));
    rules
}
