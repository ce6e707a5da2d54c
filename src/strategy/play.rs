//! Plays whole games: the fast path of batches, and the same code with an observer.

use multiversion::multiversion;

use super::Player;
use super::player::{Work, Workspace};
use super::trace::{Observer, Turn};
use crate::game::{
    Board, Crossed, GameSeed, Grid, Move, Packed, Position, Rank, Record, Rows, Slides as _,
};
use crate::search::{PlayFrom, PlayOn, PlayedOn, SearchBoard, SearchOptions};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// Even a 5×5 board cannot reach 2³² points.
    pub score: u32,
    pub moves: u32,
    pub largest: Rank,
}

/// A finished game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Finish {
    pub outcome: Outcome,
    /// The last board.
    pub board: Board,
    /// Nodes searched in it, including leaves. Tables from earlier games reduce the number.
    pub nodes: u64,
}

#[derive(Clone, Copy)]
pub(super) struct State<P> {
    pub(super) position: P,
    pub(super) score: u64,
    pub(super) moves: u32,
}

impl Player {
    /// Plays a game to its end. It ends early if `observer` says so and, in the middle of a search, if it is stopped. A
    /// game without searches takes some microseconds and does not check.
    pub fn play(
        &self,
        seed: &GameSeed,
        options: SearchOptions<'_>,
        observer: &mut impl Observer,
    ) -> Outcome {
        self.play_from(None, seed, options, observer).outcome
    }

    /// The same from a given board with score 0, or from the opening of the seed.
    pub fn play_from(
        &self,
        board: Option<&Board>,
        seed: &GameSeed,
        options: SearchOptions<'_>,
        observer: &mut impl Observer,
    ) -> Finish {
        // Tables keep their content from game to game.
        self.in_workspace(false, |space| {
            let nodes = space.nodes();
            let state = self.play_in(Work { space, options }, board, 0, seed, observer);
            let (mut outcome, board) = state.finish();
            // For an abandoned game the expected points count as well.
            if let Some(course) = self
                .course
                .as_ref()
                .filter(|_| self.most_moves <= outcome.moves)
            {
                outcome.score = outcome
                    .score
                    .saturating_add(course.to_come(&board, options));
            }
            Finish {
                outcome,
                board,
                nodes: space.nodes() - nodes,
            }
        })
    }

    fn play_in(
        &self,
        work: Work<'_>,
        board: Option<&Board>,
        score: u64,
        seed: &GameSeed,
        observer: &mut impl Observer,
    ) -> State<Grid> {
        let packed = match board {
            Some(board) => board.as_packed().map(Packed::crossed),
            None => seed.crossed_opening(&self.rules),
        };
        if let Some(packed) = packed {
            return self.go_on(State::opened(packed, score), seed, work, observer);
        }
        let board = board.copied().unwrap_or_else(|| seed.opening(&self.rules));
        run(
            self,
            State::opened(board.to_grid(), score),
            seed,
            work,
            observer,
        )
        .unwrap_or_else(|state| state)
    }

    /// Plays on to the end.
    fn go_on(
        &self,
        state: State<Crossed>,
        seed: &GameSeed,
        work: Work<'_>,
        observer: &mut impl Observer,
    ) -> State<Grid> {
        match run(self, state, seed, work, observer) {
            Ok(state) => state.on_grid(),
            // A grid holds every tile.
            Err(state) => {
                run(self, state.on_grid(), seed, work, observer).unwrap_or_else(|state| state)
            }
        }
    }
}

/// Plays on until the game ends, or returns the position before a slide that makes a tile that `P` cannot hold.
///
/// Uses the instructions of newer processors if available, for instance to count bits in one step.
#[multiversion(targets("x86_64+avx2+bmi1+bmi2+lzcnt+popcnt"), dispatcher = "direct")]
pub(super) fn run<P: SearchBoard, O: Observer>(
    player: &Player,
    mut state: State<P>,
    seed: &GameSeed,
    work: Work<'_>,
    observer: &mut O,
) -> Result<State<P>, State<P>> {
    loop {
        match turn(player, &mut state, seed, work, observer) {
            Turned::On => {}
            Turned::Over => return Ok(state),
            Turned::TooLarge => return Err(state),
        }
    }
}

/// Plays two games alternately until one of them is over, or too large. Returns that one, then the other.
#[multiversion(targets("x86_64+avx2+bmi1+bmi2+lzcnt+popcnt"), dispatcher = "direct")]
fn run_by_turns(player: &Player, [mut a, mut b]: [Begun; 2], work: Work<'_>) -> [Begun; 2] {
    loop {
        if !matches!(
            turn(player, &mut a.state, &a.seed, work, &mut ()),
            Turned::On
        ) {
            return [a, b];
        }
        if !matches!(
            turn(player, &mut b.state, &b.seed, work, &mut ()),
            Turned::On
        ) {
            return [b, a];
        }
    }
}

/// The result of a turn.
enum Turned {
    On,
    Over,
    /// The state is unchanged.
    TooLarge,
}

#[inline(always)]
fn turn<P: SearchBoard, O: Observer>(
    player: &Player,
    state: &mut State<P>,
    seed: &GameSeed,
    work: Work<'_>,
    observer: &mut O,
) -> Turned {
    if player.most_moves <= state.moves {
        return Turned::Over;
    }
    if player
        .rules
        .stop_at
        .is_some_and(|rank| rank <= state.position.max_rank())
    {
        return Turned::Over;
    }

    let Some(slides) = state.position.slides(Rows::shared()) else {
        return Turned::TooLarge;
    };
    let score = state.score;
    let legal = slides.legal();
    let turn = || Turn {
        board: state.position.to_board(),
        score,
        moves: state.moves,
        legal,
    };
    if !legal.is_empty() && !observer.turn(turn) {
        return Turned::Over;
    }

    let tie = |n| seed.tie(state.moves, n);
    let chosen = match player.first_move(state).filter(|&mv| legal.contains(mv)) {
        Some(first) => Some(first),
        None => player.choose::<P, _>(state.position, &slides, score, tie, work, observer),
    };
    let Some(mv) = chosen else {
        return Turned::Over;
    };
    let after = slides.after(mv);
    // Spawns 0 and 1 are the opening.
    let next = seed.add_tile(after, state.moves + 2, player.rules.p4);
    observer.moved(mv, || {
        seed.spawn(state.moves + 2, &after.to_board(), player.rules.p4)
    });
    let score = score.saturating_add(u64::from(slides.reward(mv)));
    *state = State {
        position: next,
        score,
        moves: state.moves + 1,
    };
    Turned::On
}

/// One of many games.
struct Begun {
    number: u64,
    seed: GameSeed,
    state: State<Crossed>,
}

impl Player {
    /// Whether [`Player::play_each`] can play its games.
    pub fn plays_by_turns(&self) -> bool {
        let is_quick = !self.searches() && self.rows.iter().all(|row| row.off || !row.asks);
        is_quick && self.course.is_none() && self.greedy().is_none()
    }

    /// Plays the games of these seeds as [`Player::play`] does, two at a time and alternately: each step of a game
    /// depends on the previous one, and the processor meanwhile works on the other game. Calls `put` for each finished
    /// game with its number, in any order. Only for a player that [`plays_by_turns`](Player::plays_by_turns): it has no
    /// table and cannot be stopped.
    pub fn play_each(
        &self,
        seeds: impl IntoIterator<Item = (u64, GameSeed)>,
        mut put: impl FnMut(u64, Finish),
    ) {
        let space = Workspace::default();
        let work = Work {
            space: &space,
            options: SearchOptions::default(),
        };
        let mut end = |number, state: State<Grid>| {
            let (outcome, board) = state.finish();
            put(
                number,
                Finish {
                    outcome,
                    board,
                    nodes: 0,
                },
            );
        };

        let to_end = |Begun { state, seed, .. }: &Begun| self.go_on(*state, seed, work, &mut ());
        let mut begun: Option<Begun> = None;
        for (number, seed) in seeds {
            let Some(opening) = seed.crossed_opening(&self.rules) else {
                end(number, self.play_in(work, None, 0, &seed, &mut ()));
                continue;
            };
            let one = Begun {
                number,
                seed,
                state: State::opened(opening, 0),
            };
            begun = Some(match begun {
                None => one,
                Some(other) => {
                    let [over, left] = run_by_turns(self, [other, one], work);
                    end(over.number, to_end(&over));
                    left
                }
            });
        }

        if let Some(last) = begun {
            end(last.number, to_end(&last));
        }
    }
}

impl Player {
    /// The first move of a rollout.
    #[inline(always)]
    fn first_move<P: Position>(&self, state: &State<P>) -> Option<Move> {
        let course = self.course.as_ref().filter(|_| state.moves == 0)?;
        (state.position.to_board() == course.start).then_some(course.first)
    }
}

impl PlayOn for Player {
    fn play_on(&self, from: &PlayFrom<'_>) -> PlayedOn {
        let options = SearchOptions::on_one_core(from.stop);
        let mut limit = MoveLimit(from.moves);
        let end = self.in_workspace(false, |space| {
            self.play_in(
                Work { space, options },
                Some(&from.board),
                from.score,
                from.seed,
                &mut limit,
            )
        });
        PlayedOn {
            board: end.position.to_board(),
            score: end.score,
            moves: end.moves,
        }
    }
}

/// Ends a game after this many moves.
struct MoveLimit(u32);

impl Observer for MoveLimit {
    type Recorder = ();

    const IS_BLIND: bool = true;

    #[inline(always)]
    fn turn(&mut self, _turn: impl FnOnce() -> Turn) -> bool {
        let goes_on = self.0 != 0;
        self.0 = self.0.saturating_sub(1);
        goes_on
    }
}

impl State<Crossed> {
    pub(super) fn on_grid(self) -> State<Grid> {
        let Self {
            position,
            score,
            moves,
        } = self;
        State {
            position: position.packed().into(),
            score,
            moves,
        }
    }
}

impl<P: Position> State<P> {
    fn opened(position: P, score: u64) -> Self {
        Self {
            position,
            score,
            moves: 0,
        }
    }

    pub(super) fn finish(&self) -> (Outcome, Board) {
        let score = u32::try_from(self.score).unwrap_or(u32::MAX);
        let outcome = Outcome {
            score,
            moves: self.moves,
            largest: self.position.max_rank(),
        };
        (outcome, self.position.to_board())
    }
}

impl Outcome {
    pub fn of(record: &Record) -> Self {
        let moments = record.replay();
        let (board, score) = moments
            .last()
            .map_or((Board::EMPTY, 0), |last| (last.board, last.score));
        // A record may begin at any score.
        let score = u32::try_from(score).unwrap_or(u32::MAX);
        Self {
            score,
            moves: record.steps.len() as u32,
            largest: board.max_rank(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Rules, Seed, Size};
    use crate::strategy::{Decision, GameTrace, Strategy, compositions};

    #[test]
    fn the_fast_path_plays_the_games_that_are_written_down() {
        for strategy in compositions("meugr").expect("letters") {
            let player = Player::new(&strategy, Rules::default());
            for game in 0..3 {
                let record =
                    GameTrace::record(&player, Seed(1), game, &strategy, SearchOptions::default());
                assert_eq!(
                    player.play(&Seed(1).game(game), SearchOptions::default(), &mut ()),
                    Outcome::of(&record),
                    "{strategy}"
                );
                assert_eq!(record.to_string().parse(), Ok(record.clone()));
                assert!(record.replay().last().expect("a start").board.is_dead());
            }
        }
    }

    #[test]
    fn games_by_turns_are_those_one_after_the_other() {
        let usual = Rules::default();
        let large: Board = "32768,32768,16,2/8,4,2,16/4,2,8,4/2,8,4,0"
            .parse()
            .expect("a board");
        let mut too_large = 0;
        for (text, rules) in [
            ("emr", usual),
            ("r", Rules { p4: 0.4, ..usual }),
            (
                "gr",
                Rules {
                    start: Some(large),
                    ..usual
                },
            ),
            (
                "gumr",
                Rules {
                    stop_at: Some(Rank::of_tile(128).expect("a tile")),
                    ..usual
                },
            ),
            (
                "eur",
                Rules {
                    size: "5x5".parse().expect("a size"),
                    ..usual
                },
            ),
            (
                "(criteria: [(evaluator: Snake), (evaluator: Empty, off: true)], last_resort: First)",
                usual,
            ),
        ] {
            let player = Player::new(&text.parse().expect(text), rules);
            assert!(player.plays_by_turns(), "{text}");
            for games in [0..0, 4..5, 0..2, 3..24] {
                let mut finished = Vec::new();
                let seeds = games.clone().map(|game| (game, Seed(4).game(game)));
                player.play_each(seeds, |game, finish| finished.push((game, finish)));
                finished.sort_by_key(|(game, _)| *game);
                let alone = |game| {
                    player.play_from(None, &Seed(4).game(game), SearchOptions::default(), &mut ())
                };
                assert_eq!(
                    finished,
                    games.map(|game| (game, alone(game))).collect::<Vec<_>>(),
                    "{text}"
                );
                too_large += finished
                    .iter()
                    .filter(|(_, finish)| finish.board.as_packed().is_none())
                    .count();
            }
        }
        assert!(22 < too_large);

        for row in [
            "evaluator: Empty, lookahead: Expectimax(plies: Fixed(2))",
            "evaluator: Program(command: [\"true\"])",
        ] {
            let strategy: Strategy = format!("(criteria: [({row})])").parse().expect(row);
            assert!(!Player::new(&strategy, usual).plays_by_turns(), "{row}");
        }
    }

    #[test]
    fn every_decision_of_a_game_is_the_one_the_screen_explains() {
        for size in Size::all() {
            let rules = Rules {
                size,
                p4: 0.3,
                ..Rules::default()
            };
            for letters in ["r", "emr", "gu", "umgr"] {
                let strategy: Strategy = letters.parse().expect("letters");
                let player = Player::new(&strategy, rules);
                let record =
                    GameTrace::record(&player, Seed(2), 5, &strategy, SearchOptions::default());
                let seed = Seed(2).game(5);
                for (index, (moment, step)) in record.replay().iter().zip(&record.steps).enumerate()
                {
                    let decision = Decision::now(&player, &moment.board, moment.score, |n| {
                        seed.tie(index as u32, n)
                    });
                    assert_eq!(
                        decision.chosen,
                        Some(step.mv),
                        "{letters} {size} move {index}"
                    );
                    let slide = moment.board.slide(step.mv).expect("legal");
                    assert_eq!(
                        seed.spawn(index as u32 + 2, &slide.after.board(), rules.p4),
                        step.spawn
                    );
                }
            }
        }
    }

    #[test]
    fn a_game_passes_the_merge_of_two_32768_without_noticing() {
        // Any legal play from here merges the pair or fills up. The test compares both representations.
        let start: Board = "32768,32768,16,2/8,4,2,16/4,2,8,4/2,8,4,0"
            .parse()
            .expect("a board");
        let strategy: Strategy = "gr".parse().expect("letters");
        let player = Player::new(&strategy, Rules::default());
        let seed = Seed(3).game(0);
        let packed = State {
            position: start.as_packed().expect("fits").crossed(),
            score: 0,
            moves: 0,
        };
        let (space, options) = (Workspace::default(), SearchOptions::default());
        let work = Work {
            space: &space,
            options,
        };
        let Err(handed) = run(&player, packed, &seed, work, &mut ()) else {
            panic!("greedy play merges the pair")
        };
        let finish = |state| {
            run(&player, state, &seed, work, &mut ())
                .unwrap_or_else(|state| state)
                .finish()
        };
        let State {
            position,
            score,
            moves,
        } = handed;
        let through = finish(State {
            position: Grid::from(position.packed()),
            score,
            moves,
        });
        let plain = finish(State {
            position: start.to_grid(),
            score: 0,
            moves: 0,
        });
        assert_eq!(through, plain);
        assert!(65536 <= plain.0.score);

        assert_eq!(plain.0.largest, Rank::new(16).expect("a rank"));
    }

    #[test]
    fn a_game_ends_at_the_tile_to_stop_at() {
        let strategy: Strategy = "emr".parse().expect("letters");
        let whole = Player::new(&strategy, Rules::default());
        for tile in [4, 8, 64, 256, 2048] {
            let rank = Rank::of_tile(tile).expect("a tile");
            let rules = Rules {
                stop_at: Some(rank),
                ..Rules::default()
            };
            let player = Player::new(&strategy, rules);
            for game in 0..20 {
                let record =
                    GameTrace::record(&player, Seed(4), game, &strategy, SearchOptions::default());
                assert_eq!(
                    player.play(&Seed(4).game(game), SearchOptions::default(), &mut ()),
                    Outcome::of(&record),
                    "{tile}"
                );
                assert_eq!(record.to_string().parse(), Ok(record.clone()));
                let moments = record.replay();
                let (last, before) = moments.split_last().expect("a start");
                assert!(
                    before.iter().all(|moment| moment.board.max_rank() < rank),
                    "{tile}"
                );
                assert!(
                    rank <= last.board.max_rank() || last.board.is_dead(),
                    "{tile}"
                );
                // The start of the game that is not stopped.
                let longer =
                    GameTrace::record(&whole, Seed(4), game, &strategy, SearchOptions::default());
                assert_eq!(
                    (longer.start, &longer.steps[..record.steps.len()]),
                    (record.start, &record.steps[..])
                );
            }
        }
    }

    #[test]
    fn a_game_is_played_on_from_any_board() {
        let strategy: Strategy = "emr".parse().expect("letters");
        let player = Player::new(&strategy, Rules::default());
        let seed = Seed(4).game(0);
        let moves = |board: &str| {
            let start = board.parse().expect(board);
            player
                .play_from(Some(&start), &seed, SearchOptions::default(), &mut ())
                .outcome
                .moves
        };
        assert!(0 < moves("2,4,8,16/4,8,16,32/8,16,32,64/16,32,64,0"));
        assert!(
            0 < moves("65536,65536,0,0/0,0,0,0/0,0,0,0/0,0,0,0"),
            "beyond what a packed board holds"
        );
        assert!(0 < moves("2,0,0/0,2,0/0,0,0"));
        assert_eq!(moves("2,4/4,2"), 0);
    }

    #[test]
    fn equal_moves_see_equal_tiles() {
        let (a, b): (Strategy, Strategy) = ("er".parse().expect("er"), "emr".parse().expect("emr"));
        let record = |strategy: &Strategy| {
            GameTrace::record(
                &Player::new(strategy, Rules::default()),
                Seed(9),
                4,
                strategy,
                SearchOptions::default(),
            )
        };
        let (a, b) = (record(&a), record(&b));
        assert_eq!(a.start, b.start);
        let mut shared = 0;
        for (a, b) in a
            .steps
            .iter()
            .zip(&b.steps)
            .take_while(|(a, b)| a.mv == b.mv)
        {
            assert_eq!(a.spawn, b.spawn);
            shared += 1;
        }
        assert!(
            0 < shared,
            "the games should share a beginning for this test to mean anything"
        );
    }
}
