//! Gounki, section 4.2 of the assignment: a zip with the sources, a Makefile, a README, and a PDF report of at most
//! four pages.

mod check;

use super::report;
use crate::archive::Form;
use crate::hand_in::check::Place;
use crate::hand_in::team::Team;
use crate::hand_in::workspace::Workspace;
use crate::hand_in::{HandIn, Making, Submission, makefile, readme};
use anyhow::{Context, Result};
use std::fs;
use std::path::Path;

/// Gounki's archive.
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

    fn credits(&self) -> (&'static str, &'static [&'static str]) {
        ("### Gounki", &["Gounki", "gounki"])
    }

    fn make(&self, team: &Team, project: &Path, _: Making<'_>) -> Result<HandIn> {
        hand_in(team, project)
    }

    fn check(&self, place: &mut Place<'_>) -> Result<()> {
        check::check(place)
    }

    fn player(&self, place: &Place<'_>) -> Option<String> {
        place.built("gounki").map(|path| format!("{path} --time 100"))
    }
}

fn hand_in(team: &Team, project: &Path) -> Result<HandIn> {
    let data = |name: &str| {
        let path = project.join("test-data/gounki").join(name);
        fs::read(&path).with_context(|| path.display().to_string())
    };
    let mut tree = Workspace::prune(project, "gounki")?.tree()?;
    tree.put("Makefile", makefile("Gounki", &[("gounki", "gounki")])?);
    tree.put("README", readme(&Archive, include_str!("hand_in/modeles/README"), team, &[])?);
    // The examples of the assignment.
    tree.put("initial.conf", data("initial.conf")?);
    tree.put("test1.txt", data("assignment_example.txt")?);
    let results = String::from_utf8(data("heuristiques.tsv")?).context("heuristiques.tsv")?;
    tree.put("rapport.pdf", report::gounki(team, &results)?.bytes);
    let name = format!("gounki_{}.zip", team.identifier());
    Ok(HandIn { name, form: Form::Zip, tree, notes: Vec::new() })
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_report_says_which_evaluation_is_the_best_robots() {
        let report = include_str!("hand_in/modeles/rapport.txt");
        let default = format!("- **{}** :", ::gounki::evaluation::Evaluation::default());
        let line = report.lines().find(|line| line.starts_with(&default)).expect(&default);
        assert!(line.contains("C'est celle du meilleur robot"), "{line}");
    }
}
