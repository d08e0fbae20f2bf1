//! The server: connections, and the rules under which requests are answered.
//!
//! Only this machine's own names are answered (`Host`), nothing is changed from a page of somebody else (`Origin`, a
//! token that only our pages hold), every body is bounded, and a browser may load nothing from elsewhere. A connection
//! that is slow to ask is closed; none waits for another.

mod answers;
mod begin;
mod hosts;
mod routes;

pub use hosts::Hosts;

use crate::hall::Hall;
use axum::Router;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

/// Connections at the same time.
const CONNECTIONS: usize = 4096;
/// The time that a connection may take to send its request's head.
const PATIENCE: Duration = Duration::from_secs(5);
/// The hall is tidied so often.
const TIDY: Duration = Duration::from_secs(15);

/// The state that every request finds.
pub struct Site {
    /// The rooms.
    pub hall: Hall,
    /// The tables of a run that is played elsewhere.
    pub tables: Option<Arc<dyn Tables>>,
    /// The token that requests for a change must carry.
    pub token: String,
    /// The names that this machine is called by.
    pub hosts: Hosts,
}

/// Games that are played elsewhere, for who watches.
pub trait Tables: Send + Sync {
    /// The page's part that changes, in a language.
    fn view(&self, language: courses::drawing::Language) -> String;

    /// The version, and to be told of the next ones.
    fn listen(&self) -> tokio::sync::watch::Receiver<u64>;

    /// The number of visitors who listen.
    fn watchers(&self) -> usize;
}

/// Answers requests until the process ends.
///
/// # Errors
/// Those of the listener.
pub async fn serve(listener: std::net::TcpListener, site: Arc<Site>) -> std::io::Result<()> {
    listener.set_nonblocking(true)?;
    let listener = TcpListener::from_std(listener)?;
    let tidy = Arc::clone(&site);
    tokio::spawn(async move {
        loop {
            tokio::time::sleep(TIDY).await;
            let site = Arc::clone(&tidy);
            let _ = tokio::task::spawn_blocking(move || site.hall.tidy()).await;
        }
    });
    let router = routes::router(site);
    let places = Arc::new(Semaphore::new(CONNECTIONS));
    loop {
        let place = Arc::clone(&places).acquire_owned().await;
        let stream = match listener.accept().await {
            Ok((stream, _)) => stream,
            Err(_) => {
                // No descriptor left, or a client that is gone already.
                tokio::time::sleep(Duration::from_millis(20)).await;
                continue;
            }
        };
        let router: Router = router.clone();
        tokio::spawn(async move {
            let _ = stream.set_nodelay(true);
            let mut http = hyper::server::conn::http1::Builder::new();
            http.timer(TokioTimer::new()).header_read_timeout(PATIENCE).max_buf_size(64 * 1024);
            let _ = http.serve_connection(TokioIo::new(stream), TowerToHyperService::new(router)).await;
            drop(place);
        });
    }
}
