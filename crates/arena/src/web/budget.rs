//! Limits of requests, bodies, streams and connections, for each visitor and for all.
//!
//! Requests are worked on by separate threads, a few at a time and fewer for one visitor, in the order of arrival. The
//! threads that read and write never wait for them.

use super::answers::Refused;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use std::cmp::Reverse;
use std::collections::{HashMap, VecDeque};
use std::net::IpAddr;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Instant;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};

/// Maximum number of requests that are worked on at a time, in all and for one visitor.
const WORKS: (usize, usize) = (4, 2);
/// Maximum number of waiting requests of a visitor.
const WAITING: usize = 512;
/// Maximum number of large bodies that are read at a time, in all and for one visitor.
const BODIES: (usize, usize) = (16, 1);
/// Maximum number of large bodies that are worked on at a time.
const PARSED: usize = 2;
/// Maximum number of event streams, in all and for one visitor.
const STREAMS: (usize, usize) = (1024, 256);
/// Maximum number of connections, in all and for one visitor.
const CONNECTIONS: (usize, usize) = (4096, 1024);
/// Maximum number of bytes of long answers that wait to be read, in all and for one visitor.
const UNREAD: (usize, usize) = (256 << 20, 32 << 20);
/// Number of file descriptors left to engines and files.
const RESERVE: u64 = 256;

/// The visitor of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Client(pub IpAddr);

/// The limits of one visitor.
#[derive(Debug)]
struct Own {
    works: Arc<Semaphore>,
    waiting: Arc<Semaphore>,
    bodies: Arc<Semaphore>,
}

/// The limits of all visitors.
#[derive(Debug)]
pub struct Budget {
    works: Arc<Semaphore>,
    bodies: Arc<Line>,
    parsed: Arc<Semaphore>,
    addresses: Mutex<HashMap<Client, Weak<Own>>>,
    streams: Arc<Line>,
    connections: Arc<Line>,
}

impl Default for Budget {
    fn default() -> Self {
        Self {
            works: Arc::new(Semaphore::new(WORKS.0)),
            bodies: Line::new(BODIES),
            parsed: Arc::new(Semaphore::new(PARSED)),
            addresses: Mutex::default(),
            streams: Line::new(STREAMS),
            connections: Line::new(connections()),
        }
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A large body's places among those that are worked on, those that are read and the visitor's own.
#[derive(Debug)]
pub(super) struct Turn {
    _worked: Option<OwnedSemaphorePermit>,
    _place: Place,
    _own: (Option<OwnedSemaphorePermit>, OwnedSemaphorePermit, Arc<Own>),
}

/// Two places: one of the visitor, and one of all.
type Places = (Option<OwnedSemaphorePermit>, Option<OwnedSemaphorePermit>);

async fn places(own: &Arc<Semaphore>, all: &Arc<Semaphore>) -> Places {
    let own = Arc::clone(own).acquire_owned().await.ok();
    (own, Arc::clone(all).acquire_owned().await.ok())
}

fn busy() -> Response {
    let mut answer = Refused::TooMany.into_response();
    for (name, value) in [(header::RETRY_AFTER, "1"), (header::CONNECTION, "close")] {
        answer.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    answer
}

impl Budget {
    /// Returns the limits of a visitor. They are dropped with the visitor's last request.
    fn own(&self, client: Client) -> Arc<Own> {
        let mut addresses = locked(&self.addresses);
        if let Some(own) = addresses.get(&client).and_then(Weak::upgrade) {
            return own;
        }
        addresses.retain(|_, own| own.strong_count() > 0);
        let places = |count| Arc::new(Semaphore::new(count));
        let own = Own { works: places(WORKS.1), waiting: places(WAITING), bodies: places(BODIES.1) };
        let own = Arc::new(own);
        addresses.insert(client, Arc::downgrade(&own));
        own
    }

    /// Works on a request when it is its turn.
    pub async fn work(&self, client: Client, work: impl FnOnce() -> Response + Send + 'static) -> Response {
        let own = self.own(client);
        let Ok(waits) = Arc::clone(&own.waiting).try_acquire_owned() else { return busy() };
        let places = places(&own.works, &self.works).await;
        let done = tokio::task::spawn_blocking(move || {
            let _held = (places, waits, own);
            work()
        });
        done.await.unwrap_or_else(|_| Refused::Failed.into_response())
    }

    /// Reads a large body when it is the visitor's turn, and counts its bytes in `received`. Returns it with a place to
    /// work on it.
    ///
    /// Nobody waits for another visitor's slow network: if too many are read, the slowest is given up.
    pub(super) async fn body<T>(
        &self,
        client: Client,
        received: Arc<AtomicU64>,
        read: impl Future<Output = Result<T, Refused>>,
    ) -> Result<(T, Turn), Refused> {
        let own = self.own(client);
        let Ok(waits) = Arc::clone(&own.waiting).try_acquire_owned() else { return Err(Refused::TooMany) };
        let turn = Arc::clone(&own.bodies).acquire_owned().await;
        let mut place = Line::enter(&self.bodies, client, received, Instant::now());
        let arrived = async {
            let body = read.await?;
            Ok((body, Arc::clone(&self.parsed).acquire_owned().await))
        };
        let (body, worked) = tokio::select! {
            () = place.taken_away() => Err(Refused::TooMany),
            arrived = arrived => arrived,
        }?;
        Ok((body, Turn { _worked: worked.ok(), _place: place, _own: (turn.ok(), waits, own) }))
    }

    /// Takes a place for an event stream.
    pub fn stream(&self, client: Client) -> Place {
        Line::enter(&self.streams, client, Arc::default(), Instant::now())
    }

    /// Takes a place for a connection.
    pub fn connection(&self, client: Client) -> Place {
        Line::enter(&self.connections, client, Arc::default(), Instant::now())
    }
}

/// Returns the number of connections that the process can hold, in all and for one visitor.
fn connections() -> (usize, usize) {
    let most = rustix::process::getrlimit(rustix::process::Resource::Nofile).current;
    let all = most.map_or(CONNECTIONS.0, |most| {
        let free = usize::try_from(most.saturating_sub(RESERVE)).unwrap_or(usize::MAX);
        CONNECTIONS.0.min(free.max(64))
    });
    (all, CONNECTIONS.1.min(all / 2))
}

/// Places in use, the oldest first. Nobody is refused a place: if a visitor has the maximum, another one of its own is
/// taken away, and if all are in use, one of the visitor with the most: the slowest, and of equally slow ones the oldest.
#[derive(Debug)]
struct Line {
    /// Places in all and for one address.
    most: (usize, usize),
    taken: Mutex<Taken>,
}

#[derive(Debug, Default)]
struct Taken {
    count: u64,
    places: VecDeque<Holder>,
}

#[derive(Debug)]
struct Holder {
    number: u64,
    client: Client,
    /// Number of bytes of all long answers of the visitor that wait to be read. Each of its places has this counter.
    visitor: Arc<AtomicUsize>,
    began: Instant,
    /// Number of bytes of a body that have arrived.
    received: Arc<AtomicU64>,
    /// Number of bytes of a long answer that wait to be read.
    unread: usize,
    /// Dropped to take the place away.
    _keep: oneshot::Sender<()>,
}

impl Holder {
    /// Returns the number of places that the visitor has.
    fn places(&self) -> usize {
        Arc::strong_count(&self.visitor)
    }

    fn all_unread(&self) -> usize {
        self.visitor.load(Ordering::Relaxed)
    }

    fn set_unread(&mut self, bytes: usize) {
        self.visitor.fetch_add(bytes, Ordering::Relaxed);
        self.visitor.fetch_sub(std::mem::replace(&mut self.unread, bytes), Ordering::Relaxed);
    }

    /// Returns the speed at which a body has arrived, in whole kilobytes a second. A second is the least time that counts:
    /// a short one tells little.
    fn speed(&self, now: Instant) -> u64 {
        let millis = now.saturating_duration_since(self.began).as_millis().max(1000);
        u64::try_from(u128::from(self.received.load(Ordering::Relaxed)) / millis).unwrap_or(u64::MAX)
    }
}

impl Drop for Holder {
    fn drop(&mut self) {
        self.set_unread(0);
    }
}

impl Taken {
    /// Returns the place to be taken away among those that may go: of the visitor with the largest share, the slowest.
    fn next(
        &self,
        may_go: impl Fn(&Holder) -> bool,
        share: impl Fn(&Holder) -> usize,
        now: Instant,
    ) -> Option<usize> {
        let some = self.places.iter().enumerate().filter(|(_, holder)| may_go(holder));
        let next = some.min_by_key(|(_, holder)| (Reverse(share(holder)), holder.speed(now)));
        next.map(|(next, _)| next)
    }

    /// Takes places away until the unread answers fit: the visitor's own, then those of the visitor with the most unread
    /// bytes, the oldest first. The place with this number stays.
    fn make_room(&mut self, number: u64, client: Client) {
        for (of, most) in [(Some(client), UNREAD.1), (None, UNREAD.0)] {
            let is_of = |holder: &&Holder| of.is_none_or(|client| holder.client == client);
            while self.places.iter().filter(is_of).map(|holder| holder.unread).sum::<usize>() > most {
                let is_other = |holder: &Holder| holder.unread > 0 && holder.number != number;
                let may_go = |holder: &Holder| is_of(&holder) && is_other(holder);
                let Some(next) = self.next(may_go, Holder::all_unread, Instant::now()) else { break };
                self.places.remove(next);
            }
        }
    }
}

impl Line {
    fn new(most: (usize, usize)) -> Arc<Self> {
        Arc::new(Self { most, taken: Mutex::default() })
    }

    fn enter(line: &Arc<Self>, client: Client, received: Arc<AtomicU64>, now: Instant) -> Place {
        let mut taken = locked(&line.taken);
        let (keep, gone) = oneshot::channel();
        taken.count += 1;
        let number = taken.count;
        let visitor = taken.places.iter().find(|holder| holder.client == client);
        let visitor = visitor.map(|holder| Arc::clone(&holder.visitor)).unwrap_or_default();
        let holder = Holder { number, client, visitor, began: now, received, unread: 0, _keep: keep };
        let own = holder.places();
        taken.places.push_back(holder);
        let is_own = own > line.most.1;
        if is_own || taken.places.len() > line.most.0 {
            let may_go = |other: &Holder| other.number != number && (!is_own || other.client == client);
            let next = taken.next(may_go, Holder::places, now);
            next.and_then(|next| taken.places.remove(next));
        }
        Place { line: Arc::clone(line), number, gone }
    }
}

/// A place. Dropping it gives it back.
#[derive(Debug)]
pub struct Place {
    line: Arc<Line>,
    number: u64,
    gone: oneshot::Receiver<()>,
}

impl Place {
    /// Returns the debt of the place's connection.
    pub fn debt(&self) -> Debt {
        Debt { line: Arc::clone(&self.line), number: self.number }
    }

    /// Returns once the place was taken away.
    pub async fn taken_away(&mut self) {
        let _ = (&mut self.gone).await;
    }
}

/// The bytes of a connection's answer that its visitor has not read.
#[derive(Debug, Clone)]
pub struct Debt {
    line: Arc<Line>,
    number: u64,
}

impl Debt {
    /// Sets the number of bytes. If there are too many, connections with unread answers are closed.
    pub fn set(&self, bytes: usize) {
        let mut taken = locked(&self.line.taken);
        let Some(own) = taken.places.iter_mut().find(|holder| holder.number == self.number) else { return };
        own.set_unread(bytes);
        let client = own.client;
        if bytes > 0 {
            taken.make_room(self.number, client);
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        locked(&self.line.taken).places.retain(|holder| holder.number != self.number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn an_address_has_its_share_of_the_streams_and_the_oldest_of_all_makes_room() {
        let budget = Budget::default();
        let client = |nth: u8| Client(IpAddr::from([127, 0, 0, nth]));
        let mut places: Vec<Place> = (0..=STREAMS.1).map(|_| budget.stream(client(1))).collect();
        assert!(places[0].gone.try_recv() == Err(oneshot::error::TryRecvError::Closed));
        assert!(places[1].gone.try_recv() == Err(oneshot::error::TryRecvError::Empty));
        for nth in 2..=4 {
            places.extend((0..STREAMS.1).map(|_| budget.stream(client(nth))));
        }
        assert_eq!(locked(&budget.streams.taken).places.len(), STREAMS.0);
        places.push(budget.stream(client(5)));
        assert!(places[1].gone.try_recv() == Err(oneshot::error::TryRecvError::Closed));
        assert_eq!(locked(&budget.streams.taken).places.len(), STREAMS.0);
        drop(places);
        assert_eq!(locked(&budget.streams.taken).places.len(), 0);
    }

    #[test]
    fn whoever_has_the_most_makes_room() {
        let client = |nth: u8| Client(IpAddr::from([127, 0, 1, nth]));
        let is_gone = |place: &mut Place| place.gone.try_recv() == Err(oneshot::error::TryRecvError::Closed);
        let budget = Budget::default();
        let mut few: Vec<Place> = (0..30).map(|_| budget.stream(client(0))).collect();
        let mut many: VecDeque<Place> = VecDeque::new();
        for nth in 0..3 * STREAMS.0 {
            many.push_back(budget.stream(client(1 + u8::try_from(nth % 32).unwrap())));
            if many.len() + few.len() > STREAMS.0 {
                assert!(is_gone(&mut many.pop_front().unwrap()), "{nth}");
            }
        }
        assert!(!few.iter_mut().any(is_gone));
        // Unread answers, the smaller one first.
        let mut places: Vec<Place> = (0..10).map(|nth| budget.connection(client(nth))).collect();
        let all = [(UNREAD.1 / 2, 0)].into_iter().chain((1..10).map(|nth| (UNREAD.1, nth)));
        all.for_each(|(bytes, nth)| places[nth].debt().set(bytes));
        assert_eq!(places.iter_mut().map(is_gone).position(|gone| gone), Some(1));
    }

    #[test]
    fn the_slowest_body_makes_room_and_one_that_arrives_stays() {
        let line = Line::new(BODIES);
        let start = Instant::now();
        let at = |millis| start + Duration::from_millis(millis);
        let enter = |nth: u8, bytes, millis| {
            let received = Arc::new(AtomicU64::new(bytes));
            let client = Client(IpAddr::from([127, 0, 1, nth]));
            (Line::enter(&line, client, Arc::clone(&received), at(millis)), received)
        };
        let is_given_up =
            |place: &mut Place| place.gone.try_recv() == Err(oneshot::error::TryRecvError::Closed);
        // One that stalls after a quick start, then a steady one.
        let (mut stalled, _) = enter(1, 1_000_000, 0);
        let (mut steady, received) = enter(2, 0, 1);
        // Each begins, sends a byte, and begins again when it is given up.
        let mut others = VecDeque::new();
        for millis in 1..=3000 {
            received.fetch_add(330, Ordering::Relaxed);
            others.push_back(enter(3 + u8::try_from(millis % 200).unwrap(), 1, millis).0);
            if others.len() > BODIES.0 - 2 {
                assert!(is_given_up(&mut others.pop_front().unwrap()), "{millis}");
            }
        }
        assert!(!is_given_up(&mut stalled) && !is_given_up(&mut steady));
        // All others are quicker: the one that stalls goes.
        others.clear();
        received.store(4000 * 330, Ordering::Relaxed);
        let _quick: Vec<_> = (3..=17).map(|nth| enter(nth, 400_000, 4000)).collect();
        assert!(is_given_up(&mut stalled) && !is_given_up(&mut steady));
    }
}
