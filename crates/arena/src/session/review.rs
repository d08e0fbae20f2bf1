//! The review of a game that is over: each position is analysed for a moment, from the last one back, and the costliest
//! moves are kept.
//!
//! It begins by itself, with one engine, and ends with the game that it is about: whoever plays on ends it. It waits while
//! a visitor's analysis of a position begins. A complete one is kept, so that a move has the same cost at every visit.

use super::{Analysis, Asker, Finding, Host, Question, Seat, Session, memory};
use courses::fault::Trouble;
use courses::play::Play;
use courses::review::{Findings, Mistake, costly, mistakes};
use std::time::Duration;
use wire::analysis::{Info, Value};

/// The time for a whole review.
const TIME: Duration = Duration::from_secs(16);
/// The least and the most time for a position.
const EACH: (Duration, Duration) = (Duration::from_millis(60), Duration::from_millis(500));
/// Positions that a search must have visited before anything is said of its value; decided values need none.
const NODES: u64 = 3_000;
/// The time after which a position is left out.
const PATIENCE: Duration = Duration::from_secs(5);
/// The largest number of positions; of a longer game the last ones.
const POSITIONS: usize = 160;
/// The number of complete reviews of other lines that are remembered.
const REMEMBERED: usize = 8;

/// A complete review as saved: the lines of each position, by its ply, in the text of the analysis dialogue.
pub type Kept = Vec<(usize, Vec<String>)>;

/// The review of a game.
#[derive(Debug)]
pub struct Review {
    /// The engine; `None` after the end.
    analysis: Option<Box<dyn Analysis>>,
    number: u64,
    question: u64,
    /// True while it waits for an analysis.
    waits: bool,
    /// True if the engine failed: nothing is said of the moves.
    pub is_broken: bool,
    /// The moves of the game.
    moves: Vec<String>,
    /// The seats whose moves are shown: those of persons, or all where no person of this page played.
    pub seats: Vec<usize>,
    /// The seat of a person who has lost it.
    pub loser: Option<usize>,
    /// True if the clock decided the game.
    pub is_late: bool,
    /// The ply that is analysed.
    at: usize,
    first: usize,
    began: Duration,
    lines: Vec<Info>,
    findings: Findings,
    /// The costliest moves of each seat shown, once all positions are analysed.
    mistakes: Vec<Mistake>,
    /// The numbers of all costly moves of the seats shown.
    costly: Vec<usize>,
}

impl Review {
    /// Creates the review of a session's game. Without an engine it has no findings yet.
    fn of(session: &Session, number: u64, analysis: Option<Box<dyn Analysis>>, now: Duration) -> Self {
        let moves = session.play.moves().to_vec();
        Self {
            analysis,
            number,
            question: 0,
            waits: false,
            is_broken: false,
            seats: session.seats_reviewed(),
            loser: session.beaten(),
            is_late: session.settings.late.is_some(),
            at: moves.len(),
            first: moves.len().saturating_sub(POSITIONS),
            began: now,
            moves,
            lines: Vec::new(),
            findings: Findings::new(),
            mistakes: Vec::new(),
            costly: Vec::new(),
        }
    }

    /// Draws the conclusions from the findings, and ends the engine. Only findings that they rest on stay.
    fn conclude(&mut self, play: &dyn Play) {
        self.mistakes = mistakes(play, &self.findings);
        self.mistakes.retain(|mistake| self.seats.contains(&mistake.seat));
        self.costly = costly(play, &self.findings);
        self.costly.retain(|&nth| self.seats.contains(&play.by(nth)));
        (self.at, self.analysis) = (self.first, None);
        let Self { findings, mistakes, moves, .. } = self;
        for (&at, lines) in findings {
            let mut rank = 0;
            lines.retain(|info| {
                rank += 1;
                rank == 1 || info.line.first() == moves.get(at)
            });
            // The line of a mistake is shown, and that of the answer has reasons.
            if !mistakes.iter().any(|mistake| [mistake.nth, mistake.nth + 1].contains(&at)) {
                lines.iter_mut().for_each(|info| info.line.truncate(1));
            }
        }
    }

    /// Returns its memory in bytes, roughly.
    pub(super) fn memory(&self) -> usize {
        let better: usize = self.mistakes.iter().map(|mistake| mistake.better.len()).sum();
        let lines = self.findings.values().flatten().chain(&self.lines);
        (self.moves.len() + better) * memory::MOVE + memory::of_lines(lines)
    }

    /// Returns true once all positions were analysed.
    fn is_complete(&self) -> bool {
        self.analysis.is_none() && !self.is_broken
    }

    /// Returns the findings of a complete review to save them; empty while positions are analysed.
    pub(super) fn kept(&self) -> Kept {
        let text = |(at, lines): (&usize, &Vec<Info>)| (*at, lines.iter().map(ToString::to_string).collect());
        if self.is_complete() { self.findings.iter().map(text).collect() } else { Kept::new() }
    }

    /// Returns the costliest moves of each seat shown, the costliest of all first. `None` while positions are analysed.
    #[must_use]
    pub fn mistakes(&self) -> Option<&[Mistake]> {
        self.analysis.is_none().then_some(&self.mistakes)
    }

    /// Returns the numbers of all costly moves of the seats shown, in the order of the game, once all positions are
    /// analysed.
    #[must_use]
    pub fn costly(&self) -> &[usize] {
        &self.costly
    }

    /// Returns the mistake after `at` moves.
    #[must_use]
    pub fn at(&self, at: usize) -> Option<&Mistake> {
        self.mistakes.iter().find(|mistake| mistake.nth == at)
    }

    /// Returns the ply from which on every value found is a forced loss of the loser, in a game for two.
    #[must_use]
    pub fn lost_from(&self, play: &dyn Play) -> Option<usize> {
        let loser = self.loser.filter(|_| play.seats() == 2)?;
        let is_lost = |at: usize, lines: &[Info]| match lines.first().map(|best| best.value) {
            Some(Value::Loss(_)) => play.mover(at) == Some(loser),
            Some(Value::Win(_)) => play.mover(at).is_some_and(|mover| mover != loser),
            Some(Value::Exact(margin)) => (play.mover(at) == Some(loser)) == (margin < 0.0) && margin != 0.0,
            _ => false,
        };
        let last = self.findings.iter().rev().take_while(|(at, lines)| is_lost(**at, lines)).last();
        last.map(|(&at, _)| at)
    }

    /// Returns the number of positions that were analysed, and that of all.
    #[must_use]
    pub fn progress(&self) -> (usize, usize) {
        let all = self.moves.len() - self.first;
        (self.moves.len() - self.at, all)
    }

    /// Returns true if the position has had its time, or its value is decided.
    fn is_enough(&self, now: Duration) -> bool {
        let count = (self.moves.len() - self.first).max(1) as u32;
        let each = (TIME / count).clamp(EACH.0, EACH.1);
        let spent = now.saturating_sub(self.began);
        let is_decided = self.lines.first().is_some_and(|best| !matches!(best.value, Value::Points(_)));
        spent >= each && self.is_known() || is_decided && self.lines[0].line.len() > 1 || spent >= PATIENCE
    }

    /// Returns true if the value of the position is decided, or that of a search that is large enough.
    fn is_known(&self) -> bool {
        let is_known = |best: &Info| !matches!(best.value, Value::Points(_)) || best.nodes >= NODES;
        self.lines.first().is_some_and(is_known)
    }
}

impl Session {
    /// Begins the review of a game that is over, and drops that of a game that goes on.
    pub fn review(&mut self, host: &dyn Host) {
        self.keep_review(host);
        self.share(host.now());
    }

    fn keep_review(&mut self, host: &dyn Host) {
        if self.review.as_ref().is_some_and(|review| self.is_over_for(review)) {
            return;
        }
        // Whoever comes back to a line finds what was said of it.
        if let Some(review) = self.review.take().filter(Review::is_complete) {
            self.reviews.push(review);
            let surplus = self.reviews.len().saturating_sub(REMEMBERED);
            self.reviews.drain(..surplus);
        }
        if let Some(nth) = self.reviews.iter().position(|review| self.is_over_for(review)) {
            self.review = Some(self.reviews.remove(nth));
            return;
        }
        if !self.is_review_wanted() || self.play.game().analysis().is_none() || self.fault.is_some() {
            return;
        }
        self.analyses += 1;
        let number = self.analyses;
        let Some(analysis) = host.analysis(self.play.game(), Asker::Study, number) else { return };
        self.review = Some(Review::of(self, number, Some(analysis), host.now()));
        self.review_next(host.now());
    }

    /// Returns true if the game is over, or was played elsewhere: a replay may end by a fault, which the board does not
    /// know.
    fn is_review_wanted(&self) -> bool {
        self.play.moves().len() > 1 && (self.is_replay() || self.over().is_some())
    }

    /// Returns true if a review is that of the game as it is.
    fn is_over_for(&self, review: &Review) -> bool {
        self.is_review_wanted() && review.moves == self.play.moves() && review.loser == self.beaten()
    }

    /// Returns true if a complete review of the game is there.
    #[must_use]
    pub fn is_reviewed(&self) -> bool {
        self.review.as_ref().is_some_and(Review::is_complete)
    }

    /// Takes over a review that was saved with the game. One that says nothing of this game is dropped.
    pub(super) fn restore_review(&mut self, kept: Kept) {
        let read = |line: String| line.parse().ok().filter(|info: &Info| !info.line.is_empty());
        let mut review = Review::of(self, 0, None, Duration::ZERO);
        let known = review.first..=review.moves.len();
        for (at, lines) in kept.into_iter().filter(|(at, _)| known.contains(at)) {
            let lines: Vec<Info> = lines.into_iter().filter_map(read).collect();
            if !lines.is_empty() {
                review.findings.insert(at, lines);
            }
        }
        if self.is_review_wanted() && !review.findings.is_empty() {
            review.conclude(self.play.as_ref());
            self.review = Some(review);
        }
    }

    /// Returns the seats whose moves a review shows: of a game that was played elsewhere, or by engines alone, everybody's.
    fn seats_reviewed(&self) -> Vec<usize> {
        let is_for_all = self.is_replay() || !self.has_person();
        let seats = 0..self.play.seats();
        seats.filter(|&seat| is_for_all || self.settings.seats[seat] == Seat::Person).collect()
    }

    /// Returns the seat of a person with fewer points than another seat, if the game is over.
    fn beaten(&self) -> Option<usize> {
        if self.is_replay() {
            return None;
        }
        let points = self.over().map(|ending| ending.points).unwrap_or_default();
        let best = points.iter().copied().fold(0.0, f64::max);
        let mut seats = points.iter().zip(&self.settings.seats);
        seats.position(|(points, seat)| *points < best && *seat == Seat::Person)
    }

    /// Ends a review that is not complete.
    pub(super) fn rest_review(&mut self) {
        self.review.take_if(|review| review.analysis.is_some());
    }

    /// Lets the review wait while an analysis must come first, and continue afterwards.
    pub(super) fn share(&mut self, now: Duration) {
        let waits = self.own.values().any(|own| own.study.as_ref().is_some_and(|study| study.is_first(now)));
        let Self { review: Some(review), play, .. } = self else { return };
        let Some(analysis) = review.analysis.as_ref().filter(|_| review.waits != waits) else { return };
        review.waits = waits;
        // A finding about the earlier question is dropped.
        review.question += 1;
        review.lines.clear();
        review.began = now;
        let position = play.analysed(review.at).filter(|_| !waits);
        analysis.ask(position.map(|position| Question { number: review.question, position }));
    }

    /// Turns to the next position, or ends the review.
    fn review_next(&mut self, now: Duration) {
        let Self { review: Some(review), play, .. } = self else { return };
        if review.is_known() {
            review.findings.insert(review.at, std::mem::take(&mut review.lines));
        }
        review.lines.clear();
        let next = (review.first..review.at).rev().find_map(|at| Some((at, play.analysed(at)?)));
        let Some((at, position)) = next else {
            review.conclude(play.as_ref());
            return;
        };
        (review.at, review.began) = (at, now);
        review.question += 1;
        if let Some(analysis) = &review.analysis {
            analysis.ask(Some(Question { number: review.question, position }));
        }
    }

    /// Handles a finding of the review. `None` if the analysis is another one; true if there is something new to see.
    pub(super) fn review_found(
        &mut self,
        number: u64,
        question: u64,
        finding: &Finding,
        now: Duration,
    ) -> Option<bool> {
        let review = self.review.as_mut().filter(|review| review.number == number)?;
        match finding {
            Err(Trouble::Interrupted) => {
                // It made room: another one begins when somebody comes.
                self.rest_review();
                return Some(true);
            }
            Err(_) => {
                (review.analysis, review.is_broken) = (None, true);
                return Some(true);
            }
            Ok(_) if review.question != question || review.analysis.is_none() => return Some(false),
            Ok(None) => {}
            Ok(Some(info)) => {
                let slot = info.rank - 1;
                if slot == 0 {
                    review.lines.clear();
                }
                if slot == review.lines.len() {
                    review.lines.push(info.clone());
                }
            }
        }
        if !review.is_enough(now) {
            return Some(false);
        }
        // A picture for every tenth position: the others change a number only.
        let is_shown = review.at.is_multiple_of(10);
        self.review_next(now);
        Some(is_shown || self.review.as_ref().is_some_and(|review| review.analysis.is_none()))
    }
}

#[cfg(test)]
mod tests;
