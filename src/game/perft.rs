//! Counting positions, to find mistakes in the rules.

use super::Board;

/// Number of move sequences of `turns` slides, each followed by every possible spawn (2 and 4 on every empty
/// cell); the last slide is counted without its spawns. `perft(board, 0)` is 1, `perft(board, 1)` the number of
/// legal slides.
///
/// Named after the counting test of chess engines.
pub fn perft(board: &Board, turns: u32) -> u64 {
    if turns == 0 {
        return 1;
    }
    let slides = board.legal_moves().into_iter().filter_map(|mv| board.slide(mv));
    if turns == 1 {
        return slides.count() as u64;
    }
    slides
        .flat_map(|slide| {
            slide.after.empty_cells().into_iter().flat_map(move |cell| {
                [super::Rank::TWO, super::Rank::FOUR].map(|rank| slide.after.spawn(super::Spawn { cell, rank }))
            })
        })
        .map(|next| perft(&next, turns - 1))
        .sum()
}
