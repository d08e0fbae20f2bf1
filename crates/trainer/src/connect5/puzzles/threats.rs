//! Wins within a few moves, by the player's patterns.

use connect5_joueur::evaluation::Evaluation;
use connect5_joueur::patterns::Patterns;
use connect5_joueur::rules::{Cell, Position};
use search_core::Position as _;

/// The largest number of positions of a proof.
const MOST: u64 = 100_000;

/// A line of play.
type Line = Vec<Cell>;

/// A search for wins within a number of the attacker's own moves.
pub(super) struct Threats {
    position: Position,
    patterns: Patterns,
    nodes: u64,
}

impl Threats {
    pub fn new(position: &Position) -> Self {
        let patterns = Patterns::new(position, Evaluation::default().weights());
        Self { position: position.clone(), patterns, nodes: 0 }
    }

    /// Returns the mover's line of a win within `moves` of its own moves, if there is one. `None`: too many positions.
    pub fn wins(&mut self, moves: u32) -> Option<Option<Line>> {
        self.nodes += 1;
        if self.nodes > MOST {
            return None;
        }
        let attacker = self.position.mover();
        if let Some(five) = self.patterns.fives(attacker).first() {
            return Some(Some(vec![five]));
        }
        let threatened = self.patterns.fives(attacker.other());
        if moves < 2 || threatened.len() > 1 {
            return Some(None);
        }
        let forced = threatened.first();
        let fours: Vec<Cell> = self.patterns.fours(attacker).iter().collect();
        let cells: Vec<Cell> = match forced {
            Some(cell) => vec![cell],
            // A move that makes no four leaves too little time, unless two more follow the reply.
            None if moves < 3 => fours,
            None => {
                let quiet = super::free(&self.position).filter(|cell| !fours.contains(cell));
                fours.iter().copied().chain(quiet).collect()
            }
        };
        for cell in cells {
            let line = self.wins_by(cell, moves)?;
            if line.is_some() {
                return Some(line);
            }
        }
        Some(None)
    }

    /// Returns the cells with which the opponent would make five.
    pub fn fives_against(&self) -> Line {
        self.patterns.fives(self.position.mover().other()).iter().collect()
    }

    /// Like [`wins`](Self::wins), with `cell` as the first move.
    pub fn wins_by(&mut self, cell: Cell, moves: u32) -> Option<Option<Line>> {
        let attacker = self.position.mover();
        self.play(cell);
        let line = if self.position.outcome().is_some() {
            Some(self.patterns_show_five(cell).then(Vec::new))
        } else if !self.patterns.fives(attacker.other()).is_empty() {
            Some(None)
        } else {
            let fives: Vec<Cell> = self.patterns.fives(attacker).iter().collect();
            match fives.as_slice() {
                [first, second, ..] if moves >= 2 => Some(Some(vec![*first, *second])),
                [reply] if moves >= 2 => self.after(*reply, moves - 1),
                [] if moves >= 3 => self.against_all(moves - 1),
                _ => Some(None),
            }
        };
        self.undo(cell);
        let line = line?;
        Some(line.map(|rest| std::iter::once(cell).chain(rest).collect()))
    }

    /// Returns true if the stone just put on `cell` made five: the game is over, and not because the grid is full.
    fn patterns_show_five(&self, cell: Cell) -> bool {
        self.position.makes_five(cell, self.position.mover().other())
    }

    /// Returns the attacker's win after this reply of the defender, with the reply.
    fn after(&mut self, reply: Cell, moves: u32) -> Option<Option<Line>> {
        self.play(reply);
        let line = if self.position.outcome().is_some() { Some(None) } else { self.wins(moves) };
        self.undo(reply);
        let line = line?;
        Some(line.map(|rest| std::iter::once(reply).chain(rest).collect()))
    }

    /// Returns the attacker's longest win over all replies of the defender, or nothing if one of them holds.
    fn against_all(&mut self, moves: u32) -> Option<Option<Line>> {
        let defender = self.position.mover();
        let mut replies: Vec<Cell> = super::free(&self.position).collect();
        // Cells that are worth most to either side refute soonest.
        replies.sort_by_key(|&cell| std::cmp::Reverse(self.patterns.move_score(cell, defender)));
        let mut longest: Line = Vec::new();
        for reply in replies {
            match self.after(reply, moves)? {
                None => return Some(None),
                Some(line) if line.len() > longest.len() => longest = line,
                Some(_) => {}
            }
        }
        Some(Some(longest))
    }

    fn play(&mut self, cell: Cell) {
        self.position.play(cell);
        self.patterns.played(cell, &self.position);
    }

    fn undo(&mut self, cell: Cell) {
        self.patterns.undone();
        self.position.undo(cell, ());
    }
}
