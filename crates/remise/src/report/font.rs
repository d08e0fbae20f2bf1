//! Fonts: which glyph a character has, how wide it is, and which glyphs the document uses.

use anyhow::{Context, Result};
use std::collections::BTreeMap;
use subsetter::GlyphRemapper;
use ttf_parser::{Face, name_id};

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

    /// The name inside the font file.
    fn postscript_name(self) -> &'static str {
        match self {
            Self::Regular => "LibertinusSerif-Regular",
            Self::Bold => "LibertinusSerif-Bold",
            Self::Italic => "LibertinusSerif-Italic",
            Self::Code => "DejaVuSansMono",
        }
    }

    /// Of the text's size: the typewriter's letters are large.
    pub(super) fn scale(self) -> f32 {
        if self == Self::Code { 0.82 } else { 1.0 }
    }
}

/// A font, and the glyphs that were asked of it.
pub(super) struct Font {
    pub(super) data: &'static [u8],
    pub(super) face: Face<'static>,
    pub(super) name: &'static str,
    /// Old glyph numbers to those of the subset.
    pub(super) remapper: GlyphRemapper,
    /// Number in the subset to its character and its width in thousandths of the size.
    pub(super) used: BTreeMap<u16, (char, f32)>,
}

impl Font {
    pub(super) fn load(style: Style) -> Result<Self> {
        let name = style.postscript_name();
        let of_name = |data: &&'static [u8]| {
            Face::parse(data, 0).is_ok_and(|face| {
                face.names().into_iter().any(|entry| {
                    entry.name_id == name_id::POST_SCRIPT_NAME && entry.to_string().as_deref() == Some(name)
                })
            })
        };
        let data =
            typst_assets::fonts().find(of_name).with_context(|| format!("the font {name} is missing"))?;
        Ok(Self {
            data,
            face: Face::parse(data, 0)?,
            name,
            remapper: GlyphRemapper::new(),
            used: BTreeMap::new(),
        })
    }

    /// In units of the size.
    pub(super) fn width(&self, text: &str) -> f32 {
        text.chars().map(|character| self.thousandths(character) / 1000.0).sum()
    }

    /// The text as the document writes it: two bytes a glyph of the subset.
    pub(super) fn encode(&mut self, text: &str) -> Vec<u8> {
        let mut bytes = Vec::new();
        for character in text.chars() {
            let glyph = self.face.glyph_index(plain(character)).map_or(0, |glyph| glyph.0);
            let number = self.remapper.remap(glyph);
            self.used.insert(number, (character, self.thousandths(character)));
            bytes.extend(number.to_be_bytes());
        }
        bytes
    }

    fn thousandths(&self, character: char) -> f32 {
        let glyph = self.face.glyph_index(plain(character)).unwrap_or_default();
        let width = self.face.glyph_hor_advance(glyph).unwrap_or(0);
        f32::from(width) * 1000.0 / f32::from(self.face.units_per_em())
    }
}

/// A space that does not break looks like one that does.
fn plain(character: char) -> char {
    if character == '\u{a0}' { ' ' } else { character }
}
