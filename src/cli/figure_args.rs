//! Arguments of `figure`.

use std::path::PathBuf;

use clap::{Args as ClapArgs, ValueEnum};

use super::values::{millimeters, whole};

const FIGURE_HELP: &str = "\
FILE is a file that the window opens: a tree of analyze --tree, a position, a game record, a preset, or the folder of a run. The
extension of the --out file sets the format. The text size is the size on the page: a wider figure has more room, not larger
text. PDF: fonts embedded. SVG: text as outlines. PNG: resolution stored in the file.";

#[derive(Debug, ClapArgs)]
#[command(after_help = FIGURE_HELP)]
pub(super) struct FigureArgs {
    /// What to draw
    pub(super) what: FigureKind,
    /// Files to draw it from
    #[arg(value_name = "FILE", required = true)]
    pub(super) files: Vec<PathBuf>,
    /// File to write: .pdf, .svg or .png
    #[arg(long, value_name = "FILE")]
    pub(super) out: PathBuf,
    /// Width on the page, such as 85mm (one column) or 170mm (two)
    #[arg(long, value_name = "MM", default_value = "85mm", value_parser = millimeters)]
    pub(super) width: f32,
    /// Height on the page without the caption [default: automatic]
    #[arg(long, value_name = "MM", value_parser = millimeters)]
    pub(super) height: Option<f32>,
    /// Text size on the page in points
    #[arg(long, value_name = "PT", default_value_t = 8.0)]
    pub(super) text: f32,
    /// Pixels per inch of a PNG [default: 300]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole(1, 100_000))]
    pub(super) dpi: Option<u64>,
    /// Dark background, for slides
    #[arg(long)]
    pub(super) dark: bool,
    /// Caption, instead of the automatic one (strategy, depth, nodes, games, seed and version)
    #[arg(long, value_name = "TEXT", conflicts_with = "no_caption")]
    pub(super) caption: Option<String>,
    /// No caption
    #[arg(long)]
    pub(super) no_caption: bool,
    /// On a board, also show what each spawn is worth
    #[arg(long)]
    pub(super) spawns: bool,
    /// Folder of presets and networks [default: the usual folder of the system]
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
