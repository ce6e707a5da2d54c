//! The form of a new training: from a preset, or by its tuples and numbers. It shows the memory needed before the
//! start.

use egui::{DragValue, RichText, Ui, vec2};

use crate::learning::{ShippedTraining, Training};
use crate::network::{NAMED, Shape, Stage, Update};
use crate::task::{memory_available, threads_for_cli};
use crate::words;
use crate::workbench::command::{Command, Commands, LearningCommand};
use crate::workbench::icon::Icon;
use crate::workbench::kit::{self, Button, choice, line_edit, segmented};
use crate::workbench::state::Document;
use crate::workbench::theme::{self, Theme};

/// The default preset.
const USUAL: &str = "train-4x5";
const LABEL: f32 = 64.0;
const FIELD: f32 = 260.0;
const NUMBER: f32 = 96.0;
/// Minimum height of the fields, and the assumed height of the part below them before it is first drawn.
const LEAST_FIELDS: f32 = 60.0;
const FOOT: f32 = 64.0;

/// The result of the form.
pub(super) enum Done {
    No,
    Closed,
    /// The name of the new training.
    Begun(String),
}

#[derive(Debug)]
pub(super) struct Form {
    /// Index of its preset in [`ShippedTraining::ALL`].
    preset: Option<usize>,
    name: String,
    /// The name of a network shape, or tuples.
    pattern: String,
    /// The tiles that start further stages.
    stages: String,
    /// Learning rate schedule.
    rates: String,
    training: Training,
    alpha: f32,
    threads: usize,
    /// Heights of all fields and of the part below them in the last frame.
    fields: f32,
    foot: f32,
}

impl Form {
    /// A small training, limited to `minutes` if given.
    pub(super) fn new(doc: &Document, minutes: Option<f64>) -> Option<Self> {
        let preset = ShippedTraining::ALL
            .iter()
            .position(|shipped| shipped.name == USUAL)?;
        let training = ShippedTraining::ALL[preset].training().ok()?;
        let training = Training {
            minutes: minutes.or(training.minutes),
            ..training
        };
        let [name, pattern, stages, rates] = [const { String::new() }; 4];
        let threads = doc.training_threads();

        let mut form = Self {
            preset: Some(preset),
            name,
            pattern,
            stages,
            rates,
            alpha: 0.0,
            threads,
            training,
            fields: f32::INFINITY,
            foot: FOOT,
        };
        form.taken(doc);
        Some(form)
    }

    /// Fills the fields from the training.
    fn taken(&mut self, doc: &Document) {
        let shape = &self.training.network;
        self.pattern = shape
            .name()
            .map_or_else(|| shape.tuples_text(), str::to_owned);
        let stages: Vec<String> = shape.stages().iter().map(ToString::to_string).collect();
        self.stages = stages.join(" ");
        self.rates = self.training.schedule_text();
        self.alpha = self
            .training
            .alpha
            .unwrap_or(self.training.rule.usual_alpha());
        let stem = self.preset.map_or("network", |place| {
            ShippedTraining::ALL[place]
                .name
                .trim_start_matches("train-")
        });
        let names = doc.trainings().names();
        let is_free = |name: &String| !names.contains(name);
        let numbered = (2_u64..).map(|number| format!("{stem}-{number}"));
        self.name = std::iter::once(stem.to_owned())
            .chain(numbered)
            .find(is_free)
            .unwrap_or_default();
    }

    /// Draws the form. The fields scroll; the start button below them stays visible.
    pub(super) fn ui(&mut self, ui: &mut Ui, doc: &Document, commands: &mut Commands) -> Done {
        let room = vec2(
            ui.available_width(),
            (ui.available_height() - self.foot)
                .min(self.fields)
                .max(LEAST_FIELDS),
        );
        let shape = ui.allocate_ui(room, |ui| {
            kit::reading_area(ui, "new training", "New training", |ui| {
                ui.spacing_mut().item_spacing = vec2(theme::SPACE_M, theme::SPACE_S);
                let shape = self.fields_ui(ui, doc);
                self.fields = ui.min_rect().height();
                shape
            })
        });
        let top = ui.cursor().top();
        let done = self.foot_ui(ui, doc, shape.inner, commands);
        self.foot = ui.cursor().top() - top + theme::SPACE_S;
        done
    }

    fn fields_ui(&mut self, ui: &mut Ui, doc: &Document) -> Result<Shape, String> {
        self.preset_ui(ui, doc);
        row(ui, "Name", |ui| {
            let edit = line_edit(&mut self.name, "file name")
                .id_salt("name")
                .desired_width(FIELD - 8.0);
            ui.add(edit).accessible_name("Name of the network");
        });
        let shape = self.pattern_ui(ui);
        let shape = self.stages_ui(ui, shape);
        self.rule_ui(ui);
        let rates = self.rates_ui(ui);
        self.numbers_ui(ui);
        shape.and_then(|shape| rates.map(|()| shape))
    }

    fn foot_ui(
        &self,
        ui: &mut Ui,
        doc: &Document,
        shape: Result<Shape, String>,
        commands: &mut Commands,
    ) -> Done {
        let shape = match shape {
            Ok(shape) => shape,
            Err(reason) => {
                kit::problem(ui, &words::capitalised(&reason));
                return Done::No;
            }
        };
        let training = Training {
            restarts: if shape.stages().is_empty() {
                0
            } else {
                self.training.restarts
            },
            network: shape,
            alpha: (self.alpha != self.training.rule.usual_alpha()).then_some(self.alpha),
            ..self.training.clone()
        };

        memory_ui(ui, &training);
        let name = self.name.trim().to_owned();
        let command: Command = LearningCommand::Start {
            name: name.clone(),
            training: Box::new(training),
            threads: Some(self.threads),
        }
        .into();
        let can = doc.can(&command);
        let mut done = Done::No;
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = theme::SPACE_M;
            if commands
                .show(
                    ui,
                    Button::new("Start training").accent().icon(Icon::Play),
                    command,
                    doc,
                )
                .clicked()
            {
                done = Done::Begun(name);
            }
            if ui.add(Button::new("Cancel")).clicked() {
                done = Done::Closed;
            }
        });

        if let Err(reason) = can {
            kit::problem(ui, &reason);
        }

        done
    }

    fn preset_ui(&mut self, ui: &mut Ui, doc: &Document) {
        let title = |shipped: &ShippedTraining| {
            shipped
                .training()
                .map_or_else(|_| shipped.name.to_owned(), |training| training.title)
        };
        let text = self.preset.map_or_else(
            || "Custom".to_owned(),
            |place| title(&ShippedTraining::ALL[place]),
        );
        let mut place = self.preset;
        row(ui, "Preset", |ui| {
            let all = ShippedTraining::ALL
                .iter()
                .enumerate()
                .map(|(place, shipped)| (Some(place), title(shipped)));
            choice(ui, "Preset of the training", &mut place, text, FIELD, all);
        });
        if place != self.preset
            && let Some(training) =
                place.and_then(|place| ShippedTraining::ALL[place].training().ok())
        {
            (self.preset, self.training) = (place, training);
            self.taken(doc);
        }

        if !self.training.note.is_empty() && self.preset.is_some() {
            kit::small_print(ui, &self.training.note, Theme::of(ui).text3);
        }
    }

    fn pattern_ui(&mut self, ui: &mut Ui) -> Result<Shape, String> {
        let before = self.pattern.clone();
        row(ui, "Network", |ui| {
            let edit = line_edit(&mut self.pattern, "tuples such as 012345 456789");
            // A fixed id keeps the focus while lines above appear and disappear.
            let edit = edit.id_salt("tuples").desired_width(FIELD - 8.0);
            ui.add(edit).accessible_name("Tuples of the network").on_hover_text(
                "A name, or tuples of at most eight cells as hexadecimal digits in reading order; symmetric boards share weights",
            );
            let mut named = NAMED
                .iter()
                .find(|named| named.name == self.pattern)
                .map(|named| named.name);
            let text = named.unwrap_or("custom").to_owned();
            let all = NAMED
                .iter()
                .map(|named| (Some(named.name), named.name.to_owned()));
            choice(ui, "Named network", &mut named, text, 96.0, all);
            if let Some(name) = named.filter(|name| *name != self.pattern) {
                self.pattern = name.to_owned();
            }
        });

        // The shape of the preset stays while its tuples do.
        let own = &self.training.network;
        if own.name().is_some_and(|name| name == self.pattern.trim())
            || own.tuples_text() == self.pattern.trim()
        {
            return Ok(own.clone());
        }

        if before != self.pattern {
            self.preset = None;
        }
        self.pattern
            .parse::<Shape>()
            .map_err(|error| error.to_string())
    }

    fn stages_ui(&mut self, ui: &mut Ui, shape: Result<Shape, String>) -> Result<Shape, String> {
        row(ui, "Stages", |ui| {
            let edit = line_edit(&mut self.stages, "none")
                .id_salt("stages")
                .desired_width(FIELD / 2.0);
            ui.add(edit).accessible_name("Tiles that begin stages").on_hover_text(
                "Tiles that begin a further stage, such as 8192 16384 16384+8192; each stage has its own tables",
            );
            let is_staged = !self.stages.trim().is_empty();
            ui.add_enabled_ui(is_staged, |ui| {
                let most = 0..=Training::MOST_RESTARTS;
                number(
                    ui,
                    "Boards kept for each stage",
                    DragValue::new(&mut self.training.restarts)
                        .range(most)
                        .speed(5),
                );
                let text = "boards kept per stage";
                ui.label(RichText::new(text).color(Theme::of(ui).text3));
            });
        });

        let tiles = self
            .stages
            .split([' ', ','])
            .filter(|tile| !tile.is_empty());
        let stages: Option<Vec<Stage>> = tiles.map(|tiles| tiles.parse().ok()).collect();
        let stages = stages.ok_or(
            "separate the tiles that begin stages with spaces, such as 8192 16384 16384+8192",
        )?;
        shape?
            .with_stages(stages)
            .map_err(|error| error.to_string())
    }

    fn rule_ui(&mut self, ui: &mut Ui) {
        let before = self.training.rule;
        row(ui, "Rule", |ui| {
            let name = "Learning rule";
            segmented(ui, name, &mut self.training.rule, &[(Update::Tc, "TC"), (Update::Td, "TD")]).on_hover_text(
                "TC (temporal coherence): weights whose errors cancel learn more slowly; TD: all learn at the same rate",
            );
            number(
                ui,
                "Learning rate",
                DragValue::new(&mut self.alpha)
                    .range(0.0001..=10.0)
                    .speed(0.005)
                    .max_decimals(5),
            );
            ui.label(RichText::new("learning rate").color(Theme::of(ui).text3));
        });

        if before != self.training.rule {
            self.alpha = self.training.rule.usual_alpha();
        }
    }

    fn rates_ui(&mut self, ui: &mut Ui) -> Result<(), String> {
        row(ui, "Schedule", |ui| {
            let edit = line_edit(&mut self.rates, "constant")
                .id_salt("rates")
                .desired_width(FIELD / 2.0);
            ui.add(edit)
                .accessible_name("Learning rate schedule")
                .on_hover_text("Learning rates that apply after a number of games, such as 100000:0.5 150000:0.1");
            ui.label(RichText::new("rate schedule, e.g. 100000:0.5").color(Theme::of(ui).text3));
        });
        let changes = self
            .rates
            .split([' ', ','])
            .filter(|change| !change.is_empty());
        let schedule: Result<_, _> = changes.map(Training::read_rate).collect();
        self.training.schedule = schedule.map_err(|error| error.to_string())?;
        Ok(())
    }

    fn numbers_ui(&mut self, ui: &mut Ui) {
        row(ui, "Games", |ui| {
            let games = &mut self.training.games;
            let speed = (*games as f64 * 0.01).max(1.0);
            number(
                ui,
                "Training games",
                DragValue::new(games)
                    .range(1..=Training::MOST_GAMES)
                    .speed(speed),
            );
            let mut minutes = self.training.minutes.unwrap_or(0.0);
            let most = DragValue::new(&mut minutes)
                .range(0.0..=100_000.0)
                .speed(1.0)
                .max_decimals(2);
            let none = most.custom_formatter(|minutes, _| match minutes {
                0.0 => "none".to_owned(),
                _ => words::decimals_short(minutes),
            });
            ui.label(RichText::new("limit in minutes").color(Theme::of(ui).text3));
            number(ui, "Time limit in minutes", none.suffix(""));
            self.training.minutes = Some(minutes).filter(|&minutes| 0.0 < minutes);
        });

        row(ui, "Curve", |ui| {
            let every = &mut self.training.every;
            let speed = (*every as f64 * 0.01).max(1.0);
            number(
                ui,
                "Games per point",
                DragValue::new(every)
                    .range(1..=Training::MOST_GAMES)
                    .speed(speed),
            );
            ui.label(RichText::new("games per point").color(Theme::of(ui).text3));
        });

        row(ui, "Tests", |ui| {
            number(
                ui,
                "Test games per point",
                DragValue::new(&mut self.training.tests).range(0..=1_000_000),
            );
            ui.label(RichText::new("test games per point").color(Theme::of(ui).text3));
        });

        row(ui, "Seed", |ui| {
            number(
                ui,
                "Seed of the training",
                DragValue::new(&mut self.training.seed),
            );
            ui.label(RichText::new("threads").color(Theme::of(ui).text3));
            number(
                ui,
                "Threads of the training",
                DragValue::new(&mut self.threads).range(1..=threads_for_cli()),
            );
            let text = match self.threads {
                1 => "reproducible",
                _ => "not exactly reproducible",
            };
            ui.label(RichText::new(text).color(Theme::of(ui).text3));
        });
    }
}

fn row(ui: &mut Ui, label: &str, add: impl FnOnce(&mut Ui)) {
    ui.horizontal_wrapped(|ui| {
        let text = RichText::new(label).color(Theme::of(ui).text2);
        let layout = egui::Layout::left_to_right(egui::Align::Center);
        ui.allocate_ui_with_layout(vec2(LABEL, theme::CONTROL), layout, |ui| {
            ui.set_min_width(LABEL);
            ui.label(text);
        });
        add(ui);
    });
}

fn number(ui: &mut Ui, name: &str, drag: DragValue<'_>) {
    ui.add_sized(vec2(NUMBER, theme::CONTROL), drag)
        .accessible_name(name);
}

/// "4,194,304 weights; 50.3 MB of memory while training, 7.5 GB free".
fn memory_ui(ui: &mut Ui, training: &Training) {
    let free = memory_available()
        .map_or_else(String::new, |free| format!(", {} free", words::bytes(free)));
    let text = format!(
        "{}; {} of memory while training{free}",
        words::plural(training.network.weights(), "weight"),
        words::bytes(training.memory()),
    );
    kit::small_print(ui, text, Theme::of(ui).text2);
}
