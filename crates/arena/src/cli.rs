//! The arguments of `arena`.

use crate::engine::set_folder;
use crate::hall::{Guest, Hall};
use crate::web::{self, Budget, Gate, Hosts, Site};
use courses::drawing::Language;
use courses::registry;
use lexopt::prelude::*;
use std::ffi::OsString;
use std::hash::{BuildHasher, Hasher};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use wire::Failure;

/// The options, for the text of `--help`.
const OPTIONS: &str = "
Opens the page where anyone plays, watches and studies the five games, and prints its address.

  --port [ADDRESS:]PORT  address to listen on; 0 takes a free port (127.0.0.1:8765)
  --host NAME[:PORT]     a further name for this machine, needed to reach the page from others; may be repeated
  --data DIR             folder for saved games: at most 1000 files and 100 MB, then the oldest finished games
                         are deleted (arena-data here if it exists, otherwise arena in the user's data
                         directory, $XDG_DATA_HOME or ~/.local/share)
  --no-data              save no games
  --player [GAME:]NAME=[PROTOCOL:]COMMAND
                         a further player to choose, such as \"{example}\"; may be repeated
  --bin-dir DIR          folder of the project's executables (the folder of this one)
  -h, --help             this text
";

/// Returns the text of `--help`.
fn help() -> String {
    let mut text = "usage: arena [OPTIONS]\n".to_owned();
    let servers = || registry::all().into_iter().filter_map(|game| Some((game, game.server()?)));
    for (game, server) in servers() {
        let program = server.program();
        text +=
            &format!("       arena {game} [--page [ADDRESS:]PORT] [--host NAME] [options of {program}]\n");
    }
    let first = registry::first_offered();
    text += &OPTIONS.replace("{example}", &format!("{first}:edax=gtp:edax -gtp"));
    for (game, _) in servers() {
        let nickname = game.nickname(Language::English);
        text += &format!(
            "\narena {game} runs the course's {nickname} server, with a page in place of the original's window.\n"
        );
    }
    text
}

struct Arguments {
    address: SocketAddr,
    hosts: Vec<String>,
    data: Option<PathBuf>,
    guests: Vec<Guest>,
    folder: Option<PathBuf>,
}

/// The folder where games are kept unless `--data` names another: that of an earlier version in the working directory if
/// it exists, else one in the user's data directory (XDG Base Directory Specification).
fn default_data(variable: &dyn Fn(&str) -> Option<OsString>) -> PathBuf {
    let here = PathBuf::from("arena-data");
    if here.is_dir() {
        return here;
    }
    // A relative path is to be ignored.
    let absolute = |name| variable(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let data = absolute("XDG_DATA_HOME").or_else(|| Some(absolute("HOME")?.join(".local/share")));
    data.map_or(here, |data| data.join("arena"))
}

/// A port, on this machine only, or an address with one.
pub(crate) fn address(text: &str) -> Result<SocketAddr, Failure> {
    let port = text.parse().map(|port| SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), port));
    port.or_else(|_| text.parse())
        .map_err(|_| Failure::input(format!("--port: expected PORT or ADDRESS:PORT, found \"{text}\"")))
}

/// A name that a page is called by.
pub(crate) fn host(text: &str) -> Result<String, Failure> {
    let is_of_one = |c: char| c.is_ascii_alphanumeric() || "-_.:[]".contains(c);
    let is_name = !text.is_empty() && text.chars().all(is_of_one);
    is_name
        .then(|| text.to_owned())
        .ok_or_else(|| Failure::input(format!("--host: expected NAME or NAME:PORT, found \"{text}\"")))
}

fn guest(text: &str) -> Result<Guest, Failure> {
    let wrong = |why: &str| Failure::input(format!("--player \"{text}\": {why}"));
    let (game, rest) = match text.split_once(':') {
        Some((name, rest)) if registry::find(name).is_some() => (registry::find(name), rest),
        _ => (None, text),
    };
    let (name, command) = rest.split_once('=').ok_or_else(|| wrong("expected NAME=COMMAND"))?;
    let name = name.trim();
    // A command without a name may have an option with a value.
    let is_part = |c: char| c.is_alphanumeric() || " '’-_.+@()".contains(c);
    let is_name =
        name.starts_with(char::is_alphanumeric) && name.chars().all(is_part) && !name.contains(" -");
    if !is_name || name.chars().count() > 40 || matches!(name, "person" | "own") {
        return Err(wrong("expected a name of at most 40 letters, digits, spaces and '-_.+@() before the ="));
    }
    let _: courses::player::Player = command.parse().map_err(|error| wrong(&format!("{error}")))?;
    Ok(Guest { game, name: name.to_owned(), text: command.to_owned() })
}

fn parse(arguments: Vec<OsString>) -> Result<Option<Arguments>, Failure> {
    let mut parser = lexopt::Parser::from_args(arguments);
    let mut parsed = Arguments {
        address: SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 8765),
        hosts: Vec::new(),
        data: Some(default_data(&|name| std::env::var_os(name))),
        guests: Vec::new(),
        folder: None,
    };
    let text = |value: OsString| value.to_string_lossy().into_owned();
    while let Some(argument) = parser.next().map_err(Failure::input)? {
        match argument {
            Long("port") => parsed.address = address(&text(parser.value().map_err(Failure::input)?))?,
            Long("host") => parsed.hosts.push(host(&text(parser.value().map_err(Failure::input)?))?),
            Long("data") => parsed.data = Some(parser.value().map_err(Failure::input)?.into()),
            Long("no-data") => parsed.data = None,
            Long("player") => parsed.guests.push(guest(&text(parser.value().map_err(Failure::input)?))?),
            Long("bin-dir") => parsed.folder = Some(parser.value().map_err(Failure::input)?.into()),
            Short('h') | Long("help") => return Ok(None),
            other => return Err(Failure::input(format!("{} (see --help)", other.unexpected()))),
        }
    }
    Ok(Some(parsed))
}

/// A number that nobody can guess: the standard library's hashers are seeded by the system.
#[must_use]
pub fn secret() -> u64 {
    std::collections::hash_map::RandomState::new().build_hasher().finish()
}

/// A token that requests for a change must carry.
#[must_use]
pub fn token() -> String {
    format!("{:016x}{:016x}", secret(), secret())
}

/// The body of `arena`.
///
/// # Errors
/// Bad arguments, a port that cannot be had.
pub fn main(arguments: Vec<OsString>) -> Result<(), Failure> {
    courses::peer::catch_signals();
    if let [word, mark] = arguments.as_slice()
        && word == "guard"
    {
        courses::peer::guard(&mark.to_string_lossy(), std::io::stdin().lock());
        return Ok(());
    }
    let first = arguments.first().and_then(|word| registry::find(word.to_str()?));
    if let Some(server) = first.and_then(|game| game.server()) {
        return crate::serveur::main(server, arguments[1..].to_vec());
    }
    let Some(arguments) = parse(arguments)? else {
        return wire::print(help());
    };
    if let Some(folder) = arguments.folder {
        set_folder(folder);
    }
    let failed = |error| Failure::run(format!("cannot listen on {}: {error}", arguments.address));
    let listener = TcpListener::bind(arguments.address).map_err(failed)?;
    let address = listener.local_addr().map_err(failed)?;
    if let Some(data) = &arguments.data {
        wire::note(format_args!("arena: games are kept in {}", data.display()));
    }
    let hall = Hall::open(arguments.data, arguments.guests, secret()).map_err(Failure::run)?;
    let hosts = Hosts::new(address, &arguments.hosts);
    let links = hosts.links();
    let gate = Arc::new(Gate { hosts, token: Some(token()) });
    let site = Arc::new(Site { hall, gate, budget: Budget::default() });
    wire::print_line(format_args!("arena: {links}"))?;
    run(web::serve(listener, site))
}

/// Threads that read and write connections.
const CONNECTION_THREADS: usize = 2;
/// Most threads that work on requests.
const WORK_THREADS: usize = 16;
/// An idle thread stays: where the system has no other left, it does the work.
const STAYS: Duration = Duration::from_secs(365 * 24 * 3600);

/// Serves until the process is told to end.
///
/// # Errors
/// Those of the listener, and where the system has too few threads left.
pub fn run(server: impl Future<Output = std::io::Result<()>>) -> Result<(), Failure> {
    let failed = |error| Failure::run(format!("cannot serve: {error}"));
    try_threads(CONNECTION_THREADS + 1).map_err(failed)?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(CONNECTION_THREADS)
        .max_blocking_threads(WORK_THREADS)
        .thread_keep_alive(STAYS)
        .enable_io()
        .enable_time()
        .build()
        .map_err(failed)?;
    // Starts the first thread that works, for the one that is missing later.
    let first = runtime.spawn_blocking(|| {});
    let served = runtime.block_on(async {
        first.await.map_err(std::io::Error::other)?;
        server.await
    });
    served.map_err(Failure::run)
}

/// Starts and ends this many threads at the same time. The runtime panics where it cannot start its own.
fn try_threads(count: usize) -> std::io::Result<()> {
    let gate = Mutex::new(());
    std::thread::scope(|scope| {
        let _closed = gate.lock();
        let wait = || drop(gate.lock());
        (0..count).try_for_each(|_| std::thread::Builder::new().spawn_scoped(scope, wait).map(drop))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_kept_in_the_users_data_directory() {
        let with = |variables: &[(&str, &str)]| {
            let of = |name: &str| variables.iter().find(|(of, _)| *of == name).map(|(_, value)| value.into());
            default_data(&of)
        };
        let home = ("HOME", "/home/user");
        assert_eq!(with(&[home]), PathBuf::from("/home/user/.local/share/arena"));
        assert_eq!(with(&[home, ("XDG_DATA_HOME", "/data")]), PathBuf::from("/data/arena"));
        assert_eq!(with(&[home, ("XDG_DATA_HOME", "data")]), PathBuf::from("/home/user/.local/share/arena"));
        assert_eq!(with(&[home, ("XDG_DATA_HOME", "")]), PathBuf::from("/home/user/.local/share/arena"));
        assert_eq!(with(&[]), PathBuf::from("arena-data"));
    }
}
