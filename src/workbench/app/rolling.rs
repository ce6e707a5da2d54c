//! The dialog of a rollout: number of games, length, and the judge of unfinished games.

use egui::{Context, DragValue, Id, Modal, Ui, vec2};

use crate::review::Judge;
use crate::strategy::Criterion;
use crate::workbench::command::{Commands, ExperimentCommand, RollOut};
use crate::workbench::kit::{Button, answers, choice, segmented, show_dialog, small_print};
use crate::workbench::state::Document;
use crate::workbench::theme::{self, Theme};

const TITLE: &str = "Roll out the position";

/// Maximum number of games per first move.
const MOST_GAMES: u64 = 1_000_000;
const MOST_MOVES: u32 = 100_000;

pub(super) struct Rolling {
    games: u64,
    /// `None` plays to the end.
    moves: Option<u32>,
    judge: Option<Criterion>,
    /// The possible judges of unfinished games, by name.
    judges: Vec<(Option<Criterion>, String)>,
}

impl Rolling {
    pub(super) fn new(doc: &Document) -> Self {
        let rules = doc.game().rules;
        let mut judges = vec![(None, "no judge: the points so far".to_owned())];
        let open = doc
            .strategies()
            .iter()
            .map(|open| crate::strategy::Strategy::clone(&open.strategy));
        let own = doc.judging().ok().map(std::borrow::Cow::into_owned);
        for strategy in own.into_iter().chain(Judge::usual(rules)).chain(open) {
            let Ok(judge) = Judge::of(&strategy, rules) else {
                continue;
            };
            if !judges
                .iter()
                .any(|(own, _)| own.as_ref() == Some(judge.row()))
            {
                judges.push((Some(judge.row().clone()), judge.label()));
            }
        }
        let games = doc.rollout_games();
        Self {
            games,
            moves: None,
            judge: judges.get(1).and_then(|(judge, _)| judge.clone()),
            judges,
        }
    }

    /// Draws the dialog; false when it closes.
    pub(super) fn show(&mut self, ctx: &Context, doc: &Document, commands: &mut Commands) -> bool {
        let mut stays = true;
        let modal =
            Modal::new(Id::unique("roll out")).frame(theme::dialog_frame(&ctx.global_style()));
        let modal = show_dialog(ctx, modal, TITLE, |ui| {
            ui.set_width(460.0_f32.min(ui.ctx().content_rect().width() - 48.0));
            stays = self.ui(ui, doc, commands);
        });
        stays && !modal.should_close()
    }

    fn chosen(&self) -> RollOut {
        let judge = self.judge.clone().filter(|_| self.moves.is_some());
        RollOut {
            games: self.games,
            moves: self.moves,
            judge,
        }
    }

    fn ui(&mut self, ui: &mut Ui, doc: &Document, commands: &mut Commands) -> bool {
        let theme = Theme::of(ui);
        ui.spacing_mut().item_spacing.y = theme::SPACE_M;
        ui.heading(TITLE);
        small_print(
            ui,
            format!(
                "{} plays games from each legal move, on the same tiles",
                doc.strategy().label()
            ),
            theme.text2,
        );

        ui.horizontal_wrapped(|ui| {
            small_print(ui, "Games per move", theme.text2);
            number(ui, &mut self.games, 2..=MOST_GAMES, "Games per move");
        });
        ui.horizontal_wrapped(|ui| {
            let mut to_end = self.moves.is_none();
            if segmented(
                ui,
                "Length of the games",
                &mut to_end,
                &[(true, "To the end"), (false, "A number of moves")],
            )
            .changed()
            {
                self.moves = (!to_end).then_some(20);
            }
            if let Some(moves) = &mut self.moves {
                number(ui, moves, 1..=MOST_MOVES, "Moves of each game");
                small_print(ui, "moves, the first one included", theme.text2);
            }
        });

        if self.moves.is_some() {
            ui.horizontal_wrapped(|ui| {
                small_print(ui, "Points to come estimated by", theme.text2);
                let text = self.judges.iter().find(|(judge, _)| *judge == self.judge);
                let text = text.map_or_else(String::new, |(_, text)| text.clone());
                choice(
                    ui,
                    "Judge of games cut off",
                    &mut self.judge,
                    text,
                    240.0,
                    self.judges.iter().cloned(),
                );
            });
        }

        let mut stays = true;
        let command = ExperimentCommand::RollOutWith(Box::new(self.chosen()));
        answers(ui, |ui| {
            if commands
                .show(ui, Button::new("Roll out").accent(), command, doc)
                .clicked()
            {
                stays = false;
            }
            stays &= !ui.add(Button::new("Cancel")).clicked();
        });
        stays
    }
}

fn number<N: egui::emath::Numeric>(
    ui: &mut Ui,
    value: &mut N,
    range: std::ops::RangeInclusive<N>,
    name: &str,
) {
    let drag = DragValue::new(value).range(range);
    ui.add_sized(vec2(72.0, theme::CONTROL), drag)
        .accessible_name(name);
}
