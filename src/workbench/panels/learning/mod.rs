//! The Learning panel: the list of networks, their curves, tests, and tables.

mod curve;
mod details;
mod form;
mod game;
mod list;
mod opened;
mod past;

use std::collections::BTreeSet;

use egui::{Align, Layout, Rect, RichText, Sense, Ui, UiBuilder, vec2};

use crate::words;
use crate::workbench::command::{Commands, LearningCommand, Panel, SelectionCommand, note_place};
use crate::workbench::icon::Icon;
use crate::workbench::kit::{Button, Sort, came_to_front, empty, focus, segmented};
use crate::workbench::state::Document;
use crate::workbench::theme::{self, Theme};

use curve::{Along, Measure};
use form::Form;
use list::NAME;
use opened::Opened;

/// Visible rows of the list in a high and in a low panel.
const ROWS: [usize; 2] = [5, 2];
/// Minimum height of a high panel.
const ROOM: f32 = 420.0;
/// Default number of games of a test.
const USUAL_TEST: u64 = 200;

/// The view of the chosen network.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum View {
    #[default]
    Curve,
    /// A table over two of its cells.
    Tables,
    /// The contribution of each tuple to the value of the current board.
    Board,
    /// The predictions along the current game.
    Game,
}

impl View {
    const ALL: [(Self, &str); 4] = [
        (Self::Curve, "Curve"),
        (Self::Tables, "Tables"),
        (Self::Board, "Board"),
        (Self::Game, "Game"),
    ];
}

#[derive(Debug)]
pub(crate) struct LearningPanel {
    selected: Option<String>,
    /// Whether the user chose it.
    is_picked: bool,
    view: View,
    along: Along,
    measure: Measure,
    sort: Sort<usize>,
    /// Networks whose curve is hidden.
    hidden: BTreeSet<String>,
    /// Networks listed before.
    seen: BTreeSet<String>,
    form: Option<Form>,
    opened: Opened,
    tests: u64,
    /// The total number of games to continue to, for a finished training.
    further: Option<u64>,
    requests: Vec<SelectionCommand>,
    /// Number of the last frame that drew the panel.
    drawn: Option<u64>,
    /// The network of a new training, chosen as soon as it is listed.
    begun: Option<String>,
    /// Counts the requests of other panels to show a network.
    request: u64,
    /// The initial limit in minutes in the form of a new training.
    pub limit: Option<f64>,
}

impl Default for LearningPanel {
    fn default() -> Self {
        Self {
            selected: None,
            is_picked: false,
            view: View::default(),
            along: Along::default(),
            measure: Measure::default(),
            sort: Sort::new(NAME, false),
            hidden: BTreeSet::new(),
            seen: BTreeSet::new(),
            form: None,
            opened: Opened::default(),
            tests: USUAL_TEST,
            further: None,
            requests: Vec::new(),
            drawn: None,
            begun: None,
            request: 0,
            limit: None,
        }
    }
}

impl LearningPanel {
    /// Queues a command for the chosen network.
    pub(crate) fn request(&mut self, command: SelectionCommand) {
        self.requests.push(command);
    }

    pub(crate) fn ui(&mut self, ui: &mut Ui, doc: &Document, commands: &mut Commands) {
        self.look_at_disk(ui, commands);
        let names = doc.trainings().names();
        self.choose(doc, &names);
        self.take_requests(doc, commands);
        ui.spacing_mut().item_spacing.y = theme::SPACE_S;
        self.head_ui(ui, doc, &names);

        if let Some(form) = &mut self.form {
            match form.ui(ui, doc, commands) {
                form::Done::No => {}
                form::Done::Closed => self.form = None,
                form::Done::Begun(name) => (self.form, self.begun) = (None, Some(name)),
            }
            return;
        }

        if doc.config_dir().is_none() {
            empty(
                ui,
                "This system has no folder for settings, so networks are not saved\nChoose a folder with --config-dir",
            );
        } else if names.is_empty()
            && (doc.trainings().is_reading() || doc.trainings().kept().is_none())
        {
            empty(ui, "Reading the saved networks…");
        } else if names.is_empty() {
            let sentence = "No network is saved yet\nPress New training to train one by playing and see its curve here";
            empty(ui, sentence);
        } else {
            self.list_in_its_room(ui, doc, &names, commands);
            self.details_ui(ui, doc, &names, commands);
        }
    }

    fn head_ui(&mut self, ui: &mut Ui, doc: &Document, names: &[String]) {
        let theme = Theme::of(ui);
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = theme::SPACE_M;
            let text = if self.form.is_some() {
                "Back to the networks"
            } else {
                "New training…"
            };
            let icon = if self.form.is_some() {
                Icon::ChevronLeft
            } else {
                Icon::Plus
            };
            let about = "Set up a network that learns by playing, from a preset or from tuples";
            let response = ui.add(Button::new(text).icon(icon)).on_hover_text(about);
            focus::home(&response, Panel::Learning.area());
            if self.form.is_none() {
                note_place(
                    ui.ctx(),
                    response.interact_rect,
                    &SelectionCommand::NewTraining.into(),
                );
            }
            if response.clicked() {
                self.form = if self.form.is_some() {
                    None
                } else {
                    Form::new(doc, self.limit)
                };
            }

            if self.form.is_none() && !names.is_empty() {
                segmented(ui, "View of the network", &mut self.view, &View::ALL);
            }

            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                let saved = doc.trainings().kept().unwrap_or_default();
                // No sum if the size of one cannot be read.
                let bytes: Option<u64> = saved.iter().map(|one| one.bytes).sum();
                let bytes =
                    bytes.map_or_else(String::new, |bytes| format!(", {}", words::bytes(bytes)));
                let text = words::plural(names.len() as u64, "network") + &bytes;
                if 150.0 < ui.available_width() {
                    ui.label(RichText::new(text).color(theme.text2));
                }
            });
        });
    }

    /// Reads the folder when the window or the panel comes to the front, because other processes write to it.
    fn look_at_disk(&mut self, ui: &Ui, commands: &mut Commands) {
        let frame = ui.ctx().cumulative_frame_nr();
        let comes_up = self.drawn.is_none_or(|drawn| drawn + 1 < frame);
        self.drawn = Some(frame);
        if comes_up || came_to_front(ui) {
            commands.push(LearningCommand::List);
        }
    }

    /// Chooses a network if none is chosen; by default the active training.
    fn choose(&mut self, doc: &Document, names: &[String]) {
        let (request, name) = doc.trainings().show_request();
        if std::mem::replace(&mut self.request, request) != request {
            (self.form, self.begun) = (None, Some(name.to_owned()));
        }

        if let Some(begun) = self.begun.take_if(|begun| names.contains(begun)) {
            self.select(begun);
        }
        let ships = |name: &String| doc.trainings().find(name).is_some_and(|saved| saved.ships);
        if self
            .selected
            .as_ref()
            .is_none_or(|name| !names.contains(name) || !self.is_picked && ships(name))
        {
            let learns = doc.trainings().live().first().map(|live| live.name.clone());
            // The user's own networks come before shipped ones.
            let own = || {
                doc.trainings()
                    .own()
                    .into_iter()
                    .map(|(name, _)| name)
                    .min()
            };
            self.selected = learns.or_else(own).or_else(|| names.first().cloned());
        }

        for name in names {
            // A shipped network's many games would squeeze the other curves, so its curve starts hidden.
            if self.seen.insert(name.clone()) && ships(name) {
                self.hidden.insert(name.clone());
            }
        }
    }

    fn select(&mut self, name: String) {
        self.hidden.remove(&name);
        self.further = None;
        (self.selected, self.is_picked) = (Some(name), true);
    }

    fn take_requests(&mut self, doc: &Document, commands: &mut Commands) {
        for request in std::mem::take(&mut self.requests) {
            if request == SelectionCommand::NewTraining {
                self.form = self.form.take().or_else(|| Form::new(doc, self.limit));
                continue;
            }
            let Some(name) = self.selected.clone() else {
                continue;
            };
            let is_paused = doc
                .trainings()
                .live_of(&name)
                .is_none_or(crate::workbench::state::LiveTraining::is_paused);
            commands.push(match request {
                SelectionCommand::HoldTraining if is_paused => {
                    LearningCommand::Resume { name, games: None }
                }
                SelectionCommand::HoldTraining => LearningCommand::Pause(name),
                SelectionCommand::StopTraining => LearningCommand::Stop(name),
                SelectionCommand::SaveTraining => LearningCommand::Checkpoint(name),
                SelectionCommand::TestNetwork => LearningCommand::Test {
                    name,
                    games: self.tests,
                },
                SelectionCommand::UseNetwork => LearningCommand::Use(name),
                SelectionCommand::DeleteNetwork => LearningCommand::Delete(name),
                _ => continue,
            });
        }
    }

    /// The list, as high as its rows up to a limit.
    fn list_in_its_room(
        &mut self,
        ui: &mut Ui,
        doc: &Document,
        names: &[String],
        commands: &mut Commands,
    ) {
        let most = ROWS[usize::from(ui.available_height() < ROOM)];
        let height = theme::ROW * (1 + names.len().min(most)) as f32 + 2.0;
        let room = ui.available_rect_before_wrap();
        let rect = Rect::from_min_size(room.min, vec2(room.width(), height));
        let mut inside = ui.new_child(UiBuilder::new().id_salt("networks").max_rect(rect));
        self.list_ui(&mut inside, doc, names, commands);
        ui.allocate_rect(rect, Sense::hover());
        ui.add_space(theme::SPACE_S);
    }
}
