//! The map for a terminal: the maze on the left, the scores on the right, as in the original's window.

use crate::rules::{Game, Tile};
use std::fmt::Write;

/// Draws the map and the scores, two characters a cell: `██` dunes, `fr` frites, `bi` beers, the points of the mussels,
/// `J0` to `J3` the players.
pub fn render(game: &Game, names: &[String]) -> String {
    let state = &game.state;
    let mut side = Vec::new();
    for (player, purse) in game.purses.iter().enumerate() {
        let name = names.get(player).map_or("", String::as_str);
        side.push(format!("J{player} {}", name.chars().take(24).collect::<String>()));
        side.push(format!("   {} points", purse.points));
        side.push(format!("   {} frite(s), {} bière(s)", purse.frites, purse.beers));
        side.push(String::new());
    }
    side.push(format!("tour {}, {} moule(s)", game.turns(), game.mussels_left()));
    let mut text = String::with_capacity(state.tiles.len() * 6);
    for y in 0..state.height.max(side.len()) {
        for x in 0..state.width {
            if y >= state.height {
                text.push_str("  ");
                continue;
            }
            let cell = state.cell(x, y);
            match state.players.iter().position(|&place| place == cell) {
                Some(player) => write!(text, "J{player}"),
                None => match state.tile(cell) {
                    Tile::Dune => write!(text, "██"),
                    Tile::Sand => write!(text, "  "),
                    Tile::Frite => write!(text, "fr"),
                    Tile::Beer => write!(text, "bi"),
                    Tile::Mussel(points @ 0..=99) => write!(text, "{points:2}"),
                    Tile::Mussel(_) => write!(text, "++"),
                },
            }
            .expect("a String takes everything");
        }
        if let Some(words) = side.get(y).filter(|words| !words.is_empty()) {
            text.push_str("  ");
            text.push_str(words);
        }
        text.push('\n');
    }
    text
}
