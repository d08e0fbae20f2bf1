//! The maze, over TCP: the referee is the server. Two to four clients, or one alone.

mod opening;
mod seen;

pub use opening::Opening;
pub use seen::{Score, Scores, Seen};

use crate::course::{Board, Course, GameSetup, OpeningSet};
use crate::drawing::moules::Trails;
use crate::drawing::{self, Marks};
use crate::fault::{Fault, Kind, Trouble, excerpt};
use crate::peer::{Command as CommandLine, Ended, Peer};
use crate::player::{Builtin, Player, Reach};
use crate::record::Played;
use crate::seed::mix;
use crate::thought::Thought;
use moules_client::protocol::journal::Origin;
use moules_client::protocol::server::NO_NAME;
use moules_client::rules::{Cell, Command, Direction, End, Game, Move, Settings, State, Tile};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::fmt::Write as _;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::ops::RangeInclusive;
use std::time::{Duration, Instant};

/// The maze with its settings.
#[derive(Debug, Clone)]
pub struct Moules {
    /// What mazes are drawn from; the seeds and the number of players are each game's own.
    pub settings: Settings,
    /// Turns of each player.
    pub turns: u64,
    /// Players a game.
    pub seats: usize,
    /// Pairs of seeds.
    pub set: OpeningSet,
    /// Time a turn, when it is not the course's.
    pub time: Option<Duration>,
}

/// The course's time a move.
pub const TIME: Duration = Duration::from_millis(2000);

impl Moules {
    /// The start that an opening says; what it leaves unsaid is the course's.
    fn start(&self, opening: &str) -> Result<Opening, String> {
        let mut start = Opening { settings: self.settings, turns: Some(self.turns), played: Vec::new() };
        start.read(opening).map(|()| start)
    }

    fn game(&self, opening: &str, players: usize) -> Result<Game, String> {
        self.start(opening)?.game(players)
    }
}

impl Course for Moules {
    fn name(&self) -> &'static str {
        "moules"
    }

    fn seats(&self) -> RangeInclusive<usize> {
        1..=4
    }

    fn opening(&self, number: u64) -> String {
        match self.set.get(number) {
            Some(line) => line.to_owned(),
            // Behind the set's end the mazes go on, drawn from the run's seed.
            None => {
                let seed = self.set.seed();
                format!(
                    "maze {} items {}",
                    mix(seed, 2 * number) % 1_000_000,
                    mix(seed, 2 * number + 1) % 1_000_000
                )
            }
        }
    }

    fn check_openings(&self) -> Result<(), String> {
        self.set.check(|line| self.start(line))?;
        self.game(&self.opening(0), self.seats).map(drop)
    }

    fn is_timed(&self) -> bool {
        true
    }

    fn setting(&self) -> String {
        let start = Opening { settings: self.settings, turns: Some(self.turns), played: Vec::new() };
        format!("{}; openings {}", start.setting(), self.set.name())
    }

    fn own(&self, extra: &str) -> String {
        // Three quarters of the turn, as its 1.5 s are of the course's 2 s.
        let time = match self.time {
            Some(time) if !extra.contains("--time") => format!(" --time {}", time.mul_f64(0.75).as_millis()),
            _ => String::new(),
        };
        format!("moules-client {{host}} {{port}} {{name}}{time} {extra}").trim_end().to_owned()
    }

    fn play(&self, setup: &mut GameSetup<'_>) -> Result<Played, Trouble> {
        let began = Instant::now();
        let count = setup.players.len();
        let opening = setup.opening;
        let mut game = self
            .game(opening, count)
            .map_err(|error| Trouble::Referee(format!("opening \"{opening}\": {error}")))?;
        let mut table = Table::seat(setup, game.state.width * game.state.height)?;
        let mut played = Played::default();
        let mut seen = Seen::begin(&game.state);
        setup.tell(None, "", &Shown { game: &game, names: &table.names, seen: &seen });
        let time = |seat| setup.conditions_of(seat).time.unwrap_or(TIME) + setup.conditions.grace;
        let times: Vec<Duration> = (0..count).map(time).collect();
        let end = loop {
            if let Some(end) = game.end() {
                break end;
            }
            let seat = game.to_move();
            let Answer { text, spent, origin } = table.ask(seat, &game, times[seat])?;
            let before = game.purses[seat];
            game.play(Command::read(text.as_bytes()));
            let gained = game.purses[seat].points - before.points;
            let shown = if gained > 0 { format!("{text} (+{gained})") } else { text.clone() };
            seen.turn(seat, &excerpt(&text), origin, &game.state);
            setup.tell(Some(seat), &shown, &Shown { game: &game, names: &table.names, seen: &seen });
            played.moves.push(excerpt(&text));
            played.movers.push(seat);
            played.micros.push(spent.as_micros() as u64);
            played.thoughts.push(table.thought(seat));
        };
        played.end = match end {
            End::AllTaken => "every mussel is taken".to_owned(),
            End::TurnLimit => format!("{} turns each", game.turns() / count as u64),
            End::AllPassed => "everybody passed".to_owned(),
        };
        played.points = game.marks().iter().map(|marks| marks / 6.0).collect();
        played.score = game.purses.iter().map(|purse| f64::from(purse.points)).collect();
        played.faults = table.faults;
        let mut ends = table.left;
        for (seat, chair) in table.chairs.into_iter().enumerate() {
            if let Chair::Client(peer) = chair {
                ends.push((seat, peer.close(b"FIN\n")));
            }
        }
        played.close(count, ends);
        played.quote();
        played.wall = began.elapsed().as_micros() as u64;
        Ok(played)
    }

    fn replay(&self, opening: &str, played: &Played) -> Result<Vec<String>, String> {
        let mut game = self.game(opening, played.points.len().max(1))?;
        let mut boards = vec![picture(&game)];
        for text in &played.moves {
            if game.end().is_some() {
                return Err("moves behind the end of the game".into());
            }
            game.play(Command::read(text.as_bytes()));
            boards.push(picture(&game));
        }
        Ok(boards)
    }
}

/// A turn as it was answered, or as it was played for who did not.
struct Answer {
    text: String,
    spent: Duration,
    origin: Origin,
}

/// Who sits where.
struct Table<'a> {
    chairs: Vec<Chair<'a>>,
    /// What is known of those who left.
    left: Vec<(usize, Ended)>,
    faults: Vec<(usize, Fault)>,
    names: Vec<String>,
}

enum Chair<'a> {
    BuiltIn(Builtin, Box<Xoshiro256PlusPlus>),
    Client(Box<Peer<'a>>),
    /// Gone: passes each turn.
    Empty,
}

/// The chair of a client.
fn client(peer: Peer<'_>) -> Chair<'_> {
    Chair::Client(Box::new(peer))
}

impl<'a> Table<'a> {
    /// Lets everybody in, in the order of their seats: their connections, then names, then numbers.
    fn seat(setup: &GameSetup<'a>, cells: usize) -> Result<Self, Trouble> {
        debug_assert!(cells > 0);
        let mut table = Self { chairs: Vec::new(), left: Vec::new(), faults: Vec::new(), names: Vec::new() };
        table.fill(setup)?;
        table.hear_names(setup)?;
        for seat in 0..table.chairs.len() {
            table.tell(seat, &format!("{seat}\n"))?;
        }
        Ok(table)
    }

    /// A chair for every player; empty where one does not come.
    fn fill(&mut self, setup: &GameSetup<'a>) -> Result<(), Trouble> {
        let local = listen(SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 0))?;
        let mut doors: Vec<(SocketAddr, TcpListener)> = Vec::new();
        for (seat, player) in setup.players.iter().enumerate() {
            let chair = match &player.reach {
                Reach::Builtin(kind) => {
                    let seed = setup.seed.wrapping_add(seat as u64);
                    Ok(Chair::BuiltIn(*kind, Box::new(Xoshiro256PlusPlus::seed_from_u64(seed))))
                }
                Reach::Tcp(address) => {
                    if !doors.iter().any(|(open, _)| open == address) {
                        doors.push((*address, listen(*address)?));
                    }
                    let door = &doors.iter().find(|(open, _)| open == address).expect("just opened").1;
                    accept(setup, door, None)
                        .and_then(|stream| Peer::adopt(setup.supervisor, stream))
                        .map(client)
                }
                Reach::Process { command, .. } => start(setup, &local, player, command, seat).map(client),
            };
            match chair {
                Ok(chair) => self.chairs.push(chair),
                Err(Trouble::Fault(fault)) => {
                    self.faults.push((seat, fault));
                    self.chairs.push(Chair::Empty);
                }
                Err(trouble) => return Err(trouble),
            }
            if matches!(player.reach, Reach::Process { .. }) {
                self.let_in(seat, setup, &local)?;
            }
        }
        Ok(())
    }

    /// The names that clients say first.
    fn hear_names(&mut self, setup: &GameSetup<'a>) -> Result<(), Trouble> {
        let deadline = Instant::now() + Duration::from_secs(5);
        for (seat, player) in setup.players.iter().enumerate() {
            let mut name = player.name.clone();
            if let Chair::Client(peer) = &mut self.chairs[seat] {
                match peer.line(deadline) {
                    Ok(text) => name = excerpt(&text),
                    // The course's server goes on without the name of who is still there.
                    Err(Trouble::Fault(fault)) if fault.kind == Kind::Hang => {
                        name = NO_NAME.to_owned();
                        self.note(seat, Fault::new(Kind::Hang, format!("no name: it is called {name}")));
                    }
                    Err(Trouble::Fault(fault)) => self.leave(seat, fault),
                    Err(trouble) => return Err(trouble),
                }
            }
            self.names.push(name);
        }
        Ok(())
    }

    /// Waits for the connection of a process that was started.
    fn let_in(&mut self, seat: usize, setup: &GameSetup<'_>, door: &TcpListener) -> Result<(), Trouble> {
        let Chair::Client(peer) = &mut self.chairs[seat] else { return Ok(()) };
        match accept(setup, door, Some(peer)).and_then(|stream| peer.divert(stream)) {
            Err(Trouble::Fault(fault)) => {
                self.leave(seat, fault);
                Ok(())
            }
            done => done,
        }
    }

    fn tell(&mut self, seat: usize, text: &str) -> Result<(), Trouble> {
        if let Chair::Client(peer) = &mut self.chairs[seat] {
            match peer.send(text.as_bytes(), Instant::now() + Duration::from_secs(1)) {
                Ok(()) => {}
                Err(Trouble::Fault(fault)) => self.leave(seat, fault),
                Err(trouble) => return Err(trouble),
            }
        }
        Ok(())
    }

    /// Somebody is gone, for the rest of the game.
    fn leave(&mut self, seat: usize, fault: Fault) {
        self.note(seat, fault);
        if let Chair::Client(peer) = std::mem::replace(&mut self.chairs[seat], Chair::Empty) {
            self.left.push((seat, peer.close(b"")));
        }
    }

    /// A fault counts once a kind and seat: a client that is late is often late again.
    fn note(&mut self, seat: usize, fault: Fault) {
        if !self.faults.iter().any(|(of, seen)| *of == seat && seen.kind == fault.kind) {
            self.faults.push((seat, fault));
        }
    }

    /// What the player of a seat told of its turn.
    fn thought(&mut self, seat: usize) -> Option<Thought> {
        match &mut self.chairs[seat] {
            Chair::Client(peer) => peer.told().map(|told| told.thought),
            Chair::BuiltIn(..) | Chair::Empty => None,
        }
    }

    /// A turn. Late, or gone: `C`, and the game goes on; a late answer stays where it is and answers the next turn.
    fn ask(&mut self, seat: usize, game: &Game, time: Duration) -> Result<Answer, Trouble> {
        let began = Instant::now();
        let said = |text: String| Answer { text, spent: began.elapsed(), origin: Origin::Player };
        let missed = |origin| Answer { text: "C".to_owned(), spent: began.elapsed(), origin };
        if let Chair::BuiltIn(kind, random) = &mut self.chairs[seat] {
            return Ok(said(own_move(*kind, random, game, seat)));
        }
        self.tell(seat, &format!("{}\n", game.state))?;
        let told = Instant::now();
        let Chair::Client(peer) = &mut self.chairs[seat] else {
            return Ok(Answer { spent: Duration::ZERO, ..missed(Origin::Gone) });
        };
        match peer.line(told + time) {
            Ok(answer) => {
                let spent = told.elapsed();
                if Command::read(answer.as_bytes()).action.is_none() {
                    self.note(
                        seat,
                        Fault::protocol(format!("turn {}: \"{answer}\" is no command", game.turns())),
                    );
                }
                Ok(Answer { text: answer, spent, origin: Origin::Player })
            }
            Err(Trouble::Fault(fault)) if fault.kind == Kind::Hang => {
                let detail = format!("turn {}: no answer in {} ms", game.turns(), time.as_millis());
                self.note(seat, Fault::new(Kind::TimeLoss, detail));
                Ok(missed(Origin::Late))
            }
            // A line that is not text is nothing, as for the course's server: the turn is used.
            Err(Trouble::Fault(fault))
                if fault.kind == Kind::ProtocolError && !peer.is_gone() && peer.is_open() =>
            {
                self.note(seat, fault);
                Ok(said("?".to_owned()))
            }
            Err(Trouble::Fault(fault)) => {
                self.leave(seat, fault);
                Ok(missed(Origin::Gone))
            }
            Err(trouble) => Err(trouble),
        }
    }
}

fn listen(address: SocketAddr) -> Result<TcpListener, Trouble> {
    let failed = |error| Trouble::Referee(format!("cannot listen on {address}: {error}"));
    let listener = TcpListener::bind(address).map_err(failed)?;
    listener.set_nonblocking(true).map_err(failed)?;
    Ok(listener)
}

/// Waits for the next client: a process has the time of a start, somebody outside the watchdog's.
fn accept(
    setup: &GameSetup<'_>,
    door: &TcpListener,
    process: Option<&Peer<'_>>,
) -> Result<TcpStream, Trouble> {
    let time_out = if process.is_some() { setup.conditions.start_up } else { setup.conditions.watchdog };
    let deadline = Instant::now() + time_out;
    loop {
        match door.accept() {
            Ok((stream, _)) => return Ok(stream),
            Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => {}
            Err(error) => return Err(Trouble::Referee(format!("accepting a client: {error}"))),
        }
        if setup.supervisor.is_stopped() {
            return Err(Trouble::Interrupted);
        }
        if process.is_some_and(Peer::is_gone) {
            return Err(Fault::new(Kind::Crash, "it ended before it connected").into());
        }
        if Instant::now() >= deadline {
            return Err(Fault::new(Kind::SlowStart, "it did not connect").into());
        }
        std::thread::sleep(Duration::from_micros(200));
    }
}

/// Starts a client. Its command line holds `{host}`, `{port}` and `{name}`, or gets them at its end.
fn start<'a>(
    setup: &GameSetup<'a>,
    door: &TcpListener,
    player: &Player,
    command: &CommandLine,
    seat: usize,
) -> Result<Peer<'a>, Trouble> {
    let port = door.local_addr().map_err(|error| Trouble::Referee(error.to_string()))?.port();
    let mut command = command.clone();
    if !command.words.iter().any(|word| word.contains("{port}")) {
        command.words.extend(["{host}", "{port}", "{name}"].map(str::to_owned));
    }
    // A name on the wire is one line.
    let name: String = player.name.chars().filter(|c| !c.is_control()).take(60).collect();
    let command = command.filled(&[("host", "127.0.0.1".into()), ("port", port.to_string()), ("name", name)]);
    setup.start(&command, seat)
}

/// A client that a game not played here is told to: started, let in, its name read, its number told.
///
/// # Errors
/// The client's fault, or the referee's.
pub fn let_in_alone<'a>(setup: &GameSetup<'a>, seat: usize) -> Result<Peer<'a>, Trouble> {
    let door = listen(SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 0))?;
    let player = setup.players[seat];
    let Reach::Process { command, .. } = &player.reach else {
        return Err(Trouble::Referee(format!("\"{}\": a command is expected", player.text)));
    };
    let mut peer = start(setup, &door, player, command, seat)?;
    let stream = accept(setup, &door, Some(&peer))?;
    peer.divert(stream)?;
    let deadline = Instant::now() + Duration::from_secs(5);
    peer.line(deadline)?;
    peer.send(format!("{seat}\n").as_bytes(), deadline)?;
    Ok(peer)
}

/// What a built-in client does: anything, or a step on the shortest way to the nearest mussel.
fn own_move(kind: Builtin, random: &mut Xoshiro256PlusPlus, game: &Game, seat: usize) -> String {
    let step = match kind {
        Builtin::Random => None,
        Builtin::Greedy | Builtin::Search(_) => towards(&game.state, game.state.players[seat]),
        Builtin::First => Some(Direction::East),
    };
    Move::Step(step.unwrap_or_else(|| Direction::ALL[random.random_range(0..4)])).to_string()
}

/// The first step to the nearest mussel, by breadth first.
fn towards(state: &State, from: Cell) -> Option<Direction> {
    let mut first: Vec<Option<Direction>> = vec![None; state.tiles.len()];
    let mut queue = VecDeque::from([from]);
    while let Some(cell) = queue.pop_front() {
        for direction in Direction::ALL {
            let Some(next) = state.neighbour(cell, direction, 1) else { continue };
            if next == from || state.tile(next) == Tile::Dune || first[next.index()].is_some() {
                continue;
            }
            let step = if cell == from { direction } else { first[cell.index()]? };
            if matches!(state.tile(next), Tile::Mussel(_)) {
                return Some(step);
            }
            first[next.index()] = Some(step);
            queue.push_back(next);
        }
    }
    None
}

/// The maze as the wire writes it, and what the wire never tells.
struct Shown<'a> {
    game: &'a Game,
    /// As the clients say it.
    names: &'a [String],
    seen: &'a Seen,
}

impl Board for Shown<'_> {
    fn picture(&self) -> String {
        picture(self.game)
    }

    fn drawing(&self) -> String {
        let places = self.seen.trails.clone();
        let trails = Trails { places, mover: Some(self.game.to_move()), ..Trails::default() };
        drawing::moules::draw(&self.game.state, &trails, &Marks::default())
    }

    fn scene(&self) -> Value {
        let purses: Vec<[u32; 3]> =
            self.game.purses.iter().map(|purse| [purse.points, purse.frites, purse.beers]).collect();
        json!({
            "maze": self.game.state.to_string(),
            "names": self.names,
            "purses": purses,
            "left": self.game.mussels_left(),
            "turns": self.game.turns(),
            "table": self.seen.table(self.game, self.names),
        })
    }
}

/// The map and the purses: walls as blocks, mussels as tens of their points, players as numbers.
pub fn picture(game: &Game) -> String {
    let state = &game.state;
    let mut text = String::new();
    for y in 0..state.height {
        for x in 0..state.width {
            let cell = state.cell(x, y);
            let player = state.players.iter().position(|&at| at == cell);
            match (player, state.tile(cell)) {
                (Some(player), _) => _ = write!(text, "@{player}"),
                (None, Tile::Dune) => text.push_str("██"),
                (None, Tile::Sand) => text.push_str("  "),
                (None, Tile::Frite) => text.push_str(" f"),
                (None, Tile::Beer) => text.push_str(" b"),
                (None, Tile::Mussel(points)) => _ = write!(text, "{points:>2}"),
            }
        }
        text.push('\n');
    }
    for (seat, purse) in game.purses.iter().enumerate() {
        let _ = writeln!(
            text,
            "@{seat}: {:>3} points, {} frites, {} beers",
            purse.points, purse.frites, purse.beers
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_client_thinks_three_quarters_of_a_turn() {
        let of = |time| Moules {
            settings: Settings::default(),
            turns: 500,
            seats: 4,
            set: OpeningSet::new("moules", "maze 1 items 1", 1),
            time,
        };
        let hundred = Some(Duration::from_millis(100));
        assert_eq!(of(hundred).own(""), "moules-client {host} {port} {name} --time 75");
        assert_eq!(of(hundred).own("--time 10"), "moules-client {host} {port} {name} --time 10");
        assert_eq!(of(None).own("--ia est"), "moules-client {host} {port} {name} --ia est");
    }
}
