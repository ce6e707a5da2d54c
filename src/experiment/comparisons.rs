//! Compares all strategies of a run at once: which is certainly better than which.
//!
//! Only the game indices that all have in common count. Strategies that played all of these games identically are one
//! group: no game tells them apart. [`Joint`] judges the groups together.

use std::ops::Range;

use super::sink::Kept;
use super::{ContestantResult, Pair, ReachDifference};
use crate::game::Rank;
use crate::stats::{self, Interval, Joint, JointSums, Planned, RankSet};
use crate::words;

/// Games of each contestant that are read at a time.
const AT_A_TIME: u64 = 4096;

/// Which contestants are certainly better than which, among those with at least two games.
#[derive(Clone, Debug, PartialEq)]
pub struct Standings {
    /// Groups of contestants that played identically, in the order of the run.
    groups: Vec<Vec<usize>>,
    /// The comparison of the first of each group.
    joint: Joint,
    ranks: Vec<RankSet>,
    /// The letters of each group. Two groups share a letter if they are indistinguishable.
    classes: Option<Vec<String>>,
}

impl Standings {
    /// Compares contestants with these numbers of games; `read` returns their games from the first one. `None` if there
    /// is nothing to compare, or if `stop` returns true. Before the planned number of games, intervals are valid at any
    /// time.
    pub fn find(
        games: &[u64],
        planned: Planned,
        mut read: impl FnMut(usize, Range<u64>) -> Vec<Kept>,
        stop: &dyn Fn() -> bool,
    ) -> Option<Self> {
        let arms: Vec<usize> = (0..games.len())
            .filter(|&contestant| 2 <= games[contestant])
            .collect();
        let common = arms
            .iter()
            .map(|&contestant| games[contestant])
            .min()
            .filter(|_| 2 <= arms.len())?;
        let mut sums = JointSums::new(arms.len());

        // The first arm that has played identically so far.
        let mut like: Vec<usize> = vec![0; arms.len()];
        for first in (0..common).step_by(AT_A_TIME as usize) {
            if stop() {
                return None;
            }
            let indices = first..common.min(first + AT_A_TIME);
            let read: Vec<Vec<Kept>> = arms
                .iter()
                .map(|&contestant| read(contestant, indices.clone()))
                .collect();
            let before = like.clone();
            for arm in 0..arms.len() {
                let is_like =
                    |&other: &usize| before[other] == before[arm] && read[other] == read[arm];
                like[arm] = (0..arm).find(is_like).map_or(arm, |other| like[other]);
            }
            let scores = |games: &Vec<Kept>| games.iter().map(|&[score, _]| score).collect();
            sums.put(&read.iter().map(scores).collect::<Vec<Vec<u32>>>());
        }

        let firsts: Vec<usize> = (0..arms.len()).filter(|&arm| like[arm] == arm).collect();
        let group = |&first: &usize| {
            (0..arms.len())
                .filter(|&arm| like[arm] == first)
                .map(|arm| arms[arm])
                .collect()
        };
        let groups: Vec<Vec<usize>> = firsts.iter().map(group).collect();
        let widening = planned.widening(common)?;
        let joint = sums.of_arms(&firsts).compare(stop)?.widened(widening);
        Some(Self {
            groups,
            ranks: joint.ranks(),
            classes: classes_of(&joint),
            joint,
        })
    }

    fn group_of(&self, contestant: usize) -> Option<usize> {
        self.groups
            .iter()
            .position(|group| group.contains(&contestant))
    }

    /// The number of compared games of each contestant.
    pub fn games(&self) -> u64 {
        self.joint.count()
    }

    /// The number of ranks: one for each group of identical play.
    pub fn places(&self) -> usize {
        self.groups.len()
    }

    /// The ranks that a contestant may have. All of them are correct together in 95 of 100 runs.
    pub fn rank(&self, contestant: usize) -> Option<RankSet> {
        Some(self.ranks[self.group_of(contestant)?])
    }

    /// `1 to 4 of 65`, or `3 of 65`.
    pub fn rank_text(&self, contestant: usize) -> Option<String> {
        let RankSet { best, worst } = self.rank(contestant)?;
        let places = if best == worst {
            best.to_string()
        } else {
            format!("{best} to {worst}")
        };
        Some(format!("{places} of {}", self.places()))
    }

    /// Letters such as `ab`, with those of the best strategies first. Two strategies share a letter if and only if they
    /// cannot be distinguished. `None` if there are more classes than letters.
    pub fn class(&self, contestant: usize) -> Option<&str> {
        Some(&*self.classes.as_ref()?[self.group_of(contestant)?])
    }

    /// The groups of more than one contestant that played identically.
    pub fn alike(&self) -> impl Iterator<Item = &[usize]> {
        self.groups
            .iter()
            .map(Vec::as_slice)
            .filter(|group| 1 < group.len())
    }

    /// The interval of a contestant's difference to the baseline. All intervals with this baseline hold together in 95
    /// of 100 runs. `None` if both played identically.
    pub fn against(&self, baseline: usize, contestant: usize) -> Option<Interval> {
        let (baseline, contestant) = (self.group_of(baseline)?, self.group_of(contestant)?);
        (baseline != contestant).then(|| self.joint.against(baseline, contestant))
    }

    /// The method behind the simultaneous level: `multiplier bootstrap, 9,999 draws`.
    pub fn method(&self) -> String {
        match self.joint.draws() {
            0 if self.places() <= 2 => "a single pair".to_owned(),
            0 => "Bonferroni, because there are few games".to_owned(),
            draws => format!("multiplier bootstrap, {} draws", words::count(draws as u64)),
        }
    }

    /// The largest sets of contestants that are indistinguishable, all pairs at once, the best first. Each group is
    /// represented by its first contestant.
    fn not_apart(&self) -> Vec<Vec<usize>> {
        let Some(classes) = &self.classes else {
            return Vec::new();
        };
        let order = best_first(&self.joint);
        let members = |letter: char| {
            order
                .iter()
                .filter(|&&group| classes[group].contains(letter))
                .map(|&group| self.groups[group][0])
                .collect()
        };
        stats::class_letters()
            .map(members)
            .filter(|set: &Vec<usize>| 1 < set.len())
            .collect()
    }

    /// Whether no two contestants are distinguished, so ranks say nothing.
    pub fn tells_none_apart(&self) -> bool {
        self.not_apart()
            .first()
            .is_some_and(|set| set.len() == self.places())
    }

    /// `no difference found at n = 100 (95 %): a and b; c, d and e`, shortened after the first few. `None` if all are
    /// distinguished.
    pub fn not_apart_text(&self, label: impl Fn(usize) -> String) -> Option<String> {
        const MOST: usize = 4;
        let sets = self.not_apart();
        let names = |set: &Vec<usize>| {
            let mut names: Vec<String> = set
                .iter()
                .take(MOST)
                .map(|&contestant| label(contestant))
                .collect();
            names.extend((MOST < set.len()).then(|| format!("{} more", set.len() - MOST)));
            words::list(&names)
        };
        let mut texts: Vec<String> = sets.iter().take(MOST).map(names).collect();
        texts.extend((MOST < sets.len()).then(|| "…".to_owned()));
        let games = words::count(self.games());
        (!texts.is_empty()).then(|| {
            format!(
                "no difference found at n = {games} (95 %): {}",
                texts.join("; ")
            )
        })
    }

    /// The guarantee of the ranks, in a sentence.
    pub fn about(&self) -> String {
        let pairs = self.places() * (self.places() - 1) / 2;
        let games = words::count(self.games());
        match pairs {
            0 => format!("all played the same {games} games, so they cannot be distinguished"),
            1 => format!("ranks have 95 % confidence: paired differences of {games} games"),
            _ => format!(
                "ranks have 95 % confidence for all {} pairs together: paired differences of {games} games, {}",
                words::count(pairs as u64),
                self.method()
            ),
        }
    }

    /// One sentence for each group that played identically.
    pub fn alike_texts(&self, label: impl Fn(usize) -> String) -> Vec<String> {
        let games = words::count(self.games());
        let text = |group: &[usize]| {
            let names: Vec<String> = group.iter().map(|&contestant| label(contestant)).collect();
            format!(
                "{} played the same {games} games and count as one",
                words::list(&names)
            )
        };
        self.alike().map(text).collect()
    }
}

/// All arms, the best first.
fn best_first(joint: &Joint) -> Vec<usize> {
    let mut order: Vec<usize> = (0..joint.arms()).collect();
    order.sort_by(|&a, &b| joint.mean(b).total_cmp(&joint.mean(a)));
    order
}

/// The classes of all arms, that of the best first.
fn classes_of(joint: &Joint) -> Option<Vec<String>> {
    let order = best_first(joint);
    let is_apart = |a: usize, b: usize| {
        let interval = joint.of_all(order[a], order[b]);
        0.0 < interval.low || interval.high < 0.0
    };
    let letters = stats::classes(order.len(), is_apart)?;
    let mut of_arms = vec![String::new(); order.len()];
    order
        .iter()
        .zip(letters)
        .for_each(|(&arm, letters)| of_arms[arm] = letters);
    Some(of_arms)
}

/// Each contestant of a run compared with a baseline, and all with each other.
#[derive(Clone, Debug)]
pub struct Comparisons {
    pub baseline: usize,
    planned: Planned,
    /// By contestant: the difference to the baseline. `None` if the rules are not those of the baseline.
    pairs: Vec<Option<Pair>>,
    pub standings: Option<Standings>,
    labels: Vec<String>,
}

impl Comparisons {
    pub fn baseline_label(&self) -> &str {
        &self.labels[self.baseline]
    }

    /// A strategy compared with the baseline. `None` for the baseline.
    pub fn pair(&self, contestant: usize) -> Option<&Pair> {
        self.pairs
            .get(contestant)?
            .as_ref()
            .filter(|_| contestant != self.baseline)
    }

    /// The difference of the reach rates of a tile.
    pub fn reach(&self, contestant: usize, rank: Rank) -> Option<ReachDifference> {
        self.pair(contestant)?.reach(rank, self.planned)
    }

    /// The 95 % interval of its difference.
    pub fn interval(&self, contestant: usize) -> Option<Interval> {
        self.pair(contestant)?.interval(self.planned)
    }

    /// The simultaneous interval of the difference to the baseline.
    pub fn at_once(&self, contestant: usize) -> Option<Interval> {
        // The interval for one contestant alone may reach further on the side of the longer tail.
        Some(
            self.standings
                .as_ref()?
                .against(self.baseline, contestant)?
                .with(self.interval(contestant)?),
        )
    }

    /// Explains the numbers, one sentence each.
    pub fn sentences(&self) -> Vec<String> {
        let standings = self.standings.iter();
        let alike = standings
            .clone()
            .flat_map(|all| all.alike_texts(|contestant| self.labels[contestant].clone()));
        let paired = "differences compare games on the same seeds; the gain is the number of games on other seeds that one \
            of them is worth";
        let without = self.pairs.iter().any(Option::is_none).then(|| {
            format!(
                "no difference and no rank where the probability of a 4 differs from that of {}",
                self.baseline_label()
            )
        });
        alike
            .chain([paired.to_owned()])
            .chain(without)
            .chain(standings.map(Standings::about))
            .collect()
    }

    pub(super) fn of(contestants: &[ContestantResult], baseline: usize, planned: Planned) -> Self {
        let games: Vec<u64> = contestants
            .iter()
            .map(|one| one.summary.games().min(one.games.complete()))
            .collect();
        let pair = |contestant: usize| {
            let [one, other] = [contestant, baseline].map(|place| &contestants[place]);
            (one.rules == other.rules).then(|| Pair::of(&one.games, &other.games))
        };

        let pairs: Vec<Option<Pair>> = (0..contestants.len()).map(pair).collect();
        // Games with different spawns cannot be ranked together.
        let is_whole = pairs.iter().all(Option::is_some);
        let read =
            |contestant: usize, indices| contestants[contestant].games.kept(indices).to_vec();
        Self {
            baseline,
            planned,
            standings: is_whole
                .then(|| Standings::find(&games, planned, read, &|| false))
                .flatten(),
            pairs,
            labels: contestants
                .iter()
                .map(|result| result.strategy.label())
                .collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The standings for given scores of each contestant and given numbers of moves.
    fn find(scores: &[Vec<u32>], moves: &[u32]) -> Option<Standings> {
        let games: Vec<u64> = scores.iter().map(|scores| scores.len() as u64).collect();
        let read = |contestant: usize, indices: Range<u64>| {
            let game = |index: u64| [scores[contestant][index as usize], moves[contestant]];
            indices.map(game).collect()
        };
        Standings::find(
            &games,
            Planned(games.iter().copied().min().unwrap_or(0)),
            read,
            &|| false,
        )
    }

    fn scores(len: u32, factor: u32, plus: u32) -> Vec<u32> {
        (0..len)
            .map(|i| 4 * (i.wrapping_mul(2_654_435_761).wrapping_mul(factor) % 997) + plus)
            .collect()
    }

    #[test]
    fn those_that_played_alike_are_one() {
        let (low, high) = (scores(9000, 3, 0), scores(9000, 5, 400));
        let mut late = high.clone();
        late[8999] += 4;
        let arms = [low.clone(), high.clone(), low.clone(), high, late, low];
        let standings = find(&arms, &[1, 1, 1, 1, 1, 2]).expect("games");
        assert_eq!(standings.groups, [vec![0, 2], vec![1, 3], vec![4], vec![5]]);
        assert_eq!(
            (standings.rank_text(2), standings.rank_text(0)),
            (Some("3 to 4 of 4".into()), Some("3 to 4 of 4".into()))
        );
        assert_eq!(
            standings.rank_text(4).as_deref(),
            Some("1 to 2 of 4"),
            "one game tells nothing"
        );

        // The letters agree with the simultaneous intervals of all pairs.
        for (one, other) in (0..5).flat_map(|one| (0..one).map(move |other| (one, other))) {
            let Some((letters, others)) = standings.class(one).zip(standings.class(other)) else {
                continue;
            };
            let pair = standings
                .group_of(one)
                .zip(standings.group_of(other))
                .expect("both have one");
            let is_apart = pair.0 != pair.1 && {
                let interval = standings.joint.of_all(pair.0, pair.1);
                0.0 < interval.low || interval.high < 0.0
            };
            assert_eq!(
                letters.chars().any(|letter| others.contains(letter)),
                !is_apart,
                "{letters} {others}"
            );
        }

        let names = ["a", "b", "c", "d", "e", "f"];
        let texts = standings.alike_texts(|contestant| names[contestant].to_owned());
        assert_eq!(
            texts[0],
            "a and c played the same 9,000 games and count as one"
        );
        let not_apart = standings.not_apart_text(|contestant| names[contestant].to_owned());
        assert_eq!(
            not_apart.as_deref(),
            Some("no difference found at n = 9,000 (95 %): e and b; a and f")
        );
        assert!(!standings.tells_none_apart());
        assert_eq!(standings.against(1, 3), None);
        let clear = standings.against(0, 1).expect("games");
        assert!(0.0 < clear.low && clear.high < 800.0, "{clear:?}");
        assert!(
            standings.about().contains("all 6 pairs together")
                && standings.about().contains("9,999 draws")
        );
    }

    #[test]
    fn ranks_are_of_the_games_that_all_have() {
        let arms = [scores(500, 3, 0), scores(300, 5, 5000), vec![7]];
        let standings = find(&arms, &[1, 1, 1]).expect("games");
        assert_eq!(
            (
                standings.games(),
                standings.places(),
                standings.rank_text(2)
            ),
            (300, 2, None)
        );
        assert_eq!(standings.rank_text(1).as_deref(), Some("1 of 2"));
        assert_eq!(
            standings.not_apart_text(|contestant| contestant.to_string()),
            None
        );
        assert!(find(&arms[1..], &[1, 1]).is_none(), "one alone");
        let same = find(&[scores(20, 3, 0), scores(20, 3, 0)], &[1, 1]).expect("games");
        assert_eq!(
            same.about(),
            "all played the same 20 games, so they cannot be distinguished"
        );
        assert_eq!(same.rank_text(1).as_deref(), Some("1 of 1"));
        let mut near = [scores(20, 3, 0), scores(20, 3, 0)];
        near[1][7] += 4;
        let near = find(&near, &[1, 1]).expect("games");
        assert!(
            near.tells_none_apart() && !same.tells_none_apart(),
            "one game of 20 is another"
        );
        let text = near.not_apart_text(|contestant| ["a", "b"][contestant].to_owned());
        assert_eq!(
            text.as_deref(),
            Some("no difference found at n = 20 (95 %): b and a")
        );
    }
}
