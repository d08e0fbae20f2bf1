//! NBoard, version 2.

use super::{Begun, Coloured};
use crate::course::GameSetup;
use crate::duel::{Answer, Driver, Question};
use crate::fault::{Fault, Trouble, excerpt};
use crate::peer::{Ended, Heard, Peer, declines};
use crate::thought::Thought;
use othello_player::rules::{Board, Game, Move, Side, ggf};
use search_core::Position as _;
use std::time::Instant;

pub struct Nboard<'a> {
    peer: Peer<'a>,
    depth: u16,
    start: Board,
    opening: Vec<(Side, Move)>,
    pings: u32,
}

impl<'a> Nboard<'a> {
    pub fn new(peer: Peer<'a>, depth: u16, game: &GameSetup<'_>) -> Result<Self, Trouble> {
        let Begun { start, moves: opening, .. } = Begun::of(game.opening).map_err(Trouble::referee)?;
        Ok(Self { peer, depth, start, opening, pings: 0 })
    }

    /// Waits until the program has processed all commands: by a ping, and `before` it commands that it may not support.
    fn synchronise(&mut self, before: u32, deadline: Instant) -> Result<(), Trouble> {
        self.pings += 1;
        let mut declined = 0;
        self.peer.send(format!("ping {}\n", self.pings).as_bytes(), deadline)?;
        let pong = format!("pong {}", self.pings);
        let read = |line: &str| {
            let text = line.trim();
            declined += u32::from(declines(text));
            match text {
                _ if text == pong => Heard::Answer(Ok(())),
                _ if is_move(text) => Heard::Answer(Err(unexpected("ping", text))),
                _ if declined > before || (declines(text) && text.contains("ping")) => {
                    Heard::Answer(Err(unexpected("ping", text)))
                }
                _ if is_aside(text) => Heard::Aside,
                _ if declines(text) => Heard::Refusal,
                _ => Heard::Other,
            }
        };
        self.peer.answer(deadline, None, read, |words| unexpected("ping", words))??;
        Ok(())
    }
}

fn unexpected(command: &str, answer: &str) -> Fault {
    Fault::protocol(format!("\"{command}\" was answered \"{}\"", excerpt(answer)))
}

/// Returns true for a line that a program may send at any time.
fn is_aside(text: &str) -> bool {
    const WORDS: [&str; 7] = ["set", "status", "pong", "search", "nodestats", "learn", "learned"];
    text.split_whitespace().next().is_none_or(|word| WORDS.contains(&word))
}

/// Returns true for the answer to `go`.
fn is_move(line: &str) -> bool {
    line.trim_start().starts_with("===")
}

/// Parses a search report: `status depth 9`, `search F5D6 1.50 0 9`, `nodestats 51234 0.5`, `=== F5/1.50`.
fn hear(thought: &mut Thought, line: &str) {
    let words: Vec<&str> = line.split_whitespace().collect();
    let score = |word: &str| word.parse::<f64>().ok().filter(|score| score.is_finite());
    match words[..] {
        ["status", .., "depth", depth] => thought.depth = depth.parse().ok().or(thought.depth),
        ["nodestats", nodes, ..] => thought.nodes = nodes.parse().ok().or(thought.nodes),
        ["search", line, eval, _, depth, ..] => {
            thought.line = excerpt(line);
            thought.score = score(eval).or(thought.score);
            thought.depth = depth.parse().ok().or(thought.depth);
        }
        ["===", answer] => {
            thought.score = answer.split('/').nth(1).and_then(score).or(thought.score);
        }
        _ => {}
    }
}

impl Driver<Coloured> for Nboard<'_> {
    /// Sets the depth, and waits until the program is ready.
    fn greet(&mut self, deadline: Instant) -> Result<(), Trouble> {
        self.peer.send(format!("nboard 2\nset depth {}\n", self.depth).as_bytes(), deadline)?;
        self.synchronise(2, deadline)
    }

    fn choose(&mut self, question: &Question<'_, Coloured>) -> Result<Answer<Move>, Trouble> {
        let mut game = Game::new(self.start);
        for mv in self.opening.iter().map(|&(_, mv)| mv).chain(question.played.iter().map(|ply| ply.mv)) {
            game.play(mv).map_err(|error| Trouble::Referee(error.to_string()))?;
        }
        let names = ["referee", "black", "white"].map(str::to_owned);
        let [place, black, white] = names;
        let game = ggf::Record { place, black, white, game, ..ggf::Record::default() };
        self.peer.refuse_unasked(is_move)?;
        let deadline = question.deadline();
        let began = Instant::now();
        self.peer.send(format!("set game {game}\n").as_bytes(), deadline)?;
        self.synchronise(1, deadline)?;
        self.peer.send(b"go\n", deadline)?;
        let mut thought = Thought::default();
        let read = |line: &str| {
            hear(&mut thought, line);
            match line.trim().strip_prefix("===") {
                Some(answer) => Heard::Answer(answer.trim().to_owned()),
                None if declines(line) => Heard::Refusal,
                None if is_aside(line) => Heard::Aside,
                None => Heard::Other,
            }
        };
        let answer = self.peer.answer(deadline, None, read, |words| unexpected("go", words))?;
        let time = began.elapsed();
        let name = answer.split('/').next().unwrap_or_default();
        let mv: Move = name.parse().map_err(|_| Fault::protocol(format!("\"=== {}\"", excerpt(&answer))))?;
        if !question.position.is_legal(mv) {
            return Err(Fault::illegal(format!("{} may not play {mv}", question.position.0.side)).into());
        }
        let mut told = self.peer.told();
        if thought != Thought::default() {
            // The protocol's report takes precedence over one on standard error.
            told.get_or_insert_default().thought.add(thought);
        }
        Ok(Answer { mv, time, told })
    }

    fn end(self: Box<Self>) -> Ended {
        self.peer.close(b"quit\n")
    }
}
