//! Passes the arguments to the library.

fn main() -> std::process::ExitCode {
    wire::run("moules-client", moules_client::cli::client::main)
}
