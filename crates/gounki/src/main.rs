//! Passes the arguments to the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    wire::run("gounki", gounki::cli::main)
}
