//! The report card of the build: `referee mark`, quick, at a tenth of a second a move.

use super::Place;
use super::process::{quiet_output, succeed};
use crate::hand_in::submission;
use crate::registry::Game;
use anyhow::{Context, Result};
use std::fs;
use std::path::Path;

pub(super) fn card(place: &mut Place, game: Game, referee: &Path) -> Result<()> {
    let submission = submission(game)?;
    let Some(player) = submission.player(place) else { return Ok(()) };
    let mut command = place.command("", referee.to_str().context("a path")?);
    command.args(["mark", game.name(), "--player", &player, "--quick"]);
    command.args(submission.mark_options());
    let output = place.show_during("referee mark", || quiet_output(&mut command));
    let card = succeed(output.context("referee mark")?, "referee mark")?;
    // A criterion's line ends with its points. Its notes are indented below it.
    for line in card.lines().filter(|line| !line.starts_with(' ') && line.contains(" / ")) {
        let words: Vec<&str> = line.split_whitespace().collect();
        place.saw(format!("referee mark : {}", words.join(" ")));
    }
    Ok(())
}

impl Place<'_> {
    /// Returns the built program `below` the archive's root, as one word of the referee's command line.
    pub(crate) fn built(&self, below: &str) -> Option<String> {
        let path = self.folder.join(below);
        path.is_file().then(|| quoted(&path))
    }
}

/// Returns the first matching name in a folder.
pub(crate) fn entry(folder: &Path, is_meant: impl Fn(&str) -> bool) -> Option<String> {
    let names = fs::read_dir(folder).ok()?.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    names.filter(|name| is_meant(name)).min()
}

/// Quotes a path as one word of the referee's command line.
pub(crate) fn quoted(path: &Path) -> String {
    format!("'{}'", path.display().to_string().replace('\'', "'\\''"))
}
