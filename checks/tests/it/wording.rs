//! Limits phrases that comments should avoid (CONTRIBUTING.md), and checks the form of the changelog.

use crate::top;
use std::fs;
use std::path::Path;

/// Phrases with a plainer word, and the largest number of comment lines that may use each.
const PHRASES: [(&str, usize); 3] = [("behind", 10), ("so many", 5), ("as it is written", 0)];

/// Doc lines that begin like a riddle instead of naming the item, and their largest number.
const RIDDLES: ([&str; 5], usize) = (["What", "Whether", "Who", "How", "Which"], 15);

/// The largest number of docs that consist of a noun, as `/// Its height.` over `height`.
const NOUNS: usize = 40;

/// A comment line: its place for messages, its marker (`///`, `//!`, `//` or `#`), and its text.
struct Comment {
    place: String,
    marker: &'static str,
    text: String,
    /// True for the first line of a paragraph.
    begins: bool,
    /// True if neither neighbour is a comment with the same marker.
    is_alone: bool,
}

/// Splits a line into its comment marker and text; `None` if the whole line is not a comment.
fn split(line: &str, is_rust: bool) -> Option<(&'static str, &str)> {
    let line = line.trim();
    let markers: &[&'static str] = if is_rust { &["///", "//!", "//"] } else { &["#"] };
    let marker = markers.iter().find(|&&marker| line.starts_with(marker))?;
    Some((marker, line[marker.len()..].trim()))
}

/// Adds the comments of the Rust and shell files below `folder`.
fn read(folder: &Path, comments: &mut Vec<Comment>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.strip_prefix(top()).unwrap().display().to_string();
        let end = path.extension().and_then(|end| end.to_str()).unwrap_or_default().to_owned();
        if path.is_dir() {
            if !name.ends_with("target") {
                read(&path, comments);
            }
        } else if ["rs", "sh", "bash"].contains(&end.as_str()) {
            comments.extend(comments_of(&fs::read_to_string(&path).unwrap(), &name, end == "rs"));
        }
    }
}

/// The comments of a file named `name`.
fn comments_of(source: &str, name: &str, is_rust: bool) -> Vec<Comment> {
    let lines: Vec<_> = source.lines().map(|line| split(line, is_rust)).collect();
    let neighbour = |at: Option<usize>, marker: &str| {
        at.and_then(|at| lines.get(at).copied().flatten()).filter(|&(other, _)| other == marker)
    };
    let comment = |(at, line): (usize, &Option<(&'static str, &str)>)| {
        let (marker, text) = (*line)?;
        let before = neighbour(at.checked_sub(1), marker);
        Some(Comment {
            place: format!("{name}:{}", at + 1),
            marker,
            text: text.to_owned(),
            begins: before.is_none_or(|(_, before)| before.is_empty()),
            is_alone: before.is_none() && neighbour(Some(at + 1), marker).is_none(),
        })
    };
    lines.iter().enumerate().filter_map(comment).collect()
}

/// All comments of the project.
fn comments() -> Vec<Comment> {
    let mut comments = Vec::new();
    for folder in ["crates", "benches", "checks", "fuzz", "scripts"] {
        read(&top().join(folder), &mut comments);
    }
    assert!(comments.len() > 5_000, "only {} comment lines were found", comments.len());
    comments
}

impl Comment {
    fn is_doc(&self) -> bool {
        self.marker != "//" && self.marker != "#"
    }

    fn is_riddle(&self) -> bool {
        let first = self.text.split(|c: char| !c.is_alphabetic()).next();
        self.is_doc() && self.begins && first.is_some_and(|word| RIDDLES.0.contains(&word))
    }

    /// True for a noun with or without an article and a full stop, and nothing else.
    fn is_noun(&self) -> bool {
        let words: Vec<_> = self.text.trim_end_matches('.').split(' ').collect();
        let noun = match words[..] {
            [noun] | ["A" | "An" | "The" | "Its" | "Their", noun] => noun,
            _ => return false,
        };
        let is_word = |c: char| c.is_alphanumeric() || c == '-' || c == '_';
        self.is_doc() && self.is_alone && !noun.is_empty() && noun.chars().all(is_word)
    }
}

/// Fails with the places if there are more than `most` of these comments.
fn at_most(comments: &[Comment], most: usize, what: &str, is_counted: impl Fn(&Comment) -> bool) {
    let found: Vec<_> = comments.iter().filter(|comment| is_counted(comment)).collect();
    let list: Vec<_> = found.iter().map(|comment| format!("{}: {}", comment.place, comment.text)).collect();
    assert!(found.len() <= most, "{} {what}, at most {most}:\n{}", found.len(), list.join("\n"));
}

/// Returns true if `phrase` stands in `text` as whole words, whatever its case.
fn has_phrase(text: &str, phrase: &str) -> bool {
    let text = text.to_lowercase();
    text.match_indices(phrase).any(|(at, _)| {
        let is_letter = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        !is_letter(text[..at].chars().next_back()) && !is_letter(text[at + phrase.len()..].chars().next())
    })
}

#[test]
fn comments_are_in_plain_words() {
    let comments = comments();
    for (phrase, most) in PHRASES {
        at_most(&comments, most, &format!("comment lines with {phrase:?}"), |comment| {
            has_phrase(&comment.text, phrase)
        });
    }
    at_most(&comments, RIDDLES.1, "doc lines that begin with a question word", Comment::is_riddle);
    at_most(&comments, NOUNS, "docs of one noun", Comment::is_noun);
}

#[test]
fn riddles_nouns_and_phrases_are_recognised() {
    let source = "/// What it holds,\n/// Whether or not.\nx: u8,\n/// Its height.\ny: u8,\n\n// Behind it.\n/// Rows.\n";
    let comments = comments_of(source, "x.rs", true);
    let places = |is_counted: fn(&Comment) -> bool| -> Vec<_> {
        comments.iter().filter(|comment| is_counted(comment)).map(|comment| comment.place.as_str()).collect()
    };
    assert_eq!(places(Comment::is_riddle), ["x.rs:1"]);
    assert_eq!(places(Comment::is_noun), ["x.rs:4", "x.rs:8"]);
    assert_eq!(places(|comment| has_phrase(&comment.text, "behind")), ["x.rs:7"]);
    assert!(!has_phrase("behindhand", "behind") && has_phrase("so many", "so many"));
}

/// The sections of Keep a Changelog, each at most once a version, with entries of a line or two.
#[test]
fn the_changelog_has_its_form() {
    const SECTIONS: [&str; 6] = ["Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"];
    let text = fs::read_to_string(top().join("CHANGELOG.md")).unwrap();
    let versions: Vec<_> = text.split("\n## ").skip(1).collect();
    assert!(versions[0].starts_with("Unreleased\n"));
    for version in versions {
        let sections: Vec<_> = version.split("\n### ").skip(1).collect();
        let mut seen = Vec::new();
        for section in sections {
            let (title, entries) = section.split_once('\n').unwrap();
            assert!(SECTIONS.contains(&title) && !seen.contains(&title), "section {title:?}");
            seen.push(title);
            for entry in entries.trim().split("\n- ") {
                assert!(!entry.contains("\n\n"), "a blank line after an entry: {entry}");
                assert!(
                    entry.chars().count() <= 240,
                    "an entry of {} characters: {entry}",
                    entry.chars().count()
                );
            }
        }
    }
}
