//! Self-play games from random openings, for positions that tournament players do not reach.

use super::samples::{HELD_OUT, Next, Sample};
use super::teacher::Teacher;
use super::wthor::At;
use anyhow::Context;
use othello_player::rules::{Move, Position};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;
use search_core::{Depth, Position as _};
use std::path::Path;

/// Number of random moves at the beginning of a game, each equally likely.
const RANDOM_MOVES: std::ops::RangeInclusive<usize> = 4..=16;

/// Plays games. Returns one line of moves a game (`f5d6c3…`, without passes).
#[must_use]
pub fn play(teacher: &Teacher, games: usize, depth: Depth, seed: u64) -> Vec<String> {
    let game = |number: usize| {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed.wrapping_mul(0x9e37_79b9) ^ number as u64);
        let mut left = random.random_range(RANDOM_MOVES);
        let mut position = Position::START;
        let mut line = String::new();
        while position.outcome().is_none() {
            let moves = position.move_list();
            let mv = if left > 0 || moves.len() == 1 {
                moves[random.random_range(0..moves.len())]
            } else {
                teacher.choice(&position, depth)
            };
            left = left.saturating_sub(1);
            if mv != Move::PASS {
                line += &mv.to_string();
            }
            position = position.after(mv);
        }
        line
    };
    (0..games).into_par_iter().map(game).collect()
}

/// One move in this number is random, because positions after bad moves must be learned too.
const STRAY: u32 = 12;

/// Plays games. Returns their positions with the teacher's values, up to the first position that it solves.
#[must_use]
pub fn follow(teacher: &Teacher, games: usize, seed: u64) -> Vec<Sample> {
    (0..games).into_par_iter().flat_map_iter(|number| follow_one(teacher, number, seed)).collect()
}

fn follow_one(teacher: &Teacher, number: usize, seed: u64) -> Vec<Sample> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed.wrapping_mul(0x9e37_79b9) ^ number as u64);
    let mut position = Position::START;
    let mut samples: Vec<Sample> = Vec::new();
    let left = random.random_range(RANDOM_MOVES);
    let mut ply = 0;
    while position.outcome().is_none() {
        let moves = position.move_list();
        let stray = moves[random.random_range(0..moves.len())];
        let at_random = ply < left || random.random_range(0..STRAY) == 0;
        ply += 1;
        if position.legal() == 0 {
            if let Some(last) = samples.last_mut().filter(|last| last.next == Next::After) {
                last.next = Next::AfterPass;
            }
        } else if ply > left {
            let (worth, best) = teacher.worth_and_choice(&position);
            let next =
                if best.is_none_or(|best| at_random && best != stray) { Next::Another } else { Next::After };
            let held_out = number.is_multiple_of(HELD_OUT);
            samples.push(Sample { position, target: worth.clamp(-64.0, 64.0), weight: 1.0, held_out, next });
            let Some(best) = best else { break };
            position = position.after(if at_random { stray } else { best });
            continue;
        }
        position = position.after(stray);
    }
    // A game that ends before a solved position has no sample after its last.
    if let Some(last) = samples.last_mut() {
        last.next = Next::Another;
    }
    samples
}

/// Reads the positions of a file of such games, with game numbers from `first` on.
///
/// # Errors
/// If the file cannot be read, or a line is not a game.
pub fn read(path: &Path, first: usize) -> anyhow::Result<Vec<At>> {
    let bytes = crate::records::bytes(path)?;
    let text = wire::text::decode(&bytes);
    let mut positions = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let place = || format!("{}, line {}", path.display(), number + 1);
        let mut at = At { position: Position::START, game: first + number, black: true, perfect: None };
        for index in (0..line.len()).step_by(2) {
            let word = line.get(index..index + 2).with_context(place)?;
            let mv: Move = word.parse().with_context(place)?;
            at.put(mv).with_context(|| format!("{}: {mv} is illegal", place()))?;
            positions.push(at);
        }
    }
    Ok(positions)
}

#[cfg(test)]
mod tests {
    use super::super::teacher::Fitted;
    use super::*;
    use othello_player::evaluation::patterns::Weights;

    #[test]
    fn samples_of_a_game_follow_each_other() {
        let teacher = Teacher::new(&Fitted::of(Weights::embedded()), 0, 2, 8);
        let samples = follow(&teacher, 40, 1);
        let again = follow(&teacher, 40, 1);
        assert_eq!(format!("{samples:?}"), format!("{again:?}"), "the same seed gives the same");
        let (mut after_moves, mut after_passes) = (0, 0);
        for two in samples.windows(2) {
            let (before, after) = (&two[0].position, &two[1].position);
            let reached =
                |position: &Position| position.move_list().iter().any(|&mv| position.after(mv) == *after);
            match two[0].next {
                Next::Another => {}
                Next::After => {
                    after_moves += 1;
                    assert!(reached(before), "{before:?}, then {after:?}");
                }
                Next::AfterPass => {
                    after_passes += 1;
                    let mut nexts = before.move_list().into_iter().map(|mv| before.after(mv));
                    let stuck = |next: &Position| next.legal() == 0 && next.outcome().is_none();
                    assert!(nexts.any(|next| stuck(&next) && next.after(Move::PASS) == *after));
                }
            }
        }
        assert!(
            after_moves > samples.len() / 2 && after_passes > 0,
            "{after_moves}, {after_passes} of {}",
            samples.len()
        );
        assert!(samples.iter().all(|sample| sample.position.empties() >= 7));
        assert_eq!(samples.iter().filter(|sample| sample.position.empties() <= 8).count(), 40);
    }
}
