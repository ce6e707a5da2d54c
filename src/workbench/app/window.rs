//! The main loop of the window: work between two frames, and the content of a frame.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use egui::{CentralPanel, Context, Frame, Key, Margin, Panel as Bar, Stroke, StrokeKind, Ui};

use super::announcer::Announcer;
use super::command_search::CommandSearch;
use super::conflict;
use super::contrast;
use super::dock::Dock;
use super::figure::{FigureAction, FigureDialog};
use super::file_dialog::Dialogs;
use super::help;
use super::naming::Naming;
use super::notices::Notices;
use super::pace::Pace;
use super::permission::{Permission, to_ask};
use super::rolling::Rolling;
use super::saved_state::Kept;
use super::screenshot::Screenshot;
use super::splitters;
use super::start_here::{CardAction, Guide, Next, Seen, StartHere, Task};
use super::which_board::WhichBoard;
use crate::experiment::Runs;
use crate::files;
use crate::program::{self, EndAll};
use crate::search::Tree;
use crate::workbench::command::{
    Command, Commands, FileCommand, HelpSheet, LibraryCommand, Panel, Purpose, Workspace, where_is,
};
use crate::workbench::fonts;
use crate::workbench::kit::{self, Tidy, focus, part};
use crate::workbench::panels::figure::Figure;
use crate::workbench::panels::{Building, Inspection, Panels};
use crate::workbench::state::copying::Copying;
use crate::workbench::state::effect::{Effects, Level};
use crate::workbench::state::layout::{Class, Layout};
use crate::workbench::state::saving::Savings;
use crate::workbench::state::settings::Settings;
use crate::workbench::state::{Document, Surroundings};
use crate::workbench::theme::{self, Theme, ThemeChoice};

/// The options of the window from the command line.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Folder of settings and presets; by default, that of the system.
    pub config_dir: Option<PathBuf>,
    /// Overrides the saved theme for this session.
    pub theme: Option<ThemeChoice>,
    /// Initial size in points.
    pub size: Option<[f32; 2]>,
    /// Draws the window, saves a PNG here and closes.
    pub screenshot: Option<PathBuf>,
    /// Presets, positions or records to open.
    pub files: Vec<PathBuf>,
    /// Whether to ignore the last session and the settings.
    pub is_fresh: bool,
}

/// Whether the first frame was drawn: before that, a panic means that the window could not open.
pub(super) static DRAWN: AtomicBool = AtomicBool::new(false);

pub struct App {
    pub(super) document: Document,
    pub(super) panels: Panels,
    pub(super) notices: Notices,
    pub(super) announcer: Announcer,
    pub(super) dialogs: Dialogs,
    pub(super) savings: Savings,
    pub(super) copying: Copying,
    /// The record to save, while the user chooses a file.
    pub(super) to_save: Option<Arc<Tree>>,
    /// The figure to save, while the user chooses a file.
    pub(super) to_draw: Option<(Panel, Figure)>,
    pub(super) over: Over,
    pub(super) settings: Settings,
    pub(super) saved_state: Kept,
    pub(super) folder: Option<PathBuf>,
    pub(super) theme_for_now: Option<ThemeChoice>,
    pub(super) focused: Panel,
    pub(super) layout_before_reset: Option<(Workspace, Class, Layout)>,
    /// Whether Ctrl Z undoes the reset of the layout, because nothing was done since.
    pub(super) reset_was_last: bool,
    pub(super) class: Class,
    /// Whether the window saves its size and fits it to the screen. A size from the command line turns this off.
    pub(super) keeps_size: bool,
    /// Frames drawn since the start, counted until the window system has placed the window.
    pub(super) frames: u8,
    pub(super) screenshot: Option<Screenshot>,
    pub(super) start_here: StartHere,
    /// The previous workspaces, each with its focused panel.
    pub(super) trail: Vec<(Workspace, Panel)>,
    /// The menu button of each visible panel.
    pub(super) panel_menus: HashMap<Panel, egui::Id>,
    /// When the context menu of the focus was requested; if it has none, the panel's menu opens.
    pub(super) context_asked: Option<u64>,
    /// Programs whose consent was requested in this session.
    pub(super) asked_to_run: HashSet<String>,
    /// The focus of the last frame without a pressed pointer.
    edited: Option<egui::Id>,
    /// Ends the evaluator programs with the window: macOS may end this program without returning to `main`.
    pub(super) programs: Option<EndAll>,
}

/// The overlay that covers the panels and takes all keys.
pub(super) enum Over {
    Nothing,
    Search(CommandSearch),
    Help(HelpSheet),
    Naming(Naming),
    Rolling(Rolling),
    Permission(Box<Permission>),
    WhichBoard(WhichBoard),
    Figure(Box<FigureDialog>),
    /// The user closes the window, but saving fails.
    Unkept,
}

/// The saved settings, with a message if there was a problem; defaults for a fresh start.
pub(super) fn load_settings(options: &Options) -> (Settings, Option<String>) {
    let folder = options
        .config_dir
        .clone()
        .or_else(files::config_dir)
        .filter(|_| !options.is_fresh);
    folder
        .map(|folder| Settings::load(&folder))
        .unwrap_or_default()
}

impl App {
    /// Reads the settings, opens the files and sets up egui.
    pub fn new(ctx: &Context, options: Options) -> Self {
        let (settings, news) = load_settings(&options);
        Self::with_settings(ctx, options, settings, news)
    }

    /// Opens the files and sets up egui; the settings were read before, possibly with a message about them.
    pub(super) fn with_settings(
        ctx: &Context,
        options: Options,
        settings: Settings,
        news: Option<String>,
    ) -> Self {
        let runs = options
            .config_dir
            .as_ref()
            .map(|folder| Runs::at(folder.join("runs")))
            .or_else(Runs::of_system);
        if let Some(folder) = &options.config_dir {
            crate::kept::set_config_dir(folder);
        }

        let folder = options.config_dir.or_else(files::config_dir);
        // A program may take seconds to answer.
        program::never_on_this_thread();
        settings
            .allowed_programs
            .iter()
            .cloned()
            .for_each(program::permission::allow);
        let mut notices = Notices::default();
        if let Some(news) = news {
            notices.say(Level::Error, news);
        }
        ctx.add_plugin(kit::ReleasedKeys::default());
        ctx.add_plugin(kit::AfterClicks::default());
        ctx.add_plugin(kit::FocusPointer::default());
        ctx.set_fonts(fonts::definitions());
        ctx.add_plugin(Tidy);
        ctx.add_plugin(focus::Keeper::default());
        ctx.options_mut(|egui| {
            egui.zoom_with_keyboard = false;
            egui.quit_shortcuts.clear();
            egui.warn_on_id_clash = cfg!(debug_assertions); // egui has none: see Cargo.toml
        });
        theme::install(
            ctx,
            options.theme.unwrap_or(settings.theme),
            contrast::is_asked_for,
            settings.motion,
        );
        ctx.set_zoom_factor(settings.scale);
        let (repaint, repaint_at_once, pace) = (ctx.clone(), ctx.clone(), Pace::default());
        let mut document = Document::new(Surroundings {
            wake: Arc::new(move || repaint.request_repaint_after(pace.wait(Instant::now()))),
            wake_at_once: Arc::new(move || repaint_at_once.request_repaint()),
            config_dir: folder.clone(),
            runs,
            threads: settings.threads,
            record_cap: settings.record_cap,
            search_threads: settings.search_threads,
            judge_in_background: settings.judge_in_background,
            autoplay_speed: settings.autoplay_speed,
        });

        let mut effects = Effects::default();
        let is_new = !options.is_fresh && !document.restore(&mut effects);
        // Opened files replace the first look.
        let opens_nothing = options.files.is_empty();
        if is_new {
            document.first_look(opens_nothing, &mut effects);
        }

        let mut app = Self {
            saved_state: Kept::new(settings.clone(), document.open_now(), folder.as_deref()),
            document,
            panels: Panels::default(),
            notices,
            announcer: Announcer::default(),
            dialogs: Dialogs::default(),
            savings: Savings::default(),
            copying: Copying::default(),
            to_save: None,
            to_draw: None,
            over: Over::Nothing,
            settings,
            folder,
            theme_for_now: options.theme,
            focused: Panel::Board,
            layout_before_reset: None,
            reset_was_last: false,
            class: Class::Wide,
            keeps_size: options.size.is_none() && options.screenshot.is_none() && !options.is_fresh,
            frames: 0,
            screenshot: options.screenshot.map(Screenshot::new),
            trail: Vec::new(),
            start_here: if is_new && opens_nothing {
                StartHere::Choices { is_focused: false }
            } else {
                StartHere::Closed
            },
            panel_menus: HashMap::new(),
            context_asked: None,
            asked_to_run: HashSet::new(),
            edited: None,
            programs: None,
        };
        app.carry_out(ctx, effects);
        app.panels.inspection.spawn_map = app.settings.spawn_map;
        app.panels.run.plots = app.settings.plots;
        app.panels.restore_experiment_view(&app.settings.experiment);
        if !options.files.is_empty() {
            app.apply(ctx, FileCommand::OpenFiles(options.files));
        }

        app
    }

    /// The shared view state of the tree panels, for tests.
    pub fn inspection(&self) -> &Inspection {
        &self.panels.inspection
    }

    /// The shared view state of the builder panels, for tests.
    pub fn building(&self) -> &Building {
        &self.panels.building
    }

    pub fn notices(&self) -> &Notices {
        &self.notices
    }

    pub(super) fn theme(&self) -> ThemeChoice {
        self.theme_for_now.unwrap_or(self.settings.theme)
    }

    fn dock(&mut self, ui: &mut Ui, commands: &mut Commands) {
        let own = Layout::first(self.settings.layouts.workspace, self.class)
            .panels()
            .collect();
        let workspace = self.settings.layouts.workspace;
        let is_overview = workspace == Workspace::Overview;
        let layout = self.settings.layouts.of(self.class);
        layout.fit(ui.available_size());
        self.panels
            .follow(&self.document, workspace, layout.shown());
        let before = self.focused;
        self.panels.focused = Some(self.focused);
        let (panels, doc, focused) = (&mut self.panels, &self.document, &mut self.focused);
        let (tabs, folded, tree) = (
            HashMap::new(),
            HashSet::new(),
            (layout.tree.id(), layout.tree.root()),
        );
        let (menus, strip) = (HashMap::new(), String::new());
        let mut dock = Dock {
            panels,
            doc,
            commands,
            focused,
            tabs,
            alone: HashSet::new(),
            is_overview,
            own,
            folded,
            focused_tile: None,
            menus,
            tree,
            strip,
            start_here: &mut self.start_here,
            card_action: None,
        };
        layout.tree.ui(&mut dock, ui);
        self.panel_menus = dock.menus;
        let action = dock.card_action;
        match action {
            Some(CardAction::Close) => self.start_here = StartHere::Closed,
            Some(CardAction::Begin(task)) => {
                self.start_here = StartHere::Task(Guide::new(task, &self.document));
            }
            None => {}
        }

        splitters::ui(ui, layout);
        self.panels.hold(ui, &self.document, commands);

        // The focused panel must be visible.
        if !layout.shows(self.focused)
            && let Some(panel) = Panel::all().find(|&panel| layout.shows(panel))
        {
            self.focused = panel;
        }

        // A click moves the focus, unless a control took it.
        let clicks = ui.input(|input| input.pointer.any_pressed() || input.pointer.any_click());
        if clicks && self.focused != before {
            focus::enter_ground(ui.ctx(), self.focused.area());
        }
    }

    /// Opens the menu of the panel if the focus has no context menu.
    fn context_menu(&mut self, ctx: &Context) {
        /// Number of frames until a requested menu is open.
        const SOON: u64 = 3;
        if self
            .context_asked
            .is_some_and(|pass| pass + SOON < ctx.cumulative_pass_nr())
        {
            self.context_asked = None;
            if !egui::Popup::is_any_open(ctx) {
                self.open_panel_menu(ctx);
            }
        } else if self.context_asked.is_some() {
            ctx.request_repaint();
        }
    }

    fn over(&mut self, ctx: &Context, commands: &mut Commands) {
        let mut over = std::mem::replace(&mut self.over, Over::Nothing);
        let is_open = match &mut over {
            Over::Nothing => false,
            Over::Search(search) => search.show(ctx, |command| self.can(command), commands),
            Over::Help(sheet) => help::show(ctx, *sheet),
            Over::Naming(naming) => naming.show(ctx, &self.document, commands),
            Over::Rolling(rolling) => rolling.show(ctx, &self.document, commands),
            Over::Permission(permission) => permission.show(ctx, commands),
            Over::WhichBoard(dialog) => dialog.show(ctx, commands),
            Over::Figure(dialog) => match dialog.show(ctx, &mut self.panels, &self.document) {
                FigureAction::Nothing => true,
                FigureAction::Close => false,
                FigureAction::Save(figure) => {
                    self.settings.figure = dialog.options.clone();
                    self.ask_for_figure(ctx, dialog.panel, *figure);
                    false
                }
            },
            Over::Unkept => self.unkept(ctx),
        };

        if is_open {
            self.over = over;
        }

        conflict::show(ctx, &self.document, commands);
        if let Some((purpose, paths)) = self.dialogs.show(ctx) {
            match purpose {
                Purpose::Open => commands.push(FileCommand::OpenFiles(paths)),
                Purpose::ImportStrategies => commands.push(LibraryCommand::Take(paths)),
                purpose => paths
                    .into_iter()
                    .for_each(|path| commands.push(FileCommand::SaveTo(purpose, path))),
            }
        }
    }

    /// Shows the note of the current task. Escape closes the start card.
    fn guide(&mut self, ctx: &Context) {
        let workspace = self.settings.layouts.workspace;
        let layout = self.settings.layouts.of(self.class).clone();
        let StartHere::Task(guide) = &mut self.start_here else {
            self.panels.limit_training(None);
            if matches!(self.start_here, StartHere::Choices { is_focused: false })
                && workspace == Workspace::Overview
            {
                // The card is in the tree panel, which may be hidden in a narrow window.
                self.show_panel(Panel::Tree);
            }
            let tree = layout
                .rect_of(Panel::Tree)
                .filter(|_| workspace == Workspace::Overview);
            let is_seen = tree.is_some_and(|tree| self.start_here.place(tree).is_some());
            let escape = |input: &mut egui::InputState| {
                input.consume_key(egui::Modifiers::NONE, Key::Escape)
            };
            if is_seen && !focus::escape_is_taken(ctx) && ctx.input_mut(escape) {
                self.start_here = StartHere::Closed;
            }
            return;
        };

        // The first training must not take hours.
        self.panels
            .limit_training((guide.task() == Task::Learn).then_some(1.0));
        let (doc, inspection) = (&self.document, &self.panels.inspection);
        guide.follow(&Seen {
            doc,
            inspection,
            workspace,
            layout: &layout,
        });

        match guide.show(ctx, &layout) {
            Next::Nothing => {}
            Next::Show(panel) => self.show_panel(panel),
            Next::End => {
                self.start_here = StartHere::Closed;
                // No button is tracked any more.
                where_is(ctx, "");
            }
        }
    }

    /// Files dragged onto the window: a veil while they hover; a drop opens them.
    fn dropped(&self, ctx: &Context, commands: &mut Commands) {
        let (hovering, dropped) = ctx.input(|input| {
            let paths: Vec<PathBuf> = input
                .raw
                .dropped_files
                .iter()
                .map(|file| file.path().to_owned())
                .collect();
            (!input.raw.hovered_files.is_empty(), paths)
        });
        if !dropped.is_empty() {
            commands.push(FileCommand::OpenFiles(dropped));
        }

        if hovering {
            let layer = egui::LayerId::new(egui::Order::Foreground, egui::Id::unique("drop veil"));
            let painter = ctx.layer_painter(layer);
            let theme = Theme::of_visuals(&ctx.global_style().visuals);
            let rect = ctx.content_rect().shrink(theme::PAD);
            painter.rect_filled(
                rect,
                theme::RADIUS_M,
                theme.bg1.gamma_multiply(theme::DRAG_GHOST_ALPHA),
            );
            painter.rect_stroke(
                rect,
                theme::RADIUS_M,
                Stroke::new(2.0, theme.accent),
                StrokeKind::Inside,
            );
            let font = egui::TextStyle::Heading.resolve(&ctx.global_style());
            let words = "Drop to open presets, strategies, positions, game records or trees; onto the library to save \
                strategies";
            painter.text(
                rect.center(),
                egui::Align2::CENTER_CENTER,
                words,
                font,
                theme.text1,
            );
        }
    }
}

impl eframe::App for App {
    fn logic(&mut self, ctx: &Context, _frame: &mut eframe::Frame) {
        self.poll(ctx);
    }

    fn ui(&mut self, ui: &mut Ui, _frame: &mut eframe::Frame) {
        self.show(ui);
    }

    fn on_exit(&mut self, _gl: Option<&eframe::glow::Context>) {
        if self.screenshot.is_none() {
            self.save();
        }
    }
}

impl App {
    /// Takes results of workers and plays due moves; once before each frame, also while the window is hidden.
    pub fn poll(&mut self, ctx: &Context) {
        let mut effects = Effects::default();
        self.savings.poll(&mut effects);
        self.copying.poll(&mut effects);
        let polled = self.document.poll(&mut effects);
        self.panels.inspection.poll_skipped();
        if let Some((number, what)) = self.panels.inspection.take_grown() {
            self.document.search_on(number, &what);
            self.reset_was_last = false;
        }
        let task_change = self.document.tasks().changes_in();
        let waits = [polled, self.panels.inspection.repaint_after(), task_change];
        if let Some(wait) = waits.into_iter().flatten().min() {
            ctx.request_repaint_after(wait);
        }
        self.carry_out(ctx, effects);
    }

    pub fn document(&self) -> &Document {
        &self.document
    }

    /// Everything that is running, as text; see [`Document::running`].
    pub fn running(&self) -> Vec<String> {
        let asks = self
            .dialogs
            .waits_for_system()
            .then(|| "A file dialog of the system".to_owned());
        self.document.running().into_iter().chain(asks).collect()
    }

    /// Ends the current edit as a step of undo: with a drag, or when the focus moves.
    fn end_edit(&mut self, ctx: &Context) {
        let (is_down, turns) = ctx.input(|input| {
            let pointer = &input.pointer;
            (
                pointer.any_down(),
                pointer.any_pressed() || pointer.any_released(),
            )
        });
        // The focus may follow a press with a delay, when the drag has begun.
        let focus = if is_down {
            self.edited
        } else {
            ctx.memory(egui::Memory::focused)
        };
        if std::mem::replace(&mut self.edited, focus) != focus || turns {
            self.document.end_edit();
        }
    }

    /// Draws a frame and applies the commands from it.
    pub fn show(&mut self, ui: &mut Ui) {
        DRAWN.store(true, Ordering::Relaxed);
        let ctx = ui.ctx().clone();
        self.class = Class::of(ctx.content_rect().size());
        let theme = Theme::of(ui);
        let mut commands = Commands::default();
        kit::menu_keys(&ctx);
        self.context_menu(&ctx);
        if ctx.input(|input| input.events.contains(&egui::Event::WindowFocused(true))) {
            // The user may have changed a program meanwhile.
            self.document.look_at_files_again();
        }

        if matches!(self.over, Over::Nothing)
            && !ctx.text_edit_focused()
            && !egui::Popup::is_any_open(&ctx)
            && let Some(ask) = to_ask(
                &ctx,
                self.document.strategy().programs(),
                &mut self.asked_to_run,
            )
        {
            self.over = Over::Permission(Box::new(ask));
        }
        let blocked = !matches!(self.over, Over::Nothing)
            || self.dialogs.is_modal()
            || self.document.conflict().is_some();
        if !blocked {
            self.guide(&ctx);
            self.panels.keys(&ctx, &self.document, &mut commands);
        }
        // Panels behind a dialog get no pointer: their tooltip would cover the dialog.
        let pointer = blocked.then(|| ctx.input_mut(|input| std::mem::take(&mut input.pointer)));
        if let Some(area) = focus::area_of_focus(&ctx)
            && let Some(panel) = Panel::all().find(|panel| panel.area() == area)
        {
            self.focused = panel;
        }
        // Escape first leaves a field, a menu or a dialog; only then it stops tasks.
        let leaves =
            focus::escape_is_taken(&ctx) && ctx.input(|input| input.key_pressed(Key::Escape));
        for command in
            Command::pressed(&ctx, self.focused, self.settings.layouts.workspace, blocked)
        {
            if !(leaves && command == Command::Stop) {
                commands.push(command);
            }
        }

        let bar = |sides: i8| {
            Frame::new()
                .fill(theme.bg0)
                .inner_margin(Margin::symmetric(sides, 0))
        };
        Bar::top("menu bar")
            .exact_size(theme::MENU)
            .frame(bar(0))
            .show_separator_line(false)
            .show(ui, |ui| {
                self.menu_bar(ui, &mut commands);
            });
        Bar::bottom("status bar")
            .exact_size(theme::STATUS)
            .frame(bar(12))
            .show_separator_line(false)
            .show(ui, |ui| {
                self.status_bar(ui, &mut commands);
            });
        let edge = Margin {
            left: 8,
            right: 8,
            top: 0,
            bottom: 0,
        };
        CentralPanel::default()
            .frame(Frame::new().fill(theme.bg0).inner_margin(edge))
            .show(ui, |ui| {
                part(ui, egui::Role::Pane, "Panels");
                self.dock(ui, &mut commands);
            });
        if let Some(pointer) = pointer {
            ctx.input_mut(|input| input.pointer = pointer);
        }
        self.over(&ctx, &mut commands);
        self.dropped(&ctx, &mut commands);

        let requests = commands.take();
        if !requests.is_empty() {
            // The drawn frame is outdated.
            ctx.request_repaint();
        }
        for command in requests {
            self.apply(&ctx, command);
        }
        self.end_edit(&ctx);
        self.fit_screen(&ctx);
        self.remember(&ctx);
        self.close_only_if_kept(&ctx);
        let busy = self.document.busy().is_some();
        if let Some(screenshot) = &mut self.screenshot {
            screenshot.follow(&ctx, busy);
        }
    }
}
