//! A network's predictions along the current game: the value of each afterstate, the points that actually followed, and
//! the reward of each slide.

use egui::{Align2, Pos2, Rect, Role, Sense, Stroke, Ui, WidgetInfo, pos2, vec2};

use crate::network::Network;
use crate::words;
use crate::workbench::command::{Commands, GameCommand};
use crate::workbench::kit::{self, Heights, NUMBERS, band, paint_dashed, tick_text, ticks};
use crate::workbench::state::Document;
use crate::workbench::theme::{self, Theme};

/// Room for the move numbers below the curves.
const BELOW: f32 = 34.0;
/// The rewards take this share of the height.
const REWARDS: f32 = 0.2;

/// A slide of the current game.
struct Instant {
    expected: f64,
    came: f64,
    reward: u32,
}

/// One per slide of the current line.
fn instants(doc: &Document, network: &Network) -> Vec<Instant> {
    let end = doc
        .line()
        .last()
        .map_or(0, |&last| doc.tree().node(last).score);
    let pairs = doc
        .line()
        .windows(2)
        .filter_map(|pair| Some((doc.tree().node(pair[0]), doc.tree().node(pair[1]).step?)));
    pairs
        .filter_map(|(before, step)| {
            let slide = before.board.slide(step.mv)?;
            let expected = network.of_grid(&slide.after.board().to_grid());
            let score = before.score + u64::from(slide.reward);
            Some(Instant {
                expected,
                came: end.saturating_sub(score) as f64,
                reward: slide.reward,
            })
        })
        .collect()
}

pub(super) fn game_ui(
    ui: &mut Ui,
    doc: &Document,
    network: &Network,
    name: &str,
    commands: &mut Commands,
) {
    let theme = Theme::of(ui);
    if doc.board().size() != network.size() {
        let text = format!(
            "Trained on {} boards: open a game of that size",
            network.size()
        );
        kit::remark(ui, text, theme.text2);
        return;
    }

    let all = instants(doc, network);
    if all.is_empty() {
        kit::remark(ui, "This game has no moves yet", theme.text2);
        return;
    }

    let height = (ui.available_height() - 22.0).max(150.0);
    let (rect, response) =
        ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::click());
    let inner = Rect::from_min_max(
        rect.min + vec2(NUMBERS, 18.0),
        rect.max - vec2(theme::SPACE_L, BELOW),
    );
    let (mut upper, mut lower) = (inner, inner);
    lower.min.y = (inner.bottom() - REWARDS * inner.height()).round();
    upper.max.y = lower.top() - theme::SPACE_S;
    let mean = all.iter().map(|one| one.expected - one.came).sum::<f64>() / all.len() as f64;
    let sentence = format!(
        "Points that {name} expects along the game, {}: on average {} compared with the points scored afterward",
        words::plural(all.len() as u64, "slide"),
        words::signed(mean, 0)
    );
    response.widget_info(|| WidgetInfo::labeled(Role::Image, true, &sentence));
    let painter = ui.painter();
    let heights = Heights::of(
        upper,
        all.iter().flat_map(|one| [one.expected, one.came, 0.0]),
    );
    heights.paint(
        painter,
        theme,
        "Points to come: expected (line), scored by the end of the game (area)",
        false,
    );
    let last = (all.len() - 1).max(1) as f32;
    let across = |place: usize| inner.left() + inner.width() * place as f32 / last;
    let came = all
        .iter()
        .enumerate()
        .map(|(place, one)| Some((across(place), heights.y(0.0), heights.y(one.came))));
    painter.add(band(came, theme.sequential(0.5).gamma_multiply(0.35)));
    let points: Vec<Pos2> = all
        .iter()
        .enumerate()
        .map(|(place, one)| pos2(across(place), heights.y(one.expected)))
        .collect();
    paint_dashed(painter, &points, theme.strategy(0), theme::SERIES_WIDTH);
    let most = all.iter().map(|one| one.reward).max().unwrap_or(1).max(1) as f32;
    for (place, one) in all.iter().enumerate().filter(|(_, one)| 0 < one.reward) {
        let top = lower.bottom() - lower.height() * one.reward as f32 / most;
        painter.vline(
            across(place),
            top..=lower.bottom(),
            Stroke::new(1.0, theme.sequential(0.65)),
        );
    }

    let label = |at: Pos2, align, text: &str| {
        painter.text(at, align, text, theme::small(), theme.text3);
    };
    label(
        lower.left_top() - vec2(6.0, 0.0),
        Align2::RIGHT_TOP,
        &words::decimals(most.into(), 0),
    );
    label(
        lower.left_bottom() - vec2(6.0, 0.0),
        Align2::RIGHT_BOTTOM,
        "reward",
    );
    painter.hline(
        inner.x_range(),
        lower.bottom().round() + 0.5,
        Stroke::new(1.0, theme.line),
    );
    let (values, step) = ticks(
        0.0,
        f64::from(last),
        ((inner.width() / 84.0) as usize).max(2),
    );
    for value in values {
        let x = inner.left() + inner.width() * value as f32 / last;
        label(
            pos2(x, inner.bottom() + 4.0),
            Align2::CENTER_TOP,
            &tick_text(value, step),
        );
    }
    label(
        pos2(inner.center().x, inner.bottom() + 18.0),
        Align2::CENTER_TOP,
        "Slides of the game",
    );
    let here = doc.place().min(all.len() - 1);
    painter.vline(
        across(here),
        inner.y_range(),
        Stroke::new(1.5, theme.accent),
    );
    let Some(pointer) = response
        .hover_pos()
        .filter(|at| inner.expand(4.0).contains(*at))
    else {
        return;
    };
    let place =
        (((pointer.x - inner.left()) / inner.width()).clamp(0.0, 1.0) * last).round() as usize;
    let one = &all[place.min(all.len() - 1)];
    if response.clicked()
        && let Some(&node) = doc.line().get(place)
    {
        commands.push(GameCommand::GoTo(node));
    }

    response.on_hover_text(format!(
        "Slide {}, reward {}\nexpects {} more, scored {} more\nClick to go there",
        words::count(place as u64 + 1),
        words::count(one.reward.into()),
        words::decimals(one.expected, 0),
        words::decimals(one.came, 0),
    ));
}
