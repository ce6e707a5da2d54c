#![doc = include_str!("texts.md")]

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use crate::preset::{Item as _, Shipped};

    const TABLES: &str = include_str!("texts.md");

    /// The cells of every row below a title and its dashes.
    fn rows() -> Vec<[&'static str; 3]> {
        let cells = |line: &'static str| -> Option<[&'static str; 3]> {
            let inside = line.strip_prefix("| ")?.strip_suffix(" |")?;
            inside.split(" | ").collect::<Vec<_>>().try_into().ok()
        };
        let lines = TABLES.lines().filter(|line| line.starts_with('|'));
        let rows: Vec<_> = lines.map(|line| cells(line).unwrap_or_else(|| panic!("three cells: {line}"))).collect();
        rows.into_iter().filter(|row| row[0] != "what" && row[0] != "---").collect()
    }

    #[test]
    fn what_repeats_a_text_exists_and_is_sound_and_nothing_that_ships_is_missing() {
        let mut named = BTreeSet::new();
        for [what, repeated, measured] in rows() {
            assert!(!what.is_empty() && !measured.is_empty(), "{what}");
            let quoted: Vec<&str> = repeated.split('`').skip(1).step_by(2).collect();
            assert!(!quoted.is_empty() || repeated == "no preset in this table", "{what}: {repeated}");
            for name in quoted {
                if name.starts_with("afterstate ") {
                    // The command line has a test of these.
                    continue;
                }
                let shipped = Shipped::named(name).unwrap_or_else(|| panic!("{what}: no preset is called {name}"));
                let preset = shipped.preset().expect(name);
                assert_eq!(preset.to_text(), shipped.text, "{name}");
                assert_eq!(preset.lint(), [], "{name}");
                named.insert(name);
            }
        }

        let ships: BTreeSet<&str> = Shipped::ALL.iter().map(|shipped| shipped.name).collect();
        let own = BTreeSet::from(["first-look"]);
        assert_eq!(&ships - &named, own, "presets that no row of a text names");
    }
}
