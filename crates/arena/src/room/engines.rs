//! Who thinks in a room: the engines on its seats, and the one that is asked for a hint.

use super::{Fault, Inner, LONGEST, Room, Seat};
use crate::engine::{Answered, BUSY, Spec};
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
            inner.engines[seat] = Some(inner.play.engine(&spec.clone(), seat, Box::new(told)).at(place));
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
        match answered.and_then(|(text, _)| inner.try_put(&text)) {
            Ok(()) => inner.undone.clear(),
            Err(error) => {
                inner.fault = Some(Fault::Failed(error));
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

    /// Asks for a hint.
    ///
    /// # Errors
    /// When there is no place for another engine.
    pub(super) fn ask_for_hint(
        self: &Arc<Self>,
        inner: &mut Inner,
        level: Option<u64>,
    ) -> Result<(), &'static str> {
        let length = inner.play.moves().len();
        let Some(seat) = inner.play.mover(length) else { return Ok(()) };
        // The engine of the hint before makes room.
        inner.hinting = None;
        let place = self.place().ok_or(BUSY)?;
        let other = inner.manner.seats.iter().find_map(|seat| match seat {
            Seat::Engine(spec) => Some(spec.folder.clone()),
            Seat::Person => None,
        });
        let spec = Spec {
            name: "hint".into(),
            player: None,
            strength: crate::engine::Strength::Level(level.unwrap_or(7).clamp(1, 10) as u8),
            seed: 1,
            folder: other.unwrap_or_else(crate::engine::own_folder),
            is_missing: false,
        };
        let room = Arc::downgrade(self);
        inner.hints += 1;
        let number = inner.hints;
        let told = move |answered: Answered| {
            let Some(room) = room.upgrade() else { return };
            let mut inner = room.lock();
            // The game has gone elsewhere, or somebody asked again.
            if inner.hinting.as_ref().is_none_or(|(asked, _)| *asked != number) {
                return;
            }
            match answered {
                Ok((text, _)) => inner.hint = Some((length, text)),
                Err(error) => inner.fault = Some(Fault::Failed(error)),
            }
            inner.hinting = None;
            drop(inner);
            room.bump();
        };
        let engine = inner.play.engine(&spec, seat, Box::new(told)).at(place);
        engine.ask(inner.play.moves());
        inner.hinting = Some((number, engine));
        Ok(())
    }
}
