//! Help texts of options whose meaning or default depends on the game.

use crate::assignment::Defaults;
use crate::registry;

/// Returns the help text of `--time`.
pub fn time() -> String {
    let time = |defaults: Defaults| defaults.time.map(|time| time.as_millis().to_string());
    format!("Milliseconds a move [default: {}no limit for the others]", listed(", ", time))
}

/// Returns the help text of `--grace`.
pub fn grace() -> String {
    let general = Defaults::default().grace;
    let mut text =
        format!("Milliseconds by which a move may exceed its time [default: {}", general.as_millis());
    for game in registry::all() {
        let own = game.defaults().grace;
        if own != general {
            text += &format!("; {game} {}", own.as_millis());
        }
    }
    text + "]"
}

/// Returns the help text of `--memory`.
pub fn memory() -> String {
    let memory = |defaults: Defaults| defaults.memory.map(|bytes| (bytes >> 20).to_string());
    format!(
        "Virtual memory of each player's process, in MB [default: {}else unlimited]",
        listed(", ", memory)
    )
}

/// Returns the help text of an option that some games have: its meaning in each, and their defaults.
pub fn of(option: &str) -> String {
    let (mut meanings, mut defaults) = (Vec::new(), Vec::new());
    for game in registry::all() {
        for own in game.options().iter().filter(|own| own.name == option) {
            meanings.push(format!("{game}: {}", own.meaning));
            defaults.extend(own.default);
        }
    }
    let defaults =
        if defaults.is_empty() { String::new() } else { format!(" [default: {}]", defaults.join("; ")) };
    meanings.join("; ") + &defaults
}

/// Lists the defaults that games have, each with its games and this text after it.
fn listed(after: &str, of: impl Fn(Defaults) -> Option<String>) -> String {
    let mut values: Vec<(String, Vec<&str>)> = Vec::new();
    for game in registry::all() {
        let Some(value) = of(game.defaults()) else { continue };
        let name = game.assignment().name();
        match values.iter_mut().find(|(known, _)| *known == value) {
            Some((_, names)) => names.push(name),
            None => values.push((value, vec![name])),
        }
    }
    values.into_iter().map(|(value, names)| format!("{value} for {}{after}", names.join(" and "))).collect()
}
