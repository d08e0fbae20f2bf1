//! Connect5's scheme: A, respect of the rules (2); B, reactions to simple positions (3); C, the tournament (5).

use super::{Card, Criterion, Item, Marker, Patience, builtin, results};
use connect5_joueur::rules::{Cell, Grid, Position};
use courses::course::OpeningSet;
use courses::duel::{Players, Question, Rules};
use courses::fault::{Kind, Trouble};
use courses::games::connect5::{Connect5, drawn_openings};
use serde::Deserialize;
use std::sync::atomic::Ordering;
use std::time::Duration;

const LEGALITY: Criterion = Criterion::marked("A. respect of the rules: a free cell on any grid", 2.0);
const REACTIONS: Criterion =
    Criterion::marked("B. reactions to the published positions and their images", 3.0);
const TOURNAMENT: Criterion = Criterion::marked("C. the tournament: quality of the moves, in time", 5.0);
const CODE: Criterion = Criterion::by_hand("quality of the code", 0.0);
/// The course's scheme.
pub const SCHEME: [Criterion; 4] = [LEGALITY, REACTIONS, TOURNAMENT, CODE];

#[derive(Deserialize)]
struct Demonstrations {
    time_ms: u64,
    positions: Vec<Demonstration>,
}

#[derive(Deserialize)]
struct Demonstration {
    name: String,
    board: Vec<String>,
    accept: Vec<(usize, usize)>,
}

/// The report card.
///
/// # Errors
/// When no game can be held.
pub fn card(marker: &Marker<'_>) -> Result<Card, Trouble> {
    Ok(Card {
        title: format!("Connect5: {}", marker.player.text),
        items: vec![
            marker.judge(legality)?,
            marker.judge(reactions)?,
            marker.judge(tournament)?,
            CODE.noted(vec!["up to 4 points may be taken away".to_owned()]),
        ],
    })
}

/// A: does it play on free cells, whatever the grid?
fn legality(marker: &Marker<'_>) -> Result<Item, Trouble> {
    let sizes = [(1, 1), (3, 7), (5, 5), (8, 8), (6, 15), (12, 12), (19, 19), (30, 20)];
    let (mut passed, mut tests, mut notes) = (0, 0, Vec::new());
    for (rows, columns) in sizes {
        let game = Connect5 { rows, columns, set: OpeningSet::single("") };
        for line in drawn_openings(rows, columns, 4, marker.seed).lines().chain([""]) {
            let position = game.start(&format!("{rows}x{columns} {line}")).map_err(Trouble::Referee)?;
            tests += 1;
            match ask(marker, &game, &position, Duration::from_millis(100))? {
                Ok(_) => passed += 1,
                Err(problem) => notes.push(format!("{rows} x {columns}: {problem}")),
            }
        }
    }
    Ok(LEGALITY.share(passed, tests, notes))
}

/// B: the two published positions, turned and mirrored.
fn reactions(marker: &Marker<'_>) -> Result<Item, Trouble> {
    let text = include_str!("../../../../test-data/connect5/connect5_demo_positions.json");
    let file: Demonstrations =
        serde_json::from_str(text).map_err(|error| Trouble::Referee(error.to_string()))?;
    let time = if marker.quick { 200 } else { file.time_ms };
    let (mut passed, mut tests, mut notes) = (0, 0, Vec::new());
    for demonstration in &file.positions {
        for symmetry in 0..8 {
            let (board, accept) = turned(demonstration, symmetry);
            let (rows, columns) = (board.len(), board[0].len());
            let grid: Grid =
                board.join("\n").parse().map_err(|error| Trouble::Referee(format!("{error}")))?;
            let game = Connect5 { rows, columns, set: OpeningSet::single("") };
            tests += 1;
            match ask(marker, &game, &Position::from_grid(&grid), Duration::from_millis(time))? {
                Ok(cell) => {
                    let at = cell.coordinates(columns);
                    if accept.contains(&(at.row, at.column)) {
                        passed += 1;
                    } else {
                        notes.push(format!(
                            "{} turned {symmetry}: {} {} is not among {accept:?}",
                            demonstration.name, at.row, at.column
                        ));
                    }
                }
                Err(problem) => notes.push(format!("{} turned {symmetry}: {problem}", demonstration.name)),
            }
        }
    }
    Ok(REACTIONS.share(passed, tests, notes))
}

/// One of the eight images of a position.
fn turned(demonstration: &Demonstration, symmetry: usize) -> (Vec<String>, Vec<(usize, usize)>) {
    let board: Vec<&[u8]> = demonstration.board.iter().map(|row| row.as_bytes()).collect();
    let (rows, columns) = (board.len(), board[0].len());
    let (transpose, upset, mirror) = (symmetry & 4 != 0, symmetry & 2 != 0, symmetry & 1 != 0);
    let map = |(row, column): (usize, usize)| {
        let row = if upset { rows - 1 - row } else { row };
        let column = if mirror { columns - 1 - column } else { column };
        if transpose { (column, row) } else { (row, column) }
    };
    let (height, width) = if transpose { (columns, rows) } else { (rows, columns) };
    let mut image = vec![vec![b'0'; width]; height];
    for (row, line) in board.iter().enumerate() {
        for (column, &cell) in line.iter().enumerate() {
            let (row, column) = map((row, column));
            image[row][column] = cell;
        }
    }
    let lines = image.into_iter().map(|line| String::from_utf8_lossy(&line).into_owned()).collect();
    (lines, demonstration.accept.iter().map(|&at| map(at)).collect())
}

/// One request to a fresh process; the answer, or what was wrong with it.
fn ask(
    marker: &Marker<'_>,
    game: &Connect5,
    position: &Position,
    time: Duration,
) -> Result<Result<Cell, String>, Trouble> {
    if marker.patience.is_over() {
        return Ok(Err("not asked: it hung before".to_owned()));
    }
    let conditions = courses::course::Conditions { time: Some(time), ..marker.conditions.clone() };
    let setup = courses::course::GameSetup {
        players: vec![marker.player],
        opening: "",
        seed: marker.seed,
        conditions: &conditions,
        supervisor: marker.supervisor,
        processor: None,
        observer: None,
    };
    let clock = game.clock(&conditions);
    let question = Question::new(position, &[], &clock);
    let asked = game.driver(&setup, marker.player, 0).and_then(|mut driver| {
        let answer = driver
            .greet(courses::course::in_time(marker.conditions.start_up))
            .and_then(|()| driver.choose(&question));
        let mut ended = driver.end();
        match (answer, ended.notes.pop()) {
            (Err(Trouble::Fault(fault)), _) => Err(fault.quoting(&ended.errors).into()),
            // What a game would let pass is no right answer here.
            (_, Some(note)) => Err(note.into()),
            (answer, None) => answer,
        }
    });
    marker.patience.hear(matches!(&asked, Err(Trouble::Fault(fault)) if Patience::is_tried_by(fault)));
    if matches!(&asked, Err(Trouble::Fault(fault)) if fault.kind == Kind::Crash) {
        marker.crashes.fetch_add(1, Ordering::Relaxed);
    }
    match asked {
        Ok(answer) => Ok(match game.clock(&conditions).used(answer.time) {
            Ok(()) => Ok(answer.mv),
            Err(late) => Err(late.to_string()),
        }),
        Err(Trouble::Fault(fault)) => Ok(Err(fault.to_string())),
        Err(trouble) => Err(trouble),
    }
}

/// C: against the random player and others, on time.
fn tournament(marker: &Marker<'_>) -> Result<Item, Trouble> {
    let set = OpeningSet::new(
        "connect5 12x12",
        courses::games::connect5::openings(12, 12).unwrap_or_default(),
        marker.seed,
    );
    let game = Connect5 { rows: 12, columns: 12, set };
    let opponents = [builtin("random"), builtin("greedy"), builtin("search:4")];
    let (players, records) = marker.gauntlet(&game, &opponents, if marker.quick { 1 } else { 4 })?;
    let (score, mut notes) = results(&players, &records);
    notes.insert(
        0,
        format!("{:.1} % of the points; the course gives 5 for play close to the best", 100.0 * score),
    );
    let points = (50.0 * score).floor() / 10.0;
    Ok(TOURNAMENT.earned(points, notes))
}
