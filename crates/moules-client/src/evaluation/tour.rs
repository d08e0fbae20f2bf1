use super::{AgentState, POINT};
use crate::maze::{FAR, Maze, NOWHERE, bits};
use crate::rules::Direction;

/// The cost of a jump, in turns in addition to its own.
const FRITE: i32 = 3;
/// Turns that a beer in hand saves.
const BEER: i32 = 2;
/// The unit of the estimates: sixteenths of a turn.
const TURN: i32 = 16;

/// Memoised weights of the minimum spanning trees of mussel sets.
#[derive(Debug, Clone)]
pub struct Tours {
    cells: usize,
    /// Turns from each cell to each mussel with jumps at their cost, in fractions of a turn.
    priced: Vec<i32>,
    known: Vec<(u64, i32)>,
}

impl Tours {
    /// Creates an empty store. The distances are computed on first use.
    #[must_use]
    pub fn new(maze: &Maze) -> Self {
        Self { cells: maze.cells(), priced: Vec::new(), known: Vec::new() }
    }

    fn prepare(&mut self, maze: &Maze) {
        for item in bits(maze.mussels()) {
            self.priced.extend(flood(maze, maze.items()[item].cell));
        }
        self.known = vec![(u64::MAX, 0); 1 << 14];
    }

    fn distance(&self, cell: u32, item: usize) -> i32 {
        self.priced[item * self.cells + cell as usize]
    }

    /// Evaluates the plan: minus one hundred for every turn expected in all.
    pub fn estimate(&mut self, maze: &Maze, agent: &AgentState, turn: usize) -> i64 {
        let left = agent.left & maze.mussels();
        if self.known.is_empty() {
            self.prepare(maze);
        }
        let mut ahead = 0;
        if left != 0 {
            let nearest = bits(left).map(|item| self.distance(agent.cell, item)).min().unwrap_or(0);
            let tree = self.tree(maze, left);
            let saved = i32::from(agent.beers) * BEER + i32::from(agent.frites) * FRITE;
            ahead = (nearest + tree - saved * TURN).max(TURN * left.count_ones() as i32 / 3);
        }
        -(turn as i64 * POINT) - i64::from(ahead) * POINT / i64::from(TURN)
    }

    /// Returns the weight of the minimum spanning tree over the mussels of `left`, by Prim's algorithm.
    fn tree(&mut self, maze: &Maze, left: u64) -> i32 {
        let slot = (left.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 50) as usize;
        if self.known[slot].0 == left {
            return self.known[slot].1;
        }
        let mut outside: Vec<(usize, i32)> = bits(left).map(|item| (item, i32::MAX)).collect();
        let mut length = 0;
        let (mut last, _) = outside.swap_remove(0);
        while !outside.is_empty() {
            let cell = maze.items()[last].cell;
            for (item, distance) in &mut outside {
                *distance = (*distance).min(self.distance(cell, *item));
            }
            let nearest = (0..outside.len()).min_by_key(|&index| outside[index].1).unwrap_or(0);
            let (item, distance) = outside.swap_remove(nearest);
            length += distance;
            last = item;
        }
        self.known[slot] = (left, length);
        length
    }
}

/// Returns the distances from `from` by Dial's algorithm. A step costs a turn, a jump a turn and the cost of a frite.
fn flood(maze: &Maze, from: u32) -> Vec<i32> {
    let far = i32::from(FAR) * TURN;
    let mut turns = vec![far; maze.cells()];
    turns[from as usize] = 0;
    let jump = TURN + FRITE * TURN;
    // Edge costs are bounded, so a ring of buckets is enough.
    let mut ring: Vec<Vec<u32>> = vec![Vec::new(); jump as usize + 1];
    ring[0].push(from);
    let (mut now, mut waiting) = (0i32, 1);
    while waiting > 0 {
        let bucket = (now % (jump + 1)) as usize;
        while let Some(cell) = ring[bucket].pop() {
            waiting -= 1;
            if turns[cell as usize] != now {
                continue;
            }
            for direction in Direction::ALL {
                for (to, cost) in [(maze.step(cell, direction), TURN), (maze.jump(cell, direction), jump)] {
                    if to != NOWHERE && now + cost < turns[to as usize] {
                        turns[to as usize] = now + cost;
                        ring[((now + cost) % (jump + 1)) as usize].push(to);
                        waiting += 1;
                    }
                }
            }
        }
        now += 1;
    }
    turns
}
