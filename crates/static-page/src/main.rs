//! `static-page`: writes the folder, or measures a player.

use std::process::ExitCode;

fn main() -> ExitCode {
    wire::run("static-page", static_page::cli::main)
}
