//! Codes: the four shapes of a cell as one number.

use super::Shape;

/// The four shapes of a cell for one colour as the sum of a number per shape. Different multisets of four shapes have
/// different sums, so a line's change adds a difference that does not depend on the other three lines.
pub type Code = u16;

/// An upper bound of all codes. Most numbers below it are not codes.
pub(super) const CODES: usize = 1 << 14;

/// The number that each shape adds: the least numbers for which all sums of four differ.
const SHARES: [u16; Shape::ALL.len()] = [0, 1, 5, 21, 55, 153, 368, 856, 1424, 2603];

/// Cells with a smaller code have only the shape of a lone stone, or less, in every line.
pub(super) const SOMETHING: Code = SHARES[Shape::Two as usize];

/// Returns the number that `shape` adds to a code.
#[inline]
pub(super) const fn share(shape: Shape) -> Code {
    SHARES[shape as usize]
}

/// Returns the code of four shapes.
pub(super) fn code_of(shapes: [Shape; 4]) -> Code {
    shapes.into_iter().map(share).sum()
}

/// The number of multisets of four shapes.
pub const SHAPE_SETS: usize = 715;

/// Iterates over all multisets of four shapes, the strongest shape first within each.
pub fn shape_sets() -> impl Iterator<Item = [Shape; 4]> + Clone {
    let below = |top: Shape| Shape::ALL.into_iter().filter(move |&shape| shape <= top);
    Shape::ALL.into_iter().flat_map(move |a| {
        below(a).flat_map(move |b| below(b).flat_map(move |c| below(c).map(move |d| [a, b, c, d])))
    })
}

/// The codes of a cell: black's in the low half, white's in the high half.
pub(super) type Codes = u32;

/// Returns the code of one colour.
#[inline]
pub(super) const fn of_color(codes: Codes, color: usize) -> Code {
    (codes >> (16 * color)) as Code
}

#[cfg(test)]
mod tests {
    use super::super::Class;
    use super::*;

    #[test]
    fn no_two_sets_of_shapes_have_the_same_code() {
        let mut codes: Vec<Code> = shape_sets().map(code_of).collect();
        codes.sort_unstable();
        assert_eq!(codes.len(), SHAPE_SETS);
        assert!(codes.windows(2).all(|pair| pair[0] < pair[1]));
    }

    #[test]
    fn a_small_code_is_a_cell_that_means_nothing() {
        for shapes in shape_sets() {
            assert_eq!(code_of(shapes) < SOMETHING, Class::of(shapes) == Class::Nothing, "{shapes:?}");
        }
    }
}
