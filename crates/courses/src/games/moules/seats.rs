//! The clients of a match: accepting, sending, asking, leaving.

use super::builtin::own_move;
use crate::course::GameSetup;
use crate::fault::{Fault, Kind, Trouble, excerpt};
use crate::peer::{self, Command as CommandLine, Ended, Peer, Supervisor};
use crate::player::{Builtin, Player, Reach};
use crate::record::Played;
use crate::sandbox::Network;
use crate::thought::SearchInfo;
use moules_client::protocol::event::{NO_NAME, Origin};
use moules_client::rules::{Command, Game};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::time::{Duration, Instant};

/// The command of a turn, from the player or played for it.
pub struct Answer {
    pub text: String,
    pub spent: Duration,
    pub origin: Origin,
}

/// The clients of a match, by seat.
pub struct Table<'a> {
    chairs: Vec<Chair<'a>>,
    /// The conduct of clients that left, by seat.
    left: Vec<(usize, Ended)>,
    faults: Vec<(usize, Fault)>,
    supervisor: &'a Supervisor,
    watchdog: Duration,
    pub names: Vec<String>,
}

/// The time between a client's number and the first board: one that reads both at once may take them for one message, as
/// it never does where a server waits for others.
const BEFORE_THE_FIRST_BOARD: Duration = Duration::from_millis(100);

/// The fewest turns in a row without any answer after which a client is gone.
const SILENT: u32 = 10;

/// The listeners for clients from outside, by address.
type Doors = Vec<(SocketAddr, TcpListener)>;

enum Chair<'a> {
    BuiltIn(Builtin, Box<Xoshiro256PlusPlus>),
    /// A connected client, and the number of boards that it has not answered: a late answer is read on a later turn.
    Client(Box<Peer<'a>>, usize, Silence),
    /// The client is gone and passes each turn.
    Empty,
}

/// The turns of a client since its last answer, and the time of its own waited for it.
#[derive(Debug, Default)]
struct Silence {
    turns: u32,
    time: Duration,
}

/// Returns the chair of a connected client.
fn client(peer: Peer<'_>) -> Chair<'_> {
    Chair::Client(Box::new(peer), 0, Silence::default())
}

impl<'a> Table<'a> {
    /// Connects all clients in the order of their seats, then reads their names, then sends their numbers.
    pub fn seat(setup: &GameSetup<'a>, cells: usize) -> Result<Self, Trouble> {
        debug_assert!(cells > 0);
        let watchdog = setup.conditions.watchdog;
        let mut table = Self {
            chairs: Vec::new(),
            left: Vec::new(),
            faults: Vec::new(),
            supervisor: setup.supervisor,
            watchdog,
            names: Vec::new(),
        };
        let doors = table.fill(setup)?;
        table.hear_names(setup, &doors)?;
        for seat in 0..table.chairs.len() {
            table.tell(seat, &format!("{seat}\n"))?;
        }
        if table.chairs.iter().any(|chair| matches!(chair, Chair::Client(..))) {
            std::thread::sleep(BEFORE_THE_FIRST_BOARD);
        }
        Ok(table)
    }

    /// Connects each client, and returns the listeners for those from outside. A client that does not connect leaves an empty
    /// chair.
    fn fill(&mut self, setup: &GameSetup<'a>) -> Result<Doors, Trouble> {
        let mut doors = Doors::new();
        for (seat, player) in setup.players.iter().enumerate() {
            // A process has a port of its own, so that no other client takes its place.
            let mut own = None;
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
                Reach::Process { command, .. } => {
                    let door = own.insert(listen(SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 0))?);
                    start(setup, door, player, command, seat).map(client)
                }
            };
            match chair {
                Ok(chair) => self.chairs.push(chair),
                Err(Trouble::Fault(fault)) => {
                    self.faults.push((seat, fault));
                    self.chairs.push(Chair::Empty);
                }
                Err(trouble) => return Err(trouble),
            }
            if let Some(door) = own {
                self.let_in(seat, setup, &door)?;
            }
        }
        Ok(doors)
    }

    /// Waits for another client from outside, for the seat of one that has left without a name.
    fn replace(&mut self, seat: usize, setup: &GameSetup<'a>, door: &TcpListener) -> Result<(), Trouble> {
        let next = accept(setup, door, None).and_then(|stream| Peer::adopt(setup.supervisor, stream));
        match next {
            Ok(next) => {
                if let Chair::Client(left, ..) = std::mem::replace(&mut self.chairs[seat], client(next)) {
                    left.close(b"");
                }
                Ok(())
            }
            Err(Trouble::Fault(fault)) => {
                self.leave(seat, fault);
                Ok(())
            }
            Err(trouble) => Err(trouble),
        }
    }

    /// Reads the names that clients send first. A process that connects before it is ready gets the start-up time for
    /// it.
    fn hear_names(&mut self, setup: &GameSetup<'a>, doors: &Doors) -> Result<(), Trouble> {
        /// Handshake time limit for clients we did not start.
        const OUTSIDE: Duration = Duration::from_secs(5);
        let connected = Instant::now();
        for (seat, player) in setup.players.iter().enumerate() {
            let mut name = player.name.clone();
            let (mut begin, mut patience) = (connected, setup.conditions.start_up);
            let mut door = None;
            if let Reach::Tcp(address) = &player.reach {
                patience = OUTSIDE;
                door = doors.iter().find(|(open, _)| open == address).map(|(_, door)| door);
            }
            while let Chair::Client(peer, ..) = &mut self.chairs[seat] {
                match peer.line(begin + patience) {
                    // A probe of the port, for example.
                    Err(Trouble::Fault(fault))
                        if fault.kind == Kind::Crash
                            && connected.elapsed() < self.watchdog
                            && let Some(door) = door =>
                    {
                        self.replace(seat, setup, door)?;
                        begin = Instant::now();
                        continue;
                    }
                    Ok(text) => name = excerpt(&text),
                    // The course's server goes on without the name of a client that is still connected.
                    Err(Trouble::Fault(fault)) if fault.kind == Kind::Hang => {
                        name = NO_NAME.to_owned();
                        self.note(seat, Fault::new(Kind::Hang, format!("no name: it is called {name}")));
                    }
                    Err(Trouble::Fault(fault)) => self.leave(seat, fault),
                    Err(trouble) => return Err(trouble),
                }
                break;
            }
            self.names.push(name);
        }
        Ok(())
    }

    /// Waits for the connection of a started process.
    fn let_in(&mut self, seat: usize, setup: &GameSetup<'_>, door: &TcpListener) -> Result<(), Trouble> {
        let Chair::Client(peer, ..) = &mut self.chairs[seat] else { return Ok(()) };
        match accept(setup, door, Some(peer)).and_then(|stream| peer.divert(stream)) {
            Err(Trouble::Fault(fault)) => {
                self.leave(seat, fault);
                Ok(())
            }
            done => done,
        }
    }

    fn tell(&mut self, seat: usize, text: &str) -> Result<(), Trouble> {
        if let Chair::Client(peer, ..) = &mut self.chairs[seat] {
            match peer.send(text.as_bytes(), Instant::now() + Duration::from_secs(1)) {
                Ok(()) => {}
                Err(Trouble::Fault(fault)) => self.leave(seat, fault),
                Err(trouble) => return Err(trouble),
            }
        }
        Ok(())
    }

    /// Marks a client as gone for the rest of the game.
    fn leave(&mut self, seat: usize, fault: Fault) {
        self.note(seat, fault);
        if let Chair::Client(peer, ..) = std::mem::replace(&mut self.chairs[seat], Chair::Empty) {
            self.left.push((seat, peer.close(b"")));
        }
    }

    /// Ends the match: tells all clients, and records their conduct.
    pub fn leave_all(mut self, played: &mut Played) {
        for seat in 0..self.chairs.len() {
            // An interrupted match is not recorded.
            let _ = self.refuse_unasked(seat, "the end");
        }
        let mut ends = self.left;
        for (seat, chair) in self.chairs.into_iter().enumerate() {
            if let Chair::Client(peer, ..) = chair {
                ends.push((seat, peer.close(b"FIN\n")));
            }
        }
        played.faults = self.faults;
        played.close(self.names.len(), ends);
    }

    /// Notes a line that nobody asked for. As in the course's server, it counts as the next answer. A flood ends the
    /// connection.
    fn refuse_unasked(&mut self, seat: usize, before: &str) -> Result<(), Trouble> {
        let Chair::Client(peer, owed, _) = &mut self.chairs[seat] else { return Ok(()) };
        match peer.unasked(*owed) {
            Ok(None) => {}
            Ok(Some(line)) => {
                let detail = format!("\"{}\" before {before}: a second answer", excerpt(&line));
                self.note(seat, Fault::protocol(detail));
            }
            Err(Trouble::Fault(fault)) => self.leave(seat, fault),
            Err(trouble) => return Err(trouble),
        }
        Ok(())
    }

    /// Records a fault once for each kind and seat, because a late client is often late again.
    fn note(&mut self, seat: usize, fault: Fault) {
        if !self.faults.iter().any(|(of, seen)| *of == seat && seen.kind == fault.kind) {
            self.faults.push((seat, fault));
        }
    }

    /// Takes the player's search reports on its turn.
    pub fn told(&mut self, seat: usize) -> Option<SearchInfo> {
        match &mut self.chairs[seat] {
            Chair::Client(peer, ..) => peer.told(),
            Chair::BuiltIn(..) | Chair::Empty => None,
        }
    }

    /// Plays a turn. For a late or absent client it is `C`, and a late answer counts for the next turn. A client that is
    /// silent for the watchdog's time is gone.
    pub fn ask(&mut self, seat: usize, game: &Game, time: Duration) -> Result<Answer, Trouble> {
        let began = Instant::now();
        let said = |text: String| Answer { text, spent: began.elapsed(), origin: Origin::Player };
        let missed = |origin| Answer { text: "C".to_owned(), spent: began.elapsed(), origin };
        if let Chair::BuiltIn(kind, random) = &mut self.chairs[seat] {
            return own_move(*kind, random, game, seat, self.supervisor).map(said);
        }
        self.refuse_unasked(seat, &format!("the board of turn {}", game.turns()))?;
        self.tell(seat, &format!("{}\n", game.state))?;
        let told = Instant::now();
        let Chair::Client(peer, owed, silence) = &mut self.chairs[seat] else {
            return Ok(Answer { spent: Duration::ZERO, ..missed(Origin::Gone) });
        };
        *owed += 1;
        match peer.line(told + time) {
            Ok(answer) => {
                *owed -= 1;
                *silence = Silence::default();
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
                silence.turns += 1;
                silence.time += time;
                let is_gone = silence.turns >= SILENT && silence.time >= self.watchdog;
                let detail = format!("turn {}: no answer in {} ms", game.turns(), time.as_millis());
                self.note(seat, Fault::new(Kind::TimeLoss, detail));
                if is_gone {
                    let detail = format!("turn {}: no answer for {SILENT} turns or more", game.turns());
                    self.leave(seat, Fault::new(Kind::Hang, detail));
                }
                Ok(missed(Origin::Late))
            }
            Err(Trouble::Fault(fault)) => {
                self.leave(seat, fault);
                Ok(missed(Origin::Gone))
            }
            Err(trouble) => Err(trouble),
        }
    }
}

pub(super) fn listen(address: SocketAddr) -> Result<TcpListener, Trouble> {
    let failed = |error| Trouble::Referee(format!("cannot listen on {address}: {error}"));
    let listener = TcpListener::bind(address).map_err(failed)?;
    listener.set_nonblocking(true).map_err(failed)?;
    Ok(listener)
}

/// Waits for a client: the start-up time if we started it, the watchdog's time otherwise.
pub(super) fn accept(
    setup: &GameSetup<'_>,
    door: &TcpListener,
    process: Option<&Peer<'_>>,
) -> Result<TcpStream, Trouble> {
    use std::io::ErrorKind::{ConnectionAborted, Interrupted, WouldBlock};
    let time_out = if process.is_some() { setup.conditions.start_up } else { setup.conditions.watchdog };
    let deadline = Instant::now() + time_out;
    let door = process.and_then(Peer::door).unwrap_or(door);
    loop {
        match peer::accept(door) {
            Ok((stream, _)) => return Ok(stream),
            // Nobody, or a client that was gone before it was accepted.
            Err(error) if matches!(error.kind(), WouldBlock | ConnectionAborted | Interrupted) => {}
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

/// Starts a client. `{host}`, `{port}` and `{name}` in its command line are replaced, or appended at its end.
pub(super) fn start<'a>(
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
    // A name is one line in the protocol.
    let name: String = player.name.chars().filter(|c| !c.is_control()).take(60).collect();
    let is_named: Vec<bool> = command.words.iter().map(|word| word.contains("{name}")).collect();
    let mut command =
        command.filled(&[("host", "127.0.0.1".into()), ("port", port.to_string()), ("name", name)]);
    command.named = command
        .words
        .iter()
        .zip(is_named)
        .filter(|&(_, named)| named)
        .map(|(word, _)| word.clone())
        .collect();
    command.network = Network::Client(port);
    setup.start(&command, seat)
}

/// Connects a client outside a match: starts it, accepts it, reads its name, sends its number.
///
/// # Errors
/// The client's fault, or the referee's.
pub fn let_in_alone<'a>(setup: &GameSetup<'a>, seat: usize) -> Result<Peer<'a>, Trouble> {
    let door = listen(SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 0))?;
    let player = setup.players[seat];
    let Reach::Process { command, .. } = &player.reach else {
        return Err(Trouble::Argument(format!("\"{}\": expected a command", player.text)));
    };
    let mut peer = start(setup, &door, player, command, seat)?;
    let stream = accept(setup, &door, Some(&peer))?;
    peer.divert(stream)?;
    peer.line(Instant::now() + setup.conditions.start_up)?;
    peer.send(format!("{seat}\n").as_bytes(), Instant::now() + Duration::from_secs(1))?;
    Ok(peer)
}
