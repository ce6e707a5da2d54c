//! CPU time of a frame: each panel alone, and the whole workbench while a batch runs.
//!
//! Prints the median and the 90th percentile of the thread's own CPU time, independent of other work on the computer,
//! and fails if they exceed the budget: 8 ms for a panel, 12 ms for the whole window. Painting by the graphics driver
//! is not included.
//!
//! ```text
//! cargo bench --bench frames
//! cargo bench --bench frames -- millions         10 million games, with the memory they take
//! cargo bench --bench frames -- review panels    several parts: millions, review, panels, window, trees
//! ```

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use afterstate::experiment::{Decided, Play, Run};
use afterstate::game::{Board, Cell, GameSeed, Notes, Rank, Record, Rules, Seed, Spawn, Step};
use afterstate::strategy::{Finish, Outcome};
use afterstate::task::{CancelToken, cpu_time};
use afterstate::workbench::command::{
    Commands, ExperimentCommand, FileCommand, Panel, ReviewCommand, TreeCommand, TreeView,
    Workspace,
};
use afterstate::workbench::panels::{Panels, TreeLayout};
use afterstate::workbench::state::effect::Effects;
use afterstate::workbench::state::{Document, Surroundings};
use afterstate::workbench::theme::ThemeChoice;
use afterstate::workbench::{App, Options};
use egui::{
    CentralPanel, Context, Event, Modifiers, MouseWheelSource, MouseWheelUnit, RawInput, Rect,
    TouchPhase, Ui, Vec2, pos2,
};
use strum::IntoEnumIterator as _;

/// Warm-up frames, and measured frames.
const WARM_UP: usize = 20;
const FRAMES: usize = 200;
/// Milliseconds of CPU.
const PANEL_BUDGET: f64 = 8.0;
const WINDOW_BUDGET: f64 = 12.0;

/// The workspace made for a panel, in which it shows most.
fn workspace_of(panel: Panel) -> Workspace {
    Workspace::iter()
        .find(|workspace| workspace.main() == panel)
        .unwrap_or_default()
}

fn cpu_ms() -> f64 {
    cpu_time().as_secs_f64() * 1e3
}

/// Frames of all measurements: the clock must not go back, or a smoothed mouse wheel jumps.
static FRAME: AtomicU64 = AtomicU64::new(0);

/// Draws frames with a moving pointer and returns median and 90th percentile in milliseconds.
fn measure(ctx: &Context, size: Vec2, frame: impl FnMut(&mut Ui)) -> (f64, f64) {
    measure_with(ctx, size, |_| Vec::new(), frame)
}

/// The same with additional events in each frame.
fn measure_with(
    ctx: &Context,
    size: Vec2,
    mut more: impl FnMut(usize) -> Vec<Event>,
    mut frame: impl FnMut(&mut Ui),
) -> (f64, f64) {
    let mut times = Vec::new();
    for number in 0..WARM_UP + FRAMES {
        let at = pos2(
            size.x * (0.1 + 0.8 * (number % 50) as f32 / 50.0),
            size.y * 0.4,
        );
        let mut events = vec![Event::PointerMoved(at)];
        events.extend(more(number));
        let input = RawInput {
            screen_rect: Some(Rect::from_min_size(pos2(0.0, 0.0), size)),
            time: Some(FRAME.fetch_add(1, Ordering::Relaxed) as f64 / 60.0),
            events,
            ..RawInput::default()
        };
        let start = cpu_ms();
        let mut output = ctx.run_ui(input, &mut frame);
        output.textures_delta.clear();
        let _meshes = ctx.tessellate(output.shapes, output.pixels_per_point);
        if WARM_UP <= number {
            times.push(cpu_ms() - start);
        }
    }

    times.sort_by(f64::total_cmp);
    (times[times.len() / 2], times[times.len() * 9 / 10])
}

/// A window with the dark theme, and a separate document in which nothing is open.
fn nothing_open(folder: &Path) -> (Context, App, Document) {
    let ctx = Context::default();
    let app = App::new(
        &ctx,
        Options {
            config_dir: Some(folder.to_owned()),
            theme: Some(ThemeChoice::Dark),
            ..Options::default()
        },
    );
    let document = Document::new(Surroundings {
        wake: Arc::new(|| {}),
        wake_at_once: Arc::new(|| {}),
        config_dir: None,
        runs: None,
        threads: None,
        autoplay_speed: 8.0,
        record_cap: afterstate::workbench::state::RECORD_CAP,
        search_threads: None,
        judge_in_background: false,
    });

    (ctx, app, document)
}

/// A search of this many plies with everything unfolded, alone in its panel: panned and zoomed every frame, at several
/// scales.
fn tree(folder: &Path, plies: u32, report: &mut impl FnMut(&str, (f64, f64), f64)) {
    let size = Vec2::new(1600.0, 1000.0);
    let (ctx, _app, mut document) = nothing_open(folder);
    let mut effects = Effects::default();
    let strategy =
        format!("(criteria: [(evaluator: Snake, lookahead: Expectimax(plies: Fixed({plies})))])");
    let (position, strategy) = (
        written(folder, "position.txt", BOARD),
        written(folder, "strategy.ron", &strategy),
    );
    document.apply(&FileCommand::OpenFiles(vec![position, strategy]).into());
    let mut panels = Panels::default();
    let late = Instant::now() + Duration::from_secs(300);
    while document.decision().is_none() {
        assert!(Instant::now() < late, "the search takes too long");
        let _ = document.poll(&mut effects);
        std::thread::sleep(Duration::from_millis(5));
    }

    let start = cpu_ms();
    panels.inspection.follow(&document);
    let opening = cpu_ms() - start;
    panels.request_of_tree(TreeCommand::UnfoldAll, &document, &mut Commands::default());
    let inspection = &panels.inspection;
    let record = inspection.shown().expect("a tree").tree.clone();
    let start = Instant::now();
    let layout = TreeLayout::new(
        &record,
        inspection.folding(),
        inspection.line(),
        &inspection.spans,
        usize::MAX,
        &afterstate::task::CancelToken::new(),
    )
    .expect("no limit");
    let ms = start.elapsed().as_secs_f64() * 1e3;
    let entries = layout.columns.iter();
    let sizes = entries
        .map(|column| size_of_val(column.slots.as_slice()) + size_of_val(column.ys.as_slice()));
    let bytes = sizes.sum::<usize>() as f64 / layout.entries() as f64 + 32.0;
    let nodes = record.kept();
    println!(
        "{nodes} nodes: opened in {opening:.1} ms, laid out in {ms:.0} ms, {bytes:.0} bytes a node with the record"
    );
    assert!(bytes < 100.0, "a node takes {bytes} bytes");
    drop(layout);

    // The canvas computes its layout in another thread.
    let mut draw = |ui: &mut Ui| {
        CentralPanel::default().show(ui, |ui| {
            panels.ui(Panel::Tree, ui, &document, &mut Commands::default());
        });
    };
    let start = Instant::now();
    while start.elapsed().as_secs_f64() * 1e3 < 200.0 + 4.0 * ms {
        let mut output = ctx.run_ui(
            RawInput {
                screen_rect: Some(Rect::from_min_size(pos2(0.0, 0.0), size)),
                ..RawInput::default()
            },
            &mut draw,
        );
        output.textures_delta.clear();
        std::thread::sleep(Duration::from_millis(10));
    }

    // From the natural scale out to the whole tree.
    for (name, notches) in [
        ("near", 0.0),
        ("farther", -250.0),
        ("far", -300.0),
        ("whole", -3000.0),
    ] {
        let mut zoom = notches;
        let times = measure_with(
            &ctx,
            size,
            |number| {
                let turn =
                    std::mem::replace(&mut zoom, 0.0) + if number % 2 == 0 { 8.0 } else { -8.0 };
                let delta = Vec2::new(if number % 4 < 2 { 6.0 } else { -6.0 }, turn);
                vec![Event::MouseWheel {
                    unit: MouseWheelUnit::Point,
                    delta,
                    phase: TouchPhase::Move,
                    source: MouseWheelSource::Unknown,
                    modifiers: Modifiers::NONE,
                }]
            },
            &mut draw,
        );
        report(
            &format!("tree of {} nodes, {name}", record.kept()),
            times,
            PANEL_BUDGET,
        );
    }

    for view in [TreeView::Icicle, TreeView::Columns] {
        panels.inspection.view = view;
        let times = measure(&ctx, size, |ui| {
            CentralPanel::default().show(ui, |ui| {
                panels.ui(Panel::Tree, ui, &document, &mut Commands::default());
            });
        });
        report(
            &format!("{view:?} of {} nodes", record.kept()),
            times,
            PANEL_BUDGET,
        );
    }
}

/// A player whose games take no time and whose scores are spread over 100,000 values.
#[derive(Debug)]
struct Quick(u64);

impl Play for Quick {
    fn play_told(
        &self,
        seed: GameSeed,
        _: &CancelToken,
        _: &mut dyn FnMut(Decided),
    ) -> Option<Finish> {
        let draw = seed.place_draw(0) >> 11;
        let unit = draw as f64 / (1_u64 << 53) as f64;
        // A long upper tail: the square of a draw.
        let score = 4 * (unit * unit * 100_000.0) as u32 + self.0 as u32 * 4000;
        let largest = Rank::new(6 + (score / 40_000).min(10) as u8).expect("a rank");
        Some(Finish {
            outcome: Outcome {
                score,
                largest,
                moves: score / 20,
            },
            board: Board::EMPTY,
            nodes: 0,
        })
    }
}

/// Resident memory in megabytes; Linux alone reports it here, and elsewhere the memory is not measured.
fn resident() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kilobytes: f64 = line
        .and_then(|line| line.trim().strip_suffix("kB")?.trim().parse().ok())
        .unwrap_or(0.0);
    kilobytes * 1024.0 / 1e6
}

/// 10 million games of two strategies in the panels that show them.
fn millions(folder: &Path, report: &mut impl FnMut(&str, (f64, f64), f64)) {
    const MOST_MEMORY: f64 = 300.0;
    let size = Vec2::new(1600.0, 1000.0);
    let (ctx, _app, mut document) = nothing_open(folder);
    let mut effects = Effects::default();

    for letters in ["er", "emr"] {
        document.apply(&ExperimentCommand::Add(Box::new(letters.parse().expect("letters"))).into());
    }
    document.apply(&ExperimentCommand::SetGames(1).into());
    document.apply(&ExperimentCommand::Run.into());

    while document.last_run().is_busy() {
        let _ = document.poll(&mut effects);
        std::thread::sleep(Duration::from_millis(5));
    }

    let mut plan = document.last_run().plan().expect("it ran").clone();
    plan.games = 5_000_000;
    for (place, contestant) in plan.contestants.iter_mut().enumerate() {
        contestant.stand_in = Some(Arc::new(Quick(place as u64)));
    }
    let start = Instant::now();
    let run = Run::start(plan, || {}).expect("a sound plan");
    run.wait();
    println!(
        "10,000,000 games counted in {:.1} s, {:.0} MB",
        start.elapsed().as_secs_f64(),
        resident()
    );
    let last_run = document.last_run_mut();
    last_run.snapshot = Some(Arc::new(run.snapshot()));
    last_run.run = Some(run);
    last_run.runs = u64::MAX;
    last_run.version += 1;
    let mut panels = Panels::default();
    for panel in [Panel::Experiment, Panel::Results, Panel::Games] {
        let mut draw = |ui: &mut Ui| {
            panels.follow(&document, workspace_of(panel), BTreeSet::from([panel]));
            CentralPanel::default().show(ui, |ui| {
                panels.ui(panel, ui, &document, &mut Commands::default());
            });
        };
        let times = measure(&ctx, size, &mut draw);
        report(
            &format!("{} of 10 million games", panel.title()),
            times,
            PANEL_BUDGET,
        );
    }
    println!("{:.0} MB", resident());
    assert!(
        resident() < MOST_MEMORY,
        "10 million games and the panels take more than {MOST_MEMORY} MB"
    );
}

/// How well the tiles of a board fall along a folded path from a corner: each rise on the path counts four times
/// against it.
fn order(board: &Board) -> f64 {
    let path = (0..16_u8).map(|at| Cell {
        row: at / 4,
        col: if at / 4 % 2 == 0 { at % 4 } else { 3 - at % 4 },
    });
    let (mut worth, mut weight, mut last) = (0.0, 1.0, f64::INFINITY);
    for rank in path.map(|cell| board.get(cell)) {
        let tile = if rank.is_empty() {
            0.0
        } else {
            rank.tile() as f64
        };
        worth += weight * (tile - 4.0 * (tile - last).max(0.0));
        (weight, last) = (0.8 * weight, tile);
    }
    worth
}

/// A game of this many legal turns that no player has played: the slides and tiles, all of them 2, keep its board in
/// order. They are found by keeping the 20 best boards after each turn. No known strategy plays 30,000 moves with
/// random tiles.
fn friendly_game(moves: usize) -> Record {
    const KEPT: usize = 20;
    let rules = Rules::default();
    let start = Seed(1).game(0).opening(&rules);

    // Each turn with the turn before it.
    let mut turns: Vec<(Option<usize>, Step)> = Vec::new();
    let mut boards: Vec<(Board, Option<usize>)> = vec![(start, None)];
    for _ in 0..moves {
        let mut next: Vec<(f64, Board, Option<usize>, Step)> = Vec::new();
        for &(board, before) in &boards {
            for mv in board.legal_moves() {
                let after = board.slide(mv).expect("legal").after;
                next.extend(after.board().empty_cells().into_iter().map(|cell| {
                    let spawn = Spawn {
                        cell,
                        rank: Rank::TWO,
                    };
                    let board = after.spawn(spawn);
                    (order(&board), board, before, Step { mv, spawn })
                }));
            }
        }
        next.sort_by(|a, b| b.0.total_cmp(&a.0));
        next.dedup_by_key(|(_, board, ..)| *board);
        boards = next
            .into_iter()
            .take(KEPT)
            .map(|(_, board, before, step)| {
                turns.push((before, step));
                (board, Some(turns.len() - 1))
            })
            .collect();
    }

    let last = boards.first().expect("the game is not over").1;
    let line = std::iter::successors(last, |&turn| turns[turn].0);
    let mut steps: Vec<Step> = line.map(|turn| turns[turn].1).collect();
    steps.reverse();
    assert_eq!(steps.len(), moves, "a game of so many moves");
    Record {
        rules,
        seed: None,
        game: 0,
        strategy: None,
        start,
        score: 0,
        steps,
        notes: Notes::new(),
    }
}

/// The review panel with a long game: the time to the first picture, and frames during and after judging.
fn review(folder: &Path, report: &mut impl FnMut(&str, (f64, f64), f64)) {
    /// Milliseconds of wall time, since another thread does the work.
    const FIRST_PICTURE: f64 = 1000.0;
    for (wanted, by) in [
        (10_000, None),
        (
            30_000,
            Some("(criteria: [(evaluator: Network(\"reference\"))])"),
        ),
    ] {
        let record = friendly_game(wanted);
        let (ctx, _app, mut document) = nothing_open(folder);
        let mut effects = Effects::default();
        document.apply(
            &FileCommand::OpenFiles(vec![written(folder, "long.txt", &record.to_string())]).into(),
        );
        if let Some(judge) = by {
            document
                .apply(&FileCommand::OpenFiles(vec![written(folder, "judge.ron", judge)]).into());
            document.apply(&ReviewCommand::JudgeByStrategy.into());
        }

        let begun = Instant::now();
        document.apply(&ReviewCommand::Game.into());
        while document.review().is_none() {
            let _ = document.poll(&mut effects);
            std::thread::sleep(Duration::from_millis(1));
        }

        let first = begun.elapsed().as_secs_f64() * 1e3;
        let moves = record.steps.len();
        report(
            &format!("review of {moves} moves, first picture"),
            (first, first),
            FIRST_PICTURE,
        );
        let mut panels = Panels::default();
        let size = Vec2::new(1600.0, 1000.0);
        let mut draw = |ui: &mut Ui, document: &mut Document, effects: &mut Effects| {
            let _ = document.poll(effects);
            CentralPanel::default().show(ui, |ui| {
                panels.ui(Panel::Review, ui, document, &mut Commands::default());
            });
        };
        let times = measure(&ctx, size, |ui| draw(ui, &mut document, &mut effects));
        report(
            &format!("review of {moves} moves, judged"),
            times,
            PANEL_BUDGET,
        );
        let late = Instant::now() + Duration::from_secs(240);
        while by.is_some() && document.reviewing().is_working() && Instant::now() < late {
            let _ = document.poll(&mut effects);
            std::thread::sleep(Duration::from_millis(5));
        }

        if by.is_some() {
            let times = measure(&ctx, size, |ui| draw(ui, &mut document, &mut effects));
            report(
                &format!("review of {moves} moves, done"),
                times,
                PANEL_BUDGET,
            );
        }
        document.apply(&ReviewCommand::Stop.into());
    }
}

const BOARD: &str = "2,4,8,16/0,0,0,0/0,0,0,0/0,0,0,2";

fn written(folder: &Path, name: &str, text: &str) -> PathBuf {
    let file = folder.join(name);
    std::fs::write(&file, text).expect("written");
    file
}

fn main() -> ExitCode {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let options = Options {
        config_dir: Some(folder.path().to_owned()),
        theme: Some(ThemeChoice::Dark),
        ..Options::default()
    };
    let mut within = true;
    let mut report = |name: &str, (median, high): (f64, f64), budget: f64| {
        let verdict = if median < budget { "ok" } else { "over" };
        within &= median < budget;
        println!("{name:<34} {median:>7.2} ms {high:>7.2} ms   budget {budget:>4.1} ms  {verdict}");
    };
    println!(
        "{:<34} {:>10} {:>10}",
        "CPU time of a frame", "median", "90 %"
    );
    let parts: Vec<String> = std::env::args()
        .skip(1)
        .filter(|argument| !argument.starts_with("--"))
        .collect();
    let wants = |part: &str| parts.is_empty() || parts.iter().any(|wanted| wanted == part);
    if wants("millions") {
        millions(folder.path(), &mut report);
    }
    if wants("review") {
        review(folder.path(), &mut report);
    }

    let size = Vec2::new(1600.0, 1000.0);
    for panel in Panel::all().filter(|_| wants("panels")) {
        let ctx = Context::default();
        // The app installs themes and fonts.
        let _app = App::new(&ctx, options.clone());
        let mut document = Document::new(Surroundings {
            wake: Arc::new(|| {}),
            wake_at_once: Arc::new(|| {}),
            config_dir: Some(folder.path().to_owned()),
            runs: None,
            threads: None,
            autoplay_speed: 8.0,
            record_cap: afterstate::workbench::state::RECORD_CAP,
            search_threads: None,
            judge_in_background: false,
        });

        let mut effects = Effects::default();
        let mut panels = Panels::default();
        let times = measure(&ctx, size, |ui| {
            let _ = document.poll(&mut effects);
            panels.follow(&document, workspace_of(panel), BTreeSet::from([panel]));
            CentralPanel::default().show(ui, |ui| {
                panels.ui(panel, ui, &document, &mut Commands::default());
            });
        });

        report(panel.title(), times, PANEL_BUDGET);
    }

    let whole = |commands: Vec<ExperimentCommand>, size: Vec2| {
        let ctx = Context::default();
        let mut app = App::new(&ctx, options.clone());
        for command in commands {
            app.apply(&ctx, command);
        }
        measure(&ctx, size, |ui| {
            app.poll(ui.ctx());
            app.show(ui);
        })
    };
    if wants("window") {
        report("whole window, idle", whole(Vec::new(), size), WINDOW_BUDGET);
        let batch = || {
            vec![
                ExperimentCommand::StopNow,
                ExperimentCommand::SetGames(1_000_000),
                ExperimentCommand::Run,
            ]
        };
        report(
            "whole window, batch running",
            whole(batch(), size),
            WINDOW_BUDGET,
        );
        report(
            "the same at 2560 × 1440",
            whole(batch(), Vec2::new(2560.0, 1440.0)),
            WINDOW_BUDGET,
        );
    }
    for plies in [4, 7, 9].into_iter().filter(|_| wants("trees")) {
        tree(folder.path(), plies, &mut report);
    }
    if within {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
