//! The server: connections, and the rules under which requests are answered.
//!
//! Requests are answered only under this machine's own names (`Host`), and change something only from our own pages
//! (`Origin`, a token that only our pages have). Every body is bounded, and a browser may load nothing from elsewhere.
//! Slow connections are closed, no visitor waits for another one, and what a visitor can use is bounded.
//!
//! - [`gate`]: the rules for requests; [`budget`]: limits a visitor; [`hosts`]: names; [`runtime`]: threads, secrets.
//! - [`routes`], [`begin`]: the addresses of the arena; [`tables`]: those of a run that is only shown.
//! - [`answers`]: refusals; [`streams`]: news of changes; [`packed`], [`change`]: short answers.
//! - [`unread`]: long answers.
//! - [`rooms`], [`room`]: shared sessions; [`seats`]: invitations; [`store`]: their files; [`process`], [`analysis`]: engines; [`places`]: limits.

mod analysis;
mod answers;
mod begin;
mod budget;
mod change;
mod connection;
mod gate;
mod hosts;
mod packed;
mod places;
mod process;
mod requests;
mod room;
mod rooms;
mod routes;
mod runtime;
mod seats;
mod store;
mod streams;
mod summaries;
mod tables;
mod unread;

pub use budget::{Budget, Client};
pub use gate::Gate;
pub use hosts::{Hosts, address, host};
pub use places::offered;
pub use process::set_folder;
pub use rooms::Rooms;
pub use runtime::{secret, start_threads, token};
pub use tables::Tables;

use axum::middleware::{from_fn, from_fn_with_state};
use axum::{Extension, Router};
use connection::Connection;
use futures_util::future::select;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;

/// Maximum time for the head of a request to arrive.
const PATIENCE: Duration = Duration::from_secs(5);
/// Interval between two checks for rooms without visitors.
const TIDY: Duration = Duration::from_secs(15);

/// The state of the arena's requests.
pub struct Site {
    /// All rooms of the arena.
    pub rooms: Rooms,
    /// The rules for requests.
    pub gate: Arc<Gate>,
    /// The limits of visitors.
    pub budget: Budget,
    /// True if the rooms are those of a run, which has no first page and no puzzles.
    pub is_run: bool,
}

/// Serves the arena until the process ends.
///
/// # Errors
/// Those of the listener.
pub async fn serve(listener: std::net::TcpListener, site: Arc<Site>) -> std::io::Result<()> {
    keep_tidy(Arc::clone(&site));
    accept(listener, routes::router(site)).await
}

/// Ends the engines of rooms without visitors from time to time.
fn keep_tidy(tidy: Arc<Site>) {
    tokio::spawn(async move {
        loop {
            tokio::time::sleep(TIDY).await;
            let site = Arc::clone(&tidy);
            let _ = tokio::task::spawn_blocking(move || site.rooms.tidy()).await;
        }
    });
}

/// Serves the page of a run until the process ends, and after the run the rooms of `site`.
///
/// # Errors
/// Those of the listener.
pub async fn show(
    listener: std::net::TcpListener,
    tables: Arc<dyn Tables>,
    hosts: Hosts,
    site: Arc<Site>,
) -> std::io::Result<()> {
    keep_tidy(Arc::clone(&site));
    let once_over = from_fn_with_state(Arc::clone(&tables), tables::once_over);
    let rooms = routes::rooms(Arc::clone(&site)).layer(once_over);
    accept(listener, tables::router(tables, hosts, site).merge(rooms)).await
}

async fn accept(listener: std::net::TcpListener, router: Router) -> std::io::Result<()> {
    listener.set_nonblocking(true)?;
    let listener = TcpListener::from_std(listener)?;
    let budget = Budget::default();
    let router = router.layer(from_fn(unread::counted));
    loop {
        let (stream, address) = match listener.accept().await {
            Ok(accepted) => accepted,
            Err(_) => {
                // No descriptor left, or a client that is gone already.
                tokio::time::sleep(Duration::from_millis(20)).await;
                continue;
            }
        };
        let client = Client(visitor(address.ip()));
        let mut place = budget.connection(client);
        let router: Router = router.clone().layer(Extension(client)).layer(Extension(place.debt()));
        tokio::spawn(async move {
            let _ = wire::tcp::prepare(&stream);
            let mut http = hyper::server::conn::http1::Builder::new();
            // The library cannot write a date before 1970 or after 9999, where a clock may stand.
            http.auto_date_header(false);
            http.timer(TokioTimer::new()).header_read_timeout(PATIENCE).max_buf_size(16 * 1024);
            let answers =
                http.serve_connection(TokioIo::new(Connection(stream)), TowerToHyperService::new(router));
            select(Box::pin(answers), Box::pin(place.taken_away())).await;
        });
    }
}

/// Returns the address of a visitor. For IPv6 it is the network of 64 bits, in which a visitor has many addresses.
fn visitor(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => {
            let network = address.to_bits() & !u128::from(u64::MAX);
            IpAddr::V6(network.into())
        }
        address => address,
    }
}
