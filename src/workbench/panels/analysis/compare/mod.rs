//! Compares two strategies: A, which plays, and B, any other. Shows their decisions on the board and how often they agree.

mod agreement;
mod decisions;
mod pair;

use egui::{RichText, Sense, Ui, vec2};

use self::agreement::AgreementView;
use self::pair::Pair;
use crate::strategy::StrategyHash;
use crate::workbench::command::{Command, Commands, CompareCommand};
use crate::workbench::kit::{
    Button, drop_down, elided, menu_choice, paint_key, panel_drop_target, segmented, text_line,
};
use crate::workbench::panels::StrategyDrag;
use crate::workbench::panels::analysis::parts::line_of;
use crate::workbench::state::{Document, Opened};
use crate::workbench::theme::{self, Theme};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Tab {
    #[default]
    Decision,
    Agreement,
}

const TABS: [(Tab, &str); 2] = [(Tab::Decision, "Decision"), (Tab::Agreement, "Agreement")];

/// Seed of every sample, so that samples repeat.
const SEED: u64 = 1;
/// Minimum width at which the tabs and the two names share a line.
const ONE_LINE_FROM: f32 = 560.0;
const WIDEST_NAME: f32 = 210.0;
/// Width of the key of a strategy.
const KEY: f32 = 28.0;

#[derive(Debug, Default)]
pub(crate) struct ComparePanel {
    tab: Tab,
    agreement: AgreementView,
}

impl ComparePanel {
    pub(crate) fn ui(&mut self, ui: &mut Ui, doc: &Document, commands: &mut Commands) {
        let whole = ui.max_rect();
        self.header_ui(ui, doc, commands);
        ui.add_space(theme::SPACE_M);
        match (self.tab, Pair::of(ui, doc)) {
            (_, None) => nobody_ui(ui, doc, commands),
            (Tab::Decision, Some(pair)) => decisions::ui(ui, doc, &pair, commands),
            (Tab::Agreement, Some(pair)) => self.agreement.ui(ui, doc, &pair, commands),
        }
        // A strategy dropped onto the panel becomes B.
        if let Some(drag) = panel_drop_target::<StrategyDrag>(ui, whole) {
            commands.push(Command::Compare(CompareCommand::Beside(Box::new(
                (*drag.0).clone(),
            ))));
        }
    }

    fn header_ui(&mut self, ui: &mut Ui, doc: &Document, commands: &mut Commands) {
        let tabs = |ui: &mut Ui, tab: &mut Tab| segmented(ui, "Kind of comparison", tab, &TABS);
        if ONE_LINE_FROM <= ui.available_width() {
            let mut line = line_of(ui, "header", theme::CONTROL);
            tabs(&mut line, &mut self.tab);
            line.add_space(theme::SPACE_M);
            names_ui(&mut line, doc, commands);
        } else {
            names_ui(&mut line_of(ui, "names", theme::CONTROL), doc, commands);
            tabs(ui, &mut self.tab);
        }
    }
}

fn names_ui(ui: &mut Ui, doc: &Document, commands: &mut Commands) {
    let theme = Theme::of(ui);
    ui.spacing_mut().item_spacing.x = theme::SPACE_S;
    let room = ui.available_width();
    let each = ((room - 2.0 * (KEY + 3.0 * theme::SPACE_S) - 44.0) / 2.0).clamp(40.0, WIDEST_NAME);

    let key = |ui: &mut Ui, hash: StrategyHash| {
        let (key, _) = ui.allocate_exact_size(vec2(KEY, theme::TAG), Sense::hover());
        paint_key(ui.painter(), key, theme.strategy(doc.color_index(hash)));
    };

    let a = doc.strategy();
    ui.label(RichText::new("A").small().color(theme.text3));
    key(ui, a.hash());
    let name = elided(ui.painter(), &a.label(), theme::medium(), theme.text1, each);
    let response = text_line(ui, &format!("A: {}", a.label()), name, theme::CONTROL);
    response.on_hover_text(format!("{}, the current strategy", a.label()));
    ui.add_space(theme::SPACE_M);
    ui.label(RichText::new("B").small().color(theme.text3));
    let b = doc.baseline().and_then(|index| doc.strategies().get(index));
    b.into_iter().for_each(|b| key(ui, b.hash()));
    let selected = b.map_or_else(|| "choose".to_owned(), |b| b.label());
    let width = each.min(ui.available_width() - theme::SPACE_S).max(40.0);
    let list = drop_down("B of the comparison", selected, width).truncate();
    let response = list.show_ui(ui, |ui| choices_ui(ui, doc, commands));
    response.response.accessible_name("B, the strategy to compare with").on_hover_text(
        "The strategy to compare with: an open one, or the previous version of A; you can also drop a strategy here",
    );
}

/// The open strategies except A.
fn others(doc: &Document) -> impl Iterator<Item = (usize, &Opened)> {
    doc.strategies()
        .iter()
        .enumerate()
        .filter(|&(index, _)| index != doc.current())
}

/// The menu that chooses B: an open strategy, the previous version, or the end of the comparison.
fn choices_ui(ui: &mut Ui, doc: &Document, commands: &mut Commands) {
    for (index, strategy) in others(doc) {
        commands.when_clicked(
            &menu_choice(ui, doc.baseline() == Some(index), strategy.label()),
            CompareCommand::With(Some(index)),
        );
    }
    let previous = Command::Compare(CompareCommand::WithPrevious);
    commands.menu_row(ui, &previous, "Previous version", None, &doc.can(&previous));
    if doc.baseline().is_some() && menu_choice(ui, false, "End comparison").clicked() {
        commands.push(CompareCommand::With(None));
    }
}

/// The ways to choose B while there is none.
fn nobody_ui(ui: &mut Ui, doc: &Document, commands: &mut Commands) {
    let theme = Theme::of(ui);
    ui.label(RichText::new("Choose B above, or drop a strategy here").color(theme.text3));
    ui.horizontal_wrapped(|ui| {
        for command in [
            CompareCommand::WithPrevious,
            CompareCommand::TestAgainstPrevious,
        ] {
            commands.button(ui, Command::Compare(command), doc);
        }
        for (index, other) in others(doc).take(3) {
            let text = format!("Compare with {}", other.label());
            commands.when_clicked(
                &ui.add(Button::new(&text)),
                CompareCommand::With(Some(index)),
            );
        }
    });
}
