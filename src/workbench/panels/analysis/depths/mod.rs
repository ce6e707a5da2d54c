//! The decision at every depth, or at each value of another number of the strategy: on this board, or how often it
//! changes the moves on the pinned positions.

mod pinned;
mod rows;
mod work;

use egui::{Align, Layout, Ui, Vec2, vec2};

use self::pinned::PinnedTables;
use self::work::{Answered, Over, Question, VariedSetting};
use crate::game::Move;
use crate::preset::Axis;
use crate::prose::{response_sentence, step_places, steps_table};
use crate::search::{Bound, Plies};
use crate::strategy::{Prefer, Setting, Strategy};
use crate::table::Formats;
use crate::task::{Latest, TaskState};
use crate::words;
use crate::workbench::command::{Commands, StrategyCommand};
use crate::workbench::kit::{
    self, Button, MoveAxes, MoveCurve, Sort, Typing, bar_width, choice, copy_button, csv_of, empty,
    height_of, move_curves, paragraph, reading_area, segmented, small_print,
};
use crate::workbench::state::Document;
use crate::workbench::terms;
use crate::workbench::theme::{self, Theme};

/// Minimum height at which the curves of the moves are above the table.
const CURVES_FROM: f32 = 380.0;
const CURVES: f32 = 172.0;
/// In lower panels the curves are next to the table if this width is left, otherwise below it in the scroll area.
const CURVES_BESIDE: f32 = 280.0;
/// Width of a number below the curves.
const MARK: f32 = 44.0;
/// Settings listed first, if the strategy has them.
const FIRST: [&str; 4] = ["plies", "nodes", "time_ms", "playouts"];

#[derive(Debug)]
pub(crate) struct DepthsPanel {
    /// Path of the chosen number; by default the first one.
    setting: Option<String>,
    /// The typed values, with the path of their setting.
    typed: Option<(String, Axis)>,
    typing: Typing,
    over: Over,
    found: Latest<Question, Answered>,
    /// The value of the chosen row.
    chosen: Option<f64>,
    by_step: Sort<usize>,
    pinned: PinnedTables,
}

/// The caption of a figure, by where the decisions were made.
pub(crate) enum DepthsCaption {
    Board(String),
    Pinned(String),
}

impl Default for DepthsPanel {
    fn default() -> Self {
        Self {
            setting: None,
            typed: None,
            typing: Typing::default(),
            over: Over::default(),
            found: Latest::default(),
            chosen: None,
            by_step: Sort::new(0, false),
            pinned: PinnedTables::default(),
        }
    }
}

/// The default values of a setting: for plies, every depth up to the next one beyond the strategy's; for others, values
/// around the current one.
fn first_values(strategy: &Strategy, setting: &Setting) -> Axis {
    if !setting.path.ends_with(".lookahead.plies") {
        return Axis::around(strategy, setting);
    }
    let own = setting.value.max(2.0);
    let depths = (1..=Plies::DEEPEST)
        .map(f64::from)
        .filter(|&plies| strategy.allows(setting, plies));
    let (mut values, beyond): (Vec<f64>, Vec<f64>) = depths.partition(|&plies| plies <= own);
    values.extend(beyond.first());
    Axis {
        setting: setting.name.clone(),
        values,
        ..Axis::default()
    }
}

impl DepthsPanel {
    pub(crate) fn ui(&mut self, ui: &mut Ui, doc: &Document, commands: &mut Commands) {
        ui.spacing_mut().item_spacing = vec2(theme::SPACE_M, theme::SPACE_S);
        let strategy = doc.strategy();
        let settings = strategy.settings();
        let by_path = |path: &String| settings.iter().find(|setting| setting.path == *path);
        let first = FIRST.iter().find_map(|name| {
            settings
                .iter()
                .find(|setting| setting.name.starts_with(name))
        });
        let chosen = self
            .setting
            .as_ref()
            .and_then(by_path)
            .or(first)
            .or(settings.first());
        let Some(setting) = chosen.cloned() else {
            let name = strategy.label();
            empty(
                ui,
                &format!(
                    "{name} has no setting to vary: open a strategy with a search or with weights"
                ),
            );
            return;
        };

        let axis = match &self.typed {
            Some((path, axis)) if *path == setting.path => axis.clone(),
            _ => first_values(&strategy, &setting),
        };
        self.head(ui, &settings, &setting, &axis);
        if let Some(problem) = self.typing.problem() {
            // The previous request stays.
            kit::problem(ui, problem);
        }

        let values = axis.values_of(setting.is_whole).unwrap_or_default();
        let varied = VariedSetting {
            strategy: &strategy,
            setting: &setting,
            values,
        };
        match self.over {
            Over::Board if doc.board().legal_moves().is_empty() => {
                empty(
                    ui,
                    "This board has no legal move: show a position with moves",
                );
                return;
            }
            over => work::follow(&mut self.found, over, &varied, doc),
        }

        let is_busy = self.found.is_pending();
        let failed = match self.found.state() {
            TaskState::Failed(error) => Some(error.to_string()),
            _ => None,
        };
        if let Some(reason) = failed {
            kit::problem(ui, &reason);
        }

        match self.found.known() {
            Some(Answered::Refused(reason)) => drop(kit::problem(ui, reason)),
            Some(Answered::Board(_)) => self.board_ui(ui, &varied, is_busy, commands),
            Some(Answered::Pinned(pinned)) => {
                let goes_on = self.pinned.ui(ui, pinned, is_busy, &varied, doc, commands);
                if goes_on {
                    self.found.clear();
                }
            }
            None if is_busy => drop(small_print(
                ui,
                "Deciding at the first value",
                Theme::of(ui).text2,
            )),
            None => {}
        }
    }

    /// Sorts rows by value, as typed.
    fn sort(&mut self, falls: bool) {
        self.by_step = Sort::new(0, falls);
        self.pinned.sort(falls);
    }

    /// The caption of a figure of the answers; `None` without answers.
    pub(crate) fn caption(&self, doc: &Document) -> Option<DepthsCaption> {
        let question = self.found.key()?;
        let name = doc
            .strategy()
            .settings()
            .into_iter()
            .find(|setting| setting.path == question.path)?
            .name;
        let listed = |values: &[f64]| {
            words::list(&values.iter().copied().map(words::exact).collect::<Vec<_>>())
        };

        match self.found.known()? {
            Answered::Board(response) => {
                let values: Vec<f64> = response.steps.iter().map(|step| step.value).collect();
                let searched = |step: &crate::analysis::Step| {
                    Some(step.decision.searches.get(step.row)?.as_ref()?.nodes)
                };
                let nodes: Option<Vec<String>> = response
                    .steps
                    .iter()
                    .map(|step| searched(step).map(words::count))
                    .collect();
                let nodes = nodes
                    .map(|nodes| format!(" with {} nodes", words::list(&nodes)))
                    .unwrap_or_default();
                Some(DepthsCaption::Board(format!(
                    "{name} {}{nodes}",
                    listed(&values)
                )))
            }
            Answered::Pinned(pinned) => {
                let boards = words::plural(pinned.changes.boards, "pinned position");
                let values = listed(&question.values);
                Some(DepthsCaption::Pinned(format!(
                    "{name} {values} on {boards} with two or more moves"
                )))
            }
            Answered::Refused(_) => None,
        }
    }

    fn head(&mut self, ui: &mut Ui, settings: &[Setting], setting: &Setting, axis: &Axis) {
        ui.horizontal_wrapped(|ui| {
            let mut path = setting.path.clone();
            let all = settings
                .iter()
                .map(|one| (one.path.clone(), one.name.clone()));
            choice(
                ui,
                "Setting to vary",
                &mut path,
                setting.name.clone(),
                132.0,
                all.collect::<Vec<_>>(),
            );
            if path != setting.path {
                (self.setting, self.chosen, self.typing) = (Some(path), None, Typing::default());
                self.sort(false);
            }

            let written = axis.to_string();
            let values = written
                .strip_prefix(&axis.setting)
                .map_or(&*written, |rest| rest.trim_start_matches('='));
            let read = |text: &str| {
                Axis::of_values(&setting.name, text).map_err(|error| error.to_string())
            };
            let new = ui
                .scope(|ui| {
                    ui.set_max_width(136.0_f32.min(ui.available_width()));
                    self.typing
                        .show(ui, "Values of the setting", values, &theme::body(), read)
                })
                .inner;
            if let Some(new) = new {
                self.sort(new.values().is_ok_and(|values| !values.is_sorted()));
                (self.typed, self.chosen) = (Some((setting.path.clone(), new)), None);
            }

            let choices = [(Over::Board, "This board"), (Over::Pinned, "All pinned")];
            let response = segmented(ui, "Decided on", &mut self.over, &choices);
            terms::tip(response, &terms::DEPTHS);
        });
    }

    fn board_ui(
        &mut self,
        ui: &mut Ui,
        varied: &VariedSetting<'_>,
        is_busy: bool,
        commands: &mut Commands,
    ) {
        let Some(Answered::Board(response)) = self.found.known() else {
            return;
        };
        let theme = Theme::of(ui);
        let name = &varied.setting.name;
        paragraph(
            ui,
            words::capitalised(&response_sentence(response, name)),
            theme.text1,
        );
        let data = steps_table(response, name).only(Formats::REPORT);
        let texts = data.texts();
        let widths = (0..data.heads.len())
            .map(|column| rows::step_width(ui, name, column, &texts) + rows::GAP);
        let width = widths.sum::<f32>() - rows::GAP;
        let mut steps_ui = |ui: &mut Ui, below| {
            rows::steps_ui(
                ui,
                response,
                &data,
                varied,
                &mut self.by_step,
                &mut self.chosen,
                below,
            );
        };
        let below = theme::CONTROL + theme::SPACE_M;
        // A very low panel has no room.
        let room = (ui.available_size() - vec2(0.0, below)).max(Vec2::ZERO);
        let width = width + bar_width(ui, response.steps.len(), below);
        let beside = room.x - width - theme::SPACE_L;
        if CURVES_FROM <= room.y + below {
            curves_ui(ui, CURVES, response, varied);
            steps_ui(ui, below);
        } else if CURVES_BESIDE <= beside {
            ui.horizontal_top(|ui| {
                ui.spacing_mut().item_spacing.x = theme::SPACE_L;
                let down = Layout::top_down(Align::Min);
                ui.allocate_ui_with_layout(vec2(width, room.y), down, |ui| {
                    steps_ui(ui, 0.0);
                });
                ui.allocate_ui_with_layout(vec2(beside, room.y), down, |ui| {
                    curves_ui(ui, room.y.min(CURVES), response, varied);
                });
            });
        } else {
            ui.allocate_ui(room, |ui| {
                reading_area(
                    ui,
                    "depths",
                    "Decisions at each value, with their curves",
                    |ui| {
                        let size = vec2(ui.available_width(), height_of(response.steps.len()));
                        ui.allocate_ui(size, |ui| steps_ui(ui, 0.0));
                        curves_ui(ui, CURVES, response, varied);
                    },
                );
            });
        }

        let mut goes_on = false;
        ui.horizontal(|ui| {
            if let Some((value, strategy)) = self
                .chosen
                .and_then(|value| Some((value, varied.at(value)?)))
            {
                let text = format!("Open with {name} {}", words::exact(value));
                let about = "Open the strategy with this value, to see its search";
                if Button::new(&text).show(ui, Ok(about)).clicked() {
                    commands.push(StrategyCommand::Open(Box::new(strategy)));
                }
            }
            copy_button(ui, "Copy CSV", "the decisions", || {
                csv_of(steps_table(response, name))
            });
            let next = varied
                .values
                .get(response.steps.len())
                .map(|value| format!("{name} {}", words::exact(*value)));
            match next {
                Some(next) if is_busy => drop(small_print(
                    ui,
                    format!("Searching with {next}"),
                    theme.text2,
                )),
                Some(next) => {
                    let go_on = Button::new("Resume")
                        .name("Resume deciding")
                        .show(ui, Ok("Decide at the remaining values"));
                    small_print(ui, format!("Stopped before {next}"), theme.text2);
                    goes_on = go_on.clicked();
                }
                None => {}
            }
        });

        if goes_on {
            self.found.clear();
        }
    }
}

/// Curves of the moves that are among the two best at some value. Only exact values whose search reached that setting
/// count.
fn curves_ui(
    ui: &mut Ui,
    height: f32,
    response: &crate::analysis::Response,
    varied: &VariedSetting<'_>,
) {
    let prefers = varied
        .strategy
        .criteria
        .get(varied.setting.row)
        .map_or(Prefer::Higher, |row| row.prefer);
    let exact = |step: &crate::analysis::Step, mv: Move| {
        step.values()[mv]
            .filter(|_| step.is_reached && step.decision.bound(step.row, mv) == Bound::Exact)
    };
    let is_near_best = |mv: Move| {
        response.steps.iter().any(|step| {
            let Some(own) = exact(step, mv) else {
                return false;
            };
            let better = |value: f64| {
                if prefers == Prefer::Higher {
                    own < value
                } else {
                    value < own
                }
            };
            Move::ALL
                .into_iter()
                .filter(|&other| exact(step, other).is_some_and(better))
                .count()
                < 2
        })
    };

    let drawn = Move::ALL.into_iter().filter(|&mv| is_near_best(mv));
    let points = |mv: Move| {
        let steps = response.steps.iter().enumerate();
        steps
            .filter_map(|(at, step)| Some((at as f64, exact(step, mv)?, 0.0)))
            .collect::<Vec<_>>()
    };
    let curves: Vec<MoveCurve> = drawn
        .map(|mv| MoveCurve {
            mv,
            points: points(mv),
        })
        .collect();
    if curves.is_empty() {
        return;
    }

    let names: Vec<String> = curves.iter().map(|curve| curve.mv.to_string()).collect();
    let (name, row) = (
        &varied.setting.name,
        varied.strategy.row_label(varied.setting.row),
    );
    let sentence = format!("Values of {} for each value of {name}", words::list(&names));
    let text = |at: f64| {
        varied
            .values
            .get(at as usize)
            .map(|value| words::exact(*value))
            .unwrap_or_default()
    };
    let last = varied.values.len().saturating_sub(1);
    let marks = |width: f32| {
        let every = ((varied.values.len() as f32 * MARK / width.max(MARK)).ceil() as usize).max(1);
        (0..=last)
            .step_by(every)
            .map(|at| (at as f64, text(at as f64)))
            .collect()
    };
    let axes = MoveAxes {
        values: &format!("{row}, moves that are ever among the two best"),
        across: name,
        range: (0.0, last as f64),
        marks: &marks,
        sentence: &sentence,
    };

    let places = step_places(response);
    move_curves(ui, height, &curves, &axes, |mv, (at, value, _)| {
        format!(
            "{} {} with {name} {}",
            mv.arrow(),
            words::decimals(value, places),
            text(at)
        )
    });
}

impl VariedSetting<'_> {
    /// The strategy with this value, and named after it.
    fn at(&self, value: f64) -> Option<Strategy> {
        let name = format!(
            "{}, {} {}",
            self.strategy.label(),
            self.setting.name,
            words::exact(value)
        );
        let one = self.strategy.with_setting(self.setting, value).ok()?;
        Some(Strategy { name, ..one })
    }
}
