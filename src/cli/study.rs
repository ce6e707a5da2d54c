//! `study`: what a strategy does over many positions.

use std::collections::BTreeMap;
use std::io::Write;
use std::time::Duration;

use serde::Serialize;
use serde_json::{Value, json};

use super::args::StudyArgs;
use super::interrupt::Busy;
use super::table::{cells, json_line, listed, terminal};
use super::values::Format;
use super::{Failure, input};
use crate::analysis::{
    Agreement, Cost, Evidence, Example, Finding, FindingKind, Orders, Position, Sample, Scope,
    Share, Ties, TreeSize, agreement, cost, findings, orders, players, rows_to_order, ties,
    tree_sizes,
};
use crate::evaluator::Evaluator;
use crate::experiment::Estimate;
use crate::game::Rules;
use crate::prose::{self, interval_text, percent};
use crate::strategy::{Player, Strategy};
use crate::table::{Cell, Column, Head, Kind, Table};
use crate::task::{CancelToken, Control};
use crate::words;

/// The default number of positions for comparing strategies of one ply, and strategies that search.
const POSITIONS: [u64; 2] = [2000, 200];

/// Constructed positions for the comparison of orders, for each position of a game.
const CONSTRUCTED: usize = 3;

/// Games whose time is estimated.
const GAMES: u64 = 1000;

/// Groups and orders that are printed as text; JSON has all of them.
const MOST_PRINTED: usize = 20;

struct StudyReport {
    strategy: Strategy,
    evidence: Evidence,
    findings: Vec<Finding>,
    cost: Cost,
    time: Option<Estimate>,
    positions: usize,
    orders: Option<Orders>,
    ties: Option<Vec<Ties>>,
    /// Those of the strategy, and of the one that it is compared with.
    trees: Option<[BTreeMap<u32, TreeSize>; 2]>,
    against: Option<(Strategy, Agreement)>,
}

pub(super) fn study(args: &StudyArgs, out: &mut impl Write) -> Result<(), Failure> {
    let rules = Rules::default();
    let fitting = |flag: &str, strategy: Strategy| match strategy.check_for(rules) {
        Ok(()) => Ok(strategy),
        Err(reason) => Err(Failure::usage(format!(
            "{flag} {}: {reason}",
            strategy.label()
        ))),
    };
    let strategy = fitting(
        "STRATEGY",
        input::strategy_of_flag("STRATEGY", &args.strategy)?,
    )?;
    let against = match &args.against {
        Some(text) => Some(fitting(
            "--against",
            input::strategy_of_flag("--against", text)?,
        )?),
        None => None,
    };

    // An impossible request is refused before minutes of work.
    let orders = (args.orders || args.subsets)
        .then(|| rows_to_order(&strategy, rules))
        .transpose();
    orders.map_err(|error| Failure::usage(format!("--orders: {error}")))?;
    if args.trees && !strategy.looks_ahead() {
        return Err(Failure::usage(format!(
            "--trees: no row of {} searches",
            strategy.label()
        )));
    }
    let busy = Busy::begin();
    let found = StudyReport::gather(args, strategy, against, rules, &busy.stop)?;
    match args.format {
        Format::Text => out.write_all(found.text().as_bytes())?,
        Format::Json => json_line(out, &found.json(args.seed))?,
    }
    out.flush()?;
    if busy.stop.is_cancelled() {
        // After a stop, any part may be missing.
        return Err(Failure::Stopped(
            "; the results so far are printed".to_owned(),
        ));
    }

    Ok(())
}

impl StudyReport {
    fn gather(
        args: &StudyArgs,
        strategy: Strategy,
        against: Option<Strategy>,
        rules: Rules,
        stop: &CancelToken,
    ) -> Result<Self, Failure> {
        let limit = Duration::from_secs_f64(args.seconds);
        let player = Player::new(&strategy, rules);
        let evidence = Evidence::gather(
            &player,
            args.seed,
            u64::MAX,
            Some(limit),
            &Control::quiet(stop),
        );
        let searches = player.searches() || against.as_ref().is_some_and(Strategy::looks_ahead);
        let most = args.positions.unwrap_or(POSITIONS[usize::from(searches)]) as usize;
        let sample = Sample::play(&player, args.seed, most, limit, stop);
        let findings = findings(&strategy, rules, &sample, Some(&evidence), stop);
        let cost = cost(
            &player,
            args.seed,
            limit.min(Duration::from_millis(500)),
            stop,
        );

        // Games that were played are better evidence than the estimate for games of such searches.
        let played = Estimate::of_played(evidence.whole_games(), evidence.took_whole, GAMES);
        let played = played.filter(|_| player.searches());
        let time = played.or_else(|| Estimate::of_games(&strategy, rules, GAMES, 1, stop));
        let scope = if args.subsets {
            Scope::Arrangements
        } else {
            Scope::Permutations
        };
        let wants = (args.orders || args.subsets) && !stop.is_cancelled();
        let orders = wants.then(|| {
            let sample =
                Sample::of_several(&players(&strategy, rules), args.seed, most, limit, stop);
            orders(
                &strategy,
                rules,
                scope,
                &sample,
                CONSTRUCTED * most,
                &Control::quiet(stop),
            )
        });

        let orders = orders
            .transpose()
            .map_err(|error| Failure::could(format!("--orders: {error}")))?;
        let ties = args.ties.then(|| {
            let turns = Sample::turns(&player, args.seed, most, limit, stop);
            ties(&evaluators(&strategy, rules), &turns, stop)
        });
        let trees = args.trees.then(|| {
            let sizes = |player: &Player| tree_sizes(player, &sample.positions, stop);
            [
                sizes(&player),
                against
                    .as_ref()
                    .map(|other| sizes(&Player::new(other, rules)))
                    .unwrap_or_default(),
            ]
        });
        let against = against.map(|other| {
            let agreement = agreement(&player, &Player::new(&other, rules), &sample, stop);
            (other, agreement)
        });
        let positions = sample.positions.len();
        Ok(Self {
            strategy,
            evidence,
            findings,
            cost,
            time,
            positions,
            orders,
            ties,
            trees,
            against,
        })
    }

    fn text(&self) -> String {
        let mut text = format!("{}: {}\n\n", self.strategy.label(), self.games());
        text += &self.rows();
        text += &format!("\n{}\n", self.price());
        for finding in &self.findings {
            text += &format!(
                "\n{}{}\n",
                prose::finding(finding, &self.strategy),
                finding.example.as_ref().map(place).unwrap_or_default()
            );
        }
        if let Some(orders) = &self.orders {
            text += &groups(orders, &self.strategy);
        }
        if let Some(trees) = &self.trees {
            text += &format!("\n{}", terminal(trees_table(trees)));
        }
        if let Some(ties) = &self.ties {
            text += &format!("\n{}", terminal(prose::ties_table(ties)));
        }
        if let Some((other, agreement)) = &self.against {
            text += &phases(agreement, &self.strategy, other);
        }

        text
    }

    /// `3,210 decisions in 8 games of seed 1, 12 moves were forced`.
    fn games(&self) -> String {
        let Evidence {
            seed,
            games,
            is_cut,
            decisions,
            forced,
            ..
        } = &self.evidence;
        let cut = if *is_cut {
            ", the last one incomplete"
        } else {
            ""
        };
        let forced_words = if *forced == 1 {
            "move was"
        } else {
            "moves were"
        };
        format!(
            "{} in {} of seed {seed}{cut}; {} {forced_words} forced",
            words::plural(*decisions, "decision"),
            words::plural(*games, "game"),
            words::count(*forced)
        )
    }

    fn rows(&self) -> String {
        let evidence = &self.evidence;
        let of_all = |same: u64| {
            Cell::from(
                Share {
                    same,
                    n: evidence.decisions,
                }
                .value(),
            )
        };
        let [consulted, decided, tied] =
            ["consulted", "decided", "tied"].map(|title| Head::percent(title, 1));
        let heads = [
            Head::whole("row"),
            Head::text(""),
            consulted,
            decided,
            tied,
            Head::number("moves left", 2),
        ];
        let rows = self
            .strategy
            .criteria
            .iter()
            .zip(&evidence.rows)
            .zip(1_u64..)
            .map(|((criterion, row), number)| {
                let name = criterion.label_with_depth();
                if criterion.off {
                    return cells![
                        number,
                        format!("{name}, off"),
                        Cell::Missing,
                        Cell::Missing,
                        Cell::Missing,
                        Cell::Missing
                    ];
                }
                let [asked, decided, passed] = [row.asked, row.decided, row.passed].map(of_all);
                cells![number, name, asked, decided, passed, row.mean_left()]
            });

        let last = of_all(evidence.last_resort);
        let name = format!("{}, last resort", self.strategy.last_resort);
        listed(
            heads,
            rows.chain([cells!["", name, last.clone(), last, "", ""]]),
        )
    }

    /// `0.35 µs per decision (0.30 µs to 0.41 µs), 2,857,143 per second; 1,000 games take less than 1 s on one core`.
    fn price(&self) -> String {
        let Cost {
            decisions,
            per_decision,
            spread,
            nodes_per_decision,
        } = &self.cost;
        if *decisions == 0 && per_decision.is_zero() {
            return "the time per decision was not measured".to_owned();
        }
        if *decisions == 0 {
            return format!("a decision takes more than {}", micros(*per_decision));
        }

        let speed = self.cost.per_second().map_or(String::new(), |speed| {
            format!(
                ", {} per second",
                words::decimals(speed, usize::from(speed < 100.0))
            )
        });
        let nodes = nodes_per_decision.map_or(String::new(), |nodes| {
            format!(", {} nodes each", words::decimals(nodes, 0))
        });
        let time = self.time.as_ref().map_or(String::new(), |estimate| {
            format!(
                "; {} take {} on one core",
                words::plural(GAMES, "game"),
                prose::how_long(estimate)
            )
        });
        format!(
            "{} per decision ({} to {}){speed}{nodes}{time}",
            micros(*per_decision),
            micros(spread.0),
            micros(spread.1)
        )
    }

    fn json(&self, seed: u64) -> Value {
        let evidence = &self.evidence;
        let rows = self.strategy.criteria.iter().zip(&evidence.rows).map(|(criterion, row)| {
            json!({
                "evaluator": criterion.evaluator.label(), "off": criterion.off, "asked": row.asked,
                "decided": row.decided, "tied": row.passed, "moves_left": row.mean_left(),
                "example": row.example.as_ref().map(PositionJson::of),
            })
        });
        json!({
            "strategy": self.strategy.to_string(),
            "seed": seed,
            "positions": self.positions,
            "evidence": {
                "games": evidence.games, "is_cut": evidence.is_cut, "decisions": evidence.decisions,
                "forced": evidence.forced, "rows": rows.collect::<Vec<_>>(), "last_resort": evidence.last_resort,
            },

            "findings": self.findings.iter().map(|finding| finding_json(finding, &self.strategy)).collect::<Vec<_>>(),
            "cost": {
                "decisions": self.cost.decisions,
                "seconds": self.cost.per_decision.as_secs_f64(),
                "p10": self.cost.spread.0.as_secs_f64(),
                "p90": self.cost.spread.1.as_secs_f64(),
                "nodes": self.cost.nodes_per_decision,
            },

            "orders": self.orders.as_ref().map(|orders| orders_json(orders, &self.strategy)),
            "ties": self.ties.as_ref().map(|ties| ties.iter().map(ties_json).collect::<Vec<_>>()),
            "trees": self.trees.as_ref().map(trees_json),
            "against": self.against.as_ref().map(|(other, agreement)| agreement_json(other, agreement)),
        })
    }
}

/// Those of the rows, and every kind with its default parameters.
fn evaluators(strategy: &Strategy, rules: Rules) -> Vec<Evaluator> {
    let rows = strategy
        .criteria
        .iter()
        .filter(|row| !row.off)
        .map(|row| row.evaluator.clone());
    let mut all: Vec<Evaluator> = Vec::new();
    for evaluator in rows.chain(Evaluator::usual(rules.size)) {
        if !all.contains(&evaluator) {
            all.push(evaluator);
        }
    }
    all
}

/// `91.3 % of 1,000 (89.4 to 92.9)`.
fn share_text(share: Share) -> String {
    let interval = if share.n == 0 {
        String::new()
    } else {
        format!(" ({})", interval_text(share))
    };
    format!("{} of {}{interval}", percent(share), words::count(share.n))
}

fn micros(time: Duration) -> String {
    let micros = time.as_secs_f64() * 1e6;
    match micros {
        micros if micros < 1000.0 => format!("{} µs", words::decimals(micros, 2)),
        micros if micros < 1e6 => format!("{} ms", words::decimals(micros / 1e3, 2)),
        micros => format!("{} s", words::decimals(micros / 1e6, 2)),
    }
}

/// The place of the example, on its own line.
fn place(example: &Example) -> String {
    match example {
        Example::Position { board, .. } => format!("\n  see {board}"),
        Example::Pair { board, image, .. } => format!("\n  see {board}\n  and {image}"),
    }
}

fn groups(orders: &Orders, strategy: &Strategy) -> String {
    let cut = if orders.is_cut {
        format!(" of {}", words::count(orders.all as u64))
    } else {
        String::new()
    };
    let mut text = format!(
        "\n{}{cut} in {}, with no difference within a group on {}\n\n",
        words::plural(orders.orders as u64, "order"),
        words::plural(orders.groups.len() as u64, "group"),
        words::plural(orders.positions as u64, "position")
    );
    let rows = orders.groups.iter().take(MOST_PRINTED).map(|group| {
        let names: Vec<String> = group
            .orders
            .iter()
            .take(MOST_PRINTED)
            .map(|order| order.text(strategy))
            .collect();
        let more = if MOST_PRINTED < group.orders.len() {
            ", …"
        } else {
            ""
        };
        let at = group.differs_at.map(|position| position.board.to_string());
        cells![
            group.orders.len(),
            format!("{}{more}", names.join(", ")),
            at
        ]
    });
    let [names, at] = ["", "differs from the first group at"].map(Head::text);
    text += &listed([Head::whole("orders"), names, at], rows);
    if MOST_PRINTED < orders.groups.len() {
        let more = words::plural((orders.groups.len() - MOST_PRINTED) as u64, "more group");
        text += &format!("and {more}; --format json lists all\n");
    }

    text
}

fn phases(agreement: &Agreement, strategy: &Strategy, other: &Strategy) -> String {
    let mut text = format!(
        "\n{} and {} leave the same moves on {}, and share a move on {}\n\n",
        strategy.label(),
        other.label(),
        share_text(agreement.all),
        share_text(agreement.compatible)
    );

    let by_empty = agreement
        .by_empty
        .iter()
        .map(|(empty, share)| (words::plural(u64::from(*empty), "empty cell"), share));
    let by_largest = agreement
        .by_largest
        .iter()
        .map(|(rank, share)| (format!("largest tile {rank}"), share));
    let rows = by_empty
        .chain(by_largest)
        .map(|(phase, share)| (phase, *share));
    let mut columns = vec![Column::titled(
        Kind::Text,
        "",
        |(phase, _): &(String, Share)| phase.clone(),
    )];
    columns.extend(prose::share_columns(
        "same",
        [
            "same",
            "Share of positions with the same decision, 95 % interval",
        ],
        "positions",
        |(_, share): &(String, Share)| Some(*share),
    ));
    text += &terminal(Table::of(&columns, rows));
    if let Some(position) = agreement.disagreements.first() {
        text += &format!("first difference at {}\n", position.board);
    }
    text
}

#[derive(Serialize)]
struct PositionJson {
    board: String,
    score: u64,
    game: u64,
    moves: u32,
}

impl PositionJson {
    fn of(position: &Position) -> Self {
        let Position {
            board,
            score,
            game,
            moves,
            ..
        } = position;
        Self {
            board: board.to_string(),
            score: *score,
            game: *game,
            moves: *moves,
        }
    }
}

fn finding_json(finding: &Finding, strategy: &Strategy) -> Value {
    let kind = match finding.kind {
        FindingKind::NeverReached => "never_reached",
        FindingKind::Constant => "constant",
        FindingKind::Repeats => "repeats",
        FindingKind::NotSymmetric => "not_symmetric",
        FindingKind::TolerantBeyondRange => "tolerant_beyond_range",
        FindingKind::Odd => "odd",
    };
    let example = finding.example.as_ref().map(|example| match example {
        Example::Position { board, score } => json!({ "board": board.to_string(), "score": score }),
        Example::Pair { board, image, values, symmetry } => {
            json!({ "board": board.to_string(), "image": image.to_string(), "values": [values.0, values.1], "how": symmetry.name() })
        }
    });
    json!({ "row": finding.row, "kind": kind, "reason": prose::finding(finding, strategy), "example": example })
}

fn orders_json(orders: &Orders, strategy: &Strategy) -> Value {
    let groups = orders.groups.iter().map(|group| {
        json!({
            "orders": group.orders.iter().map(|order| &order.0).collect::<Vec<_>>(),
            "names": group.orders.iter().map(|order| order.text(strategy)).collect::<Vec<_>>(),
            "differs_at": group.differs_at.map(|at| json!({ "board": at.board.to_string(), "score": at.score })),
        })
    });
    json!({
        "positions": orders.positions, "compared": orders.orders, "all": orders.all,
        "groups": groups.collect::<Vec<_>>(),
    })
}

fn agreement_json(other: &Strategy, agreement: &Agreement) -> Value {
    let by_empty = agreement
        .by_empty
        .iter()
        .map(|(empty, share)| json!({ "empty": empty, "share": share_json(*share) }));
    let by_largest = agreement
        .by_largest
        .iter()
        .map(|(rank, share)| json!({ "largest": rank.tile(), "share": share_json(*share) }));
    json!({
        "strategy": other.to_string(),
        "same": share_json(agreement.all),
        "compatible": share_json(agreement.compatible),
        "by_empty": by_empty.collect::<Vec<_>>(),
        "by_largest": by_largest.collect::<Vec<_>>(),
        "disagreements": agreement.disagreements.iter().map(PositionJson::of).collect::<Vec<_>>(),
    })
}

/// A row for each number of empty cells.
fn trees_table(trees: &[BTreeMap<u32, TreeSize>; 2]) -> Table {
    let [own, other] = trees;
    let mean = |sizes: &BTreeMap<u32, TreeSize>, empty: u32| {
        sizes.get(&empty).and_then(|size| size.mean())
    };
    let mut columns = vec![
        Column::whole(
            "empty",
            "empty cells",
            "Empty cells of the board to move",
            |empty: &u32| *empty,
        ),
        Column::whole(
            "decisions",
            "decisions",
            "Decisions on such boards",
            |empty: &u32| own[empty].decisions,
        ),
        Column::number(
            "nodes",
            "nodes",
            "Mean nodes of a decision with empty tables",
            |empty: &u32| mean(own, *empty),
        ),
    ];
    if !other.is_empty() {
        let about = "The same of the other strategy";
        columns.push(Column::number(
            "against",
            "nodes of the other",
            about,
            |empty: &u32| mean(other, *empty),
        ));
    }
    Table::of(&columns, own.keys().copied())
}

fn trees_json(trees: &[BTreeMap<u32, TreeSize>; 2]) -> Value {
    let [own, other] = trees;
    let size_row = |(empty, size): (&u32, &TreeSize)| {
        let against = other.get(empty).and_then(|size| size.mean());
        json!({ "empty": empty, "decisions": size.decisions, "nodes": size.mean(), "against": against })
    };
    own.iter().map(size_row).collect()
}

fn ties_json(ties: &Ties) -> Value {
    let Ties {
        evaluator,
        tied,
        opposite,
        harmful,
    } = ties;
    json!({
        "evaluator": evaluator.label(), "tied": share_json(*tied), "opposite": share_json(*opposite),
        "harmful": share_json(*harmful),
    })
}

fn share_json(share: Share) -> Value {
    let ci95 = share
        .interval()
        .map(|interval| [interval.low, interval.high]);
    json!({ "same": share.same, "n": share.n, "share": share.value(), "ci95": ci95 })
}
