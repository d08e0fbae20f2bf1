//! Fits the board and the messages below it on a small screen.

use super::Size;

/// Moves the cursor to the upper left corner and clears the screen.
pub(super) const CLEAR: &str = "\x1b[H\x1b[2J";
/// Clears the cursor's line.
pub(super) const CLEAR_LINE: &str = "\r\x1b[K";

/// Returns the first of `boards` that fits together with `said` and a prompt. If none fits, returns the last one, a
/// line with the number of hidden lines, and the last lines of `said`.
pub(super) fn fitted(boards: &[String], said: &str, size: Size) -> String {
    let below: usize = said.lines().map(|line| rows(line, size)).sum();
    let fits = |board: &&String| board.lines().count() + below < size.rows;
    if let Some(board) = boards.iter().find(fits) {
        return format!("{board}{said}");
    }
    let board = boards.last().map_or("", String::as_str);
    // The board, the line about hidden lines, and the prompt must fit.
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
    format!("{board}({hidden} ligne{plural} masquée{plural} : écran trop petit)\n{kept}")
}

/// The number of screen rows that a line takes.
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
