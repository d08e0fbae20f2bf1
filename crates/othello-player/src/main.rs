//! Passes the arguments to the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    wire::run("othello-player", othello_player::cli::main)
}
