//! Connect5, section 4: sources only, `src/Makefile`, whose `make` yields `joueur`; `serveurjoueur PORT` for the socket.

use super::{HandIn, makefile, readme};
use crate::pack::Form;
use crate::team::Team;
use crate::tree::Tree;
use crate::workspace::Workspace;
use anyhow::{Result, ensure};
use std::path::Path;

const TEAM_FILE: &str = "crates/connect5-joueur/equipe.txt";

pub(super) fn hand_in(team: &Team, project: &Path) -> Result<HandIn> {
    let mut sources = Workspace::prune(project, "connect5-joueur")?.tree()?;
    ensure!(sources.get(TEAM_FILE).is_some(), "{TEAM_FILE} is where the player finds its team");
    sources.put(TEAM_FILE, team.lines());
    let programs = [("joueur", "connect5-joueur"), ("serveurjoueur", "connect5-joueur")];
    sources.put("Makefile", makefile("Connect5 : le joueur artificiel", &programs)?);
    sources.put("LISEZMOI.txt", readme(include_str!("../../modeles/connect5/LISEZMOI.txt"), team, &[])?);
    let mut tree = Tree::default();
    tree.put_tree("tp1/src", sources);
    let mut notes = Vec::new();
    if team.students.iter().any(|student| student.mail.is_none()) {
        notes.push("l'énoncé demande aussi les courriels (--courriels)".to_owned());
    }
    Ok(HandIn { name: "connect5_tp1.tar.gz".into(), form: Form::TarGz, tree, notes })
}
