//! Opens the window without a display and drives it like a user.

use std::path::Path;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use afterstate::workbench::command::Menu;
use afterstate::workbench::command::{Command, ExperimentCommand, TreeCommand};
use afterstate::workbench::state::Document;
use afterstate::workbench::theme::ThemeChoice;
use afterstate::workbench::{App, Options};
use egui::accesskit::Role;
use egui::{Event, Key, Modifiers, PointerButton, Pos2};
use egui_kittest::Harness;
use egui_kittest::kittest::{AccessKitNode, NodeT as _, Queryable as _};

/// Only a hanging test takes this long, even on a busy machine.
pub(crate) const HANG: Duration = Duration::from_secs(1000);

/// Seconds on the clock of the window after which a tooltip is open.
pub(crate) const TOOLTIP: f64 = 2.0;

/// The longest pause between two frames while a test waits: conditions may depend on files.
const LOOK: Duration = Duration::from_millis(50);

/// Frames in a row without a pause. A window that requests more never rests.
const MOST_FRAMES: usize = 500;

/// Frames that show an event while work goes on and requests more of them.
const FRAMES_OF_EVENT: usize = 3;

/// The window between two frames.
pub(crate) type Window = Harness<'static, Option<App>>;

/// A state of the harness that holds the window.
pub(crate) trait Opened {
    fn opened(&self) -> Option<&App>;
    fn place(&mut self) -> &mut Option<App>;
}

impl Opened for Option<App> {
    fn opened(&self) -> Option<&App> {
        self.as_ref()
    }

    fn place(&mut self) -> &mut Option<App> {
        self
    }
}

/// Draws the frames that the window requests.
pub(crate) trait Drive {
    /// Draws frames until nothing runs and no frame is requested.
    fn settle(&mut self);

    /// Draws frames until none is requested at once. For tests of running work: it goes on.
    fn draw(&mut self);

    /// Presses the visible button of a command.
    fn press(&mut self, command: impl Into<Command>);

    /// Clicks what has this name.
    fn click(&mut self, label: &str);

    /// Clicks what has this role and name.
    fn click_role(&mut self, role: Role, label: &str);

    /// Clicks what has this text in its name.
    fn click_part(&mut self, part: &str);

    /// Clicks a place. All its events arrive within one frame, as they do when frames are slow.
    fn click_at(&mut self, at: Pos2);

    /// The same with the secondary button, for the menu of a place.
    fn click_secondary_at(&mut self, at: Pos2);

    /// Presses and releases a key within one frame.
    fn press_key(&mut self, key: Key);

    /// The same with modifiers, which are released a frame later.
    fn press_keys(&mut self, modifiers: Modifiers, key: Key);

    /// Lets seconds pass on the clock of the window, which counts frames, for example until a tooltip opens.
    fn pass(&mut self, seconds: f64);

    /// Everything that runs.
    fn running(&self) -> Vec<String>;
}

impl<S: Opened> Drive for Harness<'_, S> {
    #[track_caller]
    fn settle(&mut self) {
        let late = Instant::now() + HANG;
        let mut frames = 0;
        loop {
            let was_quiet = self.running().is_empty();
            draw_once(self);
            let running = self.running();
            if !running.is_empty() || Requests::of(&self.ctx).is_waiting() {
                assert!(Instant::now() < late, "still running: {running:?}");
                rest(self);
                frames = 0;
            } else if pause(self) == Duration::ZERO {
                frames += 1;
                assert!(
                    frames < MOST_FRAMES,
                    "frames without end: {:#?}",
                    self.ctx.repaint_causes()
                );
            } else if was_quiet {
                return;
            }
            // Work that ended during a frame has its answer taken by the next one.
        }
    }

    #[track_caller]
    fn draw(&mut self) {
        for frame in 1..=MOST_FRAMES {
            draw_once(self);
            if pause(self) != Duration::ZERO
                || FRAMES_OF_EVENT <= frame && !self.running().is_empty()
            {
                return;
            }
        }
        panic!("frames without end: {:#?}", self.ctx.repaint_causes());
    }

    #[track_caller]
    fn press(&mut self, command: impl Into<Command>) {
        self.click_at(button(self, command).rect().center());
    }

    #[track_caller]
    fn click(&mut self, label: &str) {
        self.click_at(self.get_by_label(label).rect().center());
    }

    #[track_caller]
    fn click_role(&mut self, role: Role, label: &str) {
        self.click_at(self.get_by_role_and_label(role, label).rect().center());
    }

    #[track_caller]
    fn click_part(&mut self, part: &str) {
        self.click_at(self.get_by_label_contains(part).rect().center());
    }

    #[track_caller]
    fn click_at(&mut self, at: Pos2) {
        click_with(self, PointerButton::Primary, at);
    }

    #[track_caller]
    fn click_secondary_at(&mut self, at: Pos2) {
        click_with(self, PointerButton::Secondary, at);
    }

    #[track_caller]
    fn press_key(&mut self, key: Key) {
        self.press_keys(Modifiers::NONE, key);
    }

    #[track_caller]
    fn press_keys(&mut self, modifiers: Modifiers, key: Key) {
        let event = |pressed| Event::Key {
            key,
            physical_key: None,
            pressed,
            repeat: false,
            modifiers,
        };
        if modifiers == Modifiers::NONE {
            self.input_mut().events.extend([true, false].map(event));
        } else {
            let held = Event::ModifiersChanged(modifiers);
            self.input_mut()
                .events
                .extend([held, event(true), event(false)]);
            draw_once(self);
            self.input_mut()
                .events
                .push(Event::ModifiersChanged(Modifiers::NONE));
        }
        self.settle();
    }

    fn pass(&mut self, seconds: f64) {
        let now = |window: &Self| window.ctx.input(|input| input.time);
        let end = now(self) + seconds;
        while now(self) < end {
            draw_once(self);
        }
    }

    fn running(&self) -> Vec<String> {
        self.state().opened().map(App::running).unwrap_or_default()
    }
}

#[track_caller]
fn click_with<S: Opened>(window: &mut Harness<'_, S>, button: PointerButton, at: Pos2) {
    let event = |pressed| Event::PointerButton {
        pos: at,
        button,
        pressed,
        modifiers: Modifiers::NONE,
    };
    let events = [Event::PointerMoved(at), event(true), event(false)];
    window.input_mut().events.extend(events);
    window.settle();
}

/// The pause that the last frame leaves until the next one.
fn pause<S>(window: &Harness<'_, S>) -> Duration {
    window.output().viewport_output[&egui::ViewportId::ROOT].repaint_delay
}

fn draw_once<S>(window: &mut Harness<'_, S>) {
    Requests::of(&window.ctx).take();
    window.step();
}

/// Waits until the window requests a frame, like its event loop.
fn rest<S>(window: &Harness<'_, S>) {
    Requests::of(&window.ctx).wait(pause(window).min(LOOK));
}

/// Requests for frames by workers, which may come between two frames.
#[derive(Default)]
struct Requests {
    next: Mutex<Option<Instant>>,
    arrival: Condvar,
}

impl Requests {
    /// Those of a window.
    fn of(ctx: &egui::Context) -> Arc<Self> {
        let id = egui::Id::unique("requests of workers");
        let existing: Option<Arc<Self>> = ctx.data(|data| data.get_temp(id));
        existing.unwrap_or_else(|| {
            let (requests, window) = (Arc::new(Self::default()), std::thread::current().id());
            ctx.data_mut(|data| data.insert_temp(id, requests.clone()));
            let listener = requests.clone();
            ctx.set_repaint_observer(move |request| {
                if std::thread::current().id() != window {
                    listener.add(request.delay);
                }
            });
            requests
        })
    }

    fn add(&self, delay: Duration) {
        let due = Instant::now() + delay;
        let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
        *next = Some(next.map_or(due, |next| next.min(due)));
        self.arrival.notify_all();
    }

    /// The next frame answers all of them.
    fn take(&self) {
        *self.next.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    fn is_waiting(&self) -> bool {
        self.next
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .is_some()
    }

    /// Waits for this time, or until an earlier request is due.
    fn wait(&self, most: Duration) {
        let end = Instant::now() + most;
        let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            let due = next.map_or(end, |next| next.min(end));
            let left = due.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return;
            }
            next = self
                .arrival
                .wait_timeout(next, left)
                .unwrap_or_else(PoisonError::into_inner)
                .0;
        }
    }
}

/// The session of tests without a first look: a game of `emr`, which decides at once.
const SESSION: &str = include_str!("../data/session.ron");

/// Games per strategy of the experiment that the window plays at its start: as many as most tests need.
const FEW_GAMES: u64 = 20;

/// Puts that session into a folder without one, with this number of games per strategy.
pub(crate) fn keep_session(folder: &Path, games: u64) {
    let session = folder.join("session.ron");
    if !session.exists() {
        let text = SESSION.replacen("games: 1000,", &format!("games: {games},"), 1);
        std::fs::write(session, text).expect("writable");
    }
}

/// Turns off background judging: other tests need no network.
pub(crate) fn keep_settings(folder: &Path) {
    let settings = folder.join("settings.ron");
    if !settings.exists() {
        std::fs::write(settings, "(version: 1, judge_in_background: false)").expect("writable");
    }
}

/// Opens the window with its settings in `folder`.
pub(crate) fn open(folder: &Path) -> Window {
    open_with(folder, [1600.0, 1000.0], Vec::new())
}

/// Opens the window with a size and files to open.
pub(crate) fn open_with(folder: &Path, size: [f32; 2], files: Vec<std::path::PathBuf>) -> Window {
    keep_session(folder, FEW_GAMES);
    keep_settings(folder);
    open_as_it_is(folder, size, files)
}

/// Opens the window of a new user, and ends the experiment of its first look.
pub(crate) fn open_new(folder: &Path, size: [f32; 2]) -> Window {
    keep_settings(folder);
    let mut window = begin_in(None, folder, size, Vec::new());
    apply(&mut window, ExperimentCommand::StopNow);
    window
}

/// Opens the window with the content of `folder`, which may be empty.
pub(crate) fn open_as_it_is(
    folder: &Path,
    size: [f32; 2],
    files: Vec<std::path::PathBuf>,
) -> Window {
    open_in(None, folder, size, files)
}

/// The same with another state of the harness.
pub(crate) fn open_in<S: Opened + 'static>(
    state: S,
    folder: &Path,
    size: [f32; 2],
    files: Vec<std::path::PathBuf>,
) -> Harness<'static, S> {
    let mut window = begin_in(state, folder, size, files);
    window.settle();
    window
}

/// Opens a window whose first work the test watches.
pub(crate) fn begin_in<S: Opened + 'static>(
    state: S,
    folder: &Path,
    size: [f32; 2],
    files: Vec<std::path::PathBuf>,
) -> Harness<'static, S> {
    let options = Options {
        config_dir: Some(folder.to_owned()),
        theme: Some(ThemeChoice::Dark),
        files,
        ..Options::default()
    };
    let frame = move |ui: &mut egui::Ui, state: &mut S| match state.place() {
        Some(app) => {
            app.poll(ui.ctx());
            app.show(ui);
        }
        // Fonts are available from the next frame on.
        place => {
            Requests::of(ui.ctx());
            *place = Some(App::new(ui.ctx(), options.clone()));
        }
    };
    let mut window = Harness::builder()
        .with_size(size)
        .build_ui_state(frame, state);
    window.draw();
    window
}

/// The document of the window.
pub(crate) fn document(window: &Window) -> &Document {
    window
        .state()
        .as_ref()
        .expect("the window is open")
        .document()
}

/// All commands of the Tree menu, except those that open the system's file dialog.
pub(crate) fn tree_commands() -> Vec<Command> {
    let asks = |command: &Command| matches!(command, Command::Tree(TreeCommand::Save(_)));
    Command::all()
        .filter(|command| command.menu() == Some(Menu::Tree) && !asks(command))
        .cloned()
        .collect()
}

/// Applies a command, like a menu, and waits until its work is done.
#[track_caller]
pub(crate) fn apply<S: Opened>(window: &mut Harness<'_, S>, command: impl Into<Command>) {
    tell(window, [command.into()]);
    // Its own frame, and those that it leads to.
    draw_once(window);
    window.settle();
}

/// Applies a command whose work the test watches.
#[track_caller]
pub(crate) fn begin<S: Opened>(window: &mut Harness<'_, S>, command: impl Into<Command>) {
    begin_all(window, [command.into()]);
}

/// Applies commands within one frame, before results of the first one can arrive.
#[track_caller]
pub(crate) fn begin_all<S: Opened, const N: usize>(
    window: &mut Harness<'_, S>,
    commands: [Command; N],
) {
    tell(window, commands);
    window.draw();
}

fn tell<S: Opened, const N: usize>(window: &mut Harness<'_, S>, commands: [Command; N]) {
    let ctx = window.ctx.clone();
    let app: &mut App = window
        .state_mut()
        .place()
        .as_mut()
        .expect("the window is open");
    commands
        .into_iter()
        .for_each(|command| app.apply(&ctx, command));
}

/// The visible button of a command, by its accessibility id: texts may change or repeat. A dialog is above the rest.
#[track_caller]
pub(crate) fn button<'a, S>(
    window: &'a Harness<'_, S>,
    command: impl Into<Command>,
) -> egui_kittest::Node<'a> {
    let id = command.into().id();
    let screen = window.ctx.content_rect();
    let is_it = |node: &egui_kittest::Node<'_>| {
        let own = node.accesskit_node();
        own.author_id() == Some(&*id) && !own.is_hidden() && screen.contains(node.rect().center())
    };
    let found = window.query_all_by(|_| true).rfind(is_it);
    found.unwrap_or_else(|| panic!("no button of {id} is in sight"))
}

/// An entry of an open menu or drop-down.
pub(crate) fn entry<'a, T>(window: &'a Harness<'_, T>, label: &'a str) -> egui_kittest::Node<'a> {
    use egui::accesskit::Role::{MenuItem, MenuItemCheckBox, MenuItemRadio};
    let is_it = move |node: &AccessKitNode<'_>| {
        matches!(node.role(), MenuItem | MenuItemCheckBox | MenuItemRadio)
            && node.label().as_deref() == Some(label)
    };
    window.get_by(is_it)
}

/// The tab of a panel, or its title if it is alone in its place.
pub(crate) fn title<'a, T>(window: &'a Harness<'_, T>, panel: &'a str) -> egui_kittest::Node<'a> {
    let is_it = move |node: &AccessKitNode<'_>| {
        let of_panel = |parent: AccessKitNode<'_>| {
            let label = parent.label().unwrap_or_default();
            parent.role() == Role::TabList || label == format!("Title of {panel}")
        };
        node.label().as_deref() == Some(panel) && node.parent().is_some_and(of_panel)
    };
    window.get_by(is_it)
}

/// Pastes a position or a strategy.
#[track_caller]
pub(crate) fn paste(window: &mut Window, text: &str) {
    window.event(Event::Paste(text.to_owned()));
    window.settle();
}

/// Pastes a strategy whose search the test watches.
#[track_caller]
pub(crate) fn begin_pasted(window: &mut Window, text: &str) {
    window.event(Event::Paste(text.to_owned()));
    window.draw();
}

/// Draws frames until a condition holds. Work may go on.
#[track_caller]
pub(crate) fn until<'a, S: Opened>(
    window: &mut Harness<'a, S>,
    what: &str,
    mut is: impl FnMut(&Harness<'a, S>) -> bool,
) {
    let late = Instant::now() + HANG;
    while !is(window) {
        assert!(
            Instant::now() < late,
            "{what} did not happen; running: {:?}",
            window.running()
        );
        rest(window);
        draw_once(window);
    }
    window.draw();
}

/// Replaces the text of a field.
#[track_caller]
pub(crate) fn type_into<S: Opened>(window: &mut Harness<'_, S>, field: &str, text: &str) {
    window.get_by_role_and_label(Role::TextInput, field).focus();
    window.settle();
    window.key_press_modifiers(Modifiers::COMMAND, Key::A);
    window
        .get_by_role_and_label(Role::TextInput, field)
        .type_text(text);
    window.settle();
    window.press_key(Key::Enter);
}

/// The names of table rows, top down.
pub(crate) fn rows<S>(window: &Harness<'_, S>) -> Vec<String> {
    let mut rows: Vec<(f32, String)> = window
        .query_all_by_role(Role::Row)
        .filter_map(|row| {
            let name = row.accesskit_node().label()?;
            Some((row.rect().top(), name.strip_prefix("Row ")?.to_owned()))
        })
        .collect();
    rows.sort_by(|a, b| a.0.total_cmp(&b.0));
    rows.into_iter().map(|(_, name)| name).collect()
}

/// Drags with the pointer, in steps.
pub(crate) fn drag<S: Opened>(window: &mut Harness<'_, S>, from: Pos2, to: Pos2) {
    carry(window, from, to);
    window.drop_at(to);
    window.settle();
}

/// Drags without dropping.
pub(crate) fn carry<S: Opened>(window: &mut Harness<'_, S>, from: Pos2, to: Pos2) {
    window.drag_at(from);
    window.settle();
    for step in 1_u8..=4 {
        window.hover_at(from + (to - from) * (f32::from(step) / 4.0));
        window.step();
    }
    window.draw();
}

/// The text copied to the clipboard, once its worker is done.
pub(crate) fn copied(app: &mut App, ctx: &egui::Context) -> Option<String> {
    let text = || {
        ctx.output(|output| match output.commands.last() {
            Some(egui::OutputCommand::CopyText(text)) => Some(text.clone()),
            _ => None,
        })
    };
    for _ in 0..12_000 {
        if let Some(text) = text() {
            return Some(text);
        }
        std::thread::sleep(Duration::from_millis(5));
        app.poll(ctx);
    }
    None
}
