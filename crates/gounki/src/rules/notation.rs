use super::{Cell, Shape};
use smallvec::SmallVec;
use std::fmt;
use std::str::FromStr;

/// A move as written, with the board's own cells. It need not be legal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Notation {
    /// `b2-b3`: a stack moves.
    Step {
        /// The starting cell.
        from: Cell,
        /// The cell where the stack ends.
        to: Cell,
    },
    /// `g8#`: a man leaves the board.
    Exit {
        /// The cell of the man's stack.
        from: Cell,
    },
    /// `b3+b4-c5`: a stack is deployed.
    Deploy {
        /// The cell of the stack.
        from: Cell,
        /// The shape laid first: squares after `+`, rounds after `*`.
        first: Shape,
        /// The cell of each man, in order: one to three cells.
        cells: SmallVec<[Cell; 3]>,
    },
}

/// The text is not a move. The message is French: players read it at the prompt.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("« {text} » n'est pas un coup : {problem} (exemples : b2-b3, b3+b4-c5, g6*f5-f4, g8#)")]
pub struct NotationError {
    /// The offending text, shortened.
    text: String,
    problem: &'static str,
}

impl FromStr for Notation {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Self, NotationError> {
        parse(text.as_bytes()).map_err(|problem| NotationError { text: shorten(text), problem })
    }
}

fn parse(text: &[u8]) -> Result<Notation, &'static str> {
    if text.is_empty() {
        return Err("la ligne est vide");
    }
    let (from, rest) = cell(text).ok_or("une case de a1 à h8 est attendue au début")?;
    let (&sign, rest) = rest.split_first().ok_or("il manque -, +, * ou # après la case")?;
    match sign {
        b'#' if rest.is_empty() => Ok(Notation::Exit { from }),
        b'#' => Err("rien ne doit suivre le #"),
        b'-' => match cell(rest) {
            Some((to, [])) => Ok(Notation::Step { from, to }),
            Some(_) => Err("il y a du texte en trop après la case d'arrivée"),
            None => Err("une case de a1 à h8 est attendue après le tiret"),
        },
        b'+' | b'*' => {
            let first = if sign == b'+' { Shape::Square } else { Shape::Round };
            Ok(Notation::Deploy { from, first, cells: cells(rest)? })
        }
        _ => Err("-, +, * ou # est attendu après la case de départ"),
    }
}

fn cells(text: &[u8]) -> Result<SmallVec<[Cell; 3]>, &'static str> {
    let mut cells = SmallVec::new();
    let mut rest = text;
    loop {
        let (next, behind) = cell(rest).ok_or("une case de a1 à h8 est attendue pour chaque pion déposé")?;
        if cells.len() == 3 {
            return Err("une pile n'a jamais plus de trois pions");
        }
        cells.push(next);
        match behind.split_first() {
            None => return Ok(cells),
            Some((b'-', behind)) => rest = behind,
            Some(_) => return Err("un tiret est attendu entre deux cases"),
        }
    }
}

fn cell(text: &[u8]) -> Option<(Cell, &[u8])> {
    let (&[file, rank], rest) = text.split_first_chunk()?;
    Some((Cell::from_name(file, rank)?, rest))
}

/// The first 24 characters of an offending text.
fn shorten(text: &str) -> String {
    let mut short: String = text.chars().take(24).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}

impl fmt::Display for Notation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Step { from, to } => write!(f, "{from}-{to}"),
            Self::Exit { from } => write!(f, "{from}#"),
            Self::Deploy { from, first, cells } => {
                write!(f, "{from}{}", first.sign())?;
                for (index, cell) in cells.iter().enumerate() {
                    write!(f, "{}{cell}", if index == 0 { "" } else { "-" })?;
                }
                Ok(())
            }
        }
    }
}
