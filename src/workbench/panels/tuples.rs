//! The contribution of each tuple of a network to the value of a board: one row per tuple, and the images of the chosen
//! one.

use egui::{
    Align2, Rect, RichText, Role, Sense, Stroke, StrokeKind, Ui, Vec2, WidgetInfo, pos2, vec2,
};

use crate::game::{Board, Position as _};
use crate::network::Network;
use crate::network::opened::{Reading, Term};
use crate::words;
use crate::workbench::kit::{BoardGeometry, ListRow, paint_mini};
use crate::workbench::theme::{self, Theme};

/// Side of a small board.
const SIDE: std::ops::RangeInclusive<f32> = 40.0..=96.0;
/// Height of the number below a small board.
const NUMBER: f32 = 14.0;
/// Minimum width at which the small boards are next to the rows.
const WIDE: f32 = 420.0;
/// Width of a tuple's name and number.
const COLUMN: f32 = 92.0;

/// The tuple whose images are shown.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Pointed {
    /// Chosen by a click.
    pub(super) tuple: usize,
    /// Set while the pointer is on its row.
    hovered: Option<usize>,
}

/// The rows, the images of the chosen tuple next to or above them, and the sum; `height` is the height of the small
/// boards. `below` draws the part under the rows, for the chosen tuple.
pub(super) fn tuples_ui(
    ui: &mut Ui,
    network: &Network,
    reading: &Reading,
    pointed: &mut Pointed,
    height: f32,
    below: impl FnOnce(&mut Ui, usize),
) {
    let shown = pointed
        .hovered
        .unwrap_or(pointed.tuple)
        .min(network.shape().tuples().len() - 1);
    let board = reading.board.to_board();
    let own: Vec<&Term> = reading
        .terms
        .iter()
        .filter(|term| term.tuple == shown)
        .collect();
    let before = pointed.hovered.take();

    if WIDE <= ui.available_width() {
        ui.horizontal_top(|ui| {
            images_ui(ui, &board, &own, 2, height);
            ui.vertical(|ui| {
                sums_ui(ui, network, reading, pointed);
                below(ui, pointed.tuple);
            });
        });
    } else {
        images_ui(ui, &board, &own, 4, height);
        ui.add_space(theme::SPACE_S);
        sums_ui(ui, network, reading, pointed);
        below(ui, pointed.tuple);
    }

    if pointed.hovered != before {
        ui.ctx().request_repaint();
    }
}

fn sums_ui(ui: &mut Ui, network: &Network, reading: &Reading, pointed: &mut Pointed) {
    let theme = Theme::of(ui);
    let sums: Vec<f64> = (0..network.shape().tuples().len())
        .map(|tuple| reading.of_tuple(tuple))
        .collect();
    let most = sums.iter().map(|sum| sum.abs()).fold(1e-9, f64::max);
    for (place, (tuple, sum)) in network.shape().tuples().iter().zip(&sums).enumerate() {
        let own = reading.terms.iter().filter(|term| term.tuple == place);
        let parts: Vec<String> = own
            .map(|term| words::decimals(f64::from(term.weight), 1))
            .collect();
        let name = format!("Tuple {tuple}: {}", words::decimals(*sum, 1));
        let row = ListRow::new(&name).selected(place == pointed.tuple);
        let response = row.show(ui, |line, response| {
            line.start(&tuple.to_string(), theme::mono(), theme.text1);
            line.left = response.rect.left() + COLUMN;
            line.end(&words::decimals(*sum, 1), theme::body(), theme.text1);
            line.right = response.rect.right() - COLUMN;
            let bar = Rect::from_min_max(
                pos2(line.left, line.y - 4.0),
                pos2(line.right.max(line.left), line.y + 4.0),
            );
            let middle = bar.center().x;
            let end = middle + 0.5 * bar.width() * (sum / most) as f32;
            let fill = theme.diverging(if *sum < 0.0 { -0.7 } else { 0.7 });
            let filled = Rect::from_x_y_ranges(middle.min(end)..=middle.max(end), bar.y_range());
            line.painter.rect_filled(filled, 1, fill);
            line.painter
                .vline(middle, bar.y_range(), Stroke::new(1.0, theme.line));
        });

        if response.hovered() {
            pointed.hovered = Some(place);
        }

        if response
            .on_hover_text(format!("{} images: {}", parts.len(), parts.join(" + ")))
            .clicked()
        {
            pointed.tuple = place;
        }
    }

    let text = format!("Sum {}", words::decimals(sums.iter().sum(), 1));
    ui.label(RichText::new(text).font(theme::medium()).color(theme.text1));
}

/// Each image of a tuple on a small board, with its weight.
fn images_ui(ui: &mut Ui, board: &Board, images: &[&Term], most: usize, height: f32) {
    let theme = Theme::of(ui);
    let across = if images.len() < 3 { 1 } else { most };
    let rows = images.len().div_ceil(across).max(1);
    // Next to the rows, the boards take only the space they need.
    let wide = if most == 2 {
        *SIDE.end()
    } else {
        (ui.available_width() - 1.0) / across as f32 - theme::SPACE_S
    };
    let side = (height / rows as f32 - NUMBER - theme::SPACE_S)
        .min(wide)
        .clamp(*SIDE.start(), *SIDE.end());

    ui.vertical(|ui| {
        ui.spacing_mut().item_spacing = Vec2::splat(theme::SPACE_S);
        for row in images.chunks(across) {
            ui.horizontal(|ui| {
                for term in row {
                    let weight = words::decimals(f64::from(term.weight), 1);
                    let (rect, response) =
                        ui.allocate_exact_size(vec2(side, side + NUMBER), Sense::hover());
                    let numbers: Vec<String> = term
                        .cells
                        .iter()
                        .map(|cell| format!("{:x}", cell.index(board.size())))
                        .collect();
                    let name = format!("Image {}: {weight}", numbers.concat());
                    response.widget_info(|| WidgetInfo::labeled(Role::Image, true, &name));
                    let space = Rect::from_min_size(rect.min, Vec2::splat(side));
                    let geometry = paint_mini(ui.painter(), theme, space, board);
                    outline(ui, geometry, term);
                    let below = pos2(rect.center().x, rect.bottom());
                    ui.painter().text(
                        below,
                        Align2::CENTER_BOTTOM,
                        weight,
                        theme::small(),
                        theme.text2,
                    );
                }
            });
        }
    });
}

fn outline(ui: &Ui, geometry: BoardGeometry, term: &Term) {
    let stroke = Stroke::new(1.5, Theme::of(ui).accent);
    for &cell in &term.cells {
        ui.painter()
            .rect_stroke(geometry.cell(cell), 1, stroke, StrokeKind::Inside);
    }
}
