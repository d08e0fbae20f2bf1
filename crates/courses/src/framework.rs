//! A course's Java framework, which starts a participant's class.

/// The framework, as far as a build needs it.
#[derive(Debug, PartialEq, Eq)]
pub struct JavaFramework {
    /// Stands in for its classes where the work has none: sources by path.
    pub sources: &'static [(&'static str, &'static str)],
    /// A part of the package's name of participants' classes.
    pub package: &'static str,
    /// The name of a participant's class.
    pub class: &'static str,
    /// Names of the framework's own players: classes, or the last parts of their packages.
    pub own: &'static [&'static str],
    /// The program that starts a class, unless the referee does.
    pub starter: Option<Starter>,
}

/// A program of the course's protocol that plays by the class that is its argument.
#[derive(Debug, PartialEq, Eq)]
pub struct Starter {
    /// The name of its class.
    pub class: &'static str,
    /// The text of its source.
    pub source: &'static str,
    /// The path of its source.
    pub path: &'static str,
    /// The package of the framework's stand-ins, which differs from year to year.
    pub package: &'static str,
    /// The methods of which a participant's class has one.
    pub methods: &'static [&'static str],
}
