//! The controls of the replay: the last step of the search, the open nodes, and the progress.
//!
//! Playback follows the clock, so that a slow frame skips instants instead of falling behind. The bar has four rows of
//! fixed height, so that the view below does not move.

use std::sync::Arc;
use std::time::{Duration, Instant};

use egui::scroll_area::ScrollBarVisibility;
use egui::{
    Align, Color32, Frame, Layout, Margin, Pos2, Rect, Response, Role, ScrollArea, Sense, Slider,
    Stroke, Ui, WidgetInfo, pos2, vec2,
};

use super::frame::ring_focused;
use super::words::link_of;
use crate::prose;
use crate::search::{self, Link, Moment, NodeKind, Replay, ReplayEvent, Tree};
use crate::words;
use crate::workbench::command::{Command, Commands, TreeCommand};
use crate::workbench::icon::Icon;
use crate::workbench::kit::{Button, Line, choose, drop_down, elided, paint_node, text_line};
use crate::workbench::panels::Inspection;
use crate::workbench::theme::{self, Theme};

#[derive(Clone, Copy, Debug, PartialEq)]
enum Speed {
    /// Instants per second.
    Steps(u32),
    /// The whole search in ten seconds, whatever its length.
    Whole,
}

impl Speed {
    const STEPS: [u32; 9] = [1, 2, 5, 10, 25, 50, 100, 300, 1000];
    /// Slow enough to read along.
    const USUAL: Self = Self::Steps(5);

    fn all() -> impl Iterator<Item = Self> {
        Self::STEPS
            .into_iter()
            .map(Self::Steps)
            .chain([Self::Whole])
    }

    fn text(self) -> String {
        match self {
            Self::Steps(steps) => format!("{} per second", words::count(u64::from(steps))),
            Self::Whole => "all in 10 s".to_owned(),
        }
    }

    /// Instants per second for a replay of this length.
    fn rate(self, len: u64) -> f64 {
        match self {
            Self::Steps(steps) => f64::from(steps),
            Self::Whole => len as f64 / 10.0,
        }
    }
}

#[derive(Clone, Copy, Debug)]
struct Playback {
    since: Instant,
    from: u64,
    /// Where playback last set the replay; any other position means that the user moved it.
    at: u64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Tick {
    at: u64,
    /// Another move becomes the best; else a root move starts.
    is_change: bool,
}

#[derive(Debug)]
pub(super) struct ReplayBar {
    speed: Speed,
    run: Option<Playback>,
    ticks: Option<(Arc<Tree>, Vec<Tick>)>,
}

impl Default for ReplayBar {
    fn default() -> Self {
        Self {
            speed: Speed::USUAL,
            run: None,
            ticks: None,
        }
    }
}

const SLIDER: f32 = 14.0;
const SENTENCE: f32 = 20.0;
/// Below this width buttons have short text.
const ROOMY: f32 = 860.0;

impl ReplayBar {
    pub(super) fn ui(&mut self, ui: &mut Ui, inspection: &mut Inspection, commands: &mut Commands) {
        self.play(ui, inspection);
        let Some(replay) = inspection.replay.clone() else {
            return;
        };

        let theme = Theme::of(ui);
        let moment = replay.now();
        let frame = Frame::new()
            .fill(theme.bg2)
            .corner_radius(theme::RADIUS_M)
            .inner_margin(Margin::symmetric(8, 4));
        frame.show(ui, |ui| {
            ui.spacing_mut().item_spacing = vec2(theme::SPACE_S, theme::SPACE_S);
            let width = ui.available_width();
            let row = |ui: &mut Ui, height: f32, content: &mut dyn FnMut(&mut Ui)| {
                ui.allocate_ui_with_layout(
                    vec2(width, height),
                    Layout::left_to_right(Align::Center),
                    |ui| {
                        ui.set_min_size(vec2(width, height));
                        content(ui);
                    },
                );
            };
            row(ui, theme::CONTROL, &mut |ui| {
                self.buttons_ui(ui, &replay, inspection, commands);
            });
            row(ui, SLIDER, &mut |ui| {
                self.slider_ui(ui, &replay, inspection);
            });
            row(ui, SENTENCE, &mut |ui| sentence_ui(ui, &replay, &moment));
            row(ui, theme::HIT, &mut |ui| {
                stack_ui(ui, &replay, &moment, inspection);
            });
        });
    }

    fn play(&mut self, ui: &Ui, inspection: &mut Inspection) {
        let Some(replay) = inspection
            .replay
            .as_ref()
            .filter(|_| inspection.replay_plays)
        else {
            self.run = None;
            return;
        };
        let (mut at, len) = (replay.at(), replay.len());
        // Playback from the end starts over.
        if at == len && self.run.is_none() {
            inspection.wind(|replay| replay.seek(0));
            at = 0;
        }

        let rate = self.speed.rate(len);
        let run = self.run.filter(|run| run.at == at).unwrap_or(Playback {
            since: Instant::now(),
            from: at,
            at,
        });
        let elapsed = run.since.elapsed().as_secs_f64();
        let target = (run.from + (elapsed * rate) as u64).min(len);
        inspection.wind(|replay| replay.seek(target));
        if target == len {
            inspection.replay_plays = false;
            self.run = None;
            return;
        }

        self.run = Some(Playback { at: target, ..run });
        let next = (target + 1 - run.from) as f64 / rate - elapsed;
        // At most 60 frames per second; earlier instants are skipped.
        ui.ctx()
            .request_repaint_after(Duration::from_secs_f64(next.max(1.0 / 60.0)));
    }

    fn buttons_ui(
        &mut self,
        ui: &mut Ui,
        replay: &Replay,
        inspection: &mut Inspection,
        commands: &mut Commands,
    ) {
        let theme = Theme::of(ui);
        let is_roomy = ROOMY <= ui.available_width();
        let before = if replay.at() == 0 {
            Err("This is the start of the search")
        } else {
            Ok(())
        };
        let after = if replay.at() == replay.len() {
            Err("This is the end of the search")
        } else {
            Ok(())
        };

        let mut icon =
            |ui: &mut Ui, icon, command, can| commands.icon(ui, icon, Command::Tree(command), can);
        icon(ui, Icon::First, TreeCommand::ReplayBegin, before);
        icon(ui, Icon::Previous, TreeCommand::ReplayBack, before);
        let play = if inspection.replay_plays {
            Icon::Pause
        } else {
            Icon::Play
        };
        icon(ui, play, TreeCommand::ReplayPlay, Ok(()));
        icon(ui, Icon::Next, TreeCommand::ReplayStep, after);
        icon(ui, Icon::Last, TreeCommand::ReplayEnd, after);
        ui.add_space(theme::SPACE_S);
        for (command, short) in [
            (TreeCommand::ReplayOver, "Over"),
            (TreeCommand::ReplayOut, "Out"),
            (TreeCommand::ReplayNextCut, "Cut"),
            (TreeCommand::ReplayNextChange, "Change"),
        ] {
            let command = Command::Tree(command);
            let text = if is_roomy { command.text() } else { short };
            let button = Button::new(text).quiet().name(command.text());
            commands.show(ui, button, command, after);
        }

        ui.add_space(theme::SPACE_S);
        let width = if is_roomy { 116.0 } else { 96.0 };
        let list = drop_down("tape speed", self.speed.text(), width);
        let (response, picked) = choose(ui, list, self.speed, Speed::all(), Speed::text);
        response
            .accessible_name("Replay speed")
            .on_hover_text("Steps per second; in each step, the search enters or leaves a node");
        if let Some(speed) = picked {
            (self.speed, self.run) = (speed, None);
        }

        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let (at, len) = (words::count(replay.at()), words::count(replay.len()));
            let text = if is_roomy {
                format!("step {at} of {len}")
            } else {
                format!("{at} of {len}")
            };
            let galley = elided(
                ui.painter(),
                &text,
                theme::body(),
                theme.text2,
                ui.available_width(),
            );
            let height = galley.size().y;
            text_line(ui, &format!("step {at} of {len}"), galley, height);
        });
    }

    fn slider_ui(&mut self, ui: &mut Ui, replay: &Replay, inspection: &mut Inspection) {
        let theme = Theme::of(ui);
        let mut at = replay.at();
        // As egui lays out a slider: the knob stays inside, so that the rail starts half a knob from the edge.
        ui.spacing_mut().interact_size.y = SLIDER;
        ui.spacing_mut().slider_width = ui.available_width();
        let knob = SLIDER / 2.5;
        let space = Rect::from_min_size(ui.cursor().min, vec2(ui.available_width(), SLIDER));
        let rail = space.x_range().shrink(knob);
        let tree = replay.tree();
        if self
            .ticks
            .as_ref()
            .is_none_or(|(own_tree, _)| !Arc::ptr_eq(own_tree, tree))
        {
            self.ticks = Some((tree.clone(), ticks_of(tree)));
        }

        for tick in self.ticks.iter().flat_map(|(_, ticks)| ticks) {
            let x = rail.min + rail.span() * (tick.at as f64 / replay.len() as f64) as f32;
            let (width, color) = if tick.is_change {
                (2.0, theme.text2)
            } else {
                (1.0, theme.line)
            };
            ui.painter()
                .vline(x, space.y_range(), Stroke::new(width, color));
        }

        let slider = Slider::new(&mut at, 0..=replay.len())
            .show_value(false)
            .smart_aim(false);
        let response = ui.add(slider).accessible_name("Step of the search");
        if response.changed() {
            inspection.wind(|replay| replay.seek(at));
        }
        response.on_hover_text(
            "Bold ticks: another root move becomes the best. Thin ticks: the search of a root move begins",
        );
    }
}

/// The instants where root moves start, and where the best one changes.
fn ticks_of(tree: &Arc<Tree>) -> Vec<Tick> {
    let mut replay = Replay::new(tree.clone());
    let begins = tree.children(tree.root()).map(|id| Tick {
        at: replay.entered(id),
        is_change: false,
    });
    let mut ticks: Vec<Tick> = begins.collect();
    while replay.to_next_change() {
        ticks.push(Tick {
            at: replay.at(),
            is_change: true,
        });
    }
    ticks.sort_by_key(|tick| tick.at);
    ticks
}

fn sentence_ui(ui: &mut Ui, replay: &Replay, moment: &Moment) {
    let theme = Theme::of(ui);
    let tree = replay.tree();
    let (rect, _) = ui.allocate_exact_size(ui.available_size(), Sense::hover());
    let mut line = Line::new(ui.painter(), rect, 0.0);
    if let Some(best) = moment.best {
        let value = match moment.open.first() {
            Some(root) => root.running,
            None => tree
                .follow(&[Link::Slide(best)])
                .and_then(|id| tree.value(id)),
        };
        let value = value
            .map(|value| format!(" {}", words::value(value)))
            .unwrap_or_default();
        line.end(
            &format!("{}{value}", best.arrow()),
            theme::strong(),
            theme.text1,
        );
        line.skip_end(6.0);
        let mut label = line.clone();
        label.y += 1.0;
        label.end("best so far", theme::small(), theme.text3);
        line.right = label.right - theme::SPACE_L;
        let response = ui.interact(
            rect.with_min_x(label.right),
            ui.scope_id().with("best so far"),
            Sense::hover(),
        );
        response.widget_info(|| {
            WidgetInfo::labeled(
                Role::Label,
                true,
                format!("Best so far: {}{value}", best.name()),
            )
        });
    }

    if let ReplayEvent::Enter(id) | ReplayEvent::Leave(id) = moment.event {
        paint_node(
            ui.painter(),
            theme,
            tree.kind(id),
            pos2(line.left + SIGN, line.y),
            SIGN,
            None,
        );
        line.skip(2.0 * SIGN + 6.0);
    }

    let text = prose::replay::sentence(moment, tree);
    let space = rect.with_min_x(line.left).with_max_x(line.right);
    let response = ui.interact(space, ui.scope_id().with("sentence"), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &text));
    if line.start(&text, theme::body(), theme.text1).is_cut {
        response.on_hover_text(text);
    }
}

const SIGN: f32 = 7.5;

fn stack_ui(ui: &mut Ui, replay: &Replay, moment: &Moment, inspection: &mut Inspection) {
    let theme = Theme::of(ui);
    if moment.open.is_empty() {
        let text = if replay.at() == 0 {
            "No node is open yet"
        } else {
            "Every node is closed"
        };
        ui.label(egui::RichText::new(text).small().color(theme.text3));
        return;
    }

    let area = ScrollArea::horizontal()
        .stick_to_right(true)
        .scroll_bar_visibility(ScrollBarVisibility::AlwaysHidden);
    area.id_salt("open nodes").show(ui, |ui| {
        ui.horizontal(|ui| {
            for (place, frame) in moment.open.iter().enumerate() {
                if 0 < place {
                    ui.add_space(-2.0);
                    let (rect, _) = ui.allocate_exact_size(vec2(8.0, theme::HIT), Sense::hover());
                    Icon::ChevronRight.paint(ui.painter(), rect.center(), theme.text3);
                    ui.add_space(-2.0);
                }
                let response =
                    frame_ui(ui, replay.tree(), frame, inspection.selected() == frame.id);
                if response.clicked() {
                    inspection.click(frame.id);
                }
                if response.hovered() {
                    inspection.hovered = Some(frame.id);
                }
            }
        });
    });
}

fn frame_ui(ui: &mut Ui, tree: &Tree, frame: &search::Frame, is_selected: bool) -> Response {
    let theme = Theme::of(ui);
    let kind = tree.kind(frame.id);
    let link = link_of(tree, frame.id);
    let value = frame.running.map_or_else(|| "–".to_owned(), words::value);
    let window = frame.alpha.zip(frame.beta);
    let note = match (kind, window) {
        (_, Some((alpha, beta))) => format!("α {}  β {}", words::value(alpha), words::value(beta)),
        (NodeKind::Chance, None) if 0.0 < frame.weight => {
            format!("of {}", words::probability(frame.weight))
        }
        _ => String::new(),
    };
    let galleys = [
        (&link, theme::body(), theme.text2),
        (&value, theme::strong(), theme.text1),
        (&note, theme::small(), theme.text2),
    ]
    .map(|(text, font, color)| ui.painter().layout_no_wrap(text.clone(), font, color));
    let gaps = 6.0 * (galleys.len() - usize::from(note.is_empty())) as f32;
    let width =
        5.0 + 2.0 * SIGN + gaps + galleys.iter().map(|galley| galley.size().x).sum::<f32>() + 7.0;
    let (rect, response) = ui.allocate_exact_size(vec2(width, theme::HIT), Sense::click());
    let so_far = match (kind, frame.running) {
        (_, None) => "no value yet".to_owned(),
        (NodeKind::Chance, Some(_)) if 0.0 < frame.weight => {
            format!(
                "mean so far {value} over {} of the probability",
                words::probability(frame.weight)
            )
        }
        (NodeKind::Min, Some(_)) => format!("least so far {value}"),
        (_, Some(_)) => format!("best so far {value}"),
    };

    let bounds = |(alpha, beta)| format!(", α {}, β {}", words::value(alpha), words::value(beta));
    let bounds = window.map(bounds).unwrap_or_default();
    let done = words::count(u64::from(frame.children_done));
    let name = format!(
        "Open {} {link}, {so_far}{bounds}, {done} below done",
        kind.words()
    );
    response
        .widget_info(|| WidgetInfo::selected(Role::Button, ui.is_enabled(), is_selected, &name));
    let fill = if response.hovered() {
        theme.bg4
    } else {
        theme.bg3
    };
    let fill = if is_selected { theme.accent_bg } else { fill };
    let plate = Rect::from_center_size(rect.center(), vec2(rect.width(), theme::CHIP));
    ui.painter().rect_filled(plate, theme::RADIUS_S, fill);
    ring_focused(ui, &response, plate.shrink(1.0));
    let mut x = rect.left() + 5.0;
    paint_node(
        ui.painter(),
        theme,
        kind,
        pos2(x + SIGN, rect.center().y),
        SIGN,
        None,
    );
    x += 2.0 * SIGN;
    for galley in galleys.into_iter().filter(|galley| 0.0 < galley.size().x) {
        x += 6.0;
        let at: Pos2 = pos2(x, rect.center().y - galley.size().y / 2.0);
        x += galley.size().x;
        ui.painter().galley(at, galley, Color32::PLACEHOLDER);
    }

    response.on_hover_text(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn speeds_rise_and_the_last_takes_its_time_for_any_length() {
        for len in [20_000, 2_000_000] {
            let rates: Vec<f64> = Speed::all().map(|speed| speed.rate(len)).collect();
            assert!(rates.is_sorted(), "{rates:?}");
            assert_eq!(rates.last().map(|rate| len as f64 / rate), Some(10.0));
        }
        assert!(Speed::all().any(|speed| speed == Speed::USUAL));
    }
}
