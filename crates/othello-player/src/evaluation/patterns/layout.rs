//! The cells of each pattern, computed at compile time.
//!
//! A pattern's state is a number in balanced ternary: +1 for a disc of the mover, −1 for one of the opponent. The same
//! position from the other side's point of view is the negated number, and a flipped disc adds ±2·3^k.
//!
//! Source: M. Buro, "From simple features to sophisticated evaluation functions", 1999, for the shapes; all but one of
//! them also stand in Edax or Egaroucid, ten in NTest (see CREDITS.md).

use std::sync::OnceLock;

/// The number of feature lanes: two cache lines of `i16`. [`Layout::instances`] of them are used.
pub const LANES: usize = 64;

/// The pattern families: cells as `8 * row + column`, in the order of their ternary digits in the weights file. A
/// family stands for all its images under the board's eight symmetries.
const FAMILIES_CELLS: [&[u8]; 13] = [
    // The corner's 3×3 square.
    &[0, 1, 2, 8, 9, 10, 16, 17, 18],
    // The corner's triangle.
    &[0, 1, 2, 3, 8, 9, 10, 16, 17, 24],
    // The corner's 2×5 block.
    &[0, 1, 2, 3, 4, 8, 9, 10, 11, 12],
    // The edge with both X squares.
    &[9, 0, 1, 2, 3, 4, 5, 6, 7, 14],
    // The edge without its C squares, and the four squares next to its middle.
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

/// The share of midgame leaves in which a cell is empty, in percent, for the quadrant a1 to d4. See EXPERIMENTS.tsv.
const EMPTY: [[u8; 4]; 4] = [[96, 95, 83, 81], [95, 86, 55, 48], [83, 55, 19, 11], [81, 48, 11, 1]];

/// [`EMPTY`] for any cell, by symmetry.
const fn empty(cell: u8) -> u8 {
    let (row, column) = (cell / 8, cell % 8);
    let row = if row < 4 { row } else { 7 - row };
    let column = if column < 4 { column } else { 7 - column };
    EMPTY[row as usize][column as usize]
}

/// The number of families.
pub const FAMILIES: usize = FAMILIES_CELLS.len();

/// A family of patterns.
#[derive(Debug, Clone, Copy)]
pub struct Family {
    /// The value of the mover's disc in each cell. Cells that are rarely empty have the lowest digits: common states,
    /// which differ only there, are then close together in memory.
    powers: [u32; 10],
    /// The number of states, 3^cells.
    pub states: usize,
    /// The index of the first state in a stage's table.
    pub start: usize,
    /// The permutation of the cells under a symmetry of the board that keeps the pattern in place, if there is one: the
    /// digit of cell `k` becomes the digit of cell `mirror[k]`.
    mirror: Option<[u8; 10]>,
}

/// The tables computed from [`FAMILIES_CELLS`].
#[derive(Debug)]
pub struct Layout {
    /// The families, in the order of the weights file.
    pub families: [Family; FAMILIES],
    /// The number of pattern instances on the board; each uses a lane of a vector.
    pub instances: usize,
    /// The family of each lane.
    pub family_of: [usize; LANES],
    /// For each lane, the index in a stage's table of the state 0 (all cells empty).
    pub centre: [u32; LANES],
    /// The value of the mover's disc in every lane, by square; index 64 is all zeros.
    pub disc: [[i16; LANES]; 65],
    /// The length of a stage's table.
    pub table: usize,
    /// The number of [`stored_states`].
    pub stored: usize,
}

/// The layout of the built-in weights.
pub static LAYOUT: Layout = COMPUTED;
/// [`LAYOUT`]'s table length, as a constant.
pub const TABLE: usize = COMPUTED.table;
/// The number of [`stored_states`], as a constant.
pub(super) const STORED: usize = COMPUTED.stored;

const COMPUTED: Layout = layout();

const fn layout() -> Layout {
    let mut families = [Family { powers: [0; 10], states: 0, start: 0, mirror: None }; FAMILIES];
    let mut instances = 0;
    let mut family_of = [0; LANES];
    let mut centre = [0; LANES];
    let mut disc = [[0; LANES]; 65];
    let mut start = 0;
    let mut stored = 0;
    let mut number = 0;
    while number < FAMILIES {
        let cells = FAMILIES_CELLS[number];
        let states = 3_usize.pow(cells.len() as u32);
        let powers = powers_of(cells);
        families[number] = Family { powers, states, start, mirror: mirror_of(cells) };
        // The images of the family, each once.
        let mut symmetry = 0;
        while symmetry < 8 {
            if is_new_image(cells, symmetry) {
                family_of[instances] = number;
                centre[instances] = (start + states / 2) as u32;
                let mut cell = 0;
                while cell < cells.len() {
                    disc[image(cells[cell], symmetry) as usize][instances] = powers[cell] as i16;
                    cell += 1;
                }
                instances += 1;
            }
            symmetry += 1;
        }
        start += states;
        stored += stored_of(cells.len(), families[number].mirror);
        number += 1;
    }
    Layout { families, instances, family_of, centre, disc, table: start, stored }
}

/// A power of three for each cell: the more rarely the cell is empty, the lower.
const fn powers_of(cells: &[u8]) -> [u32; 10] {
    let mut powers = [0; 10];
    let mut cell = 0;
    while cell < cells.len() {
        let mut below = 0;
        let mut other = 0;
        while other < cells.len() {
            let (this, that) = (empty(cells[cell]), empty(cells[other]));
            below += (that < this || that == this && other < cell) as u32;
            other += 1;
        }
        powers[cell] = 3_u32.pow(below);
        cell += 1;
    }
    powers
}

/// The image of a cell under a symmetry of the board.
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

/// The set of a family's cells under a symmetry.
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

/// The permutation of the cells under the first symmetry that maps the set to itself and moves some cell.
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

/// The number of states that are not the mirror image of an earlier one. A mirror moves cells in pairs.
const fn stored_of(cells: usize, mirror: Option<[u8; 10]>) -> usize {
    let Some(mirror) = mirror else { return 3_usize.pow(cells as u32) };
    let mut pairs = 0;
    let mut cell = 0;
    while cell < cells {
        assert!(mirror[mirror[cell] as usize] as usize == cell);
        pairs += (mirror[cell] as usize > cell) as usize;
        cell += 1;
    }
    // A state is its own mirror image if the cells of each pair are equal.
    (3_usize.pow(cells as u32) + 3_usize.pow((cells - pairs) as u32)) / 2
}

/// A state of the weights file. A state and its mirror image have the same weight and are stored once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StoredState {
    place: u32,
    mirror: u32,
    rarity: u8,
}

impl StoredState {
    /// The index in a stage's table.
    #[must_use]
    pub fn place(self) -> usize {
        self.place as usize
    }

    /// The index of the mirror image; equal to [`place`](Self::place) if there is none, and never below it.
    #[must_use]
    pub fn mirror(self) -> usize {
        self.mirror as usize
    }

    /// −2 log₂ of the state's probability, if each cell is empty independently with the probability [`EMPTY`].
    pub(super) fn rarity(self) -> u8 {
        self.rarity
    }
}

/// The states of all families in the order of the weights file: by index in a stage's table.
pub fn stored_states() -> &'static [StoredState] {
    static STATES: OnceLock<Vec<StoredState>> = OnceLock::new();
    STATES.get_or_init(|| {
        let mut states = Vec::with_capacity(STORED);
        each_state(|place, mirror, rarity| {
            if place <= mirror {
                states.push(StoredState { place, mirror, rarity: rarity.min(255) as u8 });
            }
        });
        states
    })
}

/// Visits all states by index in a stage's table, each with the index of its mirror image and its rarity.
#[inline(always)]
pub(super) fn each_state(mut visit: impl FnMut(u32, u32, u32)) {
    /// A state is the sum of two halves of at most five digits.
    const HALF: usize = 5;
    for (cells, family) in FAMILIES_CELLS.iter().zip(&LAYOUT.families) {
        let mut by_power: Vec<usize> = (0..cells.len()).collect();
        by_power.sort_by_key(|&cell| family.powers[cell]);
        let digits: Vec<_> = by_power.iter().map(|&cell| numbers_of(cells, family, cell)).collect();
        let (low, high) = digits.split_at(cells.len().min(HALF));
        let [low, high] = [low, high].map(half_sums);
        let start = family.start as u32;
        let mut place = start;
        for high in &high {
            for low in &low {
                visit(place, start + low[0] + high[0], low[1] + high[1]);
                place += 1;
            }
        }
    }
}

/// For the opponent's disc, an empty cell and the mover's disc: the contributions of a cell to the index of a state's
/// mirror image and to its rarity.
fn numbers_of(cells: &[u8], family: &Family, cell: usize) -> [[u32; 2]; 3] {
    let mirror = family.mirror.map_or(cell, |mirror| usize::from(mirror[cell]));
    let often_empty = f32::from(empty(cells[cell])) / 100.0;
    [0, 1, 2].map(|digit| {
        let share = if digit == 1 { often_empty } else { (1.0 - often_empty) / 2.0 };
        [digit * family.powers[mirror], (-2.0 * share.log2()).round() as u32]
    })
}

/// The sums of all combinations that take one entry of each triple; the first triple varies fastest.
fn half_sums(digits: &[[[u32; 2]; 3]]) -> Vec<[u32; 2]> {
    let mut sums = vec![[0; 2]];
    for digit in digits {
        let longer = digit.iter().flat_map(|numbers| {
            sums.iter().map(move |sum| std::array::from_fn(|nth| sum[nth] + numbers[nth]))
        });
        sums = longer.collect();
    }
    sums
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
    fn every_place_is_a_stored_state_or_its_mirror_image_once() {
        let mut seen = vec![0; TABLE];
        for state in stored_states() {
            seen[state.place()] += 1;
            seen[state.mirror()] += u32::from(state.mirror() != state.place());
        }
        assert_eq!(stored_states().len(), STORED);
        assert!(seen.iter().all(|&times| times == 1));
        for family in &LAYOUT.families {
            let here =
                |state: &&StoredState| (family.start..family.start + family.states).contains(&state.place());
            let alone =
                stored_states().iter().filter(here).filter(|state| state.place() == state.mirror()).count();
            assert_eq!(alone == family.states, family.mirror.is_none());
        }
    }

    #[test]
    fn what_is_common_stands_first_and_close_together() {
        // In the 3×3 corner, a single disc on c3 is common, and a disc everywhere is rare.
        let corner = LAYOUT.families[0];
        assert_eq!(corner.powers[8], 1, "c3 has the lowest digit");
        let of = |digits: u32| {
            let place = corner.start + digits as usize;
            stored_states()
                .iter()
                .find(|state| state.place() == place || state.mirror() == place)
                .unwrap()
                .rarity()
        };
        let empty = (3_u32.pow(9) - 1) / 2;
        assert!(of(empty + 1) < of(empty), "a disc on c3");
        assert!(of(empty) < of(3_u32.pow(9) - 1), "nine of the mover's discs");
    }
}
