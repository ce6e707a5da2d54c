//! The window itself: bars, panels, dialogs, and the one function that applies commands.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use egui::{
    CentralPanel, Context, Frame, Key, Margin, MenuBar, Panel as Bar, Rect, Role, Sense, Stroke, StrokeKind, Ui,
    ViewportBuilder, ViewportCommand, WidgetInfo, pos2, vec2,
};

use super::command::{Command, Commands, LibraryCommand, Menu, TreeCommand, VersusCommand};
use super::conflict;
use super::dialog::{Dialogs, Purpose};
use super::dock::Dock;
use super::document::{Document, OpenNow, Surroundings};
use super::fonts;
use super::icon::{Icon, icon_button};
use super::kit;
use super::layout::{Class, Layout, Panel};
use super::notice::Notices;
use super::palette::Palette;
use super::panels::{Building, Inspection, Panels};
use super::saving::{LARGE, PictureFormat, Savings};
use super::settings::{SCALES, Settings};
use super::sheet::{self, Sheet};
use super::theme::{self, Theme, ThemeChoice};
use crate::preset::default_config_dir;
use crate::search::{Tree, TreeFormat};
use crate::strategy::{Strategy, StrategyEdit};
use crate::task::TaskGroup;
use crate::words;

/// What the command line says about the window.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Folder of settings and presets; without one, the usual place of the system.
    pub config_dir: Option<PathBuf>,
    /// Instead of the saved choice, for this run.
    pub theme: Option<ThemeChoice>,
    /// Size in points at first.
    pub size: Option<[f32; 2]>,
    /// Draw, save a PNG here and close.
    pub screenshot: Option<PathBuf>,
    /// Presets, positions or records to open.
    pub files: Vec<PathBuf>,
}

/// Settings are written once they have not changed for this long.
const SAVE_AFTER: Duration = Duration::from_secs(1);
/// An empty clipboard does not answer: what is pasted later is pasted as always.
const CLIPBOARD: Duration = Duration::from_secs(2);
/// Each step of Ctrl + multiplies the scale by this.
const SCALE_STEP: f32 = 1.1;

/// Whether the first frame was drawn: before that, a panic means that the window could not be opened.
static DRAWN: AtomicBool = AtomicBool::new(false);

/// Opens the window and returns when it is closed; the error is one sentence.
pub fn run(options: Options) -> Result<(), String> {
    let [width, height] = options.size.unwrap_or([1600.0, 1000.0]);
    let native = eframe::NativeOptions {
        viewport: ViewportBuilder::default()
            .with_title("Afterstate")
            .with_app_id("afterstate")
            .with_inner_size([width, height])
            .with_min_inner_size([640.0, 480.0]),
        renderer: eframe::Renderer::Glow,
        ..Default::default()
    };
    // A missing library (libxkbcommon-x11) is a panic within the windowing crates. It is a sentence of ours instead.
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        if DRAWN.load(Ordering::Relaxed) {
            hook(info);
        }
    }));
    // Nothing is used again after a panic, so nothing half-changed can be seen.
    let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(move || {
        eframe::run_native("afterstate", native, Box::new(|cc| Ok(Box::new(App::new(&cc.egui_ctx, options)))))
    }));
    drop(std::panic::take_hook());
    match outcome {
        Ok(Ok(())) => Ok(()),
        Ok(Err(error)) => Err(no_window(&error.to_string())),
        Err(panic) => {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("unknown reason");
            if DRAWN.load(Ordering::Relaxed) {
                Err(format!("The window stopped because of a mistake in the program: {text}"))
            } else {
                Err(no_window(text))
            }
        }
    }
}

/// Why there is no window, without the source paths that the windowing crates add.
fn no_window(error: &str) -> String {
    let reason = if error.contains("neither WAYLAND_DISPLAY") {
        "there is no display (neither DISPLAY nor WAYLAND_DISPLAY is set)".to_owned()
    } else if error.contains("XOpenDisplayFailed") || error.contains("connection to X server") {
        "the X display does not answer (see DISPLAY)".to_owned()
    } else if error.contains("NoCompositor") {
        "the Wayland compositor does not answer (see WAYLAND_DISPLAY)".to_owned()
    } else if error.contains("xkbcommon") {
        "the library libxkbcommon-x11 is missing".to_owned()
    } else if error.contains("LibraryOpenError") || error.contains("libX11") {
        "the library libX11 is missing".to_owned()
    } else if error.contains("glutin") {
        "there is no OpenGL (libgl1 or libegl1 with a driver)".to_owned()
    } else {
        error.lines().next().unwrap_or_default().to_owned()
    };
    format!("The window cannot be opened: {reason}")
}

/// Everything between two frames.
pub struct App {
    document: Document,
    panels: Panels,
    notices: Notices,
    dialogs: Dialogs,
    savings: Savings,
    /// The record for which a file is asked.
    to_save: Option<Arc<Tree>>,
    /// The strategy for which a file is asked.
    to_export: Option<Arc<Strategy>>,
    /// Since when the clipboard is asked for what goes in place of the current strategy.
    pastes_over: Option<Instant>,
    over: Over,
    settings: Settings,
    saved: Settings,
    /// Whether it was said that nothing can be saved.
    said_unsaved: bool,
    /// What was open when it was last saved.
    open_then: OpenNow,
    changed: Option<Instant>,
    folder: Option<PathBuf>,
    theme_for_now: Option<ThemeChoice>,
    focused: Panel,
    layout_before_reset: Option<(Class, Layout)>,
    /// Whether Ctrl Z takes back the reset of the layout, because nothing was done since.
    reset_was_last: bool,
    class: Class,
    screenshot: Option<Screenshot>,
}

/// What lies over the panels and takes all keys.
enum Over {
    Nothing,
    Palette(Palette),
    Sheet(Sheet),
}

struct Screenshot {
    path: PathBuf,
    since: Instant,
    frames: u32,
    taken: bool,
}

impl App {
    /// Reads the settings, opens the files and dresses egui.
    pub fn new(ctx: &Context, options: Options) -> Self {
        let folder = options.config_dir.or_else(default_config_dir);
        let (settings, news) = folder.as_deref().map(Settings::load).unwrap_or_default();
        let mut notices = Notices::default();
        if let Some(news) = news {
            notices.error(news);
        }
        ctx.set_fonts(fonts::definitions());
        ctx.options_mut(|egui| {
            egui.zoom_with_keyboard = false;
            egui.quit_shortcuts.clear();
        });
        theme::install(ctx, options.theme.unwrap_or(settings.theme), settings.motion);
        ctx.set_zoom_factor(settings.scale);
        let (repaint, repaint_at_once) = (ctx.clone(), ctx.clone());
        let mut document = Document::new(Surroundings {
            // Thirty frames a second are enough for growing bars.
            wake: Arc::new(move || repaint.request_repaint_after(Duration::from_millis(33))),
            wake_at_once: Arc::new(move || repaint_at_once.request_repaint()),
            config_dir: folder.clone(),
            threads: settings.threads,
            autoplay_speed: settings.autoplay_speed,
        });
        document.restore(&mut notices);
        let mut app = Self {
            said_unsaved: false,
            open_then: document.open_now(),
            document,
            panels: Panels::default(),
            notices,
            dialogs: Dialogs::default(),
            savings: Savings::default(),
            to_save: None,
            to_export: None,
            pastes_over: None,
            over: Over::Nothing,
            saved: settings.clone(),
            settings,
            changed: None,
            folder,
            theme_for_now: options.theme,
            focused: Panel::Board,
            layout_before_reset: None,
            reset_was_last: false,
            class: Class::Wide,
            screenshot: options.screenshot.map(|path| Screenshot {
                path,
                since: Instant::now(),
                frames: 0,
                taken: false,
            }),
        };
        app.panels.inspection_mut().spawn_map = app.settings.spawn_map;
        if !options.files.is_empty() {
            app.apply(ctx, Command::OpenFiles(options.files));
        }
        app
    }

    /// Does what was asked for. The only place that changes anything.
    pub fn apply(&mut self, ctx: &Context, command: Command) {
        if let Err(reason) = self.can(&command) {
            // Escape is pressed to be safe, not to be told that nothing runs; whoever walks a tree sees where it ends.
            let walks = matches!(&command, Command::Tree(tree) if tree.walks());
            if command == Command::Stop {
                // With nothing to stop it clears the view.
                self.notices.dismiss();
            } else if !walks {
                self.notices.warn(reason);
            }
            return;
        }
        match command {
            Command::Quit => ctx.send_viewport_cmd(ViewportCommand::Close),
            Command::Open => self.ask(ctx, Purpose::Open),
            Command::SaveAs => self.ask(ctx, Purpose::SavePreset),
            Command::SaveRecord => self.ask(ctx, Purpose::SaveRecord),
            Command::ExportResults => self.ask(ctx, Purpose::ExportResults),
            Command::CopyPosition
            | Command::CopyRecord
            | Command::CopyStrategy
            | Command::Library(LibraryCommand::CopyLetters) => {
                if let Some(text) = self.document.text_to_copy(&command) {
                    ctx.copy_text(text);
                    self.notices.info(match command {
                        Command::CopyRecord => "Game record copied",
                        Command::CopyStrategy => "Strategy copied",
                        Command::Library(_) => "Letters copied",
                        _ => "Position copied",
                    });
                }
            }
            // The answer comes as `Command::Pasted`.
            Command::PastePosition | Command::PasteStrategy => {
                self.pastes_over = None;
                ctx.send_viewport_cmd(ViewportCommand::RequestPaste);
            }
            Command::Library(LibraryCommand::PasteOver) => {
                self.pastes_over = Some(Instant::now());
                ctx.send_viewport_cmd(ViewportCommand::RequestPaste);
            }
            Command::Pasted(text) if self.pastes_over.take().is_some_and(|asked| asked.elapsed() < CLIPBOARD) => {
                self.paste_over(&text);
            }

            Command::Library(command @ (LibraryCommand::RenameSelected | LibraryCommand::DeleteSelected)) => {
                self.apply(ctx, Command::ShowPanel(Panel::Library));
                self.panels.wish_of_library(&command);
                ctx.request_repaint();
            }
            Command::Library(LibraryCommand::Import) => self.ask(ctx, Purpose::ImportStrategies),
            Command::Library(LibraryCommand::Export) => self.ask_for_export(ctx, self.document.strategy()),
            Command::Library(LibraryCommand::ExportThis(strategy)) => self.ask_for_export(ctx, Arc::from(strategy)),
            Command::SaveTo(Purpose::ExportStrategy, path) => {
                let strategy = self.to_export.take().unwrap_or_else(|| self.document.strategy());
                Document::export_strategy(&strategy, &path, &mut self.notices);
            }

            Command::Theme(choice) => {
                self.settings.theme = choice;
                self.theme_for_now = None;
                theme::install(ctx, choice, self.settings.motion);
            }
            Command::Motion => {
                self.settings.motion = !self.settings.motion;
                theme::install(ctx, self.theme(), self.settings.motion);
            }
            Command::SpawnMap => {
                self.settings.spawn_map = !self.settings.spawn_map;
                self.panels.inspection_mut().spawn_map = self.settings.spawn_map;
            }
            Command::ScaleUp => self.scale(ctx, self.settings.scale * SCALE_STEP),
            Command::ScaleDown => self.scale(ctx, self.settings.scale / SCALE_STEP),
            Command::ScaleReset => self.scale(ctx, 1.0),
            Command::ShowPanel(panel) => {
                self.show_panel(panel);
                // What is dragged over a tab keeps the keys where they are.
                if !egui::DragAndDrop::has_any_payload(ctx) {
                    self.panels.give_keys(panel);
                }
            }
            Command::ShowBeside(panel) => {
                let layout = self.settings.layouts.of(self.class);
                // Not over the panel that has the keys.
                if !layout.shares_tabs(panel, self.focused) {
                    layout.show(panel);
                }
            }
            Command::ResetLayout => {
                self.layout_before_reset = Some((self.class, self.settings.layouts.reset(self.class)));
                self.reset_was_last = true;
                self.notices.info_with("Layout reset", "Undo", Command::RestoreLayout);
            }
            Command::Arrange(arrangement) => {
                self.layout_before_reset = Some((self.class, self.settings.layouts.arrange(self.class, arrangement)));
                self.reset_was_last = true;
                self.notices.info_with(arrangement.text(), "Undo", Command::RestoreLayout);
            }
            Command::RestoreLayout => self.restore_layout(),
            Command::Undo if self.reset_was_last => self.restore_layout(),

            Command::FindCommand => self.over = Over::Palette(Palette::default()),
            Command::Shortcuts => self.over = Over::Sheet(Sheet::Shortcuts),
            Command::Glossary => self.over = Over::Sheet(Sheet::Glossary),
            Command::FileFormats => self.over = Over::Sheet(Sheet::FileFormats),
            Command::About => self.over = Over::Sheet(Sheet::About),

            Command::RenameStrategy
            | Command::AddCriterion
            | Command::RowUp
            | Command::RowDown
            | Command::RemoveSelectedRow => {
                self.show_panel(Panel::Strategy);
                self.panels.wish(&command);
            }

            Command::SaveTo(Purpose::SaveTree(format), path) => self.save_tree(format, &path),
            Command::SaveTo(Purpose::SavePicture(format), path) => {
                self.apply(ctx, Command::ShowPanel(Panel::Tree));
                self.panels.want_picture(format, path);
            }

            Command::Stop
                if self.panels.stop() | self.document.tasks().stop(TaskGroup::Panel)
                    || self.savings.stop() | self.document.tasks().stop(TaskGroup::File) => {}
            Command::Tree(command)
                if !matches!(command, TreeCommand::NextDisagreement | TreeCommand::PreviousDisagreement) =>
            {
                self.apply_to_tree(ctx, command);
            }

            command => {
                self.reset_was_last = false;
                self.document.apply(&command, &mut self.notices);
                self.settings.autoplay_speed = self.document.autoplay_speed();
                self.settings.threads = self.document.threads();
                // The answer to a test is in the table.
                if command == Command::Versus(VersusCommand::TestAgainstPrevious) {
                    self.apply(ctx, Command::ShowPanel(Panel::Results));
                }
            }
        }
    }

    /// Brings a panel to the front and gives it the keys that belong to panels.
    fn show_panel(&mut self, panel: Panel) {
        self.settings.layouts.of(self.class).show(panel);
        self.focused = panel;
    }

    /// What is done with the search tree: by its panels, or by a dialog that asks for a file first.
    fn apply_to_tree(&mut self, ctx: &Context, command: TreeCommand) {
        match command {
            TreeCommand::Save(format) => return self.ask_for_tree(ctx, format),
            TreeCommand::SavePng => return self.ask(ctx, Purpose::SavePicture(PictureFormat::Png)),
            TreeCommand::SaveSvg => return self.ask(ctx, Purpose::SavePicture(PictureFormat::Svg)),
            TreeCommand::CopyNode => return self.copy_node(ctx),
            _ => {}
        }
        if matches!(command, TreeCommand::Find | TreeCommand::StepThrough | TreeCommand::View(_)) {
            self.apply(ctx, Command::ShowPanel(Panel::Tree));
        }
        let mut commands = Commands::default();
        self.panels.wish_of_tree(command, &self.document, &mut commands);
        for command in commands.take() {
            self.apply(ctx, command);
        }
    }

    fn ask_for_export(&mut self, ctx: &Context, strategy: Arc<Strategy>) {
        // Another one may be on screen before the file has a name.
        self.to_export = Some(strategy);
        self.ask(ctx, Purpose::ExportStrategy);
    }

    fn paste_over(&mut self, text: &str) {
        match Strategy::read_at(text) {
            Ok(strategy) => {
                let command = Command::from(StrategyEdit::Replace(Box::new(strategy)));
                self.document.apply(&command, &mut self.notices);
            }
            Err(mistake) => {
                self.notices.error(format!("The clipboard holds no strategy: {mistake}. The strategy stays as it was"));
            }
        }
    }

    /// Asks where to write the record that is shown; a large one is announced first.
    fn ask_for_tree(&mut self, ctx: &Context, format: TreeFormat) {
        let Some(tree) = self.panels.inspection().shown().map(|shown| shown.tree.clone()) else { return };
        if let Err(reason) = tree.can_write(format) {
            self.notices.warn(reason);
            return;
        }
        let size = tree.estimated_size(format);
        if LARGE <= size {
            let nodes = words::plural(tree.kept() as u64, "node");
            self.notices.warn(format!("{nodes} will take about {} on the disk", words::bytes(size)));
        }
        // The board may move on before the file has a name.
        self.to_save = Some(tree);
        self.ask(ctx, Purpose::SaveTree(format));
    }

    fn save_tree(&mut self, format: TreeFormat, path: &Path) {
        let shown = || self.panels.inspection().shown().map(|shown| shown.tree.clone());
        let Some(tree) = self.to_save.take().or_else(shown) else { return };
        match tree.can_write(format) {
            Ok(()) => self.savings.tree(tree, format, path, self.document.wake()),
            Err(reason) => self.notices.warn(reason),
        }
    }

    fn copy_node(&mut self, ctx: &Context) {
        let inspection = self.panels.inspection();
        let Some(shown) = inspection.shown() else { return };
        ctx.copy_text(shown.tree.node(inspection.selected()).board.to_string());
        self.notices.info("Position of the node copied");
    }

    /// Whether a command makes sense now, else why not.
    pub fn can(&self, command: &Command) -> Result<(), String> {
        let (inspection, runs) = (self.panels.inspection(), self.runs());
        let judge = Judge { reset_was_last: self.reset_was_last, scale: self.settings.scale, inspection, runs };
        judge.can(&self.document, command)
    }

    /// Whether panels and files have something that Escape would end.
    fn runs(&self) -> bool {
        let tasks = self.document.tasks();
        let listed = [TaskGroup::Panel, TaskGroup::File].into_iter().any(|group| tasks.can_stop(group));
        listed || self.savings.is_busy() || self.panels.can_stop()
    }

    /// What the panels of the search tree agree on, for tests.
    pub fn inspection(&self) -> &Inspection {
        self.panels.inspection()
    }

    /// What the panels of the builder agree on, for tests.
    pub fn building(&self) -> &Building {
        self.panels.building()
    }

    pub fn notices(&self) -> &Notices {
        &self.notices
    }

    fn theme(&self) -> ThemeChoice {
        self.theme_for_now.unwrap_or(self.settings.theme)
    }

    fn scale(&mut self, ctx: &Context, scale: f32) {
        // To whole percents, so that up and down meet again at 100 %.
        let percent = (scale * 100.0).round() / 100.0;
        let percent = if (percent - 1.0).abs() < 0.02 { 1.0 } else { percent };
        self.settings.scale = percent.clamp(*SCALES.start(), *SCALES.end());
        ctx.set_zoom_factor(self.settings.scale);
    }

    fn restore_layout(&mut self) {
        self.reset_was_last = false;
        if let Some((class, layout)) = self.layout_before_reset.take() {
            self.settings.layouts.restore(class, layout);
        }
    }

    fn ask(&mut self, ctx: &Context, purpose: Purpose) {
        let folder = self.folder.as_deref().map_or_else(PathBuf::new, |folder| folder.join("presets"));
        let folder = if folder.is_dir() { folder } else { std::env::current_dir().unwrap_or(folder) };
        let (folder, name) = match purpose {
            Purpose::SaveTree(format) => (documents(folder), self.name_of_tree(format.ending())),
            Purpose::SavePicture(format) => (documents(folder), self.name_of_tree(format.ending())),
            Purpose::ExportStrategy => (documents(folder), self.name_of_export()),
            Purpose::ImportStrategies => (documents(folder), String::new()),
            purpose => (folder, self.document.file_name(purpose)),
        };
        self.dialogs.ask(ctx, purpose, &folder, &name);
    }

    fn name_of_export(&self) -> String {
        let label =
            self.to_export.as_ref().map_or_else(|| self.document.strategy().label(), |strategy| strategy.label());
        crate::preset::file_of(&label)
    }

    fn name_of_tree(&self, ending: &str) -> String {
        format!("{}.{ending}", self.panels.inspection().file_stem())
    }

    fn menu_bar(&mut self, ui: &mut Ui, commands: &mut Commands) {
        let style = |style: &mut egui::Style| {
            egui::containers::menu::menu_style(style);
            style.spacing.button_padding = vec2(8.0, 2.0);
            style.spacing.item_spacing = vec2(0.0, 1.0);
            style.spacing.interact_size.y = theme::HIT;
        };
        let config = egui::containers::menu::MenuConfig::new().style(egui::style::StyleModifier::new(style));
        MenuBar::new().config(config).style(egui::style::StyleModifier::new(style)).ui(ui, |ui| {
            ui.add_space(theme::SPACE_L);
            ui.label(egui::RichText::new("Afterstate").font(theme::strong()));
            ui.add_space(theme::SPACE_M);
            for menu in Menu::ALL {
                ui.menu_button(menu.text(), |ui| {
                    ui.set_min_width(220.0);
                    // A long menu scrolls in a small window.
                    let most = ui.ctx().content_rect().height() - theme::MENU - 24.0;
                    egui::ScrollArea::vertical().max_height(most).min_scrolled_height(most).show(ui, |ui| {
                        for command in Command::all().iter().filter(|command| command.menu() == Some(menu)) {
                            self.menu_row(ui, command, commands);
                        }
                    });
                });
            }
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                ui.add_space(theme::SPACE_M);
                let clicked = if self.class == Class::Wide {
                    search_field(ui)
                } else {
                    icon_button(ui, Icon::Search, "Find a command", &Command::FindCommand.tooltip()).clicked()
                };
                if clicked {
                    commands.push(Command::FindCommand);
                }
            });
        });
    }

    fn menu_row(&self, ui: &mut Ui, command: &Command, commands: &mut Commands) {
        if command.begins_group() {
            ui.separator();
        }
        let on = match command {
            Command::Theme(choice) => *choice == self.theme(),
            Command::Motion => self.settings.motion,
            Command::SpawnMap => self.settings.spawn_map,
            _ => false,
        };
        let keys = if on { "✓".to_owned() } else { command.keys().unwrap_or_default() };
        let state = self.can(command);
        let button = egui::Button::new(command.text()).shortcut_text(keys);
        let response = ui.add_enabled(state.is_ok(), button);
        let response = match state {
            Ok(()) => response.on_hover_text(command.about()),
            Err(reason) => response.on_disabled_hover_text(reason),
        };
        if response.clicked() {
            commands.push(command.clone());
            ui.close();
        }
    }

    fn status_bar(&self, ui: &mut Ui) {
        let theme = Theme::of(ui);
        let status = self.document.status();
        ui.spacing_mut().item_spacing.x = theme::SPACE_L;
        ui.horizontal_centered(|ui| {
            let (lamp, response) = ui.allocate_exact_size(vec2(8.0, theme::STATUS), Sense::hover());
            response.widget_info(|| WidgetInfo::labeled(Role::Image, true, "Lamp: lit while cores work"));
            let panels = self.panels.busy();
            let busy: Vec<String> = status.busy.into_iter().chain(panels).chain(self.savings.busy()).collect();
            let busy = busy.join(" · ");
            if !busy.is_empty() {
                ui.painter().circle_filled(lamp.center(), 4.0, theme.warn);
            } else {
                ui.painter().circle_stroke(lamp.center(), 3.5, Stroke::new(1.5, theme.text3));
            }
            ui.add_space(-theme::SPACE_M);
            let small = |text: &str| egui::RichText::new(text).small().color(theme.text2);
            ui.label(small(if busy.is_empty() { "Idle" } else { &busy }));
            // Always there, so that a screen reader hears when the words change.
            let said = self.panels.building().announcement.as_deref().unwrap_or_default();
            let live = ui.label(egui::RichText::new(said).small().color(theme.text1));
            ui.ctx().accesskit_node_builder(live.id, |node| node.set_live(egui::accesskit::Live::Polite));
            if said.is_empty() {
                for words in &status.left {
                    ui.label(small(words));
                }
            }
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                ui.label(small(self.theme().text()));
                if (self.settings.scale - 1.0).abs() > f32::EPSILON {
                    ui.label(small(&format!("{:.0} %", self.settings.scale * 100.0)));
                }
                for words in status.right.iter().rev() {
                    ui.add(egui::Label::new(small(words)).truncate());
                }
            });
        });
    }

    fn dock(&mut self, ui: &mut Ui, commands: &mut Commands) {
        let layout = self.settings.layouts.of(self.class);
        layout.fit(ui.available_size());
        self.panels.follow(&self.document, layout.shown());
        let mut dock = Dock::new(&mut self.panels, &self.document, commands, &mut self.focused);
        layout.tree.ui(&mut dock, ui);
        self.panels.hold(ui, &self.document, commands);
        // Keys go to a panel that can be seen.
        if !layout.shows(self.focused)
            && let Some(panel) = Panel::ALL.into_iter().find(|&panel| layout.shows(panel))
        {
            self.focused = panel;
        }
    }

    fn over(&mut self, ctx: &Context, commands: &mut Commands) {
        let (inspection, runs) = (self.panels.inspection(), self.runs());
        let judge = Judge { reset_was_last: self.reset_was_last, scale: self.settings.scale, inspection, runs };
        let open = match &mut self.over {
            Over::Nothing => true,
            Over::Palette(palette) => {
                palette.show(ctx, &self.document, |doc, command| judge.can(doc, command), commands)
            }
            Over::Sheet(sheet) => sheet::show(ctx, *sheet),
        };
        if !open {
            self.over = Over::Nothing;
        }
        conflict::show(ctx, &self.document, commands);
        if let Some((purpose, paths)) = self.dialogs.show(ctx) {
            match purpose {
                Purpose::Open => commands.push(Command::OpenFiles(paths)),
                Purpose::ImportStrategies => commands.push(Command::Library(LibraryCommand::Take(paths))),
                purpose => paths.into_iter().for_each(|path| commands.push(Command::SaveTo(purpose, path))),
            }
        }
    }

    /// Files dragged onto the window: a veil while they hover, opened when they fall.
    fn dropped(&self, ctx: &Context, commands: &mut Commands) {
        let (hovering, dropped) = ctx.input(|input| {
            let paths: Vec<PathBuf> = input.raw.dropped_files.iter().map(|file| file.path().to_owned()).collect();
            (!input.raw.hovered_files.is_empty(), paths)
        });
        if !dropped.is_empty() {
            commands.push(Command::OpenFiles(dropped));
        }
        if hovering {
            let layer = egui::LayerId::new(egui::Order::Foreground, egui::Id::unique("drop veil"));
            let painter = ctx.layer_painter(layer);
            let theme = Theme::of_visuals(&ctx.global_style().visuals);
            let rect = ctx.content_rect().shrink(theme::PAD);
            painter.rect_filled(rect, theme::RADIUS_M, theme.bg1.gamma_multiply(theme::DRAG_GHOST_ALPHA));
            painter.rect_stroke(rect, theme::RADIUS_M, Stroke::new(2.0, theme.accent), StrokeKind::Inside);
            let font = egui::TextStyle::Heading.resolve(&ctx.global_style());
            let words =
                "Drop to open presets, strategies, positions or game records; onto the library to keep strategies";
            painter.text(rect.center(), egui::Align2::CENTER_CENTER, words, font, theme.text1);
        }
    }

    /// Writes the settings once they rest, and not while something is dragged.
    fn remember(&mut self, ctx: &Context) {
        if self.screenshot.is_some() || (self.settings == self.saved && self.document.open_now() == self.open_then) {
            self.changed = None;
            return;
        }
        let since = *self.changed.get_or_insert_with(Instant::now);
        if SAVE_AFTER <= since.elapsed() && !ctx.input(|input| input.pointer.any_down()) {
            self.save();
        } else {
            ctx.request_repaint_after(SAVE_AFTER);
        }
    }

    fn save(&mut self) {
        self.changed = None;
        let open_now = self.document.open_now();
        if open_now != self.open_then {
            self.open_then = open_now;
            if let Some(folder) = &self.folder
                && let Err(error) = self.document.session().save(folder)
            {
                self.cannot_save(&error);
            }
        }
        if self.settings == self.saved {
            return;
        }
        self.saved = self.settings.clone();
        if let Some(folder) = &self.folder
            && let Err(error) = self.settings.save(folder)
        {
            self.cannot_save(&error);
        }
    }

    /// Says once that nothing can be kept: the same failure at every change would bury everything else.
    fn cannot_save(&mut self, error: &str) {
        if !std::mem::replace(&mut self.said_unsaved, true) {
            self.notices.error(format!("Layout, strategies and settings will not be kept: {error}"));
        }
    }

    fn take_screenshot(&mut self, ctx: &Context) {
        let busy = self.document.status().busy.is_some();
        let Some(shot) = &mut self.screenshot else { return };
        ctx.request_repaint();
        shot.frames += 1;
        // Fonts and layout need some frames, a first experiment some seconds.
        let waited = shot.since.elapsed();
        let settled = 8 <= shot.frames && Duration::from_millis(400) < waited && !busy;
        if shot.taken || !(settled || Duration::from_secs(30) < waited) {
            return;
        }
        shot.taken = true;
        let (path, ctx_after) = (shot.path.clone(), ctx.clone());
        ctx.request_screenshot(move |picture| {
            if let Err(error) = write_png(&path, &picture) {
                eprintln!("The picture cannot be saved as {}: {error}", path.display());
            }
            ctx_after.send_viewport_cmd(ViewportCommand::Close);
            ctx_after.request_repaint();
        });
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
            // The game and the colours change too often to be written each time.
            if let Some(folder) = &self.folder {
                let _ = self.document.session().save(folder);
            }
        }
    }
}

impl App {
    /// Reads what workers have found and plays due moves; once before each frame, also while the window is hidden.
    pub fn poll(&mut self, ctx: &Context) {
        for (drawn, path) in self.panels.pictures() {
            match drawn {
                Ok(drawn) => self.savings.picture(drawn, &path, self.document.wake()),
                Err(reason) => self.notices.error(reason),
            }
        }
        self.savings.poll(&mut self.notices);
        let writing = self.savings.is_busy().then_some(Duration::from_millis(200));
        let polled = self.document.poll(&mut self.notices);
        let told = self.document.tasks().changes_in();
        let waits = [polled, self.panels.inspection().repaint_after(), writing, told];
        if let Some(wait) = waits.into_iter().flatten().min() {
            ctx.request_repaint_after(wait);
        }
    }

    /// What is open, for tests.
    pub fn document(&self) -> &Document {
        &self.document
    }

    /// Draws a frame and does what was asked for in it.
    pub fn show(&mut self, ui: &mut Ui) {
        DRAWN.store(true, Ordering::Relaxed);
        let ctx = ui.ctx().clone();
        self.class = Class::of_width(ctx.content_rect().width());
        let theme = Theme::of(ui);
        let mut commands = Commands::default();

        let blocked =
            !matches!(self.over, Over::Nothing) || self.dialogs.is_modal() || self.document.conflict().is_some();
        if !blocked {
            self.panels.keys(&ctx, &self.document, &mut commands);
        }
        // Escape first leaves a field, a menu or a dialog; only then it stops what runs.
        let leaves = ctx.egui_wants_keyboard_input() && ctx.input(|input| input.key_pressed(Key::Escape));
        for command in Command::pressed(&ctx, self.focused, blocked) {
            if !(leaves && command == Command::Stop) {
                commands.push(command);
            }
        }

        let bar = |sides: i8| Frame::new().fill(theme.bg0).inner_margin(Margin::symmetric(sides, 0));
        Bar::top("menu bar").exact_size(theme::MENU).frame(bar(0)).show_separator_line(false).show(ui, |ui| {
            self.menu_bar(ui, &mut commands);
        });
        Bar::bottom("status bar").exact_size(theme::STATUS).frame(bar(12)).show_separator_line(false).show(ui, |ui| {
            self.status_bar(ui);
        });
        let edge = Margin { left: 4, right: 4, top: 0, bottom: 0 };
        CentralPanel::default().frame(Frame::new().fill(theme.bg0).inner_margin(edge)).show(ui, |ui| {
            self.dock(ui, &mut commands);
        });
        self.over(&ctx, &mut commands);
        self.dropped(&ctx, &mut commands);
        if !self.panels.is_picture_wanted() {
            self.notices.show(&ctx, &mut commands);
        }

        let wishes = commands.take();
        if !wishes.is_empty() {
            // What was drawn is old now.
            ctx.request_repaint();
        }
        for command in wishes {
            self.apply(&ctx, command);
        }
        self.remember(&ctx);
        self.take_screenshot(&ctx);
    }
}

/// Says whether a command makes sense; commands of the window are judged here, the others by the document.
#[derive(Clone, Copy)]
struct Judge<'a> {
    reset_was_last: bool,
    scale: f32,
    inspection: &'a Inspection,
    /// Whether a panel is at work, or a file is being written.
    runs: bool,
}

impl Judge<'_> {
    fn can(self, doc: &Document, command: &Command) -> Result<(), String> {
        match command {
            Command::Undo if self.reset_was_last => Ok(()),
            Command::Stop if self.runs => Ok(()),
            Command::Tree(tree) => {
                self.inspection.can(*tree).map_err(str::to_owned)?;
                doc.can(command).map_err(std::borrow::Cow::into_owned)
            }
            Command::ScaleUp if *SCALES.end() <= self.scale => Err("This is the largest scale".to_owned()),
            Command::ScaleDown if self.scale <= *SCALES.start() => Err("This is the smallest scale".to_owned()),
            Command::Open
            | Command::Quit
            | Command::FindCommand
            | Command::PastePosition
            | Command::PasteStrategy
            | Command::Library(LibraryCommand::PasteOver)
            | Command::Theme(_)
            | Command::ScaleUp
            | Command::ScaleDown
            | Command::ScaleReset
            | Command::Motion
            | Command::SpawnMap
            | Command::SetAutoplaySpeed(_)
            | Command::SetThreads(_)
            | Command::ShowPanel(_)
            | Command::ShowBeside(_)
            | Command::ResetLayout
            | Command::Arrange(_)
            | Command::RestoreLayout
            | Command::Shortcuts
            | Command::FileFormats
            | Command::About => Ok(()),
            command => doc.can(command).map_err(std::borrow::Cow::into_owned),
        }
    }
}

/// The wide form of the search button: looks like a field, opens the search.
fn search_field(ui: &mut Ui) -> bool {
    let theme = Theme::of(ui);
    let (rect, response) = ui.allocate_exact_size(vec2(236.0, theme::CHIP), Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, "Find a command"));
    let hot = response.hovered() || response.has_focus();
    ui.painter().rect_filled(rect, theme::RADIUS_S, if hot { theme.bg4 } else { theme.bg2 });
    ui.painter().rect_stroke(rect, theme::RADIUS_S, Stroke::new(1.0, theme.line), StrokeKind::Inside);
    if response.has_focus() {
        kit::focus_ring(ui, rect);
    }
    Icon::Search.paint(ui.painter(), pos2(rect.left() + 15.0, rect.center().y), theme.text2);
    let words = ui.painter().layout_no_wrap("Find a command".to_owned(), theme::body(), theme.text3);
    let at = pos2(rect.left() + 28.0, rect.center().y - words.size().y / 2.0);
    ui.painter().galley(at, words, theme.text3);
    let keys =
        ui.painter().layout_no_wrap(Command::FindCommand.keys().unwrap_or_default(), theme::small(), theme.text3);
    let cap = Rect::from_min_max(
        pos2(rect.right() - keys.size().x - 13.0, rect.top() + 3.0),
        pos2(rect.right() - 5.0, rect.bottom() - 3.0),
    );
    ui.painter().rect_stroke(cap, 3, Stroke::new(1.0, theme.sep), StrokeKind::Inside);
    ui.painter().galley(cap.center() - keys.size() / 2.0, keys, theme.text3);
    response.on_hover_text(Command::FindCommand.tooltip()).clicked()
}

/// Where people keep what they made; else this folder.
fn documents(otherwise: PathBuf) -> PathBuf {
    let user = directories::UserDirs::new();
    let folder = user.as_ref().map(|user| user.document_dir().unwrap_or(user.home_dir()));
    folder.filter(|folder| folder.is_dir()).map_or(otherwise, Path::to_owned)
}

fn write_png(path: &Path, picture: &Arc<egui::ColorImage>) -> Result<(), image::ImageError> {
    let [width, height] = picture.size;
    let bytes: Vec<u8> = picture.pixels.iter().flat_map(egui::Color32::to_array).collect();
    // Always PNG, whatever the name ends with.
    image::save_buffer_with_format(
        path,
        &bytes,
        width as u32,
        height as u32,
        image::ColorType::Rgba8,
        image::ImageFormat::Png,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_display_is_one_sentence_without_paths() {
        let raw = "winit EventLoopError: os error at /root/.cargo/registry/src/x.rs:765: neither WAYLAND_DISPLAY nor \
            WAYLAND_SOCKET nor DISPLAY is set.";
        let sentence = no_window(raw);
        assert!(sentence.contains("no display") && !sentence.contains(".cargo"));
        assert!(no_window("Library libxkbcommon-x11.so could not be loaded.").contains("libxkbcommon-x11 is missing"));
    }
}
