//! Trains the learned evaluations of the games, and runs matches and measurements in one process.
//!
//! - `descent`: the fit of a small network, by `adam`.
//! - [`linear`]: ridge regression on sparse rows.
//! - [`connect5`]: the weights of `connect5-joueur`, from self-play games.
//! - [`gounki`]: the learned evaluations of `gounki`, matches, timing of the exact search.
//! - [`moules`]: matches, single-player runs, the opponent model, load tests of the server.
//! - [`uttt`]: the network of `uttt`, from self-play games; matches and proofs.
//! - `numbers`: parsers of numeric options.
//! - [`plot`]: SVG plots.
//! - [`othello`]: the pattern weights of `othello-player`.
//! - [`puzzles`]: puzzles of every game, mined from self-play, and their audit.
//! - [`records`]: files of self-play positions.

#![forbid(unsafe_code)]
#![deny(clippy::print_stdout, clippy::print_stderr)]

mod adam;
pub mod connect5;
mod descent;
pub mod gounki;
pub mod linear;
pub mod moules;
mod numbers;
pub mod othello;
pub mod plot;
pub mod puzzles;
pub mod records;
mod threads;
pub mod uttt;

use clap::Subcommand;

/// The games with puzzles: the name, and a new source of its puzzles.
const PUZZLES: [(&str, puzzles::Start); 5] = [
    ("connect5", || Box::new(connect5::puzzles::Connect5)),
    ("gounki", || Box::<gounki::puzzles::Gounki>::default()),
    ("moules", || Box::new(moules::puzzles::Moules)),
    ("othello", || Box::<othello::puzzles::Othello>::default()),
    ("uttt", || Box::<uttt::puzzles::Uttt>::default()),
];

/// The tasks of each game, and of all.
#[derive(Subcommand)]
pub enum Game {
    /// Trains the evaluation of connect5-joueur.
    #[command(subcommand)]
    Connect5(connect5::Command),
    /// Trains the evaluation of gounki, and plays matches between its robots.
    #[command(subcommand)]
    Gounki(gounki::Command),
    /// Plays matches in the maze, and measures players and the server.
    #[command(subcommand)]
    Moules(moules::Command),
    /// Trains the network of uttt, and plays matches and proofs.
    #[command(subcommand)]
    Uttt(uttt::Task),
    /// Trains the pattern weights of othello-player.
    #[command(subcommand)]
    Othello(othello::Command),
    /// Mines puzzles of a game, or audits them.
    Puzzles(puzzles::Puzzles),
}

impl Game {
    /// Runs the task.
    ///
    /// # Errors
    /// Those of the task.
    pub fn run(self) -> anyhow::Result<()> {
        // Started here, because work in parallel would panic without its threads.
        rayon::ThreadPoolBuilder::new().build_global()?;
        match self {
            Self::Connect5(command) => command.run(),
            Self::Gounki(command) => command.run(),
            Self::Moules(command) => command.run(),
            Self::Othello(command) => command.run(),
            Self::Uttt(task) => uttt::run(&task),
            Self::Puzzles(puzzles) => puzzles.run(),
        }
    }
}
