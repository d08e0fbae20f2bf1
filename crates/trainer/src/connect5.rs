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
            Self::Play { games, nodes, seed, eval, out } => play(games, nodes, seed, eval, &out),
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

/// Adds games to the file `out` until it holds `games`.
fn play(games: u64, nodes: u64, seed: u64, evaluation: Evaluation, out: &Path) -> Result<()> {
    let cannot = || format!("cannot write {}", out.display());
    let mut file = wire::file::Appended::open_alone(out).with_context(cannot)?;
    let held = if file.is_special() {
        0
    } else {
        let text = String::from_utf8_lossy(&crate::records::bytes(out)?).into_owned();
        // An incomplete last line is played again.
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        for (line, number) in text[..whole].lines().zip(1..) {
            let place = || format!("{}, line {number}: no game", out.display());
            line.parse::<games::Game>().with_context(place)?;
        }
        let is_of_a_game = |c: char| c.is_ascii_digit() || " x;-".contains(c);
        ensure!(text[whole..].chars().all(is_of_a_game), "{}: the last line is no game", out.display());
        file.cut(whole as u64).with_context(cannot)?;
        text[..whole].lines().count() as u64
    };
    for game in games::play(held..games.max(held), nodes, seed, evaluation) {
        file.append(format!("{game}\n").as_bytes()).with_context(cannot)?;
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

    #[test]
    fn a_file_of_games_that_was_broken_off_is_gone_on_with() {
        let folder = tempfile::tempdir().unwrap();
        let [whole, broken] = ["whole", "broken"].map(|name| folder.path().join(name));
        play(3, 30, 7, Evaluation::Learned, &whole).unwrap();
        let text = fs::read_to_string(&whole).unwrap();
        assert_eq!(read(std::slice::from_ref(&whole)).unwrap().len(), 3);
        fs::write(&broken, &text[..text.len() - 9]).unwrap();
        play(3, 30, 7, Evaluation::Learned, &broken).unwrap();
        assert_eq!(fs::read_to_string(&broken).unwrap(), text);
        play(2, 30, 7, Evaluation::Learned, &broken).unwrap();
        assert_eq!(fs::read_to_string(&broken).unwrap(), text, "as many as it holds are enough");
    }

    #[test]
    fn a_file_of_something_else_or_in_use_is_not_changed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games");
        for text in ["IMPORTANT", "a list\nof things\n"] {
            fs::write(&path, text).unwrap();
            let error = play(3, 30, 7, Evaluation::Learned, &path).unwrap_err();
            assert!(format!("{error:#}").contains("no game"), "{error:#}");
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
        fs::write(&path, "").unwrap();
        let _other = wire::file::Appended::open_alone(&path).unwrap();
        let error = play(3, 30, 7, Evaluation::Learned, &path).unwrap_err();
        assert!(format!("{error:#}").ends_with("another program writes to it"), "{error:#}");
    }
}
