//! The executable: hands its arguments to the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    wire::run("uttt", uttt::cli::main)
}
