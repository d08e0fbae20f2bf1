//! Runs the program that is checked.

use super::{Step, Steps, Text};
use crate::course::{Conditions, GameSetup};
use crate::fault::{Trouble, last_words};
use crate::peer::{Command, Ended, Peer, Supervisor};
use crate::player::{Player, Reach};
use std::time::{Duration, Instant};

/// The time that must be left for another step.
const STEP: Duration = Duration::from_secs(1);
/// The time after an answer in which nothing more may come.
const QUIET: Duration = Duration::from_millis(100);
/// The most lines after an answer that are read.
const MOST_LINES: usize = 100;
/// The time in which a program may write the rest of its output once its input is closed.
const REST: Duration = Duration::from_millis(700);

/// Runs a program and collects the steps of its check.
pub struct Examiner<'a> {
    /// The program that is checked.
    pub player: &'a Player,
    /// The conditions of its course.
    pub conditions: &'a Conditions,
    /// The supervisor of all processes.
    pub supervisor: &'a Supervisor,
    /// The steps so far.
    pub steps: Steps,
    deadline: Instant,
    /// The factor of all times.
    scale: f64,
}

/// One run of the program.
#[derive(Debug, Clone, Default)]
pub struct Ran {
    /// Its standard output.
    pub output: String,
    /// The exit status in words, `None` if the time was over.
    pub status: Option<String>,
    /// The last line of its standard error.
    pub words: String,
}

impl Ran {
    /// Returns true for exit code 0.
    #[must_use]
    pub fn succeeded(&self) -> bool {
        self.status.as_deref() == Some("exit code 0")
    }

    /// Returns true if it ended with another exit code by itself.
    #[must_use]
    pub fn refused(&self) -> bool {
        self.status.as_deref().is_some_and(|status| status.starts_with("exit code")) && !self.succeeded()
    }

    /// Describes the end in both languages, with the last line of its standard error.
    #[must_use]
    pub fn ending(&self) -> Text {
        let words = |colon: &str| match self.words.as_str() {
            "" => String::new(),
            words => format!("{colon}{words}"),
        };
        match &self.status {
            Some(status) => Text::new(
                format!("il s'est terminé ({}){}", in_french(status), words(" : ")),
                format!("it ended with {status}{}", words(": ")),
            ),
            None => Text::new("il ne s'est pas terminé à temps", "it did not end in time"),
        }
    }
}

/// Returns an exit status in French.
fn in_french(status: &str) -> String {
    status.replace("exit code", "code").replace("an unknown status", "état inconnu")
}

/// The output of a program that gave no answer, with the reasons.
#[derive(Debug, Clone, Default)]
pub struct Heard {
    /// All that it wrote, also after its input was closed.
    pub text: String,
    /// The reasons why there was no answer.
    pub hints: Vec<Text>,
}

impl<'a> Examiner<'a> {
    /// The usual time of a check. A program that hangs is asked nothing more, so that few checks last so long.
    pub const WHOLE: Duration = Duration::from_secs(9);

    /// Creates an examiner, whose time of `whole` begins now. The times of steps are longer in proportion.
    #[must_use]
    pub fn new(
        player: &'a Player,
        conditions: &'a Conditions,
        supervisor: &'a Supervisor,
        whole: Duration,
    ) -> Self {
        let scale = whole.as_secs_f64() / Self::WHOLE.as_secs_f64();
        let deadline = Instant::now() + whole;
        Self { player, conditions, supervisor, steps: Steps::default(), deadline, scale }
    }

    /// Adds a step.
    pub fn add(&mut self, step: Step) {
        self.steps.0.push(step);
    }

    /// Returns the deadline of a step that may take `time`.
    #[must_use]
    pub fn within(&self, time: Duration) -> Instant {
        self.deadline.min(Instant::now() + time.mul_f64(self.scale))
    }

    /// Returns true if the time does not allow another step, and says so in a step of its own.
    pub fn is_over(&mut self) -> bool {
        let is_over = self.deadline.saturating_duration_since(Instant::now()) < STEP;
        if is_over {
            let name = Text::new("la suite", "the rest");
            let expected = Text::new("des réponses plus rapides", "faster answers");
            self.add(Step::new(name, "", expected).tolerated(
                "pas essayée : le programme a pris presque tout le temps de la vérification",
                "not tried: the program took almost all the time of the check",
            ));
        }
        is_over
    }

    /// Adds the answer to a step, and what follows it, which the course's tool would read as the next answer.
    ///
    /// # Errors
    /// Only [`Trouble::Interrupted`].
    pub fn alone(&self, peer: &mut Peer<'_>, step: Step, answer: &str) -> Result<Step, Trouble> {
        let (mut all, deadline) = (answer.to_owned(), self.within(QUIET));
        for _ in 0..MOST_LINES {
            let line = peer.raw_line(deadline)?;
            if line.is_empty() {
                break;
            }
            all.push_str(&line);
        }
        let step = step.got(&all);
        Ok(if all.len() == answer.len() {
            step
        } else {
            step.wrong(
                "une seule ligne par question : la suivante passe pour la réponse d'après ; les messages vont sur \
                 l'erreur standard",
                "one line a question: the next one is taken for the next answer; messages belong on standard error",
            )
        })
    }

    /// Returns the setup of the program's processes.
    #[must_use]
    pub fn setup(&self) -> GameSetup<'a> {
        GameSetup {
            players: vec![self.player, self.player],
            opening: "",
            seed: 1,
            conditions: self.conditions,
            supervisor: self.supervisor,
            processor: None,
            observer: None,
        }
    }

    /// Returns the program's command.
    ///
    /// # Errors
    /// [`Trouble::Argument`] if the player is no command that speaks the course's protocol.
    pub fn command(&self) -> Result<&'a Command, Trouble> {
        match &self.player.reach {
            Reach::Process { protocol: None, command } => Ok(command),
            _ => Err(Trouble::Argument(format!(
                "\"{}\": expected the command that the course starts",
                self.player.text
            ))),
        }
    }

    /// Starts the program for a dialogue.
    ///
    /// # Errors
    /// [`Trouble::NoProgram`] if it cannot be started.
    pub fn start(&self) -> Result<Peer<'a>, Trouble> {
        self.setup().start(self.command()?, 0)
    }

    /// Runs the program once with more arguments and an input.
    ///
    /// # Errors
    /// [`Trouble::NoProgram`] if it cannot be started.
    pub fn run(&self, arguments: &[&str], input: &str, time: Duration) -> Result<Ran, Trouble> {
        let mut command = self.command()?.clone();
        command.words.extend(arguments.iter().map(|word| (*word).to_owned()));
        let mut peer = self.setup().start(&command, 0)?;
        let deadline = self.within(time);
        // A program that does not read its input may end before it is written.
        match peer.send(input.as_bytes(), deadline) {
            Ok(()) | Err(Trouble::Fault(_)) => {}
            Err(trouble) => return Err(trouble),
        }
        let output = peer.whole_output(deadline)?;
        let Ended { status, errors, .. } = peer.close(b"");
        let output = String::from_utf8_lossy(&output).into_owned();
        Ok(Ran { output, status, words: last_words(&errors).to_owned() })
    }

    /// Ends a program that gave no answer, and finds out why: `partial` is what it wrote last, without a line feed.
    ///
    /// # Errors
    /// Only [`Trouble::Interrupted`].
    pub fn silence(&self, mut peer: Peer<'_>, partial: String) -> Result<Heard, Trouble> {
        // A process ends a moment after its output.
        let patience = Instant::now() + REST;
        while !peer.is_open() && !peer.is_gone() && Instant::now() < patience {
            std::thread::sleep(Duration::from_millis(5));
        }
        let had_ended = peer.is_gone();
        let rest = peer.whole_output(Instant::now() + REST)?;
        let rest = String::from_utf8_lossy(&rest).into_owned();
        let ended = peer.close(b"");
        let mut hints = Vec::new();
        if had_ended {
            let ran = Ran {
                output: String::new(),
                status: ended.status,
                words: last_words(&ended.errors).to_owned(),
            };
            hints.push(ran.ending());
        } else if !rest.is_empty() {
            hints.push(Text::new(
                "la sortie reste dans un tampon : videz-le après chaque ligne (fflush, flush=True, System.out.flush)",
                "the output stays in a buffer: flush it after each line (fflush, flush=True, System.out.flush)",
            ));
        } else if !partial.is_empty() {
            hints.push(Text::new("il manque la fin de ligne (\\n)", "the end of the line is missing (\\n)"));
        } else {
            hints.push(Text::new(
                "il n'a rien écrit, même à la fin de son entrée",
                "it wrote nothing, not even at the end of its input",
            ));
        }
        Ok(Heard { text: partial + &rest, hints })
    }
}
