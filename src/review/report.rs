//! A reviewed game summed up: where the points went.

use std::collections::BTreeMap;

use super::game::{NotReviewed, Review, Totals, Verdict};
use super::losses::LossCounts;
use super::{Blame, Points};
use crate::words;

/// How bad a move is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Class {
    Inaccuracy,
    Mistake,
    Blunder,
}

impl Class {
    pub const ALL: [Self; 3] = [Self::Inaccuracy, Self::Mistake, Self::Blunder];

    pub const fn name(self) -> &'static str {
        ["inaccuracy", "mistake", "blunder"][self as usize]
    }

    /// As chess players write it: `?!`, `?`, `??`.
    pub const fn mark(self) -> &'static str {
        ["?!", "?", "??"][self as usize]
    }
}

/// The smallest loss of each class.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Thresholds {
    pub inaccuracy: Points,
    pub mistake: Points,
    pub blunder: Points,
}

impl Thresholds {
    /// About a thousandth, five thousandths and a fiftieth of what the first board is worth, rounded down to 1, 2 or 5 times a power of
    /// ten: 100, 1000 and 2000 points of a start worth 200,000. Where it is worth nothing, of one point.
    pub fn usual(start: Points) -> Self {
        let start = start.to_f64().max(1.0);
        let [inaccuracy, mistake, blunder] = [1000.0, 200.0, 50.0].map(|part| round(start / part));
        Self { inaccuracy, mistake, blunder }
    }

    pub fn of(&self, class: Class) -> Points {
        [self.inaccuracy, self.mistake, self.blunder][class as usize]
    }

    /// `None` below the smallest; a loss of nothing is no class.
    pub fn class(&self, loss: Points) -> Option<Class> {
        let reaches = |class: &Class| self.of(*class) <= loss && Points::ZERO < loss;
        Class::ALL.into_iter().rev().find(reaches)
    }

    /// Says what is wrong with thresholds that somebody wrote, if anything.
    pub fn check(&self) -> Result<(), String> {
        if Points::ZERO < self.inaccuracy && self.inaccuracy <= self.mistake && self.mistake <= self.blunder {
            Ok(())
        } else {
            Err(format!(
                "{} points are an inaccuracy, {} a mistake and {} a blunder: write numbers above 0, none below the one before",
                self.inaccuracy, self.mistake, self.blunder
            ))
        }
    }

    /// `inaccuracy from 200, mistake from 1000, blunder from 5000 points`.
    pub fn text(&self) -> String {
        let one = |class: Class| format!("{} from {}", class.name(), self.of(class));
        format!("{} points", Class::ALL.map(one).join(", "))
    }
}

/// Rounded down to 1, 2 or 5 times a power of ten.
fn round(value: f64) -> Points {
    let power = 10_f64.powf(value.log10().floor());
    let digit = [5.0, 2.0, 1.0].into_iter().find(|digit| digit * power <= value).unwrap_or(1.0);
    Points::of(digit * power).unwrap_or(Points::whole(1))
}

/// How many there are of each class.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ByClass([u64; Class::ALL.len()]);

impl ByClass {
    pub fn of(&self, class: Class) -> u64 {
        self.0[class as usize]
    }

    fn add(&mut self, class: Option<Class>) {
        class.iter().for_each(|&class| self.0[class as usize] += 1);
    }

    /// `2 blunders, 5 mistakes, 31 inaccuracies`.
    pub fn text(&self) -> String {
        let one = |class: Class| match (class, self.of(class)) {
            (Class::Inaccuracy, 1) => "1 inaccuracy".to_owned(),
            (Class::Inaccuracy, number) => format!("{} inaccuracies", words::count(number)),
            (class, number) => words::plural(number, class.name()),
        };
        [Class::Blunder, Class::Mistake, Class::Inaccuracy].map(one).join(", ")
    }
}

impl std::ops::AddAssign for ByClass {
    fn add_assign(&mut self, other: Self) {
        self.0.iter_mut().zip(other.0).for_each(|(own, other)| *own += other);
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MoveReport {
    pub verdict: Verdict,
    pub class: Option<Class>,
    /// `None` where nobody was asked.
    pub blame: Option<Blame>,
}

/// Moves of positions that have something in common.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Phase {
    /// The largest tile, or how many cells are empty before the slide.
    pub key: u64,
    pub moves: u64,
    pub loss: Points,
    pub luck: Points,
    pub classes: ByClass,
}

/// What was lost by the moves that one row of the player decided.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RuleLoss {
    pub blame: Blame,
    /// Moves that lost something.
    pub moves: u64,
    pub loss: Points,
    pub classes: ByClass,
    /// The number of the worst of them, from 0.
    pub worst: usize,
}

/// What there is to say of a reviewed game.
#[derive(Clone, PartialEq, Debug)]
pub struct Report {
    pub totals: Totals,
    pub thresholds: Thresholds,
    pub moves: usize,
    pub classes: ByClass,
    /// How many moves were looked at how many plies deep.
    pub plies: BTreeMap<u32, u64>,
    /// The largest loss first; none that lost nothing.
    pub worst: Vec<MoveReport>,
    pub luckiest: Vec<Verdict>,
    /// The unluckiest first.
    pub unluckiest: Vec<Verdict>,
    /// By the largest tile, the smallest first.
    pub by_largest: Vec<Phase>,
    /// By empty cells, few first.
    pub by_empty: Vec<Phase>,
    /// By what decided, what lost most first; empty where nobody was asked.
    pub by_rule: Vec<RuleLoss>,
    /// By how much the judge's values usually move from one look to the next, in points: the root mean square of the residuals of
    /// the moves. `None` of an exact judge and of no move.
    pub wavering: Option<f64>,
    /// How many moves lost how much.
    pub losses: LossCounts,
}

impl Report {
    /// How many moves and tiles are listed.
    pub const WORST: usize = 10;
    pub const TILES: usize = 5;

    pub fn of(review: &Review, thresholds: Thresholds) -> Result<Self, NotReviewed> {
        let verdicts = review.verdicts()?;
        let moves: Vec<MoveReport> = verdicts
            .iter()
            .map(|&verdict| MoveReport {
                verdict,
                class: thresholds.class(verdict.loss),
                blame: review.blame(verdict.index),
            })
            .collect();
        let (mut classes, mut plies, mut losses) = (ByClass::default(), BTreeMap::new(), LossCounts::default());
        for one in &moves {
            losses.add(one.verdict.loss);
            classes.add(one.class);
            *plies.entry(one.verdict.look.plies).or_default() += 1;
        }
        let mut worst: Vec<MoveReport> = moves.iter().filter(|one| Points::ZERO < one.verdict.loss).copied().collect();
        worst.sort_by_key(|one| (std::cmp::Reverse(one.verdict.loss), one.verdict.index));
        worst.truncate(Self::WORST);
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
            luckiest: tiles.iter().rev().take(Self::TILES).take_while(lucky).copied().collect(),
            unluckiest: tiles.iter().take(Self::TILES).take_while(unlucky).copied().collect(),
            by_largest: phases(&moves, |verdict| verdict.before.board.max_rank().tile()),
            by_empty: phases(&moves, |verdict| u64::from(verdict.before.board.empty_count())),
            by_rule: by_rule(&moves),
            losses,
            wavering: wavering(&moves).filter(|_| !review.judge().is_exact()),
        })
    }

    /// Whether nothing is missing between the parts and the final score.
    pub fn adds_up(&self) -> bool {
        self.totals.balance() == Points::ZERO
    }

    /// The share of all that was lost; `None` where nothing was.
    pub fn share(&self, loss: Points) -> Option<f64> {
        (Points::ZERO < self.totals.loss).then(|| loss.to_f64() / self.totals.loss.to_f64())
    }
}

fn wavering(moves: &[MoveReport]) -> Option<f64> {
    let squares: f64 = moves.iter().map(|one| one.verdict.residual.to_f64().powi(2)).sum();
    (!moves.is_empty()).then(|| (squares / moves.len() as f64).sqrt())
}

fn phases(moves: &[MoveReport], key: impl Fn(&Verdict) -> u64) -> Vec<Phase> {
    let mut phases: BTreeMap<u64, Phase> = BTreeMap::new();
    for one in moves {
        let key = key(&one.verdict);
        let none = Phase { key, moves: 0, loss: Points::ZERO, luck: Points::ZERO, classes: ByClass::default() };
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
        let none =
            RuleLoss { blame, moves: 0, loss: Points::ZERO, classes: ByClass::default(), worst: one.verdict.index };
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
