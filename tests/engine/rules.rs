//! The rules against counts and games in text files, and against a second implementation.

use std::fs;
use std::path::{Path, PathBuf};

use afterstate::game::{Board, Move, Record, Rules, Seed, perft};
use afterstate::search::SearchOptions;
use afterstate::strategy::{GameTrace, Player, Strategy};

use crate::plain;

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../tests/data")
        .join(name)
}

fn read(path: &Path) -> String {
    // The line ends depend on the checkout.
    let text =
        fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    text.replace("\r\n", "\n")
}

#[test]
fn positions_are_as_many_as_written_in_the_file() {
    let text = read(&data("perft.txt"));
    let mut boards = 0;
    for block in text.split("\n\n") {
        let lines: Vec<&str> = block
            .lines()
            .filter(|line| !line.starts_with('#'))
            .collect();
        let Some((counts, drawing)) = lines.split_last() else {
            continue;
        };
        let drawing = drawing.join("\n");
        let counts = counts
            .strip_prefix("counts:")
            .unwrap_or_else(|| panic!("no counts under\n{drawing}"));
        let counts: Vec<u64> = counts
            .split_whitespace()
            .map(|count| count.parse().expect("a count"))
            .collect();
        let depths = 1..=counts.len() as u32;

        let tiles = plain::tiles(&drawing);
        let board: Board = plain::text(&tiles).parse().expect("a board");
        let plain: Vec<u64> = depths
            .clone()
            .map(|turns| plain::perft(&tiles, turns))
            .collect();
        let ours: Vec<u64> = depths.map(|turns| perft(&board, turns)).collect();
        assert_eq!(plain, counts, "the plain rules on\n{drawing}");
        assert_eq!(ours, counts, "the library on\n{drawing}");
        boards += 1;
    }

    assert!(12 <= boards, "{boards} boards were found");
}

/// The games of `tests/data/games`: file, strategy, rules, seed, number.
fn games() -> Vec<(&'static str, Strategy, Rules, Seed, u64)> {
    let game = |file, strategy: &str, size: &str, p4, seed, number| {
        let rules = Rules {
            size: size.parse().expect("a size"),
            p4,
            ..Rules::default()
        };
        (
            file,
            strategy.parse().expect("a strategy"),
            rules,
            Seed(seed),
            number,
        )
    };
    let first =
        "Strategy(criteria: [(evaluator: Sum([(1.0, Score), (50.0, Empty)]))], last_resort: First)";
    vec![
        game("random.txt", "r", "4x4", 0.1, 1, 0),
        game("emr.txt", "emr", "4x4", 0.1, 1, 0),
        game("geumr.txt", "geumr", "4x4", 0.1, 7, 3),
        game("first.txt", first, "4x4", 0.1, 2048, 1_000_000),
        game("half-fours.txt", "emr", "4x4", 0.5, 3, 12),
        game("two-by-two.txt", "er", "2x2", 0.1, 5, 1),
        game("three-by-five.txt", "mr", "3x5", 0.2, 9, 4),
    ]
}

/// `UPDATE_GAMES=1` rewrites the files after an intended change of games.
#[test]
fn written_games_are_played_again_move_for_move() {
    for (file, strategy, rules, seed, number) in games() {
        let path = data("games").join(file);
        let played = GameTrace::record(
            &Player::new(&strategy, rules),
            seed,
            number,
            &strategy,
            SearchOptions::default(),
        );
        if std::env::var_os("UPDATE_GAMES").is_some() {
            fs::write(&path, played.to_string()).expect("a writable file");
        }
        let text = read(&path);
        let written: Record = text
            .parse()
            .unwrap_or_else(|error| panic!("{file}: {error}"));
        assert_eq!(written, played, "{file}");
        assert_eq!(written.to_string(), text, "{file}");
    }
}

#[test]
fn written_games_follow_the_plain_rules() {
    for (file, ..) in games() {
        let record: Record = read(&data("games").join(file))
            .parse()
            .unwrap_or_else(|error| panic!("{file}: {error}"));
        let mut tiles = plain::tiles(
            &record
                .start
                .to_string()
                .replace('/', "\n")
                .replace(',', " "),
        );
        let (mut score, moments) = (record.score, record.replay());
        assert_eq!(moments.len(), record.steps.len() + 1, "{file}");
        for (step, moment) in record.steps.iter().zip(&moments) {
            assert_eq!(plain::text(&tiles), moment.board.to_string(), "{file}");
            assert_eq!(score, moment.score, "{file}");
            for mv in Move::ALL {
                let (ours, plain) = (moment.board.slide(mv), plain::slide(&tiles, mv.name()));
                let ours =
                    ours.map(|slide| (slide.after.board().to_string(), u64::from(slide.reward)));
                assert_eq!(
                    ours,
                    plain.map(|(after, reward)| (plain::text(&after), reward)),
                    "{file}: {mv}"
                );
            }
            let (after, reward) = plain::slide(&tiles, step.mv.name()).expect("a legal slide");
            (tiles, score) = (after, score + reward);
            let cell = (
                usize::from(step.spawn.cell.row),
                usize::from(step.spawn.cell.col),
            );
            assert!(plain::empty_cells(&tiles).contains(&cell), "{file}");
            tiles[cell.0][cell.1] = step.spawn.rank.tile();
        }
        assert!(
            plain::MOVES
                .iter()
                .all(|mv| plain::slide(&tiles, mv).is_none()),
            "{file} ends on a dead board"
        );
    }
}
