//! The tree's memory. A move drops most of the tree, whose nodes are then freed gradually.
//!
//! Making a child the root costs the same for trees of any size: the dropped blocks are only noted, and each allocation
//! of new children frees a few of them. No search waits for a tree to be freed.

use super::node::Node;
use std::ops::{Index, IndexMut, Range};

/// The nodes of a tree, up to a fixed number. The root has index 0, and the children of a node are adjacent.
#[derive(Debug)]
pub(super) struct Arena {
    nodes: Vec<Node>,
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
}

/// The answer to a request for a block of children.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Room {
    /// The index of the first child.
    At(usize),
    /// None was found yet. Ask again after a clock check.
    Later,
    /// No block of this size is left.
    Full,
}

/// Dropped blocks freed for each block allocated. Two, so that freeing outpaces growth.
const FREED: usize = 2;
/// Dropped blocks or nodes examined by one request when the arena has no fresh nodes left. They take less than a
/// millisecond.
const LOOKED_AT: usize = 4096;

impl Arena {
    pub fn new(most: usize) -> Self {
        Self { nodes: Vec::new(), most, dropped: Vec::new(), free: 0, cursor: 1, in_vain: 0 }
    }

    /// The number of nodes in use, including dropped nodes that are not freed yet.
    pub fn len(&self) -> usize {
        self.nodes.len() - self.free
    }

    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    pub fn clear(&mut self) {
        self.nodes.clear();
        self.dropped.clear();
        (self.free, self.cursor, self.in_vain) = (0, 1, 0);
    }

    /// Starts a tree. The arena must be empty.
    pub fn plant(&mut self, root: Node) {
        debug_assert!(self.nodes.is_empty(), "a tree has one root");
        self.nodes.push(root);
    }

    /// Makes a child of the root the root, with its subtree. Costs the same for trees of any size.
    pub fn make_root(&mut self, child: usize) {
        let block = self.nodes[0].children();
        self.nodes[0] = std::mem::replace(&mut self.nodes[child], Node::FREE);
        self.free_dropped(block);
    }

    /// Allocates a block for the children of a node.
    pub fn room(&mut self, count: usize) -> Room {
        // Without the root's children there is no answer, so they are allocated whatever the limit.
        let fits = self.nodes.len() + count <= self.most || self.nodes.len() == 1;
        for _ in 0..if fits { FREED } else { LOOKED_AT } {
            let Some(block) = self.dropped.pop() else { break };
            self.free_dropped(block.clone());
            if block.len() >= count {
                return self.taken(block.start, count);
            }
        }
        if fits {
            let first = self.nodes.len();
            self.nodes.resize(first + count, Node::FREE);
            self.free += count;
            return self.taken(first, count);
        }
        if !self.dropped.is_empty() {
            return Room::Later;
        }
        self.look(count)
    }

    /// Frees a dropped block, and notes the children of its nodes as dropped.
    fn free_dropped(&mut self, block: Range<usize>) {
        for index in block.clone() {
            if self.nodes[index].is_expanded() {
                self.dropped.push(self.nodes[index].children());
            }
        }
        self.mark_free(block);
    }

    fn mark_free(&mut self, block: Range<usize>) {
        self.free += block.len();
        self.in_vain = 0;
        self.nodes[block].fill(Node::FREE);
    }

    fn taken(&mut self, first: usize, count: usize) -> Room {
        self.free -= count;
        self.in_vain = 0;
        Room::At(first)
    }

    /// Searches for adjacent free nodes, from where the last search ended.
    fn look(&mut self, count: usize) -> Room {
        let mut run = 0;
        for _ in 0..LOOKED_AT {
            if self.free < count || self.in_vain > self.nodes.len() {
                return Room::Full;
            }
            if self.cursor == self.nodes.len() {
                (self.cursor, run) = (1, 0);
            }
            run = if self.nodes[self.cursor].is_free() { run + 1 } else { 0 };
            self.cursor += 1;
            self.in_vain += 1;
            if run == count {
                return self.taken(self.cursor - count, count);
            }
        }
        // A run that this search cut short is found by the next one.
        self.cursor -= run;
        Room::Later
    }
}

impl<I: std::slice::SliceIndex<[Node]>> Index<I> for Arena {
    type Output = I::Output;

    #[inline]
    fn index(&self, index: I) -> &I::Output {
        &self.nodes[index]
    }
}

impl<I: std::slice::SliceIndex<[Node]>> IndexMut<I> for Arena {
    #[inline]
    fn index_mut(&mut self, index: I) -> &mut I::Output {
        &mut self.nodes[index]
    }
}
