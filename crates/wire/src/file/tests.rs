mod appended;
mod targets;

use super::faults::{self, Fault};
use super::*;
use std::path::PathBuf;

/// A temporary folder, removed with its content.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        use std::sync::atomic::{AtomicU32, Ordering};
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let nth = COUNT.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("wire-file-{}-{nth}", std::process::id()));
        fs::create_dir(&folder).unwrap();
        Self(folder)
    }

    fn at(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// Makes a pipe with a name.
    #[cfg(unix)]
    fn pipe(&self) -> PathBuf {
        let pipe = self.at("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        pipe
    }

    fn count(&self) -> usize {
        fs::read_dir(&self.0).unwrap().count()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn a_file_is_replaced_whole_under_any_name_and_nothing_is_left_beside_it() {
    let folder = Folder::new();
    let long = "x".repeat(255);
    for name in ["a", &long] {
        write(&folder.at(name), "one").unwrap();
        write(&folder.at(name), "two").unwrap();
        assert_eq!(fs::read(folder.at(name)).unwrap(), b"two");
    }
    assert_eq!(folder.count(), 2);
    drop(Replacement::create(&folder.at("a")).unwrap());
    assert_eq!((folder.count(), fs::read(folder.at("a")).unwrap()), (2, b"two".to_vec()));
}

#[test]
fn what_cannot_be_written_is_found_out_without_a_trace() {
    let folder = Folder::new();
    assert!(check(&folder.0).is_err());
    assert!(check(&folder.at("nowhere/page.html")).is_err());
    assert!(check(Path::new("")).is_err());
    check(&folder.at("page.html")).unwrap();
    assert_eq!(folder.count(), 0);
    assert!(write_new(&folder.at("a"), "one").is_ok() && write_new(&folder.at("a"), "two").is_err());
    assert_eq!(fs::read(folder.at("a")).unwrap(), b"one");
}

#[test]
#[cfg(unix)]
fn two_names_of_one_file_are_told_apart_by_what_they_lead_to() {
    let folder = Folder::new();
    fs::write(folder.at("a"), "a").unwrap();
    fs::write(folder.at("b"), "b").unwrap();
    fs::create_dir(folder.at("inner")).unwrap();
    fs::hard_link(folder.at("a"), folder.at("hard")).unwrap();
    std::os::unix::fs::symlink("a", folder.at("soft")).unwrap();
    std::os::unix::fs::symlink("new", folder.at("dangling")).unwrap();
    let clash = |inputs: &[&str], outputs: &[&str]| {
        let mut files = Files::new();
        inputs.iter().for_each(|name| files.input(*name, &folder.at(name)));
        outputs.iter().for_each(|name| files.output(*name, &folder.at(name)));
        files.check().err().map(|clash| format!("{} {}", clash.output, clash.other))
    };
    assert_eq!(clash(&["a", "a", "soft"], &["b", "new"]), None);
    for (input, output) in [
        ("a", "a"),
        ("a", "hard"),
        ("a", "soft"),
        ("hard", "soft"),
        ("soft", "inner/../a"),
        ("new", "dangling"),
        ("dangling", "inner/../new"),
    ] {
        assert_eq!(clash(&[input], &["b", output]), Some(format!("{output} {input}")));
        assert_eq!(clash(&[], &[input, "b", output]), Some(format!("{output} {input}")));
    }
    let mut files = Files::new();
    for name in ["--json", "--html"] {
        files.output(name, Path::new("/dev/null"));
    }
    files.check().unwrap();
}

/// Tries every fault at every call. The file is the old one or the new one, and no temporary file is left, except after
/// a power cut, when nobody can clean up.
#[test]
fn whichever_call_fails_the_file_is_the_old_one_or_the_new_one() {
    for fault in Fault::ALL {
        for old in [None, Some("the old text")] {
            let mut nth = 0;
            loop {
                let folder = Folder::new();
                if let Some(old) = old {
                    fs::write(folder.at("a"), old).unwrap();
                }
                let (written, struck) = faults::with(fault, nth, || write(&folder.at("a"), "the new text"));
                let found = fs::read_to_string(folder.at("a")).ok();
                let is_new = found.as_deref() == Some("the new text");
                let context = format!("{fault:?} at call {nth}: {written:?}, {found:?}");
                assert!(is_new || found.as_deref() == old, "{context}");
                assert_eq!(is_new, written.is_ok(), "{context}");
                let must_fail = matches!(fault, Fault::Full | Fault::Broken | Fault::PowerCut);
                assert!(!struck || !must_fail || written.is_err(), "{context}");
                assert!(struck && !fault.is_harmless() || written.is_ok(), "{context}");
                assert!(
                    fault == Fault::PowerCut || folder.count() == usize::from(found.is_some()),
                    "{context}"
                );
                if !struck {
                    assert!(nth >= 4, "open, write, sync, rename");
                    break;
                }
                nth += 1;
            }
        }
    }
}

#[test]
fn what_cannot_be_written_in_the_end_is_told_before() {
    let folder = Folder::new();
    let missing = PathBuf::from(format!("{}/", folder.at("missing").display()));
    assert!(check(&missing).is_err() && write(&missing, "x").is_err());
    assert!(check(&folder.at("new")).is_ok());
    assert_eq!(folder.count(), 0);
    #[cfg(unix)]
    {
        assert!(check(Path::new("/dev/fd/987")).is_err());
        assert!(check(Path::new("/dev/null")).is_ok());
        // A pipe waits for its reader only when it is written.
        let pipe = folder.pipe();
        assert!(check(&pipe).is_ok());
    }
}

#[test]
#[cfg(unix)]
fn what_may_have_nothing_to_read_is_refused_and_a_descriptor_is_read() {
    use std::io::Read;
    let folder = Folder::new();
    let pipe = folder.pipe();
    std::os::unix::fs::symlink("/dev/zero", folder.at("link")).unwrap();
    let text = |path: &Path| {
        let mut text = String::new();
        open(path)?.read_to_string(&mut text).map(|_| text)
    };
    for path in [&pipe, &folder.at("link"), Path::new("/dev/tty"), Path::new("/dev/null")] {
        assert!(text(path).is_err(), "{path:?}");
    }
    // Nobody writes to this pipe; no reader of another one comes.
    assert!(Appended::open(&pipe).unwrap_err().to_string().contains("nobody reads this pipe"));
    assert!(write(&pipe, "x").is_err());
    fs::write(folder.at("file"), "plain").unwrap();
    std::os::unix::fs::symlink("file", folder.at("other")).unwrap();
    assert_eq!(text(&folder.at("other")).unwrap(), "plain");
}

#[test]
#[cfg(target_os = "linux")]
fn a_descriptor_is_read_as_it_comes() {
    use std::io::Read;
    use std::os::fd::AsRawFd;
    let (reader, mut writer) = io::pipe().unwrap();
    let later = std::thread::spawn(move || {
        for part in ["one ", "two"] {
            std::thread::sleep(std::time::Duration::from_millis(20));
            writer.write_all(part.as_bytes()).unwrap();
        }
    });
    let mut text = String::new();
    open(Path::new(&format!("/dev/fd/{}", reader.as_raw_fd()))).unwrap().read_to_string(&mut text).unwrap();
    assert_eq!(text, "one two");
    later.join().unwrap();
}

#[test]
#[cfg(unix)]
fn a_full_pipe_is_written_as_it_empties() {
    use std::io::Read;
    let folder = Folder::new();
    let pipe = folder.pipe();
    let reader = std::thread::spawn({
        let pipe = pipe.clone();
        move || {
            let mut bytes = Vec::new();
            let mut file = File::open(pipe).unwrap();
            std::thread::sleep(std::time::Duration::from_millis(20));
            file.read_to_end(&mut bytes).unwrap();
            bytes.len()
        }
    });
    write(&pipe, vec![b'x'; 1 << 20]).unwrap();
    assert_eq!(reader.join().unwrap(), 1 << 20);
}

#[test]
fn no_temporary_file_comes_between_the_removal_and_the_end() {
    const CHILD: &str = "WIRE_ENDING_CHILD";
    if std::env::var_os(CHILD).is_none() {
        crate::testing::child(
            module_path!(),
            "no_temporary_file_comes_between_the_removal_and_the_end",
            CHILD,
        );
        return;
    }
    let folder = Folder::new();
    for nth in 0..16 {
        let path = folder.at(&nth.to_string());
        std::thread::spawn(move || {
            loop {
                drop(Replacement::create(&path));
            }
        });
    }
    std::thread::sleep(std::time::Duration::from_millis(100));
    remove_unfinished();
    std::thread::sleep(std::time::Duration::from_millis(100));
    assert_eq!(folder.count(), 0);
}

#[test]
#[cfg(unix)]
fn a_folder_that_is_missing_is_refused_before_the_work() {
    let folder = Folder::new();
    fs::write(folder.at("file"), "x").unwrap();
    std::os::unix::fs::symlink("away/", folder.at("link")).unwrap();
    for name in ["away/", "away/.", "file/.", "link"] {
        assert!(check(&folder.at(name)).is_err(), "{name}");
    }
    assert_eq!(folder.count(), 2);
}

#[test]
#[cfg(unix)]
fn the_next_write_removes_what_a_killed_program_left_and_nothing_of_a_living_one() {
    const CHILD: &str = "WIRE_KILLED_CHILD";
    if let Some(path) = std::env::var_os(CHILD) {
        let _half = Replacement::create(Path::new(&path)).unwrap();
        let own = std::process::id().to_string();
        std::process::Command::new("kill").args(["-9", &own]).status().unwrap();
    }
    let folder = Folder::new();
    let path = folder.at("a");
    let test = concat!(
        module_path!(),
        "::the_next_write_removes_what_a_killed_program_left_and_nothing_of_a_living_one"
    );
    let mut child = std::process::Command::new(std::env::current_exe().unwrap());
    child.args(["--exact", test.split_once("::").unwrap().1]).env(CHILD, &path);
    for _ in 0..3 {
        child.output().unwrap();
        assert_eq!(folder.count(), 1);
    }
    // As where four programs wrote at the same time.
    let left = fs::read_dir(&folder.0).unwrap().next().unwrap().unwrap().path();
    fs::rename(&left, left.to_string_lossy().replace("-0.tmp", "-3.tmp")).unwrap();
    // Those of other files stay.
    for other in [".b-0.tmp", ".0123456789abcdef-0.tmp"] {
        fs::write(folder.at(other), "x").unwrap();
    }
    let mut living = Replacement::create(&path).unwrap();
    assert_eq!(folder.count(), 3);
    living.write_all(b"one").unwrap();
    write(&path, "two").unwrap();
    assert_eq!((folder.count(), fs::read(&path).unwrap()), (4, b"two".to_vec()));
    living.finish().unwrap();
    assert_eq!((folder.count(), fs::read(&path).unwrap()), (3, b"one".to_vec()));
}
