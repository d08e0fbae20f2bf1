//! Othello's tournament: both colours against every opponent at equal depth, by red minus blue, 0–64 for a fault.

use super::{ALONE, Card, Criterion, Marker, builtin, results};
use crate::standing::Standing;
use courses::course::OpeningSet;
use courses::fault::Trouble;
use courses::games::othello::{Bridge, Othello};

const TOURNAMENT: Criterion = Criterion::marked("the tournament", 10.0);
const SPEED: Criterion = Criterion::by_hand("speed: average and slowest move", 0.0);
const CODE: Criterion = Criterion::by_hand("the code and its comments", 0.0);
/// The course's scheme.
pub const SCHEME: [Criterion; 3] = [TOURNAMENT, SPEED, CODE];

/// Returns the report card.
///
/// # Errors
/// If games cannot be played.
pub fn card(marker: &Marker<'_>, depth: u16) -> Result<Card, Trouble> {
    let opponents = [builtin("random"), builtin("greedy"), builtin(&format!("search:{depth}"))];
    // The course's games start at the initial position. The built-in random player makes them differ.
    let course = Othello {
        set: OpeningSet::single(""),
        depth,
        timed: false,
        adjudicate: 0,
        bridge: Bridge::default(),
    };
    let (players, records) = marker.gauntlet(&course, &opponents, if marker.quick { 1 } else { 3 }, ALONE)?;
    let (_, mut notes) = results(&players, &records);
    let standing = Standing::of(players.len(), &records);
    let line = &standing.lines[0];
    notes.insert(0, format!("full marks: every point but half of those against search:{depth}"));
    notes.insert(0, format!("sum of the discs: {:+}", line.score_for - line.score_against));
    let tournament = TOURNAMENT.earned((100.0 * share(&standing, players.len())).floor() / 10.0, notes);
    let speed = SPEED.noted(vec![format!(
        "{:.2} ms a move, the slowest {:.1} ms, at depth {depth}",
        line.micros as f64 / 1000.0 / line.moves.max(1) as f64,
        line.slowest as f64 / 1000.0
    )]);
    Ok(Card::new(
        format!("Othello: {}, depth {depth}", marker.player.text),
        vec![tournament, speed, CODE.noted(vec!["for a reader".to_owned()])],
    ))
}

/// Returns the share of the full marks. Against a search of the same depth half of the points give full marks, because
/// an equal player cannot win more.
/// all, for a player that is as good cannot win more.
fn share(standing: &Standing, players: usize) -> f64 {
    const SEARCH: usize = 3;
    let of = |other: usize| {
        let score = standing.duels.get(&(0, other)).map_or(0.0, |tally| tally.score());
        if other == SEARCH { (2.0 * score).min(1.0) } else { score }
    };
    (1..players).map(of).sum::<f64>() / (players - 1) as f64
}
