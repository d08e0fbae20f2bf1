//! Which positions are learned from, and their features as rows.

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

/// A position and what it is worth.
#[derive(Debug, Clone, Copy)]
pub struct Sample {
    /// The position.
    pub position: Position,
    /// Its value for its mover, in discs.
    pub target: f32,
    /// Its weight, however far from a draw it is.
    pub weight: f32,
    /// True if its game is kept back for the test.
    pub held_out: bool,
    /// The relation of the next sample to this one.
    pub next: Next,
}

/// The relation of the next sample to one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// Nothing.
    Another,
    /// The position behind the best move, the other side to move.
    Behind,
    /// The same with the same side to move, for the other one passed.
    BehindPass,
}

/// Has every value take a share of the next one's where that lies behind the best move, and so of all that follow
/// there: what a game came to, less and less the later it was seen.
///
/// Source: R. S. Sutton, "Learning to predict by the methods of temporal differences", 1988 (TD(λ)).
pub fn look_ahead(samples: &mut [Sample], share: f32) {
    for nth in (0..samples.len().saturating_sub(1)).rev() {
        let next = samples[nth + 1].target;
        let next = match samples[nth].next {
            Next::Another => continue,
            Next::Behind => -next,
            Next::BehindPass => next,
        };
        let target = &mut samples[nth].target;
        *target += share * (next - *target);
    }
}

/// One game in so many is kept back.
pub const HELD_OUT: usize = 20;
/// The empty squares at which the database knows the score of perfect play.
pub const KNOWN_AT: u32 = 24;

/// The weight of a position with a known score, against one whose score the teacher estimates.
const KNOWN_WEIGHT: f32 = 4.0;
/// So many plies from it that weight is halved. The players' mistakes in between are noise, but as often one's as the
/// other's.
const KNOWN_HALF_AT: f32 = 2.0;
/// No farther than so many plies from it.
const KNOWN_REACH: u32 = 16;

/// The positions whose score the database knows, and those before and behind them in their games.
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

/// So many of a position's last moves are replaced by random ones, each number with the same chance; [`ALL`]: the whole
/// game. A player meets the positions behind bad moves in its search, and its opponents play them: it must know them.
const RANDOM_MOVES: [usize; 20] = [0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 3, 3, 4, 5, 7, 10, 16, ALL];
const ALL: usize = 60;
/// One of the positions that `pool` numbers, its last moves replaced by random ones, with what the teacher says of it.
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
        // Evaluations are asked for where a disc can be put: a pass is searched through.
        if position.legal() != 0 && stage_of(position.empties()) == teacher.stage {
            // A sum of weights can go beyond what a game can end with.
            let target = teacher.worth(&position).clamp(-64.0, 64.0);
            let held_out = game.is_multiple_of(HELD_OUT);
            return Sample { position, target, weight: 1.0, held_out, next: Next::Another };
        }
    }
}

/// So many positions of the teacher's stage.
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

/// Bytes of a sample in a file: the mover's discs, the opponent's, the value, and four bytes more: 1 if its game is kept
/// back, 2 if the next one lies behind its best move, 4 if it does so behind a pass.
const FILED: usize = 24;

/// Writes samples to a file. What they count is not kept.
///
/// # Errors
/// When the file cannot be written.
pub fn write(path: &Path, samples: &[Sample]) -> anyhow::Result<()> {
    let mut bytes = Vec::with_capacity(FILED * samples.len());
    for sample in samples {
        bytes.extend(sample.position.own().to_le_bytes());
        bytes.extend(sample.position.opponent().to_le_bytes());
        bytes.extend(sample.target.to_le_bytes());
        let next = match sample.next {
            Next::Another => 0,
            Next::Behind => 2,
            Next::BehindPass => 4,
        };
        bytes.extend((u32::from(sample.held_out) | next).to_le_bytes());
    }
    std::fs::write(path, bytes).with_context(|| format!("cannot write {}", path.display()))
}

/// The samples of such a file; each counts once.
///
/// # Errors
/// When it cannot be read, or does not hold such samples.
pub fn read(path: &Path) -> anyhow::Result<Vec<Sample>> {
    let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    let sample = |bytes: &[u8]| {
        let (own, rest) = bytes.split_first_chunk()?;
        let (opponent, rest) = rest.split_first_chunk()?;
        let (target, flags) = rest.split_first_chunk()?;
        let flags = u32::from_le_bytes(flags.try_into().ok()?);
        let next = match flags >> 1 {
            0 => Next::Another,
            1 => Next::Behind,
            2 => Next::BehindPass,
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

/// The distance from a draw at which a position counts half.
const HALF_AT: f32 = 16.0;

/// The weight of a position of this value against a draw: the far ones are decided, and their errors are large.
#[must_use]
pub fn nearness(target: f32) -> f32 {
    1.0 / (1.0 + (target / HALF_AT).powi(2))
}

/// The feature of both sides' numbers of moves.
#[must_use]
pub fn mobility(position: &Position) -> u32 {
    mobility_index(position.legal().count_ones(), position.opponent_legal().count_ones()) as u32
}

/// The feature numbers of positions: table places, mirror images counted as one.
#[derive(Debug)]
pub struct Features {
    shared: Vec<u32>,
}

impl Features {
    /// The numbering.
    #[expect(clippy::new_without_default, reason = "it takes a while")]
    #[must_use]
    pub fn new() -> Self {
        let mut shared: Vec<u32> = (0..TABLE_LEN as u32).collect();
        stored_states().iter().for_each(|state| shared[state.mirror as usize] = state.place);
        Self { shared }
    }

    /// Appends the features of a position's patterns.
    pub fn push_states(&self, position: &Position, features: &mut Vec<u32>) {
        let states = patterns::Features::of(position.own(), position.opponent());
        features.extend(states.indices().map(|place| self.shared[place]));
    }

    /// Samples as rows; the mobilities are each row's last feature. Those far from a draw count less.
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

    /// Returns true if a place's feature has the same number: of two mirror images one does.
    #[must_use]
    pub fn is_feature(&self, place: usize) -> bool {
        self.shared[place] as usize == place
    }

    /// Gives every place of a table what its feature has.
    pub fn spread<T: Copy>(&self, solution: &[T], table: &mut [T]) {
        for (place, &feature) in table.iter_mut().zip(&self.shared) {
            *place = solution[feature as usize];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use search_core::testing::random_positions;

    #[test]
    fn a_value_takes_its_share_of_those_that_follow() {
        let sample =
            |target, next| Sample { position: Position::START, target, weight: 1.0, held_out: false, next };
        let mut samples = [
            sample(8.0, Next::Another),
            sample(4.0, Next::Behind),
            sample(-8.0, Next::BehindPass),
            sample(-16.0, Next::Another),
            sample(2.0, Next::Behind),
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
                next: [Next::Another, Next::Behind, Next::BehindPass][nth % 3],
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
