//! Which positions are learned from, and their features as rows.

use super::teacher::Teacher;
use super::wthor::At;
use crate::linear::Rows;
use othello_player::evaluation::patterns::layout::{LAYOUT, mirrored_states};
use othello_player::evaluation::patterns::{self, TABLE_LEN, mobility_index, stage_of};
use othello_player::rules::Position;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use search_core::Position as _;

/// A position and what it is worth.
#[derive(Debug, Clone, Copy)]
pub struct Sample {
    /// The position.
    pub position: Position,
    /// What it is worth to its mover, in discs.
    pub target: f32,
    /// What it counts.
    pub weight: f32,
    /// Whether its game is kept back for the test.
    pub held_out: bool,
}

/// One game in so many is kept back.
const HELD_OUT: usize = 20;
/// The empty squares at which the database knows the score of perfect play.
pub const KNOWN_AT: u32 = 24;

/// What a position with the known score counts, against one whose score the teacher guesses.
const KNOWN_WEIGHT: f32 = 4.0;
/// So many plies from it that weight is halved. The players' mistakes in between are noise, but as often one's as the
/// other's.
const KNOWN_HALF_AT: f32 = 2.0;
/// No farther than so many plies from it.
const KNOWN_REACH: u32 = 16;

/// The positions whose score the database knows, and those before and behind them in their games.
pub fn known(positions: &[At]) -> Vec<Sample> {
    let samples = positions.iter().filter_map(|at| {
        let plies = at.position.empties().abs_diff(KNOWN_AT);
        let black = (2 * at.perfect? - 64) as f32;
        let target = if at.black { black } else { -black };
        (plies <= KNOWN_REACH && at.position.legal() != 0).then(|| Sample {
            position: at.position,
            target,
            weight: KNOWN_WEIGHT / (1.0 + plies as f32 / KNOWN_HALF_AT) * weight(target),
            held_out: at.game.is_multiple_of(HELD_OUT),
        })
    });
    samples.collect()
}

/// How far from a draw a position counts half.
const HALF_AT: f32 = 16.0;

/// What a position of this worth counts: the far ones are decided, and their errors are large.
fn weight(target: f32) -> f32 {
    1.0 / (1.0 + (target / HALF_AT).powi(2))
}

/// So many of a position's last moves are replaced by random ones, each number with the same chance; [`ALL`]: the whole
/// game. A player meets the positions behind bad moves in its search, and its opponents play them: it must know them.
const RANDOM_MOVES: [usize; 20] = [0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 3, 3, 4, 5, 7, 10, 16, ALL];
const ALL: usize = 60;
/// One of the positions that `pool` numbers, its last moves replaced by random ones, with what the teacher says of it.
pub fn draw(positions: &[At], pool: &[usize], seed: u64, number: usize, teacher: &Teacher) -> Sample {
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
            let target = teacher.worth(&position);
            return Sample {
                position,
                target,
                weight: weight(target),
                held_out: game.is_multiple_of(HELD_OUT),
            };
        }
    }
}

/// The feature numbers of positions: table places, mirror images counted as one.
#[derive(Debug)]
pub struct Features {
    shared: Vec<u32>,
}

impl Features {
    /// The numbering.
    #[expect(clippy::new_without_default, reason = "it takes a while")]
    pub fn new() -> Self {
        let mut shared: Vec<u32> = (0..TABLE_LEN as u32).collect();
        for family in &LAYOUT.families {
            for (state, mirror) in mirrored_states(family).enumerate() {
                shared[family.start + state] = (family.start + state.min(mirror)) as u32;
            }
        }
        Self { shared }
    }

    /// Samples as rows.
    pub fn rows<'a>(&self, samples: impl Iterator<Item = &'a Sample>) -> Rows {
        let mut rows = Rows { width: LAYOUT.instances + 1, ..Rows::default() };
        for sample in samples {
            let position = &sample.position;
            let states = patterns::Features::of(position.own(), position.opponent());
            rows.features.extend(states.indices().map(|place| self.shared[place]));
            let (own, opponent) = (position.legal().count_ones(), position.opponent_legal().count_ones());
            rows.features.push(mobility_index(own, opponent) as u32);
            rows.targets.push(sample.target);
            rows.weights.push(sample.weight);
        }
        rows
    }

    /// Gives every place of a table the weight of its feature.
    pub fn spread(&self, solution: &[f32], table: &mut [f32]) {
        for (place, &feature) in table.iter_mut().zip(&self.shared) {
            *place = solution[feature as usize];
        }
    }
}
