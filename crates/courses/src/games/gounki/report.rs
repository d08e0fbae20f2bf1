//! Gounki's report: the project's text in `hand_in/modeles/rapport.txt`, and the graph of its measured tournament.
//!
//! - [`text`]: the markup of the text.
//! - [`tournament`]: the results; [`chart`]: their graph.
//! - [`font`]: glyphs and widths; [`page`]: lines, paragraphs and pages; [`document`]: the PDF.

mod chart;
mod document;
mod font;
mod page;
mod text;
mod tournament;

use crate::hand_in::team::Team;
use anyhow::{Result, ensure};
use page::Layout;
use text::Block;
use tournament::Tournament;

/// Maximum number of pages by the assignment.
const MOST_PAGES: usize = 4;

/// The report that the course asks for with a hand-in.
#[derive(Debug)]
pub struct Report {
    /// The contents of the PDF file.
    pub bytes: Vec<u8>,
    /// The number of pages.
    pub pages: usize,
}

/// Makes the team's report from `results`, one line a pair of players in the format of `scripts/heuristiques.sh`.
///
/// # Errors
/// If the results are not valid, or the report is too long for the assignment.
pub fn gounki(team: &Team, results: &str) -> Result<Report> {
    let tournament: Tournament = results.parse()?;
    let mut layout = Layout::new()?;
    for block in text::parse(include_str!("hand_in/modeles/rapport.txt"), &tournament)? {
        match block {
            Block::Title(text) => layout.title(&text),
            Block::Team => layout.authors(&team.names()),
            Block::Heading(text) => layout.heading(&text),
            Block::Paragraph(words) => layout.paragraph(&words, false),
            Block::Item(words) => layout.paragraph(&words, true),
            Block::Chart => chart::draw(&mut layout, &tournament),
            Block::Table => chart::table(&mut layout, &tournament),
        }
    }
    let (bytes, pages) = document::write(layout, "Gounki : rapport", &team.names())?;
    ensure!(pages <= MOST_PAGES, "the report has {pages} pages; the assignment allows {MOST_PAGES}");
    Ok(Report { bytes, pages })
}
