//! Othello, section "À rendre" of the assignment: the package `Participants.<VosNoms>` with the class, the executable
//! and its sources, and comments on the evaluation function.

mod check;

use crate::archive::Form;
use crate::archive::Tree;
use crate::hand_in::check::Place;
use crate::hand_in::check::mark::{entry, quoted};
use crate::hand_in::team::Team;
use crate::hand_in::workspace::{self, OWNERSHIP, Workspace};
use crate::hand_in::{HandIn, Making, PACKED, Submission, machine, makefile_unpacking, progress, readme};
use anyhow::{Context, Result, ensure};
use std::path::Path;
use std::process::Command;

/// The package of the project's own class, renamed for the team.
const OWN_PACKAGE: &str = "Participants.OthelloPlayer";
/// The folder of [`OWN_PACKAGE`] in the project.
const OWN_SOURCES: &str = "crates/othello-player/java/Participants/OthelloPlayer";

/// Othello's archive.
pub struct Archive;

impl Submission for Archive {
    fn largest_team(&self) -> usize {
        2
    }

    fn language(&self) -> &'static str {
        include_str!("hand_in/modeles/langage.txt").trim_end()
    }

    fn language_of_classes(&self) -> &'static str {
        include_str!("hand_in/modeles/langage-classe.txt").trim_end()
    }

    fn rule_on_others_work(&self) -> &'static str {
        include_str!("hand_in/modeles/regle.txt").trim_end()
    }

    fn has_class(&self) -> bool {
        true
    }

    fn credits(&self) -> (&'static str, &'static [&'static str]) {
        ("### Othello", &["Othello", "othello", "Edax", "NTest", "Egaroucid"])
    }

    fn make(&self, team: &Team, project: &Path, making: Making<'_>) -> Result<HandIn> {
        if making.class_alone {
            return class_alone(team, project);
        }
        hand_in(team, project, making)
    }

    fn check(&self, place: &mut Place<'_>) -> Result<()> {
        check::check(place)
    }

    fn player(&self, place: &Place<'_>) -> Option<String> {
        // The framework's stand-in is in the folder next to the package.
        place.built("Othello/Joueur.class")?;
        let name = entry(&place.folder.join("Participants"), |_| true)?;
        Some(format!("java:{} Participants.{name}.Joueur", quoted(&place.folder)))
    }
}

fn hand_in(team: &Team, project: &Path, making: Making<'_>) -> Result<HandIn> {
    let name = team.identifier();
    let workspace = Workspace::prune(project, "othello-player")?;
    let executable = making.build(&workspace, "othello-player")?;
    let mut sources = packed(&workspace.tree()?)?;
    sources.put(
        "Makefile",
        makefile_unpacking(
            "Othello : le programme que la classe Joueur fait réfléchir",
            &[("../othello-player", "othello-player")],
        )?,
    );

    let (mut package, notes) = compiled(Tree::read(&project.join(OWN_SOURCES))?, &name, project)?;
    package.put_executable("othello-player", executable);
    let text = include_str!("hand_in/modeles/COMMENTAIRES.txt");
    package
        .put("COMMENTAIRES.txt", readme(&Archive, text, team, &[("NOM", &name), ("MACHINE", &machine())])?);
    package.put_tree("sources", sources);

    Ok(zipped(&name, package, notes))
}

/// Makes the archive of the Java classes alone, which play without an executable.
fn class_alone(team: &Team, project: &Path) -> Result<HandIn> {
    let name = team.identifier();
    let mut sources = Tree::read(&project.join(OWN_SOURCES))?;
    sources.put("Joueur.java", include_str!("hand_in/modeles/Joueur.java"));
    let (mut package, notes) = compiled(sources, &name, project)?;
    let text = include_str!("hand_in/modeles/COMMENTAIRES-classe.txt");
    package.put(
        "COMMENTAIRES.txt",
        readme(&Archive, text, team, &[("NOM", &name), ("CLASSES", Archive.language_of_classes())])?,
    );
    for file in OWNERSHIP {
        let path = project.join(file);
        package.put(file, std::fs::read(&path).with_context(|| path.display().to_string())?);
    }
    Ok(zipped(&name, package, notes))
}

fn zipped(name: &str, package: Tree, notes: Vec<String>) -> HandIn {
    let mut tree = Tree::default();
    tree.put_tree(&format!("Participants/{name}"), package);
    HandIn { name: format!("othello_{name}.zip"), form: Form::Zip, tree, notes }
}

/// Packs `vendor/` into one file, because the course wants no more files than needed.
fn packed(sources: &Tree) -> Result<Tree> {
    let (mut vendor, mut kept) = (Tree::default(), Tree::default());
    for (path, file) in sources.iter() {
        let tree = if path.starts_with("vendor/") { &mut vendor } else { &mut kept };
        tree.put(path, file.bytes.clone());
    }
    kept.put(PACKED, Form::TarGz.pack(&vendor)?);
    Ok(kept)
}

/// Renames the sources for the team's package and compiles them. Returns notes for the team too.
fn compiled(sources: Tree, name: &str, project: &Path) -> Result<(Tree, Vec<String>)> {
    let mut package = Tree::default();
    for (path, file) in sources.iter() {
        let text = std::str::from_utf8(&file.bytes).with_context(|| path.to_owned())?;
        package.put(path, text.replace(OWN_PACKAGE, &format!("Participants.{name}")));
    }
    ensure!(package.get("Joueur.java").is_some(), "the class is named Joueur");
    let mut notes = Vec::new();
    let framework = Tree::read(&project.join("crates/othello-player/java/essai/Othello"))?;
    match compile(&package, name, &framework)? {
        Some(classes) => package.put_tree("", classes),
        None => notes
            .push("javac est introuvable : les fichiers .class manquent, le cours les compile".to_owned()),
    }
    Ok((package, notes))
}

/// Compiles the classes for Java 8 and later. Returns `None` without a JDK. The framework's two base classes are
/// replaced by stand-ins, which are left out of the result.
fn compile(package: &Tree, name: &str, framework: &Tree) -> Result<Option<Tree>> {
    let folder = workspace::folder("remise-")?;
    let own = format!("Participants/{name}");
    let mut all = Tree::default();
    all.put_tree(&own, package.clone());
    all.put_tree("Othello", framework.clone());
    all.write(folder.path())?;
    let mut javac = Command::new("javac");
    javac.args(["-Xlint:-options", "--release", "8", "-encoding", "ISO-8859-1", "-d", "classes"]);
    javac.arg(format!("{own}/Joueur.java"));
    let output = match progress::output(javac.current_dir(folder.path()), &|_| {}) {
        Ok(output) => output,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error).context("javac"),
    };
    ensure!(output.status.success(), "javac: {}", String::from_utf8_lossy(&output.stderr).trim());
    Tree::read(&folder.path().join("classes").join(own)).map(Some)
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_comments_say_which_evaluation_is_the_default() {
        let comments = include_str!("hand_in/modeles/COMMENTAIRES.txt").replace('\n', " ");
        let default = othello_player::evaluation::Evaluation::default();
        let default = format!("« --eval {default} », la fonction par défaut");
        assert!(comments.contains(&default), "{default}");
    }
}
