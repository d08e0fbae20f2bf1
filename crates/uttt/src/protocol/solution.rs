use crate::player::{Solved, Solver};
use crate::rules::{Side, State};
use search_core::proof::{Solution, Verdict};
use search_core::{Clock, Control, Limits, Outcome, Position};
use std::fmt::Write;

/// Solves a position within the limits and describes the proof for a person: the result with the number of plies if
/// known, and a line of cells that keeps the result.
pub fn solution(state: &State, limits: Limits, mut solver: Solver, clock: &(dyn Clock + Sync)) -> String {
    if let Some(outcome) = state.outcome() {
        return format!("{}: the game is over\n", result(state, outcome));
    }
    // The proof may use all of the limits; the distance to the end gets the rest.
    let limits = Limits { depth: None, soft: None, ..limits };
    let (found, visited) = solver.prove(state, limits, clock);
    let left = limits.nodes.map(|nodes| nodes.saturating_sub(visited));
    let rest = Control::new(Limits { nodes: left, ..limits }, clock);
    rest.arm();
    let solved = solver.line(state, found, &rest);
    describe(state, &solved)
}

fn describe(state: &State, solved: &Solved) -> String {
    let mut text = match solved.solution.outcome() {
        Some(outcome) => result(state, outcome).to_owned(),
        None => unknown(state.mover(), solved.solution),
    };
    if let Some(plies) = solved.plies {
        // Writing to a string does not fail.
        let _ = write!(text, " in {plies} {}", if plies == 1 { "ply" } else { "plies" });
    }
    text.push('\n');
    if !solved.line.is_empty() {
        let cells: Vec<_> = solved.line.iter().map(|cell| cell.to_string()).collect();
        let _ = writeln!(text, "cells {}", cells.join(" "));
    }
    text
}

fn result(state: &State, outcome: Outcome) -> &'static str {
    match (outcome, state.mover()) {
        (Outcome::Win, Side::X) | (Outcome::Loss, Side::O) => "x wins",
        (Outcome::Win, Side::O) | (Outcome::Loss, Side::X) => "o wins",
        _ => "draw",
    }
}

fn unknown(mover: Side, solution: Solution) -> String {
    let (own, other) = if mover == Side::X { ("x", "o") } else { ("o", "x") };
    match solution {
        Solution { win: Verdict::No, .. } => format!("unknown: {own} does not win"),
        Solution { draw: Verdict::Yes, .. } => format!("unknown: {other} does not win"),
        _ => "unknown".to_owned(),
    }
}
