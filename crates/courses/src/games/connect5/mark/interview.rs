//! Asks questions as the course's tool does: in one process, with every line as an answer.

use crate::course::{Conditions, GameSetup, OpeningSet, in_time};
use crate::duel::{Answer, Driver, MoveClock, Players, Question, Rules as _};
use crate::fault::{Fault, Kind, Trouble};
use crate::games::connect5::{self, Connect5, Dialogue};
use crate::marking::{Criterion, Item, Marker, Patience, Remarks};
use connect5_joueur::rules::{Cell, Position};
use std::sync::atomic::Ordering;
use std::time::Duration;

/// The remark on a tolerated late answer.
pub const LATE: &str = "an answer after its time, within the half that the course tolerates";

/// Maximum number of questions asked again, each in its own process.
const AGAIN: usize = 5;

/// Asks all `questions` of a criterion, each with a name. `wrong` returns what is wrong with a legal answer. Wrong
/// answers are asked again in fresh processes, to explain them without changing the points.
pub fn hold(
    marker: &Marker<'_>,
    criterion: Criterion,
    time: Duration,
    questions: &[(String, Position)],
    wrong: impl Fn(usize, Cell) -> Option<String>,
) -> Result<Item, Trouble> {
    let conditions = Conditions { time: Some(time), ..marker.conditions.clone() };
    let mut interview = Interview::new(marker, &conditions);
    let (mut notes, mut failed) = (Vec::new(), Vec::new());
    let mut has_board = false;
    for (nth, (name, position)) in questions.iter().enumerate() {
        let judged = match interview.ask(position)? {
            // The board of the first wrong move says enough.
            Ok(cell) => wrong(nth, cell).map(|wrong| {
                let board = if has_board { String::new() } else { format!("\n{}", board(position)) };
                has_board = true;
                wrong + board.trim_end()
            }),
            Err(unanswered) => {
                if matches!(&unanswered, Unanswered::Fault(fault) if fault.kind.is_of_time()) {
                    marker.is_by_the_clock.set(true);
                }
                Some(unanswered.to_string())
            }
        };
        if let Some(problem) = judged {
            notes.push(format!("{name}: {problem}"));
            failed.push(nth);
        }
    }
    let remarks = std::mem::take(&mut interview.remarks);
    interview.close();
    let passed = questions.len() - failed.len();
    let mut item = criterion.share(passed, questions.len(), notes);
    // A sample spread over all failures.
    let step = failed.len().div_ceil(AGAIN).max(1);
    let (mut asked, mut right) = (0, 0);
    for &nth in failed.iter().step_by(step) {
        if marker.patience.is_over() {
            break;
        }
        asked += 1;
        let alone = alone(marker, &conditions, &questions[nth].1)?;
        right += usize::from(alone.is_ok_and(|cell| wrong(nth, cell).is_none()));
    }
    if right > 0 {
        let why = format!(
            "asked again, each in a fresh process: {right} of {asked} right; the course asks all in one process"
        );
        item.notes.insert(1, why);
    }
    Ok(item.with(remarks))
}

/// Draws the board of a question.
fn board(position: &Position) -> String {
    let geometry = position.geometry();
    Connect5::new(geometry.rows(), geometry.columns(), OpeningSet::single("")).picture(position)
}

/// The reason why a question has no valid answer.
#[derive(Debug, thiserror::Error)]
enum Unanswered {
    #[error("not asked")]
    NoDialogue,
    #[error("not asked: it hung before")]
    HungBefore,
    #[error("not asked: it had ended at question {0}")]
    Ended(usize),
    #[error(transparent)]
    Fault(#[from] Fault),
}

/// A dialogue over several questions.
struct Interview<'a> {
    marker: &'a Marker<'a>,
    conditions: &'a Conditions,
    clock: MoveClock,
    open: Option<Dialogue<'a>>,
    /// Number of questions asked.
    asked: usize,
    /// The number of the question at which the player ended.
    over: Option<usize>,
    remarks: Remarks,
}

impl<'a> Interview<'a> {
    fn new(marker: &'a Marker<'a>, conditions: &'a Conditions) -> Self {
        let clock = MoveClock::of(conditions).tolerant();
        let remarks = Remarks::default();
        Self { marker, conditions, clock, open: None, asked: 0, over: None, remarks }
    }

    /// Asks for a move. Returns it, or what was wrong with the answer.
    fn ask(&mut self, position: &Position) -> Result<Result<Cell, Unanswered>, Trouble> {
        if self.marker.patience.is_over() {
            return Ok(Err(Unanswered::HungBefore));
        }
        if let Some(question) = self.over {
            return Ok(Err(Unanswered::Ended(question)));
        }
        self.asked += 1;
        if self.open.is_none() {
            let setup = setup(self.marker, self.conditions);
            match connect5::dialogue(&setup, self.marker.player, 0) {
                Ok(Some(dialogue)) => self.open = Some(dialogue.reading_all()),
                // An engine of another protocol cannot change its grid.
                Ok(None) => return alone(self.marker, self.conditions, position),
                Err(trouble) => return self.failed(trouble, false),
            }
            let greeted = self.open.as_mut().map(|open| open.greet(in_time(self.conditions.start_up)));
            if let Some(Err(trouble)) = greeted {
                return self.failed(trouble.at_start(), false);
            }
        }
        let Some(open) = &mut self.open else { return Ok(Err(Unanswered::NoDialogue)) };
        let Answer { mv, time, .. } = match open.choose(&Question::new(position, &[], &self.clock)) {
            Ok(answer) => answer,
            Err(trouble) => return self.failed(trouble, true),
        };
        let (unreadable, remarks) = open.take_notes();
        self.remarks.extend(remarks.into_iter().map(str::to_owned));
        self.marker.patience.hear(false);
        let mut clock = self.clock.clone();
        if let Err(late) = clock.used(time) {
            return Ok(Err(late.into()));
        }
        if clock.allowance() < self.clock.allowance() {
            self.marker.is_by_the_clock.set(true);
            self.remarks.extend([LATE.to_owned()]);
        }
        match unreadable {
            // An answer that a game would tolerate counts as wrong here, unless only one cell is free.
            Some(note) if position.cells().filter(|&cell| position.is_free(cell)).count() > 1 => {
                Ok(Err(note.into()))
            }
            Some(note) => {
                self.remarks.extend([note.to_string()]);
                Ok(Ok(mv))
            }
            None => Ok(Ok(mv)),
        }
    }

    /// Handles a missing answer. A process that hung is restarted, one that ended answers no more, and one that is
    /// ready continues.
    fn failed(&mut self, trouble: Trouble, is_ready: bool) -> Result<Result<Cell, Unanswered>, Trouble> {
        let Trouble::Fault(fault) = trouble else { return Err(trouble) };
        let hung = Patience::is_tried_by(&fault);
        self.marker.patience.hear(hung);
        if fault.kind == Kind::Crash {
            self.marker.crashes.fetch_add(1, Ordering::Relaxed);
        }
        let is_open = self.open.as_ref().is_some_and(Dialogue::is_open);
        let can_go_on = is_ready && is_open && matches!(fault.kind, Kind::IllegalMove | Kind::ProtocolError);
        if can_go_on {
            if let Some(open) = &mut self.open {
                open.take_notes();
            }
            return Ok(Err(fault.into()));
        }
        if !hung {
            self.over = Some(self.asked);
        }
        Ok(Err(self.close().map_or(fault.clone(), |errors| fault.quoting(&errors)).into()))
    }

    /// Ends the dialogue. Returns the end of the player's standard error.
    fn close(&mut self) -> Option<String> {
        self.open.take().map(|open| Box::new(open).end().errors)
    }
}

fn setup<'a>(marker: &'a Marker<'a>, conditions: &'a Conditions) -> GameSetup<'a> {
    GameSetup {
        players: vec![marker.player],
        opening: "",
        seed: marker.seed,
        conditions,
        supervisor: marker.supervisor,
        processor: None,
        observer: None,
    }
}

/// Sends one request to a fresh process. Returns the answer, or what was wrong with it.
fn alone(
    marker: &Marker<'_>,
    conditions: &Conditions,
    position: &Position,
) -> Result<Result<Cell, Unanswered>, Trouble> {
    let geometry = position.geometry();
    let (rows, columns) = (geometry.rows(), geometry.columns());
    let game = Connect5::new(rows, columns, OpeningSet::single(""));
    let opening = format!("{rows}x{columns}");
    let setup = GameSetup { opening: &opening, ..setup(marker, conditions) };
    let mut clock = game.clock(conditions);
    let question = Question::new(position, &[], &clock);
    let asked = game.driver(&setup, marker.player, 0).and_then(|mut driver| {
        let greeted = driver.greet(in_time(conditions.start_up)).map_err(Trouble::at_start);
        let answer = greeted.and_then(|()| driver.choose(&question));
        let mut ended = driver.end();
        match (answer, ended.notes.pop()) {
            (Err(Trouble::Fault(fault)), _) => Err(fault.quoting(&ended.errors).into()),
            // An answer that a game would tolerate counts as wrong here.
            (_, Some(note)) => Err(note.into()),
            (answer, None) => answer,
        }
    });
    let fault = |kinds: fn(&Fault) -> bool| matches!(&asked, Err(Trouble::Fault(fault)) if kinds(fault));
    marker.patience.hear(fault(Patience::is_tried_by));
    if fault(|fault| fault.kind == Kind::Crash) {
        marker.crashes.fetch_add(1, Ordering::Relaxed);
    }
    match asked {
        Ok(answer) => Ok(match clock.used(answer.time) {
            Ok(()) => Ok(answer.mv),
            Err(late) => Err(late.into()),
        }),
        Err(Trouble::Fault(fault)) => Ok(Err(fault.into())),
        Err(trouble) => Err(trouble),
    }
}
