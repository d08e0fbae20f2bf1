//! The tree's memory. A move drops most of the tree, whose nodes are then freed gradually.
//!
//! Making a child the root costs the same for trees of any size: the dropped blocks are only noted, and each allocation
//! of new children frees a few of them. No search waits for a tree to be freed.

use super::node::{Node, Place};
#[cfg(feature = "threads")]
use crate::memory::try_zeroed;
use std::ops::Range;

/// The nodes of a tree, up to a fixed number. The root has index 0, and the children of a node are adjacent.
#[derive(Debug)]
pub(super) struct Arena {
    pub nodes: Vec<Place>,
    pub blocks: Blocks,
}

/// The nodes of an arena that belong to a tree, and those that are free.
#[derive(Debug)]
pub(super) struct Blocks {
    /// The number of nodes that have been used: a part of those that the arena has.
    used: usize,
    most: usize,
    /// Blocks of children that no longer belong to the tree. Their own children do not either, but are not noted here
    /// yet.
    dropped: Vec<Range<usize>>,
    /// The number of nodes that are marked as free.
    free: usize,
    /// The index at which the next search for free nodes begins.
    cursor: usize,
    /// Nodes examined in vain since a block was last found.
    in_vain: usize,
    /// The number of threads that have dropped blocks of their own.
    lent: usize,
}

/// The answer to a request for a block of children.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Room {
    /// The index of the first child.
    At(usize),
    /// None was found yet. Ask again after a clock check.
    Later,
    /// The arena must get more nodes first.
    Short,
    /// No block of this size is left.
    Full,
}

/// Dropped blocks freed for each block allocated. Two, so that freeing outpaces growth.
const FREED: usize = 2;
/// Dropped blocks or nodes examined by one request when the arena has no fresh nodes left. They take less than a
/// millisecond.
const LOOKED_AT: usize = 4096;
/// The fresh nodes that the arena gets at once.
const GROWN: usize = 1024;

impl Arena {
    pub fn new(most: usize) -> Self {
        let blocks = Blocks { used: 0, most, dropped: Vec::new(), free: 0, cursor: 1, in_vain: 0, lent: 0 };
        Self { nodes: Vec::new(), blocks }
    }

    /// The number of nodes in use, including dropped nodes that are not freed yet.
    pub fn len(&self) -> usize {
        self.blocks.used - self.blocks.free
    }

    pub fn is_empty(&self) -> bool {
        self.blocks.used == 0
    }

    pub fn clear(&mut self) {
        self.nodes.clear();
        self.blocks.dropped.clear();
        let blocks = &mut self.blocks;
        (blocks.used, blocks.free, blocks.cursor, blocks.in_vain) = (0, 0, 1, 0);
    }

    /// Starts a tree. The arena must be empty.
    pub fn plant(&mut self, root: Node) {
        debug_assert!(self.is_empty(), "a tree has one root");
        self.nodes.push(Place::new(root));
        self.blocks.used = 1;
    }

    /// Makes a child of the root the root, with its subtree. Costs the same for trees of any size.
    pub fn make_root(&mut self, child: usize) {
        let block = self.nodes[0].get().children();
        let root = self.nodes[child].get();
        self.nodes[child].set(Node::FREE);
        self.nodes[0].set(root);
        self.blocks.free_dropped(&self.nodes, block);
    }

    /// Allocates a block for the children of a node.
    #[inline]
    pub fn room(&mut self, count: usize) -> Room {
        match self.blocks.room(&self.nodes, count) {
            Room::Short => {
                self.grow(count.max(GROWN), count);
                self.blocks.room(&self.nodes, count)
            }
            room => room,
        }
    }

    /// Adds all nodes that the arena may have, in memory that the system provides as it is used. False if it refuses.
    #[cfg(feature = "threads")]
    pub fn grow_to_most(&mut self) -> bool {
        if self.nodes.len() < self.blocks.most {
            let Some(nodes) = try_zeroed(self.blocks.most) else { return false };
            let old = std::mem::replace(&mut self.nodes, nodes);
            self.nodes.iter_mut().zip(old).for_each(|(place, node)| *place = node);
        }
        true
    }

    /// Adds some nodes, at least `least` and otherwise within the limit.
    #[cold]
    pub fn grow(&mut self, some: usize, least: usize) {
        let used = self.blocks.used;
        let len = (used + some).min(self.blocks.most).max(used + least);
        self.nodes.resize_with(len.max(self.nodes.len()), || Place::new(Node::TAKEN));
    }
}

impl Blocks {
    /// Allocates a block for the children of a node.
    pub fn room(&mut self, nodes: &[Place], count: usize) -> Room {
        // Without the root's children there is no answer, so they are allocated whatever the limit.
        let fits = self.used + count <= self.most || self.used == 1;
        if fits && self.used + count > nodes.len() {
            return Room::Short;
        }
        if let Some(first) = self.reuse(nodes, count, if fits { FREED } else { LOOKED_AT }) {
            return Room::At(first);
        }
        if fits {
            let first = self.used;
            (self.used, self.in_vain) = (first + count, 0);
            return Room::At(first);
        }
        // Nodes that a thread is about to use again look free.
        if !self.dropped.is_empty() || self.lent > 0 {
            return Room::Later;
        }
        self.look(nodes, count)
    }

    /// The nodes of one thread: none yet.
    #[cfg(feature = "threads")]
    pub fn part() -> Self {
        Self { used: 0, most: 0, dropped: Vec::new(), free: 0, cursor: 0, in_vain: 0, lent: 0 }
    }

    /// Allocates a block from the nodes of one thread, if they have one.
    #[cfg(feature = "threads")]
    pub fn own_room(&mut self, nodes: &[Place], count: usize) -> Option<usize> {
        self.reuse(nodes, count, FREED).or_else(|| {
            let first = self.used;
            (first + count <= self.most).then(|| self.used += count).map(|()| first)
        })
    }

    /// Gives `part` up to `some` fresh nodes in place of the few that it has left, and half of the dropped blocks if it has
    /// none. Without fresh nodes the part gives its dropped blocks back, so that all threads find them.
    #[cfg(feature = "threads")]
    pub fn lend(&mut self, part: &mut Self, nodes: &[Place], some: usize) {
        self.free_unused(part, nodes);
        part.used = self.used;
        self.used = (self.used + some).min(nodes.len()).min(self.most).max(self.used);
        part.most = self.used;
        if part.used == part.most {
            self.take_dropped(part);
        } else if part.dropped.is_empty() {
            self.lent += 1 - part.lent;
            part.lent = 1;
            part.dropped = self.dropped.split_off(self.dropped.len() / 2);
        }
    }

    /// Takes back what was lent to one thread and not used.
    #[cfg(feature = "threads")]
    pub fn take_back(&mut self, mut part: Self, nodes: &[Place]) {
        self.free_unused(&part, nodes);
        self.take_dropped(&mut part);
    }

    #[cfg(feature = "threads")]
    fn take_dropped(&mut self, part: &mut Self) {
        self.dropped.append(&mut part.dropped);
        self.free += std::mem::take(&mut part.free);
        self.lent -= std::mem::take(&mut part.lent);
        self.in_vain = 0;
    }

    /// Frees the fresh nodes of `part`.
    #[cfg(feature = "threads")]
    fn free_unused(&mut self, part: &Self, nodes: &[Place]) {
        nodes[part.used..part.most].iter().for_each(|place| place.store(Node::FREE));
        self.free += part.most - part.used;
        self.in_vain = 0;
    }

    /// Frees up to `some` dropped blocks, until one has room for `count` nodes, which it takes.
    #[inline]
    fn reuse(&mut self, nodes: &[Place], count: usize, some: usize) -> Option<usize> {
        for _ in 0..some {
            let block = self.dropped.pop()?;
            self.free_dropped(nodes, block.clone());
            if block.len() >= count {
                return Some(self.take(nodes, block.start, count));
            }
        }
        None
    }

    /// Frees a dropped block, and notes the children of its nodes as dropped.
    fn free_dropped(&mut self, nodes: &[Place], block: Range<usize>) {
        for index in block.clone() {
            let node = nodes[index].load();
            if node.is_expanded() {
                self.dropped.push(node.children());
            }
            nodes[index].store(Node::FREE);
        }
        self.free += block.len();
        self.in_vain = 0;
    }

    /// Takes `count` free nodes from `first`, which it returns. They no longer look free: their thread writes them later,
    /// when others may look for free nodes.
    fn take(&mut self, nodes: &[Place], first: usize, count: usize) -> usize {
        nodes[first..first + count].iter().for_each(Place::take);
        self.free -= count;
        self.in_vain = 0;
        first
    }

    /// Searches for adjacent free nodes, from where the last search ended.
    fn look(&mut self, nodes: &[Place], count: usize) -> Room {
        let mut run = 0;
        for _ in 0..LOOKED_AT {
            if self.free < count || self.in_vain > self.used {
                return Room::Full;
            }
            if self.cursor == self.used {
                (self.cursor, run) = (1, 0);
            }
            run = if nodes[self.cursor].is_free() { run + 1 } else { 0 };
            self.cursor += 1;
            self.in_vain += 1;
            if run == count {
                return Room::At(self.take(nodes, self.cursor - count, count));
            }
        }
        // A run that this search cut short is found by the next one.
        self.cursor -= run;
        Room::Later
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Threads write the nodes that they were given after others were given theirs.
    #[test]
    fn no_node_is_given_out_twice_before_it_is_written() {
        const MOST: usize = 1 + 40 * 5;
        let mut arena = Arena::new(MOST);
        arena.plant(Node::new(0, 1.0, 0.0));
        let mut blocks = Vec::new();
        for _ in 0..20 {
            let Room::At(first) = arena.room(5) else { panic!("there is room") };
            for place in &arena.nodes[first..first + 5] {
                place.store(Node::new(0, 1.0, 0.0));
            }
            blocks.push(first);
        }
        // The root has the first block, each of whose nodes has another: all but those of the fourth are dropped.
        arena.nodes[0].set_children(blocks[0] as u32, 5);
        for (child, &block) in blocks[1..=5].iter().enumerate() {
            arena.nodes[blocks[0] + child].set_children(block as u32, 5);
        }
        arena.make_root(blocks[0] + 3);
        assert_eq!(given_out(|| arena.room(3)), 99 + 5 * 3, "fresh nodes and dropped blocks");
    }

    /// The number of nodes that `room` gives out until it is full, in blocks of three, none of which is written. No node
    /// is given out twice.
    fn given_out(mut room: impl FnMut() -> Room) -> usize {
        let mut given = Vec::new();
        for _ in 0..1_000 {
            match room() {
                Room::At(first) => given.extend(first..first + 3),
                Room::Later => {}
                Room::Short | Room::Full => break,
            }
        }
        given.sort_unstable();
        let all = given.len();
        given.dedup();
        assert_eq!(given.len(), all);
        all
    }
}
