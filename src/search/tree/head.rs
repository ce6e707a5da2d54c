//! The head of a record as JSON: the search that the nodes come from. It is the key `head` in the line of the root.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use strum::{IntoEnumIterator as _, VariantArray as _};

use super::node::MOST_ORDER;
use super::{LineProblem, Start, Tree};
use crate::game::{Board, ByMove, Move, Moves, ParseMoveError, Rules};
use crate::search::{Ended, Lead, Objective, Playouts, PlyCounts, Rule, TableCounts};
use crate::stats::RunningMean;

/// Version of the file format. A reader refuses all others.
pub(super) const FORMAT: u32 = 1;

/// Name and version of this program, as written into heads.
pub(super) const PROGRAM: &str = concat!("afterstate ", env!("CARGO_PKG_VERSION"));

/// The keys are documented in [`Tree::read`].
#[derive(Debug, Serialize, Deserialize)]
#[serde(expecting = "an object")]
pub(super) struct Head {
    pub(super) format: u32,
    pub(super) program: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) evaluator: Option<String>,
    pub(super) lookahead: String,
    #[serde(default)]
    pub(super) rules: Rules,
    pub(super) start: StartName,
    #[serde(default)]
    pub(super) prefer: PreferName,
    #[serde(default)]
    pub(super) tolerance: f64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) asked: Option<Vec<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) chosen: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) halved_from: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) kept: Option<u64>,
    #[serde(default)]
    pub(super) least_reach: f64,
    #[serde(default)]
    pub(super) elsewhere: u64,
    #[serde(default)]
    pub(super) unfinished: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) plies: Option<Vec<PlyHead>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) playouts: Option<Box<PlayoutsHead>>,
}

/// What the samples say about the moves at the root. Arrays are in the order up, down, left, right.
#[derive(Debug, Serialize, Deserialize)]
#[serde(expecting = "an object")]
pub(super) struct PlayoutsHead {
    /// Plies from the root to the deepest node.
    pub(super) depth: u32,
    of_each: [RunningMean; 4],
    ended: EndedName,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    lead: Option<LeadHead>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    curve: Vec<[RunningMean; 4]>,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum EndedName {
    Spent,
    Sure,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(expecting = "an object")]
struct LeadHead {
    best: String,
    second: String,
    difference: f64,
    #[serde(default)]
    standard_error: Option<f64>,
    #[serde(default)]
    is_paired: bool,
}

impl PlayoutsHead {
    fn of(tree: &Tree, playouts: &Playouts) -> Self {
        let each = |means: &ByMove<RunningMean>| Move::ALL.map(|mv| means[mv]);
        let lead = |lead: &Lead| LeadHead {
            best: lead.best.name().to_owned(),
            second: lead.second.name().to_owned(),
            difference: lead.difference,
            standard_error: lead.standard_error,
            is_paired: lead.is_paired,
        };
        Self {
            depth: tree.subject.plies,
            of_each: each(&playouts.of_each),
            ended: match playouts.ended {
                Ended::Spent => EndedName::Spent,
                Ended::Sure => EndedName::Sure,
            },
            lead: playouts.lead.as_ref().map(lead),
            curve: playouts.curve.iter().map(each).collect(),
        }
    }

    /// The playouts of a record, in which the samples grew a tree or not. Older files of trees also have an error,
    /// which is no standard error and is dropped.
    pub(super) fn playouts(&self, is_tree: bool) -> Result<Playouts, LineProblem> {
        let each = |means: &[RunningMean; 4]| ByMove::from_fn(|mv| means[mv.index()]);
        if !self
            .of_each
            .iter()
            .chain(self.curve.iter().flatten())
            .all(RunningMean::is_sound)
        {
            return Err(LineProblem::Playouts);
        }

        let lead = |lead: &LeadHead| {
            Ok::<_, LineProblem>(Lead {
                best: lead.best.parse()?,
                second: lead.second.parse()?,
                difference: lead.difference,
                standard_error: lead.standard_error.filter(|_| !is_tree),
                is_paired: lead.is_paired,
            })
        };

        Ok(Playouts {
            of_each: each(&self.of_each),
            is_tree,
            ended: match self.ended {
                EndedName::Spent => Ended::Spent,
                EndedName::Sure => Ended::Sure,
            },
            lead: self.lead.as_ref().map(lead).transpose()?,
            curve: self.curve.iter().map(each).collect(),
        })
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum StartName {
    Choice,
    Turn,
    Spawn,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum PreferName {
    #[default]
    Higher,
    Lower,
}

/// The counts of one ply.
#[derive(Debug, Serialize, Deserialize)]
#[serde(expecting = "an object")]
pub(super) struct PlyHead {
    /// Number of nodes by rule, with the names of `how`. Rules without nodes are left out.
    by: BTreeMap<String, u64>,
    #[serde(default)]
    cut_offs: u64,
    #[serde(default)]
    at_first: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    stores: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    collisions: Option<u64>,
}

impl Head {
    pub(super) fn of(tree: &Tree) -> Self {
        let subject = &tree.subject;
        let (start, objective, moves) = match subject.start {
            Start::Choice { objective, moves } => (StartName::Choice, objective, Some(moves)),
            Start::Turn => (StartName::Turn, tree.objective(), None),
            Start::Spawn => (StartName::Spawn, tree.objective(), None),
        };

        let names = |moves: Moves| moves.iter().map(|mv| mv.name().to_owned()).collect();
        let knows = tree.written_by.as_ref().is_none_or(|by| by.knows_evaluator);
        Self {
            format: FORMAT,
            program: tree
                .written_by
                .as_ref()
                .map_or(PROGRAM, |by| by.program.as_str())
                .to_owned(),
            evaluator: knows.then(|| subject.definition.evaluator.to_string()),
            lookahead: subject.definition.lookahead.to_string(),
            rules: subject.definition.rules,
            start,
            prefer: if objective.higher {
                PreferName::Higher
            } else {
                PreferName::Lower
            },
            tolerance: objective.tolerance,
            asked: moves.map(names),
            chosen: tree.chosen.map(|mv| mv.name().to_owned()),
            halved_from: tree.halved_from.map(|board| board.to_string()),
            kept: Some(tree.kept() as u64),
            least_reach: tree.least_reach,
            elsewhere: tree.elsewhere,
            unfinished: tree.unfinished,
            plies: Some(tree.plies.iter().map(PlyHead::of).collect()),
            playouts: tree
                .playouts
                .as_ref()
                .map(|playouts| Box::new(PlayoutsHead::of(tree, playouts))),
        }
    }

    /// The kind of root, or a message about what is wrong.
    pub(super) fn start(&self, board: &Board) -> Result<Start, LineProblem> {
        Ok(match self.start {
            StartName::Turn => Start::Turn,
            StartName::Spawn => Start::Spawn,
            StartName::Choice => {
                if !(0.0..=f64::MAX).contains(&self.tolerance) {
                    return Err(LineProblem::Tolerance(self.tolerance));
                }
                let legal = board.legal_moves();
                let moves = match &self.asked {
                    Some(names) => names
                        .iter()
                        .map(|name| name.parse::<Move>())
                        .collect::<Result<Moves, _>>()?,
                    None => legal,
                };
                if moves.is_empty() || moves & legal != moves {
                    return Err(LineProblem::Asked);
                }
                let objective = Objective {
                    higher: self.prefer == PreferName::Higher,
                    tolerance: self.tolerance,
                };
                Start::Choice { objective, moves }
            }
        })
    }

    pub(super) fn chosen(&self) -> Result<Option<Move>, ParseMoveError> {
        self.chosen.as_deref().map(str::parse).transpose()
    }

    pub(super) fn halved_from(&self) -> Result<Option<Board>, LineProblem> {
        self.halved_from
            .as_deref()
            .map(str::parse)
            .transpose()
            .map_err(LineProblem::HalvedFrom)
    }
}

/// The rule with this name in `how`.
pub(super) fn rule_named(name: &str) -> Option<Rule> {
    Rule::iter().find(|rule| rule.export_name() == name)
}

impl PlyHead {
    fn of(counts: &PlyCounts) -> Self {
        let by = Rule::iter().filter(|&rule| counts.by(rule) != 0);
        Self {
            by: by
                .map(|rule| (rule.export_name().to_owned(), counts.by(rule)))
                .collect(),
            cut_offs: counts.cut_offs,
            at_first: counts.at_first,
            stores: counts.table.map(|table| table.stores),
            collisions: counts.table.map(|table| table.collisions),
        }
    }

    pub(super) fn counts(&self) -> Result<PlyCounts, LineProblem> {
        let mut by_rule = [0; Rule::VARIANTS.len()];
        for (name, count) in &self.by {
            let rule = rule_named(name).ok_or_else(|| LineProblem::UnknownPlyRule(name.clone()))?;
            if MOST_ORDER < *count {
                return Err(LineProblem::TooManyOfRule {
                    rule: name.clone(),
                    count: *count,
                });
            }
            by_rule[rule as usize] = *count;
        }

        if [self.cut_offs, self.at_first]
            .iter()
            .chain(&self.stores)
            .chain(&self.collisions)
            .any(|&count| MOST_ORDER < count)
        {
            return Err(LineProblem::PlyCount);
        }
        let table = self
            .stores
            .zip(self.collisions)
            .map(|(stores, collisions)| TableCounts { stores, collisions });
        Ok(PlyCounts {
            by_rule,
            cut_offs: self.cut_offs,
            at_first: self.at_first,
            table,
        })
    }
}
