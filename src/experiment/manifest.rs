//! The manifest and the results of a run: how it came about, and how to repeat it.

use std::cmp::Ordering;
use std::fmt;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, SystemTime};

use itertools::Itertools as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::{Comparisons, ExactRows, Games, Plan, Summary, Verdicts, stop};
use crate::evaluator::Reads;
use crate::files::Sha256;
use crate::game::{GENERATOR, ParseBoardError, ParseSizeError, Rank, Rules, RulesError, Size};
use crate::kept;
use crate::preset::{Entry, MOST_GAMES, Preset, Problem, Published, Shipped, StopRule, Sweep};
use crate::ron_text;
use crate::stats::{IntervalKind, Planned};
use crate::strategy::{ParseStrategyError, Strategy};
use crate::task::CancelToken;
use crate::words;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// 4 for the folder of a run. Older programs wrote 2, or 3 with strategies of their own chance of a 4, and kept no
    /// nodes by empty cells. Exported results have format 1, which is not written.
    #[serde(default = "first_format", skip_serializing_if = "is_first_format")]
    pub format: u32,
    pub program: String,
    pub version: String,
    /// The generator of spawns and ties; see the documentation of `game`.
    pub generator: String,
    pub title: String,
    /// Written as text, because JSON numbers are exact only up to 2⁵³.
    #[serde(serialize_with = "as_text", deserialize_with = "text_or_number")]
    pub seed: u64,
    /// The size of the board, as `4x4`.
    pub size: String,
    /// Probability that a new tile is a 4, unless a strategy has its own.
    pub p4: f64,
    /// The tile at which games ended. `null` if they were played to their end.
    pub stop_at: Option<u64>,
    /// The board at which games began. `None` if they began with two tiles.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
    /// Requested games of each strategy.
    pub games: u64,
    /// The stop rules, in the syntax of `afterstate run --until`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub until: Vec<StopRule>,
    pub strategies: Vec<ContestantRecord>,
    /// The settings that some of them differ in, with their bases, in the syntax of presets.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sweep: Option<String>,
    /// Worker threads. They only affect the times.
    pub threads: usize,
    /// When the run started, in UTC: `2026-11-20T12:30:00Z`.
    pub started: String,
    /// Seconds from start to end, without pauses.
    pub elapsed_secs: f64,
    #[serde(rename = "stop_rule")]
    pub end_reason: EndReason,
    /// The processes that played, in the order in which they began. Empty if unrecorded.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub history: Vec<Stint>,
}

fn yes() -> bool {
    true
}

/// The newest format.
pub(super) const NEWEST: u32 = 4;

fn first_format() -> u32 {
    1
}

fn is_first_format(format: &u32) -> bool {
    *format == first_format()
}

pub(super) fn as_text<S: Serializer>(seed: &u64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(seed)
}

fn text_or_number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Seed {
        Number(u64),
        Text(String),
    }
    match Seed::deserialize(deserializer)? {
        Seed::Number(seed) => Ok(seed),
        Seed::Text(text) => text.parse().map_err(|_| {
            de::Error::custom(format!(
                "seed: {} is not a whole number below 2^64",
                words::quoted(&text)
            ))
        }),
    }
}

/// The part of a run that one process played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Stint {
    /// Identifies the process.
    pub name: String,
    /// One more than the largest of the folder when the process began, whatever the clock said. Older programs wrote
    /// none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sequence: Option<u64>,
    pub version: String,
    /// Name, system and processor of the machine.
    pub machine: String,
    pub threads: usize,
    /// The first index that the process was to play, and one more than the last.
    pub indices: [u64; 2],
    /// In UTC, as `2026-11-20T12:30:00Z`.
    pub started: String,
    /// Seconds without pauses. For a killed process, up to its last write.
    pub elapsed_secs: f64,
    /// Games that it finished, of all strategies.
    pub games: u64,
    /// `running` for a killed process.
    pub end: EndReason,
}

impl Stint {
    pub(super) fn begun(plan: &Plan, name: &str, sequence: u64) -> Self {
        let indices = plan.indices();
        Self {
            name: name.to_owned(),
            sequence: Some(sequence),
            version: env!("CARGO_PKG_VERSION").into(),
            machine: machine(),
            threads: plan.thread_count(),
            indices: [indices.start, indices.end],
            started: words::rfc_3339(SystemTime::now()),
            elapsed_secs: 0.0,
            games: 0,
            end: EndReason::Running { games: 0 },
        }
    }
}

/// As `name, linux x86_64`.
fn machine() -> String {
    let kind = format!("{} {}", std::env::consts::OS, std::env::consts::ARCH);
    #[cfg(unix)]
    let kind = match rustix::system::uname().nodename().to_str() {
        Ok(name) if !name.is_empty() => format!("{name}, {kind}"),
        _ => kind,
    };
    #[cfg(windows)]
    let kind = match std::env::var("COMPUTERNAME") {
        Ok(name) if !name.is_empty() => format!("{name}, {kind}"),
        _ => kind,
    };
    kind
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ContestantRecord {
    pub name: String,
    pub strategy: String,
    /// The hash of the text without the name.
    pub hash: String,
    /// The full hash.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sha256: Option<Sha256>,
    /// Probability that a new tile of its games is a 4, if it differs from that of the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub p4: Option<f64>,
    /// The files that its evaluators read: networks, solved tables, processes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<FileRecord>,
    /// False if a time limit lets decisions depend on the speed of the machine.
    #[serde(default = "yes", skip_serializing_if = "Clone::clone")]
    pub reproducible: bool,
    pub finished: u64,
    /// CPU time of its games, in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu_secs: Option<f64>,
    /// Nodes searched in its games, including leaves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
}

impl ContestantRecord {
    /// The key that distinguishes it from other strategies of a run with these rules.
    pub(super) fn arm(&self) -> (Option<Sha256>, Option<u64>) {
        (self.sha256, self.p4.map(f64::to_bits))
    }

    /// Whether the text of a strategy matches its SHA-256, given the recorded hashes of its files. Reads no file.
    fn agrees_with(&self, strategy: &Strategy) -> bool {
        let recorded = |file: Reads<'_>| {
            let record = self
                .files
                .iter()
                .find(|record| record.kind == file.kind() && record.name == file.name());
            record.map(|record| {
                record
                    .sha256
                    .map(|sha256| sha256.to_string())
                    .unwrap_or_default()
            })
        };
        let agrees = self
            .sha256
            .and_then(|sha256| strategy.has_sha256(sha256, &self.strategy, &recorded));
        agrees.unwrap_or(true)
    }
}

/// A file of a strategy.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct FileRecord {
    /// `network`, `solved table`, `process` or `program`.
    pub kind: String,
    /// The name in the strategy.
    pub name: String,
    /// `None` if the file could not be read.
    #[serde(
        serialize_with = "hash_or_nothing",
        deserialize_with = "read_hash_or_nothing"
    )]
    pub sha256: Option<Sha256>,
}

fn hash_or_nothing<S: Serializer>(
    sha256: &Option<Sha256>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    match sha256 {
        Some(sha256) => sha256.serialize(serializer),
        None => serializer.serialize_str(""),
    }
}

fn read_hash_or_nothing<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Sha256>, D::Error> {
    let text = String::deserialize(deserializer)?;
    if text.is_empty() {
        Ok(None)
    } else {
        text.parse().map(Some).map_err(de::Error::custom)
    }
}

impl FileRecord {
    /// The files of the active rows and of the judge of a rollout, each once.
    fn of(strategy: &Strategy) -> Vec<Self> {
        let judge = strategy
            .rollout
            .iter()
            .filter_map(|rollout| rollout.judge.as_ref());
        let rows = strategy.criteria.iter().filter(|row| !row.off).chain(judge);
        let record = |file: Reads<'_>| Self {
            kind: file.kind().to_owned(),
            name: file.name(),
            sha256: file.sha256().ok().and_then(|digits| digits.parse().ok()),
        };
        rows.flat_map(|row| row.evaluator.files())
            .map(record)
            .unique()
            .collect()
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "reason", rename_all = "snake_case")]
pub enum EndReason {
    /// The run has not ended. `games` are those finished, of all strategies.
    Running {
        games: u64,
    },
    AllGames,
    /// The user stopped it; the games in play were finished.
    Stopped {
        games: u64,
    },
    /// The user cancelled it; finished games are saved and may have holes between them.
    Cancelled {
        games: u64,
    },
    Failed {
        games: u64,
        message: String,
    },
    /// A stop rule was met.
    RuleMet {
        games: u64,
        /// The number of games of each strategy that the decision is based on, if the rule is about scores. Games
        /// beyond do not count.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        each: Option<u64>,
        /// The rule, with its numbers.
        sentence: String,
    },
}

impl fmt::Display for EndReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Running { games } => write!(
                f,
                "still running, {} finished",
                words::plural(*games, "game")
            ),
            Self::AllGames => f.write_str("all games played"),
            Self::Stopped { games } => write!(f, "stopped after {}", words::plural(*games, "game")),
            Self::Cancelled { games } => {
                write!(f, "stopped at once after {}", words::plural(*games, "game"))
            }
            Self::RuleMet { sentence, .. } => f.write_str(sentence),
            Self::Failed { games, message } => write!(
                f,
                "failed after {}: {message}",
                words::plural(*games, "game")
            ),
        }
    }
}

impl EndReason {
    /// The same reason after this many games.
    pub(super) fn after(&self, games: u64) -> Self {
        match self {
            Self::AllGames | Self::Stopped { .. } => Self::Stopped { games },
            // A killed process has lost the games in play.
            Self::Running { .. } | Self::Cancelled { .. } => Self::Cancelled { games },
            Self::Failed { message, .. } => Self::Failed {
                games,
                message: message.clone(),
            },
            Self::RuleMet { each, sentence, .. } => Self::RuleMet {
                games,
                each: *each,
                sentence: sentence.clone(),
            },
        }
    }

    /// How many games of each strategy count. `None` if all finished games do.
    pub fn counted(&self) -> Option<u64> {
        if let Self::RuleMet { each, .. } = self {
            *each
        } else {
            None
        }
    }

    /// A warning about means for runs that abandoned games in play.
    pub const BIASED: &str =
        "the games in play, which are longer, were abandoned, so means are too low";

    /// A warning about the numbers, unless they are sound.
    pub fn caution(&self) -> Option<&'static str> {
        matches!(self, Self::Cancelled { .. } | Self::Failed { .. }).then_some(Self::BIASED)
    }
}

/// Why a text is not the manifest of a run, or why its experiment cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ManifestError {
    #[error(
        "this is not the manifest of a run, or it is damaged ({0}): name another folder, or restore a copy"
    )]
    Json(#[from] serde_json::Error),
    #[error(
        "format: this manifest has format {0}, this program reads up to {NEWEST}: update afterstate to open it"
    )]
    Newer(u32),
    #[error("size: {0}")]
    Size(ParseSizeError),
    #[error("stop_at: {0}")]
    StopAt(RulesError),
    #[error("start: {0}")]
    Start(ParseBoardError),
    #[error("{name}: {error}")]
    Strategy {
        name: String,
        error: ParseStrategyError,
    },
    #[error(transparent)]
    Problem(#[from] Problem),
    #[error("the text of {} does not match its SHA-256; restore a copy of the manifest", words::quoted(.0))]
    OtherText(String),
}

impl Manifest {
    pub(super) fn new(
        plan: &Plan,
        started: SystemTime,
        elapsed: Duration,
        finished: impl IntoIterator<Item = u64>,
        end_reason: EndReason,
    ) -> Self {
        let strategies = plan
            .contestants
            .iter()
            .zip(finished)
            .map(|(contestant, finished)| ContestantRecord {
                name: contestant.strategy.label(),
                strategy: contestant.strategy.to_string(),
                hash: contestant.strategy.hash_of_files().to_string(),
                sha256: Some(contestant.strategy.sha256()),
                p4: contestant.own_p4(plan.rules),
                files: FileRecord::of(&contestant.strategy),
                reproducible: contestant.strategy.is_reproducible(),
                finished,
                cpu_secs: None,
                nodes: None,
            });
        Self {
            format: first_format(),
            program: crate::PROGRAM.into(),
            version: env!("CARGO_PKG_VERSION").into(),
            generator: GENERATOR.into(),
            title: plan.title.clone(),
            seed: plan.seed,
            size: plan.rules.size.to_string(),
            p4: plan.rules.p4,
            stop_at: plan.rules.stop_at.map(Rank::tile),
            start: plan.rules.start.map(|start| start.to_string()),
            games: plan.games,
            until: plan.until.clone(),
            strategies: strategies.collect(),
            // Plain data always has a text.
            sweep: plan
                .sweep
                .as_ref()
                .and_then(|sweep| ron_text::one_line(sweep).ok()),
            threads: plan.thread_count(),
            started: words::rfc_3339(started),
            elapsed_secs: elapsed.as_secs_f64(),
            end_reason,
            history: Vec::new(),
        }
    }

    /// The manifest of a folder without games.
    pub(super) fn planned(plan: &Plan) -> Self {
        let nothing = EndReason::Running { games: 0 };
        let none = plan.contestants.iter().map(|_| 0);
        Self {
            format: NEWEST,
            ..Self::new(plan, SystemTime::now(), Duration::ZERO, none, nothing)
        }
    }

    /// Why the games of another manifest are not games of this run. `None` if they are, whatever their number.
    pub(super) fn differs_from(&self, other: &Self) -> Option<String> {
        let [ours, theirs] = [self, other].map(|one| {
            one.strategies
                .iter()
                .map(ContestantRecord::arm)
                .sorted()
                .collect::<Vec<_>>()
        });
        match () {
            () if self.generator != other.generator => {
                Some("its tiles come from a different generator".to_owned())
            }
            () if self.seed != other.seed => {
                Some(format!("its seed is {}, not {}", self.seed, other.seed))
            }
            () if !self.has_same_games_as(other) => Some("its rules are different".to_owned()),
            () if ours != theirs && self.has_same_texts_as(other) => Some(
                "a file that a strategy reads has changed since, which makes it another strategy"
                    .to_owned(),
            ),
            () if ours != theirs => Some("its strategies are different".to_owned()),
            () => None,
        }
    }

    fn has_same_texts_as(&self, other: &Self) -> bool {
        let texts = |one: &Self| {
            one.strategies
                .iter()
                .map(|record| record.strategy.clone())
                .sorted()
                .collect::<Vec<_>>()
        };
        texts(self) == texts(other)
    }

    /// Whether game `i` of a strategy is the same in both: rules, seed and generator agree.
    pub(super) fn has_same_games_as(&self, other: &Self) -> bool {
        let rules = |one: &Self| {
            (
                one.size.clone(),
                one.p4.to_bits(),
                one.stop_at,
                one.start.clone(),
            )
        };
        (&self.generator, self.seed, rules(self)) == (&other.generator, other.seed, rules(other))
    }

    /// Eight digits that two runs share only if they play the same: strategies, rules, seed and generator.
    pub(super) fn identity(&self) -> String {
        let arm = |record: &ContestantRecord| {
            let own = record.p4.map(|p4| format!(" p4 {p4}")).unwrap_or_default();
            Some(format!("{}{own}", record.sha256?))
        };
        let arms = self.strategies.iter().filter_map(arm).sorted();
        let chance = format!(
            "{} {} {} {} {:?}",
            self.generator, self.seed, self.size, self.p4, self.stop_at
        );
        let text = arms.chain([chance]).chain(self.start.clone()).join("\n");
        Sha256::of(text).to_string()[..8].to_owned()
    }

    /// The sequence number of the next process, given those that began since the manifest was written.
    pub(super) fn next_sequence(&self, others: &[Stint]) -> u64 {
        self.history
            .iter()
            .chain(others)
            .filter_map(|stint| stint.sequence)
            .max()
            .unwrap_or(0)
            .saturating_add(1)
    }

    /// One more than the last index that any process was to play.
    pub(super) fn end(&self, others: &[Stint]) -> u64 {
        self.history
            .iter()
            .chain(others)
            .map(|stint| stint.indices[1])
            .fold(self.games, u64::max)
    }

    /// Adds processes that played, each once, and updates the totals.
    pub(super) fn add_history(&mut self, stints: impl IntoIterator<Item = Stint>) {
        let all = self
            .history
            .drain(..)
            .chain(stints)
            .unique_by(|stint| stint.name.clone());
        // Processes without a number are older. Processes of other folders may have the same number.
        let order = |stint: &Stint| (stint.sequence, stint.started.clone());
        self.history = all.sorted_by_cached_key(order).collect();
        let Some((first, last)) = self.history.first().zip(self.history.last()) else {
            return;
        };
        let finished = self.strategies.iter().map(|record| record.finished);
        let games = finished.clone().sum();
        let is_whole = finished.min() == Some(self.games) && last.end.counted().is_none();
        self.end_reason = if is_whole {
            EndReason::AllGames
        } else {
            last.end.after(games)
        };
        (self.started, self.threads) = (first.started.clone(), last.threads);
        self.elapsed_secs = self.history.iter().map(|stint| stint.elapsed_secs).sum();
    }

    /// The number of games of each strategy in the final result. `None` if requested games are missing.
    pub fn answer(&self) -> Option<u64> {
        let whole = || matches!(self.end_reason, EndReason::AllGames).then_some(self.games);
        self.end_reason.counted().or_else(whole)
    }

    /// The earlier results, as games of each strategy: before the run was extended, or before another rule ended it.
    /// Parts played by different processes are no results.
    pub fn earlier_answers(&self) -> Vec<u64> {
        if self.history.iter().any(|stint| stint.indices[0] != 0) {
            return Vec::new();
        }
        let answers = self.history.iter().filter_map(|stint| match stint.end {
            EndReason::AllGames => Some(stint.indices[1]),
            _ => stint.end.counted(),
        });
        answers
            .filter(|&games| Some(games) != self.answer())
            .sorted()
            .dedup()
            .collect()
    }

    /// The settings that strategies differ in. `None` if they cannot be read.
    pub fn sweep(&self) -> Option<Sweep> {
        ron_text::read(self.sweep.as_deref()?).ok()
    }

    /// The finished games: `300 of 1,000 games of each strategy`.
    pub fn games_text(&self) -> String {
        let counted = self.end_reason.counted().unwrap_or(u64::MAX);
        let finished = self
            .strategies
            .iter()
            .map(|record| record.finished.min(counted));
        let (fewest, most) = finished.minmax().into_option().unwrap_or((0, 0));
        let of_planned = match () {
            () if fewest == self.games => String::new(),
            () if self.until.is_empty() => format!(" of {}", words::count(self.games)),
            () => format!(" of at most {}", words::count(self.games)),
        };
        let played = if fewest == most {
            words::count(most)
        } else {
            [fewest, most].map(words::count).join(" to ")
        };
        let noun = if self.games == 1 { "game" } else { "games" };
        format!("{played}{of_planned} {noun} of each strategy")
    }

    /// The probability of a 4 as papers write it: `0.1`, `0 to 1`.
    pub fn p4_text(&self) -> String {
        let [least, most] = self.p4_range();
        if least == most {
            least.to_string()
        } else {
            format!("{least} to {most}")
        }
    }

    /// The share of 4s for display: `10 % fours`, `0 to 100 % fours`.
    pub fn fours_text(&self) -> String {
        words::fours_between(self.p4_range())
    }

    /// The least and the largest probability of a 4 of its strategies.
    fn p4_range(&self) -> [f64; 2] {
        let all = self
            .strategies
            .iter()
            .map(|record| record.p4.unwrap_or(self.p4));
        all.minmax_by(f64::total_cmp)
            .into_option()
            .map_or([self.p4; 2], |(least, most)| [least, most])
    }

    /// The rules of its games, except for strategies with their own chance of a 4; or the error in the manifest.
    pub fn rules(&self) -> Result<Rules, ManifestError> {
        let size: Size = self.size.parse().map_err(ManifestError::Size)?;
        let stop_at = self
            .stop_at
            .map(|tile| Rules::read_stop_at(tile, size))
            .transpose();
        let stop_at = stop_at.map_err(ManifestError::StopAt)?;
        let start = self
            .start
            .as_deref()
            .map(str::parse)
            .transpose()
            .map_err(ManifestError::Start)?;
        Ok(Rules {
            size,
            p4: self.p4,
            stop_at,
            start,
        })
    }

    /// Refuses the manifest of a newer program.
    /// Whether a run of an earlier program wrote it.
    pub(super) fn is_older(&self) -> bool {
        (first_format() + 1..NEWEST).contains(&self.format)
    }

    /// Gives an older run the newest format. Exported results stay what they are.
    pub(super) fn renew(&mut self) {
        if self.is_older() {
            self.format = NEWEST;
        }
    }

    pub(super) fn check_format(&self) -> Result<(), ManifestError> {
        if NEWEST < self.format {
            Err(ManifestError::Newer(self.format))
        } else {
            Ok(())
        }
    }

    /// The experiment, with the published numbers of its strategies; or the error in the manifest.
    pub fn preset(&self) -> Result<Preset, ManifestError> {
        self.check_format()?;
        let rules = self.rules()?;
        let entry = |record: &ContestantRecord| {
            let wrong = |error| ManifestError::Strategy {
                name: record.name.clone(),
                error,
            };
            let strategy: Strategy = record.strategy.parse().map_err(wrong)?;
            let entry = Entry {
                p4: record.p4,
                ..Entry::new(strategy)
            };
            Ok::<Entry, ManifestError>(Entry {
                published: Shipped::published(&entry.strategy, entry.rules(rules)),
                ..entry
            })
        };
        let strategies = self
            .strategies
            .iter()
            .map(entry)
            .collect::<Result<_, _>>()?;

        // With more games, each process plays a part.
        let (seed, games, until) = (self.seed, self.games.min(MOST_GAMES), self.until.clone());
        let sweep = self.sweep();
        let preset = Preset {
            rules,
            seed,
            games,
            until,
            strategies,
            sweep,
            ..Preset::new(self.title.clone(), [])
        };
        match preset.check().into_iter().next() {
            Some(problem) => Err(problem.into()),
            None => self.check_texts(&preset).map(|()| preset),
        }
    }

    /// Reports a strategy whose text does not match its recorded hash.
    fn check_texts(&self, preset: &Preset) -> Result<(), ManifestError> {
        let records = self.strategies.iter().zip(&preset.strategies);
        match records
            .into_iter()
            .find(|(record, entry)| !record.agrees_with(&entry.strategy))
        {
            Some((record, _)) => Err(ManifestError::OtherText(record.name.clone())),
            None => Ok(()),
        }
    }
}

/// The results of a run: summaries, games and how to repeat it.
#[derive(Clone, Debug)]
pub struct Results {
    pub manifest: Manifest,
    /// In plan order, unless they are [sorted](Self::sorted).
    pub contestants: Vec<ContestantResult>,
    /// The index of the strategy that the others are compared with.
    baseline: usize,
    comparisons: OnceLock<Comparisons>,
    exact: OnceLock<ExactRows>,
}

#[derive(Clone, Debug)]
pub struct ContestantResult {
    pub strategy: Strategy,
    /// The rules of its games.
    pub rules: Rules,
    pub published: Option<Published>,
    pub summary: Arc<Summary>,
    pub games: Games,
}

impl Results {
    /// Compared with the first strategy.
    pub fn new(manifest: Manifest, contestants: Vec<ContestantResult>) -> Self {
        Self {
            manifest,
            contestants,
            baseline: 0,
            comparisons: OnceLock::new(),
            exact: OnceLock::new(),
        }
    }

    /// The same results compared with another strategy.
    pub fn with_baseline(self, baseline: usize) -> Self {
        Self {
            baseline: baseline.min(self.contestants.len().saturating_sub(1)),
            comparisons: OnceLock::new(),
            ..self
        }
    }

    /// The same results, sorted as in Composition (5.1): by mean, standard deviation, median and maximum, the largest
    /// first, and then by name.
    pub fn sorted(mut self) -> Self {
        let numbers = |at: usize| {
            let scores = &self.contestants[at].summary.scores;
            let moments = scores.moments();
            let [mean, sd] = [
                moments.map(|moments| moments.mean),
                moments.and_then(|moments| moments.std_dev),
            ];
            [mean, sd, scores.median(), scores.max().map(f64::from)]
                .map(|number| number.unwrap_or(f64::NEG_INFINITY))
        };
        let name = |at: usize| self.contestants[at].strategy.label();
        let larger = |one: usize, other: usize| {
            let pairs = numbers(other).into_iter().zip(numbers(one));
            pairs
                .map(|(other, one)| other.total_cmp(&one))
                .find(|order| order.is_ne())
                .unwrap_or(Ordering::Equal)
        };
        let mut places: Vec<usize> = (0..self.contestants.len()).collect();
        places.sort_by(|&one, &other| larger(one, other).then_with(|| name(one).cmp(&name(other))));

        let records = &self.manifest.strategies;
        self.manifest.strategies = places
            .iter()
            .filter_map(|&at| records.get(at).cloned())
            .collect();
        let baseline = places
            .iter()
            .position(|&at| at == self.baseline)
            .unwrap_or_default();
        let contestants = places
            .iter()
            .map(|&at| self.contestants[at].clone())
            .collect();
        Self::new(self.manifest, contestants).with_baseline(baseline)
    }

    /// The strategies compared with the baseline and with each other. `None` with fewer than two.
    pub fn comparisons(&self) -> Option<&Comparisons> {
        let find = || Comparisons::of(&self.contestants, self.baseline, self.planned());
        // If the games do not fit into memory, only the summaries are known.
        let has_games =
            |one: &ContestantResult| one.summary.games() == 0 || 0 < one.games.complete();
        let can = 2 <= self.contestants.len() && self.contestants.iter().all(has_games);
        can.then(|| self.comparisons.get_or_init(find))
    }

    /// The exact results on small boards, as far as they are quick to compute.
    pub fn exact(&self) -> &ExactRows {
        self.exact.get_or_init(|| {
            let contestants: Vec<_> = self
                .contestants
                .iter()
                .map(|one| (&one.strategy, one.rules))
                .collect();
            ExactRows::at_once(
                &contestants,
                kept::config_dir().as_deref(),
                &CancelToken::new(),
            )
        })
    }

    /// The verdicts on measured numbers against exact ones.
    pub fn exact_verdicts(&self) -> Verdicts {
        let planned = self.planned();
        self.exact()
            .verdicts(self.contestants.iter().map(|one| (planned, &*one.summary)))
    }

    /// The tiles of reach rates: those that are possible on the board of some strategy.
    pub fn reached_tiles(&self) -> Vec<u64> {
        let ranks = self
            .contestants
            .iter()
            .flat_map(|one| Summary::reached_ranks_of(&one.rules));
        ranks.sorted().dedup().map(Rank::tile).collect()
    }

    /// The two tiles whose reach rates a narrow table has: 1024 and 2048, or on smaller boards the two largest that
    /// some game reached.
    pub fn shown_tiles(&self) -> [u64; 2] {
        let tiles = self.reached_tiles();
        if tiles.contains(&2048) {
            return [1024, 2048];
        }
        let is_reached = |tile: &u64| {
            Rank::of_tile(*tile).is_some_and(|rank| {
                self.contestants
                    .iter()
                    .any(|one| one.summary.reached(rank) != 0)
            })
        };
        let last = tiles.iter().rposition(is_reached).unwrap_or(1).max(1);
        match tiles.get(last - 1..=last) {
            Some(&[second, first]) => [second, first],
            _ => [1024, 2048],
        }
    }

    /// The planned number of games of each strategy. Intervals for fewer games are valid at any time.
    pub fn planned(&self) -> Planned {
        stop::planned(&self.manifest.until, self.manifest.games)
    }

    /// The guarantee of the intervals if they are not those of the planned end.
    pub fn interval_sentence(&self) -> Option<String> {
        let kind = |result: &ContestantResult| self.planned().kind(result.summary.games());
        let early = self
            .contestants
            .iter()
            .map(kind)
            .filter(|kind| *kind == IntervalKind::Anytime)
            .count();
        (early != 0).then(|| {
            let which = if early == self.contestants.len() {
                String::new()
            } else {
                format!(" of {early} strategies")
            };
            format!(
                "95 % intervals{which} are {}",
                IntervalKind::Anytime.promise()
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use std::time::UNIX_EPOCH;

    use super::*;
    use crate::preset::Preset;

    #[test]
    fn a_manifest_is_read_as_it_was_written() {
        let strategies = ["emr", "r"].map(|letters| letters.parse().expect("letters"));
        let mut preset = Preset::new("A \"title\"", strategies);
        preset.rules.stop_at = Rank::of_tile(512);
        preset.until = vec!["sprt=0..100,against=r".parse().expect("a rule")];
        let plan = Plan {
            threads: Some(3),
            ..Plan::of_preset(&preset)
        };
        let failed = EndReason::Failed {
            games: 7,
            message: "out of luck".to_owned(),
        };

        for reason in [
            EndReason::AllGames,
            EndReason::Running { games: 0 },
            EndReason::Stopped { games: 7 },
            EndReason::Cancelled { games: 7 },
            EndReason::RuleMet {
                games: 7,
                each: Some(3),
                sentence: "GSPRT: rejects H0".to_owned(),
            },
            failed,
        ] {
            let written = Manifest::new(
                &plan,
                UNIX_EPOCH,
                Duration::from_millis(1250),
                [4, 3],
                reason,
            );
            let json = crate::experiment::manifest_json(&written).expect("bytes");
            let text = std::str::from_utf8(&json).expect("text");
            assert!(text.contains("\"stop_rule\": {"), "{text}");
            assert_eq!(
                serde_json::from_slice::<Manifest>(&json).expect("a manifest"),
                written
            );
        }
    }

    #[test]
    fn a_manifest_names_the_files_of_its_strategies_by_their_hashes() {
        let network = "(criteria: [(evaluator: Sum([(1.0, Network(\"reference\")), (2.0, Empty)])), \
            (evaluator: Network(\"reference\"), lookahead: Expectimax()), (evaluator: Solved(\"none\"), off: true)])";
        let strategies = [network, "r"].map(|text| text.parse().expect("a strategy"));
        let plan = Plan::of_preset(&Preset::new("Files", strategies));
        let written = Manifest::new(
            &plan,
            UNIX_EPOCH,
            Duration::ZERO,
            [0, 0],
            EndReason::AllGames,
        );
        let sha256 = crate::network::library::info("reference")
            .expect("shipped")
            .sha256
            .parse()
            .expect("a hash");
        let file = FileRecord {
            kind: "network".to_owned(),
            name: "reference".to_owned(),
            sha256: Some(sha256),
        };
        assert_eq!(written.strategies[0].files, [file]);
        assert_eq!(written.strategies[1].files, []);

        // A manifest of an older program can be read as well.
        let mut json = serde_json::to_value(&written).expect("JSON");
        let record = json["strategies"][0].as_object_mut().expect("a record");
        assert!(record.remove("files").is_some());
        let old: Manifest = serde_json::from_value(json).expect("a manifest");
        assert_eq!(old.strategies[0].files, []);
        assert!(old.differs_from(&written).is_none());
    }

    #[test]
    fn a_run_that_grew_knows_its_earlier_answers() {
        let strategies = ["emr", "r"].map(|letters| letters.parse().expect("letters"));
        let mut plan = Plan::of_preset(&Preset {
            games: 40,
            ..Preset::new("Grown", strategies)
        });
        let ends = [
            (40, EndReason::AllGames),
            (90, EndReason::Stopped { games: 130 }),
            (
                90,
                EndReason::RuleMet {
                    games: 150,
                    each: Some(70),
                    sentence: "half-width".to_owned(),
                },
            ),
            (90, EndReason::AllGames),
            (40, EndReason::AllGames),
        ];

        let mut history = Vec::new();
        for (place, (games, end)) in ends.into_iter().enumerate() {
            plan.games = games;
            history.push(Stint {
                end,
                ..Stint::begun(&plan, &place.to_string(), 1)
            });
        }

        let mut manifest = Manifest {
            history,
            ..Manifest::new(
                &plan,
                UNIX_EPOCH,
                Duration::ZERO,
                [90, 90],
                EndReason::AllGames,
            )
        };
        manifest.games = 90;
        assert_eq!(
            (manifest.answer(), manifest.earlier_answers()),
            (Some(90), vec![40, 70])
        );
        manifest.end_reason = EndReason::RuleMet {
            games: 180,
            each: Some(70),
            sentence: "half-width".to_owned(),
        };
        assert_eq!(
            (manifest.answer(), manifest.earlier_answers()),
            (Some(70), vec![40, 90])
        );
        manifest.end_reason = EndReason::Stopped { games: 150 };
        assert_eq!(
            (manifest.answer(), manifest.earlier_answers().len()),
            (None, 3)
        );
        manifest.history[1].indices = [90, 120];
        assert!(
            manifest.earlier_answers().is_empty(),
            "a part that was played apart"
        );
    }

    #[test]
    fn what_was_played_is_told_from_what_was_planned() {
        let strategies = ["emr", "r"].map(|letters| letters.parse().expect("letters"));
        let mut plan = Plan {
            games: 5000,
            ..Plan::of_preset(&Preset::new("", strategies))
        };
        let text = |plan: &Plan, finished: [u64; 2], end_reason: EndReason| {
            Manifest::new(plan, UNIX_EPOCH, Duration::ZERO, finished, end_reason).games_text()
        };
        let stopped = || EndReason::Stopped { games: 7 };
        assert_eq!(
            text(&plan, [5000; 2], EndReason::AllGames),
            "5,000 games of each strategy"
        );
        assert_eq!(
            text(&plan, [300; 2], stopped()),
            "300 of 5,000 games of each strategy"
        );
        assert_eq!(
            text(&plan, [300, 310], stopped()),
            "300 to 310 of 5,000 games of each strategy"
        );
        plan.until = vec!["half-width=2%".parse().expect("a rule")];
        let met = EndReason::RuleMet {
            games: 2408,
            each: Some(1200),
            sentence: String::new(),
        };
        // Games beyond the decision do not count.
        assert_eq!(
            text(&plan, [1200, 1208], met),
            "1,200 of at most 5,000 games of each strategy"
        );
    }

    #[test]
    fn times_are_written_as_everyone_writes_them() {
        for (seconds, text) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_399, "2000-02-28T23:59:59Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (1_709_164_800, "2024-02-29T00:00:00Z"),
            (4_102_444_800, "2100-01-01T00:00:00Z"),
        ] {
            assert_eq!(
                words::rfc_3339(UNIX_EPOCH + Duration::from_secs(seconds)),
                text
            );
        }
    }
}
