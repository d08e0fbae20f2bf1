use crate::{documents, top};
use checks::example::{Example, examples, is_as_told};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// The folder of the executables built with this test: `cargo test --workspace` builds all of them first. Missing ones
/// are built now, for example after `cargo test --package checks` in a new folder.
fn executables() -> PathBuf {
    const NAMES: [&str; 6] =
        ["connect5-joueur", "gounki", "moules-client", "othello-player", "referee", "uttt"];
    let own = std::env::current_exe().unwrap();
    let folder = own.parent().and_then(Path::parent).unwrap().to_owned();
    for name in NAMES.into_iter().filter(|name| !folder.join(name).is_file()) {
        let mut cargo = Command::new(env!("CARGO"));
        cargo
            .args(["build", "--quiet", "--package", name, "--bins", "--target-dir"])
            .arg(folder.parent().unwrap());
        if !cfg!(debug_assertions) {
            cargo.arg("--release");
        }
        assert!(cargo.current_dir(top()).status().unwrap().success(), "{name} does not build");
    }
    folder
}

/// Runs the example in a folder that looks like the project's, and returns its output.
fn run(example: &Example, executables: &Path) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    for name in ["test-data", "scripts"] {
        std::os::unix::fs::symlink(top().join(name), folder.path().join(name)).unwrap();
    }
    let path = format!("{}:{}", executables.display(), std::env::var("PATH").unwrap_or_default());
    let script = format!("exec 2>&1\n{}", example.script.replace("target/release/", ""));
    let output = Command::new("bash")
        .args(["-c", &script])
        .env("PATH", path)
        .current_dir(folder.path())
        .output()
        .unwrap();
    String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect()
}

#[test]
fn every_example_in_a_document_prints_what_it_says() {
    let executables = executables();
    let python = Command::new("python3").arg("--version").output().is_ok();
    let mut wrong = Vec::new();
    let mut tried = 0;
    for document in documents() {
        let text = fs::read_to_string(&document).unwrap();
        let name = document.strip_prefix(top()).unwrap().display().to_string();
        for example in examples(&text) {
            if !python && example.script.contains("python3") {
                println!("skipped: {name}:{}: there is no python3 here", example.line);
                continue;
            }
            // Hand-ins have their own tests, which build whole archives.
            if example.script.starts_with("scripts/remise.sh") {
                continue;
            }
            let start = Instant::now();
            let printed = run(&example, &executables);
            println!("{name}:{}: {:.1} s", example.line, start.elapsed().as_secs_f64());
            tried += 1;
            if !is_as_told(&example.output, &printed) {
                wrong.push(format!("{name}:{}: prints\n{}\n", example.line, printed.join("\n")));
            }
        }
    }
    assert!(tried > 0);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_link_leads_somewhere() {
    for document in documents() {
        let text = fs::read_to_string(&document).unwrap();
        for (at, _) in text.match_indices("](") {
            let target = text[at + 2..].split([')', ' ', '#']).next().unwrap();
            if target.is_empty() || target.contains("://") || target.starts_with("mailto:") {
                continue;
            }
            let path = document.parent().unwrap().join(target);
            assert!(path.exists(), "{}: {target} does not exist", document.display());
        }
    }
}
