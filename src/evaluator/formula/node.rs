//! The evaluated form of a formula, with resolved names and known types.

use std::sync::Arc;

use super::super::definition::{merges, outside_in};
use super::tree::Operator;
use crate::game::{Cell, Grid, Rank, Symmetry};
use crate::math;

/// A number; true is 1, false is 0.
#[derive(Clone, Debug)]
pub(super) struct Node {
    /// Offset in the text, for error messages.
    pub(super) at: u32,
    pub(super) kind: Kind,
}

#[derive(Clone, Debug)]
pub(super) enum Kind {
    Number(f64),
    Score,
    /// The value of a `let` or of a list element.
    Named(Slot),
    OfCell(Fact, Thing),
    /// The number of tiles in runs of equal tiles, across empty cells.
    Merges(Box<List>),
    Negative(Box<Node>),
    Not(Box<Node>),
    Function(Function, Box<Node>),
    /// Added from the left; terms with `true` are subtracted.
    Sum(Vec<(bool, Node)>),
    Two(Operator, Box<[Node; 2]>),
    If(Box<[Node; 3]>),
    Extreme(Extreme, Vec<Node>),
    Fold(Box<Fold>),
    Let(Slot, Box<[Node; 2]>),
}

/// The index of a name's value.
pub(super) type Slot = u8;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Fact {
    Tile,
    Rank,
    /// From 1 at the top.
    Row,
    /// From 1 at the left.
    Column,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Function {
    Abs,
    Sqrt,
    Ln,
    Log2,
    Exp,
    Floor,
    Ceil,
    Round,
    Sign,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Extreme {
    Least,
    Most,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum FoldKind {
    Sum,
    Product,
    Mean,
    Least,
    Most,
    Count,
    Any,
    All,
}

/// A number computed from the turns over some lists.
#[derive(Clone, Debug)]
pub(super) struct Fold {
    pub(super) kind: FoldKind,
    /// The lists are read in parallel, one element of each per turn.
    pub(super) lists: Vec<List>,
    /// The elements of a turn go into this slot and the following ones.
    pub(super) slot: Slot,
    pub(super) body: Node,
}

#[derive(Clone, Debug)]
pub(super) enum List {
    OfBoard(Source, Thing),
    /// The cells of a line.
    OfLine(Thing),
    /// The cells that are not empty.
    Tiles(Box<List>),
    /// Neighbors in a list of cells.
    Pairs(Box<List>),
    Filter(Box<(List, Slot, Node)>),
    Numbers(Arc<[f64]>),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Source {
    Cells,
    Rows,
    Columns,
    Lines,
    /// The pairs of a board: those of its rows from the top, then those of its columns from the left.
    Pairs,
    Images,
    Turns,
}

/// A cell, a line or a board.
#[derive(Clone, Debug)]
pub(super) enum Thing {
    Board,
    Named(Slot),
    /// Counted from 1, or from the end from -1, with the position of the list in the text.
    Nth(Box<(List, u32)>, i32),
}

/// An element of a turn. Cells and lines are identified by their index on one of the images of the board.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Item {
    /// The index of a cell in reading order, or the number of a line, with columns after rows.
    a: u8,
    /// The second cell of a pair.
    b: u8,
    image: u8,
}

#[derive(Clone, Copy, Debug)]
enum Value {
    Number(f64),
    Item(Item),
}

/// Maximum number of elements of a list: the 40 pairs of a 5×5 board, or numbers that are written out.
pub(super) const MOST: usize = 64;

/// The elements of a list.
struct Items {
    items: [Item; MOST],
    len: usize,
}

/// A line of a board to which sums are restricted. Elements in other lines do not count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::evaluator) enum Only {
    Row(usize),
    Column(usize),
}

/// A board on which a formula is evaluated.
pub(super) struct Scene<'a> {
    board: &'a Grid,
    score: f64,
    values: [Value; SLOTS],
    /// Images of the board by index in `Symmetry::ALL`, created on first use.
    images: [Option<Grid>; 8],
}

pub(super) const SLOTS: usize = 32;

impl Node {
    pub(super) const fn number(at: u32, number: f64) -> Self {
        Self {
            at,
            kind: Kind::Number(number),
        }
    }

    pub(super) fn evaluate(&self, board: &Grid, score: u64) -> f64 {
        Scene::new(board, score).value(self)
    }

    /// The contribution of one line to a sum over the board.
    pub(super) fn evaluate_only(&self, board: &Grid, only: Only) -> f64 {
        let mut scene = Scene::new(board, 0);
        match &self.kind {
            Kind::Fold(fold) => scene.fold(fold, Some(only)),
            _ => scene.value(self),
        }
    }
}

impl<'a> Scene<'a> {
    fn new(board: &'a Grid, score: u64) -> Self {
        Self {
            board,
            score: score as f64,
            values: [Value::Number(0.0); SLOTS],
            images: [None; 8],
        }
    }

    fn value(&mut self, node: &Node) -> f64 {
        match &node.kind {
            Kind::Number(number) => *number,
            Kind::Score => self.score,
            Kind::Named(slot) => match self.values[usize::from(*slot)] {
                Value::Number(number) => number,
                Value::Item(_) => 0.0,
            },
            Kind::OfCell(fact, thing) => {
                let cell = self.thing(thing);
                self.fact(*fact, cell)
            }
            Kind::Merges(list) => {
                let cells = self.items(list);
                let ranks = cells.as_slice().iter().map(|cell| self.rank(*cell));
                f64::from(merges(ranks))
            }
            Kind::Negative(one) => -self.value(one),
            Kind::Not(one) => truth(self.value(one) == 0.0),
            Kind::Function(function, one) => function.of(self.value(one)),
            Kind::Sum(terms) => terms.iter().fold(0.0, |sum, (is_taken_away, term)| {
                let value = self.value(term);
                if *is_taken_away {
                    sum - value
                } else {
                    sum + value
                }
            }),
            Kind::Two(operator, operands) => self.two(*operator, operands),
            Kind::If(three) => {
                let branch = if self.value(&three[0]) == 0.0 {
                    &three[2]
                } else {
                    &three[1]
                };
                self.value(branch)
            }
            Kind::Extreme(extreme, all) => {
                let values = all.iter().map(|one| self.value(one));
                match extreme {
                    Extreme::Least => values.fold(f64::INFINITY, f64::min),
                    Extreme::Most => values.fold(f64::NEG_INFINITY, f64::max),
                }
            }
            Kind::Fold(fold) => self.fold(fold, None),
            Kind::Let(slot, two) => {
                let value = self.value(&two[0]);
                self.values[usize::from(*slot)] = Value::Number(value);
                self.value(&two[1])
            }
        }
    }

    fn two(&mut self, operator: Operator, operands: &[Node; 2]) -> f64 {
        let one = self.value(&operands[0]);
        match operator {
            Operator::And if one == 0.0 => return 0.0,
            Operator::Or if one != 0.0 => return 1.0,
            _ => {}
        }

        let other = self.value(&operands[1]);
        match operator {
            Operator::Times => one * other,
            Operator::Over => one / other,
            Operator::Remainder => one.rem_euclid(other),
            Operator::Power => power(one, other),
            Operator::Equal => truth(one == other),
            Operator::Unequal => truth(one != other),
            Operator::Less => truth(one < other),
            Operator::AtMost => truth(one <= other),
            Operator::And | Operator::Or => truth(other != 0.0),
        }
    }

    fn fold(&mut self, fold: &Fold, only: Option<Only>) -> f64 {
        let mut values = [0.0; MOST];
        let len = self.turns(fold, only, &mut values);
        let values = &values[..len];
        let sum = || outside_in(values.iter().copied());

        match fold.kind {
            FoldKind::Sum | FoldKind::Count => sum(),
            FoldKind::Product => {
                let (mut ends, mut product) = (values.iter(), 1.0);
                while let Some(first) = ends.next() {
                    product *= first * ends.next_back().unwrap_or(&1.0);
                }
                product
            }
            FoldKind::Mean if len == 0 => 0.0,
            FoldKind::Mean => sum() / len as f64,
            FoldKind::Least => values.iter().copied().reduce(f64::min).unwrap_or(0.0),
            FoldKind::Most => values.iter().copied().reduce(f64::max).unwrap_or(0.0),
            FoldKind::Any => truth(values.contains(&1.0)),
            FoldKind::All => truth(!values.contains(&0.0)),
        }
    }

    /// Computes the value of every turn. Returns their number.
    fn turns(&mut self, fold: &Fold, only: Option<Only>, values: &mut [f64; MOST]) -> usize {
        // At most two lists of cells, lines or pairs are read in parallel. Numbers are read in place.
        let mut lists: [Option<Items>; 2] = [None, None];
        let mut count = 0;
        for list in fold
            .lists
            .iter()
            .filter(|list| !matches!(list, List::Numbers(_)))
        {
            if count < lists.len() {
                lists[count] = Some(self.items(list));
                count += 1;
            }
        }

        let numbers = |list: &List| {
            if let List::Numbers(numbers) = list {
                Some(numbers.len())
            } else {
                None
            }
        };
        let len = lists
            .iter()
            .flatten()
            .map(|items| items.len)
            .chain(fold.lists.iter().filter_map(numbers))
            .min();
        let (len, mut counted) = (len.unwrap_or(0).min(MOST), 0);
        for turn in 0..len {
            if !self.takes_turn(fold, only, &lists, turn) {
                continue;
            }
            values[counted] = self.value(&fold.body);
            counted += 1;
        }
        counted
    }

    /// Stores the elements of a turn under their names. Returns false if the turn is outside the requested line.
    fn takes_turn(
        &mut self,
        fold: &Fold,
        only: Option<Only>,
        lists: &[Option<Items>; 2],
        turn: usize,
    ) -> bool {
        let (mut slot, mut items) = (usize::from(fold.slot), lists.iter().flatten());
        for list in &fold.lists {
            if let List::Numbers(numbers) = list {
                self.values[slot] = Value::Number(numbers[turn]);
                slot += 1;
                continue;
            }
            let Some(item) = items.next().map(|items| items.items[turn]) else {
                return false;
            };
            if only.is_some_and(|only| {
                list.source()
                    .is_some_and(|source| !self.lies_in(source, item, only))
            }) {
                return false;
            }
            self.values[slot] = Value::Item(item);
            if list.brings_pairs() {
                self.values[slot + 1] = Value::Item(item.second());
            }
            slot += usize::from(list.names());
        }
        true
    }

    /// Whether an element of a list of the board belongs to a line of it.
    fn lies_in(&self, source: Source, item: Item, only: Only) -> bool {
        let size = self.board.size();
        let [a, b] = [item.a, item.b].map(|index| Cell::at(usize::from(index), size));
        let number = usize::from(item.a);
        match only {
            Only::Row(index) => match source {
                Source::Cells => usize::from(a.row) == index,
                Source::Pairs => usize::from(a.row) == index && a.row == b.row,
                _ => number == index,
            },
            Only::Column(index) => match source {
                Source::Cells => usize::from(a.col) == index,
                Source::Pairs => usize::from(a.col) == index && a.col == b.col,
                _ => number == size.rows() + index,
            },
        }
    }

    fn thing(&mut self, thing: &Thing) -> Item {
        match thing {
            Thing::Board => Item::default(),
            Thing::Named(slot) => match self.values[usize::from(*slot)] {
                Value::Item(item) => item,
                Value::Number(_) => Item::default(),
            },
            Thing::Nth(list, nth) => {
                let items = self.items(&list.0);
                let back = |nth: i32| items.len.checked_sub(nth.unsigned_abs() as usize);
                let place = if *nth < 0 {
                    back(*nth)
                } else {
                    Some(nth.unsigned_abs() as usize - 1)
                };
                place
                    .and_then(|place| items.as_slice().get(place).copied())
                    .unwrap_or_default()
            }
        }
    }

    fn items(&mut self, list: &List) -> Items {
        let mut items = Items {
            items: [Item::default(); MOST],
            len: 0,
        };
        match list {
            List::OfBoard(source, thing) => {
                let board = self.thing(thing);
                self.add_of_board(*source, board.image, &mut items);
            }
            List::OfLine(thing) => {
                let line = self.thing(thing);
                self.add_line(line, &mut items);
            }
            List::Tiles(list) => {
                let cells = self.items(list);
                cells
                    .as_slice()
                    .iter()
                    .filter(|cell| !self.rank(**cell).is_empty())
                    .for_each(|cell| items.push(*cell));
            }
            List::Pairs(list) => items.push_pairs(self.items(list).as_slice()),
            List::Filter(filter) => {
                let (list, slot, condition) = &**filter;
                let slot = usize::from(*slot);
                for item in self.items(list).as_slice() {
                    self.values[slot] = Value::Item(*item);
                    if list.brings_pairs() {
                        self.values[slot + 1] = Value::Item(item.second());
                    }
                    if self.value(condition) != 0.0 {
                        items.push(*item);
                    }
                }
            }
            List::Numbers(_) => {}
        }
        items
    }

    fn add_of_board(&mut self, source: Source, image: u8, items: &mut Items) {
        let size = self.board.size();
        let (rows, lines) = (size.rows() as u8, (size.rows() + size.cols()) as u8);
        let numbered = |a: u8| Item { a, b: 0, image };

        match source {
            Source::Cells => (0..size.cells() as u8).for_each(|cell| items.push(numbered(cell))),
            Source::Rows => (0..rows).for_each(|line| items.push(numbered(line))),
            Source::Columns => (rows..lines).for_each(|line| items.push(numbered(line))),
            Source::Lines => (0..lines).for_each(|line| items.push(numbered(line))),
            Source::Pairs => {
                for line in 0..lines {
                    let mut cells = Items {
                        items: [Item::default(); MOST],
                        len: 0,
                    };
                    self.add_line(numbered(line), &mut cells);
                    items.push_pairs(cells.as_slice());
                }
            }
            Source::Images | Source::Turns => {
                for (number, next) in (0..).zip(Symmetry::ALL) {
                    if !next.keeps(size) || source == Source::Turns && !next.is_turn() {
                        continue;
                    }
                    // An image of an image is one of the eight as well.
                    let whole = Symmetry::ALL[usize::from(image)].then(next);
                    let place = Symmetry::ALL
                        .iter()
                        .position(|one| *one == whole)
                        .unwrap_or(number);
                    self.make_image(place);
                    items.push(Item {
                        a: 0,
                        b: 0,
                        image: place as u8,
                    });
                }
            }
        }
    }

    fn make_image(&mut self, place: usize) {
        let (board, symmetry) = (self.board, Symmetry::ALL[place]);
        self.images[place].get_or_insert_with(|| {
            let (size, mut image) = (board.size(), Grid::empty(board.size()));
            for (cell, rank) in size.iter().zip(board.ranks()) {
                image.set(symmetry.cell(cell, size), *rank);
            }
            image
        });
    }

    fn add_line(&self, line: Item, items: &mut Items) {
        let (size, number) = (self.board.size(), usize::from(line.a));
        let (rows, cols) = (size.rows(), size.cols());
        let of_column = number.checked_sub(rows);
        let len = if of_column.is_some() { rows } else { cols };
        for along in 0..len {
            let a = of_column.map_or(number * cols + along, |column| along * cols + column) as u8;
            items.push(Item {
                a,
                b: 0,
                image: line.image,
            });
        }
    }

    fn rank(&self, cell: Item) -> Rank {
        let board = match cell.image {
            0 => self.board,
            image => self.images[usize::from(image)]
                .as_ref()
                .unwrap_or(self.board),
        };
        board
            .ranks()
            .get(usize::from(cell.a))
            .copied()
            .unwrap_or(Rank::EMPTY)
    }

    fn fact(&self, fact: Fact, cell: Item) -> f64 {
        let at = Cell::at(usize::from(cell.a), self.board.size());
        match fact {
            Fact::Tile => self.rank(cell).tile() as f64,
            Fact::Rank => f64::from(self.rank(cell).get()),
            Fact::Row => f64::from(at.row + 1),
            Fact::Column => f64::from(at.col + 1),
        }
    }
}

impl Item {
    const fn second(self) -> Self {
        Self { a: self.b, ..self }
    }
}

impl Items {
    fn as_slice(&self) -> &[Item] {
        &self.items[..self.len]
    }

    /// List lengths are checked before, so nothing is dropped.
    fn push(&mut self, item: Item) {
        if let Some(place) = self.items.get_mut(self.len) {
            *place = item;
            self.len += 1;
        }
    }

    fn push_pairs(&mut self, cells: &[Item]) {
        cells.windows(2).for_each(|two| {
            self.push(Item {
                b: two[1].a,
                ..two[0]
            });
        });
    }
}

impl Fold {
    /// The number of names that a turn sets.
    pub(super) fn names(&self) -> Slot {
        self.lists.iter().map(List::names).sum()
    }
}

impl List {
    /// The number of names per element.
    pub(super) fn names(&self) -> Slot {
        if self.brings_pairs() { 2 } else { 1 }
    }

    /// Whether each element is two cells.
    pub(super) fn brings_pairs(&self) -> bool {
        match self {
            Self::Pairs(_) | Self::OfBoard(Source::Pairs, _) => true,
            Self::Filter(filter) => filter.0.brings_pairs(),
            Self::OfBoard(..) | Self::OfLine(_) | Self::Tiles(_) | Self::Numbers(_) => false,
        }
    }

    /// The elements of the board in the list, all or some of them. `None` for other lists.
    pub(super) fn source(&self) -> Option<Source> {
        match self {
            Self::OfBoard(source, Thing::Board) => Some(*source),
            Self::Tiles(list) => list.source(),
            Self::Filter(filter) => filter.0.source(),
            Self::OfBoard(..) | Self::OfLine(_) | Self::Pairs(_) | Self::Numbers(_) => None,
        }
    }
}

impl Function {
    pub(super) fn of(self, x: f64) -> f64 {
        match self {
            Self::Abs => x.abs(),
            Self::Sqrt => x.sqrt(),
            Self::Ln => math::ln(x),
            Self::Log2 => math::log2(x),
            Self::Exp => math::exp(x),
            Self::Floor => x.floor(),
            Self::Ceil => x.ceil(),
            Self::Round => x.round(),
            Self::Sign => f64::from(i8::from(0.0 < x) - i8::from(x < 0.0)),
        }
    }
}

const fn truth(holds: bool) -> f64 {
    if holds { 1.0 } else { 0.0 }
}

/// Whole powers are computed by multiplication, as on paper.
pub(super) fn power(base: f64, exponent: f64) -> f64 {
    if exponent.fract() == 0.0 && exponent.abs() <= 64.0 {
        math::powi(base, exponent as i32)
    } else {
        math::pow(base, exponent)
    }
}
