//! A reviewed game as one JSON object on one line; its fields are in `src/guide/reference-json.md`.

use std::collections::BTreeMap;
use std::io;

use serde::Serialize;
use strum::IntoEnumIterator as _;

use super::Reviewed;
use crate::game::Move;
use crate::review::classes::{ByClass, Class, Thresholds};
use crate::review::report::Phase;
use crate::review::{ChanceAt, ChanceQuestion, ChanceThresholds, OwnPlay, Points, Totals, Verdict};

pub(super) fn json(reviewed: &Reviewed<'_>) -> io::Result<Vec<u8>> {
    let &Reviewed {
        title,
        review,
        report,
        player,
    } = reviewed;
    let (record, judge) = (review.record(), review.judge());
    let verdicts = (0..review.moves()).filter_map(|index| review.verdict(index));
    let one_based = |verdict: &Verdict| verdict.index + 1;
    let rule = |rule: &crate::review::RuleLoss| RuleJson {
        rule: player
            .map(|player| player.name(rule.blame))
            .unwrap_or_default(),
        moves: rule.moves,
        loss: rule.loss,
        share: report.share(rule.loss),
        classes: classes(&rule.classes),
        worst: rule.worst + 1,
    };

    let object = ReviewJson {
        title,
        size: record.rules.size.to_string(),
        p4: record.rules.p4,
        seed: record.seed.map(|seed| seed.to_string()),
        game: record.game,
        strategy: record.strategy.as_deref(),
        judge: JudgeJson {
            name: judge.label(),
            strategy: judge.strategy().to_string(),
            sha256: judge.sha256(),
            exact: judge.is_exact(),
            deepen_from: review.deepen_from,
        },

        thresholds: thresholds(&report.thresholds),
        chance: report
            .thresholds
            .chance
            .map(|chance| ChanceJson::of(&chance, report.played_on)),
        totals: totals(&report.totals),
        adds_up: report.adds_up(),
        classes: classes(&report.classes),
        plies: report
            .plies
            .iter()
            .map(|(plies, moves)| (plies.to_string(), *moves))
            .collect(),
        worst: report
            .worst
            .iter()
            .map(|one| one.verdict.index + 1)
            .collect(),
        luckiest: report.luckiest.iter().map(one_based).collect(),
        unluckiest: report.unluckiest.iter().map(one_based).collect(),
        by_rule: report.by_rule.iter().map(rule).collect(),
        by_largest: phases(&report.by_largest),
        by_empty: phases(&report.by_empty),
        moves: verdicts
            .map(|verdict| move_json(&verdict, reviewed))
            .collect(),
    };

    let mut bytes = serde_json::to_vec(&object)?;
    bytes.push(b'\n');
    Ok(bytes)
}

#[derive(Serialize)]
struct ReviewJson<'a> {
    title: &'a str,
    size: String,
    p4: f64,
    seed: Option<String>,
    game: u64,
    strategy: Option<&'a str>,
    judge: JudgeJson<'a>,
    thresholds: BTreeMap<&'static str, Points>,
    chance: Option<ChanceJson>,
    totals: BTreeMap<&'static str, Points>,
    adds_up: bool,
    classes: BTreeMap<&'static str, u64>,
    plies: BTreeMap<String, u64>,
    worst: Vec<usize>,
    luckiest: Vec<usize>,
    unluckiest: Vec<usize>,
    by_rule: Vec<RuleJson>,
    by_largest: Vec<PhaseJson>,
    by_empty: Vec<PhaseJson>,
    moves: Vec<MoveJson>,
}

#[derive(Serialize)]
struct JudgeJson<'a> {
    name: String,
    strategy: String,
    sha256: &'a str,
    exact: bool,
    deepen_from: Option<Points>,
}

#[derive(Serialize)]
struct RuleJson {
    rule: String,
    moves: u64,
    loss: Points,
    share: Option<f64>,
    classes: BTreeMap<&'static str, u64>,
    worst: usize,
}

#[derive(Serialize)]
struct PhaseJson {
    key: u64,
    moves: u64,
    loss: Points,
    luck: Points,
    classes: BTreeMap<&'static str, u64>,
}

#[derive(Serialize)]
struct MoveJson {
    number: usize,
    board: String,
    score: u64,
    #[serde(rename = "move")]
    mv: Move,
    best: Move,
    values: BTreeMap<&'static str, Option<Points>>,
    plies: u32,
    loss: Points,
    class: Option<&'static str>,
    chance: Option<ChanceAtJson>,
    own_play: Option<OwnPlayJson>,
    note: Option<String>,
    decided_by: Option<String>,
    reward: Points,
    mean: Points,
    tile: u64,
    cell: [u8; 2],
    next: Points,
    luck: Points,
    residual: Points,
}

/// The thresholds that classify moves by a probability.
#[derive(Serialize)]
struct ChanceJson {
    goal: &'static str,
    within: u32,
    games: u64,
    /// Percentage points of the lower end of the interval.
    thresholds: BTreeMap<&'static str, f64>,
    played_on: usize,
    lost_points: usize,
}

impl ChanceJson {
    fn of(chance: &ChanceThresholds, [played_on, lost_points]: [usize; 2]) -> Self {
        let ChanceQuestion {
            goal,
            moves,
            playouts,
        } = chance.question;
        let percent = |class: Class| (class.name(), f64::from(chance.of(class)) / 10.0);
        let thresholds = Class::iter().map(percent).collect();
        Self {
            goal: goal.name(),
            within: moves,
            games: playouts,
            thresholds,
            played_on,
            lost_points,
        }
    }
}

#[derive(Serialize)]
struct ChanceAtJson {
    against: Move,
    games: u64,
    reached: [u64; 2],
    both: u64,
    loss: f64,
    interval: Option<[f64; 2]>,
}

impl ChanceAtJson {
    fn of(at: &ChanceAt) -> Self {
        let ChanceAt {
            best,
            games,
            reached,
            both,
        } = *at;
        let interval = at.interval().map(|interval| [interval.low, interval.high]);
        Self {
            against: best,
            games,
            reached,
            both,
            loss: at.loss(),
            interval,
        }
    }
}

/// The own play of the strategy with the judge's best move.
#[derive(Serialize)]
struct OwnPlayJson {
    against: Move,
    games: u64,
    gain: Option<f64>,
    interval: Option<[f64; 2]>,
}

impl OwnPlayJson {
    fn of(own: &OwnPlay) -> Self {
        let interval = own.interval().map(|ends| [ends.low, ends.high]);
        Self {
            against: own.other,
            games: own.games(),
            gain: own.gain(),
            interval,
        }
    }
}

fn move_json(verdict: &Verdict, reviewed: &Reviewed<'_>) -> MoveJson {
    let Verdict {
        index,
        before,
        mv,
        spawn,
        reward,
        best,
        look,
        loss,
        luck,
        residual,
    } = *verdict;
    MoveJson {
        number: index + 1,
        board: before.board.to_string(),
        score: before.score,
        mv,
        best,
        values: look
            .values
            .iter()
            .map(|(mv, value)| (mv.name(), *value))
            .collect(),
        plies: look.plies,
        loss,
        class: reviewed
            .review
            .class(index, &reviewed.report.thresholds)
            .map(Class::name),
        chance: reviewed
            .review
            .chance_by(index, &reviewed.report.thresholds)
            .map(ChanceAtJson::of),
        own_play: reviewed.review.own_play(index).map(OwnPlayJson::of),
        note: reviewed.review.record().notes.get(&index).cloned(),
        decided_by: Some(reviewed.rule(index)).filter(|rule| !rule.is_empty()),
        reward,
        mean: look.mean,
        tile: spawn.rank.tile(),
        cell: [spawn.cell.row, spawn.cell.col],
        next: look.next,
        luck,
        residual,
    }
}

fn thresholds(thresholds: &Thresholds) -> BTreeMap<&'static str, Points> {
    Class::iter()
        .map(|class| (class.name(), thresholds.of(class)))
        .collect()
}

fn classes(classes: &ByClass) -> BTreeMap<&'static str, u64> {
    Class::iter()
        .map(|class| (class.name(), classes.of(class)))
        .collect()
}

fn totals(totals: &Totals) -> BTreeMap<&'static str, Points> {
    let Totals {
        final_score,
        start_score,
        start_value,
        left,
        luck,
        loss,
        residual,
    } = *totals;
    [
        ("final_score", final_score),
        ("start_score", start_score),
        ("start_value", start_value),
        ("left", left),
        ("luck", luck),
        ("loss", loss),
        ("residual", residual),
    ]
    .into()
}

fn phases(phases: &[Phase]) -> Vec<PhaseJson> {
    let phase = |phase: &Phase| PhaseJson {
        key: phase.key,
        moves: phase.moves,
        loss: phase.loss,
        luck: phase.luck,
        classes: classes(&phase.classes),
    };
    phases.iter().map(phase).collect()
}
