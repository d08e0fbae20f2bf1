//! The analysis of the position that is looked at, and of the whole game for its graph.

use super::{Inner, Room};
use crate::analysis::{Analysis, Study};
use std::sync::Arc;

impl Room {
    pub(super) fn begin_study(self: &Arc<Self>, inner: &mut Inner, at: usize) {
        let room = Arc::downgrade(self);
        let told = move |found: Result<Option<wire::analysis::Info>, String>, at: usize| {
            if let Some(room) = room.upgrade() {
                room.found(found, at);
            }
        };
        let analysis = Analysis::begin(inner.play.game(), crate::engine::own_folder(), Box::new(told));
        inner.study = Some(Study::new(analysis));
        self.look(inner, at);
    }

    /// The analysis turns to the position behind `at` moves.
    pub(super) fn look(&self, inner: &mut Inner, at: usize) {
        let Inner { study: Some(study), play, .. } = inner else { return };
        study.whole = false;
        study.focus = at;
        study.turn_to(at, play.analysed(at));
    }

    /// The analysis has something to tell, on its own thread.
    fn found(self: &Arc<Self>, found: Result<Option<wire::analysis::Info>, String>, at: usize) {
        let mut inner = self.lock();
        let Some(study) = &mut inner.study else { return };
        let news = match found {
            Ok(info) => study.note(at, info),
            Err(error) => {
                inner.study = None;
                inner.fault = Some(error);
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
