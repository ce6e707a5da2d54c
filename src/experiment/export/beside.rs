//! Strategies of several runs in one table: run, seed, rules and measured numbers.
//!
//! Differences are left out: games with different seeds are not pairs, and scores under different rules are not comparable.

use std::io;

use super::latex::row;
use super::markdown::{MEASURED, reached};
use crate::experiment::{EndReason, Results};
use crate::files::CsvRows;
use crate::words;
use crate::words::escape::{latex, markdown_table};

const OF_RUN: [&str; 4] = ["run", "seed", "rules", "end"];

/// Several runs, each with a name that distinguishes it from the others.
#[derive(Clone, Debug)]
pub struct Beside(pub Vec<(String, Results)>);

impl Beside {
    /// The tile of the reach rate column: the largest shown tile of all runs.
    fn tile(&self) -> u64 {
        self.0.iter().map(|(_, results)| results.shown_tiles()[1]).max().unwrap_or(2048)
    }

    fn titles(&self) -> impl Iterator<Item = String> {
        let titles = OF_RUN.into_iter().chain(MEASURED.iter().map(|(title, ..)| *title));
        titles.map(str::to_owned).chain([self.tile().to_string()])
    }

    /// One row for each strategy of each run.
    fn rows(&self) -> impl Iterator<Item = Vec<String>> {
        let tile = self.tile();
        self.0.iter().flat_map(move |(name, results)| {
            let manifest = &results.manifest;
            let stop_at = manifest.stop_at.map_or(String::new(), |tile| format!(", to {tile}"));
            let rules = format!("{}, {}{stop_at}", manifest.size, manifest.fours_text());
            let end = match &manifest.end_reason {
                reason @ EndReason::Cancelled { .. } => format!("{reason}: {}", EndReason::BIASED),
                reason => reason.to_string(),
            };
            results.contestants.iter().map(move |result| {
                let of_run = [words::one_line(name), manifest.seed.to_string(), rules.clone(), end.clone()];
                let measured = MEASURED.iter().map(|(.., of)| of(result, results.planned()));
                of_run.into_iter().chain(measured).chain([reached(result, tile)]).collect()
            })
        })
    }

    pub fn tabbed(&self) -> io::Result<String> {
        let mut bytes = Vec::new();
        let mut rows = CsvRows::tabbed(&mut bytes);
        rows.row(self.titles())?;
        self.rows().try_for_each(|cells| rows.row(cells))?;
        rows.flush()?;
        drop(rows);
        String::from_utf8(bytes).map_err(io::Error::other)
    }

    pub fn markdown(&self) -> String {
        markdown_table(
            self.titles(),
            |column| column.checked_sub(OF_RUN.len()).is_some_and(|at| MEASURED.get(at).is_none_or(|of| of.1)),
            self.rows(),
        )
    }

    pub fn latex(&self) -> String {
        let columns: String = OF_RUN
            .map(|_| 'l')
            .into_iter()
            .chain(MEASURED.iter().map(|(_, is_number, _)| if *is_number { 'r' } else { 'l' }))
            .chain(['r'])
            .collect();
        let cells = |cells: &mut dyn Iterator<Item = String>| row(cells.map(|cell| latex(&cell)));
        let mut text = format!("% \\usepackage{{booktabs}}\n\\begin{{tabular}}{{{columns}}}\n    \\toprule\n");
        text += &cells(&mut self.titles());
        text += "    \\midrule\n";
        for of in self.rows() {
            text += &cells(&mut of.into_iter());
        }
        text + "    \\bottomrule\n\\end{tabular}\n"
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::{Plan, Run};
    use crate::preset::Preset;

    #[test]
    fn strategies_of_all_runs_are_in_one_table() {
        let results = |seed, letters: &[&str]| {
            let strategies = letters.iter().map(|letters| letters.parse().expect("letters"));
            let preset = Preset { seed, games: 6, ..Preset::new("", strategies) };
            let run = Run::start(Plan::of_preset(&preset), || {}).expect("a sound plan");
            run.wait();
            run.results()
        };
        let beside = Beside(vec![
            ("One | & two".to_owned(), results(1, &["er", "r"])),
            ("Other".to_owned(), results(2, &["er"])),
        ]);
        let tabbed = beside.tabbed().expect("text");
        assert_eq!((tabbed.lines().count(), tabbed.lines().map(|line| line.split('\t').count()).max()), (4, Some(14)));
        assert!(tabbed.starts_with("run\tseed\trules\tend\tstrategy\tgames\tmean\t"), "{tabbed}");
        assert!(tabbed.contains("\nOther\t2\t4x4, 10 % fours\tall games played\ter\t6\t"), "{tabbed}");

        let markdown = beside.markdown();
        assert_eq!(markdown.lines().count(), 5);
        assert!(
            markdown.contains("| One \\| \\& two | 1 | 4x4, 10 % fours | all games played | er | 6 |"),
            "{markdown}"
        );
        let latex = beside.latex();
        assert!(
            latex.contains("One \\textbar{} \\& two & 1 & 4x4, 10 \\% fours & all games played & er & 6 &"),
            "{latex}"
        );
        assert_eq!(latex.matches("\\\\\n").count(), 4);
    }
}
