//! `referee mark`: a course's marking scheme as a report card.

use super::interrupt;
use super::play;
use crate::mark::{Marker, connect5, gounki, moules, othello, uttt};
use clap::Args;
use courses::options::{Game, GameOptions};
use wire::Failure;

/// The course's marking scheme, as a report card.
#[derive(Debug, Args)]
pub struct Mark {
    /// The assignment
    game: Game,
    /// The program to mark; connect5, uttt and gounki are started as their course does
    #[arg(long, value_name = "COMMAND")]
    player: String,
    /// Another program for the tournament; give the option once for each
    #[arg(long = "against", value_name = "PLAYER")]
    others: Vec<String>,
    /// Fewer tests and games, for a quick look
    #[arg(long)]
    quick: bool,
    #[command(flatten)]
    options: GameOptions,
}

impl Mark {
    /// Prints the card.
    ///
    /// # Errors
    /// One line and an exit code.
    pub fn run(&self) -> Result<(), Failure> {
        let conditions = self.options.conditions(self.game)?;
        let course = self.options.course(self.game, 2)?;
        let player = play::player(course.as_ref(), &self.player)?;
        let others = self.others.iter().map(|text| play::player(course.as_ref(), text));
        let others = others.collect::<Result<Vec<_>, _>>()?;
        let supervisor = interrupt::supervisor()?;
        let marker = Marker {
            player: &player,
            others: &others,
            conditions: &conditions,
            supervisor,
            seed: self.options.seed,
            concurrency: std::thread::available_parallelism().map_or(1, usize::from),
            quick: self.quick,
        };
        let card = match self.game {
            Game::Connect5 => connect5::card(&marker),
            Game::Gounki => gounki::card(&marker),
            Game::Moules => moules::card(&marker),
            Game::Othello => othello::card(&marker, self.options.depth),
            Game::Uttt => uttt::card(&marker),
        };
        wire::print(wire::printable(&card.map_err(interrupt::failure)?.to_string()))
    }
}
