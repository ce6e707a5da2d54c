#![doc = include_str!("links.md")]
//! The user guide and the reference. The pages are the Markdown files of this folder, which also read well on the web.
//!
//! To add a page: a file here, a line in `pages!` below, a line in `index.md`, and a line in `links.md`. The window shows the same
//! pages under *Help*.
//!
//! A page links to another one by a label, `[Build a strategy][build]`, and defines it at its end: `[build]: build.md`. In this
//! documentation the definitions of `links.md` come first and count, so the same links lead to modules.
//!
//! To add a picture: a line `![text][NAME]` of its own and `[NAME]: ../../assets/pictures/NAME` at the end of the page, NAME in
//! `pictures!` below, and a step of `.ci/pictures.py`, which makes all of them. The window shows pages without pictures.
//!
#![doc = include_str!("index.md")]

/// A page of the guide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Page {
    /// The name of its file in `src/guide`, as links name it.
    pub file: &'static str,
    /// Markdown.
    pub text: &'static str,
}

impl Page {
    /// The heading of the page.
    pub fn title(&self) -> &'static str {
        self.text
            .lines()
            .find_map(|line| line.strip_prefix("# "))
            .unwrap_or(self.file)
    }

    /// The page of this file, if there is one.
    pub fn of_file(file: &str) -> Option<&'static Self> {
        PAGES.iter().find(|page| page.file == file)
    }
}

/// Where this documentation finds the pictures: in the folder from which it was made, as it cannot hold files.
macro_rules! pictures {
    () => {
        pictures!(
            "first-screen-dark.png" "tree-dark.png" "build-dark.png" "bar-dark.png" "worst-move-dark.png"
            "rerun-dark.png" "learn-dark.png" "path-dark.gif"
        )
    };
    ($($name:literal)*) => {
        concat!($("[", $name, "]: <file://", env!("CARGO_MANIFEST_DIR"), "/assets/pictures/", $name, ">\n"),*)
    };
}

macro_rules! pages {
    ($($module:ident: $file:literal,)*) => {
        $(
            #[doc = include_str!("links.md")]
            #[doc = pictures!()]
            #[doc = include_str!($file)]
            pub mod $module {}
        )*

        /// All pages in the order of the index, which comes first.
        pub const PAGES: &[Page] = &[
            Page { file: "index.md", text: include_str!("index.md") },
            $(Page { file: $file, text: include_str!($file) },)*
        ];
    };
}

pages! {
    install: "install.md",
    first_hour: "first-hour.md",
    build: "build.md",
    search: "search.md",
    experiments: "experiments.md",
    review: "review.md",
    learn: "learn.md",
    solve: "solve.md",
    sweeps: "sweeps.md",
    runs: "runs.md",
    files: "files.md",
    reference_strategies: "reference-strategies.md",
    reference_search: "reference-search.md",
    reference_presets: "reference-presets.md",
    reference_json: "reference-json.md",
    reference_formulas: "reference-formulas.md",
    reference_programs: "reference-programs.md",
    reference_runs: "reference-runs.md",
    reference_tables: "reference-tables.md",
    reference_networks: "reference-networks.md",
    reference_files: "reference-files.md",
    reference_glossary: "reference-glossary.md",
    sources: "sources.md",
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::claims::{Judged, Measured, Text};
    use crate::prose;

    /// The targets of Markdown links and pictures: `[text](target)` and `[label]: target`.
    fn targets(text: &str) -> Vec<&str> {
        let inline = text
            .split("](")
            .skip(1)
            .filter_map(|rest| rest.split(')').next());
        let defined = text
            .lines()
            .filter_map(|line| line.strip_prefix('[')?.split_once("]: ").map(|(_, to)| to));
        inline.chain(defined).collect()
    }

    #[test]
    fn every_link_and_picture_of_the_guide_leads_to_a_file() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/guide");
        let mut count = 0;
        for page in PAGES {
            assert_ne!(page.title(), page.file, "no heading");
            for target in targets(page.text)
                .into_iter()
                .filter(|to| !to.contains("://") && !to.starts_with('#'))
            {
                let file = target.split('#').next().expect("a part");
                let is_there = if file.ends_with(".md") && !file.contains('/') {
                    Page::of_file(file).is_some()
                } else {
                    folder.join(file).exists()
                };
                assert!(is_there, "{}: {target}", page.file);
                count += 1;
            }
        }
        assert!(40 < count, "{count}");
    }

    /// The names in `[NAME]: …/assets/pictures/NAME`.
    fn defined_pictures(text: &str) -> Vec<&str> {
        let lines = text
            .lines()
            .filter(|line| line.contains("/assets/pictures/"));
        lines
            .filter_map(|line| Some(line.strip_prefix('[')?.split_once("]: ")?.0))
            .collect()
    }

    #[test]
    fn every_picture_is_used_and_all_are_small() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let readme = std::fs::read_to_string(root.join("README.md")).expect("the README");
        let defined = defined_pictures(pictures!());
        let used: Vec<&str> = PAGES
            .iter()
            .flat_map(|page| defined_pictures(page.text))
            .collect();
        for page in PAGES {
            for name in defined_pictures(page.text) {
                assert!(
                    defined.contains(&name),
                    "{}: {name} is not in pictures!",
                    page.file
                );
                assert!(
                    page.text.contains(&format!("][{name}]")),
                    "{}: {name} is defined, but not shown",
                    page.file
                );
            }
        }

        let mut bytes = 0;
        for entry in
            std::fs::read_dir(root.join("assets/pictures")).expect("the folder of the pictures")
        {
            let entry = entry.expect("a picture");
            let name = entry.file_name().into_string().expect("a name");
            bytes += entry.metadata().expect("its size").len();
            assert!(
                defined.contains(&name.as_str()),
                "{name} is not in pictures!"
            );
            assert!(
                used.contains(&name.as_str()) || readme.contains(&format!("/{name})")),
                "{name} is not shown"
            );
        }
        assert!(bytes <= 4 << 20, "{bytes} bytes");
    }

    #[test]
    fn the_page_of_sources_lists_the_claims_as_they_are() {
        let page = Page::of_file("sources.md").expect("a page").text;
        let (_, listed) = page.split_once("## Claims\n\n").expect("a section");
        let measured = Measured::all().expect("sound figures");
        let claims = Text::each().expect("sound files").into_iter();
        let judged =
            claims.map(|(text, claim)| Judged::of(text, claim, measured).expect("sound presets"));
        let sections = prose::claims::sections(&judged.collect::<Vec<_>>());
        let change = "replace the section by the output of: afterstate texts --format markdown";
        for (line, (old, new)) in listed.lines().zip(sections.lines()).enumerate() {
            assert_eq!(old, new, "line {line} of the section Claims: {change}");
        }
        assert_eq!(listed.lines().count(), sections.lines().count(), "{change}");
    }

    #[test]
    fn every_page_is_in_the_index() {
        let index = PAGES[0].text;
        for page in &PAGES[1..] {
            assert!(targets(index).contains(&page.file), "{}", page.file);
        }
    }
}
