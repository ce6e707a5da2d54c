//! `analyze --why`: why a move has a higher value than another, in two sentences and two tables.

use serde::Serialize;

use super::Failure;
use super::args::AnalyzeArgs;
use super::input::BoardFailure;
use super::sampled::LeadJson;
use super::table::{cells, listed};
use crate::game::Move;
use crate::prose;
use crate::search::{Bar, BarKind, Pairing, SpawnJson, TermRow, Tree, Why};
use crate::strategy::{Decision, Strategy};
use crate::table::{Digits, Head};
use crate::task::CancelToken;
use crate::words;

pub(super) struct WhyRequest {
    /// The row of the search, from 0.
    row: usize,
    /// The two moves, instead of the chosen one and the best of the others.
    moves: Option<[Move; 2]>,
}

impl WhyRequest {
    /// The request of the flags; refused before the search if it is not possible.
    pub(super) fn of(args: &AnalyzeArgs, strategy: &Strategy) -> Result<Option<Self>, Failure> {
        let Some(moves) = args.why else {
            return Ok(None);
        };
        if let Some([one, other]) = moves
            && one == other
        {
            return Err(Failure::usage(format!(
                "--why={},{}: give two different moves",
                one.name(),
                other.name()
            )));
        }
        Ok(Some(Self {
            row: searching_row(args, strategy, "--why")?,
            moves,
        }))
    }

    /// The difference; `None` if nothing was searched.
    pub(super) fn tell(
        &self,
        decision: &Decision,
        stop: &CancelToken,
    ) -> Result<Option<WhyJson>, BoardFailure> {
        if let Some(mv) = self
            .moves
            .and_then(|moves| moves.into_iter().find(|&mv| !decision.legal().contains(mv)))
        {
            return Err(BoardFailure::Misfit(format!(
                "--why: {} is not legal on {}",
                mv.name(),
                decision.board
            )));
        }
        let searched = decision.searches.get(self.row).and_then(Option::as_ref);
        let Some(tree) = searched.and_then(|searched| searched.tree.as_deref()) else {
            return Ok(None);
        };
        let pair = |tree: &Tree| match self.moves {
            Some([better, other]) => Some((better, other)),
            None => tree.second_best(),
        };
        let why = pair(tree).and_then(|(better, other)| tree.why_in_full(better, other, stop));
        if stop.is_cancelled() {
            return Err(BoardFailure::Stopped);
        }
        Ok(why.map(|why| WhyJson::of(self.row, why)))
    }

    /// Printed if there is no difference to explain.
    pub(super) const NOTHING: &'static str =
        "There are no two moves to compare: this row searched fewer than two.";
}

#[derive(Serialize)]
pub(super) struct WhyJson {
    row: usize,
    better: &'static str,
    other: &'static str,
    values: [f64; 2],
    bounds: [&'static str; 2],
    /// The standard error of a difference of samples; absent without samples.
    #[serde(skip_serializing_if = "Option::is_none")]
    lead: Option<Option<LeadJson>>,
    by: &'static str,
    bars: Vec<BarJson>,
    terms: Option<Vec<TermJson>>,
    sentences: [String; 2],
    #[serde(skip)]
    why: Why,
}

#[derive(Serialize)]
struct BarJson {
    what: &'static str,
    label: String,
    spawns: Vec<SpawnJson>,
    /// Absent if samples were drawn, which have a share.
    #[serde(skip_serializing_if = "Option::is_none")]
    probability: Option<f64>,
    /// The share of the samples that went through them.
    #[serde(skip_serializing_if = "Option::is_none")]
    share: Option<f64>,
    value: f64,
    against: f64,
    amount: f64,
}

#[derive(Serialize)]
struct TermJson {
    term: String,
    weight: f64,
    means: [f64; 2],
}

impl WhyJson {
    fn of(row: usize, why: Why) -> Self {
        let term = |row: &TermRow| TermJson {
            term: row.label.clone(),
            weight: row.weight,
            means: row.means,
        };
        Self {
            row,
            better: why.better.name(),
            other: why.other.name(),
            values: why.values,
            bounds: why.bounds.map(|bound| {
                if why.is_sampled {
                    "sampled"
                } else {
                    bound.name()
                }
            }),
            lead: why.is_sampled.then(|| why.lead.as_ref().map(LeadJson::of)),
            by: match why.pairing {
                Pairing::Spawns => "spawns",
                Pairing::Mean => "mean",
                Pairing::Worst => "worst",
                Pairing::Terms => "terms",
                Pairing::Whole => "whole",
            },
            bars: why
                .bars
                .iter()
                .map(|bar| BarJson::of(bar, why.is_sampled))
                .collect(),
            terms: why
                .terms
                .as_ref()
                .ok()
                .map(|terms| terms.rows.iter().map(term).collect()),
            sentences: prose::why::sentences(&why),
            why,
        }
    }

    pub(super) fn text(&self) -> String {
        let [first, second] = &self.sentences;
        let names = [self.better, self.other];
        let mut text = format!(
            "\n{first}\n{second}\n\n{}\n",
            prose::why::caption(&self.why)
        );
        let of_amounts = prose::why::places(&self.why);
        let of_values = words::places(
            self.why
                .bars
                .iter()
                .flat_map(|bar| [bar.value, bar.against]),
        )
        .max(1);
        let bars = self.why.bars.iter().map(|bar| {
            cells![
                prose::why::bar_label(bar),
                bar.probability,
                bar.value,
                bar.against,
                bar.amount
            ]
        });
        let sum = cells!["", "", "", "", self.why.difference()];
        let [value, against] = ["value", "against"].map(|title| Head::number(title, of_values));
        let weight = Head::number(
            if self.why.is_sampled {
                "share"
            } else {
                "weight"
            },
            Digits::Probability,
        );
        let heads = [
            Head::text(""),
            weight,
            value,
            against,
            Head::signed("amount", of_amounts),
        ];
        text += &listed(heads, bars.chain([sum]));
        if let Ok(terms) = &self.why.terms {
            let rows = terms.rows.iter().map(|row| {
                let [a, b] = row.means;
                let places = words::places_of_sum(&[b, row.difference()], a).max(1);
                let [one, two] = row.means.map(|mean| words::decimals(mean, places));
                cells![
                    prose::why::term_text(row),
                    one,
                    two,
                    words::signed(row.difference(), places)
                ]
            });
            let heads = [names[0], names[1], "amount"].map(Head::whole);
            text += "\n";
            text += &listed(
                [Head::text("mean at the leaves")].into_iter().chain(heads),
                rows,
            );
        }

        text
    }
}

impl BarJson {
    fn of(bar: &Bar, is_sampled: bool) -> Self {
        let what = match bar.what {
            BarKind::Spawn => "spawn",
            BarKind::Fours => "fours",
            BarKind::Worst => "worst",
            BarKind::Term(_) => "term",
            BarKind::NotRecorded => "not_recorded",
        };
        Self {
            what,
            label: prose::why::bar_label(bar),
            spawns: bar.spawns.iter().copied().map(SpawnJson::of).collect(),
            probability: (!is_sampled).then_some(bar.probability),
            share: is_sampled.then_some(bar.probability),
            value: bar.value,
            against: bar.against,
            amount: bar.amount,
        }
    }
}

/// The row, from 0, of the search that `flag` refers to.
pub(super) fn searching_row(
    args: &AnalyzeArgs,
    strategy: &Strategy,
    flag: &str,
) -> Result<usize, Failure> {
    let searches = |row: usize| {
        strategy
            .criteria
            .get(row)
            .is_some_and(|row| row.lookahead.searches())
    };
    match args.row.map(|row| row as usize - 1) {
        Some(row) if strategy.criteria.len() <= row => {
            let rows = words::plural(strategy.criteria.len() as u64, "row");
            Err(Failure::usage(format!(
                "--row {}: {} has {rows}",
                row + 1,
                strategy.label()
            )))
        }
        Some(row) if !searches(row) => {
            let reason = "looks one ply ahead and does not search";
            Err(Failure::usage(format!(
                "--row {}: row {} of {} {reason}",
                row + 1,
                row + 1,
                strategy.label()
            )))
        }
        Some(row) => Ok(row),
        None => (0..strategy.criteria.len())
            .find(|&row| searches(row))
            .ok_or_else(|| {
                Failure::usage(format!(
                    "{flag}: no row of {} searches, so there is no tree",
                    strategy.label()
                ))
            }),
    }
}
