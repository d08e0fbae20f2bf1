//! Output files of results.

use super::interrupt;
use crate::report::page;
use crate::standing::Standing;
use clap::Args;
use courses::course::Course;
use courses::drawing::Language;
use courses::record::Record;
use courses::store::Head;
use std::path::{Path, PathBuf};
use wire::Failure;

/// Output files of results, in addition to the terminal.
#[derive(Debug, Clone, Args)]
pub struct Outputs {
    /// Output file of the results as JSON
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Output file of the results as one self-contained page with charts
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Output file of the games in a notation that other programs read: SGF, GGF or PGN, depending on the game
    #[arg(long, value_name = "FILE")]
    pub notation: Option<PathBuf>,
}

impl Outputs {
    /// Checks that the requested files can be written, without changing them.
    pub fn check(&self) -> Result<(), Failure> {
        [&self.json, &self.html, &self.notation].into_iter().flatten().try_for_each(|path| writable(path))
    }

    /// Writes the requested files. `course` draws the page's boards. The language is that of the page.
    pub fn write(
        &self,
        head: &Head,
        standing: &Standing,
        records: &[Record],
        course: Option<&dyn Course>,
        language: Language,
    ) -> Result<(), Failure> {
        together([
            put(&self.json, || format!("{:#}\n", crate::report::json(head, standing, records))),
            put(&self.html, || page::page(head, standing, records, course, language)),
            put(&self.notation, || courses::notation::all(records)),
        ])
    }
}

/// Joins the outcomes of steps that were all tried: where standard output is full or its reader gone, files are written
/// all the same. A reader that is gone counts only if nothing else failed, and a failure is told once.
pub fn together(steps: impl IntoIterator<Item = Result<(), Failure>>) -> Result<(), Failure> {
    let join = |before: Result<(), Failure>, step: Result<(), Failure>| {
        let (Err(before), Err(failure)) = (&before, &step) else { return before.and(step) };
        let (said, more) = (before.to_string(), failure.to_string());
        Err(match (before.code(), failure.code()) {
            (_, 0) => before.clone(),
            (0, _) => failure.clone(),
            _ if said.contains(&more) => before.clone(),
            _ if more.contains(&said) => failure.clone(),
            _ => before.clone().followed_by(format!("; {more}")),
        })
    };
    steps.into_iter().fold(Ok(()), join)
}

/// Checks that a file can be written, without changing it.
pub fn writable(path: &Path) -> Result<(), Failure> {
    wire::file::check(path).map_err(|error| Failure::input(format!("{}: {error}", path.display())))
}

/// Writes a requested file, atomically.
pub fn put(path: &Option<PathBuf>, text: impl FnOnce() -> String) -> Result<(), Failure> {
    match path {
        None => Ok(()),
        Some(path) => {
            let text = text();
            let written = interrupt::at_once(|| wire::file::write(path, text));
            written.map_err(|error| Failure::run(format!("{}: {error}", path.display())))
        }
    }
}
