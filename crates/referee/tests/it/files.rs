//! The files of one command: what it would overwrite is refused before anything is opened, and nothing is lost.

use crate::support::{eventually, referee, run, shell, stdout};
use rustix::process::{Pid, Signal, kill_process};
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};

const PLAYERS: [&str; 4] = ["--a", "builtin:random", "--b", "builtin:random"];

/// A folder with a finished record `r`, a symbolic link `soft` and a hard link `hard` to it, and some inputs.
struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Self {
        let place = Self(tempfile::tempdir().unwrap());
        let record = place.text("r");
        stdout(&[&["match", "uttt", "--games", "2", "--quiet", "--record", &record][..], &PLAYERS].concat());
        symlink("r", place.path("soft")).unwrap();
        fs::hard_link(place.path("r"), place.path("hard")).unwrap();
        fs::write(place.path("openings"), "40 36\n40 37\n").unwrap();
        fs::write(place.path("players.csv"), "name,command\na,builtin:random\nb,builtin:first\n").unwrap();
        fs::write(place.path("bot"), "#!/bin/sh\nexit 1\n").unwrap();
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn text(&self, name: &str) -> String {
        self.path(name).to_string_lossy().into_owned()
    }

    /// Every file and its bytes.
    fn all(&self) -> Vec<(PathBuf, Vec<u8>)> {
        let entries = fs::read_dir(self.0.path()).unwrap().map(|entry| entry.unwrap().path());
        let mut all: Vec<_> =
            entries.map(|path| (path.clone(), fs::read(&path).unwrap_or_default())).collect();
        all.sort();
        all
    }

    /// Runs a command, `@` before a name meaning a file of the folder.
    fn run(&self, command: &str) -> Output {
        let word = |word: &str| word.strip_prefix('@').map_or(word.to_owned(), |name| self.text(name));
        let words: Vec<String> = command.split(' ').map(word).collect();
        run(&words.iter().map(String::as_str).collect::<Vec<_>>())
    }

    /// Runs a command: it must end with 2 and one line, and change nothing.
    fn refuses(&self, command: &str) {
        let before = self.all();
        let output = self.run(command);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{command}: {errors}");
        assert_eq!((errors.lines().count(), output.stdout.len()), (1, 0), "{command}: {errors}");
        assert!(errors.contains("would overwrite"), "{command}: {errors}");
        assert!(self.all() == before, "{command}: a file was changed");
    }
}

#[test]
fn an_output_is_never_written_over_another_file_of_its_command() {
    let place = Place::new();
    let game = "match uttt --games 4 --quiet --a builtin:random --b builtin:random";
    for output in ["--json", "--html", "--notation", "--log"] {
        for record in ["r", "soft", "hard"] {
            place.refuses(&format!("{game} --record @r {output} @{record}"));
        }
        place.refuses(&format!("{game} --record @new {output} @new"));
        place.refuses(&format!("{game} --openings @openings {output} @openings"));
        place.refuses(&format!("tournament uttt --players @players.csv {output} @players.csv"));
        place.refuses(&format!("match uttt --a builtin:random --b @bot --games 2 {output} @bot"));
    }
    for output in ["--json", "--html", "--notation"] {
        place.refuses(&format!("report @r {output} @r"));
        place.refuses(&format!("report @soft {output} @hard"));
        place.refuses(&format!("merge -o @joined @r {output} @r"));
        place.refuses(&format!("merge -o @joined @r {output} @joined"));
    }
    place.refuses("report @r --json @new --html @new");
    for output in ["--csv", "--json", "--html", "--record"] {
        place.refuses(&format!("mark uttt --quick --class @players.csv {output} @players.csv"));
    }
    let bot = place.text("bot");
    fs::write(place.path("bots.csv"), format!("name,command\na,{bot}\nb,builtin:first\n")).unwrap();
    fs::create_dir_all(place.path("class/Ana")).unwrap();
    fs::write(place.path("class/Ana/main.py"), "print(1)\n").unwrap();
    fs::write(place.path("class/Ana/weights.json"), "[1]\n").unwrap();
    place.refuses("mark uttt --quick --class @class --json @class/Ana/weights.json");
    for output in ["--csv", "--json", "--html", "--record"] {
        place.refuses(&format!("mark uttt --quick --class @bots.csv {output} @bot"));
        place.refuses(&format!("mark uttt --quick --class @class {output} @class/Ana/main.py"));
        place.refuses(&format!("mark uttt --quick --folder @class/Ana {output} @class/Ana/main.py"));
    }
    for output in ["--json", "--html", "--notation", "--log"] {
        place.refuses(&format!("tournament uttt --players @bots.csv {output} @bot"));
    }
    place.refuses("mark uttt --quick --class @players.csv --csv @out --json @out");
    for other in ["--html @a.html", "--html @page --csv @b.html", "--html @page --record @a.html"] {
        place.refuses(&format!("mark uttt --quick --class @players.csv {other} --games @"));
    }
    place.refuses("mark uttt --quick --class @players.csv --html @program-1.html --anonymous --games @");
    place.refuses("suite uttt @openings --player builtin:random --json @openings");
    place.refuses("sprt uttt --a builtin:random --b builtin:random --record @r --json @r");
    place.refuses("tune uttt --player @bot --parameter x:1:0:2:1 --record @bot");
}

#[test]
fn a_name_that_is_no_text_is_compared_too() {
    let place = Place::new();
    let name = place.0.path().join(OsStr::from_bytes(b"rec\xe9.jsonl"));
    fs::rename(place.path("r"), &name).unwrap();
    symlink(&name, place.path("link")).unwrap();
    let before = fs::read(&name).unwrap();
    let report = referee(&["report", "--json", &place.text("link")]).arg(&name).output().unwrap();
    assert_eq!((report.status.code(), report.stdout.len()), (Some(2), 0), "{report:?}");
    assert_eq!(fs::read(&name).unwrap(), before);
}

#[test]
fn a_folder_of_games_that_cannot_be_made_is_found_before_the_marking() {
    let place = Place::new();
    let (class, page, before) = (place.text("players.csv"), place.text("page"), place.all());
    let output = run(&["mark", "uttt", "--quick", "--class", &class, "--html", &page, "--games", &class]);
    assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{output:?}");
    assert!(place.all() == before);
}

#[test]
fn a_log_goes_on_with_its_record_and_is_written_over_nothing_else() {
    let place = Place::new();
    let game = ["match", "uttt", "--games", "2", "--quiet", "--a", "builtin:random", "--b", "sh -c 'exit 1'"];
    for other in ["r", "soft", "openings"] {
        let before = place.all();
        let output = run(&[&game[..], &["--log", &place.text(other)]].concat());
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!((output.status.code(), errors.lines().count()), (Some(2), 1), "{errors}");
        assert!(place.all() == before, "{other} was changed");
    }
    let log = place.text("log");
    let kept = ["--log", &log, "--record", &place.text("kept")];
    stdout(&[&game[..], &kept].concat());
    let first = fs::read_to_string(&log).unwrap();
    let more = ["match", "uttt", "--games", "4", "--quiet", "--a", "builtin:random", "--b", "sh -c 'exit 1'"];
    stdout(&[&more[..], &kept].concat());
    let both = fs::read_to_string(&log).unwrap();
    assert!(both.starts_with(&first) && both.matches("== game ").count() == 4, "{both}");
    // Another run's log begins anew.
    stdout(&[&game[..], &["--log", &log]].concat());
    assert_eq!(fs::read_to_string(&log).unwrap().matches("== game ").count(), 2);
}

#[test]
fn a_result_keeps_the_mode_and_the_links_of_the_file_that_it_replaces() {
    let place = Place::new();
    let page = |path: &Path| stdout(&["report", &place.text("r"), "--html", &path.to_string_lossy()]);
    fs::write(place.path("private"), "old").unwrap();
    fs::set_permissions(place.path("private"), fs::Permissions::from_mode(0o600)).unwrap();
    symlink("private", place.path("link")).unwrap();
    page(&place.path("link"));
    assert_eq!(fs::metadata(place.path("private")).unwrap().permissions().mode() & 0o777, 0o600);
    assert!(fs::read_to_string(place.path("private")).unwrap().contains("<html"));
    symlink("later", place.path("dangling")).unwrap();
    page(&place.path("dangling"));
    assert!(fs::symlink_metadata(place.path("dangling")).unwrap().is_symlink());
    assert!(fs::read_to_string(place.path("later")).unwrap().contains("<html"));
    for name in ["link", "dangling"] {
        assert!(fs::symlink_metadata(place.path(name)).unwrap().is_symlink(), "{name}");
    }
}

#[test]
fn an_output_that_another_program_takes_away_while_it_grows_fails_the_run() {
    let place = Place::new();
    let out = place.text("out");
    let lost = "another program removed, replaced or changed it";
    // A command that names the output would be refused.
    let bot = format!("sh {}", place.text("bot"));
    for option in ["--record", "--log"] {
        for harm in ["rm OUT", "mv OUT AWAY", "cp /dev/null OUT"] {
            // The player harms the output once it holds a game.
            let script = format!("test -s OUT && {harm}; exit 1");
            let script = script.replace("OUT", &out).replace("AWAY", &place.text("away"));
            fs::write(place.path("bot"), script).unwrap();
            let line =
                ["match", "uttt", "--games", "60", "--concurrency", "1", "--sandbox", "off", "--quiet"];
            let players = ["--b", "builtin:random", "--a", &bot, option, &out];
            let output = run(&[&line[..], &players].concat());
            let errors = String::from_utf8_lossy(&output.stderr);
            let told = errors.strip_prefix(&format!("referee: {out}: {lost} after "));
            assert!(
                told.is_some_and(|told| told.ends_with(" of 60 games\n")),
                "{option}, {harm}: {output:?}"
            );
            assert_eq!(output.status.code(), Some(1));
            assert!(String::from_utf8_lossy(&output.stdout).starts_with("uttt: "), "{output:?}");
            let _ = fs::remove_file(&out);
        }
    }
    // Each card is written when it is ready, and the second program takes the first one away.
    fs::write(place.path("bot"), format!("rm -f {out}; exit 1")).unwrap();
    fs::write(place.path("players.csv"), format!("name,command\na,sh -c 'exit 1'\nb,{bot}\n")).unwrap();
    let class = place.text("players.csv");
    let line =
        ["mark", "connect5", "--quick", "--quiet", "--sandbox", "off", "--class", &class, "--record", &out];
    let output = run(&line);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!((output.status.code(), &*errors), (Some(1), &*format!("referee: {out}: {lost}\n")));
    assert!(!output.stdout.is_empty(), "{output:?}");
    assert!(!place.path("out").exists());
}

#[test]
fn an_output_that_another_program_writes_to_is_refused_before_the_work() {
    let place = Place::new();
    let held = place.text("held");
    fs::copy(place.path("r"), &held).unwrap();
    let _other = wire::file::Appended::open_alone(Path::new(&held)).unwrap();
    let before = place.all();
    let refused = format!("referee: {held}: another program writes to it\n");
    let commands =
        ["merge @r -o @held", "report @r --html @held", "mark connect5 --player false --quick --csv @held"];
    for command in commands {
        let output = place.run(command);
        assert_eq!(output.status.code(), Some(2), "{command}");
        let told = [output.stderr, output.stdout].map(|bytes| String::from_utf8(bytes).unwrap());
        assert_eq!(told, [&*refused, ""], "{command}");
        assert!(place.all() == before, "{command}: a file was changed");
    }
}

/// The first game is kept; the second one never ends.
#[test]
fn a_record_that_is_gone_at_the_end_fails_an_interrupted_run() {
    let place = Place::new();
    let (out, player) =
        (place.text("out"), shell(&format!("mkdir {} && exit 1; sleep 60", place.text("begun"))));
    let line = ["match", "uttt", "--games", "2", "--concurrency", "1", "--sandbox", "off", "--quiet"];
    let players = ["--b", "builtin:random", "--a", &player, "--record", &out];
    let mut command = referee(&[&line[..], &players].concat());
    let child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    eventually("the first game is kept", || {
        fs::read_to_string(&out).is_ok_and(|text| text.lines().count() == 2)
    });
    fs::remove_file(&out).unwrap();
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    let output = child.wait_with_output().unwrap();
    let lost =
        format!("referee: {out}: another program removed, replaced or changed it after 1 of 2 games\n");
    assert_eq!((output.status.code(), String::from_utf8_lossy(&output.stderr)), (Some(1), lost.into()));
}
