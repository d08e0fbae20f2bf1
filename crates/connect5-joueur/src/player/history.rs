//! What moves did well elsewhere in the tree.

use crate::rules::{Cell, Color};

/// Whether a move makes a threat: what does well as an attack need not do well as a quiet move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Manner {
    Attack,
    Quiet,
}

/// Counts for every colour, cell and manner, and the reply that last refuted each move.
#[derive(Debug)]
pub(super) struct History {
    /// For each cell, the counts of both colours in both manners.
    counts: Vec<[[i16; 2]; 2]>,
    /// For each colour and cell, the other side's reply.
    replies: Vec<[Option<Cell>; 2]>,
}

/// The greatest count.
const LIMIT: i32 = 10_000;

impl History {
    pub fn new(cells: usize) -> Self {
        Self { counts: vec![[[0; 2]; 2]; cells], replies: vec![[None; 2]; cells] }
    }

    #[inline]
    pub fn count(&self, color: Color, cell: Cell, manner: Manner) -> i32 {
        i32::from(self.counts[cell.index()][color.index()][manner as usize])
    }

    /// Pulled towards zero in proportion, so that it never leaves its limits and follows what is true now.
    #[inline]
    pub fn reward(&mut self, color: Color, cell: Cell, manner: Manner, bonus: i32) {
        let count = &mut self.counts[cell.index()][color.index()][manner as usize];
        let old = i32::from(*count);
        *count = (old + bonus - old * bonus.abs() / LIMIT) as i16;
    }

    /// The reply that last refuted `color`'s move on `cell`.
    #[inline]
    pub fn reply(&self, color: Color, cell: Cell) -> Option<Cell> {
        self.replies[cell.index()][color.index()]
    }

    #[inline]
    pub fn note_reply(&mut self, color: Color, cell: Cell, reply: Cell) {
        self.replies[cell.index()][color.index()] = Some(reply);
    }

    /// What a cut at this depth, in hundredths of a ply, is worth.
    #[inline]
    pub fn bonus(depth: i32) -> i32 {
        let depth = depth.clamp(100, 2_000);
        (depth * depth / 400 + depth - 150).min(8_000)
    }
}
