//! One line about the shown search: its strategy, its definition, its nodes and time, and whether a recomputation found
//! every value again.

use egui::{Align, Layout, RichText, Ui};
use strum::IntoEnumIterator as _;

use crate::evaluator::Evaluator;
use crate::prose;
use crate::search::{Cut, DepthLimited, Lookahead, NodeKind, Plies, Report};
use crate::strategy::{Criterion, Strategy};
use crate::words;
use crate::workbench::command::{Commands, GameCommand, StrategyCommand};
use crate::workbench::kit::{Button, elided, mark_key, text_line};
use crate::workbench::panels::tree::{Inspection, Shown, words as names};
use crate::workbench::state::{Document, TELL_AFTER, Thought};
use crate::workbench::terms;
use crate::workbench::theme::{self, Theme};

const WIDEST_NAME: f32 = 140.0;

pub(super) fn ui(ui: &mut Ui, doc: &Document, inspection: &Inspection, commands: &mut Commands) {
    let Some(shown) = inspection.shown() else {
        return;
    };
    let theme = Theme::of(ui);
    ui.spacing_mut().item_spacing.x = theme::SPACE_M;
    // Another strategy with the same rows may be open under another name.
    let current = doc.strategy();
    let name = if current.hash() == shown.strategy.hash() {
        current.label()
    } else {
        shown.strategy.label()
    };
    let mark = theme.strategy(doc.color_index(shown.strategy.hash()));
    mark_key(ui, &name, mark);
    let galley = elided(
        ui.painter(),
        &name,
        theme::strong_of(11.0),
        theme.text1,
        WIDEST_NAME,
    );
    text_line(ui, &format!("Search of {name}"), galley, theme::TAG).on_hover_text(name.clone());

    standing(ui, theme, doc, inspection, commands);
    if shown.searched.is_none() && shown.tree.subject().plies == 1 && !inspection.is_old {
        one_ply(ui, theme, &name, commands);
    }
    let text = text_of(shown);
    // The choice of the row, in the bar above, names it.
    let has_choice = !inspection.is_brief && 1 < shown.rows.len();
    let row = format!("{} · ", shown.tree.label());
    let painted = text
        .strip_prefix(&row)
        .filter(|_| has_choice)
        .unwrap_or(&text);
    let needed = ui
        .painter()
        .layout_no_wrap(painted.to_owned(), theme::small(), theme.text2)
        .size()
        .x;
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        if let Some(report) = inspection.report() {
            badge(ui, theme, report, needed);
        }
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
            if inspection.is_old {
                ui.set_opacity(theme::STALE_ALPHA);
            }
            let galley = elided(
                ui.painter(),
                painted,
                theme::small(),
                theme.text2,
                ui.available_width(),
            );
            let response = text_line(ui, &text, galley, theme::TAG);
            response.on_hover_text(format!("{text}\n{}", counts_text(shown)));
        });
    });
}

/// The state of the next search, while the shown one is outdated.
fn standing(
    ui: &mut Ui,
    theme: &Theme,
    doc: &Document,
    inspection: &Inspection,
    commands: &mut Commands,
) {
    if !inspection.is_old {
        return;
    }

    let say = |ui: &mut Ui, text: String, color| ui.label(RichText::new(text).small().color(color));
    // The tree may be of another strategy.
    let who = doc.strategy().label();
    let is_here = inspection
        .shown()
        .is_some_and(|shown| shown.tree.subject().board == doc.board());
    let subject = if is_here { "search" } else { "position" };

    match doc.thought() {
        Thought::Searching(since) if TELL_AFTER <= since => {
            say(
                ui,
                format!(
                    "Tree of the previous {subject}: {who} has been searching for {:.1} s (press Escape to stop)",
                    since.as_secs_f32()
                ),
                theme.text1,
            );
        }
        Thought::Stopped(after) => {
            say(
                ui,
                format!(
                    "Tree of the previous {subject}: the search of {who} was stopped after {:.1} s",
                    after.as_secs_f32()
                ),
                theme.text1,
            );
            commands.show(
                ui,
                Button::new("Search again").small(),
                GameCommand::SearchAgain,
                Ok(()),
            );
        }
        Thought::Impossible(reason) => {
            say(ui, format!("✗ {}", words::shortened(&reason)), theme.error);
        }
        Thought::Searching(_) | Thought::Settled => {}
    }
}

/// A strategy without a search has a flat tree; says so, and offers to open a deep one.
fn one_ply(ui: &mut Ui, theme: &Theme, name: &str, commands: &mut Commands) {
    ui.label(
        RichText::new(format!("{name} looks one ply ahead"))
            .small()
            .color(theme.text3),
    );
    let link = egui::Link::new(RichText::new("Open a deeper strategy").small());
    if ui
        .add(link)
        .on_hover_text("Opens Snake with expectimax, 3 plies")
        .clicked()
    {
        // It answers in about ten milliseconds.
        let search = DepthLimited {
            plies: Some(Plies::Fixed(3)),
            ..DepthLimited::default()
        };
        let lookahead = Lookahead::DepthLimited(search);
        let criteria = vec![Criterion {
            lookahead,
            ..Criterion::one_ply(Evaluator::Snake)
        }];
        let strategy = Strategy {
            name: "snake 3".to_owned(),
            criteria,
            ..Strategy::default()
        };
        commands.push(StrategyCommand::Open(Box::new(strategy)));
    }
}

/// `Expectimax of Snake, 7 plies · 12,345 nodes · 12.3 ms`.
fn text_of(shown: &Shown) -> String {
    let mut parts = facts(shown);
    // The time of the original search does not cover the searches added later.
    parts.extend(
        shown
            .searched
            .as_ref()
            .filter(|_| shown.tree.graft_count() == 0)
            .and_then(names::elapsed),
    );
    parts.join(" · ")
}

/// The definition and size of the search: unlike the time, the same at every computation.
pub(in crate::workbench::panels::tree) fn facts(shown: &Shown) -> Vec<String> {
    let mut parts = vec![shown.definition_text()];
    let tree = &shown.tree;
    parts.push(names::size(tree));
    parts.extend(names::other_depths(tree));
    if 0 < tree.left_out() {
        let [recorded, all] =
            [0, tree.left_out()].map(|missing| words::count(tree.kept() as u64 + missing));
        let least = words::small_probability(tree.least_reach);
        parts.push(format!(
            "{recorded} of {all} nodes recorded, the most probable down to a reach of {least}"
        ));
    }
    if tree.graft_count() != 0 {
        parts.push("with added searches".to_owned());
    }
    if tree.counts_are_told() {
        parts.push("counts from the file".to_owned());
    }

    parts
}

fn counts_text(shown: &Shown) -> String {
    let tree = &shown.tree;
    let counts = tree.counts;
    let kinds = NodeKind::iter().filter(|&kind| counts.of(kind) != 0);
    let kinds: Vec<String> = kinds
        .map(|kind| format!("{} {}", words::count(counts.of(kind)), kind.name()))
        .collect();
    let mut lines = vec![format!("Nodes: {}", kinds.join(", "))];
    let cuts: Vec<String> = tree
        .subject()
        .definition
        .lookahead
        .cuts()
        .iter()
        .map(Cut::text)
        .collect();
    if !cuts.is_empty() {
        lines.push(format!(
            "{} cut by {}",
            words::count(counts.of(NodeKind::Cut)),
            cuts.join(" or ")
        ));
    }
    if shown
        .searched
        .as_ref()
        .is_some_and(|searched| searched.shared_by.is_some())
    {
        lines.push(names::ON_SEVERAL_THREADS.to_owned());
    }
    lines.join("\n")
}

/// Whether the record is sound. The sign and one word are always shown, the rest only if it leaves the width `needed`
/// by the text next to it.
fn badge(ui: &mut Ui, theme: &Theme, report: &Report, needed: f32) {
    let sentence = prose::self_check(report);
    let (short, detail, color) = match report.is_sound() {
        true => {
            let [sure, all] = [report.unsure.min(report.nodes), 0]
                .map(|unsure| words::count(report.nodes - unsure));
            (
                "✓ self-check",
                format!("{sure} of {all} nodes verified"),
                theme.ok,
            )
        }
        false => ("✗ self-check", sentence.clone(), theme.error),
    };
    let long = format!("{short}: {detail}");
    let layout = |text: &str| {
        ui.painter()
            .layout_no_wrap(text.to_owned(), theme::small(), color)
    };
    let whole = layout(&long);
    let fits = whole.size().x + ui.spacing().item_spacing.x + needed <= ui.available_width();
    let galley = if fits { whole } else { layout(short) };
    text_line(ui, &long, galley, theme::TAG).on_hover_text(format!(
        "{long}\n{sentence}\n{}",
        terms::SELF_CHECK.lines.join("\n")
    ));
}
