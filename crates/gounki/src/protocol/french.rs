//! Plurals, system errors and library errors in French.

use std::io::{self, ErrorKind};
use wire::{LineError, NumberError};

/// A number with its noun: `1 coup`, `2 coups`.
#[must_use]
pub fn count(number: usize, noun: &str) -> String {
    let plural = if number > 1 { "s" } else { "" };
    format!("{number} {noun}{plural}")
}

/// The message for an error of the system.
#[must_use]
pub fn system(error: &io::Error) -> String {
    let known = match error.kind() {
        ErrorKind::NotFound => "aucun fichier ni dossier de ce nom",
        ErrorKind::PermissionDenied => "accès refusé",
        ErrorKind::AlreadyExists => "un fichier de ce nom existe déjà",
        ErrorKind::IsADirectory => "c'est un dossier",
        ErrorKind::NotADirectory => "un élément du chemin n'est pas un dossier",
        ErrorKind::ReadOnlyFilesystem => "système de fichiers en lecture seule",
        ErrorKind::StorageFull => "plus de place sur le disque",
        ErrorKind::BrokenPipe => "la sortie est fermée",
        ErrorKind::InvalidFilename => "nom de fichier invalide",
        ErrorKind::InvalidInput if error.raw_os_error().is_none() => "ce n'est pas un fichier ordinaire",
        // An error of our own has no number of the system's.
        _ => match error.raw_os_error() {
            Some(number) => return format!("erreur système {number}"),
            None => return error.to_string(),
        },
    };
    known.to_owned()
}

/// The message for an unreadable line.
#[must_use]
pub fn line(error: &LineError) -> String {
    match error {
        LineError::TooLong { line, limit } => format!("la ligne {line} dépasse {limit} octets"),
        LineError::Io(error) => system(error),
    }
}

/// The message for an invalid number.
#[must_use]
pub fn number(error: &NumberError) -> String {
    let NumberError { text, least, most } = error;
    format!("« {text} » : un nombre de {least} à {most} est attendu")
}

/// The message for an invalid command line.
#[cfg(feature = "cli")]
#[must_use]
pub fn option(error: &lexopt::Error) -> String {
    use lexopt::Error::{
        Custom, MissingValue, NonUnicodeValue, ParsingFailed, UnexpectedArgument, UnexpectedOption,
        UnexpectedValue,
    };
    match error {
        MissingValue { option: Some(option) } => format!("il manque la valeur de l'option « {option} »"),
        MissingValue { option: None } => "il manque une valeur".to_owned(),
        UnexpectedOption(option) => format!("option inconnue : « {option} »"),
        UnexpectedArgument(value) => format!("« {} » est de trop", value.to_string_lossy()),
        UnexpectedValue { option, value } => {
            format!("l'option « {option} » ne prend pas de valeur (« {} »)", value.to_string_lossy())
        }
        ParsingFailed { value, error } => format!("« {value} » : {error}"),
        NonUnicodeValue(value) => format!("« {} » n'est pas en UTF-8", value.to_string_lossy()),
        Custom(error) => error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_system_refuses_is_said_in_french() {
        let said = |kind: ErrorKind| system(&kind.into());
        assert_eq!(said(ErrorKind::NotFound), "aucun fichier ni dossier de ce nom");
        assert_eq!(said(ErrorKind::PermissionDenied), "accès refusé");
        assert_eq!(said(ErrorKind::AlreadyExists), "un fichier de ce nom existe déjà");
        assert_eq!(said(ErrorKind::IsADirectory), "c'est un dossier");
        assert_eq!(said(ErrorKind::NotADirectory), "un élément du chemin n'est pas un dossier");
        assert_eq!(said(ErrorKind::ReadOnlyFilesystem), "système de fichiers en lecture seule");
        assert_eq!(said(ErrorKind::StorageFull), "plus de place sur le disque");
        assert_eq!(said(ErrorKind::BrokenPipe), "la sortie est fermée");
        assert_eq!(said(ErrorKind::InvalidFilename), "nom de fichier invalide");
        assert_eq!(system(&io::Error::from_raw_os_error(99_999)), "erreur système 99999");
        assert_eq!(system(&io::Error::other("trop de tout")), "trop de tout");
    }

    #[test]
    fn one_is_no_plural() {
        assert_eq!([0, 1, 2].map(|number| count(number, "coup")), ["0 coup", "1 coup", "2 coups"]);
    }
}
