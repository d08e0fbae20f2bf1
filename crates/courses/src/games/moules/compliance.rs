//! The maze's protocol: a connection, a name, a command for each board, and the end.

use super::seats::{accept, listen, start};
use crate::compliance::{Compliance, Examiner, Step, Text};
use crate::fault::Trouble;
use crate::peer::Peer;
use moules_client::rules::Command;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::time::{Duration, Instant};

/// The course's time of a turn.
const TURN: Duration = Duration::from_secs(2);
/// Boards of a player in the upper left corner: sand, a bonus of each kind, a mussel, another player.
const BOARDS: [&str; 2] = [
    "5x5/D-D-D-D-D-D-S-F-S-D-D-B-D-10-D-D-S-S-S-D-D-D-D-D-D/2-1,1-3,3\n",
    "5x5/D-D-D-D-D-D-S-S-S-D-D-B-D-10-D-D-S-S-S-D-D-D-D-D-D/2-2,1-3,3\n",
];

/// The steps of the game.
pub(super) struct Steps;

impl Compliance for Steps {
    fn check(&self, examiner: &mut Examiner<'_>) -> Result<(), Trouble> {
        let setup = examiner.setup();
        let door = listen(SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 0))?;
        let mut peer = start(&setup, &door, examiner.player, examiner.command()?, 0)?;
        let connecting = step(
            ("la connexion", "the connection"),
            "« Dans un premier temps, un socket est créé qui ouvre une connexion avec le serveur. » (2)",
            (
                "une connexion à l'adresse et au port des arguments",
                "a connection to the address and port of the arguments",
            ),
        );
        match accept(&setup, &door, Some(&peer)) {
            Ok(stream) => peer.divert(stream)?,
            Err(Trouble::Fault(_)) => {
                let heard = examiner.silence(peer, String::new())?;
                let step = connecting.silent(heard).wrong(
                    "aucune connexion : les arguments sont l'adresse, le port et le nom, dans cet ordre",
                    "no connection: the arguments are the address, the port and the name, in this order",
                );
                examiner.add(step);
                return Ok(());
            }
            Err(trouble) => return Err(trouble),
        }
        examiner.add(connecting.got(""));
        let name = peer.raw_line(examiner.within(TURN))?;
        let naming = step(
            ("le nom", "the name"),
            "« Une fois cette connexion ouverte, le client envoie le nom d'équipe et passe en écoute pour récupérer son \
             numéro de joueur. » (2)",
            ("le nom de l'équipe sur une ligne", "the team's name on a line"),
        );
        if !name.ends_with('\n') {
            let heard = examiner.silence(peer, name)?;
            examiner.add(naming.silent(heard));
            return Ok(());
        }
        let naming = examiner.alone(&mut peer, naming, &name)?;
        examiner.add(naming);
        let mut question = "0\n".to_owned();
        for (nth, board) in BOARDS.into_iter().enumerate() {
            question.push_str(board);
            let step = turn(nth + 1, &question);
            let is_there = tell(&mut peer, &question)?;
            let answer = if is_there { peer.raw_line(examiner.within(TURN))? } else { String::new() };
            if !answer.ends_with('\n') {
                let heard = examiner.silence(peer, answer)?;
                examiner.add(step.silent(heard));
                return Ok(());
            }
            let step = examiner.alone(&mut peer, step, &answer)?;
            examiner.add(command(step, &answer));
            question.clear();
        }
        let step = ending(&mut peer)?;
        examiner.add(step);
        peer.close(b"");
        Ok(())
    }
}

fn step(name: (&str, &str), rule: &'static str, expected: (&str, &str)) -> Step {
    Step::new(Text::new(name.0, name.1), rule, Text::new(expected.0, expected.1))
}

/// Sends a text. Returns false if the client is gone.
fn tell(peer: &mut Peer<'_>, text: &str) -> Result<bool, Trouble> {
    match peer.send(text.as_bytes(), Instant::now() + TURN) {
        Ok(()) => Ok(true),
        Err(Trouble::Fault(_)) => Ok(false),
        Err(trouble) => Err(trouble),
    }
}

fn turn(turn: usize, question: &str) -> Step {
    let rule = "« Les coups que vous allez devoir envoyer seront représentés par une lettre simple pour les mouvements \
                simples et un ensemble de plusieurs lettres séparées par des \"-\" lorsque vous utiliserez des bonus. » (2.2)";
    let expected = (
        "N, S, E, O ou C, F-direction, ou B et trois directions, en 2 s",
        "N, S, E, O or C, F-direction, or B and three directions, within 2 s",
    );
    let names = (format!("le tour {turn}"), format!("turn {turn}"));
    step((&names.0, &names.1), rule, expected).asked(question)
}

/// Judges the command of a turn.
fn command(step: Step, answer: &str) -> Step {
    let word = answer.trim_end_matches(['\n', '\r']);
    if Command::read(word.as_bytes()).action.is_some() {
        return step;
    }
    if word.contains('W') {
        return step.wrong("l'ouest s'écrit O", "the west is O, for ouest");
    }
    if Command::read(word.trim().to_uppercase().as_bytes()).action.is_some() {
        return step.wrong("des lettres majuscules, sans espace", "capital letters, without blanks");
    }
    step.wrong("ce n'est pas une commande du jeu", "this is no command of the game")
}

/// Checks that the client ends at the word FIN.
fn ending(peer: &mut Peer<'_>) -> Result<Step, Trouble> {
    let step = step(
        ("la fin", "the end"),
        "« Le jeu s'arrête lorsque le serveur envoie le mot FIN à la place des informations sur le labyrinthe. » (2)",
        ("la fin du programme", "the end of the program"),
    );
    let step = step.asked("FIN\n");
    if peer.is_gone() {
        return Ok(step.wrong("il s'était déjà arrêté", "it had ended before"));
    }
    tell(peer, "FIN\n")?;
    let deadline = Instant::now() + Duration::from_millis(1500);
    while !peer.is_gone() && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(10));
    }
    Ok(if peer.is_gone() {
        step
    } else {
        step.wrong("il tourne encore 1,5 s après", "it still runs 1.5 s later")
    })
}
