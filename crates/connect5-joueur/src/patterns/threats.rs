//! The threats on the board as one number.

use super::{Class, weights::COUNTED};

/// Numbers of threats that are told apart for one colour.
const OF_COLOR: usize = 3 * 3 * 2 * 2;

/// The length of the table: numbers of the mover, of the other side, and whether it has an open four to come.
pub const THREATS: usize = 2 * OF_COLOR * OF_COLOR;

/// Cells on which a four line, or an open two, lets a colour make its threat: more than that are several lines.
const OF_ONE_LINE: [usize; 2] = [2, 3];

/// The number of the threats of the mover and of the other side, each given as its cells of every counted class, sixteen
/// bits a class.
#[inline]
pub(super) fn number(mover: u128, other: u128) -> usize {
    let open_four = usize::from(count(other, Class::OpenFour) > 0);
    (open_four * OF_COLOR + of_color(mover)) * OF_COLOR + of_color(other)
}

/// Cells that make a four and cells that make an open three: none, as many as one line has, more. Whether one makes a four
/// and an open three, whether one makes two open threes.
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
