/// The text is not the name of any choice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownName {
    text: String,
    what: &'static str,
    names: Vec<&'static str>,
    language: Language,
}

/// The language of the message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    /// `unknown evaluation "x"; expected one of: a, b`.
    English,
    /// `évaluation inconnue : « x » (a ou b)`; the caller supplies both the noun and the adjective.
    French,
}

impl UnknownName {
    /// An error for `text`, where `what` is the noun for one of `names`.
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
                write!(f, "unknown {what} {text:?}; expected one of: {}", names.join(", "))
            }
        }
    }
}

impl std::error::Error for UnknownName {}

/// Names the values of an enumeration for the command line: defines `ALL`, `name`, `Display`, and `FromStr` with
/// [`UnknownName`](crate::UnknownName).
///
/// ```
/// #[derive(Debug, Clone, Copy, PartialEq)]
/// enum Sport { Chess, Running }
/// wire::named!(Sport, "sport": Chess = "chess", Running = "running");
///
/// assert_eq!("running".parse(), Ok(Sport::Running));
/// assert_eq!(Sport::Chess.to_string(), "chess");
/// let error = "football".parse::<Sport>().unwrap_err();
/// assert_eq!(error.to_string(), "unknown sport \"football\"; expected one of: chess, running");
/// ```
///
/// With `French` before the noun, the error is in French.
#[macro_export]
macro_rules! named {
    ($type:ident, $what:literal: $($value:ident = $name:literal),+ $(,)?) => {
        $crate::named!($type, English $what: $($value = $name),+);
    };
    ($type:ident, $language:ident $what:literal: $($value:ident = $name:literal),+ $(,)?) => {
        impl $type {
            /// All values, in the order of their declaration.
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
        assert_eq!(
            told(Language::English, &["a", "b", "c"]),
            "unknown robot \"x\"; expected one of: a, b, c"
        );
        assert_eq!(told(Language::French, &["a", "b", "c"]), "robot : « x » (a, b ou c)");
        assert_eq!(told(Language::French, &["a"]), "robot : « x » (a)");
        assert_eq!(told(Language::French, &[]), "robot : « x » ()");
        let long = UnknownName::new(Language::English, "robot", &"y".repeat(99), ["a"]).to_string();
        assert_eq!(long.matches('y').count(), 40, "a long text is cut");
    }
}
