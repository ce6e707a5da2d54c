//! For Windows: opens the window without the console that comes with `afterstate.exe`. If the window does not open, a
//! message says why.

#![cfg_attr(windows, windows_subsystem = "windows")]

use std::env::{self, consts};
use std::process::{Command, ExitCode, Stdio};

fn main() -> ExitCode {
    let program = match env::current_exe() {
        Ok(own) => own.with_file_name(format!("afterstate{}", consts::EXE_SUFFIX)),
        Err(error) => return refuse(&format!("The folder of this program is unknown: {error}")),
    };
    let mut command = Command::new(&program);
    command
        .args(env::args_os().skip(1))
        .stdin(Stdio::null())
        .stdout(Stdio::null());
    #[cfg(windows)]
    std::os::windows::process::CommandExt::creation_flags(&mut command, 0x0800_0000); // CREATE_NO_WINDOW

    // Its error output comes through a pipe.
    match command.output() {
        Ok(output) if output.status.success() => ExitCode::SUCCESS,
        Ok(output) => refuse(String::from_utf8_lossy(&output.stderr).trim()),
        Err(error) => refuse(&format!(
            "{}: cannot be started ({error}); unpack the whole archive",
            program.display()
        )),
    }
}

fn refuse(sentence: &str) -> ExitCode {
    rfd::MessageDialog::new()
        .set_title("Afterstate")
        .set_level(rfd::MessageLevel::Error)
        .set_description(sentence)
        .show();
    ExitCode::FAILURE
}
