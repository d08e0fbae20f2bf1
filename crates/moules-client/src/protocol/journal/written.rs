//! Writes a journal; new matches are appended to the file.

use super::{begins_header, begins_line, header, read_header, replay, result, turn};
use crate::protocol::event::Event;
use crate::rules::Settings;
use std::fmt::Write;
use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Read as _, Seek as _, SeekFrom};
use std::path::Path;
use wire::file::{Appended, Changed};

/// The most that is read of a line at once in bytes, far more than a journal's longest.
const PIECE: u64 = 1 << 16;

/// A journal open for writing.
#[derive(Debug)]
pub struct Written {
    file: Appended,
}

/// Why a journal cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The file cannot be read or written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// Another server has the file.
    #[error("un autre programme y écrit")]
    Busy,
    /// The file holds something else.
    #[error("ce n'est pas un journal de parties ; il reste tel quel")]
    Other,
}

impl Written {
    /// Opens a journal, or begins one. The matches that it holds stay; a last line cut short, as a server that was killed
    /// leaves it, is taken away.
    ///
    /// # Errors
    /// [`OpenError`]; a file that is no journal is left as it is.
    pub fn open(path: &Path) -> Result<Self, OpenError> {
        let busy = |error: &io::Error| error.kind() == io::ErrorKind::ResourceBusy;
        let opened = Appended::open_alone(path);
        let mut file = opened.map_err(|error| if busy(&error) { OpenError::Busy } else { error.into() })?;
        if !file.is_special() {
            let is_header =
                |line: &str| read_header(&line.trim_end().split(' ').collect::<Vec<_>>()).is_some();
            let is_journal = match first_line(file.file())? {
                // The first line itself may have been cut short.
                Some((line, false)) => std::str::from_utf8(&line).is_ok_and(begins_header),
                Some((line, true)) => std::str::from_utf8(&line).is_ok_and(is_header),
                None => true,
            };
            if !is_journal {
                return Err(OpenError::Other);
            }
            let (end, last) = last_line(file.file())?;
            match last.first() {
                None => {}
                // No server writes these.
                Some(b'#') => file.append(b"\n")?,
                Some(_) if last.len() as u64 == PIECE => return Err(OpenError::Other),
                // A power cut may leave zeros.
                Some(_) if last.iter().all(|&byte| byte == 0) => file.cut(end)?,
                // An editor has left out the line's end.
                Some(_) if is_whole_with_an_end(file.file())? => file.append(b"\n")?,
                Some(_) if begins_line(&String::from_utf8_lossy(&last)) => file.cut(end)?,
                Some(_) => return Err(OpenError::Other),
            }
        }
        Ok(Self { file })
    }

    /// Writes down what a server tells: a server that is ended in the middle of a match leaves every turn it has played.
    ///
    /// # Errors
    /// Those of the system, or another program has removed, replaced or changed the journal.
    pub fn note(
        &mut self,
        event: &Event<'_>,
        settings: &Settings,
        turn_limit: Option<u64>,
    ) -> io::Result<()> {
        let mut text = String::new();
        match event {
            Event::Waiting(_) | Event::Connected(..) | Event::Unkept(_) => return Ok(()),
            Event::Started(_, names) => {
                let _ = writeln!(text, "{}", header(settings, turn_limit));
                for (player, name) in names.iter().enumerate() {
                    let _ = writeln!(text, "nom {player} {name}");
                }
            }
            Event::Turn(_, _, player, command, origin) => {
                let _ = writeln!(text, "{}", turn(*player, *command, *origin));
            }
            Event::Ended(game, _) => {
                for line in result(&game.purses) {
                    let _ = writeln!(text, "{line}");
                }
            }
        }
        let is_end = matches!(event, Event::Ended(..));
        let written =
            self.file.append(text.as_bytes()).and_then(|()| if is_end { self.file.sync() } else { Ok(()) });
        written.map_err(|error| match error.get_ref() {
            Some(inner) if inner.is::<Changed>() => {
                io::Error::other("un autre programme l'a supprimé, remplacé ou modifié")
            }
            _ => error,
        })
    }
}

/// Returns true if all matches are whole once the last line has its end.
fn is_whole_with_an_end(mut file: &File) -> io::Result<bool> {
    file.rewind()?;
    Ok(replay(BufReader::new(file.chain(&b"\n"[..])), |_| {}).is_ok())
}

/// Returns the start of the first line that is neither empty nor a comment, and true unless the file ends within it.
fn first_line(file: &File) -> io::Result<Option<(Vec<u8>, bool)>> {
    let mut reader = BufReader::new(file);
    let (mut line, mut begins) = (Vec::new(), true);
    loop {
        line.clear();
        if reader.by_ref().take(PIECE).read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        let ends = line.ends_with(b"\n");
        if begins && !line.starts_with(b"#") && line != b"\n" {
            return Ok(Some((line, ends || reader.fill_buf().is_ok_and(|more| !more.is_empty()))));
        }
        begins = ends;
    }
}

/// Returns where the last line begins, and what the file has of it without its end; of a long one, the last part.
fn last_line(mut file: &File) -> io::Result<(u64, Vec<u8>)> {
    let length = file.seek(SeekFrom::End(0))?;
    let from = file.seek(SeekFrom::Start(length.saturating_sub(PIECE)))?;
    let mut last = Vec::new();
    file.take(PIECE).read_to_end(&mut last)?;
    let begins = last.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    last.drain(..begins);
    Ok((from + begins as u64, last))
}

#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "tests make files as they like")]
mod tests {
    use super::super::{JournalError, Origin, replay};
    use super::*;
    use crate::rules::{Command, Game};
    use wire::file::faults::{self, Fault};

    /// Writes a match of two turns down.
    fn write(path: &Path) -> io::Result<()> {
        let settings = Settings::default();
        let mut journal = Written::open(path).map_err(io::Error::other)?;
        let mut game = Game::new(settings.generate().map_err(io::Error::other)?, Some(2));
        let names = ["un".to_owned()];
        journal.note(&Event::Started(&game, &names), &settings, Some(2))?;
        while game.end().is_none() {
            let command = Command { action: None, is_pass: false };
            game.play(command);
            journal.note(&Event::Turn(&game, &names, 0, command, Origin::Player), &settings, Some(2))?;
        }
        journal.note(&Event::Ended(&game, &names), &settings, Some(2))
    }

    #[test]
    fn one_server_at_a_time_writes_and_a_list_of_comments_stays() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        std::fs::write(&path, "# mes notes").unwrap();
        let first = Written::open(&path).unwrap();
        assert!(matches!(Written::open(&path), Err(OpenError::Busy)));
        drop(first);
        write(&path).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.starts_with("# mes notes\npartie "), "{text}");
        assert_eq!(replay(text.as_bytes(), |_| {}).unwrap(), 1);
    }

    #[test]
    fn after_a_cut_at_any_byte_the_next_matches_can_be_replayed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        let settings = Settings { players: 2, ..Settings::default() };
        let first = format!("{}\nfin 0 0 0 0\nfin 1 0 0 0\n", header(&settings, Some(0)));
        for end in 0..=first.len() {
            std::fs::write(&path, &first[..end]).unwrap();
            write(&path).unwrap();
            let text = std::fs::read_to_string(&path).unwrap();
            let matches = replay(text.as_bytes(), |_| {}).unwrap();
            assert_eq!(matches, 1 + u64::from(end >= first.len() - 1), "{end}: {text}");
        }
    }

    #[test]
    fn a_file_that_is_no_journal_stays_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("notes");
        let comments = "# one of many comments\n".repeat(300);
        let header = header(&Settings::default(), None);
        std::fs::write(&path, b"\xff").unwrap();
        assert!(matches!(Written::open(&path), Err(OpenError::Other)));
        for text in [
            "partie 1 : introduction\nun texte\nfin sans saut de ligne",
            "partie 1 : introduction",
            "parties",
            "partie \u{e9}",
            &format!("{comments}a script, cut"),
            &format!("{comments}echo one\necho two"),
            &format!("{header} 2\n0 E\n0"),
            &format!("{header}\nfin 0 0 0 0\nmatch to be played again"),
            &format!("{header}\nfin 0 0 0 0\n3 mussels were left"),
        ] {
            std::fs::write(&path, text).unwrap();
            assert!(matches!(Written::open(&path), Err(OpenError::Other)), "{text}");
            assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
        }
        for end in 0..header.len() {
            std::fs::write(&path, format!("{comments}{}", &header[..end])).unwrap();
            drop(Written::open(&path).unwrap());
            assert_eq!(std::fs::read_to_string(&path).unwrap(), comments);
        }
    }

    #[test]
    fn a_file_of_any_size_is_told_by_its_first_line() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        std::fs::File::create(&path).unwrap().set_len(1 << 40).unwrap();
        assert!(matches!(Written::open(&path), Err(OpenError::Other)));
        let matches = format!("{}\nfin 0 0 0 0\n", header(&Settings::default(), Some(0))).repeat(10_000);
        std::fs::write(&path, format!("{}{matches}0 E", "# a long comment ".repeat(10_000) + "\n")).unwrap();
        drop(Written::open(&path).unwrap());
        assert!(std::fs::read_to_string(&path).unwrap().ends_with("fin 0 0 0 0\n"));
    }

    #[test]
    fn whichever_call_fails_a_journal_keeps_its_matches_and_takes_the_next() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        let matches = || replay(io::BufReader::new(wire::file::open(&path).unwrap()), |_| {});
        for fault in Fault::ALL {
            for nth in 0.. {
                let _ = std::fs::remove_file(&path);
                write(&path).unwrap();
                let (written, struck) = faults::with(fault, nth, || write(&path));
                let found = matches();
                let context = format!("{fault:?} at call {nth}: {written:?}, {found:?}");
                match found {
                    Ok(count) => assert!(count == 2 || written.is_err() && count == 1, "{context}"),
                    Err(error) => {
                        assert!(written.is_err() && matches!(error, JournalError::Truncated), "{context}");
                    }
                }
                write(&path).unwrap();
                assert!(matches().unwrap() >= 2, "{context}");
                if !struck {
                    break;
                }
            }
        }
    }
}
