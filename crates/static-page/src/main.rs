//! `static-page`: writes the folder, or measures a player.

use std::process::ExitCode;

fn main() -> ExitCode {
    wire::run_apart("static-page", |words| {
        wire::file::remove_unfinished_on_signals(|| ()).map_err(wire::Failure::run)?;
        static_page::cli::main(words)
    })
}
