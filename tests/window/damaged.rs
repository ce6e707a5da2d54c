//! A strategy with a damaged file: the window reports it, and nothing plays by it.

use std::path::Path;

use afterstate::network::{Encoding, Network, NetworkInfo, Shape};
use afterstate::workbench::command::GameCommand;
use afterstate::workbench::state::Thought;
use egui_kittest::kittest::Queryable as _;

use crate::common::{apply, document, open, paste, until};

/// A small network in a file, and the text of a strategy that uses it.
fn strategy(path: &Path) -> String {
    let shape: Shape = "0123 5a".parse().expect("a shape");
    let weights = (0..shape.weights())
        .map(|place| (place % 97) as f32)
        .collect();
    let network = Network::new(NetworkInfo::of(shape, None, Vec::new()), weights);
    network.write(path, Encoding::Whole).expect("writable");
    format!(
        "(name: \"n\", criteria: [(evaluator: Network({:?}))])",
        path.to_str().expect("UTF-8")
    )
}

#[test]
fn a_strategy_with_a_damaged_file_decides_and_plays_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("one.net");
    let text = strategy(&path);
    let mut bytes = std::fs::read(&path).expect("written");
    let place = bytes.len() - 40;
    bytes[place] ^= 4;
    std::fs::write(&path, &bytes).expect("writable");
    let mut window = open(folder.path());
    paste(&mut window, &text);
    let refused = |window: &_| match document(window).thought() {
        Thought::Impossible(reason) => reason,
        other => panic!("{other:?}"),
    };
    assert!(
        refused(&window).contains("one.net: this network is damaged"),
        "{}",
        refused(&window)
    );
    assert!(document(&window).decision().is_none());
    assert!(
        window
            .query_all_by_label_contains("one.net: this network is damaged")
            .next()
            .is_some()
    );
    let before = document(&window).node().moves;

    apply(&mut window, GameCommand::Step);
    assert_eq!(document(&window).node().moves, before);

    // Another copy is valid.
    strategy(&path);
    paste(&mut window, &text);
    until(&mut window, "it decides", |window| {
        document(window).decision().is_some()
    });
}
