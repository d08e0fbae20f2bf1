//! The interface of an assignment to the tools.

use crate::course::Course;
use crate::drawing::Language;
use crate::editor::Editor;
use crate::framework::JavaFramework;
use crate::lesson::Lesson;
use crate::notation::Notation;
use crate::openings::{OpeningNotation, Spaced};
use crate::options::GameOptions;
use crate::play::Play;
use crate::play::own::{OwnAnalyst, OwnPlayer, Terms};
use crate::play::watched::ServerPage;
use crate::puzzle::Puzzle;
use crate::review::{Moment, Reason};
use crate::strength::{Levels, Strength, levels};
use crate::thinking::Demo;
use anyhow::bail;
use std::ffi::OsString;
use std::ops::RangeInclusive;
use std::time::Duration;
use wire::Failure;

/// An assignment as the tools see it: its names, games and players.
///
/// Its [`Course`] has the rules, the protocols and the drawing of boards.
pub trait Assignment: Sync {
    /// Returns the name on the command line, in addresses and in records.
    fn name(&self) -> &'static str;

    /// Returns the title for people.
    fn title(&self, language: Language) -> &'static str;

    /// Returns a shorter title, to say which games a note is about.
    fn nickname(&self, language: Language) -> &'static str {
        self.title(language)
    }

    /// Returns a short description of the game, without a full stop. By default nothing.
    fn summary(&self, _language: Language) -> &'static str {
        ""
    }

    /// Returns the possible numbers of players.
    fn seats(&self) -> RangeInclusive<usize> {
        2..=2
    }

    /// Returns the project's own executables. The first one plays.
    fn executables(&self) -> &'static [&'static str];

    /// Returns the names of a student's program, the usual one first. `tp1_*` is any name with that beginning and figures.
    fn programs(&self) -> &'static [&'static str] {
        &[]
    }

    /// Returns the names of programs that the course gives as examples, in small letters.
    fn examples(&self) -> &'static [&'static str] {
        &[]
    }

    /// Returns the protocols that can be named before a command.
    fn protocols(&self) -> &'static [&'static str] {
        &[]
    }

    /// Returns the limits that apply if no option sets one.
    fn defaults(&self) -> Defaults {
        Defaults::default()
    }

    /// Returns the options that have a meaning for this game.
    fn options(&self) -> &'static [GameOption] {
        &[]
    }

    /// Returns the maximum number of empty squares from which games are scored by their exact solution.
    fn most_adjudicated(&self) -> u32 {
        0
    }

    /// Returns the course with the settings of `options`, for games of `seats` players. Its openings are not checked
    /// yet.
    ///
    /// # Errors
    /// If an opening file cannot be read, or a size is not valid.
    fn course(&'static self, options: &GameOptions, seats: usize) -> Result<Box<dyn Course>, Failure>;

    /// Returns the course for the games of a record file with this `setting`.
    ///
    /// # Errors
    /// Those of [`course`](Self::course).
    fn recorded(
        &'static self,
        options: &GameOptions,
        seats: usize,
        _setting: &str,
    ) -> Result<Box<dyn Course>, Failure> {
        self.course(options, seats)
    }

    /// Returns the notation of openings.
    fn openings(&self) -> &'static dyn OpeningNotation {
        &Spaced
    }

    /// Returns the notations of games beside PGN.
    fn notations(&self) -> &'static [&'static dyn Notation] {
        &[]
    }

    /// Returns the puzzles, the easiest first.
    fn puzzles(&self) -> &'static [Puzzle] {
        &[]
    }

    /// Returns the rules as cards that can be played, in the order to learn them.
    fn lessons(&self) -> &'static [Lesson] {
        &[]
    }

    /// Returns the board on which positions are set up by hand, if there is one.
    fn editor(&self) -> Option<&'static dyn Editor> {
        None
    }

    /// Returns the positions whose searches can be watched, the smallest first.
    fn demos(&self) -> &'static [Demo] {
        &[]
    }

    /// Returns what the rules or a proof say of a costly move. Everything that is said must hold.
    fn reasons(&self, _moment: &Moment<'_>) -> Vec<Box<dyn Reason>> {
        Vec::new()
    }

    /// Returns the least cost of a mistake, in the unit of its analysis.
    fn least_cost(&self) -> f64 {
        1.0
    }

    /// Returns the largest margin that a game can end with, in the unit of its values, if they are margins.
    fn most(&self) -> Option<f64> {
        None
    }

    /// Returns the reason why PGN cannot hold a game, if it cannot.
    fn pgn_refusal(&self) -> Option<&'static str> {
        None
    }

    /// Adds the settings of a record file to an opening in it.
    ///
    /// # Errors
    /// The error in the opening.
    fn whole_opening(&self, opening: &str, _setting: &str) -> anyhow::Result<String> {
        Ok(opening.to_owned())
    }

    /// Returns the phrases in English of its course, its faults and its results, each with the French one.
    fn phrases(&self) -> &'static [Phrase] {
        &[]
    }

    /// Returns the course's own server, if a page shows its games.
    fn server(&self) -> Option<&'static dyn Server> {
        None
    }

    /// Draws an opening from a seed. Returns `None` if the seed gives no suitable one.
    fn draw_opening(&self, _drawing: &Drawing<'_>, _seed: u64) -> Option<String> {
        None
    }

    /// Returns the options that [`draw_opening`](Self::draw_opening) depends on, as text.
    fn drawn_by(&self, drawing: &Drawing<'_>) -> String {
        format!("--plies {}", drawing.plies)
    }

    /// The levels of the project's own player. By default none plays at random or knows its number.
    fn levels(&self) -> &'static Levels {
        const { &levels([(0, 0); 10]) }
    }

    /// Returns the project's own player at this strength, for a game from `opening`. By default its first executable.
    fn opponent(&self, _strength: Strength, _opening: &str) -> Opponent {
        let player = self.executables().first().copied().unwrap_or_default();
        Opponent { player: player.to_owned(), ..Opponent::default() }
    }

    /// Returns the program that analyses positions, if there is one.
    fn analysis(&self) -> Option<AnalysisProgram> {
        None
    }

    /// Returns the project's own player in this process, for a game from `opening`.
    ///
    /// # Errors
    /// If the opening is not valid, or there is no such player.
    fn own_player(
        &self,
        _opening: &str,
        _seats: usize,
        _terms: &Terms,
    ) -> anyhow::Result<Box<dyn OwnPlayer>> {
        bail!("nobody plays {} here", self.name())
    }

    /// Returns the player that analyses in this process, with this many bytes for its tables, if there is one.
    fn own_analyst(&self, _memory: usize) -> Option<Box<dyn OwnAnalyst>> {
        None
    }

    /// Further ways to write a player and what can stand in its command, each with its meaning, for help texts.
    fn forms(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }

    /// The course's Java framework, whose `Joueur` a participant's class extends.
    fn java_framework(&self) -> Option<&'static JavaFramework> {
        None
    }

    /// The marks of its course, where they are not points.
    fn marks(&self) -> Option<Marks> {
        None
    }

    /// Returns true where the course orders a tournament by sums of scores, ties replayed at other depths.
    fn ranks_by_score(&self) -> bool {
        false
    }

    /// Returns true where games know clocks for the whole game, resignation, draws by agreement and a last move.
    fn knows_clocks(&self) -> bool {
        true
    }

    /// Returns true if players at an address connect to the judge, which then holds one game at a time.
    fn listens(&self) -> bool {
        false
    }

    /// The marking scheme of its course, if there is one.
    #[cfg(feature = "marking")]
    fn marking(&self) -> Option<&'static dyn crate::marking::MarkingScheme> {
        None
    }

    /// Returns the steps by which a program's protocol is checked, if there are any.
    #[cfg(feature = "marking")]
    fn compliance(&self) -> Option<&'static dyn crate::compliance::Compliance> {
        None
    }

    /// The game that `referee demo` plays, if there is one.
    fn demonstration(&self) -> Option<Demonstration> {
        None
    }

    /// Returns the archive that the course receives, if it receives one.
    #[cfg(feature = "hand-in")]
    fn submission(&self) -> Option<&'static dyn crate::hand_in::Submission> {
        None
    }

    /// Opens a game for a page, from an opening in the notation of records. `seats` is used if the number of players is
    /// free.
    ///
    /// # Errors
    /// If the opening is not valid, or the game has no page.
    fn open(&self, _opening: &str, _seats: usize) -> anyhow::Result<Box<dyn Play>> {
        bail!("{} has no page", self.name())
    }

    /// Converts an opening that a person has typed, without a position, to the notation of records.
    ///
    /// # Errors
    /// The error in the text.
    fn start(&self, text: &str) -> anyhow::Result<String> {
        Ok(text.to_owned())
    }

    /// Combines an opening that a person has typed with a size.
    fn sized(&self, text: &str, _size: &str) -> String {
        text.to_owned()
    }

    /// Returns true if the size of the board is free.
    fn has_size(&self) -> bool {
        false
    }

    /// Returns the opening of a game from no text, of a size that may be empty. `number` chooses among many. `None`
    /// means that of [`start`](Self::start).
    fn beginning(&self, _size: &str, _number: u64) -> Option<String> {
        None
    }

    /// Adds a size, unless it is empty, to an opening that states none.
    fn resized(&self, opening: String, _size: &str) -> String {
        opening
    }

    /// Describes the texts that [`start`](Self::start) reads, for a hint.
    fn typed(&self, _language: Language) -> &'static str {
        ""
    }

    /// Returns the game's own keys on a page, for its help.
    fn keys(&self) -> &'static [KeyHelp] {
        &[]
    }

    /// Returns true if a decided value of its analysis is a proof.
    fn proves_values(&self) -> bool {
        true
    }

    /// Draws a seat's sign as SVG, for games whose players have more than a colour.
    fn badge(&self, _seat: usize) -> Option<String> {
        None
    }

    /// Returns the CSS class of a seat's swatch on a page: `deep`, `pale`, `x`, `o`.
    fn swatch(&self, seat: usize) -> &'static str {
        if seat == 0 { "deep" } else { "pale" }
    }

    /// Returns the rules of style of its drawings beyond the [shared ones](crate::drawing::style).
    fn style(&self) -> &'static str {
        ""
    }

    /// Returns an opening whose board serves as the game's picture.
    fn sample(&self) -> &'static str {
        ""
    }
}

/// A phrase in English and in French.
pub type Phrase = (&'static str, &'static str);

/// A key on a page, and its effect in French and in English.
pub type KeyHelp = (&'static str, &'static str, &'static str);

/// A course's own server, whose games a page can show.
pub trait Server: Sync {
    /// Returns the name of its executable.
    fn program(&self) -> &'static str;

    /// Names the files of its games, which a page can open.
    fn journal(&self, language: Language) -> &'static str;

    /// Runs it with these arguments, without those of the page, and shows its games there.
    ///
    /// # Errors
    /// Those of the server and of the page.
    fn run(&self, arguments: Vec<OsString>, page: &mut dyn ServerPage) -> Result<(), Failure>;
}

/// Marks in place of points.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Marks {
    /// Marks for a whole point.
    pub a_point: f64,
    /// A sentence that explains the marks, without a full stop.
    pub scale: &'static str,
}

/// An option of [`GameOptions`] that means something for a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GameOption {
    /// The name without its dashes.
    pub name: &'static str,
    /// The meaning, for help texts.
    pub meaning: &'static str,
    /// The default, if it depends on the game.
    pub default: Option<&'static str>,
}

/// Limits where no option sets one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Defaults {
    /// Time of a move.
    pub time: Option<Duration>,
    /// Grace: an answer this late still counts.
    pub grace: Duration,
    /// Virtual memory of each process, in bytes.
    pub memory: Option<u64>,
}

impl Default for Defaults {
    fn default() -> Self {
        Self { time: None, grace: Duration::from_millis(50), memory: None }
    }
}

/// The parameters for drawing openings.
#[derive(Debug, Clone, Copy)]
pub struct Drawing<'a> {
    /// Number of plies.
    pub plies: usize,
    /// Maximum difference from level, in the search's points.
    pub level: i32,
    /// Positions in the search that checks the level, or 0 for a shallow search only.
    pub positions: u64,
    /// The options, with the size of the board.
    pub options: &'a GameOptions,
}

/// The project's own player as an opponent.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Opponent {
    /// The player as on the command line.
    pub player: String,
    /// The time of a move for its protocol, also if another program plays instead.
    pub time: Option<Duration>,
    /// Virtual memory in bytes.
    pub memory: Option<u64>,
}

/// A program that analyses positions by the dialogue of [`wire::analysis`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AnalysisProgram {
    /// The command that starts the program, with its arguments.
    pub command: &'static [&'static str],
    /// The number of moves whose values are requested, to be shown on the board.
    pub moves: usize,
    /// True if the program takes `--threads N`.
    pub threads: bool,
}

/// A game for a demonstration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Demonstration {
    /// The title, with the players and the conditions.
    pub title: &'static str,
    /// The players, as the command line takes them.
    pub players: &'static [&'static str],
    /// The names of the seats.
    pub sides: &'static [&'static str],
    /// The opening, in the game's notation.
    pub opening: &'static str,
    /// Milliseconds a move.
    pub millis: u64,
}
