//! Training samples: the choice of positions, and their features as rows.

use super::teacher::Teacher;
use super::wthor::At;
use crate::linear::Rows;
use anyhow::Context;
use othello_player::evaluation::patterns::layout::{LAYOUT, stored_states};
use othello_player::evaluation::patterns::{self, TABLE_LEN, mobility_index, stage_of};
use othello_player::rules::Position;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;
use search_core::Position as _;
use std::path::Path;

/// A position with its target value.
#[derive(Debug, Clone, Copy)]
pub struct Sample {
    /// The position to be valued.
    pub position: Position,
    /// The target value for the mover, in discs.
    pub target: f32,
    /// The weight of the sample, before the weight by closeness.
    pub weight: f32,
    /// True if the sample's game is held out.
    pub held_out: bool,
    /// The relation of the next sample to this one.
    pub next: Next,
}

/// The relation of a sample to the one before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// The samples are unrelated.
    Another,
    /// The position after the best move, with the other side to move.
    After,
    /// The position after the best move and a pass, with the same side to move.
    AfterPass,
}

/// Mixes into every value a share of the next one's, where that is the position after the best move. The effect of
/// later values decreases geometrically.
///
/// Source: R. S. Sutton, "Learning to predict by the methods of temporal differences", 1988 (TD(λ)).
pub fn look_ahead(samples: &mut [Sample], share: f32) {
    for nth in (0..samples.len().saturating_sub(1)).rev() {
        let next = samples[nth + 1].target;
        let next = match samples[nth].next {
            Next::Another => continue,
            Next::After => -next,
            Next::AfterPass => next,
        };
        let target = &mut samples[nth].target;
        *target += share * (next - *target);
    }
}

/// One game in this number is held out.
pub const HELD_OUT: usize = 20;
/// Number of empty squares at which the database has the score of perfect play.
pub const KNOWN_AT: u32 = 24;

/// Weight of a position with a known score relative to an estimated one.
const KNOWN_WEIGHT: f32 = 4.0;
/// Distance in plies at which that weight is halved. The players' mistakes in between are noise without bias.
const KNOWN_HALF_AT: f32 = 2.0;
/// Maximum distance in plies.
const KNOWN_REACH: u32 = 16;

/// Returns the positions with a known score in the database, and those near them in their games.
#[must_use]
pub fn known(positions: &[At]) -> Vec<Sample> {
    let samples = positions.iter().filter_map(|at| {
        let plies = at.position.empties().abs_diff(KNOWN_AT);
        let black = (2 * at.perfect? - 64) as f32;
        let target = if at.black { black } else { -black };
        (plies <= KNOWN_REACH && at.position.legal() != 0).then(|| Sample {
            position: at.position,
            target,
            weight: KNOWN_WEIGHT / (1.0 + plies as f32 / KNOWN_HALF_AT),
            held_out: at.game.is_multiple_of(HELD_OUT),
            next: Next::Another,
        })
    });
    samples.collect()
}

/// The number of last moves replaced by random ones, drawn from this list; [`ALL`] is the whole game. Positions after
/// bad moves occur in searches and against weak opponents, so they must be learned too.
const RANDOM_MOVES: [usize; 20] = [0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 3, 3, 4, 5, 7, 10, 16, ALL];
const ALL: usize = 60;
/// Returns one position of `pool` with its last moves replaced by random ones, and the teacher's value.
fn draw(positions: &[At], pool: &[usize], seed: u64, number: usize, teacher: &Teacher) -> Sample {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed.wrapping_mul(0x9e37_79b9) ^ number as u64);
    loop {
        let end = pool[random.random_range(0..pool.len())];
        let game = positions[end].game;
        let mut start = end;
        let mut left = RANDOM_MOVES[random.random_range(0..RANDOM_MOVES.len())];
        while left > 0 && start > 0 && positions[start - 1].game == game {
            start -= 1;
            left -= 1;
        }
        let mut position = positions[start].position;
        while position.empties() > positions[end].position.empties() {
            let moves = position.move_list();
            if moves.is_empty() {
                break;
            }
            position = position.after(moves[random.random_range(0..moves.len())]);
        }
        // Evaluations are only used where a disc can be put. The search goes through passes.
        if position.legal() != 0 && stage_of(position.empties()) == teacher.stage {
            // The sum of weights can exceed the maximum score.
            let target = teacher.worth(&position).clamp(-64.0, 64.0);
            let held_out = game.is_multiple_of(HELD_OUT);
            return Sample { position, target, weight: 1.0, held_out, next: Next::Another };
        }
    }
}

/// Draws `count` positions of the teacher's stage.
#[must_use]
pub fn draw_many(
    positions: &[At],
    pool: &[usize],
    seed: u64,
    count: usize,
    teacher: &Teacher,
) -> Vec<Sample> {
    let first = teacher.stage * 10_000_000;
    (0..count).into_par_iter().map(|number| draw(positions, pool, seed, first + number, teacher)).collect()
}

/// Bytes of a sample in a file: the mover's discs, the opponent's, the value, and four bytes of flags: 1 if its game is
/// held out, 2 if the next one follows by the best move, 4 if by the best move and a pass.
const FILED: usize = 24;

/// Writes samples to a file, without their weights.
///
/// # Errors
/// If the file cannot be written.
pub fn write(path: &Path, samples: &[Sample]) -> anyhow::Result<()> {
    let mut bytes = Vec::with_capacity(FILED * samples.len());
    for sample in samples {
        bytes.extend(sample.position.own().to_le_bytes());
        bytes.extend(sample.position.opponent().to_le_bytes());
        bytes.extend(sample.target.to_le_bytes());
        let next = match sample.next {
            Next::Another => 0,
            Next::After => 2,
            Next::AfterPass => 4,
        };
        bytes.extend((u32::from(sample.held_out) | next).to_le_bytes());
    }
    wire::file::write(path, bytes).with_context(|| format!("cannot write {}", path.display()))
}

/// Reads samples from a file, each of weight 1.
///
/// # Errors
/// If the file cannot be read or is not valid.
pub fn read(path: &Path) -> anyhow::Result<Vec<Sample>> {
    let bytes = crate::records::bytes(path)?;
    let sample = |bytes: &[u8]| {
        let (own, rest) = bytes.split_first_chunk()?;
        let (opponent, rest) = rest.split_first_chunk()?;
        let (target, flags) = rest.split_first_chunk()?;
        let flags = u32::from_le_bytes(flags.try_into().ok()?);
        let next = match flags >> 1 {
            0 => Next::Another,
            1 => Next::After,
            2 => Next::AfterPass,
            _ => return None,
        };
        let position = Position::new(u64::from_le_bytes(*own), u64::from_le_bytes(*opponent))?;
        let target = f32::from_le_bytes(*target);
        let sample = Sample { position, target, weight: 1.0, held_out: flags & 1 != 0, next };
        (position.legal() != 0 && target.abs() <= 64.0).then_some(sample)
    };
    let samples: Option<Vec<Sample>> = bytes.chunks(FILED).map(sample).collect();
    samples.with_context(|| format!("{} holds no labelled positions", path.display()))
}

/// The distance from a draw at which a position has half weight, in discs.
const HALF_AT: f32 = 16.0;

/// Returns the weight by closeness to a draw. Decided positions count less, because their errors are large.
#[must_use]
pub fn nearness(target: f32) -> f32 {
    1.0 / (1.0 + (target / HALF_AT).powi(2))
}

/// Returns the feature of both sides' mobility.
#[must_use]
pub fn mobility(position: &Position) -> u32 {
    mobility_index(position.legal().count_ones(), position.opponent_legal().count_ones()) as u32
}

/// The feature indices of positions: table indices, with mirror images merged.
#[derive(Debug)]
pub struct Features {
    shared: Vec<u32>,
}

impl Features {
    /// Creates the numbering.
    #[expect(clippy::new_without_default, reason = "it takes a while")]
    #[must_use]
    pub fn new() -> Self {
        let mut shared: Vec<u32> = (0..TABLE_LEN as u32).collect();
        stored_states().iter().for_each(|state| shared[state.mirror()] = state.place() as u32);
        Self { shared }
    }

    /// Appends the features of a position's patterns.
    pub fn push_states(&self, position: &Position, features: &mut Vec<u32>) {
        let states = patterns::Features::of(position.own(), position.opponent());
        features.extend(states.indices().map(|place| self.shared[place]));
    }

    /// Returns samples as rows, with mobility as the last feature. Positions far from a draw have less weight.
    pub fn rows<'a>(&self, samples: impl Iterator<Item = &'a Sample>) -> Rows {
        let mut rows = Rows { width: LAYOUT.instances + 1, ..Rows::default() };
        for sample in samples {
            let position = &sample.position;
            self.push_states(position, &mut rows.features);
            rows.features.push(mobility(position));
            rows.targets.push(sample.target);
            rows.weights.push(sample.weight * nearness(sample.target));
        }
        rows
    }

    /// Returns true if a table index is its own feature, as one of two mirror images is.
    #[must_use]
    pub fn is_feature(&self, place: usize) -> bool {
        self.shared[place] as usize == place
    }

    /// Copies each feature's value to all its table indices.
    pub fn spread<T: Copy>(&self, solution: &[T], table: &mut [T]) {
        for (place, &feature) in table.iter_mut().zip(&self.shared) {
            *place = solution[feature as usize];
        }
    }
}

#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "tests make files as they like")]
mod tests {
    use super::*;
    use search_core::testing::random_positions;

    #[test]
    fn a_value_takes_its_share_of_those_that_follow() {
        let sample =
            |target, next| Sample { position: Position::START, target, weight: 1.0, held_out: false, next };
        let mut samples = [
            sample(8.0, Next::Another),
            sample(4.0, Next::After),
            sample(-8.0, Next::AfterPass),
            sample(-16.0, Next::Another),
            sample(2.0, Next::After),
        ];
        look_ahead(&mut samples, 0.5);
        assert_eq!(samples.map(|sample| sample.target), [8.0, 8.0, -12.0, -16.0, 2.0]);
    }

    #[test]
    fn samples_are_written_and_read() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let with_moves = random_positions(&Position::START, 3, 20, 50).into_iter().filter(|p| p.legal() != 0);
        let samples: Vec<Sample> = with_moves
            .enumerate()
            .map(|(nth, position)| Sample {
                position,
                target: nth as f32 / 4.0 - 10.0,
                weight: 1.0,
                held_out: nth % 3 == 0,
                next: [Next::Another, Next::After, Next::AfterPass][nth % 3],
            })
            .collect();
        write(file.path(), &samples).unwrap();
        let read_back = read(file.path()).unwrap();
        assert_eq!(read_back.len(), samples.len());
        for (one, other) in samples.iter().zip(&read_back) {
            assert_eq!(format!("{one:?}"), format!("{other:?}"));
        }
        std::fs::write(file.path(), b"no samples").unwrap();
        let error = read(file.path()).unwrap_err().to_string();
        assert!(error.ends_with("holds no labelled positions"), "{error}");
    }
}
