//! Games of the WTHOR database: a header of 16 bytes, then 68 bytes a game.

use anyhow::{Context, ensure};
use othello_player::rules::{Move, Position, Square};
use search_core::Position as _;
use std::path::Path;

/// The tournament games of a folder.
#[derive(Debug)]
pub struct Games(Vec<[u8; GAME]>);

/// A position of a game.
#[derive(Debug, Clone, Copy)]
pub struct At {
    /// The mover may have to pass.
    pub position: Position,
    /// The index of its game.
    pub game: usize,
    /// True if black is to move.
    pub black: bool,
    /// Black's discs after perfect play from 24 empty squares on, if known.
    pub perfect: Option<i32>,
}

impl At {
    /// Plays a disc, after a pass if the mover must pass. Returns `None` if the move is illegal.
    pub fn put(&mut self, mv: Move) -> Option<()> {
        if self.position.is_legal(Move::PASS) {
            self.position = self.position.after(Move::PASS);
            self.black = !self.black;
        }
        self.position.is_legal(mv).then(|| {
            self.position = self.position.after(mv);
            self.black = !self.black;
        })
    }
}

const HEADER: usize = 16;
/// Offset of the board size in the header: 10 or 8. In the first files it is 0, which means 8.
const SIZE: usize = 12;
const GAME: usize = 68;

impl Games {
    /// Reads every `*.wtb` file of a folder, by name.
    ///
    /// # Errors
    /// If the folder or a file cannot be read, a file's length does not match its header, or its games are not played
    /// on 8 × 8.
    pub fn read(folder: &Path) -> anyhow::Result<Self> {
        let entries =
            std::fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
        let mut files = entries.map(|entry| Ok(entry?.path())).collect::<std::io::Result<Vec<_>>>()?;
        files.retain(|file| file.extension().is_some_and(|extension| extension == "wtb"));
        ensure!(!files.is_empty(), "no *.wtb files in {}", folder.display());
        files.sort();
        let mut games = Vec::new();
        for file in files {
            let bytes = crate::records::bytes(&file)?;
            games.extend(Self::of_file(&bytes).with_context(|| format!("cannot use {}", file.display()))?);
        }
        Ok(Self(games))
    }

    fn of_file(bytes: &[u8]) -> anyhow::Result<&[[u8; GAME]]> {
        let (header, rest) = bytes.split_first_chunk::<HEADER>().context("it has no header")?;
        let size = match header[SIZE] {
            0 => 8,
            size => size,
        };
        ensure!(size == 8, "its games are played on {size} × {size}, not on 8 × 8");
        let announced = u32::from_le_bytes([header[4], header[5], header[6], header[7]]) as usize;
        let (games, rest) = rest.as_chunks();
        ensure!(
            games.len() == announced && rest.is_empty(),
            "it is damaged: it has {} games, not the {announced} of its header",
            games.len()
        );
        Ok(games)
    }

    /// Returns the number of games.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns true if there are no games.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns every position after a disc, up to the first illegal move.
    #[must_use]
    pub fn positions(&self) -> Vec<At> {
        let mut positions = Vec::with_capacity(60 * self.len());
        for (game, record) in self.0.iter().enumerate() {
            let perfect = Some(record[7].into());
            let mut at = At { position: Position::START, game, black: true, perfect };
            // Ten times the row plus the column, both from 1. 0 after the last move.
            let squares = record[8..]
                .iter()
                .map_while(|code| Square::at((code % 10).wrapping_sub(1), (code / 10).wrapping_sub(1)));
            for square in squares {
                if at.put(square.into()).is_none() {
                    break;
                }
                positions.push(at);
            }
        }
        positions
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a file of empty games on a board of this size.
    fn file(size: u8, bytes: usize, games: u32) -> Vec<u8> {
        let mut file = vec![0; HEADER + bytes];
        file[SIZE] = size;
        file[4..8].copy_from_slice(&games.to_le_bytes());
        file
    }

    #[test]
    fn only_games_on_eight_by_eight_are_read() {
        for size in [0, 8] {
            assert_eq!(Games::of_file(&file(size, 2 * GAME, 2)).unwrap().len(), 2);
        }
        // Seventeen games of 104 bytes have the same length as 26 of 68.
        let error = |file: &[u8]| Games::of_file(file).unwrap_err().to_string();
        assert_eq!(error(&file(10, 17 * 104, 26)), "its games are played on 10 × 10, not on 8 × 8");
        assert_eq!(error(&file(8, 3 * GAME, 2)), "it is damaged: it has 3 games, not the 2 of its header");
        assert_eq!(error(b"short"), "it has no header");
    }
}
