//! Othello: the package compiled in the framework by the course's own command, and played by a small referee through
//! the class, with the executable included and with the one built from its sources.

use crate::archive::Tree;
use crate::hand_in::check::Place;
use crate::hand_in::check::process::{quiet_output, succeed};
use crate::hand_in::workspace::project;
use anyhow::{Context, Result, ensure};
use std::fs;

const GAMES: usize = 4;

pub(super) fn check(place: &mut Place) -> Result<()> {
    let participants = place.folder.join("Participants");
    let mut names =
        fs::read_dir(&participants)?.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let name = names.next().context("no participant")?;
    let package = format!("Participants/{name}");
    let is_there = |file: &str| place.folder.join(&package).join(file).is_file();
    for file in ["Joueur.java", "AlphaBeta.java", "COMMENTAIRES.txt"] {
        ensure!(is_there(file), "{file} is missing");
    }
    let has_program = is_there("othello-player");
    ensure!(has_program == is_there("sources/Makefile"), "the program and its sources come together");
    if place.exists("javac") && place.exists("java") {
        place.show_during("Arbitre : parties de la classe", || tournament(place, &name, has_program))?;
        place.saw(format!(
            "javac -encoding ISO-8859-1 {package}/Joueur.java, et {GAMES} parties par la classe"
        ));
    } else {
        place.saw("pas de JDK ici : la classe n'a été ni compilée ni jouée");
    }
    if !has_program {
        return Ok(());
    }
    fs::remove_file(place.folder.join(&package).join("othello-player"))?;
    if place.make(&format!("{package}/sources"))? {
        let program = place.folder.join(&package).join("othello-player");
        let perft =
            quiet_output(place.command("", program.to_str().context("a path")?).args(["perft", "5"]))?;
        let perft = succeed(perft, "othello-player perft 5")?;
        ensure!(perft.contains("1396"), "perft 5 is {perft}");
        if place.exists("java") && place.exists("javac") {
            play(place, true)?;
        }
        place.saw("l'exécutable recompilé de ses sources est pris à la place du premier");
    }
    Ok(())
}

/// Puts the package into a stand-in for the course's framework, compiles it as the assignment says, and plays.
fn tournament(place: &Place, name: &str, has_program: bool) -> Result<()> {
    let stand_in = Tree::read(&project().join("crates/othello-player/java/essai"))?;
    stand_in.write(&place.folder)?;
    let referee = place.folder.join("Arbitre.java");
    let text = fs::read_to_string(&referee)?;
    wire::file::write(&referee, text.replace("Participants.OthelloPlayer", &format!("Participants.{name}")))?;
    // The framework's sources are in ISO-8859-1. One that is newer than its class is compiled again.
    let newer = place.folder.join("Othello/Move.java");
    let mut text = fs::read(&newer)?;
    text.extend(b"// \xe9\n");
    wire::file::write(&newer, text)?;
    let javac = |file: &str| {
        let mut javac = place.command("", "javac");
        succeed(quiet_output(javac.args(["-encoding", "ISO-8859-1", file]))?, file)
    };
    javac(&format!("Participants/{name}/Joueur.java"))?;
    javac("Arbitre.java")?;
    play(place, has_program)
}

fn play(place: &Place, has_program: bool) -> Result<()> {
    let mut java = place.command("", "java");
    java.args(["-cp", ".", "Arbitre", "4", &GAMES.to_string()]).env_remove("OTHELLO_PLAYER");
    // Every game kills the program half-way, to show that it was running and that the class goes on without it.
    if has_program {
        java.arg("kill");
    }
    let results = succeed(quiet_output(&mut java)?, "Arbitre")?;
    ensure!(results.lines().count() == GAMES, "{} results of {GAMES}", results.lines().count());
    Ok(())
}
