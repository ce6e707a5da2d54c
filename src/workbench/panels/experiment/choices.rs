//! Options of the plots: width of bins, axis, tail, stack.

use egui::{Popup, PopupCloseBehavior, RichText, Slider, SliderClamping, Ui};

use super::data::PlotData;
use crate::stats::BinWidth;
use crate::workbench::icon::Icon;
use crate::workbench::kit::Button;
use crate::workbench::panels::experiment::run_view::RunView;
use crate::workbench::theme::Theme;

/// The widest bin that the user can choose.
const WIDEST: u32 = 100_000;
const MOST_PER_DOUBLING: u32 = 64;

/// The button that opens the options.
pub(super) fn choices_ui(ui: &mut Ui, data: &PlotData, view: &mut RunView) {
    let button = ui.add(Button::new("Bins").icon(Icon::ChevronDown).small().name("Bins and axis of the plots"));
    let button = button.on_hover_text("Width of the bins, logarithmic axis, largest tiles, games far above the others");
    let menu = Popup::menu(&button).close_behavior(PopupCloseBehavior::CloseOnClickOutside);
    menu.show(|ui| in_menu_ui(ui, data, view));
}

/// The options in a menu.
pub(super) fn in_menu_ui(ui: &mut Ui, data: &PlotData, view: &mut RunView) {
    ui.set_min_width(250.0);
    let mut plots = view.plots;
    width_ui(ui, data, &mut plots);
    if data.paired.is_some() {
        return view.draw_as(plots);
    }
    ui.separator();
    ui.checkbox(&mut plots.log2, "Logarithmic axis")
        .on_hover_text("Equal lengths are equal ratios of scores (log2): games of 2,000 and of 200,000 in one plot");
    ui.checkbox(&mut plots.stacked, "Stack by largest tile")
        .on_hover_text("Part the bars of one strategy, the selected one or the first, by the largest tile of the game");
    let tail = "Lay the axis out to the highest score. Without it, scores above the 99.9 % quantile of every strategy are one bar at the end";
    ui.checkbox(&mut plots.whole, "All scores on the axis").on_hover_text(tail);
    view.draw_as(plots);
}

fn width_ui(ui: &mut Ui, data: &PlotData, plots: &mut crate::workbench::state::settings::PlotSettings) {
    let log2 = data.axis.log2;
    let present = match data.bins.width() {
        BinWidth::Points(width) => width,
        BinWidth::PerDoubling(parts) => parts,
    };
    let asked = if log2 { &mut plots.per_doubling } else { &mut plots.width };
    let mut automatic = asked.is_none();
    let about =
        "The smallest width of Freedman and Diaconis among the strategies shown; no bin is narrower than two pixels";
    if ui.checkbox(&mut automatic, "Bins follow the games").on_hover_text(about).changed() {
        *asked = (!automatic).then_some(present);
    }

    let mut value = asked.unwrap_or(present);
    let slider = if log2 {
        Slider::new(&mut value, 1..=MOST_PER_DOUBLING).text("bins to a doubling")
    } else {
        Slider::new(&mut value, 4..=WIDEST).step_by(4.0).text("points to a bin")
    };
    let slider = ui.add(slider.logarithmic(true).clamping(SliderClamping::Always));
    if slider.changed() {
        *if log2 { &mut plots.per_doubling } else { &mut plots.width } = Some(value);
    }

    if (if log2 { plots.per_doubling } else { plots.width }).is_some_and(|asked| asked != present) {
        let why = format!("Shown: {}; narrower ones have less than two pixels here", data.width_text());
        ui.label(RichText::new(why).small().color(Theme::of(ui).text3));
    }
}
