//! Lines that are too short for all entries: the rest is in a list behind a button, or on another line.

use egui::{Align, Layout, Ui};

/// The indices of the widths, `gap` apart, that fit into `room`. If not all fit, leaves `more` for the button of the
/// list, and always includes `keep`.
pub fn fitting(widths: &[f32], gap: f32, room: f32, more: f32, keep: Option<usize>) -> Vec<usize> {
    let whole =
        |places: &[usize]| places.iter().map(|&place| widths[place] + gap).sum::<f32>() - gap;
    let all: Vec<usize> = (0..widths.len()).collect();
    if whole(&all) <= room {
        return all;
    }

    let mut left = room - more - gap;
    let mut shown: Vec<usize> = keep
        .filter(|&place| place < widths.len())
        .into_iter()
        .collect();
    left -= shown.iter().map(|&place| widths[place] + gap).sum::<f32>();
    for place in (0..widths.len()).filter(|&place| keep != Some(place)) {
        left -= widths[place] + gap;
        if left + gap < 0.0 {
            break;
        }
        shown.push(place);
    }
    shown.sort_unstable();
    shown
}

/// Content at the right end of a wrapping line; if it does not fit there, on one or several lines of its own.
pub fn at_end<R>(ui: &mut Ui, add: impl FnOnce(&mut Ui) -> R) -> R {
    let key = ui.unique_id().with("width at the end");
    // The largest width so far: wrapped, it is narrower.
    let width: f32 = ui.data(|data| data.get_temp(key)).unwrap_or_default();
    let lacks_room = |ui: &Ui| ui.available_size_before_wrap().x < width;
    if lacks_room(ui) {
        ui.end_row();
    }
    let layout = Layout::right_to_left(Align::Center).with_main_wrap(lacks_room(ui));
    let (inner, now) = ui
        .with_layout(layout, |ui| (add(ui), ui.min_rect().width()))
        .inner;
    if width < now {
        ui.data_mut(|data| data.insert_temp(key, now));
        ui.ctx().request_repaint();
    }
    inner
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_is_shown_and_the_rest_from_the_left() {
        let widths = [30.0, 40.0, 50.0, 60.0];
        assert_eq!(fitting(&widths, 2.0, 186.0, 20.0, None), [0, 1, 2, 3]);
        assert_eq!(fitting(&widths, 2.0, 185.0, 20.0, None), [0, 1, 2]);
        assert_eq!(fitting(&widths, 2.0, 120.0, 20.0, None), [0, 1]);
        assert_eq!(
            fitting(&widths, 2.0, 120.0, 20.0, Some(3)),
            [0, 3],
            "the one to keep takes its room first"
        );
        assert_eq!(
            fitting(&widths, 2.0, 40.0, 20.0, Some(2)),
            [2],
            "however little room there is"
        );
        assert!(fitting(&[], 2.0, 40.0, 20.0, Some(0)).is_empty());
    }
}
