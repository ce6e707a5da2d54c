//! With which strategy the one that plays is compared.

use crate::search::{Cut, Lookahead, Plies};
use crate::strategy::Strategy;
use crate::workbench::command::{Commands, CompareCommand, StrategyCommand};
use crate::workbench::state::{Document, Opened};

/// Begins a comparison, with the next strategy that searches or a twin opened for it, or ends it.
pub(in crate::workbench::panels::tree) fn toggle(doc: &Document, commands: &mut Commands) {
    if doc.baseline().is_some() {
        commands.push(CompareCommand::With(None));
    } else if let Some(index) = partner(doc.strategies(), doc.current()) {
        commands.push(CompareCommand::With(Some(index)));
    } else {
        let index = doc.strategies().len();
        commands.push(StrategyCommand::Open(Box::new(twin(&doc.strategy()))));
        commands.push(StrategyCommand::Select(doc.current()));
        commands.push(CompareCommand::With(Some(index)));
    }
}

/// The open strategy that the one that plays is set beside: the next one that searches if it does.
fn partner(strategies: &[Opened], current: usize) -> Option<usize> {
    let searches = strategies[current].looks_ahead();
    let mut others = (1..strategies.len()).map(|step| (current + step) % strategies.len());
    others.find(|&index| !searches || strategies[index].looks_ahead())
}

/// The same evaluators looked at the other way: minimax for expectimax and the other way round, as deep.
fn twin(strategy: &Strategy) -> Strategy {
    let mut twin = strategy.clone();
    let mut kind = "expectimax";
    for criterion in &mut twin.criteria {
        let is_one_ply = criterion.lookahead == Lookahead::OnePly;
        if is_one_ply && strategy.looks_ahead() {
            continue;
        }
        criterion.lookahead = criterion.lookahead.twin();
        let is_minimax = criterion.lookahead.is_minimax();
        let Some(search) = criterion.lookahead.depth_limited_mut() else { continue };
        if is_one_ply {
            search.plies = Some(Plies::default());
        }
        if is_minimax {
            kind = "minimax";
            // What is improbable may be the worst, so that no bound on the reach is kept.
            search.cuts.retain(|cut| !matches!(cut, Cut::Reach(_)));
        }
    }
    twin.name = format!("{} as {kind}", strategy.label());
    twin
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strategy(lookahead: &str) -> Strategy {
        let text = format!("(name: \"a\", criteria: [(evaluator: Snake, lookahead: {lookahead})])");
        text.parse().expect("a strategy")
    }

    #[test]
    fn the_twin_looks_as_deep_the_other_way_and_its_twin_is_the_first_again() {
        for lookahead in ["Expectimax(plies: Fixed(4))", "Minimax(plies: Fixed(5), cuts: [AlphaBeta], dead: Zero)"] {
            let first = strategy(lookahead);
            let second = twin(&first);
            assert_ne!(first.criteria, second.criteria);
            assert_eq!(first.criteria[0].lookahead.depth_text(), second.criteria[0].lookahead.depth_text());
            assert_eq!(twin(&second).criteria, first.criteria);
            let size = "0,0,0,0/0,0,0,0/0,0,0,0/0,0,2,2".parse::<crate::game::Board>().expect("a board").size();
            assert_eq!(second.check(size), Ok(()));
        }
        assert_eq!(twin(&strategy("Expectimax()")).name, "a as minimax");
        assert!(twin(&strategy("OnePly")).looks_ahead());
    }

    #[test]
    fn what_searches_is_compared_with_what_searches() {
        let all =
            [strategy("OnePly"), strategy("Expectimax()"), strategy("OnePly"), strategy("Minimax()")].map(Opened::new);
        assert_eq!([0, 1, 2, 3].map(|current| partner(&all, current)), [Some(1), Some(3), Some(3), Some(1)]);
        assert_eq!(partner(&all[..2], 1), None);
        assert_eq!(partner(&all[..1], 0), None);
    }
}
