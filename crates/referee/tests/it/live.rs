//! The page of a run: what a browser gets while games are played.

use crate::support::referee;
use rustix::process::{Pid, Signal, kill_process};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

/// A run with a page, and where that is.
fn run_with_page(line: &str) -> (Child, String) {
    let arguments: Vec<&str> = line.split(' ').collect();
    let mut child = referee(&arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut said = String::new();
    BufReader::new(child.stderr.take().unwrap()).read_line(&mut said).unwrap();
    let place = said.trim_end().strip_prefix("referee: live at http://").expect(&said);
    (child, place.trim_end_matches('/').to_owned())
}

fn ask(place: &str, request: &str) -> TcpStream {
    let mut stream = TcpStream::connect(place).unwrap();
    let head = format!("{request} HTTP/1.1\r\nHost: {place}\r\nConnection: close\r\n\r\n");
    stream.write_all(head.as_bytes()).unwrap();
    stream
}

fn answer(place: &str, request: &str) -> String {
    let mut text = String::new();
    let _ = ask(place, request).read_to_string(&mut text);
    text
}

#[test]
fn a_browser_follows_a_maze_to_the_end_of_the_run() {
    let (mut child, place) = run_with_page(
        "tournament moules --player builtin:greedy --player builtin:random --rounds 1 --turns 60 --concurrency 1 \
         --quiet --live 0 --pace 5",
    );
    let page = answer(&place, "GET /");
    assert!(page.starts_with("HTTP/1.1 200 OK") && page.contains("25x17"), "{page}");
    assert!(answer(&place, "GET /other").starts_with("HTTP/1.1 404"));
    assert!(answer(&place, "POST /").starts_with("HTTP/1.1 403"));
    let events = BufReader::new(ask(&place, "GET /watch/events")).lines();
    let mut views = Vec::new();
    for line in events.map_while(Result::ok) {
        if line.starts_with("data: ") {
            views.push(answer(&place, "GET /watch/view"));
        }
        // The page stays as long as somebody watches.
        if views.last().is_some_and(|view| view.contains("data-over")) {
            break;
        }
    }
    assert!(views.len() > 3, "{} versions", views.len());
    let boards: Vec<&String> = views.iter().filter(|view| view.contains("<svg")).collect();
    assert!(boards.iter().any(|view| view.contains("class=\"token player1\"") && view.contains(" of 60 · ")));
    assert!(boards.iter().all(|view| view.matches("board moules badge").count() == 2), "who is who");
    assert!(views.iter().any(|view| view.contains("greedy") && view.contains("of 2 games")));
    assert!(child.wait().unwrap().success());
}

#[test]
fn the_page_stays_with_its_games_its_faults_and_the_elo_of_the_results() {
    let (child, place) = run_with_page(
        "tournament uttt --player one=builtin:greedy --player two=builtin:random --player bad=false --rounds 2 \
         --concurrency 2 --sandbox off --quiet --live 0 --pace 2",
    );
    let events = BufReader::new(ask(&place, "GET /watch/events")).lines();
    let mut views: Vec<String> = Vec::new();
    for line in events.map_while(Result::ok) {
        if line.starts_with("data: ") {
            views.push(answer(&place, "GET /watch/view"));
        }
        if views.last().is_some_and(|view| view.contains("data-over")) {
            // A finished game is shown at any move.
            let game = answer(&place, "GET /watch/1?at=1");
            assert!(game.contains("data-at=\"1\"") && game.contains("class=\"board uttt"), "{game}");
            assert!(
                game.contains("swatch x") && game.contains("swatch o") && game.contains(" wins ("),
                "{game}"
            );
            let absent = [0, 13].map(|game| answer(&place, &format!("GET /watch/{game}")));
            assert!(absent.iter().all(|answer| answer.starts_with("HTTP/1.1 404")), "{absent:?}");
            // All of them are listed in their order.
            let all = answer(&place, "GET /watch/games");
            let places: Vec<_> = (1..=12).map(|game| all.find(&format!("href=\"/watch/{game}\""))).collect();
            assert!(places[0].is_some() && places.is_sorted(), "{all}");
            // After the run a game leads to its study, once for everybody.
            let led = [0; 2].map(|_| answer(&place, "GET /watch/1/study"));
            let room = led[0]
                .split("location: ")
                .nth(1)
                .and_then(|rest| rest.split("?at=0").next())
                .unwrap_or_default();
            assert!(room.starts_with("/r/") && led[1].contains(room), "{led:?}");
            let study = answer(&place, &format!("GET {room}"));
            assert!(study.contains("data-replay=\"true\"") && study.contains("class=\"of-run\""), "{study}");
            break;
        }
    }
    let last = views.last().unwrap();
    assert!(last.matches("<li><a href=\"/watch/").count() == 8 && last.contains(">all (12)</a>"), "{last}");
    assert!(views.iter().any(|view| view.contains("class=\"fault\"") && view.contains(" · bad: ")), "{last}");
    // The colour and the boards are by the names.
    assert!(views.iter().any(|view| {
        let table = view.split("class=\"table\"").nth(1).unwrap_or_default();
        table.contains("swatch x") && table.contains("board")
    }));
    let title = last.split("href=\"/watch/").skip(1).find(|title| title.contains("bad")).unwrap_or_default();
    assert!(title.contains("it ended with exit code"), "a lost game tells its fault: {title}");
    let output = child.wait_with_output().unwrap();
    let results = String::from_utf8_lossy(&output.stdout).into_owned();
    let rows = last.split("<tbody>").last().unwrap().split("</tbody>").next().unwrap();
    let ratings: Vec<&str> =
        rows.split("</tr>").filter_map(|row| row.rsplit("<td>").next()?.split("</td>").next()).collect();
    // A player that lost all games has no Elo that says anything. If nobody has one, there is no column.
    let ratings: Vec<&str> = ratings.into_iter().filter(|text| text.contains(['[', '–'])).collect();
    let is_known = |elo: &&str| *elo != "–";
    assert!(
        ratings.is_empty() || ratings.len() == 3 && ratings.contains(&"–") && ratings.iter().any(is_known),
        "{ratings:?}: {results}"
    );
    assert!(
        ratings.iter().filter(|elo| is_known(elo)).all(|elo| results.contains(*elo)),
        "{ratings:?}: {results}"
    );
    assert_eq!(last.contains("<th>Elo</th>"), !ratings.is_empty(), "{last}");
    assert!(!views[0].contains("Elo"), "before the first results");
}

#[test]
fn the_page_tells_that_a_game_could_not_be_kept() {
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("r");
    let mut child = Command::new("sh")
        .args(["-c", "ulimit -f 8; exec \"$@\"", "sh", env!("CARGO_BIN_EXE_referee")])
        .args(["match", "uttt", "--a", "builtin:random", "--b", "builtin:random", "--quiet", "--live", "0"])
        .args(["--pace", "1", "--concurrency", "1", "--record"])
        .arg(&record)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut errors = BufReader::new(child.stderr.take().unwrap());
    let mut said = String::new();
    errors.read_line(&mut said).unwrap();
    let place = said.trim_end().strip_prefix("referee: live at http://").expect(&said).trim_end_matches('/');
    let mut events = BufReader::new(ask(place, "GET /watch/events")).lines();
    let last = events
        .by_ref()
        .map_while(Result::ok)
        .filter(|line| line.starts_with("data: "))
        .map(|_| answer(place, "GET /watch/view"))
        .find(|view| view.contains("data-over"));
    let told = format!("the last game is not kept: {}: File too large", record.display());
    assert!(last.as_ref().is_some_and(|view| view.contains(&told)), "{last:?}");
    said.clear();
    errors.read_line(&mut said).unwrap();
    assert!(said.starts_with(&format!("referee: {}: File too large", record.display())), "{said}");
    assert!(child.try_wait().unwrap().is_none(), "the page stays as long as somebody watches");
    drop(events);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stdout).contains("uttt: "), "the results are told all the same");
}

#[test]
fn a_signal_waits_neither_for_the_pace_nor_for_the_notation_of_many_games() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let (record, notation) = (file("record"), file("notation"));
    let line = format!("match uttt --a builtin:random --b builtin:random --quiet --record {record}");
    crate::support::stdout(&format!("{line} --games 2").split(' ').collect::<Vec<_>>());
    let text = std::fs::read_to_string(&record).unwrap();
    let [head, first, ..] = text.lines().collect::<Vec<_>>()[..] else { panic!("{text}") };
    let rest = first.splitn(3, ',').nth(2).unwrap();
    let games = (0..10_001).map(|nth| format!("{{\"game\":{nth},\"group\":{},{rest}\n", nth / 2));
    std::fs::write(&record, format!("{head}\n{}", games.collect::<String>())).unwrap();
    let line = format!("{line} --games 10004 --notation {notation} --live 0 --pace 100000");
    let arguments: Vec<&str> = line.split(' ').collect();
    let mut child = referee(&arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut errors = BufReader::new(child.stderr.take().unwrap());
    let mut said = String::new();
    errors.read_line(&mut said).unwrap();
    let place = said.trim_end().strip_prefix("referee: live at http://").expect(&said).trim_end_matches('/');
    crate::support::eventually("a board", || answer(place, "GET /watch/view").contains("<svg"));
    let began = std::time::Instant::now();
    kill_process(Pid::from_child(&child), Signal::TERM).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(143));
    assert!(String::from_utf8_lossy(&output.stdout).contains("10001 games"), "the results are told");
    assert!(began.elapsed() < std::time::Duration::from_secs(50), "{:?}", began.elapsed());
    said.clear();
    errors.read_line(&mut said).unwrap();
    let left =
        "referee: interrupted after 10001 of 10004 games; `referee report` writes the notation of a record\n";
    assert_eq!(said, left);
    assert!(!std::fs::exists(notation).unwrap());
}

#[test]
fn a_page_where_nobody_may_listen_is_an_error() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let line =
        ["match", "uttt", "--a", "builtin:first", "--b", "builtin:random", "--games", "2", "--live", &port];
    let output = crate::support::run(&line);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("cannot listen on 127.0.0.1:"));
}
