//! The command line: arguments, help text and exit codes.

use crate::evaluation::{Evaluation, Network};
use crate::player::{Player, Settings, Solver};
use crate::protocol::analysis;
use crate::protocol::{Answerer, Request, dialogue, solution};
use crate::rules::Picture;
use crate::tree::{self, Kernel};
use lexopt::prelude::*;
use search_core::{Limits, Stopwatch, memory};
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Write};
use std::os::fd::AsFd;
use std::time::Duration;
use wire::{Failure, MAX_MILLIS, SearchLog, choice_of, number_of, put_line};

const HELP: &str = "\
Ultimate tic-tac-toe on 169-bit integers.

uttt INT          play one move: print the integer of the next position
uttt a DEPTH INT  print the tree below a position, a line a level, DEPTH generations
uttt p INT        draw a position
uttt -            play a move for each integer on standard input, one a line
uttt analyse      the analysis dialogue: position INT, analyse N, stop
uttt solve INT    prove who wins with best play, how soon and how, as far as the limits allow

Options
  --time MS       time for a move in milliseconds (default 1000, or the variable UTTT_TIME_MS)
  --nodes N       positions to visit instead; gives the same answer on every machine
  --depth N       plies to search instead, by alpha-beta
  --search NAME   monte-carlo (default), alpha-beta, playouts
  --eval NAME     evaluation: boards, lines, network (default)
  --seed N        seed of the random playouts (default 1)
  --table MIB     memory of the search, 1 to 65536 (default 384)
  --threads N     threads of analyse and solve, 1 to 64 (default 1); half of solve's prove who wins, half who
                  draws at least
  --kernel NAME   code that computes the tree: portable, avx2, avx512 (default: the fastest here)
  -h, --help      this text

Environment: PLAYER_INFO=moves logs each move's search to standard error; PLAYER_INFO=depths also logs
each iteration, or each doubling of a tree.

Exit codes: 0 done; 1 the output could not be written; 2 bad arguments or input.
A search to which the system refuses memory aborts (134 in a shell), or ends with 1 if it was built
with the project's tools.
";

/// The command to run.
enum Task {
    Play(Request),
    Tree(u64, Request),
    Picture(Request),
    Dialogue,
    Analyse,
    Solve(Request),
}

struct Arguments {
    words: Vec<OsString>,
    settings: Settings,
    limits: Option<Limits>,
    kernel: Kernel,
    help: bool,
}

/// Runs the command line `arguments`.
///
/// # Errors
/// A one-line message and the exit code.
pub fn main(arguments: Vec<OsString>) -> Result<(), Failure> {
    let clock = Stopwatch::start();
    let arguments = Arguments::parse(arguments)?;
    let mut stdout = unbuffered_stdout()?;
    if arguments.help {
        stdout.write_all(HELP.as_bytes())?;
        return Ok(());
    }
    match arguments.task()? {
        Task::Play(request) => {
            let limits = arguments.limits()?;
            let clock = since_start(limits);
            let answer = arguments.answerer()?.answer(&request, &clock);
            put_line(&mut stdout, &answer.to_string())?;
        }
        Task::Tree(depth, request) => {
            let written = tree::write_to(request.integer, &request.state, depth, arguments.kernel, &stdout);
            match written {
                // A reader that closes the pipe has read enough of the tree.
                Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {}
                Err(error) if error.kind() == io::ErrorKind::Unsupported => {
                    return Err(Failure::input(error));
                }
                written => written?,
            }
        }
        Task::Picture(request) => stdout.write_all(Picture(&request.state).to_string().as_bytes())?,
        Task::Solve(request) => {
            let limits = arguments.limits()?;
            let bytes = memory::bytes_for(limits, arguments.settings.table_bytes);
            let solver = Solver::with_threads(bytes, arguments.settings.threads);
            let solved = solution(&request.state, limits, solver, &clock);
            stdout.write_all(solved.as_bytes())?;
        }
        Task::Analyse => {
            let mut analyst = analysis::Analyst::new(arguments.settings);
            wire::analysis::serve(&mut analyst, io::BufReader::new(io::stdin()), &mut stdout)?;
        }
        Task::Dialogue => dialogue(&mut arguments.answerer()?, io::stdin().lock(), &mut stdout)?,
    }
    Ok(())
}

/// Standard output without the standard library's line buffer, which would scan gigabytes for line feeds.
fn unbuffered_stdout() -> io::Result<File> {
    Ok(File::from(io::stdout().as_fd().try_clone_to_owned()?))
}

impl Arguments {
    fn parse(arguments: Vec<OsString>) -> Result<Self, Failure> {
        let mut parsed = Self {
            words: Vec::new(),
            settings: Settings::default(),
            limits: None,
            kernel: Kernel::best(),
            help: false,
        };
        refuse_negative(&arguments)?;
        let mut parser = lexopt::Parser::from_args(arguments);
        while let Some(argument) = parser.next().map_err(Failure::input)? {
            match argument {
                Long("time") => {
                    parsed.limits = Some(time(number_of("--time", value(&mut parser)?, 1..=MAX_MILLIS)?))
                }
                Long("nodes") => {
                    parsed.limits =
                        Some(Limits::nodes(number_of("--nodes", value(&mut parser)?, 1..=u64::MAX)?));
                }
                Long("depth") => {
                    let depth = number_of("--depth", value(&mut parser)?, 1..=81)?;
                    parsed.limits = Some(Limits::depth(depth));
                }
                Long("search") => parsed.settings.method = choice_of("--search", value(&mut parser)?)?,
                Long("seed") => {
                    parsed.settings.seed = number_of("--seed", value(&mut parser)?, 0..=u64::MAX)?
                }
                Long("eval") => parsed.settings.evaluation = choice_of("--eval", value(&mut parser)?)?,
                Long("table") => {
                    parsed.settings.table_bytes =
                        wire::mebibytes_of("--table", value(&mut parser)?, 1..=65_536)?;
                }
                Long("threads") => {
                    parsed.settings.threads = number_of("--threads", value(&mut parser)?, 1..=64)?;
                }
                Long("kernel") => parsed.kernel = choice_of("--kernel", value(&mut parser)?)?,
                Short('h') | Long("help") => parsed.help = true,
                Value(word) => parsed.words.push(word),
                _ => return Err(Failure::input(argument.unexpected())),
            }
        }
        Ok(parsed)
    }

    fn task(&self) -> Result<Task, Failure> {
        let words = self.words.iter().map(|word| text(word)).collect::<Result<Vec<_>, _>>()?;
        match words.as_slice() {
            words if self.settings.threads > 1 && !matches!(words.first(), Some(&("analyse" | "solve"))) => {
                Err(Failure::input("--threads is for analyse and solve: a move is searched on one thread"))
            }
            [] => Err(Failure::input("expected an integer, `a DEPTH INT`, `p INT` or `-` (see --help)")),
            ["-"] => Ok(Task::Dialogue),
            ["analyse"] => Ok(Task::Analyse),
            ["a", depth, integer] => {
                Ok(Task::Tree(number_of("DEPTH", depth, 0..=u64::MAX)?, request(integer)?))
            }
            ["a", ..] => Err(Failure::input("expected `a DEPTH INT`")),
            ["p", integer] => Ok(Task::Picture(request(integer)?)),
            ["p", ..] => Err(Failure::input("expected `p INT`")),
            ["solve", _] if self.limits.is_some_and(|limits| limits.depth.is_some()) => {
                Err(Failure::input("solve takes --time or --nodes, not --depth: a proof has no depth"))
            }
            ["solve", integer] => Ok(Task::Solve(request(integer)?)),
            ["solve", ..] => Err(Failure::input("expected `solve INT`")),
            [integer] => Ok(Task::Play(request(integer)?)),
            [_, unexpected, ..] => Err(Failure::input(format!("unexpected argument {unexpected:?}"))),
        }
    }

    fn limits(&self) -> Result<Limits, Failure> {
        match self.limits {
            Some(limits) => Ok(limits),
            None => Ok(time(default_time()?)),
        }
    }

    fn answerer(&self) -> Result<Answerer, Failure> {
        Ok(Answerer::new(self.player()?, self.limits()?).search_log(SearchLog::from_env()?))
    }

    /// # Errors
    /// The executable's network is damaged.
    fn player(&self) -> Result<Player, Failure> {
        if self.settings.evaluation == Evaluation::Network {
            Network::check().map_err(Failure::run)?;
        }
        Ok(Player::new(self.settings))
    }
}

/// Refuses negative numbers: no option looks like one, and no value may be negative.
fn refuse_negative(arguments: &[OsString]) -> Result<(), Failure> {
    let negative = |text: &&str| {
        text.strip_prefix('-').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
    };
    match arguments.iter().filter_map(|argument| argument.to_str()).find(negative) {
        Some(text) => Err(Failure::input(format!("{text:?} is negative: expected a non-negative integer"))),
        None => Ok(()),
    }
}

fn default_time() -> Result<u64, Failure> {
    match std::env::var_os("UTTT_TIME_MS") {
        None => Ok(1000),
        Some(millis) => number_of("UTTT_TIME_MS", millis, 1..=MAX_MILLIS),
    }
}

/// The clock of a move for which the course starts a process: it began when the process did.
/// At least half of the limit is left, however long the process ran before `main` (a shell that used `exec`, for
/// example).
fn since_start(limits: Limits) -> Stopwatch {
    /// The time that a process does not see: before it runs, and after its answer until its end is seen.
    const UNSEEN: Duration = Duration::from_millis(3);
    let most = limits.hard.map_or(Duration::ZERO, |hard| hard / 2);
    Stopwatch::running_since((wire::process_age() + UNSEEN).min(most))
}

fn time(millis: u64) -> Limits {
    Limits::time(Duration::from_millis(millis))
}

fn request(integer: &str) -> Result<Request, Failure> {
    integer.trim().parse().map_err(Failure::input)
}

fn value(parser: &mut lexopt::Parser) -> Result<String, Failure> {
    let value = parser.value().map_err(Failure::input)?;
    text(&value).map(str::to_owned)
}

fn text(word: &OsString) -> Result<&str, Failure> {
    word.to_str().ok_or_else(|| Failure::input(format!("{word:?} is not UTF-8")))
}
