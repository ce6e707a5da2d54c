//! Example formulas to start from.

/// A formula with a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Example {
    pub name: &'static str,
    pub text: &'static str,
    pub about: &'static str,
}

/// The first one is that of the palette. Tests compare those that reproduce an evaluator with it.
pub const EXAMPLES: [Example; 9] = [
    Example {
        name: "Room and merges",
        text: "270 * empty + 700 * merges + sum(lines, x -> max(x, c -> c.rank))",
        about: "Empty cells, tiles that can merge and the largest rank of each line",
    },
    Example {
        name: "Empty cells",
        text: "empty",
        about: "The evaluator Empty",
    },
    Example {
        name: "Smoothness",
        text: "-sum(pairs, (a, b) -> abs(a.tile - b.tile))",
        about: "The evaluator Difference: steps between neighbors",
    },
    Example {
        name: "Monotonicity",
        text: "max(turns, b -> count(b.pairs, (x, y) -> y.tile <= x.tile))",
        about: "The evaluator Monotonicity on square boards: ordered pairs in the best of four turns",
    },
    Example {
        name: "Large tiles in a corner",
        text: "let most = max(cells, c -> c.tile);\nif(max(rows[1][1].tile, rows[1][-1].tile, rows[-1][1].tile, rows[-1][-1].tile) = most, most, -most)",
        about: "The evaluator CornerBonus",
    },
    Example {
        name: "Weights of cells",
        text: "sum(cells,\n  [6, 5, 4, 3,\n   5, 4, 3, 2,\n   4, 3, 2, 1,\n   3, 2, 1, 0],\n  (c, w) -> w * c.tile)",
        about: "The evaluator Weights \"a\", for boards of 4×4",
    },
    Example {
        name: "Snake",
        text: "# The best of the eight images of the board, of 4×4\nmax(images, b -> sum(b.cells,\n  [32768, 16384, 8192, 4096, 256, 512, 1024, 2048, 128, 64, 32, 16, 1, 2, 4, 8],\n  (c, w) -> w * c.tile)) / 8192",
        about: "The evaluator Snake",
    },
    Example {
        name: "Lines of Xiao",
        text: "sum(lines, x ->\n  200000 + 270 * empty(x) + 700 * merges(x)\n  - 47 * min(\n      sum(pairs(x), (a, b) -> if(b.rank < a.rank, a.rank ^ 4 - b.rank ^ 4, 0)),\n      sum(pairs(x), (a, b) -> if(a.rank < b.rank, b.rank ^ 4 - a.rank ^ 4, 0)))\n  - 11 * sum(x, c -> c.rank ^ 3.5))",
        about: "The evaluator Lines, with the constants of Xiao's solver",
    },
    Example {
        name: "Points and room",
        text: "score + 50 * empty",
        about: "Points so far, and 50 for each empty cell",
    },
];
