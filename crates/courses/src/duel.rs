//! Two players, in turn, a board: what Connect5, Gounki, Othello and UTTT have in common.

use crate::course::{Asked, Board, Conditions, Course, Event, GameSetup, Line, OpeningSet};
use crate::drawing::Marks;
use crate::fault::{Fault, Kind, Trouble};
use crate::limits::{Agreed, GameClock};
use crate::peer::Ended;
use crate::player::{Builtin, Player};
use crate::record::Played;
use crate::thought::{Thought, Told};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use search_core::{Outcome, Position, Report, Score};
use std::time::{Duration, Instant};

/// A move of the rules.
pub type MoveOf<R> = <<R as Rules>::Position as Position>::Move;

/// A game's rules, as a judge needs them.
pub trait Rules: Sync {
    /// A position.
    type Position: Position;

    /// The assignment's name.
    const NAME: &'static str;

    /// The openings.
    fn set(&self) -> &OpeningSet;

    /// The opening that a line of the set stands for.
    fn opening_of(&self, line: &str) -> String {
        line.to_owned()
    }

    /// Whether games are timed.
    fn is_timed(&self) -> bool;

    /// The settings in words.
    fn setting(&self) -> String {
        format!("openings {}", self.set().name())
    }

    /// The project's own executable, as a player would be written.
    fn own(&self, extra: &str) -> String;

    /// The same through a protocol that takes any position.
    fn own_of_positions(&self, extra: &str) -> String {
        self.own(extra)
    }

    /// The position that an opening leads to.
    ///
    /// # Errors
    /// With what is wrong in the text.
    fn start(&self, opening: &str) -> Result<Self::Position, String>;

    /// Whose turn it is: 0 for the player who began the game.
    fn seat(&self, position: &Self::Position) -> usize;

    /// How a move is written in records.
    fn write(&self, position: &Self::Position, mv: MoveOf<Self>) -> String;

    /// The legal move that a record's text stands for.
    fn read(&self, position: &Self::Position, text: &str) -> Option<MoveOf<Self>> {
        position.move_list().into_iter().find(|&mv| self.write(position, mv) == text)
    }

    /// The board, for a person.
    fn picture(&self, position: &Self::Position) -> String;

    /// The board as SVG.
    fn draw(&self, position: &Self::Position, marks: &Marks) -> String;

    /// What is clicked, in order, to play a legal move: cells, or words for what has none (`pass`).
    fn clicks(&self, position: &Self::Position, mv: MoveOf<Self>) -> Vec<String> {
        vec![self.write(position, mv)]
    }

    /// The cells of a legal move as it is drawn afterwards, in order.
    fn trace(&self, position: &Self::Position, mv: MoveOf<Self>) -> Vec<String> {
        self.clicks(position, mv)
    }

    /// The course's own score of a game that came to `outcome` for the mover, by seat; from the points.
    fn score(&self, _position: &Self::Position, _outcome: Outcome, points: [f64; 2]) -> [f64; 2] {
        points
    }

    /// The score of a game lost by a fault.
    fn forfeit(&self, loser: usize) -> [f64; 2] {
        if loser == 0 { [0.0, 1.0] } else { [1.0, 0.0] }
    }

    /// How the game ended, in words.
    fn end(&self, position: &Self::Position, outcome: Outcome) -> String;

    /// Why a game that has not ended by its rules is stopped as a draw.
    fn cap(&self, _record: &[PlyRecord<Self::Position>]) -> Option<String> {
        None
    }

    /// What a game would come to by best play, for the mover, where that is known before its end: it stops there.
    fn adjudicated(&self, _position: &Self::Position) -> Option<Outcome> {
        None
    }

    /// What an evaluation function sees for the mover: for built-in players.
    fn evaluate(&self, position: &Self::Position) -> Score;

    /// What the project's own search finds at a depth: for built-in players.
    fn search(&self, position: &Self::Position, depth: u16, seed: u64) -> Report<MoveOf<Self>>;

    /// What a point of the game is in scores.
    fn point(&self) -> f64 {
        1.0
    }

    /// Whether a built-in player may choose a move (Gounki's null moves are only for people).
    fn is_sensible(&self, _position: &Self::Position, _mv: MoveOf<Self>) -> bool {
        true
    }

    /// How long a move may take, and what happens after that.
    fn clock(&self, conditions: &Conditions) -> MoveClock {
        MoveClock::of(conditions)
    }

    /// Starts a player that is not built in.
    ///
    /// # Errors
    /// A [`Fault`] when there is nobody to talk to.
    fn driver<'a>(
        &'a self,
        game: &'a GameSetup<'_>,
        player: &'a Player,
        seat: usize,
    ) -> Result<Box<dyn Driver<Self::Position> + 'a>, Trouble>;
}

/// An assignment is its rules for two, and the game that is played by them.
impl<R: Rules> Course for R {
    fn name(&self) -> &'static str {
        R::NAME
    }

    fn opening(&self, number: u64) -> String {
        self.opening_of(self.set().cycle(number))
    }

    fn check_openings(&self) -> Result<(), String> {
        self.set().check(|line| match self.start(&self.opening_of(line))?.outcome() {
            Some(_) => {
                Err("the game is over there; --openings-plies takes the first plies of each".to_owned())
            }
            None => Ok(()),
        })
    }

    fn is_timed(&self) -> bool {
        Rules::is_timed(self)
    }

    fn setting(&self) -> String {
        Rules::setting(self)
    }

    fn own(&self, extra: &str) -> String {
        Rules::own(self, extra)
    }

    fn play(&self, game: &mut GameSetup<'_>) -> Result<Played, Trouble> {
        play(self, game)
    }

    fn replay(&self, opening: &str, played: &Played) -> Result<Vec<String>, String> {
        replay(self, opening, played)
    }

    fn ask(&self, game: &GameSetup<'_>) -> Result<Asked, Trouble> {
        ask(self, game)
    }

    fn check_moves(&self, opening: &str, moves: &[String]) -> Result<(), String> {
        let position = self.start(opening)?;
        let wrong = moves.iter().find(|mv| self.read(&position, mv).is_none());
        wrong.map_or(Ok(()), |mv| Err(format!("\"{mv}\" is not legal in this position")))
    }

    fn own_of_positions(&self, extra: &str) -> String {
        Rules::own_of_positions(self, extra)
    }
}

/// A move and the position it was played in.
pub struct PlyRecord<P: Position> {
    /// The position before it.
    pub before: P,
    /// The move.
    pub mv: P::Move,
}

/// What a player is asked.
pub struct Question<'a, P: Position> {
    /// The position.
    pub position: &'a P,
    /// Everything played so far, the opening left out.
    pub played: &'a [PlyRecord<P>],
    /// The time for this move; `None` where there is no limit. With a game clock: a fair share of what is left.
    pub allowance: Option<Duration>,
    /// What a game clock shows.
    pub remaining: Option<Remaining>,
    /// When the watchdog gives up on an answer, from the moment the question is complete.
    pub time_out: Duration,
}

impl<'a, P: Position> Question<'a, P> {
    /// A position under a clock.
    pub fn new(position: &'a P, played: &'a [PlyRecord<P>], clock: &MoveClock) -> Self {
        let (allowance, time_out) = (clock.allowance(), clock.time_out());
        Self { position, played, allowance, remaining: clock.remaining, time_out }
    }

    /// The watchdog's moment, from now.
    pub fn deadline(&self) -> Instant {
        Instant::now() + self.time_out
    }
}

/// An answer and the time it took.
pub struct Answer<M> {
    /// The move: readable, not judged yet.
    pub mv: M,
    /// From the question's last byte to the answer's.
    pub time: Duration,
    /// What the player told of its search.
    pub told: Option<Told>,
}

/// A player's side of a protocol.
pub trait Driver<P: Position> {
    /// What is said before the first question, until `deadline`; a player that fails here has its [`end`](Self::end),
    /// too.
    ///
    /// # Errors
    /// The player's fault.
    fn greet(&mut self, _deadline: Instant) -> Result<(), Trouble> {
        Ok(())
    }

    /// Asks for a move.
    ///
    /// # Errors
    /// The player's fault.
    fn choose(&mut self, question: &Question<'_, P>) -> Result<Answer<P::Move>, Trouble>;

    /// The game is over: what is known of the player.
    fn end(self: Box<Self>) -> Ended;
}

/// The two whole numbers that a line consists of, as the dialogues of connect5 and othello write a cell.
pub fn two_numbers(line: &str) -> Option<(i64, i64)> {
    let mut numbers = line.split_whitespace().map(str::parse);
    match (numbers.next(), numbers.next(), numbers.next()) {
        (Some(Ok(first)), Some(Ok(second)), None) => Some((first, second)),
        _ => None,
    }
}

/// What a game clock shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Remaining {
    /// The time that is left.
    pub left: Duration,
    /// What is added after the move.
    pub increment: Duration,
    /// For so many moves; `None`: for all.
    pub moves: Option<u32>,
}

/// The moves to come that a share of what is left is made for.
const MOVES_TO_COME: u32 = 25;

impl Remaining {
    /// A fair share, for a player that knows a time a move only.
    fn share(&self) -> Duration {
        let share = self.left / self.moves.unwrap_or(MOVES_TO_COME) + self.increment;
        share.min(self.left)
    }
}

impl Remaining {
    /// A move took so long.
    fn used(&mut self, clock: GameClock, time: Duration, grace: Duration) -> Result<(), Fault> {
        if time > self.left + grace {
            let detail = format!("{} with {} left on the clock", millis(time), millis(self.left));
            return Err(Fault::new(Kind::TimeLoss, detail));
        }
        self.left = self.left.saturating_sub(time) + clock.increment;
        self.moves = self.moves.map(|moves| moves - 1);
        if self.moves == Some(0) {
            (self.left, self.moves) = (self.left + clock.main, clock.moves);
        }
        Ok(())
    }
}

/// The time rules of a course, for one player.
#[derive(Debug, Clone)]
pub struct MoveClock {
    /// A game clock in place of a time a move, and what it shows.
    clock: Option<GameClock>,
    remaining: Option<Remaining>,
    base: Option<Duration>,
    grace: Duration,
    /// Connect5's: an overrun of at most half the time counts, and is taken from the next move's.
    tolerant: bool,
    overrun: Duration,
    watchdog: Duration,
}

/// Nothing to show.
const NO_CLOCK: GameClock = GameClock { moves: None, main: Duration::ZERO, increment: Duration::ZERO };

impl MoveClock {
    /// A limit, if there is one, and a grace.
    pub fn of(conditions: &Conditions) -> Self {
        let GameClock { moves, main, increment } = conditions.clock.unwrap_or(NO_CLOCK);
        let remaining = Remaining { left: main, increment, moves };
        Self {
            clock: conditions.clock,
            remaining: conditions.clock.map(|_| remaining),
            base: conditions.time,
            grace: conditions.grace,
            tolerant: false,
            overrun: Duration::ZERO,
            watchdog: conditions.watchdog,
        }
    }

    /// Connect5's "Tolérer un retard de 50% du temps et pénaliser le coup suivant".
    #[must_use]
    pub fn tolerant(self) -> Self {
        Self { tolerant: true, ..self }
    }

    /// The time of the next move.
    pub fn allowance(&self) -> Option<Duration> {
        let share = self.remaining.map(|remaining| remaining.share());
        share.or_else(|| self.base.map(|base| base.saturating_sub(self.overrun)))
    }

    /// When to give up waiting: late enough to tell a late answer from none.
    pub fn time_out(&self) -> Duration {
        if let Some(remaining) = self.remaining {
            return remaining.left + self.grace + remaining.left.max(Duration::from_secs(1));
        }
        self.base.map_or(self.watchdog, |base| {
            let latest = base + if self.tolerant { base / 2 } else { Duration::ZERO } + self.grace;
            latest + base.max(Duration::from_secs(1))
        })
    }

    /// Notes the time of a move.
    ///
    /// # Errors
    /// [`Kind::TimeLoss`].
    pub fn used(&mut self, time: Duration) -> Result<(), Fault> {
        if let (Some(clock), Some(remaining)) = (self.clock, &mut self.remaining) {
            return remaining.used(clock, time, self.grace);
        }
        let (Some(base), Some(allowance)) = (self.base, self.allowance()) else { return Ok(()) };
        let overrun = time.saturating_sub(self.grace).saturating_sub(allowance);
        let most = if self.tolerant { base / 2 } else { Duration::ZERO };
        if overrun > most {
            let detail = format!("{} for a move of {}", millis(time), millis(allowance));
            return Err(Fault::new(Kind::TimeLoss, detail));
        }
        self.overrun = overrun;
        Ok(())
    }
}

fn millis(time: Duration) -> String {
    format!("{:.1} ms", time.as_secs_f64() * 1000.0)
}

/// A position, shown as its rules do.
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

/// Plays a whole game.
///
/// # Errors
/// [`Trouble::Interrupted`] and [`Trouble::Referee`].
fn play<R: Rules>(rules: &R, game: &mut GameSetup<'_>) -> Result<Played, Trouble> {
    let began = Instant::now();
    let observer = game.observer.take();
    let mut table = Table::set(rules, game, observer)?;
    table.seat_players()?;
    let result = loop {
        match table.result() {
            Some(result) => break result,
            None => table.ply()?,
        }
    };
    let mut played = table.clear(result);
    played.wall = began.elapsed().as_micros() as u64;
    Ok(played)
}

/// The player of a seat, started.
fn seated<'a, R: Rules>(
    rules: &'a R,
    setup: &'a GameSetup<'_>,
    seat: usize,
) -> Result<Seated<'a, R>, Trouble> {
    let player = setup.players[seat];
    match Line::from(player) {
        Line::Builtin(kind) => {
            let seed = setup.seed.wrapping_add(seat as u64);
            let random = Xoshiro256PlusPlus::seed_from_u64(seed);
            Ok(Box::new(BuiltIn { rules, kind, random, seed }))
        }
        _ => rules.driver(setup, player, seat),
    }
}

/// One question: a player's move in the position of the opening.
fn ask<R: Rules>(rules: &R, setup: &GameSetup<'_>) -> Result<Asked, Trouble> {
    let opening = setup.opening;
    let position =
        rules.start(opening).map_err(|error| Trouble::Referee(format!("opening \"{opening}\": {error}")))?;
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
    let Answer { mv, time, told } = answer.map_err(quoted)?;
    clock.used(time)?;
    if !position.is_legal(mv) {
        return Err(Fault::illegal(format!("{mv:?} in this position")).into());
    }
    let is_answer = |word: &str| Some(rules.read(&position, word)? == mv);
    let settled = told.as_ref().and_then(|told| told.settled(time, is_answer));
    Ok(Asked { mv: rules.write(&position, mv), time, thought: told.map(|told| told.thought), settled })
}

/// Who hears of every move.
type Observer<'a> = Option<&'a mut dyn FnMut(&Event<'_>)>;

/// A player at the table, by the game's position.
type Seated<'a, R> = Box<dyn Driver<<R as Rules>::Position> + 'a>;

/// How a game ended.
struct GameResult {
    points: [f64; 2],
    score: [f64; 2],
    end: String,
}

/// A game as it is played.
struct Table<'a, 'b, R: Rules> {
    rules: &'a R,
    setup: &'a GameSetup<'b>,
    observer: Observer<'b>,
    position: R::Position,
    plies: Vec<PlyRecord<R::Position>>,
    clocks: [MoveClock; 2],
    drivers: [Option<Seated<'a, R>>; 2],
    /// The fault that ends the game, with its seat.
    fault: Option<(usize, Fault)>,
    played: Played,
}

impl<'a, 'b, R: Rules> Table<'a, 'b, R> {
    /// The opening on the board, nobody at the table.
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
            played: Played::default(),
        };
        table.tell(None, "");
        Ok(table)
    }

    fn tell(&mut self, seat: Option<usize>, text: &str) {
        if let Some(observer) = &mut self.observer {
            let last = self.plies.last().map(|ply| self.rules.trace(&ply.before, ply.mv)).unwrap_or_default();
            let board = Shown { rules: self.rules, position: &self.position, last: &last };
            observer(&Event { seat, text, board: &board });
        }
    }

    /// Starts the players in the order of their seats, until one of them fails.
    fn seat_players(&mut self) -> Result<(), Trouble> {
        for seat in 0..2 {
            let deadline = Instant::now() + self.setup.conditions.start_up;
            let ready = self.start(seat).and_then(|driver| self.drivers[seat].insert(driver).greet(deadline));
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

    /// The game's result, once it is over: by a fault, by its rules, or by the course's bound on its length.
    fn result(&self) -> Option<GameResult> {
        if let Some((seat, seen)) = &self.fault {
            let points = if *seat == 0 { [0.0, 1.0] } else { [1.0, 0.0] };
            let end = format!("{} of {}", seen.kind, self.setup.players[*seat].name);
            return Some(GameResult { points, score: self.rules.forfeit(*seat), end });
        }
        if let Some(outcome) = self.position.outcome().or_else(|| self.rules.adjudicated(&self.position)) {
            let points = points_of(outcome, self.rules.seat(&self.position));
            let score = self.rules.score(&self.position, outcome, points);
            return Some(GameResult { points, score, end: self.rules.end(&self.position, outcome) });
        }
        self.agreement().or_else(|| self.too_long())
    }

    /// The result that both players' scores agree on.
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

    /// The draw of a game that does not end.
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

    /// Asks whose turn it is for a move, and judges it.
    fn ply(&mut self) -> Result<(), Trouble> {
        let seat = self.rules.seat(&self.position);
        let question = Question::new(&self.position, &self.plies, &self.clocks[seat]);
        let driver = self.drivers[seat].as_mut().expect("both players are there, or the game is over");
        match driver.choose(&question) {
            Ok(answer) => self.judge(seat, answer),
            Err(Trouble::Fault(seen)) => self.fault = Some((seat, seen)),
            Err(trouble) => return Err(trouble),
        }
        Ok(())
    }

    /// Plays an answer that came in time and is legal.
    fn judge(&mut self, seat: usize, answer: Answer<MoveOf<R>>) {
        if let Err(late) = self.clocks[seat].used(answer.time) {
            self.fault = Some((seat, late));
        } else if !self.position.is_legal(answer.mv) {
            self.fault = Some((seat, Fault::illegal(format!("{:?} in this position", answer.mv))));
        } else {
            let text = self.rules.write(&self.position, answer.mv);
            let before = self.position.clone();
            self.position.play(answer.mv);
            self.plies.push(PlyRecord { before, mv: answer.mv });
            self.tell(Some(seat), &text);
            self.played.moves.push(text);
            self.played.movers.push(seat);
            self.played.micros.push(answer.time.as_micros() as u64);
            self.played.thoughts.push(answer.told.map(|told| told.thought));
        }
    }

    /// Everybody leaves; what was played.
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

/// The points by seat of a game that came to `outcome` for the player of seat `mover`.
fn points_of(outcome: Outcome, mover: usize) -> [f64; 2] {
    let points = match outcome {
        Outcome::Loss => 0.0,
        Outcome::Draw => 0.5,
        Outcome::Win => 1.0,
        Outcome::Margin(margin) => 0.5 + 0.5 * f64::from(margin.signum()),
    };
    if mover == 0 { [points, 1.0 - points] } else { [1.0 - points, points] }
}

/// The boards of a recorded game.
///
/// # Errors
/// With the first move that the rules forbid.
fn replay<R: Rules>(rules: &R, opening: &str, played: &Played) -> Result<Vec<String>, String> {
    let mut position = rules.start(opening)?;
    let mut boards = vec![rules.picture(&position)];
    for (nth, text) in played.moves.iter().enumerate() {
        let mv = rules
            .read(&position, text)
            .ok_or_else(|| format!("move {}, \"{text}\", is not legal in this position", nth + 1))?;
        position.play(mv);
        boards.push(rules.picture(&position));
    }
    Ok(boards)
}

/// A random line of `plies` sensible moves that does not end the game, as an opening's moves.
pub fn random_line<R: Rules>(rules: &R, start: &str, plies: usize, seed: u64) -> Option<Vec<String>> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut position = rules.start(start).ok()?;
    let mut line = Vec::new();
    for _ in 0..plies {
        let mv = pick(rules, &position, &mut random)?;
        line.push(rules.write(&position, mv));
        position.play(mv);
    }
    position.outcome().is_none().then_some(line)
}

fn pick<R: Rules>(rules: &R, position: &R::Position, random: &mut Xoshiro256PlusPlus) -> Option<MoveOf<R>> {
    let all = position.move_list();
    let sensible: Vec<_> = all.iter().copied().filter(|&mv| rules.is_sensible(position, mv)).collect();
    let moves = if sensible.is_empty() { all.to_vec() } else { sensible };
    (!moves.is_empty()).then(|| moves[random.random_range(0..moves.len())])
}

/// A player inside the referee.
struct BuiltIn<'a, R> {
    rules: &'a R,
    kind: Builtin,
    random: Xoshiro256PlusPlus,
    seed: u64,
}

impl<R: Rules> BuiltIn<'_, R> {
    /// A report in the rules' own words.
    fn thought(&self, position: &R::Position, report: &Report<MoveOf<R>>) -> Thought {
        let mut position = position.clone();
        let mut words = Vec::new();
        for &mv in &report.principal_variation {
            if !position.is_legal(mv) {
                break;
            }
            words.push(self.rules.write(&position, mv));
            position.play(mv);
        }
        Thought::of(report, self.rules.point(), words.join(" "))
    }

    /// The best move by one look at each position after it; equals are drawn by lot.
    fn greedy(&mut self, position: &R::Position) -> Option<MoveOf<R>> {
        let mut best: Vec<MoveOf<R>> = Vec::new();
        let mut most: Option<Score> = None;
        for mv in position.move_list() {
            if !self.rules.is_sensible(position, mv) {
                continue;
            }
            let mut next = position.clone();
            next.play(mv);
            let score = match next.outcome() {
                Some(outcome) => -Score::of_outcome(outcome, 1),
                None => -self.rules.evaluate(&next),
            };
            if most.is_none_or(|most| score > most) {
                best.clear();
                most = Some(score);
            }
            if most == Some(score) {
                best.push(mv);
            }
        }
        (!best.is_empty()).then(|| best[self.random.random_range(0..best.len())])
    }
}

impl<R: Rules> Driver<R::Position> for BuiltIn<'_, R> {
    fn choose(&mut self, question: &Question<'_, R::Position>) -> Result<Answer<MoveOf<R>>, Trouble> {
        let began = Instant::now();
        let position = question.position;
        let mut report = None;
        let chosen = match self.kind {
            Builtin::First => position.move_list().first().copied(),
            Builtin::Random => None,
            Builtin::Greedy => self.greedy(position),
            Builtin::Search(depth) => report.insert(self.rules.search(position, depth, self.seed)).best,
        };
        let mv = chosen
            .or_else(|| pick(self.rules, position, &mut self.random))
            .ok_or_else(|| Fault::illegal("no move to choose from"))?;
        let time = began.elapsed();
        let told = report.map(|report| self.thought(position, &report).into());
        Ok(Answer { mv, time, told })
    }

    fn end(self: Box<Self>) -> Ended {
        Ended::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    fn clock(base: u64) -> MoveClock {
        MoveClock::of(&Conditions { time: Some(ms(base)), ..Conditions::default() })
    }

    #[test]
    fn a_move_may_be_late_by_the_grace_and_no_more() {
        assert!(clock(1000).used(ms(1050)).is_ok());
        let late = clock(1000).used(ms(1051)).unwrap_err();
        assert_eq!((late.kind, late.detail.as_str()), (Kind::TimeLoss, "1051.0 ms for a move of 1000.0 ms"));
    }

    #[test]
    fn connect5_tolerates_half_the_time_and_takes_it_from_the_next_move() {
        let mut clock = clock(1000).tolerant();
        assert!(clock.used(ms(1350)).is_ok());
        assert_eq!(clock.allowance(), Some(ms(700)));
        // 750 ms are the 700 and the grace: the debt is paid.
        assert!(clock.used(ms(750)).is_ok());
        assert_eq!(clock.allowance(), Some(ms(1000)));
        assert!(clock.used(ms(1550)).is_ok());
        assert_eq!(clock.allowance(), Some(ms(500)));
        assert_eq!(clock.used(ms(1051)).unwrap_err().kind, Kind::TimeLoss);
    }

    #[test]
    fn a_game_clock_runs_through_the_moves_and_is_filled_again() {
        let clock = "2/1+0.1".parse().unwrap();
        let mut clock = MoveClock::of(&Conditions { clock: Some(clock), ..Conditions::default() });
        let shown = |clock: &MoveClock| {
            let Remaining { left, moves, .. } = clock.remaining.unwrap();
            (left, moves)
        };
        assert_eq!(clock.allowance(), Some(ms(600)), "half of it, and the increment");
        assert!(clock.used(ms(900)).is_ok());
        assert_eq!(shown(&clock), (ms(200), Some(1)));
        assert_eq!((clock.allowance(), clock.time_out()), (Some(ms(200)), ms(200 + 50 + 1000)));
        assert!(clock.clone().used(ms(251)).is_err());
        assert!(clock.used(ms(250)).is_ok());
        assert_eq!(shown(&clock), (ms(1100), Some(2)));
        let late = clock.used(ms(1151)).unwrap_err();
        assert_eq!(
            (late.kind, late.detail.as_str()),
            (Kind::TimeLoss, "1151.0 ms with 1100.0 ms left on the clock")
        );
    }

    #[test]
    fn the_watchdog_waits_long_enough_to_see_a_late_answer() {
        assert_eq!(clock(2000).tolerant().time_out(), ms(2000 + 1000 + 50 + 2000));
        assert_eq!(clock(10).time_out(), ms(10 + 50 + 1000));
    }
}
