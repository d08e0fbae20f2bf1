//! Players as written on the command line.

use crate::course::own_program;
use crate::fault::excerpt;
use crate::limits::PlayerLimits;
use crate::peer::{Command, SplitError};
use crate::registry;
use std::fs;
use std::net::{SocketAddr, ToSocketAddrs};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use unicode_normalization::UnicodeNormalization as _;

/// A player: its name, and how to reach it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Player {
    /// The name in tables.
    pub name: String,
    /// The way to reach it.
    pub reach: Reach,
    /// The text on the command line.
    pub text: String,
    /// The player's own limits.
    pub limits: PlayerLimits,
}

/// The way to reach a player.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reach {
    /// `builtin:NAME`: part of the referee.
    Builtin(Builtin),
    /// `tcp:HOST:PORT`: a server that is already running.
    Tcp(SocketAddr),
    /// `[PROTOCOL:]COMMAND`: a process.
    Process {
        /// The protocol, if it is not the course's first one.
        protocol: Option<&'static str>,
        /// The command to start.
        command: Command,
    },
}

/// A player that is part of the referee.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Builtin {
    /// A random legal move.
    Random,
    /// The move with the best static evaluation after it.
    Greedy,
    /// Alpha-beta to this depth, with the game's best evaluation function.
    Search(u16),
    /// The first legal move.
    First,
}

/// An error in the text of a player.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PlayerError {
    /// The command line cannot be split.
    #[error(transparent)]
    Split(#[from] SplitError),
    /// The built-in player is unknown.
    #[error(
        "\"builtin:{0}\" is not known: builtin:random, builtin:greedy, builtin:search:DEPTH, builtin:first"
    )]
    Builtin(String),
    /// The host or the port is not valid.
    #[error("expected an address tcp:HOST:PORT, found \"{0}\"")]
    Address(String),
}

impl FromStr for Player {
    type Err = PlayerError;

    /// Parses `[NAME=]builtin:…`, `[NAME=]tcp:HOST:PORT` or `[NAME=][PROTOCOL:]COMMAND`.
    fn from_str(text: &str) -> Result<Self, PlayerError> {
        let (name, rest) = named(text);
        let reach = Reach::from_str(rest)?;
        let name = clean_name(&name.map_or_else(|| default_name(&reach, rest), str::to_owned));
        Ok(Self { name, reach, text: text.to_owned(), limits: PlayerLimits::default() })
    }
}

/// Returns a name for tables, records and files: at most 200 characters, in Unicode NFC, without control or
/// bidirectional formatting characters.
#[must_use]
pub fn clean_name(name: &str) -> String {
    // A page in a browser composes what it sends, so that its module needs no tables of Unicode.
    if cfg!(target_family = "wasm") { excerpt(name) } else { excerpt(&name.nfc().collect::<String>()) }
}

/// Splits `[NAME=]PLAYER`. A name in quotes may be any text.
#[must_use]
pub fn named(text: &str) -> (Option<&str>, &str) {
    let quoted = |quote: char| {
        let (name, rest) = text.trim_start().strip_prefix(quote)?.split_once(quote)?;
        Some((name, rest.strip_prefix('=')?)).filter(|(name, _)| !name.trim().is_empty())
    };
    let plain = || text.split_once('=').filter(|(name, rest)| is_name(name, rest));
    let split = quoted('"').or_else(|| quoted('\'')).or_else(plain);
    split.map_or((None, text), |(name, rest)| (Some(name.trim()), rest))
}

/// Returns true if the text before an equals sign is a name. A command may contain an equals sign too: it has an option
/// or a path before it, or begins with a program.
fn is_name(text: &str, rest: &str) -> bool {
    let words: Vec<&str> = text.split_whitespace().collect();
    let Some(first) = words.first() else { return false };
    let is_alone = words.len() == 1;
    let is_option = |word: &&str| word.len() > 1 && word.starts_with('-');
    let is_player = rest == "own" || ["own:", "builtin:", "tcp:"].iter().any(|start| rest.starts_with(start));
    let is_path = first.contains('/') && (!is_alone || first.starts_with(['/', '.', '~']));
    let is_quoted = first.starts_with(['"', '\'']);
    let is_program = || registry::is_own(first) || Path::new(first).is_file() || on_path(first).is_file();
    let is_command = || is_path || is_quoted || !is_alone && is_program();
    !words.iter().any(is_option) && (is_player || !is_command())
}

impl Player {
    /// Returns the player with the command of a student's work, `[PROTOCOL:]COMMAND`. A stranger has named the files in it,
    /// so that it holds neither a name nor `own`.
    ///
    /// # Errors
    /// A command line that cannot be split.
    pub fn of_work(text: &str) -> Result<Self, PlayerError> {
        let reach = Reach::from_str(text)?;
        let name = clean_name(&default_name(&reach, text));
        Ok(Self { name, reach, text: text.to_owned(), limits: PlayerLimits::default() })
    }

    /// Makes this the program of a student's work, which starts in `folder` and may read all of `work`.
    pub fn belongs_to(&mut self, work: &Path, folder: &Path) {
        if let Reach::Process { command: own, .. } = &mut self.reach {
            (own.work, own.folder) = (Some(work.to_owned()), Some(folder.to_owned()));
        }
    }

    /// Returns a checksum of the player's program and of every file among its arguments (a script, an archive, a
    /// network), which changes when the program is rebuilt. The project's own programs are looked up in `folder` first.
    /// Empty if there is no file to check.
    pub fn fingerprint(&self, folder: &Path) -> String {
        let Reach::Process { command, .. } = &self.reach else { return String::new() };
        let place =
            |word: &String| command.folder.as_ref().map_or(PathBuf::from(word), |folder| folder.join(word));
        let program = command.words.first().map(|word| match own_program(folder, word) {
            Some(own) => own,
            None if word.contains('/') => place(word),
            None => on_path(word),
        });
        let files = program.into_iter().chain(command.words.iter().skip(1).map(place));
        let sums: Vec<u8> = files.filter_map(|path| checksum_of(&path)).flat_map(u64::to_le_bytes).collect();
        if sums.is_empty() { String::new() } else { format!("{:016x}", wire::checksum(&sums)) }
    }
}

/// Returns the path of a program without a folder.
fn on_path(program: &str) -> PathBuf {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let found =
        std::env::split_paths(&folders).map(|folder| folder.join(program)).find(|path| path.is_file());
    found.unwrap_or_else(|| program.into())
}

/// Returns the checksum of a file's bytes, or of its length if it is very long. `None` if the file cannot be read.
fn checksum_of(path: &Path) -> Option<u64> {
    const READ_WHOLE: u64 = 256 << 20;
    let data = fs::metadata(path).ok().filter(fs::Metadata::is_file)?;
    let long = data.len() > READ_WHOLE;
    if long {
        Some(wire::checksum(&data.len().to_le_bytes()))
    } else {
        Some(wire::checksum(&wire::text::read_bytes(path, READ_WHOLE).ok()?))
    }
}

fn default_name(reach: &Reach, text: &str) -> String {
    match reach {
        Reach::Builtin(_) => text.trim_start_matches("builtin:").to_owned(),
        Reach::Tcp(_) => text.to_owned(),
        Reach::Process { command, .. } => {
            let program = command.words.first().map_or("", |word| word.rsplit('/').next().unwrap_or(word));
            let arguments = &command.words[1..];
            std::iter::once(program).chain(arguments.iter().map(String::as_str)).collect::<Vec<_>>().join(" ")
        }
    }
}

impl FromStr for Reach {
    type Err = PlayerError;

    fn from_str(text: &str) -> Result<Self, PlayerError> {
        if let Some(name) = text.strip_prefix("builtin:") {
            let unknown = || PlayerError::Builtin(name.to_owned());
            return Ok(Self::Builtin(match name.split_once(':').unwrap_or((name, "")) {
                ("random", "") => Builtin::Random,
                ("greedy", "") => Builtin::Greedy,
                ("first", "") => Builtin::First,
                ("search", depth) => Builtin::Search(depth.parse().map_err(|_| unknown())?),
                _ => return Err(unknown()),
            }));
        }
        if let Some(address) = text.strip_prefix("tcp:") {
            let resolved = address.to_socket_addrs().ok().and_then(|mut addresses| addresses.next());
            return Ok(Self::Tcp(resolved.ok_or_else(|| PlayerError::Address(text.to_owned()))?));
        }
        let named = text.split_once(':').and_then(|(word, rest)| Some((registry::protocol(word)?, rest)));
        let (protocol, command) = match named {
            Some((protocol, rest)) => (Some(protocol), rest),
            None => (None, text),
        };
        Ok(Self::Process { protocol, command: Command::split(command)? })
    }
}

/// Returns true for a player at a network address, which may only handle one game at a time.
#[must_use]
pub fn is_one_at_a_time(player: &Player) -> bool {
    matches!(player.reach, Reach::Tcp(_))
}

/// Makes the players' names distinct: the second `random` becomes `random-2`.
pub fn distinct_names(players: &mut [Player]) {
    for i in 1..players.len() {
        let base = players[i].name.clone();
        let mut count = 1;
        while players[..i].iter().any(|player| player.name == players[i].name) {
            count += 1;
            players[i].name = format!("{base}-{count}");
        }
    }
}

#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "tests make files as they like")]
mod tests {
    use super::*;

    /// Returns the name of one of the project's own executables.
    fn some_executable() -> &'static str {
        registry::first_offered().executables()[0]
    }

    fn player(text: &str) -> Player {
        text.parse().unwrap()
    }

    #[test]
    fn the_files_of_a_students_work_name_no_player() {
        for text in
            ["python3 './x=own: #.py'", "'./x=builtin:first'", "./x=tcp:127.0.0.1:1", "sh './\"a\"=own'"]
        {
            let work = Player::of_work(text).unwrap();
            assert_eq!(work.reach, Reach::Process { protocol: None, command: Command::split(text).unwrap() });
        }
        let java = Player::of_work("java:.:./a=own.jar Participants.Ana.Joueur").unwrap();
        assert!(matches!(java.reach, Reach::Process { protocol: Some("java"), .. }));
    }

    #[test]
    fn players_are_named_or_name_themselves() {
        assert_eq!(player("builtin:random").name, "random");
        assert_eq!(player("me=builtin:search:3").reach, Reach::Builtin(Builtin::Search(3)));
        assert_eq!(player("./bin/joueur --eval x").name, "joueur --eval x");
        assert_eq!(player("tcp:127.0.0.1:1199").reach, Reach::Tcp("127.0.0.1:1199".parse().unwrap()));
        let gtp = player("edax=gtp:edax -gtp");
        assert_eq!(gtp.name, "edax");
        assert!(
            matches!(gtp.reach, Reach::Process { protocol: Some("gtp"), command } if command.words[0] == "edax")
        );
        // An equals sign inside a command belongs to it.
        assert_eq!(player("./a b=c").name, "a b=c");
        assert_eq!(player("sh a b=c").name, "sh a b=c");
        assert_eq!(player("nowhere --eval=c").name, "nowhere --eval=c");
        assert_eq!(player("\"my bot\" b=c").name, "my bot b=c");
        // A folder is no program.
        assert_eq!(["src 2=./a", "src/2=./a"].map(|text| player(text).name), ["src 2", "src/2"]);
        let own = format!("{} a=c", some_executable());
        assert_eq!(player(&own).name, own);
    }

    #[test]
    fn names_are_composed_may_have_blanks_and_turn_no_text_around() {
        let named = |text: &str| {
            let player = player(text);
            (player.name, player.reach)
        };
        let random = Reach::Builtin(Builtin::Random);
        for (text, name) in [
            ("Andre\u{301}=builtin:random", "Andr\u{e9}"),
            ("A. Dupont et B. Dupond=builtin:random", "A. Dupont et B. Dupond"),
            ("O'Neil & Søn, Jr=builtin:random", "O'Neil & Søn, Jr"),
            ("Équipe n° 3 (L2) !=builtin:random", "Équipe n° 3 (L2) !"),
            ("L2/G3=builtin:random", "L2/G3"),
            ("🦀 50% \\ {x}: A|B; <$5> - *~^`\"=builtin:random", "🦀 50% \\ {x}: A|B; <$5> - *~^`\""),
            ("sh 2=builtin:random", "sh 2"),
            ("\"sh -x = ./y\"=builtin:random", "sh -x = ./y"),
            ("'/bin/\"sh\"'=builtin:random", "/bin/\"sh\""),
        ] {
            assert_eq!(named(text), (name.to_owned(), random.clone()), "{text}");
        }
        assert_eq!(clean_name("a\u{202e}b\u{2066}c\n\0"), "a\u{fffd}b\u{fffd}c\u{fffd}\u{fffd}");
        assert_eq!(clean_name("👩\u{200d}🔬"), "👩\u{200d}🔬", "what joins signs into one stays");
        let mut players = ["Andre\u{301}=builtin:random", "Andr\u{e9}=builtin:first"].map(player);
        distinct_names(&mut players);
        assert_eq!(players.map(|player| player.name), ["André", "André-2"]);
    }

    #[test]
    fn what_names_no_player_is_refused_with_the_text() {
        let error = |text: &str| text.parse::<Player>().unwrap_err().to_string();
        assert!(error("builtin:clever").contains("builtin:clever"));
        assert!(error("builtin:search:x").contains("search:x"));
        assert!(error("tcp:nowhere").contains("tcp:nowhere"));
        assert!(error("").contains("empty"));
    }

    #[test]
    fn a_program_built_anew_is_another_player() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("bot");
        let text = path.to_string_lossy();
        let write = |bytes: &str| fs::write(&path, bytes).unwrap();
        let [direct, as_script, on_path, nowhere] =
            [text.clone().into_owned(), format!("sh {text}"), "sh".to_owned(), format!("{text}-2")]
                .map(|text| player(&text));
        write("one");
        let fingerprint = |player: &Player| player.fingerprint(folder.path());
        let before = [&direct, &as_script].map(fingerprint);
        assert_eq!(before, [&direct, &as_script].map(fingerprint));
        write("two");
        let after = [&direct, &as_script].map(fingerprint);
        assert!(before[0] != after[0] && before[1] != after[1], "{before:?} {after:?}");
        assert!(fingerprint(&on_path).len() == 16 && fingerprint(&on_path) != after[1]);
        assert_eq!((fingerprint(&nowhere), fingerprint(&player("builtin:random"))), Default::default());
        let program = some_executable();
        fs::write(folder.path().join(program), "one").unwrap();
        let own = fingerprint(&player(program));
        fs::write(folder.path().join(program), "two").unwrap();
        assert_ne!(own, fingerprint(&player(program)), "one that is started from the folder");
    }

    #[test]
    fn equal_names_are_told_apart() {
        let mut players = [player("builtin:random"), player("builtin:random"), player("builtin:random")];
        distinct_names(&mut players);
        assert_eq!(players.map(|player| player.name), ["random", "random-2", "random-3"]);
    }
}
