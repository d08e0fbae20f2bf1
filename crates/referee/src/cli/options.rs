//! The options of commands that play games.

use super::outputs::Outputs;
use super::sandbox::SandboxOptions;
use crate::live;
use anyhow::Context;
use clap::Args;
use courses::course::{Conditions, Course};
use courses::limits::{Adjudication, Agreement, GameClock};
use courses::options::GameOptions;
use courses::player::{Player, is_one_at_a_time};
use courses::registry::{self, Game};
use std::net::SocketAddr;
use std::path::PathBuf;
use wire::Failure;

/// The options of playing and keeping games.
#[derive(Debug, Args)]
pub struct PlayOptions {
    #[command(flatten)]
    pub games: GameOptions,
    /// A clock for the whole game instead of --time: [MOVES/]SECONDS[+INCREMENT], such as 40/60 or 10+0.1
    #[arg(long, value_name = "CLOCK", conflicts_with = "time")]
    pub tc: Option<GameClock>,
    /// A player's own limits, such as NAME:time=MS,tc=CLOCK,memory=MB,depth=N; give the option once for each player
    #[arg(long = "limit", value_name = "NAME:LIMITS")]
    pub limits: Vec<String>,
    /// End a game as won when both players' scores have agreed on it for `count` moves: [number=N,]count=N,score=S
    #[arg(long, value_name = "AGREEMENT")]
    pub resign: Option<Agreement>,
    /// End a game as drawn when both players' scores have been near 0 for `count` moves: [number=N,]count=N,score=S
    #[arg(long, value_name = "AGREEMENT")]
    pub draw: Option<Agreement>,
    /// Declare a draw after N moves of each player
    #[arg(long, value_name = "N")]
    pub max_moves: Option<u32>,
    /// Games at once [default: the number of processors; 1 with a tcp: player]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub concurrency: Option<u16>,
    /// Play timed games even with fewer processors than games
    #[arg(long)]
    pub force: bool,
    /// Bind the players of each concurrent game to a processor of their own
    #[arg(long)]
    pub pin: bool,
    /// Show the games in a browser as they are played, at http://127.0.0.1:PORT/; 0 takes a free port
    #[arg(long, value_name = "[ADDRESS:]PORT", value_parser = live::address)]
    pub live: Option<SocketAddr>,
    /// With --live: milliseconds between moves for viewers; no clock runs in the meantime
    #[arg(long, value_name = "MS", default_value_t = 0, requires = "live")]
    pub pace: u64,
    /// Append each game to this file. Games that it holds are not played again. A file of another run, or of players that
    /// have changed, is refused
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,
    /// Write both sides of every dialogue to this file, with times
    #[arg(long, value_name = "FILE")]
    pub log: Option<PathBuf>,
    /// With --log: only games with a fault
    #[arg(long, requires = "log")]
    pub log_faults: bool,
    /// Play only every N-th game, beginning with the I-th (from 1)
    #[arg(long, value_name = "I/N", value_parser = shard)]
    pub shard: Option<(u64, u64)>,
    /// Print no progress
    #[arg(long, short)]
    pub quiet: bool,
    #[command(flatten)]
    pub sandbox: SandboxOptions,
    #[command(flatten)]
    pub outputs: Outputs,
}

impl PlayOptions {
    /// Returns the options of the games with the clock converted to a time a move, for players without clocks.
    pub fn timed(&self) -> GameOptions {
        let share = self.tc.map(|clock| clock.a_move().as_millis() as u64);
        GameOptions { time: share.or(self.games.time), ..self.games.clone() }
    }

    /// Returns the assignment with its settings.
    pub fn course(&self, game: Game, seats: usize) -> Result<Box<dyn Course>, Failure> {
        self.timed().course(game, seats)
    }

    /// Returns the number of concurrent games. Timed games need a processor each. A player at a network address plays
    /// one game at a time unless the option says otherwise.
    pub fn at_once(&self, course: &dyn Course, players: &[Player]) -> Result<usize, Failure> {
        if let Some(player) = players.iter().find(|player| is_one_at_a_time(player)) {
            let text = &player.text;
            match self.concurrency {
                None => {
                    wire::note(format_args!(
                        "referee: one game at a time, because \"{text}\" has one address"
                    ));
                    return Ok(1);
                }
                Some(2..) if registry::find(course.name()).is_some_and(|game| game.listens()) => {
                    return Err(Failure::input(format!(
                        "\"{text}\" has one address, which plays one game at a time: use --concurrency 1"
                    )));
                }
                // A player's own server may take several clients.
                Some(_) => {}
            }
        }
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        let concurrency = self.concurrency.map_or(processors, usize::from);
        if course.is_timed() && concurrency > processors && !self.force {
            return Err(Failure::input(format!(
                "{concurrency} timed games at once need as many processors, and there are {processors}; --force plays \
                 them nevertheless"
            )));
        }
        Ok(concurrency)
    }

    /// Returns the conditions of every game.
    pub fn conditions(&self, game: Game) -> Result<Conditions, Failure> {
        let mut conditions = self.games.conditions(game)?;
        let Self { resign, draw, max_moves, .. } = *self;
        conditions.adjudication = Adjudication { resign, draw, max_moves };
        conditions.sandbox = self.sandbox.sandbox()?;
        let is_plain = self.tc.is_none() && conditions.adjudication == Adjudication::default();
        if !game.knows_clocks() && !is_plain {
            return Err(Failure::input(format!(
                "{} does not take --tc, --resign, --draw or --max-moves",
                game.name()
            )));
        }
        if self.tc.is_some() {
            (conditions.time, conditions.clock) = (None, self.tc);
        }
        Ok(conditions)
    }
}

fn shard(text: &str) -> anyhow::Result<(u64, u64)> {
    text.split_once('/')
        .and_then(|(i, n)| Some((i.parse().ok()?, n.parse().ok()?)))
        .filter(|&(i, n)| i >= 1 && i <= n)
        .context("expected I/N with 1 ≤ I ≤ N")
}
