//! Every export of the search tree is written and read back.

use std::path::Path;

use afterstate::search::{Rule, TreeFormat};
use afterstate::words;
use afterstate::workbench::App;
use afterstate::workbench::command::{
    Command, FileCommand, GameCommand, Panel, PictureFormat, Purpose, TreeCommand, ViewCommand,
    Workspace,
};
use afterstate::workbench::state::Thought;

use egui::accesskit::Role;
use egui_kittest::kittest::{NodeT as _, Queryable as _};

use crate::common::{Drive as _, Window, apply, document, open, paste};

fn open_searched(folder: &Path) -> Window {
    let mut window = open(folder);
    apply(&mut window, ViewCommand::Workspace(Workspace::Search));
    paste(&mut window, "2,4,8,16/0,0,0,0/0,4,0,0/0,0,0,2");
    paste(
        &mut window,
        "(name: \"a <b> & c\", criteria: [(evaluator: Snake, lookahead: Expectimax(plies: Fixed(3)))])",
    );
    assert_eq!(document(&window).thought(), Thought::Settled);
    apply(&mut window, ViewCommand::ShowPanel(Panel::Tree));
    window
}

fn app(window: &Window) -> &App {
    window.state().as_ref().expect("the window is open")
}

fn notices(window: &Window) -> Vec<String> {
    app(window).notices().texts().map(str::to_owned).collect()
}

fn save(window: &mut Window, purpose: Purpose, path: &Path) {
    apply(window, FileCommand::SaveTo(purpose, path.to_owned()));
    let name = path.display().to_string();
    assert!(
        notices(window).iter().any(|text| text.contains(&name)),
        "a word about the file"
    );
}

#[test]
fn the_record_is_written_with_every_node_that_is_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open_searched(folder.path());
    let tree = app(&window)
        .inspection()
        .shown()
        .expect("a tree")
        .tree
        .clone();

    for format in [TreeFormat::Json, TreeFormat::Csv, TreeFormat::Dot] {
        let path = folder.path().join("tree").with_extension(format.ending());
        save(&mut window, Purpose::SaveTree(format), &path);
        let text = std::fs::read_to_string(&path).expect("a file");
        let mut whole = Vec::new();
        tree.write(format, &mut whole).expect("memory takes it");
        assert_eq!(text.as_bytes(), whole);

        let nodes = match format {
            TreeFormat::Json => text
                .lines()
                .filter(|line| serde_json::from_str::<serde_json::Value>(line).is_ok())
                .count(),
            TreeFormat::Csv => csv::Reader::from_reader(text.as_bytes())
                .records()
                .filter(Result::is_ok)
                .count(),
            _ => text.lines().filter(|line| line.contains("[shape=")).count(),
        };
        assert_eq!(nodes, tree.kept());
        let notice = format!(
            "Saved {} to ",
            afterstate::words::plural(tree.kept() as u64, "node")
        );
        assert!(
            notices(&window)
                .iter()
                .any(|text| text.starts_with(&notice)),
            "{:?}",
            notices(&window)
        );
    }
}

#[test]
fn the_drawing_is_well_formed_and_says_what_is_shown() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open_searched(folder.path());
    let path = folder.path().join("tree.svg");
    save(
        &mut window,
        Purpose::SaveFigure(Panel::Tree, PictureFormat::Svg),
        &path,
    );
    let text = std::fs::read_to_string(&path).expect("a file");
    let mut open = Vec::new();

    // Tags close in order; texts contain no unescaped XML characters.
    for part in text.split('<').skip(1) {
        let (tag, between) = part.split_once('>').expect("a tag ends");
        assert!(
            !between.contains('>')
                && !between
                    .replace("&amp;", "")
                    .replace("&lt;", "")
                    .replace("&gt;", "")
                    .replace("&quot;", "")
                    .contains('&')
        );
        assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name));
        } else if !tag.ends_with('/') {
            open.push(tag.split_whitespace().next().expect("a name"));
        }
    }

    assert!(open.is_empty(), "{open:?}");
    assert!(
        text.starts_with("<svg xmlns=") && text.contains("<title>Tree of "),
        "{}",
        &text[..300]
    );
    assert!(
        text.contains("Expectimax of Snake") && text.contains("aria-label="),
        "what is shown has words"
    );
}

#[test]
fn a_path_that_cannot_be_written_is_one_sentence_and_no_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open_searched(folder.path());
    let missing = folder.path().join("missing");
    for purpose in [
        Purpose::SaveTree(TreeFormat::Json),
        Purpose::SaveFigure(Panel::Tree, PictureFormat::Svg),
    ] {
        let before = notices(&window).len();
        let path = missing.join(format!("{before}.x"));
        save(&mut window, purpose, &path);
        let refusals: Vec<String> = notices(&window)
            .into_iter()
            .filter(|text| text.contains("missing"))
            .collect();
        assert_eq!(
            refusals
                .iter()
                .filter(|text| text.contains(&path.display().to_string()))
                .count(),
            1,
            "{refusals:?}"
        );
        assert!(
            refusals
                .iter()
                .all(|text| text.contains("cannot be written") && !text.contains("os error")),
            "{refusals:?}"
        );
        assert!(!missing.exists());
    }
}

#[test]
fn the_board_of_the_selected_node_is_copied() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open_searched(folder.path());
    apply(&mut window, Command::Tree(TreeCommand::Child));
    apply(&mut window, Command::Tree(TreeCommand::CopyNode));
    assert!(
        notices(&window)
            .iter()
            .any(|text| text == "Position of the node copied")
    );
    let inspection = app(&window).inspection();
    let tree = &inspection.shown().expect("a tree").tree;
    let text = tree.node(inspection.selected()).board.to_string();
    assert_ne!(text, document(&window).board().to_string());
    assert!(text.parse::<afterstate::game::Board>().is_ok());
}

#[test]
fn an_exported_tree_is_opened_again_and_written_to_the_same_bytes() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open_searched(folder.path());
    let path = folder.path().join("tree.json");
    save(&mut window, Purpose::SaveTree(TreeFormat::Json), &path);
    let before = app(&window)
        .inspection()
        .shown()
        .expect("a tree")
        .tree
        .clone();

    // Search another board, then drop the file on the window.
    paste(&mut window, "2,2,0,0/0,0,0,0/0,4,0,0/0,0,0,2");
    assert_eq!(document(&window).thought(), Thought::Settled);
    apply(&mut window, FileCommand::OpenFiles(vec![path.clone()]));
    assert!(app(&window).inspection().is_opened());
    assert!(
        window
            .query_by_label_contains("Opened from tree.json")
            .is_some()
    );
    let shown = app(&window).inspection().shown().expect("a tree");
    assert_eq!(
        (shown.tree.subject(), shown.tree.counts, shown.tree.chosen),
        (before.subject(), before.counts, before.chosen)
    );
    assert!(shown.tree.check().is_sound());
    let again = folder.path().join("again.json");
    save(&mut window, Purpose::SaveTree(TreeFormat::Json), &again);
    assert_eq!(
        std::fs::read(&path).expect("a file"),
        std::fs::read(&again).expect("a file")
    );
    apply(&mut window, TreeCommand::CloseFile);
    assert!(!app(&window).inspection().is_opened());
    let board = document(&window).board();
    assert_eq!(
        app(&window)
            .inspection()
            .shown()
            .map(|shown| shown.tree.subject().board),
        Some(board)
    );

    // A truncated file is reported with the place of the error.
    let text = std::fs::read_to_string(&path).expect("a file");
    std::fs::write(&path, &text[..text.len() / 2]).expect("writable");
    apply(&mut window, FileCommand::OpenFiles(vec![path]));
    assert!(
        window
            .query_by_label_contains("✗ tree.json: line ")
            .is_some()
    );
    assert!(!app(&window).inspection().is_opened());
}

#[test]
fn a_node_of_an_opened_tree_is_opened_on_the_board() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open_searched(folder.path());
    let path = folder.path().join("tree.json");
    save(&mut window, Purpose::SaveTree(TreeFormat::Json), &path);
    paste(&mut window, "2,2,0,0/0,0,0,0/0,4,0,0/0,0,0,2");
    apply(&mut window, FileCommand::OpenFiles(vec![path]));
    assert!(app(&window).inspection().is_opened());
    let tree = app(&window)
        .inspection()
        .shown()
        .expect("a tree")
        .tree
        .clone();

    let has_its_search = |window: &Window| {
        let doc = document(window);
        app(window)
            .inspection()
            .search_of(doc, doc.cursor())
            .is_some()
    };
    assert!(!has_its_search(&window));
    apply(&mut window, TreeCommand::OpenOnBoard);
    assert_eq!(
        (document(&window).board(), document(&window).node().score),
        (tree.subject().board, tree.subject().score)
    );

    assert!(app(&window).inspection().is_opened() && has_its_search(&window));
    // Two plies on, by a move and a tile of the game.
    apply(&mut window, TreeCommand::Child);
    apply(&mut window, TreeCommand::Child);
    apply(&mut window, TreeCommand::OpenOnBoard);
    let selected = tree.node(app(&window).inspection().selected());
    let doc = document(&window);
    assert_eq!((doc.board(), doc.place()), (selected.board, 1));
    assert_eq!(
        doc.node().parent.map(|root| doc.tree().node(root).board),
        Some(tree.subject().board)
    );
}

#[test]
fn what_is_searched_on_stands_in_the_tree_until_it_is_taken_back() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open_searched(folder.path());
    paste(
        &mut window,
        "(name: \"cut\", criteria: [(evaluator: Snake, lookahead: Expectimax(plies: Fixed(4), cuts: [Reach(0.05)]))])",
    );

    assert_eq!(document(&window).thought(), Thought::Settled);
    let shown = |window: &Window| {
        app(window)
            .inspection()
            .shown()
            .expect("a tree")
            .tree
            .clone()
    };
    let before = shown(&window);
    let cut = before
        .ids()
        .find(|&id| before.rule(id) == Rule::TooImprobable)
        .expect("a cut");
    // The filter finds the first cut.
    apply(&mut window, TreeCommand::Find);
    window.event(egui::Event::Text("how:reach".to_owned()));
    window.settle();
    apply(&mut window, TreeCommand::NextMatch);
    assert_eq!(app(&window).inspection().selected(), cut);
    apply(&mut window, TreeCommand::SearchOn);
    assert_eq!(shown(&window).graft_count(), 1);
    let after = shown(&window);
    assert!(after.is_graft(cut) && 0 < after.kept_below(cut) && after.check().is_sound());
    assert_eq!(
        app(&window).inspection().selected(),
        cut,
        "it stays selected"
    );
    assert!(
        window
            .query_by_label_contains("1 added search is framed in this tree")
            .is_some()
    );
    apply(&mut window, TreeCommand::TakeBack);
    assert_eq!(
        (shown(&window).graft_count(), shown(&window).counts),
        (0, before.counts)
    );
    apply(&mut window, Command::Redo);
    assert_eq!(shown(&window), after, "it was taken back by undo");
    apply(&mut window, Command::Undo);
    apply(&mut window, TreeCommand::SearchUncut);
    assert!(
        window
            .query_by_label_contains(": the cuts changed ")
            .is_some()
    );
}

#[test]
fn what_is_searched_on_is_a_step_of_undo_among_the_others() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open_searched(folder.path());
    paste(
        &mut window,
        "(name: \"deep\", criteria: [(evaluator: Snake, lookahead: Expectimax(plies: Fixed(4)))])",
    );
    assert_eq!(document(&window).thought(), Thought::Settled);
    let shown = |window: &Window| {
        app(window)
            .inspection()
            .shown()
            .expect("a tree")
            .tree
            .clone()
    };
    let before = shown(&window);
    let strategies = document(&window).strategies().len();

    // The rectangles of the selected node and of the canvas.
    let selected = |window: &Window| {
        let mut items = window.query_all_by_role(Role::TreeItem);
        items
            .find(|node| node.accesskit_node().is_selected() == Some(true))
            .map(|node| node.rect())
    };

    let search_on = |window: &mut Window, place: usize| {
        let grafts = shown(window).graft_count();
        let at = app(window).inspection().selected();
        // A leaf far from the root.
        for _ in 0..4 {
            apply(window, TreeCommand::Child);
        }
        for _ in 0..place {
            apply(window, TreeCommand::NextSibling);
        }
        assert!(
            app(window).inspection().can(TreeCommand::SearchOn).is_ok(),
            "a leaf, not {at:?}"
        );
        let leaf = selected(window).expect("the leaf");
        apply(window, TreeCommand::SearchOn);
        assert_eq!(shown(window).graft_count(), grafts + 1);
        let (tree, node) = (shown(window), app(window).inspection().selected());
        assert!(tree.is_graft(node) && app(window).inspection().is_unfolded(node));
        let now = selected(window).expect("it is in sight");
        assert!(
            now.intersects(leaf.expand(160.0)),
            "{leaf:?} and then {now:?}"
        );
        node
    };
    let first = search_on(&mut window, 0);
    let from = format!("search deeper from node {}", before.order(first));
    assert_eq!(document(&window).undo_texts().0, Some(&*from));
    let with_one = shown(&window);
    apply(&mut window, TreeCommand::Root);
    let second = search_on(&mut window, 1);
    let with_two = shown(&window);
    // The effect of both, relative to the original search.
    let mv = with_two.links_to(second)[0];
    let worth = before
        .value(before.follow(&[mv]).expect("a move"))
        .expect("a value");
    let node = window
        .query_all_by_label_contains("2 added searches are framed in this tree")
        .next();
    let sentence = node
        .and_then(|node| node.accesskit_node().value())
        .expect("a sentence");
    assert!(sentence.contains(&words::decimals(worth, 1)), "{sentence}");
    // A move and back again: the tree of the same search, with its added searches.
    apply(&mut window, GameCommand::Step);
    assert_ne!(shown(&window).subject(), with_two.subject());
    assert_eq!(shown(&window).graft_count(), 0);
    for (tree, grafts) in [(&with_two, 2), (&with_one, 1), (&before, 0)] {
        apply(&mut window, Command::Undo);
        assert_eq!(shown(&window).graft_count(), grafts);
        assert_eq!(shown(&window).subject(), tree.subject());
        assert_eq!(shown(&window).kept(), tree.kept());
    }

    assert!(
        notices(&window).contains(&format!("Undone: {from}")),
        "{:?}",
        notices(&window)
    );
    assert_eq!(
        document(&window).strategies().len(),
        strategies,
        "nothing else was taken back"
    );
    apply(&mut window, Command::Redo);
    assert_eq!(shown(&window).graft_count(), 1);
    assert!(
        notices(&window).contains(&format!("Redone: {from}")),
        "{:?}",
        notices(&window)
    );
}
