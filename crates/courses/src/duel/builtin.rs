//! Players that are part of the referee.

use super::{Answer, Driver, MoveOf, Players, Question};
use crate::fault::{Fault, Trouble};
use crate::peer::Ended;
use crate::player::Builtin;
use crate::thought::Thought;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use search_core::{Position, Report, Score};
use std::time::Instant;

/// Returns a random line of `plies` sensible moves that do not end the game, for openings.
pub fn random_line<R: Players>(rules: &R, start: &str, plies: usize, seed: u64) -> Option<Vec<String>> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut position = rules.start(start).ok()?;
    let mut line = Vec::new();
    for _ in 0..plies {
        let mv = pick(rules, &position, &mut random)?;
        line.push(rules.write(&position, mv));
        position.play(mv);
    }
    position.outcome().is_none().then_some(line)
}

fn pick<R: Players>(rules: &R, position: &R::Position, random: &mut Xoshiro256PlusPlus) -> Option<MoveOf<R>> {
    let all = position.move_list();
    let sensible: Vec<_> = all.iter().copied().filter(|&mv| rules.is_sensible(position, mv)).collect();
    let moves = if sensible.is_empty() { all.to_vec() } else { sensible };
    (!moves.is_empty()).then(|| moves[random.random_range(0..moves.len())])
}

/// A player inside the referee.
pub struct BuiltIn<'a, R> {
    rules: &'a R,
    kind: Builtin,
    random: Xoshiro256PlusPlus,
    seed: u64,
}

impl<'a, R: Players> BuiltIn<'a, R> {
    /// Creates a player. Equal choices are drawn from the seed.
    pub fn new(rules: &'a R, kind: Builtin, seed: u64) -> Self {
        Self { rules, kind, random: Xoshiro256PlusPlus::seed_from_u64(seed), seed }
    }

    /// Converts a search report to the game's notation.
    fn thought(&self, position: &R::Position, report: &Report<MoveOf<R>>) -> Thought {
        let mut position = position.clone();
        let mut words = Vec::new();
        for &mv in &report.principal_variation {
            if !position.is_legal(mv) {
                break;
            }
            words.push(self.rules.write(&position, mv));
            position.play(mv);
        }
        Thought::of(report, self.rules.point(), words.join(" "))
    }

    /// Returns the move with the best static evaluation after it, a random one of equals.
    fn greedy(&mut self, position: &R::Position) -> Option<MoveOf<R>> {
        let mut best: Vec<MoveOf<R>> = Vec::new();
        let mut most: Option<Score> = None;
        for mv in position.move_list() {
            if !self.rules.is_sensible(position, mv) {
                continue;
            }
            let mut next = position.clone();
            next.play(mv);
            let score = match next.outcome() {
                Some(outcome) => -Score::of_outcome(outcome, 1),
                None => -self.rules.evaluate(&next),
            };
            if most.is_none_or(|most| score > most) {
                best.clear();
                most = Some(score);
            }
            if most == Some(score) {
                best.push(mv);
            }
        }
        (!best.is_empty()).then(|| best[self.random.random_range(0..best.len())])
    }
}

impl<R: Players> Driver<R::Position> for BuiltIn<'_, R> {
    fn choose(&mut self, question: &Question<'_, R::Position>) -> Result<Answer<MoveOf<R>>, Trouble> {
        let began = Instant::now();
        let position = question.position;
        let mut report = None;
        let chosen = match self.kind {
            Builtin::First => position.move_list().first().copied(),
            Builtin::Random => None,
            Builtin::Greedy => self.greedy(position),
            Builtin::Search(depth) => report.insert(self.rules.search(position, depth, self.seed)).best,
        };
        let mv = chosen
            .or_else(|| pick(self.rules, position, &mut self.random))
            .ok_or_else(|| Fault::illegal("no move to choose from"))?;
        let time = began.elapsed();
        let told = report.map(|report| self.thought(position, &report).into());
        Ok(Answer { mv, time, told })
    }

    fn end(self: Box<Self>) -> Ended {
        Ended::default()
    }
}
