//! Puzzles: positions with one best move, proven and rated by `trainer puzzles`, in three levels.

use crate::drawing::Language;
use crate::play::own::Terms;
use crate::registry::Game;
use crate::strength::Strength;
use crate::suite::{self, SuiteError, operation};
use search_core::Limits;
use std::time::Duration;

/// Positions that the project's own player visits for an answer in a puzzle.
const ANSWER: u64 = 100_000;
/// Memory of that player's tables in bytes.
const MEMORY: usize = 8 << 20;
/// The longest easy win in plies.
const EASY_PLIES: u32 = 3;
/// The longest easy plan of a maze in turns.
const EASY_TURNS: u32 = 5;

/// A position with one best move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Puzzle {
    /// The name, unique among the game's puzzles.
    pub name: String,
    /// The position with its side to move, in the notation of records.
    pub opening: String,
    /// The solution, in the game's notation.
    pub best: String,
    /// A line of best play that begins with the solution.
    pub line: Vec<String>,
    /// The goal that the solution alone reaches.
    pub goal: Goal,
    /// The number of positions that the project's own player visits until it finds the solution.
    pub nodes: u64,
}

impl Puzzle {
    /// Returns true if the goal is a move or two away, so that a beginner can see it.
    #[must_use]
    pub fn is_easy(&self) -> bool {
        match self.goal {
            // Only the last squares of Othello have it.
            Goal::Win | Goal::Hold => true,
            Goal::WinWithin(plies) => plies <= EASY_PLIES,
            // A beer has too many ways to be drunk.
            Goal::Turns(turns) => turns <= EASY_TURNS && !self.line.iter().any(|mv| mv.starts_with('B')),
            Goal::Discs(_) => false,
        }
    }

    /// Returns the task in words, as after "White to move: ".
    #[must_use]
    pub fn task(&self, language: Language) -> String {
        let task = self.goal.task(language);
        if self.goal != Goal::Win {
            return task;
        }
        let left = self.line.iter().filter(|mv| *mv != "pass").count();
        let (french, english) = (format!(" (coups restants : {left})"), format!(" (moves left: {left})"));
        task + language.choose(&french, &english)
    }

    /// Returns the move of the project's own player after `moves`, all those after the puzzle's position. Returns `None`
    /// if the game is over there.
    #[must_use]
    pub fn answer(&self, game: Game, moves: &[String]) -> Option<String> {
        let limits = Some(Limits::nodes(ANSWER));
        let terms = Terms { strength: Strength::Level(10), limits, memory: MEMORY };
        let mut player = game.own_player(&self.opening, *game.seats().start(), &terms).ok()?;
        // The limit is a number of positions: the same everywhere, whatever the time.
        let clock = || Duration::ZERO;
        player.choose(moves, &clock).ok().map(|chosen| chosen.text)
    }
}

/// The difficulty of a puzzle for a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    /// The goal is a move or two away.
    Easy,
    /// The player finds the solution sooner than in half of those that are not easy.
    Medium,
    /// The other half.
    Hard,
}

impl Level {
    /// All levels, the easiest first.
    pub const ALL: [Self; 3] = [Self::Easy, Self::Medium, Self::Hard];

    /// Returns the name in addresses and files.
    #[must_use]
    pub fn name(self) -> &'static str {
        ["easy", "medium", "hard"][self as usize]
    }

    /// Returns the name for people.
    #[must_use]
    pub fn title(self, language: Language) -> &'static str {
        language.choose(["facile", "moyen", "difficile"][self as usize], self.name())
    }

    /// Returns the level of the puzzle at this index of a game's embedded ones.
    #[must_use]
    pub fn of(puzzles: &[Puzzle], index: usize) -> Self {
        let ends = Self::ends(puzzles);
        Self::ALL.into_iter().find(|&level| index < ends[level as usize]).unwrap_or(Self::Hard)
    }

    /// Returns the index after the last puzzle of each level, in a game's embedded ones.
    #[must_use]
    pub fn ends(puzzles: &[Puzzle]) -> [usize; 3] {
        let easy = puzzles.iter().filter(|puzzle| puzzle.is_easy()).count();
        [easy, usize::midpoint(easy, puzzles.len()), puzzles.len()]
    }
}

/// Returns the index of the puzzle of a day, given in days since 1970, among `count`: each comes once in `count` days.
#[must_use]
pub fn of_day(day: u64, count: usize) -> usize {
    let divides = |step: u64, count: u64| {
        let (mut a, mut b) = (step, count);
        while b > 0 {
            (a, b) = (b, a % b);
        }
        a > 1
    };
    let count = count.max(1) as u64;
    // A step near the golden section leads from easy to hard and back.
    let step = (count * 618 / 1000..).find(|&step| step > 0 && !divides(step, count)).unwrap_or(1);
    (day % count * step % count) as usize
}

/// The goal of a puzzle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Goal {
    /// To win.
    Win,
    /// To win within this number of plies, an odd one.
    WinWithin(u32),
    /// To stop the opponent, who would win with the next move.
    Hold,
    /// To end with this disc difference.
    Discs(i32),
    /// To take every mussel within this number of turns.
    Turns(u32),
}

impl Goal {
    /// Parses the goal of a file of puzzles: `win`, `win within N`, `hold`, `discs N` or `turns N`.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        let (kind, number) = text.rsplit_once(' ').unwrap_or((text, ""));
        Some(match kind {
            "win" if number.is_empty() => Self::Win,
            "win within" => Self::WinWithin(number.parse().ok()?),
            "hold" if number.is_empty() => Self::Hold,
            "discs" => Self::Discs(number.parse().ok()?),
            "turns" => Self::Turns(number.parse().ok()?),
            _ => return None,
        })
    }

    /// Returns the task in words, as after "White to move: ".
    #[must_use]
    pub fn task(self, language: Language) -> String {
        let (french, english) = match self {
            Self::Win => ("gagner".to_owned(), "win".to_owned()),
            Self::WinWithin(1) => ("gagner en un coup".to_owned(), "win in one move".to_owned()),
            Self::WinWithin(plies) => {
                let moves = plies.div_ceil(2);
                (format!("gagner en {moves} coups"), format!("win in {moves} moves"))
            }
            Self::Hold => (
                "empêcher l'autre de gagner au coup suivant".to_owned(),
                "stop the opponent, who would win with the next move".to_owned(),
            ),
            Self::Discs(0) => ("annuler".to_owned(), "draw".to_owned()),
            Self::Discs(discs @ 1..) => (format!("gagner de {discs} pions"), format!("win by {discs} discs")),
            Self::Discs(discs) => {
                (format!("perdre de {} pions au plus", -discs), format!("lose by {} discs at most", -discs))
            }
            Self::Turns(turns) => {
                (format!("tout prendre en {turns} tours"), format!("take everything in {turns} turns"))
            }
        };
        language.choose(&french, &english).to_owned()
    }

    /// Returns what is proven of the solution and of every other move.
    #[must_use]
    pub fn proof(self, language: Language) -> String {
        let (french, english) = match self {
            Self::Win => (
                "Prouvé : ce coup gagne contre toute défense, et aucun autre ne gagne.".to_owned(),
                "Proven: this move wins against every defence, and no other move wins.".to_owned(),
            ),
            Self::WinWithin(1) => (
                "Ce coup gagne tout de suite, et aucun autre.".to_owned(),
                "This move wins at once, and no other does.".to_owned(),
            ),
            Self::WinWithin(plies) => {
                let moves = plies.div_ceil(2);
                (
                    format!("Prouvé : ce coup gagne en {moves} coups contre toute défense, et aucun autre."),
                    format!(
                        "Proven: this move wins in {moves} moves against every defence, and no other does."
                    ),
                )
            }
            Self::Hold => (
                "Prouvé : après tout autre coup, l'autre gagne aussitôt.".to_owned(),
                "Proven: after every other move the opponent wins at once.".to_owned(),
            ),
            Self::Discs(discs) => (
                format!("Solution exacte : ce coup mène à {discs:+} pions, tout autre à moins."),
                format!("Exact solution: this move ends with {discs:+} discs, every other one with fewer."),
            ),
            Self::Turns(turns) => (
                format!(
                    "Plan exact : {turns} tours suffisent, et tous les plans de {turns} tours commencent ainsi."
                ),
                format!(
                    "Exact plan: {turns} turns are enough, and every plan of {turns} turns begins like this."
                ),
            ),
        };
        language.choose(&french, &english).to_owned()
    }

    /// Returns what is proven of every move but the solution, as after "d3: ".
    #[must_use]
    pub fn failure(self, language: Language) -> String {
        let (french, english) = match self {
            Self::Win => ("ne gagne pas".to_owned(), "does not win".to_owned()),
            Self::WinWithin(1) => {
                ("ne gagne pas tout de suite".to_owned(), "does not win at once".to_owned())
            }
            Self::Hold => ("laisse l'autre gagner".to_owned(), "lets the opponent win".to_owned()),
            Self::WinWithin(plies) => {
                let moves = plies.div_ceil(2);
                (format!("ne gagne pas en {moves} coups"), format!("does not win in {moves} moves"))
            }
            Self::Discs(_) => {
                ("laisse plus de pions à l'autre".to_owned(), "leaves the opponent more discs".to_owned())
            }
            Self::Turns(turns) => {
                (format!("prend plus de {turns} tours"), format!("takes more than {turns} turns"))
            }
        };
        language.choose(&french, &english).to_owned()
    }
}

/// An error in a file of puzzles.
#[derive(Debug, thiserror::Error)]
pub enum PuzzleError {
    /// The position or its solution is not valid.
    #[error(transparent)]
    Suite(#[from] SuiteError),
    /// A puzzle has several solutions.
    #[error("puzzle {name}: expected one solution, found {found}")]
    Solutions {
        /// The puzzle's name.
        name: String,
        /// The number of solutions.
        found: usize,
    },
    /// An operation is missing or not valid.
    #[error("puzzle {name}: expected \"; {expected}\"")]
    Operation {
        /// The puzzle's name.
        name: String,
        /// The form of the operation.
        expected: &'static str,
    },
}

/// Parses a file of puzzles: a suite of positions with `bm`, `goal`, `pv`, `nodes` and `id`.
///
/// # Errors
/// The first line that is not a puzzle.
pub fn read(game: Game, text: &str) -> Result<Vec<Puzzle>, PuzzleError> {
    let problems = suite::read(game, text)?;
    let is_puzzle = |line: &&str| !line.is_empty() && !line.starts_with(['#', '%']);
    let lines = text.lines().map(str::trim).filter(is_puzzle);
    let puzzle = |(problem, line): (suite::Problem, &str)| {
        let suite::Problem { name, opening, best } = problem;
        let [best] = best.as_slice() else {
            return Err(PuzzleError::Solutions { name, found: best.len() });
        };
        let wrong = |expected| PuzzleError::Operation { name: name.clone(), expected };
        let moves = operation(line, "pv").unwrap_or_default().split_whitespace().map(str::to_owned);
        let goal = operation(line, "goal").and_then(|text| Goal::read(text.trim()));
        let nodes = operation(line, "nodes").and_then(|text| text.trim().parse().ok());
        let puzzle = Puzzle {
            best: best.clone(),
            line: moves.collect(),
            goal: goal.ok_or_else(|| wrong("goal GOAL"))?,
            nodes: nodes.ok_or_else(|| wrong("nodes N"))?,
            opening,
            name: name.clone(),
        };
        if puzzle.line.first() == Some(best) {
            Ok(puzzle)
        } else {
            Err(wrong("pv MOVE … from the solution on"))
        }
    };
    problems.into_iter().zip(lines).map(puzzle).collect()
}

/// Parses the puzzles that a game embeds, and sorts them: the easy ones first, then by the player's nodes.
///
/// # Panics
/// If the text is not a file of puzzles. A test reads every embedded text.
pub(crate) fn embedded(game: Game, text: &str) -> Vec<Puzzle> {
    let mut puzzles = read(game, text).unwrap_or_else(|error| panic!("{}: {error}", game.name()));
    puzzles.sort_by_key(|puzzle| (!puzzle.is_easy(), puzzle.nodes));
    puzzles
}
