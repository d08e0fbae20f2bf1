//! Tests the rules on the reference positions, then one rule at a time.

use gounki::rules::{Cell, Colour, Configuration, Game, Kind, Move, Notation, NotationError, Position};
use proptest::prelude::*;
use search_core::testing::{conforms, random_positions};
use search_core::{Outcome, Position as _, Visit, perft};

macro_rules! data {
    ($file:literal) => {
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../test-data/gounki/", $file))
    };
}

/// Cells with the codes of their stacks.
type Men = [(&'static str, &'static str)];

/// A position from a line of the data files: the player to move, then 64 codes.
fn position(line: &str) -> Position {
    let (to_move, codes) = line.split_once(' ').unwrap();
    let to_move = if to_move == "b" { Colour::White } else { Colour::Black };
    Configuration::from_codes(codes.split(' ')).unwrap().position(to_move)
}

fn moves(position: &Position) -> Vec<String> {
    let mut moves: Vec<_> = position.move_list().iter().map(Move::to_string).collect();
    moves.sort();
    moves
}

fn lists_exactly(positions: &str, lists: &str) {
    assert_eq!(positions.lines().count(), lists.lines().count());
    for (line, list) in positions.lines().zip(lists.lines()) {
        let mut expected: Vec<_> = list.split_whitespace().collect();
        expected.sort_unstable();
        assert_eq!(moves(&position(line)), expected, "{line}");
    }
}

#[test]
fn every_reference_position_has_exactly_its_moves() {
    lists_exactly(data!("positions.txt"), data!("positions.moves.txt"));
}

#[test]
fn captures_are_the_moves_onto_enemies() {
    let mut captured = 0;
    for position in data!("positions.txt").lines().chain(data!("rule_probes.txt").lines()).map(position) {
        let enemies = position.enemy().occupied();
        let mut captures = Vec::new();
        position.captures(&mut Visit(|mv: Move| captures.push(mv.to_string())));
        let onto_enemies = |mv: &Move| matches!(mv.kind(), Kind::Step(to) if enemies & to.bit() != 0);
        let mut expected: Vec<_> =
            position.move_list().into_iter().filter(onto_enemies).map(|mv| mv.to_string()).collect();
        captures.sort();
        expected.sort();
        assert_eq!(captures, expected, "{position:?}");
        captured += captures.len();
    }
    assert!(captured > 500, "{captured}");
}

#[test]
fn every_rule_probe_has_exactly_its_moves() {
    lists_exactly(data!("rule_probes.txt"), data!("rule_probes.moves.txt"));
}

#[test]
fn perft_counts_are_exact() {
    let counts: Vec<_> = (1..=4).map(|depth| perft(&Position::initial(), depth)).collect();
    assert_eq!(counts, [36, 1_296, 53_892, 2_241_009]);
}

#[test]
fn perft_5_is_exact() {
    assert_eq!(perft(&Position::initial(), 5), 100_248_353);
}

#[test]
fn the_laws_of_a_position_hold_in_random_games() {
    conforms(&Position::initial(), 7, 40, 400);
}

#[test]
fn the_initial_position_is_the_file_of_the_course() {
    let configuration: Configuration = data!("initial.conf").parse().unwrap();
    assert_eq!(configuration.position(Colour::White), Position::initial());
    assert_eq!(Configuration::of(&Position::initial()).to_string(), data!("initial.conf"));
}

#[test]
fn the_example_of_the_assignment_leaves_what_it_should() {
    let mut position = Position::initial();
    for text in data!("assignment_example.txt").lines() {
        play(&mut position, text).unwrap();
    }
    let codes = ["b4", "c5", "f5", "f4", "a2", "b2", "g7", "h7"].map(|name| code(&position, name));
    assert_eq!(codes, ["B1", "B2", "N2", "N1", "V0", "V0", "V0", "V0"]);
}

#[test]
fn a_black_position_moves_down_the_board() {
    let position = place(Colour::Black, &[("g7", "N4"), ("a1", "B1")]);
    assert_eq!(moves(&position), ["g7*f6-e5", "g7*h6-g5", "g7-e5", "g7-f6", "g7-g5", "g7-h6"]);
}

/// For each rule that forbids moves: White's move, the men, the entry, and a part of the answer.
#[test]
fn a_refused_move_says_which_rule_refuses_it() {
    let cases: &[(&Men, &str, &str)] = &[
        (&[("c3", "B1")], "d4-d5", "il n'y a pas de pion en d4"),
        (&[("c3", "B1"), ("d4", "N1")], "d4-d5", "d4 appartient à l'adversaire"),
        (&[("c3", "B1")], "c3-c2", "ne recule jamais"),
        (&[("c3", "B2")], "c3-b2", "ne recule jamais"),
        (&[("c3", "B1")], "c3-e4", "aucun déplacement ne mène de c3 à e4"),
        (&[("c3", "B1")], "c3-d4", "seuls les ronds atteignent d4, mais c3 contient 1 carré"),
        (&[("c3", "B4")], "c3-c4", "seuls les carrés atteignent c4, mais c3 contient 2 ronds"),
        (&[("c3", "B1")], "c3-c5", "à 2 pas de c3, mais la portée est de 1"),
        (&[("c2", "B2")], "c2-a4", "à 2 pas"),
        (&[("c3", "B8")], "c3-e5", "à 2 pas de c3, mais la portée est de 1 (2 carrés et 1 rond)"),
        (&[("c3", "B5"), ("c4", "N1")], "c3-c5", "c4 est occupée"),
        (&[("c3", "B5"), ("d3", "B1")], "c3-e3", "d3 est occupée"),
        (&[("c2", "B6"), ("b3", "N1")], "c2-a4", "b3 est occupée"),
        (&[("b2", "B5"), ("a2", "B1"), ("c2", "B1")], "b2-c2", "la pile en c2 aurait"),
        (&[("c3", "B3"), ("c4", "B3")], "c3-c4", "la pile en c4 aurait 4 pions"),
        (&[("c3", "B1"), ("c4", "B8")], "c3-c4", "la pile en c4 aurait 4 pions"),
        (&[("c3", "B3")], "c3-c3", "colonne b ou g"),
        (&[("g2", "B3"), ("h2", "N1")], "g2-g2", "case de bord libre"),
        (&[("g7", "B1")], "g7#", "ne peut pas sortir"),
        (&[("c3", "B1")], "c3+c4", "seule une pile se déploie"),
        (&[("c3", "B4")], "c3+c4-c5", "pose d'abord les carrés, mais c3 contient 2 ronds"),
        (&[("c3", "B3")], "c3*c4-c5", "pose d'abord les ronds, mais c3 contient 2 carrés"),
        (&[("c3", "B5")], "c3+c4-c5", "demande 3 cases au lieu de 2"),
        (&[("c3", "B3")], "c3+d4-e4", "les carrés n'atteignent pas d4 en un pas"),
        (&[("c3", "B3")], "c3+c4-d4", "après c4, il faut c5 et non d4"),
        (&[("d4", "B7")], "d4*e5-d6", "depuis e5, les carrés n'atteignent pas d6 en un pas"),
        (&[("c3", "B3"), ("c4", "N1")], "c3+c4-c5", "c4 est à l'adversaire : un déploiement ne capture pas"),
        (&[("c3", "B3"), ("c4", "B5")], "c3+c4-c5", "la pile en c4 aurait 4 pions"),
        (&[("c3", "B5"), ("b3", "B3")], "c3+b3-a3-b3", "la pile en b3 aurait 4 pions"),
        (&[("b7", "B5")], "b7+b8-a8-b8", "après b8 le pion sort de l'échiquier : cela se note b7#"),
        (&[("a3", "B4")], "a3*b4-a5", "après b4, il faut c5 et non a5"),
    ];
    for &(men, entry, reason) in cases {
        let mut men = men.to_vec();
        men.push(("h8", "N1"));
        let refusal = play(&mut place(Colour::White, &men), entry).expect_err(entry);
        assert!(refusal.contains(reason), "{entry}: {refusal}");
    }
}

#[test]
fn the_figures_of_the_rule_book_are_played_as_drawn() {
    let cases: &[(&str, &Men, &str, &Men)] = &[
        ("b", &[("g4", "B9")], "g4*h5-g6-g7", &[("h5", "B2"), ("g6", "B2"), ("g7", "B1")]),
        ("b", &[("g2", "B3")], "g2+h2-g2", &[("h2", "B1"), ("g2", "B1")]),
        ("n", &[("c6", "N5")], "c6+b6-a6-b6", &[("b6", "N3"), ("a6", "N1")]),
        ("n", &[("c3", "N8")], "c3*b2-a2-b2", &[("b2", "N7"), ("a2", "N1")]),
        ("b", &[("c2", "B6")], "c2-b5", &[("b5", "B6")]),
        ("b", &[("d4", "B7")], "d4*e5-e6", &[("e5", "B2"), ("e6", "B1")]),
    ];
    for &(mover, men, entry, after) in cases {
        let (to_move, other) =
            if mover == "b" { (Colour::White, ("e8", "N1")) } else { (Colour::Black, ("e1", "B1")) };
        let mut before = men.to_vec();
        before.push(other);
        let mut expected = after.to_vec();
        expected.push(other);
        let mut position = place(to_move, &before);
        play(&mut position, entry).unwrap();
        assert_eq!(position, place(to_move.other(), &expected), "{entry}");
    }
}

#[test]
fn a_stack_captures_on_its_last_cell_and_ends_there() {
    let mut position = place(Colour::White, &[("c3", "B5"), ("c5", "N8"), ("h8", "N1")]);
    assert!(moves(&position).contains(&"c3-c5".into()));
    assert!(!moves(&position).contains(&"c3-c6".into()));
    play(&mut position, "c3-c5").unwrap();
    assert_eq!((code(&position, "c5"), code(&position, "c3")), ("B5".into(), "V0".into()));
}

#[test]
fn leaving_the_board_wins_and_ends_the_game() {
    let mut position = place(Colour::White, &[("a8", "B2"), ("h8", "N1")]);
    play(&mut position, "a8#").unwrap();
    assert_eq!(position.winner(), Some(Colour::White));
    assert_eq!(position.outcome(), Some(Outcome::Loss));
    assert!(moves(&position).is_empty());
    assert!(play(&mut position, "h8-h7").unwrap_err().contains("la partie est finie"));
}

#[test]
fn capturing_the_last_man_wins_and_a_board_of_one_colour_plays_on() {
    let mut position = place(Colour::White, &[("a2", "B1"), ("a3", "N7")]);
    play(&mut position, "a2-a3").unwrap();
    assert_eq!(position.winner(), Some(Colour::White));
    let alone = place(Colour::White, &[("a2", "B1")]);
    assert_eq!((alone.winner(), moves(&alone).len()), (None, 2));
    assert_eq!(place(Colour::Black, &[("a2", "B1")]).winner(), Some(Colour::White));
}

#[test]
fn a_move_to_the_edge_and_back_changes_nothing_but_the_turn() {
    let mut position = place(Colour::White, &[("g2", "B3"), ("h8", "N1")]);
    play(&mut position, "g2-g2").unwrap();
    assert_eq!(position, place(Colour::Black, &[("g2", "B3"), ("h8", "N1")]));
}

#[test]
fn can_exit_is_true_exactly_where_an_exit_is_listed() {
    for seed in 0..3 {
        for position in random_positions(&Position::initial(), seed, 400, 110) {
            let listed = moves(&position).iter().any(|mv| mv.ends_with('#'));
            assert_eq!(position.can_exit(), listed, "{position:?}");
        }
    }
}

#[test]
fn equal_keys_are_equal_positions() {
    let mut keys = std::collections::HashMap::new();
    for position in random_positions(&Position::initial(), 11, 2_000, 100) {
        let men = (*position.own(), *position.enemy());
        assert_eq!(*keys.entry(position.key()).or_insert(men), men);
    }
    assert!(keys.len() > 1_500);
    let initial = Position::initial();
    assert_ne!(initial.key(), initial.other_view().key(), "squares and rounds have changed places");
}

#[test]
fn a_game_is_taken_back_and_played_again() {
    let mut game = Game::new(Position::initial());
    let moves: Vec<_> = data!("assignment_example.txt").lines().collect();
    for text in &moves {
        let mv = game.position().find(&text.parse().unwrap()).unwrap();
        game.play(mv);
    }
    let end = *game.position();
    while game.undo() {}
    assert_eq!((*game.position(), game.undone()), (Position::initial(), 6));
    while game.redo() {}
    assert_eq!((*game.position(), game.number()), (end, 7));
}

#[test]
fn a_third_repetition_is_seen_coming() {
    let mut game = Game::new(place(Colour::White, &[("c3", "B1"), ("f6", "N1")]));
    for text in ["c3-d3", "f6-e6", "d3-c3", "e6-f6", "c3-d3", "f6-e6", "d3-c3"] {
        assert_eq!(game.third_repetitions(), []);
        let mv = game.position().find(&text.parse().unwrap()).unwrap();
        game.play(mv);
    }
    // The first position would occur for the third time.
    let third: Vec<_> = game.third_repetitions().iter().map(Move::to_string).collect();
    assert_eq!(third, ["e6-f6"]);
}

#[test]
fn men_laid_beside_each_other_and_stacked_again_repeat_a_position() {
    let mut game = Game::new(place(Colour::White, &[("c3", "B3"), ("f6", "N1")]));
    let white = ["c3+d3-e3", "d3-e3", "e3-c3"].iter().cycle();
    let black = ["f6-e6", "e6-f6"].iter().cycle();
    for (ours, theirs) in white.zip(black).take(12) {
        for text in [ours, theirs] {
            let mv = game.position().find(&text.parse().unwrap()).unwrap();
            assert!(mv.can_repeat(), "{text}");
            game.play(mv);
        }
    }
    assert_eq!(game.times(&game.position().clone()), 3);
    game.undo();
    assert_eq!(game.third_repetitions().iter().map(Move::to_string).collect::<Vec<_>>(), ["e6-f6"]);
    let ahead = place(Colour::White, &[("c3", "B3")]).find(&"c3+c4-c5".parse().unwrap()).unwrap();
    assert!(!ahead.can_repeat());
}

#[test]
fn a_damaged_configuration_is_refused_with_its_line() {
    let lines: Vec<&str> = data!("initial.conf").lines().collect();
    let error = |lines: &[&str]| lines.join("\n").parse::<Configuration>().unwrap_err().to_string();
    assert_eq!(error(&lines[..63]), "la configuration a 63 lignes au lieu de 64");
    assert!(error(&[&lines[..], &["V0"]].concat()).starts_with("ligne 65 : « V0 » est de trop"));
    for code in ["", "B0", "V1", "N", "b1", "B10", "X1", "B1 V0"] {
        let mut lines = lines.clone();
        lines[10] = code;
        assert!(error(&lines).starts_with("ligne 11 (case c2)"), "{code}");
    }
    assert!(error(&["V0"; 64]).contains("vide"));
    let crlf: Configuration = lines.join("\r\n").parse().unwrap();
    assert_eq!(crlf.position(Colour::White), Position::initial());
}

fn play(position: &mut Position, text: &str) -> Result<(), String> {
    let notation: Notation = text.parse().map_err(|error: NotationError| error.to_string())?;
    let mv = position.find(&notation).map_err(|refusal| refusal.to_string())?;
    assert_eq!(mv.to_string(), text);
    position.play(mv);
    Ok(())
}

fn code(position: &Position, name: &str) -> String {
    match position.at(cell(name)) {
        None => "V0".into(),
        Some((Colour::White, stack)) => format!("B{}", stack.code()),
        Some((Colour::Black, stack)) => format!("N{}", stack.code()),
    }
}

fn cell(name: &str) -> Cell {
    Cell::from_name(name.as_bytes()[0], name.as_bytes()[1]).unwrap()
}

fn place(to_move: Colour, men: &[(&str, &str)]) -> Position {
    let mut codes = ["V0"; 64];
    for &(name, code) in men {
        codes[cell(name).index()] = code;
    }
    Configuration::from_codes(codes).unwrap().position(to_move)
}

proptest! {
    #[test]
    fn no_text_panics_as_a_move(text in "\\PC{0,16}") {
        let _ = text.parse::<Notation>();
    }

    #[test]
    fn what_reads_as_a_move_is_written_the_same(text in "[a-h][1-8]([-+*#]([a-i][0-9](-[a-h][1-8]){0,3})?)?") {
        if let Ok(notation) = text.parse::<Notation>() {
            prop_assert_eq!(notation.to_string(), text);
        }
    }

    #[test]
    fn a_position_judges_any_notation_without_panic(
        line in 0..250_usize,
        text in "[a-h][1-8](#|[-+*][a-h][1-8](-[a-h][1-8]){0,2})",
    ) {
        let position = position(data!("positions.txt").lines().nth(line).unwrap());
        if let Ok(notation) = text.parse::<Notation>() {
            let listed = moves(&position).contains(&text);
            prop_assert_eq!(position.find(&notation).is_ok(), listed);
        }
    }

    #[test]
    fn no_text_panics_as_a_configuration(codes in prop::collection::vec("[BNVX]?[0-9]?", 0..70)) {
        let text = codes.join("\n");
        if let Ok(configuration) = text.parse::<Configuration>() {
            prop_assert_eq!(configuration.to_string().parse(), Ok(configuration));
        }
    }

    #[test]
    fn a_configuration_survives_its_text(codes in prop::collection::vec("[BN][1-9]|V0", 64)) {
        if let Ok(configuration) = Configuration::from_codes(codes.iter().map(String::as_str)) {
            prop_assert_eq!(configuration.to_string(), codes.join("\n") + "\n");
        }
    }
}
