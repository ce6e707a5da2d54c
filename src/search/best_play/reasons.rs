//! Why one root move has a higher value than another, if the record lacks some of the nodes that decide.

use super::{BestPlay, LeafSet, LineEnd};
use crate::game::Move;
use crate::search::tree::{Leaves, NoTerms, TermRow, Terms, Tree, Why};
use crate::search::{Dead, SpawnValue};
use crate::task::CancelToken;

/// Values of the record and of the second pass agree if they differ by less than this share of the larger, or of 1.
const AGREE: f64 = 1e-9;

impl Tree {
    /// Why one root move has a higher value than another, with the terms at the leaves. If the record leaves out nodes
    /// that decide, a second pass of the search ([`BestPlay`]) finds the terms. `None` if a move is not in the record
    /// or has no value.
    pub fn why_in_full(&self, better: Move, other: Move, stop: &CancelToken) -> Option<Why> {
        let why = self.why_of_record(better, other, stop)?;
        match why.terms {
            Err(reason @ (NoTerms::LeftOut | NoTerms::NotInRecord)) => Some(Why {
                terms: self.terms_of_best_play([better, other], reason, stop),
                ..why
            }),
            _ => Some(why),
        }
    }

    /// The terms at the ends of best play. `unknown` if they do not match the record.
    fn terms_of_best_play(
        &self,
        moves: [Move; 2],
        unknown: NoTerms,
        stop: &CancelToken,
    ) -> Result<Terms, NoTerms> {
        // Best play does not include later searches.
        if self.graft_count() != 0 {
            return Err(unknown);
        }

        let failed = || {
            if stop.is_cancelled() {
                NoTerms::Stopped
            } else {
                unknown
            }
        };
        let play = BestPlay::follow(self.subject(), stop).map_err(|_| failed())?;
        let recorded = |mv| {
            self.children(self.root())
                .find(|&id| self.slide(id) == Some(mv))
                .and_then(|id| self.value(id))
        };
        let is_same = |mv| match (play.value(mv), recorded(mv)) {
            (Some(a), Some(b)) => (a - b).abs() <= AGREE * a.abs().max(b.abs()).max(1.0),
            _ => false,
        };
        if !moves.into_iter().all(is_same) {
            return Err(unknown);
        }
        let sets = moves.map(|mv| play.leaves(mv));
        let dead = self.subject().definition.lookahead.dead();
        let is_lost = |set: &LeafSet| set.leaves.iter().any(|leaf| leaf.end == LineEnd::Dead);
        if dead == Dead::Lost && sets.iter().any(is_lost) {
            return Err(NoTerms::Lost);
        }

        let measures = play.measures(&sets, stop).ok_or_else(failed)?;
        let row = |term: super::MeasureMeans| TermRow {
            label: term.label,
            weight: term.weight,
            means: [term.means[0], term.means[1]],
        };
        let zero = |set: &LeafSet| {
            let by_rule = set.leaves.iter().filter(|leaf| play.is_by_rule(leaf.end));
            by_rule.fold(0.0, |sum, leaf| sum + leaf.weight)
        };
        let leaves = match play.spawn {
            SpawnValue::Sum => Leaves::Sum,
            SpawnValue::Min => Leaves::Worst,
            SpawnValue::Mean | SpawnValue::MinCell | SpawnValue::MeanOfMin => Leaves::Mean,
        };

        Ok(Terms {
            rows: measures.terms.into_iter().map(row).collect(),
            zero: sets.each_ref().map(zero),
            leaves,
        })
    }
}
