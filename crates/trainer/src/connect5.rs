//! The learned evaluation of connect5-joueur: games of self-play, and weights fitted to their results.

mod adam;
mod fit;
mod games;
mod lost;
mod move_score;
mod network;
mod samples;
mod value;

use anyhow::{Context, Result};
use clap::Subcommand;
use connect5_joueur::evaluation::Evaluation;
use std::fs;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// The commands for connect5-joueur.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Plays games of self-play and writes one line a game. Games that the file holds already are not played again.
    Play {
        /// Games that the file shall hold.
        #[arg(long, default_value_t = 2500)]
        games: u64,
        /// Positions a move may visit, give or take half of them.
        #[arg(long, default_value_t = 1500)]
        nodes: u64,
        /// Of the random choices.
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// The evaluation of the player.
        #[arg(long, default_value_t)]
        eval: Evaluation,
        /// Where to write the games.
        #[arg(long)]
        out: PathBuf,
    },
    /// Fits the weights to the results of games and writes them as connect5-joueur embeds them.
    Fit {
        /// Rounds over the positions.
        #[arg(long, default_value_t = 30)]
        epochs: usize,
        /// Where to write the weights.
        #[arg(long)]
        out: PathBuf,
        /// Files of games.
        #[arg(required = true)]
        games: Vec<PathBuf>,
    },
    /// Fits the network that corrects the learned evaluation and writes it as connect5-joueur embeds it.
    Network {
        /// Rounds over the positions.
        #[arg(long, default_value_t = 12)]
        epochs: usize,
        /// Of the first weights and of the order of the positions.
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// Weights to begin from, instead of random ones.
        #[arg(long)]
        from: Option<PathBuf>,
        /// Where to write the weights.
        #[arg(long)]
        out: PathBuf,
        /// Files of games.
        #[arg(required = true)]
        games: Vec<PathBuf>,
    },
    /// Counts how many lost positions the player sees to be lost, in the games that the network is not fitted to. A position
    /// is lost where a search of a hundred times the positions says so, and seen where it is scored below -1.5.
    Lost {
        /// Positions of the search whose score counts.
        #[arg(long, default_value_t = 1000)]
        nodes: u64,
        /// The evaluation of the player.
        #[arg(long, default_value_t)]
        eval: Evaluation,
        /// Of the choice of a position of each game.
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// Files of games, all that the network was fitted to, in the same order.
        #[arg(required = true)]
        games: Vec<PathBuf>,
    },
}

impl Command {
    /// Carries the command out.
    ///
    /// # Errors
    /// Files that cannot be read or written, games that cannot be understood.
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
                let mut told = Ok(());
                let mut inform = |line| {
                    if told.is_ok() {
                        told = wire::print_line(line);
                    }
                };
                let share = lost::share(held_out.map(|(_, game)| game), nodes, eval, seed, &mut inform);
                inform(share.to_string());
                Ok(told?)
            }
            Self::Network { epochs, seed, from, out, games } => {
                let cannot = |path: &PathBuf| format!("cannot read {}", path.display());
                let from = from.map(|path| fs::read(&path).with_context(|| cannot(&path))).transpose()?;
                let records = read(&games)?;
                tell_and_write(&out, |inform| network::fit(&records, from.as_deref(), epochs, seed, inform))
            }
        }
    }
}

/// Prints how a fit goes, and writes the weights that it gives.
fn tell_and_write(out: &Path, fit: impl FnOnce(&mut dyn FnMut(String)) -> Result<Vec<u8>>) -> Result<()> {
    let mut told = Ok(());
    let weights = fit(&mut |line| {
        if told.is_ok() {
            told = wire::print_line(line);
        }
    })?;
    fs::write(out, weights).with_context(|| format!("cannot write {}", out.display()))?;
    Ok(told?)
}

/// Goes on with the file of games at `out` until it holds so many.
fn play(games: u64, nodes: u64, seed: u64, evaluation: Evaluation, out: &Path) -> Result<()> {
    let cannot = || format!("cannot write {}", out.display());
    let mut file = fs::File::options()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .open(out)
        .with_context(cannot)?;
    let mut text = Vec::new();
    file.read_to_end(&mut text).with_context(cannot)?;
    // A line that was broken off is played again.
    let whole = text.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    let held = text[..whole].iter().filter(|&&byte| byte == b'\n').count() as u64;
    file.set_len(whole as u64).with_context(cannot)?;
    file.seek(SeekFrom::End(0)).with_context(cannot)?;
    for game in games::play(held..games.max(held), nodes, seed, evaluation) {
        file.write_all(format!("{game}\n").as_bytes()).with_context(cannot)?;
    }
    Ok(())
}

fn read(paths: &[PathBuf]) -> Result<Vec<games::Game>> {
    let mut games = Vec::new();
    for path in paths {
        let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        for (number, line) in text.lines().enumerate() {
            let place = || format!("{}, line {}", path.display(), number + 1);
            games.push(line.parse().with_context(place)?);
        }
    }
    Ok(games)
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
