//! Programs in another language, one a protocol: what a student hands in, played without a fault.

use crate::support::{eventually, games, referee, stdout};
use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::process::{Command, Stdio};

/// Returns true where there is a Python; the tests that need one say so when there is none.
pub fn python() -> bool {
    let found = Command::new("python3").arg("--version").output().is_ok();
    if !found {
        println!("skipped: there is no python3 here");
    }
    found
}

pub const PLAYERS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../test-data/players");

fn plays(game: &str, script: &str, options: &[&str]) {
    plays_by(game, "", script, options);
}

fn plays_by(game: &str, protocol: &str, script: &str, options: &[&str]) {
    if python() {
        played_well(game, &format!("{protocol}python3 {PLAYERS}/{script}"), options);
    }
}

/// Four games against the built-in random player, without a fault.
fn played_well(game: &str, player: &str, options: &[&str]) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.jsonl");
    let record = path.to_string_lossy().into_owned();
    let player = format!("it={player}");
    let base = ["match", game, "--a", &player, "--b", "builtin:random", "--games", "4", "--quiet"];
    let printed = stdout(&[&base[..], &["--record", &record], options].concat());
    let games = games(&path);
    assert_eq!(games.len(), 4);
    for game in &games {
        assert!(game.get("faults").is_none(), "{}: {}", game["faults"], game["errors"]);
        assert!(game["moves"].as_array().unwrap().len() > 3);
    }
    assert!(printed.contains("it against random"), "{printed}");
}

#[test]
fn connect5_by_the_courses_dialogue() {
    plays("connect5", "connect5.py", &["--size", "10x10"]);
}

#[test]
fn the_maze_over_tcp() {
    plays("moules", "moules.py", &[]);
}

#[test]
fn uttt_by_a_process_a_move() {
    plays("uttt", "uttt.py", &[]);
}

#[test]
fn othello_by_gtp() {
    plays("othello", "othello.py", &[]);
}

#[test]
fn gounki_by_a_persons_input_and_the_display() {
    plays("gounki", "gounki.py", &[]);
}

#[test]
fn a_maze_with_four_python_players_ends_and_shares_the_marks() {
    if !python() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.jsonl");
    let file = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let (record, json, html) = (file("run.jsonl"), file("run.json"), file("run.html"));
    let python = format!("python3 {PLAYERS}/moules.py");
    let mut arguments = vec!["tournament", "moules", "--rounds", "1", "--quiet", "--record", &record];
    for player in [&python as &str, &python, "builtin:greedy", "builtin:random"] {
        arguments.extend(["--player", player]);
    }
    arguments.extend(["--json", &json, "--html", &html]);
    let printed = stdout(&arguments);
    assert!(printed.contains("TrueSkill [95 %]"), "{printed}");
    let read = |path: &str| std::fs::read_to_string(path).unwrap();
    let page = read(&html);
    assert!(page.contains("TrueSkill, 95 % intervals") && page.matches("board moules").count() == 4);
    stdout(&["report", &record, "--html", &html]);
    assert_eq!(read(&html), page, "a file that is read again has the same page");
    let results: serde_json::Value = serde_json::from_str(&read(&json)).unwrap();
    let skill = |name: &str| {
        let players = results["players"].as_array().unwrap();
        let player = players.iter().find(|player| player["name"] == name).unwrap();
        player["trueskill"]["mean"].as_f64().unwrap()
    };
    assert!(skill("greedy") > skill("random"), "{results:#}");
    let games = games(&path);
    assert_eq!(games.len(), 4);
    for game in &games {
        let points: f64 = game["points"].as_array().unwrap().iter().map(|p| p.as_f64().unwrap()).sum();
        assert!((points - 2.0).abs() < 1e-9, "6 + 4 + 2 + 0 sixths: {game}");
    }
}

#[test]
fn connect5_by_piskvork() {
    plays_by("connect5", "piskvork:", "connect5_piskvork.py", &["--size", "10x10"]);
    plays_by("connect5", "piskvork:", "connect5_piskvork.py", &["--size", "8x11"]);
}

#[test]
fn connect5_over_tcp() {
    if !python() {
        return;
    }
    let script = format!("{PLAYERS}/connect5_tcp.py");
    let mut server = Command::new("python3").args([&script, "0"]).stdout(Stdio::piped()).spawn().unwrap();
    let mut port = String::new();
    BufReader::new(server.stdout.take().unwrap()).read_line(&mut port).unwrap();
    played_well("connect5", &format!("tcp:127.0.0.1:{}", port.trim()), &["--size", "10x10"]);
    server.kill().unwrap();
    server.wait().unwrap();
}

#[test]
fn othello_by_nboard() {
    plays_by("othello", "nboard:", "othello_nboard.py", &[]);
}

#[test]
fn gounki_by_a_process_a_move() {
    plays_by("gounki", "meilleur-coup:", "gounki_meilleur_coup.py", &[]);
    plays_by("gounki", "meilleur-coup:", "gounki_meilleur_coup.py", &["--openings", "none"]);
}

#[test]
fn outside_clients_come_to_the_mazes_open_door() {
    if !python() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.jsonl");
    // A port that was free a moment ago.
    let door = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let record = path.to_string_lossy();
    let line = format!(
        "tournament moules --player first=tcp:{door} --player second=tcp:{door} --player builtin:random"
    );
    let mut running = referee(&line.split(' ').collect::<Vec<_>>())
        .args(["--rounds", "1", "--quiet", "--record", &record])
        .stderr(Stdio::null())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    // Each game has two places outside; whoever comes plays.
    let outside: Vec<_> = ["Ada", "Bob"]
        .map(|name| {
            std::thread::spawn(move || {
                for _ in 0..3 {
                    let play = || {
                        let script = format!("{PLAYERS}/moules.py");
                        let (host, port) = (door.ip().to_string(), door.port().to_string());
                        Command::new("python3")
                            .args([&script, &host, &port, name])
                            .stderr(Stdio::null())
                            .status()
                    };
                    eventually("the door opens", || play().unwrap().success());
                }
            })
        })
        .into();
    assert!(running.wait().unwrap().success());
    outside.into_iter().for_each(|clients| clients.join().unwrap());
    let games = games(&path);
    assert_eq!(games.len(), 3);
    for game in &games {
        assert!(game.get("faults").is_none(), "{game}");
        assert!(game["score"].as_array().unwrap().iter().any(|points| points.as_f64() > Some(0.0)));
    }
}

#[test]
fn a_maze_client_without_a_name_plays_on_as_the_courses_server_has_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.jsonl");
    let door = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let record = path.to_string_lossy();
    let line = format!(
        "tournament moules --player silent=tcp:{door} --rounds 1 --turns 3 --quiet --record {record}"
    );
    let mut running = referee(&line.split(' ').collect::<Vec<_>>()).stdout(Stdio::null()).spawn().unwrap();
    let mut stream = None;
    eventually("the door opens", || {
        stream = TcpStream::connect(door).ok();
        stream.is_some()
    });
    let stream = stream.unwrap();
    let mut said = BufReader::new(stream.try_clone().unwrap()).lines().map_while(Result::ok);
    assert_eq!(said.next().as_deref(), Some("0"));
    for _ in 0..3 {
        assert!(said.next().unwrap().starts_with("25x17/"));
        (&stream).write_all(b"E\n").unwrap();
    }
    assert_eq!(said.next().as_deref(), Some("FIN"));
    drop((said, stream));
    assert!(running.wait().unwrap().success());
    let game = &games(&path)[0];
    assert_eq!(game["faults"][0][1]["detail"], "no name: it is called Les blaireaux");
    assert_eq!(game["moves"].as_array().unwrap().len(), 3);
}

#[test]
fn a_maze_client_has_the_time_of_a_start_to_say_its_name() {
    const LATE: &str = "\
import socket, sys, time
with socket.create_connection((sys.argv[1], int(sys.argv[2]))) as connection, connection.makefile('rw') as wire:
    time.sleep(6)
    print(sys.argv[3], file=wire, flush=True)
    assert wire.readline() == '0\\n'
    while wire.readline() not in ('', 'FIN\\n'):
        print('E', file=wire, flush=True)
";
    if !python() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let (script, path) = (folder.path().join("late.py"), folder.path().join("run.jsonl"));
    std::fs::write(&script, LATE).unwrap();
    let player = format!("late=python3 {}", script.display());
    let record = path.to_string_lossy();
    stdout(&[
        "tournament",
        "moules",
        "--player",
        &player,
        "--rounds",
        "1",
        "--turns",
        "3",
        "--quiet",
        "--record",
        &record,
    ]);
    let game = &games(&path)[0];
    assert!(game.get("faults").is_none(), "{game}");
    let turns = game["moves"].as_array().unwrap();
    assert!(turns.len() == 3 && turns.iter().all(|turn| turn.to_string().contains('E')), "{game}");
}

#[test]
fn othello_by_a_participants_java_class() {
    let folder = tempfile::tempdir().unwrap();
    let sources = |below: &str| {
        let folder = format!("{}/../othello-player/java/{below}", env!("CARGO_MANIFEST_DIR"));
        let files = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
        files.collect::<Vec<_>>()
    };
    let mut javac = Command::new("javac");
    javac.arg("-d").arg(folder.path());
    javac.args(sources("essai/Othello")).args(sources("Participants/OthelloPlayer"));
    match javac.output() {
        Ok(output) => assert!(output.status.success(), "{output:?}"),
        Err(error) => return println!("skipped: there is no JDK here ({error})"),
    }
    let classes = folder.path().display();
    let class = format!("java:{classes} Participants.OthelloPlayer.Joueur");
    played_well("othello", &class, &["--openings", "none", "--depth", "2"]);
    // What is not there is the player's fault, not the referee's.
    let line = ["match", "othello", "--b", "builtin:random", "--openings", "none", "--games", "2", "--quiet"];
    let missing =
        stdout(&[&line[..], &["--a", &format!("java:{classes} Participants.Nobody.Joueur")]].concat());
    assert!(missing.contains("2 × crash"), "{missing}");
}

#[test]
fn without_a_jdk_a_java_class_is_refused_in_a_word() {
    let arguments =
        ["match", "othello", "--openings", "none", "--games", "2", "--quiet", "--b", "builtin:random"];
    let output = referee(&arguments)
        .args(["--a", "java:. Participants.Console.Joueur"])
        .env("PATH", "/nowhere")
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("needs a JDK"), "{said}");
}
