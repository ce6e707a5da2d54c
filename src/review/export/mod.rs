//! Exports reviewed games: JSON and CSV for programs, text, Markdown and HTML with pictures for people.

mod csv;
mod death;
mod html;
mod json;
mod minds;
mod picture;
mod sections;
mod several;

use std::io;

use strum::EnumIter;

use super::{Blame, Decider, Report, Review, Several};
use crate::words::escape;
pub use csv::review_heads;
pub use death::ReviewedDeath;
pub use minds::ReviewedMinds;
pub use picture::TILE_FILLS;
pub use sections::{Picture, RESIDUAL, Section};

/// The format of an exported review.
#[derive(Clone, Copy, PartialEq, Eq, Debug, EnumIter)]
pub enum ReviewFormat {
    Html,
    Markdown,
    Csv,
    Json,
}

impl ReviewFormat {
    /// The file ending.
    pub const fn ending(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::Csv => "csv",
            Self::Markdown => "md",
            Self::Html => "html",
        }
    }

    pub const fn name(self) -> &'static str {
        match self {
            Self::Json => "JSON",
            Self::Csv => "CSV",
            Self::Markdown => "Markdown",
            Self::Html => "HTML",
        }
    }
}

/// A reviewed game with its report and its player.
#[derive(Clone, Copy, Debug)]
pub struct Reviewed<'a> {
    /// The title of the game.
    pub title: &'a str,
    pub review: &'a Review,
    pub report: &'a Report,
    pub player: Option<&'a Decider>,
}

impl Reviewed<'_> {
    pub fn write(&self, format: ReviewFormat) -> io::Result<Vec<u8>> {
        match format {
            ReviewFormat::Json => json::json(self),
            ReviewFormat::Csv => Ok(csv::csv(self).into_bytes()),
            ReviewFormat::Markdown => Ok(markdown(self.title, &self.sections()).into_bytes()),
            ReviewFormat::Html => {
                Ok(html::html(self.title, &self.sections(), &html::lanes(self)).into_bytes())
            }
        }
    }

    /// The sections of the report.
    pub fn sections(&self) -> Vec<Section> {
        sections::sections(self)
    }

    /// The name of what decided a move; empty if it is unknown.
    fn rule(&self, index: usize) -> String {
        let blame = self.review.blame(index);
        blame
            .zip(self.player)
            .map_or_else(String::new, |(blame, player)| player.name(blame))
    }
}

/// Summaries of many reviewed games.
#[derive(Clone, Copy)]
pub struct ReviewedGames<'a> {
    pub title: &'a str,
    /// `Reference, 3 moves + 2 spawns`.
    pub judge: &'a str,
    pub games: &'a Several,
    /// The name of a row of a player, by the name of the player.
    pub rules: &'a dyn Fn(&str, Blame) -> String,
}

impl ReviewedGames<'_> {
    pub fn sections(&self) -> Vec<Section> {
        several::sections(self)
    }

    pub fn markdown(&self) -> String {
        markdown(self.title, &self.sections())
    }

    pub fn html(&self) -> String {
        html::html(self.title, &self.sections(), "")
    }
}

/// Sections as an HTML document with pictures.
pub fn sections_html(title: &str, sections: &[Section]) -> String {
    html::html(title, sections, "")
}

/// Sections as a text document.
pub fn sections_markdown(title: &str, sections: &[Section]) -> String {
    markdown(title, sections)
}

fn markdown(title: &str, sections: &[Section]) -> String {
    let mut text = format!("# {}\n", escape::markdown(title));
    for section in sections {
        if !section.title.is_empty() {
            text += &format!("\n## {}\n", escape::markdown(&section.title));
        }
        for sentence in &section.sentences {
            text += &format!("\n{}.\n", escape::markdown(sentence));
        }
        if !section.table.rows.is_empty() {
            text += &format!("\n{}", section.table.markdown());
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::sections::{count_column, text_column};
    use super::*;
    use crate::table::Table;

    #[test]
    fn names_of_others_are_text_in_a_document() {
        let hostile = "<script>x</script> [x](javascript:y) `a` | \"b\"\n# c";
        let section = Section {
            title: hostile.to_owned(),
            sentences: vec![format!("played by {hostile}")],
            table: Table::of(
                &[
                    text_column("strategy", |_: &()| hostile.to_owned()),
                    count_column("games", |_: &()| 1),
                ],
                [()],
            ),
            ..Section::default()
        };
        let text = sections_markdown(hostile, std::slice::from_ref(&section));
        let safe = r#"\<script\>x\</script\> \[x\](javascript:y) \`a\` \| "b" \# c"#;
        assert_eq!(
            text,
            format!(
                "# {safe}\n\n## {safe}\n\nplayed by {safe}.\n\n| strategy | games |\n| --- | ---: |\n| {safe} | 1 |\n"
            )
        );

        let html = sections_html(hostile, &[section]);
        assert_eq!(
            html.matches("&lt;script&gt;x&lt;/script&gt;").count(),
            5,
            "{html}"
        );
        assert!(
            !html.contains("<script") && !html.contains("\"b\""),
            "{html}"
        );
    }
}
