//! Games that were played elsewhere: record files, journals of the maze's server, GGF, SGF, PSQ, PGN.

use crate::hall::GAMES;
use courses::notation::Written;
use courses::notation::read::{self, Format};
use courses::record::{Missed, Played, Record};
use courses::registry::{self, Game};

/// The games of a text; `records` reads the referee's own files.
///
/// # Errors
/// With what is wrong in it.
pub fn read(
    text: &str,
    records: impl FnOnce(&str) -> Result<Vec<Record>, String>,
) -> Result<Vec<Record>, String> {
    let start = text.trim_start();
    let games = if start.starts_with('{') {
        records(text)?
    } else if start.starts_with("partie ") {
        journal(text)?
    } else if let Some(format) = Format::of(text) {
        let games = read::games(format, text, GAMES).map_err(|error| error.to_string())?;
        games.into_iter().map(written).collect::<Result<_, _>>()?
    } else {
        return Err("neither a record file, a maze's journal, nor GGF, SGF, PSQ or PGN".to_owned());
    };
    if games.is_empty() { Err("the file has no games".to_owned()) } else { Ok(games) }
}

fn record(course: &str, names: Vec<String>, opening: String, moves: Vec<String>) -> Record {
    let seats = names.len();
    let played = Played { moves, points: vec![0.0; seats], score: vec![0.0; seats], ..Played::default() };
    let course = course.to_owned();
    Record { game: 0, group: 0, course, seats: (0..seats).collect(), names, opening, seed: 1, played }
}

/// A game of another program's notation.
fn written(game: Written) -> Result<Record, String> {
    match registry::find(&game.course) {
        None => {
            let course = courses::fault::excerpt(&game.course);
            return Err(format!("[Event \"{course}\"] names no game: connect5, gounki, othello or uttt"));
        }
        Some(found) if found == Game::Moules => {
            return Err("PGN does not hold a whole maze: its record file does".to_owned());
        }
        Some(_) => {}
    }
    let mut record = record(&game.course, game.names, game.opening, game.moves);
    record.played.points = game.points.map_or(record.played.points, Vec::from);
    record.played.end = courses::fault::excerpt(&game.comment);
    Ok(record)
}

/// A journal of `moules-serveur`.
fn journal(text: &str) -> Result<Vec<Record>, String> {
    let mut games: Vec<Record> = Vec::new();
    for (nth, line) in text.lines().enumerate() {
        let words: Vec<&str> = line.split(' ').collect();
        let wrong = || format!("line {}: \"{}\"", nth + 1, courses::fault::excerpt(line));
        match (words.as_slice(), games.last_mut()) {
            (["partie", size, rest @ ..], _) => {
                if games.len() == GAMES {
                    break;
                }
                let number = |name: &str| {
                    let at = rest.iter().position(|word| *word == name)?;
                    rest.get(at + 1).copied()
                };
                let field = |name: &str| number(name).ok_or_else(wrong);
                let seats: usize = field("joueurs")?.parse().map_err(|_| wrong())?;
                if !(1..=4).contains(&seats) {
                    return Err(format!("line {}: {seats} players: 1 to 4", nth + 1));
                }
                let turns = number("tours").and_then(|turns| turns.parse::<u64>().ok()).unwrap_or(0);
                let opening = format!(
                    "maze {} items {} size {size} dunes {} mussels {} beers {} frites {} turns {turns}",
                    field("laby")?,
                    field("bonus")?,
                    field("dunes")?,
                    field("moules")?,
                    field("bieres")?,
                    field("frites")?
                );
                games.push(record("moules", vec![String::new(); seats], opening, Vec::new()));
            }
            (["nom", seat, name @ ..], Some(game)) => {
                let seat: usize = seat.parse().map_err(|_| wrong())?;
                *game.names.get_mut(seat).ok_or_else(wrong)? = courses::fault::excerpt(&name.join(" "));
            }
            (["fin", ..], Some(_)) | ([""], _) => {}
            ([seat, command, origin @ ..], Some(game)) if seat.parse::<usize>().is_ok() => {
                let missed = match origin {
                    ["retard"] => Some(Missed::Late),
                    ["absent"] => Some(Missed::Gone),
                    _ => None,
                };
                game.played.missed.extend(missed.map(|missed| (game.played.moves.len(), missed)));
                game.played.moves.push((*command).to_owned());
            }
            _ if line.starts_with('#') => {}
            _ => return Err(wrong()),
        }
    }
    Ok(games)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn opened(text: &str) -> Result<Vec<Record>, String> {
        read(text, |_| Err("a record file".to_owned()))
    }

    #[test]
    fn games_of_other_programs_are_read() {
        let othello = "(;GM[Othello]PC[x]PB[a]PW[b]RE[?]TI[0]TY[8]BO[8 ---------------------------O*------*O--------------------------- *]B[F5]W[D6];)";
        let read = &opened(othello).unwrap()[0];
        assert_eq!((read.opening.as_str(), read.played.moves.join(" ")), ("", "f5 d6".to_owned()));
        let gomoku = "(;GM[4]FF[4]SZ[14:9]PB[a]PW[b];B[aa];W[bb];B[ni])";
        let read = &opened(gomoku).unwrap()[0];
        assert_eq!((read.opening.as_str(), read.played.moves.join(" ")), ("9x14", "a1 b2 n9".to_owned()));
        let psq = "Piskvorky 15x15, 11:11, 0\n8,8,0\n9,9,10\na.exe\nb.exe\n-1\n";
        let read = &opened(psq).unwrap()[0];
        assert_eq!(
            (read.names.join(" "), read.played.moves.join(" ")),
            ("a.exe b.exe".into(), "h8 i9".to_owned())
        );
        let pgn = "[Event \"uttt\"]\n[White \"a\"]\n[Opening \"40 36\"]\n[Termination \"resigned\"]\n[Result \"0-1\"]\n\n1. 0 0-1\n";
        let read = &opened(pgn).unwrap()[0];
        assert_eq!(
            (read.course.as_str(), read.opening.as_str(), read.played.moves.len()),
            ("uttt", "40 36", 1)
        );
        assert_eq!((read.played.end.as_str(), read.played.points[0]), ("resigned", 0.0));
        let smiley = "1 (;GM[Othello]TY[8]BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]C[well played ;)]B[d3]W[c5];)";
        let read = &opened(smiley).unwrap()[0];
        assert_eq!(
            (read.played.moves.join(" "), read.played.end.as_str()),
            ("d3 c5".into(), "well played ;)")
        );
        let journal = "partie 25x17 dunes 50 joueurs 2 moules 10 bieres 5 frites 8 laby 49811 bonus 52567 tours 20\nnom 0 <b>\nnom 1 y\n0 E\n1 C retard\nfin 0 1 0 0\nfin 1 0 0 0\n";
        let read = &opened(journal).unwrap()[0];
        assert_eq!((read.names[0].as_str(), read.played.moves.join(" ")), ("<b>", "E C".to_owned()));
        assert_eq!(read.played.missed, [(1, Missed::Late)]);
        assert!(read.opening.ends_with("turns 20"), "{}", read.opening);
    }

    #[test]
    fn other_texts_are_refused() {
        for text in [
            "",
            "hello",
            "(;",
            "partie x",
            "(;GM[Othello]",
            "(;GM[4]SZ[15];B[a!])",
            "(;GM[1];B[aa])",
            "[Event \"go\"]\n\n1. d4 *",
            "[Event \"moules\"]\n\n1. E *",
        ] {
            assert!(opened(text).is_err(), "{text}");
        }
    }
}
