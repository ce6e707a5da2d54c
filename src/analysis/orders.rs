//! Which orders of the rows decide alike.
//!
//! A row keeps of a set of moves what it keeps, whoever left that set to it. So each row is asked once about a
//! position, for all legal moves, and what it keeps of every set is noted down: an order is a walk through these notes.
//! Rows whose values depend on the moves they are asked about (alpha-beta, limits) are asked for each set.

use std::cmp::Reverse;
use std::collections::HashSet;
use std::sync::Arc;

use itertools::Itertools as _;

use super::{Position, Sample};
use crate::evaluator::Values;
use crate::game::{Move, Moves, Rules, Seed, Spawn};
use crate::search::SearchOptions;
use crate::strategy::{Observer, Player, Strategy, StrategyError, Turn};
use crate::task::CancelToken;

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

/// Orders that made the same decision on every position.
#[derive(Clone, PartialEq, Debug)]
pub struct Group {
    pub base: Arc<Strategy>,
    /// The stack's own is the first, if it is here.
    pub orders: Vec<RowOrder>,
    /// A position where this group and the first one leave different moves; `None` of the first.
    pub differs_at: Option<Position>,
}

#[derive(Clone, PartialEq, Debug, Default)]
pub struct Orders {
    /// The group of the stack's own order first, then the largest.
    pub groups: Vec<Group>,
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
        "row {} searches for so many milliseconds, so that its decisions depend on the speed of the machine: give it a \
         number of nodes or of plies to compare orders",
        .row + 1
    )]
    Timed { row: usize },
}

/// Whether the orders of a group play the same games.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Confirmation {
    /// Games that were played under every order.
    pub games: u64,
    pub orders: usize,
    /// The first order that differs, as its place in [`Group::orders`], and the number of the first game where it does.
    pub differing: Option<(usize, u64)>,
}

impl RowOrder {
    /// Its letters where the rows have some, `emr`, else the rows as people count them: `3 1 2`.
    pub fn text(&self, base: &Strategy) -> String {
        let strategy = self.of(base);
        strategy.letters().unwrap_or_else(|| {
            if self.0.is_empty() { "no row".to_owned() } else { self.0.iter().map(|row| row + 1).join(" ") }
        })
    }

    /// The strategy with its rows in this order. Rows that are off follow in any case.
    pub fn of(&self, base: &Strategy) -> Strategy {
        let on = self.0.iter().filter_map(|&row| base.criteria.get(row));
        let off = base.criteria.iter().filter(|criterion| criterion.off);
        let mut strategy = Strategy { criteria: on.chain(off).cloned().collect(), ..base.clone() };
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

/// Most orders that are compared: all of seven rows, subsets included.
const MOST_ORDERS: usize = 13_700;

/// Orders that are drawn where there are more.
const DRAWN: usize = 5_040;

/// Draws that are made for one more order before the search for it is given up.
const TRIES: u32 = 1_000;

/// Compares the orders on a sample by the moves they leave to the last resort. `progress` hears how many positions of
/// how many are decided. Of too many orders 5,040 are drawn with the seed of the sample. Asked to stop, it gives what
/// it has.
pub fn orders(
    strategy: &Strategy,
    rules: Rules,
    scope: Scope,
    sample: &Sample,
    stop: &CancelToken,
    progress: impl Fn(usize, usize),
) -> Result<Orders, OrdersError> {
    strategy.check(rules.size)?;
    let on: Vec<usize> = (0..strategy.criteria.len()).filter(|&row| !strategy.criteria[row].off).collect();
    if let Some(&row) = on.iter().find(|&&row| !strategy.criteria[row].lookahead.is_reproducible()) {
        return Err(OrdersError::Timed { row });
    }
    let eliminations = Eliminations::new(strategy, rules, &on, sample, stop, progress);
    let all = how_many(on.len(), scope);
    let own: Vec<usize> = (0..on.len()).collect();
    let own_choice = eliminations.choices(&own);
    let listed = listed(on.len(), scope, sample.seed).into_iter().enumerate();
    let compared = listed.take_while(|(index, _)| *index == 0 || !stop.is_cancelled()).map(|(_, order)| order);
    let by_choice = compared.into_group_map_by(|order| eliminations.choices(order));
    let mut found: Vec<(Vec<Moves>, Vec<Vec<usize>>)> = by_choice.into_iter().collect();
    let compared = found.iter().map(|(_, orders)| orders.len()).sum();
    for (_, orders) in &mut found {
        orders.sort_unstable_by_key(|order| (*order != own, order.len(), order.clone()));
    }
    found.sort_unstable_by_key(|(choice, orders)| (*choice != own_choice, Reverse(orders.len()), orders[0].clone()));
    let base = Arc::new(strategy.clone());
    let first = found.first().map(|(choice, _)| choice.clone()).unwrap_or_default();
    let groups = found.into_iter().map(|(choice, orders)| Group {
        base: Arc::clone(&base),
        orders: orders.iter().map(|order| RowOrder(order.iter().map(|&slot| on[slot]).collect())).collect(),
        differs_at: first.iter().zip(&choice).position(|(a, b)| a != b).map(|index| eliminations.positions[index]),
    });
    let (groups, positions) = (groups.collect(), eliminations.positions.len());
    Ok(Orders { groups, positions, orders: compared, all, is_cut: compared < all })
}

/// How many orders there are: n!, or Σ n!/k! over k from 0 to n.
fn how_many(rows: usize, scope: Scope) -> usize {
    let falling = |length: usize| (rows - length + 1..=rows).fold(1, usize::saturating_mul);
    match scope {
        Scope::Permutations => falling(rows),
        Scope::Arrangements => (0..=rows).map(falling).fold(0, usize::saturating_add),
    }
}

/// All orders, or those that are drawn; of the numbers below `rows`, the stack's own first.
fn listed(rows: usize, scope: Scope, seed: u64) -> Vec<Vec<usize>> {
    let own: Vec<usize> = (0..rows).collect();
    if how_many(rows, scope) <= MOST_ORDERS {
        let shortest = if scope == Scope::Permutations { rows } else { 0 };
        let all = (shortest..=rows).flat_map(|length| (0..rows).permutations(length));
        return all.sorted_by_key(|order| *order != own).collect();
    }
    let mut all = vec![own.clone()];
    let mut known: HashSet<Vec<usize>> = all.iter().cloned().collect();
    // Arrangements that leave k rows out are n!/k! of all.
    let weights: Vec<f64> = match scope {
        Scope::Permutations => vec![1.0],
        Scope::Arrangements => (1..=rows).fold(vec![1.0], |mut weights, k| {
            weights.push(weights[k - 1] / k as f64);
            weights
        }),
    };
    let chance = Seed(seed).game(0);
    let mut draws = 0;
    let mut fraction = || {
        draws += 1;
        (chance.place_draw(draws) >> 11) as f64 / (1_u64 << 53) as f64
    };
    let mut in_vain = 0;
    while all.len() < DRAWN && in_vain < TRIES {
        let mut order = own.clone();
        for left in (1..rows).rev() {
            order.swap(left, (fraction() * (left + 1) as f64) as usize);
        }
        let mut at = fraction() * weights.iter().sum::<f64>();
        let left_out = weights.iter().position(|weight| {
            at -= weight;
            at < 0.0
        });
        order.truncate(rows - left_out.unwrap_or(0));
        if known.insert(order.clone()) {
            in_vain = 0;
            all.push(order);
        } else {
            in_vain += 1;
        }
    }
    all
}

/// What each row keeps of each set of moves that any order can hand to it.
struct Eliminations {
    positions: Vec<Position>,
    legal: Vec<Moves>,
    /// For each row that is on, for each position, by the bits of the set.
    kept: Vec<Vec<[Moves; 16]>>,
}

impl Eliminations {
    fn new(
        strategy: &Strategy,
        rules: Rules,
        on: &[usize],
        sample: &Sample,
        stop: &CancelToken,
        progress: impl Fn(usize, usize),
    ) -> Self {
        let player = Player::new(strategy, rules);
        let mut table = Self { positions: Vec::new(), legal: Vec::new(), kept: vec![Vec::new(); on.len()] };
        for (index, position) in sample.positions.iter().enumerate() {
            progress(index, sample.positions.len());
            let legal = position.board.legal_moves();
            let Some(kept) = of_position(strategy, &player, on, position, legal, stop) else { break };
            table.positions.push(*position);
            table.legal.push(legal);
            table.kept.iter_mut().zip(kept).for_each(|(rows, kept)| rows.push(kept));
            if stop.is_cancelled() {
                break;
            }
        }
        progress(table.positions.len(), sample.positions.len());
        table
    }

    /// The moves that an order leaves on each position.
    fn choices(&self, order: &[usize]) -> Vec<Moves> {
        let left = |(index, legal): (usize, &Moves)| {
            order.iter().fold(*legal, |left, &slot| self.kept[slot][index][usize::from(left.bits())])
        };
        self.legal.iter().enumerate().map(left).collect()
    }
}

/// What each row keeps of all sets of moves that some order leaves before it; `None` when it was asked to stop.
fn of_position(
    strategy: &Strategy,
    player: &Player,
    on: &[usize],
    position: &Position,
    legal: Moves,
    stop: &CancelToken,
) -> Option<Vec<[Moves; 16]>> {
    let options = SearchOptions::on_one_core(stop);
    let ask = |row: usize, among: Moves| player.criterion(row)?.values(&position.board, position.score, among, options);
    let identity: [Moves; 16] = std::array::from_fn(|bits| Moves::from_bits(bits as u8));
    let mut kept = vec![identity; on.len()];
    // One question for all sets, where the answer does not depend on the set: alpha-beta gives bounds for moves that cannot
    // be best, and a search with a limit looks deeper the fewer there are.
    let mut answers: Vec<Option<Values>> = Vec::new();
    for &row in on {
        let lookahead = &strategy.criteria[row].lookahead;
        let once = !legal.is_decided() && !lookahead.deepens() && !lookahead.has_window();
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
            kept[slot][bits] = player.criterion(row)?.keep(&answer, set);
            waiting.push(kept[slot][bits]);
        }
    }
    Some(kept)
}

/// Plays games 0 to `games` − 1 of `seed` under every order of a group, until one differs move for move or it is asked
/// to stop. `progress` hears after each game how many are played.
pub fn confirm(
    group: &Group,
    rules: Rules,
    seed: u64,
    games: u64,
    stop: &CancelToken,
    mut progress: impl FnMut(u64),
) -> Confirmation {
    let options = SearchOptions::on_one_core(stop);
    let players: Vec<Player> = group.strategies().map(|strategy| Player::new(&strategy, rules)).collect();
    let mut confirmation = Confirmation { games: 0, orders: players.len(), differing: None };
    let Some((first, others)) = players.split_first() else { return confirmation };
    for game in 0..games {
        let game_seed = Seed(seed).game(game);
        let mut writer = ScriptTrace::default();
        first.play(&game_seed, options, &mut writer);
        for (index, other) in others.iter().enumerate() {
            let mut follower = ScriptTrace { script: Some(&writer.moves), ..ScriptTrace::default() };
            other.play(&game_seed, options, &mut follower);
            // A game that was asked to stop tells nothing.
            if !stop.is_cancelled() && (follower.has_parted || follower.moves.len() != writer.moves.len()) {
                confirmation.differing = Some((index + 1, game));
                return confirmation;
            }
        }
        if stop.is_cancelled() {
            break;
        }
        confirmation.games += 1;
        progress(confirmation.games);
    }
    confirmation
}

/// Writes the moves of a game down and ends it where they differ from a script.
#[derive(Default)]
struct ScriptTrace<'a> {
    script: Option<&'a [Move]>,
    moves: Vec<Move>,
    has_parted: bool,
}

impl Observer for ScriptTrace<'_> {
    type Recorder = ();

    fn turn(&mut self, _turn: impl FnOnce() -> Turn) -> bool {
        !self.has_parted
    }
    fn moved(&mut self, mv: Move, _spawn: impl FnOnce() -> Spawn) {
        self.has_parted |= self.script.is_some_and(|script| script.get(self.moves.len()) != Some(&mv));
        self.moves.push(mv);
    }
}
