//! Lists the games for scripts.

use courses::registry;
use std::fmt::Write as _;
use wire::Failure;

/// Prints a line a game, with tabs between: its name, the most players, its executables, its own options.
pub fn run() -> Result<(), Failure> {
    let mut text = String::new();
    for game in registry::all() {
        let options: Vec<&str> = game.options().iter().map(|option| option.name).collect();
        let (most, programs) = (game.seats().end().to_owned(), game.executables().join(" "));
        let _ = writeln!(text, "{game}\t{most}\t{programs}\t{}", options.join(" "));
    }
    wire::print(text)
}
