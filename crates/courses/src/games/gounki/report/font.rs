//! Fonts: the glyph and width of each character, and the glyphs in use.

use anyhow::{Context, Result};
use skrifa::charmap::Charmap;
use skrifa::instance::{LocationRef, Size};
use skrifa::metrics::{GlyphMetrics, Metrics};
use skrifa::string::StringId;
use skrifa::{FontRef, GlyphId, MetadataProvider};
use std::collections::BTreeMap;
use subsetter::GlyphRemapper;

/// The four fonts of the report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    Regular,
    Bold,
    Italic,
    Code,
}

impl Style {
    pub(super) const ALL: [Self; 4] = [Self::Regular, Self::Bold, Self::Italic, Self::Code];

    /// Returns the name inside the font file.
    fn postscript_name(self) -> &'static str {
        match self {
            Self::Regular => "LibertinusSerif-Regular",
            Self::Bold => "LibertinusSerif-Bold",
            Self::Italic => "LibertinusSerif-Italic",
            Self::Code => "DejaVuSansMono",
        }
    }

    /// Returns the font's size relative to the text. Monospace letters look large.
    pub(super) fn scale(self) -> f32 {
        if self == Self::Code { 0.82 } else { 1.0 }
    }
}

/// A font with its glyphs in use.
pub(super) struct Font {
    pub(super) data: &'static [u8],
    /// Metrics in font units.
    pub(super) metrics: Metrics,
    glyphs: GlyphMetrics<'static>,
    characters: Charmap<'static>,
    pub(super) name: &'static str,
    /// Maps glyph numbers of the font to those of the subset.
    pub(super) remapper: GlyphRemapper,
    /// The character of each glyph of the subset, and its width in thousandths of the font size.
    pub(super) used: BTreeMap<u16, (char, f32)>,
}

impl Font {
    pub(super) fn load(style: Style) -> Result<Self> {
        let name = style.postscript_name();
        let of_name = |data: &&'static [u8]| {
            FontRef::new(data).is_ok_and(|font| {
                let mut names = font.localized_strings(StringId::POSTSCRIPT_NAME);
                names.any(|found| found.chars().eq(name.chars()))
            })
        };
        let data =
            typst_assets::fonts().find(of_name).with_context(|| format!("the font {name} is missing"))?;
        let font = FontRef::new(data).context(name)?;
        let location = LocationRef::default();
        Ok(Self {
            data,
            metrics: font.metrics(Size::unscaled(), location),
            glyphs: font.glyph_metrics(Size::unscaled(), location),
            characters: font.charmap(),
            name,
            remapper: GlyphRemapper::new(),
            used: BTreeMap::new(),
        })
    }

    /// Returns the width of a text, relative to the font size.
    pub(super) fn width(&self, text: &str) -> f32 {
        text.chars().map(|character| self.thousandths(character) / 1000.0).sum()
    }

    /// Encodes a text for the document: two bytes a glyph of the subset.
    pub(super) fn encode(&mut self, text: &str) -> Vec<u8> {
        let mut bytes = Vec::new();
        for character in text.chars() {
            // Glyph 0 stands for missing characters. No font has more glyphs than fit 16 bits.
            let glyph = u16::try_from(self.glyph(character).to_u32()).unwrap_or(0);
            let number = self.remapper.remap(glyph);
            self.used.insert(number, (character, self.thousandths(character)));
            bytes.extend(number.to_be_bytes());
        }
        bytes
    }

    fn thousandths(&self, character: char) -> f32 {
        let width = self.glyphs.advance_width(self.glyph(character)).unwrap_or(0.0);
        width * 1000.0 / f32::from(self.metrics.units_per_em)
    }

    fn glyph(&self, character: char) -> GlyphId {
        self.characters.map(plain(character)).unwrap_or_default()
    }
}

/// Replaces a no-break space by a normal one, which looks the same.
fn plain(character: char) -> char {
    if character == '\u{a0}' { ' ' } else { character }
}
