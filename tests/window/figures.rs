//! Figures for print: every panel as PDF, SVG and PNG, with the requested width and without external fonts.

use std::path::Path;

use afterstate::workbench::command::{
    CompareCommand, Panel, PictureFormat, StrategyCommand, TreeView, ViewCommand,
};
use afterstate::workbench::state::figure::{Crop, FigureOptions};
use afterstate::workbench::{FigureOrder, Options, draw_figure};

use egui_kittest::kittest::{NodeT as _, Queryable as _};

use crate::common::{Drive as _, apply, keep_session, open, open_with, paste, until};

/// A position, and a strategy with a name too long for any line.
fn files(folder: &Path) -> Vec<std::path::PathBuf> {
    let (position, strategy) = (folder.join("position.txt"), folder.join("strategy.ron"));
    std::fs::write(&position, "2,4,8,16/0,0,0,0/0,4,0,0/0,0,0,2").expect("written");
    let name = "a strategy whose name is so long that it has room on no line of a figure of one column of a paper";
    let search = "(evaluator: Snake, lookahead: Expectimax(plies: Fixed(3)))";
    std::fs::write(
        &strategy,
        format!("(name: \"{name}\", criteria: [{search}])"),
    )
    .expect("written");
    vec![strategy, position]
}

fn order(folder: &Path, panel: Panel, figure: FigureOptions) -> FigureOrder {
    let window = Options {
        config_dir: Some(folder.join("config")),
        files: files(folder),
        ..Options::default()
    };
    FigureOrder {
        panel,
        view: None,
        plot: None,
        figure,
        caption: None,
        spawn_map: true,
        window,
    }
}

fn drawn(order: FigureOrder) -> Vec<u8> {
    draw_figure(order, || false).expect("a figure")
}

fn svg(order: FigureOrder) -> String {
    String::from_utf8(drawn(order)).expect("text")
}

/// The number after `key="` in an element.
fn number(element: &str, key: &str) -> Option<f64> {
    let rest = element.split_once(&format!(" {key}=\""))?.1;
    rest.split_once('"')?.0.trim_end_matches("mm").parse().ok()
}

/// The texts of an SVG: the element of each, with its letters as shapes.
fn texts(svg: &str) -> impl Iterator<Item = &str> {
    svg.lines()
        .filter_map(|line| line.find("<g aria-label=\"").map(|start| &line[start..]))
}

/// The words of an element of [`texts`].
fn said(text: &str) -> &str {
    text.split('"').nth(1).unwrap_or_default()
}

/// The start of a letter on its baseline: the first, or the last one.
fn letter(text: &str, is_last: bool) -> Option<[f64; 2]> {
    let mut letters = text.split("translate(").skip(1);
    let place = if is_last {
        letters.last()
    } else {
        letters.next()
    }?;
    let [x, y] = [0, 1].map(|part| {
        place
            .split([' ', ')'])
            .nth(part)
            .and_then(|side| side.parse().ok())
    });
    Some([x?, y?])
}

fn options(format: PictureFormat) -> FigureOptions {
    FigureOptions {
        format,
        ..FigureOptions::default()
    }
}

#[test]
fn every_panel_is_drawn_as_wide_as_asked_and_needs_nothing_from_elsewhere() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open_with(folder.path(), [1600.0, 1000.0], files(folder.path()));
    let app = window.state_mut().as_mut().expect("open");
    // Results are of a run, not of these files.
    for panel in Panel::all().filter(|&panel| panel != Panel::Results) {
        let text = app
            .draw(panel, &options(PictureFormat::Svg))
            .expect("a figure");
        let text = String::from_utf8(text).expect("text");
        let root = text.split_once('>').expect("an element").0;
        assert_eq!(number(root, "width"), Some(85.0), "{panel:?}: {root}");
        assert!(
            (5.0..=1000.0).contains(&number(root, "height").expect("a height")),
            "{panel:?}: {root}"
        );
        // Letters are shapes in the file itself; the only links are to shapes.
        let bare = text.replacen("http://www.w3.org/2000/svg", "", 1).replacen(
            "http://www.w3.org/1999/xlink",
            "",
            1,
        );
        assert!(
            !bare.contains("http") && !bare.contains("font-family") && !bare.contains("<text"),
            "{panel:?}"
        );
        let outside = bare
            .split("xlink:href=\"")
            .skip(1)
            .find(|link| !link.starts_with('#'));
        assert_eq!(outside, None, "{panel:?}");
        assert!(
            bare.contains("aria-label=") && bare.contains("<path id=\"letter"),
            "{panel:?}"
        );
        assert!(
            bare.contains(&format!("Afterstate {}", env!("CARGO_PKG_VERSION"))),
            "{panel:?}"
        );
    }
}

#[test]
fn a_pdf_has_its_page_and_its_fonts_and_a_png_its_pixels_to_the_inch() {
    let folder = tempfile::tempdir().expect("a folder");
    for (width, points) in [(85.0, 240.94), (170.0, 481.89)] {
        let figure = FigureOptions {
            width,
            ..options(PictureFormat::Pdf)
        };
        let file = drawn(order(folder.path(), Panel::Decision, figure));
        let text = String::from_utf8_lossy(&file);
        assert!(text.starts_with("%PDF-"));
        let page = text.split_once("/MediaBox").expect("a page").1;
        let sides: Vec<f64> = page
            [page.find('[').expect("a list") + 1..page.find(']').expect("its end")]
            .split_whitespace()
            .map(|side| side.parse().expect("a number"))
            .collect();
        assert!((sides[2] - points).abs() < 0.01, "{sides:?}");
        assert!(text.contains("/FontFile2"), "the fonts are in the file");
        assert!(text.contains("IBMPlexSans"), "those of the window");
    }

    for dpi in [150, 300] {
        let figure = FigureOptions {
            dpi,
            ..options(PictureFormat::Png)
        };
        let file = drawn(order(folder.path(), Panel::Why, figure));
        let width = image::load_from_memory(&file).expect("a picture").width();
        assert_eq!(width, (85.0 / 25.4 * f64::from(dpi)).round() as u32);
        let physical = file
            .windows(4)
            .position(|name| name == b"pHYs")
            .expect("its size");
        let per_metre = u32::from_be_bytes(
            file[physical + 4..physical + 8]
                .try_into()
                .expect("four bytes"),
        );
        assert_eq!(per_metre, (f64::from(dpi) / 0.0254).round() as u32);
    }
}

#[test]
fn text_stays_within_the_page_and_the_caption_says_what_is_drawn() {
    let folder = tempfile::tempdir().expect("a folder");
    for (panel, view) in [
        (Panel::Tree, Some(TreeView::Tree)),
        (Panel::Tree, Some(TreeView::Icicle)),
        (Panel::Tree, Some(TreeView::Plies)),
        (Panel::Why, None),
        (Panel::Board, None),
        (Panel::Decision, None),
        (Panel::Strategy, None),
    ] {
        let figure = options(PictureFormat::Svg);
        let text = svg(FigureOrder {
            view,
            ..order(folder.path(), panel, figure)
        });
        let root = text.split_once('>').expect("an element").0;
        let sides = root
            .split_once("viewBox=\"")
            .expect("a box")
            .1
            .split_once('"')
            .expect("its end")
            .0;
        let right: f64 = sides
            .split(' ')
            .nth(2)
            .expect("a width")
            .parse()
            .expect("a number");
        let mut is_clipped = false;
        for line in text.lines() {
            is_clipped = (is_clipped || line.contains("<g clip-path")) && line != "</g>";
            let is_upright = line.starts_with("<g aria-label")
                && !line.split('>').next().unwrap_or("").contains("rotate");
            if !is_clipped && is_upright {
                let is_within = letter(line, true).is_none_or(|[x, _]| x < right);
                assert!(is_within, "{panel:?} {view:?} is {right} wide: {line}");
            }
        }
        let said: String = texts(&text).map(said).collect();
        if panel == Panel::Tree {
            for part in ["Expectimax", "3 plies", "Afterstate"] {
                assert!(said.contains(part), "{part} is missing below {view:?}");
            }
        }
        // A caption is the same in each panel: one of them is drawn without.
        if panel == Panel::Board {
            let silent = FigureOptions {
                caption: false,
                ..options(PictureFormat::Svg)
            };
            let silent = svg(FigureOrder {
                view,
                ..order(folder.path(), panel, silent)
            });
            assert!(
                silent.len() < text.len(),
                "{panel:?}: without its caption it is shorter"
            );
        }
    }
}

#[test]
fn words_of_the_window_are_in_no_figure_and_nothing_is_cut_off() {
    let folder = tempfile::tempdir().expect("a folder");
    let shown = |panel: Panel, view: Option<TreeView>, width: f32| {
        let figure = FigureOptions {
            width,
            ..options(PictureFormat::Svg)
        };
        svg(FigureOrder {
            view,
            ..order(folder.path(), panel, figure)
        })
    };

    let why = shown(Panel::Why, None, 85.0);
    assert!(
        why.contains(" smaller\"") && why.contains("aria-label=\"sum +"),
        "{why}"
    );
    assert!(!why.contains("click"), "{why}");
    let icicle = shown(Panel::Tree, Some(TreeView::Icicle), 85.0);
    assert!(icicle.contains("Width: probability"), "{icicle}");
    assert!(
        !icicle.contains("Scroll") && !icicle.contains("zoom"),
        "{icicle}"
    );

    for width in [85.0, 170.0] {
        let lines = shown(Panel::BestPlay, None, width);
        let mut clipped = lines
            .split("<g clip-path")
            .skip(1)
            .filter_map(|group| group.split("\n</g>").next());
        assert!(
            clipped.all(|group| !group.contains("aria-label")),
            "{width} mm: {lines}"
        );
        // Values are readable at every width.
        let tree = shown(Panel::Tree, Some(TreeView::Tree), width);
        let values = texts(&tree)
            .map(said)
            .filter(|text| text.parse::<f64>().is_ok() && text.contains('.'))
            .count();
        assert!(4 <= values, "{width} mm has {values} values: {tree}");
    }
}

#[test]
fn below_the_selection_there_is_less_than_in_the_whole() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open(folder.path());
    paste(&mut window, "2,4,8,16/0,0,0,0/0,4,0,0/0,0,0,2");
    let search =
        "(name: \"deep\", criteria: [(evaluator: Snake, lookahead: Expectimax(plies: Fixed(3)))])";
    apply(
        &mut window,
        StrategyCommand::Open(Box::new(search.parse().expect("a strategy"))),
    );
    apply(&mut window, ViewCommand::ShowPanel(Panel::Tree));
    until(&mut window, "a tree", |window| {
        window
            .state()
            .as_ref()
            .expect("open")
            .inspection()
            .shown()
            .is_some_and(|shown| 100 < shown.tree.kept())
    });

    let labels = |window: &mut crate::common::Window, crop: Crop| {
        let figure = FigureOptions {
            crop,
            width: 170.0,
            caption: false,
            ..options(PictureFormat::Svg)
        };
        let app = window.state_mut().as_mut().expect("open");
        let text =
            String::from_utf8(app.draw(Panel::Tree, &figure).expect("a figure")).expect("text");
        texts(&text).count()
    };
    let whole = labels(&mut window, Crop::Whole);

    // A node two plies down.
    for _ in 0..2 {
        apply(
            &mut window,
            afterstate::workbench::command::TreeCommand::Child,
        );
    }
    let selection = labels(&mut window, Crop::Selection);
    assert!(
        0 < selection && selection < whole,
        "{selection} of {whole} texts"
    );
}

#[test]
fn the_dialog_shows_what_will_be_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open(folder.path());
    paste(&mut window, "2,4,8,16/0,0,0,0/0,4,0,0/0,0,0,2");
    apply(&mut window, ViewCommand::Figure(Some(Panel::Board)));
    window.get_by_label("Save figure of board");

    until(&mut window, "the figure", |window| {
        window.query_by_label("Figure of board").is_some()
    });
    window.get_by_label_contains("85 × ");
    window.click("2 columns");
    window.get_by_label_contains("170 × ");
    window.click("PNG");
    window.get_by_label_contains("2008 × ");

    window.click("Cancel");
    assert!(window.query_by_label("Save figure of board").is_none());
}

/// The figure dialog over the board, with options from the settings file.
fn dialog(figure: &str) -> (tempfile::TempDir, crate::common::Window) {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(
        folder.path().join("settings.ron"),
        format!("(version: 1, judge_in_background: false, figure: ({figure}))"),
    )
    .expect("written");
    let mut window = open(folder.path());
    apply(&mut window, ViewCommand::Figure(Some(Panel::Board)));
    (folder, window)
}

#[test]
fn the_dialog_refuses_what_has_no_room_and_shows_a_page_much_higher_than_wide() {
    let is_refused = |window: &crate::common::Window| {
        window
            .get_by_label("Save this figure")
            .accesskit_node()
            .is_disabled()
    };
    let (_folder, window) = dialog("width: 20.0, text: 12.0");
    window.get_by_label_contains("does not fit in");
    assert!(is_refused(&window));
    let (_folder, mut window) = dialog("width: 50.0, height: Some(1000.0), text: 8.0");
    until(&mut window, "the figure", |window| {
        window.query_by_label("Figure of board").is_some()
    });
    window.get_by_label_contains("50 × 10");
    assert!(!is_refused(&window));
}

#[test]
fn of_two_searches_beside_each_other_the_caption_names_both_and_the_selection_is_a_part() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open(folder.path());
    paste(&mut window, "2,4,8,16/0,0,0,0/0,4,0,0/0,0,0,2");
    for (name, plies) in [("the other", 2), ("the first", 3)] {
        let search = format!(
            "(name: \"{name}\", criteria: [(evaluator: Snake, lookahead: Expectimax(plies: Fixed({plies})))])"
        );
        apply(
            &mut window,
            StrategyCommand::Open(Box::new(search.parse().expect("a strategy"))),
        );
    }

    apply(&mut window, ViewCommand::ShowPanel(Panel::Tree));
    let strategies = crate::common::document(&window).strategies();
    let other = strategies
        .iter()
        .position(|strategy| strategy.label() == "the other")
        .expect("open");
    apply(&mut window, CompareCommand::With(Some(other)));
    until(&mut window, "both trees", |window| {
        crate::common::document(window).is_baseline_settled()
    });
    let drawn = |window: &mut crate::common::Window, crop: Crop| {
        let figure = FigureOptions {
            crop,
            width: 170.0,
            ..options(PictureFormat::Svg)
        };
        let app = window.state_mut().as_mut().expect("open");
        String::from_utf8(app.draw(Panel::Tree, &figure).expect("a figure")).expect("text")
    };
    let whole = drawn(&mut window, Crop::Whole);
    let said: String = texts(&whole).map(said).collect();
    for part in [
        "of the first: ",
        "compared with the other: ",
        "3 plies",
        "2 plies",
    ] {
        assert!(said.contains(part), "{part} is missing: {said}");
    }

    apply(
        &mut window,
        afterstate::workbench::command::TreeCommand::Child,
    );
    let rows = |text: &str| texts(text).count();
    let selection = drawn(&mut window, Crop::Selection);
    assert!(
        selection.contains("below the"),
        "the caption says what it is below"
    );
    assert!(
        rows(&selection) < rows(&whole),
        "{} of {}",
        rows(&selection),
        rows(&whole)
    );
    window.settle();
    assert_eq!(
        rows(&drawn(&mut window, Crop::Whole)),
        rows(&whole),
        "the window shows what it showed"
    );
}

#[test]
fn a_plot_of_a_set_height_keeps_the_numbers_of_its_axis() {
    for plot in ["Histogram", "ECDF", "Box", "Paired"] {
        keeps_the_numbers_of_its_axis(plot);
    }
}

fn keeps_the_numbers_of_its_axis(plot: &str) {
    let folder = tempfile::tempdir().expect("a folder");
    let view =
        format!("(version: 1, judge_in_background: false, experiment: (plot: Some(\"{plot}\")))");
    std::fs::write(folder.path().join("settings.ron"), view).expect("written");
    keep_session(folder.path(), 200);
    let mut window = open(folder.path());
    until(&mut window, "a run", |window| {
        let state = crate::common::document(window).last_run().state();
        state.is_some_and(afterstate::experiment::State::has_ended)
    });

    let figure = FigureOptions {
        height: Some(40.0),
        caption: false,
        ..options(PictureFormat::Svg)
    };
    let app = window.state_mut().as_mut().expect("open");
    let text =
        String::from_utf8(app.draw(Panel::Experiment, &figure).expect("a figure")).expect("text");
    let bottom = f64::from(40.0 * figure.layout_scale());
    let numbers = texts(&text).filter(|line| said(line).starts_with(|c: char| c.is_ascii_digit()));
    let places = numbers.filter_map(|line| letter(line, false).map(|[_, y]| y));
    let places: Vec<f64> = places.filter(|&y| y <= bottom + 4.0).collect();
    let beside = |y: f64| {
        places
            .iter()
            .filter(|&&other| (other - y).abs() < 0.1)
            .count()
    };
    assert!(
        places.iter().any(|&y| bottom * 0.75 < y && 3 <= beside(y)),
        "{plot}, of {bottom}: {places:?}"
    );
}
