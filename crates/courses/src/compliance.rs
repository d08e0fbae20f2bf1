//! Checks a program against its course's protocol, step by step, in the course's words.
//!
//! - [`Compliance`]: the steps of a game; [`Examiner`]: runs the program and collects them.
//! - [`Step`]: a question with its answer, what was expected, and the sentence of the assignment.

mod examiner;

pub use examiner::{Examiner, Heard, Ran};

use crate::drawing::Language;
use crate::fault::{Trouble, excerpt};
use std::fmt::Write as _;

/// The steps of a course's protocol.
pub trait Compliance: Sync {
    /// Takes the program through all steps. Stops where the next ones make no sense.
    ///
    /// # Errors
    /// [`Trouble::Interrupted`] and [`Trouble::NoProgram`], if the program cannot be started.
    fn check(&self, examiner: &mut Examiner<'_>) -> Result<(), Trouble>;
}

/// A text in both languages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Text {
    french: String,
    english: String,
}

impl Text {
    /// Creates a text from its French and its English version.
    #[must_use]
    pub fn new(french: impl Into<String>, english: impl Into<String>) -> Self {
        Self { french: french.into(), english: english.into() }
    }

    /// Returns the text in a language.
    #[must_use]
    pub fn choose(&self, language: Language) -> &str {
        language.choose(&self.french, &self.english)
    }
}

/// The outcome of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// As the assignment asks.
    Right,
    /// Not to the letter, but accepted by the course's own tool.
    Tolerated,
    /// A violation.
    Wrong,
}

/// A step of a protocol.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    name: Text,
    rule: &'static str,
    asked: String,
    expected: Text,
    /// The program's output. `None` where a step has none.
    got: Option<String>,
    /// The outcome.
    pub verdict: Verdict,
    hints: Vec<Text>,
}

impl Step {
    /// Creates a step: its name, the assignment's sentence about it, and what the program should write.
    #[must_use]
    pub fn new(name: Text, rule: &'static str, expected: Text) -> Self {
        let asked = String::new();
        Self { name, rule, asked, expected, got: None, verdict: Verdict::Right, hints: Vec::new() }
    }

    /// Adds the input or the arguments that the program was given.
    #[must_use]
    pub fn asked(self, text: &str) -> Self {
        Self { asked: shown(text), ..self }
    }

    /// Adds the program's output.
    #[must_use]
    pub fn got(self, text: &str) -> Self {
        Self { got: Some(shown(text)), ..self }
    }

    /// Sets the outcome to a violation, with its reason.
    #[must_use]
    pub fn wrong(mut self, french: impl Into<String>, english: impl Into<String>) -> Self {
        self.verdict = Verdict::Wrong;
        self.hints.push(Text::new(french, english));
        self
    }

    /// Sets the outcome to a deviation that the course's tool accepts, unless there is a violation.
    #[must_use]
    pub fn tolerated(mut self, french: impl Into<String>, english: impl Into<String>) -> Self {
        if self.verdict == Verdict::Right {
            self.verdict = Verdict::Tolerated;
        }
        self.hints.push(Text::new(french, english));
        self
    }

    /// Adds what was seen of a program that gave no answer.
    #[must_use]
    pub fn silent(mut self, heard: Heard) -> Self {
        self.verdict = Verdict::Wrong;
        self.got = Some(shown(&heard.text));
        self.hints.extend(heard.hints);
        self
    }

    /// Describes the step in lines.
    fn words(&self, number: usize, language: Language) -> String {
        let outcome = match self.verdict {
            Verdict::Right => language.choose("bien", "right"),
            Verdict::Tolerated => language.choose("toléré", "tolerated"),
            Verdict::Wrong => language.choose("FAUX", "WRONG"),
        };
        let mut text = format!("{number}. {}: {outcome}\n", self.name.choose(language));
        let mut line = |french: &str, english: &str, words: &str| {
            if !words.is_empty() {
                let _ = writeln!(text, "   {:<9} {words}", language.choose(french, english));
            }
        };
        let is_short = self.verdict == Verdict::Right;
        line("demandé", "asked", &self.asked);
        line("attendu", "expected", if is_short { "" } else { self.expected.choose(language) });
        let nothing = if is_short { "" } else { language.choose("(rien)", "(nothing)") };
        let got = self.got.as_deref().unwrap_or_default();
        line("obtenu", "got", if got.is_empty() && self.got.is_some() { nothing } else { got });
        for hint in &self.hints {
            line("conseil", "hint", hint.choose(language));
        }
        line("énoncé", "text", if is_short { "" } else { self.rule });
        text
    }
}

/// The steps of a check.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Steps(pub Vec<Step>);

impl Steps {
    /// Returns the number of violations.
    #[must_use]
    pub fn violations(&self) -> usize {
        self.0.iter().filter(|step| step.verdict == Verdict::Wrong).count()
    }

    /// Returns true if every step is as the assignment asks.
    #[must_use]
    pub fn are_right(&self) -> bool {
        self.0.iter().all(|step| step.verdict == Verdict::Right)
    }

    /// Describes the steps, with a line on all of them at the end.
    #[must_use]
    pub fn words(&self, language: Language) -> String {
        let mut text = String::new();
        for (number, step) in (1..).zip(&self.0) {
            text.push_str(&step.words(number, language));
        }
        let (all, wrong) = (self.0.len(), self.violations());
        let french = format!("{} étapes sur {all} respectent le protocole", all - wrong);
        let english = format!("{} of {all} steps follow the protocol", all - wrong);
        text + "\n" + language.choose(&french, &english) + "\n"
    }
}

/// Shows invisible characters of the first lines of a text: Unicode's control pictures, and `·` for blanks between words.
fn shown(text: &str) -> String {
    /// The number of characters that are shown.
    const MOST: usize = 160;
    let mut shown = String::new();
    for c in text.chars().take(MOST) {
        match c {
            ' ' => shown.push('·'),
            '\n' => shown.push_str("␊ "),
            '\0'..'\u{20}' => shown.push(char::from_u32(0x2400 + u32::from(c)).unwrap_or(c)),
            '\u{7f}' => shown.push('␡'),
            c => shown.push(c),
        }
    }
    if text.chars().nth(MOST).is_some() {
        shown.push('…');
    }
    excerpt(shown.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invisible_characters_are_shown() {
        assert_eq!(shown("4 4\r\n"), "4·4␍␊");
        assert_eq!(shown("READY\t\n\n"), "READY␉␊ ␊");
        assert!(shown(&"x".repeat(500)).chars().count() < 200);
    }

    #[test]
    fn a_step_says_in_both_languages_what_was_expected_and_where_it_is_written() {
        let step = || Step::new(Text::new("départ", "start"), "« READY »", Text::new("le mot", "the word"));
        let steps = Steps(vec![
            step().got("READY\n"),
            step().got("Ready\n").tolerated("READY en capitales", "READY in capitals"),
            step().asked("0\n").got("").wrong("rien", "nothing came"),
        ]);
        assert_eq!(steps.violations(), 1);
        let french = steps.words(Language::French);
        assert!(french.starts_with("1. départ: bien\n   obtenu    READY␊\n2. départ: toléré\n"), "{french}");
        assert!(french.ends_with("\n2 étapes sur 3 respectent le protocole\n"), "{french}");
        let english = steps.words(Language::English);
        let last = "3. start: WRONG\n   asked     0␊\n   expected  the word\n   got       (nothing)\n   \
                    hint      nothing came\n   text      « READY »\n";
        assert!(english.contains(last), "{english}");
    }
}
