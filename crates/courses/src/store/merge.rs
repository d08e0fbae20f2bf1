//! Merges the shards of a run.

use super::{Head, StoreError, difference, first_line, line_of, load};
use crate::record::Record;
use std::collections::BTreeSet;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use wire::file::{Appended, Replacement};

/// Merges the files of a run's shards into one, sorted by game. An existing output file is replaced if the parts
/// contain all of its games.
///
/// # Errors
/// [`StoreError`], also if a game occurs twice.
pub fn merge(parts: &[PathBuf], into: &Path) -> Result<(Head, Vec<Record>), StoreError> {
    let mut all: Option<(Head, Vec<Record>)> = None;
    for path in parts {
        let (head, records) = load(path)?;
        match &mut all {
            None => all = Some((head, records)),
            Some((first, joined)) => {
                if let Some(what) = difference(first, &head) {
                    return Err(StoreError::Other { path: path.clone(), what });
                }
                joined.extend(records);
            }
        }
    }
    let missing = || StoreError::Other { path: into.to_owned(), what: "no file to merge".into() };
    let (head, mut records) = all.ok_or_else(missing)?;
    records.sort_by_key(|record| record.game);
    if let Some(twice) = records.windows(2).find(|pair| pair[0].game == pair[1].game) {
        let what = format!("game {} occurs twice", twice[0].game);
        return Err(StoreError::Other { path: into.to_owned(), what });
    }
    let file = begin(into, &head, &records)?;
    write(file, &head, &records).map_err(|error| StoreError::Io { path: into.to_owned(), error })?;
    Ok((head, records))
}

/// Locks the output, which is created if it does not exist, and begins the file that will replace it.
fn begin(into: &Path, head: &Head, records: &[Record]) -> Result<Replacement, StoreError> {
    let io = |error| StoreError::Io { path: into.to_owned(), error };
    let old = Appended::provisional(into).and_then(Appended::alone).map_err(io)?;
    if old.file().metadata().map_err(io)?.len() > 0 {
        check_output(into, head, records)?;
    }
    old.replacement().map_err(io)
}

/// Checks that the merged file may replace an existing one.
fn check_output(into: &Path, head: &Head, records: &[Record]) -> Result<(), StoreError> {
    let (found, there) = load(into)?;
    if let Some(what) = difference(head, &found) {
        return Err(StoreError::Other { path: into.to_owned(), what });
    }
    let joined: BTreeSet<u64> = records.iter().map(|record| record.game).collect();
    let lost: BTreeSet<u64> =
        there.iter().map(|record| record.game).filter(|game| !joined.contains(game)).collect();
    match lost.first() {
        Some(&first) => Err(StoreError::Lost { path: into.to_owned(), count: lost.len(), first }),
        None => Ok(()),
    }
}

/// Writes a record file.
fn write(into: Replacement, head: &Head, records: &[Record]) -> io::Result<()> {
    let mut file = BufWriter::new(into);
    file.write_all(&first_line(head)?)?;
    for record in records {
        file.write_all(&line_of(record)?)?;
    }
    file.into_inner()?.finish()
}

#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "tests make files as they like")]
mod tests {
    use super::super::Store;
    use super::super::tests::{head, record};
    use super::*;

    #[test]
    fn shards_are_joined_in_order_and_no_game_twice() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        for (name, games) in [("a", [0, 2]), ("b", [3, 1])] {
            let (mut store, _) = Store::open(&path(name), &head()).unwrap();
            for game in games {
                store.push(&record(game)).unwrap();
            }
        }
        let (_, records) = merge(&[path("a"), path("b")], &path("c")).unwrap();
        assert_eq!(records.iter().map(|record| record.game).collect::<Vec<_>>(), [0, 1, 2, 3]);
        assert_eq!(load(&path("c")).unwrap().1, records);
        assert!(
            merge(&[path("a"), path("a")], &path("d"))
                .unwrap_err()
                .to_string()
                .contains("game 0 occurs twice")
        );
    }

    #[test]
    fn an_output_whose_games_the_parts_do_not_hold_stays() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        for (name, games) in [("a", &[0, 2][..]), ("b", &[1]), ("whole", &[0, 1, 2, 3, 4])] {
            let (mut store, _) = Store::open(&path(name), &head()).unwrap();
            games.iter().for_each(|&game| store.push(&record(game)).unwrap());
        }
        let before = std::fs::read(path("whole")).unwrap();
        let error = merge(&[path("a"), path("b")], &path("whole")).unwrap_err().to_string();
        assert!(error.ends_with("whole holds 2 games that the parts do not, from game 3 on"), "{error}");
        assert_eq!(std::fs::read(path("whole")).unwrap(), before);
        // The output may grow, and may be one of the parts.
        merge(&[path("a")], &path("c")).unwrap();
        assert_eq!(merge(&[path("a"), path("b")], &path("c")).unwrap().1.len(), 3);
        std::fs::write(path("b"), std::fs::read(path("whole")).unwrap()).unwrap();
        assert_eq!(merge(&[path("b")], &path("c")).unwrap().1.len(), 5);
        assert_eq!(merge(&[path("c")], &path("c")).unwrap().1.len(), 5);
    }

    #[test]
    fn no_run_plays_in_an_output_while_it_is_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("whole");
        for is_old in [false, true] {
            let file = begin(&path, &head(), &[record(0)]).unwrap();
            assert!(matches!(Store::open(&path, &head()), Err(StoreError::Busy(_))));
            drop(file);
            assert_eq!(path.exists(), is_old);
            let file = begin(&path, &head(), &[record(0)]).unwrap();
            let later = std::thread::spawn({
                let path = path.clone();
                move || Store::open(&path, &head()).and_then(|(mut store, _)| store.push(&record(1)))
            });
            std::thread::sleep(std::time::Duration::from_millis(100));
            write(file, &head(), &[record(0)]).unwrap();
            later.join().unwrap().unwrap();
            assert_eq!(load(&path).unwrap().1, [record(0), record(1)]);
            std::fs::write(&path, first_line(&head()).unwrap()).unwrap();
        }
    }

    #[test]
    fn shards_of_other_conditions_are_not_joined_and_those_of_older_referees_are() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let of = |conditions: &str| Head { conditions: conditions.into(), ..head() };
        for (nth, (name, conditions)) in
            [("a", "x"), ("b", "y"), ("old", ""), ("older", "")].into_iter().enumerate()
        {
            let (mut store, _) = Store::open(&path(name), &of(conditions)).unwrap();
            store.push(&record(nth as u64)).unwrap();
        }
        let error = merge(&[path("a"), path("b")], &path("c")).unwrap_err().to_string();
        assert!(error.ends_with("b holds another run: conditions y instead of x"), "{error}");
        let error = merge(&[path("a"), path("old")], &path("c")).unwrap_err().to_string();
        assert!(error.contains("old holds another run: one of the two records lacks its limits"), "{error}");
        assert_eq!(merge(&[path("old"), path("older")], &path("c")).unwrap().1.len(), 2);
        let error = Store::open(&path("old"), &of("x")).unwrap_err().to_string();
        assert!(error.contains("an older referee wrote it") && error.lines().count() == 1, "{error}");
    }
}
