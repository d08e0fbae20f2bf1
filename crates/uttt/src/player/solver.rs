//! Exact results: df-pn proves win, draw or loss, then alpha-beta over the proofs finds the length of the game.

use super::ending::{Ending, winning_cell};
use super::order;
use super::proof_numbers::LineEstimate;
use crate::rules::{Cell, State};
use search_core::alpha_beta::NodeType;
use search_core::proof::{Goal, Prover, Solution, Verdict};
use search_core::{
    Clock, Control, Crew, Depth, Heuristics, Limits, Line, MoveOf, Node, Options, Outcome, Position, Score,
    Search, Searched, Table, TableCut, Window,
};
use std::sync::atomic::{AtomicBool, Ordering};

/// The solution of a position, as far as it is known.
#[derive(Debug, Clone, PartialEq)]
pub struct Solved {
    /// The verdicts: whether the side to move wins, and whether it draws at least.
    pub solution: Solution,
    /// Plies to the end with best play, if the position is won or lost and the distance is known.
    pub plies: Option<Depth>,
    /// A line that keeps the outcome, as far as it is known. With `plies`, it is the shortest win or the longest loss.
    pub line: Line<Cell>,
}

/// Solves positions and keeps its proofs.
#[derive(Debug)]
pub struct Solver {
    /// One prover, or one for each question, with the same proofs: whether the side to move wins, and whether it draws at least.
    provers: Vec<Prover<LineEstimate>>,
    table: Table<Cell>,
    bytes: usize,
    threads: usize,
}

impl Solver {
    /// A solver that uses at most `bytes` of memory.
    #[must_use]
    pub fn new(bytes: usize) -> Self {
        Self::with_threads(bytes, 1)
    }

    /// A solver whose [`prove`](Self::prove) uses some `threads`, with at most `bytes` of memory altogether.
    #[must_use]
    pub fn with_threads(bytes: usize, threads: usize) -> Self {
        let mut provers = vec![Prover::with_estimate(LineEstimate, bytes / 4 * 3)];
        if threads > 1 {
            provers.push(provers[0].sharing());
        }
        Self { provers, table: Table::in_large_pages(bytes / 4), bytes, threads: threads.max(1) }
    }

    /// The memory limit in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// The outcome with best play, as far as `most` visited positions and `control` allow; in this thread.
    pub fn outcome(&mut self, state: &State, most: u64, control: &Control<'_>) -> Solution {
        self.provers[0].solve(&mut Ending::new(*state), most, control)
    }

    /// The outcome of `cell` for the side that plays it in `state`, if the table has it.
    #[must_use]
    pub fn known_after(&self, state: &State, cell: Cell) -> Option<Outcome> {
        let mut next = *state;
        next.play(cell);
        let ending = Ending::new(next);
        let known = |goal| self.provers[0].known(&ending, goal);
        Solution { win: known(Goal::Win), draw: known(Goal::Draw) }.outcome().map(Outcome::reversed)
    }

    /// Returns true if the opponent is found to win after `cell`, as far as `control` allows; in this thread.
    pub fn refutes(&mut self, state: &State, cell: Cell, control: &Control<'_>) -> bool {
        let mut next = *state;
        next.play(cell);
        self.provers[0].prove(&mut Ending::new(next), Goal::Win, u64::MAX, control) == Verdict::Yes
    }

    /// The outcome with best play, as far as the limits allow, and the number of positions visited. With several threads,
    /// each question has half of them and half of the positions.
    pub fn prove(&mut self, state: &State, limits: Limits, clock: &(dyn Clock + Sync)) -> (Solution, u64) {
        let [winning, drawing] = &mut self.provers[..] else {
            let control = Control::new(limits, clock);
            control.arm();
            return (self.outcome(state, u64::MAX, &control), control.nodes());
        };
        let limits = Limits { nodes: limits.nodes.map(|nodes| nodes.div_ceil(2)), ..limits };
        let decided = AtomicBool::new(false);
        let ask = |prover: &mut Prover<LineEstimate>, goal, threads| {
            let crew = Crew::new(threads);
            let control = Control::new(limits, clock).with_stop_flag(&decided);
            control.arm();
            let verdict = prover.prove_with(&crew, &mut Ending::new(*state), goal, u64::MAX, &control);
            // A win implies a draw at least, and a position that is not drawn at least is not won.
            if matches!((goal, verdict), (Goal::Win, Verdict::Yes) | (Goal::Draw, Verdict::No)) {
                decided.store(true, Ordering::Relaxed);
            }
            (verdict, control.nodes())
        };
        let (few, more) = (self.threads / 2, self.threads.div_ceil(2));
        let beside = std::thread::scope(|scope| {
            let draw =
                std::thread::Builder::new().spawn_scoped(scope, || ask(drawing, Goal::Draw, few)).ok()?;
            let win = ask(winning, Goal::Win, more);
            Some((win, draw.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))))
        });
        // If no thread could be started, the questions are asked one after the other.
        let (win, draw) =
            beside.unwrap_or_else(|| (ask(winning, Goal::Win, more), ask(drawing, Goal::Draw, few)));
        (Solution { win: win.0, draw: draw.0 }, win.1 + draw.1)
    }

    /// A line for a known outcome: the shortest win or the longest loss, unless `control` stops the search.
    pub fn line(&mut self, state: &State, solution: Solution, control: &Control<'_>) -> Solved {
        let mut solved = Solved { solution, plies: None, line: Line::new() };
        if let Some(outcome @ (Outcome::Win | Outcome::Loss)) = solution.outcome() {
            let wins = outcome == Outcome::Win;
            solved.plies = self.plies_to_end(state, wins, control);
            if let Some(plies) = solved.plies {
                self.exact_line(state, wins, plies, control, &mut solved.line);
            }
        }
        if solved.line.is_empty() {
            solved.line = self.keeping(state);
        }
        solved
    }

    /// A line of moves that keep the proven outcome, as long as the proofs are still in the table.
    fn keeping(&mut self, state: &State) -> Line<Cell> {
        let mut line = Line::new();
        let mut state = *state;
        while state.outcome().is_none() {
            let mut ending = Ending::new(state);
            let proven = [Goal::Win, Goal::Draw]
                .into_iter()
                .find_map(|goal| Some((self.proven_by(&ending, goal, Verdict::Yes)?, goal)));
            let kept = match proven {
                Some((prover, goal)) => {
                    winning_cell(&state).or_else(|| self.provers[prover].winning_move(&mut ending, goal))
                }
                // In a lost position any move keeps the outcome.
                None if self.proven_by(&ending, Goal::Draw, Verdict::No).is_some() => {
                    state.move_list().first().copied()
                }
                None => None,
            };
            let Some(cell) = kept else { break };
            state.play(cell);
            line.push(cell);
        }
        line
    }

    /// The index of the prover that has proven `verdict`.
    fn proven_by(&self, ending: &Ending, goal: Goal, verdict: Verdict) -> Option<usize> {
        self.provers.iter().position(|prover| prover.known(ending, goal) == verdict)
    }

    /// The number of plies to the end of a game that the side to move is known to win or lose, found by trying each
    /// number in turn.
    fn plies_to_end(&mut self, state: &State, wins: bool, control: &Control<'_>) -> Option<Depth> {
        let first = if wins { 1 } else { 2 };
        (first..=81).step_by(2).find_map(|plies| match self.ends_within(state, wins, plies, control) {
            Ok(false) => None,
            Ok(true) => Some(Some(plies)),
            Err(_) => Some(None),
        })?
    }

    /// Extends `line` by the moves of a game that takes exactly `plies` with best play, as far as `control` allows.
    fn exact_line(
        &mut self,
        state: &State,
        wins: bool,
        plies: Depth,
        control: &Control<'_>,
        line: &mut Line<Cell>,
    ) {
        let (mut state, mut wins) = (*state, wins);
        for left in (0..plies).rev() {
            let next = state.move_list().into_iter().find_map(|cell| {
                let mut next = state;
                next.play(cell);
                // The winner's move leaves at most `left` plies, the loser's at least `left`.
                let good = match next.outcome() {
                    Some(outcome) => Ok(left == 0 && outcome == Outcome::Loss),
                    None if left == 0 => Ok(false),
                    None if wins => self.ends_within(&next, false, left, control),
                    None if left < 2 => Ok(true),
                    None => self.ends_within(&next, true, left - 2, control).map(|sooner| !sooner),
                };
                match good {
                    Ok(true) => Some(Ok((cell, next))),
                    Ok(false) => None,
                    Err(stop) => Some(Err(stop)),
                }
            });
            let Some(Ok((cell, next))) = next else { return };
            line.push(cell);
            (state, wins) = (next, !wins);
        }
    }

    /// Returns whether the side to move wins (or, without `wins`, loses) within `plies`.
    fn ends_within(
        &mut self,
        state: &State,
        wins: bool,
        plies: Depth,
        control: &Control<'_>,
    ) -> Searched<bool> {
        let options = Options { table_cut: TableCut::AtLeast, ..Options::EXACT };
        let mut search = Search::new(Ends { provers: &self.provers }, *state, &self.table, control, options);
        if wins {
            let goal = Score::win_in(plies as usize);
            Ok(search.value(Window::below(goal), plies)? >= goal)
        } else {
            let goal = Score::loss_in(plies as usize);
            Ok(search.value(Window::above(goal), plies)? <= goal)
        }
    }
}

/// Alpha-beta's heuristics for the distance to the end: all other positions count as equal.
struct Ends<'a> {
    provers: &'a [Prover<LineEstimate>],
}

impl Heuristics for Ends<'_> {
    type Position = State;
    type Frame = ();

    fn evaluate(&mut self, _: &State) -> Score {
        Score::DRAW
    }

    fn candidates(search: &mut Search<'_, Self>, _: &Node<MoveOf<Self>>) {
        let state = search.position;
        state.moves(&mut search_core::Visit(|cell| search.picker.add(cell, order::rank(&state, cell))));
    }

    /// Cuts positions that are proven not to have the result whose distance is searched.
    fn before_moves<K: NodeType>(
        search: &mut Search<'_, Self>,
        node: &Node<MoveOf<Self>>,
    ) -> Searched<Option<Score>> {
        let ending = &Ending::new(search.position);
        let is_known = |goal, verdict| {
            search.heuristics.provers.iter().any(|prover| prover.known(ending, goal) == verdict)
        };
        let not_won = node.window.alpha >= Score::DRAW && is_known(Goal::Win, Verdict::No);
        let not_lost = node.window.beta <= Score::DRAW && is_known(Goal::Draw, Verdict::Yes);
        Ok((not_won || not_lost).then_some(Score::DRAW))
    }
}
