//! The language of results.

use clap::{Args, ValueEnum};
use courses::drawing::Language;

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
    /// Returns the language that was asked for, or that of the environment.
    pub fn language(&self) -> Language {
        match self.language {
            Some(Tongue::Fr) => Language::French,
            Some(Tongue::En) => Language::English,
            None => of_environment(),
        }
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
