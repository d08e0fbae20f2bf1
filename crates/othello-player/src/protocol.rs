//! Text in, text out: what the player is asked, and what it answers. None of these knows how it is searched.

pub mod analysis;
pub mod gtp;
pub mod nboard;
pub mod perft;
pub mod solve;
pub mod terminal;
pub mod tournoi;

use crate::player::Player;
use crate::rules::{Game, Move};
use search_core::alpha_beta::MAX_DEPTH;
use search_core::{Depth, Limits, Report, Score, Stopwatch};
use std::ops::RangeInclusive;

/// The depths that can be asked for, in plies: by an option, a level or a command alike.
pub const DEPTHS: RangeInclusive<Depth> = 1..=MAX_DEPTH;

/// The player at a board.
#[derive(Debug)]
pub struct Engine {
    /// The player.
    pub player: Player,
    /// The limits of a move.
    pub limits: Limits,
    /// The game so far.
    pub game: Game,
}

impl Engine {
    /// At the beginning of a game.
    pub fn new(player: Player, limits: Limits) -> Self {
        Self { player, limits, game: Game::default() }
    }

    /// Begins a new game, everything forgotten.
    pub fn new_game(&mut self) {
        self.player.new_game();
        self.game = Game::default();
    }

    /// Thinks about the position on the board.
    pub fn think(&mut self) -> Report<Move> {
        self.player.think(&self.game.board().position, self.limits, &Stopwatch::start())
    }
}

/// A score in discs.
fn discs(score: Score) -> f64 {
    f64::from(score.value()) / f64::from(Score::POINT)
}
