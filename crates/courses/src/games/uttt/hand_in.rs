//! UTTT, section "Remise" of the assignment: `tp1_matricule1_matricule2.tar.gz`, with the course's Python file at the
//! top.

mod check;

use crate::archive::Form;
use crate::hand_in::check::Place;
use crate::hand_in::check::mark::{entry, quoted};
use crate::hand_in::team::Team;
use crate::hand_in::workspace::Workspace;
use crate::hand_in::{HandIn, Making, Submission, machine, readme};
use anyhow::{Context, Result};
use std::fs;
use std::path::Path;

/// The archive of ultimate tic-tac-toe.
pub struct Archive;

impl Submission for Archive {
    fn largest_team(&self) -> usize {
        2
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

    fn credits(&self) -> (&'static str, &'static [&'static str]) {
        ("### Ultimate tic-tac-toe", &["UTTT", "uttt"])
    }

    fn make(&self, team: &Team, project: &Path, making: Making<'_>) -> Result<HandIn> {
        hand_in(team, project, making)
    }

    fn check(&self, place: &mut Place<'_>) -> Result<()> {
        check::check(place)
    }

    fn player(&self, place: &Place<'_>) -> Option<String> {
        let script = entry(&place.folder, |name| name.starts_with("tp1_") && name.ends_with(".py"))?;
        place.exists("python3").then(|| format!("python3 {}", quoted(&place.folder.join(script))))
    }

    fn mark_options(&self) -> &'static [&'static str] {
        &["--time", "100"]
    }
}

fn hand_in(team: &Team, project: &Path, making: Making<'_>) -> Result<HandIn> {
    let name = format!("tp1_{}", team.numbers().context("the file's name is made of the students' numbers")?);
    let workspace = Workspace::prune(project, "uttt")?;
    let executable = making.build(&workspace, "uttt")?;
    let mut tree = workspace.tree()?;
    let python = project.join("crates/uttt/python/tp1_matricule1_matricule2.py");
    let script = fs::read_to_string(&python).with_context(|| python.display().to_string())?;
    tree.put_executable(format!("{name}.py"), script.replace("tp1_matricule1_matricule2", &name));
    tree.put_executable("uttt", executable);
    let text = include_str!("hand_in/modeles/LISEZMOI.txt");
    tree.put("LISEZMOI.txt", readme(&Archive, text, team, &[("NOM", &name), ("MACHINE", &machine())])?);
    Ok(HandIn { name: format!("{name}.tar.gz"), form: Form::TarGz, tree, notes: Vec::new() })
}
