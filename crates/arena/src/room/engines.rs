//! Who thinks in a room: the engines on its seats, and the one that is asked for a hint.

use super::{Fault, Inner, LONGEST, Room, Seat};
use crate::engine::{Answered, Engine};
use std::sync::Arc;
use std::time::{Duration, Instant};

impl Room {
    /// Lets the engine whose turn it is think.
    pub(super) fn advance(self: &Arc<Self>, inner: &mut Inner) {
        if !inner.paused {
            self.think(inner);
        }
    }

    pub(super) fn think(self: &Arc<Self>, inner: &mut Inner) {
        let length = inner.play.moves().len();
        if inner.thinking.is_some() || inner.fault.is_some() || inner.over().is_some() || length >= LONGEST {
            return;
        }
        let Some(seat) = inner.play.mover(length) else { return };
        let Seat::Engine(spec) = &inner.manner.seats[seat] else { return };
        if inner.engines[seat].is_none() {
            let Some(place) = self.place() else {
                inner.fault = Some(Fault::Busy);
                return;
            };
            let room = Arc::downgrade(self);
            let question = inner.question;
            let told = move |answered: Answered| {
                if let Some(room) = room.upgrade() {
                    room.answered(seat, question, answered);
                }
            };
            let engine = Engine::begin(inner.play.engine(spec, seat), Box::new(told)).at(place);
            if engine.has_failed() {
                inner.fault = Some(Fault::Busy);
                return;
            }
            inner.engines[seat] = Some(engine);
        }
        inner.thinking = Some(seat);
        inner.asked = Instant::now();
        let Inner { engines, play, .. } = inner;
        if let Some(engine) = &engines[seat] {
            engine.ask(play.moves());
        }
    }

    /// An engine has answered, on its own thread.
    fn answered(self: &Arc<Self>, seat: usize, question: u64, answered: Answered) {
        let wait = {
            let mut inner = self.lock();
            if inner.question == question && inner.thinking == Some(seat) {
                // The pace is who watches's, not the engine's.
                inner.clock.turn(false);
            }
            Duration::from_millis(inner.manner.pace).saturating_sub(inner.asked.elapsed())
        };
        std::thread::sleep(wait);
        let mut inner = self.lock();
        // The game has gone elsewhere: an answer to an old question.
        if inner.question != question || inner.thinking != Some(seat) {
            return;
        }
        inner.thinking = None;
        let before = inner.play.moves().len();
        match answered.map_err(anyhow::Error::from).and_then(|(text, _)| inner.try_put(&text)) {
            Ok(()) => inner.undone.clear(),
            Err(error) => {
                inner.fault = Some(Fault::Failed(error.to_string()));
                inner.engines[seat] = None;
            }
        }
        // Who looks at the last position sees the next; who looks back goes on with what he looks at.
        if inner.study.as_ref().is_some_and(|study| study.focus >= before) {
            let length = inner.play.moves().len();
            self.look(&mut inner, length);
        }
        self.advance(&mut inner);
        inner.tick();
        let over = inner.over().is_some();
        let now = over || inner.has_person();
        (self.keep)(&self.id, &mut inner, now);
        drop(inner);
        self.bump();
    }
}
