//! UTTT's protocol: a move, a tree, a printed position, each by a process of its own.

use super::mark::{difference, newline_remark, tree};
use crate::compliance::{Compliance, Examiner, Ran, Step, Text};
use crate::fault::Trouble;
use search_core::Position as _;
use std::time::Duration;
use uttt::rules::{Integer, Picture, State};

/// The assignment's own position, two moves from its end.
const POSITION: &str = "459329034283597291728327479273734123420780266358036";
const LIMIT: Duration = Duration::from_secs(5);

/// The steps of the game.
pub(super) struct Steps;

impl Compliance for Steps {
    fn check(&self, examiner: &mut Examiner<'_>) -> Result<(), Trouble> {
        let state: State = POSITION.parse().map_err(Trouble::referee)?;
        for (name, state) in [
            (Text::new("un coup dans la position de l'énoncé", "a move in the assignment's position"), state),
            (
                Text::new("un coup dans la position de départ", "a move in the initial position"),
                State::start(),
            ),
        ] {
            let text = state.to_string();
            let ran = examiner.run(&[&text], "", LIMIT)?;
            examiner.add(play(name, &state, &ran).asked(&text));
            if ran.status.is_none() || examiner.is_over() {
                return Ok(());
            }
        }
        let ran = examiner.run(&["a", "1", POSITION], "", LIMIT)?;
        examiner.add(level(&state, &ran));
        if ran.status.is_none() || examiner.is_over() {
            return Ok(());
        }
        let ran = examiner.run(&["p", POSITION], "", LIMIT)?;
        examiner.add(picture(&state, &ran));
        Ok(())
    }
}

/// Adds the end of a process that did not end by itself, or had nothing to say.
fn with_ending(step: Step, ran: &Ran) -> Step {
    if ran.status.is_none() || ran.output.trim().is_empty() {
        let ending = ran.ending();
        let [french, english] = [crate::drawing::Language::French, crate::drawing::Language::English]
            .map(|language| ending.choose(language).to_owned());
        return step.wrong(french, english);
    }
    if ran.succeeded() {
        step
    } else {
        step.tolerated("le code de sortie n'est pas 0", "the exit code is not 0")
    }
}

/// Judges the integer of a move.
fn play(name: Text, state: &State, ran: &Ran) -> Step {
    let rule = "« Notez bien que rien d'autre que l'entier n'est affiché en sortie. » (Entrée)";
    let expected = Text::new(
        "l'entier de la configuration après un coup permis, seul",
        "the integer of the position after a legal move, alone",
    );
    let step = with_ending(Step::new(name, rule, expected).got(&ran.output), ran);
    /// Most words that are read.
    const MOST: usize = 1000;
    let words: Vec<&str> = ran.output.split_whitespace().take(MOST).collect();
    let is_child = |word: &&str| {
        let integer = word.parse::<Integer>().ok();
        state.move_list().into_iter().any(|cell| {
            let mut child = *state;
            child.play(cell);
            Some(child.integer()) == integer
        })
    };
    match &words[..] {
        [] => step,
        [word] if is_child(word) => step,
        [word] if word.parse() == Ok(state.integer()) => {
            step.wrong("c'est la configuration reçue : aucun coup n'a été joué", "this is the position that was given: no move was made")
        }
        [word] if word.parse::<u32>().is_ok_and(|cell| cell < 81) => step.wrong(
            "c'est le numéro d'une case : la configuration entière est attendue",
            "this is the number of a cell: the whole position is expected",
        ),
        [word] if word.parse::<Integer>().is_ok() => step.wrong(
            "aucun coup permis ne mène à cette configuration (cases sur 162 bits, dernier coup sur les 7 premiers)",
            "no legal move leads to this position (cells in 162 bits, the last move in the 7 bits before them)",
        ),
        words if words.iter().any(is_child) => {
            step.wrong("il y a autre chose que l'entier", "there is more than the integer")
        }
        _ => step.wrong("ce n'est pas un entier en représentation décimale", "this is no decimal integer"),
    }
}

/// Judges the tree of depth 1.
fn level(state: &State, ran: &Ran) -> Step {
    let name = Text::new("l'arbre de profondeur 1", "the tree of depth 1");
    let rule = "« Pour chaque noeud, l'entier représentant sa configuration est affiché en représentation décimale, \
                suivi d'un espace. Chaque niveau correspond à une ligne. » (Affichage de l'arbre)";
    let expected = Text::new(
        "la racine sur une ligne, ses enfants sur la suivante",
        "the root on a line, its children on the next",
    );
    let step = Step::new(name, rule, expected).asked(&format!("a 1 {state}")).got(&ran.output);
    let step = with_ending(step, ran);
    match tree::check(&ran.output, state, 1) {
        Err(error) if !ran.output.trim().is_empty() => {
            step.wrong(format!("l'arbre : {error}"), error.to_string())
        }
        _ => step,
    }
}

/// Judges the printed position.
fn picture(state: &State, ran: &Ran) -> Step {
    let name = Text::new("l'affichage de la position", "the printed position");
    let rule = "« Votre sortie doit être exactement telle que décrite, incluant les espaces séparant les caractères. » \
                (Sortie)";
    let expected = Text::new(
        "11 lignes de 29 caractères, le dernier coup en majuscule",
        "11 lines of 29 characters, the last move in upper case",
    );
    let step = Step::new(name, rule, expected).asked(&format!("p {state}")).got(&ran.output);
    let step = with_ending(step, ran);
    match (difference(&Picture(state).to_string(), &ran.output), newline_remark(&ran.output)) {
        (Some(what), _) if !ran.output.trim().is_empty() => step.wrong(format!("différence : {what}"), what),
        (None, Some(_)) => step.tolerated(
            "la dernière ligne doit finir par une seule fin de ligne",
            "the last line should end with one line feed",
        ),
        _ => step,
    }
}
