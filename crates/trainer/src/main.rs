//! Passes the arguments to the library.

use clap::{Parser, Subcommand};
use std::ffi::OsString;
use std::process::ExitCode;
use wire::Failure;

/// Trains the learned evaluations of the games, and measures players in one process.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    #[command(subcommand)]
    game: Game,
}

#[derive(Subcommand)]
enum Game {
    /// Trains the evaluation of connect5-joueur.
    #[command(subcommand)]
    Connect5(trainer::connect5::Command),
    /// Trains the evaluation of gounki, and plays matches between its robots.
    #[command(subcommand)]
    Gounki(trainer::gounki::Command),
    /// Plays matches in the maze, and measures players and the server.
    #[command(subcommand)]
    Moules(trainer::moules::Command),
    /// Trains the network of uttt, and plays matches and proofs.
    #[command(subcommand)]
    Uttt(trainer::uttt::Task),
    /// Trains the pattern weights of othello-player.
    #[command(subcommand)]
    Othello(trainer::othello::Command),
}

fn main() -> ExitCode {
    wire::run("trainer", |words| {
        match Arguments::try_parse_from(std::iter::once(OsString::from("trainer")).chain(words)) {
            Ok(arguments) => run(arguments.game).map_err(failure),
            Err(error) if error.use_stderr() => Err(Failure::usage("trainer", &error.to_string())),
            Err(help) => wire::print(help),
        }
    })
}

fn run(game: Game) -> anyhow::Result<()> {
    match game {
        Game::Connect5(command) => command.run(),
        Game::Gounki(command) => command.run(),
        Game::Moules(command) => command.run(),
        Game::Othello(command) => command.run(),
        Game::Uttt(task) => trainer::uttt::run(&task),
    }
}

fn failure(error: anyhow::Error) -> Failure {
    error.downcast().unwrap_or_else(|error| Failure::run(format!("{error:#}")))
}
