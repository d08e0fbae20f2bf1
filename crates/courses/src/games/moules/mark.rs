//! The maze's championship: four maps, each from all four seats; 6, 4, 2 and 0 marks a match, equals share.

use super::assignment::OPENINGS;
use crate::assignment::Phrase;
use crate::course::OpeningSet;
use crate::fault::Trouble;
use crate::games::moules::Moules;
use crate::marking::{ALONE, Card, Criterion, Marker, MarkingScheme, builtin, complaints};
use crate::results::places;
use moules_client::rules::Settings;

/// The players that fill the table up to four where too few others are given.
const FILLING: [&str; 3] = ["greedy", "random", "greedy"];

/// The phrases of its cards in French.
const PHRASES: &[Phrase] = &[
    ("À la pêche aux moules", "À la pêche aux moules"),
    ("maps from every seat", "cartes depuis chaque place"),
    ("the championship", "le championnat"),
    ("marks; places 1 to", "points ; places 1 à"),
    (
        "6, 4, 2 and 0 marks a match by rank; equals share those of their ranks",
        "6, 4, 2 et 0 points par partie selon le rang ; les ex æquo partagent ceux de leurs rangs",
    ),
    (
        "a client that is late plays C, one that is gone stands still: its match counts as it ends",
        "un client en retard joue C, un client parti ne bouge plus : sa partie compte comme elle finit",
    ),
    (
        "a client is started with three arguments: the address, the port and its name",
        "un client est lancé avec trois arguments : l'adresse, le port et son nom",
    ),
];

/// The marking scheme.
pub struct Scheme;

impl MarkingScheme for Scheme {
    fn phrases(&self) -> &'static [Phrase] {
        PHRASES
    }

    fn scheme(&self, marker: &Marker<'_>) -> Result<Vec<Criterion>, Trouble> {
        Ok(vec![championship(marker)?])
    }

    fn card(&self, marker: &Marker<'_>) -> Result<Card, Trouble> {
        // With others given the table is filled up with built-in players to four.
        let free = FILLING.len().saturating_sub(marker.others.len());
        let opponents: Vec<_> = FILLING.iter().take(free).map(|name| builtin(name)).collect();
        let course = Moules {
            settings: Settings::default(),
            turns: 500,
            seats: 4,
            set: OpeningSet::new("moules", OPENINGS, marker.seed),
            time: None,
        };
        let results = marker.gauntlet(&course, &opponents, maps(marker), ALONE)?;
        let mut notes = Vec::new();
        let marks = |player: &usize| results.lines[*player].points;
        let places = places(&results.order.iter().map(marks).collect::<Vec<_>>());
        for (place, player) in places.into_iter().zip(&results.order) {
            let line = &results.lines[*player];
            let [first, second, third, fourth] = line.ranks;
            let faults: String =
                line.faults.iter().map(|(kind, count)| format!("; {count} × {kind}")).collect();
            notes.push(format!(
                "{place}. {:<26} {:>6.1} marks; places 1 to 4: {first}, {second}, {third}, {fourth}; mussels {}{faults}",
                format!("\"{}\"", results.players[*player].name.chars().take(24).collect::<String>()),
                6.0 * line.points,
                line.score_for
            ));
        }
        notes.extend(complaints(&results.records));
        notes.push("6, 4, 2 and 0 marks a match by rank; equals share those of their ranks".into());
        notes.push(
            "a client that is late plays C, one that is gone stands still: its match counts as it ends"
                .into(),
        );
        notes.push("a client is started with three arguments: the address, the port and its name".into());
        let line = &results.lines[0];
        let points = (60.0 * line.points).round() / 10.0;
        Ok(Card::new(
            format!("À la pêche aux moules: {}, {} maps from every seat", marker.player.text, maps(marker)),
            vec![championship(marker)?.earned(points, notes)],
        ))
    }
}

/// Six marks a match.
fn championship(marker: &Marker<'_>) -> Result<Criterion, Trouble> {
    let players = 1 + marker.others.len().max(FILLING.len());
    let games = maps(marker) * marker.games.games_an_opening(players, 4)?;
    Ok(Criterion::marked("the championship", 6.0 * games as f64))
}

fn maps(marker: &Marker<'_>) -> u64 {
    if marker.quick { 1 } else { 4 }
}
