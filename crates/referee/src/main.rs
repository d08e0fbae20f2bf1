//! Passes the arguments to the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    wire::run_apart("referee", referee::cli::main)
}
