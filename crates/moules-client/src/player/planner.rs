//! The planner: a beam over one's own plans, wider and wider while there is time, against what the others are
//! expected to take.

use super::errand::Errand;
use super::finale;
use super::habits::Habits;
use super::opponents::{self, Eyes, Forecast};
use super::{Ai, Settings};
use crate::board::Board;
use crate::evaluation::{Evaluation, Spot, Tours, Worth};
use crate::rules::{Game, Move};
use search_core::beam::{Beam, Found, Plan, Shape};
use search_core::{Clock, Control, Limits, Line, Report, Score};

/// Turns looked ahead at most.
const HORIZON: usize = 400;
/// How much wider each beam is than the one before.
const WIDEN: usize = 3;
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
        // An answer before anything else, whatever the time: a narrow beam as if alone.
        let mut beam = Beam::default();
        let mut shape = Shape { width: FIRST_WIDTH, turns, first_complete: evaluation.counts_turns() };
        let simple = Worth::alone(board, turns + 1);
        let mut errand = Errand { board, worth: &simple, tours, evaluation };
        let first = beam.search(&mut errand, spot, shape, &control);
        control.arm();

        let full = matches!(settings.ai, Ai::Full | Ai::Finale) && !alone;
        let worth = if full {
            let mut eyes = Eyes { board, tours, game, evaluation: settings.evaluation, control: &control };
            habits.observe(eyes.board, game);
            let planned = eyes.first_wanted();
            habits.expect(eyes.board, game, |player| planned[player]);
            let forecast = forecast(&mut eyes, habits, &rest);
            // When everything is expected to be taken there is little left to look at.
            let last = forecast.iter().flatten().map(|taking| taking.turn).max();
            shape.turns = turns.min(last.map_or(HORIZON, |last| last + BEYOND));
            let stakes = opponents::stakes(board, game, &forecast);
            opponents::worth(board, turns + 1, &forecast, &stakes)
        } else {
            simple
        };
        let mut errand = Errand { board, worth: &worth, tours, evaluation };
        let mut best = follow(&mut errand, spot, &rest);
        let again = follow(&mut errand, spot, &first.actions);
        if let Some(again) = again.filter(|again| best.as_ref().is_none_or(|best| better(again, best))) {
            best = Some(again);
        }
        if !full {
            shape.width *= WIDEN;
        }
        shape.width = shape.width.min(settings.width);
        while control.may_deepen() {
            let found = beam.search(&mut errand, spot, shape, &control);
            if control.is_stopped() {
                break;
            }
            if !found.actions.is_empty() && best.as_ref().is_none_or(|best| better(&found, best)) {
                best = Some(found);
            }
            if shape.width >= settings.width {
                break;
            }
            shape.width = (shape.width * WIDEN).min(settings.width);
        }
        // The others' turns are searched too where that reaches the end; the plan is kept for what lies beyond.
        if settings.ai == Ai::Finale
            && let Some(mv) = finale::best(board, game, &control)
        {
            let mut report = Report { best: Some(mv), nodes: control.nodes(), ..Report::empty() };
            report.principal_variation.push(mv);
            report.elapsed = clock.elapsed();
            return report;
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
fn forecast(eyes: &mut Eyes<'_>, habits: &Habits, mine: &[Move]) -> Forecast {
    let without = eyes.play_out(habits, None);
    if mine.is_empty() || eyes.is_tired() {
        return without;
    }
    let mut forecast = eyes.play_out(habits, Some(mine));
    for (taking, without) in forecast.iter_mut().zip(&without) {
        if taking.is_some_and(|taking| taking.order == 0) {
            *taking = *without;
        }
    }
    forecast
}
