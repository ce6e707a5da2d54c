//! How far a row looks: the kind of search, its depth, its limits, and what it leaves out.

use egui::{DragValue, Rect, Sense, Stroke, Ui, pos2, vec2};

use super::{Setting, about, beside, is_wide, labelled, lines};
use crate::evaluator::Weights;
use crate::game::Size;
use crate::search::{Cut, Dead, DepthLimited, Lookahead, NodeKind, Plies, SpawnValue};
use crate::workbench::icon::{Icon, icon_button};
use crate::workbench::kit::{Button, chip, drop_down, paint_node};
use crate::workbench::panels::builder::number::{self, Change};
use crate::workbench::panels::builder::weights::{gradient, presets};
use crate::workbench::terms::{self, Term};
use crate::workbench::theme::{self, Theme};

/// Draws the lookahead of a row.
pub(super) fn ui(ui: &mut Ui, now: &Lookahead, size: Size) -> Change<Lookahead> {
    let wide = is_wide(ui);
    let search = now.depth_limited();
    let mut change = labelled(ui, "Lookahead", |ui| {
        let kind = kinds(ui, now).map(|lookahead| (lookahead, false));
        match search {
            Some(search) if wide => kind.or(fixed_plies(ui, now, search)),
            Some(_) => kind,
            None => {
                about(ui, "the board after the slide itself");
                kind
            }
        }
    });
    let Some(search) = search else { return change };
    if !wide {
        change = labelled(ui, "Plies", |ui| fixed_plies(ui, now, search)).or(change);
    }
    let depth = |ui: &mut Ui| depth_kind(ui, search, size);
    let spawn = |ui: &mut Ui| spawn_choice(ui, search);
    let dead = |ui: &mut Ui| dead_choice(ui, search);
    let mut settings: Vec<Setting<'_, DepthLimited>> =
        vec![("Depth", &depth), ("Spawn node", &spawn), ("Dead board", &dead)];
    settings.retain(|(label, _)| search.spawn != SpawnValue::Min || *label != "Spawn node");
    let (beside_depth, below_depth) = settings.split_at(if wide { settings.len() } else { 1 });
    let changes = [
        lines(ui, beside_depth),
        depth_ui(ui, search, size),
        lines(ui, below_depth),
        lines(ui, &[("Limit", &|ui| limit_ui(ui, search, true)), ("", &|ui| limit_ui(ui, search, false))]),
        cuts_ui(ui, search, size),
    ];
    let changed = changes.into_iter().flatten().last();
    changed.map(|(search, ongoing)| (Lookahead::DepthLimited(search), ongoing)).or(change)
}

/// The numbers of a depth that is not the same everywhere.
fn depth_ui(ui: &mut Ui, search: &DepthLimited, size: Size) -> Change<DepthLimited> {
    let changed = match search.plies.as_ref()? {
        Plies::Fixed(_) => None,
        Plies::ByEmpty(steps) => by_empty(ui, steps, size).map(|(steps, ongoing)| (Plies::ByEmpty(steps), ongoing)),
        Plies::ByDistinct { offset, at_least, at_most } => by_distinct(ui, *offset, *at_least, *at_most),
    };
    changed.map(|(plies, ongoing)| (DepthLimited { plies: Some(plies), ..search.clone() }, ongoing))
}

/// A drop-down of what looks ahead; depth and cuts stay as far as they make sense.
fn kinds(ui: &mut Ui, now: &Lookahead) -> Option<Lookahead> {
    let mut chosen = None;
    let text = match now {
        Lookahead::OnePly => "One ply",
        _ if now.has_window() => "Alpha-beta",
        Lookahead::DepthLimited(_) => now.name(),
    };
    let combo = drop_down("Lookahead", text.to_owned(), 132.0).show_ui(ui, |ui| {
        let averages = || match now {
            Lookahead::DepthLimited(_) if !now.is_minimax() => now.clone(),
            _ => now.twin(),
        };
        let bounded = || if now.has_window() { now.clone() } else { averages().twin() };
        let unbounded = || {
            let mut search = bounded();
            if let Some(search) = search.depth_limited_mut() {
                search.cuts.retain(|cut| *cut != Cut::AlphaBeta);
            }
            search
        };
        let kinds: [(&str, &Term, &dyn Fn() -> Lookahead); 4] = [
            ("One ply", &terms::ONE_PLY, &|| Lookahead::OnePly),
            ("Expectimax", &terms::EXPECTIMAX, &averages),
            ("Minimax", &terms::MINIMAX, &unbounded),
            ("Alpha-beta", &terms::ALPHA_BETA, &bounded),
        ];
        for (text, term, lookahead) in kinds {
            let lookahead = lookahead();
            let response = ui.selectable_label(lookahead == *now, text);
            let clicked = response.clicked();
            terms::tip(response, term);
            if clicked && lookahead != *now {
                chosen = Some(lookahead);
            }
        }
    });
    terms::tip(combo.response.accessible_name("Lookahead"), terms::of_lookahead(now));
    chosen
}

/// The plies of a search of one depth, and what follows what in it.
fn fixed_plies(ui: &mut Ui, now: &Lookahead, search: &DepthLimited) -> Change<Lookahead> {
    let mut change = None;
    let fixed = match search.plies {
        Some(Plies::Fixed(plies)) => Some(plies),
        None if !now.deepens() => Some(Plies::USUAL),
        _ => None,
    };
    let Some(mut plies) = fixed else {
        about(ui, &now.depth_text());
        return None;
    };
    let drag = DragValue::new(&mut plies).range(1..=Plies::DEEPEST).speed(0.03).suffix(" plies");
    let response = ui.add_sized(vec2(72.0, theme::CONTROL), drag).accessible_name("Plies");
    if let Some(ongoing) = number::change(&response) {
        change = Some((now.with_plies(plies), ongoing));
    }
    terms::tip(response, &terms::PLIES);
    strip(ui, plies, search.spawn == SpawnValue::Min);
    about(ui, &now.depth_text());
    change
}

/// The kinds of nodes one below the other, as they follow each other in the search; deep ones end in dots.
fn strip(ui: &mut Ui, plies: u32, is_worst: bool) {
    const RADIUS: f32 = 8.0;
    const STEP: f32 = 26.0;
    const MOST: u32 = 7;
    let theme = Theme::of(ui);
    // The words behind it take some room; what does not fit is left to them.
    let fits = ((ui.available_width() - 110.0) / STEP) as u32;
    let shown = plies.min(MOST).min(fits.saturating_sub(1));
    if shown == 0 {
        return;
    }
    let dots = shown < plies;
    let count = shown + u32::from(dots) + 1;
    let (rect, response) = ui.allocate_exact_size(vec2(STEP * count as f32 - 6.0, theme::CONTROL), Sense::hover());
    let spawn = if is_worst { NodeKind::Min } else { NodeKind::Chance };
    let at = |index: u32| pos2(rect.left() + RADIUS + 1.0 + STEP * index as f32, rect.center().y);
    ui.painter().line_segment([at(0), at(count - 1)], Stroke::new(1.0, theme.line));
    for index in 0..count {
        let kind = match index {
            index if index + 1 == count => NodeKind::Leaf,
            index if index % 2 == 0 => NodeKind::Max,
            _ => spawn,
        };
        if dots && index == shown {
            let gap = Rect::from_center_size(at(index), vec2(14.0, 8.0));
            ui.painter().rect_filled(gap, 0, theme.bg2);
            for x in [-4.0, 0.0, 4.0] {
                ui.painter().circle_filled(at(index) + vec2(x, 0.0), 1.2, theme.text3);
            }
        } else {
            paint_node(ui.painter(), theme, kind, at(index), RADIUS, None);
        }
    }
    response.on_hover_text(format!(
        "{}: a slide of the player, a spawn and so on; the evaluator sees the leaf",
        crate::search::layers(plies)
    ));
}

/// A drop-down of a few values, each with its explanation.
fn choice<T: Clone + PartialEq>(
    ui: &mut Ui,
    name: &str,
    now: &T,
    all: &[(T, &str, &str)],
    width: f32,
    term: &Term,
) -> Option<T> {
    let mut chosen = None;
    let text = all.iter().find(|(value, ..)| value == now).map_or("", |(_, text, _)| text);
    let combo = drop_down(name, text, width).show_ui(ui, |ui| {
        for (value, text, about) in all {
            let on = value == now;
            if ui.selectable_label(on, *text).on_hover_text(*about).clicked() && !on {
                chosen = Some(value.clone());
            }
        }
    });
    terms::tip(combo.response.accessible_name(name), term);
    chosen
}

fn depth_kind(ui: &mut Ui, search: &DepthLimited, size: Size) -> Change<DepthLimited> {
    let fixed = || match search.plies {
        Some(Plies::Fixed(plies)) => plies,
        _ => Plies::USUAL,
    };
    let now = match search.plies {
        Some(Plies::Fixed(_)) => 0,
        None if search.time_ms.is_none() && search.nodes.is_none() => 0,
        Some(Plies::ByEmpty(_)) => 1,
        Some(Plies::ByDistinct { .. }) => 2,
        None => 3,
    };
    let mut all = vec![
        (0, "Fixed", "The same depth everywhere"),
        (1, "By empty cells", "Deeper where fewer cells are empty"),
        (2, "By tiles", "Deeper with more different tiles, as Xiao's solver does"),
    ];
    if search.time_ms.is_some() || search.nodes.is_some() {
        all.push((3, "By the limit", "As deep as time or nodes allow"));
    }
    let term = if now == 2 {
        &terms::BY_DISTINCT
    } else if now == 1 {
        &terms::BY_EMPTY
    } else {
        &terms::PLIES
    };
    let plies = match choice(ui, "Depth", &now, &all, 124.0, term)? {
        0 => Some(Plies::Fixed(fixed())),
        1 => {
            let cells = size.cells() as u32;
            let plies = fixed();
            let deeper = |more: u32| (plies + more).min(Plies::DEEPEST);
            Some(Plies::ByEmpty(vec![(cells / 2, plies), (cells / 4, deeper(1)), (0, deeper(2))]))
        }
        2 => Some(Plies::ByDistinct { offset: -2, at_least: fixed().div_ceil(2).min(3), at_most: Plies::DEEPEST }),
        _ => None,
    };
    Some((DepthLimited { plies, ..search.clone() }, false))
}

fn spawn_choice(ui: &mut Ui, search: &DepthLimited) -> Change<DepthLimited> {
    let all = [
        (SpawnValue::Mean, "Mean", "The mean over empty cells, 2 and 4 by their probabilities"),
        (SpawnValue::Sum, "Sum", "Added up over the empty cells, as the tutorial's pseudocode writes it"),
        (SpawnValue::MinCell, "Least cell", "The least over empty cells of the mean of 2 and 4"),
    ];
    let spawn = choice(ui, "Spawn node", &search.spawn, &all, 88.0, &terms::SPAWN_NODE)?;
    Some((DepthLimited { spawn, ..search.clone() }, false))
}

fn dead_choice(ui: &mut Ui, search: &DepthLimited) -> Change<DepthLimited> {
    let all = [
        (Dead::Evaluate, "Evaluate", "What the evaluator says"),
        (Dead::Zero, "Zero", "0, and the best of slides that are all worth less is raised to 0"),
    ];
    let dead = choice(ui, "Dead board", &search.dead, &all, 88.0, &terms::DEAD_BOARD)?;
    Some((DepthLimited { dead, ..search.clone() }, false))
}

/// A whole number between two others.
fn whole(ui: &mut Ui, name: &str, now: u32, range: std::ops::RangeInclusive<u32>, suffix: &str) -> Change<u32> {
    let mut value = now;
    let drag = DragValue::new(&mut value).range(range).speed(0.03).suffix(suffix.to_owned());
    let response = ui.add_sized(vec2(72.0, theme::CONTROL), drag).accessible_name(name);
    number::change(&response).map(|ongoing| (value, ongoing))
}

/// Pairs of empty cells and plies, from many cells to few.
fn by_empty(ui: &mut Ui, now: &[(u32, u32)], size: Size) -> Change<Vec<(u32, u32)>> {
    let mut change = None;
    let cells = size.cells() as u32 - 1;
    for (index, &(at_least, plies)) in now.iter().enumerate() {
        let number = index + 1;
        let with = |pair| {
            let mut steps = now.to_vec();
            steps[index] = pair;
            steps
        };
        ui.push_id(("step", index), |ui| {
            labelled(ui, "", |ui| {
                // Each pair stays between its neighbours.
                let highest = index.checked_sub(1).map_or(cells.max(at_least), |above| now[above].0.saturating_sub(1));
                let lowest = now.get(index + 1).map_or(0, |below| below.0 + 1);
                let name = format!("Empty cells of step {number}");
                let range = lowest.min(at_least)..=highest.max(at_least);
                if let Some((at_least, ongoing)) = whole(ui, &name, at_least, range, " empty") {
                    change = Some((with((at_least, plies)), ongoing));
                }
                let name = format!("Plies of step {number}");
                if let Some((plies, ongoing)) = whole(ui, &name, plies, 1..=Plies::DEEPEST, " plies") {
                    change = Some((with((at_least, plies)), ongoing));
                }
                let only = now.len() < 2;
                let reason = if only { "One step is needed" } else { "" };
                let cross = |ui: &mut Ui| icon_button(ui, Icon::Close, &format!("Remove step {number}"), reason);
                if ui.add_enabled_ui(!only, cross).inner.clicked() {
                    let mut steps = now.to_vec();
                    steps.remove(index);
                    change = Some((steps, false));
                }
                about(ui, if index == 0 { "at least so many" } else { "" });
            });
        });
    }
    labelled(ui, "", |ui| {
        let (first, plies) = now.first().copied().unwrap_or((0, Plies::USUAL));
        let more = ui.add_enabled(first < cells, Button::new("Add step").icon(Icon::Plus).quiet().small());
        if more.on_disabled_hover_text("No board has more empty cells than the first step").clicked() {
            let mut steps = now.to_vec();
            steps.insert(0, ((first + 2).min(cells), plies.saturating_sub(1).max(1)));
            change = Some((steps, false));
        }
    });
    change
}

fn by_distinct(ui: &mut Ui, offset: i32, at_least: u32, at_most: u32) -> Change<Plies> {
    let mut change = None;
    let most = Plies::DEEPEST / 2;
    labelled(ui, "Tiles", |ui| {
        let mut value = offset;
        let drag = DragValue::new(&mut value).range(-25..=25).speed(0.03);
        let response = ui.add_sized(vec2(48.0, theme::CONTROL), drag).accessible_name("Offset");
        if let Some(ongoing) = number::change(&response) {
            change = Some((Plies::ByDistinct { offset: value, at_least, at_most }, ongoing));
        }
        about(ui, "added to the number of different tiles");
    });
    labelled(ui, "Moves", |ui| {
        if let Some((at_least, ongoing)) = whole(ui, "At least", at_least, 0..=most.min(at_most), "") {
            change = Some((Plies::ByDistinct { offset, at_least, at_most }, ongoing));
        }
        beside(ui, "to");
        if let Some((at_most, ongoing)) = whole(ui, "At most", at_most, at_least..=Plies::DEEPEST, "") {
            change = Some((Plies::ByDistinct { offset, at_least, at_most }, ongoing));
        }
        about(ui, "after the first");
    });
    change
}

/// A limit in nodes or in time, which is on or off.
fn limit_ui(ui: &mut Ui, search: &DepthLimited, in_nodes: bool) -> Change<DepthLimited> {
    let (now, name, usual, suffix, term) = if in_nodes {
        (search.nodes, "Nodes", 20_000, " nodes", &terms::LIMIT_NODES)
    } else {
        (search.time_ms, "Time", 50, " ms", &terms::LIMIT_TIME)
    };
    let with = |limit: Option<u64>| {
        let mut search = search.clone();
        if in_nodes {
            search.nodes = limit;
        } else {
            search.time_ms = limit;
        }
        // Without a limit something has to say how deep.
        if search.nodes.is_none() && search.time_ms.is_none() && search.plies.is_none() {
            search.plies = Some(Plies::default());
        }
        search
    };
    let response = chip(ui, name, now.is_some());
    let clicked = response.clicked();
    terms::tip(response, term);
    if clicked {
        return Some((with(if now.is_some() { None } else { Some(usual) }), false));
    }
    let mut value = now?;
    let speed = (value as f64 * 0.01).max(0.1);
    let drag = DragValue::new(&mut value).range(1..=1_000_000_000_u64).speed(speed).suffix(suffix);
    let response = ui.add_sized(vec2(104.0, theme::CONTROL), drag).accessible_name(format!("Limit of {name}"));
    number::change(&response).map(|ongoing| (with(Some(value)), ongoing))
}

/// What is not searched: each cut is on or off, and has its numbers beside it while it is on.
fn cuts_ui(ui: &mut Ui, search: &DepthLimited, size: Size) -> Change<DepthLimited> {
    let toggled = |on: bool, cut: Cut| {
        let mut cuts = search.cuts.clone();
        if on {
            let kind = std::mem::discriminant(&cut);
            cuts.retain(|other| std::mem::discriminant(other) != kind);
        } else {
            cuts.push(cut);
        }
        Some((DepthLimited { cuts, ..search.clone() }, false))
    };
    let replaced = |cut: Cut, ongoing: bool| {
        let kind = std::mem::discriminant(&cut);
        let same = |other: &Cut| std::mem::discriminant(other) == kind;
        let cuts = search.cuts.iter().map(|other| if same(other) { cut.clone() } else { other.clone() }).collect();
        Some((DepthLimited { cuts, ..search.clone() }, ongoing))
    };
    let tip = |response: egui::Response, term: &Term| {
        let clicked = response.clicked();
        terms::tip(response, term);
        clicked
    };
    let reach = search.cuts.iter().find_map(|cut| if let Cut::Reach(least) = cut { Some(*least) } else { None });
    let cells = search.cuts.iter().find_map(|cut| match cut {
        Cut::ImportantCells { k, weights } => Some((*k, weights.clone())),
        _ => None,
    });
    let has_bounds = search.cuts.contains(&Cut::AlphaBeta);
    let bounds = |ui: &mut Ui| {
        let clicked = tip(chip(ui, "Alpha-beta cut", has_bounds), &terms::ALPHA_BETA);
        clicked.then(|| toggled(has_bounds, Cut::AlphaBeta)).flatten()
    };
    let reach_ui = |ui: &mut Ui| {
        if tip(chip(ui, "Reach below", reach.is_some()), &terms::REACH_CUT) {
            return toggled(reach.is_some(), Cut::Reach(0.0001));
        }
        let mut least = reach?;
        let speed = (least * 0.01).max(1e-6);
        let drag = DragValue::new(&mut least).range(0.0..=1.0).speed(speed).max_decimals(8);
        let response = ui.add_sized(vec2(72.0, theme::CONTROL), drag).accessible_name("Least reach");
        number::change(&response).and_then(|ongoing| replaced(Cut::Reach(least), ongoing))
    };
    let cells_ui = |ui: &mut Ui| {
        if tip(chip(ui, "Important cells", cells.is_some()), &terms::IMPORTANT_CELLS) {
            let weights = if size == Size::FOUR { Weights::A } else { gradient(size) };
            return toggled(cells.is_some(), Cut::ImportantCells { k: 4, weights });
        }
        let (k, weights) = cells.clone()?;
        let mut found = None;
        if let Some((k, ongoing)) = whole(ui, "Most cells", k, 1..=size.cells() as u32, " cells") {
            found = replaced(Cut::ImportantCells { k, weights: weights.clone() }, ongoing);
        }
        let about = "Cells of larger weight matter more";
        let mut all: Vec<_> = presets(size).map(|(preset, name)| (preset, name, about)).collect();
        if all.iter().all(|(preset, ..)| *preset != weights) {
            all.push((weights.clone(), "own", "Weights that are written as text"));
        }
        if weights.check(size).is_err() {
            all.push((gradient(size), "fitting", "A gradient for this board"));
        }
        if let Some(weights) = choice(ui, "Weights of cells", &weights, &all, 64.0, &terms::IMPORTANT_CELLS) {
            found = replaced(Cut::ImportantCells { k, weights }, false);
        }
        found
    };
    // Bounds are of no use where spawns are averaged; what stands there can be taken away.
    let offers_bounds = search.spawn == SpawnValue::Min || has_bounds;
    let settings: &[Setting<'_, DepthLimited>] = match offers_bounds {
        true => &[("Cuts", &bounds), ("", &reach_ui), ("", &cells_ui)],
        false => &[("Cuts", &reach_ui), ("", &cells_ui)],
    };
    // With its numbers the last one has a line of its own.
    let (beside, below) = settings.split_at(settings.len() - usize::from(cells.is_some()));
    let change = lines(ui, beside);
    lines(ui, below).or(change)
}
