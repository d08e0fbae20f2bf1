//! The search for continuous threats beside the main one: from the root, where a win ends the search, and from behind
//! the best move so far, where a win of the other side's refutes it.

use super::heuristics::Search;
use super::margins::{BESIDE_SHARE, BESIDE_SLICE};
use super::vct::{VctSearch, VctWin};
use crate::rules::{Cell, Position};
use search_core::{Control, Position as _, Score, Searched, Stop};

/// The search for threats, with the position at the root.
pub(super) struct Beside<'a> {
    threats: &'a mut VctSearch,
    position: Position,
    /// The next slice begins after so many positions, and whether it is behind the best move.
    next: u64,
    behind: bool,
    /// The mover's win, once one is found.
    pub won: Option<VctWin>,
    /// Positions behind a move of the root's from which the other side wins, with its score there.
    refuted: Vec<(u64, Score)>,
}

impl<'a> Beside<'a> {
    /// `threats` begins from `position`.
    pub fn new(threats: &'a mut VctSearch, position: Position) -> Self {
        let next = BESIDE_SLICE;
        Self { threats, position, next, behind: false, won: None, refuted: Vec::new() }
    }

    /// The value of this node if it is known, after the slice that may be due.
    ///
    /// # Errors
    /// [`Stop`] when the control says so, or when the game is won.
    pub fn look(search: &mut Search<'_, '_>) -> Searched<Option<Score>> {
        let control = search.control;
        let Some(beside) = &mut search.heuristics.beside else { return Ok(None) };
        if control.nodes() >= beside.next {
            let best = search.table.probe(beside.position.key(), 0).and_then(|entry| entry.best);
            beside.slice(control, best)?;
        }
        if search.ply != 1 || beside.refuted.is_empty() {
            return Ok(None);
        }
        let key = search.position.key();
        Ok(beside.refuted.iter().find(|&&(refuted, _)| refuted == key).map(|&(_, score)| score))
    }

    fn slice(&mut self, control: &Control<'_>, best: Option<Cell>) -> Searched<()> {
        let before = control.nodes();
        self.behind = !self.behind;
        match best.filter(|&best| self.behind && self.position.is_legal(best)) {
            None => {
                self.won = self.threats.prove(&mut self.position, control, BESIDE_SLICE)?;
                if self.won.is_some() {
                    return Err(Stop);
                }
            }
            Some(best) => {
                let won = self.threats.prove_after(best, &mut self.position, control, BESIDE_SLICE)?;
                let key = self.position.key_after(best);
                self.refuted.extend(won.map(|plies| (key, Score::win_in(1 + plies))));
            }
        }
        self.next = control.nodes() + (control.nodes() - before) * (BESIDE_SHARE - 1);
        Ok(())
    }
}
