/// A name that is none of a choice's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownName {
    text: String,
    what: &'static str,
    names: Vec<&'static str>,
    language: Language,
}

/// The language of what a person reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    /// `no evaluation is called "x"; there are: a, b`.
    English,
    /// `évaluation inconnue : « x » (a ou b)`: what it is, and that it is unknown, are given together.
    French,
}

impl UnknownName {
    /// For a choice of `names`; `what` says what one of them is.
    pub fn new(
        language: Language,
        what: &'static str,
        text: &str,
        names: impl IntoIterator<Item = &'static str>,
    ) -> Self {
        Self { text: text.chars().take(40).collect(), what, names: names.into_iter().collect(), language }
    }
}

impl std::fmt::Display for UnknownName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { text, what, names, language } = self;
        match (language, names.split_last()) {
            (Language::French, Some((last, others))) if !others.is_empty() => {
                write!(f, "{what} : « {text} » ({} ou {last})", others.join(", "))
            }
            (Language::French, _) => write!(f, "{what} : « {text} » ({})", names.join(", ")),
            (Language::English, _) => {
                write!(f, "no {what} is called {text:?}; there are: {}", names.join(", "))
            }
        }
    }
}

impl std::error::Error for UnknownName {}

/// Gives the values of an enumeration names, as a command line takes and prints them: `ALL`, `name`, `Display`, and
/// `FromStr` with [`UnknownName`](crate::UnknownName).
///
/// ```
/// #[derive(Debug, Clone, Copy, PartialEq)]
/// enum Sport { Chess, Running }
/// wire::named!(Sport, "sport": Chess = "chess", Running = "running");
///
/// assert_eq!("running".parse(), Ok(Sport::Running));
/// assert_eq!(Sport::Chess.to_string(), "chess");
/// let error = "football".parse::<Sport>().unwrap_err();
/// assert_eq!(error.to_string(), "no sport is called \"football\"; there are: chess, running");
/// ```
///
/// `French` before what it is tells of an unknown name in French.
#[macro_export]
macro_rules! named {
    ($type:ident, $what:literal: $($value:ident = $name:literal),+ $(,)?) => {
        $crate::named!($type, English $what: $($value = $name),+);
    };
    ($type:ident, $language:ident $what:literal: $($value:ident = $name:literal),+ $(,)?) => {
        impl $type {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$value),+];

            /// The name on the command line.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$value => $name,)+
                }
            }
        }

        impl ::std::fmt::Display for $type {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.write_str(self.name())
            }
        }

        impl ::std::str::FromStr for $type {
            type Err = $crate::UnknownName;

            fn from_str(text: &str) -> Result<Self, $crate::UnknownName> {
                let found = Self::ALL.iter().find(|value| value.name() == text);
                found.copied().ok_or_else(|| $crate::UnknownName::new($crate::Language::$language, $what, text, [$($name),+]))
            }
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_name_is_told_with_those_that_there_are() {
        let told = |language, names: &[&'static str]| {
            UnknownName::new(language, "robot", "x", names.iter().copied()).to_string()
        };
        assert_eq!(told(Language::English, &["a", "b", "c"]), "no robot is called \"x\"; there are: a, b, c");
        assert_eq!(told(Language::French, &["a", "b", "c"]), "robot : « x » (a, b ou c)");
        assert_eq!(told(Language::French, &["a"]), "robot : « x » (a)");
        assert_eq!(told(Language::French, &[]), "robot : « x » ()");
        let long = UnknownName::new(Language::English, "robot", &"y".repeat(99), ["a"]).to_string();
        assert_eq!(long.matches('y').count(), 40, "a long text is cut");
    }
}
