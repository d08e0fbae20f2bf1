//! Variations in PGN, in parentheses after the move that they replace.

use super::{Line, comment};
use crate::notation::Written;
use crate::note;
use crate::record::Variation;

/// Maximum number of variations of a game that are read, one in the other or side by side.
const MOST: usize = 20;
/// Maximum number of moves of a game that its variations have in common with the variation around them.
const COMMON: usize = 10_000;

/// Returns the words of the variations that replace move `nth`. PGN has no place for one after the last move.
pub fn written(variations: &[Variation], nth: usize) -> Vec<String> {
    let mut words = Vec::new();
    for variation in
        variations.iter().filter(|variation| variation.after == nth && !variation.moves.is_empty())
    {
        let first = words.len();
        for (ply, mv) in variation.moves.iter().enumerate().map(|(at, mv)| (nth + at, mv)) {
            if ply % 2 == 0 || ply == nth {
                words.push(format!("{}{}", ply / 2 + 1, if ply % 2 == 0 { "." } else { "..." }));
            }
            words.push(mv.clone());
            let Some(note) = note::of(&variation.notes, ply) else { continue };
            words.extend(note.symbol.map(|symbol| format!("${}", symbol.number())));
            words.extend(comment(&note.comment()));
        }
        words[first].insert(0, '(');
        if let Some(last) = words.last_mut() {
            last.push(')');
        }
    }
    words
}

/// The variations that are open while a game is read, the innermost last.
#[derive(Default)]
pub struct Lines {
    open: Vec<Variation>,
    /// The number of variations open beyond the bounds, all within the last of `open`.
    skipped: usize,
    /// The number of moves that variations have in common with the one around them.
    common: usize,
}

impl Lines {
    /// Begins a variation in place of the last move of the line that is read.
    pub fn open(&mut self, game: &mut Written) {
        match self.begun(game) {
            Some(variation) => self.open.push(variation),
            None => self.skipped += 1,
        }
    }

    /// Returns a variation in place of the last move of the line that is read. `None` beyond the bounds.
    fn begun(&mut self, game: &mut Written) -> Option<Variation> {
        let Line { after, moves, .. } = self.last(game)?;
        let kept = moves.len().saturating_sub(1);
        let Some(outer) = self.open.last() else {
            return Some(Variation { after: kept, ..Variation::default() });
        };
        if self.open.len() == MOST || self.common + kept > COMMON {
            return None;
        }
        self.common += kept;
        Some(Variation { after, moves: outer.moves[..kept].to_vec(), ..Variation::default() })
    }

    /// Ends the innermost variation.
    pub fn close(&mut self, game: &mut Written) {
        if self.skipped > 0 {
            self.skipped -= 1;
            return;
        }
        let read = self.open.pop().filter(|variation| !variation.moves.is_empty());
        game.variations.extend(read.filter(|_| game.variations.len() < MOST));
    }

    /// Returns the line that is read. `None` in a variation beyond the bounds.
    pub fn last<'a>(&'a mut self, game: &'a mut Written) -> Option<Line<'a>> {
        if self.skipped > 0 {
            return None;
        }
        Some(match self.open.last_mut() {
            None => Line { after: 0, moves: &mut game.moves, notes: &mut game.notes },
            Some(Variation { after, moves, notes, .. }) => Line { after: *after, moves, notes },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::read;
    use super::*;
    use crate::note::Note;

    fn line(after: usize, moves: &[&str], notes: &[(usize, &str)]) -> Variation {
        let notes = notes.iter().map(|(nth, text)| (*nth, Note::new(None, "", text))).collect();
        Variation {
            after,
            moves: moves.iter().map(|mv| (*mv).to_owned()).collect(),
            notes,
            ..Variation::default()
        }
    }

    #[test]
    fn variations_are_read_within_others_and_as_they_were_written() {
        let text = "[Event \"uttt\"]\n\n1. a b (1... c {why; (not)} 2. d\n(2. e) f) (1... g) 2. h ; rest (of line\n*\n";
        let game = &read(text, 1)[0];
        assert_eq!(game.moves.join(" "), "a b h");
        let wanted = [
            line(1, &["c", "e"], &[]),
            line(1, &["c", "d", "f"], &[(1, "why; (not)")]),
            line(1, &["g"], &[]),
        ];
        assert_eq!(game.variations, wanted);
        assert_eq!(
            written(&game.variations, 1).join(" "),
            "(1... c 2. e) (1... c {why; (not)} 2. d f) (1... g)"
        );
        assert_eq!(written(&game.variations, 0), Vec::<String>::new());
        let text = format!(
            "[Event \"x\"]\n\na (b {}c{}{}) d *\n",
            "(b ".repeat(30),
            ")".repeat(30),
            "(e)".repeat(30)
        );
        let deep = &read(&text, 1)[0];
        assert_eq!((deep.moves.join(" ").as_str(), deep.variations.len()), ("a d", MOST));
        let text = format!("[Event \"x\"]\n\na ({}{}) d *\n", "b ".repeat(COMMON - 2), "(c)".repeat(9));
        let long = &read(&text, 1)[0];
        assert_eq!((long.moves.join(" ").as_str(), long.variations.len()), ("a d", 2));
        // One that is not closed is left out; one closed twice ends nothing else.
        let open = &read("[Event \"x\"]\n\n1. a (1. b ) ) 2... c ( 2. d *\n", 1)[0];
        assert_eq!((open.moves.join(" ").as_str(), open.variations.len()), ("a c", 1));
    }
}
