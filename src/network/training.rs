//! The training of a network and its results, as stored in its file with the weights.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use super::Shape;
use crate::game::Rules;
use crate::math;
use crate::ron_text::is_default;
use crate::stats::{self, Interval};
use crate::words;

/// The update rule of weights. The error δ of an afterstate is its target minus its value; each of its n weights
/// (including images) is changed, one after the other.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum Update {
    /// `w ← w + α·δ/n`: TD learning (Szubert and Jaśkowski 2014; their α is the rate of one weight, here it is that of
    /// the sum).
    Td,
    /// Temporal coherence, `w ← w + α·(|E|/A)·δ/n`, then `E ← E + α·δ/n` and `A ← A + |α·δ/n|`; |E|/A is 1 at first. A
    /// weight whose errors cancel out learns slowly (Beal and Smith 1999; Jaśkowski, Mastering 2048 with delayed
    /// temporal coherence learning, 2018).
    #[default]
    Tc,
}

impl Update {
    /// Bytes per weight during training.
    pub const fn bytes(self) -> u64 {
        match self {
            Self::Td => 4,
            Self::Tc => 12,
        }
    }

    pub const fn usual_alpha(self) -> f32 {
        match self {
            Self::Td => 0.1,
            Self::Tc => 1.0,
        }
    }

    pub const fn name(self) -> &'static str {
        match self {
            Self::Td => "TD",
            Self::Tc => "TC",
        }
    }
}

/// The settings of a training. With the same settings, one thread makes the same network, bit by bit.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Training {
    /// One line for lists; may be empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub title: String,
    /// A note for readers; may be empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
    pub network: Shape,
    /// The number of games.
    pub games: u64,
    #[serde(default, skip_serializing_if = "is_default")]
    pub rule: Update,
    /// The learning rate of a board. Each of its n weights gets 1/n of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alpha: Option<f32>,
    /// Changes of the learning rate: the game, and the rate from then on.
    #[serde(default, skip_serializing_if = "is_default")]
    pub schedule: Vec<(u64, f32)>,
    /// The initial value of every afterstate. Optimistic values make it try the unknown (Guei, Chen and Wu, Optimistic
    /// temporal difference learning for 2048, 2021).
    #[serde(default, skip_serializing_if = "is_default")]
    pub optimistic: f32,
    /// The share of a target beyond the next afterstate, TD(λ). 0 looks one slide ahead, whatever `steps` is.
    #[serde(default, skip_serializing_if = "is_default")]
    pub lambda: f32,
    /// The number of slides that a target looks ahead. The default is 1 without λ, 5 with λ, and the rest of the game
    /// with λ backward.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub steps: Option<u32>,
    /// Learns after a game, from its end to its beginning.
    #[serde(default, skip_serializing_if = "is_default")]
    pub backward: bool,
    /// For each stage after the first, the number of boards from its last entries that are stored, so that games begin
    /// there as well: one at the beginning, the next in the second stage, and so on ([`Restarts`]). With 0 all games
    /// begin at the beginning.
    #[serde(default, skip_serializing_if = "is_default")]
    pub restarts: u32,
    /// Time limit in minutes, including tests. The result then depends on the speed of the machine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub minutes: Option<f64>,
    /// Probability that a new tile is a 4.
    #[serde(default = "tenth", skip_serializing_if = "is_tenth")]
    pub p4: f64,
    #[serde(default, skip_serializing_if = "is_default")]
    pub seed: u64,
    /// Number of games between two points of the learning curve.
    #[serde(default = "thousand", skip_serializing_if = "is_thousand")]
    pub every: u64,
    /// Number of test games per point, played with the current network without learning.
    #[serde(default, skip_serializing_if = "is_default")]
    pub tests: u64,
}

/// Text that is no change of the learning rate.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{} is not a step of the rate schedule: write games and a rate, such as 100000:0.1", words::quoted(.0))]
pub struct RateError(String);

fn tenth() -> f64 {
    Rules::USUAL_P4
}

fn thousand() -> u64 {
    1000
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes fields by reference"
)]
fn is_tenth(number: &f64) -> bool {
    *number == tenth()
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes fields by reference"
)]
fn is_thousand(number: &u64) -> bool {
    *number == thousand()
}

impl Training {
    pub const MOST_GAMES: u64 = 1_000_000_000_000;
    /// A longer target reaches the end of almost any game.
    pub const MOST_STEPS: u32 = 100_000;
    /// They are in the first line of the file.
    pub const MOST_RESTARTS: u32 = 2000;
    pub const MOST_MINUTES: f64 = 366.0 * 24.0 * 60.0;

    /// The default training of this shape, with TC.
    pub fn new(network: Shape, games: u64) -> Self {
        Self {
            title: String::new(),
            note: String::new(),
            network,
            games,
            rule: Update::default(),
            alpha: None,
            schedule: Vec::new(),
            optimistic: 0.0,
            lambda: 0.0,
            steps: None,
            backward: false,
            restarts: 0,
            minutes: None,
            p4: tenth(),
            seed: 0,
            every: thousand(),
            tests: 0,
        }
    }

    /// What prevents it from being started, each with its field.
    pub fn problems(&self) -> Vec<(&'static str, String)> {
        let mut problems = self.field_problems();
        problems.extend(
            self.contradiction()
                .map(|(field, reason)| (field, reason.to_owned())),
        );
        problems
    }

    /// Settings that cancel each other out. Files of trainings from before this was refused are valid: they learned by
    /// TD(0).
    fn contradiction(&self) -> Option<(&'static str, &'static str)> {
        let is_between = 0.0 < self.lambda && self.lambda < 1.0;
        match self.steps {
            Some(2..) if self.lambda == 0.0 => Some((
                "steps",
                "with λ = 0 a target looks one slide ahead: set lambda to 1 for n-step targets, or leave steps out for \
                 TD(0)",
            )),
            Some(1) if is_between => Some((
                "steps",
                "with 1 step, λ has no effect (this is TD(0)): set steps to at least 2, or leave lambda out",
            )),
            _ => None,
        }
    }

    /// Fields with invalid values, each with its reason.
    pub(super) fn field_problems(&self) -> Vec<(&'static str, String)> {
        let mut problems = Vec::new();
        let mut require = |is_sound: bool, field, reason: &str| {
            if !is_sound {
                problems.push((field, reason.to_owned()));
            }
        };

        let is_rate = |alpha: f32| alpha.is_finite() && 0.0 < alpha && alpha <= 10.0;
        require(
            (1..=Self::MOST_GAMES).contains(&self.games),
            "games",
            "write at least one game",
        );
        require(
            self.alpha.is_none_or(is_rate),
            "alpha",
            "write a learning rate above 0 and at most 10",
        );
        let is_sound = self.schedule.iter().all(|&(_, alpha)| is_rate(alpha))
            && self.schedule.is_sorted_by(|a, b| a.0 < b.0)
            && self.schedule.len() <= 100;
        require(
            is_sound,
            "schedule",
            "write games in rising order, each with a learning rate above 0 and at most 10",
        );
        let is_points = self.optimistic.is_finite() && self.optimistic.abs() <= 1e7;
        require(is_points, "optimistic", "write points from 0 to 10,000,000");
        require(
            (0.0..=1.0).contains(&self.lambda),
            "lambda",
            "write λ from 0 to 1",
        );
        require(
            self.steps
                .is_none_or(|steps| (1..=Self::MOST_STEPS).contains(&steps)),
            "steps",
            "write 1 to 100,000 steps",
        );

        require(
            self.restarts <= Self::MOST_RESTARTS,
            "restarts",
            "write at most 2,000 boards",
        );
        let is_sound = self.restarts == 0 || !self.network.stages().is_empty();
        require(
            is_sound,
            "restarts",
            "games restart only where a stage begins: add stages, or set restarts to 0",
        );
        let is_time = |minutes: f64| 0.0 < minutes && minutes <= Self::MOST_MINUTES;
        require(
            self.minutes.is_none_or(is_time),
            "minutes",
            "write minutes above 0, at most a year",
        );
        require(
            (0.0..=1.0).contains(&self.p4),
            "p4",
            "write a probability from 0 to 1",
        );
        require(
            (1..=Self::MOST_GAMES).contains(&self.every),
            "every",
            "write at least one game",
        );
        require(
            self.tests <= 1_000_000,
            "tests",
            "write at most 1,000,000 games",
        );
        problems
    }

    /// Reads a change of the learning rate, such as `100000:0.1`: the games before it and the rate from then on.
    pub fn read_rate(text: &str) -> Result<(u64, f32), RateError> {
        let read = |(games, rate): (&str, &str)| {
            Some((games.trim().parse().ok()?, rate.trim().parse().ok()?))
        };
        text.split_once(':')
            .and_then(read)
            .ok_or_else(|| RateError(text.trim().to_owned()))
    }

    /// All changes, each in the format of [`Training::read_rate`].
    pub fn schedule_text(&self) -> String {
        let changes: Vec<String> = self
            .schedule
            .iter()
            .map(|(games, rate)| format!("{games}:{rate}"))
            .collect();
        changes.join(" ")
    }

    /// The learning rate of game number `game`, from 0.
    pub fn alpha_of(&self, game: u64) -> f32 {
        let later = self
            .schedule
            .iter()
            .take_while(|(from, _)| *from <= game)
            .last();
        later.map_or_else(
            || self.alpha.unwrap_or(self.rule.usual_alpha()),
            |&(_, alpha)| alpha,
        )
    }

    /// The number of slides that a target looks ahead.
    pub fn horizon(&self) -> usize {
        match self.steps {
            Some(steps) => steps as usize,
            None if self.lambda == 0.0 => 1,
            None if self.backward => Self::MOST_STEPS as usize,
            None => 5,
        }
    }

    /// The rule in force: `TC(0)`, `3-step TC`, `TC(0.5), 3 slides ahead`, `backward TD(0.5)`.
    pub fn rule_name(&self) -> String {
        let (rule, lambda, steps) = (self.rule.name(), self.lambda, self.horizon());
        let is_whole_game = self.backward && self.steps.is_none();
        let name = match lambda {
            _ if lambda == 0.0 || steps == 1 => format!("{rule}(0)"),
            _ if is_whole_game => format!("{rule}({lambda})"),
            _ if lambda == 1.0 => format!("{steps}-step {rule}"),
            _ => format!("{rule}({lambda}), {steps} slides ahead"),
        };
        if self.backward {
            format!("backward {name}")
        } else {
            name
        }
    }

    /// The rule in force, with a remark if a file of an earlier version has steps that λ = 0 never used.
    pub fn rule_text(&self) -> String {
        let ignored = self.steps.filter(|&steps| 1 < steps && self.lambda == 0.0);
        let name = self.rule_name();
        ignored.map_or_else(
            || name.clone(),
            |steps| format!("{name} (λ is 0, so its {steps} steps have no effect)"),
        )
    }

    /// The rules of its games.
    pub fn rules(&self) -> Rules {
        Rules {
            size: self.network.size,
            p4: self.p4,
            stop_at: None,
            ..Rules::default()
        }
    }

    /// The initial value of each weight.
    pub fn initial(&self) -> f32 {
        self.optimistic / self.network.terms() as f32
    }

    /// Bytes of all weights during training.
    pub fn memory(&self) -> u64 {
        self.network.weights().saturating_mul(self.rule.bytes())
    }
}

/// A point of the learning curve.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Point {
    /// Games, slides and seconds of the training up to here.
    pub games: u64,
    pub moves: u64,
    pub secs: f64,
    /// The scores of the games since the previous point, without those that restarted at a stage.
    pub learnt: Scores,
    /// The scores of test games with the network at this point.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tested: Option<Scores>,
}

impl Point {
    /// A point with fewer games than one in this many of the point before it says too little.
    const FEW: u64 = 10;

    /// For each point of a curve, whether it has enough games to stand next to the others: at least a tenth of those of
    /// the last such point. The last point of a training may have any number.
    pub fn have_enough_games(curve: &[Self]) -> impl Iterator<Item = bool> + '_ {
        let mut usual = 0;
        curve.iter().map(move |point| {
            let is_enough = usual <= Self::FEW.saturating_mul(point.learnt.n);
            usual = if is_enough { point.learnt.n } else { usual };
            is_enough
        })
    }

    /// The last point of a curve with enough games.
    pub fn last_with_enough(curve: &[Self]) -> Option<&Self> {
        curve
            .iter()
            .zip(Self::have_enough_games(curve))
            .filter(|(_, is_enough)| *is_enough)
            .last()
            .map(|(point, _)| point)
    }
}

/// The sums of the scores of some games.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scores {
    pub n: u64,
    pub sum: f64,
    pub squares: f64,
    pub highest: u64,
    /// The number of games that ended with each largest tile, the smallest first.
    pub largest: Vec<(u64, u64)>,
}

impl Scores {
    pub fn push(&mut self, score: u64, largest: u64) {
        self.n += 1;
        self.sum += score as f64;
        self.squares += math::squared(score as f64);
        self.highest = self.highest.max(score);
        match self
            .largest
            .binary_search_by_key(&largest, |&(tile, _)| tile)
        {
            Ok(place) => self.largest[place].1 += 1,
            Err(place) => self.largest.insert(place, (largest, 1)),
        }
    }

    pub fn merge(&mut self, other: &Self) {
        self.n += other.n;
        self.sum += other.sum;
        self.squares += other.squares;
        self.highest = self.highest.max(other.highest);
        for &(tile, count) in &other.largest {
            match self.largest.binary_search_by_key(&tile, |&(tile, _)| tile) {
                Ok(place) => self.largest[place].1 += count,
                Err(place) => self.largest.insert(place, (tile, count)),
            }
        }
    }

    pub fn mean(&self) -> Option<f64> {
        (self.n != 0).then(|| self.sum / self.n as f64)
    }

    /// The standard error of the mean.
    pub fn standard_error(&self) -> Option<f64> {
        let n = self.n as f64;
        let mean = self.mean()?;
        (1 < self.n).then(|| ((self.squares - n * mean * mean).max(0.0) / (n - 1.0) / n).sqrt())
    }

    /// The mean with its 95 % interval by Student's *t*, if there is one.
    pub fn mean_interval(&self) -> Option<(f64, Option<Interval>)> {
        let mean = self.mean()?;
        let deviation = self
            .standard_error()
            .map(|error| error * (self.n as f64).sqrt());
        Some((
            mean,
            deviation.and_then(|deviation| stats::mean_interval(self.n, mean, deviation)),
        ))
    }

    /// The share of games that ended with at least this tile, with its 95 % Wilson interval.
    pub fn rate_interval(&self, tile: u64) -> Option<(f64, Option<Interval>)> {
        let reached = self.reached(tile);
        (self.n != 0).then(|| {
            (
                reached as f64 / self.n as f64,
                stats::wilson(reached, self.n),
            )
        })
    }

    /// The number of games that ended with at least this tile.
    pub fn reached(&self, tile: u64) -> u64 {
        self.largest
            .iter()
            .filter(|(largest, _)| tile <= *largest)
            .map(|(_, count)| count)
            .sum()
    }
}

/// The start positions of games that do not begin at the beginning: *carousel shaping* (Jaśkowski, Mastering 2048 with
/// delayed temporal coherence learning, multistage weight promotion, redundant encoding and carousel shaping, 2018).
///
/// Each game begins one stage later than the previous game, at one of the boards with which a game entered this stage,
/// all with the same probability. After the last stage, and if no board is stored yet, a game begins at the beginning.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Restarts {
    /// The stage in which the last game began, from 0.
    pub stage: u32,
    /// For each stage after the first, the boards to move with which games entered it, the oldest first.
    pub boards: Vec<VecDeque<Word>>,
}

impl Restarts {
    /// The start of the next game; `draw` picks one of the given number. `None`: at the beginning.
    pub fn next(&mut self, draw: impl FnOnce(u32) -> u32) -> Option<Word> {
        let boards = self
            .boards
            .get(self.stage as usize)
            .filter(|boards| !boards.is_empty());
        self.stage = if boards.is_some() { self.stage + 1 } else { 0 };
        boards
            .and_then(|boards| boards.get(draw(boards.len() as u32) as usize))
            .copied()
    }

    /// Records that a game entered a stage after the first with this board. At most `most` are stored for each stage.
    pub fn entered(&mut self, stage: usize, board: Word, most: u32) {
        if self.boards.len() < stage {
            self.boards.resize_with(stage, VecDeque::new);
        }
        let boards = &mut self.boards[stage - 1];
        boards.push_back(board);
        while (most as usize) < boards.len() {
            boards.pop_front();
        }
    }

    /// Whether a training of this shape can have it.
    pub(super) fn fits(&self, shape: &Shape) -> bool {
        let beyond = 64 - 4 * shape.size.cells() as u32;
        let is_board = |word: &Word| word.0.leading_zeros() >= beyond;
        let stages = shape.stages().len();
        self.boards.len() <= stages
            && self.stage as usize <= stages
            && self.boards.iter().flatten().all(is_board)
    }
}

/// A board as four bits per cell, the first cell in the lowest. As text its ranks are hexadecimal digits in reading
/// order.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Word(pub u64);

impl From<Word> for String {
    fn from(Word(bits): Word) -> Self {
        format!("{:016x}", turned(bits))
    }
}

/// The text is not a board of sixteen hexadecimal ranks.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{} is not a board of 16 ranks", words::quoted(.0))]
pub struct ParseWordError(String);

impl TryFrom<String> for Word {
    type Error = ParseWordError;

    fn try_from(text: String) -> Result<Self, ParseWordError> {
        let is_text = text.len() == 16 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        let bits = u64::from_str_radix(&text, 16).ok().filter(|_| is_text);
        bits.map(|bits| Self(turned(bits)))
            .ok_or(ParseWordError(text))
    }
}

/// Reverses the order of the cells.
fn turned(bits: u64) -> u64 {
    let pairs = bits.swap_bytes();
    pairs >> 4 & 0x0f0f_0f0f_0f0f_0f0f | (pairs & 0x0f0f_0f0f_0f0f_0f0f) << 4
}

/// The history of a network, as stored in its file.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    pub training: Training,
    /// The learning rule in force, in words ([`Training::rule_text`]). Missing in files of earlier versions.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub rule: String,
    /// The version of the program that trained it.
    pub version: String,
    /// The generator of spawns.
    pub generator: String,
    /// The largest number of threads that trained it at once. With more than one, the same training gives another
    /// network each time, because changes of weights race.
    pub threads: u64,
    pub games: u64,
    pub moves: u64,
    /// The time of the training in seconds.
    pub secs: f64,
    /// Start time in UTC; empty if unrecorded.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub started: String,
    /// The command that trained it, if it was a command.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub command: String,
    /// Games since the last point of the curve.
    #[serde(default, skip_serializing_if = "is_default")]
    pub since: Scores,
    /// The start positions of the next games.
    #[serde(default, skip_serializing_if = "is_default")]
    pub restarts: Restarts,
}

impl Manifest {
    /// Whether the same training gives the same network, bit by bit.
    pub fn is_reproducible(&self) -> bool {
        self.threads == 1 && !self.ran_out_of_time()
    }

    /// Whether the training is finished: all games are played, or its time is over.
    pub fn is_finished(&self) -> bool {
        self.training.games <= self.games || self.left_secs().is_some_and(|left| left <= 0.0)
    }

    /// Whether its time was over before its games were.
    pub fn ran_out_of_time(&self) -> bool {
        self.is_finished() && self.games < self.training.games
    }

    /// The remaining seconds, if its time has a limit.
    pub fn left_secs(&self) -> Option<f64> {
        Some(60.0 * self.training.minutes? - self.secs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_add_up() {
        let games = [(1000, 128), (2000, 256), (1500, 128), (30_000, 2048)];
        let (mut all, mut halves) = (Scores::default(), [Scores::default(), Scores::default()]);
        for (place, (score, largest)) in games.into_iter().enumerate() {
            all.push(score, largest);
            halves[place % 2].push(score, largest);
        }
        let mut merged = Scores::default();
        halves.iter().for_each(|half| merged.merge(half));
        assert_eq!(merged, all);
        assert_eq!(
            (
                all.mean(),
                all.reached(256),
                all.reached(129),
                all.reached(64)
            ),
            (Some(8625.0), 2, 2, 4)
        );
        let error = all.standard_error().expect("four games");
        assert!((error - 7127.92).abs() < 0.01, "{error}");
        assert_eq!(Scores::default().mean(), None);
    }

    #[test]
    fn boards_of_restarts_are_written_in_reading_order() {
        let board = crate::board! {
            2 4 8 .
            . . . .
            . . . .
            . . . 32768
        };
        let word = Word(board.as_packed().expect("small").bits());
        assert_eq!(String::from(word), "123000000000000f");
        assert_eq!(Word::try_from(String::from(word)), Ok(word));
        assert!(
            [
                "",
                "123",
                "123000000000000g",
                "+23000000000000f",
                "0123000000000000f"
            ]
            .into_iter()
            .all(|text| Word::try_from(text.to_owned()).is_err())
        );
    }

    #[test]
    fn a_board_of_another_size_and_a_stage_that_is_none_are_refused() {
        let shape =
            Shape::new("2x2".parse().expect("a size"), "0123", true, &[8]).expect("a shape");
        let restarts = |stage, boards: &[u64]| Restarts {
            stage,
            boards: boards
                .iter()
                .map(|&bits| VecDeque::from([Word(bits)]))
                .collect(),
        };
        assert!(restarts(1, &[0xf321]).fits(&shape) && Restarts::default().fits(&shape));
        assert!(!restarts(2, &[]).fits(&shape));
        assert!(!restarts(0, &[0x1_0000]).fits(&shape));
        assert!(!restarts(0, &[1, 2]).fits(&shape));
    }

    #[test]
    fn the_rule_in_force_has_a_name() {
        let base = Training::new(Shape::named("4x5patt").expect("named"), 10);
        for (lambda, steps, backward, name) in [
            (0.0, None, false, "TC(0)"),
            (0.0, Some(1), false, "TC(0)"),
            (1.0, Some(1), false, "TC(0)"),
            (1.0, Some(3), false, "3-step TC"),
            (1.0, None, false, "5-step TC"),
            (0.5, Some(3), false, "TC(0.5), 3 slides ahead"),
            (0.5, None, false, "TC(0.5), 5 slides ahead"),
            (0.0, None, true, "backward TC(0)"),
            (0.5, None, true, "backward TC(0.5)"),
            (1.0, Some(4), true, "backward 4-step TC"),
        ] {
            let training = Training {
                lambda,
                steps,
                backward,
                ..base.clone()
            };
            assert_eq!(
                (
                    training.rule_name(),
                    training.rule_text(),
                    training.problems()
                ),
                (name.into(), name.into(), vec![])
            );
        }

        // A file of an earlier version.
        let ignored = Training {
            steps: Some(3),
            ..base
        };
        assert_eq!(
            ignored.rule_text(),
            "TC(0) (λ is 0, so its 3 steps have no effect)"
        );
        assert_eq!(ignored.field_problems(), []);
    }

    #[test]
    fn what_cannot_be_trained_is_told_with_its_field() {
        let sound = Training::new(Shape::named("4x5patt").expect("named"), 10);
        assert_eq!(sound.problems(), []);
        for (field, training) in [
            (
                "games",
                Training {
                    games: 0,
                    ..sound.clone()
                },
            ),
            (
                "alpha",
                Training {
                    alpha: Some(0.0),
                    ..sound.clone()
                },
            ),
            (
                "alpha",
                Training {
                    alpha: Some(f32::NAN),
                    ..sound.clone()
                },
            ),
            (
                "schedule",
                Training {
                    schedule: vec![(10, 1.0), (10, 0.5)],
                    ..sound.clone()
                },
            ),
            (
                "optimistic",
                Training {
                    optimistic: f32::INFINITY,
                    ..sound.clone()
                },
            ),
            (
                "lambda",
                Training {
                    lambda: 1.1,
                    ..sound.clone()
                },
            ),
            (
                "steps",
                Training {
                    steps: Some(0),
                    ..sound.clone()
                },
            ),
            (
                "steps",
                Training {
                    steps: Some(3),
                    ..sound.clone()
                },
            ),
            (
                "steps",
                Training {
                    steps: Some(1),
                    lambda: 0.5,
                    ..sound.clone()
                },
            ),
            (
                "restarts",
                Training {
                    restarts: 10,
                    ..sound.clone()
                },
            ),
            (
                "minutes",
                Training {
                    minutes: Some(0.0),
                    ..sound.clone()
                },
            ),
            (
                "minutes",
                Training {
                    minutes: Some(f64::INFINITY),
                    ..sound.clone()
                },
            ),
            (
                "p4",
                Training {
                    p4: -0.1,
                    ..sound.clone()
                },
            ),
            (
                "every",
                Training {
                    every: 0,
                    ..sound.clone()
                },
            ),
        ] {
            assert_eq!(
                training
                    .problems()
                    .iter()
                    .map(|problem| problem.0)
                    .collect::<Vec<_>>(),
                [field]
            );
        }

        let scheduled = Training {
            schedule: vec![(100, 0.5), (200, 0.1)],
            ..sound
        };
        assert_eq!(
            [0, 99, 100, 250].map(|game| scheduled.alpha_of(game)),
            [1.0, 1.0, 0.5, 0.1]
        );
        let text = scheduled.schedule_text();
        let read: Result<Vec<_>, _> = text.split(' ').map(Training::read_rate).collect();
        assert_eq!(
            (text.as_str(), read),
            ("100:0.5 200:0.1", Ok(scheduled.schedule))
        );

        for wrong in [
            "",
            "100",
            "100:",
            ":0.1",
            "0.1:100",
            "-1:0.5",
            "a:b",
            "100:0.1:3",
        ] {
            let error = Training::read_rate(wrong).expect_err(wrong).to_string();
            assert!(
                error.contains("such as 100000:0.1") && !error.contains('\n'),
                "{error}"
            );
        }
    }
}
