//! The search as a whole: nodes by kind, cuts by rule, time, the self-check.

use std::collections::BTreeMap;
use std::sync::Arc;

use egui::{Label, RichText, Role, Sense, Ui, WidgetInfo, pos2, vec2};
use strum::{EnumCount as _, IntoEnumIterator as _};

use crate::search::{Cut, NodeKind, Origin, Ranked, Report, Tree};
use crate::task::{CancelToken, Latest, TaskInfo, TaskState, threads_for_cli};
use crate::words;
use crate::workbench::command::{Commands, GameCommand};
use crate::workbench::kit::{LEGEND_RADIUS, Line, choice, paint_node, small_print};
use crate::workbench::panels::tree::frame::ring_focused;
use crate::workbench::panels::tree::{Inspection, Shown, words as names};
use crate::workbench::state::{Document, RECORD_CAPS};
use crate::workbench::theme::{self, Theme};

const KIND: f32 = 100.0;

/// Number of nodes that each rule cut, if there are several rules.
type ByRule = BTreeMap<&'static str, u64>;

#[derive(Debug, Default)]
pub(super) struct Record {
    /// Keyed by decision and row.
    rules: Latest<(u64, usize), ByRule>,
}

impl Record {
    pub(super) fn ui(
        &mut self,
        ui: &mut Ui,
        doc: &Document,
        inspection: &mut Inspection,
        commands: &mut Commands,
    ) {
        let Some(shown) = inspection.shown().cloned() else {
            return;
        };
        let theme = Theme::of(ui);
        let tree = &shown.tree;
        ui.spacing_mut().item_spacing.y = theme::SPACE_S;
        ui.label(
            RichText::new("Record of this search")
                .font(theme::strong())
                .color(theme.text1),
        );
        kinds(ui, tree);
        small_print(ui, self.cuts(doc, &shown, inspection.is_old), theme.text2);
        small_print(ui, figures(&shown), theme.text2);
        cap(ui, doc, commands);
        threads(ui, doc, commands);
        check(ui, tree, inspection);
    }

    fn cuts(&mut self, doc: &Document, shown: &Shown, is_old: bool) -> String {
        let tree = &shown.tree;
        let counts = tree.counts;
        let hits = format!("cached: {}", words::count(counts.of(NodeKind::Cached)));
        let by = match tree.subject().definition.lookahead.cuts() {
            [] => "No cuts".to_owned(),
            [rule] => {
                let rule = match rule {
                    Cut::AlphaBeta => "alpha-beta".to_owned(),
                    Cut::Reach(threshold) => {
                        format!(
                            "reach probability below {}",
                            words::small_probability(*threshold)
                        )
                    }
                    Cut::ImportantCells { k, .. } => format!("important cells, at most {k}"),
                    Cut::WorstSpawns => "worst spawns".to_owned(),
                };
                format!("Cut by {rule}: {}", words::count(counts.of(NodeKind::Cut)))
            }
            _ => self.by_rule(doc, shown, is_old),
        };

        format!("{by}; {hits}")
    }

    fn by_rule(&mut self, doc: &Document, shown: &Shown, is_old: bool) -> String {
        let key = (shown.number, shown.row);
        if !is_old {
            let tree = shown.tree.clone();
            self.rules
                .ask(key, doc.tasks(), TaskInfo::silent(), move |job| {
                    count(&tree, job.token())
                });
        }

        self.rules.poll();
        let all = words::count(shown.tree.counts.of(NodeKind::Cut));
        match self.rules.state() {
            TaskState::Idle => "Counting the cuts".to_owned(),
            TaskState::Done(by_rule) if self.rules.is_asked(&key) => {
                let in_record = if shown.tree.left_out() == 0 {
                    ""
                } else {
                    " in the record"
                };
                let part =
                    |(rule, count): (&&str, &u64)| format!("{} by {rule}", words::count(*count));
                format!(
                    "{all} cut:{in_record} {}",
                    words::list(&by_rule.iter().map(part).collect::<Vec<String>>())
                )
            }
            TaskState::Failed(_) => format!("{all} cut"),
            _ => format!("{all} cut, counting per rule"),
        }
    }
}

/// Counts the whole record, or a part if stopped.
fn count(tree: &Tree, stop: &CancelToken) -> ByRule {
    let mut by_rule = ByRule::new();
    for node in tree.nodes().take_while(|_| !stop.is_cancelled()) {
        let rule = match node.origin {
            Origin::TooImprobable { .. } => "reach probability",
            Origin::OutOfBounds { .. } => "alpha-beta",
            Origin::Unimportant {
                ranked: Ranked::Cells,
                ..
            } => "important cells",
            Origin::Unimportant {
                ranked: Ranked::Spawns,
                ..
            } => "worst spawns",
            _ => continue,
        };
        *by_rule.entry(rule).or_insert(0) += 1;
    }
    by_rule
}

fn kinds(ui: &mut Ui, tree: &Arc<Tree>) {
    let theme = Theme::of(ui);
    let counts = tree.counts;
    let per_row = ((ui.available_width() / KIND) as usize).clamp(1, NodeKind::COUNT);
    let shown: Vec<NodeKind> = NodeKind::iter()
        .filter(|&kind| counts.of(kind) != 0 || kind != NodeKind::Min)
        .collect();

    for kinds in shown.chunks(per_row) {
        let (rect, _) =
            ui.allocate_exact_size(vec2(ui.available_width(), theme::CHIP), Sense::hover());
        let width = rect.width() / per_row as f32;
        for (place, &kind) in kinds.iter().enumerate() {
            let left = rect.left() + place as f32 * width;
            let text = format!("{} {}", words::count(counts.of(kind)), kind.name());
            let cell =
                egui::Rect::from_min_size(pos2(left, rect.top()), vec2(width - 4.0, rect.height()));
            let response = ui.interact(
                cell,
                ui.scope_id().with(("kind", kind.name())),
                Sense::hover(),
            );
            response
                .widget_info(|| WidgetInfo::labeled(Role::Label, true, format!("{text} nodes")));
            paint_node(
                ui.painter(),
                theme,
                kind,
                pos2(left + 9.0, rect.center().y),
                LEGEND_RADIUS,
                None,
            );
            let mut line = Line::new(
                ui.painter(),
                cell.with_min_x(left + 22.0).with_max_x(f32::INFINITY),
                0.0,
            );
            line.start(&words::count(counts.of(kind)), theme::body(), theme.text1);
            line.skip(theme::SPACE_S);
            line.start(kind.name(), theme::body(), theme.text2);
        }
    }
}

fn figures(shown: &Shown) -> String {
    let tree = &shown.tree;
    let mut parts = vec![names::how_far(tree), names::size(tree)];
    parts.extend(shown.searched.as_ref().and_then(names::elapsed));
    parts.extend(names::other_depths(tree));
    if tree.left_out() != 0 {
        let least = words::small_probability(tree.least_reach);
        parts.push(format!(
            "{} nodes with a reach of at most {least} not recorded",
            words::count(tree.left_out())
        ));
    }
    parts.join(" · ")
}

/// The choice of the maximum number of recorded nodes.
fn cap(ui: &mut Ui, doc: &Document, commands: &mut Commands) {
    let nodes = |cap: usize| words::plural(cap as u64, "node");
    ui.horizontal(|ui| {
        small_print(ui, "Record at most", Theme::of(ui).text2);
        let mut cap = doc.record_cap();
        let about = "Maximum number of recorded nodes";
        let text = nodes(cap);
        choice(
            ui,
            about,
            &mut cap,
            text,
            136.0,
            RECORD_CAPS.map(|cap| (cap, nodes(cap))),
        );
        if cap != doc.record_cap() {
            commands.push(GameCommand::SetRecordCap(cap));
        }
    });
}

/// The choice of the number of threads for a decision.
fn threads(ui: &mut Ui, doc: &Document, commands: &mut Commands) {
    let count = |threads: usize| words::plural(threads as u64, "thread");
    let (cores, usual) = (threads_for_cli(), doc.usual_search_threads());
    ui.horizontal(|ui| {
        small_print(ui, "Search with", Theme::of(ui).text2);
        let mut threads = doc.chosen_search_threads();
        let text = count(doc.search_threads());
        let counts = (1..=cores).map(|threads| (Some(threads), count(threads)));
        let choices = std::iter::once((None, format!("{} (default)", count(usual)))).chain(counts);
        choice(
            ui,
            "Threads per decision",
            &mut threads,
            text,
            136.0,
            choices,
        )
        .on_hover_text(names::ON_SEVERAL_THREADS);
        if threads != doc.chosen_search_threads() {
            commands.push(GameCommand::SetSearchThreads(threads));
        }
    });
}

/// The result of the self-check; a click selects its first flaw.
fn check(ui: &mut Ui, tree: &Tree, inspection: &mut Inspection) {
    let theme = Theme::of(ui);
    let (text, color) = match inspection.report() {
        None => (
            format!("Checking {} nodes", words::count(tree.kept() as u64)),
            theme.text3,
        ),
        Some(report) => (
            report_text(report),
            if report.wrong == 0 {
                theme.ok
            } else {
                theme.error
            },
        ),
    };
    let Some(flaw) = inspection
        .report()
        .and_then(|report| report.flaws.first())
        .map(|flaw| flaw.node)
    else {
        small_print(ui, text, color).on_hover_text(
            "Every recorded probability and value is recomputed from its plain definition",
        );
        return;
    };

    let label = Label::new(RichText::new(text).small().color(color)).wrap();
    let response = ui.add(label.sense(Sense::click()));
    ring_focused(ui, &response, response.rect);
    if response
        .on_hover_text("Select the first of these nodes")
        .clicked()
    {
        inspection.select(flaw);
    }
}

fn report_text(report: &Report) -> String {
    if report.wrong != 0 {
        let [wrong, all] = [report.wrong, report.nodes].map(words::count);
        return format!("✗ {wrong} of {all} nodes failed the check");
    }
    let unsure = match report.unsure {
        0 => String::new(),
        unsure => format!(
            "; {} rest on nodes that are not recorded",
            words::count(unsure)
        ),
    };
    format!("✓ probabilities add up to 1, every value equals its recomputed value{unsure}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_badge_says_what_the_check_found() {
        let report = |unsure, wrong| Report {
            nodes: 90,
            unsure,
            flaws: Vec::new(),
            wrong,
        };
        assert!(
            report_text(&report(0, 0)).starts_with('✓')
                && !report_text(&report(0, 0)).contains("not recorded")
        );
        assert!(report_text(&report(4, 0)).contains("4 rest"));
        assert!(report_text(&report(0, 2)).starts_with("✗ 2 of 90"));
    }
}
