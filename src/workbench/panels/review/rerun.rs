//! The result of the last rerun: the edited strategy against the original, on the same seeds.

use std::sync::Arc;

use egui::{Align2, Rect, RichText, Role, Stroke, Ui, pos2, vec2};

use crate::experiment::{Pair, Run, Snapshot, State};
use crate::prose;
use crate::stats::{BinWidth, Binning, Planned, ScoreCounts};
use crate::words;
use crate::workbench::command::{Command, Commands, Panel, ReviewCommand};
use crate::workbench::icon::Icon;
use crate::workbench::kit::{
    Button, elided, empty, focus, inert, mark_key, paint_dashed, paint_marker, paragraph,
    small_print, tick_text, ticks, work_ui,
};
use crate::workbench::state::{Document, ExperimentRun, Rerun};
use crate::workbench::theme::{self, Theme};

/// Pairs of games added at a time.
const MOST_AT_ONCE: u64 = 400_000;
/// Maximum height of the plot.
const HIGHEST: f32 = 240.0;

#[derive(Debug, Default)]
pub(super) struct RerunPanel {
    /// The last result. It stays, dimmed, while the next rerun plays.
    last: Option<Outcome>,
    pair: Pair,
    /// The `runs` number of the rerun that `pair` compares.
    runs: u64,
}

/// The result of a rerun.
#[derive(Debug)]
struct Outcome {
    runs: u64,
    rerun: Rerun,
    pair: Pair,
    snapshot: Arc<Snapshot>,
    planned: Planned,
    /// Scores of the reviewed game after and before the edit.
    game: Option<[u32; 2]>,
    is_over: bool,
}

impl RerunPanel {
    pub(super) fn ui(&mut self, ui: &mut Ui, doc: &Document, commands: &mut Commands) {
        ui.spacing_mut().item_spacing.y = theme::SPACE_S;
        let now = doc
            .rerun()
            .and_then(|(rerun, run)| self.outcome(rerun, run));
        // A rerun that ends without a game leaves the previous result on screen.
        let ended = |now: &Outcome| now.is_over && now.pair.games() != 0;
        let follows = |now: &Outcome| {
            self.last
                .as_ref()
                .is_none_or(|last| ended(now) || last.runs == now.runs)
        };
        if let Some(now) = now.filter(follows) {
            self.last = Some(now);
        }

        let Some(shown) = &self.last else {
            nothing_ui(ui, doc, commands);
            return;
        };
        if let Some((_, run)) = doc.rerun().filter(|(_, run)| run.is_busy()) {
            playing_ui(ui, run);
        }

        let is_old = doc
            .rerun()
            .is_some_and(|(rerun, _)| rerun.runs != shown.runs);
        ui.scope(|ui| {
            if is_old {
                ui.multiply_opacity(theme::STALE_ALPHA);
            }
            outcome_ui(ui, shown, doc);
        });

        ui.add_space(theme::SPACE_S);
        ui.horizontal_wrapped(|ui| {
            let again = Button::new("Rerun on the same seeds")
                .small()
                .icon(Icon::Play);
            let home = commands.show(ui, again, ReviewCommand::Rerun, doc);
            focus::home(&home, Panel::Rerun.area());
            commands.show(ui, Button::new("Undo").small(), Command::Undo, doc);
            remedy_ui(ui, doc, commands);
        });
    }

    fn outcome(&mut self, rerun: &Rerun, run: &ExperimentRun) -> Option<Outcome> {
        let played: &Run = run.run.as_ref()?;
        if self.runs != rerun.runs {
            (self.runs, self.pair) = (rerun.runs, Pair::default());
        }
        while played.games().follow([0, 1], &mut self.pair, MOST_AT_ONCE) {}

        let scores = [0, 1].map(|place| {
            played
                .games()
                .game(place, rerun.game)
                .map(|game| game.score)
        });
        Some(Outcome {
            runs: rerun.runs,
            rerun: rerun.clone(),
            pair: self.pair.clone(),
            snapshot: run.snapshot.clone()?,
            planned: played.plan().planned(),
            game: scores[0]
                .zip(scores[1])
                .map(|(after, before)| [after, before]),
            is_over: run.state().is_some_and(State::has_ended),
        })
    }
}

/// The panel before the first rerun.
fn nothing_ui(ui: &mut Ui, doc: &Document, commands: &mut Commands) {
    let theme = Theme::of(ui);
    let refusal = doc.can(&ReviewCommand::Rerun.into()).err();
    let text = match refusal {
        None => "The strategy was edited: play the same games again".into(),
        Some(reason) if doc.run_in_the_way().is_some_and(|run| run == reason) => reason,
        Some(_) => "No rerun yet. Edit a row, then press 4".into(),
    };
    ui.add_space(theme::SPACE_L);
    ui.vertical_centered(|ui| {
        ui.label(RichText::new(text).color(theme.text3));
        ui.add_space(theme::SPACE_M);
        let button = Button::new("Rerun on the same seeds").icon(Icon::Play);
        let button = commands.show(ui, button, ReviewCommand::Rerun, doc);
        focus::home(&button, Panel::Rerun.area());
        remedy_ui(ui, doc, commands);
    });
}

/// Offers Resume if a paused run prevents the rerun.
fn remedy_ui(ui: &mut Ui, doc: &Document, commands: &mut Commands) {
    let refusal = doc.can(&ReviewCommand::Rerun.into()).err();
    if let Some((text, command)) = refusal.and_then(|reason| doc.remedy(&reason)) {
        commands.show(ui, Button::new(text).small().icon(Icon::Play), command, doc);
    }
}

/// The progress of a running rerun.
fn playing_ui(ui: &mut Ui, run: &ExperimentRun) {
    let Some(progress) = run.progress() else {
        return;
    };
    ui.horizontal(|ui| work_ui(ui, "Games of the rerun", &progress.work, 90.0));
}

fn outcome_ui(ui: &mut Ui, shown: &Outcome, doc: &Document) {
    let theme = Theme::of(ui);
    let Some(difference) = shown.pair.difference() else {
        let text = if shown.is_over {
            "The rerun was stopped before its first game ended"
        } else {
            "Playing the first games"
        };
        empty(ui, text);
        return;
    };

    let interval = shown.pair.interval(shown.planned);
    let half = interval.map(|ends| format!("± {} points", words::decimals(ends.half_width(), 0)));
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = theme::SPACE_S;
        ui.label(
            RichText::new(words::signed(difference, 0))
                .font(theme::strong_of(22.0))
                .color(theme.text1),
        );
        let half = half.unwrap_or_else(|| "points, too few games for an interval".to_owned());
        ui.label(RichText::new(half).color(theme.text2));
    });
    let games = words::plural(shown.pair.games(), "game");
    let so_far = if shown.is_over { "" } else { " so far" };
    small_print(
        ui,
        format!("on the same {games}{so_far}, 95 %"),
        theme.text2,
    );

    let [after, before] = &shown.rerun.strategies;
    let changes = prose::difference(before, after);
    let changes = changes
        .into_iter()
        .filter(|change| !change.starts_with("named") && !change.starts_with("renamed"));
    let changes = words::capitalised(&changes.collect::<Vec<_>>().join("; "));
    if !changes.is_empty() {
        paragraph(ui, format!("{changes}."), theme.text1);
    }
    if let Some([after, before]) = shown.game {
        let [index, before, after] =
            [shown.rerun.game, before.into(), after.into()].map(words::count);
        paragraph(ui, format!("Game {index}: {before} → {after}"), theme.text1);
    }

    histogram_ui(ui, shown, doc);
    let marks = shown
        .rerun
        .strategies
        .each_ref()
        .map(|one| theme.strategy(doc.color_index(one.hash())));
    for (place, name) in ["after the edit".to_owned(), before.label()]
        .into_iter()
        .enumerate()
    {
        let Some(scores) = shown
            .snapshot
            .summaries
            .get(place)
            .map(|summary| &summary.scores)
        else {
            continue;
        };
        let Some(mean) = scores.mean() else { continue };
        let half = shown
            .planned
            .mean_interval(scores)
            .map(|ends| format!(" ± {}", words::decimals(ends.half_width(), 0)));
        ui.horizontal(|ui| {
            mark_key(ui, &name, marks[place]);
            ui.add(egui::Label::new(RichText::new(&name).color(theme.text1)).truncate());
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                ui.label(RichText::new(half.unwrap_or_default()).color(theme.text2));
                ui.label(
                    RichText::new(words::decimals(mean, 0))
                        .font(theme::strong())
                        .color(theme.text1),
                );
            });
        });
    }
}

/// Both score distributions on top of each other, with their means.
fn histogram_ui(ui: &mut Ui, shown: &Outcome, doc: &Document) {
    let theme = Theme::of(ui);
    let scores: Vec<_> = shown
        .snapshot
        .summaries
        .iter()
        .take(2)
        .map(|summary| &summary.scores)
        .collect();
    let height = (ui.available_height() - 110.0).clamp(90.0, HIGHEST);
    let name = "Scores before and after the edit, as a histogram";
    let (whole, _) = inert(ui, vec2(ui.available_width(), height), Role::Image, name);
    let inner = Rect::from_min_max(whole.min + vec2(30.0, 6.0), whole.max - vec2(8.0, 34.0));
    let pixels = f64::from(inner.width().max(1.0));
    let binning = Binning {
        log2: false,
        width: None,
        whole: true,
        pixels,
        seen: None,
        zero: 0,
    };
    let Some(bins) = binning.bins(scores.iter().copied()) else {
        return;
    };
    // Shares, because during the run the two have different numbers of games.
    let percent = |scores: &&ScoreCounts| {
        let all = scores.count().max(1) as f64;
        bins.histogram(scores)
            .into_iter()
            .map(|count| 100.0 * count as f64 / all)
            .collect()
    };
    let shares: Vec<Vec<f64>> = scores.iter().map(percent).collect();
    let highest = shares.iter().flatten().copied().fold(1.0, f64::max);
    let end = f64::from(bins.range(bins.len() - 1).end).max(1.0);
    let x = |score: f64| inner.left() + inner.width() * (score / end).clamp(0.0, 1.0) as f32;
    let y = |share: f64| inner.bottom() - inner.height() * (share / highest) as f32;

    let painter = ui.painter();
    let (at, step) = ticks(0.0, highest, 3);
    for at in at {
        painter.hline(inner.x_range(), y(at), Stroke::new(1.0, theme.grid));
        let place = pos2(inner.left() - 6.0, y(at));
        painter.text(
            place,
            Align2::RIGHT_CENTER,
            tick_text(at, step),
            theme::small(),
            theme.text2,
        );
    }
    let (at, step) = ticks(0.0, end, 4);
    for at in at {
        let place = pos2(x(at), inner.bottom() + 4.0);
        painter.text(
            place,
            Align2::CENTER_TOP,
            tick_text(at, step),
            theme::small(),
            theme.text2,
        );
    }

    // The old distribution lies below the new one.
    for place in (0..shares.len()).rev() {
        let mark = theme.strategy(doc.color_index(shown.rerun.strategies[place].hash()));
        let mut outline = vec![
            pos2(x(0.0), inner.bottom()),
            pos2(x(f64::from(bins.range(0).start)), inner.bottom()),
        ];
        for (bin, share) in shares[place].iter().enumerate() {
            let range = bins.range(bin);
            let top = y(*share);
            let [from, to] = [x(f64::from(range.start)), x(f64::from(range.end))];
            painter.rect_filled(
                Rect::from_min_max(pos2(from, top), pos2(to, inner.bottom())),
                0,
                mark.color.gamma_multiply(theme.series_fill),
            );
            outline.extend([pos2(from, top), pos2(to, top)]);
        }
        outline.push(pos2(x(end), inner.bottom()));
        paint_dashed(painter, &outline, mark, theme::SERIES_WIDTH);
        if let Some(mean) = scores[place].mean() {
            paint_marker(painter, pos2(x(mean), inner.bottom()), mark, 4.5);
        }
    }

    let width = match bins.width() {
        BinWidth::Points(width) | BinWidth::PerDoubling(width) => words::count(width.into()),
    };
    let note = format!("% of games by score, bins of {width}; markers: means");
    let galley = elided(painter, &note, theme::small(), theme.text2, whole.width());
    painter.galley(
        pos2(inner.left(), whole.bottom() - galley.size().y),
        galley,
        theme.text2,
    );
}
