//! Does the path from a review to a rerun make strategies better?
//!
//! For some shipped strategies that play fast, games are played and reviewed. The worst move that a row decided is
//! taken, the five simplest edits of that row are tried on the same seeds, and the best edit plays new games against
//! the original strategy. This is done with the worst move by the judge (the shipped network), with the worst by the
//! strategy itself ([`afterstate::review::OwnPlay`]) and, as a control without any review, with a random move.
//!
//! `cargo bench --bench review -- [STRATEGIES] [THREADS] [MOVES]` prints a table in Markdown; with MOVES, that many of
//! the worst moves of the games are taken, at most one of each game. The figures are in the guide,
//! `src/guide/review.md`.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Instant;

use afterstate::experiment::{Pair, Plan, Run};
use afterstate::game::{Move, Rules, Seed};
use afterstate::preset::{Preset, ShippedStrategy};
use afterstate::review::{Blame, Decider, Judge, OwnFinding, OwnPlay, Points, Review};
use afterstate::search::{DepthLimited, Lookahead, Plies, SearchOptions};
use afterstate::stats::wilson;
use afterstate::strategy::{Decision, GameTrace, Player, Prefer, Strategy};
use afterstate::task::{CancelToken, Control};
use afterstate::words;

/// The shipped network, two moves ahead: three moves ahead take ten times as long.
const JUDGE: &str =
    "(criteria: [(evaluator: Network(\"reference\"), lookahead: Expectimax(plies: Fixed(3)))])";
/// Reviewed games of each strategy.
const GAMES: u64 = 20;
/// Games for choosing among the edits, and new games for measuring the chosen one.
const TRIAL: u64 = 100;
const FRESH: u64 = 300;
/// Moves of each game that the strategy itself judges: those with the largest losses by the judge.
const OWN: usize = 5;
const EDITS: usize = 5;
/// A strategy with longer games on average is left out: the whole benchmark plays some tens of thousands of its games.
const SLOWEST_SECS: f64 = 0.005;
/// The games for reviews, for choosing and for measuring have no seed in common.
const SEEDS: [u64; 3] = [101, 202, 303];

fn main() {
    // Cargo adds --bench.
    let given = std::env::args().skip(1).filter(|text| text != "--bench");
    let mut numbers = given.map(|text| {
        text.parse::<usize>()
            .unwrap_or_else(|_| panic!("not a number: {text}"))
    });
    let mut number = |usual| numbers.next().unwrap_or(usual);
    let [count, threads, most] = [20, 2, 1].map(&mut number);
    assert!(
        numbers.next().is_none(),
        "at most three numbers: STRATEGIES THREADS MOVES"
    );

    let rules = Rules::default();
    let judge: Strategy = JUDGE.parse().expect("a strategy");
    let judge = Arc::new(Judge::of(&judge, rules).expect("a judge"));
    let fast: Vec<&ShippedStrategy> = ShippedStrategy::all()
        .iter()
        .filter(|one| is_fast(&one.strategy, rules))
        .collect();
    let chosen =
        (0..count.min(fast.len())).map(|place| fast[place * fast.len() / count.min(fast.len())]);
    println!(
        "| strategy | mean | edit by the judge | gain | edit by itself | gain | edit by chance | gain |\n|---|--:|---|--:|---|--:|---|--:|"
    );

    let (mut better, mut worse, mut all) = ([0; 3], [0; 3], 0);
    for shipped in chosen {
        let strategy = (*shipped.strategy).clone();
        let moves = worst_moves(&strategy, &judge, threads).map(|mut moves| {
            moves.sort_by(|one, other| other.weight.total_cmp(&one.weight));
            moves.truncate(most);
            moves
        });
        let tried = moves.map(|moves| try_edits(&strategy, &moves, threads));
        all += 1;
        let cell = |tried: &Option<Tried>| match tried {
            Some(tried) => format!(
                "{} | {} ± {}{}",
                tried.edit,
                words::signed(tried.gain, 0),
                words::decimals(tried.half, 0),
                tried.mark()
            ),
            None => "none | –".to_owned(),
        };

        for (side, tried) in tried.iter().enumerate() {
            let Some(tried) = tried else { continue };
            better[side] += u64::from(tried.half < tried.gain);
            worse[side] += u64::from(tried.gain < -tried.half);
        }

        let mean = tried
            .iter()
            .flatten()
            .next()
            .map_or_else(|| "–".to_owned(), |tried| words::decimals(tried.before, 0));
        println!(
            "| {} | {mean} | {} |",
            strategy.label(),
            tried.each_ref().map(cell).join(" | ")
        );
    }

    for (side, by) in ["the judge", "the strategy itself", "chance"]
        .into_iter()
        .enumerate()
    {
        let ends = wilson(better[side], all).expect("a strategy was tried");
        println!(
            "\nBy {by}: {} of {all} strategies surely better (95 % interval of the share: {} to {} %), {} surely worse.",
            better[side],
            words::decimals(100.0 * ends.low, 0),
            words::decimals(100.0 * ends.high, 0),
            worse[side]
        );
    }
}

fn is_fast(strategy: &Strategy, rules: Rules) -> bool {
    // One game of a search may take minutes.
    if strategy.check_for(rules).is_err() || !strategy.is_reproducible() || strategy.takes_time() {
        return false;
    }
    let (player, begun) = (Player::new(strategy, rules), Instant::now());
    let played = (0..4_u32).take_while(|&game| {
        player.play(
            &Seed(1).game(game.into()),
            SearchOptions::default(),
            &mut (),
        );
        begun.elapsed().as_secs_f64() < 4.0 * SLOWEST_SECS
    });
    played.count() == 4
}

/// A move that lost something, with the row that decided it.
struct WorstMove {
    board: afterstate::game::Board,
    score: u64,
    best: Move,
    row: usize,
    /// How bad the move is.
    weight: f64,
}

/// One move of each game that a row decided: the worst by the judge, the worst by the strategy itself, and a random
/// one.
fn worst_moves(strategy: &Strategy, judge: &Arc<Judge>, threads: usize) -> [Vec<WorstMove>; 3] {
    let rules = judge.rules();
    let (player, decider) = (
        Player::new(strategy, rules),
        Decider::new(strategy, rules).expect("it plays"),
    );
    let control = Control::default();
    let mut worst = [const { Vec::new() }; 3];
    for index in 0..GAMES {
        let record = GameTrace::record(
            &player,
            Seed(SEEDS[0]),
            index,
            strategy,
            SearchOptions::default(),
        );
        let mut review = Review::new(record, judge.clone());
        review
            .go_on(Some(&decider), threads, &control, &mut |_| {})
            .expect("values");
        let row_of = |review: &Review, index: usize| match review.blame(index) {
            Some(Blame::Row(row)) => Some(usize::from(row)),
            _ => None,
        };

        let decided: Vec<usize> = review
            .worst(usize::MAX)
            .into_iter()
            .filter(|&index| row_of(&review, index).is_some())
            .collect();
        let own_moves = &decided[..decided.len().min(OWN)];
        review
            .ask_player(&decider, own_moves, threads, &control, &mut |_| {})
            .expect("threads");
        let gain = |index: &usize| {
            review
                .own_play(*index)
                .and_then(OwnPlay::gain)
                .unwrap_or(f64::NEG_INFINITY)
        };
        let sure = own_moves.iter().filter(|&&index| {
            review
                .own_play(index)
                .is_some_and(|own| own.finding() == OwnFinding::Better)
        });
        let by_itself = sure.max_by(|one, other| gain(one).total_cmp(&gain(other)));
        for (side, found) in [decided.first(), by_itself].into_iter().enumerate() {
            let Some(&index) = found else { continue };
            let (verdict, row) = (
                review.verdict(index).expect("judged"),
                row_of(&review, index).expect("decided"),
            );
            assert!(Points::ZERO < verdict.loss);
            let (board, score) = (verdict.before.board, verdict.before.score);
            let weight = if side == 0 {
                verdict.loss.to_f64()
            } else {
                gain(&index)
            };
            worst[side].push(WorstMove {
                board,
                score,
                best: verdict.best,
                row,
                weight,
            });
        }

        worst[2].extend(by_chance(&review, &decider, index));
    }

    worst
}

/// A random move of the game that a row decided against another one.
fn by_chance(review: &Review, decider: &Decider, game: u64) -> Option<WorstMove> {
    let chance = Seed(SEEDS[0]).game(game);
    (0..1000).find_map(|draw| {
        let index = chance.tie(draw, review.moves());
        let (before, played) = (review.moments()[index], review.record().steps[index].mv);
        let others: Vec<Move> = before
            .board
            .legal_moves()
            .into_iter()
            .filter(|&mv| mv != played)
            .collect();
        let other = *others.get(chance.tie(1000 + draw, others.len().max(1)))?;
        let Blame::Row(row) = decider
            .fallen(&before, played, &CancelToken::new())?
            .blame(played, other)
        else {
            return None;
        };
        Some(WorstMove {
            board: before.board,
            score: before.score,
            best: other,
            row: row.into(),
            weight: 0.0,
        })
    })
}

/// The best edit, and its gain on new games.
struct Tried {
    edit: String,
    before: f64,
    gain: f64,
    half: f64,
}

impl Tried {
    fn mark(&self) -> &'static str {
        match () {
            () if self.half < self.gain => " better",
            () if self.gain < -self.half => " worse",
            () => "",
        }
    }
}

fn try_edits(strategy: &Strategy, moves: &[WorstMove], threads: usize) -> Option<Tried> {
    let mut seen = HashSet::new();
    let all: Vec<(String, Strategy)> = moves
        .iter()
        .flat_map(|worst| edits(strategy, worst))
        .collect();
    let all: Vec<(String, Strategy)> = all
        .into_iter()
        .filter(|(_, edited)| seen.insert(edited.hash()))
        .collect();
    let edited: Vec<Strategy> = all.iter().map(|(_, edited)| edited.clone()).collect();
    if edited.is_empty() {
        return None;
    }

    let trial = played(edited.clone(), SEEDS[1], TRIAL, threads);
    let mean = |place: &usize| {
        let games = trial.games();
        (0..TRIAL)
            .filter_map(|game| games.game(*place, game))
            .map(|game| f64::from(game.score))
            .sum::<f64>()
    };
    let best = (0..edited.len()).max_by(|one, other| mean(one).total_cmp(&mean(other)))?;
    let fresh = played(
        vec![edited[best].clone(), strategy.clone()],
        SEEDS[2],
        FRESH,
        threads,
    );
    let mut pair = Pair::default();
    while fresh.games().follow([0, 1], &mut pair, u64::MAX) {}
    let interval = pair.interval(fresh.plan().planned())?;
    let before = pair.scores.means()?[1];
    Some(Tried {
        edit: all[best].0.clone(),
        before,
        gain: pair.difference()?,
        half: interval.half_width(),
    })
}

fn played(strategies: Vec<Strategy>, seed: u64, games: u64, threads: usize) -> Run {
    let named = strategies
        .into_iter()
        .enumerate()
        .map(|(place, one)| Strategy {
            name: format!("{place}"),
            ..one
        });
    let preset = Preset {
        seed,
        games,
        ..Preset::new("edits", named)
    };
    let plan = Plan {
        threads: Some(threads),
        ..Plan::of_preset(&preset)
    };
    let run = Run::start(plan, || {}).expect("a sound plan");
    run.wait();
    run
}

/// The simplest edits of the row that rejected the better move, the simplest first.
fn edits(strategy: &Strategy, worst: &WorstMove) -> Vec<(String, Strategy)> {
    let (rows, row) = (strategy.criteria.len(), worst.row);
    let name = strategy.numbered_label(row);
    let changed = |text: &str, change: &dyn Fn(&mut Strategy)| {
        let mut edited = strategy.clone();
        change(&mut edited);
        (format!("{name}: {text}"), edited)
    };
    let mut all = Vec::new();
    if 1 < rows {
        all.push(changed("removed", &|edited| {
            drop(edited.criteria.remove(row));
        }));
    }
    if 0 < row {
        all.push(changed("one up", &|edited| {
            edited.criteria.swap(row, row - 1);
        }));
    }
    if row + 1 < rows {
        all.push(changed("one down", &|edited| {
            edited.criteria.swap(row, row + 1);
        }));
    }

    if let Some(gap) = gap(strategy, worst) {
        let tolerance = format!("ε {}", words::value(gap));
        all.push(changed(&tolerance, &|edited| {
            edited.criteria[row].tolerance = gap;
        }));
    }

    if strategy.criteria[row].lookahead == Lookahead::OnePly {
        let search = DepthLimited {
            plies: Some(Plies::Fixed(2)),
            ..DepthLimited::default()
        };
        let deeper = Lookahead::DepthLimited(search);
        all.push(changed("2 plies", &|edited| {
            edited.criteria[row].lookahead = deeper.clone();
        }));
    }

    let other = if strategy.criteria[row].prefer == Prefer::Higher {
        Prefer::Lower
    } else {
        Prefer::Higher
    };
    all.push(changed("the other way round", &|edited| {
        edited.criteria[row].prefer = other;
    }));
    for setting in strategy
        .settings()
        .into_iter()
        .filter(|setting| setting.row == row && !setting.is_whole)
    {
        for (times, text) in [(2.0, "doubled"), (0.5, "halved")] {
            if let Ok(edited) = strategy.with_setting(&setting, times * setting.value) {
                all.push((format!("{name}: {} {text}", setting.name), edited));
            }
        }
    }
    all.retain(|(_, edited)| {
        edited.hash() != strategy.hash() && edited.check_for(Rules::default()).is_ok()
    });
    all.truncate(EDITS);
    all
}

/// The tolerance at which the row keeps the better move.
fn gap(strategy: &Strategy, worst: &WorstMove) -> Option<f64> {
    let player = Player::new(strategy, Rules::default());
    let decision = Decision::now(&player, &worst.board, worst.score, |_| 0);
    let value = |mv: Move| decision.moves[mv].as_ref()?.values[worst.row];
    let better = value(worst.best)?;
    let gaps = Move::ALL
        .into_iter()
        .filter_map(value)
        .map(|other| (other - better).abs());
    let gap = gaps.fold(0.0, f64::max);
    (0.0 < gap && gap.is_finite()).then_some(gap)
}
