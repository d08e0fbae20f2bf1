//! The five games, set up: their courses, starts as text, and what a page says of them.

use super::Play;
use super::duel::{Duel, Manners};
use super::maze::Maze;
use crate::engine::{Spec, Strength};
use connect5_joueur::rules as connect5_rules;
use courses::course::{OpeningSet, POSITION};
use courses::drawing::Language;
use courses::games::connect5::Connect5;
use courses::games::gounki::Gounki;
use courses::games::moules::Opening;
use courses::games::othello::{Bridge, Coloured, Othello};
use courses::games::uttt::Uttt;
use courses::options::GameOptions;
use courses::registry::Game;
use gounki::rules as gounki_rules;
use othello_player::rules as othello_rules;
use search_core::{Outcome, Position as _};
use uttt::rules as uttt_rules;

/// So many things, one or several.
#[must_use]
pub fn counted(count: u32, language: Language, french: [&str; 2], english: [&str; 2]) -> String {
    // None is one in French, and several in English.
    let nth = if language == Language::French { usize::from(count > 1) } else { usize::from(count != 1) };
    format!("{count} {}", language.choose(french[nth], english[nth]))
}

/// The longest text that is read as a start.
const LONGEST: usize = 16 * 1024;
/// The longest sides of grids and mazes that a page shows.
const SIDES: (usize, usize) = (50, 61);

/// The `number`-th opening that is drawn for a game.
pub fn drawn(game: Game, size: &str, number: u64) -> Result<String, String> {
    let size = (!size.is_empty()).then(|| size.to_owned());
    let options = GameOptions { size, ..GameOptions::default() };
    let course = options.course(game, 2).map_err(|error| error.to_string())?;
    Ok(course.opening(number))
}

/// A game from its start as records write it; `seats` counts in the maze only.
///
/// # Errors
/// With what is wrong in the start.
pub fn open(game: Game, opening: &str, seats: usize) -> Result<Box<dyn Play>, String> {
    if opening.len() > LONGEST {
        return Err(format!("a start has at most {LONGEST} characters"));
    }
    let set = || OpeningSet::single("");
    Ok(match game.name() {
        "connect5" => {
            let size = opening.split_whitespace().next().unwrap_or_default();
            let (rows, columns) = sides(size).ok_or_else(|| format!("\"{size}\" is no size: 9x14"))?;
            if rows.max(columns) > SIDES.0 {
                return Err(format!("a grid has at most {0}x{0} cells here", SIDES.0));
            }
            Box::new(Duel::new(Connect5::new(rows, columns, set()), opening)?)
        }
        "gounki" => Box::new(Duel::new(Gounki { set: set(), timed: false }, opening)?),
        "othello" => {
            let bridge = Bridge::default();
            Box::new(Duel::new(
                Othello { set: set(), depth: 5, timed: false, adjudicate: 0, bridge },
                opening,
            )?)
        }
        "uttt" => Box::new(Duel::new(Uttt { set: set(), timed: false }, opening)?),
        "moules" => Box::new(maze(opening, seats)?),
        name => return Err(format!("{name} has no page")),
    })
}

fn sides(text: &str) -> Option<(usize, usize)> {
    let (a, b) = text.split_once('x')?;
    Some((a.parse().ok()?, b.parse().ok()?))
}

/// A maze that a page can show.
fn maze(opening: &str, seats: usize) -> Result<Maze, String> {
    let mut start = Opening::default();
    start.read(opening)?;
    if start.settings.width.max(start.settings.height) > SIDES.1 {
        return Err(format!("a maze has at most {0}x{0} cells here", SIDES.1));
    }
    Maze::new(start, opening, seats)
}

/// Reads a start as a person writes it, an opening or a position in the game's own text, and returns it as records do.
///
/// # Errors
/// With what is wrong in it.
pub fn start(game: Game, text: &str, seats: usize) -> Result<String, String> {
    let text = text.trim();
    if text.len() > LONGEST {
        return Err(format!("a start has at most {LONGEST} characters"));
    }
    let opening = match game.name() {
        _ if text.contains(POSITION) => text.to_owned(),
        "connect5" => connect5(text)?,
        "othello" => othello(text)?,
        "uttt" if text.len() > 2 && text.bytes().all(|byte| byte.is_ascii_digit()) => format!("@{text}"),
        "gounki" => gounki(text),
        "moules" if text.is_empty() => "maze 1 items 1".to_owned(),
        "moules" if text.starts_with(|c: char| c.is_ascii_digit() || c == '-') => {
            let mut numbers = text.split_whitespace();
            format!("maze {} items {}", numbers.next().unwrap_or("0"), numbers.next().unwrap_or("0"))
        }
        _ => text.to_owned(),
    };
    open(game, &opening, seats)?;
    Ok(opening)
}

/// The start that a person writes beside a size: moves of Connect5 are those on a grid of it.
#[must_use]
pub fn sized(game: Game, text: &str, size: &str) -> String {
    let first = text.split_whitespace().next().unwrap_or_default();
    let is_line = first.as_bytes().get(1).is_some_and(u8::is_ascii_digit) && !first.contains('x');
    let is_sized =
        game == Game::Connect5 && !size.is_empty() && is_line && first.starts_with(char::is_alphabetic);
    if is_sized { format!("{size} {text}") } else { text.to_owned() }
}

fn connect5(text: &str) -> Result<String, String> {
    let rows: Vec<&str> = text.split_whitespace().collect();
    let is_row = |row: &&str| row.len() >= 5 && row.bytes().all(|byte| b"0NB".contains(&byte));
    match rows.first() {
        None => Ok("15x15".to_owned()),
        // Lines of a size may stand before a grid.
        Some(first) if is_row(first) => Ok(format!("{}x{} @{}", rows.len(), first.len(), rows.join("/"))),
        Some(first) if first.contains('x') => Ok(text.to_owned()),
        Some(_) => Ok(format!("15x15 {text}")),
    }
}

fn othello(text: &str) -> Result<String, String> {
    let board: String = text.split(['%', ';']).next().unwrap_or_default().split_whitespace().collect();
    if board.contains(|c: char| c.is_ascii_digit()) || board.chars().count() < 65 {
        return Ok(text.to_owned());
    }
    Ok(format!("@{board}"))
}

fn gounki(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let is_code =
        |word: &&str| matches!(word.as_bytes(), [b'V' | b'B' | b'N', digit] if digit.is_ascii_digit());
    if words.len() < 64 || !words[..64].iter().all(is_code) {
        return text.to_owned();
    }
    let mover = words.get(64).copied().unwrap_or("blanc");
    format!("@{}:{mover}", words[..64].concat())
}

impl Manners for Othello {
    const GAME: Game = Game::Othello;

    fn unit(language: Language) -> &'static str {
        language.choose("pions", "discs")
    }

    fn seat_name(seat: usize, language: Language) -> String {
        if seat == 0 { language.choose("noir", "black") } else { language.choose("blanc", "white") }
            .to_owned()
    }

    fn position(&self, position: &Coloured) -> String {
        format!("@{}", position.0.to_string().split_whitespace().collect::<String>())
    }

    fn analysed(&self, position: &Coloured) -> String {
        position.0.to_string()
    }

    fn tally(position: &Coloured, seat: usize, language: Language) -> String {
        let side = if seat == 0 { othello_rules::Side::Black } else { othello_rules::Side::White };
        let discs = position.0.discs(side).count_ones();
        counted(discs, language, ["pion", "pions"], ["disc", "discs"])
    }

    fn refuse(&self, position: &Coloured, _: &[String], click: &str, language: Language) -> String {
        let square = click.parse::<othello_rules::Square>().ok();
        let taken = square.is_some_and(|square| position.0.cell(square.bit()).is_some());
        if taken {
            return language.choose("la case est prise", "the square is taken").to_owned();
        }
        if position.is_legal(othello_rules::Move::PASS) {
            return language.choose("aucun coup : il faut passer", "no move: you must pass").to_owned();
        }
        language.choose("ce coup ne retourne aucun pion", "this move turns no disc").to_owned()
    }

    fn reason(position: &Coloured, language: Language) -> &'static str {
        match position.0.position.empties() {
            0 => language.choose("l'othellier est plein", "the board is full"),
            _ => language.choose("plus personne ne peut jouer", "nobody can move"),
        }
    }

    fn line(opening: &str, moves: &[String]) -> String {
        let moves: String = moves.iter().filter(|mv| *mv != "pass").map(String::as_str).collect();
        format!("{opening} {moves}").trim().to_owned()
    }

    /// A line says no passes: the move behind one shows it, and behind the last there is none yet.
    fn lined(moves: &[String]) -> usize {
        moves.iter().rposition(|mv| mv != "pass").map_or(0, |last| last + 1)
    }

    fn tuned(&self, spec: &Spec) -> Self {
        let depth = match spec.strength {
            Strength::Level(level) => [1, 2, 3, 4, 5, 6, 7, 8, 10, 12][usize::from(level.clamp(1, 10)) - 1],
            Strength::Millis(_) => 60,
        };
        Self { depth, ..self.clone() }
    }
}

impl Manners for Connect5 {
    const GAME: Game = Game::Connect5;

    fn unit(language: Language) -> &'static str {
        language.choose("points de l'évaluation", "points of the evaluation")
    }

    fn seat_name(seat: usize, language: Language) -> String {
        if seat == 0 { language.choose("noir", "black") } else { language.choose("blanc", "white") }
            .to_owned()
    }

    fn position(&self, position: &connect5_rules::Position) -> String {
        let geometry = position.geometry();
        format!("{}x{} @{}", geometry.rows(), geometry.columns(), grid(position, '/'))
    }

    fn analysed(&self, position: &connect5_rules::Position) -> String {
        grid(position, '/')
    }

    fn tally(position: &connect5_rules::Position, seat: usize, language: Language) -> String {
        let color = connect5_rules::Color::ALL[seat];
        let stones = position.to_grid().count(color) as u32;
        counted(stones, language, ["pion", "pions"], ["stone", "stones"])
    }

    fn reason(position: &connect5_rules::Position, language: Language) -> &'static str {
        match position.outcome() {
            Some(Outcome::Draw) => language.choose("la grille est pleine", "the grid is full"),
            _ => language.choose("cinq alignés, ni plus ni moins", "exactly five in a row"),
        }
    }

    fn refuse(&self, _: &connect5_rules::Position, _: &[String], _: &str, language: Language) -> String {
        language.choose("la case est prise", "the cell is taken").to_owned()
    }
}

fn grid(position: &connect5_rules::Position, between: char) -> String {
    let (rows, columns) = (position.geometry().rows(), position.geometry().columns());
    let mut text = String::with_capacity(rows * (columns + 1));
    for row in 0..rows {
        if row > 0 {
            text.push(between);
        }
        for column in 0..columns {
            text.push(match position.stone(connect5_rules::Cell::at(row, column, columns)) {
                None => '0',
                Some(connect5_rules::Color::Black) => 'N',
                Some(connect5_rules::Color::White) => 'B',
            });
        }
    }
    text
}

impl Manners for Uttt {
    const GAME: Game = Game::Uttt;

    fn unit(language: Language) -> &'static str {
        language.choose("points de l'évaluation", "points of the evaluation")
    }

    fn seat_name(seat: usize, _: Language) -> String {
        if seat == 0 { "x" } else { "o" }.to_owned()
    }

    fn position(&self, state: &uttt_rules::State) -> String {
        format!("@{state}")
    }

    fn analysed(&self, state: &uttt_rules::State) -> String {
        state.to_string()
    }

    fn tally(state: &uttt_rules::State, seat: usize, language: Language) -> String {
        let side = if seat == 0 { uttt_rules::Side::X } else { uttt_rules::Side::O };
        let boards = state.won(side).count_ones();
        counted(boards, language, ["plateau", "plateaux"], ["board", "boards"])
    }

    fn reason(state: &uttt_rules::State, language: Language) -> &'static str {
        match state.winner() {
            Some(_) => language.choose("trois plateaux alignés", "three boards in a row"),
            None => language.choose("tous les plateaux sont fermés", "every board is closed"),
        }
    }

    fn refuse(&self, state: &uttt_rules::State, _: &[String], click: &str, language: Language) -> String {
        let cell = click.parse().ok().and_then(uttt_rules::Cell::new);
        let Some(cell) = cell else { return language.choose("pas une case", "no cell").to_owned() };
        if state.at(cell).is_some() {
            return language.choose("la case est prise", "the cell is taken").to_owned();
        }
        if state.closed() >> cell.board() & 1 == 1 {
            return language.choose("ce plateau est fermé", "this board is closed").to_owned();
        }
        let board = state.forced().map_or(0, |board| board + 1);
        match language {
            Language::French => format!("il faut jouer dans le plateau {board}"),
            Language::English => format!("you must play in board {board}"),
        }
    }
}

impl Manners for Gounki {
    const GAME: Game = Game::Gounki;

    fn unit(language: Language) -> &'static str {
        language.choose("pions", "men")
    }

    fn seat_name(seat: usize, language: Language) -> String {
        if seat == 0 { language.choose("blanc", "white") } else { language.choose("noir", "black") }
            .to_owned()
    }

    fn position(&self, position: &gounki_rules::Position) -> String {
        format!("@{}", courses::games::gounki::codes(position))
    }

    fn analysed(&self, position: &gounki_rules::Position) -> String {
        courses::games::gounki::codes(position)
    }

    fn tally(position: &gounki_rules::Position, seat: usize, language: Language) -> String {
        let colour = if seat == 0 { gounki_rules::Colour::White } else { gounki_rules::Colour::Black };
        let army = if position.to_move() == colour { position.own() } else { position.enemy() };
        counted(army.men(), language, ["pion", "pions"], ["man", "men"])
    }

    fn reason(position: &gounki_rules::Position, language: Language) -> &'static str {
        match position.escaped() {
            true => language.choose("un pion sort de l'échiquier", "a man leaves the board"),
            false => language.choose("tous les pions adverses sont pris", "everything is captured"),
        }
    }

    fn refuse(
        &self,
        position: &gounki_rules::Position,
        path: &[String],
        click: &str,
        language: Language,
    ) -> String {
        let cell = |name: &str| match name.as_bytes() {
            &[file, rank] => gounki_rules::Cell::from_name(file, rank),
            _ => None,
        };
        let owner = cell(click).and_then(|cell| position.at(cell)).map(|(colour, _)| colour);
        match (path, owner) {
            ([], None) => language.choose("il n'y a pas de pion ici", "nobody stands here").to_owned(),
            ([], Some(colour)) if colour != position.to_move() => {
                language.choose("ce pion est à l'adversaire", "this man is the opponent's").to_owned()
            }
            ([], Some(_)) => language.choose("ce pion ne peut pas bouger", "this man cannot move").to_owned(),
            ([from], _) if click != courses::games::gounki::DEPLOY => {
                let text = format!("{from}-{click}");
                let refusal =
                    text.parse::<gounki_rules::Notation>().ok().and_then(|text| position.find(&text).err());
                match (refusal, language) {
                    (Some(refusal), Language::French) => refusal.to_string(),
                    _ => language.choose("ce coup est impossible", "the stack cannot go there").to_owned(),
                }
            }
            _ => language
                .choose("les hommes se posent un à un, en ligne", "men are laid one by one, in line")
                .to_owned(),
        }
    }
}
