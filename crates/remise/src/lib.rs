//! `remise`: the command line around [`courses::hand_in`].

#![forbid(unsafe_code)]
#![deny(clippy::print_stdout, clippy::print_stderr)]

pub mod cli;
