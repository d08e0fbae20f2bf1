//! The PDF file: pages, and fonts reduced to the glyphs in use.

use super::font::{Font, Style};
use super::page::{HEIGHT, Layout, WIDTH, resource};
use anyhow::{Context, Result};
use flate2::Compression;
use flate2::write::ZlibEncoder;
use pdf_writer::types::{CidFontType, FontFlags, SystemInfo, UnicodeCmap};
use pdf_writer::{Filter, Finish, Name, Pdf, Rect, Ref, Str, TextStr};
use skrifa::raw::TableProvider;
use skrifa::{FontRef, Tag};
use std::io::Write;

const IDENTITY: SystemInfo =
    SystemInfo { registry: Str(b"Adobe"), ordering: Str(b"Identity"), supplement: 0 };

/// A counter for object numbers.
struct Numbers(i32);

impl Numbers {
    fn next(&mut self) -> Ref {
        self.0 += 1;
        Ref::new(self.0)
    }
}

/// Returns the document's bytes and its number of pages.
///
/// # Errors
/// If a font cannot be subset.
pub(super) fn write(mut layout: Layout, title: &str, authors: &str) -> Result<(Vec<u8>, usize)> {
    let count = layout.pages.len();
    for page in 0..count {
        let text = format!("{} / {count}", page + 1);
        let width = layout.width(&text, Style::Regular, 9.0);
        layout.write_on(page, (WIDTH - width) / 2.0, 34.0, &text, Style::Regular, 9.0);
    }
    let mut pdf = Pdf::new();
    let mut numbers = Numbers(0);
    let (catalog, tree, info) = (numbers.next(), numbers.next(), numbers.next());
    let fonts =
        layout.fonts.iter().map(|font| embed(&mut pdf, &mut numbers, font)).collect::<Result<Vec<_>>>()?;
    let mut pages = Vec::new();
    for content in layout.pages {
        let (page, stream) = (numbers.next(), numbers.next());
        let bytes = compressed(&content.finish())?;
        pdf.stream(stream, &bytes).filter(Filter::FlateDecode);
        let mut writer = pdf.page(page);
        writer.media_box(Rect::new(0.0, 0.0, WIDTH, HEIGHT)).parent(tree).contents(stream);
        let mut resources = writer.resources();
        let mut dictionary = resources.fonts();
        for (style, font) in Style::ALL.into_iter().zip(&fonts) {
            dictionary.pair(Name(resource(style).as_bytes()), font);
        }
        pages.push(page);
    }
    pdf.pages(tree).kids(pages).count(count as i32);
    pdf.catalog(catalog).pages(tree).lang(TextStr("fr"));
    pdf.document_info(info).title(TextStr(title)).author(TextStr(authors));
    Ok((pdf.finish(), count))
}

fn embed(pdf: &mut Pdf, numbers: &mut Numbers, font: &Font) -> Result<Ref> {
    let [whole, cid, descriptor, unicode, file] = std::array::from_fn(|_| numbers.next());
    let subset = subsetter::subset(font.data, 0, &font.remapper).context(font.name)?;
    let outlines = FontRef::new(&subset)?.data_for_tag(Tag::new(b"CFF ")).map(|table| table.as_bytes());
    // PDF requires a prefix of six letters for a font subset.
    let name = format!("PARTIE+{}", font.name);

    let mut writer = pdf.type0_font(whole);
    writer.base_font(Name(name.as_bytes())).encoding_predefined(Name(b"Identity-H"));
    writer.descendant_font(cid).to_unicode(unicode);
    writer.finish();

    let mut writer = pdf.cid_font(cid);
    writer.subtype(if outlines.is_some() { CidFontType::Type0 } else { CidFontType::Type2 });
    writer.base_font(Name(name.as_bytes())).system_info(IDENTITY).font_descriptor(descriptor);
    writer.default_width(0.0);
    if outlines.is_none() {
        writer.cid_to_gid_map_predefined(Name(b"Identity"));
    }
    let mut widths = writer.widths();
    for (&glyph, &(_, width)) in &font.used {
        widths.consecutive(glyph, [width]);
    }
    widths.finish();
    writer.finish();

    let metrics = &font.metrics;
    let scale = |units: f32| units * 1000.0 / f32::from(metrics.units_per_em);
    let mut flags = FontFlags::SYMBOLIC;
    flags.set(FontFlags::FIXED_PITCH, metrics.is_monospace);
    flags.set(FontFlags::ITALIC, metrics.italic_angle != 0.0);
    flags.set(FontFlags::SERIF, !metrics.is_monospace);
    let bounds = metrics.bounds.context(font.name)?;
    let mut writer = pdf.font_descriptor(descriptor);
    writer.name(Name(name.as_bytes())).flags(flags).italic_angle(metrics.italic_angle);
    writer.bbox(Rect::new(
        scale(bounds.x_min),
        scale(bounds.y_min),
        scale(bounds.x_max),
        scale(bounds.y_max),
    ));
    writer.ascent(scale(metrics.ascent)).descent(scale(metrics.descent));
    writer.cap_height(scale(metrics.cap_height.unwrap_or(metrics.ascent))).stem_v(80.0);
    match outlines {
        Some(_) => writer.font_file3(file),
        None => writer.font_file2(file),
    };
    writer.finish();

    let mut map = UnicodeCmap::new(Name(b"Unicode"), IDENTITY);
    for (&glyph, &(character, _)) in &font.used {
        map.pair(glyph, character);
    }
    pdf.cmap(unicode, &compressed(&map.finish())?).filter(Filter::FlateDecode);

    let bytes = compressed(outlines.unwrap_or(&subset))?;
    let mut stream = pdf.stream(file, &bytes);
    stream.filter(Filter::FlateDecode);
    if outlines.is_some() {
        stream.pair(Name(b"Subtype"), Name(b"CIDFontType0C"));
    }
    stream.finish();
    Ok(whole)
}

fn compressed(bytes: &[u8]) -> Result<Vec<u8>> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes)?;
    Ok(encoder.finish()?)
}
