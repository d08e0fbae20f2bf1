//! The threats on the board as one index.

use super::{Class, weights::COUNTED};

/// Number of threat combinations of one colour.
const OF_COLOR: usize = 3 * 3 * 2 * 2;

/// The number of threat combinations of both sides, and of whether the opponent threatens an open four.
pub const THREATS: usize = 2 * OF_COLOR * OF_COLOR;

/// Maximum number of cells that one four line, or one open two, gives. More cells come from several lines.
const OF_ONE_LINE: [usize; 2] = [2, 3];

/// Returns the threat index of the mover and the opponent, each given as the number of its cells of every counted
/// class, sixteen bits a class.
#[inline]
pub(super) fn number(mover: u128, other: u128) -> usize {
    let open_four = usize::from(count(other, Class::OpenFour) > 0);
    (open_four * OF_COLOR + of_color(mover)) * OF_COLOR + of_color(other)
}

/// Returns the threat combination of one colour: the number of cells that make a four and that make an open three
/// (none, as many as one line gives, more), and whether one makes a four and an open three, or two open threes.
#[inline]
fn of_color(counts: u128) -> usize {
    let [both, doubles] = [Class::FourThree, Class::TwoThrees].map(|class| count(counts, class));
    let fours = count(counts, Class::Four) + both;
    let threes = count(counts, Class::Three) + doubles;
    let level = |cells: usize, line: usize| usize::from(cells > 0) + usize::from(cells > line);
    let levels = 3 * level(fours, OF_ONE_LINE[0]) + level(threes, OF_ONE_LINE[1]);
    4 * levels + 2 * usize::from(both > 0) + usize::from(doubles > 0)
}

#[inline]
fn count(counts: u128, class: Class) -> usize {
    (counts >> (16 * (class as u8 - COUNTED))) as u16 as usize
}
