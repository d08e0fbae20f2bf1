//! Evaluation functions, which rank unfinished plans.

mod nearest;
mod points;
mod rollout;
mod tour;

use crate::maze::Maze;
use crate::rules::Game;
use search_core::Score;

pub use tour::Tours;

/// Units of value in one point.
pub const POINT: i64 = 100;

/// A player's state in the middle of a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AgentState {
    /// The items left, as bits of the maze's item set.
    pub left: u64,
    /// The player's cell.
    pub cell: u32,
    /// The value of the items taken so far.
    pub gain: i32,
    /// Frites in hand.
    pub frites: u8,
    /// Beers in hand.
    pub beers: u8,
}

/// The value of each item by the turn in which it is taken, in hundredths of a point.
#[derive(Debug, Clone)]
pub struct Worth {
    turns: usize,
    table: Vec<i32>,
}

impl Worth {
    /// Creates a table of `turns` turns from `worth(item, turn)`. Later turns have the last turn's value.
    pub fn new(items: usize, turns: usize, mut worth: impl FnMut(usize, usize) -> i64) -> Self {
        let turns = turns.max(1);
        let table = (0..items * turns).map(|at| worth(at / turns, at % turns) as i32).collect();
        Self { turns, table }
    }

    /// Creates the table of a player alone: each item's points, less half a percent a turn.
    #[must_use]
    pub fn alone(maze: &Maze, turns: usize) -> Self {
        Self::new(maze.items().len(), turns, |item, turn| {
            (f64::from(maze.points(item)) * POINT as f64 * 0.995f64.powi(turn as i32)) as i64
        })
    }

    /// Returns the value of `item` if it is taken by the end of turn `turn`, counted from 1.
    #[inline]
    #[must_use]
    pub fn of(&self, item: usize, turn: usize) -> i64 {
        i64::from(self.table[item * self.turns + turn.min(self.turns - 1)])
    }
}

/// An evaluation function.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Evaluation {
    /// The value of the items taken.
    Points,
    /// The value taken, plus the mussel with the most value for its distance.
    Nearest,
    /// The value taken, plus that of a greedy walk from mussel to mussel, bonuses included.
    #[default]
    Rollout,
    /// The number of turns to take everything, from the minimum spanning tree of the mussels left, less what the
    /// bonuses save. For a player alone.
    Tour,
}

// The simplest first.
wire::named!(Evaluation, "evaluation": Points = "points", Nearest = "nearest", Rollout = "rollout", Tour = "tour");

impl Evaluation {
    /// Returns true if the function measures turns, so that the shortest complete plan is the best.
    #[must_use]
    pub const fn counts_turns(self) -> bool {
        matches!(self, Self::Tour)
    }

    /// Evaluates the plan that has reached `agent` after `turn` turns.
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

    /// Evaluates `game` for its mover: its points plus the estimate of what it can still take. Prepares the maze anew,
    /// which a search does once.
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
    /// Returns the state of `player` at the beginning of a plan.
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
