//! The layers in the diagrams of `src/lib.rs` and `src/workbench/mod.rs` are those of the code, no files depend on each
//! other in a cycle, and engines take logarithms and powers from `math`.

use std::collections::{BTreeMap, BTreeSet};

use crate::{files_below, read, source_dir};

/// The diagram: what each folder may use.
struct Layers {
    /// Folders of one line, lowest first.
    lines: Vec<Vec<String>>,
    /// Files that may use one more folder.
    doors: Vec<(String, String)>,
}

impl Layers {
    /// Reads the first `text` block of a file's module docs.
    fn drawn_in(source: &str) -> Self {
        let (mut lines, mut doors) = (Vec::new(), Vec::new());
        let docs = source
            .lines()
            .filter_map(|line| line.strip_prefix("//!"))
            .map(str::trim);
        for line in docs
            .skip_while(|line| *line != "```text")
            .skip(1)
            .take_while(|line| *line != "```")
        {
            // Names, at least two blanks, and their description.
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
        self.lines
            .iter()
            .position(|line| line.iter().any(|name| name == folder))
    }

    /// The violations of a file of the crate, where `file` is its path below `src/`.
    fn violations(&self, file: &str, source: &str) -> Vec<String> {
        let own = file
            .split('/')
            .next()
            .unwrap_or_default()
            .trim_end_matches(".rs");
        let Some(line) = self.line_of(own) else {
            return vec![format!(
                "src/{file}: \"{own}\" is not in the drawing of src/lib.rs"
            )];
        };
        let code = code_of(source);
        let mut found = Vec::new();
        for used in used_folders(file, &code) {
            // Macros are in the root module wherever they are written.
            let used = if used == "board" {
                "game"
            } else {
                used.as_str()
            };
            let is_door = self
                .doors
                .iter()
                .any(|(from, to)| from == file && to == used);
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

/// The text without comments and without the test module, which ends a file.
fn code_of(source: &str) -> String {
    let code = source
        .split("\n#[cfg(test)]\nmod tests {")
        .next()
        .unwrap_or_default();
    code.lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .collect::<Vec<_>>()
        .join("\n")
}

/// The folders that `crate::…`, `crate::{…}` and `super::super::…` refer to.
fn used_folders(file: &str, code: &str) -> BTreeSet<String> {
    let mut used = BTreeSet::new();
    for (at, _) in code.match_indices("crate::") {
        // `$crate::` in a macro counts like any other path.
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

    // A constant of the root is not in a folder.
    used.retain(|name| name.contains(char::is_lowercase));
    used
}

fn is_part_of_name(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

/// The first name of a path, or those of each path in braces.
fn first_names(path: &str) -> Vec<String> {
    let mut paths = Vec::new();
    read_paths(path, &[], &mut paths);
    paths
        .into_iter()
        .filter_map(|path| path.into_iter().next())
        .collect()
}

/// The paths that begin with `text`: one, or several in braces.
fn read_paths(text: &str, before: &[String], found: &mut Vec<Vec<String>>) {
    let text = text.trim_start();
    if let Some(list) = text.strip_prefix('{') {
        let (mut depth, mut start) = (0, 0);
        for (at, character) in list.char_indices() {
            match character {
                '{' => depth += 1,
                ',' | '}' if depth == 0 => {
                    read_paths(&list[start..at], before, found);
                    start = at + 1;
                    if character == '}' {
                        break;
                    }
                }
                '}' => depth -= 1,
                _ => {}
            }
        }
        return;
    }

    let name: String = text.chars().take_while(|&c| is_part_of_name(c)).collect();
    let path: Vec<String> = before
        .iter()
        .cloned()
        .chain((!name.is_empty()).then(|| name.clone()))
        .collect();
    match text[name.len()..].strip_prefix("::") {
        Some(rest) if !name.is_empty() => read_paths(rest, &path, found),
        _ if name.is_empty() => {}
        _ => found.push(path),
    }
}

/// The source below `src/`: the code of every file by its path.
struct House(BTreeMap<String, String>);

impl House {
    fn read() -> Self {
        let mut files = Vec::new();
        files_below(&source_dir(), &mut files);
        Self(
            files
                .into_iter()
                .map(|file| (file.clone(), code_of(&read(&source_dir().join(&file)))))
                .collect(),
        )
    }

    /// The file of a module.
    fn file_of(&self, module: &[String]) -> Option<&str> {
        let path = module.join("/");
        let names = [format!("{path}.rs"), format!("{path}/mod.rs")];
        names
            .iter()
            .find_map(|name| self.0.get_key_value(name))
            .map(|(name, _)| name.as_str())
    }

    /// The files that the paths of a file refer to, each to its last module. Uses between a `mod.rs` and the files of
    /// its folder do not count, nor do re-exports (`pub use`).
    fn used_by(&self, file: &str) -> BTreeSet<&str> {
        let module: Vec<String> = file
            .trim_end_matches(".rs")
            .trim_end_matches("/mod")
            .split('/')
            .map(str::to_owned)
            .collect();
        let statements = self.0[file].split_inclusive(';');
        let code: String = statements.filter(|line| !is_passed_on(line)).collect();
        let mut paths = Vec::new();
        for (at, _) in code.match_indices("::") {
            let start = code[..at]
                .rfind(|c| !is_part_of_name(c))
                .map_or(0, |before| before + 1);
            if !code[..start].ends_with("::") && !code[..start].ends_with('$') {
                read_paths(&code[start..], &[], &mut paths);
            }
        }
        let is_around = |used: &&str| {
            used.strip_suffix("/mod.rs")
                .is_some_and(|folder| file.starts_with(&format!("{folder}/")))
        };
        let used = paths.iter().filter_map(|path| self.lead_to(&module, path));
        used.filter(|used| *used != file && !is_around(used))
            .collect()
    }

    /// The file that a path within a module refers to; `None` if it leads out of the crate or to a name in scope.
    fn lead_to(&self, module: &[String], path: &[String]) -> Option<&str> {
        let climbs = path.iter().take_while(|name| *name == "super").count();
        let (mut at, rest) = match path[0].as_str() {
            "crate" => (Vec::new(), &path[1..]),
            "self" => (module.to_vec(), &path[1..]),
            "super" => (
                module[..module.len().saturating_sub(climbs)].to_vec(),
                &path[climbs..],
            ),
            _ => (module.to_vec(), path),
        };
        let start = at.len();

        for name in rest {
            at.push(name.clone());
            if self.file_of(&at).is_none() {
                at.pop();
                break;
            }
        }
        let is_relative = !matches!(path[0].as_str(), "crate" | "self" | "super");
        if is_relative && at.len() == start {
            None
        } else {
            self.file_of(&at)
        }
    }

    /// Files that use each other, directly or through others.
    fn circles(&self) -> Vec<BTreeSet<&str>> {
        let uses: BTreeMap<&str, BTreeSet<&str>> = self
            .0
            .keys()
            .map(|file| (file.as_str(), self.used_by(file)))
            .collect();
        let mut reached: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for &file in uses.keys() {
            let (mut seen, mut open) = (BTreeSet::new(), vec![file]);
            while let Some(next) = open.pop() {
                open.extend(uses[next].iter().filter(|used| seen.insert(**used)));
            }
            reached.insert(file, seen);
        }

        let around = |file: &str| -> BTreeSet<&str> {
            reached[file]
                .iter()
                .copied()
                .filter(|other| reached[other].contains(file))
                .collect()
        };
        let circles: BTreeSet<BTreeSet<&str>> = uses
            .keys()
            .map(|file| around(file))
            .filter(|all| 1 < all.len())
            .collect();
        circles.into_iter().collect()
    }
}

/// Folders that only display numbers. The others may affect a decision, a game or a file.
const DISPLAY: [&str; 4] = ["workbench", "cli", "prose", "words"];

/// Methods of floats that call the system's C library, or whose last bit is not specified.
const SYSTEM_MATH: [&str; 31] = [
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "cbrt",
    "cos",
    "cosh",
    "exp",
    "exp2",
    "exp_m1",
    "gamma",
    "hypot",
    "ln",
    "ln_1p",
    "ln_gamma",
    "log",
    "log10",
    "log2",
    "mul_add",
    "powf",
    "powi",
    "sin",
    "sin_cos",
    "sinh",
    "tan",
    "tanh",
    "to_degrees",
    "to_radians",
];

/// The names of [`SYSTEM_MATH`] that code uses: as a method, or as `f64::name` and `f32::name`.
fn system_math(code: &str) -> Vec<&'static str> {
    let is_used = |name: &str| {
        code.match_indices(name).any(|(at, _)| {
            let (before, after) = (&code[..at], &code[at + name.len()..]);
            // A method with this name that takes a closure is not one of a float.
            let is_method =
                before.ends_with('.') && after.starts_with('(') && !after.starts_with("(|");
            let is_path = ["f64::", "f32::"].iter().any(|path| before.ends_with(path));
            is_method || is_path && !after.starts_with(is_part_of_name)
        })
    };
    SYSTEM_MATH
        .into_iter()
        .filter(|name| is_used(name))
        .collect()
}

/// Whether a statement re-exports names.
fn is_passed_on(statement: &str) -> bool {
    let statement = statement.trim_start();
    statement.starts_with("pub use ")
        || statement.starts_with("pub(crate) use ")
        || statement.starts_with("pub(super) use ")
}

/// The roots of the two libraries and of the program use everything.
const ROOTS: [&str; 3] = ["lib.rs", "engine.rs", "main.rs"];

#[test]
fn every_file_uses_only_what_is_drawn_above_it() {
    let layers = Layers::drawn_in(&read(&source_dir().join("lib.rs")));
    let mut files = Vec::new();
    files_below(&source_dir(), &mut files);
    files.retain(|file| !ROOTS.contains(&file.as_str()));
    assert!(40 < files.len());
    let violations: Vec<String> = files
        .iter()
        .flat_map(|file| layers.violations(file, &read(&source_dir().join(file))))
        .collect();
    assert!(violations.is_empty(), "{}", violations.join("\n"));
}

#[test]
fn every_folder_is_drawn_and_every_drawn_folder_exists() {
    let source = read(&source_dir().join("lib.rs"));
    let engine = read(&source_dir().join("engine.rs"));
    let declared: BTreeSet<String> = source
        .lines()
        .chain(engine.lines())
        .filter_map(|line| {
            line.strip_prefix("pub mod ")
                .or_else(|| line.strip_prefix("mod "))
        })
        .map(|name| name.trim_end_matches(';').to_owned())
        .collect();
    let layers = Layers::drawn_in(&source);
    let drawn: Vec<String> = layers.lines.iter().flatten().cloned().collect();
    assert_eq!(drawn.iter().cloned().collect::<BTreeSet<_>>(), declared);
    assert_eq!(drawn.len(), declared.len(), "a folder stands on one line");

    for (file, folder) in &layers.doors {
        let code = code_of(&read(&source_dir().join(file)));
        assert!(
            used_folders(file, &code).contains(folder),
            "the door {file} -> {folder} is not used"
        );
    }
}

#[test]
fn every_file_of_the_window_uses_only_what_is_drawn_above_it() {
    let source = read(&source_dir().join("workbench/mod.rs"));
    let layers = Layers::drawn_in(&source);
    let house = House::read();
    let room = |file: &str| {
        file.strip_prefix("workbench/").map(|below| {
            below
                .split(['/', '.'])
                .next()
                .unwrap_or_default()
                .to_owned()
        })
    };
    let declared: BTreeSet<String> = house
        .0
        .keys()
        .filter_map(|file| room(file))
        .filter(|room| room != "mod")
        .collect();
    let drawn: Vec<String> = layers.lines.iter().flatten().cloned().collect();
    assert_eq!(drawn.iter().cloned().collect::<BTreeSet<_>>(), declared);
    assert_eq!(drawn.len(), declared.len(), "a room stands on one line");

    for file in house.0.keys().filter(|file| *file != "workbench/mod.rs") {
        let Some(own) = room(file) else { continue };
        for used in house.used_by(file) {
            let Some(used) = room(used) else { continue };
            let is_above = layers.line_of(&used) < layers.line_of(&own);
            assert!(
                used == own || is_above,
                "src/{file}: {own} must not use {used}"
            );
        }
    }
}

#[test]
fn no_files_use_each_other_in_a_circle() {
    let house = House::read();
    let circles = house.circles();
    assert!(circles.is_empty(), "{circles:#?}");
}

#[test]
fn engines_take_logarithms_and_powers_from_math() {
    let house = House::read();
    let is_test = |file: &str| {
        let (folder, name) = file.rsplit_once('/').unwrap_or(("", file));
        let declared = format!("#[cfg(test)]\nmod {};", name.trim_end_matches(".rs"));
        house
            .0
            .get(&format!("{folder}/mod.rs"))
            .is_some_and(|code| code.contains(&declared))
    };
    let shows = |file: &str| DISPLAY.contains(&file.split(['/', '.']).next().unwrap_or_default());
    let engines: Vec<(&String, &String)> = house
        .0
        .iter()
        .filter(|(file, _)| !is_test(file) && !shows(file))
        .collect();
    assert!(150 < engines.len());

    // Code for newer processors must round as other code does: no fused multiply-add.
    let fused = engines
        .iter()
        .filter(|(_, code)| code.contains("+fma"))
        .map(|(file, _)| format!("src/{file}: fma"));
    let fused: Vec<String> = fused.collect();
    assert!(fused.is_empty(), "{}", fused.join("\n"));
    let found: Vec<String> = engines
        .into_iter()
        .flat_map(|(file, code)| {
            system_math(code)
                .into_iter()
                .map(move |name| format!("src/{file}: {name}"))
        })
        .collect();
    assert!(
        found.is_empty(),
        "use crate::math instead, which is the same on every machine:\n{}",
        found.join("\n")
    );
}

#[test]
fn functions_of_the_system_are_found() {
    for (code, names) in [
        ("let x = y.ln() + f64::exp(y);", vec!["exp", "ln"]),
        ("numbers.map(f32::log2)", vec!["log2"]),
        (
            "x.powi(2) - (a + b).mul_add(c, d).log(3.0)",
            vec!["log", "mul_add", "powi"],
        ),
        (
            "math::ln(x) + x.sqrt() + u32::ilog2(n) + n.ilog2() + f64::exponent(x) + session.log(|log| log)",
            vec![],
        ),
    ] {
        assert_eq!(system_math(code), names, "{code}");
    }
}

#[test]
fn circles_are_found() {
    let house = |files: &[(&str, &str)]| {
        House(
            files
                .iter()
                .map(|&(file, code)| (file.to_owned(), code.to_owned()))
                .collect(),
        )
    };
    let around = |files: &[(&str, &str)]| {
        house(files)
            .circles()
            .iter()
            .map(BTreeSet::len)
            .collect::<Vec<_>>()
    };
    assert_eq!(
        around(&[
            ("a.rs", "use crate::b::B;"),
            ("b.rs", "fn f() { crate::a::f() }")
        ]),
        [2]
    );
    let three = [
        ("a/mod.rs", "mod c; mod d;"),
        ("a/c.rs", "use super::d::{self, D};"),
        ("a/d.rs", "use crate::{b::B, x};"),
        ("b.rs", "use crate::a::c::C;"),
    ];
    assert_eq!(around(&three), [3]);
    let own = [
        ("a/mod.rs", "mod c; use c::C; pub use c::D;"),
        ("a/c.rs", "use super::A;"),
    ];
    assert_eq!(around(&own), [0; 0], "a folder and its own files");
    let passed_on = [
        ("a/mod.rs", "pub use c::C;"),
        ("a/c.rs", "use crate::b::B;"),
        ("b.rs", "use crate::a::C;"),
    ];
    assert_eq!(around(&passed_on), [0; 0]);
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
    assert_eq!(
        wrong(
            "game/board.rs",
            "use crate::{leaf::{a, b}, cli::{self, x}, workbench};"
        ),
        2
    );
    assert_eq!(wrong("cli/mod.rs", "use crate::workbench::run;"), 1);
    assert_eq!(
        wrong("cli/mod.rs", "let options = egui::Style::default();"),
        1
    );
    assert_eq!(wrong("attic/mod.rs", ""), 1);

    assert_eq!(wrong("cli/window.rs", "use crate::workbench::run;"), 0);
    assert_eq!(
        wrong(
            "game/board.rs",
            "use super::cli;\nuse crate::{leaf::{a, b}, other};\nuse crate::board;"
        ),
        0
    );
    assert_eq!(
        wrong(
            "workbench/mod.rs",
            "use eframe::egui; use crate::game::Board;"
        ),
        0
    );
    assert_eq!(
        wrong(
            "leaf.rs",
            "/// See [`crate::game`].\n#[cfg(test)]\nmod tests { use crate::game::Board; }"
        ),
        0
    );
}
