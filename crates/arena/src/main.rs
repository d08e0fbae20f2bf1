//! `arena`: the page.

use std::process::ExitCode;

fn main() -> ExitCode {
    wire::run_apart("arena", arena::cli::main)
}
