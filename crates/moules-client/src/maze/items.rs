//! The items that plans consider, as bits of a word.

use super::graph::{FAR, Graph};
use crate::rules::{Game, State, Tile};

/// Maximum number of items that a plan considers.
pub const MAX_ITEMS: usize = 64;

/// An item that a plan considers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Item {
    /// The item's cell.
    pub cell: u32,
    /// The item's kind: a mussel with its points, a frite or a beer.
    pub tile: Tile,
}

impl Item {
    fn is_mussel(&self) -> bool {
        matches!(self.tile, Tile::Mussel(_))
    }
}

/// The items that were in a maze when it was prepared for planning.
#[derive(Debug, Clone)]
pub struct Items {
    list: Vec<Item>,
    at: Vec<u8>,
    /// All mussels, as bits.
    pub mussels: u64,
    /// All frites, as bits.
    pub frites: u64,
    /// All beers, as bits.
    pub beers: u64,
    complete: bool,
}

impl Items {
    /// Selects at most `most` items of `game`: half of the places go to the nearest mussels, the rest to the items
    /// nearest to the mover.
    pub fn new(game: &Game, graph: &Graph, most: usize) -> Self {
        let state = &game.state;
        let from = state.players[game.to_move()].0;
        let mut list: Vec<Item> = (0..)
            .zip(&state.tiles)
            .filter(|(_, tile)| tile.is_item())
            .map(|(cell, &tile)| Item { cell, tile })
            .collect();
        let most = most.min(MAX_ITEMS);
        let complete = list.len() <= most;
        if !complete {
            let mut walked = vec![FAR; graph.cells()];
            graph.flood(from, 0, &mut walked, &mut []);
            list.sort_by_key(|item| (walked[item.cell as usize], item.cell));
            // Reserved for mussels, however many bonuses are nearer.
            let mut places = most / 2;
            let (mut first, rest): (Vec<Item>, Vec<Item>) = list.into_iter().partition(|item| {
                let is_first = places > 0 && item.is_mussel();
                places -= usize::from(is_first);
                is_first
            });
            first.extend(rest);
            first.truncate(most);
            list = first;
        }
        // Mussels first, so that they have the low bits.
        list.sort_by_key(|item| (!item.is_mussel(), item.cell));
        let mut items =
            Self { list, at: vec![u8::MAX; graph.cells()], mussels: 0, frites: 0, beers: 0, complete };
        for (index, item) in items.list.iter().enumerate() {
            items.at[item.cell as usize] = index as u8;
            *match item.tile {
                Tile::Frite => &mut items.frites,
                Tile::Beer => &mut items.beers,
                _ => &mut items.mussels,
            } |= 1 << index;
        }
        items
    }

    /// Returns true if enough of the known items are left in `state`.
    pub fn fits(&self, state: &State) -> bool {
        let known =
            (0..).zip(&state.tiles).filter(|(_, tile)| tile.is_item()).all(|(cell, &tile)| {
                match self.list.get(usize::from(self.at.get(cell).copied().unwrap_or(u8::MAX))) {
                    Some(item) => item.tile == tile,
                    None => !self.complete,
                }
            });
        known && (self.complete || self.is_enough(self.left(state)))
    }

    /// Returns true if more than half of the items are `left`, at least one mussel among them.
    fn is_enough(&self, left: u64) -> bool {
        left & self.mussels != 0 && left.count_ones() as usize * 2 > self.list.len()
    }

    /// Returns the known items that are still there, as bits.
    pub fn left(&self, state: &State) -> u64 {
        (0..)
            .zip(&self.list)
            .filter(|(_, item)| state.tiles[item.cell as usize] == item.tile)
            .fold(0, |left, (index, _): (u32, _)| left | 1 << index)
    }

    /// Returns the items. An item's index is its bit.
    pub fn list(&self) -> &[Item] {
        &self.list
    }

    /// Returns an item's points, 0 for bonuses.
    pub fn points(&self, item: usize) -> u32 {
        match self.list[item].tile {
            Tile::Mussel(points) => points,
            _ => 0,
        }
    }

    /// Returns the item in a cell as a bit, 0 for none.
    #[inline]
    pub fn bit(&self, cell: u32) -> u64 {
        1u64.checked_shl(u32::from(self.at[cell as usize])).unwrap_or(0)
    }
}

/// Iterates over the items of a set, lowest bit first.
#[inline]
pub fn bits(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = (set != 0).then(|| set.trailing_zeros() as usize);
        set &= set.wrapping_sub(1);
        bit
    })
}
