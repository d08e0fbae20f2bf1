//! The maze's championship: four maps, each from all four seats; 6, 4, 2 and 0 marks a match, equals share.

use super::{Card, Item, Marker, builtin};
use crate::standing::Standing;
use courses::course::OpeningSet;
use courses::fault::Trouble;
use courses::moules::Moules;
use moules_client::rules::Settings;

/// The report card.
///
/// # Errors
/// When no game can be held.
pub fn card(marker: &Marker<'_>) -> Result<Card, Trouble> {
    // With others given the table is filled up with built-in players to four.
    let filling = ["greedy", "random", "greedy"];
    let opponents: Vec<_> =
        filling.iter().take(3_usize.saturating_sub(marker.others.len())).map(|name| builtin(name)).collect();
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
    let (players, records) = marker.gauntlet(&course, &opponents, if marker.quick { 1 } else { 4 })?;
    let standing = Standing::of(players.len(), &records);
    let mut notes = Vec::new();
    for (rank, player) in standing.order().into_iter().enumerate() {
        let line = &standing.lines[player];
        let [first, second, third, fourth] = line.ranks;
        let faults: String = line.faults.iter().map(|(kind, count)| format!("; {count} × {kind}")).collect();
        notes.push(format!(
            "{}. {:<24} {:>6.1} marks; places 1 to 4: {first}, {second}, {third}, {fourth}; mussels {}{faults}",
            rank + 1,
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
    let items = vec![Item {
        name: "the championship".into(),
        points: Some(points),
        of: 6.0 * line.games as f64,
        notes,
    }];
    let maps = if marker.quick { 1 } else { 4 };
    Ok(Card {
        title: format!("À la pêche aux moules: {}, {maps} maps from every seat", marker.player.text),
        items,
    })
}
