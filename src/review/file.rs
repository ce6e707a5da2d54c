//! Reviews as files, half done or done.
//!
//! A file is one line of RON that says of which game, by which judge and which player, then of each position: how many plies deep
//! it was looked at (0: not yet), the values of its legal moves, the mean and the next value, all as differences of millionths
//! of a point, seven bits a byte, and what decided its move; then, for each question for which moves were played on, of each of those
//! its number, the move beside it and in how many games it came to the goal. At its end the SHA-256 of all before. Version 1 knew
//! nothing of playing on, version 2 of more than one question.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::chance::{Chances, ChancesOf};
use super::game::{Look, Review};
use super::judge::Judgement;
use super::{Blame, ChanceAt, ChanceQuestion, Decider, Points};
use crate::experiment::Runs;
use crate::files::{self, LARGEST_FILE, WriteError};
use crate::game::Move;
use crate::kept::{KeptError, Kind};
use crate::search::Plies;

static KIND: Kind = Kind {
    name: "review",
    format: "afterstate review",
    version: 3,
    ending: "review",
    folder: "reviews",
    longest_header: 1 << 16,
    example: "the path of one",
    made_by: "afterstate review writes one",
    again: "remove it and review the game again",
    make: "afterstate review",
};

/// What the first line of a file says.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReviewInfo {
    format: String,
    version: u32,
    /// What the judge is called.
    pub judge: String,
    judge_sha256: String,
    game_sha256: String,
    pub positions: usize,
    /// Millionths of a point.
    deepen_from: Option<i64>,
    /// SHA-256 of the strategy whose rows were asked.
    player_sha256: Option<String>,
    /// The one question of a file of version 2.
    #[serde(default, skip_serializing)]
    chance: Option<ChanceQuestion>,
    /// What the moves that were played on were asked.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    chances: Vec<ChanceQuestion>,
}

/// Where reviews are kept: beside the games of a run, or in a folder of the user.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReviewFolder(PathBuf);

impl ReviewFolder {
    /// The folder `reviews` in one of a run, or of data.
    pub fn within(folder: &Path) -> Self {
        Self(folder.join(KIND.folder))
    }

    /// Where reviews of games are kept: with the run that a game is of, while its folder is there, else beside the folder of runs;
    /// `None` where the system names no folder for data. The window and the command line look in the same place.
    pub fn of_games(run: Option<&Path>, runs: Option<&Runs>) -> Option<Self> {
        let of_run = run.filter(|folder| folder.is_dir());
        of_run.or_else(|| runs?.folder().parent()).map(Self::within)
    }

    /// Where the review of a game by a judge is.
    pub fn path_of(&self, review: &Review) -> PathBuf {
        let [judge, game] = [review.judge().sha256(), review.game_sha256()].map(|hash| &hash[..16]);
        self.0.join(judge).join(format!("{game}.{}", KIND.ending))
    }

    /// Writes what is known, whole or not at all.
    pub fn write(&self, review: &Review, player: Option<&Decider>) -> Result<(), WriteError> {
        let path = self.path_of(review);
        files::make_folder(files::folder_of(&path))?;
        let asked = player.filter(|_| !review.blames.is_empty());
        let info = ReviewInfo {
            format: KIND.format.to_owned(),
            version: KIND.version,
            judge: review.judge().label(),
            judge_sha256: review.judge().sha256().to_owned(),
            game_sha256: review.game_sha256().to_owned(),
            positions: review.looks.len(),
            deepen_from: review.deepen_from.and_then(Points::millionths),
            player_sha256: asked.map(|player| player.strategy().sha256()),
            chance: None,
            chances: review.chances.iter().map(|(question, _)| *question).collect(),
        };
        KIND.write(&path, &info, |out| out.write_all(&body(review)))?;
        Ok(())
    }

    /// Takes over what is kept of this review; says whether there is anything. Nothing is taken of a file that is wrong.
    pub fn read_into(&self, review: &mut Review, player: Option<&Decider>) -> Result<bool, KeptError> {
        let path = self.path_of(review);
        if !path.exists() {
            return Ok(false);
        }
        let bytes = files::read_bytes(&path, LARGEST_FILE)?;
        let (info, body, _) = KIND.split::<ReviewInfo>(&path, &bytes)?;
        let is_same = info.judge_sha256 == review.judge().sha256()
            && info.game_sha256 == review.game_sha256()
            && info.positions == review.looks.len();
        if !is_same {
            return Err(KIND.damaged(&path, "it is of another game or another judge"));
        }
        let asked = info.chance.into_iter().chain(info.chances);
        let read = read_body(body, review, asked);
        let (looks, blames, chances) = read.ok_or_else(|| KIND.damaged(&path, "its positions do not read"))?;
        review.looks = looks;
        review.deepen_from = info.deepen_from.map(Points::from_millionths);
        let is_asked = player.is_some_and(|player| info.player_sha256 == Some(player.strategy().sha256()));
        review.blames = if is_asked { blames } else { Vec::new() };
        review.chances = chances;
        review.remember();
        Ok(true)
    }
}

impl Review {
    /// Tells the judge what it has said of these boards before.
    fn remember(&self) {
        for (moment, look) in self.moments().iter().zip(&self.looks) {
            if let Some(look) = look {
                self.judge().remember(moment.board, look.plies, look.values);
            }
        }
    }
}

const NOT_ASKED: u8 = 255;
const LAST_RESORT: u8 = 254;
const ANOTHER: u8 = 253;

fn body(review: &Review) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(24 * review.looks.len());
    let mut before = 0;
    for (index, look) in review.looks.iter().enumerate() {
        let Some(look) = look else {
            bytes.push(0);
            continue;
        };
        bytes.push(look.plies as u8);
        let values = look.values.iter().filter_map(|(_, value)| *value).chain([look.mean, look.next]);
        for value in values {
            // No value is larger than 2³⁴ points.
            let value = value.millionths().unwrap_or_default();
            push(&mut bytes, value.wrapping_sub(before));
            before = value;
        }
        bytes.push(match review.blame(index) {
            None => NOT_ASKED,
            Some(Blame::LastResort) => LAST_RESORT,
            Some(Blame::Another) => ANOTHER,
            Some(Blame::Row(row)) => row,
        });
    }
    for (_, chances) in review.chances.iter() {
        push(&mut bytes, chances.len() as i64);
        for (&index, ChanceAt { best, games, reached: [played, with_best], both }) in chances {
            let counts = [games, played, with_best, both].map(|&count| count as i64);
            [index as i64, best.index() as i64].into_iter().chain(counts).for_each(|number| push(&mut bytes, number));
        }
    }
    bytes
}

type Body = (Vec<Option<Look>>, Vec<Option<Blame>>, Chances);

/// What playing on found for one question, behind the positions.
fn read_chances(bytes: &mut &[u8], moves: usize) -> Option<ChancesOf> {
    let mut chances = ChancesOf::new();
    for _ in 0..pop(bytes)? {
        let mut next = || u64::try_from(pop(bytes)?).ok();
        let (index, best) = (usize::try_from(next()?).ok()?, usize::try_from(next()?).ok()?);
        let (games, reached, both) = (next()?, [next()?, next()?], next()?);
        let is_count = reached.iter().all(|reached| (both..=games).contains(reached));
        if !is_count || moves <= index || games + both < reached[0] + reached[1] {
            return None;
        }
        chances.insert(index, ChanceAt { best: *Move::ALL.get(best)?, games, reached, both });
    }
    Some(chances)
}

fn read_body(bytes: &[u8], review: &Review, asked: impl Iterator<Item = ChanceQuestion>) -> Option<Body> {
    let (mut bytes, mut before) = (bytes, 0_i64);
    let mut next = |bytes: &mut &[u8]| {
        before = before.wrapping_add(pop(bytes)?);
        Some(Points::from_millionths(before))
    };
    let (mut looks, mut blames) = (Vec::new(), Vec::new());
    for moment in review.moments() {
        let plies = u32::from(*bytes.split_off_first()?);
        if plies == 0 {
            looks.push(None);
            blames.push(None);
            continue;
        }
        if Plies::DEEPEST < plies {
            return None;
        }
        let mut values = Judgement::default();
        for mv in Move::ALL.into_iter().filter(|&mv| moment.board.legal_moves().contains(mv)) {
            values[mv] = Some(next(&mut bytes)?);
        }
        looks.push(Some(Look { plies, values, mean: next(&mut bytes)?, next: next(&mut bytes)? }));
        blames.push(match *bytes.split_off_first()? {
            NOT_ASKED => None,
            LAST_RESORT => Some(Blame::LastResort),
            ANOTHER => Some(Blame::Another),
            row => Some(Blame::Row(row)),
        });
    }
    blames.truncate(review.moves());
    let asked = asked.map(|question| Some((question, read_chances(&mut bytes, review.moves())?)));
    let chances = asked.collect::<Option<Chances>>()?;
    bytes.is_empty().then_some((looks, blames, chances))
}

/// A number with its sign in the lowest bit, seven bits a byte, the eighth for "more follows".
fn push(bytes: &mut Vec<u8>, number: i64) {
    let mut rest = (number.wrapping_shl(1) ^ (number >> 63)) as u64;
    while 0x7f < rest {
        bytes.push(rest as u8 | 0x80);
        rest >>= 7;
    }
    bytes.push(rest as u8);
}

fn pop(bytes: &mut &[u8]) -> Option<i64> {
    let mut number = 0_u64;
    for shift in (0..64).step_by(7) {
        let byte = *bytes.split_off_first()?;
        number |= u64::from(byte & 0x7f).checked_shl(shift)?;
        if byte & 0x80 == 0 {
            return Some((number >> 1) as i64 ^ -((number & 1) as i64));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_they_were_written() {
        for number in [0, 1, -1, 63, -64, 64, 1_000_000, -213_456_123_456, i64::MAX, i64::MIN] {
            let mut bytes = Vec::new();
            push(&mut bytes, number);
            assert_eq!(pop(&mut bytes.as_slice()), Some(number));
            assert_eq!(pop(&mut &bytes[..bytes.len() - 1]), None);
        }
        assert_eq!(pop(&mut [0xff; 11].as_slice()), None, "no number is so long");
    }
}
