//! The VCT search interleaved with alpha-beta: from the root, where a win ends the search, and after the best move so
//! far, where a win of the opponent refutes it.

use super::margins::{PROBE_SHARE, PROBE_SLICE};
use super::vct::{VctSearch, VctWin};
use crate::rules::{Cell, Position};
use search_core::{Control, Position as _, Score, Searched, Stop};

/// The interleaved VCT search, with the root position.
pub(super) struct VctProbe<'a> {
    threats: &'a mut VctSearch,
    position: Position,
    /// The node count at which the next slice begins, and whether the last slice searched after the best move.
    next: u64,
    after_best: bool,
    /// The mover's win, once found.
    pub won: Option<VctWin>,
    /// The keys of positions after a root move from which the opponent wins, with its score.
    refuted: Vec<(u64, Score)>,
}

impl<'a> VctProbe<'a> {
    /// Creates the search at `position`.
    pub fn new(threats: &'a mut VctSearch, position: Position) -> Self {
        let next = PROBE_SLICE;
        Self { threats, position, next, after_best: false, won: None, refuted: Vec::new() }
    }

    /// Runs a slice if one is due. `best` returns the best move so far for the key of the root.
    ///
    /// # Errors
    /// [`Stop`] if the control stops the search, or if a win is found.
    #[inline]
    pub fn poll(&mut self, control: &Control<'_>, best: impl FnOnce(u64) -> Option<Cell>) -> Searched<()> {
        if control.nodes() >= self.next {
            let best = best(self.position.key());
            self.slice(control, best)?;
        }
        Ok(())
    }

    /// Returns the score of a position after a root move from which the opponent is known to win.
    #[inline]
    pub fn refutation(&self, position: &Position) -> Option<Score> {
        if self.refuted.is_empty() {
            return None;
        }
        let key = position.key();
        self.refuted.iter().find(|&&(refuted, _)| refuted == key).map(|&(_, score)| score)
    }

    fn slice(&mut self, control: &Control<'_>, best: Option<Cell>) -> Searched<()> {
        let before = control.nodes();
        self.after_best = !self.after_best;
        match best.filter(|&best| self.after_best && self.position.is_legal(best)) {
            None => {
                self.won = self.threats.prove(&mut self.position, control, PROBE_SLICE)?;
                if self.won.is_some() {
                    return Err(Stop);
                }
            }
            Some(best) => {
                let won = self.threats.prove_after(best, &mut self.position, control, PROBE_SLICE)?;
                let key = self.position.key_after(best);
                self.refuted.extend(won.map(|plies| (key, Score::win_in(1 + plies))));
            }
        }
        self.next = control.nodes() + (control.nodes() - before) * (PROBE_SHARE - 1);
        Ok(())
    }
}
