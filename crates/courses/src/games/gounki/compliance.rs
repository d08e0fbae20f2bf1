//! Gounki's protocol: the moves of the test mode, its refusals, and a game of robots.

use super::mark::boards;
use crate::compliance::{Compliance, Examiner, Ran, Step, Text};
use crate::drawing::Language;
use crate::fault::Trouble;
use std::time::Duration;

/// The assignment's own game.
const MOVES: &str = "a2-b3\ng7-g6\nb2-b3\nh7-g6\nb3+b4-c5\ng6*f5-f4\n";
const LIMIT: Duration = Duration::from_secs(5);
/// The time of the robots. A game that is still played is not judged to its end.
const ROBOTS: Duration = Duration::from_secs(3);

/// The steps of the game.
pub(super) struct Steps;

impl Compliance for Steps {
    fn check(&self, examiner: &mut Examiner<'_>) -> Result<(), Trouble> {
        let ran = examiner.run(&["-t"], MOVES, LIMIT)?;
        examiner.add(test_mode(&ran));
        if ran.status.is_none() {
            return Ok(());
        }
        // A program that ends before its first board refuses everything.
        let refuses_all = ran.output.trim().is_empty() && !ran.succeeded();
        for (name, input) in [
            (Text::new("un coup impossible en mode test", "an impossible move in test mode"), "a2-a5\n"),
            (Text::new("une ligne illisible en mode test", "an unreadable line in test mode"), "bonjour\n"),
        ] {
            if refuses_all || examiner.is_over() {
                break;
            }
            let ran = examiner.run(&["-t"], input, LIMIT)?;
            examiner.add(refusal(name, input, &ran));
            if ran.status.is_none() {
                return Ok(());
            }
        }
        if examiner.is_over() {
            return Ok(());
        }
        let ran = examiner.run(&["-B", "robot", "-N", "robot"], "", ROBOTS)?;
        examiner.add(robots(&ran));
        Ok(())
    }
}

fn ends_wrong(step: Step, ran: &Ran) -> Step {
    let ending = ran.ending();
    step.wrong(ending.choose(Language::French), ending.choose(Language::English))
}

/// Judges the six moves of the assignment.
fn test_mode(ran: &Ran) -> Step {
    let name = Text::new("les six coups de l'énoncé en mode test", "the assignment's six moves in test mode");
    let rule = "« après chaque coup, on affiche le plateau et le numéro du coup » (2.2)";
    let expected = Text::new(
        "le plateau avec les lettres a à h et les numéros 1 à 8, après chacun des six coups",
        "the board with the letters a to h and the numbers 1 to 8, after each of the six moves",
    );
    let step = Step::new(name, rule, expected).asked(&format!("-t < {MOVES}")).got(&ran.output);
    let found = boards(&ran.output);
    if ran.status.is_none() || ran.output.trim().is_empty() || ran.refused() && found < 6 {
        return ends_wrong(step, ran);
    }
    if found < 6 {
        return step.wrong(
            format!("{found} ligne(s) avec les seules lettres a à h : il en faut une par plateau"),
            format!("{found} line(s) with the letters a to h alone: one for each board is needed"),
        );
    }
    if !(1..=6).all(|number| ran.output.contains(&number.to_string())) {
        return step.wrong("le numéro du coup manque", "the number of the move is missing");
    }
    if ran.succeeded() {
        step
    } else {
        step.tolerated(
            "le code de sortie devrait être 0 sans erreur",
            "without an error the exit code should be 0",
        )
    }
}

/// Judges the refusal of a line.
fn refusal(name: Text, input: &str, ran: &Ran) -> Step {
    let rule = "« quand le programme lit une entrée invalide ou un coup impossible, il quitte en retournant un code \
                d'erreur » (2.2)";
    let expected = Text::new(
        "la fin du programme avec un code d'erreur, autre que 0",
        "the end of the program with an error code other than 0",
    );
    let step = Step::new(name, rule, expected).asked(&format!("-t < {input}")).got(&ran.output);
    if ran.refused() { step } else { ends_wrong(step, ran) }
}

/// Judges a game of two robots, or its beginning.
fn robots(ran: &Ran) -> Step {
    let name = Text::new("une partie de deux robots", "a game of two robots");
    let rule = "« En mode jeu, à chaque fois qu'un coup est joué, le nouvel état du plateau doit être affiché. » (2.1)";
    let expected =
        Text::new("un plateau après chaque coup, jusqu'à la fin", "a board after each move, to the end");
    let step = Step::new(name, rule, expected).asked("-B robot -N robot").got(&ran.output);
    let found = boards(&ran.output);
    match &ran.status {
        None if found > 2 => step.tolerated(
            format!("{found} plateaux en {} s : la partie n'était pas finie", ROBOTS.as_secs()),
            format!("{found} boards in {} s: the game was not over", ROBOTS.as_secs()),
        ),
        None if ran.output.is_empty() => step.wrong(
            "rien en 3 s : la sortie reste-t-elle dans un tampon (fflush) ?",
            "nothing in 3 s: does the output stay in a buffer (fflush)?",
        ),
        Some(_) if found >= 8 && (ran.succeeded() || ran.refused()) => step,
        _ => ends_wrong(step, ran),
    }
}
