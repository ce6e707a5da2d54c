//! How a move changes with a number of the strategy, in words.

use crate::analysis::{Changes, Response, Share};
use crate::table::{Column, Digits, Formats, Kind, Spread, Table, Unit};
use crate::words;

/// `Right at plies 1 to 5, Down at 6 to 9: same move from 6 to 9, the last of 9 values`.
pub fn response_sentence(response: &Response, setting: &str) -> String {
    let Some(last) = response.steps.last() else { return format!("no decision was made at any value of {setting}") };
    let legal = last.decision.legal();
    if legal.is_empty() {
        return "the board is dead".to_owned();
    }
    if legal.len() == 1 {
        return "there is one legal move, whatever the strategy".to_owned();
    }
    let reached: Vec<usize> = response.reached().map(|(at, _)| at).collect();
    let (Some(&first), Some(&last)) = (reached.first(), reached.last()) else {
        return format!("{setting}: {}, so no value has a decision", limit_sentence(response).unwrap_or_default());
    };

    // Adjacent values with the same moves: first and last place of each.
    let mut spans: Vec<(String, usize, usize)> = Vec::new();
    for (at, step) in response.reached() {
        let moves: Vec<String> = step.choice().iter().map(|mv| mv.to_string()).collect();
        let moves = moves.join(" or ");
        match spans.last_mut() {
            Some((before, _, to)) if *before == moves && *to + 1 == at => *to = at,
            _ => spans.push((moves, at, at)),
        }
    }

    let value = |at: usize| words::exact(response.steps[at].value);
    let span =
        |from: usize, to: usize| if from == to { value(from) } else { format!("{} to {}", value(from), value(to)) };
    let texts: Vec<String> = spans.iter().map(|(moves, from, to)| format!("{moves} at {}", span(*from, *to))).collect();
    if response.is_sampled() {
        return format!(
            "{setting}: {}; chosen by means of samples, so other samples may choose differently",
            words::list(&texts)
        );
    }

    let n = reached.len();
    let which = if n < response.steps.len() { " that were reached" } else { "" };
    let values = format!("{}{which}", words::plural(n as u64, "value"));
    let stable = match response.stable_from() {
        Some(from) if from == first => format!("same move at all {values}"),
        Some(from) => format!("same move from {} to {}, the last of {values}", value(from), value(last)),
        None if n == 1 => "one value cannot show whether the move changes".to_owned(),
        None => "the move changes at the last value, so it may change again".to_owned(),
    };
    let limited = limit_sentence(response).map(|limited| format!("; {limited}")).unwrap_or_default();
    format!("{setting}: {}; {stable}{limited}", words::list(&texts))
}

/// `its limit ended the search after 5 plies at 16 of 21 values`; `None` if every depth was reached.
fn limit_sentence(response: &Response) -> Option<String> {
    let limited = response.steps.iter().filter(|step| !step.is_reached);
    let plies: Vec<u32> = limited.filter_map(|step| Some(step.searched()?.plies)).collect();
    let (least, most) = (*plies.iter().min()?, *plies.iter().max()?);
    let from = if least == most { String::new() } else { format!("{least} to ") };
    let all = words::plural(response.steps.len() as u64, "value");
    let at =
        if plies.len() == response.steps.len() { format!("all {all}") } else { format!("{} of {all}", plies.len()) };
    Some(format!("its limit stopped the search after {from}{} at {at}", words::plural(u64::from(most), "ply")))
}

/// The note on shares of boards whose moves samples chose.
pub const SAMPLED_SHARES: &str = "moves are chosen by means of samples, so a move may change although the value does \
    not";

/// The note on shares of boards if a limit ended some searches before a depth.
pub const LIMITED_SHARES: &str = "a board does not count at a depth that its search did not reach because of a limit";

/// A share with its Wilson interval, and the number that it is a share of with its title.
pub fn share_columns<'a, R>(
    key: &str,
    [title, about]: [&str; 2],
    of: &str,
    share: impl Fn(&R) -> Option<Share> + Copy + 'a,
) -> [Column<'a, R>; 2] {
    let known = move |row: &R| share(row).filter(|share| share.n != 0);
    [
        Column::new(Kind::Estimate, key, title, about, move |row: &R| {
            known(row).and_then(|share| Some((share.value()?, share.interval())))
        })
        .unit(Unit::PERCENT)
        .digits(Digits::Places(1))
        .spread(Spread::Ends),
        Column::whole(format!("{key}_of"), of, "Positions that it is a share of", move |row: &R| {
            known(row).map(|share| share.n)
        }),
    ]
}

/// How often the move changes at each value of a setting, and how often it stays the same from there on, with Wilson
/// intervals.
pub fn changes_table(changes: &Changes, values: &[f64], setting: &str) -> Table {
    // The first value has no previous one, the last no next one.
    let changed = |at: usize| (at != 0).then(|| changes.share_changed(at));
    let stable = |at: usize| (at + 1 < values.len()).then(|| changes.share_stable(at));
    let mut columns = vec![
        Column::number(setting, setting, "Value of the varied setting", |(_, value): &(usize, f64)| *value)
            .digits(Digits::Exact)
            .named(),
        Column::whole("boards", "", "Boards with two or more moves", |_: &(usize, f64)| changes.boards)
            .only(Formats::CSV),
    ];
    let titles = ["move changes", "Share of positions with another move than at the previous value, 95 % interval"];
    columns.extend(share_columns("changed", titles, "of", move |(at, _): &(usize, f64)| changed(*at)));
    let titles =
        ["stays from here", "Share of positions with the same move from here to the last value, 95 % interval"];
    columns.extend(share_columns("stable", titles, "of", move |(at, _): &(usize, f64)| stable(*at)));
    let table = Table::of(&columns, values.iter().copied().enumerate());
    // Without limits, all shares are of the same boards.
    let is_limited = changes.is_limited();
    table.for_people(|head| is_limited || !head.key.ends_with("_of"))
}
