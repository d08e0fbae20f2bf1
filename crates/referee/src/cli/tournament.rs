//! `referee match`, `tournament`, `merge` and `report`: runs of games and their results.

use super::interrupt;
use super::language::LanguageOption;
use super::options::PlayOptions;
use super::outputs::{Outputs, together, writable};
use super::play::{Prepared, ToTheEnd, print_results, slim};
use super::players::{Written, of_file};
use super::rounds::Rounds;
use crate::ranking::all_pairs;
use crate::standing::Standing;
use clap::{Args, ValueEnum};
use courses::course::Course;
use courses::options::GameOptions;
use courses::registry::{self, Game};
use courses::store;
use courses::store::{CourseRanking, Format, Head};
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
    /// The other player
    #[arg(long, value_name = "PLAYER")]
    b: String,
    /// Number of games; an odd number is raised by one, for whole pairs
    #[arg(long, default_value_t = 100)]
    games: u64,
    #[command(flatten)]
    language: LanguageOption,
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
    /// A players file, TOML or CSV, with name and command or folder, and a player's own options, time (ms), tc, depth and
    /// memory (MB) if it has any; or a folder with the work of each student
    #[arg(long = "players", value_name = "PATH")]
    file: Option<PathBuf>,
    /// The pairing of players
    #[arg(long, value_enum, default_value_t = FormatName::RoundRobin)]
    format: FormatName,
    /// Openings (mazes): each gives every pairing one game from each seat; in swiss: the number of rounds [default: 4;
    /// swiss: enough for one player to win all]
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    rounds: Option<u64>,
    /// swiss, knockout: openings of a pairing, each played from both sides
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    pairs: u64,
    /// The order: by points, or by the course's rule if it has one (first seat less second over all games, with ties
    /// replayed at other depths)
    #[arg(long, value_enum, default_value_t = Ranking::Points)]
    ranking: Ranking,
    /// Players a game, for games that allow several numbers [default: as many as the game takes, or as are given]
    #[arg(long)]
    seats: Option<usize>,
    #[command(flatten)]
    language: LanguageOption,
    #[command(flatten)]
    play: PlayOptions,
}

/// Files to join.
#[derive(Debug, Args)]
pub struct Merge {
    /// Record files of one run's shards
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The joined file; an existing one is replaced unless it holds games that the files do not
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
    #[command(flatten)]
    language: LanguageOption,
    #[command(flatten)]
    outputs: Outputs,
}

/// A file to judge again.
#[derive(Debug, Args)]
pub struct Report {
    /// The record file
    file: PathBuf,
    #[command(flatten)]
    language: LanguageOption,
    #[command(flatten)]
    outputs: Outputs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Ranking {
    Points,
    Course,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum FormatName {
    /// Each player meets all others
    RoundRobin,
    /// The first meets all others
    Gauntlet,
    /// Rounds in which players with equal points meet, no pair twice; seeded in the order of the players
    Swiss,
    /// The loser of a pairing is out; seeded in the order of the players
    Knockout,
}

impl From<FormatName> for Format {
    fn from(name: FormatName) -> Self {
        match name {
            FormatName::RoundRobin => Self::RoundRobin,
            FormatName::Gauntlet => Self::Gauntlet,
            FormatName::Swiss => Self::Swiss,
            FormatName::Knockout => Self::Knockout,
        }
    }
}

impl Match {
    /// Plays the match and prints the result.
    ///
    /// # Errors
    /// A message on one line, and an exit code.
    pub fn run(&self) -> Result<(), Failure> {
        let language = self.language.language();
        let games = self.games.div_ceil(2).saturating_mul(2);
        let players = [self.a.as_str().into(), self.b.as_str().into()];
        let mut prepared = Prepared::new(self.game, &players, 2, Format::RoundRobin, &self.play)?;
        prepared.language = language;
        prepared.play(games, &mut ToTheEnd)?;
        prepared.finish()
    }
}

impl Tournament {
    /// Plays the tournament and prints the result.
    ///
    /// # Errors
    /// A message on one line, and an exit code.
    pub fn run(&self) -> Result<(), Failure> {
        let language = self.language.language();
        let mut players: Vec<Written> = self.players.iter().map(|text| text.as_str().into()).collect();
        if let Some(path) = &self.file {
            players.extend(of_file(path, self.game, &self.play)?);
        }
        let is_of_rounds = matches!(self.format, FormatName::Swiss | FormatName::Knockout);
        let most = if is_of_rounds { 2 } else { *self.game.seats().end() };
        let seats = self.seats.unwrap_or(most.min(players.len()));
        let openings = self.rounds.unwrap_or(4);
        let ranked = |head: Head| match self.ranking {
            Ranking::Points => head,
            Ranking::Course => {
                let pairs = all_pairs(&(0..players.len()).collect::<Vec<_>>()).len() as u64;
                let games = openings.saturating_mul(2 * pairs);
                let ranking = Some(CourseRanking { games, depth: self.play.games.depth });
                Head { ranking, setting: head.setting + "; ranked as the course does", ..head }
            }
        };
        let format = self.format.into();
        let mut prepared = Prepared::with(self.game, &players, seats, format, &self.play, ranked)?;
        prepared.language = language;
        if is_of_rounds || self.ranking == Ranking::Course {
            self.check_rounds(seats)?;
        }
        let mut rounds = Rounds::new(&mut prepared);
        match self.format {
            FormatName::Swiss => return rounds.swiss(self.rounds, self.pairs),
            FormatName::Knockout => return rounds.knockout(self.pairs),
            FormatName::RoundRobin | FormatName::Gauntlet => {}
        }
        if self.ranking == Ranking::Course {
            return rounds.by_the_course(self.game, &players, openings);
        }
        let games = openings.saturating_mul(prepared.schedule.games_an_opening());
        prepared.play(games, &mut ToTheEnd)?;
        prepared.finish()
    }
}

impl Tournament {
    /// Checks the options of a tournament whose pairings depend on results.
    fn check_rounds(&self, seats: usize) -> Result<(), Failure> {
        if self.play.shard.is_some() {
            return Err(Failure::input(
                "--shard cannot split this tournament: its rounds depend on earlier results",
            ));
        }
        if seats != 2 {
            return Err(Failure::input(format!(
                "this format pairs two players a game, not {seats}: use --seats 2"
            )));
        }
        let is_plain = self.format == FormatName::RoundRobin && self.game.ranks_by_score();
        if self.ranking == Ranking::Course && !is_plain {
            let of: Vec<&str> =
                registry::all().iter().filter(|game| game.ranks_by_score()).map(|game| game.name()).collect();
            let of = of.join(", ");
            return Err(Failure::input(format!("--ranking course needs a round robin of {of}")));
        }
        Ok(())
    }
}

/// Returns the course of a record file, if it is known.
fn course_of(head: &Head) -> Option<Box<dyn Course>> {
    record_course(head, &GameOptions::default()).ok()
}

/// Returns the course of a record file, with `options` for settings that its head lacks.
///
/// # Errors
/// If the course is unknown, or an option is not valid for it.
pub fn record_course(head: &Head, options: &GameOptions) -> Result<Box<dyn Course>, Failure> {
    let game: Game = head.course.parse().map_err(Failure::input)?;
    game.assignment().recorded(options, head.seats, &head.setting)
}

impl Merge {
    /// Merges the files and prints the result.
    ///
    /// # Errors
    /// A message on one line, and an exit code.
    pub fn run(&self) -> Result<(), Failure> {
        interrupt::ends_at_once()?;
        writable(&self.output)?;
        self.outputs.check()?;
        let (head, records) = store::merge(&self.files, &self.output).map_err(Failure::input)?;
        let standing = Standing::of_run(&head, &records);
        let language = self.language.language();
        together([
            print_results(&head, &standing, &records, language),
            self.outputs.write(&head, &standing, &records, course_of(&head).as_deref(), language),
        ])
    }
}

impl Report {
    /// Prints the result.
    ///
    /// # Errors
    /// A message on one line, and an exit code.
    pub fn run(&self) -> Result<(), Failure> {
        interrupt::ends_at_once()?;
        self.outputs.check()?;
        let slimmed = store::load_slim(&self.file, |head, record| slim(&self.outputs, head, record));
        let (head, mut records) = slimmed.map_err(Failure::input)?;
        records.sort_by_key(|record| record.game);
        let standing = Standing::of_run(&head, &records);
        let language = self.language.language();
        together([
            print_results(&head, &standing, &records, language),
            self.outputs.write(&head, &standing, &records, course_of(&head).as_deref(), language),
        ])
    }
}
