//! Proves races to the last rank without search.
//!
//! No man ever moves back. So a side's foremost man with every enemy behind it can never be stopped, and the winner is
//! whoever leaves the board first. The runner's moves are counted exactly, and the other side's by a lower bound over
//! all play, so the result is proven.

use crate::rules::{Army, Position, Shape};
use search_core::Score;

/// The proven score of a position `ply` plies from the root, if a race decides it.
#[inline]
pub(super) fn decided(position: &Position, ply: usize) -> Option<Score> {
    let (own, enemy) = (position.own(), position.enemy());
    let (own_cells, enemy_cells) = (own.occupied(), enemy.occupied());
    let foremost = own_cells.checked_ilog2()? / 8;
    // The mover moves forward at once, which leaves enemies on the runner's own rank behind it.
    if foremost == 7 || enemy_cells >> (8 * foremost + 8) == 0 {
        let moves = runner(own, foremost);
        if moves <= fewest(&enemy.reversed()) {
            return Some(Score::win_in(ply + 2 * moves - 1));
        }
    }
    // The opponent's runner moves second, so a man next to it may still capture it.
    let lowest = enemy_cells.checked_ilog2().map(|_| enemy_cells.trailing_zeros() / 8)?;
    if own_cells & (u64::MAX >> (8 * (7 - lowest))) == 0 {
        let moves = runner(&enemy.reversed(), 7 - lowest);
        if moves < fewest(own) {
            return Some(Score::loss_in(ply + 2 * moves));
        }
    }
    None
}

/// The number of moves that the fastest man on the foremost rank needs with a free path.
#[inline]
fn runner(army: &Army, rank: u32) -> usize {
    let row = 0xff_u64 << (8 * rank);
    let has = |cells: u64| cells & row != 0;
    let [squares, rounds] = [army.planes(Shape::Square), army.planes(Shape::Round)];
    let reach = if has(squares[0] & squares[1] | rounds[0] & rounds[1]) {
        3
    } else if has(squares[1] | rounds[1]) {
        2
    } else {
        1
    };
    (8 - rank as usize).div_ceil(reach)
}

/// A lower bound of the number of moves to leave the board: a man first advances by at most its stack's height, later
/// by at most three cells.
#[inline]
fn fewest(army: &Army) -> usize {
    let [low, high] = army.heights();
    let mut fewest = usize::MAX;
    for (cells, height) in [(low & !high, 1), (high & !low, 2), (low & high, 3)] {
        if let Some(top) = cells.checked_ilog2() {
            let steps = 8 - top as usize / 8;
            fewest = fewest.min(1 + steps.saturating_sub(height).div_ceil(3));
        }
    }
    fewest
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::Evaluation;
    use crate::player::{Board, Exact};
    use crate::rules::{Cell, Colour, Stack};
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;
    use search_core::{Control, Limits, Options, Search, Stopwatch, Table};

    /// A random position with a few men of each side.
    fn sparse(random: &mut Xoshiro256PlusPlus) -> Position {
        let mut armies = [Army::default(); 2];
        for index in 0..random.random_range(2..6) {
            let cell = Cell::new(random.random_range(0..64)).unwrap();
            if (armies[0].occupied() | armies[1].occupied()) & cell.bit() == 0 {
                let code = [1, 1, 1, 2, 2, 2, 3, 4, 5, 6, 7, 8, 9][random.random_range(0..13)];
                armies[index % 2].add(cell, Stack::from_code(code).unwrap());
            }
        }
        Position::new(armies[0], armies[1], Colour::White)
    }

    #[test]
    fn what_the_race_proves_a_full_search_confirms() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(5);
        let clock = Stopwatch::start();
        let mut table = Table::with_bytes(1 << 20);
        let (mut won, mut lost) = (0, 0);
        while won < 300 || lost < 300 {
            let position = sparse(&mut random);
            if position.is_over() {
                continue;
            }
            let Some(proven) = decided(&position, 0) else { continue };
            let plies = proven.plies_to_end().unwrap();
            if plies > 7 || proven.is_win() && won >= 300 || proven.is_loss() && lost >= 300 {
                continue;
            }
            let control = Control::new(Limits::depth(plies as i32), &clock);
            let board = Board(position);
            let heuristics = Exact::new(Evaluation::ArmyValue);
            table.clear();
            let found =
                Search::new(heuristics, board, &table, &control, Options::EXACT).think(&mut |_| {}).score;
            if proven.is_win() {
                won += 1;
                assert!(found >= proven, "{found}, not {proven}: {position:?}");
            } else {
                lost += 1;
                // The loss may come sooner than the race tells.
                assert!(found.is_loss() && found <= proven, "{found}, not {proven}: {position:?}");
            }
        }
    }

    #[test]
    fn the_opening_is_not_decided() {
        assert_eq!(decided(&Position::initial(), 0), None);
    }
}
