//! Reduces CREDITS.md to one game.

use crate::registry::{self, Game};

/// Returns the heading of a game's methods, and the words that mark its table rows.
fn about(game: Game) -> Option<(&'static str, &'static [&'static str])> {
    game.assignment().submission().map(|submission| submission.credits())
}

/// Returns the sections on search and on this game, and the table rows that are not about other games only.
pub(super) fn of_game(text: &str, game: Game) -> String {
    let mut kept = String::new();
    let (mut is_kept, mut cut_rows) = (true, false);
    for line in text.lines() {
        if line.starts_with("## ") {
            (is_kept, cut_rows) = (true, line == "## Programs" || line == "## Data");
        } else if line.starts_with("### ") {
            let own = about(game).is_some_and(|(heading, _)| heading == line);
            is_kept = own || line.starts_with("### Searching");
        }
        if is_kept && !(cut_rows && line.starts_with('|') && is_of_others(line, game)) {
            kept.push_str(line);
            kept.push('\n');
        }
    }
    kept
}

/// Returns true if a row is about other games only.
fn is_of_others(row: &str, game: Game) -> bool {
    let is_about =
        |game: &Game| about(*game).is_some_and(|(_, words)| words.iter().any(|word| row.contains(word)));
    let about: Vec<Game> = registry::all().into_iter().filter(is_about).collect();
    !about.is_empty() && !about.contains(&game)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_game_has_its_section_and_no_others() {
        let text = include_str!("../../../../CREDITS.md");
        for game in registry::all() {
            let (heading, words) = about(game).expect("every game of the project has an archive");
            assert!(text.lines().any(|line| line == heading), "{heading}");
            let cut = of_game(text, game);
            assert!(cut.contains(words[0]) && cut.contains("## Libraries"), "{game:?}");
            let headings: Vec<&str> = cut.lines().filter(|line| line.starts_with("### ")).collect();
            assert_eq!(headings, ["### Searching (`search-core`)", heading], "{game:?}");
            for other in registry::all().into_iter().filter(|other| *other != game) {
                let (heading, _) = about(other).expect("every game of the project has an archive");
                assert!(!cut.lines().any(|line| line == heading), "{heading}");
            }
        }
    }
}
