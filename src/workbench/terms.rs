//! The words of the field: what each means in two lines, and its formula.
//!
//! Tooltips and the glossary show the same texts, so that they cannot disagree. To add a term, write it into the list of its
//! group, in which one explains the next; a test sees to it that every evaluator has one and that nothing is too long for a
//! tooltip.

use std::sync::LazyLock;

use egui::{Response, RichText, Ui};

use super::theme::{self, Theme};
use crate::evaluator::{Evaluator, Facts};
use crate::search::{Lookahead, Method};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Term {
    pub name: &'static str,
    /// What it means, in two lines.
    pub lines: [&'static str; 2],
    /// How it is computed; empty where there is nothing to compute.
    pub formula: &'static str,
    /// Who wrote it down, with the section; empty for what everybody knows.
    pub source: &'static str,
}

impl Term {
    const fn new(name: &'static str, first: &'static str, second: &'static str) -> Self {
        Self { name, lines: [first, second], formula: "", source: "" }
    }

    const fn formula(self, formula: &'static str) -> Self {
        Self { formula, ..self }
    }

    const fn source(self, source: &'static str) -> Self {
        Self { source, ..self }
    }
}

/// The glossary: groups with their titles.
pub static ALL: LazyLock<[(&str, &[Term]); 6]> = LazyLock::new(|| {
    [
        ("The game", &GAME),
        ("Rows of a strategy", &ROWS),
        ("Evaluators", &EVALUATORS),
        ("Searches", &SEARCHES),
        ("Many decisions, many games", &SAMPLES),
        ("Networks that learn", &LEARNING),
    ]
});

const WIDEST: f32 = 380.0;

/// Explains what is under the pointer.
pub fn tip(response: Response, term: &Term) -> Response {
    response.on_hover_ui(|ui| {
        ui.set_max_width(WIDEST);
        show(ui, term);
    })
}

/// Draws a term: its name, two lines, the formula and the source.
pub fn show(ui: &mut Ui, term: &Term) {
    let theme = Theme::of(ui);
    ui.spacing_mut().item_spacing.y = 3.0;
    ui.label(RichText::new(term.name).font(theme::strong()).color(theme.text1));
    for line in term.lines {
        ui.label(RichText::new(line).color(theme.text2));
    }
    if !term.formula.is_empty() {
        ui.label(RichText::new(term.formula).font(theme::mono()).color(theme.text1));
    }
    if !term.source.is_empty() {
        ui.label(RichText::new(term.source).small().color(theme.text3));
    }
}

/// The terms whose name or text has all these words, in the order of the glossary.
pub fn find(query: &str) -> Vec<&'static Term> {
    let words: Vec<String> = query.split_whitespace().map(str::to_lowercase).collect();
    let has = |term: &&Term| {
        let text = [term.name, term.lines[0], term.lines[1], term.formula].join(" ").to_lowercase();
        words.iter().all(|word| text.contains(word))
    };
    ALL.iter().flat_map(|(_, terms)| *terms).filter(has).collect()
}

/// In the order of the palette.
static EVALUATORS: LazyLock<Vec<Term>> = LazyLock::new(|| {
    let term = |evaluator: &Evaluator| {
        let Facts { name, lines: [first, second], formula, source, .. } = evaluator.facts();
        Term::new(name, first, second).formula(formula).source(source)
    };
    Evaluator::palette().iter().map(term).collect()
});

/// What there is to say about an evaluator.
pub fn of_evaluator(evaluator: &Evaluator) -> &'static Term {
    // Every name is there, as a test makes sure of.
    of_evaluator_named(evaluator.name()).unwrap_or(&EVALUATORS[0])
}

/// The same by its name, as RON writes it.
pub fn of_evaluator_named(name: &str) -> Option<&'static Term> {
    EVALUATORS.iter().find(|term| term.name == name)
}

/// What there is to say about a lookahead.
pub fn of_lookahead(lookahead: &Lookahead) -> &'static Term {
    match lookahead {
        Lookahead::OnePly => &ONE_PLY,
        _ if lookahead.has_window() => &ALPHA_BETA,
        _ if lookahead.is_minimax() => &MINIMAX,
        Lookahead::DepthLimited(_) => &EXPECTIMAX,
        Lookahead::Sampled(sampled) => match sampled.method {
            Method::Flat(_) => &MONTE_CARLO,
            Method::Averaged { .. } => &AVERAGED_SEARCH,
            Method::Tree(_) => &MCTS,
        },
    }
}

pub const REWARD: Term = Term::new(
    "Reward",
    "The points that one move makes",
    "It is 0 when nothing merges; a score is the sum of all rewards so far",
)
.formula("reward = Σ tiles made by merging");

const GAME: [Term; 7] = [
    REWARD,
    Term::new(
        "Move",
        "Up, down, left or right: every tile goes as far as it can towards one wall",
        "Equal neighbours merge once, nearest the wall first; it must change something",
    ),
    Term::new(
        "Afterstate",
        "The board after the move and before the new tile",
        "What a player chooses between: the spawn is not its doing",
    ),
    Term::new(
        "Spawn",
        "The tile that chance puts down after a move",
        "Any empty cell alike; a 4 with the probability of the rules, else a 2",
    )
    .formula("P(cell, 4) = p4 / empty cells"),
    Term::new(
        "Ply",
        "One layer of a search: a move or a spawn",
        "3 plies are move, spawn, move; 4 plies look at boards to move",
    )
    .formula("plies = moves + spawns"),
    Term::new(
        "Score of a game",
        "The points made up to a board, or in a whole game",
        "Each merge to a tile v makes v points",
    )
    .formula("score = Σ rewards"),
    Term::new(
        "Loss",
        "How much worse a move is than the best one, by the values of a row",
        "The best move reads 0; units are those of the evaluator",
    )
    .formula("loss = best value − value"),
];

pub const PREFER: Term =
    Term::new("Prefer", "Whether high or low values are good", "Lower turns the row around: the least value is kept")
        .formula("best = max or min of the values");

pub const TOLERANCE: Term = Term::new(
    "Tolerance ε",
    "How far from the best a value may lie and still be kept",
    "0 keeps ties only; in units of the evaluator",
)
.formula("kept if |best − value| ≤ ε");

pub const OFF: Term = Term::new(
    "On and off",
    "A row that is off is not asked, as if it were not there",
    "Its settings stay, so that it can be tried with and without",
);

pub const LAST_RESORT: Term = Term::new(
    "Last resort",
    "What chooses when every row has kept more than one move",
    "Random draws from the game’s own stream; First takes up, down, left, right",
)
.source("Kohler, Migler and Khosmood 2019; Fried, Goldberger and Gavorova, 2048 solver");

pub const HASH: Term = Term::new(
    "Hash of a strategy",
    "Seven digits that name what a strategy does",
    "Name and note do not count: results and colour stay when it is renamed",
)
.formula("first 64 bits of SHA-256 of its text");

const ROWS: [Term; 8] = [
    Term::new(
        "Row",
        "A criterion: an evaluator, a lookahead, a direction and a tolerance",
        "It gives each move that is left a value and keeps the best",
    )
    .formula("kept = {m : best − value(m) ≤ ε}")
    .source("Rows in order: Kohler, Migler and Khosmood 2019"),
    Term::new(
        "Elimination",
        "A row strikes out the moves it does not keep",
        "The next row sees only what is left, until one move is",
    )
    .source("Kohler, Migler and Khosmood 2019"),
    PREFER,
    TOLERANCE,
    OFF,
    LAST_RESORT,
    HASH,
    Term::new(
        "Parent",
        "The version that a strategy was made from",
        "What it is tested against when the one before is asked for",
    ),
];

pub const ONE_PLY: Term = Term::new(
    "One ply",
    "The afterstate itself is evaluated: one move, no spawn",
    "The cheapest lookahead, below a microsecond",
)
.formula("value = e(afterstate)")
.source("Kohler, Migler and Khosmood 2019");

pub const EXPECTIMAX: Term = Term::new(
    "Expectimax",
    "The best move at the player’s turns, the mean of the spawns between",
    "Plays for the average of all spawns, as the game draws them, and looks at each",
)
.formula("chance = Σ p · value of the board after the spawn")
.source("Fried, Goldberger and Gavorova, 2048 solver; Tutorial");

pub const MINIMAX: Term = Term::new(
    "Minimax",
    "The best move at the player’s turns, the worst spawn between",
    "Too careful for a game of chance, but bounds allow cuts",
)
.formula("min over cells and tiles")
.source("Fried, Goldberger and Gavorova, 2048 solver; Course paper");

pub const ALPHA_BETA: Term = Term::new(
    "Alpha-beta",
    "Minimax without the branches that cannot change the choice",
    "Same move as minimax; values of other moves may be bounds",
)
.formula("cut when α ≥ β")
.source("Fried, Goldberger and Gavorova, 2048 solver");

pub const MONTE_CARLO: Term = Term::new(
    "Monte Carlo",
    "Games played on from every move, the same number each: their mean counts",
    "All moves get the same spawns, so that differences are surer than the means",
)
.formula("value = mean of the playouts ± standard error")
.source("Ronenz, Stack Overflow 2014; Rodgers and Levine 2014");

pub const AVERAGED_SEARCH: Term = Term::new(
    "Averaged search",
    "Searches by depth in which chance has drawn the spawns, averaged",
    "Seeing the spawns it plans for, its mean is above the expectimax as deep",
)
.formula("value = mean over draws of the best line")
.source("Rodgers and Levine 2014, our reading");

pub const MCTS: Term = Term::new(
    "MCTS",
    "A tree that grows by playouts, the more where results were good",
    "The value of a node is the mean of all playouts through it",
)
.formula("UCT: largest mean + c σ √(ln N / n) first")
.source("Kocsis and Szepesvári 2006; Rodgers and Levine 2014");

pub const UCB: Term = Term::new(
    "UCB",
    "What decides which move is tried next: its mean, and how unsure that is",
    "σ is the deviation of the results at the node above, so that c has no unit",
)
.formula("mean + c · σ · √(ln N / n)")
.source("Auer, Cesa-Bianchi and Fischer 2002");

pub const CLOSED_LOOP: Term = Term::new(
    "Closed and open loop",
    "Closed: a node for each board. Open: one for each sequence of moves",
    "An open loop averages over the spawns in between and grows deeper",
);

pub const PLAYOUT: Term = Term::new(
    "Playout",
    "A game played on from a position by a simple policy",
    "What is drawn depends on the board and the seed of the row alone",
);

pub const PLAYOUT_POLICY: Term = Term::new(
    "Playout policy",
    "Who makes the moves of playouts: chance, or a strategy that does not sample",
    "Better moves are slower, and need not choose better",
);

pub const PLAYOUT_WORTH: Term = Term::new(
    "Worth of a playout",
    "What its last position is worth: evaluator, points, or 1 for a tile",
    "With 1 for a tile the mean is the share of playouts that make it",
);

pub const UNTIL_SURE: Term = Term::new(
    "Until sure",
    "Ends once the best is ahead of the second by so many standard errors",
    "It looks again and again: 2 are less sure than at one look",
)
.formula("best − second ≥ z · SE of the difference");

pub const SAMPLE_SEED: Term = Term::new(
    "Seed of samples",
    "Another seed draws other playouts; the same one draws the same on a board",
    "In games, in the window and on the command line alike",
);

pub const VISITS: Term = Term::new(
    "Visits",
    "How many samples went through a node",
    "Their mean is its value, their standard error says how sure that is",
)
.formula("SE = σ / √n");

pub const PLIES: Term = Term::new(
    "Depth in plies",
    "How many moves and spawns are looked ahead",
    "Even depths end at boards to move, odd ones at afterstates",
)
.formula("one more ply: some 10 times the work");

pub const DEPTHS: Term = Term::new(
    "At every depth",
    "What the strategy decides at each value of one of its numbers",
    "Nothing is said of values that were not tried",
)
.formula("changes: no move in common with the value before");

pub const BEST_PLAY: Term = Term::new(
    "Best play",
    "What happens if every move is the one the search values most",
    "A line is one way the tiles may come; a second search finds all, whatever the record holds",
)
.formula("value of a move = Σ weight · value at the end of each line");

pub const BY_EMPTY: Term = Term::new(
    "Depth by empty cells",
    "Deeper when the board is full: the first pair that applies",
    "(at least so many empty cells, plies), from many to few",
)
.formula("plies = first pair with empty ≥ n")
.source("Fried, Goldberger and Gavorova, 2048 solver; Molla, Garen, Ripoll and Beckhauser 2025");

pub const BY_DISTINCT: Term = Term::new(
    "Depth by distinct tiles",
    "Deeper the more different tiles are on the board",
    "So many moves of the player after the first",
)
.formula("plies = 2 · clamp(distinct + offset) + 1")
.source("Tutorial; constants of Xiao, nneonneo/2048-ai");

pub const LIMIT_TIME: Term = Term::new(
    "Limit in time",
    "Deepens ply by ply until so many milliseconds are over",
    "Not reproducible: it depends on the machine. What is shown is as deep as in a game",
);

pub const DOWNGRADE: Term = Term::new(
    "Tile-downgrading",
    "From this tile on, tiles above the highest missing one are halved before the search",
    "Networks have learnt little of large tiles. The slide is made on the real board",
)
.source("Guei, Chen and Wu 2021; the rule of TDL2048+");

pub const LIMIT_NODES: Term = Term::new(
    "Limit in nodes",
    "Deepens ply by ply until so many nodes are searched",
    "Reproducible: the same nodes on every machine",
);

pub const SPAWN_NODE: Term = Term::new(
    "Spawn node",
    "What a node of chance is worth",
    "Mean of all spawns, their sum over cells, or the least cell",
)
.formula("Σ over cells ((1 − p4)·v₂ + p4·v₄) / cells")
.source("Sum: Tutorial; least cell: Course paper");

pub const DEAD_BOARD: Term = Term::new(
    "Dead board",
    "What a board without a legal move is worth",
    "As the evaluator says, or 0 with negative bests raised to 0",
)
.formula("e(board) or 0")
.source("Tutorial; constants of Xiao, nneonneo/2048-ai");

pub const REACH_CUT: Term = Term::new(
    "Reach cut",
    "Afterstates that are hardly ever reached are evaluated where they stand",
    "The probability is the product of the spawns on the way",
)
.formula("Π p < threshold")
.source("Tutorial; constants of Xiao, nneonneo/2048-ai");

pub const IMPORTANT_CELLS: Term = Term::new(
    "Important cells",
    "Spawns are considered only on the cells of largest weight",
    "Fewer the nearer the end of the search; the rest is not looked at",
)
.formula("min(levels left, empty cells, k)")
.source("Course paper");

pub const WORST_SPAWNS: Term = Term::new(
    "Worst spawns",
    "The opponent of a minimax chooses among the spawns that look worst",
    "Islands of equal tiles less smoothness, before anything is searched",
)
.formula("largest islands − smoothness")
.source("ovolve, 2048-AI");

pub const STATIC_VALUE: Term = Term::new(
    "Static value",
    "What the evaluator says of a board as it stands, without a search",
    "A search backs up those of its leaves: the difference is what looking ahead adds",
);

pub const SELF_CHECK: Term = Term::new(
    "Self-check",
    "Every value of a recorded search, computed once more from plain definitions",
    "A node is found right if both agree; what rests on unrecorded nodes does not count",
);

const SEARCHES: [Term; 35] = [
    STATIC_VALUE,
    SELF_CHECK,
    ONE_PLY,
    EXPECTIMAX,
    MINIMAX,
    ALPHA_BETA,
    MONTE_CARLO,
    AVERAGED_SEARCH,
    MCTS,
    UCB,
    CLOSED_LOOP,
    PLAYOUT,
    PLAYOUT_POLICY,
    PLAYOUT_WORTH,
    UNTIL_SURE,
    SAMPLE_SEED,
    VISITS,
    PLIES,
    DEPTHS,
    BEST_PLAY,
    BY_EMPTY,
    BY_DISTINCT,
    LIMIT_TIME,
    LIMIT_NODES,
    DOWNGRADE,
    SPAWN_NODE,
    DEAD_BOARD,
    REACH_CUT,
    IMPORTANT_CELLS,
    WORST_SPAWNS,
    Term::new(
        "Transposition table",
        "Remembers boards that were searched already",
        "Values do not depend on it; it saves time only",
    ),
    Term::new(
        "Max node",
        "A board to move: the best of its moves counts",
        "Drawn as a house with its peak up, letter M",
    )
    .formula("max over legal moves"),
    Term::new("Chance node", "An afterstate: its spawns are averaged", "Drawn as a circle, letter C")
        .formula("Σ p · value"),
    Term::new(
        "Min node",
        "An afterstate where the worst spawn counts",
        "Drawn as a house with its peak down, letter N",
    )
    .formula("min over spawns"),
    Term::new(
        "Principal variation",
        "The line of best moves and the spawns between them",
        "Which spawn stands on it, the median or the likeliest, can be chosen",
    ),
];

pub const REACHED: Term =
    Term::new("Reached", "Decisions that came as far as this row", "Rows above had left two moves or more")
        .formula("reached / decisions with a choice");

pub const DECIDED: Term = Term::new(
    "Decided",
    "Decisions that this row ended: it left one move",
    "What it is for; a row that never decides only narrows",
)
.formula("decided / decisions with a choice");

pub const PASSED: Term = Term::new(
    "Passed on a tie",
    "Decisions where this row kept every move it saw",
    "It could not tell them apart, the next row had to",
)
.formula("passed / decisions with a choice");

pub const MOVES_LEFT: Term =
    Term::new("Moves left", "Mean number of moves that this row kept", "1 means that it decides whenever it is asked")
        .formula("Σ kept / reached");

pub const PINNED: Term = Term::new(
    "Pinned positions",
    "Boards on which an edit is tried before it is made",
    "A change counts when the set of moves to choose from differs",
)
.formula("changed / positions");

pub const COST: Term =
    Term::new("Cost", "Time of a decision on one core of this machine", "Rows that search take it nearly all")
        .formula("moves a second = 1 / time of a decision");

pub const WEIGHING: Term = Term::new(
    "Ranked against weighted",
    "Weights of a Sum that chooses as the list of rows does",
    "Learned on one half of the sample, tested on the other",
)
.formula("agreed / n of the other half");

pub const ECDF: Term = Term::new(
    "ECDF",
    "Empirical distribution: which share of the games scored at most so much",
    "Farther right is better; the band holds the whole true curve in 95 of 100 runs",
)
.formula("F(x) = games with score ≤ x / n");

pub const LADDER: Term = Term::new(
    "Ladder",
    "Which share of the games reached each tile, with its interval",
    "A row for each strategy, a column for each tile; a cell lists its games",
)
.formula("games with the tile / n");

pub const BOX: Term = Term::new(
    "Box",
    "The middle half of the games, with the median as a line",
    "Whiskers reach from 5 % to 95 %; dots are the lowest and the highest game",
);

pub const DIFFERENCES: Term = Term::new(
    "Paired differences",
    "How far apart two strategies end on the same tiles, game by game",
    "Identical games are counted apart; the bar at the axis is the interval of the mean",
)
.formula("score − score of the baseline, of the games of one index");

pub const SWEEP: Term = Term::new(
    "Sweep",
    "A strategy with one setting or two at one value after the other, on the same seeds",
    "A line or a field over the settings; each point is a strategy, whose games it lists",
);

pub const BASELINE: Term = Term::new(
    "Baseline",
    "The strategy that the others of an experiment are compared with",
    "Differences, intervals and verdicts of the table are against it",
)
.formula("difference = mean − mean of the baseline");

const LEARNING: [Term; 7] = [
    Term::new(
        "n-tuple network",
        "Tables of a few cells each, read in all images of a board and added up",
        "A weight stands for one combination of tiles on the cells of one tuple",
    )
    .formula("V(a) = Σ weights of the tuples of a")
    .source("Szubert and Jaśkowski 2014, section III"),
    Term::new(
        "TD learning",
        "After each slide the value of the afterstate before moves towards what came",
        "The error δ is the reward and value of the next afterstate less its own value",
    )
    .formula("w ← w + α·δ/n,  δ = r + V(a′) − V(a)")
    .source("Szubert and Jaśkowski 2014, section II"),
    Term::new(
        "TC learning",
        "The same, each weight with a rate of its own: temporal coherence",
        "One whose errors cancel out learns slowly, one that errs one way learns fast",
    )
    .formula("w ← w + α·(|E|/A)·δ/n,  E: sum of errors,  A: sum of their sizes")
    .source("Beal and Smith 1999; Jaśkowski 2018"),
    LEARNING_CURVE,
    GREEDY_TEST,
    TOUCHED,
    Term::new(
        "Checkpoint",
        "The file of a network with all that its training keeps: it goes on from there",
        "Written every minute, when it is held or stopped, and when the window closes",
    ),
];

pub const LEARNING_CURVE: Term = Term::new(
    "Learning curve",
    "Each point: the games since the point before, in which the network learnt",
    "Band: 95 % intervals of the mean (Student's t) or of the share (Wilson)",
);

pub const GREEDY_TEST: Term = Term::new(
    "Greedy test",
    "Games by the slide with the largest reward + value, with the network as it is",
    "Nothing is learnt from them, and no test game is one that was learnt from",
);

pub const TOUCHED: Term = Term::new(
    "Touched weight",
    "A weight that is no longer what it was before anything was learnt",
    "The others were never met in a game, or only where nothing was to be learnt",
);

const SAMPLES: [Term; 24] = [
    ECDF,
    LADDER,
    BOX,
    DIFFERENCES,
    SWEEP,
    BASELINE,
    REACHED,
    DECIDED,
    PASSED,
    MOVES_LEFT,
    Term::new(
        "Finding",
        "Something that can be played and is probably not meant",
        "Each comes with a position that shows it",
    ),
    PINNED,
    Term::new(
        "Same order",
        "Orders of the rows that no position has told apart so far",
        "Not a proof: games on shared seeds confirm a group or divide it",
    )
    .source("Kohler, Migler and Khosmood 2019"),
    COST,
    Term::new(
        "Agreement",
        "Decisions where two strategies choose from the same moves",
        "Openings agree more than ends: look at the phases",
    )
    .formula("same / n"),
    WEIGHING,
    Term::new(
        "Standard error",
        "How far off a mean may be by chance",
        "A quarter of the error takes sixteen times the games",
    )
    .formula("SE = SD / √n"),
    Term::new(
        "Standard deviation",
        "How far single games lie from the mean",
        "A property of the strategy, not of the number of games",
    )
    .formula("SD = √(Σ (x − mean)² / (n − 1))"),
    Term::new("Median", "Half of the games score less, half more", "Less moved by a few very good games than the mean"),
    Term::new(
        "95 % interval",
        "The mean lies in it for 95 of 100 such experiments",
        "Two that overlap widely are not distinguishable",
    )
    .formula("mean ± t · SE"),
    Term::new(
        "Valid at any time",
        "An interval that may be looked at while games are played, and after a stop",
        "1.55 times as wide or more; the narrower one is that of the planned number of games",
    )
    .formula("mean ± SE · √(2 (tρ²+1)/(tρ²) · ln(√(tρ²+1) / 0.05))")
    .source("Waudby-Smith and others 2021"),
    Term::new(
        "Verdict",
        "Whether games differ from a published number: p ≤ 0.05, all tests of the table counted",
        "Compatible: the interval of the difference is within 10 %, of a share within 10 points",
    )
    .source("Welch 1947, Newcombe 1998, Bonett 2006, Holm 1979"),
    Term::new("Reach rate", "Share of the games that made a tile", "The usual measure of strong strategies")
        .formula("games with the tile / n"),
    Term::new(
        "Wilson interval",
        "Interval of a share that is right near 0 and 1, too",
        "Nothing in 100 games still may be 3.7 % of all",
    )
    .formula("(p + z²/2n ± z√(p(1−p)/n + z²/4n²)) / (1 + z²/n)")
    .source("Wilson 1927"),
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::evaluator::Evaluator;

    fn all() -> impl Iterator<Item = &'static Term> {
        ALL.iter().flat_map(|(_, terms)| *terms)
    }

    #[test]
    fn every_term_is_explained_once_in_two_lines() {
        let names: BTreeSet<&str> = all().map(|term| term.name).collect();
        assert_eq!(names.len(), all().count(), "a name stands twice");
        for term in all() {
            for line in term.lines {
                let length = line.chars().count();
                assert!((8..=90).contains(&length), "{}: {length} characters: {line}", term.name);
                assert!(!line.ends_with('.'), "{}: {line}", term.name);
            }
            assert!(term.formula.chars().count() <= 68, "{}", term.name);
        }
    }

    #[test]
    fn every_evaluator_has_a_term_with_a_formula_and_a_source() {
        for evaluator in Evaluator::palette() {
            let term = of_evaluator(&evaluator);
            assert_eq!(term.name, evaluator.name());
            assert!(!term.formula.is_empty() && !term.source.is_empty(), "{}", term.name);
        }
        assert_eq!(EVALUATORS.len(), Evaluator::palette().len());
        assert_eq!(of_evaluator_named("Snake"), Some(of_evaluator(&Evaluator::Snake)));
        assert_eq!(of_evaluator_named("snake"), None);
    }

    #[test]
    fn words_are_found_wherever_they_stand() {
        assert_eq!(find("").len(), all().count());
        assert!(find("wilson").iter().any(|term| term.name == "Wilson interval"));
        assert!(find("spawn WORST").iter().any(|term| term.name == "Minimax"));
        assert!(find("no such word").is_empty());
    }
}
