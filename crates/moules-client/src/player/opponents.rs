//! What the others are expected to take, and when.

use crate::board::Board;
use crate::evaluation::{POINT, Worth};

/// The turn in which a player is expected to take each item, counted from 1; `None`: not soon.
pub type Takings = Vec<Option<usize>>;

/// A player's expected takings, and its place in the order of play from now: 0 moves first.
#[derive(Debug, Clone)]
pub struct Forecast {
    /// 0 for the player to move now.
    pub order: usize,
    /// What it takes when.
    pub takings: Takings,
}

/// The chance that an item is still there for somebody who comes `slack` turns before the one expected to take it;
/// negative when later.
fn chance(slack: i64) -> f64 {
    const FLOOR: f64 = 0.08;
    let before = 1.0 / (1.0 + (-(slack as f64 + 0.5) * 0.9).exp());
    FLOOR + (1.0 - FLOOR) * before
}

/// What each item is worth to the player at `order` when the others take what is forecast.
pub fn worth(board: &Board, turns: usize, order: usize, others: &[Forecast]) -> Worth {
    Worth::new(board.items().len(), turns, |item, turn| {
        let there: f64 = others
            .iter()
            .filter(|other| other.order != order)
            .filter_map(|other| {
                // Within a round the earlier one in the order comes first.
                let taken = other.takings[item]? as i64 - i64::from(other.order < order);
                Some(chance(taken - turn as i64))
            })
            .product();
        (f64::from(board.points(item)) * POINT as f64 * 0.995f64.powi(turn as i32) * there) as i64
    })
}
