use courses::archive::{Bounds, Tree};
use courses::hand_in::check::{Conditions, check};
use courses::hand_in::team::Team;
use courses::hand_in::workspace::project;
use courses::hand_in::{HandIn, Making, hand_in, submission};
use courses::registry::{Game, find};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// Returns a build folder shared by all archives, so that each dependency is compiled once.
fn target() -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("archives")
}

/// Returns variables for a quick build. The course's build optimises the whole program, which takes too long for a
/// test.
fn quick() -> Vec<(String, String)> {
    let target = target();
    [
        ("CARGO_TARGET_DIR", target.to_str().unwrap()),
        ("CARGO_PROFILE_RELEASE_LTO", "off"),
        ("CARGO_PROFILE_RELEASE_OPT_LEVEL", "0"),
        ("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16"),
        ("RUSTFLAGS", "-C target-cpu=generic"),
        // The build must not need a network.
        ("CARGO_NET_OFFLINE", "true"),
        ("https_proxy", "http://127.0.0.1:9"),
    ]
    .map(|(name, value)| (name.to_owned(), value.to_owned()))
    .to_vec()
}

fn team() -> Team {
    Team::parse("A. Dupont, B. Dupond", Some("0123456, 0654321"), Some("a@cours.fr, b@cours.fr"), 2).unwrap()
}

fn game(name: &str) -> Game {
    find(name).unwrap()
}

/// Makes and checks the archive of a game.
fn made_and_tried(game: Game) -> HandIn {
    let environment = quick();
    let making = Making { target: &target(), environment: &environment, class_alone: false, show: &|_| {} };
    let hand_in = hand_in(game, &team(), &project(), making).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(&hand_in.name);
    let bytes = hand_in.form.pack(&hand_in.tree).unwrap();
    std::fs::write(&path, &bytes).unwrap();
    let referee = Some(stand_in(folder.path()));
    let seen = check(game, &path, &Conditions { environment, referee: referee.clone(), show: None }).unwrap();
    println!("{}: {} kB, {} files", hand_in.name, bytes.len() / 1000, hand_in.tree.len());
    seen.iter().for_each(|line| println!("  {line}"));
    assert!(seen.iter().any(|line| line == "referee mark : together 7.0 / 8"), "{seen:?}");
    let asked = std::fs::read_to_string(folder.path().join("asked")).unwrap();
    assert!(asked.starts_with(&format!("mark {} --player ", game.name())), "{asked}");
    // Without any tools each missing one is reported, and nothing is marked.
    let environment = vec![("PATH".to_owned(), "/nowhere".to_owned())];
    let seen = check(game, &path, &Conditions { environment, referee, show: None }).unwrap();
    let missing = match game.name() {
        "othello" => &["pas de JDK ici", "make est introuvable"][..],
        "uttt" => &["python3 est introuvable"],
        _ => &["make est introuvable"],
    };
    assert_eq!(seen.len(), missing.len(), "{seen:?}");
    assert!(seen.iter().zip(missing).all(|(line, tool)| line.starts_with(tool)), "{seen:?}");
    // The archive contains Othello's weights twice: among the sources and in the executable.
    assert!(bytes.len() < 9_000_000, "{} bytes", bytes.len());
    assert_nothing_unused(&hand_in);
    assert!(
        hand_in.notes[0].contains("langage") || hand_in.notes[0].contains("demande"),
        "{:?}",
        hand_in.notes
    );
    assert!(hand_in.notes[1].contains("La règle du cours") || game.name() == "moules", "{:?}", hand_in.notes);
    assert_says_whose_it_is(game, &hand_in.form.unpack(&bytes, Bounds::OWN).unwrap());
    hand_in
}

/// Asserts that the licence and the credits are present, and that a readme quotes the course's rule.
fn assert_says_whose_it_is(game: Game, archive: &Tree) {
    let (lock, _) = archive.iter().find(|(path, _)| path.ends_with("Cargo.lock")).expect("a lock file");
    let folder = lock.trim_end_matches("Cargo.lock");
    let file =
        |name: &str| archive.get(&format!("{folder}{name}")).unwrap_or_else(|| panic!("{game}: no {name}"));
    assert_eq!(file("LICENSE").bytes, std::fs::read(project().join("LICENSE")).unwrap(), "{game}");
    let credits = String::from_utf8_lossy(&file("CREDITS.md").bytes).into_owned();
    assert!(credits.contains("### Searching") && !credits.contains("### Refereeing"), "{game}: {credits}");
    let has_the_rule = |bytes: &[u8]| {
        String::from_utf8_lossy(bytes).contains(submission(game).unwrap().rule_on_others_work())
    };
    assert!(archive.iter().any(|(_, file)| has_the_rule(&file.bytes)), "{game}: no readme has the rule");
    let has_the_language =
        |bytes: &[u8]| String::from_utf8_lossy(bytes).contains(submission(game).unwrap().language());
    assert!(
        archive.iter().any(|(_, file)| has_the_language(&file.bytes)),
        "{game}: no readme has the language"
    );
}

#[test]
fn the_language_that_a_course_asks_for_is_named() {
    for (game, language) in [
        ("connect5", "Java, C++ ou C#"),
        ("gounki", "C89"),
        ("moules", "libre"),
        ("othello", "Java"),
        ("uttt", "Python 3"),
    ] {
        assert!(submission(find(game).unwrap()).unwrap().language().contains(language), "{game}");
    }
}

#[test]
fn the_rules_are_the_assignments_own_words() {
    for (game, words) in [
        ("connect5", "adapter ou\ncopier en partie"),
        ("gounki", "travail original"),
        ("moules", "ne dit rien"),
        ("othello", "Vous développerez vous-même votre code !"),
        ("uttt", "VOTRE PROPRE CODE"),
    ] {
        assert!(submission(find(game).unwrap()).unwrap().rule_on_others_work().contains(words), "{game}");
    }
}

/// Creates a stand-in for the referee that records its arguments and prints a report card.
fn stand_in(folder: &Path) -> PathBuf {
    let path = folder.join("referee");
    let asked = folder.join("asked");
    let card = "A card\n\none thing   7.0 / 8\n    not a point 1 / 2\n\ntogether   7.0 / 8";
    let script = format!("#!/bin/sh\necho \"$@\" > '{}'\necho '{card}'\n", asked.display());
    std::fs::write(&path, script).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    path
}

/// Asserts that there are no tests, benches, hidden files except cargo's, or paths of this machine.
fn assert_nothing_unused(hand_in: &HandIn) {
    let home = project();
    for (path, file) in hand_in.tree.iter() {
        assert!(!path.contains("/tests/it/") && !path.contains("/benches/"), "{path}");
        let hidden: Vec<_> = path.split('/').filter(|part| part.starts_with('.')).collect();
        assert!(hidden.is_empty() || hidden == [".cargo-checksum.json"], "{path}");
        let text = String::from_utf8_lossy(&file.bytes);
        assert!(!text.contains(home.to_str().unwrap()), "{path} names this machine's folders");
        assert!(!text.contains("/remise-"), "{path} names the folder that it was built in");
    }
}

#[test]
fn connect5_is_sources_whose_make_yields_joueur() {
    let hand_in = made_and_tried(game("connect5"));
    let team = &hand_in.tree.get("tp1/src/crates/connect5-joueur/equipe.txt").unwrap().bytes;
    assert_eq!(team, b"A. Dupont, 0123456, a@cours.fr\nB. Dupond, 0654321, b@cours.fr\n");
    assert!(hand_in.tree.iter().all(|(path, file)| path.starts_with("tp1/src/") && !file.executable));
}

#[test]
fn gounki_is_a_zip_whose_make_yields_gounki() {
    assert_eq!(made_and_tried(game("gounki")).name, "gounki_DupontDupond.zip");
}

#[test]
fn moules_is_sources_and_a_readme() {
    let hand_in = made_and_tried(game("moules"));
    let readme = String::from_utf8_lossy(&hand_in.tree.get("README.txt").unwrap().bytes).into_owned();
    assert!(readme.contains("./moules-client 127.0.0.1 1337 DupontDupond"));
}

#[test]
fn othello_is_the_package_of_the_teams_names() {
    let hand_in = made_and_tried(game("othello"));
    assert!(hand_in.tree.iter().all(|(path, _)| path.starts_with("Participants/DupontDupond/")));
    // The course wants no unnecessary files.
    assert!(hand_in.tree.len() < 140, "{} files", hand_in.tree.len());
    assert!(hand_in.tree.get("Participants/DupontDupond/COMMENTAIRES.txt").is_some());
    let class = hand_in.tree.get("Participants/DupontDupond/Joueur.java").unwrap();
    assert!(String::from_utf8_lossy(&class.bytes).starts_with("package Participants.DupontDupond;"));
}

#[test]
fn othellos_class_alone_is_a_few_files_that_play() {
    let making = Making { target: &target(), environment: &[], class_alone: true, show: &|_| {} };
    let hand_in = hand_in(game("othello"), &team(), &project(), making).unwrap();
    let mut files: Vec<&str> =
        hand_in.tree.iter().map(|(path, _)| path.rsplit('/').next().unwrap()).collect();
    files.retain(|file| !file.ends_with(".class"));
    let told = |text: &str| !text.contains("Rust") && text.contains("AlphaBeta.java en sont une entière");
    assert!(told(&hand_in.notes[0]), "{:?}", hand_in.notes);
    let readme = hand_in.tree.get("Participants/DupontDupond/COMMENTAIRES.txt").unwrap();
    assert!(told(&String::from_utf8_lossy(&readme.bytes)));
    assert_eq!(files, ["AlphaBeta.java", "COMMENTAIRES.txt", "CREDITS.md", "Joueur.java", "LICENSE"]);
    assert!(hand_in.tree.iter().all(|(path, _)| path.starts_with("Participants/DupontDupond/")));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(&hand_in.name);
    std::fs::write(&path, hand_in.form.pack(&hand_in.tree).unwrap()).unwrap();
    let seen = check(game("othello"), &path, &Conditions::default()).unwrap();
    assert_eq!(seen.len(), 1, "{seen:?}");
    assert!(seen[0].contains("4 parties par la classe") || seen[0].contains("pas de JDK"), "{seen:?}");
}

#[test]
fn uttt_has_the_python_file_of_the_teams_numbers_in_front() {
    let hand_in = made_and_tried(game("uttt"));
    assert_eq!(hand_in.name, "tp1_0123456_0654321.tar.gz");
    let script = hand_in.tree.get("tp1_0123456_0654321.py").unwrap();
    // The assignment requires PEP 8.
    let script = String::from_utf8_lossy(&script.bytes);
    let longest = script.lines().max_by_key(|line| line.chars().count()).unwrap();
    assert!(longest.chars().count() <= 79, "{longest}");
}
