//! Counts positions, to find mistakes in the rules.

use super::{Board, Rank};

/// Number of move sequences of `turns` slides, each except the last followed by every possible spawn. Named after the
/// counting test of chess engines.
pub fn perft(board: &Board, turns: u32) -> u64 {
    if turns == 0 {
        return 1;
    }
    let slides = board
        .legal_moves()
        .into_iter()
        .filter_map(|mv| board.slide(mv));
    if turns == 1 {
        return slides.count() as u64;
    }
    slides
        .flat_map(|slide| {
            let after = slide.after.board();
            let boards = move |cell| [Rank::TWO, Rank::FOUR].map(|rank| after.with(cell, rank));
            after.empty_cells().into_iter().flat_map(boards)
        })
        .map(|next| perft(&next, turns - 1))
        .sum()
}
