//! The learned evaluation of connect5-joueur: self-play games, and weights fitted to their results.

mod fit;
mod games;
mod lost;
mod move_score;
mod network;
pub(crate) mod puzzles;
mod samples;
mod sets;
mod value;

use anyhow::{Context, Result, ensure};
use clap::Subcommand;
use connect5_joueur::evaluation::Evaluation;
use games::Game;
use std::ops::Range;
use std::path::{Path, PathBuf};
use wire::Progress;

/// The commands for connect5-joueur.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Plays self-play games and writes one line a game. Continues a file that holds some games already.
    Play {
        /// Number of games in the file at the end.
        #[arg(long, default_value_t = 2500, value_parser = crate::numbers::count::<u64>())]
        games: u64,
        /// Positions a move may visit, varied by up to half.
        #[arg(long, default_value_t = 1500, value_parser = crate::numbers::number::<u64>())]
        nodes: u64,
        /// Share of random moves. Each ends a line, whose positions have the search's values for a result.
        #[arg(long, default_value_t = 0.0, value_parser = crate::numbers::share)]
        random_share: f32,
        /// Seed of the random choices.
        #[arg(long, default_value_t = 1, value_parser = crate::numbers::number::<u64>())]
        seed: u64,
        /// The evaluation of the player.
        #[arg(long, default_value_t)]
        eval: Evaluation,
        /// Output file of games.
        #[arg(long)]
        out: PathBuf,
    },
    /// Fits the learned evaluation to game results and writes the file that connect5-joueur embeds.
    Fit {
        /// The number of passes over the samples.
        #[arg(long, default_value_t = 30, value_parser = crate::numbers::count::<usize>())]
        epochs: usize,
        /// Output file of weights.
        #[arg(long)]
        out: PathBuf,
        /// Files of games.
        #[arg(required = true)]
        games: Vec<PathBuf>,
    },
    /// Fits the network that corrects the learned evaluation and writes the file that connect5-joueur embeds.
    Network {
        /// The number of passes over the samples.
        #[arg(long, default_value_t = 12, value_parser = crate::numbers::count::<usize>())]
        epochs: usize,
        /// Seed of the initial weights and of the order of positions.
        #[arg(long, default_value_t = 1, value_parser = crate::numbers::number::<u64>())]
        seed: u64,
        /// Initial weights, random by default.
        #[arg(long)]
        from: Option<PathBuf>,
        /// Output file of weights.
        #[arg(long)]
        out: PathBuf,
        /// Files of games.
        #[arg(required = true)]
        games: Vec<PathBuf>,
    },
    /// Counts the lost positions that the player recognises, in the games held out from the network's fit. A position
    /// counts as lost if a search of a hundred times the positions says so, and as recognised if its score is below
    /// -1.5.
    Lost {
        /// Positions of the search to be tested.
        #[arg(long, default_value_t = 1000, value_parser = crate::numbers::number::<u64>())]
        nodes: u64,
        /// The evaluation of the player.
        #[arg(long, default_value_t)]
        eval: Evaluation,
        /// Seed of the choice of a position in each game.
        #[arg(long, default_value_t = 1, value_parser = crate::numbers::number::<u64>())]
        seed: u64,
        /// Files of games: all that the network was fitted to, in the same order.
        #[arg(required = true)]
        games: Vec<PathBuf>,
    },
}

impl Command {
    /// Runs the command.
    ///
    /// # Errors
    /// If a file cannot be read or written, or a game is not valid.
    pub fn run(self) -> Result<()> {
        match self {
            Self::Play { games, nodes, random_share, seed, eval, out } => {
                play(games, &out, |games| games::play_with(games, nodes, seed, eval, random_share))
            }
            Self::Fit { epochs, out, games } => {
                let records = read(&games)?;
                tell_and_write(&out, |inform| Ok(fit::fit(&records, epochs, inform)))
            }
            Self::Lost { nodes, eval, seed, games } => {
                let records = read(&games)?;
                let held_out = records.iter().enumerate().filter(|&(number, _)| network::is_held_out(number));
                let mut progress = Progress::default();
                let games = held_out.map(|(_, game)| game);
                let share = lost::share(games, nodes, eval, seed, &mut |line| progress.line(line));
                progress.line(share);
                Ok(progress.end()?)
            }
            Self::Network { epochs, seed, from, out, games } => {
                let from = from.map(|path| crate::records::bytes(&path)).transpose()?;
                let records = read(&games)?;
                tell_and_write(&out, |inform| network::fit(&records, from.as_deref(), epochs, seed, inform))
            }
        }
    }
}

/// Prints the progress of a fit, and writes its weights.
fn tell_and_write(out: &Path, fit: impl FnOnce(&mut dyn FnMut(String)) -> Result<Vec<u8>>) -> Result<()> {
    let mut progress = Progress::default();
    let weights = fit(&mut |line| progress.line(line))?;
    wire::file::write(out, weights).with_context(|| format!("cannot write {}", out.display()))?;
    Ok(progress.end()?)
}

/// Adds games that `more` plays to the file `out` until it holds `games`.
fn play<I: Iterator<Item = Vec<Game>>>(games: u64, out: &Path, more: impl Fn(Range<u64>) -> I) -> Result<()> {
    let cannot = || format!("cannot write {}", out.display());
    let mut file = wire::file::Appended::open_alone(out).with_context(cannot)?;
    let mut held = 0;
    if !file.is_special() {
        let text = String::from_utf8_lossy(&crate::records::bytes(out)?).into_owned();
        let lines = text.rfind('\n').map_or(0, |end| end + 1);
        // A last game that is not whole is played again.
        let (mut at, mut whole) = (0, 0);
        for (line, number) in text[..lines].split_inclusive('\n').zip(1..) {
            let place = || format!("{}, line {number}: no game", out.display());
            let part: Game = line.parse().with_context(place)?;
            at += line.len();
            if part.result != games::UNKNOWN {
                (held, whole) = (held + 1, at);
            }
        }
        let is_of_a_game = |c: char| c.is_ascii_digit() || " x;-".contains(c);
        ensure!(text[lines..].chars().all(is_of_a_game), "{}: the last line is no game", out.display());
        file.cut(whole as u64).with_context(cannot)?;
    }
    for parts in more(held..games.max(held)) {
        let lines: String = parts.iter().map(|part| format!("{part}\n")).collect();
        file.append(lines.as_bytes()).with_context(cannot)?;
    }
    file.sync().with_context(cannot)
}

fn read(paths: &[PathBuf]) -> Result<Vec<games::Game>> {
    let mut games = Vec::new();
    for path in paths {
        let text = wire::text::decode(&crate::records::bytes(path)?);
        for (number, line) in text.lines().enumerate() {
            let place = || format!("{}, line {}", path.display(), number + 1);
            games.push(line.parse().with_context(place)?);
        }
    }
    Ok(games)
}

#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "tests make files as they like")]
mod tests {
    use super::*;
    use std::fs;

    fn few(games: u64, share: f32, out: &Path) -> Result<()> {
        play(games, out, |numbers| games::play_with(numbers, 30, 7, Evaluation::Learned, share))
    }

    #[test]
    fn a_file_of_games_that_was_broken_off_is_gone_on_with() {
        let folder = tempfile::tempdir().unwrap();
        for (share, parts) in [(0.0, 3..4), (0.3, 4..99)] {
            let [whole, broken] =
                ["whole", "broken"].map(|name| folder.path().join(format!("{name} {share}")));
            few(3, share, &whole).unwrap();
            let text = fs::read_to_string(&whole).unwrap();
            assert!(parts.contains(&read(std::slice::from_ref(&whole)).unwrap().len()), "{text}");
            for left in [text.len() - 9, text.len() / 2, text.find('\n').unwrap() + 1] {
                fs::write(&broken, &text[..left]).unwrap();
                few(3, share, &broken).unwrap();
                assert_eq!(fs::read_to_string(&broken).unwrap(), text);
            }
            few(2, share, &broken).unwrap();
            assert_eq!(fs::read_to_string(&broken).unwrap(), text, "as many as it holds are enough");
        }
    }

    #[test]
    fn a_file_of_something_else_or_in_use_is_not_changed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games");
        for text in ["IMPORTANT", "a list\nof things\n"] {
            fs::write(&path, text).unwrap();
            let error = few(3, 0.0, &path).unwrap_err();
            assert!(format!("{error:#}").contains("no game"), "{error:#}");
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
        fs::write(&path, "").unwrap();
        let _other = wire::file::Appended::open_alone(&path).unwrap();
        let error = few(3, 0.0, &path).unwrap_err();
        assert!(format!("{error:#}").ends_with("another program writes to it"), "{error:#}");
    }
}
