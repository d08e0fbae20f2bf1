//! Results for people and programs: tables in the terminal, JSON, a page, game files.

pub mod games;
pub mod page;
mod svg;
pub mod table;
pub mod tuning;

use crate::standing::Standing;
use crate::stats::elo::Estimate;
use crate::store::Head;
use serde_json::{Value, json};

/// A run's results as JSON.
pub fn json(head: &Head, standing: &Standing) -> Value {
    let ratings = standing.ratings(head.seed);
    let skills = standing.skills();
    let players: Vec<Value> = standing
        .order()
        .into_iter()
        .map(|player| {
            json!({
                "name": head.names[player],
                "player": head.players[player],
                "rating": ratings[player],
                "trueskill": skills.as_ref().map(|skills| skills[player]),
                "results": standing.lines[player],
            })
        })
        .collect();
    let duels: Vec<Value> = standing
        .duels
        .iter()
        .map(|(&(first, second), tally)| {
            json!({
                "first": head.names[first],
                "second": head.names[second],
                "tally": tally,
                "elo": Estimate::of(tally),
            })
        })
        .collect();
    json!({ "run": head, "games": standing.games, "players": players, "duels": duels })
}
