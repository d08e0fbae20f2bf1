//! Honest programs in four languages have the same marks in the sandbox as outside.

use super::sandbox::{card, marks};
use std::fs;
use std::path::Path;
use std::process::Command;

const LANGUAGES: [&str; 4] = ["python", "c", "java", "rust"];
const GAMES: [&str; 5] = ["connect5", "gounki", "moules", "othello", "uttt"];

/// Builds an honest program of the test data. Returns its command, or `None` where its language is missing.
fn honest(folder: &Path, game: &str, language: &str) -> Option<String> {
    let stem = if game == "connect5" { "bot" } else { game };
    let class = stem[..1].to_uppercase() + &stem[1..];
    let place = match (game, language) {
        ("connect5", _) => "class",
        (_, "python") => "players",
        _ => "class/courses",
    };
    let (compiler, name) = match language {
        "python" => ("python3", format!("{stem}.py")),
        "c" => ("cc", format!("{stem}.c")),
        "java" => ("javac", format!("{class}.java")),
        _ => ("rustc", format!("{stem}.rs")),
    };
    if !Command::new(compiler).arg("--version").output().is_ok_and(|output| output.status.success()) {
        println!("skipped: there is no {compiler} here");
        return None;
    }
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test-data").join(place).join(&name);
    let text = fs::read_to_string(source).unwrap().replace("\"first\"", "\"win\"");
    fs::write(folder.join(&name), text.replace("random.choice(moves)", "moves[0]")).unwrap();
    let options: &[&str] = match language {
        "python" => return Some(format!("python3 {}", folder.join(name).display())),
        "c" => &["-O1", "-o", "bot"],
        "java" => &[],
        _ => &["--edition", "2021", "-O", "-o", "bot"],
    };
    let built = Command::new(compiler).args(options).arg(&name).current_dir(folder).status().unwrap();
    assert!(built.success(), "{name}");
    let place = folder.display();
    Some(if language == "java" { format!("java -cp {place} {class}") } else { format!("{place}/bot") })
}

/// Marks a program in each mode. Returns the marks, or `None` where its language is missing.
fn same_marks(game: &str, language: &str, modes: &[&str]) -> Option<Vec<String>> {
    let folder = tempfile::tempdir().unwrap();
    let player = honest(&folder.path().canonicalize().unwrap(), game, language)?;
    // Answers that are late on a busy machine would cost points.
    let card = |mode: &str| {
        card(game, &player, &["--grace", "60000", "--sandbox", mode])
            .map(|card| marks(&card).into_iter().map(str::to_owned).collect::<Vec<_>>())
    };
    let outside = card("off").unwrap();
    assert!(outside.len() > 1, "{game} in {language}: {outside:?}");
    for mode in modes {
        let Some(inside) = card(mode) else { continue };
        assert_eq!(inside, outside, "{game} in {language}, --sandbox {mode}");
    }
    Some(outside)
}

#[test]
fn honest_programs_in_c_java_and_rust_have_the_same_marks_in_the_sandbox() {
    for (game, language) in [("uttt", "c"), ("moules", "java"), ("gounki", "rust")] {
        same_marks(game, language, &["auto"]);
    }
}

/// The same player in C, Java and Rust has the same marks in all three, and in Python where it plays alike.
#[test]
#[ignore = "takes ten minutes"]
fn five_courses_in_four_languages_have_the_same_marks_in_every_mode() {
    for game in GAMES {
        let mut all = Vec::new();
        for language in LANGUAGES {
            let Some(marks) = same_marks(game, language, &["auto", "strict"]) else { continue };
            println!("marks: {game} in {language}: {}", marks.join("; "));
            if language != "python" || game == "connect5" {
                all.push(marks);
            }
        }
        assert!(all.windows(2).all(|pair| pair[0] == pair[1]), "{game}: {all:?}");
    }
}
