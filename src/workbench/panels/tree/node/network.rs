//! The readings of the evaluator's networks on the node's board: the tuples that add up, each shown on the board.

use egui::{RichText, Ui};

use super::data::{NetworkRead, NodeDetails};
use crate::workbench::kit::small_print;
use crate::workbench::panels::tree::words::title;
use crate::workbench::panels::tuples::{Pointed, tuples_ui};
use crate::workbench::theme::{self, Theme};

/// Height of the small boards that show the images of a tuple.
const HEIGHT: f32 = 240.0;

#[derive(Debug, Default)]
pub(super) struct Networks {
    /// One per network of the evaluator.
    pointed: Vec<Pointed>,
}

impl Networks {
    /// Draws nothing if the evaluator has no network.
    pub(super) fn ui(&mut self, ui: &mut Ui, details: &NodeDetails) {
        let theme = Theme::of(ui);
        self.pointed
            .resize(details.networks.len(), Pointed::default());
        for (place, (read, pointed)) in details.networks.iter().zip(&mut self.pointed).enumerate() {
            ui.push_id(("network", place), |ui| {
                ui.spacing_mut().item_spacing.y = theme::SPACE_S;
                let text = format!("Weights read by {}", read.term.name);
                ui.label(RichText::new(text).font(theme::strong()).color(theme.text1));
                small_print(ui, about(read), theme.text2);
                if !read.reading.terms.is_empty() {
                    tuples_ui(
                        ui,
                        &read.term.network,
                        &read.reading,
                        pointed,
                        HEIGHT,
                        |_, _| {},
                    );
                }
                small_print(ui, &read.sum, theme.text2);
                ui.add_space(theme::SPACE_L);
            });
        }
    }
}

fn about(read: &NetworkRead) -> String {
    match read.reading.slide {
        Some((mv, _)) => format!(
            "No cell is empty: the network reads the board after {}, the best slide",
            title(mv)
        ),
        None if read.reading.terms.is_empty() => {
            "No cell is empty and no slide is left: no points remain".to_owned()
        }
        None => "Each tuple adds up the weights of its images: the points that it still expects"
            .to_owned(),
    }
}
