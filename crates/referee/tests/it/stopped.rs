//! Signals: a referee that was stopped judges nobody by its clock, `nohup` is heeded, players find signals as by default.

use crate::support::{eventually, filler, games, own_time, referee, stdout};
use rustix::process::{Pid, Signal, kill_process};
use std::io::Write as _;
use std::os::unix::process::{CommandExt as _, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

const GAME: [&str; 9] =
    ["match", "connect5", "--size", "4x4", "--openings", "none", "--games", "2", "--quiet"];

/// A folder, the record in it, and a file to which a player adds a line at its first question.
struct Run(tempfile::TempDir);

impl Run {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// A player that is asked for the first time, tells so, and answers after 0.3 s.
    fn teller(&self) -> String {
        let asked = self.path("asked");
        filler(&format!("[ \"$told\" ] || {{ told=1; echo >>{}; sleep 0.3; }}", asked.display()))
    }

    fn start(&self, player: &str) -> Child {
        let record = self.path("r").to_string_lossy().into_owned();
        let options = ["--time", "1000", "--concurrency", "1", "--record", &record];
        let players = ["--a", player, "--b", "builtin:first"];
        // In the tests' group, a stopped process and another one whose parent ends would make the kernel hang up the whole
        // group, if it has no parent in its session.
        referee(&[&GAME[..], &options, &players].concat())
            .process_group(0)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
    }

    /// Stops the referee for 2 s once the player was asked `times` times.
    fn stop(&self, referee: &Child, times: usize) {
        self.stop_for(Duration::from_secs(2), referee, times);
    }

    fn stop_for(&self, time: Duration, referee: &Child, times: usize) {
        let lines = || std::fs::read_to_string(self.path("asked")).map_or(0, |text| text.lines().count());
        eventually("the player is asked", || lines() >= times);
        send(referee, Signal::STOP);
        std::thread::sleep(time);
        send(referee, Signal::CONT);
    }
}

fn send(child: &Child, signal: Signal) {
    kill_process(Pid::from_raw(child.id() as i32).unwrap(), signal).unwrap();
}

fn errors(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn a_game_that_the_clock_decided_while_the_referee_was_stopped_is_played_again() {
    let run = Run::new();
    let referee = run.start(&run.teller());
    run.stop(&referee, 1);
    let output = referee.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", errors(&output));
    assert!(errors(&output).contains("game 1: the referee was stopped for"), "{}", errors(&output));
    for game in games(&run.path("r")) {
        assert!(game.get("faults").is_none(), "{game}");
    }
}

#[test]
fn a_game_is_played_again_twice_and_then_the_run_fails() {
    let run = Run::new();
    let referee = run.start(&run.teller());
    (1..=3).for_each(|times| run.stop(&referee, times));
    let output = referee.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", errors(&output));
    let last = errors(&output).lines().last().unwrap_or_default().to_owned();
    assert!(last.starts_with("referee: game 1: the referee was stopped for"), "{last}");
    assert!(last.ends_with("in each of 3 attempts"), "{last}");
    assert!(!run.path("r").exists());
}

#[test]
fn a_player_that_stops_the_referee_gets_no_second_game() {
    let run = Run::new();
    let deed = "(kill -STOP $PPID; sleep 1; kill -CONT $PPID; sleep 2) & sleep 3";
    let output = run.start(&filler(deed)).wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", errors(&output));
    assert!(errors(&output).contains("(sh) of a player let it go on"), "{}", errors(&output));
    assert!(!errors(&output).contains("done again") && !run.path("r").exists());
}

#[test]
fn a_player_whose_process_is_gone_once_it_resumed_the_referee_gets_no_second_game() {
    let run = Run::new();
    // The process ends with its signal, and nobody is left who knows its number.
    let deed = "(kill -STOP $PPID; sleep 1; sh -c \"kill -CONT $PPID\") & sleep 3";
    let output = run.start(&filler(deed)).wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", errors(&output));
    assert!(errors(&output).contains(" let it go on"), "{}", errors(&output));
    assert!(!errors(&output).contains("done again") && !run.path("r").exists());
}

#[test]
fn a_player_that_joins_the_referees_group_gets_no_second_game() {
    let run = Run::new();
    if !Command::new("python3").arg("--version").output().is_ok_and(|output| output.status.success()) {
        return println!("skipped: python3, which changes its process group, is not here");
    }
    let script = "import os, signal, sys, time; judge = int(sys.argv[1]); os.setpgid(0, os.getpgid(judge)); \
                  os.kill(judge, signal.SIGSTOP); time.sleep(1); os.kill(judge, signal.SIGCONT); time.sleep(1)";
    std::fs::write(run.path("join.py"), script).unwrap();
    let deed = format!("python3 {} $PPID & sleep 3", run.path("join.py").display());
    let output = run.start(&filler(&deed)).wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", errors(&output));
    assert!(errors(&output).contains(" of a player let it go on"), "{}", errors(&output));
    assert!(!errors(&output).contains("done again") && !run.path("r").exists());
}

#[test]
fn a_player_that_stops_and_resumes_its_children_and_itself_gets_no_second_game() {
    // One child is stopped until it is an orphan, another is let go on; both end as the referee's.
    let deed = "(sleep 9 & kill -STOP $!; (sleep 9 & kill -STOP $!; kill -CONT $!) ) & kill -CONT $PPID; \
                (sleep 1; kill -CONT $$) & kill -STOP $$; sleep 1";
    let play = || {
        let run = Run::new();
        let output = run.start(&filler(deed)).wait_with_output().unwrap();
        assert!(!errors(&output).contains("done again"), "{}", errors(&output));
        (run, output)
    };
    // A machine that pauses for a moment has stopped the referee, and the player's signal has then let it go on.
    let is_paused = |output: &Output| errors(output).contains(" let it go on");
    let mut tries = std::iter::repeat_with(play).take(5);
    let (run, output) = tries.find(|(_, output)| !is_paused(output)).expect("a machine that does not pause");
    assert!(output.status.success(), "{}", errors(&output));
    assert!(!errors(&output).contains("stopped for"), "{}", errors(&output));
    let games = games(&run.path("r"));
    assert_eq!(games.len(), 2);
    assert!(games.iter().all(|game| game.get("faults").is_some()), "it answers late in each: {games:?}");
}

/// Runs a shell script that becomes the referee at its end (`exec "$@"`).
fn become_referee(script: &str, arguments: &[&str]) -> Child {
    Command::new("sh")
        .args(["-c", script, "sh", env!("CARGO_BIN_EXE_referee")])
        .args(arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

#[test]
fn a_signal_that_is_ignored_stays_so_and_players_find_all_as_by_default() {
    let run = Run::new();
    let seen = run.path("seen");
    let before = format!("grep SigIgn /proc/$$/status >{}", seen.display());
    let player = crate::support::filler_after(&before, "sleep 0.3");
    let arguments = [&GAME[..], &["--a", &player, "--b", "builtin:first"]].concat();
    let referee = become_referee("trap '' HUP INT QUIT TSTP TTOU PROF WINCH; exec \"$@\"", &arguments);
    eventually("the player starts", || seen.exists());
    send(&referee, Signal::HUP);
    let output = referee.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", errors(&output));
    let ignored = std::fs::read_to_string(&seen).unwrap();
    let mask = u64::from_str_radix(ignored.split_whitespace().nth(1).unwrap(), 16).unwrap();
    // Those above 31 are the C library's own.
    assert_eq!(mask & 0x7fff_ffff, 0, "{ignored}");
}

#[test]
fn a_file_that_may_not_grow_is_told_by_its_name() {
    let run = Run::new();
    let record = run.path("r").to_string_lossy().into_owned();
    let players = ["--a", "builtin:random", "--b", "builtin:random"];
    let arguments = [&["match", "uttt", "--quiet", "--record", &record][..], &players].concat();
    let output = become_referee("ulimit -f 8; exec \"$@\"", &arguments).wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", errors(&output));
    assert!(errors(&output).contains(&format!("{record}: File too large")), "{}", errors(&output));
    let kept = games(Path::new(&record)).len();
    // Its results are told first, with the game that could not be kept.
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(kept > 0 && printed.contains("uttt: "), "{kept}: {printed}");
    assert!(errors(&output).contains(" of 100 games") && printed.contains(" games, seed 1"), "{printed}");
}

#[test]
fn a_pipe_without_a_reader_is_left_at_the_first_signal() {
    let run = Run::new();
    let pipe = run.path("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let pipe = pipe.to_string_lossy().into_owned();
    for output in ["--html", "--log"] {
        let arguments =
            ["match", "uttt", "--games", "2", "--a", "builtin:first", "--b", "builtin:first", "-q"];
        let mut child = become_referee("exec \"$@\"", &[&arguments[..], &[output, &pipe]].concat());
        // A game of built-in players takes a few milliseconds; then it waits for a reader, for ever.
        std::thread::sleep(Duration::from_secs(2));
        send(&child, Signal::INT);
        eventually("the first signal ends it", || child.try_wait().unwrap().is_some());
        assert_eq!(child.wait().unwrap().code(), Some(130), "{output}");
    }
}

#[test]
fn the_first_signal_ends_a_check_whose_standard_error_nobody_reads() {
    let (_reader, mut writer) = std::io::pipe().unwrap();
    rustix::io::ioctl_fionbio(&writer, true).unwrap();
    while writer.write(&[b'x'; 4096]).is_ok() {}
    rustix::io::ioctl_fionbio(&writer, false).unwrap();
    let run = Run::new();
    let player = format!("sh -c 'echo >{}; sleep 100'", run.path("asked").display());
    let mut check = referee(&["check", "uttt", &player, "--sandbox", "off"]);
    let mut child = check.stdout(Stdio::null()).stderr(writer).spawn().unwrap();
    eventually("the player starts", || run.path("asked").exists());
    send(&child, Signal::TERM);
    eventually("the first signal ends it", || child.try_wait().unwrap().is_some());
    assert_eq!(child.wait().unwrap().code(), Some(143));
}

#[test]
fn a_signal_that_ends_a_merge_leaves_no_temporary_file() {
    let run = Run::new();
    let text = |name: &str| run.path(name).to_string_lossy().into_owned();
    let game = ["match", "uttt", "--games", "2", "-q", "--a", "builtin:first", "--b", "builtin:random"];
    stdout(&[&game[..], &["--record", &text("r")]].concat());
    let lines = std::fs::read_to_string(run.path("r")).unwrap();
    let (head, games) = lines.split_once('\n').unwrap();
    let line = games.lines().find(|line| line.starts_with("{\"game\":0,")).unwrap();
    let numbered = |nth| line.replacen("\"game\":0,", &format!("\"game\":{nth},"), 1) + "\n";
    let many: String = (0..3_000).map(numbered).collect();
    std::fs::write(run.path("r"), format!("{head}\n{many}")).unwrap();
    let names = || std::fs::read_dir(run.0.path()).unwrap().map(|entry| entry.unwrap().file_name());
    let is_half = || names().any(|name| name.as_encoded_bytes().ends_with(b".tmp"));
    let mut child = referee(&["merge", &text("r"), "-o", &text("m")]).stdout(Stdio::null()).spawn().unwrap();
    // Not the trial at the start.
    let deadline = std::time::Instant::now() + Duration::from_secs(60);
    let mut since = None;
    while since.is_none_or(|since: std::time::Instant| since.elapsed() < Duration::from_millis(20)) {
        assert!(std::time::Instant::now() < deadline && child.try_wait().unwrap().is_none());
        since = if is_half() { since.or_else(|| Some(std::time::Instant::now())) } else { None };
    }
    send(&child, Signal::TERM);
    assert_eq!(child.wait().unwrap().signal(), Some(15));
    assert_eq!(names().collect::<Vec<_>>(), ["r"]);
}

#[test]
fn a_run_that_ends_before_its_first_game_leaves_the_folder_as_it_was() {
    let run = Run::new();
    let log = "== game 1: an earlier run\n";
    std::fs::write(run.path("log"), log).unwrap();
    let path = |name: &str| run.path(name).to_string_lossy().into_owned();
    let files = ["--record", &path("r"), "--log", &path("log"), "--json", &path("j"), "--html", &path("h")];
    let slow = filler(&format!("echo >>{}; sleep 60", path("asked")));
    for (player, code) in [(slow.as_str(), 143), ("nowhere=./nowhere", 1)] {
        let mut child = referee(&[&GAME[..], &files, &["--a", player, "--b", "builtin:first"]].concat());
        let child = child.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        if code == 143 {
            eventually("the player is asked", || run.path("asked").exists());
            send(&child, Signal::TERM);
        }
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(code), "{}", errors(&output));
        let mut left: Vec<_> =
            std::fs::read_dir(run.0.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        left.sort();
        assert_eq!(left, ["asked", "log"]);
        assert_eq!(std::fs::read_to_string(run.path("log")).unwrap(), log);
    }
    // One without games has its record, which its other shards are joined with.
    let none = ["--record", &path("r"), "--shard", "2/2", "--games", "0"];
    let players = ["--a", "builtin:first", "--b", "builtin:first", "--quiet"];
    assert!(referee(&[&["match", "uttt"], &none[..], &players].concat()).status().unwrap().success());
    assert!(games(&run.path("r")).is_empty());
}

#[test]
fn the_first_signal_ends_a_tournament_of_two_thousand_players_with_its_results() {
    let run = Run::new();
    let (players, record, json) = (run.path("players.csv"), run.path("r"), run.path("json"));
    let lines: String = (0..2000).map(|player| format!("p{player},builtin:random\n")).collect();
    std::fs::write(&players, format!("name,command\n{lines}")).unwrap();
    let paths = [&players, &record, &json].map(|path| path.to_string_lossy().into_owned());
    let arguments = [
        "tournament",
        "uttt",
        "--quiet",
        "--format",
        "gauntlet",
        "--players",
        &paths[0],
        "--record",
        &paths[1],
    ];
    let child = become_referee("exec \"$@\"", &[&arguments[..], &["--json", &paths[2]]].concat());
    eventually("ten games are over", || record.exists() && games(&record).len() > 10);
    let start = std::time::Instant::now();
    send(&child, Signal::TERM);
    let output = child.wait_with_output().unwrap();
    let taken = start.elapsed();
    assert_eq!(output.status.code(), Some(143), "{}", errors(&output));
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("interrupted: the intervals are approximate"), "{text}");
    assert!(text.contains("p1999") && std::fs::metadata(&json).unwrap().len() > 100_000);
    // A fifth of a second in a build as it is used. The errors of all ratings took 3 s and more in this one.
    let most = if cfg!(debug_assertions) { 10 } else { 1 };
    assert!(taken < Duration::from_secs(most), "{taken:?}");
}

#[test]
fn a_signal_is_heard_while_a_built_in_player_thinks_and_while_a_game_is_adjudicated() {
    for (game, first, options) in [
        ("othello", "builtin:search:40", &[][..]),
        ("othello", "builtin:random", &["--adjudicate", "20"]),
        ("connect5", "builtin:greedy", &["--size", "400x400"]),
        ("moules", "builtin:greedy", &["--size", "999x999"]),
    ] {
        let players = ["--a", first, "--b", "builtin:random", "--games", "40", "--quiet"];
        let mut child = become_referee("exec \"$@\"", &[&["match", game], &players[..], options].concat());
        eventually("the player thinks", || own_time(&child) >= 0.5);
        send(&child, Signal::TERM);
        let start = std::time::Instant::now();
        // A fifth of a second on an idle machine; the calculations themselves last minutes.
        while child.try_wait().unwrap().is_none() {
            if start.elapsed() > Duration::from_secs(5) {
                child.kill().unwrap();
                panic!("{first} {options:?}: the signal is not heard");
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        assert_eq!(child.wait_with_output().unwrap().status.code(), Some(143), "{first}");
    }
}

#[test]
fn a_check_and_a_suite_blame_no_player_for_a_stop_of_the_referee() {
    let run = Run::new();
    let players = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test-data/players");
    let text = std::fs::read_to_string(players.join("connect5.py")).unwrap();
    let told = format!("open({:?}, \"a\").write(\"x\\n\")", run.path("asked"));
    let slow = format!("        {told}; __import__(\"time\").sleep(0.3)\n        print(*choose");
    std::fs::write(run.path("bot.py"), text.replace("        print(*choose", &slow)).unwrap();
    std::fs::write(run.path("positions"), "15x15 h8i9; bm h7\n").unwrap();
    let bot = format!("python3 {}", run.path("bot.py").display());
    let positions = run.path("positions").display().to_string();
    for (command, found) in [
        (&["check", "connect5", &bot, "--sandbox", "off", "--language", "en"][..], "3. "),
        (&["suite", "connect5", &positions, "--time", "600", "--player", &bot], "best"),
    ] {
        let _ = std::fs::remove_file(run.path("asked"));
        let mut referee = referee(command);
        let referee = referee.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        run.stop(&referee, 1);
        let output = referee.wait_with_output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{text}{}", errors(&output));
        assert!(errors(&output).contains("the referee was stopped for"), "{}", errors(&output));
        assert!(text.contains(found) && !text.contains("time loss"), "{text}");
    }
}

#[test]
fn a_short_stop_of_the_referee_makes_no_answer_late_in_a_card_or_a_check() {
    let run = Run::new();
    let players = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test-data/players");
    let text = std::fs::read_to_string(players.join("connect5.py")).unwrap();
    // The card's first questions have 0.2 s with all that is tolerated, the check's second one has 0.75 s.
    for (command, before, times) in [
        (&["mark", "connect5", "--quick", "--sandbox", "off", "--player"][..], 0.0, 3),
        (&["check", "connect5", "--sandbox", "off"], 0.4, 2),
    ] {
        let _ = std::fs::remove_file(run.path("asked"));
        let told = format!("open({:?}, \"a\").write(\"x\\n\")", run.path("asked"));
        let slow = format!(
            "        import time; time.sleep({before}); {told}; time.sleep(0.05)\n        print(*choose"
        );
        std::fs::write(run.path("bot.py"), text.replace("        print(*choose", &slow)).unwrap();
        let bot = format!("python3 {}", run.path("bot.py").display());
        let mut referee = referee(&[command, &[&bot]].concat());
        let referee = referee.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        run.stop_for(Duration::from_millis(450), &referee, times);
        let output = referee.wait_with_output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{text}{}", errors(&output));
        assert!(errors(&output).contains("the referee was stopped for 0."), "{text}{}", errors(&output));
    }
}

#[test]
fn a_build_that_failed_while_the_referee_was_stopped_is_done_again() {
    let run = Run::new();
    let work = run.path("class/Ana");
    std::fs::create_dir_all(&work).unwrap();
    let recipe = format!("all:\n\techo >>{}; sleep 0.5; false\n", run.path("asked").display());
    std::fs::write(work.join("Makefile"), recipe).unwrap();
    let class = run.path("class").display().to_string();
    let mut referee = referee(&["mark", "uttt", "--class", &class, "--quick", "-q", "--sandbox", "off"]);
    let referee = referee.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    run.stop(&referee, 1);
    let output = referee.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", errors(&output));
    let void = "the build of Ana: the referee was stopped for";
    assert_eq!(errors(&output).matches(void).count(), 1, "{}", errors(&output));
    assert_eq!(std::fs::read_to_string(run.path("asked")).unwrap(), "\n\n");
}
