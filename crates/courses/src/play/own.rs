//! The project's own players in this process, for pages that can start no programs.

use crate::duel::{IllegalMove, MoveOf, Players, random_move};
use crate::strength::{Level, Levels, Strength, drawn};
use anyhow::{Context as _, anyhow};
use search_core::{Clock, Limits, Position as _, Report};
use wire::analysis::{Analyst, Listener};

/// The terms under which an own player thinks.
#[derive(Debug, Clone, Copy)]
pub struct Terms {
    /// The strength.
    pub strength: Strength,
    /// Limits in place of those of the strength, for measurements.
    pub limits: Option<Limits>,
    /// Memory of the player's tables in bytes.
    pub memory: usize,
}

impl Terms {
    /// Returns the limits of a move: those given, or the time, or what `limit` makes of a level's number.
    pub(crate) fn limits(&self, levels: &Levels, limit: impl FnOnce(u64) -> Limits) -> Limits {
        self.limits.unwrap_or_else(|| self.strength.limits(levels, limit))
    }

    /// Returns the level, or `None` if limits are given or the time is limited.
    pub(crate) fn level(&self, levels: &Levels) -> Option<Level> {
        if self.limits.is_some() { None } else { self.strength.level(levels) }
    }
}

/// A move of an own player.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chosen {
    /// The move in the notation of records.
    pub text: String,
    /// The positions visited.
    pub nodes: u64,
}

/// An own player in one game.
pub trait OwnPlayer: Send {
    /// Returns the next move after `moves`, all those after the opening. `clock` begins with the request.
    ///
    /// # Errors
    /// If a move is illegal, or the game is over.
    fn choose(&mut self, moves: &[String], clock: &dyn Clock) -> anyhow::Result<Chosen>;
}

/// An own player that analyses positions.
pub trait OwnAnalyst: Send {
    /// Analyses a position of the analysis dialogue until the listener's stop flag is set.
    ///
    /// # Errors
    /// The error in the text of the position.
    fn study(&mut self, position: &str, listener: &mut Listener<'_>) -> anyhow::Result<()>;
}

impl<A: Analyst + Send> OwnAnalyst for A {
    fn study(&mut self, position: &str, listener: &mut Listener<'_>) -> anyhow::Result<()> {
        let position = self.read(position).map_err(|error| anyhow!("{error}"))?;
        self.analyse(&position, listener);
        Ok(())
    }
}

/// An own player of a game for two. `think` searches the last position of a game: its positions from the opening on,
/// and the moves between them.
pub struct OwnDuel<R: Players, T> {
    rules: R,
    level: Option<Level>,
    positions: Vec<R::Position>,
    moves: Vec<(String, MoveOf<R>)>,
    think: T,
}

impl<R, T> OwnDuel<R, T>
where
    R: Players + Send + 'static,
    R::Position: Send,
    MoveOf<R>: Send,
    T: FnMut(&[R::Position], &[MoveOf<R>], &dyn Clock) -> Report<MoveOf<R>> + Send + 'static,
{
    /// Creates the player of a game from `opening`. `level` draws some moves at random.
    ///
    /// # Errors
    /// The error in the opening.
    pub fn boxed(
        rules: R,
        opening: &str,
        level: Option<Level>,
        think: T,
    ) -> anyhow::Result<Box<dyn OwnPlayer>> {
        let positions = vec![rules.start(opening)?];
        Ok(Box::new(Self { rules, level, positions, moves: Vec::new(), think }))
    }

    /// Goes to the position after `moves`.
    fn follow(&mut self, moves: &[String]) -> anyhow::Result<()> {
        let known = self.moves.iter().zip(moves).take_while(|((known, _), text)| known == *text).count();
        self.moves.truncate(known);
        self.positions.truncate(known + 1);
        for text in &moves[known..] {
            let mut position = self.last().clone();
            let mv = self.rules.read(&position, text).ok_or_else(|| IllegalMove::here(text))?;
            position.play(mv);
            self.moves.push((text.clone(), mv));
            self.positions.push(position);
        }
        Ok(())
    }

    fn last(&self) -> &R::Position {
        self.positions.last().expect("the opening is never removed")
    }
}

impl<R, T> OwnPlayer for OwnDuel<R, T>
where
    R: Players + Send + 'static,
    R::Position: Send,
    MoveOf<R>: Send,
    T: FnMut(&[R::Position], &[MoveOf<R>], &dyn Clock) -> Report<MoveOf<R>> + Send + 'static,
{
    fn choose(&mut self, moves: &[String], clock: &dyn Clock) -> anyhow::Result<Chosen> {
        self.follow(moves)?;
        if let Some(number) = drawn(self.level, 0, moves) {
            let mv = random_move(&self.rules, self.last(), number).context("the game is over")?;
            return Ok(Chosen { text: self.rules.write(self.last(), mv), nodes: 1 });
        }
        let played: Vec<MoveOf<R>> = self.moves.iter().map(|&(_, mv)| mv).collect();
        let report = (self.think)(&self.positions, &played, clock);
        let best = report.best.context("the game is over")?;
        Ok(Chosen { text: self.rules.write(self.last(), best), nodes: report.nodes })
    }
}
