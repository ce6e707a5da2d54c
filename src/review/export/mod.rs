//! A reviewed game as bytes: JSON and CSV for programs, text, Markdown and HTML with pictures for people.

mod csv;
mod death;
mod html;
mod json;
mod minds;
mod picture;
mod sections;
mod several;

use std::io;

use super::{Blame, Decider, Report, Review, Several};
pub use death::ReviewedDeath;
pub use minds::ReviewedMinds;
pub use picture::TILE_FILLS;
pub use sections::{Picture, RESIDUAL, Section};

/// What a review is written as.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReviewFormat {
    Json,
    Csv,
    Markdown,
    Html,
}

impl ReviewFormat {
    pub const ALL: [Self; 4] = [Self::Html, Self::Markdown, Self::Csv, Self::Json];

    /// What its files end with.
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

/// A reviewed game with its report and who played it.
#[derive(Clone, Copy, Debug)]
pub struct Reviewed<'a> {
    /// What the game is called.
    pub title: &'a str,
    pub review: &'a Review,
    pub report: &'a Report,
    pub player: Option<&'a Decider>,
}

impl Reviewed<'_> {
    pub fn write(&self, format: ReviewFormat) -> io::Result<Vec<u8>> {
        match format {
            ReviewFormat::Json => json::json(self),
            ReviewFormat::Csv => csv::csv(self),
            ReviewFormat::Markdown => Ok(markdown(self.title, &self.sections()).into_bytes()),
            ReviewFormat::Html => Ok(html::html(self.title, &self.sections(), &html::lanes(self)).into_bytes()),
        }
    }

    /// What there is to read.
    pub fn sections(&self) -> Vec<Section> {
        sections::sections(self)
    }

    /// What decided a move, as it is called; empty where nobody knows.
    fn rule(&self, index: usize) -> String {
        let blame = self.review.blame(index);
        blame.zip(self.player).map_or_else(String::new, |(blame, player)| player.name(blame))
    }
}

/// Many reviewed games with what they have in common.
#[derive(Clone, Copy)]
pub struct ReviewedGames<'a> {
    pub title: &'a str,
    /// `Reference, 3 moves + 2 spawns`.
    pub judge: &'a str,
    pub games: &'a Several,
    /// What a row of a player is called, by the name of the player.
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

/// A document of sections, with pictures.
pub fn sections_html(title: &str, sections: &[Section]) -> String {
    html::html(title, sections, "")
}

/// A document of sections as text.
pub fn sections_markdown(title: &str, sections: &[Section]) -> String {
    markdown(title, sections)
}

fn markdown(title: &str, sections: &[Section]) -> String {
    let line = |cells: &[String]| {
        let cells: Vec<String> = cells.iter().map(|cell| cell.replace('|', "\\|")).collect();
        format!("| {} |\n", cells.join(" | "))
    };
    let mut text = format!("# {title}\n");
    for section in sections {
        if !section.title.is_empty() {
            text += &format!("\n## {}\n", section.title);
        }
        for sentence in &section.sentences {
            text += &format!("\n{sentence}.\n");
        }
        if section.rows.is_empty() {
            continue;
        }
        text.push('\n');
        text += &line(&section.header.iter().map(ToString::to_string).collect::<Vec<_>>());
        let dashes = |column: usize| if section.numbers.contains(&column) { "---:" } else { "---" }.to_owned();
        text += &line(&(0..section.header.len()).map(dashes).collect::<Vec<_>>());
        text.extend(section.rows.iter().map(|row| line(row)));
    }
    text
}
