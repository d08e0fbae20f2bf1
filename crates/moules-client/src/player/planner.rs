//! The planner: a beam over one's own plans, wider and wider while there is time, against what the others are
//! expected to take.

use super::errand::Errand;
use super::habits::Habits;
use super::opponents::{self, Forecast};
use super::{Ai, Settings};
use crate::board::Board;
use crate::evaluation::{Evaluation, Spot, Tours, Worth};
use crate::rules::{Game, Move};
use search_core::beam::{Beam, Found, Plan, Shape};
use search_core::{Clock, Control, Limits, Line, Report, Score};

/// Turns looked ahead at most.
const HORIZON: usize = 400;
/// The first beam, which always runs to its end.
const FIRST_WIDTH: usize = 32;
/// Turns looked ahead beyond the last expected taking.
const BEYOND: usize = 4;

/// A planner and what it keeps from turn to turn.
#[derive(Debug)]
pub struct Planner {
    settings: Settings,
    board: Option<(Board, Tours)>,
    /// The plan of the last turn, what is left of it.
    plan: Vec<Move>,
    habits: Habits,
}

impl Planner {
    /// A planner that has seen nothing yet.
    pub fn new(settings: Settings) -> Self {
        Self { settings, board: None, plan: Vec::new(), habits: Habits::default() }
    }

    /// The board of `game`: the one of the last turn if it still fits.
    pub fn board(&mut self, game: &Game) -> &mut Board {
        &mut self.prepared(game).0
    }

    fn prepared(&mut self, game: &Game) -> &mut (Board, Tours) {
        if self.board.as_ref().is_none_or(|(board, _)| !board.fits(&game.state)) {
            self.plan.clear();
            self.habits = Habits::default();
            let board = Board::new(game);
            let tours = Tours::new(&board);
            self.board = Some((board, tours));
        }
        self.board.as_mut().expect("just made")
    }

    /// The best first turn, or none when nothing can be reached.
    pub fn think(&mut self, game: &Game, limits: Limits, clock: &dyn Clock) -> Report<Move> {
        let settings = self.settings;
        let me = game.to_move();
        let old = std::mem::take(&mut self.plan);
        let rest = old.get(1..).unwrap_or_default().to_vec();
        self.prepared(game);
        let habits = &mut self.habits;
        let (board, tours) = self.board.as_mut().expect("just prepared");
        let control = Control::new(limits, clock);
        let alone = game.player_count() == 1;
        let turns = HORIZON.min(game.turns_left(me).map_or(HORIZON, |turns| turns as usize)).max(1);
        let evaluation = if alone { Evaluation::Tour } else { settings.evaluation };
        let spot = Spot::of(board, game, me);
        if spot.left & board.mussels == 0 {
            return Report::empty();
        }
        let mut turns = turns;
        let worth = if settings.ai == Ai::Full && !alone {
            habits.observe(board, game);
            let planned: Vec<Option<usize>> = (0..game.player_count())
                .map(|player| {
                    let asked = player != me;
                    asked.then(|| opponents::first_wanted(board, tours, game, settings.evaluation, player, &control))?
                })
                .collect();
            habits.expect(board, game, |player| planned[player]);
            let forecast = forecast(board, tours, game, settings.evaluation, habits, &rest, &control);
            // When everything is expected to be taken there is little left to look at.
            let last = forecast.iter().flatten().map(|taking| taking.turn).max();
            turns = turns.min(last.map_or(HORIZON, |last| last + BEYOND));
            let stakes = opponents::stakes(board, game, &forecast);
            opponents::worth(board, turns + 1, &forecast, &stakes)
        } else {
            Worth::alone(board, turns + 1)
        };
        let mut errand = Errand { board, worth: &worth, tours, evaluation };
        let mut best = follow(&mut errand, spot, &rest);
        let mut beam = Beam::default();
        let mut width = FIRST_WIDTH;
        loop {
            let shape = Shape { width, turns, first_complete: evaluation.counts_turns() };
            let found = beam.search(&mut errand, spot, shape, &control);
            let broken_off = control.is_stopped();
            control.arm();
            if !broken_off
                && !found.actions.is_empty()
                && best.as_ref().is_none_or(|best| better(&found, best))
            {
                best = Some(found);
            }
            if broken_off || width >= settings.width || !control.may_deepen() {
                break;
            }
            width = (width * 3).min(settings.width);
        }
        let Some(best) = best else { return Report::empty() };
        let report = Report {
            best: best.actions.first().copied(),
            score: Score::new(best.value.clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32),
            depth: best.actions.len() as i32,
            nodes: control.nodes(),
            elapsed: clock.elapsed(),
            principal_variation: Line::from_slice(&best.actions),
            proven: false,
        };
        self.plan = best.actions;
        report
    }
}

fn better(found: &Found<Move>, best: &Found<Move>) -> bool {
    (found.complete, found.value) > (best.complete, best.value)
}

/// What a plan gives from `spot`, if it can still be followed.
fn follow(errand: &mut Errand<'_>, spot: Spot, plan: &[Move]) -> Option<Found<Move>> {
    if plan.is_empty() {
        return None;
    }
    let mut spot = spot;
    let mut made = Vec::new();
    for (turn, action) in plan.iter().enumerate() {
        if errand.is_complete(&spot) {
            return None;
        }
        made.clear();
        errand.successors(&spot, turn, &mut made);
        spot = made.iter().find(|(made, _)| made == action)?.1;
    }
    let value = errand.estimate(&spot, plan.len());
    Some(Found { actions: plan.to_vec(), value, complete: errand.is_complete(&spot) })
}

/// What the others are expected to take, if I follow `mine` — and of what I take by it, what they would if I did not.
fn forecast(
    board: &mut Board,
    tours: &mut Tours,
    game: &Game,
    evaluation: Evaluation,
    habits: &Habits,
    mine: &[Move],
    control: &Control<'_>,
) -> Forecast {
    let without = opponents::play_out(board, tours, game, evaluation, habits, None, control);
    if mine.is_empty() {
        return without;
    }
    let mut forecast = opponents::play_out(board, tours, game, evaluation, habits, Some(mine), control);
    for (taking, without) in forecast.iter_mut().zip(&without) {
        if taking.is_some_and(|taking| taking.order == 0) {
            *taking = *without;
        }
    }
    forecast
}
