//! One depth-first walk for each level, written into buffers.

use super::digits::Digits;
use super::output::{Output, WRITE};
use crate::rules::{Boards, Cell, Integer, Side, State};
use search_core::Position;
use std::io::{self, Write};

/// A kernel adds and prints digits. `base` is always the digits of the position with last move 0.
pub(super) trait Kernel: Copy {
    /// The digits of `base` plus `side`'s symbol in a cell.
    fn plus(self, base: &Digits, side: Side, cell: usize) -> Digits;

    /// Writes the positions after `side` has moved in each cell of `empty` (nine bits) of a board, a space after each.
    /// Returns the bytes written. `out` must hold at least nine times [`ROOM`] bytes.
    fn children(self, base: &Digits, side: Side, board: usize, empty: u16, out: &mut [u8]) -> usize;
}

struct Walk<'a, K, W> {
    kernel: K,
    output: Output<'a, W>,
    used: usize,
}

pub(super) fn write<K: Kernel, W: Write>(
    root: Integer,
    state: &State,
    depth: u64,
    kernel: K,
    output: Output<'_, W>,
) -> io::Result<()> {
    let mut walk = Walk { kernel, output, used: 0 };
    let text = format!("{root} \n");
    walk.output.buffer()[..text.len()].copy_from_slice(text.as_bytes());
    walk.used = text.len();

    let base = Digits::of(root.with_last(0));
    // No game is longer than its cells, so a level without nodes comes soon, whatever the depth.
    for level in 1..=depth {
        if !walk.level(state, &base, level)? {
            break;
        }
        let used = walk.used;
        walk.output.buffer()[used] = b'\n';
        walk.used += 1;
    }
    walk.flush()
}

impl<K: Kernel, W: Write> Walk<'_, K, W> {
    /// Prints the positions `level` moves below `state`; returns whether there are any.
    fn level(&mut self, state: &State, base: &Digits, level: u64) -> io::Result<bool> {
        let side = state.mover();
        let mut any = false;
        for board in Boards(state.playable()) {
            let empty = state.empty(board);
            if level == 1 {
                let room = &mut self.output.buffer()[self.used..];
                self.used += self.kernel.children(base, side, board, empty, room);
                any = true;
                if self.used >= WRITE {
                    self.flush()?;
                }
                continue;
            }
            for within in Boards(empty) {
                let mut child = *state;
                let cell = Cell::at(board, within);
                child.play(cell);
                any |= self.level(&child, &self.kernel.plus(base, side, cell.index()), level - 1)?;
            }
        }
        Ok(any)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.output.send(self.used)?;
        self.used = 0;
        Ok(())
    }
}
