//! `referee match`, `tournament`, `merge` and `report`: runs of games and their judgement.

use super::play::{Outputs, PlayOptions, Prepared, ToTheEnd, print_results};
use super::players::{Written, of_file};
use clap::{Args, ValueEnum};
use courses::options::Game;
use courses::store;
use courses::store::Format;
use std::path::PathBuf;
use wire::Failure;

/// Two players.
#[derive(Debug, Args)]
pub struct Match {
    /// The assignment
    game: Game,
    /// One player
    #[arg(long, value_name = "PLAYER")]
    a: String,
    /// The other
    #[arg(long, value_name = "PLAYER")]
    b: String,
    /// Games; an odd one more makes a whole pair
    #[arg(long, default_value_t = 100)]
    games: u64,
    #[command(flatten)]
    play: PlayOptions,
}

/// Any number of players.
#[derive(Debug, Args)]
pub struct Tournament {
    /// The assignment
    game: Game,
    /// A player; give the option once for each
    #[arg(long = "player", value_name = "PLAYER", required_unless_present = "file")]
    players: Vec<String>,
    /// A players file, TOML or CSV: name, command, and, where they are a player's own, options, time (ms), tc, depth,
    /// memory (MB)
    #[arg(long = "players", value_name = "FILE")]
    file: Option<PathBuf>,
    /// Who meets whom
    #[arg(long, value_enum, default_value_t = FormatName::RoundRobin)]
    format: FormatName,
    /// Openings (mazes): each gives every meeting once from every seat
    #[arg(long, default_value_t = 4)]
    rounds: u64,
    /// moules: players a game, 1 to 4 [default: 4, or as many as there are]
    #[arg(long)]
    seats: Option<usize>,
    #[command(flatten)]
    play: PlayOptions,
}

/// Files to join.
#[derive(Debug, Args)]
pub struct Merge {
    /// Record files of one run's shards
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The joined file
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
    #[command(flatten)]
    outputs: Outputs,
}

/// A file to judge again.
#[derive(Debug, Args)]
pub struct Report {
    /// The record file
    file: PathBuf,
    #[command(flatten)]
    outputs: Outputs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum FormatName {
    RoundRobin,
    Gauntlet,
}

impl From<FormatName> for Format {
    fn from(name: FormatName) -> Self {
        match name {
            FormatName::RoundRobin => Self::RoundRobin,
            FormatName::Gauntlet => Self::Gauntlet,
        }
    }
}

impl Match {
    /// Plays it and prints the result.
    ///
    /// # Errors
    /// One line and an exit code.
    pub fn run(&self) -> Result<(), Failure> {
        let games = self.games.div_ceil(2).saturating_mul(2);
        let players = [self.a.as_str().into(), self.b.as_str().into()];
        let mut prepared = Prepared::new(self.game, &players, 2, Format::RoundRobin, &self.play)?;
        prepared.play(games, &mut ToTheEnd)?;
        prepared.finish()
    }
}

impl Tournament {
    /// Plays it and prints the result.
    ///
    /// # Errors
    /// One line and an exit code.
    pub fn run(&self) -> Result<(), Failure> {
        let mut players: Vec<Written> = self.players.iter().map(|text| text.as_str().into()).collect();
        if let Some(path) = &self.file {
            players.extend(of_file(path)?);
        }
        let most = if self.game == Game::Moules { 4 } else { 2 };
        let seats = self.seats.unwrap_or(most.min(players.len()));
        let mut prepared = Prepared::new(self.game, &players, seats, self.format.into(), &self.play)?;
        let games = self.rounds.saturating_mul(prepared.schedule.games_an_opening());
        prepared.play(games, &mut ToTheEnd)?;
        prepared.finish()
    }
}

impl Merge {
    /// Joins them and prints the result.
    ///
    /// # Errors
    /// One line and an exit code.
    pub fn run(&self) -> Result<(), Failure> {
        self.outputs.check()?;
        let (head, records) = store::merge(&self.files, &self.output).map_err(Failure::input)?;
        print_results(&head, &records)?;
        self.outputs.write(&head, &records)
    }
}

impl Report {
    /// Prints the result.
    ///
    /// # Errors
    /// One line and an exit code.
    pub fn run(&self) -> Result<(), Failure> {
        self.outputs.check()?;
        let (head, mut records) = store::load(&self.file).map_err(Failure::input)?;
        records.sort_by_key(|record| record.game);
        print_results(&head, &records)?;
        self.outputs.write(&head, &records)
    }
}
