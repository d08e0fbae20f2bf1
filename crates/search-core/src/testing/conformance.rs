//! The laws of a position, checked in random games.

use crate::position::{Count, MoveCode, MoveList, Position};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::collections::HashMap;
use std::fmt::Debug;

/// Plays `games` random games from `start` and checks at every position:
/// - the moves are distinct and legal, [`Count`] counts them, and `is_legal` agrees with the list on moves of other
///   positions;
/// - playing and undoing a move restores the position and its key, and a clone has the same key;
/// - there are moves exactly while there is no outcome;
/// - positions with equal keys have equally many moves and the same outcome;
/// - a game ends within `longest` plies.
///
/// # Panics
/// If a law is broken; the message holds the position and the law.
pub fn conforms<P>(start: &P, seed: u64, games: usize, longest: usize)
where
    P: Position + Debug + PartialEq,
{
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut seen = HashMap::new();
    for game in 0..games {
        let mut position = start.clone();
        let mut before = MoveList::<P::Move>::new();
        for ply in 0.. {
            let moves = position.move_list();
            check(&position, &moves, &before);
            let state = (moves.len(), position.outcome());
            let known = *seen.entry(position.key()).or_insert(state);
            assert_eq!(known, state, "another position has the same key: {position:?}");
            if moves.is_empty() {
                break;
            }
            assert!(ply < longest, "game {game} goes on after {longest} plies: {position:?}");
            position.play(moves[random.random_range(0..moves.len())]);
            before = moves;
        }
    }
}

fn check<P>(position: &P, moves: &[P::Move], elsewhere: &[P::Move])
where
    P: Position + Debug + PartialEq,
{
    assert_eq!(moves.is_empty(), position.outcome().is_some(), "moves and outcome disagree: {position:?}");
    let mut count = Count(0);
    position.moves(&mut count);
    assert_eq!(count.0, moves.len() as u64, "a count and a list disagree: {position:?}");
    for (index, &mv) in moves.iter().enumerate() {
        assert!(!moves[..index].contains(&mv), "{mv:?} stands twice: {position:?}");
        assert!(position.is_legal(mv), "{mv:?} is listed but not legal: {position:?}");
        assert!(mv.to_code() < (1 << 24) - 1, "{mv:?} has too large a word");
        assert_eq!(P::Move::from_code(mv.to_code()), mv, "{mv:?} does not survive its word");

        let mut after = position.clone();
        let undo = after.play(mv);
        assert_eq!(after.key(), after.clone().key(), "the key of a clone differs: {after:?}");
        after.undo(mv, undo);
        assert_eq!(&after, position, "undoing {mv:?} does not restore");
        assert_eq!(after.key(), position.key(), "undoing {mv:?} does not restore the key: {position:?}");
    }
    for &mv in elsewhere {
        assert_eq!(
            position.is_legal(mv),
            moves.contains(&mv),
            "is_legal({mv:?}) and the list disagree: {position:?}"
        );
    }
}

/// Returns `count` unfinished positions, each after a random number of plies below `plies`.
pub fn random_positions<P: Position>(start: &P, seed: u64, count: usize, plies: usize) -> Vec<P> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut positions = Vec::with_capacity(count);
    while positions.len() < count {
        let mut position = start.clone();
        for _ in 0..random.random_range(0..plies) {
            let mut moves = MoveList::new();
            position.moves(&mut moves);
            if moves.is_empty() {
                break;
            }
            position.play(moves[random.random_range(0..moves.len())]);
        }
        if position.outcome().is_none() {
            positions.push(position);
        }
    }
    positions
}
