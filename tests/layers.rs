//! The layers drawn in `src/lib.rs` are those of the code.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The drawing: what each folder may use.
struct Layers {
    /// Folders of one line, lowest first.
    lines: Vec<Vec<String>>,
    /// Files that may use one folder more.
    doors: Vec<(String, String)>,
}

impl Layers {
    /// Reads the first `text` block of a file's module docs.
    fn drawn_in(source: &str) -> Self {
        let (mut lines, mut doors) = (Vec::new(), Vec::new());
        let docs = source.lines().filter_map(|line| line.strip_prefix("//!")).map(str::trim);
        for line in docs.skip_while(|line| *line != "```text").skip(1).take_while(|line| *line != "```") {
            // Names, at least two blanks, and what they are.
            let names = line.split("  ").next().unwrap_or_default();
            match names.split_once(" -> ") {
                Some((file, folder)) => doors.push((file.to_owned(), folder.to_owned())),
                None if names.is_empty() => {}
                None => lines.push(names.split(", ").map(str::to_owned).collect()),
            }
        }
        Self { lines, doors }
    }

    fn line_of(&self, folder: &str) -> Option<usize> {
        self.lines.iter().position(|line| line.iter().any(|name| name == folder))
    }

    /// What is wrong with a file of the crate, `file` being its path below `src/`.
    fn violations(&self, file: &str, source: &str) -> Vec<String> {
        let own = file.split('/').next().unwrap_or_default().trim_end_matches(".rs");
        let Some(line) = self.line_of(own) else {
            return vec![format!("src/{file}: \"{own}\" is not in the drawing of src/lib.rs")];
        };
        let code = code_of(source);
        let mut found = Vec::new();
        for used in used_folders(file, &code) {
            // Macros live at the root wherever they are written.
            let used = if used == "board" { "game" } else { used.as_str() };
            let is_door = self.doors.iter().any(|(from, to)| from == file && to == used);
            let is_above = self.line_of(used).is_some_and(|other| other < line);
            if used != own && !is_above && !is_door {
                found.push(format!("src/{file}: {own} must not use {used}"));
            }
        }
        if own != "workbench" && ["egui", "eframe"].iter().any(|name| code.contains(name)) {
            found.push(format!("src/{file}: only workbench names egui"));
        }
        found
    }
}

/// The text without comments and without what is compiled for tests alone, which ends a file.
fn code_of(source: &str) -> String {
    let code = source.split("\n#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    code.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
}

/// The folders that `crate::…`, `crate::{…}` and `super::super::…` lead to.
fn used_folders(file: &str, code: &str) -> BTreeSet<String> {
    let mut used = BTreeSet::new();
    for (at, _) in code.match_indices("crate::") {
        // `$crate::` in a macro is the caller's affair only if it leads upwards; it counts like any other path.
        if !code[..at].ends_with(is_part_of_name) {
            used.extend(first_names(&code[at + "crate::".len()..]));
        }
    }
    let depth = file.trim_end_matches("/mod.rs").split('/').count();
    let climb = "super::".repeat(depth);
    for (at, _) in code.match_indices(&climb) {
        if !code[..at].ends_with(is_part_of_name) && !code[..at].ends_with("::") {
            used.extend(first_names(&code[at + climb.len()..]));
        }
    }
    used
}

fn is_part_of_name(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

/// The first name of a path, or those of each path in braces.
fn first_names(path: &str) -> Vec<String> {
    let name = |path: &str| path.trim_start().chars().take_while(|&c| is_part_of_name(c)).collect::<String>();
    let Some(list) = path.strip_prefix('{') else {
        return vec![name(path)];
    };
    let (mut depth, mut start, mut names) = (0, 0, Vec::new());
    for (at, character) in list.char_indices() {
        match character {
            '{' => depth += 1,
            ',' if depth == 0 => {
                names.push(name(&list[start..at]));
                start = at + 1;
            }
            '}' if depth == 0 => {
                names.push(name(&list[start..at]));
                break;
            }
            '}' => depth -= 1,
            _ => {}
        }
    }
    names.retain(|name| !name.is_empty());
    names
}

fn source_dir() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
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

#[test]
fn every_file_uses_only_what_is_drawn_above_it() {
    let layers = Layers::drawn_in(&read(&source_dir().join("lib.rs")));
    let mut files = Vec::new();
    files_below(&source_dir(), &mut files);
    // The roots of the library and of the program hold everything together.
    files.retain(|file| file != "lib.rs" && file != "main.rs");
    assert!(40 < files.len());
    let violations: Vec<String> =
        files.iter().flat_map(|file| layers.violations(file, &read(&source_dir().join(file)))).collect();
    assert!(violations.is_empty(), "{}", violations.join("\n"));
}

#[test]
fn every_folder_is_drawn_and_every_drawn_folder_exists() {
    let source = read(&source_dir().join("lib.rs"));
    let declared: BTreeSet<String> = source
        .lines()
        .filter_map(|line| line.strip_prefix("pub mod ").or_else(|| line.strip_prefix("mod ")))
        .map(|name| name.trim_end_matches(';').to_owned())
        .collect();
    let layers = Layers::drawn_in(&source);
    let drawn: Vec<String> = layers.lines.iter().flatten().cloned().collect();
    assert_eq!(drawn.iter().cloned().collect::<BTreeSet<_>>(), declared);
    assert_eq!(drawn.len(), declared.len(), "a folder stands on one line");
    for (file, folder) in &layers.doors {
        let code = code_of(&read(&source_dir().join(file)));
        assert!(used_folders(file, &code).contains(folder), "the door {file} -> {folder} is not used");
    }
}

#[test]
fn violations_are_found() {
    let layers = Layers::drawn_in(
        "//! ```text\n//! leaf, other   two leaves\n//! game          rules\n//! workbench, cli   ends\n//!\n\
         //! cli/window.rs -> workbench   door\n//! ```",
    );
    let wrong = |file: &str, source: &str| layers.violations(file, source).len();
    assert_eq!(wrong("leaf.rs", "use crate::game::Board;"), 1);
    assert_eq!(wrong("leaf.rs", "use crate::other;"), 1);
    assert_eq!(wrong("leaf.rs", "fn f() { crate::cli::main() }"), 1);
    assert_eq!(wrong("game/mod.rs", "use super::cli;"), 1);
    assert_eq!(wrong("game/board.rs", "use super::super::cli::main;"), 1);
    assert_eq!(wrong("game/board.rs", "use crate::{leaf::{a, b}, cli::{self, x}, workbench};"), 2);
    assert_eq!(wrong("cli/mod.rs", "use crate::workbench::run;"), 1);
    assert_eq!(wrong("cli/mod.rs", "let options = egui::Style::default();"), 1);
    assert_eq!(wrong("attic/mod.rs", ""), 1);

    assert_eq!(wrong("cli/window.rs", "use crate::workbench::run;"), 0);
    assert_eq!(wrong("game/board.rs", "use super::cli;\nuse crate::{leaf::{a, b}, other};\nuse crate::board;"), 0);
    assert_eq!(wrong("workbench/mod.rs", "use eframe::egui; use crate::game::Board;"), 0);
    assert_eq!(wrong("leaf.rs", "/// See [`crate::game`].\n#[cfg(test)]\nmod tests { use crate::game::Board; }"), 0);
}
