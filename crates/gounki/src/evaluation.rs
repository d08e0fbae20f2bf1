//! The value of a position to its mover. One file an idea, each from the assignment's section 3.2; [`Evaluation`]
//! names them, so that robots and benches can choose.

mod army_value;
mod breakthrough;
mod defence_line;
mod isolated_men;
pub mod learned;
mod learned_weights;
pub mod network;
mod weighted_sum;

pub use learned::{FEATURES, features};

use crate::rules::{Army, Position};
use search_core::Score;

/// An evaluation function, by its French name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Evaluation {
    /// `armee`: what the men and their stacks are worth.
    ArmyValue,
    /// `percee`: how far the attack has come, and who stands before it.
    Breakthrough,
    /// `defense`: how evenly the own side of the board is held.
    DefenceLine,
    /// `isoles`: men in the enemy's half without support.
    IsolatedMen,
    /// `somme`: the four together, weighted.
    WeightedSum,
    /// `appris`: learned from games.
    Learned,
    /// `reseau`: a small network on the stacks, learned from games.
    #[default]
    Network,
}

wire::named!(Evaluation, French "évaluation inconnue":
    ArmyValue = "armee",
    Breakthrough = "percee",
    DefenceLine = "defense",
    IsolatedMen = "isoles",
    WeightedSum = "somme",
    Learned = "appris",
    Network = "reseau",
);

/// The executable's weights are not those that were built into it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "les poids de l'évaluation « {evaluation} » sont abîmés dans l'exécutable : leur somme de contrôle est {found:016x} \
     au lieu de {expected:016x}"
)]
pub struct DamagedWeights {
    evaluation: Evaluation,
    found: u64,
    expected: u64,
}

impl DamagedWeights {
    const fn check(evaluation: Evaluation, found: u64, expected: u64) -> Result<(), Self> {
        if found == expected { Ok(()) } else { Err(Self { evaluation, found, expected }) }
    }
}

/// The executable carries the weights that were built into it.
///
/// # Errors
/// A damaged executable.
pub fn check() -> Result<(), DamagedWeights> {
    learned::check().and_then(|()| network::check())
}

impl Evaluation {
    /// The value shown for a victory; a defeat is 0, and level is half of it.
    pub const MAX: i32 = 10_000;

    /// The mover's prospects, in hundredths of a man.
    #[inline]
    pub fn evaluate(self, position: &Position) -> Score {
        let (own, enemy) = (position.own(), position.enemy());
        // Each side is judged as it sees the board itself: towards higher ranks.
        let [own_back, enemy_back] = [own.reversed(), enemy.reversed()];
        let difference = |side: fn(&Army, &Army) -> i32| side(own, enemy) - side(&enemy_back, &own_back);
        Score::new(match self {
            Self::ArmyValue => difference(army_value::of),
            Self::Breakthrough => difference(breakthrough::of),
            Self::DefenceLine => difference(defence_line::of),
            Self::IsolatedMen => difference(isolated_men::of),
            Self::WeightedSum => difference(weighted_sum::of),
            Self::Learned => learned::of(position),
            Self::Network => network::of(position),
        })
    }

    /// The heuristic that the assignment asks for, for the mover: 0 for a defeat, [`MAX`](Self::MAX) for a victory,
    /// something between them while the game goes on.
    #[must_use]
    pub fn heuristic(self, position: &Position) -> i32 {
        if position.is_over() {
            return 0;
        }
        let middle = Self::MAX / 2;
        (middle + self.evaluate(position).value()).clamp(1, Self::MAX - 1)
    }
}
