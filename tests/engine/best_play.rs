//! The lines of best play agree with the definition: they add up to the values of the search.

use afterstate::evaluator::Evaluator;
use afterstate::game::{Board, Move, Rank, Rules, Seed, Size};
use afterstate::prose::best_play::line_words;
use afterstate::search::{
    BestLine, BestPlay, Bound, Dead, LineEnd, LineOrder, Link, NoBestPlay, SearchOptions,
    SpawnRule, Tree,
};
use afterstate::task::CancelToken;
use strum::IntoEnumIterator as _;

use crate::search::{LOOKAHEADS, corpus, strategy};
use crate::why::{MANY, recorded};

const EVALUATORS: &[&str] = &[
    "Snake",
    "Lines()",
    "Sum([(1.0, Score), (50.0, Empty), (-0.7, Sum([(2.0, Snake), (1.0, CornerBonus)]))])",
    "Weights(\"c\")",
];

/// At most this many lines are compared.
const MOST: u64 = 30_000;

fn agree(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * a.abs().max(b.abs()).max(1.0)
}

fn followed(tree: &Tree) -> BestPlay {
    BestPlay::follow(tree.subject(), SearchOptions::default().stop).expect("best play")
}

/// Checks that a line obeys the rules, and that its end has the value of the definition.
fn assert_is_played(play: &BestPlay, line: &BestLine, mv: Move) {
    let subject = play.subject();
    let (mut board, mut score, mut probability) = (subject.board, subject.score, 1.0);
    let p4 = subject.definition.rules.p4;
    for (number, step) in line.steps.iter().enumerate() {
        match step.link {
            Link::Slide(mv) => {
                assert!(number % 2 == 0 && step.probability == 1.0);
                let slide = board.slide(mv).expect("a legal slide");
                (board, score) = (slide.after.board(), score + u64::from(slide.reward));
            }
            Link::Spawn(spawn) => {
                assert!(number % 2 == 1 && board.empty_cells().contains(&spawn.cell));
                // By the rules, whatever the search cuts.
                let tile = if spawn.rank == Rank::FOUR {
                    p4
                } else {
                    1.0 - p4
                };
                let by_rules = tile / board.empty_cells().len() as f64;
                assert!(
                    agree(step.probability, by_rules),
                    "{} and not {by_rules}",
                    step.probability
                );
                board = board.with(spawn.cell, spawn.rank);
                probability *= by_rules;
            }
        }
        assert_eq!((step.board, step.score), (board, score));
    }
    assert!(line.mv() == Some(mv) && agree(probability, line.probability));

    let definition = &subject.definition;
    let expected = match (line.end, definition.lookahead.dead()) {
        (LineEnd::Floor, _) | (LineEnd::Dead, Dead::Zero) => 0.0,
        (LineEnd::Dead, Dead::Lost) => Dead::LOST,
        _ => definition.evaluator.evaluate(&board, score),
    };

    assert!(
        agree(line.value, expected),
        "{} and not {expected}",
        line.value
    );
    assert!(line.end != LineEnd::Dead || board.is_dead());
    assert!(line.end != LineEnd::Evaluated || line.steps.len() as u32 == subject.plies);
}

#[test]
fn lines_and_leaves_add_up_to_every_root_value() {
    let positions = corpus(Size::FOUR, 40);
    let (mut compared, mut lines) = (0, 0);
    for (number, evaluator) in EVALUATORS.iter().enumerate() {
        // One or two evaluators for each lookahead.
        for (other, lookahead) in LOOKAHEADS
            .iter()
            .enumerate()
            .filter(|(other, _)| (number + other).is_multiple_of(3))
        {
            let rules = Rules {
                p4: [0.1, 0.2, 0.0, 1.0][(number + other) % 4],
                ..Rules::default()
            };
            let strategy = strategy(evaluator, lookahead);
            for &position in positions.iter().skip((3 * number + other) % 31).step_by(31) {
                let Some(tree) = recorded(&strategy, rules, position, MANY) else {
                    continue;
                };
                let play = followed(&tree);
                let sets: Vec<_> = play.moves().iter().map(|mv| play.leaves(mv)).collect();
                let measures = play
                    .measures(&sets, &CancelToken::new())
                    .expect("not stopped");
                let node = |mv| {
                    tree.children(tree.root())
                        .find(|&child| tree.link(child) == Some(Link::Slide(mv)))
                };

                for (at, (mv, set)) in play.moves().iter().zip(&sets).enumerate() {
                    let value = play.value(mv).expect("followed");
                    let text = format!("{evaluator} {lookahead} on {} after {mv}", position.0);
                    let recorded = node(mv).expect("recorded");
                    assert!(
                        tree.bound(recorded) != Bound::Exact || tree.value(recorded) == Some(value),
                        "{text}"
                    );
                    assert!(
                        agree(set.value(), value),
                        "{text}: {} and not {value}",
                        set.value()
                    );
                    let shares: f64 = set.leaves.iter().map(|leaf| leaf.share).sum();
                    assert!(agree(shares, 1.0), "{text}: shares add up to {shares}");
                    let terms: f64 = measures.terms.iter().map(|term| term.means[at]).sum();
                    assert!(
                        agree(terms + measures.by_rule[at], value),
                        "{text}: terms add up to {terms}"
                    );
                    compared += 1;
                    let count = play.line_count(mv);
                    if MOST < count {
                        continue;
                    }
                    let all = play.lines(mv, LineOrder::Likely, usize::MAX);
                    assert_eq!(all.len() as u64, count, "{text}");
                    let sum: f64 = all.iter().map(|line| line.weight * line.value).sum();
                    assert!(
                        agree(sum, value),
                        "{text}: lines add up to {sum} and not {value}"
                    );
                    all.iter()
                        .step_by(1 + all.len() / 50)
                        .for_each(|line| assert_is_played(&play, line, mv));
                    assert!(
                        all.windows(2)
                            .all(|two| two[1].probability as f32 <= two[0].probability as f32)
                    );
                    lines += all.len();
                }
            }
        }
    }

    assert!(
        60 < compared && 1_000 < lines,
        "{compared} values, {lines} lines"
    );
}

#[test]
fn a_line_over_cut_cells_is_as_probable_as_the_rules_say_and_counts_more() {
    let board: Board = "8,8,128,512/2,16,32,256/0,4,16,64/0,2,8,32"
        .parse()
        .expect("a board");
    let lookahead =
        "Expectimax(plies: Fixed(7), cuts: [Reach(0.01), ImportantCells(k: 3, weights: \"a\")])";
    let strategy = strategy("Sum([(1.0, Snake), (10.0, Empty)])", lookahead);
    let tree = recorded(&strategy, Rules::default(), (board, 0), MANY).expect("a tree");
    let play = followed(&tree);
    assert!(
        !play.leaves(Move::Right).is_by_chance,
        "shares are of the cells that are considered"
    );
    let words = "Right, 2 at r3c1, Up, 2 at r2c1, Down, 2 at r1c1, Right";
    let lines = play.lines(Move::Right, LineOrder::Likely, usize::MAX);
    let line = lines
        .iter()
        .find(|line| line_words(line) == words)
        .expect("the line");
    // There are three, four and three empty cells, of which the search considers three, two and one.
    assert!(
        agree(line.probability, 0.9_f64.powi(3) / 3.0 / 4.0 / 3.0),
        "{}",
        line.probability
    );
    assert!(
        agree(line.weight, 0.9_f64.powi(3) / 3.0 / 2.0 / 1.0),
        "{}",
        line.weight
    );
}

#[test]
fn the_first_lines_are_the_first_of_all_lines_in_every_order() {
    let strategy = strategy("Snake", "Expectimax(plies: Fixed(5), dead: Zero)");
    for &position in corpus(Size::FOUR, 60).iter().step_by(3) {
        let Some(tree) = recorded(&strategy, Rules::default(), position, MANY) else {
            continue;
        };
        let play = followed(&tree);
        for mv in play.moves().iter().filter(|&mv| play.line_count(mv) < MOST) {
            for order in LineOrder::iter() {
                let all = play.lines(mv, order, usize::MAX);
                let ends = |lines: &[BestLine]| {
                    lines
                        .iter()
                        .map(|line| (line.probability, line.value))
                        .collect::<Vec<_>>()
                };
                let first = play.lines(mv, order, 5);
                assert_eq!(
                    ends(&first),
                    ends(&all[..all.len().min(5)]),
                    "{order:?} on {}",
                    position.0
                );
                let values = || all.iter().map(|line| line.value);
                match order {
                    LineOrder::Likely => {}
                    LineOrder::Best => assert!(values().is_sorted_by(|a, b| b <= a)),
                    LineOrder::Worst => assert!(values().is_sorted()),
                }
            }
        }
    }
}

#[test]
fn the_median_line_is_that_of_the_record_and_goes_on_where_the_record_has_a_cached_node() {
    let (mut same, mut longer) = (0, 0);
    for lookahead in [
        "Expectimax(plies: Fixed(3))",
        "Expectimax(plies: Fixed(6))",
        "Expectimax(plies: Fixed(4))",
    ] {
        let strategy = strategy("Lines()", lookahead);
        for &position in corpus(Size::FOUR, 45).iter().step_by(2) {
            // On boards with fewer tiles, symmetric images count as one, and slides of equal value may be in another
            // order.
            if 12 <= position.0.empty_count() {
                continue;
            }
            let Some(tree) = recorded(&strategy, Rules::default(), position, MANY) else {
                continue;
            };
            let play = followed(&tree);
            let line = play
                .median_line(tree.chosen.expect("a move"))
                .expect("a line");
            let links: Vec<Link> = tree
                .line(SpawnRule::Median, &[])
                .iter()
                .filter_map(|&id| tree.link(id))
                .collect();
            assert_eq!(
                line.steps[..links.len()]
                    .iter()
                    .map(|step| step.link)
                    .collect::<Vec<_>>(),
                links
            );
            let plies = tree.subject().plies as usize;
            assert!(
                line.steps.len() == plies || line.end == LineEnd::Dead,
                "{lookahead} on {}",
                position.0
            );
            same += 1;
            longer += usize::from(links.len() < line.steps.len());
        }
    }
    assert!(15 < same && 1 < longer, "{longer} of {same}");
}

/// Value, probability of a dead board and expected number of empty cells, by the definition of expectimax alone.
fn plain(board: &Board, score: u64, plies: u32, evaluator: &Evaluator) -> [f64; 3] {
    let dead = f64::from(u8::from(board.is_dead()));
    let at_end = || {
        [
            evaluator.evaluate(board, score),
            dead,
            f64::from(board.empty_count()),
        ]
    };
    if plies == 0 {
        return at_end();
    }
    let slides = Move::ALL.into_iter().filter_map(|mv| board.slide(mv));
    let after = slides.map(|slide| {
        plain_after(
            &slide.after.board(),
            score + u64::from(slide.reward),
            plies - 1,
            evaluator,
        )
    });
    let best = after.reduce(|best, next| if best[0] < next[0] { next } else { best });
    best.unwrap_or_else(|| [at_end()[0], 1.0, f64::from(board.empty_count())])
}

fn plain_after(after: &Board, score: u64, plies: u32, evaluator: &Evaluator) -> [f64; 3] {
    if plies == 0 {
        return [
            evaluator.evaluate(after, score),
            0.0,
            f64::from(after.empty_count()),
        ];
    }
    let cells = after.empty_cells();
    let mut sum = [0.0; 3];
    for &cell in &cells {
        for (rank, chance) in [(Rank::TWO, 0.9), (Rank::FOUR, 0.1)] {
            let found = plain(&after.with(cell, rank), score, plies - 1, evaluator);
            sum.iter_mut()
                .zip(found)
                .for_each(|(sum, one)| *sum += chance * one / cells.len() as f64);
        }
    }
    sum
}

#[test]
fn on_small_boards_deaths_and_empty_cells_are_those_of_a_plain_recursion() {
    let evaluator: Evaluator = "Sum([(1.0, Score), (7.3, Empty), (0.13, Monotonicity)])"
        .parse()
        .expect("a sum");
    let (mut compared, mut deadly) = (0, 0);
    for (size, plies) in [
        ("2x2", 6),
        ("2x2", 7),
        ("2x3", 4),
        ("2x3", 5),
        ("3x3", 3),
        ("3x3", 4),
    ] {
        let size: Size = size.parse().expect("a size");
        let lookahead = format!("Expectimax(plies: Fixed({plies}))");
        let strategy = strategy(&evaluator.to_string(), &lookahead);

        for number in 0..12 {
            let game = Seed(number).game(0);
            let cells = Board::empty(size).cells().map(|(cell, _)| cell);
            let board = cells
                .enumerate()
                .fold(Board::empty(size), |board, (k, cell)| {
                    let (place, rank) =
                        (game.place_draw(k as u32), game.value_draw(k as u32) % 6 + 1);
                    let rank = Rank::new(rank as u8).expect("at most 6");
                    if place.is_multiple_of(4) {
                        board
                    } else {
                        board.with(cell, rank)
                    }
                });

            let rules = Rules {
                size,
                ..Rules::default()
            };
            let Some(tree) = recorded(&strategy, rules, (board, 40), MANY) else {
                continue;
            };
            let play = followed(&tree);
            let sets: Vec<_> = play.moves().iter().map(|mv| play.leaves(mv)).collect();
            let measures = play
                .measures(&sets, &CancelToken::new())
                .expect("not stopped");
            let empties = measures
                .others
                .iter()
                .find(|one| one.label == "Empty")
                .expect("Empty is an evaluator");

            for (at, set) in sets.iter().enumerate() {
                let slide = board.slide(set.mv).expect("legal");
                let after = slide.after.board();
                let expected =
                    plain_after(&after, 40 + u64::from(slide.reward), plies - 1, &evaluator);
                let found = [set.value(), set.dead(), empties.means[at]];
                let is_same = found.iter().zip(&expected).all(|(&a, &b)| agree(a, b));
                assert!(
                    is_same,
                    "{lookahead} on {board} after {}: {found:?} and not {expected:?}",
                    set.mv
                );
                compared += 1;
                deadly += usize::from(0.0 < set.dead());
                assert!(agree(set.histogram((0.0, 500.0), 7).iter().sum(), 1.0));
                assert!(
                    set.quantile(0.0) <= set.quantile(0.5)
                        && set.quantile(0.5) <= set.quantile(1.0)
                );
            }
        }
    }

    assert!(80 < compared && 10 < deadly, "{deadly} of {compared}");
}

#[test]
fn what_has_no_lines_and_what_is_stopped_says_so() {
    let board: Board = "2,4,8,16/0,8,0,32/0,2,4,64/0,0,2,128"
        .parse()
        .expect("a board");
    let one = strategy("Snake", "Expectimax(plies: Fixed(5))");
    let tree = recorded(&one, Rules::default(), (board, 0), 100).expect("a tree");
    let stop = CancelToken::new();
    stop.cancel();
    let found = BestPlay::follow(tree.subject(), &stop);
    assert_eq!(found, Err(NoBestPlay::Stopped));
    // A record of only a hundred nodes does not change the result.
    let whole = recorded(&one, Rules::default(), (board, 0), MANY).expect("a tree");
    assert_eq!(
        followed(&tree).leaves(Move::Up),
        followed(&whole).leaves(Move::Up)
    );
    let sampled = strategy("Snake", "MonteCarlo(playouts: 40)");
    let tree = recorded(&sampled, Rules::default(), (board, 0), MANY);
    assert!(tree.is_none_or(|tree| {
        BestPlay::follow(tree.subject(), SearchOptions::default().stop) == Err(NoBestPlay::Sampled)
    }));
}
