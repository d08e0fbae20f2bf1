//! The signals that end a program.

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use std::sync::OnceLock;

/// The signals that this program was started with as ignored, by their bits.
fn ignored_at_start() -> u64 {
    static IGNORED: OnceLock<u64> = OnceLock::new();
    *IGNORED.get_or_init(|| {
        // Its first line is the program's name, which may be any bytes.
        let status = crate::text::decode(&std::fs::read("/proc/self/status").unwrap_or_default());
        let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
    })
}

/// True if whoever started this program wants it to go on at a signal, as `nohup` does. The first call must come before
/// any signal is caught.
#[must_use]
pub fn is_ignored(signal: i32) -> bool {
    ignored_at_start() >> (signal - 1) & 1 == 1
}

/// SIGINT, SIGTERM and SIGHUP, which closes with the terminal, less those that are [ignored](is_ignored).
#[must_use]
pub fn that_end() -> Vec<i32> {
    [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|&signal| !is_ignored(signal)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    #[test]
    fn an_ignored_signal_is_found_whatever_the_name_of_the_program() {
        const CHILD: &str = "WIRE_NAME_CHILD";
        if std::env::var_os(CHILD).is_some() {
            assert!(is_ignored(SIGHUP) && !is_ignored(SIGTERM));
            return;
        }
        // The system cuts a name after fifteen bytes, here within the last character.
        let link = std::env::temp_dir().join("wire-signals-xé");
        let _ = std::fs::remove_file(&link);
        std::os::unix::fs::symlink(std::env::current_exe().unwrap(), &link).unwrap();
        let test = concat!(module_path!(), "::an_ignored_signal_is_found_whatever_the_name_of_the_program");
        let test = test.split_once("::").unwrap().1;
        let mut child = Command::new("sh");
        child
            .args(["-c", "trap '' HUP; exec \"$@\"", "sh"])
            .arg(&link)
            .args(["--exact", test])
            .env(CHILD, "1");
        let output = child.output().unwrap();
        std::fs::remove_file(&link).unwrap();
        assert!(output.status.success(), "{output:?}");
    }
}
