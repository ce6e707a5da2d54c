//! How the contribution of each tuple on a board changed while a network learned.
//!
//! A file contains only the current weights. So the history consists of snapshots that this window took: one at each
//! point of the curve while the board was shown, and one of each saved file.

use std::collections::HashMap;

use egui::{Align2, Rect, RichText, Role, Sense, Ui, WidgetInfo, pos2, vec2};

use crate::game::Board;
use crate::network::Network;
use crate::words;
use crate::workbench::kit::{Heights, NUMBERS, paint_dashed};
use crate::workbench::theme::{self, Theme};

/// Number of boards with a history; a user looks at a few.
const BOARDS: usize = 64;
/// Maximum number of snapshots per board.
const COPIES: usize = 1000;
/// Height of the plot with its numbers.
const HEIGHT: f32 = 148.0;
/// Room for the numbers of games.
const BELOW: f32 = 18.0;
/// Room for the names of the tuples.
const NAMES: f32 = 76.0;
const NAME: f32 = 13.0;

/// A number of games, and the contribution of each tuple then.
type Taken = (u64, Vec<f64>);

/// The contributions of tuples on boards after a slide, by network and board.
#[derive(Debug, Default)]
pub(super) struct Past(HashMap<(String, Board), Vec<Taken>>);

impl Past {
    /// Records a snapshot for these boards. One with fewer games than the last belongs to a new training and clears the
    /// history.
    pub(super) fn see(
        &mut self,
        name: &str,
        network: &Network,
        boards: impl Iterator<Item = Board>,
    ) {
        let Some(games) = network
            .info
            .header
            .manifest
            .as_ref()
            .map(|manifest| manifest.games)
        else {
            return;
        };
        for board in boards {
            let key = (name.to_owned(), board);
            if BOARDS <= self.0.len() && !self.0.contains_key(&key) {
                self.0.clear();
            }
            let copies = self.0.entry(key).or_default();
            match copies.last() {
                Some((last, _)) if *last == games => continue,
                Some((last, _)) if games < *last => copies.clear(),
                _ => {}
            }
            let Some(reading) = network.reading(&board.to_grid()) else {
                continue;
            };
            if copies.len() == COPIES {
                copies.remove(0);
            }
            let tuples = 0..network.shape().tuples().len();
            copies.push((games, tuples.map(|tuple| reading.of_tuple(tuple)).collect()));
        }
    }

    pub(super) fn of(&self, name: &str, board: Board) -> &[Taken] {
        self.0
            .get(&(name.to_owned(), board))
            .map_or(&[], Vec::as_slice)
    }
}

/// One line per tuple; the chosen one is stronger.
pub(super) fn past_ui(ui: &mut Ui, network: &Network, copies: &[Taken], chosen: usize) {
    let theme = Theme::of(ui);
    let [(first, before), .., (last, now)] = copies else {
        return;
    };
    let tuples = network.shape().tuples();
    let change = |tuple: usize| {
        let [before, now] = [before[tuple], now[tuple]].map(|sum| words::decimals(sum, 1));
        format!("{} from {before} to {now}", tuples[tuple])
    };
    let changes: Vec<String> = (0..tuples.len()).map(change).collect();
    let range = format!(
        "from {} to {} games",
        words::count(*first),
        words::count(*last)
    );
    let sentence = format!(
        "Contribution of each tuple on this board, {range}: {}",
        changes.join(", ")
    );
    let (rect, response) =
        ui.allocate_exact_size(vec2(ui.available_width(), HEIGHT), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Image, true, &sentence));
    let inner = Rect::from_min_max(
        rect.min + vec2(NUMBERS, 18.0),
        rect.max - vec2(NAMES, BELOW),
    );
    let heights = Heights::of(
        inner,
        copies.iter().flat_map(|(_, sums)| sums.iter().copied()),
    );
    let painter = ui.painter();
    heights.paint(
        painter,
        theme,
        "Contribution of each tuple on this board",
        false,
    );
    let width = (*last - *first).max(1) as f32;
    let across = |games: u64| inner.left() + inner.width() * (games - *first) as f32 / width;
    let at = |x: f32, align| (pos2(x, inner.bottom() + 4.0), align);
    for ((at, align), games) in [
        (at(inner.left(), Align2::LEFT_TOP), first),
        (at(inner.right(), Align2::RIGHT_TOP), last),
    ] {
        painter.text(
            at,
            align,
            words::plural(*games, "game"),
            theme::small(),
            theme.text3,
        );
    }

    let mut names: Vec<(f32, usize)> = Vec::new();
    for tuple in 0..tuples.len() {
        let points: Vec<_> = copies
            .iter()
            .map(|(games, sums)| pos2(across(*games), heights.y(sums[tuple])))
            .collect();
        let wide = if tuple == chosen { 2.0 } else { 1.0 };
        paint_dashed(
            painter,
            &points,
            theme.strategy(tuple),
            wide * theme::SERIES_WIDTH,
        );
        names.extend(points.last().map(|point| (point.y, tuple)));
    }

    // Names of lines that end close together are listed below each other; a name that does not fit is in the tooltip.
    names.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut above = f32::NEG_INFINITY;
    for (y, tuple) in names {
        above = y.max(above + NAME);
        if above <= rect.bottom() {
            let (at, mark) = (
                pos2(inner.right() + theme::SPACE_S, above),
                theme.strategy(tuple),
            );
            painter.text(
                at,
                Align2::LEFT_CENTER,
                tuples[tuple].to_string(),
                theme::small(),
                mark.color,
            );
        }
    }

    response.on_hover_text(changes.join("\n"));
}

/// The hint while there are too few snapshots for a line.
pub(super) fn hint_ui(ui: &mut Ui) {
    let text = "Shows changes between copies; each point of the curve makes one copy";
    ui.label(
        RichText::new(text)
            .font(theme::small())
            .color(Theme::of(ui).text3),
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board;
    use crate::network::{Manifest, NetworkInfo, Restarts, Scores, Shape, Training};

    fn network(games: u64, weight: f32) -> Network {
        let shape: Shape = "01 4".parse().expect("a shape");
        let manifest = Manifest {
            rule: String::new(),
            training: Training::new(shape.clone(), 100),
            version: String::new(),
            generator: String::new(),
            threads: 1,
            games,
            moves: 0,
            secs: 0.0,
            started: String::new(),
            command: String::new(),
            since: Scores::default(),
            restarts: Restarts::default(),
        };

        let weights = vec![weight; shape.weights() as usize];
        Network::new(NetworkInfo::of(shape, Some(manifest), Vec::new()), weights)
    }

    #[test]
    fn each_copy_adds_what_its_tuples_add_and_another_training_begins_anew() {
        let board = board! {
            2 4 . .
            . . . .
            . . . .
            . . . 2
        };
        let mut past = Past::default();
        for (games, weight) in [(10, 1.0), (20, 2.0), (20, 9.0), (30, -1.5)] {
            past.see("one", &network(games, weight), [board].into_iter());
        }
        // Two tuples, each with eight images.
        assert_eq!(
            past.of("one", board),
            [
                (10, vec![8.0; 2]),
                (20, vec![16.0; 2]),
                (30, vec![-12.0; 2])
            ]
        );
        assert!(past.of("two", board).is_empty());
        past.see("one", &network(5, 0.5), [board].into_iter());
        assert_eq!(past.of("one", board), [(5, vec![4.0; 2])]);
    }
}
