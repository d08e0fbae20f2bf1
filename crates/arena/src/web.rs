//! The server: connections, and the rules under which requests are answered.
//!
//! Only this machine's own names are answered (`Host`), nothing is changed from a page of somebody else (`Origin`, a
//! token that only our pages hold), every body is bounded, and a browser may load nothing from elsewhere. A connection
//! that is slow to ask is closed, no request waits for another address's, and what one address may take is bounded.
//!
//! - [`gate`]: who may ask; [`budget`]: how much; [`streams`]: news of changes; [`packed`]: fewer bytes.
//! - [`routes`], [`begin`]: the addresses of the arena; [`tables`]: those of a run that is only shown.

mod answers;
mod begin;
mod budget;
mod gate;
mod hosts;
mod packed;
mod routes;
mod streams;
mod tables;

pub use budget::{Budget, Client};
pub use gate::Gate;
pub use hosts::Hosts;
pub use tables::Tables;

use crate::hall::Hall;
use axum::{Extension, Router};
use futures_util::future::select;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;

/// The time that a connection may take to send its request's head.
const PATIENCE: Duration = Duration::from_secs(5);
/// The hall is tidied so often.
const TIDY: Duration = Duration::from_secs(15);

/// The state that every request to the arena finds.
pub struct Site {
    /// The rooms.
    pub hall: Hall,
    /// Who may ask.
    pub gate: Arc<Gate>,
    /// What visitors may take.
    pub budget: Budget,
}

/// Answers requests to the arena until the process ends.
///
/// # Errors
/// Those of the listener.
pub async fn serve(listener: std::net::TcpListener, site: Arc<Site>) -> std::io::Result<()> {
    let tidy = Arc::clone(&site);
    tokio::spawn(async move {
        loop {
            tokio::time::sleep(TIDY).await;
            let site = Arc::clone(&tidy);
            let _ = tokio::task::spawn_blocking(move || site.hall.tidy()).await;
        }
    });
    accept(listener, routes::router(site)).await
}

/// Answers requests to the page of a run that is played elsewhere, until the process ends.
///
/// # Errors
/// Those of the listener.
pub async fn show(
    listener: std::net::TcpListener,
    tables: Arc<dyn Tables>,
    hosts: Hosts,
) -> std::io::Result<()> {
    accept(listener, tables::router(tables, hosts)).await
}

async fn accept(listener: std::net::TcpListener, router: Router) -> std::io::Result<()> {
    listener.set_nonblocking(true)?;
    let listener = TcpListener::from_std(listener)?;
    let budget = Budget::default();
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
        let router: Router = router.clone().layer(Extension(client));
        let mut place = budget.connection(client);
        tokio::spawn(async move {
            let _ = wire::tcp::prepare(&stream);
            let mut http = hyper::server::conn::http1::Builder::new();
            http.timer(TokioTimer::new()).header_read_timeout(PATIENCE).max_buf_size(64 * 1024);
            let answers = http.serve_connection(TokioIo::new(stream), TowerToHyperService::new(router));
            select(Box::pin(answers), Box::pin(place.taken_away())).await;
        });
    }
}

/// The address of a visitor: of version 6, the network of 64 bits, for a visitor has as many addresses in it as they like.
fn visitor(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => {
            let network = address.to_bits() & !u128::from(u64::MAX);
            IpAddr::V6(network.into())
        }
        address => address,
    }
}
