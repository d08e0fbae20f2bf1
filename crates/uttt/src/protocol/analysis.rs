//! The analysis dialogue: the best moves of a position, deeper and deeper, for as long as somebody looks.

use crate::player::{Player, Settings};
use crate::rules::State;
use search_core::side_by_side::{FlagClock, side_by_side};
use search_core::{Depth, Score};
use std::sync::atomic::AtomicBool;
use wire::analysis::{self, Info, Value};

/// The deepest iteration.
const DEEPEST: Depth = 60;
/// An evaluation that a page shows as one.
const UNIT: f64 = 1000.0;

/// The player that analyses.
#[derive(Debug)]
pub struct Analyst {
    player: Player,
}

impl Analyst {
    /// An analyst with these settings.
    pub fn new(settings: Settings) -> Self {
        Self { player: Player::new(settings) }
    }
}

impl analysis::Analyst for Analyst {
    type Position = State;

    fn read(&self, text: &str) -> Result<State, String> {
        text.parse().map_err(|error| format!("{error}"))
    }

    fn analyse(&mut self, state: &State, moves: usize, stop: &AtomicBool, tell: &mut dyn FnMut(&Info)) {
        let clock = FlagClock::start(stop);
        let player = &mut self.player;
        let think = |after: &State, depth| player.think(after, FlagClock::limits(depth), &clock);
        side_by_side(state, DEEPEST, &clock, think, |depth, ranked, nodes| {
            for (nth, ranked) in ranked.iter().enumerate().take(moves) {
                tell(&Info {
                    rank: nth + 1,
                    depth: depth as u32,
                    value: value(ranked.score),
                    nodes,
                    millis: clock.so_far().as_millis() as u64,
                    line: ranked.line.iter().map(ToString::to_string).collect(),
                });
            }
        });
    }
}

fn value(score: Score) -> Value {
    match score.plies_to_end() {
        Some(plies) if score.is_win() => Value::Win(plies as u32),
        Some(plies) => Value::Loss(plies as u32),
        None => Value::Points(f64::from(score.value()) / UNIT),
    }
}
