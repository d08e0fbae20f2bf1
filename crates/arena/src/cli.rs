//! The arguments of `arena`.

use crate::view::Guest;
use crate::web::{self, Budget, Gate, Hosts, Rooms, Site, address, host, offered, secret, set_folder, token};
use courses::drawing::Language;
use courses::registry;
use courses::sandbox::{self, Mode, Sandbox};
use lexopt::prelude::*;
use std::ffi::OsString;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener};
use std::path::PathBuf;
use std::sync::Arc;
use wire::Failure;

/// The options, for `--help`.
const OPTIONS: &str = "
Opens the page where anyone plays, watches and studies the five games, and prints its address.

  --port [ADDRESS:]PORT  address to listen on; 0 takes a free port (127.0.0.1:8765)
  --host NAME[:PORT]     a further name for this machine, needed to reach the page from others; may be repeated
  --data DIR             folder for saved games: at most 1000 files and 100 MB, then the oldest finished games
                         are deleted (arena-data here if it exists, otherwise arena in the user's data
                         directory, $XDG_DATA_HOME or ~/.local/share)
  --no-data              save no games
  --threads N            threads that an analysis may use, at most those of this machine (all); one while an engine
                         plays
  --player [GAME:]NAME=[PROTOCOL:]COMMAND
                         a further player to choose, such as \"{example}\"; may be repeated
  --sandbox MODE         how players given by --player start unless they are our own programs: auto, in a sandbox
                         with the layers that the system offers; strict, only with all of them; off (auto)
  --allow PATH           a file or folder that players in the sandbox may read besides their own; may be repeated
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
    threads: usize,
    sandbox: sandbox::Options,
}

/// Returns the default of `--data`: the folder of an earlier version in the working directory if it exists, otherwise
/// one in the user's data directory (XDG Base Directory Specification).
fn default_data(variable: &dyn Fn(&str) -> Option<OsString>) -> PathBuf {
    let here = PathBuf::from("arena-data");
    if here.is_dir() {
        return here;
    }
    // The specification ignores relative paths.
    let absolute = |name| variable(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let data = absolute("XDG_DATA_HOME").or_else(|| Some(absolute("HOME")?.join(".local/share")));
    data.map_or(here, |data| data.join("arena"))
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
    Ok(Guest { game, name: name.to_owned(), text: command.to_owned(), sandbox: None })
}

/// An empty folder would be the working directory, which nobody meant.
fn data(folder: OsString) -> Result<PathBuf, Failure> {
    let is_named = !folder.is_empty();
    is_named.then(|| folder.into()).ok_or_else(|| Failure::input("--data: expected a folder, found nothing"))
}

fn threads(text: &str) -> Result<usize, Failure> {
    let count = text.parse().ok().filter(|count| (1..=offered()).contains(count));
    count
        .ok_or_else(|| Failure::input(format!("--threads {text}: expected a number from 1 to {}", offered())))
}

fn mode(text: &str) -> Result<Mode, Failure> {
    match text {
        "auto" => Ok(Mode::Auto),
        "strict" => Ok(Mode::Strict),
        "off" => Ok(Mode::Off),
        _ => Err(Failure::input(format!("--sandbox {text}: expected auto, strict or off"))),
    }
}

/// Gives the players of `--player` their sandbox and names its layers.
fn confine(guests: &mut [Guest], options: &sandbox::Options) -> Result<(), Failure> {
    let sandbox = Sandbox::new(options).map_err(Failure::input)?;
    if !guests.is_empty() {
        let layers = sandbox.as_ref().map_or_else(|| "off".to_owned(), |sandbox| sandbox.layers().words());
        wire::note(format_args!("arena: the sandbox of given players: {layers}"));
    }
    for guest in guests {
        guest.sandbox.clone_from(&sandbox);
    }
    Ok(())
}

fn parse(arguments: Vec<OsString>) -> Result<Option<Arguments>, Failure> {
    let mut parser = lexopt::Parser::from_args(arguments);
    let mut parsed = Arguments {
        address: SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 8765),
        hosts: Vec::new(),
        data: Some(default_data(&|name| std::env::var_os(name))),
        guests: Vec::new(),
        folder: None,
        threads: offered(),
        sandbox: sandbox::Options::new(Mode::Auto),
    };
    let text = |value: OsString| value.to_string_lossy().into_owned();
    while let Some(argument) = parser.next().map_err(Failure::input)? {
        match argument {
            Long("port") => parsed.address = address(&text(parser.value().map_err(Failure::input)?))?,
            Long("host") => parsed.hosts.push(host(&text(parser.value().map_err(Failure::input)?))?),
            Long("data") => parsed.data = Some(data(parser.value().map_err(Failure::input)?)?),
            Long("no-data") => parsed.data = None,
            Long("threads") => parsed.threads = threads(&text(parser.value().map_err(Failure::input)?))?,
            Long("player") => parsed.guests.push(guest(&text(parser.value().map_err(Failure::input)?))?),
            Long("sandbox") => parsed.sandbox.mode = mode(&text(parser.value().map_err(Failure::input)?))?,
            Long("allow") => parsed.sandbox.allow.push(parser.value().map_err(Failure::input)?.into()),
            Long("bin-dir") => parsed.folder = Some(parser.value().map_err(Failure::input)?.into()),
            Short('h') | Long("help") => return Ok(None),
            other => return Err(Failure::input(format!("{} (see --help)", other.unexpected()))),
        }
    }
    Ok(Some(parsed))
}

/// Runs `arena`.
///
/// # Errors
/// Invalid arguments, and a port that is not available.
pub fn main(arguments: Vec<OsString>) -> Result<(), Failure> {
    courses::peer::catch_signals();
    if let [word, mark] = arguments.as_slice()
        && word == "guard"
    {
        courses::peer::guard(&mark.to_string_lossy(), std::io::stdin().lock());
        return Ok(());
    }
    wire::file::remove_unfinished_on_signals(|| ()).map_err(Failure::run)?;
    let first = arguments.first().and_then(|word| registry::find(word.to_str()?));
    if let Some(server) = first.and_then(|game| game.server()) {
        return crate::serveur::main(server, arguments[1..].to_vec());
    }
    let Some(mut arguments) = parse(arguments)? else {
        return wire::print(help());
    };
    confine(&mut arguments.guests, &arguments.sandbox)?;
    if let Some(folder) = arguments.folder {
        set_folder(folder);
    }
    let failed = |error| Failure::run(format!("cannot listen on {}: {error}", arguments.address));
    let listener = TcpListener::bind(arguments.address).map_err(failed)?;
    let address = listener.local_addr().map_err(failed)?;
    wire::write_notes_in_background();
    let data = arguments.data.clone();
    let rooms =
        Rooms::open(arguments.data, arguments.guests, arguments.threads, secret()).map_err(Failure::run)?;
    if let Some(data) = data {
        wire::note(format_args!("arena: games are saved in {}", data.display()));
    }
    let hosts = Hosts::new(address, &arguments.hosts);
    let links = hosts.links();
    let gate = Arc::new(Gate { hosts, token: Some(token()) });
    let site = Arc::new(Site { rooms, gate, budget: Budget::default(), is_run: false });
    let threads = web::start_threads()?;
    wire::print_line(format_args!("arena: {links}"))?;
    threads.run(web::serve(listener, site))
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
        assert!(data("".into()).is_err(), "the working directory");
    }
}
