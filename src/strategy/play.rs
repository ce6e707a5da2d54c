//! Whole games: the fast path of batches, and the same games written out.

use super::player::Work;
use super::{Player, Strategy, Witness};
use crate::evaluator::{Compiled, Evaluate};
use crate::game::{
    Board, GameSeed, Grid, Move, Moves, Packed, Position, Rank, Record, Rows, Seed, Size, Slides as _, Spawn, Step,
};
use crate::search::{SearchBoard, SearchOptions};
use crate::task::CancelToken;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// Points. Even a 5×5 board cannot reach 2³².
    pub score: u32,
    pub moves: u32,
    pub largest: Rank,
}

#[derive(Clone, Copy)]
struct State<P> {
    position: P,
    score: u32,
    moves: u32,
}

/// Sees a whole game and every value of its decisions; for [`Player::observe`].
pub trait Observer: Witness {
    /// The player is about to decide between the slides in `legal`, of which there is at least one, after `moves` slides of
    /// this game; `false` ends the game here.
    fn position(&mut self, board: &Board, score: u64, moves: u32, legal: Moves) -> bool;
    /// The decision is made. It is not when the player was asked to stop before its end, whatever the witness has seen.
    fn moved(&mut self, mv: Move);
}

/// Sees every turn of a game. Batches use `()`, which compiles to nothing.
trait Turns {
    type Witness: Witness;

    fn witness(&mut self) -> &mut Self::Witness;
    /// Whether the game goes on from this position.
    fn goes_on<P: Position>(&mut self, state: State<P>, slides: &P::Slides) -> bool;
    fn turn<P: Position>(&mut self, mv: Move, after: P, next: P);
}

impl Turns for () {
    type Witness = ();

    #[inline(always)]
    fn witness(&mut self) -> &mut () {
        self
    }
    #[inline(always)]
    fn goes_on<P: Position>(&mut self, _state: State<P>, _slides: &P::Slides) -> bool {
        true
    }
    #[inline(always)]
    fn turn<P: Position>(&mut self, _mv: Move, _after: P, _next: P) {}
}

/// Shows the turns of a game to an observer.
struct Observed<'a, O>(&'a mut O);

impl<O: Observer> Turns for Observed<'_, O> {
    type Witness = O;

    fn witness(&mut self) -> &mut O {
        self.0
    }
    fn goes_on<P: Position>(&mut self, state: State<P>, slides: &P::Slides) -> bool {
        let legal = slides.legal();
        legal.is_empty() || self.0.position(&state.position.to_board(), u64::from(state.score), state.moves, legal)
    }
    fn turn<P: Position>(&mut self, mv: Move, _after: P, _next: P) {
        self.0.moved(mv);
    }
}

/// Shows each turn of a game to a closure of the move and the two boards.
struct Each<F>(F, ());

impl<F: FnMut(Move, &dyn Fn() -> [Board; 2])> Turns for Each<F> {
    type Witness = ();

    fn witness(&mut self) -> &mut () {
        &mut self.1
    }
    fn goes_on<P: Position>(&mut self, _state: State<P>, _slides: &P::Slides) -> bool {
        true
    }
    fn turn<P: Position>(&mut self, mv: Move, after: P, next: P) {
        (self.0)(mv, &|| [after.to_board(), next.to_board()]);
    }
}

impl Player {
    /// Plays a game to its end.
    pub fn play(&self, seed: &GameSeed) -> Outcome {
        self.play_watched(seed, &CancelToken::new(), &mut ())
    }

    /// Plays a game to its end; `None` when it was asked to stop before. A game without searches takes some
    /// microseconds and is finished in any case.
    pub fn play_until(&self, seed: &GameSeed, stop: &CancelToken) -> Option<Outcome> {
        let outcome = self.play_watched(seed, stop, &mut ());
        (!self.searches() || !stop.is_cancelled()).then_some(outcome)
    }

    /// The same, and each move is told when it is made: a game of searches may be held there, and its moves cost more to
    /// find again than to keep. Games without searches tell nothing.
    pub fn play_told(&self, seed: &GameSeed, stop: &CancelToken, tell: &mut dyn FnMut(Move)) -> Option<Outcome> {
        if !self.searches() {
            return self.play_until(seed, stop);
        }
        let outcome = self.play_watched(seed, stop, &mut Each(|mv, _: &dyn Fn() -> [Board; 2]| tell(mv), ()));
        (!stop.is_cancelled()).then_some(outcome)
    }

    /// Plays a game as [`Player::play`] does, and shows `observer` every position, every value and every move. It ends
    /// before its end when the observer says so and, in the middle of a search, when it is asked to stop.
    pub fn observe(&self, seed: &GameSeed, stop: &CancelToken, observer: &mut impl Observer) -> Outcome {
        self.play_watched(seed, stop, &mut Observed(observer))
    }

    /// Plays on from a board until the game ends or is asked to stop, to see how long moves take; gives the number of
    /// moves made. Only searches look at `stop`.
    pub fn play_on(&self, board: &Board, score: u32, seed: &GameSeed, stop: &CancelToken) -> u32 {
        let desk = self.desk();
        let work = Work { desk: &desk, order: SearchOptions { stop, cores: 1 } };
        let packed = board.as_packed().map(|packed| State { position: packed.crossed(), score, moves: 0 });
        let outcome = match packed.map(|start| self.run(start, seed, work, &mut ())) {
            Some(Ok(outcome)) => outcome,
            Some(Err(State { position, score, moves })) => {
                self.finish(State { position: position.packed().into(), score, moves }, seed, work, &mut ())
            }
            None => self.finish(State { position: board.to_grid(), score, moves: 0 }, seed, work, &mut ()),
        };
        self.put_back(desk);
        outcome.moves
    }

    /// Plays game number `game` under `seed` and writes it down. `strategy` is the text for the head of the record.
    pub fn record(&self, seed: Seed, game: u64, strategy: &Strategy) -> Record {
        self.record_until(seed, game, strategy, &CancelToken::new())
    }

    /// The same; a game of searches that is asked to stop ends with the moves it has made.
    pub fn record_until(&self, seed: Seed, game: u64, strategy: &Strategy, stop: &CancelToken) -> Record {
        let game_seed = seed.game(game);
        let mut steps = Vec::new();
        let write_down = |mv: Move, boards: &dyn Fn() -> [Board; 2]| {
            let [after, next] = boards();
            let new = next.cells().find(|&(cell, rank)| after.get(cell) != rank);
            steps.extend(new.map(|(cell, rank)| Step { mv, spawn: Spawn { cell, rank } }));
        };
        self.play_watched(&game_seed, stop, &mut Each(write_down, ()));
        Record {
            rules: self.rules,
            seed: Some(seed.0),
            game,
            strategy: Some(strategy.to_string()),
            start: game_seed.opening(&self.rules),
            score: 0,
            steps,
        }
    }

    fn play_watched(&self, seed: &GameSeed, stop: &CancelToken, turns: &mut impl Turns) -> Outcome {
        let desk = self.desk();
        // Games are what runs side by side in a batch, so that each keeps to its core.
        let work = Work { desk: &desk, order: SearchOptions { stop, cores: 1 } };
        let outcome = if self.rules.size == Size::FOUR {
            let p4 = self.rules.p4;
            let opening = seed.add_tile(seed.add_tile(Packed::EMPTY.crossed(), 0, p4), 1, p4);
            match self.run(State::opened(opening), seed, work, turns) {
                Ok(outcome) => outcome,
                Err(State { position, score, moves }) => {
                    self.finish(State { position: position.packed().into(), score, moves }, seed, work, turns)
                }
            }
        } else {
            self.finish(State::opened(seed.opening(&self.rules).to_grid()), seed, work, turns)
        };
        self.put_back(desk);
        outcome
    }

    /// Plays on where every tile fits.
    fn finish(&self, state: State<Grid>, seed: &GameSeed, work: Work<'_>, turns: &mut impl Turns) -> Outcome {
        match self.run(state, seed, work, turns) {
            Ok(outcome) => outcome,
            Err(state) => state.outcome(),
        }
    }

    /// Plays on until the game ends, or until a slide would make a tile that `P` cannot hold; then gives the position
    /// before that turn back.
    #[inline]
    fn run<P: SearchBoard>(
        &self,
        mut state: State<P>,
        seed: &GameSeed,
        work: Work<'_>,
        turns: &mut impl Turns,
    ) -> Result<Outcome, State<P>>
    where
        P::Slides: Sync,
        Compiled: Evaluate<P>,
    {
        let rows = Rows::shared();
        loop {
            if self.rules.stop_at.is_some_and(|rank| rank <= state.position.max_rank()) {
                return Ok(state.outcome());
            }
            let Some(slides) = state.position.slides(rows) else {
                return Err(state);
            };
            if !turns.goes_on(state, &slides) {
                return Ok(state.outcome());
            }
            let tie = |n| seed.tie(state.moves, n);
            let score = u64::from(state.score);
            let chosen = self.choose::<P, _>(state.position, &slides, score, tie, work, turns.witness());
            let Some(mv) = chosen else {
                return Ok(state.outcome());
            };
            let after = slides.after(mv);
            // Spawns 0 and 1 are the opening.
            let next = seed.add_tile(after, state.moves + 2, self.rules.p4);
            turns.turn(mv, after, next);
            state = State { position: next, score: state.score + slides.reward(mv), moves: state.moves + 1 };
        }
    }
}

impl<P: Position> State<P> {
    fn opened(position: P) -> Self {
        Self { position, score: 0, moves: 0 }
    }

    fn outcome(&self) -> Outcome {
        Outcome { score: self.score, moves: self.moves, largest: self.position.max_rank() }
    }
}

impl Outcome {
    /// The outcome of a written game.
    pub fn of(record: &Record) -> Self {
        let moments = record.replay();
        let (board, score) = moments.last().map_or((Board::EMPTY, 0), |last| (last.board, last.score));
        // A record may begin at any score.
        let score = u32::try_from(score).unwrap_or(u32::MAX);
        Self { score, moves: record.steps.len() as u32, largest: board.max_rank() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Rules;
    use crate::strategy::compositions;

    #[test]
    fn the_fast_path_plays_the_games_that_are_written_down() {
        for strategy in compositions("meugr").expect("letters") {
            let player = Player::new(&strategy, Rules::default());
            for game in 0..3 {
                let record = player.record(Seed(1), game, &strategy);
                assert_eq!(player.play(&Seed(1).game(game)), Outcome::of(&record), "{strategy}");
                assert_eq!(record.to_string().parse(), Ok(record.clone()));
                assert!(record.replay().last().expect("a start").board.is_dead());
            }
        }
    }

    #[test]
    fn the_moves_that_a_game_tells_are_those_of_its_record() {
        let text = "(criteria: [(evaluator: Snake, lookahead: Expectimax(plies: Fixed(2)))])";
        let (searching, plain): (Strategy, Strategy) = (text.parse().expect(text), "emr".parse().expect("emr"));
        let rules = Rules { stop_at: Rank::of_tile(64), ..Rules::default() };
        for (strategy, tells) in [(searching, true), (plain, false)] {
            let player = Player::new(&strategy, rules);
            let mut told = Vec::new();
            let outcome = player.play_told(&Seed(1).game(2), &CancelToken::new(), &mut |mv| told.push(mv));
            let record = player.record(Seed(1), 2, &strategy);
            assert_eq!(outcome, Some(Outcome::of(&record)));
            let moves: Vec<Move> = record.steps.iter().map(|step| step.mv).collect();
            assert_eq!(told, if tells { moves } else { Vec::new() });
        }
    }

    #[test]
    fn every_decision_of_a_game_is_the_one_the_screen_explains() {
        for size in Size::all() {
            let rules = Rules { size, p4: 0.3, ..Rules::default() };
            for letters in ["r", "emr", "gu", "umgr"] {
                let strategy: Strategy = letters.parse().expect("letters");
                let player = Player::new(&strategy, rules);
                let record = player.record(Seed(2), 5, &strategy);
                let seed = Seed(2).game(5);
                for (index, (moment, step)) in record.replay().iter().zip(&record.steps).enumerate() {
                    let decision = player.decide(&moment.board, moment.score, |n| seed.tie(index as u32, n));
                    assert_eq!(decision.chosen, Some(step.mv), "{letters} {size} move {index}");
                    let slide = moment.board.slide(step.mv).expect("legal");
                    assert_eq!(seed.spawn(index as u32 + 2, &slide.after.board(), rules.p4), step.spawn);
                }
            }
        }
    }

    #[test]
    fn a_game_passes_the_merge_of_two_32768_without_noticing() {
        // Any legal play from here merges the pair or fills up; follow both representations side by side.
        let start: Board = "32768,32768,16,2/8,4,2,16/4,2,8,4/2,8,4,0".parse().expect("a board");
        let strategy: Strategy = "gr".parse().expect("letters");
        let player = Player::new(&strategy, Rules::default());
        let seed = Seed(3).game(0);
        let packed = State { position: start.as_packed().expect("fits").crossed(), score: 0, moves: 0 };
        let (desk, stop) = (player.desk(), CancelToken::new());
        let work = Work { desk: &desk, order: SearchOptions { stop: &stop, cores: 1 } };
        let Err(handed) = player.run(packed, &seed, work, &mut ()) else { panic!("greedy play merges the pair") };
        let through = player.finish(
            State { position: Grid::from(handed.position.packed()), score: handed.score, moves: handed.moves },
            &seed,
            work,
            &mut (),
        );
        let plain = player.finish(State { position: start.to_grid(), score: 0, moves: 0 }, &seed, work, &mut ());
        assert_eq!(through, plain);
        assert!(65536 <= plain.score);
        assert_eq!(plain.largest, Rank::new(16).expect("a rank"));
    }

    #[test]
    fn a_game_ends_at_the_tile_to_stop_at() {
        let strategy: Strategy = "emr".parse().expect("letters");
        let whole = Player::new(&strategy, Rules::default());
        for tile in [4, 8, 64, 256, 2048] {
            let rank = Rank::of_tile(tile).expect("a tile");
            let rules = Rules { stop_at: Some(rank), ..Rules::default() };
            let player = Player::new(&strategy, rules);
            for game in 0..20 {
                let record = player.record(Seed(4), game, &strategy);
                assert_eq!(player.play(&Seed(4).game(game)), Outcome::of(&record), "{tile}");
                assert_eq!(record.to_string().parse(), Ok(record.clone()));
                let moments = record.replay();
                let (last, before) = moments.split_last().expect("a start");
                assert!(before.iter().all(|moment| moment.board.max_rank() < rank), "{tile}");
                assert!(rank <= last.board.max_rank() || last.board.is_dead(), "{tile}");
                // The beginning of the game that is not stopped.
                let longer = whole.record(Seed(4), game, &strategy);
                assert_eq!((longer.start, &longer.steps[..record.steps.len()]), (record.start, &record.steps[..]));
            }
        }
    }

    #[test]
    fn a_game_is_played_on_from_any_board() {
        let strategy: Strategy = "emr".parse().expect("letters");
        let player = Player::new(&strategy, Rules::default());
        let seed = Seed(4).game(0);
        let moves = |board: &str| player.play_on(&board.parse().expect(board), 0, &seed, &CancelToken::new());
        assert!(0 < moves("2,4,8,16/4,8,16,32/8,16,32,64/16,32,64,0"));
        assert!(0 < moves("65536,65536,0,0/0,0,0,0/0,0,0,0/0,0,0,0"), "beyond what a packed board holds");
        assert!(0 < moves("2,0,0/0,2,0/0,0,0"));
        assert_eq!(moves("2,4/4,2"), 0);
    }

    #[test]
    fn equal_moves_see_equal_tiles() {
        let (a, b): (Strategy, Strategy) = ("er".parse().expect("er"), "emr".parse().expect("emr"));
        let record = |strategy: &Strategy| Player::new(strategy, Rules::default()).record(Seed(9), 4, strategy);
        let (a, b) = (record(&a), record(&b));
        assert_eq!(a.start, b.start);
        let mut shared = 0;
        for (a, b) in a.steps.iter().zip(&b.steps).take_while(|(a, b)| a.mv == b.mv) {
            assert_eq!(a.spawn, b.spawn);
            shared += 1;
        }
        assert!(0 < shared, "the games should share a beginning for this test to mean anything");
    }
}
