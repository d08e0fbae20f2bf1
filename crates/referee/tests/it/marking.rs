//! Report cards: what is right earns its points, what is wrong is named.

use crate::support::stdout;

fn python(script: &str) -> Option<String> {
    if std::process::Command::new("python3").arg("--version").output().is_err() {
        println!("skipped: there is no python3 here");
        return None;
    }
    Some(format!("python3 {}/../../test-data/players/{script}", env!("CARGO_MANIFEST_DIR")))
}

/// The points of the criterion whose line holds `name`, and of how many.
fn points(card: &str, name: &str) -> (f64, f64) {
    let line =
        card.lines().find(|line| line.contains(name)).unwrap_or_else(|| panic!("no {name} in:\n{card}"));
    let (before, of) = line.rsplit_once('/').expect("points / of");
    let earned = before.split_whitespace().last().expect("points");
    (earned.parse().expect("a number"), of.trim().parse().expect("a number"))
}

#[test]
fn a_connect5_player_that_knows_only_the_rules_gets_a_and_not_b() {
    let Some(player) = python("connect5.py") else { return };
    let card = stdout(&["mark", "connect5", "--player", &player, "--quick", "--time", "2000"]);
    assert_eq!(points(&card, "A. respect"), (2.0, 2.0), "{card}");
    assert_eq!(points(&card, "B. reactions"), (0.0, 3.0), "{card}");
    assert!(card.contains("is not among [(4, 0)]"), "{card}");
    assert!(points(&card, "C. the tournament").0 >= 1.0, "{card}");
}

#[test]
fn a_uttt_program_without_tree_and_print_gets_points_for_play_only() {
    let Some(player) = python("uttt.py") else { return };
    let card = stdout(&["mark", "uttt", "--player", &player, "--quick"]);
    assert_eq!(points(&card, "printing").0, 0.0, "{card}");
    assert_eq!(points(&card, "generating trees").0, 0.0, "{card}");
    assert_eq!(points(&card, "bonus").0, 0.0, "{card}");
    assert!(card.contains("against random: "), "{card}");
}

#[test]
fn a_gounki_program_that_does_not_judge_is_found_out() {
    let Some(player) = python("gounki.py") else { return };
    let card = stdout(&["mark", "gounki", "--player", &player, "--quick"]);
    assert_eq!(points(&card, "plays legal games"), (1.0, 1.0), "{card}");
    assert!(points(&card, "impossible move").0 < 1.0, "{card}");
    assert!(card.contains("was not refused"), "{card}");
}

#[test]
fn the_maze_and_othello_have_cards_too() {
    let Some(player) = python("moules.py") else { return };
    let card = stdout(&["mark", "moules", "--player", &player, "--quick"]);
    assert_eq!(points(&card, "the championship").1, 24.0, "{card}");
    let Some(player) = python("othello.py") else { return };
    let card = stdout(&["mark", "othello", "--player", &player, "--quick", "--depth", "1"]);
    assert_eq!(points(&card, "the tournament").1, 10.0, "{card}");
    assert!(card.contains("sum of the discs: "), "{card}");
}
