//! What a file is wanted for: what a dialog asks and what is done with the answer.

use crate::search::TreeFormat;

/// What a file is wanted for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Presets, positions or game records to open.
    Open,
    /// Strategies to be copied into the library.
    ImportStrategies,
    ExportStrategy,
    /// The preset of the experiment.
    SavePreset,
    /// The record of the game on the board.
    SaveRecord,
    ExportResults,
    /// The record of the search that is shown.
    SaveTree(TreeFormat),
    /// What the panel of the search tree shows.
    SavePicture(PictureFormat),
}

/// How a picture is saved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PictureFormat {
    Png,
    Svg,
}

impl PictureFormat {
    /// How the names of such files end.
    pub const fn ending(self) -> &'static str {
        match self {
            Self::Png => "png",
            Self::Svg => "svg",
        }
    }
}

impl Purpose {
    pub(crate) fn title(self) -> &'static str {
        match self {
            Self::Open => "Open",
            Self::ImportStrategies => "Import strategies",
            Self::ExportStrategy => "Export strategy",
            Self::SavePreset => "Save preset as",
            Self::SaveRecord => "Save game record",
            Self::ExportResults => "Export results to a folder",
            Self::SaveTree(_) => "Save tree",
            Self::SavePicture(_) => "Save picture",
        }
    }

    pub(crate) fn verb(self) -> &'static str {
        match self {
            Self::Open => "Open",
            Self::ImportStrategies => "Import",
            Self::ExportResults => "Export",
            _ => "Save",
        }
    }

    /// How the files end that it is about; `None` for a folder and for files of several kinds.
    pub(crate) fn extension(self) -> Option<&'static str> {
        match self {
            Self::Open | Self::ImportStrategies | Self::ExportResults => None,
            Self::SavePreset | Self::ExportStrategy => Some("ron"),
            Self::SaveRecord => Some("txt"),
            Self::SaveTree(format) => Some(format.ending()),
            Self::SavePicture(format) => Some(format.ending()),
        }
    }

    /// Whether files that exist are chosen.
    pub(crate) fn opens(self) -> bool {
        matches!(self, Self::Open | Self::ImportStrategies)
    }
}
