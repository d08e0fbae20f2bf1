//! Connect5's marking scheme: A, respect of the rules (2); B, reactions to simple positions (3); C, the tournament (5).

mod interview;

use crate::assignment::Phrase;
use crate::course::OpeningSet;
use crate::fault::Trouble;
use crate::games::connect5::Connect5;
use crate::marking::{ALONE, Card, Criterion, Item, Marker, MarkingScheme, Remarks, builtin};
use crate::record::Record;
use crate::seed::mix;
use connect5_joueur::rules::{Cell, Color, Grid, Position};
use serde::Deserialize;
use std::time::Duration;

const LEGALITY: Criterion = Criterion::marked("A. respect of the rules: a free cell on any grid", 2.0);
const REACTIONS: Criterion =
    Criterion::marked("B. reactions to the published positions and their images", 3.0);
const TOURNAMENT: Criterion = Criterion::marked("C. the tournament: quality of the moves, in time", 5.0);
const CODE: Criterion = Criterion::by_hand("quality of the code", 0.0);
/// The course's scheme.
const SCHEME: [Criterion; 4] = [LEGALITY, REACTIONS, TOURNAMENT, CODE];

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

/// The phrases of its cards in French.
const PHRASES: &[Phrase] = &[
    (
        "A. respect of the rules: a free cell on any grid",
        "A. respect des règles : une case libre sur toute grille",
    ),
    (
        "B. reactions to the published positions and their images",
        "B. réactions aux positions publiées et à leurs images",
    ),
    ("C. the tournament: quality of the moves, in time", "C. le tournoi : qualité des coups, dans les temps"),
    ("quality of the code", "qualité du code"),
    ("up to 4 points may be taken away", "jusqu'à 4 points peuvent être retirés"),
    ("image", "image"),
    ("the course gives 5 for play close to the best", "le cours donne 5 pour un jeu proche du meilleur"),
    ("READY is not in capitals", "READY n'est pas en majuscules"),
    (
        "more on the line of an answer than \"row column\"",
        "sur la ligne d'une réponse, plus que \"ligne colonne\"",
    ),
    ("is not \"row column\"", "n'est pas \"ligne colonne\""),
    ("printed before the question", "écrit avant la question"),
    ("it counts as 0 0", "cela compte comme 0 0"),
    ("which is on a stone", "qui est sur une pierre"),
    ("in its first", "dans ses premières"),
    ("lines", "lignes"),
    ("alone", "seul"),
    ("no", "pas de"),
    ("grid", "grille"),
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
            format!("Connect5: {}", marker.player.text),
            vec![
                marker.judge(legality)?,
                marker.judge(reactions)?,
                marker.judge(tournament)?,
                CODE.noted(vec!["up to 4 points may be taken away".to_owned()]),
            ],
        ))
    }
}

/// A: checks that the player chooses free cells on all sorts of grids, ordinary ones first.
fn legality(marker: &Marker<'_>) -> Result<Item, Trouble> {
    let sizes = [(8, 8), (12, 12), (5, 5), (6, 15), (19, 19), (3, 7), (30, 20), (1, 1)];
    let mut questions = Vec::new();
    for (rows, columns) in sizes {
        let grid = Grid::new(rows, columns).map_err(Trouble::referee)?;
        let seed = mix(marker.seed, (rows * columns) as u64);
        let crowded = (0..CROWDED).map(|nth| crowded(grid.clone(), seed, nth));
        let named = |grid| (format!("{rows} x {columns}"), Position::from_grid(&grid));
        questions.extend(std::iter::once(grid.clone()).chain(crowded).map(named));
    }
    questions.dedup_by(|a, b| a == b);
    interview::hold(marker, LEGALITY, Duration::from_millis(100), &questions, |_, _| None)
}

/// Number of crowded positions of each size.
const CROWDED: usize = 4;

/// Puts as many stones of each colour on an empty grid, so that about one cell in eight is free: a cell is free in one of the
/// positions at most, so that none can always be named. Nobody has three in a row.
fn crowded(mut grid: Grid, seed: u64, nth: usize) -> Grid {
    let columns = grid.columns();
    let mut cells: Vec<usize> = (0..grid.rows() * columns).collect();
    cells.sort_by_key(|&cell| mix(seed, cell as u64));
    let is_black = |cell: &usize| (cell / columns / 2 + cell % columns).is_multiple_of(2);
    let (mut black, mut white): (Vec<usize>, Vec<usize>) = cells.into_iter().partition(is_black);
    let each = (black.len().min(white.len()) * 7).div_ceil(8);
    for cells in [&mut black, &mut white] {
        let by = nth * cells.len() / CROWDED;
        cells.rotate_left(by);
    }
    for (color, cells) in [(Color::Black, black), (Color::White, white)] {
        cells[..each].iter().for_each(|&cell| grid.set(Cell::new(cell), Some(color)));
    }
    grid
}

/// B: asks for the two published positions, rotated and mirrored.
fn reactions(marker: &Marker<'_>) -> Result<Item, Trouble> {
    let text = include_str!("../../../../../test-data/connect5/connect5_demo_positions.json");
    let file: Demonstrations =
        serde_json::from_str(text).map_err(|error| Trouble::Referee(error.to_string()))?;
    let time = if marker.quick { 200 } else { file.time_ms };
    let (mut questions, mut accepted) = (Vec::new(), Vec::new());
    for demonstration in &file.positions {
        for symmetry in 0..8 {
            let (board, accept) = turned(demonstration, symmetry);
            let grid: Grid =
                board.join("\n").parse().map_err(|error| Trouble::Referee(format!("{error}")))?;
            let image = if symmetry > 0 { format!(", image {symmetry}") } else { String::new() };
            questions.push((format!("{}{image}", demonstration.name), Position::from_grid(&grid)));
            accepted.push(accept);
        }
    }
    let wrong = |nth: usize, cell: Cell| {
        let columns = questions[nth].1.geometry().columns();
        let accepted = &accepted[nth];
        // The game's name of a cell, and the one that the program writes.
        let named = |cell: Cell| {
            let at = cell.coordinates(columns);
            format!("{} ({} {})", cell.name(columns), at.row, at.column)
        };
        let accepted: Vec<Cell> =
            accepted.iter().map(|&(row, column)| Cell::at(row, column, columns)).collect();
        let names = || accepted.iter().map(|&cell| named(cell)).collect::<Vec<_>>().join(", ");
        (!accepted.contains(&cell)).then(|| format!("{} is not among {}", named(cell), names()))
    };
    interview::hold(marker, REACTIONS, Duration::from_millis(time), &questions, wrong)
}

/// Returns one of the eight symmetries of a position.
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

/// C: plays against the random player and others, under the clock.
fn tournament(marker: &Marker<'_>) -> Result<Item, Trouble> {
    let set = OpeningSet::new(
        "connect5 12x12",
        crate::games::connect5::openings(12, 12).unwrap_or_default(),
        marker.seed,
    );
    let game = Connect5::new(12, 12, set);
    let opponents = [builtin("random"), builtin("greedy"), builtin("search:4")];
    let results = marker.gauntlet(&game, &opponents, if marker.quick { 1 } else { 4 }, ALONE)?;
    let (score, mut notes) = results.share();
    notes.insert(
        0,
        format!("{:.1} % of the points; the course gives 5 for play close to the best", 100.0 * score),
    );
    let points = (50.0 * score).floor() / 10.0;
    Ok(TOURNAMENT.earned(points, notes).with(late(marker, &results.records)))
}

/// Returns a remark on the player's tolerated late moves.
fn late(marker: &Marker<'_>, records: &[Record]) -> Remarks {
    let mut remarks = Remarks::default();
    let Some(time) = marker.conditions.time else { return remarks };
    let most = (time + marker.conditions.grace).as_micros() as u64;
    for record in records {
        let own = record.played.movers.iter().zip(&record.played.micros);
        let late = own.filter(|(seat, micros)| record.seats[**seat] == 0 && **micros > most).count();
        remarks.extend(std::iter::repeat_n(interview::LATE.to_owned(), late));
    }
    remarks
}

#[cfg(test)]
mod tests {
    use super::*;
    use search_core::Position as _;

    #[test]
    fn no_cell_is_free_in_two_crowded_positions_and_none_is_over() {
        for (rows, columns) in [(8, 8), (5, 5), (3, 7), (30, 20)] {
            let grid = |nth| crowded(Grid::new(rows, columns).unwrap(), 1, nth);
            let positions: Vec<Position> = (0..CROWDED).map(|nth| Position::from_grid(&grid(nth))).collect();
            for position in &positions {
                assert!(
                    position.outcome().is_none() && position.mover() == Color::Black && position.free() > 0
                );
            }
            for cell in positions[0].cells() {
                let free = positions.iter().filter(|position| position.is_free(cell)).count();
                assert!(free < 2, "{rows} x {columns}: {cell:?}");
            }
        }
    }
}
