//! Report cards kept in a file between runs, one a line, each with its marking.

use super::Marked;
use super::class::Entry;
use courses::fault::shortened;
use courses::store::check_encoding;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use wire::file::Appended;
use wire::{Failure, text};

/// The definition of a marking. Equal markings ask a program the same questions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Marking {
    /// The name of the assignment.
    pub course: String,
    /// True for fewer tests and games.
    pub quick: bool,
    /// The seed of all random choices.
    pub seed: u64,
    /// The limits of the command line, in words.
    pub limits: String,
    /// The opponents in addition to the built-in ones, as written.
    pub against: Vec<String>,
    /// The fingerprints of the opponents' programs.
    pub programs: Vec<String>,
}

impl Marking {
    /// Returns the first difference to the marking of a file's card.
    fn difference(&self, found: &Self) -> Option<String> {
        let show = |name: &str, here: String, there: String| {
            (here != there).then(|| format!("{name} {there} instead of {here}"))
        };
        let depth = |quick: bool| if quick { "a quick look" } else { "the whole scheme" }.to_owned();
        show("assignment", self.course.clone(), found.course.clone())
            .or_else(|| show("tests:", depth(self.quick), depth(found.quick)))
            .or_else(|| show("seed", self.seed.to_string(), found.seed.to_string()))
            .or_else(|| show("limits:", self.limits.clone(), found.limits.clone()))
            .or_else(|| show("opponents", format!("{:?}", self.against), format!("{:?}", found.against)))
            .or_else(|| {
                let mut programs = self.against.iter().zip(self.programs.iter().zip(&found.programs));
                programs.find(|(_, (now, then))| now != then).map(|(text, _)| rebuilt(text))
            })
    }
}

fn rebuilt(name: &str) -> String {
    format!("the program of \"{name}\" has changed")
}

/// A line of the file.
#[derive(Serialize, Deserialize)]
struct Line {
    /// Missing in files of older referees.
    #[serde(default)]
    marking: Option<Marking>,
    /// The fingerprint of the marked program.
    #[serde(default)]
    program: String,
    #[serde(flatten)]
    marked: Marked,
}

/// The file of the cards, open for this referee alone.
#[derive(Debug)]
pub struct Kept {
    path: PathBuf,
    file: Appended,
}

impl Kept {
    /// Opens the file.
    ///
    /// # Errors
    /// The system's error, or another referee has it.
    pub fn open(path: &Path) -> Result<Self, Failure> {
        let failed = |error: std::io::Error| Failure::input(format!("{}: {error}", path.display()));
        let mut file = Appended::provisional(path).map_err(failed)?;
        if !file.is_special() && file.lock().is_err() {
            return Err(Failure::input(format!("{} is in use by another referee", path.display())));
        }
        Ok(Self { path: path.to_owned(), file })
    }

    /// Loads the cards of these programs, each with its present fingerprint.
    ///
    /// # Errors
    /// If a line is not a card, a card has another marking, or a program has changed.
    pub fn load(&mut self, marking: &Marking, programs: &[(Entry, String)]) -> Result<Vec<Marked>, Failure> {
        let Self { path, file } = self;
        let wrong = |error: String| Failure::input(format!("{}: {error}", path.display()));
        let other =
            |what: String| Failure::input(format!("{} holds another marking: {what}", path.display()));
        let bytes = text::read_bytes(path, text::MAX_FILE).map_err(|error| wrong(error.to_string()))?;
        check_encoding(&bytes).map_err(|error| wrong(error.to_string()))?;
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        let last = &bytes[whole..];
        let is_cut = serde_json::from_slice::<Line>(last).is_err() && was_cut_short(last, marking);
        let text = text::decode(if is_cut { &bytes[..whole] } else { &bytes });
        let mut cards = Vec::new();
        let mut named: HashMap<&str, Vec<usize>> = HashMap::new();
        for (nth, (entry, _)) in programs.iter().enumerate() {
            named.entry(&entry.name).or_default().push(nth);
        }
        let mut has_card = vec![false; programs.len()];
        for (line, text) in (1..).zip(text.lines()) {
            let bad =
                |error: serde_json::Error| wrong(format!("line {line}: {}", shortened(&error.to_string())));
            let kept: Line = serde_json::from_str(text).map_err(bad)?;
            let Some(found) = kept.marking else {
                return Err(other(format!(
                    "line {line} does not tell how it was marked, for an older referee wrote it"
                )));
            };
            if let Some(what) = marking.difference(&found) {
                return Err(other(what));
            }
            let player = &kept.marked.player;
            let candidates = named.get(&*player.name).map_or(&[][..], Vec::as_slice);
            let was_moved = |&&nth: &&usize| {
                let (entry, program) = &programs[nth];
                !has_card[nth] && *program == kept.program && entry.was_moved(player)
            };
            let same = candidates.iter().find(|nth| programs[**nth].0.is(player));
            let Some(&nth) = same.or_else(|| candidates.iter().find(was_moved)) else { continue };
            let (entry, program) = &programs[nth];
            if *program != kept.program {
                return Err(other(rebuilt(&entry.name)));
            }
            has_card[nth] = true;
            cards.push(Marked { player: entry.clone(), ..kept.marked });
        }
        // Not before all of it is known to be a record of this marking.
        if !last.is_empty() {
            let finished = if is_cut { file.cut(whole as u64) } else { file.append(b"\n") };
            finished.map_err(|error| wrong(error.to_string()))?;
        }
        Ok(cards)
    }

    /// Appends the card of a program with this fingerprint.
    ///
    /// # Errors
    /// The system's error, or another program has removed, replaced or changed the file.
    pub fn append(&mut self, marking: &Marking, program: &str, marked: &Marked) -> Result<(), Failure> {
        let failed = |error: std::io::Error| Failure::run(format!("{}: {error}", self.path.display()));
        let kept =
            Line { marking: Some(marking.clone()), program: program.to_owned(), marked: marked.clone() };
        let mut line = serde_json::to_vec(&kept).map_err(|error| failed(error.into()))?;
        line.push(b'\n');
        self.file.append(&line).and_then(|()| self.file.sync()).map_err(failed)
    }

    /// Checks that no other program has removed, replaced or changed the file.
    ///
    /// # Errors
    /// Such a change, or the system's error.
    pub fn check(&self) -> Result<(), Failure> {
        self.file.check().map_err(|error| Failure::run(format!("{}: {error}", self.path.display())))
    }
}

/// Returns true if a line without its end is the beginning of a card that this marking would have written.
fn was_cut_short(line: &[u8], marking: &Marking) -> bool {
    let marking = serde_json::to_string(marking).unwrap_or_default();
    let begun = format!("{{\"marking\":{marking},");
    !line.is_empty() && (line.starts_with(begun.as_bytes()) || begun.as_bytes().starts_with(line))
}

#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "tests make files as they like")]
mod tests {
    use super::*;
    use courses::marking::{Card, Item};

    fn load(path: &Path, marking: &Marking, programs: &[(Entry, String)]) -> Result<Vec<Marked>, Failure> {
        Kept::open(path)?.load(marking, programs)
    }

    fn append(path: &Path, marking: &Marking, program: &str, marked: &Marked) -> Result<(), Failure> {
        Kept::open(path)?.append(marking, program, marked)
    }

    fn marking() -> Marking {
        Marking {
            course: "chess".into(),
            quick: true,
            seed: 1,
            limits: "no time limit".into(),
            against: vec!["x=./x".into()],
            programs: vec!["1f".into()],
        }
    }

    #[test]
    fn cards_of_another_marking_or_program_are_not_handed_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("cards");
        let entry = Entry::new("Ana", "./ana");
        let item = Item { name: "a".into(), points: Some(1.0), of: 2.0, notes: Vec::new() };
        let card = Card::new("t".into(), vec![item]);
        let marked = Marked { player: entry.clone(), card, crashes: 0, games: Vec::new() };
        let programs = |program: &str| [(entry.clone(), program.to_owned())];
        assert_eq!(load(&path, &marking(), &programs("2a")).unwrap(), []);
        append(&path, &marking(), "2a", &marked).unwrap();
        assert_eq!(load(&path, &marking(), &programs("2a")).unwrap(), std::slice::from_ref(&marked));
        let refused = |marking: &Marking, program: &str| {
            let error = load(&path, marking, &programs(program)).unwrap_err().to_string();
            error
                .split_once("cards holds another marking: ")
                .unwrap_or_else(|| panic!("{error}"))
                .1
                .to_owned()
        };
        assert_eq!(refused(&marking(), "2b"), "the program of \"Ana\" has changed");
        for (other, what) in [
            (Marking { course: "go".into(), ..marking() }, "assignment chess instead of go"),
            (Marking { quick: false, ..marking() }, "tests: a quick look instead of the whole scheme"),
            (Marking { seed: 2, ..marking() }, "seed 1 instead of 2"),
            (Marking { limits: "50 ms".into(), ..marking() }, "limits: no time limit instead of 50 ms"),
            (Marking { against: Vec::new(), ..marking() }, "opponents [\"x=./x\"] instead of []"),
            (Marking { programs: vec!["3c".into()], ..marking() }, "the program of \"x=./x\" has changed"),
        ] {
            assert_eq!(refused(&other, "2a"), what);
        }
        let marked_file = [b"\xef\xbb\xbf".to_vec(), std::fs::read(&path).unwrap()].concat();
        std::fs::write(&path, marked_file).unwrap();
        assert_eq!(load(&path, &marking(), &programs("2a")).unwrap().len(), 1, "with a byte order mark");
        let wide = String::from_utf8(std::fs::read(&path).unwrap()).unwrap();
        let other = folder.path().join("wide");
        let wide: Vec<u8> = wide.encode_utf16().flat_map(u16::to_le_bytes).collect();
        std::fs::write(&other, &wide).unwrap();
        let error = load(&other, &marking(), &programs("2a")).unwrap_err().to_string();
        assert!(error.ends_with("wide: the file is UTF-16: UTF-8 is expected"), "{error}");
        assert_eq!(std::fs::read(&other).unwrap(), wide);
        // Other programs are marked anew, whatever the file contains.
        assert_eq!(load(&path, &marking(), &[]).unwrap(), []);
        std::fs::write(&path, serde_json::to_string(&marked).unwrap() + "\n").unwrap();
        assert!(refused(&marking(), "2a").starts_with("line 1 does not tell how it was marked"));
    }

    #[test]
    fn a_class_that_was_moved_has_its_cards() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("cards");
        let entry = |place: &str| Entry { folder: Some(place.into()), ..Entry::new("Ana", "") };
        let card = Card::new("t".into(), Vec::new());
        let marked = Marked { player: entry("a/ana"), card, crashes: 0, games: Vec::new() };
        append(&path, &marking(), "2a", &marked).unwrap();
        append(&path, &marking(), "2a", &marked).unwrap();
        let loaded = |place: &str, program: &str| {
            let programs = [(entry(place), program.to_owned())];
            let cards = load(&path, &marking(), &programs).unwrap();
            cards.into_iter().map(|card| card.player.folder.unwrap()).collect::<Vec<_>>()
        };
        assert_eq!(loaded("b/ana", "2a"), [Path::new("b/ana")], "once");
        // Another student of that name, or other work.
        assert!(loaded("b/bo", "2a").is_empty() && loaded("b/ana", "2b").is_empty());
    }

    #[test]
    fn a_large_class_that_was_moved_has_its_cards_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("cards");
        let entry = |place: &str, nth: u32| Entry {
            folder: Some(format!("{place}/{nth}").into()),
            ..Entry::new(&format!("student {nth}"), "")
        };
        let line = |nth| {
            let card = Card::new("t".into(), Vec::new());
            let marked = Marked { player: entry("a", nth), card, crashes: 0, games: Vec::new() };
            let line = Line { marking: Some(marking()), program: "2a".into(), marked };
            serde_json::to_string(&line).unwrap() + "\n"
        };
        std::fs::write(&path, (0..3000).map(line).collect::<String>()).unwrap();
        let programs: Vec<_> = (0..3000).map(|nth| (entry("b", nth), "2a".to_owned())).collect();
        let began = std::time::Instant::now();
        assert_eq!(load(&path, &marking(), &programs).unwrap().len(), 3000);
        assert!(began.elapsed().as_secs() < 5, "{:?}", began.elapsed());
    }

    #[test]
    fn whichever_call_fails_the_cards_before_it_are_handed_back() {
        use wire::file::faults::{self, Fault};
        let entry = Entry::new("Ana", "./ana");
        let programs = [(entry.clone(), "2a".to_owned())];
        let marked =
            Marked { player: entry, card: Card::new("t".into(), Vec::new()), crashes: 0, games: Vec::new() };
        for fault in Fault::ALL {
            for nth in 0.. {
                let folder = tempfile::tempdir().unwrap();
                let path = folder.path().join("cards");
                append(&path, &marking(), "2a", &marked).unwrap();
                let (kept, struck) = faults::with(fault, nth, || append(&path, &marking(), "2a", &marked));
                let context = format!("{fault:?} at call {nth}: {kept:?}");
                let found = load(&path, &marking(), &programs).unwrap().len();
                // What was written before the disk failed to sync may be there.
                assert!(found == 2 || kept.is_err() && found == 1, "{context}, {found} cards");
                assert!(kept.err().is_none_or(|error| error.to_string().contains("cards: ")), "{context}");
                if !struck {
                    break;
                }
            }
        }
    }

    #[test]
    fn a_card_cut_at_any_byte_is_taken_away_and_a_whole_one_without_line_end_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("cards");
        let marked = |name: &str| Marked {
            player: Entry::new(name, "./bot"),
            card: Card::new("t".into(), Vec::new()),
            crashes: 0,
            games: Vec::new(),
        };
        let both = ["Zo\u{e9}", "\u{c9}lo\u{ef}se"].map(marked);
        let programs = both.clone().map(|marked| (marked.player, "1f".to_owned()));
        both.iter().for_each(|marked| append(&path, &marking(), "1f", marked).unwrap());
        let whole = std::fs::read(&path).unwrap();
        let first = whole.iter().position(|&byte| byte == b'\n').unwrap() + 1;
        for length in 0..=whole.len() {
            std::fs::write(&path, &whole[..length]).unwrap();
            let count = [first - 1, whole.len() - 1].iter().filter(|&&end| length >= end).count();
            assert_eq!(load(&path, &marking(), &programs).unwrap(), both[..count], "{length} bytes");
            both[count..].iter().for_each(|marked| append(&path, &marking(), "1f", marked).unwrap());
            assert_eq!(std::fs::read(&path).unwrap(), whole, "{length} bytes");
        }
        std::fs::write(&path, "{\"mark").unwrap();
        assert_eq!(load(&path, &marking(), &programs).unwrap(), []);
        let other = serde_json::to_string(&Marking { seed: 2, ..marking() }).unwrap();
        for text in [
            "IMPORTANT",
            "IMPORTANT\n{",
            "my notes\n{\"marking\": \"of a thesis",
            "{\"marking\": \"of a thesis",
            &format!("{{\"marking\":{other},"),
        ] {
            std::fs::write(&path, text).unwrap();
            assert!(load(&path, &marking(), &programs).is_err(), "{text}");
            assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
        }
    }

    #[test]
    fn a_file_longer_than_the_limit_is_refused_and_not_cut() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("cards");
        std::fs::write(&path, "{\"marking\":").unwrap();
        let long = text::MAX_FILE + 100;
        std::fs::OpenOptions::new().write(true).open(&path).unwrap().set_len(long).unwrap();
        let error = load(&path, &marking(), &[]).unwrap_err().to_string();
        assert!(error.contains("longer than"), "{error}");
        assert_eq!(std::fs::metadata(&path).unwrap().len(), long);
    }
}
