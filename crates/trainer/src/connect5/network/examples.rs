//! Training examples from games.

use super::super::games::Game;
use connect5_joueur::evaluation::Evaluation;
use connect5_joueur::evaluation::network::{
    EMPTY_CLASSES, LineClasses, POSITION_NUMBERS, position_numbers, scale,
};
use connect5_joueur::patterns::Patterns;
use connect5_joueur::rules::{Cell, Color, DIRECTIONS, Grid, Position};
use search_core::{Position as _, Score};

/// Weight of the search's value in the target. The result has the rest.
const THOUGHT: f32 = 0.5;

/// A quiet position of a game.
#[derive(Debug)]
pub struct Example {
    /// The line classes of each free cell near a stone, from the mover's side.
    pub cells: Vec<[u16; DIRECTIONS]>,
    /// The candidate moves: the index of the cell, and the player's own move score in log-odds.
    pub moves: Vec<(usize, f32)>,
    /// The index of the move played, if it is a candidate.
    pub played: Option<usize>,
    /// The inputs that describe the whole position.
    pub numbers: [f32; POSITION_NUMBERS],
    /// The learned evaluation's score, in log-odds.
    pub learned: f32,
    /// The target, from 0 (the mover loses) to 1 (it wins): a mean of the search's value and the result.
    pub value: f32,
}

/// Returns the quiet positions of a game.
pub fn of_game(game: &Game) -> Vec<Example> {
    let grid = Grid::new(game.size[0], game.size[1]).expect("checked when the game was read");
    let mut position = Position::from_grid(&grid);
    let mut patterns = Patterns::new(&position, Evaluation::Network.weights());
    let mut examples = Vec::new();
    for (ply, &mv) in game.moves.iter().enumerate() {
        let cell = Cell::new(mv);
        if !position.is_legal(cell) {
            break;
        }
        let quiet = Color::ALL.iter().all(|&color| patterns.fives(color).is_empty())
            && patterns.open_fours(position.mover()).is_empty();
        if quiet && let Some(index) = ply.checked_sub(game.opening) {
            let before = |back: usize| {
                let index = ply.checked_sub(back).filter(|&index| index >= game.opening);
                index.map(|index| Cell::new(game.moves[index]))
            };
            let thought = match game.scores[index] {
                score if score >= Score::LIMIT.value() => 1.0,
                score if score <= -Score::LIMIT.value() => 0.0,
                score => 1.0 / (1.0 + (-score as f32 / 100.0).exp()),
            };
            let value = game.target(position.mover(), thought, THOUGHT);
            examples.push(example(&position, &patterns, [before(1), before(2)], cell, value));
        }
        position.play(cell);
        patterns.played(cell, &position);
    }
    examples
}

/// Returns the example of a position, with the moves before it, the move played and the target.
pub fn example(
    position: &Position,
    patterns: &Patterns,
    before: [Option<Cell>; 2],
    played: Cell,
    value: f32,
) -> Example {
    let classes = LineClasses::get();
    let mover = position.mover();
    let mut cells = Vec::with_capacity(128);
    let mut places = vec![usize::MAX; position.geometry().cells()];
    for cell in position.cells().filter(|&cell| position.is_free(cell)) {
        let lines = position.windows(cell).map(|window| match mover {
            Color::Black => classes.of(window, 0),
            Color::White => classes.exchanged(classes.of(window, 0)),
        });
        if lines.iter().any(|&line| line >= EMPTY_CLASSES) {
            places[cell.index()] = cells.len();
            cells.push(lines);
        }
    }
    let near = patterns.weights().near(position, before);
    let moves = patterns.candidates().map(|cell| {
        let move_score = patterns.move_score(cell, mover) + near.of(cell);
        (places[cell.index()], move_score as f32 / 100.0)
    });
    let learned = patterns.balance(mover);
    let numbers = position_numbers(patterns, mover, learned);
    Example {
        moves: moves.collect(),
        played: patterns.candidates().position(|cell| cell == played),
        cells,
        numbers: numbers.map(|number| f32::from(number) / scale::INPUT as f32),
        learned: learned as f32 / 100.0,
        value,
    }
}
