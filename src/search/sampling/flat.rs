//! Flat sampling: every move gets the same samples.
//!
//! Samples are drawn in blocks, which several cores share, and added in the order of their numbers, so sums round the
//! same on any number of cores. Samples after the one at which the search became sure are discarded.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::{Drawn, FIRST_SPAWN};
use crate::game::{ByMove, Move, Moves, Rank, Seed, Slides as _};
use crate::search::playouts::{Ended, Lead, Playouts, Sample, Sampling, leaders, next_point};
use crate::search::recorder::{Edge, End, Recorder, Stub};
use crate::search::root::{Root, SearchResult};
use crate::search::spawn_order::EachSpawn;
use crate::search::{Growth, Method, Rule, Sampled, SearchBoard, Worth};
use crate::stats::{PairedLooks, RunningMean, chance_beyond};
use crate::task::{lock, side_by_side};

/// Samples of each move between two checks of the clock and of certainty.
const BLOCK: u64 = 16;

/// Number of blocks that several cores share between two checks.
const BLOCKS_A_ROUND: u64 = 64;

/// Samples `from ..` of every move.
struct Block {
    values: ByMove<[f64; BLOCK as usize]>,
    /// First spawns as cell and rank, if they are recorded.
    spawns: ByMove<[(u8, u8); BLOCK as usize]>,
    count: usize,
    positions: u64,
}

/// The sum of all blocks so far.
struct Tally {
    moves: Moves,
    of_each: ByMove<RunningMean>,
    /// Differences of two moves with the same draws, in the order of [`pair`].
    pairs: [PairedLooks; 6],
    /// By first spawn: twice the cell, plus one for a 4.
    by_spawn: ByMove<Vec<RunningMean>>,
    curve: Vec<ByMove<RunningMean>>,
    next_point: u64,
    positions: u64,
}

/// The index of the pair of two moves, the earlier move first.
fn pair(a: Move, b: Move) -> usize {
    [0, 2, 3][a.index().min(2)] + b.index() - 1
}

pub(super) fn search<P: SearchBoard, R: Recorder>(
    root: &Root<'_, P>,
    sampling: &Sampling,
    recorder: &mut R,
) -> SearchResult {
    let spec = &sampling.spec;
    let until = spec
        .time_ms
        .map(|time| Instant::now() + Duration::from_millis(time));
    let draws = Draws {
        root,
        sampling,
        seed: root.seed(sampling),
        plies: plies(root, sampling),
        most: spec.most_samples(),
    };
    let sign = root.objective.sign();
    let mut tally = Tally::new::<R>(root.moves);
    let mut ended = Ended::Spent;
    let mut next = 0;
    'all: while next < draws.most {
        let last = (next
            + BLOCK
                * if root.options.cores < 2 {
                    1
                } else {
                    BLOCKS_A_ROUND
                })
        .min(draws.most);
        for block in draws.blocks::<R>(next, last) {
            let Some(block) = block else {
                return SearchResult {
                    stopped: true,
                    ..SearchResult::default()
                };
            };
            tally.add::<R>(&block);
            if tally.is_sure(spec, sign) {
                ended = Ended::Sure;
                break 'all;
            }
        }
        next = last;
        if until.is_some_and(|until| until <= Instant::now()) {
            break;
        }
    }

    let values = ByMove::from_fn(|mv| tally.of_each[mv].mean());
    if R::ON {
        record(root, &tally, recorder);
    }

    let lead = tally.lead(sign);
    let playouts = Playouts {
        of_each: tally.of_each,
        is_tree: false,
        ended,
        lead,
        curve: tally.curve,
    };
    let (nodes, plies) = (1 + tally.positions, 2);
    SearchResult {
        values,
        plies,
        nodes,
        turns: nodes,
        playouts: Some(Arc::new(playouts)),
        ..SearchResult::default()
    }
}

/// The depth of an averaged search on this board.
fn plies<P: SearchBoard>(root: &Root<'_, P>, sampling: &Sampling) -> u32 {
    match &sampling.spec.method {
        Method::Averaged { plies } => plies.for_board(&root.board.to_board()),
        Method::Flat(_) | Method::Tree(_) => 0,
    }
}

struct Draws<'a, P: SearchBoard> {
    root: &'a Root<'a, P>,
    sampling: &'a Sampling,
    seed: Seed,
    plies: u32,
    most: u64,
}

impl<P: SearchBoard> Draws<'_, P> {
    /// The blocks of the samples `from .. last` in their order. A block is `None` if it was stopped.
    fn blocks<R: Recorder>(&self, from: u64, last: u64) -> Vec<Option<Block>> {
        let starts = || (from..last).step_by(BLOCK as usize);
        let workers = self.root.options.cores.min(starts().count());
        if workers < 2 {
            return starts().map(|start| self.block::<R>(start)).collect();
        }
        let next = AtomicU64::new(from);
        let done: Mutex<Vec<(u64, Option<Block>)>> = Mutex::new(Vec::new());
        let work = || {
            loop {
                let start = next.fetch_add(BLOCK, Ordering::Relaxed);
                if last <= start {
                    return;
                }
                let block = self.block::<R>(start);
                lock(&done).push((start, block));
            }
        };

        side_by_side(workers, work);
        let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
        done.sort_by_key(|&(start, _)| start);
        done.into_iter().map(|(_, block)| block).collect()
    }

    fn block<R: Recorder>(&self, from: u64) -> Option<Block> {
        let Root {
            search,
            slides,
            moves,
            score,
            ref options,
            ..
        } = *self.root;
        let count = BLOCK.min(self.most - from) as usize;
        let (values, spawns) = (
            ByMove::from_fn(|_| [0.0; BLOCK as usize]),
            ByMove::from_fn(|_| [(0, 0); BLOCK as usize]),
        );
        let mut block = Block {
            values,
            spawns,
            count,
            positions: 0,
        };
        for place in 0..count {
            let seed = self.seed.game(from + place as u64);
            for mv in moves {
                let after = slides.after(mv);
                let score = score.saturating_add(u64::from(slides.reward(mv)));
                let p4 = search.definition.rules.p4;
                if R::ON {
                    let nth = seed.place(FIRST_SPAWN, after.empty_count());
                    let cell = after.empty_cells().nth(nth as usize).unwrap_or_default();
                    block.spawns[mv][place] = (cell as u8, seed.rank(FIRST_SPAWN, p4).get());
                }

                let (value, positions) = match &self.sampling.spec.method {
                    Method::Averaged { .. } => {
                        let mut drawn = Drawn {
                            seed: &seed,
                            stop: options.stop,
                            positions: 0,
                        };
                        let value = search.drawn_spawn(
                            &mut drawn,
                            after,
                            score,
                            self.plies.saturating_sub(1),
                            FIRST_SPAWN,
                        );
                        (value, drawn.positions)
                    }
                    Method::Flat(playout) | Method::Tree(Growth { playout, .. }) => {
                        let board = seed.add_tile(after, FIRST_SPAWN, p4).to_board();
                        search.play(self.sampling, playout, (board, score), &seed, options.stop)
                    }
                };

                block.values[mv][place] = value;
                block.positions += positions;
            }
            if options.stop.is_cancelled() {
                return None;
            }
        }

        Some(block)
    }
}

impl Tally {
    fn new<R: Recorder>(moves: Moves) -> Self {
        let by_spawn = ByMove::from_fn(|mv| match R::ON && moves.contains(mv) {
            true => vec![RunningMean::EMPTY; 50],
            false => Vec::new(),
        });
        Self {
            moves,
            of_each: ByMove::from_fn(|_| RunningMean::EMPTY),
            pairs: [PairedLooks::default(); 6],
            by_spawn,
            curve: Vec::new(),
            next_point: BLOCK,
            positions: 0,
        }
    }

    /// The number of samples of each move.
    fn count(&self) -> u64 {
        self.moves.first().map_or(0, |mv| self.of_each[mv].count())
    }

    fn add<R: Recorder>(&mut self, block: &Block) {
        for place in 0..block.count {
            for mv in self.moves {
                let value = block.values[mv][place];
                self.of_each[mv].add(value);
                if R::ON {
                    let (cell, rank) = block.spawns[mv][place];
                    self.by_spawn[mv][2 * usize::from(cell) + usize::from(rank == 2)].add(value);
                }
                for other in self.moves.iter().skip_while(|&other| other <= mv) {
                    self.pairs[pair(mv, other)].add(value - block.values[other][place]);
                }
            }
        }
        self.positions += block.positions;
        if R::ON && self.next_point <= self.count() {
            self.curve.push(self.of_each);
            self.next_point = next_point(self.count());
        }
    }

    /// The differences of two moves: the earlier move minus the later.
    fn pair(&self, a: Move, b: Move) -> &PairedLooks {
        &self.pairs[pair(a.min(b), a.max(b))]
    }

    /// Whether the best move is known to be better than every other move, at any number of looks. All its pairs share
    /// the chance of error, so the bound is valid for the whole decision.
    fn is_sure(&self, spec: &Sampled, sign: f64) -> bool {
        let Some(errors) = spec.sure_by else {
            return false;
        };
        let Some([best, _]) = leaders(&self.of_each, self.moves, sign) else {
            return false;
        };
        let mut others = self.moves.iter().filter(|&other| other != best);
        let alpha = chance_beyond(errors) / (self.moves.len() - 1) as f64;
        let is_share = spec
            .method
            .playout()
            .is_some_and(|playout| matches!(playout.of, Worth::Reach(_)));
        others.all(|other| {
            let pair = self.pair(best, other);
            if is_share {
                pair.is_apart_by_signs(alpha)
            } else {
                pair.is_apart(alpha)
            }
        })
    }

    fn lead(&self, sign: f64) -> Option<Lead> {
        let [best, second] = leaders(&self.of_each, self.moves, sign)?;
        let difference = self.pair(best, second).differences();
        let turned = if best < second { sign } else { -sign };
        let (difference, standard_error) =
            (turned * difference.mean(), difference.standard_error());
        Some(Lead {
            best,
            second,
            difference,
            standard_error,
            is_paired: true,
        })
    }
}

/// Passes each move and its first spawns to the recorder.
fn record<P: SearchBoard, R: Recorder>(root: &Root<'_, P>, tally: &Tally, recorder: &mut R) {
    let mut all = RunningMean::EMPTY;
    root.moves
        .iter()
        .for_each(|mv| all.merge(&tally.of_each[mv]));
    recorder.sampled(Sample {
        all,
        own: RunningMean::EMPTY,
    });

    for mv in root.moves {
        let (after, mean) = (root.slides.after(mv), tally.of_each[mv]);
        recorder.open(Edge::Slide(mv));
        recorder.spawns(after.empty_count());
        for spawn in EachSpawn::on(after.empty_cells(), root.search.possible) {
            let place = 2 * spawn.cell() as usize + usize::from(spawn.rank() == Rank::FOUR);
            let own = tally.by_spawn[mv][place];
            if own.count() == 0 {
                recorder.stub(spawn.edge(), Stub::NotExpanded);
                continue;
            }
            recorder.open(spawn.edge());
            recorder.sampled(Sample { all: own, own });
            recorder.close(End::exact(own.mean(), Rule::Sampled));
        }
        recorder.sampled(Sample {
            all: mean,
            own: RunningMean::EMPTY,
        });
        recorder.close(End::exact(mean.mean(), Rule::SpawnsDrawn));
    }
}
