//! Boards and game records as text: nothing panics, and written text is read back.

use afterstate::game::{Board, Cell, Grid, Rank, Record, Size};
use afterstate::strategy::{Decision, Outcome, Player};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

/// A board of any size with any tiles, possible in a game or not.
fn boards() -> impl Strategy<Value = Board> {
    let sizes = prop::sample::select(Size::all().collect::<Vec<_>>());
    (sizes, vec(0..=Rank::MAX.get(), 25), 1..=Rank::MAX.get()).prop_map(|(size, ranks, largest)| {
        let mut grid = Grid::empty(size);
        for (cell, rank) in size.iter().zip(ranks) {
            grid.set(
                cell,
                Rank::new(rank % (largest + 1)).expect("at most the largest"),
            );
        }
        Board::from_grid(grid)
    })
}

const RECORD: &str = include_str!("../data/games/two-by-two.txt");

/// A game record with lines and characters replaced, removed, doubled or exchanged.
fn damaged_records() -> impl Strategy<Value = String> {
    let characters = (any::<prop::sample::Index>(), option::of(any::<char>()));
    let lines = (
        any::<prop::sample::Index>(),
        any::<prop::sample::Index>(),
        0..4,
    );
    (vec(lines, 0..3), vec(characters, 0..4)).prop_map(|(of_lines, of_characters)| {
        let mut lines: Vec<&str> = RECORD.lines().collect();
        for (at, other, what) in of_lines {
            let (at, other) = (at.index(lines.len()), other.index(lines.len()));
            match what {
                0 => lines.swap(at, other),
                1 => lines.insert(at, lines[other]),
                2 => lines.truncate(at.max(1)),
                _ => drop(lines.remove(at)),
            }
        }

        let mut text: Vec<char> = lines.join("\n").chars().collect();
        for (at, new) in of_characters {
            if text.is_empty() {
                break;
            }
            let at = at.index(text.len());
            match new {
                Some(new) => text[at] = new,
                None => drop(text.remove(at)),
            }
        }

        text.into_iter().collect()
    })
}

fn is_one_sentence(error: &impl ToString) -> bool {
    let error = error.to_string();
    !error.is_empty() && !error.contains('\n')
}

#[test]
fn the_largest_score_is_large_enough() {
    let text = RECORD.replace("score: 0", &format!("score: {}", u64::MAX));
    let text = text.split("end:").next().expect("the turns");
    let record: Record = text.parse().expect("a record");
    let last = *record.replay().last().expect("a start");
    assert_eq!(last.score, u64::MAX);
    assert_eq!(Outcome::of(&record).score, u32::MAX);
    for letters in ["gr", "emr"] {
        let strategy = letters.parse().expect("letters");
        let player = Player::new(&strategy, record.rules);
        for board in [
            record.start,
            "2,2,4,8/0,0,0,0/0,0,0,0/0,0,0,0".parse().expect("a board"),
        ] {
            assert!(
                Decision::now(&player, &board, u64::MAX, |_| 0)
                    .chosen
                    .is_some()
            );
        }
    }
}

#[test]
fn a_note_that_cannot_be_saved_is_refused_at_its_line() {
    let with = |notes: &str| {
        RECORD
            .replacen('\n', &format!("\n{notes}\n"), 1)
            .parse::<Record>()
    };
    let note = |length: usize| format!("note 2: {}", "é".repeat(length));
    let record = with(&note(Record::LONGEST_NOTE)).expect("a note of the largest length");
    assert_eq!(record.notes[&1].chars().count(), Record::LONGEST_NOTE);
    assert_eq!(record.to_string().parse(), Ok(record));
    for (notes, line, reason) in [
        (
            note(Record::LONGEST_NOTE + 1),
            2,
            "note 2 is longer than 2,000 characters: shorten it",
        ),
        ("note 2: ".to_owned(), 2, "note 2 is empty"),
        (
            format!("{}\n{}", note(1), note(1)),
            3,
            "note 2 is already in line 2",
        ),
        ("note 0: zero".to_owned(), 2, "write a note as"),
        ("note 9999: late".to_owned(), 2, "note 9999 has no position"),
    ] {
        let error = with(&notes).expect_err(reason);
        assert_eq!(error.line, line, "{error}");
        assert!(
            error.to_string().contains(reason) && is_one_sentence(&error),
            "{error}"
        );
    }
}

proptest! {
    #[test]
    fn a_board_is_read_back_equal(board in boards()) {
        prop_assert_eq!(board.to_string().parse(), Ok(board));
        prop_assert_eq!(board.to_string().replace('/', "\n").replace(',', " ").parse(), Ok(board));
        prop_assert_eq!(board.drawing().parse(), Ok(board));
        if board.as_packed().is_some() {
            let hex: String = board.cells().map(|(_, rank)| format!("{:x}", rank.get())).collect();
            prop_assert_eq!(Board::of_digits(&hex), Some(board));
        }
    }

    #[test]
    fn any_board_can_be_asked_anything(board in boards(), row in any::<u8>(), col in any::<u8>()) {
        let cell = Cell::new(row, col);
        prop_assert_eq!(board.get(cell).is_empty(), !board.cells().any(|(c, rank)| c == cell && !rank.is_empty()));
        prop_assert_eq!(board.with(cell, board.get(cell)), board);
        prop_assert_eq!(board.empty_count() as usize, board.empty_cells().len());
        for mv in board.legal_moves() {
            let slide = board.slide(mv).expect("legal");
            prop_assert!(board.empty_count() <= slide.after.board().empty_count());
        }
    }

    #[test]
    fn no_text_makes_the_board_reader_panic(text in any::<String>()) {
        if let Err(error) = text.parse::<Board>() {
            prop_assert!(is_one_sentence(&error), "{}", error);
        }
    }

    #[test]
    fn no_text_like_a_board_makes_the_reader_panic(text in "[0-9a-fx., /\n;|-]{0,90}") {
        match text.parse::<Board>() {
            Ok(board) => prop_assert_eq!(board.to_string().parse(), Ok(board)),
            Err(error) => prop_assert!(is_one_sentence(&error), "{}", error),
        }
    }

    #[test]
    fn no_text_makes_the_record_reader_panic(text in any::<String>()) {
        let headed = format!("{}\n{text}", Record::HEADER);
        for text in [&text, &headed] {
            if let Err(error) = text.parse::<Record>() {
                prop_assert!(is_one_sentence(&error), "{}", error);
            }
        }
    }

    #[test]
    fn no_damage_makes_the_record_reader_panic(text in damaged_records()) {
        match text.parse::<Record>() {
            Ok(record) => {
                prop_assert_eq!(record.replay().len(), record.steps.len() + 1);
                prop_assert_eq!(record.to_string().parse(), Ok(record));
            }
            Err(error) => prop_assert!(is_one_sentence(&error), "{}", error),
        }
    }
}
