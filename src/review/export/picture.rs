//! Boards and line charts as SVG, for documents.

use std::fmt::Write as _;

use crate::game::{Board, Move};

/// Fill of the tiles 2 to 131072 as red, green and blue. Larger tiles look like the last.
pub const TILE_FILLS: [u32; 17] = [
    0x59_67_6D, 0x19_56_6A, 0x2A_6C_8F, 0x12_78_BE, 0x34_43_94, 0x6C_52_B2, 0x7A_1E_80, 0xC3_1E_55,
    0xA8_19_19, 0xF4_95_60, 0xF8_D3_34, 0x8F_AB_40, 0xB5_D0_7B, 0x52_C3_94, 0x57_DB_DB, 0x45_B4_E1,
    0xF0_F5_F7,
];

/// The first rank with a light fill and dark numerals.
const FIRST_LIGHT_RANK: u8 = 10;

/// Side of a cell including its gap.
const CELL: usize = 36;
const GAP: usize = 3;

/// A small board as one `svg` element with an arrow for each move: solid for the one played, dashed for the best one.
pub(super) fn board_svg(board: &Board, played: Option<Move>, best: Option<Move>) -> String {
    let (rows, cols) = (board.size().rows(), board.size().cols());
    let [width, height] = [cols, rows].map(|cells| cells * CELL + GAP);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
         role=\"img\"><title>{board}</title><rect width=\"{width}\" height=\"{height}\" rx=\"4\" fill=\"#2b3136\"/>"
    );

    for (cell, rank) in board.cells() {
        let [x, y] = [cell.col, cell.row].map(|place| usize::from(place) * CELL + GAP);
        let side = CELL - GAP;
        let fill = match rank.get() {
            0 => 0x3a_42_48,
            rank => TILE_FILLS[usize::from(rank - 1).min(TILE_FILLS.len() - 1)],
        };
        let _ = write!(
            svg,
            "<rect x=\"{x}\" y=\"{y}\" width=\"{side}\" height=\"{side}\" rx=\"3\" fill=\"#{fill:06x}\"/>"
        );
        if rank.is_empty() {
            continue;
        }
        let numeral = rank.tile().to_string();
        let size = [15, 15, 14, 12, 10, 9][numeral.len().min(6) - 1];
        let ink = if rank.get() < FIRST_LIGHT_RANK {
            "#ffffff"
        } else {
            "#14171a"
        };
        let (x, y) = (x + side / 2, y + side / 2);
        let _ = write!(
            svg,
            "<text x=\"{x}\" y=\"{y}\" fill=\"{ink}\" font-size=\"{size}\" font-weight=\"600\" text-anchor=\"middle\" \
             dominant-baseline=\"central\">{numeral}</text>"
        );
    }

    for (mv, color, dashes) in [
        (played, "#ff6b6b", ""),
        (best, "#ffffff", " stroke-dasharray=\"4 3\""),
    ] {
        svg += &mv.map_or_else(String::new, |mv| {
            arrow(mv, [width as f64, height as f64], color, dashes)
        });
    }
    svg + "</svg>"
}

/// From the middle of the board to three quarters of the way to an edge. The dark outline keeps it visible on any tile.
fn arrow(mv: Move, [width, height]: [f64; 2], color: &str, dashes: &str) -> String {
    let (dx, dy): (f64, f64) = match mv {
        Move::Up => (0.0, -1.0),
        Move::Down => (0.0, 1.0),
        Move::Left => (-1.0, 0.0),
        Move::Right => (1.0, 0.0),
    };

    let [x, y] = [width / 2.0, height / 2.0];
    let (tip_x, tip_y) = (x + 0.38 * width * dx, y + 0.38 * height * dy);
    let (back_x, back_y) = (tip_x - 9.0 * dx, tip_y - 9.0 * dy);
    let [left, right] = [1.0, -1.0].map(|side| {
        format!(
            "{:.1} {:.1}",
            back_x + 6.0 * side * dy,
            back_y + 6.0 * side * dx
        )
    });
    let (shaft, head) = (
        format!("M{x:.1} {y:.1}L{tip_x:.1} {tip_y:.1}"),
        format!("M{left}L{tip_x:.1} {tip_y:.1}L{right}"),
    );
    format!(
        "<g fill=\"none\"><path d=\"{shaft}{head}\" stroke=\"#14171a\" stroke-opacity=\"0.7\" stroke-width=\"6.5\"/>\
         <g stroke=\"{color}\" stroke-width=\"3.5\"><path d=\"{shaft}\"{dashes}/><path d=\"{head}\"/></g></g>"
    )
}

/// A lane of values per move.
pub(super) struct LaneValues {
    pub(super) label: &'static str,
    /// Whether each value belongs to its move alone, and is drawn as a bar.
    pub(super) is_of_move: bool,
    /// One optional value per move.
    pub(super) values: Vec<Option<f64>>,
}

/// Lines over the same moves, each in its own band.
pub(super) fn lanes_svg(lanes: &[LaneValues]) -> String {
    const WIDTH: usize = 960;
    const LANE: usize = 90;
    let height = lanes.len() * LANE;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height}\" viewBox=\"0 0 {WIDTH} {height}\" role=\"img\">"
    );

    for (
        place,
        LaneValues {
            label,
            is_of_move,
            values,
        },
    ) in lanes.iter().enumerate()
    {
        let present = || values.iter().flatten().copied();
        let low = present().fold(0.0, f64::min);
        let high = present().fold(0.0, f64::max);
        let span = if low < high { high - low } else { 1.0 };
        let top = (place * LANE) as f64 + 18.0;
        let room = LANE as f64 - 26.0;
        let y = |value: f64| top + room * (high - value) / span;
        let nought = y(0.0);
        let _ = write!(
            svg,
            "<text x=\"0\" y=\"{:.0}\" font-size=\"12\" fill=\"currentColor\">{label}, {low:.0} to {high:.0}</text>\
             <path d=\"M0 {nought:.1}H{WIDTH}\" stroke=\"currentColor\" stroke-opacity=\"0.3\"/>",
            top - 6.0
        );
        let mut path = String::new();

        // Minimum and maximum over the moves of a pixel, at least one pixel high, so that no peak is lost.
        for x in 0..WIDTH {
            let [from, to] = [x, x + 1].map(|x| x * values.len() / WIDTH);
            let part = || {
                values[from..to.max(from + 1).min(values.len())]
                    .iter()
                    .flatten()
                    .copied()
            };
            let Some(least) = part().reduce(f64::min) else {
                continue;
            };
            let most = part().reduce(f64::max).unwrap_or(least);
            let _ = match is_of_move {
                true if least == 0.0 && most == 0.0 => Ok(()),
                true => {
                    let pixel = |is_there| if is_there { 1.0 } else { 0.0 };
                    let (foot, head) = (y(least.min(0.0)), y(most.max(0.0)));
                    write!(
                        path,
                        "M{x}.5 {:.1}V{:.1}",
                        foot + pixel(least < 0.0),
                        head - pixel(0.0 < most)
                    )
                }
                false => write!(path, "M{x}.5 {:.1}V{:.1}", y(least), y(most) - 1.0),
            };
        }

        let _ = write!(svg, "<path d=\"{path}\" stroke=\"#1278be\" fill=\"none\"/>");
    }

    svg + "</svg>"
}
