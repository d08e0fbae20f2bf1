//! Weighted squares: corners cannot be flipped, the squares next to them give them away, edges are fairly safe. The
//! function ignores mobility.

use super::Evaluate;
use crate::rules::Position;
use search_core::Score;

/// The weights of the mover's discs less those of the opponent's.
#[derive(Debug, Clone, Copy)]
pub struct Positional;

/// The weights of the quadrant a1 to d4, in hundredths of a disc; the other quadrants mirror it.
const WEIGHTS: [[i32; 4]; 4] =
    [[1500, -400, 200, 100], [-400, -800, -60, -40], [200, -60, 60, 20], [100, -40, 20, 20]];

/// The distinct weights, each with its squares.
const CLASSES: [(i32, u64); 9] = classes();

const fn classes() -> [(i32, u64); 9] {
    let mut classes = [(0, 0); 9];
    let mut used = 0;
    let mut square = 0;
    while square < 64 {
        let (column, row) = (square % 8, square / 8);
        let column = if column < 4 { column } else { 7 - column };
        let row = if row < 4 { row } else { 7 - row };
        let weight = WEIGHTS[row][column];
        let mut class = 0;
        while class < used && classes[class].0 != weight {
            class += 1;
        }
        if class == used {
            used += 1;
        }
        classes[class].0 = weight;
        classes[class].1 |= 1_u64 << square;
        square += 1;
    }
    classes
}

impl Evaluate for Positional {
    #[inline]
    fn new(_: &Position) -> Self {
        Self
    }

    #[inline]
    fn evaluate(&mut self, position: &Position) -> Score {
        let mut sum = 0;
        for (weight, squares) in CLASSES {
            let own = (position.own() & squares).count_ones() as i32;
            let opponent = (position.opponent() & squares).count_ones() as i32;
            sum += weight * (own - opponent);
        }
        Score::new(sum * Score::POINT / 100)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_square_has_a_weight_and_corners_the_greatest() {
        assert_eq!(CLASSES.iter().fold(0, |all, class| all ^ class.1), !0);
        let corners = CLASSES.iter().max_by_key(|class| class.0).unwrap();
        assert_eq!(corners.1, 1 | 1 << 7 | 1 << 56 | 1 << 63);
    }
}
