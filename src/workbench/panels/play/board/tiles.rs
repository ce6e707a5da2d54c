//! The board: tiles that slide, merge and appear, and cells that react to clicks.

use egui::{Key, Rect, Response, Role, Sense, Ui, WidgetInfo};

use super::{losses, spawn_map};
use crate::game::{Board, Cell, Move, Rank, Spawn, motions};
use crate::workbench::command::{Command, Commands, GameCommand, Panel};
use crate::workbench::kit::{
    BoardGeometry, focus, focus_ring, menu_choice, outline_empty, own_keys, paint_empty_board,
    paint_ghost, paint_newest, paint_tile,
};
use crate::workbench::panels::Inspection;
use crate::workbench::state::{Document, Played};
use crate::workbench::theme::{Motion, Theme, ease};

/// Above this many moves per second tiles do not slide, because the motion would be too fast to follow.
const FASTEST_SHOWN: f32 = 12.0;
/// Maximum scale of a merged tile.
const POP: f32 = 1.08;
/// Initial scale of a new tile.
const BORN: f32 = 0.6;

pub(super) fn ui(
    ui: &mut Ui,
    space: Rect,
    doc: &Document,
    inspection: &mut Inspection,
    commands: &mut Commands,
    preview: Option<Move>,
    map: Option<&spawn_map::ShownSpawns>,
) -> Option<Move> {
    let theme = Theme::of(ui);
    let board = doc.board();
    let geometry = BoardGeometry::fit(space, board.size());
    paint_empty_board(ui.painter(), theme, &geometry);
    // Clickable empty cells, below the sliding tiles.
    if doc.editing().is_some() || doc.node().step.is_some() {
        board
            .empty_cells()
            .into_iter()
            .for_each(|cell| outline_empty(ui.painter(), theme, geometry.cell(cell)));
    }
    let ground = ui.interact(space, ui.scope_id().with("board"), Sense::CLICK);
    commands.context_menu(&ground, &Panel::Board.commands(), doc);
    let whole = ui.interact(
        geometry.rect,
        ui.scope_id().with("whole board"),
        Sense::focusable_noninteractive(),
    );
    whole.widget_info(|| WidgetInfo::labeled(Role::Image, true, format!("Position {board}")));
    focus::alone(&whole);
    focus::home(&whole, Panel::Board.area());

    let motion = Motion::of(ui);
    let follows = !doc.is_playing() || doc.autoplay_speed() <= FASTEST_SHOWN;
    let moving = doc
        .played()
        .filter(|_| follows && doc.editing().is_none())
        .and_then(|played| {
            let elapsed = played.at.elapsed().as_secs_f32();
            (elapsed < motion.slide + motion.merge.max(motion.spawn)).then_some((played, elapsed))
        });
    let slide = preview
        .filter(|_| doc.editing().is_none())
        .and_then(|mv| board.slide(mv));
    match (moving, slide) {
        (Some((played, elapsed)), _) => {
            paint_moving(ui, theme, &geometry, &played, elapsed, motion);
            ui.ctx().request_repaint();
        }
        (None, Some(slide)) => paint_preview(ui, theme, &geometry, &board, &slide.after.board()),
        (None, None) => {
            paint_tiles(ui, theme, &geometry, &board, |_| 1.0);
            if let Some(step) = doc.node().step.filter(|_| doc.editing().is_none()) {
                paint_newest(ui.painter(), theme, geometry.cell(step.spawn.cell));
            }
        }
    }
    // No map during the animation, which would cover it.
    let map = map.filter(|_| moving.is_none());
    let ui = &mut ui.new_child(
        egui::UiBuilder::new()
            .id_salt("cells")
            .max_rect(geometry.rect),
    );
    focus::group(ui);
    cells(ui, &geometry, doc, commands, map);
    if let Some(map) = map {
        map.cells_ui(ui, &geometry, inspection, commands);
    }
    let touched = if moving.is_none() {
        losses::ui(ui, &geometry, doc, commands)
    } else {
        None
    };
    if whole.has_focus() {
        focus_ring(ui, geometry.rect);
    }
    touched
}

fn paint_tiles(
    ui: &Ui,
    theme: &Theme,
    geometry: &BoardGeometry,
    board: &Board,
    scale: impl Fn(Cell) -> f32,
) {
    for (cell, rank) in board.cells().filter(|(_, rank)| !rank.is_empty()) {
        let rect = geometry.cell(cell);
        let rect = Rect::from_center_size(rect.center(), rect.size() * scale(cell));
        paint_tile(ui.painter(), theme, rect, rank.get(), 1.0);
    }
}

/// First all tiles slide, then merged ones pop and the new one grows.
fn paint_moving(
    ui: &Ui,
    theme: &Theme,
    geometry: &BoardGeometry,
    played: &Played,
    elapsed: f32,
    motion: Motion,
) {
    let ways = motions(&played.before, played.step.mv);
    if elapsed < motion.slide {
        let t = ease(elapsed / motion.slide);
        for way in ways {
            let (from, to) = (geometry.cell(way.from), geometry.cell(way.to));
            let center = from.center() + (to.center() - from.center()) * t;
            let rect = Rect::from_center_size(center, from.size());
            paint_tile(ui.painter(), theme, rect, way.rank.get(), 1.0);
        }
        return;
    }

    let Some(slide) = played.before.slide(played.step.mv) else {
        return;
    };
    let after = slide.after.spawn(played.step.spawn);
    let then = elapsed - motion.slide;
    let pop = |cell: Cell| {
        let merged = ways.iter().any(|way| way.merged && way.to == cell);
        if cell == played.step.spawn.cell {
            BORN + (1.0 - BORN) * ease(then / motion.spawn)
        } else if merged && then < motion.merge {
            // Grows and shrinks again.
            let t = then / motion.merge;
            1.0 + (POP - 1.0) * (1.0 - (2.0 * t - 1.0).abs())
        } else {
            1.0
        }
    };

    paint_tiles(ui, theme, geometry, &after, pop);
}

/// Previews the afterstate of a move: unchanged tiles are solid, changed ones are ghosts.
fn paint_preview(ui: &Ui, theme: &Theme, geometry: &BoardGeometry, board: &Board, after: &Board) {
    for (cell, rank) in after.cells().filter(|(_, rank)| !rank.is_empty()) {
        let rect = geometry.cell(cell);
        if board.get(cell) == rank {
            paint_tile(ui.painter(), theme, rect, rank.get(), 1.0);
        } else {
            paint_ghost(ui.painter(), theme, rect, rank.get());
        }
    }
}

/// How to set tiles in the position editor.
pub(super) const HOW_TO_EDIT: &str = "Type the tile of the selected cell, such as 128, or 0 to empty it; arrow keys \
select another cell. A click sets the next tile, a right click lists all tiles";

/// After this pause, in seconds, a digit starts a new number.
const PAUSE: f64 = 1.5;

const DIGITS: [Key; 10] = [
    Key::Num0,
    Key::Num1,
    Key::Num2,
    Key::Num3,
    Key::Num4,
    Key::Num5,
    Key::Num6,
    Key::Num7,
    Key::Num8,
    Key::Num9,
];

/// Digits typed on a cell of the position editor.
#[derive(Clone, Debug, Default)]
struct TypedTile {
    cell: Option<Cell>,
    /// The tile of the cell before the digits.
    before: Rank,
    digits: String,
    /// All digits typed without a pause, possibly over several numbers.
    run: String,
    /// Ignores the rest of a refused number, instead of starting a new one.
    skips: bool,
    at: f64,
}

/// The result of the digits so far.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Typed {
    /// The start of a tile.
    Begun,
    Tile(Rank),
    /// Not the start of any tile.
    Refused(String),
}

impl TypedTile {
    fn add(&mut self, (cell, rank): (Cell, Rank), digit: usize, now: f64) -> Typed {
        if self.cell != Some(cell) || self.at + PAUSE < now {
            *self = Self {
                cell: Some(cell),
                before: rank,
                ..Self::default()
            };
        }
        self.at = now;
        if self.skips {
            return Typed::Begun;
        }

        let digit = digit.to_string();
        let begins = |digits: &str| tiles().any(|(tile, _)| tile.starts_with(digits));
        let together = self.digits.clone() + &digit;
        let is_first = self.run == self.digits;
        self.run += &digit;
        if begins(&together) {
            self.digits = together;
        } else if begins(&digit) && is_first {
            // Corrects a wrong tile if the right one is typed at once.
            self.digits = digit;
        } else {
            self.digits.clear();
            let refused = std::mem::take(&mut self.run);
            self.skips = 2 < refused.len();
            return Typed::Refused(refused);
        }

        self.tile().map_or(Typed::Begun, Typed::Tile)
    }

    fn tile(&self) -> Option<Rank> {
        tiles()
            .find(|(tile, _)| *tile == self.digits)
            .map(|(_, rank)| rank)
    }

    /// Returns digits that form no tile, after a pause or when the focus leaves the cell.
    fn left(&mut self, focused: Option<Cell>, now: f64) -> Option<String> {
        let is_left = focused != self.cell || self.at + PAUSE < now;
        let unfinished = is_left && !self.digits.is_empty() && self.tile().is_none();
        unfinished.then(|| std::mem::take(&mut self.digits))
    }
}

/// The valid numbers, with "0" for the empty cell.
fn tiles() -> impl Iterator<Item = (String, Rank)> {
    (0..=17)
        .filter_map(Rank::new)
        .map(|rank| (rank.tile().to_string(), rank))
}

fn with_typed<R>(ui: &Ui, f: impl FnOnce(&mut TypedTile, f64) -> R) -> R {
    let id = ui.scope_id().with("typed tile");
    let now = ui.input(|input| input.time);
    let mut typed: TypedTile = ui.data(|data| data.get_temp(id)).unwrap_or_default();
    let result = f(&mut typed, now);
    ui.data_mut(|data| data.insert_temp(id, typed));
    result
}

/// Sets the typed tile on the focused cell, or refuses it.
fn type_tile(ui: &Ui, cell: Cell, rank: Rank, keys: &[Key], commands: &mut Commands) {
    with_typed(ui, |typed, now| {
        for digit in keys
            .iter()
            .filter_map(|key| DIGITS.iter().position(|digit| digit == key))
        {
            match typed.add((cell, rank), digit, now) {
                Typed::Begun => {}
                Typed::Tile(rank) => commands.push(GameCommand::EditCell(cell, rank)),
                Typed::Refused(digits) => {
                    commands.push(GameCommand::EditCell(cell, typed.before));
                    commands.push(GameCommand::RefuseTile(digits));
                }
            }
        }
    });
    ui.ctx().request_repaint_after_secs(PAUSE as f32 + 0.1);
}

/// True in the first frame of the position editor.
fn begins_editing(ui: &Ui, editing: bool) -> bool {
    let id = ui.scope_id().with("edited");
    let before =
        ui.data_mut(|data| std::mem::replace(data.get_temp_mut_or_default::<bool>(id), editing));
    editing && !before
}

/// One accessible button per cell: it changes the spawn, or sets tiles in the position editor.
fn cells(
    ui: &mut Ui,
    geometry: &BoardGeometry,
    doc: &Document,
    commands: &mut Commands,
    map: Option<&spawn_map::ShownSpawns>,
) {
    let board = doc.board();
    let newest = doc.node().step.map(|step| step.spawn);
    let editing = doc.editing().is_some();
    let mut begins = begins_editing(ui, editing);
    let mut focused = None;

    // Halves of the spawn map take the clicks.
    let free = |cell: Cell| map.is_none_or(|map| !map.places(cell));
    for (cell, rank) in board.cells().filter(|&(cell, _)| free(cell)) {
        let rect = geometry.cell(cell);
        let movable = newest.is_some_and(|spawn| rank.is_empty() || spawn.cell == cell);
        let sense = if editing || movable {
            Sense::click()
        } else {
            Sense::hover()
        };
        let response = ui.interact(
            rect,
            ui.scope_id().with(("cell", cell.row, cell.col)),
            sense,
        );
        let name = if rank.is_empty() {
            format!("{cell} empty")
        } else {
            format!("{cell} tile {rank}")
        };
        response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &name));
        if response.has_focus() {
            focused = Some(cell);
            focus_ring(ui, rect);
        }

        if !editing && sense.senses_click() {
            let place = |rank| Command::from(GameCommand::PlaceTile(Spawn { cell, rank }));
            response.context_menu(|ui| {
                for rank in [Rank::TWO, Rank::FOUR]
                    .into_iter()
                    .filter(|_| rank.is_empty())
                {
                    let text = format!("Put a {rank} here");
                    commands.menu_row(ui, &place(rank), &text, None, &Ok::<(), &str>(()));
                }
                commands.menu(ui, &Panel::Board.commands(), doc);
            });
        }

        if editing {
            edit_ui(ui, &response, cell, rank, commands);
            if std::mem::take(&mut begins) || response.clicked() {
                response.request_focus();
            }
            response.context_menu(|ui| {
                for (tile, to) in tiles() {
                    if menu_choice(
                        ui,
                        to == rank,
                        if to.is_empty() {
                            "Empty".to_owned()
                        } else {
                            tile
                        },
                    )
                    .clicked()
                    {
                        commands.push(GameCommand::EditCell(cell, to));
                    }
                }
            });
            response.on_hover_text(format!(
                "{name}. {HOW_TO_EDIT}\nKeys: + and − set the next or previous tile, Delete empties the cell, Enter applies"
            ));
        } else if movable {
            let other = match newest {
                Some(spawn) if spawn.cell == cell && spawn.rank == Rank::TWO => Rank::FOUR,
                _ => Rank::TWO,
            };
            let placed = match own_keys(ui, &response, &[Key::Num2, Key::Num4]).first() {
                Some(Key::Num2) => Some(Rank::TWO),
                Some(_) => Some(Rank::FOUR),
                None => response.clicked().then_some(other),
            };
            if let Some(rank) = placed {
                commands.push(GameCommand::PlaceTile(Spawn { cell, rank }));
            }
            if response.hovered() && rank.is_empty() {
                paint_ghost(ui.painter(), Theme::of(ui), rect, Rank::TWO.get());
            }

            let hint = if rank.is_empty() {
                "Click to place a 2. For a 4, press 4 or use the menu"
            } else {
                "The new tile. Click to switch between 2 and 4"
            };

            // Follows the pointer, so that the tooltip does not cover its subject.
            response.on_hover_ui_at_pointer(|ui| {
                ui.label(hint);
            });
        }
    }

    if let Some(digits) = with_typed(ui, |typed, now| typed.left(focused, now)) {
        commands.push(GameCommand::RefuseTile(digits));
    }
}

/// Sets the tile of a cell by click or key.
fn edit_ui(ui: &Ui, response: &Response, cell: Cell, rank: Rank, commands: &mut Commands) {
    let keys = [
        &[
            Key::Plus,
            Key::Equals,
            Key::Minus,
            Key::Delete,
            Key::Backspace,
            Key::Enter,
        ][..],
        &DIGITS,
    ]
    .concat();
    let pressed = own_keys(ui, response, &keys);
    let set = match pressed.first() {
        Some(Key::Plus | Key::Equals) => Some(raised(rank)),
        Some(Key::Minus) => Some(lowered(rank)),
        Some(Key::Delete | Key::Backspace) => Some(Rank::EMPTY),
        Some(Key::Enter) => return commands.push(GameCommand::ApplyEdit),
        Some(_) => return type_tile(ui, cell, rank, &pressed, commands),
        None => response.clicked().then(|| raised(rank)),
    };
    if let Some(rank) = set {
        commands.push(GameCommand::EditCell(cell, rank));
    }
}

/// The empty cell follows 131072 and any larger tile.
fn raised(rank: Rank) -> Rank {
    let next = Some(rank.get() + 1).filter(|_| rank.get() < 17);
    next.and_then(Rank::new).unwrap_or(Rank::EMPTY)
}

fn lowered(rank: Rank) -> Rank {
    Rank::new(rank.get().checked_sub(1).unwrap_or(17)).unwrap_or(Rank::EMPTY)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_make_a_tile_as_soon_as_they_are_one() {
        let mut typed = TypedTile::default();
        let [here, there] = [Cell { row: 0, col: 0 }, Cell { row: 0, col: 1 }];
        let mut type_at = |cell: Cell, digits: &[usize], from: f64| -> Vec<Option<u64>> {
            let tile = |typed| {
                if let Typed::Tile(rank) = typed {
                    Some(rank.tile())
                } else {
                    None
                }
            };
            digits
                .iter()
                .map(|&digit| tile(typed.add((cell, Rank::EMPTY), digit, from)))
                .collect()
        };
        assert_eq!(type_at(here, &[1, 2, 8], 0.0), [None, None, Some(128)]);
        assert_eq!(type_at(here, &[4], 0.5), [Some(4)], "1284 begins no tile");
        assert_eq!(
            type_at(here, &[1, 6, 3], 9.0),
            [None, Some(16), None],
            "163 may become 16384"
        );
        assert_eq!(type_at(there, &[8], 9.1), [Some(8)], "another cell");
        assert_eq!(type_at(there, &[0], 20.0), [Some(0)]);
        assert_eq!(
            type_at(there, &[1, 3, 1, 0, 7, 2], 30.0).last(),
            Some(&Some(131_072))
        );
    }

    #[test]
    fn what_is_no_tile_is_refused_once_and_the_cell_stays_as_it_was() {
        let cell = Cell { row: 0, col: 0 };
        let eight = (cell, Rank::new(3).expect("a rank"));
        let mut typed = TypedTile::default();
        assert_eq!(typed.add(eight, 7, 0.0), Typed::Refused("7".to_owned()));
        assert_eq!(typed.add(eight, 8, 0.1), Typed::Tile(eight.1));
        let all: Vec<Typed> = [2, 6, 2, 1, 4, 4]
            .map(|digit| typed.add(eight, digit, 10.0))
            .to_vec();
        assert_eq!(
            all.iter()
                .filter(|typed| matches!(typed, Typed::Refused(_)))
                .count(),
            1
        );
        assert_eq!(all[2], Typed::Refused("262".to_owned()));
        assert_eq!(typed.before, eight.1);
        assert_eq!(
            [1, 0].map(|digit| typed.add(eight, digit, 20.0)),
            [Typed::Begun, Typed::Begun]
        );
        assert_eq!(typed.left(Some(cell), 20.1), None, "more may follow");

        let mut gone = typed.clone();
        assert_eq!(
            gone.left(None, 20.1),
            Some("10".to_owned()),
            "the keyboard went elsewhere"
        );
        assert_eq!(
            [22.0, 22.1].map(|now| typed.left(Some(cell), now)),
            [Some("10".to_owned()), None]
        );
        typed.add(eight, 4, 30.0);
        assert_eq!(typed.left(None, 40.0), None, "a tile");
    }

    #[test]
    fn the_editor_walks_every_rank_both_ways() {
        let mut rank = Rank::EMPTY;
        for _ in 0..=17 {
            assert_eq!(lowered(raised(rank)), rank);
            rank = raised(rank);
        }
        assert_eq!(rank, Rank::EMPTY, "after 131072 comes the empty cell");
    }
}
