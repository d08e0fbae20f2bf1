//! A small network on the cells: 361 features, 256 hidden units, one number; trained by self-play (`trainer uttt`).
//!
//! A hidden unit is the sum of the weights of the features present, clipped to 0 … 1. The output is a weighted sum of
//! the units, mapped to −1 … 1. All arithmetic is on integers except that last step, one division and one square root,
//! so every processor computes the same value.
//!
//! Source: Y. Nasu, "Efficiently updatable neural-network-based evaluation functions for computer shogi", 2018; 256
//! clipped units in one layer, and children evaluated from their parent's sums: T. Alard, UTTT_player.

mod features;
mod kernel;

pub use features::{FEATURES, Features, Perspective};
pub use network::Path;
pub use network::file::Damaged;

use crate::rules::{Cell, State, has_line};
use kernel::Sums;
use network::Units;
use network::file::{self, SEAL};
use std::sync::LazyLock;

/// Number of hidden units.
pub const HIDDEN: usize = 256;
/// Fixed-point 1 of a hidden unit.
pub const UNIT: i16 = 256;
/// Fixed-point 1 of an output weight.
pub const OUTPUT_UNIT: i32 = 1024;
/// The largest input weight: no sum of features then overflows 16 bits.
pub const MOST_INPUT: f32 = 0.85;
/// The largest output weight.
pub const MOST_OUTPUT: f32 = 8.0;

/// Size of a weights file in bytes: input weights by feature, hidden biases, output weights (16 bits each), the output
/// bias (32 bits), and the checksum.
pub const BYTES: usize = 2 * (FEATURES * HIDDEN + 2 * HIDDEN) + 4 + SEAL;

/// A network: its weights, and the code path that evaluates it.
#[derive(Debug, Clone, PartialEq)]
pub struct Network {
    input: Box<[Units<HIDDEN>; FEATURES]>,
    bias: Units<HIDDEN>,
    output: Units<HIDDEN>,
    output_bias: i32,
    path: Path,
}

/// Buffers and result of [`Network::values_after`], reused between calls.
#[derive(Debug, Clone, Default)]
pub struct Workspace {
    changes: Vec<Features>,
    sums: Vec<i32>,
    /// The value of each move, in the order of the moves.
    pub values: Vec<f32>,
}

/// The weights built into the executable.
static EMBEDDED: &[u8; BYTES] = include_bytes!("network.bin");

static NETWORK: LazyLock<Result<Network, Damaged>> =
    LazyLock::new(|| Network::from_bytes(EMBEDDED, Path::best()));

impl Network {
    /// The executable's network, on the fastest path of this processor.
    ///
    /// # Panics
    /// If [`check`](Self::check) is an error.
    pub fn embedded() -> &'static Self {
        NETWORK.as_ref().unwrap_or_else(|error| panic!("{error}"))
    }

    /// Checks that the weights in the executable are undamaged.
    ///
    /// # Errors
    /// The checksum does not match.
    pub fn check() -> Result<(), Damaged> {
        NETWORK.as_ref().map(|_| ()).map_err(|&error| error)
    }

    /// The executable's network, on a path of the caller's choice.
    ///
    /// # Panics
    /// If [`check`](Self::check) is an error.
    #[must_use]
    pub fn embedded_on(path: Path) -> Self {
        Self::from_bytes(EMBEDDED, path).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Reads a network from the bytes of a weights file.
    ///
    /// # Errors
    /// The checksum does not match.
    pub fn from_bytes(bytes: &[u8; BYTES], path: Path) -> Result<Self, Damaged> {
        let mut numbers = file::opened(bytes)?;
        let input = numbers.features();
        let [bias, output] = [Units(numbers.words()), Units(numbers.words())];
        let output_bias = numbers.long();
        Ok(Self { input, bias, output, output_bias, path })
    }

    /// The value for the side to move, from −1 to 1.
    #[must_use]
    pub fn value(&self, state: &State) -> f32 {
        let mut features = Features::new();
        features.of_cells(state, Perspective::of(state.mover()));
        features.push_forced(state.forced());
        let mut sum = [0];
        self.sums(&features, &[Features::new()], &mut sum);
        bend(sum[0])
    }

    /// Computes the output sum after each of `changes`.
    fn sums(&self, features: &Features, changes: &[Features], sums: &mut [i32]) {
        let network = self;
        match self.path {
            // Eight registers of 128 bits hold 64 units.
            Path::Portable => self.path.run(Sums::<64> { network, features, changes, sums }),
            _ => self.path.run(Sums::<HIDDEN> { network, features, changes, sums }),
        }
    }

    /// Stores the value of each move for the side to move, from −1 to 1, in `workspace.values`. No move may end the
    /// game.
    pub fn values_after(&self, state: &State, moves: &[Cell], workspace: &mut Workspace) {
        let Workspace { changes, sums, values } = workspace;
        if changes.len() < moves.len() {
            changes.resize(moves.len(), Features::new());
        }
        sums.clear();
        sums.resize(moves.len(), 0);
        let opponent = Perspective::of(state.mover().other());
        let mut features = Features::new();
        features.of_cells(state, opponent);
        for (&cell, change) in moves.iter().zip(changes.iter_mut()) {
            change.clear();
            let (board, within) = (cell.board(), cell.within());
            let own = state.cells(state.mover(), board) | 1 << within;
            let won = has_line(own);
            let full = state.empty(board) == 1 << within;
            if won || full {
                change.push_closing(state, opponent, board, won.then_some(state.mover()));
            } else {
                change.push_move(state, opponent, cell);
            }
            let closed = state.closed() | u16::from(won || full) << board;
            change.push_forced((closed >> within & 1 == 0).then_some(within));
        }
        self.sums(&features, &changes[..moves.len()], sums);
        values.clear();
        values.extend(sums.iter().map(|&sum| -bend(sum)));
    }
}

/// Maps an output sum to −1 … 1.
fn bend(sum: i32) -> f32 {
    let x = sum as f32 / (f32::from(UNIT) * OUTPUT_UNIT as f32);
    x / (1.0 + x * x).sqrt()
}

/// The value as a score: a certain win is 10,000.
pub(super) fn evaluate(state: &State) -> i32 {
    (Network::embedded().value(state) * search_core::monte_carlo::CERTAIN as f32) as i32
}
