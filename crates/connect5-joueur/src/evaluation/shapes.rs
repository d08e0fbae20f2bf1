//! The threat class of a cell's four shapes.

use super::lines;
use crate::patterns::{Class, Shape};

/// Half of what the lines are worth one by one, and what they are worth together.
pub(super) fn value(shapes: [Shape; 4]) -> i16 {
    let together = match Class::of(shapes) {
        Class::Nothing => 0,
        Class::Something => 4,
        Class::Three => 24,
        Class::TwoThrees => 80,
        Class::Four => 30,
        Class::FourThree => 140,
        Class::OpenFour => 160,
        Class::Five => 200,
    };
    lines::value(shapes) / 2 + together
}
