//! Passes the arguments to the library.

use connect5_joueur::cli;
use std::process::ExitCode;

fn main() -> ExitCode {
    wire::run("connect5-joueur", cli::main)
}
