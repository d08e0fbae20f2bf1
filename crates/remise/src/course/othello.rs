//! Othello, "À rendre": the package `Participants.<VosNoms>` with the class, the executable beside it and its sources,
//! and the comments on the evaluation function.

use super::{Build, Game, HandIn, makefile, readme};
use crate::pack::Form;
use crate::team::Team;
use crate::tree::Tree;
use crate::workspace::Workspace;
use anyhow::{Context, Result, ensure};
use std::path::Path;
use std::process::Command;

/// The package of the project's own class, renamed for the team.
const OWN_PACKAGE: &str = "Participants.OthelloPlayer";

pub(super) fn hand_in(team: &Team, project: &Path, build: impl Build) -> Result<HandIn> {
    let name = team.identifier();
    let workspace = Workspace::prune(project, "othello-player")?;
    let executable = build(&workspace, "othello-player")?;
    let mut sources = workspace.tree()?;
    sources.put(
        "Makefile",
        makefile(
            "Othello : le programme que la classe Joueur fait réfléchir",
            &[("../othello-player", "othello-player")],
        )?,
    );

    let java = project.join("crates/othello-player/java");
    let mut package = Tree::default();
    for (path, file) in Tree::read(&java.join("Participants/OthelloPlayer"))?.iter() {
        let text = std::str::from_utf8(&file.bytes).with_context(|| path.to_owned())?;
        package.put(path, text.replace(OWN_PACKAGE, &format!("Participants.{name}")));
    }
    ensure!(package.get("Joueur.java").is_some(), "the class is named Joueur");
    let mut notes = Vec::new();
    match compile(&package, &name, &Tree::read(&java.join("essai/Othello"))?)? {
        Some(classes) => package.put_tree("", classes),
        None => notes
            .push("javac est introuvable : les fichiers .class manquent, le cours les compile".to_owned()),
    }
    package.put_executable("othello-player", executable);
    let text = include_str!("../../modeles/othello/COMMENTAIRES.txt");
    package.put(
        "COMMENTAIRES.txt",
        readme(Game::Othello, text, team, &[("NOM", &name), ("MACHINE", &super::machine())])?,
    );
    package.put_tree("sources", sources);

    let mut tree = Tree::default();
    tree.put_tree(&format!("Participants/{name}"), package);
    Ok(HandIn { name: format!("othello_{name}.zip"), form: Form::Zip, tree, notes })
}

/// The compiled classes, for Java 8 and later; `None` without a JDK. The framework's two base classes stay where they
/// are: a stand-in of theirs is compiled against and left out.
fn compile(package: &Tree, name: &str, framework: &Tree) -> Result<Option<Tree>> {
    let folder = tempfile::tempdir()?;
    let own = format!("Participants/{name}");
    let mut all = Tree::default();
    all.put_tree(&own, package.clone());
    all.put_tree("Othello", framework.clone());
    all.write(folder.path())?;
    let mut javac = Command::new("javac");
    javac.args(["-Xlint:-options", "--release", "8", "-encoding", "ISO-8859-1", "-d", "classes"]);
    javac.arg(format!("{own}/Joueur.java"));
    let output = match javac.current_dir(folder.path()).output() {
        Ok(output) => output,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error).context("javac"),
    };
    ensure!(output.status.success(), "javac: {}", String::from_utf8_lossy(&output.stderr).trim());
    Tree::read(&folder.path().join("classes").join(own)).map(Some)
}
