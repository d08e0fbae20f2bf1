//! Game records of properties in brackets, `(;PB[a]PW[b];B[hh];W[ii])`: the syntax that SGF and GGF share.
//!
//! A reader hands on the main line, which takes the first of all variations. Text between games is passed over: GGF puts the
//! number of boards there.

use std::borrow::Cow;

/// A part of the main lines of a text, in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part<'a> {
    /// A game begins.
    Begin,
    /// A node of it begins.
    Node,
    /// A property and one of its values, without its escapes. Each value of a list is a part of its own.
    Property(&'a str, Cow<'a, str>),
    /// The game ends.
    End,
}

/// Why a text is no game record.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SyntaxError {
    /// The text ends inside a game or a value; the line where the game begins.
    #[error("the game that begins here does not end")]
    Open(usize),
    /// Something else where a property should be; its line.
    #[error("\"{1}\" is no property: a name and a value in brackets expected")]
    Property(usize, String),
}

impl SyntaxError {
    /// The line, from 1.
    #[must_use]
    pub fn line(&self) -> usize {
        match self {
            Self::Open(line) | Self::Property(line, _) => *line,
        }
    }
}

/// Reads the games of a text one part after another.
#[derive(Debug, Clone)]
pub struct Reader<'a> {
    text: &'a str,
    at: usize,
    /// Open parentheses.
    depth: usize,
    /// The main line has ended; the game may still have variations.
    ended: bool,
    name: &'a str,
    /// The first line of the game, from 1.
    begun: usize,
    /// Where lines were last counted up to, and the line there.
    counted: (usize, usize),
}

impl<'a> Reader<'a> {
    /// A reader of a whole text.
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

    /// The next part; `None` at the end of the text.
    ///
    /// # Errors
    /// [`SyntaxError`]; nothing after it can be understood.
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
                    // The first end of a variation is the main line's.
                    self.ended = true;
                    if self.depth == 0 {
                        return Ok(Some(Part::End));
                    }
                }
                _ => self.name = self.property_name(trimmed)?,
            }
        }
    }

    /// Goes to the next game: an opening parenthesis and a semicolon.
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

    /// Reads a name; old files have small letters between the capitals.
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

    /// Reads a value from its bracket on. A backslash takes the next character as it is; before the end of a line both go.
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

/// A text as a value: what would end it is escaped.
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
            ("x\n(;B[aa]", "line 2: the game that begins here does not end"),
            ("(;B[aa\\]", "line 1: the game that begins here does not end"),
            (
                "(;B[aa]\n;\n  = [bb])",
                "line 3: \"= [bb])\" is no property: a name and a value in brackets expected",
            ),
            ("(;B[aa]\nB)", "line 2: \"B)\" is no property: a name and a value in brackets expected"),
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
