//! Output files of marks.

use super::interrupt;
use super::outputs::{put, together, writable};
use crate::mark::class::Entry;
use crate::report::cards::page::{self, Links};
use crate::report::cards::{self, Gradebook, games, github, gradescope, junit, moodle};
use clap::Args;
use courses::drawing::Language;
use std::fmt::Display;
use std::hash::{BuildHasher as _, RandomState};
use std::path::{Path, PathBuf};
use wire::Failure;
use wire::file::{Appended, Files};

/// The variable with the file of a step's summary in GitHub Actions.
const SUMMARY: &str = "GITHUB_STEP_SUMMARY";

/// Output files of marks, in addition to the terminal.
#[derive(Debug, Args)]
pub struct Gradebooks {
    /// Output file of the gradebook: a line for each player, a column for each criterion
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Output file of the cards as JSON
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Output file of the cards as one page
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Folder for a page of each program's games, with all boards, linked from --html
    #[arg(long, value_name = "FOLDER", requires = "html")]
    games: Option<PathBuf>,
    /// The page of the class's tournament (tournament --html), linked from --html
    #[arg(long, value_name = "FILE", requires = "html", conflicts_with = "anonymous")]
    tournament: Option<PathBuf>,
    /// Write numbers in place of names to --html and --games, in the order of the points
    #[arg(long, requires = "html")]
    anonymous: bool,
    /// Output file of the marks and cards for Moodle's grade import (CSV). The class needs a column id or e-mail
    #[arg(long, value_name = "FILE")]
    moodle: Option<PathBuf>,
    /// Output file of the card for Gradescope: the results.json of one program
    #[arg(long, value_name = "FILE")]
    gradescope: Option<PathBuf>,
    /// Output file of the cards as JUnit XML
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    /// In GitHub Actions: write the cards to the step's summary, and an annotation for each criterion that lost points
    #[arg(long)]
    github: bool,
}

impl Gradebooks {
    /// Returns the pages of the games of a class with these names.
    fn pages<'a>(&self, names: impl IntoIterator<Item = &'a str>) -> Vec<PathBuf> {
        let of = |folder: &PathBuf| {
            let ids = page::ids(names);
            ids.into_iter().map(|id| folder.join(format!("{id}.html"))).collect()
        };
        self.games.as_ref().map_or_else(Vec::new, of)
    }

    /// Checks that all outputs can be written for this class, and that none is another one or `record`, without changing
    /// them. Creates the folder of the games.
    ///
    /// # Errors
    /// The first file that cannot be written, or a format that cannot hold this class.
    pub fn check(&self, class: &[Entry], language: Language, record: Option<&Path>) -> Result<(), Failure> {
        let Self { csv, json, html, moodle, gradescope, junit, github, games, tournament, .. } = self;
        let own = [csv, json, html, moodle, gradescope, junit].into_iter().flatten();
        own.clone().try_for_each(|path| writable(path))?;
        let mut files = Files::new();
        let others = own.chain(tournament).map(PathBuf::as_path).chain(record);
        others.for_each(|path| files.input("another file of this command", path));
        let pages = if self.anonymous {
            let names: Vec<String> = (1..=class.len()).map(|nth| page::alias(nth, language)).collect();
            self.pages(names.iter().map(String::as_str))
        } else {
            self.pages(class.iter().map(|entry| entry.name.as_str()))
        };
        pages.iter().for_each(|page| files.output("--games", page));
        let summary = github.then(summary).transpose()?;
        summary.iter().for_each(|path| files.output(SUMMARY, path));
        files.check().map_err(Failure::input)?;
        if moodle.is_some()
            && let Some(name) = moodle::unknown(class)
        {
            return Err(Failure::input(format!(
                "--moodle: \"{name}\" has neither id nor e-mail: add a column of that name to the class"
            )));
        }
        if gradescope.is_some() && class.len() != 1 {
            return Err(Failure::input("--gradescope: a results.json holds the result of one program"));
        }
        if let Some(path) = summary {
            let failed = |error| Failure::input(format!("{SUMMARY} \"{}\": {error}", path.display()));
            wire::file::check(&path).map_err(failed)?;
        }
        if let Some(folder) = games {
            let failed = |error| Failure::input(format!("{}: {error}", folder.display()));
            std::fs::create_dir_all(folder).map_err(failed)?;
        }
        pages.iter().try_for_each(|page| writable(page))
    }

    /// Returns true if a file is requested.
    pub fn is_any(&self) -> bool {
        let Self { csv, json, html, moodle, gradescope, junit, github, .. } = self;
        *github || [csv, json, html, moodle, gradescope, junit].into_iter().any(Option::is_some)
    }

    /// Returns true if the boards of the games are to be kept.
    pub fn keeps_games(&self) -> bool {
        self.games.is_some()
    }

    /// Returns true if standard output is read for workflow commands.
    pub fn is_read_for_commands(&self) -> bool {
        self.github
    }

    /// Encloses text so that GitHub Actions finds no commands in it.
    pub fn quoted(text: &str) -> String {
        // Hashers have keys from the system's random numbers.
        let [first, second] = [0, 1].map(|n: u8| RandomState::new().hash_one(n));
        github::quoted(text, &format!("{first:016x}{second:016x}"))
    }

    /// Writes the page of the class, and those of its games.
    fn write_pages(&self, gradebook: &Gradebook<'_>) -> Result<(), Failure> {
        let Some(html) = &self.html else { return Ok(()) };
        let nameless = self.anonymous.then(|| page::anonymous(gradebook.marked, gradebook.language));
        let gradebook = Gradebook { marked: nameless.as_deref().unwrap_or(gradebook.marked), ..*gradebook };
        let seen = |path: &PathBuf| {
            let base = html.parent().unwrap_or(Path::new(""));
            let whole = || path.canonicalize().unwrap_or_else(|_| path.clone());
            path.strip_prefix(base).map_or_else(|_| whole(), Path::to_owned)
        };
        let pages = self.pages(gradebook.marked.iter().map(|marked| marked.player.name.as_str()));
        let folder = together(gradebook.marked.iter().zip(pages).map(|(marked, page)| {
            put(&(!marked.games.is_empty()).then_some(page), || games::page(marked, gradebook.language))
        }));
        let links =
            Links { games: self.games.as_ref().map(seen), tournament: self.tournament.as_ref().map(seen) };
        together([folder, put(&self.html, || page::page(&gradebook, &links))])
    }

    /// Writes the requested files.
    ///
    /// # Errors
    /// The files that cannot be written.
    pub fn write(&self, gradebook: &Gradebook<'_>) -> Result<(), Failure> {
        let of_one = match gradebook.marked {
            [marked] => {
                put(&self.gradescope, || format!("{:#}\n", gradescope::results(marked, gradebook.language)))
            }
            _ => Ok(()),
        };
        together([
            put_made(&self.csv, || cards::csv(gradebook.marked)),
            put(&self.json, || format!("{:#}\n", cards::json(gradebook.marked))),
            self.write_pages(gradebook),
            put_made(&self.moodle, || moodle::csv(gradebook)),
            of_one,
            put_made(&self.junit, || junit::xml(gradebook)),
            if self.github { tell_github(gradebook) } else { Ok(()) },
        ])
    }
}

/// Writes a requested file whose text may fail to be made.
fn put_made<E: Display>(
    path: &Option<PathBuf>,
    text: impl FnOnce() -> Result<String, E>,
) -> Result<(), Failure> {
    if path.is_none() {
        return Ok(());
    }
    let text = text().map_err(Failure::run)?;
    put(path, || text)
}

/// Returns the file of a step's summary.
fn summary() -> Result<PathBuf, Failure> {
    let unset = || Failure::input(format!("--github: {SUMMARY} is not set, as it is in GitHub Actions"));
    std::env::var_os(SUMMARY).map(PathBuf::from).ok_or_else(unset)
}

/// Writes the step's summary and the annotations of GitHub Actions.
fn tell_github(gradebook: &Gradebook<'_>) -> Result<(), Failure> {
    let path = summary()?;
    let summary = github::summary(gradebook);
    let written = interrupt::at_once(|| {
        let mut file = Appended::open(&path)?;
        file.append(summary.as_bytes()).and_then(|()| file.sync())
    });
    let written = written.map_err(|error| Failure::run(format!("{}: {error}", path.display())));
    together([written, wire::print(github::annotations(gradebook))])
}
