//! The panels of the search tree under commands in random order, also during searches.

use std::time::{Duration, Instant};

use afterstate::game::Move;
use afterstate::search::NodeId;
use afterstate::workbench::App;
use afterstate::workbench::command::{
    Command, CompareCommand, GameCommand, Panel, StrategyCommand, ViewCommand, Workspace,
};
use afterstate::workbench::state::Thought;

use crate::common::{
    Drive as _, Window, apply, begin, begin_pasted, document, open, paste, tree_commands, until,
};

const STRATEGIES: [&str; 5] = [
    "(name: \"mean\", criteria: [(evaluator: Sum([(1.0, Score), (50.0, Empty)]), lookahead: Expectimax(plies: Fixed(3)))])",
    "(name: \"least\", criteria: [(evaluator: Snake, lookahead: Minimax(plies: Fixed(4), cuts: [AlphaBeta]), prefer: Lower)])",
    "(name: \"few\", criteria: [(evaluator: Empty), (evaluator: Snake, \
        lookahead: Expectimax(plies: Fixed(5), cuts: [Reach(0.02), ImportantCells(k: 2)]))])",
    "(name: \"sum\", criteria: [(evaluator: Score, lookahead: Expectimax(plies: Fixed(3), spawn: Sum, dead: Zero))])",
    "(name: \"cell\", criteria: [(evaluator: Empty, lookahead: Expectimax(plies: Fixed(4), spawn: MinCell))])",
];

/// Dead, nearly dead, and of other sizes.
const BOARDS: [&str; 5] = [
    "2,4,2,4/4,2,4,2/2,4,2,4/4,2,4,2",
    "2,4,2,4/4,2,4,2/2,4,2,4/4,2,4,0",
    "0,2,0/2,0,4/0,8,0",
    "2,4,2,4,2/4,2,4,2,4/2,4,2,4,2/4,2,4,2,4/2,4,2,8,8",
    "64,8,4,2/16,4,0,0/8,2,0,0/2,4,2,0",
];

fn app(window: &Window) -> &App {
    window.state().as_ref().expect("the window is open")
}

/// Reproducible random numbers; SplitMix64.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ z >> 31) % most as u64) as usize
    }

    fn of<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }
}

fn something(window: &mut Window, numbers: &mut Numbers) {
    let strategies = document(window).strategies().len();
    match numbers.below(24) {
        0..10 => {
            let commands = tree_commands();
            begin(window, commands[numbers.below(commands.len())].clone());
        }
        10..12 => {
            let index = numbers.below(STRATEGIES.len());
            begin_pasted(window, STRATEGIES[index]);
        }
        12 => {
            let index = numbers.below(BOARDS.len());
            begin_pasted(window, BOARDS[index]);
        }
        13 => begin(
            window,
            CompareCommand::With(Some(numbers.below(strategies + 1))),
        ),
        14 => begin(
            window,
            StrategyCommand::Select(numbers.below(strategies + 1)),
        ),
        15 => begin(window, StrategyCommand::Close),
        16 => begin(window, GameCommand::Slide(numbers.of(&Move::ALL))),
        17 => begin(
            window,
            [Command::Undo, Command::Redo][numbers.below(2)].clone(),
        ),
        18 => begin(
            window,
            [
                GameCommand::EditPosition,
                GameCommand::ApplyEdit,
                GameCommand::CancelEdit,
                GameCommand::ClearEdit,
            ][numbers.below(4)]
            .clone(),
        ),
        19 => {
            begin(
                window,
                [
                    Command::Stop,
                    GameCommand::Step.into(),
                    GameCommand::Previous.into(),
                    GameCommand::First.into(),
                ][numbers.below(4)]
                .clone(),
            );
        }
        20 => begin(
            window,
            ViewCommand::ShowPanel(numbers.of(&[
                Panel::Tree,
                Panel::Node,
                Panel::Why,
                Panel::Board,
            ])),
        ),
        21 => {
            let ctx = window.ctx.clone();
            ctx.memory_mut(egui::Memory::stop_text_input);
            let key = numbers.of(&[
                egui::Key::ArrowLeft,
                egui::Key::ArrowDown,
                egui::Key::Space,
                egui::Key::Q,
                egui::Key::Escape,
            ]);
            window.key_press(key);
            window.step();
        }
        22 => until(window, "the decision", |window| {
            !matches!(document(window).thought(), Thought::Searching(_))
        }),
        _ => window.draw(),
    }
}

/// The time of `AFTERSTATE_FUZZ_SECS`, as in the tests of parsers.
fn longer() -> Duration {
    let seconds = std::env::var("AFTERSTATE_FUZZ_SECS").ok();
    let seconds = seconds.map(|text| {
        text.parse()
            .expect("AFTERSTATE_FUZZ_SECS is a number of seconds")
    });
    Duration::from_secs(seconds.unwrap_or(0))
}

#[test]
fn whatever_is_asked_for_in_whatever_order_the_window_goes_on() {
    let begun = Instant::now();
    for seed in (0..).take_while(|&seed| seed < SEEDS || begun.elapsed() < longer()) {
        let folder = tempfile::tempdir().expect("a folder");
        let mut window = open(folder.path());
        apply(&mut window, ViewCommand::Workspace(Workspace::Search));
        paste(&mut window, BOARDS[4]);
        paste(&mut window, STRATEGIES[0]);
        let mut numbers = Numbers(seed);
        for _ in 0..STEPS {
            something(&mut window, &mut numbers);
            let inspection = app(&window).inspection();
            let Some(shown) = inspection.shown() else {
                continue;
            };
            let recorded = shown.tree.kept() as u32;
            let is_there = |id: &NodeId| id.0 < recorded;
            assert!(
                is_there(&inspection.selected()),
                "what is selected is in the tree"
            );
            assert!(
                inspection.line().ids.iter().all(is_there)
                    && inspection.filter.matches().iter().all(is_there)
            );
            assert!(
                inspection
                    .rows
                    .iter()
                    .flat_map(|rows| rows.iter())
                    .all(is_there),
                "rows are of this tree"
            );
            assert!(
                inspection
                    .replay
                    .as_ref()
                    .is_none_or(|replay| std::sync::Arc::ptr_eq(replay.tree(), &shown.tree))
            );
        }
    }
}

/// Each seed starts with a new window. `AFTERSTATE_FUZZ_SECS` goes on with more.
const SEEDS: u64 = 2;
/// Commands per seed.
const STEPS: usize = 130;
