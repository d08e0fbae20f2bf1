//! Games that are played elsewhere, as their viewers see them.

use crate::drawing::Language;
use std::fmt::Debug;
use std::sync::Arc;
use wire::Failure;

/// A table beside a board: the players, and what they have.
pub trait Scoreboard: Debug + Send + Sync {
    /// Describes the state of the game in one line.
    fn summary(&self, language: Language) -> String;

    /// Returns the heads of the columns after that of the signs.
    fn heads(&self, language: Language) -> Vec<&'static str>;

    /// Returns a row a player: its sign as SVG, and its cells.
    fn rows(&self, language: Language) -> Vec<(String, Vec<String>)>;

    /// Returns the number of items left, and their name.
    fn left(&self, language: Language) -> (usize, &'static str);
}

/// A page that shows the games of a course's own server.
pub trait ServerPage {
    /// Takes an option of the page.
    ///
    /// # Errors
    /// If the value is not valid.
    fn option(&mut self, option: &str, value: &str) -> Result<(), Failure>;

    /// Opens the page, under the title of the server.
    ///
    /// # Errors
    /// If its address is not available.
    fn open(&mut self, title: &str) -> Result<(), Failure>;

    /// Shows the port on which the server waits for players, and the addresses of those that are connected.
    fn wait(&mut self, port: u16, clients: &[String]);

    /// Shows a game: its players, its board as SVG, and the table beside it.
    fn show(&mut self, names: &[String], drawing: String, scoreboard: Arc<dyn Scoreboard>);

    /// Returns the number of viewers.
    fn watchers(&self) -> usize;

    /// Shows that the game is not kept, for this reason.
    fn unkept(&mut self, why: &str);

    /// Tells a failure of the server, and ends the page when nobody watches any more.
    ///
    /// # Errors
    /// That failure.
    fn close(&mut self, done: Result<(), Failure>) -> Result<(), Failure>;
}
