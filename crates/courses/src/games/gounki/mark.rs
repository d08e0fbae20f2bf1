//! Gounki's marking list, mandatory and optional items. The course gives no figures, so each counts one point.

use super::assignment::OPENINGS;
use crate::assignment::Phrase;
use crate::course::OpeningSet;
use crate::duel::{Rules, random_line};
use crate::fault::Trouble;
use crate::games::gounki::Gounki;
use crate::games::gounki::person::words;
use crate::games::gounki::shown::{are_files, plain, rank};
use crate::marking::{Card, Criterion, Item, Marker, MarkingScheme, Once, Remarks, builtin, complaints};
use crate::record::Record;
use crate::seed::mix;
use gounki::rules::Position;
use search_core::Position as _;
use std::collections::BTreeSet;
use std::time::Duration;

const LEGAL_GAMES: Criterion = Criterion::marked("mandatory: test mode plays legal games to their end", 1.0);
const ILLEGAL_MOVES: Criterion =
    Criterion::marked("mandatory: test mode ends with an error at an impossible move", 1.0);
const UNREADABLE: Criterion =
    Criterion::marked("mandatory: test mode ends with an error at an invalid entry", 1.0);
const DISPLAY: Criterion =
    Criterion::marked("mandatory: a clear board with coordinates after each move", 1.0);
const ROBOTS: Criterion = Criterion::marked("mandatory: two robots play a game to its end", 1.0);
const PERSON: Criterion = Criterion::marked("mandatory: a person against the robot, both colours", 1.0);
const CONFIGURATION: Criterion = Criterion::marked("optional: games from a configuration's file (-c)", 1.0);
const INTELLIGENCE: Criterion = Criterion::marked("optional: the robot's intelligence", 1.0);
const OTHERS: Criterion = Criterion::by_hand("optional: undo, redo, save, other functions", 0.0);
const CODE: Criterion = Criterion::by_hand("the code and the report", 0.0);
/// The course's list.
const SCHEME: [Criterion; 10] = [
    LEGAL_GAMES,
    ILLEGAL_MOVES,
    UNREADABLE,
    DISPLAY,
    ROBOTS,
    PERSON,
    CONFIGURATION,
    INTELLIGENCE,
    OTHERS,
    CODE,
];

const LIMIT: Duration = Duration::from_secs(30);

/// The phrases of its cards in French.
const PHRASES: &[Phrase] = &[
    (
        "mandatory: test mode plays legal games to their end",
        "obligatoire : le mode test joue des parties légales jusqu'au bout",
    ),
    (
        "mandatory: test mode ends with an error at an impossible move",
        "obligatoire : le mode test s'arrête en erreur à un coup impossible",
    ),
    (
        "mandatory: test mode ends with an error at an invalid entry",
        "obligatoire : le mode test s'arrête en erreur à une saisie invalide",
    ),
    (
        "mandatory: a clear board with coordinates after each move",
        "obligatoire : un plateau clair avec coordonnées après chaque coup",
    ),
    ("no game was shown", "aucune partie n'a été montrée"),
    ("mandatory: two robots play a game to its end", "obligatoire : deux robots jouent une partie entière"),
    (
        "mandatory: a person against the robot, both colours",
        "obligatoire : une personne contre le robot, des deux couleurs",
    ),
    (
        "optional: games from a configuration's file (-c)",
        "facultatif : parties depuis un fichier de configuration (-c)",
    ),
    ("optional: the robot's intelligence", "facultatif : l'intelligence du robot"),
    (
        "optional: undo, redo, save, other functions",
        "facultatif : annuler, rejouer, sauver, autres fonctions",
    ),
    ("the code and the report", "le code et le rapport"),
    ("type them at the prompt", "à essayer à l'invite"),
    (
        "C89 without a warning, a Makefile, a README, 4 pages",
        "du C89 sans avertissement, un Makefile, un README, 4 pages",
    ),
    ("a legal game of", "une partie légale de"),
    (
        "it writes the same for other moves, and refuses none",
        "il écrit la même chose pour d'autres coups, et n'en refuse aucun",
    ),
    ("it refuses legal moves too", "il refuse aussi des coups légaux"),
    ("was not refused", "n'a pas été refusé"),
    ("the assignment's own example is played to its end", "l'exemple du sujet est joué jusqu'au bout"),
    (
        "a line with the letters a to h for each of the six boards",
        "une ligne avec les lettres a à h pour chacun des six plateaux",
    ),
    ("the numbers 1 to 8 of the ranks", "les numéros 1 à 8 des rangées"),
    ("the numbers of the moves", "les numéros des coups"),
    ("robot", "robot"),
    (
        "no legal move was written or shown on a board",
        "aucun coup légal n'a été écrit ni montré sur un plateau",
    ),
    ("the last line was", "la dernière ligne était"),
];

/// The marking scheme.
pub struct Scheme;

impl MarkingScheme for Scheme {
    fn phrases(&self) -> &'static [Phrase] {
        PHRASES
    }

    fn scheme(&self, _: &Marker<'_>) -> Result<Vec<Criterion>, Trouble> {
        Ok(SCHEME.to_vec())
    }

    fn card(&self, marker: &Marker<'_>) -> Result<Card, Trouble> {
        Ok(Card::new(
            format!("Gounki: {}", marker.player.text),
            vec![
                marker.judge(legal_games)?,
                marker.judge(illegal_moves)?,
                marker.judge(unreadable)?,
                marker.judge(display)?,
                marker.judge(robots)?,
                marker.judge(against_a_person)?,
                marker.judge(configuration)?,
                marker.judge(intelligence)?,
                OTHERS.noted(vec!["type them at the prompt".to_owned()]),
                CODE.noted(vec!["C89 without a warning, a Makefile, a README, 4 pages".to_owned()]),
            ],
        ))
    }
}

fn rules() -> Gounki {
    Gounki { set: OpeningSet::single(""), timed: false }
}

/// Returns the moves and the last position of a random game, at most 300 moves.
fn random_game(seed: u64) -> (Vec<String>, Position) {
    let mut length = 300;
    loop {
        // A line must not end the game, so the longest prefix that does not is used.
        if let Some(line) = random_line(&rules(), "", length, seed) {
            let position = rules().start(&line.join(" ")).expect("a legal line");
            return (line, position);
        }
        length -= 1;
    }
}

fn text(moves: &[String]) -> Vec<u8> {
    moves.iter().flat_map(|mv| [mv.as_bytes(), b"\n"].concat()).collect()
}

/// Runs test mode with legal moves. Returns true if it played them all. The assignment asks for an exit code at an error
/// only, so after another code than 0 the boards decide: the first one, and one after each move, which are fewer for fewer
/// moves.
fn played_all(marker: &Marker<'_>, moves: &[String]) -> Result<(Once, bool), Trouble> {
    let run = |moves: &[String]| marker.once(&["-t"], &text(moves), LIMIT);
    let once = run(moves)?;
    let shown = boards(&once.output);
    let is_likely = once.refused() && shown > moves.len();
    let all = once.succeeded() || is_likely && boards(&run(&moves[..moves.len() - 1])?.output) < shown;
    Ok((once, all))
}

/// True if test mode depends on the moves: it writes something else without the last one, or refuses an entry after them.
fn heeds(marker: &Marker<'_>, moves: &[String]) -> Result<bool, Trouble> {
    let run = |moves: &[String]| marker.once(&["-t"], &text(moves), LIMIT);
    Ok(run(moves)?.output != run(&moves[..moves.len() - 1])?.output
        || run(&[moves, &["bonjour".to_owned()]].concat())?.refused())
}

/// Checks that test mode accepts whole legal games, with deployments, captures, rebounds and exits.
fn legal_games(marker: &Marker<'_>) -> Result<Item, Trouble> {
    let (mut passed, mut notes, mut remarks) = (0, Vec::new(), Remarks::default());
    let count = if marker.quick { 4 } else { 40 };
    for nth in 0..count {
        let (mut moves, position) = random_game(mix(marker.seed, nth));
        let last = position.move_list().into_iter().find(|mv| mv.to_string().ends_with('#'));
        moves.extend(last.map(|mv| mv.to_string()));
        let (once, is_played) = played_all(marker, &moves)?;
        if is_played {
            passed += 1;
            remarks.extend(once.exit_remark());
        } else {
            notes.push(format!("a legal game of {} moves ended with {}", moves.len(), once.last_words()));
        }
    }
    if passed > 0 && !heeds(marker, &random_game(marker.seed).0[..2])? {
        let note = "it writes the same for other moves, and refuses none".to_owned();
        return Ok(LEGAL_GAMES.share(0, 1, vec![note]));
    }
    Ok(LEGAL_GAMES.share(passed, count as usize, notes).with(remarks))
}

/// The sign by which test mode shows that it has refused an entry.
#[derive(Debug, Clone, Copy)]
enum Sign {
    /// The exit code alone.
    Code,
    /// It ends with an error after legal moves, too: the entry adds no board either.
    Boards,
}

impl Sign {
    /// Plays two legal moves. Returns no points for a program that refuses them: its refusals judge nothing.
    fn of(marker: &Marker<'_>, criterion: Criterion) -> Result<Result<Self, Item>, Trouble> {
        let (moves, _) = random_game(marker.seed);
        let moves = &moves[..2];
        let (once, is_played) = played_all(marker, moves)?;
        if once.asked && !is_played {
            let (moves, words) = (moves.join(" "), once.last_words());
            let note = format!("it refuses legal moves too: {moves} ended with {words}");
            return Ok(Err(criterion.share(0, 1, vec![note])));
        }
        Ok(Ok(if once.asked && !once.succeeded() { Self::Boards } else { Self::Code }))
    }

    /// Runs test mode with legal moves and one more entry, and if it refuses that, with a legal move in its place: their
    /// number alone must not tell. Returns what is wrong, to stand after the entry.
    fn fault(self, marker: &Marker<'_>, moves: &[String], entry: &str) -> Result<Option<String>, Trouble> {
        let run = |more: &str| marker.once(&["-t"], &[&text(moves), more.as_bytes()].concat(), LIMIT);
        let once = run(&format!("{entry}\n"))?;
        let is_refused = match self {
            Self::Boards if once.refused() => boards(&once.output) <= boards(&run("")?.output),
            Self::Boards | Self::Code => once.refused(),
        };
        if !is_refused {
            return Ok(Some(format!(" was not refused: {}", once.last_words())));
        }
        let position = rules().start(&moves.join(" ")).map_err(Trouble::referee)?;
        let Some(legal) = position.move_list().into_iter().next() else { return Ok(None) };
        let (once, is_played) = played_all(marker, &[moves, &[legal.to_string()]].concat())?;
        let words = once.last_words();
        Ok((!is_played).then(|| format!(": it refuses legal moves too: {legal} ended with {words}")))
    }
}

/// Checks that test mode refuses illegal moves.
fn illegal_moves(marker: &Marker<'_>) -> Result<Item, Trouble> {
    let sign = match Sign::of(marker, ILLEGAL_MOVES)? {
        Ok(sign) => sign,
        Err(item) => return Ok(item),
    };
    let (mut passed, mut tests, mut notes) = (0, 0, Vec::new());
    let count = if marker.quick { 4 } else { 40 };
    for nth in 0..count {
        let seed = mix(marker.seed + 7, nth);
        let Some(moves) = random_line(&rules(), "", 2 + nth as usize, seed) else { continue };
        let position = rules().start(&moves.join(" ")).map_err(Trouble::referee)?;
        // A move of another position: readable and plausible, but illegal in this one.
        let Some(elsewhere) = random_line(&rules(), "", 30 + nth as usize % 20, seed + 1) else { continue };
        let Some(illegal) = elsewhere.iter().rev().find(|mv| rules().read(&position, mv).is_none()) else {
            continue;
        };
        tests += 1;
        match sign.fault(marker, &moves, illegal)? {
            None => passed += 1,
            Some(fault) => notes.push(format!("{illegal}{fault}\n{} {illegal}", moves.join(" "))),
        }
    }
    Ok(ILLEGAL_MOVES.share(passed, tests, notes))
}

/// Checks that test mode refuses text that is not a move.
fn unreadable(marker: &Marker<'_>) -> Result<Item, Trouble> {
    let sign = match Sign::of(marker, UNREADABLE)? {
        Ok(sign) => sign,
        Err(item) => return Ok(item),
    };
    let moves = ["a2-b3", "g7-g6"].map(str::to_owned);
    let inputs = ["bonjour", "a2-", "a2b3", "i2-b3", "a2-b9", "a2-b3-c4", "a2#b3", "a2+", "-a2-b3"];
    let (mut passed, mut notes) = (0, Vec::new());
    for input in inputs {
        match sign.fault(marker, &moves, input)? {
            None => passed += 1,
            Some(fault) => notes.push(format!("\"{input}\"{fault}")),
        }
    }
    Ok(UNREADABLE.share(passed, inputs.len(), notes))
}

/// Returns the number of lines in an output with the file letters.
pub(super) fn boards(output: &str) -> usize {
    let has_letters = |line: &&str| {
        let line = plain(line);
        let only = |is_case: fn(&char) -> bool| line.chars().filter(is_case).collect::<String>();
        [char::is_ascii_lowercase, char::is_ascii_uppercase]
            .into_iter()
            .any(|is_case| are_files(&only(is_case).to_ascii_lowercase()))
    };
    output.lines().filter(has_letters).count()
}

/// Checks that the board is shown after each move, with coordinates and the move's number.
fn display(marker: &Marker<'_>) -> Result<Item, Trouble> {
    let moves = ["a2-b3", "g7-g6", "b2-b3", "h7-g6", "b3+b4-c5", "g6*f5-f4"].map(str::to_owned);
    let (once, is_played) = played_all(marker, &moves)?;
    let boards = boards(&once.output);
    let ranks = (1..=8).all(|rank| once.output.lines().any(|line| line.contains(&rank.to_string())));
    let numbers = (1..=6).all(|number| once.output.contains(&number.to_string()));
    let checks = [
        (is_played, "the assignment's own example is played to its end"),
        (boards >= 6, "a line with the letters a to h for each of the six boards"),
        (ranks, "the numbers 1 to 8 of the ranks"),
        (numbers, "the numbers of the moves"),
    ];
    let notes = checks.iter().filter(|check| !check.0).map(|check| format!("missing: {}", check.1)).collect();
    let passed = checks.iter().filter(|check| check.0).count();
    let mut remarks = Remarks::default();
    remarks.extend(once.exit_remark().filter(|_| checks[0].0));
    Ok(DISPLAY.share(passed, checks.len(), notes).with(remarks))
}

/// True for an output that may show a game, in whatever form: as many moves as the shortest game has, or as many boards, or
/// two boards that differ.
fn is_shown(output: &str) -> bool {
    const FEWEST: usize = 8;
    let lines = output.lines().map(plain).filter(|line| !line.trim().is_empty());
    let mut ranks: [BTreeSet<String>; 9] = Default::default();
    let (mut moves, mut count) = (0, 0);
    for line in lines {
        moves += words(&line).count();
        count += 1;
        if let Some(rank) = rank(&line) {
            ranks[rank].insert(line);
        }
    }
    moves >= FEWEST || count >= 8 * FEWEST || ranks.iter().any(|lines| lines.len() > 1)
}

/// Checks that a game between two robots is shown and ends.
fn robots(marker: &Marker<'_>) -> Result<Item, Trouble> {
    let count = if marker.quick { 1 } else { 3 };
    let (mut passed, mut notes, mut remarks) = (0, Vec::new(), Remarks::default());
    for _ in 0..count {
        let once = marker.once(&["-B", "robot", "-N", "robot"], b"", 10 * LIMIT)?;
        // The assignment asks for no exit code here: a game that is shown and ends counts.
        let was_played = once.refused() && boards(&once.output) >= 8;
        if once.succeeded() && is_shown(&once.output) || was_played {
            passed += 1;
            remarks.extend(once.exit_remark());
        } else if once.succeeded() {
            notes.push("-B robot -N robot: no game was shown".to_owned());
        } else {
            notes.push(format!("-B robot -N robot: {}", once.last_words()));
        }
    }
    Ok(ROBOTS.share(passed, count, notes).with(remarks))
}

/// Marks the share of games without a fault.
fn faultless(criterion: Criterion, records: &[Record]) -> Item {
    let passed = records.iter().filter(|record| record.played.faults.is_empty()).count();
    criterion.share(passed, records.len(), complaints(records))
}

/// Plays a person against the robot in both colours. The referee is the person.
fn against_a_person(marker: &Marker<'_>) -> Result<Item, Trouble> {
    let game = rules();
    let records = marker
        .gauntlet(&game, &[builtin("random")], if marker.quick { 1 } else { 5 }, marker.at_once())?
        .records;
    Ok(faultless(PERSON, &records))
}

/// Returns the game from the balanced openings.
fn from_openings(seed: u64) -> Gounki {
    Gounki { set: OpeningSet::new("gounki", OPENINGS, seed), timed: false }
}

/// Checks `-c`: games from the initial position's file, and from other positions.
fn configuration(marker: &Marker<'_>) -> Result<Item, Trouble> {
    let game = from_openings(marker.seed);
    let records = marker
        .gauntlet(&game, &[builtin("greedy")], if marker.quick { 1 } else { 5 }, marker.at_once())?
        .records;
    Ok(faultless(CONFIGURATION, &records))
}

/// Checks that the robot beats random play.
fn intelligence(marker: &Marker<'_>) -> Result<Item, Trouble> {
    let game = from_openings(marker.seed);
    let opponents = [builtin("random"), builtin("greedy"), builtin("search:2")];
    let results = marker.gauntlet(&game, &opponents, if marker.quick { 1 } else { 5 }, marker.at_once())?;
    let (score, mut notes) = results.share();
    notes.insert(0, format!("{:.1} % of the points", 100.0 * score));
    let points = (10.0 * score).floor() / 10.0;
    Ok(INTELLIGENCE.earned(points, notes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_only_ends_has_played_no_game() {
        let board =
            (1..=8).map(|rank| format!("{rank} | N | . | N | . | N | . | N | . |\n")).collect::<String>();
        let help = "  -B type   joueur blanc (humain ou robot)\n".repeat(12);
        for output in ["1\n\n", &help, &format!("Bienvenue\n{board}Votre coup : pas encore fait\n")] {
            assert!(!is_shown(output), "{output}");
        }
        let next = board.replacen('N', ".", 1);
        for output in [&"d2-d3\n".repeat(8), &format!("{board}{next}"), &"N . N . N . N .\n".repeat(64)] {
            assert!(is_shown(output), "{output}");
        }
    }

    #[test]
    fn a_board_in_colour_has_its_letters() {
        let output = "Coup 1\n\u{1b}[1;32m  a b c d e f g h\u{1b}[0m\n1 x\n | A | B | C | D | E | F | G | H |\nabcdefg\n";
        assert_eq!(boards(output), 2);
    }
}
