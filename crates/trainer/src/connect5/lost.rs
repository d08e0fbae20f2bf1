//! Counts the lost positions that the player recognises before it has proven the loss.

use super::games::Game;
use connect5_joueur::evaluation::Evaluation;
use connect5_joueur::player::{Player, Settings};
use connect5_joueur::rules::{Cell, Grid, Position};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use search_core::{Limits, Position as _, Report, Stopwatch};
use std::fmt;

/// Ratio of the positions of the deciding search to those of the tested one.
const TIMES: u64 = 100;
/// A lower score recognises a loss, in hundredths of log-odds.
const SEEN: i32 = -150;

/// Number of positions tested, and of lost ones among them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Share {
    positions: usize,
    lost: usize,
    /// Lost positions recognised by the short search, and by the evaluation alone.
    by_search: usize,
    by_evaluation: usize,
}

impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let percent = |part: usize| 100.0 * part as f64 / self.lost.max(1) as f64;
        let Self { positions, lost, by_search, by_evaluation } = *self;
        write!(
            f,
            "{positions} positions, {lost} lost; scored below {:.1} by a search {by_search}, {:.1} %, \
             by the evaluation alone {by_evaluation}, {:.1} %",
            f64::from(SEEN) / 100.0,
            percent(by_search),
            percent(by_evaluation)
        )
    }
}

/// Tests one undecided position of each game, with searches of `nodes` positions and of [`TIMES`] as many. Reports
/// progress to `inform`.
pub fn share<'a>(
    games: impl Iterator<Item = &'a Game>,
    nodes: u64,
    evaluation: Evaluation,
    seed: u64,
    inform: &mut dyn FnMut(String),
) -> Share {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut player = Player::new(Settings { evaluation, table_bytes: 16 << 20, ..Settings::default() });
    let mut share = Share::default();
    for game in games.filter(|game| !game.scores.is_empty()) {
        let plies = random.random_range(game.opening..game.moves.len());
        let Some(position) = position(game, plies) else { continue };
        share.positions += 1;
        let mut think =
            |nodes| -> Report<Cell> { player.think(&position, Limits::nodes(nodes), &Stopwatch::start()) };
        if think(TIMES * nodes).score.is_loss() {
            share.lost += 1;
            share.by_search += usize::from(think(nodes).score.value() < SEEN);
            share.by_evaluation += usize::from(evaluation.evaluate(&position).value() < SEEN);
        }
        if share.positions.is_multiple_of(500) {
            inform(share.to_string());
        }
    }
    share
}

/// Returns a game's position after `plies` moves, unless the game is over there.
fn position(game: &Game, plies: usize) -> Option<Position> {
    let mut position = Position::from_grid(&Grid::new(game.size[0], game.size[1]).ok()?);
    for &mv in &game.moves[..plies] {
        let cell = Cell::new(mv);
        if !position.is_legal(cell) {
            return None;
        }
        position.play(cell);
    }
    position.outcome().is_none().then_some(position)
}

#[cfg(test)]
mod tests {
    use super::super::games;
    use super::*;

    #[test]
    fn of_lost_positions_most_are_seen() {
        let games: Vec<Game> = games::play(0..40, 60, 3, Evaluation::Learned).collect();
        let mut told = 0;
        let share = share(games.iter(), 30, Evaluation::Learned, 1, &mut |_| told += 1);
        assert_eq!((share.positions, told), (40, 0));
        assert!(share.lost > 0 && share.lost < 40, "{share}");
        assert!(share.by_search <= share.lost && share.by_evaluation <= share.lost, "{share}");
        assert!(share.by_search > 0, "{share}");
    }
}
