//! UTTT, "Remise": `tp1_matricule1_matricule2.tar.gz`, in front of it the Python file that the course runs.

use super::{Build, Game, HandIn, readme};
use crate::pack::Form;
use crate::team::Team;
use crate::workspace::Workspace;
use anyhow::{Context, Result};
use std::fs;
use std::path::Path;

pub(super) fn hand_in(team: &Team, project: &Path, build: impl Build) -> Result<HandIn> {
    let name = format!("tp1_{}", team.numbers().context("the file's name is made of the students' numbers")?);
    let workspace = Workspace::prune(project, "uttt")?;
    let executable = build(&workspace, "uttt")?;
    let mut tree = workspace.tree()?;
    let python = project.join("crates/uttt/python/tp1_matricule1_matricule2.py");
    let script = fs::read_to_string(&python).with_context(|| python.display().to_string())?;
    tree.put_executable(format!("{name}.py"), script.replace("tp1_matricule1_matricule2", &name));
    tree.put_executable("uttt", executable);
    let text = include_str!("../../modeles/uttt/LISEZMOI.txt");
    tree.put(
        "LISEZMOI.txt",
        readme(Game::Uttt, text, team, &[("NOM", &name), ("MACHINE", &super::machine())])?,
    );
    Ok(HandIn { name: format!("{name}.tar.gz"), form: Form::TarGz, tree, notes: Vec::new() })
}
