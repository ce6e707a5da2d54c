//! The lookahead of a row: the kind of search, its depth, limits and cuts.

use std::mem::discriminant;

use egui::{DragValue, Rect, Sense, Stroke, Ui, pos2, vec2};

use super::controls::{choice, limit, plies_field, whole};
use super::{Setting, about, beside, is_wide, labelled, lines, remove_button, sampled};
use crate::game::Size;
use crate::search::{
    Cut, Dead, DepthLimited, Lookahead, Method, NodeKind, Plies, Sampled, SpawnValue,
};
use crate::workbench::icon::Icon;
use crate::workbench::kit::{Button, chip, drop_down, menu_choice, paint_node};
use crate::workbench::panels::builder::number::{self, Change};
use crate::workbench::panels::builder::weights::{gradient, presets};
use crate::workbench::terms::{self, Term};
use crate::workbench::theme::{self, Theme};

pub(super) fn ui(ui: &mut Ui, now: &mut Lookahead, size: Size) -> Change {
    let wide = is_wide(ui);
    let mut change = labelled(ui, "Lookahead", |ui| {
        let kind = kinds(ui, now);
        if *now == Lookahead::OnePly {
            about(ui, "only the board after the move");
        }
        if wide {
            fixed_plies(ui, now).or(kind)
        } else {
            kind
        }
    });

    if let Some(search) = now.sampled_mut() {
        return sampled::ui(ui, search).or(change);
    }
    if !wide && *now != Lookahead::OnePly {
        change = labelled(ui, "Plies", |ui| fixed_plies(ui, now)).or(change);
    }

    let Some(search) = now.depth_limited_mut() else {
        return change;
    };
    let depth: Setting<'_, DepthLimited> = ("Depth", &|ui, search| depth_kind(ui, search, size));
    let (spawn, dead): (Setting<'_, _>, Setting<'_, _>) =
        (("Spawn node", &spawn_choice), ("Dead board", &dead_choice));
    let settings = if search.spawn == SpawnValue::Min {
        vec![depth, dead]
    } else {
        vec![depth, spawn, dead]
    };
    let (beside_depth, below_depth) = settings.split_at(if wide { settings.len() } else { 1 });
    change = lines(ui, search, beside_depth).or(change);
    change = depth_ui(ui, search, size).or(change);
    change = lines(ui, search, below_depth).or(change);
    let limits: [Setting<'_, _>; 2] = [
        ("Limit", &|ui, search| limit_ui(ui, search, true)),
        ("", &|ui, search| limit_ui(ui, search, false)),
    ];
    change = lines(ui, search, &limits).or(change);
    change = labelled(ui, "Tiles", |ui| downgrade_ui(ui, search)).or(change);
    cuts_ui(ui, search, size).or(change)
}

/// The numbers of a depth that depends on the board.
fn depth_ui(ui: &mut Ui, search: &mut DepthLimited, size: Size) -> Change {
    match search.plies.as_mut()? {
        Plies::Fixed(_) => None,
        Plies::ByEmpty(steps) => by_empty(ui, steps, size),
        Plies::ByDistinct {
            offset,
            at_least,
            at_most,
        } => by_distinct(ui, offset, at_least, at_most),
    }
}

/// A drop-down of lookaheads. Depth and cuts carry over where they apply.
fn kinds(ui: &mut Ui, now: &mut Lookahead) -> Change {
    let mut chosen = None;
    let shown = terms::of_lookahead(now);
    let combo = drop_down("Lookahead", shown.name.to_owned(), 132.0).show_ui(ui, |ui| {
        let is_mean = now.depth_limited().is_some() && !now.is_minimax();
        let averages = if is_mean { now.clone() } else { now.twin() };
        let bounded = if now.has_window() {
            now.clone()
        } else {
            averages.twin()
        };
        let unbounded = bounded.without_alpha_beta();
        for (term, lookahead) in [
            (&terms::ONE_PLY, Lookahead::OnePly),
            (&terms::EXPECTIMAX, averages),
            (&terms::MINIMAX, unbounded),
            (&terms::ALPHA_BETA, bounded),
            (&terms::MONTE_CARLO, sampling(now, Sampled::flat())),
            (&terms::AVERAGED_SEARCH, sampling(now, Sampled::averaged())),
            (&terms::MCTS, sampling(now, Sampled::tree())),
        ] {
            let on = lookahead == *now;
            if terms::tip(menu_choice(ui, on, term.name), term).clicked() && !on {
                chosen = Some(lookahead);
            }
        }
    });
    terms::tip(combo.response.accessible_name("Lookahead"), shown);
    *now = chosen?;
    Some(false)
}

/// A sampling search. A search of the same kind stays; between kinds, the playout carries over.
fn sampling(now: &Lookahead, usual: Sampled) -> Lookahead {
    let Some(before) = now.sampled() else {
        return Lookahead::Sampled(Box::new(usual));
    };
    if discriminant(&before.method) == discriminant(&usual.method) {
        return now.clone();
    }
    // A tree search cannot stop when sure.
    let sure_by = before
        .sure_by
        .filter(|_| !matches!(usual.method, Method::Tree(_)));
    let mut new = Sampled {
        sure_by,
        time_ms: before.time_ms,
        seed: before.seed,
        ..usual
    };
    if let (Some(playout), Some(before)) = (new.method.playout_mut(), before.method.playout()) {
        *playout = before.clone();
    }
    Lookahead::Sampled(Box::new(new))
}

/// The plies of a fixed depth, and the kinds of nodes it searches.
fn fixed_plies(ui: &mut Ui, now: &mut Lookahead) -> Change {
    let deepens = now.deepens();
    let search = now.depth_limited_mut()?;
    let fixed = match search.plies {
        Some(Plies::Fixed(plies)) => Some(plies),
        None if !deepens => Some(Plies::USUAL),
        _ => None,
    };

    let change = fixed.and_then(|mut plies| {
        let response = plies_field(ui, "Plies", &mut plies);
        let change = number::change(&response);
        terms::tip(response, &terms::PLIES);
        if change.is_some() {
            search.plies = Some(Plies::Fixed(plies));
        }
        strip(ui, plies, search.spawn == SpawnValue::Min);
        change
    });
    about(ui, &now.depth_text());
    change
}

/// The kinds of nodes in the order of the search; a deep search ends in dots.
fn strip(ui: &mut Ui, plies: u32, is_worst: bool) {
    const RADIUS: f32 = 8.0;
    const STEP: f32 = 26.0;
    const MOST: u32 = 7;
    let theme = Theme::of(ui);
    // The text after the strip needs some room, and replaces nodes that do not fit.
    let fits = ((ui.available_width() - 110.0) / STEP) as u32;
    let shown = plies.min(MOST).min(fits.saturating_sub(1));
    if shown == 0 {
        return;
    }
    let dots = shown < plies;
    let count = shown + u32::from(dots) + 1;
    let (rect, response) = ui.allocate_exact_size(
        vec2(STEP * count as f32 - 6.0, theme::CONTROL),
        Sense::hover(),
    );
    let at = |index: u32| {
        pos2(
            rect.left() + RADIUS + 1.0 + STEP * index as f32,
            rect.center().y,
        )
    };
    ui.painter()
        .line_segment([at(0), at(count - 1)], Stroke::new(1.0, theme.line));

    for index in 0..count {
        let kind = match index {
            index if index + 1 == count => NodeKind::Leaf,
            index if index % 2 == 0 => NodeKind::Max,
            _ if is_worst => NodeKind::Min,
            _ => NodeKind::Chance,
        };
        if dots && index == shown {
            let gap = Rect::from_center_size(at(index), vec2(14.0, 8.0));
            ui.painter().rect_filled(gap, 0, theme.bg2);
            for x in [-4.0, 0.0, 4.0] {
                ui.painter()
                    .circle_filled(at(index) + vec2(x, 0.0), 1.2, theme.text3);
            }
        } else {
            paint_node(ui.painter(), theme, kind, at(index), RADIUS, None);
        }
    }
    let layers = crate::search::layers(plies);
    response.on_hover_text(format!(
        "{layers}: moves and spawns alternate; the evaluator sees the leaf"
    ));
}

fn depth_kind(ui: &mut Ui, search: &mut DepthLimited, size: Size) -> Change {
    let plies = if let Some(Plies::Fixed(plies)) = search.plies {
        plies
    } else {
        Plies::USUAL
    };
    let is_limited = search.time_ms.is_some() || search.nodes.is_some();
    let (mut kind, term) = match search.plies {
        Some(Plies::Fixed(_)) => (0, &terms::PLIES),
        Some(Plies::ByEmpty(_)) => (1, &terms::BY_EMPTY),
        Some(Plies::ByDistinct { .. }) => (2, &terms::BY_DISTINCT),
        None => (if is_limited { 3 } else { 0 }, &terms::PLIES),
    };

    let all = [
        (0, "Fixed", "The same depth everywhere"),
        (1, "By empty cells", "Deeper with fewer empty cells"),
        (
            2,
            "By tiles",
            "Deeper with more different tiles, as Xiao's solver does",
        ),
        (3, "By the limit", "As deep as time or nodes allow"),
    ];
    let offered = if is_limited { &all[..] } else { &all[..3] };
    let change = choice(ui, "Depth", &mut kind, offered, 124.0, term)?;

    search.plies = match kind {
        0 => Some(Plies::Fixed(plies)),
        1 => {
            let cells = size.cells() as u32;
            let deeper = |more: u32| (plies + more).min(Plies::DEEPEST);
            Some(Plies::ByEmpty(vec![
                (cells / 2, plies),
                (cells / 4, deeper(1)),
                (0, deeper(2)),
            ]))
        }
        2 => Some(Plies::ByDistinct {
            offset: -2,
            at_least: plies.div_ceil(2).min(3),
            at_most: Plies::DEEPEST,
        }),
        _ => None,
    };
    Some(change)
}

fn spawn_choice(ui: &mut Ui, search: &mut DepthLimited) -> Change {
    let all = [
        (
            SpawnValue::Mean,
            "Mean",
            "The mean over empty cells, 2 and 4 by their probabilities",
        ),
        (
            SpawnValue::Sum,
            "Sum",
            "The sum over empty cells, as in the tutorial's pseudocode",
        ),
        (
            SpawnValue::MinCell,
            "Worst cell",
            "The minimum over empty cells of the mean of 2 and 4",
        ),
        (
            SpawnValue::MeanOfMin,
            "Worst of each",
            "The mean over 2 and 4 of the minimum over empty cells",
        ),
    ];
    choice(
        ui,
        "Spawn node",
        &mut search.spawn,
        &all,
        88.0,
        &terms::SPAWN_NODE,
    )
}

fn dead_choice(ui: &mut Ui, search: &mut DepthLimited) -> Change {
    let all = [
        (Dead::Evaluate, "Evaluate", "The value of the evaluator"),
        (
            Dead::Zero,
            "Zero",
            "0; if all moves are worth less, the best one counts as 0",
        ),
        (
            Dead::Lost,
            "Lost",
            "−10,000, less than every board for evaluators that count in ranks",
        ),
    ];
    choice(
        ui,
        "Dead board",
        &mut search.dead,
        &all,
        88.0,
        &terms::DEAD_BOARD,
    )
}

/// Pairs of empty cells and plies, in descending order of cells.
fn by_empty(ui: &mut Ui, now: &mut Vec<(u32, u32)>, size: Size) -> Change {
    let (mut change, mut removed) = (None, None);
    let (cells, count) = (size.cells() as u32 - 1, now.len());
    for index in 0..count {
        let number = index + 1;
        // Each pair stays between its neighbors.
        let above = index
            .checked_sub(1)
            .map(|above| now[above].0.saturating_sub(1));
        let lowest = now.get(number).map_or(0, |below| below.0 + 1);
        let (at_least, plies) = &mut now[index];
        let range = lowest.min(*at_least)..=above.unwrap_or(cells).max(*at_least);
        ui.push_id(("step", index), |ui| {
            labelled(ui, "", |ui| {
                let name = format!("Empty cells of step {number}");
                change = number::change(&whole(ui, &name, at_least, range, " empty")).or(change);
                let name = format!("Plies of step {number}");
                change = number::change(&plies_field(ui, &name, plies)).or(change);
                if remove_button(
                    ui,
                    &format!("Remove step {number}"),
                    count,
                    "One step is needed",
                ) {
                    removed = Some(index);
                }
                about(ui, if index == 0 { "or more" } else { "" });
            });
        });
    }

    let (first, plies) = now.first().copied().unwrap_or((0, Plies::USUAL));
    let is_added = labelled(ui, "", |ui| {
        let full = "No board has more empty cells than the first step";
        let about = if first < cells {
            Ok("Another depth for boards with more empty cells")
        } else {
            Err(full)
        };
        Button::new("Add step")
            .icon(Icon::Plus)
            .quiet()
            .small()
            .show(ui, about)
            .clicked()
    });
    if is_added {
        now.insert(0, ((first + 2).min(cells), plies.saturating_sub(1).max(1)));
    } else {
        let Some(index) = removed else { return change };
        now.remove(index);
    }
    Some(false)
}

fn by_distinct(ui: &mut Ui, offset: &mut i32, at_least: &mut u32, at_most: &mut u32) -> Change {
    let shift = labelled(ui, "Tiles", |ui| {
        let drag = DragValue::new(offset).range(-25..=25).speed(0.03);
        let response = ui
            .add_sized(vec2(48.0, theme::CONTROL), drag)
            .accessible_name("Offset");
        about(ui, "added to the number of different tiles");
        number::change(&response)
    });
    let bounds = labelled(ui, "Moves", |ui| {
        let most = (Plies::DEEPEST / 2).min(*at_most);
        let least = number::change(&whole(ui, "At least", at_least, 0..=most, ""));
        beside(ui, "to");
        let most = number::change(&whole(
            ui,
            "At most",
            at_most,
            *at_least..=Plies::DEEPEST,
            "",
        ));
        about(ui, "after the first");
        most.or(least)
    });
    bounds.or(shift)
}

/// A limit in nodes or in time, on or off.
fn limit_ui(ui: &mut Ui, search: &mut DepthLimited, in_nodes: bool) -> Change {
    let change = if in_nodes {
        limit(
            ui,
            &mut search.nodes,
            "Nodes",
            20_000,
            " nodes",
            &terms::LIMIT_NODES,
        )
    } else {
        limit(
            ui,
            &mut search.time_ms,
            "Time",
            50,
            " ms",
            &terms::LIMIT_TIME,
        )
    };
    // Without a limit, the search needs a depth.
    if change.is_some()
        && search.nodes.is_none()
        && search.time_ms.is_none()
        && search.plies.is_none()
    {
        search.plies = Some(Plies::default());
    }
    change
}

/// Whether large tiles are halved before the search, and from which tile on.
fn downgrade_ui(ui: &mut Ui, search: &mut DepthLimited) -> Change {
    const USUAL: u64 = 32768;
    if terms::tip(
        chip(ui, "Halve large tiles", search.downgrade.is_some()),
        &terms::DOWNGRADE,
    )
    .clicked()
    {
        search.downgrade = search.downgrade.is_none().then_some(USUAL);
        return Some(false);
    }
    let tile = search.downgrade.as_mut()?;
    let about = "Boards with this tile or a larger one are searched with their large tiles halved";
    let mut all = vec![
        (16384, "16384", about),
        (USUAL, "32768", about),
        (65536, "65536", about),
    ];
    let own = tile.to_string();
    if all.iter().all(|(usual, ..)| usual != tile) {
        all.push((*tile, own.as_str(), about));
    }
    beside(ui, "from");
    choice(
        ui,
        "Smallest tile to halve",
        tile,
        &all,
        72.0,
        &terms::DOWNGRADE,
    )
}

/// The cuts of the search. Each is on or off, and shows its numbers while it is on.
fn cuts_ui(ui: &mut Ui, search: &mut DepthLimited, size: Size) -> Change {
    let bounds = |ui: &mut Ui, search: &mut _| {
        cut_chip(
            ui,
            search,
            "Alpha-beta cut",
            &terms::ALPHA_BETA,
            Cut::AlphaBeta,
        )
    };
    let cells = |ui: &mut Ui, search: &mut _| cells_ui(ui, search, size);
    // Alpha-beta cannot cut where spawns are averaged, but an existing cut can be removed.
    let offers_bounds = search.spawn == SpawnValue::Min || search.cuts.contains(&Cut::AlphaBeta);
    let worst = |ui: &mut Ui, search: &mut _| {
        cut_chip(
            ui,
            search,
            "Worst spawns",
            &terms::WORST_SPAWNS,
            Cut::WorstSpawns,
        )
    };
    let settings: &[Setting<'_, DepthLimited>] = match offers_bounds {
        true => &[
            ("Cuts", &bounds),
            ("", &worst),
            ("", &reach_ui),
            ("", &cells),
        ],
        false => &[("Cuts", &reach_ui), ("", &cells)],
    };

    // Important cells with their numbers get a line of their own.
    let has_cells = search
        .cuts
        .iter()
        .any(|cut| matches!(cut, Cut::ImportantCells { .. }));
    let (beside, below) = settings.split_at(settings.len() - usize::from(has_cells));
    let change = lines(ui, search, beside);
    lines(ui, search, below).or(change)
}

/// A chip that adds this cut, or removes the one of its kind.
fn cut_chip(ui: &mut Ui, search: &mut DepthLimited, name: &str, term: &Term, cut: Cut) -> Change {
    let is_it = |other: &Cut| discriminant(other) == discriminant(&cut);
    let on = search.cuts.iter().any(is_it);
    if !terms::tip(chip(ui, name, on), term).clicked() {
        return None;
    }
    search.cuts.retain(|other| !is_it(other));
    if !on {
        search.cuts.push(cut);
    }
    Some(false)
}

fn reach_ui(ui: &mut Ui, search: &mut DepthLimited) -> Change {
    let toggled = cut_chip(
        ui,
        search,
        "Reach below",
        &terms::REACH_CUT,
        Cut::Reach(0.0001),
    );
    let reach = search.cuts.iter_mut().find_map(|cut| {
        if let Cut::Reach(least) = cut {
            Some(least)
        } else {
            None
        }
    });
    let Some(least) = reach.filter(|_| toggled.is_none()) else {
        return toggled;
    };
    let speed = (*least * 0.01).max(1e-6);
    let drag = DragValue::new(least)
        .range(0.0..=1.0)
        .speed(speed)
        .max_decimals(8);
    number::change(
        &ui.add_sized(vec2(72.0, theme::CONTROL), drag)
            .accessible_name("Minimum reach"),
    )
}

fn cells_ui(ui: &mut Ui, search: &mut DepthLimited, size: Size) -> Change {
    let usual = Cut::ImportantCells {
        k: 4,
        weights: gradient(size),
    };
    let toggled = cut_chip(
        ui,
        search,
        "Important cells",
        &terms::IMPORTANT_CELLS,
        usual,
    );
    let cells = search.cuts.iter_mut().find_map(|cut| match cut {
        Cut::ImportantCells { k, weights } => Some((k, weights)),
        _ => None,
    });
    let Some((k, weights)) = cells.filter(|_| toggled.is_none()) else {
        return toggled;
    };

    let change = number::change(&whole(
        ui,
        "Maximum cells",
        k,
        1..=size.cells() as u32,
        " cells",
    ));
    let about = "Cells of larger weight matter more";
    let mut all: Vec<_> = presets(size)
        .map(|(preset, name)| (preset, name, about))
        .collect();
    if all.iter().all(|(preset, ..)| preset != weights) {
        all.push((weights.clone(), "custom", "Weights edited as text"));
    }
    if weights.check(size).is_err() {
        all.push((gradient(size), "fitted", "A gradient for this board"));
    }
    choice(
        ui,
        "Weights of cells",
        weights,
        &all,
        64.0,
        &terms::IMPORTANT_CELLS,
    )
    .or(change)
}
