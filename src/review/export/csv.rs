//! A reviewed game as CSV, one row per move.

use std::io;

use super::Reviewed;
use crate::files::CsvRows;
use crate::game::Move;
use crate::review::ChanceAt;

pub(super) const COLUMNS: [&str; 30] = [
    "game",
    "strategy",
    "seed",
    "judge",
    "move",
    "board",
    "score",
    "empty",
    "largest",
    "played",
    "best",
    "up",
    "down",
    "left",
    "right",
    "plies",
    "loss",
    "class",
    "decided_by",
    "reward",
    "mean",
    "tile",
    "cell",
    "next",
    "luck",
    "residual",
    "chance_loss",
    "chance_low",
    "chance_high",
    "note",
];

pub(super) fn csv(reviewed: &Reviewed<'_>) -> io::Result<Vec<u8>> {
    let Reviewed { title, review, report, player } = reviewed;
    let of_game = [
        (*title).to_owned(),
        player.map_or_else(String::new, |player| player.strategy().label()),
        review.record().seed.map_or_else(String::new, |seed| seed.to_string()),
        review.judge().strategy().label(),
    ];

    let mut bytes = Vec::new();
    let mut rows = CsvRows::new(&mut bytes);
    rows.row(COLUMNS)?;

    for one in (0..review.moves()).filter_map(|index| review.verdict(index)) {
        let board = one.before.board;
        let mut cells = of_game.to_vec();
        cells.extend([
            (one.index + 1).to_string(),
            board.to_string(),
            one.before.score.to_string(),
            board.empty_count().to_string(),
            board.max_rank().to_string(),
            one.mv.name().to_owned(),
            one.best.name().to_owned(),
        ]);

        cells.extend(Move::ALL.map(|mv| one.look.values[mv].map_or(String::new(), |value| value.to_string())));
        cells.extend([
            one.look.plies.to_string(),
            one.loss.to_string(),
            review.class(one.index, &report.thresholds).map_or("", |class| class.name()).to_owned(),
            reviewed.rule(one.index),
            one.reward.to_string(),
            one.look.mean.to_string(),
            one.spawn.rank.to_string(),
            one.spawn.cell.to_string(),
            one.look.next.to_string(),
            one.luck.to_string(),
            one.residual.to_string(),
        ]);

        let chance = review.chance_by(one.index, &report.thresholds);
        let ends = chance.and_then(ChanceAt::interval);
        let shares = [chance.map(ChanceAt::loss), ends.map(|ends| ends.low), ends.map(|ends| ends.high)];
        cells.extend(shares.map(|share| share.map_or(String::new(), |share| format!("{share:.6}"))));
        cells.push(review.record().notes.get(&one.index).cloned().unwrap_or_default());
        rows.row(cells)?;
    }

    rows.flush()?;
    drop(rows);
    Ok(bytes)
}
