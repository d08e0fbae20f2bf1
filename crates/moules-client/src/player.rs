//! The players: from the course's example that always goes east to the full one.

pub mod maze;
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

/// Nearest mussel, beers at once.
const THIRSTY: Policy = Policy { objective: Objective::Nearest, drinks: Drinks::AtOnce, jumps: Jumps::Never };
/// Nearest mussel to the end, whole beers and frites at once.
const STUBBORN: Policy =
    Policy { objective: Objective::Stubborn, drinks: Drinks::Whole, jumps: Jumps::Straight };
/// The item whose margin is best at the usual rates, bonuses where they bring it nearer.
const CAREFUL: Policy =
    Policy { objective: Objective::Margin(margin::USUAL), drinks: Drinks::ToArrive, jumps: Jumps::Planned };

/// The players, the simplest first. Three of them behave as public clients of this course were seen to: the planner
/// expects such habits of its opponents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Ai {
    /// Always east: the course's example client.
    East,
    /// A step on a shortest walk to the nearest mussel.
    Nearest,
    /// The mussel with the most points per turn, bonuses used where they save turns.
    Greedy,
    /// The nearest mussel, beers drunk at once.
    Thirsty,
    /// The nearest mussel, even when another has taken it; bonuses used at once.
    Stubborn,
    /// The item with the best margin over what the way to it costs; the margin is [`margin::USUAL`].
    Careful,
    /// A beam search over its own plans; the others do not exist.
    Planner,
    /// The planner, among others who are expected to go on as they were seen to go.
    #[default]
    Full,
    /// The full player, and max^n for the rank once at most two mussels are left.
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
    /// The player.
    pub ai: Ai,
    /// The evaluation that ranks plans where there are opponents; alone, turns are counted.
    pub evaluation: Evaluation,
    /// States of a layer of the widest beam; the memory of a search follows it.
    pub width: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self { ai: Ai::default(), evaluation: Evaluation::default(), width: 20_000 }
    }
}

/// The best turn that a player has found while it still thinks, for another thread to see.
#[derive(Debug, Clone, Default)]
pub struct SoFar(Arc<Mutex<Option<(u64, Move)>>>);

impl SoFar {
    /// Notes `mv` as the best turn found in the position after so many turns.
    pub fn note(&self, turns: u64, mv: Move) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some((turns, mv));
    }

    /// The findings in `game`.
    pub fn on(&self, game: &Game) -> Option<Move> {
        let noted = *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        noted.filter(|&(turns, _)| turns == game.turns()).map(|(_, mv)| mv)
    }
}

/// A player and what it keeps from turn to turn.
#[derive(Debug)]
pub struct Player {
    settings: Settings,
    planner: Planner,
}

impl Player {
    /// A player that has seen nothing yet.
    #[must_use]
    pub fn new(settings: Settings) -> Self {
        Self { settings, planner: Planner::new(settings) }
    }

    /// Where it notes what it has found while it thinks.
    #[must_use]
    pub fn so_far(&self) -> SoFar {
        self.planner.so_far()
    }

    /// Tells of the best plan of the mover of `game` behind each first turn, wider and wider until `control` stops it.
    pub fn lines(&mut self, game: &Game, most: usize, control: &Control<'_>, tell: Tell<'_>) {
        if game.end().is_none() {
            self.planner.lines(game, most, control, tell);
        }
    }

    /// The command for the mover of `game`, within `limits`; nodes are states of plans, depth is the plan's turns.
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
