//! Gounki: a plain `make`, test mode on the assignment's example, a game of robots, and the report.

use crate::hand_in::check::Place;
use crate::hand_in::check::process::{run, succeed};
use anyhow::{Result, ensure};

/// The last heading of the assignment's example: the last move and its cells.
const LAST_HEADING: &str = "Coup 6 (noir) : g6*f5-f4";

pub(super) fn check(place: &mut Place) -> Result<()> {
    for name in ["README", "rapport.pdf", "Makefile", "test1.txt"] {
        ensure!(place.folder.join(name).is_file(), "{name} is missing");
    }
    let report = std::fs::read(place.folder.join("rapport.pdf"))?;
    ensure!(report.starts_with(b"%PDF-"), "the report is no PDF");
    if !place.make("")? {
        return Ok(());
    }
    let moves = std::fs::read_to_string(place.folder.join("test1.txt"))?;
    let output = succeed(run(place.command("", "./gounki").arg("-t"), &moves)?, "gounki -t")?;
    ensure!(output.contains(LAST_HEADING), "gounki -t: the last move is missing");
    let bad = run(place.command("", "./gounki").arg("-t"), "a2-a5\n")?;
    ensure!(bad.status.code() == Some(1), "gounki -t: an impossible move ends with {}", bad.status);
    let bad = run(place.command("", "./gounki").arg("-t"), "bonjour\n")?;
    ensure!(bad.status.code() == Some(2), "gounki -t: an unreadable line ends with {}", bad.status);
    place.saw("./gounki -t : les six coups de l'énoncé ; coup impossible et ligne illisible refusés");
    let robots = ["-B", "robot:aleatoire", "-N", "robot:aleatoire", "--seed", "1"];
    let output = succeed(run(place.command("", "./gounki").args(robots), "")?, "a game of robots")?;
    let turns = output.lines().filter(|line| line.starts_with("Coup ")).count();
    ensure!(turns > 10, "a game of {turns} moves");
    place.saw(format!("./gounki : une partie entière de deux robots, {turns} coups"));
    Ok(())
}
