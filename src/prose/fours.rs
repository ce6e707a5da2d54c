//! The evidence of an imported game's new tiles about the probability of a 4, in a sentence.

use crate::game::Fours;
use crate::words;

/// `the file does not state the probability of a 4, so 10 % is assumed, but 65 of 130 spawns are 4s (binomial test, p <
/// 0.0001): give the probability, such as --p4 0.5`.
pub fn fours_sentence(fours: &Fours) -> String {
    let percent = words::fours_percent(fours.p4);
    let source = match fours.is_assumed {
        true => {
            format!("the file does not state the probability of a 4, so {percent} % is assumed")
        }
        false => format!("the probability of a 4 is {percent} %, as given"),
    };
    let (Some(p), Some(share)) = (fours.p, fours.share()) else {
        return format!("{source}, and no spawn tests it");
    };
    let (count, spawns) = (
        words::count(fours.fours),
        words::plural(fours.spawns, "spawn"),
    );
    let are = if fours.fours == 1 || fours.spawns == 1 {
        "is a 4"
    } else {
        "are 4s"
    };
    let p = if p < 0.0001 {
        "p < 0.0001".to_owned()
    } else {
        format!("p = {}", words::decimals(p, 4))
    };
    let found = format!("{count} of {spawns} {are} (binomial test, {p})");

    match fours.disagrees() {
        false => format!("{source}, which agrees: {found}"),
        true => {
            format!(
                "{source}, but {found}: give the probability, such as --p4 {}",
                (100.0 * share).round() / 100.0
            )
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sentence_names_the_assumption_the_count_and_the_remedy() {
        let fours = Fours {
            p4: 0.1,
            is_assumed: true,
            fours: 12,
            spawns: 120,
            p: Some(1.0),
        };
        let text = fours_sentence(&fours);
        assert!(text.starts_with(
            "the file does not state the probability of a 4, so 10 % is assumed, which agrees: 12 of 120"
        ));
        let text = fours_sentence(&Fours {
            fours: 65,
            spawns: 130,
            p: Some(1e-20),
            ..fours
        });
        assert!(
            text.ends_with(
                "65 of 130 spawns are 4s (binomial test, p < 0.0001): give the probability, such as --p4 0.5"
            )
        );
        let text = fours_sentence(&Fours {
            p4: 0.5,
            is_assumed: false,
            fours: 65,
            spawns: 130,
            p: Some(0.9),
        });
        assert!(
            text.starts_with("the probability of a 4 is 50 %, as given, which agrees: "),
            "{text}"
        );
        assert!(
            fours_sentence(&Fours {
                fours: 0,
                spawns: 0,
                p: None,
                ..fours
            })
            .ends_with("no spawn tests it")
        );
    }
}
