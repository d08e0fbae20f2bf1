//! Gounki: a win within three, five or seven plies, by one first move alone. Easy: within one or three, or the only
//! move that stops a man who would leave the board.
//!
//! The proof is the exact alpha-beta search, with its table and its rule of races; the audit tries all moves of both
//! sides by the rules, the move to the edge and back included.

use crate::puzzles::{Goal, Level, Proven, Solved, Source};
use anyhow::{Context, Result, bail};
use gounki::evaluation::Evaluation;
use gounki::player::{Board, Exact, Player, Settings};
use gounki::rules::{Army, Cell, Colour, Configuration, Game, Kind, Move, Position};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use search_core::{Control, Limits, Options, Position as _, Score, Search, Stopwatch, Table, Window};
use std::ops::Range;

/// The lengths of a win in plies.
const PLIES: [u32; 3] = [3, 5, 7];
/// The length of an easy win, unless it is won at once.
const EASY: [u32; 1] = [3];
/// The least number of moves to choose from in an easy puzzle.
const CHOICE: usize = 3;
/// The last plies of a game that are looked at.
const LAST: usize = 8;
/// Random moves at the start of a game.
const OPENING: Range<usize> = 4..24;
/// One later move in this many is random.
const STRANGE: u32 = 10;
/// Nodes a move of self-play.
const NODES: u64 = 800;
/// The longest game in plies.
const LONGEST: usize = 200;
/// The largest number of positions of a proof.
const PROOF: u64 = 400_000;

/// Gounki's puzzles.
#[derive(Debug)]
pub(crate) struct Gounki {
    table: Table<Move>,
}

impl Default for Gounki {
    fn default() -> Self {
        Self { table: Table::with_bytes(16 << 20) }
    }
}

impl Gounki {
    /// Returns whether the mover of `position` loses within `plies`, an even number, or `None` if the control stops
    /// the search.
    fn is_lost(&mut self, position: &Position, plies: u32, control: &Control<'_>) -> Option<bool> {
        if position.is_over() {
            return Some(true);
        }
        let loss = Score::loss_in(plies as usize);
        let heuristics = Exact::new(Evaluation::default());
        let mut search = Search::new(heuristics, Board(*position), &self.table, control, Options::EXACT);
        search.value(Window::above(loss), plies as i32).ok().map(|value| value <= loss)
    }
}

impl Source for Gounki {
    type Position = Position;

    const HARDEST: u32 = 16;
    const EASY_GOALS: usize = 3;

    fn game(&mut self, seed: u64, level: Level) -> Vec<(usize, Position)> {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut player = Player::new(Settings { seed, table_bytes: 1 << 20, ..Settings::default() });
        let opening = random.random_range(OPENING);
        let mut game = Game::new(Position::initial());
        while !game.position().is_over() && game.number() < LONGEST {
            let position = *game.position();
            let is_random = game.number() <= opening || random.random_range(0..STRANGE) == 0;
            let mv = if is_random && !position.can_exit() {
                let moves = position.move_list();
                moves[random.random_range(0..moves.len())]
            } else {
                let report = player.think_in(&game, Limits::nodes(NODES), &Stopwatch::start());
                report.best.expect("the game goes on")
            };
            game.play(mv);
        }
        let Some(winner) = game.position().winner() else { return Vec::new() };
        let from = game.played().len().saturating_sub(LAST);
        let last = game.played().iter().enumerate().skip(from).map(|(ply, played)| (ply, played.before));
        let is_wanted = |position: &Position| {
            level == Level::Easy || position.to_move() == winner && !position.can_exit()
        };
        last.filter(|(_, position)| is_wanted(position)).collect()
    }

    fn prove(&mut self, position: &Position, level: Level) -> Option<Proven> {
        if position.can_exit() {
            return exit(position).filter(|_| level == Level::Easy);
        }
        let clock = Stopwatch::start();
        let control = Control::new(Limits::nodes(PROOF), &clock);
        control.arm();
        self.table.forget();
        let lengths = if level == Level::Easy { EASY.as_slice() } else { PLIES.as_slice() };
        for &plies in lengths {
            let mut winning = Vec::new();
            for mv in Board(*position).move_list() {
                if self.is_lost(&after(position, mv), plies - 1, &control)? {
                    winning.push(mv);
                }
                if winning.len() > 1 {
                    return None;
                }
            }
            if let &[best] = winning.as_slice() {
                let heuristics = Exact::new(Evaluation::default());
                let control = Control::new(Limits::depth(plies as i32), &clock);
                let board = Board(*position);
                let mut search = Search::new(heuristics, board, &self.table, &control, Options::EXACT);
                let line = search.think(&mut |_| {}).principal_variation;
                let line = if line.first() == Some(&best) { line.to_vec() } else { vec![best] };
                let line = board.to_the_end(line).iter().map(Move::to_string).collect();
                return Some(Proven { goal: Goal::WinWithin(plies), line });
            }
        }
        hold(position).filter(|_| level == Level::Easy)
    }

    fn signature(&self, position: &Position) -> String {
        [false, true].map(|mirrored| cells(position, mirrored)).into_iter().min().unwrap_or_default()
    }

    fn answer(&mut self, position: &Position, nodes: u64) -> (Option<String>, u64) {
        let mut player = Player::new(Settings::default());
        let report = player.think(position, Limits::nodes(nodes), &Stopwatch::start());
        (report.best.map(|mv| mv.to_string()), report.nodes)
    }

    fn write(&self, position: &Position) -> String {
        let codes: String = Configuration::of(position).to_string().split_whitespace().collect();
        format!("@{codes}:{}", position.to_move())
    }

    fn read(&self, text: &str) -> Result<Position> {
        let text = text.strip_prefix('@').context("no \"@\" before the codes")?;
        let (codes, mover) = text.split_once(':').context("no side to move after the codes")?;
        let mover = match mover {
            "blanc" => Colour::White,
            "noir" => Colour::Black,
            _ => bail!("\"{mover}\" is neither blanc nor noir"),
        };
        let codes: Vec<String> =
            codes.as_bytes().chunks(2).map(|code| String::from_utf8_lossy(code).into()).collect();
        Ok(Configuration::from_codes(codes.iter().map(String::as_str))?.position(mover))
    }

    fn solve(&mut self, position: &Position, goal: Goal) -> Solved {
        let reaching = |reaches: &dyn Fn(&Position) -> bool| {
            let moves = position.move_list().into_iter().filter(|&mv| reaches(&after(position, mv)));
            moves.map(|mv| mv.to_string()).collect::<Vec<_>>()
        };
        let winning = |plies: u32| reaching(&|next| loses(next, plies - 1));
        match goal {
            Goal::WinWithin(plies) => {
                let is_surpassed = plies > 2 && !winning(plies - 2).is_empty();
                Solved { moves: winning(plies), is_surpassed }
            }
            Goal::Hold => {
                let moves =
                    reaching(&|next| !next.move_list().into_iter().any(|mv| after(next, mv).is_over()));
                Solved { moves, is_surpassed: !winning(1).is_empty() }
            }
            _ => Solved { moves: Vec::new(), is_surpassed: false },
        }
    }
}

/// Returns the only move that leaves the board.
fn exit(position: &Position) -> Option<Proven> {
    let exits = position.move_list().into_iter().filter(|mv| mv.kind() == Kind::Exit);
    let &[exit] = exits.collect::<Vec<_>>().as_slice() else { return None };
    Some(Proven { goal: Goal::WinWithin(1), line: vec![exit.to_string()] })
}

/// Returns the only move after which the opponent cannot leave the board at once.
fn hold(position: &Position) -> Option<Proven> {
    let moves = position.move_list();
    let holding: Vec<&Move> = moves.iter().filter(|&&mv| !after(position, mv).can_exit()).collect();
    let &[&mv] = holding.as_slice() else { return None };
    (moves.len() >= CHOICE).then(|| Proven { goal: Goal::Hold, line: vec![mv.to_string()] })
}

/// Returns true if the mover wins within `plies`, an odd number.
fn wins(position: &Position, plies: u32) -> bool {
    if position.can_exit() {
        return true;
    }
    position.move_list().into_iter().any(|mv| loses(&after(position, mv), plies - 1))
}

/// Returns true if the mover loses within `plies`, an even number, whatever it plays.
fn loses(position: &Position, plies: u32) -> bool {
    if position.is_over() || plies == 0 || position.can_exit() {
        return position.is_over();
    }
    position.move_list().into_iter().all(|mv| {
        let next = after(position, mv);
        !next.is_over() && wins(&next, plies - 1)
    })
}

fn after(position: &Position, mv: Move) -> Position {
    let mut next = *position;
    next.play(mv);
    next
}

/// Returns the codes of the mover's and the opponent's stacks, as the mover sees them.
fn cells(position: &Position, mirrored: bool) -> String {
    let code = |army: &Army, cell: Cell| {
        let at = Cell::new(if mirrored { cell.index() ^ 7 } else { cell.index() });
        let stack = at.map(|cell| army.at(cell)).filter(|stack| !stack.is_empty());
        stack.map_or('-', |stack| char::from(b'0' + stack.code()))
    };
    Cell::all().flat_map(|cell| [position.own(), position.enemy()].map(|army| code(army, cell))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_and_its_mirror_image_have_one_signature() {
        let source = Gounki::default();
        let place = |white: usize, black: usize| {
            let mut codes = ["V0"; 64];
            (codes[white], codes[black]) = ("B1", "N2");
            source.read(&format!("@{}:noir", codes.concat())).unwrap()
        };
        // a1 and e8, h1 and d8, g1 and d8.
        let signature = |white, black| source.signature(&place(white, black));
        assert_eq!(signature(0, 60), signature(7, 59));
        assert_ne!(signature(0, 60), signature(6, 59));
        let position = place(0, 60);
        assert_eq!(source.read(&source.write(&position)).unwrap(), position);
    }
}
