//! Openings: moves, or a configuration's codes with or without the side to move.

use crate::fault::excerpt;
use crate::openings::OpeningNotation;
use anyhow::bail;

/// The texts of openings.
pub struct Openings;

impl OpeningNotation for Openings {
    /// A configuration file of the course.
    fn file(&self, text: &str) -> Option<String> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let is_configuration = words.len() == 64 && words.iter().all(|word| word.len() == 2);
        is_configuration.then(|| format!("@{}", words.concat()))
    }

    fn line(&self, line: &str, _: Option<(usize, usize)>) -> anyhow::Result<String> {
        let words: Vec<&str> = line.split_whitespace().collect();
        if words.len() != 65 {
            return Ok(line.to_owned());
        }
        let mover = match words[0] {
            "b" => "blanc",
            "n" => "noir",
            word => bail!("\"{}\" is neither b nor n", excerpt(word)),
        };
        Ok(format!("@{}:{mover}", words[1..].concat()))
    }
}
