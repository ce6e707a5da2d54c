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
    let button = ui.add(
        Button::new("Bins")
            .icon(Icon::ChevronDown)
            .small()
            .name("Bins and axis of the plots"),
    );
    let button = button.on_hover_text("Bin width, logarithmic axis, largest tiles and outliers");
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
        .on_hover_text(
            "Equal lengths are equal ratios of scores (log2), so 2,000 and 200,000 fit in one plot",
        );
    ui.checkbox(&mut plots.stacked, "Stack by largest tile")
        .on_hover_text(
            "Split the bars of the selected or the first strategy by the largest tile of the game",
        );
    let tail = "Extend the axis to the highest score; otherwise one bar at the end holds scores above every strategy's 99.9 % quantile";
    ui.checkbox(&mut plots.whole, "All scores on the axis")
        .on_hover_text(tail);
    view.draw_as(plots);
}

fn width_ui(
    ui: &mut Ui,
    data: &PlotData,
    plots: &mut crate::workbench::state::settings::PlotSettings,
) {
    let log2 = data.axis.log2;
    let present = match data.bins.width() {
        BinWidth::Points(width) => width,
        BinWidth::PerDoubling(parts) => parts,
    };
    let chosen = if log2 {
        &mut plots.per_doubling
    } else {
        &mut plots.width
    };
    let mut automatic = chosen.is_none();
    let about = "Use the smallest Freedman–Diaconis width of the shown strategies; no bin is narrower than two pixels";
    if ui
        .checkbox(&mut automatic, "Automatic bin width")
        .on_hover_text(about)
        .changed()
    {
        *chosen = (!automatic).then_some(present);
    }

    let mut value = chosen.unwrap_or(present);
    let slider = if log2 {
        Slider::new(&mut value, 1..=MOST_PER_DOUBLING).text("bins per doubling")
    } else {
        Slider::new(&mut value, 4..=WIDEST)
            .step_by(4.0)
            .text("points per bin")
    };
    let slider = ui.add(slider.logarithmic(true).clamping(SliderClamping::Always));
    if slider.changed() {
        *if log2 {
            &mut plots.per_doubling
        } else {
            &mut plots.width
        } = Some(value);
    }

    if (if log2 {
        plots.per_doubling
    } else {
        plots.width
    })
    .is_some_and(|chosen| chosen != present)
    {
        let why = format!(
            "Shown: {}; narrower bins would be under two pixels wide",
            data.width_text()
        );
        ui.label(RichText::new(why).small().color(Theme::of(ui).text3));
    }
}
