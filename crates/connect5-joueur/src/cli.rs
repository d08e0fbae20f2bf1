//! The command line.

use crate::evaluation::Evaluation;
use crate::player::{Player, Settings};
use crate::protocol::analysis;
use crate::protocol::dialogue::{Reporting, Terminal, converse};
use crate::protocol::{piskvork, tcp, team::Team};
use lexopt::prelude::{Long, Short, Value};
use std::ffi::OsString;
use std::io::{BufReader, stdin, stdout};
use std::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;
use std::time::Duration;
use wire::{Failure, SearchLog, choice_of, number_of, put_line};

const HELP: &str = "\
usage: connect5-joueur [OPTIONS]          the course's dialogue on standard input and output
       connect5-joueur [OPTIONS] PORT     the same over TCP, several clients at once
       connect5-joueur [OPTIONS] --piskvork   the Gomocup protocol on standard input and output
       connect5-joueur [OPTIONS] --analyse    the analysis dialogue: position, analyse N, stop

options:
  --equipe FILE    the team's names, one student a line (default: crates/connect5-joueur/equipe.txt, built in)
  --pret           end the greeting with PRET instead of READY, for the course's tool of 2020
  --eval NAME      evaluation function: lines, shapes, learned, network (default)
  --table MIB      size of the transposition table, 1 to 256 (default 64; over TCP 16 for each client)
  --keep-table     keep the table between searches, for private matches (default: cleared); not over TCP
  --nodestime N    count N positions as a millisecond instead of using the clock, for reproducible matches
  --threads N      threads of --piskvork and --analyse, 1 to 64 (default 1)
  --report         log each answer's search to standard error, in the course's dialogue
  --address ADDR   over TCP: listen on this address only (default: all interfaces)
  --idle S         over TCP: close a client that asks for nothing for S seconds (default 600). Where all 50 places are
                   taken, one that waits S seconds for an answer is closed too, and one that is silent, has
                   closed its end or sends more before its answer after a twentieth of S
  -h, --help       this text

Environment: PLAYER_INFO=moves logs each answer's search to standard error, PLAYER_INFO=depths each iteration too.";

/// Maximum size of a team file in bytes.
const LONGEST_TEAM: u64 = 1 << 16;

/// The parsed arguments.
#[derive(Debug, Default)]
struct Arguments {
    port: Option<u16>,
    address: Option<IpAddr>,
    idle: Option<u32>,
    team: Option<PathBuf>,
    pret: bool,
    evaluation: Evaluation,
    table_bytes: Option<usize>,
    keep_table: bool,
    nodestime: Option<u64>,
    threads: Option<usize>,
    report: bool,
    piskvork: bool,
    analyse: bool,
    help: bool,
}

/// Runs `connect5-joueur`.
///
/// # Errors
/// Exit code 2 if an argument, a file or the input is wrong, 1 if the run or a client fails.
pub fn main(arguments: Vec<OsString>) -> Result<(), Failure> {
    let arguments = parse(arguments).map_err(|error| Failure::input(format!("{error} (see --help)")))?;
    if arguments.help {
        return Ok(put_line(&mut stdout(), HELP)?);
    }
    let search_log = SearchLog::from_env()?;
    arguments.evaluation.check().map_err(Failure::run)?;
    let team = match &arguments.team {
        None => Team::default(),
        Some(path) => {
            let text = wire::text::read_file(path, LONGEST_TEAM)
                .map_err(|error| Failure::input(format!("cannot read {}: {error}", path.display())))?;
            Team::parse(&text)?
        }
    };
    let team = if arguments.pret { team.of_2020() } else { team };
    let settings = |mib: usize| Settings {
        evaluation: arguments.evaluation,
        table_bytes: arguments.table_bytes.unwrap_or(mib << 20),
        keep_table: arguments.keep_table,
        nodes_per_milli: arguments.nodestime,
        threads: arguments.threads.unwrap_or(1),
    };
    if arguments.piskvork {
        return piskvork::play(stdin().lock(), &mut stdout().lock(), settings(64));
    }
    if arguments.analyse {
        let mut analyst = analysis::Analyst::new(settings(64));
        return wire::analysis::serve(&mut analyst, BufReader::new(stdin()), &mut stdout().lock());
    }
    let reporting = if arguments.report { Reporting::Brief } else { Reporting::Silent };
    match arguments.port {
        None => {
            let mut host = Terminal { player: Player::new(settings(64)), reporting, search_log };
            host.player.prepare();
            converse(stdin().lock(), &mut stdout().lock(), &team, &mut host).map(|_| ())
        }
        Some(port) => {
            tcp::with_one_arena()?;
            let address = arguments.address.unwrap_or(Ipv4Addr::UNSPECIFIED.into());
            let idle = arguments.idle.map_or(tcp::IDLE, |seconds| Duration::from_secs(seconds.into()));
            tcp::serve((address, port).into(), team, settings(16), reporting, search_log, idle)
        }
    }
}

fn parse(arguments: Vec<OsString>) -> Result<Arguments, Failure> {
    let mut parsed = Arguments::default();
    let mut parser = lexopt::Parser::from_args(arguments);
    while let Some(argument) = parser.next().map_err(Failure::input)? {
        match argument {
            Short('h') | Long("help") => parsed.help = true,
            Long("piskvork") => parsed.piskvork = true,
            Long("analyse") => parsed.analyse = true,
            Long("pret") => parsed.pret = true,
            Long("equipe") => parsed.team = Some(value(&mut parser)?.into()),
            Long("eval") => parsed.evaluation = choice_of("--eval", value(&mut parser)?)?,
            Long("keep-table") => parsed.keep_table = true,
            Long("nodestime") => {
                parsed.nodestime = Some(number_of("--nodestime", value(&mut parser)?, 1..=1_000_000)?);
            }
            Long("threads") => parsed.threads = Some(number_of("--threads", value(&mut parser)?, 1..=64)?),
            Long("report") => parsed.report = true,
            Long("address") => {
                let text = value(&mut parser)?.to_string_lossy().into_owned();
                let wrong = |_| Failure::input(format!("--address: {text:?} is no IP address"));
                parsed.address = Some(text.parse().map_err(wrong)?);
            }
            Long("idle") => {
                parsed.idle = Some(number_of("--idle", value(&mut parser)?, 1..=1_000_000)?);
            }
            Long("table") => {
                parsed.table_bytes = Some(wire::mebibytes_of("--table", value(&mut parser)?, 1..=256)?);
            }
            Value(port) if parsed.port.is_none() => {
                parsed.port = Some(number_of("PORT", port, 0..=u16::MAX)?);
            }
            _ => return Err(Failure::input(argument.unexpected())),
        }
    }
    match parsed.useless() {
        Some((call, option)) => Err(Failure::input(format!("{call} takes no {option}"))),
        None if parsed.address.is_some() && parsed.port.is_none() => {
            Err(Failure::input("--address needs a PORT"))
        }
        None if parsed.idle.is_some() && parsed.port.is_none() => Err(Failure::input("--idle needs a PORT")),
        None => Ok(parsed),
    }
}

/// Returns the value of the option read last.
fn value(parser: &mut lexopt::Parser) -> Result<OsString, Failure> {
    parser.value().map_err(Failure::input)
}

impl Arguments {
    /// Returns the mode and an option without effect in it, if one is given.
    fn useless(&self) -> Option<(&'static str, &'static str)> {
        let nodestime = ("--nodestime", self.nodestime.is_some());
        let dialogue =
            [("--equipe FILE", self.team.is_some()), ("--pret", self.pret), ("--report", self.report)];
        let port = ("PORT", self.port.is_some());
        let keep_table = ("--keep-table", self.keep_table);
        let threads = ("--threads", self.threads.is_some());
        let (call, useless) = if self.piskvork {
            ("--piskvork", [&dialogue[..], &[port, ("--analyse", self.analyse)]].concat())
        } else if self.analyse {
            ("--analyse", [&dialogue[..], &[port, nodestime, keep_table]].concat())
        } else if self.port.is_some() {
            ("PORT", vec![keep_table, threads])
        } else {
            // The course's dialogue searches on one thread.
            ("the course's dialogue", vec![threads])
        };
        useless.into_iter().find(|&(_, given)| given).map(|(option, _)| (call, option))
    }
}
