//! A line where an answer is due.

/// A line where an answer is due.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Heard<T> {
    /// The answer that was asked for.
    Answer(T),
    /// A line that the protocol allows before the answer.
    Aside,
    /// A refusal, unless an answer follows.
    Refusal,
    /// Anything else.
    Other,
}

/// Returns true for a line that acknowledges or refuses a command: `ok` alone, or `unknown` or `error` with anything
/// after it, in any case.
#[must_use]
pub fn declines(line: &str) -> bool {
    let line = line.trim().trim_end_matches(['.', '!']);
    let word: String = line.chars().take_while(|c| c.is_alphabetic()).collect();
    line.eq_ignore_ascii_case("ok") || ["unknown", "error"].iter().any(|of| word.eq_ignore_ascii_case(of))
}
