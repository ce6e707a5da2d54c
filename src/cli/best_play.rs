//! `analyze --lines` and `--leaves`: best play after each move, line by line and at the end of the depth.

use serde::Serialize;

use super::Failure;
use super::args::AnalyzeArgs;
use super::input::BoardFailure;
use super::table::{listed, terminal};
use super::why::searching_row;
use crate::game::Move;
use crate::prose::best_play;
use crate::search::{
    BestLine, BestPlay, LeafSet, LineOrder, LineStep, Link, MeasureMeans, Measures, SearchOptions,
    SpawnJson,
};
use crate::strategy::{Decision, Strategy};
use crate::table::{Cell, Head};
use crate::words;

/// Bins of the distribution of values at the end.
const BINS: usize = 20;
const QUANTILES: [f64; 7] = [0.0, 0.05, 0.25, 0.5, 0.75, 0.95, 1.0];

pub(super) struct BestPlayRequest {
    /// The row whose search is followed, from 0.
    row: usize,
    lines: Option<usize>,
    order: LineOrder,
    leaves: bool,
}

impl BestPlayRequest {
    /// The request of the flags; refused before the search if it is not possible.
    pub(super) fn of(args: &AnalyzeArgs, strategy: &Strategy) -> Result<Option<Self>, Failure> {
        if args.lines.is_none() && !args.leaves {
            return Ok(None);
        }
        let flag = if args.lines.is_some() {
            "--lines"
        } else {
            "--leaves"
        };
        let row = searching_row(args, strategy, flag)?;
        let lines = args.lines.map(|most| most as usize);
        Ok(Some(Self {
            row,
            lines,
            order: args.lines_first.into(),
            leaves: args.leaves,
        }))
    }

    /// Follows best play; `None` if nothing was searched.
    pub(super) fn follow(
        &self,
        decision: &Decision,
        options: SearchOptions<'_>,
    ) -> Result<Option<BestPlayJson>, BoardFailure> {
        let searched = decision.searches.get(self.row).and_then(Option::as_ref);
        let Some(tree) = searched.and_then(|searched| searched.tree.as_deref()) else {
            return Ok(None);
        };
        let play = BestPlay::follow(tree.subject(), options.stop);
        if options.stop.is_cancelled() {
            return Err(BoardFailure::Stopped);
        }
        let play = play
            .map_err(|reason| BoardFailure::Could(format!("cannot follow best play: {reason}")))?;
        let lines = self
            .lines
            .map(|most| LinesJson::of(&play, self.order, most));
        let leaves = if self.leaves {
            Some(LeavesJson::of(&play, options).ok_or(BoardFailure::Stopped)?)
        } else {
            None
        };
        Ok(Some(BestPlayJson {
            row: self.row,
            plies: play.subject().plies,
            lines,
            leaves,
        }))
    }

    /// Printed if there is nothing to follow.
    pub(super) const NOTHING: &'static str =
        "There is no best play to follow: this row searched nothing.";
}

#[derive(Serialize)]
pub(super) struct BestPlayJson {
    row: usize,
    plies: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    lines: Option<LinesJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    leaves: Option<LeavesJson>,
}

#[derive(Serialize)]
struct LinesJson {
    first: &'static str,
    moves: Vec<MoveLinesJson>,
}

#[derive(Serialize)]
struct MoveLinesJson {
    #[serde(rename = "move")]
    mv: &'static str,
    value: Option<f64>,
    /// The number of all lines.
    count: u64,
    median: Option<LineJson>,
    lines: Vec<LineJson>,
    /// The heading and the table.
    #[serde(skip)]
    text: String,
}

#[derive(Serialize)]
struct LineJson {
    probability: f64,
    weight: f64,
    value: f64,
    end: &'static str,
    steps: Vec<StepJson>,
}

#[derive(Serialize)]
struct StepJson {
    #[serde(rename = "move", skip_serializing_if = "Option::is_none")]
    mv: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    spawn: Option<SpawnJson>,
    probability: f64,
    board: String,
    score: u64,
    value: f64,
}

#[derive(Serialize)]
struct LeavesJson {
    /// Whether the shares are probabilities; otherwise they are those of the worst spawns, or of the spawns on the
    /// considered cells.
    by_chance: bool,
    quantiles: [f64; QUANTILES.len()],
    /// From the smallest to the largest value of all moves, in equal intervals.
    bins: [f64; 2],
    moves: Vec<MoveLeavesJson>,
    /// The terms of the searched evaluator, by falling difference between the moves.
    terms: Vec<MeasureJson>,
    by_rule: Vec<f64>,
    /// Other evaluators at the same ends.
    evaluators: Vec<MeasureJson>,
}

#[derive(Serialize)]
struct MoveLeavesJson {
    #[serde(rename = "move")]
    mv: &'static str,
    value: Option<f64>,
    /// Different boards at the end.
    ends: usize,
    dead: f64,
    values: Vec<Option<f64>>,
    histogram: Vec<f64>,
    #[serde(skip)]
    sentence: String,
}

#[derive(Serialize)]
struct MeasureJson {
    name: String,
    weight: f64,
    means: Vec<f64>,
}

impl LinesJson {
    fn of(play: &BestPlay, order: LineOrder, most: usize) -> Self {
        let middle = best_play::middle_name(play.is_by_chance());
        let of_move = |mv: Move| {
            let found = play.lines(mv, order, most);
            let count = play.line_count(mv);
            let value = play.value(mv);
            let median = play.median_line(mv);
            let places = best_play::places_of(value, found.iter().chain(&median));
            let worth = value
                .map(|value| words::decimals(value, places))
                .unwrap_or_default();
            let numbered = found
                .iter()
                .zip(1..)
                .map(|(line, number)| (i32::to_string(&number), line));
            let listed: Vec<(String, &BestLine)> = numbered
                .chain(median.iter().map(|line| (middle.to_owned(), line)))
                .collect();
            let heading = best_play::listed(found.len(), count, order);
            let table = terminal(best_play::lines_table(&listed, places));
            let text = format!("\n{} {mv}, {worth}: {heading}\n{table}", mv.arrow());
            let found = found.iter().map(LineJson::of).collect();
            MoveLinesJson {
                mv: mv.name(),
                value,
                count,
                median: median.as_ref().map(LineJson::of),
                lines: found,
                text,
            }
        };
        Self {
            first: order.name(),
            moves: play.moves().iter().map(of_move).collect(),
        }
    }
}

impl LineJson {
    fn of(line: &BestLine) -> Self {
        Self {
            probability: line.probability,
            weight: line.weight,
            value: line.value,
            end: line.end.name(),
            steps: line.steps.iter().map(StepJson::of).collect(),
        }
    }
}

impl StepJson {
    fn of(step: &LineStep) -> Self {
        let (mv, spawn) = match step.link {
            Link::Slide(mv) => (Some(mv.name()), None),
            Link::Spawn(spawn) => (None, Some(SpawnJson::of(spawn))),
        };
        let LineStep {
            board,
            score,
            value,
            probability,
            ..
        } = *step;
        Self {
            mv,
            spawn,
            probability,
            board: board.to_string(),
            score,
            value,
        }
    }
}

impl LeavesJson {
    /// `None` if it was stopped.
    fn of(play: &BestPlay, options: SearchOptions<'_>) -> Option<Self> {
        let sets: Vec<LeafSet> = play.moves().iter().map(|mv| play.leaves(mv)).collect();
        let Measures {
            mut terms,
            by_rule,
            mut others,
            ..
        } = play.measures(&sets, options.stop)?;
        for rows in [&mut terms, &mut others] {
            rows.sort_by(|a, b| b.spread().total_cmp(&a.spread()));
        }

        let ends = || sets.iter().filter_map(LeafSet::range).flatten();
        let bins = [
            ends().fold(f64::INFINITY, f64::min),
            ends().fold(f64::NEG_INFINITY, f64::max),
        ];
        let places = best_play::places_of_ends(&sets, &[0.25, 0.75]);
        let of_move = |set: &LeafSet| MoveLeavesJson {
            mv: set.mv.name(),
            value: play.value(set.mv),
            ends: set.leaves.len(),
            dead: set.dead(),
            values: QUANTILES.map(|share| set.quantile(share)).to_vec(),
            histogram: set.histogram((bins[0], bins[1]), BINS),
            sentence: format!(
                "{} {}: {}",
                set.mv.arrow(),
                set.mv,
                best_play::leaves_sentence(set, places)
            ),
        };

        let row = |row: MeasureMeans| MeasureJson {
            name: row.label,
            weight: row.weight,
            means: row.means,
        };
        Some(Self {
            by_chance: sets.iter().all(|set| set.is_by_chance),
            quantiles: QUANTILES,
            bins,
            moves: sets.iter().map(of_move).collect(),
            terms: terms.into_iter().map(row).collect(),
            by_rule,
            evaluators: others.into_iter().map(row).collect(),
        })
    }

    fn text(&self) -> String {
        let mut text = String::from("\n");
        for of_move in &self.moves {
            text += &format!("{}\n", of_move.sentence);
        }
        let row = |row: &MeasureJson| {
            let places = words::places(row.means.iter().copied()).max(1);
            let means = row
                .means
                .iter()
                .map(|&mean| words::decimals(mean, places).into());
            [row.name.as_str().into()]
                .into_iter()
                .chain(means)
                .collect::<Vec<Cell>>()
        };

        // With this row, the terms add up to the value of each move.
        let by_rule = self.by_rule.iter().any(|&mean| mean != 0.0);
        let by_rule = by_rule.then(|| MeasureJson {
            name: "by rule".to_owned(),
            weight: 1.0,
            means: self.by_rule.clone(),
        });
        let terms: Vec<_> = self.terms.iter().chain(&by_rule).map(row).collect();
        let evaluators = self.evaluators.iter().map(row).collect();
        for (title, rows) in [
            ("term at the end", terms),
            ("evaluator at the end", evaluators),
        ] {
            let moves = self.moves.iter().map(|of_move| Head::whole(of_move.mv));
            text += &format!(
                "\n{}",
                listed([Head::text(title)].into_iter().chain(moves), rows)
            );
        }

        text
    }
}

impl BestPlayJson {
    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        text.extend(
            self.lines
                .iter()
                .flat_map(|lines| &lines.moves)
                .map(|of_move| of_move.text.as_str()),
        );
        text + &self
            .leaves
            .as_ref()
            .map(LeavesJson::text)
            .unwrap_or_default()
    }
}
