//! Layout of lines, paragraphs and pages. Lengths are in points, from the page's lower left corner.

use super::font::{Font, Style};
use super::text::Word;
use anyhow::Result;
use pdf_writer::{Content, Name, Str};

/// The size of A4 paper.
pub(super) const WIDTH: f32 = 595.0;
pub(super) const HEIGHT: f32 = 842.0;
/// The left and right margins.
pub(super) const MARGIN: f32 = 62.0;
const TOP: f32 = 58.0;
const BOTTOM: f32 = 62.0;
/// The width between the margins.
pub(super) const COLUMN: f32 = WIDTH - 2.0 * MARGIN;

const SIZE: f32 = 10.5;
const LEADING: f32 = 13.2;
const INDENT: f32 = 12.0;
/// Maximum stretch of the spaces in a justified line. A looser line stays ragged.
const LOOSEST: f32 = 3.0;

/// The pages under construction.
pub(super) struct Layout {
    pub(super) fonts: Vec<Font>,
    pub(super) pages: Vec<Content>,
    /// The baseline of the last line written.
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
        // Kept together with the first lines after it.
        self.reserve(20.0 + 3.0 * LEADING);
        self.y -= 20.0;
        self.write(MARGIN, self.y, text, Style::Bold, 12.5);
        self.y -= 2.0;
    }

    /// Writes a justified paragraph. A list item has its dash in the margin.
    pub(super) fn paragraph(&mut self, words: &[Word], item: bool) {
        let indent = if item { INDENT } else { 0.0 };
        self.y -= if item { 2.2 } else { 4.0 };
        let lines = self.lines(words, COLUMN - indent);
        // A paragraph's first line never stands alone at the bottom of a page.
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
            // A long next word may leave too few words to fill the line.
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

    /// Breaks words into lines, as many as fit in each.
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

    /// Reserves this height, on a new page if necessary, and returns its upper edge.
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

    /// Writes a text at a point of the current page.
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

    /// Returns the current page, for drawing.
    pub(super) fn canvas(&mut self) -> &mut Content {
        self.pages.last_mut().expect("there is a first page")
    }
}

/// Returns the font's name in a page's resources.
pub(super) fn resource(style: Style) -> &'static str {
    match style {
        Style::Regular => "F0",
        Style::Bold => "F1",
        Style::Italic => "F2",
        Style::Code => "F3",
    }
}
