//! A hint: the analysis's best move after a second, whatever the opponent's level.

use super::{Asker, Browser, Fault, Finding, Host, Question, Refusal, Session};
use crate::session::people::{Hinting, Own};
use courses::fault::Trouble;
use std::time::Duration;

/// The time of an analysis for a hint.
pub(super) const TIME: Duration = Duration::from_secs(1);

impl Session {
    /// Asks for a hint: from the analysis that is on, if it has had its time, otherwise from another one.
    ///
    /// # Errors
    /// [`Refusal::Busy`].
    pub(super) fn ask_for_hint(&mut self, by: &Browser, host: &dyn Host) -> Result<(), Refusal> {
        let length = self.play.moves().len();
        // The engine of the previous hint makes room.
        let own = self.own(by);
        own.hinting = None;
        if let Some(study) = own.study.as_ref().filter(|study| study.at == length)
            && let Some(best) = study.best_after(TIME, host.now())
        {
            own.hint = Some((length, best));
            return Ok(());
        }
        let Some(position) = self.play.analysed(length) else { return Ok(()) };
        let (number, analysis) = self.begin_analysis(Asker::Hint, by, host)?;
        analysis.ask(Some(Question { number: 1, position }));
        let hinting = Hinting { number, began: host.now(), best: None, _analysis: analysis };
        self.own(by).hinting = Some(hinting);
        Ok(())
    }

    pub(super) fn hint_found(&mut self, number: u64, finding: Finding, host: &dyn Host) -> bool {
        let length = self.play.moves().len();
        let asks = |own: &Own| own.hinting.as_ref().is_some_and(|hinting| hinting.number == number);
        let Some((by, own)) = self.own.iter_mut().find(|(_, own)| asks(own)) else { return false };
        let Some(hinting) = &mut own.hinting else { return false };
        match finding {
            Ok(info) => {
                let best = info.filter(|info| info.rank == 1).and_then(|info| info.line.into_iter().next());
                hinting.best = best.or(hinting.best.take());
                let is_due = host.now().saturating_sub(hinting.began) >= TIME;
                let Some(best) = hinting.best.take_if(|_| is_due) else { return false };
                own.hint = Some((length, best));
            }
            // The game does not stop for those who watch, nor for an analysis that made room.
            Err(Trouble::Interrupted) => {}
            Err(error) if self.settings.takes_part(by) => self.fault = Some(Fault::Failed(error.to_string())),
            Err(_) => {}
        }
        own.hinting = None;
        own.news += 1;
        true
    }
}
