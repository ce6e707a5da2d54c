//! Sets what `--version` prints, and on Windows the stack of the main thread, the icon and the manifest.

use std::process::Command;
use std::{env, fs};

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-env-changed=AFTERSTATE_COMMIT");
    let variable = |name: &str| env::var(name).unwrap_or_default();
    let target = variable("TARGET");
    // A debug build is not built again for each commit.
    let commit = if variable("PROFILE") == "release" {
        commit()
    } else {
        None
    };
    let commit = commit.map_or_else(String::new, |commit| format!("commit {commit}, "));
    println!(
        "cargo:rustc-env=AFTERSTATE_VERSION={} ({commit}{target})",
        variable("CARGO_PKG_VERSION")
    );

    // Searches and nested texts recurse on the main thread, which has 1 MiB there and 8 MiB elsewhere.
    const STACK: usize = 16 << 20;
    if variable("CARGO_CFG_TARGET_OS") == "windows" {
        let flag = if variable("CARGO_CFG_TARGET_ENV") == "msvc" {
            "/STACK:"
        } else {
            "-Wl,--stack,"
        };
        println!("cargo:rustc-link-arg-bins={flag}{STACK}");
    }
    #[cfg(windows)]
    resources();
}

/// Puts icon, version and manifest into the programs.
#[cfg(windows)]
fn resources() {
    let [icon, manifest] = [
        "assets/desktop/afterstate.ico",
        "assets/desktop/afterstate.manifest",
    ];
    println!("cargo:rerun-if-changed={icon}");
    println!("cargo:rerun-if-changed={manifest}");
    winresource::WindowsResource::new()
        .set_icon(icon)
        .set_manifest_file(manifest)
        .compile()
        .expect("the resource compiler, which comes with the Windows SDK and with MinGW");
}

/// The commit: given by the environment, of the source folder, or of the registry package; `None` if nothing tells it.
fn commit() -> Option<String> {
    let given = env::var("AFTERSTATE_COMMIT")
        .ok()
        .filter(|commit| !commit.is_empty());
    let commit = given.or_else(of_folder).or_else(of_package)?;
    Some(
        commit
            .chars()
            .filter(char::is_ascii_alphanumeric)
            .take(12)
            .collect(),
    )
}

fn of_folder() -> Option<String> {
    // Else git would tell the commit of a folder around this one.
    fs::metadata(".git").ok()?;
    println!("cargo:rerun-if-changed=.git/HEAD");
    println!("cargo:rerun-if-changed=.git/logs/HEAD");
    let output = Command::new("git")
        .args(["rev-parse", "HEAD"])
        .output()
        .ok()
        .filter(|output| output.status.success())?;
    String::from_utf8(output.stdout)
        .ok()
        .filter(|commit| !commit.is_empty())
}

fn of_package() -> Option<String> {
    let text = fs::read_to_string(".cargo_vcs_info.json").ok()?;
    Some(
        text.split_once("\"sha1\":")?
            .1
            .split('"')
            .nth(1)?
            .to_owned(),
    )
}
