//! À la pêche aux moules, section 5 of the assignment: an archive with everything needed to compile, and a README.

mod check;

use crate::archive::Form;
use crate::hand_in::check::Place;
use crate::hand_in::team::Team;
use crate::hand_in::workspace::Workspace;
use crate::hand_in::{HandIn, Making, Submission, makefile, readme};
use anyhow::Result;
use std::path::Path;

/// The archive of À la pêche aux moules.
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

    fn credits(&self) -> (&'static str, &'static [&'static str]) {
        ("### The maze (À la pêche aux moules)", &["the maze", "24hiut", "superAI"])
    }

    fn make(&self, team: &Team, project: &Path, _: Making<'_>) -> Result<HandIn> {
        hand_in(team, project)
    }

    fn check(&self, place: &mut Place<'_>) -> Result<()> {
        check::check(place)
    }

    fn player(&self, place: &Place<'_>) -> Option<String> {
        place.built("moules-client").map(|path| format!("{path} --time 100"))
    }
}

fn hand_in(team: &Team, project: &Path) -> Result<HandIn> {
    let mut tree = Workspace::prune(project, "moules-client")?.tree()?;
    let programs = [("moules-client", "moules-client"), ("moules-serveur", "moules-serveur")];
    tree.put(
        "Makefile",
        makefile("À la pêche aux moules : le client, et un serveur pour l'essayer", &programs)?,
    );
    let name = team.identifier();
    let text = include_str!("hand_in/modeles/README.txt");
    tree.put("README.txt", readme(&Archive, text, team, &[("NOM", &name)])?);
    Ok(HandIn { name: format!("moules_{name}.zip"), form: Form::Zip, tree, notes: Vec::new() })
}
