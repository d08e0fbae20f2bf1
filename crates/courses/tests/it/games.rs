//! Whole games between programs, judged: right ones play without a fault, and each fault is told by its kind.

use courses::course::{Conditions, Course, Event, GameSetup};
use courses::fault::Kind;
use courses::options::GameOptions;
use courses::peer::Supervisor;
use courses::player::Player;
use courses::record::{Missed, Played};
use courses::registry;
use std::time::Duration;

/// The folder of right programs in Python.
pub const PLAYERS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../test-data/players");

/// Returns the course of a game on a small board, if its size is free.
pub fn course(game: &str) -> Box<dyn Course> {
    let size = (game == "connect5").then_some("8x8");
    let mut options =
        GameOptions { size: size.map(str::to_owned), turns: 40, depth: 2, ..GameOptions::default() };
    // The course's tournament begins at the initial position.
    options.openings.openings = (game == "othello").then(|| "none".to_owned());
    options.course(super::game(game), 2).unwrap()
}

/// Plays a game between two players as they stand on the command line.
fn played(game: &str, players: [&str; 2], conditions: &Conditions) -> Played {
    let course = course(game);
    let players = players.map(|text| text.parse::<Player>().unwrap());
    let opening = course.opening(0);
    let mut boards = 0;
    let mut watch = |event: &Event<'_>| {
        boards += 1;
        assert!(event.board.drawing().starts_with("<svg") && !event.board.picture().is_empty());
    };
    let supervisor = Supervisor::new();
    let played = course.play(&mut GameSetup {
        players: players.iter().collect(),
        opening: &opening,
        seed: 7,
        conditions,
        supervisor: &supervisor,
        processor: None,
        observer: Some(&mut watch),
    });
    let played = played.unwrap();
    assert!(boards >= played.moves.len(), "{boards} boards of {} moves", played.moves.len());
    assert_eq!(played.points.len(), 2);
    // Whatever was played can be shown again.
    let shown = course.replay(&opening, &played).unwrap();
    assert!(shown.len() > played.moves.len(), "{} boards", shown.len());
    assert!(course.last_drawing(&opening, &played).unwrap().starts_with("<svg"));
    played
}

#[test]
fn right_programs_play_each_protocol_without_a_fault() {
    if !super::honest::is_here("python3") {
        return;
    }
    for (game, protocol, script) in [
        ("connect5", "", "connect5.py"),
        ("connect5", "server:", "connect5_tcp.py {port}"),
        ("connect5", "piskvork:", "connect5_piskvork.py"),
        ("gounki", "", "gounki.py"),
        ("gounki", "meilleur-coup:", "gounki_meilleur_coup.py"),
        ("moules", "", "moules.py"),
        ("othello", "gtp:", "othello.py"),
        ("othello", "nboard:", "othello_nboard.py"),
        ("uttt", "", "uttt.py"),
    ] {
        let player = format!("{protocol}python3 {PLAYERS}/{script}");
        let conditions = Conditions {
            time: super::game(game).defaults().time,
            grace: Duration::from_secs(5),
            ..Conditions::default()
        };
        let played = played(game, [&player, "builtin:random"], &conditions);
        assert_eq!(played.faults, [], "{player}: {:?}", played.errors);
        assert!(played.moves.len() > 3, "{player}: {:?}", played.moves);
    }
}

#[test]
fn built_in_players_play_every_game() {
    for game in registry::all() {
        for (first, second) in [("builtin:first", "builtin:greedy"), ("builtin:random", "builtin:search:1")] {
            let played = played(game.name(), [first, second], &Conditions::default());
            assert_eq!(played.faults, [], "{game}");
            assert!(
                !played.end.is_empty() && played.points.iter().all(|points| (0.0..=1.0).contains(points))
            );
        }
    }
}

#[test]
fn a_silent_client_of_a_maze_is_gone_after_the_time_of_the_watchdog() {
    let conditions = Conditions {
        time: Some(Duration::from_millis(30)),
        watchdog: Duration::from_millis(400),
        grace: Duration::ZERO,
        ..Conditions::default()
    };
    let client = |rest: &str| {
        format!("bash -c 'exec 3<>/dev/tcp/$0/$1; echo name >&3; {rest}; exec sleep 60' {{host}} {{port}}")
    };
    let turns = |rest: &str| {
        let Played { missed, faults, .. } = played("moules", [&client(rest), "builtin:first"], &conditions);
        let of = |kind: Missed| missed.iter().filter(|(_, missed)| *missed == kind).count();
        let hangs = faults.iter().filter(|(seat, fault)| *seat == 0 && fault.kind == Kind::Hang).count();
        (of(Missed::Late), of(Missed::Gone), hangs)
    };
    // Fourteen turns of 30 ms are more than 400 ms.
    assert_eq!(turns("true"), (14, 26, 1));
    // One answer after half a watchdog, and the silence begins anew.
    let (late, gone, hangs) = turns("sleep 0.2; echo C >&3");
    assert!(late > 14 && late + gone >= 38 && hangs == 1, "{late} {gone} {hangs}");
}

#[test]
fn a_program_that_crashes_or_hangs_loses_by_that_fault() {
    for game in registry::all() {
        let conditions = Conditions {
            time: Some(Duration::from_millis(100)),
            watchdog: Duration::from_millis(400),
            start_up: Duration::from_millis(400),
            ..Conditions::default()
        };
        let protocol = if game.name() == "othello" { "tournoi:" } else { "" };
        for (command, kinds) in [
            ("sh -c 'exit 3'", &[Kind::Crash][..]),
            ("sh -c 'exec sleep 60'", &[Kind::Hang, Kind::SlowStart, Kind::TimeLoss]),
        ] {
            let played = played(game.name(), [&format!("{protocol}{command}"), "builtin:first"], &conditions);
            let own: Vec<Kind> =
                played.faults.iter().filter(|(seat, _)| *seat == 0).map(|(_, fault)| fault.kind).collect();
            assert!(own.iter().any(|kind| kinds.contains(kind)), "{game}: {command}: {:?}", played.faults);
            // A maze ranks by mussels, and the other gathers none here.
            let is_less = played.points[0] < played.points[1];
            assert!(
                is_less || game.name() == "moules" && played.score[0] == 0.0,
                "{game}: {command}: {:?}",
                played.points
            );
        }
    }
}
