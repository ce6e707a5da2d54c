//! Published claims in sentences, and as a section of the user guide: for the command line and the window.

use itertools::Itertools as _;

use crate::claims::{Compared, Figure, Judged, Kind, Measured, Test};
use crate::experiment::Quantity;
use crate::stats::{Interval, Verdict};
use crate::words::{self, escape};

/// The most tests of a claim that are listed one by one.
const MOST_LISTED: usize = 6;

/// A claim as an item of a Markdown list.
fn item(judged: &Judged<'_>) -> String {
    let claim = judged.claim;
    let figures = figures(judged);
    let ours = (!figures.is_empty()).then(|| format!("Ours: {figures}."));
    let sentences = ours
        .into_iter()
        .chain(remarks(judged))
        .map(|sentence| format!(" {}", escape::markdown(&sentence)));
    let quoted = |by: String| {
        if by.starts_with("afterstate ") {
            format!("`{by}`")
        } else {
            by
        }
    };
    let by = claim.commands().into_iter().map(quoted).join(", ");
    let [place, says] = [&claim.place, &claim.says].map(|text| escape::markdown(text));
    let (verdict, sentences) = (
        escape::markdown(&verdict(judged)),
        sentences.collect::<String>(),
    );
    format!(
        "- {place}: {says}. **{}.**{sentences} Repeated by {by}.\n",
        words::capitalised(&verdict)
    )
}

/// What a text claims, and the verdict: `Table 1: Snake has the highest mean. Compatible.`
pub fn line(judged: &Judged<'_>) -> String {
    let claim = judged.claim;
    format!(
        "{}: {}. {}.",
        claim.place,
        claim.says,
        words::capitalised(&verdict(judged))
    )
}

/// Our figures, and why there is no verdict or another result. Empty if there is neither.
pub fn about(judged: &Judged<'_>) -> String {
    let figures = figures(judged);
    let ours = (!figures.is_empty()).then(|| format!("Ours: {figures}."));
    ours.into_iter().chain(remarks(judged)).join("\n")
}

/// The claims of a text, as a section in Markdown.
fn section(claims: &[Judged<'_>]) -> String {
    let Some(text) = claims.first().map(|judged| judged.text) else {
        return String::new();
    };
    let about = [&text.citation, &text.note]
        .into_iter()
        .filter(|about| !about.is_empty());
    let about = about
        .map(|about| escape::markdown(about.trim_end_matches('.')) + ".")
        .join(" ");
    format!(
        "### {}\n\n{about}\n\n{}",
        text.name,
        claims.iter().map(item).collect::<String>()
    )
}

/// The sections of all texts in Markdown, as the user guide has them.
pub fn sections(claims: &[Judged<'_>]) -> String {
    let by_text = claims.chunk_by(|one, other| one.text.name == other.text.name);
    by_text.map(section).join("\n")
}

/// `differs`, `cannot tell: 20 games are too few`, `no verdict`.
pub fn verdict(judged: &Judged<'_>) -> String {
    let Some(verdict) = judged.verdict else {
        return "no verdict".to_owned();
    };
    let reasons = judged
        .tests
        .iter()
        .filter(|_| matches!(verdict, Verdict::CannotTell(_)))
        .filter_map(reason);
    let reasons: Vec<String> = reasons.unique().collect();
    match &reasons[..] {
        [] => verdict.name().to_owned(),
        [reason] => format!("{}: {reason}", verdict.name()),
        _ => format!("{}: too few games", verdict.name()),
    }
}

/// Why the games of a test cannot tell.
fn reason(test: &Test) -> Option<String> {
    match test {
        Test::Number { tested, .. } => tested.reason(),
        Test::Compared(Compared {
            verdict: Verdict::CannotTell(_),
            ..
        }) => Some("our games are too few".to_owned()),
        Test::Compared(_) | Test::Exact { .. } => None,
    }
}

/// Why there is no verdict or another result, and how we read the text: whole sentences.
pub fn remarks(judged: &Judged<'_>) -> Vec<String> {
    let because = judged
        .because()
        .map(|because| format!("Reason ({}): {}", because.kind(), because.reason()));
    let reading = (!judged.claim.reading.is_empty()).then(|| judged.claim.reading.clone());
    because
        .into_iter()
        .chain(reading)
        .map(|sentence| format!("{sentence}."))
        .collect()
}

/// What was measured, and when. Empty if nothing was.
pub fn figures(judged: &Judged<'_>) -> String {
    let dates = judged
        .figures
        .iter()
        .map(|(measured, _)| when(measured))
        .unique()
        .collect::<Vec<_>>();
    let dates = if dates.is_empty() {
        String::new()
    } else {
        format!(" ({})", dates.join("; "))
    };
    let (apart, alike): (Vec<&Test>, Vec<&Test>) = judged
        .tests
        .iter()
        .partition(|test| test.verdict() != Verdict::Compatible);
    let numbers = match judged.tests.len() {
        0 => judged
            .figures
            .iter()
            .filter_map(|(_, figure)| figure_text(figure))
            .join("; "),
        all if all <= MOST_LISTED => judged.tests.iter().map(test_text).join("; "),
        all => {
            let rest = format!("{} of {all} numbers compatible", alike.len());
            apart
                .into_iter()
                .take(MOST_LISTED)
                .map(test_text)
                .chain([rest])
                .join("; ")
        }
    };
    if numbers.is_empty() {
        numbers
    } else {
        numbers + &games_text(judged) + &dates
    }
}

fn when(measured: &Measured) -> String {
    format!("{}, version {}", measured.date, measured.version)
}

/// A row that nothing was tested with: `depth 3, mean: 113,590 of 5 games`.
fn figure_text(figure: &Figure) -> Option<String> {
    let games = words::plural(figure.games, "game");
    Some(format!(
        "{}: {} of {games}",
        figure.row,
        words::decimals(figure.mean?, 0)
    ))
}

/// One test in a phrase: `emr: mean 3,795.0 of 1,000 games, published 3,947.8`.
pub fn test_text(test: &Test) -> String {
    match test {
        Test::Number { row, tested } => format!(
            "{row}: {}{}{} of {}, published {}",
            tested.name(),
            link(tested.what),
            tested.number(tested.measured),
            words::plural(tested.games, "game"),
            tested.number(tested.published),
        ),
        Test::Exact {
            published,
            measured,
        } if published == measured => measured.clone(),
        Test::Exact {
            published,
            measured,
        } => format!("{measured}, published {published}"),
        Test::Compared(compared) => compared_text(compared),
    }
}

/// What joins a quantity and its number: `reached 2048 in 12.0 %`, `moves/game that reached 2048: 972.6`.
fn link(what: Quantity) -> &'static str {
    match what {
        Quantity::Reach(_) => " in ",
        Quantity::Max | Quantity::MovesReaching(_) | Quantity::SecondsReaching(_) => ": ",
        _ => " ",
    }
}

fn compared_text(compared: &Compared) -> String {
    let number = |value: f64| match compared.what {
        Quantity::Reach(_) => format!("{} %", words::decimals(100.0 * value, 1)),
        _ if value < 0.0 => format!("−{}", words::three_digits(-value)),
        _ => words::three_digits(value),
    };
    let [first, second] = &compared.names;
    let [a, b] = compared.values.map(number);
    if let Some(((ratio, interval), published)) = compared.measured_ratio().zip(compared.ratio) {
        let [ratio, low, high, published] = [ratio, interval.low, interval.high, published]
            .map(|number| words::decimals(number, 2));
        return format!(
            "{first} {a}, {second} {b}: {ratio} times ({low} to {high}), published {published}"
        );
    }
    let sign = if compared.verdict == Verdict::Compatible {
        "above"
    } else {
        "against"
    };
    format!(
        "{first} {a} {sign} {second} {b}{}",
        difference_text(compared)
    )
}

/// ` (difference +120 to +340, 95 %)`: the interval of the difference. Empty for gains by a factor, whose interval is of logarithms.
fn difference_text(compared: &Compared) -> String {
    let [a, b] = compared.values;
    if compared.difference.value != a - b {
        return String::new();
    }
    let Interval { low, high } = compared.difference.interval;
    let (scale, decimals, unit) = match compared.what {
        Quantity::Reach(_) => (100.0, 1, " percentage points"),
        Quantity::SecondsReaching(_) | Quantity::SecondsPerMove => (1.0, 3, " s"),
        _ => (1.0, 0, ""),
    };
    let [low, high] = [low, high].map(|end| words::signed(scale * end, decimals));
    format!(" (difference {low} to {high}{unit}, 95 %)")
}

/// `; 20 games each`, `; 50 to 1,000 games each`: the games of the rows that are compared. Empty if none are.
fn games_text(judged: &Judged<'_>) -> String {
    let is_compared = judged
        .tests
        .iter()
        .any(|test| matches!(test, Test::Compared(_)));
    let games = judged
        .figures
        .iter()
        .map(|(_, figure)| figure.games)
        .filter(|_| is_compared);
    match games.minmax().into_option() {
        None => String::new(),
        Some((least, most)) if least == most => format!("; {} each", words::plural(most, "game")),
        Some((least, most)) => format!(
            "; {} to {} each",
            words::count(least),
            words::plural(most, "game")
        ),
    }
}

/// The kind of a claim in one word, for programs.
pub const fn kind(kind: &Kind) -> &'static str {
    match kind {
        Kind::Published { .. } => "published",
        Kind::Number { .. } => "number",
        Kind::Above { .. } => "above",
        Kind::Ratio { .. } => "ratio",
        Kind::GainsMost { .. } => "gains_most",
        Kind::Exact { .. } => "exact",
        Kind::Stated => "stated",
    }
}
