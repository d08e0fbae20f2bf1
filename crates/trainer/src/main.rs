//! Arguments to the library.

use clap::{Parser, Subcommand};

/// Fits the learned evaluations of the games.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    #[command(subcommand)]
    game: Game,
}

#[derive(Subcommand)]
enum Game {
    /// The weights of connect5-joueur's learned evaluation.
    #[command(subcommand)]
    Connect5(trainer::connect5::Command),
    /// The network of uttt.
    #[command(subcommand)]
    Uttt(trainer::uttt::Task),
    /// The pattern weights of othello-player.
    #[command(subcommand)]
    Othello(trainer::othello::Command),
}

fn main() -> anyhow::Result<()> {
    match Arguments::parse().game {
        Game::Connect5(command) => command.run(),
        Game::Othello(command) => command.run(),
        Game::Uttt(task) => trainer::uttt::run(&task),
    }
}
