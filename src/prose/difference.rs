//! The difference between two strategies, in phrases and in lines.
//!
//! Rows are paired first: equal ones, as many of them in order as possible, then those of the same evaluator, then
//! those in the same place. Only rows that left the order of the others are called moved. If treating every row as an
//! edited form of the one in its place needs fewer phrases, those are used instead.

use crate::evaluator::{Evaluator, Lines, Weights};
use crate::search::{Cut, Lookahead, Plies};
use crate::strategy::alignment::{ROW_KINDS, common, moved, origins};
use crate::strategy::{Criterion, Prefer, Strategy};
use crate::words::{decimals_short, list};

/// Rows with longer names are referred to by their number.
const LONGEST_NAME: usize = 24;

/// A line in the comparison of two texts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LineChange<'a> {
    Same(&'a str),
    Removed(&'a str),
    Added(&'a str),
}

/// Compares two texts line by line, with removed lines before added ones.
pub fn line_changes<'a>(before: &'a str, after: &'a str) -> Vec<LineChange<'a>> {
    let (old, new): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
    let mut changes = Vec::new();
    let (mut i, mut j) = (0, 0);
    let ends = std::iter::once((old.len(), new.len()));
    for (next_old, next_new) in common(&old, &new).into_iter().chain(ends) {
        changes.extend(
            old[i..next_old]
                .iter()
                .map(|line| LineChange::Removed(line)),
        );
        changes.extend(new[j..next_new].iter().map(|line| LineChange::Added(line)));
        changes.extend(old.get(next_old).map(|line| LineChange::Same(line)));
        (i, j) = (next_old + 1, next_new + 1);
    }
    changes
}

/// The changes from `before` to `after`, one phrase each: `moved Monotonicity from 3 to 2`, `tolerance of Empty: 0 →
/// 1`. Empty if they are equal; a different [`Strategy::parent`] does not count.
pub fn difference(before: &Strategy, after: &Strategy) -> Vec<String> {
    let mut phrases = Vec::new();
    if after.name != before.name {
        phrases.push(match (before.name.as_str(), after.name.as_str()) {
            ("", new) => format!("named {new}"),
            (old, "") => format!("name {old} removed"),
            (old, new) => format!("renamed {old} → {new}"),
        });
    }
    if after.note != before.note {
        phrases.push("note changed".to_owned());
    }
    phrases.extend(rows(&before.criteria, &after.criteria));
    if after.last_resort != before.last_resort {
        phrases.push(format!(
            "last resort {} → {}",
            before.last_resort, after.last_resort
        ));
    }

    phrases
}

/// How to describe the changes of a list of items.
struct Phrases<'a> {
    removed: &'a dyn Fn(usize) -> String,
    added: &'a dyn Fn(usize) -> String,
    /// Of the items that left the order of the others, each with its old place.
    moved: &'a dyn Fn(Vec<(usize, usize)>) -> Vec<String>,
    /// The changes in an item, by its old and its new place.
    edited: &'a dyn Fn(usize, usize) -> Vec<String>,
}

impl Phrases<'_> {
    /// The fewest phrases for two lists: aligned by the kind of the items, or by their places.
    fn fewest<T: PartialEq>(
        &self,
        old: &[T],
        new: &[T],
        kinds: &[fn(&T, &T) -> bool],
    ) -> Vec<String> {
        let aligned = self.of(old.len(), &origins(old, new, kinds));
        if old.len() != new.len() {
            return aligned;
        }
        let in_place = self.of(old.len(), &(0..old.len()).map(Some).collect::<Vec<_>>());
        if in_place.len() < aligned.len() {
            in_place
        } else {
            aligned
        }
    }

    fn of(&self, old: usize, from: &[Option<usize>]) -> Vec<String> {
        let removed = (0..old)
            .filter(|&place| !from.contains(&Some(place)))
            .map(self.removed);
        let added = (0..from.len())
            .filter(|&place| from[place].is_none())
            .map(self.added);
        let moved = moved(from)
            .into_iter()
            .filter_map(|place| Some((from[place]?, place)))
            .collect();
        let both = from
            .iter()
            .enumerate()
            .filter_map(|(place, was)| Some(((*was)?, place)));
        let edited = both.flat_map(|(was, place)| (self.edited)(was, place));
        removed
            .chain(added)
            .chain((self.moved)(moved))
            .chain(edited)
            .collect()
    }
}

/// A single phrase for any number of moved items.
fn in_another_order(what: String) -> impl Fn(Vec<(usize, usize)>) -> Vec<String> {
    move |moved| {
        if moved.is_empty() {
            Vec::new()
        } else {
            vec![format!("{what} reordered")]
        }
    }
}

fn rows(old: &[Criterion], new: &[Criterion]) -> Vec<String> {
    let moved = |(was, row): (usize, usize)| {
        format!("moved {} from {} to {}", new[row].label(), was + 1, row + 1)
    };
    let phrases = Phrases {
        removed: &|row| format!("removed {} (was row {})", old[row].label(), row + 1),
        added: &|row| format!("added {} as row {}", new[row].label(), row + 1),
        moved: &|all| all.into_iter().map(moved).collect(),
        edited: &|was, row| row_changes(&old[was], &new[row], row + 1, &name(new, row)),
    };
    phrases.fewest(old, new, &ROW_KINDS)
}

/// The name of a row: its label if that is short and no other row has the same, otherwise its number.
fn name(rows: &[Criterion], row: usize) -> String {
    let label = rows[row].label();
    let same = rows.iter().filter(|other| other.label() == label).count();
    if same == 1 && label.chars().count() <= LONGEST_NAME {
        label
    } else {
        format!("row {}", row + 1)
    }
}

/// The changes in a row that both have; `place` is its current number, from 1.
fn row_changes(old: &Criterion, new: &Criterion, place: usize, name: &str) -> Vec<String> {
    let mut phrases = evaluator(&old.evaluator, &new.evaluator, &format!("row {place}"));
    phrases.extend(lookahead(&old.lookahead, &new.lookahead, place));
    if old.prefer != new.prefer {
        let which = match new.prefer {
            Prefer::Higher => "higher instead of lower",
            Prefer::Lower => "lower instead of higher",
        };
        phrases.push(format!("{name} prefers {which}"));
    }

    if old.tolerance != new.tolerance {
        let [old, new] = [old, new].map(|row| decimals_short(row.tolerance));
        phrases.push(format!("tolerance of {name}: {old} → {new}"));
    }
    if old.off != new.off {
        phrases.push(format!(
            "row {place} {}",
            if new.off { "off" } else { "on" }
        ));
    }
    phrases
}

fn lookahead(old: &Lookahead, new: &Lookahead, place: usize) -> Vec<String> {
    let (was, is) = match (old, new) {
        _ if old == new => return Vec::new(),
        (Lookahead::DepthLimited(was), Lookahead::DepthLimited(is)) if old.name() == new.name() => {
            (was, is)
        }
        _ => {
            let same_kind = old.name() == new.name();
            let text = |lookahead: &Lookahead| match lookahead {
                Lookahead::OnePly => lookahead.depth_text(),
                // All its settings, since any may be what differs.
                Lookahead::Sampled(_) if same_kind => lookahead.to_string(),
                Lookahead::DepthLimited(_) | Lookahead::Sampled(_) => {
                    format!("{}, {}", lookahead.spoken(), lookahead.depth_text())
                }
            };
            return vec![format!(
                "lookahead of row {place}: {} → {}",
                text(old),
                text(new)
            )];
        }
    };

    let mut phrases = Vec::new();
    if was.plies != is.plies {
        let [mut was, is] = [was, is].map(|search| plies(search.plies.as_ref()));
        // "4 plies instead of 3".
        if is.ends_with(" plies") && was.ends_with(" plies") {
            was.truncate(was.len() - " plies".len());
        }
        phrases.push(format!(
            "{} of row {place} searches {is} instead of {was}",
            new.name()
        ));
    }

    for (what, was, is) in [
        (
            "spawn node",
            format!("{:?}", was.spawn),
            format!("{:?}", is.spawn),
        ),
        (
            "dead board",
            format!("{:?}", was.dead),
            format!("{:?}", is.dead),
        ),
        ("time", limit(was.time_ms, "ms"), limit(is.time_ms, "ms")),
        ("nodes", limit(was.nodes, "nodes"), limit(is.nodes, "nodes")),
        (
            "tiles halved from",
            limit(was.downgrade, ""),
            limit(is.downgrade, ""),
        ),
    ] {
        if was != is {
            phrases.push(format!("{what} of row {place}: {was} → {is}"));
        }
    }

    phrases.extend(cuts(&was.cuts, &is.cuts, place));
    phrases
}

fn plies(plies: Option<&Plies>) -> String {
    match plies {
        None => "the default depth".to_owned(),
        Some(Plies::Fixed(1)) => "1 ply".to_owned(),
        Some(Plies::Fixed(plies)) => format!("{plies} plies"),
        Some(Plies::ByEmpty(steps)) => {
            let steps: Vec<String> = steps
                .iter()
                .map(|(empty, plies)| format!("{plies} from {empty} empty cells"))
                .collect();
            list(&steps)
        }
        Some(Plies::ByDistinct {
            offset,
            at_least,
            at_most,
        }) => {
            format!("by distinct tiles {offset:+}, {at_least} to {at_most} moves")
        }
    }
}

fn limit(limit: Option<u64>, unit: &str) -> String {
    limit.map_or_else(|| "no limit".to_owned(), |limit| format!("{limit} {unit}"))
}

fn cuts(old: &[Cut], new: &[Cut], place: usize) -> Vec<String> {
    let kinds: [fn(&Cut, &Cut) -> bool; 1] =
        [|a, b| std::mem::discriminant(a) == std::mem::discriminant(b)];
    let phrases = Phrases {
        removed: &|cut| format!("row {place} no longer cuts by {}", old[cut].text()),
        added: &|cut| format!("row {place} cuts by {}", new[cut].text()),
        moved: &in_another_order(format!("cuts of row {place}")),
        edited: &|was, cut| changed_cut(&old[was], &new[cut], place),
    };
    phrases.fewest(old, new, &kinds)
}

fn changed_cut(old: &Cut, new: &Cut, place: usize) -> Vec<String> {
    match (old, new) {
        _ if old == new => Vec::new(),
        (Cut::Reach(old), Cut::Reach(new)) => {
            vec![format!(
                "reach cut of row {place}: {} → {}",
                decimals_short(*old),
                decimals_short(*new)
            )]
        }
        (
            Cut::ImportantCells {
                k: old_k,
                weights: old,
            },
            Cut::ImportantCells { k, weights: new },
        ) => {
            let number =
                (old_k != k).then(|| format!("important cells of row {place}: {old_k} → {k}"));
            number
                .into_iter()
                .chain(weights(
                    old,
                    new,
                    &format!("the important cells in row {place}"),
                ))
                .collect()
        }
        _ => vec![format!(
            "row {place} cuts by {} instead of {}",
            new.text(),
            old.text()
        )],
    }
}

/// The changes in an evaluator; `at` is where it is: `row 2`.
fn evaluator(old: &Evaluator, new: &Evaluator, at: &str) -> Vec<String> {
    match (old, new) {
        _ if old == new => Vec::new(),
        (Evaluator::Weights(old), Evaluator::Weights(new)) => {
            weights(old, new, at).into_iter().collect()
        }
        (Evaluator::Lines(old), Evaluator::Lines(new)) => lines(old, new, at),
        (Evaluator::Sum(old), Evaluator::Sum(new)) => sum(old, new, at),
        (Evaluator::Product(old_one, old_other), Evaluator::Product(one, other)) => {
            [evaluator(old_one, one, at), evaluator(old_other, other, at)].concat()
        }
        _ => vec![format!("{} in {at} is now {}", old.label(), new.label())],
    }
}

fn weights(old: &Weights, new: &Weights, at: &str) -> Option<String> {
    let (was, is) = (old.values(), new.values());
    let changed: Vec<usize> = if was.len() == is.len() {
        (0..is.len())
            .filter(|&cell| was[cell] != is[cell])
            .collect()
    } else {
        Vec::new()
    };
    let name = |weights: &Weights| weights.preset_name().unwrap_or("own").to_owned();

    match changed.as_slice() {
        _ if old == new => None,
        [cell] => Some(format!(
            "weight {} in {at}: {} → {}",
            cell + 1,
            decimals_short(was[*cell]),
            decimals_short(is[*cell])
        )),
        [_, ..] if old.preset_name().is_none() && new.preset_name().is_none() => Some(format!(
            "{} of {} weights in {at} changed",
            changed.len(),
            is.len()
        )),
        // Another preset, another size, or the same numbers written out.
        _ if was.len() != is.len() => Some(format!(
            "weights in {at}: {} → {} numbers",
            was.len(),
            is.len()
        )),
        _ => Some(format!("weights in {at}: {} → {}", name(old), name(new))),
    }
}

fn lines(old: &Lines, new: &Lines, at: &str) -> Vec<String> {
    let constants = old
        .constants()
        .into_iter()
        .zip(new.constants())
        .filter(|((_, old), (_, new))| old != new);
    constants
        .map(|((name, old), (_, new))| {
            format!(
                "{name} of Lines in {at}: {} → {}",
                decimals_short(old),
                decimals_short(new)
            )
        })
        .collect()
}

type Term = (f64, Evaluator);

fn sum(old: &[Term], new: &[Term], at: &str) -> Vec<String> {
    let kinds: [fn(&Term, &Term) -> bool; 2] = [|a, b| a.1 == b.1, |a, b| a.1.name() == b.1.name()];
    let edited = |was: usize, term: usize| {
        let ((old_weight, old), (new_weight, new)) = (&old[was], &new[term]);
        let weight = (old_weight != new_weight).then(|| {
            let [old, label, new] = [
                decimals_short(*old_weight),
                new.label(),
                decimals_short(*new_weight),
            ];
            format!("weight of {label} in {at}: {old} → {new}")
        });
        evaluator(old, new, at).into_iter().chain(weight).collect()
    };
    let phrases = Phrases {
        removed: &|term| format!("removed {} from {at}", old[term].1.label()),
        added: &|term| {
            format!(
                "added {} × {} to {at}",
                decimals_short(new[term].0),
                new[term].1.label()
            )
        },
        moved: &in_another_order(format!("terms in {at}")),
        edited: &edited,
    };

    phrases.fewest(old, new, &kinds)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{Just, any, prop, prop_assert, prop_assert_eq, prop_oneof, proptest};
    use proptest::strategy::Strategy as Generator;

    use super::*;
    use crate::search::{Dead, DepthLimited, SpawnValue};
    use crate::strategy::LastResort;

    fn strategy(text: &str) -> Strategy {
        text.parse().expect(text)
    }

    #[test]
    fn phrases_say_what_a_person_did() {
        let before =
            "(criteria: [(evaluator: Empty), (evaluator: Score), (evaluator: Monotonicity)])";
        for (after, phrases) in [
            (
                "(criteria: [(evaluator: Empty), (evaluator: Monotonicity), (evaluator: Score)])",
                vec!["moved Monotonicity from 3 to 2"],
            ),
            (
                "(criteria: [(evaluator: Empty, tolerance: 1), (evaluator: Score), (evaluator: Monotonicity)])",
                vec!["tolerance of Empty: 0 → 1"],
            ),
            (
                "(criteria: [(evaluator: Empty), (evaluator: Monotonicity, off: true)], last_resort: First)",
                vec![
                    "removed Score (was row 2)",
                    "row 2 off",
                    "last resort Random → First",
                ],
            ),
            (
                "(name: \"x\", criteria: [(evaluator: Snake), (evaluator: Empty), (evaluator: Score), (evaluator: Monotonicity)])",
                vec!["named x", "added Snake as row 1"],
            ),
        ] {
            assert_eq!(
                difference(&strategy(before), &strategy(after)),
                phrases,
                "{after}"
            );
        }

        let before = "(criteria: [(evaluator: Sum([(1, Score), (1, Corner)]), lookahead: Expectimax(plies: Fixed(3)))])";
        let after = "(criteria: [(evaluator: Sum([(1, Score), (0.25, Corner)]), lookahead: Expectimax(plies: Fixed(4)))])";
        assert_eq!(
            difference(&strategy(before), &strategy(after)),
            [
                "weight of Corner in row 1: 1 → 0.25",
                "Expectimax of row 1 searches 4 plies instead of 3"
            ]
        );
    }

    #[test]
    fn lines_are_those_of_both_texts() {
        let (before, after) = ("a\nb\nc\nd", "a\nx\nc\nd\ne");
        let changes = line_changes(before, after);
        use LineChange::{Added, Removed, Same};
        assert_eq!(
            changes,
            [
                Same("a"),
                Removed("b"),
                Added("x"),
                Same("c"),
                Same("d"),
                Added("e")
            ]
        );
        let old: Vec<&str> = changes
            .iter()
            .filter_map(|line| {
                if let Same(l) | Removed(l) = line {
                    Some(*l)
                } else {
                    None
                }
            })
            .collect();
        assert_eq!(old.join("\n"), before);
    }

    fn lookaheads() -> impl Generator<Value = Lookahead> {
        let cuts = prop_oneof![
            Just(vec![]),
            Just(vec![Cut::Reach(0.01)]),
            Just(vec![
                Cut::AlphaBeta,
                Cut::ImportantCells {
                    k: 4,
                    weights: Weights::B
                }
            ]),
        ];
        (0..3, 1_u32..6, cuts).prop_map(|(kind, plies, cuts)| match kind {
            0 => Lookahead::OnePly,
            _ => Lookahead::DepthLimited(DepthLimited {
                plies: Some(Plies::Fixed(plies)),
                spawn: if kind == 1 {
                    SpawnValue::Mean
                } else {
                    SpawnValue::Min
                },
                cuts,
                ..DepthLimited::default()
            }),
        })
    }

    fn criteria() -> impl Generator<Value = Criterion> {
        let evaluator = prop::sample::select(Evaluator::palette());
        (evaluator, lookaheads(), any::<bool>(), 0..3, any::<bool>()).prop_map(
            |(evaluator, lookahead, lower, tolerance, off)| Criterion {
                evaluator,
                lookahead,
                prefer: if lower { Prefer::Lower } else { Prefer::Higher },
                tolerance: f64::from(tolerance),
                off,
            },
        )
    }

    fn strategies() -> impl Generator<Value = Strategy> {
        prop::collection::vec(criteria(), 1..7).prop_map(|criteria| Strategy {
            name: "one".to_owned(),
            criteria,
            ..Strategy::default()
        })
    }

    /// One change of a strategy, and a word that its phrase must contain; `None` if it changes nothing.
    fn edited(
        strategy: &Strategy,
        edit: usize,
        row: usize,
        other: &Criterion,
    ) -> Option<(Strategy, String)> {
        let mut new = strategy.clone();
        let row = row % new.criteria.len();
        let place = format!("row {}", row + 1);
        let criterion = &mut new.criteria[row];
        let word = match edit {
            0 => {
                criterion.tolerance += 1.5;
                "tolerance of ".to_owned()
            }
            1 => {
                criterion.off ^= true;
                place + if criterion.off { " off" } else { " on" }
            }
            2 => {
                let lower = criterion.prefer == Prefer::Lower;
                criterion.prefer = if lower { Prefer::Higher } else { Prefer::Lower };
                "prefers".to_owned()
            }
            3 => {
                criterion.evaluator = other.evaluator.clone();
                place
            }
            4 => {
                criterion.lookahead.depth_limited_mut()?.plies = Some(Plies::Fixed(9));
                format!("of {place} searches 9 plies instead of ")
            }
            5 => {
                criterion
                    .lookahead
                    .depth_limited_mut()?
                    .cuts
                    .push(Cut::Reach(0.25));
                format!("{place} cuts by reach ≥ 0.25")
            }
            6 => {
                new.criteria.insert(row, other.clone());
                format!("added {} as {place}", other.label())
            }
            7 => {
                let gone = new.criteria.remove(row);
                format!("removed {} (was ", gone.label())
            }
            8 => {
                let moved = new.criteria.remove(row);
                new.criteria.push(moved);
                "moved ".to_owned()
            }
            9 => {
                new.last_resort = LastResort::First;
                "last resort Random → First".to_owned()
            }
            10 => {
                new.name = "two".to_owned();
                "renamed one → two".to_owned()
            }
            11 => {
                new.note = "two".to_owned();
                "note changed".to_owned()
            }
            12 => match &mut criterion.evaluator {
                Evaluator::Sum(terms) => {
                    terms[0].0 += 0.5;
                    format!("weight of {} in {place}: 1 → 1.5", terms[0].1.label())
                }
                Evaluator::Lines(lines) => {
                    lines.merges += 1.0;
                    format!("merges of Lines in {place}: 700 → 701")
                }
                Evaluator::Weights(weights) => {
                    let mut values = weights.values().to_vec();
                    values[5] += 1.0;
                    *weights = Weights::Matrix(values);
                    format!("weight 6 in {place}: 4 → 5")
                }
                _ => return None,
            },
            _ => match &mut criterion.lookahead {
                Lookahead::OnePly => return None,
                Lookahead::DepthLimited(search) if search.spawn == SpawnValue::Min => {
                    search.nodes = Some(7);
                    format!("nodes of {place}: no limit → 7 nodes")
                }
                Lookahead::Sampled(sampled) => {
                    let before = sampled.clone();
                    sampled.seed = 7;
                    let [was, is] = [before, sampled.clone()]
                        .map(|sampled| Lookahead::Sampled(sampled).to_string());
                    format!("lookahead of {place}: {was} → {is}")
                }
                Lookahead::DepthLimited(search) => {
                    search.dead = Dead::Zero;
                    format!("dead board of {place}: Evaluate → Zero")
                }
            },
        };

        (new != *strategy).then_some((new, word))
    }

    proptest! {
        #[test]
        fn equal_strategies_have_no_difference(strategy in strategies()) {
            prop_assert!(difference(&strategy.clone(), &strategy).is_empty());
        }

        #[test]
        fn one_change_is_one_phrase_that_names_it(
            strategy in strategies(),
            edit in 0..14_usize,
            row in 0..8_usize,
            other in criteria(),
        ) {
            if let Some((new, word)) = edited(&strategy, edit, row, &other) {
                let phrases = difference(&strategy, &new);
                prop_assert_eq!(phrases.len(), 1, "{:?}", phrases);
                // Of several equal rows, another one may be reported as removed, added or moved.
                let twins = new.criteria.iter().filter(|row| new.criteria.iter().filter(|o| o == row).count() > 1).count();
                prop_assert!(phrases[0].contains(&word) || (3..=8).contains(&edit) && twins > 0, "{:?} lacks {}", phrases, word);
            }
        }

        #[test]
        fn as_many_rows_are_called_moved_as_have_to_move(
            (old, new) in prop::sample::subsequence(Evaluator::palette(), 1..9)
                .prop_flat_map(|rows| (Just(rows.clone()), Just(rows).prop_shuffle()))
        ) {
            let with_rows = |rows: &[Evaluator]| Strategy {
                criteria: rows.iter().cloned().map(Criterion::one_ply).collect(),
                ..Strategy::default()
            };
            let phrases = difference(&with_rows(&old), &with_rows(&new));
            let stay = common(&old, &new).len();
            // Two rows that change places may be reported as changed evaluators instead, which is no longer.
            prop_assert_eq!(phrases.len(), old.len() - stay, "{:?}", phrases);
            prop_assert!(phrases.iter().all(|phrase| phrase.starts_with("moved ")), "{:?}", phrases);
        }

        #[test]
        fn strategies_that_play_differently_differ_in_words(a in strategies(), b in strategies()) {
            prop_assert_eq!(difference(&b, &a).is_empty(), a == b);
        }
    }
}
