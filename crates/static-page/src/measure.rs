//! Figures of a player: its moves, its positions and its time on drawn positions, with limits that need no clock.

use crate::host;
use crate::thinker::{MEMORY, game};
use anyhow::Result;
use courses::drawing::Language;
use courses::play::own::Terms;
use courses::play::{self, Clicked, Play};
use courses::registry::Game;
use courses::seed::mix;
use courses::strength::Strength;
use search_core::Limits;
use serde::Deserialize;
use serde_json::{Value, json};

/// A measurement of a player.
#[derive(Debug, Clone, Deserialize)]
pub struct Measurement {
    /// The name of the game.
    pub game: String,
    /// The number of positions.
    pub positions: u64,
    /// The depth of a search in plies; `None` for no such limit.
    pub depth: Option<i32>,
    /// The positions of a search; `None` for no such limit.
    pub nodes: Option<u64>,
}

/// Plays up to `plies` drawn moves. Returns true if the game goes on.
fn wander(play: &mut dyn Play, plies: u64, seed: u64) -> Result<bool> {
    for ply in 0..plies {
        let (at, mut path) = (play.moves().len(), Vec::new());
        let mut draw = mix(seed, ply);
        loop {
            let next = play.next(at, &path);
            if next.is_empty() {
                return Ok(false);
            }
            draw = mix(draw, 1);
            let click = &next[(draw % next.len() as u64) as usize];
            match play.press(at, &path, click, Language::English) {
                Clicked::Chosen(longer) => path = longer,
                Clicked::Move(text) => {
                    play.play(&text)?;
                    break;
                }
                Clicked::Refused(_) => path.clear(),
            }
        }
    }
    Ok(play.mover(play.moves().len()).is_some())
}

/// The opening of the measured games.
fn opening(game: Game, seed: u64) -> Result<String> {
    match game.beginning("", seed) {
        Some(opening) => Ok(opening),
        None => play::start(game, "", 2),
    }
}

/// Lets the player choose a move in each position, without a clock.
///
/// # Errors
/// If the game is not in this module.
pub fn measure(measurement: &Measurement) -> Result<Value> {
    let game = game(&measurement.game)?;
    let limits = Limits { depth: measurement.depth, nodes: measurement.nodes, ..Limits::default() };
    let terms = Terms { strength: Strength::Level(10), limits: Some(limits), memory: MEMORY };
    let (mut moves, mut nodes, mut seed) = (Vec::new(), 0, 0);
    let mut spent = std::time::Duration::ZERO;
    while (moves.len() as u64) < measurement.positions {
        seed += 1;
        let opening = opening(game, seed)?;
        let mut play = play::open(game, &opening, 2)?;
        if !wander(play.as_mut(), 4 + seed % 24, seed)? {
            continue;
        }
        let mut player = game.own_player(&opening, 2, &terms)?;
        let began = host::now();
        let clock = move || host::now().saturating_sub(began);
        let chosen = player.choose(play.moves(), &clock)?;
        spent += clock();
        nodes += chosen.nodes;
        moves.push(chosen.text);
    }
    Ok(json!({ "game": game.name(), "moves": moves, "nodes": nodes, "millis": spent.as_secs_f64() * 1000.0 }))
}
