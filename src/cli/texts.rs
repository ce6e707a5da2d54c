//! `texts`: what published texts claim, our figures, and the verdict.

use std::io::Write;

use clap::Parser as _;
use itertools::Itertools as _;
use serde_json::{Value, json};

use super::args::Args;
use super::interrupt::Busy;
use super::table::json_line;
use super::texts_args::{TextsArgs, TextsFormat};
use super::{Failure, dispatch, estimate, run};
use crate::claims::{Claim, Figure, Judged, Kind, Measured, Test, Text};
use crate::experiment::{EndReason, Plan};
use crate::preset::Shipped;
use crate::prose::claims;
use crate::ron_text::{self, nearest};
use crate::stats::Verdict;
use crate::task::CancelToken;
use crate::words;

pub(super) fn texts(args: &TextsArgs, out: &mut impl Write) -> Result<(), Failure> {
    let mut listed = selected(args.name.as_deref())?;
    let rerun;
    let measured = if args.rerun {
        rerun = measure(&mut listed, args)?;
        rerun.as_slice()
    } else {
        Measured::all()?
    };
    let judged = listed
        .iter()
        .map(|(text, claim)| Judged::of(text, claim, measured));
    let judged = judged.collect::<Result<Vec<_>, _>>()?;

    match args.format {
        TextsFormat::Text => out.write_all(judged.iter().map(paragraph).join("\n").as_bytes())?,
        TextsFormat::Json => json_line(out, &judged.iter().map(as_json).collect::<Vec<_>>())?,
        TextsFormat::Markdown => out.write_all(claims::sections(&judged).as_bytes())?,
        TextsFormat::Ron => {
            let used: Vec<&Measured> = judged
                .iter()
                .flat_map(|judged| judged.figures.iter().map(|(measured, _)| *measured))
                .unique_by(key)
                .collect();
            writeln!(out, "{}", ron_text::pretty(&used, 4)?)?;
        }
    }

    Ok(out.flush()?)
}

/// Which measurement it is.
fn key(measured: &&Measured) -> (String, String) {
    (measured.by.clone(), measured.date.clone())
}

/// The claims of a name, or all.
fn selected(name: Option<&str>) -> Result<Vec<(&'static Text, Claim)>, Failure> {
    let found = match name {
        None => Text::each()?,
        Some(name) => Text::named(name)?,
    };
    if let (Some(name), true) = (name, found.is_empty()) {
        let ids: Vec<String> = Text::each()?
            .into_iter()
            .map(|(text, claim)| text.full_id(claim))
            .collect();
        let texts: Vec<&str> = Text::all()?.iter().map(|text| text.name.as_str()).collect();
        let names: Vec<&str> = ids
            .iter()
            .map(String::as_str)
            .chain(texts.iter().copied())
            .collect();
        let guess = nearest(name, &names).map_or(String::new(), |nearest| {
            format!(" (did you mean {nearest}?)")
        });
        return Err(Failure::usage(format!(
            "{} is not a text, a preset of a claim, or a claim{guess}: the texts are {}; afterstate texts lists the claims",
            words::quoted(name),
            words::list(&texts)
        )));
    }

    Ok(found
        .into_iter()
        .map(|(text, claim)| (text, claim.clone()))
        .collect())
}

/// Plays the rows of the claims again, and runs the commands of the others.
fn measure(
    listed: &mut [(&'static Text, Claim)],
    args: &TextsArgs,
) -> Result<Vec<Measured>, Failure> {
    let mut is_printed = false;
    for (_, claim) in listed.iter_mut() {
        let command = claim.command().map(str::to_owned);
        if let (Kind::Exact { measured, .. }, Some(command)) = (&mut claim.kind, command) {
            let printed = printed(&command)?;
            is_printed = true;
            if !has_word(&printed, measured) {
                *measured = format!("other output of afterstate {command}");
            }
        }
    }

    let mut rows: Vec<(Shipped, Vec<String>)> = Vec::new();
    for (_, claim) in listed.iter() {
        let (Some(shipped), of_claim) = (claim.preset(), claim.rows()?) else {
            continue;
        };
        if of_claim.is_empty() {
            continue;
        }
        match rows.iter_mut().find(|(other, _)| *other == shipped) {
            Some((_, rows)) => rows.extend(of_claim),
            None => rows.push((shipped, of_claim)),
        }
    }
    if rows.is_empty() && !is_printed {
        let commands: Vec<String> = listed
            .iter()
            .flat_map(|(_, claim)| claim.commands())
            .unique()
            .collect();
        return Err(Failure::usage(format!(
            "--rerun: nothing to measure; to repeat it: {}",
            commands.join(", ")
        )));
    }

    let busy = Busy::begin();
    rows.into_iter()
        .map(|(shipped, rows)| play(shipped, &rows, args, &busy.stop))
        .collect()
}

/// Plays some rows of a preset.
fn play(
    shipped: Shipped,
    rows: &[String],
    args: &TextsArgs,
    stop: &CancelToken,
) -> Result<Measured, Failure> {
    let mut plan = Plan::of_preset(&shipped.preset()?);
    plan.contestants
        .retain(|contestant| rows.contains(&contestant.strategy.label()));
    plan.sweep = None;
    plan.games = args.games.unwrap_or(plan.games);
    plan.threads = args
        .threads
        .and_then(|threads| usize::try_from(threads).ok());
    plan.check().map_err(Failure::usage)?;
    plan.check_to_play().map_err(Failure::could)?;

    estimate::announce(&plan, "stops it; nothing is saved");
    let results = run::play(plan, None, stop)?;
    if let EndReason::Stopped { .. } | EndReason::Cancelled { .. } = &results.manifest.end_reason {
        return Err(Failure::Stopped(format!(
            " in {}; nothing was measured",
            shipped.name
        )));
    }
    run::exit(&results)?;
    let date = words::rfc_3339(std::time::SystemTime::now());
    let date = date.split('T').next().unwrap_or(&date);
    Ok(Measured::of(
        shipped,
        &results,
        date,
        env!("CARGO_PKG_VERSION"),
    ))
}

/// What a command prints.
fn printed(command: &str) -> Result<String, Failure> {
    let words = std::iter::once("afterstate").chain(command.split_whitespace());
    let args = Args::try_parse_from(words)
        .map_err(|error| Failure::could(format!("{command}: {error}")))?;
    let mut out = Vec::new();
    dispatch(args, &mut out)?;
    Ok(String::from_utf8_lossy(&out).into_owned())
}

/// Whether a text has these words, not as a part of longer ones.
fn has_word(text: &str, word: &str) -> bool {
    let is_inner = |letter: Option<char>| letter.is_some_and(char::is_alphanumeric);
    text.match_indices(word).any(|(at, _)| {
        !is_inner(text[..at].chars().next_back())
            && !is_inner(text[at + word.len()..].chars().next())
    })
}

fn paragraph(judged: &Judged<'_>) -> String {
    let (text, claim) = (judged.text, judged.claim);
    let figures = claims::figures(judged);
    let lines = std::iter::once(format!(
        "{}  {}: {}",
        text.full_id(claim),
        claim.place,
        claim.says
    ))
    .chain(std::iter::once(format!(
        "  verdict    {}",
        claims::verdict(judged)
    )))
    .chain((!figures.is_empty()).then(|| format!("  ours       {figures}")))
    .chain(
        claims::remarks(judged)
            .into_iter()
            .map(|remark| format!("  note       {remark}")),
    )
    .chain(
        claim
            .commands()
            .into_iter()
            .map(|command| format!("  repeat     {command}")),
    );
    lines.map(|line| line + "\n").collect()
}

fn as_json(judged: &Judged<'_>) -> Value {
    let (text, claim) = (judged.text, judged.claim);
    json!({
        "id": text.full_id(claim),
        "text": text.name,
        "place": claim.place,
        "claim": claim.says,
        "kind": claims::kind(&claim.kind),
        "by": claim.commands(),
        "reading": claim.reading,
        "verdict": judged.verdict.map(Verdict::name),
        "because": judged.because().map(|because| json!({"kind": because.kind(), "reason": because.reason()})),
        "tests": judged.tests.iter().map(test_json).collect::<Vec<_>>(),
        "figures": judged.figures.iter().map(|(measured, figure)| figure_json(measured, figure)).collect::<Vec<_>>(),
    })
}

fn test_json(test: &Test) -> Value {
    let verdict = test.verdict().name();
    match test {
        Test::Number { row, tested } => json!({
            "row": row, "what": tested.what.key(), "published": tested.published, "measured": tested.measured,
            "difference": tested.difference.map(|difference| difference.value),
            "ci95": tested.difference.map(|difference| [difference.interval.low, difference.interval.high]),
            "p": tested.p, "games": tested.games, "published_games": tested.published_games, "verdict": verdict,
            "reason": tested.reason(),
        }),
        Test::Compared(compared) => json!({
            "rows": compared.names, "what": compared.what.key(), "measured": compared.values,
            "ratio": compared.measured_ratio().map(|(ratio, interval)| {
                json!({"published": compared.ratio, "measured": ratio, "ci95": [interval.low, interval.high]})
            }),
            "verdict": verdict,
        }),
        Test::Exact {
            published,
            measured,
        } => {
            json!({"published": published, "measured": measured, "verdict": verdict})
        }
    }
}

fn figure_json(measured: &Measured, figure: &Figure) -> Value {
    json!({
        "by": measured.by, "date": measured.date, "version": measured.version, "row": figure.row,
        "games": figure.games, "mean": figure.mean, "sd": figure.sd, "ci95": figure.ci95, "median": figure.median,
        "seconds": figure.seconds,
        "reach": figure.reach.iter().map(|(tile, hits)| (tile.to_string(), json!(hits))).collect::<serde_json::Map<_, _>>(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_of_claims_print_what_is_recorded() {
        let mut tried = 0;
        for (text, claim) in Text::each().expect("sound files") {
            if let (Kind::Exact { measured, .. }, Some(command)) = (&claim.kind, claim.command()) {
                let printed = printed(command).expect(command);
                assert!(
                    has_word(&printed, measured),
                    "{}: {printed}",
                    text.full_id(claim)
                );
                tried += 1;
            }
        }
        assert!(2 <= tried, "{tried}");
        assert!(has_word("Empty 7\n", "7") && !has_word("17", "7") && !has_word("75", "7"));
    }
}
