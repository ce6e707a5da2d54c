//! The Orders panel agrees with the engine.

use std::time::Duration;

use afterstate::analysis::{Orders, Sample, Scope, confirm, orders, players};
use afterstate::strategy::{Decision, Player};
use afterstate::task::{CancelToken, Control};
use afterstate::workbench::App;
use afterstate::workbench::command::{Command, Panel, ViewCommand};
use egui::accesskit::Role;
use egui_kittest::kittest::Queryable as _;

use super::common::{Drive as _, Window, apply, document, open, paste};

fn app(window: &Window) -> &App {
    window.state().as_ref().expect("the window is open")
}

fn find(window: &mut Window) -> Orders {
    window.click("Find equal orders");
    app(window)
        .building()
        .ordering
        .found
        .clone()
        .expect("found")
        .found
        .orders
        .clone()
}

/// The result of the engine.
fn expected(window: &Window, scope: Scope) -> Orders {
    let (strategy, seed) = (document(window).strategy(), document(window).setup().seed);
    let (rules, stop) = (document(window).game().rules, CancelToken::new());
    let sample = Sample::of_several(
        &players(&strategy, rules),
        seed,
        10_000,
        Duration::from_secs(600),
        &stop,
    );
    orders(
        &strategy,
        rules,
        scope,
        &sample,
        30_000,
        &Control::quiet(&stop),
    )
    .expect("they can be compared")
}

#[test]
fn orders_of_letters_fall_into_the_groups_that_the_study_finds() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open(folder.path());
    paste(
        &mut window,
        "Strategy(name: \"emur\", criteria: [(evaluator: Empty), (evaluator: Monotonicity), (evaluator: Uniformity)])",
    );
    apply(&mut window, ViewCommand::ShowPanel(Panel::Orders));
    let found = find(&mut window);
    assert_eq!(found, expected(&window, Scope::Permutations));
    let groups = found.groups.len();
    assert!(1 < groups && groups <= 6, "{groups}");
    let said = match groups {
        6 => "3 rows: 6 orders all separated by 40,000 positions".to_owned(),
        _ => format!(
            "3 rows: 6 orders fall into {groups} groups; within a group not separated by 40,000 positions"
        ),
    };
    window.get_by_label(&said);
    let all: usize = found.groups.iter().map(|group| group.orders.len()).sum();
    assert_eq!(all, 6);

    // A group leads to a position where it differs.
    let (other, at) = (
        &found.groups[1],
        found.groups[1].differs_at.expect("it differs somewhere"),
    );
    let name = other.orders[0].text(&other.base);
    window.click(&format!("Show me where {name} differs"));
    assert_eq!(
        (document(&window).board(), document(&window).node().score),
        (at.board, at.score)
    );
    let own = Player::new(
        &document(&window).strategy(),
        document(&window).game().rules,
    );
    let theirs = Player::new(
        &other.orders[0].of(&other.base),
        document(&window).game().rules,
    );
    let choice = |player: &Player| Decision::now(player, &at.board, at.score, |_| 0).choice;
    assert_ne!(choice(&own), choice(&theirs));

    // Using its order is one step of undo.
    apply(&mut window, ViewCommand::ShowPanel(Panel::Orders));
    window.click(&format!("Use the order {name}"));
    assert_eq!(document(&window).strategy().letters(), Some(name.clone()));
    assert_eq!(document(&window).strategy().label(), name);
    apply(&mut window, Command::Undo);
    assert_eq!(document(&window).strategy().label(), "emur");
}

#[test]
fn four_letters_have_65_orders_and_games_confirm_a_group() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open(folder.path());
    let text = "Strategy(name: \"emugr\", criteria: [(evaluator: Empty), (evaluator: Monotonicity), (evaluator: Uniformity), (evaluator: Score)])";
    paste(&mut window, text);
    apply(&mut window, ViewCommand::ShowPanel(Panel::Orders));
    window.click_role(Role::RadioButton, "All subsets (Algorithm 3)");
    let found = find(&mut window);
    assert_eq!((found.orders, found.all), (65, 65));
    assert_eq!(found, expected(&window, Scope::Arrangements));
    assert!(found.groups.len() < 65, "{}", found.groups.len());
    let said = format!("4 rows: 65 orders fall into {} groups", found.groups.len());
    assert!(window.query_by_label_contains(&said).is_some());

    let group = found
        .groups
        .iter()
        .position(|group| 1 < group.orders.len())
        .expect("some are alike");
    window
        .get_by_label(&format!("Confirm on 200 shared games, group {}", group + 1))
        .click();
    let rules = document(&window).game().rules;
    let confirmation = confirm(
        &found.groups[group],
        rules,
        document(&window).setup().seed,
        200,
        &Control::default(),
    );
    assert_eq!(confirmation.parts.len(), 1, "games part them too");
    window.settle();
    assert!(window.query_by_label("✓ identical in 200 games").is_some());
    assert_eq!(
        app(&window)
            .building()
            .ordering
            .found
            .as_ref()
            .map(|compared| compared.found.orders.groups.len()),
        Some(found.groups.len())
    );
}
