//! The three guided tasks of the start card. Each is a few steps with the buttons of the window; a note next to a
//! step's panel says what to press, and the next step follows when that is done.

use egui::{
    Area, Context, Frame, Id, Order, Pos2, Rect, RichText, Role, Stroke, StrokeKind, Ui, Vec2,
    WidgetInfo, vec2,
};
use strum::EnumIter;

use crate::experiment::{Pair, State};
use crate::prose;
use crate::search::Tree;
use crate::strategy::SharedStrategy;
use crate::workbench::command::{Panel, Workspace, where_is};
use crate::workbench::icon::{Icon, icon_button};
use crate::workbench::kit::Button;
use crate::workbench::panels::Inspection;
use crate::workbench::state::layout::Layout;
use crate::workbench::state::{Document, ExperimentRun};
use crate::workbench::theme::{self, Theme};

const WIDTH: f32 = 320.0;
/// Gap between the panel and the note.
const GAP: f32 = 12.0;

/// The tasks of the start card.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, EnumIter)]
pub(in crate::workbench::app) enum Task {
    /// From a decision to its node and the reason.
    Why,
    /// From a histogram bar to a game, its worst move, the deciding row, and the effect of an edit.
    Build,
    /// A minute of training, and a game with the learned network.
    Learn,
}

/// One step of a task.
struct Step {
    panel: Panel,
    /// Prefix of the accessibility ids of the buttons to press.
    button: &'static str,
    /// Further panels that the text is about.
    also: &'static [Panel],
    text: &'static str,
    is_done: fn(&Seen<'_>, &Begun) -> bool,
}

/// The visible state.
pub(in crate::workbench::app) struct Seen<'a> {
    pub doc: &'a Document,
    pub inspection: &'a Inspection,
    pub workspace: Workspace,
    pub layout: &'a Layout,
}

/// The state at the start of a step.
#[derive(Debug, Default)]
pub(in crate::workbench::app) struct Begun {
    /// All open strategies.
    open: Vec<SharedStrategy>,
    run: u64,
}

impl Begun {
    fn now(doc: &Document) -> Self {
        let open = doc
            .strategies()
            .iter()
            .map(|open| open.strategy.clone())
            .collect();
        Self {
            open,
            run: doc.results().map_or(0, |run| run.runs),
        }
    }
}

const WHY: &[Step] = &[
    Step {
        panel: Panel::Tree,
        button: "",
        also: &[Panel::Decision],
        text: "Decision, on the left, names the best move. In the tree, click the board after that move: the first one \
            after the position to move.",
        is_done: |seen, _| seen.selected_ply().is_some_and(|ply| 1 <= ply),
    },
    Step {
        panel: Panel::Tree,
        button: "View(Workspace(Search))",
        also: &[],
        text: "Press Search in the top bar. It shows the same tree enlarged, with the details of the node you clicked.",
        is_done: |seen, _| seen.workspace == Workspace::Search,
    },
    Step {
        panel: Panel::Tree,
        button: "",
        also: &[Panel::Why, Panel::Node],
        text: "Node, on the right, shows how its value follows from the possible tiles. In the tree, click the M after \
            one of those tiles.",
        is_done: |seen, _| seen.selected_ply().is_some_and(|ply| 2 <= ply),
    },
];

const BUILD: &[Step] = &[
    Step {
        panel: Panel::Experiment,
        button: "View(ShowPanel(Games))",
        also: &[],
        text: "Each bar counts games by their score. Drag over the bars on the left, the games with the lowest scores. \
            Then press List games.",
        is_done: |seen, _| {
            seen.workspace == Workspace::Experiment && seen.layout.shows(Panel::Games)
        },
    },
    Step {
        panel: Panel::Games,
        button: "Review(GameOfRun",
        also: &[Panel::Experiment],
        text: "Click a game in the list. Then press Review and choose Review the chosen game.",
        is_done: |seen, _| seen.workspace == Workspace::Review,
    },
    Step {
        panel: Panel::Review,
        button: "Review(ShowRule",
        also: &[Panel::JudgeTree, Panel::Board, Panel::Strategy],
        text: "A strong network judges every move of that game, and then the board shows the worst one. Press 2, \
            Deciding row, to mark the row that rejected the better move.",
        is_done: |seen, begun| seen.is_at_step(2) || !begun.open.contains(&seen.doc.strategy()),
    },
    Step {
        panel: Panel::Review,
        button: "Review(EditRule",
        also: &[Panel::JudgeTree, Panel::Strategy],
        text: "Press 3, Edit row, to unfold the row. Change one of its settings. For example, set Dead board of an \
            Expectimax row to Zero, so that it avoids dead boards.",
        is_done: |seen, begun| !begun.open.contains(&seen.doc.strategy()),
    },
    Step {
        panel: Panel::Review,
        button: "Review(Rerun)",
        also: &[Panel::JudgeTree, Panel::Rerun],
        text: "Press 4, Rerun on the same seeds, and wait until both strategies have played the same games.",
        is_done: |seen, begun| seen.rerun(begun).is_some(),
    },
];

const LEARN: &[Step] = &[
    Step {
        panel: Panel::Board,
        button: "View(Workspace(Learn))",
        also: &[],
        text: "Press Learn in the top bar.",
        is_done: |seen, _| seen.workspace == Workspace::Learn,
    },
    Step {
        panel: Panel::Learning,
        button: "Selection(NewTraining)",
        also: &[],
        text: "Press New training, then Start training. A small network learns for one minute by playing.",
        is_done: |seen, _| !seen.doc.trainings().live().is_empty(),
    },
    Step {
        panel: Panel::Learning,
        button: "Learning(Stop",
        also: &[],
        text: "The curve shows the mean score of its training games. Wait until the minute is over, or press Stop training.",
        is_done: |seen, _| {
            let all = seen.doc.trainings();
            all.live().is_empty()
                && all
                    .kept()
                    .is_some_and(|networks| networks.iter().any(|network| !network.ships))
        },
    },
    Step {
        panel: Panel::Learning,
        button: "Learning(Use",
        also: &[],
        text: "Press Use in a strategy. It opens a strategy whose only row is this network.",
        is_done: |seen, begun| !begun.open.contains(&seen.doc.strategy()),
    },
    Step {
        panel: Panel::Board,
        button: "Game(Autoplay)",
        also: &[Panel::Learning, Panel::Decision],
        text: "Press Autoplay: the network plays from this board.",
        is_done: |seen, _| seen.doc.is_playing(),
    },
];

impl Task {
    pub(super) fn title(self) -> &'static str {
        match self {
            Self::Why => "See why it moves",
            Self::Build => "Build a better one",
            Self::Learn => "Watch one learn",
        }
    }

    pub(super) fn about(self) -> &'static str {
        match self {
            Self::Why => "Follow one decision from the board into its search tree",
            Self::Build => "Change a row and test it on the same games",
            Self::Learn => "Train a small network for one minute",
        }
    }

    pub(super) fn icon(self) -> Icon {
        match self {
            Self::Why => Icon::Branch,
            Self::Build => Icon::Rows,
            Self::Learn => Icon::Curve,
        }
    }

    fn steps(self) -> &'static [Step] {
        match self {
            Self::Why => WHY,
            Self::Build => BUILD,
            Self::Learn => LEARN,
        }
    }

    /// The panels that the text after the last step is about, the most important one last.
    fn ends_with(self) -> &'static [Panel] {
        match self {
            Self::Why => &[Panel::Node, Panel::Tree, Panel::Why],
            Self::Build => &[Panel::Review, Panel::Rerun],
            Self::Learn => &[Panel::Learning, Panel::Decision, Panel::Board],
        }
    }

    /// The text after the last step.
    fn outcome(self, seen: &Seen<'_>, begun: &Begun) -> String {
        match self {
            Self::Why => {
                let sentence =
                    seen.doc.decision().map(|decision| prose::decision::sentence(decision, &seen.doc.strategy()));
                let sentence = sentence.map_or_else(String::new, |sentence| format!("{sentence}\n\n"));
                format!(
                    "{sentence}Why, below the tree, compares the best two moves tile by tile. Press Overview in the \
                     top bar to go back."
                )
            }
            Self::Build => seen.rerun(begun).unwrap_or_default(),
            Self::Learn => {
                "It plays with what it learned. In Learning, Test now plays games without learning, and Resume training \
                 continues from here."
                    .to_owned()
            }
        }
    }
}

impl Seen<'_> {
    /// The depth of the selected node in the tree, in plies.
    fn selected_ply(&self) -> Option<usize> {
        let tree: &Tree = &self.inspection.shown()?.tree;
        let up = std::iter::successors(Some(self.inspection.selected()), |&id| tree.parent(id));
        Some(up.count() - 1)
    }

    /// Whether the review path of the current move has reached this step or a later one.
    fn is_at_step(&self, step: u8) -> bool {
        step <= self.doc.step()
    }

    /// The result of the run started in this step, once it is over.
    fn rerun(&self, begun: &Begun) -> Option<String> {
        let over =
            |run: &&ExperimentRun| run.runs != begun.run && run.state() == Some(&State::Done);
        let run = self.doc.results().filter(over)?.run.as_ref()?;
        let mut pair = Pair::default();
        while run.games().follow([0, 1], &mut pair, u64::MAX) {}
        let before = run.plan().contestants.get(1)?.strategy.label();
        Some(prose::pair_sentence(
            &pair,
            run.plan().planned(),
            ["Your edit", &before],
        ))
    }
}

/// An active task and its progress.
#[derive(Debug)]
pub(in crate::workbench::app) struct Guide {
    task: Task,
    step: usize,
    begun: Begun,
    /// The final text, after the last step.
    outcome: Option<String>,
}

/// What the user pressed on the note in this frame.
pub(in crate::workbench::app) enum Next {
    Nothing,
    Show(Panel),
    End,
}

impl Guide {
    pub(in crate::workbench::app) fn new(task: Task, doc: &Document) -> Self {
        Self {
            task,
            step: 0,
            begun: Begun::now(doc),
            outcome: None,
        }
    }

    pub(in crate::workbench::app) fn task(&self) -> Task {
        self.task
    }

    /// Moves to the next step once the current one is done.
    pub(in crate::workbench::app) fn follow(&mut self, seen: &Seen<'_>) {
        let steps = self.task.steps();
        while let Some(step) = steps.get(self.step) {
            if !(step.is_done)(seen, &self.begun) {
                return;
            }
            self.step += 1;
            if self.step == steps.len() {
                self.outcome = Some(self.task.outcome(seen, &self.begun));
                return;
            }
            self.begun = Begun::now(seen.doc);
        }
    }

    /// Draws the note next to the panel of the step.
    pub(in crate::workbench::app) fn show(&self, ctx: &Context, layout: &Layout) -> Next {
        let step = self.task.steps().get(self.step);
        let panel = step.and_then(|step| layout.rect_of(step.panel));
        let about = step.map_or_else(
            || self.task.ends_with().to_vec(),
            |step| [step.also, &[step.panel]].concat(),
        );
        let described: Vec<Rect> = about
            .into_iter()
            .filter_map(|panel| layout.rect_of(panel))
            .collect();
        let others = layout
            .shown()
            .into_iter()
            .filter_map(|panel| layout.rect_of(panel))
            .collect::<Vec<_>>();
        let button = where_is(ctx, step.map_or("", |step| step.button));
        let screen = ctx.content_rect();
        let theme = Theme::of_visuals(&ctx.global_style().visuals);
        let id = Id::unique("guide");
        let size = ctx
            .memory(|memory| memory.area_rect(id))
            .map_or(vec2(WIDTH, 150.0), |rect| rect.size());

        if let Some(sought) = button.or(panel) {
            let painter = ctx.layer_painter(egui::LayerId::new(
                Order::Middle,
                Id::unique("guide outline"),
            ));
            let stroke = Stroke::new(2.0, theme.accent);
            painter.rect_stroke(
                sought.expand(if button.is_some() { 2.0 } else { 0.0 }),
                theme::RADIUS_M,
                stroke,
                StrokeKind::Outside,
            );
        }

        let at = Places {
            screen,
            described: &described,
            button,
            others: &others,
        }
        .best(size);
        let area = Area::new(id)
            .order(Order::Foreground)
            .fixed_pos(at)
            .constrain_to(screen.shrink(GAP));
        let frame = Frame::popup(&ctx.global_style())
            .inner_margin(theme::PAD)
            .stroke(Stroke::new(1.0, theme.accent));
        let next = area.show(ctx, |ui| {
            frame
                .show(ui, |ui| self.note_ui(ui, step, panel.is_some()))
                .inner
        });
        let name = format!("{}, {}", self.task.title(), self.progress());
        next.response
            .widget_info(|| WidgetInfo::labeled(Role::Dialog, true, &name));
        next.inner
    }

    fn progress(&self) -> String {
        match self.outcome {
            Some(_) => "done".to_owned(),
            None => format!("step {} of {}", self.step + 1, self.task.steps().len()),
        }
    }

    fn note_ui(&self, ui: &mut Ui, step: Option<&Step>, is_seen: bool) -> Next {
        let theme = Theme::of(ui);
        ui.set_width(WIDTH - 2.0 * theme::PAD);
        let mut next = Next::Nothing;
        ui.horizontal(|ui| {
            ui.label(RichText::new(self.task.title()).font(theme::strong()));
            ui.label(RichText::new(self.progress()).small().color(theme.text3));
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                if icon_button(
                    ui,
                    Icon::Close,
                    "End this task",
                    "Help, Start here has all three",
                )
                .clicked()
                {
                    next = Next::End;
                }
            });
        });

        let text = step.map_or_else(
            || self.outcome.as_deref().unwrap_or_default(),
            |step| step.text,
        );
        ui.add(egui::Label::new(text).wrap());
        ui.add_space(theme::SPACE_S);
        if self.outcome.is_some() {
            if ui.add(Button::new("Done").accent()).clicked() {
                next = Next::End;
            }
        } else if let Some(step) = step.filter(|_| !is_seen) {
            let show = format!("Show {}", step.panel.title());
            if ui.add(Button::new(&show)).clicked() {
                next = Next::Show(step.panel);
            }
        }

        next
    }
}

/// What the note must not cover.
struct Places<'a> {
    screen: Rect,
    /// The panels that the text is about.
    described: &'a [Rect],
    button: Option<Rect>,
    /// All visible panels.
    others: &'a [Rect],
}

impl Places<'_> {
    /// The place of a note of this size: never over the button if there is another place, and over as little as possible
    /// of the panels that it is about. Among equals the one nearest to them.
    fn best(&self, size: Vec2) -> Pos2 {
        let room = self.screen.shrink(GAP);
        let about = self
            .described
            .last()
            .map_or(self.screen.center(), Rect::center);
        let corners = |rect: &Rect| {
            let inner = rect.shrink(GAP);
            [
                inner.right_bottom() - size,
                inner.right_top() - vec2(size.x, 0.0),
                inner.left_top(),
            ]
            .into_iter()
            .chain([inner.left_bottom() - vec2(0.0, size.y)])
            .collect::<Vec<_>>()
        };
        let all = self.others.iter().chain([&self.screen]).flat_map(corners);
        let inside = |at: Pos2| at.clamp(room.min, (room.max - size).max(room.min));
        let notes = all.map(|at| Rect::from_min_size(inside(at), size));
        let best = notes.min_by(|one, other| {
            let cost = |note: &Rect| {
                let hides = self
                    .button
                    .is_some_and(|button| button.expand(GAP).intersects(*note));
                let covered: f32 = self
                    .described
                    .iter()
                    .map(|panel| area(panel.intersect(*note)))
                    .sum();
                (hides, covered, note.center().distance(about))
            };
            let (one, other) = (cost(one), cost(other));
            one.0
                .cmp(&other.0)
                .then(one.1.total_cmp(&other.1))
                .then(one.2.total_cmp(&other.2))
        });
        best.map_or(room.min, |note| note.min)
    }
}

fn area(rect: Rect) -> f32 {
    if rect.is_positive() { rect.area() } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use strum::IntoEnumIterator as _;

    use super::*;

    #[test]
    fn a_task_has_at_most_five_steps() {
        for task in Task::iter() {
            assert!((1..=5).contains(&task.steps().len()), "{task:?}");
        }
    }

    #[test]
    fn the_note_leaves_the_button_free() {
        let screen = Rect::from_min_size(Pos2::ZERO, vec2(1024.0, 700.0));
        let panel = Rect::from_min_max(Pos2::new(330.0, 60.0), Pos2::new(1016.0, 660.0));
        let size = vec2(WIDTH, 150.0);
        for x in (panel.left() as i32..panel.right() as i32 - 80).step_by(20) {
            for y in (panel.top() as i32..panel.bottom() as i32 - 24).step_by(20) {
                let button = Rect::from_min_size(Pos2::new(x as f32, y as f32), vec2(80.0, 24.0));
                let places = Places {
                    screen,
                    described: &[panel],
                    button: Some(button),
                    others: &[panel],
                };
                let note = Rect::from_min_size(places.best(size), size);
                assert!(
                    screen.contains_rect(note) && !note.intersects(button),
                    "{button:?} below {note:?}"
                );
            }
        }
    }

    #[test]
    fn the_note_leaves_the_panels_free_that_it_is_about() {
        // Four panels side by side, two above two.
        let screen = Rect::from_min_size(Pos2::ZERO, vec2(1600.0, 1000.0));
        let half = screen.size() / 2.0;
        let places = [vec2(0.0, 0.0), vec2(half.x, 0.0), vec2(0.0, half.y), half];
        let panels = places.map(|at| Rect::from_min_size(Pos2::ZERO + at, half));
        for (one, other) in (0..4).flat_map(|one| (0..4).map(move |other| (one, other))) {
            let described = [panels[one], panels[other]];
            let places = Places {
                screen,
                described: &described,
                button: None,
                others: &panels,
            };
            let note = Rect::from_min_size(places.best(vec2(WIDTH, 150.0)), vec2(WIDTH, 150.0));
            assert!(
                described.iter().all(|panel| !panel.intersects(note)),
                "{described:?} below {note:?}"
            );
        }
    }
}
