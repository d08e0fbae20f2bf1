//! The analysis protocol: the best moves of a position, deeper and deeper until stopped.

use crate::player::{Board, Player, Settings};
use crate::rules::{Colour, Configuration, ConfigurationError, Move, Position};
use search_core::side_by_side::{FlagClock, side_by_side};
use search_core::{Depth, Line, Report, Score};
use wire::analysis::{self, Info, Listener, Value};

/// The deepest iteration, in plies.
const DEEPEST: Depth = 60;
/// The evaluation of one man, which becomes one point.
const MAN: f64 = 100.0;

/// A player that analyses.
#[derive(Debug)]
pub struct Analyst {
    player: Player,
}

impl Analyst {
    /// An analyst with these settings.
    #[must_use]
    pub fn new(settings: Settings) -> Self {
        Self { player: Player::new(settings) }
    }
}

impl analysis::Analyst for Analyst {
    type Position = Position;
    type Error = PositionError;

    fn read(&self, text: &str) -> Result<Position, PositionError> {
        read(text)
    }

    fn analyse(&mut self, position: &Position, listener: &mut Listener<'_>) {
        let clock = FlagClock::by(listener.stop, listener.clock());
        let player = &mut self.player;
        let think = |after: &Position, depth| player.think(after, FlagClock::limits(depth), &clock);
        side_by_side(position, DEEPEST, &clock, think, |depth, ranked, nodes| {
            let line = |line: &Line<Move>| Board(*position).to_the_end(line.iter().copied());
            let lines = ranked.iter().map(|ranked| (value(ranked.score), line(&ranked.line)));
            listener.report(depth as u32, nodes, lines);
        });
    }
}

/// Converts a search report to an `info` line.
#[must_use]
pub fn info(report: &Report<Move>) -> Info {
    let line = report.best.iter().chain(report.principal_variation.iter().skip(1));
    Info::of_best(report.depth, value(report.score), report.nodes, report.elapsed, line)
}

fn value(score: Score) -> Value {
    Value::of_search(score.plies_to_end(), f64::from(score.value()) / MAN)
}

/// The text is not a position. The message is French, as is the program.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PositionError {
    /// The side to move is unknown.
    #[error("« {mover} » : blanc ou noir est attendu")]
    Mover {
        /// The text after the colon.
        mover: String,
    },
    /// The configuration has other characters than those of codes.
    #[error("une configuration est faite de 64 codes")]
    Codes,
    /// The configuration is not valid.
    #[error(transparent)]
    Configuration(#[from] ConfigurationError),
}

/// Parses 64 codes without separators, then `:blanc` or `:noir` for the side to move.
fn read(text: &str) -> Result<Position, PositionError> {
    let (codes, mover) = text.split_once(':').unwrap_or((text, "blanc"));
    let mover = match mover {
        "blanc" => Colour::White,
        "noir" => Colour::Black,
        _ => return Err(PositionError::Mover { mover: mover.to_owned() }),
    };
    if !codes.is_ascii() {
        return Err(PositionError::Codes);
    }
    let pairs = (0..codes.len()).step_by(2).map(|at| &codes[at..codes.len().min(at + 2)]);
    let configuration = Configuration::from_codes(pairs)?;
    Ok(configuration.position(mover))
}
