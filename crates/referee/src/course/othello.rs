//! Othello at equal depth: GTP, NBoard, and the lines between the course's Java class and its executable.

mod gtp;
mod nboard;
mod tournoi;

use super::duel::{self, Driver, Rules};
use super::{Arranged, Course, Line, OpeningSet};
use crate::fault::Trouble;
use crate::player::{Player, Protocol};
use crate::record::Played;
use othello_player::evaluation::Evaluation;
use othello_player::rules::{Board, Move, Side};
use search_core::{Limits, Outcome, Position, Score, Sink, Stopwatch};

/// The game with its openings.
#[derive(Debug, Clone)]
pub struct Othello {
    /// Lines of squares, passes left out.
    pub set: OpeningSet,
    /// The depth of both players.
    pub depth: u16,
    /// Whether a time was asked for.
    pub timed: bool,
}

/// A position with its colours: the rules' own knows only mover and opponent.
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

impl Course for Othello {
    fn name(&self) -> &'static str {
        "othello"
    }

    fn opening(&self, number: u64) -> String {
        self.set.cycle(number).to_owned()
    }

    fn openings(&self) -> Option<usize> {
        Some(self.set.len())
    }

    fn is_timed(&self) -> bool {
        self.timed
    }

    fn setting(&self) -> String {
        format!("depth {}; openings {}", self.depth, self.set.name())
    }

    fn play(&self, game: &mut Arranged<'_>) -> Result<Played, Trouble> {
        duel::play(self, game)
    }

    fn replay(&self, opening: &str, played: &Played) -> Result<Vec<String>, String> {
        duel::replay(self, opening, played)
    }

    fn own(&self, extra: &str) -> String {
        let depth =
            if extra.contains("--depth") { String::new() } else { format!(" --depth {}", self.depth) };
        let time = if self.timed { " --time {time}" } else { "" };
        format!("gtp:othello-player gtp{depth}{time} {extra}").trim_end().to_owned()
    }
}

impl Rules for Othello {
    type Position = Coloured;

    fn start(&self, opening: &str) -> Result<Coloured, String> {
        let mut position = Coloured(Board::START);
        let text: Vec<char> = opening.chars().filter(|c| !c.is_whitespace()).collect();
        for name in text.chunks(2) {
            let name: String = name.iter().collect();
            let mv: Move = name.parse().map_err(|error| format!("{error}"))?;
            // Passes are left out of lines: where one is forced it is played.
            if position.is_legal(Move::PASS) {
                position.play(Move::PASS);
            }
            if !position.is_legal(mv) {
                return Err(format!("\"{name}\" is not legal here"));
            }
            position.play(mv);
        }
        Ok(position)
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

    fn score(&self, position: &Coloured, _: [f64; 2]) -> [f64; 2] {
        // Red less blue, the empty squares to the winner: both together are always 64.
        let margin = f64::from(position.0.margin_of(Side::Black));
        [32.0 + margin / 2.0, 32.0 - margin / 2.0]
    }

    fn forfeit(&self, loser: usize) -> [f64; 2] {
        if loser == 0 { [0.0, 64.0] } else { [64.0, 0.0] }
    }

    fn end(&self, position: &Coloured, _: Outcome) -> String {
        let [red, blue] = self.score(position, [0.0; 2]);
        format!("{red}-{blue}")
    }

    fn evaluate(&self, position: &Coloured) -> Score {
        Evaluation::default().evaluate(&position.0.position)
    }

    fn search(&self, position: &Coloured, depth: u16, seed: u64) -> Option<Move> {
        let settings = othello_player::player::Settings { table_bytes: 1 << 20, seed, ..Default::default() };
        let mut player = othello_player::player::Player::new(settings);
        player.think(&position.0.position, Limits::depth(depth.into()), &Stopwatch::start()).best
    }

    fn driver<'a>(
        &'a self,
        game: &'a Arranged<'_>,
        player: &'a Player,
        seat: usize,
    ) -> Result<Box<dyn Driver<Coloured> + 'a>, Trouble> {
        let Line::Process(protocol, command) = Line::from(player) else {
            return Err(Trouble::Referee(format!("\"{}\": othello is played by processes", player.text)));
        };
        let depth = self.depth.to_string();
        let command = command.filled(&[("depth", depth)]);
        let start = self.start(game.opening).map_err(Trouble::Referee)?;
        match protocol {
            None | Some(Protocol::Gtp) => {
                Ok(Box::new(gtp::Gtp::begin(game.start(&command, seat)?, self, game)?))
            }
            Some(Protocol::Nboard) => {
                let peer = game.start(&command, seat)?;
                Ok(Box::new(nboard::Nboard::begin(peer, self, game)?))
            }
            Some(Protocol::Tournoi) => {
                if start != Coloured(Board::START) {
                    return Err(Trouble::Referee(
                        "the course's tournament begins at the initial position: --openings none".into(),
                    ));
                }
                Ok(Box::new(tournoi::Tournoi::begin(game.start(&command, seat)?)))
            }
            Some(_) => Err(Trouble::Referee(format!(
                "\"{}\": othello knows gtp:, nboard: and tournoi: commands",
                player.text
            ))),
        }
    }
}

/// The moves of an opening, forced passes among them, each with the side that plays it.
fn opening_moves(game: &Othello, opening: &str) -> Result<Vec<(Side, Move)>, Trouble> {
    let text: Vec<char> = opening.chars().filter(|c| !c.is_whitespace()).collect();
    let mut position = game.start("").map_err(Trouble::Referee)?;
    let mut moves = Vec::new();
    for name in text.chunks(2) {
        let name: String = name.iter().collect();
        let mv: Move = name.parse().map_err(|error| Trouble::Referee(format!("{error}")))?;
        if position.is_legal(Move::PASS) {
            moves.push((position.0.side, Move::PASS));
            position.play(Move::PASS);
        }
        moves.push((position.0.side, mv));
        position.play(mv);
    }
    Ok(moves)
}
