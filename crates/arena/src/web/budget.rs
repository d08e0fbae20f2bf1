//! Budgets of visitors: requests, bodies and streams, for each address and for all of them.
//!
//! Work on a request runs on threads of its own, a few at a time and fewer for one address, in the order of arrival:
//! the threads that read and write never wait for it.

use super::answers::Refused;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use std::collections::{HashMap, VecDeque};
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};

/// Requests that are worked on at the same time, in all and for one address.
const WORKS: (usize, usize) = (4, 2);
/// Requests of one address that wait.
const WAITING: usize = 512;
/// Large bodies that are received and read at the same time, in all and for one address.
const BODIES: (usize, usize) = (2, 1);
/// Event streams, in all and for one address.
const STREAMS: (usize, usize) = (1024, 256);
/// Connections, in all and for one address.
const CONNECTIONS: (usize, usize) = (4096, 1024);
/// Descriptors that are left to engines and files.
const RESERVE: u64 = 256;

/// The address that a request comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Client(pub IpAddr);

/// The budget of one address.
#[derive(Debug)]
struct Own {
    works: Arc<Semaphore>,
    waiting: Arc<Semaphore>,
    bodies: Arc<Semaphore>,
}

/// What visitors may take.
#[derive(Debug)]
pub struct Budget {
    works: Arc<Semaphore>,
    bodies: Arc<Semaphore>,
    addresses: Mutex<HashMap<Client, Weak<Own>>>,
    streams: Arc<Line>,
    connections: Arc<Line>,
}

impl Default for Budget {
    fn default() -> Self {
        Self {
            works: Arc::new(Semaphore::new(WORKS.0)),
            bodies: Arc::new(Semaphore::new(BODIES.0)),
            addresses: Mutex::default(),
            streams: Line::new(STREAMS),
            connections: Line::new(connections()),
        }
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Two places: the address's own, and one of all.
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
    /// The budget of an address; it is forgotten with its last request.
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

    /// Works on a request once it is its turn.
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

    /// Waits for a place for a large body, which is held until its content is read.
    pub async fn body(&self, client: Client) -> Result<impl Send + use<>, Response> {
        let own = self.own(client);
        let Ok(waits) = Arc::clone(&own.waiting).try_acquire_owned() else { return Err(busy()) };
        let places = places(&own.bodies, &self.bodies).await;
        Ok((places, waits, own))
    }

    /// A place for an event stream.
    pub fn stream(&self, client: Client) -> Place {
        Line::enter(&self.streams, client)
    }

    /// A place for a connection.
    pub fn connection(&self, client: Client) -> Place {
        Line::enter(&self.connections, client)
    }
}

/// The connections that the process can hold, in all and for one address.
fn connections() -> (usize, usize) {
    let most = rustix::process::getrlimit(rustix::process::Resource::Nofile).current;
    let all = most.map_or(CONNECTIONS.0, |most| {
        let free = usize::try_from(most.saturating_sub(RESERVE)).unwrap_or(usize::MAX);
        CONNECTIONS.0.min(free.max(64))
    });
    (all, CONNECTIONS.1.min(all / 2))
}

/// Places that are taken, the oldest first. Nobody is refused one: the oldest place of the same address is taken away
/// for it where the address has its share, else the oldest of all.
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
    /// Dropped to take the place away.
    _keep: oneshot::Sender<()>,
}

impl Line {
    fn new(most: (usize, usize)) -> Arc<Self> {
        Arc::new(Self { most, taken: Mutex::default() })
    }

    fn enter(line: &Arc<Self>, client: Client) -> Place {
        let mut taken = locked(&line.taken);
        let (keep, gone) = oneshot::channel();
        taken.count += 1;
        let number = taken.count;
        taken.places.push_back(Holder { number, client, _keep: keep });
        let own = taken.places.iter().filter(|holder| holder.client == client).count();
        if own > line.most.1 {
            let oldest = taken.places.iter().position(|holder| holder.client == client);
            oldest.and_then(|oldest| taken.places.remove(oldest));
        } else if taken.places.len() > line.most.0 {
            taken.places.pop_front();
        }
        Place { line: Arc::clone(line), number, gone }
    }
}

/// A place in a line; dropping it gives it back.
#[derive(Debug)]
pub struct Place {
    line: Arc<Line>,
    number: u64,
    gone: oneshot::Receiver<()>,
}

impl Place {
    /// Returns once the place was taken away.
    pub async fn taken_away(&mut self) {
        let _ = (&mut self.gone).await;
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
}
