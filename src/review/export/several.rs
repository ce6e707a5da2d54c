//! The text about many reviewed games.

use std::collections::BTreeMap;

use strum::IntoEnumIterator as _;

use super::{Picture, RESIDUAL, ReviewedGames, Section};
use crate::review::classes::Class;
use crate::review::several::{PhaseSum, PlayerSum, WorstMove, interval_of};
use crate::review::{GameSum, Grouping, LossCounts, Points, WorstGroup};
use crate::stats::Interval;
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

    sections.retain(|section| !section.rows.is_empty() || !section.sentences.is_empty());
    sections
}

fn head(reviewed: &ReviewedGames<'_>) -> Section {
    let off = reviewed.games.games.iter().filter(|game| game.totals.balance() != Points::ZERO).count();
    let sum = match off {
        0 => "The parts of every score add up exactly".to_owned(),
        off => format!(
            "The parts of {} do not add up. This is a bug; please report it",
            words::plural(off as u64, "score")
        ),
    };
    let games = words::plural(reviewed.games.games.len() as u64, "game");
    Section { sentences: vec![format!("{games}, judged by {}", reviewed.judge), sum], ..Section::default() }
}

fn means(players: &[PlayerSum]) -> Section {
    let row = |sum: &PlayerSum| {
        let mean = |of: &crate::stats::RunningMean| with_interval(Some(of.mean()), interval_of(of), 1);
        vec![
            sum.player.clone(),
            words::count(sum.score.count()),
            with_ends(sum.score.mean(), sum.scores.mean_interval()),
            mean(&sum.adjusted),
            sum.gain().map_or("–".to_owned(), |gain| format!("{gain:.2}×")),
            mean(&sum.luck),
            mean(&sum.loss),
            mean(&sum.residual),
            with_interval(sum.per_move.mean(), sum.per_move.interval(), 2),
        ]
    };
    Section {
        title: "Means per game".to_owned(),
        sentences: vec![
            "The 95 % intervals are valid for games that were not chosen by their result. The interval of the score \
             is for the planned number of games; a run that was stopped early shows a wider one. Score less luck has \
             the same mean as the score. The gain is how many times as many games the same precision needs without it. \
             Neither holds for games picked by their score"
                .to_owned(),
            RESIDUAL.to_owned(),
        ],
        header: vec![
            "strategy",
            "games",
            "score",
            "score less luck",
            "gain",
            "luck",
            "loss",
            "residual",
            "loss per move",
        ],
        rows: players.iter().map(row).collect(),
        numbers: (1..9).collect(),
        ..Section::default()
    }
}

fn rules(reviewed: &ReviewedGames<'_>, players: &[PlayerSum]) -> Section {
    let mut sums: Vec<_> = reviewed.games.by_rule.iter().collect();
    sums.sort_by_key(|((player, blame), sum)| (player.clone(), std::cmp::Reverse(sum.loss), *blame));
    let rows = sums.into_iter().map(|((player, blame), sum)| {
        let of_player = players.iter().find(|known| known.player == *player);
        let all = of_player.map_or(0.0, |known| known.loss.mean() * known.loss.count() as f64);
        let games = of_player.map_or(1, |known| known.loss.count());
        let (mean, interval) = sum.loss_of_a_game(games);
        let share = if 0.0 < all { format!("{:.1} %", 100.0 * sum.loss.to_f64() / all) } else { "–".to_owned() };
        vec![
            player.clone(),
            (reviewed.rules)(player, *blame),
            share,
            with_interval(Some(mean), interval, 1),
            words::count(sum.moves),
            sum.classes.of(Class::Blunder).to_string(),
            sum.classes.of(Class::Mistake).to_string(),
            sum.classes.of(Class::Inaccuracy).to_string(),
        ]
    });

    Section {
        title: "By deciding row".to_owned(),
        sentences: Vec::new(),
        header: vec!["strategy", "row", "share of its loss", "loss per game", "moves that lost", "??", "?", "?!"],
        rows: rows.collect(),
        numbers: (2..8).collect(),
        ..Section::default()
    }
}

fn phases(title: &str, key: &'static str, phases: &BTreeMap<u64, PhaseSum>) -> Section {
    let row = |(key, sum): (&u64, &PhaseSum)| {
        vec![
            words::count(*key),
            words::count(sum.per_move.games()),
            words::count(sum.per_move.moves() as u64),
            words::decimals(sum.loss.to_f64(), 1),
            with_interval(sum.per_move.mean(), sum.per_move.interval(), 2),
            words::decimals(sum.luck.to_f64(), 1),
        ]
    };
    Section {
        title: title.to_owned(),
        sentences: Vec::new(),
        header: vec![key, "games", "moves", "loss", "loss per move", "luck"],
        rows: phases.iter().map(row).collect(),
        numbers: (0..6).collect(),
        ..Section::default()
    }
}

fn worst(reviewed: &ReviewedGames<'_>) -> Section {
    let games = &reviewed.games.games;
    let row = |one: &WorstMove| {
        let verdict = one.report.verdict;
        let game = &games[one.game];
        vec![
            game.title.clone(),
            words::count(verdict.index as u64 + 1),
            words::decimals(verdict.loss.to_f64(), 1),
            one.report.class.map_or("", Class::name).to_owned(),
            verdict.mv.to_string(),
            verdict.best.to_string(),
            one.report.blame.map_or_else(String::new, |blame| (reviewed.rules)(&game.player, blame)),
            verdict.before.board.to_string(),
        ]
    };
    Section {
        title: "Worst moves of all games".to_owned(),
        sentences: Vec::new(),
        header: vec!["game", "move", "loss", "class", "played", "best", "decided by", "board"],
        rows: reviewed.games.worst.iter().map(row).collect(),
        numbers: vec![1, 2],
        pictures: reviewed.games.worst.iter().map(|one| Picture::of(one.verdict())).collect(),
        ..Section::default()
    }
}

/// Moves by loss, one column per player.
fn losses(reviewed: &ReviewedGames<'_>) -> Section {
    let losses = &reviewed.games.losses;
    let bins = LossCounts::range(losses.values()).unwrap_or(1..1);
    let rows = std::iter::once(0).chain(bins).flat_map(|bin| {
        losses
            .iter()
            .map(move |(player, counts)| vec![player.clone(), LossCounts::name(bin), words::count(counts.of(bin))])
    });
    Section {
        title: "Moves by loss".to_owned(),
        header: vec!["strategy", "points", "moves"],
        rows: rows.collect(),
        numbers: vec![2],
        ..Section::default()
    }
}

fn groups(reviewed: &ReviewedGames<'_>, by: Grouping) -> Section {
    let groups = reviewed.games.groups(by, reviewed.rules);
    let row = |group: &WorstGroup| {
        let moves = words::count(group.moves.len() as u64);
        vec![group.name.clone(), moves, words::decimals(group.loss.to_f64(), 1)]
    };
    Section {
        title: format!("Worst moves by {}", words::uncapitalised(by.name())),
        header: vec!["group", "moves", "loss"],
        rows: groups.iter().map(row).collect(),
        numbers: vec![1, 2],
        ..Section::default()
    }
}

fn list(games: &[GameSum]) -> Section {
    let row = |game: &GameSum| {
        let totals = game.totals;
        let shown = [totals.final_score, totals.start_value, totals.luck, -totals.loss, totals.residual];
        let mut cells = vec![game.title.clone(), words::count(game.moves as u64)];
        cells.extend(shown.map(|points| words::decimals(points.to_f64(), 1)));
        cells.extend(Class::iter().rev().map(|class| game.classes.of(class).to_string()));
        cells
    };
    Section {
        title: "Games".to_owned(),
        sentences: Vec::new(),
        header: vec!["game", "moves", "score", "value of the start", "luck", "loss", "residual", "??", "?", "?!"],
        rows: games.iter().map(row).collect(),
        numbers: (1..10).collect(),
        ..Section::default()
    }
}

/// `1,240.5, 1,184.0 to 1,301.2`: scores are skewed, and so is the interval of their mean.
fn with_ends(mean: f64, interval: Option<Interval>) -> String {
    let mean = words::decimals(mean, 1);
    let ends = interval.map(|interval| [interval.low, interval.high].map(|end| words::decimals(end, 1)));
    ends.map_or_else(|| mean.clone(), |[low, high]| format!("{mean}, {low} to {high}"))
}

/// `1,240.5 ± 60.2`.
fn with_interval(mean: Option<f64>, interval: Option<Interval>, places: usize) -> String {
    let Some(mean) = mean else { return "–".to_owned() };
    let mean = words::decimals(mean, places);
    interval
        .map_or_else(|| mean.clone(), |interval| format!("{mean} ± {}", words::decimals(interval.half_width(), places)))
}
