//! The markup of the report's text: `# title`, `## heading`, `- item`, one paragraph a line, `**bold**`, `` `code` ``,
//! and `@names` for values to insert.

use super::font::Style;
use super::tournament::Tournament;
use anyhow::{Result, ensure};

/// A piece of the report.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Block {
    Title(String),
    Team,
    Heading(String),
    Paragraph(Vec<Word>),
    Item(Vec<Word>),
    Chart,
    Table,
}

/// A word that is not broken: pieces of one style each.
pub(super) type Word = Vec<(Style, String)>;

/// Parses the text.
///
/// # Errors
/// If a mark is not closed, or a player is not in the tournament.
pub(super) fn parse(text: &str, tournament: &Tournament) -> Result<Vec<Block>> {
    let text = text
        .replace("@parties", &tournament.games_a_pair().to_string())
        .replace("@appris", &tournament.against("appris", "somme")?)
        .replace("@bilan", &tournament.summary());
    let mut blocks = Vec::new();
    for line in text.lines().map(str::trim_end).filter(|line| !line.is_empty()) {
        blocks.push(match line {
            "@equipe" => Block::Team,
            "@graphe" => Block::Chart,
            "@table" => Block::Table,
            _ => {
                if let Some(title) = line.strip_prefix("# ") {
                    Block::Title(typography(title))
                } else if let Some(heading) = line.strip_prefix("## ") {
                    Block::Heading(typography(heading))
                } else if let Some(item) = line.strip_prefix("- ") {
                    Block::Item(words(item)?)
                } else {
                    Block::Paragraph(words(line)?)
                }
            }
        });
    }
    Ok(blocks)
}

/// Inserts French no-break spaces: before double punctuation, inside quotes and in numbers.
fn typography(text: &str) -> String {
    let mut text = text.replace("« ", "«\u{a0}");
    for sign in [":", ";", "!", "?", "»", "%"] {
        text = text.replace(&format!(" {sign}"), &format!("\u{a0}{sign}"));
    }
    let characters: Vec<char> = text.replace('\'', "’").chars().collect();
    let digit = |at: Option<usize>| at.and_then(|at| characters.get(at)).is_some_and(char::is_ascii_digit);
    let glue = |(at, &character): (usize, &char)| {
        let inside = character == ' ' && digit(at.checked_sub(1)) && digit(Some(at + 1));
        if inside { '\u{a0}' } else { character }
    };
    characters.iter().enumerate().map(glue).collect()
}

fn words(line: &str) -> Result<Vec<Word>> {
    let mut words: Vec<Word> = vec![Vec::new()];
    for (index, code) in line.split('`').enumerate() {
        if index % 2 == 1 {
            // Spaces in code are kept.
            words.last_mut().expect("there is one").push((Style::Code, code.replace(' ', "\u{a0}")));
            continue;
        }
        for (index, part) in typography(code).split("**").enumerate() {
            let style = if index % 2 == 1 { Style::Bold } else { Style::Regular };
            for (index, piece) in part.split(' ').enumerate() {
                if index > 0 {
                    words.push(Vec::new());
                }
                if !piece.is_empty() {
                    words.last_mut().expect("there is one").push((style, piece.to_owned()));
                }
            }
        }
    }
    ensure!(line.matches('`').count().is_multiple_of(2), "an open ` in: {line}");
    ensure!(line.matches("**").count().is_multiple_of(2), "an open ** in: {line}");
    words.retain(|word| !word.is_empty());
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_become_styles_and_spaces_stay_where_french_wants_them() {
        let words = words("**Fin.** Un pion : `a b`, 2 241 fois").unwrap();
        let texts: Vec<String> =
            words.iter().map(|word| word.iter().map(|(_, text)| text.as_str()).collect()).collect();
        assert_eq!(texts, ["Fin.", "Un", "pion\u{a0}:", "a\u{a0}b,", "2\u{a0}241", "fois"]);
        assert_eq!(words[0][0].0, Style::Bold);
        assert_eq!(words[3][0].0, Style::Code);
    }
}
