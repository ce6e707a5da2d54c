//! The matrices of a row: their places, the cells that change together, and boards that show an asymmetry.

use crate::evaluator::{Evaluator, Weights};
use crate::game::{Board, Cell, Rank, Size, Symmetry};
use crate::search::Cut;
use crate::strategy::Criterion;
use crate::workbench::panels::builder::weights::named;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum MatrixPlace {
    /// In the evaluator: the index of the term or factor at each level.
    Evaluator(Vec<usize>),
    Cut(usize),
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Matrix {
    pub place: MatrixPlace,
    /// Its label: `Weights a`, `Term 2, Weights`, `Important cells`.
    pub label: String,
    pub weights: Weights,
}

/// Every matrix of a row, those of the evaluator first.
pub(super) fn matrices(row: &Criterion) -> Vec<Matrix> {
    let mut found = Vec::new();
    collect(&row.evaluator, &mut Vec::new(), &mut found);
    for (index, cut) in row.lookahead.cuts().iter().enumerate() {
        if let Cut::ImportantCells { weights, .. } = cut {
            let (place, label) = (MatrixPlace::Cut(index), "Important cells".to_owned());
            found.push(Matrix {
                place,
                label,
                weights: weights.clone(),
            });
        }
    }
    found
}

fn collect(evaluator: &Evaluator, way: &mut Vec<usize>, found: &mut Vec<Matrix>) {
    let parts: Vec<&Evaluator> = match evaluator {
        Evaluator::Sum(terms) => terms.iter().map(|(_, term)| term).collect(),
        Evaluator::Product(one, other) => vec![one, other],
        Evaluator::Weights(weights) => {
            let numbers = way
                .iter()
                .map(|step| (step + 1).to_string())
                .collect::<Vec<_>>()
                .join(".");
            let name = evaluator.label();
            let label = if way.is_empty() {
                name
            } else {
                format!("Term {numbers}, {name}")
            };
            found.push(Matrix {
                place: MatrixPlace::Evaluator(way.clone()),
                label,
                weights: weights.clone(),
            });
            return;
        }
        _ => return,
    };
    for (index, part) in parts.into_iter().enumerate() {
        way.push(index);
        collect(part, way, found);
        way.pop();
    }
}

/// The row with other numbers in one of its matrices. Numbers of a preset get its name.
pub(super) fn with_weights(row: &Criterion, place: &MatrixPlace, values: Vec<f64>) -> Criterion {
    let mut row = row.clone();
    let weights =
        match place {
            MatrixPlace::Evaluator(way) => weights_at(&mut row.evaluator, way),
            MatrixPlace::Cut(index) => row.lookahead.depth_limited_mut().and_then(|search| {
                match search.cuts.get_mut(*index)? {
                    Cut::ImportantCells { weights, .. } => Some(weights),
                    _ => None,
                }
            }),
        };
    if let Some(weights) = weights {
        *weights = named(values);
    }
    row
}

fn weights_at<'a>(evaluator: &'a mut Evaluator, way: &[usize]) -> Option<&'a mut Weights> {
    match (evaluator, way) {
        (Evaluator::Weights(weights), []) => Some(weights),
        (Evaluator::Sum(terms), [step, rest @ ..]) => {
            weights_at(&mut terms.get_mut(*step)?.1, rest)
        }
        (Evaluator::Product(one, _), [0, rest @ ..]) => weights_at(one, rest),
        (Evaluator::Product(_, other), [1, rest @ ..]) => weights_at(other, rest),
        _ => None,
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum PaintGroup {
    #[default]
    One,
    /// A cell and its mirror image across the main diagonal.
    Diagonal,
    /// A cell and its images under quarter turns; on a rectangle, under the half turn.
    Turns,
    /// A cell and its images under all turns and mirrors; on a rectangle, under those that keep its sides.
    Ways,
}

impl PaintGroup {
    pub(super) const ALL: [(Self, &'static str); 4] = [
        (Self::One, "One"),
        (Self::Diagonal, "Diagonal"),
        (Self::Turns, "4 turns"),
        (Self::Ways, "8 ways"),
    ];

    /// Whether the group is available on boards of this size.
    pub(super) fn fits(self, size: Size) -> bool {
        self != Self::Diagonal || size.rows() == size.cols()
    }

    /// The symmetries that relate cells painted together; the first one is the identity.
    fn symmetries(self, size: Size) -> impl Iterator<Item = Symmetry> {
        Symmetry::of(size).filter(move |symmetry| match self {
            Self::One => *symmetry == Symmetry::IDENTITY,
            Self::Diagonal => symmetry.keeps_diagonal(),
            Self::Turns => symmetry.is_turn(),
            Self::Ways => true,
        })
    }
}

/// The cells painted together with one: the cell itself first, each cell once.
pub(super) fn group(size: Size, paint: PaintGroup, cell: usize) -> Vec<usize> {
    let mut cells = Vec::new();
    for symmetry in paint.symmetries(size) {
        let to = symmetry.index(cell, size);
        if !cells.contains(&to) {
            cells.push(to);
        }
    }
    cells
}

/// A matrix to start from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MatrixPreset {
    /// The diagonal gradient of the Course paper; `B` doubles with each step.
    A,
    B,
    /// The folded path of the Course paper, which doubles with each step.
    C,
    /// The weights of Snake in one of its eight orientations.
    Snake,
    /// The weights of Corner in one of its four orientations.
    Corner,
}

impl MatrixPreset {
    pub(super) const ALL: [(Self, &'static str); 5] = [
        (Self::A, "a"),
        (Self::B, "b"),
        (Self::C, "c"),
        (Self::Snake, "Snake"),
        (Self::Corner, "Corner"),
    ];

    /// Its numbers on boards of this size. Those of the Course paper continue their 4×4 pattern.
    pub(super) fn values(self, size: Size) -> Vec<f64> {
        let (rows, cols) = (size.rows(), size.cols());
        let doubled = |steps: usize| 2.0_f64.powi(steps as i32);
        // Number of cells that follow on a path that starts in the first cell and folds at the ends of rows.
        let behind = |row: usize, col: usize| {
            let along = if row.is_multiple_of(2) {
                col
            } else {
                cols - 1 - col
            };
            size.cells() - 1 - (row * cols + along)
        };
        let weight = |cell: usize| {
            let (row, col) = (cell / cols, cell % cols);
            let (below, right) = (rows - 1 - row, cols - 1 - col);
            match self {
                Self::A => (below + right) as f64,
                Self::B => doubled(below + right),
                Self::C => doubled(behind(row, col)),
                Self::Snake => doubled(behind(row, col)) / doubled(size.cells()) * 8.0,
                Self::Corner => {
                    let (to_the_head, to_the_foot) = (row + right, below + col);
                    let steps = to_the_head.abs_diff(to_the_foot).div_ceil(2);
                    let weight = if steps == 0 { 0.0 } else { doubled(steps - 1) };
                    if to_the_head < to_the_foot {
                        weight
                    } else {
                        0.0 - weight
                    }
                }
            }
        };
        (0..size.cells()).map(weight).collect()
    }
}

/// A board and the image of it with the most different value, each with its value. The board is the one on screen, or else one
/// with a single tile. `None` if no image differs.
pub(super) fn asymmetry(
    evaluator: &Evaluator,
    board: &Board,
    score: u64,
) -> Option<[(Board, f64); 2]> {
    let size = board.size();
    let widest = |board: Board| {
        let valued = |board: Board| (board, evaluator.evaluate(&board, score));
        let one = valued(board);
        let distance = |other: &(Board, f64)| (other.1 - one.1).abs();
        let images = Symmetry::of(size).map(|symmetry| valued(symmetry.image(&board)));
        let other = images.max_by(|a, b| distance(a).total_cmp(&distance(b)))?;
        (other.1 != one.1).then_some([one, other])
    };
    let single = |cell: usize| {
        Board::empty(size).with(
            Cell::at(cell, size),
            Rank::of_tile(64).unwrap_or(Rank::EMPTY),
        )
    };
    widest(*board).or_else(|| (0..size.cells()).find_map(|cell| widest(single(cell))))
}

/// The weights of Corner or Snake in one orientation; `None` for other evaluators.
pub(super) fn gradient(evaluator: &Evaluator, size: Size) -> Option<Vec<f64>> {
    match evaluator {
        Evaluator::Corner => Some(MatrixPreset::Corner.values(size)),
        Evaluator::Snake => Some(MatrixPreset::Snake.values(size)),
        _ => None,
    }
}

/// The weights of Corner or Snake in the orientation that counts on a board; `None` for other evaluators.
pub(super) fn counting(evaluator: &Evaluator, board: &Board) -> Option<Vec<f64>> {
    let size = board.size();
    let values = gradient(evaluator, size)?;
    let worth = |values: &[f64]| -> f64 {
        board
            .cells()
            .zip(values)
            .map(|((_, rank), weight)| weight * rank.tile() as f64)
            .sum()
    };
    let turned = |symmetry: Symmetry| {
        let mut turned = vec![0.0; values.len()];
        for (cell, value) in values.iter().enumerate() {
            turned[symmetry.index(cell, size)] = *value;
        }
        turned
    };
    // The first of equal ones, so that the picture does not flicker.
    Symmetry::of(size).map(turned).reduce(|best, next| {
        if worth(&best) < worth(&next) {
            next
        } else {
            best
        }
    })
}

/// Parses pasted numbers: rows on lines or after slashes and semicolons, with blanks or commas between. The error says what is
/// wrong.
pub(super) fn pasted(text: &str, size: Size) -> Result<Vec<f64>, String> {
    let is_between = |c: char| {
        c.is_whitespace()
            || matches!(
                c,
                ',' | ';' | '/' | '[' | ']' | '(' | ')' | '{' | '}' | '|' | '"'
            )
    };
    let numbers: Vec<&str> = text
        .split(is_between)
        .filter(|number| !number.is_empty())
        .collect();
    if numbers.len() != size.cells() {
        let count = crate::words::plural(numbers.len() as u64, "number");
        return Err(format!(
            "{count} in the clipboard, but a {size} board has {} cells",
            size.cells()
        ));
    }
    let number = |(index, text): (usize, &&str)| match text.replace('−', "-").parse::<f64>() {
        Ok(number) if number.is_finite() => Ok(number),
        _ => Err(format!(
            "number {} is {}, not a finite number",
            index + 1,
            crate::words::quoted(text)
        )),
    };
    numbers.iter().enumerate().map(number).collect()
}

/// The numbers in rows, as [`pasted`] reads them.
pub(super) fn copied(values: &[f64], size: Size) -> String {
    let row = |row: &[f64]| row.iter().map(f64::to_string).collect::<Vec<_>>().join(" ");
    values
        .chunks(size.cols())
        .map(row)
        .collect::<Vec<_>>()
        .join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn painted_cells_are_those_that_the_symmetries_take_to_each_other() {
        for size in Size::all() {
            for (paint, _) in PaintGroup::ALL
                .into_iter()
                .filter(|(paint, _)| paint.fits(size))
            {
                // A matrix with one number per group is invariant under the symmetries.
                let mut values = vec![0.0; size.cells()];
                for (cell, value) in values.iter_mut().enumerate() {
                    let group = group(size, paint, cell);
                    assert_eq!(group[0], cell);
                    let least = group.iter().min().copied().expect("a cell");
                    *value = least as f64;
                    assert!(
                        group
                            .iter()
                            .all(|&other| self::group(size, paint, other).contains(&cell))
                    );
                }
                for image in paint.symmetries(size) {
                    assert!(
                        (0..values.len())
                            .all(|cell| values[image.index(cell, size)] == values[cell])
                    );
                }
                let is_symmetric = Weights::Matrix(values).is_symmetric(size);
                assert!(is_symmetric || paint != PaintGroup::Ways, "{size}");
            }
        }
        let four = Size::FOUR;
        assert_eq!(group(four, PaintGroup::Diagonal, 1), [1, 4]);
        assert_eq!(group(four, PaintGroup::Turns, 1).len(), 4);
        assert_eq!(group(four, PaintGroup::Ways, 1).len(), 8);
        assert_eq!(group(four, PaintGroup::Ways, 0).len(), 4);
    }

    #[test]
    fn presets_are_those_of_the_evaluators_on_every_size() {
        assert_eq!(MatrixPreset::A.values(Size::FOUR), Weights::A.values());
        assert_eq!(MatrixPreset::B.values(Size::FOUR), Weights::B.values());
        assert_eq!(MatrixPreset::C.values(Size::FOUR), Weights::C.values());
        for size in Size::all() {
            let tiles =
                (0..size.cells()).map(|cell| Rank::new((cell * 7 % 5) as u8).expect("a rank"));
            let board = tiles
                .enumerate()
                .fold(Board::empty(size), |board, (cell, rank)| {
                    board.with(Cell::at(cell, size), rank)
                });
            for (evaluator, preset) in [
                (Evaluator::Corner, MatrixPreset::Corner),
                (Evaluator::Snake, MatrixPreset::Snake),
            ] {
                let matrix = Evaluator::Weights(Weights::Matrix(preset.values(size)));
                let images =
                    Symmetry::of(size).map(|symmetry| matrix.evaluate(&symmetry.image(&board), 0));
                let best = images.fold(f64::NEG_INFINITY, f64::max);
                let value = evaluator.evaluate(&board, 0);
                // On a rectangle the evaluators also use the quarter turns, which a matrix cannot.
                assert!(
                    best == value || size.rows() != size.cols() && best < value,
                    "{evaluator} on {size}: {best} {value}"
                );
                let counting = counting(&evaluator, &board).expect("it has weights");
                assert_eq!(
                    Evaluator::Weights(Weights::Matrix(counting)).evaluate(&board, 0),
                    best,
                    "{size}"
                );
            }
        }
    }

    #[test]
    fn every_matrix_of_a_row_is_found_and_changed_alone() {
        let text = "(evaluator: Sum([(1, Weights(\"a\")), (2, Score), (3, Product(Empty, Sum([(1, Weights(\"b\"))])))]), \
                    lookahead: Expectimax(cuts: [Reach(0.1), ImportantCells(k: 3, weights: \"c\")]))";
        let row: Criterion = crate::ron_text::read(text).expect("a row");
        let all = matrices(&row);
        let labels: Vec<&str> = all.iter().map(|matrix| matrix.label.as_str()).collect();
        assert_eq!(
            labels,
            [
                "Term 1, Weights a",
                "Term 3.2.1, Weights b",
                "Important cells"
            ]
        );
        for (index, matrix) in all.iter().enumerate() {
            let values: Vec<f64> = (0..16).map(f64::from).collect();
            let changed = matrices(&with_weights(&row, &matrix.place, values.clone()));
            for (other, (before, after)) in all.iter().zip(&changed).enumerate() {
                let expected = if other == index {
                    &values[..]
                } else {
                    before.weights.values()
                };
                assert_eq!(after.weights.values(), expected);
            }
            let same = with_weights(&row, &matrix.place, matrix.weights.values().to_vec());
            assert_eq!(same, row, "a preset keeps its name");
        }
        assert!(matrices(&Criterion::one_ply(Evaluator::Snake)).is_empty());
    }

    #[test]
    fn boards_that_show_an_asymmetry_are_images_with_different_values() {
        for size in Size::all() {
            let gradient = Evaluator::Weights(Weights::Matrix(MatrixPreset::A.values(size)));
            let found =
                asymmetry(&gradient, &Board::empty(size), 0).expect("a gradient is not symmetric");
            let [(board, value), (image, other)] = found;
            assert_ne!(value, other);
            assert!(Symmetry::of(size).any(|symmetry| symmetry.image(&board) == image));
            assert_eq!(gradient.evaluate(&image, 0), other);
            assert_eq!(asymmetry(&Evaluator::Empty, &Board::empty(size), 0), None);
        }
    }

    #[test]
    fn numbers_are_pasted_as_they_are_copied() {
        let size: Size = "2x3".parse().expect("a size");
        let values = vec![1.5, -2.0, 0.0, 1e9, 0.1, 3.0];
        assert_eq!(pasted(&copied(&values, size), size), Ok(values));
        assert_eq!(
            pasted("[1, 2, 3 / 4; −5 | 6]", size),
            Ok(vec![1.0, 2.0, 3.0, 4.0, -5.0, 6.0])
        );
        assert!(
            pasted("1 2 3", size)
                .expect_err("too few")
                .contains("3 numbers in the clipboard, but a 2x3 board has 6")
        );
        assert!(
            pasted("1 2 3 4 five 6", size)
                .expect_err("a word")
                .contains("number 5 is \"five\"")
        );
        assert!(pasted("1 2 3 4 inf 6", size).is_err());
    }
}
