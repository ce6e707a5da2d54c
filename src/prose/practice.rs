//! Summaries of practice answers, in words.

use crate::practice::{Answered, PracticeSummary};
use crate::review::Points;
use crate::words;

/// `7 of 9 best, 1 mistake, 24.5 points lost; previously 310 lost there`.
pub fn summary(sum: &PracticeSummary) -> String {
    let points = |points: Points| words::value(points.to_f64());
    let [answers, best, mistakes] = [sum.answers, sum.best, sum.mistakes].map(|count| count as u64);
    let mut text = format!(
        "{} of {} best, {}, {} points lost",
        words::count(best),
        words::count(answers),
        words::plural(mistakes, "mistake"),
        points(sum.loss)
    );
    if sum.compared != 0 {
        let here = if sum.compared == sum.answers {
            String::new()
        } else {
            format!(" ({} here)", points(sum.loss_compared))
        };
        text += &format!("{here}; previously {} lost there", points(sum.loss_then));
    }
    text
}

/// `Left is best`, or `Up loses 30.5 points, a mistake: Left and Right are best`.
pub fn verdict(answered: &Answered) -> String {
    let best: Vec<String> = answered
        .question
        .best()
        .iter()
        .map(ToString::to_string)
        .collect();
    if answered.loss == Points::ZERO {
        return format!("{} is best", answered.guess);
    }
    let class = if answered.question.is_mistake(answered.guess) {
        ", a mistake"
    } else {
        ""
    };
    let are = if best.len() == 1 { "is" } else { "are" };
    format!(
        "{} loses {} points{class}: {} {are} best",
        answered.guess,
        words::value(answered.loss.to_f64()),
        words::list(&best)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Move;
    use crate::practice::tests::question;

    #[test]
    fn a_verdict_names_every_best_move() {
        let said = |values, guess| {
            let question = question("2,2/4,0", values, None, 20);
            let loss = question.loss(guess).expect("a legal move");
            verdict(&Answered {
                question,
                guess,
                loss,
            })
        };
        let [one, two] = [
            [None, Some(9), Some(60), Some(20)],
            [None, Some(9), Some(60), Some(60)],
        ];
        assert_eq!(said(one, Move::Left), "Left is best");
        assert_eq!(
            said(one, Move::Down),
            "Down loses 51 points, a mistake: Left is best"
        );
        assert_eq!(
            said(two, Move::Down),
            "Down loses 51 points, a mistake: Left and Right are best"
        );
    }

    #[test]
    fn a_summary_says_what_was_lost_here_and_before() {
        let mut sum = PracticeSummary {
            answers: 9,
            best: 7,
            mistakes: 1,
            loss: Points::whole(24),
            ..Default::default()
        };
        assert_eq!(summary(&sum), "7 of 9 best, 1 mistake, 24 points lost");
        (sum.compared, sum.loss_compared, sum.loss_then) =
            (9, Points::whole(24), Points::whole(310));
        assert_eq!(
            summary(&sum),
            "7 of 9 best, 1 mistake, 24 points lost; previously 310 lost there"
        );
        (sum.compared, sum.loss_compared) = (4, Points::whole(20));
        assert_eq!(
            summary(&sum),
            "7 of 9 best, 1 mistake, 24 points lost (20 here); previously 310 lost there"
        );
    }
}
