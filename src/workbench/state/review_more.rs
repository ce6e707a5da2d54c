//! Further analyses of judged games: many games of a run, two strategies compared, and the risk of losing.

use std::sync::Arc;

use super::effect::Effects;
use super::review::show_review;
use super::review_games::{GameOfRun, GamesAsked, GamesOfPlaces, JudgedGame, Source, TELL_EVERY};
use super::review_minds::{self, MindsFound, MindsKey};
use super::{Arm, Core, Document, NodeId, Reviewing};
use crate::game::Board;
use crate::practice::{Book, Question};
use crate::review::{
    Blame, Death, DeathQuestion, Decider, Judge, Report, ReviewFolder, ReviewedDeath,
    ReviewedGames, Section, Several, Thresholds,
};
use crate::strategy::Strategy;
use crate::task::{Control, Job, Latest, TaskGroup, TaskInfo, TaskState, Work, threads_for_window};
use crate::words;
use crate::workbench::command::Panel;

/// The games of a run reviewed so far.
#[derive(Clone, Debug)]
pub struct GamesReviewed {
    pub several: Several,
    /// Each with the index of the strategy in the run.
    pub players: Vec<(usize, Arc<Decider>)>,
    pub judge: String,
    judged_by: Strategy,
    /// The title of the run.
    pub run: String,
    /// The games.
    pub work: Work,
    /// Games whose moves were not saved.
    pub without_moves: usize,
    /// The indices of the requested games.
    indices: Vec<u64>,
    /// Mistakes of all games for the practice book. If there are too many, those with the largest losses.
    mistakes: Vec<Arc<Question>>,
    runs: u64,
}

impl GamesReviewed {
    /// The mistakes of the games reviewed so far, largest loss first, as many as a book takes.
    pub fn mistakes(&self) -> Vec<Question> {
        let mut mistakes: Vec<&Question> = self.mistakes.iter().map(|one| &**one).collect();
        mistakes.sort_by_key(|one| std::cmp::Reverse(one.loss_then()));
        mistakes.truncate(Book::MOST);
        mistakes.into_iter().cloned().collect()
    }

    fn take_mistakes(&mut self, mistakes: Vec<Question>) {
        self.mistakes.extend(mistakes.into_iter().map(Arc::new));
        if 2 * Book::MOST < self.mistakes.len() {
            self.mistakes
                .sort_by_key(|one| std::cmp::Reverse(one.loss_then()));
            self.mistakes.truncate(Book::MOST);
        }
    }

    /// The name of a row of a player, given the player's label.
    pub fn rule(&self, player: &str, blame: Blame) -> String {
        let found = self
            .players
            .iter()
            .find(|(_, decider)| decider.strategy().label() == player);
        found.map_or_else(String::new, |(_, decider)| decider.name(blame))
    }

    /// The text of the results.
    #[expect(
        clippy::redundant_closure_for_method_calls,
        reason = "the method is of one lifetime, the closure of any"
    )]
    pub fn sections(&self) -> Vec<Section> {
        self.written(|written| written.sections())
    }

    /// Passes all results to `read`, to be written.
    pub fn written<R>(&self, read: impl FnOnce(&ReviewedGames<'_>) -> R) -> R {
        let rules = |player: &str, blame: Blame| self.rule(player, blame);
        read(&ReviewedGames {
            title: &self.run,
            judge: &self.judge,
            games: &self.several,
            rules: &rules,
        })
    }
}

/// The risk of losing along the game that was on the board.
#[derive(Clone, Debug)]
pub struct DeathFound {
    pub death: Death,
    /// The examined positions.
    pub work: Work,
    judge: Arc<Judge>,
}

impl DeathFound {
    /// The last position that could be survived, in one sentence.
    pub fn sentence(&self) -> String {
        let sentence = ReviewedDeath {
            judge: &self.judge,
            death: &self.death,
        }
        .sentence();
        let Work { done, total, .. } = self.work;
        if done == total {
            return sentence;
        }
        let [done, total] = [done, total].map(words::count);
        format!(
            "So far, of {done} of {total} positions: {}",
            words::uncapitalised(&sentence)
        )
    }

    /// The text of the results.
    pub fn sections(&self) -> Vec<Section> {
        ReviewedDeath {
            judge: &self.judge,
            death: &self.death,
        }
        .sections()
    }
}

type Analysed<T> = Result<Arc<T>, String>;

/// Further analyses of judged games, with their results so far.
#[derive(Debug, Default)]
pub struct MoreReviews {
    games: Latest<u64, Analysed<GamesReviewed>>,
    minds: Latest<MindsKey, Analysed<MindsFound>>,
    death: Latest<Vec<NodeId>, Analysed<DeathFound>>,
    requests: u64,
}

impl MoreReviews {
    pub fn games(&self) -> Option<&Arc<GamesReviewed>> {
        self.games.known()?.as_ref().ok()
    }

    pub fn reviews_games(&self) -> bool {
        self.games.is_pending()
    }

    pub fn is_paused(&self) -> bool {
        self.games.control().is_some_and(Control::is_paused)
    }

    /// Whether two strategies are being compared on games of a run.
    pub fn asks_minds_of_games(&self) -> bool {
        self.asks_minds() && matches!(self.minds.key(), Some(MindsKey::Games(_)))
    }

    pub fn are_minds_paused(&self) -> bool {
        self.minds.control().is_some_and(Control::is_paused)
    }

    pub(super) fn hold_minds(&self) {
        self.minds.control().into_iter().for_each(Control::toggle);
    }

    pub(super) fn stop_minds(&self) {
        self.minds.stop();
    }

    pub fn asks_minds(&self) -> bool {
        self.minds.is_pending()
    }

    pub fn plays_on(&self) -> bool {
        self.death.is_pending()
    }

    /// Whether two strategies are being compared, or positions are being played out.
    pub fn is_working(&self) -> bool {
        self.asks_minds() || self.plays_on()
    }

    pub(super) fn stop_games(&self) {
        self.games.stop();
    }

    pub(super) fn hold_games(&self) {
        self.games.control().into_iter().for_each(Control::toggle);
    }

    pub(super) fn poll(&mut self) {
        self.games.poll();
        self.minds.poll();
        self.death.poll();
    }

    /// Why one of its panels has nothing to show, in one sentence.
    pub fn problem(&self, panel: Panel) -> Option<String> {
        fn problem_of<K: PartialEq, T>(latest: &Latest<K, Analysed<T>>) -> Option<String> {
            if let Some(Err(reason)) = latest.known() {
                return Some(reason.clone());
            }
            match latest.state() {
                TaskState::Failed(error) if latest.known().is_none() => Some(error.to_string()),
                _ => None,
            }
        }

        match panel {
            Panel::ReviewedGames => problem_of(&self.games),
            Panel::SecondOpinion => problem_of(&self.minds),
            Panel::Survival => problem_of(&self.death),
            _ => None,
        }
    }

    /// Compares a strategy with those that played games of a run.
    fn compare_on_games(&mut self, core: &Core, request: GamesAsked, against: Arc<Decider>) {
        let info = TaskInfo::asked(TaskGroup::Panel, "Comparing two strategies on all games")
            .pausable()
            .answering_when_stopped();
        self.requests += 1;
        let key = MindsKey::Games(self.requests);
        self.minds.ask(
            key,
            core.tasks(),
            info,
            move |job: &Job<Analysed<MindsFound>>| {
                review_minds::of_games(job, &request, &against).map(Arc::new)
            },
        );
    }
}

impl Reviewing {
    /// Reviews games of a run.
    fn review_games(&mut self, core: &Core, request: GamesAsked) {
        let set = self.thresholds;
        let info = TaskInfo::asked(TaskGroup::Panel, "Reviewing games")
            .pausable()
            .answering_when_stopped();
        self.more.requests += 1;
        self.more.games.ask(
            self.more.requests,
            core.tasks(),
            info,
            move |job: &Job<Analysed<GamesReviewed>>| work(job, &request, set).map(Arc::new),
        );
    }

    /// The strategy that played the game on the board, and the open one.
    pub(super) fn two_minds(&self, core: &Core) -> Result<[Arc<Decider>; 2], String> {
        let reviewed = self
            .of_line(core)
            .filter(|reviewed| reviewed.report.is_some())
            .ok_or("Review the game first")?;
        let player = reviewed
            .player
            .as_ref()
            .map_err(|reason| words::capitalised(&reason.to_string()))?;
        let other = core.strategy();
        if other.hash() == player.strategy().hash() {
            return Err(format!(
                "{} played this game itself: open the strategy to compare with",
                other.label()
            ));
        }
        let other = Decider::new(&other, core.game().rules).map_err(|error| error.to_string())?;
        Ok([player.clone(), Arc::new(other)])
    }

    pub(super) fn begin_minds(&mut self, core: &Core) -> Result<(), String> {
        let players = self.two_minds(core)?;
        let review = self
            .of_line(core)
            .ok_or("Review the game first")?
            .review
            .clone();
        let title = core.game().title.to_string();
        let key = MindsKey::Line(core.line().to_vec(), players[1].strategy().to_string());
        let info = TaskInfo::asked(TaskGroup::Panel, "Comparing two strategies").pausable();
        self.more.minds.cancel();
        self.more.minds.ask(
            key,
            core.tasks(),
            info,
            move |job: &Job<Analysed<MindsFound>>| {
                review_minds::of_line(job, &review, players, title).map(Arc::new)
            },
        );
        Ok(())
    }

    pub(super) fn begin_death(&mut self, core: &Core) -> Result<(), String> {
        let judge = self.judging(core)?.into_owned();
        let judge =
            Arc::new(Judge::of(&judge, core.game().rules).map_err(|error| error.to_string())?);
        let moments = core
            .tree()
            .record(core.line().last().copied().unwrap_or(core.cursor()))
            .replay();
        let info = TaskInfo::asked(TaskGroup::Panel, "Playing out positions of the game")
            .pausable()
            .answering_when_stopped();
        self.more.death.cancel();
        self.more.death.ask(
            core.line().to_vec(),
            core.tasks(),
            info,
            move |job: &Job<Analysed<DeathFound>>| {
                let found = |death: &Death| DeathFound {
                    death: death.clone(),
                    work: job.control().work(),
                    judge: judge.clone(),
                };
                let mut tell =
                    |death: &Death| job.tell_every(TELL_EVERY, || Ok(Arc::new(found(death))));

                let question = DeathQuestion::default();
                let death = Death::of(
                    &moments,
                    &judge,
                    question,
                    threads_for_window(),
                    job.control(),
                    &mut tell,
                );
                death
                    .map(|death| Arc::new(found(&death)))
                    .map_err(|error| error.to_string())
            },
        );
        Ok(())
    }
}

impl Document {
    pub fn more_reviews(&self) -> &MoreReviews {
        &self.reviewing.more
    }

    /// The comparison of two strategies on the line on the board, or on games of a run.
    pub fn minds(&self) -> Option<&Arc<MindsFound>> {
        let is_here = match self.reviewing.more.minds.key()? {
            MindsKey::Line(line, _) => self.is_line(line),
            MindsKey::Games(_) => true,
        };
        self.reviewing
            .more
            .minds
            .known()?
            .as_ref()
            .ok()
            .filter(|_| is_here)
    }

    /// The risk of losing along the line on the board.
    pub fn death(&self) -> Option<&Arc<DeathFound>> {
        self.reviewing
            .more
            .death
            .key()
            .filter(|line| self.is_line(line))?;
        self.reviewing.more.death.known()?.as_ref().ok()
    }

    /// The work of judging these games of the run on screen for the strategies at `places`.
    /// Without `judge`, the current judge judges.
    fn games_asked(
        &self,
        places: &[usize],
        indices: Vec<u64>,
        judge: Option<&Strategy>,
    ) -> Result<GamesAsked, String> {
        let shown = self
            .shown()
            .ok_or("No run is shown: run the experiment first")?;
        let run = shown
            .run
            .as_ref()
            .ok_or("No run is shown: run the experiment first")?;
        let own = self.surroundings().runs.clone();
        let config = self.config_dir().map(ReviewFolder::within);
        let source = |place: &usize| {
            let Arm {
                strategy,
                dealt,
                folder,
                ..
            } = shown.arm(*place)?;
            let folder =
                ReviewFolder::of_games(folder.as_deref(), own.as_ref()).or_else(|| config.clone());
            Some(Source {
                place: *place,
                strategy,
                dealt,
                folder,
            })
        };

        let sources: Vec<Source> = places.iter().filter_map(source).collect();
        let rules = sources
            .first()
            .ok_or("This run has no such strategy")?
            .dealt
            .rules;
        if sources.iter().any(|source| source.dealt.rules != rules) {
            return Err(
                "The games of these strategies have different rules, which one judge cannot judge: review them one by \
                 one"
                .to_owned(),
            );
        }

        let judge = match judge.or(self.reviewing.judge.as_ref()) {
            Some(judge) => judge.clone(),
            None => Judge::usual(rules).map_err(|error| error.to_string())?,
        };

        let (chance, unkept) = (self.reviewing.chance, self.reviewing.unkept.clone());
        let (games, runs, title) = (run.games().clone(), shown.runs, shown.title().to_owned());
        Ok(GamesAsked {
            runs,
            title,
            games,
            sources,
            indices,
            only: None,
            judge,
            chance,
            unkept,
        })
    }

    /// Reviews these games of the run on screen for the strategies at `places`.
    pub(super) fn begin_games(
        &mut self,
        places: &[usize],
        indices: Vec<u64>,
    ) -> Result<(), String> {
        let request = self.games_asked(places, indices, None)?;
        self.reviewing.review_games(&self.core, request);
        Ok(())
    }

    /// The reviewed games that the open strategy is compared on: the indices of their strategies, and the games of each.
    pub(super) fn minds_of_games(&self) -> Result<(Vec<usize>, GamesOfPlaces), String> {
        if self.reviewing.more.reviews_games() {
            return Err(
                "Games are being reviewed: stop the review first, or wait until it ends".to_owned(),
            );
        }
        let games = self
            .reviewing
            .more
            .games()
            .ok_or("Review games of a run first: press Review in the Games panel")?;
        if self.shown().is_none_or(|shown| shown.runs != games.runs) {
            return Err("Another run is shown now: open the reviewed run first".to_owned());
        }

        let own = self.strategy().hash();
        let others = games
            .players
            .iter()
            .filter(|(_, player)| player.strategy().hash() != own);
        let places: Vec<usize> = others.map(|(place, _)| *place).collect();
        if places.is_empty() {
            let label = self.strategy().label();
            return Err(format!(
                "{label} played these games itself: open the strategy to compare with"
            ));
        }

        let of_run = games.several.games.iter().filter_map(|game| game.of_run);
        let reviewed: GamesOfPlaces = of_run.filter(|(place, _)| places.contains(place)).collect();
        if reviewed.is_empty() {
            return Err("No games of another strategy are reviewed: review some first".to_owned());
        }
        Ok((places, reviewed))
    }

    pub(super) fn begin_minds_of_games(&mut self) -> Result<(), String> {
        let (places, reviewed) = self.minds_of_games()?;
        let games = self
            .reviewing
            .more
            .games()
            .ok_or("Review games of a run first: press Review in the Games panel")?;
        let (indices, judge) = (games.indices.clone(), Some(&games.judged_by));
        let request = self.games_asked(&places, indices, judge)?;
        // The comparison does not use chances.
        let request = GamesAsked {
            only: Some(reviewed),
            chance: None,
            ..request
        };
        let rules = request.sources[0].dealt.rules;
        let against = Decider::new(&self.strategy(), rules)
            .map(Arc::new)
            .map_err(|error| error.to_string())?;
        self.reviewing
            .more
            .compare_on_games(&self.core, request, against);
        Ok(())
    }

    /// Puts one of the worst moves of the reviewed games on the board, with its review.
    pub(super) fn show_worst(&mut self, number: usize, effects: &mut Effects) {
        let found = self.reviewing.more.games().and_then(|games| {
            let one = games.several.worst.get(number)?;
            let verdict = one.verdict();
            Some((
                games.runs,
                games.several.games[one.game].of_run?,
                (verdict.index, verdict.before.board),
            ))
        });
        let Some((runs, of_run, at)) = found else {
            return;
        };
        self.show_of_run(runs, of_run, at, effects);
    }

    /// Puts one of the disagreements on games of a run on the board, with the review of its game.
    pub(super) fn show_disagreement(&mut self, pair: usize, number: usize, effects: &mut Effects) {
        let found = self.minds().and_then(|found| {
            let pair = found.pairs.get(pair)?;
            let one = pair.minds.widest.get(number)?;
            Some((
                found.runs?,
                *pair.of_run.get(one.game)?,
                (one.index, one.before.board),
            ))
        });
        let Some((runs, of_run, at)) = found else {
            return;
        };
        self.show_of_run(runs, of_run, at, effects);
    }

    /// Puts a position of a game of a run on the board, with the review of its game.
    fn show_of_run(
        &mut self,
        runs: u64,
        of_run: (usize, u64),
        at: (usize, Board),
        effects: &mut Effects,
    ) {
        if self.shown().is_none_or(|shown| shown.runs != runs) {
            return effects.warn("Another run is shown now: open the reviewed run first");
        }
        self.review_of_run(of_run, Some(at), effects);
    }

    /// Puts a game of the run on screen on the board and reviews it. The position is the given one, else the worst move.
    pub(super) fn review_of_run(
        &mut self,
        (place, index): (usize, u64),
        at: Option<(usize, Board)>,
        effects: &mut Effects,
    ) {
        // `open_game` has reported why it failed.
        let Some(title) = self.open_game(place, index, effects) else {
            return;
        };
        effects.info(title);

        self.core.follow_line();
        if let Some((at, board)) = at {
            let Some(&node) = self
                .line()
                .get(at)
                .filter(|&&node| self.tree().node(node).board == board)
            else {
                return;
            };
            self.go_to(node);
        } else {
            self.reviewing.follow_worst(&self.core);
        }

        let begun = self.reviewing.request(&self.core);
        let has_begun = effects.accept(begun).is_some();
        if !has_begun {
            self.reviewing.stop_following();
        }
        show_review(Panel::Review, has_begun, effects);
    }
}

/// Judges games of a run and adds up their reports.
fn work(
    job: &Job<Analysed<GamesReviewed>>,
    request: &GamesAsked,
    set: Option<Thresholds>,
) -> Result<GamesReviewed, String> {
    let (judge, players) = (request.judge()?, request.players()?);
    request.begin(job.control());
    let places = request.sources.iter().map(|source| source.place);
    let mut found = GamesReviewed {
        several: Several::default(),
        players: places.zip(players.iter().cloned()).collect(),
        judge: judge.label(),
        judged_by: request.judge.clone(),
        run: request.title.clone(),
        work: job.control().work(),
        without_moves: 0,
        indices: request.indices.clone(),
        mistakes: Vec::new(),
        runs: request.runs,
    };

    let mut session = request.session(&judge, set);
    request.go(job, &judge, &players, |game| {
        match game {
            GameOfRun::WithoutMoves => found.without_moves += 1,
            GameOfRun::Judged(JudgedGame {
                source,
                index,
                title,
                review,
            }) => {
                let thresholds = session
                    .thresholds(review)
                    .map_err(|error| error.to_string())?;
                let report = Report::of(review, thresholds).map_err(|error| error.to_string())?;
                found.take_mistakes(Question::mistakes(review, &thresholds, &title));
                let Source {
                    strategy, place, ..
                } = &request.sources[source];
                found
                    .several
                    .add(title, strategy.label(), Some((*place, index)), &report);
            }
        }
        job.control().add(1);
        found.work = job.control().work();
        job.tell_every(TELL_EVERY, || Ok(Arc::new(found.clone())));
        Ok(true)
    })?;
    Ok(found)
}
