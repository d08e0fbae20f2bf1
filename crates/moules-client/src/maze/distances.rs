//! Tables of the turns from every cell to every item, and of the first steps of the paths.

use super::graph::{FAR, Graph, MOST_BEERS, NO_WALK, Turning};
use super::items::Items;
use crate::rules::Direction;

/// Maximum number of frites in the distance tables.
const MOST_JUMPS: usize = 3;
/// Rows of distances are padded to a multiple of this length, for vector comparison.
const LANES: usize = 8;

/// The distances of a maze.
#[derive(Debug, Clone)]
pub struct Distances {
    cells: usize,
    /// Number of frite counts tabulated.
    jump_tables: usize,
    /// The length of a row: one entry an item, and padding.
    row: usize,
    /// Turns from each cell to each item with 0, 1, … frites, one row a cell.
    foot: Vec<u16>,
    /// Turns from each cell to each item by the beers and frites in hand. Empty if the maze is too large.
    turns: Vec<u16>,
    /// The direction of a shortest path for each item and cell, or [`NO_WALK`].
    towards: Vec<u8>,
    /// The direction of the path that each [`Turning`] prefers. Empty if the maze is too large.
    ways: [Vec<u8>; 2],
}

impl Distances {
    /// Computes the tables of `graph` and `items`, as many as fit in `most` entries.
    pub fn new(graph: &Graph, items: &Items, most: usize) -> Self {
        let cells = graph.cells();
        let count = items.list().len();
        let jump_tables = (most / (cells * count).max(1)).clamp(1, 1 + MOST_JUMPS);
        let row = count.next_multiple_of(LANES);
        let mut distances = Self {
            cells,
            jump_tables,
            row,
            foot: vec![FAR; cells * row * jump_tables],
            turns: Vec::new(),
            towards: vec![NO_WALK; cells * count],
            ways: [Vec::new(), Vec::new()],
        };
        let mut table = vec![FAR; cells * jump_tables];
        for ((index, item), towards) in (0..).zip(items.list()).zip(distances.towards.chunks_mut(cells)) {
            table.fill(FAR);
            graph.flood(item.cell, jump_tables - 1, &mut table, towards);
            enter(&mut distances.foot, row, index, &table);
        }
        if cells * cells <= 2 * most {
            distances.ways =
                [Turning::Columns, Turning::Rows].map(|turning| distances.trace(graph, items, turning));
        }
        if cells * count * jump_tables * (1 + MOST_BEERS) <= most {
            distances.measure_beers(graph, items);
        }
        distances
    }

    fn measure_beers(&mut self, graph: &Graph, items: &Items) {
        let layers = self.jump_tables * (1 + MOST_BEERS);
        let reach: Vec<_> = (0..self.cells as u32).map(|cell| graph.reach(cell)).collect();
        let mut table = vec![FAR; self.cells * layers];
        self.turns = vec![FAR; self.cells * self.row * layers];
        for (index, item) in items.list().iter().enumerate() {
            table.fill(FAR);
            graph.flood_with_beers(item.cell, self.jump_tables, &reach, &mut table);
            enter(&mut self.turns, self.row, index, &table);
        }
    }

    /// Returns the first step of the path that `turning` prefers, for each item and cell.
    fn trace(&self, graph: &Graph, items: &Items, turning: Turning) -> Vec<u8> {
        let mut ways = vec![NO_WALK; self.cells * items.list().len()];
        let mut walked = vec![FAR; self.cells];
        for from in (0..self.cells as u32).filter(|&from| !graph.is_closed(from)) {
            walked.fill(FAR);
            graph.flood(from, 0, &mut walked, &mut []);
            for (index, item) in items.list().iter().enumerate() {
                if self.foot(from, index, 0) == FAR {
                    continue;
                }
                // Backwards from the item, to the first neighbour that is one step nearer.
                let mut cell = item.cell;
                while cell != from {
                    let near = walked[cell as usize] - 1;
                    let back = turning.back().into_iter().find(|&direction| {
                        walked.get(graph.step(cell, direction) as usize).is_some_and(|&there| there == near)
                    });
                    let Some(back) = back else { break };
                    cell = graph.step(cell, back);
                    ways[index * self.cells + from as usize] = back.opposite() as u8;
                }
            }
        }
        ways
    }

    /// Returns the turns from `cell` to `item` with at most `frites` frites, or [`FAR`].
    #[inline]
    pub fn foot(&self, cell: u32, item: usize, frites: usize) -> u16 {
        let at = frites.min(self.jump_tables - 1) * self.cells + cell as usize;
        self.foot[at * self.row + item]
    }

    /// Returns the turns from `cell` to `item` with these frites and beers in hand.
    #[inline]
    pub fn turns(&self, cell: u32, item: usize, frites: u8, beers: u8) -> u16 {
        if let Some(row) = self.turns_from(cell, frites, beers) {
            return row[item];
        }
        match self.foot(cell, item, usize::from(frites)) {
            FAR => FAR,
            distance => distance - 2 * u16::from(beers).min(distance / 3),
        }
    }

    /// Returns the turns from `cell` to every item, padded with [`FAR`], or `None` if the maze is too large for the
    /// table.
    #[inline]
    fn turns_from(&self, cell: u32, frites: u8, beers: u8) -> Option<&[u16]> {
        let frites = usize::from(frites).min(self.jump_tables - 1);
        let layer = usize::from(beers).min(MOST_BEERS) * self.jump_tables + frites;
        self.turns.get((layer * self.cells + cell as usize) * self.row..)?.get(..self.row)
    }

    /// Returns the first step of a shortest path from `cell` to `item`, or `None` if there is no path or `cell` is the
    /// item's.
    #[inline]
    pub fn towards(&self, cell: u32, item: usize) -> Option<Direction> {
        Direction::ALL.get(usize::from(self.towards[item * self.cells + cell as usize])).copied()
    }

    /// Returns the first step of the shortest path from `cell` to `item` that `turning` prefers.
    #[inline]
    pub fn way(&self, cell: u32, item: usize, turning: Turning) -> Option<Direction> {
        let ways = &self.ways[turning as usize];
        if ways.is_empty() {
            return self.towards(cell, item);
        }
        Direction::ALL.get(usize::from(ways[item * self.cells + cell as usize])).copied()
    }

    /// Returns the number of frites above which distances do not change.
    #[inline]
    pub fn most_jumps(&self) -> usize {
        self.jump_tables - 1
    }
}

/// Writes one item's `table`, indexed by cell, into the item's column of `rows`.
fn enter(rows: &mut [u16], row: usize, item: usize, table: &[u16]) {
    for (entry, &turns) in rows.iter_mut().skip(item).step_by(row).zip(table) {
        *entry = turns;
    }
}
