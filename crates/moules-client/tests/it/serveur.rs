//! The server with failing files, ports and terminals.

use super::protocol::{Server, error_line};
use assert_cmd::cargo::cargo_bin;
use std::io::{BufRead, Read, Write as _};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::process::{Command, Stdio};
use std::time::Duration;

/// Returns the exit code and the only line on the standard error of a server that ends.
fn ended(mut server: Server) -> (Option<i32>, String) {
    let code = server.child.wait().unwrap().code();
    let mut text = String::new();
    server.child.stderr.take().unwrap().read_to_string(&mut text).unwrap();
    (code, text)
}

fn heard(mut command: Command, options: &str) -> Server {
    command.stderr(Stdio::piped());
    Server::start_as(command, options)
}

/// Starts a server whose standard output is closed after the port line. Its exit code follows on standard error.
fn unheard(options: &str) -> Server {
    let mut shell = Command::new("sh");
    let script = "{ \"$0\" \"$@\"; echo code $? >&2; } | { head -n 3; exec <&-; echo closed; }";
    shell.args(["-c", script]).arg(cargo_bin("moules-serveur"));
    let mut server = heard(shell, options);
    let mut line = String::new();
    server.out.read_line(&mut line).unwrap();
    assert_eq!(line, "closed\n");
    server
}

fn serveur() -> Command {
    Command::new(cargo_bin("moules-serveur"))
}

#[test]
fn a_server_whose_port_is_taken_leaves_the_journal_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let journal = folder.path().join("partie.txt");
    std::fs::write(&journal, "partie\n").unwrap();
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let output = serveur()
        .args(["--address", "127.0.0.1", "-port", &port, "--journal"])
        .arg(&journal)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(error_line(&output).starts_with(&format!("moules-serveur: 127.0.0.1 port {port} : ")));
    assert_eq!(std::fs::read_to_string(&journal).unwrap(), "partie\n");
}

#[test]
fn a_closed_display_leaves_the_journal_whole_and_every_match_played() {
    let folder = tempfile::tempdir().unwrap();
    let journal = folder.path().join("partie.txt");
    let options = format!("--parties 2 -nbTourMax 3 --journal {}", journal.display());
    let server = unheard(&options);
    for _ in 0..2 {
        let mut peer = server.connect("un");
        assert_eq!((peer.hear(), peer.play("N").len()), ("0".to_owned(), 3));
    }
    assert_eq!(ended(server).1, "code 0\n");
    let output = serveur().args(["--affichage", "aucun", "--rejouer"]).arg(&journal).output().unwrap();
    assert!(output.status.success());
    assert_eq!(String::from_utf8(output.stdout).unwrap().matches("Nombre de tours maximal").count(), 2);
}

#[test]
fn a_finished_journal_stays_when_a_server_starts_and_matches_are_added_to_it() {
    let folder = tempfile::tempdir().unwrap();
    let journal = folder.path().join("partie.txt");
    let options = format!("-nbTourMax 2 --affichage aucun --journal {}", journal.display());
    let play = || {
        let mut server = heard(serveur(), &options);
        let mut peer = server.connect("un");
        assert_eq!((peer.hear(), peer.play("N").len()), ("0".to_owned(), 2));
        assert!(server.child.wait().unwrap().success());
    };
    play();
    let first = std::fs::read(&journal).unwrap();
    // A server that nobody connects to.
    let mut server = heard(serveur(), &options);
    server.child.kill().unwrap();
    server.child.wait().unwrap();
    assert_eq!(std::fs::read(&journal).unwrap(), first);
    // A match that was broken off in the middle of a line.
    let broken = [
        &first[..],
        b"partie 25x17 dunes 50 joueurs 1 moules 10 bieres 5 frites 8 laby 1 bonus 1 tours -1\nnom 0 x\n0 ",
    ]
    .concat();
    std::fs::write(&journal, broken).unwrap();
    play();
    let output = serveur().args(["--affichage", "aucun", "--rejouer"]).arg(&journal).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    assert_eq!(String::from_utf8(output.stdout).unwrap().matches("Nombre de tours maximal").count(), 2);
    // What is no journal is left as it is.
    std::fs::write(&journal, "IMPORTANT").unwrap();
    let output =
        serveur().args(["--address", "127.0.0.1", "-port", "0", "--journal"]).arg(&journal).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(error_line(&output).contains("ce n'est pas un journal"));
    assert_eq!(std::fs::read_to_string(&journal).unwrap(), "IMPORTANT");
}

/// Connects two players, who get both numbers.
fn begins_with_two_players(server: &Server) {
    let (mut one, mut two) = (server.connect("un"), server.connect("deux"));
    let mut numbers = [one.hear(), two.hear()];
    numbers.sort();
    assert_eq!(numbers, ["0", "1"]);
}

#[test]
fn clients_that_leave_before_a_match_fill_no_display() {
    // Nobody reads it.
    let server = Server::start("-nbJoueur 2 -nbTourMax 3");
    let address = (Ipv4Addr::LOCALHOST, server.port).into();
    for _ in 0..3_000 {
        drop(TcpStream::connect_timeout(&address, Duration::from_secs(20)).expect("a place is given on"));
    }
    begins_with_two_players(&server);
}

#[test]
fn clients_that_leave_together_without_a_name_start_no_match() {
    let server = Server::start("-nbJoueur 2 -nbTourMax 3");
    let address = (Ipv4Addr::LOCALHOST, server.port).into();
    for _ in 0..20 {
        let connect = || TcpStream::connect_timeout(&address, Duration::from_secs(20)).expect("a place");
        drop([connect(), connect()]);
    }
    begins_with_two_players(&server);
}

#[test]
fn clients_that_leave_with_a_name_before_a_match_give_their_place_on() {
    let server = Server::start("-nbJoueur 2 -nbTourMax 3");
    let address = (Ipv4Addr::LOCALHOST, server.port).into();
    for said in [&b"parti\n"[..], b"par", b"\x00\xff", b"parti\n", b"x\r\n"] {
        let mut client = TcpStream::connect_timeout(&address, Duration::from_secs(20)).expect("a place");
        client.write_all(said).unwrap();
    }
    begins_with_two_players(&server);
}

#[test]
fn a_browser_holds_no_place() {
    let server = Server::start("-nbJoueur 2 -nbTourMax 3");
    let address = (Ipv4Addr::LOCALHOST, server.port).into();
    let path = "x".repeat(500);
    let browsers = ["/", &path].map(|path| {
        let mut browser = TcpStream::connect_timeout(&address, Duration::from_secs(20)).expect("a place");
        browser.write_all(format!("GET {path} HTTP/1.1\r\nHost: maze\r\n\r\n").as_bytes()).unwrap();
        browser
    });
    begins_with_two_players(&server);
    drop(browsers);
}

#[test]
fn without_a_journal_a_closed_display_ends_a_server_after_the_match() {
    let server = unheard("--parties 2 -nbTourMax 3");
    let mut peer = server.connect("un");
    assert_eq!((peer.hear(), peer.play("N").len()), ("0".to_owned(), 3));
    assert_eq!(ended(server).1, "code 0\n");
}

#[test]
#[cfg(target_os = "linux")]
fn a_failure_is_told_by_what_failed() {
    // The journal cannot be written.
    let server = heard(serveur(), "-nbTourMax 2 --journal /dev/full");
    let mut peer = server.connect("un");
    assert_eq!((peer.hear(), peer.play("N").len()), ("0".to_owned(), 2));
    let full = "moules-serveur: /dev/full : No space left on device (os error 28)\n";
    assert_eq!(ended(server), (Some(1), full.to_owned()));
    // The journal may not grow: the signal for that does not end the server.
    let folder = tempfile::tempdir().unwrap();
    let journal = folder.path().join("partie.txt");
    let mut small = Command::new("sh");
    small.args(["-c", "ulimit -f 0; exec \"$0\" \"$@\""]).arg(cargo_bin("moules-serveur"));
    let server = heard(small, &format!("-nbTourMax 2 --journal {}", journal.display()));
    let mut peer = server.connect("un");
    assert_eq!((peer.hear(), peer.play("N").len()), ("0".to_owned(), 2));
    let large = format!("moules-serveur: {} : File too large (os error 27)\n", journal.display());
    assert_eq!(ended(server), (Some(1), large));
    // Somebody removes the journal.
    let server = heard(serveur(), &format!("-nbTourMax 2 --journal {}", journal.display()));
    let mut peer = server.connect("un");
    assert_eq!(peer.hear(), "0");
    std::fs::remove_file(&journal).unwrap();
    assert_eq!(peer.play("N").len(), 2);
    let lost = "un autre programme l'a supprimé, remplacé ou modifié";
    assert_eq!(ended(server), (Some(1), format!("moules-serveur: {} : {lost}\n", journal.display())));
    // The listener fails: no descriptor is left for a client.
    let mut few = Command::new("sh");
    few.args(["-c", "ulimit -n 4; exec \"$0\" \"$@\""]).arg(cargo_bin("moules-serveur"));
    let server = heard(few, "--address 127.0.0.1");
    let port = server.port;
    let none = format!("moules-serveur: 127.0.0.1 port {port} : Too many open files (os error 24)\n");
    assert_eq!(ended(server), (Some(1), none));
}

#[test]
#[cfg(unix)]
fn a_page_that_cannot_be_opened_is_told_as_the_server_tells() {
    let folder = tempfile::tempdir().unwrap();
    let [copy, arena] = ["moules-serveur", "arena"].map(|name| folder.path().join(name));
    // Copied by another process, because a program file that this process has open for writing cannot be run.
    assert!(Command::new("cp").arg(cargo_bin("moules-serveur")).arg(&copy).status().unwrap().success());
    std::fs::write(&arena, "").unwrap();
    let run = |options: &[&str]| Command::new(&copy).args(["--page", "0"]).args(options).output().unwrap();
    let output = run(&[]);
    let message = format!("moules-serveur: --page : {} : Permission denied (os error 13)", arena.display());
    assert_eq!((output.status.code(), error_line(&output)), (Some(1), message));
    let output = run(&["-nbJoueur", "9"]);
    let message = "moules-serveur: -nbJoueur \"9\" : un entier de 1 à 4 attendu";
    assert_eq!((output.status.code(), error_line(&output).as_str()), (Some(2), message));
}
