//! `arena`: the page.

use std::process::ExitCode;

fn main() -> ExitCode {
    wire::run("arena", arena::cli::main)
}
