//! The report of a reviewed game for people, in reading order.

use super::Reviewed;
use crate::game::{Board, Move};
use crate::review::classes::{ByClass, Class};
use crate::review::report::{MoveReport, Phase, RuleLoss};
use crate::review::{ChanceThresholds, Decider, OwnPlay, Points, Verdict};
use crate::search::layers;
use crate::table::{Cell, Column, Digits, Format, Kind, Spread, Table, Unit};
use crate::words;

/// The sentence shown with losses that are larger than any score.
pub const RESIDUAL: &str = "The residual is the change of the judge's value of the same position between two looks. A \
    large residual corrects losses found by a shallower look";

/// A heading with sentences and a table.
#[derive(Clone, PartialEq, Debug)]
pub struct Section {
    /// Empty for the first section.
    pub title: String,
    /// Without full stops.
    pub sentences: Vec<String>,
    pub table: Table,
    /// The position of each row, if rows are about positions; the last column is then its notation.
    pub pictures: Vec<Picture>,
    /// The meanings of the solid and the dashed arrow of a picture.
    pub arrows: [&'static str; 2],
}

impl Default for Section {
    fn default() -> Self {
        Self {
            title: String::new(),
            sentences: Vec::new(),
            table: Table::default(),
            pictures: Vec::new(),
            arrows: ["played", "best"],
        }
    }
}

/// A column with the number of a move, counted from 1.
pub(super) fn move_column<'a, R>(title: &str, index: impl Fn(&R) -> usize + 'a) -> Column<'a, R> {
    Column::titled(Kind::Whole, title, move |row: &R| index(row) as u64 + 1)
}

pub(super) fn text_column<'a, R>(title: &str, text: impl Fn(&R) -> String + 'a) -> Column<'a, R> {
    Column::titled(Kind::Text, title, text)
}

pub(super) fn count_column<'a, R>(title: &str, count: impl Fn(&R) -> u64 + 'a) -> Column<'a, R> {
    Column::titled(Kind::Whole, title, count)
}

/// A column of points with this many decimals.
pub(super) fn points_column<'a, R, C: Into<Cell>>(
    title: &str,
    places: usize,
    points: impl Fn(&R) -> C + 'a,
) -> Column<'a, R> {
    Column::titled(Kind::Number, title, points).digits(Digits::Places(places))
}

/// The numbers of blunders, mistakes and inaccuracies.
pub(super) fn class_columns<'a, R>(
    classes: impl Fn(&R) -> ByClass + Copy + 'a,
) -> [Column<'a, R>; 3] {
    [
        ("??", Class::Blunder),
        ("?", Class::Mistake),
        ("?!", Class::Inaccuracy),
    ]
    .map(|(title, class)| Column::titled(Kind::Whole, title, move |row: &R| classes(row).of(class)))
}

/// A board with arrows.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Picture {
    pub board: Board,
    /// The solid arrow.
    pub played: Option<Move>,
    /// The dashed arrow.
    pub other: Option<Move>,
}

impl Picture {
    /// The move that was played and the best one.
    pub(super) fn of(verdict: &Verdict) -> Self {
        let other = Some(verdict.best).filter(|&best| best != verdict.mv);
        Self {
            board: verdict.before.board,
            played: Some(verdict.mv),
            other,
        }
    }
}

pub(super) fn sections(reviewed: &Reviewed<'_>) -> Vec<Section> {
    let Reviewed { report, .. } = reviewed;
    let mut sections = vec![
        head(reviewed),
        split(reviewed),
        notes(reviewed),
        worst(reviewed),
    ];
    sections.extend(
        report
            .thresholds
            .chance
            .map(|chance| chances(&chance, reviewed)),
    );
    sections.push(own_plays(reviewed));
    sections.push(tiles("Luckiest tiles", &report.luckiest, reviewed));
    sections.push(tiles("Unluckiest tiles", &report.unluckiest, reviewed));
    sections.push(rules(reviewed));
    sections.push(phases(
        "By largest tile",
        "largest",
        &report.by_largest,
        reviewed,
    ));
    sections.push(phases(
        "By empty cells",
        "empty",
        &report.by_empty,
        reviewed,
    ));
    sections.retain(|section| !section.table.rows.is_empty() || !section.sentences.is_empty());
    sections
}

fn head(reviewed: &Reviewed<'_>) -> Section {
    let Reviewed { review, report, .. } = reviewed;
    let depths: Vec<String> = report
        .plies
        .iter()
        .map(|(&plies, &moves)| {
            format!(
                "{} ahead at {}",
                layers(plies),
                words::plural(moves, "move")
            )
        })
        .collect();
    let depth = match review.judge().is_exact() {
        true => "exact, from a solved table".to_owned(),
        false => format!("looking {}", words::list(&depths)),
    };
    let player = reviewed
        .player
        .map(|player| format!(", played by {}", player.strategy().label()))
        .unwrap_or_default();
    let (moves, score) = (
        words::plural(report.moves as u64, "move"),
        report.totals.final_score,
    );
    let sentences = vec![
        format!("{} points in {moves}{player}", score.text()),
        format!("Judge: {}, {depth}", review.judge().strategy().label()),
        format!(
            "{}. {}",
            words::capitalised(&report.classes.text()),
            words::capitalised(&report.thresholds.text())
        ),
    ];

    Section {
        sentences,
        ..Section::default()
    }
}

/// The breakdown of the final score, with as many decimals as the column needs to add up as printed.
fn split(reviewed: &Reviewed<'_>) -> Section {
    let totals = reviewed.report.totals;
    let mut parts = vec![
        ("score at the start", totals.start_score),
        ("value of the start", totals.start_value),
        ("luck", totals.luck),
        ("loss", -totals.loss),
        ("residual", totals.residual),
        ("still to come at the end", -totals.left),
    ];

    parts.retain(|(what, points)| {
        !matches!(*what, "score at the start" | "still to come at the end")
            || *points != Points::ZERO
    });
    let sentence = match totals.balance() {
        Points::ZERO => "The parts add up exactly to the final score".to_owned(),
        off => {
            format!(
                "The parts do not add up: they are off by {} points. This is a bug; please report it",
                off.text()
            )
        }
    };

    let points: Vec<f64> = parts.iter().map(|(_, points)| points.to_f64()).collect();
    let places = words::places_of_sum(&points, totals.final_score.to_f64());

    Section {
        title: "Where the points went".to_owned(),
        sentences: vec![sentence, RESIDUAL.to_owned()],
        table: Table::of(
            &[
                text_column("", |(what, _): &(&'static str, Points)| (*what).to_owned()),
                points_column("points", places, |(_, points): &(&'static str, Points)| {
                    points.to_f64()
                }),
            ],
            parts
                .into_iter()
                .chain([("final score", totals.final_score)]),
        ),
        ..Section::default()
    }
}

fn worst(reviewed: &Reviewed<'_>) -> Section {
    type Row<'a> = &'a MoveReport;
    let report = reviewed.report;
    let columns = [
        move_column("move", |one: &Row<'_>| one.verdict.index),
        points_column("loss", places(reviewed), |one: &Row<'_>| {
            one.verdict.loss.to_f64()
        }),
        text_column("class", |one: &Row<'_>| class_name(one.class)),
        text_column("played", |one: &Row<'_>| one.verdict.mv.to_string()),
        text_column("best", |one: &Row<'_>| one.verdict.best.to_string()),
        count_column("plies", |one: &Row<'_>| one.verdict.look.plies.into()),
        text_column("decided by", |one: &Row<'_>| {
            reviewed.rule(one.verdict.index)
        }),
        text_column("board", |one: &Row<'_>| {
            one.verdict.before.board.to_string()
        }),
    ];
    Section {
        title: "Worst moves".to_owned(),
        sentences: if report.worst.is_empty() {
            vec!["No move lost points".to_owned()]
        } else {
            Vec::new()
        },
        table: Table::of(&columns, &report.worst),
        pictures: report
            .worst
            .iter()
            .map(|one| Picture::of(&one.verdict))
            .collect(),
        ..Section::default()
    }
}

pub(super) fn class_name(class: Option<Class>) -> String {
    class.map_or_else(String::new, |class| class.name().to_owned())
}

/// The notes on moves and on the last position.
fn notes(reviewed: &Reviewed<'_>) -> Section {
    type Row<'a> = (&'a usize, &'a String);
    let review = reviewed.review;
    let columns = [
        move_column("move", |(index, _): &Row<'_>| **index),
        text_column("played", |(index, _): &Row<'_>| {
            review
                .verdict(**index)
                .map_or_else(String::new, |verdict| verdict.mv.to_string())
        }),
        points_column("loss", places(reviewed), |(index, _): &Row<'_>| {
            review.verdict(**index).map(|verdict| verdict.loss.to_f64())
        }),
        text_column("note", |(_, note): &Row<'_>| (*note).clone()),
    ];
    Section {
        title: "Notes".to_owned(),
        table: Table::of(&columns, &review.record().notes),
        ..Section::default()
    }
}

/// What cost most of a chance, and of how many moves that is known.
fn chances(chance: &ChanceThresholds, reviewed: &Reviewed<'_>) -> Section {
    type Row<'a> = &'a MoveReport;
    let report = reviewed.report;
    let percent = |title: &str, share: fn(&MoveReport) -> Option<f64>| {
        Column::titled(Kind::Number, title, move |one: &Row<'_>| share(one))
            .unit(Unit::PERCENT)
            .digits(Digits::Places(1))
    };
    let columns = [
        move_column("move", |one: &Row<'_>| one.verdict.index),
        Column::titled(Kind::Estimate, "lost", |one: &Row<'_>| {
            one.chance.map(|at| (at.loss(), at.interval()))
        })
        .unit(Unit::PERCENT)
        .digits(Digits::Places(1))
        .spread(Spread::Ends),
        percent("with it", |one| one.chance.map(|at| at.chances()[0])),
        percent("with the best", |one| one.chance.map(|at| at.chances()[1])),
        text_column("class", |one: &Row<'_>| class_name(one.class)),
        points_column("loss in points", places(reviewed), |one: &Row<'_>| {
            one.verdict.loss.to_f64()
        }),
        text_column("played", |one: &Row<'_>| one.verdict.mv.to_string()),
        text_column("best", |one: &Row<'_>| one.verdict.best.to_string()),
        text_column("board", |one: &Row<'_>| {
            one.verdict.before.board.to_string()
        }),
    ];

    Section {
        title: format!("Moves that cost most of the {}", chance.question.text()),
        sentences: chance_sentences(chance, reviewed),
        table: Table::of(&columns, &report.worst_by_chance),
        pictures: report
            .worst_by_chance
            .iter()
            .map(|one| Picture::of(&one.verdict))
            .collect(),
        ..Section::default()
    }
}

/// Explains the playouts, their number, and that no loss was certain if that is so.
fn chance_sentences(chance: &ChanceThresholds, reviewed: &Reviewed<'_>) -> Vec<String> {
    let (question, report) = (chance.question, reviewed.report);
    let [played_on, lost] = report.played_on.map(|count| words::count(count as u64));
    let mut sentences = vec![
        format!(
            "{} plays {} after the played move and as many after the best move by points, looking one move ahead, on \
             the same tiles. The results have 95 % intervals",
            reviewed.review.judge().strategy().label(),
            words::plural(question.playouts, "game"),
        ),
        format!(
            "Of {lost} moves that lost points, {played_on} were checked: late moves, and those that lost most"
        ),
    ];
    if report.worst_by_chance.is_empty() && report.played_on[0] != 0 {
        sentences.push("For none of them is a loss of this chance certain".to_owned());
    }
    sentences
}

/// What the strategy that played would win with the judge's best moves, if that was computed.
fn own_plays(reviewed: &Reviewed<'_>) -> Section {
    let (review, player) = (reviewed.review, reviewed.player);
    let with_own_play = |index: usize| Some((review.verdict(index)?, review.own_play(index)?));
    let mut pairs: Vec<_> = (0..review.moves()).filter_map(with_own_play).collect();
    let Some(player) = player.filter(|_| !pairs.is_empty()) else {
        return Section::default();
    };
    pairs.sort_by(|(_, one), (_, other)| {
        other
            .gain()
            .unwrap_or_default()
            .total_cmp(&one.gain().unwrap_or_default())
    });
    type Row<'a> = &'a (Verdict, &'a OwnPlay);
    let columns = [
        move_column("move", |(verdict, _): &Row<'_>| verdict.index),
        Column::titled(Kind::Number, "gain", |(_, own): &Row<'_>| own.gain())
            .digits(Digits::Like("95 %"))
            .signed(),
        Column::titled(Kind::Interval, "95 %", |(_, own): &Row<'_>| own.interval())
            .digits(Digits::Warranted),
        count_column("games", |(_, own): &Row<'_>| own.games()),
        points_column(
            "judge's loss",
            places(reviewed),
            |(verdict, _): &Row<'_>| verdict.loss.to_f64(),
        ),
        text_column("played", |(verdict, _): &Row<'_>| verdict.mv.to_string()),
        text_column("instead", |(_, own): &Row<'_>| own.other.to_string()),
        text_column("board", |(verdict, _): &Row<'_>| {
            verdict.before.board.to_string()
        }),
    ];

    let label = player.strategy().label();
    let sentence = format!(
        "{label} finishes the game after the played move and after the judge's best move, up to {} each, on the same \
         tiles. The 95 % intervals are valid at every number of games",
        words::plural(OwnPlay::MOST, "game")
    );

    Section {
        title: format!("Own play of {label}: gain of the judge's move"),
        sentences: vec![sentence],
        table: Table::of(&columns, &pairs),
        pictures: pairs
            .iter()
            .map(|(verdict, _)| Picture::of(verdict))
            .collect(),
        ..Section::default()
    }
}

fn tiles(title: &str, tiles: &[Verdict], reviewed: &Reviewed<'_>) -> Section {
    type Row<'a> = &'a Verdict;
    let columns = [
        move_column("move", |one: &Row<'_>| one.index),
        points_column("luck", places(reviewed), |one: &Row<'_>| one.luck.to_f64()),
        text_column("tile", |one: &Row<'_>| one.spawn.to_string()),
        text_column("after", |one: &Row<'_>| one.mv.to_string()),
        text_column("board before", |one: &Row<'_>| one.before.board.to_string()),
    ];
    Section {
        title: title.to_owned(),
        table: Table::of(&columns, tiles),
        pictures: tiles.iter().map(Picture::of).collect(),
        ..Section::default()
    }
}

fn rules(reviewed: &Reviewed<'_>) -> Section {
    type Row<'a> = &'a RuleLoss;
    let (report, title) = (reviewed.report, "By deciding row".to_owned());
    let Some(player) = reviewed.player else {
        let reason = Decider::of_record(reviewed.review.record()).err();
        let sentences = reason.map(|reason| words::capitalised(&reason.to_string()));
        return Section {
            title,
            sentences: sentences.into_iter().collect(),
            ..Section::default()
        };
    };

    let Some(first) = report.by_rule.first() else {
        return Section::default();
    };
    let mut columns = vec![
        text_column("row", |rule: &Row<'_>| player.name(rule.blame)),
        points_column("loss", places(reviewed), |rule: &Row<'_>| {
            rule.loss.to_f64()
        }),
        Column::titled(Kind::Number, "share", |rule: &Row<'_>| {
            report.share(rule.loss)
        })
        .unit(Unit::PERCENT)
        .digits(Digits::Places(1)),
        count_column("moves that lost", |rule: &Row<'_>| rule.moves),
    ];
    columns.extend(class_columns(|rule: &Row<'_>| rule.classes));
    columns.push(move_column("worst move", |rule: &Row<'_>| rule.worst));

    let share = Cell::from(report.share(first.loss)).with(Format::percent(1));
    Section {
        title,
        sentences: vec![format!(
            "{} decided {share} of the loss",
            player.name(first.blame)
        )],
        table: Table::of(&columns, &report.by_rule),
        ..Section::default()
    }
}

fn phases(title: &str, key: &'static str, phases: &[Phase], reviewed: &Reviewed<'_>) -> Section {
    type Row<'a> = &'a Phase;
    let places = places(reviewed);
    let mut columns = vec![
        count_column(key, |phase: &Row<'_>| phase.key),
        count_column("moves", |phase: &Row<'_>| phase.moves),
        points_column("loss", places, |phase: &Row<'_>| phase.loss.to_f64()),
        points_column("loss per move", places + 1, |phase: &Row<'_>| {
            phase.loss.to_f64() / phase.moves as f64
        }),
        points_column("luck", places, |phase: &Row<'_>| phase.luck.to_f64()),
    ];
    columns.extend(class_columns(|phase: &Row<'_>| phase.classes));
    Section {
        title: title.to_owned(),
        table: Table::of(&columns, phases),
        ..Section::default()
    }
}

/// Tenths for large games, thousandths for small ones.
fn places(reviewed: &Reviewed<'_>) -> usize {
    if Points::whole(1000) < reviewed.report.totals.start_value {
        1
    } else {
        3
    }
}
