//! A hint: the analysis's best move after a second, whatever the opponent's level.

use super::{Analysis, Asker, Fault, Finding, Host, Question, Refusal, Session};
use std::time::Duration;

/// The time of an analysis for a hint.
const TIME: Duration = Duration::from_secs(1);

/// A hint in preparation.
pub(super) struct Hinting {
    number: u64,
    began: Duration,
    best: Option<String>,
    _analysis: Box<dyn Analysis>,
}

impl Session {
    /// Asks for a hint: from the analysis that is on, if it has had its time, otherwise from another one.
    ///
    /// # Errors
    /// [`Refusal::Busy`].
    pub(super) fn ask_for_hint(&mut self, host: &dyn Host) -> Result<(), Refusal> {
        let length = self.play.moves().len();
        // The engine of the previous hint makes room.
        self.hinting = None;
        if let Some(study) = self.study.as_ref().filter(|study| study.at == length)
            && let Some(best) = study.best_after(TIME, host.now())
        {
            self.hint = Some((length, best));
            return Ok(());
        }
        let Some(position) = self.play.analysed(length) else { return Ok(()) };
        self.analyses += 1;
        let number = self.analyses;
        let analysis = host.analysis(self.play.game(), Asker::Hint, number).ok_or(Refusal::Busy)?;
        analysis.ask(Some(Question { number: 1, position }));
        self.hinting = Some(Hinting { number, began: host.now(), best: None, _analysis: analysis });
        Ok(())
    }

    pub(super) fn hint_found(&mut self, number: u64, finding: Finding, host: &dyn Host) -> bool {
        let Some(hinting) = self.hinting.as_mut().filter(|hinting| hinting.number == number) else {
            return false;
        };
        match finding {
            Ok(info) => {
                let best = info.filter(|info| info.rank == 1).and_then(|info| info.line.into_iter().next());
                hinting.best = best.or(hinting.best.take());
                let is_due = host.now().saturating_sub(hinting.began) >= TIME;
                let Some(best) = hinting.best.take_if(|_| is_due) else { return false };
                self.hint = Some((self.play.moves().len(), best));
            }
            Err(error) => self.fault = Some(Fault::Failed(error.to_string())),
        }
        self.hinting = None;
        true
    }
}
