//! The players of a worker. A call returns when the player has its move, or when an analysis has had its time.

use crate::host;
use anyhow::{Context as _, Result};
use courses::play::own::{OwnAnalyst, OwnPlayer, Terms};
use courses::registry::{self, Game};
use courses::strength::Strength;
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use wire::analysis::{Info, Listener};

/// Memory of a player's tables in bytes, so that a page with all its workers fits a phone.
pub const MEMORY: usize = 16 << 20;

/// A request for a move.
#[derive(Deserialize)]
pub struct Choice {
    /// The player, which is created when it is first asked.
    pub id: String,
    /// The name of the game.
    pub game: String,
    /// The opening, in the notation of records.
    pub opening: String,
    /// The number of players.
    pub seats: usize,
    /// The strength of the player.
    pub strength: Strength,
    /// The moves after the opening.
    pub moves: Vec<String>,
}

/// The players of a worker.
#[derive(Default)]
pub struct Players(HashMap<String, Box<dyn OwnPlayer>>);

/// Returns a game of this module.
pub(crate) fn game(name: &str) -> Result<Game> {
    registry::find(name).context("the module has another game")
}

impl Players {
    /// Chooses a move.
    ///
    /// # Errors
    /// If the game, its opening or a move is not valid.
    pub fn choose(&mut self, choice: &Choice) -> Result<Value> {
        let began = host::now();
        let clock = move || host::now().saturating_sub(began);
        if !self.0.contains_key(&choice.id) {
            let terms = Terms { strength: choice.strength, limits: None, memory: MEMORY };
            let player = game(&choice.game)?.own_player(&choice.opening, choice.seats, &terms)?;
            self.0.insert(choice.id.clone(), player);
        }
        let player = self.0.get_mut(&choice.id).context("the player was just created")?;
        let chosen = player.choose(&choice.moves, &clock)?;
        let millis = clock().as_secs_f64() * 1000.0;
        Ok(json!({ "text": chosen.text, "nodes": chosen.nodes, "millis": millis }))
    }

    /// Forgets a player.
    pub fn forget(&mut self, id: &str) {
        self.0.remove(id);
    }
}

/// A request for an analysis.
#[derive(Deserialize)]
pub struct Study {
    game: String,
    /// The position in the text of the analysis dialogue.
    position: String,
    /// The number of moves to report.
    moves: usize,
    /// Milliseconds after which the analysis ends; 0 for none.
    millis: u64,
    /// The depth from which on findings are reported.
    #[serde(default)]
    from: u32,
}

impl Study {
    /// Analyses the position, and sends each finding as a line of the analysis dialogue.
    ///
    /// # Errors
    /// If the position is not valid, or nobody analyses the game.
    pub fn run(&self, analyst: &mut Option<Box<dyn OwnAnalyst>>) -> Result<Value> {
        let began = host::now();
        let limit = (self.millis > 0).then(|| Duration::from_millis(self.millis));
        let stop = AtomicBool::new(false);
        let elapsed = || {
            let elapsed = host::now().saturating_sub(began);
            // The search reads this clock often: it stops itself.
            if limit.is_some_and(|limit| elapsed >= limit) {
                stop.store(true, Ordering::Relaxed);
            }
            elapsed
        };
        let analyst = match analyst {
            Some(analyst) => analyst,
            none => none.insert(game(&self.game)?.own_analyst(MEMORY).context("nobody analyses this game")?),
        };
        let mut deepest = 0;
        let mut report = |info: &Info| {
            deepest = info.depth.max(deepest);
            if info.depth >= self.from {
                host::send(&info.to_string());
            }
        };
        let mut listener = Listener::timed(self.moves, &stop, &elapsed, &mut report);
        analyst.study(&self.position, &mut listener)?;
        Ok(json!({ "depth": deepest, "done": !stop.load(Ordering::Relaxed) }))
    }
}
