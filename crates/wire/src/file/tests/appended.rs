//! Files that grow.

use super::*;

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
fn nothing_that_is_appended_while_a_file_is_replaced_is_lost() {
    for begins in [
        |path: &Path| Replacement::create(path),
        |path: &Path| Appended::provisional(path)?.alone()?.replacement(),
    ] {
        let folder = Folder::new();
        let path = folder.at("record");
        fs::write(&path, "old\n").unwrap();
        let mut page = begins(&path).unwrap();
        let waiting = Appended::open(&path).unwrap();
        let run = std::thread::spawn(move || waiting.alone()?.append(b"game\n"));
        std::thread::sleep(std::time::Duration::from_millis(100));
        page.write_all(b"new\n").unwrap();
        page.finish().unwrap();
        run.join().unwrap().unwrap();
        assert_eq!((fs::read(&path).unwrap(), folder.count()), (b"new\ngame\n".to_vec(), 1));
    }
}

#[test]
#[cfg(unix)]
fn a_file_that_another_program_created_meanwhile_is_neither_replaced_nor_removed() {
    let folder = Folder::new();
    let path = folder.at("record");
    let page = Replacement::create(&path).unwrap();
    let mut record = Appended::open_alone(&path).unwrap();
    assert_eq!(page.finish().unwrap_err().to_string(), "another program writes to it");
    record.append(b"game\n").unwrap();
    drop((record, fs::remove_file(&path)));
    // Whoever created it was slower.
    let slow = Appended::provisional(&path).unwrap();
    let mut record = Appended::provisional(&path).unwrap().alone().unwrap();
    assert_eq!(slow.alone().unwrap_err().to_string(), "another program writes to it");
    record.append(b"game\n").unwrap();
    assert_eq!((fs::read(&path).unwrap(), folder.count()), (b"game\n".to_vec(), 1));
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
