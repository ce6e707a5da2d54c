//! Compares measured with published numbers: one test per published number, corrected for their number.

use itertools::Itertools as _;
use serde::Deserialize;

use super::{Results, Summary};
use crate::game::Rank;
use crate::preset::Published;
use crate::stats::{
    Difference, IntervalKind, LEAST_GAMES, MARGIN, Planned, PublishedNumber, TooFew, Verdict,
    fewest_of_deviations, holm,
};
use crate::table::{Cell, Format};
use crate::words;

/// A quantity that a publication reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
pub enum Quantity {
    Mean,
    Deviation,
    Median,
    Max,
    Moves,
    /// Moves of the games that reached this tile.
    MovesReaching(u64),
    /// Seconds of the games that reached this tile.
    SecondsReaching(u64),
    /// Seconds per move.
    SecondsPerMove,
    /// The share of games that reached this tile.
    Reach(u64),
}

impl Quantity {
    /// The quantities that cover all games, in table order.
    pub const OF_SCORES: [Self; 5] = [
        Self::Mean,
        Self::Deviation,
        Self::Median,
        Self::Max,
        Self::Moves,
    ];

    /// The name in files.
    pub fn key(self) -> String {
        match self {
            Self::Mean => "mean".to_owned(),
            Self::Deviation => "sd".to_owned(),
            Self::Median => "median".to_owned(),
            Self::Max => "max".to_owned(),
            Self::Moves => "moves".to_owned(),
            Self::MovesReaching(tile) => format!("moves_reaching_{tile}"),
            Self::SecondsReaching(tile) => format!("seconds_reaching_{tile}"),
            Self::SecondsPerMove => "seconds_per_move".to_owned(),
            Self::Reach(tile) => format!("reach_{tile}"),
        }
    }

    /// How people see its values.
    pub(super) fn format(self) -> Format {
        match self {
            Self::Reach(_) => Format::percent(1),
            Self::Mean | Self::Deviation | Self::Moves | Self::MovesReaching(_) => {
                Format::places(1)
            }
            Self::SecondsReaching(_) => Format::places(2),
            Self::SecondsPerMove => Format::places(6),
            Self::Median | Self::Max => Format::places(0),
        }
    }

    fn is_share(self) -> bool {
        matches!(self, Self::Reach(_))
    }
}

/// A published number, the measured one, and the verdict on their difference.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tested {
    pub what: Quantity,
    /// As published. Shares are from 0 to 1.
    pub published: f64,
    /// The measured number. For a maximum, the median of the highest score of as many games as the publication has.
    pub measured: f64,
    /// Measured minus published. `None` if a side is too small for an interval.
    pub difference: Option<Difference>,
    /// The p-value of the difference, corrected for all tests of the table (Holm).
    pub p: Option<f64>,
    pub verdict: Verdict,
    /// The number of our games.
    pub games: u64,
    /// The number of published games. `None` if the publication does not say.
    pub published_games: Option<u64>,
}

impl Tested {
    /// A published number before the correction for all tests. `fewest` has the least number of our and of published games
    /// that allow a test.
    pub(crate) fn new(
        what: Quantity,
        [published, measured]: [f64; 2],
        difference: Option<Difference>,
        games: u64,
        published_games: Option<u64>,
        fewest: [u64; 2],
    ) -> Self {
        let verdict = Verdict::CannotTell(match published_games {
            None => TooFew::Unknown,
            Some(theirs) if theirs < fewest[1] && games < fewest[0] => TooFew::Both,
            Some(theirs) if theirs < fewest[1] => TooFew::Theirs,
            Some(_) => TooFew::Ours,
        });
        Self {
            what,
            published,
            measured,
            difference,
            p: None,
            verdict,
            games,
            published_games,
        }
    }

    /// Corrects the p-values for all these tests (Holm) and sets the verdicts. Returns the number of tests.
    pub(crate) fn correct<'a>(tested: impl Iterator<Item = &'a mut Self>) -> usize {
        let tested: Vec<_> = tested
            .filter_map(|one| Some((one.difference?, one)))
            .collect();
        let p: Vec<f64> = tested.iter().map(|(difference, _)| difference.p).collect();
        for ((difference, one), p) in tested.into_iter().zip(holm(&p)) {
            let margin = if one.what.is_share() {
                MARGIN
            } else {
                MARGIN * one.published.abs()
            };
            one.p = Some(p);
            one.verdict = match Verdict::of(&difference, p, margin) {
                Verdict::CannotTell(_) if one.what == Quantity::Max => {
                    Verdict::CannotTell(TooFew::OneGame)
                }
                verdict => verdict,
            };
        }
        p.len()
    }

    /// The name of the quantity: `reached 2048`.
    pub fn name(&self) -> String {
        match (self.what, self.published_games) {
            (Quantity::Reach(tile), _) => format!("reached {tile}"),
            (Quantity::Max, Some(theirs)) if theirs == self.games => {
                format!("max of {}", words::plural(theirs, "game"))
            }
            // The measured number is for as many games as the publication has.
            (Quantity::Max, Some(theirs)) if self.difference.is_some() => {
                format!(
                    "max of {}, from {} here",
                    words::plural(theirs, "game"),
                    words::count(self.games)
                )
            }
            (Quantity::Max, theirs) => {
                let theirs = theirs.map_or("an unknown number".to_owned(), words::count);
                format!("max of {theirs} and {} games", words::count(self.games))
            }
            (Quantity::Moves, _) => "moves/game".to_owned(),
            (Quantity::MovesReaching(tile), _) => format!("moves/game that reached {tile}"),
            (Quantity::SecondsReaching(tile), _) => format!("seconds/game that reached {tile}"),
            (Quantity::SecondsPerMove, _) => "seconds/move".to_owned(),
            (what, _) => what.key(),
        }
    }

    /// A number of this quantity for display: a share in percent.
    pub fn number(&self, value: f64) -> String {
        Cell::from(value).with(self.what.format()).to_string()
    }

    /// Why the games are not enough for a verdict: `the published 3 games are too few`.
    pub fn reason(&self) -> Option<String> {
        let Verdict::CannotTell(few) = self.verdict else {
            return None;
        };
        let are = |games: u64| match games {
            1 => "1 game is".to_owned(),
            games => format!("{} games are", words::count(games)),
        };

        let theirs = self.published_games.unwrap_or(0);
        Some(match few {
            TooFew::Ours => format!("{} too few", are(self.games)),
            TooFew::Theirs => format!("the published {} too few", are(theirs)),
            TooFew::Both => {
                format!(
                    "{} games and the published {} are too few",
                    words::count(self.games),
                    words::count(theirs)
                )
            }
            TooFew::Unknown => "the source does not state the number of games".to_owned(),
            TooFew::OneGame => "a maximum is a single game".to_owned(),
            TooFew::OtherMachine => "measured on another machine; CPU time here".to_owned(),
        })
    }

    /// The verdict with its reason: `cannot tell: the published 3 games are too few`.
    pub fn verdict_text(&self) -> String {
        let reason = self
            .reason()
            .map(|reason| format!(": {reason}"))
            .unwrap_or_default();
        format!("{}{reason}", self.verdict.name())
    }
}

/// The verdicts of a table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Verdicts {
    /// For each contestant in plan order: the mean first, reach rates last.
    pub rows: Vec<Vec<Tested>>,
    /// The number of tests.
    pub tests: usize,
    /// Whether a publication lacks the standard deviation of a tested mean, so that ours was used.
    pub uses_own_sd: bool,
}

impl Verdicts {
    /// The verdicts on contestants, each with its planned number of games.
    pub fn of<'a>(
        contestants: impl Iterator<Item = (Planned, &'a Summary, Option<&'a Published>)>,
    ) -> Self {
        let mut uses_own_sd = false;
        let mut rows: Vec<Vec<Tested>> = Vec::new();
        for (planned, summary, published) in contestants {
            let row =
                published.map_or_else(Vec::new, |published| tested(summary, published, planned));
            uses_own_sd |= published.is_some_and(|published| {
                row.iter().any(|one| {
                    let is_of_moves =
                        matches!(one.what, Quantity::Moves | Quantity::MovesReaching(_));
                    let has_none =
                        is_of_moves || published.sd.is_none() && one.what == Quantity::Mean;
                    has_none && one.difference.is_some()
                })
            });
            rows.push(row);
        }

        let tests = Tested::correct(rows.iter_mut().flatten());
        Self {
            rows,
            tests,
            uses_own_sd,
        }
    }

    /// Explains the verdicts in one sentence. `None` if nothing was published.
    pub fn legend(&self) -> Option<String> {
        Self::legend_of(&[(self, "published")])
    }

    /// The same for verdicts against several kinds of numbers, each with its own count of tests.
    pub fn legend_of(kinds: &[(&Self, &str)]) -> Option<String> {
        let reported: Vec<_> = kinds
            .iter()
            .filter(|(all, _)| all.rows.iter().any(|row| !row.is_empty()))
            .collect();
        let number = match &reported[..] {
            [] => return None,
            [(_, kind)] => (*kind).to_owned(),
            kinds => kinds.iter().map(|(_, kind)| *kind).join(" or "),
        };
        if reported.iter().all(|(all, _)| all.tests == 0) {
            return Some(format!(
                "cannot tell: none of the {number} numbers could be tested"
            ));
        }

        let tests = |(all, kind): &&(&Self, &str)| match reported.len() {
            1 => words::plural(all.tests as u64, "test"),
            _ => format!(
                "{} of {kind} numbers",
                words::plural(all.tests as u64, "test")
            ),
        };
        let tests: Vec<String> = reported.iter().map(tests).collect();
        let assumed = if reported.iter().any(|(all, _)| all.uses_own_sd) {
            "; where no standard deviation is published, the measured one is used"
        } else {
            ""
        };

        Some(format!(
            "differs: p ≤ 0.05 after Holm's correction for {}; compatible: the 95 % interval of the difference is \
             within 10 % of the {number} number, or within 10 points for a share{assumed}",
            words::list(&tests)
        ))
    }
}

impl Results {
    pub fn verdicts(&self) -> Verdicts {
        let planned = self.planned();
        Verdicts::of(
            self.contestants
                .iter()
                .map(|one| (planned, &*one.summary, one.published.as_ref())),
        )
    }

    /// How publications differ from the rows they are compared with: `mean 2: printed for minimax`. Rows with the same
    /// reading share an entry.
    pub fn readings(&self) -> Vec<String> {
        let mut readings: Vec<(&str, Vec<String>)> = Vec::new();
        for one in &self.contestants {
            let Some(published) = one
                .published
                .as_ref()
                .filter(|published| !published.reading.is_empty())
            else {
                continue;
            };
            match readings
                .iter_mut()
                .find(|(reading, _)| *reading == published.reading)
            {
                Some((_, names)) => names.push(one.strategy.label()),
                None => readings.push((&published.reading, vec![one.strategy.label()])),
            }
        }
        let text = |(reading, names): (&str, Vec<String>)| {
            format!("{}: {}", words::list(&names), words::one_line(reading))
        };
        readings.into_iter().map(text).collect()
    }
}

/// The published numbers of a strategy with games, before the correction for multiple tests.
fn tested(summary: &Summary, published: &Published, planned: Planned) -> Vec<Tested> {
    let (scores, games) = (&summary.scores, summary.games());
    let (Some(mean), Some(median)) = (scores.moments(), scores.median()) else {
        return Vec::new();
    };
    let widening = planned.widening(games);
    let published_games = published.games.filter(|&games| 0 < games);
    // `widening` scales the uncertainty of our side.
    let theirs = |value: f64| {
        Some((
            PublishedNumber {
                value,
                count: published_games?,
            },
            widening?,
        ))
    };
    let one = |what: Quantity,
               published: f64,
               measured: f64,
               difference: Option<Difference>,
               fewest: [u64; 2]| {
        Tested::new(
            what,
            [published, measured],
            difference,
            games,
            published_games,
            fewest,
        )
    };
    let mut tested = Vec::new();
    if let Some(value) = published.mean {
        let difference = theirs(value).and_then(|(theirs, wider)| {
            Difference::of_means(mean, scores.skewness(), wider, theirs, published.sd)
        });
        let fewest = if published.sd.is_some() {
            [2, 2]
        } else {
            [LEAST_GAMES, 1]
        };
        tested.push(one(Quantity::Mean, value, mean.mean, difference, fewest));
    }

    if let (Some(value), Some(sd)) = (published.sd, scores.std_dev()) {
        let difference = theirs(value)
            .and_then(|(theirs, wider)| Difference::of_deviations(scores, wider, theirs));
        tested.push(one(
            Quantity::Deviation,
            value,
            sd,
            difference,
            [fewest_of_deviations(scores); 2],
        ));
    }

    if let Some(value) = published.median {
        let difference =
            theirs(value).and_then(|(theirs, wider)| Difference::of_medians(scores, wider, theirs));
        tested.push(one(Quantity::Median, value, median, difference, [1, 1]));
    }

    if let (Some(value), Some(highest)) = (published.max.map(f64::from), scores.max()) {
        // In a run that may have stopped early, the highest score has no exact distribution.
        let is_whole = planned.kind(games) == IntervalKind::Planned;
        let difference = theirs(value)
            .filter(|_| is_whole)
            .and_then(|(theirs, _)| Difference::of_maxima(scores, theirs));
        let typical = difference.map_or(f64::from(highest), |difference| value + difference.value);
        tested.push(one(Quantity::Max, value, typical, difference, [1, 1]));
    }

    if let (Some(value), Some(moves)) = (published.moves, summary.moves()) {
        let difference = theirs(value)
            .and_then(|(theirs, wider)| Difference::of_means(moves, None, wider, theirs, None));
        tested.push(one(
            Quantity::Moves,
            value,
            moves.mean,
            difference,
            [LEAST_GAMES, 1],
        ));
    }
    for &(tile, value) in &published.moves_reaching {
        let theirs = published.reach.iter().find(|(other, _)| *other == tile);
        let count = published_games
            .zip(theirs)
            .map(|(games, (_, share))| (games as f64 * share).round() as u64);
        let Some(moves) = Rank::of_tile(tile).and_then(|rank| summary.moves_reaching(rank)) else {
            continue;
        };
        let sample = count.zip(widening);
        let difference = sample.and_then(|(count, wider)| {
            Difference::of_means(moves, None, wider, PublishedNumber { value, count }, None)
        });
        let what = one(
            Quantity::MovesReaching(tile),
            value,
            moves.mean,
            difference,
            [LEAST_GAMES, 1],
        );
        let verdict = match count {
            None => Verdict::CannotTell(TooFew::Unknown),
            Some(0) if moves.count < LEAST_GAMES => Verdict::CannotTell(TooFew::Both),
            Some(0) => Verdict::CannotTell(TooFew::Theirs),
            Some(_) => Verdict::CannotTell(TooFew::Ours),
        };
        tested.push(Tested {
            games: moves.count,
            published_games: count,
            verdict,
            ..what
        });
    }
    let of_another_machine = |what: Tested| Tested {
        verdict: Verdict::CannotTell(TooFew::OtherMachine),
        ..what
    };
    for &(tile, value) in &published.seconds_reaching {
        let Some(rank) = Rank::of_tile(tile) else {
            continue;
        };
        let Some(measured) = summary.seconds_reaching(rank).map(|seconds| seconds.mean) else {
            continue;
        };
        let what = one(
            Quantity::SecondsReaching(tile),
            value,
            measured,
            None,
            [1, 1],
        );
        tested.push(of_another_machine(Tested {
            games: summary.reached(rank),
            ..what
        }));
    }
    if let (Some(value), Some(measured)) = (published.seconds_per_move, summary.seconds_per_move())
    {
        tested.push(of_another_machine(one(
            Quantity::SecondsPerMove,
            value,
            measured,
            None,
            [1, 1],
        )));
    }
    for &(tile, share) in &published.reach {
        let Some(rank) = Rank::of_tile(tile) else {
            continue;
        };
        let hits = summary.reached(rank);
        let difference = theirs(share)
            .and_then(|(theirs, wider)| Difference::of_shares(hits, games, wider, theirs));
        tested.push(one(
            Quantity::Reach(tile),
            share,
            hits as f64 / games as f64,
            difference,
            [1, 1],
        ));
    }
    tested
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::experiment::ExactRows;
    use crate::game::{Rules, Seed};
    use crate::search::SearchOptions;
    use crate::strategy::{Outcome, Player, Strategy};
    use crate::task::CancelToken;

    /// Half of the games have 600 points, half 1600: mean 1100, standard deviation 500.
    fn summary(games: u32) -> Summary {
        let game = |index: u32| Outcome {
            score: 600 + 1000 * (index % 2),
            largest: Rank::new(6 + (index % 2) as u8).expect("a rank"),
            moves: 100 + index % 3,
        };
        Summary::of_games(&(0..games).map(game).collect::<Vec<_>>(), Duration::ZERO)
    }

    fn verdicts(games: u32, planned: u64, published: &Published) -> Verdicts {
        let [one, other] = [summary(games), summary(games)];
        let planned = Planned(planned);
        Verdicts::of([(planned, &one, Some(published)), (planned, &other, None)].into_iter())
    }

    fn texts(verdicts: &Verdicts) -> Vec<String> {
        verdicts.rows[0]
            .iter()
            .map(|one| format!("{}: {}", one.name(), one.verdict_text()))
            .collect()
    }

    fn published() -> Published {
        Published {
            mean: Some(1100.0),
            sd: Some(500.0),
            max: Some(9000),
            moves: Some(101.0),
            reach: vec![(64, 1.0), (128, 0.1), (2048, 0.0)],
            games: Some(1000),
            ..Published::default()
        }
    }

    #[test]
    fn every_published_number_has_a_verdict() {
        let verdicts = verdicts(1000, 1000, &published());
        assert_eq!(
            texts(&verdicts),
            [
                "mean: compatible",
                "sd: cannot tell: the published 1,000 games are too few",
                "max of 1,000 games: cannot tell: a maximum is a single game",
                "moves/game: compatible",
                "reached 64: compatible",
                "reached 128: differs",
                "reached 2048: compatible"
            ]
        );
        assert!(verdicts.rows[1].is_empty());

        let max_of = |games, planned| {
            texts(&super::tests::verdicts(games, planned, &published()))[2].clone()
        };
        assert!(
            max_of(300, 300).starts_with("max of 1,000 games, from 300 here: "),
            "{}",
            max_of(300, 300)
        );
        assert!(
            max_of(300, 500).starts_with("max of 1,000 and 300 games: "),
            "{}",
            max_of(300, 500)
        );
        assert_eq!(verdicts.tests, 7);
        let legend = verdicts.legend().expect("published");
        assert!(
            legend.contains("for 7 tests") && legend.contains("the measured one"),
            "{legend}"
        );
        assert_eq!(Verdicts::default().legend(), None);

        // A sentence about two kinds gives the count of each; one about a single kind names no other.
        let exact = Verdicts {
            uses_own_sd: false,
            ..verdicts.clone()
        };
        let both =
            Verdicts::legend_of(&[(&verdicts, "published"), (&exact, "exact")]).expect("both");
        assert!(
            both.contains("for 7 tests of published numbers and 7 tests of exact numbers;"),
            "{both}"
        );
        assert!(both.contains("of the published or exact number,"), "{both}");
        let alone = Verdicts::legend_of(&[(&Verdicts::default(), "published"), (&exact, "exact")])
            .expect("one");
        assert!(
            alone.contains("for 7 tests;") && !alone.contains("published"),
            "{alone}"
        );
    }

    #[test]
    fn seconds_stand_beside_and_are_not_judged() {
        let published = Published {
            seconds_reaching: vec![(128, 147.5), (4096, 9.0)],
            seconds_per_move: Some(0.5),
            games: Some(5),
            ..Published::default()
        };

        let game = |rank: u8, moves| Outcome {
            score: 4,
            largest: Rank::new(rank).expect("a rank"),
            moves,
        };
        let cost = |secs| Some(super::super::Cost::from(Duration::from_secs(secs)));
        let summary =
            Summary::of_played([(game(6, 100), cost(1)), (game(7, 300), cost(7))].into_iter());
        let verdicts = Verdicts::of([(Planned(2), &summary, Some(&published))].into_iter());
        let rows: Vec<(String, f64, u64)> = verdicts.rows[0]
            .iter()
            .map(|one| (one.name(), one.measured, one.games))
            .collect();
        let [of_tile, of_move] = &rows[..] else {
            panic!("{rows:?}")
        };
        assert_eq!(
            *of_tile,
            ("seconds/game that reached 128".to_owned(), 7.0, 1)
        );
        assert_eq!(*of_move, ("seconds/move".to_owned(), 8.0 / 400.0, 2));
        assert_eq!(
            texts(&verdicts)[0],
            "seconds/game that reached 128: cannot tell: measured on another machine; CPU time here"
        );
        assert_eq!(verdicts.tests, 0);
    }

    #[test]
    fn the_side_that_is_too_small_is_named() {
        let verdicts_of =
            |games, published: &Published| texts(&verdicts(games, games.into(), published));
        let few = Published {
            games: Some(3),
            ..published()
        };
        assert_eq!(
            verdicts_of(1000, &few)[0],
            "mean: cannot tell: the published 3 games are too few"
        );
        assert_eq!(
            verdicts_of(1000, &few)[1],
            "sd: cannot tell: the published 3 games are too few"
        );
        assert_eq!(
            verdicts_of(20, &published())[0],
            "mean: cannot tell: 20 games are too few"
        );
        assert_eq!(
            verdicts_of(1, &published())[0],
            "mean: cannot tell: 1 game is too few"
        );
        assert_eq!(
            verdicts_of(20, &few)[0],
            "mean: cannot tell: 20 games and the published 3 are too few"
        );
        let unsaid = Published {
            games: None,
            ..published()
        };
        assert!(
            verdicts_of(1000, &unsaid)
                .iter()
                .all(|text| text.ends_with("the source does not state the number of games"))
        );
        assert_eq!(verdicts(1000, 1000, &unsaid).tests, 0);
        let legend = verdicts(1000, 1000, &unsaid).legend();
        assert_eq!(
            legend.as_deref(),
            Some("cannot tell: none of the published numbers could be tested")
        );
        assert!(verdicts_of(0, &published()).is_empty());
        let five = Published {
            reach: vec![(128, 0.6)],
            games: Some(5),
            ..Published::default()
        };
        assert_eq!(
            verdicts_of(1000, &five),
            ["reached 128: cannot tell: the published 5 games are too few"]
        );
    }

    #[test]
    fn standard_deviations_and_means_without_one_need_games() {
        let verdicts_of =
            |games, published: &Published| texts(&verdicts(games, games.into(), published));
        assert_eq!(
            verdicts_of(60, &published())[1],
            "sd: cannot tell: 60 games are too few"
        );
        let moves = |games| verdicts_of(games, &published())[3].clone();
        assert_eq!(moves(49), "moves/game: cannot tell: 49 games are too few");
        assert_eq!(moves(200), "moves/game: compatible");
        let few = Published {
            mean: Some(9000.0),
            sd: None,
            ..published()
        };
        assert_eq!(
            verdicts_of(49, &few)[0],
            "mean: cannot tell: 49 games are too few"
        );
        assert_eq!(verdicts_of(60, &few)[0], "mean: differs");
    }

    /// `many` games of a strategy on a small board, starting with game `first`.
    fn played(letters: &str, size: &str, first: u64, many: u64) -> Summary {
        let rules = Rules {
            size: size.parse().expect(size),
            ..Rules::default()
        };
        let player = Player::new(&letters.parse().expect(letters), rules);
        let game = |game| player.play(&Seed(6).game(game), SearchOptions::default(), &mut ());
        Summary::of_games(
            &(first..first + many).map(game).collect::<Vec<_>>(),
            Duration::ZERO,
        )
    }

    /// In how many of `tables` tables with three strategies any number differs from the known ones.
    fn tables_that_differ(
        tables: u64,
        games: u64,
        published: impl Fn(&str, u64) -> Published,
    ) -> u64 {
        let differs = |table: u64| {
            let rows = ["emr", "er", "r"].map(|name| {
                (
                    played(name, "2x3", table * games, games),
                    published(name, table),
                )
            });
            let rows = rows
                .iter()
                .map(|(summary, published)| (Planned(games), summary, Some(published)));
            Verdicts::of(rows)
                .rows
                .iter()
                .flatten()
                .any(|one| one.verdict == Verdict::Differs)
        };
        (0..tables).filter(|&table| differs(table)).count() as u64
    }

    #[test]
    fn tables_of_few_games_seldom_differ_from_what_is_exact() {
        let strategies: Vec<Strategy> = ["emr", "er", "r"]
            .iter()
            .map(|text| text.parse().expect("letters"))
            .collect();
        let rules = Rules {
            size: "2x3".parse().expect("a size"),
            ..Rules::default()
        };
        let contestants: Vec<(&Strategy, Rules)> = strategies
            .iter()
            .map(|strategy| (strategy, rules))
            .collect();
        let exact = ExactRows::at_once(&contestants, None, &CancelToken::new());
        let exact_row = |name: &str, _| {
            let place = ["emr", "er", "r"].iter().position(|other| *other == name);
            exact
                .known(place.expect("a strategy"))
                .expect("small")
                .clone()
        };
        // 5 % of 100 tables are 5, plus two standard deviations 9; for 40 tables 2 and 5.
        for (tables, games, most) in [(100, 5, 9), (100, 20, 9), (40, 100, 5)] {
            let differing = tables_that_differ(tables, games, exact_row);
            assert!(
                differing <= most,
                "{differing} of {tables} tables of {games} games"
            );
        }
        // Numbers of another strategy are detected.
        assert_eq!(
            tables_that_differ(5, 200, |_, table| exact_row("emr", table)),
            5
        );
    }

    #[test]
    fn tables_seldom_differ_from_five_published_games_of_their_own() {
        let published = |name: &str, table: u64| {
            let theirs = played(name, "2x3", 1_000_000 + 5 * table, 5);
            Published {
                mean: theirs.scores.mean(),
                sd: theirs.scores.std_dev(),
                median: theirs.scores.median(),
                games: Some(5),
                ..Published::default()
            }
        };
        for games in [20, 200] {
            let differing = tables_that_differ(100, games, published);
            assert!(differing <= 9, "{differing} of 100 tables of {games} games");
        }
    }

    #[test]
    fn a_stopped_run_says_less_and_many_tests_need_more() {
        let verdict_of = |mean: f64, planned| {
            let published = Published {
                mean: Some(mean),
                ..published()
            };
            verdicts(1000, planned, &published).rows[0][0]
        };
        // 3.1 standard errors of 22.4 apart.
        assert_eq!(verdict_of(1030.0, 1000).verdict, Verdict::Differs);
        assert_eq!(
            verdict_of(1030.0, 2000).verdict,
            Verdict::CannotTell(TooFew::Ours)
        );
        // 2.2 standard errors would be a difference if this were the only test.
        let near = verdict_of(1050.0, 1000);
        assert!(near.difference.is_some_and(|one| one.p < 0.05) && 0.05 < near.p.expect("tested"));
        assert_ne!(near.verdict, Verdict::Differs);
    }
}
