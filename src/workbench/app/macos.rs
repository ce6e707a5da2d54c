//! What a Mac expects of a program besides its window.

use egui::{Context, ViewportCommand};
use muda::accelerator::{Accelerator, CMD_OR_CTRL, Code};
use muda::{Menu, MenuEvent, MenuItem, PredefinedMenuItem, Submenu};
use objc2_foundation::{NSActivityOptions, NSProcessInfo, ns_string};

/// Prepares the program, once the window exists.
pub(super) fn prepare(ctx: &Context) -> muda::Result<()> {
    stay_awake();
    show_menu(ctx)
}

/// Keeps the system from slowing down runs whose window is hidden (App Nap).
fn stay_awake() {
    let options = NSActivityOptions::UserInitiatedAllowingIdleSystemSleep;
    let activity = NSProcessInfo::processInfo()
        .beginActivityWithOptions_reason(options, ns_string!("Games are played"));
    // It lasts as long as the program.
    std::mem::forget(activity);
}

/// Replaces the menu of winit, whose Quit ends the program at once. This one closes the window, which asks first if the
/// session cannot be saved.
fn show_menu(ctx: &Context) -> muda::Result<()> {
    let quit = MenuItem::new(
        "Quit Afterstate",
        true,
        Some(Accelerator::new(CMD_OR_CTRL, Code::KeyQ)),
    );
    let (ctx, quits) = (ctx.clone(), quit.id().clone());
    MenuEvent::set_event_handler(Some(move |event: MenuEvent| {
        if event.id == quits {
            ctx.send_viewport_cmd(ViewportCommand::Close);
            ctx.request_repaint();
        }
    }));

    let separator = PredefinedMenuItem::separator;
    let program = Submenu::with_items(
        "Afterstate",
        true,
        &[
            &PredefinedMenuItem::about(Some("About Afterstate"), None),
            &separator(),
            &PredefinedMenuItem::services(None),
            &separator(),
            &PredefinedMenuItem::hide(Some("Hide Afterstate")),
            &PredefinedMenuItem::hide_others(None),
            &PredefinedMenuItem::show_all(None),
            &separator(),
            &quit,
        ],
    )?;
    let menu = Menu::with_items(&[&program])?;
    menu.init_for_nsapp();
    // It lasts as long as the program.
    std::mem::forget(menu);
    Ok(())
}
