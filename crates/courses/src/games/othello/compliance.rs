//! Othello's protocol: the class is found, and plays games without an invalid move.

use super::{Bridge, Coloured, Othello};
use crate::compliance::{Compliance, Examiner, Step, Text};
use crate::course::OpeningSet;
use crate::duel::{Players, PlyRecord, Question, Rules};
use crate::fault::{Fault, Trouble};
use crate::french::french;
use othello_player::rules::Board;
use search_core::Position as _;
use std::time::{Duration, Instant};

/// The depth of the games.
const DEPTH: u16 = 2;
/// The time of a game. One that is longer is not judged to its end.
const LIMIT: Duration = Duration::from_secs(3);

/// The number of moves before a fault that are shown.
const SHOWN: usize = 8;

/// The steps of the game.
pub(super) struct Steps;

impl Compliance for Steps {
    fn check(&self, examiner: &mut Examiner<'_>) -> Result<(), Trouble> {
        let bridge = Bridge::default();
        let set = OpeningSet::single("");
        let rules = Othello { set, depth: DEPTH, timed: false, adjudicate: 0, bridge };
        for (seat, name) in [
            (0, Text::new("une partie avec les rouges", "a game as red")),
            (1, Text::new("une partie avec les bleus", "a game as blue")),
        ] {
            if !game(examiner, &rules, seat, name)? {
                break;
            }
        }
        Ok(())
    }
}

fn fails(step: Step, fault: &Fault) -> Step {
    let english = fault.to_string();
    step.wrong(french(&english), english)
}

/// Plays a game against the first legal move. Returns false if it ended by a fault.
fn game(examiner: &mut Examiner<'_>, rules: &Othello, seat: usize, name: Text) -> Result<bool, Trouble> {
    let setup = examiner.setup();
    let start = Step::new(
        Text::new("le démarrage", "the start"),
        "« écrivez votre classe Participants.DupontDupond.Joueur (Elle sera automatiquement reconnue par l'applet) »",
        Text::new("un programme prêt à jouer", "a program that is ready to play"),
    );
    let mut driver = rules.driver(&setup, examiner.player, seat)?;
    match driver.greet(examiner.within(LIMIT + LIMIT)) {
        Ok(()) => {}
        Err(Trouble::Fault(fault)) => {
            let errors = driver.end().errors;
            examiner.add(fails(start, &fault.quoting(&errors)));
            return Ok(false);
        }
        Err(trouble) => return Err(trouble),
    }
    if seat == 0 {
        examiner.add(start);
    }
    let rule =
        "« Une erreur (coup invalide ou exception) donne une défaite 0-64 pour l'équipe fautive. » (Tournoi)";
    let expected = Text::new(
        format!("des coups permis à la profondeur {DEPTH}, null seulement sans coup"),
        format!("legal moves at depth {DEPTH}, null only without a move"),
    );
    let step = Step::new(name, rule, expected);
    let (mut position, mut played) = (Coloured(Board::START), Vec::new());
    let (clock, deadline) = (rules.clock(examiner.conditions), examiner.within(LIMIT));
    let fault = loop {
        if position.outcome().is_some() || Instant::now() >= deadline {
            break None;
        }
        let mv = if rules.seat(&position) == seat {
            match driver.choose(&Question::new(&position, &played, &clock)) {
                Ok(answer) if position.is_legal(answer.mv) => answer.mv,
                Ok(answer) => break Some(Fault::illegal(format!("{} in this position", answer.mv))),
                Err(Trouble::Fault(fault)) => break Some(fault),
                Err(Trouble::Resigned) => break Some(Fault::protocol("it resigned")),
                Err(trouble) => return Err(trouble),
            }
        } else {
            position.move_list()[0]
        };
        played.push(PlyRecord::new(rules, &position, mv));
        position.play(mv);
    };
    let errors = driver.end().errors;
    let last: Vec<String> =
        played[played.len().saturating_sub(SHOWN)..].iter().map(|ply| ply.mv.to_string()).collect();
    let is_faultless = fault.is_none();
    let step = step.asked(&last.join(" "));
    examiner.add(match fault {
        Some(fault) => fails(step, &fault.quoting(&errors)),
        None if position.outcome().is_none() => step.tolerated(
            format!("{} coups en {} s : la partie n'était pas finie", played.len(), LIMIT.as_secs()),
            format!("{} moves in {} s: the game was not over", played.len(), LIMIT.as_secs()),
        ),
        None => step,
    });
    Ok(is_faultless)
}
