//! Strategies of several runs in one table: run, seed, rules and measured numbers.
//!
//! Differences are left out: games with different seeds are not pairs, and scores under different rules are not comparable.

use crate::experiment::result_columns::{name_column, reach_column};
use crate::experiment::{EndReason, Results, measured_columns};
use crate::table::{Column, Formats, Table};
use crate::words;

/// Several runs, each with a name that distinguishes it from the others.
#[derive(Clone, Debug)]
pub struct Beside(pub Vec<(String, Results)>);

impl Beside {
    /// One row for each strategy of each run.
    pub(super) fn table(&self) -> Table {
        let runs = || {
            self.0
                .iter()
                .flat_map(|run| run.1.contestants.iter().map(move |one| (run, one)))
        };
        // The largest shown tile of all runs.
        let tile = self
            .0
            .iter()
            .map(|(_, results)| results.shown_tiles()[1])
            .max()
            .unwrap_or(2048);
        let mut measured = measured_columns();
        measured.push(reach_column(tile, Formats::PEOPLE));
        Table::of(&run_columns(), runs().map(|(run, _)| run))
            .beside(Table::of(&[name_column()], runs().map(|(_, one)| one)))
            .beside(Table::of(
                &measured,
                self.0.iter().flat_map(|(_, results)| results.measured()),
            ))
    }
}

fn run_columns<'a>() -> Vec<Column<'a, &'a (String, Results)>> {
    type Row<'a> = &'a (String, Results);
    vec![
        Column::text("run", "run", "name of the run", |run: &Row<'_>| {
            words::one_line(&run.0)
        }),
        Column::text("seed", "seed", "seed of the run", |run: &Row<'_>| {
            run.1.manifest.seed.to_string()
        }),
        Column::text(
            "rules",
            "rules",
            "board and share of fours",
            |run: &Row<'_>| {
                let manifest = &run.1.manifest;
                let stop_at = manifest
                    .stop_at
                    .map_or(String::new(), |tile| format!(", to {tile}"));
                format!("{}, {}{stop_at}", manifest.size, manifest.fours_text())
            },
        ),
        Column::text(
            "end",
            "end",
            "how the run ended",
            |run: &Row<'_>| match &run.1.manifest.end_reason {
                reason @ EndReason::Cancelled { .. } => format!("{reason}: {}", EndReason::BIASED),
                reason => reason.to_string(),
            },
        ),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::{Plan, ResultsFormat, Run};
    use crate::preset::Preset;

    #[test]
    fn strategies_of_all_runs_are_in_one_table() {
        let results = |seed, letters: &[&str]| {
            let strategies = letters
                .iter()
                .map(|letters| letters.parse().expect("letters"));
            let preset = Preset {
                seed,
                games: 6,
                ..Preset::new("", strategies)
            };
            let run = Run::start(Plan::of_preset(&preset), || {}).expect("a sound plan");
            run.wait();
            run.results()
        };
        let beside = Beside(vec![
            ("One | & two".to_owned(), results(1, &["er", "r"])),
            ("Other".to_owned(), results(2, &["er"])),
        ]);
        let tabbed = ResultsFormat::Tabs.write_beside(&beside);
        assert_eq!(
            (
                tabbed.lines().count(),
                tabbed.lines().map(|line| line.split('\t').count()).max()
            ),
            (4, Some(15))
        );
        assert!(
            tabbed.starts_with("run\tseed\trules\tend\tstrategy\tgames\tmean\t"),
            "{tabbed}"
        );
        assert!(
            tabbed.contains("\nOther\t2\t4x4, 10 % fours\tall games played\ter\t6\t"),
            "{tabbed}"
        );

        let markdown = ResultsFormat::Markdown.write_beside(&beside);
        assert_eq!(markdown.lines().count(), 5);
        assert!(
            markdown
                .contains("| One \\| \\& two | 1 | 4x4, 10 % fours | all games played | er | 6 |"),
            "{markdown}"
        );
        let latex = ResultsFormat::Latex.write_beside(&beside);
        assert!(
            latex.contains(
                "One \\textbar{} \\& two & 1 & 4x4, 10 \\% fours & all games played & er & 6 &"
            ),
            "{latex}"
        );
        assert_eq!(latex.matches("\\\\\n").count(), 4);
    }
}
