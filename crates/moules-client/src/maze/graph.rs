//! The graph of the walkable cells with steps and jumps, and searches over it.

use crate::rules::{Cell, Direction, State, Tile};
use bitvec::vec::BitVec;
use smallvec::SmallVec;
use std::collections::VecDeque;

/// No cell: the move is blocked by a dune.
pub const NOWHERE: u32 = u32::MAX;
/// The distance of an unreachable cell.
pub const FAR: u16 = u16::MAX;
/// No direction: the cell is unreachable, or it is the destination.
pub(super) const NO_WALK: u8 = 4;
/// Maximum number of beers in the distance tables.
pub(super) const MOST_BEERS: usize = 3;

/// Tie-breaking among shortest paths: the order in which a client scans the maze for the predecessor of a cell, from
/// the end of the path backwards.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Turning {
    /// Column by column.
    Columns,
    /// Row by row.
    Rows,
}

impl Turning {
    /// Returns the directions backwards from the end of a path, the preferred one first.
    pub(super) fn back(self) -> [Direction; 4] {
        use Direction::{East, North, South, West};
        match self {
            Self::Columns => [West, East, North, South],
            Self::Rows => [North, West, East, South],
        }
    }
}

/// The walkable cells of a maze, without items.
#[derive(Debug, Clone)]
pub struct Graph {
    width: usize,
    dunes: BitVec,
    steps: Vec<[u32; 4]>,
    jumps: Vec<[u32; 4]>,
}

impl Graph {
    /// Builds the graph of `state`.
    pub fn new(state: &State) -> Self {
        let near = |cell: usize, distance: i32| {
            Direction::ALL.map(|direction| {
                let there = state.neighbour(Cell(cell as u32), direction, distance);
                there.filter(|&there| state.tile(there) != Tile::Dune).map_or(NOWHERE, |there| there.0)
            })
        };
        let free = |cell: usize| state.tiles[cell] != Tile::Dune;
        let table = |distance| {
            let row = |cell| if free(cell) { near(cell, distance) } else { [NOWHERE; 4] };
            (0..state.tiles.len()).map(row).collect()
        };
        let dunes = state.tiles.iter().map(|&tile| tile == Tile::Dune).collect();
        Self { width: state.width, dunes, steps: table(1), jumps: table(2) }
    }

    /// Returns true if `state` has the same dunes.
    pub fn fits(&self, state: &State) -> bool {
        self.width == state.width
            && self.dunes.len() == state.tiles.len()
            && state.tiles.iter().zip(&self.dunes).all(|(&tile, dune)| (tile == Tile::Dune) == *dune)
    }

    /// Returns the number of cells, dunes included.
    pub fn cells(&self) -> usize {
        self.steps.len()
    }

    /// Returns the cell after a step, or [`NOWHERE`] if it is blocked.
    #[inline]
    pub fn step(&self, cell: u32, direction: Direction) -> u32 {
        self.steps[cell as usize][direction as usize]
    }

    /// Returns the cell after a jump, or [`NOWHERE`] if it is impossible.
    #[inline]
    pub fn jump(&self, cell: u32, direction: Direction) -> u32 {
        self.jumps[cell as usize][direction as usize]
    }

    /// Returns the column and row of a cell.
    #[inline]
    pub fn coordinates(&self, cell: u32) -> (usize, usize) {
        (cell as usize % self.width, cell as usize / self.width)
    }

    /// Returns true if no step is possible from `cell`.
    pub(super) fn is_closed(&self, cell: u32) -> bool {
        self.steps[cell as usize].iter().all(|&to| to == NOWHERE)
    }

    /// Writes the turns from `from` to each cell with at most 0, 1, … `jumps` frites, one table after the other. Steps
    /// and jumps are symmetric, so these are also the turns to `from`. A `towards` that is not empty receives the
    /// direction of a path to `from`.
    pub(super) fn flood(&self, from: u32, jumps: usize, table: &mut [u16], towards: &mut [u8]) {
        let cells = self.cells();
        let mut queue = VecDeque::from([(from, 0usize)]);
        table[from as usize] = 0;
        while let Some((cell, used)) = queue.pop_front() {
            let next = table[used * cells + cell as usize].saturating_add(1).min(FAR - 1);
            let mut reach = |to: u32, used: usize| {
                if to != NOWHERE && table[used * cells + to as usize] == FAR {
                    table[used * cells + to as usize] = next;
                    queue.push_back((to, used));
                    return true;
                }
                false
            };
            for direction in Direction::ALL {
                let to = self.step(cell, direction);
                if reach(to, used)
                    && used == 0
                    && let Some(back) = towards.get_mut(to as usize)
                {
                    *back = direction.opposite() as u8;
                }
                if used < jumps {
                    reach(self.jump(cell, direction), used + 1);
                }
            }
        }
        // More frites never make it farther.
        for used in 1..=jumps {
            for cell in 0..cells {
                table[used * cells + cell] = table[used * cells + cell].min(table[(used - 1) * cells + cell]);
            }
        }
    }

    /// Returns the cells that one beer reaches from `cell`.
    pub(super) fn reach(&self, cell: u32) -> SmallVec<[u32; 24]> {
        let mut found: SmallVec<[u32; 24]> = SmallVec::from_slice(&[cell]);
        let mut first = 0;
        for _ in 0..3 {
            let last = found.len();
            for index in first..last {
                for next in self.steps[found[index] as usize] {
                    if next != NOWHERE && !found.contains(&next) {
                        found.push(next);
                    }
                }
            }
            first = last;
        }
        found.remove(0);
        found
    }

    /// Writes the turns from each cell to `from` by the frites (fewer than `layers`) and beers in hand. `reach` holds
    /// the cells that one beer reaches from each cell.
    pub(super) fn flood_with_beers(
        &self,
        from: u32,
        layers: usize,
        reach: &[SmallVec<[u32; 24]>],
        table: &mut [u16],
    ) {
        let cells = self.cells();
        let layer = |frites: usize, beers: usize| (beers * layers + frites) * cells;
        let mut queue = VecDeque::from([(from, 0usize, 0usize)]);
        table[from as usize] = 0;
        while let Some((cell, frites, beers)) = queue.pop_front() {
            let next = table[layer(frites, beers) + cell as usize] + 1;
            let mut go = |to: u32, frites: usize, beers: usize| {
                let at = layer(frites, beers) + to as usize;
                if table[at] == FAR {
                    table[at] = next;
                    queue.push_back((to, frites, beers));
                }
            };
            for direction in Direction::ALL {
                let to = self.step(cell, direction);
                if to != NOWHERE {
                    go(to, frites, beers);
                }
                let to = self.jump(cell, direction);
                if to != NOWHERE && frites + 1 < layers {
                    go(to, frites + 1, beers);
                }
            }
            if beers < MOST_BEERS {
                for &to in &reach[cell as usize] {
                    go(to, frites, beers + 1);
                }
            }
        }
        // More bonuses in hand never make it farther.
        for beers in 0..=MOST_BEERS {
            for frites in 0..layers {
                for cell in 0..cells {
                    let less = |frites: usize, beers: usize| table[layer(frites, beers) + cell];
                    let mut best = less(frites, beers);
                    if frites > 0 {
                        best = best.min(less(frites - 1, beers));
                    }
                    if beers > 0 {
                        best = best.min(less(frites, beers - 1));
                    }
                    table[layer(frites, beers) + cell] = best;
                }
            }
        }
    }
}
