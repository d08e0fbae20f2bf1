//! Matches between two settings of one build, in pairs of games from the same random opening with sides exchanged.

use anyhow::{Context, Result, ensure};
use clap::Args;
use courses::results::Tally;
use courses::results::elo::Estimate;
use rand::{RngExt, SeedableRng};
use search_core::monte_carlo::MonteCarlo;
use search_core::{Clock, Control, Limits, Position, Report, Stopwatch};
use std::time::Duration;
use uttt::evaluation::Network;
use uttt::evaluation::network::Path;
use uttt::player::{CONFIGURATION, Evaluator, Player, Settings};
use uttt::rules::{Cell, Side, State};

/// Tree size in bytes for a setting with its own weights.
const TREE_BYTES: usize = 256 << 20;
/// Number of random moves in an opening.
const OPENING_PLIES: usize = 4;

/// Arguments of `match`.
#[derive(Debug, Args)]
pub struct Match {
    /// The first setting: `search,evaluation[,weights[,exploration[,best line]]]`.
    a: String,
    /// The second setting.
    b: String,
    /// Number of pairs of games.
    #[arg(long, default_value_t = 50)]
    pairs: u32,
    /// Nodes a move.
    #[arg(long, default_value_t = 1000, conflicts_with = "time", value_parser = crate::numbers::number::<u64>())]
    nodes: u64,
    /// Milliseconds a move, instead of nodes.
    #[arg(long, value_parser = crate::numbers::number::<u64>())]
    time: Option<u64>,
}

impl Match {
    /// Plays the match. Prints the first setting's wins, draws and losses, its score and Elo with their 95 % intervals
    /// over pairs, and the seconds of both.
    ///
    /// # Errors
    /// If a setting is not valid, the weights cannot be read, or the output cannot be written.
    pub fn run(&self) -> Result<()> {
        let limits = match self.time {
            Some(millis) => Limits::time(Duration::from_millis(millis)),
            None => Limits::nodes(self.nodes),
        };
        let mut random = rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(4242);
        let mut tally = Tally::default();
        let mut contestants = [Contestant::new(&self.a)?, Contestant::new(&self.b)?];
        let mut used = [0.0, 0.0];
        for _ in 0..self.pairs {
            let mut opening = State::start();
            for _ in 0..OPENING_PLIES {
                let moves = opening.move_list();
                opening.play(moves[random.random_range(0..moves.len())]);
            }
            let mut points = [0.0; 2];
            for (first, points) in points.iter_mut().enumerate() {
                let mut state = opening;
                while state.outcome().is_none() {
                    let who = if state.mover() == Side::X { first } else { 1 - first };
                    let clock = Stopwatch::start();
                    let cell = contestants[who].think(&state, limits, &clock).best.context("no move")?;
                    used[who] += clock.elapsed().as_secs_f64();
                    state.play(cell);
                }
                *points = match state.winner() {
                    None => 0.5,
                    Some(side) => f64::from(u8::from((side == Side::X) == (first == 0))),
                };
                tally.add(*points);
            }
            tally.add_pair(points[0], points[1]);
        }
        let estimate = Estimate::of(&tally).context("no game was played")?;
        Ok(wire::print_line(format_args!(
            "{} against {}, {}: +{} ={} -{}, {:.1} % [{:.1}, {:.1}], Elo {}, {:.1} s and {:.1} s",
            self.a,
            self.b,
            self.time.map_or_else(|| format!("{} nodes", self.nodes), |millis| format!("{millis} ms")),
            tally.wins,
            tally.draws,
            tally.losses,
            100.0 * estimate.score,
            100.0 * estimate.score_low,
            100.0 * estimate.score_high,
            estimate.text(),
            used[0],
            used[1]
        ))?)
    }
}

enum Contestant {
    Whole(Box<Player>),
    Weights(Box<MonteCarlo<Evaluator>>),
}

impl Contestant {
    fn new(text: &str) -> Result<Self> {
        let words: Vec<_> = text.split(',').collect();
        ensure!(words.len() >= 2, "expected a setting search,evaluation, found \"{text}\"");
        let settings =
            Settings { method: words[0].parse()?, evaluation: words[1].parse()?, ..Settings::default() };
        let Some(path) = words.get(2) else {
            return Ok(Self::Whole(Box::new(Player::new(settings))));
        };
        let bytes = crate::records::bytes(path.as_ref())?;
        let network =
            bytes.as_slice().try_into().ok().and_then(|bytes| Network::from_bytes(bytes, Path::best()).ok());
        let network = network.with_context(|| format!("{path} holds no weights of the network"))?;
        let mut configuration = CONFIGURATION;
        if let Some(exploration) = words.get(3) {
            configuration.exploration = exploration.parse()?;
        }
        if let Some(best_line) = words.get(4) {
            configuration.best_line = best_line.parse()?;
        }
        // The evaluator borrows the weights for the life of the process. At most two are leaked.
        let evaluator = Evaluator::with_network(Box::leak(Box::new(network)));
        Ok(Self::Weights(Box::new(MonteCarlo::new(evaluator, configuration, TREE_BYTES))))
    }

    fn think(&mut self, state: &State, limits: Limits, clock: &dyn Clock) -> Report<Cell> {
        match self {
            Self::Whole(player) => player.think(state, limits, clock),
            Self::Weights(tree) => tree.think(state, &Control::new(limits, clock)),
        }
    }
}
