//! Ultimate tic-tac-toe: one move wins, every other draws or loses, near the end of the game. Easy: one move wins
//! within three plies, or stops the opponent's win.
//!
//! The proof is the player's proof-number search, and a search of the length of the win; the audit goes through all
//! positions by the rules, and remembers the settled ones.

mod length;

use crate::puzzles::{Goal, Level, Proven, Solved, Source, image_of};
use anyhow::{Context, Result};
use length::Lengths;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use search_core::proof::Verdict;
use search_core::{Control, Limits, Outcome, Position as _, Stopwatch};
use std::collections::HashMap;
use std::ops::{Range, RangeInclusive};
use uttt::player::{Player, Settings, Solver};
use uttt::rules::{Boards, Cell, State};

/// The empty cells of a puzzle in boards that are still open.
const EMPTIES: RangeInclusive<u32> = 8..=22;
/// The last plies of a game that may be easy puzzles.
const LAST_EASY: usize = 14;
/// The lengths of an easy win in plies.
const EASY: [u32; 2] = [1, 3];
/// The least number of moves to choose from.
const CHOICE: usize = 3;
/// Random moves at the start of a game.
const OPENING: Range<usize> = 4..16;
/// One later move in this many is random.
const STRANGE: u32 = 10;
/// Nodes a move of self-play.
const NODES: u64 = 200;
/// The largest number of positions of a proof.
const PROOF: u64 = 300_000;
/// Memory of the solver and of the player in bytes.
const BYTES: usize = 32 << 20;

/// The puzzles of ultimate tic-tac-toe.
#[derive(Debug)]
pub(crate) struct Uttt {
    solver: Solver,
    lengths: Lengths,
    /// The lengths of wins that the audit has settled, by the hash of the position.
    settled: HashMap<u64, Settled>,
}

/// The plies within which the mover does not win, and those within which it does, if they are known.
#[derive(Debug, Clone, Copy, Default)]
struct Settled {
    fails: u32,
    wins: Option<u32>,
}

impl Default for Uttt {
    fn default() -> Self {
        Self { solver: Solver::new(BYTES), lengths: Lengths::default(), settled: HashMap::new() }
    }
}

impl Source for Uttt {
    type Position = State;

    const EASY_GOALS: usize = 3;

    fn game(&mut self, seed: u64, level: Level) -> Vec<(usize, State)> {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut player = Player::new(Settings { table_bytes: 8 << 20, seed, ..Settings::default() });
        let opening = random.random_range(OPENING);
        let mut state = State::start();
        let mut found = Vec::new();
        for ply in 0.. {
            if state.outcome().is_some() {
                let from = if level == Level::Easy { found.len().saturating_sub(LAST_EASY) } else { 0 };
                return found.split_off(from);
            }
            let moves = state.move_list();
            let is_late = level == Level::Easy || EMPTIES.contains(&empties(&state));
            if is_late && moves.len() >= CHOICE {
                found.push((ply, state));
            }
            let mv = if ply < opening || random.random_range(0..STRANGE) == 0 {
                moves[random.random_range(0..moves.len())]
            } else {
                let report = player.think(&state, Limits::nodes(NODES), &Stopwatch::start());
                report.best.expect("the game goes on")
            };
            state.play(mv);
        }
        found
    }

    fn prove(&mut self, state: &State, level: Level) -> Option<Proven> {
        self.lengths.forget();
        if level == Level::Easy {
            return self.prove_easy(state);
        }
        let clock = Stopwatch::start();
        let control = Control::new(Limits::nodes(10 * PROOF), &clock);
        control.arm();
        let solution = self.solver.outcome(state, PROOF, &control);
        if solution.win != Verdict::Yes {
            return None;
        }
        let mut winning = Vec::new();
        for mv in state.move_list() {
            let next = after(state, mv);
            match next.outcome() {
                // A win at once is easy.
                Some(Outcome::Loss) => return None,
                Some(_) => {}
                None => match self.solver.outcome(&next, PROOF, &control).draw {
                    Verdict::No => winning.push(mv),
                    Verdict::Yes => {}
                    Verdict::Unknown => return None,
                },
            }
        }
        let &[_] = winning.as_slice() else { return None };
        let plies = (3..).step_by(2).find(|&plies| self.lengths.wins(state, plies))?;
        Some(self.within(state, plies))
    }

    fn signature(&self, state: &State) -> String {
        let images = (0..8).map(|image| turned(state, image));
        images.min().expect("eight images").into_iter().map(char::from).collect()
    }

    fn answer(&mut self, state: &State, nodes: u64) -> (Option<String>, u64) {
        let mut player = Player::new(Settings { table_bytes: BYTES, ..Settings::default() });
        let report = player.think(state, Limits::nodes(nodes), &Stopwatch::start());
        (report.best.map(|mv| mv.to_string()), report.nodes)
    }

    fn write(&self, state: &State) -> String {
        format!("@{state}")
    }

    fn read(&self, text: &str) -> Result<State> {
        Ok(text.strip_prefix('@').context("no \"@\" before the integer")?.parse()?)
    }

    fn solve(&mut self, state: &State, goal: Goal) -> Solved {
        self.settled.clear();
        let mut reaching = |reaches: &mut dyn FnMut(&mut Self, &State) -> bool| {
            let moves = state.move_list().into_iter().filter(|&mv| reaches(self, &after(state, mv)));
            moves.map(|mv| mv.to_string()).collect::<Vec<_>>()
        };
        match goal {
            // A win that is proven to need this number of plies is the only one: no other move wins later.
            Goal::WinWithin(plies) => {
                let sooner = plies > 2 && !reaching(&mut |uttt, next| uttt.loses(next, plies - 3)).is_empty();
                let most = if plies > EASY[EASY.len() - 1] { u32::MAX } else { plies - 1 };
                let moves = reaching(&mut |uttt, next| uttt.loses(next, most));
                let in_time = reaching(&mut |uttt, next| uttt.loses(next, plies - 1));
                Solved { moves, is_surpassed: sooner || in_time.is_empty() }
            }
            Goal::Hold => {
                let moves = reaching(&mut |_, next| holds(next));
                let is_surpassed = !reaching(&mut |uttt, next| uttt.loses(next, 0)).is_empty();
                Solved { moves, is_surpassed }
            }
            _ => Solved { moves: Vec::new(), is_surpassed: false },
        }
    }
}

impl Uttt {
    /// Proves an easy win, or the only move after which the opponent cannot win at once.
    fn prove_easy(&mut self, state: &State) -> Option<Proven> {
        let moves = state.move_list();
        for plies in EASY {
            let winning =
                moves.iter().filter(|&&mv| self.lengths.loses(&after(state, mv), plies - 1)).count();
            match winning {
                0 => {}
                1 => return Some(self.within(state, plies)),
                _ => return None,
            }
        }
        let holding: Vec<&Cell> =
            moves.iter().filter(|&&mv| !self.lengths.wins(&after(state, mv), 1)).collect();
        let &[mv] = holding.as_slice() else { return None };
        Some(Proven { goal: Goal::Hold, line: vec![mv.to_string()] })
    }

    /// Returns the proof of a win that takes this number of plies.
    fn within(&mut self, state: &State, plies: u32) -> Proven {
        let line = self.lengths.line(state, plies);
        Proven { goal: Goal::WinWithin(plies), line: line.iter().map(Cell::to_string).collect() }
    }

    /// Returns true if the mover wins within `plies`, by all its moves and all replies.
    fn wins(&mut self, state: &State, plies: u32) -> bool {
        // A win takes an odd number of plies.
        let plies = if plies == u32::MAX || plies % 2 == 1 { plies } else { plies.saturating_sub(1) };
        let known = match state.outcome() {
            Some(outcome) => return outcome == Outcome::Win,
            None if plies == 0 => return false,
            None => self.settled.get(&state.key()).copied().unwrap_or_default(),
        };
        if plies <= known.fails || known.wins.is_some_and(|within| plies >= within) {
            return plies > known.fails;
        }
        let wins = narrowest(state).into_iter().any(|next| self.loses(&next, less(plies)));
        let settled =
            if wins { Settled { wins: Some(plies), ..known } } else { Settled { fails: plies, ..known } };
        self.settled.insert(state.key(), settled);
        wins
    }

    /// Returns true if the mover loses within `plies`, whatever it plays.
    fn loses(&mut self, state: &State, plies: u32) -> bool {
        match state.outcome() {
            Some(outcome) => outcome == Outcome::Loss,
            None if plies == 0 => false,
            None => narrowest(state).into_iter().all(|next| self.wins(&next, less(plies))),
        }
    }
}

/// Returns the positions after all moves, those that leave the opponent the fewest moves first. Few replies are settled
/// soonest.
fn narrowest(state: &State) -> Vec<State> {
    let mut next: Vec<State> = state.move_list().into_iter().map(|mv| after(state, mv)).collect();
    next.sort_by_cached_key(|next| if next.outcome().is_some() { 0 } else { next.move_list().len() });
    next
}

/// Returns one ply less; `u32::MAX` is no limit.
fn less(plies: u32) -> u32 {
    if plies == u32::MAX { plies } else { plies - 1 }
}

/// Returns true if no move of `state` wins at once.
fn holds(state: &State) -> bool {
    !state.move_list().into_iter().any(|mv| after(state, mv).outcome() == Some(Outcome::Loss))
}

fn after(state: &State, mv: Cell) -> State {
    let mut next = *state;
    next.play(mv);
    next
}

/// Returns the number of empty cells in open boards.
fn empties(state: &State) -> u32 {
    Boards(0b1_1111_1111 & !state.closed()).map(|board| state.empty(board).count_ones()).sum()
}

/// Returns the cells of a symmetric image as letters, the mover's as `m`, and the board to play in.
fn turned(state: &State, image: u32) -> Vec<u8> {
    let turn = |place: usize| image_of(place, 3, image);
    let mut cells = vec![b'-'; Cell::COUNT];
    for cell in (0..Cell::COUNT).filter_map(Cell::new) {
        if let Some(side) = state.at(cell) {
            let at = Cell::at(turn(cell.board()), turn(cell.within()));
            cells[at.index()] = if side == state.mover() { b'm' } else { b'o' };
        }
    }
    cells.push(state.forced().map_or(b'9', |board| b'0' + turn(board) as u8));
    cells
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns true if the mover wins within `plies`, without memory.
    fn plainly_wins(state: &State, plies: u32) -> bool {
        let loses = |next: State| match next.outcome() {
            Some(outcome) => outcome == Outcome::Loss,
            None => {
                plies > 2 && next.move_list().iter().all(|&mv| plainly_wins(&after(&next, mv), plies - 2))
            }
        };
        plies > 0 && state.move_list().into_iter().any(|mv| loses(after(state, mv)))
    }

    #[test]
    fn the_audit_knows_the_length_of_a_win_whatever_it_was_asked_before() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(5);
        let (mut won, mut lost) = (0, 0);
        for _ in 0..60 {
            let mut state = State::start();
            let length = random.random_range(40..64);
            while state.outcome().is_none() && state.move_list().len() > 1 && empties(&state) > 64 - length {
                let moves = state.move_list();
                state.play(moves[random.random_range(0..moves.len())]);
            }
            if state.outcome().is_some() || empties(&state) > 10 {
                continue;
            }
            let mut source = Uttt::default();
            for plies in [5, 1, u32::MAX, 3, 6, 2, 7, 4] {
                let wins = source.wins(&state, plies);
                assert_eq!(wins, plainly_wins(&state, plies.min(82)), "@{state} within {plies}");
                if wins { won += 1 } else { lost += 1 }
            }
        }
        assert!(won > 20 && lost > 20, "{won} {lost}");
    }

    #[test]
    fn symmetric_positions_have_one_signature() {
        let source = Uttt::default();
        let next = |cell| source.signature(&after(&State::start(), Cell::new(cell).unwrap()));
        // The corners of the corner boards, and a corner and an edge.
        assert_eq!(next(0), next(80));
        assert_ne!(next(0), next(1));
    }
}
