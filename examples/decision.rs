// Decides on one board, and shows the value of each move and the row that decided.

use afterstate::{Decision, Move, Player, Rules, Strategy, board};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // The rows: most empty cells (e), then monotonicity (m), then a random move (r).
    let strategy: Strategy = "emr".parse()?;
    let player = Player::new(&strategy, Rules::default());

    let board = board! {
        2 . .  4
        . 8 .  .
        . . .  .
        . . 16 2
    };
    let decision = Decision::now(&player, &board, 0, |_| 0);
    for candidate in decision
        .moves
        .iter()
        .filter_map(|(_, candidate)| candidate.as_ref())
    {
        println!(
            "{}: values {:?}, dropped by row {:?}",
            candidate.mv, candidate.values, candidate.fell_at
        );
    }
    println!(
        "{:?} is decided by row {:?}",
        decision.chosen,
        decision.deciding()
    );

    assert_eq!(decision.chosen, Some(Move::Up));
    Ok(())
}
