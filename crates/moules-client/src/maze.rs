//! The maze prepared for planning: steps and jumps, items as bits, distances.

mod distances;
mod graph;
mod items;

use crate::rules::{Direction, Game, State};
use distances::Distances;
use graph::Graph;
use items::Items;

pub use graph::{FAR, NOWHERE, Turning};
pub use items::{Item, MAX_ITEMS, bits};

/// Maximum number of tabulated distances.
const MOST_DISTANCES: usize = 32 << 20;

/// Three steps with one beer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Walk {
    /// The last cell.
    pub end: u32,
    /// The items on the way, as bits.
    pub items: u64,
    /// The directions of up to three steps; `None` after the last.
    pub steps: [Option<Direction>; 3],
}

/// A maze and the items in it when it was prepared.
#[derive(Debug, Clone)]
pub struct Maze {
    graph: Graph,
    items: Items,
    distances: Distances,
    /// The index of each cell's first walk, and the number of its walks.
    walks: Vec<(u32, u32)>,
    walk_list: Vec<Walk>,
}

impl Maze {
    /// Prepares the maze of `game`. If it has more items than a plan considers, the nearest mussels are kept and then
    /// the items nearest to the mover.
    #[must_use]
    pub fn new(game: &Game) -> Self {
        Self::within(game, MOST_DISTANCES)
    }

    /// Like [`new`](Self::new), with at most `distances` tabulated distances, unless four items need more. Large mazes
    /// take long to prepare.
    #[must_use]
    pub fn within(game: &Game, distances: usize) -> Self {
        let distances = distances.min(MOST_DISTANCES);
        let graph = Graph::new(&game.state);
        let items = Items::new(game, &graph, (distances / graph.cells()).max(4));
        let walks = vec![(0, u32::MAX); graph.cells()];
        let distances = Distances::new(&graph, &items, distances);
        Self { graph, items, distances, walks, walk_list: Vec::new() }
    }

    /// Returns true if this is the maze of `state`: the same dunes, and enough of the items left are known.
    #[must_use]
    pub fn fits(&self, state: &State) -> bool {
        self.graph.fits(state) && self.items.fits(state)
    }

    /// Returns the known items that are still there, as bits.
    #[must_use]
    pub fn left(&self, state: &State) -> u64 {
        self.items.left(state)
    }

    /// Returns the number of cells, dunes included.
    #[must_use]
    pub fn cells(&self) -> usize {
        self.graph.cells()
    }

    /// Returns the known items. An item's index is its bit.
    #[must_use]
    pub fn items(&self) -> &[Item] {
        self.items.list()
    }

    /// Returns all mussels, as bits.
    #[inline]
    #[must_use]
    pub fn mussels(&self) -> u64 {
        self.items.mussels
    }

    /// Returns all frites, as bits.
    #[inline]
    #[must_use]
    pub fn frites(&self) -> u64 {
        self.items.frites
    }

    /// Returns all beers, as bits.
    #[inline]
    #[must_use]
    pub fn beers(&self) -> u64 {
        self.items.beers
    }

    /// Returns an item's points, 0 for bonuses.
    #[inline]
    #[must_use]
    pub fn points(&self, item: usize) -> u32 {
        self.items.points(item)
    }

    /// Returns the item in a cell as a bit, 0 for none.
    #[inline]
    #[must_use]
    pub fn bit(&self, cell: u32) -> u64 {
        self.items.bit(cell)
    }

    /// Returns the cell after a step, or [`NOWHERE`] if it is blocked.
    #[inline]
    #[must_use]
    pub fn step(&self, cell: u32, direction: Direction) -> u32 {
        self.graph.step(cell, direction)
    }

    /// Returns the cell after a jump, or [`NOWHERE`] if it is impossible.
    #[inline]
    #[must_use]
    pub fn jump(&self, cell: u32, direction: Direction) -> u32 {
        self.graph.jump(cell, direction)
    }

    /// Returns the turns from `cell` to `item` with at most `frites` frites (capped at three), or [`FAR`].
    #[inline]
    #[must_use]
    pub fn distance(&self, cell: u32, item: usize, frites: usize) -> u16 {
        self.distances.foot(cell, item, frites)
    }

    /// Returns the turns from `cell` to `item` with these frites and beers in hand (each capped at three).
    #[inline]
    #[must_use]
    pub fn turns(&self, cell: u32, item: usize, frites: u8, beers: u8) -> u16 {
        self.distances.turns(cell, item, frites, beers)
    }

    /// Returns the first step of the shortest path from `cell` to `item` that `turning` prefers.
    #[inline]
    #[must_use]
    pub fn way(&self, cell: u32, item: usize, turning: Turning) -> Option<Direction> {
        self.distances.way(cell, item, turning)
    }

    /// Returns the column and row of a cell.
    #[inline]
    #[must_use]
    pub fn coordinates(&self, cell: u32) -> (usize, usize) {
        self.graph.coordinates(cell)
    }

    /// Returns the number of frites above which [`distance`](Self::distance) does not change.
    #[inline]
    #[must_use]
    pub fn most_jumps(&self) -> usize {
        self.distances.most_jumps()
    }

    /// Returns the useful beer moves from `cell`, as indices for [`walk`](Self::walk): for each end cell and set of
    /// items the shortest, without those whose items are a subset of another's with the same end.
    pub fn walks(&mut self, cell: u32) -> std::ops::Range<u32> {
        let (start, count) = self.walks[cell as usize];
        if count != u32::MAX {
            return start..start + count;
        }
        let mut found: Vec<Walk> = Vec::new();
        let mut stack = vec![(Walk { end: cell, items: 0, steps: [None; 3] }, 0)];
        while let Some((walk, length)) = stack.pop() {
            if length >= 2 {
                found.push(walk);
            }
            if length == 3 {
                continue;
            }
            for direction in Direction::ALL {
                let end = self.step(walk.end, direction);
                if end != NOWHERE {
                    let mut steps = walk.steps;
                    steps[length] = Some(direction);
                    stack.push((Walk { end, items: walk.items | self.bit(end), steps }, length + 1));
                }
            }
        }
        let start = self.walk_list.len() as u32;
        for (index, walk) in found.iter().enumerate() {
            let beaten = found.iter().enumerate().any(|(other, better)| {
                let contains = better.end == walk.end && better.items & walk.items == walk.items;
                contains && (better.items != walk.items || other < index)
            });
            // A walk that returns to its start without an item is never worth a beer.
            if !beaten && (walk.end != cell || walk.items != 0) {
                self.walk_list.push(*walk);
            }
        }
        let end = self.walk_list.len() as u32;
        self.walks[cell as usize] = (start, end - start);
        start..end
    }

    /// Returns a walk of [`walks`](Self::walks).
    #[inline]
    #[must_use]
    pub fn walk(&self, index: u32) -> Walk {
        self.walk_list[index as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Cell, Move, Settings, Tile};
    use std::collections::{HashSet, VecDeque};

    fn game(seed: i64, dunes: u32) -> Game {
        let map = Settings { players: 4, dunes, maze_seed: seed, item_seed: seed, ..Settings::default() };
        Game::new(map.generate().unwrap(), None)
    }

    /// Returns the turns from `cell` to `to` by a search over the rules, to check the tables.
    fn searched(game: &Game, cell: Cell, to: u32, frites: u32, beers: u32) -> Option<u16> {
        let steps = || Direction::ALL.into_iter();
        let triples =
            || steps().flat_map(move |a| steps().flat_map(move |b| steps().map(move |c| [a, b, c])));
        let mut queue = VecDeque::from([(cell, frites, beers, 0)]);
        let mut seen = HashSet::new();
        while let Some((cell, frites, beers, turns)) = queue.pop_front() {
            if cell.0 == to {
                return Some(turns);
            }
            let mut actions: Vec<Move> = steps().map(Move::Step).collect();
            actions.extend(steps().filter(|_| frites > 0).map(Move::Jump));
            actions.extend(triples().filter(|_| beers > 0).map(|triple| Move::Beer(triple.map(Some))));
            for action in actions {
                let mut next = game.clone();
                next.state.tiles.iter_mut().filter(|tile| tile.is_item()).for_each(|tile| *tile = Tile::Sand);
                next.state.players[0] = cell;
                (next.purses[0].frites, next.purses[0].beers) = (frites, beers);
                next.act(0, action);
                let purse = next.purses[0];
                let there = (next.state.players[0], purse.frites, purse.beers);
                if seen.insert(there) {
                    queue.push_back((there.0, there.1, there.2, turns + 1));
                }
            }
        }
        None
    }

    #[test]
    fn turns_with_bonuses_in_hand_are_those_of_a_search_by_the_rules() {
        for (seed, dunes) in [(5, 50), (6, 15)] {
            let game = game(seed, dunes);
            let maze = Maze::new(&game);
            for (item, frites, beers) in [(0, 0, 0), (3, 1, 0), (5, 0, 1), (8, 2, 1)] {
                let from = game.state.players[item % 4];
                let to = maze.items()[item].cell;
                let expected = searched(&game, from, to, frites, beers).unwrap_or(FAR);
                let turns = maze.turns(from.0, item, frites as u8, beers as u8);
                assert_eq!(turns, expected, "seed {seed}, item {item}, {frites} frites, {beers} beers");
            }
        }
    }

    #[test]
    fn every_way_is_a_shortest_walk_and_turns_as_it_looks_through_the_maze() {
        let game = game(6, 15);
        let maze = Maze::new(&game);
        for item in 0..maze.items().len() {
            for from in game.state.players.iter() {
                for turning in [Turning::Columns, Turning::Rows] {
                    let (mut cell, mut steps) = (from.0, 0);
                    while let Some(direction) = maze.way(cell, item, turning) {
                        cell = maze.step(cell, direction);
                        steps += 1;
                    }
                    assert_eq!((cell, steps), (maze.items()[item].cell, maze.distance(from.0, item, 0)));
                }
            }
        }
        // In open space, to the south-east: the last steps go east by columns, and south by rows.
        let line = "5x5/D-D-D-D-D-D-S-S-S-D-D-S-S-S-D-D-S-S-10-D-D-D-D-D-D/1-1,1";
        let maze = Maze::new(&Game::new(line.parse().unwrap(), None));
        let ways = [Turning::Columns, Turning::Rows].map(|turning| maze.way(6, 0, turning));
        assert_eq!(ways, [Some(Direction::South), Some(Direction::East)]);
    }

    #[test]
    fn the_nearest_mussels_are_listed_however_many_bonuses_lie_nearer() {
        // Three frites, a beer, then three mussels. Five of the seven items are kept.
        let line = "11x3/D-D-D-D-D-D-D-D-D-D-D-D-S-F-F-F-B-10-20-30-S-D-D-D-D-D-D-D-D-D-D-D-D/1-1,1";
        let mut game = Game::new(line.parse().unwrap(), None);
        let looked_at = |game: &Game| Maze::within(game, 5 * game.state.tiles.len());
        let tiles = |maze: &Maze| maze.items().iter().map(|item| item.tile).collect::<Vec<_>>();
        let maze = looked_at(&game);
        let frites = [Tile::Frite; 3];
        assert_eq!(tiles(&maze), [&[Tile::Mussel(10), Tile::Mussel(20)], &frites[..]].concat());
        // Without the nearer mussel enough items are left. Without both kept mussels the maze must be prepared anew.
        game.state.tiles[11 + 6] = Tile::Sand;
        assert!(maze.fits(&game.state));
        game.state.tiles[11 + 7] = Tile::Sand;
        assert!(!maze.fits(&game.state));
        assert_eq!(tiles(&looked_at(&game)), [&[Tile::Mussel(30)], &frites[..], &[Tile::Beer]].concat());
    }

    #[test]
    fn a_maze_too_large_for_the_close_tables_has_the_plain_ones() {
        let game = game(5, 50);
        let maze = Maze::within(&game, 20_000);
        let place = game.state.players[0].0;
        assert_eq!(maze.way(place, 0, Turning::Rows), maze.distances.towards(place, 0));
        assert_eq!(maze.turns(place, 0, 0, 0), maze.distance(place, 0, 0));
        assert_eq!(maze.turns(place, 0, 0, 2) + 4, maze.distance(place, 0, 0));
    }
}
