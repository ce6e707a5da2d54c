//! The panels as they are arranged for a purpose, for each width of window.

use egui_tiles::{Linear, LinearDir, TileId, Tiles};

use super::{ACROSS, DOWN};
use crate::workbench::command::{Arrangement, Panel};
use Panel::{
    BestPlay, Board, Compare, Decision, Depths, Evidence, Experiment, Games, Learning, Library, Node, Orders, Palette,
    Pinned, Practice, Presets, Results, Review, Row, Runs, Solve, Strategy, Text, Tree as Search, Why,
};

/// Panels behind each other, the first in front.
type Tabbed = &'static [Panel];

pub(super) fn wide(tiles: &mut Tiles<Panel>, arrangement: Arrangement) -> TileId {
    let columns = match arrangement {
        Arrangement::Play => {
            let left = tabs_in_line(tiles, DOWN, &[(&[Board], 552.0), (&[Decision], 392.0)]);
            let side: Tabbed = &[Strategy, Row, Node, Palette, Library, Presets];
            let above = tabs_in_line(tiles, ACROSS, &[(&[Search, Compare, Text], 816.0), (side, 376.0)]);
            let results: Tabbed = &[Results, Games, Evidence, Orders];
            let below = tabs_in_line(
                tiles,
                ACROSS,
                &[
                    (&[Experiment, Why, BestPlay, Depths, Pinned, Runs, Solve, Review, Practice, Learning], 544.0),
                    (results, 648.0),
                ],
            );
            let right = linear(tiles, DOWN, &[(above, 596.0), (below, 348.0)]);
            vec![(left, 392.0), (right, 1196.0)]
        }
        Arrangement::Build => {
            // What is at the right and above takes the room of a larger window: rows are not read better when wide.
            let (palette, strategy) = (tabs(tiles, &[Palette, Library, Presets]), tabs(tiles, &[Strategy]));
            let row: Tabbed = &[Row, Board, Search, Node, Why, BestPlay, Depths];
            let right = tabs_in_line(tiles, DOWN, &[(row, 348.0), (&[Text, Evidence, Orders], 320.0)]);
            let above = linear(tiles, ACROSS, &[(palette, 256.0), (strategy, 632.0), (right, 696.0)]);
            let pinned: Tabbed =
                &[Pinned, Compare, Experiment, Results, Games, Runs, Solve, Learning, Review, Practice];
            let below = tabs_in_line(tiles, ACROSS, &[(&[Decision], 508.0), (pinned, 1080.0)]);
            return linear(tiles, DOWN, &[(above, 672.0), (below, 272.0)]);
        }
        Arrangement::Tree => {
            let why: Tabbed = &[Why, BestPlay, Depths, Games, Pinned, Evidence, Orders];
            let left = tabs_in_line(
                tiles,
                DOWN,
                &[
                    (&[Search, Experiment, Results, Compare, Runs, Solve, Learning, Review, Practice], 700.0),
                    (why, 244.0),
                ],
            );
            let side: Tabbed = &[Node, Strategy, Row, Text, Palette, Library, Presets];
            let right = tabs_in_line(tiles, DOWN, &[(&[Board, Decision], 404.0), (side, 540.0)]);
            vec![(left, 1212.0), (right, 376.0)]
        }
        Arrangement::Experiment => {
            let left = tabs_in_line(tiles, DOWN, &[(&[Board], 552.0), (&[Decision], 392.0)]);
            let results: Tabbed = &[Results, Games, Why, BestPlay, Depths, Pinned, Evidence, Orders];
            let middle = tabs_in_line(
                tiles,
                DOWN,
                &[(&[Experiment, Runs, Solve, Learning, Review, Practice, Search, Compare], 596.0), (results, 348.0)],
            );
            let presets: Tabbed = &[Presets, Library, Palette];
            let right = tabs_in_line(tiles, DOWN, &[(&[Strategy, Row, Text, Node], 664.0), (presets, 280.0)]);
            vec![(left, 392.0), (middle, 816.0), (right, 376.0)]
        }
        Arrangement::Learning => {
            let left = tabs_in_line(tiles, DOWN, &[(&[Board], 552.0), (&[Decision], 392.0)]);
            let side: Tabbed = &[Strategy, Row, Text, Node, Palette, Library, Presets];
            let results: Tabbed = &[Results, Games, Why, BestPlay, Depths, Pinned, Evidence, Orders];
            let experiment: Tabbed = &[Experiment, Runs, Solve, Review, Practice, Search, Compare];
            let below = tabs_in_line(tiles, ACROSS, &[(experiment, 396.0), (results, 396.0), (side, 396.0)]);
            let learning = tabs(tiles, &[Learning]);
            let right = linear(tiles, DOWN, &[(learning, 640.0), (below, 304.0)]);
            vec![(left, 392.0), (right, 1196.0)]
        }
    };
    linear(tiles, ACROSS, &columns)
}

pub(super) fn medium(tiles: &mut Tiles<Panel>, arrangement: Arrangement) -> TileId {
    let (left, upper, lower): ([(Tabbed, f32); 2], Tabbed, Tabbed) = match arrangement {
        // What is dragged and where it goes are seen together; the board is behind the palette.
        Arrangement::Build => (
            [(&[Palette, Library, Board, Presets], 376.0), (&[Decision], 268.0)],
            &[Strategy, Text, Compare, Search, Experiment, Runs, Solve, Review, Practice, Learning],
            &[Pinned, Row, Evidence, Orders, Node, Why, BestPlay, Depths, Results, Games],
        ),
        Arrangement::Experiment => (
            [(&[Board], 376.0), (&[Decision], 268.0)],
            &[
                Experiment, Runs, Solve, Review, Practice, Learning, Search, Strategy, Palette, Library, Presets,
                Compare,
            ],
            &[Results, Games, Node, Why, BestPlay, Depths, Row, Text, Pinned, Evidence, Orders],
        ),
        // Board, tree and experiment are seen at once, as where there is more room.
        Arrangement::Play => (
            [(&[Board], 376.0), (&[Decision], 268.0)],
            &[Search, Strategy, Row, Text, Palette, Library, Presets, Compare],
            &[
                Experiment, Results, Games, Runs, Solve, Review, Practice, Learning, Node, Why, BestPlay, Depths,
                Pinned, Evidence, Orders,
            ],
        ),
        Arrangement::Tree => (
            [(&[Board], 376.0), (&[Decision], 268.0)],
            &[
                Search, Experiment, Strategy, Palette, Library, Presets, Compare, Runs, Solve, Review, Practice,
                Learning,
            ],
            &[Node, Why, BestPlay, Depths, Results, Games, Row, Text, Pinned, Evidence, Orders],
        ),
        Arrangement::Learning => (
            [(&[Board], 376.0), (&[Decision], 268.0)],
            &[Learning, Search, Palette, Library, Presets, Compare],
            &[
                Strategy, Experiment, Runs, Solve, Review, Practice, Results, Games, Node, Why, BestPlay, Depths, Row,
                Text, Pinned, Evidence, Orders,
            ],
        ),
    };
    let left = tabs_in_line(tiles, DOWN, &left);
    let right = tabs_in_line(tiles, DOWN, &[(upper, 396.0), (lower, 248.0)]);
    linear(tiles, ACROSS, &[(left, 316.0), (right, 696.0)])
}

pub(super) fn narrow(tiles: &mut Tiles<Panel>, arrangement: Arrangement) -> TileId {
    let mut all = [
        Board, Decision, Search, Node, Why, BestPlay, Depths, Strategy, Palette, Row, Text, Library, Evidence, Orders,
        Pinned, Compare, Experiment, Results, Games, Runs, Solve, Review, Practice, Learning, Presets,
    ];
    let first = match arrangement {
        Arrangement::Play => Board,
        Arrangement::Build => Strategy,
        Arrangement::Tree => Search,
        Arrangement::Experiment => Experiment,
        Arrangement::Learning => Learning,
    };
    let place = all.iter().position(|&panel| panel == first);
    all.rotate_left(place.unwrap_or(0));
    tabs(tiles, &all)
}

fn tabs(tiles: &mut Tiles<Panel>, panels: &[Panel]) -> TileId {
    let panes = panels.iter().map(|&panel| tiles.insert_pane(panel)).collect();
    tiles.insert_tab_tile(panes)
}

/// Tabs beside or below each other, with their points.
fn tabs_in_line(tiles: &mut Tiles<Panel>, dir: LinearDir, parts: &[(Tabbed, f32)]) -> TileId {
    let parts: Vec<(TileId, f32)> = parts.iter().map(|&(panels, points)| (tabs(tiles, panels), points)).collect();
    linear(tiles, dir, &parts)
}

fn linear(tiles: &mut Tiles<Panel>, dir: LinearDir, children: &[(TileId, f32)]) -> TileId {
    let mut linear = Linear::new(dir, children.iter().map(|&(id, _)| id).collect());
    for &(id, points) in children {
        linear.shares.set_share(id, points);
    }
    tiles.insert_container(linear)
}
