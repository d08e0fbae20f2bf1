//! The analysis dialogue: the values of a position's moves, at increasing depth until the listener stops it.
//!
//! The solver tries each move, too; once it has proven one, that value is exact.

use crate::player::{Player, Settings, Solver};
use crate::rules::{Cell, PositionError, State};
use search_core::side_by_side::{FlagClock, side_by_side};
use search_core::{Clock, Control, Depth, Limits, Report, Score};
use wire::analysis::{self, Info, Listener, Value};

/// The depth of the last iteration.
const DEEPEST: Depth = 60;
/// The score that is shown as 1.0.
const UNIT: f64 = 1000.0;
/// Positions that the solver visits at least after each move of each iteration; if the search visited more, as many as
/// it did.
const LEAST: u64 = 2_000;
/// The largest number of positions visited for the distance to the end of a proven game.
const HOW_SOON: u64 = 300_000;
/// A number of plies longer than any game: a proven result at an unknown distance.
const UNKNOWN: usize = 100;

/// The player and the solver of the analysis dialogue.
#[derive(Debug)]
pub struct Analyst {
    player: Player,
    solver: Solver,
}

impl Analyst {
    /// An analyst with these settings. The solver uses a quarter of their memory.
    #[must_use]
    pub fn new(settings: Settings) -> Self {
        Self { player: Player::new(settings), solver: Solver::new(settings.table_bytes / 4) }
    }
}

impl analysis::Analyst for Analyst {
    type Position = State;
    type Error = PositionError;

    fn read(&self, text: &str) -> Result<State, PositionError> {
        text.parse()
    }

    fn analyse(&mut self, state: &State, listener: &mut Listener<'_>) {
        let clock = FlagClock::by(listener.stop, listener.clock());
        let Self { player, solver } = self;
        let think = |after: &State, depth| {
            let report = player.think(after, FlagClock::limits(depth), &clock);
            if report.proven || report.score.is_decided() {
                report
            } else {
                proven(solver, after, report, &clock)
            }
        };
        side_by_side(state, DEEPEST, &clock, think, |depth, ranked, nodes| {
            listener.report(
                depth as u32,
                nodes,
                ranked.iter().map(|ranked| (value(ranked.score, ranked.proven), &ranked.line)),
            );
        });
    }
}

/// Returns the solver's proof of a position if it finds one in about the time of the search, otherwise the search's
/// report.
fn proven(solver: &mut Solver, state: &State, report: Report<Cell>, clock: &dyn Clock) -> Report<Cell> {
    let limited = |nodes| {
        let control = Control::new(Limits { nodes: Some(nodes), ..FlagClock::limits(DEEPEST) }, clock);
        control.arm();
        control
    };
    let control = limited(u64::MAX);
    let solution = solver.outcome(state, report.nodes.max(LEAST), &control);
    let Some(outcome) = solution.outcome() else {
        return Report { nodes: report.nodes + control.nodes(), ..report };
    };
    let rest = limited(HOW_SOON);
    let solved = solver.line(state, solution, &rest);
    let score = Score::of_outcome(outcome, solved.plies.map_or(UNKNOWN, |plies| plies as usize));
    let line = if solved.line.is_empty() { report.principal_variation } else { solved.line };
    let nodes = report.nodes + control.nodes() + rest.nodes();
    Report { score, nodes, principal_variation: line, proven: true, ..report }
}

/// Converts a search report to an info line.
#[must_use]
pub fn info(report: &Report<Cell>) -> Info {
    let line = report.best.iter().chain(report.principal_variation.iter().skip(1));
    Info::of_best(report.depth, value(report.score, report.proven), report.nodes, report.elapsed, line)
}

fn value(score: Score, proven: bool) -> Value {
    let plies = score.plies_to_end();
    match Value::of_search(plies, f64::from(score.value()) / UNIT) {
        Value::Win(_) if plies >= Some(UNKNOWN) => Value::Win(None),
        Value::Loss(_) if plies >= Some(UNKNOWN) => Value::Loss(None),
        Value::Points(_) if proven => Value::Draw,
        value => value,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use search_core::{Outcome, Position as _};
    use std::sync::atomic::{AtomicBool, Ordering};
    use wire::analysis::Analyst as _;

    /// The info lines for a position until at least `proven` moves have proven values or depth `deepest` is reached.
    fn told(text: &str, proven: usize, deepest: u32) -> Vec<analysis::Info> {
        let stop = AtomicBool::new(false);
        let mut analyst = Analyst::new(Settings { table_bytes: 32 << 20, ..Settings::default() });
        let state = analyst.read(text).unwrap();
        let mut last = Vec::new();
        let mut tell = |info: &analysis::Info| {
            if info.rank == 1 {
                last.clear();
            }
            last.push(info.clone());
            let exact = |info: &&analysis::Info| !matches!(info.value, Value::Points(_));
            if last.iter().filter(exact).count() >= proven || info.depth > deepest {
                stop.store(true, Ordering::Relaxed);
            }
        };
        analyst.analyse(&state, &mut Listener::new(3, &stop, &mut tell));
        last
    }

    /// A position with `taken` occupied cells after random moves, if the game lasts that long.
    fn position(mut random: u64, taken: u32) -> Option<State> {
        let mut state = State::start();
        while state.occupied() < taken {
            let moves = state.move_list();
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            state.play(moves[(random >> 33) as usize % moves.len()]);
            state.outcome().is_none().then_some(())?;
        }
        Some(state)
    }

    #[test]
    fn the_positions_of_the_search_and_of_the_solver_are_added_up() {
        let stop = AtomicBool::new(false);
        let clock = FlagClock::start(&stop);
        let report = Report { nodes: 500, ..Report::empty() };
        let told = proven(&mut Solver::new(1 << 20), &State::start(), report, &clock);
        assert!(!told.proven && (500 + 1_000..500 + 4 * LEAST).contains(&told.nodes), "{}", told.nodes);
    }

    #[test]
    fn ends_beyond_what_the_search_sees_are_told_as_exact_and_are() {
        let (mut seen, mut beyond) = (0, 0);
        for state in (1..).filter_map(|seed| position(seed, 42)).take(10) {
            let best = &told(&state.to_string(), 1, 6)[0];
            let (Value::Win(plies) | Value::Loss(plies)) = best.value else { continue };
            seen += 1;
            beyond += u32::from(plies.is_none_or(|plies| plies > best.depth + 2));
            let mut solver = Solver::new(16 << 20);
            let clock = search_core::Stopwatch::start();
            let solution = solver.outcome(&state, u64::MAX, &Control::new(Limits::default(), &clock));
            let won = matches!(best.value, Value::Win(_));
            assert_eq!(solution.outcome(), Some(if won { Outcome::Win } else { Outcome::Loss }), "{state}");
        }
        assert!(seen > 2 && beyond > 0, "{seen} proven, {beyond} far beyond the depth");
    }
}
