//! Announcements for screen readers about changes away from the focus: moves, autoplay, messages, finished searches and
//! runs, replay steps.
//!
//! It compares the state with that of the previous frame, so that a change is announced whatever caused it. Each
//! announcement is a separate live region in the accessibility tree, so that repeated text is announced again. Without
//! a screen reader no text is built.

use std::collections::HashSet;
use std::time::Duration;

use egui::accesskit::Live;
use egui::{Role, Sense, Ui, WidgetInfo};

use super::notices::Notices;
use crate::experiment::State;
use crate::game::Board;
use crate::prose;
use crate::search::Replay;
use crate::words;
use crate::workbench::kit::is_heard;
use crate::workbench::panels::Panels;
use crate::workbench::state::effect::Level;
use crate::workbench::state::{Document, ExperimentRun, NodeId};

/// Minimum interval between announcements of automatic and of manual changes, in seconds.
const BY_ITSELF: f64 = 1.0;
const BY_HAND: f64 = 0.25;
/// Time that an announcement stays in the tree, in seconds, because some readers request the text only after a change
/// notification.
const STANDS: f64 = 2.0;

#[derive(Debug, Default)]
pub(super) struct Announcer {
    /// The state of the last frame; `None` without a screen reader.
    seen: Option<Seen>,
    /// Recent announcements that are still in the tree.
    standing: Vec<Telling>,
    /// Number of announcements, so that each is a new node.
    tellings: u64,
}

#[derive(Debug)]
struct Telling {
    number: u64,
    /// When it was announced, in seconds.
    at: f64,
    live: Live,
    text: String,
}

#[derive(Debug)]
struct Seen {
    position: Paced<NodeId>,
    is_playing: bool,
    /// The number of the decision.
    decision: Paced<Option<u64>>,
    run: (u64, Option<State>),
    /// Practice: the number of answers, and the current question's board.
    practice: Option<(usize, Option<Board>)>,
    /// The replayed tree, by the number of its decision, and the instant.
    instant: Paced<Option<(u64, u64)>>,
    /// The last event of a row drag.
    carried: Option<String>,
}

/// A value that may change faster than it can be announced.
#[derive(Debug)]
struct Paced<T> {
    announced: T,
    /// When it was announced, in seconds.
    at: f64,
}

impl<T: Copy + PartialEq> Paced<T> {
    fn new(announced: T) -> Self {
        Self {
            announced,
            at: f64::NEG_INFINITY,
        }
    }

    /// Returns the previously announced value if it differs from `now` and is old enough.
    fn turn(&mut self, ui: &Ui, now: T, pause: f64) -> Option<T> {
        if self.announced == now {
            return None;
        }
        let time = ui.input(|input| input.time);
        let wait = self.at + pause - time;
        if 0.0 < wait {
            ui.ctx()
                .request_repaint_after(Duration::from_secs_f64(wait));
            return None;
        }
        self.at = time;
        Some(std::mem::replace(&mut self.announced, now))
    }
}

impl Announcer {
    /// Announces what changed since the last frame; once per frame.
    pub(super) fn ui(&mut self, ui: &Ui, doc: &Document, panels: &Panels, notices: &mut Notices) {
        let news = notices.take_news();
        if !is_heard(ui) {
            *self = Self {
                tellings: self.tellings,
                ..Self::default()
            };
            return;
        }
        let replay = panels.inspection.replay.as_ref();
        let number = panels.inspection.shown().map_or(0, |shown| shown.number);
        let mut messages: Vec<(Live, String)> = news
            .into_iter()
            .map(|(level, text)| (politeness(level), text))
            .collect();
        let mut tell = |text: String| messages.push((Live::Polite, text));
        match &mut self.seen {
            Some(seen) => seen.follow(
                ui,
                doc,
                panels,
                replay.map(|replay| (number, replay)),
                &mut tell,
            ),
            None => {
                self.seen = Some(Seen::of(
                    doc,
                    panels,
                    replay.map(|replay| (number, replay.at())),
                ));
            }
        }

        // Two sources may report the same change.
        let mut texts = HashSet::new();
        messages.retain(|(_, text)| !text.is_empty() && texts.insert(text.clone()));
        let now = ui.input(|input| input.time);
        if !messages.is_empty() {
            self.standing.retain(|telling| now < telling.at + STANDS);
        }
        for (live, text) in messages {
            self.standing.push(Telling {
                number: self.tellings,
                at: now,
                live,
                text,
            });
            self.tellings += 1;
        }

        for Telling {
            number, live, text, ..
        } in &self.standing
        {
            let role = if *live == Live::Assertive {
                Role::Alert
            } else {
                Role::Status
            };
            let response = ui.interact(
                ui.max_rect(),
                ui.scope_id().with(("told", number)),
                Sense::hover(),
            );
            response.widget_info(|| WidgetInfo::labeled(role, true, text));
            ui.ctx()
                .accesskit_node_builder(response.id, |node| node.set_live(*live));
        }
    }
}

fn politeness(level: Level) -> Live {
    if level == Level::Error {
        Live::Assertive
    } else {
        Live::Polite
    }
}

impl Seen {
    fn of(doc: &Document, panels: &Panels, instant: Option<(u64, u64)>) -> Self {
        Self {
            position: Paced::new(doc.cursor()),
            is_playing: doc.is_playing(),
            decision: Paced::new(decision_of(doc)),
            run: run_of(doc),
            practice: practice_of(doc),
            instant: Paced::new(instant),
            carried: panels.building.drag.announcement.clone(),
        }
    }

    fn follow(
        &mut self,
        ui: &Ui,
        doc: &Document,
        panels: &Panels,
        replay: Option<(u64, &Replay)>,
        tell: &mut impl FnMut(String),
    ) {
        let is_playing = doc.is_playing();
        let pause = |by_itself| if by_itself { BY_ITSELF } else { BY_HAND };
        // The end of autoplay is announced at once.
        let is_at_rest = self.is_playing && !is_playing;
        let wait = if is_at_rest {
            f64::NEG_INFINITY
        } else {
            pause(is_playing)
        };
        if let Some(before) = self.position.turn(ui, doc.cursor(), wait) {
            tell(position(doc, before));
        }
        if std::mem::replace(&mut self.is_playing, is_playing) != is_playing {
            tell(
                if is_playing {
                    "Autoplay started"
                } else {
                    "Autoplay stopped"
                }
                .to_owned(),
            );
        }

        // Decisions without a search, or during autoplay, are not announced.
        let searched = doc
            .decided()
            .filter(|decided| decided.strategy.looks_ahead() && !is_playing);
        match searched {
            None => self.decision.announced = decision_of(doc),
            Some(decided) if self.decision.turn(ui, decision_of(doc), BY_HAND).is_some() => {
                let sentence = prose::decision::sentence(&decided.decision, &decided.strategy);
                tell(format!(
                    "{} has decided: {sentence}",
                    decided.strategy.label()
                ));
            }
            Some(_) => {}
        }

        let run = run_of(doc);
        if run != self.run {
            run_told(doc.last_run(), run.0 != self.run.0)
                .into_iter()
                .for_each(&mut *tell);
            self.run = run;
        }
        let practice = practice_of(doc);
        if practice != self.practice {
            self.practice = practice;
            practice_told(doc).into_iter().for_each(&mut *tell);
        }
        let now = replay.map(|(number, replay)| (number, replay.at()));
        let begins = self.instant.announced.is_none() != now.is_none();
        let wait = if begins {
            f64::NEG_INFINITY
        } else {
            pause(panels.inspection.replay_plays)
        };
        if self.instant.turn(ui, now, wait).is_some() {
            tell(match replay {
                Some((_, replay)) => instant(replay, begins),
                None => "Stepping through the search has ended".to_owned(),
            });
        }

        let carried = &panels.building.drag.announcement;
        if *carried != self.carried {
            self.carried.clone_from(carried);
            tell(carried.clone().unwrap_or_default());
        }
    }
}

fn decision_of(doc: &Document) -> Option<u64> {
    doc.decided().map(|decided| decided.number)
}

fn run_of(doc: &Document) -> (u64, Option<State>) {
    (doc.last_run().runs, doc.last_run().state().cloned())
}

fn practice_of(doc: &Document) -> Option<(usize, Option<Board>)> {
    let session = doc.practising().session()?;
    Some((
        session.progress()[0],
        session.question().map(|question| question.board),
    ))
}

/// `Question 3 of 40. Which move?`, or the judge's verdict on the answer.
fn practice_told(doc: &Document) -> Option<String> {
    let session = doc.practising().session()?;
    let [answers, all] = session.progress().map(|number| words::count(number as u64));
    Some(match (session.question(), session.answer()) {
        (Some(_), _) => format!(
            "Question {} of {all}. Which move?",
            words::count(session.progress()[0] as u64 + 1)
        ),
        (None, Some(answered)) => prose::practice::verdict(answered),
        (None, None) => format!("All positions are answered, {answers} of {all}"),
    })
}

/// How the position changed since `before`: `Left, 12 points, new 2 at r1c4`.
fn position(doc: &Document, before: NodeId) -> String {
    let (node, old) = (doc.node(), doc.tree().node(before));
    let moves = node.moves.saturating_sub(old.moves);
    let mut on_the_way =
        std::iter::successors(Some(doc.cursor()), |&id| doc.tree().node(id).parent);
    let is_played = moves != 0 && on_the_way.nth(moves as usize) == Some(before);
    let points = |points| {
        if points == 0 {
            "no points".to_owned()
        } else {
            words::plural(points, "point")
        }
    };
    let score = words::count(node.score);

    let mut text = match node.step.filter(|_| is_played) {
        Some(step) if moves == 1 => {
            format!(
                "{}, {}, new {}",
                step.mv,
                points(node.score - old.score),
                step.spawn
            )
        }
        Some(step) => {
            let moves = words::plural(u64::from(moves), "move");
            format!(
                "{moves}, the last {}, new {}, score {score}",
                step.mv.name().to_lowercase(),
                step.spawn
            )
        }
        None => {
            let moves = doc.line().len().saturating_sub(1) as u64;
            let at = match doc.move_number() {
                number if number <= moves => format!("Move {number} of {moves}, score {score}"),
                number => format!("Move {number}, score {score}"),
            };
            match &*doc.game().title {
                title if node.game != old.game && !title.is_empty() => format!("{title}. {at}"),
                _ if node.game != old.game => format!("Another game. {at}"),
                _ => at,
            }
        }
    };
    if node.board.is_dead() {
        text += &format!(". The game is over with {}", points(node.score));
    }

    text
}

/// The state of the run; messages cover errors and stops.
fn run_told(last_run: &ExperimentRun, is_new: bool) -> Option<String> {
    let progress = last_run.progress()?;
    let (finished, total) = (
        words::count(progress.work.done),
        words::plural(progress.work.total, "game"),
    );
    match progress.state {
        State::Running if is_new => Some(format!("Playing {total}")),
        State::Running => Some(format!("Playing, {finished} of {total} finished")),
        State::Paused => Some(format!("Paused, {finished} of {total} finished")),
        State::Done => Some(format!("{total} finished{}", leader(last_run))),
        State::Stopping => Some("Stopping: the games in play are finished".to_owned()),
        State::Stopped | State::Cancelled | State::RuleMet { .. } | State::Failed(_) => None,
    }
}

/// `. emr leads with a mean of 4,272 ± 188 at 95 %`.
fn leader(last_run: &ExperimentRun) -> String {
    let Some((plan, snapshot)) = last_run.plan().zip(last_run.snapshot.as_ref()) else {
        return String::new();
    };
    let means = plan.contestants.iter().zip(&snapshot.summaries);
    let means = means.filter_map(|(one, summary)| {
        Some((summary.scores.mean()?, &summary.scores, &one.strategy))
    });
    let all = means.clone().count();
    let Some((mean, scores, strategy)) = means.max_by(|a, b| a.0.total_cmp(&b.0)) else {
        return String::new();
    };
    let interval = plan.planned().mean_interval(scores);
    let half = interval
        .map(|ci95| format!(" ± {} at 95 %", words::decimals(ci95.half_width(), 0)))
        .unwrap_or_default();
    let leads = if 1 < all { "leads with" } else { "has" };
    format!(
        ". {} {leads} a mean of {}{half}",
        strategy.label(),
        words::decimals(mean, 0)
    )
}

/// `Step 12 of 891. Entered the chance node after left`.
fn instant(replay: &Replay, begins: bool) -> String {
    let (at, len) = (words::count(replay.at()), words::count(replay.len()));
    let begins = if begins {
        "Stepping through the search. "
    } else {
        ""
    };
    format!(
        "{begins}Step {at} of {len}. {}",
        prose::replay::sentence(&replay.now(), replay.tree())
    )
}
