//! Cards for a run of GitHub Actions: a summary in Markdown, and annotations as workflow commands.

use super::{Gradebook, points_of, total};
use crate::report::table::decimal;
use courses::drawing::preformatted;
use courses::french::say;
use std::fmt::Write as _;

/// The number of annotations of each kind that a step shows.
const ANNOTATIONS: usize = 10;
/// The size of a summary in bytes, below the limit of 1 MiB a step.
const SUMMARY: usize = 1_000_000;

/// Returns the summary: a table of the criteria and the card of each program.
#[must_use]
pub fn summary(gradebook: &Gradebook<'_>) -> String {
    let language = gradebook.language;
    let mut text = format!("## {}\n", cell(gradebook.title));
    for marked in gradebook.marked {
        let (points, of) = total(&marked.card);
        let name = cell(&marked.player.name);
        let heads = language.choose("| critère | points | sur |", "| criterion | points | of |");
        let (colon, points) = (language.colon(), decimal(points, 1, language));
        let mut part = format!("\n### {name}{colon}{points} / {of:.0}\n\n{heads}\n|---|---:|---:|\n");
        for item in &marked.card.items {
            let by_hand = || language.choose("à la main", "by hand").to_owned();
            let points = item.points.map_or_else(by_hand, |points| decimal(points, 1, language));
            let _ = writeln!(part, "| {} | {points} | {:.0} |", cell(&say(&item.name, language)), item.of);
        }
        let card = preformatted(&marked.card.text(gradebook.language));
        let _ = write!(part, "\n<details><summary>{name}</summary><pre>\n{card}</pre></details>\n");
        if text.len() + part.len() > SUMMARY {
            text.push_str(language.choose(
                "\nLes autres fiches sont dans le journal.\n",
                "\nThe other cards are in the log.\n",
            ));
            break;
        }
        text.push_str(&part);
    }
    text
}

/// Returns text for a table cell: without line feeds, markup and HTML.
fn cell(text: &str) -> String {
    let mut plain = String::new();
    for sign in preformatted(text).chars() {
        match sign {
            '\n' | '\r' => plain.push(' '),
            '|' | '*' | '_' | '`' | '[' | ']' | '\\' | '#' => plain.extend(['\\', sign]),
            _ => plain.push(sign),
        }
    }
    plain
}

/// Returns an error for each criterion that lost points, and a notice with the total of each program.
#[must_use]
pub fn annotations(gradebook: &Gradebook<'_>) -> String {
    let language = gradebook.language;
    let (mut errors, mut notices) = (Vec::new(), Vec::new());
    for marked in gradebook.marked {
        let name = &marked.player.name;
        for item in &marked.card.items {
            let Some(points) = item.points.filter(|points| *points < item.of) else { continue };
            let title = format!("{name}: {}", say(&item.name, language));
            let notes = item.notes_in(language).join("\n");
            let text = format!("{}\n{notes}", points_of(points, item.of, language));
            errors.push(format!("::error title={}::{}\n", property(&title), data(&text)));
        }
        let (points, of) = total(&marked.card);
        let text = points_of(points, of, language);
        notices.push(format!("::notice title={}::{text}\n", property(name)));
    }
    errors.truncate(ANNOTATIONS);
    notices.truncate(ANNOTATIONS);
    errors.concat() + &notices.concat()
}

/// Encloses text so that no line of it is taken for a workflow command. `token` must be one that a program cannot guess.
#[must_use]
pub fn quoted(text: &str, token: &str) -> String {
    format!("::stop-commands::{token}\n{}\n::{token}::\n", text.trim_end())
}

/// Escapes the message of a workflow command.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Escapes a property of a workflow command.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::super::tests::{book, class};
    use super::*;

    /// A command is `::name key=value,key=value::message` on a line of its own.
    #[test]
    fn annotations_are_workflow_commands_of_one_line() {
        let class = class(&[("A, b: 50%\n::error::x", &[])]);
        let text = annotations(&book(&class));
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 2, "{text}");
        for line in lines {
            let (command, _) = line.strip_prefix("::").unwrap().split_once("::").unwrap();
            let (name, properties) = command.split_once(' ').unwrap();
            assert!(["error", "notice"].contains(&name), "{line}");
            let (key, value) = properties.split_once('=').unwrap();
            assert_eq!(key, "title");
            assert!(
                value.starts_with("A%2C b%3A 50%25%0A%3A%3Aerror") && !value.contains([',', ':', '\n']),
                "{value}"
            );
        }
    }

    #[test]
    fn no_more_annotations_than_a_step_shows_and_no_larger_summary() {
        let names: Vec<String> = (0..40).map(|nth| format!("s{nth}")).collect();
        let mut class = class(&names.iter().map(|name| (name.as_str(), &[][..])).collect::<Vec<_>>());
        let gradebook = book(&class);
        let text = annotations(&gradebook);
        assert_eq!((text.matches("::error ").count(), text.matches("::notice ").count()), (10, 10));
        assert_eq!(summary(&gradebook).matches("<details>").count(), 40);
        class.iter_mut().for_each(|marked| marked.card.items[0].notes = vec!["x".repeat(100_000)]);
        let text = summary(&book(&class));
        assert!(text.len() < 1 << 20 && text.ends_with("in the log.\n"), "{}", text.len());
    }

    #[test]
    fn a_summary_is_a_table_whatever_the_names() {
        let class = class(&[("a|b\n<script>", &[])]);
        let text = summary(&book(&class));
        assert!(text.contains("### a\\|b &lt;script&gt;: 1.5 / 3\n") && !text.contains("<script>"), "{text}");
        for row in text.lines().filter(|line| line.starts_with('|')) {
            assert_eq!(row.replace("\\|", "").matches('|').count(), 4, "{row}");
        }
    }

    #[test]
    fn a_card_gives_no_commands() {
        let text = quoted("  ::set-env name=A::b\n", "t0k3n");
        assert_eq!(text, "::stop-commands::t0k3n\n  ::set-env name=A::b\n::t0k3n::\n");
    }
}
