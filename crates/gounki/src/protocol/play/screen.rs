//! A screen of few lines: the board stays whole above what is said.

use super::Size;

/// To the upper left corner, and everything away.
pub(super) const CLEAR: &str = "\x1b[H\x1b[2J";
/// The line that the cursor is on away.
pub(super) const CLEAR_LINE: &str = "\r\x1b[K";

/// The first of `boards` that leaves room for all of `said` and a prompt; the last one where none does, and then the
/// end of what is said, behind a line that tells of the rest.
pub(super) fn fitted(boards: &[String], said: &str, size: Size) -> String {
    let below: usize = said.lines().map(|line| rows(line, size)).sum();
    let fits = |board: &&String| board.lines().count() + below < size.rows;
    if let Some(board) = boards.iter().find(fits) {
        return format!("{board}{said}");
    }
    let board = boards.last().map_or("", String::as_str);
    // Not to be lost: the board, the line that tells of the rest, the prompt.
    let mut room = size.rows.saturating_sub(board.lines().count() + 2);
    let mut kept: Vec<&str> = Vec::new();
    for line in said.lines().rev() {
        match room.checked_sub(rows(line, size)) {
            Some(left) => room = left,
            None => break,
        }
        kept.push(line);
    }
    kept.reverse();
    let hidden = said.lines().count() - kept.len();
    let plural = if hidden > 1 { "s" } else { "" };
    let kept = kept.iter().fold(String::new(), |text, line| text + line + "\n");
    format!("{board}({hidden} ligne{plural} au-dessus : l'écran est trop petit)\n{kept}")
}

/// Rows of the screen that a line takes.
fn rows(line: &str, size: Size) -> usize {
    line.chars().count().div_ceil(size.columns.max(1)).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: Size = Size { rows: 24, columns: 80 };

    fn boards() -> [String; 2] {
        ["high\n".repeat(19), "low\n".repeat(10)]
    }

    #[test]
    fn the_board_shrinks_where_much_is_said() {
        assert!(fitted(&boards(), "a\nb\nc\nd\n", SIZE).starts_with("high"));
        assert!(fitted(&boards(), &"x".repeat(400), SIZE).starts_with("low"));
    }

    #[test]
    fn what_is_too_much_leaves_the_board_and_the_prompt() {
        for lines in 0..100 {
            let text = fitted(&boards(), &"x\n".repeat(lines), SIZE);
            assert!(text.lines().count() <= 23, "{lines}");
            assert!(text.starts_with("high") || text.starts_with("low"));
            assert_eq!(text.contains("trop petit"), lines > 13, "{lines}");
        }
    }
}
