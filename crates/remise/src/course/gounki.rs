//! Gounki, section 4.2: a zip with the sources, a Makefile, a README, and a report of four pages at most in PDF.

use super::{Game, HandIn, makefile, readme};
use crate::pack::Form;
use crate::report;
use crate::team::Team;
use crate::workspace::Workspace;
use anyhow::{Context, Result};
use std::fs;
use std::path::Path;

pub(super) fn hand_in(team: &Team, project: &Path) -> Result<HandIn> {
    let data = |name: &str| {
        let path = project.join("test-data/gounki").join(name);
        fs::read(&path).with_context(|| path.display().to_string())
    };
    let mut tree = Workspace::prune(project, "gounki")?.tree()?;
    tree.put("Makefile", makefile("Gounki", &[("gounki", "gounki")])?);
    tree.put("README", readme(Game::Gounki, include_str!("../../modeles/gounki/README"), team, &[])?);
    // The assignment's own examples.
    tree.put("initial.conf", data("initial.conf")?);
    tree.put("test1.txt", data("assignment_example.txt")?);
    let results = String::from_utf8(data("heuristiques.tsv")?).context("heuristiques.tsv")?;
    tree.put("rapport.pdf", report::gounki(team, &results)?.bytes);
    let name = format!("gounki_{}.zip", team.identifier());
    Ok(HandIn { name, form: Form::Zip, tree, notes: Vec::new() })
}
