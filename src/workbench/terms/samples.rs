//! Terms of statistics over decisions and games.

use super::Term;

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

pub(super) const SAMPLES: [Term; 24] = [
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
        "Two that overlap widely show no difference",
    )
    .formula("mean ± t · SE"),
    Term::new(
        "Valid at any time",
        "An interval that may be looked at while games are played, and after a stop",
        "To be as narrow as at the planned end takes 2.4 times the games; 2.8 to 3.5 under a rule",
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
