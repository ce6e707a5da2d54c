//! Arrow keys within a group: members form lines, and members on a wide member belong to it.

use egui::{Id, Key, Rect};

/// Number of lines in a page.
const PAGE: usize = 10;

/// An item of a line: a widget and those on top of it, such as a row with its buttons.
#[derive(Debug)]
struct Unit {
    id: Id,
    rect: Rect,
    on_it: Vec<(Id, Rect)>,
}

impl Unit {
    /// Its widgets from left to right, itself first.
    fn ids(&self) -> impl Iterator<Item = Id> {
        std::iter::once(self.id).chain(self.on_it.iter().map(|&(id, _)| id))
    }
}

/// Whether this key moves within a group.
pub fn leads(key: Key) -> bool {
    use Key::{ArrowDown, ArrowLeft, ArrowRight, ArrowUp, End, Home, PageDown, PageUp};
    matches!(
        key,
        ArrowUp | ArrowDown | ArrowLeft | ArrowRight | Home | End | PageUp | PageDown
    )
}

/// The target of a key; `None` if there is none.
pub(super) fn step(members: &[(Id, Rect)], from: Id, key: Key) -> Option<Id> {
    let lines = lines(members);
    let line = lines
        .iter()
        .position(|units| units.iter().any(|unit| unit.ids().any(|id| id == from)))?;
    let unit = lines[line]
        .iter()
        .find(|unit| unit.ids().any(|id| id == from))?;
    let along: Vec<Id> = lines[line].iter().flat_map(Unit::ids).collect();
    let place = along.iter().position(|&id| id == from)?;
    let last = lines.len() - 1;
    let to = match key {
        Key::ArrowLeft => return place.checked_sub(1).map(|place| along[place]),
        Key::ArrowRight => return along.get(place + 1).copied(),
        Key::Home if last == 0 => return along.first().copied(),
        Key::End if last == 0 => return along.last().copied(),
        Key::ArrowUp => line.checked_sub(1)?,
        Key::ArrowDown => line + 1,
        Key::PageUp => line.saturating_sub(PAGE),
        Key::PageDown => (line + PAGE).min(last),
        Key::Home => 0,
        Key::End => last,
        _ => return None,
    };

    let above = |x: f32| move |rect: &Rect| (rect.center().x - x).abs();
    let nearest = |candidates: Vec<(Id, Rect)>, x: f32| {
        let away = above(x);
        candidates
            .into_iter()
            .min_by(|(_, a), (_, b)| away(a).total_cmp(&away(b)))
            .map(|(id, _)| id)
    };

    let units = lines.get(to)?;
    let own = unit.on_it.iter().find(|(id, _)| *id == from);
    let on_them: Vec<(Id, Rect)> = units
        .iter()
        .flat_map(|unit| unit.on_it.iter().copied())
        .collect();
    match own {
        Some((_, rect)) if !on_them.is_empty() => nearest(on_them, rect.center().x),
        _ => nearest(
            units.iter().map(|unit| (unit.id, unit.rect)).collect(),
            unit.rect.center().x,
        ),
    }
}

/// The next or previous member in reading order.
pub(super) fn beside(members: &[(Id, Rect)], from: Id, back: bool) -> Option<Id> {
    let all: Vec<Id> = lines(members)
        .iter()
        .flatten()
        .flat_map(Unit::ids)
        .collect();
    let place = all.iter().position(|&id| id == from)?;
    let to = if back {
        place.checked_sub(1)?
    } else {
        place + 1
    };
    all.get(to).copied()
}

/// The first member in reading order.
pub(super) fn first(members: &[(Id, Rect)]) -> Option<Id> {
    Some(lines(members).first()?.first()?.id)
}

fn lines(members: &[(Id, Rect)]) -> Vec<Vec<Unit>> {
    let holds = |outer: Rect, inner: Rect| {
        outer.contains(inner.center()) && inner.area() < 0.8 * outer.area()
    };
    let holder = |rect: Rect| members.iter().position(|&(_, outer)| holds(outer, rect));
    let mut units: Vec<Unit> = Vec::new();
    let mut unit_of = vec![None; members.len()];
    for (place, &(id, rect)) in members.iter().enumerate() {
        if holder(rect).is_none() {
            unit_of[place] = Some(units.len());
            units.push(Unit {
                id,
                rect,
                on_it: Vec::new(),
            });
        }
    }

    for &(id, rect) in members {
        // A widget on a widget on a row belongs to the row.
        let mut outer = holder(rect);
        while let Some(place) = outer {
            if let Some(unit) = unit_of[place] {
                units[unit].on_it.push((id, rect));
                break;
            }
            outer = holder(members[place].1);
        }
    }

    for unit in &mut units {
        unit.on_it
            .sort_by(|(_, a), (_, b)| a.left().total_cmp(&b.left()));
    }
    units.sort_by(|a, b| a.rect.center().y.total_cmp(&b.rect.center().y));
    let mut lines: Vec<Vec<Unit>> = Vec::new();
    for unit in units {
        let beside = |line: &Vec<Unit>| {
            let shared = line[0]
                .rect
                .y_range()
                .intersection(unit.rect.y_range())
                .span();
            0.5 * line[0].rect.height().min(unit.rect.height()) <= shared
        };
        match lines.last_mut() {
            Some(line) if beside(line) => line.push(unit),
            _ => lines.push(vec![unit]),
        }
    }
    for line in &mut lines {
        line.sort_by(|a, b| a.rect.left().total_cmp(&b.rect.left()));
    }

    lines
}

#[cfg(test)]
mod tests {
    use egui::{pos2, vec2};

    use super::*;

    fn member(name: &str, x: f32, y: f32, width: f32) -> (Id, Rect) {
        (
            Id::unique(name),
            Rect::from_min_size(pos2(x, y), vec2(width, 20.0)),
        )
    }

    #[test]
    fn arrows_walk_rows_and_what_stands_on_them() {
        let list = [
            member("a", 0.0, 0.0, 200.0),
            member("a menu", 170.0, 0.0, 20.0),
            member("a star", 140.0, 0.0, 20.0),
            member("b", 0.0, 24.0, 200.0),
            member("b menu", 170.0, 24.0, 20.0),
        ];
        let to = |from: &str, key| step(&list, Id::unique(from), key);
        let is = |name: &str| Some(Id::unique(name));
        assert_eq!(to("a", Key::ArrowDown), is("b"));
        assert_eq!(to("a", Key::ArrowRight), is("a star"));
        assert_eq!(to("a star", Key::ArrowRight), is("a menu"));
        assert_eq!(to("a menu", Key::ArrowDown), is("b menu"));
        assert_eq!(to("b menu", Key::ArrowLeft), is("b"));
        assert_eq!(
            (
                to("a", Key::ArrowUp),
                to("b", Key::ArrowDown),
                to("a", Key::ArrowLeft)
            ),
            (None, None, None)
        );

        assert_eq!(
            (
                to("a", Key::End),
                to("b", Key::Home),
                to("a menu", Key::PageDown)
            ),
            (is("b"), is("a"), is("b menu"))
        );

        assert_eq!(first(&list), is("a"));
        let beside = |from: &str, back| beside(&list, Id::unique(from), back);
        assert_eq!(
            (beside("a menu", false), beside("b", true)),
            (is("b"), is("a menu"))
        );
        assert_eq!((beside("a", true), beside("b menu", false)), (None, None));
    }

    #[test]
    fn a_bar_is_one_line_and_a_board_four() {
        let bar = [
            member("c", 60.0, 2.0, 20.0),
            member("b", 30.0, 0.0, 20.0),
            member("a", 0.0, 0.0, 20.0),
        ];
        assert_eq!(
            step(&bar, Id::unique("a"), Key::ArrowRight),
            Some(Id::unique("b"))
        );
        assert_eq!(step(&bar, Id::unique("a"), Key::End), Some(Id::unique("c")));
        assert_eq!(step(&bar, Id::unique("a"), Key::ArrowDown), None);
        let name = |x: usize, y: usize| format!("{x}{y}");
        let cells: Vec<_> = (0..16).map(|i| (i % 4, i / 4)).collect();
        let board: Vec<_> = cells
            .iter()
            .map(|&(x, y)| member(&name(x, y), 22.0 * x as f32, 22.0 * y as f32, 20.0))
            .collect();
        assert_eq!(
            step(&board, Id::unique("21"), Key::ArrowUp),
            Some(Id::unique("20"))
        );
        assert_eq!(step(&board, Id::unique("31"), Key::ArrowRight), None);
        assert_eq!(
            step(&board, Id::unique("33"), Key::Home),
            Some(Id::unique("30"))
        );
    }
}
