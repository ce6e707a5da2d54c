//! Finds the nodes of a record that match a query.

use super::super::fields::{Unit, Values, Visit};
use super::super::{NodeId, Tree};
use super::{Query, Term, Test};
use crate::task::CancelToken;

const NODES_A_LOOK: u32 = 1 << 14;

impl Tree {
    /// All matching nodes in visit order, or those found so far if it was stopped.
    pub fn find(&self, query: &Query, stop: &CancelToken) -> Vec<NodeId> {
        let mut found = Vec::new();
        let mut places = query.asks_for_boards().then(|| self.places(false));
        let mut above: Vec<Visit<'_>> = Vec::new();
        for id in self.ids() {
            if id.0.is_multiple_of(NODES_A_LOOK) && stop.is_cancelled() {
                break;
            }
            while above.last().is_some_and(|above| self.end(above.id) <= id.0) {
                above.pop();
            }
            let place = places
                .as_mut()
                .and_then(Iterator::next)
                .map(|(_, place)| place);
            let visit = self.visit(id, above.last(), place);
            if query.holds(&visit) {
                found.push(id);
            }
            if visit.node.kept_below != 0 {
                above.push(visit);
            }
        }

        found
    }
}

impl Query {
    /// Whether the query needs boards, which take longer to derive than everything else.
    fn asks_for_boards(&self) -> bool {
        self.terms
            .iter()
            .any(|term| term.field.is(Unit::OfBoard) || term.field.is(Unit::Tile))
    }

    fn holds(&self, visit: &Visit<'_>) -> bool {
        self.terms
            .iter()
            .all(|term| term.holds(visit) != term.turned_round)
    }
}

impl Term {
    fn holds(&self, visit: &Visit<'_>) -> bool {
        let is = match (&self.field.values, &self.test) {
            _ if !visit.tree.has(self.field) => None,
            (Values::Words { place, .. }, Test::Words { words, differs }) => {
                place(visit).map(|place| (words >> place & 1 == 1) != *differs)
            }
            (Values::Number { number, .. }, Test::Numbers { any, differs }) => number(visit)
                .map(|number| any.iter().any(|span| span.contains(number, self.field)) != *differs),
            (Values::Number { number, .. }, Test::Order { order, than }) => {
                number(visit).map(|number| order.holds(number, than.value))
            }
            _ => None,
        };
        is.unwrap_or(false)
    }
}
