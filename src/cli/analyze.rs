//! `analyze`: the decision of a strategy on a board, with its reasons.

use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

use serde::Serialize;

use super::Failure;
use super::args::AnalyzeArgs;
use super::best_play::{BestPlayJson, BestPlayRequest};
use super::estimate;
use super::input::{self, BoardFailure};
use super::interrupt::{Busy, Interrupt};
use super::plies::{PliesJson, PliesRequest};
use super::response::respond;
use super::sampled::{LeadJson, SampleJson};
use super::table::{cells, json_line, listed};
use super::terminal::tell;
use super::uncut::{UncutJson, UncutRequest};
use super::values::Format;
use super::why::{WhyJson, WhyRequest, searching_row};
use crate::files;
use crate::game::{Move, Moves, Rules, Seed};
use crate::preset::TextKind;
use crate::prose;
use crate::search::{
    Grafted, NodeCounts, NotSearched, Report, SearchOptions, Tree, TreeFormat, TreeReadError,
};
use crate::strategy::{Decision, Player, Strategy};
use crate::table::Head;
use crate::task::CancelToken;
use crate::words;

pub(super) fn analyze(args: &AnalyzeArgs, out: &mut impl Write) -> Result<(), Failure> {
    if let Some(axis) = &args.over {
        return respond(args, axis, out);
    }
    if let Some(path) = &args.open {
        return reopen(args, path, out);
    }

    // The parser does not require --open, as the board is given instead.
    if !args.search_on.is_empty() {
        return Err(Failure::usage(
            "--search-on works on a saved search: name its file with --open",
        ));
    }

    let strategy = input::strategy(args.strategy_text())?;
    let requests = Requests::of(args, &strategy)?;
    let interrupt = strategy
        .criteria
        .iter()
        .any(|row| row.lookahead.searches())
        .then(Interrupt::catch);
    let never = CancelToken::new();
    let stop = interrupt
        .as_ref()
        .map_or(&never, |interrupt| &interrupt.stop);
    let mut compiled: Option<Player> = None;
    let mut first = true;
    input::for_each_board(&args.boards(), args.p4, out, |out, board, score| {
        let rules = Rules {
            size: board.size(),
            p4: args.p4,
            ..Rules::default()
        };
        // Boards of the same size share a player.
        let player = match compiled.take() {
            Some(player) if player.rules() == rules => player,
            _ => {
                strategy.check_for(rules).map_err(|reason| {
                    BoardFailure::Misfit(format!("--strategy {}: {reason}", strategy.label()))
                })?;
                Player::new(&strategy, rules)
            }
        };
        let _busy = interrupt.as_ref().map(Interrupt::busy);
        let order = SearchOptions::on_cores(stop, args.threads as usize);
        if let Some(warning) = estimate::warning(&strategy, rules, (&board, score), order) {
            tell(&format!("afterstate: {warning}"));
        }

        let seed = Seed(args.seed).game(0);
        let decision = Decision::of(
            &player,
            (&board, score),
            |n| seed.tie(0, n),
            order,
            requests.cap(args),
        );
        compiled = Some(player);
        if stop.is_cancelled() {
            return Err(BoardFailure::Stopped);
        }
        if args.format == Format::Text && !std::mem::take(&mut first) {
            writeln!(out)?;
        }

        requests.answer(&decision, &strategy, order, args.format, out)
    })
}

/// `--open`: the same for a recorded search.
fn reopen(args: &AnalyzeArgs, path: &Path, out: &mut impl Write) -> Result<(), Failure> {
    let busy = Busy::begin();
    let failure = |reason: &dyn std::fmt::Display| {
        Failure::could(format!("--open {}: {reason}", path.display()))
    };
    let mut file = files::open_to_read(path)
        .map_err(|error| Failure::missing(path, format!("--open {error}")))?;
    let tree = match Tree::read(&mut file, &busy.stop) {
        Err(TreeReadError::Stopped) => {
            return Err(Failure::Stopped(" while the file was read".to_owned()));
        }
        Err(error) => {
            return Err(failure(
                &not_a_record(path)?.unwrap_or_else(|| error.to_string()),
            ));
        }
        Ok(tree) => Arc::new(tree),
    };

    let report = tree.check_until(&busy.stop);
    let report = report.ok_or_else(|| Failure::Stopped(" before there was a result".to_owned()))?;
    if !report.is_sound() {
        let wrong = prose::self_check(&report);
        tell(&format!(
            "afterstate: --open {}: its values are inconsistent, {wrong}",
            path.display()
        ));
    }

    let order = SearchOptions::on_cores(&busy.stop, args.threads as usize);
    let (tree, found) = search_on(args, tree, order)?;
    let none = "it starts inside a search, not at a decision";
    let (decision, strategy) = Decision::of_record(&tree).ok_or_else(|| failure(&none))?;
    let requests = Requests::of(args, &strategy)?;
    if !tree.knows_evaluator() && requests.evaluates() {
        let reason = "its evaluator belongs to the program that wrote it, so boards cannot be evaluated here";
        return Err(failure(&format!(
            "{reason}: leave --lines, --leaves and --uncut out"
        )));
    }
    if args.format == Format::Text {
        found
            .iter()
            .try_for_each(|found| writeln!(out, "{}", found.text()))?;
    }

    let requests = Requests { found, ..requests };
    requests
        .answer(&decision, &strategy, order, args.format, out)
        .map_err(|failure| match failure {
            BoardFailure::Misfit(reason) => Failure::usage(reason),
            BoardFailure::Could(reason) => Failure::could(reason),
            BoardFailure::Stopped => Failure::Stopped(" before there was a result".to_owned()),
            BoardFailure::Output(error) => error.into(),
        })
}

/// Why a file that does not begin as a record of a search is not one; `None` if it does.
fn not_a_record(path: &Path) -> Result<Option<String>, Failure> {
    let start = files::read_start(path, Tree::HEAD_BYTES)?;
    if Tree::is_record(&start) {
        return Ok(None);
    }
    let Ok(text) = std::str::from_utf8(&start) else {
        return Ok(None);
    };
    let kind = TextKind::of(text);
    // Any text that begins with a digit may be a position.
    let is_known = !matches!(
        kind,
        TextKind::Board | TextKind::Tree | TextKind::Json | TextKind::Unknown
    );
    Ok(is_known.then(|| kind.refusal(text, "a recorded search, which --tree FILE.json writes,")))
}

/// `--search-on`: the record with the results below these nodes, added one after another.
fn search_on(
    args: &AnalyzeArgs,
    mut tree: Arc<Tree>,
    order: SearchOptions<'_>,
) -> Result<(Arc<Tree>, Vec<FoundJson>), Failure> {
    let mut all = Vec::new();
    // From the last one backward: the new nodes below a node change the numbers of those after it.
    let mut ids = args.search_on.clone();
    ids.sort_unstable_by(|a, b| b.cmp(a));
    ids.dedup();

    for id in ids {
        let wrong =
            |reason: &dyn std::fmt::Display| Failure::could(format!("--search-on {id}: {reason}"));
        let nodes = tree.kept() as u64;
        let node = tree.ids().nth(id as usize).ok_or_else(|| {
            Failure::usage(format!(
                "--search-on {id}: the record has nodes 0 to {}",
                nodes - 1
            ))
        })?;
        // The other tile on its cell was searched with it.
        if all
            .last()
            .is_some_and(|last: &FoundJson| last.node == id + 1)
            && tree.is_graft(node)
        {
            continue;
        }
        let cap = args.nodes as usize;
        let grown = match tree.search_on(node, args.more as u32, cap, order) {
            Err(NotSearched::Stopped) => {
                return Err(Failure::Stopped(" before there was a result".to_owned()));
            }
            grown => grown.map_err(|reason| wrong(&reason))?,
        };
        all.push(FoundJson::of(id, &grown, tree.chosen));
        tree = Arc::new(grown.tree);
    }

    Ok((tree, all))
}

/// The result of a later search of a node.
#[derive(Serialize)]
struct FoundJson {
    node: u32,
    nodes: u64,
    still_cut: u64,
    before: Option<f64>,
    value: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    effect: Option<EffectJson>,
    #[serde(skip)]
    sentence: Option<String>,
}

/// The effect at the root.
#[derive(Serialize)]
struct EffectJson {
    #[serde(rename = "move")]
    mv: &'static str,
    before: f64,
    after: f64,
    bound: &'static str,
    best: &'static str,
    changes_choice: bool,
}

impl FoundJson {
    fn of(node: u32, grown: &Grafted, chosen: Option<Move>) -> Self {
        let effect = grown.effect.map(|effect| EffectJson {
            mv: effect.mv.name(),
            before: effect.before,
            after: effect.after,
            bound: effect.bound.name(),
            best: effect.best.name(),
            changes_choice: effect.changes_choice,
        });
        let sentence = grown
            .effect
            .map(|effect| prose::effect_sentence(&effect, chosen, grown.still_cut));
        let Grafted {
            nodes,
            still_cut,
            before,
            value,
            ..
        } = *grown;
        Self {
            node,
            nodes,
            still_cut,
            before,
            value,
            effect,
            sentence,
        }
    }

    fn text(&self) -> String {
        let nodes = prose::nodes_still_cut(self.nodes, self.still_cut);
        let worth = prose::worth_now(self.value, self.before);
        let effect = self
            .sentence
            .as_ref()
            .map_or_else(String::new, |sentence| format!(". {sentence}"));
        format!(
            "Node {} is worth {worth}, searched with {nodes}{effect}",
            self.node
        )
    }
}

/// What is requested besides the decision.
struct Requests<'a> {
    /// Earlier results of --search-on.
    found: Vec<FoundJson>,
    tree: Option<TreeRequest<'a>>,
    why: Option<WhyRequest>,
    play: Option<BestPlayRequest>,
    plies: Option<PliesRequest<'a>>,
    uncut: Option<UncutRequest>,
}

impl<'a> Requests<'a> {
    /// The requests of the flags; refused before the search if they are not possible.
    fn of(args: &'a AnalyzeArgs, strategy: &Strategy) -> Result<Self, Failure> {
        Ok(Self {
            found: Vec::new(),
            tree: TreeRequest::of(args, strategy)?,
            why: WhyRequest::of(args, strategy)?,
            play: BestPlayRequest::of(args, strategy)?,
            plies: PliesRequest::of(args, strategy)?,
            uncut: UncutRequest::of(args, strategy)?,
        })
    }

    /// How many nodes of each search are recorded.
    fn cap(&self, args: &AnalyzeArgs) -> usize {
        match () {
            () if self.tree.is_some() || self.why.is_some() => args.nodes as usize,
            // The root and the moves alone are enough to describe the search.
            () if self.uncut.is_some() => 1 + Move::ALL.len(),
            () => usize::from(self.play.is_some() || self.plies.is_some()),
        }
    }

    /// Whether the answer evaluates boards.
    fn evaluates(&self) -> bool {
        self.play.is_some() || self.uncut.is_some()
    }

    /// Prints the decision with all requested answers.
    fn answer(
        &self,
        decision: &Decision,
        strategy: &Strategy,
        order: SearchOptions<'_>,
        format: Format,
        out: &mut impl Write,
    ) -> Result<(), BoardFailure> {
        let tree = self
            .tree
            .as_ref()
            .map(|request| request.write(decision, strategy, order.stop))
            .transpose()?;
        let why = self
            .why
            .as_ref()
            .map(|request| request.tell(decision, order.stop))
            .transpose()?;
        let best_play = self
            .play
            .as_ref()
            .map(|request| request.follow(decision, order))
            .transpose()?;
        let per_ply = self
            .plies
            .as_ref()
            .map(|request| request.tell(decision, order))
            .transpose()?;
        let uncut = self
            .uncut
            .as_ref()
            .map(|request| request.tell(decision, order))
            .transpose()?;
        if format == Format::Json {
            let search_on = &self.found;
            let answer = DecisionJson {
                search_on,
                best_play,
                per_ply,
                uncut,
                ..DecisionJson::of(decision, tree, why)
            };
            return Ok(json_line(out, &answer)?);
        }

        write!(out, "{}", text(decision, strategy))?;
        if let Some(tree) = tree {
            writeln!(out, "{}", tree.text())?;
        }

        let texts = [
            why.map(|why| why.map_or_else(|| nothing(WhyRequest::NOTHING), |why| why.text())),
            best_play.map(|play| {
                play.map_or_else(|| nothing(BestPlayRequest::NOTHING), |play| play.text())
            }),
            per_ply.map(|plies| {
                plies.map_or_else(|| nothing(PliesRequest::NOTHING), |plies| plies.text())
            }),
            uncut.map(|uncut| {
                uncut.map_or_else(|| nothing(UncutRequest::NOTHING), |uncut| uncut.text())
            }),
        ];
        texts
            .into_iter()
            .flatten()
            .try_for_each(|text| write!(out, "{text}"))?;
        Ok(())
    }
}

/// The sentence printed if there is nothing to answer.
fn nothing(sentence: &str) -> String {
    format!("\n{sentence}\n")
}

struct TreeRequest<'a> {
    path: &'a Path,
    format: TreeFormat,
    /// The row of the search, from 0.
    row: usize,
    is_opened: bool,
}

impl<'a> TreeRequest<'a> {
    /// The request of the flags; refused before the search if it is not possible.
    fn of(args: &'a AnalyzeArgs, strategy: &Strategy) -> Result<Option<Self>, Failure> {
        let Some(path) = &args.tree else {
            return Ok(None);
        };
        let format = TreeFormat::of_path(path)
            .map_err(|reason| Failure::usage(format!("--tree {reason}")))?;
        if args.has_input() {
            return Err(Failure::usage(
                "--tree needs a single board: give the board instead of -",
            ));
        }
        let row = searching_row(args, strategy, "--tree")?;
        Ok(Some(Self {
            path,
            format,
            row,
            is_opened: args.open.is_some(),
        }))
    }

    /// Writes the tree whole or not at all.
    fn write(
        &self,
        decision: &Decision,
        strategy: &Strategy,
        stop: &CancelToken,
    ) -> Result<TreeJson, BoardFailure> {
        let searched = decision.searches.get(self.row).and_then(Option::as_ref);
        let Some(tree) = searched.and_then(|searched| searched.tree.as_deref()) else {
            let reason = match decision.legal().len() {
                0 => "the board is dead".to_owned(),
                1 => "the board has a single legal move, which needs no search".to_owned(),
                _ if strategy.criteria.get(self.row).is_some_and(|row| row.off) => {
                    format!("row {} is switched off", self.row + 1)
                }
                _ if self.row == 0 => "row 1 had nothing to search".to_owned(),
                _ => format!("the rows before row {} decided", self.row + 1),
            };
            return Err(BoardFailure::Could(format!(
                "--tree: nothing was searched: {reason}"
            )));
        };

        tree.can_write(self.format).map_err(|reason| {
            BoardFailure::Could(format!("--tree {}: {reason}", self.path.display()))
        })?;
        let written =
            files::check_room(self.path, tree.estimated_size(self.format)).and_then(|()| {
                files::write_with(self.path, |out| {
                    tree.write(self.format, &mut Stoppable { out, stop })
                })
            });

        match written {
            Err(_) if stop.is_cancelled() => Err(BoardFailure::Stopped),
            Err(error) => Err(error.into()),
            Ok(()) => Ok(TreeJson::of(self, tree, strategy)),
        }
    }
}

/// A writer that fails once a stop is requested.
struct Stoppable<'a> {
    out: &'a mut dyn Write,
    stop: &'a CancelToken,
}

impl Write for Stoppable<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // Not `Interrupted`, as writers would try again.
        if self.stop.is_cancelled() {
            Err(io::Error::other("stopped"))
        } else {
            self.out.write(bytes)
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

#[derive(Serialize)]
struct DecisionJson<'a> {
    board: String,
    score: u64,
    moves: Vec<MoveJson>,
    kept: Vec<Vec<&'static str>>,
    choice: Vec<&'static str>,
    #[serde(rename = "move")]
    chosen: Option<&'static str>,
    /// Whether it is the only legal move, which is played without evaluating a row, so that it has no values.
    forced: bool,
    /// The two best means of each row that drew samples; absent if no row did.
    #[serde(skip_serializing_if = "Option::is_none")]
    leads: Option<Vec<Option<LeadJson>>>,
    nodes: Vec<Option<NodeCounts>>,
    plies: Vec<Option<u32>>,
    /// Absent without --search-on.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    search_on: &'a [FoundJson],
    #[serde(skip_serializing_if = "Option::is_none")]
    tree: Option<TreeJson>,
    /// Null if it was requested and there are no two moves to compare.
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<Option<WhyJson>>,
    /// Null if it was requested and nothing was searched.
    #[serde(skip_serializing_if = "Option::is_none")]
    best_play: Option<Option<BestPlayJson>>,
    /// Null if it was requested and nothing was searched by depth.
    #[serde(skip_serializing_if = "Option::is_none")]
    per_ply: Option<Option<PliesJson>>,
    /// Null if it was requested and nothing was searched.
    #[serde(skip_serializing_if = "Option::is_none")]
    uncut: Option<Option<UncutJson>>,
    /// For each row the board that was searched instead of this one, with its large tiles halved; absent if there was
    /// none.
    #[serde(skip_serializing_if = "Option::is_none")]
    halved: Option<Vec<Option<String>>>,
}

/// The tree file that `--tree` wrote.
#[derive(Serialize)]
struct TreeJson {
    file: String,
    row: usize,
    evaluator: String,
    lookahead: String,
    plies: u32,
    p4: f64,
    kept: usize,
    left_out: u64,
    least_reach: f64,
    elsewhere: u64,
    unfinished: u64,
    check: CheckJson,
    /// Whether it was opened from a file.
    #[serde(skip)]
    is_opened: bool,
}

#[derive(Serialize)]
struct CheckJson {
    sound: bool,
    nodes: u64,
    unsure: u64,
    flaws: Vec<String>,
}

impl TreeJson {
    fn of(request: &TreeRequest<'_>, tree: &Tree, strategy: &Strategy) -> Self {
        let criterion = &strategy.criteria[request.row];
        let Report {
            nodes,
            unsure,
            flaws,
            wrong,
        } = tree.check();
        Self {
            file: request.path.display().to_string(),
            row: request.row,
            evaluator: criterion.evaluator.to_string(),
            lookahead: criterion.lookahead.to_string(),
            plies: tree.subject().plies,
            p4: tree.subject().definition.rules.p4,
            kept: tree.kept(),
            left_out: tree.left_out(),
            least_reach: tree.least_reach,
            elsewhere: tree.elsewhere,
            unfinished: tree.unfinished,
            is_opened: request.is_opened,
            check: CheckJson {
                sound: wrong == 0,
                nodes,
                unsure,
                flaws: flaws.iter().map(ToString::to_string).collect(),
            },
        }
    }

    fn text(&self) -> String {
        let mut text = format!(
            "{} holds {}",
            self.file,
            words::plural(self.kept as u64, "node")
        );
        if self.left_out != 0 {
            let (left_out, least) = (
                words::count(self.left_out),
                words::small_probability(self.least_reach),
            );
            text += &format!(
                ", without {left_out} more that are reached with a probability of at most {least}"
            );
        }
        text + match self.check.flaws.first() {
            None => "; the self-check found no errors",
            // A wrong value in a file is not an error of this program.
            Some(_) if self.is_opened => {
                "; the self-check found values that do not follow from the nodes below: --format json lists them"
            }
            Some(_) => {
                "; the self-check found errors, please report them: --format json lists them"
            }
        }
    }
}

#[derive(Serialize)]
struct MoveJson {
    #[serde(rename = "move")]
    mv: &'static str,
    legal: bool,
    reward: Option<u32>,
    afterstate: Option<String>,
    values: Vec<Option<f64>>,
    bounds: Vec<Option<&'static str>>,
    fell_at: Option<usize>,
    /// For each row that drew samples; absent if none did.
    #[serde(skip_serializing_if = "Option::is_none")]
    samples: Option<Vec<Option<SampleJson>>>,
}

impl DecisionJson<'_> {
    fn of(decision: &Decision, tree: Option<TreeJson>, why: Option<Option<WhyJson>>) -> Self {
        let is_sampled = decision
            .searches
            .iter()
            .flatten()
            .any(|searched| searched.playouts.is_some());
        let names = |moves: Moves| moves.iter().map(Move::name).collect();
        let lower = || {
            decision
                .searches
                .iter()
                .map(|row| Some(row.as_ref()?.lower?.to_string()))
        };
        let is_halved = lower().any(|board| board.is_some());
        let moves = decision.moves.iter().map(|(mv, candidate)| {
            let candidate = candidate.as_ref();
            let values =
                candidate.map_or_else(|| vec![None; decision.kept.len()], |one| one.values.clone());
            let bound =
                |(row, value): (usize, &Option<f64>)| value.map(|_| decision.bound_name(row, mv));
            MoveJson {
                mv: mv.name(),
                legal: candidate.is_some(),
                reward: candidate.map(|one| one.reward),
                afterstate: candidate.map(|one| one.after.to_string()),
                bounds: values.iter().enumerate().map(bound).collect(),
                values,
                fell_at: candidate.and_then(|one| one.fell_at),
                samples: is_sampled.then(|| {
                    let rows = 0..decision.kept.len();
                    rows.map(|row| SampleJson::of(decision, row, mv)).collect()
                }),
            }
        });

        Self {
            board: decision.board.to_string(),
            score: decision.score,
            moves: moves.collect(),
            kept: decision.kept.iter().map(|&moves| names(moves)).collect(),
            choice: names(decision.choice),
            chosen: decision.chosen.map(Move::name),
            forced: decision.legal().len() == 1,
            leads: is_sampled.then(|| {
                (0..decision.kept.len())
                    .map(|row| decision.lead(row).as_ref().map(LeadJson::of))
                    .collect()
            }),
            nodes: decision
                .searches
                .iter()
                .map(|row| row.as_ref().map(|row| row.counts))
                .collect(),
            plies: decision
                .searches
                .iter()
                .map(|row| row.as_ref().map(|row| row.plies))
                .collect(),
            search_on: &[],
            tree,
            why,
            best_play: None,
            per_ply: None,
            uncut: None,
            halved: is_halved.then(|| lower().collect()),
        }
    }
}

fn text(decision: &Decision, strategy: &Strategy) -> String {
    let mut text = decision.board.drawing();
    text += &format!(
        "score {}, strategy {}\n\n",
        words::count(decision.score),
        strategy.label()
    );
    let criteria = strategy.criteria.iter().enumerate();
    let label = |row: usize| {
        decision
            .foreign_label(row)
            .unwrap_or_else(|| strategy.criteria[row].label())
    };
    let headers = criteria.map(|(row, _)| format!("{}. {}", row + 1, label(row)));
    let [first, last] = ["move", ""].map(Head::text);
    let heads = [first, Head::whole("reward")]
        .into_iter()
        .chain(headers.map(Head::whole))
        .chain([last]);
    let rows = decision.moves.iter().map(|(mv, candidate)| {
        let reward = candidate.as_ref().map(|candidate| candidate.reward);
        let mut row = cells![format!("{} {mv}", mv.arrow()), reward].to_vec();
        match candidate {
            None => {
                row.extend(strategy.criteria.iter().map(|_| "".into()));
                row.push("illegal: nothing moves".into());
            }
            Some(candidate) => {
                for (index, value) in candidate.values.iter().enumerate() {
                    let fell = if candidate.fell_at == Some(index) {
                        " ✗"
                    } else {
                        "  "
                    };
                    let bound = decision.bound(index, mv).sign();
                    let column = decision
                        .moves
                        .iter()
                        .filter_map(|(_, candidate)| candidate.as_ref()?.values[index]);
                    let places = words::places(column);
                    let error = decision.standard_error(index, mv);
                    let error = error
                        .map(|error| format!(" ± {}", words::decimals(error, places)))
                        .unwrap_or_default();
                    let text =
                        |value| format!("{bound}{}{error}{fell}", words::decimals(value, places));
                    row.push(value.map_or_else(String::new, text).into());
                }
                row.push(if decision.chosen == Some(mv) {
                    "played".into()
                } else if let Some(fell_at) = candidate.fell_at {
                    format!("out at row {}", fell_at + 1).into()
                } else if decision.choice.contains(mv) {
                    // A record may lack the move that was played.
                    if decision.chosen.is_none() {
                        "best"
                    } else {
                        "tied"
                    }
                    .into()
                } else {
                    // In an opened record, an earlier row removed it.
                    "out earlier".into()
                });
            }
        }
        row
    });

    text += &listed(heads, rows);
    text += "\n";
    for (row, searched) in decision.searches.iter().enumerate() {
        let Some(searched) = searched else { continue };
        let millis = searched.elapsed.as_secs_f64() * 1e3;
        let time = match searched.elapsed.is_zero() {
            true => " earlier".to_owned(),
            false => format!(
                " in {} ms",
                words::decimals(millis, if millis < 1.0 { 2 } else { 0 })
            ),
        };
        text += &format!(
            "{}. {}: {}, {} searched{time}\n",
            row + 1,
            label(row),
            searched.depth_text(),
            words::plural(searched.nodes, "node"),
        );
    }

    text + &prose::decision::sentence(decision, strategy) + "\n"
}
