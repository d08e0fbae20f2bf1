//! Sets of openings.

use crate::fault::{excerpt, shortened};
use crate::openings::Order;
use anyhow::bail;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// A set of openings, in an order drawn from the run's seed.
#[derive(Debug, Clone)]
pub struct OpeningSet {
    name: String,
    /// The unit of the numbers: lines or games.
    unit: &'static str,
    /// Each opening with its number in the text, from 1.
    lines: Vec<(usize, String)>,
    seed: u64,
}

/// The unit of a plain set's numbers.
const LINE: &str = "line";

impl OpeningSet {
    /// Creates a set from the lines of a text, shuffled. Omits blank lines and those that begin with `#`.
    pub fn new(name: &str, text: &str, seed: u64) -> Self {
        let lines = (1..)
            .zip(text.lines().map(str::trim))
            .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
            .map(|(number, line)| (number, line.to_owned()))
            .collect();
        Self::of(name, LINE, lines, Order::Random, seed)
    }

    /// Creates a set from lines with their numbers, in units of `unit`.
    #[must_use]
    pub fn of(
        name: &str,
        unit: &'static str,
        mut lines: Vec<(usize, String)>,
        order: Order,
        seed: u64,
    ) -> Self {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        if order == Order::Random {
            for last in (1..lines.len()).rev() {
                lines.swap(last, random.random_range(0..=last));
            }
        }
        Self { name: name.to_owned(), unit, lines, seed }
    }

    /// Creates a set of one opening.
    #[must_use]
    pub fn single(line: &str) -> Self {
        Self { name: format!("\"{line}\""), unit: LINE, lines: vec![(1, line.to_owned())], seed: 0 }
    }

    /// Returns the name of the set.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the seed of the order.
    #[must_use]
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// Checks every line.
    ///
    /// # Errors
    /// The first line that `read` refuses, with its number.
    pub fn check<T>(&self, read: impl Fn(&str) -> anyhow::Result<T>) -> anyhow::Result<()> {
        let wrong = |(number, line): &(usize, String)| Some((*number, read(line).err()?));
        let first = self.lines.iter().filter_map(wrong).min_by_key(|(number, _)| *number);
        let Some((number, error)) = first else { return Ok(()) };
        let line = self.lines.iter().find(|(of, _)| *of == number).map_or("", |(_, line)| line);
        let error = shortened(&error.to_string());
        bail!("openings {}, {} {number}: \"{}\": {error}", self.name, self.unit, excerpt(line))
    }

    /// Returns a checksum of the lines in the order of play.
    #[must_use]
    pub fn checksum(&self) -> u64 {
        let lines: String = self.lines.iter().map(|(_, line)| format!("{line}\n")).collect();
        wire::checksum(lines.as_bytes())
    }

    /// Returns the number of openings.
    #[must_use]
    pub fn len(&self) -> usize {
        self.lines.len()
    }

    /// Returns true if the set is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// Returns opening `number`, or `None` after the last.
    #[must_use]
    pub fn get(&self, number: u64) -> Option<&str> {
        self.lines.get(usize::try_from(number).ok()?).map(|(_, line)| line.as_str())
    }

    /// Returns opening `number`, starting again after the last.
    #[must_use]
    pub fn cycle(&self, number: u64) -> &str {
        match self.lines.len() {
            0 => "",
            count => &self.lines[(number % count as u64) as usize].1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_without_a_line_is_empty() {
        assert!(OpeningSet::new("none", "\n\n", 1).is_empty());
        let set = OpeningSet::new("one", "a1\n", 1);
        assert!(!set.is_empty() && set.len() == 1);
    }

    #[test]
    fn other_lines_or_another_order_have_another_checksum() {
        let of = |text: &str, order| {
            let lines = text.lines().map(|line| (1, line.to_owned())).collect();
            OpeningSet::of("set", LINE, lines, order, 1).checksum()
        };
        let set = of("a1\nb2\nc3", Order::Sequential);
        assert_eq!(set, of("a1\nb2\nc3", Order::Sequential));
        for other in ["a1\nb2", "a1\nb2\nc4", "b2\na1\nc3", "a1b2\n\nc3"] {
            assert_ne!(set, of(other, Order::Sequential), "{other}");
        }
    }
}
