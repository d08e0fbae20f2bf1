//! The occupants of the seats of a recorded game, for names in any language.

use crate::drawing::Language;
use crate::fault::excerpt;
use crate::strength::Strength;
use serde::{Deserialize, Serialize};

/// The occupant of a seat.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Seated {
    /// A person who gave no name.
    Person {},
    /// A program.
    Player {
        /// The program's name.
        name: String,
        /// The strength, if it changes how the program plays.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        strength: Option<Strength>,
    },
    /// A name as it was given, in older files also that of a person or of a program.
    #[serde(untagged)]
    Named(String),
}

impl Seated {
    /// Returns the name in a language.
    #[must_use]
    pub fn name(&self, language: Language) -> String {
        match self {
            Self::Person {} => language.choose("une personne", "a person").to_owned(),
            Self::Player { name, strength: None } | Self::Named(name) => name.clone(),
            Self::Player { name, strength: Some(Strength::Level(level)) } => {
                format!("{name} · {} {level}", language.choose("niveau", "level"))
            }
            Self::Player { name, strength: Some(Strength::Millis(millis)) } => {
                format!("{name} · {} s", language.number(&format!("{}", *millis as f64 / 1000.0)))
            }
        }
    }

    /// Returns it with a name that is short enough to be shown.
    #[must_use]
    pub fn shortened(self) -> Self {
        match self {
            Self::Person {} => self,
            Self::Player { name, strength } => Self::Player { name: excerpt(&name), strength },
            Self::Named(name) => Self::Named(excerpt(&name)),
        }
    }
}

/// Returns the occupants of a game by seat; those that `seated` lacks have their `names`.
#[must_use]
pub fn all(seated: &[Seated], names: &[String]) -> Vec<Seated> {
    let named =
        |(seat, name): (usize, &String)| seated.get(seat).cloned().unwrap_or(Seated::Named(name.clone()));
    names.iter().enumerate().map(named).map(Seated::shortened).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_occupant_is_data_and_an_older_one_is_its_name() {
        let player = |strength| Seated::Player { name: "uttt".into(), strength };
        for (seated, text, names) in [
            (Seated::Person {}, r#"{"person":{}}"#, ["une personne", "a person"]),
            (
                player(Some(Strength::Level(3))),
                r#"{"player":{"name":"uttt","strength":{"level":3}}}"#,
                ["uttt · niveau 3", "uttt · level 3"],
            ),
            (
                player(Some(Strength::Millis(200))),
                r#"{"player":{"name":"uttt","strength":{"millis":200}}}"#,
                ["uttt · 0,2 s", "uttt · 0.2 s"],
            ),
            (player(None), r#"{"player":{"name":"uttt"}}"#, ["uttt"; 2]),
            (Seated::Named("person".into()), r#""person""#, ["person"; 2]),
        ] {
            assert_eq!(serde_json::to_string(&seated).unwrap(), text);
            assert_eq!(serde_json::from_str::<Seated>(text).unwrap(), seated);
            assert_eq!([Language::French, Language::English].map(|language| seated.name(language)), names);
        }
        let names = ["a".to_owned(), "b".repeat(999)];
        let seated = all(&[Seated::Person {}], &names);
        assert_eq!(seated[0], Seated::Person {});
        assert!(seated[1].name(Language::French).len() < 300);
    }
}
