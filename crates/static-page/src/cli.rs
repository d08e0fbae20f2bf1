//! The command line of the program that writes the folder.

use crate::measure::{Measurement, measure};
use crate::site;
use lexopt::prelude::*;
use std::ffi::OsString;
use std::io::stdout;
use std::path::PathBuf;
use wire::{Failure, number_of, put_line};

const HELP: &str = "\
usage: static-page FOLDER GAME=MODULE...   writes the folder with these games' modules
       static-page --measure GAME --positions N [--depth N] [--nodes N]
                                           prints the player's moves on drawn positions, as JSON

scripts/static.sh builds the modules and calls it.";

/// Runs `static-page`.
///
/// # Errors
/// Exit code 2 if an argument is wrong, 1 if the folder cannot be written.
pub fn main(arguments: Vec<OsString>) -> Result<(), Failure> {
    let mut words: Vec<String> = Vec::new();
    let mut wanted = Measurement { game: String::new(), positions: 200, depth: None, nodes: None };
    let (mut measures, mut limit) = (false, None);
    let mut parser = lexopt::Parser::from_args(arguments);
    while let Some(argument) = parser.next().map_err(Failure::input)? {
        match argument {
            Short('h') | Long("help") => return Ok(put_line(&mut stdout(), HELP)?),
            Long("measure") => (measures, wanted.game) = (true, value(&mut parser)?),
            Long("positions") => {
                limit = Some("--positions");
                wanted.positions = number_of("--positions", value(&mut parser)?, 1..=100_000)?;
            }
            Long("depth") => {
                limit = Some("--depth");
                wanted.depth = Some(number_of("--depth", value(&mut parser)?, 1..=60)?);
            }
            Long("nodes") => {
                limit = Some("--nodes");
                wanted.nodes = Some(number_of("--nodes", value(&mut parser)?, 1..=u64::MAX)?);
            }
            Value(word) => words.push(word.string().map_err(Failure::input)?),
            _ => return Err(Failure::input(argument.unexpected())),
        }
    }
    if let (true, Some(word)) = (measures, words.first()) {
        return Err(Failure::input(format!("--measure writes no folder, found \"{word}\"")));
    }
    if let (false, Some(option)) = (measures, limit) {
        return Err(Failure::input(format!("{option} has no effect without --measure")));
    }
    if measures {
        let measured = measure(&wanted).map_err(Failure::input)?;
        return Ok(put_line(&mut stdout(), &measured.to_string())?);
    }
    let mut words = words.into_iter();
    let folder = words.next().filter(|folder| !folder.is_empty());
    let folder = folder.ok_or_else(|| Failure::input("the folder is missing (see --help)"))?;
    let module = |word: String| -> Result<(String, PathBuf), Failure> {
        let (game, path) = word
            .split_once('=')
            .ok_or_else(|| Failure::input(format!("expected GAME=MODULE, found \"{word}\"")))?;
        Ok((game.to_owned(), PathBuf::from(path)))
    };
    let modules = words.map(module).collect::<Result<Vec<_>, Failure>>()?;
    let modules = site::read_modules(&modules).map_err(|error| Failure::input(format!("{error:#}")))?;
    site::write(&PathBuf::from(folder), &modules).map_err(|error| Failure::run(format!("{error:#}")))
}

fn value(parser: &mut lexopt::Parser) -> Result<String, Failure> {
    parser.value().and_then(|value| value.string()).map_err(Failure::input)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_without_effect_are_refused_and_nothing_is_written() {
        for (words, message) in [
            (&["--measure", "uttt", "folder"][..], "--measure writes no folder, found \"folder\""),
            (&["--depth", "3", "folder"], "--depth has no effect without --measure"),
            (&["--measure", "uttt", "--positions", "0"], "--positions"),
            (&["--measure", ""], "game"),
            (&["", "uttt=module"], "the folder is missing"),
            (&["folder", "uttt"], "expected GAME=MODULE, found \"uttt\""),
            (&["/dev/null/x", "uttt=Cargo.toml", "uttt=Cargo.toml"], "uttt is given twice"),
        ] {
            let error = main(words.iter().map(OsString::from).collect()).unwrap_err();
            assert!(error.to_string().contains(message), "{words:?}: {error}");
        }
    }
}
