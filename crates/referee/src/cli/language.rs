//! The language of results.

use clap::{Args, ValueEnum};
use courses::drawing::Language;
use courses::french::say;
use std::fmt::Display;
use std::sync::OnceLock;

/// The language of progress and notes.
static OF_NOTES: OnceLock<Language> = OnceLock::new();

/// Returns the language of progress and notes: that of the results, or English for a command without a choice.
pub fn of_notes() -> Language {
    OF_NOTES.get().copied().unwrap_or(Language::English)
}

/// Prints a note, which may begin with the program's name, in the language of the notes.
pub fn note(text: impl Display) {
    wire::note(noted(&text.to_string(), of_notes()));
}

fn noted(text: &str, language: Language) -> String {
    match text.strip_prefix("referee: ") {
        Some(text) => format!("referee: {}", say(text, language)),
        None => say(text, language),
    }
}

/// The option of the language.
#[derive(Debug, Args)]
pub struct LanguageOption {
    /// The language of the results: fr or en [default: that of the environment]
    #[arg(long, value_enum, hide_possible_values = true, value_name = "LANGUAGE")]
    language: Option<Tongue>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Tongue {
    Fr,
    En,
}

impl LanguageOption {
    /// Returns the language that was asked for, or that of the environment. Progress and notes are in it from now on.
    pub fn language(&self) -> Language {
        let language = match self.language {
            Some(Tongue::Fr) => Language::French,
            Some(Tongue::En) => Language::English,
            None => of_environment(),
        };
        let _ = OF_NOTES.set(language);
        language
    }
}

/// Returns the language of the environment: French where its name begins with `fr`.
fn of_environment() -> Language {
    let name = ["LC_ALL", "LC_MESSAGES", "LANG"].into_iter().find_map(|name| {
        let value = std::env::var(name).ok()?;
        (!value.is_empty()).then_some(value)
    });
    if name.is_some_and(|name| name.starts_with("fr")) { Language::French } else { Language::English }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_are_said_whole() {
        for (english, wanted) in [
            ("referee: interrupted", "referee: interrompu"),
            ("interrupted after 3 of 10 games", "interrompu après 3 sur 10 parties"),
            (
                "referee: another referee builds the work of this class: waiting for it",
                "referee: un autre arbitre construit les travaux de cette classe : on l'attend",
            ),
            ("0/2 games", "0/2 parties"),
        ] {
            assert_eq!(noted(english, Language::French), wanted);
            assert_eq!(noted(english, Language::English), english);
        }
    }
}
