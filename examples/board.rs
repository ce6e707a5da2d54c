// Reads a board, shows its slides, and plays on to the end: always the slide with the largest reward.

use afterstate::{Board, Rules, Seed};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut board: Board = "2,0,0,4/0,8,0,0/0,0,0,0/0,0,16,2".parse()?;
    for slide in board.legal_moves().iter().filter_map(|mv| board.slide(mv)) {
        println!("{}: afterstate {}", slide.mv, slide.after.board());
    }

    let (rules, seed) = (Rules::default(), Seed(1).game(0));
    let mut score = 0;
    for number in 0.. {
        let slides = board.legal_moves().iter().filter_map(|mv| board.slide(mv));
        let Some(best) = slides.max_by_key(|slide| slide.reward) else {
            break;
        };
        score += best.reward;
        board = best
            .after
            .spawn(seed.spawn(number, &best.after.board(), rules.p4));
    }
    println!("The game ends at {board} with {score} points.");

    assert!(board.is_dead());
    Ok(())
}
