//! Ultimate tic-tac-toe: one move wins, every other draws or loses, near the end of the game.
//!
//! The proof is the player's proof-number search; the audit goes through all positions by the rules, and remembers the
//! settled ones.

use crate::puzzles::{Goal, Proven, Solved, Source, image_of};
use anyhow::{Context, Result};
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
    /// The positions that the audit has settled, by hash: true if the mover wins.
    settled: HashMap<u64, bool>,
}

impl Default for Uttt {
    fn default() -> Self {
        Self { solver: Solver::new(BYTES), settled: HashMap::new() }
    }
}

impl Source for Uttt {
    type Position = State;

    fn game(&mut self, seed: u64) -> Vec<(usize, State)> {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut player = Player::new(Settings { table_bytes: 8 << 20, seed, ..Settings::default() });
        let opening = random.random_range(OPENING);
        let mut state = State::start();
        let mut found = Vec::new();
        for ply in 0.. {
            if state.outcome().is_some() {
                return found;
            }
            let moves = state.move_list();
            if EMPTIES.contains(&empties(&state)) && moves.len() >= CHOICE {
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

    fn prove(&mut self, state: &State) -> Option<Proven> {
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
                // A win at once is no puzzle.
                Some(Outcome::Loss) => return None,
                Some(_) => {}
                None => match self.solver.outcome(&next, PROOF, &control).draw {
                    Verdict::No => winning.push(mv),
                    Verdict::Yes => {}
                    Verdict::Unknown => return None,
                },
            }
        }
        let &[best] = winning.as_slice() else { return None };
        let line = self.solver.line(state, solution, &control).line;
        let line = if line.first() == Some(&best) { line.to_vec() } else { vec![best] };
        Some(Proven { goal: Goal::Win, line: line.iter().map(Cell::to_string).collect() })
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

    fn solve(&mut self, state: &State, _: Goal) -> Solved {
        self.settled.clear();
        let moves = state.move_list().into_iter().filter(|&mv| self.loses(&after(state, mv)));
        let moves: Vec<String> = moves.map(|mv| mv.to_string()).collect();
        Solved { moves, is_surpassed: false }
    }
}

impl Uttt {
    /// Returns true if the mover wins, by all its moves and all replies.
    fn wins(&mut self, state: &State) -> bool {
        match state.outcome() {
            Some(outcome) => return outcome == Outcome::Win,
            None if let Some(&known) = self.settled.get(&state.key()) => return known,
            None => {}
        }
        let wins = state.move_list().into_iter().any(|mv| self.loses(&after(state, mv)));
        self.settled.insert(state.key(), wins);
        wins
    }

    /// Returns true if the mover loses, whatever it plays.
    fn loses(&mut self, state: &State) -> bool {
        match state.outcome() {
            Some(outcome) => outcome == Outcome::Loss,
            None => state.move_list().into_iter().all(|mv| self.wins(&after(state, mv))),
        }
    }
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

    #[test]
    fn symmetric_positions_have_one_signature() {
        let source = Uttt::default();
        let next = |cell| source.signature(&after(&State::start(), Cell::new(cell).unwrap()));
        // The corners of the corner boards, and a corner and an edge.
        assert_eq!(next(0), next(80));
        assert_ne!(next(0), next(1));
    }
}
