//! Arguments of `figure`.

use std::path::PathBuf;

use clap::{Args as ClapArgs, ValueEnum};

use super::values::{millimetres, whole};

const FIGURE_HELP: &str = "\
Files are what the window opens: a tree that analyze --tree wrote, a position, a game record, a preset, the folder of a run. The
end of the name after --out says what is written. Text has its size on the page at every width: a wider figure has more room, not
larger letters. A PDF has its fonts in it, an SVG has its letters as shapes, a PNG says how many pixels an inch has.";

#[derive(Debug, ClapArgs)]
#[command(after_help = FIGURE_HELP)]
pub(super) struct FigureArgs {
    /// What is drawn
    pub(super) what: FigureKind,
    /// Files that the window opens
    #[arg(value_name = "FILE", required = true)]
    pub(super) files: Vec<PathBuf>,
    /// Where to write it: a .pdf, .svg or .png file
    #[arg(long, value_name = "FILE")]
    pub(super) out: PathBuf,
    /// Width on the page, such as 85mm (one column) or 170mm (two)
    #[arg(long, value_name = "MM", default_value = "85mm", value_parser = millimetres)]
    pub(super) width: f32,
    /// Height on the page without the caption [default: as needed]
    #[arg(long, value_name = "MM", value_parser = millimetres)]
    pub(super) height: Option<f32>,
    /// Size of the text on the page in points
    #[arg(long, value_name = "PT", default_value_t = 8.0)]
    pub(super) text: f32,
    /// Pixels to the inch of a PNG [default: 300]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole(1, 100_000))]
    pub(super) dpi: Option<u64>,
    /// White on dark, for slides, instead of for paper
    #[arg(long)]
    pub(super) dark: bool,
    /// Leave letters of an SVG as text that can be edited; it looks right where IBM Plex Sans is installed
    #[arg(long)]
    pub(super) editable: bool,
    /// What stands below, instead of what is known of strategy, depth, nodes, games, seed and version
    #[arg(long, value_name = "TEXT", conflicts_with = "no_caption")]
    pub(super) caption: Option<String>,
    /// Nothing below
    #[arg(long)]
    pub(super) no_caption: bool,
    /// Of a board, show what each spawn is worth, too
    #[arg(long)]
    pub(super) spawns: bool,
    /// Folder of presets and networks, instead of the usual place of the system
    #[arg(long, value_name = "DIR")]
    pub(super) config_dir: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum FigureKind {
    Board,
    Decision,
    Tree,
    Icicle,
    Columns,
    Plies,
    Why,
    BestPlay,
    Histogram,
    Ecdf,
    Ladder,
    Box,
    Paired,
    Sweep,
    Results,
    Row,
}
