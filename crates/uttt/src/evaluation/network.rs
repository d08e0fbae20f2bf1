//! A small network on the cells: 361 features, 256 hidden units, one number; trained by self-play (`trainer uttt`).
//!
//! A hidden unit is the sum of the weights of the features present, clipped to 0 … 1. The output is a weighted sum of
//! the units, mapped to −1 … 1. All arithmetic is on integers except that last step, one division and one square root,
//! so every processor computes the same value.
//!
//! Source: Y. Nasu, "Efficiently updatable neural-network-based evaluation functions for computer shogi", 2018; 256
//! clipped units in one layer, and children evaluated from their parent's sums: T. Alard, UTTT_player.

mod features;
#[allow(unsafe_code)] // Calls of functions compiled for what the processor was found to have.
mod kernel;

pub use features::{FEATURES, Features, Perspective};
pub use kernel::Path;

use crate::rules::{Cell, State, has_line};
use kernel::Accumulator;
use std::sync::LazyLock;
use wire::checksum;

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

/// Size of the weights in bytes: input weights by feature, hidden biases, output weights (16 bits each, little-endian),
/// and the output bias (32 bits).
const WEIGHTS: usize = 2 * (FEATURES * HIDDEN + 2 * HIDDEN) + 4;
/// Size of a weights file in bytes: the weights and their [`checksum`] (64 bits, little-endian).
pub const BYTES: usize = WEIGHTS + 8;

/// The checksum of the weights is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "the network's weights are damaged: their checksum is {found:016x}, and {stored:016x} was written with them"
)]
pub struct DamagedWeights {
    found: u64,
    stored: u64,
}

/// A network: its weights, and the code path that evaluates it.
#[derive(Debug, Clone, PartialEq)]
pub struct Network {
    input: Box<[Accumulator; FEATURES]>,
    bias: Accumulator,
    output: Accumulator,
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

static NETWORK: LazyLock<Result<Network, DamagedWeights>> =
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
    pub fn check() -> Result<(), DamagedWeights> {
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
    pub fn from_bytes(bytes: &[u8; BYTES], path: Path) -> Result<Self, DamagedWeights> {
        let (bytes, stored) = bytes.split_at(WEIGHTS);
        let (found, stored) = (checksum(bytes), u64::from_le_bytes(stored.try_into().expect("eight bytes")));
        if found != stored {
            return Err(DamagedWeights { found, stored });
        }
        let mut words = bytes.chunks_exact(2).map(|pair| i16::from_le_bytes([pair[0], pair[1]]));
        let mut next = || Accumulator(std::array::from_fn(|_| words.next().expect("BYTES counts them all")));
        let input: Vec<Accumulator> = (0..FEATURES).map(|_| next()).collect();
        let (bias, output) = (next(), next());
        let output_bias = i32::from_le_bytes(*bytes.last_chunk().expect("four bytes"));
        let input = input.into_boxed_slice().try_into().expect("as many as there are features");
        Ok(Self { input, bias, output, output_bias, path })
    }

    /// The value for the side to move, from −1 to 1.
    #[must_use]
    pub fn value(&self, state: &State) -> f32 {
        let mut features = Features::new();
        features.of_cells(state, Perspective::of(state.mover()));
        features.push_forced(state.forced());
        let mut sum = [0];
        self.path.run(self, &features, &[Features::new()], &mut sum);
        bend(sum[0])
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
        self.path.run(self, &features, &changes[..moves.len()], sums);
        values.clear();
        values.extend(sums.iter().map(|&sum| -bend(sum)));
    }

    fn features(&self) -> &[Accumulator; FEATURES] {
        &self.input
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
