//! The command line, as the assignment prescribes it; in French, as the course is.

use crate::evaluation::{self, Evaluation};
use crate::player::{Player, Settings, allowance};
use crate::protocol::analysis;
use crate::protocol::board::Style;
use crate::protocol::file::{self, Content, Loaded};
use crate::protocol::french;
use crate::protocol::play::{Options, Plain, SaveOnSignal, Seat, Session, Terminal};
use crate::protocol::test;
use crate::rules::{Game, Position};
use search_core::{Limits, Stopwatch, perft};
use std::ffi::OsString;
use std::io::{BufReader, IsTerminal, Write, stdin, stdout};
use std::path::{Path, PathBuf};
use std::time::Duration;
use wire::file::Files;
use wire::{Failure, SearchLog};

/// The text of `--help`.
pub const HELP: &str = "\
gounki : jeu de Gounki à deux joueurs, humains ou robots

Usage : gounki [-B TYPE] [-N TYPE] [-c FICHIER] [options]     mode jeu
        gounki -t [-c FICHIER] < coups.txt                    mode test
        gounki --perft N [-c FICHIER]                         nombre de suites de N coups
        gounki --meilleur-coup FICHIER [options]              coup du meilleur robot
        gounki --analyse                                      analyse : position, analyse N, stop

  -B TYPE, -N TYPE      joueur blanc, joueur noir (humain par défaut) :
                          humain
                          robot, robot:meilleur[:EVAL]   le meilleur
                          robot:niveau:K             de 1 (débutant) à 10 (le meilleur)
                          robot:alphabeta:N[:EVAL]   min-max à N coups avec coupures alpha-bêta
                          robot:minimax:N[:EVAL]     min-max à N coups, sans coupure
                          robot:glouton[:EVAL]       meilleur plateau après son coup
                          robot:aleatoire            coup au hasard
  -c FICHIER            charge une configuration (64 codes, trait à blanc), une liste de coups
                        ou une partie sauvegardée
  -t                    mode test : lit les coups sur l'entrée standard, sans question
  --time MS             temps de réflexion d'un robot par coup, en millisecondes (1000)
  --nodes N             nombre de positions examinées par coup, au lieu du temps
  --seed N              graine aléatoire des robots (0)
  --table MIB           taille de la table de transposition d'un robot, en mébioctets (64)
  --threads N           nombre de fils d'exécution de --analyse, de 1 à 64 (1)
  --ecart N             robot:glouton et robot:minimax choisissent au hasard parmi les coups à
                        N centièmes de pion du meilleur (0)
  --eval EVAL           évaluation : armee, percee, defense, isoles, somme, appris ou reseau
                        (reseau), pour un robot dont le TYPE n'en nomme aucune
  --heuristique         affiche l'heuristique de chaque joueur (0 défaite, 10000 victoire)
  --sauver FICHIER      sauvegarde la partie si elle s'arrête avant la fin
  --dessin STYLE        ascii, unicode ou couleur (selon le terminal)
  -h, --help, --aide    affiche cette aide

Environnement : PLAYER_INFO=moves affiche sur la sortie d'erreur la recherche de chaque coup ;
PLAYER_INFO=depths, aussi celle de chaque profondeur.

Codes de retour : 0 succès ; 1 coup impossible, ou fin de l'entrée en cours de partie ;
2 option, fichier ou entrée invalide.
";

/// The parsed command line.
#[derive(Debug, Default)]
struct Arguments {
    threads: Option<usize>,
    seats: [Option<String>; 2],
    start: Option<PathBuf>,
    test: bool,
    analyse: bool,
    perft: Option<u32>,
    best_move: Option<PathBuf>,
    millis: Option<u64>,
    nodes: Option<u64>,
    seed: u64,
    table: Option<usize>,
    margin: i32,
    evaluation: Option<Evaluation>,
    heuristic: bool,
    save: Option<PathBuf>,
    style: Option<Style>,
    help: bool,
}

/// Runs the executable.
///
/// # Errors
/// The exit codes that the help lists.
pub fn main(arguments: Vec<OsString>) -> Result<(), Failure> {
    evaluation::check().map_err(Failure::run)?;
    let arguments = parse(arguments)
        .map_err(|error| Failure::input(format!("{} (--help donne l'aide)", french::option(&error))))?;
    if arguments.help {
        stdout().write_all(HELP.as_bytes())?;
        return Ok(());
    }
    if arguments.analyse {
        let mut analyst = analysis::Analyst::new(settings("robot", &arguments)?);
        return wire::analysis::serve(&mut analyst, BufReader::new(stdin()), &mut stdout());
    }
    if let Some(path) = &arguments.best_move {
        return best_move(&load(path)?.game, &arguments);
    }
    let loaded = arguments.start.as_deref().map(load).transpose()?;
    let game = loaded.as_ref().map_or_else(|| Game::new(Position::initial()), |loaded| loaded.game.clone());
    if let Some(depth) = arguments.perft {
        writeln!(stdout(), "{}", perft(game.position(), depth))?;
        return Ok(());
    }
    if arguments.test {
        return test::run(game, stdin().lock(), stdout().lock());
    }
    play(game, loaded, &arguments)
}

fn load(path: &Path) -> Result<Loaded, Failure> {
    file::load(path).map_err(|error| Failure::input(format!("{} : {error}", path.display())))
}

/// Starts play mode. A saved game keeps its players unless the command line names others.
fn play(game: Game, loaded: Option<Loaded>, arguments: &Arguments) -> Result<(), Failure> {
    let mut names = arguments.seats.clone();
    if let (Some(path), Some(loaded)) = (&arguments.start, loaded) {
        if let (Some(save), false) = (&arguments.save, loaded.content == Content::Game) {
            // A saved game goes on in its file. Another file would lose its form.
            let mut files = Files::default();
            files.input("-c", path);
            files.output("--sauver", save);
            let lost = |_| format!("{} : --sauver écraserait le fichier que -c charge", save.display());
            files.check().map_err(|clash| Failure::input(lost(clash)))?;
        }
        writeln!(stdout(), "{} : {}.", path.display(), loaded.describe())?;
        for (name, saved) in names.iter_mut().zip(loaded.players) {
            *name = name.take().or(saved);
        }
    }
    let seat = |index: usize| {
        seat(names[index].as_deref(), index as u64, arguments).map_err(|error| match &arguments.start {
            Some(path) if arguments.seats[index].is_none() => {
                Failure::input(format!("{} : {error}", path.display()))
            }
            _ => error,
        })
    };
    let seats = [seat(0)?, seat(1)?];
    let options = Options {
        limits: limits(arguments),
        heuristic: arguments.heuristic.then(|| arguments.evaluation.unwrap_or_default()),
        style: arguments.style.unwrap_or_else(Style::of_terminal),
        save: arguments.save.clone(),
        search_log: SearchLog::from_env()?,
    };
    let save_on_signal =
        |path: &PathBuf| SaveOnSignal::start(path.clone(), &game, [seats[0].name(), seats[1].name()]);
    let save_on_signal = options.save.as_ref().map(save_on_signal).transpose()?;
    let asks = seats.iter().any(|seat| matches!(seat, Seat::Human));
    let mut output = stdout();
    if asks && stdin().is_terminal() && output.is_terminal() {
        Session::new(game, seats, options, &mut Terminal::new()?, &mut output)
            .saved_on_signal(save_on_signal)
            .run()
    } else {
        Session::new(game, seats, options, &mut Plain::new(stdin().lock()), &mut output)
            .saved_on_signal(save_on_signal)
            .run()
    }
}

fn seat(name: Option<&str>, index: u64, arguments: &Arguments) -> Result<Seat, Failure> {
    match name {
        None | Some("humain") => Ok(Seat::Human),
        Some(name) => {
            let settings = settings(name, arguments)?;
            // The two robots of a game must not draw the same numbers.
            let seed = arguments.seed.wrapping_mul(2).wrapping_add(index);
            Ok(Seat::Robot(Box::new(Player::new(Settings { seed, ..settings })), stated(name, arguments)))
        }
    }
}

/// Adds the evaluation of `--eval` to a robot's name, if the robot takes one and its name has none.
fn stated(name: &str, arguments: &Arguments) -> String {
    let Some(evaluation) = arguments.evaluation else { return name.to_owned() };
    let stated = format!("{}:{evaluation}", if name == "robot" { "robot:meilleur" } else { name });
    if stated.parse::<Settings>().is_ok() { stated } else { name.to_owned() }
}

fn settings(name: &str, arguments: &Arguments) -> Result<Settings, Failure> {
    let settings = stated(name, arguments).parse::<Settings>();
    let mut settings = settings.map_err(|error| Failure::input(format!("{error}, ou humain")))?;
    if let Some(mebibytes) = arguments.table {
        settings.table_bytes = mebibytes.max(1) << 20;
    }
    settings.margin = arguments.margin;
    settings.seed = arguments.seed;
    settings.threads = arguments.threads.unwrap_or(1).max(1);
    Ok(settings)
}

fn limits(arguments: &Arguments) -> Limits {
    match arguments.nodes {
        Some(nodes) => Limits::nodes(nodes),
        None => allowance(arguments.millis.unwrap_or(1000)),
    }
}

fn best_move(game: &Game, arguments: &Arguments) -> Result<(), Failure> {
    let limits = limits(arguments);
    // This process plays one move, so its start-up counts against the limit. At least half of the limit is left,
    // because the process number may have belonged to another program before.
    let most = limits.hard.map_or(Duration::ZERO, |hard| hard / 2);
    let clock = Stopwatch::running_since(wire::process_age().min(most));
    let mut player = Player::new(settings("robot", arguments)?);
    let search_log = SearchLog::from_env()?;
    let report = player.think_aloud(game, limits, &clock, &mut |report| {
        search_log.iteration(|| analysis::info(report));
    });
    search_log.answer(|| analysis::info(&report));
    match report.best {
        Some(best) => Ok(wire::put_line(&mut stdout(), &best.to_string())?),
        None => Err(Failure::run("la partie est finie : aucun coup possible")),
    }
}

fn parse(arguments: Vec<OsString>) -> Result<Arguments, lexopt::Error> {
    use lexopt::prelude::*;
    let mut parsed = Arguments::default();
    let mut parser = lexopt::Parser::from_args(arguments);
    while let Some(argument) = parser.next()? {
        match argument {
            Short('B') => parsed.seats[0] = Some(parser.value()?.string()?),
            Short('N') => parsed.seats[1] = Some(parser.value()?.string()?),
            Short('c') => parsed.start = Some(parser.value()?.into()),
            Short('t') => parsed.test = true,
            Long("analyse") => parsed.analyse = true,
            Short('h') | Long("help" | "aide") => parsed.help = true,
            Long("perft") => parsed.perft = Some(number(&mut parser, 12)?),
            Long("meilleur-coup") => parsed.best_move = Some(parser.value()?.into()),
            Long("time") => parsed.millis = Some(number(&mut parser, wire::MAX_MILLIS)?),
            Long("nodes") => parsed.nodes = Some(number(&mut parser, u64::MAX)?),
            Long("seed") => parsed.seed = number(&mut parser, u64::MAX)?,
            Long("table") => {
                let mebibytes = number(&mut parser, 65_536)?;
                if !wire::has_memory(mebibytes) {
                    return Err(format!("--table : le système refuse {mebibytes} Mio de mémoire").into());
                }
                parsed.table = Some(mebibytes);
            }
            Long("threads") => parsed.threads = Some(number(&mut parser, 64)?),
            Long("ecart") => parsed.margin = number(&mut parser, 10_000)?,
            Long("eval") => parsed.evaluation = Some(parser.value()?.parse()?),
            Long("heuristique") => parsed.heuristic = true,
            Long("sauver") => parsed.save = Some(parser.value()?.into()),
            Long("dessin") => parsed.style = Some(style(&parser.value()?.string()?)?),
            _ => return Err(argument.unexpected()),
        }
    }
    if parsed.threads.is_some() && !parsed.analyse {
        return Err("--threads ne sert qu'à --analyse : une partie se joue sur un seul fil".into());
    }
    if parsed.test && parsed.seats.iter().any(Option::is_some) {
        return Err("-B et -N sont incompatibles avec -t".into());
    }
    Ok(parsed)
}

/// Parses the value of an option as a whole number from 0 to `most`.
fn number<T>(parser: &mut lexopt::Parser, most: T) -> Result<T, lexopt::Error>
where
    T: std::str::FromStr + PartialOrd + std::fmt::Display + Default,
{
    wire::number(parser.value()?, T::default()..=most).map_err(|error| french::number(&error).into())
}

fn style(name: &str) -> Result<Style, lexopt::Error> {
    match name {
        "ascii" => Ok(Style::Ascii),
        "unicode" => Ok(Style::Unicode { colour: false }),
        "couleur" => Ok(Style::Unicode { colour: true }),
        _ => Err(format!("style de dessin inconnu : « {name} » (ascii, unicode ou couleur)").into()),
    }
}
