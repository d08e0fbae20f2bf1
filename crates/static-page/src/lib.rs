//! The arena without a server: a folder of files for any web host, with the players as WebAssembly.
//!
//! One module holds one game. The page has an instance for its session, and each worker has one for a player or an
//! analysis. Texts go in and out as JSON.
//!
//! - [`request`]: the requests of the page and of its workers; [`exports`]: the functions of the module.
//! - [`table`]: the page's session; [`thinker`]: the players in a worker; [`measure`]: figures of a player.
//! - [`host`]: the time from the browser, and messages to the script.
//! - `site`: the pages of the folder; `cli`: the program that writes them (feature `site`).

#![deny(unsafe_code)]
#![deny(clippy::print_stdout, clippy::print_stderr)]

#[cfg(feature = "site")]
pub mod cli;
pub mod exports;
pub mod host;
pub mod measure;
pub mod request;
#[cfg(feature = "site")]
pub mod site;
pub mod table;
pub mod thinker;
