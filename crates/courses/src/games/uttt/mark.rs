//! UTTT's marking scheme: print 10, tree 30, play 30, a bonus of up to 10 for the tree's speed. A person marks clarity,
//! 30.

pub(super) mod tree;

use super::assignment::OPENINGS;
use crate::assignment::Phrase;
use crate::course::OpeningSet;
use crate::duel::{Rules, random_line};
use crate::fault::{Trouble, excerpt};
use crate::games::uttt::Uttt;
use crate::marking::{Card, Criterion, Item, Marker, MarkingScheme, Once, Remarks, builtin, visible};
use crate::peer::is_busy;
use crate::seed::mix;
use search_core::{Control, Limits, Position as _, Stopwatch};
use std::time::Duration;
use uttt::player::Solver;
use uttt::rules::{Integer, Picture, State};

const CLARITY: Criterion = Criterion::by_hand("clarity of the code", 30.0);
const PRINT: Criterion = Criterion::marked("printing positions, to the byte", 10.0);
const TREE: Criterion = Criterion::marked("generating trees, depths 0 to 3", 30.0);
const PLAY: Criterion = Criterion::marked("the best move near the end, where it is known exactly", 30.0);
const SPEED: Criterion = Criterion::marked("bonus: the tree's speed", 10.0);
const GAMES: Criterion = Criterion::by_hand("the friendly tournament", 0.0);
/// The course's scheme.
const SCHEME: [Criterion; 6] = [CLARITY, PRINT, TREE, PLAY, SPEED, GAMES];

const LIMIT: Duration = Duration::from_secs(30);

/// The remark on an answer that was asked for again.
const AGAIN: &str = "asked again: it had no processor for most of its time";

/// The phrases of its cards in French.
const PHRASES: &[Phrase] = &[
    ("Ultimate tic-tac-toe", "Morpion ultime"),
    ("clarity of the code", "clarté du code"),
    ("printing positions, to the byte", "affichage des positions, à l'octet près"),
    ("generating trees, depths 0 to 3", "génération d'arbres, profondeurs 0 à 3"),
    (
        "the best move near the end, where it is known exactly",
        "le meilleur coup près de la fin, où on le connaît exactement",
    ),
    ("bonus: the tree's speed", "bonus : la vitesse de l'arbre"),
    ("the friendly tournament", "le tournoi amical"),
    ("level", "niveau"),
    ("levels", "niveaux"),
    ("no line", "aucune ligne"),
    ("no final newline", "pas de saut de ligne final"),
    ("empty lines at the end", "lignes vides à la fin"),
    ("is none of the children that belong there", "n'est aucun des enfants attendus là"),
    ("the child", "l'enfant"),
    ("a move worth", "un coup qui vaut"),
    (AGAIN, "demandé à nouveau : il n'avait pas de processeur la plupart du temps"),
    ("was to be had", "était possible"),
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
            format!("Ultimate tic-tac-toe: {}", marker.player.text),
            vec![
                CLARITY.noted(vec!["for a reader".to_owned()]),
                marker.judge(print)?,
                marker.judge(tree)?,
                marker.judge(play)?,
                marker.judge(speed)?,
                marker.judge(games)?,
            ],
        ))
    }
}

fn rules() -> Uttt {
    Uttt { set: OpeningSet::single(""), timed: false }
}

/// Returns the assignment's example position, the empty board, and random positions of all lengths.
fn positions(seed: u64, count: u64) -> Vec<State> {
    let example = "459329034283597291728327479273734123420780266358036";
    let mut positions: Vec<State> =
        vec![State::start(), example.parse().expect("the assignment's own position")];
    for attempt in 0..100 * count {
        if positions.len() as u64 >= count {
            break;
        }
        let line = random_line(&rules(), "", (attempt % 60) as usize + 1, mix(seed, attempt));
        positions.extend(line.and_then(|line| rules().start(&line.join(" ")).ok()));
    }
    positions
}

fn print(marker: &Marker<'_>) -> Result<Item, Trouble> {
    let (mut passed, mut notes, mut remarks) = (0, Vec::new(), Remarks::default());
    let positions = positions(marker.seed, if marker.quick { 4 } else { 20 });
    for state in &positions {
        let once = marker.once(&["p", &state.to_string()], b"", LIMIT)?;
        match (difference(&Picture(state).to_string(), &once.output), once.has_ended()) {
            (None, true) => {
                passed += 1;
                remarks.extend(newline_remark(&once.output));
                remarks.extend(once.exit_remark());
            }
            (what, _) => {
                let what = what.unwrap_or_else(|| "right".to_owned());
                notes.push(format!("{what}, {}\np {state}", once.last_words()));
            }
        }
    }
    Ok(PRINT.share(passed, positions.len(), notes).with(remarks))
}

/// Returns the first line of a picture that differs, with visible blanks. Line feeds at the end do not count, because
/// the assignment does not specify any.
pub(super) fn difference(expected: &str, got: &str) -> Option<String> {
    let lines =
        |text| str::split(str::trim_end_matches(text, '\n'), '\n').map(Some).chain(std::iter::repeat(None));
    let mut pairs = (1..).zip(lines(expected).zip(lines(got)));
    let differing = pairs.find(|(_, (a, b))| a != b || (a.is_none() && b.is_none()))?;
    let quoted =
        |line: Option<&str>| line.map_or("no line".to_owned(), |line| format!("\"{}\"", visible(line)));
    match differing {
        (_, (None, None)) => None,
        (line, (expected, got)) => {
            Some(format!("line {line}: expected {}, got {}", quoted(expected), quoted(got)))
        }
    }
}

/// Returns a remark on the line feeds at the end of a correct picture.
pub(super) fn newline_remark(output: &str) -> Option<String> {
    match output.len() - output.trim_end_matches('\n').len() {
        0 => Some("no final newline".to_owned()),
        1 => None,
        _ => Some("empty lines at the end".to_owned()),
    }
}

/// Checks a tree as the course does. Returns the note on one that does not pass: its error, or that it is right although
/// the program did not end by itself.
fn failure(once: &Once, root: &State, depth: usize) -> Option<String> {
    match tree::check(&once.output, root, depth) {
        Err(error) => Some(error.to_string()),
        Ok(_) if once.has_ended() => None,
        Ok(_) => Some("right".to_owned()),
    }
}

fn tree(marker: &Marker<'_>) -> Result<Item, Trouble> {
    let (mut passed, mut tests, mut notes, mut remarks) = (0, 0, Vec::new(), Remarks::default());
    let mut is_tree = false;
    for (nth, state) in positions(marker.seed, if marker.quick { 4 } else { 12 }).iter().enumerate() {
        let depth = nth % 4;
        tests += 1;
        let once = marker.once(&["a", &depth.to_string(), &state.to_string()], b"", LIMIT)?;
        match failure(&once, state, depth) {
            None => {
                passed += 1;
                is_tree |= depth > 0;
                remarks.extend(once.exit_remark());
            }
            Some(what) => notes.push(format!("{what}, {}\na {depth} {state}", once.last_words())),
        }
    }
    // A tree of depth 0 alone is its position, as it was given.
    if !is_tree {
        passed = 0;
    }
    Ok(TREE.share(passed, tests, notes).with(remarks))
}

/// A position's moves, each as the next position with its exact value for the player who makes the move.
type Valued = Vec<(State, i8)>;

/// Returns a position's moves with their values, or `None` if they are too hard to solve, or all are equally good.
fn valued(state: &State, solver: &mut Solver) -> Option<Valued> {
    /// Most positions that the solver visits: a search without it would visit some 200,000.
    const MOST: u64 = 200;
    let clock = Stopwatch::start();
    let control = Control::new(Limits::nodes(MOST), &clock);
    control.arm();
    let mut values = Valued::new();
    for cell in state.move_list() {
        let mut child = *state;
        child.play(cell);
        values.push((child, -solver.outcome(&child, u64::MAX, &control).outcome()?.sign()));
    }
    let differ = values.iter().any(|(_, value)| *value != values[0].1);
    differ.then_some(values)
}

/// Iterates over `count` positions a few moves before the end, with their moves' exact values.
fn ends(seed: u64, count: usize) -> impl Iterator<Item = (State, Valued)> {
    /// In bytes.
    const MEMORY: usize = 4 << 20;
    let mut solver = Solver::new(MEMORY);
    let drawn = move |attempt: u64| {
        let line = random_line(&rules(), "", 46 + attempt as usize % 18, mix(seed, attempt))?;
        let state = rules().start(&line.join(" ")).ok()?;
        let valued = valued(&state, &mut solver)?;
        Some((state, valued))
    };
    (0..2000).filter_map(drawn).take(count)
}

/// Asks for moves in positions a few moves before the end, where the best moves are known exactly.
fn play(marker: &Marker<'_>) -> Result<Item, Trouble> {
    let (mut passed, mut tests, mut notes, mut remarks) = (0, 0, Vec::new(), Remarks::default());
    for (state, values) in ends(marker.seed + 1, if marker.quick { 3 } else { 20 }) {
        let best = values.iter().map(|(_, value)| *value).max().unwrap_or(-1);
        tests += 1;
        let worth = |once: &Once| {
            let answer: Option<Integer> = once.output.trim().parse().ok();
            values.iter().find(|(child, _)| Some(child.integer()) == answer).map(|(_, value)| *value)
        };
        // A program that keeps a clock of its own has little of it where others use the processor.
        let is_worse = |once: &Once| worth(once).is_some_and(|value| value < best);
        let runs = marker.undisturbed(&[&state.to_string()], LIMIT, is_worse)?;
        let Some(once) = runs.last() else { continue };
        remarks.extend((runs.len() > 1).then(|| AGAIN.to_owned()));
        match worth(once) {
            Some(value) if value == best => passed += 1,
            Some(value) => notes.push(format!(
                "a move worth {} where {} was to be had\n{state}",
                signed(value),
                signed(best)
            )),
            None => notes.push(format!(
                "\"{}\" is no move, {}\n{state}",
                excerpt(once.output.trim()),
                once.last_words()
            )),
        }
    }
    Ok(PLAY.share(passed, tests, notes).with(remarks))
}

/// Returns a value with its sign, if it has one.
fn signed(value: i8) -> String {
    if value == 0 { "0".to_owned() } else { format!("{value:+}") }
}

/// Marks the speed bonus. The assignment compares with the class's mean, which is unknown here. Our thresholds are
/// based on a plain Python solution of the course (3.4 s at depth 5).
fn speed(marker: &Marker<'_>) -> Result<Item, Trouble> {
    let once = marker.once(&["a", "5", "0"], b"", LIMIT)?;
    let nodes = once.output.split_whitespace().count();
    let seconds = if is_busy() { once.work() } else { once.time }.as_secs_f64();
    let failure = failure(&once, &State::start(), 5);
    let points = if failure.is_none() { points_for(seconds) } else { 0.0 };
    if points < points_for(0.0) {
        marker.is_by_the_clock.set(true);
    }
    let wrong = failure.map(|what| format!(": {what}")).unwrap_or_default();
    let note = format!(
        "a 5 0: {nodes} {} in {seconds:.3} s{wrong}, {}; 10 below 0.2 s, 7 below 1 s, 4 below 3.4 s",
        if nodes == 1 { "position" } else { "positions" },
        once.ending()
    );
    Ok(SPEED.earned(points, vec![note]))
}

/// Returns the bonus for a tree of depth 5 in this time.
fn points_for(seconds: f64) -> f64 {
    match seconds {
        s if s < 0.2 => 10.0,
        s if s < 1.0 => 7.0,
        s if s < 3.4 => 4.0,
        _ => 0.0,
    }
}

/// Plays the friendly tournament, which gives no points.
fn games(marker: &Marker<'_>) -> Result<Item, Trouble> {
    let set = OpeningSet::new("uttt", OPENINGS, marker.seed);
    let opponents = [builtin("random"), builtin("greedy")];
    let rules = Uttt { set, timed: false };
    let opponents = if marker.quick { &opponents[..1] } else { &opponents };
    let results = marker.gauntlet(&rules, opponents, 1, marker.at_once())?;
    let (score, mut notes) = results.share();
    notes.insert(0, format!("{:.1} % of the points", 100.0 * score));
    Ok(GAMES.noted(notes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    /// Returns the exact value for the mover, 1, 0 or −1, or `None` if that takes too many positions.
    fn solve(state: &State, known: &mut HashMap<Integer, i8>, left: &mut u32) -> Option<i8> {
        if let Some(outcome) = state.outcome() {
            return Some(outcome.sign());
        }
        if let Some(&value) = known.get(&state.integer()) {
            return Some(value);
        }
        *left = left.checked_sub(1)?;
        let mut best = -1;
        for cell in state.move_list() {
            let mut child = *state;
            child.play(cell);
            best = best.max(-solve(&child, known, left)?);
            if best == 1 {
                break;
            }
        }
        known.insert(state.integer(), best);
        Some(best)
    }

    #[test]
    fn ends_are_asked_for_where_a_move_can_be_wrong_and_all_are_valued() {
        let ends: Vec<_> = ends(3, 12).collect();
        assert_eq!(ends.len(), 12);
        let mut seen = [0; 3];
        for (state, values) in &ends {
            assert_eq!(values.len(), state.move_list().len(), "{state}");
            let best = values.iter().map(|(_, value)| *value).max().unwrap();
            assert!(values.iter().any(|(_, value)| *value < best), "{state}: {values:?}");
            for (child, value) in values {
                let Some(found) = solve(child, &mut HashMap::new(), &mut 20_000) else { continue };
                assert_eq!(found, -value, "{state}");
                seen[(value + 1) as usize] += 1;
            }
        }
        assert!(seen.iter().all(|&count| count > 0), "{seen:?}");
        let mut solver = Solver::new(1 << 20);
        let mut hard = State::start();
        hard.play(hard.move_list()[0]);
        assert!(valued(&hard, &mut solver).is_none());
        // Its last move ends the game, so no answer can be wrong.
        let single = (0..).find_map(|seed| {
            let state = rules().start(&random_line(&rules(), "", 60, seed)?.join(" ")).ok()?;
            (state.move_list().len() == 1).then_some(state)
        });
        assert!(valued(&single.unwrap(), &mut solver).is_none());
    }

    #[test]
    fn the_bonus_goes_down_by_steps() {
        let seconds = [0.0, 0.199, 0.2, 0.999, 1.0, 3.399, 3.4, 60.0];
        assert_eq!(seconds.map(points_for), [10.0, 10.0, 7.0, 7.0, 4.0, 4.0, 0.0, 0.0]);
    }

    #[test]
    fn a_difference_is_shown_as_expected_and_got() {
        let expected = " x  o \n---\n . \n";
        for same in [expected, " x  o \n---\n . ", " x  o \n---\n . \n\n"] {
            assert_eq!(difference(expected, same), None, "{same:?}");
        }
        for (got, what) in [
            (" x  o \n---\n .\n", "line 3: expected \"·.·\", got \"·.\""),
            (" x  o \r\n---\n . \n", "line 1: expected \"·x··o·\", got \"·x··o·\\r\""),
            (" x  o \n---\n . \n\t", "line 4: expected no line, got \"\\t\""),
            (" x  o \n---\n", "line 3: expected \"·.·\", got no line"),
            ("", "line 1: expected \"·x··o·\", got \"\""),
            ("\n x  o \n---\n . \n", "line 1: expected \"·x··o·\", got \"\""),
        ] {
            assert_eq!(difference(expected, got).as_deref(), Some(what));
        }
        assert_eq!(newline_remark("a\n"), None);
        assert_eq!(newline_remark("a").as_deref(), Some("no final newline"));
    }
}
