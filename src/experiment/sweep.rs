//! The points of a sweep among the strategies of a run: a line over one setting, a field over two.

use super::{Pair, Results};
use crate::game::Rules;
use crate::preset::{Entry, Published, Sweep};
use crate::stats::{Interval, Planned};
use crate::strategy::Strategy;

/// Which contestants are points of a sweep, and at which values of the settings.
#[derive(Clone, Debug, PartialEq)]
pub struct Swept {
    /// One or two settings.
    pub axes: Vec<SweptAxis>,
    /// One for each swept strategy that has a point here.
    pub lines: Vec<SweptLine>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct SweptAxis {
    pub name: String,
    /// In ascending order, at least one.
    pub values: Vec<f64>,
    /// Whether neighboring values have a constant ratio instead of a constant distance.
    pub is_log: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub struct SweptLine {
    pub name: String,
    /// The contestant at each point; the last setting varies fastest. `None` where the point was removed.
    pub contestants: Vec<Option<usize>>,
    /// The published numbers of the strategy that do not name a value of the setting.
    pub published: Option<Published>,
}

/// The difference of a point to the previous point along a setting, on the same seeds.
#[derive(Clone, Debug, PartialEq)]
pub struct SweepStep {
    /// The contestant at the previous point.
    pub from: usize,
    pub difference: f64,
    pub ci95: Interval,
}

impl Swept {
    /// `None` if no point of the sweep is among the strategies. Each strategy comes with the rules of its games.
    pub fn of<'a>(
        sweep: &Sweep,
        rules: Rules,
        strategies: impl IntoIterator<Item = (&'a Strategy, Rules)>,
    ) -> Option<Self> {
        let points = sweep.expand().ok()?;
        let played: Vec<(&Strategy, Rules)> = strategies.into_iter().collect();
        let find = |point: &Entry| {
            let is_it = |(one, by): &(&Strategy, Rules)| {
                one.name == point.strategy.name
                    && *by == point.rules(rules)
                    && one.is_same_play(&point.strategy)
            };
            played.iter().position(is_it)
        };
        let of_line = points
            .len()
            .checked_div(sweep.bases.len())
            .filter(|&points| 0 < points)?;
        let lines = sweep
            .bases
            .iter()
            .zip(points.chunks(of_line))
            .map(|(base, points)| SweptLine {
                name: base.strategy.label(),
                contestants: points.iter().map(find).collect(),
                published: base.published.clone(),
            });
        let lines: Vec<SweptLine> = lines
            .filter(|line| line.contestants.iter().any(Option::is_some))
            .collect();
        let axes = sweep.over.iter().map(|axis| {
            let (name, is_log) = (axis.name().to_owned(), axis.log);
            Some(SweptAxis {
                name,
                values: sweep.rising(axis).ok()?,
                is_log,
            })
        });

        Some(Self {
            axes: axes.collect::<Option<_>>()?,
            lines,
        })
        .filter(|swept| !swept.lines.is_empty())
    }

    /// The values of the settings at a point.
    pub fn at(&self, point: usize) -> Vec<f64> {
        let mut rest = point;
        let mut values: Vec<f64> = self
            .axes
            .iter()
            .rev()
            .map(|axis| {
                let count = axis.values.len();
                let value = axis.values[rest % count];
                rest /= count;
                value
            })
            .collect();
        values.reverse();
        values
    }

    /// The line and the point of a contestant.
    pub fn place_of(&self, contestant: usize) -> Option<(&SweptLine, usize)> {
        self.lines.iter().find_map(|line| {
            let point = line
                .contestants
                .iter()
                .position(|one| *one == Some(contestant))?;
            Some((line, point))
        })
    }

    /// The contestant at the previous value of a setting.
    pub fn before(&self, line: &SweptLine, point: usize, axis: usize) -> Option<usize> {
        let stride: usize = self.axes[axis + 1..]
            .iter()
            .map(|axis| axis.values.len())
            .product();
        let index = point / stride % self.axes[axis].values.len();
        (0 < index)
            .then(|| line.contestants[point - stride])
            .flatten()
    }
}

impl Results {
    /// The sweep of the run, if it was one.
    pub fn swept(&self) -> Option<Swept> {
        let strategies = self
            .contestants
            .iter()
            .map(|one| (&one.strategy, one.rules));
        Swept::of(
            &self.manifest.sweep()?,
            self.manifest.rules().ok()?,
            strategies,
        )
    }

    /// The difference of a contestant of a sweep to the previous point along each setting. `None` at the first point
    /// and without games.
    pub fn sweep_steps(&self, swept: &Swept, contestant: usize) -> Vec<Option<SweepStep>> {
        let Some((line, point)) = swept.place_of(contestant) else {
            return Vec::new();
        };
        let step = |axis| {
            let from = swept.before(line, point, axis)?;
            let [one, other] = [contestant, from].map(|place| &self.contestants[place]);
            // Games under different rules have different spawns.
            (one.rules == other.rules)
                .then(|| step(&Pair::of(&one.games, &other.games), from, self.planned()))?
        };
        (0..swept.axes.len()).map(step).collect()
    }
}

fn step(pair: &Pair, from: usize, planned: Planned) -> Option<SweepStep> {
    Some(SweepStep {
        from,
        difference: pair.difference()?,
        ci95: pair.interval(planned)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::{Plan, ResultsFormat, Run};
    use crate::preset::{Axis, Entry, Preset};

    fn sweep(over: &[&str]) -> Preset {
        let base: Strategy =
            "(name: \"mix\", criteria: [(evaluator: Sum([(1.0, Empty), (0.0, Score)]), tolerance: 0.0)])"
                .parse()
                .expect("a strategy");
        let over = over
            .iter()
            .map(|axis| axis.parse::<Axis>().expect("an axis"))
            .collect();
        let sweep = Sweep {
            over,
            bases: vec![Entry::new(base)],
            ..Sweep::default()
        };
        Preset {
            games: 40,
            ..Preset::of_sweep("mix", sweep).expect("sound")
        }
    }

    fn results(preset: &Preset) -> Results {
        let run = Run::start(
            Plan {
                threads: Some(2),
                ..Plan::of_preset(preset)
            },
            || {},
        )
        .expect("sound");
        run.wait();
        run.into_results()
    }

    #[test]
    fn every_point_has_its_place_and_its_neighbours() {
        let preset = sweep(&["weight of Score=0,0.5,1", "tolerance=0,2"]);
        let found = results(&preset);
        let swept = found.swept().expect("a sweep");
        assert_eq!(
            (swept.at(0), swept.at(1), swept.at(5)),
            (vec![0.0, 0.0], vec![0.0, 2.0], vec![1.0, 2.0])
        );
        let line = &swept.lines[0];
        assert_eq!(line.contestants, (0..6).map(Some).collect::<Vec<_>>());
        assert_eq!(
            [
                swept.before(line, 3, 0),
                swept.before(line, 3, 1),
                swept.before(line, 2, 1)
            ],
            [Some(1), Some(2), None]
        );

        let steps = found.sweep_steps(&swept, 3);
        let mean = |place: usize| {
            found.contestants[place]
                .summary
                .scores
                .mean()
                .expect("games")
        };
        let differences: Vec<f64> = steps.iter().flatten().map(|step| step.difference).collect();
        for (difference, from) in differences.iter().zip([1, 2]) {
            assert!((difference - (mean(3) - mean(from))).abs() < 1e-6);
        }

        // A removed strategy has no point, and neither have strategies outside the sweep.
        let mut fewer = preset;
        fewer.strategies.remove(4);
        fewer
            .strategies
            .push(Entry::new("r".parse().expect("letters")));
        let found = results(&fewer);
        let swept = found.swept().expect("a sweep");
        assert_eq!(swept.lines[0].contestants[4..], [None, Some(4)]);
        assert!(swept.place_of(5).is_none() && found.sweep_steps(&swept, 5).is_empty());
    }

    #[test]
    fn a_point_is_an_ordinary_run_of_the_same_strategy_byte_for_byte() {
        let preset = sweep(&["weight of Score=0,0.5"]);
        let swept = results(&preset);
        let plain = Preset {
            sweep: None,
            strategies: vec![preset.strategies[1].clone()],
            ..preset
        };
        let plain = results(&plain);
        let games = |results: &Results, place: usize| {
            let mut bytes = Vec::new();
            let one = Results::new(
                results.manifest.clone(),
                vec![results.contestants[place].clone()],
            );
            crate::experiment::games_csv(&one, &mut bytes).expect("bytes");
            bytes
        };
        assert_eq!(games(&swept, 1), games(&plain, 0));

        let [text, row] = [&swept, &plain].map(|results| ResultsFormat::Json.write(results));
        assert!(
            text.contains("\"weight of Score\": 0.5") && row.contains("\"sweep\": null"),
            "{text}"
        );
        let csv = ResultsFormat::Csv.write(&swept);
        assert!(
            csv.lines()
                .next()
                .is_some_and(|head| head.ends_with("step_difference,step_low,step_high")),
            "{csv}"
        );
    }
}
