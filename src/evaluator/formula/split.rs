//! Splits a formula into sums over lines and the rest.
//!
//! A sum is split even if it is multiplied by a number. A term belongs to lines if it is a sum over rows, columns,
//! lines, cells or pairs whose terms use nothing else of the board, or if it uses only one row or column. A cell is in
//! two lines, and each counts half of its value, unless its position matters: then the row counts all of it.
//!
//! A name is replaced by its value if the whole value belongs to lines. Otherwise the terms that use the name stay
//! together after its `let`, which is evaluated once. So the rest takes no more steps than the formula, except for its
//! weights.
//!
//! The split adds terms in another order. If they differ so much that floats drop the smaller one, as in `(1e18 +
//! empty) - 1e18`, the formula as written is 0, and the split one is `empty`.

use std::sync::Arc;

use super::node::{Fact, Fold, FoldKind, Function, Kind, List, Node, Only, Slot, Source, Thing};
use super::tree::Operator;
use super::{Formula, bounds};
use crate::game::{Grid, Rank, Size};

/// A formula as `constant + score · (score so far) + Σ lines + Σ rest`.
#[derive(Clone, Debug, Default)]
pub(super) struct Split {
    pub(super) constant: f64,
    pub(super) score: f64,
    pub(super) lines: Vec<LinePart>,
    /// With their weights.
    pub(super) rest: Vec<(f64, Node)>,
}

/// A term that belongs to lines.
#[derive(Clone, Debug)]
pub(super) struct LinePart {
    weight: f64,
    node: Arc<Node>,
    axis: Axis,
    /// Whether lines with equal tiles may have different values.
    is_positional: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Axis {
    Lines,
    /// Half of it along rows, half along columns.
    Halves,
    Rows,
    Columns,
    /// One of the rows, the columns or the lines, by its index in brackets.
    One(Source, i32),
}

/// A formula with more terms is not split.
const MOST_TERMS: usize = 256;

/// Names given before a term, outermost first, with their values if these belong entirely to lines.
type Given = Vec<(Slot, Option<Split>)>;

impl Split {
    pub(super) fn of(node: &Node) -> Self {
        let mut split = Self::default();
        match split.take(node, 1.0, &mut Vec::new()) {
            Some(()) if split.line_steps() <= Formula::MOST_LINE_STEPS => split,
            _ => Self {
                rest: vec![(1.0, node.clone())],
                ..Self::default()
            },
        }
    }

    /// Steps of the line parts, on the largest board that allows them.
    pub(super) fn line_steps(&self) -> u64 {
        let steps = |size| {
            self.lines
                .iter()
                .map(|part| bounds::steps(&part.node, size))
                .sum::<Option<u64>>()
        };
        Size::all().filter_map(steps).max().unwrap_or(0)
    }

    fn take(&mut self, node: &Node, weight: f64, given: &mut Given) -> Option<()> {
        if MOST_TERMS <= self.lines.len() + self.rest.len() {
            return None;
        }
        match &node.kind {
            Kind::Number(number) => self.constant += weight * number,
            Kind::Score => self.score += weight,
            Kind::Negative(one) => self.take(one, -weight, given)?,
            Kind::Sum(terms) => {
                for (is_taken_away, term) in terms {
                    self.take(term, if *is_taken_away { -weight } else { weight }, given)?;
                }
            }
            Kind::Two(Operator::Times, two) => match (&two[0].kind, &two[1].kind) {
                (Kind::Number(number), _) => self.take(&two[1], scaled(weight, *number)?, given)?,
                (_, Kind::Number(number)) => self.take(&two[0], scaled(weight, *number)?, given)?,
                _ => self.add(node, weight),
            },
            Kind::Two(Operator::Over, two) => match &two[1].kind {
                Kind::Number(number) => self.take(&two[0], scaled(weight, 1.0 / number)?, given)?,
                _ => self.add(node, weight),
            },
            Kind::Let(slot, two) => {
                let (mut value, given_count, before) =
                    (Self::default(), given.len(), self.rest.len());
                let is_by_lines =
                    value.take(&two[0], 1.0, given).is_some() && value.rest.is_empty();
                // A value that is not split leaves its own names.
                given.truncate(given_count);
                given.push((*slot, is_by_lines.then_some(value)));
                self.take(&two[1], weight, given)?;
                given.pop();
                self.give(*slot, &two[0], before);
            }
            Kind::Named(slot) => match given.iter().rfind(|(own, _)| own == slot) {
                Some((_, Some(value))) => self.add_lines(value, weight)?,
                _ => self.add(node, weight),
            },
            _ => self.add(node, weight),
        }
        (self.constant.is_finite() && self.score.is_finite()).then_some(())
    }

    fn add(&mut self, node: &Node, weight: f64) {
        match line_axis(node) {
            Some((axis, is_positional)) => {
                self.lines.push(LinePart {
                    weight,
                    node: Arc::new(node.clone()),
                    axis,
                    is_positional,
                });
            }
            None => self.rest.push((weight, node.clone())),
        }
    }

    /// Adds a value that was split before and has no rest. Its parts already have weights.
    fn add_lines(&mut self, value: &Self, weight: f64) -> Option<()> {
        self.constant += weight * value.constant;
        self.score += weight * value.score;
        for part in &value.lines {
            let weight = scaled(weight, part.weight)?;
            match self
                .lines
                .iter_mut()
                .find(|own| Arc::ptr_eq(&own.node, &part.node))
            {
                Some(own) => own.weight += weight,
                None => self.lines.push(LinePart {
                    weight,
                    ..part.clone()
                }),
            }
        }
        let is_finite = self.lines.iter().all(|part| part.weight.is_finite());
        (is_finite && self.lines.len() <= MOST_TERMS).then_some(())
    }

    /// Merges the terms of the rest from `before` on that use this name into one part.
    fn give(&mut self, slot: Slot, value: &Node, before: usize) {
        let uses = |(_, node): &mut (f64, Node)| Uses::of(node).slots & (1 << slot) != 0;
        let terms: Vec<(bool, Node)> = self.rest.extract_if(before.., uses).map(weighted).collect();
        let Some((_, first)) = terms.first() else {
            return;
        };
        let at = first.at;
        let body = Node {
            at,
            kind: Kind::Sum(terms),
        };
        self.rest.push((
            1.0,
            Node {
                at,
                kind: Kind::Let(slot, Box::new([value.clone(), body])),
            },
        ));
    }

    /// Whether all of it belongs to lines, and a line read backwards or as the other axis has the same value to the
    /// last bit.
    pub(super) fn is_symmetric(&self) -> bool {
        let both_ways = |part: &LinePart| {
            let spans = matches!(part.axis, Axis::Lines | Axis::Halves) && !part.is_positional;
            spans && !Uses::of(&part.node).order && part.node.key(false) == part.node.key(true)
        };
        self.rest.is_empty() && self.lines.iter().all(both_ways)
    }

    /// Whether columns count among the line parts.
    pub(super) fn counts_columns(&self) -> bool {
        self.constant != 0.0 || self.lines.iter().any(|part| part.axis != Axis::Rows)
    }

    /// The value of a line of a board.
    pub(super) fn line_value(&self, only: Only, size: Size, ranks: &[Rank]) -> f64 {
        let mut board = Grid::empty(size);
        let cells = size.iter().filter(|cell| match only {
            Only::Row(index) => usize::from(cell.row) == index,
            Only::Column(index) => usize::from(cell.col) == index,
        });
        cells
            .zip(ranks)
            .for_each(|(cell, rank)| board.set(cell, *rank));
        let shares = if self.counts_columns() {
            size.rows() + size.cols()
        } else {
            size.rows()
        };
        let parts = self.lines.iter().filter(|part| part.counts_in(only, size));
        let parts = parts.map(|part| part.share() * part.node.evaluate_only(&board, only));
        parts.fold(self.constant / shares as f64, |sum, part| sum + part)
    }

    /// Whether two lines with equal tiles have the same value.
    pub(super) fn are_alike(&self, one: Only, other: Only, size: Size) -> bool {
        let alike = |part: &LinePart| match [one, other].map(|only| part.counts_in(only, size)) {
            [true, true] => !part.is_positional,
            [false, false] => true,
            _ => false,
        };
        one == other || self.lines.iter().all(alike)
    }
}

/// The product of two weights. `None` if it overflows or underflows.
fn scaled(weight: f64, by: f64) -> Option<f64> {
    let product = weight * by;
    (product == 0.0 && (weight == 0.0 || by == 0.0) || product.is_normal()).then_some(product)
}

/// A term of a sum, and whether it is subtracted.
fn weighted((weight, node): (f64, Node)) -> (bool, Node) {
    let (at, size) = (node.at, weight.abs());
    let node = match size == 1.0 {
        true => node,
        false => Node {
            at,
            kind: Kind::Two(Operator::Times, Box::new([Node::number(at, size), node])),
        },
    };
    (weight < 0.0, node)
}

impl LinePart {
    fn counts_in(&self, only: Only, size: Size) -> bool {
        match (self.axis, only) {
            (Axis::Lines | Axis::Halves, _)
            | (Axis::Rows, Only::Row(_))
            | (Axis::Columns, Only::Column(_)) => true,
            (Axis::Rows | Axis::Columns, _) => false,
            (Axis::One(source, nth), only) => {
                let (rows, cols) = (size.rows(), size.cols());
                let [first, len] = match source {
                    Source::Rows => [0, rows],
                    Source::Columns => [rows, cols],
                    _ => [0, rows + cols],
                };
                let back = nth.unsigned_abs() as usize;
                let place = if nth < 0 {
                    len.checked_sub(back)
                } else {
                    back.checked_sub(1)
                };
                let number = match only {
                    Only::Row(index) => index,
                    Only::Column(index) => rows + index,
                };
                place.is_some_and(|place| first + place == number)
            }
        }
    }

    fn share(&self) -> f64 {
        if self.axis == Axis::Halves {
            self.weight / 2.0
        } else {
            self.weight
        }
    }
}

/// The lines in which a term counts, and whether their position matters.
fn line_axis(node: &Node) -> Option<(Axis, bool)> {
    if let Kind::Fold(fold) = &node.kind
        && matches!(fold.kind, FoldKind::Sum | FoldKind::Count)
        && let Some(found) = fold_axis(fold)
    {
        return Some(found);
    }
    let uses = Uses::of(node);
    match uses.lines.as_slice() {
        [(source, nth)] if !uses.board && !uses.score && uses.slots == 0 => {
            Some((Axis::One(*source, *nth), true))
        }
        _ => None,
    }
}

fn fold_axis(fold: &Fold) -> Option<(Axis, bool)> {
    let mut of_board = fold
        .lists
        .iter()
        .filter(|list| !matches!(list, List::Numbers(_)));
    let (list, None) = (of_board.next()?, of_board.next()) else {
        return None;
    };
    let source = list.source()?;
    let mut uses = Uses::of(&fold.body);
    list.conditions(&mut uses);
    uses.slots &= !(((1_u64 << fold.names()) - 1) << fold.slot);
    if uses.board || uses.score || uses.slots != 0 || !uses.lines.is_empty() {
        return None;
    }
    let is_positional = uses.position || 1 < fold.lists.len();
    let axis = match source {
        Source::Lines | Source::Pairs => Axis::Lines,
        Source::Cells if is_positional => Axis::Rows,
        Source::Cells => Axis::Halves,
        Source::Rows => Axis::Rows,
        Source::Columns => Axis::Columns,
        Source::Images | Source::Turns => return None,
    };

    Some((axis, is_positional))
}

/// What a part of a formula uses.
#[derive(Clone, Debug, Default)]
struct Uses {
    score: bool,
    /// Anything of the board except the lines below.
    board: bool,
    /// Lines that are named by their number.
    lines: Vec<(Source, i32)>,
    /// Names that are defined outside of it, one bit each.
    slots: u64,
    /// The row or column of a cell.
    position: bool,
    /// The order of a list.
    order: bool,
}

impl Uses {
    fn of(node: &Node) -> Self {
        let mut uses = Self::default();
        uses.node(node);
        uses
    }

    fn node(&mut self, node: &Node) {
        match &node.kind {
            Kind::Number(_) => {}
            Kind::Score => self.score = true,
            Kind::Named(slot) => self.slots |= 1 << slot,
            Kind::OfCell(fact, thing) => {
                self.position |= matches!(fact, Fact::Row | Fact::Column);
                self.thing(thing);
            }
            Kind::Merges(list) => self.list(list),
            Kind::Negative(one) | Kind::Not(one) | Kind::Function(_, one) => self.node(one),
            Kind::Sum(terms) => terms.iter().for_each(|(_, term)| self.node(term)),
            Kind::Two(_, two) => two.iter().for_each(|one| self.node(one)),
            Kind::If(three) => three.iter().for_each(|one| self.node(one)),
            Kind::Extreme(_, all) => all.iter().for_each(|one| self.node(one)),
            Kind::Let(slot, two) => {
                self.node(&two[0]);
                self.inside(*slot, 1, &two[1]);
            }
            Kind::Fold(fold) => {
                fold.lists.iter().for_each(|list| self.list(list));
                // Numbers next to elements distinguish the first from the last.
                self.order |= 1 < fold.lists.len()
                    || fold
                        .lists
                        .iter()
                        .any(|list| matches!(list, List::Numbers(_)));
                self.inside(fold.slot, fold.names(), &fold.body);
            }
        }
    }

    /// The uses of a part in the scope of additional names.
    fn inside(&mut self, slot: Slot, names: Slot, body: &Node) {
        let inner = Self::of(body);
        self.score |= inner.score;
        self.board |= inner.board;
        self.position |= inner.position;
        self.order |= inner.order;
        self.slots |= inner.slots & !(((1_u64 << names) - 1) << slot);
        inner.lines.into_iter().for_each(|line| self.line(line));
    }

    fn line(&mut self, line: (Source, i32)) {
        if !self.lines.contains(&line) {
            self.lines.push(line);
        }
    }

    fn thing(&mut self, thing: &Thing) {
        match thing {
            Thing::Board => self.board = true,
            Thing::Named(slot) => self.slots |= 1 << slot,
            Thing::Nth(list, nth) => match &list.0 {
                List::OfBoard(
                    source @ (Source::Rows | Source::Columns | Source::Lines),
                    Thing::Board,
                ) => {
                    self.line((*source, *nth));
                }
                list => {
                    self.order = true;
                    self.list(list);
                }
            },
        }
    }

    fn list(&mut self, list: &List) {
        match list {
            List::OfBoard(_, thing) | List::OfLine(thing) => self.thing(thing),
            List::Tiles(list) | List::Pairs(list) => self.list(list),
            List::Filter(filter) => {
                self.list(&filter.0);
                self.inside(filter.1, filter.0.names(), &filter.2);
            }
            List::Numbers(_) => {}
        }
    }
}

impl List {
    /// Adds the uses of the conditions of its filters.
    fn conditions(&self, uses: &mut Uses) {
        match self {
            Self::Filter(filter) => {
                uses.inside(filter.1, filter.0.names(), &filter.2);
                filter.0.conditions(uses);
            }
            Self::Tiles(list) => list.conditions(uses),
            Self::OfBoard(..) | Self::OfLine(_) | Self::Pairs(_) | Self::Numbers(_) => {}
        }
    }

    fn key_with(&self, as_read: &dyn Fn(Slot) -> Slot, backwards: bool) -> String {
        match self {
            Self::Filter(filter) => {
                let (list, slot, condition) = &**filter;
                let swapped = Swapped {
                    first: (backwards && list.brings_pairs()).then_some(*slot),
                    as_read,
                };
                let condition = condition.key_with(&|slot| swapped.of(slot), backwards);
                format!(
                    "filter({},{slot},{condition})",
                    list.key_with(as_read, backwards)
                )
            }
            Self::Tiles(list) => format!("tiles({})", list.key_with(as_read, backwards)),
            Self::Pairs(list) => format!("pairs({})", list.key_with(as_read, backwards)),
            other => format!("{other:?}"),
        }
    }
}

/// On a line that is read from its other end the two cells of a pair swap.
struct Swapped<'a> {
    first: Option<Slot>,
    as_read: &'a dyn Fn(Slot) -> Slot,
}

impl Swapped<'_> {
    fn of(&self, slot: Slot) -> Slot {
        match self.first {
            Some(first) if slot == first => first + 1,
            Some(first) if slot == first + 1 => first,
            _ => (self.as_read)(slot),
        }
    }
}

impl Node {
    pub(super) fn uses_score(&self) -> bool {
        Uses::of(self).score
    }

    /// A text that two parts of a formula share only if they have the same value to the last bit. If `backwards`, it is
    /// that of the part on a line that is read from its other end.
    fn key(&self, backwards: bool) -> String {
        self.key_with(&|slot| slot, backwards)
    }

    /// `as_read` maps a name to the cell of a pair that it means.
    fn key_with(&self, as_read: &dyn Fn(Slot) -> Slot, backwards: bool) -> String {
        let key = |node: &Self| node.key_with(as_read, backwards);
        let sorted = |mut keys: Vec<String>| {
            keys.sort();
            keys.join(",")
        };
        match &self.kind {
            Kind::Number(number) => format!("{number:?}"),
            Kind::Score => "score".to_owned(),
            Kind::Named(slot) => format!("${}", as_read(*slot)),
            Kind::OfCell(fact, Thing::Named(slot)) => format!("{fact:?}(${})", as_read(*slot)),
            Kind::OfCell(fact, thing) => format!("{fact:?}({thing:?})"),
            Kind::Merges(list) => format!("merges({})", list.key_with(as_read, backwards)),
            Kind::Negative(one) => format!("-({})", key(one)),
            Kind::Not(one) => format!("not({})", key(one)),
            // |a − b| is |b − a|.
            Kind::Function(Function::Abs, one) => match &one.kind {
                Kind::Sum(terms) if matches!(terms.as_slice(), [(false, _), (true, _)]) => {
                    format!(
                        "apart({})",
                        sorted(terms.iter().map(|(_, term)| key(term)).collect())
                    )
                }
                _ => format!("abs({})", key(one)),
            },
            Kind::Function(function, one) => format!("{function:?}({})", key(one)),
            Kind::Sum(terms) if matches!(terms.as_slice(), [(false, _), (false, _)]) => {
                format!(
                    "sum({})",
                    sorted(terms.iter().map(|(_, term)| key(term)).collect())
                )
            }
            Kind::Sum(terms) => {
                let terms: Vec<String> = terms
                    .iter()
                    .map(|(less, term)| format!("{}({})", if *less { '-' } else { '+' }, key(term)))
                    .collect();
                terms.concat()
            }
            Kind::Two(
                two @ (Operator::Times
                | Operator::Equal
                | Operator::Unequal
                | Operator::And
                | Operator::Or),
                operands,
            ) => {
                format!("{two:?}({})", sorted(operands.iter().map(key).collect()))
            }
            Kind::Two(two, operands) => {
                format!("{two:?}({},{})", key(&operands[0]), key(&operands[1]))
            }
            Kind::If(three) => format!(
                "if({},{},{})",
                key(&three[0]),
                key(&three[1]),
                key(&three[2])
            ),
            Kind::Extreme(extreme, all) => {
                format!("{extreme:?}({})", sorted(all.iter().map(key).collect()))
            }
            Kind::Let(slot, two) => format!("let({slot},{},{})", key(&two[0]), key(&two[1])),
            Kind::Fold(fold) => {
                let lists: Vec<String> = fold
                    .lists
                    .iter()
                    .map(|list| list.key_with(as_read, backwards))
                    .collect();
                let brings_pairs = matches!(fold.lists.as_slice(), [list] if list.brings_pairs());
                let swapped = Swapped {
                    first: (backwards && brings_pairs).then_some(fold.slot),
                    as_read,
                };
                format!(
                    "{:?}({},{})",
                    fold.kind,
                    lists.join(","),
                    fold.body.key_with(&|slot| swapped.of(slot), backwards)
                )
            }
        }
    }
}
