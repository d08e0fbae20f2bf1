//! The maze on the page: studied, replayed from journals and records, and watched beside its server.

use crate::server::{
    Arena, TWO, clicks, exchange, field, host, is_built, links, player, room_of, say, wait, watched,
};
use serde_json::json;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpStream;
use std::process::{Command, Stdio};

#[test]
fn the_mazes_study_shows_the_clients_plan_on_the_board() {
    if !is_built("moules-client") {
        return;
    }
    let arena = Arena::start(&["--no-data"]);
    for (seats, unit) in [(vec!["person"], "turns still needed"), (TWO.to_vec(), "marks to expect")] {
        let start = "maze 3 items 3 dunes 10";
        let wish = json!({ "game": "moules", "mode": "study", "seats": seats, "start": start });
        let room = arena.enter(&wish);
        let view = wait("two plans", || {
            let view = arena.get(&format!("{room}/view")).body;
            (view.matches("<td class=\"line\">").count() >= 2).then_some(view)
        });
        let drawn = ["class=\"plan\"", "class=\"plan-end\"", "class=\"value first\"", unit];
        assert!(drawn.iter().all(|part| view.contains(part)), "{view}");
        // It follows the game.
        let click = clicks(&view).into_iter().next().unwrap();
        arena.press(&room, &click, &[]);
        wait("plans of the next turn", || {
            let view = arena.get(&format!("{room}/view")).body;
            (field(&view, "length") == "1" && view.contains("class=\"plan\"")).then_some(())
        });
    }
}

#[test]
fn a_journal_of_the_mazes_server_is_watched_again() {
    let arena = Arena::start(&["--no-data"]);
    let journal = "partie 25x17 dunes 50 joueurs 1 moules 10 bieres 5 frites 8 laby 49811 bonus 52567 tours -1\nnom 0 beam\n0 E\n0 E\nfin 0 0 0 0\n";
    let answer = arena.post_text("/open", journal);
    let room = room_of(&answer.body);
    let view = arena.get(&format!("{room}/view?at=1")).body;
    assert_eq!((field(&view, "length"), field(&view, "at")), ("2".into(), "1".into()));
}

#[test]
fn a_maze_opens_at_the_size_and_with_the_turns_that_it_was_played_with() {
    let arena = Arena::start(&["--no-data"]);
    let run = |setting: &str| {
        json!({ "run": { "course": "moules", "setting": setting, "players": ["a", "b"], "names": ["a", "b"],
            "seats": 2, "format": "round-robin", "seed": 1, "time": null } })
    };
    let game = |number: u64, opening: &str| {
        json!({ "game": number, "group": 0, "course": "moules", "seats": [0, 1], "names": ["a", "b"],
            "opening": opening, "seed": 1, "moves": ["C"], "movers": [0], "micros": [1], "points": [0.0, 0.0],
            "score": [0.0, 0.0], "end": "", "cpu": [0, 0], "wall": 1 })
    };
    let head = run("13x11, 30 % dunes, 6 mussels, 2 beers, 3 frites, 7 turns; openings moules.txt");
    let seen = |room: &str| {
        let room = room.split('?').next().unwrap();
        let view = arena.get(&format!("{room}/view")).body;
        assert!(view.contains("viewBox=\"0 0 312 264\""), "13 cells of 24 by 11: {view}");
        assert!(field(&view, "say").contains("turn 1 of 7"), "{view}");
    };
    let one = arena.post_text("/open", &format!("{head}\n{}\n", game(0, "maze 1 items 2")));
    seen(one.body.split('"').nth(3).unwrap_or_else(|| panic!("{}", one.body)));
    // Of several, the one that is chosen; and a game of the arena says its own size.
    let both = [game(0, "maze 1 items 2"), game(1, "maze 3 items 4 size 13x11 turns 7")];
    let many = arena.post_text("/open", &format!("{head}\n{}\n{}\n", both[0], both[1]));
    let games: serde_json::Value = serde_json::from_str(&many.body).unwrap();
    for chosen in games["games"].as_array().unwrap() {
        let wish = json!({ "game": "moules", "mode": "replay", "seats": ["person", "person"],
            "start": chosen["start"], "moves": chosen["moves"] });
        seen(&arena.enter(&wish));
    }
}

#[test]
fn a_replayed_maze_says_who_was_late_and_who_was_gone() {
    let arena = Arena::start(&["--no-data"]);
    let head = "partie 25x17 dunes 0 joueurs 2 moules 10 bieres 5 frites 8 laby 3 bonus 3 tours 500";
    let turns = "0 E\n1 C retard\n0 S\n1 E\n0 E\n1 C retard\n0 S\n1 S\n0 C absent\n1 S\n";
    let answer = arena.post_text("/open", &format!("{head}\nnom 0 une\nnom 1 deux\n{turns}")).body;
    let room = room_of(&answer);
    let tallies = |room: &str, at: usize, language: &str| -> Vec<String> {
        let view = arena.get(&format!("{room}/view?at={at}&lang={language}")).body;
        let parts = view.split("class=\"tally\">").skip(1);
        parts.map(|part| part.split('<').next().unwrap().to_owned()).collect()
    };
    let has = |at, seat: usize, text: &str| tallies(&room, at, "en")[seat].contains(text);
    assert!(!has(1, 1, "missed"));
    assert!(has(2, 1, "last turn C (late)") && has(2, 1, "1 turn missed") && !has(2, 0, "missed"));
    assert!(has(4, 1, "last turn E ·") && has(4, 1, "1 turn missed"));
    assert!(has(10, 0, "last turn C (gone)") && has(10, 0, "1 turn missed") && has(10, 1, "2 turns missed"));
    assert!(tallies(&room, 10, "fr")[0].contains("dernier coup C (absent)"));
    let view = arena.get(&format!("{room}/view")).body;
    assert!(view.contains("C <small>late</small>") && view.contains("C <small>gone</small>"), "{view}");
    // Taken back, a turn is missed no more; kept, it is when the record is opened again.
    let record = arena.get(&format!("{room}/record")).body;
    let answer = arena.post_text("/open", &record).body;
    let again = room_of(&answer);
    assert!(tallies(&again, 10, "en")[1].contains("2 turns missed"), "{record}");
    // A replay plays on in a game of its own.
    let there = arena.get(&format!("{again}/view?at=5")).body;
    let click = clicks(&there).into_iter().find(|click| click != "C").unwrap();
    let act = json!({ "do": "press", "click": click, "at": 5 });
    let branch = room_of(&arena.post(&format!("{again}/act"), &act).body);
    assert!(branch != again && tallies(&branch, 6, "en")[1].contains("1 turn missed"));
}

#[test]
fn a_link_holds_the_mazes_position_and_its_record_is_opened_again() {
    let arena = Arena::start(&["--no-data"]);
    let room = arena.open("moules", &["person"; 3], "maze 3 items 3 size 13x11 dunes 10 turns 9");
    for click in ["S", "N", "O", "S"] {
        arena.press(&room, click, &[]);
    }
    let view = arena.get(&format!("{room}/view")).body;
    let link =
        view.split("href=\"/?game=moules&amp;seats=3&amp;start=").nth(1).unwrap().split('"').next().unwrap();
    let start = link.replace("%20", " ").replace("%2F", "/");
    assert!(start.ends_with("turns 9 played S/N/O/S"), "{start}");
    let again = arena.open("moules", &["person"; 3], &start);
    let there = arena.get(&format!("{again}/view")).body;
    assert!(field(&there, "say").contains("turn 2 of 9; to move: player 1"), "{there}");
    let board = |view: &str| view.split("class=\"token").skip(1).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(board(&view).len(), 3 + 3, "three on the board, three beside it");
    let last = |view: &str| board(view)[2].split("/>").next().unwrap().to_owned();
    assert_eq!(last(&view), last(&there));
    arena.press(&again, "N", &[]);
    let record = arena.get(&format!("{again}/record")).body;
    assert!(record.contains("played S/N/O/S") && record.contains("\"movers\":[1]"), "{record}");
    assert!(arena.post_text("/open", &record).body.contains("/r/"));
}

#[test]
fn the_mazes_server_shows_its_match_and_plays_it_out() {
    let Some((server, client)) = player("moules-serveur").zip(player("moules-client")) else {
        say("moules-serveur is not built: cargo build --workspace");
        return;
    };
    let arena = std::path::PathBuf::from(env!("CARGO_BIN_EXE_arena"));
    for (program, first) in [(arena, vec!["moules"]), (server.clone(), vec![])] {
        let words = "--page 0 -port 0 --address 127.0.0.1 -numLaby 1 -numPlacementBonus 1 -nbJoueur 2 -nbTourMax 12 -delay 120 --affichage aucun";
        let mut run = Command::new(&program)
            .args(first.into_iter().chain(words.split(' ')))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let page = host(&links(&mut run)[0]);
        let mut said = BufReader::new(run.stdout.take().unwrap()).lines().map_while(Result::ok);
        let waiting = said.find(|line| line.contains("en attente")).unwrap();
        let port = waiting.rsplit(' ').next().unwrap();
        let mut players: Vec<_> = ["<un>", "deux"]
            .map(|name| {
                let play = ["127.0.0.1", port, name, "--time", "20"];
                Command::new(&client).args(play).stdout(Stdio::null()).spawn().unwrap()
            })
            .into();
        let ask = |path: &str| {
            let head = format!("GET {path} HTTP/1.1\r\nHost: {page}\r\nConnection: close\r\n\r\n");
            exchange(&page, &head).body
        };
        let view = wait("the third turn", || {
            let view = ask("/watch/view");
            view.contains("turn 3 of 12").then_some(view)
        });
        assert!(view.contains("board moules") && view.matches("badge").count() == 2, "{view}");
        assert!(view.contains("&lt;un&gt;") && !view.contains("<un>") && view.contains("marks"), "{view}");
        assert!(said.any(|line| line.contains("points")));
        assert!(run.wait().unwrap().success());
        players.iter_mut().for_each(|player| drop(player.wait()));
    }
    // Without an arena beside it the server says so.
    let alone = tempfile::tempdir().unwrap();
    let copy = alone.path().join("moules-serveur");
    std::fs::copy(&server, &copy).unwrap();
    let refused = Command::new(&copy).args(["--page", "0"]).output().unwrap();
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("« arena »"));
}

#[test]
fn who_ends_the_mazes_server_ends_its_page() {
    let Some(server) = player("moules-serveur") else {
        say("moules-serveur is not built: cargo build --workspace");
        return;
    };
    let mut run = Command::new(server)
        .args("--page 0 -port 0 --address 127.0.0.1 --affichage aucun".split(' '))
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let page = host(&links(&mut run)[0]);
    assert!(std::net::TcpStream::connect(&page).is_ok());
    run.kill().unwrap();
    run.wait().unwrap();
    assert!(std::net::TcpStream::connect(&page).is_err());
}

#[test]
fn the_mazes_server_shows_its_page_under_its_address_and_other_names() {
    let words = "moules --page 0.0.0.0:0 --host maze.example:80 --host [::2] -port 0 --address 127.0.0.1 --affichage aucun";
    let mut run = Command::new(env!("CARGO_BIN_EXE_arena"))
        .args(words.split(' '))
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let links = links(&mut run);
    let port = host(&links[0]).rsplit(':').next().unwrap().to_owned();
    let get = |host: &str| {
        let head = format!("GET /watch/view HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
        exchange(&format!("127.0.0.1:{port}"), &head).status
    };
    let figures = format!("192.168.1.7:{port}");
    let answers = ["maze.example", figures.as_str(), "evil.example"].map(get);
    let _ = run.kill();
    let _ = run.wait();
    let wanted =
        [format!("http://0.0.0.0:{port}/"), "http://maze.example/".into(), format!("http://[::2]:{port}/")];
    assert_eq!(links, wanted);
    assert_eq!(answers, [200, 200, 403]);
    let own = player("moules-serveur").map(Command::new);
    let mut arena = Command::new(env!("CARGO_BIN_EXE_arena"));
    arena.arg("moules");
    for mut program in [Some(arena), own].into_iter().flatten() {
        let refused = program.args(["--page", "0", "--host", "http://x/"]).output().unwrap();
        assert_eq!(refused.status.code(), Some(2));
        assert!(String::from_utf8_lossy(&refused.stderr).contains("NAME or NAME:PORT"), "{refused:?}");
    }
}

#[test]
fn the_mazes_server_replays_a_journal_for_who_looks() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("partie.journal");
    let turns: String =
        (0..12).map(|turn| format!("{} E{}\n", turn % 2, ["", " retard"][turn % 2])).collect();
    let head = "partie 13x11 dunes 0 joueurs 2 moules 3 bieres 1 frites 1 laby 1 bonus 1 tours 6";
    std::fs::write(&file, format!("{head}\nnom 0 <un>\nnom 1 deux\n{turns}fin 0 0 0 0\nfin 1 0 0 0\n"))
        .unwrap();
    let mut run = Command::new(env!("CARGO_BIN_EXE_arena"))
        .args(["moules", "--page", "0", "-delay", "40", "--affichage", "aucun", "--rejouer"])
        .arg(&file)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let page = host(&links(&mut run)[0]);
    let view = || watched(&page);
    // Nothing is played while nobody looks.
    let first = wait("the start", || Some(view()).filter(|view| view.contains("board moules")));
    assert!(first.contains("turn 0 of 6") && first.contains("&lt;un&gt;"), "{first}");
    let mut eyes = TcpStream::connect(&page).unwrap();
    write!(eyes, "GET /watch/events HTTP/1.1\r\nHost: {page}\r\n\r\n").unwrap();
    let news = BufReader::new(eyes).lines().map_while(Result::ok).filter(|line| line.starts_with("data:"));
    let last = news.map(|_| view()).find(|view| view.contains("data-over")).unwrap();
    assert!(last.contains("turn 6 of 6") && last.contains("E (late)"), "{last}");
    let done = run.wait_with_output().unwrap();
    assert!(done.status.success() && String::from_utf8_lossy(&done.stdout).contains("points"));
}

#[test]
#[cfg(target_os = "linux")]
fn a_journal_that_cannot_be_written_is_told_during_the_match_and_before_the_viewers_leave() {
    let words = "moules --page 0 -port 0 --address 127.0.0.1 -nbTourMax 6 -delay 200 --affichage aucun --journal /dev/full";
    let mut run = Command::new(env!("CARGO_BIN_EXE_arena"))
        .args(words.split(' '))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut errors = BufReader::new(run.stderr.take().unwrap());
    let mut line = String::new();
    errors.read_line(&mut line).unwrap();
    let page = host(line.strip_prefix("arena: ").unwrap().trim_end());
    let mut said = BufReader::new(run.stdout.take().unwrap()).lines().map_while(Result::ok);
    let waiting = said.find(|line| line.contains("en attente")).unwrap();
    // A client that says everything at first.
    let mut client =
        TcpStream::connect(("127.0.0.1", waiting.rsplit(' ').next().unwrap().parse().unwrap())).unwrap();
    client.write_all(b"un\nN\nN\nN\nN\nN\nN\n").unwrap();
    let mut viewer = TcpStream::connect(&page).unwrap();
    write!(viewer, "GET /watch/events HTTP/1.1\r\nHost: {page}\r\n\r\n").unwrap();
    let told = "this game is not kept: /dev/full: No space left on device";
    let first = wait("the fault", || Some(watched(&page)).filter(|view| view.contains(told)));
    assert!(!first.contains("data-over"), "{first}");
    let last = wait("the end", || Some(watched(&page)).filter(|view| view.contains("data-over")));
    assert!(last.contains("turn 6 of 6") && last.contains(told), "{last}");
    line.clear();
    errors.read_line(&mut line).unwrap();
    assert_eq!(line, "arena: /dev/full : No space left on device (os error 28)\n");
    assert!(run.try_wait().unwrap().is_none(), "the page stays as long as somebody watches");
    drop(viewer);
    assert_eq!(run.wait().unwrap().code(), Some(1));
    let rest: Vec<String> = errors.lines().map_while(Result::ok).collect();
    assert!(rest.iter().all(|line| !line.contains("/dev/full")), "{rest:?}");
}
