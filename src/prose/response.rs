//! How a move changes with a number of the strategy, in words.

use crate::analysis::{Changes, Response, Share, Step};
use crate::game::Move;
use crate::search::NodeKind;
use crate::stats::RunningMean;
use crate::table::{Cell, Column, Digits, Formats, Kind, Spread, Table, Unit};
use crate::words;

/// `Right at plies 1 to 5, Down at 6 to 9: same move from 6 to 9, the last of 9 values`.
pub fn response_sentence(response: &Response, setting: &str) -> String {
    let Some(last) = response.steps.last() else {
        return format!("no decision was made at any value of {setting}");
    };
    let legal = last.decision.legal();
    if legal.is_empty() {
        return "the board is dead".to_owned();
    }
    if legal.len() == 1 {
        return "there is one legal move, whatever the strategy".to_owned();
    }
    let reached: Vec<usize> = response.reached().map(|(at, _)| at).collect();
    let (Some(&first), Some(&last)) = (reached.first(), reached.last()) else {
        return format!(
            "{setting}: {}, so no value has a decision",
            limit_sentence(response).unwrap_or_default()
        );
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
    let span = |from: usize, to: usize| {
        if from == to {
            value(from)
        } else {
            format!("{} to {}", value(from), value(to))
        }
    };
    let texts: Vec<String> = spans
        .iter()
        .map(|(moves, from, to)| format!("{moves} at {}", span(*from, *to)))
        .collect();
    if response.is_sampled() {
        return format!(
            "{setting}: {}; chosen by means of samples, so other samples may choose differently",
            words::list(&texts)
        );
    }

    let n = reached.len();
    let which = if n < response.steps.len() {
        " that were reached"
    } else {
        ""
    };
    let values = format!("{}{which}", words::plural(n as u64, "value"));
    let stable = match response.stable_from() {
        Some(from) if from == first => format!("same move at all {values}"),
        Some(from) => format!(
            "same move from {} to {}, the last of {values}",
            value(from),
            value(last)
        ),
        None if n == 1 => "one value cannot show whether the move changes".to_owned(),
        None => "the move changes at the last value, so it may change again".to_owned(),
    };
    let limited = limit_sentence(response)
        .map(|limited| format!("; {limited}"))
        .unwrap_or_default();
    format!("{setting}: {}; {stable}{limited}", words::list(&texts))
}

/// `its limit ended the search after 5 plies at 16 of 21 values`; `None` if every depth was reached.
fn limit_sentence(response: &Response) -> Option<String> {
    let limited = response.steps.iter().filter(|step| !step.is_reached);
    let plies: Vec<u32> = limited
        .filter_map(|step| Some(step.searched()?.plies))
        .collect();
    let (least, most) = (*plies.iter().min()?, *plies.iter().max()?);
    let from = if least == most {
        String::new()
    } else {
        format!("{least} to ")
    };
    let all = words::plural(response.steps.len() as u64, "value");
    let at = if plies.len() == response.steps.len() {
        format!("all {all}")
    } else {
        format!("{} of {all}", plies.len())
    };
    Some(format!(
        "its limit stopped the search after {from}{} at {at}",
        words::plural(u64::from(most), "ply")
    ))
}

/// The note on shares of boards whose moves samples chose.
pub const SAMPLED_SHARES: &str = "moves are chosen by means of samples, so a move may change although the value does \
    not";

/// The note on shares of boards if a limit ended some searches before a depth.
pub const LIMITED_SHARES: &str =
    "a board does not count at a depth that its search did not reach because of a limit";

/// A share with its Wilson interval, and the number that it is a share of with its title.
pub fn share_columns<'a, R>(
    key: &str,
    [title, about]: [&str; 2],
    of_title: &str,
    share: impl Fn(&R) -> Option<Share> + Copy + 'a,
) -> [Column<'a, R>; 2] {
    let counted = move |row: &R| share(row).filter(|share| share.n != 0);
    [
        Column::new(Kind::Estimate, key, title, about, move |row: &R| {
            counted(row).and_then(|share| Some((share.value()?, share.interval())))
        })
        .unit(Unit::PERCENT)
        .digits(Digits::Places(1))
        .spread(Spread::Ends),
        Column::whole(
            format!("{key}_of"),
            of_title,
            "Positions that it is a share of",
            move |row: &R| counted(row).map(|share| share.n),
        ),
    ]
}

/// The decimals that distinguish the values of the moves at each value of a setting.
pub fn step_places(response: &Response) -> usize {
    words::places(
        response
            .steps
            .iter()
            .flat_map(|step| Move::ALL.map(|mv| step.values()[mv]))
            .flatten(),
    )
}

/// The decision at each value of a setting. People do not see columns without any value.
pub fn steps_table(response: &Response, setting: &str) -> Table {
    type Row<'a> = (usize, &'a Step);
    let places = step_places(response);
    let is_new = |at: usize| !response.is_sampled() && response.changes_at(at);
    let moves =
        |step: &Step, name: fn(Move) -> String| step.choice().iter().map(name).collect::<Vec<_>>();
    let mut columns = vec![
        Column::number(
            setting,
            setting,
            "The value of the varied setting",
            |(_, step): &Row<'_>| step.value,
        )
        .digits(Digits::Exact)
        .named(),
        Column::text(
            "move",
            "",
            "The moves that may be played",
            move |(_, step): &Row<'_>| moves(step, |mv| mv.name().to_owned()).join(" "),
        )
        .only(Formats::CSV),
        Column::text(
            "played",
            "move",
            "The move, or the moves the last resort draws from",
            move |(at, step): &Row<'_>| {
                let new = if step.is_reached && is_new(*at) {
                    ", new"
                } else {
                    ""
                };
                moves(step, |mv| mv.to_string()).join(" or ") + new
            },
        )
        .only(Formats::PEOPLE),
        Column::text(
            "reached",
            "",
            "Whether no limit ended the search before",
            |(_, step): &Row<'_>| step.is_reached.to_string(),
        )
        .only(Formats::CSV),
        Column::text(
            "changes",
            "",
            "Whether the move differs from the previous one",
            |(at, _): &Row<'_>| response.changes_at(*at).to_string(),
        )
        .only(Formats::CSV),
    ];

    let about = "The value that the row gave the move; ≥ and ≤ mark bounds, – means that it was not evaluated";
    columns.extend(Move::ALL.map(|mv| {
        Column::number(
            mv.name(),
            format!("{} {mv}", mv.arrow()),
            about,
            move |(_, step): &Row<'_>| {
                let value = step.values()[mv]?;
                let error = step
                    .decision
                    .sample(step.row, mv)
                    .and_then(RunningMean::standard_error);
                let error = error
                    .map(|error| format!(" ± {}", words::decimals(error, places)))
                    .unwrap_or_default();
                let sign = step.decision.bound(step.row, mv).sign();
                Some(Cell::shown(
                    format!("{sign}{}{error}", words::decimals(value, places)),
                    value,
                ))
            },
        )
        .named()
    }));
    columns.extend(Move::ALL.map(|mv| {
        Column::text(
            format!("{}_bound", mv.name()),
            "",
            "Whether it is a bound",
            move |(_, step): &Row<'_>| {
                step.values()[mv].map(|_| step.decision.bound(step.row, mv).name())
            },
        )
        .only(Formats::CSV)
    }));
    let depth = "The number of plies searched, and whether a limit ended the search early";
    columns.extend([
        Column::whole("plies_searched", "depth", depth, |(_, step): &Row<'_>| {
            let plies = step.searched()?.plies;
            Some(if step.is_reached {
                plies.into()
            } else {
                Cell::shown(format!("{plies}, limit"), plies)
            })
        }),
        Column::whole(
            "nodes",
            "nodes",
            "Nodes searched, including shallower depths",
            |(_, step): &Row<'_>| step.searched().map(|searched| searched.nodes),
        ),
        Column::whole(
            "cached",
            "cached",
            "Nodes answered by the transposition table",
            |(_, step): &Row<'_>| {
                step.searched()
                    .map(|searched| searched.counts.of(NodeKind::Cached))
            },
        ),
        Column::number(
            "seconds",
            "time",
            "Time of the decision at the current load",
            |(_, step): &Row<'_>| {
                let secs = step.searched()?.elapsed.as_secs_f64();
                Some(Cell::shown(words::short_time(secs), secs))
            },
        ),
    ]);
    let table = Table::of(&columns, response.steps.iter().enumerate());
    let empty = table.columns_of_only(|cell| *cell == Cell::Missing);
    table.for_people(|head| !empty.contains(&head.key))
}

/// How often the move changes at each value of a setting, and how often it stays the same from there on, with Wilson
/// intervals.
pub fn changes_table(changes: &Changes, values: &[f64], setting: &str) -> Table {
    // The first value has no previous one, the last no next one.
    let changed = |at: usize| (at != 0).then(|| changes.share_changed(at));
    let stable = |at: usize| (at + 1 < values.len()).then(|| changes.share_stable(at));
    let mut columns = vec![
        Column::number(
            setting,
            setting,
            "Value of the varied setting",
            |(_, value): &(usize, f64)| *value,
        )
        .digits(Digits::Exact)
        .named(),
        Column::whole(
            "boards",
            "",
            "Boards with two or more moves",
            |_: &(usize, f64)| changes.boards,
        )
        .only(Formats::CSV),
    ];
    let titles = [
        "move changes",
        "Share of positions with another move than at the previous value, 95 % interval",
    ];
    columns.extend(share_columns(
        "changed",
        titles,
        "of",
        move |(at, _): &(usize, f64)| changed(*at),
    ));
    let titles = [
        "stays from here",
        "Share of positions with the same move from here to the last value, 95 % interval",
    ];
    columns.extend(share_columns(
        "stable",
        titles,
        "of",
        move |(at, _): &(usize, f64)| stable(*at),
    ));
    let table = Table::of(&columns, values.iter().copied().enumerate());
    // Without limits, all shares are of the same boards.
    let is_limited = changes.is_limited();
    table.for_people(|head| is_limited || !head.key.ends_with("_of"))
}
