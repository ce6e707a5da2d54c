//! Opens the window, or reports in one sentence why it cannot open.

use std::sync::atomic::Ordering;

#[cfg(unix)]
use egui::ViewportCommand;
use egui::{Context, ViewportBuilder};

use super::screenshot::NO_PICTURE;
use super::window::{App, DRAWN, Options, load_settings};
use crate::program::EndAll;
use crate::task::address_space_left;
use crate::words;
use crate::workbench::state::settings::WindowPlace;

/// Why the window failed, one sentence each.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RunError {
    #[error("{0}")]
    NoWindow(String),
    #[error("{0}")]
    NoPicture(String),
}

/// Bytes of address space that the window and the OpenGL driver reserve. They use only a part of it as memory.
const ADDRESS_SPACE: u64 = 950_000_000;

/// Opens the window and returns when it is closed.
pub fn run(options: Options) -> Result<(), RunError> {
    // Without this, an allocation of a driver aborts the program while it starts.
    if let Some(left) = address_space_left().filter(|&left| left < ADDRESS_SPACE) {
        return Err(RunError::NoWindow(too_little_memory(left)));
    }
    let (settings, news) = load_settings(&options);
    // A size from the command line and a screenshot ignore the saved window size.
    let is_saved = options.size.is_none() && options.screenshot.is_none();
    let window = if is_saved {
        settings.window
    } else {
        WindowPlace::default()
    };
    let [width, height] = options.size.or(window.size).unwrap_or([1600.0, 1000.0]);
    let native = eframe::NativeOptions {
        viewport: ViewportBuilder::default()
            .with_maximized(window.maximized)
            .with_title("Afterstate")
            .with_app_id("afterstate")
            .with_icon(icon())
            .with_inner_size([width, height])
            .with_min_inner_size([640.0, 480.0]),
        renderer: eframe::Renderer::Glow,
        ..Default::default()
    };

    // A missing library (libxkbcommon-x11) panics inside the windowing crates. We report it as a sentence instead.
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        if DRAWN.load(Ordering::Relaxed) {
            hook(info);
        }
    }));

    // Nothing is used again after a panic, so nothing half-changed can be seen.
    let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(move || {
        let app = |cc: &eframe::CreationContext<'_>| {
            close_when_asked(&cc.egui_ctx);
            #[cfg(target_os = "macos")]
            super::macos::prepare(&cc.egui_ctx)?;
            let mut app = App::with_settings(&cc.egui_ctx, options, settings, news);
            app.dialogs.belong_to(cc);
            app.programs = Some(EndAll);
            Ok(Box::new(app) as Box<dyn eframe::App>)
        };
        eframe::run_native("afterstate", native, Box::new(app))
    }));

    drop(std::panic::take_hook());
    match outcome {
        Ok(Ok(())) => NO_PICTURE
            .get()
            .map_or(Ok(()), |reason| Err(RunError::NoPicture(reason.clone()))),
        Ok(Err(error)) if DRAWN.load(Ordering::Relaxed) => {
            Err(RunError::NoWindow(lost_window(&error.to_string())))
        }
        Ok(Err(error)) => Err(RunError::NoWindow(no_window(&error.to_string()))),
        Err(panic) => {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            let text = text
                .or_else(|| panic.downcast_ref::<&str>().copied())
                .unwrap_or("unknown reason");
            Err(RunError::NoWindow(if DRAWN.load(Ordering::Relaxed) {
                format!("The window stopped because of a bug: {text}")
            } else {
                no_window(text)
            }))
        }
    }
}

/// The icon of the window; packages install the same one.
fn icon() -> egui::IconData {
    let png = include_bytes!("../../../assets/desktop/icons/256.png");
    eframe::icon_data::from_png_bytes(png).unwrap_or_default()
}

/// A termination signal closes the window, so that the session is saved; a second one terminates at once.
#[cfg(unix)]
fn close_when_asked(ctx: &Context) {
    use crate::task::signals::{ASK_TO_END, is_ignored};
    let handled = ASK_TO_END
        .map(|(signal, _)| signal)
        .into_iter()
        .filter(|&signal| !is_ignored(signal));
    let Ok(mut signals) = signal_hook::iterator::Signals::new(handled) else {
        return;
    };
    let ctx = ctx.clone();
    let watch = move || {
        for (before, signal) in signals.forever().enumerate() {
            if 0 < before {
                crate::program::end_all();
                let _ = signal_hook::low_level::emulate_default_handler(signal);
            }
            ctx.send_viewport_cmd(ViewportCommand::Close);
            ctx.request_repaint();
        }
    };

    // Without a thread nothing is lost: the session is saved every second.
    let _ = std::thread::Builder::new()
        .name("signals".to_owned())
        .spawn(watch);
}

#[cfg(not(unix))]
fn close_when_asked(_: &Context) {}

const NO_OPENGL: &str = if cfg!(windows) {
    "there is no OpenGL 2.0 (install the driver of the graphics card; over Remote Desktop or in a virtual machine, put \
     opengl32.dll of Mesa next to the program)"
} else {
    "there is no OpenGL 2.0 (install libegl1 and libgl1-mesa-dri, or the driver of the graphics card)"
};

/// Why there is no window, without the source paths that the windowing crates add.
fn no_window(error: &str) -> String {
    let reason = if cfg!(target_env = "musl") {
        "this build for musl cannot load the libraries of a window (use the build for glibc)"
            .to_owned()
    } else if error.contains("neither WAYLAND_DISPLAY") {
        "there is no display (neither DISPLAY nor WAYLAND_DISPLAY is set)".to_owned()
    } else if error.contains("XOpenDisplayFailed") || error.contains("connection to X server") {
        "the X display does not answer (see DISPLAY)".to_owned()
    } else if error.contains("NoCompositor") || error.contains("find wayland compositor") {
        "the Wayland compositor does not answer (see WAYLAND_DISPLAY; without it the X display is used)".to_owned()
    } else if error.contains("xkbcommon") {
        "the library libxkbcommon-x11 is missing (install libxkbcommon-x11-0)".to_owned()
    } else if error.contains("LibraryOpenError")
        || error.contains("libX11")
        || error.contains("xlib's")
    {
        "a library of X11 is missing (install libx11-6, libx11-xcb1, libxcursor1, libxi6 and libxrandr2)".to_owned()
    } else if error.contains("glutin") || error.contains("requires opengl") {
        NO_OPENGL.to_owned()
    } else if has_lost_display(error) {
        "the display ended the connection".to_owned()
    } else {
        plain_reason(error).to_owned()
    };
    format!("The window cannot be opened: {reason}")
}

fn too_little_memory(left: u64) -> String {
    let megabytes = words::count(left / 1_000_000);
    no_window(&format!(
        "it needs 950 MB of address space, and {megabytes} MB are left (raise the limit: ulimit -v unlimited)"
    ))
}

/// Why an open window closed by itself.
fn lost_window(error: &str) -> String {
    let reason = if has_lost_display(error) {
        "the display ended the connection"
    } else {
        plain_reason(error)
    };
    format!("The window closed: {reason}")
}

/// Whether the event loop ended without a reason, as it does when the compositor or the X server is gone.
fn has_lost_display(error: &str) -> bool {
    error.contains("Exit Failure")
}

/// The first line of an error, without "os error at /path/of/the/source.rs:89".
fn plain_reason(error: &str) -> &str {
    let first = error.lines().next().unwrap_or_default();
    let reason = first
        .split_once("os error at ")
        .and_then(|(_, place)| place.split_once(": "));
    reason.map_or(first, |(_, reason)| reason)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_icon_is_a_picture() {
        let icon = icon();
        assert_eq!(
            (icon.width, icon.height, icon.rgba.len()),
            (256, 256, 4 * 256 * 256)
        );
    }

    #[test]
    fn a_missing_display_is_one_sentence_without_paths() {
        let raw = "winit EventLoopError: os error at /root/.cargo/registry/src/x.rs:765: neither WAYLAND_DISPLAY nor \
            WAYLAND_SOCKET nor DISPLAY is set.";
        let sentence = no_window(raw);
        assert!(sentence.contains("no display") && !sentence.contains(".cargo"));
        let raw = "winit EventLoopError: os error at /root/.cargo/registry/src/mod.rs:89: Could not find wayland compositor";
        assert!(no_window(raw).contains("(see WAYLAND_DISPLAY; "));
        assert_eq!(
            no_window(&raw.replace("wayland", "any")),
            "The window cannot be opened: Could not find any compositor"
        );
        assert!(no_window("egui_glow requires opengl 2.0+").contains("there is no OpenGL 2.0"));
        assert!(
            no_window("Library libxkbcommon-x11.so could not be loaded.")
                .contains("install libxkbcommon-x11-0")
        );
        assert!(
            no_window("Failed to load one of xlib's shared libraries").contains("install libx11-6")
        );
    }

    #[test]
    fn a_display_that_goes_away_is_named() {
        let raw = "winit EventLoopError: Exit Failure: 1";
        assert_eq!(
            no_window(raw),
            "The window cannot be opened: the display ended the connection"
        );
        assert_eq!(
            lost_window(raw),
            "The window closed: the display ended the connection"
        );
        assert_eq!(
            lost_window("no memory\nat x.rs"),
            "The window closed: no memory"
        );
    }
}
