//! View state shared by the panels Experiment, Results and Games: which strategies are shown, the selected one, the
//! baseline, the brushed scores.
//!
//! Undo does not change it. It follows the run; choices made for a strategy also apply to the next run.

use std::collections::HashMap;
use std::ops::RangeInclusive;
use std::time::{Duration, Instant};

use crate::experiment::{Common, Dealt, Summary};
use crate::game::{Rank, Size};
use crate::stats::{NO_DIFFERENCE, Planned};
use crate::strategy::StrategyHash;
use crate::workbench::panels::experiment::exact_numbers::ExactView;
use crate::workbench::panels::experiment::standings::StandingsView;
use crate::workbench::state::settings::{ExperimentView, PlotSettings};
use crate::workbench::state::{Document, ExperimentId, ExperimentRun};

/// Maximum number of outlines that a plot shows at first; more cannot be distinguished.
pub(crate) const MOST_AT_FIRST: usize = 8;

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct RunContestant {
    /// Name of the strategy, unique within a run that was set up here.
    pub label: String,
    /// A description of the strategy.
    pub about: String,
    pub hash: StrategyHash,
    /// Its color, dash and marker, see `Theme::strategy`.
    pub color: usize,
    /// Whether the plots show it.
    pub shown: bool,
}

/// Identifies a strategy across runs: two with the same rows may differ in name.
type Key = (StrategyHash, String);

/// View state of the experiment, shared by three panels. A strategy is its place in the run.
#[derive(Debug, Default)]
pub(crate) struct RunView {
    experiment: ExperimentId,
    run: u64,
    contestants: Vec<RunContestant>,
    /// Seed, rules and number of games of each contestant.
    dealt: Vec<Dealt>,
    /// Strategies that the user showed or hid.
    choices: HashMap<Key, bool>,
    /// Places of the rows that the results show now, top down; empty until they show any.
    seen: Vec<usize>,
    /// Whether the results are grouped by class.
    in_classes: bool,
    /// How scores are drawn.
    pub plots: PlotSettings,
    selected: Option<usize>,
    /// The run's strategy that was on the board last: its games stay listed while it is edited.
    on_board: Option<StrategyHash>,
    /// The strategy of the clicked bar, until another is selected.
    pub clicked: Option<usize>,
    baseline: usize,
    /// The scores of the listed games; all without a brush.
    pub brush: Option<RangeInclusive<u32>>,
    /// The tile that listed games have reached; any without one.
    pub reached: Option<Rank>,
    /// Whether games are drawn, brushed and listed by their difference to the baseline, instead of by score.
    pub by_difference: bool,
    /// The brush of the other mode.
    other_brush: Option<RangeInclusive<u32>>,
    /// The selected strategy, the clicked one and the baseline of other experiments, to restore when they are shown
    /// again.
    left: HashMap<ExperimentId, [Option<Key>; 3]>,
    /// The selected strategy and the baseline of the last session, until there is a run.
    last_time: [Option<String>; 2],
    /// Exact numbers of the run.
    pub exact: ExactView,
    /// Ranks and classes of the run.
    pub standings: StandingsView,
    /// Increases with every change of the view.
    version: u64,
    /// Whether the plot options are folded, as in all workspaces but Experiment.
    pub is_brief: bool,
}

impl RunView {
    pub(crate) fn tell_view(&self, view: &mut ExperimentView) {
        let label = |place: usize| self.contestants.get(place).map(|one| one.label.clone());
        [view.selected, view.baseline] = match self.contestants.is_empty() {
            true => self.last_time.clone(),
            // The first strategy is the default baseline.
            false => [
                self.selected.and_then(label),
                Some(self.baseline)
                    .filter(|&place| place != 0)
                    .and_then(label),
            ],
        };
    }

    pub(crate) fn restore_view(&mut self, view: &ExperimentView) {
        self.last_time = [view.selected.clone(), view.baseline.clone()];
    }

    /// Follows the document to another run; every panel calls it before it draws. Another run of the same experiment
    /// keeps selection and brush.
    pub(crate) fn follow(&mut self, doc: &Document) {
        self.follow_run(doc);
        self.turn_to(doc.strategy().hash());
        self.exact.follow(doc);
        self.standings.follow(doc, self.planned_of_all());
    }

    fn turn_to(&mut self, on_board: StrategyHash) {
        if self.contestants.iter().any(|one| one.hash == on_board) {
            self.on_board = Some(on_board);
        }
    }

    fn follow_run(&mut self, doc: &Document) {
        let (experiment, run) = (
            doc.experiment(),
            doc.shown().map_or(0, |last_run| last_run.runs),
        );
        if (self.experiment, self.run) == (experiment, run) {
            let colors = colors(doc, self.contestants.iter().map(|one| one.hash));
            for (one, color) in self.contestants.iter_mut().zip(colors) {
                self.version += u64::from(color != std::mem::replace(&mut one.color, color));
            }
            return;
        }

        let before = std::mem::take(&mut self.contestants);
        let key_of = |place: usize| {
            before
                .get(place)
                .map(|old: &RunContestant| (old.hash, old.label.clone()))
        };
        let mut keys =
            [self.selected, self.clicked, Some(self.baseline)].map(|place| place.and_then(key_of));
        let mut comes_back = false;
        if self.experiment != experiment {
            // A rerun plays the same games, so its brush and list stay.
            let is_rerun = doc.rerun().is_some_and(|(rerun, _)| rerun.runs == run);
            if !is_rerun {
                (self.brush, self.other_brush, self.reached) = (None, None, None);
            }
            if !before.is_empty() {
                self.left.insert(self.experiment, keys.clone());
            }
            if doc.shown().is_some()
                && let Some(then) = self.left.remove(&experiment)
            {
                (keys, comes_back) = (then, true);
            }
        }

        self.seen.clear();
        (self.experiment, self.run) = (experiment, run);
        self.exact.turn_to(doc.shown());
        self.dealt = doc
            .shown()
            .into_iter()
            .flat_map(ExperimentRun::arms)
            .map(|arm| arm.dealt)
            .collect();
        self.contestants = doc
            .shown()
            .and_then(ExperimentRun::plan)
            .into_iter()
            .flat_map(|plan| &plan.contestants)
            .map(|contestant| {
                let (label, hash) = (contestant.strategy.label(), contestant.strategy.hash());
                RunContestant {
                    label,
                    about: contestant.strategy.described(),
                    hash,
                    color: doc.color_index(hash),
                    shown: false,
                }
            })
            .collect();

        let colors = colors(doc, self.contestants.iter().map(|one| one.hash));
        self.contestants
            .iter_mut()
            .zip(colors)
            .for_each(|(one, color)| one.color = color);
        self.choose_shown();
        let [mut selected, clicked, mut baseline] = keys.map(|key| {
            let (hash, label) = key?;
            let position =
                |is: &dyn Fn(&RunContestant) -> bool| self.contestants.iter().position(is);
            // An edited strategy has another hash, a renamed one another name.
            position(&|now| now.hash == hash && now.label == label)
                .or_else(|| position(&|now| now.label == label))
                .or_else(|| position(&|now| now.hash == hash))
        });
        let last_time = std::mem::take(&mut self.last_time);
        let named = |label: Option<String>| {
            self.contestants
                .iter()
                .position(|now| Some(&now.label) == label.as_ref())
        };
        if self.contestants.is_empty() {
            self.last_time = last_time;
        } else if before.is_empty() && !comes_back {
            [selected, baseline] = last_time.map(named);
        }

        let reference = doc.results().and_then(|last_run| last_run.reference);
        let reference = reference.filter(|&place| place < self.contestants.len());
        (self.selected, self.clicked) = (selected, clicked);
        self.baseline = reference.or(baseline).unwrap_or(0);
        self.version += 1;
    }

    /// Seed, rules and number of games of a contestant.
    pub(crate) fn dealt(&self, place: usize) -> Option<&Dealt> {
        self.dealt.get(place)
    }

    /// The first rank with a reach rate.
    pub(crate) fn first_reached(&self) -> u8 {
        let first_of = |dealt: &Dealt| Summary::first_reached(dealt.rules.size);
        self.dealt
            .iter()
            .map(first_of)
            .min()
            .unwrap_or(Summary::first_reached(Size::FOUR))
    }

    /// The planned number of games of a contestant; from then on its intervals are those of a planned sample.
    pub(crate) fn planned(&self, place: usize) -> Planned {
        self.dealt
            .get(place)
            .map_or(Planned(0), |dealt| dealt.planned)
    }

    /// The planned number of games of a pair: the smaller plan.
    pub(crate) fn planned_of_both(&self, place: usize, other: usize) -> Planned {
        let [one, other] = [place, other].map(|place| self.planned(place));
        if one.0 < other.0 { one } else { other }
    }

    /// The smallest plan of all contestants; `None` unless all games share their tiles.
    fn planned_of_all(&self) -> Option<Planned> {
        let places = 0..self.contestants.len();
        let is_whole = places
            .clone()
            .all(|place| self.in_common(place) == Common::Tiles);
        places
            .map(|place| self.planned(place))
            .min_by_key(|planned| planned.0)
            .filter(|_| is_whole)
    }

    /// What the games of a contestant have in common with the baseline's.
    pub(crate) fn in_common(&self, place: usize) -> Common {
        match (self.dealt.get(place), self.dealt.get(self.baseline)) {
            (Some(one), Some(other)) => one.in_common(other),
            _ => Common::Nothing,
        }
    }

    /// In the order of the run.
    pub(crate) fn contestants(&self) -> &[RunContestant] {
        &self.contestants
    }

    /// Places of the strategies that the plots show.
    pub(crate) fn shown(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.contestants.len()).filter(|&place| self.contestants[place].shown)
    }

    /// Places of the strategies in plots with rows: those in the results now, in their order. Few strategies are all
    /// shown.
    pub(crate) fn in_rows(&self) -> Vec<usize> {
        let all = self.contestants.len();
        let mut rows = self.seen.clone();
        let is_few = all <= MOST_AT_FIRST || rows.is_empty();
        let rest = (0..all).filter(|&place| is_few || self.choice(place) == Some(true));
        rows.extend(rest.filter(|place| !self.seen.contains(place)));
        rows.retain(|&place| place < all && self.choice(place) != Some(false));
        rows
    }

    /// The class of a strategy, if results and plots are grouped by class.
    pub(super) fn class_in_group(&self, place: usize) -> Option<&str> {
        self.standings.class(place).filter(|_| self.in_classes)
    }

    /// Takes the rows of the results, and whether they are grouped by class; true if that changes the plots.
    pub(crate) fn see(&mut self, rows: Vec<usize>, in_classes: bool) -> bool {
        let changes = (&self.seen, self.in_classes) != (&rows, in_classes);
        if changes {
            (self.seen, self.in_classes) = (rows, in_classes);
            self.choose_shown();
            self.version += 1;
        }
        changes
    }

    fn choice(&self, place: usize) -> Option<bool> {
        let contestant = self.contestants.get(place)?;
        self.choices
            .get(&(contestant.hash, contestant.label.clone()))
            .copied()
    }

    /// Shows the user's choices, and otherwise the first rows of the results.
    fn choose_shown(&mut self) {
        let all = self.contestants.len();
        let rows = if all <= MOST_AT_FIRST || self.seen.is_empty() {
            (0..all).collect()
        } else {
            self.seen.clone()
        };
        let first: Vec<usize> = rows
            .into_iter()
            .filter(|&place| self.choice(place).is_none())
            .take(MOST_AT_FIRST)
            .collect();
        for place in 0..all {
            self.contestants[place].shown =
                self.choice(place).unwrap_or_else(|| first.contains(&place));
        }
    }

    pub(crate) fn show(&mut self, place: usize, shown: bool) {
        let Some(contestant) = self.contestants.get(place) else {
            return;
        };
        self.choices
            .insert((contestant.hash, contestant.label.clone()), shown);
        self.choose_shown();
        self.version += 1;
    }

    /// Resets the user's choices.
    pub(crate) fn show_first(&mut self) {
        self.choices.clear();
        self.choose_shown();
        self.version += 1;
    }

    /// Lists the games of a strategy that reached a tile.
    pub(crate) fn list_reached(&mut self, place: usize, tile: Rank) {
        (self.brush, self.reached, self.clicked) = (None, Some(tile), Some(place));
    }

    /// The strategy whose bars are split by largest tile: the selected one if shown, else the first.
    pub(crate) fn stacked(&self) -> Option<usize> {
        let selected = self.selected.filter(|&place| self.contestants[place].shown);
        self.plots
            .stacked
            .then(|| selected.or_else(|| self.shown().next()))
            .flatten()
    }

    /// Sets the options of the plots.
    pub(crate) fn draw_as(&mut self, plots: PlotSettings) {
        self.version += u64::from(plots != self.plots);
        self.plots = plots;
    }

    /// Draws, brushes and lists games by their difference to the baseline, or by score.
    pub(crate) fn list_by_difference(&mut self, by_difference: bool) {
        if std::mem::replace(&mut self.by_difference, by_difference) != by_difference {
            std::mem::swap(&mut self.brush, &mut self.other_brush);
            (self.reached, self.version) = (None, self.version + 1);
        }
    }

    /// The stored value that means 0 in the brush.
    pub(crate) fn zero(&self) -> u32 {
        if self.by_difference { NO_DIFFERENCE } else { 0 }
    }

    /// The strategy whose differences are drawn, and the baseline. The strategy is the selected one, else the first
    /// shown one that has games in common with the baseline, else the first; `None` if there is no other.
    pub(crate) fn compared(&self) -> Option<[usize; 2]> {
        let is_other = |place: &usize| *place != self.baseline;
        let all = || (0..self.contestants.len()).filter(is_other);
        let paired = |place: &usize| self.in_common(*place) == Common::Tiles;
        let selected = self.selected.filter(is_other);
        let shown = || self.shown().filter(is_other).find(paired);
        let place = selected
            .or_else(shown)
            .or_else(|| all().find(paired))
            .or_else(|| all().next())?;
        Some([place, self.baseline])
    }

    pub(crate) fn label(&self, place: usize) -> &str {
        self.contestants.get(place).map_or("", |one| &one.label)
    }

    /// The strategy that every panel highlights.
    pub(crate) fn selected(&self) -> Option<usize> {
        self.selected
    }

    pub(crate) fn select(&mut self, place: Option<usize>) {
        self.selected = place.filter(|&place| place < self.contestants.len());
        self.clicked = None;
        self.version += 1;
    }

    /// Highlights a strategy, or none if it is highlighted.
    pub(crate) fn toggle(&mut self, place: usize) {
        self.select((self.selected != Some(place)).then_some(place));
    }

    /// The strategy whose games are listed: that of the clicked bar, else the selected one, else the one that is or was
    /// on the board if it has games here, else the shown one with most games.
    pub(crate) fn listed(&self, games: impl Fn(usize) -> u64) -> Option<usize> {
        let is_on_board = |place: &usize| {
            Some(self.contestants[*place].hash) == self.on_board && games(*place) != 0
        };
        let on_board = || self.shown().find(is_on_board);
        let most = || {
            self.shown()
                .max_by_key(|&place| (games(place), std::cmp::Reverse(place)))
        };
        let first = || (!self.contestants.is_empty()).then_some(0);
        self.clicked
            .or(self.selected)
            .or_else(on_board)
            .or_else(most)
            .or_else(first)
    }

    /// The strategy that the others are compared with; the first, until the user pins another.
    pub(crate) fn baseline(&self) -> usize {
        self.baseline
    }

    pub(crate) fn pin(&mut self, place: usize) {
        self.baseline = place;
        self.version += 1;
    }

    /// Increases with every change except the brush.
    pub(crate) fn version(&self) -> u64 {
        self.version + self.exact.version() + self.standings.version()
    }
}

/// A color for each contestant, even if two are the same strategy in two runs.
fn colors(doc: &Document, hashes: impl Iterator<Item = StrategyHash>) -> Vec<usize> {
    let wanted: Vec<usize> = hashes.map(|hash| doc.color_index(hash)).collect();
    let mut colors: Vec<usize> = Vec::new();
    for &color in &wanted {
        let free = |color: &usize| !colors.contains(color) && !wanted.contains(color);
        let color = if colors.contains(&color) {
            (0..).find(free).unwrap_or(color)
        } else {
            color
        };
        colors.push(color);
    }
    colors
}

/// Decides when to recompute a view: at once if the view changed; during a run so rarely that it takes at most a tenth
/// of the time.
#[derive(Debug, Default)]
pub(crate) struct Refresh {
    last: Option<(Instant, Stamp)>,
    cost: Duration,
}

/// The inputs of a computed view: the run, its numbers, the view state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stamp {
    /// [`ExperimentRun::runs`].
    pub run: u64,
    /// [`ExperimentRun::version`].
    pub last_run: u64,
    /// Anything else; a change counts at once.
    pub view: u64,
    /// Whether more numbers are coming.
    pub busy: bool,
}

impl Stamp {
    pub(crate) fn of(doc: &Document, view: u64) -> Self {
        let last_run = doc.shown().unwrap_or(doc.last_run());
        Self {
            run: last_run.runs,
            last_run: last_run.version,
            view,
            busy: last_run.is_busy(),
        }
    }
}

impl Refresh {
    /// Ten times a second at most during a run.
    const PERIOD: Duration = Duration::from_millis(100);

    pub(crate) fn is_due(&self, stamp: Stamp) -> bool {
        let Some((at, old)) = self.last else {
            return true;
        };
        if old.run != stamp.run || old.view != stamp.view || old.busy != stamp.busy {
            return true;
        }
        old.last_run != stamp.last_run
            && (!stamp.busy || Self::PERIOD.max(10 * self.cost) <= at.elapsed())
    }

    /// Computes, and records the time it took.
    pub(crate) fn run<T>(&mut self, stamp: Stamp, compute: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let result = compute();
        self.cost = start.elapsed();
        self.last = Some((Instant::now(), stamp));
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_those_of_the_strategy_that_was_clicked_or_selected_or_is_on_the_board() {
        let contestant = |hash| RunContestant {
            label: String::new(),
            about: String::new(),
            hash: StrategyHash(hash),
            color: 0,
            shown: true,
        };
        let mut view = RunView {
            contestants: [10, 20, 30].map(contestant).to_vec(),
            ..RunView::default()
        };

        let listed = |view: &mut RunView, board| {
            view.turn_to(StrategyHash(board));
            view.listed(|place| [5, 1, 0][place])
        };

        assert_eq!(
            listed(&mut view, 99),
            Some(0),
            "none of them plays on the board: the one with most games"
        );
        assert_eq!(listed(&mut view, 20), Some(1));
        assert_eq!(
            listed(&mut view, 99),
            Some(1),
            "it is edited: its games stay"
        );
        assert_eq!(
            listed(&mut view, 30),
            Some(0),
            "the one on the board has no game there"
        );

        view.select(Some(2));
        assert_eq!(
            listed(&mut view, 20),
            Some(2),
            "asked for, whether it has games there or not"
        );
        view.clicked = Some(1);
        assert_eq!(listed(&mut view, 10), Some(1));
        view.select(Some(0));
        assert_eq!(
            listed(&mut view, 20),
            Some(0),
            "what was selected last counts"
        );
    }

    #[test]
    fn plots_show_the_rows_of_the_results_where_there_are_many() {
        let contestant = |hash| RunContestant {
            label: format!("{hash}"),
            about: String::new(),
            hash: StrategyHash(hash),
            color: 0,
            shown: false,
        };

        let view_of = |count: u64| {
            let mut view = RunView {
                contestants: (0..count).map(contestant).collect(),
                ..RunView::default()
            };
            view.choose_shown();
            view
        };

        let shown = |view: &RunView| view.shown().collect::<Vec<_>>();
        let mut few = view_of(3);
        few.see(vec![2], false);
        assert_eq!(
            (shown(&few), few.in_rows()),
            (vec![0, 1, 2], vec![2, 0, 1]),
            "a few are all there"
        );
        let mut many = view_of(65);
        assert_eq!(
            (shown(&many), many.in_rows().len()),
            ((0..8).collect(), 65),
            "before there are results"
        );
        let rows = || (30..42).rev().collect();
        assert!(many.see(rows(), false) && !many.see(rows(), false));
        assert_eq!(
            shown(&many),
            (34..42).collect::<Vec<_>>(),
            "the first eight rows"
        );
        assert_eq!(many.in_rows(), (30..42).rev().collect::<Vec<_>>());
        many.show(41, false);
        many.show(3, true);
        assert_eq!(
            shown(&many),
            [&[3][..], &(33..41).collect::<Vec<_>>()].concat()
        );
        assert_eq!(
            many.in_rows(),
            [(30..41).rev().collect(), vec![3]].concat(),
            "what was asked for stays"
        );
        many.show_first();
        assert_eq!(shown(&many), (34..42).collect::<Vec<_>>());
    }

    #[test]
    fn numbers_of_a_run_are_refreshed_rarely_and_views_at_once() {
        let mut refresh = Refresh::default();
        let stamp = Stamp {
            run: 1,
            last_run: 1,
            view: 1,
            busy: true,
        };
        assert!(refresh.is_due(stamp));
        refresh.run(stamp, || ());
        assert!(!refresh.is_due(stamp));
        assert!(
            !refresh.is_due(Stamp {
                last_run: 2,
                ..stamp
            }),
            "not twice within a tenth of a second"
        );
        assert!(refresh.is_due(Stamp { view: 2, ..stamp }));
        assert!(
            refresh.is_due(Stamp {
                last_run: 2,
                busy: false,
                ..stamp
            }),
            "the end is shown at once"
        );
        assert!(refresh.is_due(Stamp { run: 2, ..stamp }));
    }
}
