//! The default arrangement of panels in each workspace, for each window width.

use egui_tiles::{Linear, LinearDir, TileId, Tiles};

use super::{ACROSS, DOWN};
use crate::workbench::command::{Panel, Workspace};
use Panel::{
    BestPlay, Board, Compare, Decision, Depths, Evidence, Experiment, Games, JudgeTree, Learning,
    Library, Moves, Node, Orders, Palette, Pinned, Practice, Presets, Rerun, Results, Review,
    ReviewedGames, Row, Runs, SecondOpinion, Solve, Strategy, Survival, Text, Tree as Search, Why,
    Worst,
};

/// Panels in tabs, the first in front.
type Tabbed = &'static [Panel];

/// The tabs below the review, without and with strategy and rerun, which have their own column in a wide window.
const OF_REVIEW: Tabbed = &[
    JudgeTree,
    Worst,
    Games,
    ReviewedGames,
    SecondOpinion,
    Survival,
    Practice,
];
const OF_REVIEW_AND_STRATEGY: Tabbed = &[
    JudgeTree,
    Strategy,
    Rerun,
    Worst,
    Games,
    ReviewedGames,
    SecondOpinion,
    Survival,
    Practice,
];

/// From 1200 points: columns as the workspace needs them.
pub(super) fn wide(tiles: &mut Tiles<Panel>, workspace: Workspace) -> TileId {
    let board_and_decision: [(Tabbed, f32); 2] = [(&[Board], 540.0), (&[Decision], 384.0)];
    let columns = match workspace {
        Workspace::Overview => {
            let left = tabs_in_line(tiles, DOWN, &[(&[Board], 660.0), (&[Decision], 264.0)]);
            let above = tabs_in_line(tiles, ACROSS, &[(&[Search], 808.0), (&[Strategy], 372.0)]);
            let below = tabs_in_line(
                tiles,
                ACROSS,
                &[(&[Experiment], 600.0), (&[Results], 580.0)],
            );
            let right = linear(tiles, DOWN, &[(above, 572.0), (below, 352.0)]);
            vec![(left, 388.0), (right, 1188.0)]
        }
        Workspace::Build => {
            // The right and upper parts grow with the window: wider rows are no easier to read.
            let (palette, strategy) = (
                tabs(tiles, &[Palette, Library, Presets]),
                tabs(tiles, &[Strategy]),
            );
            let right = tabs(tiles, &[Row, Text, Evidence, Orders]);
            let above = linear(
                tiles,
                ACROSS,
                &[(palette, 256.0), (strategy, 624.0), (right, 688.0)],
            );
            let below = tabs_in_line(
                tiles,
                ACROSS,
                &[(&[Decision], 504.0), (&[Pinned, Compare], 1072.0)],
            );
            return linear(tiles, DOWN, &[(above, 652.0), (below, 272.0)]);
        }
        Workspace::Search => {
            let left = tabs_in_line(
                tiles,
                DOWN,
                &[
                    (&[Search, Compare], 624.0),
                    (&[Why, BestPlay, Depths], 300.0),
                ],
            );
            let right = tabs_in_line(
                tiles,
                DOWN,
                &[(&[Board, Decision], 404.0), (&[Node], 520.0)],
            );
            vec![(left, 1204.0), (right, 372.0)]
        }
        Workspace::Experiment => {
            let below = tabs_in_line(tiles, ACROSS, &[(&[Results], 712.0), (&[Games], 484.0)]);
            let plot = tabs(tiles, &[Experiment, Runs]);
            let left = linear(tiles, DOWN, &[(plot, 576.0), (below, 348.0)]);
            let right = tabs(tiles, &[Strategy, Presets, Evidence]);
            vec![(left, 1204.0), (right, 372.0)]
        }
        Workspace::Review => {
            let left = tabs_in_line(tiles, DOWN, &[(&[Board], 472.0), (&[Moves], 452.0)]);
            let middle = tabs_in_line(tiles, DOWN, &[(&[Review], 556.0), (OF_REVIEW, 368.0)]);
            let right = tabs_in_line(tiles, DOWN, &[(&[Strategy], 388.0), (&[Rerun], 536.0)]);
            vec![(left, 388.0), (middle, 808.0), (right, 372.0)]
        }
        Workspace::Learn => {
            let left = tabs_in_line(tiles, DOWN, &board_and_decision);
            let (learning, strategy) = (
                tabs(tiles, &[Learning, Solve, Runs]),
                tabs(tiles, &[Strategy]),
            );
            vec![(left, 388.0), (learning, 808.0), (strategy, 372.0)]
        }
    };

    linear(tiles, ACROSS, &columns)
}

/// From 900 points: two columns of two places each.
pub(super) fn medium(tiles: &mut Tiles<Panel>, workspace: Workspace) -> TileId {
    let [upper_left, lower_left, upper, lower] = places(workspace);
    let left = tabs_in_line(tiles, DOWN, &[(upper_left, 360.0), (lower_left, 264.0)]);
    let right = tabs_in_line(tiles, DOWN, &[(upper, 372.0), (lower, 252.0)]);
    linear(tiles, ACROSS, &[(left, 316.0), (right, 684.0)])
}

/// The places of a medium window: upper left, lower left, upper right, lower right.
fn places(workspace: Workspace) -> [Tabbed; 4] {
    match workspace {
        Workspace::Overview => [
            &[Board],
            &[Decision],
            &[Search, Strategy],
            &[Experiment, Results],
        ],
        // The source and the target of a drag are both visible.
        Workspace::Build => [
            &[Palette, Library, Presets],
            &[Decision],
            &[Strategy, Text, Evidence, Orders],
            &[Row, Pinned, Compare],
        ],
        Workspace::Search => [
            &[Board, Decision],
            &[Node],
            &[Search, Compare],
            &[Why, BestPlay, Depths],
        ],
        Workspace::Experiment => [
            &[Strategy, Presets, Evidence],
            &[Games],
            &[Experiment, Runs],
            &[Results],
        ],
        Workspace::Review => [&[Board], &[Moves], &[Review], OF_REVIEW_AND_STRATEGY],
        Workspace::Learn => [&[Board], &[Decision], &[Learning, Solve, Runs], &[Strategy]],
    }
}

/// A narrow or low window: a single row of tabs, in the order of the places.
pub(super) fn narrow(tiles: &mut Tiles<Panel>, workspace: Workspace) -> TileId {
    let mut all = places(workspace).concat();
    let place = all.iter().position(|&panel| panel == workspace.main());
    all.rotate_left(place.unwrap_or(0));
    tabs(tiles, &all)
}

fn tabs(tiles: &mut Tiles<Panel>, panels: &[Panel]) -> TileId {
    let panes = panels
        .iter()
        .map(|&panel| tiles.insert_pane(panel))
        .collect();
    tiles.insert_tab_tile(panes)
}

/// Tab groups side by side or one below the other, with their sizes in points.
fn tabs_in_line(tiles: &mut Tiles<Panel>, dir: LinearDir, parts: &[(Tabbed, f32)]) -> TileId {
    let parts: Vec<(TileId, f32)> = parts
        .iter()
        .map(|&(panels, points)| (tabs(tiles, panels), points))
        .collect();
    linear(tiles, dir, &parts)
}

fn linear(tiles: &mut Tiles<Panel>, dir: LinearDir, children: &[(TileId, f32)]) -> TileId {
    let mut linear = Linear::new(dir, children.iter().map(|&(id, _)| id).collect());
    for &(id, points) in children {
        linear.shares.set_share(id, points);
    }
    tiles.insert_container(linear)
}
