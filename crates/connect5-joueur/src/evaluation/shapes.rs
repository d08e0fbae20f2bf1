//! The evaluation by the threat class of a cell's four shapes.

use super::lines;
use crate::patterns::{Class, Shape};

/// Returns half of the lines' sum plus the value of their threat class.
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
