//! Which orders of the rows are indistinguishable.
//!
//! The subset of moves that a row keeps depends only on the set it is given. So each row is evaluated once on a
//! position, for all legal moves, and the subset it keeps of every set is stored; the result of an order follows from
//! these tables. Rows whose values depend on the other moves (alpha-beta, limits) are evaluated for each set.
//!
//! Orders with the same decisions in the games of one strategy may differ in those of another, and differences are often
//! rare. So the positions come from games of several strategies ([`players`]) and from a search for counterexamples
//! ([`Construction`]). Neither proves that orders are the same, only that no position distinguished them.

use std::cmp::Reverse;
use std::collections::HashSet;
use std::hash::Hash;
use std::sync::Arc;

use itertools::Itertools as _;

use super::construction::{Construction, Draws};
use super::{Sample, Scored};
use crate::evaluator::Values;
use crate::game::{GameSeed, Move, Moves, Rules, Seed, Spawn};
use crate::search::{Lookahead, SearchOptions};
use crate::strategy::{ChoiceTrace, Criterion, Observer, Player, Strategy, StrategyError, Turn};
use crate::task::{CancelToken, Control};

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Scope {
    /// Every order of all rows that are on: n! of n.
    #[default]
    Permutations,
    /// Every order of every subset, as Algorithm 3 of Kohler, Migler and Khosmood 2019: 65 of four letters.
    Arrangements,
}

/// Rows of a strategy in some order: their places in the stack, from 0, first applied first.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct RowOrder(pub Vec<usize>);

/// Orders that no position distinguished.
#[derive(Clone, PartialEq, Debug)]
pub struct Group {
    pub base: Arc<Strategy>,
    /// The stack's own is the first, if it is here.
    pub orders: Vec<RowOrder>,
    /// A position where this group and the stack's own order leave different moves; `None` for the stack's own group.
    pub differs_at: Option<Scored>,
}

#[derive(Clone, PartialEq, Debug, Default)]
pub struct Orders {
    /// The group of the stack's own order first, then the largest; groups that games divided stay in place of the
    /// original.
    pub groups: Vec<Group>,
    /// The number of positions on which the orders were compared, constructed ones included.
    pub positions: usize,
    pub orders: usize,
    pub all: usize,
    /// Whether there are more orders than were compared.
    pub is_cut: bool,
}

#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum OrdersError {
    #[error(transparent)]
    Strategy(#[from] StrategyError),
    #[error(
        "row {} has a time limit, so its decisions depend on the speed of the machine: limit nodes or plies instead to \
         compare orders",
        .row + 1
    )]
    Timed { row: usize },
}

/// Which orders of a group play the same games.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Confirmation {
    /// Games that were played under every order.
    pub games: u64,
    /// The whole group, or its parts: the first part plays as its first order does.
    pub parts: Vec<Part>,
}

/// Orders that play the same games.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Part {
    /// Their places in [`Group::orders`].
    pub orders: Vec<usize>,
    /// `None` for the part that plays as the first order of the group.
    pub parted: Option<Parting>,
}

/// Where orders of a group leave different moves in a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Parting {
    pub game: u64,
    /// The order it differs from, as its place in [`Group::orders`].
    pub from: usize,
    pub at: Scored,
}

impl RowOrder {
    /// The letters of the rows if they have some, such as `emr`, otherwise the row numbers from 1: `3 1 2`.
    pub fn text(&self, base: &Strategy) -> String {
        let strategy = self.of(base);
        strategy.letters().unwrap_or_else(|| {
            if self.0.is_empty() {
                "no row".to_owned()
            } else {
                self.0.iter().map(|row| row + 1).join(" ")
            }
        })
    }

    /// The strategy with its rows in this order. Rows that are off always follow.
    pub fn of(&self, base: &Strategy) -> Strategy {
        let on = self.0.iter().filter_map(|&row| base.criteria.get(row));
        let off = base.criteria.iter().filter(|criterion| criterion.off);
        let mut strategy = Strategy {
            criteria: on.chain(off).cloned().collect(),
            ..base.clone()
        };
        if strategy.hash() != base.hash() {
            strategy.parent = Some(base.hash());
            strategy.name = strategy.letters().unwrap_or_default();
        }
        strategy
    }
}

impl Group {
    pub fn strategies(&self) -> impl Iterator<Item = Strategy> + '_ {
        self.orders.iter().map(|order| order.of(&self.base))
    }
}

/// The most orders that are compared: all of seven rows, subsets included.
const MOST_ORDERS: usize = 13_700;

/// How many orders are drawn if there are more.
const DRAWN: usize = 5_040;

/// How many draws may fail to give a new order before the search for one is given up.
const TRIES: u32 = 1_000;

/// Players whose games show differences between orders: the rows in their own order and reversed, each row alone, Empty
/// and Monotonicity, and random play. All look one ply ahead, which is fast.
pub fn players(strategy: &Strategy, rules: Rules) -> Vec<Player> {
    let rows = strategy.criteria.iter().filter(|criterion| !criterion.off);
    let rows: Vec<Criterion> = rows
        .map(|row| Criterion {
            lookahead: Lookahead::OnePly,
            ..row.clone()
        })
        .collect();
    let alone = rows.iter().map(|row| vec![row.clone()]);
    let others = [Strategy::shallow().criteria, Vec::new()];
    let lists = [rows.clone(), rows.iter().rev().cloned().collect()]
        .into_iter()
        .chain(alone)
        .chain(others);
    let strategies = lists.map(|criteria| Strategy {
        criteria,
        ..strategy.clone()
    });
    strategies
        .unique_by(Strategy::hash)
        .map(|strategy| Player::new(&strategy, rules))
        .collect()
}

/// Compares the orders by the moves they leave to the last resort, on a sample and on `constructed` more positions.
/// These are made by changing cells of positions that showed something new. If there are too many orders, 5,040 are
/// drawn with the seed of the sample. If it is stopped, it returns the results so far.
pub fn orders(
    strategy: &Strategy,
    rules: Rules,
    scope: Scope,
    sample: &Sample,
    constructed: usize,
    control: &Control,
) -> Result<Orders, OrdersError> {
    let on = rows_to_order(strategy, rules)?;
    let listed = listed(on.len(), scope, sample.seed);
    let (all, compared) = (how_many(on.len(), scope), listed.len());
    let (seen, telling) = (HashSet::new(), Vec::new());
    let player = Player::new(strategy, rules);
    let mut comparison = Comparison {
        strategy,
        player,
        on: &on,
        groups: vec![listed],
        seen,
        telling,
    };
    let positions = comparison.look_at_all(rules, sample, constructed, control);
    let own: Vec<usize> = (0..on.len()).collect();
    let mut groups = std::mem::take(&mut comparison.groups);
    for group in &mut groups {
        group.sort_unstable_by_key(|order| (*order != own, order.len(), order.clone()));
    }
    groups.sort_unstable_by_key(|group| (group[0] != own, Reverse(group.len()), group[0].clone()));
    let base = Arc::new(strategy.clone());
    let group = |orders: &Vec<Vec<usize>>| Group {
        base: Arc::clone(&base),
        orders: orders
            .iter()
            .map(|order| RowOrder(order.iter().map(|&slot| on[slot]).collect()))
            .collect(),
        differs_at: comparison.told_apart_at(&own, &orders[0]),
    };

    let groups = groups.iter().map(group).collect();
    Ok(Orders {
        groups,
        positions,
        orders: compared,
        all,
        is_cut: compared < all,
    })
}

/// The rows that are on, if their orders can be compared at all.
pub fn rows_to_order(strategy: &Strategy, rules: Rules) -> Result<Vec<usize>, OrdersError> {
    strategy.check_for(rules)?;
    let on: Vec<usize> = (0..strategy.criteria.len())
        .filter(|&row| !strategy.criteria[row].off)
        .collect();
    match on
        .iter()
        .find(|&&row| !strategy.criteria[row].lookahead.is_reproducible())
    {
        Some(&row) => Err(OrdersError::Timed { row }),
        None => Ok(on),
    }
}

/// The number of orders: n!, or Σ n!/k! over k from 0 to n.
fn how_many(rows: usize, scope: Scope) -> usize {
    let falling = |length: usize| (rows - length + 1..=rows).fold(1, usize::saturating_mul);
    match scope {
        Scope::Permutations => falling(rows),
        Scope::Arrangements => (0..=rows).map(falling).fold(0, usize::saturating_add),
    }
}

/// All orders, or those that are drawn, of the numbers below `rows`; the stack's own first.
fn listed(rows: usize, scope: Scope, seed: u64) -> Vec<Vec<usize>> {
    let own: Vec<usize> = (0..rows).collect();
    if how_many(rows, scope) <= MOST_ORDERS {
        let shortest = if scope == Scope::Permutations {
            rows
        } else {
            0
        };
        let all = (shortest..=rows).flat_map(|length| (0..rows).permutations(length));
        return all.sorted_by_key(|order| *order != own).collect();
    }

    let mut all = vec![own.clone()];
    let mut seen: HashSet<Vec<usize>> = all.iter().cloned().collect();
    // Arrangements that leave k rows out are n!/k! of all.
    let weights: Vec<f64> = match scope {
        Scope::Permutations => vec![1.0],
        Scope::Arrangements => (1..=rows).fold(vec![1.0], |mut weights, k| {
            weights.push(weights[k - 1] / k as f64);
            weights
        }),
    };

    let mut draws = Draws::new(seed);
    let mut in_vain = 0;
    while all.len() < DRAWN && in_vain < TRIES {
        let mut order = own.clone();
        for left in (1..rows).rev() {
            order.swap(left, draws.below(left + 1));
        }
        let mut at = draws.fraction() * weights.iter().sum::<f64>();
        let left_out = weights.iter().position(|weight| {
            at -= weight;
            at < 0.0
        });
        order.truncate(rows - left_out.unwrap_or(0));
        if seen.insert(order.clone()) {
            in_vain = 0;
            all.push(order);
        } else {
            in_vain += 1;
        }
    }

    all
}

/// Compares orders on one position after another: orders that leave the same moves stay in one group.
struct Comparison<'a> {
    strategy: &'a Strategy,
    player: Player,
    /// The rows that are on.
    on: &'a [usize],
    /// Orders as places in `on`, grouped by the decisions so far.
    groups: Vec<Vec<Vec<usize>>>,
    /// The tables of the rows on the positions so far; a known table distinguishes no further orders.
    seen: HashSet<Vec<[Moves; 16]>>,
    /// Positions that distinguished orders, with the tables of the rows there.
    telling: Vec<(Scored, Moves, Vec<[Moves; 16]>)>,
}

impl Comparison<'_> {
    /// Examines a sample and the number of constructed positions; returns how many positions it examined.
    fn look_at_all(
        &mut self,
        rules: Rules,
        sample: &Sample,
        constructed: usize,
        control: &Control,
    ) -> usize {
        let all = sample.positions.len() + constructed;
        let mut construction = Construction::new(rules, sample.seed);
        let mut positions = sample.positions.iter().map(Scored::of);
        control.begin("", "position", all as u64);
        for done in 0..all {
            control.report(done as u64);
            let Some(position) = positions.next().or_else(|| construction.next()) else {
                return done;
            };
            match self.look_at(position, control.token()) {
                Some(true) => construction.vary_from(position),
                Some(false) => {}
                None => return done,
            }
            if !control.pass() {
                return done + 1;
            }
        }

        control.report(all as u64);
        all
    }

    /// Whether the rows behave there in a new way; `None` if it was cancelled.
    fn look_at(&mut self, position: Scored, stop: &CancelToken) -> Option<bool> {
        let legal = position.board.legal_moves();
        let kept_by_slot =
            of_position(self.strategy, &self.player, self.on, &position, legal, stop)?;
        if self.seen.contains(&kept_by_slot) {
            return Some(false);
        }
        let (groups, before) = (std::mem::take(&mut self.groups), self.groups.len());
        self.groups = groups
            .into_iter()
            .flat_map(|group| split(group, |order| left_by(order, legal, &kept_by_slot)))
            .collect();
        if before < self.groups.len() {
            self.telling.push((position, legal, kept_by_slot.clone()));
        }
        self.seen.insert(kept_by_slot);
        Some(true)
    }

    /// The first position on which two orders leave different moves.
    fn told_apart_at(&self, one: &[usize], other: &[usize]) -> Option<Scored> {
        let differs = |(_, legal, kept_by_slot): &&(Scored, Moves, Vec<[Moves; 16]>)| {
            left_by(one, *legal, kept_by_slot) != left_by(other, *legal, kept_by_slot)
        };
        self.telling
            .iter()
            .find(differs)
            .map(|(position, ..)| *position)
    }
}

/// The moves that an order leaves, given what each row keeps of each set.
fn left_by(order: &[usize], legal: Moves, kept_by_slot: &[[Moves; 16]]) -> Moves {
    order.iter().fold(legal, |left, &slot| {
        kept_by_slot[slot][usize::from(left.bits())]
    })
}

/// The parts of a group whose members have the same key, in the order of their first members.
fn split<T, K: Eq + Hash>(group: Vec<T>, key: impl Fn(&T) -> K) -> Vec<Vec<T>> {
    if group.iter().map(&key).all_equal() {
        return vec![group];
    }
    let mut parts: Vec<(K, Vec<T>)> = Vec::new();
    for member in group {
        let key = key(&member);
        match parts.iter_mut().find(|(part_key, _)| *part_key == key) {
            Some((_, part)) => part.push(member),
            None => parts.push((key, vec![member])),
        }
    }
    parts.into_iter().map(|(_, part)| part).collect()
}

/// What each row keeps of all sets of moves that some order leaves before it; `None` if it was cancelled.
fn of_position(
    strategy: &Strategy,
    player: &Player,
    on: &[usize],
    position: &Scored,
    legal: Moves,
    stop: &CancelToken,
) -> Option<Vec<[Moves; 16]>> {
    let options = SearchOptions::on_one_core(stop);
    let ask = |row: usize, among: Moves| {
        player
            .criterion(row)?
            .values(&position.board, position.score, among, options)
    };
    let identity: [Moves; 16] = std::array::from_fn(|bits| Moves::from_bits(bits as u8));
    let mut kept_by_slot = vec![identity; on.len()];
    // A single evaluation for all sets, if the result does not depend on the set: alpha-beta gives bounds for moves
    // that cannot be best, and a search with a limit looks deeper if there are fewer moves.
    let mut answers: Vec<Option<Values>> = Vec::new();
    for &row in on {
        let lookahead = &strategy.criteria[row].lookahead;
        let once = !legal.is_decided() && !lookahead.minds_the_others() && !lookahead.has_window();
        answers.push(if once { Some(ask(row, legal)?) } else { None });
    }

    let mut waiting = vec![legal];
    let mut met = [false; 16];
    while let Some(set) = waiting.pop() {
        let bits = usize::from(set.bits());
        if set.is_decided() || std::mem::replace(&mut met[bits], true) {
            continue;
        }
        for (slot, &row) in on.iter().enumerate() {
            let answer = match answers[slot] {
                Some(answer) => answer,
                None => ask(row, set)?,
            };
            kept_by_slot[slot][bits] = player.criterion(row)?.keep(&answer, set);
            waiting.push(kept_by_slot[slot][bits]);
        }
    }

    Some(kept_by_slot)
}

impl Orders {
    /// Replaces a group by the parts that games have found.
    pub fn split(&mut self, group: usize, confirmation: &Confirmation) {
        let Some(Group {
            base,
            orders,
            differs_at,
        }) = self.groups.get(group).cloned()
        else {
            return;
        };
        let of_part = |part: &Part| Group {
            base: Arc::clone(&base),
            orders: part
                .orders
                .iter()
                .filter_map(|&order| orders.get(order).cloned())
                .collect(),
            // The group of the stack's own order still has no differing position.
            differs_at: differs_at.or_else(|| part.parted.as_ref().map(|parting| parting.at)),
        };
        self.groups
            .splice(group..=group, confirmation.parts.iter().map(of_part));
    }
}

/// Plays games 0 to `games` − 1 of `seed` under every order of a group, and divides it where they differ. A game that a
/// stop interrupts does not count.
pub fn confirm(
    group: &Group,
    rules: Rules,
    seed: u64,
    games: u64,
    control: &Control,
) -> Confirmation {
    let players: Vec<Player> = group
        .strategies()
        .map(|strategy| Player::new(&strategy, rules))
        .collect();
    let (whole, stop) = (
        Part {
            orders: (0..players.len()).collect(),
            parted: None,
        },
        control.token(),
    );
    control.begin("", "game", games);
    let mut confirmation = Confirmation {
        games: 0,
        parts: vec![whole],
    };
    for game in 0..games {
        let chance = Seed(seed).game(game);
        let mut index = 0;
        // After a division the first half is played again, then the other.
        while let Some(part) = confirmation.parts.get(index) {
            match parting(&players, &part.orders, &chance, stop) {
                Some((other, at)) => {
                    let halves = halves(
                        &players,
                        part,
                        other,
                        Parting {
                            game,
                            from: part.orders[0],
                            at,
                        },
                        stop,
                    );
                    if stop.is_cancelled() {
                        return confirmation;
                    }
                    confirmation.parts.splice(index..=index, halves);
                }
                None => index += 1,
            }
        }
        if stop.is_cancelled() {
            break;
        }
        confirmation.games += 1;
        control.report(confirmation.games);
        if !control.pass() {
            break;
        }
    }

    confirmation
}

/// The first order with a move that differs from that of the first order, and the position; `None` also if it is
/// cancelled.
fn parting(
    players: &[Player],
    orders: &[usize],
    chance: &GameSeed,
    stop: &CancelToken,
) -> Option<(usize, Scored)> {
    let (first, others) = orders.split_first()?;
    if others.is_empty() {
        return None;
    }
    let options = SearchOptions::on_one_core(stop);
    let mut writer = ScriptTrace::default();
    players[*first].play(chance, options, &mut writer);
    others.iter().find_map(|&other| {
        let mut follower = ScriptTrace {
            script: Some(&writer.moves),
            ..ScriptTrace::default()
        };
        players[other].play(chance, options, &mut follower);
        follower
            .parted
            .filter(|_| !stop.is_cancelled())
            .map(|at| (other, at))
    })
}

/// The orders that agree with the first order of a part, and those that leave other moves where they differ.
fn halves(
    players: &[Player],
    part: &Part,
    other: usize,
    parting: Parting,
    stop: &CancelToken,
) -> [Part; 2] {
    let options = SearchOptions::on_one_core(stop);
    let choice = |order: usize| {
        ChoiceTrace::of(
            &players[order],
            &parting.at.board,
            parting.at.score,
            options,
        )
    };
    let first = choice(part.orders[0]);
    // The order that moved differently is always divided off, even if a search decides otherwise the second time.
    let stays = |&order: &usize| order != other && choice(order) == first;
    let (stay, leave) = part.orders.iter().copied().partition(stays);
    [
        Part {
            orders: stay,
            parted: part.parted,
        },
        Part {
            orders: leave,
            parted: Some(parting),
        },
    ]
}

/// Records the moves of a game, or ends it where it leaves a script.
#[derive(Default)]
struct ScriptTrace<'a> {
    script: Option<&'a [Move]>,
    moves: Vec<Move>,
    turn: Option<Scored>,
    parted: Option<Scored>,
}

impl Observer for ScriptTrace<'_> {
    type Recorder = ();

    fn turn(&mut self, turn: impl FnOnce() -> Turn) -> bool {
        let Turn { board, score, .. } = turn();
        self.turn = Some(Scored { board, score });
        self.parted.is_none()
    }
    fn moved(&mut self, mv: Move, _spawn: impl FnOnce() -> Spawn) {
        if self
            .script
            .is_some_and(|script| script.get(self.moves.len()) != Some(&mv))
        {
            self.parted = self.turn;
        }
        self.moves.push(mv);
    }
}
