//! Stop rules: end a run before all its games are played.
//!
//! Rules about scores decide on *complete prefixes of indices*: at given numbers of games, on the games of all
//! strategies up to there. So a decision depends only on the seed and the rules, never on threads or time. Games played
//! beyond it do not count. A time limit is different: it ends a run as *Stop* does, and says so.
//!
//! To add a rule: a variant of [`StopRule`] in `preset/stop_rule.rs`, its arm in `Watching::look` (in `workers.rs` if
//! it is not about scores), `estimate.rs`, its help in `cli/shared_args.rs`, and its switch in `until.rs` of the window.

use std::ops::Range;
use std::sync::{Mutex, TryLockError};

use super::Plan;
use super::sink::{Kept, largest};
use crate::game::Rank;
use crate::math;
use crate::preset::{HalfWidth, SprtRule, StopRule};
use crate::stats::{Hypothesis, PairedSums, Planned, Sprt, next_look};
use crate::task::lock;
use crate::words;

/// Games of each strategy that are read at a time.
const AT_A_TIME: u64 = 4096;

/// The progress of a rule.
#[derive(Clone, Debug, PartialEq)]
pub struct Gauge {
    /// `GSPRT 0 to 100 points`.
    pub name: String,
    /// `LLR 1.20 after 850 pairs, between −2.94 and 2.94`.
    pub text: String,
    pub level: Level,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Level {
    /// The share of the way to the end, from 0 to 1.
    Share(f64),
    /// From 0, where H0 is accepted, to 1, where H1 is accepted.
    Between(f64),
}

/// The result of a rule that ended the run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Met {
    /// Games of each strategy that the decision is based on.
    pub games: u64,
    /// `GSPRT: rejects H0 (emr scores at most 0 points more than er) after 1,240 pairs, LLR 2.98 ≥ 2.94`.
    pub sentence: String,
}

/// The planned number of games of each strategy, given the rules and the maximum.
pub(super) fn planned(rules: &[StopRule], games: u64) -> Planned {
    if rules.iter().any(StopRule::looks_at_scores) {
        Planned::OPEN
    } else {
        Planned(games)
    }
}

/// Follows the games of a run as they finish.
pub(super) struct Watch(Mutex<Watching>);

struct Watching {
    rules: Vec<StopRule>,
    /// Maximum games of each contestant.
    games: u64,
    /// The number of games that were checked.
    at: u64,
    /// By contestant: its scores alone.
    scores: Vec<PairedSums>,
    /// By contestant: its comparison with the one that it is tested against.
    pairs: Vec<Beside>,
    baseline: usize,
    tile: Option<Rank>,
    labels: Vec<String>,
    met: Option<Met>,
    gauges: Vec<Gauge>,
}

#[derive(Clone, Default)]
struct Beside {
    scores: PairedSums,
    differing: u64,
    won: u64,
    lost: u64,
    /// The first bound that was crossed, and the LLR there.
    accepted: Option<(Hypothesis, f64)>,
}

impl Watch {
    pub(super) fn new(plan: &Plan) -> Self {
        let contestants = plan.contestants.len();
        let labels: Vec<String> = plan
            .contestants
            .iter()
            .map(|one| one.strategy.label())
            .collect();
        let test = StopRule::test(&plan.until);
        let against = test.and_then(|test| test.against.as_ref());
        let rules: Vec<StopRule> = plan
            .until
            .iter()
            .filter(|rule| rule.looks_at_scores())
            .cloned()
            .collect();
        Self(Mutex::new(Watching {
            games: plan.games,
            at: 0,
            scores: vec![PairedSums::default(); contestants],
            pairs: vec![Beside::default(); contestants],
            baseline: against
                .and_then(|name| labels.iter().position(|label| label == name))
                .unwrap_or(0),
            tile: test.and_then(|test| test.reach),
            labels,
            met: None,
            gauges: rules
                .iter()
                .map(|rule| Gauge::unknown(rule.label()))
                .collect(),
            rules,
        }))
    }

    /// Checks the rules on the games up to `counted`, which all contestants have; `read` returns those of one. Returns
    /// whether a rule has ended the run. While another thread is checking, returns at once unless `waits`.
    pub(super) fn follow(
        &self,
        waits: bool,
        counted: u64,
        read: &dyn Fn(usize, Range<u64>) -> Vec<Kept>,
    ) -> bool {
        let mut watching = match self.0.try_lock() {
            Ok(watching) => watching,
            Err(TryLockError::WouldBlock) if !waits => return false,
            Err(_) => lock(&self.0),
        };
        watching.follow(counted, read);
        watching.met.is_some()
    }

    pub(super) fn met(&self) -> Option<Met> {
        lock(&self.0).met.clone()
    }

    pub(super) fn gauges(&self) -> Vec<Gauge> {
        lock(&self.0).gauges.clone()
    }
}

impl Watching {
    fn follow(&mut self, counted: u64, read: &dyn Fn(usize, Range<u64>) -> Vec<Kept>) {
        while !self.rules.is_empty() && self.met.is_none() && self.at < self.games {
            let look = next_look(self.at).min(self.games);
            if counted < look {
                return;
            }
            for first in (self.at..look).step_by(AT_A_TIME as usize) {
                self.add(first..look.min(first + AT_A_TIME), read);
            }
            self.at = look;
            self.look();
        }
    }

    fn add(&mut self, indices: Range<u64>, read: &dyn Fn(usize, Range<u64>) -> Vec<Kept>) {
        let baseline = read(self.baseline, indices.clone());
        let tile = self.tile.map_or(0, Rank::get);
        for contestant in 0..self.scores.len() {
            let games = if contestant == self.baseline {
                baseline.clone()
            } else {
                read(contestant, indices.clone())
            };
            let pair = &mut self.pairs[contestant];
            for (one, other) in games.iter().zip(&baseline) {
                self.scores[contestant].put(one[0], 0);
                pair.scores.put(one[0], other[0]);
                pair.differing += u64::from(one[0] != other[0]);
                let reached = [one, other].map(|game| tile <= largest(*game));
                pair.won += u64::from(reached == [true, false]);
                pair.lost += u64::from(reached == [false, true]);
            }
        }
    }

    fn look(&mut self) {
        for place in 0..self.rules.len() {
            let rule = self.rules[place].clone();
            let (gauge, sentence) = match &rule {
                StopRule::HalfWidth(aim) => self.half_width(*aim, rule.label()),
                StopRule::Sprt(test) => self.test(test, rule.label()),
                StopRule::Minutes(_) => continue,
            };
            self.gauges[place] = gauge;
            if let Some(sentence) = sentence {
                self.met.get_or_insert(Met {
                    games: self.at,
                    sentence,
                });
            }
        }
    }

    /// Uses the mean with the largest uncertainty.
    fn half_width(&self, aim: HalfWidth, name: String) -> (Gauge, Option<String>) {
        let none = || (Gauge::unknown(name.clone()), None);
        let width = |(place, sums): (usize, &PairedSums)| {
            let moments = sums.difference()?;
            let half = Planned::OPEN
                .score_sequence(moments, sums.skewness())?
                .half_width();
            let unit = match aim {
                HalfWidth::Points(points) => [half, points],
                HalfWidth::Percent(percent) => [100.0 * half / moments.mean, percent],
            };
            Some((place, unit))
        };

        // If the width of one strategy is unknown, that of all is.
        let widths: Option<Vec<(usize, [f64; 2])>> =
            self.scores.iter().enumerate().map(width).collect();
        let worst = widths
            .into_iter()
            .flatten()
            .filter(|(_, [half, _])| !half.is_nan());
        let Some((place, [half, wanted])) = worst.max_by(|a, b| a.1[0].total_cmp(&b.1[0])) else {
            return none();
        };
        let unit = if matches!(aim, HalfWidth::Percent(_)) {
            " %"
        } else {
            ""
        };
        let half_text = format!("± {}{unit}", words::decimals(half, 2));
        let games = words::count(self.at);
        if half <= wanted {
            let each = if self.scores.len() < 2 {
                ""
            } else {
                " of each strategy"
            };
            let sentence = format!(
                "half-width: {half_text} is within {} after {games} games{each}",
                aim.label()
            );
            return (
                Gauge {
                    name,
                    text: half_text,
                    level: Level::Share(1.0),
                },
                Some(sentence),
            );
        }

        let of_label = if self.scores.len() < 2 {
            String::new()
        } else {
            format!(" of {}", self.labels[place])
        };
        // The width falls with the square root of the number.
        let share = math::squared(wanted / half);
        let needed = self.at as f64 / share;
        let more = if needed < 1.0e15 {
            format!(", about {} needed", words::count(two_digits(needed)))
        } else {
            String::new()
        };
        let each = if self.scores.len() < 2 {
            ""
        } else {
            " of each"
        };
        let text = format!("{half_text}{of_label} after {games} games{each}{more}");
        (
            Gauge {
                text,
                name,
                level: Level::Share(share),
            },
            None,
        )
    }

    /// Tests each contestant against the baseline. The run ends when all have crossed a bound.
    fn test(&mut self, test: &SprtRule, name: String) -> (Gauge, Option<String>) {
        let SprtRule {
            reach,
            h0,
            h1,
            alpha,
            beta,
            ..
        } = *test;
        let others = self.pairs.len() - 1;
        let sprt = Sprt {
            h0,
            h1,
            alpha,
            beta,
        }
        .shared_among(others);
        let [low, high] = sprt.bounds();
        let mut open: Option<(usize, f64)> = None;
        for (place, pair) in self
            .pairs
            .iter_mut()
            .enumerate()
            .filter(|(place, _)| *place != self.baseline)
        {
            if pair.accepted.is_some() {
                continue;
            }
            let llr = match reach {
                Some(_) => Some(sprt.of_share(pair.won, pair.lost)),
                None => {
                    let skewness = pair.scores.skewness();
                    pair.scores
                        .difference()
                        .and_then(|moments| sprt.of_mean(moments, skewness, pair.differing))
                }
            };
            pair.accepted = llr.and_then(|llr| Some((sprt.accepts(llr)?, llr)));
            let llr = llr.unwrap_or(0.0);
            if pair.accepted.is_none() && open.is_none_or(|(_, other)| llr.abs() < other.abs()) {
                open = Some((place, llr));
            }
        }

        let level = |llr: f64| Level::Between(((llr - low) / (high - low)).clamp(0.0, 1.0));
        let [low_text, high_text] = [low, high].map(|bound| words::decimals(bound, 2));
        let accepted: Vec<(Hypothesis, f64)> =
            self.pairs.iter().filter_map(|pair| pair.accepted).collect();
        if let Some((place, llr)) = open {
            let whose = if others == 1 {
                String::new()
            } else {
                format!(
                    "{} of {others} decided; {}: ",
                    accepted.len(),
                    self.labels[place]
                )
            };
            let (pairs, llr_text) = (words::count(self.at), words::decimals(llr, 2));
            let text = format!(
                "{whose}LLR {llr_text} after {pairs} pairs, between {low_text} and {high_text}"
            );
            return (
                Gauge {
                    name,
                    text,
                    level: level(llr),
                },
                None,
            );
        }

        let kind = reach.map_or("GSPRT".to_owned(), |rank| {
            format!("SPRT of reaching {rank}")
        });
        let pairs = words::count(self.at);
        let names = |wanted: Hypothesis| -> Vec<&str> {
            let places = self.pairs.iter().enumerate();
            let unlike = places.filter(|(_, pair)| {
                pair.accepted
                    .is_some_and(|(accepted, _)| accepted != wanted)
            });
            unlike
                .map(|(place, _)| self.labels[place].as_str())
                .collect()
        };

        let other = &self.labels[self.baseline];
        let what = if let [(accepted, llr)] = accepted[..] {
            let (rejected, beyond) = match accepted {
                Hypothesis::H0 => (Hypothesis::H1, format!("≤ {low_text}")),
                Hypothesis::H1 => (Hypothesis::H0, format!("≥ {high_text}")),
            };
            let parted = self
                .pairs
                .iter()
                .map(|pair| pair.won + pair.lost)
                .sum::<u64>();
            let parted = reach.map_or(String::new(), |_| {
                format!(" ({} decisive)", words::count(parted))
            });
            let (one, claim, llr) = (
                names(rejected).concat(),
                test.claim(rejected == Hypothesis::H1, other),
                words::decimals(llr, 2),
            );
            format!(
                "rejects {} ({one} {claim}) after {pairs} pairs{parted}, LLR {llr} {beyond}",
                rejected.name()
            )
        } else {
            let part = |rejected: Hypothesis| {
                let names = names(rejected);
                let many = format!("{} strategies", names.len());
                let who = if names.len() <= 3 {
                    words::list(&names)
                } else {
                    many
                };
                let claim = test.claim(rejected == Hypothesis::H1, other);
                (!names.is_empty()).then(|| format!("{} of {who} ({claim})", rejected.name()))
            };
            let parts: Vec<String> = [Hypothesis::H0, Hypothesis::H1]
                .into_iter()
                .filter_map(part)
                .collect();
            format!(
                "rejects {} after {pairs} pairs, bounds {low_text} and {high_text}",
                parts.join(" and ")
            )
        };

        let last = accepted.last().map_or(0.0, |(_, llr)| *llr);
        (
            Gauge {
                name,
                text: what.clone(),
                level: level(last),
            },
            Some(format!("{kind}: {what}")),
        )
    }
}

impl Gauge {
    fn unknown(name: String) -> Self {
        Self {
            name,
            text: "too few games yet".to_owned(),
            level: Level::Share(0.0),
        }
    }

    /// The gauge of a time limit.
    pub(super) fn of_time(minutes: f64, passed: f64) -> Self {
        let text = format!("{} of {minutes} min", words::decimals(passed, 1));
        Self {
            name: StopRule::Minutes(minutes).label(),
            text,
            level: Level::Share((passed / minutes).min(1.0)),
        }
    }
}

/// Rounds to two digits. A forecast is not more precise.
fn two_digits(number: f64) -> u64 {
    let unit = math::pow(10.0, (math::log10(number.max(1.0)).floor() - 1.0).max(0.0));
    ((number / unit).round() * unit) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::preset::Preset;

    /// The decision and gauges of a run whose contestants have these scores and largest ranks.
    fn watched(
        rules: &[&str],
        games: u64,
        arms: &[&dyn Fn(u64) -> [u32; 2]],
    ) -> (Option<Met>, Vec<Gauge>) {
        let names = ["er", "emr", "r", "eu"];
        let mut preset = Preset::new(
            "",
            names[..arms.len()]
                .iter()
                .map(|name| name.parse().expect("letters")),
        );
        preset.until = rules
            .iter()
            .map(|rule| rule.parse().expect("a rule"))
            .collect();
        preset.games = games;
        let plan = Plan::of_preset(&preset);
        let read = |contestant: usize, indices: Range<u64>| -> Vec<Kept> {
            indices
                .map(|index| arms[contestant](index))
                .map(|[score, rank]| [score, 1 << 5 | rank])
                .collect()
        };

        // The order in which games finish does not matter.
        let found = [1, 7, games].map(|step| {
            let watch = Watch::new(&plan);
            for counted in (0..=games).step_by(step as usize).chain([games]) {
                watch.follow(true, counted, &read);
            }
            (watch.met(), watch.gauges())
        });
        assert!(found[0] == found[1] && found[1] == found[2], "{found:?}");
        found[0].clone()
    }

    fn score(index: u64, seed: u64) -> u32 {
        let mut z = (index + 1)
            .wrapping_mul(0x9e37_79b9_7f4a_7c15)
            .wrapping_add(seed << 40);
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        1000 + ((z >> 40) % 1000) as u32
    }

    #[test]
    fn a_rule_ends_a_run_at_the_same_game_however_the_games_come() {
        let (met, gauges) = watched(
            &["half-width=2%"],
            100_000,
            &[&|index| [score(index, 1), 8]],
        );
        let met = met.expect("narrow");
        assert!((800..1200).contains(&met.games), "{met:?}");
        assert!(
            met.sentence.starts_with("half-width: ± ")
                && met.sentence.contains("is within ± 2 % after"),
            "{met:?}"
        );
        assert_eq!(gauges[0].level, Level::Share(1.0));
        let arms: [&dyn Fn(u64) -> [u32; 2]; 2] = [&|index| [score(index, 1), 8], &|index| {
            [score(index, 2) + 90, 8]
        }];
        let (met, _) = watched(&["sprt=0..100"], 20_000, &arms);
        let better = met.expect("told apart");
        assert!(
            better
                .sentence
                .contains("GSPRT: rejects H0 (emr scores at most 0 points more than er) after")
                && better.sentence.contains("≥ 2.94"),
            "{better:?}"
        );
        let (met, _) = watched(&["sprt=0..100,against=emr"], 20_000, &arms);
        let worse = met.expect("told apart").sentence;
        assert!(
            worse.contains("rejects H1 (er scores at least 100 points more than emr) after"),
            "{worse}"
        );
        assert!(worse.contains("≤ −2.94"), "{worse}");

        // Whatever the maximum number of games.
        let rule = &["half-width=3%"];
        let [few, many] =
            [3000, 60_000].map(|most| watched(rule, most, &[&|index| [score(index, 1), 8]]).0);
        assert_eq!((few.is_some(), few), (true, many));

        // With several rules, the first one that is met counts.
        let (met, gauges) = watched(&["sprt=0..100", "half-width=1"], 20_000, &arms);
        assert_eq!(met, Some(better));
        assert!(
            gauges[1].text.contains(" of ") && gauges[1].text.contains(" games of each, about "),
            "{gauges:?}"
        );
    }

    #[test]
    fn a_reach_rate_is_tested_by_the_pairs_that_part() {
        let arms: [&dyn Fn(u64) -> [u32; 2]; 2] =
            [&|index| [0, 10 + u32::from(index % 9 == 0)], &|index| {
                [0, 10 + u32::from(index % 5 == 0)]
            }];
        let (met, _) = watched(&["sprt=0.5..0.6,reach=2048"], 50_000, &arms);
        let met = met.expect("told apart");
        assert!(
            met.sentence
                .starts_with("SPRT of reaching 2048: rejects H0 (emr wins at most 50 % of"),
            "{met:?}"
        );
        assert!(
            met.sentence.contains("pairs that differ from er) after ")
                && met.sentence.contains(" decisive), LLR")
        );
    }

    #[test]
    fn many_strategies_share_the_errors_and_all_must_be_decided() {
        let arms: [&dyn Fn(u64) -> [u32; 2]; 3] = [
            &|index| [score(index, 1), 8],
            &|index| [score(index, 2) + 90, 8],
            &|index| [score(index, 3) + 3, 8],
        ];
        let (met, _) = watched(&["sprt=0..100"], 50_000, &arms);
        let met = met.expect("decided");
        assert!(
            met.sentence
                .contains("rejects H0 of emr (scores at most 0 points more than er) and H1 of r (")
                && met.sentence.contains("3.66"),
            "{met:?}"
        );
        let (met, gauges) = watched(&["sprt=0..100"], 90, &arms);
        assert!(
            met.is_none() && gauges[0].text.contains("0 of 2 decided; "),
            "{gauges:?}"
        );
    }

    #[test]
    fn what_never_differs_is_never_decided() {
        let same: &dyn Fn(u64) -> [u32; 2] = &|index| [score(index, 1), 8];
        let (met, gauges) = watched(&["sprt=0..100"], 5000, &[same, same]);
        assert_eq!((met, gauges[0].level), (None, Level::Between(0.5)));
        let (met, _) = watched(&["minutes=1"], 100, &[same]);
        assert_eq!(met, None);
    }
}
