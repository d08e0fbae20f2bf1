//! The client, against scripted servers.

use super::{Peer, client, error_line};
use assert_cmd::cargo::cargo_bin;
use moules_client::player::SoFar;
use moules_client::protocol::client::{Terms, play_by};
use moules_client::rules::Game;
use search_core::{Limits, Report, Stopwatch};
use std::io::{BufReader, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::process::{Command, Output};
use std::time::Duration;

/// Runs the client against a server that sends `script` and closes. Returns the client's output.
fn against(script: &[u8], options: &str) -> Output {
    conversation(script, options).0
}

/// Like [`against`], and returns the client's lines too.
fn conversation(script: &[u8], options: &str) -> (Output, String) {
    let script = script.to_vec();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let server = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        // In small pieces, as a network may split them.
        for piece in script.chunks(7) {
            if stream.write_all(piece).is_err() {
                return String::new();
            }
        }
        let _ = stream.shutdown(Shutdown::Write);
        let mut said = Vec::new();
        let _ = stream.read_to_end(&mut said);
        String::from_utf8_lossy(&said).into_owned()
    });
    let output = client(port, options).output().unwrap();
    (output, server.join().unwrap())
}

#[test]
fn a_client_names_what_is_wrong_with_a_server() {
    for (script, message) in [
        (&b""[..], "the server closed the connection before FIN"),
        (b"0\n", "the server closed the connection before FIN"),
        (b"7\n", "\"7\" is not a player number from 0 to 3"),
        (b"zero\n", "\"zero\" is not a player number from 0 to 3"),
        (b"0\nhello\n", "turn 1: expected three parts separated by slashes, found 1"),
        (
            b"0\n99999999x9/D/1-1,1\n",
            "turn 1: \"99999999x9\" is not a size: expected WxH, from 3x3 to 1048576 cells",
        ),
        (b"0\n3x3/D-D-D-D-S-D-D-D/1-1,1\n", "turn 1: expected 9 cells, found 8"),
        (b"0\n3x3/D-D-D-D-S-D-D-D-D/1-0,0\n", "turn 1: player 0 at \"0,0\" is not on sand"),
        (b"1\n3x3/D-D-D-D-S-D-D-D-D/1-1,1\n", "turn 1: the state belongs to another match"),
        (b"0\n\xff\xfe\n", "turn 1: expected three parts separated by slashes, found 1"),
    ] {
        let output = against(script, "");
        assert_eq!(
            (output.status.code(), error_line(&output)),
            (Some(1), format!("moules-client: {message}"))
        );
    }
}

#[test]
fn fin_ends_a_match_at_any_time_on_any_line_ending() {
    for script in [
        &b"0\r\nFIN\r\n"[..],
        b"2\nFIN",
        b"0\r\n5x5/D-D-D-D-D-D-S-S-S-D-D-S-50-S-D-D-S-S-S-D-D-D-D-D-D/1-1,1\r\nFIN\r\n",
        // Two players in a cell, nothing left to take, a mussel without points.
        b"0\n5x5/D-D-D-D-D-D-S-S-S-D-D-S-S-S-D-D-S-S-S-D-D-D-D-D-D/2-1,1-1,1\nFIN\n",
        b"0\n5x5/D-D-D-D-D-D-S-S-S-D-D-S-0-S-D-D-S-S-S-D-D-D-D-D-D/1-2,2\nFIN\n",
    ] {
        for ai in ["est", "proche", "gourmand", "planificateur", "complet"] {
            let output = against(script, &format!("--ia {ai}"));
            assert!(output.status.success(), "{ai} {}", String::from_utf8_lossy(&output.stderr));
            assert!(output.stdout.is_empty() && output.stderr.is_empty());
        }
    }
}

#[test]
fn an_answer_goes_out_whatever_keeps_the_thinker() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let stream = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
    let (release, released) = std::sync::mpsc::channel::<()>();
    let server = std::thread::spawn(move || {
        let mut peer = Peer { lines: BufReader::new(listener.accept().unwrap().0) };
        peer.raw(b"0\n");
        let name = peer.hear();
        let mut answers = Vec::new();
        for place in ["1,1", "2,1"] {
            peer.raw(
                format!("5x5/D-D-D-D-D-D-S-S-S-D-D-S-50-S-D-D-S-S-S-D-D-D-D-D-D/1-{place}\n").as_bytes(),
            );
            answers.push(peer.hear());
            // The player's thread may end now.
            release.send(()).unwrap();
        }
        peer.raw(b"FIN\n");
        (name, answers)
    });
    let so_far = SoFar::default();
    so_far.note(0, "E".parse().unwrap());
    let think = move |_: &Game, _: Limits, _: &Stopwatch| {
        released.recv().unwrap();
        Report { best: Some("S".parse().unwrap()), ..Report::empty() }
    };
    let terms = Terms { time: Duration::from_millis(20), ..Terms::default() };
    let turns = play_by(stream, "slow", think, &so_far, terms, |_| {}).unwrap();
    let (name, answers) = server.join().unwrap();
    // First the move found so far. Then nothing was found: a step into the dune, which is not a pass.
    assert_eq!((turns, name.as_str(), answers), (2, "slow", vec!["E".to_owned(), "N".to_owned()]));
}

#[test]
fn whoever_can_never_move_passes_and_whoever_waits_steps_into_a_dune() {
    // Walled in at 1,1. With a frite in hand the jump over the dune is a way out. In the last maze no way leads to the
    // mussel.
    let walled_in = "7x5/D-D-D-D-D-D-D-D-S-D-S-S-S-D-D-D-D-50-S-S-D-D-S-S-S-S-S-D-D-D-D-D-D-D-D/1-1,1";
    let way_out = "7x3/D-D-D-D-D-D-D-D-F-S-D-50-S-D-D-D-D-D-D-D-D/1-";
    let no_way = "7x3/D-D-D-D-D-D-D-D-S-S-D-D-50-D-D-D-D-D-D-D-D/1-1,1";
    for ai in
        ["est", "proche", "gourmand", "assoiffe", "tetu", "prudent", "planificateur", "complet", "finale"]
    {
        let said =
            |script: &str| conversation(format!("0\n{script}\nFIN\n").as_bytes(), &format!("--ia {ai}")).1;
        assert_eq!(said(walled_in), "nous\nC\n", "{ai}");
        // A step into the dune, or inside the room. The course's example always goes east.
        assert!(["nous\nN\n", "nous\nE\n"].contains(&said(no_way).as_str()), "{ai}: {}", said(no_way));
    }
    let script = format!("0\n{way_out}2,1\n{}1,1\n{}2,1\nFIN\n", way_out, way_out.replace('F', "S"));
    assert_eq!(conversation(script.as_bytes(), "").1, "nous\nO\nE\nF-E\n");
}

#[test]
fn a_server_that_falls_silent_is_left() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let output = client(port, "--silence 200").output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(error_line(&output), "moules-client: the server has sent nothing for 200ms");
}

#[test]
fn arguments_are_checked() {
    let run = |words: &[&str]| Command::new(cargo_bin("moules-client")).args(words).output().unwrap();
    assert!(run(&["--help"]).status.success() && run(&["-h"]).status.success());
    for (words, message) in [
        (&[][..], "expected HOST PORT NAME, found 0 words (--help)"),
        (&["h", "0", "n"], "PORT: expected a number from 1 to 65535, found \"0\""),
        (
            &["h", "1", "n", "--ia", "x"],
            "--ia: unknown player \"x\"; expected one of: est, proche, gourmand, assoiffe, tetu, prudent, planificateur, \
             complet, finale",
        ),
        (
            &["h", "1", "n", "--eval", "x"],
            "--eval: unknown evaluation \"x\"; expected one of: points, nearest, rollout, tour",
        ),
        (&["h", "1", "n", "--time", "-1"], "--time: expected a number from 0 to 86400000, found \"-1\""),
        (&["h", "1", "n", "--time", "1.5"], "--time: expected a number from 0 to 86400000, found \"1.5\""),
        (&["h", "1", "n", "--analyse"], "--analyse: expected no words, found 3 (--help)"),
        (&["h", "1", "n", "--foo"], "unknown option \"foo\" (--help)"),
        (&["h", "1", "a\nb"], "NAME: expected one line of text"),
    ] {
        let output = run(words);
        assert_eq!(
            (output.status.code(), error_line(&output)),
            (Some(2), format!("moules-client: {message}"))
        );
    }
    // No server listens on this port.
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let output = client(port, "").output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(error_line(&output).starts_with("moules-client: 127.0.0.1:"));
    // The environment is checked first.
    let output = client(port, "").env("PLAYER_INFO", "x").output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(error_line(&output).contains("unknown value of PLAYER_INFO \"x\""));
}

#[test]
fn a_server_of_the_other_edition_is_answered_in_its_words() {
    // A frite in hand after the first turn, and the mussel on the other side of a dune.
    let cells =
        |item: &str| format!("7x3/Mu-Mu-Mu-Mu-Mu-Mu-Mu-Mu-So-{item}-Mu-50-So-Mu-Mu-Mu-Mu-Mu-Mu-Mu-Mu/1-");
    let script = format!("0\n{}1,1\n{}2,1\nFIN\n", cells("Bs"), cells("So"));
    let (output, said) = conversation(script.as_bytes(), "");
    assert!(output.status.success());
    assert_eq!(said, "nous\nE\nBs-E\n");
    let beer = "9x3/Mu-Mu-Mu-Mu-Mu-Mu-Mu-Mu-Mu-Mu-So-Bp-So-50-60-So-So-Mu-Mu-Mu-Mu-Mu-Mu-Mu-Mu-Mu-Mu/1-1,1";
    let then = beer.replace("Bp", "So").replace("/1-1,1", "/1-2,1");
    let (_, said) = conversation(format!("0\n{beer}\n{then}\nFIN\n").as_bytes(), "");
    assert!(said.starts_with("nous\nE\nBp-E-E-E\n"), "{said}");
}
