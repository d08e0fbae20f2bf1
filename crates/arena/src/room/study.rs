//! The analysis of the position that is looked at, and of the whole game for its graph.

use super::{Fault, Inner, Room};
use crate::analysis::{Analysis, Study};
use crate::engine::{BUSY, own_folder};
use courses::fault::Trouble;
use std::sync::Arc;
use wire::analysis::Info;

impl Room {
    /// Begins to analyse the position after `at` moves.
    ///
    /// # Errors
    /// When there is no place for another engine.
    pub(super) fn begin_study(self: &Arc<Self>, inner: &mut Inner, at: usize) -> Result<(), &'static str> {
        let place = self.place().ok_or(BUSY)?;
        let room = Arc::downgrade(self);
        inner.studies += 1;
        let number = inner.studies;
        let told = move |found: Result<Option<Info>, Trouble>, question: u64| {
            if let Some(room) = room.upgrade() {
                room.found(number, question, found);
            }
        };
        let analysis = Analysis::begin(inner.play.game(), own_folder(), place, Box::new(told));
        inner.study = Some(Study::new(analysis.ok_or(BUSY)?));
        self.look(inner, at);
        Ok(())
    }

    /// Switches the analysis to the position after `at` moves.
    pub(super) fn look(&self, inner: &mut Inner, at: usize) {
        let Inner { study: Some(study), play, .. } = inner else { return };
        study.whole = false;
        study.focus = at;
        study.turn_to(at, play.analysed(at));
    }

    /// The analysis has something to tell, on its own thread.
    fn found(self: &Arc<Self>, number: u64, question: u64, found: Result<Option<Info>, Trouble>) {
        let mut inner = self.lock();
        if inner.studies != number {
            return;
        }
        let Some(study) = &mut inner.study else { return };
        let news = match found {
            Ok(info) => study.note(question, info),
            Err(error) => {
                inner.study = None;
                inner.fault = Some(Fault::Failed(error.to_string()));
                true
            }
        };
        self.study_next(&mut inner);
        drop(inner);
        if news {
            self.bump();
        }
    }

    /// The whole game is looked through: the next position without a value, once this one has been looked at enough.
    pub(super) fn study_next(self: &Arc<Self>, inner: &mut Inner) {
        let Inner { study: Some(study), play, .. } = inner else { return };
        if !study.whole || !study.is_enough() {
            return;
        }
        let next = (0..=play.moves().len())
            .find(|at| !study.values.contains_key(at) && play.analysed(*at).is_some());
        match next {
            Some(at) => {
                let text = play.analysed(at);
                study.turn_to(at, text);
            }
            None => {
                study.whole = false;
                let at = study.focus.min(play.moves().len());
                study.turn_to(at, play.analysed(at));
            }
        }
    }
}
