//! The field for the probability of a 4.

use egui::DragValue;

use crate::words;

/// A field that shows a probability of a 4 as `10 %`. It reads `12.5` and `12.5 %`.
pub fn fours_field(p4: &mut f64) -> DragValue<'_> {
    let field = DragValue::new(p4)
        .range(0.0..=1.0)
        .speed(0.002)
        .max_decimals(4);
    field
        .custom_formatter(|p4, _| text_of(p4))
        .custom_parser(read)
}

fn text_of(p4: f64) -> String {
    format!("{} %", words::fours_percent(p4))
}

fn read(text: &str) -> Option<f64> {
    let percent: f64 = text.trim().trim_end_matches('%').trim_end().parse().ok()?;
    Some(percent / 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_of_a_probability_reads_as_the_same_probability() {
        for p4 in [0.0, 0.07, 0.1, 0.125, 0.2, 0.3333, 1.0] {
            assert_eq!(read(&text_of(p4)), Some(p4), "{}", text_of(p4));
        }
        assert_eq!(text_of(0.1), "10 %");
        assert_eq!(
            ["12.5", " 12.5%", "ten"].map(read),
            [Some(0.125), Some(0.125), None]
        );
    }
}
