//! Two settings against each other, from pairs of the same random openings with sides exchanged:
//! `uttt_match PAIRS LIMIT A B`, a limit of `300n` nodes or `100ms`, a setting `search,evaluation[,weights]`.

use rand::{RngExt, SeedableRng};
use search_core::monte_carlo::MonteCarlo;
use search_core::{Clock, Control, Limits, Position, Report, Stopwatch};
use std::time::Duration;
use uttt::evaluation::Network;
use uttt::evaluation::network::Path;
use uttt::player::{CONFIGURATION, Evaluator, Player, Settings};
use uttt::rules::{Cell, Side, State};

enum Contestant {
    Whole(Box<Player>),
    Weights(Box<MonteCarlo<Evaluator>>),
}

impl Contestant {
    fn new(text: &str) -> Self {
        let words: Vec<_> = text.split(',').collect();
        let settings = Settings {
            method: words[0].parse().unwrap(),
            evaluation: words[1].parse().unwrap(),
            ..Settings::default()
        };
        match words.get(2) {
            None => Self::Whole(Box::new(Player::new(settings))),
            Some(path) => {
                let bytes = std::fs::read(path).unwrap();
                let network =
                    Network::from_bytes(bytes.as_slice().try_into().unwrap(), Path::best()).unwrap();
                let mut configuration = CONFIGURATION;
                if let Some(exploration) = words.get(3) {
                    configuration.exploration = exploration.parse().unwrap();
                }
                if let Some(best_line) = words.get(4) {
                    configuration.best_line = best_line.parse().unwrap();
                }
                let evaluator = Evaluator::with_network(Box::leak(Box::new(network)));
                Self::Weights(Box::new(MonteCarlo::new(evaluator, configuration, 256 << 20)))
            }
        }
    }

    fn think(&mut self, state: &State, limits: Limits, clock: &dyn Clock) -> Report<Cell> {
        match self {
            Self::Whole(player) => player.think(state, limits, clock),
            Self::Weights(tree) => tree.think(state, &Control::new(limits, clock)),
        }
    }
}

fn main() {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let [pairs, limit, a, b] = arguments.as_slice() else { panic!("PAIRS LIMIT A B") };
    let limits = match limit.strip_suffix("ms") {
        Some(millis) => Limits::time(Duration::from_millis(millis.parse().unwrap())),
        None => Limits::nodes(limit.trim_end_matches('n').parse().unwrap()),
    };
    let mut random = rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(4242);
    let (mut won, mut drawn, mut lost) = (0, 0, 0);
    let mut contestants = [Contestant::new(a), Contestant::new(b)];
    let mut used = [0.0, 0.0];
    for _ in 0..pairs.parse::<u32>().unwrap() {
        let mut opening = State::start();
        for _ in 0..4 {
            let moves = opening.move_list();
            opening.play(moves[random.random_range(0..moves.len())]);
        }
        for first in 0..2 {
            let mut state = opening;
            while state.outcome().is_none() {
                let who = if state.mover() == Side::X { first } else { 1 - first };
                let clock = Stopwatch::start();
                let cell = contestants[who].think(&state, limits, &clock).best.unwrap();
                used[who] += clock.elapsed().as_secs_f64();
                state.play(cell);
            }
            match state.winner() {
                None => drawn += 1,
                Some(side) if (side == Side::X) == (first == 0) => won += 1,
                Some(_) => lost += 1,
            }
        }
    }
    let games = f64::from(won + drawn + lost);
    let score = (f64::from(won) + 0.5 * f64::from(drawn)) / games;
    let error = (score * (1.0 - score) / games).sqrt();
    println!(
        "{a} against {b}, {limit}: +{won} ={drawn} -{lost}, {:.1} % ± {:.1}, {:.1} s and {:.1} s",
        100.0 * score,
        196.0 * error,
        used[0],
        used[1]
    );
}
