//! What is said of the move at the position on the board: what it cost and by which tile, and where to go from there.

use std::sync::Arc;

use egui::Ui;

use crate::game::{Moment, Move};
use crate::prose;
use crate::review::{Judge, Verdict};
use crate::search::{SearchOptions, Tree, Why};
use crate::task::{Job, Latest, TaskInfo};
use crate::words;
use crate::workbench::command::{Commands, ReviewCommand};
use crate::workbench::kit::{Button, paragraph, small_print};
use crate::workbench::state::{Document, Reviewed};
use crate::workbench::theme::Theme;

/// Most nodes of the record behind the sentence: those of two moves and the spawns after them come first.
const MOST_NODES: usize = 200_000;

/// The position, how deep it is looked at, and the two moves that are compared.
type CostKey = (Moment, String, u32, [Move; 2]);

#[derive(Debug, Default)]
pub(super) struct Here {
    /// The move that was told of last.
    told: Option<usize>,
    why: Latest<CostKey, Option<Why>>,
}

impl Here {
    pub(super) fn ui(&mut self, ui: &mut Ui, doc: &Document, reviewed: &Arc<Reviewed>, commands: &mut Commands) {
        let theme = Theme::of(ui);
        let place = doc.place();
        let Some(verdict) = reviewed.review.verdict(place) else {
            let over = place == reviewed.review.moves();
            let text = if over { "The line ends here: no move was played" } else { "This position is not judged yet" };
            small_print(ui, text, theme.text3);
            return;
        };
        self.ask(doc, reviewed, &verdict);
        self.why.poll();
        let why = self.why.known().and_then(Option::as_ref);
        let wavering = reviewed.review.wavering(place);
        let points = wavering.map(|(points, _)| points);
        let text = prose::review::cost([verdict.mv, verdict.best], verdict.loss, points, why);
        let response = paragraph(ui, text, theme.text1);
        if self.told.replace(place) != Some(place) {
            response.scroll_to_me(None);
        }
        if let Some((_, moves)) = wavering {
            let moves = words::plural(moves as u64, "move");
            response.on_hover_text(format!(
                "How far the judge's values move from one look to the next about here, the root mean square of the residuals of {moves}: not the error of this difference"
            ));
        }
        if let Some(thresholds) = reviewed.report.as_ref().map(|report| report.thresholds)
            && let Some((chance, at)) = thresholds.chance.zip(reviewed.review.chance_by(place, &thresholds))
        {
            paragraph(ui, prose::review::chance(verdict.mv, &chance.question, at), theme.text1);
        }
        ui.horizontal_wrapped(|ui| {
            let mut button = |text: &str, command: ReviewCommand| {
                commands.show(ui, Button::new(text).small(), command, doc);
            };
            button("Tree of the judge", ReviewCommand::ShowTree(None));
            button("Deciding row", ReviewCommand::ShowRule(None));
            button("Edit the row", ReviewCommand::EditRule(None));
            button("Rerun on the same seeds", ReviewCommand::Rerun);
        });
    }

    /// Lets the judge search the position once more with its record, beside the window.
    fn ask(&mut self, doc: &Document, reviewed: &Arc<Reviewed>, verdict: &Verdict) {
        let judge: Arc<Judge> = reviewed.review.judge().clone();
        let (before, plies, moves) = (verdict.before, verdict.look.plies, [verdict.mv, verdict.best]);
        let key = (before, judge.sha256().to_owned(), plies, moves);
        if verdict.mv == verdict.best {
            self.why.cancel();
            return;
        }
        let [played, best] = moves;
        self.why.ask(key, &doc.tasks, TaskInfo::silent(), move |job: &Job<Option<Why>>| {
            let tree: Arc<Tree> = judge.tree(&before, plies, SearchOptions::on_one_core(job.token()), MOST_NODES)?;
            tree.why(played, best)
        });
    }
}
