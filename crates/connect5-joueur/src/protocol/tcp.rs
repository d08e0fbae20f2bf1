//! The TCP server: one thread a session.

use super::dialogue::{Ended, Host, Reporting, brief, converse};
use super::large::SMALL;
use super::team::Team;
use crate::player::{Player, Settings};
use crate::rules::{Cell, Grid};
use search_core::Report;
use std::io::{self, BufReader, ErrorKind};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};
use wire::tcp::{Deadline, Reader, Unread, Writer, unread};
use wire::{Failure, SearchLog};

/// Maximum number of clients. The original refuses further ones too.
pub const CLIENTS: usize = 50;
/// Number of descriptors of a client: its own, its place's and its reader's.
const DESCRIPTORS: usize = 3;
/// Descriptors for a client that is refused, and for what the system's libraries open.
const RESERVE: usize = 4;
/// Time limit for the rest of a request after its first line.
const REQUEST: Duration = Duration::from_secs(60);
/// Time limit for a client that does not read its answer.
const PATIENCE: Duration = Duration::from_secs(30);
/// Default time limit between two requests. A person may think for minutes; a client whose machine is gone stays silent.
pub const IDLE: Duration = Duration::from_secs(600);
/// If all places are taken, the time limit between two requests is this many times shorter.
const PART_WHERE_FULL: u32 = 20;
/// Stack size of a thread in bytes. The search keeps its moves on the heap.
const STACK: usize = 2 << 20;
/// Memory of all tables and grids in bytes. With the rest of the program it stays below the course's 512 MB.
const MEMORY: usize = 192 << 20;
/// Memory of a search for each cell of a large grid, in bytes, without the table.
const BYTES_PER_CELL: usize = 100;

/// The state shared by all sessions.
#[derive(Debug)]
struct Shared {
    team: Team,
    settings: Settings,
    reporting: Reporting,
    search_log: SearchLog,
    clients: Mutex<Vec<Place>>,
    /// Maximum number of clients.
    places: usize,
    /// Time limit between two requests.
    idle: Duration,
    /// Bytes left for tables and grids.
    memory: Mutex<usize>,
    stopping: AtomicBool,
    local: SocketAddr,
}

/// A client's place.
#[derive(Debug)]
struct Place {
    number: u64,
    stream: TcpStream,
    /// True from the first line of a request to its answer, while the client sends no more and its end is open.
    asks: bool,
    /// The start of this state.
    since: Instant,
}

impl Place {
    fn set_asks(&mut self, asks: bool) {
        (self.asks, self.since) = (asks, Instant::now());
    }

    /// The time after which another client may have the place, if all are taken.
    fn time_limit(&self, idle: Duration) -> Duration {
        if self.asks { idle } else { idle / PART_WHERE_FULL }
    }
}

impl Shared {
    /// Returns true if a client has lost its place or its connection is broken.
    fn has_left(&self, number: u64) -> bool {
        let mut clients = self.clients.lock().expect("no holder panics");
        let Some(place) = clients.iter_mut().find(|place| place.number == number) else { return true };
        // After the end of the client's input a read tells no reset.
        let (Ok(None), Ok(unread)) = (place.stream.take_error(), unread(&place.stream)) else {
            return true;
        };
        // A client that has closed its own end, at once or after more lines, may still wait for the answer.
        if unread != Unread::Nothing && place.asks {
            place.set_asks(false);
        }
        false
    }
}

/// Returns the memory in bytes that a search from `grid` needs, without the table.
fn position_bytes(grid: &Grid) -> usize {
    let cells = grid.rows() * grid.columns();
    if cells <= SMALL { 0 } else { BYTES_PER_CELL * cells }
}

/// Returns the maximum number of clients with this number of free descriptors, or [`CLIENTS`] where it is not known.
fn places(descriptors: Option<usize>) -> usize {
    let most = descriptors.map_or(CLIENTS, |free| free.saturating_sub(RESERVE) / DESCRIPTORS);
    most.clamp(1, CLIENTS)
}

/// Serves sessions on `address` until a client asks the program to end.
///
/// # Errors
/// If the address is not available.
pub fn serve(
    address: SocketAddr,
    team: Team,
    settings: Settings,
    reporting: Reporting,
    search_log: SearchLog,
    idle: Duration,
) -> Result<(), Failure> {
    let cannot = |error| Failure::run(format!("cannot listen on {address}: {error}"));
    let listener = TcpListener::bind(address).map_err(cannot)?;
    let local = listener.local_addr().map_err(cannot)?;
    Player::new(settings).prepare();
    wire::write_notes_in_background();
    wire::note(format_args!("connect5-joueur: listening on {local}"));
    let shared = Arc::new(Shared {
        team,
        settings,
        reporting,
        search_log,
        clients: Mutex::default(),
        places: places(wire::tcp::free_descriptors()),
        idle,
        memory: Mutex::new(MEMORY),
        stopping: AtomicBool::new(false),
        local,
    });
    loop {
        let accepted = wire::tcp::accept(&listener);
        if shared.stopping.load(Ordering::SeqCst) {
            return Ok(());
        }
        match accepted {
            Ok((stream, _)) => admit(stream, &shared),
            // Out of descriptors, or the client was gone already: other sessions go on.
            Err(_) => thread::sleep(Duration::from_millis(10)),
        }
    }
}

/// Restarts the program with one allocation arena, where the C library would reserve 64 MB of address space for each
/// thread. Under the course's `ulimit -v` a few clients would use all of it. One arena is enough, because a search
/// allocates little but its table.
///
/// # Errors
/// If the program cannot be restarted.
pub fn with_one_arena() -> Result<(), Failure> {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    if std::env::var_os(ARENAS).is_none() {
        return Err(start_again(std::env::current_exe()));
    }
    Ok(())
}

/// Replaces this process by the program with one arena. Returns only on failure.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn start_again(program: io::Result<std::path::PathBuf>) -> Failure {
    use std::os::unix::process::CommandExt;
    let error = program.map_or_else(
        |error| error,
        |program| {
            std::process::Command::new(program).args(std::env::args_os().skip(1)).env(ARENAS, "1").exec()
        },
    );
    Failure::run(format!(
        "cannot start again with {ARENAS}=1 in the environment (set it to go without): {error}"
    ))
}

/// The C library's setting for it, read when a program starts.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const ARENAS: &str = "MALLOC_ARENA_MAX";

/// Starts a session, unless there are too many.
fn admit(stream: TcpStream, shared: &Arc<Shared>) {
    let Some(seat) = Seat::take(&stream, shared) else {
        let _ = stream.shutdown(Shutdown::Both);
        return;
    };
    // If no thread can be started, the closure is dropped and the client refused.
    let _ = thread::Builder::new().stack_size(STACK).spawn(move || talk(stream, seat));
}

/// One of the places, free again on drop.
struct Seat {
    shared: Arc<Shared>,
    number: u64,
}

impl Seat {
    /// A free place, or that of the client that exceeds its time limit most; none if no client exceeds it.
    fn take(stream: &TcpStream, shared: &Arc<Shared>) -> Option<Self> {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let stream = stream.try_clone().ok()?;
        let mut clients = shared.clients.lock().expect("no holder panics");
        if clients.len() >= shared.places {
            let beyond = |place: &Place| place.since.elapsed().checked_sub(place.time_limit(shared.idle));
            let (longest, place) = clients.iter().enumerate().max_by_key(|(_, place)| beyond(place))?;
            beyond(place)?;
            // Its own thread finds the end of the conversation.
            let _ = place.stream.shutdown(Shutdown::Both);
            clients.swap_remove(longest);
        }
        clients.push(Place { number, stream, asks: false, since: Instant::now() });
        Some(Self { shared: Arc::clone(shared), number })
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        let mut clients = self.shared.clients.lock().expect("no holder panics");
        clients.retain(|place| place.number != self.number);
    }
}

/// Runs one session.
fn talk(stream: TcpStream, seat: Seat) {
    let shared = &seat.shared;
    let peer = stream.peer_addr().map_or_else(|_| "a client".to_owned(), |peer| peer.to_string());
    let ended = prepare(&stream, shared.idle).and_then(|reader| {
        let mut client = Client {
            deadline: reader.deadline(),
            peer: &peer,
            shared,
            number: seat.number,
            asks: false,
            taken: 0,
            player: Player::default(),
        };
        converse(BufReader::new(reader), &mut Writer(&stream), &shared.team, &mut client)
    });
    let _ = stream.shutdown(Shutdown::Both);
    match ended {
        Ok(Ended::Here) => {}
        Ok(Ended::Everywhere) => {
            shared.stopping.store(true, Ordering::SeqCst);
            // Wakes the listener, which then ends the program with all sessions.
            let address = match shared.local {
                local if local.ip().is_unspecified() => (Ipv4Addr::LOCALHOST, local.port()).into(),
                local => local,
            };
            let _ = TcpStream::connect(address);
        }
        Err(failure) => wire::note(format_args!("connect5-joueur: {peer}: {failure}")),
    }
}

fn prepare(stream: &TcpStream, idle: Duration) -> Result<Reader, Failure> {
    let reader = stream.set_write_timeout(Some(PATIENCE)).and_then(|()| stream.try_clone()).map(Reader::new);
    let reader = reader.map_err(|error| Failure::run(format!("the connection: {error}")))?;
    reader.deadline().set(Instant::now() + idle);
    Ok(reader)
}

/// Returns true if a socket operation timed out.
fn is_timeout(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut)
}

/// The environment of one session.
struct Client<'a> {
    /// The deadline of its next line.
    deadline: Deadline,
    peer: &'a str,
    shared: &'a Arc<Shared>,
    /// The number of the client's place.
    number: u64,
    /// True inside a request.
    asks: bool,
    /// Bytes reserved for its table and its grid while it thinks.
    taken: usize,
    /// A new player for each answer, because its memory is released between requests.
    player: Player,
}

impl Host for Client<'_> {
    fn request_begun(&mut self) {
        self.deadline.set(Instant::now() + REQUEST);
        self.set_asks(true);
    }

    fn settings(&self) -> Settings {
        self.shared.settings
    }

    fn thinking(&mut self, grid: &Grid) -> Result<&mut Player, Failure> {
        let mut memory = self.shared.memory.lock().expect("no holder panics");
        let (rows, columns) = (grid.rows(), grid.columns());
        let position = position_bytes(grid);
        let left = memory.checked_sub(position).ok_or_else(|| {
            Failure::run(format!(
                "a grid of {rows} x {columns} needs more memory than the other clients leave"
            ))
        })?;
        // At most half of what is left, so that the next client gets some too.
        let table_bytes = self.shared.settings.table_bytes.min(left / 2);
        self.taken = position + table_bytes;
        *memory -= self.taken;
        self.player = Player::new(Settings { table_bytes, ..self.shared.settings });
        Ok(&mut self.player)
    }

    fn report(&mut self, report: &Report<Cell>, columns: usize) {
        if self.shared.reporting == Reporting::Brief {
            self.warn(&brief(report, columns));
        }
    }

    fn search_log(&self) -> SearchLog {
        self.shared.search_log
    }

    fn sender(&self) -> String {
        format!("connect5-joueur: {}: ", self.peer)
    }

    fn unread(&self, error: io::Error) -> Failure {
        Failure::run(match is_timeout(&error) {
            true if self.asks => format!("a request did not end within {} s", REQUEST.as_secs()),
            true => format!("nothing was asked for {} s", self.shared.idle.as_secs()),
            false => format!("cannot read: {error}"),
        })
    }

    fn unwritten(&self, error: io::Error) -> Failure {
        Failure::run(match is_timeout(&error) {
            true => format!("nothing was read of the answer for {} s", PATIENCE.as_secs()),
            false => format!("cannot write: {error}"),
        })
    }

    fn has_left(&self) -> Box<dyn Fn() -> bool> {
        let (shared, number) = (Arc::clone(self.shared), self.number);
        Box::new(move || shared.has_left(number))
    }

    fn answered(&mut self) {
        self.give_back();
        self.deadline.set(Instant::now() + self.shared.idle);
        self.set_asks(false);
    }

    fn warn(&mut self, message: &str) {
        wire::note(format_args!("{}{message}", self.sender()));
    }
}

impl Client<'_> {
    /// Records the start of a request, or its answer.
    fn set_asks(&mut self, asks: bool) {
        self.asks = asks;
        let mut clients = self.shared.clients.lock().expect("no holder panics");
        if let Some(place) = clients.iter_mut().find(|place| place.number == self.number) {
            place.set_asks(asks);
        }
    }

    fn give_back(&mut self) {
        self.player = Player::default();
        *self.shared.memory.lock().expect("no holder panics") += std::mem::take(&mut self.taken);
    }
}

impl Drop for Client<'_> {
    fn drop(&mut self) {
        self.give_back();
    }
}

#[cfg(test)]
mod tests;
