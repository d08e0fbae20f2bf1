//! `referee replay`: replays and judges recorded games.

use super::tournament::record_course;
use clap::Args;
use courses::options::GameOptions;
use courses::store;
use std::fmt::Write as _;
use std::path::PathBuf;
use wire::Failure;

/// Shows a recorded game and judges every move again, under its run's settings. The options below are for records without
/// settings.
#[derive(Debug, Args)]
pub struct Replay {
    /// The record file
    file: PathBuf,
    /// The game's number, from 1 as in results; without it, every game is judged and only the results are shown
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    game: Option<u64>,
    /// Show every board, not only the last one
    #[arg(long)]
    boards: bool,
    #[command(flatten)]
    options: GameOptions,
}

impl Replay {
    /// Shows the game.
    ///
    /// # Errors
    /// If the file does not contain the game, or a move is illegal.
    pub fn run(&self) -> Result<(), Failure> {
        let (head, mut records) = store::load(&self.file).map_err(Failure::input)?;
        records.sort_by_key(|record| record.game);
        if let Some(number) = self.game {
            records.retain(|record| record.game + 1 == number);
            if records.is_empty() {
                return Err(Failure::input(format!("{}: no game {number}", self.file.display())));
            }
        }
        let course = record_course(&head, &self.options)?;
        for record in &records {
            let moves = &record.played.moves;
            let mut text = format!(
                "game {}: {}; opening \"{}\"; {} moves; {}\n",
                record.game + 1,
                record.names.join(" - "),
                record.opening,
                moves.len(),
                record.played.end
            );
            let mut nth = 0;
            let mut show = |picture: &dyn Fn() -> String| {
                if self.game.is_some() && (self.boards || nth == moves.len()) {
                    if let Some(mv) = nth.checked_sub(1).and_then(|nth| moves.get(nth)) {
                        let _ = writeln!(text, "{nth}. {mv}");
                    }
                    text += &picture();
                }
                nth += 1;
            };
            course
                .show(&record.opening, &record.played, &mut show)
                .map_err(|error| Failure::input(format!("game {}: {error}", record.game + 1)))?;
            wire::print(wire::printable(&text))?;
        }
        Ok(())
    }
}
