//! The distribution of losses per move, as shares of each strategy's moves, side by side.

use egui::{Align2, Rect, Role, Sense, Stroke, Ui, pos2, vec2};

use crate::review::LossCounts;
use crate::words;
use crate::workbench::kit::{
    Heights, NUMBERS, inert, mark_key, paint_dashed, paint_marker, small_print,
};
use crate::workbench::state::{Document, GamesReviewed};
use crate::workbench::theme::{self, StrategyMark, Theme};

const HEIGHT: f32 = 180.0;

/// Space below the plot for the smallest loss of each bin.
const FOOT: f32 = 18.0;

/// The losses of one strategy.
struct Series<'a> {
    name: &'a str,
    counts: &'a LossCounts,
    mark: StrategyMark,
}

impl Series<'_> {
    fn share(&self, bin: usize) -> f64 {
        self.counts.of(bin) as f64 / self.counts.moves().max(1) as f64
    }
}

pub(super) fn ui(ui: &mut Ui, games: &GamesReviewed, doc: &Document) {
    let theme = Theme::of(ui);
    let mark_of = |name: &str| {
        let player = games
            .players
            .iter()
            .find(|(_, player)| player.strategy().label() == name);
        theme.strategy(player.map_or(0, |(_, player)| doc.color_index(player.strategy().hash())))
    };
    let losses = games.several.losses.iter();
    let series: Vec<Series<'_>> = losses
        .map(|(name, counts)| Series {
            name,
            counts,
            mark: mark_of(name),
        })
        .collect();
    let Some(bins) = LossCounts::range(series.iter().map(|one| one.counts)) else {
        return;
    };

    ui.add_space(theme::SPACE_S);
    ui.label(egui::RichText::new("Losses of moves, in points").font(theme::strong()));
    ui.horizontal_wrapped(|ui| {
        for one in &series {
            mark_key(ui, one.name, one.mark);
            let none = 100.0 * one.share(0);
            let said = format!(
                "{}: {none:.1} % of {} lose nothing",
                one.name,
                words::plural(one.counts.moves(), "move")
            );
            small_print(ui, said, theme.text2);
        }
    });

    let size = vec2(ui.available_width(), HEIGHT);
    let (rect, _) = inert(ui, size, Role::Image, "Shares of moves by loss, in points");
    let inner = Rect::from_min_max(rect.min + vec2(NUMBERS, 18.0), rect.max - vec2(8.0, FOOT));
    let all = || {
        series
            .iter()
            .flat_map(|one| bins.clone().map(|bin| one.share(bin)))
    };
    let heights = Heights::of(inner, all().chain([0.0]));
    heights.paint(ui.painter(), theme, "moves, %", true);
    let width = inner.width() / bins.len() as f32;
    let left = |bin: usize| inner.left() + width * (bin - bins.start) as f32;

    for one in &series {
        // Outlines instead of filled bars, so that no series hides another.
        let step =
            |bin: usize| [left(bin), left(bin) + width].map(|x| pos2(x, heights.y(one.share(bin))));
        let line: Vec<egui::Pos2> = bins.clone().flat_map(step).collect();
        paint_dashed(ui.painter(), &line, one.mark, theme::SERIES_WIDTH);
        for bin in bins.clone().filter(|&bin| one.counts.of(bin) != 0) {
            let middle = pos2(left(bin) + width / 2.0, heights.y(one.share(bin)));
            paint_marker(ui.painter(), middle, one.mark, 3.5);
        }
    }

    foot(ui, inner, bins.clone(), width);
    let response = ui.interact(inner, ui.scope_id().with("losses"), Sense::hover());
    if let Some(at) = response.hover_pos() {
        let bin = bins.start + (((at.x - inner.left()) / width) as usize).min(bins.len() - 1);
        let mut text = format!("Loss: {} points", LossCounts::name(bin));
        for one in &series {
            let moves = words::plural(one.counts.of(bin), "move");
            text += &format!("\n{}: {moves}, {:.2} %", one.name, 100.0 * one.share(bin));
        }
        response.on_hover_text_at_pointer(text);
    }
}

/// The smallest loss of each bin, where there is room for the text.
fn foot(ui: &Ui, inner: Rect, bins: std::ops::Range<usize>, width: f32) {
    let theme = Theme::of(ui);
    let mut taken = f32::NEG_INFINITY;
    for bin in bins.clone() {
        let x = inner.left() + width * (bin - bins.start) as f32;
        ui.painter().vline(
            x,
            inner.bottom()..=inner.bottom() + 3.0,
            Stroke::new(1.0, theme.text3),
        );
        let text = if bin == 1 {
            "0".to_owned()
        } else {
            words::value(LossCounts::end(bin - 1))
        };
        let galley = ui
            .painter()
            .layout_no_wrap(text, theme::small(), theme.text3);
        if taken + 6.0 < x - galley.size().x / 2.0 {
            taken = x + galley.size().x / 2.0;
            ui.painter().galley(
                Align2::CENTER_TOP
                    .anchor_size(pos2(x, inner.bottom() + 3.0), galley.size())
                    .min,
                galley,
                theme.text3,
            );
        }
    }
}
