//! The end of a match: with few mussels left everybody's next turns are searched together, for the rank.

use crate::board::{Board, FAR, NOWHERE};
use crate::evaluation::{Spot, bits};
use crate::rules::{Direction, Game, MAX_PLAYERS, Move, marks};
use search_core::rivals::{Payoffs, Rivals, max_n};
use search_core::{Control, Depth, Score, Sink};
use smallvec::SmallVec;

/// Mussels left at most.
const MUSSELS: u32 = 2;
/// Rounds searched at most.
const ROUNDS: usize = 4;
/// A round is begun only if the one before took no more nodes than this: each takes tens of times as many.
const NODES: u64 = 2_000;

/// Everybody's places, bonuses and points; steps and jumps are searched, beers only shorten what lies beyond.
#[derive(Clone)]
struct Finale<'a> {
    board: &'a Board,
    spots: SmallVec<[Spot; MAX_PLAYERS]>,
    points: SmallVec<[u32; MAX_PLAYERS]>,
    left: u64,
    mover: usize,
}

impl Finale<'_> {
    fn arrive(&mut self, player: usize, cell: u32) {
        let bit = self.left & self.board.bit(cell);
        self.spots[player].cell = cell;
        if bit != 0 {
            self.left &= !bit;
            self.points[player] += self.board.points(bit.trailing_zeros() as usize);
            self.spots[player].frites += u8::from(self.board.frites & bit != 0);
            self.spots[player].beers += u8::from(self.board.beers & bit != 0);
        }
    }

    /// Turns in which `spot` comes to `item`.
    fn turns(&self, spot: &Spot, item: usize) -> Option<usize> {
        let distance = self.board.distance(spot.cell, item, usize::from(spot.frites));
        let distance = usize::from(Some(distance).filter(|&distance| distance != FAR)?);
        Some(distance - 2 * usize::from(spot.beers).min(distance / 3))
    }
}

impl Rivals for Finale<'_> {
    type Move = Move;

    fn mover(&self) -> usize {
        self.mover
    }

    fn moves<S: Sink<Move>>(&self, sink: &mut S) {
        if self.left & self.board.mussels == 0 {
            return;
        }
        let spot = &self.spots[self.mover];
        for direction in Direction::ALL {
            if self.board.step(spot.cell, direction) != NOWHERE {
                sink.push(Move::Step(direction));
            }
            if spot.frites > 0 && self.board.jump(spot.cell, direction) != NOWHERE {
                sink.push(Move::Jump(direction));
            }
        }
    }

    fn play(&mut self, mv: Move) {
        let player = self.mover;
        let cell = self.spots[player].cell;
        match mv {
            Move::Step(direction) => self.arrive(player, self.board.step(cell, direction)),
            Move::Jump(direction) => {
                self.spots[player].frites -= 1;
                self.arrive(player, self.board.jump(cell, direction));
            }
            Move::Stay | Move::Beer(_) => {}
        }
        self.mover = (player + 1) % self.spots.len();
    }

    /// The marks of the ranks when each mussel left goes to who comes first, and a little for the points.
    fn payoffs(&self) -> Payoffs {
        let count = self.spots.len();
        let mut points = self.points.clone();
        let mut spots = self.spots.clone();
        let mut used: SmallVec<[usize; MAX_PLAYERS]> = SmallVec::from_elem(0, count);
        let mut left = self.left & self.board.mussels;
        while left != 0 {
            let arrivals = bits(left).flat_map(|item| {
                let (spots, used) = (&spots, &used);
                (0..count).filter_map(move |order| {
                    let player = (self.mover + order) % count;
                    Some((used[player] + self.turns(&spots[player], item)?, order, item, player))
                })
            });
            let Some((turn, _, item, player)) = arrivals.min() else { break };
            used[player] = turn;
            spots[player].cell = self.board.items()[item].cell;
            points[player] += self.board.points(item);
            left &= !(1 << item);
        }
        let marks = marks(&points);
        (0..count)
            .map(|player| {
                // Sooner is better, so that nobody puts off what it can have.
                let value = marks[player] * 100_000.0 + f64::from(points[player].min(10_000)) * 10.0;
                Score::new(value as i32 - used[player].min(9) as i32)
            })
            .collect()
    }
}

/// The move that max^n prefers, if few mussels are left and the mover has no beer to think of.
pub fn best(board: &Board, game: &Game, control: &Control<'_>) -> Option<Move> {
    let count = game.player_count();
    let left = board.left(&game.state);
    let purse = game.purses[game.to_move()];
    let few = (1..=MUSSELS).contains(&(left & board.mussels).count_ones());
    if count < 2 || !few || purse.beers > 0 {
        return None;
    }
    let finale = Finale {
        board,
        spots: (0..count).map(|player| Spot::of(board, game, player)).collect(),
        points: game.purses.iter().map(|purse| purse.points).collect(),
        left,
        mover: game.to_move(),
    };
    let mut best = None;
    for round in 1..=ROUNDS {
        if !control.may_deepen() {
            break;
        }
        let before = control.nodes();
        let Ok(choice) = max_n(&finale, (round * count) as Depth, control) else { break };
        best = choice.best;
        if control.nodes() - before > NODES {
            break;
        }
    }
    best
}
