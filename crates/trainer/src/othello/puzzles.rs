//! Othello: the exact solution near the end of the game, and one move that ends with more discs than every other. Easy: one move
//! that alone wins with few squares left, or by a corner.
//!
//! The proof is the player's own endgame solver; the audit is alpha-beta over the rules alone, without tables, patterns
//! or stability.

use crate::puzzles::{Goal, Level, Proven, Solved, Source, image_of};
use anyhow::Result;
use othello_player::endgame::Goal as Aim;
use othello_player::player::{Player, Settings};
use othello_player::rules::{Board, Move, Position};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use search_core::{Control, Limits, Position as _, Score, Stopwatch};
use std::ops::RangeInclusive;

/// The empty squares of a puzzle.
const EMPTIES: RangeInclusive<u32> = 8..=13;
/// The least number of moves to choose from.
const CHOICE: u32 = 3;
/// The empty squares of an easy puzzle, whose solution alone wins.
const EASY: RangeInclusive<u32> = 4..=10;
/// The most empty squares of an easy puzzle whose solution is not a corner.
const FEW: u32 = 6;
/// Random moves at the start of a game.
const OPENING: usize = 10;
/// One later move in this many is random.
const STRANGE: u32 = 10;
/// Nodes a move of self-play.
const NODES: u64 = 1_000;
/// Nodes a move of the games of easy puzzles.
const NODES_EASY: u64 = 100;

/// Othello's puzzles.
#[derive(Debug)]
pub(crate) struct Othello {
    solver: Player,
}

impl Default for Othello {
    fn default() -> Self {
        Self { solver: Player::new(Settings { table_bytes: 8 << 20, ..Settings::default() }) }
    }
}

impl Othello {
    /// Returns the exact disc difference of the mover after `mv`.
    fn value(&mut self, position: &Position, mv: Move) -> i32 {
        let next = position.after(mv);
        if let Some(outcome) = next.outcome() {
            return -Score::of_outcome(outcome, 0).value() / Score::POINT;
        }
        let clock = Stopwatch::start();
        let control = Control::new(Limits::default(), &clock);
        let report = self.solver.solve(&next, Aim::Score, &control);
        -report.expect("nothing limits this search").score.value() / Score::POINT
    }
}

impl Source for Othello {
    type Position = Board;

    fn game(&mut self, seed: u64, level: Level) -> Vec<(usize, Board)> {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut player = Player::new(Settings { table_bytes: 1 << 20, ..Settings::default() });
        let mut board = Board::START;
        let (empties, choice, nodes) =
            if level == Level::Easy { (EASY, 2, NODES_EASY) } else { (EMPTIES, CHOICE, NODES) };
        let mut found = Vec::new();
        for ply in 0.. {
            let position = board.position;
            let moves = position.move_list();
            if moves.is_empty() {
                return found;
            }
            if empties.contains(&position.empties()) && position.legal().count_ones() >= choice {
                found.push((ply, board));
            }
            let mv = if ply < OPENING || random.random_range(0..STRANGE) == 0 {
                moves[random.random_range(0..moves.len())]
            } else {
                let report = player.think(&position, Limits::nodes(nodes), &Stopwatch::start());
                report.best.expect("the game goes on")
            };
            board = Board { position: position.after(mv), side: board.side.other() };
        }
        found
    }

    fn prove(&mut self, board: &Board, level: Level) -> Option<Proven> {
        let position = &board.position;
        let mut values: Vec<i32> =
            position.move_list().into_iter().map(|mv| self.value(position, mv)).collect();
        values.sort_unstable();
        let (best, second) = (values.pop()?, values.pop()?);
        if best == second || level == Level::Easy && (best <= 0 || second > 0) {
            return None;
        }
        let clock = Stopwatch::start();
        let control = Control::new(Limits::default(), &clock);
        let report = self.solver.solve(position, Aim::Score, &control).ok()?;
        let line: Vec<String> = report.principal_variation.iter().map(Move::to_string).collect();
        if level == Level::Usual {
            return Some(Proven { goal: Goal::Discs(best), line });
        }
        let is_corner = matches!(line.first()?.as_str(), "a1" | "a8" | "h1" | "h8");
        (is_corner || position.empties() <= FEW).then_some(Proven { goal: Goal::Win, line })
    }

    fn signature(&self, board: &Board) -> String {
        let Board { position, .. } = board;
        let images =
            (0..8).map(|image| [position.own(), position.opponent()].map(|discs| turned(discs, image)));
        let [own, opponent] = images.min().expect("eight images");
        format!("{own:016x}{opponent:016x}")
    }

    fn answer(&mut self, board: &Board, nodes: u64) -> (Option<String>, u64) {
        let mut player = Player::new(Settings::default());
        let report = player.think(&board.position, Limits::nodes(nodes), &Stopwatch::start());
        (report.best.map(|mv| mv.to_string()), report.nodes)
    }

    fn write(&self, board: &Board) -> String {
        board.to_string()
    }

    fn read(&self, text: &str) -> Result<Board> {
        Ok(text.parse()?)
    }

    fn solve(&mut self, board: &Board, goal: Goal) -> Solved {
        let discs = match goal {
            Goal::Win => 1,
            Goal::Discs(discs) => discs,
            _ => return Solved { moves: Vec::new(), is_surpassed: false },
        };
        let position = &board.position;
        let reaches = |mv: Move, discs: i32| -plain(&position.after(mv), -discs, 1 - discs) >= discs;
        let moves = position.move_list().into_iter().filter(|&mv| reaches(mv, discs));
        let moves: Vec<Move> = moves.collect();
        let is_surpassed = goal != Goal::Win && moves.iter().any(|&mv| reaches(mv, discs + 1));
        Solved { moves: moves.iter().map(Move::to_string).collect(), is_surpassed }
    }
}

/// Returns the mover's disc difference within `alpha` and `beta`, by alpha-beta with the moves first that leave the
/// opponent the fewest replies.
fn plain(position: &Position, alpha: i32, beta: i32) -> i32 {
    if position.outcome().is_some() {
        return position.margin().into();
    }
    let mut children: Vec<Position> = position.move_list().into_iter().map(|mv| position.after(mv)).collect();
    children.sort_by_key(|child| child.legal().count_ones());
    let mut best = i32::MIN;
    for child in &children {
        best = best.max(-plain(child, -beta, -alpha.max(best)));
        if best >= beta {
            break;
        }
    }
    best
}

/// Returns the discs in one of the eight symmetric images of the board.
fn turned(discs: u64, image: u32) -> u64 {
    let squares = (0..64).filter(|&index| discs >> index & 1 != 0);
    squares.fold(0, |turned, index| turned | 1 << image_of(index, 8, image))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symmetric_boards_have_one_signature() {
        let source = Othello::default();
        let board = Board::START;
        let next = |mv: &str| {
            let moves = board.position.move_list();
            let mv = moves.into_iter().find(|found| found.to_string() == mv).unwrap();
            source.signature(&Board { position: board.position.after(mv), side: board.side.other() })
        };
        assert_eq!(next("d3"), next("c4"));
        assert_ne!(next("d3"), source.signature(&board));
    }
}
