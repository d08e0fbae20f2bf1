//! The team's lines, which begin every session.

use wire::Failure;

/// The line that ends the team's lines.
pub const READY: &str = "READY";
/// Like [`READY`], for the course's tool of 2020.
pub const PRET: &str = "PRET";

/// The team's lines, and the word that ends them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Team {
    lines: String,
    ready: &'static str,
}

impl Team {
    /// Parses one line a student.
    ///
    /// # Errors
    /// If there is no line, or a line is empty or would be taken for [`READY`] or [`PRET`].
    pub fn parse(text: &str) -> Result<Self, Failure> {
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        if lines.is_empty() {
            return Err(Failure::input("the team's file is empty: expected one line a student"));
        }
        for (number, line) in lines.iter().enumerate() {
            if line.is_empty() || is_ready(line) || line.contains(char::is_control) {
                return Err(Failure::input(format!(
                    "the team's file, line {}: {line:?} is no student",
                    number + 1
                )));
            }
        }
        Ok(Self { lines: lines.join("\n"), ready: READY })
    }

    /// Changes the last word to [`PRET`], for the course's tool of 2020.
    #[must_use]
    pub fn of_2020(self) -> Self {
        Self { ready: PRET, ..self }
    }

    /// Returns the lines and the last word, without a line feed at the end.
    #[must_use]
    pub fn greeting(&self) -> String {
        format!("{}\n{}", self.lines, self.ready)
    }
}

/// Returns true if a tool of the course takes a line for the end of the team's lines. They ignore case.
fn is_ready(line: &str) -> bool {
    [READY, PRET].iter().any(|word| line.eq_ignore_ascii_case(word))
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
        assert!(Team::default().of_2020().greeting().ends_with("\nPRET"));
    }

    #[test]
    fn a_line_that_could_end_the_greeting_early_is_refused() {
        assert!(Team::parse("A, 1, a@b.c\r\nB, 2, b@b.c\r\n").is_ok());
        for text in ["", "\n", "A\n\nB\n", "A\nREADY\n", " READY \n", "Ready\n", "pret\n", "A\0\n"] {
            assert_eq!(Team::parse(text).unwrap_err().code(), 2, "{text:?}");
        }
    }
}
