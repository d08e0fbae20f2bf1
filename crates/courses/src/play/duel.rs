//! The games for two on the page.

use super::engine::{self, Conversation, Spec};
use super::{BoardView, Clicked, Ending, Play};
use crate::course::POSITION;
use crate::drawing::Language;
use crate::duel::{IllegalMove, MoveOf, Players, points_of};
use crate::registry::Game;
use search_core::Position as _;

/// Number of positions of a game that may have an opening's name.
const BOOK: usize = 32;

/// A game's labels and texts on the page.
pub trait DuelPage: Players + Clone + Send + 'static {
    /// Returns the assignment.
    fn game() -> Game;

    /// Returns the name of a seat. By default its number in words.
    #[must_use]
    fn seat_name(seat: usize, language: Language) -> String {
        if seat == 0 { language.choose("premier", "first") } else { language.choose("second", "second") }
            .to_owned()
    }

    /// Returns a position as text that can be opened again. By default that of the analysis with its sign.
    fn position(&self, position: &Self::Position) -> String {
        format!("{POSITION}{}", self.analysed(position))
    }

    /// Returns a position for the analysis dialogue.
    fn analysed(&self, position: &Self::Position) -> String;

    /// Describes the unit of an analysis' values.
    #[must_use]
    fn unit(_language: Language) -> &'static str {
        ""
    }

    /// Returns the memory of a position in bytes, roughly. By default what it takes itself.
    #[must_use]
    fn memory(_: &Self::Position) -> usize {
        size_of::<Self::Position>()
    }

    /// Describes a seat's stones, men, discs or boards. By default nothing.
    fn tally(_position: &Self::Position, _seat: usize, _language: Language) -> String {
        String::new()
    }

    /// Returns a move as people read it. By default as in records.
    #[must_use]
    fn worded(text: &str, _language: Language) -> String {
        text.to_owned()
    }

    /// Returns the name of the opening that leads to a position, if it has one.
    #[must_use]
    fn opening_name(_position: &Self::Position, _language: Language) -> Option<&'static str> {
        None
    }

    /// Returns the clicks that have no cell on the board: each with its label in French and in English.
    #[must_use]
    fn buttons() -> &'static [(&'static str, &'static str, &'static str)] {
        &[]
    }

    /// Explains why a click is refused.
    fn refuse(&self, _: &Self::Position, _path: &[String], _click: &str, language: Language) -> String {
        language.choose("ce coup est impossible", "this move is not possible").to_owned()
    }

    /// Returns a move of records for a listener. `None` if it reads as it is.
    #[must_use]
    fn spoken(_text: &str, _: Language) -> Option<String> {
        None
    }

    /// Returns the part of the board to which the rules hold the mover.
    #[must_use]
    fn bound(_: &Self::Position, _: Language) -> Option<String> {
        None
    }

    /// Returns the choice that is next after the clicks of `path`.
    #[must_use]
    fn guide(_: &Self::Position, _path: &[String], _: Language) -> Option<String> {
        None
    }

    /// Explains why the game ended in a position.
    fn reason(position: &Self::Position, language: Language) -> &'static str;

    /// Returns true if the board shows the numbers of moves.
    #[must_use]
    fn numbers_moves() -> bool {
        false
    }

    /// Returns an opening with these moves added.
    fn line(opening: &str, moves: &[String]) -> String {
        let words = std::iter::once(opening).chain(moves.iter().map(String::as_str));
        words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
    }

    /// Number of moves written in the opening text. An engine gets the moves after it as moves of the game.
    #[must_use]
    fn lined(moves: &[String]) -> usize {
        moves.len()
    }

    /// Returns the rules for an engine of this strength.
    fn tuned(&self, _spec: &Spec) -> Self {
        self.clone()
    }
}

/// A game for two.
pub struct Duel<R: DuelPage> {
    rules: R,
    opening: String,
    positions: Vec<R::Position>,
    moves: Vec<String>,
    played: Vec<MoveOf<R>>,
}

impl<R: DuelPage> Duel<R> {
    /// Opens a game from an opening.
    ///
    /// # Errors
    /// If the opening is not valid.
    pub fn new(rules: R, opening: &str) -> anyhow::Result<Self> {
        let start = rules.start(opening)?;
        Ok(Self {
            rules,
            opening: opening.to_owned(),
            positions: vec![start],
            moves: Vec::new(),
            played: Vec::new(),
        })
    }

    fn paths(&self, at: usize) -> Vec<(Vec<String>, MoveOf<R>)> {
        let position = &self.positions[at];
        position.move_list().into_iter().map(|mv| (self.rules.clicks(position, mv), mv)).collect()
    }
}

impl<R: DuelPage> Play for Duel<R>
where
    R::Position: Send,
    MoveOf<R>: Send,
{
    fn game(&self) -> Game {
        R::game()
    }

    fn opening(&self) -> &str {
        &self.opening
    }

    fn seats(&self) -> usize {
        2
    }

    fn seat_name(&self, seat: usize, language: Language) -> String {
        R::seat_name(seat, language)
    }

    fn moves(&self) -> &[String] {
        &self.moves
    }

    fn memory(&self) -> usize {
        // All are on the same board.
        self.positions.len() * R::memory(&self.positions[0]) + size_of_val(self.played.as_slice())
    }

    fn mover(&self, at: usize) -> Option<usize> {
        let position = &self.positions[at];
        position.outcome().is_none().then(|| self.rules.seat(position))
    }

    fn by(&self, nth: usize) -> usize {
        self.rules.seat(&self.positions[nth])
    }

    fn ending(&self, at: usize) -> Option<Ending> {
        let position = &self.positions[at];
        let outcome = position.outcome()?;
        let points = points_of(outcome, self.rules.seat(position));
        let score = self.rules.score(position, outcome, points);
        Some(Ending {
            text: self.rules.end(position, outcome),
            points: points.to_vec(),
            score: score.to_vec(),
        })
    }

    fn reason(&self, at: usize, language: Language) -> &'static str {
        R::reason(&self.positions[at], language)
    }

    fn play(&mut self, text: &str) -> anyhow::Result<()> {
        let mut position = self.positions.last().expect("the start is there").clone();
        let mv = self.rules.read(&position, text).ok_or_else(|| IllegalMove::here(text))?;
        self.moves.push(self.rules.write(&position, mv));
        position.play(mv);
        self.positions.push(position);
        self.played.push(mv);
        Ok(())
    }

    fn cut(&mut self, at: usize) {
        self.positions.truncate(at + 1);
        self.moves.truncate(at);
        self.played.truncate(at);
    }

    fn press(&self, at: usize, path: &[String], click: &str, language: Language) -> Clicked {
        let position = &self.positions[at];
        let mut longer = path.to_vec();
        longer.push(click.to_owned());
        let paths = self.paths(at);
        if let Some((_, mv)) = paths.iter().find(|(clicks, _)| *clicks == longer) {
            return Clicked::Move(self.rules.write(position, *mv));
        }
        if paths.iter().any(|(clicks, _)| clicks.starts_with(&longer)) {
            return Clicked::Chosen(longer);
        }
        // The click selects another piece, or deselects the first one.
        if path.first().is_some_and(|first| first == click) {
            return Clicked::Chosen(Vec::new());
        }
        let alone = vec![click.to_owned()];
        if !path.is_empty() && paths.iter().any(|(clicks, _)| clicks.starts_with(&alone)) {
            return Clicked::Chosen(alone);
        }
        if position.outcome().is_some() {
            return Clicked::Refused(language.choose("la partie est finie", "the game is over").to_owned());
        }
        Clicked::Refused(self.rules.refuse(position, path, click, language))
    }

    fn next(&self, at: usize, path: &[String]) -> Vec<String> {
        let mut next: Vec<String> = self
            .paths(at)
            .into_iter()
            .filter(|(clicks, _)| clicks.len() > path.len() && clicks.starts_with(path))
            .map(|(clicks, _)| clicks[path.len()].clone())
            .collect();
        next.sort();
        next.dedup();
        next
    }

    fn buttons(&self, next: &[String], language: Language) -> Vec<(String, String)> {
        let label = |click: &String| {
            let (_, french, english) = R::buttons().iter().find(|(word, ..)| word == click)?;
            Some((click.clone(), language.choose(french, english).to_owned()))
        };
        next.iter().filter_map(label).collect()
    }

    fn draw(&self, look: &BoardView) -> String {
        let position = &self.positions[look.at];
        let mut marks = look.marks();
        if let Some(last) = look.at.checked_sub(1) {
            marks.last = self.rules.trace(&self.positions[last], self.played[last]);
        }
        if R::numbers_moves() {
            let moves = self.played[..look.at].iter().zip(&self.positions).enumerate();
            let cell = |(nth, (&mv, position))| Some((self.rules.trace(position, mv).pop()?, nth + 1));
            marks.numbers = moves.filter_map(cell).collect();
        }
        if look.interactive {
            marks.targets = self.next(look.at, &look.path);
        }
        if let Some(mv) = look.best.as_ref().and_then(|text| self.rules.read(position, text)) {
            marks.best = self.rules.trace(position, mv);
        }
        marks.values.clone_from(&look.values);
        self.rules.draw(position, &marks)
    }

    fn position(&self, at: usize) -> String {
        self.rules.position(&self.positions[at])
    }

    fn analysed(&self, at: usize) -> Option<String> {
        self.positions[at].outcome().is_none().then(|| self.rules.analysed(&self.positions[at]))
    }

    fn cell_of(&self, at: usize, text: &str) -> Option<String> {
        let position = &self.positions[at];
        let mv = self.rules.read(position, text)?;
        self.rules.trace(position, mv).pop()
    }

    fn worded(&self, moves: &str, language: Language) -> String {
        let words: Vec<String> = moves.split(' ').map(|text| R::worded(text, language)).collect();
        // Moves of several words are told apart.
        words.join(if words.iter().any(|word| word.contains(' ')) { " · " } else { " " })
    }

    fn spoken(&self, nth: usize, language: Language) -> String {
        let text = &self.moves[nth];
        R::spoken(text, language).unwrap_or_else(|| self.worded(text, language))
    }

    fn bound(&self, at: usize, language: Language) -> Option<String> {
        self.mover(at).and_then(|_| R::bound(&self.positions[at], language))
    }

    fn guide(&self, at: usize, path: &[String], language: Language) -> Option<String> {
        R::guide(&self.positions[at], path, language)
    }

    fn tally(&self, at: usize, language: Language) -> Vec<String> {
        (0..2).map(|seat| R::tally(&self.positions[at], seat, language)).collect()
    }

    fn opening_name(&self, at: usize, language: Language) -> Option<&'static str> {
        let positions = self.positions.iter().take(at + 1).take(BOOK);
        positions.rev().find_map(|position| R::opening_name(position, language))
    }

    fn unit(&self, language: Language) -> &'static str {
        R::unit(language)
    }

    fn engine(&self, spec: &Spec, seat: usize) -> Conversation {
        let began = R::lined(&self.moves);
        let opening = R::line(&self.opening, &self.moves[..began]);
        engine::duel(self.rules.tuned(spec), opening, began, spec.clone(), seat)
    }
}
