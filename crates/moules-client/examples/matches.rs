//! Matches within one process: player A in each seat in turn against three of player B (a name, or up to three between
//! commas), half the maps perfect mazes, half with 15 % of dunes. Prints A's mean marks (6, 4, 2, 0 by rank; ties share)
//! and their standard error, and how many moves the game does not allow: 0.
//!
//! `cargo run --release -p moules-client --example matches -- --a complet --b planificateur [--cartes N] [--depuis N]
//! [--largeur N] [--time MS] [--evala NAME] [--evalb NAME]`

use moules_client::player::{Ai, Player, Settings};
use moules_client::rules::{Command, Game, Settings as Map};
use search_core::{Limits, Stopwatch};
use std::time::Duration;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut sides = [Settings { width: 300, ..Settings::default() }; 2];
    let (mut maps, mut from, mut time) = (20, 0, None);
    let mut others: Vec<Ai> = Vec::new();
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let value = words.next().ok_or("a value is missing")?;
        match word.as_str() {
            "--a" => sides[0].ai = value.parse()?,
            "--b" => others = value.split(',').map(str::parse).collect::<Result<_, _>>()?,
            "--evala" => sides[0].evaluation = value.parse()?,
            "--evalb" => sides[1].evaluation = value.parse()?,
            "--largeur" => {
                sides.iter_mut().try_for_each(|side| value.parse().map(|width| side.width = width))?
            }
            "--largeura" => sides[0].width = value.parse()?,
            "--cartes" => maps = value.parse()?,
            "--depuis" => from = value.parse()?,
            "--time" => time = Some(Duration::from_millis(value.parse()?)),
            _ => return Err(format!("unknown option {word}").into()),
        }
    }
    if others.is_empty() {
        others.push(sides[1].ai);
    }
    let mut by_map = Vec::new();
    let mut ranks = [0; 4];
    let mut refused = 0;
    let (mut turns, mut slowest, mut spent) = (0, Duration::ZERO, [Duration::ZERO; 2]);
    for map in from..from + maps {
        let dunes = if map % 2 == 0 { 50 } else { 15 };
        let settings =
            Map { players: 4, dunes, maze_seed: 1000 + map, item_seed: 9000 + map, ..Map::default() };
        let mut marks = 0.0;
        for seat in 0..4usize {
            let mut game = Game::new(settings.generate()?, Some(500));
            let mut players: Vec<Player> = (0..4usize)
                .map(|player| match (player + 3 - seat) % 4 {
                    3 => Player::new(sides[0]),
                    other => Player::new(Settings { ai: others[other % others.len()], ..sides[1] }),
                })
                .collect();
            while game.end().is_none() {
                let me = game.to_move();
                let clock = Stopwatch::start();
                let limits = time.map_or(Limits::default(), Limits::time);
                let report = players[me].think(&game, limits, &clock);
                slowest = slowest.max(report.elapsed);
                spent[usize::from(me != seat)] += report.elapsed;
                let mv = report.best.ok_or("no move")?;
                refused += u32::from(!game.allows(mv) && mv != game.idle());
                game.play(Command::from(mv));
            }
            turns += game.turns();
            let mine = game.purses[seat].points;
            ranks[game.purses.iter().filter(|purse| purse.points > mine).count()] += 1;
            marks += game.marks()[seat];
        }
        by_map.push(marks / 4.0);
    }
    let count = by_map.len() as f64;
    let mean = by_map.iter().sum::<f64>() / count;
    let variance = by_map.iter().map(|marks| (marks - mean).powi(2)).sum::<f64>() / (count - 1.0).max(1.0);
    println!(
        "{} against 3 {}: {mean:.3} ± {:.3} marks a match over {maps} maps × 4 seats, ranks {ranks:?}, {refused} moves that the game \
         does not allow, {:.0} turns a match, \
         {:.1} and {:.1} ms a turn, slowest {slowest:?}",
        sides[0].ai,
        others.iter().map(|ai| ai.name()).collect::<Vec<_>>().join(","),
        (variance / count).sqrt(),
        turns as f64 / count / 4.0,
        spent[0].as_secs_f64() * 4e3 / turns as f64,
        spent[1].as_secs_f64() * 4e3 / 3.0 / turns as f64
    );
    Ok(())
}
