//! The settings of a sampling search: the number of playouts, their policy and length, and the growth of a tree.

use egui::{DragValue, TextEdit, Ui, vec2};

use super::controls::{choice, limit, plies_field, whole};
use super::{Setting, about, beside, labelled, lines};
use crate::search::{Growth, Method, NodesBy, Playout, Plies, Policy, Sampled, Until, Worth};
use crate::workbench::kit::chip;
use crate::workbench::panels::builder::number::{self, Change};
use crate::workbench::terms::{self, Term};
use crate::workbench::theme;

/// Initial length of a limited playout, in moves.
const USUAL_MOVES: u32 = 20;
/// Initial policy in place of random moves.
const USUAL_POLICY: &str = "emr";
/// Initial lead of the best move for stopping early, in standard errors.
const USUAL_ERRORS: f64 = 2.0;

pub(super) fn ui(ui: &mut Ui, search: &mut Sampled) -> Change {
    let counts: [Setting<'_, Sampled>; 2] = [("Samples", &samples_ui), ("", &sure_ui)];
    // The means of a tree have no standard error, but an existing setting can be removed.
    let can_be_sure = !matches!(search.method, Method::Tree(_)) || search.sure_by.is_some();
    let mut change = lines(ui, search, &counts[..if can_be_sure { 2 } else { 1 }]);
    change = match &mut search.method {
        Method::Averaged { plies } => plies_ui(ui, plies),
        Method::Flat(playout) => playout_ui(ui, playout),
        Method::Tree(growth) => {
            let grown = growth_ui(ui, growth);
            playout_ui(ui, &mut growth.playout).or(grown)
        }
    }
    .or(change);

    let nodes: Setting<'_, Sampled> = ("Limit", &|ui, search| {
        limit(
            ui,
            &mut search.nodes,
            "Nodes",
            100_000,
            " nodes",
            &terms::LIMIT_NODES,
        )
    });
    let time = |ui: &mut Ui, search: &mut Sampled| {
        limit(
            ui,
            &mut search.time_ms,
            "Time",
            50,
            " ms",
            &terms::LIMIT_TIME,
        )
    };
    let seed: Setting<'_, Sampled> = ("Seed", &|ui, search| {
        let drag = DragValue::new(&mut search.seed).speed(0.1);
        let response = ui
            .add_sized(vec2(72.0, theme::CONTROL), drag)
            .accessible_name("Seed of the samples");
        let change = number::change(&response);
        terms::tip(response, &terms::SAMPLE_SEED);
        change
    });

    let grows = matches!(search.method, Method::Tree(_));
    if grows {
        lines(ui, search, &[nodes, ("", &time), seed])
    } else {
        lines(ui, search, &[("Limit", &time), seed])
    }
    .or(change)
}

/// Maximum number of samples.
fn samples_ui(ui: &mut Ui, search: &mut Sampled) -> Change {
    let mut samples = search.most_samples();
    let speed = (samples as f64 * 0.01).max(0.1);
    let suffix = if search.sample_word() == "search" {
        " searches"
    } else {
        " playouts"
    };
    let drag = DragValue::new(&mut samples)
        .range(1..=Sampled::MOST_SAMPLES)
        .speed(speed)
        .suffix(suffix);
    let response = ui
        .add_sized(vec2(128.0, theme::CONTROL), drag)
        .accessible_name("Samples");
    let change = number::change(&response);
    terms::tip(response, &terms::PLAYOUT);
    if samples != search.most_samples() {
        search.samples = Some(samples);
    }
    about(
        ui,
        if matches!(search.method, Method::Tree(_)) {
            "in total"
        } else {
            "for each move"
        },
    );
    change
}

/// Whether sampling stops once the best move is clear.
fn sure_ui(ui: &mut Ui, search: &mut Sampled) -> Change {
    if terms::tip(
        chip(ui, "Until sure", search.sure_by.is_some()),
        &terms::UNTIL_SURE,
    )
    .clicked()
    {
        search.sure_by = search.sure_by.is_none().then_some(USUAL_ERRORS);
        return Some(false);
    }
    let errors = search.sure_by.as_mut()?;
    let drag = DragValue::new(errors)
        .range(0.1..=100.0)
        .speed(0.02)
        .max_decimals(2)
        .suffix(" SE");
    number::change(
        &ui.add_sized(vec2(64.0, theme::CONTROL), drag)
            .accessible_name("Standard errors ahead"),
    )
}

fn plies_ui(ui: &mut Ui, plies: &mut Plies) -> Change {
    labelled(ui, "Plies", |ui| match plies {
        Plies::Fixed(fixed) => {
            let response = plies_field(ui, "Plies", fixed);
            let change = number::change(&response);
            terms::tip(response, &terms::PLIES);
            about(ui, &plies.text());
            change
        }
        _ => {
            about(ui, &plies.text());
            None
        }
    })
}

fn growth_ui(ui: &mut Ui, growth: &mut Growth) -> Change {
    let tree: Setting<'_, Growth> = ("Tree", &|ui, growth| {
        let all = [
            (
                NodesBy::ClosedLoop,
                "Closed loop",
                "A node for each board; spawns have their own nodes",
            ),
            (
                NodesBy::OpenLoop,
                "Open loop",
                "A node for each sequence of moves, whatever the spawns between them",
            ),
        ];
        choice(
            ui,
            "Nodes of the tree",
            &mut growth.nodes_by,
            &all,
            108.0,
            &terms::CLOSED_LOOP,
        )
    });
    let exploration: Setting<'_, Growth> = ("Exploration", &|ui, growth| {
        let drag = DragValue::new(&mut growth.exploration)
            .range(0.0..=1000.0)
            .speed(0.01)
            .max_decimals(3);
        let response = ui
            .add_sized(vec2(64.0, theme::CONTROL), drag)
            .accessible_name("Exploration");
        let change = number::change(&response);
        terms::tip(response, &terms::UCB);
        change
    });
    lines(ui, growth, &[tree, exploration])
}

fn playout_ui(ui: &mut Ui, playout: &mut Playout) -> Change {
    let settings: [Setting<'_, Playout>; 3] = [
        ("Policy", &policy_ui),
        ("Until", &until_ui),
        ("Value", &worth_ui),
    ];
    lines(ui, playout, &settings)
}

fn policy_ui(ui: &mut Ui, playout: &mut Playout) -> Change {
    let mut is_strategy = playout.policy != Policy::Random;
    let all = [
        (false, "Random", "All legal moves are equally likely"),
        (
            true,
            "Strategy",
            "A strategy as letters, such as emr, or as its RON text",
        ),
    ];
    if let Some(change) = choice(
        ui,
        "Policy",
        &mut is_strategy,
        &all,
        84.0,
        &terms::PLAYOUT_POLICY,
    ) {
        playout.policy = if is_strategy {
            Policy::Strategy(USUAL_POLICY.to_owned())
        } else {
            Policy::Random
        };
        return Some(change);
    }
    let Policy::Strategy(now) = &mut playout.policy else {
        return None;
    };

    // Half a text is no strategy, so it takes effect when the field loses the focus.
    let id = ui.make_persistent_id("policy");
    let mut text = ui
        .data(|data| data.get_temp::<String>(id))
        .unwrap_or_else(|| now.clone());
    let edit = ui.add_sized(
        vec2(84.0, theme::CONTROL),
        TextEdit::singleline(&mut text).id(id),
    );
    let edit = edit.accessible_name("Policy as letters or RON");
    if edit.has_focus() {
        ui.data_mut(|data| data.insert_temp(id, text));
        return None;
    }
    ui.data_mut(|data| data.remove_temp::<String>(id));
    if text == *now {
        return None;
    }
    *now = text;
    Some(false)
}

fn until_ui(ui: &mut Ui, playout: &mut Playout) -> Change {
    let mut is_limited = playout.until != Until::End;
    let all = [
        (false, "The end", "To the end of the game"),
        (true, "Moves", "After this many moves of the policy"),
    ];
    if let Some(change) = choice(ui, "Until", &mut is_limited, &all, 76.0, &terms::PLAYOUT) {
        playout.until = if is_limited {
            Until::Moves(USUAL_MOVES)
        } else {
            Until::End
        };
        return Some(change);
    }
    let Until::Moves(moves) = &mut playout.until else {
        return None;
    };
    number::change(&whole(
        ui,
        "Moves of a playout",
        moves,
        1..=100_000,
        " moves",
    ))
}

fn worth_ui(ui: &mut Ui, playout: &mut Playout) -> Change {
    let mut kind = match playout.of {
        Worth::Evaluator => 0,
        Worth::Score => 1,
        Worth::Reach(_) => 2,
    };
    let all = [
        (0, "Evaluator", "The row's evaluator for the last position"),
        (
            1,
            "Score",
            "The points at the end of the playout; the row's evaluator is not used",
        ),
        (
            2,
            "Reach",
            "1 if the playout makes the tile, else 0; the mean is a share",
        ),
    ];
    if let Some(change) = choice(
        ui,
        "Playout value",
        &mut kind,
        &all,
        84.0,
        &terms::PLAYOUT_WORTH,
    ) {
        playout.of = [Worth::Evaluator, Worth::Score, Worth::Reach(2048)][kind];
        return Some(change);
    }
    let Worth::Reach(tile) = &mut playout.of else {
        return None;
    };
    beside(ui, "tile");
    tile_choice(ui, "Tile to reach", tile, &terms::PLAYOUT_WORTH)
}

/// A drop-down of tiles.
pub(super) fn tile_choice(ui: &mut Ui, name: &str, tile: &mut u64, term: &Term) -> Change {
    let tiles: Vec<(u64, String)> = (5..=16)
        .map(|rank| (1 << rank, (1_u64 << rank).to_string()))
        .collect();
    let mut offered: Vec<(u64, &str, &str)> = tiles
        .iter()
        .map(|(tile, text)| (*tile, text.as_str(), "The tile to reach"))
        .collect();
    let own = tile.to_string();
    if offered.iter().all(|(other, ..)| other != tile) {
        offered.push((*tile, &own, "The tile to reach"));
    }
    choice(ui, name, tile, &offered, 72.0, term)
}
