//! The report card of what was built: `referee mark` on it, quick, a tenth of a second a move.

use super::Place;
use super::process::succeed;
use crate::course::Game;
use anyhow::{Context, Result};
use std::fs;
use std::path::Path;

pub(super) fn card(place: &mut Place, game: Game, referee: &Path) -> Result<()> {
    let Some(player) = player(place, game) else { return Ok(()) };
    let mut command = place.command("", referee.to_str().context("a path")?);
    command.args(["mark", &game.to_string(), "--player", &player, "--quick"]);
    if matches!(game, Game::Connect5 | Game::Uttt) {
        command.args(["--time", "100"]);
    }
    let card = succeed(command.output().context("referee mark")?, "referee mark")?;
    // A criterion's line ends with its points; notes stand below it, further in.
    for line in card.lines().filter(|line| !line.starts_with(' ') && line.contains(" / ")) {
        let words: Vec<&str> = line.split_whitespace().collect();
        place.saw(format!("referee mark : {}", words.join(" ")));
    }
    Ok(())
}

/// The player as the referee is told of it; `None` where nothing was built.
fn player(place: &Place, game: Game) -> Option<String> {
    let built = |below: &str| {
        let path = place.folder.join(below);
        path.is_file().then(|| quoted(&path))
    };
    match game {
        Game::Connect5 => built("tp1/src/joueur"),
        Game::Gounki => built("gounki").map(|path| format!("{path} --time 100")),
        Game::Moules => built("moules-client").map(|path| format!("{path} --time 100")),
        Game::Othello => {
            // The framework's stand-in lies beside the package.
            built("Othello/Joueur.class")?;
            let name = entry(&place.folder.join("Participants"), |_| true)?;
            Some(format!("java:{} Participants.{name}.Joueur", quoted(&place.folder)))
        }
        Game::Uttt => {
            let script = entry(&place.folder, |name| name.starts_with("tp1_") && name.ends_with(".py"))?;
            place.exists("python3").then(|| format!("python3 {}", quoted(&place.folder.join(script))))
        }
    }
}

/// The first name in a folder that is meant.
fn entry(folder: &Path, is_meant: impl Fn(&str) -> bool) -> Option<String> {
    let names = fs::read_dir(folder).ok()?.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    names.filter(|name| is_meant(name)).min()
}

/// A path as one word of the referee's command line.
fn quoted(path: &Path) -> String {
    format!("'{}'", path.display().to_string().replace('\'', "'\\''"))
}
