//! Splits the lines of a drawn board into cells.

/// Minimum length of a line with a rank's eight cells and its number.
const SHORTEST: usize = 10;

/// A character with its terminal colours.
pub type Glyph = (char, Style);

/// The text of a cell, by which its piece is recognised.
#[derive(Debug, Clone, Default)]
pub struct Look {
    /// The characters with their colours.
    pub whole: String,
    /// The characters with the letters' colours, and without the signs that mark a cell, as of a last move.
    pub tinted: String,
    /// The same without colours.
    pub plain: String,
}

impl Look {
    /// Adds the cell's text on a further line.
    pub fn append(&mut self, further: &Self) {
        let Self { whole, tinted, plain } = further;
        for (text, line) in [(&mut self.whole, whole), (&mut self.tinted, tinted), (&mut self.plain, plain)] {
            *text += line;
            text.push('\n');
        }
    }
}

/// The way to split a line into cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cut {
    /// Split the line at vertical bars.
    Bars,
    /// Split the line at blanks.
    Words,
    /// Take the columns of the file letters above or below the board.
    Columns,
}

impl Cut {
    pub const ALL: [Self; 3] = [Self::Bars, Self::Words, Self::Columns];

    /// Returns a line's eight cells, a to h, by the columns of the file letters: those of black's side turn it.
    pub fn cells(self, line: &[Glyph], rank: usize, letters: Option<&[usize]>) -> Option<Vec<Look>> {
        let mut cells = match self {
            Self::Bars => bars(line),
            Self::Words => words(line, rank),
            Self::Columns => return columns(line, letters?),
        }?;
        if letters.is_some_and(|letters| letters.first() > letters.last()) {
            cells.reverse();
        }
        Some(cells)
    }
}

/// The colours and marks of a character in a terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Style {
    /// The codes of the colours, 0 for the usual ones.
    letters: u32,
    background: u32,
    /// A bit for each of bold, dim, italic, underlined, blinking and reversed.
    marks: u32,
}

impl Style {
    /// Takes the codes of an escape sequence (ECMA-48, SGR).
    fn set(&mut self, codes: &str) {
        let mut codes =
            codes.split([';', ':']).map(|code| if code.is_empty() { Some(0) } else { code.parse().ok() });
        while let Some(code) = codes.next() {
            match code.unwrap_or(u32::MAX) {
                0 => *self = Self::default(),
                code @ 1..=7 => self.marks |= 1 << code,
                21 | 22 => self.marks &= !0b110,
                code @ 23..=27 => self.marks &= !(1 << (code - 20)),
                code @ (30..=37 | 90..=97) => self.letters = code,
                code @ (40..=47 | 100..=107) => self.background = code,
                // A colour of 256 or of three parts.
                code @ (38 | 48) => {
                    let long = if codes.next().flatten() == Some(5) { 1 } else { 3 };
                    let parts = codes.by_ref().take(long);
                    let colour = parts.fold(1, |sum, part| sum << 8 | part.unwrap_or(0) & 0xff) + 1000;
                    *(if code == 38 { &mut self.letters } else { &mut self.background }) = colour;
                }
                39 => self.letters = 0,
                49 => self.background = 0,
                _ => {}
            }
        }
    }
}

impl std::fmt::Display for Style {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if *self == Self::default() {
            return Ok(());
        }
        write!(f, "{};{};{};", self.letters, self.background, self.marks)
    }
}

/// Returns the characters of a line, each with its terminal colours, with blanks for a tab.
pub fn glyphs(line: &str) -> Vec<Glyph> {
    /// Most bytes of a line that are read: a cell has a few characters and colours.
    const MOST: usize = 1 << 14;
    /// Columns between a terminal's tab stops.
    const TAB: usize = 8;
    let (mut glyphs, mut style) = (Vec::new(), Style::default());
    let mut rest = line[..line.floor_char_boundary(MOST)].chars();
    while let Some(c) = rest.next() {
        if c != '\u{1b}' {
            let width = if c == '\t' { TAB - glyphs.len() % TAB } else { 1 };
            glyphs.extend(std::iter::repeat_n((if c == '\t' { ' ' } else { c }, style), width));
            continue;
        }
        let mut code = String::new();
        for c in rest.by_ref() {
            if c == '[' && code.is_empty() {
                continue;
            }
            if c.is_ascii_alphabetic() {
                if c == 'm' {
                    style.set(&code);
                }
                break;
            }
            code.push(c);
        }
    }
    glyphs
}

/// Returns a line without terminal colours.
#[cfg(feature = "marking")]
pub fn plain(line: &str) -> String {
    glyphs(line).iter().map(|glyph| glyph.0).collect()
}

/// True for the eight file letters, from white's side or from black's.
#[must_use]
pub fn are_files(letters: &str) -> bool {
    ["abcdefgh", "hgfedcba"].contains(&letters)
}

/// Returns the columns of the letters a to h, if a line contains only these.
pub fn letters(text: &str) -> Option<Vec<usize>> {
    let found = text.chars().map(|c| c.to_ascii_lowercase()).enumerate().filter(|(_, c)| c.is_alphabetic());
    let mut found: Vec<(usize, char)> = found.collect();
    let word: String = found.iter().map(|(_, c)| c).collect();
    found.sort_by_key(|&(_, c)| c);
    are_files(&word).then(|| found.iter().map(|(at, _)| *at).collect())
}

/// Returns the rank number at the beginning or the end of a line, outside its bars.
pub fn rank(text: &str) -> Option<usize> {
    if text.chars().count() < SHORTEST {
        return None;
    }
    let is_around = |c: char| !c.is_alphanumeric();
    let alone = |mut chars: Box<dyn Iterator<Item = char> + '_>| {
        let rank = chars.next()?.to_digit(10).filter(|rank| (1..=8).contains(rank))?;
        chars.next().is_none_or(|c| !c.is_alphanumeric()).then_some(rank as usize)
    };
    let first = text.split(is_bar).next()?.trim_start_matches(is_around);
    let last = text.rsplit(is_bar).next()?.trim_end_matches(is_around);
    alone(Box::new(first.chars())).or_else(|| alone(Box::new(last.chars().rev())))
}

fn is_bar(c: char) -> bool {
    "|│┃║¦".contains(c)
}

/// Returns a cell's look, without surrounding blanks.
fn look(glyphs: &[Glyph]) -> Look {
    /// Signs around a piece, or beside it.
    const MARKS: &str = "[](){}<>*!'\"=_~^";
    let is_blank = |glyph: &Glyph| glyph.0.is_whitespace() || is_bar(glyph.0);
    let start = glyphs.iter().position(|glyph| !is_blank(glyph)).unwrap_or(glyphs.len());
    let end = glyphs.iter().rposition(|glyph| !is_blank(glyph)).map_or(start, |last| last + 1);
    let plain = || glyphs.iter().filter(|glyph| !is_blank(glyph) && !MARKS.contains(glyph.0));
    Look {
        whole: glyphs[start..end].iter().map(|(c, style)| format!("{style}{c}")).collect(),
        tinted: plain().map(|(c, style)| format!("{};{c}", style.letters)).collect(),
        plain: plain().map(|(c, _)| c).collect(),
    }
}

fn bars(row: &[Glyph]) -> Option<Vec<Look>> {
    let parts: Vec<&[Glyph]> = row.split(|glyph| is_bar(glyph.0)).collect();
    (parts.len() == 10).then(|| parts[1..9].iter().map(|part| look(part)).collect())
}

fn words(row: &[Glyph], rank: usize) -> Option<Vec<Look>> {
    let words = row.split(|glyph| glyph.0.is_whitespace() || is_bar(glyph.0)).filter(|word| !word.is_empty());
    let mut words: Vec<&[Glyph]> = words.collect();
    let rank = rank.to_string();
    // A piece's code has a letter before its figure.
    let is_rank = |word: &[Glyph]| {
        let text: String = word.iter().map(|glyph| glyph.0).collect();
        text.trim_matches(|sign: char| !sign.is_alphanumeric()) == rank
    };
    if words.len() > 8 && is_rank(words[0]) {
        words.remove(0);
    }
    if words.len() > 8 && words.last().is_some_and(|word| is_rank(word)) {
        words.pop();
    }
    (words.len() == 8).then(|| words.into_iter().map(look).collect())
}

fn columns(row: &[Glyph], letters: &[usize]) -> Option<Vec<Look>> {
    let wide = letters.windows(2).map(|pair| pair[1].abs_diff(pair[0])).min().filter(|&wide| wide > 0)?;
    let part = |&at: &usize| {
        let from = (at + 1).saturating_sub(wide.div_ceil(2)).min(row.len());
        look(&row[from..(from + wide).min(row.len())])
    };
    Some(letters.iter().map(part).collect())
}
