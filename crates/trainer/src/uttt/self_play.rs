use super::record::Record;
use crate::records::Writer;
use anyhow::Result;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use search_core::monte_carlo::MonteCarlo;
use search_core::{Control, Limits, Position, Stopwatch};
use std::path::Path;
use uttt::evaluation::Evaluation;
use uttt::player::{CONFIGURATION, Evaluator};
use uttt::rules::{Cell, Side, State};

/// Tree size in bytes for a few thousand visits.
const TREE_BYTES: usize = 16 << 20;
/// Up to this ply the move is drawn in proportion to visits.
const VARIED_PLIES: u32 = 16;

pub fn run(
    games: u64,
    nodes: u64,
    evaluation: Evaluation,
    random_share: f32,
    seed: u64,
    out: &Path,
) -> Result<()> {
    let mut file = Writer::create(out)?;
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut tree = MonteCarlo::new(Evaluator::new(evaluation), CONFIGURATION, TREE_BYTES);
    let mut positions = 0;
    let mut results = [0; 3];
    for _ in 0..games {
        let (records, for_x) = game(&mut tree, nodes, random_share, &mut random);
        results[(for_x + 1.0) as usize] += 1;
        positions += records.len();
        file.append(&records)?;
    }
    file.finish()?;
    let [lost, drawn, won] = results;
    wire::print_line(format_args!(
        "{games} games, x won {won}, drew {drawn}, lost {lost}; {positions} positions"
    ))?;
    Ok(())
}

/// Plays a game. Returns its records, and its result for X: 1, 0 or −1.
fn game(
    tree: &mut MonteCarlo<Evaluator>,
    nodes: u64,
    random_share: f32,
    random: &mut Xoshiro256PlusPlus,
) -> (Vec<Record>, f32) {
    let mut state = State::start();
    for _ in 0..random.random_range(0..10) {
        let moves = state.move_list();
        state.play(moves[random.random_range(0..moves.len())]);
    }
    let mut records: Vec<Record> = Vec::new();
    // The number of records up to the last random move.
    let mut astray = 0;
    let clock = Stopwatch::start();
    // The result from the side of X.
    let result = loop {
        let for_x = |value: f32| if state.mover() == Side::X { value } else { -value };
        if let Some(outcome) = state.outcome() {
            break for_x(f32::from(outcome.sign()));
        }
        let control = Control::new(Limits::nodes(nodes), &clock);
        let report = tree.think(&state, &control);
        let Some(best) = report.best else { unreachable!("the game goes on") };
        let value = if report.proven {
            f32::from(i8::from(report.score.is_win()) - i8::from(report.score.is_loss()))
        } else {
            report.score.value() as f32 / search_core::monte_carlo::CERTAIN as f32
        };
        records.push(Record { state, value, result: 0.0 });
        if report.proven {
            break for_x(value);
        }
        let cell = if random_share > 0.0 && random.random::<f32>() < random_share {
            astray = records.len();
            let moves = state.move_list();
            moves[random.random_range(0..moves.len())]
        } else if state.occupied() < VARIED_PLIES {
            drawn(tree, random).unwrap_or(best)
        } else {
            best
        };
        state.play(cell);
    };
    for (nth, record) in records.iter_mut().enumerate() {
        record.result = match record.state.mover() {
            _ if nth < astray => record.value,
            Side::X => result,
            Side::O => -result,
        };
    }
    (records, result)
}

fn drawn(tree: &MonteCarlo<Evaluator>, random: &mut Xoshiro256PlusPlus) -> Option<Cell> {
    let total: u32 = tree.root_moves().map(|(_, visits, _, _)| visits).sum();
    let mut ticket = random.random_range(0..total.max(1));
    for (cell, visits, _, _) in tree.root_moves() {
        match ticket.checked_sub(visits) {
            Some(rest) => ticket = rest,
            None => return Some(cell),
        }
    }
    None
}
