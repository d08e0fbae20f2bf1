//! The command line of `moules-serveur`: the original server's options, which are words after one hyphen.

use crate::protocol::event::Event;
use crate::protocol::journal;
use crate::protocol::map;
use crate::protocol::server::{self, Pace};
use crate::rules::{End, Game, Settings};
use rand::SeedableRng;
use rand::rand_core::Rng;
use std::ffi::OsString;
use std::io::{self, BufReader, IsTerminal, Write};
use std::net::{IpAddr, Ipv4Addr, TcpListener};
use std::path::Path;
use std::time::{Duration, SystemTime};
use wire::{Failure, NumberError};

/// The text of `-h`.
pub const USAGE: &str = "\
moules-serveur <option> <valeur> <option> <valeur> ...
     avec option =
-tailleX <int>            taille en X du plateau (impaire, au moins 7 ; 25)
-tailleY <int>            taille en Y du plateau (impaire, au moins 7 ; 17)
-numLaby <int>            numéro du labyrinthe pour la taille définie (au hasard)
-numPlacementBonus <int>  numéro de placement des bonus (au hasard)
-nbJoueur <int>           nombre de joueurs, de 1 à 4 (1)
-tauxDeDune <int>         taux de dunes, de 0 à 50 ; à partir de 45 le labyrinthe est parfait (50)
-nbFrite <int>            nombre de frites (8)
-nbBiere <int>            nombre de bières (5)
-nbMoule <int>            nombre de moules (10)
-port <int>               port du serveur, 0 pour un port libre (1337)
-delay <int>              durée minimale entre deux tours, en ms (100)
-timeout <int>            durée maximale d'une réponse, en ms (3000)
-nbTourMax <int>          nombre maximal de tours par joueur, -1 pour aucune limite (-1)
-tailleCase <int>, -screen <rep>  options de la fenêtre d'origine, acceptées sans effet
-h                        cette aide

--address <adresse>       adresse d'écoute (toutes les interfaces)
--parties <int>           nombre de parties ; les numéros augmentent de 1 à chaque partie (1)
--affichage texte|aucun   carte dans le terminal à chaque tour (texte dans un terminal, sinon aucun)
--journal <fichier>       ajoute les parties à un fichier ; celles qui y sont restent
--rejouer <fichier>       rejoue un journal au lieu d'attendre des joueurs
--page [adresse:]port     affiche la partie dans un navigateur, si « arena » est dans le même dossier
--host <nom>[:port]       avec --page : autre nom d'hôte accepté par la page
";

/// The parsed arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Arguments {
    settings: Settings,
    maze_seed: Option<i64>,
    item_seed: Option<i64>,
    address: IpAddr,
    port: u16,
    pace: Pace,
    turn_limit: Option<u64>,
    matches: u64,
    map: Option<bool>,
    journal: Option<OsString>,
    replay: Option<OsString>,
    notes: Vec<String>,
}

impl Default for Arguments {
    fn default() -> Self {
        Self {
            settings: Settings::default(),
            maze_seed: None,
            item_seed: None,
            address: Ipv4Addr::UNSPECIFIED.into(),
            port: 1337,
            pace: Pace { delay: Duration::from_millis(100), timeout: Duration::from_millis(3000) },
            turn_limit: None,
            matches: 1,
            map: None,
            journal: None,
            replay: None,
            notes: Vec::new(),
        }
    }
}

/// Parses the arguments. Returns `None` if the usage should be printed, for `-h` or an unknown option.
///
/// # Errors
/// If a value is missing or wrong.
pub fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Option<Arguments>, Failure> {
    let mut parsed = Arguments::default();
    let mut words = arguments.into_iter();
    while let Some(word) = words.next() {
        let option = word.to_string_lossy().into_owned();
        let mut value = || words.next().ok_or_else(|| Failure::input(format!("{option} : valeur manquante")));
        match option.as_str() {
            "-tailleX" => parsed.settings.width = number(&option, value()?, 7, 9_999)?,
            "-tailleY" => parsed.settings.height = number(&option, value()?, 7, 9_999)?,
            "-numLaby" => parsed.maze_seed = seed(number(&option, value()?, i64::MIN, i64::MAX)?),
            "-numPlacementBonus" => parsed.item_seed = seed(number(&option, value()?, i64::MIN, i64::MAX)?),
            "-nbJoueur" => parsed.settings.players = number(&option, value()?, 1, 4)?,
            "-tauxDeDune" => parsed.settings.dunes = number(&option, value()?, 0, 50)?,
            "-nbFrite" => parsed.settings.frites = number(&option, value()?, 0, 1_000_000)?,
            "-nbBiere" => parsed.settings.beers = number(&option, value()?, 0, 1_000_000)?,
            "-nbMoule" => parsed.settings.mussels = number(&option, value()?, 0, 1_000_000)?,
            "-port" => parsed.port = number(&option, value()?, 0, u16::MAX)?,
            "-delay" => parsed.pace.delay = Duration::from_millis(number(&option, value()?, 0, 3_600_000)?),
            "-timeout" => {
                parsed.pace.timeout = Duration::from_millis(number(&option, value()?, 1, 3_600_000)?)
            }
            "-nbTourMax" => {
                let limit: i64 = number(&option, value()?, -1, 1_000_000_000)?;
                parsed.turn_limit = u64::try_from(limit).ok();
            }
            "-tailleCase" | "-screen" => {
                value()?;
                parsed.notes.push(format!("{option} : sans effet, ce serveur n'a pas de fenêtre"));
            }
            "--address" => parsed.address = address(&option, &value()?)?,
            "--parties" => parsed.matches = number(&option, value()?, 1, 1_000_000_000)?,
            "--journal" => parsed.journal = Some(value()?),
            "--rejouer" => parsed.replay = Some(value()?),
            "--affichage" => {
                let given = value()?;
                parsed.map = match given.to_str() {
                    Some("texte") => Some(true),
                    Some("aucun") => Some(false),
                    _ => {
                        let given = given.to_string_lossy();
                        return Err(Failure::input(format!(
                            "--affichage \"{given}\" : valeurs possibles : texte, aucun"
                        )));
                    }
                };
            }
            "-h" | "--help" => return Ok(None),
            _ => {
                wire::print_line(format_args!("Je ne comprends pas l'option {}", option.escape_default()))?;
                return Ok(None);
            }
        }
    }
    Ok(Some(parsed))
}

fn number<T>(option: &str, value: OsString, least: T, most: T) -> Result<T, Failure>
where
    T: std::str::FromStr + PartialOrd + std::fmt::Display,
{
    wire::number(value, least..=most).map_err(|NumberError { text, least, most }| {
        Failure::input(format!("{option} \"{text}\" : un entier de {least} à {most} attendu"))
    })
}

fn address(option: &str, value: &OsString) -> Result<IpAddr, Failure> {
    let text = value.to_string_lossy();
    text.parse().map_err(|_| Failure::input(format!("{option} \"{text}\" : une adresse IP attendue")))
}

/// Converts a seed argument. The original server's −1 means a random seed.
fn seed(number: i64) -> Option<i64> {
    (number != -1).then_some(number)
}

/// Runs `moules-serveur`.
///
/// # Errors
/// If an argument or a file is wrong, or the port is not available.
pub fn main(arguments: Vec<OsString>) -> Result<(), Failure> {
    if arguments.iter().any(|word| word == "--page") {
        return page(arguments);
    }
    watched(arguments, None)
}

/// Runs the server with its web page, by the `arena` executable in the same folder.
fn page(arguments: Vec<OsString>) -> Result<(), Failure> {
    let own = std::env::current_exe()
        .map_err(|error| Failure::run(format!("--page : cet exécutable : {error}")))?;
    let arena = own.with_file_name("arena");
    if !arena.is_file() {
        return Err(Failure::input(format!(
            "--page : l'exécutable « arena » n'est pas dans le dossier de {}",
            own.display()
        )));
    }
    // Wrong values are reported before a page is opened.
    if parse(without_page(arguments.clone(), |_, _| Ok(()))?)?.is_none() {
        return wire::print(USAGE);
    }
    let mut command = std::process::Command::new(&arena);
    command.arg("moules").args(arguments);
    give_way(&mut command).map_err(|error| Failure::run(format!("--page : {} : {error}", arena.display())))
}

/// Removes `--page` and `--host` from the arguments, and calls the listener with each and its value.
///
/// # Errors
/// If a value is missing, or the listener refuses it.
pub fn without_page(
    arguments: Vec<OsString>,
    mut told: impl FnMut(&str, &str) -> Result<(), Failure>,
) -> Result<Vec<OsString>, Failure> {
    let mut words = arguments.into_iter();
    let mut rest = Vec::new();
    while let Some(word) = words.next() {
        if word == "--page" || word == "--host" {
            let option = word.to_string_lossy();
            let value = words.next().ok_or_else(|| Failure::input(format!("{option} : valeur manquante")))?;
            told(&option, &value.to_string_lossy())?;
        } else {
            rest.push(word);
        }
    }
    Ok(rest)
}

/// Replaces this process by the other program, so that a signal to it also ends the page.
#[cfg(unix)]
fn give_way(command: &mut std::process::Command) -> io::Result<()> {
    Err(std::os::unix::process::CommandExt::exec(command))
}

/// Runs the other program and exits with its status.
#[cfg(not(unix))]
fn give_way(command: &mut std::process::Command) -> io::Result<()> {
    std::process::exit(command.status()?.code().unwrap_or(1))
}

/// A listener to the events of a match.
pub type Watcher<'a> = &'a mut dyn FnMut(&Event<'_>);

/// Runs the server, or replays a journal, and reports the events to `watch`.
///
/// # Errors
/// If an argument or a file is wrong, or the port is not available.
pub fn watched(arguments: Vec<OsString>, watch: Option<Watcher<'_>>) -> Result<(), Failure> {
    let Some(arguments) = parse(arguments)? else {
        return wire::print(USAGE);
    };
    for note in &arguments.notes {
        wire::note(format_args!("moules-serveur: {note}"));
    }
    let map = arguments.map.unwrap_or_else(|| io::stdout().is_terminal());
    // A replay without viewers runs without delay.
    let delay = if map || watch.is_some() { arguments.pace.delay } else { Duration::ZERO };
    let mut nobody = |_: &Event<'_>| {};
    let watch: Watcher<'_> = match watch {
        Some(watch) => watch,
        None => &mut nobody,
    };
    match &arguments.replay {
        Some(file) => replay(file, map, delay, watch),
        None => serve(&arguments, map, watch),
    }
}

fn replay(file: &OsString, map: bool, delay: Duration, watch: Watcher<'_>) -> Result<(), Failure> {
    let name = file.to_string_lossy();
    let opened =
        wire::file::open(Path::new(file)).map_err(|error| Failure::input(format!("{name} : {error}")))?;
    let mut broken = None;
    let matches = journal::replay(BufReader::new(opened), |event| {
        watch(&event);
        broken = broken.take().or(tell(&event, map).err());
        if !matches!(event, Event::Ended(..)) {
            std::thread::sleep(delay);
        }
    });
    if let Some(error) = broken {
        return Err(error.into());
    }
    match matches.map_err(|error| Failure::input(format!("{name} : {error}")))? {
        0 => Err(Failure::input(format!("{name} : aucune partie"))),
        _ => Ok(()),
    }
}

/// The number of connections before a match that are shown: others must not fill a display that nobody reads.
const SHOWN_CONNECTIONS: u32 = 100;

fn serve(arguments: &Arguments, map: bool, watch: Watcher<'_>) -> Result<(), Failure> {
    // Settings that cannot be generated are reported before any client connects.
    let mut settings = arguments.settings;
    let mut random = rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(
        SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |now| now.as_nanos() as u64),
    );
    let mut drawn = || i64::from(random.next_u32() & 0xffff);
    settings.maze_seed = arguments.maze_seed.unwrap_or_else(&mut drawn);
    settings.item_seed = arguments.item_seed.unwrap_or_else(&mut drawn);
    let mut state = settings.generate().map_err(Failure::input)?;

    // The port is opened before the journal, so that the journal of a server already on that port is not overwritten.
    let cannot_listen =
        |port: u16, error| Failure::run(format!("{} port {port} : {error}", arguments.address));
    let listener = TcpListener::bind((arguments.address, arguments.port))
        .map_err(|error| cannot_listen(arguments.port, error))?;
    let port = listener.local_addr().map_err(|error| cannot_listen(arguments.port, error))?.port();
    wire::write_notes_in_background();
    let mut log = match &arguments.journal {
        None => None,
        Some(file) => {
            let name = file.to_string_lossy();
            let opened = journal::Written::open(Path::new(file));
            Some((name.clone(), opened.map_err(|error| Failure::input(format!("{name} : {error}")))?))
        }
    };
    let interface = match arguments.address {
        any if any.is_unspecified() => "toutes les interfaces".to_owned(),
        address => address.to_string(),
    };
    let (mut display, mut written) = (Output::default(), Output::default());
    for round in 0..arguments.matches {
        if round > 0 {
            settings.maze_seed = settings.maze_seed.wrapping_add(1);
            settings.item_seed = settings.item_seed.wrapping_add(1);
            state = settings.generate().map_err(Failure::input)?;
        }
        display.put(|| {
            say(&format!("Le labyrinthe porte le numéro {}", settings.maze_seed))?;
            say(&format!("Le placement des bonus porte le numéro {}", settings.item_seed))?;
            say(&format!("Serveur en attente de connexion sur {interface}, sur le port {port}"))
        });
        // If the display has failed, the matches go on for the journal.
        if log.is_none() {
            display.check()?;
        }
        let game = Game::new(state.clone(), arguments.turn_limit);
        watch(&Event::Waiting(port));
        let mut connections = 0;
        server::host(&listener, game, arguments.pace, |event| {
            watch(&event);
            let is_connection = matches!(event, Event::Connected(..));
            connections += u32::from(is_connection);
            if !is_connection || connections <= SHOWN_CONNECTIONS {
                display.put(|| tell(&event, map));
            }
            if let Some((name, log)) = log.as_mut().filter(|_| written.failed.is_none()) {
                written.put(|| log.note(&event, &settings, arguments.turn_limit));
                if let Some(error) = &written.failed {
                    watch(&Event::Unkept(&format!("{name}: {error}")));
                }
            }
        })
        .map_err(|error| cannot_listen(port, error))?;
        if let (Some(error), Some((name, _))) = (written.failed.take(), &log) {
            return Err(Failure::run(format!("{name} : {error}")));
        }
    }
    display.check()
}

/// An output that is not written to again after its first failure.
#[derive(Default)]
struct Output {
    failed: Option<io::Error>,
}

impl Output {
    fn put(&mut self, write: impl FnOnce() -> io::Result<()>) {
        if self.failed.is_none() {
            self.failed = write().err();
        }
    }

    /// Returns the first failure of the standard output.
    fn check(&mut self) -> Result<(), Failure> {
        self.failed.take().map_or(Ok(()), |error| Err(error.into()))
    }
}

fn say(line: &str) -> io::Result<()> {
    wire::put_line(&mut io::stdout().lock(), line)
}

fn tell(event: &Event<'_>, map: bool) -> io::Result<()> {
    match event {
        Event::Waiting(_) | Event::Unkept(_) => Ok(()),
        Event::Connected(player, address) => say(&format!("Connexion {player} - adresse : {address}")),
        Event::Started(game, names) | Event::Turn(game, names, ..) if map => show(game, names),
        Event::Started(..) | Event::Turn(..) => Ok(()),
        Event::Ended(game, names) => announce(game, names),
    }
}

/// Draws the map at the top left of the terminal.
fn show(game: &Game, names: &[String]) -> io::Result<()> {
    let mut out = io::stdout().lock();
    write!(out, "\x1b[H\x1b[J{}", map::render(game, names))?;
    out.flush()
}

/// Prints each player's points and bonuses and the winner, in the original server's words.
fn announce(game: &Game, names: &[String]) -> io::Result<()> {
    let turns = game.turns();
    say(&match game.end() {
        Some(End::TurnLimit) => "Nombre de tours maximal par joueur dépassé.".to_owned(),
        Some(End::AllTaken) => format!("Toutes les moules ont été ramassées en {turns} tours."),
        _ => format!("Fin de partie au bout de {turns} tours. Quelques moules se sont échappées."),
    })?;
    say("---------------------------")?;
    for (player, purse) in game.purses.iter().enumerate() {
        say(&format!(
            "Joueur {player} {} : {} points, {} frite(s), {} bière(s)",
            names[player], purse.points, purse.frites, purse.beers
        ))?;
    }
    say("---------------------------")?;
    let best = game.purses.iter().map(|purse| purse.points).max().unwrap_or(0);
    let winners: Vec<usize> =
        (0..game.player_count()).filter(|&player| game.purses[player].points == best).collect();
    match winners.as_slice() {
        [winner] => say(&format!("VAINQUEUR : {} avec {best} points", names[*winner])),
        _ => {
            say("NOUS AVONS DES EX AEQUO :")?;
            winners.iter().try_for_each(|&winner| say(&format!("{} avec {best} points", names[winner])))
        }
    }
}
