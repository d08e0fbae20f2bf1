//! The text protocols. They ask the player for moves and do not touch the search.

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
use wire::SearchLog;

/// The depths that options, levels and commands accept, in plies.
pub const DEPTHS: RangeInclusive<Depth> = 1..=MAX_DEPTH;

/// A player with a game in progress.
#[derive(Debug)]
pub struct Engine {
    /// The player that searches.
    pub player: Player,
    /// The limits for a move.
    pub limits: Limits,
    /// The game in progress.
    pub game: Game,
    /// The level of the search log.
    pub search_log: SearchLog,
}

/// A search function of [`Player`].
type Think = fn(&mut Player, &Position, Limits, &dyn Clock, Option<&AtomicBool>, Inform<'_>) -> Report<Move>;

impl Engine {
    /// An engine at the start of a game.
    #[must_use]
    pub fn new(player: Player, limits: Limits) -> Self {
        Self { player, limits, game: Game::default(), search_log: SearchLog::Nothing }
    }

    /// Starts a new game and clears the table.
    pub fn new_game(&mut self) {
        self.player.new_game();
        self.game = Game::default();
    }

    /// Searches the current position.
    pub fn think(&mut self) -> Report<Move> {
        self.think_until(self.limits, None, &mut |_| {})
    }

    /// As [`think`](Self::think), with other limits and a callback for every iteration, until `stop` is set.
    pub fn think_until(
        &mut self,
        limits: Limits,
        stop: Option<&AtomicBool>,
        inform: Inform<'_>,
    ) -> Report<Move> {
        self.think_logged(Player::think_until, limits, stop, inform)
    }

    /// As [`think_until`](Self::think_until), but never plays at random.
    pub fn search_until(
        &mut self,
        limits: Limits,
        stop: Option<&AtomicBool>,
        inform: Inform<'_>,
    ) -> Report<Move> {
        self.think_logged(Player::search, limits, stop, inform)
    }

    fn think_logged(
        &mut self,
        think: Think,
        limits: Limits,
        stop: Option<&AtomicBool>,
        inform: Inform<'_>,
    ) -> Report<Move> {
        let (position, search_log) = (self.game.board().position, self.search_log);
        let clock = Stopwatch::start();
        let report = think(&mut self.player, &position, limits, &clock, stop, &mut |report| {
            search_log.iteration(|| info(report));
            inform(report);
        });
        search_log.answer(|| info(&report));
        report
    }
}

/// Converts a score to discs.
fn discs(score: Score) -> f64 {
    f64::from(score.value()) / f64::from(Score::POINT)
}
