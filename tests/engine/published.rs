//! Means of many games against the published ones: Kohler, Migler and Khosmood 2019, Table 1 and Table 2.

use afterstate::game::{Rules, Seed};
use afterstate::search::SearchOptions;
use afterstate::strategy::{Player, Strategy};

const GAMES: u64 = 20_000;

/// The publication played 1000 games of each strategy.
const THEIR_GAMES: f64 = 1000.0;

/// Mean and standard error of a number over games.
struct Sample {
    mean: f64,
    error: f64,
}

impl Sample {
    fn of(numbers: &[f64]) -> Self {
        let n = numbers.len() as f64;
        let mean = numbers.iter().sum::<f64>() / n;
        let variance = numbers
            .iter()
            .map(|number| (number - mean).powi(2))
            .sum::<f64>()
            / (n - 1.0);
        Self {
            mean,
            error: (variance / n).sqrt(),
        }
    }

    /// The distance of two means in standard errors of their difference.
    fn distance(&self, mean: f64, error: f64) -> f64 {
        (self.mean - mean).abs() / self.error.hypot(error)
    }
}

/// Scores and moves of the first games under one seed.
fn play(letters: &str, games: u64) -> (Sample, Sample) {
    let strategy: Strategy = letters.parse().expect("letters");
    let player = Player::new(&strategy, Rules::default());
    let outcomes: Vec<_> = (0..games)
        .map(|game| {
            player.play(
                &Seed(20_190_826).game(game),
                SearchOptions::default(),
                &mut (),
            )
        })
        .collect();
    let sample_of = |number: fn(&afterstate::strategy::Outcome) -> u32| {
        Sample::of(
            &outcomes
                .iter()
                .map(|outcome| f64::from(number(outcome)))
                .collect::<Vec<_>>(),
        )
    };
    (
        sample_of(|outcome| outcome.score),
        sample_of(|outcome| outcome.moves),
    )
}

fn agrees(letters: &str, mean: f64, sd: f64) {
    let (score, _) = play(letters, GAMES);
    let distance = score.distance(mean, sd / THEIR_GAMES.sqrt());
    assert!(
        distance < 3.5,
        "{letters}: {:.1} ± {:.1}, published {mean}",
        score.mean,
        score.error
    );
}

#[test]
fn random_play_scores_what_it_always_does() {
    let (score, moves) = play("r", GAMES);
    assert!(
        score.distance(1095.0, 3.0) < 3.5,
        "{:.1} ± {:.1}",
        score.mean,
        score.error
    );
    assert!(
        moves.distance(118.4, 0.05) < 3.5,
        "{:.2} ± {:.2}",
        moves.mean,
        moves.error
    );
}

#[test]
fn random_play_is_as_published() {
    agrees("r", 1093.87, 539.75);
}

#[test]
fn the_empty_cells_alone_are_as_published() {
    agrees("er", 1948.13, 878.63);
}

#[test]
fn monotonicity_alone_is_as_published() {
    agrees("mr", 3177.17, 1196.25);
}

#[test]
fn empty_cells_then_monotonicity_is_as_published() {
    agrees("emr", 3947.83, 1883.28);
}

/// By their description, greedy play averages near 2000 and uniformity near 550; the publication prints the mean of
/// random play for both (1090.64 and 1079.36).
#[test]
fn greedy_and_uniformity_are_as_described_and_not_as_published() {
    let (greedy, _) = play("gr", 4000);
    assert!(
        (1900.0..2100.0).contains(&greedy.mean),
        "{:.1} ± {:.1}",
        greedy.mean,
        greedy.error
    );
    assert!(20.0 < greedy.distance(1090.64, 530.21 / THEIR_GAMES.sqrt()));
    let (uniformity, _) = play("ur", 4000);
    assert!(
        (500.0..600.0).contains(&uniformity.mean),
        "{:.1} ± {:.1}",
        uniformity.mean,
        uniformity.error
    );
    assert!(20.0 < uniformity.distance(1079.36, 516.63 / THEIR_GAMES.sqrt()));
}
