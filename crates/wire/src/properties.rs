//! Parses game records of bracketed properties, `(;PB[a]PW[b];B[hh];W[ii])`: the syntax that SGF and GGF share.
//!
//! Only the main line is returned: the first of the variations at each branch. Text between games is skipped, because
//! GGF puts the number of boards there.

use std::borrow::Cow;

/// A part of a game's main line, in the order of the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part<'a> {
    /// The beginning of a game.
    Begin,
    /// The beginning of a node.
    Node,
    /// A property and one of its values, unescaped. Each value of a list is a part of its own.
    Property(&'a str, Cow<'a, str>),
    /// The end of a game.
    End,
}

/// The text is not a game record.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SyntaxError {
    /// The text ends inside the game that begins on this line, or inside one of its values.
    #[error("the game that begins here is not closed")]
    Open(usize),
    /// This line has other text (quoted) where a property is expected.
    #[error("expected a property such as PB[name], found \"{1}\"")]
    Property(usize, String),
}

impl SyntaxError {
    /// The line of the error, from 1.
    #[must_use]
    pub fn line(&self) -> usize {
        match self {
            Self::Open(line) | Self::Property(line, _) => *line,
        }
    }
}

/// A parser that yields the games of a text part by part.
#[derive(Debug, Clone)]
pub struct Reader<'a> {
    text: &'a str,
    at: usize,
    /// The number of open parentheses.
    depth: usize,
    /// True after the end of the main line; variations may still follow.
    ended: bool,
    name: &'a str,
    /// The first line of the game, from 1.
    begun: usize,
    /// An offset in the text and the line at that offset.
    counted: (usize, usize),
}

impl<'a> Reader<'a> {
    /// A parser of the whole text.
    #[must_use]
    pub fn new(text: &'a str) -> Self {
        Self { text, at: 0, depth: 0, ended: false, name: "", begun: 1, counted: (0, 1) }
    }

    /// The line of the last part, from 1.
    pub fn line(&mut self) -> usize {
        let (from, line) = self.counted;
        let end = self.at.saturating_sub(1).max(from);
        self.counted =
            (end, line + self.text.as_bytes()[from..end].iter().filter(|&&byte| byte == b'\n').count());
        self.counted.1
    }

    /// Returns the next part; `None` at the end of the text.
    ///
    /// # Errors
    /// [`SyntaxError`]; nothing after it can be parsed.
    pub fn next_part(&mut self) -> Result<Option<Part<'a>>, SyntaxError> {
        loop {
            if self.depth == 0 {
                return Ok(self.begin().then_some(Part::Begin));
            }
            let rest = &self.text[self.at..];
            let trimmed = rest.trim_start();
            self.at += rest.len() - trimmed.len();
            let Some(symbol) = trimmed.chars().next() else { return Err(SyntaxError::Open(self.begun)) };
            if symbol == '[' && !self.name.is_empty() {
                let value = self.value()?;
                if !self.ended {
                    return Ok(Some(Part::Property(self.name, value)));
                }
                continue;
            }
            self.name = "";
            match symbol {
                ';' => {
                    self.at += 1;
                    if !self.ended {
                        return Ok(Some(Part::Node));
                    }
                }
                '(' => {
                    self.at += 1;
                    self.depth += 1;
                }
                ')' => {
                    self.at += 1;
                    self.depth -= 1;
                    // The first variation that ends is the main line.
                    self.ended = true;
                    if self.depth == 0 {
                        return Ok(Some(Part::End));
                    }
                }
                _ => self.name = self.property_name(trimmed)?,
            }
        }
    }

    /// Skips to the next game: an opening parenthesis and a semicolon.
    fn begin(&mut self) -> bool {
        while let Some(found) = self.text[self.at..].find('(') {
            self.at += found + 1;
            if self.text[self.at..].trim_start().starts_with(';') {
                self.begun = self.line();
                (self.depth, self.ended, self.name) = (1, false, "");
                return true;
            }
        }
        self.at = self.text.len();
        false
    }

    /// Parses a name. Old files have lower-case letters between the capitals.
    fn property_name(&mut self, rest: &'a str) -> Result<&'a str, SyntaxError> {
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
        let name = &rest[..end];
        if name.is_empty() || !rest[end..].trim_start().starts_with('[') {
            self.at += 1;
            let text = rest.chars().map(|c| if c.is_control() { ' ' } else { c }).take(24).collect();
            return Err(SyntaxError::Property(self.line(), text));
        }
        self.at += end;
        Ok(name)
    }

    /// Parses a value from its opening bracket on. A backslash escapes the next character; a backslash before a line
    /// ending is removed together with it.
    fn value(&mut self) -> Result<Cow<'a, str>, SyntaxError> {
        let rest = &self.text[self.at + 1..];
        let mut value: Cow<'a, str> = Cow::Borrowed("");
        let mut from = 0;
        let mut symbols = rest.char_indices().peekable();
        while let Some((at, symbol)) = symbols.next() {
            match symbol {
                ']' => {
                    self.at += 1 + at + 1;
                    append(&mut value, &rest[from..at]);
                    return Ok(value);
                }
                '\\' => {
                    append(&mut value, &rest[from..at]);
                    from = at + 1;
                    match symbols.next() {
                        Some((end, first @ ('\n' | '\r'))) => {
                            let second = if first == '\n' { '\r' } else { '\n' };
                            let two = symbols.next_if(|&(_, symbol)| symbol == second).is_some();
                            from = end + if two { 2 } else { 1 };
                        }
                        Some(_) => {}
                        None => break,
                    }
                }
                _ => {}
            }
        }
        Err(SyntaxError::Open(self.begun))
    }
}

fn append<'a>(value: &mut Cow<'a, str>, text: &'a str) {
    if value.is_empty() {
        *value = Cow::Borrowed(text);
    } else if !text.is_empty() {
        value.to_mut().push_str(text);
    }
}

/// Escapes a text for use as a value.
#[must_use]
pub fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace(']', "\\]")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn parts(text: &str) -> Result<Vec<String>, SyntaxError> {
        let mut reader = Reader::new(text);
        let mut parts = Vec::new();
        while let Some(part) = reader.next_part()? {
            parts.push(match part {
                Part::Begin => "(".to_owned(),
                Part::Node => ";".to_owned(),
                Part::Property(name, value) => format!("{name}={value}"),
                Part::End => ")".to_owned(),
            });
        }
        Ok(parts)
    }

    #[test]
    fn the_main_line_is_the_first_of_all_variations() {
        let text =
            "1 (\n ; PB [a] AB[aa][bb] C[;) (;] ;B[cc](;W[dd](;B[ee])(;B[ff]))(;W[gg]))\ntext (2) (;B[aa];)";
        let read = parts(text).unwrap().join(" ");
        assert_eq!(read, "( ; PB=a AB=aa AB=bb C=;) (; ; B=cc ; W=dd ; B=ee ) ( ; B=aa ; )");
        assert_eq!(parts("no (game) at all").unwrap(), [""; 0]);
    }

    #[test]
    fn escapes_are_taken_away() {
        assert_eq!(parts("(;C[a\\]b\\\\]D[c\\\nd\\\r\ne\nf])").unwrap()[2..4], ["C=a]b\\", "D=cde\nf"]);
    }

    #[test]
    fn a_fault_has_its_line() {
        for (text, error) in [
            ("x\n(;B[aa]", "line 2: the game that begins here is not closed"),
            ("(;B[aa\\]", "line 1: the game that begins here is not closed"),
            ("(;B[aa]\n;\n  = [bb])", "line 3: expected a property such as PB[name], found \"= [bb])\""),
            ("(;B[aa]\nB)", "line 2: expected a property such as PB[name], found \"B)\""),
        ] {
            let found = parts(text).unwrap_err();
            assert_eq!(format!("line {}: {found}", found.line()), error);
        }
        let mut reader = Reader::new("\n(\n;B[a\na]\n;W[bb])");
        let mut lines = Vec::new();
        while reader.next_part().unwrap().is_some() {
            lines.push(reader.line());
        }
        assert_eq!(lines, [2, 3, 4, 5, 5, 5]);
    }

    proptest! {
        #[test]
        fn any_text_is_read_back_from_its_value(text in any::<String>(), other in "[\\[\\]\\\\;()a\n\r]{0,12}") {
            for text in [text, other] {
                let game = format!("(;C[{}];)", escape(&text));
                prop_assert_eq!(parts(&game), Ok(vec!["(".into(), ";".into(), format!("C={text}"), ";".into(), ")".into()]));
            }
        }

        #[test]
        fn no_text_makes_it_panic(text in "[\\[\\]\\\\;()A-Ca-cé0 \n]{0,60}") {
            let _ = parts(&text);
        }
    }
}
