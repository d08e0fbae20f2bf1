//! Lines, paragraphs and pages. Lengths are points; a page's origin is its lower left corner.

use super::font::{Font, Style};
use super::text::Word;
use anyhow::Result;
use pdf_writer::{Content, Name, Str};

/// A4.
pub(super) const WIDTH: f32 = 595.0;
pub(super) const HEIGHT: f32 = 842.0;
/// Left and right.
pub(super) const MARGIN: f32 = 62.0;
const TOP: f32 = 58.0;
const BOTTOM: f32 = 62.0;
/// Between the margins.
pub(super) const COLUMN: f32 = WIDTH - 2.0 * MARGIN;

const SIZE: f32 = 10.5;
const LEADING: f32 = 13.2;
const INDENT: f32 = 12.0;
/// A line is left ragged rather than have spaces this many times their width.
const LOOSEST: f32 = 3.0;

/// Pages in the making.
pub(super) struct Layout {
    pub(super) fonts: Vec<Font>,
    pub(super) pages: Vec<Content>,
    /// The base line of what was written last.
    y: f32,
}

impl Layout {
    pub(super) fn new() -> Result<Self> {
        let fonts = Style::ALL.into_iter().map(Font::load).collect::<Result<_>>()?;
        Ok(Self { fonts, pages: vec![Content::new()], y: HEIGHT - TOP })
    }

    pub(super) fn title(&mut self, text: &str) {
        self.y -= 18.0;
        self.centred(text, Style::Bold, 19.0);
    }

    pub(super) fn authors(&mut self, names: &str) {
        self.y -= 18.0;
        self.centred(names, Style::Italic, 12.0);
        self.y -= 8.0;
    }

    pub(super) fn heading(&mut self, text: &str) {
        // With the first lines of what follows it.
        self.reserve(20.0 + 3.0 * LEADING);
        self.y -= 20.0;
        self.write(MARGIN, self.y, text, Style::Bold, 12.5);
        self.y -= 2.0;
    }

    /// Justified; an item has its dash in the margin of the others.
    pub(super) fn paragraph(&mut self, words: &[Word], item: bool) {
        let indent = if item { INDENT } else { 0.0 };
        self.y -= if item { 2.2 } else { 4.0 };
        let lines = self.lines(words, COLUMN - indent);
        // No first line alone at the foot of a page.
        self.reserve(LEADING * lines.len().min(2) as f32);
        for (index, line) in lines.iter().enumerate() {
            self.reserve(LEADING);
            self.y -= LEADING;
            if item && index == 0 {
                self.write(MARGIN + 2.0, self.y, "–", Style::Regular, SIZE);
            }
            let space = self.fonts[0].width(" ") * SIZE;
            let natural: f32 = line.iter().map(|word| self.word_width(word)).sum();
            let gaps = (line.len() - 1) as f32;
            let last = index + 1 == lines.len();
            let stretched = (COLUMN - indent - natural) / gaps;
            // A long word below leaves a line too few words to fill it.
            let gap = if last || gaps == 0.0 || stretched > LOOSEST * space { space } else { stretched };
            let mut x = MARGIN + indent;
            for word in *line {
                for (style, text) in word {
                    self.write(x, self.y, text, *style, SIZE);
                    x += self.width(text, *style, SIZE);
                }
                x += gap;
            }
        }
    }

    /// The words of each line, as many as fit.
    fn lines<'a>(&self, words: &'a [Word], width: f32) -> Vec<&'a [Word]> {
        let space = self.fonts[0].width(" ") * SIZE;
        let (mut lines, mut first, mut used) = (Vec::new(), 0, 0.0);
        for (index, word) in words.iter().enumerate() {
            let own = self.word_width(word);
            if index > first && used + space + own > width {
                lines.push(&words[first..index]);
                (first, used) = (index, own);
            } else {
                used += own + if index > first { space } else { 0.0 };
            }
        }
        lines.push(&words[first..]);
        lines
    }

    fn word_width(&self, word: &Word) -> f32 {
        word.iter().map(|(style, text)| self.width(text, *style, SIZE)).sum()
    }

    pub(super) fn width(&self, text: &str, style: Style, size: f32) -> f32 {
        self.fonts[style as usize].width(text) * size * style.scale()
    }

    fn centred(&mut self, text: &str, style: Style, size: f32) {
        let x = (WIDTH - self.width(text, style, size)) / 2.0;
        self.write(x, self.y, text, style, size);
    }

    /// Takes this much height, on the next page where this one has no more: the upper edge.
    pub(super) fn take(&mut self, height: f32) -> f32 {
        self.reserve(height);
        let top = self.y;
        self.y -= height;
        top
    }

    fn reserve(&mut self, height: f32) {
        if self.y - height < BOTTOM {
            self.pages.push(Content::new());
            self.y = HEIGHT - TOP;
        }
    }

    /// Writes a text from this point of the current page.
    pub(super) fn write(&mut self, x: f32, y: f32, text: &str, style: Style, size: f32) {
        let page = self.pages.len() - 1;
        self.write_on(page, x, y, text, style, size);
    }

    pub(super) fn write_on(&mut self, page: usize, x: f32, y: f32, text: &str, style: Style, size: f32) {
        let encoded = self.fonts[style as usize].encode(text);
        let page = &mut self.pages[page];
        page.begin_text();
        page.set_font(Name(resource(style).as_bytes()), size * style.scale());
        page.next_line(x, y);
        page.show(Str(&encoded));
        page.end_text();
    }

    /// The current page, for lines and bars.
    pub(super) fn canvas(&mut self) -> &mut Content {
        self.pages.last_mut().expect("there is a first page")
    }
}

/// The font's name in a page's resources.
pub(super) fn resource(style: Style) -> &'static str {
    match style {
        Style::Regular => "F0",
        Style::Bold => "F1",
        Style::Italic => "F2",
        Style::Code => "F3",
    }
}
