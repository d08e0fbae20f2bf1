//! The evaluation that adds up lines independently.

use crate::patterns::Shape;

/// Returns the sum of the four lines' values.
pub(super) fn value(shapes: [Shape; 4]) -> i16 {
    shapes.into_iter().map(worth).sum()
}

const fn worth(shape: Shape) -> i16 {
    match shape {
        Shape::Dead => 0,
        Shape::One => 1,
        Shape::OpenOne => 2,
        Shape::Two => 4,
        Shape::OpenTwo => 10,
        Shape::Three => 16,
        Shape::OpenThree => 40,
        Shape::Four => 60,
        Shape::OpenFour => 150,
        Shape::Five => 300,
    }
}
