//! The engines of a session: on its seats, for its analysis and its hints.

use super::{Answered, Conversation, Fault, LONGEST, Seat, Session, Spec};
use courses::fault::Trouble;
use courses::registry::Game;
use std::fmt::Debug;
use std::time::Duration;
use wire::analysis::Info;

/// An engine on a seat: a process, or a player in this one. Dropping it ends it.
pub trait Engine: Debug + Send {
    /// Requests the next move after `moves`, all those of the game. Returns false if it was ended meanwhile, so that another
    /// one could begin: it answers nothing.
    fn ask(&self, moves: &[String]) -> bool;
}

/// An engine that analyses a position until it gets another one. Dropping it ends it.
pub trait Analysis: Debug + Send {
    /// Changes the position; `None` stops the analysis.
    fn ask(&self, question: Option<Question>);

    /// Chooses the number of threads for the next questions.
    fn use_threads(&self, _: usize) {}

    /// Returns the threads of the analysis.
    fn threads(&self) -> Threads {
        Threads::default()
    }
}

/// The threads of an analysis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Threads {
    /// The number in use.
    pub used: usize,
    /// The number chosen. Fewer are used while an engine plays.
    pub chosen: usize,
    /// The largest number that may be chosen.
    pub most: usize,
}

impl Default for Threads {
    fn default() -> Self {
        Self { used: 1, chosen: 1, most: 1 }
    }
}

/// A position for an analysis.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    /// The number of the question, repeated in its findings.
    pub number: u64,
    /// The position in the text of the player's analysis.
    pub position: String,
}

/// A line of an analysis, or its fault; `None` after an interval without news.
pub type Finding = Result<Option<Info>, Trouble>;

/// The part of a session that asked for an analysis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asker {
    /// The analysis that visitors see.
    Study,
    /// A hint.
    Hint,
}

/// The world outside a session: time and engines.
pub trait Host {
    /// Returns the time since a fixed moment.
    fn now(&self) -> Duration;

    /// Starts the engine of a seat, by its conversation as a process or by its definition in this process; `None` if no
    /// further one can be started. Its answers go to [`Session::arrived`] and [`Session::answered`] with the same seat
    /// and question.
    fn engine(
        &self,
        conversation: Conversation,
        spec: &Spec,
        seat: usize,
        question: u64,
    ) -> Option<Box<dyn Engine>>;

    /// Starts the analysis of a game; `None` if no further one can be started. Its findings go to [`Session::found`]
    /// with the same asker and number.
    fn analysis(&self, game: Game, asker: Asker, number: u64) -> Option<Box<dyn Analysis>>;
}

/// The browsers that see an effect of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum News {
    /// No browser.
    Nothing,
    /// The browser that asked for the analysis.
    ForOne,
    /// Every browser.
    ForAll,
}

impl Session {
    /// Lets the engine of the current turn think, unless the engines wait. After the end they have nothing to do, and
    /// leave the processors to the analyses.
    pub(super) fn advance(&mut self, host: &dyn Host) {
        if self.over().is_some() {
            self.engines.iter_mut().for_each(|engine| *engine = None);
        }
        if !self.paused {
            self.think(host);
        }
    }

    pub(super) fn think(&mut self, host: &dyn Host) {
        let length = self.play.moves().len();
        if self.thinking.is_some() || self.fault.is_some() || self.over().is_some() || length >= LONGEST {
            return;
        }
        let Some(seat) = self.play.mover(length) else { return };
        let Seat::Engine(spec) = &self.settings.seats[seat] else { return };
        let is_asked = |engine: &Option<Box<dyn Engine>>| {
            engine.as_ref().is_some_and(|engine| engine.ask(self.play.moves()))
        };
        if !is_asked(&self.engines[seat]) {
            // The one that was ended gives its place back first.
            self.engines[seat] = None;
            self.engines[seat] = host.engine(self.play.engine(spec, seat), spec, seat, self.question);
            if !is_asked(&self.engines[seat]) {
                self.fault = Some(Fault::Busy);
                return;
            }
        }
        self.thinking = Some(seat);
        self.asked = host.now();
    }

    fn is_asked(&self, seat: usize, question: u64) -> bool {
        self.question == question && self.thinking == Some(seat)
    }

    /// Stops the clock for an answer, and returns the time to wait before it is played.
    pub fn arrived(&mut self, seat: usize, question: u64, now: Duration) -> Duration {
        if !self.is_asked(seat, question) {
            return Duration::ZERO;
        }
        self.clock.turn(false, now);
        Duration::from_millis(self.settings.pace).saturating_sub(now.saturating_sub(self.asked))
    }

    /// Plays an engine's answer. Returns false if the question is no longer asked.
    pub fn answered(&mut self, seat: usize, question: u64, answered: Answered, host: &dyn Host) -> bool {
        if !self.is_asked(seat, question) {
            return false;
        }
        self.thinking = None;
        let before = self.play.moves().len();
        let played = match answered {
            Ok((text, _)) => {
                self.try_put(&text, host.now()).map_err(|error| Fault::Failed(error.to_string()))
            }
            Err(Trouble::Interrupted) => Err(Fault::Busy),
            Err(trouble) => Err(Fault::Failed(trouble.to_string())),
        };
        match played {
            Ok(()) => self.undone.clear(),
            Err(fault) => {
                self.fault = Some(fault);
                self.engines[seat] = None;
            }
        }
        self.follow(before, None, host.now());
        self.advance(host);
        self.review(host);
        self.tick(host.now());
        true
    }

    /// Handles a finding of an analysis. Returns the browsers for which there is something new to see.
    pub fn found(
        &mut self,
        asker: Asker,
        number: u64,
        question: u64,
        finding: Finding,
        host: &dyn Host,
    ) -> News {
        if let Some(is_news) = self.review_found(number, question, &finding, host.now()) {
            return if is_news { News::ForAll } else { News::Nothing };
        }
        let is_news = match asker {
            Asker::Study => self.study_found(number, question, finding, host),
            Asker::Hint => self.hint_found(number, finding, host),
        };
        self.share(host.now());
        match is_news {
            false => News::Nothing,
            // A failed engine stops the game.
            true if self.fault.is_some() => News::ForAll,
            true => News::ForOne,
        }
    }

    /// Ends the engines on the seats and those of hints.
    pub fn stop_engines(&mut self) {
        self.engines.iter_mut().for_each(|engine| *engine = None);
        self.own.values_mut().for_each(|own| own.hinting = None);
        self.thinking = None;
        self.question += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::{Settings, Strength, own};
    use courses::play;
    use courses::registry;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};

    /// An engine that answers one question.
    #[derive(Debug)]
    struct Fake(#[allow(dead_code, reason = "its owners are counted")] Arc<()>, AtomicBool);

    impl Engine for Fake {
        fn ask(&self, _: &[String]) -> bool {
            !self.1.swap(true, Ordering::Relaxed)
        }
    }

    struct Still(Arc<()>);

    impl Host for Still {
        fn now(&self) -> Duration {
            Duration::ZERO
        }

        fn engine(&self, _: Conversation, _: &Spec, _: usize, _: u64) -> Option<Box<dyn Engine>> {
            Some(Box::new(Fake(Arc::clone(&self.0), AtomicBool::new(false))))
        }

        fn analysis(&self, _: Game, _: Asker, _: u64) -> Option<Box<dyn Analysis>> {
            None
        }
    }

    #[test]
    fn an_engine_that_was_ended_begins_again_at_its_turn() {
        let (game, host) = (registry::find("othello").unwrap(), Still(Arc::default()));
        let opening = play::start(game, "", 2).unwrap();
        let seats = vec![Seat::Engine(own(game, Strength::Level(1), 1)), Seat::Person];
        let play = play::open(game, &opening, 2).unwrap();
        let mut session = Session::new(play, Settings { seats, ..Settings::default() });
        session.wake(&host);
        assert!(session.answered(0, 0, Ok(("f5".to_owned(), Duration::ZERO)), &host));
        session.try_put("d6", Duration::ZERO).unwrap();
        session.advance(&host);
        assert_eq!((session.thinking, &session.fault), (Some(0), &None));
        assert_eq!(Arc::strong_count(&host.0), 2, "one at a time");
        // It makes room while it thinks.
        assert!(session.answered(0, 0, Err(Trouble::Interrupted), &host));
        assert_eq!((session.thinking, &session.fault), (None, &Some(Fault::Busy)));
        assert_eq!(Arc::strong_count(&host.0), 1);
    }

    #[test]
    fn an_engine_ends_with_its_game() {
        let (game, host) = (registry::find("othello").unwrap(), Still(Arc::default()));
        let opening = play::start(game, &format!("{}O- X", "X".repeat(62)), 2).unwrap();
        let seats = vec![Seat::Engine(own(game, Strength::Level(1), 1)), Seat::Person];
        let play = play::open(game, &opening, 2).unwrap();
        let mut session = Session::new(play, Settings { seats, ..Settings::default() });
        session.wake(&host);
        assert_eq!(Arc::strong_count(&host.0), 2, "it thinks");
        assert!(session.answered(0, 0, Ok(("h8".to_owned(), Duration::ZERO)), &host));
        assert!(session.over().is_some());
        assert_eq!(Arc::strong_count(&host.0), 1);
    }
}
