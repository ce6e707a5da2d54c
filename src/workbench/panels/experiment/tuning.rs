//! A tuning: its learning curve with intervals, the verified results of winner and start on fresh seeds, and commands
//! to use the winner.

use egui::{
    Align2, Color32, Label, Painter, Rect, RichText, Role, Sense, Stroke, Ui, WidgetInfo, pos2,
    vec2,
};

use crate::preset::Objective;
use crate::prose::verified_sentence;
use crate::stats::Interval;
use crate::tune::{TunePlan, Verified};
use crate::words;
use crate::workbench::command::{Commands, ExperimentCommand, StrategyCommand};
use crate::workbench::icon::Icon;
use crate::workbench::kit::{
    self, Button, Heights, NUMBERS, band, paint_dashed, paint_marker, tick_text, ticks, work_ui,
};
use crate::workbench::state::{Document, TuneRun};
use crate::workbench::theme::{self, Theme};

/// Room for the verification right of the curve, and for the games below it.
const VERIFIED: f32 = 150.0;
const BELOW: f32 = 34.0;

pub(super) fn ui(ui: &mut Ui, doc: &Document, commands: &mut Commands) {
    let (theme, setup) = (Theme::of(ui), doc.setup());
    let Some(tuning) = &setup.tune else { return };
    let plan = TunePlan::of_preset(setup);
    let run = doc.tuning();
    buttons_ui(ui, doc, run, commands);
    let over: Vec<&str> = tuning
        .over
        .iter()
        .map(|tuned| tuned.setting.as_str())
        .collect();
    let about = format!(
        "{} for the {}; {} for tuning, then {} each for winner and start on fresh seeds",
        words::list(&over),
        tuning.objective,
        words::plural(tuning.games, "game"),
        words::count(tuning.verification()),
    );
    ui.add(Label::new(RichText::new(about).small().color(theme.text2)).wrap());
    if let Err(error) = &plan {
        kit::problem(ui, &error.to_string());
    }

    let Some(run) = run else { return };
    let trouble = run.work().trouble.as_ref().filter(|_| run.is_busy());
    if let Some(problem) = run.failure.as_ref().or(trouble) {
        kit::problem(ui, problem);
    }

    let below = if run.verified().is_some() { 54.0 } else { 20.0 };
    let height = (ui.available_height() - below).max(90.0);
    curve_ui(ui, run, height);

    match run.verified() {
        Some(verified) => {
            let sentence = words::capitalised(&verified_sentence(tuning.objective, verified));
            ui.add(Label::new(RichText::new(sentence).color(theme.text1)).wrap());
        }
        None => {
            let hint = "Each point: mean of the center of a generation, on games not used to choose it. Band: 95 % \
                intervals";
            ui.add(Label::new(RichText::new(hint).small().color(theme.text3)).truncate());
        }
    }
}

fn buttons_ui(ui: &mut Ui, doc: &Document, run: Option<&TuneRun>, commands: &mut Commands) {
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = egui::Vec2::splat(theme::SPACE_S);
        let (busy, paused) = (
            run.is_some_and(TuneRun::is_busy),
            run.is_some_and(TuneRun::is_paused),
        );
        if busy && !paused {
            commands.show(
                ui,
                Button::new("Pause tuning").icon(Icon::Pause),
                ExperimentCommand::PauseTuning,
                doc,
            );
        } else {
            let text = if run.is_some_and(|run| !run.generations().is_empty()) {
                "Resume tuning"
            } else {
                "Tune"
            };
            commands.show(
                ui,
                Button::new(text).accent().icon(Icon::Play),
                ExperimentCommand::Tune,
                doc,
            );
        }
        if busy {
            commands.show(
                ui,
                Button::new("Stop tuning").icon(Icon::Stop),
                ExperimentCommand::StopTuning,
                doc,
            );
        }

        let Some(run) = run else { return };
        if let Some(Verified { winner, .. }) = run.verified() {
            let open = ui.add(Button::new("Open the winner as a strategy"));
            if open
                .on_hover_text("Open the tuned strategy to play, inspect and save it")
                .clicked()
            {
                commands.push(StrategyCommand::Open(Box::new(winner.clone())));
            }
            return;
        }

        // A tuning that failed at once has not counted anything.
        if run.is_busy() || run.work().total != 0 {
            work_ui(ui, "Games of the tuning", run.work(), 96.0);
        }
    });
}

fn curve_ui(ui: &mut Ui, run: &TuneRun, height: f32) {
    let theme = Theme::of(ui);
    let (rect, response) =
        ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::hover());
    let beside = if run.verified().is_some() {
        VERIFIED
    } else {
        theme::SPACE_L
    };
    let inner = Rect::from_min_max(
        rect.min + vec2(NUMBERS, 18.0),
        rect.max - vec2(beside, BELOW),
    );
    let all = run.plan.tuning.games as f64;
    let across = |games: f64| inner.left() + inner.width() * (games / all).min(1.0) as f32;
    let ends = |(value, ends): (f64, Interval)| [value, ends.low, ends.high];
    let of_curve = run
        .generations()
        .iter()
        .flat_map(|one| one.ci95.unwrap_or([one.mean; 2]));
    let verified = run.verified().map(|one| [one.of_winner, one.of_start]);
    let heights = Heights::of(
        inner,
        of_curve.chain(verified.into_iter().flatten().flat_map(ends)),
    );
    let objective = run.plan.objective();
    let text = |value: f64| value_text(objective, value);
    let sentence = match (run.generations().last(), run.verified()) {
        (_, Some(one)) => format!(
            "Learning curve, winner {}, start {}",
            text(one.of_winner.0),
            text(one.of_start.0)
        ),
        (Some(last), None) => {
            let count = words::plural(run.generations().len() as u64, "generation");
            format!("Learning curve, {count}, the last {}", text(last.mean))
        }
        (None, None) => "Learning curve, no generation yet".to_owned(),
    };
    response.widget_info(|| WidgetInfo::labeled(Role::Image, true, &sentence));
    let painter = ui.painter();
    heights.paint(
        painter,
        theme,
        &words::capitalised(&objective.to_string()),
        objective != Objective::Mean,
    );
    games_axis(painter, theme, inner, all, across);
    let (mut games, mut points, mut intervals) = (0.0, Vec::new(), Vec::new());
    for one in run.generations() {
        let x = across(games);
        games += one.games as f64;
        points.push(pos2(x, heights.y(one.mean)));
        intervals.push(
            one.ci95
                .map(|[low, high]| (x, heights.y(low), heights.y(high))),
        );
    }

    painter.add(band(
        intervals.into_iter(),
        theme.strategy(0).color.gamma_multiply(theme.series_fill),
    ));
    paint_dashed(painter, &points, theme.strategy(0), theme::SERIES_WIDTH);
    points
        .iter()
        .for_each(|&at| paint_marker(painter, at, theme.strategy(0), 3.0));
    if let Some(verified) = run.verified() {
        let ends_drawn = [
            ("start", verified.of_start, 1),
            ("winner", verified.of_winner, 0),
        ];
        for (place, (name, (value, ends), mark)) in ends_drawn.into_iter().enumerate() {
            let x = inner.right() + 36.0 + 66.0 * place as f32;
            let mark = theme.strategy(mark);
            painter.vline(
                x,
                heights.y(ends.high)..=heights.y(ends.low),
                Stroke::new(2.0, mark.color),
            );
            paint_marker(painter, pos2(x, heights.y(value)), mark, 5.0);
            label(painter, pos2(x, inner.bottom() + 4.0), name, theme.text2);
            label(
                painter,
                pos2(x, heights.y(ends.high) - 16.0),
                &text(value),
                theme.text1,
            );
        }
    }

    let hovered = response.hover_pos().and_then(|at| {
        let near = points
            .iter()
            .enumerate()
            .min_by(|a, b| (a.1.x - at.x).abs().total_cmp(&(b.1.x - at.x).abs()))?;
        run.generations()
            .get(near.0)
            .map(|one| (near.0, one))
            .filter(|_| (near.1.x - at.x).abs() < 24.0)
    });

    if let Some((index, one)) = hovered {
        let interval = one.ci95.map_or(String::new(), |[low, high]| {
            format!(", 95 % interval {} to {}", text(low), text(high))
        });
        let settings = run.plan.settings().iter().zip(&one.centre);
        let settings: Vec<String> = settings
            .map(|(setting, value)| format!("{} {}", setting.name, words::exact(*value)))
            .collect();
        let games = words::plural(one.n, "game");
        response.on_hover_text(format!(
            "Generation {}: {}{interval}, {games}\n{}\n{} of {} candidates dropped early",
            index + 1,
            text(one.mean),
            settings.join(", "),
            one.dropped,
            one.places.len(),
        ));
    }
}

fn value_text(objective: Objective, value: f64) -> String {
    match objective {
        Objective::Mean => words::decimals(value, 0),
        Objective::Reach(_) => format!("{} %", words::decimals(100.0 * value, 1)),
    }
}

fn label(painter: &Painter, at: egui::Pos2, text: &str, color: Color32) {
    painter.text(at, Align2::CENTER_TOP, text, theme::small(), color);
}

/// The axis of games, counted over all candidates.
fn games_axis(
    painter: &Painter,
    theme: &Theme,
    inner: Rect,
    games: f64,
    across: impl Fn(f64) -> f32,
) {
    let (values, step) = ticks(0.0, games, ((inner.width() / 84.0) as usize).max(2));
    for value in values {
        label(
            painter,
            pos2(across(value), inner.bottom() + 4.0),
            &tick_text(value, step),
            theme.text3,
        );
    }
    label(
        painter,
        pos2(inner.center().x, inner.bottom() + 18.0),
        "Games of all candidates",
        theme.text3,
    );
}
