//! Turns to take everything alone on the maps of `solo_bounds.tsv`: one line a map, and the mean. With `--plan 1` only the
//! first turn is thought about, and its plan's turns count.
//!
//! `cargo run --release -p moules-client --example solo -- [--time MS] [--largeur N] [--cartes N] [--plan 1]`

use moules_client::player::{Player, Settings};
use moules_client::rules::{Command, Game, Settings as Map};
use search_core::{Limits, Stopwatch};
use std::time::Duration;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut settings = Settings::default();
    let mut time = None;
    let mut maps = 30;
    let mut plan_only = false;
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let value = words.next().ok_or("a value is missing")?;
        match word.as_str() {
            "--time" => time = Some(Duration::from_millis(value.parse()?)),
            "--largeur" => settings.width = value.parse()?,
            "--cartes" => maps = value.parse()?,
            "--plan" => plan_only = value != "0",
            _ => return Err(format!("unknown option {word}").into()),
        }
    }
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../test-data/moules/solo_bounds.tsv");
    let text = std::fs::read_to_string(path)?;
    let (mut total, mut listed, mut worse) = (0, 0, 0);
    let mut slowest = Duration::ZERO;
    for line in text.lines().take(maps) {
        let fields: Vec<&str> = line.split('\t').collect();
        let map = Map { maze_seed: fields[7].parse()?, item_seed: fields[8].parse()?, ..Map::default() };
        let bound: u64 = line
            .split("beam20000 ")
            .nth(1)
            .and_then(|rest| rest.split('\t').next())
            .ok_or("no bound")?
            .parse()?;
        let mut game = Game::new(map.generate()?, Some(500));
        let mut player = Player::new(settings);
        let mut turns = 0;
        while game.end().is_none() {
            let clock = Stopwatch::start();
            let limits = time.map_or(Limits::default(), Limits::time);
            let report = player.think(&game, limits, &clock);
            slowest = slowest.max(report.elapsed);
            if plan_only {
                turns = report.depth as u64;
                break;
            }
            game.play(Command::from(report.best.ok_or("no move")?));
            turns = game.turns();
        }
        println!("{} {} turns {turns} listed {bound}", map.maze_seed, map.item_seed);
        total += turns;
        listed += bound;
        worse += u64::from(turns > bound);
    }
    let mean = |sum: u64| sum as f64 / maps as f64;
    println!(
        "mean {:.2} listed {:.2} worse on {worse} of {maps}, slowest turn {slowest:?}",
        mean(total),
        mean(listed)
    );
    Ok(())
}
