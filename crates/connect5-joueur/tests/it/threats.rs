//! Every win that the threat search reports holds against every legal defence, played out by the rules alone.

use crate::data;
use connect5_joueur::evaluation::Evaluation;
use connect5_joueur::patterns::Patterns;
use connect5_joueur::player::{VctSearch, VctWin};
use connect5_joueur::rules::{Cell, Color, Grid, Position};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use search_core::minimax::negamax;
use search_core::{Control, Limits, Outcome, Position as _, Score, Stopwatch};
use std::collections::HashSet;

/// A threat search that answers for one position after another.
struct Attacker {
    search: VctSearch,
    nodes: u64,
    /// Positions where the attacker was seen to win against every defence, with the number of plies.
    verified: HashSet<(u64, usize)>,
}

impl Attacker {
    fn new(nodes: u64, bytes: usize) -> Self {
        let empty = Position::from_grid(&Grid::new(1, 1).unwrap());
        let search = VctSearch::new(patterns(&empty), bytes);
        Self { search, nodes, verified: HashSet::new() }
    }

    fn win(&mut self, position: &Position) -> Option<VctWin> {
        let clock = Stopwatch::start();
        let control = Control::new(Limits::default(), &clock);
        self.search.set(patterns(position));
        let mut same = position.clone();
        let win = self.search.prove(&mut same, &control, self.nodes).unwrap();
        assert_eq!(&same, position, "the position is afterwards as it was");
        win
    }

    /// Plays the claimed win from `position` against every legal move.
    fn verify(&mut self, position: &Position, plies: usize) {
        if !self.verified.insert((position.key(), plies)) {
            return;
        }
        let win = self
            .win(position)
            .unwrap_or_else(|| panic!("no win in {plies} any more\n{}", position.to_grid()));
        assert!(
            win.plies <= plies,
            "a win in {} is left of one in {plies}\n{}",
            win.plies,
            position.to_grid()
        );
        let mut after = position.clone();
        let best = win.line[0];
        assert!(after.is_legal(best));
        after.play(best);
        if after.outcome() == Some(Outcome::Loss) {
            return;
        }
        assert!(plies > 2, "a five was due\n{}", position.to_grid());
        assert_eq!(after.outcome(), None, "the grid is full\n{}", position.to_grid());
        for reply in after.move_list() {
            after.play(reply);
            assert_eq!(after.outcome(), None, "{reply:?} ends the game\n{}", after.to_grid());
            self.verify(&after, plies - 2);
            after.undo(reply, ());
        }
    }
}

fn patterns(position: &Position) -> Patterns {
    Patterns::new(position, Evaluation::default().weights())
}

/// Returns a grid with `stones` stones, in alternating colours, without five in a row.
fn scattered(rows: usize, columns: usize, stones: usize, random: &mut Xoshiro256PlusPlus) -> Position {
    let mut position = Position::from_grid(&Grid::new(rows, columns).unwrap());
    while rows * columns - position.free() < stones {
        let cell = Cell::new(random.random_range(0..rows * columns));
        if position.is_free(cell) && Color::ALL.iter().all(|&color| !position.makes_five(cell, color)) {
            position.play(cell);
        }
    }
    position
}

#[test]
fn a_win_by_threats_holds_against_every_defence() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(7);
    let (mut wins, mut longest) = (0, 0);
    for (rows, columns, stones) in
        [(6, 6, 8), (5, 9, 10), (9, 6, 12), (7, 7, 10), (7, 7, 16), (6, 10, 20), (8, 8, 14)]
    {
        for _ in 0..60 {
            let position = scattered(rows, columns, stones, &mut random);
            let mut attacker = Attacker::new(2_000, 1 << 22);
            if let Some(win) = attacker.win(&position).filter(|win| win.plies <= 11) {
                attacker.verify(&position, win.plies);
                wins += 1;
                longest = longest.max(win.plies);
            }
        }
    }
    assert!(wins > 60 && longest >= 9, "{wins} wins were verified, the longest in {longest}");
}

#[test]
fn a_win_by_fours_is_one_by_threats() {
    for known in data::won_by_fours() {
        let win = Attacker::new(400_000, 1 << 22).win(&known.position());
        assert!(win.is_some(), "{}", known.name);
    }
}

#[test]
fn a_win_has_its_first_move_where_the_table_has_lost_it() {
    let mut wins = 0;
    for known in data::won_by_fours() {
        if let Some(win) = Attacker::new(5_000, 1 << 6).win(&known.position()) {
            assert!(known.position().is_legal(win.line[0]), "{}", known.name);
            wins += 1;
        }
    }
    assert!(wins > 40, "{wins}");
}

#[test]
fn on_one_line_it_knows_walls_and_sixes() {
    let clock = Stopwatch::start();
    let mut wins = 0;
    for columns in [6_u32, 7, 8] {
        for code in 0..3_usize.pow(columns) {
            let stones = (0..columns).map(|place| code / 3_usize.pow(place) % 3);
            let taken = stones.clone().filter(|&stone| stone > 0).count();
            let mut grid = Grid::new(1, columns as usize).unwrap();
            for (cell, stone) in stones.enumerate() {
                grid.set(Cell::new(cell), [None, Some(Color::Black), Some(Color::White)][stone]);
            }
            let mut position = Position::new(&grid, Color::Black);
            if taken < columns as usize - 6 || position.outcome().is_some() {
                continue;
            }
            let win = Attacker::new(1_000, 1 << 10).win(&position).map(|win| win.plies);
            let control = Control::new(Limits::default(), &clock);
            let (score, _) = negamax(&mut position, 6, 0, &control, &mut |_| Score::DRAW).unwrap();
            let truth = score.plies_to_end().filter(|_| score.is_win());
            assert_eq!(win, truth, "{grid}");
            wins += usize::from(win.is_some());
        }
    }
    assert!(wins > 200, "{wins}");
}

#[test]
fn a_budget_and_a_stop_leave_the_position_as_it_was() {
    let grid: Grid = "00000000/00N00000/000BN000/00NNB000/000BNB00/0000B000/00000000/00000000"
        .replace('/', "\n")
        .parse()
        .unwrap();
    let position = Position::from_grid(&grid);
    let clock = Stopwatch::start();
    for nodes in 0..200 {
        let control = Control::new(Limits::nodes(nodes), &clock);
        control.arm();
        let mut same = position.clone();
        let mut search = VctSearch::new(patterns(&position), 1 << 16);
        let stopped = search.prove(&mut same, &control, 1_000).is_err();
        assert_eq!((&same, control.is_stopped()), (&position, stopped));
        assert!(control.nodes() <= nodes + 1);
    }
}
