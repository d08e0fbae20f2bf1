//! The maze for viewers: as text, as a drawing, with a table.

use super::Seen;
use crate::course::Board;
use crate::drawing::Marks;
use crate::games::moules::drawing::Trails;
use crate::play::watched::Scoreboard;
use moules_client::rules::{Game, Tile};
use std::fmt::Write as _;
use std::sync::Arc;

/// The state in the wire format, and what the wire format lacks.
pub struct Shown<'a> {
    pub game: &'a Game,
    /// The names that the clients sent.
    pub names: &'a [String],
    pub seen: &'a Seen,
}

impl Board for Shown<'_> {
    fn picture(&self) -> String {
        picture(self.game)
    }

    fn drawing(&self) -> String {
        let places = self.seen.trails.clone();
        let trails = Trails { places, mover: Some(self.game.to_move()), ..Trails::default() };
        super::drawing::draw(&self.game.state, &trails, &Marks::default())
    }

    fn scoreboard(&self) -> Option<Arc<dyn Scoreboard>> {
        Some(Arc::new(self.seen.table(self.game, self.names)))
    }
}

/// Draws the map and the purses: dunes as blocks, mussels as tens of points, players as numbers.
#[must_use]
pub fn picture(game: &Game) -> String {
    let state = &game.state;
    let mut text = String::new();
    for y in 0..state.height {
        for x in 0..state.width {
            let cell = state.cell(x, y);
            let player = state.players.iter().position(|&at| at == cell);
            match (player, state.tile(cell)) {
                (Some(player), _) => _ = write!(text, "@{player}"),
                (None, Tile::Dune) => text.push_str("██"),
                (None, Tile::Sand) => text.push_str("  "),
                (None, Tile::Frite) => text.push_str(" f"),
                (None, Tile::Beer) => text.push_str(" b"),
                (None, Tile::Mussel(points)) => _ = write!(text, "{points:>2}"),
            }
        }
        text.push('\n');
    }
    for (seat, purse) in game.purses.iter().enumerate() {
        let _ = writeln!(
            text,
            "@{seat}: {:>3} points, {} frites, {} beers",
            purse.points, purse.frites, purse.beers
        );
    }
    text
}
