//! Passes the arguments to the library.

fn main() -> std::process::ExitCode {
    wire::run("moules-serveur", moules_client::cli::serveur::main)
}
