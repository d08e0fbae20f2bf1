//! Signals in each stage leave no folder, no program and no half archive.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Stands for cargo, make and the built server: writes the number of a program that it starts to `pid` and waits for it,
/// if it is what `LASTS` names. With `DEAF` it hears no SIGTERM.
const TOOL: &str = r#"#!/bin/sh
stage=$(basename "$0")
[ "$stage" = cargo ] && stage=$1
if [ "$stage" = "$LASTS" ] && [ "$1" != --version ]; then
    [ -z "$DEAF" ] || trap '' TERM
    sleep 300 & echo $! >"$PLACE/new" && mv "$PLACE/new" "$PLACE/pid"
    wait
fi
case $stage in
    vendor) mkdir vendor ;;
    make) cp "$0" moules-serveur ;;
esac
"#;

/// Starts a program with the default of each signal, whatever the tests were started with.
const HEARD: &str = "exec env --default-signal=HUP,INT,TERM";

struct Stage {
    folder: TempDir,
    remise: Child,
}

impl Stage {
    /// Starts `remise` by these words of a shell, and waits until it has come to the tool that lasts.
    fn reach(lasts: &str, starts: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::create_dir(path("temporary")).unwrap();
        for tool in ["cargo", "make"] {
            fs::write(path(tool), TOOL).unwrap();
            fs::set_permissions(path(tool), Permissions::from_mode(0o755)).unwrap();
        }
        let mut command = Command::new("sh");
        command.args(["-c", &format!("{starts} \"$0\" \"$@\""), env!("CARGO_BIN_EXE_remise")]);
        command.args(["moules", "--noms", "A. Dupont", "--essai"]).arg(path("archives"));
        let search = format!("{}:{}", folder.path().display(), std::env::var("PATH").unwrap());
        command.env("PATH", search).env("CARGO", path("cargo")).env("TMPDIR", path("temporary"));
        command.env("LASTS", lasts).env("PLACE", folder.path());
        let remise = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let stage = Self { folder, remise };
        assert!(within_a_minute(|| stage.path("pid").exists()), "{lasts} is not reached");
        stage
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn names(&self, folder: &str) -> Vec<String> {
        let entries = fs::read_dir(self.path(folder)).into_iter().flatten();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }

    /// Sends a signal, and asserts that it ends `remise` and that nothing is left soon but these archives.
    fn ends_by(mut self, signal: &str, number: i32, archives: &[&str]) {
        let left = self.names("temporary");
        assert_eq!(left.len(), 1, "{left:?}");
        assert!(self.sends(signal));
        assert_eq!(self.remise.wait().unwrap().signal(), Some(number), "it ends by the signal");
        self.is_cleared(archives);
    }

    /// Kills `remise`, and asserts that its guard leaves nothing but these archives.
    fn ends_by_a_kill(mut self, archives: &[&str]) {
        self.remise.kill().unwrap();
        self.remise.wait().unwrap();
        self.is_cleared(archives);
    }

    /// Asserts that the guard leaves nothing but these archives.
    fn is_cleared(&self, archives: &[&str]) {
        assert!(within_a_minute(|| self.names("temporary").is_empty()), "{:?}", self.names("temporary"));
        assert_eq!(self.names("archives"), archives);
        self.has_no_program();
    }

    fn has_no_program(&self) {
        let program = fs::read_to_string(self.path("pid")).unwrap();
        let stat = || fs::read_to_string(format!("/proc/{}/stat", program.trim())).unwrap_or_default();
        // One that has ended may still wait for its new parent.
        assert!(within_a_minute(|| stat().is_empty() || stat().contains(") Z ")), "{}", stat());
    }

    fn sends(&self, signal: &str) -> bool {
        let number = self.remise.id().to_string();
        Command::new("kill").args(["-s", signal, &number]).status().unwrap().success()
    }
}

fn within_a_minute(is_so: impl Fn() -> bool) -> bool {
    let deadline = Instant::now() + Duration::from_secs(60);
    while !is_so() && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(5));
    }
    is_so()
}

#[test]
fn each_signal_in_each_stage_leaves_nothing_but_whole_archives() {
    let archive = ["moules_Dupont.zip"];
    Stage::reach("vendor", HEARD).ends_by("HUP", 1, &[]);
    Stage::reach("make", HEARD).ends_by("INT", 2, &archive);
    Stage::reach("moules-serveur", HEARD).ends_by("TERM", 15, &archive);
}

#[test]
fn a_program_that_hears_no_signal_delays_nothing_and_is_killed() {
    let mut stage = Stage::reach("vendor", &format!("DEAF=1 {HEARD}"));
    let began = Instant::now();
    assert!(stage.sends("TERM"));
    assert_eq!(stage.remise.wait().unwrap().signal(), Some(15));
    let took = began.elapsed();
    assert!(took < Duration::from_secs(1), "{took:?}");
    stage.is_cleared(&[]);
}

#[test]
fn a_kill_in_each_stage_leaves_nothing_but_whole_archives() {
    let archive = ["moules_Dupont.zip"];
    Stage::reach("vendor", HEARD).ends_by_a_kill(&[]);
    Stage::reach("make", HEARD).ends_by_a_kill(&archive);
    Stage::reach("moules-serveur", HEARD).ends_by_a_kill(&archive);
}

#[test]
fn a_signal_that_was_ignored_at_the_start_stays_ignored() {
    let mut stage = Stage::reach("vendor", "trap '' HUP; exec");
    assert!(stage.sends("HUP"));
    std::thread::sleep(Duration::from_millis(200));
    assert!(stage.remise.try_wait().unwrap().is_none());
    stage.ends_by("TERM", 15, &[]);
}
