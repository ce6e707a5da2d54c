//! The kinds of plots; maps scores and heights of a plot to the screen, and finds the strategy at a point.

use std::ops::RangeInclusive;

use egui::{Pos2, Rect, pos2};
use egui_plot::PlotTransform;
use strum::EnumIter;

use super::data::{PlotData, Series};
use crate::workbench::terms::{self, Term};
use crate::workbench::theme;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, EnumIter)]
pub(super) enum Kind {
    /// Results over the settings of a sweep; only runs of a sweep have it.
    Sweep,
    /// Games per bin.
    #[default]
    Histogram,
    /// Share of games with at most a score.
    Ecdf,
    Ladder,
    Box,
    /// Games per bin of the differences of two strategies.
    Differences,
    /// Nodes of a decision by the number of empty cells; only runs with searches have it.
    Nodes,
}

/// How a plot draws the strategies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PlotShape {
    /// Games per bin.
    Bars,
    Curve,
    Boxes,
    /// It draws itself, without a [`Frame`].
    Own,
}

/// The facts about a kind of plot.
pub(super) struct PlotFacts {
    /// The name in the choice of plots.
    pub name: &'static str,
    /// The name for screen readers; empty for plots that draw themselves.
    pub spoken: &'static str,
    pub shape: PlotShape,
    pub term: Option<&'static Term>,
}

impl Kind {
    pub(super) const fn facts(self) -> PlotFacts {
        let (name, spoken, shape, term) = match self {
            Self::Sweep => ("Sweep", "", PlotShape::Own, Some(&terms::SWEEP)),
            Self::Histogram => ("Histogram", "Histogram of scores", PlotShape::Bars, None),
            Self::Ecdf => (
                "ECDF",
                "Cumulative shares of scores",
                PlotShape::Curve,
                Some(&terms::ECDF),
            ),
            Self::Ladder => ("Ladder", "", PlotShape::Own, Some(&terms::LADDER)),
            Self::Box => (
                "Box",
                "Quantiles of scores",
                PlotShape::Boxes,
                Some(&terms::BOX),
            ),
            Self::Differences => (
                "Paired",
                "Histogram of differences",
                PlotShape::Bars,
                Some(&terms::DIFFERENCES),
            ),
            Self::Nodes => ("Nodes", "", PlotShape::Own, Some(&terms::NODES)),
        };
        PlotFacts {
            name,
            spoken,
            shape,
            term,
        }
    }
}

impl PlotShape {
    /// The strategies that it draws.
    pub(super) fn drawn(self, data: &PlotData) -> &[Series] {
        match self {
            Self::Bars | Self::Curve => &data.series,
            Self::Boxes | Self::Own => &data.rows,
        }
    }
}

/// Height of a box row, smallest and largest.
const PITCH: (f32, f32) = (18.0, 56.0);

/// What is drawn, and the transform to the screen.
#[derive(Clone, Copy)]
pub(super) struct Frame<'a> {
    pub shape: PlotShape,
    pub data: &'a PlotData,
    pub selected: Option<usize>,
    pub inner: Rect,
    pub transform: PlotTransform,
}

impl<'a> Frame<'a> {
    /// The selected series comes last, so that it is on top.
    pub(super) fn in_order(self) -> impl Iterator<Item = &'a Series> {
        let is_selected = move |series: &&Series| Some(series.place) == self.selected;
        let rest = self
            .data
            .series
            .iter()
            .filter(move |series| !is_selected(series));
        rest.chain(self.data.series.iter().filter(is_selected))
    }

    /// Line width of a series.
    pub(super) fn width(&self, series: &Series) -> f32 {
        if self.selected == Some(series.place) {
            2.4
        } else {
            theme::SERIES_WIDTH
        }
    }

    pub(super) fn x(&self, score: f64) -> f32 {
        self.transform
            .position_from_point_x(self.data.axis.at(score))
    }

    pub(super) fn y(&self, height: f64) -> f32 {
        self.transform.position_from_point_y(height)
    }

    /// The horizontal span of some scores on screen.
    pub(super) fn span(&self, scores: &RangeInclusive<u32>) -> [f32; 2] {
        let (low, high) = self.data.axis.span(scores);
        [low, high].map(|at| self.transform.position_from_point_x(at))
    }

    /// The visible places of the axis.
    pub(super) fn seen(&self) -> (f64, f64) {
        let bounds = self.transform.bounds();
        (bounds.min()[0], bounds.max()[0])
    }

    /// The first and the last visible bin.
    pub(super) fn seen_bins(&self) -> RangeInclusive<usize> {
        let [first, last] =
            [self.inner.left(), self.inner.right() - 0.5].map(|x| self.data.bin_at(self.score(x)));
        first..=last.max(first)
    }

    pub(super) fn score(&self, x: f32) -> f64 {
        self.data.axis.score(
            self.transform
                .value_from_position(pos2(x, self.inner.top()))
                .x,
        )
    }

    /// The place of the strategy whose bar, curve or box is at a point: the lowest of overlapping bars, the nearest
    /// curve.
    pub(super) fn series_at(&self, at: Pos2) -> Option<usize> {
        /// Maximum distance at which a curve is hit.
        const REACH: f32 = 12.0;

        let score = self.score(at.x);
        let bin = self.data.bin_at(score);
        let found = match self.shape {
            PlotShape::Bars => {
                let top = |series: &&Series| self.y(series.height(bin, self.data.unit));
                let bars = self
                    .data
                    .series
                    .iter()
                    .filter(|series| 0 < series.bars[bin]);
                bars.filter(|series| top(series) <= at.y + 3.0)
                    .max_by(|a, b| top(a).total_cmp(&top(b)))
            }
            PlotShape::Curve => {
                let away = |series: &&Series| (self.y(100.0 * series.at_most(score)) - at.y).abs();
                let near = self
                    .data
                    .series
                    .iter()
                    .filter(|series| away(series) <= REACH);
                near.min_by(|a, b| away(a).total_cmp(&away(b)))
            }
            PlotShape::Boxes => self
                .boxes()
                .find(|(_, row)| row.y_range().contains(at.y))
                .map(|(series, _)| series),
            PlotShape::Own => None,
        };

        found.map(|series| series.place)
    }

    /// The boxes that fit, each with its row.
    pub(super) fn boxes(&self) -> impl Iterator<Item = (&'a Series, Rect)> {
        let (data, inner) = (self.data, self.inner);
        let pitch = (inner.height() / data.rows.len().max(1) as f32).clamp(PITCH.0, PITCH.1);
        let fits = (inner.height() / pitch + 0.01) as usize;
        data.rows
            .iter()
            .take(fits)
            .enumerate()
            .map(move |(row, series)| {
                let top = inner.top() + row as f32 * pitch;
                (series, inner.with_min_y(top).with_max_y(top + pitch))
            })
    }
}
