//! The analysis of the position shown, and of the whole game for its graph.

use super::hint::TIME;
use super::{Analysis, Asker, Browser, Fault, Finding, Host, Question, Refusal, Session, Threads, memory};
use crate::session::people::Own;
use courses::fault::Trouble;
use courses::play::Play;
use std::collections::{BTreeMap, HashMap};
use std::time::Duration;
use wire::analysis::{Info, Value};

/// The time for each position of the whole game.
const ENOUGH: Duration = Duration::from_millis(300);
/// The time for which a position that is looked at has the processors without the review of the game.
const FIRST: Duration = Duration::from_secs(3);
/// The same while the engine has found nothing, because it starts or the processors are busy.
const FIRST_LINE: Duration = Duration::from_secs(30);
/// Maximum number of positions whose lines are remembered.
const REMEMBERED: usize = 500;
/// Minimum interval between news of the same position.
const BETWEEN: Duration = Duration::from_millis(150);

/// The findings of an analysis.
#[derive(Debug)]
pub struct Study {
    analysis: Box<dyn Analysis>,
    number: u64,
    /// The ply that is analysed.
    pub at: usize,
    /// The best lines there, best first.
    pub lines: Vec<Info>,
    /// The value for the side to move, by ply.
    pub values: BTreeMap<usize, Info>,
    /// The ply that a visitor sees.
    pub focus: usize,
    /// True while the whole game is analysed.
    pub whole: bool,
    began: Duration,
    told: Duration,
    /// True if something was found since `told`.
    untold: bool,
    text: Option<String>,
    /// The lines found in earlier positions, by the text of each.
    known: HashMap<String, Vec<Info>>,
    /// True while the lines are those of an earlier search.
    is_known: bool,
    /// The number of the current position. A finding about an earlier one is dropped.
    question: u64,
}

impl Study {
    fn new(analysis: Box<dyn Analysis>, number: u64, now: Duration) -> Self {
        Self {
            analysis,
            number,
            at: usize::MAX,
            lines: Vec::new(),
            values: BTreeMap::new(),
            focus: 0,
            whole: false,
            began: now,
            told: now,
            untold: false,
            text: None,
            known: HashMap::new(),
            is_known: false,
            question: 0,
        }
    }

    /// Returns its memory in bytes, roughly.
    pub(super) fn memory(&self) -> usize {
        let texts: usize = self.known.keys().chain(&self.text).map(String::len).sum();
        let lines = self.known.values().flatten().chain(&self.lines).chain(self.values.values());
        texts + memory::of_lines(lines)
    }

    /// Analyses another position; `text` is `None` where the game is over. The lines of an earlier search of it are shown
    /// until the new one has seen more.
    fn turn_to(&mut self, at: usize, text: Option<String>, now: Duration) {
        if self.at == at && self.text == text {
            return;
        }
        self.at = at;
        let lines = std::mem::take(&mut self.lines);
        if let Some(before) = self.text.take().filter(|_| !lines.is_empty()) {
            if self.known.len() >= REMEMBERED {
                self.known.clear();
            }
            self.known.insert(before, lines);
        }
        self.lines = text.as_ref().and_then(|text| self.known.remove(text)).unwrap_or_default();
        self.is_known = !self.lines.is_empty();
        self.values.extend(self.lines.first().map(|best| (at, best.clone())));
        self.began = now;
        self.text.clone_from(&text);
        self.question += 1;
        let number = self.question;
        self.analysis.ask(text.map(|position| Question { number, position }));
    }

    /// Analyses the position once more, from its beginning.
    fn ask_again(&mut self, now: Duration) {
        let (at, text) = (self.at, self.text.take());
        self.at = usize::MAX;
        self.lines.clear();
        self.turn_to(at, text, now);
    }

    /// Returns the threads of the analysis.
    pub(super) fn threads(&self) -> Threads {
        self.analysis.threads()
    }

    /// Stores a finding. Returns true if it is time to show the news.
    fn note(&mut self, question: u64, info: Option<Info>, now: Duration) -> bool {
        if question != self.question {
            return false;
        }
        let is_quiet = info.is_none();
        let is_old = |info: &Info| self.lines.first().is_some_and(|known| sees_no_more(info, known));
        let is_kept = |info: &Info| self.is_known && (info.rank > 1 || is_old(info));
        if let Some(info) = info.filter(|info| !is_kept(info)) {
            if std::mem::take(&mut self.is_known) {
                self.lines.clear();
            }
            self.untold = true;
            if info.rank == 1 {
                self.values.insert(self.at, info.clone());
            }
            let slot = info.rank - 1;
            if slot < self.lines.len() {
                self.lines[slot] = info;
            } else if slot == self.lines.len() {
                self.lines.push(info);
            }
        }
        let due = self.untold && (is_quiet || now.saturating_sub(self.told) >= BETWEEN);
        if due {
            self.told = now;
            self.untold = false;
        }
        due
    }

    /// Returns the best move of the position, if it was analysed for `time`.
    pub(super) fn best_after(&self, time: Duration, now: Duration) -> Option<String> {
        let best = self.lines.first()?.line.first()?;
        (now.saturating_sub(self.began) >= time).then(|| best.clone())
    }

    /// Returns the best move after `at` moves, if the search of that position took as long as one for a hint.
    pub(super) fn settled(&self, at: usize) -> Option<&str> {
        let best =
            self.lines.first().filter(|best| self.at == at && u128::from(best.millis) >= TIME.as_millis())?;
        best.line.first().map(String::as_str)
    }

    /// Returns the number of positions that have a value, and of those that can have one.
    #[must_use]
    pub fn progress(&self, play: &dyn Play) -> (usize, usize) {
        let all = (0..=play.moves().len()).filter(|at| play.analysed(*at).is_some());
        (all.clone().filter(|at| self.values.contains_key(at)).count(), all.count())
    }

    /// Returns true while the review of the game must wait: the whole game is analysed, or a position that was looked at
    /// a moment ago.
    pub(super) fn is_first(&self, now: Duration) -> bool {
        let most = if self.lines.is_empty() { FIRST_LINE } else { FIRST };
        self.text.is_some() && (self.whole || now.saturating_sub(self.began) < most)
    }

    /// Returns true if the position was analysed long enough for the graph.
    fn is_enough(&self, now: Duration) -> bool {
        let is_known = self.values.contains_key(&self.at);
        now.saturating_sub(self.began) >= ENOUGH && is_known || self.text.is_none()
    }
}

/// Returns true if a line is of a search that is no larger than that of a known one, and not decided.
fn sees_no_more(info: &Info, known: &Info) -> bool {
    let is_estimate = matches!(info.value, Value::Points(_));
    is_estimate && info.depth <= known.depth && info.nodes <= known.nodes
}

impl Session {
    /// Analyses every position of the game for a browser, or stops and returns to the position that it sees.
    ///
    /// # Errors
    /// [`Refusal::Busy`].
    pub(super) fn study_whole(
        &mut self,
        on: bool,
        at: usize,
        by: &Browser,
        host: &dyn Host,
    ) -> Result<(), Refusal> {
        if on && !self.studies(by) {
            self.begin_study(at, by, host)?;
        }
        if !on {
            self.look(at, by, host.now());
        } else if let Some(study) = &mut self.own(by).study {
            study.whole = true;
            self.study_next(by, host.now());
        }
        Ok(())
    }

    /// Starts an analysis with the threads that a browser has chosen, and returns it with its number.
    pub(super) fn begin_analysis(
        &mut self,
        asker: Asker,
        by: &Browser,
        host: &dyn Host,
    ) -> Result<(u64, Box<dyn Analysis>), Refusal> {
        self.analyses += 1;
        let number = self.analyses;
        let analysis = host.analysis(self.play.game(), asker, number).ok_or(Refusal::Busy)?;
        self.own(by).threads.into_iter().for_each(|count| analysis.use_threads(count));
        Ok((number, analysis))
    }

    /// Starts the analysis of the position after `at` moves.
    ///
    /// # Errors
    /// [`Refusal::Busy`].
    pub(super) fn begin_study(&mut self, at: usize, by: &Browser, host: &dyn Host) -> Result<(), Refusal> {
        let (number, analysis) = self.begin_analysis(Asker::Study, by, host)?;
        self.own(by).study = Some(Study::new(analysis, number, host.now()));
        self.look(at, by, host.now());
        Ok(())
    }

    /// Analyses the position after `at` moves for a browser, if its analysis is on.
    pub(super) fn look(&mut self, at: usize, by: &Browser, now: Duration) {
        let Self { own, play, .. } = self;
        let Some(study) = own.get_mut(by).and_then(|own| own.study.as_mut()) else { return };
        study.whole = false;
        study.focus = at;
        study.turn_to(at, play.analysed(at), now);
    }

    /// Lets a browser's analysis follow a page that it opens at a ply. One of the whole game goes on, and returns there.
    pub fn turn_to(&mut self, at: usize, by: &Browser, now: Duration) {
        match self.own.get_mut(by).and_then(|own| own.study.as_mut()) {
            Some(study) if study.whole => study.focus = at,
            Some(_) => self.look(at, by, now),
            None => {}
        }
    }

    /// Chooses the number of threads of a browser's analysis, which begins again.
    pub(super) fn use_threads(&mut self, count: usize, by: &Browser, now: Duration) {
        let own = self.own(by);
        own.threads = Some(count.max(1));
        if let Some(study) = &mut own.study {
            study.analysis.use_threads(count.max(1));
            study.ask_again(now);
        }
    }

    /// Lets the analyses follow a change of the game, which had `before` moves: those of `by`, and those of visitors
    /// who saw the last position. One who looks back keeps the position.
    pub(super) fn follow(&mut self, before: usize, by: Option<&Browser>, now: Duration) {
        let length = self.play.moves().len();
        let follows =
            |browser: &Browser, study: &Study| Some(browser) == by || study.focus >= before.min(length);
        let studies = self.own.iter().filter_map(|(browser, own)| Some((browser, own.study.as_ref()?)));
        let studies = studies.filter(|(browser, study)| follows(browser, study));
        let browsers: Vec<Browser> = studies.map(|(browser, _)| browser.clone()).collect();
        browsers.iter().for_each(|browser| self.look(length, browser, now));
    }

    pub(super) fn study_found(
        &mut self,
        number: u64,
        question: u64,
        finding: Finding,
        host: &dyn Host,
    ) -> bool {
        let is_asked = |own: &Own| own.study.as_ref().is_some_and(|study| study.number == number);
        let Some((by, own)) = self.own.iter_mut().find(|(_, own)| is_asked(own)) else { return false };
        let (by, Some(study)) = (by.clone(), &mut own.study) else { return false };
        let news = match finding {
            Ok(info) => {
                let news = study.note(question, info, host.now());
                own.news += u64::from(news);
                news
            }
            Err(error) => {
                own.study = None;
                own.news += 1;
                // The game does not stop for those who watch, nor for an analysis that made room.
                if self.settings.takes_part(&by) && !matches!(error, Trouble::Interrupted) {
                    self.fault = Some(Fault::Failed(error.to_string()));
                }
                true
            }
        };
        self.study_next(&by, host.now());
        news
    }

    /// In an analysis of the whole game, turns to the next position without a value.
    pub(super) fn study_next(&mut self, by: &Browser, now: Duration) {
        let Self { own, play, .. } = self;
        let Some(study) = own.get_mut(by).and_then(|own| own.study.as_mut()) else { return };
        if !study.whole || !study.is_enough(now) {
            return;
        }
        let length = play.moves().len();
        let next = (0..=length).find(|at| !study.values.contains_key(at) && play.analysed(*at).is_some());
        let at = next.unwrap_or_else(|| study.focus.min(length));
        study.whole = next.is_some();
        study.turn_to(at, play.analysed(at), now);
    }
}
