//! Which cells each pattern reads, computed at compile time.
//!
//! A pattern's state is a number in balanced ternary: +1 where the mover has a disc, −1 where the opponent has one.
//! So the same position seen by the other side is the negated number, and a disc that is flipped adds ±2·3^k.

/// Feature lanes: two cache lines of `i16`, of which [`Layout::instances`] are in use.
pub const LANES: usize = 64;

/// The families of patterns: cells as `8 * row + column`, in the order of their ternary digits. Every family stands
/// once for all the places that the board's eight symmetries carry it to.
const FAMILIES_CELLS: [&[u8]; 13] = [
    // The corner's 3×3 square.
    &[0, 1, 2, 8, 9, 10, 16, 17, 18],
    // The corner's triangle.
    &[0, 1, 2, 3, 8, 9, 10, 16, 17, 24],
    // The corner's 2×5 block.
    &[0, 1, 2, 3, 4, 8, 9, 10, 11, 12],
    // The edge with both X squares.
    &[9, 0, 1, 2, 3, 4, 5, 6, 7, 14],
    // The edge without its C squares, and what stands before its middle.
    &[0, 2, 3, 4, 5, 7, 10, 11, 12, 13],
    // The second, third and fourth rows.
    &[8, 9, 10, 11, 12, 13, 14, 15],
    &[16, 17, 18, 19, 20, 21, 22, 23],
    &[24, 25, 26, 27, 28, 29, 30, 31],
    // The diagonals of eight to four cells.
    &[0, 9, 18, 27, 36, 45, 54, 63],
    &[1, 10, 19, 28, 37, 46, 55],
    &[2, 11, 20, 29, 38, 47],
    &[3, 12, 21, 30, 39],
    &[4, 13, 22, 31],
];

/// The number of families.
pub const FAMILIES: usize = FAMILIES_CELLS.len();

/// A family of patterns.
#[derive(Debug, Clone, Copy)]
pub struct Family {
    /// Its number of cells.
    pub cells: usize,
    /// Its number of states, 3^cells.
    pub states: usize,
    /// Where its states begin in a stage's table.
    pub start: usize,
    /// The order in which a mirror image of the board reads the cells of the same place, if there is one: the digit of
    /// cell `k` becomes the digit of cell `mirror[k]`.
    pub mirror: Option<[u8; 10]>,
}

/// Everything that follows from [`FAMILIES_CELLS`].
#[derive(Debug)]
pub struct Layout {
    /// The families.
    pub families: [Family; FAMILIES],
    /// The number of lanes in use.
    pub instances: usize,
    /// Each lane's family.
    pub family_of: [usize; LANES],
    /// Where the state 0 (nothing but empty cells) of each lane's family stands in a stage's table; for lanes that are
    /// not in use, behind the table's end.
    pub centre: [u32; LANES],
    /// The summand of a disc of the mover in every lane; behind the squares, nothing.
    pub disc: [[i16; LANES]; 65],
    /// The length of a stage's table.
    pub table: usize,
}

/// The layout.
pub static LAYOUT: Layout = COMPUTED;
/// [`LAYOUT`]'s table length, where a constant is needed.
pub const TABLE: usize = COMPUTED.table;

const COMPUTED: Layout = layout();

const fn layout() -> Layout {
    let mut families = [Family { cells: 0, states: 0, start: 0, mirror: None }; FAMILIES];
    let mut instances = 0;
    let mut family_of = [0; LANES];
    let mut centre = [0; LANES];
    let mut disc = [[0; LANES]; 65];
    let mut start = 0;
    let mut number = 0;
    while number < FAMILIES {
        let cells = FAMILIES_CELLS[number];
        let states = 3_usize.pow(cells.len() as u32);
        families[number] = Family { cells: cells.len(), states, start, mirror: mirror_of(cells) };
        // The images of the family that no earlier symmetry has given.
        let mut symmetry = 0;
        while symmetry < 8 {
            if is_new_image(cells, symmetry) {
                family_of[instances] = number;
                centre[instances] = (start + states / 2) as u32;
                let mut digit = 0;
                let mut power = 1;
                while digit < cells.len() {
                    disc[image(cells[digit], symmetry) as usize][instances] = power;
                    power *= if digit + 1 < cells.len() { 3 } else { 1 };
                    digit += 1;
                }
                instances += 1;
            }
            symmetry += 1;
        }
        start += states;
        number += 1;
    }
    let mut unused = instances;
    while unused < LANES {
        centre[unused] = (start + super::MOBILITIES) as u32;
        unused += 1;
    }
    Layout { families, instances, family_of, centre, disc, table: start }
}

/// Where a symmetry of the board carries a cell.
const fn image(cell: u8, symmetry: u8) -> u8 {
    let (mut row, mut column) = (cell / 8, cell % 8);
    if symmetry & 1 != 0 {
        row = 7 - row;
    }
    if symmetry & 2 != 0 {
        column = 7 - column;
    }
    if symmetry & 4 != 0 {
        (row, column) = (column, row);
    }
    8 * row + column
}

/// The set of cells that a symmetry carries a family to.
const fn image_set(cells: &[u8], symmetry: u8) -> u64 {
    let mut set = 0;
    let mut index = 0;
    while index < cells.len() {
        set |= 1 << image(cells[index], symmetry);
        index += 1;
    }
    set
}

const fn is_new_image(cells: &[u8], symmetry: u8) -> bool {
    let set = image_set(cells, symmetry);
    let mut earlier = 0;
    while earlier < symmetry {
        if image_set(cells, earlier) == set {
            return false;
        }
        earlier += 1;
    }
    true
}

/// The order in which the first symmetry that keeps the set but moves its cells reads them.
const fn mirror_of(cells: &[u8]) -> Option<[u8; 10]> {
    let mut symmetry = 1;
    while symmetry < 8 {
        if image_set(cells, symmetry) == image_set(cells, 0) {
            let mut order = [0; 10];
            let mut moved = false;
            let mut index = 0;
            while index < cells.len() {
                let target = image(cells[index], symmetry);
                let mut place = 0;
                while cells[place] != target {
                    place += 1;
                }
                order[index] = place as u8;
                moved |= place != index;
                index += 1;
            }
            if moved {
                return Some(order);
            }
        }
        symmetry += 1;
    }
    None
}

/// For each state of a family, in ascending order, its mirror state: itself where the family has no mirror.
pub fn mirrored_states(family: &Family) -> impl Iterator<Item = usize> + '_ {
    // A state is two halves of five digits, and each half's mirror is looked up.
    const HALF: usize = 243;
    let mirror_digits = |mut half: usize, first: usize| {
        let mut mirrored = 0;
        for digit in first..family.cells.min(first + 5) {
            let place = family.mirror.map_or(digit, |mirror| mirror[digit] as usize);
            mirrored += half % 3 * 3_usize.pow(place as u32);
            half /= 3;
        }
        mirrored
    };
    let low: Vec<usize> = (0..HALF.min(family.states)).map(|half| mirror_digits(half, 0)).collect();
    let high = (0..family.states.div_ceil(HALF)).map(move |half| mirror_digits(half, 5));
    high.flat_map(move |high| low.clone().into_iter().map(move |low| high + low))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_family_stands_at_all_its_places() {
        let places = |family| LAYOUT.family_of[..LAYOUT.instances].iter().filter(|&&of| of == family).count();
        assert_eq!(std::array::from_fn::<_, FAMILIES, _>(places), [4, 4, 8, 4, 4, 4, 4, 4, 2, 4, 4, 4, 4]);
        assert!(LAYOUT.instances <= LANES);
    }

    #[test]
    fn mirroring_twice_changes_nothing() {
        for family in &LAYOUT.families {
            let mirrored: Vec<_> = mirrored_states(family).collect();
            assert!(mirrored.iter().enumerate().all(|(state, &mirror)| mirrored[mirror] == state));
            let fixed = mirrored.iter().enumerate().filter(|&(state, &mirror)| state == mirror).count();
            assert_eq!(fixed == family.states, family.mirror.is_none());
        }
    }
}
