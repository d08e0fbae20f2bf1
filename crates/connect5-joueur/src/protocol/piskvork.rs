//! The Gomocup protocol, to play against other engines. Coordinates are `column,row`, from 0.
//!
//! Only exactly five (`INFO rule 1`) is supported. Under any other rule a request for a move is an error.

mod swap2;

use super::large::{hasty, is_hurried};
use crate::player::{Player, Settings};
use crate::rules::{Cell, Color, Grid, GridError, Position};
use search_core::{Limits, Report, Stopwatch};
use std::io::{BufRead, Write};
use std::time::Duration;
use wire::{Failure, LineError, LineReader, put_line};

/// Maximum length of a line in bytes, enough for a path.
const LONGEST_LINE: usize = 4096;
/// Maximum number of characters of a command quoted in an answer.
const QUOTED: usize = 60;
/// The number that managers send for no limit.
const NO_LIMIT: u64 = 2_147_483_647;
/// The protocol's default time for a move.
const DEFAULT_TURN: Duration = Duration::from_secs(30);
/// Number of moves for which the rest of a game's time is budgeted.
const MOVES_TO_COME: u32 = 16;

/// An error in a command, sent as the protocol's `ERROR` line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
enum CommandError {
    #[error("{0:?} is not {1}")]
    Syntax(String, &'static str),
    #[error(transparent)]
    Size(#[from] GridError),
    #[error("no game has been started")]
    NoGame,
    #[error("{0},{1} is outside the board")]
    Outside(usize, usize),
    #[error("{0},{1} is taken")]
    Taken(usize, usize),
    #[error("{0},{1} is not the last move")]
    NotLast(usize, usize),
    #[error("the board is full")]
    Full,
    #[error("rule {0} is not supported, only rule 1 (exactly five)")]
    Rule(u64),
    #[error("{0} stones: SWAP2BOARD has none, 3 or 5")]
    Swap2(usize),
}

impl CommandError {
    fn syntax(text: &str, expected: &'static str) -> Self {
        Self::Syntax(quoted(text), expected)
    }
}

/// Returns the beginning of a command, for messages.
fn quoted(text: &str) -> String {
    text.chars().take(QUOTED).collect()
}

/// Runs the protocol until `END` or the end of the input. Ignores `INFO` lines that are too long.
///
/// # Errors
/// Exit code 2 if another line is too long, 1 if the reader or the writer fails.
pub fn play(reader: impl BufRead, writer: &mut impl Write, settings: Settings) -> Result<(), Failure> {
    let mut lines = LineReader::new(reader, LONGEST_LINE);
    let mut game = Game::new(settings);
    game.player.prepare();
    // The stones of an unfinished command that lists them.
    let mut listed: Option<(Listing, Vec<Stone>)> = None;
    loop {
        // A path need not be UTF-8.
        let read = lines.bytes().map(|line| line.map(|line| String::from_utf8_lossy(line).trim().to_owned()));
        let line = match read {
            Ok(Some(line)) => line,
            Ok(None) => return Ok(()),
            Err(LineError::Io(error)) => return Err(Failure::run(format!("standard input: {error}"))),
            Err(_) if is_information(lines.beginning()) => continue,
            Err(error) => return Err(Failure::input(error)),
        };
        let clock = Stopwatch::start();
        let answer = if line.is_empty() {
            continue;
        } else if let Some((listing, stones)) = &mut listed {
            if line.eq_ignore_ascii_case("DONE") {
                let (listing, stones) = (*listing, std::mem::take(stones));
                listed = None;
                game.done(listing, &stones, &clock)
            } else {
                listing.stone(&line, stones.len()).map(|stone| {
                    stone.into_iter().for_each(|stone| game.keep(stone, stones));
                    None
                })
            }
        } else {
            let (command, rest) = line.split_once(char::is_whitespace).unwrap_or((&line, ""));
            let rest = rest.trim();
            match command.to_ascii_uppercase().as_str() {
                "END" => return Ok(()),
                "BOARD" => Ok(Listing::Board.begin(&mut listed)),
                "YXBOARD" => Ok(Listing::Position.begin(&mut listed)),
                "SWAP2BOARD" => Ok(Listing::Swap2.begin(&mut listed)),
                command => game.obey(command, rest, &clock),
            }
        };
        match answer {
            Ok(None) => {}
            Ok(Some(answer)) => put_line(writer, &answer)?,
            Err(error) => put_line(writer, &format!("ERROR {error}"))?,
        }
    }
}

/// A command that lists stones up to DONE.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Listing {
    /// `BOARD`: a position to move in.
    Board,
    /// `YXBOARD`: a position to keep, without an answer.
    Position,
    /// `SWAP2BOARD`: the opening so far, to place stones or choose a side.
    Swap2,
}

impl Listing {
    fn begin(self, listed: &mut Option<(Self, Vec<Stone>)>) -> Option<String> {
        *listed = Some((self, Vec::new()));
        None
    }

    /// A line of the list, after `before` stones.
    fn stone(self, line: &str, before: usize) -> Result<Option<Stone>, CommandError> {
        if self != Self::Swap2 {
            return Stone::parse(line);
        }
        // Black begins, and who is asked may go on with white.
        let [column, row] = numbers(line, "column,row")?;
        Ok(Some(Stone { column, row, own: before % 2 == 1 }))
    }
}

/// A stone in a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Stone {
    column: usize,
    row: usize,
    own: bool,
}

impl Stone {
    /// Parses `column,row,who`: 1 for the engine's own stones, 2 for the opponent's. Stones with 3 are ignored, as for
    /// information only.
    fn parse(line: &str) -> Result<Option<Self>, CommandError> {
        let [column, row, who] = numbers(line, "column,row,who")?;
        match who {
            1 | 2 => Ok(Some(Self { column, row, own: who == 1 })),
            3 => Ok(None),
            _ => Err(CommandError::syntax(line, "a stone of 1 (own) or 2 (opponent)")),
        }
    }
}

/// The game, and the manager's settings for it.
#[derive(Debug)]
struct Game {
    player: Player,
    /// The table size in bytes if the manager sets no limit.
    most_table_bytes: usize,
    /// The engine's own stones are black here, because the rules are the same for both colours.
    grid: Option<Grid>,
    /// The moves in order, for TAKEBACK.
    moves: Vec<Cell>,
    turn: Duration,
    left: Option<Duration>,
    /// True if the manager has said that the whole match has no limit: what is left of it is then no limit either.
    is_endless: bool,
    /// Number of positions a move may visit, for matches independent of the machine's speed.
    nodes: Option<u64>,
    rule: u64,
}

impl Game {
    fn new(settings: Settings) -> Self {
        Self {
            player: Player::new(settings),
            most_table_bytes: settings.table_bytes,
            grid: None,
            moves: Vec::new(),
            turn: DEFAULT_TURN,
            left: None,
            is_endless: false,
            nodes: None,
            rule: 1,
        }
    }

    /// Executes a command and returns its answer, if it has one.
    fn obey(&mut self, command: &str, rest: &str, clock: &Stopwatch) -> Result<Option<String>, CommandError> {
        match command {
            "START" => {
                let [side] = numbers(rest, "a size")?;
                self.start(side, side)
            }
            "RECTSTART" => {
                let [columns, rows] = numbers(rest, "width,height")?;
                self.start(rows, columns)
            }
            "RESTART" => {
                let grid = self.grid.as_ref().ok_or(CommandError::NoGame)?;
                self.start(grid.rows(), grid.columns())
            }
            "BEGIN" => self.answer(clock).map(Some),
            "TURN" => {
                let [column, row] = numbers(rest, "column,row")?;
                self.put(Stone { column, row, own: false })?;
                self.answer(clock).map(Some)
            }
            "TAKEBACK" => {
                let [column, row] = numbers(rest, "column,row")?;
                self.take_back(column, row).map(|()| Some("OK".to_owned()))
            }
            "INFO" => self.inform(rest).map(|()| None),
            "ABOUT" => Ok(Some(about())),
            _ => Ok(Some(format!("UNKNOWN command {}", quoted(command)))),
        }
    }

    /// Carries out a command whose list of stones is complete.
    fn done(
        &mut self,
        listing: Listing,
        stones: &[Stone],
        clock: &Stopwatch,
    ) -> Result<Option<String>, CommandError> {
        match listing {
            Listing::Board => self.set_up(stones).and_then(|()| self.answer(clock)).map(Some),
            Listing::Position => self.set_up(stones).map(|()| None),
            Listing::Swap2 => self.swap2(stones, clock).map(Some),
        }
    }

    /// Stores a stone of a list, at most one more than the grid has cells, which is enough to refuse them.
    fn keep(&self, stone: Stone, stones: &mut Vec<Stone>) {
        let cells = self.grid.as_ref().map_or(0, |grid| grid.rows() * grid.columns());
        if stones.len() <= cells {
            stones.push(stone);
        }
    }

    fn start(&mut self, rows: usize, columns: usize) -> Result<Option<String>, CommandError> {
        self.grid = Some(Grid::new(rows, columns)?);
        self.moves.clear();
        Ok(Some("OK".to_owned()))
    }

    fn set_up(&mut self, stones: &[Stone]) -> Result<(), CommandError> {
        let grid = self.grid.as_ref().ok_or(CommandError::NoGame)?;
        self.start(grid.rows(), grid.columns())?;
        stones.iter().try_for_each(|&stone| self.put(stone))
    }

    fn put(&mut self, stone: Stone) -> Result<(), CommandError> {
        let grid = self.grid.as_mut().ok_or(CommandError::NoGame)?;
        let Stone { column, row, own } = stone;
        if column >= grid.columns() || row >= grid.rows() {
            return Err(CommandError::Outside(column, row));
        }
        let cell = Cell::at(row, column, grid.columns());
        if grid.stone(cell).is_some() {
            return Err(CommandError::Taken(column, row));
        }
        grid.set(cell, Some(if own { Color::Black } else { Color::White }));
        self.moves.push(cell);
        Ok(())
    }

    fn take_back(&mut self, column: usize, row: usize) -> Result<(), CommandError> {
        let grid = self.grid.as_mut().ok_or(CommandError::NoGame)?;
        match self.moves.last() {
            Some(&last)
                if column < grid.columns()
                    && row < grid.rows()
                    && last == Cell::at(row, column, grid.columns()) =>
            {
                grid.set(last, None);
                self.moves.pop();
                Ok(())
            }
            _ => Err(CommandError::NotLast(column, row)),
        }
    }

    /// Searches for the engine's move.
    fn think(&mut self, limits: Limits, clock: &Stopwatch) -> Result<Report<Cell>, CommandError> {
        if !is_exactly_five(self.rule) {
            return Err(CommandError::Rule(self.rule));
        }
        let grid = self.grid.as_ref().ok_or(CommandError::NoGame)?;
        if grid.is_full() {
            return Err(CommandError::Full);
        }
        Ok(if is_hurried(grid, limits) {
            hasty(grid)
        } else {
            self.player.think(&Position::new(grid, Color::Black), limits, clock)
        })
    }

    /// Chooses and plays the engine's move.
    fn answer(&mut self, clock: &Stopwatch) -> Result<String, CommandError> {
        let report = self.think(self.limits(), clock)?;
        self.reply(&report)
    }

    /// Plays the move of a search, and tells of it.
    fn reply(&mut self, report: &Report<Cell>) -> Result<String, CommandError> {
        let columns = self.grid.as_ref().ok_or(CommandError::NoGame)?.columns();
        let point = |cell: Cell| {
            let at = cell.coordinates(columns);
            format!("{},{}", at.column, at.row)
        };
        let best = report.best.ok_or(CommandError::Full)?;
        let at = best.coordinates(columns);
        let line: Vec<String> = report.principal_variation.iter().map(|&cell| point(cell)).collect();
        let Report { depth, score, nodes, .. } = *report;
        self.put(Stone { column: at.column, row: at.row, own: true })?;
        Ok(format!(
            "MESSAGE depth {depth} score {score} nodes {nodes} line {}\n{}",
            line.join(" "),
            point(best)
        ))
    }

    /// Returns the limits of a move, from its time and its number of positions.
    fn limits(&self) -> Limits {
        let limits = self.player.settings().limits(self.allowance());
        Limits { nodes: limits.nodes.into_iter().chain(self.nodes).min(), ..limits }
    }

    fn allowance(&self) -> Duration {
        self.left.map_or(self.turn, |left| self.turn.min(left / MOVES_TO_COME))
    }

    /// Limits the table to half of `bytes`, which leaves room for the rest of the program.
    fn keep_within(&mut self, bytes: usize) {
        let settings = self.player.settings();
        let table_bytes = self.most_table_bytes.min(bytes / 2).max(1 << 16);
        if table_bytes != settings.table_bytes {
            self.player = Player::new(Settings { table_bytes, ..settings });
        }
    }

    /// Applies an `INFO` setting. Unknown ones are ignored, as the protocol asks.
    fn inform(&mut self, rest: &str) -> Result<(), CommandError> {
        let (key, value) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        let number = || {
            let wrong = || CommandError::syntax(rest, "a key and a number");
            value.trim().parse::<i64>().map(|number| number.max(0) as u64).map_err(|_| wrong())
        };
        match key.to_ascii_lowercase().as_str() {
            "timeout_turn" => self.turn = Duration::from_millis(number()?.min(NO_LIMIT)),
            "timeout_match" => {
                let millis = number()?;
                self.is_endless = millis == 0 || millis >= NO_LIMIT;
                self.left = (!self.is_endless).then(|| Duration::from_millis(millis));
            }
            "time_left" => {
                let millis = number()?;
                let is_limit = millis < NO_LIMIT && !self.is_endless;
                self.left = is_limit.then(|| Duration::from_millis(millis));
            }
            "max_memory" => {
                if let Some(bytes) = usize::try_from(number()?).ok().filter(|&bytes| bytes > 0) {
                    self.keep_within(bytes);
                }
            }
            "max_node" => self.nodes = Some(number()?).filter(|&nodes| nodes > 0),
            "rule" => {
                self.rule = number()?;
                if !is_exactly_five(self.rule) {
                    return Err(CommandError::Rule(self.rule));
                }
            }
            _ => {}
        }
        Ok(())
    }
}

/// Returns true if a line begins with `INFO`.
fn is_information(line: &[u8]) -> bool {
    let mut words = line.trim_ascii_start().split(u8::is_ascii_whitespace);
    words.next().is_some_and(|word| word.eq_ignore_ascii_case(b"INFO"))
}

/// Returns true for exactly five: bit 0. Bit 1 only announces further games.
const fn is_exactly_five(rule: u64) -> bool {
    rule & !2 == 1
}

fn about() -> String {
    format!("name=\"connect5-joueur\", version=\"{}\"", env!("CARGO_PKG_VERSION"))
}

/// Parses exactly `N` numbers separated by commas.
fn numbers<const N: usize>(text: &str, what: &'static str) -> Result<[usize; N], CommandError> {
    let wrong = || CommandError::syntax(text, what);
    let numbers: Option<Vec<usize>> = text.split(',').map(|part| part.trim().parse().ok()).collect();
    numbers.and_then(|numbers| numbers.try_into().ok()).ok_or_else(wrong)
}

#[cfg(test)]
mod tests;
