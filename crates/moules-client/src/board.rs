//! The maze made ready for planning: neighbours, landings, items as bits, distances.

use crate::rules::{Cell, Direction, Game, State, Tile};
use bitvec::vec::BitVec;
use smallvec::SmallVec;
use std::collections::VecDeque;

/// No cell: a dune is in the way.
pub const NOWHERE: u32 = u32::MAX;
/// No direction: no walk leads there, or it is the place itself.
const NO_WALK: u8 = 4;
/// A distance that no walk has.
pub const FAR: u16 = u16::MAX;
/// Items that a plan looks at.
pub const MAX_ITEMS: usize = 64;
/// Frites with which distances are tabulated: 0 to 3.
const MOST_JUMPS: usize = 3;
/// Beers with which turns are tabulated: 0 to 3.
const MOST_BEERS: usize = 3;
/// Rows of distances are filled up to a multiple of so many items, so that they are compared so many at a time.
pub const LANES: usize = 8;
/// What a frite and a beer weigh beside a mussel's points.
const FRITE: f32 = 25.0;
const BEER: f32 = 35.0;
/// Distances tabulated at most.
const MOST_DISTANCES: usize = 32 << 20;

/// Which of equally short walks somebody takes: the neighbour that it came from, seen from the end, is the first one
/// in the order in which it looks through the maze.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Turning {
    /// Column by column.
    Columns,
    /// Row by row.
    Rows,
}

impl Turning {
    /// The directions back from the end of a walk, the preferred one first.
    fn back(self) -> [Direction; 4] {
        use Direction::{East, North, South, West};
        match self {
            Self::Columns => [West, East, North, South],
            Self::Rows => [North, West, East, South],
        }
    }
}

/// An item that a plan looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Item {
    /// Where it lies.
    pub cell: u32,
    /// What it is.
    pub tile: Tile,
}

/// A triple of steps with one beer: where it ends, what lies on the way, the steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Walk {
    /// The last cell.
    pub end: u32,
    /// The items on the way, as bits.
    pub items: u64,
    /// The steps.
    pub steps: [Option<Direction>; 3],
}

/// A maze and the items that were in it when the board was made.
#[derive(Debug, Clone)]
pub struct Board {
    width: usize,
    dunes: BitVec,
    steps: Vec<[u32; 4]>,
    jumps: Vec<[u32; 4]>,
    items: Vec<Item>,
    item_at: Vec<u8>,
    /// All mussels, as bits.
    pub mussels: u64,
    /// All frites, as bits.
    pub frites: u64,
    /// All beers, as bits.
    pub beers: u64,
    /// The items in the order of their cells.
    pub by_cell: Vec<u8>,
    /// What each item weighs for who weighs bonuses, too: a row.
    pub weights: Vec<f32>,
    complete: bool,
    jump_tables: usize,
    /// The length of a row: an entry an item, and some more.
    row: usize,
    /// Turns with 0, 1, … frites from each cell: a row of the turns to each item.
    distances: Vec<u16>,
    /// The same for so many beers, and so many frites, in hand; empty where the maze is too large.
    turns: Vec<u16>,
    /// For each item and cell the direction of a shortest walk, [`NO_WALK`] where none leads on.
    towards: Vec<u8>,
    /// The same for each [`Turning`]; empty where the maze is too large.
    ways: [Vec<u8>; 2],
    walks: Vec<(u32, u32)>,
    walk_list: Vec<Walk>,
}

impl Board {
    /// The board of `game`; where there are more items than a plan can look at, those nearest to the mover.
    pub fn new(game: &Game) -> Self {
        Self::within(game, MOST_DISTANCES)
    }

    /// The same with no more than so many distances, if four items do not need more: a large maze takes time.
    pub fn within(game: &Game, distances: usize) -> Self {
        let state = &game.state;
        let cells = state.tiles.len();
        let near = |cell: usize, distance: i32| {
            Direction::ALL.map(|direction| {
                let there = state.neighbour(Cell(cell as u32), direction, distance);
                there.filter(|&there| state.tile(there) != Tile::Dune).map_or(NOWHERE, |there| there.0)
            })
        };
        let free = |cell: usize| state.tiles[cell] != Tile::Dune;
        let table = |distance| {
            (0..cells).map(|cell| if free(cell) { near(cell, distance) } else { [NOWHERE; 4] }).collect()
        };
        let mut board = Self {
            width: state.width,
            dunes: state.tiles.iter().map(|&tile| tile == Tile::Dune).collect(),
            steps: table(1),
            jumps: table(2),
            items: Vec::new(),
            item_at: vec![u8::MAX; cells],
            mussels: 0,
            frites: 0,
            beers: 0,
            by_cell: Vec::new(),
            weights: Vec::new(),
            complete: true,
            jump_tables: 1 + MOST_JUMPS,
            row: 0,
            distances: Vec::new(),
            turns: Vec::new(),
            towards: Vec::new(),
            ways: [Vec::new(), Vec::new()],
            walks: vec![(0, u32::MAX); cells],
            walk_list: Vec::new(),
        };
        let distances = distances.min(MOST_DISTANCES);
        board.choose_items(game, distances);
        board.measure(distances);
        board.measure_closely(distances);
        board
    }

    /// Whether this is the board of `state`: the same maze, and the items left are those looked at, or enough of them.
    pub fn fits(&self, state: &State) -> bool {
        let same = self.width == state.width
            && self.dunes.len() == state.tiles.len()
            && state.tiles.iter().zip(&self.dunes).all(|(&tile, dune)| (tile == Tile::Dune) == *dune);
        let known =
            state.tiles.iter().enumerate().filter(|(_, tile)| tile.is_item()).all(|(cell, &tile)| match self
                .item_at
                .get(cell)
            {
                Some(&item) if usize::from(item) < self.items.len() => {
                    self.items[usize::from(item)].tile == tile
                }
                _ => !self.complete,
            });
        same && known && (self.complete || self.left(state).count_ones() as usize * 2 > self.items.len())
    }

    fn choose_items(&mut self, game: &Game, distances: usize) {
        let state = &game.state;
        let from = state.players[game.to_move()].0;
        let mut walked = vec![FAR; self.steps.len()];
        self.flood(from, 0, &mut walked, &mut []);
        let mut items: Vec<Item> = (0..)
            .zip(&state.tiles)
            .filter(|(_, tile)| tile.is_item())
            .map(|(cell, &tile)| Item { cell, tile })
            .collect();
        let most = MAX_ITEMS.min((distances / self.steps.len()).max(4));
        self.complete = items.len() <= most;
        if !self.complete {
            items.sort_by_key(|item| (walked[item.cell as usize], item.cell));
            items.truncate(most);
        }
        // Mussels first, so that their bits are the low ones.
        items.sort_by_key(|item| (!matches!(item.tile, Tile::Mussel(_)), item.cell));
        for (index, item) in items.iter().enumerate() {
            self.item_at[item.cell as usize] = index as u8;
            *match item.tile {
                Tile::Frite => &mut self.frites,
                Tile::Beer => &mut self.beers,
                _ => &mut self.mussels,
            } |= 1 << index;
        }
        self.row = items.len().next_multiple_of(LANES);
        self.weights = vec![0.0; self.row];
        for (weight, item) in self.weights.iter_mut().zip(&items) {
            *weight = match item.tile {
                Tile::Frite => FRITE,
                Tile::Beer => BEER,
                Tile::Mussel(points) => points as f32,
                _ => 0.0,
            };
        }
        self.by_cell = (0..items.len() as u8).collect();
        self.by_cell.sort_by_key(|&item| items[usize::from(item)].cell);
        self.items = items;
    }

    /// Writes `table`, which tells of one item for cell after cell, into that item's places in rows.
    fn enter(rows: &mut [u16], row: usize, item: usize, table: &[u16]) {
        for (entry, &turns) in rows.iter_mut().skip(item).step_by(row).zip(table) {
            *entry = turns;
        }
    }

    fn measure(&mut self, distances: usize) {
        let cells = self.steps.len();
        let walks = cells * self.items.len();
        self.jump_tables = (distances / walks.max(1)).clamp(1, 1 + MOST_JUMPS);
        let mut distances = vec![FAR; cells * self.row * self.jump_tables];
        let mut towards = vec![NO_WALK; cells * self.items.len()];
        let mut table = vec![FAR; cells * self.jump_tables];
        for ((index, item), towards) in self.items.iter().enumerate().zip(towards.chunks_mut(cells)) {
            table.fill(FAR);
            self.flood(item.cell, self.jump_tables - 1, &mut table, towards);
            Self::enter(&mut distances, self.row, index, &table);
        }
        self.distances = distances;
        self.towards = towards;
    }

    /// The tables of a maze that is not too large for them: turns with beers in hand, and each [`Turning`]'s ways.
    fn measure_closely(&mut self, distances: usize) {
        let cells = self.steps.len();
        if cells * cells <= 2 * distances {
            self.ways = [Turning::Columns, Turning::Rows].map(|turning| self.trace(turning));
        }
        let layers = self.jump_tables * (1 + MOST_BEERS);
        if cells * self.items.len() * layers <= distances {
            let reach: Vec<_> = (0..cells as u32).map(|cell| self.reach(cell)).collect();
            let mut turns = vec![FAR; cells * self.row * layers];
            let mut table = vec![FAR; cells * layers];
            for (index, item) in self.items.iter().enumerate() {
                table.fill(FAR);
                self.flood_with_beers(item.cell, &reach, &mut table);
                Self::enter(&mut turns, self.row, index, &table);
            }
            self.turns = turns;
        }
    }

    /// For each item and cell the first step of the way that `turning` prefers.
    fn trace(&self, turning: Turning) -> Vec<u8> {
        let cells = self.steps.len();
        let mut ways = vec![NO_WALK; cells * self.items.len()];
        let mut walked = vec![FAR; cells];
        for from in 0..cells {
            if self.steps[from].iter().all(|&to| to == NOWHERE) {
                continue;
            }
            walked.fill(FAR);
            self.flood(from as u32, 0, &mut walked, &mut []);
            for (index, item) in self.items.iter().enumerate() {
                if self.distance(from as u32, index, 0) == FAR {
                    continue;
                }
                // Back from the item, by the first neighbour that is a step nearer.
                let mut cell = item.cell;
                while cell as usize != from {
                    let near = walked[cell as usize] - 1;
                    let back = turning.back().into_iter().find(|&direction| {
                        let to = self.steps[cell as usize][direction as usize];
                        to != NOWHERE && walked[to as usize] == near
                    });
                    let Some(back) = back else { break };
                    cell = self.steps[cell as usize][back as usize];
                    ways[index * cells + from] = back.opposite() as u8;
                }
            }
        }
        ways
    }

    /// The cells that a beer leads to from `cell`.
    fn reach(&self, cell: u32) -> SmallVec<[u32; 24]> {
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

    /// Turns from each cell to `from` with at most so many frites and beers.
    fn flood_with_beers(&self, from: u32, reach: &[SmallVec<[u32; 24]>], table: &mut [u16]) {
        let cells = self.steps.len();
        let layer = |frites: usize, beers: usize| (beers * self.jump_tables + frites) * cells;
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
            for direction in 0..4 {
                let to = self.steps[cell as usize][direction];
                if to != NOWHERE {
                    go(to, frites, beers);
                }
                let to = self.jumps[cell as usize][direction];
                if to != NOWHERE && frites + 1 < self.jump_tables {
                    go(to, frites + 1, beers);
                }
            }
            if beers < MOST_BEERS {
                for &to in &reach[cell as usize] {
                    go(to, frites, beers + 1);
                }
            }
        }
        // With more in hand it is never farther.
        for beers in 0..=MOST_BEERS {
            for frites in 0..self.jump_tables {
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

    /// Turns from `from` to each cell with at most 0, 1, … `jumps` frites, one table after the other. Steps and
    /// jumps lead both ways, so these are the turns to `from` as well. `towards`, if it is not empty, takes the
    /// direction of a walk to `from`.
    fn flood(&self, from: u32, jumps: usize, table: &mut [u16], towards: &mut [u8]) {
        let cells = self.steps.len();
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
            for direction in 0..4 {
                let to = self.steps[cell as usize][direction];
                if reach(to, used)
                    && used == 0
                    && let Some(back) = towards.get_mut(to as usize)
                {
                    *back = Direction::ALL[direction].opposite() as u8;
                }
                if used < jumps {
                    reach(self.jumps[cell as usize][direction], used + 1);
                }
            }
        }
        // With more frites allowed it is never farther.
        for used in 1..=jumps {
            for cell in 0..cells {
                table[used * cells + cell] = table[used * cells + cell].min(table[(used - 1) * cells + cell]);
            }
        }
    }

    /// The items looked at that are still there, as bits.
    pub fn left(&self, state: &State) -> u64 {
        (0..)
            .zip(&self.items)
            .filter(|(_, item)| state.tiles[item.cell as usize] == item.tile)
            .fold(0, |left, (index, _): (u32, _)| left | 1 << index)
    }

    /// Cells of the maze, dunes among them.
    pub fn cells(&self) -> usize {
        self.steps.len()
    }

    /// The items looked at; their index is their bit.
    pub fn items(&self) -> &[Item] {
        &self.items
    }

    /// The points of an item; bonuses have none.
    pub fn points(&self, item: usize) -> u32 {
        match self.items[item].tile {
            Tile::Mussel(points) => points,
            _ => 0,
        }
    }

    /// The item in a cell, as a bit; 0 for none.
    #[inline]
    pub fn bit(&self, cell: u32) -> u64 {
        1u64.checked_shl(u32::from(self.item_at[cell as usize])).unwrap_or(0)
    }

    /// Where a step leads, [`NOWHERE`] if it is blocked.
    #[inline]
    pub fn step(&self, cell: u32, direction: Direction) -> u32 {
        self.steps[cell as usize][direction as usize]
    }

    /// Where a jump lands, [`NOWHERE`] if it cannot.
    #[inline]
    pub fn jump(&self, cell: u32, direction: Direction) -> u32 {
        self.jumps[cell as usize][direction as usize]
    }

    /// Turns from `cell` to `item` with at most `frites` frites (no more than three are looked at), or [`FAR`].
    #[inline]
    pub fn distance(&self, cell: u32, item: usize, frites: usize) -> u16 {
        self.distances_from(cell, frites)[item]
    }

    /// The same to all items: a row. What stands in it beyond the items is [`FAR`].
    #[inline]
    pub fn distances_from(&self, cell: u32, frites: usize) -> &[u16] {
        let at = frites.min(self.jump_tables - 1) * self.steps.len() + cell as usize;
        &self.distances[at * self.row..][..self.row]
    }

    /// Turns from `cell` to `item` with so many frites and beers in hand (no more than three of each are looked at).
    #[inline]
    pub fn turns(&self, cell: u32, item: usize, frites: u8, beers: u8) -> u16 {
        if self.turns.is_empty() {
            return match self.distance(cell, item, usize::from(frites)) {
                FAR => FAR,
                distance => distance - 2 * u16::from(beers).min(distance / 3),
            };
        }
        let frites = usize::from(frites).min(self.jump_tables - 1);
        let layer = usize::from(beers).min(MOST_BEERS) * self.jump_tables + frites;
        self.turns[(layer * self.steps.len() + cell as usize) * self.row + item]
    }

    /// The first step of a shortest walk from `cell` to `item`; none when there is no walk, and in the item's cell.
    #[inline]
    pub fn towards(&self, cell: u32, item: usize) -> Option<Direction> {
        Direction::ALL.get(usize::from(self.towards[item * self.steps.len() + cell as usize])).copied()
    }

    /// The first step of the shortest walk from `cell` to `item` that `turning` prefers.
    #[inline]
    pub fn way(&self, cell: u32, item: usize, turning: Turning) -> Option<Direction> {
        let ways = &self.ways[turning as usize];
        if ways.is_empty() {
            return self.towards(cell, item);
        }
        Direction::ALL.get(usize::from(ways[item * self.steps.len() + cell as usize])).copied()
    }

    /// Column and row of a cell.
    #[inline]
    pub fn coordinates(&self, cell: u32) -> (usize, usize) {
        (cell as usize % self.width, cell as usize / self.width)
    }

    /// The most frites with which [`distance`](Self::distance) tells a difference.
    #[inline]
    pub fn most_jumps(&self) -> usize {
        self.jump_tables - 1
    }

    /// The triples of steps from `cell` that are worth a beer, as indices for [`walk`](Self::walk): for each end and
    /// haul the shortest, and none whose haul another with the same end contains.
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
            // Back where it began with nothing in hand: never worth a beer.
            if !beaten && (walk.end != cell || walk.items != 0) {
                self.walk_list.push(*walk);
            }
        }
        let end = self.walk_list.len() as u32;
        self.walks[cell as usize] = (start, end - start);
        start..end
    }

    /// A triple of [`walks`](Self::walks).
    #[inline]
    pub fn walk(&self, index: u32) -> Walk {
        self.walk_list[index as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Move, Settings};
    use std::collections::{HashSet, VecDeque};

    fn game(seed: i64, dunes: u32) -> Game {
        let map = Settings { players: 4, dunes, maze_seed: seed, item_seed: seed, ..Settings::default() };
        Game::new(map.generate().unwrap(), None)
    }

    /// Turns from `cell` to the cell `to` by the rules, whatever lies on the way.
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
            let board = Board::new(&game);
            for (item, frites, beers) in [(0, 0, 0), (3, 1, 0), (5, 0, 1), (8, 2, 1)] {
                let from = game.state.players[item % 4];
                let to = board.items()[item].cell;
                let expected = searched(&game, from, to, frites, beers).unwrap_or(FAR);
                let turns = board.turns(from.0, item, frites as u8, beers as u8);
                assert_eq!(turns, expected, "seed {seed}, item {item}, {frites} frites, {beers} beers");
            }
        }
    }

    #[test]
    fn every_way_is_a_shortest_walk_and_turns_as_it_looks_through_the_maze() {
        let game = game(6, 15);
        let board = Board::new(&game);
        for item in 0..board.items().len() {
            for from in game.state.players.iter() {
                for turning in [Turning::Columns, Turning::Rows] {
                    let (mut cell, mut steps) = (from.0, 0);
                    while let Some(direction) = board.way(cell, item, turning) {
                        cell = board.step(cell, direction);
                        steps += 1;
                    }
                    assert_eq!((cell, steps), (board.items()[item].cell, board.distance(from.0, item, 0)));
                }
            }
        }
        // In the open, to the south-east: by columns the last steps go east, by rows they go south.
        let line = "5x5/D-D-D-D-D-D-S-S-S-D-D-S-S-S-D-D-S-S-10-D-D-D-D-D-D/1-1,1";
        let board = Board::new(&Game::new(line.parse().unwrap(), None));
        let ways = [Turning::Columns, Turning::Rows].map(|turning| board.way(6, 0, turning));
        assert_eq!(ways, [Some(Direction::South), Some(Direction::East)]);
    }

    #[test]
    fn a_maze_too_large_for_the_close_tables_has_the_plain_ones() {
        let game = game(5, 50);
        let board = Board::within(&game, 20_000);
        let place = game.state.players[0].0;
        assert_eq!(board.way(place, 0, Turning::Rows), board.towards(place, 0));
        assert_eq!(board.turns(place, 0, 0, 0), board.distance(place, 0, 0));
        assert_eq!(board.turns(place, 0, 0, 2) + 4, board.distance(place, 0, 0));
    }
}
