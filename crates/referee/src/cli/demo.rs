//! `referee demo`: one game of each assignment, with every executable as a real process.

use super::interrupt;
use clap::Args;
use courses::course::GameSetup;
use courses::options::GameOptions;
use courses::player::Player;
use courses::registry::{self, Game};
use std::time::Duration;
use wire::Failure;

/// Grace: an answer this late still counts.
const PATIENCE: Duration = Duration::from_secs(10);

/// Plays one whole game of each assignment.
#[derive(Debug, Args)]
pub struct Demo {
    /// The games to play [default: all]
    games: Vec<Game>,
    /// Show every board, not only the last one
    #[arg(long)]
    boards: bool,
    #[command(flatten)]
    options: GameOptions,
}

impl Demo {
    /// Plays the games.
    ///
    /// # Errors
    /// If an executable is missing, or a game ended by a fault.
    pub fn run(&self) -> Result<(), Failure> {
        let supervisor = interrupt::supervisor()?;
        let mut faulty = Vec::new();
        let games = if self.games.is_empty() { registry::all() } else { self.games.clone() };
        for &game in &games {
            let Some(show) = game.demonstration() else { continue };
            let players: Vec<Player> = show
                .players
                .iter()
                .map(|text| text.parse())
                .collect::<Result<_, _>>()
                .map_err(Failure::run)?;
            let options =
                GameOptions { time: self.options.time.or(Some(show.millis)), ..self.options.clone() };
            let course = options.course(game, players.len())?;
            let mut conditions = options.conditions(game)?;
            // The demo shows whole games, so no player should lose on time on a busy machine.
            conditions.grace = conditions.grace.max(PATIENCE);
            let opening = if show.opening.is_empty() { String::new() } else { show.opening.to_owned() };
            wire::print_line(format_args!("== {}: {}", course.name(), show.title))?;
            let mut last = String::new();
            let mut moves = Vec::new();
            let boards = self.boards;
            let mut told = Ok(());
            let mut watch = |event: &courses::course::Event<'_>| {
                last = event.board.picture();
                if let Some(seat) = event.seat {
                    moves.push(event.text.to_owned());
                    if boards {
                        let shown = format!("{} {}: {}\n{last}\n", moves.len(), show.sides[seat], event.text);
                        if told.is_ok() {
                            told = wire::print(wire::printable(&shown));
                        }
                    }
                }
            };
            let mut setup = GameSetup {
                players: players.iter().collect(),
                opening: &opening,
                seed: self.options.seed,
                conditions: &conditions,
                supervisor,
                processor: None,
                observer: Some(&mut watch),
            };
            let played = course.play(&mut setup).map_err(interrupt::failure)?;
            told?;
            if !boards {
                wire::print(wire::printable(&format!("{}{last}", wrapped(&moves))))?;
            }
            let score = result(&played.score, &players);
            wire::print_line(format_args!(
                "{}: {}; {score}; {} moves, {:.1} s\n",
                course.name(),
                played.end,
                played.moves.len(),
                played.wall as f64 / 1e6
            ))?;
            for (seat, fault) in &played.faults {
                wire::note(format_args!("referee: {}: {}: {fault}", course.name(), players[*seat].name));
                let words = played.errors.get(*seat).map(|text| text.trim()).unwrap_or_default();
                if !words.is_empty() {
                    wire::note(words);
                }
            }
            if !played.faults.is_empty() {
                faulty.push(course.name());
            }
        }
        if faulty.is_empty() {
            return wire::print_line(format_args!("{} games, no fault", games.len()));
        }
        Err(Failure::run(format!("games with a fault: {}", faulty.join(", "))))
    }
}

/// Names and scores: `own 1, greedy 0`.
fn result(score: &[f64], players: &[Player]) -> String {
    let one = |(player, score): (&Player, &f64)| format!("{} {score}", player.name);
    players.iter().zip(score).map(one).collect::<Vec<_>>().join(", ")
}

/// Wraps the moves at a hundred columns.
fn wrapped(moves: &[String]) -> String {
    let (mut text, mut column) = (String::new(), 0);
    for mv in moves {
        let width = mv.chars().count() + 1;
        if column + width > 100 {
            text.push('\n');
            column = 0;
        }
        text += mv;
        text.push(' ');
        column += width;
    }
    text + "\n"
}
