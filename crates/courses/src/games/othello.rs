//! Othello at equal depth: GTP, NBoard, the protocol between the course's Java class and its executable, and such
//! classes.

pub mod assignment;
#[cfg(feature = "marking")]
mod compliance;
pub mod drawing;
mod editor;
pub mod ggf;
mod gtp;
#[cfg(feature = "hand-in")]
mod hand_in;
mod java;
mod lessons;
#[cfg(feature = "marking")]
mod mark;
mod names;
mod nboard;
mod openings;
mod own;
pub mod page;
mod review;
mod tournoi;

pub use java::{Bridge, FRAMEWORK};

use crate::course::{GameSetup, Line, OpeningSet, Setup, split_position};
use crate::drawing::Marks;
use crate::duel::{Driver, IllegalMove, Players, Rules};
use crate::fault::Trouble;
use crate::player::Player;
use othello_player::endgame::Goal;
use othello_player::evaluation::Evaluation;
use othello_player::rules::{Board, BoardError, Move, MoveError, Side};
use search_core::{Control, Limits, Outcome, Position, Report, Score, Sink, Stopwatch};
use std::sync::atomic::AtomicBool;

/// The game with its openings.
#[derive(Debug, Clone)]
pub struct Othello {
    /// Lines of squares without passes.
    pub set: OpeningSet,
    /// The depth of both players.
    pub depth: u16,
    /// True if a time is set.
    pub timed: bool,
    /// Number of empty squares at which a game is adjudicated by its exact solution, 0 for never.
    pub adjudicate: u32,
    /// The runner of participants' Java classes.
    pub bridge: Bridge,
}

/// Maximum number of empty squares for adjudication, which takes a fraction of a second.
pub const MOST_ADJUDICATED: u32 = 20;

/// A position with colours, where the rules only have mover and opponent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Coloured(pub Board);

impl Position for Coloured {
    type Move = Move;
    type Undo = Self;

    fn moves<S: Sink<Move>>(&self, sink: &mut S) {
        self.0.position.moves(sink);
    }

    fn is_legal(&self, mv: Move) -> bool {
        self.0.position.is_legal(mv)
    }

    fn play(&mut self, mv: Move) -> Self {
        let before = *self;
        self.0 = Board { position: self.0.position.after(mv), side: self.0.side.other() };
        before
    }

    fn undo(&mut self, _: Move, before: Self) {
        *self = before;
    }

    fn outcome(&self) -> Option<Outcome> {
        self.0.position.outcome()
    }

    fn key(&self) -> u64 {
        self.0.position.key()
    }
}

/// An error in an opening.
#[derive(Debug, thiserror::Error)]
pub(crate) enum OpeningError {
    /// The board is not valid.
    #[error(transparent)]
    Board(#[from] BoardError),
    /// A name is not a move.
    #[error(transparent)]
    Move(#[from] MoveError),
    /// A move is not legal.
    #[error(transparent)]
    Illegal(#[from] IllegalMove),
}

/// Parses a board of 64 squares and the letter of the side to move. `None` is the initial position.
fn board_of(text: Option<&str>) -> Result<Board, BoardError> {
    text.map_or(Ok(Board::START), str::parse)
}

impl Setup for Othello {
    fn name(&self) -> &'static str {
        "othello"
    }

    fn set(&self) -> &OpeningSet {
        &self.set
    }

    fn is_timed(&self) -> bool {
        self.timed
    }

    fn setting(&self) -> String {
        let adjudicated = match self.adjudicate {
            0 => String::new(),
            empties => format!("; solved from {empties} empty squares"),
        };
        format!("depth {}; openings {}{adjudicated}", self.depth, self.set.name())
    }

    fn own(&self, extra: &str) -> String {
        let depth =
            if extra.contains("--depth") { String::new() } else { format!(" --depth {}", self.depth) };
        let time = if self.timed { " --time {time}" } else { "" };
        format!("gtp:othello-player gtp{depth}{time} {extra}").trim_end().to_owned()
    }

    /// GTP cannot set up a position.
    fn own_of_positions(&self, extra: &str) -> String {
        self.own(extra).replacen("gtp", "nboard", 2)
    }
}

impl Rules for Othello {
    type Position = Coloured;

    fn start(&self, opening: &str) -> anyhow::Result<Coloured> {
        Ok(Begun::of(opening)?.position)
    }

    fn seat(&self, position: &Coloured) -> usize {
        if position.0.side == Side::Black { 0 } else { 1 }
    }

    fn write(&self, _: &Coloured, mv: Move) -> String {
        mv.to_string()
    }

    fn picture(&self, position: &Coloured) -> String {
        position.0.diagram() + "\n"
    }

    fn draw(&self, position: &Coloured, marks: &Marks) -> String {
        drawing::draw(&position.0, marks)
    }

    fn score(&self, position: &Coloured, outcome: Outcome, points: [f64; 2]) -> [f64; 2] {
        // Red minus blue. The winner gets the empty squares, so that both scores always add up to 64.
        let red = match outcome {
            Outcome::Margin(margin) => {
                f64::from(if position.0.side == Side::Black { margin } else { -margin })
            }
            Outcome::Draw => 0.0,
            Outcome::Win | Outcome::Loss => given_up(&position.0, if points[0] > points[1] { 1 } else { -1 }),
        };
        [32.0 + red / 2.0, 32.0 - red / 2.0]
    }

    fn forfeit(&self, loser: usize) -> [f64; 2] {
        if loser == 0 { [0.0, 64.0] } else { [64.0, 0.0] }
    }

    fn end(&self, position: &Coloured, outcome: Outcome) -> String {
        let [red, blue] = self.score(position, outcome, [0.0; 2]);
        match position.outcome() {
            Some(_) => format!("{red}-{blue}"),
            None => format!("{red}-{blue}, solved with {} empty squares", position.0.position.empties()),
        }
    }

    fn adjudicated(&self, position: &Coloured, stop: &AtomicBool) -> Option<Outcome> {
        let position = position.0.position;
        if position.empties() > self.adjudicate {
            return None;
        }
        let settings = othello_player::player::Settings { table_bytes: 4 << 20, ..Default::default() };
        let clock = Stopwatch::start();
        let control = Control::new(Limits::default(), &clock).with_stop_flag(stop);
        control.arm();
        let solved = othello_player::player::Player::new(settings).solve(&position, Goal::Score, &control);
        // Only an interrupt of the run stops the search; then the game goes on to its next question.
        let score = solved.ok()?.score.value() / Score::POINT;
        Some(Outcome::Margin(i16::try_from(score).ok()?))
    }
}

impl Players for Othello {
    fn evaluate(&self, position: &Coloured) -> Score {
        Evaluation::default().evaluate(&position.0.position)
    }

    fn search(position: &Coloured, depth: u16, seed: u64) -> Report<Move> {
        let settings = othello_player::player::Settings { table_bytes: 1 << 20, seed, ..Default::default() };
        let mut player = othello_player::player::Player::new(settings);
        player.think(&position.0.position, Limits::depth(depth.into()), &Stopwatch::start())
    }

    fn point(&self) -> f64 {
        Score::POINT.into()
    }

    fn driver<'a>(
        &'a self,
        game: &'a GameSetup<'_>,
        player: &'a Player,
        seat: usize,
    ) -> Result<Box<dyn Driver<Coloured> + 'a>, Trouble> {
        let Line::Process(protocol, command) = Line::from(player) else {
            return Err(Trouble::Argument(format!("\"{}\": othello is played by processes", player.text)));
        };
        let depth = player.limits.depth.unwrap_or(self.depth);
        let command = command.filled(&[("depth", depth.to_string())]);
        let start = self.start(game.opening).map_err(Trouble::referee)?;
        match protocol {
            None | Some("gtp") => Ok(Box::new(gtp::Gtp::new(game.start(&command, seat)?, game, seat)?)),
            Some("nboard") => {
                let peer = game.start(&command, seat)?;
                Ok(Box::new(nboard::Nboard::new(peer, depth, game)?))
            }
            Some("tournoi" | "java") => {
                if start != Coloured(Board::START) {
                    return Err(Trouble::Argument(
                        "the course's tournament begins at the initial position: --openings none".into(),
                    ));
                }
                Ok(Box::new(match protocol {
                    Some("java") => self.bridge.start(game, &command, depth, seat)?,
                    _ => tournoi::Tournoi::new(game.start(&command, seat)?, None),
                }))
            }
            Some(_) => Err(Trouble::Argument(format!(
                "\"{}\": othello knows gtp:, nboard:, tournoi: and java: commands",
                player.text
            ))),
        }
    }
}

/// Returns red minus blue of a resigned game: the present discs, with the empty squares for the winner (1 for red, −1
/// for blue), at least two discs.
fn given_up(board: &Board, winner: i32) -> f64 {
    let [red, blue] = [Side::Black, Side::White].map(|side| board.discs(side).count_ones() as i32);
    let empty = 64 - red - blue;
    f64::from(winner * (winner * (red - blue) + empty).max(2))
}

/// A parsed opening.
#[derive(Debug, Clone)]
pub(crate) struct Begun {
    /// The first board.
    pub start: Board,
    /// The moves from there, including forced passes, each with its side.
    pub moves: Vec<(Side, Move)>,
    /// The position after them.
    pub position: Coloured,
}

impl Begun {
    /// Plays an opening.
    pub fn of(opening: &str) -> Result<Self, OpeningError> {
        let (board, moves) = split_position(opening);
        let start = board_of(board)?;
        let mut begun = Self { start, moves: Vec::new(), position: Coloured(start) };
        let text: Vec<char> = moves.chars().filter(|c| !c.is_whitespace()).collect();
        for name in text.chunks(2) {
            let name: String = name.iter().collect();
            let mv: Move = name.parse()?;
            // Lines omit passes. A forced pass is played.
            if begun.position.is_legal(Move::PASS) {
                begun.play(Move::PASS);
            }
            if !begun.position.is_legal(mv) {
                return Err(IllegalMove::here(&name).into());
            }
            begun.play(mv);
        }
        Ok(begun)
    }

    fn play(&mut self, mv: Move) {
        self.moves.push((self.position.0.side, mv));
        self.position.play(mv);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::duel::random_line;

    fn othello(adjudicate: u32) -> Othello {
        Othello { set: OpeningSet::single(""), depth: 5, timed: false, adjudicate, bridge: Bridge::default() }
    }

    /// Returns the outcome of best play by exhaustive search.
    fn value(position: &Coloured) -> i16 {
        if let Some(Outcome::Margin(margin)) = position.outcome() {
            return margin;
        }
        let mut best = i16::MIN;
        for mv in position.move_list() {
            let mut next = *position;
            next.play(mv);
            best = best.max(-value(&next));
        }
        best
    }

    #[test]
    fn a_game_that_is_given_up_counts_as_it_stands_with_the_empty_squares_to_the_winner() {
        let game = othello(0);
        // Blue has 60 discs and red two, but red wins: by at least two discs.
        for (board, points, expected) in [
            (None, [1.0, 0.0], [62.0, 2.0]),
            (None, [0.0, 1.0], [2.0, 62.0]),
            (None, [0.5, 0.5], [32.0, 32.0]),
            (Some(format!("XX{}--", "O".repeat(60))), [1.0, 0.0], [33.0, 31.0]),
        ] {
            let opening = board.map_or(String::new(), |board| format!("@{board}X"));
            let position = game.start(&opening).unwrap();
            // Red to move.
            let outcome = match points {
                [0.5, 0.5] => Outcome::Draw,
                [1.0, 0.0] => Outcome::Win,
                _ => Outcome::Loss,
            };
            assert_eq!(game.score(&position, outcome, points), expected, "{opening}");
        }
    }

    #[test]
    fn a_game_is_adjudicated_with_what_best_play_would_give() {
        let game = othello(8);
        for seed in 0..20 {
            let line = random_line(&game, "", 54, seed).expect("a line of 54 plies");
            let mut position = game.start("").unwrap();
            for text in line {
                assert!(
                    position.0.position.empties() > 8
                        || game.adjudicated(&position, &AtomicBool::new(false)).is_some()
                );
                let mv = game.read(&position, &text).unwrap();
                position.play(mv);
            }
            let outcome =
                game.adjudicated(&position, &AtomicBool::new(false)).expect("six empty squares and passes");
            assert_eq!(outcome, Outcome::Margin(value(&position)), "seed {seed}");
            let [red, blue] = game.score(&position, outcome, [0.0; 2]);
            assert_eq!(red + blue, 64.0);
            let mover = if position.0.side == Side::Black { red } else { blue };
            assert_eq!(2.0 * mover - 64.0, f64::from(value(&position)), "seed {seed}");
            assert!(game.end(&position, outcome).contains("solved with"), "{}", game.end(&position, outcome));
            assert_eq!(othello(0).adjudicated(&position, &AtomicBool::new(false)), None);
        }
    }
}
