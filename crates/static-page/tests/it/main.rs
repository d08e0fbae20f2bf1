//! The folder as a browser meets it, and the requests of its modules.

#![allow(clippy::disallowed_methods, reason = "tests make files as they like")]

mod browser;
#[allow(dead_code, reason = "the arena's tests use the rest")]
#[path = "../../../arena/tests/it/client.rs"]
mod client;
#[allow(dead_code, reason = "the arena's tests use the rest")]
#[path = "../../../arena/tests/it/driver.rs"]
mod driver;
mod pages;
mod requests;
mod server;
