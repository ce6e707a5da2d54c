//! Decisions of strategies that search, made beside the window, with the record of what was searched.
//!
//! One thread decides, on all cores but one and at low priority. It takes the newest question and drops the others, and
//! a question that nobody asks any more is given up in its middle: two searches never run side by side. The thread
//! begins with the first question and ends with the window.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, mpsc};
use std::time::{Duration, Instant};

use crate::game::{Board, GameSeed};
use crate::search::SearchOptions;
use crate::strategy::{Decision, Player};
use crate::task::CancelToken;
use crate::task::{self, Threads, lock, panic_message, threads_for_window};

/// Most nodes of the record of a search; 32 bytes each. What is least probably reached is left out and counted.
pub(super) const RECORD_CAP: usize = 1_000_000;

/// What is to be decided.
pub(super) struct Question {
    pub player: Arc<Player>,
    pub board: Board,
    /// Points up to there.
    pub score: u64,
    /// Chance of the game, for the last resort.
    pub chance: GameSeed,
    /// Moves up to there.
    pub moves: u32,
}

/// The decision, or why there is none.
pub(super) type Answer = Result<Decision, String>;

/// Asks one question at a time; dropping it ends the search.
#[derive(Default)]
pub(super) struct Thinker {
    thread: Option<Thread>,
    asked: Option<Asked>,
    /// Number of the question asked last.
    number: u64,
}

/// The two ends of the thread that decides.
struct Thread {
    questions: mpsc::Sender<Numbered>,
    answers: mpsc::Receiver<(u64, Answer)>,
}

struct Numbered {
    number: u64,
    question: Question,
    stop: CancelToken,
}

/// A question without an answer yet.
struct Asked {
    since: Instant,
    stop: CancelToken,
}

impl std::fmt::Debug for Thinker {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Thinker(question {})", self.number)
    }
}

impl Drop for Thinker {
    fn drop(&mut self) {
        self.cancel();
    }
}

impl Thinker {
    /// Asks this instead of what was asked before; `wake` is called when there is an answer.
    ///
    /// # Errors
    /// The system gives no thread.
    pub(super) fn ask(&mut self, question: Question, wake: &Arc<dyn Fn() + Send + Sync>) -> Result<(), String> {
        self.cancel();
        let thread = match self.thread.take() {
            Some(thread) => thread,
            None => Thread::start(wake.clone())?,
        };
        self.number += 1;
        let stop = CancelToken::new();
        let sent = thread.questions.send(Numbered { number: self.number, question, stop: stop.clone() });
        sent.map_err(|_| "the thread that decides has ended".to_owned())?;
        self.thread = Some(thread);
        self.asked = Some(Asked { since: Instant::now(), stop });
        Ok(())
    }

    /// Gives up what was asked.
    pub(super) fn cancel(&mut self) {
        if let Some(asked) = self.asked.take() {
            asked.stop.cancel();
        }
    }

    /// Since when something is asked; `None` when nothing is.
    pub(super) fn since(&self) -> Option<Instant> {
        self.asked.as_ref().map(|asked| asked.since)
    }

    /// The answer if it is there, or comes within `patience`.
    pub(super) fn answer(&mut self, patience: Duration) -> Option<Answer> {
        self.asked.as_ref()?;
        let until = Instant::now() + patience;
        loop {
            let thread = self.thread.as_ref()?;
            match thread.answers.recv_timeout(until.saturating_duration_since(Instant::now())) {
                Ok((number, answer)) if number == self.number => {
                    self.asked = None;
                    return Some(answer);
                }
                // To a question that was given up.
                Ok(_) => {}
                Err(mpsc::RecvTimeoutError::Timeout) => return None,
                Err(mpsc::RecvTimeoutError::Disconnected) => {
                    self.thread = None;
                    self.asked = None;
                    return Some(Err("the thread that decides has ended".to_owned()));
                }
            }
        }
    }
}

impl Thread {
    fn start(wake: Arc<dyn Fn() + Send + Sync>) -> Result<Self, String> {
        let (questions, asked) = mpsc::channel::<Numbered>();
        let (tell, answers) = mpsc::channel();
        // A job may be done by several threads; this one is done by one.
        let ends = Mutex::new((asked, tell));
        let work = move || {
            let (asked, tell) = &*lock(&ends);
            while let Ok(first) = asked.recv() {
                let newest = std::iter::once(first).chain(asked.try_iter()).last();
                let Some(Numbered { number, question, stop }) = newest.filter(|newest| !newest.stop.is_cancelled())
                else {
                    continue;
                };
                let answer = catch_unwind(AssertUnwindSafe(|| decide(&question, &stop)));
                if stop.is_cancelled() {
                    continue;
                }
                let answer = answer.map_err(|panic| panic_message(&*panic));
                if tell.send((number, answer)).is_err() {
                    return;
                }
                wake();
            }
        };
        let one = Threads { count: 1, low_priority: true };
        task::spawn(one, work, |_| {}).map_err(|error| error.to_string())?;
        Ok(Self { questions, answers })
    }
}

fn decide(question: &Question, stop: &CancelToken) -> Decision {
    let Question { player, board, score, chance, moves } = question;
    // Threads of a search are as patient as the one that begins it.
    let order = SearchOptions { stop, cores: threads_for_window() };
    Decision::of(&player, (board, *score), |n| chance.tie(*moves, n), order, RECORD_CAP)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Rules, Seed};
    use crate::strategy::Strategy;

    fn question(lookahead: &str) -> Question {
        let strategy: Strategy =
            format!("(criteria: [(evaluator: Snake, lookahead: {lookahead})])").parse().expect("a strategy");
        Question {
            player: Arc::new(Player::new(&strategy, Rules::default())),
            board: "2,4,8,16/0,0,0,0/0,0,0,0/0,0,0,2".parse().expect("a board"),
            score: 0,
            chance: Seed(1).game(0),
            moves: 7,
        }
    }

    fn silent() -> Arc<dyn Fn() + Send + Sync> {
        Arc::new(|| {})
    }

    #[test]
    fn the_newest_question_is_answered_and_the_one_before_given_up() {
        let mut thinker = Thinker::default();
        thinker.ask(question("Expectimax(plies: Fixed(40))"), &silent()).expect("a thread");
        assert!(thinker.answer(Duration::from_millis(30)).is_none());
        thinker.ask(question("Expectimax(plies: Fixed(3))"), &silent()).expect("the same thread");
        let answer = thinker.answer(Duration::from_secs(60)).expect("in time").expect("no panic");
        let searched = answer.searches[0].as_ref().expect("it searched");
        assert_eq!(searched.plies, 3);
        assert!(searched.tree.as_ref().is_some_and(|tree| 3 < tree.kept()), "the search is recorded");
        assert!(answer.chosen.is_some() && thinker.since().is_none());
    }

    #[test]
    fn dropping_it_ends_the_search() {
        let mut thinker = Thinker::default();
        let endless = question("Expectimax(plies: Fixed(40))");
        let player = Arc::downgrade(&endless.player);
        thinker.ask(endless, &silent()).expect("a thread");
        assert!(thinker.answer(Duration::from_millis(30)).is_none());
        drop(thinker);
        let late = Instant::now() + Duration::from_secs(60);
        while player.upgrade().is_some() {
            assert!(Instant::now() < late, "the search goes on");
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}
