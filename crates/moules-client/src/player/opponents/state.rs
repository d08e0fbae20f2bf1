//! The joint state: every player's cell and bonuses, and the items left.

use crate::maze::Maze;
use crate::rules::{Game, MAX_PLAYERS};

/// No item.
pub const NONE: u8 = u8::MAX;

/// One player's part of the joint state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Agent {
    /// The player's cell.
    pub cell: u32,
    /// Frites in hand.
    pub frites: u8,
    /// Beers in hand.
    pub beers: u8,
    /// The target item, or [`NONE`].
    pub target: u8,
    /// Frites that the player may spend on the way to its target.
    pub budget: u8,
    /// The number of the predicted plan that it follows, or [`NONE`].
    pub plan: u8,
    /// The index of the next turn in that plan.
    pub at: u8,
}

impl Agent {
    /// Creates a player without a target.
    #[must_use]
    pub fn new(cell: u32, frites: u32, beers: u32) -> Self {
        let few = |count: u32| count.min(150) as u8;
        let (frites, beers) = (few(frites), few(beers));
        Self { cell, frites, beers, target: NONE, budget: 0, plan: NONE, at: 0 }
    }
}

/// All players, and the items left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JointState {
    /// The items left, as bits of the maze.
    pub left: u64,
    /// The players, by number or in the order of play.
    pub agents: [Agent; MAX_PLAYERS],
}

impl JointState {
    /// Returns the joint state of `game`, with player `first` first and the others in the order of play.
    #[must_use]
    pub fn of(maze: &Maze, game: &Game, first: usize) -> Self {
        let mut state = Self { left: maze.left(&game.state), agents: [Agent::new(0, 0, 0); MAX_PLAYERS] };
        let count = game.player_count();
        for (order, agent) in state.agents.iter_mut().enumerate().take(count) {
            let player = (first + order) % count;
            let purse = game.purses[player];
            *agent = Agent::new(game.state.players[player].0, purse.frites, purse.beers);
        }
        state
    }
}
