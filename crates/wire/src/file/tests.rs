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
fn mode_links_devices_and_pipes_stay_what_they_are() {
    use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};
    let folder = Folder::new();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o7777;
    let is_link = |path: &Path| fs::symlink_metadata(path).unwrap().is_symlink();
    fs::write(folder.at("file"), "old").unwrap();
    for kept in [0o200, 0o600, 0o640, 0o755] {
        fs::set_permissions(folder.at("file"), fs::Permissions::from_mode(kept)).unwrap();
        write(&folder.at("file"), "new").unwrap();
        assert_eq!(mode(&folder.at("file")), kept);
    }
    // A relative link to a relative link, in two folders.
    fs::create_dir(folder.at("inner")).unwrap();
    symlink("../file", folder.at("inner/link")).unwrap();
    symlink("inner/link", folder.at("link")).unwrap();
    write(&folder.at("link"), "linked").unwrap();
    assert!(is_link(&folder.at("link")) && is_link(&folder.at("inner/link")));
    assert_eq!(fs::read(folder.at("file")).unwrap(), b"linked");
    // A dangling link: its target is created.
    symlink("inner/later", folder.at("dangling")).unwrap();
    check(&folder.at("dangling")).unwrap();
    write(&folder.at("dangling"), "made").unwrap();
    assert!(is_link(&folder.at("dangling")));
    assert_eq!(fs::read(folder.at("inner/later")).unwrap(), b"made");
    symlink("round", folder.at("round")).unwrap();
    assert!(write(&folder.at("round"), "x").is_err() && is_link(&folder.at("round")));
    // Anything but a regular file is written in place.
    write(Path::new("/dev/null"), "x").unwrap();
    assert!(fs::metadata("/dev/null").unwrap().file_type().is_char_device());
    if Path::new("/dev/full").exists() {
        check(Path::new("/dev/full")).unwrap();
        assert_eq!(write(Path::new("/dev/full"), "x").unwrap_err().kind(), io::ErrorKind::StorageFull);
    }
    let pipe = folder.pipe();
    let reader = std::thread::spawn({
        let pipe = pipe.clone();
        move || fs::read(pipe).unwrap()
    });
    write(&pipe, "through").unwrap();
    assert_eq!(reader.join().unwrap(), b"through");
    assert!(fs::metadata(&pipe).unwrap().file_type().is_fifo());
}

#[test]
#[cfg(all(target_os = "linux", feature = "attributes"))]
fn a_replaced_file_keeps_its_attributes_and_its_access_list() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new();
    let file = folder.at("file");
    fs::write(&file, "old").unwrap();
    // Version 2, then tag, rights and user: the owner, one user more, the group, the mask, all others.
    let entries: [(u16, u16, u32); 5] =
        [(1, 6, u32::MAX), (2, 4, 65534), (4, 0, u32::MAX), (16, 4, u32::MAX), (32, 0, u32::MAX)];
    let mut list = 2u32.to_le_bytes().to_vec();
    for (tag, rights, user) in entries {
        list.extend([tag.to_le_bytes(), rights.to_le_bytes()].concat());
        list.extend(user.to_le_bytes());
    }
    let kept = [(&b"user.note"[..], b"mine".to_vec()), (calls::ACCESS_LIST, list)];
    for (name, value) in &kept {
        if let Err(error) = rustix::fs::setxattr(&file, *name, value, rustix::fs::XattrFlags::empty()) {
            println!("skipped: the attributes of a replaced file: {error}");
            return;
        }
    }
    write(&file, "new").unwrap();
    assert_eq!(fs::read(&file).unwrap(), b"new");
    for (name, value) in &kept {
        let mut found = [0; 100];
        let length = rustix::fs::getxattr(&file, *name, &mut found[..]).unwrap();
        assert_eq!(&found[..length], value);
    }
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o7777, 0o640);
}

#[test]
#[cfg(target_os = "linux")]
fn a_mount_point_is_written_in_place() {
    const CHILD: &str = "WIRE_MOUNTED_CHILD";
    const MOUNT: &str = "mount --bind \"$1\" \"$2/page\"";
    const MOUNT_IN_FOLDER: &str =
        "mount --bind \"$2\" \"$2\"; mount --bind \"$1\" \"$2/page\"; mount -o remount,bind,ro \"$2\"";
    if let Some(path) = std::env::var_os(CHILD) {
        check(Path::new(&path)).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"the old text");
        write(Path::new(&path), "the new").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"the new");
        return;
    }
    let folder = Folder::new();
    for name in ["inner", "temporary"] {
        fs::create_dir(folder.at(name)).unwrap();
    }
    fs::write(folder.at("inner/page"), "below").unwrap();
    let inside = |script: &str, program: &Path| {
        let mut command = std::process::Command::new("unshare");
        command.args(["-Urm", "sh", "-ec", &format!("{script}; shift 2; exec \"$@\""), "sh"]);
        command.args([folder.at("page"), folder.at("inner"), program.to_owned()]);
        command
    };
    for script in [MOUNT, MOUNT_IN_FOLDER] {
        fs::write(folder.at("page"), "the old text").unwrap();
        if !inside(script, Path::new("true")).output().is_ok_and(|output| output.status.success()) {
            println!("skipped: nothing can be mounted here");
            return;
        }
        // Without the feature only a refused rename tells of a mount point.
        if script == MOUNT_IN_FOLDER && !cfg!(feature = "attributes") {
            continue;
        }
        let mut command = inside(script, &std::env::current_exe().unwrap());
        command.args(["--exact", "file::tests::a_mount_point_is_written_in_place"]);
        let output = command
            .env(CHILD, folder.at("inner/page"))
            .env("TMPDIR", folder.at("temporary"))
            .output()
            .unwrap();
        assert!(output.status.success(), "{script}: {output:?}");
        assert!(String::from_utf8_lossy(&output.stdout).contains("1 passed"), "{output:?}");
        assert_eq!(fs::read(folder.at("page")).unwrap(), b"the new");
        assert_eq!(fs::read(folder.at("inner/page")).unwrap(), b"below");
        let count = |name: &str| fs::read_dir(folder.at(name)).unwrap().count();
        assert_eq!((count("inner"), count("temporary")), (1, 0));
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_descriptor_is_written_in_place_behind_what_it_holds() {
    use std::os::fd::AsRawFd;
    let folder = Folder::new();
    let mut file = File::create(folder.at("a")).unwrap();
    file.write_all(b"before ").unwrap();
    write(Path::new(&format!("/dev/fd/{}", file.as_raw_fd())), "after").unwrap();
    assert_eq!(fs::read(folder.at("a")).unwrap(), b"before after");
}

#[test]
#[cfg(target_os = "linux")]
fn the_owner_is_kept() {
    use std::os::unix::fs::{MetadataExt, chown};
    let folder = Folder::new();
    fs::write(folder.at("a"), "old").unwrap();
    // Only the superuser can give a file away.
    if chown(folder.at("a"), Some(12345), Some(12345)).is_err() {
        return eprintln!("skipped: the owner of a file can only be changed by the administrator");
    }
    write(&folder.at("a"), "new").unwrap();
    let data = fs::metadata(folder.at("a")).unwrap();
    assert_eq!((data.uid(), data.gid()), (12345, 12345));
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
fn whichever_call_fails_an_append_adds_all_of_its_bytes_or_none() {
    for fault in Fault::ALL {
        let mut nth = 0;
        loop {
            let folder = Folder::new();
            fs::write(folder.at("a"), "one\n").unwrap();
            let (written, struck) = faults::with(fault, nth, || {
                let mut file = Appended::open(&folder.at("a"))?;
                file.append(b"two\n")?;
                file.sync()
            });
            let found = fs::read_to_string(folder.at("a")).unwrap();
            let context = format!("{fault:?} at call {nth}: {written:?}, {found:?}");
            assert!(found == "one\n" || found == "one\ntwo\n", "{context}");
            assert!(written.is_err() || found == "one\ntwo\n", "{context}");
            if !struck {
                break;
            }
            nth += 1;
        }
    }
}

#[test]
#[cfg(unix)]
fn a_file_that_somebody_else_takes_away_or_changes_is_appended_to_no_more() {
    type Harm = fn(&Folder);
    let harms: [(&str, Harm); 6] = [
        ("removed", |folder| fs::remove_file(folder.at("a")).unwrap()),
        ("renamed", |folder| fs::rename(folder.at("a"), folder.at("b")).unwrap()),
        ("replaced", |folder| {
            fs::write(folder.at("b"), "one\ntwo\n").unwrap();
            fs::rename(folder.at("b"), folder.at("a")).unwrap();
        }),
        ("emptied", |folder| fs::write(folder.at("a"), "").unwrap()),
        ("written anew", |folder| fs::write(folder.at("a"), "another, longer text").unwrap()),
        ("a folder", |folder| {
            fs::rename(folder.at("a"), folder.at("b")).unwrap();
            fs::create_dir(folder.at("a")).unwrap();
        }),
    ];
    for (how, harm) in harms {
        let folder = Folder::new();
        fs::write(folder.at("a"), "one\n").unwrap();
        std::os::unix::fs::symlink("a", folder.at("link")).unwrap();
        let mut file = Appended::open_alone(&folder.at("link")).unwrap();
        file.append(b"two\n").unwrap();
        file.check().unwrap();
        harm(&folder);
        let left = || ["a", "b"].map(|name| fs::read(folder.at(name)).ok());
        let before = left();
        for told in [file.append(b"three\n"), file.cut(4), file.sync(), file.check()] {
            let told = told.expect_err(how);
            assert_eq!(told.to_string(), "another program removed, replaced or changed it", "{how}");
        }
        assert_eq!(left(), before, "{how}");
    }
    let mut device = Appended::open(Path::new("/dev/null")).unwrap();
    device.append(b"x").and_then(|()| device.check()).unwrap();
    // What a program wrote before it gave the file free is no change.
    let folder = Folder::new();
    let (mut first, second) =
        (Appended::open_alone(&folder.at("a")).unwrap(), Appended::open(&folder.at("a")).unwrap());
    first.append(b"one\n").unwrap();
    drop(first);
    second.alone().unwrap().append(b"two\n").unwrap();
    assert_eq!(fs::read(folder.at("a")).unwrap(), b"one\ntwo\n");
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
fn a_file_that_another_program_writes_to_is_not_replaced() {
    let folder = Folder::new();
    let path = folder.at("record");
    let mut record = Appended::open_alone(&path).unwrap();
    record.append(b"game\n").unwrap();
    for told in [check(&path), write(&path, "page")] {
        assert_eq!(told.unwrap_err().to_string(), "another program writes to it");
    }
    record.append(b"game\n").unwrap();
    assert_eq!((fs::read(&path).unwrap(), folder.count()), (b"game\ngame\n".to_vec(), 1));
    drop(record);
    check(&path).and_then(|()| write(&path, "page")).unwrap();
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

#[test]
#[cfg(unix)]
fn a_provisional_file_goes_while_it_is_empty() {
    const CHILD: &str = "WIRE_PROVISIONAL_CHILD";
    let folder = Folder::new();
    let [empty, written, kept] = ["empty", "written", "kept"].map(|name| folder.at(name));
    let open = || {
        let mut files = [&empty, &written, &kept].map(|path| Appended::provisional(path).unwrap());
        files[1].append(b"x").unwrap();
        files[2].keep();
        files
    };
    let left = || [&empty, &written, &kept].map(|path| path.exists());
    if std::env::var_os(CHILD).is_some() {
        // Whatever is dropped after it waits for the exit.
        std::mem::forget(open());
        remove_unfinished();
        assert_eq!(left(), [false, true, true]);
        return;
    }
    let files = open();
    assert_eq!(left(), [true; 3]);
    drop(files);
    assert_eq!(left(), [false, true, true]);
    fs::write(&empty, "").unwrap();
    drop(Appended::provisional(&empty).unwrap());
    assert!(empty.exists(), "it was there before");
    crate::testing::child(module_path!(), "a_provisional_file_goes_while_it_is_empty", CHILD);
}
