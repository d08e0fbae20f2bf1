//! Report cards and the criteria on them.

use crate::drawing::Language;
use crate::fault::excerpt;
use crate::french::{french, say};
use serde::{Deserialize, Serialize};
use std::fmt;

/// A marked criterion.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Item {
    /// Its name on the card.
    pub name: String,
    /// Points earned, or `None` if a person must mark the criterion.
    pub points: Option<f64>,
    /// Points that can be earned; 0 where the course gives no figure.
    pub of: f64,
    /// Observations, faults first.
    pub notes: Vec<String>,
}

/// A criterion of a course's scheme.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Criterion {
    /// Its name on the card.
    pub name: &'static str,
    /// Points that can be earned; 0 where the course gives no figure.
    pub of: f64,
    /// True if the criterion is marked by a program, false if by a person.
    pub is_marked: bool,
}

impl Criterion {
    /// Creates a criterion marked by a program.
    #[must_use]
    pub const fn marked(name: &'static str, of: f64) -> Self {
        Self { name, of, is_marked: true }
    }

    /// Creates a criterion marked by a person.
    #[must_use]
    pub const fn by_hand(name: &'static str, of: f64) -> Self {
        Self { name, of, is_marked: false }
    }

    /// The share of the points that `passed` of `tests` earn, rounded down to a tenth; five notes are kept.
    #[must_use]
    pub fn share(self, passed: usize, tests: usize, mut notes: Vec<String>) -> Item {
        notes.truncate(5);
        notes.insert(0, format!("{passed} of {tests} right"));
        let points = self.of * passed as f64 / tests.max(1) as f64;
        self.earned((10.0 * points).floor() / 10.0, notes)
    }

    /// The criterion with the points that were earned; none where a person has to look.
    #[must_use]
    pub fn earned(self, points: f64, notes: Vec<String>) -> Item {
        let Self { name, of, is_marked } = self;
        Item { name: name.to_owned(), points: Some(points).filter(|_| is_marked), of, notes }
    }

    /// The criterion without points: notes for its reader.
    #[must_use]
    pub fn noted(self, notes: Vec<String>) -> Item {
        self.earned(0.0, notes)
    }
}

/// The name of the item with the output of a build, which is quoted as it is.
pub const BUILD: &str = "the build";

/// The beginning of its line with the command that starts the program.
pub const STARTED: &str = "started by: ";

impl Item {
    /// Returns the notes in a language.
    #[must_use]
    pub fn notes_in(&self, language: Language) -> Vec<String> {
        let said = |note: &String| match (self.name.as_str(), note.split_once('\n')) {
            (BUILD, _) => match note.strip_prefix(STARTED) {
                Some(command) => format!("{}{command}", language.choose("lancé par : ", STARTED)),
                None => note.clone(),
            },
            (_, Some((line, board))) => format!("{}\n{board}", say(line, language)),
            (_, None) => say(note, language),
        };
        self.notes.iter().map(said).collect()
    }

    /// Returns the points as the card shows them.
    fn earned(&self, language: Language) -> String {
        match self.points {
            None if self.of == 0.0 => language.choose("sans points", "no points").to_owned(),
            None => format!("{} / {:.0}", language.choose("à la main", "by hand"), self.of),
            Some(points) => format!("{} / {:.0}", language.number(&format!("{points:.1}")), self.of),
        }
    }

    /// Adds remarks on deviations from the assignment's text that cost no points.
    #[must_use]
    pub fn with(mut self, remarks: Remarks) -> Self {
        let times = |count| if count == 1 { String::new() } else { format!(" ({count} times)") };
        let lines = remarks.0.into_iter().map(|(text, count)| format!("remark: {text}{}", times(count)));
        self.notes.extend(lines);
        self
    }
}

/// Remarks that cost no points, each with its number of occurrences.
#[derive(Debug, Default)]
pub struct Remarks(Vec<(String, usize)>);

impl Extend<String> for Remarks {
    fn extend<T: IntoIterator<Item = String>>(&mut self, texts: T) {
        for text in texts {
            match self.0.iter_mut().find(|(of, _)| *of == text) {
                Some((_, count)) => *count += 1,
                None => self.0.push((text, 1)),
            }
        }
    }
}

/// Shows a line with its blanks as middle dots and its control characters by their escapes, such as `\r`, and truncates
/// it. Every font has these marks; many lack Unicode's control pictures.
#[must_use]
pub fn visible(line: &str) -> String {
    let mut shown = String::new();
    for c in line.chars() {
        match c {
            ' ' => shown.push('·'),
            c if c.is_ascii_control() => shown.extend(c.escape_default()),
            c => shown.push(c),
        }
    }
    excerpt(&shown)
}

/// A report card.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Card {
    /// The assignment and the player.
    pub title: String,
    /// The layers of the sandbox that the program ran in, or "off". Empty on an older referee's card.
    #[serde(default)]
    pub sandbox: String,
    /// The calls that the sandbox refused, each with the number of processes that tried it. They cost no points.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub refusals: Vec<String>,
    /// The criteria, each with its marks.
    pub items: Vec<Item>,
    /// The marker: version, seed, machine.
    #[serde(default)]
    pub by: String,
}

impl Card {
    /// Creates a card without a marker.
    #[must_use]
    pub fn new(title: String, items: Vec<Item>) -> Self {
        Self { title, sandbox: String::new(), refusals: Vec::new(), items, by: String::new() }
    }

    /// Returns the card of a program that cannot be started: no points for any criterion marked by a program.
    #[must_use]
    pub fn of_nobody(title: &str, scheme: &[Criterion], error: String) -> Self {
        let mut notes = Some(format!("it could not be marked: {error}"));
        let mut note = |criterion: &Criterion| notes.take_if(|_| criterion.is_marked).into_iter().collect();
        let items = scheme.iter().map(|criterion| criterion.noted(note(criterion)));
        Self::new(title.to_owned(), items.collect())
    }
}

impl Card {
    /// Returns the title in a language. The player's text stays as it is.
    fn title_in(&self, language: Language) -> String {
        let Some((game, player)) = self.title.split_once(": ").filter(|_| language == Language::French)
        else {
            return self.title.clone();
        };
        let conditions = player.rsplit_once(", ").map(|(player, more)| (player, more, french(more)));
        let player = match conditions {
            Some((player, more, said)) if said != more => format!("{player}, {said}"),
            _ => player.to_owned(),
        };
        format!("{} : {player}", french(game))
    }

    /// Returns the line of the version, the seed and the machine.
    fn by_in(&self, language: Language) -> String {
        if self.by.is_empty() {
            return String::new();
        }
        let mut by = self.by.clone();
        if language == Language::French {
            for (english, french) in [(", seed ", ", graine "), (", quick", ", rapide"), (", on ", ", sur ")]
            {
                by = by.replacen(english, french, 1);
            }
        }
        format!("{} {by}\n", language.choose("noté par", "marked by"))
    }

    /// Returns the title, the sandbox and the marker, a line each, as far as they are known.
    #[must_use]
    pub fn head(&self, language: Language) -> String {
        format!("{}\n{}{}", self.title_in(language), self.sandbox_in(language), self.by_in(language))
    }

    /// Returns the line of the sandbox.
    fn sandbox_in(&self, language: Language) -> String {
        if self.sandbox.is_empty() {
            return String::new();
        }
        let (name, colon) = (language.choose("bac à sable", "sandbox"), language.colon());
        format!("{name}{colon}{}\n", say(&self.sandbox, language))
    }

    /// Returns the whole card in a language.
    #[must_use]
    pub fn text(&self, language: Language) -> String {
        let mut text = format!("{}\n{}", self.title_in(language), self.sandbox_in(language));
        for refusal in &self.refusals {
            text += &format!("    {}\n", say(refusal, language));
        }
        text.push('\n');
        for item in &self.items {
            text += &format!("{:<62} {:>14}\n", say(&item.name, language), item.earned(language));
            for note in item.notes_in(language) {
                // A board follows its note.
                let mut lines = note.lines();
                text += &format!("    {}\n", lines.next().unwrap_or_default());
                lines.for_each(|line| text += &format!("        {line}\n"));
            }
        }
        let earned: f64 = self.items.iter().filter_map(|item| item.points).sum();
        let of: f64 = self.items.iter().filter(|item| item.points.is_some()).map(|item| item.of).sum();
        let together =
            language.choose("ensemble, ce qu'un programme peut noter", "together, what a program can mark");
        let points = format!("{} / {of:.0}", language.number(&format!("{earned:.1}")));
        text += &format!("\n{together:<62} {points:>14}\n");
        text + &self.by_in(language)
    }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text(Language::English))
    }
}
