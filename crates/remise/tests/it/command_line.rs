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

/// A cargo that never ends stands for one that takes long.
#[test]
#[cfg(unix)]
fn a_signal_leaves_no_temporary_folder() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    std::fs::create_dir(path("temporary")).unwrap();
    std::fs::write(path("cargo"), "#!/bin/sh\nexec sleep 20\n").unwrap();
    std::fs::set_permissions(path("cargo"), std::fs::Permissions::from_mode(0o755)).unwrap();
    let left = || std::fs::read_dir(path("temporary")).unwrap().count();
    let mut command = Command::new(env!("CARGO_BIN_EXE_remise"));
    command.args(["gounki", "--noms", "A. Dupont"]).arg(path("archives"));
    command.env("CARGO", path("cargo")).env("TMPDIR", path("temporary"));
    let mut child = command.stderr(std::process::Stdio::null()).spawn().unwrap();
    let deadline = std::time::Instant::now() + std::time::Duration::from_secs(60);
    while left() == 0 && std::time::Instant::now() < deadline {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    assert_eq!(left(), 1);
    assert!(Command::new("kill").arg(child.id().to_string()).status().unwrap().success());
    assert!(child.wait().unwrap().code().is_none(), "it ends by the signal");
    assert_eq!(left(), 0);
}
