//! Reviews as files, complete or not.
//!
//! A file starts with one line of RON that names the game, the judge and the player. Then come the positions. Each has
//! its depth in plies (0: not judged yet), the values of its legal moves, the mean and the next value, all as
//! differences in millionths of a point, seven bits per byte, and the rows at which the moves of its turn were dropped.
//! Then, for each question that was answered by playouts, each move has its number, the alternative move and the
//! numbers of games that reached the goal. Then each move with own play has its number, the alternative move and the
//! points gained in each game. The file ends with the SHA-256 of everything before. Version 1 has no rollouts, version
//! 2 only one question. Up to version 3 one byte named the cause of a forced move, which is skipped. Version 4 has no
//! own play.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::chance::{Chances, ChancesOf};
use super::game::{Look, Review};
use super::judge::Judgement;
use super::own_play::OwnPlays;
use super::{Blame, ChanceAt, ChanceQuestion, Decider, Fallen, OwnPlay, Points};
use crate::experiment::Runs;
use crate::files::{self, LARGEST_FILE, LockedFile, Sha256, WriteError};
use crate::game::{ByMove, Moment, Move};
use crate::kept::{KeptError, Kind};
use crate::search::Plies;

static KIND: Kind = Kind {
    name: "review",
    format: "afterstate review",
    version: 5,
    ending: "review",
    folder: "reviews",
    longest_header: 1 << 16,
    example: "its path",
    made_by: "afterstate review writes one",
    again: "delete it and review the game again",
    make: "afterstate review",
};

/// The first line of a file.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReviewInfo {
    format: String,
    version: u32,
    /// The label of the judge.
    pub judge: String,
    judge_sha256: String,
    game_sha256: String,
    pub positions: usize,
    /// Millionths of a point.
    deepen_from: Option<i64>,
    /// SHA-256 of the strategy that was asked for its rows.
    player_sha256: Option<Sha256>,
    /// The only question of a file of version 2.
    #[serde(default, skip_serializing)]
    chance: Option<ChanceQuestion>,
    /// The questions that playouts answered.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    chances: Vec<ChanceQuestion>,
}

/// A folder of reviews: next to the games of a run, or in a folder of the user.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReviewFolder(PathBuf);

/// Why a review is not saved. The text names the file and the remedy.
#[derive(Debug, thiserror::Error)]
pub enum SaveError {
    #[error(transparent)]
    Write(#[from] WriteError),
    /// The existing file must not be replaced.
    #[error(transparent)]
    There(#[from] KeptError),
}

/// Whether an unreadable review is judged again and replaced, because nothing in the file is usable.
pub fn is_replaced(error: &KeptError) -> bool {
    matches!(error, KeptError::Damaged { .. } | KeptError::Other { .. })
}

impl ReviewFolder {
    /// How often a running review is written: the maximum loss at a power cut.
    pub const WRITE_EVERY: Duration = Duration::from_secs(5);

    /// The folder `reviews` in a run folder or a data folder.
    pub fn within(folder: &Path) -> Self {
        Self(folder.join(KIND.folder))
    }

    /// Whether the folder exists.
    pub fn is_there(&self) -> bool {
        self.0.is_dir()
    }

    /// The folder for reviews of games: in the run folder of a game if that exists, otherwise next to the folder of
    /// runs. `None` if the system has no data folder. The window and the command line use the same place.
    pub fn of_games(run: Option<&Path>, runs: Option<&Runs>) -> Option<Self> {
        let of_run = run.filter(|folder| folder.is_dir());
        of_run.or_else(|| runs?.folder().parent()).map(Self::within)
    }

    /// The path of the review of a game by a judge. Each threshold for deeper looks has its own file.
    pub fn path_of(&self, review: &Review) -> PathBuf {
        let from = review.deepen_from.and_then(Points::millionths);
        self.path_by(
            review,
            &from.map_or_else(String::new, |from| format!("-deeper-{from}")),
        )
    }

    fn path_by(&self, review: &Review, depths: &str) -> PathBuf {
        let [judge, game] = [review.judge().sha256(), review.game_sha256()].map(|hash| &hash[..16]);
        self.0
            .join(judge)
            .join(format!("{game}{depths}.{}", KIND.ending))
    }

    /// Merges the review with the file and writes the result, completely or not at all, because another process may
    /// review the same game. Leaves the file unchanged if there is nothing new. Replaces a damaged file. A file that
    /// cannot be read, or that a newer version of this program wrote, stays and is an error.
    pub fn write(&self, review: &Review, player: Option<&Decider>) -> Result<(), SaveError> {
        let path = self.path_of(review);
        files::make_folder(files::folder_of(&path))?;
        let _alone = self.lock()?;
        let on_disk = match self.read(review) {
            Err(error) if is_replaced(&error) => None,
            read => read?,
        };

        let mut all = review.clone();
        let asks = !review.fallen.is_empty() || !review.own_plays.is_empty();
        let mut player_sha256 = player
            .filter(|_| asks)
            .map(|player| player.strategy().sha256());
        if let Some((info, before)) = &on_disk {
            if !asks {
                player_sha256 = info.player_sha256;
            }
            all.take_over(before, info.player_sha256 == player_sha256);
        }

        let info = ReviewInfo {
            format: KIND.format.to_owned(),
            version: KIND.version,
            judge: review.judge().label(),
            judge_sha256: review.judge().sha256().to_owned(),
            game_sha256: review.game_sha256().to_owned(),
            positions: review.looks.len(),
            deepen_from: all.deepen_from.and_then(Points::millionths),
            player_sha256,
            chance: None,
            chances: all.chances.iter().map(|(question, _)| *question).collect(),
        };

        let body = body(&all);
        if on_disk.is_some_and(|(before, saved)| before == info && self::body(&saved) == body) {
            return Ok(());
        }
        KIND.write(&path, &info, |out| out.write_all(&body))?;
        Ok(())
    }

    /// Waits until no other process writes into the folder, and excludes others until the returned file is dropped. On
    /// a file system without locks, two processes that review the same game can lose each other's last seconds.
    fn lock(&self) -> Result<LockedFile, WriteError> {
        let path = self.0.join(".lock");
        let locked =
            || LockedFile::exclusive(File::options().create(true).append(true).open(&path)?);
        locked().map_err(|source| WriteError::File {
            path: path.clone(),
            source,
        })
    }

    /// Merges the saved part of this review into it. Returns whether there is any. Takes nothing from a damaged file.
    pub fn read_into(
        &self,
        review: &mut Review,
        player: Option<&Decider>,
    ) -> Result<bool, KeptError> {
        let Some((info, saved)) = self.read(review)? else {
            return Ok(false);
        };
        let is_asked =
            player.is_some_and(|player| info.player_sha256 == Some(player.strategy().sha256()));
        review.take_over(&saved, is_asked);
        review.remember();
        Ok(true)
    }

    /// The saved part of a review. `None` if there is none.
    fn read(&self, review: &Review) -> Result<Option<(ReviewInfo, Review)>, KeptError> {
        let (own, older) = (self.path_of(review), self.path_by(review, ""));
        let Some(path) = [own, older].into_iter().find(|path| path.exists()) else {
            return Ok(None);
        };
        let bytes = files::read_bytes(&path, LARGEST_FILE)?;
        let (info, body, _) = KIND.split::<ReviewInfo>(&path, &bytes)?;
        if !review.looks_as_deep_as(info.deepen_from.map(Points::from_millionths)) {
            // The names of older files did not contain the depth.
            return Ok(None);
        }

        let is_same = info.judge_sha256 == review.judge().sha256()
            && info.game_sha256 == review.game_sha256()
            && info.positions == review.looks.len();
        if !is_same {
            return Err(KIND.damaged(&path, "it belongs to another game or judge"));
        }

        let questions: Vec<ChanceQuestion> =
            info.chance.iter().chain(&info.chances).copied().collect();
        if Chances::MOST < questions.len() {
            return Err(KIND.damaged(
                &path,
                format!("it has more than {} questions", Chances::MOST),
            ));
        }
        if (1..questions.len()).any(|place| questions[..place].contains(&questions[place])) {
            return Err(KIND.damaged(&path, "a question is in it twice"));
        }
        let (looks, fallen, chances, own_plays) = read_body(body, review, &questions, info.version)
            .ok_or_else(|| KIND.damaged(&path, "its positions are invalid"))?;
        let mut read = review.clone();
        read.deepen_from = info.deepen_from.map(Points::from_millionths);
        (read.looks, read.fallen, read.chances, read.own_plays) =
            (looks, fallen, chances, own_plays);
        Ok(Some((info, read)))
    }
}

impl Review {
    /// Adds the values of these boards to the judge's cache.
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
        let values = look
            .values
            .iter()
            .filter_map(|(_, value)| *value)
            .chain([look.mean, look.next]);
        for value in values {
            // No value is larger than 2³⁴ points.
            let value = value.millionths().unwrap_or_default();
            push(&mut bytes, value.wrapping_sub(before));
            before = value;
        }
        match review.fallen.get(index).copied().flatten() {
            None => bytes.push(NOT_ASKED),
            Some(Fallen(fell)) => {
                bytes.extend(legal(&review.moments()[index]).map(|mv| match fell[mv] {
                    Blame::LastResort => LAST_RESORT,
                    Blame::Another => ANOTHER,
                    Blame::Row(row) => row,
                }));
            }
        }
    }

    for (_, chances) in review.chances.iter() {
        push(&mut bytes, chances.len() as i64);
        for (
            &index,
            ChanceAt {
                best,
                games,
                reached: [played, with_best],
                both,
            },
        ) in chances
        {
            let counts = [games, played, with_best, both].map(|&count| count as i64);
            [index as i64, best.index() as i64]
                .into_iter()
                .chain(counts)
                .for_each(|number| push(&mut bytes, number));
        }
    }

    push(&mut bytes, review.own_plays.len() as i64);
    for (&index, OwnPlay { other, gains }) in &review.own_plays {
        let head = [index as i64, other.index() as i64, gains.len() as i64];
        head.into_iter()
            .chain(gains.iter().map(|&gain| gain.into()))
            .for_each(|number| push(&mut bytes, number));
    }

    bytes
}

type Body = (Vec<Option<Look>>, Vec<Option<Fallen>>, Chances, OwnPlays);

fn legal(moment: &Moment) -> impl Iterator<Item = Move> + use<> {
    let legal = moment.board.legal_moves();
    Move::ALL.into_iter().filter(move |&mv| legal.contains(mv))
}

/// The rows at which the moves of a turn were dropped, as stored after its look. The inner `None` if they were not
/// computed.
fn read_fallen(bytes: &mut &[u8], moment: &Moment, version: u32) -> Option<Option<Fallen>> {
    if bytes.first() == Some(&NOT_ASKED) || version < 4 {
        bytes.split_off_first()?;
        return Some(None);
    }
    let mut fell = ByMove::new([Blame::Another; 4]);
    for mv in legal(moment) {
        fell[mv] = match *bytes.split_off_first()? {
            LAST_RESORT => Blame::LastResort,
            ANOTHER => Blame::Another,
            row => Blame::Row(row),
        };
    }
    Some(Some(Fallen(fell)))
}

/// The playouts for one question, stored after the positions.
fn read_chances(bytes: &mut &[u8], question: &ChanceQuestion, moves: usize) -> Option<ChancesOf> {
    let mut chances = ChancesOf::new();
    for _ in 0..pop(bytes)? {
        let mut next = || u64::try_from(pop(bytes)?).ok();
        let (index, best) = (
            usize::try_from(next()?).ok()?,
            usize::try_from(next()?).ok()?,
        );
        let (games, reached, both) = (next()?, [next()?, next()?], next()?);
        let is_count = reached
            .iter()
            .all(|reached| (both..=games).contains(reached));
        if games != question.playouts
            || !is_count
            || moves <= index
            || games + both < reached[0] + reached[1]
        {
            return None;
        }
        chances.insert(
            index,
            ChanceAt {
                best: *Move::ALL.get(best)?,
                games,
                reached,
                both,
            },
        );
    }
    Some(chances)
}

/// The own play of moves, at the end of the file.
fn read_own_plays(bytes: &mut &[u8], moves: usize) -> Option<OwnPlays> {
    let mut own_plays = OwnPlays::new();
    for _ in 0..pop(bytes)? {
        let [index, other, games] = [pop(bytes)?, pop(bytes)?, pop(bytes)?];
        let (index, other) = (usize::try_from(index).ok()?, usize::try_from(other).ok()?);
        if moves <= index || !(0..=OwnPlay::MOST as i64).contains(&games) {
            return None;
        }
        let gains = (0..games)
            .map(|_| i32::try_from(pop(bytes)?).ok())
            .collect::<Option<Vec<i32>>>()?;
        let is_new = own_plays
            .insert(
                index,
                OwnPlay {
                    other: *Move::ALL.get(other)?,
                    gains,
                },
            )
            .is_none();
        if !is_new {
            return None;
        }
    }
    Some(own_plays)
}

fn read_body(
    bytes: &[u8],
    review: &Review,
    questions: &[ChanceQuestion],
    version: u32,
) -> Option<Body> {
    let (mut bytes, mut before) = (bytes, 0_i64);
    let mut next = |bytes: &mut &[u8]| {
        before = before.wrapping_add(pop(bytes)?);
        Some(Points::from_millionths(before))
    };

    let (mut looks, mut fallen) = (Vec::new(), Vec::new());
    for moment in review.moments() {
        let plies = u32::from(*bytes.split_off_first()?);
        if plies == 0 {
            looks.push(None);
            fallen.push(None);
            continue;
        }
        if Plies::DEEPEST < plies {
            return None;
        }
        let mut values = Judgement::default();
        for mv in legal(moment) {
            values[mv] = Some(next(&mut bytes)?);
        }
        looks.push(Some(Look {
            plies,
            values,
            mean: next(&mut bytes)?,
            next: next(&mut bytes)?,
        }));
        fallen.push(read_fallen(&mut bytes, moment, version)?);
    }

    fallen.truncate(review.moves());
    let answers = questions.iter().map(|question| {
        Some((
            *question,
            read_chances(&mut bytes, question, review.moves())?,
        ))
    });
    let chances = answers.collect::<Option<Chances>>()?;
    let own_plays = if version < 5 {
        OwnPlays::new()
    } else {
        read_own_plays(&mut bytes, review.moves())?
    };
    bytes
        .is_empty()
        .then_some((looks, fallen, chances, own_plays))
}

/// A number with its sign in the lowest bit, seven bits per byte; the eighth bit means that more follow.
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
    use super::super::tests::{game, judge, rules, table, with_questions};
    use super::*;
    use crate::review::ChanceGoal;
    use crate::task::Control;

    #[test]
    fn numbers_are_read_as_they_were_written() {
        for number in [
            0,
            1,
            -1,
            63,
            -64,
            64,
            1_000_000,
            -213_456_123_456,
            i64::MAX,
            i64::MIN,
        ] {
            let mut bytes = Vec::new();
            push(&mut bytes, number);
            assert_eq!(pop(&mut bytes.as_slice()), Some(number));
            assert_eq!(pop(&mut &bytes[..bytes.len() - 1]), None);
        }
        assert_eq!(
            pop(&mut [0xff; 11].as_slice()),
            None,
            "no number is so long"
        );
    }

    #[test]
    fn where_moves_fell_is_read_as_it_was_written_and_asked_again_of_older_files() {
        let board = "2,2,0,0/4,0,0,0/0,0,0,0/0,0,0,8".parse().expect("a board");
        let moment = Moment { board, score: 0 };
        let rows: Vec<u8> = legal(&moment)
            .map(|mv| [0, LAST_RESORT, 3, ANOTHER][mv.index()])
            .collect();
        let bytes = [&rows[..], &[7]].concat();
        let mut left = &bytes[..];
        let Some(Some(Fallen(fell))) = read_fallen(&mut left, &moment, KIND.version) else {
            panic!("{left:?}")
        };
        let all = [
            Blame::Row(0),
            Blame::LastResort,
            Blame::Row(3),
            Blame::Another,
        ];
        assert!(legal(&moment).all(|mv| fell[mv] == all[mv.index()]) && left == [7]);
        assert!(
            read_fallen(&mut &rows[..rows.len() - 1], &moment, KIND.version).is_none(),
            "cut off"
        );
        // One byte, whatever its value.
        for (version, before) in [(3, 1), (3, NOT_ASKED), (KIND.version, NOT_ASKED)] {
            let mut left = &[before, 7][..];
            assert_eq!(
                (read_fallen(&mut left, &moment, version), left),
                (Some(None), &[7][..])
            );
        }
    }

    #[test]
    fn what_the_player_makes_of_moves_is_read_as_it_was_written_and_nothing_of_a_damaged_part() {
        let folder = tempfile::tempdir().expect("a folder");
        let rules = rules("2x2", 0.1);
        let judge = judge(&table(folder.path(), rules), rules);
        let record = game("r", rules, 5, 3);
        let player = Decider::of_record(&record).expect("a strategy played");
        let mut review = Review::new(record, judge);
        let control = Control::default();
        review
            .go_on(Some(&player), 1, &control, &mut |_| {})
            .expect("values");
        let worst = review.worst(3);
        review
            .ask_player(&player, &worst, 1, &control, &mut |_| {})
            .expect("threads");
        assert!(!worst.is_empty() && worst.iter().all(|&index| review.has_own_play(index)));
        let whole = body(&review);
        let read = |bytes: &[u8], version: u32| read_body(bytes, &review, &[], version);
        assert_eq!(read(&whole, 5).expect("readable").3, review.own_plays);

        // Version 4 ended before it.
        let mut without = review.clone();
        without.own_plays.clear();
        let before = body(&without);
        let old = &before[..before.len() - 1];
        let (looks, fallen, _, own_plays) = read(old, 4).expect("readable");
        assert_eq!(
            (looks, fallen, own_plays),
            (review.looks.clone(), review.fallen.clone(), OwnPlays::new())
        );
        assert!(
            read(&whole, 4).is_none() && read(old, 5).is_none(),
            "each by its own version"
        );

        // Cut off anywhere, a nonexistent move, a move twice, and too many games.
        for end in old.len()..whole.len() {
            assert!(read(&whole[..end], 5).is_none(), "cut off at {end}");
        }

        let with = |numbers: &[i64]| {
            let mut bytes = old.to_vec();
            numbers.iter().for_each(|&number| push(&mut bytes, number));
            read(&bytes, 5).is_none()
        };
        let moves = review.moves() as i64;
        assert!(!with(&[1, 0, 0, 1, 7]) && !with(&[0]));
        assert!(with(&[1, moves, 0, 1, 7]) && with(&[1, -1, 0, 1, 7]) && with(&[1, 0, 4, 1, 7]));
        assert!(with(&[2, 0, 0, 1, 7, 0, 0, 1, 7]), "twice");
        let many: Vec<i64> = [1, 0, 0, 201]
            .into_iter()
            .chain(std::iter::repeat_n(7, 201))
            .collect();
        assert!(with(&many) && with(&[1, 0, 0, 1, i64::MAX]));
    }

    #[test]
    fn who_writes_last_keeps_what_others_have_written_meanwhile() {
        let folder = tempfile::tempdir().expect("a folder");
        let rules = rules("2x2", 0.1);
        let judge = judge(&table(folder.path(), rules), rules);
        let reviews = ReviewFolder::within(folder.path());
        let record = game("r", rules, 5, 3);
        let player = Decider::of_record(&record).expect("a strategy played");
        let read = || {
            let mut read = Review::new(record.clone(), judge.clone());
            reviews
                .read_into(&mut read, Some(&player))
                .expect("readable");
            read
        };

        // Each starts from the file, which is empty, and asks another question; one of them also asks for rows.
        let questions = [3, 4].map(|moves| ChanceQuestion {
            goal: ChanceGoal::Survive,
            moves,
            playouts: 10,
        });
        let both =
            [(questions[0], Some(&player)), (questions[1], None)].map(|(question, player)| {
                let mut review = Review::new(record.clone(), judge.clone());
                review.chance = Some(question);
                review
                    .go_on(player, 1, &Control::default(), &mut |_| {})
                    .expect("values");
                assert!(
                    (0..review.moves()).any(|index| review.chance_at(index, &question).is_some())
                );
                (review, player)
            });
        for (review, player) in &both {
            reviews.write(review, *player).expect("written");
        }
        let all = read();
        for ((review, _), question) in both.iter().zip(&questions) {
            assert!(all.answers(question));
            assert!(
                (0..review.moves())
                    .all(|at| review.chance_at(at, question) == all.chance_at(at, question))
            );
        }
        assert_eq!(
            (&all.looks, &all.fallen),
            (&both[0].0.looks, &both[0].0.fallen)
        );
        assert!(all.fallen.iter().any(Option::is_some));

        // A review with less than the file leaves it unchanged.
        let path = reviews.path_of(&all);
        let long_ago =
            std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(1_000_000_000);
        let file = std::fs::File::options()
            .write(true)
            .open(&path)
            .expect("a file");
        file.set_modified(long_ago).expect("a time");
        drop(file);
        reviews
            .write(&Review::new(record.clone(), judge.clone()), None)
            .expect("nothing to write");
        for (review, player) in &both {
            reviews.write(review, *player).expect("nothing to write");
        }
        assert_eq!(
            std::fs::metadata(&path)
                .and_then(|metadata| metadata.modified())
                .expect("a time"),
            long_ago
        );

        // A duplicate question, too many questions, and wrong numbers of games are refused.
        let bytes = std::fs::read(&path).expect("a file");
        for (from, to, words) in [
            ("moves:4", "moves:3", "is in it twice"),
            ("playouts:10", "playouts:11", "positions are invalid"),
            ("chances:[", "chances:[MANY", "more than 16 questions"),
        ] {
            let many: String = (10..30)
                .map(|moves| format!("(goal:Survive,moves:{moves},playouts:10),"))
                .collect();
            let damaged = with_questions(&bytes, |head| {
                let head = head.replace(": ", ":");
                assert!(head.contains(from), "{head}");
                head.replace(from, to).replace("MANY", &many)
            });
            std::fs::write(&path, damaged).expect("written");
            let error = reviews
                .read_into(&mut Review::new(record.clone(), judge.clone()), None)
                .expect_err(to)
                .to_string();
            assert!(error.contains(words), "{error}");
        }
    }
}
