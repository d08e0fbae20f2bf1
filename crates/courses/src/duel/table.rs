//! Plays a game for two: starts the players, asks them in turn, and judges their moves.

use super::builtin::BuiltIn;
use super::{Answer, Driver, IllegalMove, MoveClock, MoveOf, Players, PlyRecord, Question, Rules};
use crate::course::{Asked, Board, Event, GameSetup, Line};
use crate::drawing::Marks;
use crate::fault::{Fault, Trouble};
use crate::limits::Agreed;
use crate::record::Played;
use crate::thought::SearchInfo;
use search_core::{Outcome, Position};
use std::time::Instant;

/// A position to be shown by its rules.
struct Shown<'a, R: Rules> {
    rules: &'a R,
    position: &'a R::Position,
    /// The cells of the last move.
    last: &'a [String],
}

impl<R: Rules> Board for Shown<'_, R> {
    fn picture(&self) -> String {
        self.rules.picture(self.position)
    }

    fn drawing(&self) -> String {
        self.rules.draw(self.position, &Marks { last: self.last.to_vec(), ..Marks::default() })
    }
}

/// Plays a game.
///
/// # Errors
/// [`Trouble::Interrupted`] and [`Trouble::Referee`].
pub fn play<R: Players>(rules: &R, game: &mut GameSetup<'_>) -> Result<Played, Trouble> {
    let began = Instant::now();
    let observer = game.observer.take();
    let mut table = Table::set(rules, game, observer)?;
    table.seat_players()?;
    let result = loop {
        match table.result() {
            Some(result) => break result,
            None if table.setup.supervisor.is_stopped() => return Err(Trouble::Interrupted),
            None => table.ply()?,
        }
    };
    let mut played = table.clear(result);
    played.wall = began.elapsed().as_micros() as u64;
    Ok(played)
}

/// Starts the player of a seat.
fn seated<'a, R: Players>(
    rules: &'a R,
    setup: &'a GameSetup<'_>,
    seat: usize,
) -> Result<Seated<'a, R>, Trouble> {
    let player = setup.players[seat];
    match Line::from(player) {
        Line::Builtin(kind) => {
            Ok(Box::new(BuiltIn::new(rules, kind, setup.seed.wrapping_add(seat as u64), setup.supervisor)))
        }
        _ => rules.driver(setup, player, seat),
    }
}

/// Asks one player for a move in the position of the opening.
pub fn ask<R: Players>(rules: &R, setup: &GameSetup<'_>) -> Result<Asked, Trouble> {
    let opening = setup.opening;
    let position = rules
        .start(opening)
        .map_err(|error| Trouble::referee(format_args!("opening \"{opening}\": {error}")))?;
    let seat = rules.seat(&position);
    let mut clock = rules.clock(&setup.conditions_of(seat));
    let mut driver = seated(rules, setup, seat)?;
    let deadline = Instant::now() + setup.conditions.start_up;
    let answer = driver
        .greet(deadline)
        .map_err(Trouble::at_start)
        .and_then(|()| driver.choose(&Question::new(&position, &[], &clock)));
    let ended = driver.end();
    let quoted = |trouble| match trouble {
        Trouble::Fault(fault) => Trouble::Fault(fault.quoting(&ended.errors)),
        trouble => trouble,
    };
    let Answer { mv, time, told } = answer.map_err(|trouble| match trouble {
        Trouble::Resigned => Fault::protocol("it resigned where a move was asked for").into(),
        trouble => quoted(trouble),
    })?;
    clock.used(time)?;
    if !position.is_legal(mv) {
        return Err(Fault::illegal(format!("{mv:?} in this position")).into());
    }
    let is_answer = |word: &str| Some(rules.read(&position, word)? == mv);
    let settled = told.as_ref().and_then(|told| told.settled(time, is_answer));
    Ok(Asked { mv: rules.write(&position, mv), time, thought: told.map(|told| told.thought), settled })
}

/// The observer of every move.
type Observer<'a> = Option<&'a mut dyn FnMut(&Event<'_>)>;

/// A player at a seat, with its process if it has one.
type Seated<'a, R> = Box<dyn Driver<<R as Rules>::Position> + 'a>;

/// The end of a game.
struct GameResult {
    points: [f64; 2],
    score: [f64; 2],
    end: String,
}

/// A game in progress.
struct Table<'a, 'b, R: Players> {
    rules: &'a R,
    setup: &'a GameSetup<'b>,
    observer: Observer<'b>,
    position: R::Position,
    plies: Vec<PlyRecord<R::Position>>,
    clocks: [MoveClock; 2],
    drivers: [Option<Seated<'a, R>>; 2],
    /// The fault that ends the game, with its seat.
    fault: Option<(usize, Fault)>,
    /// The seat of a player that resigned.
    resigned: Option<usize>,
    played: Played,
}

impl<'a, 'b, R: Players> Table<'a, 'b, R> {
    /// Sets up the opening, before the players are started.
    fn set(rules: &'a R, setup: &'a GameSetup<'b>, observer: Observer<'b>) -> Result<Self, Trouble> {
        let position = rules
            .start(setup.opening)
            .map_err(|error| Trouble::Referee(format!("opening \"{}\": {error}", setup.opening)))?;
        let clocks = [0, 1].map(|seat| rules.clock(&setup.conditions_of(seat)));
        let mut table = Self {
            rules,
            setup,
            observer,
            position,
            plies: Vec::new(),
            clocks,
            drivers: [None, None],
            fault: None,
            resigned: None,
            played: Played::default(),
        };
        table.tell(None, "", &[]);
        Ok(table)
    }

    /// Shows a move to the observer; `last` has its cells.
    fn tell(&mut self, seat: Option<usize>, text: &str, last: &[String]) {
        if let Some(observer) = &mut self.observer {
            let board = Shown { rules: self.rules, position: &self.position, last };
            observer(&Event { seat, text, board: &board });
        }
    }

    /// Starts the players in the order of their seats, until one fails.
    fn seat_players(&mut self) -> Result<(), Trouble> {
        for seat in 0..2 {
            let ready = self.start(seat).and_then(|driver| {
                let deadline = Instant::now() + self.setup.conditions.start_up;
                self.drivers[seat].insert(driver).greet(deadline)
            });
            match ready.map_err(Trouble::at_start) {
                Ok(()) => {}
                Err(Trouble::Fault(seen)) => {
                    self.fault = Some((seat, seen));
                    return Ok(());
                }
                Err(trouble) => return Err(trouble),
            }
        }
        Ok(())
    }

    fn start(&self, seat: usize) -> Result<Seated<'a, R>, Trouble> {
        seated(self.rules, self.setup, seat)
    }

    /// Returns the game's result once it is over: by a fault, by its rules, or by a limit on its length.
    fn result(&self) -> Option<GameResult> {
        let lost = |seat: usize, end: String| {
            let points = if seat == 0 { [0.0, 1.0] } else { [1.0, 0.0] };
            Some(GameResult { points, score: self.rules.forfeit(seat), end })
        };
        if let Some((seat, seen)) = &self.fault {
            return lost(*seat, format!("{} of {}", seen.kind, self.setup.players[*seat].name));
        }
        if let Some(seat) = self.resigned {
            return lost(seat, format!("{} resigned", self.setup.players[seat].name));
        }
        let adjudicated = || self.rules.adjudicated(&self.position, self.setup.supervisor.stop_flag());
        if let Some(outcome) = self.position.outcome().or_else(adjudicated) {
            let points = points_of(outcome, self.rules.seat(&self.position));
            let score = self.rules.score(&self.position, outcome, points);
            return Some(GameResult { points, score, end: self.rules.end(&self.position, outcome) });
        }
        self.agreement().or_else(|| self.too_long())
    }

    /// Returns the result by adjudication, if both players' scores agree.
    fn agreement(&self) -> Option<GameResult> {
        let Played { movers, thoughts, .. } = &self.played;
        let value = |nth: usize| thoughts[nth].as_ref()?.value();
        match self.setup.conditions.adjudication.agreed(movers, value)? {
            Agreed::Draw => Some(self.drawn("both say that it is level".to_owned())),
            Agreed::Win(seat) => {
                let points = if seat == 0 { [1.0, 0.0] } else { [0.0, 1.0] };
                let won = self.rules.seat(&self.position) == seat;
                let outcome = if won { Outcome::Win } else { Outcome::Loss };
                let score = self.rules.score(&self.position, outcome, points);
                let end = format!("both say that {} wins", self.setup.players[seat].name);
                Some(GameResult { points, score, end })
            }
        }
    }

    /// Returns a draw if the game is too long.
    fn too_long(&self) -> Option<GameResult> {
        if let Some(most) = self.setup.conditions.adjudication.max_moves
            && self.plies.len() >= 2 * most as usize
        {
            return Some(self.drawn(format!("no result in {most} moves")));
        }
        Some(self.drawn(self.rules.cap(&self.plies)?))
    }

    fn drawn(&self, end: String) -> GameResult {
        let points = [0.5, 0.5];
        GameResult { points, score: self.rules.score(&self.position, Outcome::Draw, points), end }
    }

    /// Asks the player to move, and judges the answer.
    fn ply(&mut self) -> Result<(), Trouble> {
        let seat = self.rules.seat(&self.position);
        let question = Question::new(&self.position, &self.plies, &self.clocks[seat]);
        let driver = self.drivers[seat].as_mut().expect("both players are there, or the game is over");
        match driver.choose(&question) {
            Ok(answer) => self.judge(seat, answer),
            Err(Trouble::Fault(seen)) => self.fault = Some((seat, seen)),
            Err(Trouble::Resigned) => self.resigned = Some(seat),
            Err(trouble) => return Err(trouble),
        }
        Ok(())
    }

    /// Plays an answer if it is in time and legal.
    fn judge(&mut self, seat: usize, answer: Answer<MoveOf<R>>) {
        if let Err(late) = self.clocks[seat].used(answer.time) {
            self.fault = Some((seat, late));
        } else if !self.position.is_legal(answer.mv) {
            self.fault = Some((seat, Fault::illegal(format!("{:?} in this position", answer.mv))));
        } else {
            let text = self.rules.write(&self.position, answer.mv);
            let last = self.observer.is_some().then(|| self.rules.trace(&self.position, answer.mv));
            self.plies.push(PlyRecord::new(self.rules, &self.position, answer.mv));
            self.position.play(answer.mv);
            self.tell(Some(seat), &text, &last.unwrap_or_default());
            self.played.moves.push(text);
            self.played.movers.push(seat);
            self.played.micros.push(answer.time.as_micros() as u64);
            let view = self.setup.players[seat].limits.view;
            let is_turned = view.is_some_and(|view| view.seat(self.rules.white()) != seat);
            self.played.thoughts.push(answer.told.map(|SearchInfo { mut thought, .. }| {
                if is_turned {
                    thought.turn();
                }
                thought
            }));
        }
    }

    /// Ends the dialogues. Returns the record of the game.
    fn clear(self, result: GameResult) -> Played {
        let mut played = self.played;
        let seated = self.drivers.into_iter().enumerate();
        played.close(2, seated.filter_map(|(seat, driver)| Some((seat, driver?.end()))));
        played.faults.extend(self.fault);
        played.quote();
        played.score = result.score.to_vec();
        played.points = result.points.to_vec();
        played.end = result.end;
        played
    }
}

/// Returns the points by seat of a game that ended with `outcome` for seat `mover`.
pub(crate) fn points_of(outcome: Outcome, mover: usize) -> [f64; 2] {
    let points = 0.5 + 0.5 * f64::from(outcome.sign());
    if mover == 0 { [points, 1.0 - points] } else { [1.0 - points, points] }
}

/// Replays a recorded game, and calls `each` at each of its boards.
///
/// # Errors
/// The first illegal move.
pub fn show<R: Rules>(
    rules: &R,
    opening: &str,
    played: &Played,
    each: &mut dyn FnMut(&dyn Fn() -> String),
) -> anyhow::Result<()> {
    let mut position = rules.start(opening)?;
    each(&|| rules.picture(&position));
    for (nth, text) in played.moves.iter().enumerate() {
        let mv = legal(rules, &position, nth, text)?;
        position.play(mv);
        each(&|| rules.picture(&position));
    }
    Ok(())
}

/// Draws the last board of a recorded game.
///
/// # Errors
/// The first illegal move.
pub fn last_drawing<R: Rules>(rules: &R, opening: &str, played: &Played) -> anyhow::Result<String> {
    let (mut position, mut last) = (rules.start(opening)?, Vec::new());
    for (nth, text) in played.moves.iter().enumerate() {
        let mv = legal(rules, &position, nth, text)?;
        last = rules.trace(&position, mv);
        position.play(mv);
    }
    Ok(rules.draw(&position, &Marks { last, ..Marks::default() }))
}

/// Parses move `nth` of a record.
fn legal<R: Rules>(
    rules: &R,
    position: &R::Position,
    nth: usize,
    text: &str,
) -> Result<MoveOf<R>, IllegalMove> {
    let mv = rules.read(position, text);
    mv.ok_or_else(|| IllegalMove::Recorded { number: nth + 1, text: text.to_owned() })
}
