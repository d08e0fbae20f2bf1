//! Passes the arguments to the library.

use clap::{ArgMatches, CommandFactory, FromArgMatches, Parser};
use std::any::TypeId;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use wire::Failure;
use wire::file::Files;

/// Trains the learned evaluations of the games, and measures players in one process.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    #[command(subcommand)]
    game: trainer::Game,
}

fn main() -> ExitCode {
    wire::run_apart("trainer", |words| {
        wire::file::remove_unfinished_on_signals(|| ()).map_err(Failure::run)?;
        let words = std::iter::once(OsString::from("trainer")).chain(words);
        let matches = Arguments::command().try_get_matches_from(words);
        if let Ok(matches) = &matches {
            check_files(matches)?;
        }
        match matches.and_then(|matches| Arguments::from_arg_matches(&matches)) {
            Ok(arguments) => arguments.game.run().map_err(failure),
            Err(error) if error.use_stderr() => Err(Failure::usage("trainer", &error.to_string())),
            Err(help) => wire::print(help),
        }
    })
}

/// The options that name a file to be written; every other path is read.
const OUTPUTS: [&str; 3] = ["out", "weights", "curve"];

/// Refuses a command that would overwrite a file that it reads, or that could not write its results after hours.
fn check_files(matches: &ArgMatches) -> Result<(), Failure> {
    let (mut task, mut command) = (matches, &Arguments::command());
    while let Some((name, inner)) = task.subcommand() {
        let Some(of_name) = command.find_subcommand(name) else { break };
        (task, command) = (inner, of_name);
    }
    let mut files = Files::new();
    let paths = command
        .get_arguments()
        .filter(|argument| argument.get_value_parser().type_id() == TypeId::of::<PathBuf>());
    for id in paths.map(|argument| argument.get_id().as_str()) {
        let Ok(Some(texts)) = task.try_get_raw(id) else { continue };
        for text in texts {
            // Weights are read, unless they are the result of a fit, which has a curve and no other file.
            let fits = || task.try_get_raw("out").is_err() && task.try_get_raw("curve").is_ok();
            let is_output = OUTPUTS.contains(&id) && (id != "weights" || fits());
            if is_output {
                files.output(format!("--{id}"), Path::new(text));
                wire::file::check(Path::new(text))
                    .map_err(|error| Failure::input(format!("{}: {error}", Path::new(text).display())))?;
            } else {
                files.input(format!("--{id}"), Path::new(text));
                // A folder stands for its files.
                let within = Path::new(text).read_dir().into_iter().flatten().flatten();
                within.for_each(|file| files.input(format!("--{id}"), &file.path()));
            }
        }
    }
    files.check().map_err(Failure::input)
}

fn failure(error: anyhow::Error) -> Failure {
    error.downcast().unwrap_or_else(|error| Failure::run(format!("{error:#}")))
}
