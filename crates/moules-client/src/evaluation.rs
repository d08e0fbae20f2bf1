//! The value of an unfinished plan: the functions that rank plans.

mod nearest;
mod points;
mod rollout;
mod tour;

use crate::player::maze::Maze;
use crate::rules::Game;
use search_core::Score;

pub use tour::Tours;

/// A unit of worth: this many to a point.
pub const POINT: i64 = 100;

/// A situation in the middle of a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AgentState {
    /// The items left, as bits of the maze.
    pub left: u64,
    /// Where the player stands.
    pub cell: u32,
    /// The value of what was taken so far.
    pub gain: i32,
    /// Frites in hand.
    pub frites: u8,
    /// Beers in hand.
    pub beers: u8,
}

/// The value of each item by the turn it is taken at, in hundredths of a point.
#[derive(Debug, Clone)]
pub struct Worth {
    turns: usize,
    table: Vec<i32>,
}

impl Worth {
    /// A table of `turns` turns; beyond them, the last one holds.
    pub fn new(items: usize, turns: usize, mut worth: impl FnMut(usize, usize) -> i64) -> Self {
        let turns = turns.max(1);
        let table = (0..items * turns).map(|at| worth(at / turns, at % turns) as i32).collect();
        Self { turns, table }
    }

    /// Each item's points, less half a percent for every turn.
    #[must_use]
    pub fn alone(maze: &Maze, turns: usize) -> Self {
        Self::new(maze.items().len(), turns, |item, turn| {
            (f64::from(maze.points(item)) * POINT as f64 * 0.995f64.powi(turn as i32)) as i64
        })
    }

    /// The worth of `item` taken by the end of turn `turn`, counted from 1.
    #[inline]
    #[must_use]
    pub fn of(&self, item: usize, turn: usize) -> i64 {
        i64::from(self.table[item * self.turns + turn.min(self.turns - 1)])
    }
}

/// A function that ranks plans.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Evaluation {
    /// The value taken, and nothing else.
    Points,
    /// The value taken, and the one mussel with the most value for its distance.
    Nearest,
    /// The value taken, and that of a walk from best mussel to best mussel, with the bonuses in hand.
    #[default]
    Rollout,
    /// The turns to take everything: the shortest tree over the mussels left, frites and beers deducted. For a
    /// player alone, who takes everything in the end.
    Tour,
}

// The plainest first.
wire::named!(Evaluation, "evaluation": Points = "points", Nearest = "nearest", Rollout = "rollout", Tour = "tour");

impl Evaluation {
    /// True if it measures turns, so that the plan that ends first is the best one.
    #[must_use]
    pub const fn counts_turns(self) -> bool {
        matches!(self, Self::Tour)
    }

    /// The value of the whole plan that has come to `agent` after `turn` turns.
    pub fn estimate(
        self,
        maze: &Maze,
        worth: &Worth,
        tours: &mut Tours,
        agent: &AgentState,
        turn: usize,
    ) -> i64 {
        match self {
            Self::Points => points::estimate(agent),
            Self::Nearest => nearest::estimate(maze, worth, agent, turn),
            Self::Rollout => rollout::estimate(maze, worth, agent, turn),
            Self::Tour => tours.estimate(maze, agent, turn),
        }
    }

    /// The value of `game` for its mover, from nothing: its points, and what the function sees ahead. For a look at
    /// one position; a search keeps the maze.
    #[must_use]
    pub fn evaluate(self, game: &Game) -> Score {
        let maze = Maze::new(game);
        let worth = Worth::alone(&maze, 256);
        let mut tours = Tours::new(&maze);
        let agent = AgentState::of(&maze, game, game.to_move());
        let ahead = self.estimate(&maze, &worth, &mut tours, &agent, 0);
        let points = i64::from(game.purses[game.to_move()].points) * POINT;
        Score::new((points + ahead).clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32)
    }
}

impl AgentState {
    /// Where `player` begins to plan.
    #[must_use]
    pub fn of(maze: &Maze, game: &Game, player: usize) -> Self {
        let purse = game.purses[player];
        Self {
            left: maze.left(&game.state),
            cell: game.state.players[player].0,
            gain: 0,
            frites: purse.frites.min(150) as u8,
            beers: purse.beers.min(150) as u8,
        }
    }
}
