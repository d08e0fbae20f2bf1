//! The lines that begin every conversation: who wrote the player.

use wire::Failure;

/// The line that ends the team's lines.
pub const READY: &str = "READY";

/// The team's lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Team(String);

impl Team {
    /// Reads one line a student.
    ///
    /// # Errors
    /// A text without lines, an empty line, or one that a tool would take for [`READY`].
    pub fn parse(text: &str) -> Result<Self, Failure> {
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        if lines.is_empty() {
            return Err(Failure::input("the team's file is empty: expected one line a student"));
        }
        for (number, line) in lines.iter().enumerate() {
            if line.is_empty() || *line == READY || line.contains(char::is_control) {
                return Err(Failure::input(format!(
                    "the team's file, line {}: {line:?} is no student",
                    number + 1
                )));
            }
        }
        Ok(Self(lines.join("\n")))
    }

    /// The lines, and [`READY`] behind them, without the last line feed.
    #[must_use]
    pub fn greeting(&self) -> String {
        format!("{}\n{READY}", self.0)
    }
}

impl Default for Team {
    /// The team of `equipe.txt`.
    fn default() -> Self {
        Self::parse(include_str!("../../equipe.txt")).expect("a test reads the built-in file")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_team_is_a_team() {
        assert!(Team::default().greeting().ends_with("\nREADY"));
    }

    #[test]
    fn a_line_that_could_end_the_greeting_early_is_refused() {
        assert!(Team::parse("A, 1, a@b.c\r\nB, 2, b@b.c\r\n").is_ok());
        for text in ["", "\n", "A\n\nB\n", "A\nREADY\n", " READY \n", "A\0\n"] {
            assert_eq!(Team::parse(text).unwrap_err().code(), 2, "{text:?}");
        }
    }
}
