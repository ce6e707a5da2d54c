//! The report of a reviewed game for people, in reading order.

use super::Reviewed;
use crate::game::{Board, Move};
use crate::review::classes::Class;
use crate::review::report::{MoveReport, Phase};
use crate::review::{ChanceThresholds, Decider, OwnPlay, Points, Verdict};
use crate::search::layers;
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
    pub header: Vec<&'static str>,
    pub rows: Vec<Vec<String>>,
    /// The indices of numeric columns.
    pub numbers: Vec<usize>,
    /// The position of each row, if rows are about positions.
    pub pictures: Vec<Picture>,
    /// The meanings of the solid and the dashed arrow of a picture.
    pub arrows: [&'static str; 2],
}

impl Default for Section {
    fn default() -> Self {
        Self {
            title: String::new(),
            sentences: Vec::new(),
            header: Vec::new(),
            rows: Vec::new(),
            numbers: Vec::new(),
            pictures: Vec::new(),
            arrows: ["played", "best"],
        }
    }
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
        Self { board: verdict.before.board, played: Some(verdict.mv), other }
    }
}

pub(super) fn sections(reviewed: &Reviewed<'_>) -> Vec<Section> {
    let Reviewed { report, .. } = reviewed;
    let mut sections = vec![head(reviewed), split(reviewed), notes(reviewed), worst(reviewed)];
    sections.extend(report.thresholds.chance.map(|chance| chances(&chance, reviewed)));
    sections.push(own_plays(reviewed));
    sections.push(tiles("Luckiest tiles", &report.luckiest, reviewed));
    sections.push(tiles("Unluckiest tiles", &report.unluckiest, reviewed));
    sections.push(rules(reviewed));
    sections.push(phases("By largest tile", "largest", &report.by_largest, reviewed));
    sections.push(phases("By empty cells", "empty", &report.by_empty, reviewed));
    sections.retain(|section| !section.rows.is_empty() || !section.sentences.is_empty());
    sections
}

fn head(reviewed: &Reviewed<'_>) -> Section {
    let Reviewed { review, report, .. } = reviewed;
    let depths: Vec<String> = report
        .plies
        .iter()
        .map(|(&plies, &moves)| format!("{} ahead at {}", layers(plies), words::plural(moves, "move")))
        .collect();
    let depth = match review.judge().is_exact() {
        true => "exact, from a solved table".to_owned(),
        false => words::list(&depths),
    };
    let player = reviewed.player.map(|player| format!(", played by {}", player.strategy().label())).unwrap_or_default();
    let (moves, score) = (words::plural(report.moves as u64, "move"), report.totals.final_score);
    let sentences = vec![
        format!("{score} points in {moves}{player}"),
        format!("Loss by {}: {depth}", review.judge().strategy().label()),
        format!("{}: {}", words::capitalised(&report.thresholds.text()), report.classes.text()),
    ];

    Section { sentences, ..Section::default() }
}

/// The breakdown of the final score with all digits, so that the column adds up.
fn split(reviewed: &Reviewed<'_>) -> Section {
    let totals = reviewed.report.totals;
    let mut rows = vec![
        ("score at the start", totals.start_score),
        ("value of the start", totals.start_value),
        ("luck", totals.luck),
        ("loss", -totals.loss),
        ("residual", totals.residual),
        ("still to come at the end", -totals.left),
        ("final score", totals.final_score),
    ];

    rows.retain(|(what, points)| {
        !matches!(*what, "score at the start" | "still to come at the end") || *points != Points::ZERO
    });
    let sentence = match totals.balance() {
        Points::ZERO => "The parts add up exactly to the final score".to_owned(),
        off => format!("The parts do not add up: they are off by {off} points. This is a bug; please report it"),
    };

    Section {
        title: "Where the points went".to_owned(),
        sentences: vec![sentence, RESIDUAL.to_owned()],
        header: vec!["", "points"],
        rows: rows.into_iter().map(|(what, points)| vec![what.to_owned(), points.to_string()]).collect(),
        numbers: vec![1],
        ..Section::default()
    }
}

fn worst(reviewed: &Reviewed<'_>) -> Section {
    let report = reviewed.report;
    let row = |one: &MoveReport| {
        let Verdict { index, before, mv, best, loss, look, .. } = one.verdict;
        vec![
            words::count(index as u64 + 1),
            points(loss, reviewed),
            one.class.map_or(String::new(), |class: Class| class.name().to_owned()),
            mv.to_string(),
            best.to_string(),
            look.plies.to_string(),
            reviewed.rule(index),
            before.board.to_string(),
        ]
    };
    Section {
        title: "Worst moves".to_owned(),
        sentences: if report.worst.is_empty() { vec!["No move lost points".to_owned()] } else { Vec::new() },
        header: vec!["move", "loss", "class", "played", "best", "plies", "decided by", "board"],
        rows: report.worst.iter().map(row).collect(),
        numbers: vec![0, 1, 5],
        pictures: report.worst.iter().map(|one| Picture::of(&one.verdict)).collect(),
        ..Section::default()
    }
}

/// The notes on moves and on the last position.
fn notes(reviewed: &Reviewed<'_>) -> Section {
    let review = reviewed.review;
    let row = |(&index, note): (&usize, &String)| {
        let verdict = review.verdict(index);
        let played = verdict.as_ref().map_or_else(String::new, |verdict| verdict.mv.to_string());
        let loss = verdict.as_ref().map_or_else(String::new, |verdict| points(verdict.loss, reviewed));
        vec![words::count(index as u64 + 1), played, loss, note.clone()]
    };
    Section {
        title: "Notes".to_owned(),
        header: vec!["move", "played", "loss", "note"],
        rows: review.record().notes.iter().map(row).collect(),
        numbers: vec![0, 2],
        ..Section::default()
    }
}

/// What cost most of a chance, and of how many moves that is known.
fn chances(chance: &ChanceThresholds, reviewed: &Reviewed<'_>) -> Section {
    let report = reviewed.report;
    let percent = |share: f64| words::decimals(100.0 * share, 1);
    let row = |one: &MoveReport| {
        let Verdict { index, before, mv, best, loss, .. } = one.verdict;
        let interval = one.chance.and_then(|at| at.interval());
        let [with_played, with_best] = one.chance.map(|at| at.chances()).unwrap_or_default().map(percent);
        vec![
            words::count(index as u64 + 1),
            percent(one.chance.map(|at| at.loss()).unwrap_or_default()),
            interval.map_or_else(String::new, |ends| format!("{} to {}", percent(ends.low), percent(ends.high))),
            with_played,
            with_best,
            one.class.map_or(String::new(), |class| class.name().to_owned()),
            points(loss, reviewed),
            mv.to_string(),
            best.to_string(),
            before.board.to_string(),
        ]
    };

    Section {
        title: format!("Moves that cost most of the {}", chance.question.text()),
        sentences: chance_sentences(chance, reviewed),
        header: vec![
            "move",
            "lost, percentage points",
            "95 %",
            "with played, %",
            "with best, %",
            "class",
            "loss in points",
            "played",
            "best",
            "board",
        ],
        rows: report.worst_by_chance.iter().map(row).collect(),
        numbers: (0..5).chain([6]).collect(),
        pictures: report.worst_by_chance.iter().map(|one| Picture::of(&one.verdict)).collect(),
        ..Section::default()
    }
}

/// Explains the playouts, their number, and that no loss was certain if that is so.
fn chance_sentences(chance: &ChanceThresholds, reviewed: &Reviewed<'_>) -> Vec<String> {
    let (question, report) = (chance.question, reviewed.report);
    let [played_on, lost] = report.played_on.map(|count| words::count(count as u64));
    let mut sentences = vec![
        format!(
            "{} plays on, looking one move ahead: {} with the played move and as many with the best move by points, on \
             the same tiles, with 95 % intervals",
            reviewed.review.judge().strategy().label(),
            words::plural(question.playouts, "game"),
        ),
        format!("Of {lost} moves that lost points, {played_on} were checked: late moves, and those that lost most"),
    ];
    if report.worst_by_chance.is_empty() && report.played_on[0] != 0 {
        sentences.push("For none of them is a loss of this chance certain".to_owned());
    }
    sentences
}

/// What the strategy that played would win with the judge's best moves, if that was computed.
fn own_plays(reviewed: &Reviewed<'_>) -> Section {
    let (review, player) = (reviewed.review, reviewed.player);
    let asked = |index: usize| Some((review.verdict(index)?, review.own_play(index)?));
    let mut asked: Vec<_> = (0..review.moves()).filter_map(asked).collect();
    let Some(player) = player.filter(|_| !asked.is_empty()) else { return Section::default() };
    asked.sort_by(|(_, one), (_, other)| other.gain().unwrap_or_default().total_cmp(&one.gain().unwrap_or_default()));
    let row = |(verdict, own): &(Verdict, &OwnPlay)| {
        let ends = own.interval().map(|ends| [ends.low, ends.high].map(|end| words::signed(end, 0)).join(" to "));
        vec![
            words::count(verdict.index as u64 + 1),
            own.gain().map_or_else(String::new, |gain| words::signed(gain, 0)),
            ends.unwrap_or_default(),
            words::count(own.games()),
            points(verdict.loss, reviewed),
            verdict.mv.to_string(),
            own.other.to_string(),
            verdict.before.board.to_string(),
        ]
    };

    let label = player.strategy().label();
    let sentence = format!(
        "{label} plays on to the end after the played move and after the judge's best move, on the same tiles, with up \
         to {} of each. The 95 % intervals are valid at every number of games",
        words::plural(OwnPlay::MOST, "game")
    );

    Section {
        title: format!("Own play of {label}: gain of the judge's move"),
        sentences: vec![sentence],
        header: vec!["move", "gain", "95 %", "games", "judge's loss", "played", "instead", "board"],
        rows: asked.iter().map(row).collect(),
        numbers: vec![0, 1, 2, 3, 4],
        pictures: asked.iter().map(|(verdict, _)| Picture::of(verdict)).collect(),
        ..Section::default()
    }
}

fn tiles(title: &str, tiles: &[Verdict], reviewed: &Reviewed<'_>) -> Section {
    let row = |one: &Verdict| {
        let after = words::count(one.index as u64 + 1);
        vec![after, points(one.luck, reviewed), one.spawn.to_string(), one.mv.to_string(), one.before.board.to_string()]
    };
    Section {
        title: title.to_owned(),
        sentences: Vec::new(),
        header: vec!["move", "luck", "tile", "after", "board before"],
        rows: tiles.iter().map(row).collect(),
        numbers: vec![0, 1],
        pictures: tiles.iter().map(Picture::of).collect(),
        ..Section::default()
    }
}

fn rules(reviewed: &Reviewed<'_>) -> Section {
    let (report, title) = (reviewed.report, "By deciding row".to_owned());
    let Some(player) = reviewed.player else {
        let reason = Decider::of_record(reviewed.review.record()).err();
        let sentences = reason.map(|reason| words::capitalised(&reason.to_string()));
        return Section { title, sentences: sentences.into_iter().collect(), ..Section::default() };
    };

    let Some(first) = report.by_rule.first() else { return Section::default() };
    let share = |loss: Points| report.share(loss).map_or("–".to_owned(), |share| format!("{:.1} %", 100.0 * share));
    let rows = report.by_rule.iter().map(|rule| {
        vec![
            player.name(rule.blame),
            points(rule.loss, reviewed),
            share(rule.loss),
            words::count(rule.moves),
            rule.classes.of(Class::Blunder).to_string(),
            rule.classes.of(Class::Mistake).to_string(),
            rule.classes.of(Class::Inaccuracy).to_string(),
            words::count(rule.worst as u64 + 1),
        ]
    });

    Section {
        title,
        sentences: vec![format!("{} decided {} of the loss", player.name(first.blame), share(first.loss))],
        header: vec!["row", "loss", "share", "moves that lost", "??", "?", "?!", "worst move"],
        rows: rows.collect(),
        numbers: vec![1, 2, 3, 4, 5, 6, 7],
        ..Section::default()
    }
}

fn phases(title: &str, key: &'static str, phases: &[Phase], reviewed: &Reviewed<'_>) -> Section {
    let row = |phase: &Phase| {
        let mean = phase.loss.to_f64() / phase.moves as f64;
        vec![
            words::count(phase.key),
            words::count(phase.moves),
            points(phase.loss, reviewed),
            words::decimals(mean, places(reviewed) + 1),
            points(phase.luck, reviewed),
            phase.classes.of(Class::Blunder).to_string(),
            phase.classes.of(Class::Mistake).to_string(),
            phase.classes.of(Class::Inaccuracy).to_string(),
        ]
    };
    Section {
        title: title.to_owned(),
        sentences: Vec::new(),
        header: vec![key, "moves", "loss", "loss per move", "luck", "??", "?", "?!"],
        rows: phases.iter().map(row).collect(),
        numbers: (0..8).collect(),
        ..Section::default()
    }
}

/// Tenths for large games, thousandths for small ones.
fn places(reviewed: &Reviewed<'_>) -> usize {
    if Points::whole(1000) < reviewed.report.totals.start_value { 1 } else { 3 }
}

fn points(points: Points, reviewed: &Reviewed<'_>) -> String {
    words::decimals(points.to_f64(), places(reviewed))
}
