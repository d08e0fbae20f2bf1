//! The arena as a browser and a stranger meet it.

#![allow(clippy::disallowed_methods, reason = "tests make files as they like")]

mod accessible;
mod again;
mod analysis;
mod browser;
mod budgets;
mod buttons;
mod client;
mod clocks;
mod driver;
mod engines;
mod explored;
mod faults;
mod files;
mod kept;
mod keyboard;
mod levels;
mod lists;
mod marks;
mod maze;
mod middle;
mod notes;
mod page;
mod people;
mod phones;
mod puzzles;
mod replay;
mod review;
mod seats;
mod server;
mod setup;
mod speed;
mod strangers;
mod study;
mod thinking;
mod variations;
mod watched;
mod wording;
