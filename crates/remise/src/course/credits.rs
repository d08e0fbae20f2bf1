//! CREDITS.md cut to one game: an archive does not credit what is not in it.

use super::Game;

/// The headings of the sections on one game's methods, and the words by which a table's row is known to be about it.
const ABOUT: [(Game, &str, &[&str]); 5] = [
    (Game::Othello, "### Othello", &["Othello", "othello", "Edax", "NTest", "Egaroucid"]),
    (Game::Connect5, "### Connect5", &["Connect5", "connect5", "Rapfi"]),
    (Game::Gounki, "### Gounki", &["Gounki", "gounki"]),
    (Game::Uttt, "### Ultimate tic-tac-toe", &["UTTT", "uttt"]),
    (Game::Moules, "### The maze (À la pêche aux moules)", &["the maze", "24hiut", "superAI"]),
];

/// The sections on searching and on this game; of the tables of programs and data, the rows on no other game.
pub(super) fn of_game(text: &str, game: Game) -> String {
    let mut kept = String::new();
    let (mut is_kept, mut cut_rows) = (true, false);
    for line in text.lines() {
        if line.starts_with("## ") {
            (is_kept, cut_rows) = (true, line == "## Programs" || line == "## Data");
        } else if line.starts_with("### ") {
            let own = ABOUT.iter().any(|&(about, heading, _)| about == game && heading == line);
            is_kept = own || line.starts_with("### Searching");
        }
        if is_kept && !(cut_rows && line.starts_with('|') && is_of_others(line, game)) {
            kept.push_str(line);
            kept.push('\n');
        }
    }
    kept
}

/// True if a row is about other games only.
fn is_of_others(row: &str, game: Game) -> bool {
    let about: Vec<Game> = ABOUT
        .iter()
        .filter(|(_, _, words)| words.iter().any(|word| row.contains(word)))
        .map(|&(game, ..)| game)
        .collect();
    !about.is_empty() && !about.contains(&game)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_game_has_its_section_and_no_others() {
        let text = include_str!("../../../../CREDITS.md");
        for (game, heading, words) in ABOUT {
            assert!(text.lines().any(|line| line == heading), "{heading}");
            let cut = of_game(text, game);
            assert!(cut.contains(words[0]) && cut.contains("## Libraries"), "{game}");
            let headings: Vec<&str> = cut.lines().filter(|line| line.starts_with("### ")).collect();
            assert_eq!(headings, ["### Searching (`search-core`)", heading], "{game}");
        }
        let othello = of_game(text, Game::Othello);
        assert!(
            !othello.contains("UTTT_player") && !othello.contains("24hiut") && !othello.contains("Rapfi")
        );
        assert!(othello.contains("`vladpetric/ntest`") && othello.contains("ffo40-59.obf"));
    }
}
