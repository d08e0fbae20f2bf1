//! Passes the arguments to the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    wire::run_apart("remise", |words| {
        if words == ["guard"] {
            courses::peer::guard("remise", std::io::stdin().lock());
            return Ok(());
        }
        wire::file::remove_unfinished_on_signals(courses::peer::children::end).map_err(wire::Failure::run)?;
        remise::cli::main(words)
    })
}
