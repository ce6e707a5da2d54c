//! Networks that learn: the list of them, their curves, tests, and what is in their tables.

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
use list::LearningColumn;
use opened::Opened;

/// Rows of the list that are seen at once, where there is room and where there is little.
const ROWS: [usize; 2] = [5, 2];
/// From this height on there is room.
const ROOM: f32 = 420.0;
/// Games of a test that nobody has said otherwise.
const USUAL_TEST: u64 = 200;

/// What is shown of the chosen network.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum View {
    #[default]
    Curve,
    /// A table over two of its cells.
    Tables,
    /// What each tuple adds to the value of the board on screen.
    Board,
    /// What it expects along the game on the board.
    Game,
}

impl View {
    const ALL: [(Self, &str); 4] =
        [(Self::Curve, "Curve"), (Self::Tables, "Tables"), (Self::Board, "Board"), (Self::Game, "Game")];
}

#[derive(Debug)]
pub(crate) struct LearningPanel {
    selected: Option<String>,
    /// Whether a person chose it.
    is_picked: bool,
    view: View,
    along: Along,
    measure: Measure,
    sort: Sort<LearningColumn>,
    /// Networks whose curve is not drawn.
    hidden: BTreeSet<String>,
    /// Those that were listed before.
    seen: BTreeSet<String>,
    form: Option<Form>,
    opened: Opened,
    tests: u64,
    /// Games in all, to go on to where all that were asked for are played.
    further: Option<u64>,
    requests: Vec<SelectionCommand>,
    /// Number of the last frame in which the panel was drawn.
    drawn: Option<u64>,
    /// The network that was just begun: it is chosen as soon as it is listed.
    begun: Option<String>,
    /// How often somebody elsewhere asked to see one.
    asked: u64,
    /// The limit in minutes that the form of a new training starts with.
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
            sort: Sort::new(LearningColumn::Name, false),
            hidden: BTreeSet::new(),
            seen: BTreeSet::new(),
            form: None,
            opened: Opened::default(),
            tests: USUAL_TEST,
            further: None,
            requests: Vec::new(),
            drawn: None,
            begun: None,
            asked: 0,
            limit: None,
        }
    }
}

impl LearningPanel {
    /// Hears a command that needs to know what is chosen here.
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
                "This system names no folder for settings: networks are not kept\nChoose a folder with --config-dir",
            );
        } else if names.is_empty() && (doc.trainings().is_reading() || doc.trainings().kept().is_none()) {
            empty(ui, "Reading the networks that are kept…");
        } else if names.is_empty() {
            let sentence =
                "No network is kept yet\nPress New training: it learns by playing, and its curve is drawn here";
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
            let text = if self.form.is_some() { "Back to the networks" } else { "New training…" };
            let icon = if self.form.is_some() { Icon::ChevronLeft } else { Icon::Plus };
            let about = "Set up a network that learns by playing: from a preset, or by its tuples";
            let response = ui.add(Button::new(text).icon(icon)).on_hover_text(about);
            focus::home(&response, Panel::Learning.area());
            if self.form.is_none() {
                note_place(ui.ctx(), response.interact_rect, &SelectionCommand::NewTraining.into());
            }
            if response.clicked() {
                self.form = if self.form.is_some() { None } else { Form::new(doc, self.limit) };
            }

            if self.form.is_none() && !names.is_empty() {
                segmented(ui, "View of the network", &mut self.view, &View::ALL);
            }

            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                let kept = doc.trainings().kept().unwrap_or_default();
                let bytes = words::bytes(kept.iter().map(|kept| kept.bytes).sum());
                let text = format!("{}, {bytes}", words::plural(names.len() as u64, "network"));
                if 150.0 < ui.available_width() {
                    ui.label(RichText::new(text).color(theme.text2));
                }
            });
        });
    }

    /// Others write into the same folder: it is looked at when this window comes to the front, or the panel does.
    fn look_at_disk(&mut self, ui: &Ui, commands: &mut Commands) {
        let frame = ui.ctx().cumulative_frame_nr();
        let comes_up = self.drawn.is_none_or(|drawn| drawn + 1 < frame);
        self.drawn = Some(frame);
        if comes_up || came_to_front(ui) {
            commands.push(LearningCommand::List);
        }
    }

    /// One is always chosen: at first what learns.
    fn choose(&mut self, doc: &Document, names: &[String]) {
        let (asked, name) = doc.trainings().asked();
        if std::mem::replace(&mut self.asked, asked) != asked {
            (self.form, self.begun) = (None, Some(name.to_owned()));
        }

        if let Some(begun) = self.begun.take_if(|begun| names.contains(begun)) {
            self.select(begun);
        }
        let ships = |name: &String| doc.trainings().find(name).is_some_and(|kept| kept.ships);
        if self.selected.as_ref().is_none_or(|name| !names.contains(name) || !self.is_picked && ships(name)) {
            let learns = doc.trainings().live().first().map(|live| live.name.clone());
            // What ships comes after those of one's own.
            let own = || doc.trainings().own().into_iter().map(|(name, _)| name).min();
            self.selected = learns.or_else(own).or_else(|| names.first().cloned());
        }

        for name in names {
            // Its many games would press the others to the edge: beside them it is drawn once it is chosen.
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
            let Some(name) = self.selected.clone() else { continue };
            let is_paused = doc.trainings().live_of(&name).is_none_or(crate::workbench::state::LiveTraining::is_paused);
            commands.push(match request {
                SelectionCommand::HoldTraining if is_paused => LearningCommand::Resume { name, games: None },
                SelectionCommand::HoldTraining => LearningCommand::Pause(name),
                SelectionCommand::StopTraining => LearningCommand::Stop(name),
                SelectionCommand::SaveTraining => LearningCommand::Checkpoint(name),
                SelectionCommand::TestNetwork => LearningCommand::Test { name, games: self.tests },
                SelectionCommand::UseNetwork => LearningCommand::Use(name),
                SelectionCommand::DeleteNetwork => LearningCommand::Delete(name),
                _ => continue,
            });
        }
    }

    /// The list, as high as its rows up to a few.
    fn list_in_its_room(&mut self, ui: &mut Ui, doc: &Document, names: &[String], commands: &mut Commands) {
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
