//! Wins within a few moves, by every cell and every reply: the audit's solver.
//!
//! It counts the stones in every five cells in a row, and knows the rule of exactly five; it has no patterns. A side
//! cannot win within `n` moves unless five cells in a row hold none of the other side's stones and all but `n` of its
//! own.

use super::free;
use connect5_joueur::rules::{Cell, Color, Position};
use search_core::Position as _;
use std::cmp::Reverse;
use std::collections::HashMap;

/// A position with its windows, and the positions settled so far.
pub(super) struct Plain {
    position: Position,
    /// All five cells in a row.
    windows: Vec<[Cell; 5]>,
    /// The windows through each cell.
    through: Vec<Vec<usize>>,
    /// The stones of each colour in each window.
    stones: Vec<[u8; 2]>,
    /// The number of windows by colour and its stones there, where the other colour has none.
    clear: [[u32; 6]; 2],
    /// By hash and number of moves: true if the mover wins within that number of its own moves.
    settled: HashMap<(u64, u32), bool>,
}

/// The directions of lines, in rows and columns.
const DIRECTIONS: [(isize, isize); 4] = [(0, 1), (1, 0), (1, 1), (1, -1)];

impl Plain {
    pub fn new(position: &Position) -> Self {
        let cells = position.cells().len();
        let mut plain = Self {
            position: position.clone(),
            windows: windows(position),
            through: vec![Vec::new(); cells],
            stones: Vec::new(),
            clear: [[0; 6]; 2],
            settled: HashMap::new(),
        };
        plain.stones = vec![[0; 2]; plain.windows.len()];
        plain.clear = [[plain.windows.len() as u32, 0, 0, 0, 0, 0]; 2];
        for (nth, window) in plain.windows.iter().enumerate() {
            window.iter().for_each(|cell| plain.through[cell.index()].push(nth));
        }
        for cell in position.cells() {
            if let Some(color) = position.stone(cell) {
                plain.count(cell, color, true);
            }
        }
        plain
    }

    /// Returns the first moves with which the mover wins within `moves` of its own moves, against every defence.
    pub fn winning(&mut self, moves: u32) -> Vec<Cell> {
        let cells: Vec<Cell> = free(&self.position).collect();
        cells.into_iter().filter(|&cell| self.wins_by(cell, moves)).collect()
    }

    /// Returns the moves after which the opponent makes no five at once.
    pub fn holding(&mut self) -> Vec<Cell> {
        let opponent = self.position.mover().other();
        let mut holding: Vec<Cell> = free(&self.position).collect();
        holding.retain(|&cell| {
            self.play(cell);
            let holds = self.fives(opponent).is_empty();
            self.undo(cell);
            holds
        });
        holding
    }

    /// Adds a stone to the windows, or removes it.
    fn count(&mut self, cell: Cell, color: Color, is_added: bool) {
        for &window in &self.through[cell.index()] {
            for sign in [false, true] {
                let [black, white] = self.stones[window].map(usize::from);
                for (color, own, other) in [(0, black, white), (1, white, black)] {
                    let number = &mut self.clear[color][own];
                    *number = if other > 0 {
                        *number
                    } else {
                        number.wrapping_add_signed(if sign { 1 } else { -1 })
                    };
                }
                if !sign {
                    let stones = &mut self.stones[window][color.index()];
                    *stones = if is_added { *stones + 1 } else { *stones - 1 };
                }
            }
        }
    }

    fn play(&mut self, cell: Cell) {
        self.count(cell, self.position.mover(), true);
        self.position.play(cell);
    }

    fn undo(&mut self, cell: Cell) {
        self.position.undo(cell, ());
        self.count(cell, self.position.mover(), false);
    }

    /// Returns the free cells of the windows where `color` has `stones` stones and the other side none.
    fn cells_of(&self, color: Color, stones: u8) -> Vec<Cell> {
        let mut cells = Vec::new();
        if self.clear[color.index()][usize::from(stones)] == 0 {
            return cells;
        }
        for (window, counts) in self.windows.iter().zip(&self.stones) {
            if counts[color.index()] == stones && counts[color.other().index()] == 0 {
                cells.extend(window.iter().copied().filter(|&cell| self.position.is_free(cell)));
            }
        }
        cells.sort_unstable();
        cells.dedup();
        cells
    }

    /// Returns the cells that complete exactly five for `color`.
    fn fives(&self, color: Color) -> Vec<Cell> {
        let mut cells = self.cells_of(color, 4);
        cells.retain(|&cell| self.position.makes_five(cell, color));
        cells
    }

    /// Returns false if `color` has too few stones in every clear window to win within `moves` moves.
    fn may_win(&self, color: Color, moves: u32) -> bool {
        let least = 5_u32.saturating_sub(moves) as usize;
        self.clear[color.index()][least..].iter().any(|&number| number > 0)
    }

    fn wins_by(&mut self, cell: Cell, moves: u32) -> bool {
        let attacker = self.position.mover();
        if self.position.makes_five(cell, attacker) {
            return true;
        }
        if moves < 2 {
            return false;
        }
        self.play(cell);
        let wins = self.position.outcome().is_none() && self.fives(attacker.other()).is_empty() && {
            match self.fives(attacker).as_slice() {
                [_, _, ..] => true,
                // Any other reply loses at once.
                &[reply] => moves > 2 && self.after(reply, moves - 1),
                [] => moves > 2 && self.may_win(attacker, moves - 1) && self.against_all(moves - 1),
            }
        };
        self.undo(cell);
        wins
    }

    /// Returns true if the attacker wins after every reply.
    fn against_all(&mut self, moves: u32) -> bool {
        let attacker = self.position.mover().other();
        let mut replies: Vec<Cell> = free(&self.position).collect();
        // Replies that stand in the way of many stones refute soonest.
        let stones = |cell: &Cell| {
            let clear = self.through[cell.index()].iter().map(|&window| self.stones[window]);
            let clear = clear.filter(|stones| stones[attacker.other().index()] == 0);
            clear.map(|stones| 1 << (3 * stones[attacker.index()])).sum::<u32>()
        };
        replies.sort_by_cached_key(|cell| Reverse(stones(cell)));
        replies.into_iter().all(|reply| self.after(reply, moves))
    }

    /// Returns true if the attacker wins after this reply.
    fn after(&mut self, reply: Cell, moves: u32) -> bool {
        self.play(reply);
        let wins = self.position.outcome().is_none() && self.wins(moves);
        self.undo(reply);
        wins
    }

    fn wins(&mut self, moves: u32) -> bool {
        let attacker = self.position.mover();
        if !self.may_win(attacker, moves) {
            return false;
        }
        if !self.fives(attacker).is_empty() {
            return true;
        }
        match self.fives(attacker.other()).as_slice() {
            [] if moves == 2 => {
                // The first of two moves must leave a single cell to fill.
                self.cells_of(attacker, 3).into_iter().any(|cell| self.wins_by(cell, 2))
            }
            [] => self.wins_by_any(moves),
            &[forced] => self.wins_by(forced, moves),
            _ => false,
        }
    }

    fn wins_by_any(&mut self, moves: u32) -> bool {
        let key = (self.position.key(), moves);
        if let Some(&known) = self.settled.get(&key) {
            return known;
        }
        let cells: Vec<Cell> = free(&self.position).collect();
        let wins = cells.into_iter().any(|cell| self.wins_by(cell, moves));
        self.settled.insert(key, wins);
        wins
    }
}

/// Returns all five cells in a row of the grid.
fn windows(position: &Position) -> Vec<[Cell; 5]> {
    let (rows, columns) = (position.geometry().rows(), position.geometry().columns());
    let window = |cell: Cell, (down, right): (isize, isize)| {
        let at = cell.coordinates(columns);
        let mut cells = [cell; 5];
        for (step, cell) in (0..).zip(&mut cells) {
            let row = at.row.checked_add_signed(step * down).filter(|&row| row < rows)?;
            let column = at.column.checked_add_signed(step * right).filter(|&column| column < columns)?;
            *cell = Cell::at(row, column, columns);
        }
        Some(cells)
    };
    let all = position.cells().flat_map(|cell| DIRECTIONS.map(|direction| window(cell, direction)));
    all.flatten().collect()
}
