//! The bars of the waterfall, prepared without a window.

use crate::prose;
use crate::search::{Bar, BarKind, Leaves, Terms, Why};
use crate::words;
use crate::workbench::panels::tree::words::{difference as signed, title};

/// A bar as it is drawn: it begins where the one before ended.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct DrawnBar {
    /// Under it: the spawn, the term.
    pub label: String,
    /// Below that: "0.129 × +138".
    pub product: String,
    pub amount: f64,
    /// What was reached before it, above the other move's value.
    pub from: f64,
    /// The bars of the difference it stands for, by index; several where the smallest were gathered.
    pub bars: Vec<usize>,
}

impl DrawnBar {
    /// What is reached with it.
    pub(super) fn to(&self) -> f64 {
        self.from + self.amount
    }

    /// Whether it stands for several bars.
    pub(super) fn is_gathered(&self) -> bool {
        1 < self.bars.len()
    }
}

/// The bars in their order. Where there are more than `fit`, the smallest are gathered into a last one; the sum stays.
pub(super) fn steps(why: &Why, fit: usize) -> Vec<DrawnBar> {
    let bars = &why.bars;
    let mut alone: Vec<usize> = (0..bars.len()).collect();
    let mut gathered = Vec::new();
    if fit.max(2) < bars.len() {
        // Largest first, equals as they stand.
        alone.sort_by(|&a, &b| bars[b].amount.abs().total_cmp(&bars[a].amount.abs()));
        gathered = alone.split_off(fit.max(2) - 1);
        alone.sort_unstable();
        gathered.sort_unstable();
    }
    let mut from = 0.0;
    let mut steps: Vec<DrawnBar> = Vec::with_capacity(alone.len() + 1);
    for index in alone {
        let bar = &bars[index];
        let (label, product) = (prose::why::bar_label(bar), product(bar));
        steps.push(DrawnBar { label, product, amount: bar.amount, from, bars: vec![index] });
        from += bar.amount;
    }
    if !gathered.is_empty() {
        let amount = gathered.iter().map(|&index| bars[index].amount).sum();
        let label = format!("{} smaller", gathered.len());
        steps.push(DrawnBar { label, product: "click to see them".to_owned(), amount, from, bars: gathered });
    }
    steps
}

fn product(bar: &Bar) -> String {
    match bar.what {
        BarKind::Spawn | BarKind::Fours => {
            format!("{} × {}", words::decimals(bar.probability, 3), signed(bar.value - bar.against))
        }
        BarKind::Worst | BarKind::Term(_) => {
            format!("{} − {}", words::decimals(bar.value, 1), words::decimals(bar.against, 1))
        }
        BarKind::NotRecorded => "see the search tree".to_owned(),
    }
}

/// A bar in a sentence, for the tooltip and for who listens.
pub(super) fn sentence(why: &Why, step: &DrawnBar) -> String {
    let amount = signed(step.amount);
    let [index] = step.bars.as_slice() else {
        return format!("{} bars, {amount} together. Click to see each", step.bars.len());
    };
    let bar = &why.bars[*index];
    match &bar.what {
        BarKind::Term(label) => format!("{label}: {amount}"),
        BarKind::NotRecorded => format!("Not recorded: {amount}"),
        _ => format!(
            "{}: {amount} = {} × ({} − {})",
            prose::why::bar_label(bar),
            words::small_probability(bar.probability),
            words::decimals(bar.value, 1),
            words::decimals(bar.against, 1)
        ),
    }
}

/// A small table: texts by row, the head first.
pub(super) type Grid = Vec<Vec<String>>;

/// What the leaves are made of, moves as rows; with more than `columns` terms each term is a row.
pub(super) fn grid(why: &Why, Terms { rows, leaves, .. }: &Terms, columns: usize) -> Grid {
    let of = match leaves {
        Leaves::Slides => "After the slide",
        Leaves::Mean => "Mean at leaves",
        Leaves::Sum => "Sum over leaves",
        Leaves::Worst => "Deciding leaf",
    };
    let moves = [why.better, why.other].map(title);
    let value = |value: f64| words::decimals(value, 1);
    if rows.len() <= columns {
        let mut head = vec![of.to_owned()];
        head.extend(rows.iter().map(prose::why::term_text));
        head.push("Sum".to_owned());
        let mut grid = vec![head];
        for (index, name) in moves.into_iter().enumerate() {
            let mut row = vec![name];
            row.extend(rows.iter().map(|term| value(term.means[index])));
            row.push(value(why.values[index]));
            grid.push(row);
        }
        return grid;
    }
    let [better, other] = moves;
    let mut grid = vec![vec![of.to_owned(), better, other, "Difference".to_owned()]];
    grid.extend(rows.iter().map(|term| {
        vec![prose::why::term_text(term), value(term.means[0]), value(term.means[1]), signed(term.difference())]
    }));
    grid.push(vec!["Sum".to_owned(), value(why.values[0]), value(why.values[1]), signed(why.difference())]);
    grid
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board;
    use crate::game::Rules;
    use crate::search::{SearchOptions, Tree};
    use crate::strategy::{Decision, Player, Strategy};
    use crate::task::CancelToken;

    fn tree(text: &str) -> std::sync::Arc<Tree> {
        let strategy: Strategy = text.parse().expect("a strategy");
        let board = board! {
            64 8 4 2
            16 4 . .
             8 2 . .
             2 4 2 .
        };
        let stop = CancelToken::new();
        let order = SearchOptions::on_one_core(&stop);
        let decision = Decision::of(&Player::new(&strategy, Rules::default()), (&board, 100), |_| 0, order, 100_000);
        decision.tree(&strategy, 0, Rules::default()).expect("a tree")
    }

    const SEARCHES: [&str; 3] = [
        "(criteria: [(evaluator: Sum([(1.0, Score), (50.0, Empty)]), lookahead: Expectimax(plies: Fixed(3)))])",
        "(criteria: [(evaluator: Snake, lookahead: Minimax(plies: Fixed(4)))])",
        "(criteria: [(evaluator: Sum([(1.0, Score), (50.0, Empty)]))])",
    ];

    #[test]
    fn steps_begin_where_the_last_ended_and_reach_the_difference_whatever_fits() {
        for search in SEARCHES {
            let tree = tree(search);
            let (better, other) = tree.second_best().expect("two moves");
            let why = tree.why(better, other).expect("two values");
            for fit in 1..=why.bars.len() + 2 {
                let steps = steps(&why, fit);
                assert!(steps.len() <= fit.max(2));
                let mut reached = 0.0;
                for step in &steps {
                    assert_eq!(step.from, reached);
                    reached = step.to();
                }
                assert!((reached - why.difference()).abs() < 1e-6, "{search} {fit}");
                let mut seen: Vec<usize> = steps.iter().flat_map(|step| step.bars.clone()).collect();
                seen.sort_unstable();
                assert!(seen.into_iter().eq(0..why.bars.len()), "each bar once");
            }
        }
    }

    #[test]
    fn what_is_gathered_is_smaller_than_what_is_not() {
        let tree = tree(SEARCHES[0]);
        let (better, other) = tree.second_best().expect("two moves");
        let why = tree.why(better, other).expect("two values");
        let steps = steps(&why, 4);
        let largest = |bars: &[usize]| bars.iter().map(|&bar| why.bars[bar].amount.abs()).fold(0.0, f64::max);
        let gathered: f64 =
            steps.iter().filter(|step| step.is_gathered()).map(|step| largest(&step.bars)).fold(0.0, f64::max);
        assert!(steps.iter().filter(|step| !step.is_gathered()).all(|step| gathered <= step.amount.abs()));
    }
}
