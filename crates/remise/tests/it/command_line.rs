use std::process::{Command, Output};

fn remise(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_remise")).args(arguments).output().unwrap()
}

/// Asserts a message on one line, exit code 2 and no archive. Returns the message.
fn refused(arguments: &[&str]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("archives");
    let output = remise(&[arguments, &[path.to_str().unwrap()]].concat());
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert_eq!(error.lines().count(), 1, "{error}");
    assert!(output.stdout.is_empty());
    assert!(!path.exists());
    error
}

#[test]
fn help_is_help() {
    let output = remise(&["--help"]);
    assert_eq!(output.status.code(), Some(0));
    assert!(String::from_utf8(output.stdout).unwrap().contains("--matricules"));
}

#[test]
fn bad_names_are_refused() {
    assert!(refused(&["gounki"]).contains("au moins un nom"));
    assert!(refused(&["gounki", "--noms", ""]).contains("au moins un nom"));
    assert!(refused(&["gounki", "--noms", "A. \"Dupont\""]).contains("caractère"));
    assert!(refused(&["othello", "--noms", "../Dupont"]).contains("caractère"));
    let forty: Vec<String> = (0..40).map(|n| format!("E{}", "x".repeat(n))).collect();
    assert!(refused(&["connect5", "--noms", &forty.join(",")]).contains("40 noms"));
    assert!(refused(&["gounki", "--noms", "A, B, C"]).contains("2 personnes au plus"));
}

#[test]
fn numbers_are_asked_for_where_the_assignment_does() {
    assert!(refused(&["uttt", "--noms", "A. Dupont"]).contains("--matricules"));
    assert!(refused(&["connect5", "--noms", "A. Dupont"]).contains("--matricules"));
    assert!(refused(&["uttt", "--noms", "A. Dupont", "--matricules", "1,2"]).contains("2 pour 1 nom"));
    assert!(refused(&["uttt", "--noms", "A. Dupont", "--matricules", "../1"]).contains("../1"));
}

#[test]
fn unknown_words_are_refused() {
    assert!(refused(&["echecs", "--noms", "A. Dupont"]).contains("jeu inconnu"));
    assert!(refused(&["gounki", "--noms", "A. Dupont", "--classe-seule"]).contains("othello"));
    assert!(refused(&["gounki", "--vite"]).contains("--vite"));
    assert!(refused(&[]).contains("un jeu et un dossier"));
}
