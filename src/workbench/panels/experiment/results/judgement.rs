//! Published numbers of a strategy, and the verdict on them.

use crate::experiment::{Quantity, Tested, Verdicts};
use crate::preset::Published;
use crate::stats::Verdict;
use crate::table::Cell;
use crate::words;

/// The first published number next to ours, and all of them for a tooltip.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Judgement {
    /// The mean, else a reach rate, else whatever there is.
    pub one: Tested,
    /// All published numbers with their verdicts.
    pub about: String,
}

/// The first published number: "45,000"; "2048: 90 %".
pub(super) fn published_cell(published: &Published) -> Option<Cell> {
    if let Some(mean) = published.mean {
        return Some(mean.into());
    }
    let (tile, share) = published.reach.first()?;
    Some(Cell::shown(
        format!("{tile}: {} %", words::decimals(100.0 * share, 0)),
        100.0 * share,
    ))
}

impl Judgement {
    /// `None` if no published number can be compared with games.
    pub(super) fn of(tested: &[Tested], published: &Published) -> Option<Self> {
        let is_reach = |one: &&Tested| matches!(one.what, Quantity::Reach(_));
        let mean = tested.iter().find(|one| one.what == Quantity::Mean);
        let one = *mean
            .or_else(|| tested.iter().find(is_reach))
            .or(tested.first())?;
        let games = published.games.map_or(
            "the source does not state the number of games".to_owned(),
            |games| format!("of {}", words::plural(games, "game")),
        );
        let mut about = format!("Published, {games}");
        about += &lines(tested, "");
        if !published.source.is_empty() {
            about += &format!("\n{}", published.source);
        }
        if !published.reading.is_empty() {
            about += &format!("\nOur reading: {}", published.reading);
        }
        Some(Self { one, about })
    }

    /// The verdict by exact numbers.
    pub(super) fn exact(tested: &[Tested], exact: &Published) -> Option<Self> {
        let mut judgement = Self::of(tested, exact)?;
        judgement.about = "Exact, computed from every reachable board without playing games"
            .to_owned()
            + &lines(tested, " exactly");
        Some(judgement)
    }

    pub(super) fn sign_and_verdict(&self) -> [&'static str; 2] {
        let sign = match self.one.verdict {
            Verdict::Compatible => "✓",
            Verdict::Differs => "✗",
            Verdict::CannotTell(_) => "?",
        };
        [sign, self.one.verdict.name()]
    }

    /// Verdict and difference, sorted by the difference.
    pub(super) fn cell(&self) -> Cell {
        let [sign, verdict] = self.sign_and_verdict();
        let text = format!("{sign} {verdict} {}", self.difference_text());
        Cell::shown(text, self.one.difference.map(|difference| difference.value))
    }

    /// "+910, 855 to 965"; "−2, −10 to 6 %"; empty without an interval.
    pub(super) fn difference_text(&self) -> String {
        let Some(difference) = self.one.difference else {
            return String::new();
        };
        let is_share = matches!(self.one.what, Quantity::Reach(_));
        let (scale, unit) = if is_share { (100.0, " %") } else { (1.0, "") };
        let [low, high] = [difference.interval.low, difference.interval.high]
            .map(|end| words::decimals(scale * end, 0));
        format!(
            "{}, {low} to {high}{unit}",
            words::signed(scale * difference.value, 0)
        )
    }
}

/// One line per number: "mean 1,000, here 1,100, 100 (56 to 144): differs".
fn lines(tested: &[Tested], how: &str) -> String {
    let texts = Verdicts::table_of(tested).texts();
    let line = |(cells, one): (&Vec<String>, &Tested)| match &cells[..] {
        [name, theirs, ours, difference, interval, verdict] => {
            let apart = one
                .difference
                .map_or_else(String::new, |_| format!(", {difference} ({interval})"));
            format!("\n{name} {theirs}{how}, here {ours}{apart}: {verdict}")
        }
        _ => String::new(),
    };
    texts.iter().zip(tested).map(line).collect()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::experiment::Summary;
    use crate::stats::Planned;

    #[test]
    fn what_a_publication_says_is_compared() {
        let mut published = Published {
            mean: Some(1000.0),
            sd: Some(500.0),
            reach: vec![(64, 0.5)],
            games: Some(1000),
            source: "A table".to_owned(),
            ..Published::default()
        };

        // 500 games of 600 points and 500 of 1600: mean 1100, standard deviation 500.
        let game = |index: u32| crate::strategy::Outcome {
            score: 600 + 1000 * (index % 2),
            largest: crate::game::Rank::new(6).expect("a rank"),
            moves: 100,
        };

        let summary = Summary::of_games(&(0..1000).map(game).collect::<Vec<_>>(), Duration::ZERO);
        let judged = |published: &Published| {
            let verdicts = Verdicts::of([(Planned(1000), &summary, Some(published))].into_iter());
            Judgement::of(&verdicts.rows[0], published)
        };
        let judgement = judged(&published).expect("games");
        assert_eq!(judgement.one.verdict, Verdict::Differs);
        assert_eq!(judgement.difference_text(), "+100, 56 to 144");
        assert!(judgement.about.contains("A table") && judgement.about.contains("of 1,000 games"));
        assert!(
            judgement
                .about
                .contains("reached 64 50.0 %, here 100.0 %, 50.0 % (46.8 to 53.1 %): differs"),
            "{}",
            judgement.about
        );

        assert_eq!(published_cell(&published), Some(1000.0.into()));
        (published.mean, published.sd, published.games) = (None, None, None);
        let judgement = judged(&published).expect("games");
        assert_eq!(
            published_cell(&published),
            Some(Cell::shown("64: 50 %", 50.0))
        );
        assert!(
            judgement
                .about
                .contains("does not state the number of games")
                && judgement.difference_text().is_empty()
        );
        assert_eq!(judged(&Published::default()), None);
    }
}
