//! `slurm`: the jobs that let a cluster play the games of a run.
//!
//! An array job plays the parts into one folder, and a job that waits for its end merges them. However a task ends, at
//! most the last two seconds are lost, and the requeued task plays the rest of its part.

use std::io::Write;
use std::path::{Path, absolute};

use super::Failure;
use super::args::SlurmArgs;
use super::run::{PlannedRun, asked};
use super::terminal::tell;
use crate::experiment::{Estimate, Plan, RunFolder};
use crate::files;
use crate::preset::file_stem;
use crate::prose::how_long;
use crate::words;

/// How often a killed task is requeued, for whatever reason it was requeued before.
const MOST_RESTARTS: u32 = 10;

/// Seconds before the time limit at which a task ends.
const BEFORE_TIME: u32 = 60;

pub(super) fn slurm(args: SlurmArgs, out: &mut impl Write) -> Result<(), Failure> {
    let (place, runs) = (args.what.kept.place(), args.what.kept.runs.clone());
    let PlannedRun { plan, folder } = asked(args.what, place.as_ref())?;
    let folder = folder.ok_or_else(|| {
        Failure::usage("--out DIR is missing: name a folder for the run that all nodes share")
    })?;
    let tasks = args.tasks;
    if plan.games < tasks {
        let games = words::plural(plan.games, "game");
        return Err(Failure::usage(format!(
            "--tasks: {tasks} tasks for {games} of each strategy: choose at most one task per game"
        )));
    }

    let part = Plan {
        part: Some(plan.part_of(0, tasks)),
        threads: usize::try_from(args.cpus).ok(),
        ..plan.clone()
    };
    part.check().map_err(Failure::usage)?;
    let script = Script {
        name: if plan.title.trim().is_empty() {
            "afterstate".to_owned()
        } else {
            file_stem(&plan.title)
        },
        folder: text_of(&absolute(&folder)?)?,
        program: text_of(&std::env::current_exe()?)?,
        runs: runs
            .as_deref()
            .map(absolute)
            .transpose()?
            .as_deref()
            .map(text_of)
            .transpose()?,
        tasks,
        cpus: args.cpus,
        time: args.time,
        options: args.sbatch,
    };
    if let Some(option) = script
        .time
        .iter()
        .chain(&script.options)
        .find(|option| option.contains(char::is_control))
    {
        return Err(Failure::usage(format!(
            "{}: an option of sbatch must be a single line",
            words::quoted(option)
        )));
    }
    RunFolder::of_plan(&folder, &plan)?;
    let jobs = folder.join("slurm");
    files::make_folder(&jobs)?;

    for (name, text) in [
        ("parts.sbatch", script.parts()),
        ("merge.sbatch", script.merge()),
        ("submit", script.submit()),
    ] {
        files::write(&jobs.join(name), text.as_bytes())?;
    }
    let games = words::plural(plan.games.div_ceil(tasks), "game");
    let strategies = match plan.contestants.len() {
        1 => String::new(),
        many => format!(" of each of {many} strategies"),
    };

    tell(&format!(
        "{} of up to {games}{strategies}; estimated time of each on cores like these: {}",
        words::plural(tasks, "task"),
        how_long(&Estimate::of(&part)),
    ));
    writeln!(
        out,
        "sh {}",
        quoted(&format!("{}/slurm/submit", script.folder))
    )?;
    Ok(())
}

/// A path as text for a script.
fn text_of(path: &Path) -> Result<String, Failure> {
    let text = path
        .to_str()
        .filter(|text| !text.contains(char::is_control));
    let odd = || {
        Failure::usage(format!(
            "{}: a script cannot contain this path: rename it",
            path.display()
        ))
    };
    text.map(str::to_owned).ok_or_else(odd)
}

/// Quoted for a shell: one word, whatever characters it has.
pub(super) fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// The settings of the jobs.
struct Script {
    name: String,
    folder: String,
    program: String,
    runs: Option<String>,
    tasks: u64,
    cpus: u64,
    time: Option<String>,
    options: Vec<String>,
}

impl Script {
    /// The lines that sbatch reads; `log` is below the folder.
    fn head(&self, own: &[String], log: &str) -> String {
        // A path there is a quoted pattern.
        let log = format!(
            "{}/slurm/{log}",
            self.folder
                .replace('%', "%%")
                .replace('\\', r"\\")
                .replace('"', "\\\"")
        );
        let options = [
            format!("--job-name={}", self.name),
            format!("--output=\"{log}\""),
            "--open-mode=append".to_owned(),
        ];
        let lines = options
            .iter()
            .chain(own)
            .chain(&self.options)
            .map(|option| format!("#SBATCH {option}\n"));
        let version = env!("CARGO_PKG_VERSION");
        format!(
            "#!/bin/bash\n{}# Written by afterstate {version}.\nafterstate=${{AFTERSTATE:-{}}}\n",
            lines.collect::<String>(),
            quoted(&self.program)
        )
    }

    fn parts(&self) -> String {
        let Self { tasks, cpus, .. } = self;
        let mut own = vec![
            format!("--array=0-{}", tasks - 1),
            format!("--cpus-per-task={cpus}"),
            format!("--signal=B:USR1@{BEFORE_TIME}"),
            "--requeue".to_owned(),
        ];
        own.extend(self.time.as_ref().map(|time| format!("--time={time}")));
        let runs = self
            .runs
            .as_ref()
            .map_or(String::new(), |runs| format!(" --runs {}", quoted(runs)));
        let (head, folder) = (self.head(&own, "part-%a.log"), quoted(&self.folder));
        format!(
            r#"{head}late=
trap 'late=yes; kill -TERM "$playing"' USR1
"$afterstate" run {folder} --shard "$SLURM_ARRAY_TASK_ID/{tasks}" --threads {cpus}{runs} &
playing=$!
wait "$playing"
code=$?
# The signal ends the first wait; the second one ends when the played games are written.
[ -z "$late" ] || {{ wait "$playing"; code=$?; }}
if [ "$code" -ne 0 ]; then
  # The time limit is reached, or it was killed: the rest of the part is played later.
  if [ -n "$late" ] || {{ [ "$code" -gt 130 ] && [ "${{SLURM_RESTART_COUNT:-0}}" -lt {MOST_RESTARTS} ]; }}; then
    scontrol requeue "$SLURM_JOB_ID"
  fi
fi
exit "$code"
"#
        )
    }

    fn merge(&self) -> String {
        let (head, folder) = (self.head(&[], "merge.log"), quoted(&self.folder));
        format!("{head}\"$afterstate\" merge {folder} && \"$afterstate\" summary {folder}\n")
    }

    fn submit(&self) -> String {
        let folder = quoted(&format!("{}/slurm", self.folder));
        format!(
            r#"#!/bin/sh
# Submits the parts, and the merge that runs when all parts have ended, even failed ones. Run it again to play missing
# games.
set -e
jobs={folder}
parts=$(sbatch --parsable "$jobs/parts.sbatch")
merge=$(sbatch --parsable --dependency="afterany:${{parts%%;*}}" "$jobs/merge.sbatch")
echo "job ${{parts%%;*}} plays, job ${{merge%%;*}} merges; their output is in $jobs"
"#
        )
    }
}
