//! The maze game on the page: one to four players, arrow keys, bonuses with their directions.

use super::drawing::{Trails, draw};
use super::{Opening, OpeningError, Score, Seen, TIME, let_in_alone};
use super::{assignment, own};
use crate::course::GameSetup;
use crate::drawing::{Language, Marks};
use crate::play::engine::{Conversation, Spec};
use crate::play::{BoardView, Clicked, Ending, Play, counted};
use crate::record::Missed;
use crate::registry::Game;
use crate::strength::drawn;
use anyhow::bail;
use moules_client::protocol::analysis::written;
use moules_client::protocol::event::Origin;
use moules_client::rules::{self, Command, Direction, End, Move};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// Interval in moves between stored games. Those in between are replayed.
const STRIDE: usize = 32;

/// A game in a maze.
pub struct Maze {
    opening: String,
    start: Opening,
    kept: Vec<rules::Game>,
    moves: Vec<String>,
    /// The turns that the server played for a player, by index of the move.
    missed: BTreeMap<usize, Missed>,
    last: rules::Game,
}

impl Maze {
    /// Opens a maze game. `opening` is the text of `start` in the notation of records.
    ///
    /// # Errors
    /// If the maze cannot be generated.
    pub fn new(start: Opening, opening: &str, seats: usize) -> Result<Self, OpeningError> {
        let game = start.game(seats)?;
        Ok(Self {
            opening: opening.to_owned(),
            start,
            kept: vec![game.clone()],
            moves: Vec::new(),
            missed: BTreeMap::new(),
            last: game,
        })
    }

    /// Returns the game after `at` moves.
    fn at(&self, at: usize) -> rules::Game {
        if at == self.moves.len() {
            return self.last.clone();
        }
        let mut game = self.kept[at / STRIDE].clone();
        for text in &self.moves[at / STRIDE * STRIDE..at] {
            game.play(Command::read(text.as_bytes()));
        }
        game
    }

    /// Returns the view of the last turns before `at`, as far back as trails reach.
    fn seen(&self, at: usize) -> Seen {
        let from = at.saturating_sub(16 * self.seats());
        let mut game = self.at(from);
        let mut seen = Seen::begin(&game.state);
        for (nth, text) in (from..at).zip(&self.moves[from..at]) {
            let mover = game.to_move();
            game.play(Command::read(text.as_bytes()));
            let origin = self.missed.get(&nth).map_or(Origin::Player, |&missed| missed.into());
            seen.turn(mover, text, origin, &game.state);
        }
        seen
    }

    /// Returns the number of turns before `at` that the server played for a player.
    fn late(&self, at: usize, seat: usize) -> usize {
        self.missed.range(..at).filter(|&(&nth, _)| self.by(nth) == seat).count()
    }
}

/// Returns commands in a language. West is O in the course's protocol and in French.
#[must_use]
pub fn worded(moves: &str, language: Language) -> String {
    if language == Language::French {
        return moves.to_owned();
    }
    let words = moves.split_inclusive([' ', '-', '–']);
    let west = |word: &str| match word.strip_prefix('O') {
        Some(rest) if !rest.starts_with(char::is_alphanumeric) => format!("W{rest}"),
        _ => word.to_owned(),
    };
    words.map(west).collect()
}

fn directions() -> Vec<String> {
    Direction::ALL.iter().map(|direction| direction.letter().to_string()).collect()
}

impl Play for Maze {
    fn game(&self) -> Game {
        Game::of(&assignment::Maze)
    }

    fn opening(&self) -> &str {
        &self.opening
    }

    fn seats(&self) -> usize {
        self.last.player_count()
    }

    fn seat_name(&self, seat: usize, language: Language) -> String {
        format!("{} {seat}", language.choose("joueur", "player"))
    }

    fn moves(&self) -> &[String] {
        &self.moves
    }

    fn memory(&self) -> usize {
        let a_game = size_of::<rules::Game>() + size_of_val(self.last.state.tiles.as_slice());
        (self.kept.len() + 1) * a_game + self.missed.len() * size_of::<(usize, Missed)>()
    }

    fn mover(&self, at: usize) -> Option<usize> {
        let game = self.at(at);
        game.end().is_none().then(|| game.to_move())
    }

    fn by(&self, nth: usize) -> usize {
        (self.kept[0].to_move() + nth) % self.seats()
    }

    fn ending(&self, at: usize) -> Option<Ending> {
        let game = self.at(at);
        let text = match game.end()? {
            End::AllTaken => "every mussel is taken".to_owned(),
            End::TurnLimit => format!("{} turns each", game.turns() / self.seats() as u64),
            End::AllPassed => "everybody passed".to_owned(),
        };
        let points = game.marks().iter().map(|marks| marks / 6.0).collect();
        let score = game.purses.iter().map(|purse| f64::from(purse.points)).collect();
        Some(Ending { text, points, score })
    }

    fn reason(&self, at: usize, language: Language) -> &'static str {
        match self.at(at).end() {
            Some(End::AllTaken) => language.choose("toutes les moules sont prises", "every mussel is taken"),
            Some(End::TurnLimit) => language.choose("tous les tours sont joués", "every turn is played"),
            Some(End::AllPassed) => language.choose("tout le monde a passé", "everybody passed"),
            None => "",
        }
    }

    fn play(&mut self, text: &str) -> anyhow::Result<()> {
        if self.last.end().is_some() {
            bail!("the game is over");
        }
        if text.len() > 64 || text.contains(char::is_control) {
            bail!("no command");
        }
        self.last.play(Command::read(text.as_bytes()));
        self.moves.push(text.to_owned());
        if self.moves.len().is_multiple_of(STRIDE) {
            self.kept.push(self.last.clone());
        }
        Ok(())
    }

    fn miss(&mut self, turns: &[(usize, Missed)]) {
        self.missed.extend(turns.iter().copied().filter(|(nth, _)| *nth < self.moves.len()));
    }

    fn late_move(&self) -> Option<&'static str> {
        Some("C")
    }

    fn missed(&self) -> Vec<(usize, Missed)> {
        self.missed.iter().map(|(&nth, &missed)| (nth, missed)).collect()
    }

    fn cut(&mut self, at: usize) {
        self.last = self.at(at);
        self.missed.retain(|&nth, _| nth < at);
        self.moves.truncate(at);
        self.kept.truncate(at / STRIDE + 1);
    }

    fn press(&self, at: usize, path: &[String], click: &str, language: Language) -> Clicked {
        let game = self.at(at);
        if game.end().is_some() {
            return Clicked::Refused(language.choose("la partie est finie", "the game is over").to_owned());
        }
        if path.first().is_some_and(|first| first == click) && click != "C" && path.len() == 1 {
            return Clicked::Chosen(Vec::new());
        }
        let mut longer = path.to_vec();
        longer.push(click.to_owned());
        let text = longer.join("-");
        let purse = game.purses[game.to_move()];
        match text.parse::<Move>() {
            Ok(mv) if game.allows(mv) => return Clicked::Move(text),
            Ok(Move::Step(_)) => {
                return Clicked::Refused(
                    language.choose("une dune barre le chemin", "a dune is in the way").to_owned(),
                );
            }
            Ok(Move::Jump(_)) => {
                let why = language.choose("la frite n'y saute pas", "the fries do not jump there");
                return Clicked::Refused(why.to_owned());
            }
            _ => {}
        }
        let missing = match longer[0].as_str() {
            "F" if purse.frites == 0 => {
                Some(language.choose("pas de frite en poche", "no fries in the purse"))
            }
            "B" if purse.beers == 0 => Some(language.choose("pas de bière en poche", "no beer in the purse")),
            "F" | "B" => None,
            _ => Some(language.choose("touche inconnue ici", "no command here")),
        };
        if let Some(why) = missing {
            return Clicked::Refused(why.to_owned());
        }
        if self.next(at, path).iter().any(|word| word == click) {
            return Clicked::Chosen(longer);
        }
        Clicked::Refused(language.choose("choisissez une direction", "choose a direction").to_owned())
    }

    fn next(&self, at: usize, path: &[String]) -> Vec<String> {
        let game = self.at(at);
        if game.end().is_some() {
            return Vec::new();
        }
        let legal = |mv: Move| game.allows(mv);
        let purse = game.purses[game.to_move()];
        match path.first().map(String::as_str) {
            None => {
                let steps = Direction::ALL.into_iter().filter(|&way| legal(Move::Step(way)));
                let mut next: Vec<String> = steps.map(|way| way.letter().to_string()).collect();
                next.push("C".to_owned());
                next.extend((purse.frites > 0).then(|| "F".to_owned()));
                next.extend((purse.beers > 0).then(|| "B".to_owned()));
                next
            }
            Some("F") => Direction::ALL
                .into_iter()
                .filter(|&way| legal(Move::Jump(way)))
                .map(|way| way.letter().to_string())
                .collect(),
            Some("B") if path.len() <= 3 => directions().into_iter().chain(["C".to_owned()]).collect(),
            Some(_) => Vec::new(),
        }
    }

    fn draw(&self, look: &BoardView) -> String {
        let game = self.at(look.at);
        // Cells of a maze are named by the steps to them, which only the mover has.
        let mut marks = Marks { explored: false, ..look.marks() };
        if look.interactive {
            marks.targets = self.next(look.at, &look.path);
        }
        if let Some(best) = &look.best {
            marks.best = best.split('-').rev().take(1).map(str::to_owned).collect();
        }
        let mover = game.end().is_none().then(|| game.to_move());
        marks.values.clone_from(&look.values);
        let plan = look.line.iter().chain(look.best.iter().filter(|_| look.line.is_empty()));
        let plan = plan.map_while(|turn| turn.parse().ok()).collect();
        draw(&game.state, &Trails { places: self.seen(look.at).trails, mover, plan }, &marks)
    }

    fn position(&self, at: usize) -> String {
        let mut start = self.start.clone();
        start.played.extend_from_slice(&self.moves[..at]);
        start.to_string()
    }

    fn analysed(&self, at: usize) -> Option<String> {
        let game = self.at(at);
        game.end().is_none().then(|| written(&game))
    }

    /// Only steps have a cell for their value on the board. Bonuses have none.
    fn cell_of(&self, _: usize, text: &str) -> Option<String> {
        matches!(text.parse(), Ok(Move::Step(_))).then(|| text.to_owned())
    }

    fn is_line_of_all(&self) -> bool {
        self.seats() == 1
    }

    fn worded(&self, moves: &str, language: Language) -> String {
        worded(moves, language)
    }

    /// Every button has its place: one that moved would be missed by a thumb.
    fn buttons(&self, next: &[String], language: Language) -> Vec<(String, String)> {
        let labels = [
            ("N", "↑ N"),
            ("S", "↓ S"),
            ("E", "→ E"),
            ("O", language.choose("← O", "← W")),
            ("C", language.choose("attendre C", "stay C")),
            ("F", language.choose("frite F", "fries F")),
            ("B", language.choose("bière B", "beer B")),
        ];
        let shown = labels.iter().filter(|_| !next.is_empty());
        shown.map(|&(word, label)| (word.to_owned(), label.to_owned())).collect()
    }

    fn keys(&self) -> &'static str {
        "N S E O F B C"
    }

    fn spells_path(&self) -> bool {
        true
    }

    fn unit(&self, language: Language) -> &'static str {
        match self.seats() {
            1 => language.choose("tours", "turns"),
            _ => language.choose("points du barème", "marks"),
        }
    }

    fn values(&self, language: Language) -> Option<&'static str> {
        Some(match self.seats() {
            1 => language.choose("valeur : les tours qu'il faut encore", "value: the turns still needed"),
            _ => language.choose(
                "valeur : le barème attendu, 6 au premier",
                "value: the marks to expect, 6 for the first",
            ),
        })
    }

    fn turn(&self, at: usize) -> Option<(u64, Option<u64>)> {
        Some((self.at(at).turns() / self.seats() as u64 + 1, self.start.turns))
    }

    fn tally(&self, at: usize, language: Language) -> Vec<String> {
        let say = |french: &'static str, english: &'static str| language.choose(french, english);
        let names = vec![String::new(); self.seats()];
        let scores = self.seen(at).table(&self.at(at), &names);
        let one = |(seat, score): (usize, &Score)| {
            let frites = counted(score.frites, language, ["frite", "frites"], ["fries", "fries"]);
            let beers = counted(score.beers, language, ["bière", "bières"], ["beer", "beers"]);
            let mut text = format!("{} pts · {frites} · {beers}", score.points);
            if !score.last.is_empty() {
                text += &format!(" · {} {}", say("dernier coup", "last turn"), last_turn(score, language));
            }
            let late = self.late(at, seat);
            if late > 0 {
                let (french, english) = (["tour manqué", "tours manqués"], ["turn missed", "turns missed"]);
                text += &format!(" · {}", counted(late as u32, language, french, english));
            }
            if self.seats() > 1 {
                // While the game goes on these are the marks of an end at this moment.
                let now =
                    if self.mover(at).is_some() { say(" si c'était fini", " if it ended now") } else { "" };
                let marks = language.number(&score.marks.to_string());
                text += &match language {
                    Language::French => format!(" · barème {marks} sur 6{now}"),
                    Language::English => format!(" · {marks} of 6 marks{now}"),
                };
            }
            text
        };
        scores.players.iter().enumerate().map(one).collect()
    }

    fn engine(&self, spec: &Spec, seat: usize) -> Conversation {
        let seats = self.seats();
        client(self.last.clone(), seats, self.moves.len(), spec.clone(), seat)
    }
}

/// Describes a player's last turn, and why the server played it, if it did.
#[must_use]
pub fn last_turn(score: &Score, language: Language) -> String {
    let why = match (score.is_gone, score.is_late) {
        (true, _) => Missed::Gone,
        (_, true) => Missed::Late,
        _ => return worded(&score.last, language),
    };
    format!("{} ({})", worded(&score.last, language), why.say(language))
}

/// Creates a client that joins at the start or in the middle of a game.
fn client(game: rules::Game, seats: usize, began: usize, spec: Spec, seat: usize) -> Conversation {
    Conversation::new(began, move |supervisor, asks, told| {
        let (mut player, conditions) = spec.invited(Game::of(&assignment::Maze), "")?;
        // The name passes through a command line and the maze's protocol.
        player.name = spec.name.replace(|c: char| !c.is_ascii_alphanumeric() && !"-_.".contains(c), "_");
        let setup = GameSetup {
            players: vec![&player; seats],
            opening: "",
            seed: spec.seed,
            conditions: &conditions,
            supervisor,
            processor: None,
            observer: None,
        };
        let mut client = Some(let_in_alone(&setup, seat)?);
        let level = spec.level(Game::of(&assignment::Maze));
        let mut game = game;
        let mut known = 0;
        for moves in asks {
            for text in &moves[known..] {
                game.play(Command::read(text.as_bytes()));
            }
            known = moves.len();
            if let Some(number) = drawn(level, spec.seed, &moves) {
                // The client would take this move for a late answer of its own, so another one begins after it.
                if let Some(client) = client.take() {
                    client.close(b"FIN\n");
                }
                told(Ok((own::random_step(&game, number), Duration::ZERO)));
                continue;
            }
            let mut asked = client.take().map_or_else(|| let_in_alone(&setup, seat), Ok)?;
            let began = Instant::now();
            let patience = conditions.time.unwrap_or(TIME) + conditions.grace;
            asked.send(format!("{}\n", game.state).as_bytes(), began + patience)?;
            let line = asked.line(began + patience)?;
            client = Some(asked);
            told(Ok((crate::fault::excerpt(&line), began.elapsed())));
        }
        if let Some(client) = client {
            client.close(b"FIN\n");
        }
        Ok(())
    })
}

/// Maximum side of a maze on the page.
const SIDE: usize = 61;

/// Opens a maze that fits the page.
pub fn open(opening: &str, seats: usize) -> anyhow::Result<Maze> {
    let mut start = Opening::default();
    start.read(opening)?;
    if start.settings.width.max(start.settings.height) > SIDE {
        bail!("a maze has at most {SIDE}x{SIDE} cells here");
    }
    Ok(Maze::new(start, opening, seats)?)
}
