//! A sixth game in one file: tic-tac-toe with its judge, its marks, its page, its player and its analysis.
//!
//! `cargo run -p referee --example sixth_game -- match tictactoe --a own --b builtin:random`
//!
//! The program is the referee with this game. With `arena` as its first word it is the arena, without a word the player.

use anyhow::Context;
use courses::assignment::{AnalysisProgram, Assignment};
use courses::course::{Course, GameSetup, OpeningSet, Setup, split_position};
use courses::drawing::{Area, Canvas, Language, Marks};
use courses::duel::{Driver, Lines, Players, Rules};
use courses::fault::{Trouble, excerpt};
use courses::marking::{Card, Criterion, Marker, MarkingScheme, builtin};
use courses::options::GameOptions;
use courses::play::Play;
use courses::play::duel::{Duel, DuelPage};
use courses::player::Player;
use courses::registry::Game;
use search_core::{
    Control, Evaluation, Limits, Options, Outcome, Position, Report, Score, Search, Sink, Stopwatch, Table,
};
use std::io::{BufRead, BufReader, stdin, stdout};
use std::process::ExitCode;
use wire::Failure;
use wire::analysis::{self, Analyst, Listener, Value};

/// The squares of `x` and of `o`, a bit each, row by row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Board([u16; 2]);

const ROWS: [u16; 8] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

impl Position for Board {
    type Move = u8; // the square, from 0
    type Undo = Self;
    fn moves<S: Sink<u8>>(&self, sink: &mut S) {
        (0..9).filter(|&square| self.is_legal(square)).for_each(|square| sink.push(square));
    }
    fn is_legal(&self, square: u8) -> bool {
        square < 9 && self.at(square).is_none() && self.outcome().is_none()
    }
    fn play(&mut self, square: u8) -> Self {
        let before = *self;
        self.0[before.mover()] |= 1 << square;
        before
    }
    fn undo(&mut self, _: u8, before: Self) {
        *self = before;
    }
    fn outcome(&self) -> Option<Outcome> {
        let is_lost = ROWS.iter().any(|row| self.0[1 - self.mover()] & row == *row);
        is_lost.then_some(Outcome::Loss).or((self.0[0] | self.0[1] == 0o777).then_some(Outcome::Draw))
    }
    fn key(&self) -> u64 {
        u64::from(self.0[0]) << 9 | u64::from(self.0[1])
    }
}

impl Board {
    fn mover(self) -> usize {
        (self.0[0] | self.0[1]).count_ones() as usize % 2
    }
    fn at(self, square: u8) -> Option<char> {
        "xo".chars().zip(self.0).find(|(_, squares)| squares >> square & 1 == 1).map(|(symbol, _)| symbol)
    }
    fn text(self) -> String {
        (0..9).map(|square| self.at(square).unwrap_or('.')).collect()
    }
    fn read(text: &str) -> anyhow::Result<Self> {
        let of = |symbol| text.bytes().zip(0..9).map(|(c, nth)| u16::from(c == symbol) << nth).sum();
        let board = Self([of(b'x'), of(b'o')]);
        let counts = board.0.map(u16::count_ones);
        let is_board = board.text() == text && counts[0].wrapping_sub(counts[1]) < 2;
        is_board.then_some(board).context(format!("\"{}\" is no board of nine squares", excerpt(text)))
    }
    fn search(self, depth: i32) -> Report<u8> {
        let (clock, level) = (Stopwatch::start(), Evaluation::new(|_: &Self| Score::DRAW));
        let control = Control::new(Limits::depth(depth), &clock);
        Search::new(level, self, &Table::with_bytes(1 << 20), &control, Options::EXACT).think(&mut |_| {})
    }
}

fn name(square: u8) -> String {
    format!("{}{}", char::from(b'a' + square % 3), square / 3 + 1)
}

fn square(text: &str) -> Option<u8> {
    (0..9).find(|&square| name(square) == text.trim())
}

/// The game with its openings.
#[derive(Clone)]
struct TicTacToe(OpeningSet);

impl Setup for TicTacToe {
    fn name(&self) -> &'static str {
        "tictactoe"
    }
    fn set(&self) -> &OpeningSet {
        &self.0
    }
}

impl Rules for TicTacToe {
    type Position = Board;
    fn start(&self, opening: &str) -> anyhow::Result<Board> {
        let (position, moves) = split_position(opening);
        let mut board = position.map_or(Ok(Board::default()), Board::read)?;
        for word in moves.split_whitespace() {
            let square = square(word).filter(|&square| board.is_legal(square));
            board.play(square.with_context(|| format!("\"{}\" is no free square", excerpt(word)))?);
        }
        Ok(board)
    }
    fn seat(&self, board: &Board) -> usize {
        board.mover()
    }
    fn write(&self, _: &Board, square: u8) -> String {
        name(square)
    }
    fn picture(&self, board: &Board) -> String {
        let text = board.text();
        format!("{}\n{}\n{}\n", &text[..3], &text[3..6], &text[6..])
    }
    fn draw(&self, board: &Board, marks: &Marks) -> String {
        let mut canvas = Canvas::new("tictactoe", 130.0, 130.0, "Tic-tac-toe");
        for square in 0..9 {
            let (x, y) = (f64::from(square % 3), f64::from(square / 3));
            let (area, name) = (Area::square(5.0 + 40.0 * x, 5.0 + 40.0 * y, 38.0), name(square));
            canvas.rect("cell", area, 3.0);
            canvas.ground(marks, &name, area);
            if let Some(symbol) = board.at(square) {
                canvas.circle(if symbol == 'x' { "man dark" } else { "man light" }, area.centre(), 14.0);
            }
            canvas.over(marks, &name, area);
            canvas.hit(marks, &name, &format!("square {name}"), area);
        }
        canvas.finish()
    }
    fn end(&self, board: &Board, outcome: Outcome) -> String {
        let winner = ["o wins", "x wins"][board.mover()];
        if outcome == Outcome::Draw { "the board is full" } else { winner }.to_owned()
    }
}

impl Players for TicTacToe {
    fn search(board: &Board, depth: u16, _: u64) -> Report<u8> {
        board.search(depth.into())
    }
    fn driver<'a>(
        &'a self,
        game: &'a GameSetup<'_>,
        player: &'a Player,
        seat: usize,
    ) -> Result<Box<dyn Driver<Board> + 'a>, Trouble> {
        Ok(Box::new(Lines::start(game, player, seat, |board: &Board| board.text(), square)?))
    }
}

impl DuelPage for TicTacToe {
    fn game() -> Game {
        Game::of(&Sixth)
    }
    fn analysed(&self, board: &Board) -> String {
        board.text()
    }
    fn reason(_: &Board, language: Language) -> &'static str {
        language.choose("trois alignés, ou la grille est pleine", "three in a row, or the board is full")
    }
}

/// The game as the tools see it.
struct Sixth;

impl Assignment for Sixth {
    fn name(&self) -> &'static str {
        "tictactoe"
    }
    fn title(&self, language: Language) -> &'static str {
        language.choose("Morpion", "Tic-tac-toe")
    }
    fn executables(&self) -> &'static [&'static str] {
        &["sixth_game"]
    }
    fn course(&'static self, options: &GameOptions, _: usize) -> Result<Box<dyn Course>, Failure> {
        Ok(Box::new(TicTacToe(options.openings_of(Game::of(self), self.name(), "a1\nb1\nb2", "")?)))
    }
    fn analysis(&self) -> Option<AnalysisProgram> {
        Some(AnalysisProgram { command: &["sixth_game", "analyse"], moves: 9, threads: false })
    }
    fn marking(&self) -> Option<&'static dyn MarkingScheme> {
        Some(&Scheme)
    }
    fn open(&self, opening: &str, _: usize) -> anyhow::Result<Box<dyn Play>> {
        Ok(Box::new(Duel::new(TicTacToe(OpeningSet::single("")), opening)?))
    }
}

/// The marking scheme: ten points for play against a perfect player.
struct Scheme;

const PLAY: Criterion = Criterion::marked("draws against a perfect player", 10.0);

impl MarkingScheme for Scheme {
    fn scheme(&self, _: &Marker<'_>) -> Result<Vec<Criterion>, Trouble> {
        Ok(vec![PLAY])
    }
    fn card(&self, marker: &Marker<'_>) -> Result<Card, Trouble> {
        let course = TicTacToe(OpeningSet::new("own", "a1\nb1\nb2", marker.seed));
        let (share, notes) = marker.gauntlet(&course, &[builtin("search:9")], 3, marker.at_once())?.share();
        let title = format!("Tic-tac-toe: {}", marker.player.text);
        Ok(Card::new(title, vec![PLAY.earned(20.0 * share.min(0.5), notes)]))
    }
}

/// The analysis by search-core: a search that sees to the end.
struct Searcher;

impl Analyst for Searcher {
    type Position = Board;
    type Error = anyhow::Error;
    fn read(&self, text: &str) -> anyhow::Result<Board> {
        Board::read(text)
    }
    fn analyse(&mut self, board: &Board, listener: &mut Listener<'_>) {
        let report = board.search(9);
        let value = Value::of_search(report.score.plies_to_end(), f64::from(report.score.value()));
        let line = report.principal_variation.iter().map(|&square| name(square));
        listener.report(9, report.nodes, [(value, line)]);
    }
}

/// The player: reads boards, writes squares.
fn play() -> Result<(), Failure> {
    stdin().lock().lines().try_for_each(|line| {
        let board = Board::read(line.map_err(Failure::input)?.trim()).map_err(Failure::input)?;
        wire::print_line(board.search(9).best.map(name).unwrap_or_default())
    })
}

fn main() -> ExitCode {
    courses::registry::add(&Sixth);
    wire::run("sixth_game", |words| match words.first().and_then(|word| word.to_str()) {
        None => play(),
        Some("analyse") => analysis::serve(&mut Searcher, BufReader::new(stdin()), &mut stdout()),
        Some("arena") => arena::cli::main(words[1..].to_vec()),
        _ => referee::cli::main(words),
    })
}
