//! How a decision depends on one number of the strategy: a depth, a limit, a threshold, a weight.
//!
//! Over the plies of a search this is its deepening history: the choice at every depth, with its values and nodes. The
//! strategy decides at each value with empty tables, as [`Decision::of`] does.

use super::Share;
use crate::game::{Board, ByMove, Move, Moves, Rules};
use crate::search::SearchOptions;
use crate::strategy::{Decision, Player, Searched, Setting, SettingError, Strategy, StrategyError};

/// A strategy at each value of one of its numbers.
#[derive(Clone, PartialEq, Debug)]
pub struct Varied {
    pub setting: Setting,
    pub values: Vec<f64>,
    strategies: Vec<Strategy>,
}

/// Why a number cannot be varied.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum VariedError {
    #[error(transparent)]
    Setting(#[from] SettingError),
    #[error("{name} = {value}: {reason}")]
    Value {
        name: String,
        value: f64,
        reason: StrategyError,
    },
}

impl Varied {
    /// The strategy at each of the values; each of them has to be valid for boards of these rules.
    pub fn new(
        strategy: &Strategy,
        setting: &str,
        values: &[f64],
        rules: Rules,
    ) -> Result<Self, VariedError> {
        let setting = strategy.setting(setting)?;
        let mut strategies = Vec::with_capacity(values.len());
        for &value in values {
            let one = strategy.with_setting(&setting, value)?;
            one.check_for(rules).map_err(|reason| VariedError::Value {
                name: setting.name.clone(),
                value,
                reason,
            })?;
            strategies.push(one);
        }
        Ok(Self {
            setting,
            values: values.to_vec(),
            strategies,
        })
    }

    pub fn strategies(&self) -> &[Strategy] {
        &self.strategies
    }

    /// The decisions on one board, reported value by value. `draw` breaks ties as in [`Player::decide`], the same way
    /// at each value. If it is cancelled, it ends with the last decided value.
    pub fn respond(
        &self,
        rules: Rules,
        (board, score): (&Board, u64),
        draw: impl Fn(usize) -> usize,
        options: SearchOptions<'_>,
        mut on_step: impl FnMut(&Step),
    ) -> Response {
        let mut response = Response {
            steps: Vec::with_capacity(self.values.len()),
        };
        for (&value, strategy) in self.values.iter().zip(&self.strategies) {
            let decision = Decision::of(
                &Player::new(strategy, rules),
                (board, score),
                &draw,
                options,
                0,
            );
            if options.stop.is_cancelled() {
                break;
            }
            let is_reached = self.is_reached(strategy, &decision);
            let step = Step {
                value,
                row: self.setting.row,
                decision,
                is_reached,
            };
            on_step(&step);
            response.steps.push(step);
        }
        response
    }

    fn is_reached(&self, strategy: &Strategy, decision: &Decision) -> bool {
        let row = self.setting.row;
        let Some(searched) = decision.searches.get(row).and_then(Option::as_ref) else {
            return true;
        };
        let lookahead = &strategy.criteria[row].lookahead;
        let wanted_plies = lookahead
            .plies()
            .filter(|_| self.setting.is_depth() && lookahead.deepens());
        wanted_plies.is_none_or(|plies| {
            plies.for_board(&searched.lower.unwrap_or(decision.board)) <= searched.plies
        })
    }
}

/// A decision at one value of a number.
#[derive(Clone, PartialEq, Debug)]
pub struct Step {
    pub value: f64,
    /// The row that the number belongs to, from 0.
    pub row: usize,
    pub decision: Decision,
    /// Whether the row looked as deep as the value says: if the number is a depth, a limit in time or nodes may have
    /// ended the search before. The decision then has that smaller depth, and says nothing about this value.
    pub is_reached: bool,
}

impl Step {
    /// The search of the row that the number belongs to, if it searched.
    pub fn searched(&self) -> Option<&Searched> {
        self.decision.searches.get(self.row)?.as_ref()
    }

    /// The moves it may play: one, or those that the last resort draws from.
    pub fn choice(&self) -> Moves {
        self.decision.choice
    }

    /// The values of the moves in the row that the number belongs to; `None` if the row did not evaluate the move.
    pub fn values(&self) -> ByMove<Option<f64>> {
        ByMove::from_fn(|mv: Move| *self.decision.moves[mv].as_ref()?.values.get(self.row)?)
    }
}

/// The decisions on one board, in the order of the values.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Response {
    pub steps: Vec<Step>,
}

impl Response {
    /// The steps that were reached, with their places among all.
    pub fn reached(&self) -> impl DoubleEndedIterator<Item = (usize, &Step)> {
        self.steps
            .iter()
            .enumerate()
            .filter(|(_, step)| step.is_reached)
    }

    /// Whether the row that the number belongs to drew samples: other samples may choose another move at any value.
    pub fn is_sampled(&self) -> bool {
        self.steps
            .iter()
            .any(|step| step.decision.is_sampled(step.row))
    }

    /// Whether the possible moves at step `at` have none in common with those of the previous reached step.
    pub fn changes_at(&self, at: usize) -> bool {
        let mut back = self.reached().rev().skip_while(|&(place, _)| at < place);
        let (Some((last, step)), Some((_, before))) = (back.next(), back.next()) else {
            return false;
        };
        last == at && step.choice() & before.choice() == Moves::NONE
    }

    /// The first step from which one move stays possible up to the last reached step. `None` on a dead board, and if
    /// the last step differs from the previous one, since no further step confirms its move. `None` for a search by
    /// samples, since other samples may choose differently.
    pub fn stable_from(&self) -> Option<usize> {
        if self.is_sampled() {
            return None;
        }
        let mut back = self.reached().rev();
        let (last, step) = back.next()?;
        let (mut from, mut common) = (last, step.choice());
        for (place, before) in back {
            let both = common & before.choice();
            if both == Moves::NONE {
                break;
            }
            (from, common) = (place, both);
        }
        (common != Moves::NONE && from < last).then_some(from)
    }
}

/// How often boards change their move from one value to the next.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Changes {
    /// Boards with two or more moves that were decided at every value.
    pub boards: u64,
    /// For each value, the boards with another move than at the previous value; 0 for the first.
    pub changed: Vec<u64>,
    /// The boards that reached that value and the previous one.
    pub compared: Vec<u64>,
    /// For each value, the boards that keep one move from there to the last; meaningless at the last.
    pub stable: Vec<u64>,
    /// The boards that reached all values from there to the last and drew no samples.
    pub followed: Vec<u64>,
    /// Boards on which samples chose.
    pub sampled: u64,
}

impl Changes {
    /// Adds the results of one more board, if it was decided at all `values`; a board with one move is ignored.
    pub fn take(&mut self, response: &Response, values: usize) {
        let has_choice = response
            .steps
            .first()
            .is_some_and(|step| 1 < step.decision.legal().len());
        if response.steps.len() != values || !has_choice {
            return;
        }
        for counts in [
            &mut self.changed,
            &mut self.compared,
            &mut self.stable,
            &mut self.followed,
        ] {
            counts.resize(values, 0);
        }
        self.boards += 1;
        self.sampled += u64::from(response.is_sampled());
        let stable_from = response.stable_from();
        let reached =
            |mut places: std::ops::Range<usize>| places.all(|at| response.steps[at].is_reached);

        for at in 0..values {
            if reached(at.saturating_sub(1)..at + 1) {
                self.compared[at] += 1;
                self.changed[at] += u64::from(response.changes_at(at));
            }
            if !response.is_sampled() && reached(at..values) {
                self.followed[at] += 1;
                self.stable[at] += u64::from(stable_from.is_some_and(|from| from <= at));
            }
        }
    }

    /// Whether a limit ended the search of a board before a value.
    pub fn is_limited(&self) -> bool {
        let unsampled = self.boards - self.sampled;
        self.compared.iter().any(|&n| n != self.boards)
            || self.followed.iter().any(|&n| n != unsampled)
    }

    /// The share of boards whose move changes at step `at`, of those that reached it and the previous step.
    pub fn share_changed(&self, at: usize) -> Share {
        share(&self.changed, &self.compared, at)
    }

    /// The share of boards that keep one move from step `at` to the last, of those that reached them all.
    pub fn share_stable(&self, at: usize) -> Share {
        share(&self.stable, &self.followed, at)
    }
}

fn share(same: &[u64], all: &[u64], at: usize) -> Share {
    let [same, n] = [same, all].map(|counts| counts.get(at).copied().unwrap_or(0));
    Share { same, n }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The moves at each value; `-` marks those of a search that a limit ended.
    fn response(choices: &[&str]) -> Response {
        let board: Board = "2,0,0,4/0,8,0,0/0,0,0,0/0,0,16,2".parse().expect("a board");
        let player = Player::new(&"emr".parse().expect("letters"), Rules::default());
        let decision = Decision::now(&player, &board, 0, |_| 0);
        let step = |(at, choice): (usize, &&str)| {
            let choice = Moves::from_fn(|mv| choice.contains(mv.arrow()));
            let is_reached = !choices[at].starts_with('-');
            Step {
                value: at as f64,
                row: 0,
                decision: Decision {
                    choice,
                    ..decision.clone()
                },
                is_reached,
            }
        };
        Response {
            steps: choices.iter().enumerate().map(step).collect(),
        }
    }

    #[test]
    fn a_move_is_stable_from_where_it_may_always_be_played() {
        for (choices, stable, changes) in [
            (&["↑", "↑", "↑"][..], Some(0), &[false, false, false][..]),
            (&["→", "↓", "↓"], Some(1), &[false, true, false]),
            (&["→", "→", "↓"], None, &[false, false, true]),
            (&["↑←", "←", "←↓"], Some(0), &[false, false, false]),
            (&["↑", "↑←", "←"], Some(1), &[false, false, false]),
            (&["↑", "←", "↑", "↑"], Some(2), &[false, true, true, false]),
            (&["→", "→", "-→", "-→"], Some(0), &[false; 4]),
            (
                &["→", "-→", "-↓", "↓", "-→", "↓"],
                Some(3),
                &[false, false, false, true, false, false],
            ),
            (&["→", "↓", "-↓"], None, &[false, true, false]),
            (&["-→", "-→"], None, &[false, false]),
            (&["↑"], None, &[false]),
            (&["", ""], None, &[false, true]),
        ] {
            let response = response(choices);
            assert_eq!(response.stable_from(), stable, "{choices:?}");
            let found: Vec<bool> = (0..choices.len())
                .map(|at| response.changes_at(at))
                .collect();
            assert_eq!(found, changes, "{choices:?}");
        }
    }

    #[test]
    fn shares_count_boards_with_a_choice() {
        let mut changes = Changes::default();
        for choices in [
            &["→", "↓", "↓"],
            &["→", "→", "→"],
            &["→", "→", "↓"],
            &["→", "↓", "↑"],
        ] {
            changes.take(&response(choices), 3);
        }
        changes.take(&response(&["→", "↓"]), 3);
        assert_eq!(
            (changes.boards, &changes.changed[..], &changes.stable[..]),
            (4, &[0, 2, 2][..], &[1, 2, 2][..])
        );
        assert_eq!(
            (changes.share_changed(1), changes.share_stable(0)),
            (Share { same: 2, n: 4 }, Share { same: 1, n: 4 })
        );
        assert!(!changes.is_limited());

        // A search that a limit ended is not compared.
        changes.take(&response(&["→", "↓", "-↓"]), 3);
        assert_eq!(
            (changes.share_changed(1), changes.share_changed(2)),
            (Share { same: 3, n: 5 }, Share { same: 2, n: 4 })
        );
        assert!(changes.is_limited() && changes.share_stable(1) == Share { same: 2, n: 4 });
    }

    #[test]
    fn a_depth_that_a_limit_ends_is_not_reached() {
        let strategy: Strategy =
            "(criteria: [(evaluator: Snake, lookahead: Expectimax(plies: Fixed(9), nodes: 500))])"
                .parse()
                .expect("text");
        let (rules, board) = (
            Rules::default(),
            "8,8,128,512/2,16,32,256/0,4,16,64/0,2,8,32"
                .parse()
                .expect("a board"),
        );
        let found = |setting: &str, values: &[f64]| {
            let varied = Varied::new(&strategy, setting, values, rules).expect("values");
            varied.respond(rules, (&board, 0), |_| 0, SearchOptions::default(), |_| {})
        };
        for step in found("plies", &[1.0, 2.0, 3.0, 6.0, 9.0]).steps {
            let plies = f64::from(step.searched().expect("searched").plies);
            assert_eq!(step.is_reached, plies == step.value, "{}", step.value);
            assert_eq!(step.is_reached, step.value <= 3.0, "{}", step.value);
        }
        assert!(
            found("nodes", &[10.0, 500.0])
                .steps
                .iter()
                .all(|step| step.is_reached),
            "what is asked is the limit"
        );
    }

    #[test]
    fn each_value_decides_as_the_strategy_with_it_does() {
        let strategy: Strategy =
            "(criteria: [(evaluator: Snake, lookahead: Expectimax(plies: Fixed(1)))])"
                .parse()
                .expect("a strategy");
        let (rules, board) = (
            Rules::default(),
            "2,4,8,16/0,8,0,32/0,2,4,64/0,0,2,128"
                .parse()
                .expect("a board"),
        );
        let values = [1.0, 2.0, 3.0, 4.0];
        let varied = Varied::new(&strategy, "plies", &values, rules).expect("four depths");
        let mut seen = 0;
        let found = varied.respond(
            rules,
            (&board, 0),
            |_| 0,
            SearchOptions::default(),
            |_| seen += 1,
        );
        assert_eq!((found.steps.len(), seen), (4, 4));
        for step in &found.steps {
            let text = format!(
                "(criteria: [(evaluator: Snake, lookahead: Expectimax(plies: Fixed({})))])",
                step.value
            );
            let own = Decision::now(
                &Player::new(&text.parse().expect("text"), rules),
                &board,
                0,
                |_| 0,
            );
            assert_eq!(
                (own.chosen, own.choice, &own.kept),
                (step.decision.chosen, step.choice(), &step.decision.kept)
            );
            assert!(own.moves == step.decision.moves && step.values()[Move::Left].is_some());
        }

        for (setting, value, reason) in [
            ("pliess", 1.0, "did you mean plies?"),
            ("plies", 0.5, "whole number"),
        ] {
            let error = Varied::new(&strategy, setting, &[value], rules)
                .expect_err(reason)
                .to_string();
            assert!(error.contains(reason), "{error}");
        }
    }
}
