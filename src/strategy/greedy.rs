//! Strategies that consist of a network at one ply. Batches play their games with [`crate::network::greedy`].

use super::Player;
use super::play::{Finish, State, run};
use super::player::{Row, Work, Workspace};
use crate::evaluator::Values;
use crate::game::{ByMove, CrossedSlides, GameSeed, Move, Size, Slides as _};
use crate::network::Network;
use crate::network::greedy::{self, Game, Greedy, Left};
use crate::search::SearchOptions;

/// A player whose only row evaluates the afterstates of 4×4 boards with a network.
#[derive(Clone, Copy, Debug)]
pub struct GreedyPlayer<'a> {
    player: &'a Player,
    network: &'a Network,
    row: &'a Row,
}

impl Player {
    /// This player as a greedy player, if a network alone decides.
    pub fn greedy(&self) -> Option<GreedyPlayer<'_>> {
        let mut rows = self.rows.iter().filter(|row| !row.is_off());
        let (Some(row), None) = (rows.next(), rows.next()) else {
            return None;
        };
        let network = row.network()?;
        let fits = network.size() == Size::FOUR && self.rules.size == Size::FOUR;
        let is_packed = self
            .rules
            .start
            .is_none_or(|start| start.as_packed().is_some());
        let is_whole = self.course.is_none() && self.most_moves == u32::MAX;
        (fits && is_packed && is_whole).then_some(GreedyPlayer {
            player: self,
            network,
            row,
        })
    }
}

impl GreedyPlayer<'_> {
    /// Plays the game of a seed as [`Player::play_from`] does.
    pub fn play(&self, seed: GameSeed) -> Finish {
        let rules = &self.player.rules;
        let Some(board) = seed.crossed_opening(rules) else {
            return self
                .player
                .play_from(None, &seed, SearchOptions::default(), &mut ());
        };
        let mut game = Game {
            seed,
            board,
            score: 0,
            moves: 0,
        };
        let left = greedy::play(self.network.tables(), rules, self, &mut game);
        self.finish(&game, left)
    }

    fn finish(&self, game: &Game, left: Left) -> Finish {
        let state = State {
            position: game.board,
            score: game.score,
            moves: game.moves,
        }
        .on_grid();
        let state = match left {
            Left::Over => state,
            // A grid holds every tile.
            Left::TooLarge => {
                let work = Work {
                    space: &Workspace::default(),
                    options: SearchOptions::default(),
                };
                run(self.player, state, &game.seed, work, &mut ()).unwrap_or_else(|state| state)
            }
        };
        let (outcome, board) = state.finish();
        Finish {
            outcome,
            board,
            nodes: 0,
        }
    }
}

impl Greedy for GreedyPlayer<'_> {
    type Value = f64;

    #[inline(always)]
    fn choose(&self, game: &Game, slides: &CrossedSlides, values: &ByMove<f64>) -> Move {
        let legal = slides.legal();
        let points = |mv: Move| game.score.saturating_add(u64::from(slides.reward(mv))) as f64;
        let values = Values::Real(ByMove::from_fn(|mv| points(mv) + values[mv]));
        let kept = self.row.keep(&values, legal);
        // There is a legal slide, so at least one is kept.
        self.player
            .resort(kept, |n| game.seed.tie(game.moves, n))
            .unwrap_or(Move::Up)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::evaluator::OneNetwork;
    use crate::game::{Board, Rank, Rules, Seed};
    use crate::network::{NetworkInfo, Shape};
    use crate::strategy::{LastResort, Outcome, Strategy};

    /// A network with weights that are either a few whole numbers, so that moves tie, or without a pattern.
    fn network(
        size: &str,
        tuples: &str,
        symmetric: bool,
        stages: &[u64],
        ties: bool,
    ) -> Arc<Network> {
        let shape =
            Shape::new(size.parse().expect("a size"), tuples, symmetric, stages).expect("a shape");
        let weight = |place: u32| {
            let mixed = place
                .wrapping_mul(2_654_435_761)
                .rotate_left(13)
                .wrapping_mul(40_503);
            if ties {
                (mixed >> 29) as f32 * 4.0
            } else {
                (mixed >> 8) as f32 / 3000.0 - 900.0
            }
        };
        let weights = (0..shape.weights() as u32).map(weight).collect();
        Arc::new(Network::new(
            NetworkInfo::of(shape, None, Vec::new()),
            weights,
        ))
    }

    fn player(text: &str, rules: Rules, network: &Arc<Network>) -> Player {
        let strategy: Strategy = text.parse().expect(text);
        Player::with_files(&strategy, rules, &OneNetwork(network.clone()))
    }

    const NETWORK: &str = "(criteria: [(evaluator: Network(\"any\"))])";

    #[test]
    fn games_are_those_of_the_way_that_plays_any_strategy() {
        let network_of = |tuples, ties| network("4x4", tuples, true, &[], ties);
        let usual = Rules::default();
        let text = |more: &str, end: &str| {
            format!("(criteria: [(evaluator: Network(\"any\"){more})]{end})")
        };
        let start: Board = "32768,32768,16,2/8,4,2,16/4,2,8,4/2,8,4,0"
            .parse()
            .expect("a board");
        let large = Rules {
            start: Some(start),
            ..usual
        };
        let stopped = Rules {
            stop_at: Some(Rank::of_tile(64).expect("a tile")),
            ..usual
        };
        let mut ranks = [0; 20];
        for (text, rules, network) in [
            (text("", ""), usual, network_of("0123 0145 569a", false)),
            (text("", ""), usual, network_of("0123 0145 569a", true)),
            (
                text("", ", last_resort: First"),
                usual,
                network_of("0145", true),
            ),
            (
                text(", prefer: Lower", ""),
                usual,
                network_of("0145 37bf", false),
            ),
            (
                text(", tolerance: 30", ""),
                usual,
                network_of("0145", false),
            ),
            (
                text("", ""),
                Rules { p4: 0.6, ..usual },
                network_of("0 5 01 0256", false),
            ),
            (
                text("", ""),
                usual,
                network("4x4", "0123 37bf 0145 fedc", false, &[], true),
            ),
            (
                text("", ""),
                usual,
                network("4x4", "0145 1256", true, &[16, 64], false),
            ),
            // Needs more than eight shifts to extract, or is assembled cell by cell.
            (
                text("", ""),
                usual,
                network("4x4", "02 5a 8f 0f 3c 1b 4d e1", true, &[], false),
            ),
            (
                text("", ""),
                usual,
                network("4x4", "fb73", false, &[], false),
            ),
            (text("", ""), stopped, network_of("0145", false)),
            (text("", ""), large, network_of("0123 0145", false)),
        ] {
            let player = player(&text, rules, &network);
            let seeds: Vec<GameSeed> = (0..30).map(|index| rules.chance(Seed(8), index)).collect();
            let alone =
                |seed: &GameSeed| player.play_from(None, seed, SearchOptions::default(), &mut ());
            let expected: Vec<Finish> = seeds.iter().map(alone).collect();
            let greedy = player.greedy().expect("a network alone");
            let found: Vec<Finish> = seeds.iter().map(|seed| greedy.play(*seed)).collect();
            assert_eq!(found, expected, "{text} {rules:?}");
            expected
                .iter()
                .for_each(|finish| ranks[usize::from(finish.outcome.largest.get())] += 1);
        }

        assert!(
            0 < ranks[16] && 0 < ranks[6],
            "games beyond what is packed, and stopped ones: {ranks:?}"
        );
    }

    /// The definition: the largest score + value, within rounding. Ties are drawn.
    fn plain(network: &Network, seed: &GameSeed, last_resort: LastResort) -> Outcome {
        let (mut board, mut score, mut moves) = (seed.opening(&Rules::default()), 0, 0);
        while !board.is_dead() {
            let slides = board.legal_moves().iter().filter_map(|mv| board.slide(mv));
            let worth = |slide: crate::game::Slide| {
                let points = (score + u64::from(slide.reward)) as f64;
                (
                    points + network.of_grid(&slide.after.board().to_grid()),
                    slide,
                )
            };
            let worths: Vec<_> = slides.map(worth).collect();
            let best = worths
                .iter()
                .map(|(worth, _)| *worth)
                .fold(f64::NEG_INFINITY, f64::max);
            let tied: Vec<_> = worths
                .iter()
                .filter(|(worth, _)| best - worth <= 1e-9 * best.abs())
                .collect();
            let taken = if last_resort == LastResort::First {
                0
            } else {
                seed.tie(moves, tied.len())
            };
            let (_, slide) = tied[taken];
            board = slide
                .after
                .spawn(seed.spawn(moves + 2, &slide.after.board(), Rules::USUAL_P4));
            (score, moves) = (score + u64::from(slide.reward), moves + 1);
        }
        Outcome {
            score: score as u32,
            moves,
            largest: board.max_rank(),
        }
    }

    #[test]
    fn games_are_those_of_the_definition() {
        for (last_resort, end) in [
            (LastResort::Random, ""),
            (LastResort::First, ", last_resort: First"),
        ] {
            for ties in [false, true] {
                let network = network("4x4", "0123 0145 569a", true, &[], ties);
                let player = player(
                    &NETWORK.replace("])", &format!("]{end})")),
                    Rules::default(),
                    &network,
                );
                let seeds: Vec<GameSeed> = (0..20).map(|index| Seed(3).game(index)).collect();
                let expected: Vec<Outcome> = seeds
                    .iter()
                    .map(|seed| plain(&network, seed, last_resort))
                    .collect();
                let greedy = player.greedy().expect("a network alone");
                let found: Vec<Outcome> = seeds
                    .iter()
                    .map(|seed| greedy.play(*seed).outcome)
                    .collect();
                assert_eq!(found, expected);
            }
        }
    }

    #[test]
    fn only_a_network_alone_at_one_ply_plays_so() {
        let four = network("4x4", "0145", true, &[], false);
        let three = network("3x3", "0134", true, &[], false);
        let small = Rules {
            size: "3x3".parse().expect("a size"),
            ..Rules::default()
        };
        let beyond = "65536,0,0,4/0,0,0,0/0,8,0,0/0,0,0,0"
            .parse()
            .expect("a board");

        for (text, rules, network, expected) in [
            (NETWORK, Rules::default(), &four, true),
            (
                "(criteria: [(evaluator: Empty, off: true), (evaluator: Network(\"any\"))])",
                Rules::default(),
                &four,
                true,
            ),
            (
                "(criteria: [(evaluator: Sum([(1.0, Network(\"any\"))]))])",
                Rules::default(),
                &four,
                true,
            ),
            (
                "(criteria: [(evaluator: Sum([(2.0, Network(\"any\"))]))])",
                Rules::default(),
                &four,
                false,
            ),
            (
                "(criteria: [(evaluator: Network(\"any\")), (evaluator: Empty)])",
                Rules::default(),
                &four,
                false,
            ),
            (
                "(criteria: [(evaluator: Network(\"any\"), lookahead: Expectimax(plies: Fixed(3), downgrade: 2048))])",
                Rules::default(),
                &four,
                false,
            ),
            ("emr", Rules::default(), &four, false),
            ("r", Rules::default(), &four, false),
            (NETWORK, small, &three, false),
            (
                NETWORK,
                Rules {
                    start: Some(beyond),
                    ..Rules::default()
                },
                &four,
                false,
            ),
        ] {
            assert_eq!(
                player(text, rules, network).greedy().is_some(),
                expected,
                "{text} {rules:?}"
            );
        }
    }
}
