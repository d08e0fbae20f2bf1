//! Reasons for the cost of a move in Othello.

use super::Othello;
use crate::drawing::Language;
use crate::review::{Moment, Reason};
use othello_player::endgame::Goal;
use othello_player::rules::{Game, Move};
use search_core::{Outcome, Position as _};

/// The largest number of empty squares after a move for which all best lines are gone through.
const EMPTIES: u32 = 7;

const CORNERS: [&str; 4] = ["a1", "h1", "a8", "h8"];

/// The opponent can take a corner after the move, and cannot after the better one.
#[derive(Debug)]
struct Corner {
    corners: Vec<String>,
    games: [Game; 2],
}

impl Reason for Corner {
    fn say(&self, language: Language) -> String {
        let corners = self.corners.join(", ");
        match language {
            Language::French => format!("le coin {corners} pouvait être pris à partir d'ici"),
            Language::English => format!("the corner {corners} could be taken from here on"),
        }
    }

    fn holds(&self) -> bool {
        let takes = |game: &Game, corner: &String| {
            corner.parse::<Move>().is_ok_and(|corner| game.clone().play(corner).is_ok())
        };
        let [played, better] = &self.games;
        self.corners.iter().all(|corner| takes(played, corner) && !takes(better, corner))
    }
}

/// With best play the opponent has the last disc after the move, and the mover after the better one.
#[derive(Debug)]
struct Parity {
    better: String,
    games: [super::Coloured; 2],
}

/// The result of a position by its best lines: the margin of the mover, and whether the mover and the other side play the
/// last disc of some best line.
type Ends = (i32, [bool; 2]);

/// Goes through all lines. `last` is true if the mover played the last disc so far.
fn ends(at: &super::Coloured, last: bool) -> Ends {
    if let Some(outcome) = at.outcome() {
        let margin = match outcome {
            Outcome::Margin(points) => i32::from(points),
            outcome => i32::from(outcome.sign()),
        };
        return (margin, [last, !last]);
    }
    let mut best: Ends = (i32::MIN, [false; 2]);
    for mv in at.move_list() {
        let mut next = *at;
        next.play(mv);
        // A pass lays no disc.
        let (margin, [own, other]) = ends(&next, if mv == Move::PASS { !last } else { false });
        let ended = (-margin, [other, own]);
        if ended.0 > best.0 {
            best = ended;
        } else if ended.0 == best.0 {
            best.1 = [best.1[0] || ended.1[0], best.1[1] || ended.1[1]];
        }
    }
    best
}

impl Reason for Parity {
    fn say(&self, language: Language) -> String {
        let better = &self.better;
        match language {
            Language::French => format!(
                "parité : au meilleur jeu l'adversaire pose maintenant le dernier pion ; après {better} c'était vous (résolu)"
            ),
            Language::English => format!(
                "parity: with best play the opponent now lays the last disc, and you did after {better} (solved)"
            ),
        }
    }

    /// Plays one best line of each by the player's own solver.
    fn holds(&self) -> bool {
        let played_out = self.games.map(|start| {
            let (clock, mut solver) = (search_core::Stopwatch::start(), player());
            let (mut at, mut plies, mut last) = (start, 0, None);
            while at.outcome().is_none() {
                let control = search_core::Control::new(search_core::Limits::default(), &clock);
                let solved = solver.solve(&at.0.position, Goal::Score, &control).ok();
                let best = solved.and_then(|report| report.best)?;
                if best != Move::PASS {
                    last = Some(plies % 2);
                }
                at.play(best);
                plies += 1;
            }
            // The opponent of the move's side is to move at the start.
            let margin = ends(&at, false).0;
            Some((if plies % 2 == 0 { margin } else { -margin }, last))
        });
        let [Some((played, first)), Some((better, second))] = played_out else { return false };
        first == Some(0) && second != Some(0) && better < played
    }
}

fn player() -> othello_player::player::Player {
    let settings = othello_player::player::Settings { table_bytes: 1 << 20, ..Default::default() };
    othello_player::player::Player::new(settings)
}

/// Returns the parity that the move lost, if few enough squares are empty to go through all lines.
fn parity(played: super::Coloured, better: super::Coloured, text: &str) -> Option<Box<dyn Reason>> {
    if played.0.position.empties() > EMPTIES {
        return None;
    }
    // The side to move after the move is the opponent; the mover has just laid a disc.
    let (worse, [opponent, own]) = ends(&played, false);
    let (good, [theirs, mine]) = ends(&better, false);
    let is_lost = worse > good && opponent && !own && mine && !theirs;
    is_lost.then(|| Box::new(Parity { better: text.to_owned(), games: [played, better] }) as Box<dyn Reason>)
}

pub(super) fn reasons(rules: &Othello, moment: &Moment<'_>) -> Vec<Box<dyn Reason>> {
    let Some([_, played, better]) = moment.positions(rules) else { return Vec::new() };
    let open = |at: &super::Coloured| -> Vec<String> {
        let moves = at.move_list().into_iter().map(|mv| mv.to_string());
        moves.filter(|text| CORNERS.contains(&text.as_str())).collect()
    };
    let known = open(&better);
    let corners: Vec<String> = open(&played).into_iter().filter(|corner| !known.contains(corner)).collect();
    let mut reasons: Vec<Box<dyn Reason>> = parity(played, better, moment.better).into_iter().collect();
    if !corners.is_empty() {
        let games = [Game::new(played.0), Game::new(better.0)];
        reasons.insert(0, Box::new(Corner { corners, games }));
    }
    reasons
}
