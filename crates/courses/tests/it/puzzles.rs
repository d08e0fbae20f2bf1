//! The embedded puzzles.

use courses::course::{Conditions, GameSetup};
use courses::drawing::Language;
use courses::options::GameOptions;
use courses::peer::Supervisor;
use courses::player::Player;
use courses::puzzle::{self, Goal, Level};
use courses::registry;
use std::collections::BTreeSet;

#[test]
fn every_game_has_two_hundred_puzzles_with_legal_solutions() {
    for game in registry::all() {
        let puzzles = game.puzzles();
        assert!(puzzles.len() >= 200, "{game}: {} puzzles", puzzles.len());
        let names: BTreeSet<&str> = puzzles.iter().map(|puzzle| puzzle.name.as_str()).collect();
        let openings: BTreeSet<&str> = puzzles.iter().map(|puzzle| puzzle.opening.as_str()).collect();
        assert!(
            names.len() == puzzles.len() && openings.len() == puzzles.len(),
            "{game}: one is there twice"
        );
        let course = GameOptions::default().course(game, 2).unwrap();
        for puzzle in puzzles {
            course.check_moves(&puzzle.opening, std::slice::from_ref(&puzzle.best)).unwrap();
        }
    }
}

#[test]
fn a_page_plays_the_line_of_every_puzzle() {
    for game in registry::all() {
        for puzzle in game.puzzles() {
            let mut play = game.open(&puzzle.opening, *game.seats().start()).unwrap();
            for mv in &puzzle.line {
                let played = play.play(mv);
                assert!(played.is_ok(), "{game} {}: {mv}: {played:?}", puzzle.name);
            }
        }
    }
}

#[test]
fn each_game_has_forty_easy_puzzles_and_harder_ones_in_order() {
    for game in registry::all() {
        let puzzles = game.puzzles();
        let [easy, medium, all] = Level::ends(puzzles);
        assert!(easy >= 40 && medium >= easy + 40 && all >= medium + 40, "{game}: {easy} {medium} {all}");
        let (first, rest) = puzzles.split_at(easy);
        for (part, is_easy) in [(first, true), (rest, false)] {
            assert!(part.iter().all(|puzzle| puzzle.is_easy() == is_easy), "{game}");
            assert!(part.windows(2).all(|pair| pair[0].nodes <= pair[1].nodes), "{game}");
        }
        assert!(10 * rest[0].nodes < rest[rest.len() - 1].nodes, "{game}: all are alike");
        let levels = [0, easy, medium, all - 1].map(|index| Level::of(puzzles, index));
        assert_eq!(levels, [Level::Easy, Level::Medium, Level::Hard, Level::Hard]);
    }
}

#[test]
fn easy_puzzles_are_a_few_moves_long() {
    for game in registry::all() {
        for puzzle in game.puzzles().iter().filter(|puzzle| puzzle.is_easy()) {
            // An easy Othello puzzle with more than six squares left is won by a corner.
            let is_corner = ["a1", "a8", "h1", "h8"].contains(&puzzle.best.as_str());
            let most = if is_corner { 12 } else { 8 };
            assert!(puzzle.line.len() <= most, "{game} {}: {:?}", puzzle.name, puzzle.line);
        }
    }
}

#[test]
fn a_player_alone_in_a_maze_is_asked_at_any_turn() {
    let game = crate::game("moules");
    let course = GameOptions::default().course(game, 2).unwrap();
    let player: Player = "builtin:greedy".parse().unwrap();
    let (conditions, supervisor) = (Conditions::default(), Supervisor::new());
    let is_begun = |puzzle: &&puzzle::Puzzle| puzzle.opening.contains(" played ");
    let begun: Vec<_> = game.puzzles().iter().filter(is_begun).take(3).collect();
    assert_eq!(begun.len(), 3);
    for puzzle in begun {
        let setup = GameSetup {
            players: vec![&player, &player],
            opening: &puzzle.opening,
            seed: 1,
            conditions: &conditions,
            supervisor: &supervisor,
            processor: None,
            observer: None,
        };
        let asked = course.ask(&setup).unwrap();
        course.check_moves(&puzzle.opening, &[asked.mv]).unwrap();
        let error = course.check_moves(&puzzle.opening, &["X".to_owned()]).unwrap_err().to_string();
        assert_eq!(error, "\"X\" is not legal in this position");
    }
}

#[test]
fn a_task_is_named_in_both_languages() {
    let tasks = |goal: &str| {
        let goal = Goal::read(goal).unwrap();
        [Language::French, Language::English].map(|language| goal.task(language))
    };
    assert_eq!(tasks("win"), ["gagner", "win"]);
    assert_eq!(tasks("win within 1"), ["gagner en un coup", "win in one move"]);
    assert_eq!(tasks("hold")[1], "stop the opponent, who would win with the next move");
    assert_eq!(tasks("win within 5"), ["gagner en 3 coups", "win in 3 moves"]);
    assert_eq!(tasks("discs +12"), ["gagner de 12 pions", "win by 12 discs"]);
    assert_eq!(tasks("discs +0"), ["annuler", "draw"]);
    assert_eq!(tasks("discs -4"), ["perdre de 4 pions au plus", "lose by 4 discs at most"]);
    assert_eq!(tasks("turns 17"), ["tout prendre en 17 tours", "take everything in 17 turns"]);
    assert_eq!([Goal::read("win 5"), Goal::read("hold 2"), Goal::read("discs"), Goal::read("")], [None; 4]);
    let last = "XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXO- X";
    let text = format!("{last}; bm h8; goal win; pv h8; nodes 1; id 1.1");
    let puzzle = &puzzle::read(crate::game("othello"), &text).unwrap()[0];
    assert_eq!(puzzle.task(Language::English), "win (moves left: 1)");
}

#[test]
fn a_line_without_its_operations_is_no_puzzle() {
    let game = crate::game("uttt");
    let error = |text: &str| puzzle::read(game, text).unwrap_err().to_string();
    let whole = "40 36; bm 1; goal win; pv 1 9; nodes 64; id 7.2";
    let puzzles = puzzle::read(game, &format!("# head\n\n{whole}\n")).unwrap();
    assert_eq!((puzzles[0].line.len(), puzzles[0].nodes, puzzles[0].name.as_str()), (2, 64, "7.2"));
    assert_eq!(error(&whole.replace("bm 1", "bm 1 2")), "puzzle 7.2: expected one solution, found 2");
    assert_eq!(error(&whole.replace("nodes", "knots")), "puzzle 7.2: expected \"; nodes N\"");
    assert_eq!(error(&whole.replace("goal win", "goal x")), "puzzle 7.2: expected \"; goal GOAL\"");
    assert!(error(&whole.replace("pv 1", "pv 2")).contains("pv MOVE …"));
    assert_eq!(error("40 36"), "line 1: expected a solution \"; bm MOVE\"");
}
