//! Matches the items of a new list to those of an old one, with as few moved items as possible.

use super::Criterion;

/// The conditions under which two different rows count as one edited row, the closest first.
pub(crate) const ROW_KINDS: [fn(&Criterion, &Criterion) -> bool; 2] = [
    |a, b| a.evaluator == b.evaluator,
    |a, b| a.evaluator.name() == b.evaluator.name() && a.lookahead.name() == b.lookahead.name(),
];

/// The longest common subsequence of two lists, as index pairs.
///
/// Takes the product of both lengths in time and memory.
pub(crate) fn common<T: PartialEq>(old: &[T], new: &[T]) -> Vec<(usize, usize)> {
    // `longest[i][j]` is for the items after the first i old and the first j new ones.
    let mut longest = vec![vec![0_u32; new.len() + 1]; old.len() + 1];
    for (i, a) in old.iter().enumerate().rev() {
        for (j, b) in new.iter().enumerate().rev() {
            longest[i][j] = if a == b {
                longest[i + 1][j + 1] + 1
            } else {
                longest[i + 1][j].max(longest[i][j + 1])
            };
        }
    }

    let (mut i, mut j, mut pairs) = (0, 0, Vec::new());
    while i < old.len() && j < new.len() {
        if old[i] == new[j] {
            pairs.push((i, j));
            (i, j) = (i + 1, j + 1);
        } else if longest[i][j + 1] <= longest[i + 1][j] {
            i += 1;
        } else {
            j += 1;
        }
    }
    pairs
}

/// The old index of each new item, `None` for a new one: equal items first, as many of them in order as possible, then
/// those that are similar by one of `kinds` (the closest kind first), then those at the same index.
pub(crate) fn origins<T: PartialEq>(
    old: &[T],
    new: &[T],
    kinds: &[fn(&T, &T) -> bool],
) -> Vec<Option<usize>> {
    let mut from = vec![None; new.len()];
    let mut taken = vec![false; old.len()];
    for (i, j) in common(old, new) {
        from[j] = Some(i);
        taken[i] = true;
    }

    let equal: fn(&T, &T) -> bool = |a, b| a == b;
    for is_alike in std::iter::once(&equal).chain(kinds) {
        for (j, item) in new.iter().enumerate().filter(|_| !old.is_empty()) {
            if from[j].is_none()
                && let Some(i) = (0..old.len()).find(|&i| !taken[i] && is_alike(&old[i], item))
            {
                from[j] = Some(i);
                taken[i] = true;
            }
        }
    }

    for (place, from) in from.iter_mut().enumerate().take(old.len()) {
        if from.is_none() && !taken[place] {
            *from = Some(place);
            taken[place] = true;
        }
    }
    from
}

/// The smallest set of items to move so that all others are in the order of their old indices.
pub(crate) fn moved(from: &[Option<usize>]) -> Vec<usize> {
    // The others are a longest increasing subsequence. `best[j]` is the longest one that ends with item j, and its
    // predecessor.
    let mut best: Vec<Option<(usize, Option<usize>)>> = Vec::with_capacity(from.len());
    for (j, place) in from.iter().enumerate() {
        best.push(place.map(|place| {
            let earlier = (0..j).filter(|&k| from[k].is_some_and(|other| other < place));
            let longest = earlier
                .filter_map(|k| best[k].map(|(length, _)| (length, k)))
                .max_by_key(|&(length, _)| length);
            longest.map_or((1, None), |(length, k)| (length + 1, Some(k)))
        }));
    }

    let mut stays = vec![false; from.len()];
    let ends = best
        .iter()
        .enumerate()
        .filter_map(|(j, best)| best.map(|(length, _)| (length, j)));
    let mut at = ends.max_by_key(|&(length, _)| length).map(|(_, j)| j);
    while let Some(j) = at {
        stays[j] = true;
        at = best[j].and_then(|(_, before)| before);
    }
    (0..from.len())
        .filter(|&j| from[j].is_some() && !stays[j])
        .collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The length of a longest increasing subsequence, by trying all.
    fn increasing(places: &[usize]) -> usize {
        (0..1_u32 << places.len())
            .filter(|subset| {
                let chosen: Vec<usize> = (0..places.len())
                    .filter(|&i| subset >> i & 1 == 1)
                    .map(|i| places[i])
                    .collect();
                chosen.is_sorted_by(|a, b| a < b)
            })
            .map(u32::count_ones)
            .max()
            .map_or(0, |length| length as usize)
    }

    proptest! {
        #[test]
        fn as_few_are_moved_as_can_be(places in Just((0..9_usize).collect::<Vec<_>>()).prop_shuffle()) {
            let from: Vec<Option<usize>> = places.iter().copied().map(Some).collect();
            prop_assert_eq!(moved(&from).len(), places.len() - increasing(&places));
            let old: Vec<usize> = (0..9).collect();
            prop_assert_eq!(&origins(&old, &places, &[]), &from);
        }

        #[test]
        fn what_is_common_is_in_order_in_both(old in prop::collection::vec(0..4, 0..9), new in prop::collection::vec(0..4, 0..9)) {
            let pairs = common(&old, &new);
            prop_assert!(pairs.iter().all(|&(i, j)| old[i] == new[j]));
            prop_assert!(pairs.is_sorted_by(|a, b| a.0 < b.0 && a.1 < b.1));
            let from = origins(&old, &new, &[]);
            let mut used: Vec<usize> = from.iter().flatten().copied().collect();
            used.sort_unstable();
            prop_assert!(used.is_sorted_by(|a, b| a < b), "no item is taken twice");
        }
    }
}
