//! The maze game's championship: four maps, each from all four seats. A match gives 6, 4, 2 and 0 marks, shared in
//! ties.

use super::{ALONE, Card, Criterion, Marker, builtin};
use crate::schedule::Schedule;
use crate::standing::{Standing, places};
use courses::course::OpeningSet;
use courses::fault::Trouble;
use courses::games::moules::Moules;
use courses::store::Format;
use moules_client::rules::Settings;

/// Players that fill up the table to four if there are fewer others.
const FILLING: [&str; 3] = ["greedy", "random", "greedy"];

/// Returns the course's scheme: six marks a match.
///
/// # Errors
/// If games cannot be played.
pub fn scheme(marker: &Marker<'_>) -> Result<[Criterion; 1], Trouble> {
    let players = 1 + marker.others.len().max(FILLING.len());
    let schedule = Schedule::new(players, 4, Format::Gauntlet, marker.seed).map_err(Trouble::Referee)?;
    let games = maps(marker) * schedule.games_an_opening();
    Ok([Criterion::marked("the championship", 6.0 * games as f64)])
}

fn maps(marker: &Marker<'_>) -> u64 {
    if marker.quick { 1 } else { 4 }
}

/// Returns the report card.
///
/// # Errors
/// If games cannot be played.
pub fn card(marker: &Marker<'_>) -> Result<Card, Trouble> {
    // Other players first, then built-in ones up to four.
    let free = FILLING.len().saturating_sub(marker.others.len());
    let opponents: Vec<_> = FILLING.iter().take(free).map(|name| builtin(name)).collect();
    let course = Moules {
        settings: Settings::default(),
        turns: 500,
        seats: 4,
        set: OpeningSet::new(
            "moules",
            include_str!("../../../../test-data/openings/moules.txt"),
            marker.seed,
        ),
        time: None,
    };
    let (players, records) = marker.gauntlet(&course, &opponents, maps(marker), ALONE)?;
    let standing = Standing::of(players.len(), &records);
    let mut notes = Vec::new();
    let order = standing.order();
    let marks = |player: &usize| standing.lines[*player].points;
    let places = places(&order.iter().map(marks).collect::<Vec<_>>());
    for (place, player) in places.into_iter().zip(order) {
        let line = &standing.lines[player];
        let [first, second, third, fourth] = line.ranks;
        let faults: String = line.faults.iter().map(|(kind, count)| format!("; {count} × {kind}")).collect();
        notes.push(format!(
            "{place}. {:<24} {:>6.1} marks; places 1 to 4: {first}, {second}, {third}, {fourth}; mussels {}{faults}",
            players[player].name.chars().take(24).collect::<String>(),
            6.0 * line.points,
            line.score_for
        ));
    }
    notes.push("6, 4, 2 and 0 marks a match by rank; equals share those of their ranks".into());
    notes.push(
        "a client that is late plays C, one that is gone stands still: its match counts as it ends".into(),
    );
    let line = &standing.lines[0];
    let points = (60.0 * line.points).round() / 10.0;
    let [championship] = scheme(marker)?;
    Ok(Card::new(
        format!("À la pêche aux moules: {}, {} maps from every seat", marker.player.text, maps(marker)),
        vec![championship.earned(points, notes)],
    ))
}
