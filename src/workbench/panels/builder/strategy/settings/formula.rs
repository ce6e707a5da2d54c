//! The editor of a formula: mistakes and their places, the value of the board on screen, words and examples.
//!
//! Typed text takes effect as soon as it is valid. Until then the row plays by the formula it had when the field was entered.

use std::ops::Range;

use egui::text::{CCursor, CCursorRange, CharIndex, LayoutJob, TextFormat};
use egui::{
    Grid, Id, Margin, Popup, PopupCloseBehavior, RichText, ScrollArea, Stroke, StrokeKind,
    TextEdit, Ui, vec2,
};
use itertools::Itertools as _;
use strum::IntoEnumIterator as _;

use super::{On, about, labelled};
use crate::evaluator::{EXAMPLES, Evaluator, Formula, FormulaError, Group, OwnFiles, WORDS, Word};
use crate::game::{Move, Size};
use crate::words;
use crate::workbench::kit::{Button, menu_item, problem, small_print};
use crate::workbench::panels::builder::number::Change;
use crate::workbench::theme::{self, Theme};

/// Size of the list of words.
const WORDS_SIZE: egui::Vec2 = vec2(430.0, 380.0);

/// The formula of the row when the field was entered.
#[derive(Clone)]
struct Entered(String);

/// Typed text that is not valid yet.
#[derive(Clone, Debug)]
struct Draft {
    text: String,
    /// The formula of the row when the draft was typed. If that changes, the draft is discarded.
    base: String,
}

pub(super) fn formula_ui(ui: &mut Ui, now: &mut Formula, on: On<'_>) -> Change {
    let id = ui.scope_id().with("formula");
    let draft = ui
        .data(|data| data.get_temp::<Draft>(id))
        .filter(|draft| draft.base == now.text());
    let mut text = draft
        .as_ref()
        .map_or_else(|| now.text().to_owned(), |draft| draft.text.clone());
    let before = text.clone();
    let field = ui.scope_id().with("field of the formula");
    labelled(ui, "Formula", |ui| {
        ui.spacing_mut().item_spacing.x = theme::SPACE_S;
        examples_ui(ui, &mut text);
        words_ui(ui, &mut text, field);
    });

    let typed = Formula::new(text.as_str());
    let wrong = typed.check(on.size()).err();
    let response = field_ui(
        ui,
        field,
        &mut text,
        wrong.as_ref().map(FormulaError::bytes).as_ref(),
    );
    if response.gained_focus() {
        ui.data_mut(|data| data.insert_temp(id, Entered(now.text().to_owned())));
    }
    if text != before {
        return typed_ui(ui, id, now, text, on).map(|()| response.has_focus());
    }

    // Numbers that are too large have no place in the text.
    let whole = || {
        Evaluator::Formula(typed.clone())
            .check(on.size())
            .err()
            .map(|wrong| wrong.to_string())
    };
    match wrong.as_ref().map(ToString::to_string).or_else(whole) {
        None => value_ui(ui, &typed, on),
        Some(wrong) => {
            problem(ui, &words::capitalised(&wrong));
            if draft.is_some() {
                let plays = format!(
                    "The row uses {} until the formula is valid",
                    words::one_line(now.text())
                );
                small_print(ui, plays, Theme::of(ui).text3);
                if ui.add(Button::new("Discard typed text").small()).clicked() {
                    ui.data_mut(|data| data.remove::<Draft>(id));
                }
            }
        }
    }

    if response.lost_focus() {
        ui.data_mut(|data| data.remove::<Entered>(id));
    }
    // The end of a visit ends the undo step.
    (response.lost_focus() && wrong.is_none()).then_some(false)
}

/// Takes typed text if it is valid. Otherwise the row returns to the formula it had when the field was entered, not to a part of
/// the text that happened to be valid.
fn typed_ui(ui: &Ui, id: Id, now: &mut Formula, text: String, on: On<'_>) -> Option<()> {
    let typed = Formula::new(text.as_str());
    if Evaluator::Formula(typed.clone()).check(on.size()).is_ok() {
        ui.data_mut(|data| data.remove::<Draft>(id));
        *now = typed;
        return Some(());
    }
    let entered = ui
        .data(|data| data.get_temp::<Entered>(id))
        .map(|Entered(text)| text);
    let base = entered.unwrap_or_else(|| now.text().to_owned());
    let goes_back = base != now.text();
    *now = Formula::new(base.as_str());
    ui.data_mut(|data| data.insert_temp(id, Draft { text, base }));
    goes_back.then_some(())
}

fn field_ui(
    ui: &mut Ui,
    id: Id,
    text: &mut String,
    wrong: Option<&Range<usize>>,
) -> egui::Response {
    let theme = Theme::of(ui);
    let mut layouter = |ui: &Ui, text: &dyn egui::TextBuffer, wrap: f32| {
        let mut job = coloured(text.as_str(), wrong, theme);
        job.wrap.max_width = wrap;
        ui.painter().layout_job(job)
    };
    let edit = TextEdit::multiline(text)
        .id(id)
        .font(theme::mono())
        .desired_width(f32::INFINITY)
        .desired_rows(2)
        .margin(Margin::symmetric(6, 4))
        .background_color(theme.bg1)
        .layouter(&mut layouter);
    let response = ui.add(edit).accessible_name("Formula");
    if wrong.is_some() {
        ui.painter().rect_stroke(
            response.rect,
            theme::RADIUS_S,
            Stroke::new(1.0, theme.error),
            StrokeKind::Inside,
        );
    }
    response
}

/// Colors words, numbers and comments, and underlines the mistake.
fn coloured(text: &str, wrong: Option<&Range<usize>>, theme: &Theme) -> LayoutJob {
    let mut job = LayoutJob::default();
    for (at, color) in tokens(text, theme) {
        let is_wrong = |byte: usize| wrong.is_some_and(|wrong| wrong.contains(&byte));
        // Only the wrong part of a token is underlined.
        for (underlined, letters) in &text[at.clone()]
            .char_indices()
            .chunk_by(|(byte, _)| is_wrong(at.start + byte))
        {
            let letters: String = letters.map(|(_, letter)| letter).collect();
            let underline = if underlined {
                Stroke::new(2.0, theme.error)
            } else {
                Stroke::NONE
            };
            job.append(
                &letters,
                0.0,
                TextFormat {
                    font_id: theme::mono(),
                    color,
                    underline,
                    ..TextFormat::default()
                },
            );
        }
    }
    job
}

fn tokens(text: &str, theme: &Theme) -> Vec<(Range<usize>, egui::Color32)> {
    let mut tokens = Vec::new();
    let mut from = 0;
    while let Some(first) = text[from..].chars().next() {
        let rest = &text[from..];
        let len_of = |belongs: fn(char) -> bool| {
            rest.find(|letter: char| !belongs(letter))
                .unwrap_or(rest.len())
        };
        let (len, color) = match first {
            '#' => (rest.find('\n').unwrap_or(rest.len()), theme.text3),
            '0'..='9' => (
                len_of(|letter| letter.is_ascii_alphanumeric() || letter == '.'),
                theme.warn,
            ),
            _ if first.is_ascii_alphabetic() => {
                let len = len_of(|letter| letter.is_ascii_alphanumeric() || letter == '_');
                let is_word = WORDS.iter().any(|word| word.name == &rest[..len]);
                (len, if is_word { theme.accent } else { theme.text1 })
            }
            _ => (first.len_utf8(), theme.text2),
        };
        tokens.push((from..from + len, color));
        from += len;
    }
    tokens
}

/// The value of the board on screen, and of the board after each slide.
fn value_ui(ui: &mut Ui, formula: &Formula, on: On<'_>) {
    let compiled = Evaluator::Formula(formula.clone()).compile(&OwnFiles);
    let value = |board: &crate::game::Board, score: u64| {
        words::value(crate::evaluator::Evaluate::value(
            &compiled,
            board.to_grid(),
            score,
        ))
    };
    let after = Move::ALL.into_iter().filter_map(|mv| {
        let slide = on.board.slide(mv)?;
        let score = on.score.saturating_add(u64::from(slide.reward));
        Some(format!(
            "{}\u{a0}{}",
            mv.arrow(),
            value(&slide.after.board(), score)
        ))
    });
    let after = after.collect_vec();
    let own = format!("This board {}", value(on.board, on.score));
    let text = if after.is_empty() {
        own
    } else {
        format!("{own}; after a slide {}", after.join("  "))
    };
    small_print(ui, text, Theme::of(ui).text2);
    about(ui, speed(formula, on.size()));
}

fn speed(formula: &Formula, size: Size) -> &'static str {
    match (formula.is_by_lines(), size) {
        (true, Size::FOUR) => "Searches look it up line by line",
        (true, _) => "Computed on each board: only lines of 4x4 boards are looked up",
        (false, _) => "Computed on each board: slower in searches than a short sum over lines",
    }
}

fn examples_ui(ui: &mut Ui, text: &mut String) {
    let button = ui.add(Button::new("Examples").small().name("Examples of formulas"));
    Popup::menu(&button).show(|ui| {
        for example in EXAMPLES {
            let entry = menu_item(ui, example.name, None, true);
            if entry
                .on_hover_text(format!("{}\n\n{}", example.about, example.text))
                .clicked()
            {
                example.text.clone_into(text);
            }
        }
    });
}

/// All words with their meanings; a click inserts one at the cursor.
fn words_ui(ui: &mut Ui, text: &mut String, field: Id) {
    let button = ui.add(Button::new("Words").small().name("Words of formulas"));
    Popup::menu(&button)
        .close_behavior(PopupCloseBehavior::CloseOnClickOutside)
        .show(|ui| {
            ui.reset_style();
            ui.set_width(WORDS_SIZE.x);
            ScrollArea::vertical()
                .max_height(WORDS_SIZE.y)
                .show(ui, |ui| {
                    for group in Group::iter() {
                        ui.label(RichText::new(group.title()).strong());
                        Grid::new(("words", group.title()))
                            .num_columns(2)
                            .spacing(vec2(theme::SPACE_M, 2.0))
                            .show(ui, |ui| {
                                for word in WORDS.iter().filter(|word| word.group == group) {
                                    word_ui(ui, word, text, field);
                                    ui.end_row();
                                }
                            });
                        ui.add_space(theme::SPACE_M);
                    }
                });
        });
}

fn word_ui(ui: &mut Ui, word: &Word, text: &mut String, field: Id) {
    let put = ui
        .add(
            Button::new(word.name)
                .small()
                .name(&format!("Word {}", word.name)),
        )
        .on_hover_text(format!("Insert {} at the cursor", word.example));
    if put.clicked() {
        insert(ui, text, word.example, field);
    }
    ui.vertical(|ui| {
        ui.set_width(WORDS_SIZE.x - 110.0);
        small_print(ui, word.about, Theme::of(ui).text2);
        small_print(
            ui,
            RichText::new(word.example).monospace(),
            Theme::of(ui).text3,
        );
    });
}

fn insert(ui: &Ui, text: &mut String, words: &str, field: Id) {
    let mut state = egui::TextEdit::load_state(ui.ctx(), field).unwrap_or_default();
    let count = text.chars().count();
    let at = state
        .cursor
        .char_range()
        .map_or(count, |range| range.primary.index.0.min(count));
    let byte = text
        .char_indices()
        .nth(at)
        .map_or(text.len(), |(byte, _)| byte);
    text.insert_str(byte, words);
    let behind = CCursor::new(CharIndex(at + words.chars().count()));
    state.cursor.set_char_range(Some(CCursorRange::one(behind)));
    state.store(ui.ctx(), field);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_sums_over_lines_of_four_by_four_are_said_to_be_looked_up() {
        let is_looked_up =
            |text, size| speed(&Formula::new(text), size).starts_with("Searches look it up");
        for size in Size::all() {
            assert_eq!(
                is_looked_up("empty + score", size),
                size == Size::FOUR,
                "{size}"
            );
            assert!(!is_looked_up("empty * empty", size), "{size}");
        }
    }
}
