//! Finds the path that the sandbox refused in a program's error messages.

use super::option_for;
use super::policy::installations;
use crate::peer::Command;
use std::path::{Path, PathBuf};

/// The system's text for a refusal, as C, Python, Java and shells print it.
const REFUSALS: [&str; 4] =
    ["Permission denied", "PermissionError", "AccessDeniedException", "AccessControl"];

/// Returns the option that opens the path of the last refusal in a program's standard error, with the path.
pub(crate) fn refused(errors: &str) -> Option<String> {
    let line = errors.lines().rev().find(|line| REFUSALS.iter().any(|text| line.contains(text)))?;
    let path = quoted(line).or_else(|| absolute(line))?;
    let path = Path::new(path);
    Some(format!("the sandbox refused {}: {} lets it be read", path.display(), option_for(path)))
}

/// Explains an error of the start of a program whose file the sandbox does not let it read, or not start. Empty for
/// other errors.
pub(crate) fn unreadable(error: &std::io::Error, command: &Command) -> String {
    let program = command.words.first().map(Path::new);
    match program.filter(|_| error.kind() == std::io::ErrorKind::PermissionDenied) {
        Some(program) if is_closed(program) => {
            format!(
                "; in the sandbox, chmod a+x {} lets it start",
                shell_words::quote(&program.to_string_lossy())
            )
        }
        Some(program) => match interpreter(program) {
            Some(path) => {
                let places = installations(&path).into_iter().flatten();
                let options: Vec<_> = places.map(|place| option_for(&place)).collect();
                let option = if options.is_empty() { option_for(&path) } else { options.join(" ") };
                format!("; in the sandbox, {option} lets its interpreter be read")
            }
            None => format!("; in the sandbox, {} lets it be read", option_for(program)),
        },
        None => String::new(),
    }
}

/// Returns the interpreter that a script's first line names. The sandbox does not open it by itself: a script may be by a
/// stranger.
fn interpreter(script: &Path) -> Option<PathBuf> {
    use std::io::Read as _;
    let mut line = Vec::new();
    wire::file::open(script).ok()?.take(256).read_to_end(&mut line).ok()?;
    let line = String::from_utf8_lossy(line.strip_prefix(b"#!")?);
    let path = line.lines().next()?.split_whitespace().next()?;
    path.starts_with('/').then(|| path.into())
}

/// True for a file that others than its owner and its group may not start: a program may have a user of its own.
fn is_closed(program: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    program.metadata().is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o001 == 0)
}

/// Returns the text in the last pair of quotes, if it looks like a path.
fn quoted(line: &str) -> Option<&str> {
    let end = line.rfind(['\'', '"', '’', '»'])?;
    let start = line[..end].rfind(['\'', '"', '‘', '«'])?;
    let text = line[start..end].trim_start_matches(['\'', '"', '‘', '«']);
    (text.contains('/') || text.contains('.')).then_some(text)
}

/// Returns the first absolute path of a line.
fn absolute(line: &str) -> Option<&str> {
    let is_start = |at: usize| at == 0 || line[..at].ends_with([' ', ':', '(', '=']);
    let start = line.match_indices('/').map(|(at, _)| at).find(|&at| is_start(at))?;
    let rest = &line[start..];
    let end = rest.find([':', ' ', ')', ',']).unwrap_or(rest.len());
    Some(&rest[..end]).filter(|path| path.len() > 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_only_its_owner_may_start_is_told_from_one_that_cannot_be_read() {
        use std::os::unix::fs::PermissionsExt as _;
        let bot = tempfile::NamedTempFile::new().unwrap();
        let path = bot.path().display();
        let command = Command::split(&path.to_string()).unwrap();
        let hint = |mode: u32| {
            bot.as_file().set_permissions(std::fs::Permissions::from_mode(mode)).unwrap();
            unreadable(&std::io::ErrorKind::PermissionDenied.into(), &command)
        };
        assert_eq!(hint(0o644), format!("; in the sandbox, chmod a+x {path} lets it start"));
        assert_eq!(hint(0o700), hint(0o644));
        assert_eq!(hint(0o755), format!("; in the sandbox, --allow {path} lets it be read"));
    }

    #[test]
    fn the_interpreter_of_a_script_is_named_and_not_the_script() {
        use std::io::Write as _;
        use std::os::unix::fs::PermissionsExt as _;
        let mut bot = tempfile::NamedTempFile::new().unwrap();
        bot.as_file().set_permissions(std::fs::Permissions::from_mode(0o755)).unwrap();
        writeln!(bot, "#! /nowhere/python -u\nprint(1)").unwrap();
        let command = Command::split(&bot.path().to_string_lossy()).unwrap();
        let told = unreadable(&std::io::ErrorKind::PermissionDenied.into(), &command);
        assert_eq!(told, "; in the sandbox, --allow /nowhere/python lets its interpreter be read");
    }

    #[test]
    fn the_refused_path_and_the_option_are_named() {
        for (line, path) in [
            ("PermissionError: [Errno 13] Permission denied: '/data/net.bin'", "/data/net.bin"),
            ("cat: /data/net.bin: Permission denied", "/data/net.bin"),
            ("java.io.FileNotFoundException: /data/net.bin (Permission denied)", "/data/net.bin"),
            ("java.nio.file.AccessDeniedException: /data/net.bin", "/data/net.bin"),
            ("sh: 1: cannot open /data/net.bin: Permission denied", "/data/net.bin"),
        ] {
            let told = refused(&format!("Traceback\n{line}\n")).unwrap();
            assert_eq!(told, format!("the sandbox refused {path}: --allow {path} lets it be read"), "{line}");
        }
        assert_eq!(refused("NameError: x\nPermission denied\n"), None);
        assert_eq!(refused("no such file: /x\n"), None);
    }
}
