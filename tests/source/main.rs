//! Tests that read the source: its layers, and the texts that a person reads.

mod layers;
mod texts;

use std::fs;
use std::path::{Path, PathBuf};

fn project_dir() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn source_dir() -> PathBuf {
    project_dir().join("src")
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Every Rust file below `dir`, as a path with slashes relative to `src/`.
fn files_below(dir: &Path, found: &mut Vec<String>) {
    for entry in fs::read_dir(dir).expect("a folder of the source") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            files_below(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let below = path.strip_prefix(source_dir()).expect("below src");
            found.push(below.to_string_lossy().replace('\\', "/"));
        }
    }
}
