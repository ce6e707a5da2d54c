//! Value iteration over features: the settings, the result, and the value of its states over two features.

use egui::{
    Align2, Color32, DragValue, Rect, Role, ScrollArea, Sense, Stroke, Ui, WidgetInfo, pos2, vec2,
};

use super::saved_row::{KeptRow, kept_ui};
use crate::evaluator::{Evaluator, FeaturePolicy, PolicyBy, ProcessOf};
use crate::game::{Rules, Size};
use crate::process::{Feature, HeatCell, Process, ProcessInfo, ProcessSpec, RANDOM, State};
use crate::prose;
use crate::strategy::{Criterion, Strategy};
use crate::words;
use crate::workbench::command::{Commands, SolveCommand, StrategyCommand};
use crate::workbench::icon::Icon;
use crate::workbench::kit::{
    Button, choice, fours_field, inert, line_edit, paragraph, small_print, work_ui,
};
use crate::workbench::panels::hold_button;
use crate::workbench::state::{Document, KeptFile};
use crate::workbench::theme::{self, Theme};

/// Height of a cell of the heat map.
const HEIGHT: f32 = 22.0;
/// Below this width of a cell, the heat map scrolls.
const NARROWEST: f32 = 28.0;
const WIDEST: f32 = 48.0;
const BESIDE: f32 = 44.0;

#[derive(Debug)]
pub(super) struct ProcessView {
    spec: ProcessSpec,
    /// Down and across.
    features: [Feature; 2],
    /// The name for saving.
    name: String,
}

impl Default for ProcessView {
    fn default() -> Self {
        Self {
            spec: ProcessSpec::USUAL,
            features: [Feature::Merges, Feature::Empty],
            name: String::new(),
        }
    }
}

impl ProcessView {
    pub(super) fn ui(&mut self, ui: &mut Ui, doc: &Document, commands: &mut Commands) {
        let theme = Theme::of(ui);
        let about = "34,560 states represent all 4 × 4 boards: which rows and columns fall or rise along a snake, how \
            many cells are empty, and how many merges a slide makes. Course paper, Table IV";
        paragraph(ui, about, theme.text2);
        self.spec_ui(ui);
        ui.horizontal_wrapped(|ui| match doc.solving().process() {
            Some(control) => {
                hold_button(
                    ui,
                    doc.solving().is_paused(),
                    SolveCommand::Hold,
                    doc,
                    commands,
                );
                commands.show(
                    ui,
                    Button::new("Stop learning").icon(Icon::Stop),
                    SolveCommand::Stop,
                    doc,
                );
                work_ui(
                    ui,
                    "Progress of the value iteration",
                    &control.work(),
                    120.0,
                );
            }
            None => {
                let button = Button::new("Learn").accent().icon(Icon::Play);
                commands.show(ui, button, SolveCommand::Learn(self.spec), doc);
            }
        });

        let processes = doc.solving().processes();
        if !processes.is_empty() {
            ui.separator();
            processes
                .iter()
                .for_each(|process| process_ui(ui, process, doc, commands));
        }

        let Some(learnt) = doc.solving().learnt() else {
            return;
        };
        ui.separator();
        for line in prose::process::lines(learnt) {
            paragraph(ui, words::capitalised(&line), theme.text1);
        }

        residuals_ui(ui, &learnt.solved.residuals);
        ui.horizontal_wrapped(|ui| {
            let open = Button::new("Open the policy as a strategy");
            let policy = policy(learnt, doc.solving().learnt_name());
            let about = "Open a strategy that plays with the values of these states";
            if open
                .show(ui, policy.as_ref().map(|_| about).map_err(|reason| *reason))
                .clicked()
                && let Ok(policy) = policy
            {
                commands.push(StrategyCommand::Open(Box::new(policy)));
            }
            let field = line_edit(&mut self.name, "file name")
                .desired_width(132.0)
                .char_limit(100);
            let field = ui.add(field).accessible_name("Name of the value iteration");
            let enter = field.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter));
            let keep = SolveCommand::KeepProcess(self.name.trim().to_owned());
            let can = doc.can(&keep.clone().into()).is_ok();
            let pressed = commands
                .show(
                    ui,
                    Button::new("Save").name("Save value iteration"),
                    keep.clone(),
                    doc,
                )
                .clicked();
            if enter {
                commands.push(keep);
            }
            if can && (pressed || enter) {
                self.name.clear();
            }
        });

        self.heat_ui(ui, learnt);
    }

    fn spec_ui(&mut self, ui: &mut Ui) {
        let Self { spec, .. } = self;
        let color = Theme::of(ui).text2;

        ui.horizontal_wrapped(|ui| {
            let whole = |ui: &mut Ui, name: &str, value: &mut u64, most: u64, one: &'static str| {
                let speed = (most as f32).sqrt() * 0.01;
                let number = |text: &str| {
                    text.split_whitespace()
                        .next()?
                        .replace(',', "")
                        .parse()
                        .ok()
                };
                let drag = DragValue::new(value).range(1..=most).speed(speed);
                let drag = drag
                    .custom_formatter(|number, _| words::plural(number as u64, one))
                    .custom_parser(number);
                ui.add_sized(vec2(112.0, theme::CONTROL), drag)
                    .accessible_name(name);
            };
            whole(
                ui,
                "Games to play",
                &mut spec.games,
                ProcessSpec::MOST_GAMES,
                "game",
            );
            let about =
                "From the second round on, the games are played with what was learned so far";
            ui.scope(|ui| {
                whole(
                    ui,
                    "Rounds",
                    &mut spec.rounds,
                    ProcessSpec::MOST_ROUNDS,
                    "round",
                );
            })
            .response
            .on_hover_text(about);
        });

        ui.horizontal_wrapped(|ui| {
            let field = |ui: &mut Ui, [text, name, about]: [&str; 3], drag: DragValue<'_>| {
                small_print(ui, text, color);
                let response = ui
                    .add_sized(vec2(56.0, theme::CONTROL), drag)
                    .accessible_name(name);
                response.on_hover_text(about);
            };
            let about = "Probability that a new tile is a 4";
            field(
                ui,
                ["fours", "Probability of a 4 while learning", about],
                fours_field(&mut spec.p4),
            );
            let about =
                "Extra game ends counted for each slide. With 0, the values may not converge";
            let ends = DragValue::new(&mut spec.ends)
                .range(0.0..=1e6)
                .speed(0.002)
                .max_decimals(4);
            field(ui, ["ends", "Additional ends", about], ends);
            let about = "Value of a point one slide later";
            let discount = DragValue::new(&mut spec.discount)
                .range(0.0..=1.0)
                .speed(0.002)
                .max_decimals(4);
            field(
                ui,
                ["discount", "Discount of later points", about],
                discount,
            );
            small_print(ui, "seed", color);
            let drag = DragValue::new(&mut spec.seed).speed(0.1);
            ui.add_sized(vec2(56.0, theme::CONTROL), drag)
                .accessible_name("Seed of the value iteration");
        });
    }

    fn heat_ui(&mut self, ui: &mut Ui, learnt: &Process) {
        let theme = Theme::of(ui);
        ui.horizontal_wrapped(|ui| {
            for (place, name) in ["Feature down", "Feature across"].into_iter().enumerate() {
                let feature = &mut self.features[place];
                let text = feature.name();
                choice(
                    ui,
                    name,
                    feature,
                    text,
                    148.0,
                    Feature::ALL.map(|feature| (feature, feature.name())),
                );
                small_print(ui, ["by", ""][place], theme.text2);
            }
        });

        small_print(
            ui,
            "Points to come, averaged over the other features by how often each state occurred",
            theme.text2,
        );

        let [down, across] = self.features;
        let cells = learnt.heat([down, across]);
        let means = cells.iter().flatten().filter_map(HeatCell::mean);
        let (least, most) = means.fold((f64::MAX, 0.0_f64), |(least, most), mean| {
            (least.min(mean), most.max(mean))
        });
        let width = ((ui.available_width() - BESIDE - theme::SPACE_M) / across.levels() as f32)
            .clamp(NARROWEST, WIDEST);
        let cell_size = vec2(width, HEIGHT);
        ScrollArea::horizontal()
            .auto_shrink([false, true])
            .show(ui, |ui| {
                // Leaves room for the scroll bar below the table.
                let height = (down.levels() + 1) as f32 * HEIGHT + theme::SPACE_L;
                let size = vec2(BESIDE + across.levels() as f32 * width, height);
                let (rect, _) = ui.allocate_exact_size(size, Sense::hover());
                let place = |row: usize, column: usize| {
                    let corner = pos2(BESIDE + column as f32 * width, (row + 1) as f32 * HEIGHT);
                    Rect::from_min_size(rect.min + corner.to_vec2(), cell_size).shrink(1.0)
                };

                let painter = ui.painter().clone();
                let title = |at: Rect, text: String| {
                    painter.text(
                        at.center(),
                        Align2::CENTER_CENTER,
                        text,
                        theme::small(),
                        theme.text2,
                    );
                };
                (0..across.levels()).for_each(|column| {
                    title(
                        place(0, column).translate(vec2(0.0, -HEIGHT)),
                        across.level_text(column),
                    );
                });

                for (row, of_row) in cells.iter().enumerate() {
                    title(
                        place(row, 0).translate(vec2(-(width + BESIDE) / 2.0, 0.0)),
                        down.level_text(row),
                    );
                    for (column, cell) in of_row.iter().enumerate() {
                        let sentence = format!(
                            "{} {}, {} {}",
                            down.name(),
                            down.level_text(row),
                            across.name(),
                            across.level_text(column)
                        );
                        cell_ui(ui, place(row, column), cell, &sentence, [least, most]);
                    }
                }
            });
    }
}

/// The strategy that plays by a process: by its file name if saved, else by its settings.
fn policy(learnt: &Process, name: Option<String>) -> Result<Strategy, &'static str> {
    match name {
        Some(name) => Ok(plays_by(ProcessOf::Kept(name.clone()), &name)),
        None if learnt.teacher == RANDOM => Ok(plays_by(
            ProcessOf::Learnt(learnt.spec),
            &learnt.spec.text(),
        )),
        None => Err("A strategy can use this only from a file: save the value iteration first"),
    }
}

fn plays_by(process: ProcessOf, name: &str) -> Strategy {
    let policy = FeaturePolicy {
        of: process,
        by: PolicyBy::After,
    };
    let criteria = vec![Criterion::one_ply(Evaluator::Policy(policy))];
    Strategy {
        name: format!("policy of {name}"),
        criteria,
        ..Strategy::default()
    }
}

fn process_ui(
    ui: &mut Ui,
    process: &KeptFile<ProcessInfo>,
    doc: &Document,
    commands: &mut Commands,
) {
    let name = process.name();
    let lines = process.info.as_ref().map(|info| {
        let about = format!(
            "{}, {} of {} states seen, {}",
            info.spec.text(),
            words::count(info.seen),
            words::count(State::COUNT as u64),
            process.size_text(),
        );
        [format!("{name}: {}", info.teacher), about]
    });

    let play = || plays_by(ProcessOf::Kept(name.clone()), &name);
    let rules = Some(Rules {
        size: Size::FOUR,
        p4: doc.game().rules.p4,
        ..Rules::default()
    });
    let row = KeptRow {
        what: "value iteration",
        name: &name,
        path: &process.path,
        lines,
        play: &play,
        rules,
    };
    kept_ui(ui, &row, doc, commands, |ui, commands| {
        let text = format!("Show value iteration {name}");
        let show = SolveCommand::ShowProcess(process.path.clone());
        commands.show(
            ui,
            Button::new("Show").quiet().small().name(&text),
            show,
            doc,
        );
    });
}

fn cell_ui(ui: &mut Ui, rect: Rect, cell: &HeatCell, title: &str, [least, most]: [f64; 2]) {
    let theme = Theme::of(ui);
    let response = ui.interact(rect, ui.scope_id().with(title), Sense::hover());

    let about = match cell.mean() {
        None => format!("{title}: never occurred"),
        Some(mean) => format!(
            "{title}: {} points, {}, seen {}",
            words::decimals(mean, 1),
            words::plural(cell.states, "state"),
            words::plural(cell.visits, "time"),
        ),
    };

    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &about));
    let level = cell
        .mean()
        .map(|mean| ((mean - least) / (most - least).max(1e-9)) as f32);
    let fill = level.map_or(Color32::TRANSPARENT, |level| theme.sequential(level));
    ui.painter().rect_filled(rect, theme::RADIUS_S, fill);
    let (text, color) = match cell.mean() {
        Some(mean) => (words::decimals(mean, 0), theme::text_on(fill)),
        None => ("–".to_owned(), theme.text3),
    };
    ui.painter().text(
        rect.center(),
        Align2::CENTER_CENTER,
        text,
        theme::small(),
        color,
    );
    response.on_hover_text(about);
}

/// The largest change of each sweep, on a logarithmic scale.
fn residuals_ui(ui: &mut Ui, residuals: &[f64]) {
    let theme = Theme::of(ui);
    let [Some(first), Some(last)] = [residuals.first(), residuals.last()] else {
        return;
    };
    let text = format!(
        "Largest change of a value in each sweep, from {} to {} points",
        words::decimals(*first, 1),
        words::decimals(*last, 4)
    );
    let (rect, response) = inert(
        ui,
        vec2(ui.available_width().min(320.0), 40.0),
        Role::Image,
        &text,
    );
    let logs: Vec<f64> = residuals
        .iter()
        .map(|residual| residual.max(1e-9).ln())
        .collect();
    let (low, high) = logs.iter().fold((f64::MAX, f64::MIN), |(low, high), &log| {
        (low.min(log), high.max(log))
    });
    let at = |(sweep, log): (usize, &f64)| {
        let across = sweep as f32 / (logs.len() - 1).max(1) as f32;
        let down = ((high - log) / (high - low).max(1e-9)) as f32;
        pos2(
            rect.left() + across * rect.width(),
            rect.top() + down * rect.height(),
        )
    };
    let line: Vec<_> = logs.iter().enumerate().map(at).collect();

    ui.painter().rect_stroke(
        rect,
        0,
        Stroke::new(1.0, theme.line),
        egui::StrokeKind::Inside,
    );
    ui.painter().line(line, Stroke::new(1.5, theme.accent));
    response.on_hover_text(format!("{text}, on a logarithmic scale"));
}
