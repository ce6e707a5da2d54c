//! What a file of games holds and what it does not state, in sentences.

use crate::game::{Imported, Missing};
use crate::words;

/// `a list of boards, 1 move`, or for several games `3 games (a list of boards), 210 moves`.
pub fn imported_sentence(games: &[Imported]) -> String {
    let moves = games
        .iter()
        .map(|game| game.record.steps.len() as u64)
        .sum();
    let moves = words::plural(moves, "move");
    let kind = games.first().map_or("", |game| game.kind.text());
    match games.len() {
        0 | 1 => format!("{kind}, {moves}"),
        count => format!("{} ({kind}), {moves}", words::plural(count as u64, "game")),
    }
}

/// `the file states no score (it counts from 0) and no seed`. `None` if nothing is missing.
pub fn missing_sentence(missing: &[Missing]) -> Option<String> {
    let names: Vec<&str> = missing
        .iter()
        .map(|missing| match missing {
            Missing::Spawns => "no new tiles (its boards show them)",
            Missing::Score => "no score (it counts from 0)",
            Missing::Seed => "no seed",
        })
        .collect();
    (!names.is_empty()).then(|| format!("the file states {}", words::list(&names)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_count_games_and_name_what_is_missing() {
        let one = Imported::read_all_text("2,2/0,0\nleft 2 r2c1\n").expect("a game");
        let two =
            Imported::read_all_text("2,2/0,0\n4,0/2,0\n2,2/0,0\n4,0/2,0\n").expect("two games");
        assert_eq!(imported_sentence(&one), "a list of moves, 1 move");
        assert_eq!(
            imported_sentence(&two),
            "2 games (a list of boards), 2 moves"
        );
        let missing = missing_sentence(&one[0].missing).expect("no score");
        assert_eq!(
            missing,
            "the file states no score (it counts from 0) and no seed"
        );
        assert!(
            missing_sentence(&two[0].missing).is_some_and(|said| said.contains("no new tiles"))
        );
        assert_eq!(missing_sentence(&[]), None);
    }
}
