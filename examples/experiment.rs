// Plays two strategies on the same seeds and compares them game by game.

use afterstate::{Pair, Plan, Preset, Run};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let strategies = ["er".parse()?, "emr".parse()?];
    let preset = Preset {
        games: 500,
        ..Preset::new("er and emr", strategies)
    };

    let run = Run::start(Plan::of_preset(&preset), || {})?;
    run.wait();
    let results = run.into_results();
    println!(
        "{}: {}",
        results.manifest.games_text(),
        results.manifest.end_reason
    );

    for contestant in &results.contestants {
        let scores = &contestant.summary.scores;
        println!(
            "{}: mean {:?}, 95 % {:?}",
            contestant.strategy.label(),
            scores.mean(),
            scores.mean_interval()
        );
    }
    let pair = Pair::of(&results.contestants[1].games, &results.contestants[0].games);
    println!(
        "emr − er: {:?}, 95 % {:?}",
        pair.difference(),
        pair.interval(results.planned())
    );

    assert_eq!(pair.games(), 500);
    Ok(())
}
