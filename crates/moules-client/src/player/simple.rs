//! The players that look at one mussel only.

use crate::board::{Board, FAR, NOWHERE};
use crate::evaluation::{Spot, bits};
use crate::rules::{Direction, Game, Move};

/// A step towards the nearest mussel that walking reaches.
pub fn nearest(board: &mut Board, game: &Game) -> Option<Move> {
    let spot = Spot::of(board, game, game.to_move());
    let target = bits(spot.left & board.mussels)
        .min_by_key(|&item| board.distance(spot.cell, item, 0))
        .filter(|&item| board.distance(spot.cell, item, 0) != FAR)?;
    approach(board, &spot, target, 0)
}

/// A turn towards the mussel with the most points per turn, with a frite or a beer where they save turns.
pub fn greedy(board: &mut Board, game: &Game) -> Option<Move> {
    let spot = Spot::of(board, game, game.to_move());
    let frites = usize::from(spot.frites);
    let rate = |item: usize| {
        let distance = u32::from(board.distance(spot.cell, item, frites));
        // Points per turn, compared without fractions.
        board.points(item) * 1000 / distance.max(1)
    };
    let reachable = |item: &usize| board.distance(spot.cell, *item, frites) != FAR;
    let target = bits(spot.left & board.mussels).filter(reachable).max_by_key(|&item| rate(item))?;
    let distance = board.distance(spot.cell, target, frites);
    if spot.beers > 0 && distance >= 3 {
        for index in board.walks(spot.cell) {
            let walk = board.walk(index);
            if board.distance(walk.end, target, frites) + 3 <= distance {
                return Some(Move::Beer(walk.steps));
            }
        }
    }
    approach(board, &spot, target, frites)
}

/// A turn that comes a turn nearer to `item`: a step if one does, else a jump.
fn approach(board: &Board, spot: &Spot, item: usize, frites: usize) -> Option<Move> {
    let distance = board.distance(spot.cell, item, frites);
    let nearer = |cell: u32, frites: usize| cell != NOWHERE && board.distance(cell, item, frites) < distance;
    let step = Direction::ALL.into_iter().find(|&direction| nearer(board.step(spot.cell, direction), frites));
    let jump = || {
        let lands =
            |&direction: &Direction| frites > 0 && nearer(board.jump(spot.cell, direction), frites - 1);
        Direction::ALL.into_iter().find(lands).map(Move::Jump)
    };
    step.map(Move::Step).or_else(jump)
}
