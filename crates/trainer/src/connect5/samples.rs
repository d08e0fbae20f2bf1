//! Training samples from games: positions with results, and moves with their alternatives.

use super::games::Game;
use connect5_joueur::evaluation::{Evaluation, learned};
use connect5_joueur::patterns::{Class, Patterns};
use connect5_joueur::rules::{Cell, Color, Grid, Position};
use search_core::{Position as _, Score};

/// Factor on a result's weight for each ply of distance, down to [`LEAST_WEIGHT`].
const PER_PLY: f32 = 0.96;
const LEAST_WEIGHT: f32 = 0.15;
/// Weight of the search's value in the target. The result has the rest.
const THOUGHT: f32 = 0.4;
/// One game in this number is held out for validation.
const HELD_OUT: usize = 10;

/// A position and its result.
#[derive(Debug)]
pub struct Sample {
    /// The indices of the shape sets of each cell that matters to either side, for the mover and for the opponent.
    pub cells: Vec<[u16; 2]>,
    /// The threat index ([`Patterns::threats`]).
    pub threats: u16,
    /// The target, from 0 (the mover lost) to 1 (it won).
    pub result: f32,
    /// The weight of the sample in the fit.
    pub weight: f32,
    /// True if the sample is held out.
    pub held_out: bool,
}

/// A move and its alternatives.
#[derive(Debug)]
pub struct Choice {
    /// For each move the indices of its shape sets, for the mover and for the opponent, and its relation to the
    /// opponent's last move and to the mover's own.
    pub moves: Vec<[u16; 4]>,
    /// The index of the move played.
    pub played: usize,
    /// True if the choice is held out.
    pub held_out: bool,
}

/// Returns the quiet positions of these games, and their moves.
pub fn of_games(games: &[Game]) -> (Vec<Sample>, Vec<Choice>) {
    let mut gathered = Gathered { samples: Vec::new(), choices: Vec::new() };
    for (number, game) in games.iter().enumerate() {
        gathered.gather(game, number % HELD_OUT == 0);
    }
    (gathered.samples, gathered.choices)
}

struct Gathered {
    samples: Vec<Sample>,
    choices: Vec<Choice>,
}

impl Gathered {
    fn gather(&mut self, game: &Game, held_out: bool) {
        let grid = Grid::new(game.size[0], game.size[1]).expect("checked when the game was read");
        let mut position = Position::from_grid(&grid);
        let mut patterns = Patterns::new(&position, Evaluation::Lines.weights());
        for (ply, &mv) in game.moves.iter().enumerate() {
            let cell = Cell::new(mv);
            if !position.is_legal(cell) {
                return;
            }
            let score = ply.checked_sub(game.opening).map(|index| game.scores[index]);
            let mover = position.mover();
            let quiet = Color::ALL.iter().all(|&color| patterns.fives(color).is_empty())
                && patterns.open_fours(mover).is_empty();
            if let Some(score) = score.filter(|_| quiet) {
                let before = |back: usize| {
                    let index = ply.checked_sub(back).filter(|&index| index >= game.opening);
                    index.map(|index| Cell::new(game.moves[index]))
                };
                self.choices.extend(choice(&position, &patterns, [before(1), before(2)], cell, held_out));
                if score.abs() < Score::LIMIT.value() {
                    let thought = 1.0 / (1.0 + (-score as f32 / 100.0).exp());
                    self.samples.push(Sample {
                        cells: cells(&position, &patterns),
                        threats: patterns.threats(mover) as u16,
                        result: game.target(mover, thought, THOUGHT),
                        weight: PER_PLY.powi((game.moves.len() - ply) as i32).max(LEAST_WEIGHT),
                        held_out,
                    });
                }
            }
            position.play(cell);
            patterns.played(cell, &position);
        }
    }
}

/// Returns the index of a cell's shape set for a colour, 0 if the cell does not matter to it.
fn set(position: &Position, patterns: &Patterns, cell: Cell, color: Color) -> u16 {
    let shape = |direction| patterns.shape(position, cell, color, direction);
    match patterns.class(cell, color) {
        Class::Nothing => 0,
        _ => learned::set_number(std::array::from_fn(shape)) as u16,
    }
}

fn cells(position: &Position, patterns: &Patterns) -> Vec<[u16; 2]> {
    let mover = position.mover();
    let free = position.cells().filter(|&cell| position.is_free(cell));
    let cell = |cell| [mover, mover.other()].map(|color| set(position, patterns, cell, color));
    free.map(cell).filter(|&cell| cell != [0, 0]).collect()
}

fn choice(
    position: &Position,
    patterns: &Patterns,
    before: [Option<Cell>; 2],
    played: Cell,
    held_out: bool,
) -> Option<Choice> {
    let mover = position.mover();
    let near = |before: Option<Cell>, cell| {
        before.map_or(0, |before| position.geometry().relation(before, cell) as u16)
    };
    let candidates: Vec<Cell> = patterns.candidates().collect();
    let moves = candidates.iter().map(|&cell| {
        let [own, other] = [mover, mover.other()].map(|color| set(position, patterns, cell, color));
        [own, other, near(before[0], cell), near(before[1], cell)]
    });
    let played = candidates.iter().position(|&cell| cell == played)?;
    (candidates.len() > 1).then(|| Choice { moves: moves.collect(), played, held_out })
}
