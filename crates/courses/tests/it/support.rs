//! Starts programs in a sandbox.

use courses::peer::{Command, Ended, Peer, Supervisor};
use courses::sandbox::{Mode, Network, Options, Sandbox};
use std::time::{Duration, Instant};

/// Returns the options of a sandbox with bounds that a test reaches soon.
pub fn options() -> Options {
    Options { memory: 512 << 20, disk: 64 << 20, ..Options::new(Mode::Auto) }
}

/// Returns the sandbox of these options.
pub fn sandbox(options: &Options) -> Sandbox {
    Sandbox::new(options).unwrap().unwrap()
}

/// Returns this test program as the attacker of its module `attacker`.
pub fn attacker(sandbox: &Sandbox, network: Network) -> Command {
    let program = std::env::current_exe().unwrap().to_string_lossy().into_owned();
    let words = [&program, "attacker::act", "--exact", "--nocapture"].map(|word| word.to_owned());
    Command { words: words.to_vec(), sandbox: Some(sandbox.clone()), network, ..Command::default() }
}

/// Starts the attacker and asks it for one attack. Returns its answer: `stopped` or `done`, and the reason.
pub fn attack<'a>(supervisor: &'a Supervisor, command: &Command, order: &str) -> (Peer<'a>, String) {
    let mut peer = Peer::spawn(supervisor, command).unwrap();
    let deadline = Instant::now() + Duration::from_secs(60);
    peer.send(format!("{order}\n").as_bytes(), deadline).unwrap();
    let answer = peer.find_line(deadline, |line| line.strip_prefix("answer: ").map(str::to_owned));
    let answer = answer.unwrap_or_else(|trouble| format!("ended: {trouble}"));
    (peer, answer)
}

/// Runs a program to its end with an input, in a sandbox or outside. Returns its output and its conduct.
pub fn output(mut command: Command, sandbox: Option<&Sandbox>, input: &str) -> (String, Ended) {
    let supervisor = Supervisor::new();
    command.sandbox = sandbox.cloned();
    let mut peer = Peer::spawn(&supervisor, &command).unwrap();
    let deadline = Instant::now() + Duration::from_secs(60);
    let _ = peer.send(input.as_bytes(), deadline);
    let text = String::from_utf8_lossy(&peer.whole_output(deadline).unwrap()).into_owned();
    (text, peer.close(b""))
}
