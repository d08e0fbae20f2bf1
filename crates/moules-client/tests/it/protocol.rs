//! Both ends of the protocol, as processes and over sockets.

mod client;

use assert_cmd::cargo::cargo_bin;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::process::{Child, ChildStdout, Command, Output, Stdio};
use std::time::{Duration, Instant};

/// A server process on a free port, killed on drop.
pub struct Server {
    pub child: Child,
    pub out: BufReader<ChildStdout>,
    pub port: u16,
}

impl Server {
    pub fn start(options: &str) -> Self {
        Self::start_as(Command::new(cargo_bin("moules-serveur")), options)
    }

    /// Starts a server by `command` with `options` added.
    pub fn start_as(mut command: Command, options: &str) -> Self {
        let mut child = command
            .args(["-port", "0", "-delay", "0", "--affichage", "aucun"])
            .args(options.split_whitespace())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        let port = loop {
            line.clear();
            assert!(out.read_line(&mut line).unwrap() > 0, "the server told no port");
            if let Some((_, port)) = line.trim_end().rsplit_once("sur le port ") {
                break port.parse().unwrap();
            }
        };
        Self { child, out, port }
    }

    pub fn connect(&self, name: &str) -> Peer {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_nodelay(true).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        let mut peer = Peer { lines: BufReader::new(stream) };
        peer.say(name);
        peer
    }

    /// Waits for a successful exit and returns the output after the port.
    fn finish(mut self) -> String {
        let mut text = String::new();
        self.out.read_to_string(&mut text).unwrap();
        assert!(self.child.wait().unwrap().success());
        text
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub struct Peer {
    lines: BufReader<TcpStream>,
}

impl Peer {
    fn say(&mut self, line: &str) {
        self.raw(format!("{line}\n").as_bytes());
    }
    fn raw(&mut self, bytes: &[u8]) {
        let _ = self.lines.get_mut().write_all(bytes);
    }
    pub fn hear(&mut self) -> String {
        let mut line = String::new();
        self.lines.read_line(&mut line).unwrap();
        line.trim_end().to_owned()
    }
    /// Sends the same answer to every state until FIN, and returns the states.
    pub fn play(mut self, answer: &str) -> Vec<String> {
        let mut states = Vec::new();
        loop {
            let line = self.hear();
            if line == "FIN" || line.is_empty() {
                assert_eq!(line, "FIN");
                return states;
            }
            states.push(line);
            self.say(answer);
        }
    }
}

fn client(port: u16, options: &str) -> Command {
    let mut command = Command::new(cargo_bin("moules-client"));
    command.args(["127.0.0.1", &port.to_string(), "nous", "--time", "50"]).args(options.split_whitespace());
    command
}

pub fn error_line(output: &Output) -> String {
    let text = String::from_utf8(output.stderr.clone()).unwrap();
    assert_eq!(text.lines().count(), 1, "one line: {text}");
    assert!(output.stdout.is_empty());
    text.trim_end().to_owned()
}

#[test]
fn a_client_alone_takes_everything() {
    let server = Server::start("-numLaby 49811 -numPlacementBonus 52567");
    assert!(client(server.port, "").status().unwrap().success());
    let text = server.finish();
    assert!(text.contains("VAINQUEUR : nous avec 620 points"), "{text}");
}

/// A pass of all players would end the match.
#[test]
fn an_answer_is_not_late_because_the_server_was_stopped() {
    let server = Server::start("-timeout 500 -nbTourMax 4");
    let signal = |name: &str| {
        assert!(
            Command::new("kill").args([name, &server.child.id().to_string()]).status().unwrap().success()
        );
    };
    let mut peer = server.connect("nous");
    assert_eq!(peer.hear(), "0");
    for is_said_meanwhile in [None, Some(true), Some(false), None] {
        assert!(peer.hear().contains('/'), "a state");
        if let Some(is_said_meanwhile) = is_said_meanwhile {
            signal("-STOP");
            if is_said_meanwhile {
                peer.say("E");
            }
            std::thread::sleep(Duration::from_millis(1500));
            signal("-CONT");
        }
        if is_said_meanwhile != Some(true) {
            std::thread::sleep(Duration::from_millis(100));
            peer.say("E");
        }
    }
    assert_eq!(peer.hear(), "FIN");
}

#[test]
fn the_dialogue_is_that_of_the_wire_log() {
    let log = super::rules::data("wire_log_solo.txt");
    let server = Server::start("-numLaby 49811 -numPlacementBonus 52567");
    let mut lines = log.lines().skip(1);
    let mut peer = server.connect(lines.next().unwrap().strip_prefix("> ").unwrap());
    for line in lines {
        match line.split_at(2) {
            ("< ", expected) => assert_eq!(peer.hear(), expected),
            (_, said) => peer.raw(format!("{said}\r\n").as_bytes()),
        }
    }
    assert!(server.finish().contains("en 57 tours"));
}

#[test]
fn four_clients_of_ours_play_a_match_and_its_journal_replays() {
    let folder = tempfile::tempdir().unwrap();
    let journal = folder.path().join("partie.txt");
    let options = format!("-nbJoueur 4 -numLaby 2 -numPlacementBonus 3 --journal {}", journal.display());
    let server = Server::start(&options);
    let clients: Vec<Child> = ["complet", "planificateur", "gourmand", "proche"]
        .map(|ai| client(server.port, &format!("--ia {ai} --time 10")).spawn().unwrap())
        .into();
    for mut client in clients {
        assert!(client.wait().unwrap().success());
    }
    let played = server.finish();
    let replay =
        || Command::new(cargo_bin("moules-serveur")).arg("--rejouer").arg(&journal).output().unwrap();
    let output = replay();
    assert!(output.status.success());
    assert!(played.ends_with(&*String::from_utf8(output.stdout).unwrap()), "{played}");
    // A modified journal is refused.
    let text = std::fs::read_to_string(&journal).unwrap();
    std::fs::write(&journal, text.replace("fin 0 ", "fin 0 1")).unwrap();
    let output = replay();
    assert_eq!(output.status.code(), Some(2));
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.contains("the replay gives"), "{error}");
}

#[test]
fn a_late_answer_counts_for_the_next_turn() {
    let server = Server::start("-numLaby 1 -numPlacementBonus 1 -nbTourMax 3 -timeout 200");
    let mut peer = server.connect("lent");
    assert_eq!(peer.hear(), "0");
    let first = peer.hear();
    // After the time limit the server plays C. With one player that ends the match.
    let after = peer.hear();
    assert_eq!(after, "FIN");
    assert!(first.ends_with("/1-1,1"));
    assert!(server.finish().contains("Quelques moules se sont échappées"));

    let server =
        Server::start("-numLaby 1 -numPlacementBonus 1 -nbTourMax 3 -timeout 300 -nbJoueur 2 -tauxDeDune 0");
    let mut slow = server.connect("lent");
    let quick = server.connect("vif");
    let others = std::thread::spawn(move || {
        let mut quick = quick;
        assert_eq!(quick.hear(), "1");
        quick.play("N")
    });
    assert_eq!(slow.hear(), "0");
    assert!(slow.hear().contains("/2-1,1-"));
    assert!(slow.hear().contains("/2-1,1-"), "C was played");
    slow.say("E"); // the answer to the first state, taken for the second
    assert!(slow.hear().contains("/2-2,1-"));
    slow.say("E");
    assert_eq!(slow.hear(), "FIN");
    assert_eq!(others.join().unwrap().len(), 3);
    assert!(server.finish().contains("Nombre de tours maximal"));
}

#[test]
fn what_hostile_clients_do_costs_nobody_else_anything() {
    let server =
        Server::start("-nbJoueur 4 -numLaby 4 -numPlacementBonus 4 -tauxDeDune 0 -nbTourMax 40 -timeout 100");
    let good = server.connect("bon");
    let mut flood = server.connect(&"x".repeat(100_000));
    let mut junk = server.connect("\u{7}\u{0}nul");
    let mut gone = server.connect("parti");
    assert_eq!(gone.hear(), "3");
    gone.lines.get_ref().shutdown(Shutdown::Both).unwrap();
    let started = Instant::now();
    let flooder = std::thread::spawn(move || {
        let junk = vec![b'E'; 1 << 16];
        while flood.lines.get_mut().write_all(&junk).is_ok() && started.elapsed() < Duration::from_secs(20) {}
    });
    let joker = std::thread::spawn(move || {
        // Empty lines, a line that crashes the original, bytes that are not UTF-8, a line in two halves. The client
        // never reads.
        for _ in 0..20 {
            junk.raw(b"\n\r\nB--E-E\n\xff\xfe\nB-\0\nF--\n\x00E\n");
            junk.raw(b"F");
            std::thread::sleep(Duration::from_millis(5));
            junk.raw(b"-E\n");
        }
        junk
    });
    let mut good = good;
    assert_eq!(good.hear(), "0");
    let states = good.play("E");
    assert_eq!(states.len(), 40);
    for (turn, state) in states.iter().enumerate().take(20) {
        let place = format!("/4-{},1-", 1 + turn);
        assert!(state.contains(&place), "turn {turn}: {}", &state[state.len() - 30..]);
    }
    assert!(started.elapsed() < Duration::from_secs(15), "{:?}", started.elapsed());
    flooder.join().unwrap();
    drop(joker.join().unwrap());
    let text = server.finish();
    assert!(
        text.contains("Joueur 1 Les blaireaux") && text.contains("Joueur 2 \u{fffd}\u{fffd}nul"),
        "{text}"
    );
}

#[test]
fn several_matches_follow_one_another() {
    let server = Server::start("--parties 3 -numLaby 7 -numPlacementBonus 8 -nbTourMax 5");
    let port = server.port;
    let mut first_states = Vec::new();
    for _ in 0..3 {
        // The listener stays open between matches.
        let mut peer = server.connect("encore");
        assert_eq!(peer.hear(), "0");
        let states = peer.play("N");
        assert_eq!(states.len(), 5);
        first_states.push(states[0].clone());
    }
    assert!(port > 0 && first_states[0] != first_states[1] && first_states[1] != first_states[2]);
    assert_eq!(server.finish().matches("Nombre de tours maximal").count(), 3);
}

#[test]
fn options_are_the_originals_and_bad_values_are_named() {
    let run = |options: &[&str]| Command::new(cargo_bin("moules-serveur")).args(options).output().unwrap();
    for usage in [&["-h"][..], &["-inconnue", "3"], &["tailleX"]] {
        let output = run(usage);
        assert!(output.status.success());
        assert!(String::from_utf8_lossy(&output.stdout).contains("-tailleX <int>"));
    }
    for (bad, message) in [
        (&["-nbJoueur", "5"][..], "moules-serveur: -nbJoueur \"5\" : un entier de 1 à 4 attendu"),
        (&["-nbJoueur", "-1"], "moules-serveur: -nbJoueur \"-1\" : un entier de 1 à 4 attendu"),
        (&["-tauxDeDune", "x"], "moules-serveur: -tauxDeDune \"x\" : un entier de 0 à 50 attendu"),
        (
            &["-port", "99999999999999999999"],
            "moules-serveur: -port \"99999999999999999999\" : un entier de 0 à 65535 attendu",
        ),
        (&["-tailleX"], "moules-serveur: -tailleX : valeur manquante"),
        (
            &["-tailleX", "24"],
            "moules-serveur: a maze of 24x17: both sides must be odd and at least 7, 1048576 cells together",
        ),
        (
            &["-nbMoule", "900"],
            "moules-serveur: no sand is left for item 104 (items are placed at least 3 cells from the edge)",
        ),
        (&["--affichage", "x"], "moules-serveur: --affichage \"x\" : valeurs possibles : texte, aucun"),
        (
            &["--rejouer", "/nulle/part"],
            "moules-serveur: /nulle/part : No such file or directory (os error 2)",
        ),
    ] {
        let output = run(&[&["-numLaby", "1", "-port", "0"][..], bad].concat());
        assert_eq!(output.status.code(), Some(2), "{bad:?}");
        if !bad.contains(&"900") {
            assert_eq!(error_line(&output), message);
        } else {
            assert!(error_line(&output).starts_with("moules-serveur: no sand is left for item"));
        }
    }
}

#[test]
fn a_journal_has_every_turn_as_it_is_played() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("journal");
    let server = Server::start(&format!("--journal {}", file.display()));
    let mut peer = server.connect("un");
    assert_eq!(peer.hear(), "0");
    for turn in 1..4 {
        peer.hear();
        peer.say("N");
        let turns = || std::fs::read_to_string(&file).unwrap().lines().filter(|line| *line == "0 N").count();
        let start = Instant::now();
        while turns() < turn {
            assert!(start.elapsed() < Duration::from_secs(20), "turn {turn} is not in the journal");
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

#[test]
fn a_server_listens_on_the_address_that_it_is_given_and_says_so() {
    let start = |options: &[&str]| {
        let mut child = Command::new(cargo_bin("moules-serveur"))
            .args(["-port", "0", "--affichage", "aucun"])
            .args(options)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines().take(3);
        let last = lines.map(Result::unwrap).last().unwrap();
        child.kill().unwrap();
        child.wait().unwrap();
        last
    };
    let told = start(&["--address", "127.0.0.1"]);
    assert!(told.starts_with("Serveur en attente de connexion sur 127.0.0.1, sur le port "), "{told}");
    let told = start(&[]);
    assert!(
        told.starts_with("Serveur en attente de connexion sur toutes les interfaces, sur le port "),
        "{told}"
    );
    let output = Command::new(cargo_bin("moules-serveur")).args(["--address", "ici"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(error_line(&output).contains("--address \"ici\" : une adresse IP attendue"));
}
