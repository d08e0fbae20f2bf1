//! Limits the time spent on a program that hangs.
//!
//! Each hang is waited for to its limit, and a card has up to a hundred questions and games. After a few consecutive
//! hangs the rest of a criterion is not asked.

use crate::fault::{Fault, Kind};
use std::cell::Cell;

/// Number of consecutive hangs after which the rest of a criterion is not asked.
pub const MOST: u32 = 3;

/// The hangs of a program while it is marked.
#[derive(Debug, Clone, Default)]
pub struct Patience {
    in_a_row: Cell<u32>,
    has_answered: Cell<bool>,
}

impl Patience {
    /// Begins a criterion. If the last one ended because of hangs, a single question is asked, or none if no answer
    /// ever came.
    pub fn begin(&self) {
        if self.has_answered.get() {
            self.in_a_row.set(if self.is_over() { MOST - 1 } else { 0 });
        }
    }

    /// Forgets all since an earlier state.
    pub fn restore(&self, before: &Self) {
        self.in_a_row.set(before.in_a_row.get());
        self.has_answered.set(before.has_answered.get());
    }

    /// Records the end of a question or a game.
    pub fn hear(&self, hung: bool) {
        if hung {
            self.in_a_row.set(self.in_a_row.get() + 1);
        } else {
            self.in_a_row.set(0);
            self.has_answered.set(true);
        }
    }

    /// Returns true for a fault that takes the whole time limit.
    #[must_use]
    pub fn is_tried_by(fault: &Fault) -> bool {
        matches!(fault.kind, Kind::Hang | Kind::SlowStart)
    }

    /// Returns true once the rest of a criterion should not be asked.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.in_a_row.get() >= MOST
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_hangs_in_a_row_end_a_criterion_and_all_of_them_where_no_answer_came() {
        let patience = Patience::default();
        let asked = || {
            patience.begin();
            (0..10).take_while(|_| !patience.is_over()).map(|_| patience.hear(true)).count()
        };
        assert_eq!([asked(), asked()], [3, 0]);
        patience.hear(false);
        assert_eq!([asked(), asked(), asked()], [3, 1, 1]);
        patience.hear(false);
        assert_eq!(asked(), 3);
    }
}
