//! The text about many reviewed games.

use std::collections::BTreeMap;

use super::sections::{
    class_columns, class_name, count_column, move_column, points_column, text_column,
};
use super::{Picture, RESIDUAL, ReviewedGames, Section};
use crate::review::game::Totals;
use crate::review::several::{PerMove, PhaseSum, PlayerSum, RuleSum, WorstMove, interval_of};
use crate::review::{Blame, GameSum, Grouping, LossCounts, Points, WorstGroup};
use crate::stats::{Interval, RunningMean};
use crate::table::{Cell, Column, Digits, Kind, Spread, Table, Unit};
use crate::words;

pub(super) fn sections(reviewed: &ReviewedGames<'_>) -> Vec<Section> {
    let games = reviewed.games;
    let players = games.players();
    let mut sections = vec![
        head(reviewed),
        means(&players),
        rules(reviewed, &players),
        losses(reviewed),
        phases("By largest tile", "largest", &games.by_largest),
        phases("By empty cells", "empty", &games.by_empty),
        worst(reviewed),
        groups(reviewed, Grouping::Phase),
        groups(reviewed, Grouping::Rule),
        groups(reviewed, Grouping::Board),
        list(&games.games),
    ];

    sections.retain(|section| !section.table.rows.is_empty() || !section.sentences.is_empty());
    sections
}

fn head(reviewed: &ReviewedGames<'_>) -> Section {
    let off = reviewed
        .games
        .games
        .iter()
        .filter(|game| game.totals.balance() != Points::ZERO)
        .count();
    let sum = match off {
        0 => "The parts of every score add up exactly".to_owned(),
        off => format!(
            "The parts of {} do not add up. This is a bug; please report it",
            words::plural(off as u64, "score")
        ),
    };
    let games = words::plural(reviewed.games.games.len() as u64, "game");
    Section {
        sentences: vec![format!("{games}, judged by {}", reviewed.judge), sum],
        ..Section::default()
    }
}

/// A mean with its interval, which is symmetric unless `spread` says otherwise.
fn mean_column<'a, R, C: Into<Cell>>(
    title: &str,
    spread: Spread,
    mean: impl Fn(&R) -> C + 'a,
) -> Column<'a, R> {
    Column::titled(Kind::Estimate, title, mean)
        .digits(Digits::Warranted)
        .spread(spread)
}

fn means(players: &[PlayerSum]) -> Section {
    type Row<'a> = &'a PlayerSum;
    let of_games = |title: &str, number: fn(&PlayerSum) -> &RunningMean| {
        mean_column(title, Spread::HalfWidth, move |sum: &Row<'_>| {
            (number(sum).mean(), interval_of(number(sum)))
        })
    };
    let columns = [
        text_column("strategy", |sum: &Row<'_>| sum.player.clone()),
        count_column("games", |sum: &Row<'_>| sum.score.count()),
        // Scores are skewed, and so is the interval of their mean.
        mean_column("score", Spread::Ends, |sum: &Row<'_>| {
            (sum.score.mean(), sum.scores.mean_interval())
        }),
        of_games("score less luck", |sum| &sum.adjusted),
        Column::titled(Kind::Number, "gain", |sum: &Row<'_>| sum.gain())
            .digits(Digits::Places(2))
            .unit(Unit {
                suffix: "×",
                ..Unit::NONE
            }),
        of_games("luck", |sum| &sum.luck),
        of_games("loss", |sum| &sum.loss),
        of_games("residual", |sum| &sum.residual),
        mean_column("loss per move", Spread::HalfWidth, |sum: &Row<'_>| {
            per_move(&sum.per_move)
        }),
    ];
    Section {
        title: "Means per game".to_owned(),
        sentences: vec![
            "If these games were chosen by their score, means, intervals and gain do not describe the strategy. For \
             other games the intervals hold with 95 %. The interval of the score is for the planned number of games. A run \
             that was stopped early shows a wider one. Score less luck has the same mean as the score, but varies \
             less. With a gain of 2, the score alone needs twice as many games for the same precision"
                .to_owned(),
            RESIDUAL.to_owned(),
        ],
        table: Table::of(&columns, players),
        ..Section::default()
    }
}

fn per_move(loss: &PerMove) -> Option<(f64, Option<Interval>)> {
    Some((loss.mean()?, loss.interval()))
}

fn rules(reviewed: &ReviewedGames<'_>, players: &[PlayerSum]) -> Section {
    type Row<'a> = (&'a (String, Blame), &'a RuleSum);
    let mut sums: Vec<Row<'_>> = reviewed.games.by_rule.iter().collect();
    sums.sort_by_key(|((player, blame), sum)| {
        (player.clone(), std::cmp::Reverse(sum.loss), *blame)
    });
    let of_player = |name: &String| players.iter().find(|one| one.player == *name);
    let mut columns = vec![
        text_column("strategy", |((player, _), _): &Row<'_>| player.clone()),
        text_column("row", |((player, blame), _): &Row<'_>| {
            (reviewed.rules)(player, *blame)
        }),
        Column::titled(
            Kind::Number,
            "share of its loss",
            move |((player, _), sum): &Row<'_>| {
                let all =
                    of_player(player).map_or(0.0, |own| own.loss.mean() * own.loss.count() as f64);
                (0.0 < all).then(|| sum.loss.to_f64() / all)
            },
        )
        .unit(Unit::PERCENT)
        .digits(Digits::Places(1)),
        mean_column(
            "loss per game",
            Spread::HalfWidth,
            move |((player, _), sum): &Row<'_>| {
                sum.loss_of_a_game(of_player(player).map_or(1, |own| own.loss.count()))
            },
        ),
        count_column("moves that lost", |(_, sum): &Row<'_>| sum.moves),
    ];
    columns.extend(class_columns(|(_, sum): &Row<'_>| sum.classes));
    Section {
        title: "By deciding row".to_owned(),
        table: Table::of(&columns, sums),
        ..Section::default()
    }
}

fn phases(title: &str, key: &'static str, phases: &BTreeMap<u64, PhaseSum>) -> Section {
    type Row<'a> = (&'a u64, &'a PhaseSum);
    let columns = [
        count_column(key, |(key, _): &Row<'_>| **key),
        count_column("games", |(_, sum): &Row<'_>| sum.per_move.games()),
        count_column("moves", |(_, sum): &Row<'_>| sum.per_move.moves() as u64),
        points_column("loss", 1, |(_, sum): &Row<'_>| sum.loss.to_f64()),
        mean_column("loss per move", Spread::HalfWidth, |(_, sum): &Row<'_>| {
            per_move(&sum.per_move)
        }),
        points_column("luck", 1, |(_, sum): &Row<'_>| sum.luck.to_f64()),
    ];
    Section {
        title: title.to_owned(),
        table: Table::of(&columns, phases),
        ..Section::default()
    }
}

fn worst(reviewed: &ReviewedGames<'_>) -> Section {
    type Row<'a> = &'a WorstMove;
    let (games, worst) = (&reviewed.games.games, &reviewed.games.worst);
    let columns = [
        text_column("game", |one: &Row<'_>| games[one.game].title.clone()),
        move_column("move", |one: &Row<'_>| one.verdict().index),
        points_column("loss", 1, |one: &Row<'_>| one.verdict().loss.to_f64()),
        text_column("class", |one: &Row<'_>| class_name(one.report.class)),
        text_column("played", |one: &Row<'_>| one.verdict().mv.to_string()),
        text_column("best", |one: &Row<'_>| one.verdict().best.to_string()),
        text_column("decided by", |one: &Row<'_>| {
            let blame = one.report.blame;
            blame.map_or_else(String::new, |blame| {
                (reviewed.rules)(&games[one.game].player, blame)
            })
        }),
        text_column("board", |one: &Row<'_>| {
            one.verdict().before.board.to_string()
        }),
    ];
    Section {
        title: "Worst moves of all games".to_owned(),
        table: Table::of(&columns, worst),
        pictures: worst.iter().map(|one| Picture::of(one.verdict())).collect(),
        ..Section::default()
    }
}

/// Moves by loss, a row for each interval and player.
fn losses(reviewed: &ReviewedGames<'_>) -> Section {
    type Row<'a> = (usize, &'a String, &'a LossCounts);
    let losses = &reviewed.games.losses;
    let bins = LossCounts::range(losses.values()).unwrap_or(1..1);
    let rows = std::iter::once(0).chain(bins);
    let rows = rows.flat_map(|bin| {
        losses
            .iter()
            .map(move |(player, counts)| (bin, player, counts))
    });
    let columns = [
        text_column("strategy", |(_, player, _): &Row<'_>| (*player).clone()),
        text_column("points", |(bin, ..): &Row<'_>| LossCounts::name(*bin)),
        count_column("moves", |(bin, _, counts): &Row<'_>| counts.of(*bin)),
    ];
    Section {
        title: "Moves by loss".to_owned(),
        table: Table::of(&columns, rows),
        ..Section::default()
    }
}

fn groups(reviewed: &ReviewedGames<'_>, by: Grouping) -> Section {
    type Row<'a> = &'a WorstGroup;
    let groups = reviewed.games.groups(by, reviewed.rules);
    let columns = [
        text_column("group", |group: &Row<'_>| group.name.clone()),
        count_column("moves", |group: &Row<'_>| group.moves.len() as u64),
        points_column("loss", 1, |group: &Row<'_>| group.loss.to_f64()),
    ];
    Section {
        title: format!("Worst moves by {}", words::uncapitalised(by.name())),
        table: Table::of(&columns, &groups),
        ..Section::default()
    }
}

fn list(games: &[GameSum]) -> Section {
    type Row<'a> = &'a GameSum;
    let points = |title: &str, points: fn(&Totals) -> Points| {
        points_column(title, 1, move |game: &Row<'_>| {
            points(&game.totals).to_f64()
        })
    };
    let mut columns = vec![
        text_column("game", |game: &Row<'_>| game.title.clone()),
        count_column("moves", |game: &Row<'_>| game.moves as u64),
        points_column("score", 0, |game: &Row<'_>| {
            game.totals.final_score.to_f64()
        }),
        points("value of the start", |totals| totals.start_value),
        points("luck", |totals| totals.luck),
        points("loss", |totals| -totals.loss),
        points("residual", |totals| totals.residual),
    ];
    columns.extend(class_columns(|game: &Row<'_>| game.classes));
    Section {
        title: "Games".to_owned(),
        table: Table::of(&columns, games),
        ..Section::default()
    }
}
