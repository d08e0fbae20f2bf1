//! Names of openings. A name is given to a position, whatever the order of the moves and whichever way the board lies.

use super::Coloured;
use crate::drawing::Language;
use othello_player::rules::{Board, Move, Side};
use std::collections::HashMap;
use std::sync::LazyLock;

/// Usual names, in French and in English, and the moves from c4 on: a choice from R. Gatliff's catalogue
/// (<http://www.samsoft.org.uk/reversi/openings.htm>).
const NAMES: [(&str, &str, &str); 32] = [
    ("c4c3", "diagonale", "diagonal opening"),
    ("c4c5", "parallèle", "parallel opening"),
    ("c4e3", "perpendiculaire", "perpendicular opening"),
    ("c4c3d3c5b2", "case X", "X-square opening"),
    ("c4c3d3c5b3", "Snake", "Snake"),
    ("c4c3d3c5b3f3", "Lysons", "Lysons"),
    ("c4c3d3c5b4", "Heath", "Heath"),
    ("c4c3d3c5b4d2d6", "Heath-Bat", "Heath-Bat"),
    ("c4c3d3c5b4e3", "Heath-Chimney", "Heath-Chimney"),
    ("c4c3d3c5b5", "Raccoon Dog", "Raccoon Dog"),
    ("c4c3d3c5b6", "Rocket", "Rocket"),
    ("c4c3d3c5d6", "vache (Cow)", "Cow"),
    ("c4c3d3c5d6e3", "Chimney", "Chimney"),
    ("c4c3d3c5d6f4b4", "Bat", "Bat"),
    ("c4c3d3c5d6f4f5", "Rose-v-Toth", "Rose-v-Toth"),
    ("c4c3d3c5d6f4f5d2", "Tanida", "Tanida"),
    ("c4c3d3c5f6", "buffle (Buffalo)", "Buffalo"),
    ("c4e3f4c5d6e6", "Mimura", "Mimura"),
    ("c4e3f4c5d6f3c6", "Shaman", "Shaman"),
    ("c4e3f4c5d6f3d3", "Inoue", "Inoue"),
    ("c4e3f4c5d6f3e6c3d3e2", "Rose", "Rose"),
    ("c4e3f4c5d6f3e6c3d3e2b5", "Flat", "Flat"),
    ("c4e3f4c5e6", "Horse", "Horse"),
    ("c4e3f5b4", "Ganglion", "Ganglion"),
    ("c4e3f5e6d3", "Italian", "Italian"),
    ("c4e3f5e6f4", "chat (Cat)", "Cat"),
    ("c4e3f6e6f5", "tigre (Tiger)", "Tiger"),
    ("c4e3f6e6f5c5c3", "Stephenson", "Stephenson"),
    ("c4e3f6e6f5c5c3c6", "Comp'Oth", "Comp'Oth"),
    ("c4e3f6e6f5c5d3", "Leader's Tiger", "Leader's Tiger"),
    ("c4e3f6e6f5c5f4g6f7", "Rose-Bill", "Rose-Bill"),
    ("c4e3f6e6f5g6", "Aubrey", "Aubrey"),
];

/// The number of discs after the longest line of [`NAMES`].
const DISCS: u32 = 15;

/// The discs of black and of white, the least of the eight images of a board.
type Key = (u64, u64);

/// Returns the image of squares under a symmetry of the board.
fn image(squares: u64, symmetry: u32) -> u64 {
    let turned = |line: u32, bit: u32| if symmetry & bit == 0 { line } else { 7 - line };
    let bits = (0..64).filter(|square| squares >> square & 1 == 1);
    bits.fold(0, |set, square| {
        let (row, column) = (turned(square / 8, 1), turned(square % 8, 2));
        let square = if symmetry & 4 == 0 { 8 * row + column } else { 8 * column + row };
        set | 1 << square
    })
}

fn key(board: &Board) -> Key {
    let [black, white] = [Side::Black, Side::White].map(|side| board.discs(side));
    (0..8).map(|symmetry| (image(black, symmetry), image(white, symmetry))).min().unwrap_or_default()
}

/// Returns the position after a line. `None` if a move is not legal.
fn after(line: &str) -> Option<Board> {
    let mut board = Board::START;
    for at in (0..line.len()).step_by(2) {
        let mv: Move = line.get(at..at + 2)?.parse().ok()?;
        if !search_core::Position::is_legal(&board.position, mv) {
            return None;
        }
        board = Board { position: board.position.after(mv), side: board.side.other() };
    }
    Some(board)
}

/// Returns the name of the opening that leads to a position.
pub fn name(position: &Coloured, language: Language) -> Option<&'static str> {
    static BY_KEY: LazyLock<HashMap<Key, usize>> = LazyLock::new(|| {
        let named = NAMES.iter().enumerate();
        named.filter_map(|(nth, (line, ..))| Some((key(&after(line)?), nth))).collect()
    });
    let board = &position.0;
    if 64 - board.position.empties() > DISCS {
        return None;
    }
    let (_, french, english) = NAMES[*BY_KEY.get(&key(board))?];
    Some(language.choose(french, english))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_legal_and_leads_to_a_position_of_its_own() {
        let boards: Vec<Board> =
            NAMES.iter().map(|(line, ..)| after(line).unwrap_or_else(|| panic!("{line}"))).collect();
        for (nth, board) in boards.iter().enumerate() {
            let of_same = boards[..nth].iter().position(|other| key(other) == key(board));
            assert_eq!(of_same.map(|same| NAMES[same].1), None, "{}", NAMES[nth].1);
            assert!(64 - board.position.empties() <= DISCS, "{}", NAMES[nth].0);
        }
    }

    #[test]
    fn a_name_holds_in_any_order_of_moves_and_in_all_images() {
        let name = |line: &str| name(&Coloured(after(line).unwrap()), Language::English);
        // The same opening from each of black's four first moves.
        for line in ["c4e3f6e6f5", "d3c5f6f5e6", "f5d6c3d3c4", "e6f4c3c4d3"] {
            assert_eq!(name(line), Some("Tiger"), "{line}");
        }
        assert_eq!(name("f5f6"), Some("diagonal opening"));
        assert_eq!(name("f5"), None);
        assert_eq!(name("c4c5d6"), None);
    }
}
