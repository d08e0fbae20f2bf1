//! Marking schemes as report cards: criteria, cards, and the means to mark a program.
//!
//! Criteria that a course marks by reading (clarity, comments, a report) are listed and left to their reader.

mod card;
mod marker;
mod patience;

pub use card::{BUILD, Card, Criterion, Item, Remarks, STARTED, visible};
pub use marker::{ALONE, Gauntlet, Marker, Once};
pub use patience::Patience;

use crate::assignment::Phrase;
use crate::fault::{Fault, Trouble};
use crate::player::Player;
use crate::record::Record;
use crate::results::{Line, Tally};
use std::collections::BTreeMap;
use std::time::Instant;

/// The marking scheme of an assignment.
pub trait MarkingScheme: Sync {
    /// The criteria, in the order of the card.
    ///
    /// # Errors
    /// When no game can be held.
    fn scheme(&self, marker: &Marker<'_>) -> Result<Vec<Criterion>, Trouble>;

    /// Marks the program.
    ///
    /// # Errors
    /// When a process cannot be started or no game can be held.
    fn card(&self, marker: &Marker<'_>) -> Result<Card, Trouble>;

    /// Returns the phrases of its criteria and notes, each with the French one.
    fn phrases(&self) -> &'static [Phrase] {
        &[]
    }
}

/// Plays games for a scheme.
pub trait Games {
    /// The player against everybody else, from every seat. After too many hangs in a row the rest is not played: those
    /// games are recorded as lost.
    ///
    /// # Errors
    /// When no game can be held.
    fn gauntlet(&self, marker: &Marker<'_>, gauntlet: &Gauntlet<'_>) -> Result<Results, Trouble>;

    /// Returns true if what the clock decided since `began` is void and will be repeated, because this program was stopped.
    ///
    /// # Errors
    /// After too many repetitions, or if a player ended the stop.
    fn is_void(&self, what: &str, began: Instant, replays: &mut u32) -> Result<bool, Trouble>;

    /// The number of games that one opening gives, the marked player being one of `players` at `seats` a game.
    ///
    /// # Errors
    /// When there are fewer players than seats.
    fn games_an_opening(&self, players: usize, seats: usize) -> Result<u64, Trouble>;
}

/// The games of a gauntlet, added up.
#[derive(Debug, Clone)]
pub struct Results {
    /// The players, the marked one first.
    pub players: Vec<Player>,
    /// The games; those that were skipped because of hangs come last.
    pub records: Vec<Record>,
    /// The results of each player, by its number.
    pub lines: Vec<Line>,
    /// The marked player's games against each of the others that it met, by number.
    pub duels: BTreeMap<usize, Tally>,
    /// Players from the best to the worst.
    pub order: Vec<usize>,
}

impl Results {
    /// The marked player's share of the points, with a note on each opponent and on its faults.
    #[must_use]
    pub fn share(&self) -> (f64, Vec<String>) {
        let mut notes = Vec::new();
        for (other, tally) in &self.duels {
            notes.push(format!(
                "against {}: {} won, {} drawn, {} lost",
                self.players[*other].name, tally.wins, tally.draws, tally.losses
            ));
        }
        let line = &self.lines[0];
        notes.extend(complaints(&self.records));
        (line.points / line.games.max(1) as f64, notes)
    }
}

/// Returns a built-in opponent.
///
/// # Panics
/// Where no built-in player has this name.
#[must_use]
pub fn builtin(name: &str) -> Player {
    format!("builtin:{name}").parse().expect("a built-in player")
}

/// Returns each fault of the player once, with the first game where it occurred. Faults that differ only in their
/// figures, such as the time of a late move, are one.
#[must_use]
pub fn complaints(records: &[Record]) -> Vec<String> {
    let mut seen: Vec<(String, String, u64, u64)> = Vec::new();
    for record in records {
        // What the sandbox refused stands in the card's head.
        let is_own = |(seat, fault): &(usize, Fault)| record.seats[*seat] == 0 && !fault.kind.is_refusal();
        for (_, fault) in record.played.complaints().filter(is_own) {
            let text = fault.to_string();
            let key: String = text.chars().filter(|c| !c.is_ascii_digit()).collect();
            match seen.iter_mut().find(|(of, ..)| *of == key) {
                Some((.., count)) => *count += 1,
                None => seen.push((key, text, record.game, 1)),
            }
        }
    }
    const MOST: usize = 12;
    let more = seen.len().checked_sub(MOST + 1).map(|more| format!("{} more faults", more + 1));
    let shown = seen.into_iter().take(MOST);
    shown.map(|(_, text, game, count)| format!("{count} × {text} (game {})", game + 1)).chain(more).collect()
}
