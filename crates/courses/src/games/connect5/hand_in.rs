//! Connect5, section 4 of the assignment: sources only. `make` in `src` builds `joueur`, and `serveurjoueur PORT` for
//! TCP.

mod check;

use crate::archive::Form;
use crate::archive::Tree;
use crate::hand_in::check::Place;
use crate::hand_in::team::Team;
use crate::hand_in::workspace::Workspace;
use crate::hand_in::{HandIn, Making, Submission, makefile, readme};
use anyhow::{Context, Result, ensure};
use std::path::Path;

const TEAM_FILE: &str = "crates/connect5-joueur/equipe.txt";

/// Connect5's archive.
pub struct Archive;

impl Submission for Archive {
    fn largest_team(&self) -> usize {
        4
    }

    fn language(&self) -> &'static str {
        include_str!("hand_in/modeles/langage.txt").trim_end()
    }

    fn rule_on_others_work(&self) -> &'static str {
        include_str!("hand_in/modeles/regle.txt").trim_end()
    }

    fn wants_numbers(&self) -> bool {
        true
    }

    fn wants_mails(&self) -> bool {
        true
    }

    fn credits(&self) -> (&'static str, &'static [&'static str]) {
        ("### Connect5", &["Connect5", "connect5", "Rapfi"])
    }

    fn make(&self, team: &Team, project: &Path, _: Making<'_>) -> Result<HandIn> {
        hand_in(team, project)
    }

    fn check(&self, place: &mut Place<'_>) -> Result<()> {
        check::check(place)
    }

    fn player(&self, place: &Place<'_>) -> Option<String> {
        place.built("tp1/src/joueur")
    }

    fn mark_options(&self) -> &'static [&'static str] {
        &["--time", "100"]
    }
}

fn hand_in(team: &Team, project: &Path) -> Result<HandIn> {
    let mut sources = Workspace::prune(project, "connect5-joueur")?.tree()?;
    ensure!(sources.get(TEAM_FILE).is_some(), "{TEAM_FILE} is where the player finds its team");
    sources.put(TEAM_FILE, team.lines());
    spell_out(&mut sources)?;
    let programs = [("joueur", "connect5-joueur"), ("serveurjoueur", "connect5-joueur")];
    sources.put("Makefile", makefile("Connect5 : le joueur artificiel", &programs)?);
    sources.put("LISEZMOI.txt", readme(&Archive, include_str!("hand_in/modeles/LISEZMOI.txt"), team, &[])?);
    let mut tree = Tree::default();
    tree.put_tree("tp1/src", sources);
    let mut notes = Vec::new();
    if team.students.iter().any(|student| student.mail.is_none()) {
        notes.push("l'énoncé demande aussi les courriels (--courriels)".to_owned());
    }
    Ok(HandIn { name: "connect5_tp1.tar.gz".into(), form: Form::TarGz, tree, notes })
}

/// Replaces the binary data that the player's sources include by numbers in text, because the course accepts no binary
/// files.
fn spell_out(sources: &mut Tree) -> Result<()> {
    let is_binary =
        |path: &str, bytes: &[u8]| path.starts_with("crates/") && std::str::from_utf8(bytes).is_err();
    let mut text = Tree::default();
    for (path, file) in sources.iter() {
        if is_binary(path, &file.bytes) {
            let lines = file.bytes.chunks(20).map(|chunk| {
                let numbers: Vec<_> = chunk.iter().map(u8::to_string).collect();
                format!("    {},\n", numbers.join(", "))
            });
            text.put(format!("{path}.rs"), format!("&[\n{}]\n", lines.collect::<String>()));
            continue;
        }
        let mut bytes = file.bytes.clone();
        if path.starts_with("crates/") && path.ends_with(".rs") {
            let source = std::str::from_utf8(&bytes).with_context(|| path.to_owned())?;
            bytes =
                source.replace("include_bytes!(", "include!(").replace(".bin\")", ".bin.rs\")").into_bytes();
        }
        text.put(path, bytes);
    }
    *sources = text;
    Ok(())
}
