//! Players that are part of the referee.

use super::{Answer, Driver, MoveOf, Players, Question};
use crate::fault::{Fault, Trouble};
use crate::peer::{Ended, Supervisor};
use crate::player::Builtin;
use crate::thought::Thought;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use search_core::{Position, Report, Score};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// A search to at most this depth ends at once in every game.
const SHORT: u16 = 2;
/// The interval between two looks for an interrupt during a longer search.
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// A search of a position to a depth, with a seed.
type Search<P> = fn(&P, u16, u64) -> Report<<P as Position>::Move>;

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

/// Returns the sensible moves, or all moves if there are none.
fn choices<R: Players>(rules: &R, position: &R::Position) -> Vec<MoveOf<R>> {
    let all = position.move_list();
    let sensible: Vec<_> = all.iter().copied().filter(|&mv| rules.is_sensible(position, mv)).collect();
    if sensible.is_empty() { all.to_vec() } else { sensible }
}

fn pick<R: Players>(rules: &R, position: &R::Position, random: &mut Xoshiro256PlusPlus) -> Option<MoveOf<R>> {
    let moves = choices(rules, position);
    (!moves.is_empty()).then(|| moves[random.random_range(0..moves.len())])
}

/// Returns the sensible move that `number` draws, or `None` if the game is over.
pub fn random_move<R: Players>(rules: &R, position: &R::Position, number: u64) -> Option<MoveOf<R>> {
    let moves = choices(rules, position);
    (!moves.is_empty()).then(|| moves[(number % moves.len() as u64) as usize])
}

/// A player inside the referee.
pub struct BuiltIn<'a, R> {
    rules: &'a R,
    kind: Builtin,
    random: Xoshiro256PlusPlus,
    seed: u64,
    supervisor: &'a Supervisor,
}

impl<'a, R: Players> BuiltIn<'a, R> {
    /// Creates a player of the supervisor's run. Equal choices are drawn from the seed.
    pub fn new(rules: &'a R, kind: Builtin, seed: u64, supervisor: &'a Supervisor) -> Self {
        Self { rules, kind, random: Xoshiro256PlusPlus::seed_from_u64(seed), seed, supervisor }
    }

    /// Searches to a depth. A long search has a thread of its own, which an interrupted run leaves to itself: the players'
    /// searches end at their depth alone.
    fn search(&self, position: &R::Position, depth: u16) -> Result<Report<MoveOf<R>>, Trouble> {
        // A function alone, because the thread must not borrow the rules.
        let (search, seed): (Search<R::Position>, u64) = (R::search, self.seed);
        let here = || search(position, depth, seed);
        if depth <= SHORT {
            return Ok(here());
        }
        let (send, receive) = channel();
        let copy = position.clone();
        let work = move || _ = send.send(search(&copy, depth, seed));
        // Where no thread can be started, only the interrupt is late.
        let Ok(_) = thread::Builder::new().name("search".into()).spawn(work) else { return Ok(here()) };
        loop {
            match receive.recv_timeout(LOOK_EVERY) {
                Ok(report) => return Ok(report),
                Err(RecvTimeoutError::Timeout) if self.supervisor.is_stopped() => {
                    return Err(Trouble::Interrupted);
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(Trouble::Referee("the search of a built-in player failed".into()));
                }
            }
        }
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
    fn greedy(&mut self, position: &R::Position) -> Result<Option<MoveOf<R>>, Trouble> {
        let mut best: Vec<MoveOf<R>> = Vec::new();
        let mut most: Option<Score> = None;
        for mv in position.move_list() {
            if self.supervisor.is_stopped() {
                return Err(Trouble::Interrupted);
            }
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
        Ok((!best.is_empty()).then(|| best[self.random.random_range(0..best.len())]))
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
            Builtin::Greedy => self.greedy(position)?,
            Builtin::Search(depth) => report.insert(self.search(position, depth)?).best,
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
