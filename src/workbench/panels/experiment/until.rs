//! The stop rules of a run: the field of the set-up, and gauges during the run.

use egui::{DragValue, Label, PopupCloseBehavior, RichText, Ui, vec2};
use itertools::Itertools as _;
use strum::IntoEnumIterator as _;

use crate::experiment::{Gauge, Level, Pair, Progress, Spread};
use crate::game::{Rank, Rules};
use crate::preset::{HalfWidth, Preset, SprtRule, StopKind, StopRule};
use crate::words;
use crate::workbench::command::{Commands, ExperimentCommand};
use crate::workbench::kit::{Button, balance, chip, choice, progress, segmented, small_print};
use crate::workbench::state::Document;
use crate::workbench::theme::{self, Theme};

/// Maximum number of pairs read to estimate how many games are needed.
const MOST_PAIRS: u64 = 20_000;
/// Width of the menu.
const MENU: f32 = 400.0;
/// Width of a number in it.
const NUMBER: f32 = 76.0;
/// Width of a gauge.
const GAUGE: f32 = 160.0;

/// The spread of the differences in the last run, keyed by run and games.
#[derive(Debug, Default)]
pub(super) struct UntilField {
    spread: Option<((u64, u64), Option<Spread>)>,
}

impl UntilField {
    /// The field; `trial` is the result of timing the set-up.
    pub(super) fn ui(
        &mut self,
        ui: &mut Ui,
        doc: &Document,
        trial: Option<Spread>,
        commands: &mut Commands,
    ) {
        let setup = doc.setup();
        let text = match setup.until.as_slice() {
            [] => "never".to_owned(),
            [rule] => rule.label(),
            rules => format!("any of {} rules", rules.len()),
        };

        let width = ui.available_width();
        let about = setup
            .until
            .iter()
            .map(StopRule::label)
            .chain(["the last game".to_owned()])
            .join(", or ");
        let button = ui.add(Button::new(&text).name("Stop rule").width(width));
        let button = button.on_hover_text(format!("Ends at: {about}"));
        egui::Popup::menu(&button)
            .close_behavior(PopupCloseBehavior::CloseOnClickOutside)
            .show(|ui| {
                // Resets the menu style, because it contains fields, not entries.
                ui.reset_style();
                ui.set_width(MENU);
                ui.spacing_mut().item_spacing = vec2(theme::SPACE_S, theme::SPACE_S);
                let rules = rules_ui(ui, setup);
                if rules != setup.until {
                    commands.push(ExperimentCommand::SetStopRules(rules));
                }
                ui.separator();
                needs_ui(ui, self.spread(doc).or(trial));
            });
    }

    /// The spread in the games of the last run, if it played these strategies.
    fn spread(&mut self, doc: &Document) -> Option<Spread> {
        let last_run = doc
            .results()
            .filter(|last_run| last_run.plays_those_of(doc.setup()))?;
        let (run, snapshot) = (last_run.run.as_ref()?, last_run.snapshot.as_ref()?);
        let key = (last_run.runs, snapshot.progress.work.done);
        if let Some((_, spread)) = self.spread.filter(|(own_key, _)| *own_key == key) {
            return spread;
        }

        let pair = |contestant: usize| {
            let mut pair = Pair::default();
            run.games().follow([contestant, 0], &mut pair, MOST_PAIRS);
            pair.scores
        };
        // Some of many strategies are enough.
        let pairs: Vec<_> = (1..snapshot.summaries.len().min(12)).map(pair).collect();
        let alone = || Spread::of_one(snapshot.summaries.first()?.scores.moments()?);
        let spread = Spread::of_pairs(&pairs).or_else(alone);
        self.spread = Some((key, spread));
        spread
    }
}

/// A switch for each kind of rule, followed by its numbers.
fn rules_ui(ui: &mut Ui, setup: &Preset) -> Vec<StopRule> {
    ui.label(RichText::new("Stop before all games are played when").color(Theme::of(ui).text2));
    StopKind::iter()
        .filter_map(|kind| rule_ui(ui, kind, setup))
        .collect()
}

/// The rule of a kind; `None` if its switch is off.
fn rule_ui(ui: &mut Ui, kind: StopKind, setup: &Preset) -> Option<StopRule> {
    let (name, usual) = match kind {
        StopKind::HalfWidth => ("Half-width", StopRule::HalfWidth(HalfWidth::Percent(2.0))),
        StopKind::Sprt => ("Test", StopRule::Sprt(SprtRule::of_scores(0.0, 100.0))),
        StopKind::Minutes => ("Minutes", StopRule::Minutes(30.0)),
    };

    ui.horizontal_wrapped(|ui| {
        let mut rule = setup
            .until
            .iter()
            .find(|rule| StopKind::from(*rule) == kind)
            .cloned();
        if chip(ui, name, rule.is_some()).clicked() {
            rule = rule.is_none().then_some(usual);
        }
        match &mut rule {
            None => {}
            Some(StopRule::HalfWidth(aim)) => half_width_ui(ui, aim),
            Some(StopRule::Sprt(test)) => test_ui(ui, test, setup),
            Some(StopRule::Minutes(minutes)) => {
                number(ui, "Minutes of the run", minutes, 0.5, 0.1..=525_600.0);
                let more = "have passed; another run may stop at a different game";
                ui.label(RichText::new(more).color(Theme::of(ui).text2));
            }
        }
        rule
    })
    .inner
}

fn number(
    ui: &mut Ui,
    name: &str,
    value: &mut f64,
    speed: f64,
    range: std::ops::RangeInclusive<f64>,
) {
    let drag = DragValue::new(value)
        .speed(speed)
        .range(range)
        .custom_formatter(|value, _| words::decimals_short(value));
    ui.add_sized(vec2(NUMBER, theme::CONTROL), drag)
        .accessible_name(name);
}

fn half_width_ui(ui: &mut Ui, aim: &mut HalfWidth) {
    let theme = Theme::of(ui);
    ui.label(RichText::new("every mean is known to ±").color(theme.text2));
    let (mut value, mut is_percent) = match *aim {
        HalfWidth::Points(points) => (points, false),
        HalfWidth::Percent(percent) => (percent, true),
    };
    number(
        ui,
        "Half-width",
        &mut value,
        if is_percent { 0.05 } else { 1.0 },
        0.01..=1e9,
    );
    let before = is_percent;
    segmented(
        ui,
        "Unit of the half-width",
        &mut is_percent,
        &[(true, "%"), (false, "points")],
    );
    if before != is_percent {
        value = if is_percent { 2.0 } else { 50.0 };
    }
    *aim = if is_percent {
        HalfWidth::Percent(value)
    } else {
        HalfWidth::Points(value)
    };
}

fn test_ui(ui: &mut Ui, test: &mut SprtRule, setup: &Preset) {
    let theme = Theme::of(ui);
    let grey = |ui: &mut Ui, text: &str| ui.label(RichText::new(text).color(theme.text2));
    let text =
        |reach: Option<Rank>| reach.map_or("score".to_owned(), |rank| format!("reaching {rank}"));
    let ranks = (7..=Rules::largest(setup.rules.size).get())
        .filter_map(Rank::new)
        .map(Some);
    let reach = test.reach;
    let now = text(reach);
    let choices = std::iter::once(None)
        .chain(ranks)
        .map(|reach| (reach, text(reach)));
    choice(ui, "What is tested", &mut test.reach, now, 130.0, choices);
    if reach.is_some() != test.reach.is_some() {
        // The defaults: a share of the pairs that differ, or points.
        (test.h0, test.h1) = if test.reach.is_some() {
            (0.5, 0.6)
        } else {
            (0.0, 100.0)
        };
    }

    let (speed, range) = if test.reach.is_some() {
        (0.005, 0.001..=0.999)
    } else {
        (1.0, -1e9..=1e9)
    };
    grey(ui, "H0");
    number(ui, "H0", &mut test.h0, speed, range.clone());
    grey(ui, "H1");
    let before = test.h1;
    number(ui, "H1", &mut test.h1, speed, range);
    grey(
        ui,
        if test.reach.is_some() {
            "of the pairs that differ"
        } else {
            "points of difference"
        },
    );
    if test.h0 == test.h1 {
        // The two hypotheses must differ.
        test.h1 = if before == test.h0 {
            test.h0 + speed
        } else {
            before
        };
    }

    ui.end_row();
    ui.horizontal(|ui| errors_ui(ui, test, setup));
}

fn errors_ui(ui: &mut Ui, test: &mut SprtRule, setup: &Preset) {
    let theme = Theme::of(ui);
    let grey = |ui: &mut Ui, text: &str| ui.label(RichText::new(text).color(theme.text2));
    for (name, error) in [("α", &mut test.alpha), ("β", &mut test.beta)] {
        grey(ui, name);
        number(ui, name, error, 0.001, 0.0001..=0.49);
    }

    if 2 < setup.strategies.len() || test.against.is_some() {
        grey(ui, "against");
        let labels: Vec<String> = setup
            .strategies
            .iter()
            .map(|entry| entry.strategy.label())
            .collect();
        let first = labels.first().cloned().unwrap_or_default();
        let now = test.against.clone().unwrap_or(first);
        let mut chosen = now.clone();
        choice(
            ui,
            "Tested against",
            &mut chosen,
            now.clone(),
            130.0,
            labels.into_iter().map(|label| (label.clone(), label)),
        );
        if chosen != now {
            test.against = Some(chosen);
        }
    }
}

/// The number of games needed to find a difference.
fn needs_ui(ui: &mut Ui, spread: Option<Spread>) {
    let theme = Theme::of(ui);
    ui.label(
        RichText::new("Games per strategy needed to find a difference of the means")
            .color(theme.text2),
    );
    let Some(spread) = spread else {
        small_print(ui, "Unknown until some games are played", theme.text3);
        return;
    };
    ui.label(RichText::new(crate::prose::games_to_find(&spread)).color(theme.text1));
    small_print(ui, crate::prose::about_spread(&spread), theme.text3);
}

/// One line per rule of a run.
pub(super) fn gauges_ui(ui: &mut Ui, run: &Progress) {
    ui.scope(|ui| {
        ui.spacing_mut().interact_size.y = theme::TAG;
        ui.spacing_mut().item_spacing.y = 2.0;
        run.gauges.iter().for_each(|gauge| gauge_ui(ui, gauge));
    });
}

fn gauge_ui(ui: &mut Ui, Gauge { name, text, level }: &Gauge) {
    let theme = Theme::of(ui);
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = theme::SPACE_M;
        ui.label(RichText::new(name).font(theme::medium()).color(theme.text2));
        let width = GAUGE.min(0.4 * ui.available_width());
        let bar = format!("Gauge of {name}");
        let response = match *level {
            Level::Share(share) => progress(ui, &bar, share as f32, width),
            Level::Between(share) => balance(ui, &bar, ["H0", "H1"], share as f32, width),
        };
        response.on_hover_text(text);
        ui.add(Label::new(RichText::new(text).color(theme.text2)).truncate());
    });
}
