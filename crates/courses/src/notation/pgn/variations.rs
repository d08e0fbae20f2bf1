//! Variations in PGN, in parentheses after the move that they replace.

use super::{Line, comment};
use crate::notation::Written;
use crate::note;
use crate::record::Variation;

/// Maximum number of variations that are read.
const MOST: usize = 20;

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
pub struct Lines(Vec<Variation>);

impl Lines {
    /// Begins a variation in place of the last move of the line that is read.
    pub fn open(&mut self, game: &mut Written) {
        let Line { after, moves, .. } = self.last(game);
        let kept = moves.len().saturating_sub(1);
        let variation = match self.0.last() {
            None => Variation { after: kept, ..Variation::default() },
            Some(outer) => Variation { after, moves: outer.moves[..kept].to_vec(), ..Variation::default() },
        };
        self.0.push(variation);
    }

    /// Ends the innermost variation.
    pub fn close(&mut self, game: &mut Written) {
        let read = self.0.pop().filter(|variation| !variation.moves.is_empty());
        game.variations.extend(read.filter(|_| game.variations.len() < MOST));
    }

    /// Returns the line that is read.
    pub fn last<'a>(&'a mut self, game: &'a mut Written) -> Line<'a> {
        match self.0.last_mut() {
            None => Line { after: 0, moves: &mut game.moves, notes: &mut game.notes },
            Some(Variation { after, moves, notes, .. }) => Line { after: *after, moves, notes },
        }
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
        // One that is not closed is left out; one closed twice ends nothing else.
        let open = &read("[Event \"x\"]\n\n1. a (1. b ) ) 2... c ( 2. d *\n", 1)[0];
        assert_eq!((open.moves.join(" ").as_str(), open.variations.len()), ("a c", 1));
    }
}
