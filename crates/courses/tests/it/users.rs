//! The sandbox of other users than the one that runs the tests.

use super::support::{attack, attacker, options, sandbox};
use courses::peer::{Command, Peer, Supervisor};
use courses::sandbox::{Network, Options};
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::time::{Duration, Instant};

/// Runs a test of this program again as another user, with the words for `setpriv`. Returns true in that run, and where
/// there is no such user.
fn is_other_user(test: &str, words: &[&str]) -> bool {
    const AGAIN: &str = "COURSES_TEST_AGAIN";
    if std::env::var_os(AGAIN).is_some() || !rustix::process::geteuid().is_root() {
        return true;
    }
    let mut again = std::process::Command::new("setpriv");
    again.args(words).arg(std::env::current_exe().unwrap()).args([test, "--exact", "--nocapture"]);
    let output = match again.env(AGAIN, "1").env_remove("HOME").output() {
        Ok(output) => output,
        Err(error) => {
            println!("skipped: setpriv: {error}");
            return false;
        }
    };
    let told = String::from_utf8_lossy(&output.stdout);
    if String::from_utf8_lossy(&output.stderr).contains("setpriv: failed to execute") {
        println!("skipped: another user may not start this program");
    } else {
        assert!(output.status.success() && told.contains("1 passed"), "{output:?}");
    }
    false
}

#[test]
fn files_of_a_user_keep_their_rights_and_times() {
    let nobody = ["--reuid", "65534", "--regid", "65534", "--clear-groups"];
    if !is_other_user("users::files_of_a_user_keep_their_rights_and_times", &nobody) {
        return;
    }
    let (sandbox, supervisor) = (sandbox(&options()), Supervisor::new());
    if sandbox.layers().namespaces.is_err() {
        println!("skipped: this system has no namespaces");
        return;
    }
    let file = tempfile::NamedTempFile::new().unwrap();
    let order = format!("rights {}", file.path().display());
    let (peer, answer) = attack(&supervisor, &attacker(&sandbox, Network::None), &order);
    assert!(answer.starts_with("stopped: "), "{answer}");
    peer.close(b"");
}

#[test]
fn a_program_keeps_the_right_to_read_closed_folders_only_where_its_own_are_closed() {
    let (sandbox, supervisor) = (sandbox(&options()), Supervisor::new());
    if !sandbox.layers().spare_user || sandbox.layers().landlock == 0 || sandbox.needs_open_folders() {
        println!("skipped: this system offers {}", sandbox.layers().words());
        return;
    }
    for (mode, is_closed) in [(0o755, false), (0o700, true)] {
        let folder = tempfile::tempdir().unwrap();
        let may = |path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
        let program = folder.path().join("program");
        fs::write(&program, "#!/bin/sh\nexec grep CapEff /proc/self/status").unwrap();
        may(program.as_path(), 0o755);
        may(folder.path(), mode);
        let words = vec![program.display().to_string()];
        let command = Command { words, sandbox: Some(sandbox.clone()), ..Command::default() };
        let mut peer = Peer::spawn(&supervisor, &command).unwrap();
        let told = peer.line(Instant::now() + Duration::from_secs(60)).unwrap();
        let rights = u64::from_str_radix(told.trim_start_matches("CapEff:").trim(), 16).unwrap();
        assert_eq!(rights != 0, is_closed, "{mode:o}: {told}");
        peer.close(b"");
    }
}

/// Docker gives its root neither `CAP_SYS_ADMIN` nor `CAP_DAC_READ_SEARCH`.
#[test]
fn files_of_a_containers_root_keep_their_rights_and_times() {
    let test = "users::files_of_a_containers_root_keep_their_rights_and_times";
    if !is_other_user(test, &["--bounding-set=-sys_admin,-dac_read_search,-sys_resource,-sys_ptrace"]) {
        return;
    }
    let (sandbox, supervisor) = (sandbox(&Options { namespaces: false, ..options() }), Supervisor::new());
    if !sandbox.layers().spare_user {
        println!("skipped: this system offers {}", sandbox.layers().words());
        return;
    }
    assert!(sandbox.needs_open_folders());
    let file = tempfile::NamedTempFile::new().unwrap();
    let order = format!("rights {}", file.path().display());
    let (peer, answer) = attack(&supervisor, &attacker(&sandbox, Network::None), &order);
    assert!(answer.starts_with("stopped: "), "{answer}");
    peer.close(b"");
}
