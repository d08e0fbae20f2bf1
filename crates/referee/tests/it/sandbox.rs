//! The sandbox as a teacher sees it: cards, records, refusals.

use super::support::{eventually, games, referee, run, stdout};
use std::fs;
use std::path::Path;
use std::process::Stdio;

/// A player in Python of the project's test data.
fn python(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test-data/players");
    format!("python3 {}", folder.join(name).canonicalize().unwrap().display())
}

/// Marks a program with these options. `None` where the system lacks a layer that strict mode needs.
pub fn card(game: &str, player: &str, options: &[&str]) -> Option<String> {
    let output = run(&[&["mark", game, "--player", player, "--quick"], options].concat());
    let errors = String::from_utf8_lossy(&output.stderr);
    if let Some(missing) = errors.split_once("this system lacks ").map(|(_, missing)| missing.trim()) {
        println!("skipped: strict mode, for this system lacks {missing}");
        return None;
    }
    // A program that lacks a part of its course may end by an error there.
    let crashed = errors.lines().any(|line| line.starts_with("referee: crashed: "));
    assert!(output.status.success() || crashed, "{options:?}: {errors}");
    Some(String::from_utf8(output.stdout).unwrap())
}

/// The lines of a card that do not depend on the machine's load.
pub fn marks(card: &str) -> Vec<&str> {
    card.lines()
        .filter(|line| line.contains(" / ") && !line.starts_with("marked by") || line.contains("right"))
        .collect()
}

#[test]
fn an_honest_program_has_the_same_marks_in_and_out_of_the_sandbox() {
    for (game, player) in [("uttt", python("uttt.py")), ("moules", python("moules.py"))] {
        let off = card(game, &player, &["--sandbox", "off"]).unwrap();
        assert!(off.lines().nth(1) == Some("sandbox: off"), "{off}");
        for mode in ["auto", "strict"] {
            let Some(inside) = card(game, &player, &["--sandbox", mode]) else { continue };
            assert_eq!(marks(&inside), marks(&off), "{game} {mode}:\n{inside}");
            let named = inside.lines().nth(1).unwrap();
            assert!(named.starts_with("sandbox: ") && named.contains("limits"), "{inside}");
        }
    }
}

/// Docker gives its root neither `CAP_SYS_ADMIN` nor `CAP_DAC_READ_SEARCH`.
#[test]
fn the_root_of_a_container_marks_a_class_in_a_closed_folder() {
    if !rustix::process::geteuid().is_root() {
        println!("skipped: the tests do not run as root");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let (class, player) = (folder.path().join("class"), python("uttt.py").replace("python3 ", ""));
    for name in ["Ana", "Bob"] {
        fs::create_dir_all(class.join(name)).unwrap();
        fs::copy(&player, class.join(name).join("bot.py")).unwrap();
    }
    // Longer than what is copied elsewhere.
    fs::write(class.join("Ana/table"), vec![0; 3 << 20]).unwrap();
    let bot = fs::read_to_string(&player).unwrap();
    fs::write(class.join("Ana/bot.py"), format!("open('table').read(1)\n{bot}")).unwrap();
    fs::write(class.join("Bob/Makefile"), "uttt: bot.py\n\tcp bot.py uttt\n\tchmod +x uttt\n").unwrap();
    fs::write(class.join("Bob/bot.py"), format!("#!/usr/bin/env python3\n{bot}")).unwrap();
    let mut docker = std::process::Command::new("setpriv");
    docker.arg("--bounding-set=-sys_admin,-dac_read_search,-sys_resource,-sys_ptrace");
    docker.arg(env!("CARGO_BIN_EXE_referee")).args(["mark", "uttt", "--quick", "--class"]).arg(&class);
    let Ok(output) = docker.output() else {
        println!("skipped: setpriv is missing");
        return;
    };
    let told = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{output:?}");
    assert!(told.contains("without") && !told.contains("crash"), "{told}");
    assert_eq!(told.matches("together, what a program can mark").count(), 2, "{told}");
}

#[test]
fn marking_confines_strangers_and_not_our_own_programs() {
    let stranger = card("uttt", &python("uttt.py"), &[]).unwrap();
    assert_ne!(stranger.lines().nth(1), Some("sandbox: off"), "{stranger}");
    assert_eq!(stranger.lines().nth(2), Some(""), "it is honest: {stranger}");
    let own = card("uttt", "own", &[]).unwrap();
    assert_eq!(own.lines().nth(1), Some("sandbox: off"), "{own}");
}

/// Makes a copy of a player in Python that first tries to open the network and to write beside itself.
fn curious(folder: &Path) -> String {
    let path = python("uttt.py").replace("python3 ", "");
    let text = fs::read_to_string(path).unwrap();
    let tries = "import socket\nfor act in [lambda: socket.socket(), lambda: open(__file__ + '.log', 'w')]:\n    \
                 try: act()\n    except OSError: pass\n";
    fs::write(folder.join("bot.py"), text.replace("import random\n", &format!("{tries}import random\n")))
        .unwrap();
    format!("python3 {}", folder.join("bot.py").display())
}

#[test]
fn a_record_tells_what_the_sandbox_refused_and_the_game_is_not_lost_by_it() {
    let folder = tempfile::tempdir().unwrap();
    let (home, record) = (folder.path().canonicalize().unwrap(), folder.path().join("record"));
    let player = curious(&home);
    let line = ["tournament", "uttt", "--player", &player, "--player", "builtin:random", "--rounds", "1"];
    stdout(&[&line[..], &["--quiet", "--record", &record.display().to_string()]].concat());
    let head = fs::read_to_string(&record).unwrap();
    let head = head.lines().next().unwrap();
    if !head.contains("Landlock") || head.contains("not reported") {
        println!("skipped: this system's sandbox is {head}");
        return;
    }
    let [kinds, details] = ["kind", "detail"].map(|field| {
        let faults = games(&record).into_iter().flat_map(|game| game["faults"].as_array().unwrap().clone());
        faults.map(|of| of[1][field].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    });
    assert_eq!(kinds, ["opened-network", "wrote-outside"].repeat(2));
    let log = format!("open {}", home.join("bot.py.log").display());
    assert_eq!(details, ["a TCP socket (IPv4)", &log].repeat(2));
    let ends: Vec<_> = games(&record).into_iter().map(|game| game["end"].to_string()).collect();
    assert!(ends.iter().all(|end| !end.contains("tried")), "{ends:?}");
}

#[test]
fn tournaments_confine_strangers_and_matches_do_not() {
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("record").display().to_string();
    let head = |arguments: &[&str]| {
        stdout(&[arguments, &["--quiet", "--record", &record]].concat());
        let text = fs::read_to_string(&record).unwrap();
        fs::remove_file(&record).unwrap();
        let head: serde_json::Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
        let run = head.get("run").unwrap_or(&head);
        run["sandbox"].as_str().unwrap().to_owned()
    };
    let stranger = python("uttt.py");
    let game = ["match", "uttt", "--a", &stranger, "--b", "builtin:random", "--games", "2"];
    assert_eq!(head(&game), "off");
    assert!(head(&[&game[..], &["--sandbox", "auto"]].concat()).contains("limits"));
    let all = ["tournament", "uttt", "--rounds", "1", "--player", "builtin:random", "--player"];
    assert!(head(&[&all[..], &[&stranger]].concat()).contains("limits"));
    assert_eq!(head(&[&all[..], &[&stranger, "--sandbox", "off"]].concat()), "off");
    assert_eq!(head(&[&all[..], &["builtin:first"]].concat()), "off", "no program is a stranger's");
}

#[test]
fn a_program_that_lies_elsewhere_is_a_matter_of_one_option() {
    let (bot, data) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let answers = data.path().canonicalize().unwrap().join("answers");
    fs::write(&answers, "0\n").unwrap();
    fs::write(bot.path().join("bot.sh"), format!("cat {}\n", answers.display())).unwrap();
    let player = format!("sh {}/bot.sh", bot.path().display());
    let line = ["match", "uttt", "--a", &player, "--b", "builtin:random", "--games", "2", "--quiet"];
    let inside = [&line[..], &["--sandbox", "auto"]].concat();
    let record = data.path().join("record").display().to_string();
    // The table breaks long lines.
    let unbroken = |text: String| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let told = unbroken(stdout(&[&inside[..], &["--record", &record]].concat()));
    let head = fs::read_to_string(&record).unwrap();
    if !head.lines().next().unwrap().contains("Landlock ABI") {
        println!("skipped: this system has no Landlock");
        return;
    }
    let hint = format!("--allow {0} lets it be read", answers.display());
    assert!(told.contains(&hint), "{told}");
    let opened = unbroken(stdout(&[&inside[..], &["--allow", &data.path().display().to_string()]].concat()));
    assert!(!opened.contains("--allow"), "{opened}");
    let output = run(&[&line[..], &["--allow", "/"]].concat());
    assert_eq!(output.status.code(), Some(2), "an option that changes nothing is refused");
}

#[test]
fn a_server_of_connect5_plays_in_the_sandbox() {
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("record");
    let player = format!("server:{}", python("connect5_tcp.py"));
    let line = ["match", "connect5", "--a", &player, "--b", "builtin:first", "--games", "2", "--size", "8x8"];
    let more = ["--grace", "60000", "--quiet", "--force", "--record", &record.display().to_string()];
    for mode in ["auto", "off"] {
        stdout(&[&line[..], &more, &["--sandbox", mode]].concat());
        let ends: Vec<_> = games(&record).into_iter().map(|game| game["end"].to_string()).collect();
        assert!(ends.len() == 2 && ends.iter().all(|end| end.contains("exactly five")), "{mode}: {ends:?}");
    }
}

#[test]
fn a_referee_that_is_killed_leaves_no_folder_of_a_program() {
    let folder = tempfile::tempdir().unwrap();
    let left = || fs::read_dir(&folder).unwrap().count();
    let line = ["tournament", "uttt", "--rounds", "50", "--quiet", "--player", "builtin:random", "--player"];
    for option in ["--sandbox=auto", "--no-namespaces"] {
        let mut command = referee(&[&line[..], &[&python("uttt.py"), option]].concat());
        let mut referee = command.env("TMPDIR", folder.path()).stdout(Stdio::null()).spawn().unwrap();
        eventually("no program was started", || left() > 0);
        referee.kill().unwrap();
        referee.wait().unwrap();
        eventually("a program's folder is left", || left() == 0);
    }
}
