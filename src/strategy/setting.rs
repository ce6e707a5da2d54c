//! The numbers of a strategy by name, for sweeps and tuning.
//!
//! | name | the number |
//! | --- | --- |
//! | `weight of Empty` | of a term of a sum |
//! | `Lines merges`, `Lines sum_power` | a constant of `Lines` |
//! | `Weights cell 1,3` | of a cell: row 1, column 3 of the board; on boards that are not 4 × 4 `Weights cell 7` |
//! | `plies`, `plies from 4 empty`, `empty for 5 plies` | how deep; what `ByEmpty` says |
//! | `offset`, `at_least`, `at_most` | of `ByDistinct` |
//! | `reach threshold`, `important cells`, `nodes`, `time_ms` | of a search |
//! | `playouts`, `searches`, `exploration`, `moves of a playout`, `sure_by` | of a search by sampling |
//! | `tolerance` | of a row |
//! | `Policy games`, `Policy ends`, `Policy discount` | of a value iteration that is learned at first use |
//! | `order of moves` | of the last resort `First`, from 1 to 24 ([`MoveOrder`]) |
//!
//! If a name fits several numbers, it is followed by the row, or by the number of the term: `plies, row 2`, `weight of
//! Weights, term 3`. A path as in error messages works as well: `criteria[0].evaluator.Sum[1].weight`.
//!
//! To add one: add it where its evaluator or lookahead is visited below. The compiler reports the place.

use std::collections::HashMap;

use super::{Criterion, LastResort, MoveOrder, Strategy};
use crate::evaluator::{Evaluator, ProcessOf, Weights};
use crate::ron_text::nearest;
use crate::search::{Cut, DepthLimited, Lookahead, Method, Playout, Plies, Sampled, Until};
use crate::words;

/// A number of a strategy.
#[derive(Clone, Debug, PartialEq)]
pub struct Setting {
    /// The name for people: `weight of Empty`.
    pub name: String,
    /// The path: `criteria[0].evaluator.Sum[1].weight`.
    pub path: String,
    /// The row of the number, from 0. That of the last resort is the number of rows.
    pub row: usize,
    pub value: f64,
    /// Whether only whole numbers make sense.
    pub is_whole: bool,
}

impl Setting {
    /// Whether it is the depth of a row.
    pub fn is_depth(&self) -> bool {
        self.path.contains(".lookahead.plies")
    }
}

#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SettingError {
    #[error("{strategy} has no number to change")]
    None { strategy: String },
    #[error("there is no setting {} in {strategy}{guess}: it has {known}", words::quoted(.name))]
    Unknown {
        name: String,
        strategy: String,
        guess: String,
        known: String,
    },
    #[error("{name} must be a whole number, not {value}")]
    NotWhole { name: String, value: f64 },
    #[error(
        "{name} cannot be {value}: write a number from 1 to {}",
        MoveOrder::COUNT
    )]
    Order { name: String, value: f64 },
    #[error("{name} cannot be {value}: write a number that is finite{}", if *.is_whole { " and not negative" } else { "" })]
    OutOfRange {
        name: String,
        value: f64,
        is_whole: bool,
    },
}

/// Maximum number of names in an error message.
const MOST_LISTED: usize = 12;

impl Strategy {
    /// Whether both play the same; name, note and parent do not count.
    pub fn is_same_play(&self, other: &Self) -> bool {
        (&self.criteria, self.last_resort, &self.rollout)
            == (&other.criteria, other.last_resort, &other.rollout)
    }

    /// All its numbers, row by row.
    pub fn settings(&self) -> Vec<Setting> {
        let mut found = Vec::new();
        let mut see = |place: Place<'_>, number: Number<'_>| {
            found.push(Seen::new(&place, number.get(), number.is_whole()));
        };
        self.clone().each_number(&mut see);
        named(&found, self.criteria.len())
    }

    /// The setting with this name or path. The error lists the available ones.
    pub fn setting(&self, name: &str) -> Result<Setting, SettingError> {
        let (strategy, wanted) = (self.label(), name.trim());
        let all = self.settings();
        let is_it = |one: &&Setting| one.name.eq_ignore_ascii_case(wanted) || one.path == wanted;

        match all.iter().find(is_it) {
            Some(found) => Ok(found.clone()),
            None if all.is_empty() => Err(SettingError::None { strategy }),
            None => {
                let names: Vec<&str> = all.iter().map(|one| one.name.as_str()).collect();
                let guess = nearest(wanted, &names)
                    .map_or(String::new(), |near| format!(" (did you mean {near}?)"));
                let more = names.len().saturating_sub(MOST_LISTED);
                let more = (0 < more).then(|| format!("{more} more"));
                let listed: Vec<String> = names
                    .iter()
                    .take(MOST_LISTED)
                    .map(|&name| name.to_owned())
                    .chain(more)
                    .collect();
                Err(SettingError::Unknown {
                    name: wanted.to_owned(),
                    strategy,
                    guess,
                    known: words::list(&listed),
                })
            }
        }
    }

    /// Whether the setting may have this value: a network needs searches that end with a slide, so its depth is odd, and
    /// a value iteration has no discount above 1.
    pub fn allows(&self, setting: &Setting, value: f64) -> bool {
        let can_learn = |row: &Criterion| {
            row.evaluator
                .policies()
                .iter()
                .all(|policy| policy.check_spec().is_ok())
        };
        let is_sound = |row: &Criterion| row.check_depth().is_ok() && can_learn(row);
        let is_sound = |one: Self| one.criteria.get(setting.row).is_none_or(is_sound);
        self.with_setting(setting, value).is_ok_and(is_sound)
    }

    /// The same strategy with another value of the setting.
    pub fn with_setting(&self, setting: &Setting, value: f64) -> Result<Self, SettingError> {
        let &Setting { is_whole, .. } = setting;
        let name = setting.name.clone();
        if is_whole && value.is_finite() && value.fract() != 0.0 {
            return Err(SettingError::NotWhole { name, value });
        }
        let mut changed = self.clone();
        let mut is_set = true;
        changed.each_number(&mut |place, mut number| {
            if place.path == setting.path {
                is_set = number.set(value);
            }
        });
        match is_set && value.is_finite() {
            true => Ok(changed),
            false if setting.path == ORDER => Err(SettingError::Order { name, value }),
            false => Err(SettingError::OutOfRange {
                name,
                value,
                is_whole,
            }),
        }
    }
}

/// The path of the order of moves.
const ORDER: &str = "last_resort";

/// A reference to a number in a strategy.
enum Number<'a> {
    Real(&'a mut f64),
    Count(&'a mut u32),
    Long(&'a mut u64),
    Signed(&'a mut i32),
    /// The number of an order of moves.
    Order(&'a mut MoveOrder),
}

impl Number<'_> {
    fn get(&self) -> f64 {
        match self {
            Self::Real(number) => **number,
            Self::Count(number) => f64::from(**number),
            Self::Long(number) => **number as f64,
            Self::Signed(number) => f64::from(**number),
            Self::Order(order) => f64::from(order.number()),
        }
    }

    const fn is_whole(&self) -> bool {
        !matches!(self, Self::Real(_))
    }

    /// Sets the value. Returns whether it is valid here.
    fn set(&mut self, value: f64) -> bool {
        let fits = match self {
            Self::Real(_) => true,
            Self::Count(_) => (0.0..=f64::from(u32::MAX)).contains(&value),
            // Beyond that, floats skip whole numbers.
            Self::Long(_) => (0.0..=9_007_199_254_740_992.0).contains(&value),
            Self::Signed(_) => (f64::from(i32::MIN)..=f64::from(i32::MAX)).contains(&value),
            Self::Order(_) => (1.0..=f64::from(MoveOrder::COUNT)).contains(&value),
        };
        match self {
            _ if !fits => {}
            Self::Real(number) => **number = value,
            Self::Count(number) => **number = value as u32,
            Self::Long(number) => **number = value as u64,
            Self::Signed(number) => **number = value as i32,
            Self::Order(order) => **order = MoveOrder::numbered(value as u32).unwrap_or(**order),
        }
        fits
    }
}

struct Place<'a> {
    row: usize,
    path: &'a str,
    name: &'a str,
    /// The term of a sum, from 1, if its name may be ambiguous.
    term: Option<usize>,
}

struct Seen {
    row: usize,
    path: String,
    name: String,
    term: Option<usize>,
    value: f64,
    is_whole: bool,
}

impl Seen {
    fn new(place: &Place<'_>, value: f64, is_whole: bool) -> Self {
        let (path, name) = (place.path.to_owned(), place.name.to_owned());
        Self {
            row: place.row,
            path,
            name,
            term: place.term,
            value,
            is_whole,
        }
    }
}

/// Gives each a unique name.
fn named(seen: &[Seen], rows: usize) -> Vec<Setting> {
    let count = |name: &dyn Fn(&Seen) -> String| {
        let mut counts = HashMap::<String, usize>::new();
        seen.iter()
            .for_each(|one| *counts.entry(name(one)).or_default() += 1);
        counts
    };

    let with_row = |one: &Seen| format!("{}, row {}", one.name, one.row + 1);
    let with_term = |one: &Seen| {
        one.term
            .map_or(with_row(one), |term| format!("{}, term {term}", one.name))
    };
    let with_both = |one: &Seen| {
        one.term.map_or(with_row(one), |term| {
            format!("{}, term {term}", with_row(one))
        })
    };
    let plain = count(&|one| one.name.clone());
    let ways: [&dyn Fn(&Seen) -> String; 3] = [&with_row, &with_term, &with_both];
    let ways = ways.map(|way| (way, count(way)));
    let name = |one: &Seen| {
        if plain[&one.name] == 1 {
            return one.name.clone();
        }
        let ways = ways.iter().skip(usize::from(rows < 2));
        let free = ways
            .map(|(way, counts)| (way(one), counts))
            .find(|(name, counts)| counts[name] == 1);
        free.map_or_else(|| one.path.clone(), |(name, _)| name)
    };
    let setting = |one: &Seen| {
        let &Seen {
            row,
            value,
            is_whole,
            ..
        } = one;
        Setting {
            name: name(one),
            path: one.path.clone(),
            row,
            value,
            is_whole,
        }
    };

    seen.iter().map(setting).collect()
}

type See<'a> = &'a mut dyn FnMut(Place<'_>, Number<'_>);

impl Strategy {
    fn each_number(&mut self, see: See<'_>) {
        for (row, criterion) in self.criteria.iter_mut().enumerate() {
            let path = format!("criteria[{row}]");
            let Criterion {
                evaluator,
                lookahead,
                tolerance,
                prefer: _,
                off: _,
            } = criterion;
            in_evaluator(evaluator, row, &format!("{path}.evaluator"), see);
            let mut see_setting = |below: &str, name: &str, number: Number<'_>| {
                see(
                    Place {
                        row,
                        path: &format!("{path}{below}"),
                        name,
                        term: None,
                    },
                    number,
                );
            };
            in_lookahead(lookahead, &mut see_setting);
            see_setting(".tolerance", "tolerance", Number::Real(tolerance));
        }

        if let Some(mut order) = self.last_resort.order() {
            let place = Place {
                row: self.criteria.len(),
                path: ORDER,
                name: "order of moves",
                term: None,
            };
            see(place, Number::Order(&mut order));
            self.last_resort = LastResort::in_order(order);
        }
    }
}

fn in_evaluator(evaluator: &mut Evaluator, row: usize, path: &str, see: See<'_>) {
    match evaluator {
        Evaluator::Sum(terms) => {
            for (index, (weight, evaluator)) in terms.iter_mut().enumerate() {
                let path = format!("{path}.Sum[{index}]");
                // The full label of a sum or of lines would change with its content.
                let name = format!("weight of {}", evaluator.name());
                let (own, term) = (format!("{path}.weight"), Some(index + 1));
                see(
                    Place {
                        row,
                        path: &own,
                        name: &name,
                        term,
                    },
                    Number::Real(weight),
                );
                in_evaluator(evaluator, row, &path, see);
            }
        }
        Evaluator::Product(one, other) => {
            in_evaluator(one, row, &format!("{path}.Product[0]"), see);
            in_evaluator(other, row, &format!("{path}.Product[1]"), see);
        }
        Evaluator::Lines(lines) => {
            for (name, constant) in lines.constants_mut() {
                let (own, name) = (format!("{path}.Lines.{name}"), format!("Lines {name}"));
                see(
                    Place {
                        row,
                        path: &own,
                        name: &name,
                        term: None,
                    },
                    Number::Real(constant),
                );
            }
        }
        Evaluator::Weights(weights) => {
            let mut cells = weights.values().to_vec();
            let is_square = cells.len() == 16;
            for (index, cell) in cells.iter_mut().enumerate() {
                let place = if is_square {
                    format!("{},{}", index / 4 + 1, index % 4 + 1)
                } else {
                    index.to_string()
                };
                let (own, name) = (
                    format!("{path}.Weights[{index}]"),
                    format!("Weights cell {place}"),
                );
                see(
                    Place {
                        row,
                        path: &own,
                        name: &name,
                        term: None,
                    },
                    Number::Real(cell),
                );
            }
            if cells != weights.values() {
                *weights = Weights::Matrix(cells);
            }
        }
        Evaluator::Policy(policy) => {
            let ProcessOf::Learnt(spec) = &mut policy.of else {
                return;
            };
            let mut see_setting = |below: &str, number: Number<'_>| {
                let (own, name) = (format!("{path}.Policy.{below}"), format!("Policy {below}"));
                see(
                    Place {
                        row,
                        path: &own,
                        name: &name,
                        term: None,
                    },
                    number,
                );
            };
            see_setting("games", Number::Long(&mut spec.games));
            see_setting("ends", Number::Real(&mut spec.ends));
            see_setting("discount", Number::Real(&mut spec.discount));
        }
        Evaluator::Score
        | Evaluator::Empty
        | Evaluator::Uniformity
        | Evaluator::Monotonicity
        | Evaluator::Difference
        | Evaluator::DifferenceOfTiles
        | Evaluator::MaxTile
        | Evaluator::Corner
        | Evaluator::Edges
        | Evaluator::Snake
        | Evaluator::Inert
        | Evaluator::MonotoneSum
        | Evaluator::Smoothness
        | Evaluator::SmoothnessPrinted
        | Evaluator::CornerBonus
        | Evaluator::RankSmoothness
        | Evaluator::RankMonotonicity
        | Evaluator::LogEmpty
        | Evaluator::MaxRank
        | Evaluator::HasTile(_)
        | Evaluator::Solved(_)
        | Evaluator::Network(_)
        | Evaluator::Formula(_)
        | Evaluator::Program(_) => {}
    }
}

fn in_lookahead(lookahead: &mut Lookahead, see: &mut dyn FnMut(&str, &str, Number<'_>)) {
    let before = lookahead.plies().cloned();
    let search = match lookahead {
        Lookahead::OnePly => return,
        Lookahead::DepthLimited(search) => search,
        Lookahead::Sampled(sampled) => return in_sampled(sampled, see),
    };
    let DepthLimited {
        plies,
        cuts,
        time_ms,
        nodes,
        spawn: _,
        dead: _,
        downgrade: _,
    } = search;

    // A default that was left out stays so unless it is set.
    let mut shown = before.clone();
    match &mut shown {
        Some(Plies::Fixed(plies)) => see(".lookahead.plies", "plies", Number::Count(plies)),
        Some(Plies::ByEmpty(steps)) => {
            let read = steps.clone();
            for (index, ((least, plies), (from, deep))) in steps.iter_mut().zip(read).enumerate() {
                let path = format!(".lookahead.plies.ByEmpty[{index}]");
                see(
                    &format!("{path}.plies"),
                    &format!("plies from {from} empty"),
                    Number::Count(plies),
                );
                see(
                    &format!("{path}.empty"),
                    &format!("empty for {deep} plies"),
                    Number::Count(least),
                );
            }
        }
        Some(Plies::ByDistinct {
            offset,
            at_least,
            at_most,
        }) => {
            see(
                ".lookahead.plies.ByDistinct.offset",
                "offset",
                Number::Signed(offset),
            );
            see(
                ".lookahead.plies.ByDistinct.at_least",
                "at_least",
                Number::Count(at_least),
            );
            see(
                ".lookahead.plies.ByDistinct.at_most",
                "at_most",
                Number::Count(at_most),
            );
        }
        None => {}
    }
    if shown != before {
        *plies = shown;
    }

    for (index, cut) in cuts.iter_mut().enumerate() {
        let path = format!(".lookahead.cuts[{index}]");
        match cut {
            Cut::AlphaBeta | Cut::WorstSpawns => {}
            Cut::Reach(threshold) => see(
                &format!("{path}.Reach"),
                "reach threshold",
                Number::Real(threshold),
            ),
            Cut::ImportantCells { k, weights: _ } => {
                see(
                    &format!("{path}.ImportantCells.k"),
                    "important cells",
                    Number::Count(k),
                );
            }
        }
    }
    if let Some(nodes) = nodes {
        see(".lookahead.nodes", "nodes", Number::Long(nodes));
    }
    if let Some(time_ms) = time_ms {
        see(".lookahead.time_ms", "time_ms", Number::Long(time_ms));
    }
}

fn in_sampled(sampled: &mut Sampled, see: &mut dyn FnMut(&str, &str, Number<'_>)) {
    let before = sampled.most_samples();
    let (mut samples, name) = (
        before,
        if sampled.sample_word() == "search" {
            "searches"
        } else {
            "playouts"
        },
    );
    see(
        &format!(".lookahead.{name}"),
        name,
        Number::Long(&mut samples),
    );

    // A default that was left out stays so unless it is set.
    if samples != before {
        sampled.samples = Some(samples);
    }

    match &mut sampled.method {
        Method::Averaged {
            plies: Plies::Fixed(plies),
        } => see(".lookahead.plies", "plies", Number::Count(plies)),
        Method::Tree(growth) => see(
            ".lookahead.exploration",
            "exploration",
            Number::Real(&mut growth.exploration),
        ),
        Method::Averaged { .. } | Method::Flat(_) => {}
    }
    if let Some(Playout {
        until: Until::Moves(moves),
        ..
    }) = sampled.method.playout_mut()
    {
        see(
            ".lookahead.until.Moves",
            "moves of a playout",
            Number::Count(moves),
        );
    }
    if let Some(errors) = &mut sampled.sure_by {
        see(".lookahead.sure_by", "sure_by", Number::Real(errors));
    }
    if let Some(nodes) = &mut sampled.nodes {
        see(".lookahead.nodes", "nodes", Number::Long(nodes));
    }
    if let Some(time_ms) = &mut sampled.time_ms {
        see(".lookahead.time_ms", "time_ms", Number::Long(time_ms));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Size;

    fn names(text: &str) -> Vec<String> {
        let strategy: Strategy = text.parse().expect(text);
        strategy
            .settings()
            .into_iter()
            .map(|setting| setting.name)
            .collect()
    }

    #[test]
    fn every_number_has_a_name_that_no_other_has() {
        assert_eq!(
            names(
                "(criteria: [(evaluator: Sum([(1.0, Score), (50.0, Empty)]), lookahead: Expectimax(plies: Fixed(4)))])"
            ),
            ["weight of Score", "weight of Empty", "plies", "tolerance"]
        );

        assert_eq!(
            names(
                "(criteria: [(evaluator: Empty, lookahead: Expectimax(plies: ByEmpty([(7, 4), (0, 6)]), cuts: [Reach(0.1)]))])"
            ),
            [
                "plies from 7 empty",
                "empty for 4 plies",
                "plies from 0 empty",
                "empty for 6 plies",
                "reach threshold",
                "tolerance"
            ]
        );
        assert_eq!(names("mr"), ["tolerance"]);
        assert_eq!(names("emr"), ["tolerance, row 1", "tolerance, row 2"]);
        assert_eq!(
            names(
                "(criteria: [(evaluator: Sum([(1.0, Weights(\"a\")), (2.0, Lines()), (3.0, Lines())]))])"
            )[..2],
            ["weight of Weights", "Weights cell 1,1"]
        );

        let twice = names("(criteria: [(evaluator: Sum([(2.0, Lines()), (3.0, Lines())]))])");
        assert_eq!(
            (twice[0].as_str(), twice[10].as_str()),
            ("weight of Lines, term 1", "weight of Lines, term 2")
        );
        for text in [
            "emr",
            "(criteria: [(evaluator: Sum([(2.0, Sum([(1.0, Lines())])), (3.0, Sum([(1.0, Lines())]))]))])",
        ] {
            let all = names(text);
            assert_eq!(
                all.iter().collect::<std::collections::HashSet<_>>().len(),
                all.len(),
                "{all:?}"
            );
        }
    }

    #[test]
    fn a_setting_is_set_and_nothing_else() {
        for text in [
            "(criteria: [(evaluator: Sum([(1.0, Score), (0.5, Weights(\"a\")), (2.0, Product(Lines(), Empty))]), \
             lookahead: Minimax(plies: ByDistinct(), cuts: [AlphaBeta, ImportantCells(k: 3)], nodes: 500)), \
             (evaluator: Empty, lookahead: Expectimax(cuts: [Reach(0.01)])), (evaluator: Empty, tolerance: 2.0)])",
            "(criteria: [(evaluator: Empty, lookahead: Expectimax(plies: ByEmpty([(7, 4), (0, 6)]), time_ms: 5))])",
            "(criteria: [(evaluator: Policy(games: 300, ends: 0.5)), (evaluator: Empty)], last_resort: First)",
            "(last_resort: FirstOf([left, up, right, down]))",
        ] {
            let strategy: Strategy = text.parse().expect(text);
            for setting in strategy.settings() {
                assert_eq!(
                    strategy.with_setting(&setting, setting.value),
                    Ok(strategy.clone()),
                    "{}",
                    setting.name
                );
                let other = if setting.is_whole {
                    1.0
                } else {
                    setting.value + 0.25
                };
                let changed = strategy
                    .with_setting(&setting, other)
                    .expect("a number that fits");
                let again = changed.to_string().parse::<Strategy>().expect("text");
                for (then, now) in strategy.settings().iter().zip(again.settings()) {
                    let expected = if then.path == setting.path {
                        other
                    } else {
                        then.value
                    };
                    assert_eq!(
                        (now.value, &now.path),
                        (expected, &then.path),
                        "{}",
                        setting.name
                    );
                }
                assert_eq!(strategy.setting(&setting.name).as_ref(), Ok(&setting));
                assert_eq!(strategy.setting(&setting.path).as_ref(), Ok(&setting));
            }
            assert_eq!(strategy.check(Size::FOUR), Ok(()));
        }
    }

    #[test]
    fn what_cannot_be_set_is_refused_in_one_sentence() {
        let strategy: Strategy =
            "(name: \"mine\", criteria: [(evaluator: Sum([(1.0, Score), (50.0, Empty)]), \
                                  lookahead: Expectimax(plies: Fixed(4)))])"
                .parse()
                .expect("a strategy");
        let error = strategy
            .setting("weight of Emty")
            .expect_err("misspelt")
            .to_string();
        assert_eq!(
            error,
            "there is no setting \"weight of Emty\" in mine (did you mean weight of Empty?): it has weight of Score, \
             weight of Empty, plies and tolerance"
        );

        let plies = strategy.setting("plies").expect("there");
        for (value, reason) in [
            (2.5, "plies must be a whole number, not 2.5"),
            (-1.0, "plies cannot be -1"),
            (f64::NAN, "NaN"),
        ] {
            let error = strategy
                .with_setting(&plies, value)
                .expect_err(reason)
                .to_string();
            assert!(error.contains(reason), "{error}");
        }
        let first: Strategy = "(last_resort: First, criteria: [(evaluator: Policy())])"
            .parse()
            .expect("a strategy");
        let order = first.setting("order of moves").expect("there");
        for value in [0.0, 25.0, -1.0] {
            let error = first
                .with_setting(&order, value)
                .expect_err("24 orders")
                .to_string();
            assert!(error.ends_with("write a number from 1 to 24"), "{error}");
        }
        let allowed = |name: &str, value| first.allows(&first.setting(name).expect(name), value);
        assert!(allowed("order of moves", 24.0) && allowed("Policy discount", 0.5));
        assert!(
            !allowed("order of moves", 25.0)
                && !allowed("Policy discount", 2.0)
                && !allowed("Policy games", 0.0)
        );

        let none: Strategy = "r".parse().expect("letters");
        assert_eq!(
            none.setting("plies").expect_err("none").to_string(),
            "r has no number to change"
        );
    }
}
