//! A puzzle after a request: its moves, the effect of the click, and a hint.

use super::super::asked::{Asked, LONGEST, PATH, split};
use courses::drawing::Language;
use courses::play::{self, BoardView, Clicked, Play};
use courses::puzzle::{self, Puzzle};
use courses::registry::Game;
use std::collections::BTreeMap;

/// The number of cells that a hint leaves.
const CANDIDATES: usize = 3;
/// The number of cells near the solution of which the others are drawn.
const NEAR: usize = 10;

/// A puzzle as a visitor sees it.
pub(super) struct Shown {
    pub(super) game: Game,
    pub(super) puzzle: &'static Puzzle,
    pub(super) nth: usize,
    pub(super) play: Box<dyn Play>,
    /// True if the solution is on the board.
    pub(super) is_open: bool,
    pub(super) at: usize,
    pub(super) path: Vec<String>,
    pub(super) hint: Option<Hint>,
    pub(super) told: Told,
    pub(super) language: Language,
}

/// The effect of a click.
pub(super) enum Told {
    Nothing,
    Right,
    Wrong(String),
    Refused(String),
}

/// A part of the solution.
pub(super) enum Hint {
    /// The first click of a longer move.
    First(String),
    /// One of these clicks is the solution.
    OneOf(Vec<String>),
}

/// Returns the clicks of a move at the start of a puzzle.
pub(in crate::view) fn clicks(play: &dyn Play, path: &[String], wanted: &str) -> Option<Vec<String>> {
    play.next(0, path).iter().find_map(|click| match play.press(0, path, click, Language::English) {
        Clicked::Move(text) if text == wanted => Some([path, std::slice::from_ref(click)].concat()),
        Clicked::Chosen(longer) if longer.len() > path.len() && longer.len() < PATH => {
            clicks(play, &longer, wanted)
        }
        _ => None,
    })
}

/// Returns the places of the cells on the drawing, by name.
fn places(play: &dyn Play) -> BTreeMap<String, [f64; 2]> {
    let picture = play.draw(&BoardView { interactive: true, ..BoardView::default() });
    let cell = |text: &str| {
        let mut parts = text.split('"');
        let name = parts.next()?.to_owned();
        let at = [parts.nth(1)?.parse().ok()?, parts.nth(1)?.parse().ok()?];
        Some((name, at))
    };
    picture.split("data-cell=\"").skip(1).filter_map(cell).collect()
}

/// Returns a hint: the first click of a move of several, otherwise the solution among other clicks.
pub(super) fn hint(play: &dyn Play, puzzle: &Puzzle) -> Option<Hint> {
    let path = clicks(play, &[], &puzzle.best)?;
    let (first, rest) = path.split_first()?;
    if !rest.is_empty() {
        return Some(Hint::First(first.clone()));
    }
    let mut next: Vec<String> = play.next(0, &[]).into_iter().filter(|click| click != first).collect();
    let places = places(play);
    let far = |click: &String| {
        places
            .get(first)
            .zip(places.get(click))
            .map_or(f64::MAX, |([x, y], [right, down])| (x - right).hypot(y - down))
    };
    next.sort_by(|a, b| far(a).total_cmp(&far(b)));
    // At least one is left out, if there are three.
    let others = (CANDIDATES - 1).min(next.len().saturating_sub(1)).max(1);
    next.truncate(NEAR.max(others));
    // The puzzle's own number draws the others: those are the same whenever it is asked again.
    let mut drawn = puzzle.nodes;
    let mut among: Vec<String> = Vec::new();
    while among.len() < others && !next.is_empty() {
        among.push(next.remove((drawn % next.len() as u64) as usize));
        drawn /= 7;
    }
    among.push(first.clone());
    among.sort();
    Some(Hint::OneOf(among))
}

impl Shown {
    /// Returns the puzzle that is asked for. `None` if the game has no such puzzle.
    pub(super) fn of(game: Game, asked: &Asked, language: Language) -> Option<Self> {
        let puzzles = game.assignment().puzzles();
        let nth = match asked.n.parse::<usize>() {
            Ok(number) => number.checked_sub(1)?,
            Err(_) => puzzle::of_day(asked.day.parse().unwrap_or_default(), puzzles.len()),
        };
        let puzzle = puzzles.get(nth)?;
        let play = play::open(game, &puzzle.opening, *game.seats().start()).ok()?;
        let mut shown = Self {
            game,
            puzzle,
            nth,
            play,
            is_open: false,
            at: 0,
            path: split(&asked.path, PATH),
            hint: None,
            told: Told::Nothing,
            language,
        };
        shown.ask(asked);
        Some(shown)
    }

    fn ask(&mut self, asked: &Asked) {
        let moves = split(&asked.moves, LONGEST);
        if moves.first() == Some(&self.puzzle.best) {
            self.is_open = true;
            self.put(&moves);
            let length = self.play.moves().len();
            self.at = asked.at.parse().map_or(length, |at: usize| at.min(length));
        } else if asked.show == "solution" {
            self.solve();
        } else if asked.show == "hint" {
            self.hint = hint(self.play.as_ref(), self.puzzle);
        }
        if !asked.click.is_empty() {
            self.press(&asked.click);
        }
        if let Some(Hint::First(click)) = &self.hint {
            self.path = vec![click.clone()];
        }
    }

    /// Plays moves as far as they are legal.
    fn put(&mut self, moves: &[String]) {
        let _ = moves.iter().try_for_each(|text| self.play.play(text));
    }

    /// Plays the solution's line, and shows its first move.
    fn solve(&mut self) {
        self.put(&self.puzzle.line);
        (self.is_open, self.at, self.path) = (true, 1, Vec::new());
    }

    fn press(&mut self, click: &str) {
        if click.len() > 16 || self.at >= LONGEST {
            return;
        }
        let clicked = self.play.press(self.at, &self.path, click, self.language);
        self.path.clear();
        match clicked {
            Clicked::Refused(why) => self.told = Told::Refused(why),
            Clicked::Chosen(path) => self.path = path,
            Clicked::Move(text) if self.is_open => self.vary(&text),
            Clicked::Move(text) if text == self.puzzle.best => {
                self.solve();
                self.told = Told::Right;
            }
            Clicked::Move(text) => self.told = Told::Wrong(text),
        }
    }

    /// Plays another move than that of the line, and the answer to it.
    fn vary(&mut self, text: &str) {
        if self.play.moves().get(self.at).is_some_and(|next| next == text) {
            self.at += 1;
            return;
        }
        self.play.cut(self.at);
        self.put(&[text.to_owned()]);
        let after = self.play.moves().len();
        if self.play.seats() > 1
            && self.play.mover(after).is_some()
            && let Some(answer) = self.puzzle.answer(self.game, self.play.moves())
        {
            self.put(&[answer]);
        }
        self.at = self.play.moves().len();
    }
}
