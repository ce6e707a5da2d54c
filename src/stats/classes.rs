//! Groups items that are indistinguishable: a letter display of all pairs.
//!
//! Two items share a class if and only if they are indistinguishable. Classes overlap: a may be indistinguishable from
//! b, and b from c, while a and c differ (Piepho 2004, An algorithm for a letter-based representation of all-pairwise
//! comparisons, J. Comput. Graph. Stat. 13). A class is a maximal set in which no two items differ: a maximal clique,
//! found with Bron and Kerbosch.

/// Maximum number of classes: letters from a to Z.
const MOST: usize = 52;

/// The letters of classes in order.
pub fn class_letters() -> impl Iterator<Item = char> {
    ('a'..='z').chain('A'..='Z')
}

/// The letters of each item. Items are in order: the first class of the first item is `a`. `None` if there are not
/// enough letters.
pub fn classes(items: usize, is_apart: impl Fn(usize, usize) -> bool) -> Option<Vec<String>> {
    let alike: Vec<Vec<bool>> = (0..items)
        .map(|one| {
            (0..items)
                .map(|other| one != other && !is_apart(one, other))
                .collect()
        })
        .collect();
    let mut search = Cliques {
        alike: &alike,
        found: Vec::new(),
    };
    search.extend(&mut Vec::new(), (0..items).collect(), Vec::new())?;
    let mut found = search.found;
    found.iter_mut().for_each(|class| class.sort_unstable());
    found.sort();
    let letters_of = |item: usize| {
        found
            .iter()
            .zip(class_letters())
            .filter(move |(class, _)| class.contains(&item))
            .map(|(_, letter)| letter)
    };
    Some((0..items).map(|item| letters_of(item).collect()).collect())
}

struct Cliques<'a> {
    alike: &'a [Vec<bool>],
    found: Vec<Vec<usize>>,
}

impl Cliques<'_> {
    /// Finds every maximal clique with all of `clique`, some of `open` and none of `done`. `None` if there are too
    /// many.
    fn extend(
        &mut self,
        clique: &mut Vec<usize>,
        mut open: Vec<usize>,
        mut done: Vec<usize>,
    ) -> Option<()> {
        if open.is_empty() && done.is_empty() {
            self.found.push(clique.clone());
            return (self.found.len() <= MOST).then_some(());
        }

        let alike = self.alike;
        // The pivot with most neighbors leaves the fewest items to try.
        let count = |item: usize| open.iter().filter(|&&other| alike[item][other]).count();
        let pivot = open
            .iter()
            .chain(&done)
            .copied()
            .max_by_key(|&item| count(item))?;
        for item in open.clone().into_iter().filter(|&item| !alike[pivot][item]) {
            let like = |items: &[usize]| {
                items
                    .iter()
                    .copied()
                    .filter(|&other| alike[item][other])
                    .collect()
            };
            clique.push(item);
            self.extend(clique, like(&open), like(&done))?;
            clique.pop();
            open.retain(|&other| other != item);
            done.push(item);
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn letters(items: usize, apart: &[(usize, usize)]) -> Vec<String> {
        classes(items, |a, b| apart.contains(&(a.min(b), a.max(b)))).expect("few classes")
    }

    #[test]
    fn letters_are_shared_by_those_that_are_not_told_apart() {
        assert_eq!(letters(3, &[]), ["a", "a", "a"]);
        assert_eq!(letters(3, &[(0, 1), (0, 2), (1, 2)]), ["a", "b", "c"]);
        assert_eq!(letters(3, &[(0, 2)]), ["a", "ab", "b"]);
        assert_eq!(
            letters(4, &[(0, 2), (0, 3), (1, 3)]),
            ["a", "ab", "bc", "c"]
        );
        assert_eq!(letters(0, &[]), [] as [&str; 0]);
    }

    #[test]
    fn two_share_a_letter_if_and_only_if_they_are_not_told_apart() {
        let mut chance = super::super::chance::Chance(11);
        for items in 1..14 {
            for _ in 0..20 {
                let apart: Vec<Vec<bool>> = (0..items)
                    .map(|_| (0..items).map(|_| chance.unit() < 0.4).collect())
                    .collect();
                let is_apart = |a: usize, b: usize| apart[a.min(b)][a.max(b)];
                let letters = classes(items, is_apart).expect("few classes");
                for a in 0..items {
                    for b in 0..a {
                        let shared = letters[a].chars().any(|letter| letters[b].contains(letter));
                        assert_eq!(shared, !is_apart(a, b), "{letters:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_line_of_two_hundred_that_overlap_is_done_at_once_and_too_many_classes_are_none() {
        let letters = classes(200, |a: usize, b: usize| 20 < a.abs_diff(b));
        assert!(letters.is_none(), "180 classes");
        let letters = classes(200, |a: usize, b: usize| 160 < a.abs_diff(b)).expect("40 classes");
        assert_eq!(
            (letters[0].as_str(), letters[199].chars().count()),
            ("a", 1)
        );
    }
}
