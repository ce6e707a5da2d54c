//! What becomes of a move as a number of the strategy changes, in words.

use crate::analysis::Response;
use crate::words;

/// `Right at plies 1 to 5, Down at 6 to 9: one move stands from 6 to 9, the last value tried`.
pub fn response_sentence(response: &Response, setting: &str) -> String {
    let Some(last) = response.steps.last() else { return format!("nothing was decided at any value of {setting}") };
    let legal = last.decision.legal();
    if legal.is_empty() {
        return "the board is dead".to_owned();
    }
    if legal.len() == 1 {
        return "there is one legal move, whatever the strategy".to_owned();
    }
    // Neighbours with the same moves, first and last value of each.
    let mut spans: Vec<(String, f64, f64)> = Vec::new();
    for step in &response.steps {
        let moves: Vec<String> = step.choice().iter().map(|mv| mv.to_string()).collect();
        let moves = moves.join(" or ");
        match spans.last_mut() {
            Some((before, _, to)) if *before == moves => *to = step.value,
            _ => spans.push((moves, step.value, step.value)),
        }
    }
    let span = |from: f64, to: f64| {
        let from_text = words::exact(from);
        if from == to { from_text } else { format!("{from_text} to {}", words::exact(to)) }
    };
    let texts: Vec<String> = spans.iter().map(|(moves, from, to)| format!("{moves} at {}", span(*from, *to))).collect();
    let n = response.steps.len();
    let values = words::plural(n as u64, "value");
    let stable = match response.stable_from() {
        Some(0) => format!("one move at all {values}"),
        Some(from) => {
            let first = words::exact(response.steps[from].value);
            format!("one move stands from {first} to {}, the last of {values}", words::exact(last.value))
        }
        None if n == 1 => "one value tells nothing of others".to_owned(),
        None => "the move of the last value is a new one, of which no value says that it stands".to_owned(),
    };
    format!("{setting}: {}; {stable}", words::list(&texts))
}
