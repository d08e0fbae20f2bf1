//! Text in, text out: what the player is asked, and what it answers. None of these knows how it is searched.

pub mod analysis;
pub mod gtp;
pub mod nboard;
pub mod perft;
pub mod solve;
pub mod terminal;
pub mod tournoi;

use crate::player::{Inform, Player};
use crate::rules::{Game, Move, Position};
use analysis::info;
use search_core::alpha_beta::MAX_DEPTH;
use search_core::{Clock, Depth, Limits, Report, Score, Stopwatch};
use std::ops::RangeInclusive;
use std::sync::atomic::AtomicBool;
use wire::Telling;

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
    /// How much of its searches it tells on standard error.
    pub telling: Telling,
}

/// A way for a player to think, within limits, until a flag is set, telling of every iteration.
type Think = fn(&mut Player, &Position, Limits, &dyn Clock, Option<&AtomicBool>, Inform<'_>) -> Report<Move>;

impl Engine {
    /// At the beginning of a game.
    #[must_use]
    pub fn new(player: Player, limits: Limits) -> Self {
        Self { player, limits, game: Game::default(), telling: Telling::Nothing }
    }

    /// Begins a new game, everything forgotten.
    pub fn new_game(&mut self) {
        self.player.new_game();
        self.game = Game::default();
    }

    /// Thinks about the position on the board.
    pub fn think(&mut self) -> Report<Move> {
        self.think_until(self.limits, None, &mut |_| {})
    }

    /// As [`think`](Self::think), within other limits, until `stop` is set, telling `inform` of every iteration.
    pub fn think_until(
        &mut self,
        limits: Limits,
        stop: Option<&AtomicBool>,
        inform: Inform<'_>,
    ) -> Report<Move> {
        self.tell_of(Player::think_until, limits, stop, inform)
    }

    /// As [`think_until`](Self::think_until), but never plays at random: what the position is worth.
    pub fn search_until(
        &mut self,
        limits: Limits,
        stop: Option<&AtomicBool>,
        inform: Inform<'_>,
    ) -> Report<Move> {
        self.tell_of(Player::search, limits, stop, inform)
    }

    fn tell_of(
        &mut self,
        think: Think,
        limits: Limits,
        stop: Option<&AtomicBool>,
        inform: Inform<'_>,
    ) -> Report<Move> {
        let (position, telling) = (self.game.board().position, self.telling);
        let clock = Stopwatch::start();
        let report = think(&mut self.player, &position, limits, &clock, stop, &mut |report| {
            telling.iteration(|| info(report));
            inform(report);
        });
        telling.answer(|| info(&report));
        report
    }
}

/// A score in discs.
fn discs(score: Score) -> f64 {
    f64::from(score.value()) / f64::from(Score::POINT)
}
