//! The difference of two strategies on the same games, in a sentence.

use crate::experiment::Pair;
use crate::stats::{Interval, Planned};
use crate::words;

/// `er scores 910 points more than emr on the same 100 games (95 % interval: 640 to 1,190).` If the interval contains
/// 0, it says that these games do not tell the two apart.
pub fn pair_sentence(pair: &Pair, planned: Planned, [one, other]: [&str; 2]) -> String {
    // A comma in a name would break the sentence.
    let [one, other] = [one, other].map(|name| {
        if name.contains(',') {
            words::quoted(name)
        } else {
            name.to_owned()
        }
    });
    let Some(difference) = pair.difference() else {
        return format!("No game of both {one} and {other} has finished yet.");
    };
    let way = if difference < 0.0 { "fewer" } else { "more" };
    let points = words::decimals(difference.abs(), 0);
    let games = words::plural(pair.games(), "game");
    let said = format!("{one} scores {points} points {way} than {other} on the same {games}");

    match pair.interval(planned) {
        None => format!("{said}: too few for an interval."),
        Some(interval @ Interval { low, high }) => {
            // In the direction of the sentence: how many more, or how many fewer.
            let [low, high] = if difference < 0.0 {
                [-high, -low]
            } else {
                [low, high]
            };
            let [low, high] = [low, high].map(|end| words::decimals(end, 0));
            let apart = if interval.contains(0.0) {
                ", which contains 0: no difference found in these games"
            } else {
                ""
            };
            format!("{said} (95 % interval: {low} to {high}{apart}).")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::Games;
    use crate::game::Rank;
    use crate::strategy::Outcome;

    fn pair(one: &[u32], other: &[u32]) -> Pair {
        let games = |scores: &[u32]| {
            let outcome = |&score: &u32| Outcome {
                score,
                largest: Rank::new(7).expect("a rank"),
                moves: 90,
            };
            scores.iter().map(outcome).collect::<Games>()
        };
        Pair::of(&games(one), &games(other))
    }

    #[test]
    fn a_sentence_names_who_scores_more_and_says_how_sure_that_is() {
        let (low, high): (Vec<u32>, Vec<u32>) = (0..200)
            .map(|i| (1000 + 4 * (i % 7), 1400 + 4 * (i % 5)))
            .unzip();
        let planned = Planned(200);
        let more = pair_sentence(&pair(&high, &low), planned, ["b", "a"]);
        let fewer = pair_sentence(&pair(&low, &high), planned, ["a", "b"]);
        assert!(
            more.starts_with(
                "b scores 396 points more than a on the same 200 games (95 % interval: 39"
            ),
            "{more}"
        );
        assert_eq!(
            fewer,
            more.replace("b scores", "a scores")
                .replace("more than a", "fewer than b")
        );
        let quoted = pair_sentence(&pair(&high, &low), planned, ["b, edited", "a"]);
        assert!(
            quoted.starts_with("\"b, edited\" scores 396 points more than a"),
            "{quoted}"
        );

        let noise: Vec<u32> = (0..200)
            .map(|i| if i % 2 == 0 { 900 } else { 1120 })
            .collect();
        let same = pair_sentence(&pair(&noise, &low), planned, ["c", "a"]);
        assert!(
            same.contains(", which contains 0: no difference found in these games)."),
            "{same}"
        );
        assert_eq!(
            pair_sentence(&pair(&[], &[]), planned, ["a", "b"]),
            "No game of both a and b has finished yet."
        );
        assert!(
            pair_sentence(&pair(&[8], &[4]), planned, ["a", "b"])
                .ends_with("on the same 1 game: too few for an interval.")
        );
    }
}
