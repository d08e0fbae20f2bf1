//! A hint: the analysis's best move after a second, whoever the opponent is.

use super::{Fault, Inner, Room};
use crate::analysis::{Analysis, Question};
use crate::engine::{BUSY, own_folder};
use courses::fault::Trouble;
use std::sync::Arc;
use std::time::{Duration, Instant};
use wire::analysis::Info;

/// The time that the analysis has for a hint.
const THINKS: Duration = Duration::from_secs(1);

impl Room {
    /// Asks for a hint: the answer of the analysis that is on, if it has had its time, else that of one begun for it.
    ///
    /// # Errors
    /// When there is no place for another engine.
    pub(super) fn ask_for_hint(self: &Arc<Self>, inner: &mut Inner) -> Result<(), &'static str> {
        let length = inner.play.moves().len();
        // The engine of the hint before makes room.
        inner.hinting = None;
        if let Some(study) = inner.study.as_ref().filter(|study| study.at == length)
            && let Some(best) = study.best_after(THINKS)
        {
            inner.hint = Some((length, best));
            return Ok(());
        }
        let Some(position) = inner.play.analysed(length) else { return Ok(()) };
        let place = self.place().ok_or(BUSY)?;
        let room = Arc::downgrade(self);
        inner.hints += 1;
        let number = inner.hints;
        let began = Instant::now();
        let mut best = None;
        let told = move |found: Result<Option<Info>, Trouble>, _| {
            let done = match found {
                Ok(info) => {
                    let first =
                        info.filter(|info| info.rank == 1).and_then(|info| info.line.into_iter().next());
                    best = first.or(best.take());
                    let Some(text) = best.take_if(|_| began.elapsed() >= THINKS) else { return };
                    Ok(text)
                }
                Err(error) => Err(error),
            };
            let Some(room) = room.upgrade() else { return };
            let mut inner = room.lock();
            // The game has gone elsewhere, or somebody asked again.
            if inner.hinting.as_ref().is_none_or(|(asked, _)| *asked != number) {
                return;
            }
            match done {
                Ok(text) => inner.hint = Some((length, text)),
                Err(error) => inner.fault = Some(Fault::Failed(error.to_string())),
            }
            inner.hinting = None;
            drop(inner);
            room.bump();
        };
        let analysis = Analysis::begin(inner.play.game(), own_folder(), place, Box::new(told)).ok_or(BUSY)?;
        analysis.ask(Some(Question { number: 1, position }));
        inner.hinting = Some((number, analysis));
        Ok(())
    }
}
