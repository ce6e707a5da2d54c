//! The games of one strategy in a range of scores, sorted, computed without a window.

use std::ops::RangeInclusive;

use crate::experiment::Run;
use crate::words;
use crate::workbench::kit::Sort;
use crate::workbench::panels::experiment::run_view::RunView;

use super::super::scores_text;

/// A column of the table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum GamesColumn {
    #[default]
    Game,
    Score,
    Largest,
    Moves,
}

impl GamesColumn {
    /// Title and what it means, from left to right.
    pub(super) const ALL: [(Self, &'static str, &'static str); 4] = [
        (Self::Game, "Game", "Number of the game; with the seed it says which tiles appear"),
        (Self::Score, "Score", "Points of the game"),
        (Self::Largest, "Largest", "Largest tile at the end"),
        (Self::Moves, "Moves", "Slides of the game"),
    ];
}

/// A finished game, small: there may be millions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct GamesRow {
    pub index: u32,
    /// Its points.
    pub score: u32,
    pub moves: u32,
    /// Rank of its largest tile.
    pub largest: u8,
}

/// Reads the games of a strategy, in the order of their numbers.
pub(super) fn read(run: &Run, place: usize, scores: Option<&RangeInclusive<u32>>) -> Vec<GamesRow> {
    let scores = scores.cloned().unwrap_or(0..=u32::MAX);
    run.games()
        .games_in(place, scores)
        .into_iter()
        .filter_map(|index| {
            let game = run.games().game(place, index)?;
            Some(GamesRow {
                index: u32::try_from(index).ok()?,
                score: game.score,
                moves: game.moves,
                largest: game.largest.get(),
            })
        })
        .collect()
}

/// Sorts by a column; equal values keep the order of the games.
pub(super) fn sort(rows: &mut [GamesRow], sort: Sort<GamesColumn>) {
    let key = |row: &GamesRow| match sort.by {
        GamesColumn::Game => row.index,
        GamesColumn::Score => row.score,
        GamesColumn::Largest => row.largest.into(),
        GamesColumn::Moves => row.moves,
    };
    // The number of the game makes every key unique, so the fast sort is as good as a stable one.
    rows.sort_unstable_by_key(|row| (if sort.falls { !key(row) } else { key(row) }, row.index));
}

/// The strategy whose games are listed: the selected one, else the shown one with most games in the brush.
pub(super) fn place(view: &RunView, games_in_brush: impl Fn(usize) -> u64) -> Option<usize> {
    view.selected().or_else(|| {
        let first = view.shown().next().or((!view.contestants().is_empty()).then_some(0))?;
        if view.brush.is_none() {
            return Some(first);
        }
        view.shown().max_by_key(|&place| (games_in_brush(place), std::cmp::Reverse(place))).or(Some(first))
    })
}

/// "420 games of emr".
pub(super) fn head(games: usize, label: &str) -> String {
    format!("{} of {label}", words::plural(games as u64, "game"))
}

/// "6,000 to 6,999", or "all scores".
pub(super) fn range(scores: Option<&RangeInclusive<u32>>) -> String {
    scores.map_or_else(|| "all scores".to_owned(), scores_text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_sorted_and_equal_ones_keep_their_order() {
        let row = |index, score| GamesRow { index, score, moves: 100, largest: 7 };
        let mut rows = vec![row(1, 500), row(2, 900), row(3, 500)];
        let indices = |rows: &[GamesRow]| rows.iter().map(|row| row.index).collect::<Vec<_>>();
        sort(&mut rows, Sort::falling(GamesColumn::Score));
        assert_eq!(indices(&rows), [2, 1, 3]);
        sort(&mut rows, Sort { by: GamesColumn::Score, falls: false });
        assert_eq!(indices(&rows), [1, 3, 2]);
        sort(&mut rows, Sort::falling(GamesColumn::Game));
        assert_eq!(indices(&rows), [3, 2, 1]);
    }

    #[test]
    fn the_header_says_which_games() {
        assert_eq!(head(420, "emr"), "420 games of emr");
        assert_eq!(range(Some(&(6000..=6999))), "6,000 to 6,999");
    }
}
