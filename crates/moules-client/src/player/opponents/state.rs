//! The joint state: everybody's place and bonuses, and the items left.

use crate::player::maze::Maze;
use crate::rules::{Game, MAX_PLAYERS};

/// No item.
pub const NONE: u8 = u8::MAX;

/// One player's part of the joint state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Agent {
    /// Where it stands.
    pub cell: u32,
    /// Frites in hand.
    pub frites: u8,
    /// Beers in hand.
    pub beers: u8,
    /// The item it goes to, or [`NONE`].
    pub target: u8,
    /// Frites it may spend on the way there.
    pub budget: u8,
    /// The number of the predicted plan that it follows, or [`NONE`].
    pub plan: u8,
    /// The next turn of that plan.
    pub at: u8,
}

impl Agent {
    /// A player that has not chosen yet.
    #[must_use]
    pub fn new(cell: u32, frites: u32, beers: u32) -> Self {
        let few = |count: u32| count.min(150) as u8;
        let (frites, beers) = (few(frites), few(beers));
        Self { cell, frites, beers, target: NONE, budget: 0, plan: NONE, at: 0 }
    }
}

/// Everybody's part, and what is left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JointState {
    /// The items left, as bits of the maze.
    pub left: u64,
    /// The players, in their numbers or in the order of play.
    pub agents: [Agent; MAX_PLAYERS],
}

impl JointState {
    /// The state of `game`, player number `first` being the first of it, and the others in the order of play.
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
