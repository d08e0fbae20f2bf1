//! The actions of visitors in a session, and the reasons for a refusal.

use super::engines::Host;
use super::{Browser, LONGEST, Seat, Session};
use courses::drawing::Language;
use courses::play::Clicked;
use serde::{Deserialize, Serialize};

/// A request of a visitor. `at` is the ply shown; `None` means the latest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "lowercase")]
pub enum Action {
    /// Clicks a cell or a button, after the clicks of `path`.
    Press {
        /// The cell or word that was clicked.
        click: String,
        /// The clicks before it.
        #[serde(default)]
        path: Vec<String>,
        /// Ply shown.
        #[serde(default)]
        at: Option<usize>,
    },
    /// Takes moves back until it is the person's turn; asks for it where several people play.
    Undo,
    /// Answers another person who wants to take moves back.
    Agree {
        /// True to agree.
        on: bool,
    },
    /// Plays the moves that were taken back until it is a person's turn.
    Redo,
    /// Asks the analysis for the best move.
    Hint,
    /// Gives the game up.
    Resign,
    /// Exchanges the seats.
    Swap,
    /// Asks an engine again after a failure.
    Retry,
    /// Stops the engines, or lets them continue.
    Pause,
    /// Plays one move of the engine whose turn it is.
    Step,
    /// Sets the time between moves of engines.
    Pace {
        /// Milliseconds between two moves.
        millis: u64,
        /// Ply shown.
        #[serde(default)]
        at: Option<usize>,
    },
    /// Replaces the line shown by a variation.
    Line {
        /// Index of the variation.
        nth: usize,
    },
    /// Plays on from an earlier position, with the same seats. The line so far is kept as a variation. A game
    /// that is over stays as it is: the other try is a game of its own.
    Back {
        /// Number of moves that stay.
        nth: usize,
    },
    /// Plays a line of the analysis after the first moves of the game, as a variation.
    Follow {
        /// Number of moves that stay.
        nth: usize,
        /// The moves of the line.
        line: Vec<String>,
    },
    /// Writes a note on the move before the ply shown; an empty one deletes it.
    Note {
        /// A symbol such as `!?`, or nothing.
        #[serde(default)]
        symbol: String,
        /// The name of the position.
        #[serde(default)]
        label: String,
        /// The comment, as plain text.
        #[serde(default)]
        text: String,
        /// Ply shown.
        #[serde(default)]
        at: Option<usize>,
    },
    /// Starts or ends the analysis.
    Study {
        /// True to start it.
        on: bool,
        /// Ply shown.
        #[serde(default)]
        at: Option<usize>,
    },
    /// Analyses another position.
    Look {
        /// Ply shown.
        #[serde(default)]
        at: Option<usize>,
    },
    /// Chooses the number of threads of the analysis.
    Threads {
        /// The number, from 1.
        nth: usize,
        /// Ply shown.
        #[serde(default)]
        at: Option<usize>,
    },
    /// Analyses every position of the game, or stops doing so.
    Graph {
        /// False to stop.
        #[serde(default = "yes")]
        on: bool,
        /// Ply shown.
        #[serde(default)]
        at: Option<usize>,
    },
}

fn yes() -> bool {
    true
}

/// The position that a visitor sees, and the clicks of an unfinished move there.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Viewpoint {
    /// Ply shown; `None` means the latest.
    pub at: Option<usize>,
    /// The clicks so far.
    pub path: Vec<String>,
}

/// A reason for a refusal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// There is no move to take back.
    NothingToUndo,
    /// There is no move to play again.
    NothingToRedo,
    /// The game is over.
    Over,
    /// It is another seat's turn.
    NotYourTurn,
    /// The seat belongs to another browser.
    Watching,
    /// Several people play, and this changes the game of all of them.
    Shared,
    /// The seat of an invitation is taken.
    Taken,
    /// The variation does not exist.
    NoVariation,
    /// There is no move before the position.
    NothingToNote,
    /// The game has the largest number of notes.
    TooManyNotes,
    /// The clicks are longer than any move.
    TooLong,
    /// The game has the largest number of moves.
    TooManyMoves,
    /// The player's time was up before.
    TimeUp,
    /// The game was played elsewhere, and is only shown.
    Replay,
    /// No further engine can be started.
    Busy,
    /// The rules of the game, in the visitor's language.
    Rule(String),
}

impl Refusal {
    /// Returns the reason in a language.
    #[must_use]
    pub fn text(&self, language: Language) -> String {
        let (french, english) = match self {
            Self::NothingToUndo => ("rien à annuler", "nothing to undo"),
            Self::NothingToRedo => ("rien à rétablir", "nothing to redo"),
            Self::Over => ("la partie est finie", "the game is over"),
            Self::NotYourTurn => ("ce n'est pas à vous de jouer", "it is not your turn"),
            Self::Watching => ("vous regardez cette partie", "you are watching this game"),
            Self::Shared => ("impossible quand plusieurs personnes jouent", "not while several people play"),
            Self::Taken => ("cette place est déjà prise", "this seat is taken"),
            Self::NoVariation => ("cette variante n'existe plus", "that variation is gone"),
            Self::NothingToNote => ("aucun coup à annoter ici", "there is no move to note here"),
            Self::TooManyNotes => ("trop de notes dans cette partie", "this game has too many notes"),
            Self::TooLong => ("trop long", "too long"),
            Self::TooManyMoves => ("partie trop longue", "the game is too long"),
            Self::TimeUp => ("le temps est écoulé", "the time is up"),
            Self::Replay => (
                "cette partie a été jouée ailleurs : jouez un coup pour continuer à part",
                "this game was played elsewhere: play a move to continue from here",
            ),
            Self::Busy => (
                "trop de moteurs travaillent ici : réessayez dans un instant",
                "too many engines are at work here: try again in a moment",
            ),
            Self::Rule(why) => return why.clone(),
        };
        language.choose(french, english).to_owned()
    }
}

/// The effect of an action.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Outcome {
    /// The position that the visitor sees next.
    pub seen: Viewpoint,
    /// True if the session must be saved.
    pub is_kept: bool,
    /// Moves that continue the game in a new session, after this number of its moves.
    pub branch: Option<(usize, Vec<String>)>,
}

impl Outcome {
    fn at(at: Option<usize>) -> Self {
        Self { seen: Viewpoint { at, path: Vec::new() }, ..Self::default() }
    }

    fn kept() -> Self {
        Self { is_kept: true, ..Self::default() }
    }
}

/// The longest path of clicks, and the longest click in bytes.
const LONGEST_PATH: (usize, usize) = (8, 16);

impl Session {
    /// Performs an action of a browser; texts of the rules are in `language`.
    ///
    /// # Errors
    /// The reason for a refusal; the session is unchanged.
    pub fn act(
        &mut self,
        action: &Action,
        by: &Browser,
        language: Language,
        host: &dyn Host,
    ) -> Result<Outcome, Refusal> {
        self.permit(action, by)?;
        let outcome = self.perform(action, by, language, host)?;
        self.drop_equals();
        self.advance(host);
        self.review(host);
        self.tick(host.now());
        Ok(outcome)
    }

    /// Refuses what a browser may not do: whoever watches has hints and analyses, and several people change their
    /// game only by moves and by agreement.
    fn permit(&self, action: &Action, by: &Browser) -> Result<(), Refusal> {
        let changes = matches!(action, Action::Undo | Action::Redo | Action::Resign | Action::Back { .. });
        let is_own = matches!(
            action,
            Action::Press { .. }
                | Action::Hint
                | Action::Study { .. }
                | Action::Look { .. }
                | Action::Graph { .. }
                | Action::Threads { .. }
                | Action::Follow { .. }
        );
        let is_alone = matches!(
            action,
            Action::Redo
                | Action::Swap
                | Action::Pause
                | Action::Step
                | Action::Line { .. }
                | Action::Back { .. }
        );
        if self.is_replay() && changes {
            return Err(Refusal::Replay);
        }
        if !is_own && !self.settings.takes_part(by) {
            return Err(Refusal::Watching);
        }
        if is_alone && !self.settings.others(by).is_empty() {
            return Err(Refusal::Shared);
        }
        Ok(())
    }

    fn perform(
        &mut self,
        action: &Action,
        by: &Browser,
        language: Language,
        host: &dyn Host,
    ) -> Result<Outcome, Refusal> {
        let length = self.play.moves().len();
        match action {
            Action::Press { click, path, at } => return self.press(click, path, *at, by, language, host),
            Action::Undo => self.ask_to_undo(by, host.now())?,
            Action::Agree { on } => self.answer_undo(*on, by, host.now())?,
            Action::Redo => self.redo(by, host.now())?,
            Action::Hint => {
                if self.over().is_some() {
                    return Err(Refusal::Over);
                }
                self.ask_for_hint(by, host)?;
                return Ok(Outcome::default());
            }
            Action::Resign => {
                let mover = self.play.mover(length).filter(|_| self.over().is_none()).ok_or(Refusal::Over)?;
                let settings = &self.settings;
                let own = |seat: &usize| settings.seats[*seat] == Seat::Person && settings.holds(by, *seat);
                let seat = [mover].into_iter().chain(0..self.play.seats()).find(own);
                self.settings.resigned = Some(seat.ok_or(Refusal::Watching)?);
                self.offer = None;
                self.stop_engines();
            }
            Action::Swap => {
                self.stop_engines();
                self.settings.rotate();
            }
            // The fault is cleared below.
            Action::Retry => self.paused = false,
            Action::Pause => self.paused = !self.paused,
            Action::Step => {
                self.paused = true;
                self.think(host);
            }
            Action::Pace { millis, at } => {
                self.settings.pace = (*millis).min(10_000);
                return Ok(Outcome { is_kept: true, ..Outcome::at(*at) });
            }
            Action::Line { nth } => {
                let (at, branch) = self.choose(*nth, host.now())?;
                if let Some(line) = branch {
                    return Ok(Outcome { branch: Some((at, line)), ..Outcome::default() });
                }
                self.fault = None;
                self.follow(length, Some(by), host.now());
                self.look(at, by, host.now());
                return Ok(Outcome { is_kept: true, ..Outcome::at(Some(at)) });
            }
            Action::Back { nth } => {
                if *nth >= length {
                    return Err(Refusal::NothingToUndo);
                }
                // A game that is over stays so: the other try is a game of its own.
                if self.over().is_some() {
                    return Ok(Outcome { branch: Some((*nth, Vec::new())), ..Outcome::default() });
                }
                self.leave_line();
                self.is_aside = false;
                self.cut(*nth, host.now());
            }
            Action::Follow { nth, line } => return self.follow_line(*nth, line, by, host),
            Action::Note { symbol, label, text, at } => {
                self.annotate(self.ply(*at), by, (symbol, label, text))?;
                return Ok(Outcome { is_kept: true, ..Outcome::at(*at) });
            }
            Action::Study { on, at } => {
                self.own(by).study = None;
                if *on {
                    self.begin_study(self.ply(*at), by, host)?;
                }
                return Ok(Outcome::at(*at));
            }
            Action::Look { at } => {
                self.look(self.ply(*at), by, host.now());
                return Ok(Outcome::at(*at));
            }
            Action::Threads { nth, at } => {
                self.use_threads(*nth, by, host.now());
                return Ok(Outcome::at(*at));
            }
            Action::Graph { on, at } => {
                self.study_whole(*on, self.ply(*at), by, host)?;
                return Ok(Outcome::at(*at));
            }
        }
        self.fault = None;
        self.follow(length, Some(by), host.now());
        Ok(Outcome::kept())
    }

    /// Returns a ply of the game: the latest for `None` and for one beyond the end.
    #[must_use]
    pub fn ply(&self, at: Option<usize>) -> usize {
        let length = self.play.moves().len();
        at.map_or(length, |at| at.min(length))
    }

    fn press(
        &mut self,
        click: &str,
        path: &[String],
        at: Option<usize>,
        by: &Browser,
        language: Language,
        host: &dyn Host,
    ) -> Result<Outcome, Refusal> {
        if path.len() > LONGEST_PATH.0 || click.len() > LONGEST_PATH.1 {
            return Err(Refusal::TooLong);
        }
        let (after, length) = (self.ply(at), self.play.moves().len());
        if !self.may_press(after, by) {
            return Err(match after == length && self.over().is_some() {
                true => Refusal::Over,
                false if !self.settings.takes_part(by) => Refusal::Watching,
                false => Refusal::NotYourTurn,
            });
        }
        match self.play.press(after, path, click, language) {
            Clicked::Refused(why) => Err(Refusal::Rule(why)),
            Clicked::Chosen(path) => Ok(Outcome { seen: Viewpoint { at, path }, ..Outcome::default() }),
            Clicked::Move(_) if after >= LONGEST => Err(Refusal::TooManyMoves),
            Clicked::Move(text) if self.play.moves().get(after) == Some(&text) => {
                self.look(after + 1, by, host.now());
                Ok(Outcome::at(Some(after + 1)))
            }
            Clicked::Move(text) if self.is_replay() => {
                Ok(Outcome { branch: Some((after, vec![text])), ..Outcome::at(at) })
            }
            Clicked::Move(text) => {
                if after < length {
                    self.leave_line();
                    self.cut(after, host.now());
                }
                self.go_on(&text);
                // An engine that failed is asked again.
                self.fault = None;
                self.put(&text, host.now());
                self.follow(after, Some(by), host.now());
                Ok(Outcome::kept())
            }
        }
    }
}
