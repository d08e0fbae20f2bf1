//! Evaluation functions: the value of a position for its mover. Each file has one idea of the assignment's section 3.2;
//! [`Evaluation`] names them for robots and benchmarks.

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

/// The evaluation functions, with their French names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Evaluation {
    /// `armee`: the material value of men and stacks.
    ArmyValue,
    /// `percee`: how far the attack has advanced, and its defenders.
    Breakthrough,
    /// `defense`: how evenly the own half is held.
    DefenceLine,
    /// `isoles`: unsupported men in the enemy's half.
    IsolatedMen,
    /// `somme`: the weighted sum of the four.
    WeightedSum,
    /// `appris`: learned from games.
    Learned,
    /// `reseau`: a small neural network with the stacks as inputs, learned from games.
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

/// The weights in the executable are damaged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "exécutable endommagé : la somme de contrôle de l'évaluation « {evaluation} » est {found:016x} au lieu de \
     {expected:016x}"
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

/// Verifies the checksums of the weights in the executable.
///
/// # Errors
/// [`DamagedWeights`].
pub fn check() -> Result<(), DamagedWeights> {
    learned::check().and_then(|()| network::check())
}

impl Evaluation {
    /// The heuristic's value for a victory; a defeat is 0, and equality is half of it.
    pub const MAX: i32 = 10_000;

    /// The value for the mover, in hundredths of a man.
    #[inline]
    pub fn evaluate(self, position: &Position) -> Score {
        let (own, enemy) = (position.own(), position.enemy());
        // Each function sees the board from its own side: forward is towards higher ranks.
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

    /// The heuristic that the assignment asks for, for the mover: 0 for a defeat, [`MAX`](Self::MAX) for a victory, and
    /// a number between them during the game.
    #[must_use]
    pub fn heuristic(self, position: &Position) -> i32 {
        if position.is_over() {
            return 0;
        }
        let middle = Self::MAX / 2;
        (middle + self.evaluate(position).value()).clamp(1, Self::MAX - 1)
    }
}
