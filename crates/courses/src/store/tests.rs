//! Tests of record files.

use super::*;
use crate::record::Played;
use std::fs::OpenOptions;
use std::io::Write;

pub(super) fn head() -> Head {
    Head {
        course: "draughts".into(),
        setting: "plain".into(),
        conditions: String::new(),
        players: vec!["builtin:random".into(); 2],
        names: vec!["a".into(), "b".into()],
        seats: 2,
        format: Format::RoundRobin,
        seed: 1,
        time: None,
        programs: vec!["1f".into(), String::new()],
        ranking: None,
        sandbox: String::new(),
    }
}

pub(super) fn record(game: u64) -> Record {
    Record {
        game,
        group: game / 2,
        course: "draughts".into(),
        seats: vec![0, 1],
        names: vec!["a".into(), "b".into()],
        opening: String::new(),
        seed: 7,
        played: Played {
            moves: vec!["40".into()],
            movers: vec![0],
            micros: vec![1],
            points: vec![1.0, 0.0],
            score: vec![1.0, 0.0],
            cpu: vec![0, 0],
            ..Played::default()
        },
    }
}

#[test]
fn a_line_cut_short_is_taken_away_and_the_rest_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.jsonl");
    let (mut store, records) = Store::open(&path, &head()).unwrap();
    assert!(records.is_empty());
    store.push(&record(0)).unwrap();
    drop(store);
    let whole = std::fs::metadata(&path).unwrap().len();
    OpenOptions::new().append(true).open(&path).unwrap().write_all(b"{\"game\":1,\"gro").unwrap();
    let (mut store, records) = Store::open(&path, &head()).unwrap();
    assert_eq!(records, [record(0)]);
    assert_eq!(std::fs::metadata(&path).unwrap().len(), whole);
    store.push(&record(1)).unwrap();
    assert_eq!(load(&path).unwrap(), (head(), vec![record(0), record(1)]));
    drop(store);
    // An editor has left out the end of the last line.
    let length = std::fs::metadata(&path).unwrap().len();
    OpenOptions::new().write(true).open(&path).unwrap().set_len(length - 1).unwrap();
    assert_eq!(load(&path).unwrap(), (head(), vec![record(0), record(1)]));
    let (mut store, records) = Store::open(&path, &head()).unwrap();
    assert_eq!(records, [record(0), record(1)]);
    store.push(&record(2)).unwrap();
    assert_eq!(load(&path).unwrap(), (head(), vec![record(0), record(1), record(2)]));
}

#[test]
fn a_record_with_a_byte_order_mark_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.jsonl");
    let (mut store, _) = Store::open(&path, &head()).unwrap();
    store.push(&record(0)).unwrap();
    drop(store);
    let text = std::fs::read_to_string(&path).unwrap();
    // So many that a call for each would overflow the stack.
    std::fs::write(&path, "\u{feff}".repeat(1_000_000) + &text).unwrap();
    let (mut store, records) = Store::open(&path, &head()).unwrap();
    assert_eq!(records, [record(0)]);
    store.push(&record(1)).unwrap();
    assert_eq!(load(&path).unwrap(), (head(), vec![record(0), record(1)]));
    drop(store);
    let wide: Vec<u8> = format!("\u{feff}{text}").encode_utf16().flat_map(u16::to_le_bytes).collect();
    std::fs::write(&path, &wide).unwrap();
    let error = Store::open(&path, &head()).unwrap_err().to_string();
    assert!(error.ends_with("line 1: the file is UTF-16: UTF-8 is expected"), "{error}");
    assert_eq!(std::fs::read(&path).unwrap(), wide);
}

#[test]
fn another_runs_file_and_one_in_use_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.jsonl");
    let (store, _) = Store::open(&path, &head()).unwrap();
    assert!(matches!(Store::open(&path, &head()), Err(StoreError::Busy(_))));
    drop(store);
    let error = Store::open(&path, &Head { seed: 2, ..head() }).unwrap_err().to_string();
    assert!(error.ends_with("holds another run: seed 1 instead of 2"), "{error}");
    let programs = vec!["2f".into(), String::new()];
    let error = Store::open(&path, &Head { programs, ..head() }).unwrap_err().to_string();
    assert!(error.ends_with("holds another run: the program of \"a\" has changed"), "{error}");
    // The record of an older referee does not contain it.
    let old = path.with_extension("old");
    drop(Store::open(&old, &Head { programs: Vec::new(), ..head() }).unwrap());
    assert!(Store::open(&old, &head()).is_ok());
    std::fs::write(&path, "not json\n").unwrap();
    assert!(Store::open(&path, &head()).unwrap_err().to_string().contains("line 1"));
}

#[test]
fn until_a_run_begins_an_old_file_is_as_it_was_and_a_new_one_goes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.jsonl");
    drop(Store::prepare(&path, &head(), |_, _| ()).unwrap());
    assert!(!path.exists());
    // A link that leads nowhere yet stays a link.
    #[cfg(unix)]
    {
        let link = folder.path().join("link");
        std::os::unix::fs::symlink(&path, &link).unwrap();
        drop(Store::prepare(&link, &head(), |_, _| ()).unwrap());
        assert!(!path.exists() && std::fs::read_link(&link).is_ok());
    }
    let (mut store, _) = Store::prepare(&path, &head(), |_, _| ()).unwrap();
    store.begin().unwrap();
    drop(store);
    assert_eq!(load(&path).unwrap(), (head(), Vec::new()), "a run without games");
    OpenOptions::new().append(true).open(&path).unwrap().write_all(b"{\"game\":1,\"gro").unwrap();
    let before = std::fs::read(&path).unwrap();
    drop(Store::prepare(&path, &head(), |_, _| ()).unwrap());
    assert_eq!(std::fs::read(&path).unwrap(), before);
    let (mut store, _) = Store::prepare(&path, &head(), |_, _| ()).unwrap();
    store.push(&record(0)).unwrap();
    assert_eq!(load(&path).unwrap(), (head(), vec![record(0)]));
}

/// Asserts that a file is refused and not changed.
fn is_refused(text: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("f");
    std::fs::write(&path, text).unwrap();
    let error = Store::open(&path, &head()).unwrap_err().to_string();
    assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
    error
}

#[test]
fn what_is_no_record_is_never_written_to() {
    assert!(is_refused("IMPORTANT").contains("line 1"));
    assert!(is_refused("{\"run\": 1}").contains("line 1"));
    let first = String::from_utf8(first_line(&head()).unwrap()).unwrap();
    assert!(is_refused(&format!("{first}a note of mine")).contains("line 2"));
    assert!(matches!(Store::open(Path::new("/dev/null"), &head()), Err(StoreError::Special(_))));
    let long = is_refused(&format!("{first}{{\"game\": \"{}\"}}\n", "x".repeat(1 << 16)));
    assert!(long.len() < 1000 && long.contains("line 2: ") && long.contains("expected u"), "{long}");
    // An incomplete head is this run's own.
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("f");
    std::fs::write(&path, &first[..first.len() / 2]).unwrap();
    assert!(Store::open(&path, &head()).is_ok());
    assert_eq!(std::fs::read_to_string(&path).unwrap(), first);
    // Merging only replaces a file of the same run.
    std::fs::write(folder.path().join("g"), "IMPORTANT\n").unwrap();
    assert!(merge(&[path], &folder.path().join("g")).is_err());
    assert_eq!(std::fs::read_to_string(folder.path().join("g")).unwrap(), "IMPORTANT\n");
}

#[test]
fn a_record_that_does_not_fit_its_run_is_refused_with_line_and_field() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.jsonl");
    let refused = |change: &dyn Fn(&mut Record)| {
        let mut wrong = record(1);
        change(&mut wrong);
        let lines = [first_line(&head()).unwrap(), line_of(&record(0)).unwrap(), line_of(&wrong).unwrap()];
        std::fs::write(&path, lines.concat()).unwrap();
        let loaded = load(&path).unwrap_err().to_string();
        assert_eq!(loaded, Store::open(&path, &head()).unwrap_err().to_string());
        assert_eq!(
            loaded,
            merge(std::slice::from_ref(&path), &folder.path().join("joined")).unwrap_err().to_string()
        );
        loaded.split_once(", line 3: field ").unwrap_or_else(|| panic!("{loaded}")).1.to_owned()
    };
    let fault = || crate::fault::Fault::illegal("x");
    assert_eq!(refused(&|r| r.seats = vec![0]), "seats: 1 instead of 2");
    assert_eq!(refused(&|r| r.seats = vec![0, 2]), "seats: player 2 of 2");
    assert_eq!(refused(&|r| r.seats = vec![1, 1]), "seats: player 1 sits twice");
    assert_eq!(refused(&|r| r.names = vec![]), "names: 0 instead of 2");
    assert_eq!(refused(&|r| r.played.points = vec![1.0]), "points: 1 instead of 2");
    assert_eq!(refused(&|r| r.played.points = vec![1.0, 2.0]), "points: 2 is not between 0 and 1");
    let all = "points: 2 in all, and a game of 2 gives 1.000";
    assert_eq!(refused(&|r| r.played.points = vec![1.0, 1.0]), all);
    assert_eq!(refused(&|r| r.played.score = vec![1.0; 3]), "score: 3 instead of 2");
    assert_eq!(refused(&|r| r.played.movers = vec![]), "movers: 0 instead of 1");
    assert_eq!(refused(&|r| r.played.movers = vec![2]), "movers: seat 2 of 2");
    let late = || vec![(1, crate::record::Missed::Late)];
    assert_eq!(refused(&|r| r.played.missed = late()), "missed: move 1 of 1");
    assert_eq!(refused(&|r| r.played.micros = vec![1, 1]), "micros: 2 instead of 1");
    assert_eq!(refused(&|r| r.played.faults = vec![(2, fault())]), "faults: seat 2 of 2");
    assert_eq!(refused(&|r| r.played.remarks = vec![(2, "x".into())]), "remarks: seat 2 of 2");
    assert_eq!(refused(&|r| r.played.errors = vec!["x".into()]), "errors: 1 instead of 2");
    assert_eq!(refused(&|r| r.course = "chess".into()), "course: \"chess\" in a run of draughts");
    assert_eq!(refused(&|r| r.game = 0), "game: game 0 occurs twice");
}

#[test]
fn a_line_without_end_is_refused_in_bounded_memory() {
    let file = tempfile::NamedTempFile::new().unwrap();
    file.as_file().set_len(1 << 40).unwrap();
    let error = load(file.path()).unwrap_err().to_string();
    assert!(error.contains(", line 1: longer than"), "{error}");
    assert!(load(Path::new("/dev/zero")).unwrap_err().to_string().contains("not a plain file"));
}

/// Plays games into a record through every fault at every call: what was told as kept is there, every line is whole,
/// the message names the file, and the run goes on.
#[test]
fn whichever_call_fails_a_record_holds_its_games_and_goes_on() {
    use wire::file::faults::{self, Fault};
    for fault in Fault::ALL {
        for nth in 0.. {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("run.jsonl");
            let mut kept = Vec::new();
            let mut told = None;
            let ((), struck) = faults::with(fault, nth, || {
                let opened = Store::open(&path, &head());
                let Ok((mut store, _)) = opened.inspect_err(|error| told = Some(error.to_string())) else {
                    return;
                };
                for game in 0..3 {
                    match store.push(&record(game)) {
                        Ok(()) => kept.push(record(game)),
                        Err(error) => return told = Some(error.to_string()),
                    }
                }
                told = store.sync().err().map(|error| error.to_string());
            });
            let context = format!("{fault:?} at call {nth}: {told:?}");
            let is_named = |text: &String| text.contains("run.jsonl");
            assert!(told.as_ref().is_none_or(is_named), "{context}");
            // The last call of a run carries no bytes.
            let is_fatal = !fault.is_harmless() && fault != Fault::ShortThenFull;
            assert_eq!(told.is_some(), struck && (is_fatal || kept.len() < 3), "{context}");
            let Ok((mut store, found)) = Store::open(&path, &head()) else {
                panic!("{context}: it cannot be gone on with")
            };
            // A power cut may take what was not yet on the disk, and nothing before it.
            assert!(kept.starts_with(&found), "{context}");
            assert!(fault == Fault::PowerCut || found == kept, "{context}");
            store.push(&record(9)).unwrap();
            assert_eq!(load(&path).unwrap().1.len(), found.len() + 1, "{context}");
            if !struck {
                assert!(nth > 4, "{context}");
                break;
            }
        }
    }
}
