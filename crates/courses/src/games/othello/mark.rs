//! Othello's tournament: both colours against everybody at equal depth, red less blue, 0–64 for a fault.

use crate::assignment::Phrase;
use crate::course::OpeningSet;
use crate::fault::Trouble;
use crate::games::othello::{Bridge, Othello};
use crate::marking::{ALONE, Card, Criterion, Marker, MarkingScheme, Results, builtin};

const TOURNAMENT: Criterion = Criterion::marked("the tournament", 10.0);
const SPEED: Criterion = Criterion::by_hand("speed: average and slowest move", 0.0);
const CODE: Criterion = Criterion::by_hand("the code and its comments", 0.0);
/// The course's scheme.
const SCHEME: [Criterion; 3] = [TOURNAMENT, SPEED, CODE];

/// The phrases of its cards in French.
const PHRASES: &[Phrase] = &[
    ("the tournament", "le tournoi"),
    ("speed: average and slowest move", "vitesse : coup moyen et coup le plus lent"),
    ("the code and its comments", "le code et ses commentaires"),
    ("sum of the discs", "somme des pions"),
    ("full marks", "note entière"),
    ("every point but half of those against", "tous les points, mais la moitié de ceux contre"),
];

/// The marking scheme.
pub struct Scheme;

impl MarkingScheme for Scheme {
    fn phrases(&self) -> &'static [Phrase] {
        PHRASES
    }

    fn scheme(&self, _: &Marker<'_>) -> Result<Vec<Criterion>, Trouble> {
        Ok(SCHEME.to_vec())
    }

    fn card(&self, marker: &Marker<'_>) -> Result<Card, Trouble> {
        let depth = marker.depth;
        let opponents = [builtin("random"), builtin("greedy"), builtin(&format!("search:{depth}"))];
        // The course's games begin at the initial position; the built-in random player makes them differ.
        let course = Othello {
            set: OpeningSet::single(""),
            depth,
            timed: false,
            adjudicate: 0,
            bridge: Bridge::default(),
        };
        let results = marker.gauntlet(&course, &opponents, if marker.quick { 1 } else { 3 }, ALONE)?;
        let (_, mut notes) = results.share();
        let line = &results.lines[0];
        notes.insert(0, format!("full marks: every point but half of those against search:{depth}"));
        notes.insert(0, format!("sum of the discs: {:+}", line.score_for - line.score_against));
        let tournament = TOURNAMENT.earned((100.0 * share(&results)).floor() / 10.0, notes);
        let speed = SPEED.noted(vec![format!(
            "{:.2} ms a move, the slowest {:.1} ms, at depth {depth}",
            line.times.micros as f64 / 1000.0 / line.times.moves.max(1) as f64,
            line.times.slowest as f64 / 1000.0
        )]);
        Ok(Card::new(
            format!("Othello: {}, depth {depth}", marker.player.text),
            vec![tournament, speed, CODE.noted(vec!["for a reader".to_owned()])],
        ))
    }
}

/// The share of the full marks: of each opponent's points, where half of those against a search of the same depth are
/// all, for a player that is as good cannot win more.
fn share(results: &Results) -> f64 {
    const SEARCH: usize = 3;
    let of = |other: usize| {
        let score = results.duels.get(&other).map_or(0.0, |tally| tally.score());
        if other == SEARCH { (2.0 * score).min(1.0) } else { score }
    };
    let players = results.players.len();
    (1..players).map(of).sum::<f64>() / (players - 1) as f64
}
