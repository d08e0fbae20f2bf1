//! Processes that are not the referee's: it may have been started by a shell that had children, whose children these are.

use crate::support::{eventually, processes, shell};
use std::process::Command;

/// Runs a shell script that becomes the referee at its end (`exec "$@"`), with these arguments.
fn become_referee(script: &str, arguments: &[&str]) {
    let output = Command::new("sh")
        .args(["-c", script, "sh", env!("CARGO_BIN_EXE_referee")])
        .args(arguments)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// A number that nothing else on the machine sleeps.
fn number(digit: u32) -> String {
    format!("{digit}{:08}", std::process::id())
}

/// Ends what a test left alive on purpose; true if it was there.
fn end(long: &str) -> bool {
    let found = processes(long) == 1;
    for entry in std::fs::read_dir("/proc").unwrap().flatten() {
        let line = std::fs::read(entry.path().join("cmdline")).unwrap_or_default();
        if line == format!("sleep\0{long}\0").as_bytes() {
            Command::new("kill").arg("-9").arg(entry.file_name()).status().unwrap();
        }
    }
    found
}

#[test]
fn children_that_were_there_before_and_theirs_are_left_alone_and_a_players_are_not() {
    let [daemon, later, players] = [6, 7, 8].map(number);
    // An unrelated process, one that becomes an orphan during the games, and a player that leaves a process running.
    let script = format!(
        "setsid sleep {daemon} >/dev/null 2>&1 & (sleep 0.2; setsid sleep {later} >/dev/null 2>&1 &) & exec \"$@\""
    );
    let player = shell(&format!("setsid sleep {players} >/dev/null 2>&1 & sleep 0.5; exit 1"));
    become_referee(
        &script,
        &["match", "connect5", "--games", "4", "--quiet", "--a", "builtin:first", "--b", &player],
    );
    eventually("the player's orphan is left", || processes(&players) == 0);
    let alive = [end(&daemon), end(&later)];
    assert_eq!(alive, [true, true], "a process that is no player's was killed");
}

/// Returns the number of processes that have ended and that their parent has not reaped.
fn zombies(parent: u32) -> usize {
    let stats = std::fs::read_dir("/proc").unwrap().flatten().map(|entry| entry.path().join("stat"));
    let start = format!("Z {parent} ");
    let is_one = |stat: &String| stat.rsplit_once(") ").is_some_and(|(_, rest)| rest.starts_with(&start));
    stats.filter_map(|path| std::fs::read_to_string(path).ok()).filter(is_one).count()
}

#[test]
fn orphans_that_were_killed_are_reaped() {
    let [daemon, players] = [1, 2].map(number);
    let script = format!("setsid sleep {daemon} >/dev/null 2>&1 & exec \"$@\"");
    let player = shell(&format!("setsid sleep {players} >/dev/null 2>&1 & sleep 0.05; exit 1"));
    let games = ["match", "connect5", "--games", "60", "--quiet", "--a", "builtin:first", "--b", &player];
    let program = ["-c", &script, "sh", env!("CARGO_BIN_EXE_referee")];
    let mut referee = Command::new("sh").args(program).args(games).spawn().unwrap();
    let mut most = 0;
    while referee.try_wait().unwrap().is_none() {
        most = most.max(zombies(referee.id()));
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    eventually("a player's orphan is left", || processes(&players) == 0);
    assert!(end(&daemon), "a process that is no player's was killed");
    assert!(most < 12, "{most} orphans were not reaped");
}

#[test]
fn a_daemon_in_the_sandbox_that_sheds_its_mark_is_ended_and_the_shells_children_are_not() {
    let daemon = number(3);
    for (digit, option) in [(4, "--sandbox=auto"), (5, "--no-namespaces")] {
        let players = number(digit);
        let player = shell(&format!("env -i setsid sleep {players} >/dev/null 2>&1 & sleep 0.5; exit 1"));
        let script = format!("setsid sleep {daemon} >/dev/null 2>&1 & exec \"$@\"");
        let line = ["tournament", "connect5", "--rounds", "1", "--quiet", "--player", "builtin:first"];
        become_referee(&script, &[&line[..], &["--player", &player, option]].concat());
        eventually("the player's daemon is left", || processes(&players) == 0);
        assert!(end(&daemon), "{option}: a process that is no player's was killed");
    }
}

#[test]
fn the_first_process_of_a_namespace_may_belong_to_a_group_outside_it() {
    let first = |arguments: &[&str]| {
        let mut command = Command::new("unshare");
        command.args(["--user", "--map-root-user", "--pid", "--fork", "--mount-proc"]).args(arguments);
        command.output()
    };
    if !first(&["true"]).is_ok_and(|output| output.status.success()) {
        println!("skipped: no namespaces can be made here");
        return;
    }
    let line = ["match", "uttt", "--games", "2", "--quiet", "--b", "builtin:random", "--a", "sh -c 'exit 1'"];
    // Such a namespace has no user but one: none can be given to a player.
    for option in ["--sandbox=off", "--sandbox=auto"] {
        let output = first(&[&[env!("CARGO_BIN_EXE_referee")], &line[..], &[option]].concat()).unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
}

#[test]
fn processes_of_another_namespace_are_told_and_left_alone() {
    let apart = |arguments: &[&str]| {
        let mut command = Command::new("unshare");
        command.args(["--user", "--map-root-user", "--pid", "--fork"]).args(arguments).output()
    };
    if !apart(&["true"]).is_ok_and(|output| output.status.success()) {
        println!("skipped: no namespaces can be made here");
        return;
    }
    let line = ["match", "uttt", "--games", "2", "--quiet", "--b", "builtin:random", "--a", "sh -c 'exit 1'"];
    let output = apart(&[&[env!("CARGO_BIN_EXE_referee")], &line[..]].concat()).unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.contains("/proc belongs to another process namespace"), "{errors}");
    assert_eq!((output.status.code(), errors.lines().count()), (Some(1), 1), "{errors}");
}
