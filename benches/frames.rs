//! CPU time of a frame: each panel alone, and the whole workbench while a batch runs.
//!
//! Prints the median and the 90th percentile of the thread's own CPU time, whatever else the machine does, and fails over
//! the budget: 8 ms a panel, 12 ms the whole window. Painting by the graphics driver comes on top.
//!
//! ```text
//! cargo bench --bench frames
//! ```

use std::process::ExitCode;
use std::sync::Arc;

use afterstate::workbench::command::{Command, Commands};
use afterstate::workbench::document::{Document, Surroundings};
use afterstate::workbench::layout::Panel;
use afterstate::workbench::panels::Panels;
use afterstate::workbench::theme::ThemeChoice;
use afterstate::workbench::{App, Options};
use egui::{CentralPanel, Context, Event, RawInput, Rect, Ui, Vec2, pos2};
use rustix::time::{ClockId, clock_gettime};

/// Frames before the first that counts, and frames that count.
const WARM_UP: usize = 20;
const FRAMES: usize = 200;
/// Milliseconds of CPU.
const PANEL_BUDGET: f64 = 8.0;
const WINDOW_BUDGET: f64 = 12.0;

fn cpu_ms() -> f64 {
    let now = clock_gettime(ClockId::ThreadCPUTime);
    now.tv_sec as f64 * 1e3 + now.tv_nsec as f64 / 1e6
}

/// Draws frames with a moving pointer and returns median and 90th percentile in milliseconds.
fn measure(ctx: &Context, size: Vec2, mut frame: impl FnMut(&mut Ui)) -> (f64, f64) {
    let mut times = Vec::new();
    for number in 0..WARM_UP + FRAMES {
        let at = pos2(size.x * (0.1 + 0.8 * (number % 50) as f32 / 50.0), size.y * 0.4);
        let input = RawInput {
            screen_rect: Some(Rect::from_min_size(pos2(0.0, 0.0), size)),
            time: Some(number as f64 / 60.0),
            events: vec![Event::PointerMoved(at)],
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

fn main() -> ExitCode {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let options =
        Options { config_dir: Some(folder.path().to_owned()), theme: Some(ThemeChoice::Dark), ..Options::default() };
    let mut within = true;
    let mut report = |name: &str, (median, high): (f64, f64), budget: f64| {
        let verdict = if median < budget { "ok" } else { "over" };
        within &= median < budget;
        println!("{name:<34} {median:>7.2} ms {high:>7.2} ms   budget {budget:>4.1} ms  {verdict}");
    };
    println!("{:<34} {:>10} {:>10}", "CPU time of a frame", "median", "90 %");

    let size = Vec2::new(1600.0, 1000.0);
    for panel in Panel::ALL {
        let ctx = Context::default();
        // Themes and fonts come with an app.
        let _app = App::new(&ctx, options.clone());
        let mut document = Document::new(Surroundings {
            wake: Arc::new(|| {}),
            wake_at_once: Arc::new(|| {}),
            config_dir: Some(folder.path().to_owned()),
            threads: None,
            autoplay_speed: 8.0,
        });
        let mut notices = afterstate::workbench::notice::Notices::default();
        let mut panels = Panels::default();
        let times = measure(&ctx, size, |ui| {
            let _ = document.poll(&mut notices);
            CentralPanel::default().show(ui, |ui| {
                panels.ui(panel, ui, &document, &mut Commands::default());
            });
        });
        report(panel.title(), times, PANEL_BUDGET);
    }

    let whole = |commands: Vec<Command>, size: Vec2| {
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
    report("whole window, idle", whole(Vec::new(), size), WINDOW_BUDGET);
    let batch = || vec![Command::CancelExperiment, Command::SetGames(1_000_000), Command::RunExperiment];
    report("whole window, batch running", whole(batch(), size), WINDOW_BUDGET);
    report("the same at 2560 × 1440", whole(batch(), Vec2::new(2560.0, 1440.0)), WINDOW_BUDGET);
    if within { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
