//! The commands requested in a frame, and the buttons that request them.

use std::borrow::Cow;

use egui::{Context, Id, Popup, Rect, Response, Ui};

use super::vocabulary::Command;
use crate::workbench::icon::{Icon, icon_button_if};
use crate::workbench::kit::{Button, menu_item};

/// Decides whether a command applies now, else why not: the state, or a known result.
pub trait Judge {
    fn can(self, command: &Command) -> Result<(), String>;
}

impl Judge for Result<(), &str> {
    fn can(self, _: &Command) -> Result<(), String> {
        self.map_err(str::to_owned)
    }
}

/// An error with the reason unless the condition holds.
pub(crate) fn requires(condition: bool, reason: &'static str) -> Result<(), Cow<'static, str>> {
    if condition {
        Ok(())
    } else {
        Err(Cow::Borrowed(reason))
    }
}

/// Sets the accessibility id of a button to its command, because texts may change or repeat.
fn name_after(response: &Response, command: &Command) {
    response
        .ctx
        .accesskit_node_builder(response.id, |node| node.set_author_id(command.id()));
    note_place(&response.ctx, response.interact_rect, command);
}

/// A button to locate, by the prefix of its accessibility id, and its last place.
#[derive(Clone, Debug, Default)]
struct Sought {
    id: &'static str,
    seen: Option<Rect>,
}

/// Notes the place of a command's button, if it is to be located.
pub(crate) fn note_place(ctx: &Context, rect: Rect, command: &Command) {
    ctx.data_mut(|data| {
        let sought = data.get_temp_mut_or_default::<Sought>(Id::unique("sought button"));
        if !sought.id.is_empty()
            && sought.seen.is_none()
            && rect.is_positive()
            && command.id().starts_with(sought.id)
        {
            sought.seen = Some(rect);
        }
    });
}

/// The place of the first button in the last frame whose accessibility id has this prefix; an empty prefix locates
/// nothing. From this frame on, the button is located.
pub(crate) fn where_is(ctx: &Context, id: &'static str) -> Option<Rect> {
    let new = Sought { id, seen: None };
    let old = ctx.data_mut(|data| {
        std::mem::replace(
            data.get_temp_mut_or_default(Id::unique("sought button")),
            new,
        )
    });
    old.seen.filter(|_| old.id == id)
}

/// The commands of one frame, in order.
#[derive(Debug, Default)]
pub struct Commands {
    requests: Vec<Command>,
}

impl Commands {
    pub fn push(&mut self, command: impl Into<Command>) {
        self.requests.push(command.into());
    }

    pub fn take(&mut self) -> Vec<Command> {
        std::mem::take(&mut self.requests)
    }

    /// Pushes a command when a control with its own text is clicked.
    pub fn when_clicked(&mut self, response: &Response, command: impl Into<Command>) {
        let command = command.into();
        name_after(response, &command);
        if response.clicked() {
            self.push(command);
        }
    }

    /// A button with text, tooltip and key of a command; disabled with the reason if it does not apply.
    pub fn button(
        &mut self,
        ui: &mut Ui,
        command: impl Into<Command>,
        judge: impl Judge,
    ) -> Response {
        let command = command.into();
        self.show(ui, Button::new(command.text()), command, judge)
    }

    /// A button of a command with an icon, another text or an accent.
    pub fn show(
        &mut self,
        ui: &mut Ui,
        button: Button<'_>,
        command: impl Into<Command>,
        judge: impl Judge,
    ) -> Response {
        self.add(ui, button, &command.into(), judge, Command::tooltip)
    }

    /// A button of a command without a tooltip while enabled: for buttons whose text says everything, and whose tooltip
    /// would cover the content.
    pub fn bare(
        &mut self,
        ui: &mut Ui,
        button: Button<'_>,
        command: impl Into<Command>,
        judge: impl Judge,
    ) -> Response {
        self.add(ui, button, &command.into(), judge, |_| String::new())
    }

    /// A button of a command with this tooltip, or with the reason if it does not apply; an empty tooltip is not shown.
    fn add(
        &mut self,
        ui: &mut Ui,
        button: Button<'_>,
        command: &Command,
        judge: impl Judge,
        tooltip: fn(&Command) -> String,
    ) -> Response {
        let enabled = judge.can(command);
        let response = ui.add(button.enabled(enabled.is_ok()));
        self.finish(response, &tooltip(command), command, &enabled)
    }

    /// A button of a command with only an icon.
    pub fn icon(
        &mut self,
        ui: &mut Ui,
        icon: Icon,
        command: impl Into<Command>,
        judge: impl Judge,
    ) -> Response {
        let command = command.into();
        let enabled = judge.can(&command);
        let name = command.text().trim_end_matches('…');
        let response = icon_button_if(ui, icon, name, "", enabled.is_ok());
        self.finish(response, &command.tooltip(), &command, &enabled)
    }

    /// A menu row with its own text, and the keys at its end.
    pub fn menu_row(
        &mut self,
        ui: &mut Ui,
        command: &Command,
        text: &str,
        keys: Option<&str>,
        enabled: &Result<(), impl AsRef<str>>,
    ) -> Response {
        let response = menu_item(ui, text, keys, enabled.is_ok());
        self.finish(response, command.about(), command, enabled)
    }

    /// A menu of commands with texts, keys and the reasons of disabled ones; true if one was chosen.
    pub fn menu(&mut self, ui: &mut Ui, entries: &[Command], judge: impl Judge + Copy) -> bool {
        ui.set_min_width(200.0);
        entries.iter().fold(false, |chosen, command| {
            let row = self.menu_row(
                ui,
                command,
                command.text(),
                command.keys().as_deref(),
                &judge.can(command),
            );
            chosen | row.clicked()
        })
    }

    /// The context menu of a widget, with the same entries as `menu`; true if one was chosen.
    pub fn context_menu(
        &mut self,
        response: &Response,
        entries: &[Command],
        judge: impl Judge + Copy,
    ) -> bool {
        let shown = Popup::context_menu(response).show(|ui| self.menu(ui, entries, judge));
        shown.is_some_and(|shown| shown.inner)
    }

    fn finish(
        &mut self,
        response: Response,
        about: &str,
        command: &Command,
        enabled: &Result<(), impl AsRef<str>>,
    ) -> Response {
        name_after(&response, command);
        let response = match enabled {
            Ok(()) if about.is_empty() => response,
            Ok(()) => response.on_hover_text(about),
            Err(reason) => response.on_hover_text(reason.as_ref()),
        };
        if response.clicked() {
            self.push(command.clone());
        }
        response
    }
}
