//! Tests the class `Joueur` with stand-ins for the two base classes of the course's framework.
//!
//! `java/essai/Arbitre` calls it as the framework does and checks every answer by the rules.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const GAMES: usize = 4;

/// Compiles the classes. Without a JDK it returns `None` and prints that the test is skipped.
fn classes(folder: &Path) -> Option<()> {
    let java = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("java");
    let sources = [
        "essai/Othello/Move.java",
        "essai/Othello/Joueur.java",
        "essai/Arbitre.java",
        "Participants/OthelloPlayer/Joueur.java",
        "Participants/OthelloPlayer/AlphaBeta.java",
    ];
    let mut compile = Command::new("javac");
    compile.args(["--release", "8", "-encoding", "ISO-8859-1", "-Xlint:-options", "-d"]).arg(folder);
    let compiled = compile.args(sources.map(|source| java.join(source))).output();
    match compiled {
        Ok(output) if output.status.success() => {
            assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
            Some(())
        }
        Ok(output) => panic!("javac: {}", String::from_utf8_lossy(&output.stderr)),
        Err(error) => {
            // Written directly to standard error, which the test runner does not capture.
            let _ = writeln!(
                std::io::stderr(),
                "skipped: the Java class is not tried, javac does not start ({error})"
            );
            None
        }
    }
}

fn arbiter(folder: &Path, program: Option<&Path>, arguments: &[&str]) -> Output {
    let mut java = Command::new("java");
    // The executable must not be found by chance.
    java.env_remove("OTHELLO_PLAYER").env("PATH", folder_of_java());
    if let Some(program) = program {
        java.arg(format!("-Dothello.player={}", program.display()));
    }
    java.arg("-cp").arg(folder).arg("Arbitre").args(arguments).output().unwrap()
}

/// The PATH without the folders that contain `othello-player`.
fn folder_of_java() -> String {
    let path = std::env::var("PATH").unwrap_or_default();
    let folders = path.split(':').filter(|folder| !Path::new(folder).join("othello-player").exists());
    folders.collect::<Vec<_>>().join(":")
}

/// The participant's margins that the arbiter prints.
fn margins(output: &Output) -> Vec<i32> {
    assert!(output.status.success(), "{output:?}");
    let text = std::str::from_utf8(&output.stdout).unwrap();
    // The participant is red in even games and blue in odd ones.
    let margins: Vec<i32> = text.lines().map(|line| line.parse().unwrap()).collect();
    assert_eq!(margins.len(), GAMES);
    margins.iter().enumerate().map(|(game, margin)| if game % 2 == 0 { *margin } else { -margin }).collect()
}

#[test]
fn the_java_class_plays_with_the_executable_without_it_and_when_it_is_killed() {
    let folder = tempfile::tempdir().unwrap();
    if classes(folder.path()).is_none() {
        return;
    }
    let program = assert_cmd::cargo::cargo_bin("othello-player");
    let games = GAMES.to_string();

    let with = arbiter(folder.path(), Some(&program), &["3", &games]);
    let without = arbiter(folder.path(), None, &["3", &games]);
    let killed = arbiter(folder.path(), Some(&program), &["3", &games, "kill"]);
    for output in [&with, &without, &killed] {
        assert!(margins(output).iter().all(|&margin| margin > 0), "{output:?}");
    }
    // The arbiter finds a process to kill only if the executable was started; a file that is no program is survived.
    assert!(!arbiter(folder.path(), None, &["3", &games, "kill"]).status.success());
    let bogus = folder.path().join("bogus");
    std::fs::write(&bogus, "#!/bin/sh\necho what\n").unwrap();
    #[cfg(unix)]
    std::fs::set_permissions(&bogus, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    assert_eq!(margins(&arbiter(folder.path(), Some(&bogus), &["3", &games])), margins(&without));

    // The executable next to the class file.
    let beside = folder.path().join("Participants/OthelloPlayer/othello-player");
    std::fs::copy(&program, &beside).unwrap();
    assert_eq!(margins(&arbiter(folder.path(), None, &["3", &games])), margins(&with));
    assert!(arbiter(folder.path(), None, &["3", &games, "kill"]).status.success());
}

#[test]
fn the_helper_of_a_participant_that_is_garbage_ends() {
    let folder = tempfile::tempdir().unwrap();
    if classes(folder.path()).is_none() {
        return;
    }
    let program = assert_cmd::cargo::cargo_bin("othello-player");
    let dropped = arbiter(folder.path(), Some(&program), &["1", "2", "drop"]);
    assert!(dropped.status.success(), "{dropped:?}");
    assert!(!arbiter(folder.path(), None, &["1", "1", "drop"]).status.success(), "there is no helper");
}

/// Runs `javac` in a folder. Without a JDK it returns `None` and prints that the test is skipped.
fn javac(folder: &Path, arguments: &[&str]) -> Option<Output> {
    let output = Command::new("javac").current_dir(folder).args(arguments).output();
    if let Err(error) = &output {
        // Written directly to standard error, which the test runner does not capture.
        let _ = writeln!(std::io::stderr(), "skipped: javac does not start ({error})");
    }
    output.ok()
}

#[test]
fn the_readme_s_command_compiles_beside_a_framework_source_that_is_newer_than_its_class() {
    let folder = tempfile::tempdir().unwrap();
    let java = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("java");
    let own = "Participants/OthelloPlayer";
    for below in ["Othello", own] {
        std::fs::create_dir_all(folder.path().join(below)).unwrap();
    }
    for name in ["Move", "Joueur"] {
        let to = folder.path().join(format!("Othello/{name}.java"));
        std::fs::copy(java.join(format!("essai/Othello/{name}.java")), to).unwrap();
    }
    for name in ["Joueur", "AlphaBeta"] {
        let file = format!("{own}/{name}.java");
        std::fs::copy(java.join(&file), folder.path().join(&file)).unwrap();
    }
    let framework = ["--release", "8", "-Xlint:-options", "Othello/Move.java", "Othello/Joueur.java"];
    let Some(compiled) = javac(folder.path(), &framework) else { return };
    assert!(compiled.status.success(), "{compiled:?}");
    // The framework's comments are French, in Latin-1.
    let touched = folder.path().join("Othello/Move.java");
    let mut text = std::fs::read(&touched).unwrap();
    text.extend(b"// Coup jou\xe9.\n");
    std::fs::write(&touched, text).unwrap();
    let later = std::time::SystemTime::now() + std::time::Duration::from_secs(2);
    std::fs::File::options().append(true).open(&touched).unwrap().set_modified(later).unwrap();

    let readme = include_str!("../../README.md");
    let command = readme.lines().find(|line| line.starts_with("javac ")).unwrap();
    let compiled = Command::new("sh").args(["-c", command]).current_dir(folder.path()).output().unwrap();
    assert!(compiled.status.success(), "{command}: {compiled:?}");
    let without = command.replace("-encoding ISO-8859-1 ", "-encoding US-ASCII ");
    std::fs::File::options().append(true).open(&touched).unwrap().set_modified(later).unwrap();
    std::fs::remove_file(folder.path().join("Othello/Move.class")).unwrap();
    let compiled = Command::new("sh").args(["-c", &without]).current_dir(folder.path()).output().unwrap();
    assert!(!compiled.status.success(), "the letter is read: {compiled:?}");
}
