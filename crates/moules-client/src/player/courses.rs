//! The courses of players who plan: a beam for each situation met, kept for the turn.

use super::errand::Errand;
use super::walker::{NONE, Walker};
use crate::board::Board;
use crate::evaluation::{Evaluation, Spot, Tours, Worth, bits};
use crate::rules::Move;
use search_core::Control;
use search_core::beam::{Beam, Plan, Shape};
use std::collections::HashMap;

/// The shape of the beam behind a course.
const SHAPE: Shape = Shape { width: 12, turns: TURNS, first_complete: false };
/// Turns planned.
const TURNS: usize = 40;
/// Courses kept at most; a course's number must be less than [`NONE`].
const COURSES: usize = 96;
/// The share of the time that may go into courses.
const SHARE: f64 = 0.4;

/// One turn of a course.
#[derive(Debug, Clone, Copy)]
struct Leg {
    cell: u32,
    items: u64,
    frites: u8,
    beers: u8,
    /// What the course takes from this turn on.
    wants: u64,
    /// The next mussel it takes, or [`NONE`].
    next: u8,
}

/// What determines a course: the place, the bonuses, and what is left.
type Situation = (u32, u8, u8, u64);

/// The courses made in this turn.
#[derive(Debug)]
pub struct Courses<'a> {
    tours: &'a mut Tours,
    worth: Worth,
    control: &'a Control<'a>,
    beam: Beam<Spot, Move>,
    known: HashMap<Situation, u8>,
    courses: Vec<Vec<Leg>>,
}

impl<'a> Courses<'a> {
    /// None yet.
    pub fn new(board: &Board, tours: &'a mut Tours, control: &'a Control<'a>) -> Self {
        let worth = Worth::alone(board, TURNS + 1);
        Self { tours, worth, control, beam: Beam::default(), known: HashMap::default(), courses: Vec::new() }
    }

    /// The number of the course from here: a known one, or a new one while there is time for it.
    fn find(&mut self, board: &mut Board, walker: &Walker, left: u64) -> Option<u8> {
        let situation = (walker.cell, walker.frites, walker.beers, left);
        if let Some(&course) = self.known.get(&situation) {
            return Some(course);
        }
        let hard = self.control.limits().hard;
        let tired = self.control.is_stopped()
            || hard.is_some_and(|hard| self.control.elapsed() > hard.mul_f64(SHARE));
        if self.courses.len() >= COURSES || tired {
            return None;
        }
        let (cell, frites, beers, left) = situation;
        let mut spot = Spot { left, cell, gain: 0, frites, beers };
        let mut errand =
            Errand { board, worth: &self.worth, tours: self.tours, evaluation: Evaluation::Rollout };
        let actions = self.beam.search(&mut errand, spot, SHAPE, self.control).actions;
        let mut legs: Vec<Leg> = Vec::with_capacity(actions.len());
        let mut made = Vec::new();
        for (turn, action) in actions.iter().enumerate() {
            made.clear();
            errand.successors(&spot, turn, &mut made);
            let Some(&(_, next)) = made.iter().find(|(made, _)| made == action) else { break };
            let items = spot.left & !next.left;
            let frites = u8::from(matches!(action, Move::Jump(_)));
            let beers = u8::from(matches!(action, Move::Beer(_)));
            legs.push(Leg { cell: next.cell, items, frites, beers, wants: 0, next: NONE });
            spot = next;
        }
        let (mut wants, mut next) = (0, NONE);
        for leg in legs.iter_mut().rev() {
            wants |= leg.items;
            next = bits(leg.items & board.mussels).next().map_or(next, |item| item as u8);
            (leg.wants, leg.next) = (wants, next);
        }
        self.courses.push(legs);
        let course = (self.courses.len() - 1) as u8;
        self.known.insert(situation, course);
        Some(course)
    }

    /// Where the course from `walker`'s place leads it: the cell of the first turn, and the first item it takes.
    pub fn outlook(&mut self, board: &mut Board, walker: &Walker, left: u64) -> Option<(u32, Option<usize>)> {
        let course = self.find(board, walker, left)?;
        let legs = &self.courses[usize::from(course)];
        let first = legs.iter().find_map(|leg| bits(leg.items).next());
        legs.first().map(|leg| (leg.cell, first))
    }

    /// One turn of `walker` on its course, made anew when another took what it wants: the items on its way.
    /// `None` when no course can be had.
    pub fn turn(&mut self, board: &mut Board, walker: &mut Walker, left: u64) -> Option<u64> {
        let on = |courses: &Self, walker: &Walker| {
            courses
                .courses
                .get(usize::from(walker.course))
                .and_then(|legs| legs.get(usize::from(walker.at)))
                .copied()
        };
        let mut leg = on(self, walker);
        if leg.is_none_or(|leg| leg.wants & !left != 0)
            && let Some(course) = self.find(board, walker, left)
        {
            (walker.course, walker.at) = (course, 0);
            leg = on(self, walker);
        }
        // A bonus that the course uses may have been taken by another.
        let leg = leg.filter(|leg| leg.frites <= walker.frites && leg.beers <= walker.beers);
        let Some(leg) = leg else {
            walker.course = NONE;
            return None;
        };
        walker.cell = leg.cell;
        walker.frites -= leg.frites;
        walker.beers -= leg.beers;
        (walker.aim, walker.budget) = (leg.next, u8::MAX);
        walker.at += 1;
        Some(leg.items)
    }
}
