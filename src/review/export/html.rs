//! A reviewed game as one HTML file, with pictures of the boards.

use super::picture::{LaneValues, board_svg, lanes_svg};
use super::{Reviewed, Section};
use crate::review::Points;
use crate::words::escape::html as escaped;

const STYLE: &str = "body{font:15px/1.5 system-ui,sans-serif;max-width:1000px;margin:2em auto;padding:0 1em;color-scheme:light dark}\
table{border-collapse:collapse;margin:.6em 0}td,th{padding:.25em .7em;text-align:left;vertical-align:middle;\
border-bottom:1px solid #8884}.n{text-align:right;font-variant-numeric:tabular-nums}svg{max-width:100%;height:auto}\
.note{opacity:.75}";

/// A document. `charts` go below its first section.
pub(super) fn html(title: &str, sections: &[Section], charts: &str) -> String {
    let title = escaped(title);
    let mut text = format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{title}</title><style>{STYLE}</style></head>\
         <body>\n<h1>{title}</h1>\n"
    );

    for (place, section) in sections.iter().enumerate() {
        if !section.title.is_empty() {
            text += &format!("<h2>{}</h2>\n", escaped(&section.title));
        }
        text.extend(
            section
                .sentences
                .iter()
                .map(|sentence| format!("<p>{}.</p>\n", escaped(sentence))),
        );
        if place == 0 {
            text += charts;
        }
        if section.table.rows.is_empty() {
            continue;
        }
        if !section.pictures.is_empty() {
            let [full, dashed] = section.arrows.map(escaped);
            text += &format!("<p class=\"note\">Full arrow: {full}. Dashed arrow: {dashed}.</p>\n");
        }
        // A picture replaces the board notation of the text formats.
        let columns = section.table.heads.len();
        text += &section.table.html(|row, column| {
            let picture = section
                .pictures
                .get(row)
                .filter(|_| column + 1 == columns)?;
            Some(board_svg(&picture.board, picture.played, picture.other))
        });
    }

    text + "</body></html>\n"
}

pub(super) fn lanes(reviewed: &Reviewed<'_>) -> String {
    let review = reviewed.review;
    let series =
        |value: &dyn Fn(usize) -> Option<f64>| (0..review.moves()).map(value).collect::<Vec<_>>();
    let expected = series(&|index| {
        let score = review.moments()[index].score as f64;
        review.look(index).map(|look| score + look.worth().to_f64())
    });
    let loss = series(&|index| review.loss(index).map(Points::to_f64));
    let luck = series(&|index| review.luck(index).map(Points::to_f64));
    let lanes = [
        LaneValues {
            label: "Expected final score",
            is_of_move: false,
            values: expected,
        },
        LaneValues {
            label: "Loss of each move",
            is_of_move: true,
            values: loss,
        },
        LaneValues {
            label: "Luck of each tile",
            is_of_move: true,
            values: luck,
        },
    ];
    if review.moves() == 0 {
        String::new()
    } else {
        format!("<p>{}</p>\n", lanes_svg(&lanes))
    }
}
