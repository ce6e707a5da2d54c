//! `review`: where games were lost and by what luck.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use itertools::Itertools as _;

use super::args::{JudgingArgs, ReviewArgs, ReviewPrinted};
use super::game_file::GameFile;
use super::interrupt::Busy;
use super::table::{create_table, terminal};
use super::terminal::tell;
use super::watch::Bar;
use super::{Failure, input};
use crate::experiment::{Arm, Game, RunFolder, run_folder};
use crate::files::{self, LARGEST_FILE, ReadProblem};
use crate::game::{ImportError, Imported, Record, Rules, Seed};
use crate::prose::fours_sentence;
use crate::review::{
    Blame, Decider, Judge, NoDecider, Report, Review, ReviewError, ReviewFolder, ReviewFormat,
    Reviewed, ReviewedGames, Section, Session, Several, is_replaced, review_heads,
};
use crate::search::SearchOptions;
use crate::strategy::{GameTrace, Player, Strategy};
use crate::task::{CancelToken, threads_for_cli};
use crate::words;

/// Games of a run that are reviewed by default.
const GAMES: std::ops::Range<u64> = 0..100;

pub(super) fn review(args: &ReviewArgs, out: &mut impl Write) -> Result<(), Failure> {
    let busy = Busy::begin();
    let mut reviewing = Reviewing::of(&args.judging)?;
    match args.death {
        _ if !args.against.is_empty() => reviewing.go_minds(args, &busy.stop, out)?,
        Some(moves) => reviewing.go_death((moves, args.format), &busy.stop, out)?,
        None => reviewing.go(args, &busy.stop, out)?,
    }
    Ok(out.flush()?)
}

/// The error for games that a run does not have.
pub(super) fn no_such_game(run: &Path) -> Failure {
    let reason = "no game of this run has such a number: afterstate runs shows how many it has";
    Failure::could(format!("{}: {reason}", run.display()))
}

/// The game record of a file.
fn record(args: &JudgingArgs, path: &Path) -> Result<Record, Failure> {
    let bytes = files::read_bytes(path, LARGEST_FILE).map_err(|error| match error.problem {
        ReadProblem::Missing => Failure::missing(
            path,
            format!(
                "{}: there is no such game record or run: afterstate runs lists the runs",
                path.display()
            ),
        ),
        ReadProblem::Folder => Failure::could(format!(
            "{}: this folder is not a run; name a run or a game record",
            path.display()
        )),
        _ => error.into(),
    })?;

    let one_game = || {
        if args.games.is_some() || args.strategy.is_some() {
            let path = path.display();
            let reason = "this is a single game, but --games and --strategy select games of a run: leave them out";
            return Err(Failure::usage(format!("{path}: {reason}")));
        }
        Ok(())
    };

    match GameFile::read(path, &bytes)? {
        GameFile::Games(games) => {
            one_game()?;
            let refused =
                |error: ImportError| Failure::could(format!("{}: {error}", path.display()));
            let imported = Imported::only(games).map_err(refused)?;
            tell(&format!(
                "{}: {}; its player is unknown",
                path.display(),
                imported.kind.text()
            ));
            let hint = if imported.fours().disagrees() {
                " to import, and review the record"
            } else {
                ""
            };
            tell(&format!(
                "{}: {}{hint}",
                path.display(),
                fours_sentence(&imported.fours())
            ));
            Ok(imported.record)
        }
        GameFile::Record { record, doubt } => {
            one_game()?;
            if let Some(doubt) = doubt {
                tell(&format!("{}: {doubt}", path.display()));
            }
            Ok(record)
        }
        other => Err(other.refusal(
            path,
            "a run or a game record, which begins with \"afterstate game record\",",
        )),
    }
}

/// A game to review.
pub(super) struct GameToReview {
    pub(super) record: Record,
    pub(super) title: String,
    /// The place of its player.
    pub(super) player: Option<usize>,
}

pub(super) struct Reviewing<'a> {
    pub(super) args: &'a JudgingArgs,
    pub(super) session: Session,
    pub(super) players: Vec<(String, Decider)>,
    pub(super) games: Box<dyn Iterator<Item = Result<GameToReview, Failure>> + 'a>,
    /// The title of all games together; `None` for a single game.
    title: Option<String>,
}

impl<'a> Reviewing<'a> {
    /// The requested games and their judge.
    pub(super) fn of(args: &'a JudgingArgs) -> Result<Self, Failure> {
        let runs = args.kept.place();
        let path = runs
            .as_ref()
            .map_or_else(|| args.what.clone(), |runs| runs.named(&args.what));
        match run_folder(&path) {
            Some(folder) => {
                let folder = RunFolder::open(folder)?;
                let reviews = ReviewFolder::of_games(Some(folder.path()), runs.as_ref());
                Reviewing::new(args, rules_of(&folder, args.strategy.as_deref())?, reviews)?
                    .of_run(&folder)
            }
            None => {
                let record = record(args, &path)?;
                let title = words::one_line(&files::name_of(&path));
                let reviews = ReviewFolder::of_games(None, runs.as_ref());
                Ok(Reviewing::new(args, record.rules, reviews)?.of_game(record, title))
            }
        }
    }

    fn new(
        args: &'a JudgingArgs,
        rules: Rules,
        usual_folder: Option<ReviewFolder>,
    ) -> Result<Self, Failure> {
        let judge = match &args.judge {
            Some(text) => input::strategy_of_flag("--judge", text)?,
            None => {
                Judge::usual(rules).map_err(|error| Failure::usage(format!("--judge: {error}")))?
            }
        };

        let judge = Judge::of(&judge, rules)
            .map_err(|error| Failure::usage(format!("--judge {}: {error}", judge.label())))?;
        judge.strategy().check_files().map_err(Failure::could)?;
        let threads = args
            .threads
            .and_then(|threads| usize::try_from(threads).ok())
            .unwrap_or_else(threads_for_cli);
        let reviews = args
            .reviews
            .as_deref()
            .map(ReviewFolder::within)
            .or(usual_folder);
        let reviews = reviews.ok_or_else(|| {
            Failure::could("this system has no data folder: give one with --reviews DIR")
        })?;
        Ok(Self {
            args,
            session: Session {
                folder: Some(reviews),
                chance: args.chance_thresholds(),
                deepen_from: args.deeper,
                thresholds: args.thresholds,
                asks_rows: !args.no_rows,
                ..Session::of(Arc::new(judge), threads)
            },
            players: Vec::new(),
            games: Box::new(std::iter::empty()),
            title: None,
        })
    }

    fn of_game(mut self, record: Record, title: String) -> Self {
        let player = match Decider::of_record(&record) {
            Err(error @ NoDecider::Unfit(_)) => {
                tell(&format!("afterstate: {title}: {error}"));
                None
            }
            player => player.ok(),
        };
        let place = player.is_some().then_some(0);
        self.players
            .extend(player.map(|player| (player.strategy().label(), player)));
        self.games = Box::new(std::iter::once(Ok(GameToReview {
            record,
            title,
            player: place,
        })));
        self
    }

    fn of_run(mut self, folder: &RunFolder) -> Result<Self, Failure> {
        let seed = folder.preset.seed;
        let sources = folder.games()?;
        let wanted = self.args.games.clone().unwrap_or(GAMES);
        let mut games: Vec<Box<dyn Iterator<Item = Result<GameToReview, Failure>> + 'a>> =
            Vec::new();
        for arm in folder.arms() {
            let (strategy, rules, label) = (arm.strategy.clone(), arm.rules, arm.strategy.label());
            if self
                .args
                .strategy
                .as_ref()
                .is_some_and(|name| *name != label)
            {
                continue;
            }
            let place = self.players.len();
            self.players.push((
                label.clone(),
                Decider::new(&strategy, rules).map_err(Failure::could)?,
            ));
            let wanted = wanted.clone();
            let to_review = move |game: Game| {
                let title = format!("{label}, game {}", words::count(game.index));
                Ok(GameToReview {
                    record: replayed(&strategy, rules, seed, &game, &title)?,
                    title,
                    player: Some(place),
                })
            };
            let of_arm = sources.games_of(arm)?;
            games.push(Box::new(
                of_arm
                    .skip_while(move |game| {
                        game.as_ref().is_ok_and(|game| game.index < wanted.start)
                    })
                    .take_while(move |game| {
                        game.as_ref().map_or(true, |game| game.index < wanted.end)
                    })
                    .map(move |game| to_review(game?)),
            ));
        }

        if let Some(name) = self.args.strategy.as_ref().filter(|_| games.is_empty()) {
            let names: Vec<String> = folder
                .arms()
                .iter()
                .map(|arm| arm.strategy.label())
                .collect();
            let (name, names) = (words::quoted(name), words::list(&names));
            return Err(Failure::usage(format!(
                "--strategy: no strategy of this run is called {name}: it has {names}"
            )));
        }

        self.games = Box::new(games.into_iter().flatten());
        let title = words::one_line(&folder.preset.title);
        self.title = Some(if title.is_empty() {
            "Review".to_owned()
        } else {
            title
        });
        Ok(self)
    }

    fn go(
        &mut self,
        args: &ReviewArgs,
        stop: &CancelToken,
        out: &mut impl Write,
    ) -> Result<(), Failure> {
        let (format, own_play) = (args.format, args.own_play);
        let create = |path: &PathBuf| create_table(path, review_heads());
        let mut table = args.table.as_ref().map(create).transpose()?;
        let (mut several, mut csv_begun) = (Several::default(), false);
        let games = std::mem::replace(&mut self.games, Box::new(std::iter::empty()));
        for game in games {
            let GameToReview {
                record,
                title,
                player,
            } = game?;
            let player = player.and_then(|place| self.players.get(place));
            let mut review = self.judged(record, player.map(|(_, player)| player), &title, stop)?;
            self.ask_player(
                &mut review,
                player.map(|(_, player)| player),
                own_play,
                &title,
                stop,
            )?;
            let Ok(thresholds) = self.session.thresholds(&review) else {
                break;
            };
            if stop.is_cancelled() {
                break;
            }

            let report = Report::of(&review, thresholds).map_err(Failure::could)?;
            if !report.adds_up() {
                tell(&format!(
                    "afterstate: {title}: the parts are off by {} points; please report this",
                    report.totals.balance().text()
                ));
            }

            let reviewed = Reviewed {
                title: &title,
                review: &review,
                report: &report,
                player: player.map(|(_, player)| player),
            };
            if let Some(table) = &mut table {
                reviewed.rows().try_for_each(|cells| table.row(cells))?;
            }
            match format {
                ReviewPrinted::Json => out.write_all(&reviewed.write(ReviewFormat::Json)?)?,
                ReviewPrinted::Csv => {
                    let bytes = reviewed.write(ReviewFormat::Csv)?;
                    // One header for all games.
                    let head = bytes
                        .iter()
                        .position(|&byte| byte == b'\n')
                        .map_or(0, |end| end + 1);
                    out.write_all(&bytes[if csv_begun { head } else { 0 }..])?;
                    csv_begun = true;
                }
                ReviewPrinted::Markdown if self.title.is_none() => {
                    out.write_all(&reviewed.write(ReviewFormat::Markdown)?)?;
                }
                ReviewPrinted::Html if self.title.is_none() => {
                    out.write_all(&reviewed.write(ReviewFormat::Html)?)?;
                }
                ReviewPrinted::Text if self.title.is_none() => {
                    out.write_all(text(&title, &reviewed.sections()).as_bytes())?;
                }
                _ => {}
            }

            let label = player.map(|(label, _)| label.clone()).unwrap_or_default();
            several.add(title, label, None, &report);
        }

        self.print_all(&several, format, out)?;
        if stop.is_cancelled() {
            let games = words::plural(several.games.len() as u64, "game");
            return Err(Failure::Stopped(format!(
                " after {games}; the same command resumes"
            )));
        }

        if several.games.is_empty() {
            return Err(no_such_game(&self.args.what));
        }

        if let Some((table, path)) = table.zip(args.table.as_ref()) {
            tell(&format!(
                "{}: {}",
                path.display(),
                words::plural(table.finish()?, "row")
            ));
        }
        Ok(())
    }

    /// A game, judged to the end or up to a stop; saved judgments are reused and remain.
    pub(super) fn judged(
        &self,
        record: Record,
        player: Option<&Decider>,
        title: &str,
        stop: &CancelToken,
    ) -> Result<Review, Failure> {
        let failed = |error: ReviewError| Failure::could(format!("{title}: {error}"));
        let mut review = self.session.review(record, stop).map_err(failed)?;
        match self
            .session
            .folder
            .as_ref()
            .map(|folder| folder.read_into(&mut review, player))
        {
            Some(Err(error)) if is_replaced(&error) => {
                tell(&format!("afterstate: {error}; it is judged again"));
            }
            read => drop(read.transpose().map_err(Failure::could)?),
        }

        let bar = Bar::new();
        let control = bar.control(title, stop);
        let judged = self
            .session
            .go_on(&mut review, player, &control, &mut |_| {});
        drop(bar);
        self.saved()?;
        judged.map_err(failed)?;
        Ok(review)
    }

    /// An error of the disk is reported at the end of a game, if it lasts.
    fn saved(&self) -> Result<(), Failure> {
        self.session
            .unsaved
            .reason()
            .map_or(Ok(()), |reason| Err(Failure::could(reason)))
    }

    /// Lets the player finish games from the worst moves, if requested.
    fn ask_player(
        &self,
        review: &mut Review,
        player: Option<&Decider>,
        own_play: Option<u64>,
        title: &str,
        stop: &CancelToken,
    ) -> Result<(), Failure> {
        let Some(most) = own_play else { return Ok(()) };
        let unnamed = || Failure::could(format!("{title}: --own-play: {}", NoDecider::Unnamed));
        let player = player.ok_or_else(unnamed)?;
        let worst = review.worst(usize::try_from(most).unwrap_or(usize::MAX));
        let bar = Bar::new();
        let control = bar.control(title, stop);
        let played = self
            .session
            .ask_player(review, (player, &worst), &control, &mut |_| {});
        drop(bar);
        self.saved()?;
        played.map_err(|error| Failure::could(format!("{title}: --own-play: {error}")))
    }

    fn print_all(
        &self,
        several: &Several,
        format: ReviewPrinted,
        out: &mut impl Write,
    ) -> Result<(), Failure> {
        let Some(title) = self.title.as_ref().filter(|_| !several.games.is_empty()) else {
            return Ok(());
        };
        let rules = |player: &str, blame: Blame| {
            let found = self.players.iter().find(|(label, _)| label == player);
            found.map_or_else(String::new, |(_, player)| player.name(blame))
        };
        let all = ReviewedGames {
            title,
            judge: &self.session.judge.label(),
            games: several,
            rules: &rules,
        };
        match format {
            ReviewPrinted::Text => out.write_all(text(title, &all.sections()).as_bytes())?,
            ReviewPrinted::Markdown => out.write_all(all.markdown().as_bytes())?,
            ReviewPrinted::Html => out.write_all(all.html().as_bytes())?,
            ReviewPrinted::Json | ReviewPrinted::Csv => {}
        }
        Ok(())
    }
}

/// The rules of the reviewed games of a run, which have the same judge.
fn rules_of(folder: &RunFolder, strategy: Option<&str>) -> Result<Rules, Failure> {
    let is_asked = |arm: &&Arm| strategy.is_none_or(|name| name == arm.strategy.label());
    let all: Vec<Rules> = folder
        .arms()
        .iter()
        .filter(is_asked)
        .map(|arm| arm.rules)
        .collect();
    if all.iter().all_equal() {
        return Ok(all.first().copied().unwrap_or(folder.preset.rules));
    }
    Err(Failure::usage(
        "the strategies of this run have different chances of a 4: choose one of them with --strategy",
    ))
}

/// A game of a run with its moves: saved ones, or replayed if that takes only a moment.
pub(super) fn replayed(
    strategy: &Strategy,
    rules: Rules,
    seed: u64,
    game: &Game,
    title: &str,
) -> Result<Record, Failure> {
    let text = Some(strategy.to_string());
    let record = match strategy.takes_time() {
        true => Record::of_moves(&game.moves, rules, seed, game.index, text),
        false => GameTrace::record(
            &Player::new(strategy, rules),
            Seed(seed),
            game.index,
            strategy,
            SearchOptions::default(),
        ),
    };
    let moves = game.finish.outcome.moves as usize;
    if record.steps.len() == moves {
        return Ok(record);
    }
    let saved = words::count(record.steps.len() as u64);
    Err(Failure::could(format!(
        "{title}: only {saved} of its {} moves are saved",
        words::count(moves as u64)
    )))
}

pub(super) fn text(title: &str, sections: &[Section]) -> String {
    let mut text = format!("{title}\n");
    for section in sections {
        if !section.title.is_empty() {
            text += &format!("\n{}\n", section.title);
        }
        text.extend(
            section
                .sentences
                .iter()
                .map(|sentence| format!("{sentence}\n")),
        );
        if !section.table.rows.is_empty() {
            text += &terminal(section.table.clone());
        }
    }
    text
}
