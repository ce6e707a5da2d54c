//! Further questions of `review` on judged games: where two strategies disagree, and how near the end was.

use std::io::Write;

use super::Failure;
use super::args::{ReviewArgs, ReviewPrinted};
use super::input;
use super::review::{GameToReview, Reviewing, text};
use super::watch::Bar;
use crate::review::{
    Death, DeathQuestion, Decider, Minds, Review, ReviewedDeath, ReviewedMinds, Section,
    sections_html, sections_markdown,
};
use crate::table::Formats;
use crate::task::CancelToken;
use crate::words;

/// Sections in the text formats; rows as CSV.
fn print(
    format: ReviewPrinted,
    title: &str,
    sections: &[Section],
    json: &str,
    out: &mut impl Write,
) -> Result<(), Failure> {
    match format {
        ReviewPrinted::Text => out.write_all(text(title, sections).as_bytes())?,
        ReviewPrinted::Markdown => out.write_all(sections_markdown(title, sections).as_bytes())?,
        ReviewPrinted::Html => out.write_all(sections_html(title, sections).as_bytes())?,
        ReviewPrinted::Json => writeln!(out, "{json}")?,
        ReviewPrinted::Csv => {
            for section in sections
                .iter()
                .filter(|section| !section.table.rows.is_empty())
            {
                section.table.write_csv(&mut *out, true)?;
            }
        }
    }
    Ok(())
}

/// Two strategies with the results on them.
struct Pair {
    /// The place of the player of these games; `None` if both were named.
    player: Option<usize>,
    minds: Minds,
    titles: Vec<String>,
}

impl Reviewing<'_> {
    /// `--against`: where two strategies disagree.
    pub(super) fn go_minds(
        &mut self,
        args: &ReviewArgs,
        stop: &CancelToken,
        out: &mut impl Write,
    ) -> Result<(), Failure> {
        let rules = self.session.judge.rules();
        if 2 < args.against.len() {
            return Err(Failure::usage(
                "--against compares two strategies: give it once or twice",
            ));
        }
        let named = args.against.iter().map(|named| {
            let strategy = input::strategy_of_flag("--against", named)?;
            Decider::new(&strategy, rules)
                .map_err(|error| Failure::usage(format!("--against {}: {error}", strategy.label())))
        });
        let named: Vec<Decider> = named.collect::<Result<_, Failure>>()?;
        let mut pairs: Vec<Pair> = Vec::new();

        // Both are asked at every position anyway.
        self.session.asks_rows = false;
        for game in std::mem::replace(&mut self.games, Box::new(std::iter::empty())) {
            let GameToReview {
                record,
                title,
                player,
            } = game?;
            let by = player
                .and_then(|place| self.players.get(place))
                .map(|(_, player)| player);
            let review = self.judged(record, by, &title, stop)?;
            let Some(minds) = self.minds(&named, player) else {
                return Err(Failure::usage(format!(
                    "--against: the record of {title} names no strategy that can play: give --against twice"
                )));
            };
            let player = player.filter(|_| named.len() == 1);
            let place = pairs
                .iter()
                .position(|pair| pair.player == player)
                .unwrap_or_else(|| {
                    pairs.push(Pair {
                        player,
                        minds: Minds::default(),
                        titles: Vec::new(),
                    });
                    pairs.len() - 1
                });
            let added = pairs[place].minds.add(
                &review,
                minds,
                self.session.threads,
                &Bar::new().control(&title, stop),
            );
            if !added.map_err(Failure::could)? {
                break;
            }
            pairs[place].titles.push(title);
            if stop.is_cancelled() {
                break;
            }
        }

        for pair in &pairs {
            let Some(players) = self.minds(&named, pair.player) else {
                continue;
            };
            let judge = self.session.judge.label();
            let found = ReviewedMinds {
                judge: &judge,
                minds: &pair.minds,
                players,
                titles: &pair.titles,
            };
            let [one, other] = found.names();
            let json = found.json().map_err(Failure::could)?;
            print(
                args.format,
                &format!("{one} and {other}"),
                &found.sections(),
                &json,
                out,
            )?;
        }

        stopped(stop, pairs.iter().map(|pair| pair.minds.games).sum())
    }

    /// The player of the game and the named strategy, or the two named strategies.
    fn minds<'a>(
        &'a self,
        named: &'a [Decider],
        player: Option<usize>,
    ) -> Option<[&'a Decider; 2]> {
        match named {
            [one, other] => Some([one, other]),
            [other] => Some([&self.players.get(player?)?.1, other]),
            _ => None,
        }
    }

    /// `--death`: the risk of losing along each game.
    pub(super) fn go_death(
        &mut self,
        (moves, format): (u32, ReviewPrinted),
        stop: &CancelToken,
        out: &mut impl Write,
    ) -> Result<(), Failure> {
        let question = DeathQuestion {
            moves,
            ..DeathQuestion::default()
        };
        let mut games = 0;
        for game in std::mem::replace(&mut self.games, Box::new(std::iter::empty())) {
            let GameToReview { record, title, .. } = game?;
            let review = Review::new(record, self.session.judge.clone());
            let bar = Bar::new();
            let control = bar.control(&title, stop);
            let death = Death::of(
                review.moments(),
                &self.session.judge,
                question,
                self.session.threads,
                &control,
                &mut |_| {},
            );
            drop(bar);
            let death = death.map_err(Failure::could)?;
            if stop.is_cancelled() {
                break;
            }
            let found = ReviewedDeath {
                judge: &self.session.judge,
                death: &death,
            };
            if format == ReviewPrinted::Csv {
                found
                    .table(&title)
                    .only(Formats::CSV)
                    .write_csv(&mut *out, games == 0)?;
            } else {
                let json = found.json(&title).map_err(Failure::could)?;
                print(format, &title, &found.sections(), &json, out)?;
            }
            games += 1;
        }

        stopped(stop, games)
    }
}

fn stopped(stop: &CancelToken, games: usize) -> Result<(), Failure> {
    let games = words::plural(games as u64, "game");
    if stop.is_cancelled() {
        Err(Failure::Stopped(format!(" after {games}")))
    } else {
        Ok(())
    }
}
