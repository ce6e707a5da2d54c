//! Lines of best play and the values at their ends, in words.

use crate::search::{BestLine, LeafSet, LineEnd, LineOrder, Link};
use crate::table::{Cell, Column, Digits, Table};
use crate::words;

/// `Right, 2 at r1c4, Down`: the moves and spawns in order.
pub fn line_words(line: &BestLine) -> String {
    let step = |link: Link| match link {
        Link::Slide(mv) => mv.to_string(),
        Link::Spawn(spawn) => spawn.to_string(),
    };
    let steps: Vec<String> = line.steps.iter().map(|one| step(one.link)).collect();
    steps.join(", ")
}

/// `probability 0.0204, 4,398.2 evaluated at the end of the depth`; if the search counts the end differently, that
/// follows.
pub fn line_end(line: &BestLine, places: usize) -> String {
    let probability = words::small_probability(line.probability);
    let end = match line.end {
        LineEnd::Floor => line.end.text().to_owned(),
        _ => format!(
            "{} {}",
            words::decimals(line.value, places),
            line.end.text()
        ),
    };
    let weight = words::small_probability(line.weight);
    let counted = if weight == probability {
        String::new()
    } else {
        format!(", weighted {weight}")
    };
    format!("probability {probability}{counted}, {end}")
}

/// The decimals that tell the ends of a list of lines and the value of their move apart.
pub fn places_of<'a>(value: Option<f64>, lines: impl IntoIterator<Item = &'a BestLine>) -> usize {
    words::places(lines.into_iter().map(|line| line.value).chain(value)).max(1)
}

/// The same for the boards along a line.
pub fn places_along(line: &BestLine) -> usize {
    words::places(line.steps.iter().map(|step| step.value).chain([line.value])).max(1)
}

/// The same for the quantiles of the ends at these shares, for each move separately.
pub fn places_of_ends(sets: &[LeafSet], shares: &[f64]) -> usize {
    let of_move =
        |set: &LeafSet| words::places(shares.iter().filter_map(|&share| set.quantile(share)));
    sets.iter().map(of_move).fold(1, usize::max)
}

/// Lines with their names, in order. The digits of the ends tell them apart.
pub fn lines_table(lines: &[(String, &BestLine)], places: usize) -> Table {
    type Row<'a> = (usize, &'a (String, &'a BestLine));
    let probability = "Probability of these tiles by the rules; if the search cuts cells, the text below the list adds its weight";
    let columns = [
        Column::text(
            "line",
            "line",
            "Place in the order chosen above",
            |(at, (name, _)): &Row<'_>| Cell::shown(name.clone(), *at),
        ),
        Column::number(
            "probability",
            "probability",
            probability,
            |(_, (_, line)): &Row<'_>| line.probability,
        )
        .digits(Digits::Probability),
        Column::number(
            "end",
            "end",
            "Value at the end of the line",
            |(_, (_, line)): &Row<'_>| line.value,
        )
        .digits(Digits::Places(places)),
        Column::text(
            "steps",
            "moves and tiles",
            "Slides and spawns in order",
            |(_, (_, line)): &Row<'_>| line_words(line),
        ),
    ];
    Table::of(&columns, lines.iter().enumerate())
}

/// The name of the line with the median tiles; if the search takes the worst tiles, the line has those.
pub const fn middle_name(is_by_chance: bool) -> &'static str {
    if is_by_chance {
        "median"
    } else {
        "worst tiles"
    }
}

/// The line as text to paste: words, end, and every board.
pub fn line_with_boards(line: &BestLine, places: usize) -> String {
    let mut text = format!("{}\n{}\n", line_words(line), line_end(line, places));
    for step in &line.steps {
        let what = match step.link {
            Link::Slide(mv) => mv.to_string(),
            Link::Spawn(spawn) => format!(
                "{spawn}, probability {}",
                words::small_probability(step.probability)
            ),
        };
        let value = words::decimals(step.value, places);
        text += &format!(
            "\n{what}: score {}, value {value}\n{}",
            words::count(step.score),
            step.board.drawing()
        );
    }
    text
}

/// The order of the listed lines: `most probable first`.
pub const fn order_words(order: LineOrder) -> &'static str {
    ["most probable first", "best ends first", "worst ends first"][order as usize]
}

/// `3 of 1,152 lines, most probable first`
pub fn listed(shown: usize, count: u64, order: LineOrder) -> String {
    let lines = words::plural(count, "line");
    if shown as u64 == count {
        return format!("{lines}, {}", order_words(order));
    }
    format!(
        "{} of {lines}, {}",
        words::count(shown as u64),
        order_words(order)
    )
}

/// `0.012 of the ends are dead boards, the middle half of the ends is worth 812 to 930`
pub fn leaves_sentence(set: &LeafSet, places: usize) -> String {
    let dead = match set.dead() {
        0.0 => "no line of best play ends on a dead board".to_owned(),
        dead => format!(
            "{} of the ends are dead boards",
            words::small_probability(dead)
        ),
    };
    let quantile = |share| {
        set.quantile(share)
            .map(|value| words::decimals(value, places))
    };
    match (quantile(0.25), quantile(0.75)) {
        (Some(low), Some(high)) if low != high => {
            format!("{dead}, the middle half of the ends is worth {low} to {high}")
        }
        (Some(one), _) => format!("{dead}, the middle half of the ends is worth {one}"),
        (None, _) => dead,
    }
}
