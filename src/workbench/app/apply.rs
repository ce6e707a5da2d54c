//! Applies commands: the document changes data, the window changes the view.

use std::path::{Path, PathBuf};

use egui::{Context, ViewportCommand};

use super::command_search::CommandSearch;
use super::contrast;
use super::figure::FigureDialog;
use super::naming::Naming;
use super::permission::Permission;
use super::rolling::Rolling;
use super::start_here::StartHere;
use super::which_board::WhichBoard;
use super::window::{App, Over};
use crate::preset::file_stem;
use crate::search::TreeFormat;
use crate::task::TaskGroup;
use crate::words;
use crate::workbench::command::{
    Command, Commands, FileCommand, Panel, PictureFormat, PracticeCommand, Purpose,
    SelectionCommand, StrategyCommand, TreeCommand, ViewCommand, Workspace,
};
use crate::workbench::kit::{self, focus};
use crate::workbench::panels::figure::{Figure, OnScreen};
use crate::workbench::state::change::stopped;
use crate::workbench::state::copying::Copying;
use crate::workbench::state::effect::{Effect, Effects, Level, Notice};
use crate::workbench::state::figure::FigureOptions;
use crate::workbench::state::layout::Layout;
use crate::workbench::state::saving::LARGE;
use crate::workbench::state::settings::SCALES;
use crate::workbench::theme;

/// Each step of Ctrl + multiplies the scale by this.
const SCALE_STEP: f32 = 1.1;
/// Maximum length of the history of workspaces for Back.
const MOST_STEPS_BACK: usize = 64;

impl App {
    pub fn can(&self, command: &Command) -> Result<(), String> {
        match command {
            Command::Undo if self.reset_was_last => Ok(()),
            Command::View(ViewCommand::Back) if self.trail.is_empty() => {
                Err("There is no previous workspace".to_owned())
            }
            Command::View(ViewCommand::ClosePanel(_))
                if !self.settings.layouts.can_close(self.class) =>
            {
                Err("A workspace has at least one panel".to_owned())
            }
            Command::Stop if self.runs() => Ok(()),
            Command::Tree(command) => self
                .panels
                .walked(*command)
                .can(*command)
                .map_err(str::to_owned),
            Command::View(ViewCommand::Larger) if *SCALES.end() <= self.settings.scale => {
                Err("This is the largest scale".to_owned())
            }
            Command::View(ViewCommand::Smaller) if self.settings.scale <= *SCALES.start() => {
                Err("This is the smallest scale".to_owned())
            }
            command => self
                .document
                .can(command)
                .map_err(std::borrow::Cow::into_owned),
        }
    }

    /// Whether panels or files have something that Escape would stop.
    fn runs(&self) -> bool {
        let tasks = self.document.tasks();
        let listed = [TaskGroup::Panel, TaskGroup::File]
            .into_iter()
            .any(|group| tasks.can_stop(group));
        listed || self.panels.can_pause()
    }

    /// Applies a command. Nothing else changes the state.
    pub fn apply(&mut self, ctx: &Context, command: impl Into<Command>) {
        let mut command = command.into();
        // Without a filter there are no matches: open the filter box first.
        if matches!(
            command,
            Command::Tree(TreeCommand::NextMatch | TreeCommand::PreviousMatch)
        ) && !self.panels.inspection.filter.is_on()
        {
            command = TreeCommand::Find.into();
        }

        // At the start of its history, the tree leaves the key to the history of workspaces.
        let ends_in_tree = command == TreeCommand::Back.into() && self.can(&command).is_err();
        if ends_in_tree && self.can(&ViewCommand::Back.into()).is_ok() {
            command = ViewCommand::Back.into();
        }

        if let Err(reason) = self.can(&command) {
            if command == Command::Stop {
                // With nothing to stop it clears the messages.
                self.notices.dismiss();
            } else if !is_walk(&command) {
                let action = self.document.remedy(&reason);
                self.notices.push(Notice {
                    level: Level::Warn,
                    text: reason,
                    action,
                });
            }
            return;
        }

        match command {
            Command::View(command) => self.apply_to_view(ctx, command),
            Command::Tree(command) => self.apply_to_tree(ctx, command),
            Command::Selection(command) => self.apply_to_selection(ctx, command),
            Command::File(FileCommand::SaveTo(Purpose::SaveTree(format), path)) => {
                self.save_tree(format, &path);
            }
            Command::File(FileCommand::SaveTo(Purpose::SaveFigure(panel, format), path)) => {
                self.save_figure(ctx, panel, format, &path);
            }
            Command::File(FileCommand::SaveTo(Purpose::SaveReview(format), path)) => {
                let document = &self.document;
                let title = match &*document.game().title {
                    "" => format!(
                        "Game {}, seed {}",
                        document.game().index,
                        document.game().seed
                    ),
                    title => title.to_owned(),
                };
                match document.review_with_notes() {
                    Some(reviewed) => {
                        self.savings
                            .review(reviewed, title, format, &path, document.tasks());
                    }
                    None => self.notices.say(Level::Warn, "Review the game first"),
                }
            }
            Command::File(FileCommand::SaveTo(Purpose::SaveGames(format), path)) => {
                match self.document.more_reviews().games() {
                    Some(games) => {
                        self.savings
                            .games(games.clone(), format, &path, self.document.tasks());
                    }
                    None => self.notices.say(Level::Warn, "No games are reviewed yet"),
                }
            }
            Command::File(FileCommand::SaveTo(Purpose::ExportResults, path)) => {
                match self.document.results_elsewhere() {
                    Some(results) => self.savings.results(results, &path, self.document.tasks()),
                    None => self.notices.say(Level::Warn, "There are no results yet"),
                }
            }
            Command::File(FileCommand::CopyResults(format)) => {
                match self.document.results_to_copy() {
                    Some(copied) => self.copying.begin(copied, format, self.document.tasks()),
                    None => self.notices.say(Level::Warn, "There are no results yet"),
                }
            }
            Command::Undo if self.reset_was_last => self.restore_layout(),
            Command::Stop if self.stop_beside_board() => {}
            command => {
                let exports = matches!(
                    &command,
                    Command::File(FileCommand::SaveTo(Purpose::ExportStrategy, _))
                );
                let effects = self.document.apply(&command);
                // Exports of a strategy and requests for files or the clipboard change nothing here.
                self.reset_was_last &= exports || effects.is_question();
                self.settings.autoplay_speed = self.document.autoplay_speed();
                self.settings.threads = self.document.threads();
                self.settings.record_cap = self.document.record_cap();
                self.settings.search_threads = self.document.chosen_search_threads();
                self.settings.judge_in_background = self.document.judges_in_background();
                self.carry_out(ctx, effects);
                if command == Command::Strategy(StrategyCommand::New) {
                    // To its empty stack, wherever the focus was in the panel.
                    focus::enter_home(ctx, Panel::Strategy.area());
                }
                if matches!(
                    command,
                    Command::Practice(PracticeCommand::Game | PracticeCommand::Book)
                ) {
                    // From now on keys answer.
                    focus::enter_home(ctx, Panel::Practice.area());
                }
            }
        }
    }

    /// Stops one task of panels or files and reports it, unless the board has something to stop first.
    fn stop_beside_board(&mut self) -> bool {
        if self.document.stops_on_board() {
            return false;
        }
        let tasks = self.document.tasks();
        let paused = self.panels.pause().map(str::to_owned);
        let stop = |group| tasks.stop(group).map(|what| stopped(&what));
        let what = paused
            .or_else(|| stop(TaskGroup::Panel))
            .or_else(|| stop(TaskGroup::File));
        what.map(|what| self.notices.say(Level::Info, what))
            .is_some()
    }

    pub(super) fn carry_out(&mut self, ctx: &Context, effects: Effects) {
        for effect in effects.list {
            match effect {
                Effect::Notice(notice) => self.notices.push(notice),
                Effect::Copy(text) => {
                    // The latest copy wins.
                    self.copying = Copying::default();
                    ctx.copy_text(text);
                }
                Effect::Paste => ctx.send_viewport_cmd(ViewportCommand::RequestPaste),
                Effect::EnterValues => self.panels.enter_values(&self.document),
                Effect::AskForFile(purpose, name) => self.ask(ctx, purpose, &name),
                Effect::AskForTitle(title) => self.over = Over::Naming(Naming::new(&title)),
                Effect::AskHowToRollOut => self.over = Over::Rolling(Rolling::new(&self.document)),
                Effect::AskToRun(request) => {
                    self.over = Over::Permission(Box::new(Permission::new(request)));
                }
                Effect::AskWhichBoard(text) => match &mut self.over {
                    Over::WhichBoard(dialog) => dialog.add(text),
                    over => *over = Over::WhichBoard(WhichBoard::new(text)),
                },
                Effect::Allowed(fingerprint) => {
                    let programs = &mut self.settings.allowed_programs;
                    programs.retain(|other| !other.is_of_same_command(&fingerprint));
                    programs.push(fingerprint);
                }
                Effect::GoTo(workspace, panel) => {
                    self.apply(ctx, ViewCommand::Workspace(workspace));
                    self.apply(ctx, ViewCommand::ShowPanel(panel));
                }
                Effect::ShowPanel(panel) => {
                    if panel == Panel::Tree {
                        // A request for the tree of a position closes an opened file.
                        self.panels.inspection.close_file();
                    }
                    self.apply(ctx, ViewCommand::ShowPanel(panel));
                }
                Effect::OpenTree(path) => {
                    self.panels
                        .inspection
                        .open_file(&path, self.document.tasks());
                    self.apply(ctx, ViewCommand::ShowPanel(Panel::Tree));
                }
                Effect::SelectRow { row, unfolds } => {
                    self.panels.select_row(row, unfolds, &self.document);
                }
            }
        }
    }

    fn apply_to_view(&mut self, ctx: &Context, command: ViewCommand) {
        match command {
            ViewCommand::Quit => ctx.send_viewport_cmd(ViewportCommand::Close),
            ViewCommand::MenuBar => kit::toggle_menu_bar(ctx),
            ViewCommand::ContextMenu => {
                if kit::ask_context_menu(ctx) {
                    self.context_asked = Some(ctx.cumulative_pass_nr());
                } else {
                    self.open_panel_menu(ctx);
                }
            }
            ViewCommand::FindCommand => self.over = Over::Search(CommandSearch::of(&self.document)),
            ViewCommand::Help(sheet) => self.over = Over::Help(sheet),
            ViewCommand::StartHere => {
                self.go_to_workspace(ctx, Workspace::Overview);
                self.show_panel(Panel::Tree);
                self.start_here = StartHere::Choices { is_focused: false };
            }
            ViewCommand::Theme(choice) => {
                self.settings.theme = choice;
                self.theme_for_now = None;
                theme::install(ctx, choice, contrast::is_asked_for, self.settings.motion);
            }
            ViewCommand::Motion => {
                self.settings.motion = !self.settings.motion;
                theme::install(
                    ctx,
                    self.theme(),
                    contrast::is_asked_for,
                    self.settings.motion,
                );
            }
            ViewCommand::SpawnMap => {
                self.settings.spawn_map = !self.settings.spawn_map;
                self.panels.inspection.spawn_map = self.settings.spawn_map;
            }
            ViewCommand::Figure(panel) => {
                let panel = panel.unwrap_or(self.focused);
                let screen = self.on_screen(ctx, panel);
                self.over = Over::Figure(Box::new(FigureDialog::new(
                    panel,
                    &self.settings.figure,
                    screen,
                )));
            }
            ViewCommand::Larger => self.scale(ctx, self.settings.scale * SCALE_STEP),
            ViewCommand::Smaller => self.scale(ctx, self.settings.scale / SCALE_STEP),
            ViewCommand::ActualSize => self.scale(ctx, 1.0),
            ViewCommand::Workspace(workspace) => self.go_to_workspace(ctx, workspace),
            ViewCommand::Back => {
                if let Some((workspace, panel)) = self.trail.pop() {
                    self.settings.layouts.workspace = workspace;
                    let has_it = self.settings.layouts.of(self.class).has(panel);
                    self.focused = self.panel_to_begin_with(workspace);
                    if has_it {
                        self.show_panel(panel);
                    }
                    focus::enter(ctx, self.focused.area());
                }
            }
            ViewCommand::ClosePanel(panel) => {
                let before = self.settings.layouts.of(self.class).clone();
                if self.settings.layouts.of(self.class).close(panel) {
                    self.arranged(before, format!("{} is closed", panel.title()));
                }
            }
            ViewCommand::ShowPanel(panel) => {
                self.show_panel(panel);
                // A drag over a tab, or a drag by keys, keeps the focus.
                if !egui::DragAndDrop::has_any_payload(ctx)
                    && self.panels.building.drag.key.is_none()
                {
                    focus::enter(ctx, panel.area());
                }
            }
            ViewCommand::NextPanel => self.next_panel(ctx, 1),
            ViewCommand::PreviousPanel => self.next_panel(ctx, -1),
            ViewCommand::ShowBeside(panel) => {
                let layout = self.settings.layouts.of(self.class);
                // Not in front of the focused panel.
                if layout.has(panel) && !layout.shares_tabs(panel, self.focused) {
                    layout.show(panel, panel);
                }
            }
            ViewCommand::PanelMenu => self.open_panel_menu(ctx),
            ViewCommand::Dock(panel, place, beside) => {
                let before = self.settings.layouts.of(self.class).clone();
                if self
                    .settings
                    .layouts
                    .of(self.class)
                    .dock(panel, place, beside)
                {
                    let place = place.text().to_lowercase();
                    self.arranged(
                        before,
                        format!("{} is {place} {}", panel.title(), beside.title()),
                    );
                    self.apply(ctx, ViewCommand::ShowPanel(panel));
                }
            }
            ViewCommand::ResetWorkspace => {
                let before = self.settings.layouts.reset(self.class);
                self.arranged(
                    before,
                    format!("{} was reset", self.settings.layouts.workspace.title()),
                );
            }
            ViewCommand::RestoreLayout => self.restore_layout(),
        }
    }

    /// Passes a command to the panel that owns the selection; the panel runs it when it is drawn.
    fn apply_to_selection(&mut self, ctx: &Context, command: SelectionCommand) {
        use SelectionCommand as C;
        match command {
            C::RenameKept | C::DeleteKept => {
                self.apply(ctx, ViewCommand::ShowPanel(Panel::Library));
                ctx.request_repaint();
            }
            C::ContestantUp | C::ContestantDown | C::RemoveContestant => {
                self.show_panel(Panel::Experiment);
            }
            C::Baseline => self.show_panel(Panel::Results),
            C::FindRun
            | C::OpenRun
            | C::PinRun
            | C::UnpinRuns
            | C::DescribeRun
            | C::CopyRunPath
            | C::DeleteRun => {
                self.apply(ctx, ViewCommand::ShowPanel(Panel::Runs));
            }
            C::NewTraining
            | C::HoldTraining
            | C::StopTraining
            | C::SaveTraining
            | C::TestNetwork
            | C::UseNetwork
            | C::DeleteNetwork => self.apply(ctx, ViewCommand::ShowPanel(Panel::Learning)),
            C::RenameStrategy | C::AddCriterion | C::RowUp | C::RowDown | C::RemoveRow => {
                self.show_panel(Panel::Strategy);
            }
        }

        self.panels.request_of_selection(command);
    }

    /// Opens the menu of the focused panel.
    pub(super) fn open_panel_menu(&mut self, ctx: &Context) {
        self.context_asked = None;
        if let Some(&button) = self.panel_menus.get(&self.focused) {
            kit::open_menu(ctx, button);
        }
    }

    /// The main panel of the current workspace, or another one if it is hidden.
    fn panel_to_begin_with(&mut self, workspace: Workspace) -> Panel {
        let (main, layout) = (workspace.main(), self.settings.layouts.of(self.class));
        if layout.shows(main) {
            main
        } else {
            layout.shown().into_iter().next().unwrap_or(main)
        }
    }

    /// Switches to a workspace and focuses its main panel. Back returns to the previous workspace.
    fn go_to_workspace(&mut self, ctx: &Context, workspace: Workspace) {
        let before = std::mem::replace(&mut self.settings.layouts.workspace, workspace);
        if before == workspace {
            return;
        }
        if MOST_STEPS_BACK <= self.trail.len() {
            self.trail.remove(0);
        }
        self.trail.push((before, self.focused));
        self.focused = self.panel_to_begin_with(workspace);
        focus::enter_panel(ctx, self.focused.area());
    }

    /// Brings a panel to the front and makes it the focused panel.
    pub(super) fn show_panel(&mut self, panel: Panel) {
        self.settings
            .layouts
            .of(self.class)
            .show(panel, self.focused);
        self.focused = panel;
    }

    /// Focuses the panel `places` further, in order from left to right and from top to bottom.
    fn next_panel(&mut self, ctx: &Context, places: isize) {
        let layout = self.settings.layouts.of(self.class);
        let mut shown: Vec<(egui::Pos2, Panel)> = layout
            .shown()
            .into_iter()
            .filter_map(|panel| Some((layout.rect_of(panel)?.min, panel)))
            .collect();
        shown.sort_by(|(a, _), (b, _)| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
        let Some(here) = shown.iter().position(|&(_, panel)| panel == self.focused) else {
            return;
        };
        let there = (here as isize + places).rem_euclid(shown.len() as isize) as usize;
        self.apply(ctx, ViewCommand::ShowPanel(shown[there].1));
    }

    /// Runs a command of the search tree: in its panels, or after a file dialog.
    fn apply_to_tree(&mut self, ctx: &Context, command: TreeCommand) {
        match command {
            TreeCommand::Save(format) => self.ask_for_tree(ctx, format),
            TreeCommand::CopyNode => self.copy_node(ctx),
            TreeCommand::OpenFile => self.ask(ctx, Purpose::Open, ""),
            TreeCommand::TakeBack => {
                let effects = self
                    .document
                    .take_back_search(self.panels.inspection.before_searched_on());
                self.carry_out(ctx, effects);
            }
            command => {
                // If the panel is focused already, the focus stays, possibly in the filter.
                let is_there =
                    self.focused == Panel::Tree && matches!(command, TreeCommand::View(_));
                let shows = matches!(
                    command,
                    TreeCommand::Find | TreeCommand::StepThrough | TreeCommand::View(_)
                );
                if shows && !is_there {
                    self.apply(ctx, ViewCommand::ShowPanel(Panel::Tree));
                }
                let mut commands = Commands::default();
                self.panels.focused = Some(self.focused);
                self.panels
                    .request_of_tree(command, &self.document, &mut commands);
                for command in commands.take() {
                    self.apply(ctx, command);
                }
            }
        }
    }

    /// Requests a file for the shown record; warns before a large one.
    fn ask_for_tree(&mut self, ctx: &Context, format: TreeFormat) {
        let Some(tree) = self
            .panels
            .inspection
            .shown()
            .map(|shown| shown.tree.clone())
        else {
            return;
        };
        if let Err(reason) = tree.can_write(format) {
            self.notices.say(Level::Warn, reason.to_string());
            return;
        }
        let size = tree.estimated_size(format);
        if LARGE <= size {
            let nodes = words::plural(tree.kept() as u64, "node");
            self.notices.say(
                Level::Warn,
                format!("{nodes} will take about {} on disk", words::bytes(size)),
            );
        }
        // The shown tree may change before the file has a name.
        self.to_save = Some(tree);
        self.ask_beside_tree(ctx, Purpose::SaveTree(format));
    }

    /// The place and memory of a panel in the window, if it is visible.
    fn on_screen(&mut self, ctx: &Context, panel: Panel) -> Option<OnScreen> {
        let layout = self.settings.layouts.of(self.class);
        let rect = layout.rect_of(panel).filter(|_| layout.shows(panel))?;
        Some(OnScreen {
            size: rect.size() - egui::Vec2::splat(2.0 * theme::PAD),
            memory: ctx.data(Clone::clone),
        })
    }

    /// Requests a file for a drawn figure.
    pub(super) fn ask_for_figure(&mut self, ctx: &Context, panel: Panel, figure: Figure) {
        let format = figure.format();
        let stem = match panel {
            Panel::Tree | Panel::Node | Panel::Why | Panel::BestPlay => {
                self.panels.inspection.file_stem()
            }
            _ => file_stem(&self.document.strategy().label()),
        };
        let name = format!("{}-{stem}.{}", file_stem(panel.title()), format.ending());
        self.to_draw = Some((panel, figure));
        self.ask(ctx, Purpose::SaveFigure(panel, format), &name);
    }

    /// Writes the figure of the dialog, or one with the last options.
    fn save_figure(&mut self, ctx: &Context, panel: Panel, format: PictureFormat, path: &Path) {
        let drawn = self
            .to_draw
            .take()
            .filter(|(own_panel, figure)| *own_panel == panel && figure.format() == format);
        let figure = drawn.map(|(_, figure)| figure).unwrap_or_else(|| {
            let options = FigureOptions {
                format,
                ..self.settings.figure.clone()
            };
            let screen = self.on_screen(ctx, panel);
            let (doc, panels) = (&self.document, &mut self.panels);
            let caption = options
                .caption
                .then(|| panels.caption(panel, doc, &options));
            panels.figure(
                panel,
                doc,
                &options,
                caption.as_deref(),
                screen.as_ref(),
                None,
            )
        });
        self.savings
            .picture(move || figure.file(), path, self.document.tasks());
    }

    /// Requests a file named after the shown search.
    fn ask_beside_tree(&mut self, ctx: &Context, purpose: Purpose) {
        let name = format!(
            "{}.{}",
            self.panels.inspection.file_stem(),
            purpose.extension().unwrap_or_default()
        );
        self.ask(ctx, purpose, &name);
    }

    fn save_tree(&mut self, format: TreeFormat, path: &Path) {
        let shown = || {
            self.panels
                .inspection
                .shown()
                .map(|shown| shown.tree.clone())
        };
        let Some(tree) = self.to_save.take().or_else(shown) else {
            return;
        };
        match tree.can_write(format) {
            Ok(()) => self.savings.tree(tree, format, path, self.document.tasks()),
            Err(reason) => self.notices.say(Level::Warn, reason.to_string()),
        }
    }

    fn copy_node(&mut self, ctx: &Context) {
        let inspection = &self.panels.inspection;
        let Some(shown) = inspection.shown() else {
            return;
        };
        ctx.copy_text(shown.tree.node(inspection.selected()).board.to_string());
        self.notices.say(Level::Info, "Position of the node copied");
    }

    fn scale(&mut self, ctx: &Context, scale: f32) {
        // To whole percents, so that up and down meet again at 100 %.
        let percent = (scale * 100.0).round() / 100.0;
        let percent = if (percent - 1.0).abs() < 0.02 {
            1.0
        } else {
            percent
        };
        self.settings.scale = percent.clamp(*SCALES.start(), *SCALES.end());
        ctx.set_zoom_factor(self.settings.scale);
    }

    /// Reports a change of the layout, and keeps the previous one for undo.
    fn arranged(&mut self, before: Layout, text: String) {
        self.layout_before_reset = Some((self.settings.layouts.workspace, self.class, before));
        self.reset_was_last = true;
        let action = Some(("Undo", ViewCommand::RestoreLayout.into()));
        self.notices.push(Notice {
            level: Level::Info,
            text,
            action,
        });
    }

    fn restore_layout(&mut self) {
        self.reset_was_last = false;
        if let Some((workspace, class, layout)) = self.layout_before_reset.take() {
            self.settings.layouts.restore(workspace, class, layout);
            self.settings.layouts.workspace = workspace;
        }
    }

    fn ask(&mut self, ctx: &Context, purpose: Purpose, name: &str) {
        let folder = self
            .folder
            .as_deref()
            .map_or_else(PathBuf::new, |folder| folder.join("presets"));
        let folder = if folder.is_dir() {
            folder
        } else {
            std::env::current_dir().unwrap_or(folder)
        };
        let folder = match purpose {
            Purpose::Open | Purpose::SavePreset => folder,
            // Exports go to the documents folder, which is not hidden.
            _ => documents(folder),
        };
        self.dialogs
            .ask(ctx, purpose, &folder, name, self.document.recent());
    }
}

/// Whether a command moves between nodes or instants of the search tree: if it fails, the user sees the end and needs
/// no message.
fn is_walk(command: &Command) -> bool {
    let walks = |tree| {
        matches!(
            tree,
            TreeCommand::Root | TreeCommand::Fold | TreeCommand::Unfold
        )
    };
    matches!(command, Command::Tree(tree) if command.repeats() || walks(*tree))
}

/// The user's documents folder, else `otherwise`.
fn documents(otherwise: PathBuf) -> PathBuf {
    let user = directories::UserDirs::new();
    let folder = user
        .as_ref()
        .map(|user| user.document_dir().unwrap_or(user.home_dir()));
    folder
        .filter(|folder| folder.is_dir())
        .map_or(otherwise, Path::to_owned)
}
