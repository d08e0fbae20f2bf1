//! The commands at the prompt.

use crate::rules::{Cell, Notation, NotationError};

/// A parsed entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    /// A move in notation.
    Move(Notation),
    /// `aide`.
    Help,
    /// `coups [CASE]`.
    Moves(Option<Cell>),
    /// `annuler [N]`.
    Undo(Option<usize>),
    /// `rejouer [N]`.
    Redo(Option<usize>),
    /// `sauver FICHIER`.
    Save(String),
    /// `charger FICHIER`.
    Load(String),
    /// `conseil`.
    Advice,
    /// `historique`.
    History,
    /// `plateau`.
    Board,
    /// `quitter`.
    Quit,
}

/// The reason why an entry is neither a move nor a command.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CommandError {
    /// An unknown command or an invalid move.
    #[error("{0} ; « aide » donne les commandes")]
    Notation(#[from] NotationError),
    /// A command has an invalid argument.
    #[error("« {command} » : {problem}")]
    Argument {
        /// The name of the command.
        command: &'static str,
        /// The fault, in French.
        problem: &'static str,
    },
}

impl std::str::FromStr for Command {
    type Err = CommandError;

    fn from_str(text: &str) -> Result<Self, CommandError> {
        let text = text.trim();
        let (word, argument) = match text.split_once(char::is_whitespace) {
            Some((word, argument)) => (word, argument.trim()),
            None => (text, ""),
        };
        match word {
            "aide" | "?" => alone("aide", argument, Self::Help),
            "conseil" => alone("conseil", argument, Self::Advice),
            "historique" => alone("historique", argument, Self::History),
            "plateau" => alone("plateau", argument, Self::Board),
            "quitter" => alone("quitter", argument, Self::Quit),
            "annuler" => Ok(Self::Undo(count("annuler", argument)?)),
            "rejouer" => Ok(Self::Redo(count("rejouer", argument)?)),
            "sauver" => Ok(Self::Save(file("sauver", argument)?)),
            "charger" => Ok(Self::Load(file("charger", argument)?)),
            "coups" => match *argument.as_bytes() {
                [] => Ok(Self::Moves(None)),
                [file, rank] if Cell::from_name(file, rank).is_some() => {
                    Ok(Self::Moves(Cell::from_name(file, rank)))
                }
                _ => Err(CommandError::Argument {
                    command: "coups",
                    problem: "une case de a1 à h8 est attendue",
                }),
            },
            _ => Ok(Self::Move(text.parse()?)),
        }
    }
}

fn alone(command: &'static str, argument: &str, meant: Command) -> Result<Command, CommandError> {
    if argument.is_empty() {
        Ok(meant)
    } else {
        Err(CommandError::Argument { command, problem: "cette commande ne prend pas d'argument" })
    }
}

fn count(command: &'static str, argument: &str) -> Result<Option<usize>, CommandError> {
    match argument.parse() {
        _ if argument.is_empty() => Ok(None),
        Ok(count) if count > 0 => Ok(Some(count)),
        _ => Err(CommandError::Argument { command, problem: "un nombre de coups, 1 ou plus, est attendu" }),
    }
}

fn file(command: &'static str, argument: &str) -> Result<String, CommandError> {
    if argument.is_empty() {
        Err(CommandError::Argument { command, problem: "un nom de fichier est attendu" })
    } else {
        Ok(argument.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn commands_and_moves_are_told_apart() {
        let command = |text: &str| text.parse::<Command>();
        assert_eq!(command("annuler"), Ok(Command::Undo(None)));
        assert_eq!(command(" annuler 3 "), Ok(Command::Undo(Some(3))));
        assert_eq!(command("sauver ma partie.txt"), Ok(Command::Save("ma partie.txt".into())));
        assert_eq!(command("coups c2"), Ok(Command::Moves(Cell::from_name(b'c', b'2'))));
        assert_eq!(command("a2-b3"), Ok(Command::Move("a2-b3".parse().unwrap())));
        for wrong in
            ["annuler 0", "annuler x", "annuler -1", "coups z9", "sauver", "aide moi", "a2", "a2-b3 x"]
        {
            assert!(command(wrong).is_err(), "{wrong}");
        }
    }

    proptest! {
        #[test]
        fn no_entry_panics(text in "(annuler|rejouer|coups|charger|[a-h][1-8])? ?\\PC{0,12}") {
            let _ = text.parse::<Command>();
        }
    }
}
