//! UTTT: `python3 tp1_….py` from another folder, for print, tree and play; with the executable included, then without
//! it, built from the sources.

use crate::hand_in::check::Place;
use crate::hand_in::check::process::{run, succeed};
use anyhow::{Context, Result, ensure};
use std::fs;
use std::time::Instant;

/// The assignment's example position and its two children.
const POSITION: &str = "459329034283597291728327479273734123420780266358036";
const CHILDREN: [&str; 2] = [
    "330716890198477834926403213994701218254008155997460",
    "319024877099830611580773735332970962541009996973332",
];

pub(super) fn check(place: &mut Place) -> Result<()> {
    let script = script(place)?;
    if !place.exists("python3") {
        place.saw("python3 est introuvable : rien n'a été joué");
        return Ok(());
    }
    plays(place, &script)?;
    place.saw(format!("python3 {script} : p, a et un coup, d'un autre dossier"));
    if !place.exists("cargo") {
        place.saw("cargo est introuvable : l'exécutable n'a pas été recompilé");
        return Ok(());
    }
    // A file that cannot run on this machine, or lacks a library, must not stop the script.
    wire::file::write(&place.folder.join("uttt"), "\x7fELF d'ailleurs")?;
    let start = Instant::now();
    place.show_during("recompile l'exécutable", || plays(place, &script))?;
    let seconds = start.elapsed().as_secs_f64();
    ensure!(place.folder.join("target/release/uttt").is_file(), "the sources were not compiled");
    wire::file::write(&place.folder.join("uttt"), "#!/bin/sh\nexit 1\n")?;
    plays(place, &script)?;
    place.saw(format!("le même avec un exécutable inutilisable : recompilé sans réseau, {seconds:.0} s"));
    Ok(())
}

fn script(place: &Place) -> Result<String> {
    let names = fs::read_dir(&place.folder)?.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let mut scripts = names.filter(|name| name.starts_with("tp1_") && name.ends_with(".py"));
    scripts.next().context("no tp1_….py")
}

fn plays(place: &Place, script: &str) -> Result<()> {
    let answer = |arguments: &[&str]| {
        let path = place.folder.join(script);
        let mut python = place.command("", "python3");
        python.arg(path).args(arguments).env_remove("UTTT").current_dir(std::env::temp_dir());
        succeed(run(&mut python, "")?, "python3")
    };
    let print = answer(&["p", POSITION])?;
    let widths: Vec<usize> = print.lines().map(str::len).collect();
    ensure!(widths == [29; 11], "the print's lines are {widths:?} wide");
    ensure!(print.ends_with(" o  x  o | .  .  x | X  x  . \n"), "the last line of the print is wrong");
    let tree = answer(&["a", "1", POSITION])?;
    let levels: Vec<Vec<&str>> = tree.lines().map(|line| line.split_whitespace().collect()).collect();
    ensure!(levels.len() == 2 && levels[0] == [POSITION], "the tree's root is wrong");
    ensure!(
        levels[1].len() == 2 && CHILDREN.iter().all(|child| levels[1].contains(child)),
        "the children are wrong"
    );
    let play = answer(&[POSITION])?;
    ensure!(CHILDREN.contains(&play.trim_end()), "{play} is no move");
    Ok(())
}
