//! The players, from the course's example client, which always goes east, to the full planner.

pub mod opponents;
mod plan;
mod simple;

use crate::evaluation::Evaluation;
use crate::rules::{Game, Move};
use opponents::margin;
use opponents::policy::{Drinks, Jumps, Objective, Policy};
use plan::Planner;
pub use plan::{PlanLine, Tell};
use search_core::{Clock, Control, Limits, Line, Report};
use std::sync::{Arc, Mutex, PoisonError};

/// Walks to the nearest mussel, and drinks beers at once.
const THIRSTY: Policy = Policy { objective: Objective::Nearest, drinks: Drinks::AtOnce, jumps: Jumps::Never };
/// Walks to the nearest mussel even if another takes it, and uses beers and frites at once.
const STUBBORN: Policy =
    Policy { objective: Objective::Stubborn, drinks: Drinks::Whole, jumps: Jumps::Straight };
/// Walks to the item with the best margin, with bonuses where they shorten the way.
const CAREFUL: Policy =
    Policy { objective: Objective::Margin(margin::USUAL), drinks: Drinks::ToArrive, jumps: Jumps::Planned };

/// A player, the simplest first. `Thirsty`, `Stubborn` and `Careful` imitate public clients of this course, and the
/// planner considers the same policies for its opponents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Ai {
    /// Always east: the course's example client.
    East,
    /// A step on a shortest path to the nearest mussel.
    Nearest,
    /// Goes to the mussel with the most points per turn, with bonuses where they save turns.
    Greedy,
    /// Goes to the nearest mussel, and drinks beers at once.
    Thirsty,
    /// Goes to the nearest mussel, even when another has taken it. Uses bonuses at once.
    Stubborn,
    /// Goes to the item with the best margin ([`margin::USUAL`]): its value less the cost of the way.
    Careful,
    /// Beam search over its own plans, without opponents.
    Planner,
    /// Beam search among opponents who follow the policies inferred from their past moves.
    #[default]
    Full,
    /// Like `Full`, with a max^n search for the rank once at most two mussels are left.
    Finale,
}

wire::named!(Ai, "player":
    East = "est",
    Nearest = "proche",
    Greedy = "gourmand",
    Thirsty = "assoiffe",
    Stubborn = "tetu",
    Careful = "prudent",
    Planner = "planificateur",
    Full = "complet",
    Finale = "finale",
);

/// A player's settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settings {
    /// The algorithm that chooses moves.
    pub ai: Ai,
    /// The evaluation that ranks plans against opponents. Alone, the planner counts turns.
    pub evaluation: Evaluation,
    /// Maximum beam width, in states a layer. It bounds the memory of a search.
    pub width: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self { ai: Ai::default(), evaluation: Evaluation::default(), width: 20_000 }
    }
}

/// The best move found so far in a search, shared between threads.
#[derive(Debug, Clone, Default)]
pub struct SoFar(Arc<Mutex<Option<(u64, Move)>>>);

impl SoFar {
    /// Records `mv` as the best move found in the position after `turns` turns.
    pub fn note(&self, turns: u64, mv: Move) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some((turns, mv));
    }

    /// Returns the move recorded for the position of `game`.
    pub fn on(&self, game: &Game) -> Option<Move> {
        let noted = *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        noted.filter(|&(turns, _)| turns == game.turns()).map(|(_, mv)| mv)
    }
}

/// A player and its state between turns.
#[derive(Debug)]
pub struct Player {
    settings: Settings,
    planner: Planner,
}

impl Player {
    /// Creates a player at the start of a match.
    #[must_use]
    pub fn new(settings: Settings) -> Self {
        Self { settings, planner: Planner::new(settings) }
    }

    /// Returns the handle to the best move found so far in a search.
    #[must_use]
    pub fn so_far(&self) -> SoFar {
        self.planner.so_far()
    }

    /// Calls `tell` with the best plan after each first move, with wider and wider beams until `control` stops the
    /// search.
    pub fn lines(&mut self, game: &Game, most: usize, control: &Control<'_>, tell: Tell<'_>) {
        if game.end().is_none() {
            self.planner.lines(game, most, control, tell);
        }
    }

    /// Returns the mover's command within `limits`. Nodes are states of plans, and depth is a plan's length in turns.
    pub fn think(&mut self, game: &Game, limits: Limits, clock: &dyn Clock) -> Report<Move> {
        if game.end().is_some() {
            return Report::empty();
        }
        let planned = match self.settings.ai {
            Ai::East => Some(Move::Step(crate::rules::Direction::East)),
            Ai::Nearest => simple::nearest(self.planner.maze(game, limits), game),
            Ai::Greedy => simple::greedy(self.planner.maze(game, limits), game),
            Ai::Thirsty => self.planner.walk(game, limits, THIRSTY),
            Ai::Stubborn => self.planner.walk(game, limits, STUBBORN),
            Ai::Careful => self.planner.walk(game, limits, CAREFUL),
            Ai::Planner | Ai::Full | Ai::Finale => {
                let report = self.planner.think(game, limits, clock);
                if report.best.is_some() {
                    return report;
                }
                None
            }
        };
        let best = planned.unwrap_or_else(|| game.idle());
        let mut report = Report { best: Some(best), elapsed: clock.elapsed(), ..Report::empty() };
        report.principal_variation = Line::from_iter([best]);
        report
    }
}
